//! Events as sets of output words.

use crate::mechanism::{Automaton, Kind};
use crate::privacy::{Event, Notion};

use super::Witness;

/// An event with at most so many words is listed for the human eye.
const LISTED: usize = 16;

/// The symbols of a word by name; `None` stands for the symbol that joint privacy leaves out.
pub(super) fn symbols<'a>(
    automaton: &'a Automaton,
    notion: Notion,
    event: &Event,
    word: &[usize],
) -> Vec<Option<&'a str>> {
    let mut symbols: Vec<Option<&str>> =
        word.iter().map(|&output| Some(automaton.outputs()[output].as_str())).collect();
    if notion == Notion::Joint {
        symbols.insert(event.round, None);
    }
    symbols
}

/// The event as a set of words, or its size and rule. Symbols of one character stand side by
/// side; `·` is the answer that joint privacy leaves out.
pub(super) fn event(automaton: &Automaton, notion: Notion, witness: &Witness) -> String {
    let event = &witness.event;
    if !witness.listed {
        return "the outputs y with P(y) > e^ε·Q(y)".to_owned();
    }
    if event.words.is_empty() {
        return "{}".to_owned();
    }
    if event.words.len() > LISTED {
        return format!("the {} outputs y with P(y) > e^ε·Q(y)", event.words.len());
    }
    let narrow = automaton.interface().kind() != Kind::Learner
        && automaton.outputs().iter().all(|output| output.chars().count() == 1);
    let words: Vec<String> = event
        .words
        .iter()
        .map(|word| {
            let symbols: Vec<&str> = symbols(automaton, notion, event, word)
                .into_iter()
                .map(|symbol| symbol.unwrap_or("·"))
                .collect();
            symbols.join(if narrow { "" } else { " " })
        })
        .collect();
    format!("{{{}}}", words.join(", "))
}
