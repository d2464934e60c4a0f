//! The game that is solved: a class without what makes no difference, and the numbering of
//! histories and words of outputs.
//!
//! *Idea.* The value depends on the columns of the class alone, and on each up to its complement; a
//! constant point is only a round in which nothing is at stake. So the game is played on one point of
//! each such kind, and [`Game`] says why its value is that of the class.
//!
//! *Invariant.* A history or word of round r is a number whose digits, the first round first, are
//! what was seen or released: extending by a round is multiplying by the number of digits and
//! adding, and all tables of this module are indexed so.
//!
//! *Not here.* Symmetries of the class, which identify histories further, are in
//! [`orbits`](super::orbits); nothing here knows ε or δ, and nothing is solved.

use itertools::Itertools;

use littlestone_base::error::{Error, Result};
use littlestone_class::Class;
use littlestone_exact::limits::{Limits, Stopped};
use littlestone_privacy::Notion;

/// Between which neighbouring streams privacy is asked for. Mistakes count on realisable streams
/// either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Neighbours {
    /// All of them, as in Definitions 2 and 4.
    All,
    /// Those that are realisable both.
    Realisable,
}

/// A class up to what makes no difference to the value, and a number of rounds.
///
/// Of the points with constant columns one is left, of those with equal or complementary columns
/// one, and of the examples those that some hypothesis realises. A learner for the reduced class
/// gives one for the class: it is fed the image of each example (which keeps neighbours
/// neighbours, or makes them equal, and keeps realisable streams realisable), and its outputs are
/// copied, complemented, or constant at the points that were left out. Conversely a learner for
/// the class plays the reduced game. So the values agree.
///
/// Examples are numbers: `2k + y` is the label `y` at column `k`, and `2n`, if there is a constant
/// point, is that point with its label. A *history* of round r is what is seen before the r-th
/// output: r − 1 examples and, in the joint game, the point of the round. A *word* is a sequence of
/// r outputs; in the joint game the output at the constant point is 0 and never wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    notion: Notion,
    neighbours: Neighbours,
    rounds: usize,
    columns: Vec<usize>,
    constant: Option<usize>,
    hypotheses: Vec<usize>,
    places: Vec<Place>,
}

/// What a point of the class is in the reduced game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A point that all hypotheses label alike.
    Constant(bool),
    /// A column, complemented or not.
    Column {
        /// Which one.
        column: usize,
        /// Whether its labels are the complements of those of the point.
        complemented: bool,
    },
}

/// Greatest number of columns: functions on them are numbered, and their permutations tried.
pub const MAX_COLUMNS: usize = 6;

impl Game {
    /// The game of `rounds` rounds for a class, reduced.
    ///
    /// # Errors
    /// When there is no round, no point or no hypothesis, or there are more than [`MAX_COLUMNS`]
    /// columns.
    pub fn new(
        class: &Class,
        notion: Notion,
        neighbours: Neighbours,
        rounds: usize,
    ) -> Result<Self> {
        expect_streams(class, rounds)?;
        let labels = |x: usize| (0..class.hypotheses()).map(move |h| class.label(h, x));
        let mut columns: Vec<usize> = Vec::new();
        let mut constant = None;
        let mut places = Vec::new();
        for x in 0..class.points() {
            if labels(x).all_equal() {
                constant = constant.or(Some(x));
                places.push(Place::Constant(labels(x).next() == Some(true)));
                continue;
            }
            let differ =
                |&k: &usize| labels(k).zip(labels(x)).map(|(a, b)| a != b).all_equal_value();
            let alike = columns.iter().map(differ).find_position(std::result::Result::is_ok);
            let (column, complemented) = if let Some((column, differ)) = alike {
                (column, differ == Ok(true))
            } else {
                columns.push(x);
                (columns.len() - 1, false)
            };
            places.push(Place::Column { column, complemented });
        }
        expect_few(columns.len())?;
        let row = |h: usize| {
            columns.iter().rev().fold(0, |bits, &x| 2 * bits + usize::from(class.label(h, x)))
        };
        let hypotheses: Vec<usize> = (0..class.hypotheses()).map(row).sorted().dedup().collect();
        Ok(Self { notion, neighbours, rounds, columns, constant, hypotheses, places })
    }

