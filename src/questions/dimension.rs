//! The Littlestone dimension of a class, and on request its VC and threshold dimensions.

use std::path::PathBuf;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::class::{Class, Loaded};
use crate::error::{Error, Result};
use crate::exact::Number;
use crate::file;
use crate::limits::{Limits, Stopped};
use crate::littlestone::certify::{Missing, Statement, write_certificate};
use crate::littlestone::{
    Dimension, ShatteredTree, Solver, shattered_set, threshold_dimension, threshold_sequence,
};
use crate::report::tree::{TreeFormat, write_tree};
use crate::text::Lines;

use super::blocks;
use super::door::flattened;
use super::given::ClassFields;
use super::known::{self, about};
use super::written::{ClassName, Size};
use super::{
    Answer, AssertedKey, ClaimKind, Claimed, Ending, Heard, Json as _, Known, OutputFiles,
    Question, Run, Trivial,
};

/// Compute the Littlestone dimension of a class (Definition 6), exactly.
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize, JsonSchema)]
#[command(after_help = EXAMPLES)]
pub struct DimensionQuestion {
    /// What is asked about.
    #[command(flatten)]
    #[serde(flatten, deserialize_with = "flattened")]
    pub subject: ClassFields,
    /// Compute the VC dimension too, after the Littlestone dimension.
    #[arg(long)]
    #[serde(default)]
    pub vc: bool,
    /// Compute the threshold dimension too, after the Littlestone dimension.
    #[arg(long)]
    #[serde(default)]
    pub threshold_dimension: bool,
}

const EXAMPLES: &str = "\
Examples:
  littlestone dim point:3
  littlestone dim interval:16 --vc --threshold-dimension
  littlestone dim class.csv --format json --timeout 30s
  littlestone dim cube:4 --tree tree.svg --certificate proof.json

Every line of the human output is `name: value`. If a limit stops the search, the bounds proved
so far are printed, the last line is `verdict: undecided` and the exit code is 3.
The output is the same for any --jobs; only --timeout can make two runs differ.";

/// The files that show and prove a dimension.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct DimensionFiles {
    /// Write a shattered tree of greatest depth, as the ending says: .txt, .dot, .svg or .json.
    #[arg(long, value_name = "FILE")]
    pub tree: Option<PathBuf>,
    /// Write a certificate that `littlestone recheck` verifies.
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// Leave the proof of the upper bound out of the certificate when it is larger than SIZE,
    /// such as `64M`.
    #[arg(
        long,
        value_name = "SIZE",
        allow_hyphen_values = true,
        default_value_t,
        requires = "certificate"
    )]
    pub certificate_limit: Size,
}

impl OutputFiles for DimensionFiles {
    fn options(&self) -> Vec<(&'static str, Option<&PathBuf>)> {
        vec![("--tree", self.tree.as_ref()), ("--certificate", self.certificate.as_ref())]
    }
}

/// What was found about the dimensions of a class.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct DimensionAnswer {
    /// The class as it was named.
    pub class: ClassName,
    /// Number of hypotheses.
    pub hypotheses: usize,
    /// Number of points.
    pub points: usize,
    /// Ldim(H); null when a limit stopped the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub littlestone_dimension: Option<Option<i32>>,
    /// The lower bound on Ldim(H) that was proved before a limit stopped the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lower: Option<i32>,
    /// The upper bound on Ldim(H) that was proved before a limit stopped the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upper: Option<i32>,
    /// The VC dimension, where it was asked for; null when a limit stopped the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vc_dimension: Option<Option<i32>>,
    /// The threshold dimension, where it was asked for; null when a limit stopped the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threshold_dimension: Option<Option<i32>>,
    /// What the certificate proves, where one was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certified: Option<CertifiedBounds>,
    #[serde(skip)]
    found: Vec<(Measure, Dimension)>,
    /// The limit that kept a file from being complete.
    #[serde(skip)]
    incomplete: Option<Stopped>,
    #[serde(skip)]
    loaded: Arc<Loaded>,
}

/// Which of the bounds a certificate proves.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub struct CertifiedBounds {
    /// Whether the lower bound is proved.
    pub at_least: bool,
    /// Whether the upper bound is proved.
    pub at_most: bool,
}

