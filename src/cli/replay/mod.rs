//! `littlestone replay`: recomputes the two probabilities of a counterexample.

mod fields;

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::error::{Error, Position, Result};
use crate::exact::Number;
use crate::file;
use crate::limits::Limits;
use crate::mechanism::{Automaton, Kind, Options, compile, expression, stream};
use crate::privacy::{self, Neighbour, Neighbours, Notion, Question, Streams, direct};
use crate::questions::privacy::{PrivacyQuestion, inequality, neighbours::NeighbourChoice};
use crate::questions::subject::{StreamScope, Subject};
use crate::questions::{Heard, Run, door};

use super::common::LimitArgs;
use super::exit;
use super::output::{Outcome, Output};
use super::question;
use fields::{OfPair, Recomputed, Stated};

/// Recompute the probabilities of a counterexample that `verify` has found.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// A file written by `verify --counterexample`, or the output of `verify --format json`.
    file: PathBuf,
    #[command(flatten)]
    limits: LimitArgs,
}

const AFTER_HELP: &str = "\
Examples:
  littlestone verify predictor.rhai --class point:3 --rounds 4 --epsilon 0 --delta 1/5 --joint \\
      --counterexample refuted.json
  littlestone replay refuted.json

The file names the mechanism and the class as they were typed, so relative paths start from the
working directory. Both probabilities are computed twice: as `verify` does, and from the table of
the automaton alone, and every other field that follows from them is compared. The last line is `verdict: confirmed` or `verdict: not confirmed`.
Exit codes: 0 confirmed, 1 not confirmed, 2 malformed input.";

/// Greatest number of words that are enumerated one by one.
const MAX_WORDS: usize = 1 << 16;

/// The parts of the file that are read; docs/schemas/privacy.schema.json has all.
#[derive(Debug, Deserialize)]
struct File {
    format: u64,
    command: String,
    notion: String,
    neighbours: String,
    counterexample: Option<Claimed>,
    attained_by: Option<Claimed>,
    #[serde(flatten)]
    stated: Stated,
    /// With the fields of the question under their own names.
    #[serde(flatten)]
    rest: Map<String, Value>,
}

#[derive(Debug, Deserialize)]
struct Claimed {
    first: String,
    second: String,
    first_probability: String,
    second_probability: String,
    event: Words,
    #[serde(flatten)]
    stated: OfPair,
}

#[derive(Debug, Deserialize)]
struct Words {
    #[serde(default)]
    count: Value,
    words: Option<Vec<Vec<Option<String>>>>,
}

pub(super) fn run(args: &Args, output: &mut Output<'_>) -> Outcome {
    let limits = args.limits.limits(output)?;
    let name = args.file.display().to_string();
    let file = read(&args.file, &name)?;
    let asked = file.question(&name)?;
    let told = RefCell::new(Vec::new());
    let listener = |heard: Heard| told.borrow_mut().push(heard);
    let run = Run::within(limits.clone()).heard_by(&listener);
    let subject = run.subject(&asked.subject);
    told.take().into_iter().for_each(|heard| question::tell(heard, output));
    let found = replay(&name, (&file, &asked), &subject?, &limits)?;
    output.line(format_args!("mechanism: {}", asked.subject.mechanism))?;
    if let Some(class) = asked.subject.class() {
        output.line(format_args!("class: {class}"))?;
    }
    for line in &found.lines {
        output.line(line)?;
    }
    for fault in &found.faults {
        output.line(format_args!("not confirmed: {fault}"))?;
    }
    let confirmed = found.faults.is_empty();
    output.line(if confirmed { "verdict: confirmed" } else { "verdict: not confirmed" })?;
    Ok(if confirmed { exit::EXPECTED } else { exit::REFUTED })
}

fn replay(
    name: &str,
    (file, asked): (&File, &PrivacyQuestion),
    subject: &Subject,
    limits: &Limits,
) -> Result<Found> {
    let Some(claimed) = &file.counterexample else {
        let expected = "a counterexample, which only a refuted claim has";
        return Err(Error::malformed(place_of(name, "counterexample"), expected, "none"));
    };
    let replay = Replay::new(name, (file, asked), subject, "counterexample", claimed, limits)?;
    let mut found = Found::default();
    if replay.run(subject, &mut found)?.is_none() {
        return Ok(found);
    }
    let worst = match &file.attained_by {
        Some(claimed) => {
            let replay = Replay::new(name, (file, asked), subject, "attained_by", claimed, limits)?;
            found.lines.push("attained by:".into());
            replay.run(subject, &mut found)?
        }
        None => None,
    };
    replay.file_fields(&file.stated, subject, worst.as_ref(), &mut found)?;
    Ok(found)
}

