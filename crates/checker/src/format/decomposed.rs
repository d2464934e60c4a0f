//! The JSON of the kinds `irreducible`, `decomposition-dimension` and `essential-hypotheses`.

use serde::{Deserialize, Serialize};

use super::{Claim, Entry, object, object_or_null, objects, present};

/// A certificate of the kind `irreducible`: whether a class is k-irreducible (Definition 7).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Irreducibility {
    /// The version of the format.
    #[cfg_attr(feature = "schemas", schemars(extend("const" = 1)))]
    pub format: u64,
    /// The kind of certificate.
    #[cfg_attr(feature = "schemas", schemars(extend("const" = super::IRREDUCIBLE)))]
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
    /// k.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub k: u64,
    /// What is claimed.
    #[serde(deserialize_with = "object")]
    pub claim: IrreducibilityClaim,
    /// When the class is not k-irreducible, at most k examples labelled by its SOA that lower its
    /// dimension.
    #[serde(deserialize_with = "present")]
    pub violating: Option<Vec<Example>>,
    /// What proves the claim.
    pub proof: IrreducibilityProof,
    /// The states that the proof refers to.
    pub states: Vec<Fact>,
}

/// The claim that a class is, or is not, k-irreducible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct IrreducibilityClaim {
    /// Whether it is.
    pub irreducible: bool,
}

/// A labelled example; in JSON the array `[point, label]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(expecting = "an example [point, label]")]
pub struct Example(
    /// The index of the point.
    pub usize,
    /// Its label: 0 or 1.
    #[cfg_attr(feature = "schemas", schemars(range(max = 1)))]
    pub u8,
);

/// The proof of a claim about irreducibility: an object with one key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum IrreducibilityProof {
    /// Of the claim that the class is k-irreducible.
    #[serde(deserialize_with = "object")]
    Kept(Kept),
    /// Of the claim that it is not.
    #[serde(deserialize_with = "object")]
    Lowered(Lowered),
}

/// The proof that k examples labelled by the SOA keep the dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Kept {
    /// The dimension of the class.
    pub dimension: i32,
    /// That it is at most that.
    #[serde(deserialize_with = "present")]
    pub below: Reference,
    /// That one side of every point keeps it, k times over.
    #[serde(deserialize_with = "present")]
    pub keeps: Reference,
}

/// The proof that some examples are labelled by the SOA and lower the dimension.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Lowered {
    /// The dimension of the class.
    pub dimension: i32,
    /// That it is at least that.
    #[serde(deserialize_with = "present")]
    pub at_least: Reference,
    /// That it is at most that.
    #[serde(deserialize_with = "present")]
    pub below: Reference,
    /// For each example that the label is that of the SOA: that label 0 keeps the dimension, or
    /// that label 0 lowers it.
    pub labels: Vec<Reference>,
    /// That what the examples leave has a smaller dimension.
    #[serde(deserialize_with = "present")]
    pub left: Reference,
}

/// The index of a state, or nothing where a fact is evident or left to the verifier.
pub type Reference = Option<usize>;

/// A fact about a compressed matrix, and why it holds: an object with one key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Fact {
    /// A lower bound on the dimension.
    #[serde(deserialize_with = "object")]
    AtLeast(AtLeast),
    /// An upper bound on the dimension.
    #[serde(deserialize_with = "object")]
    Below(Below),
    /// Some side of every point keeps the dimension, several times over.
    #[serde(deserialize_with = "object")]
    Keeps(Keeps),
    /// No valid subtree has only leaves of small dimension.
    #[serde(deserialize_with = "object")]
    NoTree(NoTree),
}

/// The dimension is at least `bound`: both sides of one column have dimension `bound − 1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AtLeast {
    /// The bound.
    pub bound: i32,
    /// The column.
    pub column: usize,
    /// What shows the bounds on its sides.
    pub sides: [Reference; 2],
}

/// The dimension is less than `bound`, as in a refutation of the kind `littlestone-dimension`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Below {
    /// The bound.
    pub bound: u32,
    /// For each column with enough rows on both sides, a side of a smaller dimension.
    pub entries: Vec<Entry>,
}

/// However `queries` columns are asked one after the other, there are answers that leave a
/// dimension of at least `dimension`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Keeps {
    /// The dimension that is kept.
    pub dimension: i32,
    /// Number of queries.
    pub queries: u64,
    /// For each column the answer, and what shows the rest.
    pub sides: Vec<Side>,
}

/// No valid subtree at this depth has only leaves of dimension at most `leaves`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct NoTree {
    /// The depth of the root of the subtree.
    pub depth: u64,
    /// The greatest dimension of a leaf.
    pub leaves: i32,
    /// What shows that the root is not a leaf.
    #[serde(deserialize_with = "present")]
    pub leaf: Reference,
    /// For each column a side without a subtree one level deeper.
    pub sides: Vec<Side>,
}

/// A side of a column, or an example, and what shows a fact about it; in JSON the array
/// `[side, child]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(expecting = "a side [side, child]")]
pub struct Side(
    /// 0 or 1.
    #[cfg_attr(feature = "schemas", schemars(range(max = 1)))]
    pub u8,
    /// What shows the fact.
    pub Reference,
);

/// A decomposition tree in preorder, the subtree of label 0 first: the index of the point that an
/// inner node queries, or nothing for a leaf.
pub type Preorder = Vec<Option<usize>>;

