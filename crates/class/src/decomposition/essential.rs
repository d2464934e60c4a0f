//! The essential hypotheses `C_p` (Definition 9): the functions that occur as the SOA of a leaf of
//! dimension ρ in every optimal tree.
//!
//! A function is essential iff no optimal tree avoids it, so only the SOAs of one optimal tree come
//! into question, and for each of them one search decides.

use std::collections::VecDeque;

use crate::{Class, VersionSpace};
use littlestone_exact::limits::Stopped;

use super::paths::Avoidance;
use super::tau::Trees;
use super::tree::Tree;

/// Over which optimal trees essential hypotheses are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EssentialOver {
    /// All of them: Definition 9.
    #[default]
    All,
    /// The one that is built: a superset, and no function of the class in the paper.
    One,
}

/// The essential hypotheses of a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Essential {
    /// `C_p`, as strings of 0 and 1 in point order, sorted. They need not be in the class, and there
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

/// `C_p` where ρ is 0: all leaves are single functions, and there is one for each (P4 of Fact 2).
pub(super) fn all(class: &Class) -> Essential {
    let mut hypotheses: Vec<String> = (0..class.hypotheses()).map(|h| class.labels(h)).collect();
    hypotheses.sort_unstable();
    Essential { hypotheses, excluded: Vec::new(), avoiding: Vec::new() }
}

/// `C_p` of the class `full`, where ρ = r is at least 1 and an optimal tree has the candidates, in
/// sorted order, as SOAs of its leaves of dimension r.
pub(super) fn essential(
    trees: &mut Trees<'_>,
    full: &VersionSpace,
    r: i32,
    candidates: Vec<String>,
) -> Result<Essential, Stopped> {
    let (mut hypotheses, mut excluded, mut avoiding) = (Vec::new(), Vec::new(), Vec::new());
    let mut open = VecDeque::from(candidates);
    while let Some(candidate) = open.pop_front() {
        let Some(tree) = Avoidance::new(trees, &candidate, r).tree(full)? else {
            hypotheses.push(candidate);
            continue;
        };
        let present = tree.soas(r);
        let (kept, avoided): (Vec<String>, Vec<String>) =
            open.into_iter().partition(|f| present.binary_search(f).is_ok());
        open = kept.into();
        for hypothesis in std::iter::once(candidate).chain(avoided) {
            excluded.push(Excluded { hypothesis, tree: avoiding.len() });
        }
        avoiding.push(tree);
    }
    excluded.sort_unstable_by(|a, b| a.hypothesis.cmp(&b.hypothesis));
    Ok(Essential { hypotheses, excluded, avoiding })
}
