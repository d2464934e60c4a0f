//! A claim from its keys, with all that can be said against it before it is run.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::catalogue::Standard;
use crate::error::{Error, the_nearest};
use crate::exact::expression;
use crate::questions::Relation;
use crate::questions::subject::MechanismName;
use crate::questions::written::mentions;

use super::super::super::fields::Assertion;
use super::super::super::value::Scope;
use super::super::super::{Fields, Located};
use super::super::{Check, with};
use super::formula::expressions;
use super::named::{ANSWER, Named};
use super::{Given, QuestionCheck};

/// Reads a claim about the answer to a question.
pub(in super::super) fn parse(named: Named, fields: &mut Fields<'_>) -> Option<Box<dyn Check>> {
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
    let with = with::read(fields)?;
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

impl QuestionCheck {
    /// Checks what can be checked before names have values.
    fn early(&self, fields: &mut Fields<'_>) -> Option<()> {
        let names = self.names();
        let needs_names = |name: &str, value: &Value| {
            let field = self.named.question.fields.iter().find(|field| field.name == name);
            let format = field.and_then(|field| field.format.as_deref());
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
}
