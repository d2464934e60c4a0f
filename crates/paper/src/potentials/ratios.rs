//! The clipped ratios `ℓ_s`, and what Section 2.1 makes of them: `W_t`, `D_t`, and the errors of (5).

use std::collections::BTreeMap;

use super::front::{Front, Round, Term};
use super::learner::{DUMMY, Learner, informative};
use super::plan::Plan;
use super::sum::{Signed, sum};
use crate::adversary::{Interval, Thirds};
use littlestone_base::error::Result;
use littlestone_exact::limits::Meter;
use littlestone_exact::{Arithmetic, BigInt, Epsilon, Number, natural};

/// What the ratios of one choice of thirds come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ratios {
    /// `W_t` = E[Var_{s ∈ `A_t}(ℓ_s^B)`].
    pub variance: Number,
    /// E[Var_{s ∈ `A_t^j}(ℓ_s^B)`] for the thirds j = 1, 2, 3; all 0 where `A_t` is one round.
    pub within: [Number; 3],
    /// `D_t`, the expected squared difference between the averages over the first and over the last
    /// third; 0 where `A_t` is one round.
    pub difference: Number,
    /// The expected difference itself, which is not what the paper uses.
    pub signed_difference: Number,
    /// ‖`Q_s` − Q `ℓ_s^B`‖_1 for the rounds s of `A_t` in order, and ‖`R_j` − Q ℓ_{`A_t^j}^B`‖_1 for the
    /// thirds: the left sides of (5).
    pub errors: Vec<Number>,
    /// How many of the pairs (b, s) have a ratio that is clipped on some history.
    pub clipped: usize,
}

/// Masses of the lanes, and the sum of the factors that were taken out of them.
type Histories<W> = Vec<(Vec<W>, W)>;

/// Walks through all histories with one lane for the stream as it is and one for each insertion
/// in `interval`; `labels` says for which B. Returns masses: first those of the stream itself and
/// then those of the insertions, for one label after the other; and what they are over.
fn histories<A: Arithmetic>(
    learner: &Learner<A>,
    adversary: &Thirds,
    plan: &Plan<A>,
    interval: Interval,
    labels: &[bool],
    meter: &mut Meter<'_>,
) -> Result<(Histories<A::Weight>, A::Weight)> {
    let arithmetic = &learner.arithmetic;
    let mut front = Front::start(learner, labels.len());
    // How many lanes a label has: insertions come after all windows.
    let mut width = 1;
    for round in 1..=adversary.rounds() {
        let mut lanes = Vec::new();
        for (place, &label) in labels.iter().enumerate() {
            let from = place * width;
            let plain = |from| Term { from, example: DUMMY, factor: arithmetic.one() };
            if round <= interval.after {
                lanes.extend(plan.lanes(round, label, from));
            } else {
                lanes.extend((from..from + width).map(|lane| vec![plain(lane)]));
                if interval.rounds().contains(&round) {
                    let example = informative(label);
                    lanes.push(vec![Term { from, example, factor: arithmetic.one() }]);
                }
            }
        }
        width = lanes.len() / labels.len();
        front.advance(&Round { lanes, scale: plan.scale(round) }, meter)?;
    }
    Ok((front.masses(), front.denominator))
}

/// A quadratic polynomial in e^ε and e^(−ε) whose constant term is a sum of fractions.
#[derive(Debug)]
struct Quadratic<W> {
    /// The coefficients of e^(−2ε), …, e^(2ε).
    coefficients: [Signed<W>; 5],
    /// Numerators by denominators.
    fractions: BTreeMap<W, Signed<W>>,
}

impl<W: Ord + Clone> Quadratic<W> {
    fn zero<A: Arithmetic<Weight = W>>(a: &A) -> Self {
        Self { coefficients: [(); 5].map(|()| Signed::zero(a)), fractions: BTreeMap::new() }
    }

    /// Adds `weight` times e^(`power`·ε), for a power from −2 to 2 counted from 0 to 4.
    fn add<A: Arithmetic<Weight = W>>(&mut self, a: &A, power: usize, negative: bool, weight: &W) {
        self.coefficients[power].add(a, negative, weight);
    }

    fn add_fraction<A: Arithmetic<Weight = W>>(&mut self, a: &A, minus: bool, p: &W, q: &W) {
        self.fractions.entry(q.clone()).or_insert_with(|| Signed::zero(a)).add(a, minus, p);
    }

