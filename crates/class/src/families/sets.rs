//! Families of sets of numbered points: points, thresholds, intervals, subsets, balls.

use itertools::Itertools;

use super::rows::{Rows, functions, index, numbered, sets};
use super::size::{Amount, Count, Size, binomial, binomials_up_to, exactly, power, sum};
use super::{Family, Parameter};
use crate::Class;
use littlestone_base::error::Result;
use littlestone_base::limits::Meter;

const N: &[Parameter] = &[Parameter::from("n", 1)];

pub(super) const FAMILIES: &[Family] = &[
    Family {
        name: "point",
        arguments: "n ≥ 1",
        summary: "the point functions f1, …, fn, where fj is 1 at point j alone (Definition 5 for \
                  n = 3)",
        size: "n × n",
        dimension: "1 for n ≥ 2: the first mistake of \"always 0\" gives the function away",
        example: "point:3",
        parameters: N,
        measure: |a| Ok(Size::new(Count::plain(exactly(a[0])), numbered_points(a[0]))),
        build: |a, meter| point(index(a[0]), false, meter),
    },
    Family {
        name: "point0",
        arguments: "n ≥ 1",
        summary: "the point functions and the zero function",
        size: "n + 1 × n",
        dimension: "1: the first mistake of \"always 0\" gives the function away",
        example: "point0:3",
        parameters: N,
        measure: |a| Ok(Size::new(Count::plain(one_more(a[0])), numbered_points(a[0]))),
        build: |a, meter| point(index(a[0]), true, meter),
    },
    Family {
        name: "constants",
        arguments: "n ≥ 1",
        summary: "the two constant functions",
        size: "2 × n",
        dimension: "1",
        example: "constants:4",
        parameters: N,
        measure: |a| Ok(Size::new(Count::plain(exactly(2)), numbered_points(a[0]))),
        build: |a, meter| constants(index(a[0]), meter),
    },
    Family {
        name: "threshold",
        arguments: "n ≥ 1",
        summary: "thresholds: the functions 1{x ≤ j} for j = 0, …, n",
        size: "n + 1 × n",
        dimension: "floor(log2(n + 1)), by binary search (Littlestone 1988)",
        example: "threshold:7",
        parameters: N,
        measure: |a| Ok(Size::new(Count::plain(one_more(a[0])), numbered_points(a[0]))),
        build: |a, meter| functions(numbered(index(a[0])), index(a[0]) + 1, |h, x| x < h, meter),
    },
    Family {
        name: "half-interval",
        arguments: "n ≥ 1",
        summary: "half-intervals: the functions 1{x ≤ j} for j = 1, …, n",
        size: "n × n",
        dimension: "floor(log2 n), by binary search (Littlestone 1988)",
        example: "half-interval:8",
        parameters: N,
        measure: |a| Ok(Size::new(Count::plain(exactly(a[0])), numbered_points(a[0]))),
        build: |a, meter| functions(numbered(index(a[0])), index(a[0]), |h, x| x <= h, meter),
    },
    Family {
        name: "interval",
        arguments: "n ≥ 1",
        summary: "sets of consecutive points, with the empty one",
        size: "n(n + 1)/2 + 1 × n",
        dimension: "no closed form; 1, …, 8 are first reached at n = 1, 2, 4, 6, 9, 13, 19, 27 \
                    (computed)",
        example: "interval:16",
        parameters: N,
        measure: |a| {
            let pairs = sum(binomial(a[0], 2), exactly(a[0]));
            let formula = format!("{0}({0} + 1)/2 + 1", a[0]);
            Ok(Size::new(Count::of(formula, sum(pairs, exactly(1))), numbered_points(a[0])))
        },
        build: |a, meter| unions_of_runs(index(a[0]), 1, meter),
    },
    Family {
        name: "xor-intervals",
        arguments: "n ≥ 1",
        summary: "exclusive ors of at most two intervals: sets of at most two runs of points",
        size: "1 + C(n+1,2) + C(n+1,4) × n",
        dimension: "no closed form; n = 3, …, 8: 3, 4, 4, 5, 5, 6 (computed)",
        example: "xor-intervals:8",
        parameters: N,
        measure: |a| {
            let ends = a[0].checked_add(1);
            let runs = |k| ends.and_then(|ends| binomial(ends, k));
            let value = sum(sum(runs(2), runs(4)), exactly(1));
            let formula = format!("1 + C({0}+1,2) + C({0}+1,4)", a[0]);
            Ok(Size::new(Count::of(formula, value), numbered_points(a[0])))
        },
        build: |a, meter| unions_of_runs(index(a[0]), 2, meter),
    },
    Family {
        name: "xor-thresholds",
        arguments: "n,k with n ≥ 1 and k ≥ 0",
        summary: "exclusive ors of at most k thresholds 1{x ≤ j}, j = 1, …, n",
        size: "C(n,0) + … + C(n,k) × n",
        dimension: "no closed form; floor(log2(n + 1)) for k = 1, and n for k ≥ n",
        example: "xor-thresholds:12,3",
        parameters: &[Parameter::from("n", 1), Parameter::from("k", 0)],
        measure: |a| Ok(Size::new(up_to(a[0], a[1]), numbered_points(a[0]))),
        build: |a, meter| xor_thresholds(index(a[0]), index(a[1]), meter),
    },
    Family {
        name: "cube",
        arguments: "n ≥ 1",
        summary: "all functions on n points",
        size: "2^n × n",
        dimension: "n: all points are shattered",
        example: "cube:4",
        parameters: N,
        measure: |a| {
            let count = Count::of(format!("2^{}", a[0]), power(2, a[0]));
            Ok(Size::new(count, numbered_points(a[0])))
        },
        build: |a, meter| {
            let n = index(a[0]);
            // The first point is the leading digit, so that the rows are in increasing order.
            functions(numbered(n), 1 << n, |h, x| h >> (n - 1 - x) & 1 == 1, meter)
        },
    },
    Family {
        name: "subsets",
        arguments: "n,k with n ≥ 1 and 0 ≤ k ≤ n",
        summary: "the sets of exactly k of n points",
        size: "C(n,k) × n",
        dimension: "min(k, n − k): \"always 0\" errs at most k times and \"always 1\" at most n − k \
                    times, and min(k, n − k) points are shattered",
        example: "subsets:8,2",
        parameters: &[Parameter::from("n", 1), Parameter::from("k", 0)],
        measure: |a| {
            Family::require(a[1] <= a[0], "k", a[1], || format!("at most n = {}", a[0]))?;
            let count = Count::of(format!("C({},{})", a[0], a[1]), binomial(a[0], a[1]));
            Ok(Size::new(count, numbered_points(a[0])))
        },
        build: |a, meter| {
            let (n, k) = (index(a[0]), index(a[1]));
            sets(numbered(n), (0..n).combinations(k), meter)
        },
    },
    Family {
        name: "ball",
        arguments: "n,r with n ≥ 1 and r ≥ 0",
        summary: "the sets of at most r of n points: the Hamming ball of radius r around 0",
        size: "C(n,0) + … + C(n,r) × n",
        dimension: "min(r, n): \"always 0\" makes at most r mistakes, and any r points are \
                    shattered",
        example: "ball:6,2",
        parameters: &[Parameter::from("n", 1), Parameter::from("r", 0)],
        measure: |a| Ok(Size::new(up_to(a[0], a[1]), numbered_points(a[0]))),
        build: |a, meter| {
            let (n, r) = (index(a[0]), index(a[1]));
            sets(numbered(n), (0..=r.min(n)).flat_map(|k| (0..n).combinations(k)), meter)
        },
    },
];

