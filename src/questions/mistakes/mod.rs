//! The exact expected number of mistakes of a learner or predictor (Section 1.1).

mod adversary;
mod answer;
mod certificate;

use std::path::PathBuf;
use std::rc::Rc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::file;
use crate::mistakes::check_kind;
use crate::privacy::{Neighbours, Streams};
use crate::report::phases::draw;

use super::door::flattened;
use super::given::MechanismFields;
use super::known::about;
use super::subject::{Rounds, StreamScope};
use super::thirds::against;
use super::written::{LawText, StreamText, Text};
use super::{ClaimKind, OutputFiles, Question, Run};

pub use adversary::AdversaryName;
pub use answer::MistakesAnswer;

use adversary::Adversary;
use answer::Played;

/// Compute the exact expected number of mistakes against an oblivious adversary.
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize, JsonSchema)]
#[command(after_help = EXAMPLES)]
pub struct MistakesQuestion {
    /// What is asked about.
    #[command(flatten)]
    #[serde(flatten, deserialize_with = "flattened")]
    pub subject: MechanismFields,
    /// One stream: `x:y,x:y,…` with point names x and labels y, or a file of examples.
    #[arg(long, value_name = "FILE|x:y,…")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stream: Option<StreamText>,
    /// The worst stream of that many rounds, which is asked for where nothing else is.
    #[arg(long)]
    #[serde(default)]
    pub worst: bool,
    /// Independent examples of one law: `1/2 x:y; 1/2 x:y`, or a file with an entry a line.
    #[arg(long, value_name = "FILE|P x:y;…")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iid: Option<LawText>,
    /// A stream drawn from a listed law: `1/2 x:y,x:y; 1/2 x:y,x:y`, or a file with an entry a
    /// line.
    #[arg(long, value_name = "FILE|P x:y,…;…")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distribution: Option<LawText>,
    /// An adversary of the lower bounds: `thirds:p=P` (Algorithm 1), with `dummy=x:y` (3:0) and
    /// `informative=x` (1), or `phases` (Theorem 2).
    #[arg(long, value_name = "NAME:…")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adversary: Option<Text<AdversaryName>>,
    /// Number of rounds, or a range such as 1..6 for a table. By default all rounds of a stream and
    /// of a listed law.
    #[arg(long, value_name = "T|A..B", allow_hyphen_values = true)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<Text<Rounds>>,
    /// Which streams the worst one is chosen from; by default those that some hypothesis fits.
    #[arg(long, value_enum, value_name = "WHICH")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub streams: Option<StreamScope>,
}

const EXAMPLES: &str = "\
Examples:
  littlestone mistakes soa --class point:3 --stream 3:0,1:1
  littlestone mistakes subsampled-soa:gamma=1/4 --class point:3 --rounds 6 --worst
  littlestone mistakes learner.rhai --class point:3 --rounds 1..6 --worst --streams all
  littlestone mistakes learner.rhai --class point:3 --rounds 4 --iid '3/4 3:0; 1/4 1:1'
  littlestone mistakes learner.rhai --class point:3 --distribution '1/2 3:0,1:1; 1/2 3:0,2:1'
  littlestone mistakes learner.rhai --class point:3 --rounds 27 --adversary thirds:p=1/2
  littlestone mistakes learner.rhai --class cube:4 --rounds 7 --adversary phases --plot path.svg

The adversary is oblivious: the stream, or the law it is drawn from, is fixed in advance and does
not depend on what the mechanism releases. All numbers are exact.
If a limit stops the search for the worst stream, the bounds proved so far are printed, the last
line is `verdict: undecided` and the exit code is 3.";

/// The files that can be written beside the answer.
#[derive(Debug, Default, clap::Args)]
pub struct MistakesFiles {
    /// For the adversary `phases`, draw its path through the tree like Figure 3, as SVG.
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// Write a certificate that `littlestone recheck` verifies.
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
}

