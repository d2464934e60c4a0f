//! Kind `minimax`: the mistakes of the best private learner on the worst stream.

use std::collections::BTreeMap;

use crate::class::Class;
use crate::error::{Error, Position};
use crate::exact::{Epsilon, Number, Rational, decimal, rational};
use crate::limits::Limits;
use crate::minimax::{Bounds as Found, Game, Neighbours, Privacy, Size, orbits, solve};
use crate::privacy::Notion;

use super::super::{Fields, Finding, Located, Verdict};
use super::bound::{Bounds, Scope, evaluate};
use super::subject::{Names, ROUNDS, STREAMS, WITH, Which, natural};
use super::verdict::epsilon;
use super::{Check, Classes, Key, Kind, Parse, keys};

pub(super) static KIND: Kind = Kind {
    name: "minimax",
    about: "the expected mistakes of the best private learner on the worst realisable stream",
    keys: &[
        keys::CLASS,
        keys::HEADER,
        ROUNDS,
        Key {
            name: "game",
            grid: true,
            about: "`learning` (Definition 1) or `prediction` (Definition 3)",
        },
        Key { name: "epsilon", grid: true, about: "ε ≥ 0: an exact number, or ln(p/q)" },
        Key { name: "delta", grid: true, about: "δ, an exact expression; 0 if it is left out" },
        STREAMS,
        keys::EXACTLY,
        keys::NO_LESS,
        keys::NO_MORE,
        WITH,
    ],
    parse: Parse::Own(parse),
};

#[derive(Debug)]
struct Minimax {
    names: Names,
    position: Position,
    rounds: usize,
    notion: Notion,
    neighbours: Neighbours,
    epsilon: Epsilon,
    delta: Option<Located<String>>,
    bounds: Bounds,
}

fn parse(fields: &mut Fields<'_>) -> Option<Box<dyn Check>> {
    if !fields.has(keys::CLASS.name) {
        fields.missing("the key `class`");
    }
    if !fields.has(ROUNDS.name) {
        fields.missing("the key `rounds`");
    }
    let names = Names::parse(fields);
    let rounds = fields.rounds(ROUNDS.name);
    let games = [("learning", Notion::Whole), ("prediction", Notion::Joint)];
    let notion = fields.choice("game", &games);
    let which =
        fields.choice(STREAMS.name, &[("all", Which::All), ("realisable", Which::Realisable)]);
    let epsilon = epsilon(fields);
    let delta = if fields.has("delta") { Some(fields.expression("delta")?) } else { None };
    let bounds = Bounds::parse(fields);
    let neighbours = match which? {
        Which::All => Neighbours::All,
        Which::Realisable => Neighbours::Realisable,
    };
    let position = fields.position();
    Some(Box::new(Minimax {
        names: names?,
        position,
        rounds: rounds?,
        notion: notion?,
        neighbours,
        epsilon: epsilon?,
        delta,
        bounds: bounds?,
    }))
}

impl Check for Minimax {
    fn load(&mut self, classes: &mut Classes<'_>) {
        self.names.load(classes);
    }

    fn run(&self, limits: &Limits) -> Result<Finding, Error> {
        let class = self.names.class().expect("classes are loaded before checks run");
        let mut scope = Scope::from([
            ("T".to_owned(), natural(self.rounds)),
            ("exp_epsilon".to_owned(), self.epsilon.factor()),
        ]);
        if let Epsilon::Rational(epsilon) = &self.epsilon {
            scope.insert("epsilon".into(), epsilon.clone().into());
        }
        let expressions = self.bounds.expressions().chain(&self.delta);
        let mut scope = self.names.scope(scope, expressions)?;
        let delta = self.delta(&scope)?;
        scope.insert("delta".into(), delta.clone());
        let claimed = self.bounds.evaluate(&scope)?;
        let (game, found) = self.solve(class, delta, limits)?;
        let number = |value: &Rational| Number::from(value.clone());
        let (lower, upper) = (number(&found.lower.bound), number(&found.upper.bound));
        let mut finding = Finding {
            verdict: claimed.decide(&lower, &upper),
            found: format!("{}, T = {}; claimed {claimed}", shown(&found), self.rounds),
            non_vacuous: None,
            details: Vec::new(),
            values: match found.value() {
                Some(value) => BTreeMap::from([("value".into(), rational::show(value))]),
                None => BTreeMap::from([
                    ("lower".into(), rational::show(&found.lower.bound)),
                    ("upper".into(), rational::show(&found.upper.bound)),
                ]),
            },
        };
        // Fair bits err half of the time, and the first output against a fair label.
        let constant = game.columns().is_empty();
        let fair = |n: usize| natural(n).checked_div(&natural(2)).expect("2 is not 0");
        let (least, most) =
            if constant { (Number::zero(), Number::zero()) } else { (fair(1), fair(self.rounds)) };
        let streams = found.lower.adversary.streams.len();
        match finding.verdict {
            Verdict::Holds if claimed.is_vacuous(&least, &most) => {
                finding.verdict = Verdict::Vacuous;
                finding.details.push(format!(
                    "vacuous: {least} ≤ V ≤ {most} for every class of this sort, so this claim says \
                     nothing"
                ));
            }
            Verdict::Holds => {
                finding.non_vacuous =
                    Some(format!("an adversary with {streams} streams, and a learner's table"));
            }
            Verdict::Refuted => {
                let bound = if claimed.is_exceeded_by(&lower) { "lower" } else { "upper" };
                let what = if bound == "lower" { "an adversary" } else { "a learner" };
                finding.details.push(format!("{what} that proves the {bound} bound was found"));
            }
            _ => {}
        }
        Ok(finding)
    }
}

impl Minimax {
    fn delta(&self, scope: &Scope) -> Result<Number, Error> {
        let Some(expression) = &self.delta else { return Ok(Number::zero()) };
        let value = evaluate(expression, scope)?;
        if value.sign().is_lt() || value >= Number::one() {
            let expected = "a number from 0 on and below 1 at `delta`";
            return Err(Error::malformed(expression.position.clone(), expected, value.to_string()));
        }
        Ok(value)
    }

    fn solve(&self, class: &Class, delta: Number, limits: &Limits) -> Result<(Game, Found), Error> {
        let game = Game::new(class, self.notion, self.neighbours, self.rounds).map_err(
            |error| match error {
                Error::Limit { .. } => error,
                _ => Error::malformed(self.position.clone(), "a game", error.to_string()),
            },
        )?;
        let group = orbits::symmetries(&game);
        Size::admit(&game, group.len(), limits.states)?;
        let privacy = Privacy::new(&self.epsilon, delta);
        let found = solve(&game, &group, &privacy, limits);
        Ok((game, found))
    }
}

fn shown(found: &Found) -> String {
    if let Some(value) = found.value() {
        return format!("V = {} ≈ {}", rational::show(value), decimal(value, 6));
    }
    let (lower, upper) = (&found.lower.bound, &found.upper.bound);
    format!("{} ≤ V ≤ {}", decimal(lower, 9), decimal(upper, 9))
}
