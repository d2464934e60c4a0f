//! Kind `irreducible`: k-irreducibility (Definition 7), its order, and the SOA it restricts by.

use std::collections::BTreeMap;

use crate::class::{Class, VersionSpace};
use crate::decomposition::{Irreducible, Order, irreducibility_order, irreducible};
use crate::error::Error;
use crate::limits::{Limits, Stopped};
use crate::littlestone::{Solver, soa};
use crate::text::quote;

use super::super::{Fields, Finding, Located, Verdict};
use super::decomposition::{Given, stopped};
use super::{Check, Classes, Key, Kind, Parse, keys};

pub(super) static KIND: Kind = Kind {
    name: "irreducible",
    about: "a class is k-irreducible, or has that irreducibility order or SOA (Definition 7)",
    keys: &[
        keys::CLASS,
        keys::HEADER,
        Key {
            name: "k",
            grid: true,
            about: "labelling any k points by the SOA keeps the dimension",
        },
        Key {
            name: "order",
            grid: true,
            about: "the least number of points labelled by the SOA that lower the dimension",
        },
        Key { name: "soa", grid: true, about: "the SOA of the class, as labels in point order" },
    ],
    parse: Parse::Own(parse),
};

#[derive(Debug)]
struct IrreducibleCheck {
    given: Given,
    k: Option<u64>,
    order: Option<usize>,
    soa: Option<Located<String>>,
}

fn parse(fields: &mut Fields<'_>) -> Option<Box<dyn Check>> {
    let given = Given::parse(fields);
    let k = fields.at_least("k", 0u64).map(|k| k.value);
    let order = fields.at_least("order", 1usize).map(|order| order.value);
    let soa = if fields.has("soa") { Some(fields.text("soa")?) } else { None };
    if !["k", "order", "soa"].iter().any(|key| fields.has(key)) {
        fields.missing("one of the keys `k`, `order` and `soa`");
    }
    Some(Box::new(IrreducibleCheck { given: given?, k, order, soa }))
}

/// What is computed of a class.
struct Facts {
    dimension: i32,
    order: Order,
    soa: String,
    /// For the claimed k.
    irreducible: Option<Irreducible>,
}

impl Check for IrreducibleCheck {
    fn load(&mut self, classes: &mut Classes<'_>) {
        self.given.load(classes);
    }

    fn run(&self, limits: &Limits) -> Result<Finding, Error> {
        let class = self.given.class()?;
        if let Some(soa) = &self.soa {
            labels(soa, class.points())?;
        }
        match self.facts(class, limits) {
            Ok(facts) => Ok(self.finding(class, &facts)),
            Err(why) => Ok(stopped(format!("nothing is known: {why}"))),
        }
    }
}

impl IrreducibleCheck {
    fn facts(&self, class: &Class, limits: &Limits) -> Result<Facts, Stopped> {
        let solver = Solver::new(class, limits.clone());
        let full = VersionSpace::full(class);
        let labels = soa::function(&solver, &full)?;
        Ok(Facts {
            dimension: solver.dimension_of(&full)?,
            order: irreducibility_order(&solver)?,
            soa: labels.into_iter().map(|label| if label { '1' } else { '0' }).collect(),
            irreducible: self.k.map(|k| irreducible(&solver, k)).transpose()?,
        })
    }

    fn finding(&self, class: &Class, facts: &Facts) -> Finding {
        let order = facts.order.value();
        let is_irreducible = facts.irreducible.as_ref().map(|found| *found == Irreducible::Yes);
        let true_soa = self.soa.as_ref().is_none_or(|soa| soa.value == facts.soa);
        let true_order = self.order.is_none_or(|claimed| order == Some(claimed));
        let holds = true_soa && true_order && is_irreducible.unwrap_or(true);

        let order_text = order.map_or("infinite".into(), |order| order.to_string());
        let mut details = self.given.notes();
        let mut verdict = if holds { Verdict::Holds } else { Verdict::Refuted };
        let only_k = self.order.is_none() && self.soa.is_none();
        if holds && only_k && (self.k == Some(0) || class.hypotheses() == 1) {
            verdict = Verdict::Vacuous;
            let why = "every class is 0-irreducible, and a class of one function is k-irreducible \
                       for every k";
            details.push(format!("vacuous: {why}"));
        }
        if let Some(Irreducible::No(points)) = &facts.irreducible {
            details.push(format!(
                "restricting by the SOA at {} lowers the dimension {}",
                examples(class, points),
                facts.dimension
            ));
        }
        if let (false, Order::Finite(points)) = (true_order, &facts.order) {
            details.push(format!("least set of points: {}", examples(class, points)));
        }
        let claimed = [
            self.k.map(|k| format!("{k}-irreducible")),
            self.order.map(|order| format!("order {order}")),
            self.soa.as_ref().map(|soa| format!("SOA {}", soa.value)),
        ];
        let claimed: Vec<String> = claimed.into_iter().flatten().collect();
        let name = &self.given.class.value;
        let mut values = BTreeMap::from([
            ("littlestone_dimension".into(), facts.dimension.to_string()),
            ("soa".into(), facts.soa.clone()),
        ]);
        values.extend(order.map(|order| ("irreducibility_order".into(), order.to_string())));
        Finding {
            verdict,
            found: format!(
                "{name} has irreducibility order {order_text} and SOA {}; claimed {}",
                facts.soa,
                claimed.join(" and ")
            ),
            non_vacuous: (verdict == Verdict::Holds).then(|| {
                let (size, points) = (class.hypotheses(), class.points());
                format!("Ldim = {}, |H| = {size}, |X| = {points}", facts.dimension)
            }),
            details,
            values,
        }
    }
}

/// Labelled points as `1:0, 2:0`.
fn examples(class: &Class, points: &[(usize, bool)]) -> String {
    let names = class.point_names();
    let examples: Vec<String> = points
        .iter()
        .map(|&(x, label)| format!("{}:{}", quote(&names[x]), u8::from(label)))
        .collect();
    examples.join(", ")
}

/// Faults of a function that is not given by one label for each point.
pub(super) fn labels(function: &Located<String>, points: usize) -> Result<(), Error> {
    let text = &function.value;
    if text.chars().count() == points && text.chars().all(|c| matches!(c, '0' | '1')) {
        return Ok(());
    }
    let expected = format!("a string of {points} labels, 0 or 1 for each point");
    Err(Error::malformed(function.position.clone(), expected, format!("`{text}`")))
}
