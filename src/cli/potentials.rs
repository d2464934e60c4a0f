//! `littlestone potentials`: the potentials of Section 2.1 for a learner.

use std::path::PathBuf;

use clap::ValueEnum;

use crate::exact::{Epsilon, Number};
use crate::limits::Meter;
use crate::potentials::{self, Extras};
use crate::report::potentials as report;

use super::adversary::ThirdsOptions;
use super::common::{self, LimitArgs};
use super::exit;
use super::files::Files;
use super::mechanism::{self, MechanismArgs};
use super::output::{Outcome, Output};
use super::progress;

/// Compute `V_t`, `I_t`, `W_t`, `D_t` of a learner against Algorithm 1, and check Lemmas 1 and 2.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    #[command(flatten)]
    mechanism: MechanismArgs,
    /// Number of rounds, at least 3.
    #[arg(long, value_name = "T", value_parser = mechanism::length, allow_hyphen_values = true)]
    rounds: usize,
    #[command(flatten)]
    thirds: ThirdsOptions,
    /// The ε: a rational number such as 1/100, or a logarithm such as `ln(9/8)`. Ratios are
    /// clipped to [e^(−ε), e^ε].
    #[arg(long, value_name = "E", value_parser = mechanism::epsilon, allow_hyphen_values = true)]
    epsilon: Epsilon,
    /// The δ that is claimed of the learner [default: the one it has on the streams compared].
    #[arg(long, value_name = "D", value_parser = mechanism::delta, allow_hyphen_values = true)]
    delta: Option<Number>,
    /// Draw `V_t(r)` against r, as SVG.
    #[arg(long, value_name = "FILE.svg", value_parser = common::svg)]
    plot: Option<PathBuf>,
    /// How the result is printed.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    #[command(flatten)]
    limits: LimitArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For reading: decimals, the tightest instance of each inequality and stage.
    Human,
    /// One JSON object with sorted keys: all instances, exact; see docs/schemas.
    Json,
    /// One row for each instance of an inequality.
    Csv,
}

const AFTER_HELP: &str = "\
Examples:
  littlestone potentials absorbing:E=9/8,beta=1/8 --class point:3 --rounds 9 --epsilon 'ln(9/8)'
  littlestone potentials learner.rhai --class point:3 --rounds 9 --p 1/2 --epsilon 1/100
  littlestone potentials soa-learner --class point:3 --rounds 9 --epsilon 1/100 --delta 0

All numbers are exact; what is shown is cut off. An inequality whose right side reaches what its
left side cannot exceed is `vacuous`.
Exit codes: 0 no inequality is false, 1 one is, 2 malformed input, 3 a limit was hit.";

pub(super) fn run(args: &Args, output: &mut Output<'_>) -> Outcome {
    let limits = args.limits.limits(output)?;
    Files::new().subject(&args.mechanism).output("--plot", args.plot.as_ref()).check()?;
    let rounds = args.rounds;
    let subject = args.mechanism.load(&limits, output)?;
    let points = subject.points();
    let adversary = args.thirds.arguments().over(points.point_names(), rounds)?;
    if args.mechanism.class.is_some() {
        adversary.check_realisable(&points)?;
    }
    let automaton = subject.automaton(rounds, &limits)?;
    // 3^t choices after t stages.
    let stages = u32::try_from(adversary.stages()).unwrap_or(u32::MAX);
    let all = (3u64.saturating_pow(stages.saturating_add(1)) - 1) / 2;
    let counters = output.progress();
    counters.enter(format!("{all} choices of thirds"));
    let found = progress::watch(output, || {
        let mut meter = Meter::new(&limits, counters);
        let extras = Extras::default();
        potentials::potentials(&automaton, &adversary, &args.epsilon, extras, &mut meter)
    })?;
    let delta = args.delta.clone();
    let asked = report::Asked {
        mechanism: &args.mechanism.mechanism,
        class: args.mechanism.class.as_deref(),
        examples: adversary.examples(points.point_names()),
        delta: delta.as_ref(),
        potentials: &found,
    };
    match args.format {
        Format::Human => output.lines(&report::human(&asked))?,
        Format::Csv => output.document(&report::csv(&asked))?,
        Format::Json => {
            let mut object = common::object("potentials");
            object.extend(report::json(&asked));
            common::print_json(&object, output)?;
        }
    }
    if let Some(path) = &args.plot {
        output.making_files()?;
        common::write_file(path, report::draw(&asked).as_bytes())?;
        output.wrote("drawing", path);
    }
    Ok(if report::holds(&asked) { exit::EXPECTED } else { exit::REFUTED })
}
