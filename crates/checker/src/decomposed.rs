//! What the kinds about decompositions share: the class and its subclasses, and the check of a
//! decomposition tree.

use std::collections::BTreeSet;

use super::bounds::Bounds;
use super::facts::Fact;
use super::format::{Leaf, Reference, Side, Tree};
use super::littlestone_dimension::{read_hypotheses, reject_repetition};
use super::matrix::Matrix;
use super::rejection::{Malformed, Rejection, Unproved};
use super::states::{States, label};
use super::verify::{CLASS_MEANT, End, Report, Work};

/// The greatest ambient dimension that a certificate may have.
const GREATEST_AMBIENT: i32 = 64;

/// A subclass: the indices of its hypotheses, in increasing order.
pub(super) type Subclass = Vec<usize>;

/// The class of a certificate.
#[derive(Debug)]
pub(super) struct Class {
    rows: Vec<Vec<bool>>,
    points: usize,
}

impl Class {
    /// Distinct points, distinct hypotheses, one label for each point.
    pub(super) fn read(points: &[String], hypotheses: &[String]) -> Result<Self, Rejection> {
        reject_repetition("points", points)?;
        Ok(Self { rows: read_hypotheses(hypotheses, points.len())?, points: points.len() })
    }

    /// Number of points.
    pub(super) fn points(&self) -> usize {
        self.points
    }

    /// The class itself.
    pub(super) fn whole(&self) -> Subclass {
        (0..self.rows.len()).collect()
    }

    /// The members that give point `x` this label.
    pub(super) fn restrict(&self, subclass: &[usize], x: usize, label: bool) -> Subclass {
        subclass.iter().copied().filter(|&h| self.rows[h][x] == label).collect()
    }

    /// The compressed matrix of a subclass.
    pub(super) fn matrix(&self, subclass: &[usize]) -> Matrix {
        let column = |x: usize| subclass.iter().map(move |&h| self.rows[h][x]);
        Matrix::compress(subclass.len(), (0..self.points).map(column))
    }

    /// SOA of a subclass that is at least 1-irreducible, as a string of `0` and `1` in point order,
    /// from the answers that keep its dimension; without answers the larger sides do.
    fn soa(
        &self,
        subclass: &[usize],
        matrix: &Matrix,
        answers: Option<&[Side]>,
        place: &str,
    ) -> Result<String, Rejection> {
        let mut labels = String::with_capacity(self.points);
        for x in 0..self.points {
            let column = subclass.iter().map(|&h| self.rows[h][x]);
            let kept = match matrix.column_of(column) {
                // All of the subclass has this label.
                None => self.rows[subclass[0]][x],
                Some((column, complemented)) => {
                    let side = match answers {
                        None => matrix.larger_side(column),
                        Some(answers) => {
                            let Some(&Side(side, _)) = answers.get(column) else {
                                let fault = Unproved::MissingEntry { column };
                                return Err(Rejection::unproved(place, fault));
                            };
                            label(side, place)?
                        }
                    };
                    side != complemented
                }
            };
            labels.push(if kept { '1' } else { '0' });
        }
        Ok(labels)
    }

    /// A report that nothing is proved yet.
    pub(super) fn report(&self, kind: &str, producer: &str, source: &str) -> Report {
        Report {
            kind: kind.to_owned(),
            proved: Vec::new(),
            hypotheses: self.rows.len(),
            points: self.points,
            states: 0,
            examined: 0,
            taken_on_trust: Vec::new(),
            not_checked: vec![
                CLASS_MEANT.to_owned(),
                format!("producer: {producer}"),
                format!("source: {source}"),
            ],
        }
    }
}

/// A question about valid trees: the class with p and d.
#[derive(Debug)]
pub(super) struct Question {
    pub(super) class: Class,
    pub(super) bounds: Bounds,
}

impl Question {
    /// A class with a hypothesis, p at least 1, and d from 0 to 64.
    pub(super) fn read(class: Class, p: u32, ambient: i32) -> Result<Self, Rejection> {
        let expected = |place: &str, expected: &str, found: String| {
            let fault = Malformed::Expected { expected: expected.to_owned(), found };
            Err(Rejection::malformed(place, fault))
        };
        if class.rows.is_empty() {
            return expected("hypotheses", "at least one hypothesis", "none".to_owned());
        }
        if p == 0 {
            return expected("p", "at least 1", p.to_string());
        }
        if !(0..=GREATEST_AMBIENT).contains(&ambient) {
            let range = format!("a dimension from 0 to {GREATEST_AMBIENT}");
            return expected("ambient", &range, ambient.to_string());
        }
        Ok(Self { class, bounds: Bounds { p, ambient } })
    }

    /// d is at least the dimension of the class, without which Definition 8 has no meaning.
    pub(super) fn check_ambient(
        &self,
        below: Reference,
        states: &mut States<'_>,
        work: &mut Work,
    ) -> Result<(), End> {
        let whole = self.class.matrix(&self.class.whole());
        states.need(&whole, Fact::Below(above(self.bounds.ambient)), below, "below", work)
    }

    /// No valid tree has only leaves of dimension below `bound`.
    pub(super) fn check_at_least(
        &self,
        bound: i32,
        no_tree: Reference,
        states: &mut States<'_>,
        work: &mut Work,
    ) -> Result<(), End> {
        let whole = self.class.matrix(&self.class.whole());
        let fact = Fact::NoTree { depth: 0, leaves: bound - 1 };
        states.need(&whole, fact, no_tree, "no_tree", work)
    }
}

