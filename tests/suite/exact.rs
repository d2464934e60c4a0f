//! Exact numbers against second computations: other formulas, other representations, theory.

mod enclosures;
mod numbers;
mod polynomials;
mod rings;
mod tools;
