//! Mirror and selection (Facts 3 and 4): closed forms, values of independent computations, and what
//! is said of parameters that the paper does not allow.

use littlestone::exact::{Number, Rational};
use littlestone::mechanism::Mechanism;
use littlestone::privacy::Notion;

use super::literal;
use super::privacy::delta;
use super::{mechanism, number, try_mechanism};

fn plus(x: &Number) -> Number {
    if x.sign().is_gt() { x.clone() } else { Number::zero() }
}

fn sum(terms: impl Iterator<Item = Number>) -> Number {
    terms.fold(Number::zero(), |sum, term| &sum + &term)
}

/// The worst δ of a threshold law with a delay, derived by hand: the round that differs is the m-th
/// of the window, or comes before it (m = 0); in either direction.
fn four_families(law: &[Number], level: &Number) -> Number {
    let window = law.len() - 1;
    let q = |n: Option<usize>| n.and_then(|n| law.get(n)).cloned().unwrap_or_else(Number::zero);
    let before = |n: usize| q(n.checked_sub(1));
    let excess = |p: Number, other: Number| plus(&(&p - &(level * &other)));
    let mut found = vec![
        sum((0..=window).map(|n| excess(q(Some(n)), before(n)))),
        sum((1..=window + 1).map(|n| excess(before(n), q(Some(n))))),
    ];
    for m in 1..=window {
        let merged = plus(&(&q(Some(m)) - &(&(level - &Number::one()) * &before(m))));
        let later = (m..window).map(|n| excess(q(Some(n + 1)), q(Some(n))));
        found.push(&merged + &sum(later));
        found.push(sum((m..=window).map(|n| excess(q(Some(n)), q(Some(n + 1))))));
    }
    found.into_iter().max().unwrap()
}

/// The law of the threshold, from the start of the mechanism.
fn law(text: &str) -> Vec<Number> {
    let start = mechanism(text, "point:1").start().unwrap();
    start.iter().map(|(_, weight)| weight.clone()).collect()
}

#[test]
fn the_worst_delta_of_a_threshold_law_is_the_greatest_of_four_sums() {
    for (parameters, level) in [
        ("law=optimal,E=3/2,W=4", "3/2"),
        ("law=optimal,E=3/2,W=4", "2"),
        ("law=optimal,E=9/8,W=3", "5/4"),
        ("law=optimal,E=5/2,W=3", "5/2"),
        ("law=optimal,E=2,W=5", "3/2"),
        ("law=uniform,W=3", "3/2"),
        ("law=(1/8,1/2,1/8,1/4)", "3/2"),
        ("law=(1/10,1/10,7/10,1/10)", "2"),
        ("law=(1/3,1/6,1/2)", "9/8"),
    ] {
        let text = format!("mirror:{parameters},D=1");
        let law = law(&text);
        let rounds = law.len() + 1;
        let epsilon = format!("ln({level})");
        let found = delta(&text, "point:1", Notion::Joint, rounds, &epsilon);
        assert_eq!(found, four_families(&law, &number(level)), "{parameters} at {level}");
    }
}

/// The shortest windows for b = 1/11, 1/20, 1/50, 1/100, by a computation apart from this program.
#[test]
fn the_shortest_windows_of_the_optimal_law() {
    for (level, windows) in [
        ("9/8", [9, 17, 44, 87]),
        ("5/4", [8, 15, 38, 75]),
        ("3/2", [7, 11, 26, 51]),
        ("2", [5, 7, 11, 16]),
        ("5/2", [4, 6, 8, 10]),
    ] {
        for (window, least) in windows.into_iter().zip(["1/11", "1/20", "1/50", "1/100"]) {
            let worst = |window: usize| {
                let law = law(&format!("mirror:law=optimal,E={level},W={window}"));
                let worst = four_families(&law, &number(level));
                assert_eq!(worst, law[0], "the optimal δ is the probability of 0");
                worst
            };
            assert!(worst(window) <= number(least), "E = {level}, W = {window}");
            assert!(worst(window - 1) > number(least), "E = {level}, W = {window}");
        }
    }
}

