//! Families of functions on `{0,1}^n`: parities, monotone functions, formulas, juntas.

use itertools::Itertools;

use super::rows::{Distinct, Rows, bit_strings, functions, index, sets, variable};
use super::size::{self, Count, Size, exactly, power, product, sum};
use super::{Family, Parameter};
use crate::Class;
use littlestone_base::error::Result;
use littlestone_base::limits::Meter;

const N: &[Parameter] = &[Parameter::from("n", 1)];
const K: &[Parameter] = &[Parameter::from("k", 1)];

/// The numbers of monotone functions of 0, …, 9 variables (Dedekind numbers, OEIS A000372).
const DEDEKIND: [&str; 10] = [
    "2",
    "3",
    "6",
    "20",
    "168",
    "7581",
    "7828354",
    "2414682040998",
    "56130437228687557907788",
    "286386577668298411128469151667598498812366",
];

pub(super) const FAMILIES: &[Family] = &[
    Family {
        name: "parity",
        arguments: "k ≥ 1",
        summary: "the linear functionals x ↦ ⟨a, x⟩ on F2^k",
        size: "2^k × 2^k",
        dimension: "k: a basis is shattered, and |H| = 2^k",
        example: "parity:5",
        parameters: K,
        measure: |a| Ok(Size::new(two_to(a[0]), two_to(a[0]))),
        build: |a, meter| {
            let k = index(a[0]);
            functions(bit_strings(k), 1 << k, |h, x| (h & x).count_ones() % 2 == 1, meter)
        },
    },
    Family {
        name: "affine-parity",
        arguments: "k ≥ 1",
        summary: "the affine functionals x ↦ ⟨a, x⟩ + b on F2^k, linear ones first",
        size: "2^(k+1) × 2^k",
        dimension: "k + 1: a basis and 0 are shattered, and |H| = 2^(k+1)",
        example: "affine-parity:5",
        parameters: K,
        measure: |a| {
            let value = product(power(2, a[0]), exactly(2));
            Ok(Size::new(Count::of(format!("2^({}+1)", a[0]), value), two_to(a[0])))
        },
        build: |a, meter| {
            let k = index(a[0]);
            // Bit k of the hypothesis is b, against a coordinate k of the point that is always 1.
            let one = 1 << k;
            let label = |h: usize, x: usize| (h & (x | one)).count_ones() % 2 == 1;
            functions(bit_strings(k), 2 << k, label, meter)
        },
    },
    Family {
        name: "monotone",
        arguments: "n ≥ 1",
        summary: "the monotone functions on {0,1}^n",
        size: "Dedekind number M(n) × 2^n",
        dimension: "no closed form; n = 1, …, 4: 1, 2, 3, 6 (computed); at least C(n, floor(n/2)), \
                    as the middle layer is shattered",
        example: "monotone:4",
        parameters: N,
        measure: |a| {
            let known = usize::try_from(a[0]).ok().and_then(|n| DEDEKIND.get(n));
            let count = match known {
                Some(digits) => Count::of(format!("M({})", a[0]), digits.parse().ok()),
                None => Count::at_most(format!("2^(2^{})", a[0]), size::functions(a[0])),
            };
            Ok(Size::new(count, two_to(a[0])))
        },
        build: |a, meter| monotone(index(a[0]), meter),
    },
    Family {
        name: "disjunction",
        arguments: "n ≥ 1",
        summary: "monotone disjunctions on {0,1}^n, with the empty one",
        size: "2^n × 2^n",
        dimension: "n: the unit vectors are shattered, and |H| = 2^n",
        example: "disjunction:4",
        parameters: N,
        measure: |a| Ok(Size::new(two_to(a[0]), two_to(a[0]))),
        build: |a, meter| {
            let n = index(a[0]);
            functions(bit_strings(n), 1 << n, |h, x| h & x != 0, meter)
        },
    },
    Family {
        name: "conjunction",
        arguments: "n ≥ 1",
        summary: "conjunctions of literals on {0,1}^n, with true (the empty one) and false",
        size: "3^n + 1 × 2^n",
        dimension: "n + 1, by the elimination algorithm (computed for n ≤ 7)",
        example: "conjunction:3",
        parameters: N,
        measure: |a| {
            let value = sum(power(3, a[0]), exactly(1));
            Ok(Size::new(Count::of(format!("3^{} + 1", a[0]), value), two_to(a[0])))
        },
        build: |a, meter| {
            let n = index(a[0]);
            let none = std::iter::once(Vec::new());
            sets(bit_strings(n), none.chain(terms(n).map(|t| t.models(n).collect())), meter)
        },
    },
    Family {
        name: "dnf",
        arguments: "n,t with n ≥ 1 and t ≥ 0",
        summary: "disjunctions of at most t conjunctions of literals on {0,1}^n",
        size: "at most the least of 2^(2^n) and C(3^n,0) + … + C(3^n,t) × 2^n",
        dimension: "no closed form; n = 1, 2, 3 with t = 2: 2, 4, 6 (computed)",
        example: "dnf:3,2",
        parameters: &[Parameter::from("n", 1), Parameter::from("t", 0)],
        measure: |a| {
            let terms = power(3, a[0]).and_then(|terms| u64::try_from(terms).ok());
            let few = terms.and_then(|terms| size::binomials_up_to(terms, a[1]));
            let all = size::functions(a[0]);
            let count = match (few, all) {
                (Some(few), all) if all.as_ref().is_none_or(|all| few < *all) => {
                    Count::at_most(format!("C(3^{0},0) + … + C(3^{0},{1})", a[0], a[1]), Some(few))
                }
                (_, all) => Count::at_most(format!("2^(2^{})", a[0]), all),
            };
            Ok(Size::new(count, two_to(a[0])))
        },
        build: |a, meter| dnf(index(a[0]), index(a[1]), meter),
    },
    Family {
        name: "juntas",
        arguments: "k,n with k ≥ 0 and n ≥ 1",
        summary: "the functions on {0,1}^n that depend on at most k of the n variables",
        size: "the sum of C(n,i) A(i) over i ≤ k, A(i) = 2, 2, 10, 218, 64594, … (OEIS A000371) \
               × 2^n",
        dimension: "no closed form; 2^n for k ≥ n",
        example: "juntas:2,4",
        parameters: &[Parameter::from("k", 0), Parameter::from("n", 1)],
        measure: |a| {
            let formula = format!("number of {}-juntas of {} variables", a[0], a[1]);
            Ok(Size::new(Count::of(formula, size::juntas(a[0], a[1])), two_to(a[1])))
        },
        build: |a, meter| juntas(index(a[0]), index(a[1]), meter),
    },
];

