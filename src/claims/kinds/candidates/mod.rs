//! Kind `candidates`: Algorithm 2 and Lemmas 3 and 6 to 10 on a class, with free parameters.

mod given;
mod property;
mod quantity;

use crate::error::Error;
use crate::limits::Limits;

use super::super::{Fields, Finding};
use super::bound::Bounds;
use super::{Check, Classes, Key, Kind, Parse, keys};

use given::Given;
use property::Property;

pub(super) static KIND: Kind = Kind {
    name: "candidates",
    about: "a property of the candidate sequence (Algorithm 2, Lemmas 3 and 6 to 10)",
    keys: &[
        Key { name: "property", grid: true, about: "what is claimed, as in \"nested\"" },
        keys::CLASS,
        keys::HEADER,
        Key { name: "ambient", grid: true, about: "d; the dimension of the class by default" },
        Key { name: "n", grid: true, about: "the size of a full sample" },
        Key { name: "k", grid: true, about: "the number of groups" },
        Key {
            name: "s",
            grid: true,
            about: "the bound on the sizes of lists; the paper's by default",
        },
        Key { name: "N", grid: true, about: "the number of candidates beside h_0" },
        Key { name: "K", grid: true, about: "the size of a full batch" },
        Key { name: "q", grid: true, about: "the base of Select, above 1; 2 by default" },
        Key { name: "a", grid: true, about: "in place of q, a > 0 with q = e^(a/2)" },
        Key { name: "B", grid: true, about: "the score of bottom in Select" },
        Key { name: "thresholds", grid: true, about: "a_0, …, a_d in place of the paper's" },
        Key { name: "lists", grid: true, about: "p_0, …, p_d in place of the paper's" },
        Key { name: "first", grid: true, about: "h_0 as labels; 0 at every point by default" },
        Key { name: "variant", grid: true, about: "\"paper\", or a misreading" },
        Key { name: "rounds", grid: true, about: "all streams of that many rounds" },
        Key { name: "streams", grid: true, about: "\"realisable\" streams, or \"all\"" },
        Key { name: "stream", grid: true, about: "one stream, as in \"1:0, 2:1\"" },
        Key { name: "tolerance", grid: true, about: "in place of 1/(64(d+1)), for Lemmas 6 and 9" },
        Key { name: "z", grid: true, about: "how many groups may be unsuccessful" },
        Key { name: "rule", grid: true, about: "how a group chooses its sample" },
        Key { name: "keyed_by", grid: true, about: "\"timestamp\", or the misreading \"place\"" },
        Key { name: "epsilon", grid: true, about: "ε: a rational or ln(q)" },
        keys::EXACTLY,
        keys::NO_LESS,
        keys::NO_MORE,
    ],
    parse: Parse::Own(parse),
};

#[derive(Debug)]
struct Candidates {
    given: Given,
    property: Property,
    bounds: Option<Bounds>,
}

fn parse(fields: &mut Fields<'_>) -> Option<Box<dyn Check>> {
    let given = Given::parse(fields);
    let property = Property::parse(fields)?;
    let bounds = if property.is_statement() {
        for key in ["equals", "at_least", "at_most"] {
            if fields.has(key) {
                let position = fields.position();
                fields.refuse(position, "no bound with this property", &format!("`{key}`"));
            }
        }
        None
    } else {
        Some(Bounds::parse(fields)?)
    };
    Some(Box::new(Candidates { given: given?, property, bounds }))
}

impl Check for Candidates {
    fn load(&mut self, classes: &mut Classes<'_>) {
        self.given.load(classes);
    }

    fn run(&self, limits: &Limits) -> Result<Finding, Error> {
        self.property.decide(&self.given, self.bounds.as_ref(), limits)
    }
}
