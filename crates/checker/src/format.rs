//! The JSON of certificates. Numbers are integers or exact numbers in strings, every key is present
//! (`null` where there is nothing to say), and an unknown key is an error.

use std::fmt;
use std::io::Write;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

mod automaton;
mod decomposed;
mod every_length;
mod expected_mistakes;
mod lines;
mod minimax;
mod privacy;

pub use automaton::{Automaton, End, Laws, Release, State, Step};
pub use decomposed::{
    AtLeast, Below, DecompositionDimension, EssentialClaim, EssentialHypotheses, Example,
    Exclusion, Fact, Irreducibility, IrreducibilityClaim, IrreducibilityProof, Keeps, Kept, Leaf,
    Lowered, Member, MemberNoTree, MemberOnly, MemberQuery, NoTree, Preorder, Reference, Side,
    Tree,
};
pub use every_length::EveryLength;
pub use expected_mistakes::{ExpectedMistakes, ListedStream, MistakesClaim, MistakesOver};
pub use minimax::{
    Adversary, Learner, Minimax, MinimaxClaim, Multiplier, OutputRow, SymmetryRow, WeightedStream,
};
pub use privacy::{Pair, Privacy, PrivacyClaim};

/// The version of the format this verifier reads, the value of the key `format`.
pub const FORMAT: u64 = 1;

/// The value of the key `kind` for [`LittlestoneDimension`].
pub const LITTLESTONE_DIMENSION: &str = "littlestone-dimension";

/// The value of the key `kind` for [`Privacy`].
pub const PRIVACY: &str = "privacy";

/// The value of the key `kind` for [`EveryLength`].
pub const PRIVACY_EVERY_LENGTH: &str = "privacy-every-length";

/// The value of the key `kind` for [`ExpectedMistakes`].
pub const EXPECTED_MISTAKES: &str = "expected-mistakes";

/// The value of the key `kind` for [`Minimax`].
pub const MINIMAX: &str = "minimax";

/// The value of the key `kind` for [`Irreducibility`].
pub const IRREDUCIBLE: &str = "irreducible";

/// The value of the key `kind` for [`DecompositionDimension`].
pub const DECOMPOSITION_DIMENSION: &str = "decomposition-dimension";

/// The value of the key `kind` for [`EssentialHypotheses`].
pub const ESSENTIAL_HYPOTHESES: &str = "essential-hypotheses";

/// The value of the key `producer` in certificates of this program.
pub fn producer() -> String {
    concat!("littlestone ", env!("CARGO_PKG_VERSION")).to_owned()
}

/// Writes a certificate as JSON, with a final line break.
///
/// # Errors
/// When `out` cannot be written.
pub fn write<T: Serialize>(certificate: &T, mut out: impl Write) -> std::io::Result<()> {
    serde_json::to_writer_pretty(&mut out, certificate)?;
    out.write_all(b"\n")
}

/// Writes a certificate with tables as JSON, one row of a table a line, with a final line break.
///
/// # Errors
/// When `out` cannot be written.
pub fn write_lines<T: Serialize>(certificate: &T, mut out: impl Write) -> std::io::Result<()> {
    let formatter = lines::Lines::default();
    certificate.serialize(&mut serde_json::Serializer::with_formatter(&mut out, formatter))?;
    out.write_all(b"\n")
}

/// The two keys that say how to read the rest; the other keys are skipped.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Header {
    /// The version of the format.
    pub format: u64,
    /// The kind of certificate.
    pub kind: String,
}

