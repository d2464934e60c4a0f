//! Trees as data.

use schemars::JsonSchema;
use serde::Serialize;

use crate::class::Class;
use crate::decomposition;
use crate::littlestone::ShatteredTree;

use super::{Parameters, decomposition as of_queries, shattered};

// Fields stand in alphabetical order, since serde writes them in this order and keys are sorted.

/// A complete binary tree shattered by a finite hypothesis class (Definition 6): the hypothesis at each leaf
/// gives every point on the path to it the label of the edge taken there. The path to each leaf has exactly
/// `depth` points, which no schema can state.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct ShatteredDocument {
    /// Number of points on each path from the root to a leaf.
    depth: usize,
    /// Version of this format.
    #[schemars(extend("const" = 1))]
    format: u32,
    #[schemars(extend("const" = "shattered-tree"))]
    kind: &'static str,
    tree: Tree<Shown>,
}

/// A (p,d)-valid decomposition tree of a finite hypothesis class (Definition 8), in which every query splits
/// the functions that are left.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct DecompositionDocument {
    /// The ambient dimension d.
    #[schemars(range(min = 0))]
    ambient_dimension: i32,
    /// The greatest Littlestone dimension of a leaf.
    #[schemars(range(min = 0))]
    decomposition_dimension: i32,
    /// The greatest number of queries on a path.
    depth: usize,
    /// Version of this format.
    #[schemars(extend("const" = 1))]
    format: u32,
    #[schemars(extend("const" = "decomposition-tree"))]
    kind: &'static str,
    /// The parameter p.
    #[schemars(range(min = 1))]
    p: u32,
    tree: Tree<Left>,
}

/// A node with what is below it.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum Tree<L> {
    Inner(Box<Inner<L>>),
    Leaf(L),
}

/// An inner node.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Inner<L> {
    /// The subtree behind the edge labelled 1.
    one: Tree<L>,
    /// Name of the point that is queried.
    point: String,
    /// The subtree behind the edge labelled 0.
    zero: Tree<L>,
}

/// A leaf of a shattered tree.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Shown {
    /// Name of the hypothesis that realises the path.
    hypothesis: String,
    /// The values of the hypothesis, in the order of the class's points.
    #[schemars(regex(pattern = "^[01]*$"))]
    labels: String,
}

/// A leaf of a decomposition tree.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Left {
    /// Number of queries on the path to the leaf.
    depth: usize,
    /// The greatest depth allowed, p(2^(d - q) - 1), in decimal.
    #[schemars(regex(pattern = "^[0-9]+$"))]
    depth_bound: String,
    /// Names of the functions that are left.
    #[schemars(length(min = 1))]
    hypotheses: Vec<String>,
    /// How irreducible they must be, p 2^(d - q), in decimal.
    #[schemars(regex(pattern = "^[0-9]+$"))]
    irreducibility: String,
    /// Their dimension q.
    #[schemars(range(min = 0))]
    littlestone_dimension: i32,
    /// Their SOA, in the order of the class's points.
    #[schemars(regex(pattern = "^[01]*$"))]
    soa: String,
}

fn inner<L>(class: &Class, x: usize, zero: Tree<L>, one: Tree<L>) -> Tree<L> {
    Tree::Inner(Box::new(Inner { one, point: class.point_names()[x].clone(), zero }))
}

/// The tree in the format of `docs/schemas/shattered-tree.schema.json`.
pub(super) fn shattered(class: &Class, tree: &ShatteredTree) -> String {
    shattered::check_shape(tree);
    let leaf = |h| {
        let hypothesis = class.hypothesis_name(h).into_owned();
        Tree::Leaf(Shown { hypothesis, labels: class.labels(h) })
    };
    written(&ShatteredDocument {
        depth: tree.depth,
        format: 1,
        kind: "shattered-tree",
        tree: shattered::fold(tree, &leaf, &|x, zero, one| inner(class, x, zero, one)),
    })
}

/// The tree in the format of `docs/schemas/decomposition-tree.schema.json`.
pub(super) fn decomposition(
    class: &Class,
    tree: &decomposition::Tree,
    parameters: Parameters,
) -> String {
    let leaf = |leaf: &decomposition::Leaf| {
        let names = leaf.version_space.iter().map(|h| class.hypothesis_name(h).into_owned());
        Tree::Leaf(Left {
            depth: leaf.depth,
            depth_bound: leaf.depth_bound.to_string(),
            hypotheses: names.collect(),
            irreducibility: leaf.irreducibility.to_string(),
            littlestone_dimension: leaf.dimension,
            soa: leaf.soa.clone(),
        })
    };
    written(&DecompositionDocument {
        ambient_dimension: parameters.ambient,
        decomposition_dimension: tree.dimension(),
        depth: tree.depth(),
        format: 1,
        kind: "decomposition-tree",
        p: parameters.p,
        tree: of_queries::fold(tree, 0, &leaf, &|x, zero, one| inner(class, x, zero, one)),
    })
}

fn written(document: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(document).expect("keys are strings");
    format!("{text}\n")
}
