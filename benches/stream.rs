//! The exact law of one stream: all 2^T outputs under both streams of a pair, and δ.
//!
//!     cargo bench --bench stream -- [--only TEXT]
//!
//! The mechanism is the subsampled SOA on point:3, which retains an example with probability 1/8. The
//! stream is x = 3, 1, 2, 3, 1, 2, … labelled by the first function; its neighbour has (2,1) in
//! round 2; e^ε = 3/2. With an answer flipped with probability 1/4 every output has a probability and
//! is listed, and δ is the greater one of both directions. Without it only δ is computed: histories with the same belief merge, so the time grows
//! by less than a factor 2 a round. The best of several runs on one thread.

mod measure;

use std::io::{self, Write};
use std::rc::Rc;
use std::time::Duration;

use littlestone::catalogue::Standard;
use littlestone::class::families;
use littlestone::exact::{Epsilon, Number};
use littlestone::limits::{Limits, Meter};
use littlestone::mechanism::spec::{Context, Spec};
use littlestone::mechanism::{Automaton, Options, Tools, compile};
use littlestone::privacy::{Neighbour, Neighbours, Notion, Question, both_ways, event_unlisted};

use measure::{best, time};

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip_while(|argument| argument != "--only").skip(1);
    let only = arguments.next();
    let wanted = |name: &str| only.as_ref().is_none_or(|text| name.contains(text.as_str()));
    let epsilon: Epsilon = "ln(3/2)".parse().expect("an ε");
    let question = Question { notion: Notion::Whole, neighbours: Neighbours::Replacement, epsilon };
    let mut out = io::stdout().lock();
    for (name, series, lengths) in [
        ("subsampled-soa:gamma=1/8,flip=1/4", "both laws and δ", 4..=16),
        ("subsampled-soa:gamma=1/8", "δ only", 4..=48),
    ] {
        if !wanted(name) {
            continue;
        }
        let automaton = catalogued(name);
        writeln!(out, "| {name} | {series} | growth | δ |")?;
        writeln!(out, "| ---: | ---: | ---: | --- |")?;
        let mut before: Option<Duration> = None;
        for rounds in lengths.step_by(if series == "δ only" { 4 } else { 1 }) {
            let pair = pair(&automaton, rounds);
            let (spent, found) = best(Duration::from_millis(300), || {
                if series == "δ only" {
                    event_unlisted(&automaton, &question, &pair, &mut Meter::default())
                        .expect("neighbours")
                        .divergence
                } else {
                    let [one, other] =
                        both_ways(&automaton, &question, &pair, &mut Meter::default())
                            .expect("neighbours");
                    one.max(other)
                }
            });
            check(name, rounds, &found);
            let growth = before.map_or_else(String::new, |before| measure::ratio(spent, before));
            writeln!(out, "| T = {rounds} | {} | {growth} | {} |", time(spent), shown(&found))?;
            before = Some(spent);
        }
        writeln!(out)?;
    }
    Ok(())
}

fn catalogued(name: &str) -> Automaton {
    let class = families::generate("point", "3").expect("a family");
    let tools = Tools::new(Rc::new(class), Limits::default());
    let context = Context { tools: Some(tools), catalogue: &Standard, limits: Limits::default() };
    let spec = Spec::parse(name, std::path::Path::new(".")).expect("a mechanism");
    let mechanism = context.resolve(&spec).expect("a mechanism of the catalogue");
    compile(&mechanism, &Options::closed(10_000)).expect("finite").minimised()
}

/// The neighbour and the stream, in the direction that shows more at T = 6.
fn pair(automaton: &Automaton, rounds: usize) -> Neighbour {
    let record = |name: &str| automaton.interface().record_index(name).expect("an example");
    let cycle = ["3:0", "1:1", "2:0"].map(record);
    let first: Vec<usize> = cycle.into_iter().cycle().take(rounds).collect();
    let mut second = first.clone();
    second[1] = record("2:1");
    Neighbour { first: second, second: first }
}

/// The values of a published computation.
fn check(name: &str, rounds: usize, found: &Number) {
    let expected = match (name.contains("flip"), rounds) {
        (true, 4 | 5) => "0",
        (true, 6) => "39407/2097152",
        _ => return,
    };
    assert_eq!(found.to_string(), expected, "{name} at T = {rounds}");
}

fn shown(found: &Number) -> String {
    let text = found.to_string();
    if text.len() <= 24 { text } else { found.decimal(6) }
}
