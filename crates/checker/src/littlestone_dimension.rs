//! The rules for certificates of the kind `littlestone-dimension`.
//!
//! `docs/certificates.md` states the rules and proves that what passes them is true; the functions
//! below follow it in order.

use std::collections::BTreeMap;

use super::format::{Claim, Entry, LittlestoneDimension, Lower, Upper};
use super::matrix::Matrix;
use super::rejection::{Malformed, Rejection, Unproved};
use super::statement::Statement;
use super::verify::{CLASS_MEANT, End, Limits, Outcome, Report, Work};

/// The greatest bound `k` for which an entry may leave `Ldim < k` to the verifier.
pub(super) const GREATEST_OPEN_BOUND: u32 = 3;

/// Verifies both bounds of a certificate.
pub(super) fn verify(
    certificate: &LittlestoneDimension,
    limits: Limits,
) -> Result<Outcome, Rejection> {
    let class = read_class(certificate)?;
    check_claim(&certificate.claim, &class)?;
    let mut report = Report {
        kind: certificate.kind.clone(),
        proved: Vec::new(),
        hypotheses: class.len(),
        points: certificate.points.len(),
        states: 0,
        examined: 0,
        taken_on_trust: Vec::new(),
        not_checked: informative(certificate),
    };
    check_lower(certificate, &class)?;
    report.proved.extend(certificate.claim.at_least.map(Statement::LittlestoneDimensionAtLeast));

    let mut work = Work::new(limits);
    let end = check_upper(certificate, &class, &mut report.states, &mut work);
    report.examined = work.done();
    match end {
        Ok(()) => {
            let at_most = certificate.claim.at_most;
            report.proved.extend(at_most.map(Statement::LittlestoneDimensionAtMost));
            Ok(Outcome::Proved(report))
        }
        Err(End::Limit(limit)) => Ok(Outcome::Undecided { report, limit }),
        Err(End::Rejected(rejection)) => Err(rejection),
    }
}

fn informative(certificate: &LittlestoneDimension) -> Vec<String> {
    let mut keys = vec![
        CLASS_MEANT.to_owned(),
        format!("producer: {}", certificate.producer),
        format!("source: {}", certificate.source),
    ];
    if certificate.names.is_some() {
        keys.push("names of the hypotheses".to_owned());
    }
    keys
}

/// The class as rows of labels: distinct points, distinct hypotheses, one label for each point.
fn read_class(certificate: &LittlestoneDimension) -> Result<Vec<Vec<bool>>, Rejection> {
    reject_repetition("points", &certificate.points)?;
    let class = read_hypotheses(&certificate.hypotheses, certificate.points.len())?;
    if let Some(names) = &certificate.names
        && names.len() != class.len()
    {
        let (expected, found) = (class.len(), names.len());
        let fault = Malformed::Length { what: "names", expected, found };
        return Err(Rejection::malformed("names", fault));
    }
    Ok(class)
}

/// Distinct hypotheses with one label for each point.
pub(super) fn read_hypotheses(
    hypotheses: &[String],
    points: usize,
) -> Result<Vec<Vec<bool>>, Rejection> {
    let mut class = Vec::with_capacity(hypotheses.len());
    for (h, text) in hypotheses.iter().enumerate() {
        let malformed = |fault| Rejection::malformed(format!("hypotheses[{h}]"), fault);
        let mut row = Vec::with_capacity(points);
        for symbol in text.chars() {
            match symbol {
                '0' => row.push(false),
                '1' => row.push(true),
                found => return Err(malformed(Malformed::Label { found })),
            }
        }
        if row.len() != points {
            let (expected, found) = (points, row.len());
            return Err(malformed(Malformed::Length { what: "labels", expected, found }));
        }
        class.push(row);
    }
    reject_repetition("hypotheses", &class)?;
    Ok(class)
}

/// No item stands in the list twice.
pub(super) fn reject_repetition<T: Ord>(list: &str, items: &[T]) -> Result<(), Rejection> {
    let mut first_at = BTreeMap::new();
    for (i, item) in items.iter().enumerate() {
        if let Some(first) = first_at.insert(item, i) {
            let fault = Malformed::Repeated { first: format!("{list}[{first}]") };
            return Err(Rejection::malformed(format!("{list}[{i}]"), fault));
        }
    }
    Ok(())
}

