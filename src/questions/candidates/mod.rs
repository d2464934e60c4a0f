//! Algorithm 2, the candidate sequence: a run as a table, the law of what it returns, or a property
//! over many streams (Lemmas 3 and 6 to 10).

mod answer;
mod fields;
mod parameters;
mod property;
mod quantity;
mod run;

use std::path::PathBuf;

use itertools::Itertools as _;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::catalogue::candidates::{Algorithm, Fault, Likely, Parameters, Seeded, Variant};
use crate::class::Class;
use crate::error::{Error, Result};
use crate::exact::{Epsilon, Rational, show};
use crate::limits::Stopped;
use crate::text::Lines;

use super::door::{flattened, of_field};
use super::given::ClassFields;
use super::known::about;
use super::subject::{Length, StreamScope};
use super::written::{Between, Formula, StreamText, Text};
use super::{ClaimKind, NoFiles, Question, Run, blocks};

pub use answer::{CandidatesAnswer, ConditionFound, FoundCandidates, ParametersFound};
pub use fields::{Ambient, Listed, Seed};
pub use property::{KeyedBy, Property, SampleRule, StatementFound, ValueFound};
pub use run::{CallFound, LawFound, ListFound, OutcomeFound, RecordFound, RunFound, StepFound};

/// n, k, N or K.
type ParameterSize = Between<1, { Parameters::GREATEST_SIZE }>;

/// Show a run of Algorithm 2, the private candidate sequence: batches, groups, lists, choices; or
/// decide a property of it.
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize, JsonSchema)]
#[command(after_help = EXAMPLES)]
pub struct CandidatesQuestion {
    /// What is asked about.
    #[command(flatten)]
    #[serde(flatten, deserialize_with = "flattened")]
    pub subject: ClassFields,
    /// The labelled examples: `x:y,x:y,…` with point names x and labels y, or a file of them.
    #[arg(long, value_name = "FILE|x:y,…")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stream: Option<StreamText>,
    /// n, the size of a full sample [default: 1].
    #[arg(long = "n", value_name = "N", allow_hyphen_values = true)]
    #[serde(rename = "n", default, skip_serializing_if = "Option::is_none")]
    pub sample: Option<Text<ParameterSize>>,
    /// k, the number of groups [default: 1].
    #[arg(long = "k", value_name = "N", allow_hyphen_values = true)]
    #[serde(rename = "k", default, skip_serializing_if = "Option::is_none")]
    pub groups: Option<Text<ParameterSize>>,
    /// N, the number of candidates beside `h_0` [default: 2].
    #[arg(long = "N", value_name = "N", allow_hyphen_values = true)]
    #[serde(rename = "N", default, skip_serializing_if = "Option::is_none")]
    pub candidates: Option<Text<ParameterSize>>,
    /// K, the size of a full batch [default: 2kn, as in the paper].
    #[arg(long = "K", value_name = "N", allow_hyphen_values = true)]
    #[serde(rename = "K", default, skip_serializing_if = "Option::is_none")]
    pub batch: Option<Text<ParameterSize>>,
    /// d, at least the Littlestone dimension of the class, which it is by default.
    #[arg(long, value_name = "D", allow_hyphen_values = true)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ambient: Option<Text<Ambient>>,
    /// s, the bound on the sizes of lists in Lemmas 3 and 8 [default: the paper's].
    #[arg(long = "s", value_name = "N")]
    #[serde(rename = "s", default, skip_serializing_if = "Option::is_none")]
    pub list_bound: Option<usize>,
    /// q, the base of Select's weights q^c, above 1 [default: 2].
    #[arg(long, value_name = "Q", allow_hyphen_values = true)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub q: Option<Text<Formula>>,
    /// In place of q, a rational a > 0 with q = e^(a/2).
    #[arg(long, value_name = "A", allow_hyphen_values = true)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub a: Option<Text<Formula>>,
    /// B, the score of ⊥ in Select: an integer with q, a rational with a; k and n may stand in it
    /// [default: 3k/4, rounded up].
    #[arg(long = "B", value_name = "B", allow_hyphen_values = true)]
    #[serde(rename = "B", default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Text<Formula>>,
    /// The thresholds `a_0,…,a_d` [default: the paper's, 1/8 − ℓ/(32(d+1))].
    #[arg(long, value_name = "A,…", allow_hyphen_values = true)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thresholds: Option<Text<Listed<Rational>>>,
    /// The list parameters `p_0,…,p_d` [default: the paper's, 2^ℓ n].
    #[arg(long, value_name = "P,…", allow_hyphen_values = true)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lists: Option<Text<Listed<u32>>>,
    /// `h_0`, as labels in point order [default: 0 at every point].
    #[arg(long, value_name = "LABELS")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
    /// The algorithm of the paper, or a misreading of it: `fresh-levels`, `sample-size`, `suffix`,
    /// `forgetful` or `unpadded` [default: paper].
    #[arg(long, value_name = "NAME")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<Text<Variant>>,
    /// Draw the random choices with this seed; otherwise each one is a most likely option.
    #[arg(long, value_name = "SEED", allow_hyphen_values = true)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<Text<Seed>>,
    /// The exact law of what is returned, in place of one run.
    #[arg(long)]
    #[serde(default)]
    pub all: bool,
    /// A property of the algorithm, in place of one run.
    #[arg(long, value_enum, value_name = "NAME")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub property: Option<Property>,
    /// The property over all streams of that many rounds.
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<Text<Length>>,
    /// Which streams of that many rounds [default: realisable].
    #[arg(long, value_enum, value_name = "WHICH")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub streams: Option<StreamScope>,
    /// The greatest difference of errors of a successful group, in place of 1/(64(d+1)), for Lemmas 6
    /// and 9.
    #[arg(long, value_name = "P/Q", allow_hyphen_values = true)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<Text<Rational>>,
    /// z, how many groups may be unsuccessful [default: 0].
    #[arg(long, value_name = "Z")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub z: Option<usize>,
    /// How a group chooses its sample [default: smallest].
    #[arg(long, value_enum, value_name = "NAME")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<SampleRule>,
    /// What the tables of Lemma 10 are keyed by [default: timestamp].
    #[arg(long, value_enum, value_name = "NAME")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keyed_by: Option<KeyedBy>,
    /// The ε of `fixed-tables` and `averaged`: a rational number or ln(q).
    #[arg(long, value_name = "E", allow_hyphen_values = true)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub epsilon: Option<Text<Epsilon>>,
}

