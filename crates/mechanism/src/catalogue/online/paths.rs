//! Algorithm 3 and the predictor `A_N` on one stream, with the same randomness.

use super::algorithm::{Happened, Online};
use super::tape::{Player, Tape};
use crate::catalogue::{Entry, Given};
use crate::{Boxed, Interface, Kind, Law, Mechanism, Output};
use littlestone_base::error::Result;

/// Both on the records of a data set, in their order as a stream.
pub const ENTRY: Entry = Entry {
    name: "online-paths",
    kind: Kind::OneShot,
    law: "sees a stream, and answers whether Algorithm 3 and A_N with all candidates available \
          predict alike with the same randomness: same, differs, or rewritten where a replacement \
          contradicts an earlier prediction; with -two where two candidates were obtained in one \
          round, -padded where one is padding, and -replaced where some prediction is not that of h_0",
    paper: "Algorithm 3",
    twin: None,
    parameters: &super::ALL,
    build: |given| Paths::of(given).map(Boxed::new),
};

#[derive(Debug)]
struct Paths {
    interface: Interface,
    online: Online,
}

impl Paths {
    fn of(given: &Given<'_>) -> Result<Self> {
        let points = given.points()?;
        let records = points.iter().flat_map(|x| [format!("{x}:0"), format!("{x}:1")]).collect();
        let mut outputs = Vec::new();
        for verdict in ["same", "differs", "rewritten"] {
            for events in 0..8 {
                outputs.push(name(verdict, [events & 1 == 1, events & 2 == 2, events & 4 == 4]));
            }
        }
        let interface = Interface::one_shot(records, outputs)?;
        Ok(Self { interface, online: Online::of(given)? })
    }

    /// Both predictors for one value of the randomness.
    fn compare(&self, stream: &[(usize, bool)], tape: &mut Tape) -> Result<String> {
        let mut player = Player::new(tape);
        let mut state = self.online.start();
        let mut all = Happened::default();
        let mut answers = Vec::with_capacity(stream.len());
        for &(x, y) in stream {
            let (answer, happened) = self.online.respond(&mut state, x, &mut player)?;
            all.obtained = all.obtained.max(happened.obtained);
            all.padded |= happened.padded;
            all.rewritten |= happened.rewritten;
            answers.push(answer);
            self.online.observe(&mut state, y, &mut player)?;
        }
        let offline = self.online.offline(stream, &mut Player::new(tape))?;
        let first = &self.online.algorithm.parameters().first;
        let replaced = stream.iter().zip(&offline).any(|(&(x, _), &a)| a != first.label(x));
        let verdict = match (answers == offline, all.rewritten) {
            (false, _) => "differs",
            (true, true) => "rewritten",
            (true, false) => "same",
        };
        Ok(name(verdict, [all.obtained > 1, all.padded, replaced]))
    }
}

fn name(verdict: &str, [two, padded, replaced]: [bool; 3]) -> String {
    let events = [(two, "-two"), (padded, "-padded"), (replaced, "-replaced")];
    let events: String = events.iter().filter(|(is, _)| *is).map(|(_, name)| *name).collect();
    format!("{verdict}{events}")
}

impl Mechanism for Paths {
    type State = Vec<usize>;

    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn start(&self) -> Result<Law<Self::State>> {
        Ok(Law::certain(Vec::new()))
    }

    fn respond(&self, state: &Self::State, _: usize) -> Result<Law<(Output, Self::State)>> {
        Ok(Law::certain((String::new(), state.clone())))
    }

    fn observe(&self, state: &Self::State, after: usize) -> Result<Law<Self::State>> {
        Ok(Law::certain(state.iter().copied().chain([after]).collect()))
    }

    fn finish(&self, state: &Self::State) -> Result<Law<Output>> {
        let stream: Vec<(usize, bool)> = state.iter().map(|r| (r / 2, r % 2 == 1)).collect();
        let mut tape = Tape::default();
        let mut weights = Vec::new();
        loop {
            weights.push((self.compare(&stream, &mut tape)?, tape.probability()));
            if !tape.advance() {
                return Law::new("both predictors", weights);
            }
        }
    }

    fn remarks(&self) -> Vec<String> {
        self.online.remarks()
    }

    fn describe(&self, state: &Self::State) -> String {
        let names: Vec<&str> =
            state.iter().map(|&record| self.interface.after()[record].as_str()).collect();
        format!("({})", names.join(", "))
    }
}
