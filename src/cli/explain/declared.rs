//! Items of a paper that a folder declares, with the claims about them.

use std::path::{Path, PathBuf};

use crate::claims::paper::{FILE, Paper, PaperItem};
use crate::claims::{self, CheckInfo};
use crate::error::Result;
use crate::limits::Limits;
use crate::text::{Lines, visible};

use super::table::key;

/// The paper that is asked about, where it is not the one that this program is about.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct PaperArg {
    /// The folder of a paper's claims, or its `paper.toml` [default: that of this folder or one above]
    #[arg(long, value_name = "PATH")]
    paper: Option<PathBuf>,
}

impl PaperArg {
    /// The declared paper and its items; nothing where none is declared.
    ///
    /// # Errors
    /// When a declaration cannot be read, or the one that was named is not there.
    pub(in crate::cli) fn declared(&self) -> Result<Option<(Paper, Vec<PaperItem>)>> {
        let paper = match &self.paper {
            // Where there is none, the file that is missing is named.
            Some(path) if path.is_dir() => match Paper::of(path)? {
                None => Some(Paper::load(&path.join(FILE))?),
                declared => declared,
            },
            Some(path) => Some(Paper::load(path)?),
            None => Paper::of(Path::new(""))?,
        };
        Ok(paper.and_then(split))
    }
}

fn split(mut paper: Paper) -> Option<(Paper, Vec<PaperItem>)> {
    let items = paper.items.take()?;
    Some((paper, items))
}

/// The item that is called so.
pub(super) fn find<'i>(items: &'i [PaperItem], asked: &str) -> Option<&'i PaperItem> {
    let asked = super::key(asked);
    items
        .iter()
        .find(|item| std::iter::once(&item.name).chain(&item.also).any(|name| key(name) == asked))
}

/// The item, what it says, and the claims about it.
pub(super) fn explained(paper: &Paper, item: &PaperItem) -> Lines {
    let mut text = Lines::new();
    writeln!(text, "{} of {}", visible(&item.name), title(paper));
    text.push("");
    item.statement.lines().for_each(|line| writeln!(text, "{}", visible(line)));
    text.push("");
    let suite = claims::load(&[folder(paper)], &Limits::default());
    let mut found = false;
    for check in suite.checks().filter(|check| Paper::cites(item, &check.paper)) {
        let CheckInfo { file, line, name, expect, .. } = check;
        let place = format!("{file}:{line}");
        writeln!(
            text,
            "{expect:<9}  {}  {}{}",
            visible(&place),
            visible(name),
            visible(&check.label())
        );
        found = true;
    }
    if !found {
        text.push("no claims");
    }
    text
}

/// The items with the numbers of claims about them.
pub(in crate::cli) fn listed(paper: &Paper, items: &[PaperItem]) -> Lines {
    let mut text = Lines::new();
    writeln!(text, "{}", title(paper));
    let suite = claims::load(&[folder(paper)], &Limits::default());
    let width = items.iter().map(|item| item.name.chars().count()).max().unwrap_or(0);
    for item in items {
        let count = suite.checks().filter(|check| Paper::cites(item, &check.paper)).count();
        let checks = if count == 1 { "check" } else { "checks" };
        let first = item.statement.lines().next().unwrap_or_default();
        writeln!(text, "{:width$}  {count:4} {checks:6}  {}", visible(&item.name), visible(first));
    }
    text
}

fn title(Paper { title, cite, .. }: &Paper) -> String {
    let cite = cite.as_ref().map_or_else(String::new, |cite| format!(" ({})", visible(cite)));
    format!("{}{cite}", visible(title))
}

fn folder(paper: &Paper) -> PathBuf {
    if paper.folder.as_os_str().is_empty() { PathBuf::from(".") } else { paper.folder.clone() }
}
