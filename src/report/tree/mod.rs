//! Drawings of trees: shattered trees (Definition 6) and decomposition trees (Definition 8) as
//! text, DOT, SVG and JSON.
//!
//! The first three are drawn from a [`Node`], which knows nothing of what it stands for, so that
//! every other tree of the paper can be drawn the same way.

mod decomposition;
mod dot;
mod json;
mod layout;
pub(in crate::report) mod measure;
pub(in crate::report) mod names;
mod shattered;
mod svg;
mod text;

use std::path::Path;

use crate::class::Class;
use crate::error::{Error, Result};
use crate::littlestone::ShatteredTree;

pub use decomposition::{MAX_DEPTH, Parameters, write_decomposition_tree};
pub use dot::draw_dot;
pub(crate) use json::{DecompositionDocument, ShatteredDocument};
pub use layout::{Child, Node};
pub(in crate::report) use svg::FONTS;
pub use svg::{MAX_LEAVES, draw_svg};
pub use text::draw_text;

/// How a tree is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TreeFormat {
    /// A tree of Unicode lines for the terminal.
    Text,
    /// A graph for Graphviz.
    Dot,
    /// A drawing.
    Svg,
    /// Data, as described by `docs/schemas/shattered-tree.schema.json` and
    /// `docs/schemas/decomposition-tree.schema.json`.
    Json,
}

impl TreeFormat {
    /// The format that the ending of a file name asks for.
    ///
    /// # Errors
    /// When the name does not end in `.txt`, `.dot`, `.svg` or `.json`.
    pub fn from_path(path: &Path) -> Result<Self> {
        let ending = path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase);
        match ending.as_deref() {
            Some("txt") => Ok(Self::Text),
            Some("dot") => Ok(Self::Dot),
            Some("svg") => Ok(Self::Svg),
            Some("json") => Ok(Self::Json),
            _ => Err(Error::argument_with_help(
                format!("{}: no format for a tree is known by this ending", path.display()),
                "the file name must end in .txt, .dot, .svg or .json",
            )),
        }
    }
}

/// Draws a shattered tree of `class`, with the names of its points and hypotheses. The tree must
/// belong to the class; whether it is shattered is not checked here.
///
/// # Errors
/// When an SVG would have more than [`MAX_LEAVES`] leaves.
///
/// # Panics
/// When the tree is not complete, or names a point or hypothesis that the class does not have.
pub fn write_tree(class: &Class, tree: &ShatteredTree, format: TreeFormat) -> Result<String> {
    match format {
        TreeFormat::Text => Ok(draw_text(&shattered::nodes(class, tree, shattered::TEXT_POINTS))),
        TreeFormat::Dot => Ok(draw_dot(&shattered::nodes(class, tree, shattered::TEXT_POINTS))),
        TreeFormat::Json => Ok(json::shattered(class, tree)),
        TreeFormat::Svg => {
            svg::check_leaves(tree.leaves.len())?;
            draw_svg(
                &shattered::nodes(class, tree, shattered::DRAWN_POINTS),
                &format!("Shattered tree of depth {}", tree.depth),
                "Inner nodes are points, edges are labels, and each leaf names the hypothesis that \
                 realises the path to it.",
            )
        }
    }
}

#[cfg(test)]
mod tests;
