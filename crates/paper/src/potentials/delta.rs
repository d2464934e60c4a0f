//! The δ that a learner has at ε on the streams that the proof of Lemma 2 compares.

use rustc_hash::FxHashMap;

use super::front::{Front, Round, Term, check_room};
use super::learner::{DUMMY, Learner, informative};
use crate::adversary::{Interval, Thirds};
use littlestone_base::error::Result;
use littlestone_exact::limits::Meter;
use littlestone_exact::{Arithmetic, Number};

/// The worst δ over these pairs, in both directions, between the laws of `Y_1`, …, `Y_T`: any stream
/// after the stages with windows `windows`, and the same stream with one more example in
/// `interval` = `A_t`; any such stream with an example in the first third of `A_t`, and the same with
/// one more in the middle third. The label is that of B in all of them.
///
/// These are the comparisons of (5), for `Q_s` and Q and for the two components of `P_s`⁺ and P.
///
/// Streams share what they begin with. After the round in which a pair differs its examples are the
/// same, so what is left of it is linear in the gaps P(s) − e^ε·Q(s) of the states s there.
///
/// # Errors
/// When a limit is hit.
pub(super) fn worst<A: Arithmetic>(
    learner: &Learner<A>,
    adversary: &Thirds,
    windows: &[Interval],
    interval: Interval,
    meter: &mut Meter<'_>,
) -> Result<Number> {
    let arithmetic = &learner.arithmetic;
    let mut powers = vec![arithmetic.one()];
    for round in 0..adversary.rounds() {
        powers.push(arithmetic.mul(&powers[round], &learner.round_denominator));
    }
    let mut search = Search {
        learner,
        rounds: adversary.rounds(),
        powers,
        label: false,
        worst: arithmetic.value_zero(),
        meter,
    };
    for label in [false, true] {
        search.label = label;
        search.windows(Front::start(learner, 1), 1, windows, interval)?;
    }
    let denominator = arithmetic.mul(&learner.start_denominator, &search.powers[search.rounds]);
    Ok(arithmetic.number(&search.worst, &denominator))
}

/// Histories whose gaps are proportional: the gaps without their common factor, and the sum of
/// the factors.
type Gaps<A> = FxHashMap<Vec<<A as Arithmetic>::Gap>, <A as Arithmetic>::Weight>;

struct Search<'s, 'p, A: Arithmetic> {
    learner: &'s Learner<A>,
    rounds: usize,
    /// The powers of the denominator of a round.
    powers: Vec<A::Weight>,
    /// B.
    label: bool,
    /// The greatest divergence so far, over the denominator of the last round.
    worst: A::Value,
    meter: &'s mut Meter<'p>,
}

