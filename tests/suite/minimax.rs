//! Minimax values: against closed forms and values that were found by a second program (a linear
//! program in Python with fractions), with proofs checked by plain loops on the class as it is.

mod naive;

use littlestone::certificate::{self as verifier, Outcome, format, verify};
use littlestone::class::{Class, ClassBuilder};
use littlestone::exact::{Epsilon, Number, Rational, parse_rational};
use littlestone::limits::{Limits, Progress};
use littlestone::mechanism::{Options, compile};
use littlestone::minimax::{Bounds, Game, Neighbours, Privacy, Strategy, certify, orbits, solve};
use littlestone::mistakes::{self, Streams, Worst};
use littlestone::privacy::{self, Decision, Notion, Question};
use naive::Naive;
use serde_json::Value;

fn class(rows: &[&str]) -> Class {
    let points = (1..=rows[0].len()).map(|x| x.to_string()).collect();
    let mut builder = ClassBuilder::new(points);
    for row in rows {
        builder.push(None, row.bytes().map(|b| b == b'1'));
    }
    builder.build()
}

fn q(text: &str) -> Rational {
    parse_rational(text).expect("a number")
}

struct Asked<'a> {
    rows: &'a [&'a str],
    notion: Notion,
    neighbours: Neighbours,
    rounds: usize,
    factor: &'a str,
    delta: &'a str,
}

impl Asked<'_> {
    fn epsilon(&self) -> Epsilon {
        Epsilon::parse(&format!("ln({})", self.factor)).expect("an ε")
    }

    fn privacy(&self) -> Privacy {
        Privacy::new(&self.epsilon(), q(self.delta))
    }

    fn game(&self) -> Game {
        Game::new(&class(self.rows), self.notion, self.neighbours, self.rounds).expect("a game")
    }

    fn solve(&self) -> Bounds {
        let game = self.game();
        solve(&game, &orbits::symmetries(&game), &self.privacy(), &Limits::default())
    }

    fn certificate(&self) -> Value {
        let (game, class) = (self.game(), class(self.rows));
        let group = orbits::symmetries(&game);
        let (privacy, bounds) = (self.privacy(), self.solve());
        let certificate = certify::certificate(
            &class,
            "a test",
            &game,
            &group,
            &self.epsilon(),
            &privacy,
            &bounds,
            &Limits::default(),
        );
        serde_json::to_value(certificate).expect("JSON")
    }
}

const BIN: &[&str] = &["0", "1"];
const BIT: &[&str] = &["00", "01"];
const POINT3: &[&str] = &["100", "010", "001"];
const THRESHOLDS: &[&str] = &["00", "01", "11"];
const SQUARE: &[&str] = &["00", "01", "10", "11"];
/// BIT with a constant 1, an equal and a complementary column.
const REPEATED: &[&str] = &["01011", "11000"];

