//! What is right at the edge of a limit, and what errors say.

use std::num::NonZeroUsize;

use littlestone_base::error::{Error, Position};
use littlestone_base::limits::{Limits, Stopped};
use littlestone_base::{BigInt, Natural, Rational, decimal, parse_rational, rational};
use num_traits::Pow as _;

/// What the text says: `2 * 2` digits and so on.
fn digits(count: usize) -> String {
    "7".repeat(count)
}

#[test]
fn limits_of_the_parser_are_the_last_that_are_allowed() {
    // MAX_DIGITS = 100,000 digits; MAX_DECIMAL_EXPONENT and MAX_BITS by what their messages say.
    let refused = |text: &str| parse_rational(text).unwrap_err();
    let limit: usize =
        refused(&digits(2_000_000)).expected.split(' ').nth(2).unwrap().parse().unwrap();
    assert!(parse_rational(&digits(limit)).is_ok());
    assert!(parse_rational(&digits(limit + 1)).is_err());

    let expected = refused("1e99999999999").expected;
    let limit: u32 = expected.rsplit(' ').next().unwrap().parse().unwrap();
    assert_eq!(
        parse_rational(&format!("1e{limit}")).unwrap(),
        Rational::from(BigInt::from(10).pow(limit))
    );
    assert_eq!(
        parse_rational(&format!("1e-{limit}")).unwrap(),
        Rational::new(1.into(), BigInt::from(10).pow(limit))
    );
    assert_eq!(refused(&format!("1e{}", limit + 1)).column, 3);

    let expected = refused("2^99999999999").expected;
    let bits: u64 = expected.split(' ').rev().nth(1).unwrap().parse().unwrap();
    // 2 has two bits, and so have 2^(bits/2) as they are counted.
    assert!(parse_rational(&format!("2^{}", bits / 2)).is_ok());
    assert!(parse_rational(&format!("2^{}", bits / 2 + 1)).is_err());
    // Powers of 0 and 1 are not large.
    assert_eq!(parse_rational("1^99999999999").unwrap(), Rational::from(BigInt::from(1)));
    assert_eq!(parse_rational("0^99999999999").unwrap(), Rational::from(BigInt::from(0)));
}

/// `58^10793` has 19,033 digits, and 2^(2^15) · 2^(2^15 − 1) as many as a number of 2^16 bits can have.
#[test]
fn what_is_read_is_read_again_when_it_is_shown() {
    let nines = "9".repeat(9729);
    for text in ["58^10793", "2^32768", "3^-20000", &format!("{nines}e10000"), "1.5e-10000"] {
        let value = parse_rational(text).unwrap();
        assert_eq!(parse_rational(&value.to_string()), Ok(value), "{}", &text[..8]);
    }
    let long = format!("{nines}9e10000");
    assert_eq!(parse_rational(&long).unwrap_err().expected, "at most 19729 digits, written out");
    let fine = format!("0.{}e-10000", "0".repeat(9728) + "1");
    assert!(parse_rational(&fine).is_err());
}

#[test]
fn long_text_is_cut_in_messages_and_short_text_is_not() {
    let found = |count: usize| parse_rational(&format!("1e{}", digits(count))).unwrap_err().found;
    assert_eq!(found(40), format!("`{}`", digits(40)));
    assert_eq!(found(41), format!("`{}…`", digits(40)));
}

#[test]
fn errors_are_told_on_one_line_with_their_help() {
    let error = Error::argument_with_help("no\nsuch class", "try\nanother");
    assert_eq!(error.message(), "no\\nsuch class");
    assert_eq!(error.help().as_deref(), Some("try\\nanother"));
    assert_eq!(error.on_one_line(), "no\\nsuch class; try\\nanother");
    let error = Error::argument("alone");
    assert_eq!((error.help(), error.on_one_line().as_str()), (None, "alone"));
    let stopped = Stopped::States;
    let error = Error::limit(stopped, "not known");
    assert_eq!(error.help().as_deref(), Some(stopped.help()));
    assert!(error.on_one_line().starts_with("not known; allow more with --limit-states"));
}

