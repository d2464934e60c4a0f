//! Streams of records as text: `3:0,1:1`.

use super::Interface;
use super::names::nearest;
use crate::error::{Error, Position, Result};

/// Writes a stream so that [`parse`] reads it back: the names of the records, separated by
/// commas, where a name or point that holds a comma or a colon is in quotation marks.
pub fn write(interface: &Interface, stream: &[usize]) -> String {
    let names: Vec<String> = stream.iter().map(|&record| name(interface, record)).collect();
    names.join(",")
}

fn name(interface: &Interface, record: usize) -> String {
    match interface.example(record) {
        Some((point, label)) => {
            let point = quoted(&interface.points()[point], &[',', ':', '"', '#', ' ']);
            format!("{point}:{}", u8::from(label))
        }
        None => quoted(&interface.record_name(record), &[',', '"', '#', '|', ' ']),
    }
}

fn quoted(name: &str, special: &[char]) -> String {
    if name.contains(special) { format!("\"{name}\"") } else { name.to_owned() }
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
    for piece in pieces(text) {
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

/// Splits at the commas that are not in quotation marks.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut inside = false;
    text.split(move |c| {
        inside ^= c == '"';
        c == ',' && !inside
    })
}

fn record(interface: &Interface, written: &str, position: Position) -> Result<usize> {
    let plain = match written.strip_prefix('"').and_then(|rest| rest.split_once('"')) {
        Some((name, rest)) => format!("{name}{rest}"),
        None => written.to_owned(),
    };
    let names: Vec<String> =
        (0..interface.records()).map(|record| interface.record_name(record)).collect();
    let mut found = (0..names.len()).filter(|&record| names[record] == plain);
    match (found.next(), found.next()) {
        (Some(record), None) => Ok(record),
        (Some(_), Some(_)) => {
            let found = format!("`{written}`, the name of several");
            Err(Error::malformed(position, "the name of one record", found))
        }
        (None, _) => {
            const LISTED: usize = 8;
            let near = nearest(&plain, names.iter().map(String::as_str));
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
        all_read_back(&Interface::one_shot(names(&["u", "v,w"]), names(&["o"])).unwrap());
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
            Interface::transducer(names(&["a", "a:b"]), names(&["o"]), names(&["b:c", "c"]));
        let error = parse(&twice.unwrap(), "a:b:c", &Position::at("s", 1, 1)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "s:1:1: expected the name of one record, found `a:b:c`, the name of several"
        );
    }
}
