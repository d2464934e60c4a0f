//! The linear program of a game: rows with coefficients a + b·ρ, where ρ = e^ε.
//!
//! The columns are the probabilities of words under histories, one for each orbit and round; for
//! δ > 0 a number z for each view that a pair of histories is compared by; and the number v of
//! mistakes on the worst stream, which is made least. All of them are non-negative.
//!
//! *Invariant.* One program serves every ε: its coefficients are integers a and b, and ρ is put in by
//! whoever solves it. Only histories of the last round have rows of privacy, since the words of
//! earlier rounds are sums over them.
//!
//! *Not here.* The program is never evidence. Learners and adversaries are checked against the game,
//! so a missing row would cost exactness, not truth.

use std::collections::BTreeMap;

use num_traits::Zero;
use rustc_hash::{FxHashMap, FxHashSet};

use super::game::Game;
use super::law::{Against, Law};
use super::orbits::{Level, Symmetry};
use littlestone_exact::limits::{Limits, Stopped};
use littlestone_exact::{BigInt, Rational};

/// The coefficient a + b·ρ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Coefficient {
    /// What does not depend on ρ.
    pub constant: i64,
    /// The factor of ρ.
    pub factor: i64,
}

impl Coefficient {
    fn plain(constant: i64) -> Self {
        Self { constant, factor: 0 }
    }

    /// Whether a + b·ρ ≤ 0 for all ρ ≥ 1, seen from b ≤ 0 and a + b ≤ 0.
    fn is_never_positive(self) -> bool {
        self.factor <= 0 && self.constant + self.factor <= 0
    }

    /// The value at ρ.
    pub fn at(self, rho: &Rational) -> Rational {
        let plain = Rational::from(BigInt::from(self.constant));
        if self.factor == 0 { plain } else { plain + rho * BigInt::from(self.factor) }
    }
}

/// A row: columns, increasing, with coefficients that are not 0.
pub type Row = Vec<(usize, Coefficient)>;

/// What stands on the right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Right {
    /// 0.
    Zero,
    /// 1.
    One,
    /// δ.
    Delta,
}

/// The rows and columns.
#[derive(Debug)]
pub struct Program {
    /// Number of columns; the last one is v.
    pub columns: usize,
    /// Rows that hold with equality: causality and, in round 1, that probabilities sum to 1.
    pub equalities: Vec<(Row, Right)>,
    /// Rows whose left side is at most the right one.
    pub inequalities: Vec<(Row, Right)>,
    levels: Vec<Level>,
    offsets: Vec<usize>,
    /// For each row of privacy, which views of which pairs it stands for, and how many they are.
    privacy: FxHashMap<Key, (usize, usize)>,
    /// For each realisable stream its row, and how many streams that one stands for.
    streams: Vec<(Vec<usize>, usize)>,
    stream_sizes: BTreeMap<usize, usize>,
    with_delta: bool,
}

/// A row of privacy: the columns of the first history with coefficients 1 and of the second with
/// −ρ, and for δ > 0 the least image of the pair.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    pair: Option<(usize, usize)>,
    row: Row,
}

/// A linear form under construction.
#[derive(Default)]
struct Form(BTreeMap<usize, Coefficient>);

impl Form {
    fn add(&mut self, column: usize, by: Coefficient) {
        let entry = self.0.entry(column).or_default();
        entry.constant += by.constant;
        entry.factor += by.factor;
    }

    fn row(self) -> Row {
        self.0.into_iter().filter(|(_, c)| *c != Coefficient::default()).collect()
    }
}

impl Program {
    /// The program of a game whose size was checked, for δ > 0 if `with_delta`, up to the
    /// symmetries in `group`.
    ///
    /// # Errors
    /// When a limit is hit.
    pub fn new(
        game: &Game,
        group: &[Symmetry],
        with_delta: bool,
        against: &Against,
        limits: &Limits,
    ) -> Result<Self, Stopped> {
        let levels: Vec<Level> = (1..=game.rounds())
            .map(|round| Level::new(game, group, round, limits))
            .collect::<Result<_, _>>()?;
        let mut offsets = Vec::new();
        let mut columns = 0;
        for level in &levels {
            offsets.push(columns);
            columns += level.members.len();
        }
        let mut program = Self {
            columns,
            equalities: Vec::new(),
            inequalities: Vec::new(),
            levels,
            offsets,
            privacy: FxHashMap::default(),
            streams: Vec::new(),
            stream_sizes: BTreeMap::new(),
            with_delta,
        };
        program.causality(game, limits)?;
        program.privacy(game, group, limits)?;
        match against {
            Against::Worst => program.mistakes(game, group, limits)?,
            Against::Law(law) => program.expectation(game, law),
        }
        Ok(program)
    }

