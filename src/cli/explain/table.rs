//! The one table behind `explain`, `list items`, `list words` and docs/paper-map.md.

use serde::Deserialize;

/// What can be explained.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::cli) struct Item {
    /// The paper's name, such as `Definition 6`, or a word.
    pub(in crate::cli) name: String,
    /// A few words.
    pub(in crate::cli) title: String,
    /// How much of it is computed.
    pub(in crate::cli) status: Status,
    /// What is checked on tiny instances, and what is left out.
    #[serde(default)]
    pub(in crate::cli) checked: String,
    /// Where the code is.
    #[serde(default)]
    pub(in crate::cli) code: Vec<String>,
    /// Where the claims are.
    #[serde(default)]
    pub(in crate::cli) claims: Vec<String>,
    /// The false twins that were seen to be refuted.
    #[serde(default)]
    pub(in crate::cli) twins: String,
    /// Other spellings.
    pub(in crate::cli) also: Vec<String>,
    /// The explanation.
    pub(in crate::cli) text: String,
    /// Whether it is an item of the paper, rather than a word.
    #[serde(skip)]
    pub(in crate::cli) of_paper: bool,
}

/// How much of an item is computed today.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(in crate::cli) enum Status {
    /// All of it.
    Computed,
    /// Some of it, as the text says.
    Partly,
}

impl Status {
    pub(in crate::cli) fn word(self) -> &'static str {
        match self {
            Self::Computed => "computed",
            Self::Partly => "partly computed",
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    item: Vec<Item>,
}

const OF_PAPER: [&str; 6] = [
    include_str!("definitions.toml"),
    include_str!("facts.toml"),
    include_str!("algorithms.toml"),
    include_str!("lemmas.toml"),
    include_str!("theorems.toml"),
    include_str!("figures.toml"),
];
const WORDS: &str = include_str!("words.toml");

/// Everything that can be explained, in the order of the paper and then the words.
pub(in crate::cli) fn items() -> Vec<Item> {
    let read = |text: &str, of_paper: bool| {
        let file: File = toml::from_str(text).expect("the tables are tested");
        file.item.into_iter().map(move |item| Item { of_paper, ..item })
    };
    OF_PAPER.iter().flat_map(|text| read(text, true)).chain(read(WORDS, false)).collect()
}

const MAP: &str = "\
# Paper map

One row for each item of *Private online learning and prediction for Littlestone classes*
(arXiv:2610.06822v1): what is checked on tiny instances, where the code is, the claim files, and
which false twins were seen to be refuted. `partly` means that the row says what is left out; a row is changed
when the code, the claim and its twin are there. `littlestone explain ITEM` prints each item, from the table that
`littlestone generate paper-map` writes this page from.

| item | what is checked on tiny instances | code | claim files | twins seen refuted | status |
| --- | --- | --- | --- | --- | --- |
";

/// The page docs/paper-map.md.
pub(in crate::cli) fn paper_map() -> String {
    let code = |paths: &[String]| {
        let paths: Vec<String> = paths.iter().map(|path| format!("`{path}`")).collect();
        if paths.is_empty() { "–".to_owned() } else { paths.join(", ") }
    };
    let row = |item: Item| {
        let twins = if item.twins.is_empty() { "–" } else { &item.twins };
        let status = match item.status {
            Status::Computed => "computed",
            Status::Partly => "partly",
        };
        let Item { name, checked, .. } = &item;
        let (source, claims) = (code(&item.code), code(&item.claims));
        format!("| {name} | {checked} | {source} | {claims} | {twins} | {status} |\n")
    };
    let rows = items().into_iter().filter(|item| item.of_paper).map(row);
    std::iter::once(MAP.to_owned()).chain(rows).collect()
}

/// A spelling without case, spaces and punctuation.
pub(super) fn key(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use itertools::Itertools;

    #[test]
    fn every_numbered_item_of_the_paper_is_there_once() {
        let names: Vec<String> =
            items().into_iter().filter(|item| item.of_paper).map(|item| item.name).collect();
        // The list that claims are checked against has the numbering of the paper: 10 definitions,
        // 5 facts, 1 proposition, 1 claim, 4 algorithms, 14 lemmas, theorems A, B, C and 1, 2, 3,
        // 4 figures, 1 table.
        let known = crate::claims::numbering::items();
        assert_eq!(known.len(), 10 + 5 + 1 + 1 + 4 + 14 + 6 + 4 + 1);
        for name in &known {
            assert!(names.contains(name), "{name}");
        }
        // Of the equations one has a row of its own.
        assert!(names.iter().any(|name| name == "Equation (4)"));
        assert_eq!(names.len(), known.len() + 1);
        assert!(names.iter().all_unique());
    }

    #[test]
    fn no_spelling_means_two_things() {
        let mut seen = std::collections::BTreeMap::new();
        for item in items() {
            for spelling in std::iter::once(&item.name).chain(&item.also) {
                let earlier = seen.insert(key(spelling), item.name.clone());
                assert_eq!(earlier, None, "{spelling} of {}", item.name);
            }
        }
    }

    #[test]
    fn explanations_are_short_and_fit_a_terminal() {
        for item in items() {
            let lines: Vec<&str> = item.text.lines().collect();
            assert!((1..=18).contains(&lines.len()), "{}: {} lines", item.name, lines.len());
            for line in lines {
                assert!(line.chars().count() <= 100, "{}: {line}", item.name);
            }
        }
    }
}
