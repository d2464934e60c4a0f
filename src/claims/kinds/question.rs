//! Claims about the answer to a question: their keys are its fields, and assertions about paths in
//! the answer.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use serde_json::{Map, Value};

use crate::error::{Error, Position};
use crate::exact::{Epsilon, expression};
use crate::limits::Limits;
use crate::questions::door::Misread;
use crate::questions::registry::{self, Registered};
use crate::questions::{
    Answer, ClaimKind, Claimed, Ending, Heard, Known, Relation, Run, Shared, Wanted,
};

use super::super::value::{Scope, evaluate};
use super::super::{Fields, Finding, Located, Verdict};
use super::{Check, Classes, Key, Kind, Parse};

/// A question under one of its names in claims.
#[derive(Debug, Clone, Copy)]
pub(super) struct Named {
    question: &'static Registered,
    kind: Option<&'static ClaimKind>,
}

impl Named {
    fn all() -> impl Iterator<Item = Self> {
        registry::all().iter().flat_map(|question| {
            let own = std::iter::once(Self { question, kind: None });
            own.chain(question.kinds.iter().map(move |kind| Self { question, kind: Some(kind) }))
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
        let asserted = self.kind.map_or(&[][..], |kind| kind.asserts).iter().map(|asserted| Key {
            name: asserted.key,
            grid: true,
            about: match asserted.relation {
                Relation::Equals => "the claimed value, an exact expression",
                Relation::AtLeast => "a claimed lower bound, an exact expression",
                Relation::AtMost => "a claimed upper bound, an exact expression",
            },
        });
        let paths = self.question.paths.iter().map(|path| Key {
            name: &path.name,
            grid: true,
            about: &path.about,
        });
        let mut keys: Vec<Key> = fields.chain(asserted).chain([super::subject::WITH]).collect();
        let taken: Vec<&str> = keys.iter().map(|key| key.name).collect();
        keys.extend(paths.filter(|path| !taken.contains(&path.name)));
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
            parse: Parse::Question(*named),
        };
        KEYS.iter().map(kind).collect()
    });
    KINDS.iter()
}

/// Something that is claimed of a value of the answer.
#[derive(Debug)]
struct Assertion {
    path: String,
    relation: Relation,
    claimed: Located<String>,
}

#[derive(Debug)]
struct QuestionCheck {
    named: Named,
    /// The fields as written, and where.
    fields: BTreeMap<&'static str, (Value, Position)>,
    assertions: Vec<Assertion>,
    with: Vec<(String, Located<String>)>,
    at: Position,
    folder: PathBuf,
    shared: Arc<Shared>,
}

/// Reads a claim about the answer to a question.
pub(super) fn parse(named: Named, fields: &mut Fields<'_>) -> Option<Box<dyn Check>> {
    let mut read = BTreeMap::new();
    for field in &named.question.fields {
        let key = named.key(&field.name);
        if let Some(Located { value, position }) = fields.json(key) {
            read.insert(field.name.as_str(), (value, position));
        }
    }
    for (field, text) in named.kind.map_or(&[][..], |kind| kind.sets) {
        // `true` is a truth value, and whatever else is no JSON is text.
        let value = serde_json::from_str(text).unwrap_or_else(|_| Value::from(*text));
        read.insert(field, (value, fields.position()));
    }
    let with = if fields.has("with") { fields.expressions("with")? } else { Vec::new() };
    let mut assertions = Vec::new();
    for asserted in named.kind.map_or(&[][..], |kind| kind.asserts) {
        if let Some(claimed) = fields.expression(asserted.key) {
            let (path, relation) = (asserted.path.to_owned(), asserted.relation);
            assertions.push(Assertion { path, relation, claimed });
        }
    }
    let known = named.keys();
    for path in &named.question.paths {
        let is_path = known.iter().any(|key| std::ptr::eq(key.name, path.name.as_str()));
        if is_path && fields.has(&path.name) {
            for (path, relation, claimed) in fields.assertions(&path.name)? {
                assertions.push(Assertion { path, relation, claimed });
            }
        }
    }
    let check = QuestionCheck {
        named,
        fields: read,
        assertions,
        with,
        at: fields.position(),
        folder: fields.folder().to_path_buf(),
        shared: Arc::default(),
    };
    check.early(fields)?;
    Some(Box::new(check))
}

