//! A question and what every door says of it: the command, a claim, `ask` and the library give the same
//! numbers, the same ending and the same sentence.

use littlestone::claims::{CheckOptions, check};
use littlestone::limits::Limits;
use littlestone::questions::Run;
use littlestone::questions::request::reply;
use serde_json::{Map, Value};

use crate::support::program::littlestone;

/// A question through the command, and as the fields of a request.
pub(super) struct Asked<'a> {
    pub(super) command: &'a [&'a str],
    pub(super) request: Value,
}

impl Asked<'_> {
    /// What the command prints as JSON, without what only commands have, and its exit code; when it
    /// prints none, the error.
    pub(super) fn commanded(&self, limit: &[&str]) -> (Result<Value, String>, i32) {
        let output =
            littlestone(self.command).args(["--format", "json"]).args(limit).output().unwrap();
        let code = output.status.code().unwrap();
        let Ok(mut value) = serde_json::from_slice::<Map<String, Value>>(&output.stdout) else {
            return (Err(String::from_utf8(output.stderr).unwrap()), code);
        };
        value.remove("format");
        value.remove("command");
        (Ok(value.into()), code)
    }

    /// The reply of `ask` and of the library, which are the same.
    #[track_caller]
    pub(super) fn replied(&self) -> Value {
        let line = self.request.to_string();
        let output = littlestone(&["ask"]).write_stdin(format!("{line}\n")).output().unwrap();
        let asked: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(asked, reply(&line, &Run::within(Limits::default())).0, "{line}");
        asked
    }

    /// The claim with the fields of the request and an assertion: its verdict, or its fault.
    pub(super) fn claimed(
        &self,
        kind: &str,
        assertion: &str,
        limits: Limits,
    ) -> Result<String, String> {
        let mut claim = format!(
            "[[claim]]\nname = \"a\"\npaper = \"Definition 3\"\nkind = \"{kind}\"\nexpect = \"holds\"\n{assertion}\n"
        );
        for (key, value) in self.request.as_object().unwrap() {
            let limit = key.starts_with("limit") || key == "timeout";
            if key != "question" && !limit {
                claim.extend([key.as_str(), " = ", &value.to_string(), "\n"]);
            }
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.toml");
        std::fs::write(&path, claim).unwrap();
        let options = CheckOptions { limits, ..CheckOptions::default() };
        let outcome = check(&[path], &options);
        if let Some(fault) = outcome.faults.first() {
            return Err(fault.error.to_string());
        }
        Ok(outcome.results[0].finding.verdict.to_string())
    }

    /// The command prints what the others answer, and what is asserted of it is true.
    #[track_caller]
    pub(super) fn agrees(&self, kind: &str, assertion: &str) -> Value {
        let reply = self.replied();
        let (printed, code) = self.commanded(&[]);
        assert_eq!((printed.as_ref(), code), (Ok(&reply["answer"]), 0));
        assert_eq!(self.claimed(kind, assertion, Limits::default()), Ok("holds".to_owned()));
        reply["answer"].clone()
    }

    /// All are refused with this sentence.
    #[track_caller]
    pub(super) fn refused(&self, kind: &str, assertion: &str, sentence: &str) {
        let reply = self.replied();
        assert_eq!(reply["error"]["code"], 2);
        let (printed, code) = self.commanded(&[]);
        let claimed = self.claimed(kind, assertion, Limits::default());
        let errors =
            [reply["error"]["message"].to_string(), printed.unwrap_err(), claimed.unwrap_err()];
        for error in errors {
            assert!(error.contains(sentence), "{error}");
        }
        assert_eq!(code, 2);
    }

    /// None is decided when a search has no state.
    #[track_caller]
    pub(super) fn undecided(&self, kind: &str, assertion: &str) {
        let mut limited = self.request.clone();
        limited["limit_states"] = 0.into();
        let reply = Asked { request: limited, ..*self }.replied();
        assert_eq!(reply["answer"]["verdict"], "undecided");
        let (printed, code) = self.commanded(&["--limit-states", "0"]);
        assert_eq!(printed.unwrap()["verdict"], "undecided");
        assert_eq!(code, 3);
        let limits = Limits { states: Some(0), ..Limits::default() };
        assert_eq!(self.claimed(kind, assertion, limits), Ok("undecided".to_owned()));
    }
}
