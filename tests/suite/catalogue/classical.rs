//! The classical mechanisms: laws against sums over the noise, by hand, and against one another.

use std::collections::BTreeMap;

use littlestone::exact::Number;
use littlestone::mechanism::{Boxed, Mechanism};

use super::{literal, mechanism, number};

/// The law of a one-shot mechanism on a data set, given by the names of its records.
fn law(text: &str, over: &str, data: &[&str]) -> BTreeMap<String, Number> {
    let mechanism: Boxed = mechanism(text, over);
    let record = |name: &&str| mechanism.interface().record_index(name).unwrap();
    let stream: Vec<usize> = data.iter().map(record).collect();
    let law = literal::law(&mechanism, &stream);
    law.into_iter().map(|(word, weight)| (word.concat(), weight)).collect()
}

/// P(noise = z) for two-sided geometric noise.
fn mass(ratio: &str, z: i32) -> Number {
    let r = number(ratio);
    let unit = (&Number::one() - &r).checked_div(&(&Number::one() + &r)).unwrap();
    &unit * &r.pow(z.abs()).unwrap()
}

/// Sums over all noises of absolute value at most this leave out little.
const FAR: i32 = 26;

/// The value lies between a sum that leaves out something and that sum with all that is left out.
#[track_caller]
fn close(value: &Number, sum: &Number) {
    let slack = number("2^-20");
    assert!(sum <= value && value <= &(sum + &slack), "{value} {sum}");
}

/// P(low ≤ answer + noise < high) as a sum.
fn between(ratio: &str, low: i32, high: i32) -> Number {
    (low.max(-FAR)..high.min(FAR)).fold(Number::zero(), |sum, z| &sum + &mass(ratio, z))
}

/// Each word of the sparse vector technique, by a sum over the threshold's noise of products of
/// sums over the answers' noises.
#[test]
fn words_of_the_sparse_vector_technique_are_sums_over_the_noise() {
    let answers = [0, 1, -1];
    let words = |text: &str| law(text, "point:2", &["0+-"]);
    let segment = |letters: &str, first: usize, query: &str| {
        let mut sum = Number::zero();
        for threshold in -FAR..=FAR {
            let mut product = mass("1/4", threshold);
            for (place, letter) in letters.chars().enumerate() {
                let at = threshold - answers[first + place];
                let p =
                    if letter == 't' { between(query, at, FAR) } else { between(query, -FAR, at) };
                product = &product * &p;
            }
            sum = &sum + &product;
        }
        sum
    };
    for (text, query, expected) in [
        ("sparse-vector", "1/2", vec!["t", "bt", "bbt", "bbb"]),
        ("sparse-vector:variant=4,query=1/3", "1/3", vec!["t", "bt", "bbt", "bbb"]),
        (
            "sparse-vector:variant=1,tops=2",
            "1/2",
            vec!["tt", "tbt", "tbb", "btt", "btb", "bbt", "bbb"],
        ),
        (
            "sparse-vector:variant=6,query=1/3,queries=3",
            "1/3",
            vec!["ttt", "ttb", "tbt", "tbb", "btt", "btb", "bbt", "bbb"],
        ),
    ] {
        let found = words(text);
        let mut names: Vec<&str> = expected;
        names.sort_unstable();
        assert_eq!(found.keys().collect::<Vec<_>>(), names, "{text}");
        for (word, weight) in found {
            close(&weight, &segment(&word, 0, query));
        }
    }
    // A fresh threshold after each top: the parts are independent.
    let found = words("sparse-vector:variant=2,tops=2");
    let product = &segment("t", 0, "1/2") * &segment("bt", 1, "1/2");
    close(&found["tbt"], &product);
    let product = &segment("bt", 0, "1/2") * &segment("b", 2, "1/2");
    close(&found["btb"], &product);
    // The answer itself: the threshold is at most the released value.
    let found = words("sparse-vector:variant=3,query=1/3,values=2");
    for value in -2..=2 {
        let mut sum = Number::zero();
        for threshold in -FAR..=value {
            let below = between("1/3", -FAR, threshold);
            sum = &sum + &(&mass("1/4", threshold) * &below);
        }
        let sum = &sum * &mass("1/3", value - 1);
        close(&found[&format!("b{value}")], &sum);
    }
    let whole = words("sparse-vector:variant=1,query=1/3");
    let parts = found.iter().filter(|(word, _)| word.starts_with('b') && word.len() > 1);
    let parts: Vec<_> = parts.filter(|(word, _)| !word.starts_with("bb")).collect();
    let sum = parts.iter().fold(Number::zero(), |sum, (_, weight)| &sum + *weight);
    assert_eq!((parts.len(), &sum), (6, &whole["bt"]));
    // Two answers by value, each at least the one threshold.
    let answers = [0, 1];
    let found = law("sparse-vector:variant=3,queries=2,tops=2", "point:2", &["0+"]);
    let letters = ["b", "-1", "0", "1", "other"];
    for (first, second) in letters.into_iter().flat_map(|a| letters.map(|b| (a, b))) {
        let mut sum = Number::zero();
        for threshold in -FAR..=FAR {
            let mut product = mass("1/4", threshold);
            for (letter, answer) in [first, second].into_iter().zip(answers) {
                let reached = |low: i32, high: i32| {
                    between("1/2", low.max(threshold) - answer, high - answer)
                };
                let p = match letter {
                    "b" => between("1/2", -FAR, threshold - answer),
                    "other" => &reached(-FAR, -1) + &reached(2, FAR),
                    value => {
                        let value: i32 = value.parse().unwrap();
                        reached(value, value + 1)
                    }
                };
                product = &product * &p;
            }
            sum = &sum + &product;
        }
        close(&found[&format!("{first}{second}")], &sum);
    }
    assert_eq!(found.len(), 25);
    // No noise on the answers: the noisy threshold is 1 with probability 3/5 * 1/4.
    let found = law("sparse-vector:variant=5,queries=2", "point:2", &["0+"]);
    assert_eq!(found["bt"], number("3/20"));
    assert!(!law("sparse-vector:variant=5,queries=2", "point:2", &["00"]).contains_key("bt"));
}

