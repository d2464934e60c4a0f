//! All questions, without their types: what the doors that are not written for one question use.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use schemars::generate::SchemaSettings;
use schemars::{Schema, schema_for};
use serde_json::{Map, Value};

use crate::catalogue::Standard;
use crate::class::{Header, Loaded};
use crate::error::{Error, Result};
use crate::exact::{Epsilon, Number, expression};
use crate::limits::Stopped;
use crate::littlestone::Solver;

use super::always::AlwaysQuestion;
use super::atlas::AtlasQuestion;
use super::bounds::learning::BoundsLearningQuestion;
use super::bounds::predictor::BoundsPredictorQuestion;
use super::candidates::CandidatesQuestion;
use super::causal::CausalQuestion;
use super::certificate::CertificateQuestion;
use super::combine_table::CombineTableQuestion;
use super::concentrated::ConcentratedQuestion;
use super::decomposition::DecompositionQuestion;
use super::dimension::DimensionQuestion;
use super::door::{self, Field, Misread};
use super::fact2::Fact2Question;
use super::given::MechanismFields;
use super::identity::IdentityQuestion;
use super::lemma5::Lemma5Question;
use super::lemma5::block::BlockQuestion;
use super::minimax::MinimaxQuestion;
use super::mistakes::MistakesQuestion;
use super::phases::PhasesQuestion;
use super::potentials::PotentialsQuestion;
use super::privacy::PrivacyQuestion;
use super::probability::ProbabilityQuestion;
use super::profile::ProfileQuestion;
use super::regret::RegretQuestion;
use super::soa::SoaQuestion;
use super::subject::MechanismName;
use super::thirds::ThirdsQuestion;
use super::threshold::ThresholdQuestion;
use super::{Answer, ClaimKind, Ending, Question, Run, Strengthening, known};

/// A question, without its type.
#[derive(Debug)]
pub struct Registered {
    /// What requests and claims call it.
    pub name: &'static str,
    /// What is asked, in one sentence.
    pub about: String,
    /// Its fields.
    pub fields: Vec<Field>,
    /// The keys of its answer.
    pub paths: Vec<Field>,
    /// Whether the answer has a verdict of its own.
    pub decides: bool,
    /// The fields of which one has to be there for a verdict; none where there always is one.
    pub claimed_in: &'static [&'static str],
    /// Other names in claims.
    pub kinds: &'static [ClaimKind],
    /// The constants of what is claimed that can be made stronger.
    pub strengthened: &'static [Strengthening],
    /// The schema of a request without its name.
    pub question: Schema,
    /// The schema of an answer.
    pub answer: Schema,
    read: fn(Request) -> std::result::Result<(), Misread>,
    answer_to: fn(Request, &Run<'_>) -> Found,
}

type Request = Map<String, Value>;
type Found = Result<Box<dyn Answer>>;

impl Registered {
    fn new<Q: Question>() -> Self {
        let question = schema_for!(Q);
        let about = question.get("description").and_then(Value::as_str).unwrap_or_default();
        Self {
            name: Q::NAME,
            about: about.replace('\n', " "),
            fields: door::fields::<Q>(),
            paths: door::fields::<Q::Answer>(),
            decides: Q::DECIDES,
            claimed_in: Q::CLAIMED_IN,
            kinds: Q::KINDS,
            strengthened: Q::STRENGTHENED,
            answer: SchemaSettings::draft2020_12()
                .for_serialize()
                .into_generator()
                .into_root_schema_for::<Q::Answer>(),
            read: |fields| door::read::<Q>(fields).map(drop),
            answer_to: answer_to::<Q>,
            question,
        }
    }

    /// What is known of the value at a path of every answer.
    pub fn value(&self, path: &str) -> Option<Field> {
        door::value(self.answer.as_value(), path)
    }

    /// Whether these are the fields of such a question.
    ///
    /// # Errors
    /// As [`door::read`].
    pub fn read(&self, fields: Map<String, Value>) -> std::result::Result<(), Misread> {
        (self.read)(fields)
    }

    /// Reads a question of this name and answers it.
    ///
    /// # Errors
    /// As [`door::question`] and [`Question::answer`].
    pub fn answer(&self, fields: Map<String, Value>, run: &Run<'_>) -> Result<Box<dyn Answer>> {
        (self.answer_to)(fields, run)
    }
}

fn answer_to<Q: Question>(fields: Map<String, Value>, run: &Run<'_>) -> Result<Box<dyn Answer>> {
    Ok(Box::new(door::question::<Q>(fields)?.answer(run)?))
}

/// An answer in JSON, with what every one has.
pub fn object(answer: &dyn Answer) -> Value {
    let mut value = answer.json();
    if let (Value::Object(map), Ending::Undecided(stopped)) = (&mut value, answer.ending()) {
        map.entry("verdict").or_insert_with(|| "undecided".into());
        map.entry("stopped").or_insert_with(|| stopped.word().into());
    }
    value
}

