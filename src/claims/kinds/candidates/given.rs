//! The class, the parameters and the streams of a claim about Algorithm 2.

use crate::catalogue::Select;
use crate::catalogue::candidates::{
    Algorithm, Fault, Function, Parameters, Stream, Variant, streams,
};
use crate::class::{Class, parse_stream};
use crate::error::{Error, Position};
use crate::exact::{Number, Rational, parse_rational};
use crate::limits::{Limits, Stopped};
use crate::littlestone::Solver;

use super::super::super::{Fields, Located};
use super::super::bound::{Scope, evaluate};
use super::super::{Classes, decomposition};

/// The keys of the sizes.
const SIZES: [&str; 4] = ["n", "k", "N", "K"];

#[derive(Debug)]
pub(super) struct Given {
    class: decomposition::Given,
    ambient: Option<Located<i32>>,
    sample: usize,
    groups: usize,
    list_bound: Option<usize>,
    candidates: usize,
    batch: usize,
    /// Where n, k, N and K stand.
    sizes: [Position; 4],
    base: Base,
    score: Located<String>,
    thresholds: Option<Located<String>>,
    lists: Option<Located<String>>,
    first: Option<Located<String>>,
    variant: Variant,
    streams: Streams,
}

/// What Select's weights are powers of.
#[derive(Debug)]
enum Base {
    Two,
    Power(Located<String>),
    Exponential(Located<String>),
}

#[derive(Debug)]
enum Streams {
    All { rounds: usize, realisable: bool },
    One(Located<String>),
}

impl Given {
    pub fn parse(fields: &mut Fields<'_>) -> Option<Self> {
        let class = decomposition::Given::parse(fields);
        let ambient = fields.at_least("ambient", 0i32);
        let mut positive = |key: &str| {
            if !fields.has(key) {
                fields.missing(&format!("the key `{key}`"));
            }
            fields.at_least(key, 1usize)
        };
        let sizes = SIZES.map(&mut positive);
        let list_bound = fields.at_least("s", 0usize).map(|number| number.value);
        let base = match (fields.has("q"), fields.has("a")) {
            (false, false) => Some(Base::Two),
            (true, false) => fields.expression("q").map(Base::Power),
            (false, true) => fields.expression("a").map(Base::Exponential),
            (true, true) => {
                let position = fields.position();
                fields.refuse(position, "at most one of the keys `q` and `a`", "both");
                None
            }
        };
        if !fields.has("B") {
            fields.missing("the key `B`");
        }
        let score = fields.expression("B");
        let mut text =
            |key: &str| if fields.has(key) { fields.text(key).map(Some) } else { Some(None) };
        let (thresholds, lists, first) = (text("thresholds"), text("lists"), text("first"));
        let variant = fields.choice("variant", &Variant::ALL);
        let realisable = fields.choice("streams", &[("realisable", true), ("all", false)]);
        let streams = match (fields.has("rounds"), fields.has("stream")) {
            (true, false) => {
                let rounds = fields.rounds("rounds");
                rounds.and_then(|rounds| Some(Streams::All { rounds, realisable: realisable? }))
            }
            (false, true) => fields.inner("stream").map(Streams::One),
            _ => {
                let position = fields.position();
                fields.refuse(position, "one of the keys `rounds` and `stream`", "both or none");
                None
            }
        };
        let [Some(sample), Some(groups), Some(candidates), Some(batch)] = sizes else {
            return None;
        };
        Some(Self {
            class: class?,
            ambient,
            sample: sample.value,
            groups: groups.value,
            list_bound,
            candidates: candidates.value,
            batch: batch.value,
            sizes: [sample, groups, candidates, batch].map(|number| number.position),
            base: base?,
            score: score?,
            thresholds: thresholds?,
            lists: lists?,
            first: first?,
            variant: variant?,
            streams: streams?,
        })
    }

    pub fn load(&mut self, classes: &mut Classes<'_>) {
        self.class.load(classes);
    }

    pub fn class(&self) -> Result<&Class, Error> {
        self.class.class()
    }

