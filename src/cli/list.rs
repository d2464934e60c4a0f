//! `littlestone list`: what there is.

use clap::ValueEnum;

use crate::catalogue::{ENTRIES, Entry};
use crate::claims::kinds;
use crate::class::families::{self, Family};
use crate::text::Lines;

use super::exit;
use super::explain::{self, Item, PaperArg, items};
use super::output::{Outcome, Output};

/// List what there is: families of classes, mechanisms, kinds of claims, items of the paper, words.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// What to list.
    #[arg(value_enum)]
    what: What,
    #[command(flatten)]
    paper: PaperArg,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
    /// Families of classes, with their arguments, sizes and what is known of their dimension.
    Families,
    /// Named mechanisms, with their laws and parameters.
    Mechanisms,
    /// Kinds of claims, with their keys.
    Kinds,
    /// Items of the paper that `explain` knows, with how much of each is computed.
    Items,
    /// Words that `explain` knows.
    Words,
    /// Items and words.
    Explanations,
}

const AFTER_HELP: &str = "\
Examples:
  littlestone list families
  littlestone list mechanisms
  littlestone list kinds
  littlestone list items";

pub(super) fn run(args: &Args, output: &mut Output<'_>) -> Outcome {
    match args.what {
        What::Families => listed_families(output)?,
        What::Mechanisms => mechanisms(output)?,
        What::Kinds => kinds(output)?,
        What::Items => match args.paper.declared()? {
            Some((paper, items)) => output.lines(&explain::listed(&paper, &items))?,
            None => explained(output, |item| item.of_paper)?,
        },
        What::Words => explained(output, |item| !item.of_paper)?,
        What::Explanations => explained(output, |_| true)?,
    }
    Ok(exit::EXPECTED)
}

fn listed_families(output: &mut Output<'_>) -> std::io::Result<()> {
    for family in families::all() {
        output.line(format_args!("{}: {}", family.name, family.summary))?;
        output.lines(&facts(family))?;
    }
    Ok(())
}

/// What is known of a family, one fact a line.
pub(super) fn facts(family: &Family) -> Lines {
    let facts = [
        ("arguments", family.arguments),
        ("size", family.size),
        ("Littlestone dimension", family.dimension),
        ("example", family.example),
    ];
    let mut text = Lines::new();
    for (name, fact) in facts {
        writeln!(text, "  {name}: {fact}");
    }
    text
}

fn mechanisms(output: &mut Output<'_>) -> std::io::Result<()> {
    for entry in ENTRIES {
        output.line(format_args!("{}: {}", entry.name, entry.law))?;
        output.lines(&mechanism_facts(entry))?;
    }
    Ok(())
}

/// What is known of a mechanism, one fact a line.
pub(super) fn mechanism_facts(entry: &Entry) -> Lines {
    let mut text = Lines::new();
    writeln!(text, "  kind: {}", entry.kind);
    writeln!(text, "  paper: {}", entry.paper);
    if let Some(misreading) = entry.twin {
        writeln!(text, "  twin, for the misreading: {misreading}");
    }
    for parameter in entry.parameters {
        let (name, meaning) = (parameter.name, parameter.meaning);
        let default = match parameter.default {
            Some(default) => format!("[default: {default}]"),
            None => "[required]".into(),
        };
        writeln!(text, "  {name}: {meaning} {default}");
    }
    text
}

fn kinds(output: &mut Output<'_>) -> std::io::Result<()> {
    for kind in kinds::all() {
        output.line(format_args!("{}: {}", kind.name, kind.about))?;
        for key in kind.keys {
            let grid = if key.grid { " (a list is a grid)" } else { "" };
            output.line(format_args!("  {}: {}{grid}", key.name, key.about))?;
        }
    }
    Ok(())
}

fn explained(output: &mut Output<'_>, wanted: fn(&Item) -> bool) -> std::io::Result<()> {
    let items: Vec<Item> = items().into_iter().filter(wanted).collect();
    let width = items.iter().map(|item| item.name.chars().count()).max().unwrap_or(0);
    for item in items {
        let status = item.status.word();
        output.line(format_args!("{:width$}  {status:16}  {}", item.name, item.title))?;
    }
    Ok(())
}
