//! Random mechanisms and classes through every door: the library, the command and a claim against the
//! literal reference, on the streams that some hypothesis fits. Classes have one to four hypotheses,
//! some of them twice; weights are 0, 1, 10⁻³⁰, fractions and powers of e.

use std::ffi::OsString;
use std::path::Path;

use littlestone::class::{Class, ClassBuilder};
use littlestone::cli::{self, Output};
use littlestone::exact::{Epsilon, Number, Rational};
use littlestone::limits::{Limits, Progress};
use littlestone::mechanism::{Automaton, Kind, table};
use littlestone::mistakes;
use littlestone::privacy::{
    Decision, Lengths, Neighbours, Notion, Question, Streams, Worst, decide, end_bound, prepared,
    profile, step_bound, surely_independent, worst_delta,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{config, literal};

/// Laws of two entries. The second ones of the last three are powers of e.
const SPLITS: [[&str; 2]; 8] = [
    ["1", "0"],
    ["0", "1"],
    ["1/2", "1/2"],
    ["10^-30", "1 - 10^-30"],
    ["2/7", "5/7"],
    ["exp(-1/2)", "1 - exp(-1/2)"],
    ["1/2*exp(-1/3)", "1 - 1/2*exp(-1/3)"],
    ["1/(1 + exp(1/2))", "exp(1/2)/(1 + exp(1/2))"],
];
const RATIONAL: usize = 5;

/// A mechanism as a table, and the rows of a class over its points.
#[derive(Debug, Clone)]
struct Drawn {
    table: String,
    class: Vec<Vec<bool>>,
}

impl Drawn {
    fn automaton(&self) -> Automaton {
        table::parse("table.json", &self.table).unwrap()
    }

    fn class(&self) -> Class {
        let points = self.automaton().interface().points().to_vec();
        let mut builder = ClassBuilder::new(points);
        for row in &self.class {
            builder.push(None, row.iter().copied());
        }
        builder.build()
    }

    /// Whether some hypothesis fits the stream.
    fn fits(&self, stream: &[usize]) -> bool {
        self.class.iter().any(|row| stream.iter().all(|z| row[z / 2] == (z % 2 == 1)))
    }

    /// The class and the mechanism as files.
    fn write(&self, folder: &Path) -> [String; 2] {
        let files = ["table.json", "class.csv"].map(|name| folder.join(name));
        std::fs::write(&files[0], &self.table).unwrap();
        let points = self.automaton().interface().points().join(",");
        let rows = self.class.iter().map(|row| {
            row.iter().map(|label| u8::from(*label).to_string()).collect::<Vec<_>>().join(",")
        });
        let lines: Vec<String> = [points].into_iter().chain(rows).collect();
        std::fs::write(&files[1], lines.join("\n") + "\n").unwrap();
        files.map(|file| file.to_str().unwrap().to_owned())
    }
}

type Choice = (usize, usize, usize);

/// A law of at most two entries over `outputs` and states, as they are needed.
fn law(choice: Choice, states: usize, outputs: Option<&[String]>, moves: bool) -> Value {
    let (split, one, other) = choice;
    let entry = |choice: usize, weight: &str| {
        let mut entry = json!({ "weight": weight });
        if moves {
            entry["to"] = json!((choice % states).to_string());
        }
        if let Some(outputs) = outputs {
            entry["output"] = json!(outputs[choice / 3 % outputs.len()]);
        }
        entry
    };
    let entries = [entry(one, SPLITS[split][0]), entry(other, SPLITS[split][1])];
    json!(entries)
}

/// A table over the given alphabets: *before*, *after* and outputs.
fn build(
    mut head: Value,
    [before, after, outputs]: [&[String]; 3],
    states: usize,
    laws: &[Choice],
) -> String {
    let mut laws = laws.iter().copied().cycle();
    let mut next = || laws.next().unwrap();
    let one_shot = head["kind"] == "one-shot";
    head["format"] = json!(1);
    head["start"] = law(next(), states, None, true);
    let rows = (0..states).map(|state| {
        let mut row = json!({ "name": state.to_string() });
        if one_shot {
            row["finish"] = law(next(), states, Some(outputs), false);
        } else {
            let responses =
                before.iter().map(|b| (b.clone(), law(next(), states, Some(outputs), true)));
            row["respond"] = responses.collect();
        }
        row["observe"] =
            after.iter().map(|a| (a.clone(), law(next(), states, None, true))).collect();
        row
    });
    head["states"] = rows.collect();
    head.to_string()
}

fn names(prefix: &str, count: usize) -> Vec<String> {
    (0..count).map(|i| format!("{prefix}{i}")).collect()
}

/// Learners and predictors on one or two points, with a class.
fn with_class(splits: usize) -> impl Strategy<Value = Drawn> {
    let laws = prop::collection::vec((0..splits, 0..9usize, 0..9usize), 40);
    (1..=2usize, any::<bool>(), 1..=3usize, laws).prop_flat_map(
        |(points, learner, states, laws)| {
            let row = prop::collection::vec(any::<bool>(), points);
            (prop::collection::vec(row, 1..=4), any::<bool>()).prop_map(
                move |(mut class, twice)| {
                    if twice {
                        class.push(class[0].clone());
                    }
                    let points = names("p", points);
                    let bits = ["0".to_owned(), "1".to_owned()];
                    let table = if learner {
                        let words = |count: usize| -> Vec<String> {
                            (0..1usize << count).map(|w| format!("{w:0count$b}")).collect()
                        };
                        let examples: Vec<String> = points
                            .iter()
                            .flat_map(|p| bits.iter().map(move |b| format!("{p}:{b}")))
                            .collect();
                        let outputs = words(points.len());
                        let head =
                            json!({ "kind": "learner", "points": points, "outputs": outputs });
                        build(head, [&[String::new()], &examples, &outputs], states, &laws)
                    } else {
                        let head = json!({ "kind": "predictor", "points": points });
                        build(head, [&points, &bits, &bits], states, &laws)
                    };
                    Drawn { table, class }
                },
            )
        },
    )
}

/// Transducers and one-shot mechanisms with alphabets of different sizes.
fn without_class(splits: usize) -> impl Strategy<Value = Drawn> {
    let laws = prop::collection::vec((0..splits, 0..9usize, 0..9usize), 40);
    let sizes = (1..=3usize, 1..=3usize, 1..=3usize);
    (sizes, any::<bool>(), 1..=3usize, laws)
        .prop_filter("at most four records", |((b, a, _), ..)| b * a <= 4)
        .prop_map(|((before, after, outputs), one_shot, states, laws)| {
            let alphabets = [names("b", before), names("a", after), names("o", outputs)];
            let [b, a, o] = &alphabets;
            let head = if one_shot {
                json!({ "kind": "one-shot", "records": a, "outputs": o })
            } else {
                json!({ "kind": "transducer", "before": b, "after": a, "outputs": o })
            };
            Drawn { table: build(head, [b, a, o], states, &laws), class: Vec::new() }
        })
}

/// The greatest divergence over all neighbouring streams that count, and the lexicographically least
/// pair that has it, from the definition.
fn literal_worst(
    automaton: &Automaton,
    notion: Notion,
    rounds: usize,
    factor: &Number,
    counts: impl Fn(&[usize]) -> bool,
) -> Option<(Number, Vec<usize>, Vec<usize>)> {
    let mut pairs = literal::neighbours(automaton.interface().records(), rounds);
    pairs.retain(|(s, t, _)| counts(s) && counts(t));
    pairs.sort();
    let mut best: Option<(Number, Vec<usize>, Vec<usize>)> = None;
    let mut laws = std::collections::BTreeMap::new();
    for (s, t, round) in pairs {
        let [p, q] = [&s, &t].map(|stream| {
            let law = laws
                .entry(stream.clone())
                .or_insert_with(|| literal::law(automaton, stream))
                .clone();
            if notion == Notion::Joint { literal::without(&law, round) } else { law }
        });
        let divergence = literal::divergence(&p, &q, factor);
        if best.as_ref().is_none_or(|(most, ..)| divergence > *most) {
            best = Some((divergence, s, t));
        }
    }
    best
}

fn notions(kind: Kind) -> &'static [Notion] {
    match kind {
        Kind::Learner | Kind::OneShot => &[Notion::Whole],
        Kind::Predictor | Kind::Transducer => &[Notion::Whole, Notion::Joint],
    }
}

