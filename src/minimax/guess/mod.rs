//! A guess of an optimal solution by an interior-point method, in floating point.
//!
//! This folder holds all floating-point numbers of the core. Nothing rests on them: what comes
//! out are integers, which say where to look, and every bound is worked out from them again in
//! exact arithmetic. A wrong guess costs the exact value or a part of the precision, never the
//! truth of a bound.
#![allow(clippy::float_arithmetic)]

mod double;

use std::time::Instant;

use clarabel::algebra::{CscMatrix, FloatT};
use clarabel::solver::{
    DefaultSettings, DefaultSettingsBuilder, DefaultSolver, IPSolver, NonnegativeConeT,
    SolverStatus, ZeroConeT,
};
use num_traits::{Float, FromPrimitive, ToPrimitive, Zero};

use super::program::Program;
use crate::exact::{BigInt, Rational};
use double::Double;

/// With how many digits a guess is worked out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precision {
    /// About 16, which processors work with.
    Plain,
    /// About 32, at many times the cost.
    Twice,
}

/// Where an optimal solution is to be looked for.
#[derive(Debug)]
pub struct Guess {
    /// All numbers are in units of 2 to the power of minus this.
    pub bits: u32,
    /// The columns, at least 0.
    pub columns: Vec<BigInt>,
    /// The multipliers of the equalities.
    pub equalities: Vec<BigInt>,
    /// The multipliers of the inequalities, at least 0.
    pub inequalities: Vec<BigInt>,
    /// Whether a column is positive in optimal solutions, rather than its reduced cost.
    pub positive: Vec<bool>,
    /// Whether an inequality is tight in optimal solutions, with a positive multiplier.
    pub tight: Vec<bool>,
}

/// Solves a program at ρ and δ in floating point; `None` if the solver found nothing, or the time
/// was over.
pub fn guess(
    program: &Program,
    rho: &Rational,
    delta: &Rational,
    precision: Precision,
    deadline: Option<Instant>,
) -> Option<Guess> {
    match precision {
        Precision::Plain => solve::<f64>(program, rho, delta, deadline),
        Precision::Twice => solve::<Double>(program, rho, delta, deadline),
    }
}

/// The numbers that a program is solved with.
trait Digits: FloatT {
    /// Integers are in units of 2 to the power of minus this.
    const BITS: u32;

    /// The nearest number; `None` if it is too large.
    fn of(value: &Rational) -> Option<Self>;

    /// The nearest integer, in units of 2^−[`Self::BITS`].
    fn integer(self) -> BigInt;

    /// How precise the solver is asked to be. It goes on until it makes no progress.
    fn settings(deadline: Option<Instant>) -> Option<DefaultSettings<Self>>;
}

fn seconds(deadline: Option<Instant>) -> f64 {
    deadline.map_or(f64::INFINITY, |deadline| {
        deadline.saturating_duration_since(Instant::now()).as_secs_f64()
    })
}

/// The nearest integer to value·2^bits.
fn scaled(value: f64, bits: i32) -> BigInt {
    BigInt::from_f64((value * 2f64.powi(bits)).round()).unwrap_or_else(BigInt::zero)
}

impl Digits for f64 {
    const BITS: u32 = 60;

    fn of(value: &Rational) -> Option<Self> {
        value.to_f64().filter(|value| value.is_finite())
    }

    fn integer(self) -> BigInt {
        scaled(self, 60)
    }

    fn settings(deadline: Option<Instant>) -> Option<DefaultSettings<Self>> {
        DefaultSettingsBuilder::default()
            .verbose(false)
            .max_iter(200)
            .time_limit(seconds(deadline))
            .tol_gap_abs(1e-12)
            .tol_gap_rel(1e-12)
            .tol_feas(1e-12)
            .presolve_enable(false)
            .build()
            .ok()
    }
}

impl Digits for Double {
    const BITS: u32 = 116;

    fn of(value: &Rational) -> Option<Self> {
        let high = <f64 as Digits>::of(value)?;
        let rest = value - Rational::from_float(high)?;
        Some(Self::of_parts(high, <f64 as Digits>::of(&rest)?))
    }

    fn integer(self) -> BigInt {
        let (high, low) = self.parts();
        scaled(high, 116) + scaled(low, 116)
    }

    fn settings(deadline: Option<Instant>) -> Option<DefaultSettings<Self>> {
        let number = <Self as num_traits::NumCast>::from::<f64>;
        DefaultSettingsBuilder::default()
            .verbose(false)
            .max_iter(300)
            .time_limit(seconds(deadline))
            .tol_gap_abs(number(1e-26)?)
            .tol_gap_rel(number(1e-26)?)
            .tol_feas(number(1e-26)?)
            .tol_ktratio(number(1e-12)?)
            .static_regularization_constant(number(1e-16)?)
            .dynamic_regularization_eps(number(1e-26)?)
            .dynamic_regularization_delta(number(1e-14)?)
            .iterative_refinement_reltol(number(1e-28)?)
            .iterative_refinement_abstol(number(1e-28)?)
            .presolve_enable(false)
            .build()
            .ok()
    }
}

fn solve<F: Digits>(
    program: &Program,
    rho: &Rational,
    delta: &Rational,
    deadline: Option<Instant>,
) -> Option<Guess> {
    let (equalities, inequalities) = (program.equalities.len(), program.inequalities.len());
    let mut entries: Vec<Vec<(usize, F)>> = vec![Vec::new(); program.columns];
    let mut right = Vec::new();
    for (i, (row, side)) in program.equalities.iter().chain(&program.inequalities).enumerate() {
        for &(column, coefficient) in row {
            entries[column].push((i, F::of(&coefficient.at(rho))?));
        }
        right.push(F::of(&Program::right(*side, delta))?);
    }
    let rows = equalities + inequalities;
    for (column, list) in entries.iter_mut().enumerate() {
        list.push((rows + column, -F::one()));
        right.push(F::zero());
    }
    let mut starts = vec![0];
    for list in &entries {
        starts.push(starts[starts.len() - 1] + list.len());
    }
    let (places, values) = entries.into_iter().flatten().unzip();
    let matrix = CscMatrix::new(rows + program.columns, program.columns, starts, places, values);
    let mut cost = vec![F::zero(); program.columns];
    cost[program.columns - 1] = F::one();
    let cones = [ZeroConeT(equalities), NonnegativeConeT(inequalities + program.columns)];
    let none = CscMatrix::zeros((program.columns, program.columns));
    let settings = F::settings(deadline)?;
    let mut solver = DefaultSolver::new(&none, &cost, &matrix, &right, &cones, settings).ok()?;
    solver.solve();
    let found = &solver.solution;
    let usable = matches!(
        found.status,
        SolverStatus::Solved
            | SolverStatus::AlmostSolved
            | SolverStatus::InsufficientProgress
            | SolverStatus::MaxIterations
            | SolverStatus::NumericalError
    );
    if !usable || !found.x.iter().chain(&found.z).all(|value| value.is_finite()) {
        return None;
    }
    let (reduced, slack) = (&found.z[rows..], &found.s[equalities..rows]);
    let multipliers = &found.z[equalities..rows];
    let positive = |value: &F| Float::max(*value, F::zero()).integer();
    Some(Guess {
        bits: F::BITS,
        columns: found.x.iter().map(positive).collect(),
        equalities: found.z[..equalities].iter().map(|z| z.integer()).collect(),
        inequalities: multipliers.iter().map(positive).collect(),
        positive: found.x.iter().zip(reduced).map(|(x, d)| x > d).collect(),
        tight: multipliers.iter().zip(slack).map(|(y, s)| y > s).collect(),
    })
}
