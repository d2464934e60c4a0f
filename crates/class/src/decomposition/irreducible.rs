//! k-irreducibility (Definition 7) and its order, with the points that prove it.

use crate::VersionSpace;
use crate::littlestone::{Solver, soa};
use littlestone_exact::limits::Stopped;

use super::states::{NEVER, States};

/// Whether a class is k-irreducible.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Irreducible {
    /// Restricting by the labels of the SOA at any k points keeps the Littlestone dimension.
    Yes,
    /// Restricting by these at most k labelled points, whose labels are those of the SOA, lowers
    /// the Littlestone dimension. One of them may be repeated to make their number k.
    No(Vec<(usize, bool)>),
}

/// The irreducibility order of a class: it is k-irreducible exactly for k < δ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// δ, the least number of points labelled by the SOA whose restriction lowers the dimension,
    /// shown by δ such points.
    Finite(Vec<(usize, bool)>),
    /// The class has at most one hypothesis: it is k-irreducible for all k.
    Infinite,
}

impl Order {
    /// δ, when it is finite.
    pub fn value(&self) -> Option<usize> {
        match self {
            Self::Finite(points) => Some(points.len()),
            Self::Infinite => None,
        }
    }
}

/// Whether the solver's class is k-irreducible (Definition 7). The empty class is, for all k.
///
/// # Errors
/// When a limit of the solver is hit.
pub fn irreducible(solver: &Solver<'_>, k: u64) -> Result<Irreducible, Stopped> {
    let full = VersionSpace::full(solver.class());
    if full.is_empty() {
        return Ok(Irreducible::Yes);
    }
    let mut states = States::new(solver);
    let root = states.of(&full)?;
    let k = u32::try_from(k).unwrap_or(NEVER - 1);
    if !states.delta_at_most(root, k)? {
        return Ok(Irreducible::Yes);
    }
    Ok(Irreducible::No(witness(&mut states, &full, Some(k))?))
}

/// The irreducibility order of the solver's class.
///
/// # Errors
/// When a limit of the solver is hit.
pub fn irreducibility_order(solver: &Solver<'_>) -> Result<Order, Stopped> {
    let full = VersionSpace::full(solver.class());
    if full.len() <= 1 {
        return Ok(Order::Infinite);
    }
    Ok(Order::Finite(witness(&mut States::new(solver), &full, None)?))
}

/// At most `limit` labelled points that lower the dimension of `whole`, labelled by its SOA, in
/// increasing order; as few as can be without a limit.
fn witness(
    states: &mut States<'_>,
    whole: &VersionSpace,
    mut limit: Option<u32>,
) -> Result<Vec<(usize, bool)>, Stopped> {
    let solver = states.solver();
    let root = states.of(whole)?;
    if states.dimension(root) == 1 {
        return witness_of_one(solver, whole);
    }
    let mut found = Vec::new();
    let mut space = whole.clone();
    loop {
        let id = states.of(&space)?;
        let step = states.step(id, limit)?;
        let point = states.point_of(&space, step.column);
        // Wherever one side keeps the dimension of a part, the SOA of the whole has its label; where
        // none does, the label that counts is still that of the whole.
        let label = soa::predict(solver, whole, point)?;
        found.push((point, label));
        if step.keeper.is_none() {
            found.sort_unstable();
            return Ok(found);
        }
        space = space.restrict(&solver.columns()[point], label);
        limit = limit.map(|k| k - 1);
    }
}

/// A least set for a class of dimension 1, where each query excludes one function and none can
/// exclude more.
fn witness_of_one(
    solver: &Solver<'_>,
    whole: &VersionSpace,
) -> Result<Vec<(usize, bool)>, Stopped> {
    let mut found = Vec::new();
    let mut space = whole.clone();
    for (point, column) in solver.columns().iter().enumerate() {
        let label = soa::predict(solver, whole, point)?;
        let kept = space.restrict(column, label);
        if !kept.is_empty() && kept.len() < space.len() {
            found.push((point, label));
            space = kept;
        }
        if space.len() == 1 {
            break;
        }
    }
    Ok(found)
}
