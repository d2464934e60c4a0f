//! Kind `vc-dimension`: the largest number of points on which every labelling is realised.

use crate::class::Class;
use crate::limits::Limits;
use crate::littlestone::{Dimension, shattered_set, vc_dimension};

use super::Kind;
use super::dimension::{KEYS, Measure, first, floor_log2, parse, size};

pub(super) static KIND: Kind = Kind {
    name: "vc-dimension",
    about: "the Vapnik–Chervonenkis dimension of a class",
    keys: KEYS,
    parse: parse::<VcDimension>,
};

#[derive(Debug)]
struct VcDimension;

impl Measure for VcDimension {
    const SYMBOL: &'static str = "VCdim";
    const VALUE: &'static str = "vc_dimension";

    fn measure(class: &Class, limits: &Limits) -> Dimension {
        vc_dimension(class, limits)
    }

    /// A shattered set of d points has 2^d labellings with different hypotheses.
    fn counting(class: &Class) -> (i64, i64) {
        let most = floor_log2(class.hypotheses());
        (most.min(0), most.min(size(class.points())))
    }

    fn witness(class: &Class, claimed: i64, limits: &Limits) -> Vec<String> {
        let points = shattered_set(class, None, limits).points;
        // A part of a shattered set is shattered too; the smallest that refutes is shown.
        let names = first(&points, claimed).iter().map(|&x| class.point_names()[x].as_str());
        vec![format!("shattered points: {}", names.collect::<Vec<_>>().join(", "))]
    }
}