/// `2^n`, with its formula.
pub(super) fn two_to(n: u64) -> Count {
    Count::of(format!("2^{n}"), power(2, n))
}

/// Monotone functions on {0,1}^n are the pairs f ≤ g of monotone functions on {0,1}^(n−1): f where
/// the first variable is 0, g where it is 1. Classes of more than 64 points have been refused.
fn monotone(n: usize, meter: &mut Meter<'_>) -> Result<Class> {
    let mut smaller: Vec<u64> = vec![0, 1];
    for m in 0..n {
        let half = 1 << m;
        let mut larger = Vec::new();
        for f in &smaller {
            meter.work(4 * smaller.len())?;
            larger.extend(smaller.iter().filter(|&g| f & !g == 0).map(|g| f | g << half));
        }
        smaller = larger;
    }
    let mut rows = Rows::new(bit_strings(n), meter);
    for f in smaller {
        rows.push_packed(&[f])?;
    }
    Ok(rows.build())
}

/// A conjunction of literals: the variables in `care` have the values in `value`.
#[derive(Debug, Clone, Copy)]
struct Term {
    care: usize,
    value: usize,
}

impl Term {
    fn models(self, n: usize) -> impl Iterator<Item = usize> {
        (0..1 << n).filter(move |x| x & self.care == self.value)
    }
}

/// All conjunctions of literals that are not contradictory, the empty one first.
fn terms(n: usize) -> impl Iterator<Item = Term> {
    (0..1usize << n).flat_map(move |care| {
        (0..=care).filter(move |value| value & !care == 0).map(move |value| Term { care, value })
    })
}

fn dnf(n: usize, t: usize, meter: &mut Meter<'_>) -> Result<Class> {
    let mut class = Distinct::new(bit_strings(n), meter);
    let stride = class.stride();
    let mut last = vec![vec![0; stride]];
    class.push(&last[0])?;
    let mut models = Vec::new();
    // Without a term there is one function, but there are many terms.
    for term in terms(n).take_while(|_| t > 0) {
        class.meter().work(4 << n)?;
        models.push(super::rows::packed(stride, term.models(n)));
    }
    for _ in 0..t {
        let mut new = Vec::new();
        for (f, term) in last.iter().cartesian_product(&models) {
            let g: Vec<u64> = f.iter().zip(term).map(|(a, b)| a | b).collect();
            if class.push(&g)? {
                new.push(g);
            }
        }
        if new.is_empty() {
            break;
        }
        last = new;
    }
    Ok(class.build())
}

