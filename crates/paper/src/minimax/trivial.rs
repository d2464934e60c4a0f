//! Bounds that need no program: for games without a choice, for ε = δ = 0, and those that are
//! known before a search has ended.

use num_traits::{One, Zero};
use rustc_hash::FxHashMap;

use super::adversary::{Adversary, Multiplier, Tangent};
use super::game::{Game, Neighbours};
use super::law::Against;
use super::learner::Learner;
use super::solve::{Lower, Upper};
use littlestone_exact::{BigInt, Rational};
use littlestone_privacy::Notion;

/// The learner that releases uniformly distributed outputs. It is private for all ε and δ and errs
/// with probability 1/2 on each example that is not constant: T times 1/2 on a stream that repeats one
/// of those, and as often as a law has them.
pub fn upper(game: &Game, against: &Against) -> Upper {
    let halves = |count: BigInt| Rational::new(count, BigInt::from(2));
    let constant = 2 * game.columns().len();
    let bound = match against {
        Against::Worst if game.columns().is_empty() => Rational::zero(),
        Against::Worst => halves(game.rounds().into()),
        Against::Law(law) => {
            let varying = |stream: &[usize]| stream.iter().filter(|e| **e != constant).count();
            let sum =
                law.streams().iter().map(|(s, n)| BigInt::from(varying(s)) * n).sum::<BigInt>();
            halves(sum) / BigInt::from(law.denominator())
        }
    };
    Upper { bound, learner: Learner::uniform(game) }
}

/// The adversary that follows a shattered tree of the depth m of the class, or of T, with fair and
/// independent labels, and repeats its last example. Whatever was seen before, the label of each of
/// the first m rounds is fair when the output is drawn, so any learner errs there with probability
/// 1/2, private or not: V ≥ m/2.
pub fn lower(game: &Game) -> Lower {
    let all = (0..game.hypotheses().len()).fold(0, |set, h| set | 1u64 << h);
    let mut depths = Depths { game, known: FxHashMap::default() };
    let depth = depths.of(all).min(game.rounds());
    let mut streams = Vec::new();
    depths.branches(all, depth, &mut Vec::new(), &mut streams);
    let denominator = BigInt::from(streams.len());
    let streams = streams.into_iter().map(|stream| (stream, BigInt::one())).collect();
    let bound = Rational::new(depth.into(), BigInt::from(2));
    Lower {
        tangent: Tangent { at_zero: bound.clone(), slope: Rational::zero() },
        bound,
        adversary: Adversary { denominator, streams, multipliers: Vec::new() },
    }
}

/// The greatest depths of shattered trees, of sets of hypotheses as bits.
struct Depths<'g> {
    game: &'g Game,
    known: FxHashMap<u64, usize>,
}

impl Depths<'_> {
    /// The hypotheses of a set with the label 0 at a column, and with 1.
    fn split(&self, set: u64, column: usize) -> [u64; 2] {
        let ones = self.game.hypotheses().iter().enumerate();
        let ones = ones.filter(|(_, labels)| *labels >> column & 1 == 1);
        let ones = ones.fold(0, |ones, (h, _)| ones | 1u64 << h);
        [set & !ones, set & ones]
    }

    fn of(&mut self, set: u64) -> usize {
        if let Some(&depth) = self.known.get(&set) {
            return depth;
        }
        let mut depth = 0;
        for column in 0..self.game.columns().len() {
            let parts = self.split(set, column);
            if parts.iter().all(|part| *part != 0) {
                depth =
                    depth.max(1 + parts.map(|part| self.of(part)).into_iter().min().unwrap_or(0));
            }
        }
        self.known.insert(set, depth);
        depth
    }

    /// Adds the streams of the branches of a tree of the given depth, which the set shatters.
    fn branches(
        &mut self,
        set: u64,
        depth: usize,
        stream: &mut Vec<usize>,
        streams: &mut Vec<Vec<usize>>,
    ) {
        if depth == 0 {
            let game = self.game;
            let any = || (0..game.examples()).find(|e| game.is_realisable(&[*e]));
            let last = stream.last().copied().or_else(any).expect("a point");
            let mut whole = stream.clone();
            whole.resize(game.rounds(), last);
            streams.push(whole);
            return;
        }
        let deep = |depths: &mut Self, part: u64| part != 0 && depths.of(part) + 1 >= depth;
        let columns = 0..self.game.columns().len();
        let splits: Vec<_> = columns.map(|column| (column, self.split(set, column))).collect();
        let mut splits = splits.into_iter();
        let (column, parts) = splits
            .find(|(_, parts)| parts.iter().all(|part| deep(self, *part)))
            .expect("the set shatters a tree of this depth");
        for (label, part) in parts.into_iter().enumerate() {
            stream.push(2 * column + label);
            self.branches(part, depth - 1, stream, streams);
            stream.pop();
        }
    }
}

