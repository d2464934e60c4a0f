//! Randomised response: a bit is released as it is, or flipped with a fixed probability.
//!
//! One release is (ln((1−flip)/flip), 0)-private for flip ≤ 1/2, and no better.

use super::{Entry, Given, release};
use crate::spec::Parameter;
use crate::{Boxed, Interface, Kind, Law, Mechanism, Output};
use littlestone_base::error::{Error, Result};
use littlestone_exact::Number;

/// Greatest number of copies: the alphabet has 2^copies words.
const COPIES: usize = 12;

const FLIP: Parameter = Parameter {
    name: "flip",
    default: Some("1/4"),
    meaning: "the probability in [0, 1] that the bit is flipped",
};

/// In rounds; the record is the bit.
pub const TRANSDUCER: Entry = Entry {
    name: "randomised-response",
    kind: Kind::Transducer,
    law: "in every round sees a bit and releases it, flipped with probability flip",
    paper: "Definition 4",
    twin: None,
    parameters: &[FLIP],
    build: |given| {
        let interface = Interface::transducer(bits(), bits(), Vec::new())?;
        Ok(Boxed::new(Transducer { interface, flip: given.probability("flip")? }))
    },
};

/// A learner over a class; it attains Proposition 1.
pub const LEARNER: Entry = Entry {
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
        let interface = Interface::learner(given.points()?)?;
        let (flip, first) = (given.probability("flip")?, given.labels("first")?);
        Ok(Boxed::new(Learner { interface, flip, first }))
    },
};

/// On a data set of bits; several copies compose.
pub const ONE_SHOT: Entry = Entry {
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
    build: |given| one_shot(given).map(Boxed::new),
};

fn bits() -> Vec<String> {
    vec!["0".into(), "1".into()]
}

/// A bit in each round.
#[derive(Debug)]
struct Transducer {
    interface: Interface,
    flip: Number,
}

impl Mechanism for Transducer {
    type State = ();

    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn start(&self) -> Result<Law<()>> {
        Ok(Law::certain(()))
    }

    fn respond(&self, (): &(), before: usize) -> Result<Law<(Output, ())>> {
        let bit = &self.interface.before()[before];
        Ok(release::flipped(bit, &self.flip)?.map(|output| (output, ())))
    }

    fn observe(&self, (): &(), _: usize) -> Result<Law<()>> {
        Ok(Law::certain(()))
    }

    fn describe(&self, (): &()) -> String {
        "always".into()
    }
}

/// The last label, as a constant function.
#[derive(Debug)]
struct Learner {
    interface: Interface,
    flip: Number,
    first: String,
}

impl Mechanism for Learner {
    /// The last label; `None` before round 1.
    type State = Option<bool>;

    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn start(&self) -> Result<Law<Self::State>> {
        Ok(Law::certain(None))
    }

    fn respond(&self, &last: &Self::State, _: usize) -> Result<Law<(Output, Self::State)>> {
        let Some(label) = last else { return Ok(Law::certain((self.first.clone(), last))) };
        let points = self.interface.points().len();
        let coin = Law::coin("flip", &self.flip)?;
        Ok(coin.map(|flip| (release::bit(label != flip).to_string().repeat(points), last)))
    }

    fn observe(&self, _: &Self::State, after: usize) -> Result<Law<Self::State>> {
        Ok(Law::certain(Some(after % 2 == 1)))
    }

    fn describe(&self, &last: &Self::State) -> String {
        last.map_or_else(|| "first".into(), |label| format!("label {}", release::bit(label)))
    }
}

fn one_shot(given: &Given<'_>) -> Result<OneShot> {
    let (flip, copies) = (given.probability("flip")?, given.positive("copies")?);
    if copies > COPIES {
        return Err(Error::TooLarge {
            what: "the alphabet of `randomised-response-one-shot`".into(),
            size: format!("2^{copies} words"),
            limit: format!("2^{COPIES}"),
        });
    }
    let outputs = (0..1usize << copies).map(|word| format!("{word:0copies$b}")).collect();
    Ok(OneShot { interface: Interface::one_shot(bits(), outputs)?, flip, copies })
}

/// The parity of a data set, released several times.
#[derive(Debug)]
struct OneShot {
    interface: Interface,
    flip: Number,
    copies: usize,
}

impl Mechanism for OneShot {
    /// The parity of the records so far.
    type State = bool;

    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn start(&self) -> Result<Law<bool>> {
        Ok(Law::certain(false))
    }

    fn respond(&self, _: &bool, _: usize) -> Result<Law<(Output, bool)>> {
        Err(Error::argument("a one-shot mechanism answers only at the end of the stream"))
    }

    fn observe(&self, &parity: &bool, after: usize) -> Result<Law<bool>> {
        Ok(Law::certain(parity != (after == 1)))
    }

    fn finish(&self, &parity: &bool) -> Result<Law<Output>> {
        release::flipped(&release::bit(parity).to_string().repeat(self.copies), &self.flip)
    }

    fn describe(&self, &parity: &bool) -> String {
        format!("parity {}", release::bit(parity))
    }
}
