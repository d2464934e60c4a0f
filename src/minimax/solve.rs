//! From a game to bounds on its value, with their proofs.

use std::time::Instant;

use num_traits::{One, Zero};

use super::adversary::{Adversary, Tangent};
use super::face;
use super::game::Game;
use super::guess::{self, Guess, Precision};
use super::law::Against;
use super::learner::Learner;
use super::orbits::Symmetry;
use super::program::Program;
use super::trivial;
use crate::exact::{BigInt, Epsilon, Number, Rational};

/// What is asked: e^ε, or rational numbers on either side of it, and δ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Privacy {
    /// A number from 1 to e^ε, which upper bounds use.
    pub low: Rational,
    /// A number from e^ε on, which lower bounds use.
    pub high: Rational,
    /// A number from 0 to δ, which upper bounds use.
    pub delta: Rational,
    /// A number from δ on, which lower bounds use.
    pub delta_above: Rational,
}

/// Binary digits after the point of the numbers on either side of e^ε and δ.
const FACTOR_BITS: u64 = 64;

impl Privacy {
    /// The parameters ε and δ; for e^ε and δ that are not rational, with numbers on either side.
    pub fn new(epsilon: &Epsilon, delta: impl Into<Number>) -> Self {
        let (low, high) = epsilon.factor().enclosure(FACTOR_BITS);
        let (delta, delta_above) = delta.into().enclosure(FACTOR_BITS);
        Self { low, high, delta, delta_above }
    }

    /// Whether e^ε and δ are rational, so that both bounds are about the same program.
    pub fn is_rational(&self) -> bool {
        self.low == self.high && self.delta == self.delta_above
    }
}

/// An upper bound on the value.
#[derive(Debug, Clone)]
pub struct Upper {
    /// The bound.
    pub bound: Rational,
    /// A learner that makes so many mistakes on the worst stream.
    pub learner: Learner,
}

/// A lower bound on the value.
#[derive(Debug, Clone)]
pub struct Lower {
    /// The bound.
    pub bound: Rational,
    /// The bound for every δ.
    pub tangent: Tangent,
    /// An adversary that proves it.
    pub adversary: Adversary,
}

/// Bounds on the value V: the expected mistakes that the best private learner makes on the worst
/// realisable stream.
#[derive(Debug, Clone)]
pub struct Bounds {
    /// The greatest lower bound that was proved.
    pub lower: Lower,
    /// The least upper bound that was proved.
    pub upper: Upper,
    /// Columns and rows of the program; `None` when none was solved.
    pub program: Option<(usize, usize)>,
    /// Why the search ended without all it could find, if it did.
    pub stopped: Option<Stopped>,
}

/// Why a search ended with bounds that may be far apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopped {
    /// The time was over.
    Time,
    /// The guess in floating point failed, or was of no use for one of the bounds, which is then
    /// that of uniformly distributed outputs, or of one repeated example.
    Guess,
}

impl Bounds {
    /// The value, if the bounds agree.
    pub fn value(&self) -> Option<&Rational> {
        (self.lower.bound == self.upper.bound).then_some(&self.upper.bound)
    }
}

/// Bounds on the value of a game whose size was checked (see [`super::Size`]), up to the
/// symmetries in `group`, which keep the game.
///
/// The program is solved in floating point, and exact solutions are looked for on the optimal face;
/// where that fails, the guess is rounded to a learner and an adversary, and the bounds that these
/// prove are returned. Each bound is worked out exactly from its proof. See [`super`].
pub fn solve(
    game: &Game,
    group: &[Symmetry],
    privacy: &Privacy,
    deadline: Option<Instant>,
) -> Bounds {
    best_response(game, group, privacy, &Against::Worst, deadline)
}

/// The same against a law over streams: bounds on the expected mistakes of the best private learner
/// against it. The symmetries in `group` keep the law.
pub fn best_response(
    game: &Game,
    group: &[Symmetry],
    privacy: &Privacy,
    against: &Against,
    deadline: Option<Instant>,
) -> Bounds {
    let mut search = Search::new(game, group, privacy, against, deadline);
    if search.found.value().is_none() {
        search.run();
    }
    search.found
}

struct Search<'g> {
    game: &'g Game,
    group: &'g [Symmetry],
    privacy: &'g Privacy,
    against: &'g Against,
    deadline: Option<Instant>,
    found: Bounds,
    /// Whether a bound is better than the one that needs no program.
    improved: (bool, bool),
}

impl<'g> Search<'g> {
    fn new(
        game: &'g Game,
        group: &'g [Symmetry],
        privacy: &'g Privacy,
        against: &'g Against,
        deadline: Option<Instant>,
    ) -> Self {
        let adversary = match against {
            Against::Worst => trivial::adversary(
                game,
                trivial::suffices(game, &privacy.high, &privacy.delta_above),
            ),
            Against::Law(law) => Adversary::of_law(law),
        };
        let learner = trivial::learner(game);
        let lower = lower(game, privacy, adversary).expect("a bound of any adversary");
        let upper = upper(game, privacy, against, learner).expect("uniform outputs are private");
        let found = Bounds { lower, upper, program: None, stopped: None };
        Self { game, group, privacy, against, deadline, found, improved: (false, false) }
    }

