//! A question about privacy, and what the automaton answers: the probabilities of an event under
//! a pair of streams, and bounds over all pairs.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use super::alphabets::{Kind, expected};
use super::automaton::Table;
use super::enumerate::{Allowed, Pairs, Words, words, words_of};
use super::format::{Pair, Privacy};
use super::notation;
use super::number::{Calculator, Quotient, Sum};
use super::privacy::allowed;
use super::rejection::{Malformed, Rejection, Unproved};
use super::verify::{End, Limit};

/// What is compared, over which streams.
#[derive(Debug)]
pub(super) struct Question<'q> {
    table: &'q Table,
    allowed: Allowed,
    joint: bool,
    add_remove: bool,
    /// The neighbours, where they are listed.
    listed: Option<Vec<[Vec<usize>; 2]>>,
    /// e^ε.
    factor: Quotient,
    rounds: usize,
}

impl<'q> Question<'q> {
    /// Reads what is compared; it must fit the mechanism.
    pub(super) fn read(
        certificate: &Privacy,
        table: &'q Table,
        calculator: &mut Calculator,
    ) -> Result<Self, End> {
        let joint = certificate.notion == "joint";
        let add_remove = certificate.neighbours == "add-remove";
        if joint && matches!(table.kind, Kind::Learner | Kind::OneShot) {
            let reason = "joint privacy (Definition 4) is a property of predictors and transducers";
            return Err(Rejection::malformed("notion", Malformed::Unfit { reason }).into());
        }
        if add_remove && table.kind != Kind::OneShot {
            let reason = "only streams of one-shot mechanisms may differ in length";
            return Err(Rejection::malformed("neighbours", Malformed::Unfit { reason }).into());
        }
        let listed = certificate.pairs.as_deref();
        Ok(Self {
            table,
            allowed: allowed(certificate.hypotheses.as_deref(), table)?,
            joint,
            add_remove,
            listed: listed.map(|pairs| read_pairs(pairs, certificate.rounds, table)).transpose()?,
            factor: notation::epsilon("epsilon", &certificate.epsilon, calculator)?,
            rounds: certificate.rounds,
        })
    }

    /// Recomputes both probabilities of an event. Returns P − e^ε·Q and the length of the streams.
    pub(super) fn pair(
        &self,
        place: &str,
        pair: &Pair,
        calculator: &mut Calculator,
    ) -> Result<(Quotient, usize), End> {
        let at = |key: &str| format!("{place}.{key}");
        let first = self.table.stream(&at("first"), &pair.first)?;
        let second = self.table.stream(&at("second"), &pair.second)?;
        let rounds = first.len().max(second.len());
        if rounds == 0 || rounds > self.rounds {
            let fault = expected(&format!("1 to {} records", self.rounds), &format!("{rounds}"));
            return Err(Rejection::malformed(at("first"), fault).into());
        }
        let round = match &self.listed {
            // Nothing is left out where the notion is not joint, so the round does not matter.
            Some(pairs) => pairs
                .iter()
                .any(|[one, other]| {
                    (one, other) == (&first, &second) || (one, other) == (&second, &first)
                })
                .then_some(0),
            None => differing_round(&first, &second, self.add_remove),
        };
        let Some(round) = round else {
            return Err(Rejection::unproved(place, Unproved::NotNeighbours).into());
        };
        for (key, stream) in [("first", &first), ("second", &second)] {
            if !self.allowed.allows(stream) {
                return Err(Rejection::unproved(at(key), Unproved::NotRealisable).into());
            }
        }
        let length = match (self.table.kind, self.joint) {
            (Kind::OneShot, _) => 1,
            (_, true) => rounds - 1,
            (_, false) => rounds,
        };
        let event = self.event(&at("event"), &pair.event, length)?;
        let omitted = self.joint.then_some(round);
        let sides = [
            ("first_probability", &first, &pair.first_probability),
            ("second_probability", &second, &pair.second_probability),
        ];
        let mut probabilities = Vec::with_capacity(2);
        for (key, stream, text) in sides {
            let law = words_of(self.table, stream, omitted, calculator)?;
            let mut numerator = Sum::default();
            for mass in event.iter().filter_map(|word| law.get(word)) {
                numerator.add(mass);
            }
            let denominator = self.table.denominator(stream.len(), calculator)?;
            let recomputed = Quotient { numerator, denominator };
            let stated = notation::number(&at(key), text, calculator)?;
            if calculator.compare(&recomputed, &stated)? != Ordering::Equal {
                let (recomputed, found) = (recomputed.to_string(), text.clone());
                let fault = Unproved::OtherNumber { recomputed, found };
                return Err(Rejection::unproved(at(key), fault).into());
            }
            probabilities.push(recomputed);
        }
        let scaled = calculator.times(&self.factor, &probabilities[1])?;
        Ok((calculator.difference(&probabilities[0], &scaled)?, rounds))
    }

