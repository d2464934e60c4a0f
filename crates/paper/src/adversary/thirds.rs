//! Algorithm 1: its parameters, and its intervals.

use num_traits::{One, Signed};

use littlestone_base::error::{Error, Result};
use littlestone_base::text::quote;
use littlestone_class::{Class, VersionSpace};
use littlestone_exact::Rational;

/// The adversary of Algorithm 1 for streams of T rounds.
///
/// With L = ⌊`log_3` T⌋ its L stages work on the first 3^L rounds; later rounds are dummy. For
/// T = 1, 2, where L = 0, the first round is (x, B) and a second one dummy, as in the proof of
/// Theorem 1; p plays no part then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thirds {
    rounds: usize,
    probability: Rational,
    dummy: usize,
    informative: usize,
}

/// The rounds `after` + 1, …, `last`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Interval {
    /// The round before the first one: a in (a, b].
    pub after: usize,
    /// The last round: b in (a, b].
    pub last: usize,
}

impl Interval {
    /// The number of rounds.
    pub fn len(self) -> usize {
        self.last - self.after
    }

    /// Whether there is no round.
    pub fn is_empty(self) -> bool {
        self.last == self.after
    }

    /// The rounds, counted from 1.
    pub fn rounds(self) -> std::ops::RangeInclusive<usize> {
        self.after + 1..=self.last
    }

    /// The third `j` of 1, 2, 3; the length is a multiple of three.
    #[must_use]
    pub fn third(self, j: u8) -> Self {
        let length = self.len() / 3;
        let after = self.after + (usize::from(j) - 1) * length;
        Self { after, last: after + length }
    }
}

impl Thirds {
    /// The adversary for streams of `rounds` ≥ 1 rounds that inserts with probability
    /// `probability` in (0, 1]. The dummy example is the record `dummy` (2x + y for the point x
    /// with label y), informative examples have the point `informative`.
    ///
    /// # Errors
    /// When the probability is out of range, there is no round, or dummy and informative examples
    /// share their point.
    pub fn new(
        rounds: usize,
        probability: Rational,
        dummy: usize,
        informative: usize,
    ) -> Result<Self> {
        if rounds == 0 {
            return Err(Error::argument("the number of rounds must be at least 1"));
        }
        if !probability.is_positive() || probability > Rational::one() {
            return Err(Error::argument(format!(
                "Algorithm 1 takes a probability p with 0 < p ≤ 1, not {probability}"
            )));
        }
        if dummy / 2 == informative {
            return Err(Error::argument(
                "the dummy example and the informative one must have different points",
            ));
        }
        Ok(Self { rounds, probability, dummy, informative })
    }

    /// The number T of rounds.
    pub fn rounds(&self) -> usize {
        self.rounds
    }

    /// The probability p of an insertion where the middle third is chosen.
    pub fn probability(&self) -> &Rational {
        &self.probability
    }

    /// The record of the dummy example.
    pub fn dummy(&self) -> usize {
        self.dummy
    }

    /// The point of informative examples.
    pub fn point(&self) -> usize {
        self.informative
    }

    /// The record of the informative example with label `label`.
    pub fn informative(&self, label: bool) -> usize {
        2 * self.informative + usize::from(label)
    }

    /// The dummy example and the informative point as they are typed: `3:0` and `1`.
    pub fn examples(&self, points: &[String]) -> [String; 2] {
        let dummy = format!("{}:{}", quote(&points[self.dummy / 2]), self.dummy % 2);
        [dummy, quote(&points[self.informative]).into_owned()]
    }

    /// The number L = ⌊`log_3` T⌋ of stages.
    pub fn stages(&self) -> usize {
        self.rounds.checked_ilog(3).map_or(0, |stages| stages as usize)
    }

    /// `A_0` = (0, 3^L].
    pub fn whole(&self) -> Interval {
        let last = (0..self.stages()).fold(1, |length, _| 3 * length);
        Interval { after: 0, last }
    }

    /// `A_t` for the choices `J_1`, …, `J_t`, each 1, 2 or 3.
    pub fn interval(&self, choices: &[u8]) -> Interval {
        choices.iter().fold(self.whole(), |interval, &j| interval.third(j))
    }

    /// The intervals in whose rounds an example may have been inserted in the stages with choices
    /// `choices`, in the order of time: the first third of `A_t` where J_{t+1} = 2. Later ones lie
    /// after earlier ones, and `A_t` after all of them.
    pub fn windows(&self, choices: &[u8]) -> Vec<Interval> {
        let mut interval = self.whole();
        let mut windows = Vec::new();
        for &j in choices {
            if j == 2 {
                windows.push(interval.third(1));
            }
            interval = interval.third(j);
        }
        windows
    }

