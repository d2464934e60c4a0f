//! Lists in a claim are grids: one check for each combination.

use toml::de::DeValue;

use crate::error::Error;

use super::fields::Entry;
use super::source::Source;

/// The most checks that one claim may stand for.
const LIMIT: usize = 100_000;

/// One combination of a claim's grid.
#[derive(Debug)]
pub(super) struct Combination<'a> {
    /// The keys, each with one value.
    pub(super) entries: Vec<Entry<'a>>,
    /// The keys that vary, with their values here, in written order.
    pub(super) case: Vec<(String, String)>,
}

/// All combinations of the lists among `entries` of the claim or case at `at`; the list written last varies fastest. The keys
/// in `fixed` come from a case: they are part of the label though they do not vary.
pub(super) fn expand<'a>(
    source: &Source<'_>,
    at: usize,
    entries: &[Entry<'a>],
    fixed: &[&str],
    may_vary: impl Fn(&str) -> bool,
) -> Result<Vec<Combination<'a>>, Error> {
    let mut combinations = vec![Combination { entries: Vec::new(), case: Vec::new() }];
    for &entry in entries {
        let name = entry.name();
        let list = match entry.value.get_ref() {
            DeValue::Array(list) if may_vary(name) => Some(list),
            _ => None,
        };
        let values: Vec<Entry<'a>> = match list {
            Some(list) => list.iter().map(|value| Entry { value, ..entry }).collect(),
            None => vec![entry],
        };
        if values.is_empty() {
            return Err(Error::malformed(
                source.position(entry.value.span().start),
                format!("at least one value in the list at `{name}`"),
                "an empty list, which checks nothing",
            ));
        }
        if combinations.len().saturating_mul(values.len()) > LIMIT {
            return Err(Error::TooLarge {
                what: format!("{}: the grid of this claim", source.position(at)),
                size: format!("at least {}×{} checks", combinations.len(), values.len()),
                limit: format!("{LIMIT} checks"),
            });
        }
        let shown = list.is_some() || fixed.contains(&name);
        combinations = combinations
            .into_iter()
            .flat_map(|combination| {
                values
                    .iter()
                    .map(move |&value| {
                        let mut entries = combination.entries.clone();
                        entries.push(value);
                        let mut case = combination.case.clone();
                        if shown {
                            case.push((value.name().to_owned(), show(value.value.get_ref())));
                        }
                        Combination { entries, case }
                    })
                    .collect::<Vec<_>>()
            })
            .collect();
    }
    Ok(combinations)
}

fn show(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => text.to_string(),
        DeValue::Integer(number) => number.to_string(),
        DeValue::Float(number) => number.to_string(),
        DeValue::Boolean(value) => value.to_string(),
        DeValue::Datetime(date) => date.to_string(),
        DeValue::Array(list) => {
            let items: Vec<String> = list.iter().map(|item| show(item.get_ref())).collect();
            format!("[{}]", items.join(", "))
        }
        DeValue::Table(table) => {
            let mut items: Vec<_> = table.iter().collect();
            items.sort_by_key(|(key, _)| key.span().start);
            let items: Vec<String> = items
                .into_iter()
                .map(|(key, item)| format!("{} = {}", key.get_ref(), show(item.get_ref())))
                .collect();
            format!("{{{}}}", items.join(", "))
        }
    }
}
