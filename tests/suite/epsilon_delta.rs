//! Every ε and δ that a command prints is read by every door, with its exact meaning.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use littlestone::cli::{self, Output};
use littlestone::error::Result;
use littlestone::exact::{BigInt, Epsilon, Number, Rational, exp, parse_rational};
use littlestone::limits::{Limits, Progress};
use littlestone::mechanism::{Interface, Law, Mechanism, Options, compile, expression};
use littlestone::privacy::{
    Decision, Lengths, Neighbours, Notion, Question, Streams, Worst, decide, profile, worst_delta,
};
use proptest::prelude::*;

/// Randomised response at ε = 1 on a record that is kept with probability γ = 1/4. By amplification
/// through subsampling, e^ε' = 1 + γ·(e^ε − 1) = 3/4 + 1/4·e is the least factor for δ = 0.
const SUBSAMPLED: &str = r#"
fn kind() { "one-shot" }
fn alphabet() { #{ record: [0, 1], output: [0, 1] } }
fn start() { 0 }
fn observe(s, b) { if flip(1/4) { b } else { 0 } }
fn finish(b) { if flip(1 / (1 + exp(1))) { 1 - b } else { b } }
"#;
const LEAST: &str = "3/4 + 1/4*exp(1)";

fn run(args: &[&str]) -> (u8, String) {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let args = ["littlestone"].iter().chain(args).map(Into::into);
    let code = cli::run(args, Output::new(&mut stdout, &mut stderr));
    let [stdout, stderr] = [stdout, stderr].map(|text| String::from_utf8(text).unwrap());
    (code, format!("{stdout}{stderr}"))
}

fn expect(code: u8, args: &[&str]) -> String {
    let (found, text) = run(args);
    assert_eq!(found, code, "{args:?}\n{text}");
    text
}

fn number(text: &str) -> Number {
    expression::evaluate(text, &BTreeMap::new()).unwrap()
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

#[test]
fn the_least_epsilon_of_a_profile_holds_and_nothing_below_it() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| path(folder.path(), name);
    let script = at("subsampled-rr.rhai");
    fs::write(&script, SUBSAMPLED).unwrap();
    let text = expect(0, &["profile", &script, "--rounds", "1"]);
    assert!(text.contains(&format!("least ε for δ = 0: ln({LEAST}) = 0.35")), "{text}");

    let (enough, short) = (format!("ln({LEAST})"), format!("ln({LEAST} - 10^-40)"));
    let [certificate, part, counterexample] = ["c.json", "p.json", "x.json"].map(at);
    for (epsilon, code) in [(&enough, 0), (&short, 1)] {
        let verify = ["verify", &script, "--rounds", "1", "--epsilon", epsilon, "--delta", "0"];
        let with = |more: &[&str]| expect(code, &[&verify[..], more].concat());
        with(&["--decide-only"]);
        with(&["--certificate", &certificate, "--counterexample", &counterexample]);
        expect(0, &["recheck", &certificate]);
        let sharded = [&verify[..], &["--shard", "1/1", "--partial", &part]].concat();
        expect(0, &sharded);
        expect(code, &["merge", &part]);
    }
    expect(0, &["replay", &counterexample]);

    let claim = |name: &str, expect: &str, epsilon: &str| {
        format!(
            "[[claim]]\nname = \"{name}\"\nkind = \"privacy\"\npaper = \"Fact 1\"\n\
             mechanism = \"subsampled-rr.rhai\"\nrounds = 1\nepsilon = \"{epsilon}\"\ndelta = \"0\"\n\
             expect = \"{expect}\"\n"
        )
    };
    let claims = at("claims.toml");
    let both = [claim("at", "holds", &enough), claim("below", "refuted", &short)].concat();
    fs::write(&claims, both).unwrap();
    expect(0, &["check", &claims]);
}

/// A quotient as e^ε: the ratio of the probabilities of the output 0. The worst δ there is that of
/// the output 1, ((3/4 + 1/4·e) − 4e/(1 + 3e))/(1 + e).
#[test]
fn a_worst_delta_is_a_delta_that_holds_and_nothing_below_it() {
    let folder = tempfile::tempdir().unwrap();
    let script = path(folder.path(), "subsampled-rr.rhai");
    let certificate = path(folder.path(), "c.json");
    fs::write(&script, SUBSAMPLED).unwrap();
    let quotient = "(4*exp(1))/(1 + 3*exp(1))";
    let by_hand = format!("(({LEAST}) - {quotient})/(1 + exp(1))");
    for (epsilon, by_hand) in [
        (format!("ln({quotient})"), by_hand),
        ("1/4 + 1/12".to_owned(), format!("(({LEAST}) - exp(1/3))/(1 + exp(1))")),
    ] {
        let verify = ["verify", &script, "--rounds", "1", "--epsilon", &epsilon];
        let text = expect(0, &[&verify[..], &["--format", "json"]].concat());
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        let printed = json["worst_delta"].as_str().unwrap();
        assert_eq!(number(printed), number(&by_hand));
        for (delta, code) in [(printed.to_owned(), 0), (format!("{printed} - 10^-40"), 1)] {
            let asked = [&verify[..], &["--delta", &delta]].concat();
            expect(code, &[&asked[..], &["--decide-only"]].concat());
            expect(code, &[&asked[..], &["--certificate", &certificate]].concat());
            expect(0, &["recheck", &certificate]);
        }
        // The least ε for that δ is the one we started from.
        let text = expect(0, &["profile", &script, "--rounds", "1", "--delta", printed]);
        let least = Epsilon::parse(&epsilon).unwrap();
        assert!(text.contains(&format!("least ε for δ = {printed}: {least} =")), "{text}");
    }
}

/// e^−1/2 − 1/2 = 0.1065…, so what is known at δ = 1/10 and 11/100 is on either side.
#[test]
fn every_door_reads_an_epsilon_and_a_delta_with_powers_of_e() {
    let epsilon = "ln(1/2 + 1/2*exp(1/2))";
    for delta in ["1/16+1/16", "exp(-1/2) - 1/2"] {
        let privacy = ["--epsilon", epsilon, "--delta", delta];
        for (code, command) in [
            (1, "verify constant:flip=1/4 --class point:2 --rounds 1 --streams realisable --joint"),
            (0, "profile constant:flip=1/4 --class point:2 --rounds 1"),
            (1, "potentials soa-learner --class point:3 --rounds 3"),
            (0, "table combine --rounds 2 --d 1..1"),
            (0, "minimax cube:1 --rounds 2"),
            (0, "bounds learning --d 2 --rounds 1000"),
        ] {
            let words: Vec<&str> = command.split(' ').chain(privacy).collect();
            let (found, text) = run(&words);
            // The first holds or not; what counts is that it is understood.
            assert!(found == 0 || found == code, "{words:?}: {found}\n{text}");
        }
    }
    expect(0, &["bounds", "predictor", "--d", "1", "--epsilon", "1/4+1/4", "--delta", "1/40+1/40"]);
    let refused = |args: &[&str]| expect(2, args);
    let text =
        refused(&["bounds", "predictor", "--d", "1", "--epsilon", "ln(2)", "--delta", "1/20"]);
    assert!(text.contains("--epsilon: expected a rational number"), "{text}");
    let minimax = ["minimax", "cube:1", "--rounds", "2", "--epsilon", "ln(3/2)"];
    let irrational = ["--delta", "exp(-1/2) - 1/2"];
    let text = refused(&[&minimax[..], &irrational, &["--certificate", "c.json"]].concat());
    assert!(text.contains("give a rational δ"), "{text}");

    let value = |delta: &str| {
        let text = expect(0, &[&minimax[..], &["--delta", delta, "--format", "json"]].concat());
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        ["lower", "upper"].map(|key| parse_rational(json[key].as_str().unwrap()).unwrap())
    };
    let ([low, high], [above, _], [_, below]) =
        (value(irrational[1]), value("1/10"), value("11/100"));
    assert!(below <= high && low <= above && low <= high, "{below} {low} {high} {above}");
    assert!(high - low < parse_rational("1e-6").unwrap());
}

#[test]
fn sizes_are_refused_before_they_are_computed() {
    let verify = |mechanism: &str| {
        expect(2, &["verify", mechanism, "--class", "point:2", "--rounds", "1", "--epsilon", "0"])
    };
    let text = verify("constant:flip=1e-999999999");
    assert!(
        text.contains("expected an exponent from -10000 to 10000, found `-999999999`"),
        "{text}"
    );
    let text = verify("constant:flip=1/2*exp(-1/2^4000)");
    assert!(text.contains("whose argument has more than 1024 bits"), "{text}");
    let text = verify("constant:flip=1/10^100000^2");
    assert!(text.contains("which is beyond ±100000"), "{text}");
}

/// Cassini: F(n+1)² − F(n)·F(n+2) = (−1)ⁿ, so for even n the quotient F(n+1)/F(n) is the greater one.
/// The numbers agree in 41,000 binary digits, and Euclid's algorithm takes 60,000 steps.
#[test]
fn long_numbers_that_agree_in_most_digits_are_compared() {
    let (mut a, mut b) = (BigInt::from(0), BigInt::from(1));
    for _ in 0..60_000 {
        (a, b) = (b.clone(), a + &b);
    }
    let next = &a + &b;
    let quotient = |p: &BigInt, q: &BigInt| Number::from(Rational::new_raw(p.clone(), q.clone()));
    assert!(quotient(&b, &a) > quotient(&next, &b));
}

/// e^q grows with q, and 1/3 < 1/3 + 10^-9. As polynomials in e^(1/3·10^-9) the powers would have 10^9
/// coefficients.
#[test]
fn powers_of_e_without_a_common_unit_are_compared() {
    let power = |q: &str| exp(&parse_rational(q).unwrap());
    let (less, more) = (power("1/3"), power("1000000003/3000000000"));
    assert!(less < more);
    assert_eq!(more.cmp(&less), std::cmp::Ordering::Greater);
    assert!(&less + &Number::one() > more);
}

/// A mechanism that releases a symbol with one law for each of two records.
#[derive(Debug)]
struct Laws {
    interface: Interface,
    laws: [Vec<Number>; 2],
}

impl Mechanism for Laws {
    type State = usize;

    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn start(&self) -> Result<Law<usize>> {
        Ok(Law::certain(0))
    }

    fn respond(&self, _: &usize, _: usize) -> Result<Law<(String, usize)>> {
        unreachable!("a one-shot mechanism only observes")
    }

    fn observe(&self, _: &usize, after: usize) -> Result<Law<usize>> {
        Ok(Law::certain(after))
    }

    fn finish(&self, state: &usize) -> Result<Law<String>> {
        let outputs = self.interface.outputs().iter().cloned();
        Law::new("finish", outputs.zip(self.laws[*state].iter().cloned()))
    }
}

/// A law from positive weights n·e^(u·power).
fn law(weights: &[(u8, u8)], unit: Option<&Rational>) -> Vec<Number> {
    let weight = |&(n, power): &(u8, u8)| {
        let power = Rational::from(BigInt::from(power % 3));
        let factor = unit.map_or_else(Number::one, |unit| exp(&(unit * power)));
        &Number::from(i64::from(n) + 1) * &factor
    };
    let weights: Vec<Number> = weights.iter().map(weight).collect();
    let sum = weights.iter().fold(Number::zero(), |sum, w| &sum + w);
    weights.iter().map(|w| w.checked_div(&sum).unwrap()).collect()
}

proptest! {
    #![proptest_config(super::support::config(48))]

    /// For δ = 0 the least e^ε is the greatest ratio of two probabilities of one output. It is
    /// what the profile finds; shown and read back it holds, and no factor below it does.
    #[test]
    fn the_least_epsilon_is_read_back_and_is_the_least(
        weights in prop::collection::vec((any::<(u8, u8)>(), any::<(u8, u8)>()), 2..5),
        unit in prop::option::of((1i64..5, 1i64..5)),
    ) {
        let unit = unit.map(|(p, q)| Rational::new(p.into(), q.into()));
        let (first, second): (Vec<_>, Vec<_>) = weights.into_iter().unzip();
        let laws = [law(&first, unit.as_ref()), law(&second, unit.as_ref())];
        let mut greatest = Number::one();
        for (p, q) in laws[0].iter().zip(&laws[1]) {
            greatest = greatest.max(p.checked_div(q).unwrap()).max(q.checked_div(p).unwrap());
        }
        let outputs = (0..laws[0].len()).map(|y| format!("y{y}")).collect();
        let records = vec!["a".to_owned(), "b".to_owned()];
        let mechanism = Laws { interface: Interface::one_shot(records, outputs).unwrap(), laws };
        let automaton = compile(&mechanism, &Options::closed(10)).unwrap();
        let (streams, limits) = (Streams::all(2), Limits::default());
        let (zero, progress) = (Number::zero(), Progress::default());
        let asked = (Notion::Whole, Neighbours::Replacement);
        let found = profile(&automaton, &streams, asked, 1, &limits, &progress).unwrap();
        prop_assert_eq!(found.least_factor(&zero), Some(greatest.clone()));

        let shown = Epsilon::ln(greatest.clone()).unwrap().to_string();
        let below = Number::one().max(&greatest - &number("10^-20"));
        let mut factors = vec![Epsilon::parse(&shown).unwrap()];
        prop_assert_eq!(factors[0].factor(), greatest.clone());
        factors.extend(Epsilon::ln(below));
        for epsilon in factors {
            let holds = epsilon.factor() == greatest;
            let question =
                Question { notion: Notion::Whole, neighbours: Neighbours::Replacement, epsilon };
            let worst = worst_delta(
                &automaton, &streams, &question, &Lengths::all(1), &limits, &progress,
            );
            let Worst::Exact { delta, .. } = worst.unwrap().pop().unwrap() else {
                panic!("no limit was set")
            };
            prop_assert_eq!(delta.is_zero(), holds);
            for claimed in [&zero, &delta] {
                let decision =
                    decide(&automaton, &streams, &question, 1, claimed, &limits, &progress).unwrap();
                prop_assert_eq!(matches!(decision, Decision::Holds), delta <= *claimed);
            }
        }
    }
}
