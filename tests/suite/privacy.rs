//! The privacy engine against the literal reference, which enumerates coins, streams and outputs
//! on the mechanism trait and never sees the engine or a compiled automaton.

use crate::support::literal;

use crate::support::config;
use littlestone::error::Result;
use littlestone::exact::{Epsilon, Number, Rational, exp, parse_rational};
use littlestone::limits::{Limits, Meter, Progress, Stopped};
use littlestone::mechanism::{
    Automaton, Interface, Law, Mechanism, Options, Output, Tools, compile,
};
use littlestone::privacy::{
    Decision, Lengths, Neighbour, Neighbours, Notion, Part, Profile, Question, Streams, Worst,
    both_ways, decide, decide_of, direct, event, event_unlisted, merge_decisions, merge_worst,
    profile, worst_delta, worst_delta_of,
};
use proptest::prelude::*;

/// A mechanism given by tables of weights, over the common denominator of each row.
#[derive(Debug, Clone)]
struct Random {
    interface: Interface,
    start: Vec<Number>,
    /// For each state and *before* symbol, the weights of (output, next state).
    respond: Vec<Vec<Vec<Number>>>,
    /// For each state and *after* symbol, the weights of the next state.
    observe: Vec<Vec<Vec<Number>>>,
}

impl Mechanism for Random {
    type State = usize;

    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn start(&self) -> Result<Law<usize>> {
        Law::new("start", self.start.iter().cloned().enumerate())
    }

    fn respond(&self, state: &usize, before: usize) -> Result<Law<(Output, usize)>> {
        let states = self.start.len();
        let row = self.respond[*state][before].iter().cloned().enumerate();
        Law::new(
            "respond",
            row.map(|(i, w)| ((self.interface.outputs()[i / states].clone(), i % states), w)),
        )
    }

    fn observe(&self, state: &usize, after: usize) -> Result<Law<usize>> {
        Law::new("observe", self.observe[*state][after].iter().cloned().enumerate())
    }
}

fn names(prefix: &str, count: usize) -> Vec<String> {
    (0..count).map(|i| format!("{prefix}{i}")).collect()
}

/// A law on `outcomes` outcomes from small integers: `terms` are weights of which some are 0.
/// With a unit, weights are integers times powers of e^unit, so that the law is in ℚ(e^unit).
fn row(terms: &[(u8, u8)], unit: Option<&Rational>) -> Vec<Number> {
    let weights: Vec<Number> = terms
        .iter()
        .enumerate()
        .map(|(i, &(weight, power))| {
            // Sparse rows, but never an empty one.
            let weight =
                if i == 0 { i64::from(weight) + 1 } else { i64::from(weight.saturating_sub(2)) };
            let weight = Number::from(weight);
            match unit {
                Some(unit) => {
                    &weight * &exp(&(unit * Rational::from_integer(i64::from(power % 3).into())))
                }
                None => weight,
            }
        })
        .collect();
    let sum = weights.iter().fold(Number::zero(), |a, b| &a + b);
    weights.iter().map(|w| w.checked_div(&sum).unwrap()).collect()
}

fn random(
    states: usize,
    (before, outputs, after): (usize, usize, usize),
    unit: Option<&Rational>,
    seed: &[(u8, u8)],
) -> Random {
    let mut rest = seed.iter().copied().cycle();
    let mut take = |count: usize| row(&rest.by_ref().take(count).collect::<Vec<_>>(), unit);
    let interface =
        Interface::transducer(names("x", before), names("o", outputs), names("y", after)).unwrap();
    Random {
        interface,
        start: take(states),
        respond: (0..states)
            .map(|_| (0..before).map(|_| take(outputs * states)).collect())
            .collect(),
        observe: (0..states).map(|_| (0..after).map(|_| take(states)).collect()).collect(),
    }
}

