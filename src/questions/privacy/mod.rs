//! Whether a mechanism is (ε,δ)-private (Definitions 2 and 4), and its worst δ.
//!
//! | module | idea |
//! | --- | --- |
//! | `neighbours` | which streams or data sets are compared |
//! | `resolved` | the question with its automaton and its streams, and what follows from the searches |
//! | `part` | a part of the pairs for job arrays, and one answer from all parts |
//! | `answer` | what is found, with its JSON |
//! | `text` | the answer for reading |

mod answer;
pub(crate) mod neighbours;
pub(crate) mod part;
pub(crate) mod resolved;
pub(crate) mod text;

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, de};

use crate::class::{self};
use crate::error::{Error, Result};
use crate::exact::{Epsilon, Number};
use crate::file;
use crate::limits::Limits;
use crate::mechanism::{Options, compile, every_length_covered};
use crate::privacy::{self, Every, Notion, Verdict};

use super::door::flattened;
use super::given::MechanismFields;
use super::subject::{Rounds, StreamScope, Subject};
use super::written::{AtLeastZero, Reads, Text};
use super::{Answer as _, Change, ClaimKind, Heard, OutputFiles, Question, Run, Strengthening};

pub use answer::PrivacyAnswer;
pub(crate) use answer::inequality;
use neighbours::{Distance, Given, NeighbourChoice};
use resolved::{Resolved, Witness};

/// Decide whether a mechanism is (ε,δ)-private (Definitions 2 and 4), or compute its worst δ.
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize, JsonSchema)]
#[command(after_help = EXAMPLES)]
pub struct PrivacyQuestion {
    /// What is asked about.
    #[command(flatten)]
    #[serde(flatten, deserialize_with = "flattened")]
    pub subject: MechanismFields,
    /// Number of rounds, or a range such as 1..6 for a table; for one-shot mechanisms, the number
    /// of records, and with listed pairs the greatest one.
    /// `all` asks about every number at once: a bound from one step that holds for every T, and
    /// T = 1, …, 6 directly where it does not suffice.
    #[arg(long, value_name = "T|A..B|all", allow_hyphen_values = true)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<Text<Horizon>>,
    /// The ε of the claim: a rational number such as 1/2, or a logarithm such as `ln(3/2)` or
    /// `ln(3/4 + 1/4*exp(1))`.
    #[arg(long, value_name = "E", allow_hyphen_values = true)]
    pub epsilon: Text<Epsilon>,
    /// The δ of the claim, an exact number of at least 0, such as 1/4 or `1 - exp(-1/2)`. Without it
    /// the worst δ is computed, and there is no verdict.
    #[arg(long, value_name = "D", allow_hyphen_values = true)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delta: Option<Text<AtLeastZero>>,
    /// Joint privacy (Definition 4): the answer of the differing round is dropped on both sides.
    #[arg(long)]
    #[serde(default)]
    pub joint: bool,
    /// Which streams count.
    #[arg(long, value_enum, default_value_t, value_name = "WHICH")]
    #[serde(default)]
    pub streams: StreamScope,
    /// Which streams are neighbours: replacement by default, add-remove, adjacent (vectors of answers),
    /// or a file of pairs; the last three are for one-shot mechanisms.
    #[arg(long, value_name = "WHICH|FILE")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub neighbours: Option<Text<NeighbourChoice>>,
    /// In place of neighbours, in how many records data sets of a one-shot mechanism may differ at
    /// most.
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance: Option<Text<Distance>>,
    /// In place of neighbours, a pair of data sets of a one-shot mechanism, such as "a,b | c"; several
    /// of them are a list.
    #[arg(long, value_name = "S|S'")]
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "some_pairs")]
    pub pairs: Vec<String>,
    /// Decide δ without computing the worst one, which can be much faster.
    #[arg(long)]
    #[serde(default)]
    pub decide_only: bool,
}

