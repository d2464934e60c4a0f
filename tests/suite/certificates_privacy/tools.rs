//! Mechanisms, and certificates of them.

use std::path::Path;
use std::rc::Rc;

use littlestone::certificate::format::{ExpectedMistakes, ListedStream, MistakesOver, Privacy};
use littlestone::certificate::{Limits as VerifierLimits, Outcome, Rejection, Report, verify};
use littlestone::class::{Class, ClassBuilder};
use littlestone::exact::{Epsilon, Number};
use littlestone::limits::{Limits, Meter, Progress};
use littlestone::mechanism::spec::{Context, NoCatalogue, Spec};
use littlestone::mechanism::{Automaton, Boxed, Options, Tools, compile, table};
use littlestone::privacy::certify::{Statement, Verdict, certificate, embedded};
use littlestone::privacy::{Lengths, Neighbours, Notion, Question, Streams, Worst, worst_delta};
use serde::Serialize;

/// Functions on the points 1, …, n, each 1 at one of them (Definition 5 for n = 3).
pub fn singletons(points: usize) -> Class {
    let mut builder = ClassBuilder::new((1..=points).map(|x| x.to_string()).collect());
    for h in 0..points {
        builder.push(None, (0..points).map(|x| x == h));
    }
    builder.build()
}

/// An example script on the class of singletons.
pub fn example(text: &str, points: usize, rounds: usize) -> Automaton {
    let options = Options { sizes: Some(0..=rounds), ..Options::rounds(rounds, 10_000) };
    compiled(text, points, &options)
}

/// An example script, for streams of every length.
pub fn closed(text: &str, points: usize) -> Automaton {
    compiled(text, points, &Options::closed(10_000)).by_role().minimised()
}

fn compiled(text: &str, points: usize, options: &Options) -> Automaton {
    let tools = Tools::new(Rc::new(singletons(points)), Limits::default());
    let context =
        Context { tools: Some(tools), catalogue: &NoCatalogue, limits: Limits::default() };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/mechanisms");
    let mechanism: Boxed = context.resolve(&Spec::parse(text, &folder).unwrap()).unwrap();
    compile(&mechanism, options).unwrap()
}

/// An automaton from its table.
pub fn parse(text: &str) -> Automaton {
    table::parse("table.json", text).unwrap()
}

pub fn number(text: &str) -> Number {
    littlestone::mechanism::expression::evaluate(text, &std::collections::BTreeMap::new()).unwrap()
}

pub fn question(notion: Notion, neighbours: Neighbours, epsilon: &str) -> Question {
    Question { notion, neighbours, epsilon: Epsilon::parse(epsilon).unwrap() }
}

/// The engine's answer at each length up to `rounds`.
pub fn answers(
    automaton: &Automaton,
    question: &Question,
    class: Option<&Class>,
    rounds: usize,
) -> Vec<Worst> {
    let streams = match class {
        Some(class) => Streams::realisable(class, 1000).unwrap(),
        None => Streams::all(automaton.interface().records()),
    };
    let limits = Limits::default();
    worst_delta(automaton, &streams, question, &Lengths::all(rounds), &limits, &Progress::default())
        .unwrap()
}

/// The certificate of the worst δ at `rounds`, and of a verdict if a δ is given: `holds`, or
/// refuted by the shortest streams.
pub fn certify(
    automaton: &Automaton,
    question: &Question,
    class: Option<&Class>,
    rounds: usize,
    delta: Option<&str>,
) -> Privacy {
    let answers = answers(automaton, question, class, rounds);
    let exact = |worst: &Worst| match worst {
        Worst::Exact { delta, attained_by } => (delta.clone(), attained_by.clone()),
        Worst::Between { .. } => unreachable!("no limit was set"),
    };
    let answers: Vec<_> = answers.iter().map(exact).collect();
    let (worst, attained_by) = &answers[rounds - 1];
    let delta = delta.map(number);
    let verdict = delta.as_ref().map(|delta| {
        let refuting = answers.iter().find(|(worst, _)| worst > delta);
        let verdict = match refuting {
            Some((_, pair)) => Verdict::Refuted(pair.as_ref().unwrap()),
            None => Verdict::Holds,
        };
        (delta, verdict)
    });
    let statement = Statement {
        source: "a test",
        realisable_by: class,
        listed: None,
        rounds,
        verdict,
        worst: Some((worst, attained_by.as_ref())),
    };
    certificate(automaton, question, &statement, &mut Meter::default()).unwrap()
}

/// The certificate of the expected mistakes on a law over streams.
pub fn on_streams(
    automaton: &Automaton,
    streams: &[(&[usize], &str)],
    value: &Number,
) -> ExpectedMistakes {
    let listed = streams.iter().map(|(stream, weight)| ListedStream {
        stream: names(automaton, stream),
        weight: (*weight).to_owned(),
    });
    let over = MistakesOver::Listed(listed.collect());
    ExpectedMistakes::new("a test", embedded(automaton), over, value.to_string())
}

/// The certificate that `stream` has the most mistakes among all streams, or among those that
/// `class` realises.
pub fn worst_stream(
    automaton: &Automaton,
    class: Option<&Class>,
    stream: &[usize],
    value: &Number,
) -> ExpectedMistakes {
    let (rounds, attained_by) = (stream.len(), names(automaton, stream));
    let over = match class {
        None => MistakesOver::All { rounds, attained_by },
        Some(class) => {
            let hypotheses = (0..class.hypotheses()).map(|h| class.labels(h)).collect();
            MistakesOver::Realisable { hypotheses, rounds, attained_by }
        }
    };
    ExpectedMistakes::new("a test", embedded(automaton), over, value.to_string())
}

pub fn names(automaton: &Automaton, stream: &[usize]) -> Vec<String> {
    stream.iter().map(|&record| automaton.interface().record_name(record)).collect()
}

pub fn check<T: Serialize>(certificate: &T) -> Result<Outcome, Rejection> {
    verify(&serde_json::to_vec(certificate).unwrap(), VerifierLimits::default())
}

/// The report on a certificate that must be accepted.
#[track_caller]
pub fn accepted<T: Serialize>(certificate: &T) -> Report {
    match check(certificate) {
        Ok(Outcome::Proved(report)) => report,
        other => {
            let text = serde_json::to_string(certificate).unwrap();
            unreachable!("expected a proof, found {other:?}: {text}")
        }
    }
}

/// What an accepted certificate proves, in words.
#[track_caller]
pub fn proved<T: Serialize>(certificate: &T) -> Vec<String> {
    accepted(certificate).proved.iter().map(ToString::to_string).collect()
}

/// The message of a rejection.
#[track_caller]
pub fn rejected<T: Serialize>(certificate: &T) -> String {
    check(certificate).expect_err("a false certificate").to_string()
}
