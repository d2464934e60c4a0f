//! How much stronger an inequality could be: its two sides, and what one is of the other.
//!
//! Every inequality that a claim states is brought into the form left ≤ right, or left = right. Its slack is
//! right/left where both are positive, and the difference where one is not: 1 or 0 where it is tight, less
//! where it is false.

use num_traits::{One, Signed as _, Zero};

use crate::exact::{Number, Rational};

use super::Relation;

/// Binary digits after the point of what encloses a side that is not rational.
const BITS: u64 = 128;

/// Digits after the point of a slack that is shown as a decimal.
const DIGITS: u32 = 6;

/// The longest exact slack that is shown as it is.
const SHOWN: usize = 24;

/// A number between two bounds; known when they are equal.
pub type Between = [Number; 2];

/// An inequality that a claim states of what was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inequality {
    /// Of which value of the answer it is: two of one quantity say the same where one is an equality.
    pub quantity: String,
    /// What was found, in words: `worst δ`.
    pub what: String,
    /// What was found.
    pub found: Between,
    /// How it is compared: equal, at least, at most.
    pub relation: Relation,
    /// What is claimed.
    pub claimed: Between,
}

/// How near to being false an inequality is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tightness {
    /// Both sides are equal.
    Tight,
    /// One side is at most twice the other.
    Near,
    /// They are farther apart.
    Slack,
    /// The bounds that are proved do not tell.
    Unknown,
    /// It is false.
    False,
}

impl Tightness {
    /// All, as reports name them.
    pub const ALL: [Self; 5] = [Self::Tight, Self::Near, Self::Slack, Self::Unknown, Self::False];

    /// The name, as in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tight => "tight",
            Self::Near => "near",
            Self::Slack => "slack",
            Self::Unknown => "unknown",
            Self::False => "false",
        }
    }
}

/// What the right side is of the left one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Slack {
    /// Both sides are positive: right/left, between these; without the second where there is no bound.
    Ratio(Rational, Option<Rational>),
    /// A side is not positive: right − left, between these.
    Difference(Rational, Rational),
}

impl Slack {
    /// As reports show it, exactly or as the beginning of a decimal.
    pub fn shown(&self) -> String {
        let brief = |low: &Rational, high: &Rational| {
            let [low, high] = [low, high].map(|end| Number::from(end.clone()));
            match [&low, &high].map(|end| end.decimal(DIGITS)) {
                _ if low == high => brief(&low),
                [below, above] if below == above => below,
                [below, above] => format!("{below}..{above}"),
            }
        };
        match self {
            Self::Ratio(low, Some(high)) => brief(low, high),
            Self::Ratio(low, None) => format!("at least {}", brief(low, low)),
            Self::Difference(low, high) => format!("difference {}", brief(low, high)),
        }
    }

    /// Its place among others: what is false by a difference, then ratios, among which a difference of 0 is the
    /// ratio 1, and then what is true by a difference, which is beyond every ratio.
    fn rank(&self) -> (u8, Rational) {
        match self {
            Self::Ratio(low, _) => (1, low.clone()),
            Self::Difference(low, _) if low.is_negative() => (0, low.clone()),
            Self::Difference(low, _) if low.is_zero() => (1, Rational::one()),
            Self::Difference(low, _) => (2, low.clone()),
        }
    }

    /// Whether it is surely more than a factor; a difference above 0 is more than any.
    pub fn exceeds(&self, factor: &Rational) -> bool {
        match self {
            Self::Ratio(low, _) => low > factor,
            Self::Difference(low, _) => low.is_positive(),
        }
    }
}

impl Inequality {
    /// The sides of left ≤ right, or of left = right.
    pub fn sides(&self) -> (&Between, &Between) {
        match self.relation {
            Relation::AtLeast => (&self.claimed, &self.found),
            _ => (&self.found, &self.claimed),
        }
    }

