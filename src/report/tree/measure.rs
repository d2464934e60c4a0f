//! How wide a text will be, as far as that can be known without its font.

/// The text that fits a width, and whether something was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::report) struct Fitted {
    pub(in crate::report) text: String,
    /// In pixels.
    pub(in crate::report) width: i64,
    pub(in crate::report) shortened: bool,
}

/// The width of `text` in pixels at the given font size, rounded up. The widths are those of Times
/// with some room, because the fonts that may stand in for it are wider.
pub(in crate::report) fn width(text: &str, size: i64) -> i64 {
    pixels(text.chars().map(advance).sum(), size)
}

fn pixels(advance: i64, size: i64) -> i64 {
    // 23/20 is the room.
    (advance * size * 23).div_euclid(20 * 1000) + 1
}

/// Cuts `text` to `limit` pixels by an ellipsis in its middle: names that belong together often
/// differ at their ends.
pub(in crate::report) fn fit(text: &str, size: i64, limit: i64) -> Fitted {
    let full = width(text, size);
    if full <= limit {
        return Fitted { text: text.to_owned(), width: full, shortened: false };
    }
    let chars: Vec<char> = text.chars().collect();
    let (mut front, mut back) = (0, chars.len());
    let mut used = advance('…');
    loop {
        let from_front = front <= chars.len() - back;
        let next = if from_front { chars[front] } else { chars[back - 1] };
        if pixels(used + advance(next), size) > limit {
            break;
        }
        used += advance(next);
        if from_front {
            front += 1;
        } else {
            back -= 1;
        }
    }
    // A cluster such as a letter and its accent, or two joined emoji, is shown whole or not at all.
    while 0 < front && front < chars.len() && joins(chars[front - 1], chars[front]) {
        front -= 1;
    }
    while back < chars.len() && joins(chars[back - 1], chars[back]) {
        back += 1;
    }
    let text: String = chars[..front].iter().chain(&['…']).chain(&chars[back..]).collect();
    Fitted { width: width(&text, size), text, shortened: true }
}

/// Sets `text` in one line if it fits `limit` pixels, else in two if there is a place to break it;
/// a line that is still too long is cut.
pub(super) fn wrap(text: &str, size: i64, limit: i64) -> Vec<Fitted> {
    let whole = fit(text, size, limit);
    if !whole.shortened {
        return vec![whole];
    }
    let broken = text
        .char_indices()
        .filter(|&(_, c)| matches!(c, ' ' | '-' | '_' | ',' | ';' | ':' | '/'))
        .map(|(at, c)| text.split_at(at + c.len_utf8()))
        .map(|(first, second)| (first.trim_end(), second.trim_start()))
        .filter(|(first, second)| !first.is_empty() && !second.is_empty())
        .min_by_key(|(first, second)| width(first, size).max(width(second, size)));
    match broken {
        None => vec![whole],
        Some((first, second)) => vec![fit(first, size, limit), fit(second, size, limit)],
    }
}

fn joins(left: char, right: char) -> bool {
    left == '\u{200d}' || is_mark(right)
}

fn is_mark(c: char) -> bool {
    matches!(
        c,
        '\u{300}'..='\u{36f}'
            | '\u{591}'..='\u{5bd}'
            | '\u{64b}'..='\u{65f}'
            | '\u{200d}'
            | '\u{20d0}'..='\u{20f0}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{1f3fb}'..='\u{1f3ff}'
    )
}

/// Advance widths of Times Roman in thousandths of the font size (its published metrics); wide
/// guesses for everything outside ASCII.
fn advance(c: char) -> i64 {
    match c {
        c if is_mark(c) => 0,
        '|' | '\'' => 200,
        ' ' | ',' | '.' => 250,
        '/' | '\\' | ':' | ';' | 'i' | 'j' | 'l' | 't' => 278,
        '!' | '(' | ')' | '-' | '[' | ']' | '`' | 'f' | 'r' | 'I' => 333,
        's' | 'J' => 389,
        '"' => 408,
        '?' | 'a' | 'c' | 'e' | 'z' => 444,
        '^' | '{' | '}' => 480,
        'F' | 'P' | 'S' | '+' | '<' | '=' | '>' | '~' => 564,
        'E' | 'L' | 'T' | 'Z' => 611,
        'B' | 'C' | 'R' => 667,
        'A' | 'D' | 'G' | 'H' | 'K' | 'N' | 'O' | 'Q' | 'U' | 'V' | 'X' | 'Y' | 'w' => 722,
        'm' | '&' => 778,
        '%' => 833,
        'M' => 889,
        'W' | '@' => 944,
        c if c.is_ascii() => 500,
        '…' => 1000,
        '\u{80}'..='\u{10ff}' => 620,
        '\u{2000}'..='\u{2bff}' => 700,
        _ => 1050,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_in_its_middle_and_fits() {
        let name = "threshold-at-seventeen";
        let fitted = fit(name, 15, 80);
        assert!(fitted.shortened && fitted.width <= 80);
        let (front, back) = fitted.text.split_once('…').expect("an ellipsis");
        assert!(!front.is_empty() && name.starts_with(front) && name.ends_with(back));
        assert_eq!(fit(name, 15, 1000).text, name);
    }

    #[test]
    fn a_long_text_is_set_in_two_lines_where_it_can_be_broken() {
        let lines = |text| wrap(text, 15, 110).into_iter().map(|l| l.text).collect::<Vec<_>>();
        assert_eq!(lines("short name"), ["short name"]);
        assert_eq!(lines("point number 3 of the domain"), ["point number 3", "of the domain"]);
        assert_eq!(lines("all-ones-on-the-diagonal"), ["all-ones-on-", "the-diagonal"]);
        assert_eq!(lines("no").len(), 1);
        assert_eq!(wrap(&"0".repeat(40), 15, 110).len(), 1);
    }

    #[test]
    fn clusters_are_not_torn() {
        let family = "👩\u{200d}👩\u{200d}👧";
        for limit in 10..120 {
            let fitted = fit(&family.repeat(3), 15, limit);
            let rest = fitted.text.replace(family, "");
            assert!(rest == "…" || rest.is_empty(), "{limit}: {rest:?}");
            let accents = fit(&"e\u{301}".repeat(30), 15, limit);
            assert_eq!(accents.text.replace("e\u{301}", ""), "…");
        }
    }
}
