//! `littlestone explain`: what is computed under a name of the paper.

mod declared;
mod table;

use crate::catalogue::{self, Entry};
use crate::class::families;
use crate::error::{Error, nearest};

use super::exit;
use super::list;
use super::output::{Outcome, Output};

pub(super) use declared::{PaperArg, listed};
pub(super) use table::{Item, items, paper_map};

/// Print a definition or statement as it is computed, with the paper's number.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// An item of the paper, a word, a family of classes, or a named mechanism.
    #[arg(required = true, num_args = 1.., value_name = "ITEM")]
    item: Vec<String>,
    #[command(flatten)]
    paper: PaperArg,
}

const AFTER_HELP: &str = "\
Examples:
  littlestone explain 'Definition 6'
  littlestone explain def 6
  littlestone explain fact5
  littlestone explain soa
  littlestone explain projective-plane
  littlestone explain subsampled-soa

`littlestone list items`, `list words`, `list families` and `list mechanisms` show what can be
explained.
Items are those of `Private online learning and prediction for Littlestone classes`
(arXiv:2610.06822v1), and before them those of the paper that this folder declares, or --paper.";

pub(super) fn run(args: &Args, output: &mut Output<'_>) -> Outcome {
    let asked = args.item.join(" ");
    let declared = args.paper.declared()?;
    if let Some((paper, items)) = &declared
        && let Some(item) = declared::find(items, &asked)
    {
        output.lines(&declared::explained(paper, item))?;
        return Ok(exit::EXPECTED);
    }
    let items = items();
    if let Some(item) = find(&items, &asked) {
        output.line(format_args!("{}: {}", item.name, item.title))?;
        output.line("")?;
        item.text.lines().try_for_each(|line| output.line(line))?;
        output.line("")?;
        if !item.checked.is_empty() {
            output.line(format_args!("checked: {}", item.checked))?;
        }
        if !item.claims.is_empty() {
            output.line(format_args!("claims: {}", item.claims.join(", ")))?;
        }
        output.line(format_args!("status: {}", item.status.word()))?;
        // A word of the paper may be the name of a mechanism too.
        if let Some(entry) = mechanism(&asked) {
            output.line("")?;
            explain_mechanism(entry, output)?;
        }
        return Ok(exit::EXPECTED);
    }
    if let Some(family) = families::all().iter().find(|f| table::key(f.name) == table::key(&asked))
    {
        output.line(format_args!("{}: {}", family.name, family.summary))?;
        output.line("")?;
        output.lines(&list::facts(family))?;
        return Ok(exit::EXPECTED);
    }
    if let Some(entry) = mechanism(&asked) {
        explain_mechanism(entry, output)?;
        return Ok(exit::EXPECTED);
    }
    let help = match nearest_name(&items, &asked) {
        Some(name) => format!("did you mean `{name}`? `littlestone list items` shows all"),
        None => "`littlestone list items` and `littlestone list words` show all".to_owned(),
    };
    Err(Error::argument_with_help(format!("nothing is called `{asked}`"), help).into())
}

fn mechanism(asked: &str) -> Option<&'static Entry> {
    catalogue::ENTRIES.iter().find(|entry| table::key(entry.name) == table::key(asked))
}

fn explain_mechanism(entry: &Entry, output: &mut Output<'_>) -> std::io::Result<()> {
    output.line(format_args!("mechanism {}: {}", entry.name, entry.law))?;
    output.line("")?;
    output.lines(&list::mechanism_facts(entry))
}

fn find<'i>(items: &'i [Item], asked: &str) -> Option<&'i Item> {
    let key = key(asked);
    items
        .iter()
        .find(|item| table::key(&item.name) == key)
        .or_else(|| items.iter().find(|item| item.also.iter().any(|a| table::key(a) == key)))
}

/// The spelling of an item under which it is looked up, with abbreviations written out.
fn key(asked: &str) -> String {
    const SHORT: [(&str, &str); 9] = [
        ("def", "definition"),
        ("defn", "definition"),
        ("lem", "lemma"),
        ("thm", "theorem"),
        ("th", "theorem"),
        ("alg", "algorithm"),
        ("prop", "proposition"),
        ("fig", "figure"),
        ("tab", "table"),
    ];
    let key = table::key(asked);
    // A number, or the letter of one of the introduction's theorems.
    let numbered = |rest: &str| {
        !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit())
            || matches!(rest, "a" | "b" | "c")
    };
    SHORT
        .iter()
        .find_map(|(short, long)| {
            key.strip_prefix(short)
                .filter(|rest| numbered(rest))
                .map(|rest| format!("{long}{rest}"))
        })
        .unwrap_or(key)
}

/// The item, family or mechanism whose name or other spelling is nearest to what was asked, if one is near.
fn nearest_name<'i>(items: &'i [Item], asked: &str) -> Option<&'i str> {
    let items = items.iter().flat_map(|item| {
        let spellings = std::iter::once(&item.name).chain(&item.also);
        spellings.map(move |spelling| (table::key(spelling), item.name.as_str()))
    });
    let others = families::names().chain(catalogue::ENTRIES.iter().map(|entry| entry.name));
    let names: Vec<(String, &str)> =
        items.chain(others.map(|name| (table::key(name), name))).collect();
    let near = nearest(&key(asked), names.iter().map(|(key, _)| key.as_str()))?;
    names.iter().find(|(key, _)| key == near).map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(asked: &str) -> Option<String> {
        find(&items(), asked).map(|item| item.name.clone())
    }

    #[test]
    fn common_spellings_are_understood() {
        for asked in ["def 6", "Definition 6", "definition6", "DEF. 6", "Ldim", "shattered tree"] {
            assert_eq!(found(asked).as_deref(), Some("Definition 6"), "{asked}");
        }
        for (asked, name) in [
            ("fact5", "Fact 5"),
            ("thm a", "Theorem A"),
            ("alg 3", "Algorithm 3"),
            ("soa", "SOA"),
            ("VC-dimension", "VC dimension"),
            ("exit-codes", "exit codes"),
            ("lemma 14", "Lemma 14"),
            ("prop 1", "Proposition 1"),
        ] {
            assert_eq!(found(asked).as_deref(), Some(name), "{asked}");
        }
        assert_eq!(found("definition 11"), None);
        assert_eq!(found(""), None);
    }

    #[test]
    fn no_family_is_hidden_by_an_item_or_a_word() {
        for name in families::names() {
            assert_eq!(found(name), None, "{name}");
        }
    }

    #[test]
    fn mechanisms_are_found_and_hide_no_family() {
        for entry in catalogue::ENTRIES {
            assert_eq!(mechanism(entry.name).map(|e| e.name), Some(entry.name));
            assert!(!families::names().any(|name| table::key(name) == table::key(entry.name)));
            // An item of the same name is shown first; it must be the mechanism's own.
            let own = |item: String| item == entry.paper || item == "SOA";
            assert!(found(entry.name).is_none_or(own), "{}", entry.name);
        }
    }

    #[test]
    fn the_nearest_item_is_offered() {
        let items = items();
        assert_eq!(nearest_name(&items, "essentail"), Some("Definition 9"));
        assert_eq!(nearest_name(&items, "lema 3"), Some("Lemma 3"));
        assert_eq!(nearest_name(&items, "hazard learnr"), Some("hazard-learner"));
        assert_eq!(nearest_name(&items, "quicksort"), None);
    }
}
