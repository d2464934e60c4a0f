//! Kind `threshold-dimension`: the longest chain of thresholds in a class.

use crate::class::Class;
use crate::limits::Limits;
use crate::littlestone::{Dimension, threshold_dimension, threshold_sequence};

use super::Kind;
use super::dimension::{KEYS, Measure, first, parse, size};

pub(super) static KIND: Kind = Kind {
    name: "threshold-dimension",
    about: "the largest k with points x_1..x_k and hypotheses h_1..h_k such that h_i(x_j) = 1 iff i ≤ j",
    keys: KEYS,
    parse: parse::<ThresholdDimension>,
};

#[derive(Debug)]
struct ThresholdDimension;

impl Measure for ThresholdDimension {
    const SYMBOL: &'static str = "Tdim";
    const VALUE: &'static str = "threshold_dimension";

    fn measure(class: &Class, limits: &Limits) -> Dimension {
        threshold_dimension(class, limits)
    }

    /// The hypotheses of a chain are different, and so are its points.
    fn counting(class: &Class) -> (i64, i64) {
        let most = size(class.hypotheses().min(class.points()));
        (if class.hypotheses() == 0 { -1 } else { 0 }, most)
    }

    fn witness(class: &Class, claimed: i64, limits: &Limits) -> Vec<String> {
        let sequence = threshold_sequence(class, limits);
        let pairs = first(&sequence.points, claimed).iter().zip(&sequence.hypotheses);
        let pairs: Vec<String> = pairs
            .map(|(&x, &h)| format!("({}, {})", class.point_names()[x], class.hypothesis_name(h)))
            .collect();
        vec![format!("thresholds (x_i, h_i): {}", pairs.join(", "))]
    }
}
