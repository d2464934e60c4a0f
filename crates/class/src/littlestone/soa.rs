//! The Standard Optimal Algorithm (Section 7.1 of the paper; Littlestone 1988).
//!
//! `SOA_G(x) = 0` iff `Ldim(G|(x,0)) = Ldim(G)`, and 1 otherwise: also when both sides drop. On a
//! realisable stream it makes at most `Ldim(H)` mistakes, because every mistake lowers the
//! dimension of the version space.

use crate::VersionSpace;
use littlestone_exact::limits::Stopped;

use super::Solver;

/// The prediction `SOA_G(x)` for the version space `space`.
///
/// On the empty set both sides are empty too, so the definition gives 0 at every point.
///
/// # Errors
/// When a limit of the solver is hit.
pub fn predict(solver: &Solver<'_>, space: &VersionSpace, x: usize) -> Result<bool, Stopped> {
    let dimension = solver.dimension_of(space)?;
    predict_at(solver, space, dimension, x)
}

/// [`predict`] for a version space whose dimension is known already.
fn predict_at(
    solver: &Solver<'_>,
    space: &VersionSpace,
    dimension: i32,
    x: usize,
) -> Result<bool, Stopped> {
    let zero = space.restrict(&solver.columns()[x], false);
    // Most rounds of a long stream query a point on which the version space agrees; then no
    // search is needed.
    if zero.len() == space.len() {
        return Ok(false);
    }
    if zero.is_empty() {
        return Ok(true);
    }
    // A part never has a greater dimension than the whole.
    Ok(!solver.at_least(&zero, dimension)?)
}

/// The function `SOA_G` on all points.
///
/// # Errors
/// When a limit of the solver is hit.
pub fn function(solver: &Solver<'_>, space: &VersionSpace) -> Result<Vec<bool>, Stopped> {
    let dimension = solver.dimension_of(space)?;
    (0..solver.columns().len()).map(|x| predict_at(solver, space, dimension, x)).collect()
}

/// What the algorithm does once no hypothesis fits the examples seen so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OnInconsistent {
    /// The stream is refused.
    Refuse,
    /// From the next round on, the fixed public function given by its labels in point order is
    /// predicted with. The function does not depend on the stream.
    Fixed(Vec<bool>),
}

/// One round of the prediction game (Definition 3) as played by the SOA.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Round {
    /// The point that was shown.
    pub point: usize,
    /// Number of hypotheses that fit all earlier rounds.
    pub version_space: usize,
    /// The Littlestone dimension of that version space, −1 when it is empty.
    pub dimension: i32,
    /// The prediction.
    pub prediction: bool,
    /// The label that was revealed after it.
    pub label: bool,
}

impl Round {
    /// Whether the prediction was wrong.
    pub fn mistake(&self) -> bool {
        self.prediction != self.label
    }
}

/// Why a run ended early.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RunError {
    /// A limit of the solver was hit.
    #[error("in round {round}: {reason}")]
    Stopped {
        /// The round, counted from 1.
        round: usize,
        /// The limit.
        reason: Stopped,
    },
    /// No hypothesis fits the stream up to and including this round.
    #[error("no hypothesis fits the stream up to and including round {round}")]
    Inconsistent {
        /// The round, counted from 1.
        round: usize,
    },
}

