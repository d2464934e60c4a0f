//! Algorithm 3, the chain on patterns of mistakes, and the whole predictor, against their definitions
//! written out with all randomness drawn in advance.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use littlestone::always::{Always, always, closed};
use littlestone::catalogue::Select;
use littlestone::catalogue::candidates::{Algorithm, Function, Parameters, Variant};
use littlestone::exact::Number;
use littlestone::limits::{Limits, Progress};
use littlestone::mechanism::{Mechanism, Monitor, Options, compile};
use littlestone::mistakes::greatest_excess;
use littlestone::privacy::Streams;

use super::literal::{self, Outputs};
use super::{class, mechanism, number, try_mechanism};

/// Algorithm 2 on a class of dimension 1 with n = K = 1, `h_0` = 0 and the weight q^B = 2 of ⊥.
fn candidates(over: &str, groups: usize, many: usize) -> Algorithm {
    let class = class(over);
    let parameters = Parameters {
        ambient: 1,
        sample: 1,
        groups,
        list_bound: 1,
        candidates: many,
        batch: 1,
        thresholds: Parameters::paper_thresholds(1),
        lists: Parameters::paper_lists(1, 1).unwrap(),
        first: Function::zero(class.points()),
        select: Select::with_powers(&2.into(), &1.into()).unwrap(),
        score: littlestone::exact::parse_rational("1").unwrap(),
        variant: Variant::Paper,
    };
    Algorithm::new(&class, parameters, &Limits::default()).unwrap()
}

/// Rep(U, V, D) without noise, for a threshold of Mirror: Definition 10 read off.
fn replaced(u: &[bool], v: &[bool], y: &[bool], delay: usize, threshold: usize) -> Vec<bool> {
    let disagreements: Vec<usize> = (0..u.len()).filter(|&t| u[t] != v[t]).collect();
    let tested = disagreements.iter().take(delay);
    let c = tested.filter(|&&t| v[t] == y[t]).count();
    let accepted = 2 * c >= delay;
    let top = |t: usize| {
        let active = disagreements.iter().filter(|&&s| s <= t).count();
        u[t] != v[t] && active > delay + threshold
    };
    (0..u.len()).map(|t| if top(t) && accepted { v[t] } else { u[t] }).collect()
}

/// The law of the predictions of `A_N` with all candidates available, W = 1.
fn offline(algorithm: &Algorithm, delays: &[usize], stream: &[usize]) -> Outputs {
    let stream: Vec<(usize, bool)> = stream.iter().map(|r| (r / 2, r % 2 == 1)).collect();
    let labels: Vec<bool> = stream.iter().map(|&(_, y)| y).collect();
    let mut law = Outputs::new();
    let share = number("1/2");
    let all = algorithm.for_each_run(&stream, &Limits::default(), |run, weight| {
        for thresholds in 0..1usize << delays.len() {
            let predictions =
                |j: usize| stream.iter().map(|&(x, _)| run.candidates[j].label(x)).collect();
            let mut answers: Vec<bool> = predictions(0);
            let mut weight = weight.clone();
            for (j, &delay) in delays.iter().enumerate() {
                let v: Vec<bool> = predictions(j + 1);
                answers = replaced(&answers, &v, &labels, delay, thresholds >> j & 1);
                weight = &weight * &share;
            }
            let word = answers.iter().map(|&bit| u8::from(bit).to_string()).collect();
            let sum = law.entry(word).or_insert_with(Number::zero);
            *sum = &*sum + &weight;
        }
        ControlFlow::<()>::Continue(())
    });
    assert!(matches!(all, Ok(ControlFlow::Continue(()))));
    law
}

