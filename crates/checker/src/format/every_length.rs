//! The JSON of the kind `privacy-every-length`.

use serde::{Deserialize, Serialize};

use super::{Automaton, object, present};

/// A certificate of the kind `privacy-every-length`: (ε,δ)-privacy of a finite mechanism over
/// streams of every length (Definitions 2 and 4).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct EveryLength {
    /// The version of the format.
    #[cfg_attr(feature = "schemas", schemars(extend("const" = 1)))]
    pub format: u64,
    /// The kind of certificate.
    #[cfg_attr(feature = "schemas", schemars(extend("const" = super::PRIVACY_EVERY_LENGTH)))]
    pub kind: String,
    /// The program that wrote the certificate. Informative.
    pub producer: String,
    /// Where the mechanism came from. Informative.
    pub source: String,
    /// The mechanism: the table of its states, which is closed.
    #[serde(deserialize_with = "object")]
    pub automaton: Automaton,
    /// `whole` (Definition 2) or `joint` (Definition 4).
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["whole", "joint"])))]
    pub notion: String,
    /// `replacement` or `add-remove`.
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["replacement", "add-remove"])))]
    pub neighbours: String,
    /// `all` or `realisable`.
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["all", "realisable"])))]
    pub streams: String,
    /// For realisable streams, the class: strings of `0` and `1` in the order of the automaton's
    /// points.
    #[serde(deserialize_with = "present")]
    #[cfg_attr(feature = "schemas", schemars(inner(regex(pattern = "^[01]*$"))))]
    pub hypotheses: Option<Vec<String>>,
    /// ε, as in `1/2` or `ln(3/2)`.
    pub epsilon: String,
    /// The δ that is claimed to suffice at every length.
    pub delta: String,
}
