//! The Standard Optimal Algorithm against a stream.

use serde_json::{Value, json};

use super::posed::{Doors, End};

const DOORS: Doors = Doors { line: "mistakes = 1", ..Doors::named("soa", &["soa"], "class") };

fn point(stream: &str) -> Value {
    json!({ "class": "point:3", "stream": stream })
}

#[test]
fn every_door_plays_the_same_rounds() {
    let claim = |lines| End::Claim { lines, verdict: "holds" };
    DOORS.agree([
        // As in Section 5 of the paper: after (3,0) the tie at point 1 predicts 1, the one mistake that
        // dimension 1 allows.
        (point("3:0,1:0,2:1"), claim("mistakes = \"d\"")),
        (point("3:0,1:0,2:1"), claim("mistakes.at_most = \"T - 2\"\nrounds.1.prediction = 1")),
        // The fixed function 001 is right about the third example, the algorithm wrong about the others.
        (
            json!({
                "class": "point:3", "stream": "1:1,2:1,3:1", "on_inconsistent": "fixed",
                "public": "001",
            }),
            claim("mistakes = 2"),
        ),
    ]);
}

#[test]
fn every_door_refuses_the_same_with_the_same_sentence() {
    DOORS.agree([
        (
            point("3:0,1"),
            End::Refused("expected `:` and the label 0 or 1, found the end of the input"),
        ),
        (
            point("1:1,2:1,3:1"),
            End::Refused("no hypothesis fits the stream up to and including round 2"),
        ),
        (point(""), End::Refused("expected at least one labelled example, found none")),
        (point("no-such-file"), End::Refused("no such file: `no-such-file`")),
        (
            json!({
                "class": "point:3", "stream": "1:1", "on_inconsistent": "fixed", "public": "01",
            }),
            End::Refused("expected 3 labels 0 or 1, found 2"),
        ),
    ]);
}

#[test]
fn no_door_decides_what_takes_longer_than_the_limit() {
    let sparse = json!({ "class": "sparse:28,16,12,1", "stream": "1:0" });
    DOORS.agree([(sparse, End::Undecided { states: 0 })]);
}
