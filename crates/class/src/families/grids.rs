//! Families on grids, with points named `r.c`: permutation matrices, boxes, halfplanes.

use itertools::Itertools;
use num_integer::Integer;

use super::rows::{Distinct, grid, index, sets};
use super::size::{Amount, Count, Size, binomial, exactly, factorial, product, sum};
use super::{Family, Parameter};
use crate::Class;
use littlestone_base::error::Result;
use littlestone_base::limits::Meter;

pub(super) const FAMILIES: &[Family] = &[
    Family {
        name: "permutation",
        arguments: "n ≥ 1",
        summary: "the permutation matrices of order n, as sets of cells",
        size: "n! × n^2",
        dimension: "n − 1: n − 1 mistakes of \"always 0\" fix the matrix (computed for n ≤ 7)",
        example: "permutation:4",
        parameters: &[Parameter::from("n", 1)],
        measure: |a| {
            let count = Count::of(format!("{}!", a[0]), factorial(a[0]));
            Ok(Size::new(count, cells(a[0], a[0])))
        },
        build: |a, meter| {
            let n = index(a[0]);
            let cell = move |(row, column)| row * n + column;
            let matrices = (0..n).permutations(n);
            sets(grid(n, n), matrices.map(|p| p.into_iter().enumerate().map(cell)), meter)
        },
    },
    Family {
        name: "box",
        arguments: "a,b with a ≥ 1 and b ≥ 1",
        summary: "axis-parallel boxes on a grid of a rows and b columns, with the empty one",
        size: "a(a+1)/2 · b(b+1)/2 + 1 × ab",
        dimension: "no closed form; on a × a grids with a = 2, …, 5: 3, 4, 6, 7 (computed)",
        example: "box:5,5",
        parameters: &[Parameter::from("a", 1), Parameter::from("b", 1)],
        measure: |a| {
            let ranges = |n| sum(binomial(n, 2), exactly(n));
            let value = sum(product(ranges(a[0]), ranges(a[1])), exactly(1));
            let formula = format!("{0}({0}+1)/2 · {1}({1}+1)/2 + 1", a[0], a[1]);
            Ok(Size::new(Count::of(formula, value), cells(a[0], a[1])))
        },
        build: |a, meter| boxes(index(a[0]), index(a[1]), meter),
    },
    Family {
        name: "halfplane",
        arguments: "a from 1 to 1024",
        summary: "the subsets of the a × a grid that a line separates from the rest",
        size: "2, 14, 58, 174, 402, … (twice OEIS A114043) × a^2",
        dimension: "no closed form; a = 2, 3, 4: 3, 5, 7 (computed)",
        example: "halfplane:4",
        parameters: &[Parameter::between("a", 1, 1024)],
        measure: |a| {
            let formula = format!("number of halfplanes of the {0} × {0} grid", a[0]);
            Ok(Size::new(Count::of(formula, halfplane_count(a[0])), cells(a[0], a[0])))
        },
        build: |a, meter| halfplanes(a[0], meter),
    },
];

fn cells(rows: u64, columns: u64) -> Count {
    let formula =
        if rows == columns { format!("{rows}^2") } else { format!("{rows} · {columns}") };
    Count::of(formula, product(exactly(rows), exactly(columns)))
}

fn boxes(a: usize, b: usize, meter: &mut Meter<'_>) -> Result<Class> {
    let ranges = |n: usize| (0..n).flat_map(move |from| (from + 1..=n).map(move |to| from..to));
    let boxes = ranges(a).cartesian_product(ranges(b).collect::<Vec<_>>());
    let sets_of_cells = boxes.map(|(rows, columns)| {
        rows.cartesian_product(columns).map(|(r, c)| r * b + c).collect::<Vec<_>>()
    });
    sets(grid(a, b), std::iter::once(Vec::new()).chain(sets_of_cells), meter)
}

/// `2 + 2 S`, where S is the number of pairs of neighbours on a line of the grid.
///
/// Turn a separating line until it passes through two neighbours p, q with the rest of the line's
/// points divided between them. Each pair gives four sets (the side of the line, and which end of
/// it goes with that side), and each set but the empty and the full one comes from two pairs: the
/// two lines that separate and touch both sides. Neighbours differ by a primitive vector.
fn halfplane_count(a: u64) -> Amount {
    let mut pairs = 2 * a * (a - 1);
    for (i, j) in (1..a).cartesian_product(1..a) {
        if i.gcd(&j) == 1 {
            pairs += 2 * (a - i) * (a - j);
        }
    }
    exactly(2 + 2 * pairs)
}

