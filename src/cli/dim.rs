//! `littlestone dim`: the Littlestone dimension (Definition 6) of a class.

use std::path::{Path, PathBuf};
use std::time::Instant;

use serde_json::{Value, json};

use crate::class::Class;
use crate::error::Error;
use crate::limits::{Limits, Stopped};
use crate::littlestone::certify::{Missing, Statement, write_certificate};
use crate::littlestone::{Dimension, ShatteredTree, Solver, shattered_set, threshold_dimension};
use crate::report::tree::{TreeFormat, write_tree};

use super::common::{self, ClassArgs, Format, LimitArgs, Object};
use super::exit;
use super::files::Files;
use super::output::{Failure, Outcome, Output};
use super::progress;

/// Compute the Littlestone dimension of a class (Definition 6), exactly.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// A file (CSV, 0/1 text or JSON), or a family such as `cube:4`.
    class: String,
    #[command(flatten)]
    reading: ClassArgs,
    /// Compute the VC dimension too, after the Littlestone dimension.
    #[arg(long)]
    vc: bool,
    /// Compute the threshold dimension too, after the Littlestone dimension.
    #[arg(long)]
    threshold_dimension: bool,
    /// Write a shattered tree of greatest depth, as the ending says: .txt, .dot, .svg or .json.
    #[arg(long, value_name = "FILE")]
    tree: Option<PathBuf>,
    /// Write a certificate that `littlestone recheck` verifies.
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Leave the proof of the upper bound out of the certificate when it is larger than SIZE,
    /// such as `64M`.
    #[arg(long, value_name = "SIZE", value_parser = common::size, allow_hyphen_values = true,
          default_value = "256M",
          requires = "certificate")]
    certificate_limit: u64,
    /// How the result is printed.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Print the number of search states and the time to standard error.
    #[arg(long)]
    stats: bool,
    #[command(flatten)]
    limits: LimitArgs,
}

const AFTER_HELP: &str = "\
Examples:
  littlestone dim point:3
  littlestone dim interval:16 --vc --threshold-dimension
  littlestone dim class.csv --format json --timeout 30s
  littlestone dim cube:4 --tree tree.svg --certificate proof.json

Every line of the human output is `name: value`. If a limit stops the search, the bounds proved
so far are printed, the last line is `verdict: undecided` and the exit code is 3.
The output is the same for any --jobs; only --timeout can make two runs differ.";

pub(super) fn run(args: &Args, output: &mut Output<'_>) -> Outcome {
    let limits = args.limits.limits(output)?;
    Files::new()
        .class(Some(&args.class))
        .output("--tree", args.tree.as_ref())
        .output("--certificate", args.certificate.as_ref())
        .check()?;
    args.tree.as_deref().map(TreeFormat::from_path).transpose()?;
    let class = common::load(&args.class, args.reading, &limits, output)?;
    let mut report = Report { args, output, object: common::object("dim"), undecided: false };
    report.run(&class, &limits)?;
    if args.format == Format::Json {
        if report.undecided {
            report.object.insert("verdict", "undecided".into());
        }
        common::print_json(&report.object, report.output)?;
    } else if report.undecided {
        report.output.line("verdict: undecided")?;
    }
    Ok(if report.undecided { exit::UNDECIDED } else { exit::EXPECTED })
}

/// Prints facts as they become known, or collects them for one JSON object.
struct Report<'r, 'o> {
    args: &'r Args,
    output: &'r mut Output<'o>,
    object: Object,
    undecided: bool,
}

impl Report<'_, '_> {
    fn run(&mut self, class: &Class, limits: &Limits) -> Result<(), Failure> {
        self.class(class)?;
        let start = Instant::now();
        let solver = Solver::new(class, limits.clone()).seen_in(self.output.progress());
        let dimension = progress::watch(self.output, || solver.dimension());
        self.dimension("Littlestone dimension", "littlestone_dimension", dimension)?;
        if self.args.stats {
            let (states, time) = (solver.progress().states(), start.elapsed());
            self.output.stats(format_args!("{states} states in {time:?}"));
        }
        self.files(&solver, dimension)?;
        // The other two dimensions can take for ever: nobody should wait for them to see this one.
        if self.args.vc {
            let bound = Some(dimension.upper);
            self.output.progress().ask("VC dimension");
            let found =
                progress::watch(self.output, || shattered_set(class, bound, limits).dimension);
            self.dimension("VC dimension", "vc_dimension", found)?;
        }
        if self.args.threshold_dimension {
            self.output.progress().ask("threshold dimension");
            let found = progress::watch(self.output, || threshold_dimension(class, limits));
            self.dimension("threshold dimension", "threshold_dimension", found)?;
        }
        Ok(())
    }

