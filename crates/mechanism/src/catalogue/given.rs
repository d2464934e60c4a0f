//! What the user gave for the parameters of an entry, with the entry's defaults filled in.

use std::ops::RangeInclusive;
use std::rc::Rc;

use super::Entry;
use super::geometric::Noise;
use crate::spec::{Argument, Arguments, Context, Parameter, unwrapped};
use crate::{Boxed, Interface, Kind, Tools, stream};
use littlestone_base::error::{Error, Position, Result};
use littlestone_exact::Number;
use littlestone_exact::functions;
use littlestone_exact::limits::Limits;

/// The function that a mechanism which switches begins with.
pub(super) const BEFORE: Parameter = Parameter {
    name: "before",
    default: Some("0"),
    meaning: "the first function: 0, 1, or its labels in point order",
};
/// The function that it switches to.
pub(super) const AFTER: Parameter = Parameter {
    name: "after",
    default: Some("1"),
    meaning: "the second function: 0, 1, or its labels in point order",
};

/// The parameters of one mechanism that is being built. Names have been checked against the
/// entry; every method refuses a value that is out of its range and names the parameter.
#[derive(Debug)]
pub struct Given<'a> {
    entry: &'a Entry,
    arguments: &'a Arguments,
    context: &'a Context<'a>,
}

impl<'a> Given<'a> {
    pub(super) fn new(
        entry: &'a Entry,
        arguments: &'a Arguments,
        context: &'a Context<'a>,
    ) -> Self {
        Self { entry, arguments, context }
    }

    /// The class.
    pub(super) fn class(&self) -> Result<&Rc<Tools>> {
        self.context.class(self.entry.name)
    }

    /// What scripts are run with: the class, if there is one, and limits.
    pub(super) fn surroundings(&self) -> (Option<&Rc<Tools>>, &Limits) {
        (self.context.tools.as_ref(), &self.context.limits)
    }

    /// The kind of the mechanism.
    pub(super) fn kind(&self) -> Kind {
        self.entry.kind
    }

    /// The names of the points of the class.
    pub(super) fn points(&self) -> Result<Vec<String>> {
        Ok(self.class()?.class().point_names().to_vec())
    }

    /// A number in [0, 1].
    pub(super) fn probability(&self, name: &str) -> Result<Number> {
        self.argument(name)?.probability(name)
    }

    /// A natural number of at least 1.
    pub(super) fn positive(&self, name: &str) -> Result<usize> {
        let argument = self.needed(name)?;
        match argument.natural(name)? {
            0 => Err(self.unfit(name, "a natural number of at least 1", argument.text(name)?)),
            n => Ok(n),
        }
    }

    /// An integer in a range.
    pub(super) fn integer(&self, name: &str, range: RangeInclusive<i32>) -> Result<i32> {
        let argument = self.argument(name)?;
        let found = functions::as_integer(&argument.number(name)?);
        let integer = found.and_then(|n| i32::try_from(n).ok()).filter(|n| range.contains(n));
        integer.map_or_else(
            || {
                let expected = format!("an integer from {} to {}", range.start(), range.end());
                Err(self.unfit(name, &expected, argument.text(name)?))
            },
            Ok,
        )
    }

    /// An exact number.
    pub(super) fn number(&self, name: &str) -> Result<Number> {
        self.needed(name)?.number(name)
    }

    /// Two-sided geometric noise, by its ratio.
    pub(super) fn noise(&self, name: &str) -> Result<Noise> {
        let argument = self.argument(name)?;
        Noise::new(argument.number(name)?)
            .map_err(|_| self.unfit(name, "a ratio in [0, 1)", argument.text(name).unwrap_or("")))
    }

