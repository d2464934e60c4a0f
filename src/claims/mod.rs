//! Claim files: what a paper says about a tiny instance, and what is expected of it.
//!
//! A claim file is TOML with `[[claim]]` tables; `docs/claims.md` describes it. Lists in a claim
//! are grids, with one check for each combination. [`check`] does everything: it finds the files,
//! reads and runs the checks. [`load`] and the methods of [`Suite`] do the
//! same step by step.
//!
//! ```
//! use littlestone::claims::{self, CheckOptions, Status};
//!
//! let folder = tempfile::tempdir()?;
//! let file = folder.path().join("points.toml");
//! std::fs::write(&file, r#"
//!     [[claim]]
//!     name = "POINT3 has Littlestone dimension one"
//!     paper = "Definition 5"
//!     kind = "littlestone-dimension"
//!     class = "point:3"
//!     equals = 1
//!     expect = "holds"
//! "#)?;
//! let outcome = claims::check(&[file], &CheckOptions::default());
//! assert_eq!(outcome.status(), Status::AsExpected);
//! assert_eq!(outcome.results[0].finding.found, "Ldim(point:3) = 1; claimed 1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod faults;
mod fields;
mod file;
mod grid;
pub mod kinds;
pub(crate) mod numbering;
mod outcome;
pub mod paper;
mod plan;
mod run;
mod slack;
mod source;
mod value;
mod walk;

use std::ops::ControlFlow;
use std::path::PathBuf;

use crate::file::{MAX_TEXT_BYTES, read_text};
use crate::limits::Limits;
use plan::{Item, Plan};

pub use fields::{Fields, Located};
pub use outcome::{
    CheckInfo, CheckResult, Expect, Fault, Finding, Outcome, Perturbed, Status, Tier, Verdict,
};
pub use run::{CheckOptions, Event, Suite};
pub use slack::OwnSlack;

/// Reads the claim files at `paths`: files as they are, folders recursively for `*.toml` in
/// sorted order. Classes are not loaded yet and nothing is run. Faults stand beside the checks, and
/// claims that are not read within the limits are undecided.
pub fn load(paths: &[PathBuf], limits: &Limits) -> Suite {
    let mut plan = Plan::new(limits);
    let mut faults = Vec::new();
    let mut papers = paper::Papers::default();
    let files = walk::claim_files(paths, &mut faults);
    plan.items.extend(faults.into_iter().map(Item::Fault));
    for path in files {
        let read =
            papers.of(&path).and_then(|paper| Ok((paper, read_text(&path, MAX_TEXT_BYTES)?)));
        match read {
            Ok((paper, text)) => file::read(&path, &text, paper.as_deref(), &mut plan),
            Err(fault) => plan.items.push(Item::Fault(fault)),
        }
    }
    Suite::new(plan.items)
}

/// Reads the claim files at `paths` (see [`load`]) and runs the selected checks that do not take long.
/// What is wrong with a file or a claim is part of the outcome, and the other checks run all the same. An empty
/// selection is no error but [`Status::NothingSelected`].
pub fn check(paths: &[PathBuf], options: &CheckOptions) -> Outcome {
    let mut suite = load(paths, &options.limits);
    suite.select_tier(Tier::Short);
    suite.select(&options.only);
    suite.run(options, &mut |_| ControlFlow::Continue(()))
}
