//! The Vapnik–Chervonenkis dimension, by trying all sets of points.

use std::collections::BTreeSet;

use itertools::Itertools;

use crate::class::Class;
use crate::limits::Limits;

use super::Dimension;

/// The largest number of points on which the class realises every labelling; −1 for the empty
/// class.
pub fn vc_dimension(class: &Class, _limits: &Limits) -> Dimension {
    let shatters = |set: &[usize]| {
        let seen: BTreeSet<Vec<bool>> = (0..class.hypotheses())
            .map(|h| set.iter().map(|&x| class.label(h, x)).collect())
            .collect();
        seen.len() == 1 << set.len()
    };
    let mut d = -1;
    for size in 0..=class.points().min(class.hypotheses().checked_ilog2().unwrap_or(0) as usize) {
        if !(0..class.points()).combinations(size).any(|set| shatters(&set)) {
            break;
        }
        d += 1;
    }
    Dimension { lower: d, upper: d, stopped: None }
}
