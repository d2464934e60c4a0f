//! `--neighbours`: a name, or a file of listed pairs of data sets.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use crate::error::{Error, Position, Result};
use crate::file;
use crate::mechanism::{Interface, Kind, stream};
use crate::privacy::{self, Neighbour, Neighbours};
use crate::text::outside_quotes;

/// What `--neighbours` asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Choice {
    /// All pairs of a kind.
    All(Neighbours),
    /// All pairs of adjacent vectors of answers.
    Adjacent,
    /// The pairs of a file.
    Listed(PathBuf),
}

/// Reads `--neighbours`; whatever is no name is a file.
pub(super) fn choice(text: &str) -> std::result::Result<Choice, String> {
    match text {
        "replacement" => Ok(Choice::All(Neighbours::Replacement)),
        "add-remove" => Ok(Choice::All(Neighbours::AddRemove)),
        "adjacent" => Ok(Choice::Adjacent),
        file if Path::new(file).exists() && !Path::new(file).is_dir() => {
            Ok(Choice::Listed(file.into()))
        }
        _ => {
            Err("expected replacement, add-remove, adjacent or the name of a file of pairs".into())
        }
    }
}

/// The listed pairs, if pairs are listed.
///
/// # Errors
/// As [`read`], and when the mechanism is not one-shot.
pub(super) fn listed(choice: &Choice, interface: &Interface) -> Result<Option<Vec<Neighbour>>> {
    match choice {
        Choice::Listed(_) | Choice::Adjacent if interface.kind() != Kind::OneShot => {
            Err(Error::argument(format!(
                "listed neighbours are for one-shot mechanisms; this is a {}",
                interface.kind()
            )))
        }
        Choice::Listed(path) => read(path, interface).map(Some),
        Choice::Adjacent => privacy::adjacent(interface).map(Some),
        Choice::All(_) => Ok(None),
    }
}

/// The least and the greatest size of the data sets of some pairs.
pub(super) fn sizes(pairs: &[Neighbour]) -> RangeInclusive<usize> {
    let sizes = || pairs.iter().flat_map(|pair| [pair.first.len(), pair.second.len()]);
    sizes().min().unwrap_or(0)..=sizes().max().unwrap_or(0)
}

/// The fault of `--rounds` beside pairs that are listed.
pub(super) fn sized_twice() -> Error {
    Error::argument_with_help(
        "--rounds has no effect with listed neighbours",
        "the pairs say how many records each data set has",
    )
}

/// Reads a file of pairs, one on each line: two data sets with `|` between them, each of them
/// records separated by commas. Comments begin with a `#` at the beginning of a line or after
/// white space.
///
/// # Errors
/// When the file cannot be read, holds no pair, a line has another form, or a pair is equal.
pub(super) fn read(path: &Path, interface: &Interface) -> Result<Vec<Neighbour>> {
    let text = file::read_text(path, file::MAX_TEXT_BYTES)?;
    parse(&text, &path.display().to_string(), interface)
}

fn parse(text: &str, name: &str, interface: &Interface) -> Result<Vec<Neighbour>> {
    let mut pairs = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = &line[..comment(line).unwrap_or(line.len())];
        if line.trim().is_empty() {
            continue;
        }
        let at = |column: usize| Position::at(name, index + 1, column);
        let bars: Vec<usize> =
            outside_quotes(line).filter(|&(_, c)| c == '|').map(|(at, _)| at).collect();
        let [bar] = bars[..] else {
            let found = format!("{} `|`", bars.len());
            return Err(Error::malformed(at(1), "two data sets with one `|` between them", found));
        };
        let (first, second) = (&line[..bar], &line[bar + 1..]);
        let pair = Neighbour {
            first: stream::parse(interface, first, &at(1))?,
            second: stream::parse(interface, second, &at(first.chars().count() + 2))?,
        };
        if pair.first == pair.second {
            return Err(Error::malformed(at(1), "two data sets that differ", "equal ones"));
        }
        pairs.push(pair);
    }
    if pairs.is_empty() {
        let expected = "pairs of data sets such as `a,a | a,b`";
        return Err(Error::malformed(Position::whole(name), expected, "none"));
    }
    Ok(pairs)
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
