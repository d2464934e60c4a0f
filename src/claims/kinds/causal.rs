//! Kind `causal`: outputs depend only on what the game has shown (Definitions 1 and 3).

use std::collections::BTreeMap;

use crate::error::Error;
use crate::limits::{Limits, Progress};
use crate::mechanism::{Automaton, Interface, Kind as MechanismKind};
use crate::privacy::{Causality, Violation, causal};

use super::super::{Fields, Finding, Located, Verdict};
use super::subject::{MECHANISM, ROUNDS, Subject, show_stream, show_word};
use super::{Check, Classes, Key, Kind, Parse, keys};

pub(super) static KIND: Kind = Kind {
    name: "causal",
    about: "the law of outputs 1, …, r depends only on what may be seen before output r \
            (Definitions 1 and 3)",
    keys: &[
        MECHANISM,
        keys::CLASS,
        keys::HEADER,
        ROUNDS,
        Key {
            name: "game",
            grid: true,
            about: "`learning`: nothing of a round is seen before its output; `prediction`: the point is",
        },
        Key {
            name: "sees",
            grid: false,
            about: "instead of a game: for each *before* symbol, what may be seen of it before the output",
        },
    ],
    parse: Parse::Own(parse),
};

/// The laws of so many output words are printed.
const WORDS: usize = 6;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Game {
    Learning,
    Prediction,
}

#[derive(Debug)]
enum Sight {
    Game(Option<Game>),
    Map(Vec<(Located<String>, String)>),
}

#[derive(Debug)]
struct CausalCheck {
    subject: Subject,
    rounds: usize,
    sight: Sight,
}

fn parse(fields: &mut Fields<'_>) -> Option<Box<dyn Check>> {
    let subject = Subject::parse(fields);
    let rounds = fields.needed_rounds(ROUNDS.name);
    let sight = match (fields.has("game"), fields.has("sees")) {
        (true, true) => {
            let position = fields.position();
            fields.refuse(position, "one of the keys `game` and `sees`", "both");
            None
        }
        (true, false) => {
            let games = [("learning", Game::Learning), ("prediction", Game::Prediction)];
            fields.choice("game", &games).map(|game| Sight::Game(Some(game)))
        }
        (false, true) => fields.texts("sees").map(Sight::Map),
        (false, false) => Some(Sight::Game(None)),
    };
    Some(Box::new(CausalCheck { subject: subject?, rounds: rounds?, sight: sight? }))
}

impl Check for CausalCheck {
    fn load(&mut self, classes: &mut Classes<'_>) {
        self.subject.load(classes);
    }

    fn run(&self, limits: &Limits) -> Result<Finding, Error> {
        let options = Subject::options(self.rounds, limits);
        let built = self.subject.build(&options, limits)?;
        let automaton = &built.automaton;
        let interface = automaton.interface();
        let seen = self.seen(interface)?;
        let looks: Vec<usize> = (0..interface.records())
            .map(|record| {
                let seen_of = &seen[interface.parts(record).0];
                seen.iter().position(|other| other == seen_of).expect("it is in the list")
            })
            .collect();
        let found = causal(automaton, &looks, self.rounds, limits, &Progress::default())
            .map_err(|error| self.subject.fault(&error))?;
        // A part that is equal cannot be told apart, whatever the mechanism does.
        let hidden = (0..seen.len()).any(|a| (0..a).any(|b| seen[a] == seen[b]));
        let mut finding = self.finding(automaton, found, hidden);
        finding.details.extend(built.notes());
        Ok(finding)
    }
}

