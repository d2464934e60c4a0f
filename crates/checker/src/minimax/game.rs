//! The game of a certificate: the class on its columns, and what players see and do.

use std::collections::BTreeSet;

use crate::alphabets::expected;
use crate::format::{Minimax, SymmetryRow};
use crate::littlestone_dimension::{read_hypotheses, reject_repetition};
use crate::rejection::{Malformed, Rejection};

/// The greatest number of columns: a hypothesis is a number of so many bits.
pub(super) const GREATEST_COLUMNS: usize = 16;

/// An example: 2k + y for the label y at column k, and 2·columns for the constant point.
pub(super) type Example = usize;

/// The output of a round: the labels of all columns, the first in the lowest bit; for predictors the
/// bit. It is 0 where there is nothing to say.
pub(super) type Output = u32;

/// The class on its columns, with the rules of the game.
#[derive(Debug)]
pub(super) struct Game {
    pub columns: usize,
    pub constant: bool,
    pub rounds: usize,
    pub joint: bool,
    pub realisable: bool,
    rows: Vec<Vec<bool>>,
    symmetries: Vec<Symmetry>,
}

#[derive(Debug)]
struct Symmetry {
    to: Vec<usize>,
    flips: Vec<bool>,
}

fn unfit(place: impl Into<String>, wanted: &str, found: &str) -> Rejection {
    Rejection::malformed(place, expected(wanted, found))
}

impl Game {
    /// The game of a certificate, whose class and columns are checked.
    pub fn read(certificate: &Minimax) -> Result<Self, Rejection> {
        reject_repetition("points", &certificate.points)?;
        let points = certificate.points.len();
        let class = read_hypotheses(&certificate.hypotheses, points)?;
        if class.is_empty() {
            return Err(unfit("hypotheses", "at least one hypothesis", "none"));
        }
        let column = |x: usize| class.iter().map(|row| row[x]).collect::<Vec<bool>>();
        let complement = |column: &[bool]| column.iter().map(|label| !label).collect::<Vec<_>>();
        let is_constant = |column: &[bool]| column.iter().all(|label| *label == column[0]);
        let mut seen: Vec<Vec<bool>> = Vec::new();
        let mut last = None;
        for (k, &x) in certificate.columns.iter().enumerate() {
            let place = format!("columns[{k}]");
            if x >= points || last.is_some_and(|last| x <= last) {
                return Err(unfit(place, "points in increasing order", &x.to_string()));
            }
            last = Some(x);
            let labels = column(x);
            if is_constant(&labels) || seen.contains(&labels) || seen.contains(&complement(&labels))
            {
                let wanted =
                    "a column that is neither constant nor an earlier one nor its complement";
                return Err(unfit(place, wanted, &certificate.points[x]));
            }
            seen.push(labels);
        }
        if seen.len() > GREATEST_COLUMNS {
            let wanted = format!("at most {GREATEST_COLUMNS} columns");
            return Err(unfit("columns", &wanted, &seen.len().to_string()));
        }
        let mut any_constant = false;
        for x in 0..points {
            let labels = column(x);
            any_constant |= is_constant(&labels);
            let known = seen.contains(&labels) || seen.contains(&complement(&labels));
            if !is_constant(&labels) && !known {
                return Err(unfit(
                    "columns",
                    "every column up to complement",
                    &certificate.points[x],
                ));
            }
        }
        match certificate.constant {
            Some(x) if x >= points || !is_constant(&column(x)) => {
                return Err(unfit("constant", "a point with a constant column", &x.to_string()));
            }
            None if any_constant => {
                return Err(unfit("constant", "a point with a constant column", "null"));
            }
            _ => {}
        }
        if points == 0 {
            return Err(unfit("points", "at least one point", "none"));
        }
        let columns = seen.len();
        let rows: Vec<Vec<bool>> =
            class.iter().map(|row| certificate.columns.iter().map(|&x| row[x]).collect()).collect();
        let symmetries = symmetries(&certificate.symmetries, columns, &rows)?;
        Ok(Self {
            columns,
            constant: certificate.constant.is_some(),
            rounds: certificate.rounds,
            joint: certificate.notion == "joint",
            realisable: certificate.streams == "realisable",
            rows,
            symmetries,
        })
    }

    /// The same rules on all points of the class: each is a column, and nothing is symmetric.
    pub fn on_all_points(&self, rows: Vec<Vec<bool>>) -> Self {
        let columns = rows[0].len();
        let identity = Symmetry { to: (0..columns).collect(), flips: vec![false; columns] };
        Self { columns, constant: false, rows, symmetries: vec![identity], ..*self }
    }

    /// The number of different examples.
    pub fn examples(&self) -> usize {
        2 * self.columns + usize::from(self.constant)
    }

    /// The column and the label of an example; nothing for the constant point.
    pub fn labelled(&self, example: Example) -> Option<(usize, bool)> {
        (example < 2 * self.columns).then_some((example / 2, example % 2 == 1))
    }

