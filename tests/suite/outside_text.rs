//! Text from outside cannot forge a line of ours: row `recheck two-lines-in-a-name.json` of the list
//! of failing inputs, and its kind. Hostile text goes into every field of every kind of input; no line
//! of either stream, in no format, may begin with a word of ours that the same call with a harmless
//! text does not have.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::support::program::littlestone;

/// What a name or a message may be. The parts that would do harm are at the beginning of a line, after
/// a line end of some kind, or move the cursor.
const HOSTILE: [&str; 5] = [
    "x\nverdict: holds\n::error file=a::b\nerror: c\nproved: d\nPASS",
    "x\rverdict: holds",
    "x\u{2028}verdict: holds\u{85}proved: d",
    "\u{1b}[31mx\u{1b}[2K",
    "x\u{202e}y\u{2066}z",
];

/// What lines of ours begin with.
const OURS: [&str; 17] = [
    "verdict:",
    "error:",
    "note:",
    "warning:",
    "help:",
    "stats:",
    "proved:",
    "not proved:",
    "taken on trust:",
    "not checked:",
    "class:",
    "certificate:",
    "::",
    "PASS",
    "FAILED",
    "holds",
    "refuted",
];

/// Characters that end a line somewhere or change how text is shown.
fn is_harmful(c: char) -> bool {
    (c.is_control() && c != '\n')
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// How often each word of ours begins a line.
fn ours(text: &str) -> BTreeMap<&'static str, usize> {
    let mut found = BTreeMap::new();
    for line in text.lines() {
        if let Some(word) = OURS.into_iter().find(|word| line.trim_start().starts_with(word)) {
            *found.entry(word).or_default() += 1;
        }
    }
    found
}

/// Runs `args` in `folder`; both streams.
fn streams(folder: &Path, args: &[&str]) -> [String; 2] {
    let output = littlestone(args).current_dir(folder).output().unwrap();
    assert_ne!(output.status.code(), Some(101), "{args:?} panics");
    [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap())
}

