//! A tree of Unicode lines, one node a line.

use super::Node;
use super::names::isolated;

/// Draws the tree as text, as `tree` draws folders: each node stands behind the label of the edge
/// that leads to it.
pub fn draw_text(root: &Node) -> String {
    let mut text = String::new();
    line(&mut text, root);
    below(&mut text, root, &mut String::new());
    text
}

fn line(text: &mut String, node: &Node) {
    text.push_str(&isolated(&node.label));
    for detail in &node.details {
        text.push_str("  ");
        text.push_str(&isolated(detail));
    }
    text.push('\n');
}

fn below(text: &mut String, node: &Node, indent: &mut String) {
    for (index, child) in node.children.iter().enumerate() {
        let last = index + 1 == node.children.len();
        let edge = isolated(&child.edge);
        text.push_str(indent);
        text.push_str(if last { "└─" } else { "├─" });
        text.push_str(&edge);
        text.push_str("─ ");
        line(text, &child.node);
        let length = indent.len();
        indent.push_str(if last { "  " } else { "│ " });
        indent.extend(std::iter::repeat_n(' ', edge.chars().count() + 2));
        below(text, &child.node, indent);
        indent.truncate(length);
    }
}