/// `p_c = r^(-(L-c))/2` up to L, and its mirror image, from the formula.
#[test]
fn the_table_of_independent_coins() {
    let coins = mechanism("mirror:law=independent,m=2,L=3,D=2", "point:1");
    let stream = [1; 8];
    let top: Vec<Number> = (0..8)
        .map(|round| {
            let law = literal::law(&coins, &stream);
            sum(law.into_iter().filter(|(word, _)| word[round] == "top").map(|(_, w)| w))
        })
        .collect();
    let expected = ["0", "0", "2/9", "1/3", "1/2", "2/3", "7/9", "1"].map(number);
    assert_eq!(top, expected);
    // Coins are drawn afresh, and inactive rounds are not counted.
    let law = literal::law(&coins, &[1, 1, 1, 0, 1, 1]);
    let word = ["bottom", "bottom", "top", "bottom", "bottom", "top"].map(str::to_owned).to_vec();
    // 2/9 · 2/3 · 1/2.
    assert_eq!(law.get(&word), Some(&number("2/27")));
}

/// All pairs of streams, enumerated apart from this program.
#[test]
fn values_of_independent_computations() {
    for (text, epsilon, rounds, expected) in [
        ("mirror:law=optimal,E=3/2,W=4", "ln(3/2)", 8, "4/27"),
        ("mirror:law=(5/27,5/27,7/27,6/27,4/27)", "ln(3/2)", 7, "5/27"),
        ("mirror:law=independent,m=2,L=3", "ln(3/2)", 7, "457/1458"),
        ("mirror:law=independent,m=1,L=2,variant=no-delay", "ln(3/2)", 5, "11/32"),
    ] {
        let found = delta(text, "point:1", Notion::Joint, rounds, epsilon);
        assert_eq!(found, number(expected), "{text}");
    }
    for (text, epsilon, rounds, expected) in [
        ("mirror:law=optimal,E=3/2,W=2", "ln(3/2)", 3, "5/7"),
        ("selection:k=4,q=2", "ln(4)", 4, "1/5"),
        ("selection:k=4,q=2,s=2,functions=3", "ln(4)", 4, "1/3"),
        ("selection:k=4,q=3/2,s=2", "ln(9/4)", 4, "8/17"),
        ("selection:k=4,q=5/4", "ln(25/16)", 4, "16/41"),
        ("selection:k=4,q=2,variant=long-lists", "ln(4)", 4, "1/3"),
        ("selection:k=4,q=2,variant=duplicates", "ln(4)", 4, "1/3"),
    ] {
        let found = delta(text, "point:1", Notion::Whole, rounds, epsilon);
        assert_eq!(found, number(expected), "{text}");
    }
}

#[test]
fn selection_weighs_by_powers() {
    let record =
        |text: &str, name: &str| mechanism(text, "point:1").interface().record_index(name).unwrap();
    let law = |text: &str, lists: &[&str]| {
        let stream: Vec<usize> = lists.iter().map(|name| record(text, name)).collect();
        literal::law(&mechanism(text, "point:1"), &stream)
    };
    let weight = |text: &str, lists: &[&str], output: &str| {
        law(text, lists).get(&vec![output.to_owned()]).cloned()
    };
    // Weights 2³, 2² and 2: a in two lists, b in one.
    let text = "selection:k=4,q=2,s=2";
    for (output, expected) in [("bottom", "4/7"), ("a", "2/7"), ("b", "1/7")] {
        assert_eq!(weight(text, &["a", "ab", "-", "-"], output), Some(number(expected)));
        // Missing lists are empty, and the fifth is not looked at.
        assert_eq!(weight(text, &["a", "ab"], output), Some(number(expected)));
        assert_eq!(weight(text, &["a", "ab", "-", "-", "b"], output), Some(number(expected)));
    }
    assert_eq!(weight(text, &["-", "-", "-", "-"], "bottom"), Some(Number::one()));
    // Both times count: 2³ for a against 2³ for bottom.
    let twin = "selection:k=4,q=2,variant=duplicates";
    assert_eq!(weight(twin, &["aa", "a", "-", "-"], "a"), Some(number("1/2")));
    // e^(1/4) and e^(3/4).
    let text = "selection:k=4,a=1/2";
    let e = |p: i64| littlestone::exact::exp(&Rational::new(p.into(), 4.into()));
    let expected = e(1).checked_div(&(&e(1) + &e(3))).unwrap();
    assert_eq!(weight(text, &["a", "-", "-", "-"], "a"), Some(expected));
}