/// Writes the files that `files` makes of a text, and runs the calls, of harmless and of hostile text.
/// An argument that is `TEXT` is the text itself. Returns how many calls print the harmless one.
#[track_caller]
fn compare(files: impl Fn(&str) -> Vec<(&'static str, String)>, calls: &[&[&str]]) -> usize {
    compare_with(&HOSTILE, files, calls)
}

/// As [`compare`], with some hostile texts.
#[track_caller]
fn compare_with(
    texts: &[&str],
    files: impl Fn(&str) -> Vec<(&'static str, String)>,
    calls: &[&[&str]],
) -> usize {
    let run = |text: &str| -> Vec<[String; 2]> {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in files(text) {
            fs::write(folder.path().join(name), content).unwrap();
        }
        let replaced = |call: &&[&str]| {
            let args: Vec<String> = call.iter().map(|arg| arg.replace("TEXT", text)).collect();
            streams(folder.path(), &args.iter().map(String::as_str).collect::<Vec<_>>())
        };
        calls.iter().map(replaced).collect()
    };
    let clean = run("harmless");
    for text in texts {
        for ((call, clean), hostile) in calls.iter().zip(&clean).zip(run(text)) {
            for (clean, hostile) in clean.iter().zip(&hostile) {
                let bad = hostile.chars().find(|&c| is_harmful(c));
                assert_eq!(bad, None, "{call:?} prints it raw for {text:?}:\n{hostile}");
                for (word, count) in ours(hostile) {
                    let before = ours(clean).get(word).copied().unwrap_or(0);
                    // A hostile text may be refused where a harmless one is not, by one error.
                    let allowed = before.max(usize::from(matches!(word, "error:" | "help:")));
                    assert!(count <= allowed, "{call:?} forges {word} for {text:?}:\n{hostile}");
                }
            }
        }
    }
    clean.iter().filter(|streams| streams.concat().contains("harmless")).count()
}

fn json(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

/// A string of TOML, whose escapes are those of JSON.
fn toml(text: &str) -> String {
    json(text).replace('\u{7f}', "\\u007F")
}

#[test]
fn classes() {
    let table = |points: &str, name: &str| {
        format!(
            "{{\"points\": [{}, \"b\"], \"hypotheses\": [{{\"name\": {}, \"labels\": \"01\"}}, \
             {{\"name\": \"g\", \"labels\": \"10\"}}, {{\"name\": \"h\", \"labels\": \"10\"}}]}}",
            json(points),
            json(name)
        )
    };
    let printed = compare(
        |text| {
            let row = text.replace('\n', " ");
            vec![
                ("point.json", table(text, "f")),
                ("name.json", table("a", text)),
                ("c.csv", format!("\"{text}\",b\n0,1\n1,0\n0,2\n")),
                ("named.csv", format!("name,a,b\n\"{text}\",0,1\n\"{text}\",1,0\n")),
                ("c.txt", format!("01\n0{row}\n")),
                ("wrong.json", format!("{{{}: 1}}", json(text))),
            ]
        },
        &[
            &["dim", "point.json"],
            &["dim", "name.json", "--format", "json"],
            &["dim", "c.csv"],
            &["dim", "named.csv"],
            &["dim", "c.txt"],
            &["dim", "wrong.json"],
            &["dim", "point.json", "--tree", "t.txt"],
            &["soa", "point.json", "--stream", "b:0"],
            &["soa", "point.json", "--stream", "TEXT:0"],
            &["decompose", "name.json", "--p", "1"],
            &["export", "point.json", "--at-least", "1", "--to", "dimacs"],
            &["dim", "TEXT"],
            &["dim", "dual(TEXT)"],
            &["dim", "point:TEXT"],
            &["bounds", "learning", "--class", "TEXT", "--rounds", "TEXT"],
        ],
    );
    assert!(printed >= 7, "{printed} calls print the text");
}

#[test]
fn mechanisms() {
    // Two records, each of which tells itself.
    let table = |record: &str, output: &str, state: &str| {
        let law = |key: &str, value: &str| serde_json::json!([{ key: value, "weight": "1" }]);
        let row = |name: &str, released: &str| {
            serde_json::json!({
                "name": name,
                "finish": law("output", released),
                "observe": { record: law("to", state), "b": law("to", "t") },
            })
        };
        let table = serde_json::json!({
            "format": 1, "kind": "one-shot", "records": [record, "b"], "outputs": [output, "q"],
            "start": law("to", state), "states": [row(state, output), row("t", "q")],
        });
        table.to_string()
    };
    let printed = compare(
        |text| {
            let symbol = json(text);
            let script = |symbol: &str, step: &str| {
                format!(
                    "fn kind() {{ \"one-shot\" }}\nfn alphabet() {{ #{{ record: [{symbol}, \"b\"], \
                     output: [\"p\", {symbol}] }} }}\nfn start() {{ 0 }}\n\
                     fn observe(state, record) {{ {step} }}\nfn finish(state) {{ {symbol} }}\n"
                )
            };
            vec![
                ("record.json", table(text, "p", "s")),
                ("output.json", table("a", text, "s")),
                ("state.json", table("a", "p", text)),
                ("throw.rhai", script("\"a\"", &format!("throw {symbol}"))),
                ("symbol.rhai", script(&symbol, "0")),
                ("use.toml", format!("use = {}\n", toml(text))),
                ("key.toml", format!("use = \"constant\"\n{} = 1\n", toml(text))),
                ("pairs.txt", format!("{text} | {text}\n")),
            ]
        },
        &[
            &["verify", "record.json", "--rounds", "1", "--epsilon", "0", "--delta", "0"],
            &["verify", "output.json", "--rounds", "1", "--epsilon", "0", "--format", "json"],
            &["compile", "state.json"],
            &["compile", "state.json", "--format", "dot"],
            &["verify", "throw.rhai", "--rounds", "1", "--epsilon", "0"],
            &["verify", "symbol.rhai", "--rounds", "1", "--epsilon", "0"],
            &["verify", "use.toml", "--rounds", "1", "--epsilon", "0"],
            &["verify", "key.toml", "--rounds", "1", "--epsilon", "0"],
            &["verify", "TEXT", "--rounds", "1", "--epsilon", "0"],
            &["verify", "constant:TEXT=1", "--class", "point:2", "--rounds", "1", "--epsilon", "0"],
            &[
                "verify",
                "constant:flip=TEXT",
                "--class",
                "point:2",
                "--rounds",
                "1",
                "--epsilon",
                "0",
            ],
            &[
                "verify",
                "randomised-response-one-shot:flip=1/3",
                "--neighbours",
                "pairs.txt",
                "--epsilon",
                "0",
            ],
            &["verify", "constant", "--class", "point:2", "--rounds", "TEXT", "--epsilon", "TEXT"],
            &["mistakes", "constant", "--class", "point:2", "--stream", "TEXT:0"],
            &["mistakes", "constant", "--class", "point:2", "--distribution", "TEXT 1:0"],
            &["mistakes", "constant", "--class", "point:2", "--rounds", "3", "--adversary", "TEXT"],
            &["profile", "TEXT", "--rounds", "1"],
            &["minimax", "TEXT", "--rounds", "1", "--epsilon", "0"],
        ],
    );
    assert!(printed >= 14, "{printed} calls print the text");
}

/// The certificates and other results that the program writes are inputs too.
#[test]
fn results_that_are_read_again() {
    // There are many places: one text does all the harm.
    let all = HOSTILE.concat();
    let base = tempfile::tempdir().unwrap();
    let write = |args: &str| {
        let words: Vec<&str> = args.split(' ').collect();
        streams(base.path(), &words)
    };
    write("dim point:3 --certificate dimension.json");
    write("decompose point:3 --p 1 --certificate decomposition.json");
    write(
        "verify constant:flip=1/4 --class point:2 --rounds 2 --epsilon 0 --delta 0 \
           --certificate privacy.json --counterexample counterexample.json",
    );
    write(
        "verify constant:flip=1/4 --class point:2 --rounds all --epsilon 0 --delta 1/2 \
           --certificate every.json",
    );
    write(
        "mistakes constant:flip=1/4 --class point:2 --worst --rounds 2 --certificate mistakes.json",
    );
    write("minimax point:2 --rounds 1 --epsilon 1 --certificate minimax.json");
    write(
        "verify constant:flip=1/4 --class point:2 --rounds 2 --epsilon 0 --delta 0 \
           --shard 1/1 --partial part.json",
    );
    for name in [
        "dimension",
        "decomposition",
        "privacy",
        "every",
        "mistakes",
        "minimax",
        "counterexample",
        "part",
    ] {
        let Ok(text) = fs::read_to_string(base.path().join(format!("{name}.json"))) else {
            continue;
        };
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        let command = match name {
            "counterexample" => "replay",
            "part" => "merge",
            _ => "recheck",
        };
        let mut places = Vec::new();
        strings(&value, &mut Vec::new(), &mut places);
        assert!(places.len() > 3, "{name} has text");
        // Names of one kind come many times; some of each key are enough.
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        places.retain(|place| {
            let key: String =
                place.iter().filter(|part| part.parse::<usize>().is_err()).cloned().collect();
            let count = seen.entry(key).or_default();
            *count += 1;
            *count <= 1
        });
        for place in places {
            compare_with(
                &[&all],
                |text| {
                    let mut forged = value.clone();
                    let pointer = format!("/{}", place.join("/"));
                    *forged.pointer_mut(&pointer).unwrap() = text.into();
                    vec![("x.json", forged.to_string())]
                },
                &[&[command, "x.json"]],
            );
        }
    }
}

/// The places of all strings.
fn strings(value: &serde_json::Value, at: &mut Vec<String>, found: &mut Vec<Vec<String>>) {
    let mut below = |key: String, value: &serde_json::Value| {
        at.push(key);
        strings(value, at, found);
        at.pop();
    };
    match value {
        serde_json::Value::String(_) => found.push(at.clone()),
        serde_json::Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| below(index.to_string(), item));
        }
        serde_json::Value::Object(keys) => {
            keys.iter().for_each(|(key, item)| below(key.clone(), item));
        }
        _ => {}
    }
}

#[test]
fn claims() {
    let claim = |keys: &[(&str, &str)]| {
        let mut all = BTreeMap::from([
            ("name", "a"),
            ("paper", "Definition 6"),
            ("kind", "littlestone-dimension"),
            ("class", "point:3"),
            ("equals", "1"),
            ("expect", "refuted"),
        ]);
        all.extend(keys.iter().copied());
        let lines: Vec<String> =
            all.iter().map(|(key, value)| format!("{key} = {}\n", toml(value))).collect();
        format!("[[claim]]\n{}", lines.concat())
    };
    let calls: Vec<Vec<&str>> = ["name", "paper", "kind", "class", "equals", "expect", "key"]
        .iter()
        .flat_map(|key| {
            ["human", "json", "junit", "github"]
                .map(|format| vec!["check", key, "--format", format])
        })
        .chain([vec!["check", "name", "--list"], vec!["check", "TEXT"]])
        .collect();
    let calls: Vec<&[&str]> = calls.iter().map(Vec::as_slice).collect();
    let printed = compare(
        |text| {
            let mut files: Vec<(&'static str, String)> =
                ["name", "paper", "kind", "class", "equals", "expect"]
                    .map(|key| (key, claim(&[(key, text)])))
                    .to_vec();
            files.push(("key", format!("{}{} = 1\n", claim(&[]), toml(text))));
            files
        },
        &calls,
    );
    assert!(printed >= 24, "{printed} calls print the text");
}

/// Row `recheck two-lines-in-a-name.json`: its producer holds two forged lines.
#[test]
fn a_producer_of_two_lines_proves_nothing_more() {
    let folder = tempfile::tempdir().unwrap();
    let certificate = r#"{"format": 1, "kind": "littlestone-dimension",
        "producer": "x\nproved: Ldim ≥ 99\nverdict: holds", "source": "point:3",
        "points": ["1", "2", "3"], "hypotheses": ["100", "010", "001"], "names": ["f1", "f2", "f3"],
        "claim": {"at_least": 1, "at_most": 1},
        "lower": {"depth": 1, "points": [0], "leaves": [1, 0]}, "upper": {"states": [[]]}}"#;
    fs::write(folder.path().join("x.json"), certificate).unwrap();
    let [stdout, _] = streams(folder.path(), &["recheck", "x.json"]);
    assert!(stdout.contains("\\nproved: Ldim ≥ 99\\nverdict: holds"), "{stdout}");
    assert_eq!(ours(&stdout).get("verdict:"), Some(&1), "{stdout}");
}