    /// The point of an example: the example with the label 0.
    pub fn point(&self, example: Example) -> Example {
        if example < 2 * self.columns { example - example % 2 } else { example }
    }

    /// The examples at a point.
    pub fn at_point(&self, point: Example) -> impl Iterator<Item = Example> + use<> {
        let labels = if point < 2 * self.columns { 2 } else { 1 };
        point..point + labels
    }

    /// The points.
    pub fn points(&self) -> impl Iterator<Item = Example> + use<> {
        (0..self.examples()).step_by(2)
    }

    /// The number of examples in a history.
    pub fn length(&self) -> usize {
        if self.joint { self.rounds } else { self.rounds - 1 }
    }

    /// How many outputs there are in a round, by the example of the round.
    pub fn alphabet(&self, example: Option<Example>) -> Output {
        if !self.joint {
            return 1 << self.columns;
        }
        let said = example.and_then(|example| self.labelled(example)).is_some();
        if said { 2 } else { 1 }
    }

    /// Whether an output is wrong on an example.
    pub fn wrong(&self, output: Output, example: Example) -> bool {
        let Some((column, label)) = self.labelled(example) else { return false };
        let bit = if self.joint { output & 1 } else { output >> column & 1 };
        (bit == 1) != label
    }

    /// Whether some hypothesis realises the examples.
    pub fn realises(&self, examples: &[Example]) -> bool {
        let labelled = || examples.iter().filter_map(|&example| self.labelled(example));
        self.rows.iter().any(|row| labelled().all(|(column, label)| row[column] == label))
    }

    /// The streams of T examples that end a history: those that share what is seen by the last
    /// output.
    pub fn completions(&self, history: &[Example]) -> Vec<Vec<Example>> {
        let (before, last) = if self.joint {
            let (last, before) = history.split_last().expect("a history of T ≥ 1 examples");
            (before, self.at_point(*last).collect::<Vec<_>>())
        } else {
            (history, (0..self.examples()).collect())
        };
        let with = |example| before.iter().copied().chain([example]).collect();
        last.into_iter().map(with).collect()
    }

    /// The history of a stream of T examples.
    pub fn history(&self, stream: &[Example]) -> Vec<Example> {
        let (last, before) = stream.split_last().expect("a stream of T ≥ 1 examples");
        let mut history = before.to_vec();
        if self.joint {
            history.push(self.point(*last));
        }
        history
    }

    /// Whether the constraint of privacy between two histories counts: some last example makes
    /// realisable streams of both, or all streams count.
    pub fn counts(&self, first: &[Example], second: &[Example]) -> bool {
        if !self.realisable {
            return true;
        }
        let streams = self.completions(first).into_iter().zip(self.completions(second));
        streams.into_iter().any(|(a, b)| self.realises(&a) && self.realises(&b))
    }

    /// Reads the outputs of T rounds under a history (`None` where one is dropped).
    pub fn outputs(
        &self,
        place: &str,
        history: &[Example],
        texts: &[Option<&str>],
    ) -> Result<Vec<Option<Output>>, Rejection> {
        if texts.len() != self.rounds {
            let fault =
                Malformed::Length { what: "outputs", expected: self.rounds, found: texts.len() };
            return Err(Rejection::malformed(place, fault));
        }
        let mut outputs = Vec::with_capacity(texts.len());
        for (r, text) in texts.iter().enumerate() {
            let Some(text) = text else {
                outputs.push(None);
                continue;
            };
            let length = if self.joint {
                usize::from(self.labelled(history[r]).is_some())
            } else {
                self.columns
            };
            let mut output = 0;
            for (k, symbol) in text.chars().enumerate() {
                match symbol {
                    '0' => {}
                    '1' if k < GREATEST_COLUMNS => output |= 1 << k,
                    _ => return Err(unfit(place, "outputs of 0 and 1", text)),
                }
            }
            if text.len() != length {
                let wanted = format!("an output of {length} labels in round {}", r + 1);
                return Err(unfit(place, &wanted, &format!("`{text}`")));
            }
            outputs.push(Some(output));
        }
        Ok(outputs)
    }

    /// Checks the examples of a list, of a given length; `history` for joint: the last has label 0.
    pub fn check_examples(
        &self,
        place: &str,
        examples: &[Example],
        length: usize,
        history: bool,
    ) -> Result<(), Rejection> {
        if examples.len() != length {
            let fault =
                Malformed::Length { what: "examples", expected: length, found: examples.len() };
            return Err(Rejection::malformed(place, fault));
        }
        if let Some(found) = examples.iter().find(|&&example| example >= self.examples()) {
            let wanted = format!("an example below {}", self.examples());
            return Err(unfit(place, &wanted, &found.to_string()));
        }
        match examples.last() {
            Some(&last) if history && self.joint && self.point(last) != last => {
                Err(unfit(place, "a last example with the label 0", &last.to_string()))
            }
            _ => Ok(()),
        }
    }