    /// The value over `denominator`.
    fn number<A: Arithmetic<Weight = W>>(
        &self,
        a: &A,
        powers: &[Number; 5],
        denominator: &W,
    ) -> Number {
        let unit = a.weight_number(&a.one(), denominator);
        let fractions = sum(self.fractions.iter().map(|(q, p)| p.number(a, q)).collect());
        let terms = self.coefficients.iter().zip(powers);
        let rest =
            terms.fold(Number::zero(), |sum, (c, power)| &sum + &(&c.number(a, &a.one()) * power));
        &(&fractions + &rest) * &unit
    }
}

/// The ratios of one history on some rounds: the sums of those that are not clipped and of their
/// squares, times q and q², and how many are clipped to e^ε and to e^(−ε).
#[derive(Debug)]
struct Tally<W> {
    sum: W,
    squares: W,
    high: usize,
    low: usize,
}

/// A history on the stream as it is: its mass, the factor that was taken out, and their product.
#[derive(Debug)]
struct History<'h, W> {
    q: &'h W,
    factor: &'h W,
    weight: &'h W,
}

/// Where a ratio lies: beyond either bound, or between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    High,
    Between,
    Low,
}

/// All that [`Ratios`] needs, with weights over one denominator.
struct Sums<'s, A: Arithmetic> {
    arithmetic: &'s A,
    powers: [Number; 5],
    length: usize,
    whole: Quadratic<A::Weight>,
    within: [Quadratic<A::Weight>; 3],
    difference: Quadratic<A::Weight>,
    signed: Quadratic<A::Weight>,
    /// For each round and third.
    errors: Vec<Quadratic<A::Weight>>,
    clipped: Vec<bool>,
}

/// The ratios for the streams of `plan` with an insertion in `interval`.
///
/// # Errors
/// When a limit is hit.
pub(super) fn ratios<A: Arithmetic>(
    learner: &Learner<A>,
    adversary: &Thirds,
    plan: &Plan<A>,
    interval: Interval,
    epsilon: &Epsilon,
    meter: &mut Meter<'_>,
) -> Result<Ratios> {
    let arithmetic = &learner.arithmetic;
    let mut sums = Sums::new(arithmetic, epsilon, interval.len());
    let mut clipped = 0;
    let mut denominator = arithmetic.one();
    for label in [false, true] {
        let (histories, over) = histories(learner, adversary, plan, interval, &[label], meter)?;
        for (masses, factor) in &histories {
            sums.history(&masses[0], &masses[1..], factor);
        }
        clipped += sums.clipped.iter().filter(|clipped| **clipped).count();
        sums.clipped.fill(false);
        denominator = over;
    }
    let two = natural(arithmetic, &BigInt::from(2));
    Ok(sums.finish(clipped, &arithmetic.mul(&denominator, &two)))
}

/// `D_t` with the ratio of the laws of Y alone, B averaged out: a misreading.
///
/// # Errors
/// When a limit is hit.
pub(super) fn unconditioned_difference<A: Arithmetic>(
    learner: &Learner<A>,
    adversary: &Thirds,
    plan: &Plan<A>,
    interval: Interval,
    epsilon: &Epsilon,
    meter: &mut Meter<'_>,
) -> Result<Number> {
    let arithmetic = &learner.arithmetic;
    let mut sums = Sums::new(arithmetic, epsilon, interval.len());
    let (histories, over) = histories(learner, adversary, plan, interval, &[false, true], meter)?;
    for (masses, factor) in &histories {
        let (zero, one) = masses.split_at(masses.len() / 2);
        let add = |(a, b): (&A::Weight, &A::Weight)| {
            let mut sum = a.clone();
            arithmetic.add(&mut sum, b);
            sum
        };
        let both: Vec<A::Weight> = zero.iter().zip(one).map(add).collect();
        sums.history(&both[0], &both[1..], factor);
    }
    let two = natural(arithmetic, &BigInt::from(2));
    Ok(sums.finish(0, &arithmetic.mul(&over, &two)).difference)
}

