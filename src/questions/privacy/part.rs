//! Files of partial results: the answer to one part of the pairs, with the question in full and what it
//! was resolved to, and the answer of all parts together.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::class::{Class, ClassBuilder};
use crate::error::{Error, Position, Result};
use crate::exact::Number;
use crate::file;
use crate::limits::{Limits, Stopped};
use crate::mechanism::{expression, stream, table};
use crate::privacy::Streams;
use crate::privacy::{
    self, Decision, Neighbour, Part, Worst, merge_decisions, merge_worst, misstated, shrinking,
};
use crate::questions::subject::{Rounds, StreamScope};
use crate::questions::{Question as _, Run};

use super::neighbours::Relation;
use super::resolved::{Found, Resolved};
use super::{Horizon, PrivacyAnswer, PrivacyFiles, PrivacyQuestion, write_json};

/// What a file says that it is.
const COMMAND: &str = "verify --shard";

/// What no pair of streams shows.
const TRUST: &str = "taken on trust: that the automaton in the parts is that of the mechanism, and that \
                     no pair of streams of a part exceeds what the part says; the pairs that the \
                     parts name were recomputed";

/// A partial result as it stands in its file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: u64,
    command: String,
    /// Programs of different versions might cut a question in different ways.
    producer: String,
    shard: [usize; 2],
    automaton: Value,
    /// For realisable streams, the class.
    hypotheses: Option<Vec<String>>,
    question: Value,
    answers: Vec<Answer>,
}

/// The answer for one length; for `decide_only` the only one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    rounds: usize,
    /// The worst δ, or a lower bound if the part is not done; nothing for a decision.
    delta: Option<String>,
    /// With `stopped`, an upper bound.
    upper: Option<String>,
    stopped: Option<String>,
    pair: Option<[String; 2]>,
}

/// The answer to a part.
enum Answers {
    /// The worst δ of each length.
    Worst(Vec<Worst>),
    /// With `decide_only`.
    Decision(Decision),
}

fn producer() -> String {
    concat!("littlestone ", env!("CARGO_PKG_VERSION")).to_owned()
}

impl PrivacyQuestion {
    /// Finds the answer to a part of the pairs, and writes it to a file; says what kept it from being
    /// complete.
    ///
    /// # Errors
    /// When the question is not cut into parts, and as [`answer`](crate::questions::Question::answer).
    pub(crate) fn answer_part(
        &self,
        part: Part,
        path: &Path,
        run: &Run<'_>,
    ) -> Result<Option<Stopped>> {
        let reason = if self.every() {
            "--rounds all: one step is compared, which is not cut into parts"
        } else if !self.given().searched() {
            "listed neighbours are not cut into parts"
        } else if self.decide_only && self.streams == StreamScope::Realisable {
            "--decide-only over realisable streams may need the worst δ of all parts; leave it out"
        } else {
            ""
        };
        if !reason.is_empty() {
            return Err(Error::argument(format!("--shard: {reason}")));
        }
        self.validate()?;
        let subject = run.subject(&self.subject)?;
        let resolved = Resolved::new(self, &subject, run)?;
        run.progress.ask("worst δ of this part");
        let answers = match resolved.decide(part, run)? {
            Some(decision) => Answers::Decision(decision),
            None => Answers::Worst(resolved.worst(part, run)?),
        };
        let stopped = match &answers {
            Answers::Worst(answers) => answers.iter().find_map(|answer| match answer {
                Worst::Between { stopped, .. } => Some(*stopped),
                Worst::Exact { .. } => None,
            }),
            Answers::Decision(Decision::Undecided { stopped, .. }) => Some(*stopped),
            Answers::Decision(_) => None,
        };
        let labels = |class: &Class| (0..class.hypotheses()).map(|h| class.labels(h)).collect();
        let json = |error: serde_json::Error| Error::argument(error.to_string());
        let file = File {
            format: 1,
            command: COMMAND.to_owned(),
            producer: producer(),
            shard: [part.index(), part.count()],
            automaton: serde_json::from_str(&table::write(&resolved.automaton)).map_err(json)?,
            hypotheses: resolved.realisable_by.as_ref().map(labels),
            question: serde_json::to_value(self).map_err(json)?,
            answers: written(&resolved, &answers),
        };
        write_json(path, &file)?;
        run.wrote("partial result", path);
        if let Some(stopped) = stopped {
            run.warn(format!("this part is not done: {stopped}"));
        }
        Ok(stopped)
    }
}

