//! Kind `blocks`: the copies of one auxiliary example in a block of Lemma 5.

use std::collections::BTreeMap;

use crate::adversary::{Block, Blocks, group_delta};
use crate::error::{Error, Position};
use crate::exact::{Epsilon, Number};
use crate::limits::Limits;
use crate::mechanism::Interface;

use super::super::{Fields, Finding, Located, Verdict};
use super::subject::{MECHANISM, Subject, WITH, natural, read_stream, show_stream};
use super::verdict::{delta, epsilon};
use super::{Check, Classes, Key, Kind, Parse, keys};

pub(super) const COPIES: Key =
    Key { name: "q", grid: true, about: "the number q of copies of an auxiliary example" };
pub(super) const HALF: Key =
    Key { name: "w", grid: true, about: "half the number of rounds of a block, at least q - 1" };
pub(super) const DUMMY: Key =
    Key { name: "dummy", grid: true, about: "the dummy example, as in \"3:0\"" };

pub(super) static KIND: Kind = Kind {
    name: "blocks",
    about: "the mistakes on the copies of one example in a block, against those of the auxiliary \
            learner (Lemma 5)",
    keys: &[
        MECHANISM,
        keys::CLASS,
        keys::HEADER,
        COPIES,
        HALF,
        DUMMY,
        Key { name: "informative", grid: true, about: "the auxiliary example, as in \"1:1\"" },
        Key {
            name: "previous",
            grid: true,
            about: "the auxiliary examples of earlier blocks, as in \"3:0, 1:1\"; none if it is \
                    left out",
        },
        Key { name: "epsilon", grid: true, about: "ε ≥ 0: a number, or \"ln(9/8)\"" },
        Key { name: "delta", grid: true, about: "the δ of the learner, an expression" },
        Key {
            name: "reading",
            grid: true,
            about: "`paper`, or a misreading: `unshifted` (the first copy is always in round 1)",
        },
        WITH,
    ],
    parse: Parse::Own(parse),
};

#[derive(Debug)]
struct BlocksCheck {
    subject: Subject,
    copies: usize,
    half: usize,
    dummy: Located<String>,
    informative: Located<String>,
    previous: Option<Located<String>>,
    epsilon: Epsilon,
    delta: Located<String>,
    shifted: bool,
}

fn parse(fields: &mut Fields<'_>) -> Option<Box<dyn Check>> {
    let subject = Subject::parse(fields);
    for key in [COPIES.name, HALF.name, DUMMY.name, "informative", "delta"] {
        if !fields.has(key) {
            fields.missing(&format!("the key `{key}`"));
        }
    }
    let copies = fields.at_least(COPIES.name, 1usize);
    let half = fields.at_least(HALF.name, 1usize);
    let dummy = fields.inner(DUMMY.name);
    let informative = fields.inner("informative");
    let previous = if fields.has("previous") { Some(fields.inner("previous")?) } else { None };
    let epsilon = epsilon(fields);
    let delta = fields.expression("delta");
    let shifted = reading(fields);
    Some(Box::new(BlocksCheck {
        subject: subject?,
        copies: copies?.value,
        half: half?.value,
        dummy: dummy?,
        informative: informative?,
        previous,
        epsilon: epsilon?,
        delta: delta?,
        shifted: shifted?,
    }))
}

/// Whether the position of the copies is random, as in the paper.
pub(super) fn reading(fields: &mut Fields<'_>) -> Option<bool> {
    fields.choice("reading", &[("paper", true), ("unshifted", false)])
}

/// One example.
pub(super) fn example(text: &Located<String>, interface: &Interface) -> Result<usize, Error> {
    match read_stream(text, interface)?[..] {
        [record] => Ok(record),
        _ => Err(Error::malformed(
            text.position.clone(),
            "one example such as 3:0",
            format!("`{}`", text.value),
        )),
    }
}

/// The inequality for one j: `p_j` against its bound.
struct Instance {
    left: Number,
    right: Number,
    /// The right side with the group privacy of the j copies that come before alone.
    sharper: Number,
}

impl Instance {
    fn slack(&self) -> Number {
        &self.left - &self.right
    }
}

impl Check for BlocksCheck {
    fn load(&mut self, classes: &mut Classes<'_>) {
        self.subject.load(classes);
    }

