//! The rules for certificates of the kind `minimax`.
//!
//! Both halves are checked on tables with all images under the symmetries: plain loops over
//! histories, outputs, neighbours and hypotheses, in integers.
//!
//! | file | idea |
//! | --- | --- |
//! | `game` | the class on its columns, examples, histories, outputs, symmetries |
//! | `upper` | a learner: laws, causality, privacy, mistakes |
//! | `behaviour` | the table as a learner with memory, played |
//! | `lower` | an adversary: the backward recursion over histories and outputs |
//! | `unreduced` | both on all points of the class, where that game is small |

mod behaviour;
mod game;
mod lower;
mod unreduced;
mod upper;

use std::cmp::Ordering;

use super::alphabets::expected;
use super::format::Minimax;
use super::littlestone_dimension::read_hypotheses;
use super::notation;
use super::number::{Calculator, Quotient, Sum};
use super::privacy;
use super::rejection::{Malformed, Rejection, Unproved};
use super::statement::{MinimaxScope, Statement};
use super::verify::{CLASS_MEANT, End, Limits, Outcome, Report, Work};
use littlestone_base::{BigInt, Rational, parse_rational};

use game::Game;
use unreduced::Unreduced;

/// Verifies what a certificate claims.
pub(super) fn verify(certificate: &Minimax, limits: Limits) -> Result<Outcome, Rejection> {
    let mut report = Report {
        kind: certificate.kind.clone(),
        proved: Vec::new(),
        hypotheses: certificate.hypotheses.len(),
        points: certificate.points.len(),
        states: 0,
        examined: 0,
        taken_on_trust: Vec::new(),
        not_checked: [CLASS_MEANT.to_owned()]
            .into_iter()
            .chain(privacy::informative(&certificate.producer, &certificate.source))
            .collect(),
    };
    let mut calculator = Calculator::new(Work::new(limits));
    let end = check(certificate, &mut calculator, &mut report);
    report.examined = calculator.work.done();
    match end {
        Ok(()) => Ok(Outcome::Proved(report)),
        Err(End::Limit(limit)) => Ok(Outcome::Undecided { report, limit }),
        Err(End::Rejected(rejection)) => Err(rejection),
    }
}

fn check(
    certificate: &Minimax,
    calculator: &mut Calculator,
    report: &mut Report,
) -> Result<(), End> {
    privacy::one_of("notion", &certificate.notion, &["whole", "joint"])?;
    privacy::one_of("streams", &certificate.streams, &["all", "realisable"])?;
    privacy::check_rounds(certificate.rounds, None)?;
    let game = Game::read(certificate)?;
    let epsilon = notation::epsilon("epsilon", &certificate.epsilon, calculator)?;
    let delta = rational("delta", &certificate.delta)?;
    let (zero, one) = (Rational::from(BigInt::from(0)), Rational::from(BigInt::from(1)));
    if delta < zero || delta >= one {
        let fault = expected("a number of at least 0 and below 1", &certificate.delta);
        return Err(Rejection::malformed("delta", fault).into());
    }
    let claim = &certificate.claim;
    check_halves(certificate)?;
    let rows = read_hypotheses(&certificate.hypotheses, certificate.points.len())?;
    let unreduced = Unreduced::new(certificate, rows, &game);
    let unreduced = unreduced.as_ref();
    if unreduced.is_none() {
        report.taken_on_trust = lemmas(certificate);
    }
    let scope = MinimaxScope {
        notion: certificate.notion.clone(),
        streams: certificate.streams.clone(),
        rounds: certificate.rounds,
        epsilon: certificate.epsilon.clone(),
        delta: certificate.delta.clone(),
    };
    if let (Some(text), Some(adversary)) = (&claim.at_least, &certificate.lower) {
        let bound = rational("claim.at_least", text)?;
        let factor = factor("lower.factor", &adversary.factor, &epsilon, calculator)?;
        if factor.1 == Ordering::Less {
            let fault = expected("a factor of at least e^ε", &adversary.factor);
            return Err(Rejection::malformed("lower.factor", fault).into());
        }
        let (found, nodes) =
            lower::bound(&game, unreduced, adversary, &factor.0, &delta, calculator)?;
        report.states += nodes;
        if found < bound {
            let fault = Unproved::BoundBelow { bound: text.clone(), found: found.to_string() };
            return Err(Rejection::unproved("claim.at_least", fault).into());
        }
        let scope = scope.clone();
        report.proved.push(Statement::MinimaxAtLeast { scope, bound: text.clone() });
    }
    if let (Some(text), Some(learner)) = (&claim.at_most, &certificate.upper) {
        let bound = rational("claim.at_most", text)?;
        let factor = factor("upper.factor", &learner.factor, &epsilon, calculator)?;
        if factor.1 == Ordering::Greater || factor.0 < zero {
            let fault = expected("a factor from 0 to e^ε", &learner.factor);
            return Err(Rejection::malformed("upper.factor", fault).into());
        }
        let question = upper::Question { factor: factor.0, delta, bound, claimed: text };
        report.states += upper::check(&game, unreduced, learner, &question, calculator)?;
        report.proved.push(Statement::MinimaxAtMost { scope, bound: text.clone() });
    }
    Ok(())
}

/// What the bounds rest on where the game is too large to be looked at as it is.
fn lemmas(certificate: &Minimax) -> Vec<String> {
    let mut lemmas = Vec::new();
    if certificate.upper.is_some() {
        let kuhn = "a causal table of laws is a learner with private memory (docs/certificates.md)";
        lemmas.push(kuhn.to_owned());
    }
    if certificate.columns.len() != certificate.points.len() {
        let columns = "constant, equal and complementary columns do not change the value \
                       (docs/certificates.md)";
        lemmas.push(columns.to_owned());
    }
    lemmas
}

/// Something is claimed, and a half is there exactly if its bound is claimed.
fn check_halves(certificate: &Minimax) -> Result<(), Rejection> {
    let claim = &certificate.claim;
    if claim.at_least.is_none() && claim.at_most.is_none() {
        return Err(Rejection::malformed("claim", Malformed::NothingClaimed));
    }
    for (place, proof, claimed) in [
        ("lower", certificate.lower.is_some(), claim.at_least.is_some()),
        ("upper", certificate.upper.is_some(), claim.at_most.is_some()),
    ] {
        match (proof, claimed) {
            (true, false) => return Err(Rejection::malformed(place, Malformed::NotClaimed)),
            (false, true) => return Err(Rejection::unproved(place, Unproved::NoProof)),
            _ => {}
        }
    }
    Ok(())
}

/// A rational number.
fn rational(place: &str, text: &str) -> Result<Rational, Rejection> {
    parse_rational(text).map_err(|error| {
        let reason = error.to_string();
        Rejection::malformed(place, Malformed::Number { text: text.to_owned(), reason })
    })
}

/// A rational number and how it compares with e^ε.
fn factor(
    place: &str,
    text: &str,
    epsilon: &Quotient,
    calculator: &mut Calculator,
) -> Result<(Rational, Ordering), End> {
    let factor = rational(place, text)?;
    let as_sum = Sum::term(factor.clone(), Rational::from(BigInt::from(0)));
    let order = calculator.compare(&Quotient::from(as_sum), epsilon)?;
    Ok((factor, order))
}

/// A positive integer.
fn positive(place: &str, text: &str) -> Result<BigInt, Rejection> {
    let value = rational(place, text)?;
    if value.is_integer() && *value.numer() > BigInt::from(0) {
        return Ok(value.numer().clone());
    }
    Err(Rejection::malformed(place, expected("a positive integer", text)))
}
