//! From what goes wrong in a script to an error with a line and a column.

use rhai::{Dynamic, EvalAltResult, ParseError, ParseErrorType, Position as Place};

use super::host::{HELPERS, Halt};
use super::{CALLS, DEPTH, OPERATIONS, SIZE, STEP};

use littlestone_base::error::{Error, Position, the_nearest};
use littlestone_exact::limits::Stopped;

/// What a helper refuses; it travels through the interpreter, which adds the position.
#[derive(Debug, Clone)]
pub struct Fault {
    /// What the helper asks for.
    pub expected: String,
    /// What it was given.
    pub found: String,
}

/// An error as the interpreter wants it.
pub type Refused = Box<EvalAltResult>;

/// The result of a helper.
pub type Helped<T> = Result<T, Refused>;

/// An error of a helper.
#[expect(clippy::unnecessary_box_returns, reason = "the interpreter takes boxed errors")]
pub fn fault(expected: impl Into<String>, found: impl Into<String>) -> Refused {
    let fault = Fault { expected: expected.into(), found: found.into() };
    Box::new(EvalAltResult::ErrorRuntime(Dynamic::from(fault), Place::NONE))
}

/// The text of a script, its name for messages, and the names of its functions.
#[derive(Debug, Clone)]
pub struct Text {
    /// The file.
    pub name: String,
    /// The script.
    pub content: String,
    /// The functions it defines.
    pub functions: Vec<String>,
}

/// A step that takes more than a bound of this program on the work of one step: nothing need be wrong
/// with it, but its law is not known.
pub(super) fn too_long(position: &Position, bound: &str) -> Error {
    Error::Limit {
        stopped: Stopped::Size,
        message: format!("{position}: the step takes more than {bound}"),
        help: "let a step do less".into(),
    }
}

impl Text {
    fn position(&self, place: Place) -> Position {
        match (place.line(), place.position()) {
            (Some(line), Some(column)) => Position::at(self.name.clone(), line, column),
            (Some(line), None) => Position::line(self.name.clone(), line),
            _ => Position::whole(self.name.clone()),
        }
    }

    /// The line on which a function is defined.
    pub fn function(&self, name: &str) -> Position {
        let defines = |line: &str| {
            line.split("fn ").skip(1).any(|rest| {
                let rest = rest.trim_start();
                rest.strip_prefix(name).is_some_and(|rest| rest.trim_start().starts_with('('))
            })
        };
        match self.content.lines().position(defines) {
            Some(line) => Position::line(self.name.clone(), line + 1),
            None => Position::whole(self.name.clone()),
        }
    }

    /// A text that the interpreter does not accept.
    pub fn unparsed(&self, error: &ParseError) -> Error {
        self.parsing(&error.0, error.1)
    }

    fn parsing(&self, error: &ParseErrorType, place: Place) -> Error {
        let position = self.position(place);
        if let Some((position, number)) = self.decimal(&position) {
            let expected = "a fraction such as 1/4 (scripts have no decimal numbers)";
            return Error::malformed(position, expected, format!("`{number}`"));
        }
        let expected = match error {
            ParseErrorType::ExprTooDeep => format!("at most {DEPTH} nested expressions"),
            ParseErrorType::VariableUndefined(name) => {
                let found = format!("the unknown variable `{name}`");
                return Error::malformed(
                    position,
                    "a variable (functions see only their parameters and what they define)",
                    found,
                );
            }
            ParseErrorType::Reserved(word) | ParseErrorType::UnknownOperator(word) => {
                let instead = match word.as_str() {
                    "^" => "`**` for a power",
                    "switch" => "`if` and `else if`, which compare values of one type only",
                    "<<" | ">>" => "a product or quotient by `2 ** n`",
                    _ => "a word that scripts of mechanisms have",
                };
                return Error::malformed(position, instead, format!("`{word}`"));
            }
            _ => "a script".to_owned(),
        };
        let found = lower(&error.to_string());
        match found.strip_prefix("expecting ") {
            Some(expected) => {
                let word = self.word(&position);
                let word = word.map_or("the end of a line".to_owned(), |word| format!("`{word}`"));
                Error::malformed(position, expected, word)
            }
            None => Error::malformed(position, expected, found),
        }
    }

    /// The word that starts at the position of a parse error.
    fn word(&self, position: &Position) -> Option<String> {
        let line = self.content.lines().nth(position.line?.checked_sub(1)?)?;
        let rest: String = line.chars().skip(position.column?.checked_sub(1)?).collect();
        rest.split_whitespace().next().map(str::to_owned)
    }