fn whole<'a>(rows: &'a [&'a str], rounds: usize, factor: &'a str, delta: &'a str) -> Asked<'a> {
    let (notion, neighbours) = (Notion::Whole, Neighbours::All);
    Asked { rows, notion, neighbours, rounds, factor, delta }
}

fn joint<'a>(rows: &'a [&'a str], rounds: usize, factor: &'a str, delta: &'a str) -> Asked<'a> {
    Asked { notion: Notion::Joint, ..whole(rows, rounds, factor, delta) }
}

#[track_caller]
fn expect(asked: &Asked<'_>, value: &str) {
    assert_eq!(asked.solve().value(), Some(&q(value)), "{:?} T = {}", asked.rows, asked.rounds);
}

/// T = 1: any bit is wrong with probability 1/2 against a fair label. T = 2, two functions:
/// binary randomised response, 1/2 + (1 − δ)/(ρ + 1); with δ, the least probability of a wrong
/// bit is that of one bit that is (ln ρ, δ)-private.
#[test]
fn one_and_two_rounds() {
    for rows in [BIN, BIT, POINT3, SQUARE] {
        expect(&whole(rows, 1, "2", "0"), "1/2");
        expect(&joint(rows, 1, "3/2", "1/10"), "1/2");
    }
    for (factor, delta) in [("2", "0"), ("3/2", "0"), ("10", "1/10"), ("101/100", "1/4")] {
        let (rho, one) = (q(factor), q("1"));
        let value = q("1/2") + (&one - q(delta)) / (rho + &one);
        for rows in [BIN, BIT] {
            for asked in [whole(rows, 2, factor, delta), joint(rows, 2, factor, delta)] {
                assert_eq!(asked.solve().value(), Some(&value), "{factor} {delta}");
            }
        }
    }
    // A point that was not seen yet has a fair label whatever was seen.
    expect(&whole(SQUARE, 2, "2", "0"), "1");
    expect(&joint(SQUARE, 2, "2", "1/4"), "1");
}

/// From the second program.
#[test]
fn values_of_a_second_program() {
    expect(&whole(BIT, 3, "2", "0"), "7/6");
    expect(&whole(BIT, 4, "2", "0"), "25/18");
    expect(&whole(BIT, 4, "10", "0"), "27103/38190");
    expect(&whole(BIT, 3, "101/100", "1/10"), "18187/13534");
    expect(&whole(BIT, 4, "2", "1/10"), "503/420");
    expect(&whole(BIN, 4, "3", "0"), "9/8");
    expect(&whole(POINT3, 2, "101/100", "0"), "242203/242404");
    expect(&whole(THRESHOLDS, 3, "2", "0"), "100945/77976");
    expect(&whole(SQUARE, 3, "3/2", "0"), "97/68");
    expect(&joint(BIT, 4, "2", "0"), "47/36");
    expect(&joint(BIT, 4, "3", "0"), "25/24");
    expect(&joint(SQUARE, 3, "2", "1/4"), "5/4");
}

/// Near e^ε = 1, 16 digits do not tell which probabilities are 0, so 32 are used. The value for four
/// rounds of prediction is the closed form 1/2 + 1/(ρ + 1) + 1/(2ρ) + 2/(ρ + 1)², fitted to other ρ by a
/// second program.
#[test]
fn a_value_that_needs_twice_the_digits() {
    let asked = joint(BIN, 4, "101/100", "0");
    let rho = q("101/100");
    let sum = &rho + q("1");
    let value = q("1/2") + sum.recip() + (&rho * q("2")).recip() + q("2") / (&sum * &sum);
    assert_eq!(asked.solve().value(), Some(&value));
}

#[test]
fn fewer_neighbours_make_it_easier_from_three_rounds_on() {
    let realisable =
        |rounds| Asked { neighbours: Neighbours::Realisable, ..whole(BIT, rounds, "2", "0") };
    expect(&realisable(2), "5/6");
    expect(&realisable(3), "19/18");
    // Two functions on one point: no two realisable streams are neighbours, so after one example
    // nothing is hidden.
    let free = Asked { neighbours: Neighbours::Realisable, ..whole(BIN, 3, "2", "0") };
    expect(&free, "1/2");
}

/// ε = δ = 0: what was seen must make no difference, so every round costs 1/2.
#[test]
fn without_privacy_loss_nothing_is_learnt() {
    for asked in [whole(BIT, 4, "1", "0"), whole(POINT3, 3, "1", "0"), joint(SQUARE, 4, "1", "0")] {
        let value = Rational::new(asked.rounds.into(), 2.into());
        assert_eq!(asked.solve().value(), Some(&value));
    }
    check(&whole(BIT, 3, "1", "0"));
    check(&whole(POINT3, 2, "1", "0"));
    check(&joint(REPEATED, 2, "1", "0"));
    check(&joint(BIT, 3, "1", "0"));
    // With δ > 0 the program is solved: 1/2 + (1 − δ)/2.
    expect(&whole(BIT, 2, "1", "1/5"), "9/10");
}

#[test]
fn a_class_without_a_choice_costs_nothing() {
    let asked = whole(&["101"], 3, "2", "0");
    expect(&asked, "0");
    check(&asked);
}

#[test]
fn symmetries_and_reductions_do_not_change_the_value() {
    let cases = [
        whole(POINT3, 2, "2", "0"),
        whole(POINT3, 2, "3/2", "1/10"),
        whole(THRESHOLDS, 2, "2", "1/10"),
        whole(BIT, 3, "2", "0"),
        joint(SQUARE, 3, "2", "1/10"),
        joint(POINT3, 2, "2", "0"),
        joint(REPEATED, 2, "2", "1/10"),
        Asked { neighbours: Neighbours::Realisable, ..joint(BIT, 3, "2", "0") },
    ];
    for asked in cases {
        let value = asked.solve().value().expect("an exact value").clone();
        let game = asked.game();
        let plain = solve(&game, &orbits::identity(&game), &asked.privacy(), &Limits::default());
        assert_eq!(plain.value(), Some(&value), "without symmetries: {:?}", asked.rows);
        let unreduced =
            Game::unreduced(&class(asked.rows), asked.notion, asked.neighbours, asked.rounds);
        let unreduced = unreduced.expect("a game");
        let group = orbits::symmetries(&unreduced);
        let found = solve(&unreduced, &group, &asked.privacy(), &Limits::default());
        assert_eq!(found.value(), Some(&value), "unreduced: {:?}", asked.rows);
    }
}

/// Both proofs, by plain loops on the class as it is.
#[track_caller]
fn check(asked: &Asked<'_>) {
    let certificate = asked.certificate();
    let naive = Naive::new(&certificate);
    let bound = |side: &str| q(certificate["claim"][side].as_str().expect("a number"));
    assert_eq!(naive.upper(), Ok(bound("at_most")), "{:?}", asked.rows);
    assert_eq!(naive.lower(), Ok(bound("at_least")), "{:?}", asked.rows);
}

#[test]
fn proofs_of_learning_pass_plain_loops() {
    check(&whole(BIN, 3, "3/2", "0"));
    check(&whole(BIT, 3, "2", "0"));
    check(&whole(BIT, 3, "2", "1/10"));
    check(&whole(THRESHOLDS, 2, "2", "0"));
    check(&whole(POINT3, 2, "2", "0"));
    check(&whole(POINT3, 2, "2", "1/10"));
    check(&Asked { neighbours: Neighbours::Realisable, ..whole(BIT, 3, "2", "0") });
}

#[test]
fn proofs_of_prediction_pass_plain_loops() {
    check(&joint(BIT, 3, "2", "0"));
    check(&joint(BIT, 3, "3", "1/10"));
    check(&joint(THRESHOLDS, 3, "2", "0"));
    check(&joint(POINT3, 2, "2", "1/10"));
    check(&joint(REPEATED, 2, "2", "0"));
    check(&Asked { neighbours: Neighbours::Realisable, ..joint(BIT, 3, "2", "0") });
}

/// The example of the manual, which was written by hand.
#[test]
fn the_manual_agrees_with_what_is_written() {
    let text = include_str!("../../docs/certificates.md");
    let blocks = text.split("```json\n").skip(1).map(|rest| rest.split("```").next());
    let mut examples = blocks.flatten().map(|block| serde_json::from_str(block).expect("JSON"));
    let manual: Value =
        examples.find(|example: &Value| example["kind"] == "minimax").expect("an example");
    let naive = Naive::new(&manual);
    assert_eq!((naive.lower(), naive.upper()), (Ok(q("5/6")), Ok(q("5/6"))));
    let read: format::Minimax = serde_json::from_value(manual.clone()).expect("the format");
    assert_eq!(serde_json::to_value(read).expect("JSON"), manual);
}

/// Each integer of a certificate, one more and one less: the proof is rejected, or it proves no
/// better bound than before.
#[test]
fn no_integer_can_be_changed_to_prove_more() {
    for asked in [whole(BIN, 2, "2", "0"), whole(BIN, 3, "2", "1/10"), joint(BIT, 2, "3", "1/10")] {
        let original = asked.certificate();
        let value = q(original["claim"]["at_most"].as_str().expect("a number"));
        let (mut changed, mut rejected) = (0, 0);
        for (half, list) in [("lower", "streams"), ("lower", "multipliers"), ("upper", "outputs")] {
            let rows = original[half][list].as_array().expect("rows").len();
            for row in 0..rows {
                for by in [-1, 1] {
                    let mut mutated = original.clone();
                    let place = mutated[half][list][row].as_array_mut().expect("a row");
                    let number = place.last_mut().expect("a numerator");
                    let old: i64 = number.as_str().expect("text").parse().expect("small");
                    *number = (old + by).to_string().into();
                    changed += 1;
                    let naive = Naive::new(&mutated);
                    let found = if half == "lower" { naive.lower() } else { naive.upper() };
                    match found {
                        Err(_) => rejected += 1,
                        Ok(bound) if half == "lower" => assert!(bound <= value, "{row} {by}"),
                        Ok(bound) => assert!(bound >= value, "{row} {by}"),
                    }
                }
            }
        }
        assert!(changed > 5 && rejected > 2, "{changed} changes, {rejected} rejected");
    }
}

/// The places of all strings and numbers below a value.
fn leaves(value: &Value, place: String, found: &mut Vec<String>) {
    match value {
        Value::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                leaves(item, format!("{place}/{i}"), found);
            }
        }
        Value::Object(items) => {
            for (key, item) in items {
                leaves(item, format!("{place}/{key}"), found);
            }
        }
        Value::Null | Value::Bool(_) => {}
        Value::Number(_) | Value::String(_) => found.push(place),
    }
}

