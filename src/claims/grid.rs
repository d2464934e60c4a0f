//! Lists in a claim are grids: one check for each combination.

use std::collections::BTreeMap;

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use crate::error::Error;

use super::fields::Entry;
use super::source::Source;

/// The most checks that one claim may stand for.
const LIMIT: usize = 100_000;

/// The choices of one combination within tables: for each list, known by where it begins in the
/// file, which of its values is taken.
pub(super) type Picks = BTreeMap<usize, usize>;

/// One combination of a claim's grid.
#[derive(Debug, Clone)]
pub(super) struct Combination<'a> {
    /// The keys, each with one value.
    pub(super) entries: Vec<Entry<'a>>,
    /// Which values of the lists within tables are taken.
    pub(super) picks: Picks,
    /// The keys that vary, with their values here, in written order.
    pub(super) case: Vec<(String, String)>,
}

/// All combinations of the lists among `entries` of the claim or case at `at`, and of the lists in
/// tables at keys that may vary; the list written last varies fastest. The keys in `fixed` come
/// from a case: they are part of the label though they do not vary.
pub(super) fn expand<'a>(
    source: &Source<'_>,
    at: usize,
    entries: &[Entry<'a>],
    fixed: &[&str],
    may_vary: impl Fn(&str) -> bool,
) -> Result<Vec<Combination<'a>>, Error> {
    let one = Combination { entries: Vec::new(), picks: Picks::new(), case: Vec::new() };
    let mut grid = Grid { source, at, combinations: vec![one] };
    for &entry in entries {
        let name = entry.name();
        let vary = may_vary(name);
        match entry.value.get_ref() {
            DeValue::Array(list) if vary => grid.keys(entry, list)?,
            value => {
                let only_lists = matches!(value, DeValue::Table(table)
                    if table.iter().all(|(_, v)| matches!(v.get_ref(), DeValue::Array(_))));
                let shown = fixed.contains(&name) && !(vary && only_lists);
                let shown = shown.then(|| (name.to_owned(), show(value)));
                for combination in &mut grid.combinations {
                    combination.entries.push(entry);
                    combination.case.extend(shown.clone());
                }
            }
        }
        if vary {
            grid.tables(entry)?;
        }
    }
    Ok(grid.combinations)
}

struct Grid<'s, 't, 'a> {
    source: &'s Source<'t>,
    at: usize,
    combinations: Vec<Combination<'a>>,
}

impl<'a> Grid<'_, '_, 'a> {
    /// One check for each value of a list.
    fn keys(&mut self, entry: Entry<'a>, list: &'a [Spanned<DeValue<'a>>]) -> Result<(), Error> {
        self.multiply(entry.name(), entry.value.span().start, list.len(), |combination, place| {
            let entry = Entry { value: &list[place], ..entry };
            combination.entries.push(entry);
            combination.case.push((entry.name().to_owned(), show(entry.value.get_ref())));
        })
    }

    /// The same for the lists within the table at `entry`, where it is one.
    fn tables(&mut self, entry: Entry<'a>) -> Result<(), Error> {
        // A list of tables: each combination varies over the lists of its own table.
        let all = std::mem::take(&mut self.combinations);
        for combination in all {
            let own = combination.entries.iter().find(|own| own.name() == entry.name());
            let value = own.map(|own| own.value.get_ref());
            let mut grid =
                Grid { source: self.source, at: self.at, combinations: vec![combination] };
            if let Some(DeValue::Table(table)) = value {
                grid.table("", table)?;
            }
            self.combinations.append(&mut grid.combinations);
            self.within_limit(self.combinations.len(), 1)?;
        }
        Ok(())
    }

    fn table(&mut self, prefix: &str, table: &'a DeTable<'a>) -> Result<(), Error> {
        for (key, value) in in_written_order(table) {
            let name = format!("{prefix}{}", key.get_ref());
            match value.get_ref() {
                DeValue::Array(list) => {
                    let at = value.span().start;
                    self.multiply(&name, at, list.len(), |combination, place| {
                        combination.picks.insert(at, place);
                        combination.case.push((name.clone(), show(list[place].get_ref())));
                    })?;
                }
                DeValue::Table(table) => self.table(&format!("{name}."), table)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn multiply(
        &mut self,
        name: &str,
        at: usize,
        values: usize,
        take: impl Fn(&mut Combination<'a>, usize),
    ) -> Result<(), Error> {
        if values == 0 {
            return Err(Error::malformed(
                self.source.position(at),
                format!("at least one value in the list at `{name}`"),
                "an empty list, which checks nothing",
            ));
        }
        self.within_limit(self.combinations.len(), values)?;
        let all = std::mem::take(&mut self.combinations);
        for combination in all {
            for place in 0..values {
                let mut combination = combination.clone();
                take(&mut combination, place);
                self.combinations.push(combination);
            }
        }
        Ok(())
    }

    fn within_limit(&self, combinations: usize, values: usize) -> Result<(), Error> {
        if combinations.saturating_mul(values) <= LIMIT {
            return Ok(());
        }
        Err(Error::TooLarge {
            what: format!("{}: the grid of this claim", self.source.position(self.at)),
            size: format!("at least {combinations}×{values} checks"),
            limit: format!("{LIMIT} checks"),
        })
    }
}

/// The keys of a table with their values, in written order.
pub(super) fn in_written_order<'a>(
    table: &'a DeTable<'a>,
) -> Vec<(&'a Spanned<DeString<'a>>, &'a Spanned<DeValue<'a>>)> {
    let mut items: Vec<_> = table.iter().collect();
    items.sort_by_key(|(key, _)| key.span().start);
    items
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
            // Lists within the table are shown on their own.
            let items: Vec<String> = in_written_order(table)
                .into_iter()
                .filter(|(_, item)| !matches!(item.get_ref(), DeValue::Array(_)))
                .map(|(key, item)| format!("{} = {}", key.get_ref(), show(item.get_ref())))
                .collect();
            format!("{{{}}}", items.join(", "))
        }
    }
}
