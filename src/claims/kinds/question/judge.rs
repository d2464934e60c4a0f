//! Whether what is claimed of an answer is true of it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::error::{Error, Position};
use crate::exact::{Number, expression};
use crate::questions::slack::exactly;
use crate::questions::{
    Answer, Claimed, Ending, Inequality, Known, Relation, Run, Trivial, blocks, known,
};

use super::super::super::fields::Assertion;
use super::super::super::value::{Scope, evaluate, integer};
use super::super::super::{Finding, Located, Verdict};

/// A claim that is judged part by part: the answer's own verdict, and each path that something is
/// claimed of.
#[derive(Debug)]
pub(super) struct Judgement<'j> {
    answer: &'j dyn Answer,
    scope: &'j Scope,
    run: &'j Run<'j>,
    /// The verdict on each part.
    verdicts: Vec<Verdict>,
    /// What was found of each part.
    found: Vec<String>,
    /// Why parts that are true say nothing.
    vacuous: Vec<String>,
    /// What parts that are true say more than.
    trivial: Vec<String>,
    details: Vec<String>,
    values: BTreeMap<String, String>,
    inequalities: Vec<Inequality>,
}

/// What is claimed of the value at a path.
#[derive(Debug)]
pub(super) struct Part<'p> {
    pub(super) path: &'p str,
    /// Whether the value is a whole number.
    pub(super) whole: bool,
    /// Whether the answer repeats here what the question says.
    pub(super) repeated: bool,
    /// The least and the greatest number that can stand here at all.
    pub(super) bounds: [Option<Number>; 2],
    pub(super) claimed: Vec<&'p Assertion>,
}

impl Part<'_> {
    /// Why it says nothing of what was found.
    fn repeats(&self) -> Option<String> {
        self.repeated.then(|| format!("`{}` repeats the question", self.path))
    }

    /// The bounds that the kind of number implies.
    fn trivial(&self) -> Option<Trivial> {
        let [lower, upper] = &self.bounds;
        let reason = match (lower, upper) {
            (Some(lower), Some(upper)) => format!("{lower} ≤ `{}` ≤ {upper} anyway", self.path),
            (Some(lower), None) => format!("`{}` is never below {lower}", self.path),
            (None, Some(upper)) => format!("`{}` is never above {upper}", self.path),
            (None, None) => return None,
        };
        Some(Trivial { lower: lower.clone(), upper: upper.clone(), reason })
    }

    /// Whether the value is about a search that a limit cut, and not about what was looked for.
    fn is_about_the_search(&self) -> bool {
        let key = self.path.split('.').next().unwrap_or_default();
        matches!(
            key,
            "lower" | "upper" | "verdict" | "stopped" | "undecided" | "complete" | "decided_rounds"
        )
    }

    /// Whether a value of a search that a limit cut may be another one without the limit: a list and what is
    /// in it may be the beginning of what was looked for. Numbers that are known between bounds are told so.
    fn may_be_partial(&self, known: &Known, json: &Value) -> bool {
        let listed = matches!(known, Known::Value(Value::Array(_) | Value::Object(_)));
        let within = self.path.contains('.');
        (listed || within) && known::at(json, self.path).as_ref() == Some(known)
    }

    /// Whether what is claimed is that there is no value.
    fn claims_null(&self) -> bool {
        let null = |a: &&Assertion| a.relation == Relation::Equals && a.claimed.value == "null";
        self.claimed.iter().any(null)
    }

    fn refuse<T>(position: &Position, message: String) -> Result<T, Error> {
        Err(Error::At { position: position.clone(), message })
    }
}

impl<'j> Judgement<'j> {
    /// Nothing is judged yet.
    pub(super) fn new(answer: &'j dyn Answer, scope: &'j Scope, run: &'j Run<'j>) -> Self {
        Self {
            answer,
            scope,
            run,
            verdicts: Vec::new(),
            found: Vec::new(),
            vacuous: Vec::new(),
            trivial: Vec::new(),
            details: Vec::new(),
            values: BTreeMap::new(),
            inequalities: Vec::new(),
        }
    }

