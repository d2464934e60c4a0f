//! The value of the game between private learners and streams.

mod answer;
mod curve;
mod fields;
mod game;
mod given;
mod show;

use std::path::PathBuf;
use std::sync::Arc;

use clap::builder::ArgPredicate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::class::{Class, Loaded};
use crate::error::{Error, Result};
use crate::exact::{Epsilon, Number, Rational, decimal, rational};
use crate::limits::Stopped;
use crate::minimax::{Against, Bounds};
use crate::privacy::Notion;
use crate::text::Lines;

use super::blocks::{self, DIGITS};
use super::door::flattened;
use super::given::ClassFields;
use super::known::about;
use super::subject::{MechanismName, Rounds, StreamScope};
use super::written::{Delta, Text, json_path, svg_path};
use super::{ClaimKind, OutputFiles, Question, Run};
use game::{SizedGame, trivial};

pub use answer::{FoundValues, GameValue, MinimaxAnswer, ProgramSize};
pub use curve::{CurveRow, GameCurve};
pub use fields::{CurveOver, Epsilons, Interaction, Player};
pub use given::LearnerBeside;
pub use show::{LawAfter, OutputMass, WeightedStream};

/// Compute how many mistakes the best private learner makes on the worst realisable stream.
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize, JsonSchema)]
#[command(after_help = EXAMPLES)]
pub struct MinimaxQuestion {
    /// What is asked about.
    #[command(flatten)]
    #[serde(flatten, deserialize_with = "flattened")]
    pub subject: ClassFields,
    /// Number of rounds T; a range such as 1..4 for --curve rounds.
    #[arg(long, value_name = "T|A..B", allow_hyphen_values = true)]
    pub rounds: Text<Rounds>,
    /// ε: a rational number such as 1/2, or a logarithm such as `ln(3/2)`, which has an exact value;
    /// a list such as `ln(2),ln(3)` for --curve epsilon.
    #[arg(long, value_name = "E", allow_hyphen_values = true)]
    pub epsilon: Text<Epsilons>,
    /// δ, a number in [0, 1); 0 by default. Not for --curve delta, which goes through all δ.
    #[arg(long, value_name = "D", allow_hyphen_values = true)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delta: Option<Text<Delta>>,
    /// What the learner releases: a function in each round, or a bit for the point of the round.
    #[arg(
        long,
        value_enum,
        default_value_t,
        default_value_if("joint", ArgPredicate::IsPresent, "prediction")
    )]
    #[serde(default)]
    pub game: Interaction,
    /// Joint-private prediction in place of online learning: the same as `--game prediction`.
    #[arg(long, conflicts_with = "game")]
    #[serde(skip)]
    pub joint: bool,
    /// Between which streams privacy is asked for. Mistakes count on realisable streams.
    #[arg(long, value_enum, default_value_t, value_name = "WHICH")]
    #[serde(default)]
    pub streams: StreamScope,
    /// The value as a function of δ, with all its corners, of the number of rounds or of ε.
    #[arg(long, value_enum, value_name = "WHAT")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub curve: Option<CurveOver>,
    /// The best learner against a law over streams in place of the worst stream: `1/2 x:y,x:y; 1/2
    /// x:y,x:y`, or a file with an entry a line, or `thirds:p=P` (Algorithm 1).
    #[arg(long, value_name = "FILE|P x:y,…;…|thirds")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    /// Also compute the mistakes of this learner or predictor on its worst stream, and whether it is
    /// private.
    #[arg(long)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub learner: Option<MechanismName>,
    /// List all of the best learner, or of the adversary, or both, where a few lines of each are
    /// printed otherwise.
    #[arg(long, value_enum, value_delimiter = ',', value_name = "WHICH")]
    #[serde(default)]
    pub show: Vec<Player>,
}

const EXAMPLES: &str = "\
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

/// The files that prove a value, hold the best learner or draw a curve.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct MinimaxFiles {
    /// Write a certificate that `littlestone recheck` verifies.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["curve", "against"])]
    pub certificate: Option<PathBuf>,
    /// Write the best learner that was found as a table, for `verify` and `mistakes`.
    #[arg(long, value_name = "FILE.json", value_parser = json_path, conflicts_with = "curve")]
    pub save_learner: Option<PathBuf>,
    /// Draw the curve to an SVG file.
    #[arg(long, value_name = "FILE.svg", requires = "curve", value_parser = svg_path)]
    pub plot: Option<PathBuf>,
}

impl OutputFiles for MinimaxFiles {
    fn options(&self) -> Vec<(&'static str, Option<&PathBuf>)> {
        vec![
            ("--certificate", self.certificate.as_ref()),
            ("--save-learner", self.save_learner.as_ref()),
            ("--plot", self.plot.as_ref()),
        ]
    }
}

