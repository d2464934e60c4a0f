//! How Mirror chooses when to answer top: the law of a threshold, or a table of coins.

use super::super::{Given, shares::shares};
use littlestone_base::error::{Error, Result};
use littlestone_exact::functions;
use littlestone_exact::{Number, Rational, exp};

/// Greatest W and L for which a law is computed: its numbers have about as many digits.
const COMPUTED: usize = 1_000;

/// What the parameter `law` takes.
const LAWS: &str = "optimal, uniform, independent, or at least two probabilities";

/// Who asks for a law, with hypotheses of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::catalogue) enum Use {
    /// Mirror(a, b, D), where a ≤ 1 and b < 1/10.
    Fact4,
    /// Mirror(a/2, b/2, D) with the same bounds on a and b.
    Definition10,
}

impl Use {
    /// The greatest ε of Mirror, and what its δ is below.
    fn bounds(self) -> (Rational, Rational) {
        let scale = if self == Self::Fact4 { 1 } else { 2 };
        (Rational::new(1.into(), scale.into()), Rational::new(1.into(), (10 * scale).into()))
    }
}

/// How the answers in the window are chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::catalogue) enum Form {
    /// The probabilities that the threshold is 0, …, W. The active rounds beyond D + threshold are
    /// answered top.
    Threshold(Vec<Number>),
    /// The probabilities of top in the W active rounds after the first D.
    Independent(Vec<Number>),
}

impl Form {
    /// The length W of the window.
    pub(super) fn window(&self) -> usize {
        match self {
            Self::Threshold(law) => law.len() - 1,
            Self::Independent(table) => table.len(),
        }
    }

    /// The form that the parameters describe. A parameter that has no part in it is refused.
    pub(in crate::catalogue) fn read(given: &Given<'_>) -> Result<Self> {
        let word = given.bare_word("law");
        let (form, used): (_, &[&str]) = match word.as_deref() {
            Some("optimal") => (Self::Threshold(optimal(given)?), &["E", "W"]),
            Some("uniform") => (Self::Threshold(uniform(given)?), &["W"]),
            Some("independent") if given.has("table") => {
                (Self::Independent(given.probabilities("table")?), &["table", "W"])
            }
            Some("independent") => (Self::Independent(mirrored(given)?), &["m", "L", "W"]),
            Some(word) => return Err(given.unfit("law", LAWS, word)),
            None => (Self::Threshold(listed(given)?), &["W"]),
        };
        let unused = ["E", "W", "table", "m", "L"]
            .into_iter()
            .find(|name| given.has(name) && !used.contains(name));
        if let Some(name) = unused {
            let law = word.unwrap_or_else(|| "a list".into());
            return Err(Error::argument(format!(
                "the parameter `{name}` of `mirror` has no part with law={law}{}",
                if used.contains(&"table") { " and a table" } else { "" }
            )));
        }
        if given.has("W") && given.positive("W")? != form.window() {
            let expected = format!("{}, which the law says", form.window());
            return Err(given.unfit("W", &expected, &given.text("W")?));
        }
        Ok(form)
    }

    /// The hypotheses on a and b that the law violates, a sentence each.
    ///
    /// # Errors
    /// When E is beyond all limits.
    pub(in crate::catalogue) fn remarks(&self, given: &Given<'_>, by: Use) -> Result<Vec<String>> {
        let (a, b) = by.bounds();
        let mut remarks = Vec::new();
        let item = match by {
            Use::Fact4 => "Fact 4 has a ≤ 1 and b < 1/10",
            Use::Definition10 => "Definition 10 runs Mirror(a/2, b/2, D) with a ≤ 1 and b < 1/10",
        };
        if given.has("E") {
            let level = given.number("E")?;
            let most = exp(&a);
            if functions::compare(&level, &most).map_err(Error::argument)?.is_gt() {
                remarks.push(format!("{item}, so that E ≤ {most}, but E is {level}"));
            }
        }
        let revealed = self.revealed();
        if revealed >= Number::from(b) {
            remarks.push(format!(
                "{item}, but some answer of Mirror has probability {revealed} on one stream and 0 on \
                 a neighbouring one"
            ));
        }
        Ok(remarks)
    }

