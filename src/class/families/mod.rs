//! Families of classes, each given by a name and arguments.

use crate::class::{Class, ClassBuilder};
use crate::error::{Error, Result};

/// The class of the family `name` with the given arguments.
///
/// # Errors
/// When the family is unknown or its argument is not a number from 1 to 4096.
pub fn generate(name: &str, args: &str) -> Result<Class> {
    let n: usize = args
        .trim()
        .parse()
        .ok()
        .filter(|n| (1..=4096).contains(n))
        .ok_or_else(|| Error::argument(format!("{name}: expected a number from 1 to 4096")))?;
    let mut builder = ClassBuilder::new((1..=n).map(|x| x.to_string()).collect());
    match name {
        "point" => {
            for j in 1..=n {
                builder.push(Some(format!("f{j}")), (1..=n).map(|x| x == j));
            }
        }
        "threshold" => {
            for j in 0..=n {
                builder.push(None, (1..=n).map(|x| x > j));
            }
        }
        _ => return Err(Error::argument(format!("unknown family `{name}`"))),
    }
    Ok(builder.build())
}

/// Whether there is a family of this name.
pub fn exists(name: &str) -> bool {
    names().any(|n| n == name)
}

/// The names of the families.
pub fn names() -> impl Iterator<Item = &'static str> {
    ["point", "threshold"].into_iter()
}