    /// The sign between the sides.
    pub fn sign(&self) -> &'static str {
        if self.relation == Relation::Equals { "=" } else { "≤" }
    }

    /// Right/left, or right − left.
    pub fn slack(&self) -> Slack {
        let (left, right) = self.sides();
        let [low, high] = [&right[0], &right[1]];
        if left[1] > Number::zero() && *low > Number::zero() {
            let least = ratio(low, &left[1]).0;
            let greatest = (left[0] > Number::zero()).then(|| ratio(high, &left[0]).1);
            Slack::Ratio(least, greatest)
        } else {
            let (least, _) = (low - &left[1]).enclosure(BITS);
            let (_, greatest) = (high - &left[0]).enclosure(BITS);
            Slack::Difference(least, greatest)
        }
    }

    /// How near it is to being false, decided exactly.
    pub fn tightness(&self) -> Tightness {
        let (left, right) = self.sides();
        if right[1] < left[0] {
            return Tightness::False;
        }
        let known = left[0] == left[1] && right[0] == right[1];
        if self.relation == Relation::Equals {
            let equal = known && left[0] == right[0];
            let apart = known || left[1] < right[0];
            return if equal {
                Tightness::Tight
            } else if apart {
                Tightness::False
            } else {
                Tightness::Unknown
            };
        }
        if known && left[0] == right[0] {
            return Tightness::Tight;
        }
        let positive = |number: &Number| *number > Number::zero();
        let twice = |number: &Number| number + number;
        // All that is known of both sides says the same.
        if right[0] >= left[1] && positive(&left[0]) && right[1] <= twice(&left[0]) {
            Tightness::Near
        } else if right[0] > twice(&left[1]) || known && !positive(&left[0]) {
            Tightness::Slack
        } else {
            Tightness::Unknown
        }
    }

    /// It in one line: `worst δ: 1/8 ≤ 1/4, ratio 2 (near)`.
    pub fn line(&self) -> String {
        let (left, right) = self.sides();
        let shown = |sides: &Between| match sides.each_ref().map(brief) {
            [low, high] if low == high => low,
            [low, high] => format!("{low}..{high}"),
        };
        let slack = match self.slack() {
            ratio @ Slack::Ratio(..) => format!("ratio {}", ratio.shown()),
            difference @ Slack::Difference(..) => difference.shown(),
        };
        let (sign, name) = (self.sign(), self.tightness().name());
        format!("{}: {} {sign} {}, {slack} ({name})", self.what, shown(left), shown(right))
    }
}

/// The inequality that is nearest to being false: the one that a statement about all of them depends on.
pub fn nearest(inequalities: impl IntoIterator<Item = Inequality>) -> Option<Inequality> {
    inequalities.into_iter().min_by_key(|inequality| inequality.slack().rank())
}

/// The slackest inequality: the one that a claim of all of them is as slack as.
pub fn slackest<'i>(
    inequalities: impl IntoIterator<Item = &'i Inequality>,
) -> Option<&'i Inequality> {
    inequalities.into_iter().max_by_key(|inequality| inequality.slack().rank())
}

/// A number that is known.
pub fn exactly(number: &Number) -> Between {
    [number.clone(), number.clone()]
}

/// A bound, or its decimal where that is much shorter.
fn brief(number: &Number) -> String {
    let exact = number.to_string();
    if exact.len() <= SHOWN { exact } else { number.decimal(DIGITS) }
}

