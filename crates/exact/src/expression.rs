//! Exact expressions, for the bounds of claims and the parameters of mechanisms.
//!
//! | form | meaning |
//! | --- | --- |
//! | `3`, `0.25`, `25e-2` | exact numbers |
//! | `a + b`, `a - b`, `a * b`, `a / b` | exact, never rounded |
//! | `a ^ b`, `a ** b` | a power with an integer exponent; binds tighter than `-`, to the right |
//! | `min(a, …)`, `max(a, …)`, `abs(a)` | by exact comparison |
//! | `floor(a)`, `ceil(a)` | of rational numbers |
//! | `binomial(n, k)` | the binomial coefficient |
//! | `exp(q)` | e^q for a rational q, exact |
//! | `d`, `gamma`, … | the variables in scope |

use std::collections::BTreeMap;

use super::functions;
use super::number::Number;
use super::parse::{ParseNumberError, parse_rational};
use littlestone_base::error::the_nearest;
use littlestone_base::error::{Error, Position};

type Result<T> = std::result::Result<T, ParseNumberError>;

/// How deeply an expression may be nested.
const DEPTH: usize = 64;

const FUNCTIONS: [&str; 7] = ["abs", "binomial", "ceil", "exp", "floor", "max", "min"];

/// The exact value of an expression; the table above says what may stand in it.
///
/// # Errors
/// When the text is not an expression, a name is unknown, or an operation has no value (a
/// division by zero, a power that is not an integer). The position counts columns of the text.
pub fn evaluate(
    text: &str,
    variables: &BTreeMap<String, Number>,
) -> std::result::Result<Number, Error> {
    whole(text, variables).map_err(|fault| {
        let before: Vec<char> = text.chars().take(fault.column - 1).collect();
        let line = 1 + before.iter().filter(|&&c| c == '\n').count();
        let column = 1 + before.iter().rev().take_while(|&&c| c != '\n').count();
        let source = format!("`{}`", text.replace('\n', " "));
        Error::malformed(Position::at(source, line, column), fault.expected, fault.found)
    })
}

/// [`evaluate`], with faults in columns of the text from its beginning.
pub(super) fn whole(text: &str, variables: &BTreeMap<String, Number>) -> Result<Number> {
    let mut parser = Parser::new(text, variables);
    let value = parser.sum()?;
    parser.end("an operator or the end of the expression")?;
    Ok(value)
}

