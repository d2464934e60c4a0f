//! The table of states in certificates about decompositions: each state shows a fact about a
//! compressed matrix from facts that later states show.

use std::collections::BTreeMap;

use super::bounds::Bounds;
use super::facts::Fact;
use super::format::{self, AtLeast, Below, Keeps, NoTree, Reference, Side};
use super::littlestone_dimension::check_column;
use super::matrix::Matrix;
use super::rejection::{Malformed, Rejection, Unproved};
use super::verify::{End, Work};

/// The states, and the matrices of those that were referred to and not yet checked.
#[derive(Debug)]
pub(super) struct States<'c> {
    table: &'c [format::Fact],
    bounds: Bounds,
    awaited: BTreeMap<usize, Matrix>,
}

impl<'c> States<'c> {
    /// The states, before anything refers to them.
    pub(super) fn new(table: &'c [format::Fact], bounds: Bounds) -> Self {
        Self { table, bounds, awaited: BTreeMap::new() }
    }

    /// A proof outside the table needs the fact, and refers to a state for it.
    pub(super) fn need(
        &mut self,
        matrix: &Matrix,
        fact: Fact,
        reference: Reference,
        place: &str,
        work: &mut Work,
    ) -> Result<(), End> {
        if let Some(found) = reference.filter(|&child| child >= self.table.len()) {
            let fault = Unproved::NoSuchIndex { count: self.table.len(), found };
            return Err(Rejection::unproved(place, fault).into());
        }
        self.refer(matrix, fact, reference, place, work)
    }

    /// The answers that a state of the kind `keeps` gives, for those who read them.
    pub(super) fn answers(&self, reference: Reference) -> Option<&'c [Side]> {
        match reference.and_then(|child| self.table.get(child)) {
            Some(format::Fact::Keeps(fact)) => Some(&fact.sides),
            _ => None,
        }
    }

    /// Checks all states, in order. What a state is about is known when its turn comes, and is
    /// dropped afterwards.
    pub(super) fn check(mut self, checked: &mut u64, work: &mut Work) -> Result<(), End> {
        for (s, fact) in self.table.iter().enumerate() {
            let place = format!("states[{s}]");
            let Some(matrix) = self.awaited.remove(&s) else {
                return Err(Rejection::unproved(place, Unproved::Unreferenced).into());
            };
            work.step()?;
            let mut state = State { states: &mut self, s, place, matrix };
            match fact {
                format::Fact::AtLeast(fact) => state.at_least(*fact, work)?,
                format::Fact::Below(fact) => state.below(fact, work)?,
                format::Fact::Keeps(fact) => state.keeps(fact, work)?,
                format::Fact::NoTree(fact) => state.no_tree(fact, work)?,
            }
            *checked += 1;
        }
        Ok(())
    }

    fn refer(
        &mut self,
        matrix: &Matrix,
        fact: Fact,
        reference: Reference,
        place: &str,
        work: &mut Work,
    ) -> Result<(), End> {
        let unproved = |fault| Err(Rejection::unproved(place, fault).into());
        let Some(child) = reference else {
            if fact.is_evident(matrix, self.bounds, work)? {
                return Ok(());
            }
            return unproved(Unproved::NotEvident { fact: fact.to_string() });
        };
        let found = Fact::from(&self.table[child]);
        if !found.implies(fact, self.bounds) {
            let (expected, found) = (fact.to_string(), found.to_string());
            return unproved(Unproved::OtherFact { child, expected, found });
        }
        match self.awaited.get(&child) {
            Some(known) if known != matrix => unproved(Unproved::OtherMatrix { child }),
            Some(_) => Ok(()),
            None => {
                self.awaited.insert(child, matrix.clone());
                Ok(())
            }
        }
    }
}

/// A state whose turn it is.
struct State<'t, 'c> {
    states: &'t mut States<'c>,
    s: usize,
    place: String,
    matrix: Matrix,
}

