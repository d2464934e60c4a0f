//! Questions about mistakes and the adversaries of the lower bounds.

use serde_json::{Value, json};

use super::posed::{Doors, End};

fn pose(
    question: &'static str,
    command: &'static [&'static str],
    first: &'static str,
    instances: impl IntoIterator<Item = (Value, End)>,
) {
    Doors::named(question, command, first).agree(instances);
}

fn value(path: &'static str, key: &'static str, value: &'static str) -> End {
    End::Value { path, key, value }
}

/// On the constant stream 1:1 the subsampled SOA of POINT3 is wrong until it retains the example:
/// (1 − (1−γ)^T)/γ mistakes (Fact 5), which is T for γ = 0.
#[test]
fn mistakes() {
    let soa = |gamma: &str| format!("subsampled-soa:gamma={gamma}");
    let worst = |gamma: &str| json!({"mechanism": soa(gamma), "class": "point:3", "rounds": 3});
    let stream = |text: &str| json!({"mechanism": "soa", "class": "point:3", "stream": text});
    pose(
        "mistakes",
        &["mistakes"],
        "mechanism",
        [
            (worst("1/2"), value("expected_mistakes", "equals", "7/4")),
            (worst("0"), value("expected_mistakes", "equals", "3")),
            (stream("1:1,1:1"), value("expected_mistakes", "equals", "1")),
            (stream("1:1,1:2"), End::Refused("expected the label 0 or 1, found `2`")),
            (worst("1/4"), End::Undecided { states: 1 }),
        ],
    );
}

/// checks/predictor/theorem3.toml and lemma13.toml have these numbers from independent programs; a
/// predictor that is wrong in every round has the regret T for the factor 0.
#[test]
fn regret_and_threshold() {
    let regret = |rounds: Value| json!({"mechanism": "combine:D=1", "rounds": rounds, "factor": 3});
    pose(
        "regret",
        &["regret"],
        "mechanism",
        [
            (regret(json!(4)), value("regret", "equals", "73/85")),
            (regret(json!("1")), value("regret", "equals", "1/2")),
            (regret(json!("0")), End::Refused("expected a number of rounds, from 1 to")),
            (regret(json!(24)), End::Undecided { states: 3 }),
        ],
    );
    // C = A = F is never wrong on the one realisable stream.
    let threshold = |rounds: Value| {
        json!({
            "mechanism": "constant:labels=1", "first": "constant:labels=1",
            "second": "constant:labels=1", "class": "point:1", "rounds": rounds,
        })
    };
    pose(
        "threshold",
        &["threshold"],
        "mechanism",
        [
            (threshold(json!(2)), value("excess", "equals", "0")),
            (threshold(json!("x")), End::Refused("expected a number of rounds, from 1 to")),
            (threshold(json!(4)), End::Undecided { states: 2 }),
        ],
    );
}

/// Lp/3 informative examples, half of which cost fair bits a mistake; the label of the dummy point is
/// known, so a learner that is wrong there alone gets nothing from them.
#[test]
fn algorithm_1() {
    let thirds = |rounds: u32, quantity: &str| {
        json!({
            "mechanism": "absorbing:E=1,beta=0", "class": "point:3", "adversary": "thirds:p=1/2",
            "rounds": rounds, "quantity": quantity,
        })
    };
    let mut misread = thirds(9, "informative");
    misread["adversary"] = "thirds:p=1/2,dummy=x".into();
    pose(
        "thirds",
        &["adversary", "thirds"],
        "",
        [
            (thirds(27, "mistakes"), value("value", "equals", "1/4")),
            (thirds(2, "informative"), value("value", "equals", "1")),
            (misread, End::Refused("expected an example such as 3:0, found `x`")),
            (thirds(27, "mistakes"), End::Undecided { states: 5 }),
        ],
    );
}

/// By hand: the SOA of a cube is wrong at each new point, and the phases are at new points.
#[test]
fn theorem_2() {
    let phases = |class: &str, rounds: u32| json!({"mechanism": "soa-learner", "class": class, "rounds": rounds});
    pose(
        "phases",
        &["adversary", "phases"],
        "mechanism",
        [
            (phases("cube:3", 4), value("informative_mistakes", "informative_mistakes", "2")),
            (phases("cube:2", 1), value("informative_mistakes", "informative_mistakes", "1")),
            (phases("", 4), End::Refused("expected a file or a family such as `point:3`")),
            (phases("cube:4", 12), End::Undecided { states: 5 }),
        ],
    );
}

/// All n rounds (x, B): a learner that is always 0 at x is wrong in all of them or in none. The
/// inequality holds for a learner with δ = γ, as Lemma 5 says (checks/lower-bounds/lemma5.toml).
#[test]
fn lemma_5() {
    let few = |regime: &str| {
        json!({
            "mechanism": "constant-learner", "class": "point:3", "rounds": 6, "regime": regime,
            "adversary": "thirds",
        })
    };
    let blocks = |delta: &str, w: Value| {
        json!({
            "mechanism": "subsampled-soa-learner:gamma=1/100", "class": "point:3", "q": 2,
            "w": w, "dummy": "3:0", "previous": "1:1", "informative": "1:1", "epsilon": 0, "delta": delta,
        })
    };
    pose(
        "lemma5",
        &["adversary", "lemma5"],
        "mechanism",
        [
            (few("few"), value("value", "equals", "3")),
            (few("blocks"), End::Refused("expected `q` with this regime, found none")),
            (few("few"), End::Undecided { states: 2 }),
        ],
    );
    pose(
        "blocks",
        &["adversary", "blocks"],
        "mechanism",
        [
            (blocks("1/100", json!(8)), End::Verdict("holds")),
            (blocks("1/100", json!(0)), End::Refused("expected a whole number of at least 1")),
            (blocks("1/100", json!(8)), End::Undecided { states: 2 }),
        ],
    );
}

/// Fair bits keep a label for T rounds with probability 2^(−T).
#[test]
fn concentrated_learners() {
    let fair = |beta: &str| {
        json!({
            "mechanism": "constant-learner:flip=1/2", "class": "cube:2", "rounds": 3, "beta": beta,
        })
    };
    let mut open = fair("0");
    open.as_object_mut().unwrap().remove("beta");
    pose(
        "concentrated",
        &["concentrated"],
        "mechanism",
        [
            (open, value("least_beta", "least_beta", "7/8")),
            (fair("7/8"), End::Verdict("holds")),
            (fair("3/4"), End::Verdict("refuted")),
            (fair("5/4"), End::Refused("expected a number in [0, 1], found 5/4")),
            (fair("7/8"), End::Undecided { states: 1 }),
        ],
    );
}

/// Declared (1/100, 0)-private, the SOA violates (2) (checks/lower-bounds/equation1.toml).
#[test]
fn potentials() {
    let potentials = |inequality: &str, rounds: u32| {
        json!({
            "mechanism": "absorbing:E=9/8,beta=1/8", "class": "point:3", "rounds": rounds,
            "epsilon": "ln(9/8)", "inequality": inequality,
        })
    };
    pose(
        "potentials",
        &["potentials"],
        "mechanism",
        [
            (potentials("Lemma 1", 3), End::Verdict("holds")),
            (potentials("(2)", 9), End::Verdict("holds")),
            (potentials("(9)", 3), End::Refused("expected one of `stage 1`")),
            (potentials("(2)", 9), End::Undecided { states: 3 }),
        ],
    );
}
