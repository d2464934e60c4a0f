//! Claims about the answer to a question: their keys are its fields, and assertions about paths in
//! the answer.

mod judge;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use serde_json::{Map, Value};

use crate::catalogue::Standard;
use crate::error::{Error, Position, the_nearest};
use crate::exact::{Epsilon, expression};
use crate::limits::Limits;
use crate::questions::door::{Misread, field_at_fault};
use crate::questions::registry::{self, Registered};
use crate::questions::subject::MechanismName;
use crate::questions::written::mentions;
use crate::questions::{Answer, ClaimKind, Claimed, Heard, Relation, Run, Shared, Wanted};

use super::super::fields::Assertion;
use super::super::value::{Scope, evaluate, within};
use super::super::{Fields, Finding, Located};
use super::{Check, Key, Kind};
use judge::{Judgement, Part};

/// What is claimed of the answer, also of values whose names are those of fields or other keys.
const ANSWER: Key = Key {
    name: "answer",
    grid: true,
    about: "what is claimed of any value of the answer: `answer.PATH = …`, `answer.PATH.at_most = …`",
};

/// A question under one of its names in claims.
#[derive(Debug, Clone, Copy)]
pub(super) struct Named {
    question: &'static Registered,
    kind: Option<&'static ClaimKind>,
}

impl Named {
    fn all() -> impl Iterator<Item = Self> {
        registry::all().iter().flat_map(|question| {
            let named_so = question.kinds.iter().any(|kind| kind.name == question.name);
            let own = (!named_so).then_some(Self { question, kind: None });
            own.into_iter()
                .chain(question.kinds.iter().map(move |kind| Self { question, kind: Some(kind) }))
        })
    }

    fn name(self) -> &'static str {
        self.kind.map_or(self.question.name, |kind| kind.name)
    }

    /// The key of claims for a field.
    fn key(self, field: &'static str) -> &'static str {
        let renames = self.kind.map_or(&[][..], |kind| kind.renames);
        renames.iter().find(|(_, renamed)| *renamed == field).map_or(field, |(key, _)| key)
    }

    /// Whether the value at a path is a list.
    fn is_list(self, path: &str) -> bool {
        self.question.value(path).is_some_and(|field| field.list)
    }

    /// Whether the value at a path is a whole number.
    fn is_integer(self, path: &str) -> bool {
        self.question.value(path).is_some_and(|field| field.integer)
    }

    /// Whether a list within a table, at keys with dots between, is a grid: not where it is claimed of a
    /// list of the answer.
    pub(super) fn varies(self, keys: &str) -> bool {
        let path = keys.strip_prefix("answer.").unwrap_or(keys);
        let relation = |step: &str| Relation::ALL.iter().any(|(name, _)| *name == step);
        match path.rsplit_once('.') {
            Some((path, step)) if relation(step) => !self.is_list(path),
            _ => !self.is_list(path),
        }
    }

    /// The keys, those that the kind sets itself left out.
    fn keys(self) -> Vec<Key> {
        let set = |field: &str| {
            self.kind.is_some_and(|kind| kind.sets.iter().any(|(name, _)| *name == field))
        };
        let fields = self.question.fields.iter().filter(|field| !set(&field.name));
        let fields = fields.map(|field| Key {
            name: self.key(&field.name),
            grid: !field.list,
            about: &field.about,
        });
        let asserts = self.kind.map_or(&[][..], |kind| kind.asserts).iter();
        let asserted = asserts.filter(|asserted| asserted.relation != Relation::Holds);
        let asserted = asserted.map(|asserted| Key {
            name: asserted.key,
            grid: !self.is_list(asserted.path),
            about: match asserted.relation {
                Relation::Contains => "functions that are among them",
                Relation::Excludes => "functions that are not among them",
                _ if self.is_list(asserted.path) => "all of them, a list",
                Relation::Equals | Relation::Holds => "the claimed value, an exact expression",
                Relation::AtLeast => "a claimed lower bound, an exact expression",
                Relation::AtMost => "a claimed upper bound, an exact expression",
            },
        });
        let paths = self.question.paths.iter().map(|path| Key {
            name: &path.name,
            grid: !path.list,
            about: &path.about,
        });
        let given = self.question.fields.iter().any(|field| field.name == super::with::WITH.name);
        let with = (!given).then_some(super::with::WITH);
        let mut keys: Vec<Key> = fields.chain(asserted).chain(with).chain([ANSWER]).collect();
        // One key may be about two paths.
        keys.dedup_by_key(|key| key.name);
        // A name that has no keys for what is claimed has those of the answer.
        let open = |kind: &ClaimKind| kind.name == self.question.name || kind.asserts.is_empty();
        if self.kind.is_none_or(open) {
            let of_every_claim = ["name", "paper", "kind", "expect", "cases"];
            let own = keys.iter().map(|key| key.name);
            let taken: Vec<&str> = own.chain(of_every_claim).collect();
            keys.extend(paths.filter(|path| !taken.contains(&path.name)));
        }
        keys
    }
}

