//! Builds a class in code and computes its Littlestone dimension, with a tree that proves the
//! lower bound and a certificate, checked by the separate verifier, that proves both bounds.
//!
//! Run it with `cargo run --example shattered_tree`.

use std::error::Error;
use std::io::{self, Write};
use std::path::Path;

use littlestone::certificate::{self, Outcome, Statement as Proved};
use littlestone::class::{Class, ClassBuilder};
use littlestone::limits::Limits;
use littlestone::littlestone::Solver;
use littlestone::littlestone::certify::{Statement, write_certificate};
use littlestone::report::tree::{TreeFormat, write_tree};

fn main() -> Result<(), Box<dyn Error>> {
    let certificate = std::env::temp_dir().join("littlestone-divisors.json");
    show(&mut io::stdout(), &certificate)
}

/// Which numbers from 1 to 12 does an unknown number divide?
fn multiples() -> Class {
    let mut builder = ClassBuilder::new((1..=12).map(|n| n.to_string()).collect());
    for k in 1..=12 {
        builder.push(Some(format!("multiples of {k}")), (1..=12).map(|n| n % k == 0));
    }
    builder.build()
}

/// Prints the dimension and a shattered tree, and writes and verifies a certificate.
///
/// # Errors
/// When `out` or the certificate cannot be written, or the certificate is rejected.
pub fn show(out: &mut impl Write, certificate: &Path) -> Result<(), Box<dyn Error>> {
    let class = multiples();
    let solver = Solver::new(&class, Limits::default());
    let dimension = solver.dimension().value().ok_or("a limit was hit")?;
    writeln!(out, "Littlestone dimension: {dimension}")?;

    let tree = solver.shattered_tree(usize::try_from(dimension)?)?.ok_or("no such tree")?;
    write!(out, "{}", write_tree(&class, &tree, TreeFormat::Text)?)?;

    let statement = Statement {
        source: "multiples",
        tree: Some(&tree),
        at_most: Some(dimension),
        limit: 1 << 20,
    };
    write_certificate(&solver, &statement, certificate)?;
    match certificate::recheck(certificate, certificate::Limits::default())? {
        Outcome::Proved(report) => {
            let both = [
                Proved::LittlestoneDimensionAtLeast(dimension),
                Proved::LittlestoneDimensionAtMost(dimension),
            ];
            assert_eq!(report.proved, both);
            for statement in report.proved {
                writeln!(out, "proved: {statement}")?;
            }
        }
        Outcome::Undecided { limit, .. } => writeln!(out, "undecided after {limit} states")?,
    }
    Ok(())
}
