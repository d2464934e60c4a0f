//! Names and messages made safe to show: they come from files and may hold anything.

use std::borrow::Cow;
use std::fmt::Write as _;

/// `text` with every character escaped that would break a line, move the cursor, reorder its
/// neighbours or be refused by XML 1.0: a line feed becomes `\n`, an override of the text direction
/// `\u{202e}`. Text without such characters is left as it is.
pub fn visible(text: &str) -> Cow<'_, str> {
    escaped(text, |shown, c| match c {
        '\n' => shown.push_str("\\n"),
        '\r' => shown.push_str("\\r"),
        '\t' => shown.push_str("\\t"),
        c => write!(shown, "\\u{{{:x}}}", u32::from(c)).expect("writing to a string"),
    })
}

/// JSON with the same characters escaped as JSON does. Those that the encoder leaves as they are can
/// only stand inside strings; line feeds are kept, which stand between values alone.
pub fn in_json(json: &str) -> Cow<'_, str> {
    escaped(json, |shown, c| match c {
        '\n' => shown.push('\n'),
        c => write!(shown, "\\u{:04x}", u32::from(c)).expect("writing to a string"),
    })
}

fn escaped(text: &str, escape: impl Fn(&mut String, char)) -> Cow<'_, str> {
    if !text.chars().any(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_unsafe(c) { escape(&mut shown, c) } else { shown.push(c) }
    }
    Cow::Owned(shown)
}

/// Control characters, separators of lines and paragraphs, and what changes the direction of text or
/// cannot be seen. All are in the basic plane.
fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61c}'
                | '\u{200b}'
                | '\u{200e}'
                | '\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{2069}'
                | '\u{feff}'
                | '\u{fffe}'
                | '\u{ffff}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_does_harm_is_escaped() {
        assert_eq!(visible("x₀ = π & שלום 😀\\"), "x₀ = π & שלום 😀\\");
        assert_eq!(visible("a\nb\r\tc\u{0}\u{202e}\u{85}"), "a\\nb\\r\\tc\\u{0}\\u{202e}\\u{85}");
        assert_eq!(visible("\u{1b}[31m\u{2028}"), "\\u{1b}[31m\\u{2028}");
    }

    #[test]
    fn escaped_json_says_the_same() {
        let name = "a\n\r\u{7f}\u{85}\u{2028}\u{202e}\u{1b}é";
        let json = serde_json::to_string_pretty(&[name]).unwrap();
        let shown = in_json(&json);
        assert!(shown.chars().all(|c| c == '\n' || !is_unsafe(c)), "{shown}");
        assert_eq!(serde_json::from_str::<Vec<String>>(&shown).unwrap(), [name]);
    }
}