/// As in [`halfplane_count`], from all pairs of neighbours.
fn halfplanes(a: u64, meter: &mut Meter<'_>) -> Result<Class> {
    let side = i64::try_from(a).expect("bounded by the size check");
    let points: Vec<[i64; 2]> = (0..side).cartesian_product(0..side).map(|(r, c)| [r, c]).collect();
    let mut class = Distinct::new(grid(index(a), index(a)), meter);
    let mut row = vec![0u64; class.stride()];
    let mut push = |member: &dyn Fn([i64; 2]) -> bool| {
        row.fill(0);
        for (x, &point) in points.iter().enumerate() {
            row[x / 64] |= u64::from(member(point)) << (x % 64);
        }
        class.push(&row)
    };
    push(&|_| false)?;
    for [&p, &q] in points.iter().array_combinations() {
        let d = [q[0] - p[0], q[1] - p[1]];
        if d[0].gcd(&d[1]) != 1 {
            continue;
        }
        for side in [1, -1] {
            let left = |[r, c]: [i64; 2]| side * (d[0] * (c - p[1]) - d[1] * (r - p[0]));
            let along = |[r, c]: [i64; 2]| d[0] * (r - p[0]) + d[1] * (c - p[1]);
            push(&|x| left(x) > 0 || left(x) == 0 && along(x) <= 0)?;
            push(&|x| left(x) > 0 || left(x) == 0 && along(x) > 0)?;
        }
    }
    push(&|_| true)?;
    Ok(class.build())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use itertools::Itertools;

    use super::super::testing::{brute_force, class, dimension, rows};

    #[test]
    fn permutation_matrices_by_brute_force() {
        let permutation = |f: &str| {
            let at = |r: usize, c: usize| f.as_bytes()[3 * r + c] == b'1';
            (0..3).all(|i| (0..3).filter(|&j| at(i, j)).count() == 1)
                && (0..3).all(|j| (0..3).filter(|&i| at(i, j)).count() == 1)
        };
        assert_eq!(brute_force(9, permutation), BTreeSet::from_iter(rows("permutation:3")));
        assert_eq!(class("permutation:2").point_names(), ["1.1", "1.2", "2.1", "2.2"]);
        assert_eq!(class("permutation:7").hypotheses(), 5040);
    }

    #[test]
    fn boxes_by_brute_force() {
        // A set is a box iff every cell whose row and column are both hit between two members'
        // rows and columns is a member.
        let convex = |f: &str| {
            let cells: Vec<usize> = f.bytes().positions(|b| b == b'1').collect();
            let range =
                |key: fn(usize) -> usize| cells.iter().map(|&x| key(x)).minmax().into_option();
            let (Some(rows), Some(columns)) = (range(|x| x / 4), range(|x| x % 4)) else {
                return true;
            };
            (rows.0..=rows.1).all(|r| (columns.0..=columns.1).all(|c| cells.contains(&(4 * r + c))))
        };
        assert_eq!(brute_force(12, convex), BTreeSet::from_iter(rows("box:3,4")));
        assert_eq!(class("box:5,5").hypotheses(), 226);
    }

    #[test]
    fn halfplanes_by_brute_force() {
        // All lines u r + v c ≥ w with small integer u, v and half-integral w: between any two
        // values of u r + v c there is one. Coefficients up to 8 are enough for a ≤ 4: the count
        // agrees with the published sequence, and every set found is a halfplane.
        for (a, count) in [(1, 2), (2, 14), (3, 58), (4, 174)] {
            let mut found = BTreeSet::new();
            for (u, v) in (-8..=8i32).cartesian_product(-8..=8i32) {
                for w in -60..=60 {
                    let cells = (0..a).cartesian_product(0..a);
                    let inside = |(r, c)| if u * r + v * c >= w { '1' } else { '0' };
                    found.insert(cells.map(inside).collect::<String>());
                }
            }
            assert_eq!(found.len(), count);
            assert_eq!(found, BTreeSet::from_iter(rows(&format!("halfplane:{a}"))));
        }
    }

    #[test]
    fn dimensions() {
        for n in 1..=4 {
            // With a proof.
            assert_eq!(dimension(&format!("permutation:{n}")), n - 1);
        }
        // Computed by two independent methods.
        assert_eq!(dimension("box:2,2"), 3);
        assert_eq!(dimension("halfplane:2"), 3);
    }
}
