//! Reads one claim file: every fault is recorded with its line and column.

use std::collections::BTreeMap;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::error::{Error, Position};

use super::fields::{Entry, Fields, Located, describe, record, suggestion};
use super::grid::{Combination, Picks, expand};
use super::kinds::{self, Kind};
use super::outcome::{CheckInfo, Expect};
use super::paper;
use super::run::Planned;
use super::source::Source;

/// The keys of every claim, beside those of its kind.
const COMMON: [&str; 5] = ["name", "paper", "kind", "expect", "cases"];

/// The checks of the claim file at `path` with the given text. Faults are added to `faults`.
pub(super) fn read(path: &Path, text: &str, faults: &mut Vec<Error>) -> Vec<Planned> {
    let source = Source::new(path, text);
    let (table, errors) = DeTable::parse_recoverable(text);
    for error in &errors {
        let at = error.span().map_or(0, |span| span.start);
        record(faults, source.position(at), "TOML", &format!("a fault: {}", error.message()));
    }
    if !errors.is_empty() {
        return Vec::new();
    }
    let mut reader = Reader { source: &source, faults, names: BTreeMap::new() };
    reader.file(table.get_ref())
}

/// The entries of a table in written order.
fn entries<'a>(table: &'a DeTable<'a>) -> Vec<Entry<'a>> {
    let mut entries: Vec<_> = table.iter().map(|(key, value)| Entry { key, value }).collect();
    entries.sort_by_key(|entry| entry.key.span().start);
    entries
}

struct Reader<'a> {
    source: &'a Source<'a>,
    faults: &'a mut Vec<Error>,
    /// The line of each name seen.
    names: BTreeMap<String, usize>,
}

/// What every check of a claim shares.
struct Head {
    name: String,
    paper: String,
    kind: &'static Kind,
    expect: Expect,
}

