//! From a game to bounds on its value, with their proofs.
//!
//! *Idea.* A guess in floating point says which rows and columns of the program are tight. If exact
//! arithmetic finds a solution on that face, a learner and an adversary with the same value come
//! out; otherwise the guess is rounded to one of either kind, which leaves a gap.
//!
//! *Invariant.* A bound is handed out with what proves it, and only after the proof was worked out
//! again from the game in exact arithmetic: the upper one is the expected number of mistakes of a
//! learner whose privacy was checked, the lower one the least value of an adversary's Lagrangian. For
//! irrational e^ε or δ each side uses a rational number on the safe side.
//!
//! *Not here.* No verdict trusts the guess; a wrong one costs the exact value, never the truth.

use num_traits::{One, Zero};

use super::adversary::{Adversary, Tangent};
use super::eliminate::Failed;
use super::face;
use super::game::Game;
use super::guess::{self, Guess, Precision};
use super::law::Against;
use super::learner::Learner;
use super::orbits::Symmetry;
use super::program::Program;
use super::trivial;
use littlestone_exact::limits::{Limits, Stopped};
use littlestone_exact::{BigInt, Epsilon, Number, Rational};

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

/// Bounds that differ by at most 2 to the power of minus this are as close as rounding leaves them,
/// where no exact value is found.
const CLOSE_BITS: u32 = 20;

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
    /// Why the search ended with bounds that may be far apart, if it did. The guess in floating point
    /// may have failed, or been of no use for one of the bounds, which is then that of uniformly
    /// distributed outputs, or of a shattered tree.
    pub stopped: Option<Stopped>,
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
pub fn solve(game: &Game, group: &[Symmetry], privacy: &Privacy, limits: &Limits) -> Bounds {
    best_response(game, group, privacy, &Against::Worst, limits)
}

