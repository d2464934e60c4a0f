//! What claims about Definitions 7 to 9 share: the class, p, the ambient dimension, and how sets of
//! functions and trees are shown.

use std::sync::Arc;

use crate::class::{Class, Loaded};
use crate::decomposition::{Decomposition, Node, Tree, Unavailable};
use crate::error::{Error, Position};
use crate::littlestone::{Dimension, Solver};

use super::super::classes::Reading;
use super::super::{Fields, Finding, Located, Verdict};
use super::{Classes, Key};

pub(super) const P: Key =
    Key { name: "p", grid: true, about: "the parameter p of Definition 8, at least 1" };
pub(super) const AMBIENT: Key = Key {
    name: "ambient",
    grid: true,
    about: "the ambient dimension d; that of the class when it is left out",
};
pub(super) const TREES: Key = Key {
    name: "trees",
    grid: true,
    about: "\"all\" optimal trees, as in Definition 9, or the misreading \"one\"",
};

/// Over which optimal trees the essential hypotheses are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Over {
    /// All of them: Definition 9.
    All,
    /// The one that is built: a superset, and no function of the class in the paper.
    One,
}

pub(super) const OVER: &[(&str, Over)] = &[("all", Over::All), ("one", Over::One)];

/// How many functions of a set are shown.
const SHOWN: usize = 16;

/// The greatest number of nodes of a tree that is drawn.
const DRAWN: usize = 15;

/// A class that a claim is about.
#[derive(Debug)]
pub(super) struct Given {
    pub(super) class: Located<String>,
    reading: Reading,
    loaded: Option<Arc<Loaded>>,
}

impl Given {
    pub(super) fn parse(fields: &mut Fields<'_>) -> Option<Self> {
        let class = fields.text("class")?;
        Some(Self { class, reading: Reading::parse(fields)?, loaded: None })
    }

    pub(super) fn load(&mut self, classes: &mut Classes<'_>) {
        self.loaded = classes.load(&self.class, &self.reading);
    }

    /// The class, which has at least one hypothesis.
    pub(super) fn class(&self) -> Result<&Class, Error> {
        let class = &self.loaded.as_ref().expect("classes are loaded before checks run").class;
        if class.hypotheses() == 0 {
            let found = format!("`{}`, which has none", self.class.value);
            let expected = "a class with at least one hypothesis";
            return Err(Error::malformed(self.class.position.clone(), expected, found));
        }
        Ok(class)
    }

    /// What is to be said about the class as it was read.
    pub(super) fn notes(&self) -> Vec<String> {
        let notes = self.loaded.iter().flat_map(|loaded| &loaded.notes);
        notes.map(|note| format!("note: {note}")).collect()
    }
}

/// A class with p and d.
#[derive(Debug)]
pub(super) struct Question {
    pub(super) given: Given,
    pub(super) p: u32,
    ambient: Option<Located<i32>>,
}

impl Question {
    /// Reads the keys `class`, `p` and `ambient`.
    pub(super) fn parse(fields: &mut Fields<'_>) -> Option<Self> {
        let given = Given::parse(fields);
        let p = parse_p(fields);
        let ambient = fields.at_least("ambient", 0i32);
        Some(Self { given: given?, p: p?, ambient })
    }

    /// Begins the decomposition; a limit that is hit before it can begin is a finding.
    pub(super) fn begin<'s>(
        &self,
        solver: &'s Solver<'s>,
    ) -> Result<Result<Decomposition<'s>, Finding>, Error> {
        let ambient = self.ambient.as_ref().map(|ambient| ambient.value);
        match Decomposition::new(solver, self.p, ambient) {
            Ok(decomposition) => Ok(Ok(decomposition)),
            Err(Unavailable::Undecided(dimension)) => Ok(Err(undecided(dimension))),
            Err(Unavailable::Input(reason)) => {
                let position =
                    self.ambient.as_ref().map_or(&self.given.class.position, |a| &a.position);
                Err(place(position, &reason))
            }
        }
    }
}

/// The parameter at `p`, which has to be there.
pub(super) fn parse_p(fields: &mut Fields<'_>) -> Option<u32> {
    if !fields.has(P.name) {
        fields.missing("the key `p`");
    }
    fields.at_least(P.name, 1u32).map(|p| p.value)
}

/// A fault of the question, at its place in the claim.
pub(super) fn place(position: &Position, reason: &Error) -> Error {
    let text = match reason {
        Error::Argument { message, .. } => message.clone(),
        other => other.to_string(),
    };
    Error::malformed(position.clone(), "a decomposition", format!("a fault: {text}"))
}

/// The finding when a limit was hit before the Littlestone dimension was known.
fn undecided(dimension: Dimension) -> Finding {
    stopped(format!(
        "{} ≤ Ldim ≤ {}; a limit was hit before the decomposition",
        dimension.lower, dimension.upper
    ))
}

/// The finding when a limit was hit.
pub(super) fn stopped(found: String) -> Finding {
    Finding {
        verdict: Verdict::Undecided,
        found,
        non_vacuous: None,
        details: Vec::new(),
        values: std::collections::BTreeMap::new(),
    }
}

/// Why nothing is learnt from a p as large as the domain.
pub(super) fn degenerate(p: u32, points: usize) -> Option<String> {
    let large = usize::try_from(p).is_ok_and(|p| p >= points);
    large.then(|| {
        format!("vacuous: p = {p} ≥ |X| = {points}, where ρ_p = 0 and C_p(G) = G for every class")
    })
}

/// A set of functions, cut off where it is long.
pub(super) fn set<S: AsRef<str>>(functions: &[S]) -> String {
    let shown: Vec<&str> = functions.iter().take(SHOWN).map(AsRef::as_ref).collect();
    let more = functions.len().saturating_sub(SHOWN);
    let more = if more == 0 { String::new() } else { format!(", and {more} more") };
    format!("{{{}{more}}}", shown.join(", "))
}

/// A decomposition tree in one line, when it is small: `x(0: …, 1: …)`, and at a leaf its dimension
/// and SOA.
pub(super) fn draw(class: &Class, tree: &Tree) -> String {
    if tree.nodes.len() > DRAWN {
        let leaves = tree.leaves().count();
        return format!("a tree of depth {} with {leaves} leaves", tree.depth());
    }
    draw_node(class, tree, 0)
}

fn draw_node(class: &Class, tree: &Tree, node: usize) -> String {
    match &tree.nodes[node] {
        Node::Leaf(leaf) => format!("Ldim {} SOA {}", leaf.dimension, leaf.soa),
        Node::Query { point, children: [zero, one] } => format!(
            "{}(0: {}, 1: {})",
            class.point_names()[*point],
            draw_node(class, tree, *zero),
            draw_node(class, tree, *one),
        ),
    }
}
