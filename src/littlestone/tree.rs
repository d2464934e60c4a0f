//! Shattered trees: the proof that a Littlestone dimension is at least a number.

/// A complete binary tree of depth `depth` shattered by a class (Definition 6): every
/// root-to-leaf path is realised by the hypothesis named at its leaf.
///
/// Inner nodes stand in heap order: the root is node 0 and node `i` has the child `2i + 1` along
/// the edge labelled 0 and `2i + 2` along the edge labelled 1. Leaf `j`, counted from the left,
/// ends the path whose edge labels are the `depth` binary digits of `j`, root first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShatteredTree {
    /// Number of inner nodes on each path.
    pub depth: usize,
    /// The point queried at each inner node: `2^depth − 1` indices of points.
    pub points: Vec<usize>,
    /// The hypothesis that realises the path to each leaf: `2^depth` indices of hypotheses.
    pub leaves: Vec<usize>,
}
