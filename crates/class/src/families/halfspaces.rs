//! Halfspaces through random points: all ways to cut a point set by a hyperplane.

use itertools::Itertools;
use num_bigint::BigInt;
use num_traits::Zero;

use super::random::Source;
use super::rows::{Distinct, functions, index, numbered, packed};
use super::size::{Count, Size, binomials_up_to, exactly, product};
use super::{Family, Parameter};
use crate::Class;
use littlestone_base::error::Result;
use littlestone_base::limits::{Meter, Stopped};

/// Coordinates lie between −RADIUS and RADIUS. With at most 6 dimensions every number below fits
/// 128 bits: by Hadamard a normal vector has entries of at most (√5 · 2^17)^5 < 2^91, and its
/// scalar product with a difference of points is below 6 · 2^91 · 2^17 < 2^111.
const RADIUS: u64 = 1 << 16;

/// Greatest dimension.
const MOST_DIMENSIONS: usize = 6;

pub(super) const FAMILIES: &[Family] = &[Family {
    name: "halfspace-points",
    arguments: "count,dim,seed with count ≥ 1 and dim from 1 to 6",
    summary: "the subsets that halfspaces cut off from count random points with integer \
              coordinates between -65536 and 65536; draws below(131073) − 65536 per coordinate, \
              and a point again while it is not in general position with those before",
    size: "2 (C(count−1,0) + … + C(count−1,dim)) × count (Cover 1965)",
    dimension: "no closed form; count when count ≤ dim + 1",
    example: "halfspace-points:10,2,1",
    parameters: &[
        Parameter::between("count", 1, 32768),
        Parameter::between("dim", 1, MOST_DIMENSIONS as u64),
        Parameter::from("seed", 0),
    ],
    measure: |a| {
        let value = product(exactly(2), binomials_up_to(a[0] - 1, a[1]));
        let formula = format!("2 (C({0},0) + … + C({0},{1}))", a[0] - 1, a[1]);
        Ok(Size::new(Count::of(formula, value), Count::plain(exactly(a[0]))))
    },
    build: |a, meter| {
        let points = random_points(index(a[0]), index(a[1]), a[2], meter)?;
        halfspaces(&points, index(a[1]), meter)
    },
}];

/// Short steps that a normal vector takes at most, roughly.
const NORMAL: usize = 1 << 10;

/// A point, with 0 for the coordinates past the dimension in use. Vectors have the same form.
type Point = [i128; MOST_DIMENSIONS];

fn random_points(
    count: usize,
    dimensions: usize,
    seed: u64,
    meter: &mut Meter<'_>,
) -> Result<Vec<Point>, Stopped> {
    let mut source = Source::new(seed);
    let mut points: Vec<Point> = Vec::new();
    while points.len() < count {
        let mut point = [0; MOST_DIMENSIONS];
        for coordinate in &mut point[..dimensions] {
            *coordinate = i128::from(source.below(2 * RADIUS + 1)) - i128::from(RADIUS);
        }
        if in_general_position(&points, &point, dimensions, meter)? {
            points.push(point);
        }
    }
    Ok(points)
}

/// Whether no hyperplane (or smaller flat) through earlier points contains the new one, given that
/// the earlier ones are in general position.
fn in_general_position(
    points: &[Point],
    new: &Point,
    dimensions: usize,
    meter: &mut Meter<'_>,
) -> Result<bool, Stopped> {
    if points.len() < dimensions {
        return Ok(independent(points.iter().map(|p| difference(p, new)).collect()));
    }
    for base in (0..points.len()).combinations(dimensions) {
        meter.work(NORMAL)?;
        if side(&normal(points, &base), &points[base[0]], new) == 0 {
            return Ok(false);
        }
    }
    Ok(true)
}

fn difference(from: &Point, to: &Point) -> Point {
    std::array::from_fn(|i| to[i] - from[i])
}

/// Whether vectors are linearly independent, by elimination.
fn independent(vectors: Vec<Point>) -> bool {
    let mut rows: Vec<[BigInt; MOST_DIMENSIONS]> =
        vectors.into_iter().map(|v| v.map(BigInt::from)).collect();
    while let Some(pivot_row) = rows.pop() {
        let Some(pivot) = pivot_row.iter().position(|entry| !entry.is_zero()) else {
            return false;
        };
        for row in &mut rows {
            let factor = row[pivot].clone();
            for (entry, p) in row.iter_mut().zip(&pivot_row) {
                *entry = &*entry * &pivot_row[pivot] - &factor * p;
            }
        }
    }
    true
}

/// A normal vector of the hyperplane through as many points as there are dimensions.
fn normal(points: &[Point], base: &[usize]) -> Point {
    let dimensions = base.len();
    // minors[columns]: the determinant of the first rows, as many as there are columns, by
    // expansion along the last of them.
    let mut minors = [0i128; 1 << MOST_DIMENSIONS];
    minors[0] = 1;
    let all = (1usize << dimensions) - 1;
    for columns in 1..all {
        let size = columns.count_ones() as usize;
        let row = difference(&points[base[0]], &points[base[size]]);
        let mut rest = columns;
        let mut later = size;
        while rest != 0 {
            let bit = rest & rest.wrapping_neg();
            rest ^= bit;
            later -= 1;
            let term = row[bit.trailing_zeros() as usize] * minors[columns ^ bit];
            minors[columns] += if later.is_multiple_of(2) { term } else { -term };
        }
    }
    std::array::from_fn(|i| {
        if i >= dimensions {
            return 0;
        }
        let minor = minors[all ^ 1 << i];
        if i % 2 == 0 { minor } else { -minor }
    })
}

