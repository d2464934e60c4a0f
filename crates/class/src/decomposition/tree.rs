//! Decomposition trees (Definition 8).

use crate::littlestone::soa;
use crate::{Class, VersionSpace};
use littlestone_exact::limits::Stopped;

use super::states::Id;
use super::tau::Trees;

/// A decomposition tree. Nodes stand in preorder, the subtree of label 0 first; node 0 is the root.
/// Every query splits the version space of its node, so no leaf is empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    /// The nodes.
    pub nodes: Vec<Node>,
}

/// A node of a decomposition tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    /// Queries a point; the children are the nodes behind the labels 0 and 1.
    Query {
        /// The index of the point.
        point: usize,
        /// The indices of the children.
        children: [usize; 2],
    },
    /// A leaf.
    Leaf(Leaf),
}

/// A leaf v of a decomposition tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leaf {
    /// The number of queries on the path to v.
    pub depth: usize,
    /// The greatest depth that Definition 8 allows: p(2^(d − q) − 1).
    pub depth_bound: u128,
    /// The irreducibility that it asks for: p·2^(d − q).
    pub irreducibility: u128,
    /// q = `Ldim(G_v)`, at least 0.
    pub dimension: i32,
    /// SOA of `G_v` as a string of 0 and 1 in point order.
    pub soa: String,
    /// `G_v`, the functions consistent with the path to v.
    pub version_space: VersionSpace,
}

impl Tree {
    /// The leaves from left to right.
    pub fn leaves(&self) -> impl Iterator<Item = &Leaf> {
        self.nodes.iter().filter_map(|node| match node {
            Node::Leaf(leaf) => Some(leaf),
            Node::Query { .. } => None,
        })
    }

    /// The greatest number of queries on a path.
    pub fn depth(&self) -> usize {
        self.leaves().map(|leaf| leaf.depth).max().unwrap_or(0)
    }

    /// The greatest dimension of a leaf.
    pub fn dimension(&self) -> i32 {
        self.leaves().map(|leaf| leaf.dimension).max().unwrap_or(-1)
    }

    /// The distinct SOAs of the leaves of the given dimension, sorted.
    pub fn soas(&self, dimension: i32) -> Vec<String> {
        let leaves = self.leaves().filter(|leaf| leaf.dimension == dimension);
        let mut soas: Vec<String> = leaves.map(|leaf| leaf.soa.clone()).collect();
        soas.sort_unstable();
        soas.dedup();
        soas
    }
}

/// What to do at a node.
pub(super) enum Step<G> {
    Leaf,
    /// Query the point, and pursue the goal on both sides.
    Query {
        point: usize,
        goals: [G; 2],
    },
}

/// Grows a tree from its root: `step` decides at every node. The goal of a node is what its
/// subtree must achieve.
pub(super) fn grow<'s, G>(
    trees: &mut Trees<'s>,
    root: &VersionSpace,
    goal: G,
    mut step: impl FnMut(&mut Trees<'s>, &VersionSpace, i64, G) -> Result<Step<G>, Stopped>,
) -> Result<Tree, Stopped> {
    let mut nodes: Vec<Node> = Vec::new();
    // A node to be, and where its parent names it.
    let mut waiting = vec![(root.clone(), 0usize, goal, None)];
    while let Some((space, depth, goal, parent)) = waiting.pop() {
        let index = nodes.len();
        if let Some((parent, side)) = parent {
            let Node::Query { children, .. } = &mut nodes[parent] else {
                unreachable!("a parent queries");
            };
            children[side] = index;
        }
        let at = i64::try_from(depth).expect("a depth fits i64");
        match step(trees, &space, at, goal)? {
            Step::Leaf => nodes.push(Node::Leaf(leaf(trees, space, depth)?)),
            Step::Query { point, goals: [zero_goal, one_goal] } => {
                let column = &trees.states.solver().columns()[point];
                let zero = space.restrict(column, false);
                let one = space.restrict(column, true);
                waiting.push((one, depth + 1, one_goal, Some((index, 1))));
                waiting.push((zero, depth + 1, zero_goal, Some((index, 0))));
                nodes.push(Node::Query { point, children: [0; 2] });
            }
        }
    }
    Ok(Tree { nodes })
}

/// An optimal tree: where a leaf of dimension ρ = r can be avoided it is, so that few functions
/// come into question as essential ones.
pub(super) fn optimal(trees: &mut Trees<'_>, root: &VersionSpace, r: i32) -> Result<Tree, Stopped> {
    grow(trees, root, r, |trees, space, depth, goal| {
        let id = trees.states.of(space)?;
        let q = trees.states.dimension(id);
        let avoidable = q == r && q > 0 && trees.exists(id, depth, q - 1)?;
        let goal = if avoidable { q - 1 } else { goal };
        step(trees, space, id, depth, goal)
    })
}

/// One node of a tree whose leaves have dimension at most `goal`; there must be such a tree.
pub(super) fn step(
    trees: &mut Trees<'_>,
    space: &VersionSpace,
    id: Id,
    depth: i64,
    goal: i32,
) -> Result<Step<i32>, Stopped> {
    let q = trees.states.dimension(id);
    let mut goal = goal;
    if q <= goal {
        if depth <= trees.bounds.leaf_cap(q) {
            // No set of points is larger than that.
            let k = u32::try_from(trees.bounds.need(q)).unwrap_or(u32::MAX - 1);
            if !trees.states.delta_at_most(id, k)? {
                return Ok(Step::Leaf);
            }
        }
        goal = q - 1;
    }
    let exists = trees.exists(id, depth, goal)?;
    assert!(exists, "a subtree was promised at depth {depth}");
    let column = match trees.column(id, depth, goal) {
        Some(column) => column,
        None => trees.states.step(id, None)?.column,
    };
    let point = trees.states.point_of(space, column);
    Ok(Step::Query { point, goals: [goal; 2] })
}

fn leaf(trees: &mut Trees<'_>, space: VersionSpace, depth: usize) -> Result<Leaf, Stopped> {
    let id = trees.states.of(&space)?;
    let dimension = trees.states.dimension(id);
    Ok(Leaf {
        depth,
        depth_bound: trees.bounds.leaf(dimension),
        irreducibility: trees.bounds.irreducibility(dimension),
        dimension,
        soa: soa_of(trees, &space)?,
        version_space: space,
    })
}

/// SOA of a version space as a string of 0 and 1 in point order.
pub(super) fn soa_of(trees: &Trees<'_>, space: &VersionSpace) -> Result<String, Stopped> {
    let solver = trees.states.solver();
    if space.len() == 1 {
        return Ok(member(solver.class(), space));
    }
    Ok(soa::function(solver, space)?.into_iter().map(|b| if b { '1' } else { '0' }).collect())
}

fn member(class: &Class, space: &VersionSpace) -> String {
    class.labels(space.iter().next().expect("one member"))
}