/// A claim says something, and its bounds are numbers that a dimension can be.
fn check_claim(claim: &Claim, class: &[Vec<bool>]) -> Result<(), Rejection> {
    for (place, bound) in [("claim.at_least", claim.at_least), ("claim.at_most", claim.at_most)] {
        if let Some(found) = bound
            && found < -1
        {
            return Err(Rejection::malformed(place, Malformed::BoundBelowRange { found }));
        }
    }
    if claim.at_least.is_none() && claim.at_most.is_none() {
        return Err(Rejection::malformed("claim", Malformed::NothingClaimed));
    }
    if claim.at_least == Some(-1) && !class.is_empty() {
        return Err(Rejection::malformed("claim.at_least", Malformed::NothingClaimed));
    }
    Ok(())
}

/// `lower` proves `claim.at_least`: its tree is shattered in the sense of Definition 6.
fn check_lower(certificate: &LittlestoneDimension, class: &[Vec<bool>]) -> Result<(), Rejection> {
    match (certificate.claim.at_least, &certificate.lower) {
        // No tree is needed for Ldim ≥ −1.
        (None | Some(-1), None) => Ok(()),
        (None | Some(-1), Some(_)) => Err(Rejection::malformed("lower", Malformed::NotClaimed)),
        (Some(_), None) => Err(Rejection::unproved("lower", Unproved::NoProof)),
        (Some(claimed), Some(lower)) if i64::from(lower.depth) != i64::from(claimed) => {
            let fault = Unproved::Depth { claimed, found: lower.depth };
            Err(Rejection::unproved("lower.depth", fault))
        }
        (Some(_), Some(lower)) => check_tree(lower, certificate.points.len(), class),
    }
}

fn check_tree(lower: &Lower, points: usize, class: &[Vec<bool>]) -> Result<(), Rejection> {
    let Lower { depth, points: nodes, leaves } = lower;
    if 1usize.checked_shl(*depth) != Some(leaves.len()) || nodes.len() + 1 != leaves.len() {
        let fault = Unproved::TreeSize { depth: *depth, points: nodes.len(), leaves: leaves.len() };
        return Err(Rejection::unproved("lower", fault));
    }
    check_indices("lower.points", nodes, points)?;
    check_indices("lower.leaves", leaves, class.len())?;
    for (leaf, &hypothesis) in leaves.iter().enumerate() {
        let mut node = 0;
        for digit in (0..*depth).rev() {
            let expected = leaf >> digit & 1 == 1;
            let point = nodes[node];
            let found = class[hypothesis][point];
            if found != expected {
                let (expected, found) = (u8::from(expected), u8::from(found));
                let fault = Unproved::PathNotRealised { hypothesis, node, point, expected, found };
                return Err(Rejection::unproved(format!("lower.leaves[{leaf}]"), fault));
            }
            node = 2 * node + 1 + usize::from(expected);
        }
    }
    Ok(())
}

fn check_indices(list: &str, indices: &[usize], count: usize) -> Result<(), Rejection> {
    for (i, &found) in indices.iter().enumerate() {
        if found >= count {
            let fault = Unproved::NoSuchIndex { count, found };
            return Err(Rejection::unproved(format!("{list}[{i}]"), fault));
        }
    }
    Ok(())
}

/// `upper` proves `claim.at_most`, that is, Ldim(H) < k for k = `claim.at_most` + 1.
fn check_upper(
    certificate: &LittlestoneDimension,
    class: &[Vec<bool>],
    checked: &mut u64,
    work: &mut Work,
) -> Result<(), End> {
    let (at_most, upper) = match (certificate.claim.at_most, &certificate.upper) {
        (None, None) => return Ok(()),
        (None, Some(_)) => {
            return Err(Rejection::malformed("upper", Malformed::NotClaimed).into());
        }
        (Some(_), None) => return Err(Rejection::unproved("upper", Unproved::NoProof).into()),
        (Some(at_most), Some(upper)) => (at_most, upper),
    };
    let Ok(at_most) = u32::try_from(at_most) else {
        // k = 0: only the empty class has dimension −1, and there is nothing else to prove.
        if !class.is_empty() {
            let fault = Unproved::NotEmpty { found: class.len() };
            return Err(Rejection::unproved("hypotheses", fault).into());
        }
        if !upper.states.is_empty() {
            return Err(Rejection::malformed("upper.states", Malformed::NotClaimed).into());
        }
        return Ok(());
    };
    let points = certificate.points.len();
    let root = Matrix::compress(class.len(), (0..points).map(|x| class.iter().map(move |h| h[x])));
    check_refutation(upper, Refuted { matrix: root, bound: at_most + 1 }, checked, work)
}

