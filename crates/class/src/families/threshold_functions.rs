//! Linear threshold functions on `{0,1}^n`, by small integer weights.
//!
//! Permuting and negating variables turns any linear threshold function into one with weights
//! `w1 ≥ … ≥ wn ≥ 0`. For n ≤ 6 integer weights of at most 1, 1, 2, 3, 5, 9 are enough (Muroga,
//! Tsuboi and Baugh, *Enumeration of threshold functions of eight variables*, 1970). That is not
//! taken on trust: every function generated is a threshold function by construction, so when their
//! number is the known one (OEIS A000609), none is missing; tests count them.

use std::collections::BTreeSet;

use itertools::Itertools;

use super::boolean::two_to;
use super::rows::{Rows, bit_strings, index};
use super::size::{Count, Size, power};
use super::{Family, Parameter};
use crate::Class;
use littlestone_base::error::Result;
use littlestone_base::limits::{Meter, Stopped};

/// The numbers of linear threshold functions of 0, …, 9 variables (OEIS A000609).
const COUNTS: [&str; 10] = [
    "2",
    "4",
    "14",
    "104",
    "1882",
    "94572",
    "15028134",
    "8378070864",
    "17561539552946",
    "144130531453121108",
];

/// For 0, …, 6 variables, integer weights that suffice.
const WEIGHTS: [u64; 7] = [0, 1, 1, 2, 3, 5, 9];

pub(super) const FAMILIES: &[Family] = &[Family {
    name: "threshold-function",
    arguments: "n ≥ 1",
    summary: "linear threshold functions on {0,1}^n: halfspaces of the Boolean cube",
    size: "4, 14, 104, 1882, 94572, 15028134, … (OEIS A000609) × 2^n",
    dimension: "no closed form; n = 2, 3, 4: 3, 6, 9 (computed)",
    example: "threshold-function:3",
    parameters: &[Parameter::from("n", 1)],
    measure: |a| {
        let known = usize::try_from(a[0]).ok().and_then(|n| COUNTS.get(n));
        let count = if let Some(digits) = known {
            let formula = format!("number of threshold functions of {} variables", a[0]);
            Count::of(formula, digits.parse().ok())
        } else {
            // Cover's count gives less than 2^(n²) for n ≥ 2.
            let bound = a[0].checked_mul(a[0]).and_then(|square| power(2, square));
            Count::at_most(format!("2^({}^2)", a[0]), bound)
        };
        Ok(Size::new(count, two_to(a[0])))
    },
    build: |a, meter| threshold_functions(index(a[0]), meter),
}];

fn threshold_functions(n: usize, meter: &mut Meter<'_>) -> Result<Class> {
    let moves: Vec<Vec<usize>> = (0..n)
        .permutations(n)
        .map(|p| {
            let image = |x: usize| p.iter().enumerate().map(|(v, &w)| (x >> w & 1) << v).sum();
            (0..1usize << n).map(image).collect()
        })
        .collect();
    let representatives = sorted_weights(n, meter)?;
    let mut rows = Rows::new(bit_strings(n), meter);
    // Orbits are disjoint: Chow parameters determine a threshold function and are sorted and
    // nonnegative when the weights are, so each orbit has one representative with sorted weights.
    for f in representatives {
        rows.meter.work(moves.len() << (n + 4))?;
        for image in orbit(f, n, &moves) {
            rows.push_packed(&[image])?;
        }
    }
    Ok(rows.build())
}

/// The truth tables (point x at bit x) of the threshold functions with weights
/// `w1 ≥ … ≥ wn ≥ 0`.
fn sorted_weights(n: usize, meter: &mut Meter<'_>) -> Result<BTreeSet<u64>, Stopped> {
    let mut found = BTreeSet::new();
    for ascending in (0..=WEIGHTS[n]).combinations_with_replacement(n) {
        let sums: Vec<u64> = (0..1usize << n)
            .map(|x| ascending.iter().enumerate().map(|(v, w)| w * (x as u64 >> v & 1)).sum())
            .collect();
        let greatest = sums[sums.len() - 1];
        for threshold in 0..=greatest + 1 {
            meter.work(4 << n)?;
            let table = sums.iter().enumerate();
            found.insert(table.map(|(x, &s)| u64::from(s >= threshold) << x).sum());
        }
    }
    Ok(found)
}

