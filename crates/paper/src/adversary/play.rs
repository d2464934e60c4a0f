//! Expected mistakes against Algorithm 1, without listing its streams.

use super::Thirds;
use super::thirds::Interval;
use littlestone_base::error::{Error, Result};
use littlestone_exact::limits::{Meter, Stopped};
use littlestone_exact::with_arithmetic;
use littlestone_exact::{Arithmetic, BigInt, Number, Rational, natural};
use littlestone_mechanism::Automaton;
use littlestone_privacy::mistakes::{self, Expected, Law, Model, collect};

/// The greatest number of rounds, 3^13: each has a number of its own.
const MAX_ROUNDS: usize = 1_594_323;

/// Expected mistakes against Algorithm 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Played {
    /// All mistakes, dummy rounds included, round by round.
    pub expected: Expected,
    /// For each stage, the expected number of mistakes on the examples that it inserts: the
    /// contribution of the stage in Lemma 1. One entry for T = 1, 2.
    pub stages: Vec<Number>,
}

/// Expected mistakes of a learner or predictor against the adversary.
///
/// Given the choices of the earlier stages, a stage whose middle third is chosen needs two laws of
/// the state as it runs through its window, one for each answer to whether its example has come;
/// after the window they are added up. So the work is that of T·log T rounds, for any p.
///
/// # Errors
/// When the mechanism is neither a learner nor a predictor, its table does not cover the rounds,
/// there are more than 3^13 of them, or a limit is hit. A round that is played with one law of
/// the state counts as a state.
pub fn play(automaton: &Automaton, adversary: &Thirds, meter: &mut Meter<'_>) -> Result<Played> {
    if adversary.rounds() > MAX_ROUNDS {
        return Err(Error::Limit {
            stopped: Stopped::Size,
            message: format!(
                "{} rounds against Algorithm 1 are more than the {MAX_ROUNDS} that are played",
                adversary.rounds()
            ),
            help: "ask for fewer rounds".into(),
        });
    }
    mistakes::admissible(automaton, adversary.rounds())?;
    let records = automaton.interface().records();
    if adversary.dummy() >= records || adversary.informative(true) >= records {
        return Err(Error::argument("the adversary's points are not those of the mechanism"));
    }
    with_arithmetic!(automaton.weights(), arithmetic => {
        let model = Model::new(arithmetic, automaton, meter)?.lumped(meter)?;
        Game::new(&model, adversary, meter).play()
    })
}

/// One game: weights of round r are over start · round^r · `scale`.
struct Game<'g, 'p, A: Arithmetic> {
    model: &'g Model<A>,
    adversary: &'g Thirds,
    meter: &'g mut Meter<'p>,
    dummy: u32,
    /// p = `up`/`whole`.
    up: A::Weight,
    whole: Rational,
    /// Mistakes in each round, and in each stage by round.
    rounds: Vec<A::Weight>,
    stages: Vec<Vec<(usize, A::Weight)>>,
}

impl<'g, 'p, A: Arithmetic> Game<'g, 'p, A> {
    fn new(model: &'g Model<A>, adversary: &'g Thirds, meter: &'g mut Meter<'p>) -> Self {
        let arithmetic = &model.arithmetic;
        let p = adversary.probability();
        Self {
            model,
            adversary,
            meter,
            dummy: mistakes::index(adversary.dummy()),
            up: natural(arithmetic, p.numer()),
            whole: Rational::from_integer(p.denom().clone()),
            rounds: vec![arithmetic.zero(); adversary.rounds()],
            stages: vec![Vec::new(); adversary.stages().max(1)],
        }
    }

    /// What the weights are multiplied by in stages from `stage` on, so that all shares are
    /// integers: for each, the choices of a third, the rounds of its window, and 1/p.
    fn scale(&self, stage: usize) -> Rational {
        let mut scale = Rational::from_integer(1.into());
        let mut window = self.adversary.whole().len() / 3;
        for at in 0..self.adversary.stages() {
            if at >= stage {
                scale *= &self.whole * Rational::from_integer((3 * window).into());
            }
            window /= 3;
        }
        scale
    }

    fn play(mut self) -> Result<Played> {
        let arithmetic = &self.model.arithmetic;
        let scale = natural(arithmetic, self.scale(0).numer());
        let start = scaled(arithmetic, &self.model.start, &scale);
        for label in [false, true] {
            let example = mistakes::index(self.adversary.informative(label));
            let mut law = start.clone();
            if self.adversary.stages() == 0 {
                self.count(0, 1, &law, example, &arithmetic.one());
                law = self.model.advance(&law, example);
                for round in 2..=self.adversary.rounds() {
                    law = self.dummy_round(round, &law)?;
                }
            } else {
                law = self.stage(0, self.adversary.whole(), law, example)?;
                for round in self.adversary.whole().last + 1..=self.adversary.rounds() {
                    law = self.dummy_round(round, &law)?;
                }
            }
        }
        let two = natural(arithmetic, &BigInt::from(2));
        let mut denominator =
            arithmetic.mul(&arithmetic.mul(&self.model.start_denominator, &scale), &two);
        let mut denominators = Vec::new();
        for _ in 0..self.adversary.rounds() {
            denominator = arithmetic.mul(&denominator, &self.model.round_denominator);
            denominators.push(denominator.clone());
        }
        let number =
            |round: usize, weight| arithmetic.weight_number(weight, &denominators[round - 1]);
        let rounds = (1..).zip(&self.rounds).map(|(round, weight)| number(round, weight)).collect();
        let stages = self.stages.iter().map(|stage| {
            stage.iter().fold(Number::zero(), |sum, (round, w)| &sum + &number(*round, w))
        });
        let stages = stages.collect();
        Ok(Played { expected: Expected::from_rounds(rounds), stages })
    }