/// Each function once, by the set of variables on which it really depends.
fn juntas(k: usize, n: usize, meter: &mut Meter<'_>) -> Result<Class> {
    let mut rows = Rows::new(bit_strings(n), meter);
    for variables in (0..=k.min(n)).flat_map(|m| (0..n).combinations(m)) {
        let m = variables.len();
        rows.meter.work(16 << n)?;
        // The entry of the truth table that applies to each point.
        let entries: Vec<usize> = (0..1usize << n)
            .map(|x| {
                let chosen = variables.iter().rev().enumerate();
                chosen.map(|(bit, &v)| usize::from(x & variable(n, v) != 0) << bit).sum()
            })
            .collect();
        for table in 0..1u64 << (1 << m) {
            let depends =
                |v: usize| (0..1usize << m).any(|i| (table >> i ^ table >> (i ^ 1 << v)) & 1 == 1);
            rows.meter.work(16 << m)?;
            if (0..m).all(depends) {
                rows.push(None, entries.iter().map(|entry| table >> entry & 1 == 1))?;
            }
        }
    }
    Ok(rows.build())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::testing::{brute_force, class, dimension, rows};

    fn at(labels: &str, x: usize) -> bool {
        labels.as_bytes()[x] == b'1'
    }

    #[test]
    fn points_are_named_by_bits() {
        let names = class("disjunction:3").point_names().to_vec();
        assert_eq!(names, ["000", "001", "010", "011", "100", "101", "110", "111"]);
        // The disjunction of the first variable alone holds where the first digit is 1.
        assert!(rows("disjunction:3").contains(&"00001111".into()));
        assert_eq!(rows("disjunction:1"), ["00", "01"]);
        assert_eq!(rows("conjunction:1"), ["00", "11", "10", "01"]);
    }

    #[test]
    fn parities_are_additive() {
        let linear =
            |f: &str| (0..8).all(|x| (0..8).all(|y| at(f, x ^ y) == (at(f, x) ^ at(f, y))));
        assert_eq!(brute_force(8, linear), BTreeSet::from_iter(rows("parity:3")));
        let affine = |f: &str| {
            (0..8).all(|x| (0..8).all(|y| at(f, x ^ y) ^ at(f, 0) == (at(f, x) ^ at(f, y))))
        };
        assert_eq!(brute_force(8, affine), BTreeSet::from_iter(rows("affine-parity:3")));
    }

    #[test]
    fn monotone_functions_by_brute_force() {
        for n in 1..=4 {
            let monotone =
                |f: &str| (0..1 << n).all(|x| (0..n).all(|v| !at(f, x) || at(f, x | 1 << v)));
            let generated = BTreeSet::from_iter(rows(&format!("monotone:{n}")));
            assert_eq!(brute_force(1 << n, monotone), generated);
        }
        assert_eq!(class("monotone:5").hypotheses(), 7581);
    }

    #[test]
    fn conjunctions_are_the_subcubes_and_the_empty_set() {
        // A nonempty set is a subcube iff it holds whatever agrees with the meet and the join of
        // its members where these agree.
        let subcube = |f: &str| {
            let members: Vec<usize> = (0..8).filter(|&x| at(f, x)).collect();
            let meet = members.iter().fold(7, |a, x| a & x);
            let join = members.iter().fold(0, |a, x| a | x);
            (0..8).all(|x| at(f, x) == (x & meet == meet && x | join == join))
        };
        let generated = BTreeSet::from_iter(rows("conjunction:3"));
        assert_eq!(brute_force(8, |f| !f.contains('1') || subcube(f)), generated);
        // Two-term formulas are the unions of two such sets.
        let unions = generated.iter().flat_map(|f| {
            generated.iter().map(|g| {
                (0..8).map(|x| if at(f, x) || at(g, x) { '1' } else { '0' }).collect::<String>()
            })
        });
        assert_eq!(unions.collect::<BTreeSet<_>>(), BTreeSet::from_iter(rows("dnf:3,2")));
        assert_eq!(BTreeSet::from_iter(rows("dnf:3,1")), generated);
    }

    #[test]
    fn juntas_by_brute_force() {
        for n in 1..=3usize {
            for k in 0..=n {
                let relevant = |f: &str| {
                    let matters = |v: &usize| (0..1 << n).any(|x| at(f, x) != at(f, x ^ 1 << v));
                    (0..n).filter(matters).count() <= k
                };
                let generated = BTreeSet::from_iter(rows(&format!("juntas:{k},{n}")));
                assert_eq!(brute_force(1 << n, relevant), generated);
            }
        }
    }

    #[test]
    fn sizes_computed_by_two_independent_methods() {
        for (spec, hypotheses) in [
            ("dnf:3,2", 158),
            ("dnf:4,2", 1886),
            ("dnf:2,4", 16),
            ("dnf:4,1000000", 65536),
            ("juntas:3,5", 2292),
            ("monotone:4", 168),
            ("conjunction:4", 82),
            ("parity:6", 64),
        ] {
            assert_eq!(class(spec).hypotheses(), hypotheses, "{spec}");
        }
    }

    #[test]
    fn dimensions() {
        // With a proof.
        for n in 1..=3 {
            assert_eq!(dimension(&format!("parity:{n}")), n);
            assert_eq!(dimension(&format!("affine-parity:{n}")), n + 1);
            assert_eq!(dimension(&format!("disjunction:{n}")), n);
        }
        for n in 1..=2 {
            assert_eq!(dimension(&format!("conjunction:{n}")), n + 1);
        }
        // Computed by two independent methods.
        for (n, d) in [(1, 1), (2, 2), (3, 3)] {
            assert_eq!(dimension(&format!("monotone:{n}")), d);
        }
        assert_eq!([dimension("dnf:1,2"), dimension("dnf:2,2")], [2, 4]);
    }
}
