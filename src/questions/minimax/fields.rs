//! The types of the fields of the question.

use clap::ValueEnum;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::exact::Epsilon;
use crate::questions::written::Reads;

/// What is released.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Interaction {
    /// A function in each round (Definitions 1 and 2).
    #[default]
    Learning,
    /// A bit for the point of the round, and jointly private (Definitions 3 and 4).
    Prediction,
}

/// What the values of a curve differ in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CurveOver {
    /// All δ from 0 to 1.
    Delta,
    /// The rounds of --rounds.
    Rounds,
    /// The list of --epsilon.
    Epsilon,
}

/// One side of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Player {
    /// The law of the output of each round under each history.
    Learner,
    /// The law of the stream.
    Adversary,
}

/// One ε, or several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Epsilons(pub Vec<Epsilon>);

impl Reads for Epsilons {
    const FORMAT: &'static str = "epsilon";
    const EXAMPLE: &'static str = "ln(3/2)";

    fn read(text: &str) -> Result<Self, String> {
        text.split(',').map(Epsilon::read).collect::<Result<_, _>>().map(Self)
    }
}
