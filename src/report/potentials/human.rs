//! Potentials as tables.

use std::fmt::Write as _;

use super::{Asked, Instances, choices, shown, tightest};
use crate::exact::Number;
use crate::potentials::{Choice, Constant, Verdict};
use crate::text::Lines;

/// Digits after the point.
const DIGITS: u32 = 8;

/// A line for each stage, and one for each statement and stage: the instance with the least slack.
pub fn human(asked: &Asked<'_>) -> Lines {
    let found = asked.potentials;
    let adversary = &found.adversary;
    let mut text = Lines::new();
    writeln!(text, "mechanism: {} (learner)", asked.mechanism);
    if let Some(class) = asked.class {
        writeln!(text, "class: {class}");
    }
    let [dummy, point] = &asked.examples;
    writeln!(
        text,
        "adversary: thirds, T = {}, L = {}, p = {}; dummy {dummy}, informative {point}:B",
        adversary.rounds(),
        found.length(),
        adversary.probability()
    );
    let real = found.delta(found.length());
    writeln!(text, "ε: {}", found.epsilon);
    writeln!(text, "δ of the labels at {point} on the streams compared: {}", shown(&real));
    if let Some(claimed) = asked.delta {
        writeln!(text, "δ claimed, and used below: {claimed}");
    }
    writeln!(text);
    let mut cells =
        vec![["t", "E[I_t]", "E[W_t]", "E[D_t]", "greatest δ"].map(String::from).to_vec()];
    for t in 0..=found.length() {
        let last = t == found.length();
        let mean = |value: fn(&Choice) -> Number| found.mean(t, value).decimal(DIGITS);
        let delta = found.stages[t].iter().map(|choice| &choice.delta).max();
        cells.push(vec![
            t.to_string(),
            mean(Choice::information),
            mean(|choice| choice.ratios.variance.clone()),
            if last { "-".into() } else { mean(|choice| choice.ratios.difference.clone()) },
            if last { "-".into() } else { delta.map_or("-".into(), |d| d.decimal(DIGITS)) },
        ]);
    }
    table(&mut text, &cells);
    writeln!(text);
    let header =
        ["statement", "t", "choices", "left", "", "right", "slack", "trivial", "δ", "verdict"];
    let mut cells = vec![header.map(String::from).to_vec()];
    let instances = asked.statements();
    for Instances { statement, rows } in &instances {
        for t in 0..=found.length() {
            let of_stage: Vec<_> = rows.iter().filter(|row| row.stage == t).cloned().collect();
            let Some(row) = tightest(&of_stage) else { continue };
            let empty = of_stage.iter().filter(|r| r.verdict() == Verdict::Vacuous).count();
            let mut verdict = row.verdict().name().to_owned();
            if empty > 0 && of_stage.len() > empty {
                let _ = write!(verdict, " ({empty} of {} vacuous)", of_stage.len());
            }
            cells.push(vec![
                statement.name.to_owned(),
                t.to_string(),
                choices(row.thirds.as_deref()),
                row.left.decimal(DIGITS),
                row.relation.sign().to_owned(),
                row.right.decimal(DIGITS),
                row.slack().decimal(DIGITS),
                row.trivial.decimal(DIGITS),
                row.delta.decimal(DIGITS),
                verdict,
            ]);
        }
    }
    table(&mut text, &cells);
    writeln!(text);
    let constants = asked.constants();
    if !constants.is_empty() {
        writeln!(
            text,
            "remark: constants that would do for this learner, each where the others are as printed"
        );
        for Constant { statement, summand, printed, sharp, .. } in &constants {
            let sharp = sharp.decimal(DIGITS);
            writeln!(text, "  {statement}: {sharp} in place of {printed} in {summand}");
        }
    }
    for remark in asked.remarks() {
        writeln!(text, "note: {remark}");
    }
    let rows = || instances.iter().flat_map(|i| &i.rows);
    let refuted = rows().filter(|row| row.verdict() == Verdict::Refuted).count();
    let vacuous = rows().filter(|row| row.verdict() == Verdict::Vacuous).count();
    writeln!(text, "instances: {}, {refuted} refuted, {vacuous} vacuous", rows().count());
    let verdict = if refuted > 0 { "refuted" } else { "holds" };
    writeln!(text, "verdict: {verdict}");
    text
}

fn table(text: &mut Lines, cells: &[Vec<String>]) {
    let columns = cells.first().map_or(0, Vec::len);
    let width =
        |column: usize| cells.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for row in cells {
        let padded = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        let line: Vec<String> = padded.collect();
        writeln!(text, "{}", line.join("  ").trim_end());
    }
}