/// The answer of all parts together, which is that of a single run.
///
/// # Errors
/// When a file is no partial result, a part is missing, given twice, or of another question, or a part
/// names a pair that does not show what is said of it.
pub(crate) fn merge(
    paths: &[PathBuf],
    files: &PrivacyFiles,
    run: &Run<'_>,
) -> Result<PrivacyAnswer> {
    let parts = paths.iter().map(|path| Ok((path.display().to_string(), File::read(path)?)));
    let mut parts: Vec<(String, File)> = parts.collect::<Result<_>>()?;
    complete(&parts)?;
    let (first, file) = &parts[0];
    let resolved = file.resolved(first, &run.limits)?;
    resolved.asked.has_files(files)?;
    // By part, so that the order of the files does not matter.
    parts.sort_by_key(|(_, file)| file.shard[0]);
    let found = merged(&resolved, &parts, &run.limits)?;
    run.note(TRUST);
    PrivacyAnswer::written(resolved, found, files, run)
}

/// Checks that the files are the parts of one question, each once.
fn complete(files: &[(String, File)]) -> Result<()> {
    let (first, reference) = &files[0];
    let count = reference.shard[1];
    for (name, file) in files {
        if file.producer != producer() {
            return Err(Error::argument(format!(
                "{name} was written by {}, and this is {}, which may cut questions in another way",
                file.producer,
                producer()
            )));
        }
        if let Some(key) = file.difference(reference) {
            return Err(Error::argument(format!(
                "{name} is about another question than {first}: the key `{key}` differs"
            )));
        }
        if file.shard[1] != count {
            return Err(Error::argument(format!(
                "{name} is part {}/{} and {first} one of {count}",
                file.shard[0], file.shard[1]
            )));
        }
    }
    for part in 1..=count {
        let mut holders = files.iter().filter(|(_, file)| file.shard[0] == part);
        let Some((one, _)) = holders.next() else {
            return Err(Error::argument_with_help(
                format!("part {part}/{count} is missing"),
                format!("run `verify` with `--shard {part}/{count}`, or give its file"),
            ));
        };
        if let Some((other, _)) = holders.next() {
            return Err(Error::argument(format!(
                "part {part}/{count} is given twice, by {one} and {other}"
            )));
        }
    }
    Ok(())
}

fn merged(resolved: &Resolved, files: &[(String, File)], limits: &Limits) -> Result<Found> {
    let (mut worst, mut decisions) = (Vec::new(), Vec::new());
    for (name, file) in files {
        let answers = file.answers(name, resolved)?;
        if let Some(fault) = fault(resolved, &answers, limits)? {
            return Err(Error::argument(format!("{name}: {fault}")));
        }
        match answers {
            Answers::Worst(answers) => worst.push(answers),
            Answers::Decision(decision) => decisions.push(decision),
        }
    }
    if decisions.is_empty() {
        let worst = merge_worst(&worst);
        if let Some(fault) = shrinking(&resolved.automaton, &resolved.streams, &worst) {
            return Err(Error::argument(format!("the parts contradict one another: {fault}")));
        }
        return resolved.judged(&worst, limits);
    }
    resolved.decided(merge_decisions(&decisions), limits)?.ok_or_else(|| {
        Error::argument("a pair that refutes cannot be continued; ask without --decide-only")
    })
}

