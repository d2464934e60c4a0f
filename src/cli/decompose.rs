//! `littlestone decompose`: irreducibility, the decomposition dimension and essential hypotheses
//! (Definitions 7, 8 and 9).

use std::path::PathBuf;
use std::time::Instant;

use serde_json::{Value, json};

use crate::certificate::GREATEST_CLASS;
use crate::class::Class;
use crate::decomposition::{
    Bounded, Decomposition, Essential, Irreducible, Order, Unavailable, certify,
    irreducibility_order, irreducible,
};
use crate::error::Error;
use crate::limits::Stopped;
use crate::littlestone::{Dimension, Solver};
use crate::report::tree::{Parameters, TreeFormat, write_decomposition_tree};

use super::common::{self, Format, LimitArgs, Object};
use super::exit;
use super::output::{Failure, Outcome, Output};
use super::progress;

/// Compute the decomposition dimension and the essential hypotheses of a class (Definitions 7 to
/// 9), exactly.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// A file (CSV, 0/1 text or JSON), or a family such as `cube:4`.
    class: String,
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
    /// Write an optimal decomposition tree, as the ending says: .txt, .dot, .svg or .json.
    #[arg(long, value_name = "FILE", requires = "p")]
    tree: Option<PathBuf>,
    /// Write a certificate that `littlestone recheck` verifies.
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// What the certificate proves [default: `essential` with --p, else `irreducible`].
    #[arg(long, value_enum, value_name = "WHAT", requires = "certificate")]
    certify: Option<Certify>,
    /// How the result is printed.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Print the number of search states and the time to standard error.
    #[arg(long)]
    stats: bool,
    #[command(flatten)]
    limits: LimitArgs,
}

/// What a certificate proves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Certify {
    /// The decomposition dimension and the essential hypotheses.
    Essential,
    /// The decomposition dimension alone.
    Dimension,
    /// Whether the class is K-irreducible.
    Irreducible,
}

const AFTER_HELP: &str = "\
Examples:
  littlestone decompose point:8 --p 2 --tree tree.svg
  littlestone decompose ball:6,2 --p 3 --format json
  littlestone decompose class.csv --p 1 --ambient 3
  littlestone decompose subsets:8,2 --irreducible 4
  littlestone decompose point:8 --p 2 --certificate proof.json

Essential hypotheses are functions in point order; they need not belong to the class, and there may
be none. The irreducibility order is the least k for which the class is not k-irreducible. If a
limit stops the search, the bounds proved so far are printed, the last line is `verdict: undecided`
and the exit code is 3.";

/// In human output more hypotheses than these are counted, not listed.
const MOST_LISTED: usize = 100;

pub(super) fn run(args: &Args, output: &mut Output<'_>) -> Outcome {
    let limits = args.limits.limits()?;
    if let Some(path) = &args.tree {
        common::expect_writable(path)?;
        TreeFormat::from_path(path)?;
    }
    if let Some(path) = &args.certificate {
        common::expect_writable(path)?;
        args.certified()?;
    }
    let class = common::load(&args.class, output)?;
    if args.certificate.is_some() && class.hypotheses() > GREATEST_CLASS {
        return Err(Error::argument(format!(
            "--certificate: expected a class of at most {GREATEST_CLASS} hypotheses, found {}",
            class.hypotheses()
        ))
        .into());
    }
    let start = Instant::now();
    let solver = Solver::new(&class, limits);
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
        common::print_json(&report.object, report.output)?;
    } else if report.undecided {
        report.output.line("verdict: undecided")?;
    }
    Ok(if report.undecided { exit::UNDECIDED } else { exit::EXPECTED })
}

