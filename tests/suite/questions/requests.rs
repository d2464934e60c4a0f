//! What `littlestone ask` refuses, line by line, while the rest goes on.

use assert_cmd::Command;
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// A reply; its `id` may be what no reader follows.
fn read(line: &str) -> Value {
    let shown: std::collections::BTreeMap<String, Box<RawValue>> =
        serde_json::from_str(line).unwrap();
    let entry = |(key, raw): (String, Box<RawValue>)| {
        let text = raw.get();
        (key, serde_json::from_str(text).unwrap_or_else(|_| Value::from(text)))
    };
    shown.into_iter().map(entry).collect()
}

fn replies(lines: &[&str]) -> (Vec<Value>, Option<i32>) {
    let mut command = Command::cargo_bin("littlestone").unwrap();
    let output = command.arg("ask").write_stdin(lines.join("\n")).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let replies = text.lines().map(read).collect();
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
            r#"{"question": "dimension", "class": "-"}"#,
            "class: expected a file or a family such as `point:3`, found `-`",
        ),
        (r#"{"question": "dimension", "class": "dual(-)"}"#, "found `-`"),
        (r#"{"question": "soa", "class": "point:3", "stream": "-"}"#, "found `-`"),
        (r#"{"question": "dimension", "class": "point:3", "id": 1e}"#, "expected a JSON object"),
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

/// Brackets are counted before they are followed, and an `id` is not looked into.
#[test]
fn brackets_in_brackets_end_somewhere() {
    let deep = ["[", "]"].map(|bracket| bracket.repeat(100_000)).concat();
    let lines = [
        format!(r#"{{"question": "dimension", "class": {deep}}}"#),
        format!(r#"{{"question": "dimension", "class": "point:3", "id": {deep}}}"#),
    ];
    let (replies, code) = replies(&lines.each_ref().map(String::as_str));
    assert!(replies[0]["error"]["message"].as_str().unwrap().contains("brackets in each other"));
    assert_eq!(replies[1]["answer"]["littlestone_dimension"], 1);
    assert_eq!(code, Some(2));
}

/// An `id` comes back as it was written: no number is rounded, and a tab between values is a space.
#[test]
fn an_id_comes_back_as_it_was_written() {
    let ids =
        ["123456789012345678901234567890", "-0.10", "1e400", r#"{"a":1,"a":[2,"\u002d"]}"#, "null"];
    let line = |id: &str| format!(r#"{{"id": {id}, "question": "dimension", "class": "point:3"}}"#);
    let asked = |id: &str| {
        let mut command = Command::cargo_bin("littlestone").unwrap();
        String::from_utf8(command.arg("ask").write_stdin(line(id)).output().unwrap().stdout)
    };
    for id in ids {
        let reply = asked(id).unwrap();
        assert!(reply.contains(&format!("}},\"id\":{id},\"question\"")), "{reply}");
    }
    assert!(asked("[1,\t2]").unwrap().contains(",\"id\":[1, 2],"));
    let shown = asked("\"\u{202e}\"").unwrap();
    assert!(shown.contains(",\"id\":\"\\u202e\","), "{shown}");
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
