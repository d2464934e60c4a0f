//! The rules for certificates of the kind `expected-mistakes`.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::alphabets::{Kind, expected};
use super::automaton::Table;
use super::enumerate::Allowed;
use super::format::{ExpectedMistakes, ListedStream};
use super::mistakes;
use super::notation;
use super::number::{Calculator, Quotient, Sum};
use super::privacy;
use super::question::stream_name;
use super::rejection::{Malformed, Rejection, Unproved};
use super::statement::{MistakesOver, Statement};
use super::verify::{End, Limits, Outcome, Report, Work};

/// Verifies what a certificate claims.
pub(super) fn verify(certificate: &ExpectedMistakes, limits: Limits) -> Result<Outcome, Rejection> {
    let mut report = Report {
        kind: certificate.kind.clone(),
        proved: Vec::new(),
        hypotheses: certificate.hypotheses.as_ref().map_or(0, Vec::len),
        points: certificate.automaton.points.len(),
        states: u64::try_from(certificate.automaton.states.len()).unwrap_or(u64::MAX),
        examined: 0,
        taken_on_trust: Vec::new(),
        not_checked: privacy::not_checked(
            certificate.hypotheses.is_some(),
            false,
            privacy::informative(&certificate.producer, &certificate.source),
        ),
    };
    let mut calculator = Calculator::new(Work::new(limits));
    let end = check(certificate, &mut calculator);
    report.examined = calculator.work.done();
    match end {
        Ok(statement) => {
            report.proved.push(statement);
            Ok(Outcome::Proved(report))
        }
        Err(End::Limit(limit)) => Ok(Outcome::Undecided { report, limit }),
        Err(End::Rejected(rejection)) => Err(rejection),
    }
}

fn check(certificate: &ExpectedMistakes, calculator: &mut Calculator) -> Result<Statement, End> {
    let claim = &certificate.claim;
    privacy::one_of("streams", &certificate.streams, &["listed", "all", "realisable"])?;
    let listed = certificate.streams == "listed";
    let realisable = certificate.streams == "realisable";
    privacy::exactly_if("listed", certificate.listed.is_some(), listed)?;
    privacy::exactly_if("hypotheses", certificate.hypotheses.is_some(), realisable)?;
    privacy::exactly_if("rounds", certificate.rounds.is_some(), !listed)?;
    privacy::exactly_if("claim.attained_by", claim.attained_by.is_some(), !listed)?;
    let table = Table::read(&certificate.automaton, calculator)?;
    if !matches!(table.kind, Kind::Learner | Kind::Predictor) {
        let reason = "only learners and predictors make mistakes";
        return Err(Rejection::malformed("automaton.kind", Malformed::Unfit { reason }).into());
    }
    let place = "claim.expected_mistakes";
    let claimed = notation::number(place, &claim.expected_mistakes, calculator)?;
    let over = match (&certificate.listed, certificate.rounds, &claim.attained_by) {
        (Some(streams), ..) => {
            let mistakes = over_law(&table, streams, calculator)?;
            equal(place, &mistakes, &claimed, &claim.expected_mistakes, calculator)?;
            MistakesOver::Listed(streams.len())
        }
        (None, Some(rounds), Some(attained_by)) => {
            privacy::check_rounds(rounds, table.rounds)?;
            let allowed = privacy::allowed(certificate.hypotheses.as_deref(), &table)?;
            let worst = Worst { table: &table, allowed: &allowed, rounds };
            worst.check(attained_by, &claimed, &claim.expected_mistakes, calculator)?;
            if realisable { MistakesOver::Realisable(rounds) } else { MistakesOver::All(rounds) }
        }
        _ => return Err(Rejection::malformed("claim", Malformed::NothingClaimed).into()),
    };
    Ok(Statement::ExpectedMistakes { over, mistakes: claim.expected_mistakes.clone() })
}

/// Σ weight·mistakes over the listed streams, whose weights sum to 1.
fn over_law(
    table: &Table,
    streams: &[ListedStream],
    calculator: &mut Calculator,
) -> Result<Quotient, End> {
    let zero = || Quotient::from(Sum::default());
    let (mut total, mut sum) = (zero(), zero());
    let mut first_at = BTreeMap::new();
    for (i, ListedStream { stream, weight: text }) in streams.iter().enumerate() {
        let place = format!("listed[{i}]");
        if let Some(first) = first_at.insert(stream, i) {
            let fault = Malformed::Repeated { first: format!("listed[{first}]") };
            return Err(Rejection::malformed(place, fault).into());
        }
        privacy::check_rounds(stream.len(), table.rounds)?;
        let records = table.stream(&format!("{place}.stream"), stream)?;
        let weight = notation::number(&format!("{place}.weight"), text, calculator)?;
        if calculator.sign(&weight.numerator)?.is_lt() {
            let fault = expected("a weight that is not negative", &format!("`{text}`"));
            return Err(Rejection::malformed(format!("{place}.weight"), fault).into());
        }
        let numerator = mistakes::mistakes_on(table, &records, calculator)?;
        let denominator = table.denominator(records.len(), calculator)?;
        let part = calculator.times(&weight, &Quotient { numerator, denominator })?;
        sum = calculator.sum(&sum, &part)?;
        total = calculator.sum(&total, &weight)?;
    }
    if calculator.compare(&total, &Sum::one().into())? != Ordering::Equal {
        let fault = expected("weights that sum to 1", &format!("the sum {total}"));
        return Err(Rejection::malformed("listed", fault).into());
    }
    Ok(sum)
}

fn equal(
    place: &str,
    recomputed: &Quotient,
    claimed: &Quotient,
    text: &str,
    calculator: &mut Calculator,
) -> Result<(), End> {
    if calculator.compare(recomputed, claimed)? == Ordering::Equal {
        return Ok(());
    }
    let (recomputed, found) = (recomputed.to_string(), text.to_owned());
    Err(Rejection::unproved(place, Unproved::OtherNumber { recomputed, found }).into())
}

/// The worst of the streams that count.
struct Worst<'w> {
    table: &'w Table,
    allowed: &'w Allowed,
    rounds: usize,
}

impl Worst<'_> {
    /// Checks that the number is attained by the stream, and by none exceeded.
    fn check(
        &self,
        attained_by: &[String],
        claimed: &Quotient,
        text: &str,
        calculator: &mut Calculator,
    ) -> Result<(), End> {
        let Self { table, allowed, rounds } = *self;
        let place = "claim.attained_by";
        let stream = table.stream(place, attained_by)?;
        if stream.len() != rounds {
            let fault =
                Malformed::Length { what: "records", expected: rounds, found: stream.len() };
            return Err(Rejection::malformed(place, fault).into());
        }
        if !allowed.allows(&stream) {
            return Err(Rejection::unproved(place, Unproved::NotRealisable).into());
        }
        let denominator = table.denominator(rounds, calculator)?;
        let over = |numerator: Sum| Quotient { numerator, denominator: denominator.clone() };
        let attained = over(mistakes::mistakes_on(table, &stream, calculator)?);
        equal("claim.expected_mistakes", &attained, claimed, text, calculator)?;
        mistakes::each_stream(table, allowed, rounds, calculator, &mut |calculator, stream, sum| {
            let mistakes = over(sum.clone());
            if calculator.compare(&mistakes, claimed)?.is_le() {
                return Ok(());
            }
            let fault = Unproved::MistakesAbove {
                bound: text.to_owned(),
                mistakes: mistakes.to_string(),
                stream: stream_name(table, stream),
            };
            Err(Rejection::unproved("claim.expected_mistakes", fault).into())
        })
    }
}
