//! What the user may have meant: the known word nearest to an unknown one.

/// Longest word, in characters, for which a neighbour is sought.
const LONGEST: usize = 48;

/// The candidate nearest to `word` (the first of several), if one is near enough to be meant:
/// at most one edit for every three characters, and never as many edits as characters.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().take(LONGEST + 1).count();
    if length > LONGEST {
        return None;
    }
    let allowed = length.div_ceil(3).min(length.saturating_sub(1));
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let other = candidate.chars().take(LONGEST + allowed + 1).count();
        if other.abs_diff(length) > allowed {
            continue;
        }
        let distance = strsim::osa_distance(word, candidate);
        if distance <= allowed && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// ` (the nearest is …)` when a known name is close to `name`, else nothing.
pub fn the_nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(name, known).map_or_else(String::new, |known| format!(" (the nearest is `{known}`)"))
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_slip_is_recognised_and_another_word_is_not() {
        let known = ["point", "parity", "threshold"];
        assert_eq!(nearest("treshold", known), Some("threshold"));
        assert_eq!(nearest("pionts", known), Some("point"));
        assert_eq!(nearest("cube", known), None);
        assert_eq!(nearest("", known), None);
        assert_eq!(nearest("9", ["1", "2"]), None);
        assert_eq!(nearest(&"p".repeat(1 << 20), known), None);
    }
}
