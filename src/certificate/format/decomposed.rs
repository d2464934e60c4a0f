//! The JSON of the kinds `irreducible`, `decomposition-dimension` and `essential-hypotheses`.

use serde::{Deserialize, Serialize};

use super::{Claim, object, objects, present};

/// A certificate of the kind `irreducible`: whether a class is k-irreducible (Definition 7).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Irreducibility {
    /// [`FORMAT`](super::FORMAT).
    pub format: u64,
    /// [`IRREDUCIBLE`](super::IRREDUCIBLE).
    pub kind: String,
    /// The program that wrote the certificate. Informative.
    pub producer: String,
    /// Where the class came from. Informative.
    pub source: String,
    /// The names of the points, distinct.
    pub points: Vec<String>,
    /// The hypotheses, distinct, each a string of `0` and `1` in point order.
    pub hypotheses: Vec<String>,
    /// k.
    pub k: u64,
    /// What is claimed.
    #[serde(deserialize_with = "object")]
    pub claim: IrreducibilityClaim,
    /// When the class is not k-irreducible, at most k examples labelled by its SOA that lower its
    /// dimension.
    #[serde(deserialize_with = "present")]
    pub violating: Option<Vec<Example>>,
}

/// The claim that a class is, or is not, k-irreducible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IrreducibilityClaim {
    /// Whether it is.
    pub irreducible: bool,
}

/// A labelled example; in JSON the array `[point, label]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "an example [point, label]")]
pub struct Example(
    /// The index of the point.
    pub usize,
    /// Its label: 0 or 1.
    pub u8,
);

/// A decomposition tree in preorder, the subtree of label 0 first: the index of the point that an
/// inner node queries, or nothing for a leaf.
pub type Preorder = Vec<Option<usize>>;

/// A certificate of the kind `decomposition-dimension`: bounds on `ρ_p` (Definition 8).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DecompositionDimension {
    /// [`FORMAT`](super::FORMAT).
    pub format: u64,
    /// [`DECOMPOSITION_DIMENSION`](super::DECOMPOSITION_DIMENSION).
    pub kind: String,
    /// The program that wrote the certificate. Informative.
    pub producer: String,
    /// Where the class came from. Informative.
    pub source: String,
    /// The names of the points, distinct.
    pub points: Vec<String>,
    /// The hypotheses, distinct, each a string of `0` and `1` in point order.
    pub hypotheses: Vec<String>,
    /// p ≥ 1.
    pub p: u32,
    /// The ambient dimension d, at least that of the class.
    pub ambient: i32,
    /// What is claimed of `ρ_p`.
    #[serde(deserialize_with = "object")]
    pub claim: Claim,
    /// A valid tree, the proof of `claim.at_most`.
    #[serde(deserialize_with = "present")]
    pub tree: Option<Preorder>,
}

/// A certificate of the kind `essential-hypotheses`: `C_p`, exactly (Definition 9).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EssentialHypotheses {
    /// [`FORMAT`](super::FORMAT).
    pub format: u64,
    /// [`ESSENTIAL_HYPOTHESES`](super::ESSENTIAL_HYPOTHESES).
    pub kind: String,
    /// The program that wrote the certificate. Informative.
    pub producer: String,
    /// Where the class came from. Informative.
    pub source: String,
    /// The names of the points, distinct.
    pub points: Vec<String>,
    /// The hypotheses, distinct, each a string of `0` and `1` in point order.
    pub hypotheses: Vec<String>,
    /// p ≥ 1.
    pub p: u32,
    /// The ambient dimension d, at least that of the class.
    pub ambient: i32,
    /// What is claimed.
    #[serde(deserialize_with = "object")]
    pub claim: EssentialClaim,
    /// An optimal tree.
    pub tree: Preorder,
    /// The SOAs of the leaves of dimension `ρ_p` of that tree that are not essential, sorted.
    #[serde(deserialize_with = "objects")]
    pub excluded: Vec<Exclusion>,
    /// Optimal trees that avoid the excluded functions.
    pub avoiding: Vec<Preorder>,
}

/// `ρ_p` and `C_p`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EssentialClaim {
    /// `ρ_p`.
    pub decomposition_dimension: i32,
    /// `C_p`, sorted: strings of `0` and `1` in point order.
    pub essential: Vec<String>,
}

/// A function that is not essential.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exclusion {
    /// The function.
    pub hypothesis: String,
    /// The index in `avoiding` of a tree without it.
    pub tree: usize,
}
