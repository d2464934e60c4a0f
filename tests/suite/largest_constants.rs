//! The table of docs/bounds.md: V by the minimax engine, and the quotients without any floating point.

use littlestone::exact::{Number, Rational, enclose_ln, expression};
use littlestone::questions::Run;
use littlestone::questions::door;
use littlestone::questions::minimax::MinimaxQuestion;
use littlestone::questions::{Answer as _, Known, Question as _};
use serde_json::{Map, Value, json};

fn rational(text: &str) -> Rational {
    let value = expression::evaluate(text, &std::collections::BTreeMap::new()).expect(text);
    value.as_rational().expect(text).clone()
}

/// The rows of the table that begins with a heading, cell by cell.
fn rows() -> Vec<Vec<String>> {
    let text = include_str!("../../docs/bounds.md");
    let table = text.split("| bound | class |").nth(1).expect("the table");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    rows.map(|row| row.trim_matches('|').split(" | ").map(|cell| cell.trim().to_owned()).collect())
        .collect()
}

/// V between rational bounds.
fn value(class: &str, rounds: &str, epsilon: &str, delta: &str) -> (Number, Number) {
    let fields: Map<String, Value> = [
        ("class", json!(class)),
        ("rounds", json!(rounds)),
        ("epsilon", json!(epsilon)),
        ("delta", json!(delta)),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .into_iter()
    .collect();
    let question: MinimaxQuestion = door::question(fields).expect("a question");
    let answer = question.answer(&Run::default()).expect("an answer");
    match answer.known("value") {
        Some(Known::Between(lower, upper)) => (lower, upper),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_table_of_largest_constants() {
    let rows = rows();
    assert_eq!(rows.len(), 7);
    let step = |digits: &str| rational(&format!("1/10^{digits}"));
    for row in rows {
        let [_, class, rounds, epsilon, delta, shown, bound, most] = &row[..] else {
            panic!("{row:?}")
        };
        let (lower, upper) = value(class.trim_matches('`'), rounds, epsilon, delta);
        let (low, high) = (lower.enclosure(128).0, upper.enclosure(128).1);
        let (v, c) = (rational(shown), rational(most));
        // T = 3 takes too long for every run: its figure stands in a claim of the long tier.
        assert!(v <= high && low < &v + step("5"), "{row:?}: V");
        // c ≤ V/b and V/b < c + 10^-4, for b = T or b³ = (ln 2T)².
        let next = &c + step("4");
        let rounds = rational(rounds);
        let cube = |x: &Rational| x * x * x;
        match bound.as_str() {
            "T" => assert!(&c * &rounds <= high && low < next * rounds, "{row:?}"),
            "(ln 2T)^(2/3)" => {
                let ln = enclose_ln(&(rounds * rational("2")), 128).expect("positive");
                let square = |x: Rational| &x * &x;
                let (below, above) = (square(ln.low()), square(ln.high()));
                assert!(
                    cube(&c) * below <= cube(&high) && cube(&low) < cube(&next) * above,
                    "{row:?}"
                );
            }
            other => panic!("{other}"),
        }
    }
}
