//! A mechanism and its class: what questions about mechanisms share.

use std::borrow::Cow;
use std::fmt;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::catalogue::Standard;
use crate::class::{Class, ClassBuilder, Header};
use crate::error::{Error, Result};
use crate::limits::Limits;
use crate::mechanism::spec::{Context, Spec, Target};
use crate::mechanism::{Automaton, Boxed, Interface, Mechanism as _, Options, Tools, compile};
use crate::privacy::{INDEPENDENT, Neighbours, Streams, surely_independent};

use super::given::{MechanismFields, OptionalClassFields};
use super::written::{ClassName, Reads};
use super::{Heard, Run, known};

/// A `.rhai`, `.json` or `.toml` file or the name of a mechanism with its parameters: as text, or in
/// claims and requests as a table with `use` and the parameters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct MechanismName(Value);

impl MechanismName {
    /// The mechanism as it is described.
    ///
    /// # Errors
    /// When the description is malformed.
    pub fn spec(&self, folder: &Path) -> Result<Spec> {
        match &self.0 {
            Value::String(text) => Spec::parse(text, folder),
            table => {
                let table = toml::Table::try_from(table)
                    .map_err(|error| Error::argument(format!("mechanism: {error}")))?;
                Spec::from_toml(&table, folder, "the table")
            }
        }
    }

    /// The files that are read for it, as far as it is well formed.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        self.0.as_str().map(Spec::files).unwrap_or_default()
    }
}

impl FromStr for MechanismName {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        if text.trim().is_empty() {
            return Err("expected a file or the name of a mechanism, found nothing".into());
        }
        Ok(Self(text.into()))
    }
}

impl<'de> Deserialize<'de> for MechanismName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::String(text) => text.parse().map_err(D::Error::custom),
            table @ Value::Object(_) => Ok(Self(numbers_as_text(table))),
            _ => Err(D::Error::custom("expected a mechanism, as a string or a table with `use`")),
        }
    }
}

/// Numbers are read as exact expressions, so their text is what counts.
fn numbers_as_text(value: Value) -> Value {
    match value {
        Value::Number(number) if number.is_i64() || number.is_u64() => number.to_string().into(),
        Value::Array(list) => list.into_iter().map(numbers_as_text).collect(),
        Value::Object(map) => {
            map.into_iter().map(|(key, value)| (key, numbers_as_text(value))).collect()
        }
        other => other,
    }
}

impl JsonSchema for MechanismName {
    fn schema_name() -> Cow<'static, str> {
        "mechanism".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["string", "object"], "examples": ["subsampled-soa:gamma=1/4"] })
    }
}

/// A table as `name:parameter=value,…`, as far as it has such a form.
impl fmt::Display for MechanismName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Value::String(text) => f.write_str(text),
            Value::Object(table) => {
                f.write_str(&table.get("use").map(known::text).unwrap_or_default())?;
                let parameters = table.iter().filter(|(key, _)| *key != "use");
                for (place, (key, value)) in parameters.enumerate() {
                    let before = if place == 0 { ':' } else { ',' };
                    write!(f, "{before}{key}={}", known::text(value))?;
                }
                Ok(())
            }
            other => write!(f, "{other}"),
        }
    }
}

/// Which streams count.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum StreamScope {
    /// All streams over the records.
    #[default]
    All,
    /// Streams that some hypothesis of the class fits; where two streams are compared, a weaker
    /// claim.
    Realisable,
}

/// The numbers of rounds: one, or a range, for which results are a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rounds {
    /// The least number of rounds.
    pub first: usize,
    /// The greatest.
    pub last: usize,
    /// Whether a range was written, even one of a single number.
    pub range: bool,
}

impl Rounds {
    /// The numbers in increasing order.
    pub fn all(self) -> std::ops::RangeInclusive<usize> {
        self.first..=self.last
    }
}

impl Reads for Rounds {
    const FORMAT: &'static str = "whole";
    const EXAMPLE: &'static str = "1..6";

    fn read(text: &str) -> std::result::Result<Self, String> {
        let number = |text: &str| match text.trim().parse() {
            Ok(0) | Err(_) => None,
            Ok(number) => Some(number),
        };
        let read = match text.split_once("..") {
            None => number(text).map(|n| Self { first: n, last: n, range: false }),
            Some((first, last)) => number(first)
                .zip(number(last))
                .filter(|(first, last)| first <= last)
                .map(|(first, last)| Self { first, last, range: true }),
        };
        read.ok_or_else(|| {
            "expected a number of rounds, at least 1, or a range such as 1..6, which includes 6"
                .into()
        })
    }
}

/// One number of rounds, at least 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Length(pub usize);

impl Reads for Length {
    const FORMAT: &'static str = "whole";
    const EXAMPLE: &'static str = "4";

    fn read(text: &str) -> std::result::Result<Self, String> {
        match Rounds::read(text) {
            Ok(rounds) if rounds.range => {
                Err("expected one number of rounds, found a range".into())
            }
            Ok(rounds) => Ok(Self(rounds.last)),
            Err(_) => Err(format!("expected a number of rounds, from 1 to {}", usize::MAX)),
        }
    }
}