/// The same against a law over streams: bounds on the expected mistakes of the best private learner
/// against it. The symmetries in `group` keep the law.
pub fn best_response(
    game: &Game,
    group: &[Symmetry],
    privacy: &Privacy,
    against: &Against,
    limits: &Limits,
) -> Bounds {
    let mut search = Search::new(game, group, privacy, against, limits);
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
    limits: &'g Limits,
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
        limits: &'g Limits,
    ) -> Self {
        let upper = trivial::upper(game, against);
        let lower = match against {
            Against::Worst => trivial::lower(game),
            Against::Law(law) => Lower {
                bound: Rational::zero(),
                tangent: Tangent { at_zero: Rational::zero(), slope: Rational::zero() },
                adversary: Adversary::of_law(law),
            },
        };
        let found = Bounds { lower, upper, program: None, stopped: None };
        Self { game, group, privacy, against, limits, found, improved: (false, false) }
    }

    /// Looks for better bounds than those that are there.
    fn run(&mut self) {
        let searched = self
            .without_program()
            .and_then(|()| if self.found.value().is_some() { Ok(()) } else { self.with_program() });
        self.found.stopped = match searched {
            _ if self.found.value().is_some() => None,
            Err(stopped) => Some(stopped),
            Ok(()) if self.improved == (true, true) || self.is_close() => None,
            Ok(()) => Some(Stopped::Guess),
        };
    }

    /// Whether the gap between the bounds is of the size that rounding leaves.
    fn is_close(&self) -> bool {
        let gap = &self.found.upper.bound - &self.found.lower.bound;
        gap * (BigInt::one() << CLOSE_BITS) <= Rational::one()
    }

    fn without_program(&mut self) -> Result<(), Stopped> {
        match self.against {
            Against::Worst => {
                if trivial::suffices(self.game, &self.privacy.high, &self.privacy.delta_above)
                    && let Some(adversary) = trivial::repeated(self.game)
                {
                    self.try_lower(adversary)?;
                }
            }
            Against::Law(law) => self.try_lower(Adversary::of_law(law))?,
        }
        // What needs no program is no merit of the guess.
        self.improved = (false, false);
        Ok(())
    }

    fn with_program(&mut self) -> Result<(), Stopped> {
        let (rho, delta, limits) = (&self.privacy.low, &self.privacy.delta, self.limits);
        let program = Program::new(self.game, self.group, !delta.is_zero(), self.against, limits)?;
        let rows = program.equalities.len() + program.inequalities.len();
        self.found.program = Some((program.columns, rows));
        let precisions: &[Precision] = if self.privacy.is_rational() {
            &[Precision::Plain, Precision::Twice]
        } else {
            &[Precision::Plain]
        };
        let mut last: Option<Guess> = None;
        for &precision in precisions {
            let guess = match guess::guess(&program, rho, delta, precision, limits) {
                Ok(Some(guess)) => guess,
                Ok(None) => continue,
                Err(stopped) => return Err(stopped),
            };
            // Between two enclosing numbers there is no exact value to be found.
            if self.privacy.is_rational() {
                self.face(&program, &guess)?;
            }
            if self.found.value().is_some() {
                return Ok(());
            }
            last = Some(guess);
        }
        match last {
            Some(guess) => self.rounded(&program, &guess),
            None => Ok(()),
        }
    }

    /// Exact solutions on the face that the guess points to.
    fn face(&mut self, program: &Program, guess: &Guess) -> Result<(), Stopped> {
        let (rho, delta, limits) = (&self.privacy.low, &self.privacy.delta, self.limits);
        if let Some(columns) = solved(face::columns(program, rho, delta, guess, limits))? {
            let column = |history, word| program.column(self.game.rounds(), history, word);
            let learner = Learner::new(
                self.game,
                |history, word| columns[column(history, word)].clone(),
                limits,
            )?;
            self.try_upper(learner)?;
        }
        if let Some(rows) = solved(face::multipliers(program, rho, guess, limits))? {
            self.try_rows(program, &rows)?;
        }
        Ok(())
    }

    /// The guess itself, rounded such that it proves something.
    fn rounded(&mut self, program: &Program, guess: &Guess) -> Result<(), Stopped> {
        let limits = self.limits;
        let unit = BigInt::one() << guess.bits;
        let number = |n: &BigInt| Rational::new(n.clone(), unit.clone());
        let rows: Vec<Rational> = guess.inequalities.iter().map(number).collect();
        self.try_rows(program, &rows)?;
        let mass = |round, history, word| &guess.columns[program.column(round, history, word)];
        let learner = Learner::of_kernels(self.game, mass, limits)?;
        let learner = learner.averaged(self.game, self.group, limits)?;
        let (rho, delta) = (&self.privacy.low, &self.privacy.delta);
        if let Some(weight) = learner.mixing_weight(self.game, rho, delta, limits)? {
            let mixed = !weight.is_zero();
            let learner = if mixed { learner.mixed(self.game, &weight, limits)? } else { learner };
            self.try_upper(learner)?;
        }
        Ok(())
    }

    fn try_upper(&mut self, learner: Learner) -> Result<(), Stopped> {
        let Privacy { low, delta, .. } = self.privacy;
        let bound = learner.bound(self.game, low, delta, self.against, self.limits)?;
        if let Some(bound) = bound.filter(|bound| *bound < self.found.upper.bound) {
            self.found.upper = Upper { bound, learner };
            self.improved.1 = true;
        }
        Ok(())
    }

    fn try_lower(&mut self, adversary: Adversary) -> Result<(), Stopped> {
        let tangent = adversary.bound(self.game, &self.privacy.high, self.limits)?;
        let Some(tangent) = tangent else { return Ok(()) };
        let bound = tangent.at(&self.privacy.delta_above);
        if bound > self.found.lower.bound {
            self.found.lower = Lower { bound, tangent, adversary };
            self.improved.0 = true;
        }
        Ok(())
    }

    fn try_rows(&mut self, program: &Program, rows: &[Rational]) -> Result<(), Stopped> {
        match self.spread(program, rows)? {
            Some(adversary) => self.try_lower(adversary),
            None => Ok(()),
        }
    }

    /// The adversary with the multipliers of the inequalities, each spread evenly over the streams
    /// or the views that its row stands for, and scaled such that the weights of the streams sum
    /// to 1.
    ///
    /// Even spreading is what the symmetric game asks for: the number of views of a row is the same
    /// for all its pairs of histories, and a symmetric learner has equal probabilities for them.
    fn spread(&self, program: &Program, rows: &[Rational]) -> Result<Option<Adversary>, Stopped> {
        let game = self.game;
        let scale = match self.against {
            Against::Worst => {
                let shares = program.streams().map(|(_, row, n)| &rows[row] / BigInt::from(n));
                shares.sum::<Rational>()
            }
            Against::Law(law) => match rows.last() {
                Some(row) => row * BigInt::from(law.denominator()),
                None => return Ok(None),
            },
        };
        if scale.is_zero() {
            return Ok(None);
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
        for first in 0..game.histories(game.rounds()).expect("the size was checked") {
            for (second, round) in game.compared(first) {
                self.limits.check()?;
                let views = game.views(first, second, round);
                let of_views = program.privacy_rows(game, self.group, (first, second), &views);
                for (view, row) in of_views.into_iter().enumerate() {
                    if let Some((row, count)) = row.filter(|(row, _)| !rows[*row].is_zero()) {
                        multipliers.push(((first, second, round, view), share(row, count)));
                    }
                }
            }
        }
        Adversary::of_numbers(streams, multipliers, self.limits).map(Some)
    }
}

/// A solution, unless there is none.
fn solved<T>(found: Result<T, Failed>) -> Result<Option<T>, Stopped> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(Failed::Inconsistent) => Ok(None),
        Err(Failed::Stopped(stopped)) => Err(stopped),
    }
}
