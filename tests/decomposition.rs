//! Decompositions against the enumeration of all valid trees, and the values that are known.

mod support;

use littlestone::class::{self, Class, ClassBuilder};
use littlestone::decomposition::{
    Decomposition, Irreducible, Node, Tree, irreducibility_order, irreducible,
};
use littlestone::limits::Limits;
use littlestone::littlestone::Solver;
use support::decomposition::{
    ClosedForm, Definitions, Enumeration, Functions, Queries, Soas, function, members, text,
};

/// The class of a set of functions, in the given order of rows.
fn built(set: Functions, points: usize) -> Class {
    let mut builder = ClassBuilder::new((0..points).map(|x| x.to_string()).collect());
    for f in members(set) {
        builder.push(None, (0..points).map(|x| f >> x & 1 == 1));
    }
    builder.build()
}

fn texts(soas: &Soas, points: usize) -> Vec<String> {
    let mut texts: Vec<String> = soas.iter().map(|&f| text(f, points)).collect();
    texts.sort_unstable();
    texts
}

/// Checks a tree node by node against Definition 8, and returns the SOAs of its leaves of
/// dimension `rho`.
#[track_caller]
fn valid(tree: &Tree, set: Functions, enumeration: &mut Enumeration<'_>, rho: i32) -> Vec<String> {
    fn below(
        tree: &Tree,
        (node, depth): (usize, u32),
        set: Functions,
        enumeration: &mut Enumeration<'_>,
        visited: &mut usize,
        worst: &mut i32,
    ) {
        assert_eq!(node, *visited, "preorder");
        *visited += 1;
        assert!(enumeration.node_may_stand(set, depth));
        match &tree.nodes[node] {
            Node::Query { point, children } => {
                for (child, y) in children.iter().zip([false, true]) {
                    let side = enumeration.definitions.restrict(set, *point, y);
                    assert_ne!(side, 0, "a query splits");
                    below(tree, (*child, depth + 1), side, enumeration, visited, worst);
                }
            }
            Node::Leaf(leaf) => {
                assert!(enumeration.leaf_may_stand(set, depth));
                let (points, q) = (enumeration.definitions.points, leaf.dimension);
                assert_eq!(u32::try_from(leaf.depth), Ok(depth));
                assert_eq!(q, enumeration.definitions.dimension(set));
                assert_eq!(leaf.soa, text(enumeration.definitions.soa(set), points));
                assert_eq!(u32::try_from(leaf.version_space.len()), Ok(set.count_ones()));
                let power = 1u128 << (enumeration.ambient - q);
                assert_eq!(leaf.depth_bound, u128::from(enumeration.p) * (power - 1));
                assert_eq!(leaf.irreducibility, u128::from(enumeration.p) * power);
                *worst = (*worst).max(q);
            }
        }
    }
    let (mut visited, mut worst) = (0, -1);
    below(tree, (0, 0), set, enumeration, &mut visited, &mut worst);
    assert_eq!(visited, tree.nodes.len());
    assert_eq!(worst, rho, "an optimal tree");
    tree.soas(rho)
}

/// Compares everything that is computed about one instance with the enumeration; returns (ρ, |C|).
#[track_caller]
fn agrees(set: Functions, enumeration: &mut Enumeration<'_>) -> (i32, usize) {
    let points = enumeration.definitions.points;
    let class = built(set, points);
    let solver = Solver::new(&class, Limits::default());
    let (p, d) = (enumeration.p, enumeration.ambient);
    let what = format!("{:?}, p = {p}, d = {d}", (0..class.hypotheses()).map(|h| class.labels(h)).collect::<Vec<_>>());
    let (rho, common) = enumeration.decompose(set);
    let mut found = Decomposition::new(&solver, p, Some(d)).expect("a class and no limit");
    assert_eq!(found.dimension().value(), Some(rho), "{what}");
    let tree = found.tree().expect("no limit");
    let soas = valid(&tree, set, enumeration, rho);
    let essential = found.essential().expect("no limit");
    assert_eq!(essential.hypotheses, texts(&common, points), "{what}");
    // Every function of the first tree is either essential or avoided by a tree that is shown.
    let mut sorted: Vec<&String> =
        essential.hypotheses.iter().chain(essential.excluded.iter().map(|e| &e.hypothesis)).collect();
    sorted.sort_unstable();
    assert_eq!(sorted, soas.iter().collect::<Vec<_>>(), "{what}");
    for excluded in &essential.excluded {
        let soas = valid(&essential.avoiding[excluded.tree], set, enumeration, rho);
        assert!(!soas.contains(&excluded.hypothesis), "{what}");
    }
    (rho, common.len())
}