fn epsilons() -> impl Strategy<Value = Epsilon> {
    prop::sample::select(vec!["0", "1/2", "1", "ln(3/2)", "ln(9/8)", "ln(2)", "1/10"])
        .prop_map(|text| text.parse().unwrap())
}

fn ask(mechanism: &Random, notion: Notion, epsilon: &Epsilon, rounds: usize) -> Vec<Worst> {
    let automaton = compile(mechanism, &Options::closed(1000)).unwrap();
    let streams = Streams::all(automaton.interface().records());
    let question =
        Question { notion, neighbours: Neighbours::Replacement, epsilon: epsilon.clone() };
    worst_delta(
        &automaton,
        &streams,
        &question,
        &Lengths::all(rounds),
        &Limits::default(),
        &Progress::default(),
    )
    .unwrap()
}

fn exact(worst: &Worst) -> &Number {
    match worst {
        Worst::Exact { delta, .. } => delta,
        Worst::Between { .. } => panic!("no limit was set"),
    }
}

/// All that the engine says about one random mechanism, against the reference.
fn agrees(mechanism: &Random, epsilon: &Epsilon, rounds: usize) {
    let factor = epsilon.factor();
    let automaton = compile(mechanism, &Options::closed(1000)).unwrap();
    let records = automaton.interface().records();
    for notion in [Notion::Whole, Notion::Joint] {
        let question =
            Question { notion, neighbours: Neighbours::Replacement, epsilon: epsilon.clone() };
        let answers = ask(mechanism, notion, epsilon, rounds);
        for (i, answer) in answers.iter().enumerate() {
            let length = i + 1;
            // The reference's own maximum, and the first pair that attains it.
            let mut expected: Option<(Number, Vec<usize>, Vec<usize>)> = None;
            let mut pairs = literal::neighbours(records, length);
            pairs.sort();
            for (s, t, round) in pairs {
                let laws = [&s, &t].map(|stream| {
                    let law = literal::law(mechanism, stream);
                    if notion == Notion::Joint { literal::without(&law, round) } else { law }
                });
                let divergence = literal::divergence(&laws[0], &laws[1], &factor);
                if expected.as_ref().is_none_or(|(best, ..)| divergence > *best) {
                    expected = Some((divergence, s, t));
                }
            }
            let Worst::Exact { delta, attained_by } = answer else { panic!("no limit was set") };
            let found =
                attained_by.as_ref().map(|n| (delta.clone(), n.first.clone(), n.second.clone()));
            assert_eq!(found, expected, "{notion:?} at length {length}");
            if let Some(neighbour) = attained_by {
                let event = event(&automaton, &question, neighbour, &mut Meter::default()).unwrap();
                assert_eq!(event.divergence, *delta);
                assert_eq!(&event.first - &(&factor * &event.second), *delta);
            }
        }
        // δ itself suffices, and nothing below it does.
        let delta = exact(&answers[rounds - 1]);
        let (below, above) = delta.enclosure(64);
        let streams = Streams::all(records);
        for bound in [below, above] {
            let zero = Rational::from_integer(0.into());
            let bound = Number::from(bound.max(zero));
            let decision = decide(
                &automaton,
                &streams,
                &question,
                rounds,
                &bound,
                &Limits::default(),
                &Progress::default(),
            )
            .unwrap();
            let holds = answers.iter().all(|a| *exact(a) <= bound);
            match decision {
                Decision::Holds => assert!(holds),
                Decision::Refuted(pair) => {
                    assert!(!holds);
                    let shortest = answers.iter().position(|a| *exact(a) > bound.clone());
                    assert_eq!(Some(pair.first.len() - 1), shortest);
                    let event = event(&automaton, &question, &pair, &mut Meter::default()).unwrap();
                    assert!(event.divergence > bound);
                }
                Decision::Undecided { .. } => panic!("no limit was set"),
            }
        }
    }
}