/// Streams that no hypothesis fits are among them; so are two candidates in one round.
#[test]
fn algorithm_3_has_the_law_of_the_predictor_with_all_candidates_available() {
    for (over, rounds, groups, delays) in
        [("cube:1", 7, 1, vec![1, 6]), ("point:2", 4, 2, vec![1]), ("point:2", 4, 1, vec![1, 6])]
    {
        let list: Vec<String> = delays.iter().map(ToString::to_string).collect();
        let name = format!("online-predictor:D=({}),W=1,k={groups}", list.join(","));
        let online = mechanism(&name, over);
        let algorithm = candidates(over, groups, delays.len());
        for stream in literal::streams(2 * algorithm.class().points(), rounds) {
            let expected = offline(&algorithm, &delays, &stream);
            assert_eq!(literal::law(&online, &stream), expected, "{name} on {over}, {stream:?}");
        }
    }
}

/// With K mistakes counted after the candidate was obtained, some law differs; and with D = (1, 1),
/// where later candidates change the predictions before they can be obtained.
#[test]
fn algorithm_3_needs_its_counts_and_its_delays() {
    let algorithm = candidates("cube:1", 2, 2);
    // By hand: h_1 is wrong in round 1 and right from then on, so that it is never dropped after its
    // activation; h_2 = 1 is possible, and A_2 follows it in round D_2 + 1.
    let early = vec![0, 1, 1, 1, 1, 1, 1];
    // h_0 is wrong in round 1 and h_1 = 1 right from then on, and A_1 with D_1 = 1 replaces.
    let late = vec![1, 1, 1, 1, 1, 1];
    for (name, delays, stream) in [
        ("online-predictor:D=(1,6),W=1,k=2,variant=since-activation", [1, 6], &early),
        ("online-predictor:D=(1,6),W=1,k=2,variant=no-replay", [1, 6], &early),
        ("online-predictor:D=(1,1),W=1,k=2", [1, 1], &late),
    ] {
        let online = mechanism(name, "cube:1");
        let expected = offline(&algorithm, &delays, stream);
        assert_ne!(literal::law(&online, stream), expected, "{name}");
    }
}

/// Flipping a round flips the answers of a chain: patterns of mistakes say all.
#[test]
fn chains_on_patterns_are_chains_on_predictions() {
    let patterns = mechanism("replacement-patterns:D=(1,1),W=1,cut=1,until=never", "point:1");
    let chain = mechanism("replacement-chain:N=2,D=1,W=1,cut=1,release=all", "point:1");
    for stream in literal::streams(16, 3) {
        let wrong: Vec<usize> =
            stream.iter().map(|r| if r & 1 == 1 { !(r >> 1) & 7 } else { r >> 1 }).collect();
        let mut expected = Outputs::new();
        for (word, p) in literal::law(&patterns, &wrong) {
            let answers = word.iter().zip(&stream).map(|(wrong, record)| {
                let flip = |bit: char| if (bit == '1') == (record & 1 == 1) { '0' } else { '1' };
                format!("A{}", wrong[2..].chars().map(flip).collect::<String>())
            });
            let sum = expected.entry(answers.collect()).or_insert_with(Number::zero);
            *sum = &*sum + &p;
        }
        assert_eq!(literal::law(&chain, &stream), expected, "on {stream:?}");
    }
}

