//! Exact minimax values: the expected mistakes that the best private learner, or predictor, makes
//! on the worst realisable stream of T examples (Definitions 1 to 4).
//!
//! V = min over all (ε,δ)-private learners of the maximum over realisable streams of the expected
//! number of mistakes. For a finite class and T rounds this is a finite linear program: its columns
//! are the probabilities of words of outputs under histories, its rows say that the law of an output
//! does not depend on the future, that neighbouring histories are private, and that no stream gives
//! more than v mistakes. Only histories of the last round need rows of privacy, as shorter words
//! are sums. Its dual is an adversary: a law over streams, and a multiplier for each row of privacy.
//!
//! The program is solved in floating point for a *guess*, and the answer comes from exact
//! arithmetic alone:
//!
//! | module | idea |
//! | --- | --- |
//! | [`Game`] | the class without what makes no difference; histories and words as numbers |
//! | [`orbits`] | symmetries of the class, up to which columns and rows are made |
//! | [`Size`] | how large the program is, before it is built |
//! | [`program`] | sparse rows with coefficients a + b·e^ε |
//! | [`guess`] | an interior point, in floating point, with 16 digits or 32 |
//! | [`face`], [`eliminate`] | exact solutions on the optimal face that the guess points to |
//! | [`Against`] | the worst stream, or a law over streams |
//! | [`Learner`] | an upper bound with its proof; rounding of the guess to one |
//! | [`Adversary`] | a lower bound with its proof |
//! | [`trivial`] | what is known without a program; ε = δ = 0 |
//! | [`solve()`] | all of it together |
//! | [`curve()`](curve::curve) | the value as a function of δ, with all corners |
//! | [`certify`] | certificates |
//! | [`Strategy`] | the learner as a mechanism |

pub mod adversary;
pub mod certify;
pub mod curve;
pub mod eliminate;
pub mod face;
pub mod game;
pub mod guess;
pub mod law;
pub mod learner;
pub mod orbits;
pub mod program;
pub mod size;
pub mod solve;
pub mod strategy;
pub mod trivial;

pub use adversary::{Adversary, Tangent};
pub use game::{Game, Neighbours, Place};
pub use law::{Against, Law};
pub use learner::Learner;
pub use size::Size;
pub use solve::{Bounds, Privacy, best_response, solve};
pub use strategy::Strategy;