fn rational(number: &Number, up: bool) -> Rational {
    let (below, above) = number.enclosure(64);
    if up { above } else { below.max(Rational::from_integer(0.into())) }
}

/// The library at every length up to `rounds`, on the streams that `drawn` counts.
fn library(drawn: &Drawn, epsilon: &str, rounds: usize) -> Result<(), TestCaseError> {
    let automaton = drawn.automaton();
    let interface = automaton.interface();
    let restricted = !drawn.class.is_empty();
    let streams = if restricted {
        Streams::realisable(&drawn.class(), 1000).unwrap()
    } else {
        Streams::all(interface.records())
    };
    let counts = |stream: &[usize]| !restricted || drawn.fits(stream);
    let (limits, progress) = (Limits::default(), Progress::default());
    let epsilon = Epsilon::parse(epsilon).unwrap();
    let factor = epsilon.factor();
    let neighbours = Neighbours::Replacement;
    let closed = prepared(&automaton, &streams, &Limits::default()).unwrap();
    for &notion in notions(interface.kind()) {
        let question = Question { notion, neighbours, epsilon: epsilon.clone() };
        let lengths = Lengths::all(rounds);
        let answers =
            worst_delta(&automaton, &streams, &question, &lengths, &limits, &progress).unwrap();
        let bound = step_bound(&closed, &streams, &question, &limits, &progress).unwrap().unwrap();
        let end = end_bound(&closed, &question, &limits, &progress).unwrap().map(Result::unwrap);
        let mut worst = Number::zero();
        for (length, answer) in (1..).zip(&answers) {
            let expected = literal_worst(&automaton, notion, length, &factor, counts);
            let Worst::Exact { delta, attained_by } = answer else { panic!("no limit was set") };
            let value = expected.as_ref().map_or_else(Number::zero, |found| found.0.clone());
            prop_assert_eq!(delta, &value, "{:?} at {} rounds", notion, length);
            let pair = attained_by.as_ref().map(|pair| (pair.first.clone(), pair.second.clone()));
            prop_assert_eq!(pair, expected.map(|(_, s, t)| (s, t)));
            prop_assert!(*delta <= bound.bound, "{} > {}", delta, bound.bound);
            if let Some(end) = &end {
                prop_assert!(*delta <= end.bound, "{} > {}", delta, end.bound);
                prop_assert!(end.bound <= bound.bound);
            }
            if surely_independent(&automaton, &streams, neighbours, length) && epsilon.is_zero() {
                prop_assert!(notion == Notion::Joint || delta.is_zero());
            }
            worst = if interface.kind() == Kind::OneShot { value } else { worst.max(value) };
        }
        for up in [false, true] {
            let delta = Number::from(rational(&worst, up));
            let decision =
                decide(&automaton, &streams, &question, rounds, &delta, &limits, &progress)
                    .unwrap();
            let holds = worst <= delta;
            prop_assert_eq!(matches!(decision, Decision::Holds), holds, "{:?}", decision);
        }
        let curve = profile(&automaton, &streams, (notion, neighbours), rounds, &limits, &progress)
            .unwrap();
        let last = match answers.last() {
            Some(Worst::Exact { delta, .. }) => delta.clone(),
            _ => panic!("an answer for each length"),
        };
        prop_assert_eq!(curve.at(&factor), last);
    }
    if restricted {
        let class = drawn.class();
        let streams = mistakes::Streams::Realisable(&class);
        let found =
            mistakes::worst(&automaton, streams, rounds..=rounds, &limits, &progress).unwrap();
        let all = literal::streams(interface.records(), rounds);
        let all = all.into_iter().filter(|stream| drawn.fits(stream));
        let most = all.map(|stream| literal::expected_mistakes(&automaton, &stream)).max().unwrap();
        let mistakes::Worst::Exact { mistakes, attained_by } = &found[0] else {
            panic!("no limit was set")
        };
        prop_assert_eq!(mistakes, &most);
        prop_assert!(drawn.fits(attained_by));
    }
    Ok(())
}

