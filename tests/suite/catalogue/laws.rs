//! Laws of outputs, by hand, by the definitions written out, and against scripts.

use littlestone::exact::Number;
use littlestone::mechanism::{Boxed, Kind, Mechanism};

use super::literal::{self, Outputs};
use super::{class, mechanism, number};

/// The same law of outputs on all streams of up to that many rounds.
#[track_caller]
fn same(first: &Boxed, second: &Boxed, rounds: usize) {
    assert_eq!(first.interface(), second.interface());
    for length in 0..=rounds {
        for stream in literal::streams(first.interface().records(), length) {
            let (p, q) = (literal::law(first, &stream), literal::law(second, &stream));
            assert_eq!(p, q, "on {stream:?}");
        }
    }
}

#[test]
fn the_catalogue_and_the_example_scripts_agree() {
    for (name, script) in [
        ("constant-learner", "constant.rhai"),
        ("fair-bits", "fair-bits.rhai"),
        ("soa", "soa.rhai"),
        ("soa-learner", "soa-learner.rhai"),
        ("subsampled-soa:gamma=1/4", "subsampled-soa.rhai"),
        ("subsampled-soa:gamma=2/3", "subsampled-soa.rhai:gamma=2/3"),
        ("subsampled-soa-learner:gamma=1/4", "subsampled-soa-learner.rhai"),
        ("randomised-response:flip=1/3", "randomised-response.rhai:p=2/3"),
    ] {
        same(&mechanism(name, "point:3"), &mechanism(script, "point:3"), 3);
    }
}

#[test]
fn different_spellings_of_one_law_agree() {
    for (first, second) in [
        ("soa", "subsampled-soa:gamma=1"),
        ("soa-learner", "subsampled-soa-learner:gamma=1"),
        ("fair-bits", "constant:flip=1/2"),
        ("constant:labels=1", "constant:labels=000,flip=1"),
        // Nothing is retained: the SOA of the whole class, which is 0 everywhere (Definition 5).
        ("constant-learner", "subsampled-soa-learner:gamma=0"),
        // Everything is retained.
        ("soa-learner", "subsample:of=soa-learner,gamma=1,dummy=1:0"),
        ("soa-learner", "subsample-skipping:of=soa-learner,gamma=1"),
        // The SOA does not count rounds, so that skipping a round is not retaining its example.
        ("subsampled-soa-learner:gamma=1/3", "subsample-skipping:of=soa-learner,gamma=1/3"),
        // Two stages of retention multiply.
        (
            "subsampled-soa-learner:gamma=1/8",
            "subsample-skipping:of=(subsampled-soa-learner:gamma=1/4),gamma=1/2",
        ),
        ("switch-at-mistake:k=1,before=0,after=1", "hazard-learner:table=(0,1)"),
    ] {
        same(&mechanism(first, "point:3"), &mechanism(second, "point:3"), 3);
    }
}

/// Definition 6 on lists of labels.
fn dimension(rows: &[String]) -> i32 {
    if rows.is_empty() {
        return -1;
    }
    let points = rows[0].len();
    let side = |x: usize, y: char| -> Vec<String> {
        rows.iter().filter(|row| row.chars().nth(x) == Some(y)).cloned().collect()
    };
    (0..points)
        .filter(|&x| !side(x, '0').is_empty() && !side(x, '1').is_empty())
        .map(|x| 1 + dimension(&side(x, '0')).min(dimension(&side(x, '1'))))
        .max()
        .unwrap_or(0)
}

/// The labels that the SOA gives on a sample, from its definition; `public` when nothing fits.
fn soa(rows: &[String], sample: &[(usize, bool)], public: &str) -> String {
    let fits = |row: &&String| {
        sample.iter().all(|&(x, y)| row.as_bytes()[x] == if y { b'1' } else { b'0' })
    };
    let space: Vec<String> = rows.iter().filter(fits).cloned().collect();
    if space.is_empty() {
        return public.to_owned();
    }
    (0..public.len())
        .map(|x| {
            let zero: Vec<String> =
                space.iter().filter(|row| row.as_bytes()[x] == b'0').cloned().collect();
            if dimension(&zero) == dimension(&space) { '0' } else { '1' }
        })
        .collect()
}

