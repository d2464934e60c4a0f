//! VC and threshold dimension: against their definitions on small classes, known values, limits.

use std::time::{Duration, Instant};

use crate::support::config;
use itertools::Itertools;
use littlestone::class::{Class, ClassBuilder};
use littlestone::limits::{Limits, Stopped};
use littlestone::littlestone::{
    Dimension, ShatteredSet, ThresholdSequence, shattered_set, threshold_dimension,
    threshold_sequence, vc_dimension,
};
use proptest::prelude::*;

fn int(n: usize) -> i32 {
    i32::try_from(n).expect("small")
}

fn class(points: usize, rows: impl IntoIterator<Item = Vec<bool>>) -> Class {
    let mut builder = ClassBuilder::new((0..points).map(|x| x.to_string()).collect());
    for row in rows {
        builder.push(None, row);
    }
    builder.build()
}

/// The class of the functions whose values are the binary digits of `members`.
fn of_masks(points: usize, members: impl IntoIterator<Item = u64>) -> Class {
    class(points, members.into_iter().map(|h| (0..points).map(|x| h >> x & 1 == 1).collect()))
}

fn cube(n: usize) -> Class {
    of_masks(n, 0..1 << n)
}

/// All intervals of `n` points, the empty one included.
fn intervals(n: usize) -> Class {
    let ends =
        (0..=n).array_combinations().map(move |[a, b]| (0..n).map(|x| a <= x && x < b).collect());
    class(n, std::iter::once(vec![false; n]).chain(ends))
}

/// The functions x ≥ t on `n` points.
fn thresholds(n: usize) -> Class {
    class(n, (0..=n).map(|t| (0..n).map(|x| x >= t).collect()))
}

/// A table of pseudo-random bits (the high bits of a linear congruence).
fn random(rows: usize, columns: usize, seed: u64) -> Class {
    let mut state = seed;
    let mut bit = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 63 == 1
    };
    class(columns, (0..rows).map(|_| (0..columns).map(|_| bit()).collect()).collect_vec())
}

/// The VC dimension by its definition: all sets of points, all their labellings.
fn naive_vc(class: &Class) -> i32 {
    let sets = (0..class.points()).powerset().filter(|set| {
        let shown = (0..class.hypotheses())
            .map(|h| set.iter().map(|&x| class.label(h, x)).collect_vec())
            .unique()
            .count();
        shown == 1 << set.len()
    });
    sets.map(|set| int(set.len())).max().unwrap_or(-1)
}

/// The threshold dimension by its definition: all sequences of points and of hypotheses.
fn naive_threshold(class: &Class) -> i32 {
    if class.hypotheses() == 0 {
        return -1;
    }
    let most = class.points().min(class.hypotheses());
    let exists = |k: usize| {
        (0..class.points()).permutations(k).any(|xs| {
            (0..class.hypotheses()).permutations(k).any(|hs| are_thresholds(class, &xs, &hs))
        })
    };
    let k = (1..=most).take_while(|&k| exists(k)).last().unwrap_or(0);
    int(k)
}

fn are_thresholds(class: &Class, points: &[usize], hypotheses: &[usize]) -> bool {
    let k = points.len();
    hypotheses.len() == k
        && (0..k)
            .cartesian_product(0..k)
            .all(|(i, j)| class.label(hypotheses[i], points[j]) == (i <= j))
}

/// The bounds, after a look at the witness.
fn checked_vc(class: &Class, limits: &Limits) -> Dimension {
    let ShatteredSet { dimension, points } = shattered_set(class, None, limits);
    if class.hypotheses() > 0 {
        assert_eq!(int(points.len()), dimension.lower);
        let shown = (0..class.hypotheses())
            .map(|h| points.iter().map(|&x| class.label(h, x)).collect_vec())
            .unique()
            .count();
        assert_eq!(shown, 1 << points.len(), "labellings of {points:?}");
    }
    dimension
}

fn checked_threshold(class: &Class, limits: &Limits) -> Dimension {
    let ThresholdSequence { dimension, points, hypotheses } = threshold_sequence(class, limits);
    if class.hypotheses() > 0 {
        assert_eq!(int(points.len()), dimension.lower);
    }
    assert!(are_thresholds(class, &points, &hypotheses), "{points:?} {hypotheses:?}");
    dimension
}

fn vc(class: &Class) -> i32 {
    checked_vc(class, &Limits::default()).value().expect("no limit")
}

