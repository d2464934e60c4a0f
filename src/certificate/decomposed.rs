//! What the kinds about decompositions share: the class and its subclasses, and the check of a
//! decomposition tree.

use std::collections::BTreeSet;

use super::definitions::{Bounds, Definitions};
use super::format::Preorder;
use super::littlestone_dimension::{read_hypotheses, reject_repetition};
use super::matrix::Matrix;
use super::rejection::{Malformed, Rejection, Unproved};
use super::verify::{End, Limit, Report, Work};

/// The greatest ambient dimension that a certificate may have.
const GREATEST_AMBIENT: i32 = 64;

/// The greatest number of hypotheses in a certificate about decompositions: the verifier's
/// recursions are as deep as that.
pub const GREATEST_CLASS: usize = 1024;

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
        if hypotheses.len() > GREATEST_CLASS {
            let expected = format!("at most {GREATEST_CLASS} hypotheses");
            let fault = Malformed::Expected { expected, found: hypotheses.len().to_string() };
            return Err(Rejection::malformed("hypotheses", fault));
        }
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

    /// SOA of a subclass at point `x`: 0 iff label 0 keeps the dimension.
    pub(super) fn soa_at(
        &self,
        subclass: &[usize],
        x: usize,
        definitions: &mut Definitions,
        work: &mut Work,
    ) -> Result<bool, Limit> {
        let q = definitions.dimension(&self.matrix(subclass), work)?;
        let zero = self.matrix(&self.restrict(subclass, x, false));
        Ok(definitions.dimension(&zero, work)? != q)
    }

    /// SOA of a subclass as a string of `0` and `1` in point order.
    pub(super) fn soa(
        &self,
        subclass: &[usize],
        definitions: &mut Definitions,
        work: &mut Work,
    ) -> Result<String, Limit> {
        (0..self.points)
            .map(|x| Ok(if self.soa_at(subclass, x, definitions, work)? { '1' } else { '0' }))
            .collect()
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
            taken_on_trust: vec![
                "the class in the certificate is the class that is meant".to_owned(),
            ],
            not_checked: vec![format!("producer: {producer}"), format!("source: {source}")],
        }
    }
}

/// A question about valid trees: the class with p and d, and the tables.
#[derive(Debug)]
pub(super) struct Question {
    pub(super) class: Class,
    pub(super) bounds: Bounds,
    pub(super) definitions: Definitions,
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
        let bounds = Bounds { p, ambient };
        Ok(Self { class, bounds, definitions: Definitions::default() })
    }

    /// d is at least the dimension of the class, without which Definition 8 has no meaning.
    pub(super) fn check_ambient(&mut self, work: &mut Work) -> Result<(), End> {
        let root = self.class.matrix(&self.class.whole());
        let dimension = self.definitions.dimension(&root, work)?;
        let found = self.bounds.ambient;
        if found < dimension {
            let fault = Unproved::AmbientBelow { dimension, found };
            return Err(Rejection::unproved("ambient", fault).into());
        }
        Ok(())
    }

    /// No valid tree has only leaves of dimension below `bound`.
    pub(super) fn check_at_least(
        &mut self,
        bound: i32,
        place: &str,
        work: &mut Work,
    ) -> Result<(), End> {
        let root = self.class.matrix(&self.class.whole());
        if self.definitions.has_tree(&root, 0, bound - 1, self.bounds, work)? {
            let fault = Unproved::SmallerTree { bound: bound - 1 };
            return Err(Rejection::unproved(place, fault).into());
        }
        Ok(())
    }

    /// The tree is valid in the sense of Definition 8, and its leaves have dimension at most
    /// `most`. The SOAs of the leaves of that dimension.
    pub(super) fn check_tree(
        &mut self,
        tree: &Preorder,
        most: i32,
        place: &str,
        nodes: &mut u64,
        work: &mut Work,
    ) -> Result<BTreeSet<String>, End> {
        let mut soas = BTreeSet::new();
        let mut open = vec![(self.class.whole(), 0u128)];
        for (i, &node) in tree.iter().enumerate() {
            let unproved = |fault| Err(Rejection::unproved(format!("{place}[{i}]"), fault).into());
            let Some((subclass, depth)) = open.pop() else {
                return unproved(Unproved::SurplusNode);
            };
            work.step()?;
            let matrix = self.class.matrix(&subclass);
            let dimension = self.definitions.dimension(&matrix, work)?;
            let bound = self.bounds.node(dimension);
            if depth > bound {
                return unproved(too_deep("node", dimension, bound, depth));
            }
            *nodes += 1;
            if let Some(point) = node {
                let count = self.class.points();
                if point >= count {
                    return unproved(Unproved::NoSuchIndex { count, found: point });
                }
                open.push((self.class.restrict(&subclass, point, true), depth + 1));
                open.push((self.class.restrict(&subclass, point, false), depth + 1));
                continue;
            }
            let bound = self.bounds.leaf(dimension);
            if depth > bound {
                return unproved(too_deep("leaf", dimension, bound, depth));
            }
            if dimension > most {
                return unproved(Unproved::LeafAbove { bound: most, found: dimension });
            }
            let k = self.bounds.irreducibility(dimension);
            if !self.definitions.irreducible(&matrix, k, work)? {
                return unproved(Unproved::Reducible { k: k.to_string(), dimension });
            }
            if dimension == most {
                soas.insert(self.class.soa(&subclass, &mut self.definitions, work)?);
            }
        }
        if !open.is_empty() {
            let fault = Unproved::TreeUnfinished { open: open.len() };
            return Err(Rejection::unproved(place, fault).into());
        }
        Ok(soas)
    }
}

fn too_deep(what: &'static str, dimension: i32, bound: u128, depth: u128) -> Unproved {
    Unproved::DepthAbove { what, dimension, bound: bound.to_string(), found: depth.to_string() }
}
