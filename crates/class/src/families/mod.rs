//! Families of named hypothesis classes, such as `point:3` or `interval:16`.
//!
//! A class of a family is generated when it is asked for, never stored. Its size is worked out
//! first, and a class that would be too large is refused before anything is allocated for it.

mod boolean;
mod decision_lists;
mod field;
mod finite_geometry;
mod grids;
mod halfspaces;
mod random;
mod rows;
mod sets;
mod size;
mod structured;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod threshold_functions;

use std::sync::LazyLock;

use num_bigint::BigUint;

use super::Class;
use littlestone_base::error::{Error, Result, nearest};
use littlestone_base::limits::{Limits, Meter};

pub use random::GENERATOR;
use size::Size;

/// A family of classes: what it is, and how its arguments are given.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Family {
    /// The name, as in `point`.
    pub name: &'static str,
    /// The arguments and their ranges.
    pub arguments: &'static str,
    /// What the hypotheses are.
    pub summary: &'static str,
    /// A formula for the size, |H| × |X|.
    pub size: &'static str,
    /// What is known of the Littlestone dimension, and why.
    pub dimension: &'static str,
    /// A class of the family, as in `point:3`.
    pub example: &'static str,
    parameters: &'static [Parameter],
    /// The size for given arguments. Also checks what concerns several arguments at once.
    measure: fn(&[u64]) -> Result<Size>,
    /// The class. Called only for arguments that `measure` accepts and that are not too large.
    build: fn(&[u64], &mut Meter<'_>) -> Result<Class>,
}

/// An argument of a family: a number in a range.
#[derive(Debug, Clone, Copy)]
struct Parameter {
    name: &'static str,
    least: u64,
    most: u64,
}

impl Parameter {
    const fn from(name: &'static str, least: u64) -> Self {
        Self { name, least, most: u64::MAX }
    }

    const fn between(name: &'static str, least: u64, most: u64) -> Self {
        Self { name, least, most }
    }

    fn range(&self) -> String {
        match (self.least, self.most) {
            (0, u64::MAX) => "a whole number".into(),
            (least, u64::MAX) => format!("a whole number of at least {least}"),
            (least, most) => format!("a whole number from {least} to {most}"),
        }
    }
}

/// All families, in the order in which they are best explained.
pub fn all() -> &'static [Family] {
    static ALL: LazyLock<Vec<Family>> = LazyLock::new(|| {
        [
            sets::FAMILIES,
            boolean::FAMILIES,
            decision_lists::FAMILIES,
            threshold_functions::FAMILIES,
            grids::FAMILIES,
            finite_geometry::FAMILIES,
            structured::FAMILIES,
            random::FAMILIES,
            halfspaces::FAMILIES,
        ]
        .concat()
    });
    &ALL
}

/// The names of all families.
pub fn names() -> impl Iterator<Item = &'static str> {
    all().iter().map(|family| family.name)
}

/// Whether there is a family called `name`.
pub fn exists(name: &str) -> bool {
    names().any(|known| known == name)
}

/// Generates the class `name:args`; `args` is the text after the first colon, numbers separated
/// by commas, and empty if there is none.
///
/// # Errors
/// [`Error::Argument`] for an unknown family or arguments outside its ranges, and
/// [`Error::TooLarge`] for a class of more than 2^24 hypotheses, 2^20 points or 2^31 labels (where
/// the number of hypotheses is not known beforehand, the bound of [`size`] counts).
pub fn generate(name: &str, args: &str) -> Result<Class> {
    generate_within(name, args, &Limits::default())
}

/// As [`generate`], within limits. No state is counted.
///
/// # Errors
/// As [`generate`], and [`Error::Limit`] when a limit is hit.
pub fn generate_within(name: &str, args: &str, limits: &Limits) -> Result<Class> {
    let (family, numbers) = resolve(name, args)?;
    let spec = family.spec(&numbers);
    family.measured(&numbers)?.check(&spec)?;
    (family.build)(&numbers, &mut limits.meter())
}