proptest! {
    #![proptest_config(config(6))]

    #[test]
    fn parts_and_events_of_random_mechanisms(
        states in 1usize..=3,
        shape in (1usize..=2, 2usize..=2, 1usize..=2),
        seed in prop::collection::vec((0u8..6, 0u8..3), 12..40),
        epsilon in epsilons(),
        symmetric in any::<bool>(),
    ) {
        let shape = if symmetric { (1, 2, 2) } else { shape };
        let mechanism = random(states, shape, None, &seed);
        let mechanism = if symmetric { swapped(&mechanism, false) } else { mechanism };
        let automaton = compile(&mechanism, &Options::closed(1000)).unwrap();
        for notion in [Notion::Whole, Notion::Joint] {
            let question =
                Question { notion, neighbours: Neighbours::Replacement, epsilon: epsilon.clone() };
            parts_agree(&automaton, &question, &ask(&mechanism, notion, &epsilon, 3));
            laws_agree(&automaton, &question, 2);
        }
    }
}

/// The answers to the parts of a question, put together, are those to the question.
fn parts_agree(automaton: &Automaton, question: &Question, whole: &[Worst]) {
    let streams = Streams::all(automaton.interface().records());
    let (limits, progress) = (Limits::default(), Progress::default());
    let rounds = whole.len();
    let shown = |answers: &[Worst]| format!("{answers:?}");
    let delta =
        exact(&whole[rounds - 1]).enclosure(8).0.max(Rational::from_integer(0.into())).into();
    let decided =
        decide(automaton, &streams, question, rounds, &delta, &limits, &progress).unwrap();
    for count in 1..=7 {
        let parts: Vec<Part> = (1..=count).map(|i| Part::new(i, count).unwrap()).collect();
        let lengths = Lengths::all(rounds);
        let answers: Vec<Vec<Worst>> = parts
            .iter()
            .map(|part| {
                worst_delta_of(automaton, &streams, question, &lengths, *part, &limits, &progress)
                    .unwrap()
            })
            .collect();
        assert_eq!(shown(&merge_worst(&answers)), shown(whole), "{count} parts");
        let decisions: Vec<Decision> = parts
            .iter()
            .map(|part| {
                decide_of(automaton, &streams, question, rounds, &delta, *part, &limits, &progress)
                    .unwrap()
            })
            .collect();
        assert_eq!(format!("{:?}", merge_decisions(&decisions)), format!("{decided:?}"));
    }
}

/// The event of every pair of streams against the plain laws of both, word by word.
fn laws_agree(automaton: &Automaton, question: &Question, rounds: usize) {
    let factor = question.epsilon.factor();
    let omitted = |round| (question.notion == Notion::Joint).then_some(round);
    for (first, second, round) in literal::neighbours(automaton.interface().records(), rounds) {
        let laws = [&first, &second].map(|s| direct::law(automaton, s, omitted(round)));
        let mut expected = (Vec::new(), Number::zero(), Number::zero());
        for (word, p) in &laws[0] {
            let q = laws[1].get(word).cloned().unwrap_or_else(Number::zero);
            if *p > &factor * &q {
                expected.0.push(word.clone());
                expected.1 = &expected.1 + p;
                expected.2 = &expected.2 + &q;
            }
        }
        let found = event(automaton, question, &Neighbour { first, second }, &mut Meter::default())
            .unwrap();
        assert_eq!((found.words, found.first, found.second), expected);
    }
}

proptest! {
    #![proptest_config(config(16))]

    #[test]
    fn random_rational_mechanisms(
        states in 1usize..=4,
        alphabets in prop::sample::select(vec![(1, 2, 2), (2, 2, 1), (1, 3, 2), (2, 1, 2), (1, 2, 3)]),
        seed in prop::collection::vec((0u8..6, 0u8..3), 40..97),
        epsilon in epsilons(),
    ) {
        // The reference follows (states² · outputs)^rounds coins on a stream.
        let few = alphabets.0 * alphabets.2 <= 2 && states * states * alphabets.1 <= 27;
        agrees(&random(states, alphabets, None, &seed), &epsilon, if few { 3 } else { 2 });
    }
}