impl Question for MinimaxQuestion {
    const NAME: &'static str = "minimax";
    const KINDS: &'static [ClaimKind] = &[ClaimKind {
        name: "minimax",
        about: "the expected mistakes of the best private learner on the worst realisable stream",
        sets: &[],
        renames: &[],
        asserts: &about("value"),
    }];
    type Answer = MinimaxAnswer;
    type Files = MinimaxFiles;

    fn validate(&self) -> Result<()> {
        let refuse = |message: &str, help: &str| Err(Error::argument_with_help(message, help));
        let range = self.rounds.value.range;
        let grid = matches!(self.curve, Some(CurveOver::Rounds | CurveOver::Epsilon));
        if range && !grid || self.curve == Some(CurveOver::Rounds) && !range {
            return refuse(
                "rounds: a range and `curve` over rounds go together",
                "as in `--rounds 1..4 --curve rounds`; with --curve epsilon it makes a grid",
            );
        }
        if self.epsilon.value.0.len() > 1 && !grid {
            return refuse(
                "epsilon: a list is for `curve` over epsilon",
                "as in `--epsilon 'ln(2),ln(3)' --curve epsilon`; with --curve rounds it makes a grid",
            );
        }
        if self.curve == Some(CurveOver::Delta) && self.delta.is_some() {
            return refuse("delta: `curve` over delta goes through all δ", "leave --delta out");
        }
        let others = [
            ("against", self.against.is_some()),
            ("learner", self.learner.is_some()),
            ("show", self.curve.is_some() && !self.show.is_empty()),
        ];
        let mut others = others.into_iter().filter_map(|(name, given)| given.then_some(name));
        match (self.curve, others.next(), others.next()) {
            (Some(_), Some(other), _) => {
                refuse(&format!("{other}: not for a curve"), "leave it or --curve out")
            }
            (None, Some(one), Some(other)) => {
                refuse(&format!("{one}: not together with `{other}`"), "leave one of them out")
            }
            _ => Ok(()),
        }
    }

    fn inputs(&self) -> Vec<PathBuf> {
        let law = self.against.as_ref().map(PathBuf::from).filter(|path| path.exists());
        let learner = self.learner.as_ref().map(MechanismName::files).unwrap_or_default();
        self.subject.files().into_iter().chain(learner).chain(law).collect()
    }

    fn answer_with(&self, files: &MinimaxFiles, run: &Run<'_>) -> Result<MinimaxAnswer> {
        if files.certificate.is_some() && self.delta().as_rational().is_none() {
            let message =
                format!("--certificate: no certificate of a game has a δ such as {}", self.delta());
            return Err(Error::argument_with_help(message, "give a rational δ"));
        }
        let loaded = run.class(&self.subject.class, self.subject.header.said())?;
        let class = &loaded.class;
        let (found, text, stopped) = if let Some(over) = self.curve {
            let (curve, text, stopped) = self.curve(over, class, files, run)?;
            (FoundValues::Many(curve), text, stopped)
        } else {
            let (value, text, stopped) = self.value(&loaded, files, run)?;
            (FoundValues::One(Box::new(value)), text, stopped)
        };
        Ok(MinimaxAnswer {
            class: self.subject.class.clone(),
            notion: match self.game {
                Interaction::Learning => "whole",
                Interaction::Prediction => "joint",
            },
            undecided: stopped.is_some(),
            found,
            stopped,
            text,
        })
    }
}

impl MinimaxQuestion {
    fn delta(&self) -> Number {
        self.delta.as_ref().map_or_else(Number::zero, |delta| delta.value.0.clone())
    }

    fn notion(&self) -> Notion {
        match self.game {
            Interaction::Learning => Notion::Whole,
            Interaction::Prediction => Notion::Joint,
        }
    }

    /// The first ε, which is the only one unless there is a grid.
    fn epsilon(&self) -> &Epsilon {
        &self.epsilon.value.0[0]
    }