/// Reads an expression from the left.
pub(super) struct Parser<'a> {
    text: Vec<char>,
    at: usize,
    depth: usize,
    variables: &'a BTreeMap<String, Number>,
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &str, variables: &'a BTreeMap<String, Number>) -> Self {
        Self { text: text.chars().collect(), at: 0, depth: 0, variables }
    }

    /// Takes `character` if it comes next, after spaces.
    pub(super) fn take(&mut self, character: char) -> bool {
        self.skip_space();
        let found = self.text.get(self.at) == Some(&character);
        self.at += usize::from(found);
        found
    }

    pub(super) fn end(&mut self, expected: &str) -> Result<()> {
        self.skip_space();
        if self.at < self.text.len() { Err(self.unexpected(expected)) } else { Ok(()) }
    }

    /// The number of characters that were read.
    pub(super) fn place(&self) -> usize {
        self.at
    }

    /// What was read since `start` is not acceptable.
    pub(super) fn refuse(&self, start: usize, expected: impl Into<String>) -> ParseNumberError {
        let read: String = self.text[start..self.at].iter().collect();
        fault(start, expected, format!("`{}`", read.trim_end()))
    }

    pub(super) fn sum(&mut self) -> Result<Number> {
        let mut value = self.product()?;
        while let Some((at, operator)) = self.operator(&["+", "-"]) {
            let right = self.product()?;
            let operation = if operator == "+" { functions::add } else { functions::subtract };
            value = done(at, operation(&value, &right))?;
        }
        Ok(value)
    }

    pub(super) fn product(&mut self) -> Result<Number> {
        let mut value = self.signed()?;
        loop {
            self.skip_space();
            if self.rest_starts_with("**") {
                return Ok(value);
            }
            let Some((at, operator)) = self.operator(&["*", "/"]) else { return Ok(value) };
            let right = self.signed()?;
            let operation = if operator == "*" { functions::multiply } else { functions::divide };
            value = done(at, operation(&value, &right))?;
        }
    }

    fn signed(&mut self) -> Result<Number> {
        self.depth += 1;
        if self.depth > DEPTH {
            let expected = format!("at most {DEPTH} nested operations");
            return Err(fault(self.at, expected, "more"));
        }
        let value = match self.operator(&["-", "+"]) {
            Some((_, "-")) => -&self.signed()?,
            Some(_) => self.signed()?,
            None => self.power()?,
        };
        self.depth -= 1;
        Ok(value)
    }

    fn power(&mut self) -> Result<Number> {
        let base = self.atom()?;
        let Some((at, _)) = self.operator(&["^", "**"]) else { return Ok(base) };
        let exponent = self.signed()?;
        done(at, functions::power(&base, &exponent))
    }

    fn atom(&mut self) -> Result<Number> {
        self.skip_space();
        let start = self.at;
        match self.text.get(start) {
            Some('(') => {
                self.at += 1;
                let value = self.sum()?;
                self.close()?;
                Ok(value)
            }
            Some(c) if c.is_ascii_digit() || *c == '.' => self.literal(),
            Some(c) if is_letter(*c) => {
                let name = self.word();
                self.skip_space();
                if self.text.get(self.at) == Some(&'(') {
                    self.at += 1;
                    let arguments = self.arguments()?;
                    return call(start, &name, &arguments);
                }
                self.variables.get(&name).cloned().ok_or_else(|| {
                    let known = self.variables.keys().map(String::as_str);
                    let found = format!("the unknown name `{name}`{}", the_nearest(&name, known));
                    let names = !self.variables.is_empty();
                    let expected = if names { "a number or a name in scope" } else { "a number" };
                    fault(start, expected, found)
                })
            }
            _ => Err(self.unexpected("a number, a name or `(`")),
        }
    }

    fn literal(&mut self) -> Result<Number> {
        let start = self.at;
        let digits = |parser: &mut Self| {
            while parser.text.get(parser.at).is_some_and(char::is_ascii_digit) {
                parser.at += 1;
            }
        };
        digits(self);
        if self.text.get(self.at) == Some(&'.') {
            self.at += 1;
            digits(self);
        }
        if matches!(self.text.get(self.at), Some('e' | 'E')) {
            let sign = usize::from(matches!(self.text.get(self.at + 1), Some('+' | '-')));
            if self.text.get(self.at + 1 + sign).is_some_and(char::is_ascii_digit) {
                self.at += 1 + sign;
                digits(self);
            }
        }
        let word: String = self.text[start..self.at].iter().collect();
        if self.text.get(self.at).is_some_and(|&c| is_letter(c)) {
            return Err(self.unexpected("an operator (a product is written with `*`)"));
        }
        let fault = match parse_rational(&word) {
            Ok(value) => return Ok(value.into()),
            Err(fault) => fault,
        };
        Err(ParseNumberError { column: start + fault.column, ..fault })
    }

    pub(super) fn word(&mut self) -> String {
        let start = self.at;
        while self.text.get(self.at).is_some_and(|&c| is_letter(c) || c.is_ascii_digit()) {
            self.at += 1;
        }
        self.text[start..self.at].iter().collect()
    }

    fn arguments(&mut self) -> Result<Vec<Number>> {
        let mut arguments = Vec::new();
        loop {
            arguments.push(self.sum()?);
            if self.operator(&[","]).is_none() {
                self.close()?;
                return Ok(arguments);
            }
        }
    }

    pub(super) fn close(&mut self) -> Result<()> {
        if self.take(')') { Ok(()) } else { Err(self.unexpected("an operator or `)`")) }
    }

    fn operator(&mut self, operators: &[&'static str]) -> Option<(usize, &'static str)> {
        self.skip_space();
        let found = operators.iter().copied().find(|operator| self.rest_starts_with(operator))?;
        let at = self.at;
        self.at += found.len();
        Some((at, found))
    }

    fn rest_starts_with(&self, operator: &str) -> bool {
        operator.chars().enumerate().all(|(i, c)| self.text.get(self.at + i) == Some(&c))
    }

    pub(super) fn skip_space(&mut self) {
        while self.text.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
    }

    pub(super) fn unexpected(&self, expected: &str) -> ParseNumberError {
        let found = self.text.get(self.at).map_or("the end".into(), |c| format!("`{c}`"));
        fault(self.at, expected, found)
    }
}

fn fault(at: usize, expected: impl Into<String>, found: impl Into<String>) -> ParseNumberError {
    ParseNumberError { column: at + 1, expected: expected.into(), found: found.into() }
}

