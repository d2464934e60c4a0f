//! A tree as a graph for Graphviz.

use petgraph::dot::{Config, Dot};
use petgraph::graph::{NodeIndex, UnGraph};

use super::Node;
use super::names::dot;

/// Draws the tree in the DOT language: inner nodes are ellipses, leaves plain text, and children
/// stand from left to right in their order.
pub fn draw_dot(root: &Node) -> String {
    let mut graph = UnGraph::new_undirected();
    let start = graph.add_node(root);
    add_below(&mut graph, start, root);
    let attributes = |_, (_, node): (NodeIndex, &&Node)| {
        let lines: Vec<String> =
            std::iter::once(&node.label).chain(&node.details).map(|l| dot(l)).collect();
        let shape = if node.children.is_empty() { "plaintext" } else { "ellipse" };
        format!("label = \"{}\" shape = {shape} ", lines.join("\\n"))
    };
    let content = Dot::with_attr_getters(
        &graph,
        &[Config::GraphContentOnly, Config::NodeNoLabel, Config::EdgeNoLabel],
        &|_, edge| format!("label = \"{}\" ", dot(edge.weight())),
        &attributes,
    );
    format!(
        "graph {{\n    ordering = out\n    node [ fontname = \"Times-Roman\" ]\n    \
         edge [ fontname = \"Times-Roman\" ]\n{content:?}}}\n"
    )
}

fn add_below<'n>(graph: &mut UnGraph<&'n Node, &'n str>, parent: NodeIndex, node: &'n Node) {
    for child in &node.children {
        let index = graph.add_node(&child.node);
        graph.add_edge(parent, index, &child.edge);
        add_below(graph, index, &child.node);
    }
}
