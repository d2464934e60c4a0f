//! The report of `verify` for reading.

use super::{
    Adjacency, Asked, Found, Overall, Row, Scope, Witness, inequality, with_decimal, words,
};
use crate::exact::Number;
use crate::mechanism::{Kind, stream};
use crate::privacy::{Notion, Worst};
use crate::text::Lines;

/// The report; its last line is `verdict: …` when δ was given.
pub fn human(asked: &Asked<'_>, found: &Found) -> Lines {
    let mut text = Lines::new();
    question(&mut text, asked);
    if asked.table {
        table(&mut text, asked, found);
    }
    match found.overall() {
        None => {}
        Some(Overall::Exact(delta, pair)) => {
            line(&mut text, "worst δ", &with_decimal(&delta));
            let same =
                found.counterexample.as_ref().is_some_and(|c| Some(&c.pair) == pair.as_ref());
            if same {
                line(&mut text, "attained by", "the counterexample");
            } else {
                attained(&mut text, asked, &delta, pair.is_some(), found.attained_by.as_ref());
            }
        }
        Some(Overall::Between(lower, upper)) => {
            let (lower, upper) = (with_decimal(&lower), with_decimal(&upper));
            writeln!(text, "{lower} ≤ worst δ ≤ {upper}");
        }
    }
    if let (Some(witness), Some(delta)) = (&found.counterexample, asked.delta) {
        counterexample(&mut text, asked, witness, delta);
    }
    match (found.verdict, asked.delta) {
        (Some(verdict), _) => line(&mut text, "verdict", &verdict.to_string()),
        (None, _) if found.stopped.is_some() => line(&mut text, "verdict", "undecided"),
        _ => {}
    }
    text
}

pub(super) fn line(text: &mut Lines, name: &str, value: &str) {
    writeln!(text, "{name}: {value}");
}

pub(super) fn question(text: &mut Lines, asked: &Asked<'_>) {
    let states = asked.automaton.len();
    let states = format!("{states} {}", if states == 1 { "state" } else { "states" });
    let kind = asked.automaton.interface().kind();
    line(text, "mechanism", &format!("{} ({kind}, {states})", asked.mechanism));
    if let Some(class) = asked.class {
        line(text, "class", class);
    }
    line(text, "notion", notion(asked.notion));
    line(text, "neighbours", &neighbours(asked.adjacency, asked.scope, kind));
    let rounds = match (asked.adjacency, asked.rounds) {
        (Adjacency::Listed(_) | Adjacency::Adjacent(_), _) => None,
        _ if asked.every_length => Some("every number".to_owned()),
        (Adjacency::AddRemove, (last, _)) if !asked.table => {
            Some(format!("{last} and {}", last - 1))
        }
        (_, (first, last)) if asked.table => Some(format!("{first}..{last}")),
        (_, (_, last)) => Some(last.to_string()),
    };
    if let Some(rounds) = rounds {
        line(text, if kind == Kind::OneShot { "records" } else { "rounds" }, &rounds);
    }
    line(text, "ε", &asked.epsilon.to_string());
    if let Some(delta) = asked.delta {
        line(text, "δ", &delta.to_string());
    }
}

/// Which pairs were compared.
pub(in crate::report) fn neighbours(adjacency: Adjacency, scope: Scope, kind: Kind) -> String {
    let what = if kind == Kind::OneShot { "data sets" } else { "streams" };
    let neighbours = match adjacency {
        Adjacency::Replacement => "replacement of one record".to_owned(),
        Adjacency::AddRemove => "one record more or less".to_owned(),
        Adjacency::Adjacent(pairs) => {
            format!("vectors whose answers move by at most one ({pairs} pairs), in both directions")
        }
        Adjacency::Listed(1) => "1 listed pair, in both directions".to_owned(),
        Adjacency::Listed(pairs) => format!("{pairs} listed pairs, in both directions"),
    };
    let scope = match (adjacency, scope) {
        (Adjacency::Listed(_) | Adjacency::Adjacent(_), _) => String::new(),
        (_, Scope::All) => format!(", all {what}"),
        (_, Scope::Realisable) => format!(", realisable {what} only"),
    };
    neighbours + &*scope
}

