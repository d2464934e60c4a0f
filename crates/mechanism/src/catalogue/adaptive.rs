//! Adaptive composition of two transducers: the second is given what the first answered in the same
//! round, and nothing else of it (the setting of Lemma 12).
//!
//! A symbol of the second is named `u…v…`: first the answer of the first, then a symbol of its own.
//! So the composition of two is again a transducer that may be first in another.

use itertools::Itertools;

use super::{Entry, Given};
use crate::spec::Parameter;
use crate::{Boxed, Interface, Kind, Law, Mechanism, Output};
use littlestone_base::error::{Error, Result};

/// Greatest number of symbols of the composition, and of its outputs.
const SYMBOLS: usize = 4_096;

/// Two transducers in a row.
pub const ENTRY: Entry = Entry {
    name: "adaptive",
    kind: Kind::Transducer,
    law: "two transducers on one stream: in each round the second is given the answer o of the first \
          and a symbol c of its own as its symbol u<o>v<c>; both see the label",
    paper: "Lemma 12",
    twin: None,
    parameters: &[
        Parameter {
            name: "first",
            default: None,
            meaning: "a transducer; a symbol of the composition is one of its symbols followed by \
                      v and a symbol of the second's own",
        },
        Parameter {
            name: "second",
            default: None,
            meaning: "a transducer with the same labels, whose symbols are named u<o>v<c> for each \
                      answer o of the first and each c of its own, such as replacement or combine",
        },
        Parameter {
            name: "release",
            default: Some("second"),
            meaning: "second: the answer of the second; both: the answers of both, joined by /",
        },
    ],
    build: |given| Adaptive::of(given).map(Boxed::new),
};

#[derive(Debug)]
struct Adaptive {
    interface: Interface,
    first: Boxed,
    second: Boxed,
    /// The second's symbol for each answer of the first and each symbol of its own.
    inputs: Vec<Vec<usize>>,
    both: bool,
}

impl Adaptive {
    fn of(given: &Given<'_>) -> Result<Self> {
        let part = |name: &str| -> Result<Boxed> {
            let part = given.mechanism(name)?;
            match part.interface().kind() {
                Kind::Transducer => Ok(part),
                kind => Err(given.unfit(name, "a transducer", &format!("a {kind}"))),
            }
        };
        let (first, second) = (part("first")?, part("second")?);
        let both = given.word("release", &["second", "both"])? == "both";
        let (one, two) = (first.interface(), second.interface());
        if one.after() != two.after() {
            let labels = |of: &Interface| of.after().join(", ");
            let expected = format!("a transducer with the labels {}", labels(one));
            return Err(given.unfit("second", &expected, &format!("one with {}", labels(two))));
        }
        let (own, inputs) = inputs(one.outputs(), two.before())
            .map_err(|(expected, found)| given.unfit("second", &expected, &found))?;
        let joined = |a: &[String], b: &[String], by: &str| -> Result<Vec<String>> {
            if a.len().saturating_mul(b.len()) > SYMBOLS {
                return Err(Error::TooLarge {
                    what: "an alphabet of `adaptive`".into(),
                    size: format!("{} symbols", a.len().saturating_mul(b.len())),
                    limit: SYMBOLS.to_string(),
                });
            }
            let names = a.iter().flat_map(|x| b.iter().map(move |y| format!("{x}{by}{y}")));
            Ok(names.collect())
        };
        let outputs =
            if both { joined(one.outputs(), two.outputs(), "/")? } else { two.outputs().to_vec() };
        let before = joined(one.before(), &own, "v")?;
        let interface = Interface::transducer(before, outputs, one.after().to_vec())?;
        Ok(Self { interface, first, second, inputs, both })
    }
}

/// The second's own symbols c, and for each answer o and each c the place of `u<o>v<c>`; or what was
/// expected and what was found.
type Inputs = (Vec<String>, Vec<Vec<usize>>);

fn inputs(answers: &[String], symbols: &[String]) -> std::result::Result<Inputs, (String, String)> {
    let expected = "a transducer whose symbols are u<o>v<c> for the answers o of the first";
    let head = format!("u{}v", answers[0]);
    let own: Vec<String> =
        symbols.iter().filter_map(|name| name.strip_prefix(&head)).map(String::from).collect();
    let place = |answer: &String, own: &String| {
        let name = format!("u{answer}v{own}");
        let place = symbols.iter().position(|symbol| *symbol == name);
        place.ok_or_else(|| (expected.to_owned(), format!("one without {name}")))
    };
    let inputs: std::result::Result<Vec<Vec<usize>>, _> =
        (answers.iter()).map(|answer| own.iter().map(|own| place(answer, own)).collect()).collect();
    let inputs = inputs?;
    // Each place stands for one pair, for no two pairs have one name and one answer.
    let mut named: Vec<usize> = inputs.iter().flatten().copied().collect();
    named.sort_unstable();
    named.dedup();
    if own.is_empty() || named.len() != answers.len() * own.len() || named.len() != symbols.len() {
        return Err((expected.to_owned(), format!("one with {}", symbols.join(", "))));
    }
    Ok((own, inputs))
}

impl Mechanism for Adaptive {
    type State = (usize, usize);

    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn start(&self) -> Result<Law<(usize, usize)>> {
        let second = self.second.start()?;
        self.first.start()?.then(|&one| Ok(second.clone().map(|two| (one, two))))
    }

    fn respond(
        &self,
        &(one, two): &(usize, usize),
        before: usize,
    ) -> Result<Law<(Output, (usize, usize))>> {
        let own = self.inputs[0].len();
        self.first.respond(&one, before / own)?.then(|(answer, one)| {
            let outputs = self.first.interface().outputs();
            let place = outputs.iter().position(|output| output == answer).ok_or_else(|| {
                Error::argument(format!("`{answer}` is no output of the first mechanism"))
            })?;
            let law = self.second.respond(&two, self.inputs[place][before % own])?;
            Ok(law.map(|(output, two)| {
                let released = if self.both { format!("{answer}/{output}") } else { output };
                (released, (*one, two))
            }))
        })
    }

    fn observe(&self, &(one, two): &(usize, usize), after: usize) -> Result<Law<(usize, usize)>> {
        let second = self.second.observe(&two, after)?;
        self.first.observe(&one, after)?.then(|&one| Ok(second.clone().map(|two| (one, two))))
    }

    fn remarks(&self) -> Vec<String> {
        self.first.remarks().into_iter().chain(self.second.remarks()).unique().collect()
    }

    fn rounds(&self) -> Option<usize> {
        [&self.first, &self.second].into_iter().filter_map(Boxed::rounds).min()
    }

    fn describe(&self, (one, two): &(usize, usize)) -> String {
        format!("{}; {}", self.first.describe(one), self.second.describe(two))
    }
}