const EXAMPLES: &str = "\
Examples:
  littlestone candidates point:3 --stream 1:1,2:0,1:1 --k 2
  littlestone candidates cube:2 --stream 1:1,2:1 --n 1 --k 1 --N 2 --K 1 --seed 7
  littlestone candidates point:3 --stream 1:1 --all --format json
  littlestone candidates point:3 --rounds 2 --property nested
  littlestone candidates point:3 --rounds 2 --property success --K 1

All parameters are free. What the paper asks of them is printed with whether it holds; the paper's
own values cannot be run. In the table, each call of Select has a row for each group: what the group
stored of this batch, how many hypotheses fit all of its samples, their decomposition dimension and
essential hypotheses. Without a seed every choice is a most likely one, the first among several, and
records go to the groups in turn. The same seed gives the same run for ever.";

impl Question for CandidatesQuestion {
    const NAME: &'static str = "candidates";
    const KINDS: &'static [ClaimKind] = &[ClaimKind {
        name: "candidates",
        about: "a property of the candidate sequence (Algorithm 2, Lemmas 3 and 6 to 10)",
        sets: &[],
        renames: &[],
        asserts: &about("value"),
    }];
    const DECIDES: bool = true;
    type Answer = CandidatesAnswer;
    type Files = NoFiles;

    fn validate(&self) -> Result<()> {
        let refuse = |message: String| Err(Error::argument(message));
        if self.q.is_some() && self.a.is_some() {
            return refuse("a: not together with `q`, in place of which it stands".into());
        }
        if self.all && self.seed.is_some() {
            return refuse("seed: not together with `all`, which is about all choices".into());
        }
        let Some(property) = self.property else {
            if self.stream.is_none() {
                return refuse("expected the field `stream` or `property`, found neither".into());
            }
            let others = [
                ("rounds", self.rounds.is_some()),
                ("streams", self.streams.is_some()),
                ("tolerance", self.tolerance.is_some()),
                ("z", self.z.is_some()),
                ("rule", self.rule.is_some()),
                ("keyed_by", self.keyed_by.is_some()),
                ("epsilon", self.epsilon.is_some()),
            ];
            return match others.into_iter().find(|(_, given)| *given) {
                Some((name, _)) => refuse(format!("{name}: only with a property")),
                None => Ok(()),
            };
        };
        if self.all || self.seed.is_some() {
            return refuse("property: not together with `all` or `seed`".into());
        }
        if self.rounds.is_some() == self.stream.is_some() {
            let message = "expected one of the fields `rounds` and `stream`, found both or none";
            return refuse(message.into());
        }
        let takes = property.takes();
        let given = [
            ("tolerance", self.tolerance.is_some()),
            ("z", self.z.is_some()),
            ("rule", self.rule.is_some()),
            ("keyed_by", self.keyed_by.is_some()),
            ("epsilon", self.epsilon.is_some()),
        ];
        match given.into_iter().find(|(name, given)| *given && !takes.contains(name)) {
            Some((name, _)) => refuse(format!("{name}: no such field with this property")),
            None if takes.contains(&"epsilon") && self.epsilon.is_none() => {
                refuse("expected the field `epsilon`, found a question without it".into())
            }
            None => Ok(()),
        }
    }

    fn inputs(&self) -> Vec<PathBuf> {
        let stream = self.stream.as_ref().and_then(StreamText::file);
        self.subject.files().into_iter().chain(stream).collect()
    }

    fn answer_with(&self, _files: &NoFiles, run: &Run<'_>) -> Result<CandidatesAnswer> {
        let loaded = run.class(&self.subject.class, self.subject.header.said())?;
        let class = &loaded.class;
        if class.hypotheses() == 0 {
            let message = format!(
                "expected a class with a hypothesis, found `{}` without any",
                self.subject.class
            );
            return Err(Error::argument(message));
        }
        self.found(class, run).map_err(|fault| match fault {
            // What is listed is too much for this question alone.
            Fault::Input(error @ Error::TooLarge { .. }) if self.property.is_some() => {
                Error::limit(Stopped::Size, error.to_string())
            }
            Fault::Input(error) => error,
            Fault::Stopped(stopped) => Error::from(stopped),
        })
    }
}