/// A field of the file called `name`.
fn place_of(name: &str, key: &str) -> Position {
    Position::whole(format!("{name}: {key}"))
}

impl File {
    /// The question. Which pairs are listed is known to nobody any more.
    fn question(&self, name: &str) -> Result<PrivacyQuestion> {
        let fields = door::fields::<PrivacyQuestion>();
        let field = |(key, value): (&String, &Value)| {
            let known = fields.iter().any(|field| field.name == *key);
            (known && !value.is_null()).then(|| (key.clone(), value.clone()))
        };
        let mut map: Map<String, Value> = self.rest.iter().filter_map(field).collect();
        let joint = match self.notion.as_str() {
            "differential-privacy" => false,
            "joint-differential-privacy" => true,
            other => {
                let expected = "`differential-privacy` or `joint-differential-privacy`";
                let found = format!("`{other}`");
                return Err(Error::malformed(place_of(name, "notion"), expected, found));
            }
        };
        map.insert("joint".into(), joint.into());
        match self.neighbours.as_str() {
            "listed" => {}
            "replacement" | "add-remove" | "adjacent" => {
                map.insert("neighbours".into(), self.neighbours.as_str().into());
            }
            other => {
                let expected = "`replacement`, `add-remove`, `adjacent` or `listed`";
                let found = format!("`{other}`");
                return Err(Error::malformed(place_of(name, "neighbours"), expected, found));
            }
        }
        let asked: PrivacyQuestion = door::read(map).map_err(|misread| Error::At {
            position: place_of(name, &misread.path),
            message: misread.message,
        })?;
        match &asked.delta {
            Some(delta) if delta.value.0 < Number::one() => Ok(asked),
            other => {
                let found = other.as_ref().map_or("none".into(), |delta| format!("`{delta}`"));
                let expected = "the δ of the claim, a number in [0, 1)";
                Err(Error::malformed(place_of(name, "delta"), expected, found))
            }
        }
    }
}

fn read(path: &Path, name: &str) -> Result<File> {
    let text = file::read_text(path, file::MAX_DATA_BYTES)?;
    let file: File = serde_json::from_str(&text).map_err(|error| {
        let full = error.to_string();
        let found = full.rfind(" at line ").map_or(full.as_str(), |end| &full[..end]);
        let position = Position::at(name, error.line(), error.column());
        Error::malformed(position, "a counterexample in JSON", found)
    })?;
    if file.format != 1 || file.command != "verify" {
        let found = format!("format {} of the command `{}`", file.format, file.command);
        return Err(Error::malformed(
            Position::whole(name),
            "format 1 of the command `verify`",
            found,
        ));
    }
    Ok(file)
}

/// A counterexample, or the pair that attains the worst δ, understood.
struct Replay<'a> {
    name: &'a str,
    /// The field of the file that has the pair.
    key: &'static str,
    claimed: &'a Claimed,
    automaton: Automaton,
    question: Question,
    listed: bool,
    adjacent: bool,
    realisable: bool,
    delta: Number,
    pair: Neighbour,
    words: Option<Vec<Vec<usize>>>,
    stated: [Number; 2],
    limits: &'a Limits,
}

/// What the replay says.
#[derive(Default)]
struct Found {
    lines: Vec<String>,
    faults: Vec<String>,
}

