//! Reads one claim file: every fault is recorded with its line and column.

use std::collections::BTreeMap;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::error::{Error, Position};
use crate::questions::Relation;

use super::faults::Faults;
use super::fields::{Entry, Fields, Located, describe, suggestion};
use super::grid::{Combination, Picks, expand};
use super::kinds::{self, Kind};
use super::outcome::{CheckInfo, Expect, Tier};
use super::paper::Paper;
use super::plan::{Item, Plan};
use super::slack::{self, OwnSlack, SLACK};
use super::source::Source;

/// The keys of every claim, beside those of its kind.
pub(super) const COMMON: [&str; 7] = ["name", "paper", "kind", "expect", "cases", SLACK, "tier"];

/// Adds the checks of the claim file at `path` with the given text, and its faults, to `plan`.
pub(super) fn read(path: &Path, text: &str, paper: Option<&Paper>, plan: &mut Plan) {
    let source = Source::new(path, text);
    let (table, errors) = DeTable::parse_recoverable(text);
    let offset = |span: Option<std::ops::Range<usize>>| span.map_or(0, |span| span.start);
    let mut reader = Reader {
        source: &source,
        paper,
        faults: Faults::default(),
        plan,
        names: BTreeMap::new(),
        broken_at: errors.iter().map(|error| offset(error.span())).min(),
    };
    reader.file(table.get_ref());
    for error in &errors {
        reader.fault(offset(error.span()), "TOML", &format!("a fault: {}", error.message()));
    }
    reader.tell();
}

/// The entries of a table in written order.
fn entries<'a>(table: &'a DeTable<'a>) -> Vec<Entry<'a>> {
    let mut entries: Vec<_> = table.iter().map(|(key, value)| Entry { key, value }).collect();
    entries.sort_by_key(|entry| entry.key.span().start);
    entries
}

struct Reader<'a> {
    source: &'a Source<'a>,
    /// The paper that the file is about, if one is declared.
    paper: Option<&'a Paper>,
    faults: Faults,
    plan: &'a mut Plan,
    /// The line of each name seen.
    names: BTreeMap<String, usize>,
    /// Where the file stops being TOML.
    broken_at: Option<usize>,
}

/// What every check of a claim shares.
struct Head {
    name: String,
    paper: String,
    kind: &'static Kind,
    expect: Expect,
    slack: Option<OwnSlack>,
    tier: Tier,
}

