//! What a certificate proves, in words.

use std::fmt;

use serde::Serialize;

/// A proved statement about the class or the mechanism in the certificate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
#[serde(rename_all = "snake_case")]
pub enum Statement {
    /// Ldim(H) ≥ the number.
    LittlestoneDimensionAtLeast(i32),
    /// Ldim(H) ≤ the number.
    LittlestoneDimensionAtMost(i32),
    /// The class is k-irreducible (Definition 7).
    Irreducible {
        /// k.
        k: u64,
    },
    /// The class is not k-irreducible.
    NotIrreducible {
        /// k.
        k: u64,
    },
    /// `ρ_p` ≥ the number (Definition 8).
    DecompositionDimensionAtLeast {
        /// p and d.
        parameters: DecompositionParameters,
        /// The number.
        bound: i32,
    },
    /// `ρ_p` ≤ the number.
    DecompositionDimensionAtMost {
        /// p and d.
        parameters: DecompositionParameters,
        /// The number.
        bound: i32,
    },
    /// `C_p` is exactly this set (Definition 9).
    EssentialHypotheses {
        /// p and d.
        parameters: DecompositionParameters,
        /// The functions, sorted.
        essential: Vec<String>,
    },
    /// The mechanism is (ε,δ)-private over these streams.
    Private {
        /// What is compared, at which ε.
        scope: PrivacyScope,
        /// δ.
        delta: String,
    },
    /// The mechanism is not (ε,δ)-private over these streams.
    NotPrivate {
        /// What is compared, at which ε. The number of records is that of the witness.
        scope: PrivacyScope,
        /// δ.
        delta: String,
        /// The probability of the event of the witness under its first stream.
        first_probability: String,
        /// The probability of the event of the witness under its second stream.
        second_probability: String,
    },
    /// V ≥ the number: no private learner or predictor does better on every realisable stream.
    MinimaxAtLeast {
        /// The game.
        scope: MinimaxScope,
        /// The number.
        bound: String,
    },
    /// V ≤ the number: a private learner or predictor does as well on every realisable stream.
    MinimaxAtMost {
        /// The game.
        scope: MinimaxScope,
        /// The number.
        bound: String,
    },
    /// The least δ with which the mechanism is (ε,δ)-private over these streams.
    WorstDelta {
        /// What is compared, at which ε.
        scope: PrivacyScope,
        /// The least δ.
        delta: String,
    },
    /// The expected number of mistakes of a learner or predictor.
    ExpectedMistakes {
        /// On which streams.
        over: MistakesOver,
        /// The number.
        mistakes: String,
    },
}

/// The parameters of Definitions 8 and 9.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct DecompositionParameters {
    /// p.
    pub p: u32,
    /// The ambient dimension d.
    pub ambient: i32,
}

/// What a statement about privacy compares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PrivacyScope {
    /// `whole` (Definition 2) or `joint` (Definition 4).
    pub notion: String,
    /// `replacement`, `add-remove` or `listed`.
    pub neighbours: String,
    /// `all` or `realisable`.
    pub streams: String,
    /// The number of records of a stream; of the longer one where one has a record more, and of the
    /// longest one that is listed. `None` stands for every number.
    pub rounds: Option<usize>,
    /// ε.
    pub epsilon: String,
}

/// The streams of a statement about mistakes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MistakesOver {
    /// A law over so many listed streams.
    Listed(usize),
    /// The worst of all streams of so many records.
    All(usize),
    /// The worst of all realisable streams of so many records.
    Realisable(usize),
}

/// The game of a certificate of the kind `minimax`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MinimaxScope {
    /// `whole` or `joint`.
    pub notion: String,
    /// `all` or `realisable`.
    pub streams: String,
    /// T.
    pub rounds: usize,
    /// ε.
    pub epsilon: String,
    /// δ.
    pub delta: String,
}