/// The trees of a certificate, and how they are checked.
#[derive(Debug)]
pub(super) struct Trees<'c, 's> {
    pub(super) question: &'c Question,
    pub(super) states: &'c mut States<'s>,
    /// Number of nodes checked so far.
    pub(super) nodes: u64,
}

impl Trees<'_, '_> {
    /// The tree is valid in the sense of Definition 8, and its leaves have dimension at most
    /// `most`, if the states show what is referred to. The SOAs of the leaves of that dimension.
    pub(super) fn check(
        &mut self,
        tree: &Tree,
        most: i32,
        place: &str,
        work: &mut Work,
    ) -> Result<BTreeSet<String>, End> {
        let class = &self.question.class;
        let mut soas = BTreeSet::new();
        let mut open = vec![(class.whole(), 0u128)];
        let mut leaves = tree.leaves.iter().enumerate();
        for (i, &node) in tree.nodes.iter().enumerate() {
            let here = format!("{place}.nodes[{i}]");
            let unproved = |fault| Err(Rejection::unproved(&here, fault).into());
            let Some((subclass, depth)) = open.pop() else {
                return unproved(Unproved::SurplusNode);
            };
            work.step()?;
            let Some(&below) = tree.below.get(i) else {
                let (expected, found) = (tree.nodes.len(), tree.below.len());
                let fault = Unproved::ListLength { what: "nodes", expected, found };
                return Err(Rejection::unproved(format!("{place}.below"), fault).into());
            };
            let place_below = format!("{place}.below[{i}]");
            let matrix = class.matrix(&subclass);
            self.nodes += 1;
            if let Some(point) = node {
                let Some(greatest) = self.question.bounds.greatest_at(depth) else {
                    return unproved(self.too_deep("node", -1, depth));
                };
                // The class as a whole was checked against d already.
                if greatest < self.question.bounds.ambient {
                    let fact = Fact::Below(above(greatest));
                    self.states.need(&matrix, fact, below, &place_below, work)?;
                } else if below.is_some() {
                    let fault = Malformed::NotClaimed;
                    return Err(Rejection::malformed(place_below, fault).into());
                }
                let count = class.points();
                if point >= count {
                    return unproved(Unproved::NoSuchIndex { count, found: point });
                }
                open.push((class.restrict(&subclass, point, true), depth + 1));
                open.push((class.restrict(&subclass, point, false), depth + 1));
                continue;
            }
            let Some((l, &leaf)) = leaves.next() else {
                return unproved(Unproved::NoLeafProof);
            };
            let Leaf(dimension, keeps) = leaf;
            let here = format!("{place}.leaves[{l}]");
            self.leaf((dimension, keeps), depth, most, &here)?;
            let fact = Fact::Below(above(dimension));
            self.states.need(&matrix, fact, below, &place_below, work)?;
            let queries = self.question.bounds.irreducibility(dimension);
            self.states.need(&matrix, Fact::Keeps { dimension, queries }, keeps, &here, work)?;
            if dimension == most && !subclass.is_empty() {
                soas.insert(class.soa(&subclass, &matrix, self.states.answers(keeps), &here)?);
            }
        }
        let end = |place, fault| Err(Rejection::unproved(place, fault).into());
        if !open.is_empty() {
            return end(place.to_owned(), Unproved::TreeUnfinished { open: open.len() });
        }
        if tree.below.len() > tree.nodes.len() {
            let (expected, found) = (tree.nodes.len(), tree.below.len());
            let fault = Unproved::ListLength { what: "nodes", expected, found };
            return end(format!("{place}.below"), fault);
        }
        if let Some((l, _)) = leaves.next() {
            return end(format!("{place}.leaves[{l}]"), Unproved::SurplusNode);
        }
        Ok(soas)
    }

    /// A leaf of this dimension may stand at this depth.
    fn leaf(
        &self,
        (dimension, _): (i32, Reference),
        depth: u128,
        most: i32,
        place: &str,
    ) -> Result<(), Rejection> {
        if !(-1..=self.question.bounds.ambient).contains(&dimension) {
            let expected = format!("a dimension from -1 to {}", self.question.bounds.ambient);
            let fault = Malformed::Expected { expected, found: dimension.to_string() };
            return Err(Rejection::malformed(place, fault));
        }
        if depth > self.question.bounds.leaf(dimension) {
            return Err(Rejection::unproved(place, self.too_deep("leaf", dimension, depth)));
        }
        if dimension > most {
            let fault = Unproved::LeafAbove { bound: most, found: dimension };
            return Err(Rejection::unproved(place, fault));
        }
        Ok(())
    }

    fn too_deep(&self, what: &'static str, dimension: i32, depth: u128) -> Unproved {
        let bounds = self.question.bounds;
        let bound = if what == "leaf" { bounds.leaf(dimension) } else { bounds.node(dimension) };
        Unproved::DepthAbove { what, dimension, bound: bound.to_string(), found: depth.to_string() }
    }
}

/// The least number above a dimension of at least −1.
pub(super) fn above(dimension: i32) -> u32 {
    dimension.max(-1).wrapping_add(1).unsigned_abs()
}
