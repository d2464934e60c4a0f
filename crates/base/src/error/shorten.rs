//! Text of the user in messages: as much of it as helps to find the place.

/// The greatest number of characters of one piece of text in a message.
const LONGEST: usize = 80;

/// A message in which no quoted piece and no word is longer than 80 characters; what is cut off
/// ends with `…`. Quoted pieces stand between two `` ` ``, `"` or `'`. Paths, which the reader may
/// want to open, are never cut.
pub fn shorten(message: &str) -> String {
    let text: Vec<char> = message.chars().collect();
    let mut short = String::with_capacity(message.len());
    let mut at = 0;
    while let Some(&c) = text.get(at) {
        if let Some(end) = closing(&text, at) {
            short.push(c);
            push(&mut short, &text[at + 1..end]);
            short.push(c);
            at = end + 1;
        } else if c.is_whitespace() {
            short.push(c);
            at += 1;
        } else {
            let mut end = at + 1;
            while text.get(end).is_some_and(|c| !c.is_whitespace()) && closing(&text, end).is_none()
            {
                end += 1;
            }
            let word = &text[at..end];
            if is_path(word) {
                short.extend(word);
            } else {
                push(&mut short, word);
            }
            at = end;
        }
    }
    short
}

/// The place of the quotation mark that belongs to the one at `start`, if there is one there.
fn closing(text: &[char], start: usize) -> Option<usize> {
    let quote = text[start];
    let before = start.checked_sub(1).map(|before| text[before]);
    // An apostrophe, as in S', opens nothing. Colours end with an m.
    let opens = before.is_none_or(|c| !c.is_alphanumeric() && c != quote) || coloured(text, start);
    if !matches!(quote, '`' | '"' | '\'') || !opens {
        return None;
    }
    let ends = |&end: &usize| {
        text[end] == quote && text.get(end + 1).is_none_or(|c| !c.is_alphanumeric() && *c != quote)
    };
    (start + 1..text.len()).find(ends)
}

/// Whether a sequence that sets a colour ends right before the place.
fn coloured(text: &[char], at: usize) -> bool {
    let from = at.saturating_sub(8);
    text[from..at].last() == Some(&'m') && text[from..at].contains(&'\u{1b}')
}

fn is_path(word: &[char]) -> bool {
    word.iter().any(|c| matches!(c, '/' | '\\')) && word.iter().any(|c| c.is_alphabetic())
}

fn push(short: &mut String, piece: &[char]) {
    if piece.len() <= LONGEST {
        short.extend(piece);
        return;
    }
    let (kept, cut) = piece.split_at(LONGEST - 1);
    short.extend(kept);
    short.push('…');
    // A colour that is set before the cut ends after it.
    let mut rest = cut;
    while let Some(start) = rest.iter().position(|c| *c == '\u{1b}') {
        let length = rest[start..].iter().position(|c| *c == 'm').map_or(1, |end| end + 1);
        short.extend(&rest[start..start + length]);
        rest = &rest[start + length..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_messages_stay_as_they_are() {
        for message in [
            "expected one of `a`, `b` (did you mean `c`?), found \"x\"",
            "P[A(S') ∈ E] and S' and 'x y'",
            "an unpaired ` and \" and '",
            "``, found ``",
            "",
        ] {
            assert_eq!(shorten(message), message);
        }
    }

    #[test]
    fn long_pieces_are_cut_to_80_characters() {
        let long = "x".repeat(500);
        let cut = format!("{}…", "x".repeat(79));
        assert_eq!(cut.chars().count(), 80);
        for quote in ["`", "\"", "'", ""] {
            let message = |piece: &str| format!("found {quote}{piece}{quote}, here");
            // A comma is part of a word.
            let expected =
                if quote.is_empty() { format!("found {cut} here") } else { message(&cut) };
            assert_eq!(shorten(&message(&long)), expected);
        }
        let words = "a b\n".repeat(100);
        assert_eq!(shorten(&format!("`{words}`")).chars().count(), 82);
        let exactly = "é".repeat(80);
        assert_eq!(shorten(&format!("found `{exactly}`")), format!("found `{exactly}`"));
        let number = "9".repeat(300);
        assert_eq!(shorten(&number).chars().count(), 80);
        let twice = shorten(&format!("`{long}`"));
        assert_eq!(shorten(&twice), twice);
    }

    #[test]
    fn paths_and_colours_stay_whole() {
        let path = format!("/{}/a.toml:3:5:", "folder/".repeat(30));
        assert_eq!(shorten(&path), path);
        let red = format!("\u{1b}[33m'{}'\u{1b}[0m end", "y".repeat(200));
        assert_eq!(shorten(&red), format!("\u{1b}[33m'{}…'\u{1b}[0m end", "y".repeat(79)));
        let inner = format!("'\u{1b}[33m{}\u{1b}[0m' end", "y".repeat(200));
        let kept = "y".repeat(79 - "\u{1b}[33m".len());
        assert_eq!(shorten(&inner), format!("'\u{1b}[33m{kept}…\u{1b}[0m' end"));
    }
}
