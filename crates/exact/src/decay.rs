//! A shared enclosure of s = e⁻ᵘ, computed once at each precision that anyone needs.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use num_traits::Signed;

use super::enclosure::enclose_exp;
use super::interval::Enclosure;
use super::rational::{BigInt, Rational};

/// Levels kept; the last has 64·2^17 bits, a megabyte.
const KEPT: usize = 18;

/// The number s = e⁻ᵘ for a rational u > 0, with its enclosures at 64, 128, 256, … bits.
///
/// Clones share the enclosures. s is transcendental by Lindemann's theorem, so an expression in s
/// that is a non-zero polynomial is decided at some level.
#[derive(Debug, Clone)]
pub struct Decay {
    unit: Rational,
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    machine: OnceLock<(u64, u64)>,
    levels: [OnceLock<Enclosure>; KEPT],
}

impl Decay {
    /// The number e^−`unit`.
    ///
    /// # Panics
    ///
    /// Unless `unit` is positive.
    pub fn new(unit: Rational) -> Self {
        assert!(unit.is_positive(), "the unit of exponents is positive");
        Self { unit, shared: Arc::default() }
    }

    /// The exponent u.
    pub fn unit(&self) -> &Rational {
        &self.unit
    }

    /// The tightest enclosure of s at 64·2^`level` bits.
    pub fn at(&self, level: u32) -> Cow<'_, Enclosure> {
        let bits = 1u64.checked_shl(level).and_then(|factor| factor.checked_mul(64));
        let bits = bits.expect("a precision that fits the memory");
        let compute = || enclose_exp(&-&self.unit, bits);
        match usize::try_from(level).ok().and_then(|i| self.shared.levels.get(i)) {
            Some(cell) => Cow::Borrowed(cell.get_or_init(compute)),
            None => Cow::Owned(compute()),
        }
    }

    /// The first level, for arithmetic in machine words: integers l ≤ 2^63·s ≤ h, with h ≤ 2^63.
    pub fn machine(&self) -> (u64, u64) {
        *self.shared.machine.get_or_init(|| {
            let first = self.at(0).coarsen(63);
            let word = |n: &BigInt| u64::try_from(n).expect("a number below 1 at 63 bits fits 64");
            (word(first.low_numerator()), word(first.high_numerator()))
        })
    }
}
