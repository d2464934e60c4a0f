//! Definitions 7 to 9, Fact 2 and the atlas.

use serde_json::json;

use super::asked::Asked;

/// POINT8 with p = 2: ρ = 1 and C = {0}, since n = 8 > p(2^d − 1) + 1 = 3; six labels of the zero
/// function leave two functions, and the seventh lowers the dimension.
#[test]
fn every_door_finds_the_same_decomposition() {
    let point = Asked {
        command: &["decompose", "point:8", "--p", "2"],
        request: json!({ "question": "decomposition", "class": "point:8", "p": 2 }),
    };
    point.agrees("decomposition-dimension", "equals = \"d\"");
    point.agrees("essential-hypotheses", "equals = [\"00000000\"]\ninside = false\ncount = 1");
    point.agrees("essential-hypotheses", "contains = [\"00000000\"]\nexcludes = [\"10000000\"]");
    point.agrees("decomposition", "irreducibility_order = 7\ndecomposition_dimension.at_least = 1");
    let answer = point.agrees("irreducible", "order = 7\nsoa = \"00000000\"");
    assert_eq!(answer["essential_hypotheses"], json!(["00000000"]));
    // A claim about a set is false when it is about another one.
    let claimed = point.claimed(
        "essential-hypotheses",
        "equals = []",
        littlestone::limits::Limits::default(),
    );
    assert_eq!(claimed, Ok("refuted".to_owned()));
}

#[test]
fn every_door_refuses_the_same_questions() {
    let ask = |extra: serde_json::Value| {
        let mut request = json!({ "question": "decomposition", "class": "cube:2" });
        request.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        request
    };
    let kind = "decomposition-dimension";
    let small = Asked {
        command: &["decompose", "cube:2", "--p", "1", "--ambient", "1"],
        request: ask(json!({ "p": 1, "ambient": 1 })),
    };
    small.refused(
        kind,
        "equals = 1",
        "expected at least 2, the Littlestone dimension of the class",
    );
    let none =
        Asked { command: &["decompose", "cube:2", "--p", "0"], request: ask(json!({ "p": 0 })) };
    none.refused(kind, "equals = 1", "expected at least 1, found 0");
    let avoid = Asked {
        command: &["decompose", "cube:2", "--p", "1", "--avoid", "0"],
        request: ask(json!({ "p": 1, "avoid": "0" })),
    };
    avoid.refused(kind, "equals = 1", "expected 2 labels 0 or 1, found 1");
}

#[test]
fn no_door_decides_what_takes_longer_than_the_limit() {
    let ball = Asked {
        command: &["decompose", "ball:6,2", "--p", "3"],
        request: json!({ "question": "decomposition", "class": "ball:6,2", "p": 3 }),
    };
    ball.undecided("decomposition-dimension", "equals = 1");
    let fact = Asked {
        command: &["fact2", "P4", "--points", "2", "--ambient", "1", "--p", "1"],
        request: json!({ "question": "fact2", "property": "P4", "points": 2, "ambient": 1, "p": 1 }),
    };
    fact.undecided("fact2", "");
    let atlas = Asked {
        command: &["atlas", "--points", "2"],
        request: json!({ "question": "atlas", "points": 2 }),
    };
    atlas.undecided("atlas", "classes = 1");
}

/// P4 is true of all classes; Fact 2 speaks of a fixed d, and with the dimension of the subclass in its
/// place {00, 01, 10} has ρ = 1 > 0 = ρ of the square.
#[test]
fn every_door_checks_fact_2() {
    let true_one = Asked {
        command: &["fact2", "P4", "--points", "3", "--ambient", "1", "--p", "1"],
        request: json!({ "question": "fact2", "property": "P4", "points": 3, "ambient": 1, "p": 1 }),
    };
    true_one.agrees("fact2", "");
    let misread = Asked {
        command: &["fact2", "P3-order", "--class", "cube:2", "--ambient", "recomputed", "--p", "1"],
        request: json!({
            "question": "fact2", "property": "P3-order", "class": "cube:2",
            "ambient": "recomputed", "p": 1,
        }),
    };
    let (printed, code) = misread.commanded(&[]);
    assert_eq!((&printed.unwrap(), code), (&misread.replied()["answer"], 1));
    assert_eq!(
        misread.claimed("fact2", "", littlestone::limits::Limits::default()),
        Ok("refuted".to_owned())
    );
    let many = Asked {
        command: &["fact2", "P4", "--points", "5", "--ambient", "1", "--p", "1"],
        request: json!({ "question": "fact2", "property": "P4", "points": 5, "ambient": 1, "p": 1 }),
    };
    many.refused("fact2", "", "expected from 1 to 4, found 5");
}

/// On one point there are 2 classes up to symmetry, on two points 5 more.
#[test]
fn every_door_has_the_same_atlas() {
    let atlas = Asked {
        command: &["atlas", "--points", "2"],
        request: json!({ "question": "atlas", "points": 2 }),
    };
    let answer = atlas.agrees("atlas", "classes = 7");
    assert_eq!(answer["rows"].as_array().map(Vec::len), Some(7));
    let many = Asked {
        command: &["atlas", "--points", "5"],
        request: json!({ "question": "atlas", "points": 5 }),
    };
    many.refused("atlas", "classes = 1", "expected from 1 to 4 points, found 5");
}