impl<'s, A: Arithmetic> Search<'s, '_, A> {
    /// One round of a single stream.
    fn advance(&mut self, front: &mut Front<'s, A>, example: usize) -> Result<()> {
        let one = self.learner.arithmetic.one();
        let lanes = vec![vec![Term { from: 0, example, factor: one.clone() }]];
        front.advance(&Round { lanes, scale: one }, self.meter)
    }

    /// The dummy rounds `rounds`.
    fn dummies(
        &mut self,
        front: &mut Front<'s, A>,
        mut rounds: impl Iterator<Item = usize>,
    ) -> Result<()> {
        rounds.try_for_each(|_| self.advance(front, DUMMY))
    }

    /// All streams that go on from `front`, which is before the round `round`, with at most one
    /// example in each of `windows`.
    fn windows(
        &mut self,
        mut front: Front<'s, A>,
        round: usize,
        windows: &[Interval],
        interval: Interval,
    ) -> Result<()> {
        let Some((window, rest)) = windows.split_first() else {
            self.dummies(&mut front, round..=interval.after)?;
            return self.interval(front, interval);
        };
        self.dummies(&mut front, round..=window.after)?;
        for place in window.rounds() {
            let mut inserted = front.clone();
            self.advance(&mut inserted, informative(self.label))?;
            self.dummies(&mut inserted, place + 1..=window.last)?;
            self.windows(inserted, window.last + 1, rest, interval)?;
            self.advance(&mut front, DUMMY)?;
        }
        self.windows(front, window.last + 1, rest, interval)
    }

    /// The pairs that go on from `front`, which is before `interval`.
    fn interval(&mut self, mut front: Front<'s, A>, interval: Interval) -> Result<()> {
        for place in interval.rounds() {
            self.pair(&front, place)?;
            if interval.len() >= 3 && place <= interval.third(1).last {
                let mut inserted = front.clone();
                self.advance(&mut inserted, informative(self.label))?;
                let middle = interval.third(2);
                self.dummies(&mut inserted, place + 1..=middle.after)?;
                for second in middle.rounds() {
                    self.pair(&inserted, second)?;
                    self.advance(&mut inserted, DUMMY)?;
                }
            }
            self.advance(&mut front, DUMMY)?;
        }
        Ok(())
    }

    /// The streams with and without an example in the round `round`, which `front` is before, both
    /// dummy after it; in both directions.
    fn pair(&mut self, front: &Front<'s, A>, round: usize) -> Result<()> {
        let (learner, arithmetic) = (self.learner, &self.learner.arithmetic);
        let mut sums = [arithmetic.value_zero(), arithmetic.value_zero()];
        let mut gaps: [Gaps<A>; 2] = Default::default();
        for (weights, factor) in front.sorted() {
            self.meter.count()?;
            for bit in 0..2 {
                let [with, without] = [informative(self.label), DUMMY]
                    .map(|example| learner.step(weights, example, bit));
                for (place, (p, q)) in [(&with, &without), (&without, &with)].iter().enumerate() {
                    let gap = p.iter().zip(*q).map(|(p, q)| arithmetic.gap(p, q)).collect();
                    self.meet(&mut gaps[place], &mut sums[place], gap, factor, round);
                }
            }
        }
        for (mut gaps, mut sum) in gaps.into_iter().zip(sums) {
            for round in round + 1..=self.rounds {
                gaps = self.follow(&gaps, &mut sum, round)?;
            }
            for (gap, factor) in &sorted(&gaps) {
                let mut whole = arithmetic.gap_zero();
                for part in *gap {
                    arithmetic.gap_add(&mut whole, part);
                }
                if let Some(excess) = arithmetic.gap_positive(&whole) {
                    arithmetic.value_add(&mut sum, &arithmetic.value_scale(&excess, factor));
                }
            }
            if arithmetic.value_cmp(&sum, &self.worst).is_gt() {
                self.worst = sum;
            }
        }
        Ok(())
    }

    /// The gaps after the dummy round `round`.
    fn follow(&mut self, gaps: &Gaps<A>, sum: &mut A::Value, round: usize) -> Result<Gaps<A>> {
        let mut next = Gaps::<A>::default();
        for (gap, factor) in sorted(gaps) {
            self.meter.count()?;
            check_room(next.len(), self.learner.states())?;
            for bit in 0..2 {
                self.meet(&mut next, sum, self.learner.step_gaps(gap, DUMMY, bit), factor, round);
            }
        }
        Ok(next)
    }

    /// Adds a history after the round `round`. If no gap is negative, none will be, and the sum of
    /// its positive parts is known; if none is positive, it is 0.
    fn meet(
        &self,
        gaps: &mut Gaps<A>,
        sum: &mut A::Value,
        mut gap: Vec<A::Gap>,
        factor: &A::Weight,
        round: usize,
    ) {
        let arithmetic = &self.learner.arithmetic;
        let positive = gap.iter().any(|gap| arithmetic.gap_sign(gap).is_gt());
        if !positive {
            return;
        }
        if gap.iter().all(|gap| arithmetic.gap_sign(gap).is_ge()) {
            let left = arithmetic.mul(factor, &self.powers[self.rounds - round]);
            for excess in gap.iter().filter_map(|gap| arithmetic.gap_positive(gap)) {
                arithmetic.value_add(sum, &arithmetic.value_scale(&excess, &left));
            }
            return;
        }
        let content = arithmetic.gap_content(&gap);
        for gap in &mut gap {
            *gap = arithmetic.gap_divide(gap, &content);
        }
        let share = arithmetic.mul(&content, factor);
        arithmetic.add(gaps.entry(gap).or_insert_with(|| arithmetic.zero()), &share);
    }
}

/// In a fixed order, so that a limit stops at the same place in every run.
fn sorted<K: Ord, V>(map: &FxHashMap<K, V>) -> Vec<(&K, &V)> {
    let mut entries: Vec<_> = map.iter().collect();
    entries.sort_unstable_by_key(|(key, _)| *key);
    entries
}
