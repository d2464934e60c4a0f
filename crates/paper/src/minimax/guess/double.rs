//! Floating-point numbers with twice the digits: sums of two `f64`, for guesses that plain ones are
//! too coarse for.
//!
//! The sums and products are those of Dekker, *A floating-point technique for extending the available
//! precision* (1971); a result is right to about 30 digits. Only what an interior-point method on linear
//! programs calls has that precision; the other functions that [`Float`] asks for are worked out
//! with plain numbers.

use std::cmp::Ordering;
use std::fmt;
use std::num::FpCategory;
use std::ops::{
    Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, RemAssign, Sub, SubAssign,
};

use num_traits::{Float, FloatConst, FromPrimitive, Num, NumCast, One, ToPrimitive, Zero};

/// The unevaluated sum of two numbers, the second at most half a unit in the last place of the first.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Double {
    high: f64,
    low: f64,
}

/// The sum of two numbers and its rounding error, for |a| ≥ |b|.
#[inline]
fn quick_sum(a: f64, b: f64) -> Double {
    let high = a + b;
    Double { high, low: b - (high - a) }
}

/// The sum of two numbers and its rounding error.
#[inline]
fn sum(a: f64, b: f64) -> Double {
    let high = a + b;
    let part = high - a;
    Double { high, low: (a - (high - part)) + (b - part) }
}

/// The two halves of the digits of a number.
#[inline]
fn split(a: f64) -> (f64, f64) {
    // 2^27 + 1.
    let scaled = 134_217_729.0 * a;
    let high = scaled - (scaled - a);
    (high, a - high)
}

/// The product of two numbers and its rounding error.
#[inline]
fn product(a: f64, b: f64) -> Double {
    let high = a * b;
    let ((a1, a2), (b1, b2)) = (split(a), split(b));
    Double { high, low: ((a1 * b1 - high) + a1 * b2 + a2 * b1) + a2 * b2 }
}

impl Double {
    const fn plain(high: f64) -> Self {
        Self { high, low: 0.0 }
    }

    /// The sum of two numbers.
    #[inline]
    pub(super) fn of_parts(high: f64, low: f64) -> Self {
        sum(high, low)
    }

    /// The two numbers.
    #[inline]
    pub(super) fn parts(self) -> (f64, f64) {
        (self.high, self.low)
    }
}

impl PartialOrd for Double {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match self.high.partial_cmp(&other.high) {
            Some(Ordering::Equal) => self.low.partial_cmp(&other.low),
            order => order,
        }
    }
}

impl Neg for Double {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self { high: -self.high, low: -self.low }
    }
}

impl Add for Double {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        let (high, low) = (sum(self.high, other.high), sum(self.low, other.low));
        let first = quick_sum(high.high, high.low + low.high);
        quick_sum(first.high, first.low + low.low)
    }
}

impl Sub for Double {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Double {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        let high = product(self.high, other.high);
        quick_sum(high.high, high.low + (self.high * other.low + self.low * other.high))
    }
}

impl Div for Double {
    type Output = Self;
    #[inline]
    fn div(self, other: Self) -> Self {
        let first = self.high / other.high;
        let rest = self - Self::plain(first) * other;
        let second = rest.high / other.high;
        let rest = rest - Self::plain(second) * other;
        quick_sum(first, second) + Self::plain(rest.high / other.high)
    }
}

impl Rem for Double {
    type Output = Self;
    fn rem(self, other: Self) -> Self {
        self - (self / other).trunc() * other
    }
}

macro_rules! assign {
    ($($name:ident $function:ident $operator:tt),*) => {$(
        impl $name for Double {
            #[inline]
            fn $function(&mut self, other: Self) {
                *self = *self $operator other;
            }
        }
    )*};
}
assign!(AddAssign add_assign +, SubAssign sub_assign -, MulAssign mul_assign *);
assign!(DivAssign div_assign /, RemAssign rem_assign %);