    /// The decimal number that ends or starts at the position of a parse error.
    fn decimal(&self, position: &Position) -> Option<(Position, String)> {
        let line = self.content.lines().nth(position.line?.checked_sub(1)?)?;
        let characters: Vec<char> = line.chars().collect();
        let part = |c: &char| c.is_ascii_digit() || *c == '.';
        let near = position.column?.checked_sub(1)?.min(characters.len());
        let mut start = near;
        while start > 0 && part(&characters[start - 1]) {
            start -= 1;
        }
        let end = near + characters[near..].iter().take_while(|c| part(c)).count();
        let word: String = characters[start..end].iter().collect();
        let (whole, fraction) = word.split_once('.')?;
        let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
        (digits(whole) && digits(fraction))
            .then(|| (Position::at(self.name.clone(), position.line.unwrap_or(1), start + 1), word))
    }

    /// A call of `function` that went wrong.
    pub fn stopped(&self, function: &str, error: &EvalAltResult) -> Error {
        let (error, place) = innermost(error, Place::NONE);
        let position = if place.is_none() { self.function(function) } else { self.position(place) };
        let (expected, found) = match error {
            EvalAltResult::ErrorRuntime(payload, _) => match payload.clone().try_cast::<Fault>() {
                Some(Fault { expected, found }) => (expected, found),
                None => ("a step that does not throw".into(), format!("the exception {payload}")),
            },
            EvalAltResult::ErrorParsing(error, place) => return self.parsing(error, *place),
            EvalAltResult::ErrorFunctionNotFound(signature, _) => self.unknown(signature),
            EvalAltResult::ErrorTooManyOperations(_) => {
                let bound = format!("{OPERATIONS} operations (an endless loop?)");
                return too_long(&position, &bound);
            }
            EvalAltResult::ErrorDataTooLarge(..) => {
                let bound = format!("{SIZE} entries of a list or map, or characters of a string");
                return too_long(&position, &bound);
            }
            EvalAltResult::ErrorTerminated(halt, _) => {
                let halt = halt.clone().try_cast().unwrap_or(Halt::Operations);
                return self.halted(function, halt);
            }
            EvalAltResult::ErrorStackOverflow(_) => {
                (format!("at most {CALLS} nested calls"), "more (an endless recursion?)".into())
            }
            EvalAltResult::ErrorPropertyNotFound(key, _) => (
                "a key that the map has (`\"key\" in map` says whether it is there)".into(),
                format!("no key `{key}`"),
            ),
            EvalAltResult::ErrorArithmetic(message, _) => {
                ("an operation that has a value".into(), lower(message))
            }
            EvalAltResult::ErrorDataRace(..) => (
                "a closure that does not use the variable whose method it is given to".into(),
                "one that does (a copy of the variable, or a `for` loop, will do)".into(),
            ),
            EvalAltResult::ErrorMismatchDataType(expected, found, _)
                if !expected.is_empty() && !found.is_empty() =>
            {
                (format!("a value of type {expected}"), format!("one of type {found}"))
            }
            other => ("a step that runs".into(), lower(&without_position(other))),
        };
        Error::malformed(position, expected, found)
    }

    /// A step that a limit ended.
    pub fn halted(&self, function: &str, halt: Halt) -> Error {
        match halt {
            Halt::Operations => {
                let bound = format!("{STEP} operations for all sequences of choices together");
                too_long(&self.function(function), &bound)
            }
            Halt::Limit(stopped) => Error::Limit {
                stopped,
                message: format!("{stopped} in `{function}` of {}", self.name),
                help: "allow more, or ask for fewer rounds".into(),
            },
        }
    }

    fn unknown(&self, signature: &str) -> (String, String) {
        let name = signature.split(" (").next().unwrap_or(signature).trim();
        let found = signature.replace("& ", "");
        let usage: Vec<&str> =
            HELPERS.iter().filter(|(helper, _, _)| *helper == name).map(|(_, u, _)| *u).collect();
        if !usage.is_empty() {
            return (usage.join(" or "), format!("`{found}`"));
        }
        let known = HELPERS.iter().map(|(helper, _, _)| *helper);
        let known = known.chain(self.functions.iter().map(String::as_str));
        let list =
            if signature.contains("labels") { " (`list(h)` makes labels a list)" } else { "" };
        (
            format!("a function or operator for these arguments{list}"),
            format!("`{found}`{}", the_nearest(name, known)),
        )
    }
}

/// The cause of an error, and the innermost position that is known.
fn innermost(error: &EvalAltResult, outer: Place) -> (&EvalAltResult, Place) {
    let place = error.position();
    let place = if place.is_none() { outer } else { place };
    match error {
        EvalAltResult::ErrorInFunctionCall(_, _, inner, _) => innermost(inner, place),
        _ => (error, place),
    }
}

fn without_position(error: &EvalAltResult) -> String {
    let text = error.to_string();
    match text.rfind(" (line ") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}

fn lower(text: &str) -> String {
    let mut characters = text.chars();
    match (characters.next(), text.chars().nth(1)) {
        (Some(first), Some(second)) if second.is_lowercase() => {
            first.to_lowercase().chain(characters).collect()
        }
        _ => text.to_owned(),
    }
}
