//! Exact computation and formal checking for private online learning.
//!
//! The library computes, for finite hypothesis classes and tiny horizons, the quantities of the
//! paper *Private online learning and prediction for Littlestone classes*, exactly: no verdict
//! passes through a floating-point number, and every answer can be written down as a certificate
//! that a separate verifier checks.
//!
//! Each part is a crate of its own, and stands here under one name with the others.
//!
//! | module | idea |
//! | --- | --- |
//! | [`exact`] | exact numbers: rationals, e^q and what they make, and the signs of both |
//! | [`class`] | finite hypothesis classes: reading, generating, deriving |
//! | [`littlestone`] | Littlestone dimension (Definition 6), shattered trees, the SOA |
//! | [`mechanism`] | learners, predictors, transducers: laws, automata, scripts, tables |
//! | [`catalogue`] | the named mechanisms, and mechanisms that a misreading would accept |
//! | [`privacy`] | exact verdicts on privacy over all neighbouring streams (Definitions 2, 4) |
//! | [`always`] | statements for every value of the randomness: reachability with a monitor |
//! | [`decomposition`] | irreducibility, decomposition dimension, essential hypotheses (Definitions 7 to 9) |
//! | [`atlas`] | all classes on at most 4 points up to symmetry |
//! | [`bounds`] | the theorems as formulas, with their hypotheses decided |
//! | [`certificate`] | the proof format and the verifier, which shares no code with the searches |
//! | [`claims`] | claim files: what a paper says about an instance, and what is expected |
//! | [`report`] | how results are shown: trees, JSON, `JUnit`, GitHub annotations |
//! | [`schemas`] | the schemas of all JSON that is read or written, derived from its types |
//! | [`cli`] | the command line, which the binary calls |
//! | [`mistakes`] | expected mistakes on a stream, on random streams, on the worst stream |
//! | [`adversary`] | the adversaries of the lower bounds (Algorithm 1) |
//! | [`potentials`] | `V_t`, `I_t`, `W_t`, `D_t` of Section 2.1 for a given learner, and the inequalities about them |
//! | [`minimax`] | the best private learner against the worst stream, with proofs on either side |
//! | [`limits`] | bounds on the work a search may do |
//! | [`error`] | what can be wrong with an input |
//!
//! # A dimension, and a tree that proves it
//!
//! ```
//! use littlestone::class::ClassBuilder;
//! use littlestone::limits::Limits;
//! use littlestone::littlestone::Solver;
//!
//! // Definition 5: three functions, each 1 at one point.
//! let mut builder = ClassBuilder::new(vec!["1".into(), "2".into(), "3".into()]);
//! for x in 0..3 {
//!     builder.push(None, (0..3).map(|y| x == y));
//! }
//! let class = builder.build();
//! let solver = Solver::new(&class, Limits::default());
//! assert_eq!(solver.dimension().value(), Some(1));
//!
//! let tree = solver.shattered_tree(1)?.expect("the dimension is 1");
//! let [zero, one] = [tree.leaves[0], tree.leaves[1]];
//! assert!(!class.label(zero, tree.points[0]) && class.label(one, tree.points[0]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A certificate, verified by code that shares nothing with the search
//!
//! ```
//! use littlestone::certificate::{self, Outcome};
//! use littlestone::class::families;
//! use littlestone::limits::Limits;
//! use littlestone::littlestone::Solver;
//! use littlestone::littlestone::certify::{Statement, write_certificate};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("proof.json");
//! let class = families::generate("interval", "6")?;
//! let solver = Solver::new(&class, Limits::default());
//! let tree = solver.shattered_tree(4)?;
//! let statement =
//!     Statement { source: "interval:6", tree: tree.as_ref(), at_most: Some(4), limit: 1 << 20 };
//! write_certificate(&solver, &statement, &path)?;
//! let Outcome::Proved(report) = certificate::recheck(&path, certificate::Limits::default())?
//! else {
//!     unreachable!("no limit was set")
//! };
//! assert_eq!(report.proved.len(), 2, "Ldim ≥ 4 and Ldim ≤ 4");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The Standard Optimal Algorithm against a stream
//!
//! ```
//! use littlestone::class::{families, parse_stream};
//! use littlestone::limits::Limits;
//! use littlestone::littlestone::{Solver, soa};
//!
//! let class = families::generate("threshold", "7")?;
//! let stream = parse_stream(&class, "4:0, 2:1, 3:1", "the example")?;
//! let solver = Solver::new(&class, Limits::default());
//! let rounds = soa::run(&solver, &stream, &soa::OnInconsistent::Refuse)?;
//! assert!(rounds.iter().filter(|round| round.mistake()).count() <= 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A folder of claims
//!
//! ```
//! use std::path::PathBuf;
//!
//! use littlestone::claims::{self, CheckOptions, Status};
//!
//! let folder = PathBuf::from("checks/preliminaries");
//! let outcome = claims::check(&[folder], &CheckOptions::default());
//! assert_eq!(outcome.status(), Status::AsExpected);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use littlestone_base::error;
use littlestone_base::{file, text};
pub use littlestone_checker as certificate;
pub use littlestone_class as class;
pub use littlestone_class::{atlas, decomposition, littlestone};
pub use littlestone_exact as exact;
pub use littlestone_exact::limits;
pub use littlestone_mechanism as mechanism;
pub use littlestone_mechanism::catalogue;
pub use littlestone_paper::{adversary, bounds, minimax, potentials};
pub use littlestone_privacy as privacy;
pub use littlestone_privacy::{always, mistakes, regret};

pub mod claims;
pub mod cli;
pub mod questions;
pub mod report;
pub mod schemas;

/// The README's program.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
