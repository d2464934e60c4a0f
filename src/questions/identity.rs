//! Whether two exact expressions have one value.

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::class::files;
use crate::error::{Error, Result};
use crate::exact::{Number, expression};
use crate::text::Lines;

use super::door::flattened;
use super::given::HeaderField;
use super::written::{Bindings, ClassName, Formula, Text, mentions};
use super::{Answer, Claimed, Ending, Json as _, NoFiles, Question, Run, registry};

/// Decide whether two exact expressions have one value.
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize, JsonSchema)]
#[command(after_help = EXAMPLES)]
pub struct IdentityQuestion {
    /// An exact expression.
    #[arg(allow_hyphen_values = true)]
    pub left: Text<Formula>,
    /// Another one.
    #[arg(allow_hyphen_values = true)]
    pub right: Text<Formula>,
    /// Names for the expressions, each with its own, which may use those before it: `g=1/8,h=1-g`.
    #[arg(long, value_name = "NAME=EXPRESSION,…", default_value_t, hide_default_value = true)]
    #[serde(default)]
    pub with: Bindings,
    /// A class, which gives the names `d`, its Littlestone dimension, `points` and `hypotheses`.
    #[arg(long)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<ClassName>,
    /// How the file of the class is read.
    #[command(flatten)]
    #[serde(flatten, deserialize_with = "flattened")]
    pub header: HeaderField,
}

const EXAMPLES: &str = "\
Examples:
  littlestone identity '1 - (1 - g)^2' 'g*(2 - g)' --with g=1/8
  littlestone identity '2^d' hypotheses --class cube:4
  littlestone identity 'exp(1/2)*exp(1/2)' 'exp(1)'

Numbers are exact; an expression may contain powers of e, as in exp(1/2).
Exit codes: 0 one value, 1 two values, 2 malformed input, 3 a limit was hit.";

/// Both values.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct IdentityAnswer {
    /// `holds`, `refuted`, or `vacuous` when both sides are the same expression.
    pub verdict: &'static str,
    /// The value of the left side.
    pub left: String,
    /// The value of the right side.
    pub right: String,
    /// Left minus right.
    pub difference: String,
    #[serde(skip)]
    sides: [String; 2],
}

impl Question for IdentityQuestion {
    const NAME: &'static str = "identity";
    const DECIDES: bool = true;
    type Answer = IdentityAnswer;
    type Files = NoFiles;

    fn inputs(&self) -> Vec<PathBuf> {
        self.class.as_ref().map(|class| files(class.as_str())).unwrap_or_default()
    }

    fn answer_with(&self, _files: &NoFiles, run: &Run<'_>) -> Result<IdentityAnswer> {
        let sides = [self.left.to_string(), self.right.to_string()];
        let scope = self.scope(&sides, run)?;
        let left = self.left.evaluate("left", &scope)?;
        let right = self.right.evaluate("right", &scope)?;
        let [one, other] = sides.each_ref().map(|side| side.split_whitespace().collect::<String>());
        let verdict = if left != right {
            "refuted"
        } else if one == other {
            "vacuous"
        } else {
            "holds"
        };
        Ok(IdentityAnswer {
            verdict,
            left: left.to_string(),
            right: right.to_string(),
            difference: (&left - &right).to_string(),
            sides,
        })
    }
}

impl IdentityQuestion {
    /// The names with their values.
    fn scope(&self, sides: &[String; 2], run: &Run<'_>) -> Result<BTreeMap<String, Number>> {
        let fields: Map<String, Value> = match self.json() {
            Value::Object(fields) => fields,
            _ => Map::new(),
        };
        let mut scope = registry::names(&fields, run)?;
        let mut texts = sides.iter().chain(self.with.0.iter().map(|(_, text)| text));
        if self.class.is_some() && texts.any(|text| mentions(text, "d")) {
            scope.insert("d".into(), registry::dimension(&fields, run)?);
        }
        for (name, text) in &self.with.0 {
            let value = expression::evaluate(text, &scope)
                .map_err(|error| Error::argument(format!("with: {name}: {error}")))?;
            scope.insert(name.clone(), value);
        }
        Ok(scope)
    }
}

impl Answer for IdentityAnswer {
    fn ending(&self) -> Ending {
        if self.verdict == "refuted" { Ending::Refuted } else { Ending::Holds }
    }

    fn text(&self) -> Lines {
        let ([left, right], mut text) = (&self.sides, Lines::new());
        writeln!(text, "{left} = {}", self.left);
        writeln!(text, "{right} = {}", self.right);
        if self.verdict == "refuted" {
            writeln!(text, "difference: {}", self.difference);
        }
        writeln!(text, "verdict: {}", self.verdict);
        text
    }

    fn found(&self) -> String {
        let [left, right] = &self.sides;
        format!("{left} = {}; claimed {right} = {}", self.left, self.right)
    }

    fn vacuous(&self) -> Option<String> {
        (self.verdict == "vacuous").then(|| "both sides are the same expression".into())
    }

    fn counterexample(&self, _path: &str, _claimed: &Claimed, _run: &Run<'_>) -> Vec<String> {
        vec![format!("the difference left - right is {}", self.difference)]
    }

    fn evidence(&self) -> Option<String> {
        Some("the two sides are different expressions".into())
    }
}
