//! The answer about privacy for reading.

use crate::exact::Number;
use crate::mechanism::{Automaton, Kind, stream};
use crate::privacy::{Event, Every, Notion, Verdict, Worst};
use crate::questions::blocks::{count, equal_decimal};
use crate::questions::subject::{MechanismName, StreamScope};
use crate::questions::written::ClassName;
use crate::text::Lines;

use super::answer::{inequality, records, shown};
use super::neighbours::Relation;
use super::resolved::{Found, Overall, Resolved, Row, Witness};

/// An event with at most so many words is listed for the human eye.
const LISTED: usize = 16;

/// The event of a pair whose words are not listed.
pub(super) const RULE: &str = "the outputs y with P(y) > e^ε·Q(y)";

fn line(text: &mut Lines, name: &str, value: &str) {
    writeln!(text, "{name}: {value}");
}

/// The first lines about a mechanism: what it is, and what of it is compared.
pub(in crate::questions) struct Heading<'h> {
    pub(in crate::questions) mechanism: &'h MechanismName,
    pub(in crate::questions) class: Option<&'h ClassName>,
    pub(in crate::questions) automaton: &'h Automaton,
    pub(in crate::questions) notion: Notion,
    pub(in crate::questions) relation: &'h Relation,
    pub(in crate::questions) streams: StreamScope,
    /// The numbers of rounds, unless listed pairs tell.
    pub(in crate::questions) rounds: Option<String>,
}

impl Heading<'_> {
    pub(in crate::questions) fn write(&self, text: &mut Lines) {
        let kind = self.automaton.interface().kind();
        let states = count(self.automaton.len(), "state", "states");
        line(text, "mechanism", &format!("{} ({kind}, {states})", self.mechanism));
        if let Some(class) = self.class {
            line(text, "class", class.as_str());
        }
        line(
            text,
            "notion",
            match self.notion {
                Notion::Joint => {
                    "joint (ε,δ)-differential privacy, Definition 4, the answer of the differing \
                     round is dropped on both sides"
                }
                Notion::Whole => "(ε,δ)-differential privacy, Definition 2, whole outputs",
            },
        );
        line(text, "neighbours", &self.relation.line(self.streams, kind));
        if let Some(rounds) = &self.rounds {
            line(text, if kind == Kind::OneShot { "records" } else { "rounds" }, rounds);
        }
    }
}

fn question(text: &mut Lines, resolved: &Resolved, every: bool) {
    let (asked, rounds) = (&resolved.asked, resolved.rounds);
    let written = if every {
        Some("every number".to_owned())
    } else if rounds.range {
        Some(format!("{}..{}", rounds.first, rounds.last))
    } else {
        resolved.relation.lengths(rounds.last)
    };
    let heading = Heading {
        mechanism: &asked.subject.mechanism,
        class: asked.subject.class(),
        automaton: &resolved.automaton,
        notion: resolved.question.notion,
        relation: &resolved.relation,
        streams: asked.streams,
        rounds: written,
    };
    heading.write(text);
    line(text, "ε", &resolved.question.epsilon.to_string());
    if let Some(delta) = asked.delta() {
        line(text, "δ", &delta.to_string());
    }
}

/// The text about certain numbers of rounds.
pub(super) fn lengths(resolved: &Resolved, found: &Found) -> Lines {
    let mut text = Lines::new();
    let delta = resolved.asked.delta();
    question(&mut text, resolved, false);
    if resolved.rounds.range {
        table(&mut text, delta.is_some(), found);
    }
    match found.overall() {
        None => {}
        Some(Overall::Exact(delta, pair)) => {
            line(&mut text, "worst δ", &equal_decimal(&delta));
            let same =
                found.counterexample.as_ref().is_some_and(|c| Some(&c.pair) == pair.as_ref());
            if same {
                line(&mut text, "attained by", "the counterexample");
            } else {
                attained(&mut text, resolved, &delta, found.attained_by.as_ref());
            }
        }
        Some(Overall::Between(lower, upper)) => {
            let (lower, upper) = (equal_decimal(&lower), equal_decimal(&upper));
            writeln!(text, "{lower} ≤ worst δ ≤ {upper}");
        }
    }
    if let (Some(witness), Some(delta)) = (&found.counterexample, delta) {
        counterexample(&mut text, resolved, witness, delta);
    }
    if let Some(verdict) = found.verdict.filter(|verdict| *verdict != Verdict::Undecided) {
        line(&mut text, "verdict", &verdict.to_string());
    }
    text
}