impl CandidatesQuestion {
    fn found(&self, class: &Class, run: &Run<'_>) -> std::result::Result<CandidatesAnswer, Fault> {
        let limits = &run.limits;
        let ambient = self.ambient(class, limits)?;
        let algorithm = Algorithm::new(class, self.parameters(class, ambient)?, limits);
        let algorithm = algorithm.map_err(|fault| match fault {
            Fault::Input(error) if self.ambient.is_some() => {
                Fault::from(of_field("ambient", Err::<(), _>(error)).expect_err("it is one"))
            }
            other => other,
        })?;
        let parameters = algorithm.parameters();
        let mut text = Lines::new();
        text.push(&blocks::class_line(self.subject.class.as_str(), class));
        let stream = self.stream.as_ref().map(|stream| stream.read(class, &run.folder));
        let stream = stream.transpose()?;
        if self.property.is_none() {
            run::note_fit(&mut text, class, stream.as_deref().unwrap_or_default());
        }
        self.lines(&mut text, parameters);
        let mut names = Vec::new();
        let found = match (self.property, stream) {
            (Some(property), stream) => {
                let case = property::Case { asked: self, algorithm: &algorithm, stream, limits };
                let missed = parameters.conditions().into_iter().filter(|c| !c.holds);
                let missed = missed.map(|condition| condition.text).join("; ");
                if !missed.is_empty() {
                    run.note(format!("free parameters; the paper also asks for {missed}"));
                }
                names = case.names();
                property.found(&case, &mut names, &mut text)?
            }
            (None, stream) => {
                let stream = stream.unwrap_or_default();
                if self.all {
                    run::law(&mut text, &algorithm, &stream, limits)?
                } else {
                    let found = match &self.seed {
                        Some(seed) => algorithm.run(&stream, &mut Seeded::new(seed.value.0))?,
                        None => algorithm.run(&stream, &mut Likely)?,
                    };
                    run::run(&mut text, class, &stream, &found)?
                }
            }
        };
        Ok(CandidatesAnswer {
            class: self.subject.class.clone(),
            hypotheses: class.hypotheses(),
            points: class.points(),
            variant: self.variant_name(),
            conditions: parameters.conditions().into_iter().map(Into::into).collect(),
            parameters: parameters.into(),
            found,
            text,
            names,
        })
    }

    fn variant_name(&self) -> &'static str {
        let variant = self.variant.as_ref().map(|variant| variant.value).unwrap_or_default();
        Variant::ALL.iter().find(|(_, other)| *other == variant).map_or("paper", |(name, _)| name)
    }

    fn lines(&self, text: &mut Lines, parameters: &Parameters) {
        let thresholds = parameters.thresholds.iter().map(show).join(", ");
        let lists = parameters.lists.iter().join(", ");
        writeln!(
            text,
            "parameters: d = {}, n = {}, k = {}, s = {}, N = {}, K = {}, h_0 = {}, variant {}",
            parameters.ambient,
            parameters.sample,
            parameters.groups,
            parameters.list_bound,
            parameters.candidates,
            parameters.batch,
            parameters.first,
            self.variant_name(),
        );
        writeln!(text, "thresholds a: {thresholds}; list parameters p: {lists}");
        for condition in parameters.conditions() {
            let word = if condition.holds { "as in the paper" } else { "not as in the paper" };
            writeln!(text, "{word}: {}", condition.text);
        }
    }
}