/// A linear congruence, as a source of classes that never changes.
struct Draws(u64);

impl Draws {
    fn next(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    /// A class of at most `rows` functions on some points, drawn from those of `from`.
    fn class(&mut self, from: &[u64], rows: u64) -> Functions {
        let count = 1 + self.next(rows);
        (0..count).fold(0, |set, _| {
            let index = usize::try_from(self.next(from.len() as u64)).expect("small");
            set | 1 << from[index]
        })
    }
}

fn functions(points: usize) -> Vec<u64> {
    (0..1 << points).collect()
}

fn ball(points: usize, radius: u32) -> Vec<u64> {
    (0..1u64 << points).filter(|f| f.count_ones() <= radius).collect()
}

/// Compares a class at d = Ldim and Ldim + 1, p = 1, 2, 3; counts the instances with p < |X|.
/// Where p ≥ |X|, ρ is 0 and C is the class, so nothing rests on those.
fn compare(set: Functions, definitions: &mut Definitions, queries: Queries) -> Vec<(u32, i32, i32, usize)> {
    let mut seen = Vec::new();
    let dimension = definitions.dimension(set);
    for d in dimension..=dimension + 1 {
        for p in 1..=3 {
            let points = definitions.points;
            let (rho, size) = agrees(set, &mut Enumeration::new(definitions, p, d, queries));
            if usize::try_from(p).expect("small") < points {
                seen.push((p, d, rho, size));
            }
        }
    }
    seen
}

#[test]
fn every_class_on_at_most_three_points() {
    let mut instances = 0;
    for points in 1..=3 {
        let mut definitions = Definitions::new(points);
        for set in 1..1u64 << (1 << points) {
            instances += compare(set, &mut definitions, Queries::Splitting).len();
        }
    }
    // (p, d) with p < |X|: one p on two points, two on three.
    assert_eq!(instances, 15 * 2 + 255 * 4);
}

/// Queries whose answer is known, and empty leaves, change neither ρ nor C.
#[test]
fn useless_queries_change_nothing() {
    for points in 1..=2 {
        let mut definitions = Definitions::new(points);
        for set in 1..1u64 << (1 << points) {
            compare(set, &mut definitions, Queries::All);
        }
    }
    let mut definitions = Definitions::new(3);
    for set in (1..256).step_by(5) {
        compare(set, &mut definitions, Queries::All);
    }
}

/// The number of instances beyond three points: more with LITTLESTONE_LONG=1.
fn samples() -> u64 {
    if std::env::var_os("LITTLESTONE_LONG").is_some_and(|value| value == "1") { 20 } else { 1 }
}

#[test]
fn samples_on_four_and_five_points() {
    let mut draws = Draws(7);
    let mut seen = Vec::new();
    for points in [4, 5] {
        let mut definitions = Definitions::new(points);
        let sources = [functions(points), ball(points, 1), ball(points, 2), ball(points, 3)];
        for _ in 0..20 * samples() {
            for from in &sources {
                let set = draws.class(from, if points == 4 { 12 } else { 14 });
                seen.extend(compare(set, &mut definitions, Queries::Splitting));
            }
        }
    }
    println!("{} instances", seen.len());
    // The interesting ones: ρ strictly between 0 and d, and essential sets of each small size.
    assert!(seen.iter().any(|&(_, d, rho, _)| 0 < rho && rho < d));
    for size in 0..3 {
        assert!(seen.iter().any(|&(_, _, rho, c)| rho > 0 && c == size), "|C| = {size}");
    }
}
