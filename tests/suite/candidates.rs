//! Algorithm 2 against a literal reference, and the statements of its lemmas.
//!
//! The reference follows the text of Section 7.1 line by line: essential hypotheses from the
//! enumeration of all trees, assignments and samples from the enumeration of all functions and
//! subsets, the law of Select from its definition. It shares nothing with the library but numbers.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use crate::support::candidates::{Sizes, algorithm, parameters};
use crate::support::config;
use crate::support::decomposition::{
    self as literal, Definitions, Enumeration, Functions, Queries,
};
use crate::support::program::littlestone;
use itertools::Itertools;
use littlestone::catalogue::candidates::{
    Algorithm, Enumerate, Fault, Fixed, Function, Likely, Parameters, Record, Rule, Run, Seeded,
    Statement, Stream, Table, Variant, batch, streams, tail,
};
use littlestone::class::{Class, ClassBuilder};
use littlestone::exact::{Number, Rational, parse_rational};
use littlestone::limits::{Limits, Stopped};
use proptest::prelude::*;

/// The 7 functions whose `C_1` is empty at d = 2, the smallest such class.
const SEVEN: [&str; 7] = ["0000", "1000", "0100", "1010", "0110", "1001", "0101"];

fn rational(text: &str) -> Rational {
    parse_rational(text).expect("a rational")
}

fn number(text: &str) -> Number {
    rational(text).into()
}

/// A class from its functions.
fn class_of(functions: &[&str]) -> Class {
    let mut builder = ClassBuilder::new((0..functions[0].len()).map(|x| x.to_string()).collect());
    for f in functions {
        builder.push(None, f.bytes().map(|label| label == b'1'));
    }
    builder.build()
}

fn points(n: usize) -> Vec<String> {
    (0..n).map(|x| (0..n).map(|y| if x == y { '1' } else { '0' }).collect()).collect()
}

fn point_class(n: usize) -> Class {
    class_of(&points(n).iter().map(String::as_str).collect_vec())
}

type Law = BTreeMap<Vec<String>, Rational>;

/// The text of Algorithm 2, with every value of its randomness.
struct Reference<'d> {
    points: usize,
    class: Vec<u64>,
    d: i32,
    sizes: Sizes,
    definitions: &'d mut Definitions,
    lists: BTreeMap<(Functions, u32), Vec<u64>>,
    law: Law,
}

type Sample = Vec<(usize, bool)>;

impl<'d> Reference<'d> {
    fn law(
        class: &[&str],
        d: i32,
        sizes: Sizes,
        stream: &[(usize, bool)],
        definitions: &'d mut Definitions,
    ) -> Law {
        let mut reference = Self {
            points: class[0].len(),
            class: class.iter().map(|f| literal::function(f)).collect(),
            d,
            sizes,
            definitions,
            lists: BTreeMap::new(),
            law: Law::new(),
        };
        let samples = vec![Vec::new(); sizes.k];
        reference.batch(stream, &[0], &samples, 0, Rational::from_integer(1.into()));
        reference.law
    }

    /// Lines 2 to 5 for the next j.
    fn batch(
        &mut self,
        stream: &[(usize, bool)],
        made: &[u64],
        samples: &[Vec<Sample>],
        level: u32,
        weight: Rational,
    ) {
        if made.len() == self.sizes.candidates + 1 {
            self.end(made, weight);
            return;
        }
        let h = made[made.len() - 1];
        let (n, k) = (self.sizes.n, self.sizes.k);
        // The formula of B_K.
        let wrong = |&(x, y): &(usize, bool)| (h >> x & 1 == 1) != y;
        let records: Sample = (0..stream.len())
            .filter(|&t| {
                wrong(&stream[t])
                    && stream[..=t].iter().filter(|r| wrong(r)).count() <= self.sizes.batch
            })
            .map(|t| stream[t])
            .collect();
        let assignments = k.pow(u32::try_from(records.len()).expect("few"));
        for code in 0..assignments {
            let mut rest = code;
            let mut parts = vec![Vec::new(); k];
            for (place, _) in records.iter().enumerate() {
                parts[rest % k].push(place);
                rest /= k;
            }
            // All ways to sample in all groups, one group after the other.
            let mut ways = vec![(Vec::<Vec<usize>>::new(), Rational::from_integer(1.into()))];
            for part in &parts {
                let subsets: Vec<Vec<usize>> = part
                    .iter()
                    .copied()
                    .powerset()
                    .filter(|s| s.len() == n.min(part.len()))
                    .collect();
                let share = Rational::new(1.into(), subsets.len().into());
                ways = ways
                    .into_iter()
                    .flat_map(|(chosen, p)| {
                        let share = &share;
                        subsets
                            .iter()
                            .map(move |subset| {
                                let mut longer = chosen.clone();
                                longer.push(subset.clone());
                                (longer, &p * share)
                            })
                            .collect_vec()
                    })
                    .collect();
            }
            for (chosen, p) in ways {
                let mut kept = samples.to_vec();
                for (group, subset) in kept.iter_mut().zip(&chosen) {
                    group.push(subset.iter().map(|&place| records[place]).collect());
                }
                let p = p * &weight / Rational::from_integer(assignments.into());
                self.select(stream, made, &kept, level, &p);
            }
        }
    }