/// The images of `f` under permutations and negations of variables, in increasing order.
fn orbit(f: u64, n: usize, moves: &[Vec<usize>]) -> Vec<u64> {
    let mut images = Vec::with_capacity(moves.len() << n);
    for table in moves {
        let permuted = table.iter().enumerate();
        let mut g: u64 = permuted.map(|(x, &y)| (f >> y & 1) << x).sum();
        images.push(g);
        // Gray code: each step negates one variable and 2^n − 1 steps meet all choices.
        for step in 1usize..1 << n {
            g = negate(g, step.trailing_zeros());
            images.push(g);
        }
    }
    images.sort_unstable();
    images.dedup();
    images
}

/// The truth table `f` with variable `v < 6` negated: points that differ in bit `v` are swapped.
fn negate(f: u64, v: u32) -> u64 {
    /// The points of `{0,1}^6` where bit v is 0.
    const ZERO: [u64; 6] = [
        0x5555_5555_5555_5555,
        0x3333_3333_3333_3333,
        0x0f0f_0f0f_0f0f_0f0f,
        0x00ff_00ff_00ff_00ff,
        0x0000_ffff_0000_ffff,
        0x0000_0000_ffff_ffff,
    ];
    let zero = ZERO[v as usize];
    (f & zero) << (1 << v) | f >> (1 << v) & zero
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use itertools::Itertools;

    use super::super::testing::{brute_force, class, dimension, rows};

    /// Whether the points with label 1 can be separated, by the criterion of asummability: no k
    /// points with label 1, with repetitions, have the same sum as k points with label 0 (Elgot
    /// 1961). For at most 8 variables k = 2 decides (Muroga, *Threshold Logic and Its
    /// Applications*, 1971). It uses no weights.
    fn asummable(f: &str) -> bool {
        let n = f.len().trailing_zeros();
        let with = |label| f.bytes().positions(move |b| b == label).collect::<Vec<_>>();
        let sums = |points: Vec<usize>| {
            let pairs = points.into_iter().combinations_with_replacement(2);
            let add = |p: Vec<usize>| (0..n).map(|v| (p[0] >> v & 1) + (p[1] >> v & 1)).collect();
            pairs.map(add).collect::<BTreeSet<Vec<usize>>>()
        };
        sums(with(b'1')).is_disjoint(&sums(with(b'0')))
    }

    #[test]
    fn functions_by_an_independent_criterion() {
        for n in 1..=3 {
            let generated = BTreeSet::from_iter(rows(&format!("threshold-function:{n}")));
            assert_eq!(brute_force(1 << n, asummable), generated);
        }
        assert_eq!(rows("threshold-function:4").iter().filter(|f| asummable(f)).count(), 1882);
    }

    #[test]
    fn functions_by_brute_force_over_weights() {
        // All weights in −3..3 and thresholds in −9..9, without any symmetry.
        let mut found = BTreeSet::new();
        for w in std::iter::repeat_n(-3..=3i32, 3).multi_cartesian_product() {
            for threshold in -9..=9 {
                let holds = |x: usize| {
                    let on = (0..3).filter(|&v| x >> (2 - v) & 1 == 1);
                    on.map(|v| w[v]).sum::<i32>() >= threshold
                };
                found.insert((0..8).map(|x| if holds(x) { '1' } else { '0' }).collect::<String>());
            }
        }
        assert_eq!(found, BTreeSet::from_iter(rows("threshold-function:3")));
    }

    #[test]
    fn counts_are_those_of_a000609() {
        let counts = (1..=5).map(|n| class(&format!("threshold-function:{n}")).hypotheses());
        assert_eq!(counts.collect::<Vec<_>>(), [4, 14, 104, 1882, 94572]);
    }

    #[test]
    fn dimensions_computed_by_two_independent_methods() {
        assert_eq!(dimension("threshold-function:1"), 2);
        assert_eq!(dimension("threshold-function:2"), 3);
    }

    #[test]
    #[ignore = "ten seconds and a gigabyte; after a change of the weights or the symmetries run \
                `cargo test --release --lib count_for_six_variables -- --ignored`"]
    fn count_for_six_variables() {
        assert_eq!(class("threshold-function:6").hypotheses(), 15_028_134);
    }
}
