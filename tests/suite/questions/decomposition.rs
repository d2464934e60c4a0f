//! Definitions 7 to 9, Fact 2 and the atlas.

use serde_json::json;

use super::posed::{Doors, End};

/// The question under one of its names in claims.
fn decomposition(kind: &'static str) -> Doors {
    Doors { kind, ..Doors::named("decomposition", &["decompose"], "class") }
}

const FACT_2: Doors = Doors::named("fact2", &["fact2"], "property");

const ATLAS: Doors = Doors { line: "classes = 1", ..Doors::named("atlas", &["atlas"], "") };

fn holds(lines: &'static str) -> End {
    End::Claim { lines, verdict: "holds" }
}

/// POINT8 with p = 2: ρ = 1 and C = {0}, since n = 8 > p(2^d − 1) + 1 = 3; six labels of the zero
/// function leave two functions, and the seventh lowers the dimension.
#[test]
fn every_door_finds_the_same_decomposition() {
    let point =
        |kind, end| decomposition(kind).agree([(json!({ "class": "point:8", "p": 2 }), end)]);
    point("decomposition-dimension", holds("equals = \"d\""));
    let essential = "essential-hypotheses";
    point(essential, holds("equals = [\"00000000\"]\ninside = false\ncount = 1"));
    point(essential, holds("contains = [\"00000000\"]\nexcludes = [\"10000000\"]"));
    point("decomposition", holds("irreducibility_order = 7\ndecomposition_dimension.at_least = 1"));
    point("irreducible", holds("order = 7\nsoa = \"00000000\""));
    // A claim about a set is false when it is about another one.
    point(essential, End::Claim { lines: "equals = []", verdict: "refuted" });
}

#[test]
fn every_door_refuses_the_same_questions() {
    decomposition("decomposition-dimension").agree([
        (
            json!({ "class": "cube:2", "p": 1, "ambient": 1 }),
            End::Refused("expected at least 2, the Littlestone dimension of the class"),
        ),
        (json!({ "class": "cube:2", "p": 0 }), End::Refused("expected at least 1, found 0")),
        (
            json!({ "class": "cube:2", "p": 1, "avoid": "0" }),
            End::Refused("expected 2 labels 0 or 1, found 1"),
        ),
    ]);
}

#[test]
fn no_door_decides_what_takes_longer_than_the_limit() {
    let end = End::Undecided { states: 0 };
    let ball = json!({ "class": "ball:6,2", "p": 3 });
    decomposition("decomposition-dimension").agree([(ball, end)]);
    FACT_2.agree([(json!({ "property": "P4", "points": 2, "ambient": 1, "p": 1 }), end)]);
    ATLAS.agree([(json!({ "points": 2 }), end)]);
}

/// P4 is true of all classes; Fact 2 speaks of a fixed d, and with the dimension of the subclass in its
/// place {00, 01, 10} has ρ = 1 > 0 = ρ of the square.
#[test]
fn every_door_checks_fact_2() {
    let p4 = |points: u32| json!({ "property": "P4", "points": points, "ambient": 1, "p": 1 });
    let misread =
        json!({ "property": "P3-order", "class": "cube:2", "ambient": "recomputed", "p": 1 });
    FACT_2.agree([
        (p4(3), End::Verdict("holds")),
        (misread, End::Verdict("refuted")),
        (p4(5), End::Refused("expected from 1 to 4, found 5")),
    ]);
}

/// On one point there are 2 classes up to symmetry, on two points 5 more.
#[test]
fn every_door_has_the_same_atlas() {
    ATLAS.agree([
        (json!({ "points": 2 }), holds("classes = 7\nrows.6.points = 2")),
        (json!({ "points": 5 }), End::Refused("expected from 1 to 4 points, found 5")),
    ]);
}
