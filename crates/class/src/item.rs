//! Points and examples as they are typed: `x`, `"x"`, `x:0`, `"x":1`.

use std::borrow::Cow;
use std::ops::Range;

use littlestone_base::error::{Result, Source, show};
use littlestone_base::text::{outside_quotes, unquote};

/// The name of a point, perhaps with a label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Item<'a> {
    /// The name, without quotation marks.
    pub name: Cow<'a, str>,
    /// Where it begins.
    pub at: usize,
    /// What stands after the colon, and where.
    pub label: Option<(&'a str, usize)>,
}

/// Splits at the commas that are not inside a quoted name, up to the first byte at which `stop`
/// holds (given the offset of the byte). Also returns where the splitting ended.
pub(super) fn split(
    text: &str,
    range: Range<usize>,
    stop: impl Fn(usize) -> bool,
) -> (Vec<Range<usize>>, usize) {
    let mut pieces = Vec::new();
    let (mut start, mut end) = (range.start, range.end);
    for (offset, c) in outside_quotes(&text[range.clone()]) {
        let at = range.start + offset;
        if stop(at) {
            end = at;
            break;
        }
        if c == ',' {
            pieces.push(start..at);
            start = at + 1;
        }
    }
    pieces.push(start..end);
    (pieces, end)
}

/// Reads one piece as the name of a point; with `labelled`, what follows the last colon is its
/// label.
///
/// # Errors
/// When the piece is empty, a quotation mark is not closed or something follows it.
pub(super) fn item<'a>(
    source: &Source<'a>,
    piece: Range<usize>,
    labelled: bool,
) -> Result<Item<'a>> {
    let text = &source.text[piece.clone()];
    let at = piece.start + (text.len() - text.trim_start().len());
    let text = text.trim();
    if text.is_empty() {
        let expected = if labelled { "an example such as `x:0`" } else { "the name of a point" };
        return Err(source.malformed(at, expected, source.character(at)));
    }
    let label = |from: usize| {
        let rest = &text[from..];
        let skipped = rest.len() - rest.trim_start().len();
        (rest.trim_start(), at + from + skipped)
    };
    if !text.starts_with('"') {
        return Ok(match text.rfind(':').filter(|_| labelled) {
            Some(colon) => {
                let name = text[..colon].trim_end().into();
                Item { name, at, label: Some(label(colon + 1)) }
            }
            None => Item { name: text.into(), at, label: None },
        });
    }
    let Some((name, length)) = unquote(text) else {
        return Err(source.malformed(at, "a name with a closing quotation mark", show(text)));
    };
    let rest_at = text.len() - text[length..].trim_start().len();
    match text[rest_at..].strip_prefix(':') {
        _ if rest_at == text.len() => Ok(Item { name, at, label: None }),
        Some(_) if labelled => Ok(Item { name, at, label: Some(label(rest_at + 1)) }),
        _ => {
            let expected = if labelled { "`:` or a comma" } else { "a comma" };
            Err(source.malformed(at + rest_at, expected, show(&text[rest_at..])))
        }
    }
}

/// Reads a label that stands at `at`.
///
/// # Errors
/// When it is neither 0 nor 1.
pub(super) fn label(source: &Source<'_>, (text, at): (&str, usize)) -> Result<bool> {
    match text {
        "0" => Ok(false),
        "1" => Ok(true),
        "" => Err(source.malformed(at, "the label 0 or 1", source.character(at))),
        _ => Err(source.malformed(at, "the label 0 or 1", show(text))),
    }
}
