//! The slow references agree with each other and with values that have a short proof.

use crate::support::classes::{
    all_classes, ball, boxes, cube, intervals, random_classes, subsets, thresholds,
};
use crate::support::config;
use crate::support::reference::{
    littlestone_dimension, littlestone_dimension_pruned, shattered_by_enumeration,
    threshold_dimension, vc_dimension,
};
use proptest::prelude::*;

/// All 2 + 4 + 16 + 256 classes on at most 3 points, against the list of all trees of each depth.
#[test]
fn the_three_references_agree_on_every_class_on_at_most_three_points() {
    for points in 0..=3 {
        for table in all_classes(points) {
            let d = littlestone_dimension(&table.rows, points);
            assert_eq!(littlestone_dimension_pruned(&table.rows, points), d, "{table:?}");
            for (k, depth) in (0..=3).zip(0..) {
                let shattered = shattered_by_enumeration(&table.rows, points, k);
                assert_eq!(shattered, d >= depth, "{table:?}, depth {k}");
            }
        }
    }
}

/// Thresholds: floor(log2(n + 1)), by binary search. Cube: n. Ball of radius r < n: r.
/// k-subsets of n: min(k, n − k). A threshold class on n points has threshold dimension n, the
/// cube on n points shatters its n points.
#[test]
fn dimensions_with_a_short_proof() {
    for (points, d) in [(1, 1), (2, 1), (3, 2), (6, 2), (7, 3), (14, 3), (15, 4)] {
        let table = thresholds(points);
        assert_eq!(littlestone_dimension(&table.rows, points), d);
        assert_eq!(vc_dimension(&table.rows, points), 1);
    }
    assert_eq!(threshold_dimension(&thresholds(6).rows, 6), 6);
    assert_eq!(littlestone_dimension(&cube(4).rows, 4), 4);
    assert_eq!(vc_dimension(&cube(4).rows, 4), 4);
    assert_eq!(threshold_dimension(&cube(4).rows, 4), 4);
    assert_eq!(littlestone_dimension_pruned(&ball(7, 2).rows, 7), 2);
    assert_eq!(littlestone_dimension_pruned(&subsets(7, 4).rows, 7), 3);
    assert_eq!(vc_dimension(&subsets(7, 4).rows, 7), 3);
}

/// Intervals reach dimension 1, 2, 3, 4 first at 1, 2, 4, 6 points; boxes on a 3 × 3 grid have
/// dimension 4 (two independent computations, neither of them this reference).
#[test]
fn dimensions_computed_elsewhere() {
    for (points, d) in [(1, 1), (2, 2), (3, 2), (4, 3), (5, 3), (6, 4), (8, 4)] {
        assert_eq!(littlestone_dimension_pruned(&intervals(points).rows, points), d);
    }
    assert_eq!(littlestone_dimension_pruned(&boxes(3, 3).rows, 9), 4);
}

/// Definition 6 and its neighbours on the empty class and on a single hypothesis.
#[test]
fn the_smallest_classes() {
    for points in [0, 3] {
        assert_eq!(littlestone_dimension(&[], points), -1);
        assert_eq!(littlestone_dimension(&[0], points), 0);
        assert_eq!(littlestone_dimension_pruned(&[], points), -1);
        assert_eq!(littlestone_dimension_pruned(&[0], points), 0);
        assert_eq!((vc_dimension(&[], points), vc_dimension(&[0], points)), (-1, 0));
        assert_eq!(threshold_dimension(&[0], points), 0);
    }
    assert_eq!(threshold_dimension(&[0b111], 3), 1);
}

proptest! {
    #![proptest_config(config(128))]

    /// The two recursions agree; VC ≤ Ldim ≤ log2 |H|; and k thresholds contain a shattered tree
    /// of depth floor(log2(k)).
    #[test]
    fn the_two_recursions_agree_and_obey_the_classical_bounds(table in random_classes(40, 8)) {
        let d = littlestone_dimension(&table.rows, table.points);
        prop_assert_eq!(littlestone_dimension_pruned(&table.rows, table.points), d);
        prop_assert!(vc_dimension(&table.rows, table.points) <= d);
        if let Ok(depth) = u32::try_from(d) {
            prop_assert!(table.rows.len() >= 1 << depth);
            let thresholds = threshold_dimension(&table.rows, table.points);
            prop_assert!(thresholds < 1 << (depth + 1));
        }
    }
}
