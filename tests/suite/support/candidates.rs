//! Algorithm 2 with the thresholds and lists of the paper, and sizes that are small enough.

use littlestone::catalogue::Select;
use littlestone::catalogue::candidates::{Algorithm, Function, Parameters, Variant};
use littlestone::class::Class;
use littlestone::exact::Rational;
use littlestone::limits::Limits;

/// The sizes of an instance.
#[derive(Debug, Clone, Copy)]
pub struct Sizes {
    pub n: usize,
    pub k: usize,
    pub candidates: usize,
    pub batch: usize,
    pub q: i64,
    pub score: i64,
}

/// The parameters with `h_0` = 0.
pub fn parameters(class: &Class, d: i32, sizes: Sizes, variant: Variant) -> Parameters {
    Parameters {
        ambient: d,
        sample: sizes.n,
        groups: sizes.k,
        list_bound: 64,
        candidates: sizes.candidates,
        batch: sizes.batch,
        thresholds: Parameters::paper_thresholds(d),
        lists: Parameters::paper_lists(d, sizes.n).expect("small"),
        first: Function::zero(class.points()),
        select: Select::with_powers(&sizes.q.into(), &sizes.score.into()).expect("q > 1"),
        score: Rational::from_integer(sizes.score.into()),
        variant,
    }
}

pub fn algorithm(class: &Class, d: i32, sizes: Sizes, variant: Variant) -> Algorithm {
    Algorithm::new(class, parameters(class, d, sizes, variant), &Limits::default())
        .expect("parameters in range")
}