/// What is wrong with the answers of a part: each pair of streams that it names must show what is
/// said of it.
fn fault(resolved: &Resolved, answers: &Answers, limits: &Limits) -> Result<Option<String>> {
    let Resolved { automaton, streams, question, rounds: asked, .. } = resolved;
    let (claimed, meter) = (resolved.asked.delta(), &mut limits.meter());
    match answers {
        Answers::Worst(answers) => {
            for (rounds, answer) in (1..).zip(answers) {
                // Shorter streams were not asked about, and need no pair as long as they refute nothing.
                let (Worst::Exact { delta: lower, attained_by }
                | Worst::Between { lower, attained_by, .. }) = answer;
                let refutes = claimed.is_some_and(|delta| lower > delta);
                if rounds < asked.first && attained_by.is_none() && !refutes {
                    continue;
                }
                if let Some(fault) = misstated(automaton, streams, question, rounds, answer, meter)?
                {
                    return Ok(Some(format!("the answer for {rounds} rounds: {fault}")));
                }
            }
            Ok(None)
        }
        Answers::Decision(Decision::Refuted(pair)) => {
            let rounds = pair.first.len().max(pair.second.len());
            if rounds > asked.last {
                return Ok(Some(format!("a pair of {rounds} rounds refutes nothing here")));
            }
            let delta = claimed.cloned().unwrap_or_else(Number::zero);
            Ok(match privacy::shown(automaton, streams, question, rounds, pair, meter)? {
                Ok(real) if real > delta => None,
                Ok(real) => {
                    Some(format!("the pair has the divergence {real}, which refutes nothing"))
                }
                Err(fault) => Some(fault),
            })
        }
        Answers::Decision(_) => Ok(None),
    }
}

fn written(resolved: &Resolved, answers: &Answers) -> Vec<Answer> {
    let stream = |records: &[usize]| stream::write(resolved.automaton.interface(), records);
    let both = |pair: &Neighbour| [stream(&pair.first), stream(&pair.second)];
    match answers {
        Answers::Worst(answers) => (1..)
            .zip(answers)
            .map(|(rounds, answer)| match answer {
                Worst::Exact { delta, attained_by } => Answer {
                    rounds,
                    delta: Some(delta.to_string()),
                    pair: attained_by.as_ref().map(both),
                    ..Answer::default()
                },
                Worst::Between { lower, attained_by, upper, stopped } => Answer {
                    rounds,
                    delta: Some(lower.to_string()),
                    upper: Some(upper.to_string()),
                    stopped: Some(stopped.code()),
                    pair: attained_by.as_ref().map(both),
                },
            })
            .collect(),
        Answers::Decision(Decision::Holds) => vec![Answer::default()],
        Answers::Decision(Decision::Refuted(pair)) => {
            let rounds = pair.first.len();
            vec![Answer { rounds, pair: Some(both(pair)), ..Answer::default() }]
        }
        Answers::Decision(Decision::Undecided { rounds, stopped }) => {
            let (rounds, stopped) = (*rounds, Some(stopped.code()));
            vec![Answer { rounds, stopped, ..Answer::default() }]
        }
    }
}

fn number(name: &str, text: &str) -> Result<Number> {
    expression::evaluate(text, &BTreeMap::new()).map_err(|error| {
        Error::malformed(Position::whole(name), "an exact number", format!("`{text}`: {error}"))
    })
}

impl File {
    fn read(path: &Path) -> Result<Self> {
        let name = path.display().to_string();
        let bytes = file::read(path, file::MAX_DATA_BYTES)?;
        let expected = "a partial result of `verify --shard`";
        let file: Self = serde_json::from_slice(&bytes).map_err(|error| {
            let position = Position::at(&*name, error.line(), error.column());
            Error::malformed(position, expected, error.to_string())
        })?;
        let [index, count] = file.shard;
        if file.format != 1 || file.command != COMMAND || Part::new(index, count).is_err() {
            let found = format!("format {}, {}, shard {index}/{count}", file.format, file.command);
            return Err(Error::malformed(Position::whole(name), expected, found));
        }
        Ok(file)
    }

    /// The first key in which two questions differ.
    fn difference(&self, other: &Self) -> Option<String> {
        let asked = |file: &Self| file.question.as_object().cloned().unwrap_or_default();
        let (one, two) = (asked(self), asked(other));
        if self.automaton != other.automaton {
            return Some("automaton".into());
        }
        if self.hypotheses != other.hypotheses {
            return Some("hypotheses".into());
        }
        one.keys().chain(two.keys()).find(|key| one.get(*key) != two.get(*key)).cloned()
    }

