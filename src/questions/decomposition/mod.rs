//! Irreducibility, the decomposition dimension and essential hypotheses (Definitions 7, 8 and 9).

mod certified;
mod search;
mod shown;

use std::path::PathBuf;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::class::Loaded;
use crate::decomposition::{Bounded, Essential, EssentialOver};
use crate::error::{Error, Result};
use crate::limits::Stopped;
use crate::littlestone::Dimension;
use crate::report::tree::TreeFormat;

use super::door::flattened;
use super::given::ClassFields;
use super::known::about;
use super::written::{ClassName, Labels, Size, Text};
use super::{AssertedKey, Change, ClaimKind, OutputFiles, Question, Relation, Run, Strengthening};

pub use certified::{CertifiedDecomposition, Certify};

/// Compute the decomposition dimension and the essential hypotheses of a class (Definitions 7 to
/// 9), exactly.
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize, JsonSchema)]
#[command(after_help = EXAMPLES)]
pub struct DecompositionQuestion {
    /// What is asked about.
    #[command(flatten)]
    #[serde(flatten, deserialize_with = "flattened")]
    pub subject: ClassFields,
    /// The parameter p of Definition 8, at least 1.
    #[arg(
        long,
        value_name = "P",
        allow_hyphen_values = true,
        required_unless_present = "irreducible"
    )]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p: Option<Text<u32>>,
    /// The ambient dimension d [default: the Littlestone dimension of the class].
    #[arg(long, value_name = "D", allow_hyphen_values = true, requires = "p")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ambient: Option<Text<i32>>,
    /// Decide whether the class is K-irreducible (Definition 7): whether labelling any K points by the
    /// SOA keeps the dimension. If it is not, examples that lower it are given.
    #[arg(long, value_name = "K", allow_hyphen_values = true)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub irreducible: Option<Text<u64>>,
    /// Decide whether some optimal tree avoids a function, given by its labels in point order, and
    /// print such a tree, or write it where a tree is to be written: no leaf of dimension ρ has that
    /// SOA.
    #[arg(long, value_name = "LABELS", requires = "p")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub avoid: Option<Text<Labels>>,
    /// Take the essential hypotheses over all optimal trees, as in Definition 9, or as a misreading
    /// over one.
    #[arg(long, value_enum, default_value_t)]
    #[serde(default)]
    pub trees: OptimalTrees,
}

/// Over which optimal trees the essential hypotheses are taken.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum OptimalTrees {
    /// All of them: Definition 9.
    #[default]
    All,
    /// The one that is built: a superset, and no function of the class in the paper.
    One,
}

impl From<OptimalTrees> for EssentialOver {
    fn from(trees: OptimalTrees) -> Self {
        match trees {
            OptimalTrees::All => Self::All,
            OptimalTrees::One => Self::One,
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  littlestone decompose point:8 --p 2 --tree tree.svg
  littlestone decompose ball:6,2 --p 3 --format json
  littlestone decompose class.csv --p 1 --ambient 3
  littlestone decompose subsets:8,2 --irreducible 4
  littlestone decompose class.csv --p 1 --avoid 1000
  littlestone decompose point:8 --p 2 --certificate proof.json

Essential hypotheses are functions in point order; they need not belong to the class, and there may
be none. The irreducibility order is the least k for which the class is not k-irreducible. If a
limit stops the search, the bounds proved so far are printed, the last line is `verdict: undecided`
and the exit code is 3.";

/// The files that show and prove a decomposition.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct DecompositionFiles {
    /// Write an optimal decomposition tree, as the ending says: .txt, .dot, .svg or .json.
    #[arg(long, value_name = "FILE", requires = "p")]
    pub tree: Option<PathBuf>,
    /// Write a certificate that `littlestone recheck` verifies.
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// What the certificate proves [default: `essential` with --p, else `irreducible`].
    #[arg(long, value_enum, value_name = "WHAT", requires = "certificate")]
    pub certify: Option<Certify>,
    /// What is larger than this number of bytes is left out of the certificate. K, M and G are
    /// accepted, such as `64M`.
    #[arg(
        long,
        value_name = "SIZE",
        allow_hyphen_values = true,
        default_value_t,
        requires = "certificate"
    )]
    pub certificate_limit: Size,
}

impl OutputFiles for DecompositionFiles {
    fn options(&self) -> Vec<(&'static str, Option<&PathBuf>)> {
        vec![("--tree", self.tree.as_ref()), ("--certificate", self.certificate.as_ref())]
    }
}