    /// The greatest probability of an answer that never occurs in a neighbouring stream, whose
    /// number of active rounds differs by one; δ is no smaller at any ε.
    fn revealed(&self) -> Number {
        let (law, certain) = match self {
            Self::Threshold(law) => (law, Number::zero()),
            Self::Independent(table) => (table, Number::one()),
        };
        let padded: Vec<Number> =
            [Number::zero()].into_iter().chain(law.iter().cloned()).chain([certain]).collect();
        let pairs = padded.windows(2).flat_map(|pair| {
            let (before, after) = (&pair[0], &pair[1]);
            let complements = (&Number::one() - before, &Number::one() - after);
            let by_zero = [
                before.is_zero().then(|| after.clone()),
                after.is_zero().then(|| before.clone()),
                complements.1.is_zero().then(|| complements.0.clone()),
                complements.0.is_zero().then_some(complements.1),
            ];
            by_zero.into_iter().flatten()
        });
        pairs.max().unwrap_or_else(Number::zero)
    }
}

/// W, for a law that does not say it.
fn window(given: &Given<'_>) -> Result<usize> {
    let window = given.positive("W")?;
    if window > COMPUTED {
        return Err(given.unfit(
            "W",
            &format!("at most {COMPUTED} with this law"),
            &given.text("W")?,
        ));
    }
    Ok(window)
}

/// The law with the least worst δ at level E: n is drawn with probability proportional to
/// `min(u_n, E^(W−n))`, where `u_0 = 1` and `u_n = 1 + (E−1)·u_(n−1)`. The worst δ is the probability
/// of 0.
fn optimal(given: &Given<'_>) -> Result<Vec<Number>> {
    let window = window(given)?;
    let level = given.number("E")?;
    let one = Number::one();
    if level <= one {
        return Err(given.unfit("E", "an exact number above 1", &given.text("E")?));
    }
    let (mut power, mut powers) = (one.clone(), Vec::with_capacity(window + 1));
    for _ in 0..=window {
        let next = functions::multiply(&power, &level).map_err(Error::argument)?;
        powers.push(std::mem::replace(&mut power, next));
    }
    let (mut u, mut weights) = (one.clone(), Vec::with_capacity(window + 1));
    for power in powers.iter().rev() {
        weights.push(functions::min(&u, power).map_err(Error::argument)?);
        let grown = functions::multiply(&(&level - &one), &u).map_err(Error::argument)?;
        u = &one + &grown;
    }
    shares(&weights)
}

fn uniform(given: &Given<'_>) -> Result<Vec<Number>> {
    let size = window(given)? + 1;
    let weight = functions::reciprocal(size).expect("a window has at least one round");
    Ok(vec![weight; size])
}

fn listed(given: &Given<'_>) -> Result<Vec<Number>> {
    let law = given.probabilities("law")?;
    if law.len() < 2 {
        return Err(given.unfit("law", LAWS, &law[0].to_string()));
    }
    let sum = law.iter().fold(Number::zero(), |sum, q| &sum + q);
    if !sum.is_one() {
        return Err(given.unfit("law", "probabilities that sum to 1", &format!("the sum {sum}")));
    }
    Ok(law)
}

/// The table `p_c = r^(−(L−c))/2` for c ≤ L and `p_(2L−c) = 1 − p_c`, where r = 1 + 1/m.
fn mirrored(given: &Given<'_>) -> Result<Vec<Number>> {
    for name in ["m", "L"] {
        if !given.has(name) {
            return Err(Error::argument(format!(
                "`mirror` with law=independent needs a table, or m and L: there is no `{name}`"
            )));
        }
    }
    let (m, half) = (given.positive("m")?, given.positive("L")?);
    if half > COMPUTED {
        return Err(given.unfit("L", &format!("at most {COMPUTED}"), &given.text("L")?));
    }
    let ratio = Rational::new(m.into(), (m + 1).into());
    let mut probability = Rational::new(1.into(), 2.into());
    let mut lower = Vec::with_capacity(half);
    for _ in 0..half {
        let next = &probability * &ratio;
        lower.push(std::mem::replace(&mut probability, next));
    }
    let upper: Vec<Rational> =
        lower.iter().skip(1).map(|p| Rational::from_integer(1.into()) - p).collect();
    Ok(lower.into_iter().rev().chain(upper).map(Number::from).collect())
}