/// A dimension of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Measure {
    Littlestone,
    Vc,
    Threshold,
}

/// The greatest depth of a tree that is printed as a counterexample: 7 nodes.
const PRINTED_DEPTH: usize = 3;

impl Measure {
    fn path(self) -> &'static str {
        match self {
            Self::Littlestone => "littlestone_dimension",
            Self::Vc => "vc_dimension",
            Self::Threshold => "threshold_dimension",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Littlestone => "Littlestone dimension",
            Self::Vc => "VC dimension",
            Self::Threshold => "threshold dimension",
        }
    }

    fn symbol(self) -> &'static str {
        match self {
            Self::Littlestone => "Ldim",
            Self::Vc => "VCdim",
            Self::Threshold => "Tdim",
        }
    }

    /// The bounds that follow from the numbers of hypotheses and points alone: a shattered tree of
    /// depth d has 2^d leaves with different hypotheses and different points on each path, a shattered
    /// set of d points 2^d labellings; the hypotheses of a chain are different, and so are its points.
    fn counted(self, class: &Class) -> (i32, i32) {
        let whole = |n: usize| i32::try_from(n).unwrap_or(i32::MAX);
        let (hypotheses, points) = (class.hypotheses(), class.points());
        let log = || hypotheses.checked_ilog2().map_or(-1, |log| whole(log as usize));
        let (least, most) = match self {
            Self::Threshold => (if hypotheses == 0 { -1 } else { 0 }, whole(hypotheses)),
            _ => (log().min(0), log()),
        };
        (least, most.min(whole(points)))
    }

    /// What shows that the dimension is more than a claimed bound, of which it leaves `wanted` steps.
    fn beyond(self, class: &Class, wanted: usize, limits: &Limits) -> Vec<String> {
        let point = |x: &usize| class.point_names()[*x].as_str();
        match self {
            Self::Littlestone => shattered(class, wanted, limits),
            Self::Vc => {
                // A part of a shattered set is shattered too; the smallest that refutes is shown.
                let set = shattered_set(class, None, limits).points;
                let names: Vec<&str> = set.iter().take(wanted).map(point).collect();
                vec![format!("shattered points: {}", names.join(", "))]
            }
            Self::Threshold => {
                let sequence = threshold_sequence(class, limits);
                let pairs = sequence.points.iter().zip(&sequence.hypotheses).take(wanted);
                let pairs: Vec<String> = pairs
                    .map(|(x, &h)| format!("({}, {})", point(x), class.hypothesis_name(h)))
                    .collect();
                vec![format!("thresholds (x_i, h_i): {}", pairs.join(", "))]
            }
        }
    }
}

fn shattered(class: &Class, depth: usize, limits: &Limits) -> Vec<String> {
    match Solver::new(class, limits.clone()).shattered_tree(depth) {
        Ok(Some(tree)) if depth <= PRINTED_DEPTH => {
            vec![format!("shattered tree of depth {depth}: {}", draw(class, &tree, 0, 0))]
        }
        Ok(Some(tree)) => vec![format!(
            "a tree of depth {depth} with the point {} at its root is shattered",
            class.point_names()[tree.points[0]],
        )],
        _ => Vec::new(),
    }
}

/// The subtree at `node`, which is the `place`-th of its level: `point(0: …, 1: …)`, and at a leaf
/// the hypothesis.
fn draw(class: &Class, tree: &ShatteredTree, node: usize, place: usize) -> String {
    match tree.points.get(node) {
        Some(&point) => format!(
            "{}(0: {}, 1: {})",
            class.point_names()[point],
            draw(class, tree, 2 * node + 1, 2 * place),
            draw(class, tree, 2 * node + 2, 2 * place + 1),
        ),
        None => class.hypothesis_name(tree.leaves[place]).into_owned(),
    }
}

/// A claim about one dimension.
const fn claim(
    name: &'static str,
    about: &'static str,
    asserts: &'static [AssertedKey],
) -> ClaimKind {
    let sets = &[("vc", "false"), ("threshold_dimension", "false")];
    ClaimKind { name, about, sets, renames: &[], asserts }
}