proptest! {
    #![proptest_config(config(6))]

    /// Longer streams: suffixes are searched for some rounds before the tables of the last rounds.
    #[test]
    fn random_rational_mechanisms_over_more_rounds(
        states in 1usize..=2,
        seed in prop::collection::vec((0u8..6, 0u8..3), 40..97),
        epsilon in epsilons(),
    ) {
        agrees(&random(states, (1, 2, 2), None, &seed), &epsilon, 4);
    }
}

/// A mechanism with a symmetry: `base` with a hidden bit that swaps the two records and the two
/// outputs. The bit is drawn once; with `certain`, a state before all others draws it unseen.
fn swapped(base: &Random, certain: bool) -> Random {
    let half = parse_rational("1/2").map(Number::from).unwrap();
    let states = base.start.len();
    let total = 2 * states + usize::from(certain);
    let zeros = |count: usize| vec![Number::zero(); count];
    let mut start = zeros(total);
    for bit in 0..2 {
        for (state, weight) in base.start.iter().enumerate() {
            start[bit * states + state] = &half * weight;
        }
    }
    let mut respond = Vec::new();
    let mut observe = Vec::new();
    for bit in 0..2 {
        for state in 0..states {
            let mut row = zeros(2 * total);
            for (i, weight) in base.respond[state][0].iter().enumerate() {
                let (output, next) = ((i / states) ^ bit, bit * states + i % states);
                row[output * total + next] = weight.clone();
            }
            respond.push(vec![row]);
            let after = |record: usize| {
                let mut row = zeros(total);
                for (next, weight) in base.observe[state][record ^ bit].iter().enumerate() {
                    row[bit * states + next] = weight.clone();
                }
                row
            };
            observe.push(vec![after(0), after(1)]);
        }
    }
    if certain {
        let mut row = zeros(2 * total);
        for output in 0..2 {
            for (next, weight) in start.iter().enumerate() {
                row[output * total + next] = &half * weight;
            }
        }
        respond.push(vec![row]);
        observe.push(vec![start.clone(), start]);
        start = zeros(total);
        start[total - 1] = Number::one();
    }
    Random { interface: base.interface.clone(), start, respond, observe }
}

proptest! {
    #![proptest_config(config(6))]

    /// Here most questions have an equal one that is answered in their stead.
    #[test]
    fn random_symmetric_mechanisms(
        states in 1usize..=2,
        certain in any::<bool>(),
        seed in prop::collection::vec((0u8..6, 0u8..3), 40..97),
        epsilon in epsilons(),
    ) {
        agrees(&swapped(&random(states, (1, 2, 2), None, &seed), certain), &epsilon, 3);
    }
}

proptest! {
    #![proptest_config(config(4))]

    #[test]
    fn random_mechanisms_with_exponential_weights(
        states in 1usize..=3,
        seed in prop::collection::vec((0u8..6, 0u8..3), 40..97),
        unit in prop::sample::select(vec!["1", "1/2", "-1/4"]),
        epsilon in epsilons(),
    ) {
        let unit = parse_rational(unit).unwrap();
        agrees(&random(states, (1, 2, 2), Some(&unit), &seed), &epsilon, 2);
    }
}

/// A one-round mechanism whose answer is `1` with probability `p` after record 1 and never after
/// record 0: its worst δ at any ε is `p`, seen in round 2.
fn leak(p: &Number) -> Random {
    let one = Number::one();
    let silent = vec![one.clone(), Number::zero(), Number::zero(), Number::zero()];
    let telling = vec![Number::zero(), Number::zero(), Number::zero(), one.clone()];
    Random {
        interface: Interface::transducer(vec![], names("o", 2), names("y", 2)).unwrap(),
        start: vec![one.clone(), Number::zero()],
        respond: vec![vec![silent], vec![telling]],
        observe: vec![
            vec![vec![one.clone(), Number::zero()], vec![&one - p, p.clone()]],
            vec![vec![Number::zero(), one.clone()], vec![Number::zero(), one]],
        ],
    }
}