impl Args {
    /// What the certificate is to prove; nothing when there is to be none.
    fn certified(&self) -> Result<Option<Certify>, Error> {
        if self.certificate.is_none() {
            return Ok(None);
        }
        let default = if self.p.is_some() { Certify::Essential } else { Certify::Irreducible };
        let certified = self.certify.unwrap_or(default);
        match certified {
            Certify::Irreducible if self.irreducible.is_none() => {
                Err(Error::argument("--certify irreducible: expected --irreducible K, found none"))
            }
            Certify::Essential | Certify::Dimension if self.p.is_none() => {
                Err(Error::argument("--certify: expected --p P, found none"))
            }
            _ => Ok(Some(certified)),
        }
    }
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
            // This can be harder than all the rest: nobody should wait for it to see that.
            self.output.flush()?;
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
        if matches!(self.args.certified()?, Some(Certify::Essential | Certify::Dimension)) {
            self.output.warning("no certificate: the Littlestone dimension is undecided");
        }
        Ok(())
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
            if matches!(self.args.certified()?, Some(Certify::Essential | Certify::Dimension)) {
                self.output.warning("no certificate: the decomposition dimension is undecided");
            }
            return Ok(());
        }
        self.tree(&mut found)?;
        let essential = self.essential(&mut found)?;
        self.certify(&mut found, dimension, essential.as_ref())
    }

    /// Writes the certificate about a decided decomposition dimension, if that is asked for.
    fn certify(
        &mut self,
        found: &mut Decomposition<'_>,
        dimension: Bounded,
        essential: Option<&Essential>,
    ) -> Result<(), Failure> {
        let Some(path) = &self.args.certificate else { return Ok(()) };
        let certified = self.args.certified()?;
        if certified == Some(Certify::Irreducible) {
            return Ok(());
        }
        let tree = match self.watched(|_| found.tree()) {
            Ok(tree) => Some(tree),
            Err(reason) => {
                self.undecided = true;
                self.output.warning(format_args!("the upper bound is not certified: {reason}"));
                None
            }
        };
        let question = certify::Question {
            class: self.solver.class(),
            source: &self.args.class,
            p: found.p(),
            ambient: found.ambient(),
        };
        if certified == Some(Certify::Essential) {
            if let (Some(essential), Some(tree)) = (essential, &tree) {
                let certificate = certify::essential(question, essential, tree);
                certify::write_certificate(&certificate, path)?;
                self.output.wrote("certificate", path);
                return Ok(());
            }
            self.output.warning("the certificate is about the decomposition dimension alone");
        }
        match certify::dimension(question, dimension, tree.as_ref()) {
            Some(certificate) => {
                certify::write_certificate(&certificate, path)?;
                self.output.wrote("certificate", path);
            }
            None => self.output.warning("no certificate: nothing was decided"),
        }
        Ok(())
    }

    fn tree(&mut self, found: &mut Decomposition<'_>) -> Result<(), Failure> {
        let Some(path) = &self.args.tree else { return Ok(()) };
        let tree = match self.watched(|_| found.tree()) {
            Ok(tree) => tree,
            Err(reason) => {
                self.undecided = true;
                self.output.warning(format_args!("no tree: {reason}"));
                return Ok(());
            }
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
        if let (Some(Certify::Irreducible), Some(path)) =
            (self.args.certified()?, &self.args.certificate)
        {
            if let Ok(found) = &found {
                let (class, source) = (self.solver.class(), &self.args.class);
                let certificate = certify::irreducibility(class, source, k, found);
                certify::write_certificate(&certificate, path)?;
                self.output.wrote("certificate", path);
            } else {
                self.output.warning("no certificate: nothing was decided");
            }
        }
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
        let typed = examples.iter().map(|&(x, y)| format!("{}:{}", names[x], u8::from(y)));
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
        let solver = self.solver;
        progress::watch(self.output, &solver.progress(), "Littlestone dimension", || work(solver))
    }

    fn human(&mut self, line: &str) -> Result<(), Failure> {
        if self.args.format == Format::Human {
            self.output.line(line)?;
        }
        Ok(())
    }
}