    /// Lines 6 to 10.
    fn select(
        &mut self,
        stream: &[(usize, bool)],
        made: &[u64],
        samples: &[Vec<Sample>],
        level: u32,
        weight: &Rational,
    ) {
        let l = i64::from(level);
        let d = i64::from(self.d);
        let threshold =
            Rational::new(1.into(), 8.into()) - Rational::new(l.into(), (32 * (d + 1)).into());
        let p = 2u32.pow(level) * u32::try_from(self.sizes.n).expect("small");
        let mut counts: BTreeMap<u64, u32> = BTreeMap::new();
        for group in samples {
            let fits = |&&h: &&u64| {
                group.iter().all(|sample: &Sample| {
                    let errors = sample.iter().filter(|(x, y)| (h >> x & 1 == 1) != *y).count();
                    Rational::new(errors.into(), self.sizes.n.into()) <= threshold
                })
            };
            let members: Functions = self.class.iter().filter(fits).fold(0, |all, &h| all | 1 << h);
            for f in self.list(members, p) {
                *counts.entry(f).or_default() += 1;
            }
        }
        let power = |c: u32| {
            Rational::from_integer(self.sizes.q.into()).pow(i32::try_from(c).expect("small"))
        };
        let bottom = power(u32::try_from(self.sizes.score).expect("not negative"));
        let total: Rational = counts.values().map(|&c| power(c)).sum::<Rational>() + &bottom;
        let returned: Vec<(u64, Rational)> =
            counts.iter().map(|(&f, &c)| (f, weight * power(c) / &total)).collect();
        let failed = weight * bottom / &total;
        for (f, p) in returned {
            let mut longer = made.to_vec();
            longer.push(f);
            self.batch(stream, &longer, samples, level, p);
        }
        if i64::from(level) == d {
            self.end(made, failed);
        } else {
            self.select(stream, made, samples, level + 1, &failed);
        }
    }

    fn list(&mut self, members: Functions, p: u32) -> Vec<u64> {
        if members == 0 {
            return Vec::new();
        }
        if let Some(known) = self.lists.get(&(members, p)) {
            return known.clone();
        }
        let mut enumeration = Enumeration::new(self.definitions, p, self.d, Queries::Splitting);
        let found: Vec<u64> = enumeration.decompose(members).1.into_iter().collect();
        self.lists.insert((members, p), found.clone());
        found
    }

    /// Line 9 or 11.
    fn end(&mut self, made: &[u64], weight: Rational) {
        let mut functions: Vec<String> =
            made.iter().map(|&f| literal::text(f, self.points)).collect();
        while functions.len() < self.sizes.candidates + 1 {
            functions.push("0".repeat(self.points));
        }
        *self.law.entry(functions).or_insert_with(|| Rational::from_integer(0.into())) += weight;
    }
}

fn found_law(algorithm: &Algorithm, stream: &[(usize, bool)]) -> Law {
    let law = algorithm.law(stream, &Limits::default()).expect("no limit");
    law.iter()
        .map(|(functions, weight)| {
            let functions = functions.iter().map(|f| f.labels().to_owned()).collect();
            (functions, weight.as_rational().expect("q is rational").clone())
        })
        .collect()
}

/// The law, path by path.
fn law_of_paths(algorithm: &Algorithm, stream: &[(usize, bool)]) -> Law {
    let mut law = Law::new();
    let all = algorithm.for_each_run(stream, &Limits::default(), |run, weight| {
        let functions = run.candidates.iter().map(|f| f.labels().to_owned()).collect();
        *law.entry(functions).or_insert_with(|| rational("0")) +=
            weight.as_rational().expect("q is rational");
        ControlFlow::<()>::Continue(())
    });
    assert!(all.expect("no limit").is_continue());
    law
}

fn sizes(n: usize, k: usize, candidates: usize, batch: usize) -> Sizes {
    Sizes { n, k, candidates, batch, q: 2, score: 1 }
}

