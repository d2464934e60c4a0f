//! Mechanisms that are scripts: what they are called and which parameters they take. What they do is in
//! `scripts/`, a file each.

use super::given::{AFTER, BEFORE};
use super::{Entry, Given};
use crate::script::Script;
use crate::spec::{Argument, Arguments, Parameter};
use crate::{Boxed, Kind};
use littlestone_base::error::{Error, Result};
use littlestone_exact::Number;

/// Greatest number of copies: the alphabet has 2^copies words.
const COPIES: usize = 12;

const FLIP: Parameter = Parameter {
    name: "flip",
    default: Some("1/4"),
    meaning: "the probability in [0, 1] that the bit is flipped",
};

/// The script of a mechanism with its parameters, which have been checked.
macro_rules! script {
    ($given:expr, $name:literal, $arguments:expr) => {
        run(
            $given,
            concat!($name, ".rhai"),
            include_str!(concat!("scripts/", $name, ".rhai")),
            $arguments,
        )
    };
}

/// Definition 3. A fair coin for every answer.
pub const FAIR_BITS: Entry = Entry {
    name: "fair-bits",
    kind: Kind::Predictor,
    law: "answers every point with a fair coin",
    paper: "Definition 3",
    twin: None,
    parameters: &[],
    build: |given| script!(given, "fair-bits", []),
};

/// Randomised response in rounds: one release is (ln((1−flip)/flip), 0)-private for flip ≤ 1/2, and no
/// better.
pub const RANDOMISED_RESPONSE: Entry = Entry {
    name: "randomised-response",
    kind: Kind::Transducer,
    law: "in every round sees a bit and releases it, flipped with probability flip",
    paper: "Definition 4",
    twin: None,
    parameters: &[FLIP],
    build: |given| {
        script!(given, "randomised-response", [("flip", number(&given.probability("flip")?))])
    },
};

/// A learner over a class; it attains Proposition 1.
pub const RANDOMISED_RESPONSE_LEARNER: Entry = Entry {
    name: "randomised-response-learner",
    kind: Kind::Learner,
    law: "releases in each round the constant function of the label of the round before, \
          complemented with probability flip",
    paper: "Proposition 1",
    twin: None,
    parameters: &[
        FLIP,
        Parameter {
            name: "first",
            default: Some("0"),
            meaning: "the function of round 1: 0, 1, or its labels in point order",
        },
    ],
    build: |given| {
        let flip = number(&given.probability("flip")?);
        let first = labels(&given.labels("first")?);
        script!(given, "randomised-response-learner", [("flip", flip), ("first", first)])
    },
};

/// On a data set of bits; several copies compose.
pub const RANDOMISED_RESPONSE_ONE_SHOT: Entry = Entry {
    name: "randomised-response-one-shot",
    kind: Kind::OneShot,
    law: "sees bits and releases their parity copies times, each flipped independently with \
          probability flip; on one record this is copies-fold composition",
    paper: "Fact 1",
    twin: None,
    parameters: &[
        FLIP,
        Parameter {
            name: "copies",
            default: Some("1"),
            meaning: "the number of released bits, from 1 to 12",
        },
    ],
    build: |given| {
        let (flip, copies) = (given.probability("flip")?, given.positive("copies")?);
        if copies > COPIES {
            return Err(Error::TooLarge {
                what: "the alphabet of `randomised-response-one-shot`".into(),
                size: format!("2^{copies} words"),
                limit: format!("2^{COPIES}"),
            });
        }
        let copies = Argument::Text(copies.to_string());
        script!(
            given,
            "randomised-response-one-shot",
            [("flip", number(&flip)), ("copies", copies)]
        )
    },
};

/// Not private: one example decides what is released from then on.
pub const SWITCH_AT_MISTAKE: Entry = Entry {
    name: "switch-at-mistake",
    kind: Kind::Learner,
    law: "releases the function before until it has made k mistakes, and after from then on; not \
          private",
    paper: "Definition 2",
    twin: None,
    parameters: &[
        Parameter { name: "k", default: Some("1"), meaning: "the number of mistakes, at least 1" },
        BEFORE,
        AFTER,
    ],
    build: |given| {
        let k = Argument::Text(given.positive("k")?.to_string());
        let [before, after] = [labels(&given.labels("before")?), labels(&given.labels("after")?)];
        script!(given, "switch-at-mistake", [("k", k), ("before", before), ("after", after)])
    },
};