#[test]
fn positions_are_lines_and_columns_of_their_source() {
    assert_eq!(Position::whole("a.csv").to_string(), "a.csv");
    assert_eq!(Position::line("a.csv", 3).to_string(), "a.csv:3");
    assert_eq!(Position::at("a.csv", 3, 7).to_string(), "a.csv:3:7");
}

#[test]
fn every_bound_says_how_to_go_on() {
    for (stopped, word, help) in [
        (Stopped::States, "states", "--limit-states"),
        (Stopped::Deadline, "time", "--timeout"),
        (Stopped::Memory { bytes: 5 }, "memory", "--limit-memory"),
        (Stopped::Size, "size", "ask for less"),
        (Stopped::Cancelled, "cancelled", "ask for less"),
        (Stopped::Elsewhere, "elsewhere", "ask for less"),
        (Stopped::Guess, "guess", "ask for less"),
        (Stopped::Bounds, "bounds", "ask for less"),
    ] {
        assert_eq!(stopped.word(), word);
        assert!(stopped.help().contains(help), "{word}");
        assert_eq!(Stopped::from_code(&stopped.code()), Some(stopped));
    }
}

#[test]
fn limits_on_states_and_threads() {
    let limits =
        Limits { states: Some(7), jobs: NonZeroUsize::new(3).unwrap(), ..Limits::default() };
    assert_eq!(limits.states_or(5), 7);
    assert_eq!(limits.threads(), NonZeroUsize::MIN);
    let limits = Limits { states: None, ..limits };
    assert_eq!(limits.states_or(5), 5);
    assert_eq!(limits.threads().get(), 3);
}

/// By hand: 1/3 < 3/8 < 2/5, and negative numbers the other way round.
#[test]
fn rational_numbers_have_their_order() {
    let sorted = [(-2, 5), (-3, 8), (-1, 3), (0, 1), (1, 3), (3, 8), (2, 5), (7, 2), (11, 3)];
    let sorted = sorted.map(|(p, q): (i64, i64)| Rational::new(p.into(), q.into()));
    for (i, a) in sorted.iter().enumerate() {
        for (j, b) in sorted.iter().enumerate() {
            assert_eq!(rational::compare(a, b), i.cmp(&j), "{a} and {b}");
        }
    }
}

#[test]
fn natural_numbers_that_fit_words_are_words() {
    let [one, large] = [Natural::ONE, Natural::from(u128::MAX)];
    assert!(one.is_one() && !large.is_one() && !Natural::ZERO.is_one());
    assert_eq!([one.to_u128(), large.to_u128()], [Some(1), Some(u128::MAX)]);
    assert_eq!((&large + &one).to_u128(), None);
    assert!(Natural::ZERO.lcm(&large).is_zero() && large.lcm(&Natural::ZERO).is_zero());
    assert_eq!(large.checked_sub(&large), Some(Natural::ZERO));
    let beyond = &large + &one;
    assert_eq!(beyond.checked_sub(&beyond), Some(Natural::ZERO));
    assert_eq!(large.checked_sub(&beyond), None);
}

/// 1/1024 = 0.0009765625: as many digits as are asked for, and one step of the exponent.
#[test]
fn small_decimals_have_their_exponent() {
    let value = |p: i64, q: i64| Rational::new(p.into(), q.into());
    assert_eq!(decimal(&value(1, 1024), 3), "9.765…e-4");
    assert_eq!(decimal(&value(1, 1000), 3), "0.001");
    assert_eq!(decimal(&value(1, 9999), 3), "1.000…e-4");
    assert_eq!(decimal(&value(999, 10_000_000), 3), "9.99e-5");
}

#[test]
#[should_panic(expected = "division by zero")]
fn integers_are_not_divided_by_zero() {
    let _ = littlestone_base::Integer::from(BigInt::from(6)).exact_div(&Natural::ZERO);
}

#[test]
fn integers_show_their_value_also_for_debugging() {
    let integer = littlestone_base::Integer::from(BigInt::from(-6));
    assert!(format!("{integer:?}").contains("-6"));
}