const EXAMPLES: &str = "\
Examples:
  littlestone verify learner.rhai --class point:3 --rounds 3 --epsilon 'ln(3/2)' --delta 0
  littlestone verify predictor.rhai --class point:3 --rounds 4 --epsilon 0 --delta 1/4 --joint
  littlestone verify predictor.rhai --class point:3 --rounds 1..6 --epsilon 0 --joint
  littlestone verify predictor.rhai --class point:3 --rounds all --epsilon 0 --delta 1/4 --joint
  littlestone verify count.rhai --rounds 2 --epsilon 'ln(2)' --delta 0 --neighbours add-remove

The worst δ is the maximum of P(E) − e^ε·Q(E) over all ordered pairs of neighbouring streams and
all events E of outputs; the claim holds iff it is at most δ. When refuted, the shortest streams
that refute are printed, with an event and both probabilities.
Exit codes: 0 holds, 1 refuted, 2 malformed input, 3 undecided.";

/// The numbers of rounds: these, or every one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Horizon {
    /// These.
    Of(Rounds),
    /// Every one.
    Every,
}

impl Reads for Horizon {
    const FORMAT: &'static str = Rounds::FORMAT;
    const EXAMPLE: &'static str = Rounds::EXAMPLE;

    fn read(text: &str) -> std::result::Result<Self, String> {
        if text == "all" {
            return Ok(Self::Every);
        }
        Rounds::read(text).map(Self::Of).map_err(|expected| format!("{expected}, or `all`"))
    }
}

/// The files that prove or show a verdict.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct PrivacyFiles {
    /// Write a certificate that `littlestone recheck` verifies.
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// When refuted, write the counterexample to a file that `littlestone replay` reads.
    #[arg(long, value_name = "FILE")]
    pub counterexample: Option<PathBuf>,
}

impl OutputFiles for PrivacyFiles {
    fn options(&self) -> Vec<(&'static str, Option<&PathBuf>)> {
        vec![
            ("--certificate", self.certificate.as_ref()),
            ("--counterexample", self.counterexample.as_ref()),
        ]
    }
}

/// A list that is there lists something: an empty one would be taken for none.
fn some_pairs<'de, D: Deserializer<'de>>(input: D) -> std::result::Result<Vec<String>, D::Error> {
    let pairs = Vec::<String>::deserialize(input)?;
    let none = || de::Error::custom("expected at least one pair, found an empty list");
    if pairs.is_empty() { Err(none()) } else { Ok(pairs) }
}

impl Question for PrivacyQuestion {
    const NAME: &'static str = "privacy";
    const KINDS: &'static [ClaimKind] = &[ClaimKind {
        name: "joint-privacy",
        about: "a mechanism is (ε,δ)-jointly private: outputs without the differing round \
                (Definition 4)",
        sets: &[("joint", "true")],
        renames: &[],
        asserts: &[],
    }];
    const DECIDES: bool = true;
    const CLAIMED_IN: &'static [&'static str] = &["delta"];
    const STRENGTHENED: &'static [Strengthening] =
        &[Strengthening { field: "epsilon", change: Change::SmallerEpsilon }];
    type Answer = PrivacyAnswer;
    type Files = PrivacyFiles;

    fn validate(&self) -> Result<()> {
        let given = self.given();
        given.validate()?;
        let rounds = self.rounds.as_ref().map(|rounds| rounds.value);
        let every = rounds == Some(Horizon::Every);
        if self.decide_only && self.delta.is_none() {
            return Err(Error::argument("`decide_only` decides a δ, and there is no `delta`"));
        }
        if rounds.is_none() && !given.sized() {
            return Err(Error::argument_with_help(
                "`rounds` is missing",
                "give a number of rounds such as 4, a range such as 1..6, or `all`",
            ));
        }
        if every && self.decide_only {
            return Err(Error::argument_with_help(
                "`decide_only` has no effect on every number of rounds",
                "no worst δ is computed anyway",
            ));
        }
        let table = matches!(rounds, Some(Horizon::Of(rounds)) if rounds.range);
        if !given.searched() && (every || table) {
            return Err(Error::argument(
                "listed data sets are compared at one number of records, not at a range or at \
                 every number of `rounds`",
            ));
        }
        Ok(())
    }

    fn inputs(&self) -> Vec<PathBuf> {
        self.subject.files().into_iter().chain(self.given().file()).collect()
    }

    fn answer_with(&self, files: &PrivacyFiles, run: &Run<'_>) -> Result<PrivacyAnswer> {
        self.has_files(files)?;
        if run.asserts("worst_delta") && self.every() {
            return Err(Error::argument(
                "no worst δ of every number of rounds is known: claim a `delta`",
            ));
        }
        let subject = run.subject(&self.subject)?;
        if self.every() {
            return self.every_length(&subject, files, run);
        }
        let resolved = Resolved::new(self, &subject, run)?;
        if resolved.relation.pairs().is_none() {
            let (kind, last) = (resolved.relation.kind(), resolved.rounds.last);
            subject.note_independence(&resolved.automaton, &resolved.streams, kind, last, run);
        }
        let found = resolved.find(run)?;
        PrivacyAnswer::written(resolved, found, files, run)
    }
}