#[test]
fn a_delta_within_two_to_the_minus_200_is_decided_both_ways() {
    // The worst δ is p by construction, for every ε; what is claimed is p ∓ 2^-201.
    let hair = parse_rational("2^-201").unwrap();
    let cases = [
        (parse_rational("1/3").unwrap(), "ln(3/2)"),
        (parse_rational("1/3").unwrap(), "1/2"),
        (parse_rational("1/7").unwrap(), "0"),
    ];
    for (p, epsilon) in cases {
        let mechanism = leak(&Number::from(p.clone()));
        let automaton = compile(&mechanism, &Options::closed(10)).unwrap();
        let question = Question {
            notion: Notion::Joint,
            neighbours: Neighbours::Replacement,
            epsilon: epsilon.parse().unwrap(),
        };
        let decide = |delta: &Rational| {
            let delta = &Number::from(delta.clone());
            let streams = Streams::all(2);
            decide(
                &automaton,
                &streams,
                &question,
                2,
                delta,
                &Limits::default(),
                &Progress::default(),
            )
            .unwrap()
        };
        assert!(matches!(decide(&(&p + &hair)), Decision::Holds));
        assert!(matches!(decide(&p), Decision::Holds));
        assert!(matches!(decide(&(&p - &hair)), Decision::Refuted(_)));
    }
}

#[test]
fn an_irrational_worst_delta_is_compared_with_rationals_next_to_it() {
    // Round 1 releases a bit that is the record of no one; records 0 and 1 lead to answers 1 with
    // probability 1/4 and 3/4. At ε = 1/2 the worst δ is max(0, 3/4 − e^(1/2)/4), by hand.
    let (quarter, three) = (parse_rational("1/4").unwrap(), parse_rational("3/4").unwrap());
    let [quarter, three] = [quarter, three].map(Number::from);
    let mut mechanism = leak(&three);
    mechanism.observe[0][0] = vec![three.clone(), quarter.clone()];
    let epsilon: Epsilon = "1/2".parse().unwrap();
    let expected = &three - &(&quarter * &epsilon.factor());
    let worst = ask(&mechanism, Notion::Joint, &epsilon, 2);
    assert_eq!(*exact(&worst[1]), expected);
    let (below, above) = expected.enclosure(220);
    assert!(above.clone() - below.clone() < parse_rational("2^-200").unwrap());
    let automaton = compile(&mechanism, &Options::closed(10)).unwrap();
    let question = Question { notion: Notion::Joint, neighbours: Neighbours::Replacement, epsilon };
    for (delta, holds) in [(below, false), (above, true)] {
        let streams = Streams::all(2);
        let decision = decide(
            &automaton,
            &streams,
            &question,
            2,
            &delta.into(),
            &Limits::default(),
            &Progress::default(),
        )
        .unwrap();
        assert_eq!(matches!(decision, Decision::Holds), holds);
    }
}

#[test]
fn answers_do_not_depend_on_the_number_of_threads() {
    let seed: Vec<(u8, u8)> = (0..35u8).map(|i| ((i * 7 + 3) % 6, i % 3)).collect();
    let mechanism = random(4, (1, 2, 3), None, &seed);
    let automaton = compile(&mechanism, &Options::closed(1000)).unwrap();
    let streams = Streams::all(automaton.interface().records());
    let question = Question {
        notion: Notion::Whole,
        neighbours: Neighbours::Replacement,
        epsilon: "ln(9/8)".parse().unwrap(),
    };
    let answers = [1, 4].map(|jobs| {
        let limits = Limits { jobs: jobs.try_into().unwrap(), ..Limits::default() };
        let worst = worst_delta(
            &automaton,
            &streams,
            &question,
            &Lengths::all(4),
            &limits,
            &Progress::default(),
        )
        .unwrap();
        format!("{worst:?}")
    });
    assert_eq!(answers[0], answers[1]);
}