/// The adversary that repeats one point with a fair label, with multipliers that prove V = T/2 for
/// ρ = 1, if privacy is asked for between all neighbours; `None` where no point has two labels.
///
/// Let s(k) be the history of k labels 1 and then labels 0, and let y be the output of round r. What
/// the adversary gains there is (1 − P(y = 0|s(0)) + P(y = 0|s(r − 1)))/2, as the examples from round r
/// on make no difference. The multipliers 1/2 of all views with y = 0, for the pairs s(k), s(k + 1)
/// with k < r − 1, add half of P(y = 0|s(0)) − P(y = 0|s(r − 1)).
pub fn repeated(game: &Game) -> Option<Adversary> {
    let rounds = game.rounds();
    let column = game.undecided_column()?;
    let (zero, one) = (2 * column, 2 * column + 1);
    let streams = [zero, one].map(|example| (vec![example; rounds], BigInt::one())).to_vec();
    let mut multipliers = Vec::new();
    for ones in 0..rounds - 1 {
        let mut history = vec![zero; rounds - usize::from(game.notion() == Notion::Whole)];
        history[..ones].fill(one);
        let first = game.code(&history);
        history[ones] = one;
        let second = game.code(&history);
        for (view, [left, _]) in game.views(first, second, ones).into_iter().enumerate() {
            let right = |&round: &usize| {
                let place = game.words(rounds - 1 - round).expect("the size was checked");
                !game.is_wrong(left[0] / place % game.outputs(), zero)
            };
            let count = (ones + 1..rounds).filter(right).count();
            if count > 0 {
                let numerator = BigInt::from(count);
                multipliers.push(Multiplier { first, second, round: ones, view, numerator });
            }
        }
    }
    Some(Adversary { denominator: BigInt::from(2), streams, multipliers })
}

/// Whether the bounds of [`upper`] and of [`repeated`] meet, so that no program has to be solved.
pub fn suffices(game: &Game, rho: &Rational, delta: &Rational) -> bool {
    game.neighbours() == Neighbours::All
        && rho.is_one()
        && delta.is_zero()
        && game.undecided_column().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use littlestone_class::load;
    use littlestone_exact::limits::Limits;
    use littlestone_exact::rational;

    /// The bounds that are stated are those that the proofs are worth when they are evaluated.
    #[test]
    fn stated_bounds_are_proved_ones() {
        let (rho, limits) = (Rational::new(3.into(), 2.into()), Limits::default());
        let zero = Rational::zero();
        for (class, rounds, depth) in
            [("point:3", 3, 1), ("threshold:3", 3, 2), ("cube:2", 1, 1), ("cube:2", 3, 2)]
        {
            let class = load(class).unwrap().class;
            for notion in [Notion::Whole, Notion::Joint] {
                let game = Game::new(&class, notion, Neighbours::All, rounds).unwrap();
                let stated = lower(&game);
                assert_eq!(rational::show(&(&stated.bound * BigInt::from(2))), depth.to_string());
                let proved = stated.adversary.bound(&game, &rho, &limits).unwrap();
                assert_eq!(proved, Some(stated.tangent));
                let stated = upper(&game, &Against::Worst);
                let proved = stated.learner.bound(&game, &rho, &zero, &Against::Worst, &limits);
                assert_eq!(proved, Ok(Some(stated.bound)));
            }
        }
    }
}
