//! The JSON of the kind `privacy`.

use serde::{Deserialize, Serialize};

use super::{Automaton, object, object_or_null, present};

/// A certificate of the kind `privacy`: (ε,δ)-privacy of a finite mechanism (Definitions 2 and 4).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Privacy {
    /// The version of the format.
    #[cfg_attr(feature = "schemas", schemars(extend("const" = 1)))]
    pub format: u64,
    /// The kind of certificate.
    #[cfg_attr(feature = "schemas", schemars(extend("const" = super::PRIVACY)))]
    pub kind: String,
    /// The program that wrote the certificate. Informative.
    pub producer: String,
    /// Where the mechanism came from. Informative.
    pub source: String,
    /// The mechanism.
    #[serde(deserialize_with = "object")]
    pub automaton: Automaton,
    /// `whole` (Definition 2) or `joint` (Definition 4).
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["whole", "joint"])))]
    pub notion: String,
    /// `replacement`, `add-remove` or `listed`.
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["replacement", "add-remove", "listed"])))]
    pub neighbours: String,
    /// For listed neighbours, the pairs of streams, as names of records.
    #[serde(deserialize_with = "present")]
    pub pairs: Option<Vec<[Vec<String>; 2]>>,
    /// `all` or `realisable`.
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["all", "realisable"])))]
    pub streams: String,
    /// For realisable streams, the class: strings of `0` and `1` in the order of the automaton's
    /// points.
    #[serde(deserialize_with = "present")]
    #[cfg_attr(feature = "schemas", schemars(inner(regex(pattern = "^[01]*$"))))]
    pub hypotheses: Option<Vec<String>>,
    /// The number of records of a stream; of the longer stream where one has a record more, and of
    /// the longest one that is listed.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub rounds: usize,
    /// ε, as in `1/2` or `ln(3/2)`.
    pub epsilon: String,
    /// What is claimed.
    #[serde(deserialize_with = "object")]
    pub claim: PrivacyClaim,
}

/// A verdict at δ, or the exact worst δ, or both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PrivacyClaim {
    /// `holds`, `refuted`, or no verdict.
    #[serde(deserialize_with = "present")]
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["holds", "refuted", null])))]
    pub verdict: Option<String>,
    /// The δ of the verdict.
    #[serde(deserialize_with = "present")]
    pub delta: Option<String>,
    /// The pair of streams that refutes; with the verdict `refuted` only.
    #[serde(deserialize_with = "object_or_null")]
    pub witness: Option<Pair>,
    /// The worst δ at ε.
    #[serde(deserialize_with = "present")]
    pub worst_delta: Option<String>,
    /// A pair of streams that attains the worst δ; `None` when no two streams are neighbours.
    #[serde(deserialize_with = "object_or_null")]
    pub attained_by: Option<Pair>,
}

/// Two neighbouring streams and an event, with its probabilities.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Pair {
    /// The stream under which the event is the more likely, as names of records.
    pub first: Vec<String>,
    /// The other stream.
    pub second: Vec<String>,
    /// The output words of the event, without the symbol of the differing round if joint.
    pub event: Vec<Vec<String>>,
    /// The probability of the event under the first stream.
    pub first_probability: String,
    /// The probability of the event under the second stream.
    pub second_probability: String,
}