    /// All choices `J_1`, …, `J_t` of `stages` stages, in lexicographic order.
    pub fn choices(stages: usize) -> Vec<Vec<u8>> {
        (0..stages).fold(vec![Vec::new()], |shorter, _| {
            let longer = |choices: &Vec<u8>| {
                [1, 2, 3].map(|j| choices.iter().copied().chain([j]).collect::<Vec<u8>>())
            };
            shorter.iter().flat_map(longer).collect()
        })
    }

    /// The expected number of informative examples: Lp/3, and 1 for T = 1, 2.
    pub fn expected_informative(&self) -> Rational {
        match self.stages() {
            0 => Rational::one(),
            stages => &self.probability * Rational::new(stages.into(), 3.into()),
        }
    }

    /// Whether every stream is realisable by the class: for each label b of x some hypothesis has it
    /// and, where there is more than one round, fits the dummy example. In two rounds or more every
    /// stream has a dummy round; the one stream of a single round is (x, B) alone.
    pub fn is_realisable(&self, class: &Class) -> bool {
        let columns = class.columns();
        let mut space = VersionSpace::full(class);
        if self.rounds > 1 {
            space = space.restrict(&columns[self.dummy / 2], self.dummy % 2 == 1);
        }
        [false, true]
            .iter()
            .all(|label| !space.restrict(&columns[self.informative], *label).is_empty())
    }

    /// Checks that every stream is realisable by the class.
    ///
    /// # Errors
    /// When one is not, or the class has other points.
    pub fn check_realisable(&self, class: &Class) -> Result<()> {
        let names = class.point_names();
        if self.dummy / 2 >= names.len() || self.informative >= names.len() {
            return Err(Error::argument("the adversary's points are not those of the class"));
        }
        if self.is_realisable(class) {
            return Ok(());
        }
        let informative = &names[self.informative];
        let missing = if self.rounds > 1 {
            format!(
                "no two hypotheses have the label {} at {} and different labels at {informative}",
                self.dummy % 2,
                names[self.dummy / 2],
            )
        } else {
            format!("no two hypotheses have different labels at {informative}")
        };
        Err(Error::argument_with_help(
            format!("the streams of Algorithm 1 are not realisable: {missing}"),
            "choose the dummy example and the informative point",
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thirds(rounds: usize) -> Thirds {
        Thirds::new(rounds, Rational::one(), 4, 0).unwrap()
    }

    /// By hand from the definition.
    #[test]
    fn intervals_are_halves_open_to_the_left() {
        let adversary = thirds(30);
        assert_eq!(adversary.stages(), 3);
        assert_eq!(adversary.whole(), Interval { after: 0, last: 27 });
        assert_eq!(adversary.interval(&[2]), Interval { after: 9, last: 18 });
        assert_eq!(adversary.interval(&[2, 3]), Interval { after: 15, last: 18 });
        assert_eq!(adversary.interval(&[2, 3, 1]), Interval { after: 15, last: 16 });
        assert_eq!(
            adversary.windows(&[2, 1, 2]),
            [Interval { after: 0, last: 9 }, Interval { after: 9, last: 10 }]
        );
        assert_eq!([1, 2, 3, 8, 9, 26, 27].map(|t| thirds(t).stages()), [0, 0, 1, 1, 2, 2, 3]);
        assert_eq!(Thirds::choices(2).len(), 9);
        assert_eq!(Thirds::choices(0), [Vec::<u8>::new()]);
    }

    #[test]
    fn parameters_out_of_range_are_refused() {
        let ratio = |p: i64, q: i64| Rational::new(p.into(), q.into());
        assert!(Thirds::new(0, ratio(1, 2), 4, 0).is_err());
        assert!(Thirds::new(9, ratio(0, 1), 4, 0).is_err());
        assert!(Thirds::new(9, ratio(3, 2), 4, 0).is_err());
        assert!(Thirds::new(9, ratio(1, 2), 0, 0).is_err());
        // 3^40 < 2^64 < 3^41.
        let longest = Thirds::new(usize::MAX, ratio(1, 2), 4, 0).unwrap();
        assert_eq!((longest.stages(), longest.whole().last), (40, 3usize.pow(40)));
    }
}
