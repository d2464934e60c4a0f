//! What the tests of the families share.

use std::collections::BTreeSet;

use super::generate;
use crate::Class;
use crate::littlestone::Solver;
use littlestone_exact::limits::Limits;

/// The class of a specification such as `point:3`.
pub(super) fn class(spec: &str) -> Class {
    let (name, args) = spec.split_once(':').expect("a specification with arguments");
    generate(name, args).unwrap_or_else(|error| panic!("{spec}: {error}"))
}

/// The rows of a class, in order; they are distinct.
pub(super) fn rows(spec: &str) -> Vec<String> {
    let class = class(spec);
    let rows: Vec<String> = (0..class.hypotheses()).map(|h| class.labels(h)).collect();
    assert_eq!(rows.iter().collect::<BTreeSet<_>>().len(), rows.len(), "{spec} repeats a row");
    rows
}

/// All functions on a few points with a property, as strings of labels.
pub(super) fn brute_force(points: usize, property: impl Fn(&str) -> bool) -> BTreeSet<String> {
    (0..1u32 << points).map(|f| format!("{f:0points$b}")).filter(|f| property(f)).collect()
}

/// The Littlestone dimension of a small class.
pub(super) fn dimension(spec: &str) -> usize {
    let class = class(spec);
    let value = Solver::new(&class, Limits::default()).dimension().value();
    usize::try_from(value.expect("no limit was set")).expect("the class is not empty")
}