impl PrivacyQuestion {
    /// The fields about neighbours.
    fn given(&self) -> Given<'_> {
        let Self { neighbours, distance, pairs, .. } = self;
        Given { neighbours: neighbours.as_ref(), distance: distance.as_ref(), pairs }
    }

    /// Whether it is about every number of rounds.
    pub(crate) fn every(&self) -> bool {
        self.rounds.as_ref().is_some_and(|rounds| rounds.value == Horizon::Every)
    }

    fn notion(&self) -> Notion {
        if self.joint { Notion::Joint } else { Notion::Whole }
    }

    fn delta(&self) -> Option<&Number> {
        self.delta.as_ref().map(|delta| &delta.value.0)
    }

    /// The δ that is decided without the worst one.
    fn decided(&self) -> Option<&Number> {
        self.delta().filter(|_| self.decide_only)
    }

    /// Checks that there is a form for the files that are asked for.
    ///
    /// # Errors
    /// When there is none.
    pub(crate) fn has_files(&self, files: &PrivacyFiles) -> Result<()> {
        if files.counterexample.is_some() && self.delta.is_none() {
            return Err(Error::argument("--counterexample: the question has no δ; give --delta"));
        }
        match self.rounds.as_ref().map(|rounds| rounds.value) {
            Some(Horizon::Of(Rounds { first, last, .. }))
                if first < last && files.certificate.is_some() =>
            {
                Err(Error::argument_with_help(
                    "--certificate: a table over several numbers of rounds has none",
                    "give one number of rounds, such as `--rounds 4`",
                ))
            }
            _ => Ok(()),
        }
    }

    /// The answer about every number of rounds.
    fn every_length(
        &self,
        subject: &Subject,
        files: &PrivacyFiles,
        run: &Run<'_>,
    ) -> Result<PrivacyAnswer> {
        every_length_covered(crate::mechanism::Mechanism::rounds(&subject.mechanism))?;
        let streams = subject.streams(self.streams, &run.limits)?;
        let relation = self.given().relation(subject.interface(), None, self.joint, run)?;
        let question = self.engine(&relation);
        run.progress.ask("worst δ of every length");
        let build = |options: &Options| {
            let automaton = compile(&subject.mechanism, options)?;
            automaton.fits([&question.epsilon.factor()].into_iter().chain(self.delta()))?;
            Ok(automaton)
        };
        let (limits, progress) = (&run.limits, &*run.progress);
        // Without δ, the bounds alone.
        let (automaton, every) = if let Some(delta) = self.delta() {
            privacy::every_length_of(&build, &streams, &question, delta, limits, progress)?
        } else {
            let closed = Options::closed(states(limits)).within(limits);
            let automaton = privacy::prepared(&build(&closed)?, &streams, limits)?;
            let every = privacy::bounds(&automaton, &streams, &question, limits, progress)?;
            (automaton, every)
        };
        let kind = relation.kind();
        let last = automaton.rounds().unwrap_or(privacy::MAX_ROUNDS);
        subject.note_independence(&automaton, &streams, kind, last, run);
        if let Some(stopped) = every.stopped {
            run.warn(format!("not all was decided: {stopped}"));
        }
        let rounds = Rounds { first: 1, last: privacy::DIRECT_ROUNDS, range: false };
        let realisable_by = self.realisable_by(subject)?;
        let (asked, claimed) = (self.clone(), None);
        let resolved = Resolved {
            asked,
            question,
            automaton,
            streams,
            realisable_by,
            relation,
            rounds,
            claimed,
        };
        self.certifiable(files, &every)?;
        let counterexample = every.counterexample.clone();
        let counterexample =
            counterexample.map(|pair| resolved.witness(pair, limits)).transpose()?;
        let answer = PrivacyAnswer::of_every(resolved, every, counterexample);
        run.tell(Heard::SoFar(answer.text()));
        answer.write_counterexample(files, run)?;
        if let (Some(path), Some((every, witness))) = (&files.certificate, answer.every()) {
            let done = self.certify_every(answer.resolved(), (every, witness), path, run)?;
            told(done, path, run);
        }
        Ok(answer)
    }

    /// Refuses a certificate of what only the outputs of a one-shot mechanism show.
    fn certifiable(&self, files: &PrivacyFiles, every: &Every) -> Result<()> {
        let bounded = every.step.as_ref().zip(self.delta());
        let by_step = bounded.is_none_or(|(step, delta)| step.bound <= *delta);
        if files.certificate.is_some() && every.verdict == Verdict::Holds && !by_step {
            return Err(Error::argument_with_help(
                "--certificate: no certificate for this argument: the verdict holds by a bound on the \
                 outputs at the end, and certificates compare the states after one record",
                "leave the option out",
            ));
        }
        Ok(())
    }

    /// Writes a certificate, unless nothing was decided.
    fn certify_every(
        &self,
        resolved: &Resolved,
        (every, witness): (&Every, Option<&Witness>),
        path: &Path,
        run: &Run<'_>,
    ) -> Result<bool> {
        let realisable_by = resolved.realisable_by.as_ref();
        // Without a claim, the bound itself is what holds.
        let holds = match self.delta() {
            Some(delta) => Some(delta).filter(|_| every.verdict == Verdict::Holds),
            None => every.step.as_ref().map(|step| &step.bound),
        };
        let source = self.subject.mechanism.to_string();
        let (automaton, question) = (&resolved.automaton, &resolved.question);
        if let Some(delta) = holds {
            let certificate =
                privacy::certify::every_length(automaton, question, &source, realisable_by, delta)?;
            privacy::certify::write_file(&certificate, path)?;
            return Ok(true);
        }
        let (Some(witness), Some(delta)) = (witness, self.delta()) else { return Ok(false) };
        let statement = privacy::certify::Statement {
            source: &source,
            realisable_by,
            listed: None,
            rounds: witness.pair.first.len().max(witness.pair.second.len()),
            verdict: Some((delta, privacy::certify::Verdict::Refuted(&witness.pair))),
            worst: None,
        };
        let meter = &mut run.limits.meter();
        privacy::certify::write_certificate(automaton, question, &statement, path, meter)?;
        Ok(true)
    }

    /// The question as the searches know it.
    fn engine(&self, relation: &neighbours::Relation) -> privacy::Question {
        privacy::Question {
            notion: self.notion(),
            neighbours: relation.kind(),
            epsilon: self.epsilon.value.clone(),
        }
    }

    fn realisable_by(&self, subject: &Subject) -> Result<Option<class::Class>> {
        match self.streams {
            StreamScope::All => Ok(None),
            StreamScope::Realisable => subject.class("realisable streams").cloned().map(Some),
        }
    }
}

/// The states an automaton may have: a limit below the usual one is meant for the search.
fn states(limits: &Limits) -> usize {
    limits.states_or(0).max(Options::STATES)
}

fn told(written: bool, path: &Path, run: &Run<'_>) {
    if written {
        run.wrote("certificate", path);
    } else {
        run.warn("no certificate: nothing was decided");
    }
}

/// Makes a file of a value in JSON, indented, with a line feed at the end.
pub(crate) fn write_json(path: &Path, value: &impl Serialize) -> Result<()> {
    file::write(path, |out| {
        serde_json::to_writer_pretty(&mut *out, value)?;
        out.write_all(b"\n")
    })
}