    fn run(&mut self) {
        let (rho, delta) = (&self.privacy.low, &self.privacy.delta);
        let program = Program::new(self.game, self.group, !delta.is_zero(), self.against);
        let rows = program.equalities.len() + program.inequalities.len();
        self.found.program = Some((program.columns, rows));
        let precisions: &[Precision] = if self.privacy.is_rational() {
            &[Precision::Plain, Precision::Twice]
        } else {
            &[Precision::Plain]
        };
        let mut last = None;
        for &precision in precisions {
            let Some(guess) = guess::guess(&program, rho, delta, precision, self.deadline) else {
                continue;
            };
            // Between two enclosing numbers there is no exact value to be found.
            if self.privacy.is_rational() {
                self.face(&program, &guess);
            }
            if self.found.value().is_some() {
                return;
            }
            last = Some(guess);
        }
        if let Some(guess) = last {
            self.rounded(&program, &guess);
        }
        let over = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        self.found.stopped = match self.improved {
            _ if self.found.value().is_some() => None,
            _ if over => Some(Stopped::Time),
            (true, true) => None,
            _ => Some(Stopped::Guess),
        };
    }

    /// Exact solutions on the face that the guess points to.
    fn face(&mut self, program: &Program, guess: &Guess) {
        let (rho, delta) = (&self.privacy.low, &self.privacy.delta);
        if let Ok(columns) = face::columns(program, rho, delta, guess, self.deadline) {
            let learner = Learner::new(self.game, |history, word| {
                columns[program.column(self.game.rounds(), history, word)].clone()
            });
            self.improve_upper(learner);
        }
        if let Ok(rows) = face::multipliers(program, rho, guess, self.deadline) {
            self.improve_lower(program, &rows);
        }
    }

    /// The guess itself, rounded such that it proves something.
    fn rounded(&mut self, program: &Program, guess: &Guess) {
        let learner = Learner::of_kernels(self.game, |round, history, word| {
            &guess.columns[program.column(round, history, word)]
        });
        let learner = learner.averaged(self.game, self.group);
        let (rho, delta) = (&self.privacy.low, &self.privacy.delta);
        if let Some(weight) = learner.mixing_weight(self.game, rho, delta) {
            let mixed = !weight.is_zero();
            let learner = if mixed { learner.mixed(self.game, &weight) } else { learner };
            self.improve_upper(learner);
        }
        let unit = BigInt::one() << guess.bits;
        let number = |n: &BigInt| Rational::new(n.clone(), unit.clone());
        let rows: Vec<Rational> = guess.inequalities.iter().map(number).collect();
        self.improve_lower(program, &rows);
    }

    fn improve_upper(&mut self, learner: Learner) {
        if let Some(upper) = upper(self.game, self.privacy, self.against, learner)
            && upper.bound < self.found.upper.bound
        {
            self.found.upper = upper;
            self.improved.1 = true;
        }
    }

    fn improve_lower(&mut self, program: &Program, rows: &[Rational]) {
        let adversary = self.spread(program, rows);
        let lower = adversary.and_then(|adversary| lower(self.game, self.privacy, adversary));
        if let Some(lower) = lower
            && lower.bound > self.found.lower.bound
        {
            self.found.lower = lower;
            self.improved.0 = true;
        }
    }

    /// The adversary with the multipliers of the inequalities, each spread evenly over the streams
    /// or the views that its row stands for, and scaled such that the weights of the streams sum
    /// to 1.
    ///
    /// Even spreading is what the symmetric game asks for: the number of views of a row is the same
    /// for all its pairs of histories, and a symmetric learner has equal probabilities for them.
    fn spread(&self, program: &Program, rows: &[Rational]) -> Option<Adversary> {
        let game = self.game;
        let scale = match self.against {
            Against::Worst => {
                let shares = program.streams().map(|(_, row, n)| &rows[row] / BigInt::from(n));
                shares.sum::<Rational>()
            }
            Against::Law(law) => rows.last()? * BigInt::from(law.denominator()),
        };
        if scale.is_zero() {
            return None;
        }
        let share = |row: usize, count: usize| &rows[row] / (&scale * BigInt::from(count));
        let mut streams: Vec<(Vec<usize>, Rational)> = Vec::new();
        match self.against {
            Against::Worst => {
                let positive = program.streams().filter(|(_, row, _)| !rows[*row].is_zero());
                streams.extend(positive.map(|(s, row, n)| (s.to_vec(), share(row, n))));
            }
            Against::Law(law) => {
                let weight = |n: i64| Rational::new(n.into(), law.denominator().into());
                streams.extend(law.streams().iter().map(|(s, n)| (s.clone(), weight(*n))));
            }
        }
        let mut multipliers = Vec::new();
        for first in 0..game.histories(game.rounds())? {
            for (second, round) in game.compared(first) {
                let views = game.views(first, second, round);
                let of_views = program.privacy_rows(game, self.group, (first, second), &views);
                for (view, row) in of_views.into_iter().enumerate() {
                    if let Some((row, count)) = row.filter(|(row, _)| !rows[*row].is_zero()) {
                        multipliers.push(((first, second, round, view), share(row, count)));
                    }
                }
            }
        }
        Some(Adversary::of_numbers(streams, multipliers))
    }
}

fn upper(game: &Game, privacy: &Privacy, against: &Against, learner: Learner) -> Option<Upper> {
    let bound = learner.bound(game, &privacy.low, &privacy.delta, against)?;
    Some(Upper { bound, learner })
}

fn lower(game: &Game, privacy: &Privacy, adversary: Adversary) -> Option<Lower> {
    let tangent = adversary.bound(game, &privacy.high)?;
    Some(Lower { bound: tangent.at(&privacy.delta_above), tangent, adversary })
}