impl Zero for Double {
    #[inline]
    fn zero() -> Self {
        Self::plain(0.0)
    }
    #[inline]
    fn is_zero(&self) -> bool {
        self.high == 0.0
    }
}

impl One for Double {
    #[inline]
    fn one() -> Self {
        Self::plain(1.0)
    }
}

impl Num for Double {
    type FromStrRadixErr = <f64 as Num>::FromStrRadixErr;
    fn from_str_radix(text: &str, radix: u32) -> Result<Self, Self::FromStrRadixErr> {
        f64::from_str_radix(text, radix).map(Self::plain)
    }
}

impl ToPrimitive for Double {
    fn to_i64(&self) -> Option<i64> {
        self.high.to_i64()
    }
    fn to_u64(&self) -> Option<u64> {
        self.high.to_u64()
    }
    fn to_f64(&self) -> Option<f64> {
        Some(self.high)
    }
}

impl FromPrimitive for Double {
    fn from_i64(n: i64) -> Option<Self> {
        f64::from_i64(n).map(Self::plain)
    }
    fn from_u64(n: u64) -> Option<Self> {
        f64::from_u64(n).map(Self::plain)
    }
    fn from_f64(n: f64) -> Option<Self> {
        Some(Self::plain(n))
    }
}

impl NumCast for Double {
    fn from<T: ToPrimitive>(n: T) -> Option<Self> {
        n.to_f64().map(Self::plain)
    }
}

impl fmt::Display for Double {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.high, f)
    }
}

impl fmt::LowerExp for Double {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::LowerExp::fmt(&self.high, f)
    }
}

macro_rules! plain_constants {
    ($($name:ident),*) => {$(
        fn $name() -> Self {
            Self::plain(<f64 as FloatConst>::$name())
        }
    )*};
}

#[allow(non_snake_case, reason = "the names of the trait")]
impl FloatConst for Double {
    plain_constants!(
        E,
        FRAC_1_PI,
        FRAC_1_SQRT_2,
        FRAC_2_PI,
        FRAC_2_SQRT_PI,
        FRAC_PI_2,
        FRAC_PI_3,
        FRAC_PI_4,
        FRAC_PI_6,
        FRAC_PI_8,
        LN_10,
        LN_2,
        LOG10_E,
        LOG2_E,
        PI,
        SQRT_2
    );
}

macro_rules! plain_functions {
    ($($name:ident($($argument:ident),*)),*) => {$(
        fn $name(self $(, $argument: Self)*) -> Self {
            Self::plain(Float::$name(self.high $(, $argument.high)*))
        }
    )*};
}

impl Float for Double {
    plain_functions!(
        powf(n),
        exp(),
        exp2(),
        ln(),
        log(base),
        log2(),
        log10(),
        cbrt(),
        hypot(other),
        sin(),
        cos(),
        tan(),
        asin(),
        acos(),
        atan(),
        atan2(other),
        exp_m1(),
        ln_1p(),
        sinh(),
        cosh(),
        tanh(),
        asinh(),
        acosh(),
        atanh(),
        signum()
    );