impl<'s, A: Arithmetic> Sums<'s, A> {
    fn new(arithmetic: &'s A, epsilon: &Epsilon, length: usize) -> Self {
        let up = epsilon.factor();
        let down = Number::one().checked_div(&up).expect("e^ε is not 0");
        let powers = [&down * &down, down.clone(), Number::one(), up.clone(), &up * &up];
        let zero = || Quadratic::zero(arithmetic);
        Self {
            arithmetic,
            powers,
            length,
            whole: zero(),
            within: [(); 3].map(|()| zero()),
            difference: zero(),
            signed: zero(),
            errors: (0..length + 3).map(|_| zero()).collect(),
            clipped: vec![false; length],
        }
    }

    fn count(&self, number: usize) -> A::Weight {
        natural(self.arithmetic, &BigInt::from(number))
    }

    /// Adds a history with mass `q` on the stream as it is and `inserted` with the insertions.
    fn history(&mut self, q: &A::Weight, inserted: &[A::Weight], factor: &A::Weight) {
        let a = self.arithmetic;
        let weight = a.mul(q, factor);
        let of = History { q, factor, weight: &weight };
        if a.is_zero(q) {
            // The ratio is not defined: Q ℓ is 0 here, and all of Q_s is error.
            for (place, x) in inserted.iter().enumerate() {
                let weight = a.mul(x, factor);
                self.errors[place].add(a, 2, false, &weight);
                if let Some(j) = self.third_of(place) {
                    self.errors[self.length + j].add(a, 2, false, &weight);
                }
            }
            return;
        }
        let places: Vec<Place> = inserted
            .iter()
            .map(|x| {
                if a.excess(x, q).is_some() {
                    Place::High
                } else if a.excess(q, x).is_some() {
                    Place::Low
                } else {
                    Place::Between
                }
            })
            .collect();
        let whole = self.tally(inserted, &places);
        Self::variance(a, &mut self.whole, &whole, self.length, &of);
        let third = self.length / 3;
        if third > 0 {
            let thirds = [0, 1, 2].map(|j| {
                let range = j * third..(j + 1) * third;
                self.tally(&inserted[range.clone()], &places[range])
            });
            for (sums, tally) in self.within.iter_mut().zip(&thirds) {
                Self::variance(a, sums, tally, third, &of);
            }
            self.difference(&thirds[0], &thirds[2], &of);
        }
        self.error(inserted, &places, &of);
    }

    fn third_of(&self, place: usize) -> Option<usize> {
        let third = self.length / 3;
        (third > 0).then(|| place / third)
    }

    fn tally(&self, inserted: &[A::Weight], places: &[Place]) -> Tally<A::Weight> {
        let a = self.arithmetic;
        let mut tally = Tally { sum: a.zero(), squares: a.zero(), high: 0, low: 0 };
        for (x, place) in inserted.iter().zip(places) {
            match place {
                Place::High => tally.high += 1,
                Place::Low => tally.low += 1,
                Place::Between => {
                    a.add(&mut tally.sum, x);
                    a.add(&mut tally.squares, &a.mul(x, x));
                }
            }
        }
        tally
    }

    /// Adds n² q Var(ℓ) = n Σ q ℓ² − q (Σ ℓ)² for n ratios.
    fn variance(
        a: &A,
        sums: &mut Quadratic<A::Weight>,
        tally: &Tally<A::Weight>,
        length: usize,
        &History { q, factor, weight }: &History<'_, A::Weight>,
    ) {
        let number = |n: usize| natural(a, &BigInt::from(n));
        let times = |n: usize, w: &A::Weight| a.mul(w, &number(n));
        let Tally { sum, squares, high, low } = tally;
        sums.add_fraction(a, false, &times(length, &a.mul(squares, factor)), q);
        sums.add_fraction(a, true, &a.mul(&a.mul(sum, sum), factor), q);
        sums.add(a, 4, false, &times(length * high, weight));
        sums.add(a, 0, false, &times(length * low, weight));
        sums.add(a, 4, true, &times(high * high, weight));
        sums.add(a, 0, true, &times(low * low, weight));
        sums.add(a, 2, true, &times(2 * high * low, weight));
        let sum = a.mul(sum, factor);
        sums.add(a, 3, true, &times(2 * high, &sum));
        sums.add(a, 1, true, &times(2 * low, &sum));
    }