impl Reader<'_> {
    fn fault(&mut self, at: usize, expected: &str, found: &str) {
        record(self.faults, self.source.position(at), expected, found);
    }

    fn file(&mut self, table: &DeTable<'_>) -> Vec<Planned> {
        let mut checks = Vec::new();
        let mut claims = false;
        for entry in entries(table) {
            let at = entry.key.span().start;
            let name = entry.name();
            match entry.value.get_ref() {
                _ if name != "claim" => {
                    claims = true;
                    let near = suggestion(name, ["claim"]);
                    self.fault(at, "`[[claim]]` tables only", &format!("`{name}`{near}"));
                }
                DeValue::Array(list) => {
                    for item in list {
                        claims = true;
                        self.item(item, &mut checks);
                    }
                }
                other => {
                    claims = true;
                    self.fault(
                        at,
                        "`[[claim]]` tables",
                        &format!("{} at `claim`", describe(other)),
                    );
                }
            }
        }
        if !claims {
            self.fault(0, "at least one `[[claim]]` table", "none");
        }
        checks
    }

    fn item(&mut self, item: &Spanned<DeValue<'_>>, checks: &mut Vec<Planned>) {
        let at = item.span().start;
        match item.get_ref() {
            DeValue::Table(table) => self.claim(at, table, checks),
            other => self.fault(at, "a `[[claim]]` table", &describe(other)),
        }
    }

    fn claim(&mut self, at: usize, table: &DeTable<'_>, checks: &mut Vec<Planned>) {
        let before = self.faults.len();
        let all = entries(table);
        let (kind, head) = self.head(at, &all);
        if let Some(kind) = kind {
            self.known_keys(kind, &all);
        }
        let Some(head) = head else { return };
        let base: Vec<Entry<'_>> =
            all.iter().filter(|e| !COMMON.contains(&e.name())).copied().collect();
        let cases = all.iter().find(|entry| entry.name() == "cases");
        let cases = match cases {
            None => vec![(at, Vec::new())],
            Some(entry) => self.cases(head.kind, entry),
        };
        if self.faults.len() > before {
            return;
        }
        for (at, case) in cases {
            self.case(at, &head, &base, &case, checks);
        }
    }

    /// The keys that every claim has. All are looked at before any fault drops the claim.
    fn head(&mut self, at: usize, all: &[Entry<'_>]) -> (Option<&'static Kind>, Option<Head>) {
        let mut fields = Fields::new(self.source, at, all.to_vec(), Picks::new(), self.faults);
        let name = fields.text("name");
        let paper = fields.text("paper");
        let shown = if paper.is_some() { fields.inner("paper") } else { None };
        if let Some(Located { value, position }) = shown
            && let Err(unknown) = paper::check(&value)
        {
            let column = position.column.map(|column| column + unknown.before);
            let position = Position { column, ..position };
            fields.refuse(position, unknown.expected, &unknown.found);
        }
        let kind = fields.text("kind");
        let expect = fields.text("expect");
        let kind = kind.and_then(|kind| {
            let found = kinds::find(&kind.value);
            if found.is_none() {
                let names: Vec<&str> = kinds::KINDS.iter().map(|k| k.name).collect();
                let near = suggestion(&kind.value, names.iter().copied());
                let expected = format!("a kind of claim (one of {})", names.join(", "));
                record(self.faults, kind.position, &expected, &format!("`{}`{near}", kind.value));
            }
            found
        });
        let expect = expect.and_then(|expect| match expect.value.as_str() {
            "holds" => Some(Expect::Holds),
            "refuted" => Some(Expect::Refuted),
            other => {
                let near = suggestion(other, ["holds", "refuted"]);
                let expected = "`holds` or `refuted` at `expect`";
                record(self.faults, expect.position, expected, &format!("`{other}`{near}"));
                None
            }
        });
        if let Some(name) = &name {
            let line = self.source.line(at);
            if let Some(first) = self.names.get(&name.value) {
                let found = format!("`{}`, as in line {first}", name.value);
                record(self.faults, name.position.clone(), "a name used once in the file", &found);
            } else {
                self.names.insert(name.value.clone(), line);
            }
        }
        let head =
            || Some(Head { name: name?.value, paper: paper?.value, kind: kind?, expect: expect? });
        (kind, head())
    }

    fn known_keys(&mut self, kind: &Kind, all: &[Entry<'_>]) {
        let names = || COMMON.into_iter().chain(kind.keys.iter().map(|key| key.name));
        for entry in all.iter().filter(|entry| !names().any(|name| name == entry.name())) {
            self.unknown_key(kind, entry, &names().collect::<Vec<_>>());
        }
    }

    fn unknown_key(&mut self, kind: &Kind, entry: &Entry<'_>, names: &[&str]) {
        let near = suggestion(entry.name(), names.iter().copied());
        let expected = format!("a key of `{}` ({})", kind.name, names.join(", "));
        self.fault(entry.key.span().start, &expected, &format!("`{}`{near}", entry.name()));
    }

    /// The places and entries of the tables in `cases`.
    fn cases<'a>(&mut self, kind: &Kind, cases: &Entry<'a>) -> Vec<(usize, Vec<Entry<'a>>)> {
        let at = cases.value.span().start;
        let DeValue::Array(list) = cases.value.get_ref() else {
            self.fault(at, "a list of tables at `cases`", &describe(cases.value.get_ref()));
            return Vec::new();
        };
        if list.is_empty() {
            self.fault(at, "at least one table in `cases`", "an empty list, which checks nothing");
        }
        let names: Vec<&str> = kind.keys.iter().map(|key| key.name).collect();
        let mut found = Vec::new();
        for item in list {
            let at = item.span().start;
            let DeValue::Table(table) = item.get_ref() else {
                self.fault(at, "a table in `cases`", &describe(item.get_ref()));
                continue;
            };
            let case = entries(table);
            if case.is_empty() {
                self.fault(at, "a key in each table of `cases`", "an empty table");
            }
            for entry in case.iter().filter(|entry| !names.contains(&entry.name())) {
                if COMMON.contains(&entry.name()) {
                    let found = format!("`{}`, which is the whole claim's", entry.name());
                    let expected = format!("in `cases` only {}", names.join(", "));
                    self.fault(entry.key.span().start, &expected, &found);
                } else {
                    self.unknown_key(kind, entry, &names);
                }
            }
            found.push((at, case));
        }
        found
    }

    /// The checks of one case: its keys take the place of the claim's.
    fn case(
        &mut self,
        at: usize,
        head: &Head,
        base: &[Entry<'_>],
        case: &[Entry<'_>],
        checks: &mut Vec<Planned>,
    ) {
        let overridden: Vec<&str> = case.iter().map(Entry::name).collect();
        let kept = base.iter().filter(|entry| !overridden.contains(&entry.name()));
        let all: Vec<Entry<'_>> = case.iter().chain(kept).copied().collect();
        let varies = |name: &str| head.kind.keys.iter().any(|key| key.name == name && key.grid);
        let combinations = match expand(self.source, at, &all, &overridden, varies) {
            Ok(combinations) => combinations,
            Err(fault) => return self.faults.push(fault),
        };
        for combination in combinations {
            let before = self.faults.len();
            let Combination { entries, picks, case } = combination;
            let mut fields = Fields::new(self.source, at, entries, picks, self.faults);
            let check = (head.kind.parse)(&mut fields);
            if self.faults.len() > before {
                continue;
            }
            // A reader that returns nothing has recorded why, now or for an earlier combination.
            let Some(check) = check else { continue };
            let info = CheckInfo {
                file: self.source.name.clone(),
                line: self.source.line(at),
                name: head.name.clone(),
                paper: head.paper.clone(),
                kind: head.kind.name,
                case,
                expect: head.expect,
            };
            checks.push(Planned { info, check });
        }
    }
}