/// Whether a text of such a field is an expression, which may have names in it.
fn is_expression(format: Option<&String>) -> bool {
    format.is_some_and(|format| matches!(format.as_str(), "number" | "epsilon" | "whole"))
}

/// Whether something is true of a text, or of a text in a list.
fn any_text(value: &Value, test: &dyn Fn(&str) -> bool) -> bool {
    match value {
        Value::Array(list) => list.iter().any(|value| any_text(value, test)),
        Value::String(text) => test(text),
        _ => false,
    }
}

/// Puts its value in the place of an expression, and of each in a list.
fn valued(
    value: &mut Value,
    format: &str,
    position: &Position,
    scope: &Scope,
) -> Result<(), Error> {
    let text = match value {
        Value::Array(list) => {
            return list.iter_mut().try_for_each(|value| valued(value, format, position, scope));
        }
        Value::String(text) => text,
        _ => return Ok(()),
    };
    let named = scope.keys().any(|name| mentions(text, name));
    match format {
        "epsilon" if named => {
            let epsilon = Epsilon::parse_in(text, scope).map_err(|error| Error::At {
                position: position.clone(),
                message: error.to_string(),
            })?;
            *text = epsilon.to_string();
        }
        "number" if named || expression::evaluate(text, &Scope::new()).is_err() => {
            let expression = Located { value: text.clone(), position: position.clone() };
            *text = evaluate(&expression, scope)?.to_string();
        }
        "whole" if named => {
            let expression = Located { value: text.clone(), position: position.clone() };
            *text = evaluate(&expression, scope)?.to_string();
        }
        _ => {}
    }
    Ok(())
}

impl QuestionCheck {
    /// Whether the answer has a verdict of its own.
    fn decides(&self) -> bool {
        let claimed_in = self.named.question.claimed_in;
        let claimed = |field: &str| self.fields.contains_key(field);
        self.named.question.decides
            && (claimed_in.is_empty() || claimed_in.iter().any(|field| claimed(field)))
    }

    /// Reports the fields that are missing.
    fn complete(&self, fields: &mut Fields<'_>) -> Option<()> {
        let needed = self.named.question.fields.iter().filter(|field| field.required);
        let missing: Vec<&str> = needed
            .filter(|field| !self.fields.contains_key(field.name.as_str()))
            .map(|field| self.named.key(&field.name))
            .collect();
        missing.iter().for_each(|key| fields.missing(&format!("the key `{key}`")));
        missing.is_empty().then_some(())
    }

    /// Checks what can be checked before names have values.
    fn early(&self, fields: &mut Fields<'_>) -> Option<()> {
        let complete = self.complete(fields);
        let needs_names = |name: &str, value: &Value| {
            let field = self.named.question.fields.iter().find(|field| field.name == name);
            // The parameters of a mechanism are names, and known when it is resolved.
            let unknown = |text: &str| {
                self.names().any(|name| mentions(text, name))
                    || self.fields.contains_key("mechanism")
                        && text.contains(char::is_alphabetic)
                        && expression::evaluate(text, &Scope::new()).is_err()
            };
            is_expression(field.and_then(|field| field.format.as_ref()))
                && any_text(value, &unknown)
        };
        if self.fields.iter().any(|(name, (value, _))| needs_names(name, value)) {
            return Some(());
        }
        if self.assertions.is_empty() && !self.decides() {
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
        complete?;
        let map = self.fields.iter().map(|(name, (value, _))| ((*name).to_owned(), value.clone()));
        let Err(misread) = self.named.question.read(map.collect()) else { return Some(()) };
        fields
            .fault(Error::At { position: self.position(&misread.path), message: misread.message });
        None
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        let own = ["T", "d", "p", "points", "hypotheses", "epsilon", "exp_epsilon"];
        own.into_iter().chain(self.with.iter().map(|(name, _)| name.as_str()))
    }

    /// Where the value of a field stands, or else the claim.
    fn position(&self, path: &str) -> Position {
        let field = path.split(['.', '[']).next().unwrap_or_default();
        self.fields.get(field).map_or(&self.at, |(_, position)| position).clone()
    }
}

/// Whether a name occurs in an expression.
fn mentions(expression: &str, name: &str) -> bool {
    expression.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == name)
}

