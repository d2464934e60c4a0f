//! Algorithm 2, the candidate sequence: a run as a table, the law of what it returns, or a property
//! over many streams (Lemmas 3 and 6 to 10).

mod property;
mod quantity;
mod run;

use std::collections::BTreeMap;
use std::path::PathBuf;

use itertools::Itertools as _;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::catalogue::Select;
use crate::catalogue::candidates::{
    Algorithm, Fault, Function, Likely, Parameters, Seeded, Variant,
};
use crate::class::Class;
use crate::error::{Error, Result};
use crate::exact::{BigInt, Epsilon, Number, Rational, parse_rational, show};
use crate::limits::{Limits, Stopped};
use crate::littlestone::Solver;
use crate::text::Lines;

use super::door::flattened;
use super::door::of_field;
use super::given::ClassFields;
use super::known::about;
use super::subject::{Length, StreamScope};
use super::written::{ClassName, Formula, Reads, StreamText, Text, whole};
use super::{
    Answer, ClaimKind, Claimed, Ending, Exact, Known, NoFiles, Question, Run, Trivial, blocks,
};

pub use property::{KeyedBy, Property, SampleRule, StatementFound, ValueFound};
pub use run::{CallFound, LawFound, ListFound, OutcomeFound, RecordFound, RunFound, StepFound};

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
    pub sample: Option<Text<Count>>,
    /// k, the number of groups [default: 1].
    #[arg(long = "k", value_name = "N", allow_hyphen_values = true)]
    #[serde(rename = "k", default, skip_serializing_if = "Option::is_none")]
    pub groups: Option<Text<Count>>,
    /// N, the number of candidates beside `h_0` [default: 2].
    #[arg(long = "N", value_name = "N", allow_hyphen_values = true)]
    #[serde(rename = "N", default, skip_serializing_if = "Option::is_none")]
    pub candidates: Option<Text<Count>>,
    /// K, the size of a full batch [default: 2kn, as in the paper].
    #[arg(long = "K", value_name = "N", allow_hyphen_values = true)]
    #[serde(rename = "K", default, skip_serializing_if = "Option::is_none")]
    pub batch: Option<Text<Count>>,
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

/// n, k, N or K. Numbers that are out of range are refused with the other parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count(pub usize);

impl Reads for Count {
    const FORMAT: &'static str = "whole";
    const EXAMPLE: &'static str = "2";

    fn read(text: &str) -> std::result::Result<Self, String> {
        let expected = || format!("expected a number from 1 to {}", Parameters::GREATEST_SIZE);
        text.parse().map(Self).map_err(|_| expected())
    }
}

/// The ambient dimension d.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ambient(pub i32);

impl Reads for Ambient {
    const FORMAT: &'static str = "whole";
    const EXAMPLE: &'static str = "1";

    fn read(text: &str) -> std::result::Result<Self, String> {
        let expected = || format!("expected a number from 0 to {}", Parameters::GREATEST_AMBIENT);
        text.parse().map(Self).map_err(|_| expected())
    }
}

/// What random choices are drawn with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seed(pub u64);

impl Reads for Seed {
    const FORMAT: &'static str = "seed";
    const EXAMPLE: &'static str = "7";

    fn read(text: &str) -> std::result::Result<Self, String> {
        whole(text).map(Self)
    }
}

/// Numbers with commas between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed<T>(pub Vec<T>);

impl Reads for Listed<Rational> {
    const FORMAT: &'static str = "numbers";
    const EXAMPLE: &'static str = "1/8,1/16";

    fn read(text: &str) -> std::result::Result<Self, String> {
        let read = |item: &str| parse_rational(item.trim());
        let read = text.split(',').map(read).collect::<std::result::Result<_, _>>();
        read.map(Self).map_err(|error| format!("expected rational numbers: {error}"))
    }
}

impl Reads for Listed<u32> {
    const FORMAT: &'static str = "numbers";
    const EXAMPLE: &'static str = "1,2";

    fn read(text: &str) -> std::result::Result<Self, String> {
        let read = text.split(',').map(|item| item.trim().parse());
        let read = read.collect::<std::result::Result<_, std::num::ParseIntError>>();
        read.map(Self).map_err(|_| format!("expected numbers from 1 to {}", u32::MAX))
    }
}

impl Reads for Variant {
    const FORMAT: &'static str = "variant";
    const EXAMPLE: &'static str = "paper";

    fn read(text: &str) -> std::result::Result<Self, String> {
        let found = Self::ALL.iter().find(|(name, _)| *name == text);
        found.map(|(_, variant)| *variant).ok_or_else(|| {
            format!("expected one of {}", Self::ALL.iter().map(|(name, _)| name).join(", "))
        })
    }
}

