//! Statements about an integer: `equals`, `at_least`, `at_most`.

use std::fmt;

use crate::class::Class;
use crate::error::Error;

use super::super::{Fields, Located, Verdict};
use super::bound::{Scope, integer};
use super::subject::natural;

/// What a claim says of an integer, as it is written: expressions whose values are integers.
#[derive(Debug)]
pub(super) struct Written {
    equals: Option<Located<String>>,
    at_least: Option<Located<String>>,
    at_most: Option<Located<String>>,
}

impl Written {
    /// Reads the keys `equals`, `at_least` and `at_most`, of which one has to be there.
    pub(super) fn parse(fields: &mut Fields<'_>) -> Option<Self> {
        let written = Self::parse_optional(fields);
        if written.is_none() {
            fields.missing("one of the keys `equals`, `at_least` and `at_most`");
        }
        written
    }

    /// The same, where a claim may say nothing of the integer.
    pub(super) fn parse_optional(fields: &mut Fields<'_>) -> Option<Self> {
        let mut read = |key| fields.integer_expression(key);
        let (equals, at_least, at_most) = (read("equals"), read("at_least"), read("at_most"));
        ["equals", "at_least", "at_most"].iter().any(|key| fields.has(key)).then_some(Self {
            equals,
            at_least,
            at_most,
        })
    }

    /// The statement with the values of its expressions.
    ///
    /// # Errors
    /// When an expression has no value, or one that is no integer.
    pub(super) fn evaluate(&self, scope: &Scope) -> Result<Statement, Error> {
        let value = |expression: &Option<Located<String>>| {
            expression.as_ref().map(|expression| integer(expression, scope)).transpose()
        };
        Ok(Statement {
            equals: value(&self.equals)?,
            at_least: value(&self.at_least)?,
            at_most: value(&self.at_most)?,
        })
    }
}

/// The names that a class gives to expressions about it.
pub(super) fn scope_of(class: &Class) -> Scope {
    Scope::from([
        ("points".to_owned(), natural(class.points())),
        ("hypotheses".to_owned(), natural(class.hypotheses())),
    ])
}

/// What a claim says of an integer: all of the given relations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Statement {
    equals: Option<i64>,
    at_least: Option<i64>,
    at_most: Option<i64>,
}

impl Statement {
    /// The verdict when all that is known is `lower ≤ value ≤ upper`.
    pub(super) fn decide(&self, lower: i64, upper: i64) -> Verdict {
        let least = self.least();
        let most = self.most();
        if least.is_some_and(|k| upper < k) || most.is_some_and(|k| lower > k) {
            Verdict::Refuted
        } else if least.is_none_or(|k| lower >= k) && most.is_none_or(|k| upper <= k) {
            Verdict::Holds
        } else if least.zip(most).is_some_and(|(least, most)| least > most) {
            // No integer fits, whatever the value is.
            Verdict::Refuted
        } else {
            Verdict::Undecided
        }
    }

    /// Whether the statement is true for every integer in `lower..=upper`. An equality says more
    /// than a bound even where counting alone would prove it.
    pub(super) fn is_vacuous(&self, lower: i64, upper: i64) -> bool {
        self.equals.is_none() && self.decide(lower, upper) == Verdict::Holds
    }

    /// The least value that the statement allows, if it bounds the value from below.
    pub(super) fn least(&self) -> Option<i64> {
        self.equals.max(self.at_least)
    }

    /// The greatest value that the statement allows, if it bounds the value from above.
    pub(super) fn most(&self) -> Option<i64> {
        match (self.equals, self.at_most) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }
}

impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [("", self.equals), ("at least ", self.at_least), ("at most ", self.at_most)];
        let parts: Vec<String> = parts
            .into_iter()
            .filter_map(|(relation, value)| value.map(|value| format!("{relation}{value}")))
            .collect();
        f.write_str(&parts.join(" and "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statement(equals: Option<i64>, at_least: Option<i64>, at_most: Option<i64>) -> Statement {
        Statement { equals, at_least, at_most }
    }

    /// Against the definition: a statement holds (is refuted) when all (no) values in the
    /// interval fit it.
    #[test]
    fn verdicts_agree_with_trying_every_value() {
        let options = || std::iter::once(None).chain((-1..4).map(Some));
        for equals in options() {
            for at_least in options() {
                for at_most in options() {
                    let s = statement(equals, at_least, at_most);
                    for lower in -1..4 {
                        for upper in lower..4 {
                            let fit = |v: &i64| {
                                equals.is_none_or(|k| *v == k)
                                    && at_least.is_none_or(|k| *v >= k)
                                    && at_most.is_none_or(|k| *v <= k)
                            };
                            let expected = if (lower..=upper).all(|v| fit(&v)) {
                                Verdict::Holds
                            } else if (lower..=upper).any(|v| fit(&v)) {
                                Verdict::Undecided
                            } else {
                                Verdict::Refuted
                            };
                            assert_eq!(s.decide(lower, upper), expected, "{s} {lower} {upper}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn bounds_that_counting_proves_are_vacuous() {
        assert!(statement(None, None, Some(3)).is_vacuous(0, 3));
        assert!(statement(None, Some(0), None).is_vacuous(0, 3));
        assert!(!statement(None, Some(1), Some(3)).is_vacuous(0, 3));
        assert!(!statement(Some(0), None, None).is_vacuous(0, 0));
    }

    #[test]
    fn statements_read_as_words() {
        assert_eq!(statement(Some(4), None, None).to_string(), "4");
        assert_eq!(statement(None, Some(2), Some(4)).to_string(), "at least 2 and at most 4");
    }
}
