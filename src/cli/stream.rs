//! Streams of labelled examples as typed: `x:y,x:y,…`, or a file of such lines.

use std::path::Path;

use crate::class::Class;
use crate::error::{Error, Position, Result};

/// A stream, and where each example stands.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Stream {
    pub(super) examples: Vec<(usize, bool)>,
    pub(super) positions: Vec<Position>,
}

/// Reads the stream given by `text`: the file of that name if there is one, else the examples
/// themselves.
pub(super) fn read(text: &str, class: &Class) -> Result<Stream> {
    let path = Path::new(text);
    let stream = if path.exists() || !text.contains(':') {
        let bytes = std::fs::read(path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => Error::argument_with_help(
                format!("{text}: no such file"),
                "a stream is a file or examples such as 3:0,1:1",
            ),
            _ => Error::file(path, &error),
        })?;
        let content = String::from_utf8(bytes)
            .map_err(|_| Error::malformed(Position::whole(text), "UTF-8 text", "other bytes"))?;
        parse(&content, text, class)?
    } else {
        parse(text, "--stream", class)?
    };
    if stream.examples.is_empty() {
        let found = "an empty stream";
        return Err(Error::malformed(Position::whole(text), "a labelled example", found));
    }
    Ok(stream)
}

fn parse(text: &str, source: &str, class: &Class) -> Result<Stream> {
    let mut stream = Stream { examples: Vec::new(), positions: Vec::new() };
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.trim_start().starts_with('#') {
            continue;
        }
        let mut column = 1;
        for item in line.split(',') {
            let indent = item.chars().take_while(|c| c.is_whitespace()).count();
            let position = Position::at(source, index + 1, column + indent);
            stream.examples.push(example(item.trim(), &position, class)?);
            stream.positions.push(position);
            column += item.chars().count() + 1;
        }
    }
    Ok(stream)
}

fn example(item: &str, position: &Position, class: &Class) -> Result<(usize, bool)> {
    let malformed =
        |expected: &str, found: String| Err(Error::malformed(position.clone(), expected, found));
    // The label is what follows the last colon: names of points may contain colons.
    let Some((name, label)) = item.rsplit_once(':') else {
        return malformed("an example such as 1:0", quoted(item));
    };
    let label = match label.trim() {
        "0" => false,
        "1" => true,
        other => return malformed("the label 0 or 1 after `:`", quoted(other)),
    };
    let name = name.trim();
    match class.point_index(name) {
        Some(x) => Ok((x, label)),
        None => malformed(&format!("the name of a point ({})", some_points(class)), quoted(name)),
    }
}

fn quoted(text: &str) -> String {
    if text.is_empty() { "nothing".to_owned() } else { format!("{text:?}") }
}

/// The first few names of points, for a message.
fn some_points(class: &Class) -> String {
    const SHOWN: usize = 6;
    let names = class.point_names();
    let mut text = names.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN {
        text.push_str(", …");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class::ClassBuilder;

    fn class() -> Class {
        let mut builder = ClassBuilder::new(vec!["1".into(), "b:c".into(), "é".into()]);
        builder.push(None, [true, false, true]);
        builder.build()
    }

    #[test]
    fn examples_may_be_typed_on_several_lines_with_comments() {
        let stream = parse("# a comment\n1:0, b:c:1\n\né:1\n", "s.txt", &class()).expect("valid");
        assert_eq!(stream.examples, [(0, false), (1, true), (2, true)]);
        assert_eq!(stream.positions[1], Position::at("s.txt", 2, 6));
    }

    #[test]
    fn faults_are_named_with_their_place() {
        let fault = |text: &str| parse(text, "s", &class()).expect_err("malformed").to_string();
        assert_eq!(fault("1:0,\né:2"), "s:1:5: expected an example such as 1:0, found nothing");
        assert_eq!(fault("é:1,é:2"), "s:1:5: expected the label 0 or 1 after `:`, found \"2\"");
        assert_eq!(
            fault("1:0\n zz:1"),
            "s:2:2: expected the name of a point (1, b:c, é), found \"zz\""
        );
    }

    #[test]
    fn an_empty_stream_is_refused() {
        let file = tempfile::NamedTempFile::new().expect("temporary file");
        let name = file.path().to_str().expect("UTF-8 path");
        let error = read(name, &class()).expect_err("empty");
        assert!(error.to_string().contains("expected a labelled example"), "{error}");
    }
}
