//! Decompositions against the enumeration of all valid trees, and the values that are known.

use crate::support;
use crate::support::decomposition::{
    ClosedForm, Definitions, Enumeration, Functions, Queries, Soas, function, members, text,
};
use littlestone::class::symmetry::Symmetry;
use littlestone::class::{self, Class, ClassBuilder};
use littlestone::decomposition::{
    Decomposition, Irreducible, Node, Order, Tree, Unavailable, irreducibility_order, irreducible,
};
use littlestone::limits::Limits;
use littlestone::littlestone::Solver;
use littlestone::questions::known::records;

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

/// Compares everything that is computed about one instance with the enumeration; returns ρ, |C| and the
/// number of functions that were excluded.
#[track_caller]
fn agrees(set: Functions, enumeration: &mut Enumeration<'_>) -> (i32, usize, usize) {
    let points = enumeration.definitions.points;
    let class = built(set, points);
    let solver = Solver::new(&class, Limits::default());
    let (p, d) = (enumeration.p, enumeration.ambient);
    let what = format!(
        "{:?}, p = {p}, d = {d}",
        (0..class.hypotheses()).map(|h| class.labels(h)).collect::<Vec<_>>()
    );
    let (rho, common) = enumeration.decompose(set);
    let mut found = Decomposition::new(&solver, p, Some(d)).expect("a class and no limit");
    assert_eq!(found.dimension().value(), Some(rho), "{what}");
    let tree = found.tree().expect("no limit");
    let soas = valid(&tree, set, enumeration, rho);
    let essential = found.essential().expect("no limit");
    assert_eq!(essential.hypotheses, texts(&common, points), "{what}");
    // Every function of the first tree is either essential or avoided by a tree that is shown.
    let mut sorted: Vec<&String> = essential
        .hypotheses
        .iter()
        .chain(essential.excluded.iter().map(|e| &e.hypothesis))
        .collect();
    sorted.sort_unstable();
    assert_eq!(sorted, soas.iter().collect::<Vec<_>>(), "{what}");
    for excluded in &essential.excluded {
        let soas = valid(&essential.avoiding[excluded.tree], set, enumeration, rho);
        assert!(!soas.contains(&excluded.hypothesis), "{what}");
    }
    // Every function, asked for by itself, is avoided by an optimal tree or essential; of those that
    // are no SOA of the first tree three will do.
    let others = (0..1 << points).map(|f| text(f, points)).filter(|f| !soas.contains(f)).take(3);
    for f in soas.iter().cloned().chain(others) {
        match found.avoiding(&f).expect("no limit") {
            None => assert!(essential.hypotheses.contains(&f), "{f}: {what}"),
            Some(tree) => {
                assert!(!essential.hypotheses.contains(&f), "{f}: {what}");
                assert!(!valid(&tree, set, enumeration, rho).contains(&f), "{f}: {what}");
            }
        }
    }
    (rho, common.len(), essential.excluded.len())
}

/// Checks irreducibility and its order, with the examples that are shown, against the definition.
#[track_caller]
fn irreducibility_agrees(set: Functions, definitions: &mut Definitions) {
    let points = definitions.points;
    let class = built(set, points);
    let solver = Solver::new(&class, Limits::default());
    let (dimension, soa) = (definitions.dimension(set), definitions.soa(set));
    let lowers = |definitions: &mut Definitions, examples: &[(usize, bool)]| {
        let mut rest = set;
        for &(x, y) in examples {
            assert_eq!(soa >> x & 1 == 1, y, "labels are those of the SOA of the whole class");
            rest = definitions.restrict(rest, x, y);
        }
        definitions.dimension(rest) < dimension
    };
    let delta = definitions.delta(set);
    match irreducibility_order(&solver).expect("no limit") {
        Order::Infinite => assert_eq!(delta, None),
        Order::Finite(examples) => {
            assert_eq!(u32::try_from(examples.len()).ok(), delta);
            assert!(lowers(definitions, &examples));
        }
    }
    for k in 0..=4u64 {
        match irreducible(&solver, k).expect("no limit") {
            Irreducible::Yes => assert!(definitions.irreducible(set, k.into())),
            Irreducible::No(examples) => {
                assert!(examples.len() as u64 <= k);
                assert!(lowers(definitions, &examples));
            }
        }
    }
}

/// A linear congruence, as a source of classes that never changes.
struct Draws(u64);

