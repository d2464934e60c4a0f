//! `littlestone decompose`: irreducibility, the decomposition dimension and essential hypotheses
//! (Definitions 7, 8 and 9).

mod avoid;
mod certificate;

use std::path::PathBuf;
use std::time::Instant;

use serde_json::{Value, json};

use crate::class::Class;
use crate::decomposition::{
    Decomposition, Essential, Irreducible, Order, Unavailable, irreducibility_order, irreducible,
};
use crate::limits::Stopped;
use crate::littlestone::{Dimension, Solver};
use crate::report::tree::{Parameters, TreeFormat, write_decomposition_tree};
use crate::text::quote;

use super::common::{self, ClassArgs, Format, LimitArgs, Object};
use super::exit;
use super::files::Files;
use super::output::{Failure, Outcome, Output};
use super::progress;
use certificate::Certify;

/// Compute the decomposition dimension and the essential hypotheses of a class (Definitions 7 to
/// 9), exactly.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// A file (CSV, 0/1 text or JSON), or a family such as `cube:4`.
    class: String,
    #[command(flatten)]
    reading: ClassArgs,
    /// The parameter p of Definition 8, at least 1.
    #[arg(long, value_name = "P", value_parser = common::number::<u32>, allow_hyphen_values = true,
          required_unless_present = "irreducible")]
    p: Option<u32>,
    /// The ambient dimension d [default: the Littlestone dimension of the class].
    #[arg(long, value_name = "D", allow_hyphen_values = true, requires = "p")]
    ambient: Option<i32>,
    /// Decide whether the class is K-irreducible (Definition 7), with examples that lower its
    /// dimension if it is not.
    #[arg(long, value_name = "K", value_parser = common::number::<u64>, allow_hyphen_values = true)]
    irreducible: Option<u64>,
    /// Decide whether some optimal tree avoids a function, given by its labels in point order, and
    /// print such a tree, or with --tree write it: no leaf of dimension ρ has that SOA.
    #[arg(long, value_name = "LABELS", requires = "p")]
    avoid: Option<String>,
    /// Write an optimal decomposition tree, as the ending says: .txt, .dot, .svg or .json.
    #[arg(long, value_name = "FILE", requires = "p")]
    tree: Option<PathBuf>,
    /// Write a certificate that `littlestone recheck` verifies.
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// What the certificate proves [default: `essential` with --p, else `irreducible`].
    #[arg(long, value_enum, value_name = "WHAT", requires = "certificate")]
    certify: Option<Certify>,
    /// What is larger than this number of bytes is left out of the certificate. K, M and G are
    /// accepted, such as `64M`.
    #[arg(long, value_name = "SIZE", value_parser = common::size, default_value = "256M",
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

/// In human output more hypotheses than these are counted, not listed.
const MOST_LISTED: usize = 100;

pub(super) fn run(args: &Args, output: &mut Output<'_>) -> Outcome {
    let limits = args.limits.limits(output)?;
    Files::new()
        .class(Some(&args.class))
        .output("--tree", args.tree.as_ref())
        .output("--certificate", args.certificate.as_ref())
        .check()?;
    args.tree.as_deref().map(TreeFormat::from_path).transpose()?;
    if args.certificate.is_some() {
        args.certified()?;
    }
    let class = common::load(&args.class, args.reading, &limits, output)?;
    args.check_avoided(class.points())?;
    let start = Instant::now();
    let solver = Solver::new(&class, limits).seen_in(output.progress());
    let mut report = Report {
        args,
        solver: &solver,
        output,
        object: common::object("decompose"),
        undecided: false,
    };
    report.run(&class)?;
    if args.stats {
        let (states, time) = (solver.progress().states(), start.elapsed());
        report.output.stats(format_args!("{states} states in {time:?}"));
    }
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
    solver: &'r Solver<'r>,
    output: &'r mut Output<'o>,
    object: Object,
    undecided: bool,
}