/// What was found about a class by Definitions 7, 8 and 9. What was not asked for is not there, and
/// what a limit left open is null.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct DecompositionAnswer {
    /// The class as it was named.
    pub class: ClassName,
    /// Number of hypotheses.
    pub hypotheses: usize,
    /// Number of points.
    pub points: usize,
    /// Ldim(G).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub littlestone_dimension: Option<Option<i32>>,
    /// d.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ambient_dimension: Option<Option<i32>>,
    /// p.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p: Option<u32>,
    /// `ρ_p` of the class (Definition 8).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decomposition_dimension: Option<Option<i32>>,
    /// The lower bound on `ρ_p` that was proved before a limit stopped the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lower: Option<i32>,
    /// The upper bound on `ρ_p` that was proved before a limit stopped the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upper: Option<i32>,
    /// `C_p` of the class (Definition 9), as labels in point order, sorted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub essential_hypotheses: Option<Option<Vec<String>>>,
    /// Whether the given function is avoided by an optimal tree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub avoid: Option<AvoidedFunction>,
    /// Whether the class is k-irreducible.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub irreducible: Option<IrreducibleAt>,
    /// The least number of points that lower the dimension when the SOA labels them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub irreducibility_order: Option<Option<FoundOrder>>,
    /// So many examples.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dimension_lowering_examples: Option<Vec<LabelledPoint>>,
    /// The SOA of the class, as labels in point order, where something is claimed of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub soa: Option<String>,
    /// What the certificate proves, where one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certified: Option<CertifiedDecomposition>,
    /// Ldim(G), as far as it is known.
    #[serde(skip)]
    dimension: Option<Dimension>,
    #[serde(skip)]
    rho: Option<Bounded>,
    #[serde(skip)]
    essential: Option<Essential>,
    #[serde(skip)]
    trees: OptimalTrees,
    /// The tree that is part of the text.
    #[serde(skip)]
    drawn: Option<String>,
    #[serde(skip)]
    stopped: Option<Stopped>,
    #[serde(skip)]
    loaded: Arc<Loaded>,
}

/// Whether an optimal tree avoids a function.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct AvoidedFunction {
    /// The function, as labels in point order.
    pub hypothesis: String,
    /// Whether some optimal tree has no leaf of dimension ρ with this SOA.
    pub avoidable: Option<bool>,
    /// Such a tree.
    pub tree: Value,
}

/// Whether a class is k-irreducible.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct IrreducibleAt {
    /// k.
    pub k: u64,
    /// Whether it is.
    pub holds: Option<bool>,
    /// Examples of the SOA that lower the dimension.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub violating_examples: Option<Vec<LabelledPoint>>,
}

/// An example.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct LabelledPoint {
    /// The point.
    pub point: String,
    /// Its label.
    pub label: u8,
}

/// An irreducibility order.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum FoundOrder {
    /// So many points.
    Finite(usize),
    /// No points lower the dimension.
    Infinite(Infinity),
}

/// No number.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Infinity {
    /// Every number is too small.
    Infinite,
}

const fn key(key: &'static str, path: &'static str, relation: Relation) -> AssertedKey {
    AssertedKey { key, path, relation }
}

/// The path of the set of essential hypotheses.
const ESSENTIAL: &str = "essential_hypotheses";

impl Question for DecompositionQuestion {
    const NAME: &'static str = "decomposition";
    const KINDS: &'static [ClaimKind] = &[
        ClaimKind {
            name: "decomposition-dimension",
            about: "the decomposition dimension of a class (Definition 8)",
            sets: &[],
            renames: &[],
            asserts: &about("decomposition_dimension"),
        },
        ClaimKind {
            name: "essential-hypotheses",
            about: "the essential hypotheses of a class (Definition 9)",
            sets: &[],
            renames: &[],
            asserts: &[
                key("equals", ESSENTIAL, Relation::Equals),
                key("count", "essential_hypotheses.count", Relation::Equals),
                key("contains", ESSENTIAL, Relation::Contains),
                key("excludes", ESSENTIAL, Relation::Excludes),
                key("inside", "essential_hypotheses.inside", Relation::Equals),
            ],
        },
        ClaimKind {
            name: "irreducible",
            about: "a class is k-irreducible, or has that irreducibility order or SOA (Definition 7)",
            sets: &[],
            renames: &[("k", "irreducible")],
            asserts: &[
                key("k", "irreducible.holds", Relation::Holds),
                key("order", "irreducibility_order", Relation::Equals),
                key("soa", "soa", Relation::Equals),
            ],
        },
    ];
    const STRENGTHENED: &'static [Strengthening] =
        &[Strengthening { field: "irreducible", change: Change::OneMore }];
    type Answer = DecompositionAnswer;
    type Files = DecompositionFiles;

    fn validate(&self) -> Result<()> {
        let needing = [("ambient", self.ambient.is_some()), ("avoid", self.avoid.is_some())];
        match needing.into_iter().find(|(_, given)| *given && self.p.is_none()) {
            Some((field, _)) => {
                Err(Error::argument(format!("{field}: expected `p` beside it, found none")))
            }
            None => Ok(()),
        }
    }

    fn inputs(&self) -> Vec<PathBuf> {
        self.subject.files()
    }

    fn answer_with(
        &self,
        files: &DecompositionFiles,
        run: &Run<'_>,
    ) -> Result<DecompositionAnswer> {
        files.tree.as_deref().map(TreeFormat::from_path).transpose()?;
        certified::check(self, files)?;
        let loaded = run.class(&self.subject.class, self.subject.header.said())?;
        search::answer(self, files, &loaded, run)
    }
}

impl DecompositionAnswer {
    fn about(question: &DecompositionQuestion, loaded: &Arc<Loaded>) -> Self {
        Self {
            class: question.subject.class.clone(),
            hypotheses: loaded.class.hypotheses(),
            points: loaded.class.points(),
            littlestone_dimension: None,
            ambient_dimension: None,
            p: question.p.as_ref().map(|p| p.value),
            decomposition_dimension: None,
            lower: None,
            upper: None,
            essential_hypotheses: None,
            avoid: None,
            irreducible: None,
            irreducibility_order: None,
            dimension_lowering_examples: None,
            soa: None,
            certified: None,
            dimension: None,
            rho: None,
            essential: None,
            trees: question.trees,
            drawn: None,
            stopped: None,
            loaded: Arc::clone(loaded),
        }
    }
}
