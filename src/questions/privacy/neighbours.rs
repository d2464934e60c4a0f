//! Which streams or data sets are neighbours: a word, a distance, or pairs that are listed.

use std::path::{Path, PathBuf};

use crate::error::{Error, Position, Result};
use crate::file;
use crate::mechanism::{Interface, Kind, stream};
use crate::privacy::{self, Neighbour, Neighbours};
use crate::questions::Run;
use crate::questions::subject::StreamScope;
use crate::questions::written::{Reads, Text};
use crate::text::outside_quotes;

/// A relation by name, or the file that lists its pairs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NeighbourChoice {
    /// All pairs of a kind.
    All(Neighbours),
    /// All pairs of adjacent vectors of answers.
    Adjacent,
    /// The pairs of a file.
    Listed(PathBuf),
}

impl Reads for NeighbourChoice {
    const FORMAT: &'static str = "neighbours";
    const EXAMPLE: &'static str = "replacement";

    /// Whatever is no name is a file.
    fn read(text: &str) -> std::result::Result<Self, String> {
        match text {
            "replacement" => Ok(Self::All(Neighbours::Replacement)),
            "add-remove" => Ok(Self::All(Neighbours::AddRemove)),
            "adjacent" => Ok(Self::Adjacent),
            _ if text.trim().is_empty() => Err(format!("expected {EXPECTED}, found nothing")),
            file => Ok(Self::Listed(file.into())),
        }
    }
}

const EXPECTED: &str = "replacement, add-remove, adjacent or the name of a file of pairs";

/// In how many records data sets may differ: at least 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Distance(pub usize);

impl Reads for Distance {
    const FORMAT: &'static str = "whole";
    const EXAMPLE: &'static str = "2";

    fn read(text: &str) -> std::result::Result<Self, String> {
        match text.trim().parse() {
            Ok(0) | Err(_) => Err(format!("expected a number of at least 1, found `{text}`")),
            Ok(distance) => Ok(Self(distance)),
        }
    }
}

/// The fields about neighbours, of which at most one is given.
#[derive(Debug, Clone, Copy)]
pub(in crate::questions) struct Given<'q> {
    pub(in crate::questions) neighbours: Option<&'q Text<NeighbourChoice>>,
    pub(in crate::questions) distance: Option<&'q Text<Distance>>,
    pub(in crate::questions) pairs: &'q [String],
}

impl Given<'_> {
    /// Checks that one of the fields is given at most.
    pub(in crate::questions) fn validate(&self) -> Result<()> {
        let given = [self.neighbours.is_some(), self.distance.is_some(), !self.pairs.is_empty()];
        if given.into_iter().filter(|given| *given).count() > 1 {
            return Err(Error::argument(
                "expected one of the fields `neighbours`, `distance` and `pairs`, found another \
                 beside it",
            ));
        }
        Ok(())
    }

    /// Whether the pairs say how many records a data set has.
    pub(in crate::questions) fn sized(&self) -> bool {
        let choice = self.neighbours.map(|choice| &choice.value);
        let listed = matches!(choice, Some(NeighbourChoice::Adjacent | NeighbourChoice::Listed(_)));
        listed || !self.pairs.is_empty()
    }

    /// Whether the search goes through the pairs itself.
    pub(in crate::questions) fn searched(&self) -> bool {
        !self.sized() && self.distance.is_none()
    }

    /// What the search knows; replacement where the pairs are listed.
    pub(in crate::questions) fn kind(&self) -> Neighbours {
        match self.neighbours.map(|choice| &choice.value) {
            Some(NeighbourChoice::All(kind)) => *kind,
            _ => Neighbours::Replacement,
        }
    }

    /// The file of pairs.
    pub(in crate::questions) fn file(&self) -> Option<PathBuf> {
        match self.neighbours.map(|choice| &choice.value) {
            Some(NeighbourChoice::Listed(path)) => Some(path.clone()),
            _ => None,
        }
    }

    /// The relation with its pairs, when these are data sets of at most `rounds` records.
    ///
    /// # Errors
    /// When a pair is malformed or too large, there are too many, or the mechanism has no data sets.
    pub(in crate::questions) fn relation(
        &self,
        interface: &Interface,
        rounds: Option<usize>,
        joint: bool,
        run: &Run<'_>,
    ) -> Result<Relation> {
        let kind = interface.kind();
        let file = self.file().map(|path| run.folder.join(path));
        if let Some(path) = file.filter(|path| !path.exists() || path.is_dir()) {
            let found = path.display();
            let message = format!("neighbours: expected {EXPECTED}, found `{found}`");
            return Err(Error::argument(message));
        }
        if !self.searched() {
            if kind != Kind::OneShot {
                return Err(Error::argument(format!(
                    "listed neighbours are for one-shot mechanisms; this is a {kind}"
                )));
            }
            if joint {
                return Err(Error::argument(format!(
                    "joint privacy (Definition 4) is a property of predictors and transducers; this \
                     is a {kind}"
                )));
            }
        }
        let relation = match (self.neighbours.map(|choice| &choice.value), self.distance) {
            (Some(NeighbourChoice::Adjacent), _) => {
                Relation::Adjacent(privacy::adjacent(interface)?)
            }
            (Some(NeighbourChoice::Listed(path)), _) => {
                Relation::Listed(read(&run.folder.join(path), interface)?)
            }
            (_, Some(distance)) => {
                let (distance, rounds) = (distance.value.0, rounds.unwrap_or(1));
                let pairs = privacy::within(interface.records(), rounds, distance)?;
                Relation::Distance(distance, pairs)
            }
            _ if !self.pairs.is_empty() => {
                let place = Position::at("pairs", 1, 1);
                let pairs = self.pairs.iter().map(|text| pair(interface, text, &place));
                Relation::Listed(pairs.collect::<Result<_>>()?)
            }
            _ => Relation::Searched(self.kind()),
        };
        if let (Some(sizes), Some(rounds)) = (relation.sizes(), rounds)
            && *sizes.end() > rounds
        {
            let expected = "expected data sets of at most `rounds` records";
            return Err(Error::argument(format!("{expected}, found one of {}", sizes.end())));
        }
        Ok(relation)
    }
}