#[test]
fn what_the_paper_does_not_allow_is_refused() {
    for (text, message) in [
        ("mirror:law=optimal,W=3", "`mirror` needs a value for its parameter `E` here"),
        (
            "mirror:law=optimal,E=1,W=3",
            "the parameter `E` of `mirror` takes an exact number above 1, not `1`",
        ),
        (
            "mirror:law=uniform,W=0",
            "the parameter `W` of `mirror` takes a natural number of at least 1, not `0`",
        ),
        (
            "mirror:law=uniform,W=2,D=0",
            "the parameter `D` of `mirror` takes a natural number of at least 1, not `0`",
        ),
        (
            "mirror:law=uniform,W=2,E=2",
            "the parameter `E` of `mirror` has no part with law=uniform",
        ),
        (
            "mirror:law=best,W=2",
            "the parameter `law` of `mirror` takes optimal, uniform, independent, or at least two \
             probabilities, not `best`",
        ),
        (
            "mirror:law=(1/2,1/3)",
            "the parameter `law` of `mirror` takes probabilities that sum to 1, not `the sum 5/6`",
        ),
        (
            "mirror:law=(1/2,1/2),W=3",
            "the parameter `W` of `mirror` takes 1, which the law says, not `3`",
        ),
        (
            "mirror:law=independent,m=2",
            "`mirror` with law=independent needs a table, or m and L: there is no `L`",
        ),
        ("selection:k=4", "`selection` needs one of its parameters `q` and `a`"),
        (
            "selection:k=4,q=2,B=2",
            "the parameter `B` of `selection` takes a natural number above 12/5 and below 18/5, not \
             `2`",
        ),
        (
            "selection:k=5,q=2",
            "the parameter `B` of `selection` takes a natural number above 3 and below 9/2, not \
             `15/4`",
        ),
        (
            "selection:k=4,q=1",
            "the parameter `q` of `selection` takes an exact number above 1, not `1`",
        ),
        (
            "selection:k=4,q=2,s=3",
            "the parameter `functions` of `selection` takes a natural number from s = 3 to 8, not \
             `2`",
        ),
    ] {
        assert_eq!(try_mechanism(text, "point:1").unwrap_err().to_string(), message, "{text}");
    }
}

/// What is well defined but outside of the hypotheses of Facts 3 and 4 is told.
#[test]
fn violated_hypotheses_are_remarked() {
    let remarks = |text: &str| mechanism(text, "point:1").remarks();
    let nothing = Vec::<String>::new();
    // 1/(W + 1) < 1/10 from W = 10 on; with E = 2 and W = 5 the probability of 0 is below 1/11.
    for text in [
        "mirror:law=uniform,W=10",
        "mirror:law=optimal,E=2,W=5",
        "mirror:law=independent,table=(1/20,1/2,19/20)",
        "selection:k=4,q=2",
        "selection:k=4,q=2,variant=duplicates",
    ] {
        assert_eq!(remarks(text), nothing, "{text}");
    }
    for (text, part) in [
        (
            "mirror:law=uniform,W=9",
            "has probability 1/10 on one stream and 0 on a neighbouring one",
        ),
        ("mirror:law=optimal,E=3/2,W=4", "has probability 4/27 "),
        // A threshold of 2 cannot be one of 1 on a neighbouring stream: 1/2, not 1/20.
        ("mirror:law=(1/20,0,1/2,9/20)", "has probability 1/2 "),
        // 1 - p_W, and a coin after one that never shows top.
        ("mirror:law=independent,table=(1/20,1/2,3/4)", "has probability 1/4 "),
        ("mirror:law=independent,table=(1/20,0,1/3,1/2,19/20)", "has probability 1/3 "),
        ("mirror:law=optimal,E=3,W=20", "so that E ≤ exp(1), but E is 3"),
        ("selection:k=4,q=32,B=1,variant=free-score", "above 3k/5 = 12/5 and below 9k/10 = 18/5"),
    ] {
        let found = remarks(text);
        assert!(found.len() == 1 && found[0].contains(part), "{text}: {found:?}");
    }
}
