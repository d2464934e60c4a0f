//! One call of Select on lists (Fact 3).
//!
//! The sparse exponential mechanism of [Lyu26, Lemma 3.1]: its law is computed from the number of
//! lists that each function is in, so the functions may be of any type.

use std::collections::BTreeMap;
use std::hash::Hash;

use crate::Law;
use crate::catalogue::shares::shares;
use littlestone_base::error::{Error, Result};
use littlestone_exact::functions;
use littlestone_exact::{Number, Rational};

/// What counts for a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    /// The lists that name it, as in the paper.
    Lists,
    /// How often it is named, twice in one list too; a misreading.
    Mentions,
}

/// The weights of Fact 3's selection: a function that is in c ≥ 1 lists has weight q^c, bottom has
/// weight q^B. Functions in no list are never returned.
///
/// ```
/// use littlestone_mechanism::catalogue::{Count, Select};
/// use littlestone_exact::parse_rational;
///
/// // q = 2 and B = 3: weights 4 of `a`, 2 of `b`, 8 of bottom.
/// let select = Select::with_powers(&2.into(), &3.into())?;
/// let law = select.law(&[vec!["a"], vec!["a", "b"], vec![], vec![]], Count::Lists)?;
/// assert_eq!(law.weight(&Some("a")), parse_rational("2/7").unwrap().into());
/// assert_eq!(law.weight(&None), parse_rational("4/7").unwrap().into());
/// # Ok::<(), littlestone_base::error::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Select {
    base: Number,
    bottom: Number,
}

impl Select {
    /// Weights q^c and q^B, private at e^a = q² (Fact 3) for lists of at most s functions with
    /// worst δ s·q/(q^B + s·q) in all cases that were computed; `q` is above 1 and the score `B` an
    /// integer. The paper's guarantees need B between 3k/5 and 9k/10 for k lists, which is not
    /// checked here.
    ///
    /// # Errors
    /// When q is at most 1, B is not an integer, or q^B is beyond all limits.
    pub fn with_powers(q: &Number, score: &Number) -> Result<Self> {
        if *q <= Number::one() {
            return Err(Error::argument(format!("selection needs a number q above 1, not {q}")));
        }
        let bottom = functions::power(q, score).map_err(Error::argument)?;
        Ok(Self { base: q.clone(), bottom })
    }

    /// Weights e^(ac/2) and e^(aB/2), private at ε = a; `a` is above 0 and the score `B` rational.
    ///
    /// # Errors
    /// When a is at most 0, or the exponents are beyond all limits.
    pub fn with_exponentials(a: &Rational, score: &Rational) -> Result<Self> {
        let half = a / Rational::from_integer(2.into());
        if half <= Rational::from_integer(0.into()) {
            return Err(Error::argument(format!("selection needs a number a above 0, not {a}")));
        }
        let power = |of: Rational| functions::exp(&of.into()).map_err(Error::argument);
        Ok(Self { bottom: power(&half * score)?, base: power(half)? })
    }

    /// The law of the returned function, `None` for bottom, given the lists of all groups, empty
    /// ones too. Bottom stands first, then the functions in their order.
    ///
    /// # Errors
    /// When a weight is beyond all limits.
    pub fn law<H: Ord + Clone + Hash>(
        &self,
        lists: &[impl AsRef<[H]>],
        count: Count,
    ) -> Result<Law<Option<H>>> {
        let mut counts: BTreeMap<&H, usize> = BTreeMap::new();
        for list in lists {
            let mut named: Vec<&H> = list.as_ref().iter().collect();
            if count == Count::Lists {
                named.sort();
                named.dedup();
            }
            for function in named {
                *counts.entry(function).or_default() += 1;
            }
        }
        self.law_of_counts(counts.into_iter().map(|(function, count)| (function.clone(), count)))
    }

    /// The same, given distinct functions with the number of lists that each is in. One with the
    /// count 0 is never returned.
    ///
    /// # Errors
    /// When a weight is beyond all limits.
    pub fn law_of_counts<H: Clone + Eq + Hash>(
        &self,
        counts: impl IntoIterator<Item = (H, usize)>,
    ) -> Result<Law<Option<H>>> {
        let (mut outputs, mut weights) = (vec![None], vec![self.bottom.clone()]);
        for (function, count) in counts.into_iter().filter(|&(_, count)| count > 0) {
            let count = Number::from(Rational::from_integer(count.into()));
            outputs.push(Some(function));
            weights.push(functions::power(&self.base, &count).map_err(Error::argument)?);
        }
        Law::new("the law of selection", outputs.into_iter().zip(shares(&weights)?))
    }
}
