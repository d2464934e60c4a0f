//! The threshold dimension, by trying all sequences.

use crate::class::Class;
use crate::limits::Limits;

use super::Dimension;

/// The largest k with points `x_1..x_k` and hypotheses `h_1..h_k` such that `h_i(x_j) = 1` iff
/// i ≤ j; columns are not complemented.
pub fn threshold_dimension(class: &Class, _limits: &Limits) -> Dimension {
    fn extend(class: &Class, chain: &mut Vec<(usize, usize)>) -> i32 {
        let mut best = 0;
        for h in 0..class.hypotheses() {
            for x in 0..class.points() {
                let fits = class.label(h, x)
                    && chain.iter().all(|&(g, y)| class.label(g, x) && !class.label(h, y));
                if fits {
                    chain.push((h, x));
                    best = best.max(1 + extend(class, chain));
                    chain.pop();
                }
            }
        }
        best
    }
    let k = extend(class, &mut Vec::new());
    Dimension { lower: k, upper: k, stopped: None }
}