    /// The same game with nothing left out: every point is a column and every example may come.
    /// It has the same value, which is what it is for.
    ///
    /// # Errors
    /// When there is no round, no point or no hypothesis, or there are more than [`MAX_COLUMNS`]
    /// points.
    pub fn unreduced(
        class: &Class,
        notion: Notion,
        neighbours: Neighbours,
        rounds: usize,
    ) -> Result<Self> {
        expect_streams(class, rounds)?;
        let points = class.points();
        expect_few(points)?;
        let row = |h: usize| {
            (0..points).rev().fold(0, |bits, x| 2 * bits + usize::from(class.label(h, x)))
        };
        let hypotheses: Vec<usize> = (0..class.hypotheses()).map(row).sorted().dedup().collect();
        let places = (0..points).map(|column| Place::Column { column, complemented: false });
        Ok(Self {
            notion,
            neighbours,
            rounds,
            columns: (0..points).collect(),
            constant: None,
            hypotheses,
            places: places.collect(),
        })
    }

    /// The game that is played.
    pub fn notion(&self) -> Notion {
        self.notion
    }

    /// Between which streams privacy is asked for.
    pub fn neighbours(&self) -> Neighbours {
        self.neighbours
    }

    /// The number of rounds T.
    pub fn rounds(&self) -> usize {
        self.rounds
    }

    /// The points of the class that stand for the columns.
    pub fn columns(&self) -> &[usize] {
        &self.columns
    }

    /// The point of the class that stands for the constant ones.
    pub fn constant(&self) -> Option<usize> {
        self.constant
    }

    /// The hypotheses: bit k is the label at column k.
    pub fn hypotheses(&self) -> &[usize] {
        &self.hypotheses
    }

    /// What each point of the class is in the reduced game.
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// Number of points, the constant one included.
    pub fn points(&self) -> usize {
        self.columns.len() + usize::from(self.constant.is_some())
    }

    /// Number of examples.
    pub fn examples(&self) -> usize {
        2 * self.columns.len() + usize::from(self.constant.is_some())
    }

    /// Number of symbols an output may be, before it is known which round it is in.
    pub fn outputs(&self) -> usize {
        match self.notion {
            Notion::Whole => 1 << self.columns.len(),
            Notion::Joint => 2,
        }
    }

    /// A column that hypotheses label differently; `None` if there is no choice.
    pub fn undecided_column(&self) -> Option<usize> {
        let label = |h: &usize, k: usize| h >> k & 1;
        (0..self.columns.len()).find(|&k| !self.hypotheses.iter().map(|h| label(h, k)).all_equal())
    }

    /// Whether some hypothesis agrees with all examples.
    pub fn is_realisable(&self, stream: &[usize]) -> bool {
        let constant = 2 * self.columns.len();
        self.hypotheses
            .iter()
            .any(|h| stream.iter().all(|&e| e == constant || h >> (e / 2) & 1 == e % 2))
    }

    /// The realisable streams of `rounds` examples, in lexicographic order.
    ///
    /// # Errors
    /// When a limit is hit.
    pub fn realisable_streams(
        &self,
        limits: &Limits,
    ) -> std::result::Result<Vec<Vec<usize>>, Stopped> {
        let mut streams = vec![Vec::new()];
        for _ in 0..self.rounds {
            for stream in std::mem::take(&mut streams) {
                limits.check()?;
                streams.extend((0..self.examples()).filter_map(|e| {
                    let mut longer: Vec<usize> = stream.clone();
                    longer.push(e);
                    self.is_realisable(&longer).then_some(longer)
                }));
            }
        }
        Ok(streams)
    }

