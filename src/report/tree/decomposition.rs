//! A decomposition tree as a tree of labels.

use crate::class::Class;
use crate::decomposition::{self, Leaf};
use crate::error::{Error, Result};

use super::{Child, Node, TreeFormat, draw_dot, draw_svg, draw_text, json, svg};

/// The deepest tree that is written: nobody can read more, and the writers follow a path down by
/// recursion.
pub const MAX_DEPTH: usize = 1000;

/// The parameters under which a decomposition tree is valid (Definition 8).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameters {
    /// p, at least 1.
    pub p: u32,
    /// The ambient dimension d.
    pub ambient: i32,
}

/// Draws a decomposition tree of `class`: at inner nodes the point that is queried, at leaves the
/// SOA, what is left, its dimension and the greatest depth allowed.
///
/// # Errors
/// When the tree is deeper than [`MAX_DEPTH`], or an SVG would have more leaves than are drawn.
///
/// # Panics
/// When the tree names a point that the class does not have.
pub fn write_decomposition_tree(
    class: &Class,
    tree: &decomposition::Tree,
    parameters: Parameters,
    format: TreeFormat,
) -> Result<String> {
    let depth = tree.depth();
    if depth > MAX_DEPTH {
        return Err(Error::TooLarge {
            what: "the depth of the tree to write".into(),
            size: format!("{depth} queries"),
            limit: format!("{MAX_DEPTH} queries"),
        });
    }
    match format {
        TreeFormat::Text => Ok(draw_text(&nodes(class, tree))),
        TreeFormat::Dot => Ok(draw_dot(&nodes(class, tree))),
        TreeFormat::Json => Ok(json::decomposition(class, tree, parameters)),
        TreeFormat::Svg => {
            svg::check_leaves(tree.leaves().count())?;
            let Parameters { p, ambient } = parameters;
            draw_svg(
                &nodes(class, tree),
                &format!("Decomposition tree for p = {p} and d = {ambient}"),
                "Inner nodes are points that are queried, edges are labels, and each leaf shows \
                 the SOA of the functions that are left, which they are, their Littlestone \
                 dimension and the greatest depth that is allowed.",
            )
        }
    }
}

fn nodes(class: &Class, tree: &decomposition::Tree) -> Node {
    let leaf = |leaf: &Leaf| {
        let mut left = leaf.version_space.iter();
        let left = match (left.next(), left.next()) {
            (Some(only), None) => class.hypothesis_name(only).into_owned(),
            _ => format!("{} hypotheses", leaf.version_space.len()),
        };
        Node::leaf(&leaf.soa)
            .with_detail(left)
            .with_detail(format!("Ldim {}", leaf.dimension))
            .with_detail(format!("depth ≤ {}", leaf.depth_bound))
    };
    fold(tree, 0, &leaf, &|x, zero, one| Node {
        label: class.point_names()[x].clone(),
        details: Vec::new(),
        children: vec![Child::new("0", zero), Child::new("1", one)],
    })
}

/// Builds a value for each node from the values of its children.
pub(super) fn fold<T>(
    tree: &decomposition::Tree,
    node: usize,
    leaf: &impl Fn(&Leaf) -> T,
    inner: &impl Fn(usize, T, T) -> T,
) -> T {
    match &tree.nodes[node] {
        decomposition::Node::Leaf(found) => leaf(found),
        decomposition::Node::Query { point, children } => {
            let [zero, one] = children.map(|child| fold(tree, child, leaf, inner));
            inner(*point, zero, one)
        }
    }
}