/// The numbers of hypotheses and points of `name:args`, without generating anything.
///
/// The number of points is exact. The number of hypotheses is exact but for the families whose
/// [`Family::size`] says "at most", and `monotone` and `threshold-function` for more than 9
/// variables: there it is an upper bound, and [`size_is_exact`] says so.
///
/// # Errors
/// As [`generate`], except that a class is too large only when a number has more than 4096 bits.
pub fn size(name: &str, args: &str) -> Result<(BigUint, BigUint)> {
    let (family, numbers) = resolve(name, args)?;
    family.measured(&numbers)?.numbers(&family.spec(&numbers))
}

/// Whether the number of hypotheses that [`size`] gives is exact, not only an upper bound.
///
/// # Errors
/// [`Error::Argument`] for an unknown family or arguments outside its ranges.
pub fn size_is_exact(name: &str, args: &str) -> Result<bool> {
    let (family, numbers) = resolve(name, args)?;
    Ok(!family.measured(&numbers)?.is_bound())
}

fn resolve(name: &str, args: &str) -> Result<(&'static Family, Vec<u64>)> {
    let family = all().iter().find(|family| family.name == name).ok_or_else(|| unknown(name))?;
    Ok((family, family.parse(args)?))
}

/// The fault that no family has this name, with the nearest one that exists.
fn unknown(name: &str) -> Error {
    let shown = shorten(name);
    let help = match nearest(name, names()) {
        Some(nearest) => {
            format!("did you mean `{nearest}`? `littlestone list families` shows all of them")
        }
        None => "`littlestone list families` shows all of them".into(),
    };
    Error::argument_with_help(format!("no family of classes is called `{shown}`"), help)
}

/// Text of the user's, made fit for one line of a message.
fn shorten(text: &str) -> String {
    const MOST: usize = 40;
    let printable = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
    let mut shown: String = text.chars().take(MOST).map(printable).collect();
    if text.chars().nth(MOST).is_some() {
        shown.push('…');
    }
    shown
}

impl Family {
    /// The class as the user would write it.
    fn spec(&self, numbers: &[u64]) -> String {
        let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
        format!("{}:{}", self.name, numbers.join(","))
    }

    fn parse(&self, args: &str) -> Result<Vec<u64>> {
        let given = if args.is_empty() { 0 } else { args.split(',').count() };
        let expected = self.parameters.len();
        if given != expected {
            let plural = if expected == 1 { "" } else { "s" };
            return Err(self.fault(&format!("expected {expected} argument{plural}, found {given}")));
        }
        let parse = |(parameter, text): (&Parameter, &str)| {
            let text = text.trim();
            let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
            let number = text.parse().ok().filter(|_| digits);
            number.filter(|n| (parameter.least..=parameter.most).contains(n)).ok_or_else(|| {
                let (name, range) = (parameter.name, parameter.range());
                if digits && number.is_none() {
                    let limit = "which is beyond 64 bits";
                    self.fault(&format!(
                        "expected {name} to be {range}, found `{}`, {limit}",
                        shorten(text)
                    ))
                } else {
                    self.fault(&format!("expected {name} to be {range}, found `{}`", shorten(text)))
                }
            })
        };
        self.parameters.iter().zip(args.split(',')).map(parse).collect()
    }

    fn measured(&self, numbers: &[u64]) -> Result<Size> {
        (self.measure)(numbers).map_err(|error| match error {
            Error::Argument { message, help: None } => self.fault(&message),
            other => other,
        })
    }

    /// A fault of the arguments, with what was expected and an example.
    fn fault(&self, what: &str) -> Error {
        let Self { name, arguments, example, .. } = self;
        Error::argument_with_help(
            format!("`{name}`: {what}"),
            format!("`{name}` takes {arguments}; for example `{example}`"),
        )
    }

    /// A condition that a parameter's range cannot express.
    fn require(
        holds: bool,
        parameter: &str,
        found: u64,
        expected: impl FnOnce() -> String,
    ) -> Result<()> {
        if holds {
            return Ok(());
        }
        Err(Error::argument(format!("expected {parameter} to be {}, found `{found}`", expected())))
    }
}