/// The text about every number of rounds.
pub(super) fn every(resolved: &Resolved, every: &Every, witness: Option<&Witness>) -> Lines {
    let mut text = Lines::new();
    question(&mut text, resolved, true);
    if let Some(step) = &every.step {
        let from = format!("from each of {} before a round", count(step.states, "state", "states"));
        let bound = format!("δ ≤ {}, {from}", equal_decimal(&step.bound));
        line(&mut text, "bound from one step", &bound);
        if let Some(split) = step.attained_by.as_ref().filter(|_| !step.bound.is_zero()) {
            let (first, second) = records(resolved, split);
            line(&mut text, "  state", &resolved.automaton.states()[split.state]);
            line(&mut text, "  records", &format!("{first} against {second}"));
            if let Some(next) = shown(resolved, split) {
                line(&mut text, "  then shown", &next);
            }
        }
    }
    if let Some(ends) = &every.ends {
        let from = format!("from {} of states", count(ends.pairs, "pair", "pairs"));
        let bound = format!("δ ≤ {}, {from}", equal_decimal(&ends.bound));
        line(&mut text, "bound from the outputs", &bound);
    }
    let Some(delta) = resolved.asked.delta() else { return text };
    if every.verdict != Verdict::Holds {
        let holds = match every.verdict {
            Verdict::Refuted => every.decided.saturating_sub(1),
            _ => every.decided,
        };
        let decided = match holds {
            0 => None,
            1 => Some("holds for T = 1".to_owned()),
            last => Some(format!("holds for T = 1, …, {last}")),
        };
        if let Some(decided) = decided {
            line(&mut text, "decided directly", &decided);
        }
    }
    if let Some(witness) = witness {
        counterexample(&mut text, resolved, witness, delta);
    }
    let at = format!("worst δ at T = {}", every.decided);
    match &every.worst {
        Some(Worst::Exact { delta, .. }) => line(&mut text, &at, &equal_decimal(delta)),
        Some(Worst::Between { lower, upper, .. }) => {
            let bounds = format!("from {} to {}", equal_decimal(lower), equal_decimal(upper));
            line(&mut text, &at, &bounds);
        }
        None => {}
    }
    match every.verdict {
        Verdict::Holds => line(&mut text, "verdict", "holds for every T"),
        Verdict::Refuted => line(&mut text, "verdict", "refuted"),
        Verdict::Undecided => {}
    }
    text
}

/// One line for each length.
fn table(text: &mut Lines, judged: bool, found: &Found) {
    let verdict = if judged { "verdict" } else { "" };
    let mut cells: Vec<[String; 3]> = vec![["T", "worst δ", verdict].map(String::from)];
    cells.extend(found.rows.iter().map(|row| [row.rounds.to_string(), worst(row), judgement(row)]));
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
        Worst::Exact { delta, .. } => equal_decimal(delta),
        Worst::Between { lower, upper, .. } => format!("from {lower} to {upper}"),
    }
}

fn judgement(row: &Row) -> String {
    row.judgement.as_ref().map_or_else(String::new, |judgement| judgement.verdict.to_string())
}

fn attained(text: &mut Lines, resolved: &Resolved, delta: &Number, witness: Option<&Witness>) {
    match witness {
        Some(witness) if !delta.is_zero() => {
            line(text, "attained by", &differing(witness));
            pair(text, resolved, witness);
        }
        Some(_) => {
            line(text, "attained by", "every pair of neighbours, for no output is too likely");
        }
        None => line(text, "attained by", "nothing, for there are no neighbours"),
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

fn pair(text: &mut Lines, resolved: &Resolved, witness: &Witness) {
    let interface = resolved.automaton.interface();
    let written = |records: &[usize]| {
        if records.is_empty() { "(empty)".to_owned() } else { stream::write(interface, records) }
    };
    let event = &witness.event;
    line(text, "  S", &written(&witness.pair.first));
    line(text, "  S'", &written(&witness.pair.second));
    line(text, "  event E", &words(resolved, witness));
    line(text, "  P[A(S) ∈ E]", &event.first.to_string());
    line(text, "  P[A(S') ∈ E]", &event.second.to_string());
}

fn counterexample(text: &mut Lines, resolved: &Resolved, witness: &Witness, delta: &Number) {
    line(text, "counterexample", &differing(witness));
    pair(text, resolved, witness);
    let event = &witness.event;
    let epsilon = &resolved.question.epsilon;
    let (_, shown) = inequality(&event.first, &event.second, epsilon, delta);
    line(text, "  P[A(S) ∈ E] > e^ε · P[A(S') ∈ E] + δ", &shown);
}

/// The symbols of a word by name; `None` stands for the symbol that joint privacy leaves out.
pub(super) fn symbols<'a>(
    resolved: &'a Resolved,
    event: &Event,
    word: &[usize],
) -> Vec<Option<&'a str>> {
    let outputs = resolved.automaton.outputs();
    let mut symbols: Vec<Option<&str>> =
        word.iter().map(|&output| Some(outputs[output].as_str())).collect();
    if resolved.question.notion == Notion::Joint {
        symbols.insert(event.round, None);
    }
    symbols
}

/// The event as a set of words, or its size and rule. Symbols of one character stand side by
/// side; `·` is the answer that joint privacy leaves out.
fn words(resolved: &Resolved, witness: &Witness) -> String {
    let event = &witness.event;
    if !witness.listed {
        return RULE.to_owned();
    }
    if event.words.len() > LISTED {
        return format!("the {} outputs y with P(y) > e^ε·Q(y)", event.words.len());
    }
    let automaton = &resolved.automaton;
    let narrow = automaton.interface().kind() != Kind::Learner
        && automaton.outputs().iter().all(|output| output.chars().count() == 1);
    let word = |word: &Vec<usize>| {
        let symbols = symbols(resolved, event, word).into_iter();
        let symbols: Vec<&str> = symbols.map(|symbol| symbol.unwrap_or("·")).collect();
        symbols.join(if narrow { "" } else { " " })
    };
    let words: Vec<String> = event.words.iter().map(word).collect();
    format!("{{{}}}", words.join(", "))
}