/// Uniform firing without a choice: the decision is made before the release of each round.
pub const HAZARD: Entry = Entry {
    name: "hazard-learner",
    kind: Kind::Learner,
    law: "before each release, switches for good from the function before to after with \
          probability table[number of labels 1 so far]",
    paper: "Definition 2",
    twin: None,
    parameters: &[
        Parameter {
            name: "table",
            default: None,
            meaning: "a list of probabilities, such as (0, 1/8, 1/4); the last one stands for all \
                      larger numbers",
        },
        BEFORE,
        AFTER,
    ],
    build: |given| {
        let table = Argument::List(given.probabilities("table")?.iter().map(number).collect());
        let [before, after] = [labels(&given.labels("before")?), labels(&given.labels("after")?)];
        script!(given, "hazard-learner", [("table", table), ("before", before), ("after", after)])
    },
};

/// Twin of Definitions 1 and 3 (causality): the label is read before the answer.
pub const LABEL_PEEKER: Entry = Entry {
    name: "label-peeker",
    kind: Kind::Transducer,
    law: "sees the example point:label before it answers, and answers the label",
    paper: "Definition 3",
    twin: Some("an answer may depend on the label of its own round"),
    parameters: &[],
    build: |given| {
        given.class()?;
        script!(given, "label-peeker", [])
    },
};

/// Twin of Definition 2: every round on its own is private, the whole output is not.
pub const CORRELATED_ROUNDS: Entry = Entry {
    name: "correlated-rounds",
    kind: Kind::Learner,
    law: "with r a fair bit and y the label of round 1, releases the constant function r in round \
          1 and r XOR y in every later round",
    paper: "Definition 2",
    twin: Some("it is enough to compare the hypotheses of each round on their own"),
    parameters: &[],
    build: |given| script!(given, "correlated-rounds", []),
};

/// Twin of Definition 2: private on realisable streams, not on all streams.
pub const CONTRADICTION_ALARM: Entry = Entry {
    name: "contradiction-alarm",
    kind: Kind::Learner,
    law: "releases the all-zero function until no hypothesis fits the examples seen, and the \
          all-one function from then on",
    paper: "Definition 2",
    twin: Some("it is enough to compare realisable streams"),
    parameters: &[],
    build: |given| script!(given, "contradiction-alarm", []),
};

/// Twin of Definition 4: private when only the label of a round changes, not when its point does.
pub const XOR_OF_PAST_POINTS: Entry = Entry {
    name: "xor-of-past-points",
    kind: Kind::Predictor,
    law: "answers the parity of the number of earlier rounds with the second, fourth, … point",
    paper: "Definition 4",
    twin: Some("neighbouring streams differ only in the label of a round, not in its point"),
    parameters: &[],
    build: |given| script!(given, "xor-of-past-points", []),
};

/// Twin of Definition 4: an answer that is left out in its round comes back in the next.
pub const REPEATED_ANSWER: Entry = Entry {
    name: "repeated-answer",
    kind: Kind::Predictor,
    law: "answers in odd rounds whether the point is the first of the domain, and in even rounds \
          repeats the answer of the round before",
    paper: "Definition 4",
    twin: Some("leaving out the answer of a round hides its point, whatever is answered later"),
    parameters: &[],
    build: |given| script!(given, "repeated-answer", []),
};

fn run<const N: usize>(
    given: &Given<'_>,
    file: &str,
    text: &str,
    arguments: [(&str, Argument); N],
) -> Result<Boxed> {
    let arguments: Arguments =
        arguments.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    if matches!(given.kind(), Kind::Learner | Kind::Predictor) {
        given.class()?;
    }
    let (tools, limits) = given.surroundings();
    Script::within(file, text, tools, &arguments, limits).map(Boxed::new)
}

fn number(value: &Number) -> Argument {
    Argument::Text(value.to_string())
}

/// A function as the list of its labels.
fn labels(labels: &str) -> Argument {
    Argument::List(labels.chars().map(|label| Argument::Text(label.to_string())).collect())
}
