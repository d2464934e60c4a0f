//! The rules for certificates of the kind `irreducible`.

use super::bounds::Bounds;
use super::decomposed::{Class, above};
use super::facts::Fact;
use super::format::{Example, Irreducibility, IrreducibilityProof, Kept, Lowered};
use super::rejection::{Malformed, Rejection, Unproved};
use super::statement::Statement;
use super::states::{States, label};
use super::verify::{End, Limits, Outcome, Work};

/// Verifies that the class is, or is not, k-irreducible (Definition 7).
pub(super) fn verify(certificate: &Irreducibility, limits: Limits) -> Result<Outcome, Rejection> {
    let Irreducibility { kind, producer, source, k, .. } = certificate;
    let class = Class::read(&certificate.points, &certificate.hypotheses)?;
    let mut report = class.report(kind, producer, source);
    let mut work = Work::new(limits);
    // No fact here depends on p and d.
    let mut states = States::new(&certificate.states, Bounds { p: 1, ambient: 0 });
    let malformed = |place, fault| Err(Rejection::malformed(place, fault));
    let claimed = certificate.claim.irreducible;
    let end = match (&certificate.violating, &certificate.proof) {
        (Some(_), _) if claimed => return malformed("violating", Malformed::NotClaimed),
        (None, _) if !claimed => {
            return Err(Rejection::unproved("violating", Unproved::NoProof));
        }
        (None, IrreducibilityProof::Kept(proof)) => {
            check_kept(&class, *k, *proof, &mut states, &mut work)
        }
        (Some(examples), IrreducibilityProof::Lowered(proof)) => {
            check_lowered(&class, *k, examples, proof, &mut states, &mut work)
        }
        (examples, _) => {
            let (expected, found) = if examples.is_none() {
                ("a proof `kept`", "`lowered`")
            } else {
                ("a proof `lowered`", "`kept`")
            };
            let (expected, found) = (expected.to_owned(), found.to_owned());
            return malformed("proof", Malformed::Expected { expected, found });
        }
    };
    let end = end.and_then(|()| states.check(&mut report.states, &mut work));
    report.examined = work.done();
    match end {
        Ok(()) => {
            report.proved.push(if claimed {
                Statement::Irreducible { k: *k }
            } else {
                Statement::NotIrreducible { k: *k }
            });
            Ok(Outcome::Proved(report))
        }
        Err(End::Limit(limit)) => Ok(Outcome::Undecided { report, limit }),
        Err(End::Rejected(rejection)) => Err(rejection),
    }
}

/// The dimension is at most what is said, and answers to k queries keep it.
fn check_kept(
    class: &Class,
    k: u64,
    Kept { dimension, below, keeps }: Kept,
    states: &mut States<'_>,
    work: &mut Work,
) -> Result<(), End> {
    if dimension < -1 {
        let fault = Malformed::BoundBelowRange { found: dimension };
        return Err(Rejection::malformed("proof.kept.dimension", fault).into());
    }
    let whole = class.matrix(&class.whole());
    states.need(&whole, Fact::Below(above(dimension)), below, "proof.kept.below", work)?;
    let fact = Fact::Keeps { dimension, queries: k.into() };
    states.need(&whole, fact, keeps, "proof.kept.keeps", work)
}

/// At most k examples, labelled by the SOA of the class, leave a smaller dimension.
fn check_lowered(
    class: &Class,
    k: u64,
    examples: &[Example],
    proof: &Lowered,
    states: &mut States<'_>,
    work: &mut Work,
) -> Result<(), End> {
    let &Lowered { dimension, at_least, below, ref labels, left: reference } = proof;
    let unproved = |place, fault| Err(Rejection::unproved(place, fault).into());
    let found = examples.len();
    if u64::try_from(found).map_or(true, |found| found > k) {
        return unproved("violating", Unproved::TooManyExamples { k, found });
    }
    if labels.len() != found {
        let (expected, found) = (found, labels.len());
        let fault = Unproved::ListLength { what: "examples", expected, found };
        return unproved("proof.lowered.labels", fault);
    }
    if dimension < 0 {
        // No class has a smaller dimension than the empty one.
        let expected = "a dimension of at least 0".to_owned();
        let fault = Malformed::Expected { expected, found: dimension.to_string() };
        return Err(Rejection::malformed("proof.lowered.dimension", fault).into());
    }
    let whole = class.whole();
    let matrix = class.matrix(&whole);
    let place = "proof.lowered.at_least";
    states.need(&matrix, Fact::AtLeast(dimension), at_least, place, work)?;
    let place = "proof.lowered.below";
    states.need(&matrix, Fact::Below(above(dimension)), below, place, work)?;
    let lower = Fact::Below(dimension.unsigned_abs());
    let mut left = whole.clone();
    for (i, (&Example(point, side), &child)) in examples.iter().zip(labels).enumerate() {
        let place = format!("violating[{i}]");
        if point >= class.points() {
            let fault = Unproved::NoSuchIndex { count: class.points(), found: point };
            return Err(Rejection::unproved(place, fault).into());
        }
        let side = label(side, &place)?;
        let zero = class.matrix(&class.restrict(&whole, point, false));
        // The SOA has the label 0 where it keeps the dimension, and else the label 1.
        let fact = if side { lower } else { Fact::AtLeast(dimension) };
        states.need(&zero, fact, child, &format!("proof.lowered.labels[{i}]"), work)?;
        left = class.restrict(&left, point, side);
    }
    states.need(&class.matrix(&left), lower, reference, "proof.lowered.left", work)
}