impl State<'_, '_> {
    /// Both sides of one column have a dimension of the bound less 1.
    fn at_least(&mut self, fact: AtLeast, work: &mut Work) -> Result<(), End> {
        let AtLeast { bound, column, sides } = fact;
        let count = self.matrix.columns();
        if column >= count {
            return self.fail(Unproved::NoSuchIndex { count, found: column });
        }
        for (side, child) in [false, true].into_iter().zip(sides) {
            let matrix = self.matrix.restrict(column, side);
            let place = format!("{}.sides[{}]", self.place, u8::from(side));
            self.child(&matrix, Fact::AtLeast(bound.saturating_sub(1)), child, &place, work)?;
        }
        Ok(())
    }

    /// No column has two sides of a dimension of the bound less 1.
    fn below(&mut self, fact: &Below, work: &mut Work) -> Result<(), End> {
        let Some(bound) = fact.bound.checked_sub(1) else {
            return self.fail(Unproved::NotEvident { fact: Fact::Below(0).to_string() });
        };
        let needed = self.matrix.columns_with_sides_of_power(bound);
        for (e, &entry) in fact.entries.iter().enumerate() {
            let place = format!("{}.entries[{e}]", self.place);
            check_column(entry, needed.get(e).copied())
                .map_err(|fault| Rejection::unproved(&place, fault))?;
            let format::Entry(column, side, child) = entry;
            let child = child.map(|child| child as usize);
            let matrix = self.matrix.restrict(column as usize, label(side, &place)?);
            self.child(&matrix, Fact::Below(bound), child, &place, work)?;
        }
        match needed.get(fact.entries.len()) {
            Some(&column) => self.fail(Unproved::MissingEntry { column }),
            None => Ok(()),
        }
    }

    /// Each column has a side that keeps the dimension for one query less.
    fn keeps(&mut self, fact: &Keeps, work: &mut Work) -> Result<(), End> {
        let &Keeps { dimension, queries, ref sides } = fact;
        // With no query left, or no column, nothing below would show the dimension itself.
        let Some(left) = queries.checked_sub(1).filter(|_| self.matrix.columns() > 0) else {
            let fact = Fact::Keeps { dimension, queries: queries.into() };
            return self.fail(Unproved::NotEvident { fact: fact.to_string() });
        };
        self.each_column(sides, Fact::Keeps { dimension, queries: left.into() }, work)
    }

    /// The root of a subtree is neither a leaf nor a query.
    fn no_tree(&mut self, fact: &NoTree, work: &mut Work) -> Result<(), End> {
        let &NoTree { depth, leaves, leaf, ref sides } = fact;
        let depth = u128::from(depth);
        let (matrix, place) = (self.matrix.clone(), format!("{}.leaf", self.place));
        self.child(&matrix, Fact::NoLeaf { depth, leaves }, leaf, &place, work)?;
        self.each_column(sides, Fact::NoTree { depth: depth + 1, leaves }, work)
    }

    /// For each column the fact holds on the side that is named.
    fn each_column(&mut self, sides: &[Side], fact: Fact, work: &mut Work) -> Result<(), End> {
        let columns = self.matrix.columns();
        for (column, &Side(side, child)) in sides.iter().enumerate() {
            let place = format!("{}.sides[{column}]", self.place);
            if column >= columns {
                let fault = Unproved::SurplusEntry { found: column };
                return Err(Rejection::unproved(place, fault).into());
            }
            let matrix = self.matrix.restrict(column, label(side, &place)?);
            self.child(&matrix, fact, child, &place, work)?;
        }
        if sides.len() < columns {
            return self.fail(Unproved::MissingEntry { column: sides.len() });
        }
        Ok(())
    }

    fn child(
        &mut self,
        matrix: &Matrix,
        fact: Fact,
        reference: Reference,
        place: &str,
        work: &mut Work,
    ) -> Result<(), End> {
        let count = self.states.table.len();
        if let Some(found) = reference.filter(|&child| child <= self.s || child >= count) {
            let fault = Unproved::NoSuchChild { state: self.s, count, found };
            return Err(Rejection::unproved(place, fault).into());
        }
        self.states.refer(matrix, fact, reference, place, work)
    }

    fn fail<T>(&self, fault: Unproved) -> Result<T, End> {
        Err(Rejection::unproved(&self.place, fault).into())
    }
}

/// The label that a side stands for.
pub(super) fn label(side: u8, place: &str) -> Result<bool, Rejection> {
    match side {
        0 => Ok(false),
        1 => Ok(true),
        found => Err(Rejection::malformed(place, Malformed::Side { found })),
    }
}
