//! The verifier's own reading of an embedded automaton.
//!
//! Every law is checked: known states and symbols, no negative weight, and a sum of exactly 1.
//! A mechanism releases the symbol of a round before it sees the part after it, whatever the
//! table says, so causality needs no check.

use std::collections::BTreeMap;

use super::alphabets::{Alphabets, Kind, expected, places};
use super::format;
use super::notation;
use super::number::{Calculator, Quotient, Sum};
use super::rejection::{Malformed, Rejection};
use super::verify::End;

/// Weights as numerators; the denominator is that of the table.
pub(super) type Move = (usize, Sum);

/// A released symbol, a next state, and the numerator of the weight.
pub(super) type Response = (usize, usize, Sum);

/// An automaton over numerators. Laws of one sort share one denominator. A list of laws is empty
/// where the table gives none.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) kind: Kind,
    pub(super) points: Vec<String>,
    pub(super) outputs: Vec<String>,
    /// The names of the records, by `before`·|after| + `after`.
    pub(super) records: Vec<String>,
    afters: usize,
    pub(super) rounds: Option<usize>,
    pub(super) start: Vec<Move>,
    respond: Vec<Vec<Vec<Response>>>,
    observe: Vec<Vec<Vec<Move>>>,
    finish: Vec<Vec<Move>>,
    denominators: Denominators,
}

#[derive(Debug)]
struct Denominators {
    start: Sum,
    respond: Sum,
    round: Sum,
    finish: Sum,
}

impl Table {
    /// Reads an automaton; `calculator` counts the work.
    pub(super) fn read(file: &format::Automaton, calculator: &mut Calculator) -> Result<Self, End> {
        if file.format != 1 {
            let fault = Malformed::Format { expected: 1, found: file.format };
            return Err(Rejection::malformed("automaton.format", fault).into());
        }
        let alphabets = Alphabets::read(file)?;
        let states = places("automaton.states", file.states.iter().map(|state| &state.name))?;
        let outputs = places("automaton.outputs", &alphabets.outputs)?;
        let mut reader = Reader { states: &states, outputs: &outputs, calculator };
        let start = reader.steps("automaton.start", &file.start)?;
        let (mut start, start_denominator) = reader.laws(vec![start])?;
        let one_shot = alphabets.kind == Kind::OneShot;
        let mut sorts: [Vec<Law>; 3] = [Vec::new(), Vec::new(), Vec::new()];
        let [responses, observations, ends] = &mut sorts;
        for (s, state) in file.states.iter().enumerate() {
            let place = format!("automaton.states[{s}]");
            let unused =
                if one_shot { !state.respond.is_empty() } else { !state.finish.is_empty() };
            if unused {
                let fault = expected("laws that its kind asks for", "others");
                return Err(Rejection::malformed(place, fault).into());
            }
            let respond = format!("{place}.respond");
            for (place, law) in by_symbol(&respond, &state.respond, &alphabets.before)? {
                responses.push(reader.releases(&place, law)?);
            }
            let observe = format!("{place}.observe");
            for (place, law) in by_symbol(&observe, &state.observe, &alphabets.after)? {
                observations.push(reader.steps(&place, law)?);
            }
            if !state.finish.is_empty() {
                ends.push(reader.ends(&format!("{place}.finish"), &state.finish)?);
            }
        }
        let [responses, observations, ends] = sorts;
        let (responses, respond_denominator) = reader.laws(responses)?;
        let (observations, observe_denominator) = reader.laws(observations)?;
        let (ends, finish) = reader.laws(ends)?;
        let round = calculator.product(&respond_denominator, &observe_denominator)?;

        let (befores, afters) = (alphabets.before.len(), alphabets.after.len());
        let mut responses = responses.into_iter();
        let mut observations = observations.into_iter().map(moves);
        let mut ends = ends.into_iter().map(moves);
        let take = |there: bool, count: usize| if there { count } else { 0 };
        Ok(Self {
            kind: alphabets.kind,
            points: file.points.clone(),
            records: alphabets.records()?,
            outputs: alphabets.outputs,
            afters,
            rounds: file.rounds,
            start: moves(start.remove(0)),
            respond: file
                .states
                .iter()
                .map(|s| responses.by_ref().take(take(!s.respond.is_empty(), befores)).collect())
                .collect(),
            observe: file
                .states
                .iter()
                .map(|s| observations.by_ref().take(take(!s.observe.is_empty(), afters)).collect())
                .collect(),
            finish: file
                .states
                .iter()
                .map(|s| ends.by_ref().take(take(!s.finish.is_empty(), 1)).flatten().collect())
                .collect(),
            denominators: Denominators {
                start: start_denominator,
                respond: respond_denominator,
                round,
                finish,
            },
        })
    }

