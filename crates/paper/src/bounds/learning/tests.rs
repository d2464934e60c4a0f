use super::*;
use littlestone_class::families;
use littlestone_exact::{decimal, parse_rational};

fn rational(text: &str) -> Rational {
    parse_rational(text).unwrap()
}

fn question(subject: Subject, rounds: u64, epsilon: &str, delta: &str) -> Question {
    Question {
        subject,
        rounds: rounds.into(),
        epsilon: Epsilon::parse(epsilon).unwrap(),
        delta: rational(delta).into(),
        beta: rational("1/10").into(),
        constants: Constants::default(),
    }
}

fn point(n: &str) -> Subject {
    Subject::of_class(&families::generate("point", n).unwrap(), 1)
}

fn find<'a>(bounds: &'a [Bound], name: &str) -> &'a Bound {
    bounds.iter().find(|bound| bound.name == name).unwrap()
}

/// Six decimals of a value that both ends of its enclosure share.
fn shown(value: &Real) -> String {
    let (low, high) = value.bounds(100).unwrap();
    assert_eq!(decimal(&low, 6), decimal(&high, 6));
    decimal(&low, 6)
}

fn violated(bound: &Bound) -> Vec<&str> {
    let wrong = bound.hypotheses.iter().filter(|h| h.truth != Truth::Holds);
    wrong.map(|h| h.text).collect()
}

/// Values computed in double precision by Python's `math`.
#[test]
fn values_agree_with_floating_point() {
    let bounds = bounds(&question(point("3"), 1_000_000, "1/100", "1/20"));
    // min(log(2e6)^(2/3), 20) = 5.949…; log(2e6) = 14.508657738524219.
    assert!(shown(&find(&bounds, "Theorem 1 (Theorem A)").value).starts_with("5.94"));
    assert_eq!(shown(&find(&bounds, "name and shame [DSS24]").value), "20");
    assert_eq!(shown(&find(&bounds, "fair bits").value), "500000");
    assert!(shown(&find(&bounds, "[GL21], [LWY24]").value).starts_with("13.81551"));
    // 2 log(6e6·1000001)/ε = 5884.5…: 4·5885 + 2.
    assert_eq!(shown(&find(&bounds, "above threshold").value), "23542");
}

#[test]
fn hypotheses_are_checked_one_by_one() {
    let asked =
        |subject, rounds, epsilon, delta| bounds(&question(subject, rounds, epsilon, delta));
    let all = asked(point("3"), 10, "1/50", "1/3");
    assert_eq!(violated(find(&all, "Theorem 1 (Theorem A)")), ["ε ≤ 1/100", "δ ≤ 1/4"]);
    assert_eq!(violated(find(&all, "Theorem 2")), ["d ≥ 2", "δ ≤ min{ε², 1/4}"]);
    let all = asked(Subject::of_dimension(3), 36, "1/2", "1/4");
    assert!(find(&all, "Theorem 2").applies(), "δ = ε² is allowed");
    assert!(find(&all, "Theorem B").applies(), "T = (d/ε)² is allowed");
    let all = asked(Subject::of_dimension(3), 35, "1/2", "1/4");
    assert_eq!(violated(find(&all, "Theorem B")), ["T ≥ (d/ε)²"]);
    // ln(3/2)² = 0.1644…
    let all = asked(Subject::of_dimension(3), 35, "ln(3/2)", "1/6");
    assert_eq!(violated(find(&all, "Theorem 2")), ["δ ≤ min{ε², 1/4}"]);
    assert!(find(&asked(Subject::of_dimension(3), 35, "ln(3/2)", "4/25"), "Theorem 2").applies());
    let all = asked(point("9"), 8, "1/100", "0");
    assert!(find(&all, "[CLN+24]").applies());
    assert!(!find(&asked(point("8"), 8, "1/100", "0"), "[CLN+24]").applies());
    assert_eq!(violated(find(&all, "name and shame [DSS24]")), ["δ > 0"]);
    // e^(1/(32·(1/320))) = e^10 = 22026.4…
    let long = |rounds| asked(point("3"), rounds, "1/10", "1/320");
    assert!(find(&long(22_026), "[DSS24]").applies());
    assert_eq!(violated(find(&long(22_027), "[DSS24]")), ["T ≤ e^(1/(32δ))"]);
}

#[test]
fn a_missing_delta_is_infinite_on_the_right_side() {
    let all = bounds(&question(point("3"), 1, "1/100", "0"));
    // log 2 to 2/3 is 0.783…, by Python's math.
    assert!(shown(&find(&all, "Theorem 1 (Theorem A)").value).starts_with("0.783"));
    assert_eq!(shown(&find(&all, "Theorem 1, its proof").value), "0.5");
}

#[test]
fn classes_tell_more_than_their_dimension() {
    let of = |name: &str, d| Subject::of_class(&families::generate("cube", name).unwrap(), d);
    assert_eq!(point("3"), Subject { dimension: 1, agreeing: Some(true), points: Some(3) });
    // The cube on one point: two functions that agree nowhere.
    assert_eq!(of("1", 1), Subject { dimension: 1, agreeing: Some(false), points: None });
    assert_eq!(of("2", 2).agreeing, Some(true));
    assert_eq!(Subject::of_dimension(1).agreeing, None);
}

/// At T = 10^6 (log T = 13.8) with all constants 1, by Python's math: the figure's order.
#[test]
fn the_figure_is_ordered_and_its_crossings_cross() {
    let asked = question(point("3"), 1_000_000, "1/100", "1/20");
    let marks = figure::ranges(&asked);
    for pair in marks.windows(2) {
        assert_eq!(pair[0].delta.compare(&pair[1].delta), Some(Ordering::Less), "{pair:?}");
    }
    let crossing = figure::crossings(&asked)
        .into_iter()
        .find(|mark| mark.formula == "(log 2T)^(−2/3)")
        .unwrap();
    let delta = crossing.delta.bounds(64).unwrap().0;
    let value = |delta: Rational| {
        let at = Question { delta: delta.into(), ..asked.clone() };
        find(&bounds(&at), "Theorem 1 (Theorem A)").value.clone()
    };
    let nudge = rational("1/1000");
    let flat = value(&delta - &nudge);
    assert_eq!(shown(&flat), shown(&value(&delta - &nudge * Rational::from(BigInt::from(2)))));
    assert_eq!(value(&delta + &nudge).compare(&flat), Some(Ordering::Less));
    assert_eq!(figure::table_1(&asked).len(), 4);
    // ⌊ε log T⌋ = 0 at ε = 1/100: no bound.
    assert_eq!(figure::table_1(&asked)[2].value, None);
}
