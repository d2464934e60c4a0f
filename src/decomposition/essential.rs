//! The essential hypotheses C_p (Definition 9): the functions that occur as the SOA of a leaf of
//! dimension ρ in every optimal tree.
//!
//! A function is essential iff no optimal tree avoids it, so only the SOAs of one optimal tree come
//! into question, and for each of them one search decides.

use crate::class::VersionSpace;
use crate::limits::Stopped;

use super::paths::Avoidance;
use super::tau::Trees;
use super::tree::{Tree, optimal};

/// The essential hypotheses of a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Essential {
    /// C_p, as strings of 0 and 1 in point order, sorted. They need not be in the class, and there
    /// may be none.
    pub hypotheses: Vec<String>,
    /// The other functions that are the SOA of a leaf of dimension ρ of [`Decomposition::tree`],
    /// sorted. What is neither here nor essential is avoided by that tree itself.
    ///
    /// [`Decomposition::tree`]: super::Decomposition::tree
    pub excluded: Vec<Excluded>,
    /// Optimal trees that avoid the excluded functions.
    pub avoiding: Vec<Tree>,
}

/// A function that is not essential though one optimal tree has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excluded {
    /// Its labels as a string of 0 and 1 in point order.
    pub hypothesis: String,
    /// The index in [`Essential::avoiding`] of an optimal tree without it.
    pub tree: usize,
}

/// C_p of the class `full`, whose decomposition dimension is r.
pub(super) fn essential(
    trees: &mut Trees<'_>,
    full: &VersionSpace,
    r: i32,
) -> Result<Essential, Stopped> {
    let (mut hypotheses, mut excluded, mut avoiding) = (Vec::new(), Vec::new(), Vec::new());
    if r == 0 {
        // All leaves are single functions, and there is a leaf for each (P4 of Fact 2).
        let class = trees.states.solver().class();
        hypotheses.extend(full.iter().map(|h| class.labels(h)));
        hypotheses.sort_unstable();
        return Ok(Essential { hypotheses, excluded, avoiding });
    }
    let mut open = optimal(trees, full, r)?.soas(r);
    while !open.is_empty() {
        let candidate = open.remove(0);
        let Some(tree) = Avoidance::new(trees, &candidate, r).tree(full)? else {
            hypotheses.push(candidate);
            continue;
        };
        let present = tree.soas(r);
        let (kept, avoided) = open.into_iter().partition(|f| present.binary_search(f).is_ok());
        open = kept;
        let avoided: Vec<String> = avoided;
        for hypothesis in std::iter::once(candidate).chain(avoided) {
            excluded.push(Excluded { hypothesis, tree: avoiding.len() });
        }
        avoiding.push(tree);
    }
    excluded.sort_unstable_by(|a, b| a.hypothesis.cmp(&b.hypothesis));
    Ok(Essential { hypotheses, excluded, avoiding })
}
