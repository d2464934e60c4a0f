//! Exact expressions in claims, and bounds given by them.

use std::fmt;

use crate::error::Error;
use crate::exact::Number;

pub(super) use super::super::value::{Scope, evaluate};
use super::super::{Fields, Located, Verdict};

/// Whether a name occurs in an expression.
pub(super) fn mentions(expression: &str, name: &str) -> bool {
    expression.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == name)
}

/// What a claim says of a number: all of the given relations.
#[derive(Debug, Clone)]
pub(super) struct Bounds {
    equals: Option<Located<String>>,
    at_least: Option<Located<String>>,
    at_most: Option<Located<String>>,
}

impl Bounds {
    /// Reads the keys `equals`, `at_least` and `at_most`, of which one has to be there.
    pub(super) fn parse(fields: &mut Fields<'_>) -> Option<Self> {
        let bounds = Self {
            equals: fields.expression("equals"),
            at_least: fields.expression("at_least"),
            at_most: fields.expression("at_most"),
        };
        if !["equals", "at_least", "at_most"].iter().any(|key| fields.has(key)) {
            fields.missing("one of the keys `equals`, `at_least` and `at_most`");
            return None;
        }
        Some(bounds)
    }

    /// The expressions.
    pub(super) fn expressions(&self) -> impl Iterator<Item = &Located<String>> {
        [&self.equals, &self.at_least, &self.at_most].into_iter().flatten()
    }

    /// The bounds as numbers.
    ///
    /// # Errors
    /// When an expression has no value.
    pub(super) fn evaluate(&self, scope: &Scope) -> Result<Claimed, Error> {
        let value = |bound: &Option<Located<String>>| {
            bound.as_ref().map(|bound| evaluate(bound, scope)).transpose()
        };
        Ok(Claimed {
            equals: value(&self.equals)?,
            at_least: value(&self.at_least)?,
            at_most: value(&self.at_most)?,
        })
    }
}

/// Bounds with their values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Claimed {
    pub(super) equals: Option<Number>,
    pub(super) at_least: Option<Number>,
    pub(super) at_most: Option<Number>,
}

impl Claimed {
    /// The verdict when all that is known is `lower ≤ value ≤ upper`.
    pub(super) fn decide(&self, lower: &Number, upper: &Number) -> Verdict {
        let least = || self.equals.iter().chain(&self.at_least);
        let most = || self.equals.iter().chain(&self.at_most);
        let contradictory = least().any(|low| most().any(|high| low > high));
        if contradictory || least().any(|low| upper < low) || most().any(|high| lower > high) {
            Verdict::Refuted
        } else if least().all(|low| lower >= low) && most().all(|high| upper <= high) {
            Verdict::Holds
        } else {
            Verdict::Undecided
        }
    }

    /// Whether the statement is true of every number in `lower..=upper`. An equality says more
    /// than a bound, even where the bounds coincide.
    pub(super) fn is_vacuous(&self, lower: &Number, upper: &Number) -> bool {
        self.equals.is_none() && self.decide(lower, upper) == Verdict::Holds
    }
}

impl fmt::Display for Claimed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts =
            [("", &self.equals), ("at least ", &self.at_least), ("at most ", &self.at_most)];
        let parts: Vec<String> = parts
            .into_iter()
            .filter_map(|(relation, value)| value.as_ref().map(|v| format!("{relation}{v}")))
            .collect();
        f.write_str(&parts.join(" and "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claimed(equals: Option<i64>, at_least: Option<i64>, at_most: Option<i64>) -> Claimed {
        let number = |n: Option<i64>| n.map(Number::from);
        Claimed { equals: number(equals), at_least: number(at_least), at_most: number(at_most) }
    }

    /// Against the definition, on integers: a statement that fits all (no) values between the
    /// bounds holds (is refuted); between integers that do not settle it, it is undecided.
    #[test]
    fn verdicts_agree_with_trying_every_value() {
        let options = || std::iter::once(None).chain((-1..4).map(Some));
        for (equals, at_least) in options().flat_map(|e| options().map(move |l| (e, l))) {
            for at_most in options() {
                let bounds = claimed(equals, at_least, at_most);
                for (lower, upper) in (-1..4).flat_map(|l| (l..4).map(move |u| (l, u))) {
                    let fits = |v: &i64| {
                        equals.is_none_or(|k| *v == k)
                            && at_least.is_none_or(|k| *v >= k)
                            && at_most.is_none_or(|k| *v <= k)
                    };
                    let expected = if (lower..=upper).all(|v| fits(&v)) {
                        Verdict::Holds
                    } else if (lower..=upper).any(|v| fits(&v)) {
                        Verdict::Undecided
                    } else {
                        Verdict::Refuted
                    };
                    let found = bounds.decide(&lower.into(), &upper.into());
                    assert_eq!(found, expected, "{bounds} on {lower}..={upper}");
                }
            }
        }
    }

    #[test]
    fn names_are_whole_words() {
        assert!(mentions("d / gamma", "d") && mentions("2*d", "d"));
        assert!(!mentions("delta + ddim", "d"));
    }
}