proptest! {
    #![proptest_config(config(48))]

    /// Random classes on 2 or 3 points, random streams, realisable or not.
    #[test]
    fn the_law_is_that_of_the_text(
        points in 2usize..=3,
        set in 1u64..256,
        stream in prop::collection::vec((0usize..3, any::<bool>()), 0..5),
        (n, k, candidates, batch) in (1usize..=2, 1usize..=2, 1usize..=2, 1usize..=3),
        (q, score) in (2i64..=3, 0i64..=2),
    ) {
        let set = if points == 2 { set % 15 + 1 } else { set };
        let texts: Vec<String> = literal::members(set).map(|f| literal::text(f, points)).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let stream: Stream = stream.into_iter().map(|(x, y)| (x % points, y)).collect();
        let sizes = Sizes { n, k, candidates, batch, q, score };
        let mut definitions = Definitions::new(points);
        let d = definitions.dimension(set);
        let expected = Reference::law(&texts, d, sizes, &stream, &mut definitions);
        let algorithm = algorithm(&class_of(&texts), d, sizes, Variant::Paper);
        prop_assert_eq!(&found_law(&algorithm, &stream), &expected);
        prop_assert_eq!(&law_of_paths(&algorithm, &stream), &expected);
    }
}

/// The seven functions have no essential hypothesis at first, so that ⊥ is certain in the first call.
#[test]
fn a_class_without_essential_hypotheses() {
    let mut definitions = Definitions::new(4);
    for (stream, k) in [(vec![], 1), (vec![(0, true)], 2), (vec![(2, true), (0, false)], 2)] {
        let sizes = sizes(1, k, 2, 2);
        let expected = Reference::law(&SEVEN, 2, sizes, &stream, &mut definitions);
        assert_eq!(
            found_law(&algorithm(&class_of(&SEVEN), 2, sizes, Variant::Paper), &stream),
            expected
        );
    }
}

/// By a second program: POINT3, n = k = 1, K = 2, N = 2, q = 2, B = 1, the stream (1,1).
#[test]
fn a_law_by_a_second_program() {
    let algorithm = algorithm(&point_class(3), 1, sizes(1, 1, 2, 2), Variant::Paper);
    let expected = [
        (["000", "000", "000"], "1/4"),
        (["000", "100", "000"], "1/4"),
        (["000", "100", "100"], "1/2"),
    ];
    let expected: Law = expected
        .iter()
        .map(|(functions, p)| (functions.iter().map(ToString::to_string).collect(), rational(p)))
        .collect();
    assert_eq!(found_law(&algorithm, &[(0, true)]), expected);
}

/// Condition 1: the first K mistakes in the whole stream; "full" means exactly K records.
#[test]
fn a_batch_is_the_first_k_mistakes_of_the_whole_stream() {
    let h = Function::new("01").expect("labels");
    let stream = [(0, true), (1, true), (1, false), (0, false), (1, false), (0, true)];
    let times = |size| -> Vec<usize> {
        batch(&h, &stream, size).iter().map(|record: &Record| record.time).collect()
    };
    assert_eq!(times(2), [1, 3]);
    assert_eq!(times(4), [1, 3, 5, 6]);
    assert_eq!(times(9), [1, 3, 5, 6]);
    // Once full, it is that of the prefix that ends with its last record.
    assert_eq!(batch(&h, &stream[..3], 2), batch(&h, &stream, 2));
}