    /// The verdict of the answer, if it is of a question that decides something. Where the claim says
    /// what that verdict is, it is no part of its own.
    pub(super) fn own(&mut self, decides: bool, stated: bool) {
        let verdict = match self.answer.ending() {
            Ending::Holds => Verdict::Holds,
            Ending::Refuted => Verdict::Refuted,
            Ending::Undecided(_) if decides => Verdict::Undecided,
            Ending::Found | Ending::Undecided(_) => return,
        };
        self.found.push(self.answer.found());
        let values = self.answer.values().into_iter();
        self.values.extend(values.map(|(name, value)| (name.to_owned(), value)));
        if let Value::Object(map) = self.answer.json() {
            let numbers = map.iter().filter(|(_, value)| value.is_number());
            self.values.extend(numbers.map(|(key, value)| (key.clone(), value.to_string())));
        }
        self.inequalities.extend(self.answer.inequalities());
        if stated {
            return;
        }
        self.verdicts.push(verdict);
        match verdict {
            Verdict::Holds => self.vacuous.extend(self.answer.vacuous()),
            Verdict::Refuted => self.refute("verdict", &Claimed::default()),
            _ => {}
        }
    }

    /// Judges what is claimed of a path; where there is no such claim, `at` is the place of the fault.
    ///
    /// # Errors
    /// When the answer has no such value, or another kind of value than what is claimed of it.
    pub(super) fn part(&mut self, part: &Part<'_>, at: &Position) -> Result<(), Error> {
        let cut = matches!(self.answer.ending(), Ending::Undecided(_));
        match self.answer.known(part.path) {
            Some(known)
                if cut
                    && (part.is_about_the_search()
                        || part.may_be_partial(&known, &self.answer.json())) =>
            {
                self.verdicts.push(Verdict::Undecided);
                self.found.push(format!("`{}` is that of a search{}", part.path, self.stopped()));
                Ok(())
            }
            Some(Known::Unbounded) if part.claims_null() => self.null(part, None),
            Some(Known::Unbounded) => {
                let claimed = self.claimed_numbers(part)?;
                self.verdicts.push(Verdict::Refuted);
                self.found.push(format!("{}; claimed {claimed}", self.answer.symbol(part.path)));
                Ok(())
            }
            None if cut => {
                self.verdicts.push(Verdict::Undecided);
                let symbol = self.answer.symbol(part.path);
                self.found.push(format!("{symbol} is not known{}", self.stopped()));
                Ok(())
            }
            Some(known) if part.claims_null() => self.null(part, Some(&known)),
            None if part.claims_null() && known::is_null(&self.answer.json(), part.path) => {
                self.null(part, None)
            }
            Some(Known::Between(lower, upper)) => self.number(part, &lower, &upper),
            Some(Known::Value(value)) => self.value(part, &value),
            Some(Known::Functions { labels, points }) => self.functions(part, &labels, points),
            None => {
                let position = part.claimed.first().map_or(at, |a| &a.claimed.position);
                Part::refuse(position, self.no_value(part.path))
            }
        }
    }

    /// What is said where the answer has no value at a path.
    fn no_value(&self, path: &str) -> String {
        let json = self.answer.json();
        let row = format!("table.0.{path}");
        let help = if known::at(&json, &row).is_some() {
            format!(
                ", it is a table with a row for each number of rounds: claim it of `answer.{row}`, or \
                 write `rounds` as a list"
            )
        } else {
            String::new()
        };
        format!("the answer has no value at `{path}`{help}")
    }

    /// It is claimed that there is no value.
    fn null(&mut self, part: &Part<'_>, known: Option<&Known>) -> Result<(), Error> {
        if let Some(other) = part.claimed.iter().find(|a| a.claimed.value != "null") {
            let message = format!("`{}` cannot be null and `{}`", part.path, other.claimed.value);
            return Part::refuse(&other.claimed.position, message);
        }
        self.is(part, known.is_none());
        let symbol = self.answer.symbol(part.path);
        let shown = if known.is_none() { "null" } else { "not null" };
        self.found.push(format!("{symbol}: {shown}; claimed null"));
        Ok(())
    }

