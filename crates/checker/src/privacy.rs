//! The rules for certificates of the kind `privacy`.
//!
//! `docs/certificates.md` states the rules; the functions below follow it in order.

use super::alphabets::{Kind, expected};
use super::automaton::Table;
use super::enumerate::Allowed;
use super::format::Privacy;
use super::littlestone_dimension::read_hypotheses;
use super::notation;
use super::number::{Calculator, Quotient};
use super::question::Question;
use super::rejection::{Malformed, Rejection, Unproved};
use super::statement::{PrivacyScope, Statement};
use super::verify::{CLASS_MEANT, End, Limits, Outcome, Report, Work};

/// The greatest number of records of a stream.
pub(super) const GREATEST_ROUNDS: usize = 256;

/// Verifies what a certificate claims, the witness first.
pub(super) fn verify(certificate: &Privacy, limits: Limits) -> Result<Outcome, Rejection> {
    let mut report = Report {
        kind: certificate.kind.clone(),
        proved: Vec::new(),
        hypotheses: certificate.hypotheses.as_ref().map_or(0, Vec::len),
        points: certificate.automaton.points.len(),
        states: u64::try_from(certificate.automaton.states.len()).unwrap_or(u64::MAX),
        examined: 0,
        taken_on_trust: Vec::new(),
        not_checked: not_checked(
            certificate.hypotheses.is_some(),
            certificate.pairs.is_some(),
            informative(&certificate.producer, &certificate.source),
        ),
    };
    let mut calculator = Calculator::new(Work::new(limits));
    let end = check(certificate, &mut calculator, &mut report.proved);
    report.examined = calculator.work.done();
    match end {
        Ok(()) => Ok(Outcome::Proved(report)),
        Err(End::Limit(limit)) => Ok(Outcome::Undecided { report, limit }),
        Err(End::Rejected(rejection)) => Err(rejection),
    }
}

/// What is about names, not about numbers, and then the informative keys.
pub(super) fn not_checked(class: bool, pairs: bool, informative: Vec<String>) -> Vec<String> {
    let mut meant =
        vec!["whether the automaton in the certificate is the mechanism that is meant".to_owned()];
    if class {
        meant.push(CLASS_MEANT.to_owned());
    }
    if pairs {
        let pairs = "whether the pairs in the certificate are the neighbours that are meant";
        meant.push(pairs.to_owned());
    }
    meant.extend(informative);
    meant
}

pub(super) fn informative(producer: &str, source: &str) -> Vec<String> {
    vec![format!("producer: {producer}"), format!("source: {source}")]
}

fn check(
    certificate: &Privacy,
    calculator: &mut Calculator,
    proved: &mut Vec<Statement>,
) -> Result<(), End> {
    check_form(certificate)?;
    let table = Table::read(&certificate.automaton, calculator)?;
    let question = Question::read(certificate, &table, calculator)?;
    let claim = &certificate.claim;
    let delta = claim.delta.as_ref().map(|text| delta("claim.delta", text, calculator));
    let delta = delta.transpose()?;
    let worst =
        claim.worst_delta.as_ref().map(|text| self::delta("claim.worst_delta", text, calculator));
    let worst = worst.transpose()?;
    let scope = |rounds| PrivacyScope {
        notion: certificate.notion.clone(),
        neighbours: certificate.neighbours.clone(),
        streams: certificate.streams.clone(),
        rounds: Some(rounds),
        epsilon: certificate.epsilon.clone(),
    };

    if let (Some(witness), Some((delta, text))) = (&claim.witness, &delta) {
        let (divergence, rounds) = question.pair("claim.witness", witness, calculator)?;
        if calculator.compare(&divergence, delta)?.is_le() {
            let (divergence, delta) = (divergence.to_string(), text.clone());
            let fault = Unproved::NotRefuted { divergence, delta };
            return Err(Rejection::unproved("claim.witness", fault).into());
        }
        proved.push(Statement::NotPrivate {
            scope: scope(if certificate.pairs.is_some() { certificate.rounds } else { rounds }),
            delta: text.clone(),
            first_probability: witness.first_probability.clone(),
            second_probability: witness.second_probability.clone(),
        });
    }
    let holds = (claim.verdict.as_deref() == Some("holds")).then_some(delta).flatten();
    match (&worst, &holds) {
        (Some((worst, text)), _) => {
            question.worst(
                claim.attained_by.as_ref(),
                worst,
                text,
                certificate.rounds,
                calculator,
            )?;
            proved.push(Statement::WorstDelta {
                scope: scope(certificate.rounds),
                delta: text.clone(),
            });
        }
        (None, Some((delta, text))) => {
            question.bounded("claim.delta", delta, text, certificate.rounds, calculator)?;
        }
        (None, None) => {}
    }
    if let Some((delta, text)) = holds {
        if let Some((worst, worst_text)) = worst
            && calculator.compare(&worst, &delta)?.is_gt()
        {
            let fault = Unproved::WorstAboveDelta { delta: text, worst: worst_text };
            return Err(Rejection::unproved("claim.delta", fault).into());
        }
        proved.push(Statement::Private { scope: scope(certificate.rounds), delta: text });
    }
    Ok(())
}