/// The kinds of claims that questions are.
pub(super) fn kinds() -> impl Iterator<Item = &'static Kind> {
    static KEYS: LazyLock<Vec<(Named, Vec<Key>)>> =
        LazyLock::new(|| Named::all().map(|named| (named, named.keys())).collect());
    static KINDS: LazyLock<Vec<Kind>> = LazyLock::new(|| {
        let kind = |(named, keys): &'static (Named, Vec<Key>)| Kind {
            name: named.name(),
            about: named.kind.map_or(&named.question.about, |kind| kind.about),
            keys,
            named: *named,
        };
        KEYS.iter().map(kind).collect()
    });
    KINDS.iter()
}

/// A field as written, where it stands, and where its first character does.
#[derive(Debug)]
struct Given {
    value: Value,
    position: Position,
    inside: Position,
}

#[derive(Debug)]
struct QuestionCheck {
    named: Named,
    fields: BTreeMap<&'static str, Given>,
    /// Whether something is claimed, well or not.
    asserts: bool,
    assertions: Vec<Assertion>,
    with: Vec<(String, Located<String>)>,
    at: Position,
    folder: PathBuf,
}

/// Reads a claim about the answer to a question.
pub(super) fn parse(named: Named, fields: &mut Fields<'_>) -> Option<Box<dyn Check>> {
    let mut read = BTreeMap::new();
    for field in &named.question.fields {
        let key = named.key(&field.name);
        if let Some((Located { value, position }, inside)) = fields.json(key) {
            read.insert(field.name.as_str(), Given { value, position, inside });
        }
    }
    for (field, text) in named.kind.map_or(&[][..], |kind| kind.sets) {
        let value = serde_json::from_str(text).unwrap_or_else(|_| Value::from(*text));
        let (position, inside) = (fields.position(), fields.position());
        read.insert(field, Given { value, position, inside });
    }
    let with = super::with::read(fields)?;
    let mut asserts = false;
    let mut assertions = Vec::new();
    for asserted in named.kind.map_or(&[][..], |kind| kind.asserts) {
        asserts |= fields.has(asserted.key);
        if asserted.relation == Relation::Holds {
            let claimed = fields.json(asserted.key);
            assertions.extend(claimed.map(|(Located { position, .. }, _)| Assertion {
                path: asserted.path.to_owned(),
                relation: Relation::Equals,
                claimed: Located { value: true.to_string(), position },
                listed: None,
            }));
        } else if fields.has(asserted.key) {
            if named.is_list(asserted.path) && fields.strings(asserted.key).is_none()
                || named.is_integer(asserted.path) && fields.expression(asserted.key).is_none()
            {
                continue;
            }
            assertions.extend(fields.assertion(asserted.key, asserted));
        }
    }
    let known = named.keys();
    for path in &named.question.paths {
        let is_path = known.iter().any(|key| std::ptr::eq(key.name, path.name.as_str()));
        if is_path && fields.has(&path.name) {
            asserts = true;
            assertions.extend(fields.assertions(&path.name)?);
        }
    }
    if fields.has(ANSWER.name) {
        asserts = true;
        for assertion in fields.assertions(ANSWER.name)? {
            // A value of the answer may be called as a relation is.
            let relation = Relation::ALL.iter().find(|(_, r)| *r == assertion.relation);
            let (path, relation) = match assertion.path.strip_prefix("answer.") {
                Some(path) => (path.to_owned(), assertion.relation),
                None => (relation.map_or("", |(name, _)| name).to_owned(), Relation::Equals),
            };
            let key = path.split('.').next().unwrap_or_default();
            let known = || named.question.paths.iter().map(|path| path.name.as_str());
            if !known().any(|known| known == key) {
                let names = known().collect::<Vec<_>>().join(", ");
                let expected =
                    format!("a value of the answer of `{}` ({names})", named.question.name);
                let near = the_nearest(key, known());
                fields.refuse(assertion.claimed.position, &expected, &format!("`{key}`{near}"));
                return None;
            }
            assertions.push(Assertion { path, relation, ..assertion });
        }
    }
    let check = QuestionCheck {
        named,
        fields: read,
        asserts,
        assertions,
        with,
        at: fields.position(),
        folder: fields.folder().to_path_buf(),
    };
    check.early(fields)?;
    Some(Box::new(check))
}

