//! What is given: a law over streams that the best learner is to face, or a learner that is to be
//! compared with the best one.

use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;

use crate::adversary::{Arguments, Reading};
use crate::class::Class;
use crate::error::{Error, Result};
use crate::exact::{Number, Rational};
use crate::limits::Stopped;
use crate::mechanism::Kind;
use crate::minimax::law::Law;
use crate::minimax::{Game, Place};
use crate::mistakes::{self, Streams, Worst};
use crate::privacy::{self, Decision, Question};
use crate::text::Lines;

use super::super::subject::MechanismName;
use super::super::{Heard, Run};
use super::{Interaction, MinimaxQuestion};

/// Reads a law over realisable streams, `thirds` (Algorithm 1) or listed, with the examples of the
/// reduced game.
pub(super) fn law(class: &Class, game: &Game, text: &str, run: &Run<'_>) -> Result<Law> {
    let constant = 2 * game.columns().len();
    let example = |record: &usize| {
        let (point, label) = (record / 2, record % 2);
        match game.places()[point] {
            // Of a constant point one label alone is realisable, which is checked below.
            Place::Constant(own) if usize::from(own) == label => Ok(constant),
            Place::Constant(_) => Err(Error::argument(format!(
                "against: `{}:{label}` is the example of no hypothesis",
                class.point_names()[point]
            ))),
            Place::Column { column, complemented } => {
                Ok(2 * column + (label ^ usize::from(complemented)))
            }
        }
    };
    let streams = if text.split(':').next() == Some("thirds") {
        let adversary = Arguments::parse(text)?.over(class.point_names(), game.rounds())?;
        adversary.check_realisable(class)?;
        adversary.streams(Reading::Paper)?
    } else {
        listed(class, text, &run.folder)?
    };
    let mut weights = Vec::new();
    for (stream, weight) in streams {
        weights.push((stream.iter().map(example).collect::<Result<_>>()?, weight));
    }
    Law::new(game, &weights)
}

fn listed(class: &Class, text: &str, folder: &Path) -> Result<Vec<(Vec<usize>, Rational)>> {
    let streams = mistakes::read_weighted(class, text, folder, "against")?.into_iter();
    let rational = |(stream, weight): (Vec<usize>, Number)| {
        let found = weight.as_rational().cloned().map(|rational| (stream, rational));
        found.ok_or_else(|| {
            Error::argument(format!("against: expected rational weights, found {weight}"))
        })
    };
    streams.map(rational).collect()
}

/// A given mechanism beside the best one.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct LearnerBeside {
    /// Its name.
    pub mechanism: String,
    /// Its expected mistakes on its own worst realisable stream; null when a limit was hit.
    pub mistakes: Option<String>,
    /// Whether it is private at the given ε and δ; null when a limit was hit.
    pub private: Option<bool>,
    #[serde(skip)]
    bounds: [Number; 2],
    #[serde(skip)]
    stopped: Option<Stopped>,
}

/// Computes the mistakes of a mechanism on its worst realisable stream, and whether it is private.
pub(super) fn beside(
    asked: &MinimaxQuestion,
    name: &MechanismName,
    run: &Run<'_>,
) -> Result<LearnerBeside> {
    let subject =
        run.resolve(name, Some(&asked.subject.class), asked.subject.header.said(), Heard::Note)?;
    let (limits, progress) = (&run.limits, &run.progress);
    let kind = subject.interface().kind();
    mistakes::check_kind(kind)?;
    let (expected, help) = match asked.game {
        Interaction::Learning => (Kind::Learner, "with --joint, the game is that of predictors"),
        Interaction::Prediction => {
            (Kind::Predictor, "without --joint, the game is that of learners")
        }
    };
    if kind != expected {
        let message = format!("learner: expected a {expected}, found a {kind}");
        return Err(Error::argument_with_help(message, help));
    }
    let rounds = asked.rounds.value.first;
    let automaton = subject.automaton(rounds, limits)?;
    let realisable = Streams::Realisable(subject.class("realisable streams")?);
    let worst = mistakes::worst(&automaton, realisable, rounds..=rounds, limits, progress)?;
    let bounds = match worst.into_iter().next() {
        Some(Worst::Exact { mistakes, .. }) => [mistakes.clone(), mistakes],
        Some(Worst::Between { lower, upper, .. }) => [lower, upper],
        None => [Number::zero(), Rational::from_integer(rounds.into()).into()],
    };
    let streams = subject.streams(asked.streams, limits)?;
    let question = Question {
        notion: asked.notion(),
        neighbours: privacy::Neighbours::Replacement,
        epsilon: asked.epsilon().clone(),
    };
    let delta = asked.delta();
    let decision =
        privacy::decide(&automaton, &streams, &question, rounds, &delta, limits, progress)?;
    let (private, stopped) = match decision {
        Decision::Holds => (Some(true), None),
        Decision::Refuted(_) => (Some(false), None),
        Decision::Undecided { stopped, .. } => (None, Some(stopped)),
    };
    let mistakes = (bounds[0] == bounds[1]).then(|| bounds[0].to_string());
    Ok(LearnerBeside { mechanism: name.to_string(), mistakes, private, bounds, stopped })
}

impl LearnerBeside {
    /// What is printed of it.
    pub(super) fn lines(&self, text: &mut Lines) {
        let [low, high] = &self.bounds;
        match &self.mistakes {
            Some(mistakes) => writeln!(text, "worst stream of {}: {mistakes}", self.mechanism),
            None => writeln!(text, "worst stream of {}: {low} to {high}", self.mechanism),
        }
        let private = match (self.private, self.stopped) {
            (Some(true), _) => "yes".to_owned(),
            (Some(false), _) => "no".to_owned(),
            (None, stopped) => {
                format!("not decided{}", stopped.map(|s| format!(", {s}")).unwrap_or_default())
            }
        };
        writeln!(text, "{} is private: {private}", self.mechanism);
    }
}