/// Plays the SOA, started on the whole class, against a stream of labelled examples
/// `(point, label)`.
///
/// # Errors
/// When a limit of the solver is hit, and, with [`OnInconsistent::Refuse`], at the first round
/// whose label no hypothesis of the version space gives.
///
/// # Panics
/// When a point is not a point of the class, or the fixed function has another number of labels
/// than the class has points.
pub fn run(
    solver: &Solver<'_>,
    stream: &[(usize, bool)],
    on_inconsistent: &OnInconsistent,
) -> Result<Vec<Round>, RunError> {
    if let OnInconsistent::Fixed(labels) = on_inconsistent {
        assert_eq!(labels.len(), solver.columns().len(), "labels of the fixed function");
    }
    let mut space = VersionSpace::full(solver.class());
    let mut dimension = None;
    let mut rounds = Vec::with_capacity(stream.len());
    for (index, &(point, label)) in stream.iter().enumerate() {
        let stopped = |reason| RunError::Stopped { round: index + 1, reason };
        let known = match dimension {
            Some(known) => known,
            None => solver.dimension_of(&space).map_err(stopped)?,
        };
        let prediction = match on_inconsistent {
            OnInconsistent::Fixed(labels) if space.is_empty() => labels[point],
            _ => predict_at(solver, &space, known, point).map_err(stopped)?,
        };
        let next = space.restrict(&solver.columns()[point], label);
        rounds.push(Round {
            point,
            version_space: space.len(),
            dimension: known,
            prediction,
            label,
        });
        if next.is_empty() && *on_inconsistent == OnInconsistent::Refuse {
            return Err(RunError::Inconsistent { round: index + 1 });
        }
        dimension = (next.len() == space.len()).then_some(known);
        space = next;
    }
    Ok(rounds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Class, ClassBuilder};
    use littlestone_exact::limits::Limits;

    fn class_of(rows: &[&str]) -> Class {
        let mut builder = ClassBuilder::new((1..=rows[0].len()).map(|x| x.to_string()).collect());
        for row in rows {
            builder.push(None, row.bytes().map(|b| b == b'1'));
        }
        builder.build()
    }

    /// The class of all functions on `points` points whose bit is set in `mask`.
    fn subclass(points: usize, mask: u32) -> Class {
        let mut builder = ClassBuilder::new((1..=points).map(|x| x.to_string()).collect());
        for h in (0..1usize << points).filter(|h| mask >> h & 1 == 1) {
            builder.push(None, (0..points).map(|x| h >> x & 1 == 1));
        }
        builder.build()
    }

    /// Definition 6 by the recursion on lists of rows, sharing nothing with the solver.
    fn naive_dimension(rows: &[usize], points: usize) -> i32 {
        if rows.is_empty() {
            return -1;
        }
        (0..points)
            .map(|x| {
                let side = |bit| {
                    let part: Vec<usize> =
                        rows.iter().copied().filter(|h| h >> x & 1 == bit).collect();
                    if part.len() == rows.len() || part.is_empty() {
                        return -1;
                    }
                    naive_dimension(&part, points)
                };
                1 + side(0).min(side(1))
            })
            .max()
            .unwrap_or(0)
            .max(0)
    }

    /// The greatest number of mistakes of the SOA on any realisable stream, and a check of every
    /// prediction on the way against the definition. Repeating a point changes nothing, so
    /// streams of distinct points suffice.
    fn worst(solver: &Solver<'_>, space: &VersionSpace, left: &[usize]) -> i32 {
        let points = solver.columns().len();
        let members: Vec<usize> = space
            .iter()
            .map(|h| (0..points).map(|x| usize::from(solver.class().label(h, x)) << x).sum())
            .collect();
        let mut most = 0;
        for &x in left {
            let rest: Vec<usize> = left.iter().copied().filter(|&y| y != x).collect();
            let zero: Vec<usize> = members.iter().copied().filter(|h| h >> x & 1 == 0).collect();
            let expected = naive_dimension(&zero, points) != naive_dimension(&members, points);
            let prediction = predict(solver, space, x).expect("no limit");
            assert_eq!(prediction, expected, "SOA of {members:?} at {x}");
            for label in [false, true] {
                let next = space.restrict(&solver.columns()[x], label);
                if !next.is_empty() {
                    most = most.max(i32::from(prediction != label) + worst(solver, &next, &rest));
                }
            }
        }
        most
    }

    #[test]
    fn at_most_d_mistakes_and_d_attained_on_every_class_over_three_points() {
        // Littlestone 1988: the optimal mistake bound is the dimension; all 255 classes.
        for mask in 1..=255u32 {
            let class = subclass(3, mask);
            let solver = Solver::new(&class, Limits::default());
            let members: Vec<usize> = (0..8usize).filter(|h| mask >> h & 1 == 1).collect();
            let d = naive_dimension(&members, 3);
            let full = VersionSpace::full(&class);
            assert_eq!(worst(&solver, &full, &[0, 1, 2]), d, "class {mask:08b}");
        }
    }

    #[test]
    fn the_soa_of_a_singleton_is_its_member() {
        for row in ["0", "1", "0110", "10011"] {
            let class = class_of(&[row]);
            let solver = Solver::new(&class, Limits::default());
            let labels = function(&solver, &VersionSpace::full(&class)).expect("no limit");
            assert_eq!(labels, row.bytes().map(|b| b == b'1').collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_tie_predicts_one() {
        // Two functions that differ at one point: both sides drop from dimension 1 to 0.
        let class = class_of(&["00", "01"]);
        let solver = Solver::new(&class, Limits::default());
        let labels = function(&solver, &VersionSpace::full(&class)).expect("no limit");
        assert_eq!(labels, [false, true]);
    }

    #[test]
    fn three_point_functions_predict_zero_until_the_one_mistake() {
        // Definition 5: label 1 leaves one hypothesis, label 0 leaves two and dimension 1.
        let class = class_of(&["100", "010", "001"]);
        let solver = Solver::new(&class, Limits::default());
        let rounds =
            run(&solver, &[(2, false), (0, true), (0, true), (1, false)], &OnInconsistent::Refuse)
                .expect("realised by the first hypothesis");
        let seen: Vec<_> =
            rounds.iter().map(|r| (r.version_space, r.dimension, r.prediction)).collect();
        // With two functions left both labels drop the dimension: the tie predicts 1.
        assert_eq!(seen, [(3, 1, false), (2, 1, true), (1, 0, true), (1, 0, false)]);
        assert!(rounds.iter().all(|r| !r.mistake()));
    }

    #[test]
    fn a_stream_that_leaves_the_class_is_refused_or_met_with_the_fixed_function() {
        let class = class_of(&["100", "010", "001"]);
        let solver = Solver::new(&class, Limits::default());
        let stream = [(0, true), (1, true), (0, false), (2, true)];
        assert_eq!(
            run(&solver, &stream, &OnInconsistent::Refuse),
            Err(RunError::Inconsistent { round: 2 })
        );
        let fixed = OnInconsistent::Fixed(vec![false, false, true]);
        let rounds = run(&solver, &stream, &fixed).expect("no limit");
        // Round 2 is still predicted from the last version space; the function rules from 3 on.
        assert_eq!((rounds[1].prediction, rounds[1].dimension), (false, 0));
        assert_eq!((rounds[2].prediction, rounds[2].dimension), (false, -1));
        assert_eq!((rounds[3].prediction, rounds[3].version_space), (true, 0));
    }
}
