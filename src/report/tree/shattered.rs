//! A shattered tree as a tree of labels.

use crate::class::Class;
use crate::littlestone::ShatteredTree;

use super::{Child, Node};

/// Up to this many points, a hypothesis is followed by its labels in text.
pub(super) const TEXT_POINTS: usize = 32;

/// Up to this many points, a hypothesis is followed by its labels in a drawing, where each leaf
/// has a narrow column.
pub(super) const DRAWN_POINTS: usize = 8;

/// The tree with the names of the class; hypotheses over at most `label_points` points carry their
/// labels.
pub(super) fn nodes(class: &Class, tree: &ShatteredTree, label_points: usize) -> Node {
    check_shape(tree);
    let leaf = |h: usize| {
        let node = Node::leaf(class.hypothesis_name(h));
        let shown = 1..=label_points;
        if shown.contains(&class.points()) { node.with_detail(class.labels(h)) } else { node }
    };
    fold(tree, &leaf, &|x, zero, one| Node {
        label: class.point_names()[x].clone(),
        details: Vec::new(),
        children: vec![Child::new("0", zero), Child::new("1", one)],
    })
}

/// Builds a value for each node from the values of its children.
pub(super) fn fold<T>(
    tree: &ShatteredTree,
    leaf: &impl Fn(usize) -> T,
    inner: &impl Fn(usize, T, T) -> T,
) -> T {
    fn below<T>(
        tree: &ShatteredTree,
        node: usize,
        leaf: &impl Fn(usize) -> T,
        inner: &impl Fn(usize, T, T) -> T,
    ) -> T {
        match tree.points.get(node) {
            None => leaf(tree.leaves[node - tree.points.len()]),
            Some(&x) => {
                let zero = below(tree, 2 * node + 1, leaf, inner);
                inner(x, zero, below(tree, 2 * node + 2, leaf, inner))
            }
        }
    }
    below(tree, 0, leaf, inner)
}

pub(super) fn check_shape(tree: &ShatteredTree) {
    let leaves = u32::try_from(tree.depth).ok().and_then(|depth| 1usize.checked_shl(depth));
    assert_eq!(leaves, Some(tree.leaves.len()), "leaves of a tree of depth {}", tree.depth);
    assert_eq!(tree.points.len() + 1, tree.leaves.len(), "inner nodes of a complete tree");
}
