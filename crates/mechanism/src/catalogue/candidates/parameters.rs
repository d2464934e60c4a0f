//! The parameters of Algorithm 2, and what the paper asks of them.

use num_traits::Pow;

use super::super::Select;
use littlestone_base::error::{Error, Result};
use littlestone_exact::{BigInt, Rational, show};

use super::Function;

/// What is not as in the paper. Each is a reading of the text that the text excludes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Variant {
    /// Algorithm 2 as printed.
    #[default]
    Paper,
    /// ℓ is set back to 0 when a new batch begins.
    FreshLevels,
    /// The sample error is divided by the size of the sample, not by n.
    SampleSize,
    /// A batch consists of the first K mistakes after the batch before it.
    Suffix,
    /// Only the samples of the last batch are kept.
    Forgetful,
    /// What is returned after ⊥ at ℓ = d is not padded with `h_0`.
    Unpadded,
}

impl Variant {
    /// All of them with their names, the paper's first.
    pub const ALL: [(&str, Self); 6] = [
        ("paper", Self::Paper),
        ("fresh-levels", Self::FreshLevels),
        ("sample-size", Self::SampleSize),
        ("suffix", Self::Suffix),
        ("forgetful", Self::Forgetful),
        ("unpadded", Self::Unpadded),
    ];
}

/// The parameters of Algorithm 2. All are free; see [`Parameters::conditions`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameters {
    /// d ≥ 0, the ambient dimension: at least that of the class.
    pub ambient: i32,
    /// n ≥ 1, the size of a full sample.
    pub sample: usize,
    /// k ≥ 1, the number of groups.
    pub groups: usize,
    /// s, the bound on the sizes of lists. The algorithm does not look at it.
    pub list_bound: usize,
    /// N ≥ 1, the number of candidates beside `h_0`.
    pub candidates: usize,
    /// K ≥ 1, the size of a full batch.
    pub batch: usize,
    /// `a_0`, …, `a_d` ≥ 0, the error thresholds.
    pub thresholds: Vec<Rational>,
    /// `p_0`, …, `p_d` ≥ 1, the parameters of the lists.
    pub lists: Vec<u32>,
    /// `h_0`, which is public.
    pub first: Function,
    /// The law of Select (Fact 3).
    pub select: Select,
    /// The score B of ⊥ in it.
    pub score: Rational,
    /// What is not as in the paper.
    pub variant: Variant,
}

/// A condition that the paper puts on the parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// What is asked, with the numbers in place.
    pub text: String,
    /// Whether it is so.
    pub holds: bool,
}

impl Parameters {
    /// The greatest n, k, N and K; no run of this size ends.
    pub const GREATEST_SIZE: usize = 1_000;

    /// The greatest ambient dimension, as for decompositions.
    pub const GREATEST_AMBIENT: i32 = 64;

    /// Checks that d is in its range, which the numbers below need.
    ///
    /// # Errors
    /// When it is not from 0 to 64.
    pub fn check_ambient(ambient: i32) -> Result<()> {
        if (0..=Self::GREATEST_AMBIENT).contains(&ambient) {
            return Ok(());
        }
        let message =
            format!("d: expected a number from 0 to {}, found {ambient}", Self::GREATEST_AMBIENT);
        Err(Error::argument(message))
    }

    /// Checks that n, k, N or K is in its range.
    fn check_size(name: &str, value: usize) -> Result<()> {
        if (1..=Self::GREATEST_SIZE).contains(&value) {
            return Ok(());
        }
        let message =
            format!("{name}: expected a number from 1 to {}, found {value}", Self::GREATEST_SIZE);
        Err(Error::argument(message))
    }

    /// `a_ℓ = 1/8 − ℓ/(32(d+1))` for 0 ≤ ℓ ≤ d.
    pub fn paper_thresholds(ambient: i32) -> Vec<Rational> {
        let level = |l: i32| {
            Rational::new(1.into(), 8.into())
                - Rational::new(l.into(), (32 * (i64::from(ambient) + 1)).into())
        };
        (0..=ambient).map(level).collect()
    }

    /// `p_ℓ = 2^ℓ n` for 0 ≤ ℓ ≤ d.
    ///
    /// # Errors
    /// When one does not fit into 32 bits.
    pub fn paper_lists(ambient: i32, sample: usize) -> Result<Vec<u32>> {
        let doubled = |l: i32| {
            u32::try_from(sample)
                .ok()
                .and_then(|n| n.checked_mul(2u32.checked_pow(l.try_into().ok()?)?))
        };
        (0..=ambient).map(doubled).collect::<Option<_>>().ok_or_else(|| Error::TooLarge {
            what: "the list parameter p_d = 2^d n".into(),
            size: format!("the value 2^{ambient} · {sample}"),
            limit: u32::MAX.to_string(),
        })
    }