impl CausalCheck {
    /// For each *before* symbol, what may be seen of it.
    fn seen(&self, interface: &Interface) -> Result<Vec<String>, Error> {
        let before = interface.before();
        match &self.sight {
            Sight::Map(map) => Self::mapped(map, before),
            Sight::Game(game) => {
                let game = match (game, interface.kind()) {
                    (Some(game), _) => *game,
                    (None, MechanismKind::Learner) => Game::Learning,
                    (None, MechanismKind::Predictor) => Game::Prediction,
                    (None, kind) => {
                        let expected = format!("one of the keys `game` and `sees` for this {kind}");
                        let position = self.subject.position().clone();
                        return Err(Error::malformed(position, expected, "a claim without them"));
                    }
                };
                let point = |symbol: &String| match (game, interface.kind()) {
                    (Game::Learning, _) => Ok(String::new()),
                    (Game::Prediction, MechanismKind::Transducer) => {
                        match symbol.rsplit_once(':') {
                            Some((point, "0" | "1")) => Ok(point.to_owned()),
                            _ => Err(Error::malformed(
                                self.subject.position().clone(),
                                "*before* symbols that are examples `point:label`, or the key `sees`",
                                format!("`{symbol}`"),
                            )),
                        }
                    }
                    (Game::Prediction, _) => Ok(symbol.clone()),
                };
                before.iter().map(point).collect()
            }
        }
    }

    fn mapped(map: &[(Located<String>, String)], before: &[String]) -> Result<Vec<String>, Error> {
        if let Some((name, _)) = map.iter().find(|(name, _)| !before.contains(&name.value)) {
            let expected = format!("one of the *before* symbols {}", before.join(", "));
            return Err(Error::malformed(
                name.position.clone(),
                expected,
                format!("`{}`", name.value),
            ));
        }
        // A symbol that is not listed may be seen in full, and is told apart from every text.
        let seen = |symbol: &String| {
            let listed = map.iter().find(|(name, _)| name.value == *symbol);
            listed.map_or_else(|| format!("symbol {symbol}"), |(_, text)| format!("text {text}"))
        };
        Ok(before.iter().map(seen).collect())
    }

    fn finding(&self, automaton: &Automaton, found: Causality, hidden: bool) -> Finding {
        let at = format!("T = {}", self.rounds);
        let mut finding = Finding {
            verdict: Verdict::Holds,
            found: String::new(),
            non_vacuous: None,
            details: Vec::new(),
            values: BTreeMap::new(),
        };
        match found {
            Causality::Causal { .. } if !hidden => {
                finding.verdict = Verdict::Vacuous;
                finding.found = format!("causal by construction, {at}");
                finding.details.push(
                    "vacuous: all that is given before the output may be seen, so this claim says \
                     nothing"
                        .into(),
                );
            }
            Causality::Causal { compared, every_length } => {
                let lengths = if every_length { " and every other T" } else { "" };
                finding.found = format!("outputs depend only on what may be seen, {at}{lengths}");
                finding.non_vacuous =
                    Some(format!("{compared} pairs of rounds that look alike were compared"));
                finding.values.insert("compared".into(), compared.to_string());
            }
            Causality::Undecided { rounds, stopped } => {
                finding.verdict = Verdict::Undecided;
                finding.found = format!("no violation within {} rounds ({stopped})", rounds - 1);
            }
            Causality::Violated(violation) => {
                finding.verdict = Verdict::Refuted;
                let round = violation.streams[0].len();
                finding.found =
                    format!("output {round} depends on what may not be seen before it, {at}");
                finding.details = lines(automaton, &violation);
            }
        }
        finding
    }
}

/// The two streams and the words whose probabilities differ.
fn lines(automaton: &Automaton, violation: &Violation) -> Vec<String> {
    let [first, second] =
        violation.streams.each_ref().map(|stream| show_stream(automaton.interface(), stream));
    let mut lines = vec![format!("{first} and {second} look alike before the last output")];
    let words = violation.words.iter().take(WORDS);
    lines.extend(words.map(|(word, [p, q])| {
        let word = show_word(automaton, word, None);
        format!("the outputs {word} have probability {p} against {q}")
    }));
    if violation.words.len() > WORDS {
        lines.push(format!("… and {} more", violation.words.len() - WORDS));
    }
    lines
}