    /// The number of histories of round `round` (from 1), if it is below 2^64.
    pub fn histories(&self, round: usize) -> Option<usize> {
        let before = self.examples().checked_pow(u32::try_from(round - 1).ok()?)?;
        match self.notion {
            Notion::Whole => Some(before),
            Notion::Joint => before.checked_mul(self.points()),
        }
    }

    /// The number of words of `length` symbols, whether they can occur or not.
    pub fn words(&self, length: usize) -> Option<usize> {
        self.outputs().checked_pow(u32::try_from(length).ok()?)
    }

    /// The examples of a history of round `round`. In the joint game the last of them stands for
    /// its point and has the label 0.
    pub fn history(&self, round: usize, mut code: usize) -> Vec<usize> {
        let mut examples = Vec::with_capacity(round);
        if self.notion == Notion::Joint {
            examples.push(2 * (code % self.points()));
            code /= self.points();
        }
        for _ in 1..round {
            examples.push(code % self.examples());
            code /= self.examples();
        }
        examples.reverse();
        examples
    }

    /// The number of a history; the label of the last example does not matter in the joint game.
    pub fn code(&self, history: &[usize]) -> usize {
        let fold =
            |examples: &[usize]| examples.iter().fold(0, |code, e| code * self.examples() + e);
        match (self.notion, history) {
            (Notion::Joint, [before @ .., last]) => fold(before) * self.points() + last / 2,
            _ => fold(history),
        }
    }