/// The index of the greatest of two noisy answers, and the greatest value, by sums over both noises.
#[test]
fn the_noisy_maximum_is_a_double_sum() {
    let index = law("report-noisy-max:queries=2", "point:2", &["0+"]);
    let value = law("report-noisy-max:queries=2,release=value", "point:2", &["0+"]);
    let (mut first, mut second) = (Number::zero(), Number::zero());
    let mut values: BTreeMap<i32, Number> = BTreeMap::new();
    for a in -FAR..=FAR {
        for b in -FAR..=FAR {
            let p = &mass("1/2", a) * &mass("1/2", b - 1);
            // Ties go to the first.
            let winner = if a >= b { &mut first } else { &mut second };
            *winner = &*winner + &p;
            let sum = values.entry(a.max(b).clamp(-2, 2)).or_insert_with(Number::zero);
            *sum = &*sum + &p;
        }
    }
    close(&index["1"], &first);
    close(&index["2"], &second);
    for (cell, sum) in [("<=-2", -2), ("-1", -1), ("0", 0), ("1", 1), (">=2", 2)] {
        close(&value[cell], &values[&sum]);
    }
}

#[test]
fn small_laws_by_hand() {
    let is = |text: &str, data: &[&str], expected: &[(&str, &str)]| {
        let found = law(text, "point:2", data);
        let expected: BTreeMap<String, Number> =
            expected.iter().map(|(name, p)| ((*name).to_owned(), number(p))).collect();
        assert_eq!(found, expected, "{text} on {data:?}");
    };
    // Weights 2, 1, 1/2.
    is("exponential-mechanism:base=2", &["+0-"], &[("1", "4/7"), ("2", "2/7"), ("3", "1/7")]);
    // Masses 1/3, 1/6, …; tails 2/3 from 0, 1/3 from 1, 1/6 from 2.
    is("discrete-laplace:to=2", &["1", "0"], &[("<=0", "1/3"), ("1", "1/3"), (">=2", "1/3")]);
    is(
        "discrete-laplace:to=2,form=clamped",
        &["1", "1"],
        &[("0", "1/6"), ("1", "1/6"), ("2", "2/3")],
    );
    is(
        "discrete-laplace:to=2,form=renormalised",
        &["0"],
        &[("0", "4/7"), ("1", "2/7"), ("2", "1/7")],
    );
    // The sum is clipped to the range.
    is("discrete-laplace:ratio=0,least=-1,from=-1,to=1", &["-1", "-1"], &[("<=-1", "1")]);
    is("thresholded-release", &["key"], &[("nothing", "5/6"), ("3", "1/12"), (">=4", "1/12")]);
    is(
        "thresholded-release:release=above",
        &["key", "other"],
        &[("nothing", "11/12"), (">=4", "1/12")],
    );
    is("thresholded-release:threshold=5/2,most=1", &["key"], &[("nothing", "5/6"), (">=3", "1/6")]);
    is("thresholded-release", &["other"], &[("nothing", "1")]);
    // Each record is in one of the two steps; 1/3 from 1 around 0, 2/3 around 1.
    is(
        "batches",
        &["1", "0"],
        &[("<=0 <=0", "2/9"), ("<=0 >=1", "5/18"), (">=1 <=0", "5/18"), (">=1 >=1", "2/9")],
    );
    // One record, sampled with certainty.
    is("batches:order=sampled,records=1,ratio=0", &["1"], &[(">=1", "1")]);
    // Without noise the blocks of 1, 0, 1, 1 are {1}, {1,2}, {3}, {1,…,4}.
    is("tree-counter:ratio=0", &["1", "0", "1", "1"], &[(">=1 1 >=1 3", "1")]);
    is("event-of:of=exponential-mechanism,output=2", &["000"], &[("no", "2/3"), ("yes", "1/3")]);
}

