//! The privacy profile of mechanisms: the worst δ as a function of ε, and what is claimed of it.

mod answer;
mod claimed;
mod plot;
mod text;

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::exact::{Epsilon, Number};
use crate::file;
use crate::limits::Limits;
use crate::mechanism::{Automaton, Options, compile};
use crate::privacy::{self, Neighbours, Notion, Profile};

use super::door::flattened;
use super::given::MechanismFields;
use super::privacy::neighbours::{Given, NeighbourChoice, Relation};
use super::subject::{Length, MechanismName, StreamScope};
use super::written::{AtLeastZero, Delta, Text};
use super::{OutputFiles, Question, Run};

pub use answer::ProfileAnswer;
use claimed::{ClaimedPoint, LeastEpsilon};
use plot::Vertical;

/// Compute the privacy profile of a mechanism: its worst δ at every ε (Definitions 2 and 4).
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize, JsonSchema)]
#[command(after_help = EXAMPLES)]
pub struct ProfileQuestion {
    /// What is asked about.
    #[command(flatten)]
    #[serde(flatten, deserialize_with = "flattened")]
    pub subject: MechanismFields,
    /// Mechanisms that it is compared with.
    #[arg(value_name = "OTHERS")]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<MechanismName>,
    /// Number of rounds; for one-shot mechanisms, the number of records.
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<Text<Length>>,
    /// Joint privacy (Definition 4): the answer of the differing round is dropped on both sides.
    #[arg(long)]
    #[serde(default)]
    pub joint: bool,
    /// The same in a word: whole outputs (Definition 2), or joint (Definition 4).
    #[arg(long, value_enum, value_name = "WHICH")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notion: Option<NotionName>,
    /// Which streams count.
    #[arg(long, value_enum, default_value_t, value_name = "WHICH")]
    #[serde(default)]
    pub streams: StreamScope,
    /// Which streams are neighbours: replacement by default, add-remove, adjacent (vectors of answers),
    /// or a file of pairs; the last three are for one-shot mechanisms.
    #[arg(long, value_name = "WHICH|FILE")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub neighbours: Option<Text<NeighbourChoice>>,
    /// Print δ at this ε too: a rational number such as 1/2, or a logarithm such as `ln(3/2)`.
    #[arg(long, value_name = "E", allow_hyphen_values = true)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub epsilon: Option<Text<Epsilon>>,
    /// Print the least ε for this δ too, an exact number in [0, 1).
    #[arg(long, value_name = "D", allow_hyphen_values = true)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delta: Option<Text<Delta>>,
    /// Claim that these are all pairs (e^ε, δ) where the profile bends, from e^ε = 1 on: `1:1/2`.
    #[arg(long, value_name = "A:D", value_delimiter = ',', help_heading = "Claims")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub breakpoints: Option<Vec<ClaimedPoint>>,
    /// Claim that the profile has these values δ at these e^ε: `3/2:1/8`.
    #[arg(long, value_name = "A:D", value_delimiter = ',', help_heading = "Claims")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<Vec<ClaimedPoint>>,
    /// Claim the least ε for δ: an ε, or `infinite`.
    #[arg(long, value_name = "E", allow_hyphen_values = true, help_heading = "Claims")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least_epsilon: Option<Text<LeastEpsilon>>,
    /// Claim the least ε for δ = 0: an ε, or `infinite`.
    #[arg(long, value_name = "E", allow_hyphen_values = true, help_heading = "Claims")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pure_epsilon: Option<Text<LeastEpsilon>>,
    /// Claim the limit of δ as ε grows.
    #[arg(long, value_name = "D", allow_hyphen_values = true, help_heading = "Claims")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Text<AtLeastZero>>,
}

const EXAMPLES: &str = "\
Examples:
  littlestone profile randomised-response:flip=1/4 --rounds 1
  littlestone profile subsampled-soa:gamma=1/8,flip=1/4 --class point:3 --rounds 4 --joint
  littlestone profile count.rhai --rounds 3 --delta 1/100 --plot profile.svg --log-y

The worst δ at ε is linear in e^ε between finitely many breakpoints; all of them are printed, each
with the piece that begins there and the pair of streams that attains it.
Exit codes: 0 computed, 1 a claim is refuted, 2 malformed input, 3 undecided.";

/// What is compared.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum NotionName {
    /// The whole output (Definition 2).
    Whole,
    /// The output without the answer of the differing round (Definition 4).
    Joint,
}

/// The drawing of profiles.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct ProfileFiles {
    /// Draw δ over ε to an SVG file.
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<PathBuf>,
    /// Draw the logarithm of δ.
    #[arg(long, requires = "plot")]
    pub log_y: bool,
}

impl OutputFiles for ProfileFiles {
    fn options(&self) -> Vec<(&'static str, Option<&PathBuf>)> {
        vec![("--plot", self.plot.as_ref())]
    }
}

/// A mechanism and its profile.
#[derive(Debug)]
pub(crate) struct Curve {
    mechanism: MechanismName,
    automaton: Automaton,
    relation: Relation,
    profile: Profile,
}