/// The pairs that are compared.
#[derive(Debug, Clone)]
pub(in crate::questions) enum Relation {
    /// The search goes through them.
    Searched(Neighbours),
    /// One record each, vectors of answers; no answer moves by more than one.
    Adjacent(Vec<Neighbour>),
    /// As many records, of which at most so many differ.
    Distance(usize, Vec<Neighbour>),
    /// These.
    Listed(Vec<Neighbour>),
}

impl Relation {
    /// What the search knows; replacement where the pairs are listed.
    pub(in crate::questions) fn kind(&self) -> Neighbours {
        match self {
            Self::Searched(kind) => *kind,
            _ => Neighbours::Replacement,
        }
    }

    /// The pairs, unless the search goes through them itself.
    pub(in crate::questions) fn pairs(&self) -> Option<&[Neighbour]> {
        match self {
            Self::Searched(_) => None,
            Self::Adjacent(pairs) | Self::Distance(_, pairs) | Self::Listed(pairs) => Some(pairs),
        }
    }

    /// The least and the greatest size of the data sets that are listed.
    pub(in crate::questions) fn sizes(&self) -> Option<std::ops::RangeInclusive<usize>> {
        let pairs = self.pairs()?;
        let sizes = || pairs.iter().flat_map(|pair| [pair.first.len(), pair.second.len()]);
        Some(sizes().min().unwrap_or(0)..=sizes().max().unwrap_or(0))
    }

    /// The name in JSON.
    pub(in crate::questions) fn name(&self) -> &'static str {
        match self {
            Self::Searched(Neighbours::Replacement) => "replacement",
            Self::Searched(Neighbours::AddRemove) => "add-remove",
            Self::Adjacent(_) => "adjacent",
            Self::Distance(..) | Self::Listed(_) => "listed",
        }
    }

    /// The line about neighbours.
    pub(in crate::questions) fn line(&self, scope: StreamScope, kind: Kind) -> String {
        let what = if kind == Kind::OneShot { "data sets" } else { "streams" };
        let all = match scope {
            StreamScope::All => format!("all {what}"),
            StreamScope::Realisable => format!("realisable {what} only"),
        };
        match self {
            Self::Searched(Neighbours::Replacement) => {
                format!("replacement of one record, {all}")
            }
            Self::Searched(Neighbours::AddRemove) => format!("one record more or less, {all}"),
            Self::Adjacent(pairs) => format!(
                "vectors whose answers move by at most one ({} pairs), in both directions",
                pairs.len()
            ),
            Self::Distance(distance, pairs) => format!(
                "data sets that differ in at most {distance} of their records ({} pairs), in both \
                 directions",
                pairs.len()
            ),
            Self::Listed(pairs) if pairs.len() == 1 => "1 listed pair, in both directions".into(),
            Self::Listed(pairs) => format!("{} listed pairs, in both directions", pairs.len()),
        }
    }

    /// How many rounds or records there are, unless the pairs tell.
    pub(in crate::questions) fn lengths(&self, rounds: usize) -> Option<String> {
        match self {
            Self::Searched(Neighbours::AddRemove) => Some(format!("{rounds} and {}", rounds - 1)),
            Self::Searched(Neighbours::Replacement) => Some(rounds.to_string()),
            _ => None,
        }
    }
}

