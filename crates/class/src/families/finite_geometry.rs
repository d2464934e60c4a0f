//! Families over finite fields: projective planes, flats of `F_2^k`, Paley classes.

use itertools::Itertools;

use super::boolean::two_to;
use super::field::{Field, GREATEST_ORDER};
use super::rows::{bit_strings, functions, index, sets, variable};
use super::size::{Count, Size, exactly, power, product, subspaces};
use super::{Family, Parameter};
use crate::Class;
use littlestone_base::error::Result;
use littlestone_base::limits::Meter;

const Q: &[Parameter] = &[Parameter::between("q", 2, GREATEST_ORDER)];

pub(super) const FAMILIES: &[Family] = &[
    Family {
        name: "projective-plane",
        arguments: "q, a prime power from 2 to 65536",
        summary: "the lines of the projective plane PG(2,q)",
        size: "q^2 + q + 1 × q^2 + q + 1",
        dimension: "2: the first mistake of \"always 0\" leaves the lines through a point \
                    (computed for q = 2, 3, 4, 5, 7)",
        example: "projective-plane:5",
        parameters: Q,
        measure: |a| {
            field(a[0])?;
            let count = || Count::of(format!("{0}^2 + {0} + 1", a[0]), exactly(plane_order(a[0])));
            Ok(Size::new(count(), count()))
        },
        build: |a, meter| projective_plane(&field(a[0])?, meter),
    },
    Family {
        name: "affine-subspaces",
        arguments: "k,t with k ≥ 1 and 0 ≤ t ≤ k",
        summary: "the t-dimensional flats of F2^k: cosets of its t-dimensional subspaces",
        size: "2^(k−t) times the Gaussian binomial of k over t × 2^k",
        dimension: "t + 1 for t < k: each mistake of \"the span of what was 1\" raises its \
                    dimension (computed for k ≤ 6); 0 for t = k",
        example: "affine-subspaces:4,2",
        parameters: &[Parameter::from("k", 1), Parameter::from("t", 0)],
        measure: |a| {
            let (k, t) = (a[0], a[1]);
            Family::require(t <= k, "t", t, || format!("at most k = {k}"))?;
            let formula = format!("2^({k}-{t}) [{k} over {t}]_2");
            let value = product(power(2, k - t), subspaces(k, t));
            Ok(Size::new(Count::of(formula, value), two_to(k)))
        },
        build: |a, meter| flats(index(a[0]), index(a[1]), meter),
    },
    Family {
        name: "paley",
        arguments: "q, an odd prime power from 3 to 65536",
        summary: "for each a of the field with q elements, the x for which x − a is a nonzero \
                  square",
        size: "q × q",
        dimension: "no closed form; at most floor(log2 q)",
        example: "paley:13",
        parameters: Q,
        measure: |a| {
            field(a[0])?;
            Family::require(a[0] % 2 == 1, "q", a[0], || "an odd prime power".into())?;
            Ok(Size::new(Count::plain(exactly(a[0])), Count::plain(exactly(a[0]))))
        },
        build: |a, meter| paley(&field(a[0])?, meter),
    },
];

fn field(q: u64) -> Result<Field> {
    let field = Field::new(q);
    Family::require(field.is_some(), "q", q, || "a prime power".into())?;
    Ok(field.expect("just checked"))
}

fn plane_order(q: u64) -> u64 {
    q * q + q + 1
}

/// Points and lines both are the triples with a leading 1; a point is on a line when their scalar
/// product is 0.
fn projective_plane(field: &Field, meter: &mut Meter<'_>) -> Result<Class> {
    let q = field.order();
    let triples: Vec<[u64; 3]> = (0..q)
        .cartesian_product(0..q)
        .map(|(y, z)| [1, y, z])
        .chain((0..q).map(|z| [0, 1, z]))
        .chain([[0, 0, 1]])
        .collect();
    let names = triples.iter().map(|[x, y, z]| format!("{x}.{y}.{z}")).collect();
    let times: Vec<Vec<u64>> = (0..q).map(|a| (0..q).map(|b| field.mul(a, b)).collect()).collect();
    let plus: Vec<Vec<u64>> = (0..q).map(|a| (0..q).map(|b| field.add(a, b)).collect()).collect();
    let label = |line: usize, point: usize| {
        let terms = triples[line].iter().zip(&triples[point]);
        terms.fold(0, |sum, (&a, &b)| plus[index(sum)][index(times[index(a)][index(b)])]) == 0
    };
    functions(names, triples.len(), label, meter)
}

