//! One question through every door: the library, `littlestone ask`, its command and a claim give the
//! same numbers, the same exit code and the same sentence where something is wrong.

use std::fs;

use assert_cmd::Command;
use littlestone::limits::Limits;
use littlestone::questions::Run;
use littlestone::questions::registry::{find, object};
use serde_json::{Map, Value};

/// How an instance ends: the exit code of `check` on a true claim about it is that of its command.
#[derive(Debug, Clone, Copy)]
pub(super) enum End {
    /// With a value at a path of the answer, which claims say at a key.
    Value { path: &'static str, key: &'static str, value: &'static str },
    /// With an answer of which a claim with these lines has this verdict.
    Claim { lines: &'static str, verdict: &'static str },
    /// With a verdict of its own.
    Verdict(&'static str),
    /// With this sentence, wherever its place is.
    Refused(&'static str),
    /// With the limit on states.
    Undecided { states: u64 },
}

/// A question as the doors name it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Doors {
    /// The question.
    pub(super) question: &'static str,
    /// The kind of its claims.
    pub(super) kind: &'static str,
    /// The words of its command without its fields; none where it has no command.
    pub(super) command: &'static [&'static str],
    /// The fields that the command takes without their names.
    pub(super) first: &'static str,
    /// A line of claims that says something, whatever it says; by default of the first key of the kind.
    pub(super) line: &'static str,
}

impl Doors {
    /// A question whose claims have its name.
    pub(super) const fn named(
        question: &'static str,
        command: &'static [&'static str],
        first: &'static str,
    ) -> Self {
        Self { question, kind: question, command, first, line: "" }
    }

    fn line(self) -> String {
        let mut kinds = find(self.question).unwrap().kinds.iter();
        let key = kinds.find(|kind| kind.name == self.kind).and_then(|kind| kind.asserts.first());
        match key {
            Some(key) if self.line.is_empty() => format!("{} = 1", key.key),
            _ => self.line.to_owned(),
        }
    }

    /// Poses instances, each with its fields as JSON and how it ends.
    #[track_caller]
    pub(super) fn agree(self, instances: impl IntoIterator<Item = (Value, End)>) {
        for (fields, end) in instances {
            agree(&Posed { doors: self, fields, end });
        }
    }
}

/// An instance of a question.
#[derive(Debug)]
struct Posed {
    doors: Doors,
    fields: Value,
    end: End,
}

impl Posed {
    fn map(&self) -> Map<String, Value> {
        self.fields.as_object().unwrap().clone()
    }

    fn words(&self) -> Vec<String> {
        let mut words: Vec<String> = self.doors.command.iter().map(ToString::to_string).collect();
        for (field, value) in self.map() {
            let one = std::slice::from_ref(&value);
            for value in value.as_array().map_or(one, Vec::as_slice) {
                let text = match value {
                    Value::Object(table) => entries(table, text).join(","),
                    other => text(other),
                };
                if !self.doors.first.split(' ').any(|first| first == field) {
                    words.push(format!("--{}", field.replace('_', "-")));
                }
                if *value != Value::Bool(true) {
                    words.push(text);
                }
            }
        }
        words.extend(["--format".to_owned(), "json".to_owned()]);
        words
    }

    fn limit(&self) -> Option<u64> {
        match self.end {
            End::Undecided { states } => Some(states),
            _ => None,
        }
    }

    fn code(&self) -> i32 {
        match self.end {
            End::Value { .. } | End::Claim { .. } | End::Verdict("holds") => 0,
            End::Verdict(_) => 1,
            End::Refused(_) => 2,
            End::Undecided { .. } => 3,
        }
    }

