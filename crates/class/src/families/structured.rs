//! Families that separate one complexity measure from another.

use super::rows::{functions, index, numbered, sets};
use super::size::{Count, Size, exactly, power, sum};
use super::{Family, Parameter};
use crate::Class;
use littlestone_base::error::Result;
use littlestone_base::limits::Meter;

pub(super) const FAMILIES: &[Family] = &[
    Family {
        name: "addressing",
        arguments: "n ≥ 1",
        summary: "hypothesis i of n is 1 at point i and carries i − 1 in binary on \
                  ceil(log2 n) further points b1, b2, …, greatest bit first (Maass and Turán 1992)",
        size: "n × n + ceil(log2 n)",
        dimension: "floor(log2 n): the last floor(log2 n) bits are shattered, and |H| = n",
        example: "addressing:8",
        parameters: &[Parameter::from("n", 1)],
        measure: |a| Ok(Size::new(Count::plain(exactly(a[0])), points_and_bits(a[0]))),
        build: |a, meter| addressing(a[0], meter),
    },
    Family {
        name: "tagged-singletons",
        arguments: "n ≥ 2",
        summary: "with r = ceil(log2 n) tags t1, …, tr: the empty set, the tags alone, and each \
                  point i of n with its tag, the first t_l for which \
                  i ≤ n/2 + … + n/2^l + r + 1 (Maass and Turán 1992)",
        size: "n + r + 1 × n + r",
        dimension: "2 for n ≥ 3: a mistake of \"always 0\" leaves one tag's sets or one set; \
                    1 for n = 2",
        example: "tagged-singletons:8",
        parameters: &[Parameter::from("n", 2)],
        measure: |a| {
            let hypotheses = sum(sum(exactly(a[0]), exactly(bits(a[0]))), exactly(1));
            let formula = format!("{} + {} + 1", a[0], bits(a[0]));
            Ok(Size::new(Count::of(formula, hypotheses), points_and_bits(a[0])))
        },
        build: |a, meter| tagged_singletons(a[0], meter),
    },
    Family {
        name: "tree-paths",
        arguments: "k ≥ 1",
        summary: "for each leaf of the complete binary tree of depth k, the inner nodes where the \
                  path to it turns to the 1-side; node i has the children 2i and 2i + 1",
        size: "2^k × 2^k − 1",
        dimension: "k: the tree itself is shattered, and |H| = 2^k",
        example: "tree-paths:4",
        parameters: &[Parameter::from("k", 1)],
        measure: |a| {
            let nodes = power(2, a[0]).map(|leaves| leaves - 1u32);
            Ok(Size::new(
                Count::of(format!("2^{}", a[0]), power(2, a[0])),
                Count::of(format!("2^{} - 1", a[0]), nodes),
            ))
        },
        build: |a, meter| tree_paths(index(a[0]), meter),
    },
];

/// `ceil(log2 n)` for n ≥ 1.
fn bits(n: u64) -> u64 {
    u64::from(u64::BITS - (n - 1).leading_zeros())
}

fn points_and_bits(n: u64) -> Count {
    Count::of(format!("{n} + {}", bits(n)), sum(exactly(n), exactly(bits(n))))
}

fn with_extra(n: u64, prefix: &str) -> Vec<String> {
    let extra = (1..=bits(n)).map(|b| format!("{prefix}{b}"));
    numbered(index(n)).into_iter().chain(extra).collect()
}

fn addressing(n: u64, meter: &mut Meter<'_>) -> Result<Class> {
    let (hypotheses, width) = (index(n), index(bits(n)));
    let label = |h, x| {
        if x < hypotheses { x == h } else { h >> (width - 1 - (x - hypotheses)) & 1 == 1 }
    };
    functions(with_extra(n, "b"), hypotheses, label, meter)
}

fn tagged_singletons(n: u64, meter: &mut Meter<'_>) -> Result<Class> {
    let (points, r) = (index(n), bits(n));
    // n/2 + … + n/2^l = n − n/2^l, so the condition on l is n ≤ 2^l (n + r + 1 − i).
    let tag =
        |i: u64| (1..=r).find(|&l| u128::from(n) <= u128::from(n + r + 1 - i) << l).unwrap_or(r);
    let place = |l: u64| points + index(l - 1);
    let empty = std::iter::once(Vec::new());
    let tags = (1..=r).map(|l| vec![place(l)]);
    let singletons = (1..=n).map(|i| vec![index(i - 1), place(tag(i))]);
    sets(with_extra(n, "t"), empty.chain(tags).chain(singletons), meter)
}

fn tree_paths(k: usize, meter: &mut Meter<'_>) -> Result<Class> {
    let leaves = 1usize << k;
    sets(
        numbered(leaves - 1),
        (leaves..2 * leaves).map(|leaf| {
            let inner = (1..=k).map(move |up| (leaf >> up, leaf >> (up - 1) & 1));
            inner.filter(|&(_, turn)| turn == 1).map(|(node, _)| node - 1)
        }),
        meter,
    )
}

#[cfg(test)]
mod tests {
    use super::super::testing::{class, dimension, rows};

    #[test]
    fn small_classes_written_out() {
        assert_eq!(rows("addressing:3"), ["10000", "01001", "00110"]);
        assert_eq!(class("addressing:3").point_names(), ["1", "2", "3", "b1", "b2"]);
        assert_eq!(rows("addressing:1"), ["1"]);
        // n = 8, r = 3: points up to 8/2 + 4 = 8 all carry the first tag.
        let tagged = rows("tagged-singletons:8");
        assert_eq!(tagged[0], "00000000000");
        assert_eq!(tagged[1..4], ["00000000100", "00000000010", "00000000001"]);
        assert_eq!(tagged[11], "00000001100");
        // n = 16, r = 4: up to 8 + 5 the first tag, up to 12 + 5 the second.
        let tagged = rows("tagged-singletons:16");
        assert_eq!(tagged[5 + 12], "00000000000010001000");
        assert_eq!(tagged[5 + 13], "00000000000001000100");
        // Leaves 00, 01, 10, 11; the root, its 0-child, its 1-child.
        assert_eq!(rows("tree-paths:2"), ["000", "010", "100", "101"]);
    }

    #[test]
    fn dimensions_with_a_proof() {
        for (n, log) in [(1, 0), (2, 1), (3, 1), (4, 2), (7, 2), (8, 3)] {
            assert_eq!(dimension(&format!("addressing:{n}")), log);
        }
        assert_eq!(dimension("tagged-singletons:2"), 1);
        for n in 3..=9 {
            assert_eq!(dimension(&format!("tagged-singletons:{n}")), 2);
        }
        for k in 1..=4 {
            assert_eq!(dimension(&format!("tree-paths:{k}")), k);
        }
    }
}