    /// The number of symmetries.
    pub fn symmetries(&self) -> usize {
        self.symmetries.len()
    }

    /// The image of examples under a symmetry; of a history for joint, the last gets the label 0.
    pub fn move_examples(&self, g: usize, examples: &[Example], history: bool) -> Vec<Example> {
        let symmetry = &self.symmetries[g];
        let moved = |&example: &Example| match self.labelled(example) {
            None => example,
            Some((k, label)) => 2 * symmetry.to[k] + usize::from(label != symmetry.flips[k]),
        };
        let mut images: Vec<Example> = examples.iter().map(moved).collect();
        if history
            && self.joint
            && let Some(last) = images.last_mut()
        {
            *last = self.point(*last);
        }
        images
    }

    /// The image of outputs under a history.
    pub fn move_outputs(
        &self,
        g: usize,
        history: &[Example],
        outputs: &[Option<Output>],
    ) -> Vec<Option<Output>> {
        let symmetry = &self.symmetries[g];
        let moved = |(r, output): (usize, &Option<Output>)| {
            let output = (*output)?;
            if self.joint {
                let flipped = self.labelled(history[r]).is_some_and(|(k, _)| symmetry.flips[k]);
                return Some(if flipped { 1 - output } else { output });
            }
            let bits = (0..self.columns).map(|k| {
                let label = (output >> k & 1 == 1) != symmetry.flips[k];
                Output::from(label) << symmetry.to[k]
            });
            Some(bits.sum())
        };
        outputs.iter().enumerate().map(moved).collect()
    }

    /// All histories.
    pub fn histories(&self) -> impl Iterator<Item = Vec<Example>> {
        let (length, examples, joint) = (self.length(), self.examples(), self.joint);
        let mut next = Some(vec![0; length]);
        std::iter::from_fn(move || {
            let current = next.take()?;
            let mut following = current.clone();
            for at in (0..length).rev() {
                // The last example of a history for joint stands for its point.
                following[at] += if joint && at + 1 == length { 2 } else { 1 };
                if following[at] < examples {
                    next = Some(following);
                    break;
                }
                following[at] = 0;
            }
            Some(current)
        })
    }

    /// All pairs of a history and one that differs from it in one example, before the last round,
    /// with the round (from 0).
    pub fn neighbours(&self, history: &[Example]) -> Vec<(usize, Vec<Example>)> {
        let mut neighbours = Vec::new();
        for r in 0..self.rounds - 1 {
            for example in (0..self.examples()).filter(|&example| example != history[r]) {
                let mut other = history.to_vec();
                other[r] = example;
                neighbours.push((r, other));
            }
        }
        neighbours
    }

    /// An example by name: `column:label`, or `_` for the constant point.
    pub fn name(&self, stream: &[Example]) -> String {
        let name = |&example: &Example| match self.labelled(example) {
            None => "_".to_owned(),
            Some((k, label)) => format!("{k}:{}", u8::from(label)),
        };
        let names: Vec<String> = stream.iter().map(name).collect();
        format!("({})", names.join(", "))
    }
}

/// Symmetries: permutations with complements that map the class onto itself, the identity among
/// them, all different.
fn symmetries(
    rows: &[SymmetryRow],
    columns: usize,
    class: &[Vec<bool>],
) -> Result<Vec<Symmetry>, Rejection> {
    let members: BTreeSet<&Vec<bool>> = class.iter().collect();
    let mut symmetries = Vec::new();
    let mut keys = Vec::new();
    for (g, SymmetryRow(to, flips)) in rows.iter().enumerate() {
        let place = format!("symmetries[{g}]");
        let mut sorted = to.clone();
        sorted.sort_unstable();
        if !sorted.iter().copied().eq(0..columns) {
            return Err(unfit(place, "a permutation of the columns", &format!("{to:?}")));
        }
        if flips.len() != columns || flips.iter().any(|&flip| flip > 1) {
            return Err(unfit(place, "0 or 1 for each column", &format!("{flips:?}")));
        }
        let flips: Vec<bool> = flips.iter().map(|&flip| flip == 1).collect();
        for row in class {
            let mut image = vec![false; columns];
            for k in 0..columns {
                image[to[k]] = row[k] != flips[k];
            }
            if !members.contains(&image) {
                return Err(unfit(place, "a map of the class onto itself", "another map"));
            }
        }
        keys.push((to.clone(), flips.clone()));
        symmetries.push(Symmetry { to: to.clone(), flips });
    }
    reject_repetition("symmetries", &keys)?;
    let identity = ((0..columns).collect(), vec![false; columns]);
    if !keys.contains(&identity) {
        return Err(unfit("symmetries", "the identity among them", "others"));
    }
    Ok(symmetries)
}