    /// Writes the files that were asked for.
    fn files(&mut self, solver: &Solver<'_>, dimension: Dimension) -> Result<(), Failure> {
        if self.args.tree.is_none() && self.args.certificate.is_none() {
            return Ok(());
        }
        let tree = match usize::try_from(dimension.lower) {
            Ok(depth) => solver.shattered_tree(depth),
            Err(_) => Ok(None),
        };
        let tree = match tree {
            Ok(tree) => tree,
            Err(reason) => {
                self.undecided = true;
                self.output.warning(format_args!("no tree and no certificate: {reason}"));
                return Ok(());
            }
        };
        if let Some(path) = &self.args.tree {
            let tree = tree.as_ref().ok_or_else(|| {
                Error::argument("--tree: no tree is shattered by a class without hypotheses")
            })?;
            let text = write_tree(solver.class(), tree, TreeFormat::from_path(path)?)?;
            common::write_file(path, text.as_bytes())?;
            self.output.wrote("shattered tree", path);
        }
        if let Some(path) = &self.args.certificate {
            self.certificate(solver, dimension, tree.as_ref(), path)?;
        }
        Ok(())
    }

    fn certificate(
        &mut self,
        solver: &Solver<'_>,
        dimension: Dimension,
        tree: Option<&ShatteredTree>,
        path: &Path,
    ) -> Result<(), Failure> {
        if tree.is_none() {
            let message =
                "--certificate: there is nothing to prove about a class without hypotheses";
            return Err(Error::argument(message).into());
        }
        let statement = Statement {
            source: &self.args.class,
            tree,
            at_most: dimension.value(),
            limit: self.args.certificate_limit,
        };
        self.output.progress().enter("certificate");
        let certified =
            progress::watch(self.output, || write_certificate(solver, &statement, path))?;
        let json = json!({ "at_least": certified.at_least, "at_most": certified.at_most });
        self.object.insert("certified", json);
        match certified.missing {
            None => {}
            Some(Missing::TooLarge) => {
                self.output.warning(format_args!(
                    "the upper bound was searched, not certified: its proof is larger than {} bytes",
                    self.args.certificate_limit
                ));
            }
            Some(Missing::Stopped(reason)) => {
                self.undecided = true;
                self.output
                    .warning(format_args!("the upper bound was searched, not certified: {reason}"));
            }
        }
        self.output.wrote("certificate", path);
        Ok(())
    }

    fn class(&mut self, class: &Class) -> Result<(), Failure> {
        self.object.insert("class", Value::from(self.args.class.as_str()));
        self.object.insert("hypotheses", Value::from(class.hypotheses()));
        self.object.insert("points", Value::from(class.points()));
        self.human(&common::class_line(&self.args.class, class))
    }

    fn dimension(
        &mut self,
        name: &str,
        key: &'static str,
        found: Dimension,
    ) -> Result<(), Failure> {
        self.object.insert(key, Value::from(found.value()));
        if let Some(value) = found.value() {
            return self.human(&format!("{name}: {value}"));
        }
        self.undecided = true;
        if key == "littlestone_dimension" {
            self.object.insert("lower", Value::from(found.lower));
            self.object.insert("upper", Value::from(found.upper));
        }
        let reason = found.stopped.unwrap_or(Stopped::Elsewhere);
        self.output.warning(format_args!("{name}: undecided, {reason}"));
        self.human(&format!("{} ≤ {name} ≤ {}", found.lower, found.upper))
    }

    fn human(&mut self, line: &str) -> Result<(), Failure> {
        if self.args.format == Format::Human {
            self.output.line(line)?;
            self.output.flush()?;
        }
        Ok(())
    }
}
