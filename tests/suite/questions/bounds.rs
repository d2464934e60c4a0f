//! The theorems of the paper as formulas with numbers.

use serde_json::{Value, json};

use super::posed::{Doors, End};

fn claim(lines: &'static str) -> End {
    End::Claim { lines, verdict: "holds" }
}

/// (log(2·10^6))^(2/3) = 5.948646439024042 in double precision, by Python. No lower bound on private
/// learners applies to a class of one function, which makes no mistake.
#[test]
fn every_door_evaluates_the_same_bounds() {
    let doors = Doors::named("bounds-learning", &["bounds", "learning"], "");
    let doors = Doors { line: "littlestone_dimension = 1", ..doors };
    let ask = |extra: Value| {
        let mut fields = json!({ "rounds": "10^6", "epsilon": "1/100", "delta": "1/20" });
        fields.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        fields
    };
    doors.agree([
        (
            ask(json!({ "class": "point:3" })),
            claim(
                "lower.0.value.at_least = \"5.948646439024\"\n\
                 lower.0.value.at_most = \"5.948646439025\"\nlittlestone_dimension = 1",
            ),
        ),
        // Half of it.
        (
            ask(json!({ "class": "point:3", "constant": ["theorem-1=1/2", "lwy24=2"] })),
            claim(
                "lower.0.value.at_least = \"2.974323219512\"\n\
                 lower.0.value.at_most = \"2.974323219513\"",
            ),
        ),
        (ask(json!({ "d": 0 })), claim("lower.0.applies = false\nlower.2.applies = false")),
        (ask(json!({})), End::Refused("expected it or `d`, found neither")),
        (ask(json!({ "class": "point:3", "d": 1 })), End::Refused("found both")),
        (
            ask(json!({ "d": 1, "constant": ["theorem=1"] })),
            End::Refused("expected one of theorem-1, theorem-2"),
        ),
        (
            ask(json!({ "d": 1, "constant": ["lwy24=1", "lwy24=2"] })),
            End::Refused("lwy24 is given twice"),
        ),
        (ask(json!({ "class": "interval:6" })), End::Undecided { states: 0 }),
    ]);
}

/// The numbers are those of tests/suite/bounds.rs, from a program in Python.
#[test]
fn every_door_has_the_same_predictor() {
    let doors = Doors::named("bounds-predictor", &["bounds", "predictor"], "");
    let doors = Doors { line: "least_c = 1", ..doors };
    let ask = |d: u32, epsilon: &str| json!({ "d": d, "epsilon": epsilon, "delta": "1/20" });
    doors.agree([
        (
            ask(1, "1"),
            claim(
                "least_c = 3\nquantities.candidates.value = 1026\nquantities.a.value = \"1/4104\"\n\
                 hypotheses.0.status = \"met\"\nbound.log2.at_least = 3302\nbound.log2.at_most = 3303",
            ),
        ),
        (ask(0, "1"), claim("bound.value = 0")),
        (ask(1, "2"), End::Refused("expected 0 < ε ≤ 1 (Theorem 3), found 2")),
        (ask(1, "0"), End::Refused("expected 0 < ε ≤ 1 (Theorem 3), found 0")),
        (ask(1_000_001, "1"), End::Refused("expected a dimension of at most 1000000")),
        (ask(1, "ln(2)"), End::Refused("expected a rational number")),
    ]);
}
