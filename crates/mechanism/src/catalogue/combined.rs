//! The whole predictor of Section 7.3: `Combine_D` of two predictors that run independently.

use super::{Entry, Given};
use crate::spec::Parameter;
use crate::{Boxed, Interface, Kind, Law, Mechanism, Output};
use littlestone_base::error::{Error, Result};

/// Algorithm 4 with the two predictors inside.
pub const ENTRY: Entry = Entry {
    name: "combined",
    kind: Kind::Predictor,
    law: "asks the predictors A and F, which run independently and see the true labels, and answers \
          with Combine_D of their predictions",
    paper: "Theorem 3",
    twin: None,
    parameters: &[
        Parameter { name: "A", default: None, meaning: "a predictor" },
        Parameter { name: "F", default: None, meaning: "a predictor, in the paper that of Fact 5" },
        super::combine::DELAY,
        Parameter {
            name: "variant",
            default: Some("definition"),
            meaning: "definition; released-labels: F is shown the released predictions as labels, \
                      which the text excludes",
        },
    ],
    build: |given| Combined::of(given).map(Boxed::new),
};

#[derive(Debug)]
struct Combined {
    interface: Interface,
    first: Boxed,
    second: Boxed,
    combine: Boxed,
    released_labels: bool,
}

/// The states of both predictors and of the comparison rule; what was released, where it is needed
/// after the round.
type State = ([usize; 3], Option<bool>);

impl Combined {
    fn of(given: &Given<'_>) -> Result<Self> {
        let interface = Interface::predictor(given.points()?)?;
        let predictor = |name: &str| {
            let found = given.mechanism(name)?;
            if *found.interface() == interface {
                return Ok(found);
            }
            let kind = found.interface().kind();
            Err(Error::argument(format!(
                "the parameter `{name}` of `combined` takes a predictor on the points of the class, \
                 not this {kind}"
            )))
        };
        Ok(Self {
            first: predictor("A")?,
            second: predictor("F")?,
            combine: super::combine::boxed(given)?,
            released_labels: given.word("variant", &["definition", "released-labels"])?
                == "released-labels",
            interface,
        })
    }
}

impl Mechanism for Combined {
    type State = State;

    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn start(&self) -> Result<Law<State>> {
        let rule = self.combine.start()?;
        self.first
            .start()?
            .then(|&u| self.second.start()?.then(|&v| Ok(rule.clone().map(|c| ([u, v, c], None)))))
    }

    fn respond(&self, ([u, v, c], _): &State, before: usize) -> Result<Law<(Output, State)>> {
        let second = self.second.respond(v, before)?;
        self.first.respond(u, before)?.then(|(first, u)| {
            second.then(|(second, v)| {
                let pair = 2 * usize::from(first == "1") + usize::from(second == "1");
                Ok(self.combine.respond(c, pair)?.map(|(answer, c)| {
                    let kept = self.released_labels.then(|| answer == "1");
                    (answer, ([*u, *v, c], kept))
                }))
            })
        })
    }

    fn observe(&self, ([u, v, c], released): &State, after: usize) -> Result<Law<State>> {
        let shown = released.map_or(after, usize::from);
        let second = self.second.observe(v, shown)?;
        let rule = self.combine.observe(c, after)?;
        self.first
            .observe(u, after)?
            .then(|&u| second.then(|&v| Ok(rule.clone().map(|c| ([u, v, c], None)))))
    }

    fn remarks(&self) -> Vec<String> {
        [&self.first, &self.second].into_iter().flat_map(Boxed::remarks).collect()
    }

    fn rounds(&self) -> Option<usize> {
        [&self.first, &self.second].into_iter().filter_map(Boxed::rounds).min()
    }

    fn describe(&self, ([u, v, c], released): &State) -> String {
        let parts = [(&self.first, u), (&self.second, v), (&self.combine, c)];
        let parts: Vec<String> = parts.iter().map(|(inner, at)| inner.describe(at)).collect();
        let released = released.map_or_else(String::new, |bit| format!(" | {}", u8::from(bit)));
        format!("{}{released}", parts.join(" | "))
    }
}
