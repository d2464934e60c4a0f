//! Exact worst δ: the engine against a literal loop over streams, coins and outputs with the same
//! integer weights.
//!
//!     cargo bench --bench privacy -- [--long] [--only TEXT]
//!
//! Both compute the same δ or the bench panics. Where the loop would take too long, its time is
//! that of a sample of the pairs, scaled up, and marked with a star. Ratios are what matters. See
//! `docs/benchmarks.md`.

mod loops;
mod measure;

use std::io::{self, Write};
use std::rc::Rc;
use std::time::Duration;

use littlestone::catalogue::Standard;
use littlestone::class::families;
use littlestone::error::Result;
use littlestone::exact::{Epsilon, Number, Rational};
use littlestone::limits::{Limits, Progress};
use littlestone::mechanism::spec::{Context, Spec};
use littlestone::mechanism::{
    Automaton, Interface, Law, Mechanism, Options, Output, Tools, compile,
};
use littlestone::privacy::{Lengths, Neighbours, Notion, Question, Streams, Worst, worst_delta};

use loops::Loops;
use measure::{grouped, peak_memory, ratio, time, timed};

/// A row of the table: mechanism on point:3, notion, ε, greatest T in a short and a long run.
const ROWS: [(&str, Notion, &str, usize, usize); 4] = [
    ("subsampled-soa:gamma=1/8,flip=1/4", Notion::Joint, "ln(3/2)", 7, 9),
    ("subsampled-soa:gamma=1/8", Notion::Joint, "ln(3/2)", 7, 8),
    ("subsampled-soa:gamma=1/8,flip=1/4", Notion::Whole, "ln(3/2)", 6, 7),
    ("subsampled-soa-learner:gamma=1/8", Notion::Whole, "ln(3/2)", 6, 7),
];

/// The loop over all pairs is run in full while it takes fewer steps than this.
const STEPS: u128 = 2_000_000_000;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let long = arguments.iter().any(|a| a == "--long");
    let only = arguments.iter().position(|a| a == "--only").map(|i| arguments[i + 1].clone());
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "| mechanism on point:3 | T | worst δ | engine | states | loop over pairs | ratio |"
    )?;
    writeln!(out, "| --- | ---: | --- | ---: | ---: | ---: | ---: |")?;
    for (name, notion, epsilon, short, greatest) in ROWS {
        if only.as_ref().is_some_and(|text| !name.contains(text)) {
            continue;
        }
        let automaton = catalogued(name);
        let rounds = 2..=if long { greatest } else { short };
        for rounds in rounds {
            let question = question(notion, epsilon);
            let (engine, states, delta) = measured(&automaton, &question, rounds);
            let (slow, scaled) = literal(&automaton, &question, rounds, &delta);
            writeln!(
                out,
                "| {name}, {} | {rounds} | {delta} | {} | {} | {}{} | {} |",
                if notion == Notion::Joint { "joint" } else { "whole outputs" },
                time(engine),
                grouped(states.into()),
                time(slow),
                if scaled { "*" } else { "" },
                ratio(slow, engine),
            )?;
            out.flush()?;
        }
    }
    writeln!(
        out,
        "\n| 3 states, binary records and outputs, denominators ≤ 16 | T | engine | states |"
    )?;
    writeln!(out, "| --- | ---: | ---: | ---: |")?;
    for (name, automaton, greatest) in [
        ("seed 1", random(1), 12),
        ("seed 2", random(2), 12),
        ("seed 3", random(3), 12),
        ("beliefs merge", merging(), 20),
    ] {
        if only.as_ref().is_some_and(|text| !name.contains(text.as_str())) {
            continue;
        }
        let question = question(Notion::Whole, "ln(3/2)");
        for rounds in [greatest - 4, greatest - 2, greatest] {
            let (engine, states, _) = measured(&automaton, &question, rounds);
            writeln!(out, "| {name} | {rounds} | {} | {} |", time(engine), grouped(states.into()))?;
            out.flush()?;
        }
    }
    if let Some(memory) = peak_memory() {
        writeln!(out, "\nPeak memory: {memory}.")?;
    }
    Ok(())
}

fn question(notion: Notion, epsilon: &str) -> Question {
    let epsilon: Epsilon = epsilon.parse().expect("an ε");
    Question { notion, neighbours: Neighbours::Replacement, epsilon }
}

