//! A guess of an optimal solution by an interior-point method, in floating point.
//!
//! This folder holds all floating-point numbers of the core. Nothing rests on them: what comes
//! out are integers, which say where to look, and every bound is worked out from them again in
//! exact arithmetic. A wrong guess costs the exact value or a part of the precision, never the
//! truth of a bound.
#![allow(clippy::float_arithmetic)]

mod double;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use clarabel::algebra::{CscMatrix, FloatT};
use clarabel::solver::{
    DefaultSettings, DefaultSettingsBuilder, DefaultSolver, IPSolver, NonnegativeConeT,
    SolverStatus, ZeroConeT,
};
use num_traits::{Float, FromPrimitive, ToPrimitive, Zero};

use super::program::Program;
use double::Double;
use littlestone_exact::limits::{Limits, Stopped};
use littlestone_exact::{BigInt, Rational};

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

/// Solves a program at ρ and δ in floating point; `None` if the solver found nothing.
///
/// One step of the solver, the factorisation of a matrix, may take minutes and cannot be broken off.
/// So the solver has a thread of its own. When a limit is hit it is left alone; it ends with the
/// step that it is in, or with the program.
///
/// # Errors
/// When a limit is hit.
pub fn guess(
    program: &Program,
    rho: &Rational,
    delta: &Rational,
    precision: Precision,
    limits: &Limits,
) -> Result<Option<Guess>, Stopped> {
    match precision {
        Precision::Plain => solve::<f64>(program, rho, delta, limits),
        Precision::Twice => solve::<Double>(program, rho, delta, limits),
    }
}

/// Time between two looks at the limits while the solver runs.
const LOOK: Duration = Duration::from_millis(20);

/// Runs `work` on a thread of its own, which is told when it is no longer waited for. `None` if the
/// thread ended without a result.
fn apart<T: Send + 'static>(
    limits: &Limits,
    work: impl FnOnce(&Arc<AtomicBool>) -> T + Send + 'static,
) -> Result<Option<T>, Stopped> {
    limits.check()?;
    let (sender, receiver) = mpsc::channel();
    let left = Arc::new(AtomicBool::new(false));
    let of_thread = Arc::clone(&left);
    thread::spawn(move || {
        // Nobody may be there to take it.
        let _ = sender.send(work(&of_thread));
    });
    loop {
        match receiver.recv_timeout(LOOK) {
            Ok(found) => return Ok(Some(found)),
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
            Err(RecvTimeoutError::Timeout) => {
                if let Err(stopped) = limits.check() {
                    left.store(true, Ordering::Relaxed);
                    return Err(stopped);
                }
            }
        }
    }
}

/// The numbers that a program is solved with.
trait Digits: FloatT + Send {
    /// Integers are in units of 2 to the power of minus this.
    const BITS: u32;

    /// The nearest number; `None` if it is too large.
    fn of(value: &Rational) -> Option<Self>;

    /// The nearest integer, in units of 2^−[`Self::BITS`].
    fn integer(self) -> BigInt;

    /// How precise the solver is asked to be. It goes on until it makes no progress.
    fn settings() -> Option<DefaultSettings<Self>>;
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

    fn settings() -> Option<DefaultSettings<Self>> {
        DefaultSettingsBuilder::default()
            .verbose(false)
            .max_iter(200)
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

    fn settings() -> Option<DefaultSettings<Self>> {
        let number = <Self as num_traits::NumCast>::from::<f64>;
        DefaultSettingsBuilder::default()
            .verbose(false)
            .max_iter(300)
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

/// A program in the form of the solver.
struct Problem<F: Digits> {
    matrix: CscMatrix<F>,
    right: Vec<F>,
    cost: Vec<F>,
    equalities: usize,
    inequalities: usize,
}

impl<F: Digits> Problem<F> {
    /// `None` if a number is too large.
    fn new(
        program: &Program,
        rho: &Rational,
        delta: &Rational,
        limits: &Limits,
    ) -> Result<Option<Self>, Stopped> {
        let (equalities, inequalities) = (program.equalities.len(), program.inequalities.len());
        let mut entries: Vec<Vec<(usize, F)>> = vec![Vec::new(); program.columns];
        let mut right = Vec::new();
        let all = program.equalities.iter().chain(&program.inequalities);
        for (i, (row, side)) in all.enumerate() {
            limits.check()?;
            for &(column, coefficient) in row {
                let Some(number) = F::of(&coefficient.at(rho)) else { return Ok(None) };
                entries[column].push((i, number));
            }
            let Some(number) = F::of(&Program::right(*side, delta)) else { return Ok(None) };
            right.push(number);
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
        let size = (rows + program.columns, program.columns);
        let matrix = CscMatrix::new(size.0, size.1, starts, places, values);
        let mut cost = vec![F::zero(); program.columns];
        cost[program.columns - 1] = F::one();
        Ok(Some(Self { matrix, right, cost, equalities, inequalities }))
    }

    fn solve(&self, left: &Arc<AtomicBool>) -> Option<Guess> {
        let Self { matrix, right, cost, equalities, inequalities } = self;
        let (rows, columns) = (equalities + inequalities, cost.len());
        let cones = [ZeroConeT(*equalities), NonnegativeConeT(inequalities + columns)];
        let none = CscMatrix::zeros((columns, columns));
        let mut solver =
            DefaultSolver::new(&none, cost, matrix, right, &cones, F::settings()?).ok()?;
        let left = Arc::clone(left);
        solver.set_termination_callback(move |_: &_| left.load(Ordering::Relaxed));
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
        let (reduced, slack) = (&found.z[rows..], &found.s[*equalities..rows]);
        let multipliers = &found.z[*equalities..rows];
        let positive = |value: &F| Float::max(*value, F::zero()).integer();
        Some(Guess {
            bits: F::BITS,
            columns: found.x.iter().map(positive).collect(),
            equalities: found.z[..*equalities].iter().map(|z| z.integer()).collect(),
            inequalities: multipliers.iter().map(positive).collect(),
            positive: found.x.iter().zip(reduced).map(|(x, d)| x > d).collect(),
            tight: multipliers.iter().zip(slack).map(|(y, s)| y > s).collect(),
        })
    }
}

fn solve<F: Digits>(
    program: &Program,
    rho: &Rational,
    delta: &Rational,
    limits: &Limits,
) -> Result<Option<Guess>, Stopped> {
    let Some(problem) = Problem::<F>::new(program, rho, delta, limits)? else { return Ok(None) };
    Ok(apart(limits, move |left| problem.solve(left))?.flatten())
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::time::Instant;

    use super::*;

    /// A solver that would never end is left when the time is over, and told so.
    #[test]
    fn a_solver_is_left_when_a_limit_is_hit() {
        let (sender, receiver) = mpsc::channel();
        let endless = move |left: &Arc<AtomicBool>| {
            while !left.load(Ordering::Relaxed) {
                thread::yield_now();
            }
            let _ = sender.send("told");
        };
        let limits = Limits { deadline: Instant::now().checked_add(LOOK), ..Limits::default() };
        assert_eq!(apart(&limits, endless), Err(Stopped::Deadline));
        assert_eq!(receiver.recv(), Ok("told"));
        assert_eq!(apart(&Limits::default(), |_| 7), Ok(Some(7)));
        // After the time it does not begin.
        let begun = Arc::new(Mutex::new(false));
        let of_thread = Arc::clone(&begun);
        let begin = move |_: &Arc<AtomicBool>| *of_thread.lock().expect("not poisoned") = true;
        assert_eq!(apart(&limits, begin), Err(Stopped::Deadline));
        assert!(!*begun.lock().expect("not poisoned"));
    }
}
