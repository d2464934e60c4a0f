//! The decomposition dimension `ρ_p` (Definition 8).

use littlestone_exact::limits::Stopped;

use super::states::Id;
use super::tau::Trees;

/// What is known of a decomposition dimension: `lower` ≤ `ρ_p(G)` ≤ `upper`, both proved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounded {
    /// No valid tree has only leaves of dimension below this.
    pub lower: i32,
    /// Some valid tree has only leaves of dimension at most this.
    pub upper: i32,
    /// Why the two differ, if they do.
    pub stopped: Option<Stopped>,
}

impl Bounded {
    /// The dimension, when it is decided.
    pub fn value(&self) -> Option<i32> {
        (self.lower == self.upper).then_some(self.lower)
    }
}

/// ρ of a state. A valid tree whose leaves have the dimension of the root always exists.
pub(super) fn decide(trees: &mut Trees<'_>, root: Id) -> Bounded {
    let (mut lower, mut upper) = (0, trees.states.dimension(root));
    while lower < upper {
        match trees.exists(root, 0, upper - 1) {
            Ok(true) => upper -= 1,
            Ok(false) => lower = upper,
            Err(stopped) => return Bounded { lower, upper, stopped: Some(stopped) },
        }
    }
    Bounded { lower, upper, stopped: None }
}
