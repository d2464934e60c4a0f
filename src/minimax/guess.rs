//! A guess of an optimal solution by an interior-point method, in floating point.
//!
//! This is the one file of the core with floating-point numbers. Nothing rests on them: what comes
//! out are integers, which say where to look, and every bound is worked out from them again in
//! exact arithmetic. A wrong guess costs the exact value or a part of the precision, never the
//! truth of a bound.
#![allow(clippy::float_arithmetic)]

use std::time::Instant;

use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettingsBuilder, DefaultSolver, IPSolver, NonnegativeConeT, SolverStatus, ZeroConeT,
};
use num_traits::{FromPrimitive, ToPrimitive, Zero};

use super::program::Program;
use crate::exact::{BigInt, Rational};

/// Numbers are rounded to multiples of 2^−BITS.
pub const BITS: u32 = 60;

/// Where an optimal solution is to be looked for.
#[derive(Debug)]
pub struct Guess {
    /// The columns, in units of 2^−[`BITS`], at least 0.
    pub columns: Vec<BigInt>,
    /// The multipliers of the equalities, in the same units.
    pub equalities: Vec<BigInt>,
    /// The multipliers of the inequalities, in the same units, at least 0.
    pub inequalities: Vec<BigInt>,
    /// Whether a column is positive in optimal solutions, rather than its reduced cost.
    pub positive: Vec<bool>,
    /// Whether an inequality is tight in optimal solutions, with a positive multiplier.
    pub tight: Vec<bool>,
}

fn float(value: &Rational) -> f64 {
    value.to_f64().unwrap_or(f64::MAX)
}

fn integer(value: f64) -> BigInt {
    BigInt::from_f64((value * 2f64.powi(60)).round()).unwrap_or_else(BigInt::zero)
}

/// Solves a program at ρ and δ in floating point; `None` if the solver found nothing, or the time
/// was over.
pub fn guess(
    program: &Program,
    rho: &Rational,
    delta: &Rational,
    deadline: Option<Instant>,
) -> Option<Guess> {
    let (equalities, inequalities) = (program.equalities.len(), program.inequalities.len());
    let mut entries: Vec<Vec<(usize, f64)>> = vec![Vec::new(); program.columns];
    let mut right = Vec::new();
    for (i, (row, side)) in program.equalities.iter().chain(&program.inequalities).enumerate() {
        for &(column, coefficient) in row {
            entries[column].push((i, float(&coefficient.at(rho))));
        }
        right.push(float(&Program::right(*side, delta)));
    }
    let rows = equalities + inequalities;
    for (column, list) in entries.iter_mut().enumerate() {
        list.push((rows + column, -1.0));
        right.push(0.0);
    }
    let mut starts = vec![0];
    for list in &entries {
        starts.push(starts[starts.len() - 1] + list.len());
    }
    let (places, values) = entries.into_iter().flatten().unzip();
    let matrix = CscMatrix::new(rows + program.columns, program.columns, starts, places, values);
    let mut cost = vec![0.0; program.columns];
    cost[program.columns - 1] = 1.0;
    let time = deadline.map_or(f64::INFINITY, |deadline| {
        deadline.saturating_duration_since(Instant::now()).as_secs_f64()
    });
    let settings = DefaultSettingsBuilder::default()
        .verbose(false)
        .max_iter(200)
        .time_limit(time)
        .tol_gap_abs(1e-12)
        .tol_gap_rel(1e-12)
        .tol_feas(1e-12)
        .presolve_enable(false)
        .build()
        .ok()?;
    let cones = [ZeroConeT(equalities), NonnegativeConeT(inequalities + program.columns)];
    let none = CscMatrix::zeros((program.columns, program.columns));
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
    Some(Guess {
        columns: found.x.iter().map(|x| integer(x.max(0.0))).collect(),
        equalities: found.z[..equalities].iter().map(|z| integer(*z)).collect(),
        inequalities: multipliers.iter().map(|z| integer(z.max(0.0))).collect(),
        positive: found.x.iter().zip(reduced).map(|(x, d)| x > d).collect(),
        tight: multipliers.iter().zip(slack).map(|(y, s)| y > s).collect(),
    })
}
