//! The rules for certificates of the kind `essential-hypotheses`.

use std::collections::{BTreeMap, BTreeSet};

use super::decomposed::{Class, Question, Subclass};
use super::format::EssentialHypotheses;
use super::littlestone_dimension::read_hypotheses;
use super::rejection::{Malformed, Rejection, Unproved};
use super::statement::{DecompositionParameters, Statement};
use super::verify::{End, Limit, Limits, Outcome, Report, Work};

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
    let mut work = Work::new(limits);
    let end = check(certificate, &excluded, question, &mut report, &mut work);
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
    mut question: Question,
    report: &mut Report,
    work: &mut Work,
) -> Result<(), End> {
    let EssentialHypotheses { p, ambient, ref claim, .. } = *certificate;
    let parameters = DecompositionParameters { p, ambient };
    let bound = claim.decomposition_dimension;
    question.check_ambient(work)?;

    let soas = question.check_tree(&certificate.tree, bound, "tree", &mut report.states, work)?;
    report.proved.push(Statement::DecompositionDimensionAtMost { parameters, bound });
    if bound > 0 {
        question.check_at_least(bound, "claim.decomposition_dimension", work)?;
    }
    report.proved.push(Statement::DecompositionDimensionAtLeast { parameters, bound });

    // From here on a valid tree with leaves of dimension at most `bound` is an optimal tree.
    let mut listed: Vec<String> = claim.essential.iter().chain(excluded).cloned().collect();
    listed.sort_unstable();
    let expected: Vec<String> = soas.into_iter().collect();
    if listed != expected {
        let (expected, found) = (expected.join(", "), listed.join(", "));
        let fault = Unproved::OtherFunctions { expected, found };
        return Err(Rejection::unproved("claim.essential", fault).into());
    }
    check_exclusions(certificate, &mut question, &mut report.states, work)?;
    // With leaves of dimension 0, every function of the class has a leaf of its own in every tree.
    if bound > 0 {
        let functions = read_hypotheses(&claim.essential, question.class.points())?;
        for (i, function) in functions.iter().enumerate() {
            let whole = question.class.whole();
            let text = &claim.essential[i];
            let mut avoidance = Avoidance {
                question: &mut question,
                function,
                text,
                bound,
                known: BTreeMap::new(),
            };
            if avoidance.has_tree(&whole, 0, work)? {
                let place = format!("claim.essential[{i}]");
                return Err(Rejection::unproved(place, Unproved::Avoidable).into());
            }
        }
    }
    let essential = claim.essential.clone();
    report.proved.push(Statement::EssentialHypotheses { parameters, essential });
    Ok(())
}

/// Every excluded function is avoided by the optimal tree that it names.
fn check_exclusions(
    certificate: &EssentialHypotheses,
    question: &mut Question,
    nodes: &mut u64,
    work: &mut Work,
) -> Result<(), End> {
    let bound = certificate.claim.decomposition_dimension;
    let mut avoiding: Vec<BTreeSet<String>> = Vec::new();
    for (t, tree) in certificate.avoiding.iter().enumerate() {
        let place = format!("avoiding[{t}]");
        if certificate.excluded.iter().all(|exclusion| exclusion.tree != t) {
            return Err(Rejection::unproved(place, Unproved::UnusedTree).into());
        }
        avoiding.push(question.check_tree(tree, bound, &place, nodes, work)?);
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

/// The search for an optimal tree without a leaf of dimension ρ whose SOA is the function.
struct Avoidance<'q> {
    question: &'q mut Question,
    function: &'q [bool],
    text: &'q str,
    /// ρ.
    bound: i32,
    known: BTreeMap<(Subclass, u128), bool>,
}

impl Avoidance<'_> {
    /// Whether there is such a subtree for a subclass at this depth. Queries that split it suffice.
    fn has_tree(
        &mut self,
        subclass: &Subclass,
        depth: u128,
        work: &mut Work,
    ) -> Result<bool, Limit> {
        let Question { class, bounds, definitions } = &mut *self.question;
        let (bounds, bound) = (*bounds, self.bound);
        let matrix = class.matrix(subclass);
        let q = definitions.dimension(&matrix, work)?;
        if q <= bound {
            // All leaves of dimension ρ below have the SOA of this subclass.
            let forbidden = q == bound && class.soa(subclass, definitions, work)? == self.text;
            let most = if forbidden { bound - 1 } else { bound };
            return definitions.has_tree(&matrix, depth, most, bounds, work);
        }
        if depth > bounds.node(q) {
            return Ok(false);
        }
        let key = (subclass.clone(), depth);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        work.step()?;
        let mut found = false;
        for x in 0..self.function.len() {
            let Question { class, definitions, .. } = &mut *self.question;
            let on = class.restrict(subclass, x, self.function[x]);
            if on.is_empty() || on.len() == subclass.len() {
                continue;
            }
            // No subclass of the other side has the function as its SOA.
            let off = class.matrix(&class.restrict(subclass, x, !self.function[x]));
            if definitions.has_tree(&off, depth + 1, bound, bounds, work)?
                && self.has_tree(&on, depth + 1, work)?
            {
                found = true;
                break;
            }
        }
        self.known.insert(key, found);
        Ok(found)
    }
}
