//! The solver against the slow references.

use crate::support::classes::{
    Table, all_classes, ball, boxes, cube, intervals, random_classes, scattered, subsets,
    thresholds,
};
use crate::support::config;
use crate::support::reference;
use littlestone::class::{Class, ClassBuilder, VersionSpace};
use littlestone::limits::Limits;
use littlestone::littlestone::Solver;
use proptest::prelude::*;

fn class(table: &Table) -> Class {
    let mut builder = ClassBuilder::new((0..table.points).map(|x| x.to_string()).collect());
    for h in 0..table.rows.len() {
        builder.push(None, (0..table.points).map(|x| table.label(h, x)));
    }
    builder.build()
}

/// Every class on at most 3 points, the empty one and those without points included.
#[test]
fn the_dimension_of_every_class_on_at_most_three_points() {
    for points in 0..=3 {
        for table in all_classes(points) {
            let class = class(&table);
            let found = Solver::new(&class, Limits::default()).dimension();
            let expected = reference::littlestone_dimension(&table.rows, points);
            assert_eq!(found.value(), Some(expected), "{table:?}");
        }
    }
}

/// Larger classes, with dimension 3 to 6 and, some, more rows than a word has bits.
#[test]
fn the_dimension_of_larger_classes() {
    let tables = [
        intervals(12),
        boxes(3, 3),
        subsets(9, 4),
        ball(8, 3),
        cube(6),
        thresholds(20),
        scattered(150, 9, 1),
        scattered(100, 10, 2),
    ];
    for table in tables {
        let class = class(&table);
        let found = Solver::new(&class, Limits::default()).dimension();
        let expected = reference::littlestone_dimension_pruned(&table.rows, table.points);
        assert_eq!(found.value(), Some(expected), "{table:?}");
    }
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn dimensions_agree(table in random_classes(40, 8)) {
        let class = class(&table);
        let found = Solver::new(&class, Limits::default()).dimension();
        let expected = reference::littlestone_dimension(&table.rows, table.points);
        prop_assert_eq!(found.value(), Some(expected));
    }

    /// One solver answers for many version spaces: what it remembers of one must not disturb the
    /// next.
    #[test]
    fn dimensions_of_version_spaces_agree(
        table in random_classes(40, 8),
        sequences in prop::collection::vec(
            prop::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 0..4),
            1..6,
        ),
    ) {
        let class = class(&table);
        let solver = Solver::new(&class, Limits::default());
        for sequence in sequences {
            let mut space = VersionSpace::full(&class);
            let mut rows = table.rows.clone();
            for (point, label) in sequence {
                if table.points > 0 {
                    let x = point.index(table.points);
                    space = space.restrict(&solver.columns()[x], label);
                    rows.retain(|row| (row >> x & 1 == 1) == label);
                }
            }
            let expected = reference::littlestone_dimension(&rows, table.points);
            prop_assert_eq!(solver.dimension_of(&space).expect("no limit"), expected);
            for k in -1..=expected + 2 {
                prop_assert_eq!(solver.at_least(&space, k).expect("no limit"), k <= expected);
            }
        }
    }

    /// The tree of greatest depth is shattered, leaf by leaf, and there is none of the next depth.
    #[test]
    fn shattered_trees_are_shattered(table in random_classes(40, 8)) {
        let class = class(&table);
        let solver = Solver::new(&class, Limits::default());
        let d = reference::littlestone_dimension(&table.rows, table.points);
        for (depth, k) in (0..=d).zip(0u32..) {
            let tree = solver
                .shattered_tree(usize::try_from(depth).expect("not negative"))
                .expect("no limit")
                .expect("depth at most the dimension");
            prop_assert_eq!(tree.points.len(), (1 << k) - 1);
            prop_assert_eq!(tree.leaves.len(), 1 << k);
            for (word, &leaf) in tree.leaves.iter().enumerate() {
                prop_assert!(reference::realises(table.rows[leaf], &tree.points, k, word));
            }
        }
        let next = usize::try_from(d + 1).expect("d is at least -1");
        prop_assert!(solver.shattered_tree(next).expect("no limit").is_none());
    }
}