/// A run on which Select answers as told: `None` for ⊥.
fn told(algorithm: &Algorithm, stream: &[(usize, bool)], answers: &[Option<&str>]) -> Run {
    let mut found = None;
    let fits = |run: &Run| {
        let given = run.steps.iter().flat_map(|step| &step.calls).map(|call| call.answer.as_ref());
        given.map(|answer| answer.map(Function::labels)).eq(answers.iter().copied())
    };
    let _ = algorithm
        .for_each_run(stream, &Limits::default(), |run, _| {
            if fits(run) {
                found = Some(run.clone());
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        })
        .expect("no limit");
    found.expect("such a run")
}

/// Conditions 2 and 10: ℓ counts the failures of the whole run; after a failure the lists are built
/// again from the same samples; the sequence is padded with `h_0` to N + 1 functions.
#[test]
fn failures_are_counted_over_the_whole_run() {
    let class = point_class(3);
    // d = 1, so ℓ ∈ {0, 1}; at ℓ = 1, p = 2 and ρ_2 = 0: the list is the class.
    let algorithm = algorithm(&class, 1, sizes(1, 1, 3, 1), Variant::Paper);
    let run = told(&algorithm, &[(1, false)], &[None, Some("010"), Some("100"), None]);
    assert!(run.ended);
    assert_eq!(run.made, 3);
    let labels: Vec<&str> = run.candidates.iter().map(Function::labels).collect();
    // h_0, two selected functions, and h_0 again.
    assert_eq!(labels, ["000", "010", "100", "000"]);
    let levels: Vec<usize> =
        run.steps.iter().flat_map(|step| &step.calls).map(|call| call.level).collect();
    assert_eq!(levels, [0, 1, 1, 1]);
    // The twin that resets ℓ begins the second batch at ℓ = 0.
    let reset = self::algorithm(&class, 1, sizes(1, 1, 3, 1), Variant::FreshLevels);
    let run = told(&reset, &[(1, false)], &[None, Some("010"), Some("100"), Some("100")]);
    let levels: Vec<usize> =
        run.steps.iter().flat_map(|step| &step.calls).map(|call| call.level).collect();
    assert_eq!(levels, [0, 1, 0, 0]);
}

/// Condition 9: one error in a sample of one record, n = 16: 1/16 is at most 1/8, so nothing is excluded;
/// divided by the size of the sample it is 1.
#[test]
fn the_sample_error_is_divided_by_n() {
    let class = point_class(3);
    let of = |variant| {
        let sizes = Sizes { n: 16, ..sizes(16, 1, 1, 1) };
        algorithm(&class, 1, sizes, variant)
            .fitting(&[Record { time: 1, point: 0, label: true }], 0)
    };
    assert_eq!(of(Variant::Paper), 0b111);
    assert_eq!(of(Variant::SampleSize), 0b001);
    // Condition 6: err ≤ a_ℓ is weak. Two errors of 16 are 1/8 = a_0 and more than a_1 = 7/64.
    let sizes = Sizes { n: 16, ..sizes(16, 1, 1, 1) };
    let algorithm = algorithm(&class, 1, sizes, Variant::Paper);
    let twice = [1, 2].map(|time| Record { time, point: 0, label: true });
    assert_eq!(algorithm.fitting(&twice, 0), 0b111);
    assert_eq!(algorithm.fitting(&twice, 1), 0b001);
}

/// Resuming on prefixes gives the run of the whole stream: for every randomness, when each candidate
/// is asked for as soon as the batch before it is full.
#[test]
fn candidates_can_be_made_as_soon_as_a_batch_is_full() {
    let class = class_of(&["00", "01", "10", "11"]);
    let (limits, rounds) = (Limits::default(), 3);
    let algorithm = algorithm(&class, 2, sizes(1, 2, 2, 1), Variant::Paper);
    let mut resumed = 0;
    for stream in streams(&class, rounds, false).expect("few") {
        let _ = algorithm
            .for_each_run(&stream, &limits, |run, _| {
                for step in run.steps.iter().filter(|step| step.full) {
                    let last = step.records.last().expect("K ≥ 1").time;
                    let h = &run.candidates[step.number - 1];
                    assert_eq!(batch(h, &stream[..last], 1), step.records);
                    resumed += usize::from(last < rounds);
                }
                ControlFlow::<()>::Continue(())
            })
            .expect("no limit");
    }
    assert!(resumed > 0);
    // The law of the first two candidates, one batch at a time on the shortest prefixes.
    let stream = [(0, true), (1, true), (0, false)];
    let first = algorithm.law_of_next(&algorithm.start(), &stream[..1], &limits).expect("no limit");
    assert_eq!(
        first,
        algorithm.law_of_next(&algorithm.start(), &stream, &limits).expect("no limit")
    );
}

/// The probabilities of all runs sum to 1, and a seed is one of the runs, always the same.
#[test]
fn seeds_and_most_likely_runs_are_runs() {
    let class = class_of(&SEVEN);
    let algorithm = algorithm(&class, 2, sizes(1, 2, 2, 2), Variant::Paper);
    let stream = [(2, true), (0, true), (3, true)];
    let mut all = Vec::new();
    let mut sum = Number::zero();
    let _ = algorithm
        .for_each_run(&stream, &Limits::default(), |run, weight| {
            all.push(run.clone());
            assert_eq!(run.probability().as_ref(), Ok(weight));
            sum = &sum + weight;
            ControlFlow::<()>::Continue(())
        })
        .expect("no limit");
    assert!(sum.is_one());
    assert!(all.iter().map(|run| format!("{run:?}")).all_unique());
    let seeded = |seed| algorithm.run(&stream, &mut Seeded::new(seed)).expect("no limit");
    for seed in 0..20 {
        assert!(all.contains(&seeded(seed)));
        assert_eq!(seeded(seed), seeded(seed));
    }
    assert!((0..20).map(seeded).map(|run| format!("{run:?}")).unique().count() > 1);
    assert!(all.contains(&algorithm.run(&stream, &mut Likely).expect("no limit")));
}

/// With all tables equally likely, fixed tables average to the law (Lemma 10): the n smallest of
/// independent numbers are a uniform subset.
#[test]
fn fixed_tables_average_to_the_law() {
    let class = point_class(2);
    let algorithm = algorithm(&class, 1, sizes(1, 2, 1, 3), Variant::Paper);
    let stream = [(0, true), (1, true), (0, true)];
    let limits = Limits::default();
    let mut average = Law::new();
    let tables =
        (0..3).map(|_| 0..2).multi_cartesian_product().cartesian_product((0..3).permutations(3));
    for (groups, numbers) in tables {
        let table = Table { groups: vec![groups], numbers: vec![numbers], by_place: false };
        let law = algorithm.law_given(&table, &stream, &limits).expect("no limit");
        for (functions, weight) in law.iter() {
            let functions = functions.iter().map(|f| f.labels().to_owned()).collect();
            let share = weight.as_rational().expect("rational") / rational("48");
            *average.entry(functions).or_insert_with(|| rational("0")) += share;
        }
        let mut oracle = Fixed { table: &table, select: Enumerate::new() };
        let run = algorithm.run(&stream, &mut oracle).expect("no limit");
        assert!(run.steps[0].samples.iter().all(|sample| sample.len() <= 1));
    }
    assert_eq!(average, found_law(&algorithm, &stream));
}

/// P(Z = z) by hand: K = 2 records, k = 2 groups, n = 1, no bound on errors. Both records go to one
/// group with probability 1/2, and then one group has none.
#[test]
fn unsuccessful_groups_by_hand() {
    let class = point_class(2);
    let records = [1, 2].map(|time| Record { time, point: 0, label: true });
    let algorithm = algorithm(&class, 1, sizes(1, 2, 1, 2), Variant::Paper);
    let law = algorithm.unsuccessful(&records, &rational("1"), &Limits::default()).expect("small");
    assert_eq!(law, ["1/2", "1/2", "0"].map(number));
    assert_eq!(tail(&law, 0), number("1/2"));
    assert_eq!(tail(&law, 1), number("0"));
    assert_eq!(algorithm.received().expect("small"), number("1"));
}

/// The rule with numbers has the law of line 5; the misreadings do not.
#[test]
fn the_smallest_numbers_are_a_uniform_sample() {
    for (n, k, batch) in [(1, 1, 3), (2, 1, 4), (1, 2, 4), (2, 2, 5)] {
        let algorithm = algorithm(&point_class(2), 1, sizes(n, k, 1, batch), Variant::Paper);
        let by = |rule| algorithm.stored_by(rule).expect("small");
        let paper = by(Rule::Subset);
        assert!(paper.iter().fold(Number::zero(), |sum, (_, p)| &sum + p).is_one());
        assert_eq!(by(Rule::Smallest), paper);
        assert_ne!(by(Rule::First), paper);
        assert_eq!(by(Rule::Replacement) == paper, n == 1);
    }
}

/// Of every run on every realisable stream of a few rounds.
fn say(algorithm: &Algorithm, rounds: usize, statement: &Statement) -> (Vec<&'static str>, usize) {
    let (mut events, mut faults) = (Vec::new(), 0);
    for stream in streams(algorithm.class(), rounds, true).expect("few") {
        let _ = algorithm
            .for_each_run(&stream, &Limits::default(), |run, _| {
                let said = statement.of(algorithm, &stream, run);
                events.extend(said.events);
                faults += usize::from(said.fault.is_some());
                ControlFlow::<()>::Continue(())
            })
            .expect("no limit");
    }
    events.sort_unstable();
    events.dedup();
    (events, faults)
}

/// The numbers of violations are those of a second program: 30 for POINT3 (one round) and 540 for the
/// seven functions (one round) when ℓ is reset; none otherwise.
#[test]
fn lemma_8_and_its_twin() {
    for (class, d) in [(point_class(3), 1), (class_of(&SEVEN), 2)] {
        let of =
            |variant| say(&algorithm(&class, d, sizes(1, 1, 2, 1), variant), 1, &Statement::Nested);
        let (events, faults) = of(Variant::Paper);
        assert_eq!(faults, 0);
        assert!(events.contains(&"a list shrinks"), "{events:?}");
        assert!(of(Variant::FreshLevels).1 > 0);
    }
}

/// On the cube some candidate is perfect unless ⊥ is returned; with batches from the suffix not.
#[test]
fn lemma_3_and_its_twin() {
    let cube = class_of(&["00", "01", "10", "11"]);
    let of =
        |variant| say(&algorithm(&cube, 2, sizes(1, 1, 2, 1), variant), 2, &Statement::Candidate);
    let (events, faults) = of(Variant::Paper);
    assert_eq!(faults, 0);
    assert!(events.contains(&"h_1 makes at least K mistakes, too"), "{events:?}");
    assert!(of(Variant::Suffix).1 > 0);
    // By a second program: with probability at least 7/8, on (0,0),(1,1).
    let chances = |stream: &[(usize, bool)]| {
        algorithm(&cube, 2, sizes(1, 1, 2, 1), Variant::Paper)
            .chances(stream, &Limits::default())
            .expect("no limit")
            .candidate
    };
    assert_eq!(chances(&[(0, false), (1, true)]), number("7/8"));
}

#[test]
fn other_statements_hold_and_their_twins_do_not() {
    let class = point_class(3);
    let cases = [
        (Statement::Returned, Variant::Unpadded),
        (Statement::Batches, Variant::Suffix),
        (Statement::Classes, Variant::SampleSize),
        (Statement::Classes, Variant::Forgetful),
        (Statement::Levels, Variant::FreshLevels),
    ];
    for (statement, twin) in cases {
        let sizes = if twin == Variant::SampleSize { sizes(8, 1, 1, 2) } else { sizes(1, 1, 2, 1) };
        let of = |variant| say(&algorithm(&class, 1, sizes, variant), 2, &statement);
        let (events, faults) = of(Variant::Paper);
        assert!(faults == 0 && !events.is_empty(), "{statement:?}: {events:?}");
        assert!(of(twin).1 > 0, "{statement:?}, {twin:?}");
    }
}

/// By a second program: POINT4, k = 12, n = K = N = 1, q = 2, B = 9, T = 2.
#[test]
fn privacy_for_fixed_tables() {
    let sizes = Sizes { score: 9, ..sizes(1, 12, 1, 1) };
    let algorithm = algorithm(&point_class(4), 1, sizes, Variant::Paper);
    let limits = Limits::default();
    let worst = algorithm.worst_given(2, &Number::one(), &limits).expect("no limit");
    assert_eq!(worst.delta, number("1537/1640961"));
    assert!(worst.table.is_some() && worst.streams.is_some());
    // Averaging over tables cannot make it worse.
    assert!(algorithm.worst(2, &Number::one(), &limits).expect("no limit").delta <= worst.delta);
}

/// One record changes a batch at two timestamps and two groups; keyed by place, three groups (K = 3).
#[test]
fn one_record_changes_two_groups() {
    let class = class_of(&["0", "1"]);
    let algorithm = algorithm(&class, 1, sizes(1, 3, 1, 3), Variant::Paper);
    let of = |by_place| algorithm.changed(4, by_place, &Limits::default()).expect("no limit");
    let (paper, place) = (of(false), of(true));
    assert_eq!((paper.records, paper.groups), (2, 2));
    assert_eq!((place.records, place.groups), (2, 3));
}

#[test]
fn parameters_out_of_range_are_refused_and_conditions_are_reported() {
    let class = point_class(3);
    let new = |change: fn(&mut Parameters)| {
        let mut parameters = parameters(&class, 1, sizes(1, 1, 1, 1), Variant::Paper);
        change(&mut parameters);
        match Algorithm::new(&class, parameters, &Limits::default()) {
            Err(Fault::Input(error)) => error.to_string(),
            other => format!("{other:?}"),
        }
    };
    let refused = [
        new(|p| p.sample = 0),
        new(|p| p.batch = 1001),
        new(|p| p.thresholds.clear()),
        new(|p| p.lists[1] = 0),
        new(|p| p.thresholds[0] = rational("-1")),
        new(|p| p.first = Function::zero(2)),
        new(|p| {
            p.ambient = 0;
            p.thresholds.pop();
            p.lists.pop();
        }),
    ];
    let expected = [
        "n: expected a number from 1 to 1000, found 0",
        "K: expected a number from 1 to 1000, found 1001",
        "the thresholds a: expected d + 1 = 2 of them, found 0",
        "the list parameters p: expected at least 1, found 0",
        "the thresholds a: expected numbers of at least 0, found -1",
        "h_0: expected 3 labels, one for each point, found 2",
        "d: expected at least 1, the Littlestone dimension of the class, found 0",
    ];
    assert_eq!(refused, expected);
    // The paper's own choice for d = 1 and constants of 1: n = 64, s = 256, N = 1026.
    let mut paper = parameters(&class, 1, sizes(64, 1000, 1000, 1000), Variant::Paper);
    (paper.list_bound, paper.candidates) = (256, 1026);
    let failing: Vec<String> =
        paper.conditions().into_iter().filter(|c| !c.holds).map(|c| c.text).collect();
    assert_eq!(
        failing,
        [
            "K = 1000 = 2kn = 128000",
            "k = 1000 ≥ N^2 n = 67371264",
            "3k/5 = 600 < B = 1 < 9k/10 = 900",
        ]
    );
    let limits = Limits { states: Some(3), ..Limits::default() };
    let algorithm = algorithm(&class, 1, sizes(1, 2, 2, 2), Variant::Paper);
    let stopped = algorithm.law(&[(0, true), (1, true)], &limits);
    assert_eq!(stopped.map(|_| ()), Err(Fault::Stopped(Stopped::States)));
}

fn printed(args: &[&str]) -> String {
    let output = littlestone(args).assert().code(0).get_output().stdout.clone();
    String::from_utf8(output).expect("text")
}

/// By hand: the one mistake of 000 goes to group 1. ℓ = 0: {100} and {000} with weights 4, 4 and ⊥
/// with 4. ℓ = 1: {100} and the class; 100 has weight 16 of 28. The second batch is empty.
#[test]
fn a_run_is_shown_as_a_table() {
    let args = ["candidates", "point:3", "--stream", "1:1,2:0", "--k", "2", "--q", "4", "--B", "1"];
    let text = printed(&args);
    let rows: Vec<Vec<&str>> = text
        .lines()
        .skip_while(|line| !line.starts_with("batch"))
        .map(|line| line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect())
        .collect();
    let expected: [&[&str]; 13] = [
        &[
            "batch",
            "ℓ",
            "p",
            "group",
            "received",
            "stored",
            "hypotheses",
            "dimension",
            "list",
            "choice",
        ],
        &[
            "B_1 (not full)",
            "0",
            "1",
            "1",
            "1:1 at 1",
            "1:1 at 1",
            "1",
            "0",
            "100",
            "bottom, probability 1/3",
        ],
        &["2", "-", "-", "3", "1", "000"],
        &["1", "2", "1", "1", "0", "100", "h_1 = 100, in 2 of 2 lists, probability 4/7"],
        &["2", "3", "0", "001 010 100"],
        &[
            "B_2 (not full)",
            "1",
            "2",
            "1",
            "-",
            "-",
            "1",
            "0",
            "100",
            "h_2 = 100, in 2 of 2 lists, probability 4/7",
        ],
        &["2", "-", "-", "3", "0", "001 010 100"],
        &["h_0 = 000: 1 mistakes on the stream"],
        &["h_1 = 100: 0 mistakes on the stream"],
        &["h_2 = 100: 0 mistakes on the stream"],
        &["probability of this run: 8/147 ≈ 0.054421…"],
        &[],
        &[],
    ];
    let expected: Vec<&[&str]> = expected.into_iter().filter(|row| !row.is_empty()).collect();
    assert_eq!(rows, expected);
    assert!(text.contains("not as in the paper: n = 1 ≥ (d+1)^6 = 64\n"), "{text}");
    assert!(text.contains("as in the paper: K = 4 = 2kn = 4\n"), "{text}");
}

/// C(100, 50) does not fit into 64 bits; the probability of a run is exact all the same. The list has one
/// function, so that ⊥, with the same weight, comes first: 1/(4 C(100, 50)) for ⊥ twice.
#[test]
fn samples_may_be_large() {
    let stream = ["1:1"; 100].join(",");
    let args = ["candidates", "cube:1", "--n", "50", "--N", "1", "--B", "1", "--stream", &stream];
    let text = printed(&args);
    let probability = "probability of this run: 1/403565378182256773339249989024 ≈ ";
    assert!(text.contains(probability), "{text}");
}

/// The law of the second program above.
#[test]
fn laws_and_runs_as_json() {
    let base = ["candidates", "point:3", "--stream", "1:1", "--B", "1", "--format", "json"];
    let value = |more: &[&str]| -> serde_json::Value {
        serde_json::from_str(&printed(&[&base[..], more].concat())).expect("JSON")
    };
    let law = value(&["--all"]);
    let outcome = |candidates: [&str; 3], probability: &str| serde_json::json!({ "candidates": candidates, "probability": probability });
    assert_eq!(
        law["law"],
        serde_json::json!([
            outcome(["000", "000", "000"], "1/4"),
            outcome(["000", "100", "000"], "1/4"),
            outcome(["000", "100", "100"], "1/2"),
        ])
    );
    let run = value(&["--seed", "1"]);
    assert_eq!(run, value(&["--seed", "1"]));
    let (call, record) = (&run["steps"][0]["calls"][0], &run["steps"][0]["records"][0]);
    assert_eq!((&call["level"], &call["p"]), (&0.into(), &1.into()));
    let expected = serde_json::json!({ "label": 1, "point": "1", "round": 1 });
    assert_eq!((record, &run["parameters"]["K"]), (&expected, &2.into()));
}

/// 4096 hypotheses are beyond the limit: nothing is wrong with the question.
#[test]
fn large_classes_are_undecided() {
    let output = littlestone(&["candidates", "cube:12", "--stream", "1:1"]).assert().code(3);
    let text = String::from_utf8(output.get_output().stderr.clone()).expect("text");
    assert!(text.contains("at most 64 hypotheses, this one has 4096"), "{text}");
    assert!(text.contains("help: "), "{text}");
}

/// (1,1), (2,1) fit no function of POINT3; each alone does.
#[test]
fn streams_that_no_hypothesis_fits_are_pointed_out() {
    for (stream, realisable) in [("1:1,2:1", false), ("1:1,2:0", true)] {
        let args = ["candidates", "point:3", "--stream", stream];
        assert_eq!(printed(&args).contains("note: no hypothesis fits the stream"), !realisable);
        let text = printed(&[&args[..], &["--format", "json"]].concat());
        let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(json["realisable"], realisable);
    }
}

/// What were claims alone: a number as in `checks/predictor/lemma6.toml`, and a statement.
#[test]
fn properties_are_decided_by_the_command() {
    let base = ["candidates", "point:3", "--k", "2", "--N", "1", "--K", "2", "--B", "1"];
    let more =
        ["--property", "unsuccessful", "--tolerance", "1", "--rounds", "2", "--format", "json"];
    let json: serde_json::Value =
        serde_json::from_str(&printed(&[&base[..], &more].concat())).expect("JSON");
    assert_eq!(json["value"], "1/2");
    let text =
        printed(&["candidates", "point:3", "--B", "1", "--rounds", "2", "--property", "nested"]);
    assert!(text.ends_with("verdict: holds\n"), "{text}");
}

#[test]
fn malformed_questions_are_refused() {
    let refused = |more: &[&str], message: &str| {
        let base = ["candidates", "point:3", "--stream", "1:1"];
        let output = littlestone(&[&base[..], more].concat()).assert().code(2).get_output().clone();
        assert!(output.stdout.is_empty());
        let text = String::from_utf8(output.stderr).expect("text");
        assert!(text.starts_with("error: ") && text.contains(message), "{text}");
    };
    refused(&["--n", "0"], "'--n <N>': expected a number from 1 to 1000, found `0`");
    refused(&["--q", "1"], "q above 1");
    refused(&["--B", "1/2"], "1/2");
    refused(&["--first", "012"], "3 labels 0 and 1");
    refused(&["--first", "00"], "first: expected 3 labels");
    refused(&["--thresholds", "1/8"], "expected d + 1 = 2 of them, found 1");
    refused(&["--variant", "other"], "expected one of paper, fresh-levels");
    refused(&["--ambient", "0"], "d: expected at least 1");
    refused(&["--ambient", "65", "--lists", "1"], "d: expected a number from 0 to 64, found 65");
    refused(&["--k", "18446744073709551615"], "'--k <N>': expected a number from 1 to 1000");
    refused(&["--n=-1"], "'-1' for '--n <N>': expected a number from 1 to 1000");
    refused(&["--K", "many"], "'many' for '--K <N>': expected a number from 1 to 1000");
    refused(&["--ambient", "x"], "'x' for '--ambient <D>': expected a number from 0 to 64");
    refused(
        &["--lists", "1,-2"],
        "'1,-2' for '--lists <P,…>': expected numbers from 1 to 4294967295",
    );
    refused(
        &["--seed=-1"],
        "'-1' for '--seed <SEED>': expected a number from 0 to 18446744073709551615",
    );
    refused(&["--B=huge"], "B: ");
    refused(&["--a=-x"], "a: ");
    refused(&["--a", "1", "--q", "2"], "not together with `q`");
    refused(&["--property", "nested", "--z", "1"], "z: no such field with this property");
    refused(&["--property", "averaged"], "expected the field `epsilon`");
    refused(&["--rounds", "2"], "rounds: only with a property");
    littlestone(&[
        "candidates",
        "point:3",
        "--stream",
        "1:1",
        "--k",
        "3",
        "--all",
        "--limit-states",
        "2",
    ])
    .assert()
    .code(3);
}