/// Whether a text of such a field is an expression, which may have names in it.
fn is_expression(format: Option<&String>) -> bool {
    format.is_some_and(|format| matches!(format.as_str(), "number" | "epsilon" | "whole"))
}

/// The expressions in the value of such a field.
fn expressions<'v>(format: Option<&String>, value: &'v Value) -> Vec<&'v str> {
    match value {
        Value::String(text) if is_expression(format) => vec![text],
        Value::Array(list) => list.iter().flat_map(|value| expressions(format, value)).collect(),
        // The weights of a law.
        Value::Object(law) if format.is_some_and(|format| format == "law") => {
            law.values().filter_map(Value::as_str).collect()
        }
        _ => Vec::new(),
    }
}

/// Puts its value in the place of each expression.
fn valued(
    value: &mut Value,
    format: Option<&String>,
    inside: &Position,
    scope: &Scope,
) -> Result<(), Error> {
    match value {
        Value::Array(list) => {
            list.iter_mut().try_for_each(|value| valued(value, format, inside, scope))
        }
        // The weights of a law.
        Value::Object(law) if format.is_some_and(|format| format == "law") => {
            let number = "number".to_owned();
            law.values_mut().try_for_each(|value| valued(value, Some(&number), inside, scope))
        }
        Value::String(text) if is_expression(format) => {
            let named = scope.keys().any(|name| mentions(text, name));
            let number = format.is_some_and(|format| format == "number");
            if !(named || number && expression::evaluate(text, &Scope::new()).is_err()) {
                return Ok(());
            }
            *text = if format.is_some_and(|format| format == "epsilon") {
                let fault = |e| Error::At { position: inside.clone(), message: format!("{e}") };
                Epsilon::parse_in(text, scope).map_err(fault)?.to_string()
            } else {
                let expression = Located { value: text.clone(), position: inside.clone() };
                evaluate(&expression, scope)?.to_string()
            };
            Ok(())
        }
        _ => Ok(()),
    }
}

impl QuestionCheck {
    /// Whether the answer has a verdict of its own.
    fn decides(&self) -> bool {
        let claimed_in = self.named.question.claimed_in;
        let claimed = |field: &&str| self.fields.contains_key(*field);
        self.named.question.decides && (claimed_in.is_empty() || claimed_in.iter().any(claimed))
    }

    /// Checks what can be checked before names have values.
    fn early(&self, fields: &mut Fields<'_>) -> Option<()> {
        let names = self.names();
        let needs_names = |name: &str, value: &Value| {
            let field = self.named.question.fields.iter().find(|field| field.name == name);
            let format = field.and_then(|field| field.format.as_ref());
            let expressions = expressions(format, value);
            // The parameters of a mechanism are names, and known when it is resolved.
            expressions.iter().any(|text| {
                names.iter().any(|name| mentions(text, name))
                    || self.fields.contains_key("mechanism")
                        && text.contains(char::is_alphabetic)
                        && expression::evaluate(text, &Scope::new()).is_err()
            })
        };
        let required = self.named.question.fields.iter().filter(|field| field.required);
        let missing = required.filter(|field| !self.fields.contains_key(field.name.as_str()));
        let missing: Vec<&str> = missing.map(|field| self.named.key(&field.name)).collect();
        for key in &missing {
            fields.missing(&format!("the key `{key}`"));
        }
        if !self.asserts && !self.decides() {
            let keys = self.named.kind.map_or(&[][..], |kind| kind.asserts);
            let keys: Vec<String> =
                keys.iter().map(|asserted| format!("`{}`", asserted.key)).collect();
            fields.missing(&match keys.split_last() {
                Some((last, rest)) if !rest.is_empty() => {
                    format!("one of the keys {} and {last}", rest.join(", "))
                }
                _ => {
                    let fields = self.named.question.claimed_in.iter();
                    let keys: Vec<String> =
                        fields.map(|field| format!("`{}`, ", self.named.key(field))).collect();
                    let other = if keys.is_empty() { "a key" } else { "or another key" };
                    format!("{}{other} that says what is claimed of the answer", keys.concat())
                }
            });
            return None;
        }
        if !missing.is_empty() {
            return None;
        }
        if self.fields.iter().any(|(name, given)| needs_names(name, &given.value)) {
            return Some(());
        }
        let map = self.map(&Scope::new()).unwrap_or_else(|_| self.map_as_written());
        let Err(misread) = self.named.question.read(map) else { return Some(()) };
        fields
            .fault(Error::At { position: self.position(&misread.path), message: misread.message });
        None
    }

