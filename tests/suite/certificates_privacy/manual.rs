//! The chapters of the manual: worked examples, and how `recheck` prints.

use assert_cmd::Command;
use littlestone::certificate::format::{EveryLength, ExpectedMistakes, Privacy};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::tools::proved;

fn example(kind: &str) -> Value {
    let text = include_str!("../../../docs/certificates.md");
    let blocks = text.split("```json\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let mut examples = blocks.map(|block| serde_json::from_str::<Value>(block).unwrap());
    examples.find(|example| example["kind"] == json!(kind)).unwrap()
}

#[test]
fn the_examples_of_the_manual_are_accepted() {
    let scope = "over all streams of 1 record, neighbours by replacement";
    assert_eq!(
        proved(&example("privacy")),
        [
            format!(
                "not (ln(2), 1/5)-differentially private {scope}: an event has probabilities \
                 P = 3/4 and Q = 1/4, and P > e^ε·Q + δ"
            ),
            format!(
                "the least δ for which the mechanism is (ln(2), δ)-differentially private {scope} is 1/4"
            ),
        ]
    );
    assert_eq!(
        proved(&example("privacy-every-length")),
        ["(ln(3), 0)-differentially private over all streams of every length, neighbours by \
             replacement"]
    );
    assert_eq!(
        proved(&example("expected-mistakes")),
        [
            "greatest expected mistakes on a realisable stream of 2 records: 3/2 (oblivious adversary)"
        ]
    );
}

#[test]
fn what_is_read_is_what_is_written() {
    fn same<T: Serialize + DeserializeOwned>(kind: &str) {
        let read: T = serde_json::from_value(example(kind)).unwrap();
        assert_eq!(serde_json::to_value(&read).unwrap(), example(kind));
    }
    same::<Privacy>("privacy");
    same::<EveryLength>("privacy-every-length");
    same::<ExpectedMistakes>("expected-mistakes");
}

#[test]
fn recheck_prints_what_is_proved_and_trusted() {
    let folder = tempfile::tempdir().unwrap();
    let recheck = |certificate: &Value| {
        std::fs::write(folder.path().join("proof.json"), certificate.to_string()).unwrap();
        let mut command = Command::cargo_bin("littlestone").unwrap();
        let output = command.current_dir(&folder).args(["recheck", "proof.json"]).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let mut mistakes = example("expected-mistakes");
    let (code, text) = recheck(&mistakes);
    assert_eq!(code, Some(0));
    assert_eq!(
        text,
        "certificate: proof.json\n\
         proved: greatest expected mistakes on a realisable stream of 2 records: 3/2 (oblivious \
         adversary)\n\
         not checked: whether the automaton in the certificate is the mechanism that is meant\n\
         not checked: whether the class in the certificate is the class that is meant\n\
         not checked: producer: littlestone 0.1.0\n\
         not checked: source: written by hand\n\
         verdict: holds\n"
    );
    mistakes["claim"]["expected_mistakes"] = json!("7/4");
    let (code, text) = recheck(&mistakes);
    assert_eq!(code, Some(1));
    assert_eq!(
        text,
        "certificate: proof.json\n\
         not proved: claim.expected_mistakes: expected 3/2 as recomputed from the automaton, found \
         7/4\n\
         verdict: refuted\n"
    );
}
