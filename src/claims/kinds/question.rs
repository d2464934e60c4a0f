//! Claims about the answer to a question: their keys are its fields, and assertions about paths in
//! the answer.
//!
//! | module | idea |
//! | --- | --- |
//! | [`named`] | a question under one of its names, and the keys that it has there |
//! | [`read`] | a claim from its keys, with all that can be said against it before it is run |
//! | [`formula`] | expressions within the values of fields |
//! | [`judge`] | whether what is claimed is true of the answer |

mod formula;
mod judge;
mod named;
mod read;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::error::{Error, Position};
use crate::exact::expression;
use crate::limits::Limits;
use crate::questions::door::{Misread, field_at_fault};
use crate::questions::written::mentions;
use crate::questions::{Answer, Claimed, Heard, Run, Shared, Strengthening, Wanted};
use crate::questions::{known, registry};

use super::super::fields::Assertion;
use super::super::value::{Scope, evaluate, within};
use super::super::{Finding, Located, Perturbed, Verdict};
use super::Check;
use formula::{expressions, put_values};
use judge::{Judgement, Part};
pub(super) use named::{Named, kinds};
pub(super) use read::parse;

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

impl QuestionCheck {
    /// Whether the answer has a verdict of its own.
    fn decides(&self) -> bool {
        let claimed_in = self.named.question.claimed_in;
        let claimed = |field: &&str| self.fields.contains_key(*field);
        self.named.question.decides && (claimed_in.is_empty() || claimed_in.iter().any(claimed))
    }

    /// Where the value of a field stands, or else the claim.
    fn position(&self, path: &str) -> Position {
        let field = path.split(['.', '[']).next().unwrap_or_default();
        self.fields.get(field).map_or(&self.at, |given| &given.position).clone()
    }
}

impl Check for QuestionCheck {
    fn run(&self, limits: &Limits, shared: &Arc<Shared>) -> Result<Finding, Error> {
        let found = self.decide(limits, shared, &mut |_| true)?;
        Ok(found.expect("the fields are as they were"))
    }

    fn perturbed(&self, limits: &Limits, shared: &Arc<Shared>) -> Vec<Perturbed> {
        let strengthened = self.named.question.strengthened.iter();
        strengthened.filter_map(|one| self.with_stronger(one, limits, shared)).collect()
    }
}

impl QuestionCheck {
    /// What comes of the claim with a stronger constant; nothing where there is none.
    fn with_stronger(
        &self,
        Strengthening { field, change }: &Strengthening,
        limits: &Limits,
        shared: &Arc<Shared>,
    ) -> Option<Perturbed> {
        let mut said = String::new();
        let found = self.decide(limits, shared, &mut |map| {
            let Some(value) = map.get_mut(*field) else { return false };
            let Some(stronger) = change.apply(value) else { return false };
            said = format!("{field} {} → {}", known::text(value), known::text(&stronger));
            *value = stronger;
            true
        });
        let verdict = match found {
            Ok(finding) => finding?.verdict,
            Err(Error::Limit { .. }) => Verdict::Undecided,
            // What cannot be asked so is no claim.
            Err(_) => return None,
        };
        // A limit that struck before the fields were read says nothing of a change.
        (!said.is_empty()).then_some(Perturbed { change: said, verdict })
    }

    /// Decides the claim. `change` changes the fields before they are read, and says whether there is anything
    /// to decide.
    fn decide(
        &self,
        limits: &Limits,
        shared: &Arc<Shared>,
        change: &mut dyn FnMut(&mut Map<String, Value>) -> bool,
    ) -> Result<Option<Finding>, Error> {
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
        let mut map = self.map(&scope);
        if let Ok(map) = &mut map
            && !change(map)
        {
            return Ok(None);
        }
        let map = map.and_then(|map| {
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
        Ok(Some(finding))
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
        let formats = self.named.question.fields.iter().map(|field| field.format.as_deref());
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
            let format = field.format.as_deref();
            if let Some(text) = written.as_str().filter(|_| format == Some("whole")) {
                // Some fields take more than numbers, such as a range.
                if let Ok(value) = expression::evaluate(text, scope) {
                    *written = value.to_string().into();
                }
                continue;
            }
            let inside = self.fields.get(&*field.name).map_or(&self.at, |given| &given.inside);
            put_values(written, format, inside, scope)?;
        }
        Ok(map)
    }

    /// Whether the answer has at a path what a field of that name says.
    fn repeats(&self, answer: &dyn Answer, path: &str) -> bool {
        let given = self.fields.get(path).map(|given| known::text(&given.value));
        let found = answer.json().get(path).map(known::text);
        given.is_some() && given == found
    }

    fn judge(&self, answer: &dyn Answer, scope: &Scope, run: &Run<'_>) -> Result<Finding, Error> {
        let mut judgement = Judgement::new(answer, scope, run);
        judgement.own(self.decides(), self.assertions.iter().any(|a| a.path == "verdict"));
        for path in self.paths() {
            let claimed = self.assertions.iter().filter(|a| a.path == path).collect();
            let (whole, repeated) = (self.named.is_integer(path), self.repeats(answer, path));
            let stated = self.named.question.value(path);
            let stated = stated.map_or([None, None], |field| [field.least, field.most]);
            let bounds = stated.map(|bound| bound.map(Into::into));
            let part = Part { path, whole, repeated, bounds, claimed };
            judgement.part(&part, &self.at)?;
        }
        judgement.finding().ok_or_else(|| {
            let message = "expected something that is claimed, found a claim without it".into();
            Error::At { position: self.at.clone(), message }
        })
    }
}