    /// The names that may stand in expressions: those of every claim, of the mechanism and of `with`.
    fn names(&self) -> Vec<String> {
        let own = ["T", "d", "p", "points", "hypotheses", "epsilon", "exp_epsilon"];
        let mechanism = self.fields.get("mechanism").map(|given| given.value.clone());
        let mechanism: Option<MechanismName> =
            mechanism.and_then(|value| serde_json::from_value(value).ok());
        let spec = mechanism.and_then(|mechanism| mechanism.spec(&self.folder).ok());
        let parameters = spec.map(|spec| spec.numbers(&Standard)).unwrap_or_default();
        let parameters = parameters.into_iter().map(|(name, _)| name);
        let with = self.with.iter().map(|(name, _)| name.clone());
        own.map(str::to_owned).into_iter().chain(parameters).chain(with).collect()
    }

    /// Where the value of a field stands, or else the claim.
    fn position(&self, path: &str) -> Position {
        let field = path.split(['.', '[']).next().unwrap_or_default();
        self.fields.get(field).map_or(&self.at, |given| &given.position).clone()
    }
}

impl Check for QuestionCheck {
    fn run(&self, limits: &Limits, shared: &Arc<Shared>) -> Result<Finding, Error> {
        let heard = RefCell::new(Vec::new());
        let listener = |new: Heard| {
            if let Heard::Note(text) = new {
                heard.borrow_mut().push(format!("note: {text}"));
            }
        };
        let mut run = Run::within(limits.clone()).sharing(shared).heard_by(&listener);
        run.folder.clone_from(&self.folder);
        let scope = self.scope(&run)?;
        // What names of the answer stand in has its value after the answer.
        let early = |a: &Assertion| match evaluate(&a.claimed, &scope) {
            Ok(value) => Some((a.relation, value)),
            Err(_) => None,
        };
        for path in self.paths() {
            let claimed: Option<Vec<_>> =
                self.assertions.iter().filter(|a| a.path == path).map(early).collect();
            run.wanted.push(Wanted { path: path.to_owned(), claimed: claimed.map(Claimed) });
        }
        let map = self.map(&scope).and_then(|map| {
            let misread = |misread: Misread| Error::At {
                position: self.position(&misread.path),
                message: misread.message,
            };
            self.named.question.read(map.clone()).map_err(misread).map(|()| map)
        });
        let answer = match map {
            Ok(map) => self.named.question.answer(map, &run),
            // Without its mechanism, an expression lacks names.
            Err(error) => {
                Err(registry::subject_fault(&self.map_as_written(), &run).unwrap_or(error))
            }
        };
        let answer = answer.map_err(|error| self.placed(error))?;
        let mut scope = scope;
        scope.extend(answer.names().into_iter().map(|(name, value)| (name.to_owned(), value)));
        let mut finding = self.judge(&*answer, &scope, &run)?;
        finding.details.extend(answer.remarks());
        finding.details.extend(heard.into_inner());
        Ok(finding)
    }
}

impl QuestionCheck {
    /// The paths that something is claimed of, in written order.
    fn paths(&self) -> Vec<&str> {
        let mut paths: Vec<&str> = Vec::new();
        for assertion in &self.assertions {
            if !paths.contains(&assertion.path.as_str()) {
                paths.push(&assertion.path);
            }
        }
        paths
    }

