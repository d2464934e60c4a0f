//! Names made safe to show: they come from files and may hold anything.

use std::borrow::Cow;

use crate::text::visible;

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
        assert_eq!(xml("<&\"'>"), "&lt;&amp;&quot;&apos;&gt;");
        assert_eq!(dot("a\"b\\N&lt;\n"), "a\\\"b\\\\N&amp;lt;\\\\n");
        assert_eq!(isolated("שלום"), "\u{2068}שלום\u{2069}");
        assert_eq!(isolated("x"), "x");
    }
}
