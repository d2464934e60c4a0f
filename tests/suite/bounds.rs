//! `littlestone bounds predictor`: numbers of Theorem 3.
//!
//! The expected numbers come from a separate program in Python: integers from `fractions`, logarithms
//! from `decimal` with 3000 digits (its own `ln`), formulas copied from the paper and not from here:
//!
//!     n = ceil(C0*(d+1)**6); s = (2**d*n)**d * 2**(d*d); N = 2*(d+1)*s + 2
//!     k = ceil(C1 * N**2 * (n + 4/eps) * ln(100*N*n / (eps/4 * delta/8 * delta))); K = 2*k*n
//!     D0 = ceil(C * (K + (N/eps)**2 * ln(32*N/delta)**2)); D = ceil(C2 / eps**2 * ln(2/delta))
//!     bound = 3*(K + 2 * 9**N * D0) + 12*d + 2*D

use assert_cmd::Command;
use littlestone::bounds::predictor::{Asked, Constants, Predictor, Status, predictor};
use littlestone::bounds::{Size, logs};
use littlestone::exact::{BigUint, Rational, parse_rational};
use serde_json::Value;

fn q(text: &str) -> Rational {
    parse_rational(text).unwrap()
}

fn found(d: u32, epsilon: &str, delta: &str, c0: &str, c1: &str) -> Predictor {
    let constants = Constants { c0: q(c0), c1: q(c1), c: q("960"), combine: q("615") };
    let asked = Asked { d, epsilon: q(epsilon), delta: q(delta), constants };
    predictor(&asked).unwrap().unwrap()
}

/// The exact value of a quantity; nothing if it is only enclosed.
fn exact(found: &Predictor, key: &str) -> String {
    let quantity = found.quantities.iter().find(|quantity| quantity.key == key).unwrap();
    match &quantity.value {
        littlestone::bounds::predictor::Value::Size(Size::Exact(n)) => n.to_string(),
        littlestone::bounds::predictor::Value::Rational(q) => q.to_string(),
        _ => String::new(),
    }
}

/// log2(left/right) of the hypotheses, to nine digits.
fn margins(found: &Predictor) -> Vec<(&str, Status, [String; 2])> {
    found.hypotheses.iter().map(|h| (h.item, h.status, logs::decimals(&h.margin, 9))).collect()
}

#[track_caller]
fn near(found: &Predictor, item: &str, place: usize, status: Status, margin: &str) {
    let all = margins(found);
    let rows: Vec<_> = all.iter().filter(|(of, ..)| *of == item).collect();
    let (_, is, [low, high]) = rows[place];
    assert_eq!(*is, status, "{item}");
    assert!(low.starts_with(margin) || high.starts_with(margin), "{item}: {low} {high}");
}

#[test]
fn dimension_one_at_epsilon_1_and_delta_1_20() {
    let found = found(1, "1", "1/20", "1", "1");
    for (key, value) in [
        ("n", "64"),
        ("s", "256"),
        ("candidates", "1026"),
        ("k", "1800621266"),
        ("batch", "230479522048"),
        ("first_delay", "221441660592072"),
        ("combine_delay", "2269"),
        ("epsilon_candidates", "1/4"),
        ("delta_candidates", "1/160"),
        ("beta", "1/20"),
        ("epsilon_0", "1/33751296"),
        ("a", "1/4104"),
        ("b", "1/164160"),
        ("gamma", "1/80"),
    ] {
        assert_eq!(exact(&found, key), value, "{key}");
    }
    let bound = found.bound.exact().unwrap();
    let text = bound.to_string();
    assert_eq!(text.len(), 995);
    assert!(text.starts_with("150046291049950003750022783951"), "{text}");
    assert!(text.ends_with("429004911428744806639026610806"), "{text}");
    assert_eq!(bound % 1_000_000_007u32, BigUint::from(772_361_153u32));
    near(&found, "Lemma 7", 0, Status::NotMet, "-3.89457247");
    near(&found, "Lemma 6", 0, Status::Open, "0.13860778");
    near(&found, "Lemma 6", 1, Status::NotMet, "-14.2605255");
    near(&found, "Definition 10", 0, Status::Met, "10.25417745");
    near(&found, "Claim 1", 0, Status::Met, "7.90807237");
    for item in ["Fact 4", "Lemma 10", "Lemma 13"] {
        near(&found, item, 0, Status::Met, "");
    }
}

/// With other constants everything with an explicit constant is met.
#[test]
fn constants_for_which_the_explicit_hypotheses_are_met() {
    let found = found(1, "1/2", "1e-6", "2", "25000");
    for (key, value) in [
        ("n", "128"),
        ("candidates", "2050"),
        ("k", "698317569968201"),
        ("batch", "178769297911859456"),
        ("first_delay", "171618536006357423985"),
        ("combine_delay", "35692"),
        ("epsilon_0", "1/269222400"),
    ] {
        assert_eq!(exact(&found, key), value, "{key}");
    }
    let bound = found.bound.exact().unwrap();
    assert_eq!(bound.to_string().len(), 1978);
    assert_eq!(bound % 1_000_000_007u32, BigUint::from(211_625_925u32));
    near(&found, "Lemma 7", 0, Status::Met, "10.9730245");
    near(&found, "Lemma 6", 1, Status::Met, "0.24813287");
    assert!(found.hypotheses.iter().all(|h| matches!(h.status, Status::Met | Status::Open)));
}