    /// The history of round `round` (from 1) in a stream.
    pub fn seen<'s>(&self, stream: &'s [usize], round: usize) -> &'s [usize] {
        match self.notion {
            Notion::Whole => &stream[..round - 1],
            Notion::Joint => &stream[..round],
        }
    }

    /// The histories of the next round that continue a history of round `round`.
    pub fn continuations(&self, round: usize, code: usize) -> Vec<usize> {
        match self.notion {
            Notion::Whole => (0..self.examples()).map(|e| code * self.examples() + e).collect(),
            Notion::Joint => {
                debug_assert!(round < self.rounds);
                let (before, point) = (code / self.points(), code % self.points());
                let labels = if point == self.columns.len() { 1 } else { 2 };
                (0..labels)
                    .map(|y| before * self.examples() + 2 * point + y)
                    .flat_map(|before| (0..self.points()).map(move |p| before * self.points() + p))
                    .collect()
            }
        }
    }

    /// The history of the round before that a history of round `round` ≥ 2 continues.
    pub fn before(&self, code: usize) -> usize {
        match self.notion {
            Notion::Whole => code / self.examples(),
            Notion::Joint => {
                let (before, example) = (
                    code / self.points() / self.examples(),
                    code / self.points() % self.examples(),
                );
                before * self.points() + example / 2
            }
        }
    }

    /// The number of outputs that may be released in the round of `example`, or whose history
    /// ends in it.
    pub fn choices(&self, example: usize) -> usize {
        match self.notion {
            Notion::Joint if example == 2 * self.columns.len() => 1,
            _ => self.outputs(),
        }
    }

    /// The words of `round` outputs that can occur with a history of that round, increasing.
    pub fn words_of(&self, round: usize, history: usize) -> Vec<usize> {
        match self.notion {
            Notion::Whole => (0..self.words(round).expect("the size was checked")).collect(),
            Notion::Joint => {
                let examples = self.history(round, history);
                let step = |words: Vec<usize>, &e: &usize| {
                    let choices = self.choices(e);
                    words.iter().flat_map(|w| (0..choices).map(move |o| 2 * w + o)).collect()
                };
                examples.iter().fold(vec![0], step)
            }
        }
    }

    /// Whether an output is wrong on an example.
    pub fn is_wrong(&self, output: usize, example: usize) -> bool {
        let n = self.columns.len();
        match self.notion {
            _ if example == 2 * n => false,
            Notion::Whole => output >> (example / 2) & 1 != example % 2,
            Notion::Joint => output != example % 2,
        }
    }

    /// The pairs of histories of the last round that privacy compares with `first`: the second
    /// history, and the round (from 0) in which they differ.
    pub fn compared(&self, first: usize) -> Vec<(usize, usize)> {
        let history = self.history(self.rounds, first);
        let mut pairs = Vec::new();
        for i in 0..self.rounds - 1 {
            for e in (0..self.examples()).filter(|&e| e != history[i]) {
                let mut second = history.clone();
                second[i] = e;
                if self.neighbours == Neighbours::All || self.extends(&history, &second) {
                    pairs.push((self.code(&second), i));
                }
            }
        }
        pairs
    }

    /// Whether some last example makes realisable streams of both histories.
    fn extends(&self, first: &[usize], second: &[usize]) -> bool {
        let before = self.rounds - 1;
        (0..self.examples())
            .filter(|e| self.notion == Notion::Whole || e / 2 == first[before] / 2)
            .any(|e| {
                [first, second].iter().all(|history| {
                    let mut stream = history[..before].to_vec();
                    stream.push(e);
                    self.is_realisable(&stream)
                })
            })
    }

    /// What privacy compares in a pair of histories of the last round: for each *view* the words
    /// that have it under the first history, and under the second. A view is a word; in the joint
    /// game it is a word without the output of round `round` (from 0), in which they differ.
    pub fn views(&self, first: usize, second: usize, round: usize) -> Vec<[Vec<usize>; 2]> {
        match self.notion {
            Notion::Whole => {
                self.words_of(self.rounds, first).into_iter().map(|w| [vec![w], vec![w]]).collect()
            }
            Notion::Joint => {
                let place = 1 << (self.rounds - 1 - round);
                let choices = |history| self.choices(self.history(self.rounds, history)[round]);
                let members =
                    |w: usize, choices: usize| (0..choices).map(|o| w + o * place).collect_vec();
                let (left, right) = (choices(first), choices(second));
                self.words_of(self.rounds, first)
                    .into_iter()
                    .filter(|w| (w / place).is_multiple_of(2))
                    .map(|w| [members(w, left), members(w, right)])
                    .collect()
            }
        }
    }

    /// The outputs of a word of the last round, as text: the labels at the columns, or the bit, or
    /// nothing at the constant point.
    pub fn spell(&self, history: usize, mut word: usize) -> Vec<String> {
        let examples = self.history(self.rounds, history);
        let mut outputs: Vec<String> = (0..self.rounds)
            .rev()
            .map(|r| {
                let output = word % self.outputs();
                word /= self.outputs();
                match self.notion {
                    Notion::Whole => (0..self.columns.len())
                        .map(|k| if output >> k & 1 == 1 { '1' } else { '0' })
                        .collect(),
                    Notion::Joint if self.choices(examples[r]) == 1 => String::new(),
                    Notion::Joint => output.to_string(),
                }
            })
            .collect();
        outputs.reverse();
        outputs
    }
}

fn expect_streams(class: &Class, rounds: usize) -> Result<()> {
    if rounds == 0 {
        return Err(Error::argument("the number of rounds must be at least 1"));
    }
    if class.points() == 0 || class.hypotheses() == 0 {
        return Err(Error::argument(
            "expected a class with points and hypotheses: without them no stream is realisable",
        ));
    }
    Ok(())
}

fn expect_few(columns: usize) -> Result<()> {
    if columns <= MAX_COLUMNS {
        return Ok(());
    }
    Err(Error::Limit {
        stopped: Stopped::Size,
        message: format!(
            "the class has {columns} columns that differ, more than the limit of {MAX_COLUMNS}"
        ),
        help: "the outputs are functions on these columns; restrict the class".to_owned(),
    })
}