/// k runs are k words in any order.
#[test]
fn composition_counts_the_outputs_of_independent_runs() {
    for data in [vec!["0"], vec!["1"], vec!["1", "1", "1"]] {
        let words = law("randomised-response-one-shot:copies=3", "point:2", &data);
        let mut counted: BTreeMap<usize, Number> = BTreeMap::new();
        for (word, weight) in words {
            let sum = counted.entry(word.matches('1').count()).or_insert_with(Number::zero);
            *sum = &*sum + &weight;
        }
        let found = law("compose:k=3,of=randomised-response-one-shot", "point:2", &data);
        let names = ["3x[0]", "2x[0] 1x[1]", "1x[0] 2x[1]", "3x[1]"];
        assert_eq!(found.len(), names.len());
        for (ones, name) in names.into_iter().enumerate() {
            assert_eq!(found[name], counted[&ones], "{name}");
        }
    }
}

/// A composition of mechanisms that choose at random while they observe: runs are independent from
/// the start.
#[test]
fn composition_of_a_mechanism_with_random_states() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kept.rhai");
    let script = "fn kind() { \"one-shot\" }\n\
                  fn alphabet() { #{ record: [0, 1], output: [0, 1] } }\n\
                  fn start() { 0 }\n\
                  fn observe(kept, bit) { if flip(1/3) { bit } else { kept } }\n\
                  fn finish(kept) { kept }\n";
    std::fs::write(&path, script).unwrap();
    // After the records 1, 1 a run holds 1 with probability 1 − (2/3)^2 = 5/9.
    let whole = folder.path().join("twice.toml");
    std::fs::write(&whole, "use = \"compose\"\nk = 2\n[of]\nuse = \"kept.rhai\"\n").unwrap();
    let found = law(whole.to_str().unwrap(), "point:2", &["1", "1"]);
    let expected = [("2x[0]", "16/81"), ("1x[0] 1x[1]", "40/81"), ("2x[1]", "25/81")];
    assert_eq!(found, expected.map(|(name, p)| (name.to_owned(), number(p))).into());
}

fn words(text: &str, over: &str, stream: &[usize]) -> BTreeMap<String, Number> {
    let law = literal::law(&mechanism(text, over), stream);
    law.into_iter().map(|(word, weight)| (word.join(" "), weight)).collect()
}

/// Without noise on the thresholds: the fresh noise reaches 1 with probability 1/3, and 0 with
/// probability 2/3.
#[test]
fn an_above_threshold_learner_by_hand() {
    // The record 1 is the example (1,1); both points have count 0 in round 1, and point 1 is first.
    let found = words("above-threshold:k=1,bound=0", "point:2", &[1, 0]);
    let expected = [
        ("10 10", "1/3"),
        ("01 01", "2/9"),
        // 4/9 for neither in round 1; then 2/3 for point 1, and 1/3 · 1/3 for point 2.
        ("00 10", "8/27"),
        ("00 01", "4/81"),
        ("00 00", "8/81"),
    ];
    assert_eq!(found, expected.map(|(word, p)| (word.to_owned(), number(p))).into());
    // Noise of the threshold on −1, 0, 1 with weights 1/4, 1/2, 1/4: to reach 0, 1, 2 has
    // probability 2/3, 1/3, 1/6.
    let found = words("above-threshold:k=1,bound=1", "cube:1", &[0]);
    assert_eq!(found["1"], number("3/8"));
}

/// Noise on −1, 0, 1 with weights 1/4, 1/2, 1/4 on each block.
#[test]
fn a_tree_counter_learner_by_hand() {
    // Round 1 ends the block {1}: 1 + noise > 1 with probability 1/4. Round 2 ends the block {1,2},
    // whose noise is fresh: 2 + noise > 1 with probability 3/4.
    let found = words("tree-counter-learner", "cube:1", &[1, 1, 1]);
    let expected = [("0 1 1", "1/4"), ("0 0 1", "9/16"), ("0 0 0", "3/16")];
    assert_eq!(found, expected.map(|(word, p)| (word.to_owned(), number(p))).into());
    // Labels 1, 0, 1: before the last round the blocks are {1,2} with one example.
    let found = words("tree-counter-learner", "cube:1", &[1, 0, 1, 1]);
    // Round 2: 1 + noise > 1 with probability 1/4 again. Round 3 adds the block {3} to what did not
    // fire: 2 + noise + noise > 1, where the first noise is 0 (2/3) or −1 (1/3) and the second must
    // be at least 0 (3/4) or 1 (1/4): 7/12.
    let rest = &number("9/16") * &number("7/12");
    assert_eq!(found["0 1 1 1"], number("1/4"));
    assert_eq!(found["0 0 1 1"], number("3/16"));
    assert_eq!(found["0 0 0 1"], rest);
}
