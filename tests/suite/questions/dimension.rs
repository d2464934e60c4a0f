//! The dimensions of a class.

use serde_json::json;

use super::posed::{Doors, End};

/// Eight thresholds have the dimension log2 8 (Littlestone 1988) and are a chain of 7 steps; one function
/// makes no mistake. Without a search the dimension of the intervals is between 3 and 4, its value.
#[test]
fn every_door_finds_the_same_dimension() {
    let doors = Doors::named("dimension", &["dim"], "class");
    let doors = Doors { line: "littlestone_dimension = 4", ..doors };
    let claim = |lines| End::Claim { lines, verdict: "holds" };
    doors.agree([
        (json!({ "class": "threshold:7" }), claim("littlestone_dimension = 3\npoints = 7")),
        (json!({ "class": "point:1" }), claim("littlestone_dimension = 0\nhypotheses = 1")),
        (
            json!({ "class": "threshold:7" }),
            End::Claim { lines: "littlestone_dimension = 4", verdict: "refuted" },
        ),
        (json!({ "class": "treshold:7" }), End::Refused("no family is called `treshold`")),
        (json!({ "class": "interval:6" }), End::Undecided { states: 0 }),
    ]);
    Doors { kind: "littlestone-dimension", line: "equals = 4", ..doors }.agree([
        (json!({ "class": "threshold:7" }), claim("equals = 3")),
        (json!({ "class": "interval:6" }), End::Undecided { states: 0 }),
    ]);
}
