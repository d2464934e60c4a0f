//! What `littlestone ask` refuses, line by line, while the rest goes on.

use assert_cmd::Command;
use serde_json::{Value, json};

fn replies(lines: &[&str]) -> (Vec<Value>, Option<i32>) {
    let mut command = Command::cargo_bin("littlestone").unwrap();
    let output = command.arg("ask").write_stdin(lines.join("\n")).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let replies = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (replies, output.status.code())
}

/// Ldim(POINT3) = 1 (Definition 5), whatever stands before and after it.
#[test]
fn a_line_that_is_no_request_leaves_the_others_alone() {
    let refused = [
        (
            r#"{"question": "dimension", "class": "point:3", "class": "point:4"}"#,
            "`class` stands twice",
        ),
        (
            r#"{"question": "privacy", "mechanism": {"use": "soa", "use": "constant"}}"#,
            "`use` stands twice",
        ),
        (r#"{"question": "candidates", "lists": [{"a": 1, "a": 2}]}"#, "`a` stands twice"),
        (
            r#"{"id": 123456789012345678901234567890, "question": "dimension", "class": "point:3"}"#,
            "id: ",
        ),
        (r#"{"id": 0.5, "question": "dimension", "class": "point:3"}"#, "id: "),
        (
            r#"{"question": "dimension", "class": "-"}"#,
            "class: expected a file or a name, found `-`",
        ),
        ("[]", "expected a JSON object"),
        ("{\"question\": \"dimension\"", "expected a JSON object"),
        ("\u{1b}[31m", "expected a JSON object"),
    ];
    let lines: Vec<&str> = refused
        .iter()
        .flat_map(|(line, _)| {
            [*line, r#"{"id": "n", "question": "dimension", "class": "point:3"}"#]
        })
        .collect();
    let (replies, code) = replies(&lines);
    assert_eq!((replies.len(), code), (lines.len(), Some(2)));
    for (pair, (line, part)) in replies.chunks(2).zip(refused) {
        let message = pair[0]["error"]["message"].as_str().unwrap_or_default();
        assert!(message.contains(part) && !message.contains('\u{1b}'), "{line}: {message}");
        assert_eq!(pair[1]["id"], "n");
        assert_eq!(pair[1]["answer"]["littlestone_dimension"], 1);
    }
}

/// Pairs are lists or text. By hand: randomised response with flips of 1/3 has δ = 2/3 − 3/2 · 1/3 at
/// e^ε = 3/2.
#[test]
fn pairs_are_written_in_two_ways() {
    let ask = |points: Value| {
        json!({"question": "profile", "mechanism": "randomised-response:flip=1/3", "rounds": 1,
               "points": points})
        .to_string()
    };
    let lines = [ask(json!([["3/2", "1/6"]])), ask(json!(["3/2:1/6"])), ask(json!(["3/2:0"]))];
    let (replies, code) = replies(&lines.each_ref().map(String::as_str));
    let verdicts: Vec<_> =
        replies.iter().map(|reply| reply["answer"]["verdict"].as_str()).collect();
    assert_eq!(verdicts, [Some("holds"), Some("holds"), Some("refuted")]);
    assert_eq!(code, Some(1));
}