fn call(at: usize, name: &str, arguments: &[Number]) -> Result<Number> {
    let value = match (name, arguments) {
        ("exp", [a]) => functions::exp(a),
        ("abs", [a]) => Ok(functions::abs(a)),
        ("floor", [a]) => functions::floor(a),
        ("ceil", [a]) => functions::ceil(a),
        ("binomial", [n, k]) => functions::binomial(n, k),
        ("min", [first, rest @ ..]) => {
            rest.iter().try_fold(first.clone(), |least, a| functions::min(&least, a))
        }
        ("max", [first, rest @ ..]) => {
            rest.iter().try_fold(first.clone(), |greatest, a| functions::max(&greatest, a))
        }
        _ if FUNCTIONS.contains(&name) => {
            let count = if name == "binomial" { "two arguments" } else { "one argument" };
            let found = format!("{}", arguments.len());
            return Err(fault(at, format!("{count} for `{name}`"), found));
        }
        _ => {
            let near = the_nearest(name, FUNCTIONS);
            let found = format!("the unknown function `{name}`{near}");
            return Err(fault(at, "a function", found));
        }
    };
    done(at, value)
}

fn done(at: usize, value: std::result::Result<Number, String>) -> Result<Number> {
    value.map_err(|found| fault(at, "an operation that has a value", found))
}

fn is_letter(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

#[cfg(test)]
mod tests {
    use littlestone_properties::config;
    use proptest::prelude::*;

    use super::*;

    fn value(text: &str) -> String {
        let ratio = |p: i64, q: i64| functions::divide(&p.into(), &q.into()).unwrap();
        let variables = [("d", ratio(3, 1)), ("gamma", ratio(1, 4)), ("T", ratio(4, 1))];
        let variables = variables.into_iter().map(|(k, v)| (k.to_owned(), v)).collect();
        evaluate(text, &variables).map_or_else(|e| e.to_string(), |v| v.to_string())
    }

    /// Values computed by hand.
    #[test]
    fn expressions_have_their_mathematical_value() {
        for (text, expected) in [
            ("d / gamma", "12"),
            ("1 - (1-gamma)^(T-1)", "37/64"),
            ("1 - 1/3 * 2", "1/3"),
            ("-2^2", "-4"),
            ("2^3^2", "512"),
            ("2 ** -2", "1/4"),
            ("0.25 + 25e-2", "1/2"),
            ("8 / 2 / 2", "2"),
            ("7 - 2 - 1", "4"),
            ("min(gamma, 1/5, d)", "1/5"),
            ("max(1, 2) * abs(-3)", "6"),
            ("floor(-7/2) + ceil(7/2)", "0"),
            ("binomial(5, 2)", "10"),
            ("exp(0)", "1"),
            (" ( ( 1 ) ) ", "1"),
            ("--1", "1"),
        ] {
            assert_eq!(value(text), expected, "{text}");
        }
    }

    #[test]
    fn faults_are_placed_and_named() {
        for (text, message) in [
            (
                "d / gama",
                "`d / gama`:1:5: expected a number or a name in scope, found the unknown name `gama` (the nearest is `gamma`)",
            ),
            (
                "1 / (d - 3)",
                "`1 / (d - 3)`:1:3: expected an operation that has a value, found a division by zero",
            ),
            ("1 +", "`1 +`:1:4: expected a number, a name or `(`, found the end"),
            ("2d", "`2d`:1:2: expected an operator (a product is written with `*`), found `d`"),
            ("(1", "`(1`:1:3: expected an operator or `)`, found the end"),
            ("1)", "`1)`:1:2: expected an operator or the end of the expression, found `)`"),
            (
                "2 ^ gamma",
                "`2 ^ gamma`:1:3: expected an operation that has a value, found the exponent 1/4, which is not an integer",
            ),
            (
                "mni(1)",
                "`mni(1)`:1:1: expected a function, found the unknown function `mni` (the nearest is `min`)",
            ),
            (
                "1e999999999",
                "`1e999999999`:1:3: expected an exponent from -10000 to 10000, found `999999999`",
            ),
            ("binomial(1)", "`binomial(1)`:1:1: expected two arguments for `binomial`, found 1"),
            (
                "10^100000^2",
                "`10^100000^2`:1:3: expected an operation that has a value, found the exponent 10000000000, which is beyond ±100000",
            ),
        ] {
            assert_eq!(value(text), message, "{text}");
        }
        assert!(value(&"(".repeat(1_000_000)).contains("nested"));
        assert!(value(&"-".repeat(1_000_000)).contains("nested"));
    }

    proptest! {
        #![proptest_config(config(256))]

        #[test]
        fn no_text_panics(text in "[-+*/^(),.0-9a-z \n]{0,40}") {
            let _ = evaluate(&text, &BTreeMap::new());
        }

        #[test]
        fn any_text_is_answered(text in ".{0,40}") {
            let _ = evaluate(&text, &BTreeMap::new());
        }
    }
}