    /// The column of the probability of a word under a history of round `round`.
    pub fn column(&self, round: usize, history: usize, word: usize) -> usize {
        self.offsets[round - 1] + self.levels[round - 1].orbit(history, word)
    }

    fn causality(&mut self, game: &Game, limits: &Limits) -> Result<(), Stopped> {
        let mut seen: FxHashSet<Row> = FxHashSet::default();
        let mut rows = Vec::new();
        for history in 0..game.histories(1).expect("the size was checked") {
            let mut form = Form::default();
            for word in game.words_of(1, history) {
                form.add(self.column(1, history, word), Coefficient::plain(1));
            }
            let row = form.row();
            if seen.insert(row.clone()) {
                rows.push((row, Right::One));
            }
        }
        for round in 1..game.rounds() {
            for (orbit, &(history, word, _)) in self.levels[round - 1].members.iter().enumerate() {
                for next in game.continuations(round, history) {
                    limits.check()?;
                    let mut form = Form::default();
                    form.add(self.offsets[round - 1] + orbit, Coefficient::plain(-1));
                    let last = *game.history(round + 1, next).last().expect("not the first round");
                    for output in 0..game.choices(last) {
                        let longer = word * game.outputs() + output;
                        form.add(self.column(round + 1, next, longer), Coefficient::plain(1));
                    }
                    let row = form.row();
                    if seen.insert(row.clone()) {
                        rows.push((row, Right::Zero));
                    }
                }
            }
        }
        self.equalities = rows;
        Ok(())
    }

    /// The histories of the last round up to symmetry, each with the number of its images.
    fn histories(
        game: &Game,
        group: &[Symmetry],
        limits: &Limits,
    ) -> Result<Vec<(usize, usize)>, Stopped> {
        let rounds = game.rounds();
        let count = game.histories(rounds).expect("the size was checked");
        let mut seen = vec![false; count];
        let mut least = Vec::new();
        for history in 0..count {
            if seen[history] {
                continue;
            }
            limits.check()?;
            let mut size = 0;
            for symmetry in group {
                let image = symmetry.history(game, rounds, history);
                size += usize::from(!std::mem::replace(&mut seen[image], true));
            }
            least.push((history, size));
        }
        Ok(least)
    }

    /// The least image of a pair, where rows are kept apart by pairs.
    fn least_image(
        &self,
        game: &Game,
        group: &[Symmetry],
        pair: (usize, usize),
    ) -> Option<(usize, usize)> {
        let image = |symmetry: &Symmetry| {
            let image = |history| symmetry.history(game, game.rounds(), history);
            (image(pair.0), image(pair.1))
        };
        self.with_delta.then(|| group.iter().map(image).min().expect("the identity"))
    }

    fn key(
        &self,
        game: &Game,
        pair: (usize, usize),
        least: Option<(usize, usize)>,
        view: &[Vec<usize>; 2],
    ) -> Key {
        let rounds = game.rounds();
        let mut form = Form::default();
        for &word in &view[0] {
            form.add(self.column(rounds, pair.0, word), Coefficient::plain(1));
        }
        for &word in &view[1] {
            let minus_rho = Coefficient { constant: 0, factor: -1 };
            form.add(self.column(rounds, pair.1, word), minus_rho);
        }
        Key { pair: least, row: form.row() }
    }

