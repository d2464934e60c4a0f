//! The SAT and QBF formulas for "Ldim ≥ k" are true exactly when it is, by solvers of a few lines.

use crate::support::config;
use littlestone::class::{Class, ClassBuilder};
use littlestone::littlestone::encode::{Encoding, Language, Size};
use proptest::prelude::*;

fn of_masks(points: usize, members: impl IntoIterator<Item = u64>) -> Class {
    let mut builder = ClassBuilder::new((0..points).map(|x| x.to_string()).collect());
    for h in members {
        builder.push(None, (0..points).map(|x| h >> x & 1 == 1));
    }
    builder.build()
}

fn write(class: &Class, depth: u32, language: Language) -> String {
    let encoding = Encoding::new(class, "the class", depth, language, 100_000).expect("small");
    let mut text = Vec::new();
    encoding.write_to(&mut text).expect("memory does not fail");
    String::from_utf8(text).expect("ASCII")
}

/// A formula read back: the quantifier prefix (universal or not, variable), and the clauses.
struct Formula {
    prefix: Vec<(bool, usize)>,
    clauses: Vec<Vec<i64>>,
    size: Size,
}

fn number(word: &str) -> u64 {
    word.parse().expect("a number")
}

fn parse(text: &str) -> Formula {
    let mut lines = text.lines().skip_while(|line| line.starts_with('c'));
    let header: Vec<&str> = lines.next().expect("a header").split(' ').collect();
    assert_eq!(header[..2], ["p", "cnf"]);
    let size = Size { variables: number(header[2]), clauses: number(header[3]) };
    let (mut prefix, mut clauses) = (Vec::new(), Vec::new());
    for line in lines {
        let mut words: Vec<&str> = line.split(' ').collect();
        assert_eq!(words.pop(), Some("0"));
        let quantifier = words.first().filter(|w| ["a", "e"].contains(w)).copied();
        if let Some(quantifier) = quantifier {
            assert!(clauses.is_empty(), "the prefix comes first");
            assert!(words.len() > 1, "no empty blocks");
            prefix.extend(
                words[1..].iter().map(|w| (quantifier == "a", w.parse().expect("a number"))),
            );
        } else {
            clauses.push(words.iter().map(|w| w.parse().expect("a number")).collect());
        }
    }
    Formula { prefix, clauses, size }
}

/// What is left of the clauses when the literal is true; `None` when one is false.
fn assign(clauses: &[Vec<i64>], literal: i64) -> Option<Vec<Vec<i64>>> {
    let mut left = Vec::new();
    for clause in clauses.iter().filter(|clause| !clause.contains(&literal)) {
        let rest: Vec<i64> = clause.iter().copied().filter(|&l| l != -literal).collect();
        if rest.is_empty() {
            return None;
        }
        left.push(rest);
    }
    Some(left)
}

/// Satisfiability by unit propagation and branching.
fn satisfiable(clauses: &[Vec<i64>]) -> bool {
    let Some(shortest) = clauses.iter().min_by_key(|clause| clause.len()) else { return true };
    let Some(&literal) = shortest.first() else { return false };
    assign(clauses, literal).is_some_and(|left| satisfiable(&left))
        || (shortest.len() > 1 && assign(clauses, -literal).is_some_and(|left| satisfiable(&left)))
}

/// The truth of a quantified formula by trying both values of each variable in turn.
fn is_true(prefix: &[(bool, usize)], clauses: &[Vec<i64>]) -> bool {
    if clauses.iter().any(Vec::is_empty) {
        return false;
    }
    let Some((&(universal, variable), rest)) = prefix.split_first() else {
        return clauses.is_empty();
    };
    let variable = i64::try_from(variable).expect("small");
    let holds = |l: i64| assign(clauses, l).is_some_and(|left| is_true(rest, &left));
    if universal {
        holds(variable) && holds(-variable)
    } else {
        holds(variable) || holds(-variable)
    }
}

/// The Littlestone dimension by its recursive definition on lists of functions.
fn dimension(points: usize, members: &[u64]) -> i32 {
    if members.is_empty() {
        return -1;
    }
    let split =
        |x: usize| -> (Vec<u64>, Vec<u64>) { members.iter().partition(|&h| h >> x & 1 == 1) };
    (0..points)
        .map(split)
        .filter(|(one, zero)| !one.is_empty() && !zero.is_empty())
        .map(|(one, zero)| 1 + dimension(points, &one).min(dimension(points, &zero)))
        .max()
        .unwrap_or(0)
}

fn check(points: usize, members: &[u64], depth: u32) {
    let class = of_masks(points, members.iter().copied());
    let expected = dimension(points, members) >= depth.cast_signed();
    let case = format!("{members:?} on {points} points, depth {depth}");
    for language in [Language::Dimacs, Language::Qdimacs] {
        let text = write(&class, depth, language);
        let formula = parse(&text);
        let size = Encoding::new(&class, "", depth, language, 100_000).expect("small").size();
        assert_eq!(formula.size, size);
        assert_eq!(u64::try_from(formula.clauses.len()), Ok(size.clauses));
        let largest = formula.clauses.iter().flatten().map(|l| l.unsigned_abs()).max();
        assert!(largest.unwrap_or(0) <= size.variables, "{case}");
        let found = match language {
            Language::Dimacs => satisfiable(&formula.clauses),
            Language::Qdimacs => {
                let mut quantified: Vec<u64> =
                    formula.prefix.iter().map(|&(_, v)| u64::try_from(v).expect("small")).collect();
                quantified.sort_unstable();
                assert!(quantified.into_iter().eq(1..=size.variables), "each variable once");
                is_true(&formula.prefix, &formula.clauses)
            }
        };
        assert_eq!(found, expected, "{language:?} {case}");
    }
}