impl Question for DimensionQuestion {
    const NAME: &'static str = "dimension";
    const KINDS: &'static [ClaimKind] = &[
        claim(
            "littlestone-dimension",
            "the Littlestone dimension of a class (Definition 6)",
            &about("littlestone_dimension"),
        ),
        claim(
            "vc-dimension",
            "the Vapnik–Chervonenkis dimension of a class",
            &about("vc_dimension"),
        ),
        claim(
            "threshold-dimension",
            "the largest k with points x_1..x_k and hypotheses h_1..h_k such that h_i(x_j) = 1 iff i ≤ j",
            &about("threshold_dimension"),
        ),
    ];
    type Answer = DimensionAnswer;
    type Files = DimensionFiles;

    fn inputs(&self) -> Vec<PathBuf> {
        self.subject.files()
    }

    fn answer_with(&self, files: &DimensionFiles, run: &Run<'_>) -> Result<DimensionAnswer> {
        files.tree.as_deref().map(TreeFormat::from_path).transpose()?;
        let loaded = run.class(&self.subject.class, self.subject.header.said())?;
        let class = &loaded.class;
        let mut answer = DimensionAnswer {
            class: self.subject.class.clone(),
            hypotheses: class.hypotheses(),
            points: class.points(),
            littlestone_dimension: None,
            lower: None,
            upper: None,
            vc_dimension: None,
            threshold_dimension: None,
            certified: None,
            found: Vec::new(),
            incomplete: None,
            loaded: Arc::clone(&loaded),
        };
        let limits = &run.limits;
        run.tell(Heard::SoFar(answer.text()));
        let mut at_most = None;
        if [Measure::Littlestone.path(), "lower", "upper"].iter().any(|path| run.wants(path)) {
            let solver = Solver::new(class, limits.clone()).seen_in(&run.progress);
            let dimension = solver.dimension();
            at_most = Some(dimension.upper);
            answer.add(Measure::Littlestone, dimension, run);
            answer.write(&solver, dimension, files, run)?;
        }
        if self.vc || run.asserts(Measure::Vc.path()) {
            run.progress.ask("VC dimension");
            let found = shattered_set(class, at_most, limits).dimension;
            answer.add(Measure::Vc, found, run);
        }
        if self.threshold_dimension || run.asserts(Measure::Threshold.path()) {
            run.progress.ask("threshold dimension");
            answer.add(Measure::Threshold, threshold_dimension(class, limits), run);
        }
        Ok(answer)
    }
}

impl DimensionAnswer {
    /// Adds what is known of a dimension. The next one can take for ever, so this one is shown.
    fn add(&mut self, measure: Measure, found: Dimension, run: &Run<'_>) {
        match measure {
            Measure::Littlestone => {
                self.littlestone_dimension = Some(found.value());
                let stopped = found.value().is_none();
                (self.lower, self.upper) =
                    (stopped.then_some(found.lower), stopped.then_some(found.upper));
            }
            Measure::Vc => self.vc_dimension = Some(found.value()),
            Measure::Threshold => self.threshold_dimension = Some(found.value()),
        }
        if let Some(reason) = found.stopped {
            run.warn(format!("{}: undecided, {reason}", measure.name()));
        }
        self.found.push((measure, found));
        run.tell(Heard::SoFar(self.text()));
    }

    fn measured(&self, path: &str) -> Option<(Measure, Dimension)> {
        self.found.iter().copied().find(|(measure, _)| measure.path() == path)
    }

