//! Streams of records as text: `3:0,1:1`.

use std::borrow::Cow;

use super::Interface;
use littlestone_base::error::the_nearest;
use littlestone_base::error::{Error, Position, Result};
use littlestone_base::text::{outside_quotes, quote, unquote};

/// Writes a stream so that [`parse`] reads it back: the records, separated by commas. The parts of a
/// record are separated by a colon; a part that holds a separator is in quotation marks.
pub fn write(interface: &Interface, stream: &[usize]) -> String {
    let names: Vec<String> = stream.iter().map(|&record| name(interface, record)).collect();
    names.join(",")
}

/// A record as it is written in a stream.
pub fn name(interface: &Interface, record: usize) -> String {
    let parts: Vec<_> = parts(interface, record).into_iter().map(quote).collect();
    parts.join(":")
}

/// The parts of the name of a record: a point and a label, or symbols before and after the output.
fn parts(interface: &Interface, record: usize) -> Vec<&str> {
    let (before, after) = interface.parts(record);
    let (before, after) = (&*interface.before()[before], &*interface.after()[after]);
    match interface.example(record) {
        Some((point, label)) => vec![&interface.points()[point], if label { "1" } else { "0" }],
        None => [before, after].into_iter().filter(|part| !part.is_empty()).collect(),
    }
}

/// The number of records of a stream that is written down, whatever they are.
pub fn length(text: &str) -> usize {
    if text.trim().is_empty() { 0 } else { pieces(text, ',').len() }
}

/// Reads a stream of records. The text may be empty, and stands at `start`.
///
/// # Errors
/// When a record is unknown, or its name is that of several records.
pub fn parse(interface: &Interface, text: &str, start: &Position) -> Result<Vec<usize>> {
    let mut stream = Vec::new();
    if text.trim().is_empty() {
        return Ok(stream);
    }
    let mut column = 0;
    for piece in pieces(text, ',') {
        let skipped = piece.chars().take_while(|c| c.is_whitespace()).count();
        let position = Position {
            column: start.column.map(|first| first + column + skipped),
            ..start.clone()
        };
        column += piece.chars().count() + 1;
        stream.push(record(interface, piece.trim(), position)?);
    }
    Ok(stream)
}

/// Splits at a separator outside quotation marks.
fn pieces(text: &str, separator: char) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for (at, _) in outside_quotes(text).filter(|&(_, c)| c == separator) {
        pieces.push(&text[start..at]);
        start = at + separator.len_utf8();
    }
    pieces.push(&text[start..]);
    pieces
}

/// A part of a record as it was typed. A colon that was not quoted may belong to a name.
struct Typed<'t> {
    name: Cow<'t, str>,
    quoted: bool,
}

fn typed(written: &str) -> Vec<Typed<'_>> {
    let part = |piece| match unquote(piece) {
        Some((name, length)) if length == piece.len() => Typed { name, quoted: true },
        _ => Typed { name: piece.into(), quoted: false },
    };
    pieces(written, ':').into_iter().map(|piece| part(piece.trim())).collect()
}

/// Whether what was typed stands for one part.
fn is_part(typed: &[Typed<'_>], part: &str) -> bool {
    match typed {
        [one] => one.name == part,
        several => {
            let names: Vec<&str> = several.iter().map(|typed| &*typed.name).collect();
            several.iter().all(|typed| !typed.quoted) && names.join(":") == part
        }
    }
}

fn is_record(typed: &[Typed<'_>], parts: &[&str]) -> bool {
    match parts {
        [] => typed.iter().all(|typed| typed.name.is_empty()),
        [part] => is_part(typed, part),
        [first, rest @ ..] => {
            (1..typed.len()).any(|k| is_part(&typed[..k], first) && is_record(&typed[k..], rest))
        }
    }
}

fn record(interface: &Interface, written: &str, position: Position) -> Result<usize> {
    let typed = typed(written);
    let mut found =
        (0..interface.records()).filter(|&record| is_record(&typed, &parts(interface, record)));
    match (found.next(), found.next()) {
        (Some(record), None) => Ok(record),
        (Some(_), Some(_)) => {
            let found = format!("`{written}`, the name of several");
            Err(Error::malformed(position, "the name of one record", found))
        }
        (None, _) => {
            const LISTED: usize = 8;
            let names: Vec<String> =
                (0..interface.records()).map(|record| name(interface, record)).collect();
            let near = the_nearest(written, names.iter().map(String::as_str));
            let more = if names.len() > LISTED { ", …" } else { "" };
            let listed = names[..names.len().min(LISTED)].join(", ");
            let found =
                if written.is_empty() { "nothing".into() } else { format!("`{written}`{near}") };
            Err(Error::malformed(position, format!("one of the records {listed}{more}"), found))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &[&str]) -> Vec<String> {
        list.iter().map(ToString::to_string).collect()
    }

    fn all_read_back(interface: &Interface) {
        let all: Vec<usize> = (0..interface.records()).collect();
        let text = write(interface, &all);
        assert_eq!(parse(interface, &text, &Position::at("s", 1, 1)).unwrap(), all, "{text}");
    }

    #[test]
    fn streams_are_read_back() {
        let predictor = Interface::predictor(names(&["1", "x,y", "p:q", "a b"])).unwrap();
        all_read_back(&predictor);
        assert_eq!(write(&predictor, &[3, 1, 4]), "\"x,y\":1,1:1,\"p:q\":0");
        all_read_back(
            &Interface::one_shot(names(&["u", "v,w", "a:b", "q\"", "n\nl"]), names(&["o"]))
                .unwrap(),
        );
        let both = Interface::transducer(names(&["0", "1"]), names(&["o"]), names(&["a", "b"]));
        all_read_back(&both.unwrap());
        let empty = parse(&predictor, " ", &Position::whole("s")).unwrap();
        assert_eq!((empty, write(&predictor, &[])), (vec![], String::new()));
    }

    #[test]
    fn faults_are_placed() {
        let interface = Interface::predictor(names(&["1", "2"])).unwrap();
        let read =
            |text: &str| parse(&interface, text, &Position::at("s", 3, 5)).unwrap_err().to_string();
        let expected = "expected one of the records 1:0, 1:1, 2:0, 2:1, found";
        assert_eq!(read("1:0, 999999:9"), format!("s:3:10: {expected} `999999:9`"));
        assert_eq!(read("1:0,,1:1"), format!("s:3:9: {expected} nothing"));
        let twice =
            || Interface::transducer(names(&["a", "a:b"]), names(&["o"]), names(&["b:c", "c"]));
        all_read_back(&twice().unwrap());
        let error = parse(&twice().unwrap(), "a:b:c", &Position::at("s", 1, 1)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "s:1:1: expected the name of one record, found `a:b:c`, the name of several"
        );
    }
}
