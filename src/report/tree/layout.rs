//! Where the nodes of a tree stand in a drawing, for trees of any shape.
//!
//! Every subtree has a band of its own from top to bottom, so nothing overlaps; leaves are equally
//! spaced as far as wide inner nodes allow, and a parent stands midway between its outer children.
//! All numbers are whole pixels.

use super::measure::{Fitted, fit, width, wrap};
use crate::text::visible;

/// A node of a tree to be drawn, with everything below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// What the node is called.
    pub label: String,
    /// Further lines, in smaller type.
    pub details: Vec<String>,
    /// The children from left to right; a node without children is a leaf.
    pub children: Vec<Child>,
}

/// A child and the edge that leads to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Child {
    /// The label of the edge.
    pub edge: String,
    /// The child.
    pub node: Node,
}

impl Node {
    /// A node without children.
    pub fn leaf(label: impl Into<String>) -> Self {
        Self { label: label.into(), details: Vec::new(), children: Vec::new() }
    }

    /// The node with one more line below its label.
    #[must_use]
    pub fn with_detail(mut self, line: impl Into<String>) -> Self {
        self.details.push(line.into());
        self
    }

    /// Number of leaves at or below this node.
    pub fn leaves(&self) -> usize {
        if self.children.is_empty() {
            1
        } else {
            self.children.iter().map(|c| c.node.leaves()).sum()
        }
    }
}

impl Child {
    /// A child behind an edge.
    pub fn new(edge: impl Into<String>, node: Node) -> Self {
        Self { edge: edge.into(), node }
    }
}

/// Font sizes.
pub(super) const LABEL: i64 = 15;
pub(super) const DETAIL: i64 = 11;
pub(super) const EDGE: i64 = 12;
/// Height of a second line of a label, and of a line of details.
pub(super) const LABEL_LINE: i64 = 16;
pub(super) const DETAIL_LINE: i64 = 13;
/// Half the height of a label in a round inner node.
pub(super) const RADIUS: i64 = 16;
/// Half the height of a label of a leaf.
const LEAF_HALF: i64 = 11;
/// Empty space around the drawing.
const MARGIN: i64 = 12;
/// Least distance between neighbours.
const GAP: i64 = 14;
/// Least column of a leaf.
const LEAST_SLOT: i64 = 36;
/// Least height of the edges of one level.
const LEAST_RISE: i64 = 42;
/// Edges get no flatter than one pixel down for this many across, or a wide tree would have its
/// upper edges drawn over one another.
const FLATTEST: i64 = 4;
/// Widest label of an inner node, and of a leaf in small and in large trees.
const WIDEST_INNER: i64 = 120;
const WIDEST_LEAF: i64 = 108;
const WIDEST_LEAF_OF_MANY: i64 = 66;
const MANY_LEAVES: usize = 16;

/// A node in its place.
#[derive(Debug)]
pub(super) struct Placed<'n> {
    pub(super) node: &'n Node,
    /// The label in one line or two.
    pub(super) label: Vec<Fitted>,
    pub(super) details: Vec<Fitted>,
    /// The middle of the first line of the label.
    pub(super) x: i64,
    pub(super) y: i64,
    /// How far the node reaches from there to either side, up and down.
    pub(super) half: i64,
    pub(super) above: i64,
    pub(super) below: i64,
    /// Children by index, with the edge label.
    pub(super) children: Vec<(&'n str, usize)>,
    level: usize,
    /// How far the subtree reaches from `x` to the left and to the right.
    reach: (i64, i64),
}

/// A drawing without its ink.
#[derive(Debug)]
pub(super) struct Layout<'n> {
    /// The nodes, parents before children.
    pub(super) nodes: Vec<Placed<'n>>,
    pub(super) width: i64,
    pub(super) height: i64,
}

impl<'n> Layout<'n> {
    /// Places every node.
    pub(super) fn new(root: &'n Node) -> Self {
        let widest = if root.leaves() > MANY_LEAVES { WIDEST_LEAF_OF_MANY } else { WIDEST_LEAF };
        let mut nodes = Vec::new();
        measure(&mut nodes, root, 0, widest);
        let slot = slot(&nodes);
        spread(&mut nodes, slot);
        stack(&mut nodes);
        let (left, right) = nodes[0].reach;
        let height = nodes.iter().map(|n| n.y + n.below).max().unwrap_or(0) + MARGIN;
        Self { nodes, width: left + right + 2 * MARGIN, height }
    }
}