impl<'a> Replay<'a> {
    fn new(
        name: &'a str,
        (file, asked): (&'a File, &PrivacyQuestion),
        subject: &Subject,
        key: &'static str,
        claimed: &'a Claimed,
        limits: &'a Limits,
    ) -> Result<Self> {
        let place = |key: &str| place_of(name, key);
        let of_pair = |field: &str| format!("{key}.{field}");
        let number = |key: &str, text: &str| {
            expression::evaluate(text, &std::collections::BTreeMap::new())
                .map_err(|error| Error::malformed(place(key), "an exact number", error.to_string()))
        };
        let interface = subject.interface();
        let read = |key: &str, text: &str| stream::parse(interface, text, &place(key));
        let pair = Neighbour {
            first: read(&of_pair("first"), &claimed.first)?,
            second: read(&of_pair("second"), &claimed.second)?,
        };
        let sizes = [pair.first.len(), pair.second.len()];
        let options = Options {
            states: Options::STATES,
            limits: limits.clone(),
            rounds: Some(sizes[0].max(sizes[1])),
            sizes: Some(sizes[0].min(sizes[1])..=sizes[0].max(sizes[1])),
        };
        let automaton = compile(&subject.mechanism, &options)?;
        let (epsilon, delta) = (asked.epsilon.value.clone(), asked.delta.as_ref());
        let delta = delta.map_or_else(Number::zero, |delta| delta.value.0.clone());
        let notion = if asked.joint { Notion::Joint } else { Notion::Whole };
        let choice = asked.neighbours.as_ref().map(|choice| &choice.value);
        let neighbours = match choice {
            Some(NeighbourChoice::All(neighbours)) => *neighbours,
            _ => Neighbours::Replacement,
        };
        let stated = [
            number(&of_pair("first_probability"), &claimed.first_probability)?,
            number(&of_pair("second_probability"), &claimed.second_probability)?,
        ];
        automaton.fits([&epsilon.factor(), &delta, &stated[0], &stated[1]])?;
        let question = Question { notion, neighbours, epsilon };
        let listed = file.neighbours == "listed";
        let mut replay = Self {
            name,
            key,
            claimed,
            automaton,
            question,
            listed,
            adjacent: choice == Some(&NeighbourChoice::Adjacent),
            realisable: asked.streams == StreamScope::Realisable,
            delta,
            pair,
            words: None,
            stated,
            limits,
        };
        replay.suitable()?;
        replay.words = replay.read_words()?;
        Ok(replay)
    }

    /// Checks that the question can be asked about a mechanism of this kind.
    fn suitable(&self) -> Result<()> {
        let kind = self.automaton.interface().kind();
        let place = |key: &str| place_of(self.name, key);
        let found = || format!("a {kind}");
        if self.question.notion == Notion::Joint && matches!(kind, Kind::Learner | Kind::OneShot) {
            return Err(Error::malformed(place("notion"), "a predictor or transducer", found()));
        }
        let one_shot =
            self.listed || self.adjacent || self.question.neighbours == Neighbours::AddRemove;
        if one_shot && kind != Kind::OneShot {
            return Err(Error::malformed(place("neighbours"), "a one-shot mechanism", found()));
        }
        if self.realisable && !matches!(kind, Kind::Learner | Kind::Predictor) {
            return Err(Error::malformed(place("streams"), "a learner or predictor", found()));
        }
        if self.pair.first == self.pair.second {
            let position = place(&format!("{}.second", self.key));
            return Err(Error::malformed(position, "a stream other than the first", "the same"));
        }
        Ok(())
    }

    /// The first round in which the streams differ, from 0.
    fn round(&self) -> usize {
        let Neighbour { first, second } = &self.pair;
        let mut rounds = 0..first.len().max(second.len());
        rounds.find(|&i| first.get(i) != second.get(i)).unwrap_or(0)
    }

    fn omitted(&self) -> Option<usize> {
        (self.question.notion == Notion::Joint).then(|| self.round())
    }

    /// A number of the file.
    fn read(&self, key: &str, text: &str) -> Result<Number> {
        let number =
            expression::evaluate(text, &std::collections::BTreeMap::new()).map_err(|e| {
                Error::malformed(place_of(self.name, key), "an exact number", e.to_string())
            })?;
        self.automaton.fits([&self.question.epsilon.factor(), &number])?;
        Ok(number)
    }

    fn read_words(&self) -> Result<Option<Vec<Vec<usize>>>> {
        let Some(written) = &self.claimed.event.words else { return Ok(None) };
        let (name, key) = (self.name, self.key);
        let kind = self.automaton.interface().kind();
        let length = if kind == Kind::OneShot { 1 } else { self.pair.first.len() };
        let mut words = Vec::with_capacity(written.len());
        for (index, word) in written.iter().enumerate() {
            let fault = |expected: String, found: String| {
                let place = format!("{key}.event.words[{index}]");
                Err(Error::malformed(place_of(name, &place), expected, found))
            };
            if word.len() != length {
                return fault(format!("{length} symbols"), word.len().to_string());
            }
            let mut read = Vec::with_capacity(length);
            for (round, symbol) in word.iter().enumerate() {
                match symbol {
                    None if self.omitted() == Some(round) => {}
                    Some(symbol) if self.omitted() != Some(round) => {
                        let known = self.automaton.outputs().iter().position(|o| o == symbol);
                        let Some(output) = known else {
                            let allowed = self.automaton.interface().allowed();
                            return fault(allowed, format!("`{symbol}`"));
                        };
                        read.push(output);
                    }
                    None => {
                        return fault("a symbol".into(), format!("null in round {}", round + 1));
                    }
                    Some(symbol) => {
                        let expected = "null in the differing round".to_owned();
                        return fault(expected, format!("`{symbol}`"));
                    }
                }
            }
            words.push(read);
        }
        words.sort_unstable();
        if words.windows(2).any(|pair| pair[0] == pair[1]) {
            let place = place_of(name, &format!("{key}.event.words"));
            return Err(Error::malformed(place, "each word once", "one twice"));
        }
        Ok(Some(words))
    }

    /// Recomputes everything about the pair, and returns its divergence; nothing where the streams
    /// are not even neighbours.
    fn run(&self, subject: &Subject, found: &mut Found) -> Result<Option<Number>> {
        let interface = self.automaton.interface();
        for (name, records) in [("S", &self.pair.first), ("S'", &self.pair.second)] {
            found.lines.push(format!("{name}: {}", stream::write(interface, records)));
        }
        let before = found.faults.len();
        self.neighbours(subject, found)?;
        if found.faults.len() > before {
            return Ok(None);
        }
        let meter = &mut self.limits.meter();
        let event = if self.enumerable() {
            privacy::event(&self.automaton, &self.question, &self.pair, meter)?
        } else {
            privacy::event_unlisted(&self.automaton, &self.question, &self.pair, meter)?
        };
        let engine = [event.first, event.second];
        let mut count = None;
        let (described, [p, q]) = if let Some(words) = &self.words {
            let direct = self.direct(words);
            if *words == event.words && direct != engine {
                found.faults.push("the two computations disagree".into());
            }
            count = Some(words.len());
            let plural = if words.len() == 1 { "" } else { "s" };
            (format!("{} word{plural}", words.len()), direct)
        } else {
            if self.enumerable() {
                count = Some(event.words.len());
                if self.direct(&event.words) != engine {
                    found.faults.push("the two computations disagree".into());
                }
            }
            ("the outputs y with P(y) > e^ε·Q(y)".to_owned(), engine)
        };
        found.lines.push(format!("event E: {described}"));
        found.lines.push(format!("P[A(S) ∈ E]: {p}"));
        found.lines.push(format!("P[A(S') ∈ E]: {q}"));
        let fields = ["first_probability", "second_probability"];
        for ((field, stated), real) in fields.into_iter().zip(&self.stated).zip([&p, &q]) {
            if stated != real {
                let field = format!("{}.{field}", self.key);
                found.differs(&field, &real.to_string(), &stated.to_string());
            }
        }
        let refutes = self.key == "counterexample";
        let (exceeds, shown) = inequality(&p, &q, &self.question.epsilon, &self.delta);
        if refutes {
            found.lines.push(format!("P[A(S) ∈ E] > e^ε · P[A(S') ∈ E] + δ: {shown}"));
        }
        let inequality = refutes.then_some(shown.as_str());
        let real = Recomputed { first: &p, second: &q, count, inequality };
        let divergence = self.pair_fields(&real, found)?;
        if refutes && !exceeds {
            found.faults.push("the inequality does not hold".into());
        }
        Ok(Some(divergence))
    }

    /// Both probabilities of the words, from the table of the automaton alone.
    fn direct(&self, words: &[Vec<usize>]) -> [Number; 2] {
        [&self.pair.first, &self.pair.second]
            .map(|stream| direct::probability(&self.automaton, stream, self.omitted(), words))
    }

    /// Whether all output words can be looked at one by one.
    fn enumerable(&self) -> bool {
        let rounds = u32::try_from(self.pair.first.len()).unwrap_or(u32::MAX);
        self.automaton.interface().kind() == Kind::OneShot
            || self.automaton.outputs().len().checked_pow(rounds).is_some_and(|n| n <= MAX_WORDS)
    }

    /// Checks that the streams are neighbours of the kind that the claim is about.
    fn neighbours(&self, subject: &Subject, found: &mut Found) -> Result<()> {
        let Neighbour { first, second } = &self.pair;
        if self.listed {
            found.lines.push("taken on trust: that the pair is listed".into());
        } else if self.adjacent {
            let pair = |neighbour: &Neighbour| {
                (neighbour.first == *first && neighbour.second == *second)
                    || (neighbour.first == *second && neighbour.second == *first)
            };
            if !privacy::adjacent(self.automaton.interface())?.iter().any(pair) {
                let fault =
                    "the data sets are no adjacent vectors: an answer moves by more than one";
                found.faults.push(fault.into());
            }
        } else if let Some(fault) = privacy::not_neighbours(self.question.neighbours, &self.pair) {
            found.faults.push(fault);
        }
        if self.realisable {
            let class = subject.class("realisable streams")?;
            let streams = Streams::realisable_by(class, self.automaton.interface(), self.limits)?;
            for (name, stream) in [("S", first), ("S'", second)] {
                if !streams.contains(stream) {
                    found.faults.push(format!("{name} is not realisable"));
                }
            }
        }
        Ok(())
    }
}
