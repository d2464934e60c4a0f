//! The rules for certificates of the kind `decomposition-dimension`.

use super::decomposed::{Class, Question, Trees};
use super::format::DecompositionDimension;
use super::rejection::{Malformed, Rejection, Unproved};
use super::statement::{DecompositionParameters, Statement};
use super::states::States;
use super::verify::{End, Limits, Outcome, Report, Work};

/// Verifies both bounds on the decomposition dimension (Definition 8).
pub(super) fn verify(
    certificate: &DecompositionDimension,
    limits: Limits,
) -> Result<Outcome, Rejection> {
    let DecompositionDimension { kind, producer, source, p, ambient, claim, tree, .. } =
        certificate;
    let class = Class::read(&certificate.points, &certificate.hypotheses)?;
    let mut report = class.report(kind, producer, source);
    let question = Question::read(class, *p, *ambient)?;
    if claim.at_least.is_none() && claim.at_most.is_none() {
        return Err(Rejection::malformed("claim", Malformed::NothingClaimed));
    }
    if claim.at_least.is_some_and(|bound| bound < 1) {
        return Err(Rejection::malformed("claim.at_least", Malformed::NothingClaimed));
    }
    match (claim.at_most, tree) {
        (None, Some(_)) => return Err(Rejection::malformed("tree", Malformed::NotClaimed)),
        (Some(_), None) => return Err(Rejection::unproved("tree", Unproved::NoProof)),
        _ => {}
    }
    if claim.at_least.is_none() && certificate.no_tree.is_some() {
        return Err(Rejection::malformed("no_tree", Malformed::NotClaimed));
    }
    let mut work = Work::new(limits);
    let end = check(certificate, &question, &mut report, &mut work);
    report.examined = work.done();
    match end {
        Ok(()) => Ok(Outcome::Proved(report)),
        Err(End::Limit(limit)) => Ok(Outcome::Undecided { report, limit }),
        Err(End::Rejected(rejection)) => Err(rejection),
    }
}

fn check(
    certificate: &DecompositionDimension,
    question: &Question,
    report: &mut Report,
    work: &mut Work,
) -> Result<(), End> {
    let DecompositionDimension { p, ambient, claim, .. } = *certificate;
    let parameters = DecompositionParameters { p, ambient };
    let mut states = States::new(&certificate.states, question.bounds);
    question.check_ambient(certificate.below, &mut states, work)?;
    let mut proved = Vec::new();
    if let (Some(bound), Some(tree)) = (claim.at_most, &certificate.tree) {
        let mut trees = Trees { question, states: &mut states, nodes: 0 };
        trees.check(tree, bound, "tree", work)?;
        report.states += trees.nodes;
        proved.push(Statement::DecompositionDimensionAtMost { parameters, bound });
    }
    if let Some(bound) = claim.at_least {
        question.check_at_least(bound, certificate.no_tree, &mut states, work)?;
        proved.push(Statement::DecompositionDimensionAtLeast { parameters, bound });
    }
    // Nothing is proved before all that it refers to is.
    states.check(&mut report.states, work)?;
    report.proved = proved;
    Ok(())
}
