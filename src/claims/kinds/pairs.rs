//! Neighbours of one-shot mechanisms that are not all replacements of one record: adjacent vectors
//! of answers, data sets that differ in several records, listed pairs.

use crate::error::Error;
use crate::mechanism::{Interface, stream};
use crate::privacy::{Neighbour, Neighbours, Notion, adjacent, within};

use super::super::{Fields, Located};
use super::Key;
use super::subject::STREAMS;

pub(super) const NEIGHBOURS: Key = Key {
    name: "neighbours",
    grid: true,
    about: "`replacement`; for one-shot mechanisms also `add-remove`, or `adjacent` vectors of answers",
};
pub(super) const DISTANCE: Key = Key {
    name: "distance",
    grid: true,
    about: "in how many records data sets of a one-shot mechanism may differ at most",
};
pub(super) const PAIRS: Key = Key {
    name: "pairs",
    grid: false,
    about: "a list of pairs of data sets of a one-shot mechanism, such as \"a,b | c\"",
};

/// Which data sets a claim compares.
#[derive(Debug, Clone)]
pub(super) enum Relation {
    /// What the search knows.
    Searched(Neighbours),
    /// One record each, vectors of answers; no answer moves by more than one.
    Adjacent,
    /// As many records, of which at most so many differ.
    Distance(usize),
    /// These.
    Pairs(Vec<Located<String>>),
}

impl Relation {
    /// Reads the keys `neighbours`, `distance` and `pairs`, of which at most one may be there.
    pub(super) fn parse(fields: &mut Fields<'_>, notion: Notion) -> Option<Self> {
        let relation = fields.choice(
            NEIGHBOURS.name,
            &[
                ("replacement", Self::Searched(Neighbours::Replacement)),
                ("add-remove", Self::Searched(Neighbours::AddRemove)),
                ("adjacent", Self::Adjacent),
            ]
            .each_ref()
            .map(|(name, relation)| (*name, relation)),
        );
        let mut relation = relation?.clone();
        if fields.has(DISTANCE.name) {
            relation = Self::Distance(fields.at_least(DISTANCE.name, 1)?.value);
        }
        if fields.has(PAIRS.name) {
            relation = Self::Pairs(fields.strings(PAIRS.name)?);
        }
        let names = [NEIGHBOURS.name, DISTANCE.name, PAIRS.name];
        let given = names.into_iter().filter(|name| fields.has(name)).count();
        let searched = matches!(relation, Self::Searched(_));
        let (expected, found) = if given > 1 {
            ("one of the keys `neighbours`, `distance` and `pairs`", "another beside it")
        } else if notion == Notion::Joint && !searched {
            ("the kind `privacy` for data sets of one-shot mechanisms", "`joint-privacy`")
        } else if fields.has(STREAMS.name) && !searched {
            ("data sets without the key `streams`", "that key")
        } else {
            return Some(relation);
        };
        let place = fields.position();
        fields.refuse(place, expected, found);
        None
    }

    /// What the search knows; replacement where the pairs are listed.
    pub(super) fn searched(&self) -> Neighbours {
        match self {
            Self::Searched(neighbours) => *neighbours,
            _ => Neighbours::Replacement,
        }
    }

    /// The pairs, unless the search goes through them itself.
    ///
    /// # Errors
    /// When the mechanism has other records than the relation is about, there are too many data
    /// sets, or a pair is malformed.
    pub(super) fn pairs(
        &self,
        interface: &Interface,
        rounds: usize,
    ) -> Result<Option<Vec<Neighbour>>, Error> {
        match self {
            Self::Searched(_) => Ok(None),
            Self::Adjacent => adjacent(interface).map(Some),
            Self::Distance(distance) => within(interface.records(), rounds, *distance).map(Some),
            Self::Pairs(texts) => texts
                .iter()
                .map(|text| listed(interface, text, rounds))
                .collect::<Result<Vec<_>, _>>()
                .map(Some),
        }
    }
}

fn listed(
    interface: &Interface,
    text: &Located<String>,
    rounds: usize,
) -> Result<Neighbour, Error> {
    let fault = |expected: &str| {
        Error::malformed(text.position.clone(), expected, format!("`{}`", text.value))
    };
    let (first, second) =
        text.value.split_once('|').ok_or_else(|| fault("a pair of data sets such as `a,b | c`"))?;
    let pair = Neighbour {
        first: stream::parse(interface, first.trim(), &text.position)?,
        second: stream::parse(interface, second.trim(), &text.position)?,
    };
    if pair.first == pair.second {
        return Err(fault("two data sets that differ"));
    }
    if pair.first.len().max(pair.second.len()) > rounds {
        return Err(fault("data sets of at most `rounds` records"));
    }
    Ok(pair)
}