/// Rational bounds on the quotient of two positive numbers.
fn ratio(above: &Number, below: &Number) -> (Rational, Rational) {
    if above == below {
        return (Rational::one(), Rational::one());
    }
    let mut bits = BITS;
    loop {
        let ((a, b), (c, d)) = (above.enclosure(bits), below.enclosure(bits));
        // A very small number has no digits yet.
        if c.is_positive() && (a.is_positive() || above.as_rational().is_some()) {
            return (a / d, b / c);
        }
        bits *= 2;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::exact::expression;

    fn number(text: &str) -> Number {
        expression::evaluate(text, &BTreeMap::new()).unwrap()
    }

    fn inequality(found: &str, relation: Relation, claimed: &str) -> Inequality {
        let exact = |text: &str| [number(text), number(text)];
        Inequality {
            quantity: "x".into(),
            what: "x".into(),
            found: exact(found),
            relation,
            claimed: exact(claimed),
        }
    }

    /// By hand.
    #[test]
    fn slack_is_right_over_left_or_the_difference() {
        use Relation::{AtLeast, AtMost, Equals};
        for (found, relation, claimed, line) in [
            ("1/8", AtMost, "1/8", "x: 1/8 ≤ 1/8, ratio 1 (tight)"),
            ("1/8", AtMost, "1/4", "x: 1/8 ≤ 1/4, ratio 2 (near)"),
            ("1/8", AtMost, "3/8", "x: 1/8 ≤ 3/8, ratio 3 (slack)"),
            ("1/2", AtMost, "1/4", "x: 1/2 ≤ 1/4, ratio 1/2 (false)"),
            ("3/2", AtLeast, "1", "x: 1 ≤ 3/2, ratio 3/2 (near)"),
            ("3/2", AtLeast, "2", "x: 2 ≤ 3/2, ratio 3/4 (false)"),
            ("0", AtMost, "0", "x: 0 ≤ 0, difference 0 (tight)"),
            ("0", AtMost, "1/9", "x: 0 ≤ 1/9, difference 1/9 (slack)"),
            ("-1", AtMost, "1/9", "x: -1 ≤ 1/9, difference 10/9 (slack)"),
            ("1", AtMost, "0", "x: 1 ≤ 0, difference -1 (false)"),
            ("2", Equals, "2", "x: 2 = 2, ratio 1 (tight)"),
            ("2", Equals, "3", "x: 2 = 3, ratio 3/2 (false)"),
            // e = 2.718…, e/2 = 1.359140…
            ("2", AtMost, "exp(1)", "x: 2 ≤ exp(1), ratio 1.359140… (near)"),
            ("exp(1)", AtMost, "exp(1)", "x: exp(1) ≤ exp(1), ratio 1 (tight)"),
        ] {
            assert_eq!(inequality(found, relation, claimed).line(), line);
        }
    }

    #[test]
    fn bounds_tell_as_much_as_is_sure() {
        let between = |low: &str, high: &str, claimed: &str| Inequality {
            found: [number(low), number(high)],
            ..inequality("0", Relation::AtMost, claimed)
        };
        assert_eq!(between("1/4", "1/3", "1/2").tightness(), Tightness::Near);
        assert_eq!(between("1/9", "1/3", "1/2").tightness(), Tightness::Unknown);
        assert_eq!(between("0", "1/9", "1/2").tightness(), Tightness::Slack);
        assert_eq!(between("1/3", "1", "1/4").tightness(), Tightness::False);
        assert_eq!(between("1/5", "1/3", "1/4").tightness(), Tightness::Unknown);
        assert_eq!(between("0", "1/9", "1/2").slack().shown(), "at least 9/2");
        assert!(between("0", "1/9", "1/2").slack().exceeds(&Rational::from_integer(4.into())));
    }

    #[test]
    fn the_nearest_is_the_one_that_fails_first() {
        use Relation::AtMost;
        let of = |pairs: &[(&str, &str)]| {
            nearest(pairs.iter().map(|(a, b)| inequality(a, AtMost, b))).unwrap().line()
        };
        assert_eq!(of(&[("1", "3"), ("1", "2"), ("0", "1")]), "x: 1 ≤ 2, ratio 2 (near)");
        assert_eq!(of(&[("1", "3"), ("0", "0")]), "x: 0 ≤ 0, difference 0 (tight)");
        assert_eq!(of(&[("1", "1/2"), ("1", "0")]), "x: 1 ≤ 0, difference -1 (false)");
    }
}