    /// The algorithm.
    pub fn algorithm(&self, limits: &Limits) -> Result<Algorithm, Fault> {
        let class = self.class()?;
        let ambient = if let Some(ambient) = &self.ambient {
            ambient.value
        } else {
            let found = Solver::new(class, limits.clone()).dimension();
            found.value().ok_or(Fault::Stopped(found.stopped.unwrap_or(Stopped::Elsewhere)))?
        };
        let class_at = &self.class.class.position;
        let ambient_at = self.ambient.as_ref().map_or(class_at, |ambient| &ambient.position);
        Parameters::check_ambient(ambient).map_err(|error| placed(ambient_at, &error))?;
        let sizes = [self.sample, self.groups, self.candidates, self.batch];
        for ((name, value), at) in SIZES.iter().zip(sizes).zip(&self.sizes) {
            Parameters::check_size(name, value).map_err(|error| placed(at, &error))?;
        }
        let scope = Scope::from([
            ("k".to_owned(), natural(self.groups)),
            ("n".to_owned(), natural(self.sample)),
        ]);
        let score = rational(&self.score, &evaluate(&self.score, &scope)?)?;
        let select = self.select(&score, &scope)?;
        let thresholds = match &self.thresholds {
            None => Parameters::paper_thresholds(ambient),
            Some(text) => listed(text, |item| parse_rational(item).ok(), "rational numbers")?,
        };
        let lists = match &self.lists {
            None => Parameters::paper_lists(ambient, self.sample)
                .map_err(|error| placed(ambient_at, &error))?,
            Some(text) => listed(text, |item| item.parse().ok(), "natural numbers")?,
        };
        let first = match &self.first {
            None => Function::zero(class.points()),
            Some(text) => Function::new(&text.value).ok_or_else(|| {
                let found = format!("`{}`", text.value);
                Error::malformed(text.position.clone(), "labels 0 or 1", found)
            })?,
        };
        let list_bound = match self.list_bound {
            Some(bound) => bound,
            None => usize::try_from(Parameters::paper_list_bound(ambient, self.sample))
                .unwrap_or(usize::MAX),
        };
        let parameters = Parameters {
            ambient,
            sample: self.sample,
            groups: self.groups,
            list_bound,
            candidates: self.candidates,
            batch: self.batch,
            thresholds,
            lists,
            first,
            select,
            score,
            variant: self.variant,
        };
        let at = |own: &Option<Located<String>>, result: Result<(), Error>| {
            let position = own.as_ref().map_or(ambient_at, |text| &text.position);
            result.map_err(|error| placed(position, &error))
        };
        at(&self.thresholds, parameters.check_thresholds())?;
        at(&self.lists, parameters.check_lists())?;
        if let Some(text) = &self.first
            && parameters.first.labels().len() != class.points()
        {
            let expected = format!("{} labels, one for each point", class.points());
            let found = format!("`{}`", text.value);
            return Err(Error::malformed(text.position.clone(), expected, found).into());
        }
        let at = if class.hypotheses() == 0 { class_at } else { ambient_at };
        Algorithm::new(class, parameters, limits).map_err(|fault| match fault {
            Fault::Input(error @ Error::Limit { .. }) => Fault::Input(error),
            Fault::Input(error) => Fault::Input(placed(at, &error)),
            stopped @ Fault::Stopped(_) => stopped,
        })
    }

    /// Select; its faults stand at `q` or `a`, or at `B` where there is no such key.
    fn select(&self, score: &Rational, scope: &Scope) -> Result<Select, Error> {
        let (select, at) = match &self.base {
            Base::Two => (Select::with_powers(&2.into(), &score.clone().into()), &self.score),
            Base::Power(q) => (Select::with_powers(&evaluate(q, scope)?, &score.clone().into()), q),
            Base::Exponential(a) => {
                (Select::with_exponentials(&rational(a, &evaluate(a, scope)?)?, score), a)
            }
        };
        select.map_err(|error| placed(&at.position, &error))
    }

    /// T, and whether all streams are realisable by what the claim says.
    pub fn rounds(&self) -> Result<usize, Error> {
        match &self.streams {
            Streams::All { rounds, .. } => Ok(*rounds),
            Streams::One(_) => Ok(self.streams()?[0].len()),
        }
    }

    /// The streams.
    pub fn streams(&self) -> Result<Vec<Stream>, Error> {
        let class = self.class()?;
        match &self.streams {
            Streams::All { rounds, realisable } => streams(class, *rounds, *realisable),
            Streams::One(text) => {
                let stream = parse_stream(class, &text.value, "the stream").map_err(|error| {
                    let found = format!("a fault: {error}");
                    Error::malformed(text.position.clone(), "a stream of the class", found)
                })?;
                Ok(vec![stream])
            }
        }
    }

    /// Which streams these are, in words.
    pub fn which(&self) -> &'static str {
        match &self.streams {
            Streams::All { realisable: true, .. } => "all realisable streams",
            Streams::All { realisable: false, .. } => "all streams",
            Streams::One(_) => "the stream",
        }
    }

    /// The name of the class, and the parameters as they are.
    pub fn name(&self) -> String {
        let variant = Variant::ALL.iter().find(|(_, variant)| *variant == self.variant);
        let variant = match variant {
            Some((name, variant)) if *variant != Variant::Paper => format!(", variant {name}"),
            _ => String::new(),
        };
        format!(
            "{}, n = {}, k = {}, N = {}, K = {}{variant}",
            self.class.class.value, self.sample, self.groups, self.candidates, self.batch
        )
    }

    pub fn notes(&self) -> Vec<String> {
        self.class.notes()
    }
}

/// A fault of the parameters, at a key.
fn placed(position: &Position, error: &Error) -> Error {
    Error::malformed(position.clone(), "parameters of Algorithm 2", format!("a fault: {error}"))
}

pub(super) fn natural(value: usize) -> Number {
    Rational::from_integer(value.into()).into()
}

fn rational(at: &Located<String>, value: &Number) -> Result<Rational, Error> {
    value.as_rational().cloned().ok_or_else(|| {
        Error::malformed(at.position.clone(), "a rational number", value.to_string())
    })
}

/// The items of a list in a string.
fn listed<T>(
    text: &Located<String>,
    read: impl Fn(&str) -> Option<T>,
    kinds: &str,
) -> Result<Vec<T>, Error> {
    let item = |item: &str| {
        read(item.trim()).ok_or_else(|| {
            let expected = format!("{kinds} with commas between them");
            Error::malformed(text.position.clone(), expected, format!("`{}`", item.trim()))
        })
    };
    text.value.split(',').map(item).collect()
}
