//! The blocks of Lemma 5: how often a learner is wrong on the copies of an auxiliary example.
//!
//! One block is 2w rounds. Its first copy stands at a position U, uniform in 1, …, w, which the
//! learner is not told; q − 1 more copies follow, and all other rounds are dummy.

use num_traits::Zero;

use super::Thirds;
use littlestone_base::error::{Error, Result};
use littlestone_exact::limits::Meter;
use littlestone_exact::with_arithmetic;
use littlestone_exact::{Arithmetic, BigInt, Number, Rational, natural};
use littlestone_mechanism::{Automaton, Kind};
use littlestone_privacy::mistakes::{self, Law, Model, collect};

/// Greatest number of rounds of a block.
const MAX_BLOCK: usize = 4096;

/// The blocks of Lemma 5.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blocks {
    copies: usize,
    half: usize,
    dummy: usize,
    positions: usize,
}

/// What happens in the block of one auxiliary example.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// α: the probability that the hypothesis at position U is wrong on the example, where the
    /// whole block is dummy. It is the mistake probability of the auxiliary learner.
    pub auxiliary: Number,
    /// For j = 0, …, q − 1, the probability `p_j` of a mistake on the copy at U + j.
    pub copies: Vec<Number>,
}

/// The inequality of Lemma 5 for one j: `p_j` against its bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instance {
    /// `p_j`.
    pub left: Number,
    /// e^(−qε)(α − j/w) − `δ_q`.
    pub right: Number,
    /// The right side with the group privacy of the j copies that come before alone.
    pub sharper: Number,
}

impl Instance {
    /// How far it is from being false.
    pub fn slack(&self) -> Number {
        &self.left - &self.right
    }
}

impl Block {
    /// The inequalities for j = 0, …, q − 1, where `factor` = e^ε.
    ///
    /// # Errors
    /// When q is too large for powers of e^ε.
    pub fn instances(
        &self,
        blocks: &Blocks,
        factor: &Number,
        delta: &Number,
    ) -> Result<Vec<Instance>> {
        let count = |n: usize| Number::from(i64::try_from(n).unwrap_or(i64::MAX));
        let bound = |j: usize, distance: usize| -> Result<Number> {
            let out_of_range = || {
                let copies = blocks.copies();
                let expected = "a number q of copies that fits 32 bits";
                Error::argument(format!("q: expected {expected}, found {copies}"))
            };
            let power = i32::try_from(distance).map_err(|_| out_of_range())?;
            let inverse = factor.pow(-power).map_err(|_| out_of_range())?;
            let loss = count(j).checked_div(&count(blocks.half())).map_err(|_| out_of_range())?;
            let shrunk = &inverse * &(&self.auxiliary - &loss);
            Ok(&shrunk - &group_delta(factor, delta, distance))
        };
        let instance = |(j, left): (usize, &Number)| {
            let (right, sharper) = (bound(j, blocks.copies())?, bound(j, j)?);
            Ok(Instance { left: left.clone(), right, sharper })
        };
        self.copies.iter().enumerate().map(instance).collect()
    }
}

/// E\[X\] on the stream of blocks for an auxiliary stream from Algorithm 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blockwise {
    /// μ: the expected number of auxiliary informative examples.
    pub informative: Number,
    /// The expected number of auxiliary mistakes on them.
    pub auxiliary: Number,
    /// E\[X\]: the expected number of mistakes on their copies.
    pub copies: Number,
}

impl Blocks {
    /// Blocks of `2 · half` rounds with `copies` copies of an example, 1 ≤ `copies` ≤ `half` + 1,
    /// among dummy rounds with the record `dummy`. With `shifted` false the first copy always
    /// stands at position 1, which is a misreading.
    ///
    /// # Errors
    /// When a number is out of range.
    pub fn new(copies: usize, half: usize, dummy: usize, shifted: bool) -> Result<Self> {
        if copies == 0 || half == 0 || copies > half + 1 {
            return Err(Error::argument(format!(
                "q copies in a block of 2w rounds need 1 ≤ q ≤ w + 1, found q = {copies} and \
                 w = {half}"
            )));
        }
        if half > MAX_BLOCK / 2 {
            return Err(Error::TooLarge {
                what: "a block of Lemma 5".into(),
                size: format!("2·{half} rounds"),
                limit: format!("{MAX_BLOCK} rounds"),
            });
        }
        let positions = if shifted { half } else { 1 };
        Ok(Self { copies, half, dummy, positions })
    }

    /// The number q of copies.
    pub fn copies(&self) -> usize {
        self.copies
    }

    /// Half the number of rounds of a block, w.
    pub fn half(&self) -> usize {
        self.half
    }

    /// The number of rounds of a block, 2w.
    pub fn rounds(&self) -> usize {
        2 * self.half
    }

    /// The blocks of the auxiliary examples of a stream of records, one after the other. The
    /// position of the copies is drawn anew in each block.
    ///
    /// # Errors
    /// When the mechanism is no learner, its table does not cover the rounds, a record is unknown,
    /// or a limit is hit. Each position of the copies in a block counts as a state.
    pub fn play(
        &self,
        automaton: &Automaton,
        stream: &[usize],
        meter: &mut Meter<'_>,
    ) -> Result<Vec<Block>> {
        let kind = automaton.interface().kind();
        if kind != Kind::Learner {
            return Err(Error::argument(format!("Lemma 5 is about learners; this is a {kind}")));
        }
        mistakes::admissible(automaton, self.rounds() * stream.len().max(1))?;
        let records = automaton.interface().records();
        if let Some(record) = stream.iter().chain([&self.dummy]).find(|&&r| r >= records) {
            return Err(Error::argument(format!("the mechanism has no record {record}")));
        }
        with_arithmetic!(automaton.weights(), arithmetic => {
            let model = Model::new(arithmetic, automaton, meter)?;
            Game::new(self, model).play(stream, meter)
        })
    }

