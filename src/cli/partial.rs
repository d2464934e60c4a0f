//! Files of partial results: the answer to one part of a question, with the question in full.

use std::collections::BTreeMap;
use std::path::Path;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::class::{Class, ClassBuilder, Header};
use crate::error::{Error, Position, Result};
use crate::exact::{Epsilon, Number};
use crate::file;
use crate::limits::{Limits, Stopped};
use crate::mechanism::{Automaton, expression, stream, table};
use crate::privacy::{self, Decision, Neighbour, Neighbours, Notion, Part, Question, Worst};

use super::common::{self, Format};
use super::every::Horizon;
use super::exit;
use super::mechanism::Rounds;
use super::neighbours::Choice;
use super::output::{Outcome, Output};
use super::plan::{self, Plan};
use super::progress;
use super::verify::Args;

/// What a file says that it is.
const COMMAND: &str = "verify --shard";

/// Reads `--shard`: part I of N as `I/N`.
pub(super) fn shard(text: &str) -> std::result::Result<Part, String> {
    let number = |text: &str| usize::from_str(text).ok();
    text.split_once('/')
        .and_then(|(index, count)| Part::new(number(index)?, number(count)?).ok())
        .ok_or_else(|| "expected I/N with 1 ≤ I ≤ N, such as 2/7".into())
}

/// Refuses questions that are not cut into parts, and files that a part does not have.
pub(super) fn refuse(args: &Args) -> Result<()> {
    let reason = if args.rounds == Some(Horizon::Every) {
        "--rounds all: one step is compared, which is not cut into parts"
    } else if !matches!(args.neighbours, Choice::All(_)) {
        "listed neighbours are not cut into parts"
    } else if args.decide_only && args.realisable() {
        "--decide-only over realisable streams may need the worst δ of all parts; leave it out"
    } else if args.report.certificate.is_some()
        || args.report.counterexample.is_some()
        || args.report.format != Format::Human
    {
        "a part has no report and no such files; give the option to `littlestone merge`"
    } else {
        return Ok(());
    };
    Err(Error::argument(format!("--shard: {reason}")))
}

/// Computes one part, and writes its file.
pub(super) fn run(
    plan: &Plan,
    part: Part,
    path: &Path,
    limits: &Limits,
    output: &mut Output<'_>,
) -> Outcome {
    let progress = output.progress();
    progress.ask("worst δ of this part");
    let answers = progress::watch(output, || {
        if let Some(decision) = plan.decide(part, limits, progress)? {
            return Ok(Answers::Decision(decision));
        }
        plan.worst(part, limits, progress).map(Answers::Worst)
    })?;
    let stopped = answers.stopped();
    let file = File {
        format: 1,
        command: COMMAND.to_owned(),
        producer: producer(),
        shard: [part.index(), part.count()],
        question: Asked::of(plan),
        answers: written(&plan.automaton, &answers),
    };
    common::write_json(path, &file)?;
    output.wrote("partial result", path);
    if let Some(stopped) = stopped {
        output.warning(format_args!("this part is not done: {stopped}"));
        output.undecided(stopped, &format!("this part is not done: {stopped}"))?;
        return Ok(exit::UNDECIDED);
    }
    Ok(exit::EXPECTED)
}

/// The answer to a part.
pub(super) enum Answers {
    /// The worst δ of each length.
    Worst(Vec<Worst>),
    /// With `--decide-only`.
    Decision(Decision),
}

impl Answers {
    fn stopped(&self) -> Option<Stopped> {
        match self {
            Self::Worst(answers) => answers.iter().find_map(|answer| match answer {
                Worst::Between { stopped, .. } => Some(*stopped),
                Worst::Exact { .. } => None,
            }),
            Self::Decision(Decision::Undecided { stopped, .. }) => Some(*stopped),
            Self::Decision(_) => None,
        }
    }
}

/// A partial result as it stands in its file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    format: u64,
    command: String,
    /// Programs of different versions might cut a question in different ways.
    pub(super) producer: String,
    pub(super) shard: [usize; 2],
    pub(super) question: Asked,
    answers: Vec<Answer>,
}

/// The question in full.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    mechanism: String,
    class: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    header: Option<String>,
    automaton: Value,
    notion: String,
    neighbours: String,
    /// For realisable streams, the class.
    hypotheses: Option<Vec<String>>,
    rounds: [usize; 2],
    table: bool,
    epsilon: String,
    delta: Option<String>,
    decide_only: bool,
}

/// The answer for one length; for `decide_only` the only one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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

pub(super) fn producer() -> String {
    concat!("littlestone ", env!("CARGO_PKG_VERSION")).to_owned()
}

impl Asked {
    fn of(plan: &Plan) -> Self {
        let automaton = serde_json::from_str(&table::write(&plan.automaton)).expect("JSON");
        let labels = |class: &Class| (0..class.hypotheses()).map(|h| class.labels(h)).collect();
        Self {
            mechanism: plan.mechanism.clone(),
            class: plan.class.clone(),
            header: plan.header.map(|header| header.name().to_owned()),
            automaton,
            notion: match plan.question.notion {
                Notion::Whole => "whole",
                Notion::Joint => "joint",
            }
            .to_owned(),
            neighbours: match plan.question.neighbours {
                Neighbours::Replacement => "replacement",
                Neighbours::AddRemove => "add-remove",
            }
            .to_owned(),
            hypotheses: plan.realisable_by.as_ref().map(labels),
            rounds: [plan.rounds.first, plan.rounds.last],
            table: plan.rounds.range,
            epsilon: plan.question.epsilon.to_string(),
            delta: plan.delta.as_ref().map(Number::to_string),
            decide_only: plan.decided.is_some(),
        }
    }

