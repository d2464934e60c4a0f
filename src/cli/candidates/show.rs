//! How a run and a law are printed.

use itertools::Itertools;
use serde_json::{Value, json};

use crate::catalogue::candidates::{Call, Function, Record, Run, Step, fits};
use crate::error::Result;
use crate::exact::show;
use crate::text::{Lines, quote};

use super::super::common::{self, Object};
use super::{Args, Shown, What};

const HEADER: [&str; 10] =
    ["batch", "ℓ", "p", "group", "received", "stored", "hypotheses", "dimension", "list", "choice"];

/// ⊥, in tables and JSON.
const BOTTOM: &str = "bottom";

pub(super) fn human(shown: &Shown<'_>, args: &Args) -> Result<Lines> {
    let parameters = shown.algorithm.parameters();
    let mut text = Lines::new();
    text.push(&common::class_line(&args.class, shown.class));
    if !fits(shown.class, shown.stream) {
        text.push(
            "note: no hypothesis fits the stream; of what the paper proves here, privacy alone is \
             about such streams",
        );
    }
    let thresholds = parameters.thresholds.iter().map(show).join(", ");
    let lists = parameters.lists.iter().join(", ");
    writeln!(
        text,
        "parameters: d = {}, n = {}, k = {}, s = {}, N = {}, K = {}, h_0 = {}, variant {}",
        parameters.ambient,
        parameters.sample,
        parameters.groups,
        parameters.list_bound,
        parameters.candidates,
        parameters.batch,
        parameters.first,
        args.variant.0,
    );
    writeln!(text, "thresholds a: {thresholds}; list parameters p: {lists}");
    for condition in parameters.conditions() {
        let word = if condition.holds { "as in the paper" } else { "not as in the paper" };
        writeln!(text, "{word}: {}", condition.text);
    }
    match &shown.what {
        What::Run(run) => run_lines(&mut text, shown, run)?,
        What::Law(law) => {
            writeln!(text, "the candidates h_0, …, h_N with their probabilities:");
            for (functions, weight) in law {
                let shown_weight = format!("{weight} ≈ {}", weight.decimal(6));
                writeln!(text, "{}  {shown_weight}", functions.iter().join(" "));
            }
        }
    }
    Ok(text)
}

fn run_lines(text: &mut Lines, shown: &Shown<'_>, run: &Run) -> Result<()> {
    let mut table = vec![HEADER.map(String::from)];
    for step in &run.steps {
        let batch = format!("B_{} ({})", step.number, if step.full { "full" } else { "not full" });
        for (number, call) in step.calls.iter().enumerate() {
            for group in 0..call.lists.len() {
                let first = group == 0;
                let once = |text: String, when: bool| if when { text } else { String::new() };
                let list = &call.lists[group].1;
                table.push([
                    once(batch.clone(), first && number == 0),
                    once(call.level.to_string(), first),
                    once(call.p.to_string(), first),
                    (group + 1).to_string(),
                    once(records(shown, &received(step, group)), number == 0),
                    once(records(shown, &step.samples[group]), number == 0),
                    call.lists[group].0.count_ones().to_string(),
                    list.dimension.map_or_else(|| "-".into(), |d| d.to_string()),
                    if list.functions.is_empty() {
                        "-".into()
                    } else {
                        list.functions.iter().join(" ")
                    },
                    once(choice(step, call), first),
                ]);
            }
        }
    }
    text.push("records are written point:label at round");
    let widths: Vec<usize> = (0..HEADER.len())
        .map(|column| table.iter().map(|row| row[column].chars().count()).max().unwrap_or(0))
        .collect();
    for row in &table {
        let cells: Vec<String> =
            row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}")).collect();
        writeln!(text, "{}", cells.join("  ").trim_end());
    }
    for (j, h) in run.candidates.iter().enumerate() {
        let padded = if j >= run.made { " (padding)" } else { "" };
        let mistakes = h.mistakes(shown.stream);
        writeln!(text, "h_{j} = {h}{padded}: {mistakes} mistakes on the stream");
    }
    let probability = run.probability()?;
    writeln!(text, "probability of this run: {probability} ≈ {}", probability.decimal(6));
    Ok(())
}