    /// E\[X\] where the auxiliary stream is that of Algorithm 1, all of whose streams are listed.
    ///
    /// # Errors
    /// As [`Blocks::play`] and [`Thirds::streams`].
    pub fn against(
        &self,
        automaton: &Automaton,
        thirds: &Thirds,
        meter: &mut Meter<'_>,
    ) -> Result<Blockwise> {
        let (mut auxiliary, mut copies) = (Number::zero(), Number::zero());
        for (stream, weight) in thirds.streams(super::Reading::Paper)? {
            let weight = Number::from(weight);
            for (record, block) in stream.iter().zip(self.play(automaton, &stream, meter)?) {
                if record / 2 != thirds.point() {
                    continue;
                }
                auxiliary = &auxiliary + &(&weight * &block.auxiliary);
                for copy in &block.copies {
                    copies = &copies + &(&weight * copy);
                }
            }
        }
        Ok(Blockwise { informative: thirds.expected_informative().into(), auxiliary, copies })
    }
}

/// One run over blocks, in one arithmetic.
struct Game<'g, A: Arithmetic> {
    blocks: &'g Blocks,
    model: Model<A>,
    dummy: u32,
    /// The powers of the denominator of a round, up to that of a block.
    powers: Vec<A::Weight>,
}

impl<'g, A: Arithmetic> Game<'g, A> {
    fn new(blocks: &'g Blocks, model: Model<A>) -> Self {
        let arithmetic = &model.arithmetic;
        let mut powers = vec![arithmetic.one()];
        for place in 0..blocks.rounds() {
            powers.push(arithmetic.mul(&powers[place], &model.round_denominator));
        }
        Self { blocks, dummy: mistakes::index(blocks.dummy), powers, model }
    }

    fn play(&self, stream: &[usize], meter: &mut Meter<'_>) -> Result<Vec<Block>> {
        let arithmetic = &self.model.arithmetic;
        let positions = natural(arithmetic, &BigInt::from(self.blocks.positions));
        let mut law = self.model.start.clone();
        let mut denominator = self.model.start_denominator.clone();
        let mut blocks = Vec::new();
        for &record in stream {
            // Every weight of a block is brought to the denominator of its end.
            let whole = &self.powers[self.blocks.rounds()];
            denominator = arithmetic.mul(&arithmetic.mul(&denominator, whole), &positions);
            let (next, auxiliary, copies) = self.block(&law, mistakes::index(record), meter)?;
            let number = |weight| arithmetic.weight_number(weight, &denominator);
            blocks.push(Block {
                auxiliary: number(&auxiliary),
                copies: copies.iter().map(number).collect(),
            });
            law = next;
        }
        Ok(blocks)
    }

    /// The law after a block, and the mistakes at U where all is dummy and on the copies, each
    /// summed over the positions U.
    fn block(
        &self,
        law: &Law<A::Weight>,
        example: u32,
        meter: &mut Meter<'_>,
    ) -> Result<Sums<A::Weight>> {
        let arithmetic = &self.model.arithmetic;
        let Blocks { copies: number, positions, .. } = *self.blocks;
        let rounds = self.blocks.rounds();
        let mut after = Vec::new();
        let mut auxiliary = arithmetic.zero();
        let mut copies = vec![arithmetic.zero(); number];
        let mut waiting = law.clone();
        for position in 1..=positions {
            meter.count()?;
            let add = |sum: &mut A::Weight, law: &Law<A::Weight>, round: usize| {
                let wrong = self.model.mistake(law, example);
                arithmetic.add(sum, &arithmetic.mul(&wrong, &self.powers[rounds - round]));
            };
            add(&mut auxiliary, &waiting, position);
            let mut copied = waiting.clone();
            for (j, sum) in copies.iter_mut().enumerate() {
                add(sum, &copied, position + j);
                copied = self.model.advance(&copied, example);
            }
            for _ in position + number..=rounds {
                copied = self.model.advance(&copied, self.dummy);
            }
            after.extend(copied);
            waiting = self.model.advance(&waiting, self.dummy);
        }
        Ok((collect(arithmetic, after), auxiliary, copies))
    }
}

/// A law, the auxiliary mistakes, and those on each copy.
type Sums<W> = (Law<W>, W, Vec<W>);

/// `δ_q` = δ Σ_{j<q} e^{jε}, by Fact 1 the δ of a learner whose neighbours differ in q rounds, for
/// `factor` = e^ε.
pub fn group_delta(factor: &Number, delta: &Number, distance: usize) -> Number {
    let (mut sum, mut power) = (Number::zero(), Number::one());
    for _ in 0..distance {
        sum = &sum + &power;
        power = &power * factor;
    }
    &sum * delta
}

/// E\[X\] on (x, B)^n with B a fair bit: the branch n < 1/ε of Lemma 5.
///
/// # Errors
/// As [`mistakes::on_stream_within`].
pub fn repeated(
    automaton: &Automaton,
    point: usize,
    rounds: usize,
    meter: &mut Meter<'_>,
) -> Result<Number> {
    let mut sum = Rational::zero().into();
    for label in 0..2 {
        let found = mistakes::on_stream_within(automaton, &vec![2 * point + label; rounds], meter)?;
        sum = &sum + &found.mistakes;
    }
    Ok(&sum * &Rational::new(1.into(), 2.into()).into())
}