fn threshold(class: &Class) -> i32 {
    checked_threshold(class, &Limits::default()).value().expect("no limit")
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn both_agree_with_their_definitions(
        (points, members) in (0usize..6).prop_flat_map(|n| {
            (Just(n), prop::collection::vec(0u64..1 << n, 0..8))
        })
    ) {
        let class = of_masks(points, members);
        prop_assert_eq!(vc(&class), naive_vc(&class));
        prop_assert_eq!(threshold(&class), naive_threshold(&class));
    }

    #[test]
    fn vc_agrees_with_its_definition_on_larger_classes(
        members in prop::collection::vec(0u64..1 << 7, 0..90)
    ) {
        let class = of_masks(7, members);
        prop_assert_eq!(vc(&class), naive_vc(&class));
    }

    #[test]
    fn threshold_agrees_with_sequences_of_points_on_larger_classes(
        members in prop::collection::vec(0u64..1 << 6, 0..50)
    ) {
        // For fixed points, each hypothesis of the sequence can be looked for on its own.
        let class = of_masks(6, members);
        let exists = |k: usize| {
            (0..6usize).permutations(k).any(|xs| {
                (0..k).all(|i| {
                    (0..class.hypotheses())
                        .any(|h| (0..k).all(|j| class.label(h, xs[j]) == (i <= j)))
                })
            })
        };
        let expected = (1..=6).take_while(|&k| exists(k)).last().unwrap_or(0);
        if class.hypotheses() > 0 {
            prop_assert_eq!(threshold(&class), int(expected));
        }
    }

    #[test]
    fn limits_give_bounds_that_hold(
        members in prop::collection::vec(0u64..1 << 6, 1..60),
        states in 0u64..20,
    ) {
        let class = of_masks(6, members);
        let limits = Limits { states: Some(states), ..Limits::default() };
        for (bounds, exact) in [
            (checked_vc(&class, &limits), vc(&class)),
            (checked_threshold(&class, &limits), threshold(&class)),
        ] {
            prop_assert!(bounds.lower <= exact && exact <= bounds.upper, "{bounds:?} {exact}");
            prop_assert_eq!(bounds.stopped.is_some(), bounds.lower < bounds.upper);
        }
    }
}

#[test]
fn the_smallest_classes() {
    for points in 0..3 {
        assert_eq!((vc(&of_masks(points, [])), threshold(&of_masks(points, []))), (-1, -1));
        assert_eq!((vc(&of_masks(points, [0])), threshold(&of_masks(points, [0]))), (0, 0));
    }
    assert_eq!((vc(&of_masks(1, [1])), threshold(&of_masks(1, [1]))), (0, 1));
    // Not complemented: only the first of these has a label 1.
    assert_eq!(threshold(&of_masks(2, [0, 1])), 1);
}

#[test]
fn known_values() {
    // Cubes and thresholds by inspection; three points of a line are not shattered by intervals.
    // The sets {x₁}, {x₁, x₂}, … of neighbours are intervals.
    assert_eq!((vc(&cube(10)), threshold(&cube(10))), (10, 10));
    assert_eq!((vc(&thresholds(63)), threshold(&thresholds(63))), (1, 63));
    assert_eq!((vc(&intervals(32)), threshold(&intervals(32))), (2, 32));
    // Point functions hold one point each, so no hypothesis can hold two.
    let points = of_masks(40, (0..40).map(|x| 1 << x));
    assert_eq!((vc(&points), threshold(&points)), (1, 1));
    // Sets of k out of n points shatter min(k, n − k) points: k points need k-sets with as many
    // points outside as inside. In a sequence, the first hypothesis holds all its points, at most
    // k; the last holds one of them, and k − 1 points outside: possible iff n − k ≥ k − 1.
    for (n, k) in [(8usize, 3u32), (9, 2), (7, 4)] {
        let subsets = of_masks(n, (0..1 << n).filter(|h: &u64| h.count_ones() == k));
        assert_eq!(vc(&subsets), k.cast_signed().min(int(n) - k.cast_signed()));
        assert_eq!(threshold(&subsets), k.cast_signed());
    }
}

#[test]
fn long_chains_are_quick() {
    let class = thresholds(1024);
    assert_eq!(threshold(&class), 1024);
    assert_eq!(vc_dimension(&class, &Limits::default()).value(), Some(1));
    // More points than hypotheses: the same table, transposed by hand.
    let wide = class_of_columns(&class);
    assert_eq!(threshold(&wide), 1024);
}

/// The dual class: its points are the hypotheses.
fn class_of_columns(of: &Class) -> Class {
    let columns = (0..of.points()).map(|x| (0..of.hypotheses()).map(|h| of.label(h, x)).collect());
    class(of.hypotheses(), columns)
}

#[test]
fn random_classes_are_decided() {
    for seed in 1..3 {
        let class = random(192, 14, seed);
        let (v, t) = (vc(&class), threshold(&class));
        // 2^v ≤ 192, and a set with all its subsets as traces carries a sequence.
        assert!(v <= 7 && v <= t && t <= 14, "{v} {t}");
        assert_eq!(t, threshold(&class_of_columns(&class)), "the dual has the same sequences");
    }
}

#[test]
fn a_bound_known_to_the_caller_ends_the_search() {
    let limits = Limits { states: Some(3), ..Limits::default() };
    let class = thresholds(63);
    assert_eq!(shattered_set(&class, None, &limits).dimension.stopped, Some(Stopped::States));
    let known = shattered_set(&class, Some(1), &limits).dimension;
    assert_eq!((known.value(), known.stopped), (Some(1), None));
}

#[test]
fn a_deadline_is_kept() {
    // Far too much for a tenth of a second: the traces of 2,000 random rows on 200 points.
    let class = random(2000, 200, 5);
    let deadline = Instant::now() + Duration::from_millis(100);
    let limits = Limits { deadline: Some(deadline), ..Limits::default() };
    for bounds in [checked_vc(&class, &limits), threshold_dimension(&class, &limits)] {
        assert_eq!(bounds.stopped, Some(Stopped::Deadline), "{bounds:?}");
        assert!(bounds.lower <= bounds.upper);
    }
    assert!(deadline.elapsed() < Duration::from_secs(20));
}