#[test]
fn formulas_are_true_iff_the_dimension_is_reached_on_every_class_over_two_points() {
    for class in 0..16u32 {
        let members: Vec<u64> = (0..4).filter(|h| class >> h & 1 == 1).collect();
        for depth in 0..4 {
            check(2, &members, depth);
        }
    }
}

#[test]
fn formulas_without_points_or_hypotheses_are_decided() {
    for depth in 0..3 {
        check(0, &[], depth);
        check(0, &[0], depth);
        check(2, &[], depth);
    }
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn formulas_are_true_iff_the_dimension_is_reached(
        members in prop::collection::btree_set(0u64..8, 0..7),
        depth in 0u32..3,
    ) {
        check(3, &members.into_iter().collect::<Vec<_>>(), depth);
    }
}

#[test]
fn the_files_say_what_they_mean() {
    let class = of_masks(1, [0, 1]);
    let dimacs = "\
c Littlestone dimension of the class at least 1?
c The class has 2 hypotheses and 1 points.
c satisfiable: the class shatters a tree of depth 1, its dimension is >= 1.
c unsatisfiable: it shatters none, its dimension is < 1.
c Inner nodes v are in heap order from 0: v has the children 2v+1
c (label 0) and 2v+2 (label 1); leaves l count from 0, left first.
c v*1 + x, x = 1..1: node v asks for point x.
c 1 + l*2 + h, h = 1..2: leaf l is hypothesis h.
c 5 + l*1 + x: its label at point x.
p cnf 7 9
1 0
2 3 0
-2 -6 0
-3 6 0
-1 -6 0
4 5 0
-4 -7 0
-5 7 0
-1 7 0
";
    assert_eq!(write(&class, 1, Language::Dimacs), dimacs);
    let qdimacs = "\
c Littlestone dimension of the class at least 1?
c The class has 2 hypotheses and 1 points.
c true: the class shatters a tree of depth 1, its dimension is >= 1.
c false: it shatters none, its dimension is < 1.
c i*2 + x, i from 0, x = 1..1: query i asks for point x.
c i*2 + 2: the answer to query i.
c 2 + h, h = 1..2: the path is realised by hypothesis h.
c 4 + x: its label at point x.
p cnf 5 6
e 1 0
a 2 0
e 3 4 5 0
3 4 0
-3 -5 0
-4 5 0
1 0
-1 -2 5 0
-1 2 -5 0
";
    assert_eq!(write(&class, 1, Language::Qdimacs), qdimacs);
}

#[test]
fn a_name_cannot_leave_its_comment() {
    let class = of_masks(1, [0]);
    let encoding = Encoding::new(&class, "a\np cnf 0 0\r", 0, Language::Dimacs, 10).expect("small");
    let mut text = Vec::new();
    encoding.write_to(&mut text).expect("memory does not fail");
    let text = String::from_utf8(text).expect("UTF-8");
    assert!(text.starts_with("c Littlestone dimension of a\\np cnf 0 0\\r at least 0?\nc "));
}

#[test]
fn large_formulas_are_refused_by_their_exact_size() {
    let class = of_masks(4, 0..16);
    let refuse = |depth, language, limit| {
        Encoding::new(&class, "cube:4", depth, language, limit)
            .map(|e| e.size())
            .map_err(|e| e.to_string())
    };
    // 2^4 − 1 nodes, and 2^4 leaves with 1 + 16·4 + 4·4 clauses each.
    assert_eq!(
        refuse(4, Language::Dimacs, 1311),
        Ok(Size { variables: 15 * 4 + 16 * 20, clauses: 1311 })
    );
    assert_eq!(
        refuse(4, Language::Dimacs, 1310),
        Err("the formula for depth 4 has 1311 clauses, more than the limit of 1310 clauses".into())
    );
    // 2^60 (1 + 1 + 64 + 240) − 1, beyond 64 bits.
    assert_eq!(
        refuse(60, Language::Dimacs, u64::MAX),
        Err(format!(
            "the formula for depth 60 has {} clauses, more than the limit of {} clauses",
            306 * (1u128 << 60) - 1,
            u64::MAX
        ))
    );
    let message = refuse(u32::MAX, Language::Dimacs, 9).expect_err("too many leaves");
    assert!(message.contains("has more than 2^4294967295 clauses, more than the limit of 9"));
    let message = refuse(1 << 30, Language::Qdimacs, u64::MAX).expect_err("too many variables");
    assert!(
        message.contains("variables, more than the limit of 2147483647 variables"),
        "{message}"
    );
}
