//! The Standard Optimal Algorithm against a stream.

use serde_json::json;

use super::asked::Asked;

#[test]
fn every_door_plays_the_same_rounds() {
    // As in Section 5 of the paper: after (3,0) the tie at point 1 predicts 1, the one mistake that
    // dimension 1 allows.
    let point = Asked {
        command: &["soa", "point:3", "--stream", "3:0,1:0,2:1"],
        request: json!({ "question": "soa", "class": "point:3", "stream": "3:0,1:0,2:1" }),
    };
    let answer = point.agrees("soa", "mistakes = \"d\"");
    assert_eq!(answer["mistakes"], 1);
    point.agrees("soa", "mistakes.at_most = \"T - 2\"\nrounds.1.prediction = 1");
    // The fixed function 001 is right about the third example, the algorithm wrong about the others.
    let fixed = Asked {
        command: &[
            "soa",
            "point:3",
            "--stream",
            "1:1,2:1,3:1",
            "--on-inconsistent",
            "fixed",
            "--public",
            "001",
        ],
        request: json!({
            "question": "soa", "class": "point:3", "stream": "1:1,2:1,3:1",
            "on_inconsistent": "fixed", "public": "001",
        }),
    };
    assert_eq!(fixed.agrees("soa", "mistakes.at_least = 2")["mistakes"], 2);
}

#[test]
fn every_door_refuses_the_same_with_the_same_sentence() {
    for (stream, sentence) in [
        ("3:0,1", "expected `:` and the label 0 or 1, found the end of the input"),
        ("1:1,2:1,3:1", "no hypothesis fits the stream up to and including round 2"),
        ("", "expected at least one labelled example, found none"),
        ("no-such-file", "no such file: `no-such-file`"),
    ] {
        let asked = Asked {
            command: &["soa", "point:3", "--stream", stream],
            request: json!({ "question": "soa", "class": "point:3", "stream": stream }),
        };
        asked.refused("soa", "mistakes = 1", sentence);
    }
    let public = Asked {
        command: &[
            "soa",
            "point:3",
            "--stream",
            "1:1",
            "--on-inconsistent",
            "fixed",
            "--public",
            "01",
        ],
        request: json!({
            "question": "soa", "class": "point:3", "stream": "1:1", "on_inconsistent": "fixed",
            "public": "01",
        }),
    };
    public.refused("soa", "mistakes = 1", "expected 3 labels 0 or 1, found 2");
}

#[test]
fn no_door_decides_what_takes_longer_than_the_limit() {
    let asked = Asked {
        command: &["soa", "sparse:28,16,12,1", "--stream", "1:0"],
        request: json!({ "question": "soa", "class": "sparse:28,16,12,1", "stream": "1:0" }),
    };
    asked.undecided("soa", "mistakes = 1");
}
