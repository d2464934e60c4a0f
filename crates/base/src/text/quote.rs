//! The one way to write a name among others, in streams, laws, files of pairs and expressions.
//!
//! A name that holds a separator, white space, a quotation mark, a backslash or what cannot be shown
//! stands in quotation marks, as does an empty one. Inside them a backslash begins an escape: `\"`,
//! `\\`, `\n`, `\r`, `\t` and `\u{202e}`; before anything else it stands for itself. What reports
//! print can therefore be typed again.

use std::borrow::Cow;

use super::visible;

/// The characters that separate names, begin comments or have to do with quoting.
const SPECIAL: [char; 7] = [',', ':', ';', '|', '#', '"', '\\'];

/// The name as it is written among others.
pub fn quote(name: &str) -> Cow<'_, str> {
    let shown = visible(name);
    let plain = !name.is_empty()
        && matches!(shown, Cow::Borrowed(_))
        && !name.contains(|c: char| SPECIAL.contains(&c) || c.is_whitespace());
    if plain {
        return shown;
    }
    let escaped = name.replace('\\', "\\\\").replace('"', "\\\"");
    Cow::Owned(format!("\"{}\"", visible(&escaped)))
}

/// Reads the name in quotation marks with which `text` begins, and says how many bytes it takes.
/// Nothing when there is none, or its end is missing.
pub fn unquote(text: &str) -> Option<(Cow<'_, str>, usize)> {
    let inner = text.strip_prefix('"')?;
    let mut name = String::new();
    let (mut start, mut at) = (0, 0);
    loop {
        let rest = &inner[at..];
        let stop = rest.find(['"', '\\'])?;
        at += stop;
        if inner[at..].starts_with('"') {
            let length = at + 2;
            return Some(if name.is_empty() {
                (Cow::Borrowed(&inner[..at]), length)
            } else {
                (Cow::Owned(name + &inner[start..at]), length)
            });
        }
        if let Some((c, length)) = escape(&inner[at + 1..]) {
            name.push_str(&inner[start..at]);
            name.push(c);
            at += 1 + length;
            start = at;
        } else {
            at += 1;
        }
    }
}

/// The character that stands after a backslash, and the length of how it is written.
fn escape(text: &str) -> Option<(char, usize)> {
    let simple = match text.chars().next()? {
        c @ ('"' | '\\') => c,
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'u' => {
            let digits = text.strip_prefix("u{")?.split_once('}')?.0;
            let c = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
            return Some((c, digits.len() + 3));
        }
        _ => return None,
    };
    Some((simple, 1))
}

/// The characters of `text` that are not part of a name in quotation marks, with their offsets. Such a
/// name begins after white space or a separator; a quotation mark that is never closed is a character
/// like others.
pub fn outside_quotes(text: &str) -> impl Iterator<Item = (usize, char)> {
    let (mut at, mut may_begin) = (0, true);
    std::iter::from_fn(move || {
        loop {
            if may_begin && let Some((_, length)) = unquote(&text[at..]) {
                at += length;
                may_begin = false;
                continue;
            }
            let c = text[at..].chars().next()?;
            may_begin = c.is_whitespace() || matches!(c, ',' | ':' | ';' | '|');
            at += c.len_utf8();
            return Some((at - c.len_utf8(), c));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let hostile = "x\nverdict: holds\r\u{202e}\u{1b}[31m\\\"";
        for name in ["a", "", " ", "x,y", "p:q", "a|b", "C#", "\"", "\\n", "é;", hostile] {
            let written = quote(name).into_owned();
            assert_eq!(visible(&written), written, "{name:?} stays on one line");
            match unquote(&written) {
                Some((read, length)) => assert_eq!((&*read, length), (name, written.len())),
                None => assert_eq!(written, name),
            }
        }
        assert_eq!(quote("x,y"), "\"x,y\"");
        assert_eq!(quote("a\n\"b"), "\"a\\n\\\"b\"");
    }

    #[test]
    fn the_end_of_a_name_is_found() {
        assert_eq!(
            unquote("\"a\\\"b\":0").map(|(name, n)| (name.into_owned(), n)),
            Some(("a\"b".into(), 6))
        );
        assert_eq!(
            unquote("\"a\\x\\u{zz}\" c").map(|(name, _)| name.into_owned()),
            Some("a\\x\\u{zz}".into())
        );
        for open in ["\"", "\"a", "\"a\\\"", "a"] {
            assert_eq!(unquote(open), None, "{open}");
        }
        let outside = |text: &str| outside_quotes(text).map(|(_, c)| c).collect::<String>();
        assert_eq!(outside("a,\"x,\\\",y\":0|\"z"), "a,:0|\"z");
        assert_eq!(outside("1/2 \"x;y\":0;b\"c;d\""), "1/2 :0;b\"c;d\"");
    }
}
