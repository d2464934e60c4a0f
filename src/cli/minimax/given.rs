//! What is given: a law over streams that the best learner is to face, or a learner that is to be
//! compared with the best one.

use crate::adversary::{Arguments, Reading};
use crate::class::Class;
use crate::error::{Error, Result};
use crate::exact::{Number, Rational};
use crate::limits::{Limits, Progress, Stopped};
use crate::mechanism::{Kind, Mechanism};
use crate::minimax::law::Law;
use crate::minimax::{Game, Place};
use crate::mistakes::{self, Streams, Worst};
use crate::privacy::{self, Decision, Notion, Question};

use super::super::mechanism::MechanismArgs;
use super::super::output::Output;
use super::Args;
use crate::questions::subject::StreamScope as Scope;

/// Reads a law over realisable streams, `thirds` (Algorithm 1) or listed, with the examples of the
/// reduced game.
pub(super) fn law(class: &Class, game: &Game, rounds: usize, text: &str) -> Result<Law> {
    let constant = 2 * game.columns().len();
    let example = |record: &usize| {
        let (point, label) = (record / 2, record % 2);
        match game.places()[point] {
            // Of a constant point one label alone is realisable, which is checked below.
            Place::Constant(own) if usize::from(own) == label => Ok(constant),
            Place::Constant(_) => Err(Error::argument(format!(
                "--against: `{}:{label}` is the example of no hypothesis",
                class.point_names()[point]
            ))),
            Place::Column { column, complemented } => {
                Ok(2 * column + (label ^ usize::from(complemented)))
            }
        }
    };
    let streams = if text.split(':').next() == Some("thirds") {
        let adversary = Arguments::parse(text)?.over(class.point_names(), rounds)?;
        adversary.check_realisable(class)?;
        adversary.streams(Reading::Paper)?
    } else {
        listed(class, text)?
    };
    let mut weights = Vec::new();
    for (stream, weight) in streams {
        weights.push((stream.iter().map(example).collect::<Result<_>>()?, weight));
    }
    Law::new(game, &weights)
}

fn listed(class: &Class, text: &str) -> Result<Vec<(Vec<usize>, Rational)>> {
    let streams = mistakes::read_weighted(class, text, "--against")?.into_iter();
    let rational = |(stream, weight): (Vec<usize>, Number)| {
        let found = weight.as_rational().cloned().map(|rational| (stream, rational));
        found.ok_or_else(|| {
            Error::argument(format!("--against: expected rational weights, found {weight}"))
        })
    };
    streams.map(rational).collect()
}

/// A learner beside the best one.
pub(super) struct Compared {
    /// Its name.
    pub(super) name: String,
    /// Its mistakes on the worst realisable stream, or the bounds that are known.
    pub(super) mistakes: std::result::Result<Number, (Number, Number)>,
    /// Whether it is private at the given ε and δ.
    pub(super) private: std::result::Result<bool, Stopped>,
}

/// Computes the mistakes of a mechanism on its worst realisable stream, and whether it is private.
pub(super) fn learner(
    args: &Args,
    name: &str,
    limits: &Limits,
    output: &mut Output<'_>,
) -> Result<Compared> {
    let mechanism = MechanismArgs {
        mechanism: name.to_owned(),
        class: Some(args.class.clone()),
        reading: args.reading,
    };
    let subject = mechanism.load(limits, output)?;
    let kind = subject.mechanism.interface().kind();
    mistakes::check_kind(kind)?;
    let predictor = kind == Kind::Predictor;
    if predictor != args.joint {
        let (expected, help) = if args.joint {
            ("a predictor", "without --joint, the game is that of learners")
        } else {
            ("a learner", "with --joint, the game is that of predictors")
        };
        let message = format!("--learner: expected {expected}, found a {kind}");
        return Err(Error::argument_with_help(message, help));
    }
    let rounds = args.rounds.first;
    let automaton = subject.automaton(rounds, limits)?;
    let class = subject.class("realisable streams")?;
    let progress = Progress::default();
    let worst = mistakes::worst(
        &automaton,
        Streams::Realisable(class),
        rounds..=rounds,
        limits,
        &progress,
    )?;
    let mistakes = match worst.into_iter().next() {
        Some(Worst::Exact { mistakes, .. }) => Ok(mistakes),
        Some(Worst::Between { lower, upper, .. }) => Err((lower, upper)),
        None => Err((Number::zero(), Number::from(i64::try_from(rounds).unwrap_or(i64::MAX)))),
    };
    let streams = match args.streams {
        Scope::All => privacy::Streams::all(automaton.interface().records()),
        Scope::Realisable => privacy::Streams::realisable_by(class, automaton.interface(), limits)?,
    };
    let question = Question {
        notion: if args.joint { Notion::Joint } else { Notion::Whole },
        neighbours: privacy::Neighbours::Replacement,
        epsilon: args.epsilon[0].clone(),
    };
    let progress = Progress::default();
    let decision =
        privacy::decide(&automaton, &streams, &question, rounds, &args.delta(), limits, &progress)?;
    let private = match decision {
        Decision::Holds => Ok(true),
        Decision::Refuted(_) => Ok(false),
        Decision::Undecided { stopped, .. } => Err(stopped),
    };
    Ok(Compared { name: name.to_owned(), mistakes, private })
}