#[test]
fn a_limit_gives_an_interval_around_the_answer() {
    let seed: Vec<(u8, u8)> = (0..41u8).map(|i| ((i * 5 + 1) % 6, i % 3)).collect();
    let mechanism = random(3, (1, 2, 2), None, &seed);
    let automaton = compile(&mechanism, &Options::closed(1000)).unwrap();
    let streams = Streams::all(2);
    let question = Question {
        notion: Notion::Whole,
        neighbours: Neighbours::Replacement,
        epsilon: Epsilon::zero(),
    };
    let ask = |states| {
        let limits = Limits { states, ..Limits::default() };
        worst_delta(
            &automaton,
            &streams,
            &question,
            &Lengths::all(3),
            &limits,
            &Progress::default(),
        )
        .unwrap()
    };
    let full = ask(None);
    let truth = exact(&full[2]);
    let mut stopped_early = 0;
    for limit in 0..60 {
        match &ask(Some(limit))[2] {
            Worst::Exact { delta, .. } => assert_eq!(delta, truth),
            Worst::Between { lower, upper, .. } => {
                stopped_early += 1;
                assert!(lower <= truth && truth <= upper);
            }
        }
    }
    assert!(stopped_early > 10);
}

/// The subsampled SOA on point:3 that retains an example with probability 1/8 and flips an answer
/// with probability 1/4, on x = 3, 1, 2, 3, 1, 2, … labelled by the first function, against the stream
/// with (2,1) in round 2. The values are those of a published computation; the laws are also computed
/// in plain rationals.
#[test]
fn the_law_of_one_stream() {
    let class = littlestone::class::families::generate("point", "3").unwrap();
    let tools = Tools::new(std::rc::Rc::new(class), Limits::default());
    let context = littlestone::mechanism::spec::Context {
        tools: Some(tools),
        catalogue: &littlestone::catalogue::Standard,
        limits: Limits::default(),
    };
    let folder = std::path::Path::new(".");
    let spec = "subsampled-soa:gamma=1/8,flip=1/4";
    let spec = littlestone::mechanism::spec::Spec::parse(spec, folder).unwrap();
    let automaton = compile(&context.resolve(&spec).unwrap(), &Options::closed(1000)).unwrap();
    let question = Question {
        notion: Notion::Whole,
        neighbours: Neighbours::Replacement,
        epsilon: "ln(3/2)".parse().unwrap(),
    };
    let record = |name: &str| automaton.interface().record_index(name).unwrap();
    let cycle = ["3:0", "1:1", "2:0"].map(record);
    for (rounds, expected) in [(4, "0"), (5, "0"), (6, "39407/2097152")] {
        let first: Vec<usize> = cycle.into_iter().cycle().take(rounds).collect();
        let mut second = first.clone();
        second[1] = record("2:1");
        // The neighbour shows more than the stream itself does.
        let pair = Neighbour { first: second, second: first };
        let found = event(&automaton, &question, &pair, &mut Meter::default()).unwrap();
        assert_eq!(found.divergence.to_string(), expected, "T = {rounds}");
        let merged = event_unlisted(&automaton, &question, &pair, &mut Meter::default()).unwrap();
        assert_eq!(merged.divergence, found.divergence);
        let both = both_ways(&automaton, &question, &pair, &mut Meter::default()).unwrap();
        assert_eq!(both, [found.divergence.clone(), Number::zero()]);
        let law = |stream: &[usize]| direct::law(&automaton, stream, None);
        let laws = [law(&pair.first), law(&pair.second)];
        assert_eq!(laws[0].len(), 1 << rounds, "all outputs have a probability");
        let factor = question.epsilon.factor();
        let excess = laws[0].iter().map(|(word, p)| p - &(&factor * &laws[1][word]));
        let plain = excess.filter(|e| e.sign().is_gt()).fold(Number::zero(), |a, b| &a + &b);
        assert_eq!(plain, found.divergence);
    }
}