impl<'r> Report<'r, '_> {
    fn run(&mut self, class: &Class) -> Result<(), Failure> {
        self.object.insert("class", Value::from(self.args.class.as_str()));
        self.object.insert("hypotheses", Value::from(class.hypotheses()));
        self.object.insert("points", Value::from(class.points()));
        let class_line = common::class_line(&self.args.class, class);
        if let Some(p) = self.args.p {
            // Whatever is wrong with the question is said before anything is printed.
            let begun = self.watched(|solver| Decomposition::new(solver, p, self.args.ambient));
            match begun {
                Err(Unavailable::Input(error)) => return Err(error.into()),
                Err(Unavailable::Undecided(dimension)) => {
                    self.human(&class_line)?;
                    self.not_begun(dimension)?;
                }
                Ok(found) => {
                    self.human(&class_line)?;
                    self.decomposition(found)?;
                }
            }
        } else {
            self.human(&class_line)?;
        }
        if let Some(k) = self.args.irreducible {
            self.irreducible(k)?;
        }
        if self.args.p.is_some() {
            // This can be harder than all the rest.
            self.order()?;
        }
        Ok(())
    }

    fn not_begun(&mut self, dimension: Dimension) -> Result<(), Failure> {
        let Dimension { lower, upper, .. } = dimension;
        self.human(&format!("{lower} ≤ Littlestone dimension ≤ {upper}"))?;
        let ambient = self.args.ambient.map_or(Value::Null, Value::from);
        self.object.insert("ambient_dimension", ambient);
        self.object.insert("littlestone_dimension", Value::Null);
        self.object.insert("p", Value::from(self.args.p));
        self.bounds(0, upper, dimension.stopped)?;
        self.object.insert("essential_hypotheses", Value::Null);
        if self.args.tree.is_some() {
            self.output.warning("no tree: the Littlestone dimension is undecided");
        }
        self.not_avoided();
        self.no_certificate("the Littlestone dimension is undecided")
    }

    fn decomposition(&mut self, mut found: Decomposition<'r>) -> Result<(), Failure> {
        self.number(
            "Littlestone dimension",
            "littlestone_dimension",
            found.littlestone_dimension(),
        )?;
        self.number("ambient dimension", "ambient_dimension", found.ambient())?;
        self.number("p", "p", found.p())?;
        let dimension = self.watched(|_| found.dimension());
        match dimension.value() {
            Some(value) => {
                self.number("decomposition dimension", "decomposition_dimension", value)?;
            }
            None => self.bounds(dimension.lower, dimension.upper, dimension.stopped)?,
        }
        if dimension.value().is_none() {
            self.object.insert("essential_hypotheses", Value::Null);
            if self.args.tree.is_some() {
                self.output.warning("no tree: the decomposition dimension is undecided");
            }
            self.not_avoided();
            return self.no_certificate("the decomposition dimension is undecided");
        }
        if self.args.avoid.is_none() {
            self.tree(&mut found)?;
        }
        let essential = self.essential(&mut found)?;
        if self.args.avoid.is_some() {
            self.tree(&mut found)?;
        }
        self.certify(&mut found, dimension, essential.as_ref())
    }

    fn tree(&mut self, found: &mut Decomposition<'r>) -> Result<(), Failure> {
        let avoiding = match &self.args.avoid {
            Some(function) => Some(self.avoiding(found, function)?),
            None => None,
        };
        let Some(path) = &self.args.tree else { return Ok(()) };
        let tree = match avoiding {
            Some(None) => return Ok(()),
            Some(Some(tree)) => tree,
            None => match self.watched(|_| found.tree()) {
                Ok(tree) => tree,
                Err(reason) => {
                    self.undecided = true;
                    self.output.warning(format_args!("no tree: {reason}"));
                    return Ok(());
                }
            },
        };
        let parameters = Parameters { p: found.p(), ambient: found.ambient() };
        let format = TreeFormat::from_path(path)?;
        let text = write_decomposition_tree(self.solver.class(), &tree, parameters, format)?;
        common::write_file(path, text.as_bytes())?;
        self.output.wrote("decomposition tree", path);
        Ok(())
    }

    fn essential(&mut self, found: &mut Decomposition<'_>) -> Result<Option<Essential>, Failure> {
        let essential = match self.watched(|_| found.essential()) {
            Ok(essential) => essential,
            Err(reason) => {
                self.undecided = true;
                self.object.insert("essential_hypotheses", Value::Null);
                self.output.warning(format_args!("essential hypotheses: undecided, {reason}"));
                return Ok(None);
            }
        };
        let count = essential.hypotheses.len();
        self.human(&format!("essential hypotheses: {count}"))?;
        for hypothesis in essential.hypotheses.iter().take(MOST_LISTED) {
            self.human(&format!("essential hypothesis: {hypothesis}"))?;
        }
        if count > MOST_LISTED && self.args.format == Format::Human {
            self.output.note(format_args!(
                "{} more essential hypotheses; --format json lists all",
                count - MOST_LISTED
            ));
        }
        let listed = Value::from(essential.hypotheses.as_slice());
        self.object.insert("essential_hypotheses", listed);
        Ok(Some(essential))
    }

    fn irreducible(&mut self, k: u64) -> Result<(), Failure> {
        let name = format!("{k}-irreducible");
        let found = self.watched(|solver| irreducible(solver, k));
        self.certify_irreducible(k, found.as_ref())?;
        match found {
            Ok(Irreducible::Yes) => {
                self.object.insert("irreducible", json!({ "holds": true, "k": k }));
                self.human(&format!("{name}: yes"))
            }
            Ok(Irreducible::No(examples)) => {
                self.human(&format!("{name}: no"))?;
                self.human(&format!("violating examples: {}", self.typed(&examples)))?;
                let examples = self.listed(&examples);
                let found = json!({ "holds": false, "k": k, "violating_examples": examples });
                self.object.insert("irreducible", found);
                Ok(())
            }
            Err(reason) => {
                self.undecided = true;
                self.object.insert("irreducible", json!({ "holds": null, "k": k }));
                self.output.warning(format_args!("{name}: undecided, {reason}"));
                Ok(())
            }
        }
    }

    fn order(&mut self) -> Result<(), Failure> {
        const NAME: &str = "irreducibility order";
        let value = match self.watched(irreducibility_order) {
            Ok(Order::Finite(examples)) => {
                self.human(&format!("{NAME}: {}", examples.len()))?;
                self.human(&format!("dimension-lowering examples: {}", self.typed(&examples)))?;
                let listed = self.listed(&examples);
                self.object.insert("dimension_lowering_examples", listed);
                Value::from(examples.len())
            }
            Ok(Order::Infinite) => {
                self.human(&format!("{NAME}: infinite"))?;
                Value::from("infinite")
            }
            Err(reason) => {
                self.undecided = true;
                self.output.warning(format_args!("{NAME}: undecided, {reason}"));
                Value::Null
            }
        };
        self.object.insert("irreducibility_order", value);
        Ok(())
    }

    /// Labelled examples as `--stream` takes them.
    fn typed(&self, examples: &[(usize, bool)]) -> String {
        let names = self.solver.class().point_names();
        let typed = examples.iter().map(|&(x, y)| format!("{}:{}", quote(&names[x]), u8::from(y)));
        typed.collect::<Vec<_>>().join(",")
    }

    fn listed(&self, examples: &[(usize, bool)]) -> Value {
        let names = self.solver.class().point_names();
        let listed =
            examples.iter().map(|&(x, y)| json!({ "label": u8::from(y), "point": names[x] }));
        listed.collect()
    }

    fn bounds(&mut self, lower: i32, upper: i32, stopped: Option<Stopped>) -> Result<(), Failure> {
        const NAME: &str = "decomposition dimension";
        self.undecided = true;
        self.object.insert("decomposition_dimension", Value::Null);
        self.object.insert("lower", Value::from(lower));
        self.object.insert("upper", Value::from(upper));
        let reason = stopped.unwrap_or(Stopped::Elsewhere);
        self.output.warning(format_args!("{NAME}: undecided, {reason}"));
        self.human(&format!("{lower} ≤ {NAME} ≤ {upper}"))
    }

    fn number(
        &mut self,
        name: &str,
        key: &'static str,
        value: impl Into<Value> + std::fmt::Display,
    ) -> Result<(), Failure> {
        self.human(&format!("{name}: {value}"))?;
        self.object.insert(key, value.into());
        Ok(())
    }

    fn watched<T>(&self, work: impl FnOnce(&'r Solver<'r>) -> T) -> T {
        progress::watch(self.output, || work(self.solver))
    }

    fn human(&mut self, line: &str) -> Result<(), Failure> {
        if self.args.format == Format::Human {
            self.output.line(line)?;
            self.output.flush()?;
        }
        Ok(())
    }
}
