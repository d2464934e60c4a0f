//! `littlestone minimax`: the value of the game between private learners and streams.

mod curve;
mod given;
mod report;
mod show;

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use crate::certificate::format;
use crate::class::Class;
use crate::error::Error;
use crate::exact::{Epsilon, Number};
use crate::limits::Limits;
use crate::mechanism::{Options, compile, table};
use crate::minimax::orbits::{Symmetry, symmetries};
use crate::minimax::{
    Against, Bounds, Game, Neighbours, Privacy, Size, Stopped, Strategy, best_response, certify,
};
use crate::privacy::Notion;

use super::common::{self, ClassArgs, LimitArgs};
use super::exit;
use super::files::Files;
use super::mechanism::{self, Rounds};
use super::output::{Outcome, Output};
use super::progress;
use crate::questions::subject::StreamScope as Scope;
use report::Report;

/// Compute how many mistakes the best private learner makes on the worst realisable stream.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// A file (CSV, 0/1 text or JSON), or a family such as `point:3`.
    class: String,
    #[command(flatten)]
    reading: ClassArgs,
    /// Number of rounds T; a range such as 1..4 for --curve rounds.
    #[arg(long, value_name = "T|A..B", value_parser = mechanism::rounds, allow_hyphen_values = true)]
    rounds: Rounds,
    /// ε: a rational number such as 1/2, or a logarithm such as `ln(3/2)`, which has an exact value;
    /// a list such as `ln(2),ln(3)` for --curve epsilon.
    #[arg(long, value_name = "E", value_parser = mechanism::epsilon, allow_hyphen_values = true,
          value_delimiter = ',', required = true)]
    epsilon: Vec<Epsilon>,
    /// δ, a rational number in [0, 1); 0 by default. Not for --curve delta, which goes through all δ.
    #[arg(long, value_name = "D", value_parser = mechanism::delta, allow_hyphen_values = true)]
    delta: Option<Number>,
    /// Joint-private prediction (Definitions 3 and 4) in place of online learning.
    #[arg(long)]
    joint: bool,
    /// Between which streams privacy is asked for. Mistakes count on realisable streams.
    #[arg(long, value_enum, default_value_t = Scope::All, value_name = "WHICH")]
    streams: Scope,
    /// Write a certificate that `littlestone recheck` verifies.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["curve", "against"])]
    certificate: Option<PathBuf>,
    /// Write the best learner that was found as a table, for `verify` and `mistakes`.
    #[arg(long, value_name = "FILE.json", value_parser = json_name, conflicts_with = "curve")]
    save_learner: Option<PathBuf>,
    /// The value as a function of δ, with all its corners, of the number of rounds or of ε.
    #[arg(long, value_enum, value_name = "WHAT")]
    curve: Option<Curve>,
    /// Draw the curve to an SVG file.
    #[arg(long, value_name = "FILE.svg", requires = "curve", value_parser = common::svg)]
    plot: Option<PathBuf>,
    /// The best learner against a law over streams in place of the worst stream: `1/2 x:y,x:y; 1/2
    /// x:y,x:y`, or a file with an entry a line, or `thirds:p=P` (Algorithm 1).
    #[arg(long, value_name = "FILE|P x:y,…;…|thirds", conflicts_with = "curve")]
    against: Option<String>,
    /// Also compute the mistakes of this learner or predictor on its worst stream, and whether it is
    /// private.
    #[arg(long, value_name = "MECHANISM", conflicts_with_all = ["curve", "against"])]
    learner: Option<String>,
    /// List all of the best learner, or of the adversary, or both, where a few lines of each are
    /// printed otherwise.
    #[arg(long, value_enum, value_delimiter = ',', value_name = "WHICH", conflicts_with = "curve")]
    show: Vec<Show>,
    /// How the result is printed.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    #[command(flatten)]
    limits: LimitArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Curve {
    /// All δ from 0 to 1.
    Delta,
    /// The rounds of --rounds.
    Rounds,
    /// The list of --epsilon.
    Epsilon,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Show {
    /// The law of the output of each round under each history.
    Learner,
    /// The law of the stream.
    Adversary,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For reading.
    Human,
    /// One JSON object with sorted keys; see docs/schemas.
    Json,
    /// For --curve: a row for each corner or each place of the grid.
    Csv,
}

const AFTER_HELP: &str = "\
Examples:
  littlestone minimax point:3 --rounds 2 --epsilon 'ln(2)'
  littlestone minimax point:3 --rounds 3 --epsilon 'ln(2)' --certificate v.json
  littlestone minimax cube:2 --rounds 3 --epsilon 'ln(3/2)' --delta 1/10 --joint
  littlestone minimax point:3 --rounds 2 --epsilon 'ln(2)' --save-learner l.json
  littlestone minimax cube:1 --rounds 3 --epsilon 'ln(2)' --curve delta --plot v.svg
  littlestone minimax cube:1 --rounds 1..5 --epsilon 'ln(2),ln(3)' --curve rounds --format csv
  littlestone minimax cube:2 --rounds 3 --epsilon 'ln(2)' --show learner,adversary
  littlestone minimax cube:1 --rounds 2 --epsilon 'ln(2)' --against '1/2 1:0,1:0; 1/2 1:1,1:1'

A floating-point solution of the linear program is a guess; the value, a learner that attains it
and an adversary that proves it come from exact arithmetic. Where no exact value is found, as for
rational ε > 0, exact bounds are printed. Programs that are too large are refused before they are
built; --limit-states sets the greatest number of constraints, divided by that of symmetries.
The adversary is oblivious: the stream does not depend on what the learner releases.
Exit codes: 0 computed, 2 malformed input, 3 too large, stopped by --timeout, or the floating-point
guess failed, so that a bound is trivial.";

/// The name of a table of a mechanism, which is recognised by its ending.
fn json_name(text: &str) -> Result<PathBuf, String> {
    common::with_ending(text, "json")
}

pub(super) fn run(args: &Args, output: &mut Output<'_>) -> Outcome {
    let limits = args.limits.limits(output)?;
    Files::new()
        .class(Some(&args.class))
        .mechanism(args.learner.as_deref())
        .argument(args.against.as_ref())
        .output("--certificate", args.certificate.as_ref())
        .output("--save-learner", args.save_learner.as_ref())
        .output("--plot", args.plot.as_ref())
        .check()?;
    args.expect_one_of_each()?;
    args.expect_certifiable()?;
    let class = common::load(&args.class, args.reading, output)?;
    if let Some(curve) = args.curve {
        return curve::run(args, curve, &class, &limits, output);
    }
    let question = Question::new(args, &class, args.rounds.first, &args.epsilon[0], &limits)?;
    let against = match &args.against {
        None => Against::Worst,
        Some(law) => Against::Law(given::law(&class, &question.game, args.rounds.first, law)?),
    };
    let learner = args.learner.as_deref();
    let learner = learner.map(|name| given::learner(args, name, &limits, output)).transpose()?;
    let question = question.against(&against);
    let bounds = question.solve(&against, &limits, output);
    if let Some(path) = &args.certificate {
        let certificate = certify::certificate(
            &class,
            &args.class,
            &question.game,
            &question.group,
            &args.epsilon[0],
            &question.privacy,
            &bounds,
            &limits,
        );
        let mut text = Vec::new();
        format::write_lines(&certificate, &mut text)?;
        common::write_file(path, &text)?;
        output.wrote("certificate", path);
    }
    if let Some(path) = &args.save_learner {
        match question.save(&class, &bounds, path, &limits) {
            Ok(()) => output.wrote("learner", path),
            // The bounds are worth printing without it.
            Err(Error::Limit { message, .. }) if bounds.stopped.is_some() => {
                output.warning(format_args!("no learner was written: {message}"));
            }
            Err(error) => return Err(error.into()),
        }
    }
    let learner = learner.as_ref();
    let report = Report { args, class: &class, question: &question, bounds: &bounds, learner };
    match args.format {
        Format::Json => common::print_json(&report.json(), output)?,
        _ => report.human(output)?,
    }
    let Some(stopped) = bounds.stopped else { return Ok(exit::EXPECTED) };
    output.warning(match stopped {
        Stopped::Limit(stopped) => format!("{stopped}: the bounds may be far apart"),
        Stopped::Guess => {
            "the floating-point guess failed: a bound is the trivial one, of uniformly distributed \
             outputs or of a shattered tree"
                .to_owned()
        }
    });
    Ok(exit::UNDECIDED)
}

impl Args {
    /// δ.
    fn delta(&self) -> Number {
        self.delta.clone().unwrap_or_else(Number::zero)
    }

    /// Certificates hold a rational δ.
    fn expect_certifiable(&self) -> Result<(), Error> {
        if self.certificate.is_none() || self.delta().as_rational().is_some() {
            return Ok(());
        }
        let message =
            format!("--certificate: no certificate of a game has a δ such as {}", self.delta());
        Err(Error::argument_with_help(message, "give a rational δ"))
    }

    /// Ranges and lists are for curves.
    fn expect_one_of_each(&self) -> Result<(), Error> {
        let refuse = |message: &str, help: &str| Err(Error::argument_with_help(message, help));
        let grid = matches!(self.curve, Some(Curve::Rounds | Curve::Epsilon));
        if self.rounds.range && !grid || self.curve == Some(Curve::Rounds) && !self.rounds.range {
            return refuse(
                "--rounds: a range and --curve rounds go together",
                "as in `--rounds 1..4 --curve rounds`; with --curve epsilon it makes a grid",
            );
        }
        if self.epsilon.len() > 1 && !grid {
            return refuse(
                "--epsilon: a list is for --curve epsilon",
                "as in `--epsilon 'ln(2),ln(3)' --curve epsilon`; with --curve rounds it makes a grid",
            );
        }
        if self.curve == Some(Curve::Delta) && self.delta.is_some() {
            return refuse("--delta: --curve delta goes through all δ", "leave --delta out");
        }
        if self.curve.is_none() && self.format == Format::Csv {
            return refuse("--format csv is for --curve", "there is one value; use --format json");
        }
        Ok(())
    }
}

/// A game with its parameters, whose size was checked.
struct Question {
    game: Game,
    group: Vec<Symmetry>,
    privacy: Privacy,
}

impl Question {
    fn new(
        args: &Args,
        class: &Class,
        rounds: usize,
        epsilon: &Epsilon,
        limits: &Limits,
    ) -> Result<Self, Error> {
        let notion = if args.joint { Notion::Joint } else { Notion::Whole };
        let neighbours = match args.streams {
            Scope::All => Neighbours::All,
            Scope::Realisable => Neighbours::Realisable,
        };
        let game = Game::new(class, notion, neighbours, rounds)?;
        let group = symmetries(&game);
        Size::admit(&game, group.len(), limits.states)?;
        Ok(Self { game, group, privacy: Privacy::new(epsilon, args.delta()) })
    }

    /// The same with the symmetries alone that keep a law.
    fn against(self, against: &Against) -> Self {
        match against {
            Against::Worst => self,
            Against::Law(law) => Self { group: law.stabiliser(&self.group), ..self },
        }
    }

    fn solve(&self, against: &Against, limits: &Limits, output: &Output<'_>) -> Bounds {
        output.progress().enter(format!("the program of T = {}", self.game.rounds()));
        progress::watch(output, || {
            best_response(&self.game, &self.group, &self.privacy, against, limits)
        })
    }

    fn save(
        &self,
        class: &Class,
        bounds: &Bounds,
        path: &Path,
        limits: &Limits,
    ) -> Result<(), Error> {
        let levels = bounds.upper.learner.rounds(&self.game, limits)?;
        let levels = levels.expect("the table of a bound is causal");
        let strategy = Strategy::new(&self.game, class, levels)?;
        let options = Options::rounds(self.game.rounds(), Options::STATES).within(limits);
        let automaton = compile(&strategy, &options)?;
        common::write_file(path, table::write(&automaton).as_bytes())
    }
}
