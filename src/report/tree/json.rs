//! A shattered tree as data.

use serde_json::{Value, json};

use crate::class::Class;
use crate::littlestone::ShatteredTree;

use super::shattered::{check_shape, fold};

/// The tree in the format of `docs/schemas/shattered-tree.schema.json`, keys sorted.
pub(super) fn write(class: &Class, tree: &ShatteredTree) -> String {
    check_shape(tree);
    let leaf = |h| json!({ "hypothesis": class.hypothesis_name(h), "labels": class.labels(h) });
    let inner = |x: usize, zero: Value, one: Value| json!({ "point": class.point_names()[x], "zero": zero, "one": one });
    let document = json!({
        "format": 1,
        "kind": "shattered-tree",
        "depth": tree.depth,
        "tree": fold(tree, &leaf, &inner),
    });
    format!("{document:#}\n")
}
