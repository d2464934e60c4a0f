//! Both proofs on the game as it is: all points of the class, all examples, all outputs.
//!
//! A certificate is about the columns that differ. What is here carries its tables over to the
//! class: a learner that copies, complements or fixes its outputs at the other points, and an
//! adversary that plays at the columns and does not look at the other outputs. So the rules say of
//! the class itself what the lemma on columns says of it otherwise.

use std::collections::BTreeMap;

use super::game::{Example, Game, Output};
use super::lower::{Pairs, Pattern, Weights};
use super::upper::{Law, Table};
use crate::format::Minimax;
use crate::rejection::{Rejection, Unproved};
use crate::verify::{End, Work};

/// The greatest number of histories times words of outputs of a game that is looked at as it is.
const GREATEST_SIZE: usize = 1 << 18;

/// What a point of the class is in the game on the columns.
#[derive(Debug, Clone, Copy)]
enum Place {
    /// All hypotheses label it so.
    Constant(bool),
    /// It is labelled as a column, or complementarily.
    Column { column: usize, complemented: bool },
}

/// The game on all points, with the way there.
#[derive(Debug)]
pub(super) struct Unreduced {
    /// The game: points are columns, and there is no constant point.
    pub game: Game,
    columns: Vec<usize>,
    constant: Option<(usize, bool)>,
    places: Vec<Place>,
}

impl Unreduced {
    /// The game on all points of the class; `None` if it is too large. `rows` are the hypotheses
    /// and `reduced` is the game on the columns, which was checked.
    pub fn new(certificate: &Minimax, rows: Vec<Vec<bool>>, reduced: &Game) -> Option<Self> {
        let points = certificate.points.len();
        fits(points, reduced)?;
        let place = |x: usize| {
            if rows.iter().all(|row| row[x] == rows[0][x]) {
                return Place::Constant(rows[0][x]);
            }
            let column = |(column, &k): (usize, &usize)| {
                let complemented = rows[0][x] != rows[0][k];
                let alike = rows.iter().all(|row| (row[x] != row[k]) == complemented);
                alike.then_some(Place::Column { column, complemented })
            };
            let found = certificate.columns.iter().enumerate().find_map(column);
            found.expect("every column is listed up to complement")
        };
        let places = (0..points).map(place).collect();
        let constant = certificate.constant.map(|x| (x, rows[0][x]));
        let game = reduced.on_all_points(rows);
        Some(Self { game, columns: certificate.columns.clone(), constant, places })
    }

    /// The examples on the columns that stand for examples of the class; the last one of a history
    /// for joint has the label 0.
    fn reduce(&self, reduced: &Game, history: &[Example]) -> Vec<Example> {
        let example = |&e: &Example| match self.places[e / 2] {
            Place::Constant(_) => 2 * self.columns.len(),
            Place::Column { column, complemented } => {
                2 * column + usize::from((e % 2 == 1) != complemented)
            }
        };
        let mut examples: Vec<Example> = history.iter().map(example).collect();
        if let Some(last) = examples.last_mut().filter(|_| reduced.joint) {
            *last = reduced.point(*last);
        }
        examples
    }

    /// What is released for outputs on the columns.
    fn extend(&self, history: &[Example], outputs: &[Output]) -> Vec<Output> {
        let label = |place: Place, output: Output| match place {
            Place::Constant(label) => label,
            Place::Column { column, complemented } => (output >> column & 1 == 1) != complemented,
        };
        let bit = |place: Place, output: Output| match place {
            Place::Constant(label) => label,
            Place::Column { complemented, .. } => (output == 1) != complemented,
        };
        let released = |(r, &output): (usize, &Output)| {
            if self.game.joint {
                return Output::from(bit(self.places[history[r] / 2], output));
            }
            let labels = self.places.iter().enumerate();
            labels.map(|(x, &place)| Output::from(label(place, output)) << x).sum()
        };
        outputs.iter().enumerate().map(released).collect()
    }