    /// The words of an event: distinct, of one length, over the outputs.
    fn event(
        &self,
        place: &str,
        event: &[Vec<String>],
        length: usize,
    ) -> Result<BTreeSet<Vec<usize>>, Rejection> {
        let mut first_at = BTreeMap::new();
        for (i, names) in event.iter().enumerate() {
            let place = |i: usize| format!("{place}[{i}]");
            if names.len() != length {
                let found = names.len();
                let fault = Malformed::Length { what: "outputs", expected: length, found };
                return Err(Rejection::malformed(place(i), fault));
            }
            let mut word = Vec::with_capacity(length);
            for name in names {
                let output = self.table.outputs.iter().position(|output| output == name);
                word.push(output.ok_or_else(|| {
                    let fault = expected("one of the outputs", &format!("`{name}`"));
                    Rejection::malformed(place(i), fault)
                })?);
            }
            if let Some(first) = first_at.insert(word, i) {
                let fault = Malformed::Repeated { first: place(first) };
                return Err(Rejection::malformed(place(i), fault));
            }
        }
        Ok(first_at.into_keys().collect())
    }

    /// Checks that the worst δ is attained by the pair, and by no pair exceeded.
    pub(super) fn worst(
        &self,
        attained_by: Option<&Pair>,
        worst: &Quotient,
        text: &str,
        rounds: usize,
        calculator: &mut Calculator,
    ) -> Result<(), End> {
        let attained = match attained_by {
            Some(pair) => {
                let place = "claim.attained_by";
                let (divergence, length) = self.pair(place, pair, calculator)?;
                if length != rounds && self.listed.is_none() {
                    let fault = expected(&format!("{rounds} records"), &length.to_string());
                    return Err(Rejection::malformed(place, fault).into());
                }
                divergence
            }
            None => Sum::default().into(),
        };
        if calculator.compare(&attained, worst)? != Ordering::Equal {
            let (recomputed, found) = (attained.to_string(), text.to_owned());
            let fault = Unproved::OtherNumber { recomputed, found };
            return Err(Rejection::unproved("claim.worst_delta", fault).into());
        }
        let pairs = self.bounded("claim.worst_delta", worst, text, rounds, calculator)?;
        if attained_by.is_none() && pairs > 0 {
            return Err(Rejection::unproved("claim.attained_by", Unproved::PairNeeded).into());
        }
        Ok(())
    }

    /// Checks Σ max(0, P − e^ε·Q) ≤ bound for every two neighbouring streams, in both directions.
    /// Returns the number of unordered pairs.
    pub(super) fn bounded(
        &self,
        place: &str,
        bound: &Quotient,
        text: &str,
        rounds: usize,
        calculator: &mut Calculator,
    ) -> Result<u64, End> {
        let denominator = self.table.denominator(rounds, calculator)?;
        let bound = Bound { place, value: bound, text, rounds, denominator };
        let Self { table, ref allowed, joint, add_remove, .. } = *self;
        let mut count = 0;
        if let Some(listed) = &self.listed {
            for [first, second] in listed {
                count += 1;
                let one = (words_of(table, first, None, calculator)?, &first[..]);
                let other = (words_of(table, second, None, calculator)?, &second[..]);
                self.pair_bounded(&bound, one, other, calculator)?;
            }
            return Ok(count);
        }
        let pairs = Pairs { table, allowed, rounds, joint, add_remove };
        pairs.each(calculator, &mut |calculator, first, second| {
            count += 1;
            let one = (words(table, &first.law, calculator)?, &first.stream[..]);
            let other = (words(table, &second.law, calculator)?, &second.stream[..]);
            self.pair_bounded(&bound, one, other, calculator)
        })?;
        Ok(count)
    }

