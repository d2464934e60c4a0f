//! The rules for certificates of the kind `essential-hypotheses`.

use std::collections::BTreeSet;

use super::decomposed::{Class, Question, Trees};
use super::format::EssentialHypotheses;
use super::littlestone_dimension::read_hypotheses;
use super::members::Membership;
use super::rejection::{Malformed, Rejection, Unproved};
use super::statement::{DecompositionParameters, Statement};
use super::states::States;
use super::verify::{End, Limits, Outcome, Report, Work};

/// Verifies the decomposition dimension and the set of essential hypotheses (Definition 9).
pub(super) fn verify(
    certificate: &EssentialHypotheses,
    limits: Limits,
) -> Result<Outcome, Rejection> {
    let EssentialHypotheses { kind, producer, source, p, ambient, claim, .. } = certificate;
    let class = Class::read(&certificate.points, &certificate.hypotheses)?;
    let mut report = class.report(kind, producer, source);
    let question = Question::read(class, *p, *ambient)?;
    let excluded = certificate.excluded.iter().map(|exclusion| exclusion.hypothesis.clone());
    let excluded: Vec<String> = excluded.collect();
    for (place, list) in [("claim.essential", &claim.essential), ("excluded", &excluded)] {
        if !list.is_sorted() {
            let expected = "sorted functions".to_owned();
            let fault = Malformed::Expected { expected, found: list.join(", ") };
            return Err(Rejection::malformed(place, fault));
        }
    }
    let (essential, members) = (claim.essential.len(), certificate.members.len());
    match claim.decomposition_dimension {
        bound if bound < 0 => {
            let fault =
                Malformed::Expected { expected: "at least 0".to_owned(), found: bound.to_string() };
            return Err(Rejection::malformed("claim.decomposition_dimension", fault));
        }
        0 if certificate.no_tree.is_some() => {
            return Err(Rejection::malformed("no_tree", Malformed::NotClaimed));
        }
        0 if members > 0 => return Err(Rejection::malformed("members", Malformed::NotClaimed)),
        1.. if members != essential => {
            let fault = Malformed::Length { what: "tables", expected: essential, found: members };
            return Err(Rejection::malformed("members", fault));
        }
        _ => {}
    }
    let mut work = Work::new(limits);
    let end = check(certificate, &excluded, &question, &mut report, &mut work);
    report.examined = work.done();
    match end {
        Ok(()) => Ok(Outcome::Proved(report)),
        Err(End::Limit(limit)) => Ok(Outcome::Undecided { report, limit }),
        Err(End::Rejected(rejection)) => Err(rejection),
    }
}

fn check(
    certificate: &EssentialHypotheses,
    excluded: &[String],
    question: &Question,
    report: &mut Report,
    work: &mut Work,
) -> Result<(), End> {
    let EssentialHypotheses { p, ambient, ref claim, .. } = *certificate;
    let parameters = DecompositionParameters { p, ambient };
    let bound = claim.decomposition_dimension;
    let mut states = States::new(&certificate.states, question.bounds);
    question.check_ambient(certificate.below, &mut states, work)?;

    let mut trees = Trees { question, states: &mut states, nodes: 0 };
    let soas = trees.check(&certificate.tree, bound, "tree", work)?;
    let mut listed: Vec<String> = claim.essential.iter().chain(excluded).cloned().collect();
    listed.sort_unstable();
    let expected: Vec<String> = soas.into_iter().collect();
    if listed != expected {
        let (expected, found) = (expected.join(", "), listed.join(", "));
        let fault = Unproved::OtherFunctions { expected, found };
        return Err(Rejection::unproved("claim.essential", fault).into());
    }
    check_exclusions(certificate, &mut trees, work)?;
    report.states += trees.nodes;
    // With leaves of dimension 0, every function of the class has a leaf of its own in every tree.
    if bound > 0 {
        question.check_at_least(bound, certificate.no_tree, &mut states, work)?;
    }
    // A valid tree with leaves of dimension at most `bound` is now an optimal tree.
    let functions = read_hypotheses(&claim.essential, question.class.points())?;
    for (i, (function, rows)) in functions.iter().zip(&certificate.members).enumerate() {
        let place = format!("members[{i}]");
        let membership = Membership { question, function, rows, bound, place };
        membership.check(&mut states, &mut report.states, work)?;
    }
    // Nothing is proved before all that it refers to is.
    states.check(&mut report.states, work)?;
    report.proved = vec![
        Statement::DecompositionDimensionAtMost { parameters, bound },
        Statement::DecompositionDimensionAtLeast { parameters, bound },
        Statement::EssentialHypotheses { parameters, essential: claim.essential.clone() },
    ];
    Ok(())
}

/// Every excluded function is avoided by the optimal tree that it names.
fn check_exclusions(
    certificate: &EssentialHypotheses,
    trees: &mut Trees<'_, '_>,
    work: &mut Work,
) -> Result<(), End> {
    let bound = certificate.claim.decomposition_dimension;
    let mut avoiding: Vec<BTreeSet<String>> = Vec::new();
    for (t, tree) in certificate.avoiding.iter().enumerate() {
        let place = format!("avoiding[{t}]");
        if certificate.excluded.iter().all(|exclusion| exclusion.tree != t) {
            return Err(Rejection::unproved(place, Unproved::UnusedTree).into());
        }
        avoiding.push(trees.check(tree, bound, &place, work)?);
    }
    for (e, exclusion) in certificate.excluded.iter().enumerate() {
        let place = format!("excluded[{e}].tree");
        let (count, tree) = (avoiding.len(), exclusion.tree);
        let fault = match avoiding.get(tree) {
            None => Unproved::NoSuchIndex { count, found: tree },
            Some(soas) if soas.contains(&exclusion.hypothesis) => Unproved::NotAvoided { tree },
            Some(_) => continue,
        };
        return Err(Rejection::unproved(place, fault).into());
    }
    Ok(())
}
