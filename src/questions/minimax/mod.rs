//! The value of the game between private learners and streams.

mod curve;
mod given;
mod show;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ValueEnum;
use clap::builder::ArgPredicate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::certificate::format;
use crate::class::{Class, Loaded};
use crate::error::{Error, Result};
use crate::exact::{Epsilon, Number, Rational, decimal, rational};
use crate::file;
use crate::limits::{Limits, Stopped};
use crate::mechanism::{Options, compile, table};
use crate::minimax::orbits::{Symmetry, symmetries};
use crate::minimax::{
    Against, Bounds, Game, Neighbours, Privacy, Size, Strategy, best_response, certify,
};
use crate::privacy::Notion;
use crate::text::Lines;

use super::blocks;
use super::door::flattened;
use super::given::ClassFields;
use super::known::{self, about};
use super::subject::{MechanismName, Rounds, StreamScope};
use super::written::{ClassName, Delta, Reads, Text, json_path, svg_path};
use super::{
    Answer, ClaimKind, Claimed, Ending, Json as _, Known, OutputFiles, Question, Run, Trivial,
};

pub use curve::{CurveRow, GameCurve};
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

/// What is released.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Interaction {
    /// A function in each round (Definitions 1 and 2).
    #[default]
    Learning,
    /// A bit for the point of the round, and jointly private (Definitions 3 and 4).
    Prediction,
}

/// What the values of a curve differ in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CurveOver {
    /// All δ from 0 to 1.
    Delta,
    /// The rounds of --rounds.
    Rounds,
    /// The list of --epsilon.
    Epsilon,
}

/// One side of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Player {
    /// The law of the output of each round under each history.
    Learner,
    /// The law of the stream.
    Adversary,
}

/// One ε, or several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Epsilons(pub Vec<Epsilon>);

impl Reads for Epsilons {
    const FORMAT: &'static str = "epsilon";
    const EXAMPLE: &'static str = "ln(3/2)";

    fn read(text: &str) -> std::result::Result<Self, String> {
        text.split(',').map(Epsilon::read).collect::<std::result::Result<_, _>>().map(Self)
    }
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

/// What was found about the value of a game.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct MinimaxAnswer {
    /// The class as it was named.
    pub class: ClassName,
    /// `whole` for online learning, `joint` for joint-private prediction.
    pub notion: &'static str,
    /// Whether a limit was hit or the guess failed, so that bounds may be far apart.
    pub undecided: bool,
    /// One value, or a curve.
    #[serde(flatten)]
    pub found: FoundValues,
    #[serde(skip)]
    stopped: Option<Stopped>,
    #[serde(skip)]
    text: Lines,
}

/// One value, or a curve.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum FoundValues {
    /// The value for one T, ε and δ.
    One(Box<GameValue>),
    /// Values for many.
    Many(GameCurve),
}

/// The value for one T, ε and δ.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct GameValue {
    /// The number of rounds T.
    pub rounds: usize,
    /// The parameter ε, a rational number or ln(x) of an exact number.
    pub epsilon: String,
    /// The parameter δ.
    pub delta: String,
    /// Between which streams privacy is asked for.
    pub streams: StreamScope,
    /// The law over streams that was given, in place of the worst stream.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    /// Columns and rows of the linear program; null when none was solved.
    pub program: Option<ProgramSize>,
    /// The law over realisable streams that proves the lower bound, together with the multipliers of
    /// a certificate.
    pub adversary: Vec<WeightedStream>,
    /// Where all of it is shown: the law of the output of each round under each history up to symmetry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best_learner: Option<Vec<LawAfter>>,
    /// The value V; null when the bounds differ.
    pub value: Option<String>,
    /// A proved lower bound on V.
    pub lower: String,
    /// A proved upper bound on V.
    pub upper: String,
    /// The given mechanism beside the best one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub learner: Option<LearnerBeside>,
    /// What ended the search before all was found: a limit, or `guess` when the guess in floating
    /// point failed.
    pub stopped: Option<&'static str>,
    #[serde(skip)]
    bounds: [Number; 2],
    #[serde(skip)]
    trivial: [Number; 2],
}

/// The size of a linear program.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub struct ProgramSize {
    /// Its columns.
    pub columns: usize,
    /// Its rows.
    pub rows: usize,
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

/// A game with its parameters, whose size was checked.
struct SizedGame {
    game: Game,
    group: Vec<Symmetry>,
    privacy: Privacy,
}