/// Fact 5 read literally: a sum over the sets of retained rounds and over the flips.
fn fact_5(
    rows: &[String],
    stream: &[(usize, bool)],
    kind: Kind,
    gamma: &Number,
    flip: &Number,
    public: &str,
) -> Outputs {
    let not = |p: &Number| &Number::one() - p;
    let mut law = Outputs::new();
    for retained in 0..1usize << stream.len() {
        let mut words = vec![(Vec::new(), Number::one())];
        let mut sample = Vec::new();
        for (round, &(x, y)) in stream.iter().enumerate() {
            let labels = soa(rows, &sample, public);
            let labels = if kind == Kind::Learner { labels.as_str() } else { &labels[x..=x] };
            let mut longer = Vec::new();
            for (word, weight) in &words {
                for flips in 0..1usize << labels.len() {
                    let (mut release, mut weight) = (String::new(), weight.clone());
                    for (place, label) in labels.bytes().enumerate() {
                        let flipped = flips >> place & 1 == 1;
                        release.push(if (label == b'1') == flipped { '0' } else { '1' });
                        weight = &weight * &if flipped { flip.clone() } else { not(flip) };
                    }
                    let mut word: Vec<String> = word.clone();
                    word.push(release);
                    longer.push((word, weight));
                }
            }
            words = longer;
            let kept = retained >> round & 1 == 1;
            if kept {
                sample.push((x, y));
            }
            for (_, weight) in &mut words {
                *weight = &*weight * &if kept { gamma.clone() } else { not(gamma) };
            }
        }
        for (word, weight) in words {
            let sum = law.entry(word).or_insert_with(Number::zero);
            *sum = &*sum + &weight;
        }
    }
    law.retain(|_, weight| !weight.is_zero());
    law
}

#[test]
fn subsampled_soas_have_the_law_of_fact_5() {
    for (over, parameters, public) in [
        ("point:3", "gamma=1/4", "000"),
        ("point:3", "gamma=1/8,flip=1/4,public=011", "011"),
        ("threshold:2", "gamma=2/3,flip=1/5,public=1", "11"),
        ("cube:2", "gamma=1/2,public=10", "10"),
    ] {
        let class = class(over);
        let rows: Vec<String> = (0..class.hypotheses()).map(|h| class.labels(h)).collect();
        let value = |key: &str| {
            let found = parameters.split(',').find_map(|pair| pair.strip_prefix(key));
            number(found.unwrap_or("0"))
        };
        for (name, rounds) in [("subsampled-soa", 3), ("subsampled-soa-learner", 2)] {
            let mechanism = mechanism(&format!("{name}:{parameters}"), over);
            let interface = mechanism.interface();
            for stream in literal::streams(interface.records(), rounds) {
                let examples: Vec<(usize, bool)> =
                    stream.iter().map(|&record| interface.example(record).unwrap()).collect();
                let (gamma, flip) = (value("gamma="), value("flip="));
                let expected = fact_5(&rows, &examples, interface.kind(), &gamma, &flip, public);
                assert_eq!(literal::law(&mechanism, &stream), expected, "{over}, {examples:?}");
            }
        }
    }
}

/// On the stream (1,1)^T the first retained copy ends the mistakes, so the expected number is
/// Σ_{j<T} (1−γ)^j = (1 − (1−γ)^T)/γ.
#[test]
fn mistakes_of_name_and_shame_are_a_geometric_series() {
    for over in ["point:3", "point:4"] {
        for form in ["subsampled-soa", "subsampled-soa-learner"] {
            let mechanism = mechanism(&format!("{form}:gamma=1/4"), over);
            let mut expected = Number::zero();
            for length in 1..=4 {
                expected = &expected + &number("3/4").pow(length - 1).unwrap();
                let stream = vec![1; usize::try_from(length).unwrap()];
                assert_eq!(literal::expected_mistakes(&mechanism, &stream), expected);
            }
        }
    }
}

