//! Writes certificates of the kind `privacy`; see `docs/certificates.md`.

use std::path::Path;

use serde::Serialize;

use littlestone_base::error::{Error, Result};
use littlestone_base::file;
use littlestone_checker::format::{
    self, EveryLength, FORMAT, PRIVACY, PRIVACY_EVERY_LENGTH, Pair, Privacy, PrivacyClaim,
};
use littlestone_class::Class;
use littlestone_exact::Number;
use littlestone_exact::limits::Meter;
use littlestone_mechanism::{Automaton, table};

use super::{Neighbour, Neighbours, Notion, Question, event};

/// A verdict at some δ.
#[derive(Debug, Clone, Copy)]
pub enum Verdict<'a> {
    /// The mechanism is (ε,δ)-private.
    Holds,
    /// It is not, as these streams show; they may be shorter than those asked about.
    Refuted(&'a Neighbour),
}

/// What is to be certified about a mechanism and a question.
#[derive(Debug, Clone, Copy)]
pub struct Statement<'a> {
    /// Where the mechanism came from, such as `subsampled-soa:gamma=1/4`; nothing rests on it.
    pub source: &'a str,
    /// For verdicts over realisable streams, the class.
    pub realisable_by: Option<&'a Class>,
    /// For listed neighbours, the pairs; they take the place of the neighbours of the question.
    pub listed: Option<&'a [Neighbour]>,
    /// The number of records of a stream, T ≥ 1; of the longest one that is listed.
    pub rounds: usize,
    /// δ and the verdict, if there is one.
    pub verdict: Option<(&'a Number, Verdict<'a>)>,
    /// The worst δ and a pair that attains it (`None` when no two streams are neighbours), if it
    /// is known.
    pub worst: Option<(&'a Number, Option<&'a Neighbour>)>,
}

/// The certificate of a statement. The events of its pairs are recomputed word by word; nothing
/// else is checked here.
///
/// # Errors
/// When a pair of streams does not consist of neighbours, the class has other points than the
/// mechanism, or a limit is hit.
pub fn certificate(
    automaton: &Automaton,
    question: &Question,
    statement: &Statement<'_>,
    meter: &mut Meter<'_>,
) -> Result<Privacy> {
    let Statement { source, realisable_by, listed, rounds, verdict, worst } = *statement;
    same_points(automaton, realisable_by)?;
    let mut pair = |neighbour: &Neighbour| pair(automaton, question, neighbour, meter);
    let witness = match verdict {
        Some((_, Verdict::Refuted(neighbour))) => Some(pair(neighbour)?),
        _ => None,
    };
    let claim = PrivacyClaim {
        verdict: verdict.map(|(_, verdict)| {
            match verdict {
                Verdict::Holds => "holds",
                Verdict::Refuted(_) => "refuted",
            }
            .to_owned()
        }),
        delta: verdict.map(|(delta, _)| delta.to_string()),
        witness,
        worst_delta: worst.map(|(delta, _)| delta.to_string()),
        attained_by: worst.and_then(|(_, neighbour)| neighbour).map(pair).transpose()?,
    };
    Ok(Privacy {
        format: FORMAT,
        kind: PRIVACY.to_owned(),
        producer: format::producer(),
        source: source.to_owned(),
        automaton: embedded(automaton),
        notion: notion(question.notion),
        neighbours: match (listed, question.neighbours) {
            (Some(_), _) => "listed",
            (None, Neighbours::Replacement) => "replacement",
            (None, Neighbours::AddRemove) => "add-remove",
        }
        .to_owned(),
        pairs: listed.map(|pairs| {
            let both = |pair: &Neighbour| [&pair.first, &pair.second].map(|s| names(automaton, s));
            pairs.iter().map(both).collect()
        }),
        streams: streams(realisable_by),
        hypotheses: realisable_by.map(labels),
        rounds,
        epsilon: question.epsilon.to_string(),
        claim,
    })
}

/// Writes the certificate of a statement to the file at `path`.
///
/// # Errors
/// As [`certificate`], and when the file cannot be written.
pub fn write_certificate(
    automaton: &Automaton,
    question: &Question,
    statement: &Statement<'_>,
    path: &Path,
    meter: &mut Meter<'_>,
) -> Result<()> {
    write_file(&certificate(automaton, question, statement, meter)?, path)
}

/// The certificate that δ suffices at every length. The automaton is embedded as it is; the verifier
/// checks that it is closed, and that one step from each state is (ε,δ)-close.
///
/// # Errors
/// When the class has other points than the mechanism.
pub fn every_length(
    automaton: &Automaton,
    question: &Question,
    source: &str,
    realisable_by: Option<&Class>,
    delta: &Number,
) -> Result<EveryLength> {
    same_points(automaton, realisable_by)?;
    Ok(EveryLength {
        format: FORMAT,
        kind: PRIVACY_EVERY_LENGTH.to_owned(),
        producer: format::producer(),
        source: source.to_owned(),
        automaton: embedded(automaton),
        notion: notion(question.notion),
        neighbours: match question.neighbours {
            Neighbours::Replacement => "replacement",
            Neighbours::AddRemove => "add-remove",
        }
        .to_owned(),
        streams: streams(realisable_by),
        hypotheses: realisable_by.map(labels),
        epsilon: question.epsilon.to_string(),
        delta: delta.to_string(),
    })
}

/// Writes a certificate to the file at `path`.
///
/// # Errors
/// When the file cannot be written.
pub fn write_file<T: Serialize>(certificate: &T, path: &Path) -> Result<()> {
    file::write(path, |out| format::write(certificate, out))
}

fn same_points(automaton: &Automaton, class: Option<&Class>) -> Result<()> {
    if class.is_none_or(|class| class.point_names() == automaton.interface().points()) {
        return Ok(());
    }
    Err(Error::argument("the points of the class are not those of the mechanism"))
}

fn notion(notion: Notion) -> String {
    match notion {
        Notion::Whole => "whole",
        Notion::Joint => "joint",
    }
    .to_owned()
}

fn streams(realisable_by: Option<&Class>) -> String {
    if realisable_by.is_some() { "realisable" } else { "all" }.to_owned()
}

fn labels(class: &Class) -> Vec<String> {
    (0..class.hypotheses()).map(|h| class.labels(h)).collect()
}

/// An automaton as certificates embed it.
///
/// # Panics
/// If a mechanism table were not of the form that certificates embed, which a test excludes.
pub fn embedded(automaton: &Automaton) -> format::Automaton {
    format::Automaton::parse(&table::write(automaton)).expect("a mechanism table")
}

fn pair(
    automaton: &Automaton,
    question: &Question,
    neighbour: &Neighbour,
    meter: &mut Meter<'_>,
) -> Result<Pair> {
    let event = event(automaton, question, neighbour, meter)?;
    let word = |word: &Vec<usize>| word.iter().map(|&o| automaton.outputs()[o].clone()).collect();
    Ok(Pair {
        first: names(automaton, &neighbour.first),
        second: names(automaton, &neighbour.second),
        event: event.words.iter().map(word).collect(),
        first_probability: event.first.to_string(),
        second_probability: event.second.to_string(),
    })
}

fn names(automaton: &Automaton, stream: &[usize]) -> Vec<String> {
    stream.iter().map(|&record| automaton.interface().record_name(record)).collect()
}