/// Runs the command line: the exit code and what it prints.
fn command(args: &[&str]) -> (u8, String) {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let args = ["littlestone"].iter().chain(args).map(OsString::from);
    let code = cli::run(args, Output::new(&mut stdout, &mut stderr));
    stdout.extend(stderr);
    (code, String::from_utf8(stdout).unwrap())
}

/// The command and a claim say what the reference does.
fn doors(drawn: &Drawn, epsilon: &str, rounds: usize) -> Result<(), TestCaseError> {
    let automaton = drawn.automaton();
    let factor = Epsilon::parse(epsilon).unwrap().factor();
    let folder = tempfile::tempdir().unwrap();
    let [table, class] = drawn.write(folder.path());
    for &notion in notions(automaton.interface().kind()) {
        let counts = |stream: &[usize]| drawn.fits(stream);
        let worst = literal_worst(&automaton, notion, rounds, &factor, counts);
        let delta = worst.map_or_else(Number::zero, |found| found.0);
        let length = rounds.to_string();
        let mut args = vec!["verify", &table, "--class", &class, "--rounds", &length];
        args.extend(["--epsilon", epsilon, "--streams", "realisable", "--format", "json"]);
        args.extend((notion == Notion::Joint).then_some("--joint"));
        let (code, text) = command(&args);
        prop_assert_eq!(code, 0, "{}", text);
        let json = text[..=text.rfind('}').unwrap()].parse::<Value>().unwrap();
        prop_assert_eq!(json["worst_delta"].as_str().unwrap(), delta.to_string());
        let kind = if notion == Notion::Joint { "joint-privacy" } else { "privacy" };
        let claim = |worst: &str| {
            format!(
                "[[claim]]\nname = \"n\"\npaper = \"Definition 2\"\nkind = \"{kind}\"\n\
                 mechanism = \"table.json\"\nclass = \"class.csv\"\nrounds = {rounds}\n\
                 streams = \"realisable\"\nepsilon = \"{epsilon}\"\nworst_delta = \"{worst}\"\n\
                 expect = \"holds\"\n"
            )
        };
        let file = folder.path().join("claim.toml");
        let off = format!("{delta} + 10^-40");
        for (worst, expected) in [(delta.to_string(), 0), (off, 1)] {
            std::fs::write(&file, claim(&worst)).unwrap();
            let (code, text) = command(&["check", file.to_str().unwrap()]);
            // A claim that says nothing counts as a failure, and says why.
            prop_assert!(code == expected || text.contains("vacuous"), "{}\n{}", code, text);
        }
    }
    Ok(())
}