    /// The law of (symbol, next state) of `state` in a round with that record.
    pub(super) fn respond(&self, state: usize, record: usize) -> Result<&[Response], Rejection> {
        let law = self.respond[state].get(record / self.afters);
        law.map(Vec::as_slice).ok_or_else(|| missing(state, "respond"))
    }

    /// The law of the next state of `state` in a round with that record.
    pub(super) fn observe(&self, state: usize, record: usize) -> Result<&[Move], Rejection> {
        let law = self.observe[state].get(record % self.afters);
        law.map(Vec::as_slice).ok_or_else(|| missing(state, "observe"))
    }

    /// The law of the output of a one-shot mechanism in `state`.
    pub(super) fn finish(&self, state: usize) -> Result<&[Move], Rejection> {
        let law = &self.finish[state];
        if law.is_empty() { Err(missing(state, "finish")) } else { Ok(law) }
    }

    /// The first record of each *before* symbol: what may be shown before a release.
    pub(super) fn questions(&self) -> impl Iterator<Item = usize> {
        (0..self.records.len()).step_by(self.afters)
    }

    /// The number of records that begin with one *before* symbol.
    pub(super) fn afters(&self) -> usize {
        self.afters
    }

    /// The denominator of the law of a release.
    pub(super) fn respond_denominator(&self) -> &Sum {
        &self.denominators.respond
    }

    /// The denominator of the weights of one round.
    pub(super) fn round_denominator(&self) -> &Sum {
        &self.denominators.round
    }

    /// The denominator of probabilities of outputs after a number of rounds.
    pub(super) fn denominator(
        &self,
        rounds: usize,
        calculator: &mut Calculator,
    ) -> Result<Sum, End> {
        let rounds = calculator.power(&self.denominators.round, rounds)?;
        let ended = calculator.product(&rounds, &self.denominators.finish)?;
        Ok(calculator.product(&self.denominators.start, &ended)?)
    }

    /// The records of the stream of these names.
    pub(super) fn stream(&self, place: &str, names: &[String]) -> Result<Vec<usize>, Rejection> {
        let record = |(i, name): (usize, &String)| {
            self.records.iter().position(|record| record == name).ok_or_else(|| {
                let fault = expected(
                    &format!("a record among {}", self.records.join(", ")),
                    &format!("`{name}`"),
                );
                Rejection::malformed(format!("{place}[{i}]"), fault)
            })
        };
        names.iter().enumerate().map(record).collect()
    }

    /// Whether releasing `output` in a round with that record of a learner or predictor is a
    /// mistake.
    pub(super) fn mistake(&self, output: usize, record: usize) -> bool {
        let label = if record % 2 == 1 { b'1' } else { b'0' };
        let place = if self.kind == Kind::Learner { record / 2 } else { 0 };
        self.outputs[output].as_bytes()[place] != label
    }
}

fn missing(state: usize, what: &str) -> Rejection {
    let fault = expected("a law, as streams lead here", "none");
    Rejection::malformed(format!("automaton.states[{state}].{what}"), fault)
}

/// The laws in the order of the alphabet, each with its place: one for each symbol, or none at all.
fn by_symbol<'l, T>(
    place: &str,
    laws: &'l format::Laws<T>,
    alphabet: &[String],
) -> Result<Vec<(String, &'l [T])>, Rejection> {
    if laws.is_empty() {
        return Ok(Vec::new());
    }
    let malformed = |expectation: String, found: &str| {
        Err(Rejection::malformed(place, expected(&expectation, found)))
    };
    if let Some(symbol) = laws.0.keys().find(|symbol| !alphabet.contains(symbol)) {
        return malformed(format!("the symbols {}", alphabet.join(", ")), &format!("`{symbol}`"));
    }
    let mut ordered = Vec::with_capacity(alphabet.len());
    for symbol in alphabet {
        match laws.0.get(symbol) {
            Some(law) => ordered.push((format!("{place}.{symbol:?}"), law.as_slice())),
            None => return malformed(format!("a law for `{symbol}`"), "none"),
        }
    }
    Ok(ordered)
}

