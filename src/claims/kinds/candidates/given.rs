//! The class, the parameters and the streams of a claim about Algorithm 2.

use crate::catalogue::Select;
use crate::catalogue::candidates::{
    Algorithm, Fault, Function, Parameters, Stream, Variant, streams,
};
use crate::class::{Class, parse_stream};
use crate::error::Error;
use crate::exact::{Number, Rational, parse_rational};
use crate::limits::{Limits, Stopped};
use crate::littlestone::Solver;

use super::super::super::{Fields, Located};
use super::super::bound::{Scope, evaluate};
use super::super::{Classes, decomposition};

#[derive(Debug)]
pub(super) struct Given {
    class: decomposition::Given,
    ambient: Option<Located<i32>>,
    sample: usize,
    groups: usize,
    list_bound: Option<usize>,
    candidates: usize,
    batch: usize,
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
            fields.at_least(key, 1usize).map(|number| number.value)
        };
        let sizes = ["n", "k", "N", "K"].map(&mut positive);
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
        let [sample, groups, candidates, batch] = sizes;
        Some(Self {
            class: class?,
            ambient,
            sample: sample?,
            groups: groups?,
            list_bound,
            candidates: candidates?,
            batch: batch?,
            base: base?,
            score: score?,
            thresholds: thresholds?,
            lists: lists?,
            first: first?,
            variant: variant?,
            streams: streams?,
        })
    }

    pub fn load(&mut self, classes: &mut Classes) {
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
        Parameters::check_ambient(ambient).map_err(|error| self.place(&error))?;
        let scope = Scope::from([
            ("k".to_owned(), natural(self.groups)),
            ("n".to_owned(), natural(self.sample)),
        ]);
        let score = rational(&self.score, &evaluate(&self.score, &scope)?)?;
        let select = match &self.base {
            Base::Two => Select::with_powers(&2.into(), &score.clone().into()),
            Base::Power(q) => Select::with_powers(&evaluate(q, &scope)?, &score.clone().into()),
            Base::Exponential(a) => {
                Select::with_exponentials(&rational(a, &evaluate(a, &scope)?)?, &score)
            }
        };
        let thresholds = match &self.thresholds {
            None => Parameters::paper_thresholds(ambient),
            Some(text) => listed(text, |item| parse_rational(item).ok(), "rational numbers")?,
        };
        let lists = match &self.lists {
            None => Parameters::paper_lists(ambient, self.sample)?,
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
            select: select.map_err(|error| self.place(&error))?,
            score,
            variant: self.variant,
        };
        Algorithm::new(class, parameters, limits).map_err(|fault| match fault {
            Fault::Input(error @ Error::Limit { .. }) => Fault::Input(error),
            Fault::Input(error) => Fault::Input(self.place(&error)),
            stopped @ Fault::Stopped(_) => stopped,
        })
    }

    /// A fault of the parameters, at the class.
    fn place(&self, error: &Error) -> Error {
        let found = format!("a fault: {error}");
        Error::malformed(self.class.class.position.clone(), "parameters of Algorithm 2", found)
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
