//! The tests of littlestone, in one program: a change is linked once and not once for each file.
//! Every module tells what it is compared with.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test, or a helper of a test, stops at the first surprise"
)]

mod support;

mod agreement;
mod architecture;
mod boundary;
mod bounds;
mod bounds_cli;
mod candidates;
mod catalogue;
mod certificates;
mod certificates_decomposition;
mod certificates_minimax;
mod certificates_privacy;
mod check_runs;
mod checks;
mod claims;
mod cli;
mod closed_tables;
mod decompose_cli;
mod decomposition;
mod dimensions;
mod doors;
mod encodings;
mod epsilon_delta;
mod exact;
mod examples;
mod forged;
mod fuzz;
mod largest_constants;
mod limits;
mod limits_asked;
mod lower_bounds;
mod manners;
mod mechanism_files;
mod mechanisms;
mod minimax;
mod minimax_cli;
mod minimax_limits;
mod mistakes;
mod outside_files;
mod outside_text;
mod papers;
mod potentials;
mod privacy;
mod profile_cli;
mod properties;
mod questions;
mod read_again;
mod readers;
mod reference;
mod runs;
mod schemas;
mod script_cases;
mod shards;
mod subtle_conditions;
mod table_cli;
mod verify;