    /// The first key in which two questions differ.
    pub(super) fn difference(&self, other: &Self) -> Option<String> {
        let value = |asked: &Self| serde_json::to_value(asked).expect("a question is JSON");
        let (one, two) = (value(self), value(other));
        let mut keys = one.as_object().expect("an object").keys();
        keys.find(|key| one[key.as_str()] != two[key.as_str()]).cloned()
    }

    /// The plan that the question came from.
    pub(super) fn plan(&self, name: &str, limits: &Limits) -> Result<Plan> {
        let automaton = table::parse(name, &self.automaton.to_string())?;
        let malformed = |key: &str, expected: &str, found: &str| {
            let position = Position::whole(format!("{name}: {key}"));
            Error::malformed(position, expected, format!("`{found}`"))
        };
        let realisable_by = match &self.hypotheses {
            None => None,
            Some(hypotheses) => {
                let mut builder = ClassBuilder::new(automaton.interface().points().to_vec());
                for labels in hypotheses {
                    if labels.len() != automaton.interface().points().len() {
                        return Err(malformed("hypotheses", "a label for each point", labels));
                    }
                    builder.push(None, labels.bytes().map(|label| label == b'1'));
                }
                Some(builder.build())
            }
        };
        let notion = match self.notion.as_str() {
            "whole" => Notion::Whole,
            "joint" => Notion::Joint,
            other => return Err(malformed("notion", "`whole` or `joint`", other)),
        };
        let neighbours = match self.neighbours.as_str() {
            "replacement" => Neighbours::Replacement,
            "add-remove" => Neighbours::AddRemove,
            other => {
                return Err(malformed("neighbours", "`replacement` or `add-remove`", other));
            }
        };
        let epsilon = Epsilon::parse(&self.epsilon)
            .map_err(|error| malformed("epsilon", &error.to_string(), &self.epsilon))?;
        let delta = self.delta.as_deref().map(|text| number(name, text)).transpose()?;
        let [first, last] = self.rounds;
        if first == 0 || first > last {
            return Err(malformed("rounds", "a range of numbers of rounds", &first.to_string()));
        }
        automaton.fits([&epsilon.factor()].into_iter().chain(&delta))?;
        let plan = Plan {
            mechanism: self.mechanism.clone(),
            class: self.class.clone(),
            header: self.header.as_deref().and_then(Header::named),
            streams: plan::streams(automaton.interface(), realisable_by.as_ref(), limits)?,
            automaton,
            question: Question { notion, neighbours, epsilon },
            realisable_by,
            pairs: None,
            adjacent: false,
            rounds: Rounds { first, last, range: self.table },
            decided: delta.clone().filter(|_| self.decide_only),
            delta,
            every_length: false,
            limits: limits.clone(),
        };
        privacy::admissible(&plan.automaton, &plan.streams, &plan.question, last)?;
        Ok(plan)
    }
}

fn written(automaton: &Automaton, answers: &Answers) -> Vec<Answer> {
    let stream = |records: &[usize]| stream::write(automaton.interface(), records);
    let both = |pair: &Neighbour| [stream(&pair.first), stream(&pair.second)];
    let none = Answer { rounds: 0, delta: None, upper: None, stopped: None, pair: None };
    match answers {
        Answers::Worst(answers) => (1..)
            .zip(answers)
            .map(|(rounds, answer)| match answer {
                Worst::Exact { delta, attained_by } => Answer {
                    rounds,
                    delta: Some(delta.to_string()),
                    pair: attained_by.as_ref().map(both),
                    ..none.clone()
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
        Answers::Decision(Decision::Holds) => vec![none],
        Answers::Decision(Decision::Refuted(pair)) => {
            vec![Answer { rounds: pair.first.len(), pair: Some(both(pair)), ..none }]
        }
        Answers::Decision(Decision::Undecided { rounds, stopped }) => {
            vec![Answer { rounds: *rounds, stopped: Some(stopped.code()), ..none }]
        }
    }
}

fn number(name: &str, text: &str) -> Result<Number> {
    expression::evaluate(text, &BTreeMap::new()).map_err(|error| {
        Error::malformed(Position::whole(name), "an exact number", format!("`{text}`: {error}"))
    })
}

impl File {
    /// Reads a file of a partial result.
    ///
    /// # Errors
    /// When it cannot be read, or is no such file.
    pub(super) fn read(path: &Path) -> Result<Self> {
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

    /// The answers, as those to the question of `plan`.
    pub(super) fn answers(&self, name: &str, plan: &Plan) -> Result<Answers> {
        let malformed = |expected: &str| {
            let position = Position::whole(format!("{name}: answers"));
            Error::malformed(position, expected, "something else")
        };
        let interface = plan.automaton.interface();
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
        if plan.decided.is_some() {
            let [answer] = &self.answers[..] else {
                return Err(malformed("one decision"));
            };
            return Ok(Answers::Decision(match (pair(answer)?, stopped(answer)?) {
                (Some(pair), _) => Decision::Refuted(pair),
                (None, Some(stopped)) => Decision::Undecided { rounds: answer.rounds, stopped },
                (None, None) => Decision::Holds,
            }));
        }
        if !self.answers.iter().map(|answer| answer.rounds).eq(1..=plan.rounds.last) {
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