/// What a state stands for: the class `matrix` has a dimension less than `bound`.
#[derive(Debug)]
struct Refuted {
    matrix: Matrix,
    bound: u32,
}

/// Checks the states in order. Children come later than their parents, so what a state stands for
/// is known when its turn comes, and is dropped afterwards.
fn check_refutation(
    upper: &Upper,
    root: Refuted,
    checked: &mut u64,
    work: &mut Work,
) -> Result<(), End> {
    if upper.states.is_empty() {
        return Err(Rejection::unproved("upper.states", Unproved::NoState).into());
    }
    let mut awaited = BTreeMap::from([(0, root)]);
    for (s, entries) in upper.states.iter().enumerate() {
        let Some(state) = awaited.remove(&s) else {
            let place = format!("upper.states[{s}]");
            return Err(Rejection::unproved(place, Unproved::Unreferenced).into());
        };
        work.step()?;
        // The sides of the tree's root point must have dimension at least bound − 1 each, so at
        // least 2^(bound − 1) rows each. Only columns that offer as much need a refutation.
        let needed = state.matrix.columns_with_sides_of_power(state.bound - 1);
        for (e, entry) in entries.iter().enumerate() {
            let place = format!("upper.states[{s}][{e}]");
            check_column(*entry, needed.get(e).copied())
                .map_err(|fault| Rejection::unproved(&place, fault))?;
            check_entry(*entry, &state, s, upper.states.len(), &place, &mut awaited, work)?;
        }
        if let Some(&column) = needed.get(entries.len()) {
            let fault = Unproved::MissingEntry { column };
            return Err(Rejection::unproved(format!("upper.states[{s}]"), fault).into());
        }
        *checked += 1;
    }
    Ok(())
}

/// The entry stands for the next column that needs one.
pub(super) fn check_column(entry: Entry, needed: Option<usize>) -> Result<(), Unproved> {
    let found = entry.0 as usize;
    match needed {
        None => Err(Unproved::SurplusEntry { found }),
        Some(expected) if expected != found => Err(Unproved::OtherColumn { expected, found }),
        Some(_) => Ok(()),
    }
}

/// The side named by the entry has a dimension less than the state's bound minus 1: by its child,
/// or by the plain recursion.
fn check_entry(
    Entry(column, side, child): Entry,
    state: &Refuted,
    s: usize,
    count: usize,
    place: &str,
    awaited: &mut BTreeMap<usize, Refuted>,
    work: &mut Work,
) -> Result<(), End> {
    if side > 1 {
        return Err(Rejection::malformed(place, Malformed::Side { found: side }).into());
    }
    let unproved = |fault| Err(Rejection::unproved(place, fault).into());
    let column = column as usize;
    let bound = state.bound - 1;
    if bound == 0 {
        // The side has a row, so its dimension is at least 0 whatever the child says.
        return unproved(Unproved::SideTooLarge { column, side, bound });
    }
    let Some(child) = child else {
        if bound > GREATEST_OPEN_BOUND {
            return unproved(Unproved::ChildNeeded { greatest: GREATEST_OPEN_BOUND, bound });
        }
        let matrix = state.matrix.restrict(column, side == 1);
        if matrix.dimension_below(bound, work)? {
            return Ok(());
        }
        return unproved(Unproved::SideTooLarge { column, side, bound });
    };
    let child = child as usize;
    if child <= s || child >= count {
        return unproved(Unproved::NoSuchChild { state: s, count, found: child });
    }
    let matrix = state.matrix.restrict(column, side == 1);
    match awaited.get(&child) {
        Some(known) if known.bound != bound => {
            unproved(Unproved::OtherBound { child, expected: bound, found: known.bound })
        }
        Some(known) if known.matrix != matrix => unproved(Unproved::OtherMatrix { child }),
        Some(_) => Ok(()),
        None => {
            awaited.insert(child, Refuted { matrix, bound });
            Ok(())
        }
    }
}