    /// The question with what it was resolved to.
    fn resolved(&self, name: &str, limits: &Limits) -> Result<Resolved> {
        let malformed = |key: &str, expected: &str, found: &str| {
            Error::malformed(Position::whole(format!("{name}: {key}")), expected, found)
        };
        let question = self.question.as_object().cloned().unwrap_or_default();
        let asked: PrivacyQuestion = crate::questions::door::question(question)
            .map_err(|error| Error::argument(format!("{name}: question: {error}")))?;
        let Some(Horizon::Of(rounds)) = asked.rounds.as_ref().map(|rounds| rounds.value) else {
            return Err(malformed("question.rounds", "a number or a range", "another one"));
        };
        let automaton = table::parse(name, &self.automaton.to_string())?;
        let interface = automaton.interface();
        let realisable_by = match &self.hypotheses {
            None if asked.streams == StreamScope::Realisable => {
                return Err(malformed("hypotheses", "the class of realisable streams", "none"));
            }
            None => None,
            Some(hypotheses) => {
                let mut builder = ClassBuilder::new(interface.points().to_vec());
                for labels in hypotheses {
                    if labels.len() != interface.points().len() {
                        let found = format!("`{labels}`");
                        return Err(malformed("hypotheses", "a label for each point", &found));
                    }
                    builder.push(None, labels.bytes().map(|label| label == b'1'));
                }
                Some(builder.build())
            }
        };
        let streams = match &realisable_by {
            None => Streams::all(interface.records()),
            Some(class) => Streams::realisable_by(class, interface, limits)?,
        };
        automaton.fits([&asked.epsilon.value.factor()].into_iter().chain(asked.delta()))?;
        let relation = Relation::Searched(asked.given().kind());
        let question = asked.engine(&relation);
        let Rounds { last, .. } = rounds;
        privacy::admissible(&automaton, &streams, &question, last)?;
        let claimed = None;
        Ok(Resolved {
            asked,
            question,
            automaton,
            streams,
            realisable_by,
            relation,
            rounds,
            claimed,
        })
    }

    /// The answers, as those to the resolved question.
    fn answers(&self, name: &str, resolved: &Resolved) -> Result<Answers> {
        let malformed = |expected: &str| {
            let position = Position::whole(format!("{name}: answers"));
            Error::malformed(position, expected, "something else")
        };
        let interface = resolved.automaton.interface();
        let record = |text: &String| -> Result<Vec<usize>> {
            if text.is_empty() {
                return Ok(Vec::new());
            }
            stream::parse(interface, text, &Position::whole(name))
        };
        let pair = |answer: &Answer| -> Result<Option<Neighbour>> {
            let Some([first, second]) = &answer.pair else { return Ok(None) };
            Ok(Some(Neighbour { first: record(first)?, second: record(second)? }))
        };
        let stopped = |answer: &Answer| match answer.stopped.as_deref() {
            None => Ok(None),
            Some(code) => Stopped::from_code(code)
                .map(Some)
                .ok_or_else(|| malformed("a known limit at `stopped`")),
        };
        if resolved.asked.decide_only {
            let [answer] = &self.answers[..] else {
                return Err(malformed("one decision"));
            };
            return Ok(Answers::Decision(match (pair(answer)?, stopped(answer)?) {
                (Some(pair), _) => Decision::Refuted(pair),
                (None, Some(stopped)) => Decision::Undecided { rounds: answer.rounds, stopped },
                (None, None) => Decision::Holds,
            }));
        }
        if !self.answers.iter().map(|answer| answer.rounds).eq(1..=resolved.rounds.last) {
            return Err(malformed("an answer for each number of rounds up to the greatest"));
        }
        let worst = |answer: &Answer| -> Result<Worst> {
            let delta = answer.delta.as_ref().ok_or_else(|| malformed("a δ for each length"))?;
            let (delta, attained_by) = (number(name, delta)?, pair(answer)?);
            match (&answer.upper, stopped(answer)?) {
                (None, None) => Ok(Worst::Exact { delta, attained_by }),
                (Some(upper), Some(stopped)) => {
                    let upper = number(name, upper)?;
                    Ok(Worst::Between { lower: delta, attained_by, upper, stopped })
                }
                _ => Err(malformed("both `upper` and `stopped`, or neither")),
            }
        };
        self.answers.iter().map(worst).collect::<Result<_>>().map(Answers::Worst)
    }
}