    /// The value for the one number of rounds and the one ε, and what is printed of it.
    fn value(
        &self,
        loaded: &Arc<Loaded>,
        files: &MinimaxFiles,
        run: &Run<'_>,
    ) -> Result<(GameValue, Lines, Option<Stopped>)> {
        let (class, limits, rounds) = (&loaded.class, &run.limits, self.rounds.value.first);
        let mut sized = SizedGame::new(self, class, rounds, self.epsilon(), limits)?;
        let against = match &self.against {
            None => Against::Worst,
            Some(text) => {
                let law = given::law(class, &sized.game, text, run)?;
                // A law is kept by some of the symmetries alone.
                sized.group = law.stabiliser(&sized.group);
                Against::Law(law)
            }
        };
        let learner = self.learner.as_ref();
        let learner = learner.map(|learner| given::beside(self, learner, run)).transpose()?;
        let bounds = sized.solve(&against, run);
        if let Some(path) = &files.certificate {
            sized.certify(self, class, &bounds, path, limits)?;
            run.wrote("certificate", path);
        }
        if let Some(path) = &files.save_learner {
            match sized.save(class, &bounds, path, limits) {
                Ok(()) => run.wrote("learner", path),
                // The bounds are worth having without it.
                Err(Error::Limit { message, .. }) if bounds.stopped.is_some() => {
                    run.warn(format!("no learner was written: {message}"));
                }
                Err(error) => return Err(error),
            }
        }
        if let Some(stopped) = bounds.stopped {
            run.warn(match stopped {
                Stopped::Guess => {
                    "the floating-point guess failed: a bound is the trivial one, of uniformly \
                     distributed outputs or of a shattered tree"
                        .to_owned()
                }
                limit => format!("{limit}: the bounds may be far apart"),
            });
        }
        let text = self.lines(class, &sized, &bounds, learner.as_ref());
        let (lower, upper) = (&bounds.lower.bound, &bounds.upper.bound);
        let players =
            show::Players { class, game: &sized.game, group: &sized.group, bounds: &bounds };
        let value = GameValue {
            rounds,
            epsilon: self.epsilon().to_string(),
            delta: self.delta().to_string(),
            streams: self.streams,
            against: self.against.clone(),
            program: bounds.program.map(|(columns, rows)| ProgramSize { columns, rows }),
            adversary: players.streams(),
            best_learner: self.show.contains(&Player::Learner).then(|| players.laws()),
            value: bounds.value().map(rational::show),
            lower: rational::show(lower),
            upper: rational::show(upper),
            learner,
            stopped: bounds.stopped.map(Stopped::word),
            bounds: [lower.clone().into(), upper.clone().into()],
            trivial: trivial(&sized.game),
        };
        Ok((value, text, bounds.stopped))
    }

    fn lines(
        &self,
        class: &Class,
        SizedGame { game, group, .. }: &SizedGame,
        bounds: &Bounds,
        learner: Option<&LearnerBeside>,
    ) -> Lines {
        let mut text = Lines::new();
        text.push(&blocks::class_line(self.subject.class.as_str(), class));
        text.push(match self.game {
            Interaction::Learning => "game: online learning (Definitions 1 and 2)",
            Interaction::Prediction => "game: joint-private prediction (Definitions 3 and 4)",
        });
        writeln!(text, "rounds: {}", game.rounds());
        let streams = match self.streams {
            StreamScope::All => "all streams",
            StreamScope::Realisable => "realisable streams",
        };
        let (epsilon, delta) = (self.epsilon(), self.delta());
        writeln!(text, "privacy: ε = {epsilon}, δ = {delta}, between {streams}");
        text.push("adversary: oblivious (the stream is fixed in advance)");
        let columns = blocks::count(game.columns().len(), "column", "columns");
        let constant = if game.constant().is_some() { " and a constant one" } else { "" };
        let symmetries = blocks::count(group.len(), "symmetry", "symmetries");
        writeln!(text, "reduced to: {columns}{constant}, {symmetries}");
        if let Some((columns, rows)) = bounds.program {
            writeln!(text, "program: {columns} columns, {rows} rows");
        }
        let players = show::Players { class, game, group, bounds };
        match &self.against {
            // A law that was given is known.
            Some(law) => writeln!(text, "against: {law}"),
            None => players.adversary(self.show.contains(&Player::Adversary), &mut text),
        }
        // A search that was stopped has the learner that releases uniformly distributed outputs.
        let all = self.show.contains(&Player::Learner);
        if all || matches!(bounds.stopped, None | Some(Stopped::Guess)) {
            players.learner(all, &mut text);
        }
        let (lower, upper) = (&bounds.lower.bound, &bounds.upper.bound);
        if let Some(value) = bounds.value() {
            writeln!(text, "value: {}", shown(value));
        } else {
            writeln!(text, "lower bound: {}", shown(lower));
            writeln!(text, "upper bound: {}", shown(upper));
            writeln!(text, "gap: {}", decimal(&(upper - lower), 3));
        }
        if let Some(learner) = learner {
            learner.lines(&mut text);
        }
        text
    }
}

fn shown(value: &Rational) -> String {
    let (exact, decimal) = (rational::show(value), decimal(value, DIGITS));
    if exact == decimal { exact } else { format!("{exact} ({decimal})") }
}