/// All questions, by name.
pub fn all() -> &'static [Registered] {
    static ALL: LazyLock<Vec<Registered>> = LazyLock::new(|| {
        vec![
            Registered::new::<AlwaysQuestion>(),
            Registered::new::<CausalQuestion>(),
            Registered::new::<AtlasQuestion>(),
            Registered::new::<BoundsLearningQuestion>(),
            Registered::new::<BoundsPredictorQuestion>(),
            Registered::new::<CertificateQuestion>(),
            Registered::new::<DecompositionQuestion>(),
            Registered::new::<DimensionQuestion>(),
            Registered::new::<Fact2Question>(),
            Registered::new::<BlockQuestion>(),
            Registered::new::<CandidatesQuestion>(),
            Registered::new::<CombineTableQuestion>(),
            Registered::new::<ConcentratedQuestion>(),
            Registered::new::<IdentityQuestion>(),
            Registered::new::<Lemma5Question>(),
            Registered::new::<MinimaxQuestion>(),
            Registered::new::<MistakesQuestion>(),
            Registered::new::<PhasesQuestion>(),
            Registered::new::<PrivacyQuestion>(),
            Registered::new::<ProbabilityQuestion>(),
            Registered::new::<ProfileQuestion>(),
            Registered::new::<PotentialsQuestion>(),
            Registered::new::<RegretQuestion>(),
            Registered::new::<SoaQuestion>(),
            Registered::new::<ThirdsQuestion>(),
            Registered::new::<ThresholdQuestion>(),
        ]
    });
    &ALL
}

/// The question called `name`.
pub fn find(name: &str) -> Option<&'static Registered> {
    all().iter().find(|question| question.name == name)
}

/// The names that the fields of a question give to expressions, with their values.
///
/// # Errors
/// When the class cannot be loaded.
pub fn names(fields: &Map<String, Value>, run: &Run<'_>) -> Result<BTreeMap<String, Number>> {
    let mut names = BTreeMap::new();
    let mut add = |name: &str, value: Number| names.insert(name.to_owned(), value);
    let text = |field: &str| fields.get(field).map(known::text);
    let number = |field: &str| expression::evaluate(&text(field)?, &BTreeMap::new()).ok();
    let mechanism = fields.get("mechanism").cloned();
    let mechanism: Option<MechanismName> = mechanism.and_then(|m| serde_json::from_value(m).ok());
    if let Some(Ok(spec)) = mechanism.map(|mechanism| mechanism.spec(&run.folder)) {
        let own = ["T", "d", "points", "hypotheses", "epsilon", "exp_epsilon"];
        for (name, value) in spec.numbers(&Standard) {
            if !own.contains(&name.as_str()) {
                add(&name, value);
            }
        }
    }
    for (field, name) in [("rounds", "T"), ("p", "p"), ("epsilon", "epsilon"), ("delta", "delta")] {
        number(field).map(|value| add(name, value));
    }
    let epsilon = text("epsilon").and_then(|text| Epsilon::parse(&text).ok());
    if let Some(epsilon) = epsilon {
        add("exp_epsilon", epsilon.factor());
    }
    if let Some(loaded) = class(fields, run)? {
        let size = |n: usize| i64::try_from(n).unwrap_or(i64::MAX).into();
        add("points", size(loaded.class.points()));
        add("hypotheses", size(loaded.class.hypotheses()));
    }
    Ok(names)
}

/// What is wrong with the mechanism and the class of a question, if something is.
pub fn subject_fault(fields: &Map<String, Value>, run: &Run<'_>) -> Option<Error> {
    fields.get("mechanism")?;
    match door::located::<MechanismFields>(Value::Object(fields.clone())) {
        Ok(asked) => run.subject(&asked).err(),
        Err(misread) => Some(misread.into()),
    }
}

/// The Littlestone dimension of the class of a question, which takes work.
///
/// # Errors
/// When there is no class, or a limit is hit.
pub fn dimension(fields: &Map<String, Value>, run: &Run<'_>) -> Result<Number> {
    let loaded = class(fields, run)?;
    let loaded =
        loaded.ok_or_else(|| Error::argument("`d` is about a class, and there is none"))?;
    let dimension = Solver::new(&loaded.class, run.limits.clone()).dimension();
    let stopped = dimension.stopped.unwrap_or(Stopped::Elsewhere);
    dimension.value().map(|d| i64::from(d).into()).ok_or_else(|| Error::Limit {
        stopped,
        message: "a limit was reached before the value of `d` was found".into(),
        help: "allow more, or write the dimension as a number".into(),
    })
}

fn class(fields: &Map<String, Value>, run: &Run<'_>) -> Result<Option<Arc<Loaded>>> {
    let text = |field: &str| fields.get(field).and_then(Value::as_str);
    let name = text("class").and_then(|name| name.parse().ok());
    let header = text("header").and_then(Header::named);
    name.map(|name| run.class(&name, header)).transpose()
}