/// Adds `node` and all below it, with their sizes.
fn measure<'n>(nodes: &mut Vec<Placed<'n>>, node: &'n Node, level: usize, widest: i64) -> usize {
    let is_leaf = node.children.is_empty();
    let limit = if is_leaf { widest } else { WIDEST_INNER };
    let label = wrap(&visible(&node.label), LABEL, limit);
    let details: Vec<Fitted> =
        node.details.iter().map(|line| fit(&visible(line), DETAIL, limit)).collect();
    let text = label.iter().chain(&details).map(|line| line.width).max().unwrap_or(0);
    let count = |lines: &[Fitted]| i64::try_from(lines.len()).expect("a count of lines fits i64");
    let more = (count(&label) - 1) * LABEL_LINE + count(&details) * DETAIL_LINE;
    let (half, height) = if is_leaf {
        (text / 2 + 1, LEAF_HALF)
    } else if more == 0 && text <= 2 * RADIUS - 8 {
        (RADIUS, RADIUS)
    } else {
        (text / 2 + 11, RADIUS)
    };
    let index = nodes.len();
    nodes.push(Placed {
        node,
        label,
        details,
        x: 0,
        y: 0,
        half,
        above: height,
        below: height + more,
        children: Vec::new(),
        level,
        reach: (0, 0),
    });
    for child in &node.children {
        let at = measure(nodes, &child.node, level + 1, widest);
        nodes[index].children.push((&child.edge, at));
    }
    index
}

/// The column of a leaf: wide enough for every leaf, for the label of the edge above it, and for
/// inner nodes above nothing but leaves, so that complete trees are equally spaced throughout.
fn slot(nodes: &[Placed<'_>]) -> i64 {
    let mut slot = LEAST_SLOT;
    for node in nodes {
        let full = 2 * node.half + GAP;
        if node.children.is_empty() {
            slot = slot.max(full);
        } else if node.children.iter().all(|&(_, child)| nodes[child].children.is_empty()) {
            let count = i64::try_from(node.children.len()).expect("a count fits i64");
            slot = slot.max((full + count - 1) / count);
        }
        for (edge, _) in &node.children {
            // The label stands half-way down, where edges to neighbours are half as far apart.
            slot = slot.max(2 * (edge_label(edge).width + 4));
        }
    }
    slot + slot % 2
}

/// The label of an edge as it is drawn.
pub(super) fn edge_label(edge: &str) -> Fitted {
    let shown = visible(edge);
    if shown.chars().count() == 1 {
        return Fitted { width: width(&shown, EDGE), text: shown.into_owned(), shortened: false };
    }
    fit(&shown, EDGE, WIDEST_LEAF_OF_MANY)
}

/// Sets every `x`: bands from the leaves up, then positions from the root down.
fn spread(nodes: &mut [Placed<'_>], slot: i64) {
    let mut offsets = vec![0i64; nodes.len()];
    for index in (0..nodes.len()).rev() {
        let own = nodes[index].half + GAP / 2;
        let children: Vec<usize> = nodes[index].children.iter().map(|&(_, c)| c).collect();
        let (Some(&first), Some(&last)) = (children.first(), children.last()) else {
            nodes[index].reach = (own.max(slot / 2), own.max(slot / 2));
            continue;
        };
        let mut at = 0;
        for pair in children.windows(2) {
            at += nodes[pair[0]].reach.1 + nodes[pair[1]].reach.0;
            offsets[pair[1]] = at;
        }
        let middle = at / 2;
        for &child in &children {
            offsets[child] -= middle;
        }
        let left = nodes[first].reach.0 - offsets[first];
        let right = nodes[last].reach.1 + offsets[last];
        nodes[index].reach = (own.max(left), own.max(right));
    }
    nodes[0].x = MARGIN + nodes[0].reach.0;
    for index in 0..nodes.len() {
        for child in 0..nodes[index].children.len() {
            let (_, at) = nodes[index].children[child];
            nodes[at].x = nodes[index].x + offsets[at];
        }
    }
}

/// Sets every `y`, level by level.
fn stack(nodes: &mut [Placed<'_>]) {
    let levels = nodes.iter().map(|n| n.level).max().unwrap_or(0) + 1;
    let (mut above, mut below) = (vec![0i64; levels], vec![0i64; levels]);
    let mut rise = vec![LEAST_RISE; levels];
    for node in nodes.iter() {
        above[node.level] = above[node.level].max(node.above);
        below[node.level] = below[node.level].max(node.below);
        for &(_, child) in &node.children {
            let across = (nodes[child].x - node.x).abs();
            rise[node.level] = rise[node.level].max(across / FLATTEST);
        }
    }
    let mut y = vec![MARGIN + above[0]; levels];
    for level in 1..levels {
        y[level] = y[level - 1] + below[level - 1] + rise[level - 1] + above[level];
    }
    for node in nodes {
        node.y = y[node.level];
    }
}