    /// The same for one pair.
    fn pair_bounded<'s>(
        &self,
        bound: &Bound<'_>,
        mut one: (Words, &'s [usize]),
        mut other: (Words, &'s [usize]),
        calculator: &mut Calculator,
    ) -> Result<(), End> {
        // The probabilities of a shorter stream are brought over the denominator of the longest one.
        for (words, stream) in [&mut one, &mut other] {
            let missing = bound.rounds - stream.len();
            let lift = calculator.power(self.table.round_denominator(), missing)?;
            if lift != Sum::one() {
                for mass in words.values_mut() {
                    *mass = calculator.product(mass, &lift)?;
                }
            }
        }
        for ((p, first), (q, second)) in [(&one, &other), (&other, &one)] {
            let divergence = excess(p, q, &self.factor, &bound.denominator, calculator)?;
            if calculator.compare(&divergence, bound.value)?.is_gt() {
                let fault = Unproved::DivergenceAbove {
                    bound: bound.text.to_owned(),
                    divergence: divergence.to_string(),
                    first: stream_name(self.table, first),
                    second: stream_name(self.table, second),
                };
                return Err(Rejection::unproved(bound.place, fault).into());
            }
        }
        Ok(())
    }
}

/// A claimed bound on divergences.
struct Bound<'b> {
    place: &'b str,
    value: &'b Quotient,
    text: &'b str,
    /// The most records of a stream, and the denominator of probabilities after so many.
    rounds: usize,
    denominator: Sum,
}

/// The listed pairs: of a one-shot mechanism, not empty, of different streams, the longest of
/// which has `rounds` records.
fn read_pairs(
    pairs: &[[Vec<String>; 2]],
    rounds: usize,
    table: &Table,
) -> Result<Vec<[Vec<usize>; 2]>, Rejection> {
    if table.kind != Kind::OneShot {
        let reason = "listed neighbours are data sets of one-shot mechanisms";
        return Err(Rejection::malformed("neighbours", Malformed::Unfit { reason }));
    }
    let mut read = Vec::with_capacity(pairs.len());
    for (i, [first, second]) in pairs.iter().enumerate() {
        let place = format!("pairs[{i}]");
        let first = table.stream(&format!("{place}[0]"), first)?;
        let second = table.stream(&format!("{place}[1]"), second)?;
        if first == second {
            let fault = expected("two data sets that differ", "equal ones");
            return Err(Rejection::malformed(place, fault));
        }
        read.push([first, second]);
    }
    let longest = read.iter().flatten().map(Vec::len).max().unwrap_or(0);
    if longest != rounds {
        let fault = expected(&format!("{longest}, the most records listed"), &rounds.to_string());
        return Err(Rejection::malformed("rounds", fault));
    }
    Ok(read)
}

/// The records of a stream as text.
pub(super) fn stream_name(table: &Table, stream: &[usize]) -> String {
    let names: Vec<&str> = stream.iter().map(|&record| table.records[record].as_str()).collect();
    format!("({})", names.join(" "))
}

/// Σ over words of max(0, p − factor·q).
pub(super) fn excess(
    p: &BTreeMap<Vec<usize>, Sum>,
    q: &BTreeMap<Vec<usize>, Sum>,
    factor: &Quotient,
    denominator: &Sum,
    calculator: &mut Calculator,
) -> Result<Quotient, Limit> {
    // With e^ε = a/b all is brought over b, which is 1 for most ε.
    let (above, below) = (&factor.numerator, &factor.denominator);
    let simple = *below == Sum::one();
    let mut excess = Sum::default();
    for (word, mass) in p {
        let mut difference = if simple { mass.clone() } else { calculator.product(below, mass)? };
        if let Some(other) = q.get(word) {
            difference.add(&calculator.product(above, other)?.negated());
        }
        if calculator.sign(&difference)?.is_gt() {
            excess.add(&difference);
        }
    }
    let denominator =
        if simple { denominator.clone() } else { calculator.product(below, denominator)? };
    Ok(Quotient { numerator: excess, denominator })
}

/// The only round in which two streams of one length differ; with added records, the first round
/// of the longer stream whose removal gives the other. Nothing when they are not neighbours.
fn differing_round(first: &[usize], second: &[usize], add_remove: bool) -> Option<usize> {
    if add_remove {
        let (longer, shorter) =
            if first.len() > second.len() { (first, second) } else { (second, first) };
        return (0..longer.len()).find(|&i| {
            let mut rest = longer.to_vec();
            rest.remove(i);
            rest == shorter
        });
    }
    if first.len() != second.len() {
        return None;
    }
    let mut differing = (0..first.len()).filter(|&i| first[i] != second[i]);
    let round = differing.next()?;
    differing.next().is_none().then_some(round)
}
