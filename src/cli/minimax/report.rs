//! What was found, for reading and as JSON.

use serde_json::{Value, json};

use crate::class::Class;
use crate::exact::{Rational, decimal, rational};
use crate::minimax::{Bounds, Stopped};
use crate::privacy::Notion;

use super::super::common::{self, Object};
use super::super::output::{Failure, Output};
use super::given::Compared;
use super::show::Shown;
use super::{Args, Question, Show};
use crate::questions::subject::StreamScope as Scope;

pub(super) struct Report<'r> {
    pub(super) args: &'r Args,
    pub(super) class: &'r Class,
    pub(super) question: &'r Question,
    pub(super) bounds: &'r Bounds,
    pub(super) learner: Option<&'r Compared>,
}

/// Digits after the point of decimals beside exact numbers.
const DIGITS: u32 = 12;

impl Report<'_> {
    fn shown(&self) -> Shown<'_> {
        let Question { game, group, .. } = self.question;
        Shown { class: self.class, game, group, bounds: self.bounds }
    }

    pub(super) fn human(&self, output: &mut Output<'_>) -> Result<(), Failure> {
        let args = self.args;
        output.line(common::class_line(&args.class, self.class))?;
        output.line(match self.question.game.notion() {
            Notion::Whole => "game: online learning (Definitions 1 and 2)",
            Notion::Joint => "game: joint-private prediction (Definitions 3 and 4)",
        })?;
        output.line(format_args!("rounds: {}", args.rounds.first))?;
        let streams = match args.streams {
            Scope::All => "all streams",
            Scope::Realisable => "realisable streams",
        };
        output.line(format_args!(
            "privacy: ε = {}, δ = {}, between {streams}",
            args.epsilon[0],
            args.delta()
        ))?;
        output.line("adversary: oblivious (the stream is fixed in advance)")?;
        let columns = common::count(self.question.game.columns().len(), "column", "columns");
        let constant =
            if self.question.game.constant().is_some() { " and a constant one" } else { "" };
        let symmetries = common::count(self.question.group.len(), "symmetry", "symmetries");
        output.line(format_args!("reduced to: {columns}{constant}, {symmetries}"))?;
        if let Some((columns, rows)) = self.bounds.program {
            output.line(format_args!("program: {columns} columns, {rows} rows"))?;
        }
        if let Some(law) = &args.against {
            output.line(format_args!("against: {law}"))?;
        }
        // A law that was given is known.
        if args.against.is_none() {
            for line in self.shown().adversary(args.show.contains(&Show::Adversary)) {
                output.line(line)?;
            }
        }
        // A search that was stopped has the learner that releases uniformly distributed outputs.
        let all = args.show.contains(&Show::Learner);
        if all || !matches!(self.bounds.stopped, Some(Stopped::Limit(_))) {
            for line in self.shown().learner(all) {
                output.line(line)?;
            }
        }
        let (lower, upper) = (&self.bounds.lower.bound, &self.bounds.upper.bound);
        if let Some(value) = self.bounds.value() {
            output.line(format_args!("value: {}", shown(value)))?;
        } else {
            output.line(format_args!("lower bound: {}", shown(lower)))?;
            output.line(format_args!("upper bound: {}", shown(upper)))?;
            output.line(format_args!("gap: {}", decimal(&(upper - lower), 3)))?;
        }
        if let Some(learner) = self.learner {
            match &learner.mistakes {
                Ok(number) => {
                    output.line(format_args!("worst stream of {}: {number}", learner.name))?;
                }
                Err((low, high)) => {
                    output
                        .line(format_args!("worst stream of {}: {low} to {high}", learner.name))?;
                }
            }
            let private = match learner.private {
                Ok(true) => "yes".to_owned(),
                Ok(false) => "no".to_owned(),
                Err(stopped) => format!("not decided, {stopped}"),
            };
            output.line(format_args!("{} is private: {private}", learner.name))?;
        }
        if self.bounds.stopped.is_some() {
            output.line("verdict: undecided")?;
        }
        Ok(())
    }

    pub(super) fn json(&self) -> Object {
        let mut object = common::object("minimax");
        let args = self.args;
        let adversary = self.shown().streams().into_iter().map(|(stream, probability)| {
            json!({ "probability": rational::show(&probability), "stream": stream })
        });
        object.insert("adversary", Value::Array(adversary.collect()));
        object.insert("class", args.class.clone().into());
        object.insert("delta", args.delta().to_string().into());
        object.insert("epsilon", args.epsilon[0].to_string().into());
        if let Some(law) = &args.against {
            object.insert("against", law.clone().into());
        }
        if args.show.contains(&Show::Learner) {
            let laws = self.shown().laws().into_iter().map(|law| law.json());
            object.insert("best_learner", Value::Array(laws.collect()));
        }
        if let Some(learner) = self.learner {
            let mistakes = learner.mistakes.as_ref().ok().map(ToString::to_string);
            let private = learner.private.ok();
            let name = &learner.name;
            let json = json!({ "mechanism": name, "mistakes": mistakes, "private": private });
            object.insert("learner", json);
        }
        object.insert("lower", rational::show(&self.bounds.lower.bound).into());
        object.insert("notion", if args.joint { "joint" } else { "whole" }.into());
        object.insert(
            "program",
            match self.bounds.program {
                Some((columns, rows)) => json!({ "columns": columns, "rows": rows }),
                None => Value::Null,
            },
        );
        object.insert("rounds", args.rounds.first.into());
        object.insert(
            "streams",
            match args.streams {
                Scope::All => "all".into(),
                Scope::Realisable => "realisable".into(),
            },
        );
        let stopped = self.bounds.stopped.map(|stopped| match stopped {
            Stopped::Limit(stopped) => stopped.word(),
            Stopped::Guess => "guess",
        });
        object.insert("stopped", stopped.into());
        object.insert("undecided", self.bounds.stopped.is_some().into());
        object.insert("upper", rational::show(&self.bounds.upper.bound).into());
        if self.bounds.stopped.is_some() {
            object.insert("verdict", "undecided".into());
        }
        object.insert("value", self.bounds.value().map(rational::show).into());
        object
    }
}

fn shown(value: &Rational) -> String {
    let (exact, decimal) = (rational::show(value), decimal(value, DIGITS));
    if exact == decimal { exact } else { format!("{exact} ({decimal})") }
}