impl OutputFiles for MistakesFiles {
    fn options(&self) -> Vec<(&'static str, Option<&PathBuf>)> {
        vec![("--plot", self.plot.as_ref()), ("--certificate", self.certificate.as_ref())]
    }
}

impl Question for MistakesQuestion {
    const NAME: &'static str = "mistakes";
    const KINDS: &'static [ClaimKind] = &[ClaimKind {
        name: "mistakes",
        about: "the expected number of mistakes: on the worst stream, a given one, or random examples",
        sets: &[],
        renames: &[("examples", "iid")],
        asserts: &about("expected_mistakes"),
    }];
    type Answer = MistakesAnswer;
    type Files = MistakesFiles;

    fn validate(&self) -> Result<()> {
        let given = [
            ("`stream`", self.stream.is_some()),
            ("`worst`", self.worst),
            ("`iid`", self.iid.is_some()),
            ("`distribution`", self.distribution.is_some()),
            ("`adversary`", self.adversary.is_some()),
        ];
        let mut given: Vec<&str> = given.iter().filter(|(_, is)| *is).map(|(n, _)| *n).collect();
        if self.streams.is_some() && !self.worst {
            given.push("`streams` of the worst one");
        }
        if given.len() > 1 {
            return Err(Error::argument(format!(
                "expected one of `stream`, `worst`, `iid`, `distribution` and `adversary`, found {}",
                given.join(" and ")
            )));
        }
        if self.rounds.is_none() && self.stream.is_none() && self.distribution.is_none() {
            let help = "give a number of rounds with --rounds";
            return Err(Error::argument_with_help(
                "expected `rounds`, found a question without it",
                help,
            ));
        }
        Ok(())
    }

    fn inputs(&self) -> Vec<PathBuf> {
        let laws = self.iid.iter().chain(&self.distribution).filter_map(LawText::file);
        let stream = self.stream.iter().filter_map(StreamText::file);
        self.subject.files().into_iter().chain(stream).chain(laws).collect()
    }

    fn answer_with(&self, files: &MistakesFiles, run: &Run<'_>) -> Result<MistakesAnswer> {
        let limits = &run.limits;
        let subject = run.subject(&self.subject)?;
        check_kind(subject.interface().kind())?;
        let points = subject.points();
        let adversary = Adversary::new(self, &points, run)?;
        let rounds = adversary.rounds(self.rounds.as_ref().map(|rounds| rounds.value))?;
        if adversary.needs_class() {
            subject.class("realisable streams")?;
        }
        if let Adversary::Thirds(arguments) = &adversary {
            against(arguments, &subject, rounds.last)?;
        }
        if files.plot.is_some() && (!matches!(adversary, Adversary::Phases) || rounds.range) {
            let message = "--plot draws the adversary `phases` for one number of rounds";
            return Err(Error::argument(message));
        }
        if files.certificate.is_some() {
            certificate::expect_form(&adversary, rounds)?;
        }
        let automaton = subject.automaton(rounds.last, limits)?;
        let all = Streams::all(automaton.interface().records());
        subject.note_independence(&automaton, &all, Neighbours::Replacement, rounds.last, run);
        let found = adversary.solve(&automaton, &subject, rounds, run)?;
        let played = Rc::new(Played { automaton, subject, adversary, found });
        let answer = MistakesAnswer::new(self, Rc::clone(&played), rounds);
        if let (Some(path), Some(phases)) = (&files.plot, &played.found[0].phases) {
            file::write(path, |out| out.write_all(draw(phases, &points).as_bytes()))?;
            run.wrote("drawing", path);
        }
        if let Some(path) = &files.certificate {
            certificate::write(&self.subject.mechanism, &played, path, run)?;
        }
        if let Some(reason) = played.stopped() {
            run.warn(format!("the worst stream is undecided: {reason}"));
        }
        Ok(answer)
    }
}
