//! Mechanisms that a misreading of a definition would accept. Each file says which one.

pub mod contradiction_alarm;
pub mod correlated_rounds;
pub mod label_peeker;
pub mod repeated_answer;
pub mod xor_of_past_points;
