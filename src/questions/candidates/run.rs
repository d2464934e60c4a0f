//! A run of Algorithm 2, and the law of what it returns.

use itertools::Itertools as _;
use schemars::JsonSchema;
use serde::Serialize;

use crate::catalogue::candidates::{Algorithm, Call, Fault, Function, Record, Run, Step, fits};
use crate::class::Class;
use crate::error::Result;
use crate::limits::Limits;
use crate::text::{Lines, quote};

use super::super::blocks;
use super::FoundCandidates;

/// One run.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RunFound {
    /// Whether some hypothesis fits the stream.
    pub realisable: bool,
    /// `h_0`, …, `h_N` as labels in point order.
    pub candidates: Vec<String>,
    /// The mistakes of each candidate on the stream.
    pub mistakes: Vec<usize>,
    /// Whether Select returned bottom at ℓ = d.
    pub ended: bool,
    /// How many candidates were made, `h_0` among them; the rest is padding.
    pub made: usize,
    /// The probability of this run; with `a` it may contain powers of e.
    #[schemars(extend("format" = "probability"))]
    pub probability: String,
    /// The batches in order.
    pub steps: Vec<StepFound>,
}

/// One batch.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct StepFound {
    /// j.
    pub number: usize,
    /// The batch.
    pub records: Vec<RecordFound>,
    /// Whether the batch has K records.
    pub full: bool,
    /// The group of each record, from 1.
    pub groups: Vec<usize>,
    /// What each group stored of it.
    pub samples: Vec<Vec<RecordFound>>,
    /// The calls of Select.
    pub calls: Vec<CallFound>,
}

/// An example of the stream.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RecordFound {
    /// Its point.
    pub point: String,
    /// Its label, 0 or 1.
    pub label: u8,
    /// Its round, from 1 on.
    pub round: usize,
}

/// One call of Select.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CallFound {
    /// ℓ.
    pub level: usize,
    /// `p_ℓ`.
    pub p: u32,
    /// One for each group.
    pub lists: Vec<ListFound>,
    /// The labels of the answer, null for bottom.
    pub answer: Option<String>,
    /// The probability of the answer.
    #[schemars(extend("format" = "probability"))]
    pub probability: String,
}

/// The list of a group.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ListFound {
    /// How many fit the samples of the group.
    pub hypotheses: u32,
    /// Null for an empty class.
    pub decomposition_dimension: Option<i32>,
    /// The list.
    pub essential_hypotheses: Vec<String>,
}

/// The law of what is returned.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct LawFound {
    /// Whether some hypothesis fits the stream.
    pub realisable: bool,
    /// The law of the candidates, in the order of their labels; the probabilities sum to 1.
    pub law: Vec<OutcomeFound>,
}

/// Candidates with their probability.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct OutcomeFound {
    /// `h_0`, …, `h_N` as labels in point order.
    pub candidates: Vec<String>,
    /// Their probability.
    #[schemars(extend("format" = "probability"))]
    pub probability: String,
}

const HEADER: [&str; 10] =
    ["batch", "ℓ", "p", "group", "received", "stored", "hypotheses", "dimension", "list", "choice"];

/// Says so where no hypothesis fits the stream.
pub(super) fn note_fit(text: &mut Lines, class: &Class, stream: &[(usize, bool)]) {
    if !fits(class, stream) {
        text.push(
            "note: no hypothesis fits the stream; of what the paper proves here, privacy alone is \
             about such streams",
        );
    }
}

/// The law of what is returned.
pub(super) fn law(
    text: &mut Lines,
    algorithm: &Algorithm,
    stream: &[(usize, bool)],
    limits: &Limits,
) -> std::result::Result<FoundCandidates, Fault> {
    let mut law = algorithm.law(stream, limits)?.into_vec();
    law.sort_by(|a, b| a.0.cmp(&b.0));
    text.push("the candidates h_0, …, h_N with their probabilities:");
    let mut outcomes = Vec::new();
    for (functions, weight) in law {
        writeln!(text, "{}  {weight} ≈ {}", functions.iter().join(" "), weight.decimal(6));
        let (candidates, probability) = (labels(&functions), weight.to_string());
        outcomes.push(OutcomeFound { candidates, probability });
    }
    let realisable = fits(algorithm.class(), stream);
    Ok(FoundCandidates::Law(LawFound { realisable, law: outcomes }))
}