/// The text with each of its integers one more or one less.
fn bumped(text: &str) -> Vec<String> {
    let digit = |c: char| c.is_ascii_digit();
    let mut all = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find(digit).map(|i| at + i) {
        let end = text[start..].find(|c| !digit(c)).map_or(text.len(), |i| start + i);
        let number: i64 = text[start..end].parse().expect("a small integer");
        all.extend([-1, 1].map(|by| format!("{}{}{}", &text[..start], number + by, &text[end..])));
        at = end;
    }
    all
}

/// Every integer of a certificate, wherever it stands, one more and one less: the verifier rejects the
/// file, or what it states is true of the game in the file, whose value is computed again.
#[test]
fn every_integer_matters_to_the_verifier() {
    let (mut rejected, mut accepted) = (0, 0);
    for asked in [whole(BIN, 2, "2", "1/10"), whole(BIT, 2, "3", "0"), joint(BIT, 2, "2", "1/10")] {
        let original = asked.certificate();
        let mut places = Vec::new();
        leaves(&original, String::new(), &mut places);
        for place in places {
            if ["/producer", "/source", "/kind"].contains(&place.as_str()) {
                continue;
            }
            let old = original.pointer(&place).expect("it stands there").clone();
            let text = old.as_str().map_or_else(|| old.to_string(), ToOwned::to_owned);
            for new in bumped(&text) {
                let mut mutated = original.clone();
                *mutated.pointer_mut(&place).expect("it stands there") = match &old {
                    Value::Number(_) => serde_json::from_str(&new).expect("a number"),
                    _ => new.clone().into(),
                };
                match verify(mutated.to_string().as_bytes(), verifier::Limits::default()) {
                    Err(_) => rejected += 1,
                    Ok(outcome) => {
                        assert!(matches!(outcome, Outcome::Proved(_)), "no limit was set");
                        accepted += 1;
                        assert!(states_the_truth(&mutated), "{place}: {text} became {new}");
                    }
                }
            }
        }
    }
    assert!(rejected > 200 && accepted > 5, "{rejected} rejected, {accepted} accepted");
}