fn weight(law: &Outputs, word: &[&str]) -> Number {
    let word: Vec<String> = word.iter().map(ToString::to_string).collect();
    law.get(&word).cloned().unwrap_or_else(Number::zero)
}

#[track_caller]
fn has_law(text: &str, over: &str, stream: &[usize], expected: &[(&[&str], &str)]) {
    let law = literal::law(&mechanism(text, over), stream);
    assert_eq!(law.len(), expected.len(), "{law:?}");
    for (word, value) in expected {
        assert_eq!(weight(&law, word), number(value), "{text}: {word:?}");
    }
}

/// Proposition 1: the inner learner sees the example with probability γ, else z⋆. Here its round-2
/// release is the label it saw, complemented with probability 1/4.
#[test]
fn the_wrapper_of_proposition_1_feeds_the_dummy() {
    let inner = "of=(randomised-response-learner:flip=1/4)";
    // 1/3 · 3/4 + 2/3 · 1/4 = 5/12.
    let text = format!("subsample:{inner},gamma=1/3,dummy=1:0");
    has_law(&text, "point:2", &[3, 0], &[(&["00", "11"], "5/12"), (&["00", "00"], "7/12")]);
    // With the dummy (2,1) and the example (1,0): 1/3 · 1/4 + 2/3 · 3/4 = 7/12.
    let text = format!("subsample:{inner},gamma=1/3,dummy=2:1");
    has_law(&text, "point:2", &[0, 0], &[(&["00", "11"], "7/12"), (&["00", "00"], "5/12")]);
    // The twin takes the round back, so that round 2 may be the inner learner's first again.
    let text = "subsample-skipping:of=(randomised-response-learner:flip=1/4,first=10),gamma=1/3";
    has_law(
        text,
        "point:2",
        &[3, 0],
        &[(&["10", "10"], "2/3"), (&["10", "11"], "1/4"), (&["10", "00"], "1/12")],
    );
}

/// Label 1 thrice: the chances to switch before rounds 1, …, 4 are 0, 1/8, 1/4, 1/2.
#[test]
fn the_hazard_learner_switches_for_good() {
    has_law(
        "hazard-learner:table=(0,1/8,1/4,1/2,1)",
        "cube:1",
        &[1, 1, 1, 1],
        &[
            (&["0", "1", "1", "1"], "1/8"),
            (&["0", "0", "1", "1"], "7/32"),
            (&["0", "0", "0", "1"], "21/64"),
            (&["0", "0", "0", "0"], "21/64"),
        ],
    );
    // Label 0 does not move along the table, and its last entry stands for all larger numbers.
    has_law(
        "hazard-learner:table=(0,1/2),before=01,after=10",
        "point:2",
        &[0, 1, 1],
        &[(&["01", "01", "10"], "1/2"), (&["01", "01", "01"], "1/2")],
    );
}

#[test]
fn the_switch_comes_after_the_k_th_mistake() {
    // Before: 10, so (1,1) is right and (1,0), (2,1) are mistakes.
    has_law(
        "switch-at-mistake:k=2,before=10,after=01",
        "point:2",
        &[1, 0, 3, 1],
        &[(&["10", "10", "10", "01"], "1")],
    );
}

#[test]
fn randomised_response_flips() {
    has_law("randomised-response:flip=1/3", "point:2", &[1], &[(&["1"], "2/3"), (&["0"], "1/3")]);
    has_law(
        "constant-learner:labels=01,flip=1/3",
        "point:2",
        &[0],
        &[(&["01"], "4/9"), (&["11"], "2/9"), (&["00"], "2/9"), (&["10"], "1/9")],
    );
    // The parity of 1, 1, 1 is 1.
    has_law(
        "randomised-response-one-shot:copies=2",
        "point:2",
        &[1, 1, 1],
        &[(&["11"], "9/16"), (&["10"], "3/16"), (&["01"], "3/16"), (&["00"], "1/16")],
    );
}
