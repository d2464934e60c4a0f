//! Kind `identity`: two exact expressions have one value.

use std::collections::BTreeMap;

use crate::error::Error;
use crate::limits::Limits;

use super::super::{Fields, Finding, Located, Verdict};
use super::bound::{Scope, evaluate};
use super::subject::{Names, WITH};
use super::{Check, Classes, Key, Kind, Parse, keys};

pub(super) static KIND: Kind = Kind {
    name: "identity",
    about: "two exact expressions have one value",
    keys: &[
        Key { name: "left", grid: true, about: "an exact expression" },
        Key { name: "right", grid: true, about: "another one" },
        WITH,
        keys::CLASS,
        keys::HEADER,
    ],
    parse: Parse::Own(parse),
};

#[derive(Debug)]
struct Identity {
    names: Names,
    left: Located<String>,
    right: Located<String>,
}

fn parse(fields: &mut Fields<'_>) -> Option<Box<dyn Check>> {
    for key in ["left", "right"] {
        if !fields.has(key) {
            fields.missing(&format!("the key `{key}`"));
        }
    }
    let (left, right) = (fields.expression("left"), fields.expression("right"));
    Some(Box::new(Identity { names: Names::parse(fields)?, left: left?, right: right? }))
}

impl Check for Identity {
    fn load(&mut self, classes: &mut Classes<'_>) {
        self.names.load(classes);
    }

    fn run(&self, _limits: &Limits) -> Result<Finding, Error> {
        let scope = self.names.scope(Scope::new(), [&self.left, &self.right].into_iter())?;
        let (left, right) = (evaluate(&self.left, &scope)?, evaluate(&self.right, &scope)?);
        let squeezed = |text: &str| text.split_whitespace().collect::<String>();
        let mut details = Vec::new();
        let verdict = if left != right {
            details.push(format!("the difference left - right is {}", &left - &right));
            Verdict::Refuted
        } else if squeezed(&self.left.value) == squeezed(&self.right.value) {
            details.push("vacuous: both sides are the same expression".to_owned());
            Verdict::Vacuous
        } else {
            Verdict::Holds
        };
        Ok(Finding {
            verdict,
            found: format!("{} = {left}; claimed {} = {right}", self.left.value, self.right.value),
            non_vacuous: (verdict == Verdict::Holds)
                .then(|| "the two sides are different expressions".to_owned()),
            details,
            values: BTreeMap::from([
                ("left".into(), left.to_string()),
                ("right".into(), right.to_string()),
            ]),
        })
    }
}