fn numbered_points(n: u64) -> Count {
    Count::plain(exactly(n))
}

fn one_more(n: u64) -> Amount {
    sum(exactly(n), exactly(1))
}

/// The count of the sets of at most `k` of `n` things.
pub(super) fn up_to(n: u64, k: u64) -> Count {
    Count::of(format!("C({n},0) + … + C({n},{k})"), binomials_up_to(n, k))
}

fn point(n: usize, zero: bool, meter: &mut Meter<'_>) -> Result<Class> {
    let mut rows = Rows::new(numbered(n), meter);
    if zero {
        rows.push(Some("zero".into()), (0..n).map(|_| false))?;
    }
    for j in 0..n {
        rows.push(Some(format!("f{}", j + 1)), (0..n).map(|x| x == j))?;
    }
    Ok(rows.build())
}

fn constants(n: usize, meter: &mut Meter<'_>) -> Result<Class> {
    let mut rows = Rows::new(numbered(n), meter);
    rows.push(Some("zero".into()), (0..n).map(|_| false))?;
    rows.push(Some("one".into()), (0..n).map(|_| true))?;
    Ok(rows.build())
}

/// The sets of at most `runs` runs of consecutive points, by the ends of the runs: each set
/// corresponds to an even number of the n + 1 places before, between and after the points.
fn unions_of_runs(n: usize, runs: usize, meter: &mut Meter<'_>) -> Result<Class> {
    let ends = (0..=runs).flat_map(|r| (0..=n).combinations(2 * r));
    let members = |e: Vec<usize>| e.chunks(2).flat_map(|run| run[0]..run[1]).collect::<Vec<_>>();
    sets(numbered(n), ends.map(members), meter)
}

