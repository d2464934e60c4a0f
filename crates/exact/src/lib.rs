//! Exact numbers: the arithmetic every verdict rests on, without floats. The plain rational numbers come
//! from `littlestone-base`, and stand here too.
//!
//! | module | idea |
//! | --- | --- |
//! | [`rational`] | the boundary type for rational numbers and how it is shown |
//! | [`parse`] | reading `3/4`, `0.25`, `25e-2`, `2^-10` |
//! | [`weight`] | [`Natural`]: non-negative integers, one machine operation while they are small |
//! | [`integer`] | [`Integer`]: the same for integers of any sign |
//! | [`interval`] | outward-rounded dyadic enclosures |
//! | [`enclosure`] | enclosures of eᵠ, ln q and √c; exact signs of a − b·eᵠ and a + b√c |
//! | [`decay`] | a shared enclosure of e⁻ᵘ, refined on demand |
//! | [`laurent`] | integer Laurent polynomials in t |
//! | [`sign`] | their values and signs at t = eᵘ |
//! | [`exponential`] | the field ℚ(t), t = eᵘ |
//! | [`number`] | [`Number`]: the type of every probability, δ and result |
//! | [`functions`] | the operations of expressions and scripts, which refuse what would be too large |
//! | [`expression`] | exact expressions: `1/2 - 1/8*exp(1/2)`, and whatever else is shown for a number |
//! | [`epsilon`] | [`Epsilon`]: the privacy parameter, `1/2`, `ln(3/2)` or `ln(1/2 + exp(1))` |
//! | [`delta`] | reading a δ |
//! | [`ring`] | [`Arithmetic`]: the scale-free working arithmetic of one verdict; the choice of one |
//! | [`log_rational`], [`transcendental`], [`polynomial`] | its three implementations |
//! | [`limits`] | bounds on work, and what a running computation lets others see |

pub mod decay;
pub mod delta;
pub mod enclosure;
pub mod epsilon;
pub mod exponential;
pub mod expression;
pub mod functions;
pub mod interval;
pub mod laurent;
pub mod limits;
pub mod log_rational;
pub mod number;
pub mod polynomial;
pub mod ring;
pub mod sign;
pub mod transcendental;

pub use delta::parse_delta;
pub use littlestone_base::{
    BigInt, BigUint, Integer, Natural, ParseNumberError, Rational, decimal, parse_rational, show,
};
pub use littlestone_base::{integer, parse, rational, weight};

pub use enclosure::{enclose_exp, enclose_ln, enclose_root, sign_of_linear, sign_with_root};
pub use epsilon::Epsilon;
pub use exponential::Exponential;
pub use interval::Enclosure;
pub use laurent::Laurent;
pub use log_rational::LogRational;
pub use number::{DivisionByZero, Number, exp, exponents_fit};
pub use polynomial::Polynomial;
pub use ring::{Arithmetic, Choice, choose, natural};
pub use transcendental::TranscendentalRational;
