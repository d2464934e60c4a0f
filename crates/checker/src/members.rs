//! The table that shows that no optimal tree avoids an essential hypothesis f (Definition 9): each
//! row is about a subclass that is met on the way along f, and says that it has no valid subtree at
//! its depth whose leaves have dimension at most ρ and, where it is ρ, not the SOA f.

use std::collections::BTreeMap;

use super::decomposed::{Question, Subclass};
use super::facts::Fact;
use super::format::{Member, MemberNoTree, MemberOnly, MemberQuery, Side};
use super::rejection::{Rejection, Unproved};
use super::states::{States, label};
use super::verify::{End, Work};

/// One essential hypothesis and its table.
#[derive(Debug)]
pub(super) struct Membership<'c> {
    pub(super) question: &'c Question,
    /// f.
    pub(super) function: &'c [bool],
    pub(super) rows: &'c [Member],
    /// ρ.
    pub(super) bound: i32,
    /// Where the table stands in the certificate.
    pub(super) place: String,
}

impl Membership<'_> {
    /// Checks the rows, in order; the states that they refer to are still to be checked.
    pub(super) fn check(
        &self,
        states: &mut States<'_>,
        checked: &mut u64,
        work: &mut Work,
    ) -> Result<(), End> {
        let mut awaited = BTreeMap::new();
        match self.rows.first() {
            None => return Err(Rejection::unproved(&self.place, Unproved::NoState).into()),
            Some(first) => expect_depth(first, 0, &format!("{}[0]", self.place))?,
        }
        awaited.insert(0, self.question.class.whole());
        for (r, row) in self.rows.iter().enumerate() {
            let place = format!("{}[{r}]", self.place);
            let Some(subclass) = awaited.remove(&r) else {
                return Err(Rejection::unproved(place, Unproved::Unreferenced).into());
            };
            work.step()?;
            match row {
                Member::NoTree(row) => self.no_tree(*row, &subclass, &place, states, work)?,
                Member::Only(row) => self.only(row, &subclass, &place, states, work)?,
                Member::Query(row) => {
                    let children = self.query(row, (r, &subclass), &place, states, work)?;
                    for (at, child, left) in children {
                        if awaited.entry(child).or_insert_with(|| left.clone()) != &left {
                            let fault = Unproved::OtherSubclass { child };
                            let place = format!("{place}.points[{at}]");
                            return Err(Rejection::unproved(place, fault).into());
                        }
                    }
                }
            }
            *checked += 1;
        }
        Ok(())
    }

    fn no_tree(
        &self,
        MemberNoTree { depth, no_tree }: MemberNoTree,
        subclass: &[usize],
        place: &str,
        states: &mut States<'_>,
        work: &mut Work,
    ) -> Result<(), End> {
        let fact = Fact::NoTree { depth: depth.into(), leaves: self.bound };
        let matrix = self.question.class.matrix(subclass);
        states.need(&matrix, fact, no_tree, &format!("{place}.no_tree"), work)
    }

    /// Wherever the label is not that of f, the dimension is below ρ. So is that of every leaf, or
    /// its SOA is f.
    fn only(
        &self,
        row: &MemberOnly,
        subclass: &[usize],
        place: &str,
        states: &mut States<'_>,
        work: &mut Work,
    ) -> Result<(), End> {
        let class = &self.question.class;
        let (expected, found) = (class.points(), row.below.len());
        if expected != found {
            let fault = Unproved::ListLength { what: "points", expected, found };
            return Err(Rejection::unproved(format!("{place}.below"), fault).into());
        }
        let below = Fact::Below(self.bound.unsigned_abs());
        for (x, &child) in row.below.iter().enumerate() {
            let off = class.matrix(&class.restrict(subclass, x, !self.function[x]));
            states.need(&off, below, child, &format!("{place}.below[{x}]"), work)?;
        }
        let fact = Fact::NoTree { depth: row.depth.into(), leaves: self.bound - 1 };
        let matrix = class.matrix(subclass);
        states.need(&matrix, fact, row.no_tree, &format!("{place}.no_tree"), work)
    }

    /// The rows on the way along f that are referred to: where, which, and about what.
    fn query(
        &self,
        row: &MemberQuery,
        (r, subclass): (usize, &Subclass),
        place: &str,
        states: &mut States<'_>,
        work: &mut Work,
    ) -> Result<Vec<(usize, usize, Subclass)>, End> {
        let class = &self.question.class;
        let depth = u128::from(row.depth);
        let fact = Fact::NoLeaf { depth, leaves: self.bound };
        states.need(&class.matrix(subclass), fact, row.leaf, &format!("{place}.leaf"), work)?;
        let splits = |&x: &usize| {
            let ones = class.restrict(subclass, x, true).len();
            ones > 0 && ones < subclass.len()
        };
        let points: Vec<usize> = (0..class.points()).filter(splits).collect();
        let (expected, found) = (points.len(), row.points.len());
        if expected != found {
            let fault = Unproved::ListLength { what: "points", expected, found };
            return Err(Rejection::unproved(format!("{place}.points"), fault).into());
        }
        let mut children = Vec::new();
        for (i, (&x, &Side(side, child))) in points.iter().zip(&row.points).enumerate() {
            let place = format!("{place}.points[{i}]");
            let unproved = |fault| Err(Rejection::unproved(&place, fault).into());
            let side = label(side, &place)?;
            let left = class.restrict(subclass, x, side);
            if side != self.function[x] {
                let fact = Fact::NoTree { depth: depth + 1, leaves: self.bound };
                states.need(&class.matrix(&left), fact, child, &place, work)?;
                continue;
            }
            let Some(child) = child else { return unproved(Unproved::NoProof) };
            let count = self.rows.len();
            if child <= r || child >= count {
                return unproved(Unproved::NoSuchChild { state: r, count, found: child });
            }
            expect_depth(&self.rows[child], depth + 1, &place)?;
            children.push((i, child, left));
        }
        Ok(children)
    }
}

/// A row shows what it shows at its own depth for all greater depths, too.
fn expect_depth(row: &Member, needed: u128, place: &str) -> Result<(), End> {
    let depth = match row {
        Member::NoTree(row) => row.depth,
        Member::Only(row) => row.depth,
        Member::Query(row) => row.depth,
    };
    if u128::from(depth) <= needed {
        return Ok(());
    }
    let (expected, found) = (format!("at most {needed}"), depth.to_string());
    Err(Rejection::unproved(place, Unproved::OtherDepth { expected, found }).into())
}