    /// Writes the files that are asked for.
    fn write(
        &mut self,
        solver: &Solver<'_>,
        dimension: Dimension,
        files: &DimensionFiles,
        run: &Run<'_>,
    ) -> Result<()> {
        let DimensionFiles { tree: drawing, certificate, certificate_limit } = files;
        if drawing.is_none() && certificate.is_none() {
            return Ok(());
        }
        let tree = match usize::try_from(dimension.lower) {
            Ok(depth) => solver.shattered_tree(depth),
            Err(_) => Ok(None),
        };
        let tree = match tree {
            Ok(tree) => tree,
            Err(reason) => {
                run.warn(format!("no tree and no certificate: {reason}"));
                self.incomplete = Some(reason);
                return Ok(());
            }
        };
        if let Some(path) = drawing {
            let tree = tree.as_ref().ok_or_else(|| {
                Error::argument("--tree: no tree is shattered by a class without hypotheses")
            })?;
            let text = write_tree(solver.class(), tree, TreeFormat::from_path(path)?)?;
            file::write(path, |out| out.write_all(text.as_bytes()))?;
            run.wrote("shattered tree", path);
        }
        let Some(path) = certificate else { return Ok(()) };
        let tree = tree.as_ref().ok_or_else(|| {
            Error::argument(
                "--certificate: there is nothing to prove about a class without hypotheses",
            )
        })?;
        let (source, at_most) = (self.class.as_str(), dimension.value());
        let limit = certificate_limit.0;
        let statement = Statement { source, tree: Some(tree), at_most, limit };
        run.progress.enter("certificate");
        let certified = write_certificate(solver, &statement, path)?;
        self.certified =
            Some(CertifiedBounds { at_least: certified.at_least, at_most: certified.at_most });
        match certified.missing {
            None => {}
            Some(Missing::TooLarge) => run.warn(format!(
                "the upper bound was searched, not certified: its proof is larger than {limit} bytes"
            )),
            Some(Missing::Stopped(reason)) => {
                self.incomplete = Some(reason);
                run.warn(format!("the upper bound was searched, not certified: {reason}"));
            }
        }
        run.wrote("certificate", path);
        Ok(())
    }
}

impl Answer for DimensionAnswer {
    fn ending(&self) -> Ending {
        let stopped = self.found.iter().filter(|(_, found)| found.value().is_none());
        let stopped = stopped.map(|(_, found)| found.stopped.unwrap_or(Stopped::Elsewhere));
        self.incomplete.into_iter().chain(stopped).next().map_or(Ending::Found, Ending::Undecided)
    }

    fn text(&self) -> Lines {
        let mut text = Lines::new();
        text.push(&blocks::class_line(self.class.as_str(), &self.loaded.class));
        for (measure, found) in &self.found {
            let name = measure.name();
            match found.value() {
                Some(value) => writeln!(text, "{name}: {value}"),
                None => writeln!(text, "{} ≤ {name} ≤ {}", found.lower, found.upper),
            }
        }
        text
    }

    fn known(&self, path: &str) -> Option<Known> {
        let Some((measure, found)) = self.measured(path) else {
            return known::at(&self.json(), path);
        };
        let (least, most) = measure.counted(&self.loaded.class);
        let number = |n: i32| Number::from(i64::from(n));
        Some(Known::Between(number(found.lower.max(least)), number(found.upper.min(most))))
    }

    fn symbol(&self, path: &str) -> String {
        let symbol = self.measured(path).map(|(measure, _)| measure.symbol());
        symbol.map_or_else(|| path.to_owned(), |symbol| format!("{symbol}({})", self.class))
    }

    fn trivial(&self, path: &str) -> Option<Trivial> {
        let (measure, _) = self.measured(path)?;
        let (least, most) = measure.counted(&self.loaded.class);
        let number = |n: i32| Some(Number::from(i64::from(n)));
        let reason = format!(
            "|H| = {} and |X| = {} alone give {least} ≤ {} ≤ {most}",
            self.hypotheses,
            self.points,
            measure.symbol(),
        );
        Some(Trivial { lower: number(least), upper: number(most), reason })
    }

    fn counterexample(&self, path: &str, claimed: &Claimed, run: &Run<'_>) -> Vec<String> {
        let (Some((measure, found)), Some(most)) = (self.measured(path), claimed.ceiling()) else {
            return Vec::new();
        };
        // The fewest steps that are more than what is claimed.
        let steps = (0..=found.lower).find(|n| Number::from(i64::from(*n)) > *most);
        let steps = steps.and_then(|steps| usize::try_from(steps).ok());
        steps.map_or_else(Vec::new, |n| measure.beyond(&self.loaded.class, n, &run.limits))
    }
}
