//! Kind `lemma5`: E[X] in one of the three regimes of Lemma 5.

use std::collections::BTreeMap;

use num_traits::{One as _, Zero as _};

use crate::adversary::{Blocks, Thirds, repeated, retained};
use crate::error::Error;
use crate::exact::{Number, Rational};
use crate::limits::Limits;

use super::super::{Fields, Finding, Located, Verdict};
use super::blocks::{COPIES, HALF, reading};
use super::bound::{Bounds, Scope, evaluate};
use super::subject::{MECHANISM, ROUNDS, Subject, WITH, adversary, natural};
use super::{Check, Classes, Key, Kind, Parse, keys};

pub(super) static KIND: Kind = Kind {
    name: "lemma5",
    about: "the expected mistakes on the informative examples of Lemma 5's streams",
    keys: &[
        MECHANISM,
        keys::CLASS,
        keys::HEADER,
        ROUNDS,
        Key {
            name: "regime",
            grid: true,
            about: "`few` (n < 1/ε: all n rounds are (x,B)), `blocks` (ε ≤ 1/100: blocks of copies) \
                    or `retained` (ε > 1/100: each example is retained with probability r)",
        },
        Key {
            name: "adversary",
            grid: true,
            about: "Algorithm 1 for the auxiliary examples, as in \"thirds:p=1/2\"",
        },
        COPIES,
        HALF,
        Key { name: "r", grid: true, about: "the probability r to retain, an expression" },
        Key {
            name: "reading",
            grid: true,
            about: "`paper`, or a misreading: `unshifted` (blocks: the first copy is in round 1)",
        },
        keys::EXACTLY,
        keys::NO_LESS,
        keys::NO_MORE,
        WITH,
    ],
    parse: Parse::Own(parse),
};

#[derive(Debug)]
enum Regime {
    Few,
    Blocks { copies: usize, half: usize },
    Retained(Located<String>),
}

#[derive(Debug)]
struct Lemma5Check {
    subject: Subject,
    rounds: usize,
    regime: Regime,
    adversary: Located<String>,
    shifted: bool,
    bounds: Bounds,
}

fn parse(fields: &mut Fields<'_>) -> Option<Box<dyn Check>> {
    let subject = Subject::parse(fields);
    let bounds = Bounds::parse(fields);
    let rounds = fields.rounds(ROUNDS.name);
    if !fields.has("regime") {
        fields.missing("the key `regime`");
        return None;
    }
    let regime = fields.choice("regime", &[("few", 0), ("blocks", 1), ("retained", 2)])?;
    let needed: &[&str] = match regime {
        0 => &[],
        1 => &[COPIES.name, HALF.name],
        _ => &["r"],
    };
    for key in [ROUNDS.name, "adversary"].iter().chain(needed) {
        if !fields.has(key) {
            fields.missing(&format!("the key `{key}`"));
        }
    }
    let adversary = fields.text("adversary");
    let regime = match regime {
        0 => Regime::Few,
        1 => Regime::Blocks {
            copies: fields.at_least(COPIES.name, 1usize)?.value,
            half: fields.at_least(HALF.name, 1usize)?.value,
        },
        _ => Regime::Retained(fields.expression("r")?),
    };
    let shifted = reading(fields);
    let known: &[&str] = match regime {
        Regime::Few => &[],
        Regime::Blocks { .. } => &[COPIES.name, HALF.name, "reading"],
        Regime::Retained(_) => &["r"],
    };
    for key in [COPIES.name, HALF.name, "r", "reading"] {
        if fields.has(key) && !known.contains(&key) {
            let position = fields.position();
            fields.refuse(position, &format!("no key `{key}` with this regime"), "it");
        }
    }
    Some(Box::new(Lemma5Check {
        subject: subject?,
        rounds: rounds?,
        regime,
        adversary: adversary?,
        shifted: shifted?,
        bounds: bounds?,
    }))
}

/// E[X], the names that bounds may use, and how it was found.
struct Found {
    value: Number,
    /// The expected number of informative examples, which E[X] cannot exceed.
    most: Number,
    names: Vec<(&'static str, Number)>,
    how: String,
}

impl Check for Lemma5Check {
    fn load(&mut self, classes: &mut Classes<'_>) {
        self.subject.load(classes);
    }