/// The statement of Claim 1 for two rules, as in the claim file.
const CLAIM: &str = r#"
    fn start() { #{ wrong: [0, 0], ok: true } }
    fn step(m, round, before, output, after) {
        if output == "over" { return m; }
        m.ok = true;
        for j in 0..2 {
            if m.wrong[j] < param("K") {
                for i in j..2 { m.ok = m.ok && output[1 + i] == output[2 + i]; }
            }
        }
        for j in 0..2 {
            if before[1 + j] == '1' { m.wrong[j] = min(m.wrong[j] + 1, param("K")); }
        }
        m
    }
    fn ok(m, round) { m.ok }
"#;

/// The search without rounds agrees with the one round by round, whether the chain ends or not.
#[test]
fn every_number_of_rounds_agrees_with_each_of_them() {
    const ROUNDS: usize = 12;
    let (limits, progress) = (Limits::default(), Progress::default());
    let all = Streams::all(8);
    let mut verdicts = [0, 0];
    for (first, second, batch) in [(1, 6, 1), (1, 4, 1), (1, 1, 1), (2, 7, 1), (1, 6, 2), (2, 3, 1)]
    {
        let values = BTreeMap::from([("K".to_owned(), batch.to_string())]);
        for until in ["claim-1", "never"] {
            let name =
                format!("replacement-patterns:D=({first},{second}),W=1,K={batch},until={until}");
            let chain = mechanism(&name, "point:1");
            let automaton = compile(&chain, &Options::rounds(ROUNDS, 100_000)).unwrap();
            let (interface, outputs) = (automaton.interface(), automaton.outputs());
            let monitor =
                Monitor::new("m", CLAIM, None, &values, interface, outputs, &Limits::default())
                    .unwrap();
            let found = closed(&chain, &monitor, &all, &limits, &progress).unwrap();
            let bounded = always(&automaton, &monitor, &all, ROUNDS, &limits, &progress).unwrap();
            match (found, bounded) {
                (Always::Holds { .. }, Always::Holds { .. }) => verdicts[0] += 1,
                (Always::Violated(run), Always::Violated(shortest)) => {
                    assert_eq!(run.len(), shortest.len(), "{name}");
                    verdicts[1] += 1;
                }
                (found, bounded) => panic!("{name}: {found:?} against {bounded:?}"),
            }
        }
    }
    assert!(verdicts.iter().all(|&count| count > 0), "{verdicts:?}");
}

/// By hand, with K = W = 1: `A_2` leaves `A_1` in the first disagreement after `D_2`, while neither `h_0` nor `h_1`
/// has the mistake that fills a batch.
#[test]
fn twins_of_claim_1_fail_in_the_expected_round() {
    let (limits, progress) = (Limits::default(), Progress::default());
    let values = BTreeMap::from([("K".to_owned(), "1".to_owned())]);
    for (delays, round) in [("(1,4)", 5), ("(1,1)", 2), ("(3,3)", 4)] {
        let chain = mechanism(&format!("replacement-patterns:D={delays},W=1"), "point:1");
        let interface = chain.interface();
        let monitor = Monitor::new(
            "m",
            CLAIM,
            None,
            &values,
            interface,
            interface.outputs(),
            &Limits::default(),
        )
        .unwrap();
        match closed(&chain, &monitor, &Streams::all(8), &limits, &progress).unwrap() {
            Always::Violated(run) => assert_eq!(run.len(), round, "D = {delays}"),
            other => panic!("D = {delays}: {other:?}"),
        }
    }
}

/// A limit is no answer, and says how many rounds were looked at in full.
#[test]
fn a_limit_leaves_it_undecided() {
    let chain = mechanism("replacement-patterns:D=(1,6),W=1", "point:1");
    let interface = chain.interface();
    let values = BTreeMap::from([("K".to_owned(), "1".to_owned())]);
    let monitor =
        Monitor::new("m", CLAIM, None, &values, interface, interface.outputs(), &Limits::default())
            .unwrap();
    let limits = Limits { states: Some(5), ..Limits::default() };
    let found = closed(&chain, &monitor, &Streams::all(8), &limits, &Progress::default()).unwrap();
    assert!(matches!(found, Always::Undecided { .. }), "{found:?}");
}

/// The whole predictor is Combine of two independent laws.
#[test]
fn the_combined_predictor_is_made_of_independent_parts() {
    let (a, f) = ("online-predictor:D=(1),W=1", "subsampled-soa:gamma=1/4");
    let whole = mechanism(&format!("combined:A=({a}),F=({f}),D=2"), "point:2");
    let (a, f) = (mechanism(a, "point:2"), mechanism(f, "point:2"));
    for stream in literal::streams(4, 3) {
        let (first, second) = (literal::law(&a, &stream), literal::law(&f, &stream));
        let mut expected = Outputs::new();
        for (u, p) in &first {
            for (v, q) in &second {
                let mut words = vec![(Vec::new(), p * q)];
                let (mut c1, mut c2) = (0i64, 0i64);
                for ((u, v), record) in u.iter().zip(v).zip(&stream) {
                    let (x, z) = ((2 + c1).pow(2), (2 + c2).pow(2));
                    let chance = Number::from(x).checked_div(&(x + z).into()).unwrap();
                    let rest = &Number::one() - &chance;
                    words = words
                        .into_iter()
                        .flat_map(|(word, weight): (Vec<String>, Number)| {
                            [(u, &chance), (v, &rest)].map(|(bit, share)| {
                                let mut longer = word.clone();
                                longer.push(bit.clone());
                                (longer, &weight * share)
                            })
                        })
                        .collect();
                    let label = (record % 2).to_string();
                    if u != v {
                        c1 += i64::from(*u == label);
                        c2 += i64::from(*v == label);
                    }
                }
                for (word, weight) in words {
                    let sum = expected.entry(word).or_insert_with(Number::zero);
                    *sum = &*sum + &weight;
                }
            }
        }
        assert_eq!(literal::law(&whole, &stream), expected, "on {stream:?}");
    }
}

/// The greatest excess by enumeration of all streams, words and thresholds.
#[test]
fn the_excess_over_every_threshold_agrees_with_enumeration() {
    const ROUNDS: usize = 3;
    let (a, f) = ("online-predictor:D=(1),W=1", "subsampled-soa:gamma=1/4");
    let names = [format!("combined:A=({a}),F=({f}),D=1"), a.to_owned(), f.to_owned()];
    let parts = names.map(|name| mechanism(&name, "point:2"));
    let count = |law: &Outputs, stream: &[usize]| -> Vec<(usize, Number)> {
        let wrong = |word: &Vec<String>| {
            word.iter().zip(stream).filter(|(bit, r)| **bit != (*r % 2).to_string()).count()
        };
        law.iter().map(|(word, p)| (wrong(word), p.clone())).collect()
    };
    let mean = |counts: &[(usize, Number)]| {
        counts.iter().fold(Number::zero(), |sum, (n, p)| {
            &sum + &(&Number::from(i64::try_from(*n).unwrap()) * p)
        })
    };
    let mut greatest = number("-1000");
    for stream in literal::streams(4, ROUNDS) {
        let [c, a, f] = [0, 1, 2].map(|i| count(&literal::law(&parts[i], &stream), &stream));
        for threshold in 0..=ROUNDS {
            let beyond = a.iter().filter(|(n, _)| *n > threshold);
            let failure = beyond.fold(Number::zero(), |sum, (_, p)| &sum + p);
            let base = Number::from(3 * i64::try_from(threshold).unwrap());
            let right = &base + &(&(&Number::from(3) * &failure) * &mean(&f));
            greatest = greatest.max(&mean(&c) - &right);
        }
    }
    let automata = [0, 1, 2].map(|i| compile(&parts[i], &Options::rounds(ROUNDS, 10_000)).unwrap());
    let [c, a, f] = &automata;
    let found =
        greatest_excess([c, a, f], &Streams::all(4), ROUNDS, &Limits::default()).unwrap().unwrap();
    assert_eq!(found.value, greatest);
}

#[test]
fn parameters_are_checked() {
    for (text, part) in [
        ("online-predictor:D=(0),W=1", "an integer from 1 to 1024"),
        ("online-predictor:D=(1,1,1,1,1),W=1", "1 to 4 delays"),
        ("online-predictor:D=(1),W=1,q=1", "above 1"),
        ("online-predictor:D=(1),W=1,h0=01011", "labels 0 and 1"),
        ("online-predictor:W=1", "needs a value"),
        ("replacement-patterns:D=(1),W=1,until=tomorrow", "one of claim-1"),
        ("combined:A=combine:D=1,F=soa,D=1", "a predictor"),
        ("combined:A=soa,F=soa,D=0", "an integer from 1"),
    ] {
        let error = try_mechanism(text, "point:2").unwrap_err().to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
}
