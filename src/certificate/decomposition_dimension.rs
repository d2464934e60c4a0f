//! The rules for certificates of the kind `decomposition-dimension`.

use super::decomposed::{Class, Question};
use super::format::DecompositionDimension;
use super::rejection::{Malformed, Rejection, Unproved};
use super::statement::{DecompositionParameters, Statement};
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
    let mut work = Work::new(limits);
    let end = check(certificate, question, &mut report, &mut work);
    report.examined = work.done();
    match end {
        Ok(()) => Ok(Outcome::Proved(report)),
        Err(End::Limit(limit)) => Ok(Outcome::Undecided { report, limit }),
        Err(End::Rejected(rejection)) => Err(rejection),
    }
}

fn check(
    certificate: &DecompositionDimension,
    mut question: Question,
    report: &mut Report,
    work: &mut Work,
) -> Result<(), End> {
    let DecompositionDimension { p, ambient, claim, .. } = *certificate;
    let parameters = DecompositionParameters { p, ambient };
    question.check_ambient(work)?;
    if let (Some(bound), Some(tree)) = (claim.at_most, &certificate.tree) {
        question.check_tree(tree, bound, "tree", &mut report.states, work)?;
        report.proved.push(Statement::DecompositionDimensionAtMost { parameters, bound });
    }
    if let Some(bound) = claim.at_least {
        question.check_at_least(bound, "claim.at_least", work)?;
        report.proved.push(Statement::DecompositionDimensionAtLeast { parameters, bound });
    }
    Ok(())
}