    fn number(&mut self, part: &Part<'_>, lower: &Number, upper: &Number) -> Result<(), Error> {
        let path = part.path;
        let claimed = self.claimed_numbers(part)?;
        let verdict = match claimed.decide(lower, upper) {
            Some(true) => Verdict::Holds,
            Some(false) => Verdict::Refuted,
            None => Verdict::Undecided,
        };
        let trivial = self.answer.trivial(path);
        let says_nothing = |trivial: &&Trivial| claimed.is_vacuous(trivial);
        let vacuous = self.answer.moot(path).or_else(|| part.repeats()).or_else(|| {
            let bounds = [trivial.clone(), part.trivial()];
            bounds.iter().flatten().find(says_nothing).map(|trivial| trivial.reason.clone())
        });
        match (verdict, vacuous, trivial) {
            (Verdict::Holds, Some(why), _) => self.vacuous.push(why),
            (Verdict::Holds, None, Some(trivial)) => self.trivial.push(trivial.reason),
            (Verdict::Refuted, ..) => self.refute(path, &claimed),
            _ => {}
        }
        self.verdicts.push(verdict);
        let (symbol, setting) = (self.answer.symbol(path), self.answer.setting());
        self.inequalities.extend(claimed.0.iter().map(|(relation, claimed)| Inequality {
            quantity: path.to_owned(),
            what: symbol.clone(),
            found: [lower.clone(), upper.clone()],
            relation: *relation,
            claimed: exactly(claimed),
        }));
        self.found.push(if lower == upper {
            self.values.insert(path.to_owned(), lower.to_string());
            format!("{symbol} = {lower}{setting}; claimed {claimed}")
        } else {
            self.values.insert("lower".into(), lower.to_string());
            self.values.insert("upper".into(), upper.to_string());
            let [lower, upper] = [brief(lower), brief(upper)];
            let stopped = self.stopped();
            format!("{lower} ≤ {symbol} ≤ {upper}{setting}{stopped}; claimed {claimed}")
        });
        Ok(())
    }

    fn claimed_numbers(&self, part: &Part<'_>) -> Result<Claimed, Error> {
        let number = |a: &&Assertion| {
            if a.listed.is_some() || !a.relation.is_numeric() {
                let message = format!("`{}` is a number, found a list", part.path);
                return Part::refuse(&a.claimed.position, message);
            }
            let value = if part.whole {
                integer(&a.claimed, self.scope)?.into()
            } else {
                evaluate(&a.claimed, self.scope)?
            };
            Ok((a.relation, value))
        };
        Ok(Claimed(part.claimed.iter().map(number).collect::<Result<_, Error>>()?))
    }

    /// Text or a truth value.
    fn value(&mut self, part: &Part<'_>, value: &Value) -> Result<(), Error> {
        let shown = known::text(value);
        for a in &part.claimed {
            if a.relation != Relation::Equals {
                let message = format!("`{}` is {shown}, which has no order", part.path);
                return Part::refuse(&a.claimed.position, message);
            }
            let verdicts = ["holds", "refuted"];
            if part.path == "verdict" && !verdicts.contains(&a.claimed.value.as_str()) {
                let message = format!("expected `holds` or `refuted`, found `{}`", a.claimed.value);
                return Part::refuse(&a.claimed.position, message);
            }
            if value.is_boolean() && a.claimed.value.parse::<bool>().is_err() {
                let message = format!("expected true or false, found `{}`", a.claimed.value);
                return Part::refuse(&a.claimed.position, message);
            }
        }
        let mut holds = true;
        for a in &part.claimed {
            holds &= match (value, &a.listed) {
                (Value::Array(items), Some(listed)) => {
                    items.len() == listed.len()
                        && items.iter().zip(listed).all(|(item, claimed)| self.same(item, claimed))
                }
                (Value::Array(_) | Value::Object(_), _) | (_, Some(_)) => {
                    let message = format!(
                        "`{}` is {shown}, which is not compared with `{}`",
                        part.path, a.claimed.value
                    );
                    return Part::refuse(&a.claimed.position, message);
                }
                _ => shown == a.claimed.value,
            };
        }
        let claimed: Vec<&str> = part.claimed.iter().map(|a| a.claimed.value.as_str()).collect();
        self.is(part, holds);
        if !holds {
            self.refute(part.path, &Claimed::default());
        }
        let (symbol, setting) = (self.answer.symbol(part.path), self.answer.setting());
        let claimed = claimed.join(" and ");
        self.found.push(format!("{symbol}: {shown}{setting}; claimed {claimed}"));
        self.values.insert(part.path.to_owned(), shown);
        Ok(())
    }

