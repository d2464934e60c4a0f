//! Natural numbers of any size: exact, or as a tower of two whose last exponent is enclosed.

use littlestone_exact::{BigInt, BigUint, Enclosure, Rational};

use super::Logs;

/// The greatest number of bits of a number that is kept exactly.
pub const EXACT_BITS: u64 = 20_000;

/// A number of at least 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Size {
    /// All its digits.
    Exact(BigUint),
    /// 2^x, with x enclosed.
    Power(Enclosure),
    /// 2^(2^x), with x enclosed.
    Tower(Enclosure),
}

impl Size {
    /// The number if it is known exactly.
    pub fn exact(&self) -> Option<&BigUint> {
        match self {
            Self::Exact(n) => Some(n),
            _ => None,
        }
    }

    /// log2 of the number, unless it is a tower.
    pub fn log2(&self, logs: &Logs) -> Option<Enclosure> {
        match self {
            Self::Exact(n) => Some(logs.log2_natural(n)),
            Self::Power(x) => Some(x.clone()),
            Self::Tower(_) => None,
        }
    }

    /// log2 log2 of the number, if it is above 2.
    pub fn log2_log2(&self, logs: &Logs) -> Option<Enclosure> {
        if let Self::Tower(x) = self {
            return Some(x.clone());
        }
        let log2 = self.log2(logs)?;
        (log2.low() > Rational::from_integer(0.into())).then(|| logs.log2_of(&log2))
    }

    /// The least number of decimal digits that it can have; `None` for a tower.
    pub fn digits(&self, logs: &Logs) -> Option<BigInt> {
        if let Self::Exact(n) = self {
            return Some(n.to_string().len().into());
        }
        let log2 = self.log2(logs)?;
        let ten = logs.log2(&Rational::from_integer(10.into()));
        let log10 = log2.times(&ten.reciprocal().expect("log2 10 is above 3"));
        Some(log10.low().floor().to_integer() + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_and_logarithms_of_powers_of_ten() {
        let logs = Logs::new(64);
        let size = Size::Exact(BigUint::from(1000u32));
        assert_eq!(size.digits(&logs), Some(4.into()));
        // 2^100 = 1.26…·10^30, by hand from 2^10 = 1.024·10^3.
        let size = Size::Power(logs.integer(100));
        assert_eq!(size.digits(&logs), Some(31.into()));
        let seven = Size::Tower(logs.integer(7));
        assert_eq!((seven.log2(&logs), seven.digits(&logs)), (None, None));
        let log2_log2 = Size::Power(logs.integer(128)).log2_log2(&logs).unwrap();
        assert!(log2_log2.contains(&Rational::from_integer(7.into())));
        assert_eq!(Size::Exact(BigUint::from(1u32)).log2_log2(&logs), None);
    }
}