pub(in crate::report) fn notion(notion: Notion) -> &'static str {
    match notion {
        Notion::Joint => {
            "joint (ε,δ)-differential privacy, Definition 4, the answer of the differing round is \
             dropped on both sides"
        }
        Notion::Whole => "(ε,δ)-differential privacy, Definition 2, whole outputs",
    }
}

/// One line for each length.
fn table(text: &mut Lines, asked: &Asked<'_>, found: &Found) {
    let mut cells: Vec<[String; 3]> = vec![["T".into(), "worst δ".into(), String::new()]];
    cells.extend(found.rows.iter().map(|row| [row.rounds.to_string(), worst(row), verdict(row)]));
    if asked.delta.is_some() {
        cells[0][2] = "verdict".into();
    }
    let width = |column: usize| -> usize {
        cells.iter().map(|row| row[column].chars().count()).max().unwrap_or(0)
    };
    let widths = [width(0), width(1)];
    for [rounds, worst, verdict] in &cells {
        let row = format!("{rounds:>0$}  {worst:<1$}  {verdict}", widths[0], widths[1]);
        writeln!(text, "{}", row.trim_end());
    }
}

fn worst(row: &Row) -> String {
    match &row.worst {
        Worst::Exact { delta, .. } => with_decimal(delta),
        Worst::Between { lower, upper, .. } => format!("from {lower} to {upper}"),
    }
}

fn verdict(row: &Row) -> String {
    row.judgement.as_ref().map_or_else(String::new, |judgement| judgement.verdict.to_string())
}

fn attained(
    text: &mut Lines,
    asked: &Asked<'_>,
    delta: &Number,
    exists: bool,
    witness: Option<&Witness>,
) {
    match witness {
        Some(witness) if !delta.is_zero() => {
            line(text, "attained by", &differing(witness));
            pair(text, asked, witness);
        }
        _ if exists => {
            line(text, "attained by", "every pair of neighbours, for no output is too likely");
        }
        _ => line(text, "attained by", "nothing, for there are no neighbours"),
    }
}

/// Where the two streams of a witness differ.
fn differing(witness: &Witness) -> String {
    let (first, second) = (&witness.pair.first, &witness.pair.second);
    let rounds = first.len().max(second.len());
    let different = (0..rounds).filter(|&i| first.get(i) != second.get(i)).count();
    let round = witness.event.round + 1;
    if first.len() != second.len() {
        "data sets S and S', of different sizes".to_owned()
    } else if different == 1 {
        format!("streams S and S', which differ in round {round}")
    } else {
        format!("streams S and S', which differ in {different} rounds")
    }
}

fn pair(text: &mut Lines, asked: &Asked<'_>, witness: &Witness) {
    let interface = asked.automaton.interface();
    let written = |records: &[usize]| {
        if records.is_empty() { "(empty)".to_owned() } else { stream::write(interface, records) }
    };
    let event = &witness.event;
    line(text, "  S", &written(&witness.pair.first));
    line(text, "  S'", &written(&witness.pair.second));
    line(text, "  event E", &words::event(asked.automaton, asked.notion, witness));
    line(text, "  P[A(S) ∈ E]", &event.first.to_string());
    line(text, "  P[A(S') ∈ E]", &event.second.to_string());
}

pub(super) fn counterexample(
    text: &mut Lines,
    asked: &Asked<'_>,
    witness: &Witness,
    delta: &Number,
) {
    line(text, "counterexample", &differing(witness));
    pair(text, asked, witness);
    let event = &witness.event;
    let (_, shown) = inequality(&event.first, &event.second, asked.epsilon, delta);
    line(text, "  P[A(S) ∈ E] > e^ε · P[A(S') ∈ E] + δ", &shown);
}