    /// The learner for the class.
    pub fn table(&self, reduced: &Game, table: &Table, work: &mut Work) -> Result<Table, End> {
        let mut all = Table::new();
        for history in self.game.histories() {
            work.step()?;
            let Some(law) = table.get(&self.reduce(reduced, &history)) else { continue };
            let extended = |(outputs, n): (&Vec<Output>, &_)| {
                (self.extend(&history, outputs), Clone::clone(n))
            };
            let law: Law = law.iter().map(extended).collect();
            all.insert(history, law);
        }
        Ok(all)
    }

    /// The examples of the class at the columns and at the constant point.
    fn embed(&self, examples: &[Example], history: bool) -> Vec<Example> {
        let example = |&e: &Example| match (self.columns.get(e / 2), self.constant) {
            (Some(x), _) => 2 * x + e % 2,
            (None, Some((x, label))) => 2 * x + usize::from(label),
            (None, None) => unreachable!("there is an example of the constant point"),
        };
        let mut examples: Vec<Example> = examples.iter().map(example).collect();
        if let Some(last) = examples.last_mut().filter(|_| history && self.game.joint) {
            *last = self.game.point(*last);
        }
        examples
    }

    /// The law over streams of the class.
    pub fn weights(&self, weights: Weights) -> Result<Weights, Rejection> {
        let embedded: Weights =
            weights.into_iter().map(|(stream, n)| (self.embed(&stream, false), n)).collect();
        if embedded.keys().any(|stream| !self.game.realises(stream)) {
            return Err(Rejection::unproved("lower.streams", Unproved::NotRealisable));
        }
        Ok(embedded)
    }

    /// The multipliers for outputs at all points: those of the outputs that are seen at the
    /// columns.
    pub fn pairs(&self, pairs: Pairs, work: &mut Work) -> Result<Pairs, End> {
        let mut embedded = Pairs::new();
        for ((first, second), patterns) in pairs {
            let histories = (self.embed(&first, true), self.embed(&second, true));
            if !self.game.counts(&histories.0, &histories.1) {
                let fault = Unproved::NotRealisable;
                return Err(Rejection::unproved("lower.multipliers", fault).into());
            }
            let mut all = BTreeMap::new();
            for (pattern, multiplier) in patterns {
                for seen in self.seen_as(&histories.0, &pattern) {
                    work.step()?;
                    all.insert(seen, multiplier.clone());
                }
            }
            embedded.insert(histories, all);
        }
        Ok(embedded)
    }

    /// The outputs at all points that are seen as a pattern at the columns.
    fn seen_as(&self, history: &[Example], pattern: &Pattern) -> Vec<Pattern> {
        let round = |(r, output): (usize, &Option<Output>)| -> Vec<Option<Output>> {
            let Some(output) = *output else { return vec![None] };
            let all = 0..self.game.alphabet(Some(0));
            if !self.game.joint {
                let seen = |full: &Output| {
                    let labels = self.columns.iter().enumerate();
                    labels.map(|(k, &x)| (full >> x & 1) << k).sum::<Output>() == output
                };
                return all.filter(seen).map(Some).collect();
            }
            let silent = self.constant.is_some_and(|(x, _)| history[r] / 2 == x);
            all.filter(|&bit| silent || bit == output).map(Some).collect()
        };
        let mut patterns = vec![Pattern::new()];
        for outputs in pattern.iter().enumerate().map(round) {
            let longer = |pattern: &Pattern| {
                let with = |output| pattern.iter().copied().chain([output]).collect();
                outputs.iter().copied().map(with).collect::<Vec<Pattern>>()
            };
            patterns = patterns.iter().flat_map(longer).collect();
        }
        patterns
    }
}

/// Whether the game on all points is small enough.
fn fits(points: usize, game: &Game) -> Option<()> {
    let rounds = u32::try_from(game.rounds).ok()?;
    let before = points.checked_mul(2)?.checked_pow(rounds - 1)?;
    let (histories, outputs) = if game.joint {
        (before.checked_mul(points)?, 2usize)
    } else {
        (before, 1usize.checked_shl(u32::try_from(points).ok()?)?)
    };
    let words = outputs.checked_pow(rounds)?;
    (histories.checked_mul(words)? <= GREATEST_SIZE && points <= super::game::GREATEST_COLUMNS)
        .then_some(())
}
