//! Forces the Standard Optimal Algorithm to make as many mistakes as the Littlestone dimension
//! allows: an adversary walks down a shattered tree and reveals the label that was not predicted.
//!
//! Run it with `cargo run --example mistakes`.

use std::error::Error;
use std::io::{self, Write};

use littlestone::class::{VersionSpace, families};
use littlestone::limits::Limits;
use littlestone::littlestone::{Solver, soa};

fn main() -> Result<(), Box<dyn Error>> {
    show(&mut io::stdout())
}

/// Prints the game on thresholds over 15 points.
///
/// # Errors
/// When `out` cannot be written.
pub fn show(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let class = families::generate("threshold", "15")?;
    let solver = Solver::new(&class, Limits::default());
    let dimension = usize::try_from(solver.dimension().value().ok_or("a limit was hit")?)?;
    let tree = solver.shattered_tree(dimension)?.ok_or("no such tree")?;

    // Every path of the tree is realised by a hypothesis, so the stream is realisable.
    let mut stream = Vec::new();
    let mut space = VersionSpace::full(&class);
    let mut node = 0;
    for _ in 0..tree.depth {
        let point = tree.points[node];
        let label = !soa::predict(&solver, &space, point)?;
        space = space.restrict(&solver.columns()[point], label);
        stream.push((point, label));
        node = 2 * node + 1 + usize::from(label);
    }

    let rounds = soa::run(&solver, &stream, &soa::OnInconsistent::Refuse)?;
    for round in &rounds {
        writeln!(
            out,
            "{:>2} hypotheses of dimension {}: predicted {} at {}, saw {}",
            round.version_space,
            round.dimension,
            u8::from(round.prediction),
            class.point_names()[round.point],
            u8::from(round.label),
        )?;
    }
    let mistakes = rounds.iter().filter(|round| round.mistake()).count();
    writeln!(out, "mistakes: {mistakes}, Littlestone dimension: {dimension}")?;
    Ok(())
}
