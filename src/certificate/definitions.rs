//! Definitions 7 and 8 on compressed classes. Each function is the recursion that
//! `docs/certificates.md` states, with a table on full matrices: two classes with one matrix differ
//! by an isomorphism that keeps dimensions, irreducibility and valid trees.

use std::collections::BTreeMap;

use super::matrix::Matrix;
use super::verify::{Limit, Work};

/// p and d of Definition 8.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    pub(super) p: u32,
    pub(super) ambient: i32,
}

impl Bounds {
    /// 2^(d − q + `more`), for d at least q.
    fn power(self, q: i32, more: u32) -> u128 {
        let exponent = u32::try_from(self.ambient - q).expect("d is at least q") + more;
        1u128.checked_shl(exponent).expect("d is at most 64")
    }

    /// The greatest depth of a node of dimension q: p(2^(d − q + 1) − 1).
    pub(super) fn node(self, q: i32) -> u128 {
        u128::from(self.p) * (self.power(q, 1) - 1)
    }

    /// The greatest depth of a leaf of dimension q: p(2^(d − q) − 1).
    pub(super) fn leaf(self, q: i32) -> u128 {
        u128::from(self.p) * (self.power(q, 0) - 1)
    }

    /// The irreducibility of a leaf of dimension q: p·2^(d − q).
    pub(super) fn irreducibility(self, q: i32) -> u128 {
        u128::from(self.p) * self.power(q, 0)
    }
}

/// The tables.
#[derive(Debug, Default)]
pub(super) struct Definitions {
    dimensions: BTreeMap<Matrix, i32>,
    irreducible: BTreeMap<(Matrix, u128), bool>,
    trees: BTreeMap<(Matrix, u128, i32), bool>,
}

impl Definitions {
    /// Ldim (Definition 6): −1 for no row, 0 for one, else the greatest 1 + min of the two sides.
    pub(super) fn dimension(&mut self, class: &Matrix, work: &mut Work) -> Result<i32, Limit> {
        if class.columns() == 0 {
            return Ok(if class.rows() == 0 { -1 } else { 0 });
        }
        if let Some(&known) = self.dimensions.get(class) {
            return Ok(known);
        }
        work.step()?;
        let mut best = 0;
        for column in 0..class.columns() {
            // Sides with fewer than 2^best rows have a dimension below best.
            if !class.sides_have(column, best) {
                continue;
            }
            let zero = self.dimension(&class.restrict(column, false), work)?;
            let one = self.dimension(&class.restrict(column, true), work)?;
            best = best.max(1 + zero.min(one));
        }
        self.dimensions.insert(class.clone(), best);
        Ok(best)
    }

    /// Whether the class is k-irreducible (Definition 7): for each point that splits it, one side
    /// keeps the dimension and is (k − 1)-irreducible.
    pub(super) fn irreducible(
        &mut self,
        class: &Matrix,
        k: u128,
        work: &mut Work,
    ) -> Result<bool, Limit> {
        if k == 0 || class.rows() <= 1 {
            return Ok(true);
        }
        // The labels at all points leave one function at most.
        if u128::try_from(class.columns()).is_ok_and(|columns| columns <= k) {
            return Ok(false);
        }
        let key = (class.clone(), k);
        if let Some(&known) = self.irreducible.get(&key) {
            return Ok(known);
        }
        work.step()?;
        let q = self.dimension(class, work)?;
        let mut holds = true;
        for column in 0..class.columns() {
            let mut kept = None;
            for side in [false, true] {
                let side = class.restrict(column, side);
                if self.dimension(&side, work)? == q {
                    kept = Some(side);
                }
            }
            holds = match kept {
                Some(side) => self.irreducible(&side, k - 1, work)?,
                None => false,
            };
            if !holds {
                break;
            }
        }
        self.irreducible.insert(key, holds);
        Ok(holds)
    }

    /// Whether the class at this depth is the root of a subtree that satisfies Definition 8, with
    /// leaves of dimension at most `most`.
    pub(super) fn has_tree(
        &mut self,
        class: &Matrix,
        depth: u128,
        most: i32,
        bounds: Bounds,
        work: &mut Work,
    ) -> Result<bool, Limit> {
        let q = self.dimension(class, work)?;
        if depth > bounds.node(q) {
            return Ok(false);
        }
        let key = (class.clone(), depth, most);
        if let Some(&known) = self.trees.get(&key) {
            return Ok(known);
        }
        work.step()?;
        let mut found = q <= most
            && depth <= bounds.leaf(q)
            && self.irreducible(class, bounds.irreducibility(q), work)?;
        for column in 0..class.columns() {
            if found {
                break;
            }
            found = true;
            for side in [false, true] {
                let side = class.restrict(column, side);
                found = found && self.has_tree(&side, depth + 1, most, bounds, work)?;
            }
        }
        self.trees.insert(key, found);
        Ok(found)
    }
}