impl Reader<'_> {
    fn fault(&mut self, at: usize, expected: &str, found: &str) {
        self.faults.record(self.source.position(at), expected, found);
    }

    /// Puts the faults that were found in their place among the checks.
    fn tell(&mut self) {
        self.plan.items.extend(self.faults.take().into_iter().map(Item::Fault));
    }

    fn file(&mut self, table: &DeTable<'_>) {
        let mut claims = self.broken_at.is_some();
        for entry in entries(table) {
            let at = entry.key.span().start;
            let name = entry.name();
            match entry.value.get_ref() {
                // What is left of a file that is not TOML need not be what was meant.
                _ if name != "claim" && self.broken_at.is_some() => {}
                _ if name != "claim" => {
                    claims = true;
                    let near = suggestion(name, ["claim"]);
                    self.fault(at, "`[[claim]]` tables only", &format!("`{name}`{near}"));
                }
                DeValue::Array(list) => {
                    claims |= !list.is_empty();
                    for item in list.iter().take(self.whole(list)) {
                        self.item(item);
                        self.tell();
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
    }

    /// How many claims end before the file stops being TOML. The text up to the claim that holds
    /// the fault is TOML, so those before it are what they seem; of the rest nobody knows.
    fn whole(&self, list: &[Spanned<DeValue<'_>>]) -> usize {
        let Some(broken_at) = self.broken_at else { return list.len() };
        let begun = list.iter().take_while(|item| item.span().start <= broken_at).count();
        begun.saturating_sub(1)
    }

    fn item(&mut self, item: &Spanned<DeValue<'_>>) {
        let at = item.span().start;
        match item.get_ref() {
            DeValue::Table(table) => self.claim(at, table),
            other => self.fault(at, "a `[[claim]]` table", &describe(other)),
        }
    }

    fn claim(&mut self, at: usize, table: &DeTable<'_>) {
        let before = self.faults.raised();
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
        if self.faults.raised() > before {
            return;
        }
        for (at, case) in cases {
            if let Err(stopped) = self.case(at, &head, &base, &case) {
                self.plan.items.push(Item::NotRun(self.info(at, &head, Vec::new()), stopped));
            }
        }
    }

    /// The keys that every claim has. All are looked at before any fault drops the claim.
    fn head(&mut self, at: usize, all: &[Entry<'_>]) -> (Option<&'static Kind>, Option<Head>) {
        let mut fields = Fields::new(self.source, at, all.to_vec(), Picks::new(), &mut self.faults);
        let name = fields.text("name");
        // It is there where a paper is declared.
        let wanted = self.paper.is_some() || fields.has("paper");
        let paper = if wanted { fields.text("paper") } else { None };
        let shown = if paper.is_some() { fields.inner("paper") } else { None };
        if let (Some(Located { value, position }), Some(declared)) = (shown, self.paper)
            && let Err(unknown) = declared.check(&value)
        {
            let column = position.column.map(|column| column + unknown.before);
            let position = Position { column, ..position };
            fields.refuse(position, &unknown.expected, &unknown.found);
        }
        let kind = fields.text("kind");
        let expect = fields.text("expect");
        let slack = slack::read(&mut fields);
        let tier = fields.has("tier").then(|| fields.text("tier")).flatten();
        let kind = kind.and_then(|kind| {
            let found = kinds::find(&kind.value);
            if found.is_none() {
                let names: Vec<&str> = kinds::all().iter().map(|k| k.name).collect();
                let near = suggestion(&kind.value, names.iter().copied());
                let expected = format!("a kind of claim (one of {})", names.join(", "));
                self.faults.record(kind.position, &expected, &format!("`{}`{near}", kind.value));
            }
            found
        });
        let expect = expect.and_then(|expect| match expect.value.as_str() {
            "holds" => Some(Expect::Holds),
            "refuted" => Some(Expect::Refuted),
            other => {
                let near = suggestion(other, ["holds", "refuted"]);
                let expected = "`holds` or `refuted` at `expect`";
                self.faults.record(expect.position, expected, &format!("`{other}`{near}"));
                None
            }
        });
        let tier = match tier {
            None => Some(Tier::Short),
            Some(tier) if tier.value == "long" => Some(Tier::Long),
            Some(tier) => {
                let found = format!("`{}`", tier.value);
                self.faults.record(tier.position, "`long` at `tier`, or no such key", &found);
                None
            }
        };
        if let Some(name) = &name {
            let line = self.source.line(at);
            if let Some(first) = self.names.get(&name.value) {
                let found = format!("`{}`, as in line {first}", name.value);
                self.faults.record(name.position.clone(), "a name used once in the file", &found);
            } else {
                self.names.insert(name.value.clone(), line);
            }
        }
        let head = || {
            let paper = if wanted { paper?.value } else { String::new() };
            let name = name?.value;
            Some(Head { name, paper, kind: kind?, expect: expect?, slack, tier: tier? })
        };
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

    /// A table of statements in a case would take the place of all that the claim states there.
    ///
    /// # Errors
    /// When a case and its claim both have one.
    fn stated_once(&self, base: &[Entry<'_>], case: &[Entry<'_>]) -> Result<(), Error> {
        let states = |entry: &Entry<'_>| match entry.value.get_ref() {
            DeValue::Table(table) => {
                let relation = |key: &str| Relation::ALL.iter().any(|(name, _)| *name == key);
                entry.name() == "answer" || table.keys().any(|key| relation(key.get_ref()))
            }
            _ => false,
        };
        let twice = case.iter().find(|entry| {
            base.iter()
                .any(|other| other.name() == entry.name() && (states(other) || states(entry)))
        });
        twice.map_or(Ok(()), |entry| {
            let expected = format!("`{}` in the claim or in its cases", entry.name());
            let position = self.source.position(entry.key.span().start);
            Err(Error::malformed(position, expected, "both, where one would hide the other"))
        })
    }

    /// The checks of one case: its keys take the place of the claim's.
    ///
    /// # Errors
    /// When a limit of the run was hit before all checks were read.
    fn case(
        &mut self,
        at: usize,
        head: &Head,
        base: &[Entry<'_>],
        case: &[Entry<'_>],
    ) -> Result<(), Error> {
        self.plan.ask()?;
        let overridden: Vec<&str> = case.iter().map(Entry::name).collect();
        if let Err(fault) = self.stated_once(base, case) {
            self.faults.push(fault);
            return Ok(());
        }
        let kept = base.iter().filter(|entry| !overridden.contains(&entry.name()));
        let all: Vec<Entry<'_>> = case.iter().chain(kept).copied().collect();
        let varies = |keys: &str| head.kind.varies(keys);
        let named = self.source.name.len() + head.name.len() + head.paper.len();
        let combinations = match expand(self.source, at, named, &all, &overridden, &varies) {
            Ok(combinations) => combinations,
            Err(fault) => {
                self.faults.push(fault);
                return Ok(());
            }
        };
        for combination in combinations {
            self.plan.ask()?;
            let before = self.faults.raised();
            let Combination { entries, picks, case } = combination;
            let mut fields = Fields::new(self.source, at, entries, picks, &mut self.faults);
            let check = head.kind.parse(&mut fields);
            if self.faults.raised() > before {
                self.tell();
                continue;
            }
            let Some(check) = check else {
                self.fault(at, "a claim", "one that its kind does not read");
                continue;
            };
            self.plan.items.push(Item::Check(self.info(at, head, case), check));
        }
        Ok(())
    }

    fn info(&self, at: usize, head: &Head, case: Vec<(String, String)>) -> CheckInfo {
        CheckInfo {
            file: self.source.name.clone(),
            line: self.source.line(at),
            name: head.name.clone(),
            paper: head.paper.clone(),
            kind: head.kind.name,
            case,
            expect: head.expect,
            slack: head.slack.clone(),
            tier: head.tier,
        }
    }
}