/// A certificate of the kind `littlestone-dimension`: bounds on Ldim(H) (Definition 6).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LittlestoneDimension {
    /// The version of the format.
    #[cfg_attr(feature = "schemas", schemars(extend("const" = 1)))]
    pub format: u64,
    /// The kind of certificate.
    #[cfg_attr(feature = "schemas", schemars(extend("const" = LITTLESTONE_DIMENSION)))]
    pub kind: String,
    /// The program that wrote the certificate. Informative.
    pub producer: String,
    /// Where the class came from, such as `point:3` or a file name. Informative.
    pub source: String,
    /// The names of the points, distinct.
    pub points: Vec<String>,
    /// The hypotheses, distinct, each a string of `0` and `1` in point order.
    #[cfg_attr(feature = "schemas", schemars(inner(regex(pattern = "^[01]*$"))))]
    pub hypotheses: Vec<String>,
    /// The names of the hypotheses, or nothing. Informative.
    #[serde(deserialize_with = "present")]
    pub names: Option<Vec<String>>,
    /// What is claimed.
    #[serde(deserialize_with = "object")]
    pub claim: Claim,
    /// The proof of `claim.at_least`.
    #[serde(deserialize_with = "object_or_null")]
    pub lower: Option<Lower>,
    /// The proof of `claim.at_most`.
    #[serde(deserialize_with = "object_or_null")]
    pub upper: Option<Upper>,
}

/// The claim `at_least ≤ Ldim(H) ≤ at_most`; a bound of `None` is not claimed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// A lower bound, at least −1.
    #[serde(deserialize_with = "present")]
    pub at_least: Option<i32>,
    /// An upper bound, at least −1.
    #[serde(deserialize_with = "present")]
    pub at_most: Option<i32>,
}

/// A complete binary tree shattered by the class (Definition 6).
///
/// Inner nodes stand in heap order: node `i` has the child `2i + 1` along the edge labelled 0 and
/// `2i + 2` along the edge labelled 1. Leaf `j` ends the path whose labels are the `depth` binary
/// digits of `j`, root first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Lower {
    /// Number of inner nodes on each root-to-leaf path.
    pub depth: u32,
    /// The point at each inner node: `2^depth − 1` indices into `points`.
    pub points: Vec<usize>,
    /// A hypothesis that realises the path to each leaf: `2^depth` indices into `hypotheses`.
    pub leaves: Vec<usize>,
}

/// A refutation of `Ldim(H) ≥ at_most + 1`: a directed acyclic graph of smaller refutations.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Upper {
    /// For each state, one entry for each column that needs one, by increasing column.
    pub states: Vec<Vec<Entry>>,
}

/// Why one column of a state cannot be the root of a shattered tree; in JSON the array
/// `[column, side, child]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(expecting = "an entry [column, side, child]")]
pub struct Entry(
    /// The column of the state's compressed matrix.
    pub u32,
    /// The side whose dimension is too small: 0 or 1.
    #[cfg_attr(feature = "schemas", schemars(range(max = 1)))]
    pub u8,
    /// The state that shows it, or `None`: the verifier decides by itself.
    pub Option<u32>,
);

/// Reads an optional value whose key must be there, unlike serde's treatment of a plain `Option`.
fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    input: D,
) -> Result<Option<T>, D::Error> {
    Option::deserialize(input)
}

/// A struct read from a JSON object alone. A derived struct would also take an array of its
/// fields, which the format does not have.
pub(super) struct Object<T>(pub(super) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        input.deserialize_map(ObjectVisitor(PhantomData)).map(Self)
    }
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map))
    }
}

fn object<'de, D: Deserializer<'de>, T: Deserialize<'de>>(input: D) -> Result<T, D::Error> {
    Object::deserialize(input).map(|Object(value)| value)
}

fn object_or_null<'de, D, T>(input: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::<Object<T>>::deserialize(input).map(|read| read.map(|Object(value)| value))
}

fn objects<'de, D: Deserializer<'de>, T: Deserialize<'de>>(input: D) -> Result<Vec<T>, D::Error> {
    Vec::<Object<T>>::deserialize(input)
        .map(|read| read.into_iter().map(|Object(value)| value).collect())
}

fn objects_or_null<'de, D, T>(input: D) -> Result<Option<Vec<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::<Vec<Object<T>>>::deserialize(input)
        .map(|read| read.map(|list| list.into_iter().map(|Object(value)| value).collect()))
}
