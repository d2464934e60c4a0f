//! The embedded automaton: the JSON of mechanism tables.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::objects;

/// A finite mechanism as a table, in the JSON that `littlestone compile` prints. Weights are exact
/// expressions, and every law sums to 1. Alphabets that a kind does not have, and laws that a state never
/// needs, are left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Automaton {
    /// What a transducer sees after it releases; empty for a part that carries no information.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<String>,
    /// What a transducer sees before it releases; empty for a part that carries no information.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<String>,
    /// The version of the format of tables.
    #[cfg_attr(feature = "schemas", schemars(extend("const" = 1)))]
    pub format: u64,
    /// `learner`, `predictor`, `transducer` or `one-shot`.
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["learner", "predictor", "transducer", "one-shot"])))]
    pub kind: String,
    /// What may be released, in any order: hypotheses of a learner (those that are left out are added where
    /// they are met), the alphabet of a transducer or one-shot mechanism. A predictor releases `0` and `1` and
    /// lists none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outputs: Vec<String>,
    /// The points of the domain of a learner or predictor.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<String>,
    /// The records of a one-shot mechanism.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub records: Vec<String>,
    /// The greatest length of stream that the table covers, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<usize>,
    /// The law of the state before the first round.
    #[serde(deserialize_with = "objects")]
    pub start: Vec<Step>,
    /// What each state does.
    #[serde(deserialize_with = "objects")]
    pub states: Vec<State>,
}

/// What one state does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct State {
    /// For a one-shot mechanism, the law of the output at the end of the stream.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "objects")]
    pub finish: Vec<End>,
    /// The name of the state.
    pub name: String,
    /// For each *after* symbol, the law of the next state. The symbols are `x:0` and `x:1` for every point x
    /// for a learner, `0` and `1` for a predictor, the records of a one-shot mechanism, and the empty string for
    /// a transducer that sees nothing.
    #[serde(default, skip_serializing_if = "Laws::is_empty")]
    pub observe: Laws<Step>,
    /// For each *before* symbol, the law of the released symbol and the next state. The symbol of a learner,
    /// and of a transducer that sees nothing, is the empty string.
    #[serde(default, skip_serializing_if = "Laws::is_empty")]
    pub respond: Laws<Release>,
}

/// A move to a state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The name of the next state.
    pub to: String,
    /// The probability, such as `1/4` or `exp(1/2)/(1 + exp(1/2))`.
    pub weight: String,
}

/// A release and a move to a state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Release {
    /// What is released.
    pub output: String,
    /// The name of the next state.
    pub to: String,
    /// The probability, such as `1/4` or `exp(1/2)/(1 + exp(1/2))`.
    pub weight: String,
}

/// A release at the end of a stream.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct End {
    /// What is released.
    pub output: String,
    /// The probability, such as `1/4` or `exp(1/2)/(1 + exp(1/2))`.
    pub weight: String,
}

/// A law for each symbol; a symbol that is given twice is an error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Laws<T>(pub BTreeMap<String, Vec<T>>);

impl<T> Default for Laws<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<T> Laws<T> {
    /// Whether there is no law.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Laws<T> {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        input.deserialize_map(LawsVisitor(PhantomData))
    }
}

struct LawsVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for LawsVisitor<T> {
    type Value = Laws<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with one law for each symbol")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Laws<T>, A::Error> {
        let mut laws = BTreeMap::new();
        while let Some((symbol, Entries(law))) = map.next_entry::<String, Entries<T>>()? {
            if laws.contains_key(&symbol) {
                return Err(Error::custom(format_args!("the symbol `{symbol}` twice")));
            }
            laws.insert(symbol, law);
        }
        Ok(Laws(laws))
    }
}

/// The entries of a law, each an object.
struct Entries<T>(Vec<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Entries<T> {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        objects(input).map(Self)
    }
}

impl Automaton {
    /// Reads the text of a mechanism table. Only its form is checked here.
    ///
    /// # Errors
    /// When the text is not JSON of this form.
    pub fn parse(text: &str) -> serde_json::Result<Self> {
        serde_json::from_str(text)
    }
}