/// A mechanism and the class it was asked for with.
#[derive(Debug)]
pub struct Subject {
    /// The mechanism, not yet compiled.
    pub mechanism: Boxed,
    /// The class with its SOA, where there is one.
    pub tools: Option<Rc<Tools>>,
    class: Option<Rc<Class>>,
    /// Whether it is described by a file.
    written: bool,
}

impl Run<'_> {
    /// The mechanism that a question is about, with its class. Preconditions of the paper that its
    /// parameters violate are told as notes.
    ///
    /// # Errors
    /// As [`resolve`](Self::resolve).
    pub fn subject(&self, asked: &MechanismFields) -> Result<Subject> {
        self.beside(&asked.with, &asked.mechanism)
    }

    /// A mechanism that is given beside the class of a question, likewise.
    ///
    /// # Errors
    /// As [`resolve`](Self::resolve).
    pub fn beside(
        &self,
        class: &OptionalClassFields,
        mechanism: &MechanismName,
    ) -> Result<Subject> {
        self.resolve(mechanism, class.class.as_ref(), class.header.said(), Heard::Note)
    }

    /// Loads the class and resolves the mechanism. Preconditions of the paper that its parameters
    /// violate are told as `remark`s.
    ///
    /// # Errors
    /// When either cannot be read or is malformed, or when the points of a learner or predictor
    /// are not those of the class.
    pub fn resolve(
        &self,
        mechanism: &MechanismName,
        class: Option<&ClassName>,
        header: Option<Header>,
        remark: fn(String) -> Heard,
    ) -> Result<Subject> {
        let spec = mechanism.spec(&self.folder)?;
        let load = |name| self.class(name, header);
        let class = class.map(load).transpose()?.map(|loaded| Rc::new(loaded.class.clone()));
        let tools = class.clone().map(|class| Tools::new(class, self.limits.clone()));
        let context =
            Context { tools: tools.clone(), catalogue: &Standard, limits: self.limits.clone() };
        let mechanism = context.resolve(&spec)?;
        mechanism.remarks().into_iter().for_each(|text| self.tell(remark(text)));
        if let Some(class) = &class {
            same_points(mechanism.interface(), class)?;
        }
        let written = matches!(spec.target, Target::File(_));
        Ok(Subject { mechanism, tools, class, written })
    }
}

impl Subject {
    /// What the mechanism sees and releases.
    pub fn interface(&self) -> &Interface {
        self.mechanism.interface()
    }

    /// The class.
    ///
    /// # Errors
    /// When none was given; `purpose` says what needs it.
    pub fn class(&self, purpose: &str) -> Result<&Class> {
        self.class.as_deref().ok_or_else(|| {
            let help = "give one with --class, such as `--class point:3`";
            Error::argument_with_help(format!("{purpose} need a class"), help)
        })
    }

    /// Whether a class was given.
    pub fn has_class(&self) -> bool {
        self.class.is_some()
    }

    /// The streams that count.
    ///
    /// # Errors
    /// When streams are to be realisable and there is no class, or the records of the mechanism
    /// are not its labelled examples.
    pub fn streams(&self, scope: StreamScope, limits: &Limits) -> Result<Streams> {
        match scope {
            StreamScope::All => Ok(Streams::all(self.interface().records())),
            StreamScope::Realisable => {
                let class = self.class("realisable streams")?;
                Streams::realisable_by(class, self.interface(), limits)
            }
        }
    }

    /// Says so where the output of a mechanism that the user wrote surely does not depend on the
    /// stream.
    pub fn note_independence(
        &self,
        automaton: &Automaton,
        streams: &Streams,
        neighbours: Neighbours,
        rounds: usize,
        run: &Run<'_>,
    ) {
        if self.written && surely_independent(automaton, streams, neighbours, rounds) {
            run.note(INDEPENDENT);
        }
    }

    /// A class over the points of the mechanism, for reading examples: the one given, or one
    /// without hypotheses.
    pub fn points(&self) -> Rc<Class> {
        let bare = || Rc::new(ClassBuilder::new(self.interface().points().to_vec()).build());
        self.class.clone().unwrap_or_else(bare)
    }

    /// The automaton for streams of at most `rounds` rounds.
    ///
    /// It may have as many states as the limit on states allows, but a limit below
    /// [`Options::STATES`] is meant for the search that comes after.
    ///
    /// # Errors
    /// When there are more states, or the description of the mechanism is at fault.
    pub fn automaton(&self, rounds: usize, limits: &Limits) -> Result<Automaton> {
        let states = limits.states_or(0).max(Options::STATES);
        compile(&self.mechanism, &Options::rounds(rounds, states).within(limits))
    }
}

/// Checks that a learner or predictor has the points of the class, in their order.
fn same_points(interface: &Interface, class: &Class) -> Result<()> {
    let points = interface.points();
    if points.is_empty() || points == class.point_names() {
        return Ok(());
    }
    Err(Error::argument(format!(
        "the mechanism is over the points {}, the class over {}",
        points.join(", "),
        class.point_names().join(", ")
    )))
}
