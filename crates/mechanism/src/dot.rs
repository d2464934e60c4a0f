//! Automata as graphs in the DOT language.

use petgraph::dot::{Config, Dot};
use petgraph::graph::{DiGraph, NodeIndex};

use super::automaton::Automaton;
use littlestone_exact::Number;

impl Automaton {
    /// The automaton as a directed graph in the DOT language: one node for each state, one edge
    /// for each entry of a law. An edge is labelled `before / output (weight)` for a response and
    /// `after (weight)` for an observation; a weight of 1 is left out.
    pub fn to_dot(&self) -> String {
        let mut graph: DiGraph<String, String> = DiGraph::new();
        let states: Vec<NodeIndex> =
            self.states().iter().map(|name| graph.add_node(name.clone())).collect();
        let start = graph.add_node("start".into());
        for (state, weight) in self.start() {
            graph.add_edge(start, states[*state], weighted("", weight));
        }
        for (state, row) in self.rows().iter().enumerate() {
            for (before, law) in self.interface().before().iter().zip(&row.respond) {
                for response in law {
                    let label = format!("{before} / {}", self.outputs()[response.output]);
                    let label = weighted(label.trim_start(), &response.weight);
                    graph.add_edge(states[state], states[response.next], label);
                }
            }
            for (after, law) in self.interface().after().iter().zip(&row.observe) {
                for (next, weight) in law {
                    graph.add_edge(states[state], states[*next], weighted(after, weight));
                }
            }
            for (output, weight) in &row.finish {
                let end = graph.add_node(self.outputs()[*output].clone());
                graph.add_edge(states[state], end, weighted("", weight));
            }
        }
        let attributes = [Config::NodeNoLabel, Config::EdgeNoLabel];
        let dot = Dot::with_attr_getters(
            &graph,
            &attributes,
            &|_, edge| format!("label = {:?}", edge.weight()),
            &|_, (_, name)| format!("label = {name:?}"),
        );
        format!("{dot:?}")
    }
}

fn weighted(label: &str, weight: &Number) -> String {
    if weight.is_one() {
        label.to_owned()
    } else if label.is_empty() {
        format!("({weight})")
    } else {
        format!("{label} ({weight})")
    }
}