/// What was found about Algorithm 2.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CandidatesAnswer {
    /// The class as it was named.
    pub class: ClassName,
    /// Number of distinct hypotheses.
    pub hypotheses: usize,
    /// Number of points.
    pub points: usize,
    /// `paper`, or the name of a misreading.
    pub variant: &'static str,
    /// What the paper asks of the parameters, as far as it can be decided.
    pub conditions: Vec<ConditionFound>,
    /// The parameters.
    pub parameters: ParametersFound,
    /// What was asked for.
    #[serde(flatten)]
    pub found: FoundCandidates,
    #[serde(skip)]
    text: Lines,
    #[serde(skip)]
    names: Vec<(&'static str, Number)>,
}

/// A condition of the paper.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ConditionFound {
    /// What is asked, with the numbers in place.
    pub condition: String,
    /// Whether it is so.
    pub holds: bool,
}

/// The parameters of Algorithm 2.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ParametersFound {
    /// d.
    #[serde(rename = "d")]
    pub ambient: i32,
    /// n.
    #[serde(rename = "n")]
    pub sample: usize,
    /// k.
    #[serde(rename = "k")]
    pub groups: usize,
    /// s.
    #[serde(rename = "s")]
    pub list_bound: String,
    /// N.
    #[serde(rename = "N")]
    pub candidates: usize,
    /// K.
    #[serde(rename = "K")]
    pub batch: usize,
    /// B.
    pub score: Exact<Rational>,
    /// `a_0`, …, `a_d`.
    pub thresholds: Vec<Exact<Rational>>,
    /// `p_0`, …, `p_d`.
    pub lists: Vec<u32>,
    /// `h_0` as labels in point order.
    pub first: String,
}

