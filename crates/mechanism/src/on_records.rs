//! A mechanism on streams in which some records never stand.

use super::automaton::Automaton;
use super::{Interface, Law, Mechanism, Options, Output, compile};
use littlestone_base::error::Result;

impl Automaton {
    /// The automaton with what it does on records that are not `allowed` replaced by what it does on
    /// allowed ones; the law of the outputs is the same on every stream of allowed records. States
    /// that only other records tell apart become bisimilar, so that [`Automaton::minimised`] merges
    /// them. As in [`Automaton::by_role`] each state responds or observes, and one that observes knows
    /// what was shown before its release.
    ///
    /// # Errors
    /// Never, for an automaton whose rows are complete.
    pub fn on_records(&self, allowed: &dyn Fn(usize) -> bool) -> Result<Self> {
        let interface = self.interface();
        let afters = interface.after().len();
        let stands: Vec<Option<usize>> = (0..interface.before().len())
            .map(|before| (0..afters).find(|after| allowed(before * afters + after)))
            .collect();
        let Some(shown) = stands.iter().position(Option::is_some) else {
            return Ok(self.by_role());
        };
        let limited = Limited { automaton: self, allowed, stands, shown };
        compile(&limited, &Options { rounds: self.rounds(), ..Options::closed(usize::MAX) })
    }
}

struct Limited<'a> {
    automaton: &'a Automaton,
    allowed: &'a dyn Fn(usize) -> bool,
    /// For each *before* symbol, the first *after* symbol of an allowed record.
    stands: Vec<Option<usize>>,
    /// The first *before* symbol of an allowed record.
    shown: usize,
}

/// A state of the automaton, and what was shown before the release that led to it.
type State = (usize, Option<usize>);

impl Mechanism for Limited<'_> {
    type State = State;

    fn interface(&self) -> &Interface {
        self.automaton.interface()
    }

    fn start(&self) -> Result<Law<State>> {
        Ok(Mechanism::start(self.automaton)?.map(|state| (state, None)))
    }

    fn respond(&self, (state, _): &State, before: usize) -> Result<Law<(Output, State)>> {
        let before = if self.stands[before].is_some() { before } else { self.shown };
        let law = Mechanism::respond(self.automaton, state, before)?;
        Ok(law.map(|(output, next)| (output, (next, Some(before)))))
    }

    fn observe(&self, &(state, before): &State, after: usize) -> Result<Law<State>> {
        let before = before.unwrap_or(self.shown);
        let record = before * self.interface().after().len() + after;
        let after =
            if (self.allowed)(record) { after } else { self.stands[before].unwrap_or(after) };
        Ok(Mechanism::observe(self.automaton, &state, after)?.map(|state| (state, None)))
    }

    fn finish(&self, (state, _): &State) -> Result<Law<Output>> {
        Mechanism::finish(self.automaton, state)
    }

    fn rounds(&self) -> Option<usize> {
        self.automaton.rounds()
    }

    fn describe(&self, &(state, before): &State) -> String {
        let name = &self.automaton.states()[state];
        match before.map(|before| self.interface().before()[before].as_str()) {
            None => name.clone(),
            Some("") => format!("{name}, released"),
            Some(shown) => format!("{name}, released on {shown}"),
        }
    }
}