const EPSILONS: [&str; 4] = ["0", "1/2", "ln(3/2)", "ln(2)"];

proptest! {
    #![proptest_config(config(24))]

    #[test]
    fn realisable_streams_in_the_library(
        drawn in with_class(RATIONAL),
        epsilon in prop::sample::select(&EPSILONS[..]),
        rounds in 1..=3usize,
    ) {
        library(&drawn, epsilon, rounds)?;
    }

    #[test]
    fn unequal_alphabets_in_the_library(
        drawn in without_class(RATIONAL),
        epsilon in prop::sample::select(&EPSILONS[..]),
        rounds in 1..=2usize,
    ) {
        library(&drawn, epsilon, rounds)?;
    }
}

proptest! {
    #![proptest_config(config(8))]

    #[test]
    fn powers_of_e_in_the_library(
        drawn in prop_oneof![with_class(SPLITS.len()), without_class(SPLITS.len())],
        epsilon in prop::sample::select(&EPSILONS[..]),
        rounds in 1..=2usize,
    ) {
        library(&drawn, epsilon, rounds)?;
    }

    #[test]
    fn commands_and_claims_agree(
        drawn in with_class(RATIONAL),
        epsilon in prop::sample::select(&EPSILONS[..]),
        rounds in 1..=3usize,
    ) {
        doors(&drawn, epsilon, rounds)?;
    }
}

/// With certain moves the bound from the outputs is the greatest worst δ of all sizes: sizes up to 4
/// reach every pair of at most two states.
#[test]
fn the_bound_from_the_outputs_is_exact_for_certain_moves() {
    let question = Question {
        notion: Notion::Whole,
        neighbours: Neighbours::Replacement,
        epsilon: Epsilon::parse("ln(3/2)").unwrap(),
    };
    let (limits, progress) = (Limits::default(), Progress::default());
    let alphabets = [Vec::new(), names("a", 2), names("o", 2)];
    let [b, a, o] = &alphabets;
    // Two states: the start is certain, each moves to one of two states on each record.
    for moves in 0..16usize {
        for (first, second) in [(2, 2), (2, 4), (0, 4), (3, 4)] {
            let to = |at: usize| (0, moves >> at & 1, 0);
            let laws = [(0, 0, 0), (first, 0, 3), to(0), to(1), (second, 0, 3), to(2), to(3)];
            let head = json!({ "kind": "one-shot", "records": a, "outputs": o });
            let table = build(head, [b, a, o], 2, &laws);
            let automaton = table::parse("table.json", &table).unwrap();
            let end = end_bound(&automaton, &question, &limits, &progress).unwrap().unwrap();
            let factor = question.epsilon.factor();
            let direct = (1..=4).map(|size| literal::worst_delta(&automaton, size, &factor)).max();
            assert_eq!(Some(end.unwrap().bound), direct, "{table}");
        }
    }
}
