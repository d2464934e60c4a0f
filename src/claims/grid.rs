//! Lists in a claim are grids: one check for each combination.

use std::collections::BTreeMap;

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use crate::error::Error;

use super::fields::Entry;
use super::source::Source;

/// The most checks that one claim may stand for.
const LIMIT: usize = 100_000;

/// The most text that the names of the checks of one claim may come to, in bytes.
const TEXT: usize = 1 << 26;

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
/// from a case: they are part of the label though they do not vary. The name of each check has
/// `named` bytes beside its label.
///
/// # Errors
/// When a list is empty, or there are too many combinations.
pub(super) fn expand<'a>(
    source: &Source<'_>,
    at: usize,
    named: usize,
    entries: &[Entry<'a>],
    fixed: &[&str],
    may_vary: &dyn Fn(&str) -> bool,
) -> Result<Vec<Combination<'a>>, Error> {
    let one = Combination { entries: Vec::new(), picks: Picks::new(), case: Vec::new() };
    let mut grid = Grid { source, at, may_vary, combinations: vec![one], text: named };
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
                let text = shown.as_ref().map_or(0, |(name, value)| name.len() + value.len());
                grid.admit(grid.combinations.len(), grid.combinations.len() * text)?;
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
    /// Whether a list at a key, or at keys within tables with dots between, stands for its values.
    may_vary: &'s dyn Fn(&str) -> bool,
    combinations: Vec<Combination<'a>>,
    /// The bytes of all labels.
    text: usize,
}

impl<'a> Grid<'_, '_, 'a> {
    /// One check for each value of a list.
    fn keys(&mut self, entry: Entry<'a>, list: &'a [Spanned<DeValue<'a>>]) -> Result<(), Error> {
        let at = entry.value.span().start;
        self.multiply(entry.name(), at, list, |combination, place| {
            combination.entries.push(Entry { value: &list[place], ..entry });
        })
    }

    /// The same for the lists within the table at `entry`, where it is one.
    fn tables(&mut self, entry: Entry<'a>) -> Result<(), Error> {
        // A list of tables: each combination varies over the lists of its own table.
        let all = std::mem::take(&mut self.combinations);
        for combination in all {
            let own = combination.entries.iter().find(|own| own.name() == entry.name());
            let value = own.map(|own| own.value.get_ref());
            if let Some(DeValue::Table(table)) = value {
                let before = label(&combination);
                let Self { source, at, may_vary, .. } = *self;
                let combinations = vec![combination];
                let mut grid = Grid { source, at, may_vary, combinations, text: before };
                grid.table(entry.name(), "", table)?;
                self.combinations.append(&mut grid.combinations);
                self.admit(self.combinations.len(), grid.text - before)?;
            } else {
                self.combinations.push(combination);
            }
        }
        Ok(())
    }

    fn table(&mut self, at: &str, prefix: &str, table: &'a DeTable<'a>) -> Result<(), Error> {
        for (key, value) in in_written_order(table) {
            let name = format!("{prefix}{}", key.get_ref());
            match value.get_ref() {
                DeValue::Array(list) if (self.may_vary)(&format!("{at}.{name}")) => {
                    let at = value.span().start;
                    self.multiply(&name, at, list, |combination, place| {
                        combination.picks.insert(at, place);
                    })?;
                }
                DeValue::Table(table) => self.table(at, &format!("{name}."), table)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// A check for each value of the list at `name`, which is part of its label, in place of each.
    fn multiply(
        &mut self,
        name: &str,
        at: usize,
        list: &'a [Spanned<DeValue<'a>>],
        take: impl Fn(&mut Combination<'a>, usize),
    ) -> Result<(), Error> {
        if list.is_empty() {
            return Err(Error::malformed(
                self.source.position(at),
                format!("at least one value in the list at `{name}`"),
                "an empty list, which checks nothing",
            ));
        }
        let old = self.combinations.len();
        self.within(
            LIMIT,
            "checks",
            || format!("{old}×{}", list.len()),
            old.saturating_mul(list.len()),
        )?;
        let shown: Vec<String> = list.iter().map(|value| show(value.get_ref())).collect();
        let labels = shown.iter().map(|value| name.len() + value.len()).sum::<usize>();
        let copies = self.text.saturating_mul(list.len() - 1);
        self.admit(old, copies.saturating_add(labels.saturating_mul(old)))?;
        for combination in std::mem::take(&mut self.combinations) {
            for (place, value) in shown.iter().enumerate() {
                let mut combination = combination.clone();
                take(&mut combination, place);
                combination.case.push((name.to_owned(), value.clone()));
                self.combinations.push(combination);
            }
        }
        Ok(())
    }

    /// Counts more bytes of labels, and refuses a grid that is too large.
    fn admit(&mut self, checks: usize, more: usize) -> Result<(), Error> {
        self.text = self.text.saturating_add(more);
        self.within(LIMIT, "checks", || checks.to_string(), checks)?;
        self.within(TEXT, "bytes of names", || self.text.to_string(), self.text)
    }

    fn within(
        &self,
        limit: usize,
        unit: &str,
        shown: impl Fn() -> String,
        size: usize,
    ) -> Result<(), Error> {
        if size <= limit {
            return Ok(());
        }
        Err(Error::TooLarge {
            what: format!("{}: the grid of this claim", self.source.position(self.at)),
            size: format!("at least {} {unit}", shown()),
            limit: format!("{limit} {unit}"),
        })
    }
}

fn label(combination: &Combination<'_>) -> usize {
    combination.case.iter().map(|(name, value)| name.len() + value.len()).sum()
}

/// The keys of a table with their values, in written order.
pub(super) fn in_written_order<'a>(
    table: &'a DeTable<'a>,
) -> Vec<(&'a Spanned<DeString<'a>>, &'a Spanned<DeValue<'a>>)> {
    let mut items: Vec<_> = table.iter().collect();
    items.sort_by_key(|(key, _)| key.span().start);
    items
}

pub(super) fn show(value: &DeValue<'_>) -> String {
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
