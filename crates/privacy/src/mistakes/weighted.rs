//! Listed laws over streams, as typed or in a file.

use std::collections::BTreeMap;
use std::path::Path;

use littlestone_base::error::{Error, Position, Result};
use littlestone_base::file::{decode, read, read_stdin};
use littlestone_base::text::outside_quotes;
use littlestone_class::stream::MAX_STREAM_BYTES;
use littlestone_class::{Class, parse_stream};
use littlestone_exact::Number;
use littlestone_mechanism::expression;

/// Reads a law over streams from the argument of `flag`: the contents of the file, if there is one
/// of this name in `folder`, the standard input for `-`, and otherwise the law itself. See [`parse_weighted`].
///
/// # Errors
/// When the file cannot be read, or the text is malformed.
pub fn read_weighted(
    class: &Class,
    arg: &str,
    folder: &Path,
    flag: &str,
) -> Result<Vec<(Vec<usize>, Number)>> {
    let path = folder.join(arg);
    let (source, bytes) = if arg == "-" {
        ("stdin", read_stdin(MAX_STREAM_BYTES)?)
    } else if !arg.is_empty() && path.exists() {
        (arg, read(&path, MAX_STREAM_BYTES)?)
    } else if arg.contains(':') || arg.trim().is_empty() {
        return parse_weighted(class, arg, flag);
    } else {
        return Err(Error::argument_with_help(
            format!("{flag}: no such file: `{arg}`"),
            "a law is a file, or entries such as `1/2 x:0,y:1; 1/2 x:1`",
        ));
    };
    parse_weighted(class, decode(source, &bytes)?, source)
}

/// Reads a law over streams of records from `text`, which `source` names in messages.
///
/// Entries stand on lines, or are separated by semicolons. An entry is a weight (an exact
/// expression without spaces, such as `1/3`), white space, and a stream as
/// [`parse_stream`] reads it on one line. Comments begin with `#` at the beginning of an entry or
/// after white space. The weights sum to 1.
///
/// # Errors
/// When the text has another form, with line and column.
pub fn parse_weighted(
    class: &Class,
    text: &str,
    source: &str,
) -> Result<Vec<(Vec<usize>, Number)>> {
    let mut law = Vec::new();
    for (number, line) in text.lines().enumerate() {
        for entry in entries(line) {
            let start = entry.len() - entry.trim_start().len();
            // The offset of a part of a line is that of its pointer, in characters.
            let column = |part: &str| {
                let offset = part.as_ptr() as usize - line.as_ptr() as usize;
                1 + line[..offset].chars().count()
            };
            let entry = &entry[start..];
            if entry.is_empty() {
                continue;
            }
            let at = |part: &str| Position::at(source, number + 1, column(part));
            let Some((weight, stream)) = entry.split_once(char::is_whitespace) else {
                let expected = "a weight, a space and a stream, such as `1/2 x:0,y:1`";
                return Err(Error::malformed(at(entry), expected, format!("`{entry}`")));
            };
            let value = expression::evaluate(weight, &BTreeMap::new())
                .map_err(|error| Error::malformed(at(weight), "a weight", fault(weight, &error)))?;
            if value.sign().is_lt() {
                let found = format!("the weight {value}");
                return Err(Error::malformed(at(weight), "a weight of at least 0", found));
            }
            let records = parse_stream(class, stream, source).or_else(|_| {
                // Padded so that line and column of the message are those of the source.
                let (lines, columns) = ("\n".repeat(number), " ".repeat(column(stream) - 1));
                parse_stream(class, &format!("{lines}{columns}{stream}"), source)
            })?;
            if records.is_empty() {
                let expected = "at least one labelled example";
                return Err(Error::malformed(at(stream), expected, "none"));
            }
            let record = |(x, y): (usize, bool)| 2 * x + usize::from(y);
            law.push((records.into_iter().map(record).collect(), value));
        }
    }
    let sum = law.iter().fold(Number::zero(), |sum, (_, weight)| &sum + weight);
    if sum.is_one() {
        return Ok(law);
    }
    let found = format!("the sum {sum}");
    Err(Error::malformed(Position::whole(source), "weights that sum to 1", found))
}

/// The entries of a line without its comment; quotation marks protect semicolons and `#`.
fn entries(line: &str) -> Vec<&str> {
    let (mut found, mut start, mut blank) = (Vec::new(), 0, true);
    for (at, c) in outside_quotes(line) {
        if c == '#' && blank {
            found.push(&line[start..at]);
            return found;
        }
        if c == ';' {
            found.push(&line[start..at]);
            start = at + 1;
        }
        blank = c.is_whitespace() || c == ';';
    }
    found.push(&line[start..]);
    found
}

/// What was found in place of a weight.
fn fault(weight: &str, error: &Error) -> String {
    match error {
        Error::Malformed { expected, found, .. } => {
            format!("`{weight}` (expected {expected}, found {found})")
        }
        _ => format!("`{weight}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use littlestone_class::families;
    use littlestone_exact::Rational;

    fn parse(text: &str) -> std::result::Result<Vec<(Vec<usize>, String)>, String> {
        let class = families::generate("point", "3").unwrap();
        let law = parse_weighted(&class, text, "s").map_err(|error| error.to_string())?;
        Ok(law.into_iter().map(|(stream, weight)| (stream, weight.to_string())).collect())
    }

    #[test]
    fn entries_are_lines_or_separated_by_semicolons() {
        let expected = vec![(vec![4, 1], "1/3".to_owned()), (vec![0], "2/3".to_owned())];
        assert_eq!(parse("1/3 3:0,1:1; 2/3 1:0"), Ok(expected.clone()));
        assert_eq!(parse("# law\n\n 1/3\t3:0, 1:1 # first\n2/3 1:0;\n"), Ok(expected));
        let one = Number::from(Rational::new(1.into(), 1.into())).to_string();
        assert_eq!(parse("1 2:1"), Ok(vec![(vec![3], one)]));
        assert_eq!(
            parse("exp(-1/2) 1:1; 1-exp(-1/2) 1:0").map(|law| law[0].1.clone()),
            Ok("exp(-1/2)".to_owned())
        );
    }

    #[test]
    fn faults_have_a_place() {
        let check = |text, expected: &str| assert_eq!(parse(text), Err(expected.to_owned()));
        check("", "s: expected weights that sum to 1, found the sum 0");
        check("1/2 1:0; 1/3 1:1", "s: expected weights that sum to 1, found the sum 5/6");
        check("3/2 1:0\n-1/2 1:1", "s:2:1: expected a weight of at least 0, found the weight -1/2");
        check(
            "1/2 1:0; 1/2 4:1",
            "s:1:14: expected a point of the class (`1`, `2`, `3`), found `4`",
        );
        check("1/2 1:0\n 1/2 1:0,1:2", "s:2:12: expected the label 0 or 1, found `2`");
        check(
            "1/2",
            "s:1:1: expected a weight, a space and a stream, such as `1/2 x:0,y:1`, found `1/2`",
        );
        check("1/2 # none", "s:1:5: expected at least one labelled example, found none");
        check(
            "1/0 1:0",
            "s:1:1: expected a weight, found `1/0` (expected an operation that has a value, \
             found a division by zero)",
        );
    }
}