#[test]
fn an_epsilon_without_a_tolerable_common_unit_is_refused() {
    let weights = exp(&parse_rational("-1").unwrap());
    let automaton = compile(&leak(&weights), &Options::closed(10)).unwrap();
    let ask = |epsilon: &str| {
        let question = Question {
            notion: Notion::Whole,
            neighbours: Neighbours::Replacement,
            epsilon: epsilon.parse().unwrap(),
        };
        let streams = Streams::all(2);
        let (limits, progress) = (Limits::default(), Progress::default());
        worst_delta(&automaton, &streams, &question, &Lengths::all(2), &limits, &progress)
    };
    assert!(ask("9/10").is_ok());
    let message = ask("0.999999").unwrap_err().to_string();
    assert!(message.contains("powers of e^1/1000000 up to 1000000"), "{message}");
}
fn profile_of(mechanism: &Random, notion: Notion, rounds: usize, limits: &Limits) -> Profile {
    let automaton = compile(mechanism, &Options::closed(1000)).unwrap();
    let streams = Streams::all(automaton.interface().records());
    let question = (notion, Neighbours::Replacement);
    profile(&automaton, &streams, question, rounds, limits, &Progress::default()).unwrap()
}

/// The worst δ at a factor over all pairs one by one, and the least pair that attains it.
fn literal_worst(
    mechanism: &Random,
    notion: Notion,
    rounds: usize,
    factor: &Number,
) -> (Number, Option<Neighbour>) {
    let mut worst = (Number::zero(), None);
    let mut pairs = literal::neighbours(mechanism.interface.records(), rounds);
    pairs.sort();
    for (first, second, round) in pairs {
        let [p, q] = [&first, &second].map(|stream| {
            let law = literal::law(mechanism, stream);
            if notion == Notion::Joint { literal::without(&law, round) } else { law }
        });
        let divergence = literal::divergence(&p, &q, factor);
        if divergence > worst.0 {
            worst = (divergence, Some(Neighbour { first, second }));
        }
    }
    worst
}

/// Range, monotony and convexity of a profile; and that it is the literal one. The literal profile
/// is convex too, so that it is linear between two points if it meets their chord once in between.
fn is_the_profile(mechanism: &Random, notion: Notion, rounds: usize) {
    let found = profile_of(mechanism, notion, rounds, &Limits::default());
    assert_eq!(found.stopped, None);
    assert!(found.pieces[0].from.is_one());
    assert!(found.at(&Number::one()) <= Number::one() && found.limit().sign().is_ge());
    assert!(found.pieces.last().unwrap().second.is_zero());
    for pair in found.pieces.windows(2) {
        assert!(pair[0].from < pair[1].from && pair[0].second > pair[1].second);
        assert_eq!(pair[0].at(&pair[1].from), pair[1].at(&pair[1].from));
    }
    let half: Number = parse_rational("1/2").unwrap().into();
    for (index, piece) in found.pieces.iter().enumerate() {
        let inside = match found.pieces.get(index + 1) {
            Some(next) => &(&piece.from + &next.from) * &half,
            None => &piece.from + &Number::from(7),
        };
        assert!(found.proves(&piece.from) && found.proves(&inside));
        let (delta, _) = literal_worst(mechanism, notion, rounds, &piece.from);
        assert_eq!(found.at(&piece.from), delta, "{notion:?} at {}", piece.from);
        let (delta, pair) = literal_worst(mechanism, notion, rounds, &inside);
        assert_eq!(found.at(&inside), delta, "{notion:?} at {inside}");
        assert_eq!(piece.attained_by, pair, "{notion:?} at {inside}");
        // The least ε for a δ is where the profile comes down to it.
        if !piece.second.is_zero() {
            assert_eq!(found.least_factor(&delta), Some(inside));
        }
    }
    let zero = Number::zero();
    assert_eq!(found.least_factor(&zero).is_some(), found.limit().is_zero());
}