fn catalogued(name: &str) -> Automaton {
    let class = families::generate("point", "3").expect("a family");
    let tools = Tools::new(Rc::new(class), Limits::default());
    let context = Context { tools: Some(tools), catalogue: &Standard, limits: Limits::default() };
    let spec = Spec::parse(name, std::path::Path::new(".")).expect("a mechanism");
    let mechanism = context.resolve(&spec).expect("a mechanism of the catalogue");
    compile(&mechanism, &Options::closed(10_000)).expect("finite").minimised()
}

/// The engine's time for the worst δ of all lengths up to `rounds`, with the least pair that attains
/// it at the last one, on one thread.
fn measured(automaton: &Automaton, question: &Question, rounds: usize) -> (Duration, u64, Number) {
    let streams = Streams::all(automaton.interface().records());
    let progress = Progress::default();
    let lengths = Lengths { last: rounds, from: rounds, above: None };
    let (time, worst) = timed(|| {
        worst_delta(automaton, &streams, question, &lengths, &Limits::default(), &progress)
            .expect("an admissible question")
    });
    let Some(Worst::Exact { delta, .. }) = worst.into_iter().next_back() else {
        unreachable!("no limit was set")
    };
    (time, progress.states(), delta)
}

/// The time of the loop over all pairs, and whether it was scaled up from a sample.
fn literal(
    automaton: &Automaton,
    question: &Question,
    rounds: usize,
    delta: &Number,
) -> (Duration, bool) {
    let loops = Loops::new(automaton, question);
    let pairs = loops.pairs(rounds);
    let steps = pairs * loops.steps(rounds);
    let share = (steps / STEPS + 1).min(pairs);
    let (time, worst) = timed(|| loops.worst(rounds, share));
    if share == 1 {
        assert_eq!(worst, *delta, "the loop and the engine agree");
        (time, false)
    } else {
        assert!(worst <= *delta, "no pair exceeds the worst δ");
        (time * u32::try_from(share).expect("a share"), true)
    }
}

/// A mechanism given by weights in sixteenths: for each state the law of (output, next state), and
/// for each record that of the next state.
struct Sixteenths {
    interface: Interface,
    rows: Vec<(Weights, [Weights; 2])>,
}

type Weights = Vec<(usize, i64)>;

fn law<T: Clone + Eq + std::hash::Hash>(
    weights: &[(usize, i64)],
    outcome: impl Fn(usize) -> T,
) -> Result<Law<T>> {
    let sixteenth = Number::from(Rational::new(1.into(), 16.into()));
    Law::new("row", weights.iter().map(|&(i, w)| (outcome(i), &Number::from(w) * &sixteenth)))
}

impl Mechanism for Sixteenths {
    type State = usize;

    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn start(&self) -> Result<Law<usize>> {
        Ok(Law::certain(0))
    }

    fn respond(&self, state: &usize, _: usize) -> Result<Law<(Output, usize)>> {
        law(&self.rows[*state].0, |i| (self.interface.outputs()[i / 3].clone(), i % 3))
    }

    fn observe(&self, state: &usize, after: usize) -> Result<Law<usize>> {
        law(&self.rows[*state].1[after], |i| i)
    }
}

fn compiled(rows: Vec<(Weights, [Weights; 2])>) -> Automaton {
    let names = |prefix: &str| (0..2).map(|i| format!("{prefix}{i}")).collect();
    let interface = Interface::transducer(vec![], names("o"), names("y")).expect("alphabets");
    compile(&Sixteenths { interface, rows }, &Options::closed(100)).expect("three states")
}

/// A random mechanism with three states over binary records and outputs.
fn random(seed: u64) -> Automaton {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut below = |n: i64| -> i64 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        i64::try_from(state >> 1).expect("63 bits") % n
    };
    let mut weights = |outcomes: usize| -> Weights {
        let mut left = 16;
        let mut row: Weights = (1..outcomes)
            .map(|i| {
                let w = below(left.min(8) + 1);
                left -= w;
                (i, w)
            })
            .collect();
        row.push((0, left));
        row
    };
    compiled((0..3).map(|_| (weights(6), [weights(3), weights(3)])).collect())
}

/// A mechanism two of whose three states are told apart by what they release: beliefs merge.
fn merging() -> Automaton {
    let row = |state: usize| {
        let stay = |other: usize| vec![(state, 15), (other % 3, 1)];
        let fair = vec![(state, 8), (3 + state, 8)];
        let certain = vec![(usize::from(state == 2) * 3 + state, 16)];
        (if state == 0 { fair } else { certain }, [stay(state + 1), stay(state + 2)])
    };
    compiled((0..3).map(row).collect())
}