/// A run, a law, or what was found about a property.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum FoundCandidates {
    /// One run.
    Run(RunFound),
    /// The law of what is returned.
    Law(LawFound),
    /// Whether a statement is true of every run.
    Statement(StatementFound),
    /// A number.
    Value(ValueFound),
}

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
        Ok(self.answer_about(class, parameters, found, text, names))
    }

    fn answer_about(
        &self,
        class: &Class,
        parameters: &Parameters,
        found: FoundCandidates,
        text: Lines,
        names: Vec<(&'static str, Number)>,
    ) -> CandidatesAnswer {
        let condition = |condition: crate::catalogue::candidates::Condition| ConditionFound {
            condition: condition.text,
            holds: condition.holds,
        };
        CandidatesAnswer {
            class: self.subject.class.clone(),
            hypotheses: class.hypotheses(),
            points: class.points(),
            variant: self.variant_name(),
            conditions: parameters.conditions().into_iter().map(condition).collect(),
            parameters: ParametersFound {
                ambient: parameters.ambient,
                sample: parameters.sample,
                groups: parameters.groups,
                list_bound: parameters.list_bound.to_string(),
                candidates: parameters.candidates,
                batch: parameters.batch,
                score: Exact(parameters.score.clone()),
                thresholds: parameters.thresholds.iter().cloned().map(Exact).collect(),
                lists: parameters.lists.clone(),
                first: parameters.first.labels().to_owned(),
            },
            found,
            text,
            names,
        }
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

    fn ambient(&self, class: &Class, limits: &Limits) -> std::result::Result<i32, Fault> {
        if let Some(ambient) = &self.ambient {
            return Ok(ambient.value.0);
        }
        let found = Solver::new(class, limits.clone()).dimension();
        found.value().ok_or(Fault::Stopped(found.stopped.unwrap_or(Stopped::Elsewhere)))
    }

    /// The parameters: those that are given, and otherwise the paper's as far as they can be run.
    fn parameters(&self, class: &Class, ambient: i32) -> Result<Parameters> {
        of_field("ambient", Parameters::check_ambient(ambient))?;
        let size = |name: &str, given: &Option<Text<Count>>, default: usize| {
            let size = given.as_ref().map_or(default, |given| given.value.0);
            Parameters::check_size(name, size).map(|()| size)
        };
        let sample = size("n", &self.sample, 1)?;
        let groups = size("k", &self.groups, 1)?;
        let candidates = size("N", &self.candidates, 2)?;
        let batch = self.batch.as_ref().map_or(2 * groups * sample, |batch| batch.value.0);
        let number = |value: usize| Number::from(Rational::from_integer(value.into()));
        let scope: BTreeMap<String, Number> =
            [("k", groups), ("n", sample)].map(|(n, v)| (n.to_owned(), number(v))).into();
        let score = match &self.score {
            Some(score) => rational("B", &score.evaluate("B", &scope)?)?,
            None => Rational::new(BigInt::from(groups) * 3, 4.into()).ceil(),
        };
        let select = match (&self.a, &self.q) {
            (Some(a), _) => {
                let a = rational("a", &a.evaluate("a", &scope)?)?;
                of_field("a", Select::with_exponentials(&a, &score))?
            }
            (None, q) => {
                let q = q.as_ref().map_or(Ok(Number::from(2)), |q| q.evaluate("q", &scope))?;
                let at = if self.q.is_some() { "q" } else { "B" };
                of_field(at, Select::with_powers(&q, &score.clone().into()))?
            }
        };
        let first = match &self.first {
            None => Function::zero(class.points()),
            Some(text) => {
                let first = Function::new(text).filter(|f| f.labels().len() == class.points());
                first.ok_or_else(|| {
                    let points = class.points();
                    let expected = format!("expected {points} labels 0 and 1, one for each point");
                    Error::argument(format!("first: {expected}, found `{text}`"))
                })?
            }
        };
        let paper = || Parameters::paper_list_bound(ambient, sample);
        let parameters = Parameters {
            ambient,
            sample,
            groups,
            list_bound: self
                .list_bound
                .unwrap_or_else(|| usize::try_from(paper()).unwrap_or(usize::MAX)),
            candidates,
            batch,
            thresholds: match &self.thresholds {
                Some(thresholds) => thresholds.value.0.clone(),
                None => Parameters::paper_thresholds(ambient),
            },
            lists: match &self.lists {
                Some(lists) => lists.value.0.clone(),
                None => Parameters::paper_lists(ambient, sample)?,
            },
            first,
            select,
            score,
            variant: self.variant.as_ref().map(|variant| variant.value).unwrap_or_default(),
        };
        of_field("thresholds", parameters.check_thresholds())?;
        of_field("lists", parameters.check_lists())?;
        Ok(parameters)
    }
}

fn rational(name: &str, value: &Number) -> Result<Rational> {
    value.as_rational().cloned().ok_or_else(|| {
        Error::argument(format!("{name}: expected a rational number, found {value}"))
    })
}

impl CandidatesAnswer {
    /// The class and the parameters.
    fn name(&self) -> String {
        let variant = match self.variant {
            "paper" => String::new(),
            name => format!(", variant {name}"),
        };
        let ParametersFound { sample, groups, candidates, batch, .. } = &self.parameters;
        format!(
            "{}, n = {sample}, k = {groups}, N = {candidates}, K = {batch}{variant}",
            self.class
        )
    }

    fn value(&self, path: &str) -> Option<&ValueFound> {
        match &self.found {
            FoundCandidates::Value(value) if path == "value" => Some(value),
            _ => None,
        }
    }
}

impl Answer for CandidatesAnswer {
    fn ending(&self) -> Ending {
        match &self.found {
            FoundCandidates::Statement(found) if found.counterexample.is_some() => Ending::Refuted,
            FoundCandidates::Statement(_) => Ending::Holds,
            _ => Ending::Found,
        }
    }

    fn text(&self) -> Lines {
        self.text.clone()
    }

    fn found(&self) -> String {
        let FoundCandidates::Statement(found) = &self.found else { return String::new() };
        let verdict = if self.vacuous().is_some() { "vacuous" } else { found.verdict };
        format!("{}: {verdict} for {}, {}", found.statement, self.name(), found.over)
    }

    fn vacuous(&self) -> Option<String> {
        match &self.found {
            FoundCandidates::Statement(found) if found.events.is_empty() => {
                Some("it says nothing on any run".into())
            }
            _ => None,
        }
    }

    fn moot(&self, path: &str) -> Option<String> {
        self.value(path).filter(|value| value.empty).map(|_| "there is no full batch".into())
    }

    fn known(&self, path: &str) -> Option<Known> {
        match self.value(path) {
            Some(value) => Some(Known::number(value.number.clone())),
            None => super::known::at(&super::Json::json(self), path),
        }
    }

    fn symbol(&self, path: &str) -> String {
        self.value(path).map_or_else(|| path.to_owned(), |value| value.what.clone())
    }

    fn setting(&self) -> String {
        let decimal = self.value("value").map(|value| value.number.decimal(6));
        decimal.map_or_else(String::new, |decimal| format!(" ≈ {decimal} for {}", self.name()))
    }

    fn names(&self) -> Vec<(&'static str, Number)> {
        self.names.clone()
    }

    fn trivial(&self, path: &str) -> Option<Trivial> {
        let most = self.value(path)?.most.clone();
        let reason = format!("this is true of every number from 0 to {most}");
        Some(Trivial { lower: Some(Number::zero()), upper: Some(most), reason })
    }

    fn counterexample(&self, path: &str, _claimed: &Claimed, _run: &Run<'_>) -> Vec<String> {
        match &self.found {
            FoundCandidates::Statement(found) => found.counterexample.iter().cloned().collect(),
            _ => self
                .value(path)
                .map(|value| format!("attained: {}", value.attained))
                .into_iter()
                .collect(),
        }
    }

    fn evidence(&self) -> Option<String> {
        match &self.found {
            FoundCandidates::Statement(found) => Some(found.evidence()),
            FoundCandidates::Value(value) => Some(value.attained.clone()),
            _ => None,
        }
    }
}