fn xor_thresholds(n: usize, k: usize, meter: &mut Meter<'_>) -> Result<Class> {
    let chosen = (0..=k.min(n)).flat_map(|m| (1..=n).combinations(m));
    sets(
        numbered(n),
        chosen.map(|thresholds| {
            let odd = |x: &usize| thresholds.iter().filter(|&j| x < j).count() % 2 == 1;
            (0..n).filter(odd).collect::<Vec<_>>()
        }),
        meter,
    )
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::testing::{brute_force, class, dimension, rows};

    #[test]
    fn definition_5_is_point_3() {
        let class = class("point:3");
        assert_eq!(class.point_names(), ["1", "2", "3"]);
        let named: Vec<_> =
            (0..3).map(|h| (class.hypothesis_name(h).into_owned(), class.labels(h))).collect();
        let expected = [("f1", "100"), ("f2", "010"), ("f3", "001")];
        assert_eq!(named, expected.map(|(f, labels)| (f.to_string(), labels.to_string())));
    }

    #[test]
    fn small_classes_written_out() {
        assert_eq!(rows("point0:2"), ["00", "10", "01"]);
        assert_eq!(rows("constants:3"), ["000", "111"]);
        assert_eq!(rows("threshold:3"), ["000", "100", "110", "111"]);
        assert_eq!(rows("half-interval:3"), ["100", "110", "111"]);
        assert_eq!(rows("interval:2"), ["00", "10", "11", "01"]);
        assert_eq!(rows("cube:2"), ["00", "01", "10", "11"]);
        assert_eq!(rows("subsets:3,2"), ["110", "101", "011"]);
        assert_eq!(rows("ball:2,1"), ["00", "10", "01"]);
    }

    #[test]
    fn runs_and_changes_by_brute_force() {
        // A function on a line has as many runs of ones as it has changes from 0 to 1, counted
        // with a 0 in front.
        let rises = |labels: &str| format!("0{labels}").matches("01").count();
        for n in 1..=8 {
            assert_eq!(
                brute_force(n, |f| rises(f) <= 1),
                BTreeSet::from_iter(rows(&format!("interval:{n}")))
            );
            let two = BTreeSet::from_iter(rows(&format!("xor-intervals:{n}")));
            assert_eq!(brute_force(n, |f| rises(f) <= 2), two);
            // A sum of thresholds 1{x ≤ j} mod 2 changes at the chosen j, and is 0 after n.
            for k in 0..=n + 1 {
                let changes = |f: &str| {
                    format!("{f}0").as_bytes().windows(2).filter(|w| w[0] != w[1]).count()
                };
                let some = BTreeSet::from_iter(rows(&format!("xor-thresholds:{n},{k}")));
                assert_eq!(brute_force(n, |f| changes(f) <= k), some, "n = {n}, k = {k}");
            }
        }
    }

    #[test]
    fn dimensions_with_a_proof() {
        for n in 2..=9 {
            assert_eq!(dimension(&format!("point:{n}")), 1);
            assert_eq!(dimension(&format!("point0:{n}")), 1);
            assert_eq!(dimension(&format!("constants:{n}")), 1);
        }
        for (n, log) in [(1, 0), (2, 1), (3, 1), (4, 2), (7, 2), (8, 3), (15, 3)] {
            assert_eq!(dimension(&format!("half-interval:{n}")), log);
            // Thresholds on n points are the half-intervals on n + 1, but for a constant point.
            if n > 1 {
                assert_eq!(dimension(&format!("threshold:{}", n - 1)), log);
            }
        }
        for n in 1..=4 {
            assert_eq!(dimension(&format!("cube:{n}")), n);
            for k in 0..=n {
                assert_eq!(dimension(&format!("subsets:{n},{k}")), k.min(n - k));
                assert_eq!(dimension(&format!("ball:{n},{k}")), k);
            }
        }
    }

    #[test]
    fn dimensions_computed_by_two_independent_methods() {
        for (n, d) in [(1, 1), (2, 2), (3, 2), (4, 3), (5, 3), (6, 4)] {
            assert_eq!(dimension(&format!("interval:{n}")), d);
        }
        for (n, d) in [(3, 3), (4, 4), (5, 4)] {
            assert_eq!(dimension(&format!("xor-intervals:{n}")), d);
        }
    }
}