/// Reads a file of pairs, one on each line. Comments begin with a `#` at the beginning of a line or
/// after white space.
fn read(path: &Path, interface: &Interface) -> Result<Vec<Neighbour>> {
    let text = file::read_text(path, file::MAX_TEXT_BYTES)?;
    parse(&text, &path.display().to_string(), interface)
}

fn parse(text: &str, name: &str, interface: &Interface) -> Result<Vec<Neighbour>> {
    let mut pairs = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = &line[..comment(line).unwrap_or(line.len())];
        if !line.trim().is_empty() {
            pairs.push(pair(interface, line, &Position::at(name, index + 1, 1))?);
        }
    }
    if pairs.is_empty() {
        let expected = "pairs of data sets such as `a,a | a,b`";
        return Err(Error::malformed(Position::whole(name), expected, "none"));
    }
    Ok(pairs)
}

/// Two data sets with `|` between them, each of them records separated by commas, in a text that begins
/// at the given place.
fn pair(interface: &Interface, text: &str, at: &Position) -> Result<Neighbour> {
    let bars: Vec<usize> =
        outside_quotes(text).filter(|&(_, c)| c == '|').map(|(at, _)| at).collect();
    let [bar] = bars[..] else {
        let found = format!("{} `|`", bars.len());
        return Err(Error::malformed(at.clone(), "two data sets with one `|` between them", found));
    };
    let (first, second) = (&text[..bar], &text[bar + 1..]);
    let beside = Position { column: Some(first.chars().count() + 2), ..at.clone() };
    let pair = Neighbour {
        first: stream::parse(interface, first, at)?,
        second: stream::parse(interface, second, &beside)?,
    };
    if pair.first == pair.second {
        return Err(Error::malformed(at.clone(), "two data sets that differ", "equal ones"));
    }
    Ok(pair)
}

/// The offset of a character that begins a comment.
fn comment(line: &str) -> Option<usize> {
    let begins = |at: usize| line[..at].chars().next_back().is_none_or(char::is_whitespace);
    outside_quotes(line).find(|&(at, c)| c == '#' && begins(at)).map(|(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    type Pair = (Vec<usize>, Vec<usize>);

    fn read(text: &str) -> std::result::Result<Vec<Pair>, String> {
        let records = ["a", "b|c", "d#"].map(String::from).to_vec();
        let interface = Interface::one_shot(records, vec!["o".into()]).unwrap();
        parse(text, "p.txt", &interface)
            .map(|pairs| pairs.into_iter().map(|pair| (pair.first, pair.second)).collect())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn pairs_are_read_with_comments_and_empty_data_sets() {
        let text = "# c\na,a|a,\"b|c\" # d\n\n | d#\n";
        assert_eq!(read(text), Ok(vec![(vec![0, 0], vec![0, 1]), (vec![], vec![2])]));
    }

    #[test]
    fn faults_are_placed() {
        for (text, message) in [
            ("", "p.txt: expected pairs of data sets such as `a,a | a,b`, found none"),
            ("a", "p.txt:1:1: expected two data sets with one `|` between them, found 0 `|`"),
            ("\na|a", "p.txt:2:1: expected two data sets that differ, found equal ones"),
            ("a | zzzz", "p.txt:1:5: expected one of the records a, \"b|c\", \"d#\", found `zzzz`"),
        ] {
            assert_eq!(read(text), Err(message.to_owned()), "{text}");
        }
    }
}
