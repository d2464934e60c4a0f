//! `littlestone dim`: the Littlestone dimension (Definition 6) of a class.

use std::time::Instant;

use serde_json::Value;

use crate::class::Class;
use crate::limits::{Limits, Stopped};
use crate::littlestone::{Dimension, Solver, threshold_dimension, vc_dimension};

use super::common::{self, Format, LimitArgs, Object};
use super::exit;
use super::output::{Failure, Outcome, Output};
use super::progress;

/// Compute the Littlestone dimension of a class (Definition 6), exactly.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// A file (CSV, 0/1 text or JSON), or a family such as `cube:4`.
    class: String,
    /// Compute the VC dimension too, after the Littlestone dimension.
    #[arg(long)]
    vc: bool,
    /// Compute the threshold dimension too, after the Littlestone dimension.
    #[arg(long)]
    threshold_dimension: bool,
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

Every line of the human output is `name: value`. If a limit stops the search, the bounds proved
so far are printed, the last line is `verdict: undecided` and the exit code is 3.
The output is the same for any --jobs; only --timeout can make two runs differ.";

pub(super) fn run(args: &Args, output: &mut Output<'_>) -> Outcome {
    let limits = args.limits.limits()?;
    let class = common::load(&args.class, output)?;
    let mut report = Report { args, output, object: common::object("dim"), undecided: false };
    report.run(&class, &limits)?;
    if args.format == Format::Json {
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
        let solver = Solver::new(class, limits.clone());
        let counters = solver.progress();
        let dimension =
            progress::watch(self.output, &counters, "Littlestone dimension", || solver.dimension());
        self.dimension("Littlestone dimension", "littlestone_dimension", dimension)?;
        if self.args.stats {
            let (states, time) = (counters.states(), start.elapsed());
            self.output.stats(format_args!("{states} states in {time:?}"));
        }
        // The other two dimensions can take for ever: nobody should wait for them to see this one.
        self.output.flush()?;
        if self.args.vc {
            let bound = Some(dimension.upper);
            self.dimension("VC dimension", "vc_dimension", vc_dimension(class, bound, limits))?;
            self.output.flush()?;
        }
        if self.args.threshold_dimension {
            let found = threshold_dimension(class, limits);
            self.dimension("threshold dimension", "threshold_dimension", found)?;
        }
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
        }
        Ok(())
    }
}
