//! The fields of a counterexample beside its streams and its event: each is compared with what is
//! recomputed.

use serde::Deserialize;
use serde_json::Value;

use crate::error::Result;
use crate::exact::{Number, parse_rational};
use crate::mechanism::{Kind, Options, compile};
use crate::privacy::Neighbours;

use super::{Found, Replay, place_of};
use crate::questions::subject::Subject;

/// What the file says about the whole question. Nothing of it is needed to replay the pair.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Stated {
    rounds: Option<Value>,
    kind: Option<Value>,
    states: Option<Value>,
    verdict: Option<Value>,
    worst_delta: Option<String>,
    worst_delta_enclosure: Option<[String; 2]>,
    table: Option<Value>,
}

/// What the file says about a pair.
#[derive(Debug, Default, Deserialize)]
pub(super) struct OfPair {
    differing_round: Option<Value>,
    divergence: Option<String>,
    divergence_enclosure: Option<[String; 2]>,
    inequality: Option<Value>,
}

/// The numbers of a pair as they were recomputed.
pub(super) struct Recomputed<'r> {
    pub(super) first: &'r Number,
    pub(super) second: &'r Number,
    /// The number of words of the event, where they are known.
    pub(super) count: Option<usize>,
    /// The inequality, for the pair that refutes.
    pub(super) inequality: Option<&'r str>,
}

impl Found {
    /// Records a field that is not what was recomputed.
    pub(super) fn differs(&mut self, key: &str, expected: &str, found: &str) {
        self.faults.push(format!("`{key}`: expected {expected}, found {found}"));
    }

    fn compare(&mut self, key: &str, expected: &Value, found: Option<&Value>) {
        if let Some(found) = found
            && found != expected
        {
            self.differs(key, &expected.to_string(), &found.to_string());
        }
    }
}

impl Replay<'_> {
    /// Compares what the file says about the pair.
    ///
    /// # Errors
    /// When a number is malformed.
    pub(super) fn pair_fields(&self, real: &Recomputed<'_>, found: &mut Found) -> Result<Number> {
        let at = |key: &str| format!("{}.{key}", self.key);
        let stated = &self.claimed.stated;
        let round = self.round() + 1;
        found.compare(&at("differing_round"), &round.into(), stated.differing_round.as_ref());
        if let Some(count) = real.count {
            let stated = Some(&self.claimed.event.count).filter(|count| !count.is_null());
            found.compare(&at("event.count"), &count.into(), stated);
        }
        let divergence = real.first - &(&self.question.epsilon.factor() * real.second);
        self.number(&at("divergence"), stated.divergence.as_deref(), &divergence, found)?;
        let enclosure = stated.divergence_enclosure.as_ref();
        self.enclosure(&at("divergence_enclosure"), enclosure, &divergence, found)?;
        if let Some(inequality) = real.inequality {
            found.compare(&at("inequality"), &inequality.into(), stated.inequality.as_ref());
        }
        Ok(divergence)
    }

    /// Compares what the file says about the question; `worst` is the divergence of the pair
    /// that is said to attain the worst δ.
    ///
    /// # Errors
    /// When a number is malformed.
    pub(super) fn file_fields(
        &self,
        stated: &Stated,
        subject: &Subject,
        worst: Option<&Number>,
        found: &mut Found,
    ) -> Result<()> {
        let kind = self.automaton.interface().kind();
        found.compare("kind", &kind.name().into(), stated.kind.as_ref());
        found.compare("verdict", &"refuted".into(), stated.verdict.as_ref());
        let rounds = self.rounds(stated, found);
        if let (Some((first, last)), Some(states)) = (rounds, &stated.states) {
            if self.listed {
                found.lines.push("not checked: `states`, without the listed pairs".into());
            } else {
                let shorter = usize::from(self.question.neighbours == Neighbours::AddRemove);
                let options = Options {
                    states: Options::STATES,
                    limits: self.limits.clone(),
                    rounds: Some(last),
                    sizes: Some(first - shorter.min(first)..=last),
                };
                let real = compile(&subject.mechanism, &options)?.len();
                found.compare("states", &real.into(), Some(states));
            }
        }
        if let Some(worst) = worst {
            self.number("worst_delta", stated.worst_delta.as_deref(), worst, found)?;
            let enclosure = stated.worst_delta_enclosure.as_ref();
            self.enclosure("worst_delta_enclosure", enclosure, worst, found)?;
        }
        if stated.worst_delta.is_some() {
            found.lines.push("not checked: that no pair of streams exceeds `worst_delta`".into());
        }
        if stated.table.is_some() {
            found.lines.push("not checked: `table`".into());
        }
        Ok(())
    }

    /// The least and the greatest length of the file, if it gives one that fits the pair.
    fn rounds(&self, stated: &Stated, found: &mut Found) -> Option<(usize, usize)> {
        let value = stated.rounds.as_ref()?;
        let number = |value: &Value| value.as_u64().and_then(|n| usize::try_from(n).ok());
        let range = match value {
            Value::Array(ends) => match &ends[..] {
                [first, last] => number(first).zip(number(last)),
                _ => None,
            },
            one => number(one).map(|n| (n, n)),
        };
        let length = self.pair.first.len().max(self.pair.second.len());
        // Outputs of fewer rounds are part of those of T rounds, but a one-shot mechanism with
        // fewer records is another question; a list has data sets of any size.
        let exactly = !self.listed && self.automaton.interface().kind() == Kind::OneShot;
        let fits = |&(first, last): &(usize, usize)| {
            first <= last && length <= last && (!exactly || length >= first)
        };
        let range = range.filter(fits);
        if range.is_none() {
            let expected = match (exactly, value.is_array()) {
                (true, false) => format!("{length}, the number of records"),
                (_, true) => format!("a range [first, last] that has {length}, the length of S"),
                (false, false) => format!("a number of at least {length}, the length of S"),
            };
            found.differs("rounds", &expected, &value.to_string());
        }
        range
    }

    fn number(
        &self,
        key: &str,
        stated: Option<&str>,
        real: &Number,
        found: &mut Found,
    ) -> Result<()> {
        if let Some(text) = stated
            && self.read(key, text)? != *real
        {
            found.differs(key, &real.to_string(), text);
        }
        Ok(())
    }

    /// Checks that two decimals are below and above a number.
    fn enclosure(
        &self,
        key: &str,
        stated: Option<&[String; 2]>,
        real: &Number,
        found: &mut Found,
    ) -> Result<()> {
        let Some([low, high]) = stated else { return Ok(()) };
        let read = |text: &str| {
            parse_rational(text).map(Number::from).map_err(|e| e.locate(&place_of(self.name, key)))
        };
        if read(low)? > *real || read(high)? < *real {
            let expected = format!("decimals around {real} = {}", real.decimal(12));
            found.differs(key, &expected, &format!("[{low}, {high}]"));
        }
        Ok(())
    }
}