/// Whether the bounds that a certificate states are bounds on the value of its game.
fn states_the_truth(certificate: &Value) -> bool {
    let text = |key: &str| certificate[key].as_str().expect("text").to_owned();
    let rows = certificate["hypotheses"].as_array().expect("hypotheses").iter();
    let rows: Vec<&str> = rows.map(|row| row.as_str().expect("text")).collect();
    let rounds = certificate["rounds"].as_u64().and_then(|n| usize::try_from(n).ok());
    let (epsilon, delta) = (text("epsilon"), text("delta"));
    let factor = epsilon.trim_start_matches("ln(").trim_end_matches(')');
    let asked = Asked {
        notion: if certificate["notion"] == "joint" { Notion::Joint } else { Notion::Whole },
        ..whole(&rows, rounds.expect("a number"), factor, &delta)
    };
    let found = asked.solve();
    let value = found.value().expect("an exact value");
    let bound = |side: &str| q(certificate["claim"][side].as_str().expect("a number"));
    bound("at_least") <= *value && *value <= bound("at_most")
}

/// For rational ε > 0 there are bounds, with one proof for a number below e^ε and one for a number
/// above.
#[test]
fn bounds_where_the_factor_is_irrational() {
    let game = whole(BIT, 3, "2", "0").game();
    for delta in ["0", "1/10"] {
        let privacy = Privacy::new(&Epsilon::parse("1/2").expect("an ε"), q(delta));
        let found = solve(&game, &orbits::symmetries(&game), &privacy, &Limits::default());
        let (lower, upper) = (found.lower.bound, found.upper.bound);
        assert!(lower < upper && &upper - &lower < q("1/1000000"));
        // V decreases in ρ: between the values for 33/20 > e^(1/2) and 41/25 < e^(1/2).
        let at = |factor| whole(BIT, 3, factor, delta).solve().value().expect("exact").clone();
        assert!(at("33/20") < lower && upper < at("41/25"));
    }
}

/// The learner as a mechanism: the other engines confirm privacy and mistakes.
#[test]
fn the_saved_learner_is_private_and_attains_the_value() {
    for asked in [whole(REPEATED, 3, "2", "0"), joint(THRESHOLDS, 3, "2", "1/10")] {
        let (game, class, found) = (asked.game(), class(asked.rows), asked.solve());
        let value = found.value().expect("an exact value");
        let levels = found.upper.learner.rounds(&game, &Limits::default());
        let levels = levels.expect("no limit is hit").expect("a causal table");
        let strategy = Strategy::new(&game, &class, levels).expect("names of points");
        let automaton = compile(&strategy, &Options::rounds(3, 1_000_000)).expect("few states");
        let limits = Limits::default();
        let streams = Streams::Realisable(&class);
        let worst = mistakes::worst(&automaton, streams, 3..=3, &limits, &Progress::default())
            .expect("rounds");
        let [Worst::Exact { mistakes, .. }] = &worst[..] else { panic!("an exact number") };
        assert_eq!(*mistakes, value.clone().into());
        let all = privacy::Streams::all(automaton.interface().records());
        let question = Question {
            notion: asked.notion,
            neighbours: privacy::Neighbours::Replacement,
            epsilon: asked.epsilon(),
        };
        let delta = q(asked.delta).into();
        let decide = |delta: &Number| {
            privacy::decide(&automaton, &all, &question, 3, delta, &limits, &Progress::default())
                .expect("a learner of three rounds")
        };
        assert!(matches!(decide(&delta), Decision::Holds));
    }
}
