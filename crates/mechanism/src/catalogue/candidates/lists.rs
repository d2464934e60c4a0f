//! The lists: essential hypotheses of the groups' classes.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use littlestone_class::decomposition::{Decomposition, Unavailable};
use littlestone_class::littlestone::Solver;
use littlestone_class::{Class, ClassBuilder};
use littlestone_exact::limits::{Limits, Stopped};

use super::{Fault, Function};

/// A subclass of H: bit h for hypothesis h.
pub type Members = u64;

/// `C_p(G)` of a class G, with its decomposition dimension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct List {
    /// `ρ_p(G)`; nothing for the empty class.
    pub dimension: Option<i32>,
    /// `C_p(G)`, sorted; empty for the empty class.
    pub functions: Vec<Function>,
}

/// All lists that were asked for.
#[derive(Debug)]
pub(super) struct Lists {
    class: Class,
    ambient: i32,
    limits: Limits,
    known: Mutex<FxHashMap<(Members, u32), Arc<List>>>,
}

impl Lists {
    pub fn new(class: Class, ambient: i32, limits: Limits) -> Self {
        Self { class, ambient, limits, known: Mutex::default() }
    }

    pub fn class(&self) -> &Class {
        &self.class
    }

    /// `C_p` of the subclass.
    pub fn of(&self, members: Members, p: u32) -> Result<Arc<List>, Fault> {
        if let Some(known) = self.lock().get(&(members, p)) {
            return Ok(Arc::clone(known));
        }
        let list = Arc::new(self.compute(members, p)?);
        self.lock().insert((members, p), Arc::clone(&list));
        Ok(list)
    }

    fn compute(&self, members: Members, p: u32) -> Result<List, Fault> {
        if members == 0 {
            return Ok(List { dimension: None, functions: Vec::new() });
        }
        let mut builder = ClassBuilder::new(self.class.point_names().to_vec());
        for h in (0..self.class.hypotheses()).filter(|h| members >> h & 1 == 1) {
            builder.push(None, (0..self.class.points()).map(|x| self.class.label(h, x)));
        }
        let subclass = builder.build();
        let solver = Solver::new(&subclass, self.limits.clone());
        let mut decomposition =
            Decomposition::new(&solver, p, Some(self.ambient)).map_err(|why| match why {
                Unavailable::Input(error) => Fault::Input(error),
                Unavailable::Undecided(dimension) => {
                    Fault::Stopped(dimension.stopped.unwrap_or(Stopped::Elsewhere))
                }
            })?;
        let bounded = decomposition.dimension();
        let dimension = bounded.value().ok_or(bounded.stopped.unwrap_or(Stopped::Elsewhere))?;
        let essential = decomposition.essential()?.hypotheses;
        let functions = essential
            .iter()
            .map(|labels| Function::new(labels).expect("labels are 0 or 1"))
            .collect();
        Ok(List { dimension: Some(dimension), functions })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, FxHashMap<(Members, u32), Arc<List>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