proptest! {
    #![proptest_config(config(12))]

    #[test]
    fn profiles_are_those_of_the_definition(
        seed in prop::collection::vec((0u8..6, 0u8..3), 60),
        states in 1usize..4,
        shape in prop::sample::select(vec![(1, 2, 2), (2, 2, 1), (1, 3, 2), (1, 2, 3)]),
        rounds in 1usize..4,
    ) {
        // The reference follows (states² · outputs)^rounds coins on a stream.
        let rounds = if states * states * shape.1 > 12 { rounds.min(2) } else { rounds };
        let mechanism = random(states, shape, None, &seed);
        is_the_profile(&mechanism, Notion::Whole, rounds);
        is_the_profile(&mechanism, Notion::Joint, rounds);
    }

    #[test]
    fn profiles_with_powers_of_e_are_those_of_the_definition(
        seed in prop::collection::vec((0u8..6, 0u8..3), 60),
        states in 1usize..3,
        rounds in 1usize..3,
    ) {
        let unit = parse_rational("1/2").unwrap();
        let mechanism = random(states, (1, 2, 2), Some(&unit), &seed);
        is_the_profile(&mechanism, Notion::Whole, rounds);
        is_the_profile(&mechanism, Notion::Joint, rounds);
    }

    #[test]
    fn profiles_agree_with_the_worst_delta(
        seed in prop::collection::vec((0u8..6, 0u8..3), 60),
        states in 1usize..4,
        rounds in 1usize..4,
        (p, q) in (1i64..40).prop_flat_map(|q| (q..3 * q + 1, Just(q))),
        rational in epsilons(),
    ) {
        let mechanism = random(states, (1, 2, 2), None, &seed);
        let logarithm = Epsilon::ln(Rational::new(p.into(), q.into())).unwrap();
        for notion in [Notion::Whole, Notion::Joint] {
            let found = profile_of(&mechanism, notion, rounds, &Limits::default());
            for epsilon in [&logarithm, &rational] {
                let answers = ask(&mechanism, notion, epsilon, rounds);
                prop_assert_eq!(&found.at(&epsilon.factor()), exact(answers.last().unwrap()));
            }
        }
    }

    /// What a limit leaves is a lower bound, exact where it says so, and the same for any number
    /// of threads.
    #[test]
    fn limits_leave_bounds(
        seed in prop::collection::vec((0u8..6, 0u8..3), 60),
        states in 2usize..4,
        limit in 0u64..400,
    ) {
        let mechanism = random(states, (1, 2, 3), None, &seed);
        let whole = profile_of(&mechanism, Notion::Whole, 3, &Limits::default());
        let jobs = |jobs: usize| Limits {
            jobs: jobs.try_into().unwrap(), states: Some(limit), ..Limits::default()
        };
        let part = profile_of(&mechanism, Notion::Whole, 3, &jobs(1));
        prop_assert_eq!(&part, &profile_of(&mechanism, Notion::Whole, 3, &jobs(3)));
        let unlimited = Limits { jobs: 3.try_into().unwrap(), ..Limits::default() };
        prop_assert_eq!(&whole, &profile_of(&mechanism, Notion::Whole, 3, &unlimited));
        for piece in whole.pieces.iter().chain(&part.pieces) {
            for factor in [piece.from.clone(), &piece.from + &Number::from(1)] {
                prop_assert!(part.at(&factor) <= whole.at(&factor));
                prop_assert!(!part.proves(&factor) || part.at(&factor) == whole.at(&factor));
            }
        }
        match part.stopped {
            None => prop_assert_eq!(
                part.pieces.iter().map(|p| (&p.from, &p.first, &p.second)).collect::<Vec<_>>(),
                whole.pieces.iter().map(|p| (&p.from, &p.first, &p.second)).collect::<Vec<_>>()
            ),
            Some(stopped) => prop_assert_eq!(stopped, Stopped::States),
        }
    }
}
