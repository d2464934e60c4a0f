//! The rules for certificates of the kind `irreducible`.

use super::decomposed::Class;
use super::definitions::Definitions;
use super::format::{Example, Irreducibility};
use super::rejection::{Malformed, Rejection, Unproved};
use super::statement::Statement;
use super::verify::{End, Limits, Outcome, Work};

/// Verifies that the class is, or is not, k-irreducible (Definition 7).
pub(super) fn verify(certificate: &Irreducibility, limits: Limits) -> Result<Outcome, Rejection> {
    let Irreducibility { kind, producer, source, k, .. } = certificate;
    let class = Class::read(&certificate.points, &certificate.hypotheses)?;
    let mut report = class.report(kind, producer, source);
    let mut work = Work::new(limits);
    let end = match (certificate.claim.irreducible, &certificate.violating) {
        (true, None) => check_irreducible(&class, *k, &mut work),
        (true, Some(_)) => return Err(Rejection::malformed("violating", Malformed::NotClaimed)),
        (false, None) => return Err(Rejection::unproved("violating", Unproved::NoProof)),
        (false, Some(examples)) => check_violating(&class, *k, examples, &mut work),
    };
    report.examined = work.done();
    match end {
        Ok(()) => {
            report.proved.push(if certificate.claim.irreducible {
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

fn check_irreducible(class: &Class, k: u64, work: &mut Work) -> Result<(), End> {
    let mut definitions = Definitions::default();
    let matrix = class.matrix(&class.whole());
    if definitions.irreducible(&matrix, k.into(), work)? {
        return Ok(());
    }
    let dimension = definitions.dimension(&matrix, work)?;
    let fault = Unproved::Reducible { k: k.to_string(), dimension };
    Err(Rejection::unproved("claim.irreducible", fault).into())
}

/// At most k examples, labelled by the SOA of the class, leave a smaller dimension.
fn check_violating(
    class: &Class,
    k: u64,
    examples: &[Example],
    work: &mut Work,
) -> Result<(), End> {
    let found = examples.len();
    if u64::try_from(found).map_or(true, |found| found > k) {
        let fault = Unproved::TooManyExamples { k, found };
        return Err(Rejection::unproved("violating", fault).into());
    }
    let mut definitions = Definitions::default();
    let whole = class.whole();
    let mut left = whole.clone();
    for (i, &Example(point, found)) in examples.iter().enumerate() {
        let place = format!("violating[{i}]");
        if point >= class.points() {
            let fault = Unproved::NoSuchIndex { count: class.points(), found: point };
            return Err(Rejection::unproved(place, fault).into());
        }
        let label = class.soa_at(&whole, point, &mut definitions, work)?;
        let expected = u8::from(label);
        if found != expected {
            let fault = Unproved::NotOfSoa { expected, found };
            return Err(Rejection::unproved(place, fault).into());
        }
        left = class.restrict(&left, point, label);
    }
    let dimension = definitions.dimension(&class.matrix(&whole), work)?;
    if definitions.dimension(&class.matrix(&left), work)? == dimension {
        let fault = Unproved::DimensionKept { dimension };
        return Err(Rejection::unproved("violating", fault).into());
    }
    Ok(())
}