    /// `s = (2^d n)^d 2^(d^2)`, the bound of (P1) in Fact 2 at the last level.
    ///
    /// # Panics
    /// When d is above 64.
    pub fn paper_list_bound(ambient: i32, sample: usize) -> BigInt {
        assert!(ambient <= Self::GREATEST_AMBIENT, "d is in its range");
        let d = u32::try_from(ambient).unwrap_or(0);
        let two = BigInt::from(2);
        Pow::pow(&two, d * d) * Pow::pow(&(Pow::pow(&two, d) * BigInt::from(sample)), d)
    }

    /// Checks the ranges that the algorithm itself needs.
    ///
    /// # Errors
    /// When a parameter is out of its range, or there is not one threshold and one list parameter
    /// for each level 0, …, d.
    pub fn check(&self) -> Result<()> {
        Self::check_ambient(self.ambient)?;
        Self::check_size("n", self.sample)?;
        Self::check_size("k", self.groups)?;
        Self::check_size("N", self.candidates)?;
        Self::check_size("K", self.batch)?;
        self.check_thresholds()?;
        self.check_lists()
    }

    /// Checks the thresholds.
    ///
    /// # Errors
    /// When there is not one for each level, or one is below 0.
    pub fn check_thresholds(&self) -> Result<()> {
        self.check_levels("thresholds a", self.thresholds.len())?;
        let zero = Rational::from_integer(0.into());
        if let Some(below) = self.thresholds.iter().find(|&a| *a < zero) {
            let found = show(below);
            return Err(Error::argument(format!(
                "the thresholds a: expected numbers of at least 0, found {found}"
            )));
        }
        Ok(())
    }

    /// Checks the list parameters.
    ///
    /// # Errors
    /// When there is not one for each level, or one is 0.
    pub fn check_lists(&self) -> Result<()> {
        self.check_levels("list parameters p", self.lists.len())?;
        if self.lists.contains(&0) {
            return Err(Error::argument("the list parameters p: expected at least 1, found 0"));
        }
        Ok(())
    }

    /// Checks that there are d + 1 of something.
    fn check_levels(&self, name: &str, found: usize) -> Result<()> {
        let levels = usize::try_from(self.ambient).map_or(0, |d| d + 1);
        if found != levels || levels == 0 {
            return Err(Error::argument(format!(
                "the {name}: expected d + 1 = {} of them, found {found}",
                self.ambient + 1
            )));
        }
        Ok(())
    }

    /// What Section 7.1 asks of the parameters, as far as it can be decided without its unspecified
    /// constants. Nothing here is enforced: lemmas are checked where their own premises hold.
    ///
    /// # Panics
    /// When d is above 64, which [`Parameters::check`] refuses.
    pub fn conditions(&self) -> Vec<Condition> {
        let big = |value: usize| BigInt::from(value);
        let (n, k, s) = (big(self.sample), big(self.groups), big(self.list_bound));
        let d = u32::try_from(self.ambient).unwrap_or(0);
        let level: BigInt = BigInt::from(d) + 1;
        let two = BigInt::from(2);
        let mut found = Vec::new();
        let mut say = |text: String, holds: bool| found.push(Condition { text, holds });
        say(format!("d = {d} ≥ 1"), d >= 1);
        say(format!("n = {n} ≥ (d+1)^6 = {}", Pow::pow(&level, 6u32)), n >= Pow::pow(&level, 6u32));
        let bound = Self::paper_list_bound(self.ambient, self.sample);
        say(format!("s = {s} = (2^d n)^d 2^(d^2) = {bound}"), s == bound);
        let needed = &two * &level * &s + &two;
        say(
            format!("N = {} = 2(d+1)s + 2 = {needed}", self.candidates),
            big(self.candidates) == needed,
        );
        let full = &two * &k * &n;
        say(format!("K = {} = 2kn = {full}", self.batch), big(self.batch) == full);
        let enough = Pow::pow(&big(self.candidates), 2u32) * &n;
        say(format!("k = {k} ≥ N^2 n = {enough}"), k >= enough);
        say(
            "a_ℓ = 1/8 − ℓ/(32(d+1))".into(),
            self.thresholds == Self::paper_thresholds(self.ambient),
        );
        say(
            "p_ℓ = 2^ℓ n".into(),
            Self::paper_lists(self.ambient, self.sample).is_ok_and(|lists| lists == self.lists),
        );
        let part =
            |p: i64, q: i64| Rational::new(p.into(), q.into()) * Rational::from_integer(k.clone());
        let (low, high) = (part(3, 5), part(9, 10));
        say(
            format!("3k/5 = {} < B = {} < 9k/10 = {}", show(&low), show(&self.score), show(&high)),
            low < self.score && self.score < high,
        );
        found
    }
}