/// The records of a batch that a group received.
fn received(step: &Step, group: usize) -> Vec<Record> {
    let own = step.records.iter().zip(&step.groups).filter(|&(_, &of)| of == group);
    own.map(|(record, _)| *record).collect()
}

fn records(shown: &Shown<'_>, records: &[Record]) -> String {
    if records.is_empty() {
        return "-".into();
    }
    let record = |record: &Record| {
        let point = quote(&shown.class.point_names()[record.point]);
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
        None => format!("{BOTTOM}, probability {probability}"),
    }
}

pub(super) fn json(shown: &Shown<'_>, args: &Args) -> Result<Object> {
    let parameters = shown.algorithm.parameters();
    let mut object = common::object("candidates");
    object.insert("class", Value::from(args.class.as_str()));
    object.insert("hypotheses", Value::from(shown.class.hypotheses()));
    object.insert("points", Value::from(shown.class.points()));
    object.insert("realisable", Value::from(fits(shown.class, shown.stream)));
    object.insert("variant", Value::from(args.variant.0));
    let conditions = parameters.conditions().into_iter();
    let conditions: Vec<Value> = conditions
        .map(|condition| json!({ "condition": condition.text, "holds": condition.holds }))
        .collect();
    object.insert("conditions", conditions.into());
    object.insert(
        "parameters",
        json!({
            "K": parameters.batch,
            "N": parameters.candidates,
            "d": parameters.ambient,
            "first": parameters.first.labels(),
            "k": parameters.groups,
            "lists": parameters.lists,
            "n": parameters.sample,
            "s": parameters.list_bound.to_string(),
            "score": show(&parameters.score),
            "thresholds": parameters.thresholds.iter().map(show).collect_vec(),
        }),
    );
    match &shown.what {
        What::Law(law) => {
            let outcomes = law.iter().map(|(functions, weight)| {
                json!({ "candidates": labels(functions), "probability": weight.to_string() })
            });
            object.insert("law", outcomes.collect());
        }
        What::Run(run) => {
            object.insert("candidates", labels(&run.candidates).into());
            let mistakes = run.candidates.iter().map(|h| h.mistakes(shown.stream));
            object.insert("mistakes", mistakes.collect_vec().into());
            object.insert("ended", Value::from(run.ended));
            object.insert("made", Value::from(run.made));
            object.insert("probability", Value::from(run.probability()?.to_string()));
            object.insert("steps", run.steps.iter().map(|step| step_json(shown, step)).collect());
        }
    }
    Ok(object)
}

fn labels(functions: &[Function]) -> Vec<String> {
    functions.iter().map(ToString::to_string).collect()
}

fn step_json(shown: &Shown<'_>, step: &Step) -> Value {
    let record = |record: &Record| {
        json!({
            "label": u8::from(record.label),
            "point": shown.class.point_names()[record.point],
            "round": record.time,
        })
    };
    let calls = step.calls.iter().map(|call| {
        let lists = call.lists.iter().map(|(members, list)| {
            json!({
                "decomposition_dimension": list.dimension,
                "essential_hypotheses": labels(&list.functions),
                "hypotheses": members.count_ones(),
            })
        });
        json!({
            "answer": call.answer.as_ref().map(Function::labels),
            "level": call.level,
            "lists": lists.collect_vec(),
            "p": call.p,
            "probability": call.law.weight(&call.answer).to_string(),
        })
    });
    json!({
        "calls": calls.collect_vec(),
        "full": step.full,
        "groups": step.groups.iter().map(|group| group + 1).collect_vec(),
        "number": step.number,
        "records": step.records.iter().map(record).collect_vec(),
        "samples": step
            .samples
            .iter()
            .map(|sample| sample.iter().map(record).collect_vec())
            .collect_vec(),
    })
}
