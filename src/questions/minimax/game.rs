//! One game of the question: its size is admitted before it is built, then it is solved, and what is found
//! is written.

use std::path::Path;

use crate::certificate::format;
use crate::class::Class;
use crate::error::Result;
use crate::exact::{Epsilon, Number, Rational};
use crate::file;
use crate::limits::Limits;
use crate::mechanism::{Options, compile, table};
use crate::minimax::orbits::{Symmetry, symmetries};
use crate::minimax::{
    Against, Bounds, Game, Neighbours, Privacy, Size, Strategy, best_response, certify,
};
use crate::questions::Run;
use crate::questions::subject::StreamScope;

use super::MinimaxQuestion;

/// A game with its parameters, whose size was checked.
pub(super) struct SizedGame {
    pub(super) game: Game,
    pub(super) group: Vec<Symmetry>,
    pub(super) privacy: Privacy,
}

impl SizedGame {
    pub(super) fn new(
        question: &MinimaxQuestion,
        class: &Class,
        rounds: usize,
        epsilon: &Epsilon,
        limits: &Limits,
    ) -> Result<Self> {
        let neighbours = match question.streams {
            StreamScope::All => Neighbours::All,
            StreamScope::Realisable => Neighbours::Realisable,
        };
        let game = Game::new(class, question.notion(), neighbours, rounds)?;
        let group = symmetries(&game);
        Size::admit(&game, group.len(), limits.states)?;
        Ok(Self { game, group, privacy: Privacy::new(epsilon, question.delta()) })
    }

    pub(super) fn solve(&self, against: &Against, run: &Run<'_>) -> Bounds {
        run.progress.enter(format!("the program of T = {}", self.game.rounds()));
        best_response(&self.game, &self.group, &self.privacy, against, &run.limits)
    }

    pub(super) fn certify(
        &self,
        question: &MinimaxQuestion,
        class: &Class,
        bounds: &Bounds,
        path: &Path,
        limits: &Limits,
    ) -> Result<()> {
        let Self { game, group, privacy } = self;
        let (source, epsilon) = (question.subject.class.as_str(), question.epsilon());
        let certificate =
            certify::certificate(class, source, game, group, epsilon, privacy, bounds, limits);
        file::write(path, |out| format::write_lines(&certificate, out))
    }

    pub(super) fn save(
        &self,
        class: &Class,
        bounds: &Bounds,
        path: &Path,
        limits: &Limits,
    ) -> Result<()> {
        let levels = bounds.upper.learner.rounds(&self.game, limits)?;
        let levels = levels.expect("the table of a bound is causal");
        let strategy = Strategy::new(&self.game, class, levels)?;
        let options = Options::rounds(self.game.rounds(), Options::STATES).within(limits);
        let automaton = compile(&strategy, &options)?;
        file::write(path, |out| out.write_all(table::write(&automaton).as_bytes()))
    }
}

/// Bounds on V for every class of this sort: fair bits err half of the time, and the first output
/// against a fair label; where all hypotheses are equal there is nothing to learn.
pub(super) fn trivial(game: &Game) -> [Number; 2] {
    let fair = |rounds: usize| Rational::new(rounds.into(), 2.into()).into();
    if game.columns().is_empty() {
        [Number::zero(), Number::zero()]
    } else {
        [fair(1), fair(game.rounds())]
    }
}
