//! Statements about an integer: `equals`, `at_least`, `at_most`.

use std::fmt;

use super::super::Fields;
use super::super::Verdict;

/// What a claim says of an integer: all of the given relations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Statement {
    equals: Option<i64>,
    at_least: Option<i64>,
    at_most: Option<i64>,
}

impl Statement {
    /// Reads the keys `equals`, `at_least` and `at_most`, of which one has to be there.
    pub(super) fn parse(fields: &mut Fields<'_>) -> Option<Self> {
        let statement = Self::parse_optional(fields);
        if statement.is_none() {
            fields.missing("one of the keys `equals`, `at_least` and `at_most`");
        }
        statement
    }

    /// The same, where a claim may say nothing of the integer.
    pub(super) fn parse_optional(fields: &mut Fields<'_>) -> Option<Self> {
        let mut number = |key| fields.integer(key).map(|located| located.value);
        let (equals, at_least, at_most) = (number("equals"), number("at_least"), number("at_most"));
        ["equals", "at_least", "at_most"].iter().any(|key| fields.has(key)).then_some(Self {
            equals,
            at_least,
            at_most,
        })
    }

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
