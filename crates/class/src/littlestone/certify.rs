//! Writes certificates of the kind `littlestone-dimension`; see `docs/certificates.md`.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;

use littlestone_base::error::Result;
use littlestone_base::file;
use littlestone_checker::format::{Claim, FORMAT, LITTLESTONE_DIMENSION, Lower};
use littlestone_exact::limits::Stopped;

use super::{ShatteredTree, Solver, Written};

/// What a certificate proves, and why it proves no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Certified {
    /// Whether the lower bound is proved.
    pub at_least: bool,
    /// Whether the upper bound is proved.
    pub at_most: bool,
    /// Why an upper bound that was asked for is not proved.
    pub missing: Option<Missing>,
}

/// Why a refutation was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Missing {
    /// It would be larger than allowed.
    #[error("the refutation is larger than the limit on certificates")]
    TooLarge,
    /// A limit of the solver was hit.
    #[error("{0}")]
    Stopped(Stopped),
}

/// What is to be certified.
#[derive(Debug, Clone, Copy)]
pub struct Statement<'s> {
    /// Where the class came from, such as `point:3`; no proof rests on it.
    pub source: &'s str,
    /// A tree shattered by the class: its depth is the lower bound.
    pub tree: Option<&'s ShatteredTree>,
    /// An upper bound that the solver has proved, at least 0, for a class with a hypothesis.
    pub at_most: Option<i32>,
    /// Greatest size of the refutation, in bytes.
    pub limit: u64,
}

/// Writes the certificate to the file at `path`. When the refutation turns out too large, or a
/// limit is hit, the file is written anew without it and claims no upper bound.
///
/// # Errors
/// When the file cannot be written.
pub fn write_certificate(
    solver: &Solver<'_>,
    statement: &Statement<'_>,
    path: &Path,
) -> Result<Certified> {
    let attempt =
        |statement: &Statement<'_>| file::write(path, |mut out| write(solver, statement, &mut out));
    let missing = attempt(statement)?;
    if missing.is_some() {
        attempt(&Statement { at_most: None, ..*statement })?;
    }
    Ok(Certified {
        at_least: statement.tree.is_some(),
        at_most: statement.at_most.is_some() && missing.is_none(),
        missing,
    })
}

/// One certificate; what was written is a fragment if something is missing.
fn write(
    solver: &Solver<'_>,
    statement: &Statement<'_>,
    out: &mut impl Write,
) -> io::Result<Option<Missing>> {
    let class = solver.class();
    let number = |n: usize| i32::try_from(n).map_err(io::Error::other);
    let at_least = statement.tree.map(|tree| number(tree.depth)).transpose()?;
    let lower = statement
        .tree
        .map(|tree| {
            let depth = u32::try_from(tree.depth).map_err(io::Error::other)?;
            let (points, leaves) = (tree.points.clone(), tree.leaves.clone());
            Ok::<_, io::Error>(Lower { depth, points, leaves })
        })
        .transpose()?;
    let names: Option<Vec<_>> = class
        .has_names()
        .then(|| (0..class.hypotheses()).map(|h| class.hypothesis_name(h)).collect());
    let hypotheses: Vec<String> = (0..class.hypotheses()).map(|h| class.labels(h)).collect();

    out.write_all(b"{\n")?;
    key(out, "format", &FORMAT)?;
    key(out, "kind", LITTLESTONE_DIMENSION)?;
    key(out, "producer", concat!("littlestone ", env!("CARGO_PKG_VERSION")))?;
    key(out, "source", statement.source)?;
    key(out, "points", class.point_names())?;
    key(out, "hypotheses", &hypotheses)?;
    key(out, "names", &names)?;
    key(out, "claim", &Claim { at_least, at_most: statement.at_most })?;
    key(out, "lower", &lower)?;
    out.write_all(b"  \"upper\": ")?;
    let mut missing = None;
    if let Some(bound) = statement.at_most {
        out.write_all(b"{\"states\": ")?;
        let k = usize::try_from(bound + 1).map_err(io::Error::other)?;
        missing = match solver.write_refutation(k, statement.limit, out)? {
            Written::Complete { .. } => None,
            Written::TooLarge => Some(Missing::TooLarge),
            Written::Stopped(reason) => Some(Missing::Stopped(reason)),
        };
        out.write_all(b"}")?;
    } else {
        out.write_all(b"null")?;
    }
    out.write_all(b"\n}\n")?;
    Ok(missing)
}

fn key<T: Serialize + ?Sized>(out: &mut impl Write, name: &str, value: &T) -> io::Result<()> {
    write!(out, "  \"{name}\": ")?;
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b",\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Class, ClassBuilder};
    use littlestone_checker::{Limits as Bounds, Outcome, Statement as Proved, recheck};
    use littlestone_exact::limits::Limits;

    fn points(n: usize) -> Class {
        let mut builder = ClassBuilder::new((1..=n).map(|x| x.to_string()).collect());
        for h in 0..n {
            builder.push(Some(format!("f{}", h + 1)), (0..n).map(|x| x == h));
        }
        builder.build()
    }

    fn proved(path: &Path) -> Vec<Proved> {
        match recheck(path, Bounds::default()).expect("the verifier accepts it") {
            Outcome::Proved(report) => report.proved,
            Outcome::Undecided { .. } => panic!("no limit was set"),
        }
    }

    #[test]
    fn the_verifier_accepts_both_bounds() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("proof.json");
        // Point functions on n ≥ 2 points have Littlestone dimension 1 (Definition 5).
        for n in [2, 3, 7, 40] {
            let class = points(n);
            let solver = Solver::new(&class, Limits::default());
            let tree = solver.shattered_tree(1).expect("no limit").expect("dimension 1");
            let statement =
                Statement { source: "points", tree: Some(&tree), at_most: Some(1), limit: 1 << 20 };
            let certified = write_certificate(&solver, &statement, &path).expect("written");
            assert_eq!(certified, Certified { at_least: true, at_most: true, missing: None });
            let bounds =
                [Proved::LittlestoneDimensionAtLeast(1), Proved::LittlestoneDimensionAtMost(1)];
            assert_eq!(proved(&path), bounds, "n = {n}");
        }
    }

    #[test]
    fn a_refutation_that_is_too_large_leaves_a_certificate_of_the_lower_bound() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("proof.json");
        let class = points(7);
        let solver = Solver::new(&class, Limits::default());
        let tree = solver.shattered_tree(1).expect("no limit").expect("dimension 1");
        let statement =
            Statement { source: "points", tree: Some(&tree), at_most: Some(1), limit: 3 };
        let certified = write_certificate(&solver, &statement, &path).expect("written");
        let missing = Some(Missing::TooLarge);
        assert_eq!(certified, Certified { at_least: true, at_most: false, missing });
        assert_eq!(proved(&path), [Proved::LittlestoneDimensionAtLeast(1)]);
    }
}