    /// The law after the rounds of `interval` = `A_t`, with the mistakes there counted; `law` is
    /// that before them, and `stage` is t.
    fn stage(
        &mut self,
        stage: usize,
        interval: Interval,
        law: Law<A::Weight>,
        example: u32,
    ) -> Result<Law<A::Weight>> {
        if stage == self.adversary.stages() {
            return self.dummies(interval, law);
        }
        let arithmetic = self.model.arithmetic.clone();
        let [first, middle, last] = [1, 2, 3].map(|j| interval.third(j));
        let length = Rational::from_integer(first.len().into());
        let chances = &self.whole * &length;
        // Every weight is a multiple of the scale from this stage on.
        let shares = natural(&arithmetic, (&chances * Rational::from_integer(3.into())).numer());
        let unit = divided(&arithmetic, &law, &shares);
        let third = scaled(&arithmetic, &unit, &natural(&arithmetic, chances.numer()));

        let one = self.stage(stage + 1, first, third.clone(), example)?;
        let one = self.dummies(Interval { after: first.last, last: interval.last }, one)?;

        let (mut waiting, mut inserted) = (unit, Vec::new());
        let mut left = chances;
        for round in first.rounds() {
            self.meter.count()?;
            // The dummy is answered unless the example comes in this round or has come before.
            left -= Rational::from_integer(self.adversary.probability().numer().clone());
            self.count_dummy(round, &waiting, &natural(&arithmetic, left.numer()));
            self.count_dummy(round, &inserted, &arithmetic.one());
            let up = self.up.clone();
            self.count(stage, round, &waiting, example, &up);
            let coming = scaled(&arithmetic, &self.model.advance(&waiting, example), &up);
            inserted = self.model.advance(&inserted, self.dummy);
            inserted.extend(coming);
            inserted = collect(&arithmetic, inserted);
            waiting = self.model.advance(&waiting, self.dummy);
        }
        let mut after = scaled(&arithmetic, &waiting, &natural(&arithmetic, left.numer()));
        after.extend(inserted);
        let two = self.stage(stage + 1, middle, collect(&arithmetic, after), example)?;
        let two = self.dummies(last, two)?;

        let three = self.dummies(Interval { after: first.after, last: middle.last }, third)?;
        let three = self.stage(stage + 1, last, three, example)?;
        let all = [one, two, three].concat();
        Ok(collect(&arithmetic, all))
    }

    /// The law after the rounds of `interval`, all of them dummy.
    fn dummies(&mut self, interval: Interval, mut law: Law<A::Weight>) -> Result<Law<A::Weight>> {
        for round in interval.rounds() {
            law = self.dummy_round(round, &law)?;
        }
        Ok(law)
    }

    fn dummy_round(&mut self, round: usize, law: &Law<A::Weight>) -> Result<Law<A::Weight>> {
        self.meter.count()?;
        let one = self.model.arithmetic.one();
        self.count_dummy(round, law, &one);
        Ok(self.model.advance(law, self.dummy))
    }

    fn count_dummy(&mut self, round: usize, law: &Law<A::Weight>, factor: &A::Weight) {
        let wrong = self.model.mistake(law, self.dummy);
        self.add(round, &wrong, factor);
    }

    fn count(
        &mut self,
        stage: usize,
        round: usize,
        law: &Law<A::Weight>,
        example: u32,
        factor: &A::Weight,
    ) {
        let wrong = self.model.mistake(law, example);
        self.add(round, &wrong, factor);
        let wrong = self.model.arithmetic.mul(&wrong, factor);
        self.stages[stage].push((round, wrong));
    }

    fn add(&mut self, round: usize, wrong: &A::Weight, factor: &A::Weight) {
        let arithmetic = &self.model.arithmetic;
        arithmetic.add(&mut self.rounds[round - 1], &arithmetic.mul(wrong, factor));
    }
}

fn scaled<A: Arithmetic>(a: &A, law: &Law<A::Weight>, factor: &A::Weight) -> Law<A::Weight> {
    if a.is_zero(factor) {
        return Vec::new();
    }
    law.iter().map(|(state, weight)| (*state, a.mul(weight, factor))).collect()
}

fn divided<A: Arithmetic>(a: &A, law: &Law<A::Weight>, divisor: &A::Weight) -> Law<A::Weight> {
    law.iter().map(|(state, weight)| (*state, a.divide(weight, divisor))).collect()
}