    fn run(&self, limits: &Limits) -> Result<Finding, Error> {
        let retain = match &self.regime {
            Regime::Retained(r) => Some(r),
            _ => None,
        };
        let expressions = self.bounds.expressions().chain(retain);
        let mut scope = self.subject.scope(Some(self.rounds), expressions)?;
        let Found { value, most, names, how } = self.found(&scope, limits)?;
        let shown: Vec<String> = names.iter().map(|(name, v)| format!("{name} = {v}")).collect();
        let shown = shown.join(", ");
        for (name, number) in names {
            scope.insert(name.into(), number);
        }
        let claimed = self.bounds.evaluate(&scope)?;
        let mut verdict = claimed.decide(&value, &value);
        let mut details = Vec::new();
        if verdict == Verdict::Holds && claimed.is_vacuous(&Number::zero(), &most) {
            verdict = Verdict::Vacuous;
            details.push(format!("vacuous: 0 ≤ E[X] ≤ {most}, the expected number of informative examples, for every \
                 learner"));
        }
        if verdict == Verdict::Refuted {
            details.push(shown.clone());
        }
        Ok(Finding {
            verdict,
            found: format!("E[X] = {value} {how}, n = {}; claimed {claimed}", self.rounds),
            non_vacuous: (verdict == Verdict::Holds).then_some(shown),
            details,
            values: BTreeMap::from([("value".into(), value.to_string())]),
        })
    }
}

impl Lemma5Check {
    fn found(&self, scope: &Scope, limits: &Limits) -> Result<Found, Error> {
        let interface = self.subject.interface(limits)?;
        let thirds = |rounds| adversary(&self.adversary, &self.subject, &interface, rounds);
        let built = self.subject.build(&Subject::options(self.rounds, limits), limits)?;
        let automaton = &built.automaton;
        let fault = |error: Error| self.subject.fault(&error);
        match &self.regime {
            Regime::Few => {
                let thirds: Thirds = thirds(self.rounds)?;
                let value = repeated(automaton, thirds.point(), self.rounds, &mut limits.meter());
                let value = value.map_err(fault)?;
                let names = vec![("n", natural(self.rounds))];
                let (most, how) = (natural(self.rounds), "on (x, B) in all rounds".into());
                Ok(Found { value, most, names, how })
            }
            Regime::Blocks { copies, half } => {
                let number = self.rounds / (2 * half);
                if number == 0 {
                    return Err(fault(Error::argument(format!(
                        "{} rounds hold no block of 2w = {} rounds",
                        self.rounds,
                        2 * half
                    ))));
                }
                let thirds = thirds(number)?;
                let blocks =
                    Blocks::new(*copies, *half, thirds.dummy(), self.shifted).map_err(fault)?;
                let found = blocks.against(automaton, &thirds, &mut limits.meter());
                let found = found.map_err(fault)?;
                let most = &natural(*copies) * &found.informative;
                let names = vec![
                    ("N", natural(number)),
                    ("aux", found.auxiliary),
                    ("mu", found.informative),
                    ("q", natural(*copies)),
                    ("w", natural(*half)),
                ];
                let how = format!("in {number} blocks");
                Ok(Found { value: found.copies, most, names, how })
            }
            Regime::Retained(text) => {
                let r = evaluate(text, scope)?;
                let unit = Rational::zero()..=Rational::one();
                let rational = r.as_rational().filter(|r| unit.contains(*r));
                let Some(rational) = rational else {
                    return Err(Error::malformed(
                        text.position.clone(),
                        "a rational number in [0, 1]",
                        format!("`{}` = {r}", text.value),
                    ));
                };
                let thirds = thirds(self.rounds)?;
                let found = retained(automaton, &thirds, rational, &mut limits.meter());
                let found = found.map_err(fault)?;
                let most = &r * &found.informative;
                let names =
                    vec![("aux", found.auxiliary), ("mu", found.informative), ("r", r.clone())];
                let how = "on the retained examples".into();
                Ok(Found { value: found.retained, most, names, how })
            }
        }
    }
}