/// Which keys may stand together.
fn check_form(certificate: &Privacy) -> Result<(), Rejection> {
    let claim = &certificate.claim;
    one_of("notion", &certificate.notion, &["whole", "joint"])?;
    one_of("neighbours", &certificate.neighbours, &["replacement", "add-remove", "listed"])?;
    one_of("streams", &certificate.streams, &["all", "realisable"])?;
    if let Some(verdict) = &claim.verdict {
        one_of("claim.verdict", verdict, &["holds", "refuted"])?;
    }
    if claim.verdict.is_none() && claim.worst_delta.is_none() {
        return Err(Rejection::malformed("claim", Malformed::NothingClaimed));
    }
    let refuted = claim.verdict.as_deref() == Some("refuted");
    let realisable = certificate.streams == "realisable";
    exactly_if("claim.delta", claim.delta.is_some(), claim.verdict.is_some())?;
    exactly_if("claim.witness", claim.witness.is_some(), refuted)?;
    exactly_if("hypotheses", certificate.hypotheses.is_some(), realisable)?;
    exactly_if("pairs", certificate.pairs.is_some(), certificate.neighbours == "listed")?;
    if claim.attained_by.is_some() && claim.worst_delta.is_none() {
        return Err(Rejection::malformed("claim.attained_by", Malformed::NotClaimed));
    }
    check_rounds(certificate.rounds, certificate.automaton.rounds)
}

pub(super) fn check_rounds(rounds: usize, covered: Option<usize>) -> Result<(), Rejection> {
    let greatest = covered.map_or(GREATEST_ROUNDS, |covered| covered.min(GREATEST_ROUNDS));
    if rounds == 0 || rounds > greatest {
        let fault = expected(&format!("a number from 1 to {greatest}"), &rounds.to_string());
        return Err(Rejection::malformed("rounds", fault));
    }
    Ok(())
}

pub(super) fn one_of(place: &str, found: &str, words: &[&str]) -> Result<(), Rejection> {
    if words.contains(&found) {
        return Ok(());
    }
    let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    let fault = expected(&words.join(" or "), &format!("`{found}`"));
    Err(Rejection::malformed(place, fault))
}

pub(super) fn exactly_if(place: &str, there: bool, needed: bool) -> Result<(), Rejection> {
    match (there, needed) {
        (true, false) => Err(Rejection::malformed(place, Malformed::NotClaimed)),
        (false, true) => Err(Rejection::malformed(place, expected("a value", "null"))),
        _ => Ok(()),
    }
}

/// The streams that count. A class makes sense for learners and predictors, and has a hypothesis.
pub(super) fn allowed(hypotheses: Option<&[String]>, table: &Table) -> Result<Allowed, Rejection> {
    let Some(hypotheses) = hypotheses else { return Ok(Allowed::All) };
    if !matches!(table.kind, Kind::Learner | Kind::Predictor) {
        let reason = "only streams of learners and predictors can be realisable";
        return Err(Rejection::malformed("streams", Malformed::Unfit { reason }));
    }
    if hypotheses.is_empty() {
        return Err(Rejection::malformed("hypotheses", Malformed::NothingClaimed));
    }
    Ok(Allowed::Realisable(read_hypotheses(hypotheses, table.points.len())?))
}

/// A δ, which is not negative, with its text.
pub(super) fn delta(
    place: &str,
    text: &str,
    calculator: &mut Calculator,
) -> Result<(Quotient, String), End> {
    let delta = notation::number(place, text, calculator)?;
    if calculator.sign(&delta.numerator)?.is_lt() {
        let fault = expected("a δ that is not negative", &format!("`{text}`"));
        return Err(Rejection::malformed(place, fault).into());
    }
    Ok((delta, text.to_owned()))
}