    fn run(&self, limits: &Limits) -> Result<Finding, Error> {
        let fault = |error: &Error| self.subject.fault(error);
        let interface = self.subject.interface(limits)?;
        let dummy = example(&self.dummy, &interface)?;
        let informative = example(&self.informative, &interface)?;
        if informative / 2 == dummy / 2 {
            return Err(Error::malformed(
                self.informative.position.clone(),
                "an auxiliary example with another point than the dummy example's",
                format!("`{}` beside `{}`", self.informative.value, self.dummy.value),
            ));
        }
        let blocks = Blocks::new(self.copies, self.half, dummy, self.shifted);
        let blocks = blocks.map_err(|error| fault(&error))?;
        let mut examples = match &self.previous {
            Some(text) => read_stream(text, &interface)?,
            None => Vec::new(),
        };
        examples.push(informative);
        let rounds = blocks.rounds() * examples.len();
        let built = self.subject.build(&Subject::options(rounds, limits), limits)?;
        let scope = self.subject.scope(None, std::iter::once(&self.delta))?;
        let delta = delta(&self.delta, &scope)?;
        let factor = self.epsilon.factor();
        built.automaton.fits([&factor, &delta]).map_err(|error| fault(&error))?;
        let played = blocks.play(&built.automaton, &examples, &mut limits.meter());
        let played = played.map_err(|error| fault(&error))?;
        let block = played.last().expect("a block for each example");
        let instances = self.instances(block, &factor, &delta)?;
        Ok(self.finding(block, &instances, &show_stream(&interface, &examples)))
    }
}

impl BlocksCheck {
    fn instances(
        &self,
        block: &Block,
        factor: &Number,
        delta: &Number,
    ) -> Result<Vec<Instance>, Error> {
        let bound = |j: usize, distance: usize| -> Result<Number, Error> {
            let out_of_range = || {
                Error::malformed(
                    Position::clone(self.subject.position()),
                    "a number q of copies that fits 32 bits",
                    self.copies.to_string(),
                )
            };
            let power = i32::try_from(distance).map_err(|_| out_of_range())?;
            let inverse = factor.pow(-power).map_err(|_| out_of_range())?;
            let loss = natural(j).checked_div(&natural(self.half)).map_err(|_| out_of_range())?;
            let shrunk = &inverse * &(&block.auxiliary - &loss);
            Ok(&shrunk - &group_delta(factor, delta, distance))
        };
        let instance = |(j, left): (usize, &Number)| {
            let (right, sharper) = (bound(j, self.copies)?, bound(j, j)?);
            Ok(Instance { left: left.clone(), right, sharper })
        };
        block.copies.iter().enumerate().map(instance).collect()
    }

    fn finding(&self, block: &Block, instances: &[Instance], on: &str) -> Finding {
        let zero = Number::zero();
        let says_something = |instance: &&Instance| instance.right > zero;
        let refuted = instances.iter().filter(|i| i.left < i.right).count();
        let speaking = instances.iter().filter(says_something).count();
        let verdict = match (refuted, speaking) {
            (0, 0) => Verdict::Vacuous,
            (0, _) => Verdict::Holds,
            _ => Verdict::Refuted,
        };
        let tightest = instances.iter().enumerate().min_by_key(|(_, instance)| instance.slack());
        let (j, tightest) = tightest.expect("there is at least one copy");
        let mut details = Vec::new();
        match verdict {
            Verdict::Refuted => {
                details.push(format!(
                    "counterexample, j = {j}: p_j = {} < {}",
                    tightest.left, tightest.right
                ));
                details.push(format!("{refuted} of {} instances are false", instances.len()));
            }
            Verdict::Vacuous => {
                details.push("vacuous: no right side is above 0".to_owned());
            }
            _ => {
                let holds = instances.iter().all(|i| i.left >= i.sharper);
                details.push(format!(
                    "note: with e^(-jε) and δ_j in place of e^(-qε) and δ_q the inequality {}",
                    if holds { "holds as well" } else { "is false" }
                ));
            }
        }
        let copies: Vec<String> = block.copies.iter().map(ToString::to_string).collect();
        let (alpha, copies) = (&block.auxiliary, copies.join(", "));
        let found = format!(
            "tightest at j = {j}: p_j = {} {} e^(-qε)(α - j/w) - δ_q = {}, slack {}; on {on}, q = \
             {}, w = {}",
            tightest.left,
            if verdict == Verdict::Refuted { "<" } else { "≥" },
            tightest.right.decimal(10),
            tightest.slack().decimal(10),
            self.copies,
            self.half
        );
        let values = BTreeMap::from([
            ("alpha".into(), alpha.to_string()),
            ("left".into(), tightest.left.to_string()),
            ("right".into(), tightest.right.to_string()),
            ("slack".into(), tightest.slack().to_string()),
        ]);
        let shown = format!("α = {alpha}; p_0, …, p_(q-1) = {copies}");
        let non_vacuous = (verdict == Verdict::Holds)
            .then(|| format!("{speaking} of {} instances say something; {shown}", instances.len()));
        if verdict == Verdict::Refuted {
            details.push(shown);
        }
        Finding { verdict, found, non_vacuous, details, values }
    }
}