/// A law before its weights are brought over the common denominator: its place, and entries of
/// symbol, next state and weight. Where there is no symbol or no state, 0 stands in.
struct Law {
    place: String,
    entries: Vec<(usize, usize, Quotient)>,
}

fn moves(law: Vec<Response>) -> Vec<Move> {
    law.into_iter().map(|(_, to, weight)| (to, weight)).collect()
}

struct Reader<'r> {
    states: &'r BTreeMap<&'r str, usize>,
    outputs: &'r BTreeMap<&'r str, usize>,
    calculator: &'r mut Calculator,
}

impl Reader<'_> {
    fn steps(&mut self, place: &str, law: &[format::Step]) -> Result<Law, End> {
        let mut entries = Vec::with_capacity(law.len());
        for (i, step) in law.iter().enumerate() {
            let place = format!("{place}[{i}]");
            entries.push((0, self.state(&place, &step.to)?, self.weight(&place, &step.weight)?));
        }
        Ok(Law { place: place.to_owned(), entries })
    }

    fn releases(&mut self, place: &str, law: &[format::Release]) -> Result<Law, End> {
        let mut entries = Vec::with_capacity(law.len());
        for (i, release) in law.iter().enumerate() {
            let place = format!("{place}[{i}]");
            let (output, to) =
                (self.output(&place, &release.output)?, self.state(&place, &release.to)?);
            entries.push((output, to, self.weight(&place, &release.weight)?));
        }
        Ok(Law { place: place.to_owned(), entries })
    }

    /// The released symbol takes the place of the state.
    fn ends(&mut self, place: &str, law: &[format::End]) -> Result<Law, End> {
        let mut entries = Vec::with_capacity(law.len());
        for (i, end) in law.iter().enumerate() {
            let place = format!("{place}[{i}]");
            entries.push((0, self.output(&place, &end.output)?, self.weight(&place, &end.weight)?));
        }
        Ok(Law { place: place.to_owned(), entries })
    }

    fn state(&self, place: &str, name: &str) -> Result<usize, Rejection> {
        self.states.get(name).copied().ok_or_else(|| {
            let fault = expected("the name of a state", &format!("`{name}`"));
            Rejection::malformed(format!("{place}.to"), fault)
        })
    }

    fn output(&self, place: &str, name: &str) -> Result<usize, Rejection> {
        self.outputs.get(name).copied().ok_or_else(|| {
            let fault = expected("one of the outputs", &format!("`{name}`"));
            Rejection::malformed(format!("{place}.output"), fault)
        })
    }

    fn weight(&mut self, place: &str, text: &str) -> Result<Quotient, End> {
        let place = format!("{place}.weight");
        let weight = notation::number(&place, text, self.calculator)?;
        if self.calculator.sign(&weight.numerator)?.is_lt() {
            let fault = expected("a weight that is not negative", &format!("`{text}`"));
            return Err(Rejection::malformed(place, fault).into());
        }
        Ok(weight)
    }

    /// Brings laws over one denominator, and checks that each sums to 1.
    fn laws(&mut self, laws: Vec<Law>) -> Result<(Vec<Vec<Response>>, Sum), End> {
        let weights: Vec<Quotient> =
            laws.iter().flat_map(|law| law.entries.iter().map(|(.., w)| w.clone())).collect();
        let (numerators, denominator) = self.calculator.common(&weights)?;
        let mut numerators = numerators.into_iter();
        let mut common = Vec::with_capacity(laws.len());
        for law in laws {
            let mut sum = Sum::default();
            let mut entries = Vec::with_capacity(law.entries.len());
            for ((output, to, _), numerator) in law.entries.into_iter().zip(numerators.by_ref()) {
                sum.add(&numerator);
                entries.push((output, to, numerator));
            }
            if sum != denominator {
                let found = Quotient { numerator: sum, denominator };
                let fault = expected("weights that sum to 1", &format!("the sum {found}"));
                return Err(Rejection::malformed(law.place, fault).into());
            }
            common.push(entries);
        }
        Ok((common, denominator))
    }
}