    fn claim(&self) -> String {
        let fields = self.map();
        let mut lines: Vec<String> =
            fields.iter().map(|(field, value)| format!("{field} = {}", toml(value))).collect();
        match self.end {
            End::Value { key, value, .. } => lines.push(format!("{key} = \"{value}\"")),
            End::Claim { lines: claimed, .. } => lines.push(claimed.to_owned()),
            End::Verdict(_) => {}
            End::Refused(_) | End::Undecided { .. } => lines.push(self.doors.line()),
        }
        let expect = if let End::Claim { verdict, .. } = self.end { verdict } else { "holds" };
        format!(
            "[[claim]]\nname = \"a\"\npaper = \"Lemma 5\"\nkind = \"{}\"\nexpect = \"{expect}\"\n{}\n",
            self.doors.kind,
            lines.join("\n")
        )
    }
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn entries(table: &Map<String, Value>, shown: fn(&Value) -> String) -> Vec<String> {
    table.iter().map(|(name, value)| format!("{name}={}", shown(value))).collect()
}

/// A value in TOML, which differs from JSON in tables.
fn toml(value: &Value) -> String {
    match value {
        Value::Object(table) => format!("{{ {} }}", entries(table, toml).join(", ")),
        other => other.to_string(),
    }
}

fn littlestone() -> Command {
    Command::cargo_bin("littlestone").unwrap()
}

/// The answer or the error of the library, checked against what is expected.
fn library(posed: &Posed) -> Result<Value, String> {
    let limits = Limits { states: posed.limit(), ..Limits::default() };
    let question = find(posed.doors.question).unwrap();
    let answer = question.answer(posed.map(), &Run::within(limits));
    let answer = answer.map(|answer| object(&*answer)).map_err(|error| error.to_string());
    match (posed.end, &answer) {
        (End::Value { path, value, .. }, Ok(answer)) => {
            assert_eq!(answer[path], *value, "{posed:?}");
        }
        (End::Claim { .. }, Ok(_)) => {}
        (End::Verdict(verdict), Ok(answer)) => assert_eq!(answer["verdict"], *verdict, "{posed:?}"),
        (End::Refused(sentence), Err(error)) => assert!(error.contains(sentence), "{error}"),
        (End::Undecided { .. }, Ok(answer)) => assert_eq!(answer["verdict"], "undecided"),
        (End::Undecided { .. }, Err(error)) => assert!(error.contains("limit"), "{error}"),
        (_, other) => panic!("{posed:?}: {other:?}"),
    }
    answer
}

/// Poses the instance at every door.
#[track_caller]
fn agree(posed: &Posed) {
    let known = library(posed);

    let mut request = posed.map();
    request.insert("question".into(), posed.doors.question.into());
    request.extend(posed.limit().map(|states| ("limit_states".to_owned(), states.into())));
    let output = littlestone().arg("ask").write_stdin(Value::from(request).to_string()).output();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(posed.code()), "{posed:?}");
    let reply: Value = serde_json::from_slice(&output.stdout).unwrap();
    match (&known, posed.end) {
        (Ok(known), _) => assert_eq!(&reply["answer"], known, "{posed:?}"),
        (Err(_), End::Refused(sentence)) => {
            assert!(reply["error"]["message"].as_str().unwrap().contains(sentence), "{reply}");
        }
        (Err(_), _) => assert_eq!(reply["answer"]["verdict"], "undecided"),
    }

    if !posed.doors.command.is_empty() {
        by_command(posed, &known);
    }
    by_claim(posed);
}

fn by_command(posed: &Posed, known: &Result<Value, String>) {
    let mut command = littlestone();
    command.args(posed.words());
    command.args(posed.limit().map(|states| format!("--limit-states={states}")));
    let output = command.output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(posed.code()), "{posed:?}\n{errors}");
    if let End::Refused(sentence) = posed.end {
        assert!(errors.contains(sentence), "{errors}");
    } else if let Ok(known) = known {
        let mut shown: Value = serde_json::from_slice(&output.stdout).unwrap();
        let shown = shown.as_object_mut().unwrap();
        shown.remove("command");
        shown.remove("format");
        assert_eq!(&Value::from(shown.clone()), known, "{posed:?}");
    }
}

fn by_claim(posed: &Posed) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.toml");
    fs::write(&path, posed.claim()).unwrap();
    let mut command = littlestone();
    command.arg("check").arg(&path);
    command.args(posed.limit().map(|states| format!("--limit-states={states}")));
    let output = command.output().unwrap();
    let told = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert_eq!(output.status.code(), Some(posed.code()), "{posed:?}\n{told}");
    if let End::Refused(sentence) = posed.end {
        assert!(told.contains(sentence), "{told}");
    }
}
