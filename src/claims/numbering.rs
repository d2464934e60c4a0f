//! The items of the paper that this program is about, by their numbers.

use super::paper::{self, Unknown};

/// The numbered items, each with its greatest number.
const NUMBERED: [(&str, usize); 9] = [
    ("Definition", 10),
    ("Fact", 5),
    ("Proposition", 1),
    ("Claim", 1),
    ("Algorithm", 4),
    ("Lemma", 14),
    ("Theorem", 3),
    ("Figure", 4),
    ("Table", 1),
];
/// The theorems of the introduction.
const LETTERED: [&str; 3] = ["Theorem A", "Theorem B", "Theorem C"];
/// The greatest number of an equation.
const EQUATIONS: usize = 12;
/// The greatest number of a section; sections have subsections.
const SECTIONS: usize = 7;
/// The parts of an item that may follow it in a list.
const PARTS: [&str; 8] = ["P1", "P2", "P3", "P4", "(i)", "(ii)", "(iii)", "(iv)"];

/// The names of all definitions and statements, algorithms, figures and tables.
pub(crate) fn items() -> Vec<String> {
    let numbered = NUMBERED
        .iter()
        .flat_map(|(word, greatest)| (1..=*greatest).map(move |n| format!("{word} {n}")));
    numbered.chain(LETTERED.map(str::to_owned)).collect()
}

/// Checks a reference to the paper that this program is about: an item, or a list of items and their parts
/// such as `Fact 2, P1`.
pub(super) fn check(text: &str) -> Result<(), Unknown> {
    let mut first = true;
    let known = |name: &str| {
        let alone = std::mem::take(&mut first);
        is_item(name) || (!alone && is_part(name))
    };
    let names = items();
    let expected = "an item of the paper such as `Definition 6`, `Fact 5`, `Theorem A`, \
                    `Equation (4)` or `Section 7.1`, or a list such as `Fact 2, P1`";
    paper::references(text, known, expected, names.iter().map(String::as_str))
}

fn is_item(name: &str) -> bool {
    if LETTERED.contains(&name) {
        return true;
    }
    let Some((word, number)) = name.split_once(' ') else { return false };
    match word {
        "Equation" => is_equation(number),
        "Section" => {
            let (section, sub) = number.split_once('.').unwrap_or((number, "1"));
            natural(section, SECTIONS) && natural(sub, 9)
        }
        _ => NUMBERED.iter().any(|&(known, greatest)| word == known && natural(number, greatest)),
    }
}

fn is_part(name: &str) -> bool {
    PARTS.contains(&name) || is_equation(name)
}

fn is_equation(text: &str) -> bool {
    text.strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'))
        .is_some_and(|number| natural(number, EQUATIONS))
}

/// Whether the text is a number from 1 to `greatest`, without a leading zero.
fn natural(text: &str, greatest: usize) -> bool {
    text.parse().is_ok_and(|n: usize| (1..=greatest).contains(&n) && n.to_string() == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_and_lists_of_them_are_known() {
        for text in [
            "Definition 10",
            "Lemma 14",
            "Fact 1",
            "Theorem A",
            "Theorem 3",
            "Proposition 1",
            "Claim 1",
            "Algorithm 4",
            "Equation (12)",
            "Table 1",
            "Figure 4",
            "Section 7.1",
            "Section 3",
            "Fact 2, P1",
            "Lemma 11, (i), (ii)",
            "Claim 1, (4), (12)",
            "Definition 6,Lemma 2",
        ] {
            assert_eq!(check(text), Ok(()), "{text}");
        }
    }

    #[test]
    fn anything_else_is_refused_where_it_stands() {
        for (text, before, found) in [
            ("nonsense", 0, "`nonsense`"),
            ("Defintion 6", 0, "`Defintion 6` (did you mean `Definition 6`?)"),
            ("definition 6", 0, "`definition 6` (did you mean `Definition 6`?)"),
            ("Fact 2,  Q1", 9, "`Q1`"),
            ("P1", 0, "`P1`"),
            ("Fact 2,", 7, "``"),
        ] {
            let Err(unknown) = check(text) else { panic!("{text} is known") };
            assert_eq!((unknown.before, unknown.found.as_str()), (before, found), "{text}");
        }
        for text in ["Definition 11", "Fact 0", "Fact 02", "Fact +2", "Theorem D", "Section 8"] {
            assert!(check(text).is_err(), "{text}");
        }
        for text in ["Equation 4", "Equation (13)", "Section 7.0", "Section 7.1.2", "Table"] {
            assert!(check(text).is_err(), "{text}");
        }
    }
}
