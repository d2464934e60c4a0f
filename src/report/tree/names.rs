//! Names made safe to show: they come from files and may hold anything.

use std::borrow::Cow;
use std::fmt::Write as _;

/// `name` with every character escaped that would break a line, reorder its neighbours or be
/// refused by XML 1.0: a line feed becomes `\n`, an override of the text direction `\u{202e}`.
pub(super) fn visible(name: &str) -> Cow<'_, str> {
    if !name.chars().any(is_unsafe) {
        return Cow::Borrowed(name);
    }
    let mut shown = String::with_capacity(name.len() + 8);
    for c in name.chars() {
        match c {
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            c if is_unsafe(c) => {
                write!(shown, "\\u{{{:x}}}", u32::from(c)).expect("writing to a string");
            }
            c => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61c}'
                | '\u{200e}'
                | '\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2066}'..='\u{2069}'
                | '\u{feff}'
                | '\u{fffe}'
                | '\u{ffff}'
        )
}

/// [`visible`], and kept from reordering the digits and lines around it when it is written from
/// right to left.
pub(super) fn isolated(name: &str) -> Cow<'_, str> {
    let shown = visible(name);
    if shown.chars().any(is_right_to_left) {
        Cow::Owned(format!("\u{2068}{shown}\u{2069}"))
    } else {
        shown
    }
}

fn is_right_to_left(c: char) -> bool {
    matches!(
        c,
        '\u{590}'..='\u{8ff}'
            | '\u{fb1d}'..='\u{fdff}'
            | '\u{fe70}'..='\u{fefc}'
            | '\u{10800}'..='\u{10fff}'
            | '\u{1e800}'..='\u{1efff}'
    )
}

/// [`visible`], as character data or an attribute value of XML.
pub(in crate::report) fn xml(name: &str) -> String {
    let mut escaped = String::with_capacity(name.len());
    for c in visible(name).chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&apos;"),
            c => escaped.push(c),
        }
    }
    escaped
}

/// [`visible`], inside the double quotes of a DOT label. Graphviz reads backslash escapes there,
/// and character references such as `&lt;` as well.
pub(super) fn dot(name: &str) -> String {
    let mut escaped = String::with_capacity(name.len());
    for c in visible(name).chars() {
        match c {
            '"' | '\\' => escaped.extend(['\\', c]),
            '&' => escaped.push_str("&amp;"),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_does_harm_is_escaped() {
        assert_eq!(visible("x₀ = π & שלום 😀\\"), "x₀ = π & שלום 😀\\");
        assert_eq!(visible("a\nb\r\tc\u{0}\u{202e}\u{85}"), "a\\nb\\r\\tc\\u{0}\\u{202e}\\u{85}");
        assert_eq!(xml("<&\"'>"), "&lt;&amp;&quot;&apos;&gt;");
        assert_eq!(dot("a\"b\\N&lt;\n"), "a\\\"b\\\\N&amp;lt;\\\\n");
        assert_eq!(isolated("שלום"), "\u{2068}שלום\u{2069}");
        assert_eq!(isolated("x"), "x");
    }
}