/// Too long to be written: log2 of the bound is enclosed.
#[test]
fn dimension_two_is_a_power_with_an_enclosed_exponent() {
    let found = found(2, "1", "1/20", "1", "1");
    assert_eq!(exact(&found, "candidates"), "816293378");
    assert_eq!(exact(&found, "k"), "20110508368994442492055");
    assert_eq!(exact(&found, "first_delay"), "28148742051611038884711958232");
    let Size::Power(log2) = &found.bound else { panic!("{:?}", found.bound) };
    let expected = q("2587588884.5260196390892540243");
    let distance = q("1e-18");
    assert!(log2.low() <= &expected + &distance && &expected - &distance <= log2.high());
    assert!(log2.high() - log2.low() < q("1e-30"));
    let [low, high] = logs::decimals(&found.bound.log2_log2(&found.logs).unwrap(), 8);
    assert_eq!((low.as_str(), high.as_str()), ("31.26896127", "31.26896128"));
}

/// N is no number that is kept, so the bound is a tower: by hand, log2 N = log2(2(d+1)) + d log2 n + 2d²
/// up to 2^(−4000), and log2 log2 of the bound is log2 N + log2 log2 9 up to as little.
#[test]
fn large_dimensions_are_towers() {
    let found = found(100, "1", "1/20", "1", "1");
    let Size::Tower(x) = &found.bound else { panic!("{:?}", found.bound) };
    let logs = &found.logs;
    let one = logs.log2(&q("202")).plus(&logs.log2(&q("101")).times_integer(&600.into()));
    let nine = logs.log2_of(&logs.log2(&q("9")));
    let expected = one.plus(&nine).plus_integer(&20_000.into());
    let slack = q("1e-40");
    assert!(x.low() <= expected.high() + &slack && expected.low() - &slack <= x.high());
    assert!(x.high() - x.low() < slack);
    // c(d+1)² ≥ log2 log2 of the bound, about 24004: c = 3 since 2·10201 is less and 3·10201 more.
    assert_eq!(found.least_c, Some(BigUint::from(3u32)));
}

/// 2^(4c) is to be at least log2 of the bound less log2 ln²(40): 3302 − 4 lies between 2^11 and 2^12.
#[test]
fn the_least_constant_of_the_displayed_bound() {
    assert_eq!(found(1, "1", "1/20", "1", "1").least_c, Some(BigUint::from(3u32)));
}

fn run(args: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::cargo_bin("littlestone")
        .unwrap()
        .args(["bounds", "predictor"])
        .args(args)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

const USUAL: [&str; 4] = ["--epsilon", "1", "--delta", "1/20"];

#[test]
fn the_command_prints_digits_or_powers() {
    let (code, shown, _) = run(&[&["--d", "1"], &USUAL[..]].concat());
    assert_eq!(code, Some(0));
    assert!(shown.contains("  N = 2(d+1)s + 2 = 1026\n"), "{shown}");
    assert!(shown.contains("  K = 2kn = 230479522048\n"), "{shown}");
    let last = shown.lines().last().unwrap();
    assert_eq!(
        last,
        "bound: E ≤ 3B + 12d + 2D = 2^x with x in [3302.581933, 3302.581934], with 995 digits"
    );
    let (_, long, _) = run(&[&["--d", "1", "--digits", "995"], &USUAL[..]].concat());
    assert!(long.lines().last().unwrap().ends_with("429004911428744806639026610806"), "{long}");
    let (_, tower, _) = run(&[&["--d", "100"], &USUAL[..]].concat());
    assert!(tower.lines().last().unwrap().contains("= 2^(2^x) with x in ["), "{tower}");
}

#[test]
fn dimension_zero_makes_no_mistake() {
    let (code, shown, _) = run(&[&["--d", "0"], &USUAL[..]].concat());
    assert_eq!((code, shown.lines().last()), (Some(0), Some("bound: 0")));
    let (_, json, _) = run(&[&["--d", "0", "--format", "json"], &USUAL[..]].concat());
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["bound"]["value"], "0");
}

#[test]
fn what_theorem_3_does_not_speak_of_is_refused() {
    for (args, part) in [
        (["--d", "1", "--epsilon", "2", "--delta", "1/20"], "--epsilon: expected 0 < ε ≤ 1"),
        (["--d", "1", "--epsilon", "0", "--delta", "1/20"], "--epsilon: expected 0 < ε ≤ 1"),
        (["--d", "1", "--epsilon", "1", "--delta", "1/10"], "--delta: expected 0 < δ < 1/10"),
        (["--d", "1", "--epsilon", "1", "--delta", "0"], "--delta: expected 0 < δ < 1/10"),
        (["--d", "-1", "--epsilon", "1", "--delta", "1/20"], "expected a number from 0 to"),
        (["--d", "1000001", "--epsilon", "1", "--delta", "1/20"], "at most 1000000"),
        (["--d", "1", "--epsilon", "x", "--delta", "1/20"], "--epsilon"),
    ] {
        let (code, shown, error) = run(&args);
        assert_eq!((code, shown.as_str()), (Some(2), ""), "{args:?}");
        assert!(error.contains(part), "{args:?}: {error}");
    }
    let (code, _, error) = run(&[&["--d", "1", "--c0", "0"], &USUAL[..]].concat());
    assert_eq!(code, Some(2));
    assert!(error.contains("--c0: expected"), "{error}");
}