/// A decomposition tree, and why it is valid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Tree {
    /// The nodes.
    pub nodes: Preorder,
    /// For each node what shows that its dimension is as small as Definition 8 asks.
    pub below: Vec<Reference>,
    /// The leaves from left to right.
    pub leaves: Vec<Leaf>,
}

/// A leaf; in JSON the array `[dimension, keeps]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(expecting = "a leaf [dimension, keeps]")]
pub struct Leaf(
    /// Its dimension.
    pub i32,
    /// What shows that it is irreducible enough.
    pub Reference,
);

/// A fact about a subclass and an essential hypothesis f, and why it holds: no valid subtree at this
/// depth has only leaves of dimension at most ρ and avoids f. An object with one key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Member {
    /// No valid subtree has only leaves of dimension at most ρ.
    #[serde(deserialize_with = "object")]
    NoTree(MemberNoTree),
    /// The SOA of every leaf of dimension ρ is f, and there must be one.
    #[serde(deserialize_with = "object")]
    Only(MemberOnly),
    /// The root of the subtree is not a leaf, and whatever it queries, one side has no such subtree.
    #[serde(deserialize_with = "object")]
    Query(MemberQuery),
}

/// See [`Member::NoTree`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MemberNoTree {
    /// The depth.
    pub depth: u64,
    /// What shows that there is no subtree.
    #[serde(deserialize_with = "present")]
    pub no_tree: Reference,
}

/// See [`Member::Only`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MemberOnly {
    /// The depth.
    pub depth: u64,
    /// For each point, what shows that the label that f does not give leaves a dimension below ρ.
    pub below: Vec<Reference>,
    /// What shows that no subtree has only leaves of dimension below ρ.
    #[serde(deserialize_with = "present")]
    pub no_tree: Reference,
}

/// See [`Member::Query`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MemberQuery {
    /// The depth.
    pub depth: u64,
    /// What shows that the root is not a leaf.
    #[serde(deserialize_with = "present")]
    pub leaf: Reference,
    /// For each point that splits the subclass a label, and what shows that it leaves no such
    /// subtree one level deeper: a later row of this list for the label of f, else a state.
    pub points: Vec<Side>,
}

/// A certificate of the kind `decomposition-dimension`: bounds on `ρ_p` (Definition 8).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DecompositionDimension {
    /// The version of the format.
    #[cfg_attr(feature = "schemas", schemars(extend("const" = 1)))]
    pub format: u64,
    /// The kind of certificate.
    #[cfg_attr(feature = "schemas", schemars(extend("const" = super::DECOMPOSITION_DIMENSION)))]
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
    /// p ≥ 1.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub p: u32,
    /// The ambient dimension d, at least that of the class.
    pub ambient: i32,
    /// What is claimed of `ρ_p`.
    #[serde(deserialize_with = "object")]
    pub claim: Claim,
    /// What shows that the dimension of the class is at most d.
    #[serde(deserialize_with = "present")]
    pub below: Reference,
    /// A valid tree, the proof of `claim.at_most`.
    #[serde(deserialize_with = "object_or_null")]
    pub tree: Option<Tree>,
    /// What shows that no valid tree has only leaves of dimension below `claim.at_least`.
    #[serde(deserialize_with = "present")]
    pub no_tree: Reference,
    /// The states that the proofs refer to.
    pub states: Vec<Fact>,
}

/// A certificate of the kind `essential-hypotheses`: `C_p`, exactly (Definition 9).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct EssentialHypotheses {
    /// The version of the format.
    #[cfg_attr(feature = "schemas", schemars(extend("const" = 1)))]
    pub format: u64,
    /// The kind of certificate.
    #[cfg_attr(feature = "schemas", schemars(extend("const" = super::ESSENTIAL_HYPOTHESES)))]
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
    /// p ≥ 1.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub p: u32,
    /// The ambient dimension d, at least that of the class.
    pub ambient: i32,
    /// What is claimed.
    #[serde(deserialize_with = "object")]
    pub claim: EssentialClaim,
    /// What shows that the dimension of the class is at most d.
    #[serde(deserialize_with = "present")]
    pub below: Reference,
    /// An optimal tree.
    #[serde(deserialize_with = "object")]
    pub tree: Tree,
    /// What shows that no valid tree has only leaves of dimension below `ρ_p`; nothing when that
    /// is 0.
    #[serde(deserialize_with = "present")]
    pub no_tree: Reference,
    /// The SOAs of the leaves of dimension `ρ_p` of that tree that are not essential, sorted.
    #[serde(deserialize_with = "objects")]
    pub excluded: Vec<Exclusion>,
    /// Optimal trees that avoid the excluded functions.
    #[serde(deserialize_with = "objects")]
    pub avoiding: Vec<Tree>,
    /// For each essential hypothesis why no optimal tree avoids it; none when `ρ_p` is 0.
    pub members: Vec<Vec<Member>>,
    /// The states that the proofs refer to.
    pub states: Vec<Fact>,
}

/// `ρ_p` and `C_p`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct EssentialClaim {
    /// `ρ_p`.
    pub decomposition_dimension: i32,
    /// `C_p`, sorted: strings of `0` and `1` in point order.
    #[cfg_attr(feature = "schemas", schemars(inner(regex(pattern = "^[01]*$"))))]
    pub essential: Vec<String>,
}

/// A function that is not essential.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Exclusion {
    /// The function.
    #[cfg_attr(feature = "schemas", schemars(regex(pattern = "^[01]*$")))]
    pub hypothesis: String,
    /// The index in `avoiding` of a tree without it.
    pub tree: usize,
}
