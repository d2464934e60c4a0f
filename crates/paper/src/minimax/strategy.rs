//! A learner of the reduced game as a mechanism for the class.

use num_traits::Zero;

use super::game::{Game, Place};
use super::learner::Levels;
use littlestone_base::error::Result;
use littlestone_class::Class;
use littlestone_exact::{BigInt, Rational};
use littlestone_mechanism::{Interface, Law, Mechanism, Output};
use littlestone_privacy::Notion;

/// A table of probabilities as a learner or predictor for a class: it keeps the examples and its
/// outputs in private memory and draws each output from its law given those.
#[derive(Debug)]
pub struct Strategy<'g> {
    game: &'g Game,
    interface: Interface,
    levels: Levels,
}

/// What a [`Strategy`] remembers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Memory {
    /// The examples of the rounds that are over; empty when nothing follows.
    examples: Vec<usize>,
    /// The outputs, as a word.
    word: usize,
    /// The point of the round, when the output is released and the label not yet seen.
    point: Option<usize>,
    /// Whether all rounds are over.
    over: bool,
}

impl<'g> Strategy<'g> {
    /// The mechanism with the given [`Learner::rounds`](super::Learner::rounds).
    ///
    /// # Errors
    /// When the points of the class have names that mechanisms do not take.
    pub fn new(game: &'g Game, class: &Class, levels: Levels) -> Result<Self> {
        let points = class.point_names().to_vec();
        let interface = match game.notion() {
            Notion::Whole => Interface::learner(points)?,
            Notion::Joint => Interface::predictor(points)?,
        };
        Ok(Self { game, interface, levels })
    }

    /// The example of the reduced game at a point of the class, if the label were 0 there, and
    /// whether the label is complemented.
    fn place(&self, point: usize) -> (usize, bool) {
        match self.game.places()[point] {
            Place::Constant(_) => (2 * self.game.columns().len(), false),
            Place::Column { column, complemented } => (2 * column, complemented),
        }
    }
}

/// What is released for an output of the reduced game, at a point of the class (which makes a
/// difference for predictors alone).
pub fn released(game: &Game, point: usize, output: usize) -> Output {
    let label = |place: &Place| match place {
        Place::Constant(label) => *label,
        Place::Column { column, complemented } => (output >> column & 1 == 1) != *complemented,
    };
    let bit = |label: bool| if label { '1' } else { '0' };
    match (game.notion(), game.places()[point]) {
        (Notion::Whole, _) => game.places().iter().map(|p| bit(label(p))).collect(),
        (Notion::Joint, Place::Constant(label)) => bit(label).to_string(),
        (Notion::Joint, Place::Column { complemented, .. }) => {
            bit((output == 1) != complemented).to_string()
        }
    }
}

impl Mechanism for Strategy<'_> {
    type State = Memory;

    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn start(&self) -> Result<Law<Memory>> {
        let empty = Memory { examples: Vec::new(), word: 0, point: None, over: false };
        Ok(Law::certain(empty))
    }

    fn respond(&self, state: &Memory, before: usize) -> Result<Law<(Output, Memory)>> {
        let round = state.examples.len() + 1;
        let mut history = state.examples.clone();
        let mut point = None;
        if self.game.notion() == Notion::Joint {
            history.push(self.place(before).0);
            point = Some(before);
        }
        let code = self.game.code(&history);
        let words = self.game.words(round).expect("the size was checked");
        let mass = |word: usize| &self.levels[round - 1][code * words + word];
        let own: Vec<usize> = self
            .game
            .words_of(round, code)
            .into_iter()
            .filter(|word| word / self.game.outputs() == state.word)
            .collect();
        let total: BigInt = own.iter().map(|&word| mass(word)).sum();
        let law = own.into_iter().filter(|&word| !mass(word).is_zero()).map(|word| {
            let next = Memory { word, point, ..state.clone() };
            let weight = Rational::new(mass(word).clone(), total.clone());
            ((released(self.game, before, word % self.game.outputs()), next), weight.into())
        });
        Law::new(format_args!("{state:?}"), law.collect::<Vec<_>>())
    }

    fn observe(&self, state: &Memory, after: usize) -> Result<Law<Memory>> {
        let (point, label) = match state.point {
            Some(point) => (point, after == 1),
            None => (after / 2, after % 2 == 1),
        };
        let (example, complemented) = self.place(point);
        // Labels that no hypothesis gives are taken for the other one.
        let constant = example == 2 * self.game.columns().len();
        let label = usize::from(!constant && label != complemented);
        let mut next = Memory { point: None, ..state.clone() };
        next.examples.push(example + label);
        if next.examples.len() == self.game.rounds() {
            next = Memory { examples: Vec::new(), word: 0, point: None, over: true };
        }
        Ok(Law::certain(next))
    }

    fn describe(&self, state: &Memory) -> String {
        if state.over {
            return format!("the end of the {} rounds of this table", self.game.rounds());
        }
        let list = |items: Vec<String>| items.join(" ");
        let examples = state.examples.iter().map(ToString::to_string).collect();
        let released = state.point.map_or("", |_| ", released");
        format!("examples [{}], word {}{released}", list(examples), state.word)
    }
}