    /// An error about a field stands there, and one that is no fault of the text of the claim where
    /// the claim says what it is about. A limit stays what it is.
    fn placed(&self, error: Error) -> Error {
        let fields = self.named.question.fields.iter().map(|field| field.name.as_str());
        let fields = fields.filter(|field| self.fields.contains_key(field));
        if let Some(field) = field_at_fault(&error, fields) {
            let Given { value, position, inside } = &self.fields[field];
            return match error {
                // The text of a table is not that of the claim.
                Error::Malformed { position: inner, expected, found } => {
                    let position =
                        if value.is_string() { within(inside, &inner) } else { position.clone() };
                    Error::malformed(position, expected, found)
                }
                other => {
                    let message = other.on_one_line()[field.len() + 2..].to_owned();
                    Error::At { position: position.clone(), message }
                }
            };
        }
        let own = match &error {
            Error::Malformed { position, .. } | Error::At { position, .. } => {
                position.source == self.at.source
            }
            Error::Limit { .. } => true,
            _ => false,
        };
        let subject = ["mechanism", "class"].iter().find(|field| self.fields.contains_key(**field));
        let position = self.position(subject.copied().unwrap_or_default());
        if own { error } else { Error::At { position, message: error.on_one_line() } }
    }

    /// The names that expressions may use, as far as they have values before the answer.
    fn scope(&self, run: &Run<'_>) -> Result<Scope, Error> {
        let mut scope = registry::names(&self.map_as_written(), run).map_err(|error| {
            let position = self.position("class");
            match error {
                Error::Limit { .. } => error,
                other => Error::At { position, message: other.on_one_line() },
            }
        })?;
        let formats = self.named.question.fields.iter().map(|field| field.format.as_ref());
        let names = self.named.question.fields.iter().map(|field| self.fields.get(&*field.name));
        let fields = names.zip(formats).filter_map(|(given, format)| Some((given?, format)));
        let fields = fields.flat_map(|(given, format)| expressions(format, &given.value));
        let claimed = self.assertions.iter().map(|a| a.claimed.value.as_str());
        let with = self.with.iter().map(|(_, expression)| expression.value.as_str());
        if self.fields.contains_key("class")
            && fields.chain(claimed).chain(with).any(|text| mentions(text, "d"))
        {
            let dimension = registry::dimension(&self.map_as_written(), run);
            scope.insert("d".into(), dimension.map_err(|error| self.placed(error))?);
        }
        for (name, expression) in &self.with {
            let value = evaluate(expression, &scope)?;
            scope.insert(name.clone(), value);
        }
        Ok(scope)
    }

    fn map_as_written(&self) -> Map<String, Value> {
        self.fields.iter().map(|(name, given)| ((*name).to_owned(), given.value.clone())).collect()
    }

    /// The fields with the values of their expressions.
    fn map(&self, scope: &Scope) -> Result<Map<String, Value>, Error> {
        let mut map = self.map_as_written();
        // The names of a claim have values, also for questions that take names themselves.
        let value = |name: &String| Some((name.clone(), scope.get(name)?.to_string().into()));
        let values: Option<Map<_, _>> = self.with.iter().map(|(name, _)| value(name)).collect();
        if let (Some(with), Some(values)) = (map.get_mut("with"), values) {
            *with = values.into();
        }
        for field in &self.named.question.fields {
            let Some(written) = map.get_mut(&field.name) else { continue };
            let format = field.format.as_ref();
            if let Some(text) = written.as_str().filter(|_| format.is_some_and(|f| f == "whole")) {
                // Some fields take more than numbers, such as a range.
                if let Ok(value) = expression::evaluate(text, scope) {
                    *written = value.to_string().into();
                }
                continue;
            }
            let inside = self.fields.get(&*field.name).map_or(&self.at, |given| &given.inside);
            valued(written, format, inside, scope)?;
        }
        Ok(map)
    }

    /// Whether the answer has at a path what a field of that name says.
    fn repeats(&self, answer: &dyn Answer, path: &str) -> bool {
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let given = self.fields.get(path).map(|given| text(&given.value));
        let found = answer.json().get(path).map(text);
        given.is_some() && given == found
    }

    fn judge(&self, answer: &dyn Answer, scope: &Scope, run: &Run<'_>) -> Result<Finding, Error> {
        let mut judgement = Judgement::new(answer, scope, run);
        judgement.own(self.decides(), self.assertions.iter().any(|a| a.path == "verdict"));
        for path in self.paths() {
            let claimed = self.assertions.iter().filter(|a| a.path == path).collect();
            let (whole, repeated) = (self.named.is_integer(path), self.repeats(answer, path));
            let least = self.named.question.value(path).and_then(|field| field.least);
            let part = Part { path, whole, repeated, least: least.map(Into::into), claimed };
            judgement.part(&part, &self.at)?;
        }
        judgement.finding().ok_or_else(|| {
            let message = "expected something that is claimed, found a claim without it".into();
            Error::At { position: self.at.clone(), message }
        })
    }
}
