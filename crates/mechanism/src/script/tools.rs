//! A class and its SOA, with every answer kept.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use littlestone_base::error::Result;
use littlestone_class::littlestone::Solver;
use littlestone_class::{Class, VersionSpace};
use littlestone_exact::limits::Limits;

/// A class together with what was learnt about its version spaces.
#[derive(Debug)]
pub struct Tools {
    class: Rc<Class>,
    columns: Vec<Vec<u64>>,
    limits: Limits,
    dimensions: RefCell<FxHashMap<VersionSpace, i32>>,
}

impl Tools {
    /// Tools for `class`.
    pub fn new(class: Rc<Class>, limits: Limits) -> Rc<Self> {
        let columns = class.columns();
        Rc::new(Self { class, columns, limits, dimensions: RefCell::default() })
    }

    /// The class.
    pub fn class(&self) -> &Rc<Class> {
        &self.class
    }

    /// All hypotheses.
    pub fn full(&self) -> VersionSpace {
        VersionSpace::full(&self.class)
    }

    /// The members of `space` that give point `x` the label `y`.
    #[must_use]
    pub fn restrict(&self, space: &VersionSpace, x: usize, y: bool) -> VersionSpace {
        space.restrict(&self.columns[x], y)
    }

    /// Ldim(G), −1 for the empty version space.
    ///
    /// # Errors
    /// When a limit is hit.
    pub fn dimension(&self, space: &VersionSpace) -> Result<i32> {
        if let Some(&dimension) = self.dimensions.borrow().get(space) {
            return Ok(dimension);
        }
        let dimension = Solver::new(&self.class, self.limits.clone()).dimension_of(space)?;
        self.dimensions.borrow_mut().insert(space.clone(), dimension);
        Ok(dimension)
    }

    /// The label that the SOA on `space` gives the point `x`: 0 iff Ldim(G|x=0) = Ldim(G), so a tie gives 1;
    /// 0 for the empty version space.
    ///
    /// # Errors
    /// When a limit is hit.
    pub fn soa(&self, space: &VersionSpace, x: usize) -> Result<bool> {
        if space.is_empty() {
            return Ok(false);
        }
        Ok(self.dimension(&self.restrict(space, x, false))? != self.dimension(space)?)
    }

    /// All labels of the SOA on `space`, as a string in point order.
    ///
    /// # Errors
    /// When a limit is hit.
    pub fn soa_function(&self, space: &VersionSpace) -> Result<String> {
        (0..self.class.points()).map(|x| Ok(if self.soa(space, x)? { '1' } else { '0' })).collect()
    }
}
