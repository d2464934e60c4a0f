//! The one table behind `explain`, `list items` and `list words`.

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
        let known = crate::claims::paper::items();
        assert_eq!(known.len(), 10 + 5 + 1 + 1 + 4 + 14 + 6 + 4 + 1);
        for name in &known {
            assert!(names.contains(name), "{name}");
        }
        assert_eq!(names.len(), known.len());
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