    /// Adds n² q (`ℓ_1` − `ℓ_3)²` and n q (`ℓ_1` − `ℓ_3`) for the averages over thirds of n rounds.
    fn difference(
        &mut self,
        first: &Tally<A::Weight>,
        last: &Tally<A::Weight>,
        &History { q, factor, weight }: &History<'_, A::Weight>,
    ) {
        let a = self.arithmetic;
        let times = |n: usize, w: &A::Weight| a.mul(w, &natural(a, &BigInt::from(n)));
        let (high, down) = apart(first.high, last.high);
        let (low, sink) = apart(first.low, last.low);
        let sums = &mut self.difference;
        for tally in [first, last] {
            sums.add_fraction(a, false, &a.mul(&a.mul(&tally.sum, &tally.sum), factor), q);
        }
        let mixed = a.mul(&a.mul(&first.sum, &last.sum), factor);
        sums.add_fraction(a, true, &times(2, &mixed), q);
        sums.add(a, 4, false, &times(high * high, weight));
        sums.add(a, 0, false, &times(low * low, weight));
        sums.add(a, 2, down != sink, &times(2 * high * low, weight));
        for (tally, minus) in [(first, false), (last, true)] {
            let sum = a.mul(&tally.sum, factor);
            sums.add(a, 3, minus != down, &times(2 * high, &sum));
            sums.add(a, 1, minus != sink, &times(2 * low, &sum));
            self.signed.add(a, 2, minus, &sum);
        }
        self.signed.add(a, 3, down, &times(high, weight));
        self.signed.add(a, 1, sink, &times(low, weight));
    }

    /// Adds |`P_s` − q `ℓ_s`| for each round, and n |`Σ_s` (`P_s` − q `ℓ_s)|/n` for each third of n rounds.
    fn error(
        &mut self,
        inserted: &[A::Weight],
        places: &[Place],
        &History { factor, weight, .. }: &History<'_, A::Weight>,
    ) {
        let a = self.arithmetic;
        let mut thirds = [(); 3].map(|()| Quadratic::zero(a));
        for (place, (x, at)) in inserted.iter().zip(places).enumerate() {
            let x = a.mul(x, factor);
            let third = self.third_of(place);
            let add = |sums: &mut Quadratic<A::Weight>, flip: bool| match at {
                Place::Between => {}
                // P_s − q e^ε > 0.
                Place::High => {
                    sums.add(a, 2, false, &x);
                    sums.add(a, 3, true, weight);
                }
                // q e^(−ε) − P_s > 0, with its own sign in a sum over a third.
                Place::Low => {
                    sums.add(a, 2, !flip, &x);
                    sums.add(a, 1, flip, weight);
                }
            };
            add(&mut self.errors[place], false);
            if let Some(j) = third {
                add(&mut thirds[j], true);
            }
            self.clipped[place] |= *at != Place::Between;
        }
        for (j, error) in thirds.into_iter().enumerate() {
            if self.third_of(0).is_none() {
                break;
            }
            let flip = error.number(a, &self.powers, &a.one()).sign().is_lt();
            for (power, Signed { plus, minus }) in error.coefficients.iter().enumerate() {
                self.errors[self.length + j].add(a, power, flip, plus);
                self.errors[self.length + j].add(a, power, !flip, minus);
            }
        }
    }

    fn finish(self, clipped: usize, denominator: &A::Weight) -> Ratios {
        let a = self.arithmetic;
        let over = |n: usize| a.mul(denominator, &self.count(n));
        let third = self.length / 3;
        let number = |sums: &Quadratic<A::Weight>, n: usize| {
            if n == 0 { Number::zero() } else { sums.number(a, &self.powers, &over(n)) }
        };
        let mut errors: Vec<Number> =
            self.errors[..self.length].iter().map(|sums| number(sums, 1)).collect();
        errors.extend(self.errors[self.length..].iter().map(|sums| number(sums, third)));
        if third == 0 {
            errors.truncate(self.length);
        }
        Ratios {
            variance: number(&self.whole, self.length * self.length),
            within: self.within.each_ref().map(|sums| number(sums, third * third)),
            difference: number(&self.difference, third * third),
            signed_difference: number(&self.signed, third),
            errors,
            clipped,
        }
    }
}

/// |a − b|, and whether a < b.
fn apart(a: usize, b: usize) -> (usize, bool) {
    (a.abs_diff(b), a < b)
}
