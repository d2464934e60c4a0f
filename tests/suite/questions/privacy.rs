//! Questions about privacy, profiles and single runs.

use serde_json::{Value, json};

use super::posed::{Doors, End};

fn pose(
    question: &'static str,
    command: &'static [&'static str],
    instances: impl IntoIterator<Item = (Value, End)>,
) {
    Doors::named(question, command, "mechanism").agree(instances);
}

fn value(path: &'static str, key: &'static str, value: &'static str) -> End {
    End::Value { path, key, value }
}

/// Fact 5: the worst joint δ of the subsampled SOA is γ from two rounds on, and at T = 1 no output is
/// left. The learner over
/// CUBE4 flips a coin and does not look at its stream.
#[test]
fn privacy() {
    let soa = |rounds: Value| {
        json!({"mechanism": "subsampled-soa:gamma=1/4", "class": "point:3", "rounds": rounds,
               "epsilon": 0, "joint": true})
    };
    let with = |mut fields: Value, key: &str, value: &str| {
        fields[key] = json!(value);
        fields
    };
    let realisable = json!({"mechanism": "constant:flip=1/4", "class": "cube:4", "rounds": 1,
                            "epsilon": "ln(3)", "streams": "realisable", "delta": "0"});
    let flipped = with(soa(json!(4)), "mechanism", "subsampled-soa:gamma=1/4,flip=1/8");
    pose(
        "privacy",
        &["verify"],
        [
            (soa(json!(3)), value("worst_delta", "worst_delta", "1/4")),
            (soa(json!("1..3")), value("worst_delta", "worst_delta", "1/4")),
            (soa(json!(1)), End::Claim { lines: "answer.verdict = \"null\"", verdict: "holds" }),
            (with(soa(json!(3)), "delta", "1/8+1/8"), End::Verdict("holds")),
            (with(soa(json!(3)), "delta", "1/5"), End::Verdict("refuted")),
            (with(soa(json!("all")), "delta", "1/4"), End::Verdict("holds")),
            (realisable, End::Verdict("holds")),
            (
                with(soa(json!("0")), "delta", "0"),
                End::Refused("expected a number of rounds, at least 1, or a range such as 1..6"),
            ),
            (
                with(with(soa(json!(2)), "neighbours", "nearby"), "delta", "0"),
                End::Refused("expected replacement, add-remove, adjacent or the name of a file"),
            ),
            (with(flipped, "delta", "1/8"), End::Undecided { states: 3 }),
        ],
    );
}

/// By hand: one bit with two outputs of ratios 3 and 1/3 has the profile 3/4 − α/4 for α = e^ε, and 0 from
/// α = 3 on.
#[test]
fn profile() {
    let bit = |key: &str, value: Value| {
        let mut fields = json!({"mechanism": "randomised-response:flip=1/4", "rounds": 1});
        fields[key] = value;
        fields
    };
    pose(
        "profile",
        &["profile"],
        [
            (bit("limit", json!("0")), End::Verdict("holds")),
            (bit("pure_epsilon", json!("ln(3)")), End::Verdict("holds")),
            (bit("pure_epsilon", json!("infinite")), End::Verdict("refuted")),
            (bit("points", json!(["3:0", "1:1/2"])), End::Verdict("holds")),
            (bit("points", json!(["3:0", "2:1/8"])), End::Verdict("refuted")),
            (bit("limit", json!("-1")), End::Refused("expected a number of at least 0")),
            (bit("points", json!(["3"])), End::Refused("expected")),
        ],
    );
    let flipped = json!({"mechanism": "subsampled-soa:gamma=1/4,flip=1/8", "class": "point:3",
                         "rounds": 4, "pure_epsilon": "ln(3)"});
    pose("profile", &["profile"], [(flipped, End::Undecided { states: 3 })]);
}

fn at(rounds: impl Into<Value>, mut fields: Value) -> Value {
    fields["rounds"] = rounds.into();
    fields
}

const MONITOR: &str = "fn start() { 0 } \
    fn step(m, r, b, o, a) { if o == a { m } else { m + 1 } } \
    fn ok(m, r) { m < 2 }";

/// By hand: on (1,1), (1,1) both answers are wrong unless the first example is retained, with 3/4; in one
/// round no answer is the second that is wrong. The SOA of POINT3 errs once at most (Littlestone), at any
/// number of rounds, and uses the point, which learners do not see (Definition 1); a constant does not.
#[test]
fn single_runs() {
    let on = |mechanism: &str, rest: Value| {
        let mut fields = json!({"mechanism": mechanism, "class": "point:3", "rounds": 2});
        let all = fields.as_object_mut().unwrap();
        all.extend(rest.as_object().unwrap().clone());
        fields
    };
    let realisable = json!({"monitor": MONITOR, "streams": "realisable"});
    let sampled = "subsampled-soa:gamma=1/4";
    pose(
        "probability",
        &["probability"],
        [
            (on(sampled, realisable.clone()), value("probability", "equals", "3/4")),
            (at(1, on(sampled, realisable.clone())), value("probability", "equals", "0")),
            (on("soa", json!({"monitor": "fn start() { 0 }"})), End::Refused("a function `step")),
            (at(0, on(sampled, realisable.clone())), End::Refused("expected a number of rounds")),
            (at(4, on(sampled, realisable.clone())), End::Undecided { states: 3 }),
        ],
    );
    pose(
        "always",
        &["always"],
        [
            (on("soa", realisable.clone()), End::Verdict("holds")),
            (at("all", on("soa", realisable.clone())), End::Verdict("holds")),
            (at(1, on(sampled, realisable.clone())), End::Verdict("holds")),
            (on(sampled, realisable.clone()), End::Verdict("refuted")),
            (
                at("none", on("soa", realisable.clone())),
                End::Refused("expected a number of rounds"),
            ),
            (at(4, on(sampled, realisable)), End::Undecided { states: 3 }),
            (on("soa", json!({"monitor": "fn start() { 0 }"})), End::Refused("a function `step")),
        ],
    );
    pose(
        "causal",
        &["causal"],
        [
            (on("soa", json!({"game": "learning"})), End::Verdict("refuted")),
            (on("constant:labels=111", json!({"game": "learning"})), End::Verdict("holds")),
            (at(4, on(sampled, json!({}))), End::Undecided { states: 3 }),
            (
                on("soa", json!({"rounds": "0"})),
                End::Refused("expected a number of rounds, from 1 to"),
            ),
        ],
    );
}
