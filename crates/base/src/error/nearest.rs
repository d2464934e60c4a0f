//! Suggestions for names that were mistyped.

/// ` (the nearest is …)` when a known name is close to `name`, else nothing.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let limit = 1 + name.chars().count() / 3;
    known
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(name, candidate), candidate))
        .filter(|&(distance, _)| distance <= limit)
        .min()
        .map_or_else(String::new, |(_, candidate)| format!(" (the nearest is `{candidate}`)"))
}