impl fmt::Display for MinimaxScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let player = if self.notion == "joint" {
            "jointly differentially private predictor"
        } else {
            "differentially private learner"
        };
        write!(
            f,
            "the best ({}, {})-{player} on the worst realisable stream of {}",
            self.epsilon,
            self.delta,
            plural(self.rounds, "example")
        )?;
        if self.streams == "realisable" {
            f.write_str(", private between realisable streams")?;
        }
        f.write_str(" (oblivious adversary)")
    }
}

impl fmt::Display for PrivacyScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { streams, rounds, neighbours, .. } = self;
        let Some(rounds) = *rounds else {
            return write!(f, "over {streams} streams of every length, neighbours by {neighbours}");
        };
        let records = plural(rounds, "record");
        if neighbours == "listed" {
            return write!(f, "over the listed pairs of data sets of at most {records}");
        }
        write!(f, "over {streams} streams of {records}, neighbours by {neighbours}")
    }
}

impl PrivacyScope {
    fn private(&self) -> &'static str {
        if self.notion == "joint" {
            "jointly differentially private"
        } else {
            "differentially private"
        }
    }
}

impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LittlestoneDimensionAtLeast(bound) => dimension(f, '≥', *bound),
            Self::LittlestoneDimensionAtMost(bound) => dimension(f, '≤', *bound),
            Self::Irreducible { k } => write!(f, "the class is {k}-irreducible"),
            Self::NotIrreducible { k } => write!(f, "the class is not {k}-irreducible"),
            Self::DecompositionDimensionAtLeast { parameters, bound } => {
                write!(f, "ρ_{} ≥ {bound} (d = {})", parameters.p, parameters.ambient)
            }
            Self::DecompositionDimensionAtMost { parameters, bound } => {
                write!(f, "ρ_{} ≤ {bound} (d = {})", parameters.p, parameters.ambient)
            }
            Self::EssentialHypotheses { parameters, essential } => {
                write!(f, "C_{} = ", parameters.p)?;
                if essential.is_empty() {
                    f.write_str("∅")?;
                } else {
                    write!(f, "{{{}}}", essential.join(", "))?;
                }
                write!(f, " (d = {})", parameters.ambient)
            }
            Self::Private { scope, delta } => {
                write!(f, "({}, {delta})-{} {scope}", scope.epsilon, scope.private())
            }
            Self::NotPrivate { scope, delta, first_probability, second_probability } => write!(
                f,
                "not ({}, {delta})-{} {scope}: an event has probabilities P = {first_probability} \
                 and Q = {second_probability}, and P > e^ε·Q + δ",
                scope.epsilon,
                scope.private()
            ),
            Self::MinimaxAtLeast { scope, bound } => {
                write!(f, "V ≥ {bound}, the expected mistakes of {scope}")
            }
            Self::MinimaxAtMost { scope, bound } => {
                write!(f, "V ≤ {bound}, the expected mistakes of {scope}")
            }
            Self::WorstDelta { scope, delta } => write!(
                f,
                "the least δ for which the mechanism is ({}, δ)-{} {scope} is {delta}",
                scope.epsilon,
                scope.private()
            ),
            Self::ExpectedMistakes { over, mistakes } => match over {
                MistakesOver::Listed(1) => write!(f, "expected mistakes on the stream: {mistakes}"),
                MistakesOver::Listed(count) => {
                    write!(f, "expected mistakes over the law of {count} streams: {mistakes}")
                }
                MistakesOver::All(rounds) => {
                    let records = plural(*rounds, "record");
                    write!(f, "greatest expected mistakes on a stream of {records}: {mistakes}")
                }
                MistakesOver::Realisable(rounds) => write!(
                    f,
                    "greatest expected mistakes on a realisable stream of {}: {mistakes}",
                    plural(*rounds, "record")
                ),
            }
            .and_then(|()| f.write_str(" (oblivious adversary)")),
        }
    }
}

fn dimension(f: &mut fmt::Formatter<'_>, relation: char, bound: i32) -> fmt::Result {
    // The paper's dimensions are numbers with a true minus sign in text.
    let sign = if bound < 0 { "−" } else { "" };
    write!(f, "Ldim {relation} {sign}{}", bound.unsigned_abs())
}

fn plural(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