/// Each subspace comes once, by its basis in reduced echelon form, and each of its cosets by the
/// representative that is 0 at the pivots.
fn flats(k: usize, t: usize, meter: &mut Meter<'_>) -> Result<Class> {
    let flats = (0..k).combinations(t).flat_map(move |pivots| {
        // The entries of the basis that are free: right of the row's pivot and not at a pivot.
        let free: Vec<(usize, usize)> = (0..t)
            .flat_map(|row| (pivots[row] + 1..k).map(move |column| (row, column)))
            .filter(|(_, column)| !pivots.contains(column))
            .collect();
        let shifts: Vec<usize> = (0..k).filter(|v| !pivots.contains(v)).collect();
        (0..1usize << free.len()).flat_map(move |choice| {
            let mut basis: Vec<usize> = pivots.iter().map(|&v| variable(k, v)).collect();
            for (bit, &(row, column)) in free.iter().enumerate() {
                if choice >> bit & 1 == 1 {
                    basis[row] |= variable(k, column);
                }
            }
            let span = combinations(&basis);
            let directions: Vec<usize> = shifts.iter().map(|&v| variable(k, v)).collect();
            combinations(&directions)
                .into_iter()
                .map(move |shift| span.iter().map(|x| x ^ shift).collect::<Vec<_>>())
        })
    });
    sets(bit_strings(k), flats, meter)
}

/// All sums of some of the vectors.
fn combinations(vectors: &[usize]) -> Vec<usize> {
    vectors.iter().fold(vec![0], |sums, v| sums.iter().flat_map(|s| [*s, s ^ v]).collect())
}

fn paley(field: &Field, meter: &mut Meter<'_>) -> Result<Class> {
    let q = field.order();
    let mut square = vec![false; index(q)];
    for x in 1..q {
        square[index(field.mul(x, x))] = true;
    }
    let names = (0..q).map(|x| x.to_string()).collect();
    let label = |a, x| square[index(field.sub(x as u64, a as u64))];
    functions(names, index(q), label, meter)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use itertools::Itertools;

    use super::super::testing::{brute_force, class, dimension, rows};

    #[test]
    fn projective_planes_satisfy_their_axioms() {
        for q in [2usize, 3, 4, 5, 7, 8, 9] {
            let plane = class(&format!("projective-plane:{q}"));
            assert_eq!((plane.hypotheses(), plane.points()), (q * q + q + 1, q * q + q + 1));
            for [g, h] in (0..plane.hypotheses()).array_combinations() {
                let meet: u32 =
                    plane.row(g).iter().zip(plane.row(h)).map(|(a, b)| (a & b).count_ones()).sum();
                assert_eq!(meet, 1, "lines {g} and {h} of PG(2,{q})");
            }
            for h in 0..plane.hypotheses() {
                assert_eq!(plane.labels(h).matches('1').count(), q + 1);
            }
        }
    }

    #[test]
    fn flats_by_brute_force() {
        // A nonempty set is a flat iff it has x + y + z with x, y, z.
        for k in 1..=3usize {
            for t in 0..=k {
                let flat = |f: &str| {
                    let members: Vec<usize> = f.bytes().positions(|b| b == b'1').collect();
                    let closed = members.iter().all(|x| {
                        members
                            .iter()
                            .all(|y| members.iter().all(|z| members.contains(&(x ^ y ^ z))))
                    });
                    members.len() == 1 << t && closed
                };
                let generated = BTreeSet::from_iter(rows(&format!("affine-subspaces:{k},{t}")));
                assert_eq!(brute_force(1 << k, flat), generated);
            }
        }
        // 4 cosets of each of the 35 planes.
        assert_eq!(class("affine-subspaces:4,2").hypotheses(), 140);
    }

    #[test]
    fn paley_13_is_the_cyclic_graph_and_paley_9_is_strongly_regular() {
        // The squares mod 13.
        let squares = [1, 3, 4, 9, 10, 12];
        let paley = class("paley:13");
        for (a, x) in (0..13).cartesian_product(0..13) {
            assert_eq!(paley.label(a, x), squares.contains(&((x + 13 - a) % 13)));
        }
        // The Paley graph of order 9 is strongly regular with parameters (9, 4, 1, 2).
        let paley = class("paley:9");
        for [a, b] in (0..9).array_combinations() {
            let common = (paley.row(a)[0] & paley.row(b)[0]).count_ones();
            assert_eq!(common, if paley.label(a, b) { 1 } else { 2 });
            assert_eq!(paley.label(a, b), paley.label(b, a));
        }
    }

    #[test]
    fn dimensions_with_a_proof() {
        assert_eq!(dimension("projective-plane:2"), 2);
        assert_eq!(dimension("projective-plane:3"), 2);
        for (k, t) in [(1, 0), (2, 0), (2, 1), (3, 0), (3, 1)] {
            assert_eq!(dimension(&format!("affine-subspaces:{k},{t}")), t + 1);
        }
        assert_eq!(dimension("affine-subspaces:3,3"), 0);
    }
}
