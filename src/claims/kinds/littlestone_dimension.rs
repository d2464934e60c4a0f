//! Kind `littlestone-dimension`: Ldim(H) of Definition 6.

use crate::class::Class;
use crate::limits::Limits;
use crate::littlestone::{Dimension, ShatteredTree, Solver};

use super::Kind;
use super::dimension::{KEYS, Measure, floor_log2, parse, size};

pub(super) static KIND: Kind = Kind {
    name: "littlestone-dimension",
    about: "the Littlestone dimension of a class (Definition 6)",
    keys: KEYS,
    parse: parse::<LittlestoneDimension>,
};

/// The greatest depth of a tree that is printed as a counterexample: 7 nodes.
const PRINTED_DEPTH: usize = 3;

#[derive(Debug)]
struct LittlestoneDimension;

impl Measure for LittlestoneDimension {
    const SYMBOL: &'static str = "Ldim";
    const VALUE: &'static str = "littlestone_dimension";

    fn measure(class: &Class, limits: &Limits) -> Dimension {
        Solver::new(class, limits.clone()).dimension()
    }

    /// A shattered tree of depth d has 2^d leaves with different hypotheses, and different points
    /// on each path.
    fn counting(class: &Class) -> (i64, i64) {
        let most = floor_log2(class.hypotheses());
        (most.min(0), most.min(size(class.points())))
    }

    fn witness(class: &Class, claimed: i64, limits: &Limits) -> Vec<String> {
        let Ok(depth) = usize::try_from(claimed.saturating_add(1).max(0)) else {
            return Vec::new();
        };
        let solver = Solver::new(class, limits.clone());
        match solver.shattered_tree(depth) {
            Ok(Some(tree)) if depth <= PRINTED_DEPTH => {
                vec![format!("shattered tree of depth {depth}: {}", draw(class, &tree, 0, 0))]
            }
            Ok(Some(tree)) => vec![format!(
                "a tree of depth {depth} with the point {} at its root is shattered",
                class.point_names()[tree.points[0]],
            )],
            Ok(None) | Err(_) => Vec::new(),
        }
    }
}

/// The subtree at `node`, which is the `place`-th of its level: `point(0: …, 1: …)`, and at a leaf
/// the hypothesis.
fn draw(class: &Class, tree: &ShatteredTree, node: usize, place: usize) -> String {
    match tree.points.get(node) {
        Some(&point) => format!(
            "{}(0: {}, 1: {})",
            class.point_names()[point],
            draw(class, tree, 2 * node + 1, 2 * place),
            draw(class, tree, 2 * node + 2, 2 * place + 1),
        ),
        None => class.hypothesis_name(tree.leaves[place]).into_owned(),
    }
}
