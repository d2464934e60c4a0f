//! The JSON of the kind `expected-mistakes`.

use serde::{Deserialize, Serialize};

use super::{Automaton, object, objects_or_null, present};

/// A certificate of the kind `expected-mistakes`: the exact expected number of mistakes of a
/// learner or predictor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ExpectedMistakes {
    /// The version of the format.
    #[cfg_attr(feature = "schemas", schemars(extend("const" = 1)))]
    pub format: u64,
    /// The kind of certificate.
    #[cfg_attr(feature = "schemas", schemars(extend("const" = super::EXPECTED_MISTAKES)))]
    pub kind: String,
    /// The program that wrote the certificate. Informative.
    pub producer: String,
    /// Where the mechanism came from. Informative.
    pub source: String,
    /// The mechanism.
    #[serde(deserialize_with = "object")]
    pub automaton: Automaton,
    /// `listed` (a stream, or a law over streams), `all` or `realisable` (the worst stream).
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["listed", "all", "realisable"])))]
    pub streams: String,
    /// For `listed`, the streams with their probabilities.
    #[serde(deserialize_with = "objects_or_null")]
    pub listed: Option<Vec<ListedStream>>,
    /// For `realisable`, the class: strings of `0` and `1` in the order of the automaton's points.
    #[serde(deserialize_with = "present")]
    #[cfg_attr(feature = "schemas", schemars(inner(regex(pattern = "^[01]*$"))))]
    pub hypotheses: Option<Vec<String>>,
    /// For `all` and `realisable`, the number of records of a stream.
    #[serde(deserialize_with = "present")]
    pub rounds: Option<usize>,
    /// What is claimed.
    #[serde(deserialize_with = "object")]
    pub claim: MistakesClaim,
}

/// A stream and its probability.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ListedStream {
    /// The names of the records.
    pub stream: Vec<String>,
    /// The probability.
    pub weight: String,
}

/// The exact number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MistakesClaim {
    /// The expected number of mistakes: over the law of the listed streams, or the greatest over
    /// all streams that count.
    pub expected_mistakes: String,
    /// For `all` and `realisable`, a stream that attains it.
    #[serde(deserialize_with = "present")]
    pub attained_by: Option<Vec<String>>,
}

/// What a certificate of expected mistakes is about, as plain data for a writer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MistakesOver {
    /// A law over streams; one stream has the weight `1`.
    Listed(Vec<ListedStream>),
    /// The worst of all streams.
    All {
        /// Number of records.
        rounds: usize,
        /// A stream that attains the number.
        attained_by: Vec<String>,
    },
    /// The worst of the realisable streams.
    Realisable {
        /// The class, in the order of the automaton's points.
        hypotheses: Vec<String>,
        /// Number of records.
        rounds: usize,
        /// A stream that attains the number.
        attained_by: Vec<String>,
    },
}

impl ExpectedMistakes {
    /// The certificate of the claim that the expected number of mistakes of `automaton` over
    /// `over` is `expected_mistakes`. Nothing is checked here.
    pub fn new(
        source: &str,
        automaton: Automaton,
        over: MistakesOver,
        expected_mistakes: String,
    ) -> Self {
        let (streams, listed, hypotheses, rounds, attained_by) = match over {
            MistakesOver::Listed(listed) => ("listed", Some(listed), None, None, None),
            MistakesOver::All { rounds, attained_by } => {
                ("all", None, None, Some(rounds), Some(attained_by))
            }
            MistakesOver::Realisable { hypotheses, rounds, attained_by } => {
                ("realisable", None, Some(hypotheses), Some(rounds), Some(attained_by))
            }
        };
        Self {
            format: super::FORMAT,
            kind: super::EXPECTED_MISTAKES.to_owned(),
            producer: super::producer(),
            source: source.to_owned(),
            automaton,
            streams: streams.to_owned(),
            listed,
            hypotheses,
            rounds,
            claim: MistakesClaim { expected_mistakes, attained_by },
        }
    }
}