impl Question for ProfileQuestion {
    const NAME: &'static str = "profile";
    const DECIDES: bool = true;
    const CLAIMED_IN: &'static [&'static str] =
        &["breakpoints", "points", "least_epsilon", "pure_epsilon", "limit"];
    type Answer = ProfileAnswer;
    type Files = ProfileFiles;

    fn validate(&self) -> Result<()> {
        if self.rounds.is_none() && !self.given().sized() {
            let help = "give a number of rounds such as 4";
            return Err(Error::argument_with_help("`rounds` is missing", help));
        }
        if self.least_epsilon.is_some() && self.delta.is_none() {
            return Err(Error::argument("`least_epsilon` is that of a δ, and there is no `delta`"));
        }
        if self.joint && self.notion == Some(NotionName::Whole) {
            return Err(Error::argument("`joint` and `notion` contradict one another"));
        }
        if self.breakpoints.iter().chain(&self.points).any(Vec::is_empty) {
            let message = "expected at least one pair at `breakpoints` and `points`, found none";
            return Err(Error::argument(message));
        }
        Ok(())
    }

    fn inputs(&self) -> Vec<PathBuf> {
        let mechanisms = self.mechanisms().flat_map(MechanismName::files);
        mechanisms.chain(self.subject.with.files()).chain(self.given().file()).collect()
    }

    fn answer_with(&self, files: &ProfileFiles, run: &Run<'_>) -> Result<ProfileAnswer> {
        let svg = |path: &PathBuf| path.extension().is_some_and(|e| e.eq_ignore_ascii_case("svg"));
        if files.plot.as_ref().is_some_and(|path| !svg(path)) {
            let message = "--plot: expected the name of a file that ends in .svg";
            return Err(Error::argument(message));
        }
        // What is wrong with one of them is told before the work on another.
        let prepared: Result<Vec<_>> =
            self.mechanisms().map(|mechanism| self.prepared(mechanism, run)).collect();
        let mut curves = Vec::new();
        for (mechanism, prepared) in self.mechanisms().zip(prepared?) {
            let curve = self.curve(mechanism, prepared, run)?;
            if let Some(stopped) = curve.profile.stopped {
                run.warn(format!("{mechanism}: the profile is not fully known: {stopped}"));
            }
            curves.push(curve);
        }
        let answer = ProfileAnswer::new(self, curves);
        answer.so_far(run);
        let Some(path) = &files.plot else { return Ok(answer) };
        if answer.complete() {
            let axis = if files.log_y { Vertical::Logarithmic } else { Vertical::Linear };
            let drawing = plot::draw(self, answer.curves(), axis)?;
            file::write(path, |out| out.write_all(drawing.as_bytes()))?;
            run.wrote("plot", path);
        } else {
            run.warn("no plot: a profile is not fully known");
        }
        Ok(answer)
    }
}

/// A mechanism that is loaded, with the streams that count.
type Prepared = (Automaton, privacy::Streams, Relation);

impl ProfileQuestion {
    fn mechanisms(&self) -> impl Iterator<Item = &MechanismName> {
        std::iter::once(&self.subject.mechanism).chain(&self.others)
    }

    /// Whether the answer of the differing round is dropped.
    fn joint(&self) -> bool {
        self.joint || self.notion == Some(NotionName::Joint)
    }

    fn delta(&self) -> Option<&Number> {
        self.delta.as_ref().map(|delta| &delta.value.0)
    }

    fn given(&self) -> Given<'_> {
        Given { neighbours: self.neighbours.as_ref(), distance: None, pairs: &[] }
    }

    /// All numbers that the automaton is compared with.
    fn numbers(&self) -> Vec<Number> {
        let factor = self.epsilon.iter().map(|epsilon| epsilon.value.factor());
        let points = self.breakpoints.iter().chain(&self.points).flatten();
        let points = points.map(|point| point.factor.clone());
        factor.chain(self.delta().cloned()).chain(points).collect()
    }

    fn prepared(&self, mechanism: &MechanismName, run: &Run<'_>) -> Result<Prepared> {
        let subject = run.beside(&self.subject.with, mechanism)?;
        let interface = subject.interface();
        let rounds = self.rounds.as_ref().map(|rounds| rounds.value.0);
        let relation = self.given().relation(interface, rounds, self.joint(), run)?;
        let last = rounds.unwrap_or(1);
        if relation.pairs().is_none() {
            privacy::check_streams(interface.records(), last)?;
        }
        let shorter = usize::from(relation.kind() == Neighbours::AddRemove);
        let sizes = relation.sizes().unwrap_or(last - shorter..=last);
        let (states, limits) = (states(&run.limits), run.limits.clone());
        let options = Options { states, rounds: Some(*sizes.end()), sizes: Some(sizes), limits };
        let automaton = compile(&subject.mechanism, &options)?;
        automaton.fits(&self.numbers())?;
        let streams = subject.streams(self.streams, &run.limits)?;
        if relation.pairs().is_none() {
            subject.note_independence(&automaton, &streams, relation.kind(), last, run);
        }
        Ok((automaton, streams, relation))
    }

    fn curve(&self, mechanism: &MechanismName, prepared: Prepared, run: &Run<'_>) -> Result<Curve> {
        let (automaton, streams, relation) = prepared;
        let rounds = self.rounds.as_ref().map_or(1, |rounds| rounds.value.0);
        let notion = if self.joint() { Notion::Joint } else { Notion::Whole };
        let question = (notion, relation.kind());
        run.progress.enter("breakpoints");
        let (limits, progress) = (&run.limits, &run.progress);
        let profile = match relation.pairs() {
            Some(pairs) => privacy::listed_profile(&automaton, pairs, limits)?,
            None => privacy::profile(&automaton, &streams, question, rounds, limits, progress)?,
        };
        Ok(Curve { mechanism: mechanism.clone(), automaton, relation, profile })
    }
}

/// The states an automaton may have: a limit below the usual one is meant for the search.
fn states(limits: &Limits) -> usize {
    limits.states_or(0).max(Options::STATES)
}