/// On which side of the hyperplane with this normal through `base` a point lies.
fn side(normal: &Point, base: &Point, point: &Point) -> i128 {
    normal.iter().zip(difference(base, point)).map(|(n, d)| n * d).sum::<i128>().signum()
}

/// A separating hyperplane of more than `dimensions` points can be moved until it passes through
/// that many of them without any other changing sides; conversely a hyperplane through so many
/// points in general position can be tilted to leave each of them on either side.
fn halfspaces(points: &[Point], dimensions: usize, meter: &mut Meter<'_>) -> Result<Class> {
    let count = points.len();
    if count <= dimensions {
        return functions(numbered(count), 1 << count, |h, x| h >> x & 1 == 1, meter);
    }
    let mut class = Distinct::new(numbered(count), meter);
    for base in (0..count).combinations(dimensions) {
        class.meter().work(NORMAL + 16 * count)?;
        let normal = normal(points, &base);
        let sides: Vec<i128> = points.iter().map(|p| side(&normal, &points[base[0]], p)).collect();
        for sign in [1, -1] {
            let mut row = packed(class.stride(), (0..count).filter(|&x| sides[x] == sign));
            class.push(&row)?;
            // Gray code: each step moves one point of the base to the other side.
            for step in 1usize..1 << dimensions {
                let x = base[step.trailing_zeros() as usize];
                row[x / 64] ^= 1 << (x % 64);
                class.push(&row)?;
            }
        }
    }
    Ok(class.build())
}

#[cfg(test)]
mod tests {
    use super::super::testing::{class, dimension, rows};
    use super::*;

    #[test]
    fn normals_and_independence() {
        // The cross product of (1, 2, 3) and (4, 5, 6), by hand, up to sign.
        let point = |x, y, z| [x, y, z, 0, 0, 0];
        let points = [point(1, 1, 1), point(2, 3, 4), point(5, 6, 7)];
        let cross = point(-3, 6, -3);
        let found = normal(&points, &[0, 1, 2]);
        assert!(found == cross || found == cross.map(|c| -c), "{found:?}");
        assert!(independent(vec![point(1, 2, 3), point(4, 5, 6)]));
        assert!(!independent(vec![point(1, 2, 3), point(4, 5, 6), point(5, 7, 9)]));
        assert!(!independent(vec![point(0, 0, 0)]));
        for dimensions in 1..=6 {
            let points = random_points(dimensions, dimensions, 3, &mut Meter::default()).unwrap();
            let base: Vec<usize> = (0..dimensions).collect();
            let normal = normal(&points, &base);
            assert!(points.iter().all(|p| side(&normal, &points[0], p) == 0));
            assert!(normal.iter().any(|&n| n != 0));
        }
    }

    #[test]
    fn the_count_is_covers() {
        // Cover, Geometrical and statistical properties of systems of linear inequalities, 1965:
        // 2 Σ_{i ≤ d} C(N − 1, i), with the terms written out.
        for (spec, count) in [
            ("halfspace-points:6,1,1", 2 * (1 + 5)),
            ("halfspace-points:9,2,1", 2 * (1 + 8 + 28)),
            ("halfspace-points:9,2,2", 2 * (1 + 8 + 28)),
            ("halfspace-points:8,3,1", 2 * (1 + 7 + 21 + 35)),
            ("halfspace-points:10,4,5", 2 * (1 + 9 + 36 + 84 + 126)),
            ("halfspace-points:9,6,5", 2 * (1 + 8 + 28 + 56 + 70 + 56 + 28)),
            ("halfspace-points:3,3,1", 8),
            ("halfspace-points:4,3,1", 16),
            ("halfspace-points:2,5,1", 4),
        ] {
            assert_eq!(class(spec).hypotheses(), count, "{spec}");
        }
    }

    #[test]
    fn on_a_line_halfspaces_are_rays() {
        let points = random_points(7, 1, 11, &mut Meter::default()).unwrap();
        let order: Vec<usize> = (0..7).sorted_by_key(|&x| points[x][0]).collect();
        for row in rows("halfspace-points:7,1,11") {
            let changes = order.windows(2).filter(|w| row.as_bytes()[w[0]] != row.as_bytes()[w[1]]);
            assert!(changes.count() <= 1, "{row}");
        }
    }

    #[test]
    fn a_seed_means_the_same_points_for_ever() {
        // Regression oracle, worked out by a second program (see the tests of `random`).
        let expected = [[3513, 3976, 0, 0, 0, 0], [25356, 16049, 0, 0, 0, 0]];
        assert_eq!(random_points(2, 2, 1, &mut Meter::default()).unwrap(), expected);
    }

    #[test]
    fn simplices_are_shattered() {
        assert_eq!(dimension("halfspace-points:3,2,1"), 3);
        assert_eq!(dimension("halfspace-points:4,3,1"), 4);
    }
}