    fn sin_cos(self) -> (Self, Self) {
        (self.sin(), self.cos())
    }
    fn nan() -> Self {
        Self::plain(f64::NAN)
    }
    fn infinity() -> Self {
        Self::plain(f64::INFINITY)
    }
    fn neg_infinity() -> Self {
        Self::plain(f64::NEG_INFINITY)
    }
    fn neg_zero() -> Self {
        Self::plain(-0.0)
    }
    // Small enough for `split`.
    fn max_value() -> Self {
        Self::plain(1e290)
    }
    fn min_value() -> Self {
        Self::plain(-1e290)
    }
    fn min_positive_value() -> Self {
        Self::plain(1e-290)
    }
    // 2^−104.
    fn epsilon() -> Self {
        Self::plain(4.930_380_657_631_324e-32)
    }
    #[inline]
    fn is_nan(self) -> bool {
        self.high.is_nan() || self.low.is_nan()
    }
    fn is_infinite(self) -> bool {
        self.high.is_infinite()
    }
    #[inline]
    fn is_finite(self) -> bool {
        self.high.is_finite() && self.low.is_finite()
    }
    fn is_normal(self) -> bool {
        self.high.is_normal()
    }
    fn classify(self) -> FpCategory {
        self.high.classify()
    }
    fn floor(self) -> Self {
        let high = self.high.floor();
        if high < self.high { Self::plain(high) } else { sum(high, self.low.floor()) }
    }
    fn ceil(self) -> Self {
        -(-self).floor()
    }
    fn round(self) -> Self {
        (self + Self::plain(0.5)).floor()
    }
    fn trunc(self) -> Self {
        if self.is_sign_negative() { self.ceil() } else { self.floor() }
    }
    fn fract(self) -> Self {
        self - self.trunc()
    }
    #[inline]
    fn abs(self) -> Self {
        if self.high < 0.0 { -self } else { self }
    }
    fn is_sign_positive(self) -> bool {
        self.high.is_sign_positive()
    }
    fn is_sign_negative(self) -> bool {
        self.high.is_sign_negative()
    }
    #[inline]
    fn mul_add(self, a: Self, b: Self) -> Self {
        self * a + b
    }
    #[inline]
    fn recip(self) -> Self {
        Self::one() / self
    }
    fn powi(self, n: i32) -> Self {
        let power = num_traits::pow(self, usize::try_from(n.unsigned_abs()).unwrap_or(usize::MAX));
        if n < 0 { power.recip() } else { power }
    }
    fn sqrt(self) -> Self {
        let root = self.high.sqrt();
        if root == 0.0 || !root.is_finite() {
            return Self::plain(root);
        }
        let rest = self - product(root, root);
        quick_sum(root, rest.high / (2.0 * root))
    }
    #[inline]
    fn max(self, other: Self) -> Self {
        if self < other || self.is_nan() { other } else { self }
    }
    #[inline]
    fn min(self, other: Self) -> Self {
        if self > other || self.is_nan() { other } else { self }
    }
    fn abs_sub(self, other: Self) -> Self {
        if self > other { self - other } else { Self::zero() }
    }
    fn integer_decode(self) -> (u64, i16, i8) {
        self.high.integer_decode()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn double(n: u32) -> Double {
        Double::plain(n.into())
    }

    /// 1/3 is wrong by less than 2^−100, which plain numbers could not say.
    #[test]
    fn quotients_products_and_roots_have_thirty_digits() {
        let tiny = Double::plain(2f64.powi(-100));
        let third = double(1) / double(3);
        assert!((third * double(3) - double(1)).abs() < tiny);
        assert!((third + third + third - double(1)).abs() < tiny);
        assert!((third - Double::plain(1.0 / 3.0)).abs() > Double::plain(2f64.powi(-60)));
        let root = double(2).sqrt();
        assert!((root * root - double(2)).abs() < tiny);
        // (1 + e)(1 − e) = 1 − e² for e = 2^−40.
        let e = Double::plain(2f64.powi(-40));
        assert_eq!((double(1) + e) * (double(1) - e), double(1) - e * e);
        assert_ne!(double(1) - e * e, double(1));
    }

    #[test]
    fn parts_order_and_whole_numbers() {
        let (high, low) = (Double::of_parts(1.0, 2f64.powi(-80)), double(1));
        assert_eq!(high.parts(), (1.0, 2f64.powi(-80)));
        assert!(high > low);
        assert!(-high < -low);
        assert_eq!((high.floor(), high.ceil(), (-high).floor()), (low, double(2), -double(2)));
        assert_eq!((double(7) % double(3), double(5).powi(2)), (double(1), double(25)));
    }
}