    /// One of the given words.
    pub(super) fn word(&self, name: &str, words: &[&'static str]) -> Result<&'static str> {
        let text = self.text(name)?;
        let found = words.iter().find(|word| **word == text).copied();
        found.ok_or_else(|| self.unfit(name, &format!("one of {}", words.join(", ")), &text))
    }

    /// Whether a value was given, so that no default is used.
    pub(super) fn has(&self, name: &str) -> bool {
        self.arguments.contains_key(name)
    }

    /// The value as one word, if it is one: letters and hyphens.
    pub(super) fn bare_word(&self, name: &str) -> Option<String> {
        match self.argument(name) {
            Ok(Argument::Text(text))
                if text.starts_with(char::is_alphabetic)
                    && text.chars().all(|c| c.is_alphabetic() || c == '-') =>
            {
                Some(text)
            }
            _ => None,
        }
    }

    /// One of the given words, by what each stands for.
    pub(super) fn choice<T: Copy>(&self, name: &str, choices: &[(&'static str, T)]) -> Result<T> {
        let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
        let word = self.word(name, &words)?;
        let found = choices.iter().find(|(known, _)| *known == word);
        Ok(found.expect("the word is one of them").1)
    }

    /// A function on the points: its labels in point order, or one label for all points.
    pub(super) fn labels(&self, name: &str) -> Result<String> {
        let points = self.class()?.class().points();
        let argument = self.argument(name)?;
        let text = argument.text(name)?;
        let bits = text.bytes().all(|b| matches!(b, b'0' | b'1'));
        match text.len() {
            1 if bits => Ok(text.repeat(points)),
            len if bits && len == points => Ok(text.to_owned()),
            _ => {
                let expected = format!("0, 1, or {points} labels 0 and 1 in point order");
                Err(self.unfit(name, &expected, text))
            }
        }
    }

    /// A list of at least one number in [0, 1]: a list, or text such as `(0, 1/8, 1/4)`.
    pub(super) fn probabilities(&self, name: &str) -> Result<Vec<Number>> {
        let argument = self.argument(name)?;
        let items = match &argument {
            Argument::Text(text) => split(text),
            other => other.list(name)?.to_vec(),
        };
        if items.is_empty() {
            return Err(self.unfit(name, "at least one number in [0, 1]", ""));
        }
        items.iter().map(|item| item.probability(name)).collect()
    }

    /// The number of items of a list, such as `(1, 6)`.
    pub(super) fn items(&self, name: &str) -> Result<usize> {
        Ok(match self.needed(name)? {
            Argument::Text(text) => split(&text).len(),
            Argument::List(items) => items.len(),
            Argument::Mechanism(_) => 1,
        })
    }

    /// For each of `count` parts of a mechanism its own parameters: where one of `names` is a list,
    /// such as `(1, 6)`, a part has one of its items.
    pub(super) fn apart(&self, names: &[&str], count: usize) -> Result<Vec<Arguments>> {
        let mut parts = vec![self.arguments.clone(); count];
        for &name in names {
            let items = match self.arguments.get(name) {
                Some(Argument::List(items)) => items.clone(),
                Some(Argument::Text(text)) => split(text),
                _ => continue,
            };
            if items.len() == 1 && count > 1 {
                continue;
            }
            if items.len() != count {
                let expected = format!("one value or a list of {count}");
                return Err(self.unfit(name, &expected, &format!("a list of {}", items.len())));
            }
            for (part, item) in parts.iter_mut().zip(items) {
                part.insert(name.to_owned(), item);
            }
        }
        Ok(parts)
    }

    /// The same entry with other values.
    pub(super) fn with<'b>(&'b self, arguments: &'b Arguments) -> Given<'b> {
        Given { entry: self.entry, arguments, context: self.context }
    }

    /// Another mechanism. Parentheses around it let one with several parameters be typed as one
    /// parameter: `of=(subsampled-soa-learner:gamma=1/4,flip=1/8)`.
    pub(super) fn mechanism(&self, name: &str) -> Result<Boxed> {
        let argument = match self.argument(name)? {
            Argument::Text(text) => Argument::Text(unwrapped(&text).to_owned()),
            other => other,
        };
        self.context.resolve(&argument.mechanism(name)?)
    }

    /// An example of a learner, as `point:label`.
    pub(super) fn example(&self, name: &str, interface: &Interface) -> Result<usize> {
        let text = self.text(name)?;
        let known = interface.after();
        known.iter().position(|example| *example == text).ok_or_else(|| {
            let (first, last) = (&known[0], &known[known.len() - 1]);
            self.unfit(name, &format!("an example from {first} to {last}"), &text)
        })
    }

    /// A stream of records: a list, or text such as `(3:0,1:1)`.
    pub(super) fn stream(&self, name: &str, interface: &Interface) -> Result<Vec<usize>> {
        let text = match self.argument(name)? {
            Argument::List(items) => {
                let items: Result<Vec<&str>> = items.iter().map(|item| item.text(name)).collect();
                items?.join(",")
            }
            other => unwrapped(other.text(name)?).to_owned(),
        };
        stream::parse(interface, &text, &Position::whole(format!("the parameter `{name}`")))
    }

    /// Text as it was written.
    pub(super) fn text(&self, name: &str) -> Result<String> {
        Ok(self.argument(name)?.text(name)?.to_owned())
    }

    /// An error that says what the parameter takes instead of `found`.
    pub(super) fn unfit(&self, name: &str, expected: &str, found: &str) -> Error {
        Error::argument(format!(
            "the parameter `{name}` of `{}` takes {expected}, not `{found}`",
            self.entry.name
        ))
    }

    /// The value of a parameter which may be left out in other forms of the mechanism.
    fn needed(&self, name: &str) -> Result<Argument> {
        match self.argument(name)? {
            Argument::Text(text) if text == "none" => Err(Error::argument(format!(
                "`{}` needs a value for its parameter `{name}` here",
                self.entry.name
            ))),
            argument => Ok(argument),
        }
    }

    fn argument(&self, name: &str) -> Result<Argument> {
        if let Some(argument) = self.arguments.get(name) {
            return Ok(argument.clone());
        }
        let parameter = self.entry.parameters.iter().find(|p| p.name == name);
        let default = parameter.and_then(|p| p.default);
        default.map(|text| Argument::Text(text.to_owned())).ok_or_else(|| {
            Error::argument(format!(
                "`{}` needs a value for its parameter `{name}`",
                self.entry.name
            ))
        })
    }
}

/// The items of `a, b, c` or `(a, b, c)`, split at the commas that are not inside parentheses.
/// Parentheses around the whole let a list be typed as one parameter.
fn split(text: &str) -> Vec<Argument> {
    let text = unwrapped(text);
    let mut depth = 0usize;
    let items = text.split(|c| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    let items: Vec<&str> = items.map(str::trim).collect();
    if items == [""] {
        return Vec::new();
    }
    items.into_iter().map(|item| Argument::Text(item.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_split_outside_parentheses() {
        let split = |text| -> Vec<String> {
            split(text).iter().map(|item| item.text("list").unwrap().to_owned()).collect()
        };
        assert_eq!(split("(0, 1/8 ,1)"), ["0", "1/8", "1"]);
        assert_eq!(split("0,1/8"), ["0", "1/8"]);
        assert_eq!(split("(1+1)/4, min(1,0)"), ["(1+1)/4", "min(1,0)"]);
        assert_eq!(split("(1+1)/(4)"), ["(1+1)/(4)"]);
        assert_eq!(split("(1/2,)"), ["1/2", ""]);
        assert!(split("").is_empty() && split("()").is_empty());
    }
}