impl Check for QuestionCheck {
    fn load(&mut self, classes: &mut Classes<'_>) {
        self.shared = classes.shared();
    }

    fn run(&self, limits: &Limits) -> Result<Finding, Error> {
        let heard = RefCell::new(Vec::new());
        let faulty = Cell::new("");
        let listener = |new: Heard| match new {
            Heard::Note(text) => heard.borrow_mut().push(format!("note: {text}")),
            Heard::Faulty(field) => faulty.set(field),
            _ => {}
        };
        let mut run = Run::within(limits.clone()).sharing(&self.shared).heard_by(&listener);
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
        let answer = answer.map_err(|error| self.placed(error, faulty.get()))?;
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

    /// An error without a place of its own stands at its field, or else at the claim.
    fn placed(&self, error: Error, field: &str) -> Error {
        match error {
            Error::Malformed { .. } | Error::Limit { .. } | Error::At { .. } => error,
            other => Error::At { position: self.position(field), message: other.on_one_line() },
        }
    }

    /// The names that expressions may use, as far as they have values before the answer.
    fn scope(&self, run: &Run<'_>) -> Result<Scope, Error> {
        let mut scope =
            registry::names(&self.map_as_written(), run).map_err(|e| self.placed(e, "class"))?;
        let fields = self.fields.values().filter_map(|(value, _)| value.as_str());
        let claimed = self.assertions.iter().map(|a| a.claimed.value.as_str());
        let with = self.with.iter().map(|(_, expression)| expression.value.as_str());
        if self.fields.contains_key("class")
            && fields.chain(claimed).chain(with).any(|text| mentions(text, "d"))
        {
            let dimension = registry::dimension(&self.map_as_written(), run);
            scope.insert("d".into(), dimension.map_err(|error| self.placed(error, "class"))?);
        }
        for (name, expression) in &self.with {
            let value = evaluate(expression, &scope)?;
            scope.insert(name.clone(), value);
        }
        Ok(scope)
    }

    fn map_as_written(&self) -> Map<String, Value> {
        self.fields.iter().map(|(name, (value, _))| ((*name).to_owned(), value.clone())).collect()
    }

    /// The fields with the values of their expressions.
    fn map(&self, scope: &Scope) -> Result<Map<String, Value>, Error> {
        let mut map = self.map_as_written();
        for field in &self.named.question.fields {
            if let (Some(format), Some(value)) = (&field.format, map.get_mut(&field.name)) {
                let position = self.position(&field.name);
                valued(value, format, &position, scope)?;
            }
        }
        Ok(map)
    }

    fn judge(&self, answer: &dyn Answer, scope: &Scope, run: &Run<'_>) -> Result<Finding, Error> {
        let mut parts = Vec::new();
        let mut verdicts = Vec::new();
        let mut finding = Finding {
            verdict: Verdict::Undecided,
            found: String::new(),
            non_vacuous: None,
            details: Vec::new(),
            values: BTreeMap::new(),
        };
        let mut vacuous = Vec::new();
        let mut trivial_reasons = Vec::new();
        let own = match answer.ending() {
            Ending::Found => None,
            Ending::Holds => Some(Verdict::Holds),
            Ending::Refuted => Some(Verdict::Refuted),
            Ending::Undecided(_) => self.decides().then_some(Verdict::Undecided),
        };
        if let Some(own) = own {
            verdicts.push(own);
            parts.push(answer.found());
            let values = answer.values().into_iter();
            finding.values.extend(values.map(|(name, value)| (name.to_owned(), value)));
            if let (Verdict::Holds, Some(why)) = (own, answer.vacuous()) {
                vacuous.push(why);
            } else if own == Verdict::Refuted {
                finding.details.extend(answer.counterexample("verdict", &Claimed::default(), run));
            }
        }
        for path in self.paths() {
            let claimed = self.assertions.iter().filter(|a| a.path == path);
            let claimed: Vec<&Assertion> = claimed.collect();
            let stopped = match answer.ending() {
                Ending::Undecided(stopped) => format!(" ({stopped})"),
                _ => String::new(),
            };
            let symbol = answer.symbol(path);
            let setting = answer.setting();
            match answer.known(path) {
                Some(Known::Between(lower, upper)) => {
                    let claimed = claimed
                        .iter()
                        .map(|a| Ok((a.relation, evaluate(&a.claimed, scope)?)))
                        .collect::<Result<Vec<_>, Error>>()?;
                    let claimed = Claimed(claimed);
                    let verdict = match claimed.decide(&lower, &upper) {
                        Some(true) => Verdict::Holds,
                        Some(false) => Verdict::Refuted,
                        None => Verdict::Undecided,
                    };
                    let trivial = answer.trivial(path);
                    match (verdict, trivial) {
                        (Verdict::Holds, Some(trivial)) if claimed.is_vacuous(&trivial) => {
                            vacuous.push(trivial.reason);
                        }
                        (Verdict::Holds, Some(trivial)) => trivial_reasons.push(trivial.reason),
                        (Verdict::Refuted, _) => {
                            finding.details.extend(answer.counterexample(path, &claimed, run));
                        }
                        _ => {}
                    }
                    verdicts.push(verdict);
                    if lower == upper {
                        finding.values.insert(path.to_owned(), lower.to_string());
                        parts.push(format!("{symbol} = {lower}{setting}; claimed {claimed}"));
                    } else {
                        finding.values.insert("lower".into(), lower.to_string());
                        finding.values.insert("upper".into(), upper.to_string());
                        parts.push(format!(
                            "{lower} ≤ {symbol} ≤ {upper}{setting}{stopped}; claimed {claimed}"
                        ));
                    }
                }
                Some(Known::Value(value)) => {
                    let shown = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                    for assertion in claimed {
                        if assertion.relation != Relation::Equals {
                            let message = format!("`{path}` is {shown}, which has no order");
                            return Err(Error::At {
                                position: assertion.claimed.position.clone(),
                                message,
                            });
                        }
                        let equal = shown == assertion.claimed.value;
                        verdicts.push(if equal { Verdict::Holds } else { Verdict::Refuted });
                        parts.push(format!(
                            "{symbol}: {shown}; claimed {}",
                            assertion.claimed.value
                        ));
                        finding.values.insert(path.to_owned(), shown.clone());
                    }
                }
                None if matches!(answer.ending(), Ending::Undecided(_)) => {
                    verdicts.push(Verdict::Undecided);
                    parts.push(format!("{symbol} is not known{stopped}"));
                }
                None => {
                    let position =
                        claimed.first().map_or(&self.at, |a| &a.claimed.position).clone();
                    let message = format!("the answer has no value at `{path}`");
                    return Err(Error::At { position, message });
                }
            }
        }
        finding.verdict = conjunction(&verdicts);
        finding.found = parts.join("; ");
        if finding.verdict == Verdict::Holds {
            // A claim says something when one of its parts does.
            let why = answer.nothing();
            let why = why.or_else(|| (vacuous.len() == verdicts.len()).then(|| vacuous.join("; ")));
            if let Some(why) = why {
                finding.verdict = Verdict::Vacuous;
                finding.details.push(format!("vacuous: {why}, so this claim says nothing"));
            } else {
                finding.non_vacuous = answer
                    .evidence()
                    .or_else(|| (!trivial_reasons.is_empty()).then(|| trivial_reasons.join("; ")));
            }
        }
        Ok(finding)
    }
}

/// The verdict on all of several statements.
fn conjunction(verdicts: &[Verdict]) -> Verdict {
    [Verdict::Refuted, Verdict::Undecided]
        .into_iter()
        .find(|verdict| verdicts.contains(verdict))
        .unwrap_or(Verdict::Holds)
}
