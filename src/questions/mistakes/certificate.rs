//! `--certificate`: the kind `expected-mistakes`.

use std::path::Path;

use crate::certificate::format::{self, ExpectedMistakes, ListedStream, MistakesOver};
use crate::error::{Error, Result};
use crate::exact::Number;
use crate::file;
use crate::privacy::certify::embedded;

use super::super::Run;
use super::super::subject::{MechanismName, Rounds, StreamScope};
use super::adversary::{Adversary, Found};
use super::answer::Played;

/// The greatest number of streams of independent examples that a certificate lists.
const STREAMS: usize = 4096;

/// Refuses what certificates have no form for.
///
/// # Errors
/// For a table, and for Algorithm 1, whose law a certificate would not name.
pub(super) fn expect_form(adversary: &Adversary, rounds: Rounds) -> Result<()> {
    if rounds.range {
        return Err(Error::argument_with_help(
            "--certificate: a table over several numbers of rounds has none",
            "give one number of rounds, such as `--rounds 4`",
        ));
    }
    match adversary {
        Adversary::Thirds(_) => Err(Error::argument_with_help(
            "--certificate: there is no form for the adversary `thirds`",
            "give its law with --distribution",
        )),
        Adversary::Iid(law)
            if u32::try_from(rounds.last).ok().is_none_or(|t| {
                law.len().checked_pow(t).is_none_or(|streams| streams > STREAMS)
            }) =>
        {
            Err(Error::TooLarge {
                what: "--certificate: the law of independent examples".to_owned(),
                size: format!("{} to the power {} streams", law.len(), rounds.last),
                limit: format!("{STREAMS} streams"),
            })
        }
        _ => Ok(()),
    }
}

/// Writes the certificate of what was found; nothing when it is not known.
///
/// # Errors
/// When the file cannot be written.
pub(super) fn write(
    mechanism: &MechanismName,
    played: &Played,
    path: &Path,
    run: &Run<'_>,
) -> Result<()> {
    let [Found { mistakes: Ok(found), stream, rounds, .. }] = &played.found[..] else {
        run.warn("no certificate: the worst stream is not known");
        return Ok(());
    };
    let automaton = &played.automaton;
    let names = |stream: &[usize]| -> Vec<String> {
        stream.iter().map(|&record| automaton.interface().record_name(record)).collect()
    };
    let listed = |stream: &[usize], weight: &Number| ListedStream {
        stream: names(stream),
        weight: weight.to_string(),
    };
    let attained_by = || names(stream.as_deref().unwrap_or_default());
    let over = match &played.adversary {
        Adversary::Worst(StreamScope::All) => {
            MistakesOver::All { rounds: *rounds, attained_by: attained_by() }
        }
        Adversary::Worst(StreamScope::Realisable) => {
            let class = played.subject.class("realisable streams")?;
            let hypotheses = (0..class.hypotheses()).map(|h| class.labels(h)).collect();
            MistakesOver::Realisable { hypotheses, rounds: *rounds, attained_by: attained_by() }
        }
        Adversary::Listed(law) => MistakesOver::Listed(
            law.iter().map(|(stream, weight)| listed(&stream[..*rounds], weight)).collect(),
        ),
        Adversary::Iid(law) => {
            let streams = independent(law, *rounds);
            MistakesOver::Listed(streams.iter().map(|(s, weight)| listed(s, weight)).collect())
        }
        Adversary::Stream(_) | Adversary::Phases | Adversary::Thirds(_) => {
            let stream = stream.as_deref().unwrap_or_default();
            MistakesOver::Listed(vec![listed(stream, &Number::one())])
        }
    };
    let (source, value) = (mechanism.to_string(), found.mistakes.to_string());
    let certificate = ExpectedMistakes::new(&source, embedded(automaton), over, value);
    file::write(path, |out| format::write(&certificate, out))?;
    run.wrote("certificate", path);
    Ok(())
}

/// All streams of independent examples with their probabilities.
fn independent(law: &[(usize, Number)], rounds: usize) -> Vec<(Vec<usize>, Number)> {
    let mut streams = vec![(Vec::new(), Number::one())];
    for _ in 0..rounds {
        let longer = |(stream, weight): &(Vec<usize>, Number)| {
            let (stream, weight) = (stream.clone(), weight.clone());
            law.iter().map(move |(record, p)| {
                let stream = stream.iter().copied().chain([*record]).collect();
                (stream, &weight * p)
            })
        };
        streams = streams.iter().flat_map(longer).collect();
    }
    streams
}
