//! The sides of inequalities: exact numbers, and those with the square root of Lemma 1.

use std::cmp::Ordering;
use std::fmt;

use littlestone_exact::{Number, Rational, decimal, enclose_root};

/// One side of an inequality.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Side {
    /// A number.
    Exact(Number),
    /// `first` + `factor`·√`under`, with `under` ≥ 0.
    Root {
        /// The summand without the root.
        first: Number,
        /// What the root is multiplied with.
        factor: Number,
        /// What is under it.
        under: Number,
    },
}

impl Side {
    /// The sign, decided exactly: where the summands have opposite signs, their squares compare as
    /// their magnitudes do.
    pub fn sign(&self) -> Ordering {
        match self {
            Self::Exact(number) => number.sign(),
            Self::Root { first, factor, under } => {
                let root = if under.is_zero() { Ordering::Equal } else { factor.sign() };
                match (first.sign(), root) {
                    (sign, Ordering::Equal) | (Ordering::Equal, sign) => sign,
                    (a, b) if a == b => a,
                    (a, b) => match (first * first).cmp(&(&(factor * factor) * under)) {
                        Ordering::Greater => a,
                        Ordering::Less => b,
                        Ordering::Equal => Ordering::Equal,
                    },
                }
            }
        }
    }

    /// `number` minus this side.
    #[must_use]
    pub fn below(&self, number: &Number) -> Self {
        match self {
            Self::Exact(own) => Self::Exact(number - own),
            Self::Root { first, factor, under } => {
                Self::Root { first: number - first, factor: -factor, under: under.clone() }
            }
        }
    }

    /// The number, where there is no root.
    pub fn exact(&self) -> Option<&Number> {
        match self {
            Self::Exact(number) => Some(number),
            Self::Root { .. } => None,
        }
    }

    /// A decimal of at most `digits` digits after the point, truncated, with `…` unless it is the
    /// value itself.
    pub fn decimal(&self, digits: u32) -> String {
        let (first, factor, under) = match self {
            Self::Exact(number) => return number.decimal(digits),
            Self::Root { first, factor, under } => (first, factor, under),
        };
        let mut bits = 64 + 4 * u64::from(digits);
        // A value that is a decimal, such as 1 − √(1/4), is never told from its neighbours unless
        // the root is exact: then both ends are equal.
        for _ in 0..6 {
            let (low, high) = enclosure(first, factor, under, bits);
            let ends = [decimal(&low, digits), decimal(&high, digits)];
            if low == high {
                return ends[0].clone();
            }
            let stem = |text: &str| text.replace('…', "");
            if stem(&ends[0]) == stem(&ends[1]) && ends.iter().all(|end| end.contains('…')) {
                return ends[0].clone();
            }
            bits *= 2;
        }
        let (low, high) = enclosure(first, factor, under, bits);
        format!("{} to {}", decimal(&low, digits), decimal(&high, digits))
    }
}

impl Side {
    /// Rational bounds on the value, that grow tighter with `bits`; both the value if it is
    /// rational without a root.
    pub fn enclosure(&self, bits: u64) -> (Rational, Rational) {
        match self {
            Self::Exact(number) => number.enclosure(bits),
            Self::Root { first, factor, under } => enclosure(first, factor, under, bits),
        }
    }
}

/// Rational bounds on the value.
fn enclosure(first: &Number, factor: &Number, under: &Number, bits: u64) -> (Rational, Rational) {
    let (low, high) = under.enclosure(bits);
    let zero = Rational::from_integer(0.into());
    let root = |value: &Rational| enclose_root(value.max(&zero), bits).expect("not negative");
    let (low, high) = (root(&low).low(), root(&high).high());
    let (a, b) = first.enclosure(bits);
    let (c, d) = factor.enclosure(bits);
    let products = [&c * &low, &c * &high, &d * &low, &d * &high];
    let least = products.iter().min().expect("four products");
    let greatest = products.iter().max().expect("four products");
    (a + least, b + greatest)
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(number) => fmt::Display::fmt(number, f),
            Self::Root { first, factor, under } => {
                if factor.sign().is_lt() {
                    write!(f, "{first} - ({})*sqrt({under})", -factor)
                } else {
                    write!(f, "{first} + ({factor})*sqrt({under})")
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(first: i64, factor: i64, under: i64) -> Side {
        Side::Root { first: first.into(), factor: factor.into(), under: under.into() }
    }

    /// 3 − 2√2 > 0 > 2 − 2√2, 3 − √9 = 0; √2 = 1.41421356….
    #[test]
    fn signs_with_roots_are_exact() {
        for (side, sign) in [
            (root(3, -2, 2), Ordering::Greater),
            (root(2, -2, 2), Ordering::Less),
            (root(3, -1, 9), Ordering::Equal),
            (root(-3, 2, 2), Ordering::Less),
            (root(0, -1, 2), Ordering::Less),
            (root(1, -5, 0), Ordering::Greater),
            (root(-1, -1, 2), Ordering::Less),
        ] {
            assert_eq!(side.sign(), sign, "{side}");
        }
        assert_eq!(root(0, 1, 2).decimal(6), "1.414213…");
        assert_eq!(root(3, -1, 4).decimal(6), "1");
        assert_eq!(root(1, -1, 2).below(&2.into()), root(1, 1, 2));
        assert_eq!(root(1, -1, 2).to_string(), "1 - (1)*sqrt(2)");
    }
}
