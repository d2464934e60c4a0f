//! Algorithm 4: combining two predictors, the more often correct one being favoured.

use super::{Entry, Given};
use crate::spec::Parameter;
use crate::{Boxed, Interface, Kind, Law, Mechanism, Output};
use littlestone_base::error::Result;
use littlestone_exact::{BigInt, Number, Rational};

/// The greatest D.
const GREATEST: i32 = 1_000_000;

/// D.
pub(super) const DELAY: Parameter =
    Parameter { name: "D", default: None, meaning: "what is added to both counters, at least 1" };

/// `Combine_D` over records (u, v, y).
pub const ENTRY: Entry = Entry {
    name: "combine",
    kind: Kind::Transducer,
    law: "sees predictions u and v, answers u with probability (D+c1)^2 / ((D+c1)^2 + (D+c2)^2) and \
          v otherwise, sees the label; c1 and c2 count the disagreements at which u and v was right",
    paper: "Algorithm 4",
    twin: None,
    parameters: &[
        DELAY,
        Parameter {
            name: "variant",
            default: Some("definition"),
            meaning: "definition; linear: without the squares; all-rounds: the counters are updated \
                      on agreements, too; once: D is added to the first counter only, and 1 to the \
                      second",
        },
    ],
    build: |given| Combine::of(given).map(Boxed::new),
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Variant {
    Definition,
    Linear,
    AllRounds,
    Once,
}

#[derive(Debug)]
struct Combine {
    interface: Interface,
    delay: usize,
    variant: Variant,
}

/// The counters, and in the middle of a round the predictions u and v if they will be counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Counters {
    first: usize,
    second: usize,
    asked: Option<(bool, bool)>,
}

/// `Combine_D` as the definition has it, with the D that was given.
pub(super) fn boxed(given: &Given<'_>) -> Result<Boxed> {
    let delay = given.integer("D", 1..=GREATEST)?;
    Combine::with_delay(delay, Variant::Definition).map(Boxed::new)
}

impl Combine {
    fn of(given: &Given<'_>) -> Result<Self> {
        let delay = given.integer("D", 1..=GREATEST)?;
        let variants = ["definition", "linear", "all-rounds", "once"];
        let variant = match given.word("variant", &variants)? {
            "linear" => Variant::Linear,
            "all-rounds" => Variant::AllRounds,
            "once" => Variant::Once,
            _ => Variant::Definition,
        };
        Self::with_delay(delay, variant)
    }

    fn with_delay(delay: i32, variant: Variant) -> Result<Self> {
        let bits = || vec!["0".into(), "1".into()];
        let pairs = ["u0v0", "u0v1", "u1v0", "u1v1"].map(String::from).to_vec();
        let interface = Interface::transducer(pairs, bits(), bits())?;
        let delay = usize::try_from(delay).expect("it is at least 1");
        Ok(Self { interface, delay, variant })
    }

    /// The probability of u on a disagreement.
    fn chance(&self, counters: &Counters) -> Number {
        let second = if self.variant == Variant::Once { 1 } else { self.delay };
        let weight = |base: usize, counter: usize| {
            let sum = BigInt::from(base) + BigInt::from(counter);
            if self.variant == Variant::Linear { sum } else { sum.pow(2) }
        };
        let first = weight(self.delay, counters.first);
        let all = &first + weight(second, counters.second);
        Rational::new(first, all).into()
    }
}

impl Mechanism for Combine {
    type State = Counters;

    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn start(&self) -> Result<Law<Counters>> {
        Ok(Law::certain(Counters { first: 0, second: 0, asked: None }))
    }

    fn respond(&self, counters: &Counters, before: usize) -> Result<Law<(Output, Counters)>> {
        let (u, v) = (before / 2 == 1, before % 2 == 1);
        let counted = u != v || self.variant == Variant::AllRounds;
        let next = Counters { asked: counted.then_some((u, v)), ..*counters };
        let coin = Law::coin("the choice between the predictions", &self.chance(counters))?;
        Ok(coin.map(|first| (u8::from(if first { u } else { v }).to_string(), next)))
    }

    fn observe(&self, counters: &Counters, after: usize) -> Result<Law<Counters>> {
        let label = after == 1;
        let correct = |wanted: fn((bool, bool)) -> bool| {
            usize::from(counters.asked.is_some_and(|asked| wanted(asked) == label))
        };
        Ok(Law::certain(Counters {
            first: counters.first + correct(|(u, _)| u),
            second: counters.second + correct(|(_, v)| v),
            asked: None,
        }))
    }

    fn describe(&self, counters: &Counters) -> String {
        let Counters { first, second, asked } = counters;
        let asked = asked
            .map_or_else(String::new, |(u, v)| format!(", asked u{}v{}", u8::from(u), u8::from(v)));
        format!("c1 = {first}, c2 = {second}{asked}")
    }
}