impl Draws {
    fn next(&mut self, bound: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
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

/// What was found in one instance.
struct Seen {
    d: i32,
    rho: i32,
    essential: usize,
    excluded: usize,
}

/// Compares a class at d = Ldim and Ldim + 1, p = 1, 2, 3; counts the instances with p < |X|.
/// Where p ≥ |X|, ρ is 0 and C is the class, so nothing rests on those.
fn compare(set: Functions, definitions: &mut Definitions, queries: Queries) -> Vec<Seen> {
    let mut seen = Vec::new();
    irreducibility_agrees(set, definitions);
    let dimension = definitions.dimension(set);
    for d in dimension..=dimension + 1 {
        for p in 1..=3 {
            let points = definitions.points;
            let (rho, essential, excluded) =
                agrees(set, &mut Enumeration::new(definitions, p, d, queries));
            if usize::try_from(p).expect("small") < points {
                seen.push(Seen { d, rho, essential, excluded });
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

/// The number of instances beyond three points: more with `LITTLESTONE_LONG=1`.
fn samples() -> u64 {
    if std::env::var_os("LITTLESTONE_LONG").is_some_and(|value| value == "1") { 50 } else { 1 }
}

#[test]
fn samples_on_four_and_five_points() {
    let mut draws = Draws(7);
    let mut seen = Vec::new();
    for points in [4, 5] {
        let mut definitions = Definitions::new(points);
        let sources = [functions(points), ball(points, 1), ball(points, 2), ball(points, 3)];
        for _ in 0..40 * samples() {
            for from in &sources {
                let set = draws.class(from, if points == 4 { 12 } else { 14 });
                seen.extend(compare(set, &mut definitions, Queries::Splitting));
            }
        }
    }
    // Deep enough for the case that the rules leave open: d = 3 and p = 1.
    let mut definitions = Definitions::new(6);
    let glued = |sides: [Functions; 2]| {
        let both =
            sides.into_iter().zip(0..).flat_map(|(side, y)| members(side).map(move |f| f << 1 | y));
        both.fold(0, |set, f| set | 1u64 << f)
    };
    for _ in 0..40 * samples() {
        // Two classes on the other five points, one for each label of the first.
        let sides = [(); 2].map(|()| draws.class(&ball(5, 2), 30));
        let near = BORDERLINE.iter().filter(|_| draws.next(20) > 0).map(|f| 1 << function(f)).sum();
        for set in [draws.class(&ball(6, 3), 45), glued(sides), near] {
            if definitions.dimension(set) == 3 {
                let mut enumeration = Enumeration::new(&mut definitions, 1, 3, Queries::Splitting);
                let (rho, essential, excluded) = agrees(set, &mut enumeration);
                seen.push(Seen { d: 3, rho, essential, excluded });
            }
        }
    }
    println!("{} instances", seen.len());
    // The interesting ones: ρ strictly between 0 and d, several dimensions, empty and nonempty
    // essential sets, and functions that only another tree excludes.
    for (d, rho) in [(2, 1), (3, 2)] {
        assert!(seen.iter().any(|s| s.d == d && s.rho == rho), "d = {d}, ρ = {rho}");
    }
    for size in 0..2 {
        assert!(seen.iter().any(|s| s.rho > 0 && s.essential == size), "|C| = {size}");
    }
    assert!(seen.iter().any(|s| s.rho > 0 && s.excluded > 0));
}

/// A class on which all depends on the borderline case: a subclass of the Hamming ball of radius 3
/// on 6 points, found by drawing subclasses at random. With p = 1 and d = 3 some subclass of
/// dimension 2 stands one level too deep for its δ, and is all right nevertheless.
const BORDERLINE: [&str; 30] = [
    "000000", "100000", "010000", "110000", "011000", "111000", "010100", "110100", "001100",
    "101100", "011100", "100010", "010010", "110010", "101010", "011010", "000110", "100110",
    "010110", "001110", "000001", "100001", "010001", "110001", "001001", "101001", "011001",
    "010101", "100011", "010011",
];

#[test]
fn the_closed_form_without_the_borderline_case_is_wrong() {
    let set = support::decomposition::class(&BORDERLINE);
    assert!(members(set).all(|f| f.count_ones() <= 3));
    let mut definitions = Definitions::new(6);
    assert_eq!(definitions.dimension(set), 3);
    let mut enumeration = Enumeration::new(&mut definitions, 1, 3, Queries::Splitting);
    assert_eq!(enumeration.decompose(set), (2, Soas::from([function("010000")])));
    assert_eq!(agrees(set, &mut enumeration), (2, 1, 0));
    let mut mutant = ClosedForm { definitions: &mut definitions, p: 1, ambient: 3 };
    // It takes ρ for 3. Told that ρ is 2, it finds no tree that avoids anything, and so takes C to
    // hold far too many functions.
    assert_eq!(mutant.decompose(set), (3, Soas::from([function("000000")])));
    assert!((0..64).all(|f| !mutant.exists(set, 0, 2, Some(f))));
}

#[test]
fn the_closed_form_is_right_on_most_classes() {
    // The mutant is a near miss, not nonsense: on three points nothing is borderline.
    let mut definitions = Definitions::new(3);
    for set in 1..256 {
        let d = definitions.dimension(set);
        let found = Enumeration::new(&mut definitions, 1, d, Queries::Splitting).decompose(set);
        let mut mutant = ClosedForm { definitions: &mut definitions, p: 1, ambient: d };
        assert_eq!(mutant.decompose(set), found);
    }
}

/// ρ and C of a class given by name, for each p from 1 on, with d its Littlestone dimension unless
/// it is given.
#[track_caller]
fn expect(name: &str, ambient: Option<i32>, expected: &[(i32, usize)]) {
    let class = class::load(name).expect("a family").class;
    let solver = Solver::new(&class, Limits::default());
    for (p, &expected) in (1..).zip(expected) {
        let mut found = Decomposition::new(&solver, p, ambient).expect("a class");
        let rho = found.dimension().value().expect("no limit");
        let essential = found.essential().expect("no limit").hypotheses;
        assert_eq!((rho, essential.len()), expected, "{name}, p = {p}");
        if rho == 0 {
            let mut all: Vec<String> = (0..class.hypotheses()).map(|h| class.labels(h)).collect();
            all.sort_unstable();
            assert_eq!(essential, all);
        }
    }
}

/// δ, `ρ_p` and the size of `C_p`, p = 1, …, 4, of regular classes with d their dimension: found by a prototype
/// that shares no code with this program, δ by closed forms too.
#[test]
fn regular_classes() {
    let cases: [(&str, usize, [i32; 4], usize); 12] = [
        ("point:40", 39, [1, 1, 1, 1], 40),
        ("ball:9,2", 8, [2, 2, 2, 2], 46),
        ("ball:12,2", 11, [2, 2, 2, 2], 79),
        ("ball:6,2", 5, [2, 2, 2, 0], 22),
        ("ball:12,3", 10, [3, 3, 3, 3], 299),
        ("subsets:8,2", 5, [2, 2, 2, 0], 28),
        ("subsets:10,3", 5, [3, 3, 3, 0], 120),
        ("projective-plane:3", 3, [2, 0, 0, 0], 13),
        ("projective-plane:4", 4, [2, 2, 0, 0], 21),
        ("permutation:4", 3, [3, 0, 0, 0], 24),
        ("permutation:5", 4, [4, 4, 0, 0], 120),
        ("affine-subspaces:4,2", 8, [3, 3, 3, 3], 140),
    ];
    for (name, delta, rhos, size) in cases {
        let class = class::load(name).expect("a family").class;
        assert_eq!(class.hypotheses(), size);
        let solver = Solver::new(&class, Limits::default());
        assert_eq!(irreducibility_order(&solver).expect("no limit").value(), Some(delta), "{name}");
        expect(name, None, &rhos.map(|rho| (rho, if rho == 0 { size } else { 1 })));
    }
    for name in [
        "cube:5",
        "parity:4",
        "threshold:20",
        "interval:10",
        "box:4,4",
        "monotone:4",
        "conjunction:4",
        "decision-list:3",
        "threshold-function:3",
        "paley:13",
    ] {
        let size = class::load(name).expect("a family").class.hypotheses();
        expect(name, None, &[(0, size); 4]);
    }
}

/// Point functions on n points: `ρ_p` = 0 and C is the class iff n ≤ p(2^d − 1) + 1; otherwise `ρ_p` = 1
/// and C holds the zero function alone, which is not in the class. (A class of dimension 1 is
/// reduced to single functions by n − 1 queries along a path of depth at most p(2^d − 1).)
#[test]
fn point_functions() {
    for n in 2..=9u32 {
        let name = format!("point:{n}");
        for d in 1..=2 {
            let expected: Vec<(i32, usize)> = (1..=7u32)
                .map(|p| if n <= p * ((1 << d) - 1) + 1 { (0, n as usize) } else { (1, 1) })
                .collect();
            expect(&name, Some(d), &expected);
        }
        let class = class::load(&name).expect("a family").class;
        let solver = Solver::new(&class, Limits::default());
        if n >= 4 {
            let essential = Decomposition::new(&solver, 1, None)
                .expect("a class")
                .essential()
                .expect("no limit");
            assert_eq!(essential.hypotheses, ["0".repeat(n as usize)]);
        }
        // The functions other than two are excluded one by one, one more lowers the dimension.
        let order = irreducibility_order(&solver).expect("no limit").value();
        assert_eq!(order, Some(n as usize - 1));
    }
}

/// The decomposition of a class given by its functions.
#[track_caller]
fn decomposed(functions: &[&str], p: u32, d: i32) -> (i32, Vec<String>) {
    let class = built(support::decomposition::class(functions), functions[0].len());
    let solver = Solver::new(&class, Limits::default());
    let mut found = Decomposition::new(&solver, p, Some(d)).expect("a class");
    let rho = found.dimension().value().expect("no limit");
    (rho, found.essential().expect("no limit").hypotheses)
}

/// Values worked out by hand, and found by brute force with two programs other than this one.
#[test]
fn worked_values() {
    let owned = |texts: &[&str]| texts.iter().map(|&t| t.to_owned()).collect::<Vec<_>>();
    // Two points and the zero function; thresholds on two points.
    assert_eq!(decomposed(&["00", "10", "01"], 1, 1), (1, owned(&["00"])));
    assert_eq!(decomposed(&["00", "10", "11"], 1, 1), (1, owned(&["10"])));
    // C need not be a subset of the class.
    assert_eq!(decomposed(&["0000", "0110", "1100"], 1, 1), (1, owned(&["0100"])));
    // C may be empty; with p doubled ρ is 0.
    let empty = ["0000", "0001", "0011", "0101", "1000", "1010", "1100"];
    assert_eq!(decomposed(&empty, 1, 2), (1, owned(&[])));
    assert_eq!(decomposed(&empty, 2, 2).0, 0);
    let empty = ["0000", "1000", "0100", "1010", "0110", "1001", "0101"];
    assert_eq!(decomposed(&empty, 1, 2), (1, owned(&[])));
    // The ambient dimension counts: the same subclass at d = 1 and at d = 2.
    assert_eq!(decomposed(&["00", "01", "10"], 1, 1).0, 1);
    assert_eq!(decomposed(&["00", "01", "10"], 1, 2).0, 0);
    assert_eq!(decomposed(&["00", "01", "10", "11"], 1, 2).0, 0);
    // A smaller p reverses the order of (P3): ρ_2 = 0 < ρ_1 = 1 on the points of three.
    assert_eq!(decomposed(&["100", "010", "001"], 2, 1).0, 0);
    assert_eq!(decomposed(&["100", "010", "001"], 1, 1).0, 1);
}

#[test]
fn thresholds_and_small_sets() {
    for n in 3..=6 {
        expect(&format!("threshold:{n}"), Some(2), &[(0, n + 1)]);
    }
    expect("threshold:7", Some(3), &[(0, 8)]);
    // Sets of one or two points: a ball of radius 2 without its centre.
    let small_sets = |n: usize| {
        let sets = (1..1u64 << n).filter(|f| f.count_ones() <= 2);
        sets.map(|f| text(f, n)).collect::<Vec<_>>()
    };
    for (n, p, rho) in [(3, 1, 0), (4, 1, 2), (5, 1, 2), (5, 2, 0), (6, 2, 2)] {
        let sets = small_sets(n);
        let sets: Vec<&str> = sets.iter().map(String::as_str).collect();
        let (found, essential) = decomposed(&sets, p, 2);
        assert_eq!(found, rho, "n = {n}, p = {p}");
        assert!(rho == 0 || essential == ["0".repeat(n)]);
    }
}

#[test]
fn single_functions_and_classes_of_two() {
    expect("ball:4,0", None, &[(0, 1); 3]);
    assert_eq!(decomposed(&["0110"], 1, 0), (0, vec!["0110".into()]));
    assert_eq!(decomposed(&["0110"], 1, 64), (0, vec!["0110".into()]));
    assert_eq!(decomposed(&["00", "11"], 1, 1).0, 0);
}

#[test]
fn questions_without_an_answer_are_refused() {
    let class = built(0b1110, 2);
    let solver = Solver::new(&class, Limits::default());
    let message = |p, ambient| match Decomposition::new(&solver, p, ambient) {
        Err(Unavailable::Input(error)) => error.to_string(),
        other => panic!("{other:?}"),
    };
    assert!(message(0, None).contains("expected at least 1"));
    assert!(message(1, Some(0)).contains("expected at least 1, the Littlestone dimension"));
    assert!(message(1, Some(65)).contains("expected at most 64"));
    let empty = ClassBuilder::new(vec!["a".into()]).build();
    let solver = Solver::new(&empty, Limits::default());
    let refused = Decomposition::new(&solver, 1, None);
    assert!(matches!(refused, Err(Unavailable::Input(_))));
    assert_eq!(irreducible(&solver, 3), Ok(Irreducible::Yes));
}

/// With a limit on states the answer is either the right one or bounds around it, and the same
/// each time.
#[test]
fn limits_leave_bounds_that_are_true() {
    let class = class::load("sparse:58,20,10,1").expect("a family").class;
    let free = Solver::new(&class, Limits::default());
    let rho = Decomposition::new(&free, 2, None).expect("a class").dimension();
    let rho = rho.value().expect("no limit");
    let mut undecided = 0;
    for states in (0..5000).step_by(250) {
        let limited = || {
            let solver = Solver::new(&class, Limits { states: Some(states), ..Limits::default() });
            match Decomposition::new(&solver, 2, None) {
                Ok(mut found) => {
                    let bounds = found.dimension();
                    (bounds.lower, bounds.upper, bounds.stopped)
                }
                Err(Unavailable::Undecided(dimension)) => (0, dimension.upper, dimension.stopped),
                Err(Unavailable::Input(error)) => panic!("{error}"),
            }
        };
        let (lower, upper, stopped) = limited();
        assert!(lower <= rho && rho <= upper);
        assert_eq!(stopped.is_some(), lower < upper);
        assert_eq!((lower, upper, stopped), limited());
        undecided += u32::from(lower < upper);
    }
    assert!(0 < undecided && undecided < 20, "{undecided} of 20 are cut off");
}

/// What a row of the atlas says holds for all classes that it stands for, though the SOA's rule for
/// ties is not symmetric.
#[test]
fn symmetries_change_no_dimension() {
    let found = |class: &Class| {
        let solver = Solver::new(class, Limits::default());
        let order = irreducibility_order(&solver).expect("no limit").value();
        let decompose = |p| {
            let mut found = Decomposition::new(&solver, p, None).expect("a class");
            let essential = found.essential().expect("no limit").hypotheses.len();
            (found.dimension().value(), essential)
        };
        (order, [1, 2, 3].map(decompose))
    };
    for (points, every) in [(2, 1), (3, 1), (4, 13)] {
        let group = Symmetry::full(points);
        for orbit in group.orbits().iter().step_by(every) {
            let expected = found(&littlestone::atlas::class(points, orbit.representative));
            let mut images: Vec<_> = group.images(orbit.representative).collect();
            images.sort_unstable();
            images.dedup();
            assert_eq!(images.len(), orbit.size);
            for image in images {
                assert_eq!(found(&littlestone::atlas::class(points, image)), expected);
            }
        }
    }
}

/// The committed atlas is what is computed now, and agrees with the enumeration of all trees.
#[test]
fn the_atlas_is_right() {
    let committed = include_str!("../data/atlas-4.csv");
    assert!(
        records(&littlestone::atlas::rows(4, &Limits::default()).expect("4 points")) == committed,
        "the atlas has changed"
    );
    let mut rows = [0; 5];
    for (index, line) in committed.lines().skip(1).enumerate() {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |i: usize| cells[i].parse::<usize>().expect("a number");
        let points = number(0);
        rows[points] += 1;
        if points == 4 && index % 9 != 0 {
            continue;
        }
        let functions: Vec<&str> = cells[1].split(' ').collect();
        let set = support::decomposition::class(&functions);
        let packed: Vec<u64> = members(set).collect();
        let mut definitions = Definitions::new(points);
        let d = definitions.dimension(set);
        assert_eq!(functions.len(), number(2));
        assert_eq!(i32::try_from(number(4)), Ok(d));
        assert_eq!(i32::try_from(number(5)), Ok(support::reference::vc_dimension(&packed, points)));
        let flips = 0..1u64 << points;
        let chains: Vec<usize> = flips
            .map(|flip| packed.iter().map(|f| f ^ flip).collect::<Vec<_>>())
            .map(|rows| support::reference::threshold_dimension(&rows, points))
            .collect();
        assert_eq!(chains.iter().min(), Some(&number(6)));
        assert_eq!(chains.iter().max(), Some(&number(7)));
        let order = definitions.delta(set).map_or("inf".into(), |delta| delta.to_string());
        assert_eq!(cells[8], order);
        for p in 1..=3u32 {
            let mut all = Enumeration::new(&mut definitions, p, d, Queries::Splitting);
            let (rho, common) = all.decompose(set);
            assert_eq!(i32::try_from(number(8 + p as usize)), Ok(rho));
            assert_eq!(number(11 + p as usize), common.len());
        }
    }
    // By Burnside's lemma; see crates/class/src/symmetry.rs.
    assert_eq!(rows, [0, 2, 5, 21, 401]);
}