/// One run.
pub(super) fn run(
    text: &mut Lines,
    class: &Class,
    stream: &[(usize, bool)],
    run: &Run,
) -> Result<FoundCandidates> {
    table(text, class, run);
    for (j, h) in run.candidates.iter().enumerate() {
        let padded = if j >= run.made { " (padding)" } else { "" };
        let mistakes = h.mistakes(stream);
        writeln!(text, "h_{j} = {h}{padded}: {mistakes} mistakes on the stream");
    }
    let probability = run.probability()?;
    writeln!(text, "probability of this run: {probability} ≈ {}", probability.decimal(6));
    Ok(FoundCandidates::Run(RunFound {
        realisable: fits(class, stream),
        candidates: labels(&run.candidates),
        mistakes: run.candidates.iter().map(|h| h.mistakes(stream)).collect(),
        ended: run.ended,
        made: run.made,
        probability: probability.to_string(),
        steps: run.steps.iter().map(|step| StepFound::new(class, step)).collect(),
    }))
}

fn table(text: &mut Lines, class: &Class, run: &Run) {
    let mut table = vec![HEADER.map(String::from).to_vec()];
    for step in &run.steps {
        let batch = format!("B_{} ({})", step.number, if step.full { "full" } else { "not full" });
        for (number, call) in step.calls.iter().enumerate() {
            for group in 0..call.lists.len() {
                let first = group == 0;
                let once = |text: String, when: bool| if when { text } else { String::new() };
                let (members, list) = &call.lists[group];
                let functions = list.functions.iter().join(" ");
                table.push(vec![
                    once(batch.clone(), first && number == 0),
                    once(call.level.to_string(), first),
                    once(call.p.to_string(), first),
                    (group + 1).to_string(),
                    once(records(class, &received(step, group)), number == 0),
                    once(records(class, &step.samples[group]), number == 0),
                    members.count_ones().to_string(),
                    list.dimension.map_or_else(|| "-".into(), |d| d.to_string()),
                    if functions.is_empty() { "-".into() } else { functions },
                    once(choice(step, call), first),
                ]);
            }
        }
    }
    text.push("records are written point:label at round");
    blocks::left(text, &table);
}

/// The records of a batch that a group received.
fn received(step: &Step, group: usize) -> Vec<Record> {
    let own = step.records.iter().zip(&step.groups).filter(|&(_, &of)| of == group);
    own.map(|(record, _)| *record).collect()
}

fn records(class: &Class, records: &[Record]) -> String {
    if records.is_empty() {
        return "-".into();
    }
    let record = |record: &Record| {
        let point = quote(&class.point_names()[record.point]);
        format!("{point}:{} at {}", u8::from(record.label), record.time)
    };
    records.iter().map(record).join(", ")
}

fn choice(step: &Step, call: &Call) -> String {
    let probability = call.law.weight(&call.answer);
    match &call.answer {
        Some(h) => {
            let (count, all) = (call.count(h), call.lists.len());
            format!("h_{} = {h}, in {count} of {all} lists, probability {probability}", step.number)
        }
        None => format!("bottom, probability {probability}"),
    }
}

fn labels(functions: &[Function]) -> Vec<String> {
    functions.iter().map(ToString::to_string).collect()
}

impl StepFound {
    fn new(class: &Class, step: &Step) -> Self {
        let records = |records: &[Record]| -> Vec<RecordFound> {
            let record = |record: &Record| RecordFound {
                point: class.point_names()[record.point].clone(),
                label: u8::from(record.label),
                round: record.time,
            };
            records.iter().map(record).collect()
        };
        Self {
            number: step.number,
            records: records(&step.records),
            full: step.full,
            groups: step.groups.iter().map(|group| group + 1).collect(),
            samples: step.samples.iter().map(|sample| records(sample)).collect(),
            calls: step.calls.iter().map(CallFound::new).collect(),
        }
    }
}

impl CallFound {
    fn new(call: &Call) -> Self {
        let lists = call.lists.iter().map(|(members, list)| ListFound {
            hypotheses: members.count_ones(),
            decomposition_dimension: list.dimension,
            essential_hypotheses: labels(&list.functions),
        });
        Self {
            level: call.level,
            p: call.p,
            lists: lists.collect(),
            answer: call.answer.as_ref().map(|answer| answer.labels().to_owned()),
            probability: call.law.weight(&call.answer).to_string(),
        }
    }
}
