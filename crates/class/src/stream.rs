//! Streams of labelled examples, as typed or in a file.

use std::collections::HashMap;
use std::path::Path;

use super::Class;
use super::item::{Item, item, label, split};
use super::nearest::expected_point;
use littlestone_base::error::{Error, Result, Source, show};
use littlestone_base::file::{decode, read, read_stdin};

/// Greatest length of a stream, in bytes (16 MiB).
pub const MAX_STREAM_BYTES: u64 = 1 << 24;

/// Reads a stream of examples of `class` from `text`, which `source` names in messages. Each
/// example is the index of a point and a label.
///
/// Examples are written `x:y`, separated by commas or line ends, where `x` is the name of a point
/// and `y` is 0 or 1; a line may also be `x,y`. A name that holds a separator, such as a comma, is
/// put in quotation marks, inside which `\"`, `\\`, `\n` and `\u{…}` are escapes. Comments begin with a `#` at the beginning of a line or after white space.
/// The stream may be empty.
///
/// # Errors
/// When the text has another form or names an unknown point, with line and column.
pub fn parse_stream(class: &Class, text: &str, source: &str) -> Result<Vec<(usize, bool)>> {
    let source = Source { name: source, text };
    let points: HashMap<&str, usize> =
        class.point_names().iter().enumerate().map(|(x, name)| (name.as_str(), x)).collect();
    let find = |item: &Item<'_>| {
        points.get(&*item.name).copied().ok_or_else(|| {
            source.malformed(item.at, expected_point(class, &item.name), show(&item.name))
        })
    };
    let mut stream = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.trim_end().len();
        let comment = |at: usize| {
            let bytes = text.as_bytes();
            bytes[at] == b'#' && (at == start || bytes[at - 1].is_ascii_whitespace())
        };
        let (pieces, end) = split(text, start..end, comment);
        if !text[start..end].trim().is_empty() {
            let items: Vec<Item<'_>> = pieces
                .iter()
                .map(|piece| item(&source, piece.clone(), true))
                .collect::<Result<_>>()?;
            match &items[..] {
                [x @ Item { label: None, .. }, y @ Item { label: None, .. }] => {
                    stream.push((find(x)?, label(&source, (&*y.name, y.at))?));
                }
                items => {
                    for (x, piece) in items.iter().zip(&pieces) {
                        let Some(y) = x.label else {
                            let at = piece.start + text[piece.clone()].trim_end().len();
                            let expected = "`:` and the label 0 or 1";
                            return Err(source.malformed(at, expected, source.character(at)));
                        };
                        stream.push((find(x)?, label(&source, y)?));
                    }
                }
            }
        }
        start += line.len();
    }
    Ok(stream)
}

/// Reads a stream of examples of `class` as it is typed: the contents of the file, if there is one of
/// this name in `folder`, the standard input for `-`, and otherwise the examples themselves, which
/// `name` names in messages. See [`parse_stream`].
///
/// # Errors
/// When the file cannot be read or is longer than [`MAX_STREAM_BYTES`], or the stream is
/// malformed.
pub fn read_stream(
    class: &Class,
    arg: &str,
    folder: &Path,
    name: &str,
) -> Result<Vec<(usize, bool)>> {
    let path = folder.join(arg);
    let (source, bytes) = if arg == "-" {
        ("stdin", read_stdin(MAX_STREAM_BYTES)?)
    } else if !arg.is_empty() && path.exists() {
        (arg, read(&path, MAX_STREAM_BYTES)?)
    } else if arg.contains(':') || arg.trim().is_empty() {
        return parse_stream(class, arg, name);
    } else {
        return Err(Error::argument_with_help(
            format!("{name}: no such file: {}", show(arg)),
            "a stream is a file, or examples such as `x:0,y:1`",
        ));
    };
    parse_stream(class, decode(source, &bytes)?, source)
}

#[cfg(test)]
mod tests {
    use super::super::{ClassBuilder, families};
    use super::*;

    fn class() -> Class {
        let names = ["a", "C#", "x,y", "p:q", "red"].map(str::to_owned);
        ClassBuilder::new(names.to_vec()).build()
    }

    fn parse(text: &str) -> std::result::Result<Vec<(usize, bool)>, String> {
        parse_stream(&class(), text, "s").map_err(|error| error.to_string())
    }

    #[test]
    fn all_ways_to_write_examples() {
        let expected = vec![(0, false), (1, true), (2, true), (3, false), (4, true)];
        assert_eq!(parse("a:0,C#:1,\"x,y\":1, p:q:0 , red : 1"), Ok(expected.clone()));
        let file = "# c\r\na,0 # first\r\nC#,1\r\n\r\n\"x,y\" , 1\n\"p:q\",0\nred:1";
        assert_eq!(parse(file), Ok(expected));
        assert_eq!(parse(" \n# nothing\n"), Ok(vec![]));
        assert_eq!(parse("a:0\na:0,a:0"), Ok(vec![(0, false); 3]));
    }

    #[test]
    fn faults() {
        let check = |text, expected: &str| assert_eq!(parse(text), Err(expected.to_owned()));
        check("a:0,\n", "s:1:5: expected an example such as `x:0`, found the end of the line");
        check("a:0,", "s:1:5: expected an example such as `x:0`, found the end of the input");
        check("a:0,,a:1", "s:1:5: expected an example such as `x:0`, found `,`");
        check("\na:2", "s:2:3: expected the label 0 or 1, found `2`");
        check("a:", "s:1:3: expected the label 0 or 1, found the end of the input");
        check("a,é", "s:1:3: expected the label 0 or 1, found `é`");
        check("a", "s:1:2: expected `:` and the label 0 or 1, found the end of the input");
        check("a:0,red", "s:1:8: expected `:` and the label 0 or 1, found the end of the input");
        check("a,0,1", "s:1:2: expected `:` and the label 0 or 1, found `,`");
        check(
            "é:0",
            "s:1:1: expected a point of the class (`a`, `C#`, `x,y`, `p:q`, `red`), found `é`",
        );
        check("a:0, ref:0", "s:1:6: expected a point of the class (perhaps `red`), found `ref`");
        check("\"a:0", "s:1:1: expected a name with a closing quotation mark, found `\"a:0`");
        check("\"a\" b:0", "s:1:5: expected `:` or a comma, found `b:0`");
        check(
            ":0",
            "s:1:1: expected a point of the class (`a`, `C#`, `x,y`, `p:q`, `red`), found ``",
        );
    }

    #[test]
    fn an_argument_is_a_file_or_the_examples() {
        let class = families::generate("point", "3").unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("stream.txt");
        std::fs::write(&path, "\u{feff}3:0\n1:1\n").unwrap();
        let read = |arg: &str| {
            read_stream(&class, arg, folder.path(), "--stream").map_err(|error| error.to_string())
        };
        assert_eq!(read(path.to_str().unwrap()), Ok(vec![(2, false), (0, true)]));
        assert_eq!(read("3:0,1:1"), Ok(vec![(2, false), (0, true)]));
        assert_eq!(read("3:x").unwrap_err(), "--stream:1:3: expected the label 0 or 1, found `x`");
        assert_eq!(
            read("missing.txt").unwrap_err(),
            "--stream: no such file: `missing.txt`\n  \
             help: a stream is a file, or examples such as `x:0,y:1`"
        );
        let directory = folder.path().to_str().unwrap();
        assert_eq!(
            read(directory).unwrap_err(),
            format!("{directory}: is a directory, not a file")
        );
    }
}
