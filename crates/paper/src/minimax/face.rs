//! Exact optimal solutions by rounding on the optimal face.
//!
//! An interior-point method ends near the middle of the set of optimal solutions. It tells which
//! columns are positive there and which inequalities are tight. These are then systems of linear
//! equations: for the optimal solutions, the equalities and the tight inequalities in the positive
//! columns; for the optimal multipliers, the reduced costs of the positive columns, which are 0. Where
//! they leave freedom, the guess decides, rounded; what is strictly satisfied stays so.

use num_traits::{One, Signed, Zero};

use super::eliminate::{self, Equation, Failed};
use super::guess::Guess;
use super::program::{Program, Right, Row};
use littlestone_exact::limits::Limits;
use littlestone_exact::{BigInt, Rational};

/// The free columns are rounded by so many digits of the guess.
const DROPPED_BITS: u32 = 16;

fn rounded(guess: &Guess, value: &BigInt) -> Rational {
    Rational::new(value >> DROPPED_BITS, BigInt::one() << (guess.bits - DROPPED_BITS))
}

/// The columns of an optimal solution, unless the guess was wrong. They satisfy the equations;
/// whether they satisfy the inequalities is not checked.
///
/// # Errors
/// When the equations have no solution, or a limit was hit.
pub fn columns(
    program: &Program,
    rho: &Rational,
    delta: &Rational,
    guess: &Guess,
    limits: &Limits,
) -> Result<Vec<Rational>, Failed> {
    let kept: Vec<usize> = (0..program.columns).filter(|&c| guess.positive[c]).collect();
    let place = places(program.columns, &kept);
    let tight = program.inequalities.iter().zip(&guess.tight);
    let rows =
        program.equalities.iter().chain(tight.filter(|(_, tight)| **tight).map(|(row, _)| row));
    let equation = |(row, right): &(Row, Right)| -> Equation {
        let entries = row.iter().filter_map(|&(column, c)| Some((place[column]?, c.at(rho))));
        (entries.filter(|(_, value)| !value.is_zero()).collect(), Program::right(*right, delta))
    };
    let free = |c: usize| rounded(guess, &guess.columns[kept[c]]);
    let found = eliminate::solve(rows.map(equation).collect(), kept.len(), free, limits)?;
    let mut values = vec![Rational::zero(); program.columns];
    for (column, value) in kept.into_iter().zip(found) {
        values[column] = value;
    }
    Ok(values)
}

/// The multipliers of the inequalities in an optimal solution of the dual program, unless the
/// guess was wrong; those that came out negative are set to 0.
///
/// # Errors
/// When the equations have no solution, or a limit was hit.
pub fn multipliers(
    program: &Program,
    rho: &Rational,
    guess: &Guess,
    limits: &Limits,
) -> Result<Vec<Rational>, Failed> {
    let equalities = program.equalities.len();
    let mut equations: Vec<Equation> = vec![(Vec::new(), Rational::zero()); program.columns];
    equations[program.columns - 1].1 = -Rational::one();
    let kept: Vec<usize> = (0..program.inequalities.len()).filter(|&i| guess.tight[i]).collect();
    let tight = kept.iter().map(|&i| &program.inequalities[i]);
    for (unknown, (row, _)) in program.equalities.iter().chain(tight).enumerate() {
        for &(column, coefficient) in row {
            let value = coefficient.at(rho);
            if guess.positive[column] && !value.is_zero() {
                equations[column].0.push((unknown, value));
            }
        }
    }
    let equations = equations.into_iter().zip(&guess.positive);
    let equations = equations.filter(|(_, positive)| **positive).map(|(e, _)| e).collect();
    let free = |unknown: usize| match unknown.checked_sub(equalities) {
        Some(i) => rounded(guess, &guess.inequalities[kept[i]]),
        None => rounded(guess, &guess.equalities[unknown]),
    };
    let found = eliminate::solve(equations, equalities + kept.len(), free, limits)?;
    let mut values = vec![Rational::zero(); program.inequalities.len()];
    for (row, value) in kept.into_iter().zip(found.into_iter().skip(equalities)) {
        if value.is_positive() {
            values[row] = value;
        }
    }
    Ok(values)
}

fn places(columns: usize, kept: &[usize]) -> Vec<Option<usize>> {
    let mut place = vec![None; columns];
    for (i, &column) in kept.iter().enumerate() {
        place[column] = Some(i);
    }
    place
}
