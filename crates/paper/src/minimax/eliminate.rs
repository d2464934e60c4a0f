//! Exact solutions of sparse systems of linear equations.

use std::collections::BTreeSet;

use num_traits::Zero;

use littlestone_exact::Rational;
use littlestone_exact::limits::{Limits, Stopped};

/// An equation: columns, increasing, with coefficients that are not 0, and the right side.
pub type Equation = (Vec<(usize, Rational)>, Rational);

/// Why there is no solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failed {
    /// The equations contradict each other.
    Inconsistent,
    /// A limit was hit.
    Stopped(Stopped),
}

impl From<Stopped> for Failed {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

/// A solution of `equations` over `columns` unknowns. Those that are not determined by the others
/// are set to `free` of their column.
///
/// Gaussian elimination over the rationals. The next equation is a shortest one, and of its
/// unknowns one that stands in the fewest equations is eliminated: most equations have two
/// unknowns, so little fills in.
///
/// # Errors
/// When there is no solution, or a limit was hit.
pub fn solve(
    equations: Vec<Equation>,
    columns: usize,
    free: impl Fn(usize) -> Rational,
    limits: &Limits,
) -> Result<Vec<Rational>, Failed> {
    let mut rows: Vec<Equation> = equations;
    let mut places: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); columns];
    for (i, (row, _)) in rows.iter().enumerate() {
        for (column, _) in row {
            places[*column].insert(i);
        }
    }
    let mut queue: BTreeSet<(usize, usize)> =
        rows.iter().enumerate().map(|(i, (row, _))| (row.len(), i)).collect();
    let mut pivots: Vec<(usize, usize)> = Vec::new();
    while let Some((length, i)) = queue.pop_first() {
        limits.check()?;
        if length == 0 {
            if rows[i].1.is_zero() {
                continue;
            }
            return Err(Failed::Inconsistent);
        }
        let least = rows[i].0.iter().map(|(column, _)| *column).min_by_key(|&c| places[c].len());
        let column = least.expect("the row is not empty");
        let (row, right) = std::mem::take(&mut rows[i]);
        let at = row.iter().position(|(c, _)| *c == column).expect("the column of this row");
        let inverse = row[at].1.recip();
        for (c, _) in &row {
            places[*c].remove(&i);
        }
        for j in std::mem::take(&mut places[column]) {
            limits.check()?;
            let (target, target_right) = std::mem::take(&mut rows[j]);
            let old = target.len();
            let by = target.iter().find(|(c, _)| *c == column).expect("it stands there");
            let by = &by.1 * &inverse;
            let merged = subtract(target, &row, &by, column, |c: usize, present: bool| {
                if present {
                    places[c].insert(j);
                } else {
                    places[c].remove(&j);
                }
            });
            queue.remove(&(old, j));
            queue.insert((merged.len(), j));
            rows[j] = (merged, target_right - &right * &by);
        }
        rows[i] = (row, right);
        pivots.push((i, column));
    }
    let mut values: Vec<Option<Rational>> = vec![None; columns];
    let mut is_pivot = vec![false; columns];
    for &(_, column) in &pivots {
        is_pivot[column] = true;
    }
    for column in (0..columns).filter(|&c| !is_pivot[c]) {
        values[column] = Some(free(column));
    }
    for (i, column) in pivots.into_iter().rev() {
        limits.check()?;
        let (row, right) = &rows[i];
        let mut sum = right.clone();
        let mut own = None;
        for (c, coefficient) in row {
            if *c == column {
                own = Some(coefficient);
            } else {
                let value = values[*c].as_ref().expect("solved before");
                if !value.is_zero() {
                    sum -= coefficient * value;
                }
            }
        }
        values[column] = Some(sum / own.expect("the pivot stands in its row"));
    }
    Ok(values.into_iter().map(|value| value.expect("pivot or free")).collect())
}

/// `target` − `by`·`row` without `column`, where they cancel. Says which columns are new in the
/// target and which are gone.
fn subtract(
    target: Vec<(usize, Rational)>,
    row: &[(usize, Rational)],
    by: &Rational,
    column: usize,
    mut changed: impl FnMut(usize, bool),
) -> Vec<(usize, Rational)> {
    let mut merged = Vec::with_capacity(target.len() + row.len());
    let mut others = row.iter().peekable();
    for (c, value) in target {
        while let Some((o, other)) = others.next_if(|(o, _)| *o < c) {
            merged.push((*o, -(by * other)));
            changed(*o, true);
        }
        match others.next_if(|(o, _)| *o == c) {
            _ if c == column => {}
            None => merged.push((c, value)),
            Some((_, other)) => {
                let difference = value - by * other;
                if difference.is_zero() {
                    changed(c, false);
                } else {
                    merged.push((c, difference));
                }
            }
        }
    }
    for (o, other) in others {
        merged.push((*o, -(by * other)));
        changed(*o, true);
    }
    merged
}