    fn privacy(&mut self, game: &Game, group: &[Symmetry], limits: &Limits) -> Result<(), Stopped> {
        let mut budgets: BTreeMap<(usize, usize), Row> = BTreeMap::new();
        for (first, size) in Self::histories(game, group, limits)? {
            for (second, round) in game.compared(first) {
                limits.check()?;
                let least = self.least_image(game, group, (first, second));
                let mut counted: FxHashMap<Key, i64> = FxHashMap::default();
                let mut order = Vec::new();
                for view in game.views(first, second, round) {
                    let key = self.key(game, (first, second), least, &view);
                    let count = counted.entry(key.clone()).or_insert(0);
                    *count += 1;
                    if *count == 1 {
                        order.push(key);
                    }
                }
                let mut budget = Form::default();
                for key in order {
                    let count = counted[&key];
                    let times = usize::try_from(count).expect("a count") * size;
                    if let Some((_, total)) = self.privacy.get_mut(&key) {
                        *total += times;
                        continue;
                    }
                    if key.row.iter().all(|(_, c)| c.is_never_positive()) {
                        continue;
                    }
                    let mut row = key.row.clone();
                    if self.with_delta {
                        row.push((self.columns, Coefficient::plain(-1)));
                        budget.add(self.columns, Coefficient::plain(count));
                        self.columns += 1;
                    }
                    self.privacy.insert(key, (self.inequalities.len(), times));
                    self.inequalities.push((row, Right::Zero));
                }
                if let Some(pair) = least.filter(|_| !budget.0.is_empty()) {
                    budgets.insert(pair, budget.row());
                }
            }
        }
        for budget in budgets.into_values() {
            self.inequalities.push((budget, Right::Delta));
        }
        Ok(())
    }

    fn mistakes(
        &mut self,
        game: &Game,
        group: &[Symmetry],
        limits: &Limits,
    ) -> Result<(), Stopped> {
        let value = self.columns;
        self.columns += 1;
        let mut rows: BTreeMap<Vec<usize>, usize> = BTreeMap::new();
        for stream in game.realisable_streams(limits)? {
            limits.check()?;
            let least = Symmetry::least_image(group, &stream);
            let row = *rows.entry(least).or_insert_with_key(|least| {
                let mut form = Form::default();
                self.add_mistakes(game, least, 1, &mut form);
                form.add(value, Coefficient::plain(-1));
                self.inequalities.push((form.row(), Right::Zero));
                self.inequalities.len() - 1
            });
            *self.stream_sizes.entry(row).or_insert(0) += 1;
            self.streams.push((stream, row));
        }
        Ok(())
    }

    /// One row: the expected mistakes under a law, times its denominator, are at most as many v.
    fn expectation(&mut self, game: &Game, law: &Law) {
        let mut form = Form::default();
        for (stream, weight) in law.streams() {
            self.add_mistakes(game, stream, *weight, &mut form);
        }
        form.add(self.columns, Coefficient::plain(-law.denominator()));
        self.columns += 1;
        self.inequalities.push((form.row(), Right::Zero));
    }

    /// Adds the expected mistakes on a stream, times a weight.
    fn add_mistakes(&self, game: &Game, stream: &[usize], weight: i64, form: &mut Form) {
        for (round, &example) in (1..).zip(stream) {
            let history = game.code(game.seen(stream, round));
            for word in game.words_of(round, history) {
                if game.is_wrong(word % game.outputs(), example) {
                    form.add(self.column(round, history, word), Coefficient::plain(weight));
                }
            }
        }
    }

    /// The realisable streams, each with its row and the number of streams of that row; none when
    /// the law of the stream is given, as the last row is about all of it.
    pub fn streams(&self) -> impl Iterator<Item = (&[usize], usize, usize)> {
        self.streams.iter().map(|(stream, row)| (&stream[..], *row, self.stream_sizes[row]))
    }

    /// For each view of a pair of histories its row, and the number of views of pairs of that
    /// row; `None` where the row is always true.
    pub fn privacy_rows(
        &self,
        game: &Game,
        group: &[Symmetry],
        pair: (usize, usize),
        views: &[[Vec<usize>; 2]],
    ) -> Vec<Option<(usize, usize)>> {
        let least = self.least_image(game, group, pair);
        views
            .iter()
            .map(|view| self.privacy.get(&self.key(game, pair, least, view)).copied())
            .collect()
    }

    /// The right side as a number.
    pub fn right(right: Right, delta: &Rational) -> Rational {
        match right {
            Right::Zero => Rational::zero(),
            Right::One => Rational::from(BigInt::from(1)),
            Right::Delta => delta.clone(),
        }
    }
}