impl SizedGame {
    fn new(
        question: &MinimaxQuestion,
        class: &Class,
        rounds: usize,
        epsilon: &Epsilon,
        limits: &Limits,
    ) -> Result<Self> {
        let neighbours = match question.streams {
            StreamScope::All => Neighbours::All,
            StreamScope::Realisable => Neighbours::Realisable,
        };
        let game = Game::new(class, question.notion(), neighbours, rounds)?;
        let group = symmetries(&game);
        Size::admit(&game, group.len(), limits.states)?;
        Ok(Self { game, group, privacy: Privacy::new(epsilon, question.delta()) })
    }

    fn solve(&self, against: &Against, run: &Run<'_>) -> Bounds {
        run.progress.enter(format!("the program of T = {}", self.game.rounds()));
        best_response(&self.game, &self.group, &self.privacy, against, &run.limits)
    }

    fn certify(
        &self,
        question: &MinimaxQuestion,
        class: &Class,
        bounds: &Bounds,
        path: &Path,
        limits: &Limits,
    ) -> Result<()> {
        let Self { game, group, privacy } = self;
        let (source, epsilon) = (question.subject.class.as_str(), question.epsilon());
        let certificate =
            certify::certificate(class, source, game, group, epsilon, privacy, bounds, limits);
        file::write(path, |out| format::write_lines(&certificate, out))
    }

    fn save(&self, class: &Class, bounds: &Bounds, path: &Path, limits: &Limits) -> Result<()> {
        let levels = bounds.upper.learner.rounds(&self.game, limits)?;
        let levels = levels.expect("the table of a bound is causal");
        let strategy = Strategy::new(&self.game, class, levels)?;
        let options = Options::rounds(self.game.rounds(), Options::STATES).within(limits);
        let automaton = compile(&strategy, &options)?;
        file::write(path, |out| out.write_all(table::write(&automaton).as_bytes()))
    }
}

/// Bounds on V for every class of this sort: fair bits err half of the time, and the first output
/// against a fair label; where all hypotheses are equal there is nothing to learn.
fn trivial(game: &Game) -> [Number; 2] {
    let fair = |rounds: usize| Rational::new(rounds.into(), 2.into()).into();
    if game.columns().is_empty() {
        [Number::zero(), Number::zero()]
    } else {
        [fair(1), fair(game.rounds())]
    }
}

/// Digits after the point of decimals beside exact numbers.
const DIGITS: u32 = 12;

fn shown(value: &Rational) -> String {
    let (exact, decimal) = (rational::show(value), decimal(value, DIGITS));
    if exact == decimal { exact } else { format!("{exact} ({decimal})") }
}

impl MinimaxAnswer {
    fn one(&self) -> Option<&GameValue> {
        match &self.found {
            FoundValues::One(value) => Some(value),
            FoundValues::Many(_) => None,
        }
    }
}

impl Answer for MinimaxAnswer {
    fn ending(&self) -> Ending {
        self.stopped.map_or(Ending::Found, Ending::Undecided)
    }

    fn text(&self) -> Lines {
        self.text.clone()
    }

    fn csv(&self) -> String {
        match &self.found {
            FoundValues::One(_) => known::csv(&self.json()),
            FoundValues::Many(curve) => curve.csv(),
        }
    }

    fn known(&self, path: &str) -> Option<Known> {
        match self.one() {
            Some(GameValue { bounds: [lower, upper], .. }) if path == "value" => {
                Some(Known::Between(lower.clone(), upper.clone()))
            }
            _ => known::at(&self.json(), path),
        }
    }

    fn symbol(&self, path: &str) -> String {
        if path == "value" { "V".to_owned() } else { path.to_owned() }
    }

    fn setting(&self) -> String {
        self.one().map(|value| format!(", T = {}", value.rounds)).unwrap_or_default()
    }

    fn trivial(&self, path: &str) -> Option<Trivial> {
        let bounded = matches!(path, "value" | "lower" | "upper");
        let value = self.one().filter(|value| bounded && value.against.is_none())?;
        let [least, most] = &value.trivial;
        let reason = format!("{least} ≤ V ≤ {most} for every class of this sort");
        Some(Trivial { lower: Some(least.clone()), upper: Some(most.clone()), reason })
    }

    fn counterexample(&self, path: &str, claimed: &Claimed, _run: &Run<'_>) -> Vec<String> {
        let Some(GameValue { bounds: [lower, _], .. }) = self.one().filter(|_| path == "value")
        else {
            return Vec::new();
        };
        let (what, bound) = match claimed.ceiling() {
            Some(most) if lower > most => ("an adversary", "lower"),
            _ => ("a learner", "upper"),
        };
        vec![format!("{what} that proves the {bound} bound was found")]
    }

    fn evidence(&self) -> Option<String> {
        let streams = self.one()?.adversary.len();
        Some(format!("an adversary with {streams} streams, and a learner's table"))
    }
}
