//! Kind `thirds`: the law of Algorithm 1, as it is written or misread.

use std::collections::BTreeMap;

use crate::adversary::{Outcome, Reading, Thirds, play};
use crate::error::Error;
use crate::exact::{Number, Rational};
use crate::limits::{Limits, Meter};
use crate::mistakes::on_stream_within;

use super::super::{Fields, Finding, Located, Verdict};
use super::bound::Bounds;
use super::subject::{MECHANISM, ROUNDS, Subject, WITH, adversary, natural};
use super::{Check, Classes, Key, Kind, Parse, keys};

pub(super) static KIND: Kind = Kind {
    name: "thirds",
    about: "a quantity of the law of Algorithm 1, computed from all of its streams",
    keys: &[
        MECHANISM,
        keys::CLASS,
        keys::HEADER,
        ROUNDS,
        Key { name: "adversary", grid: true, about: "the adversary, as in \"thirds:p=1/2\"" },
        Key {
            name: "reading",
            grid: true,
            about: "`paper`, or a misreading: `chosen-third` (the example goes into the middle \
                    third itself) or `fresh-label` (every insertion draws its label)",
        },
        Key {
            name: "quantity",
            grid: true,
            about: "`informative` (their expected number), `unrealisable` (the probability that no \
                    hypothesis fits), `mistakes` (the mechanism's expected mistakes on informative \
                    examples) or `stage` (those on the examples of one stage)",
        },
        Key { name: "stage", grid: true, about: "which stage, from 1; 1 if it is left out" },
        keys::EXACTLY,
        keys::NO_LESS,
        keys::NO_MORE,
        WITH,
    ],
    parse: Parse::Own(parse),
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Quantity {
    Informative,
    Unrealisable,
    Mistakes,
    Stage,
}

#[derive(Debug)]
struct ThirdsCheck {
    subject: Subject,
    rounds: usize,
    adversary: Located<String>,
    reading: Reading,
    quantity: Quantity,
    stage: Option<Located<usize>>,
    bounds: Bounds,
}

fn parse(fields: &mut Fields<'_>) -> Option<Box<dyn Check>> {
    let subject = Subject::parse(fields);
    let bounds = Bounds::parse(fields);
    let rounds = fields.needed_rounds(ROUNDS.name);
    let adversary = fields.text("adversary");
    let reading = fields.choice(
        "reading",
        &[
            ("paper", Reading::Paper),
            ("chosen-third", Reading::ChosenThird),
            ("fresh-label", Reading::FreshLabel),
        ],
    );
    let quantity = fields.choice(
        "quantity",
        &[
            ("informative", Quantity::Informative),
            ("unrealisable", Quantity::Unrealisable),
            ("mistakes", Quantity::Mistakes),
            ("stage", Quantity::Stage),
        ],
    );
    let stage = if fields.has("stage") { Some(fields.at_least("stage", 1usize)?) } else { None };
    if let (Some(stage), Some(quantity)) = (&stage, quantity)
        && quantity != Quantity::Stage
    {
        let expected = "no key `stage` but with `quantity = \"stage\"`";
        fields.refuse(stage.position.clone(), expected, "it");
    }
    Some(Box::new(ThirdsCheck {
        subject: subject?,
        rounds: rounds?,
        adversary: adversary?,
        reading: reading?,
        quantity: quantity?,
        stage,
        bounds: bounds?,
    }))
}

impl Check for ThirdsCheck {
    fn load(&mut self, classes: &mut Classes<'_>) {
        self.subject.load(classes);
    }

    fn run(&self, limits: &Limits) -> Result<Finding, Error> {
        let interface = self.subject.interface(limits)?;
        let thirds = adversary(&self.adversary, &self.subject, &interface, self.rounds)?;
        let mut scope = self.subject.scope(Some(self.rounds), self.bounds.expressions())?;
        scope.insert("L".into(), natural(thirds.stages()));
        scope.insert("p".into(), thirds.probability().clone().into());
        scope.insert("mu".into(), thirds.expected_informative().into());
        let claimed = self.bounds.evaluate(&scope)?;
        self.check_stage(&thirds)?;
        let (value, by) = self.value(&thirds, limits)?;
        let name = match self.quantity {
            Quantity::Informative => "E[informative examples]".to_owned(),
            Quantity::Unrealisable => "P(no hypothesis fits)".to_owned(),
            Quantity::Mistakes => "E[mistakes on informative examples]".to_owned(),
            Quantity::Stage => format!("E[mistakes on the examples of stage {}]", self.stage()),
        };
        let mut verdict = claimed.decide(&value, &value);
        let mut details = Vec::new();
        // At most one example a stage; how many are expected depends on no mechanism.
        let most = match self.quantity {
            Quantity::Unrealisable => Number::one(),
            Quantity::Informative => natural(thirds.stages().max(1)),
            Quantity::Mistakes => thirds.expected_informative().into(),
            Quantity::Stage => {
                let stages = Rational::from_integer(thirds.stages().max(1).into());
                (thirds.expected_informative() / stages).into()
            }
        };
        if verdict == Verdict::Holds && claimed.is_vacuous(&Number::zero(), &most) {
            verdict = Verdict::Vacuous;
            let of = match self.quantity {
                Quantity::Mistakes | Quantity::Stage => "mechanism",
                _ => "adversary",
            };
            details.push(format!("vacuous: the value is between 0 and {most} whatever the {of}"));
        }
        Ok(Finding {
            verdict,
            found: format!(
                "{name} = {value}, T = {}, p = {}; claimed {claimed}",
                self.rounds,
                thirds.probability()
            ),
            non_vacuous: (verdict == Verdict::Holds)
                .then(|| format!("computed {by}, L = {}", thirds.stages())),
            details,
            values: BTreeMap::from([("value".into(), value.to_string())]),
        })
    }
}

fn informative(outcomes: &[Outcome]) -> Number {
    let number = |outcome: &Outcome| {
        &outcome.weight * Rational::from_integer(outcome.insertions.len().into())
    };
    outcomes.iter().map(number).sum::<Rational>().into()
}

impl ThirdsCheck {
    /// Which stage the claim is about.
    fn stage(&self) -> usize {
        self.stage.as_ref().map_or(1, |stage| stage.value)
    }

    /// Checks that there is such a stage. For T = 1, 2 the only example counts as that of stage 1.
    fn check_stage(&self, thirds: &Thirds) -> Result<(), Error> {
        let last = thirds.stages().max(1);
        match &self.stage {
            Some(stage) if stage.value > last => Err(Error::malformed(
                stage.position.clone(),
                format!("a stage from 1 to {last} at `stage`, as T = {}", self.rounds),
                stage.value.to_string(),
            )),
            _ => Ok(()),
        }
    }

    /// The quantity, and how it was computed.
    fn value(&self, thirds: &Thirds, limits: &Limits) -> Result<(Number, String), Error> {
        let counts = matches!(self.quantity, Quantity::Mistakes | Quantity::Stage);
        // The streams of Algorithm 1 itself need not be listed to count mistakes.
        if counts && self.reading == Reading::Paper {
            let built = self.subject.build(&Subject::options(self.rounds, limits), limits)?;
            let found = play(&built.automaton, thirds, &mut limits.meter());
            let stages = found.map_err(|error| self.subject.fault(&error))?.stages;
            let own =
                |place: &usize| self.quantity == Quantity::Mistakes || place + 1 == self.stage();
            let own = stages.iter().enumerate().filter(|(place, _)| own(place));
            let sum = own.fold(Number::zero(), |sum, (_, stage)| &sum + stage);
            return Ok((sum, "stage by stage".to_owned()));
        }
        let mut meter = limits.meter();
        let outcomes = thirds.outcomes_within(self.reading, &mut meter)?;
        let value = match self.quantity {
            Quantity::Informative => informative(&outcomes),
            Quantity::Unrealisable => self.unrealisable(thirds, &outcomes)?,
            Quantity::Mistakes => self.mistakes(thirds, &outcomes, None, limits, &mut meter)?,
            Quantity::Stage => {
                self.mistakes(thirds, &outcomes, Some(self.stage()), limits, &mut meter)?
            }
        };
        Ok((value, format!("from {} outcomes", outcomes.len())))
    }

    fn unrealisable(&self, thirds: &Thirds, outcomes: &[Outcome]) -> Result<Number, Error> {
        let class = self.subject.class("realisable streams")?;
        let fits = |stream: &[usize]| {
            (0..class.hypotheses())
                .any(|h| stream.iter().all(|r| class.label(h, r / 2) == (r % 2 == 1)))
        };
        let broken = outcomes.iter().filter(|outcome| !fits(&outcome.stream(thirds)));
        Ok(broken.map(|outcome| &outcome.weight).sum::<Rational>().into())
    }

    /// Expected mistakes on the insertions of a stage, or of all.
    fn mistakes(
        &self,
        thirds: &Thirds,
        outcomes: &[Outcome],
        stage: Option<usize>,
        limits: &Limits,
        meter: &mut Meter<'_>,
    ) -> Result<Number, Error> {
        let built = self.subject.build(&Subject::options(self.rounds, limits), limits)?;
        let mut known: BTreeMap<Vec<usize>, Vec<Number>> = BTreeMap::new();
        let mut sum = Number::zero();
        for outcome in outcomes {
            meter.count()?;
            let stream = outcome.stream(thirds);
            if !known.contains_key(&stream) {
                let found = on_stream_within(&built.automaton, &stream, meter)
                    .map_err(|error| self.subject.fault(&error))?;
                known.insert(stream.clone(), found.rounds);
            }
            let mistakes = &known[&stream];
            // For T = 1, 2 the only example counts as that of stage 1.
            let own = |of: usize| stage.is_none_or(|stage| of.max(1) == stage);
            for insertion in outcome.insertions.iter().filter(|i| own(i.stage)) {
                let weight = Number::from(outcome.weight.clone());
                sum = &sum + &(&weight * &mistakes[insertion.round - 1]);
            }
        }
        Ok(sum)
    }
}
