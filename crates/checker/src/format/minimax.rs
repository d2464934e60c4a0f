//! The JSON of the kind `minimax`.

use serde::{Deserialize, Serialize};

use super::{object, object_or_null, present};

/// A certificate of the kind `minimax`: bounds on the expected mistakes that the best private
/// learner or predictor makes on the worst realisable stream, for a finite class and number of
/// rounds (Definitions 1 to 4).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Minimax {
    /// The version of the format.
    #[cfg_attr(feature = "schemas", schemars(extend("const" = 1)))]
    pub format: u64,
    /// The kind of certificate.
    #[cfg_attr(feature = "schemas", schemars(extend("const" = super::MINIMAX)))]
    pub kind: String,
    /// The program that wrote the certificate. Informative.
    pub producer: String,
    /// Where the class came from. Informative.
    pub source: String,
    /// The names of the points, distinct.
    pub points: Vec<String>,
    /// The hypotheses, distinct, each a string of `0` and `1` in point order.
    #[cfg_attr(feature = "schemas", schemars(inner(regex(pattern = "^[01]*$"))))]
    pub hypotheses: Vec<String>,
    /// `whole`: online learning (Definitions 1 and 2). `joint`: joint-private prediction
    /// (Definitions 3 and 4).
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["whole", "joint"])))]
    pub notion: String,
    /// Between which streams privacy is asked for: `all` or `realisable`.
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["all", "realisable"])))]
    pub streams: String,
    /// The number of rounds T.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub rounds: usize,
    /// ε, as in `1/2` or `ln(3/2)`.
    pub epsilon: String,
    /// δ.
    pub delta: String,
    /// One point for each column that is not constant, up to equality and complement.
    pub columns: Vec<usize>,
    /// A point with a constant column, if there is one.
    #[serde(deserialize_with = "present")]
    pub constant: Option<usize>,
    /// Symmetries, the identity among them: each row below stands for its images.
    pub symmetries: Vec<SymmetryRow>,
    /// What is claimed.
    #[serde(deserialize_with = "object")]
    pub claim: MinimaxClaim,
    /// The proof of `claim.at_least`: an adversary.
    #[serde(deserialize_with = "object_or_null")]
    pub lower: Option<Adversary>,
    /// The proof of `claim.at_most`: a learner or predictor.
    #[serde(deserialize_with = "object_or_null")]
    pub upper: Option<Learner>,
}

/// The claim `at_least ≤ V ≤ at_most`; a bound of `None` is not claimed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MinimaxClaim {
    /// A lower bound.
    #[serde(deserialize_with = "present")]
    pub at_least: Option<String>,
    /// An upper bound.
    #[serde(deserialize_with = "present")]
    pub at_most: Option<String>,
}

/// A symmetry of the columns; in JSON the array `[to, flips]`: what belongs to column `k` moves to
/// column `to[k]`, and its label is complemented when `flips[k]` is 1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(expecting = "a symmetry [to, flips]")]
pub struct SymmetryRow(
    /// Where each column goes.
    pub Vec<usize>,
    /// For each column 0, or 1 if its label is complemented.
    #[cfg_attr(feature = "schemas", schemars(inner(range(max = 1))))]
    pub Vec<u8>,
);

/// A law over realisable streams and a multiplier for each constraint of privacy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Adversary {
    /// A rational number that is at least e^ε.
    pub factor: String,
    /// The common denominator of all numerators below.
    #[cfg_attr(feature = "schemas", schemars(regex(pattern = "^[1-9][0-9]*$")))]
    pub denominator: String,
    /// The law over realisable streams.
    pub streams: Vec<WeightedStream>,
    /// The multipliers that are not 0.
    pub multipliers: Vec<Multiplier>,
}

/// A realisable stream of T examples and the numerator of its probability; in JSON the array
/// `[stream, numerator]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(expecting = "a stream with its weight, [stream, numerator]")]
pub struct WeightedStream(
    /// The examples.
    pub Vec<usize>,
    /// A positive integer.
    #[cfg_attr(feature = "schemas", schemars(regex(pattern = "^[1-9][0-9]*$")))]
    pub String,
);

/// The multiplier of the constraint P(outputs) ≤ e^ε·P'(outputs) + z, for the histories of two
/// neighbouring streams; in JSON the array `[first, second, outputs, numerator]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(expecting = "a multiplier [first, second, outputs, numerator]")]
pub struct Multiplier(
    /// The history under which the law is P.
    pub Vec<usize>,
    /// The history under which the law is P'.
    pub Vec<usize>,
    /// The outputs of the T rounds; `None` in the round that is dropped (Definition 4).
    pub Vec<Option<String>>,
    /// A positive integer.
    #[cfg_attr(feature = "schemas", schemars(regex(pattern = "^[1-9][0-9]*$")))]
    pub String,
);

/// The law of the outputs under each history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Learner {
    /// A rational number that is at most e^ε.
    pub factor: String,
    /// The common denominator of all numerators below.
    #[cfg_attr(feature = "schemas", schemars(regex(pattern = "^[1-9][0-9]*$")))]
    pub denominator: String,
    /// The probabilities that are not 0.
    pub outputs: Vec<OutputRow>,
}

/// The probability of the outputs of T rounds under a history; in JSON the array
/// `[history, outputs, numerator]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(expecting = "a probability [history, outputs, numerator]")]
pub struct OutputRow(
    /// The history.
    pub Vec<usize>,
    /// The outputs of the T rounds.
    pub Vec<String>,
    /// A positive integer.
    #[cfg_attr(feature = "schemas", schemars(regex(pattern = "^[1-9][0-9]*$")))]
    pub String,
);
