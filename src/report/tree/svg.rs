//! A tree as a drawing for a paper: black on white, integer coordinates, no scripts or styles.

use std::fmt::Write as _;

use crate::error::{Error, Result};

use super::Node;
use super::layout::{
    DETAIL, DETAIL_LINE, EDGE, LABEL, LABEL_LINE, Layout, Placed, RADIUS, edge_label,
};
use super::measure::Fitted;
use super::names::xml;

/// The largest tree that is drawn: nobody can read more leaves.
pub const MAX_LEAVES: usize = 4096;

/// Computer Modern where a paper's author has it, else what resembles Times.
pub(in crate::report) const FONTS: &str = "'Latin Modern Roman', 'CMU Serif', 'STIX Two Text', 'Times New Roman', \
                     'Liberation Serif', Times, serif";

/// Refuses a drawing with too many leaves.
pub(super) fn check_leaves(leaves: usize) -> Result<()> {
    if leaves <= MAX_LEAVES {
        return Ok(());
    }
    Err(Error::TooLarge {
        what: "the tree to draw".into(),
        size: format!("{leaves} leaves"),
        limit: format!("{MAX_LEAVES} leaves for an SVG (.txt, .dot and .json have none)"),
    })
}

/// Draws the tree as SVG: inner nodes are round, leaves plain text. Names that are too long for
/// their place are shortened, and whole in the `<title>` that viewers show on pointing.
///
/// # Errors
/// When the tree has more than [`MAX_LEAVES`] leaves.
pub fn draw_svg(root: &Node, title: &str, description: &str) -> Result<String> {
    check_leaves(root.leaves())?;
    let layout = Layout::new(root);
    let (width, height) = (layout.width, layout.height);
    let mut svg = String::new();
    let mut add = |line: std::fmt::Arguments<'_>| {
        svg.write_fmt(line).expect("writing to a string");
        svg.push('\n');
    };
    add(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\">"
    ));
    add(format_args!("<title>{}</title>", xml(title)));
    add(format_args!("<desc>{}</desc>", xml(description)));
    add(format_args!("<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>"));
    add(format_args!("<g stroke=\"#000\" stroke-width=\"1\" stroke-linecap=\"round\">"));
    for node in &layout.nodes {
        for &(_, child) in &node.children {
            let child = &layout.nodes[child];
            let end = if child.node.children.is_empty() { child.y - child.above } else { child.y };
            add(format_args!(
                "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{end}\"/>",
                node.x, node.y, child.x
            ));
        }
    }
    add(format_args!("</g>"));
    add(format_args!("<g font-family=\"{FONTS}\" text-anchor=\"middle\" fill=\"#000\">"));
    for node in &layout.nodes {
        for &(edge, child) in &node.children {
            add(format_args!("{}", edge_ink(node, &layout.nodes[child], edge)));
        }
    }
    for node in &layout.nodes {
        add(format_args!("{}", node_ink(node)));
    }
    add(format_args!("</g>"));
    add(format_args!("</svg>"));
    Ok(svg)
}

/// The label of an edge, half-way down its visible part, on a white ground that cuts the line.
fn edge_ink(parent: &Placed<'_>, child: &Placed<'_>, edge: &str) -> String {
    let top = parent.y + parent.below;
    let end = if child.node.children.is_empty() { child.y - child.above } else { child.y };
    let y = i64::midpoint(top, child.y - child.above);
    // The point of the line at that height.
    let x = parent.x + (child.x - parent.x) * (y - parent.y) / (end - parent.y);
    let label = edge_label(edge);
    let half = label.width / 2 + 3;
    format!(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"12\" fill=\"#fff\"/>{}",
        x - half,
        y - 6,
        2 * half,
        titled(&label, edge, &text(x, y + 4, EDGE, &label.text)),
    )
}

/// A node: its outline if it is an inner node, and its lines.
fn node_ink(node: &Placed<'_>) -> String {
    let mut ink = String::from("<g>");
    let all = || std::iter::once(&node.node.label).chain(&node.node.details);
    if node.label.iter().chain(&node.details).any(|line| line.shortened) {
        let full: Vec<&str> = all().map(String::as_str).collect();
        ink.extend(["<title>", &xml(&full.join(" ")), "</title>"]);
    }
    if !node.node.children.is_empty() {
        ink += &outline(node);
    }
    let mut baseline = node.y + 5 - LABEL_LINE;
    for line in &node.label {
        baseline += LABEL_LINE;
        ink += &text(node.x, baseline, LABEL, &line.text);
    }
    for detail in &node.details {
        baseline += DETAIL_LINE;
        ink += &text(node.x, baseline, DETAIL, &detail.text);
    }
    ink + "</g>"
}

fn outline(node: &Placed<'_>) -> String {
    const INK: &str = "fill=\"#fff\" stroke=\"#000\" stroke-width=\"1\"";
    if node.half == RADIUS && node.below == RADIUS {
        return format!("<circle cx=\"{}\" cy=\"{}\" r=\"{RADIUS}\" {INK}/>", node.x, node.y);
    }
    format!(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{RADIUS}\" {INK}/>",
        node.x - node.half,
        node.y - node.above,
        2 * node.half,
        node.above + node.below,
    )
}

fn text(x: i64, baseline: i64, size: i64, shown: &str) -> String {
    format!("<text x=\"{x}\" y=\"{baseline}\" font-size=\"{size}\">{}</text>", xml(shown))
}

fn titled(label: &Fitted, full: &str, ink: &str) -> String {
    if label.shortened {
        format!("<g><title>{}</title>{ink}</g>", xml(full))
    } else {
        ink.to_owned()
    }
}
