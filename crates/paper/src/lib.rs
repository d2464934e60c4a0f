//! The paper's statements about lower bounds and best learners: its theorems as formulas, its
//! adversaries, the potentials of Section 2.1, and the minimax programme.

pub mod adversary;
pub mod bounds;
pub mod minimax;
pub mod potentials;