    /// Whether an entry of a list is the claimed one: as a number, or else as text.
    fn same(&self, item: &Value, claimed: &Located<String>) -> bool {
        let shown = known::text(item);
        let claim = || expression::evaluate(&claimed.value, self.scope).ok();
        let numbers = known::number(&shown).and_then(|found| Some((found, claim()?)));
        numbers.map_or(shown == claimed.value, |(one, other)| one == other)
    }

    /// A set of functions.
    fn functions(
        &mut self,
        part: &Part<'_>,
        labels: &[String],
        points: usize,
    ) -> Result<(), Error> {
        let found: BTreeSet<&str> = labels.iter().map(String::as_str).collect();
        let mut said = Vec::new();
        let mut holds = true;
        for a in &part.claimed {
            let listed = a.listed.as_deref().unwrap_or(std::slice::from_ref(&a.claimed));
            let functions = functions(listed, points)?;
            let claimed = format!("{}{}", a.relation.words(), blocks::set(&functions));
            if !a.relation.decides(&found, &functions) {
                holds = false;
                self.details.push(format!("false: {claimed}"));
                let absent = functions.iter().filter_map(|f| self.answer.absence(part.path, f));
                self.details.extend(absent);
            }
            said.push(claimed);
        }
        self.is(part, holds);
        let (symbol, setting) = (self.answer.symbol(part.path), self.answer.setting());
        let (shown, claimed) = (blocks::set(&found), said.join(" and "));
        self.found.push(format!("{symbol} = {shown}{setting}; claimed {claimed}"));
        self.values.insert(part.path.to_owned(), shown);
        Ok(())
    }

    /// The verdict on a path whose value is known.
    fn is(&mut self, part: &Part<'_>, holds: bool) {
        self.verdicts.push(if holds { Verdict::Holds } else { Verdict::Refuted });
        if holds {
            let own = part.path == "verdict" && self.answer.ending() == Ending::Holds;
            let own = || own.then(|| self.answer.vacuous()).flatten();
            let moot = self.answer.moot(part.path).or_else(|| part.repeats());
            self.vacuous.extend(moot.or_else(own));
        }
    }

    fn refute(&mut self, path: &str, claimed: &Claimed) {
        self.details.extend(self.answer.counterexample(path, claimed, self.run));
    }

    /// The limit that was hit, in brackets.
    fn stopped(&self) -> String {
        match self.answer.ending() {
            Ending::Undecided(stopped) => format!(" ({stopped})"),
            _ => String::new(),
        }
    }

    /// What was found of all parts; nothing when there are none.
    pub(super) fn finding(mut self) -> Option<Finding> {
        let mut verdict = conjunction(&self.verdicts)?;
        let mut non_vacuous = None;
        if verdict == Verdict::Holds {
            // A claim says something when one of its parts does.
            let all = self.vacuous.len() == self.verdicts.len();
            let parts = all.then(|| self.vacuous.join("; "));
            if let Some(why) = self.answer.nothing().or(parts) {
                verdict = Verdict::Vacuous;
                self.details.push(format!("vacuous: {why}, so this claim says nothing"));
            } else {
                let trivial = (!self.trivial.is_empty()).then(|| self.trivial.join("; "));
                non_vacuous = self.answer.evidence().or(trivial);
            }
        }
        let found = self.found.join("; ");
        let Self { details, values, inequalities, .. } = self;
        Some(Finding { verdict, found, non_vacuous, details, values, inequalities })
    }
}

/// A bound, or its decimal where that is much shorter.
fn brief(bound: &Number) -> String {
    let exact = bound.to_string();
    if exact.len() <= 40 { exact } else { bound.decimal(9) }
}

/// The verdict on all of several statements.
fn conjunction(verdicts: &[Verdict]) -> Option<Verdict> {
    [Verdict::Refuted, Verdict::Undecided, Verdict::Holds]
        .into_iter()
        .find(|verdict| verdicts.contains(verdict))
}

/// Functions as labels of that many points; a fault when one is something else.
fn functions(listed: &[Located<String>], points: usize) -> Result<BTreeSet<&str>, Error> {
    for Located { value, position } in listed {
        if value.chars().count() != points || !value.chars().all(|c| matches!(c, '0' | '1')) {
            let expected = format!("a string of {points} labels, 0 or 1 for each point");
            return Err(Error::malformed(position.clone(), expected, format!("`{value}`")));
        }
    }
    Ok(listed.iter().map(|function| function.value.as_str()).collect())
}
