//! Questions about games, tables, expressions, certificates and the candidate sequence.

use serde_json::{Value, json};

use super::posed::{Doors, End};

/// With ε = δ = 0 outputs do not depend on the stream: a fair coin loses T/2, and so does every learner
/// against labels drawn fairly. Where all functions are equal nothing is lost.
#[test]
fn minimax() {
    let doors = Doors::named("minimax", &["minimax"], "class");
    let ask = |class: &str, rounds: Value, epsilon: &str| json!({"class": class, "rounds": rounds, "epsilon": epsilon});
    doors.agree([
        (ask("point:2", json!(2), "0"), claim("value.at_most = 1\nvalue.at_least = \"T/2\"")),
        (ask("point:1", json!(2), "1"), claim("value = 0\nanswer.rounds = 2")),
        (ask("point:2", json!(0), "0"), End::Refused("expected a number of rounds, at least 1")),
        (ask("point:2", json!(2), "-1"), End::Refused("ε")),
        (ask("point:2", json!(3), "ln(2)"), End::Undecided { states: 1 }),
    ]);
}

fn claim(lines: &'static str) -> End {
    End::Claim { lines, verdict: "holds" }
}

/// The values are those of `tests/suite/table_cli.rs`, enumerated by a program that shares nothing with
/// this one.
#[test]
fn combine_table() {
    let doors = Doors::named("combine-table", &["table", "combine"], "");
    let doors = Doors { line: "rows.0.d = 1", ..doors };
    let ask = |rounds: i32, d: &str| json!({"rounds": rounds, "epsilon": "ln(3/2)", "d": d});
    doors.agree([
        (ask(4, "1..2"), claim("rows.0.worst_delta = \"31/52\"\nrows.1.worst_delta = \"119/325\"")),
        (ask(1, "1"), claim("rows.0.worst_delta = 0")),
        (ask(4, "0"), End::Refused("expected a value of D, at least 1")),
        (ask(0, "1"), End::Refused("expected a number of rounds")),
        (ask(8, "1..2"), End::Undecided { states: 5 }),
    ]);
}

/// By arithmetic; Ldim(POINT3) = 1 (Definition 5).
#[test]
fn identities() {
    let doors = Doors::named("identity", &["identity"], "left right");
    let ask = |left: &str, right: &str| json!({"left": left, "right": right});
    let with = |mut fields: Value, class: &str| {
        fields["class"] = json!(class);
        fields
    };
    let bound = |mut fields: Value, x: &str| {
        fields["with"] = json!({"x": x});
        fields
    };
    doors.agree([
        (ask("1/3 + 1/6", "1/2"), End::Verdict("holds")),
        (ask("1/3", "333333333333333333/10^18"), End::Verdict("refuted")),
        (ask("exp(1)*exp(1)", "exp(2)"), End::Verdict("holds")),
        (with(ask("d", "points - 2"), "point:3"), End::Verdict("holds")),
        (ask("1/0", "1"), End::Refused("found a division by zero")),
        (bound(ask("x", "1"), "1"), End::Verdict("holds")),
        (bound(ask("x", "1"), "1/0"), End::Refused("found a division by zero")),
        (ask("1/2 +", "1"), End::Refused("expected a number, a name or `(`, found the end")),
        (with(ask("d", "4"), "interval:6"), End::Undecided { states: 0 }),
    ]);
}

/// The certificate of `checks/certificates/` for POINT3, written by hand, and its copy with a wrong leaf.
#[test]
fn certificates() {
    let doors = Doors::named("certificate", &[], "file");
    let file = |name: &str| json!({"file": concat!(env!("CARGO_MANIFEST_DIR"), "/checks/certificates/").to_owned() + name});
    doors.agree([
        (file("point3.json"), End::Verdict("holds")),
        (file("point3.json"), claim("answer.at_least = 1\nat_most = 1")),
        (file("point3-forged.json"), End::Verdict("refuted")),
        (file("point3.toml"), End::Refused("expected a certificate")),
        (file("none.json"), End::Refused("none.json")),
    ]);
}

/// Algorithm 2 on POINT3 with a batch of one example: what is selected before ⊥ is what is returned, and
/// the misreading that pads with nothing is told apart (Lemma 3). `h_0` errs on no stream of labels 0.
#[test]
fn candidates() {
    let doors = Doors::named("candidates", &["candidates"], "class");
    let doors = Doors { line: "made = 1", ..doors };
    let ask = |rest: Value| {
        let mut fields = json!({"class": "point:3", "n": 1, "k": 1, "N": 2, "K": 1, "B": 1});
        fields.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        fields
    };
    let returned = |rounds: i32| json!({"property": "returned", "rounds": rounds});
    let unpadded = json!({"property": "returned", "rounds": 2, "variant": "unpadded"});
    doors.agree([
        (ask(returned(2)), End::Verdict("holds")),
        (ask(unpadded), End::Verdict("refuted")),
        (ask(json!({"stream": "1:0,2:0"})), claim("made = 1\nmistakes = [0, 0, 0]")),
        (ask(json!({"stream": "4:0"})), End::Refused("`4`")),
        (ask(json!({"stream": "1:0", "k": 0})), End::Refused("expected a number from 1 to 1000")),
        (ask(json!({"stream": "1:0", "s": "3"})), claim("answer.parameters.s = 3")),
        (ask(json!({"stream": "1:0", "s": -1})), End::Refused("expected a number from 0 to")),
        (ask(returned(6)), End::Undecided { states: 1 }),
    ]);
}

/// No question is forgotten.
#[test]
fn every_question_is_posed_at_every_door() {
    let tests = [
        include_str!("adversaries.rs"),
        include_str!("bounds.rs"),
        include_str!("decomposition.rs"),
        include_str!("dimension.rs"),
        include_str!("exact.rs"),
        include_str!("privacy.rs"),
        include_str!("soa.rs"),
    ];
    for question in littlestone::questions::registry::all() {
        let name = format!("\"{}\"", question.name);
        assert!(tests.iter().any(|text| text.contains(&name)), "{name}");
    }
}
