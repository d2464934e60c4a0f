//! How sharp the printed constants are for given potentials.

use super::{Choice, Context, n, ratio, stages, times, total};
use littlestone_exact::Number;

/// A constant of a statement, and what this learner asks of it while all others are as printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Constant {
    /// The statement's name.
    pub statement: &'static str,
    /// The summand in which it stands.
    pub summand: &'static str,
    /// The constant as printed.
    pub printed: Number,
    /// The value at which some instance is an equality: the least one that no instance refutes, or
    /// the greatest one where the summand is subtracted. Not below 0.
    pub sharp: Number,
    /// Whether the statement is stronger for a greater constant.
    pub subtracted: bool,
}

impl Context<'_> {
    /// The constants of (1), (2), (3), (6) and of the variance decomposition. One whose summand is
    /// 0 in every instance is left out.
    pub fn constants(&self) -> Vec<Constant> {
        let p = self.p();
        let square = times([&p, &p]);
        let cube = times([&square, &p]);
        let information = |t: usize| self.potentials.mean(t, Choice::information);
        let first = (1..=self.potentials.length()).map(|t| {
            let delta = self.delta_up_to(t);
            let inner = total(&[
                square.clone(),
                times([&stages(t), &cube]),
                times([&stages(t), &p, &delta]),
            ]);
            (information(t), inner)
        });
        let first: Vec<_> = first.collect();
        let fall = |choice: &Choice| times([&square, &choice.ratios.difference]);
        let loss = |choice: &Choice| times([&p, &self.delta(choice)]);
        let grown = |choice: &Choice| &self.next_information(choice) - &choice.information();
        let gain = |choice: &Choice| self.gain(choice, choice.interval.third(2).last).0;
        let shrunk = |choice: &Choice| &choice.ratios.variance - &self.next_variance(choice);
        let added = |choice: &Choice| &p + &self.delta(choice);
        let minus = |a: Number, factor: &Number, b: &Number| &a - &times([factor, b]);
        let sixth = ratio(1, 6);
        let all = [
            constant("(1)", "120(p² + tp³ + tpδ)", n(120), false, &first),
            constant(
                "(2)",
                "20p²D_t",
                n(20),
                false,
                &self.pairs(|c| (minus(grown(c), &n(20), &loss(c)), fall(c))),
            ),
            constant(
                "(2)",
                "20pδ",
                n(20),
                false,
                &self.pairs(|c| (minus(grown(c), &n(20), &fall(c)), loss(c))),
            ),
            constant(
                "(3)",
                "D_t/6",
                sixth.clone(),
                true,
                &self.pairs(|c| {
                    let rest = times([&added(c), &ratio(1, 3)]);
                    (&shrunk(c) + &rest, choice_difference(c))
                }),
            ),
            constant(
                "(3)",
                "(p + δ)/3",
                ratio(1, 3),
                false,
                &self.pairs(|c| {
                    let fall = times([&sixth, &choice_difference(c)]);
                    (&fall - &shrunk(c), added(c))
                }),
            ),
            constant(
                "(6)",
                "8p²D_t",
                n(8),
                false,
                &self.pairs(|c| (minus(gain(c), &n(16), &loss(c)), fall(c))),
            ),
            constant(
                "(6)",
                "16pδ",
                n(16),
                false,
                &self.pairs(|c| (minus(gain(c), &n(8), &fall(c)), loss(c))),
            ),
            constant(
                "variance decomposition",
                "D_t/6",
                sixth.clone(),
                true,
                &self.pairs(|c| (&c.ratios.variance - &Self::within(c), choice_difference(c))),
            ),
        ];
        all.into_iter().flatten().collect()
    }

    /// For each choice before the last stage, what the summand must make up for, and the summand
    /// without its constant.
    fn pairs(&self, pair: impl Fn(&Choice) -> (Number, Number)) -> Vec<(Number, Number)> {
        let before_last = &self.potentials.stages[..self.potentials.length()];
        before_last.iter().flatten().map(pair).collect()
    }
}

fn choice_difference(choice: &Choice) -> Number {
    choice.ratios.difference.clone()
}

fn constant(
    statement: &'static str,
    summand: &'static str,
    printed: Number,
    subtracted: bool,
    pairs: &[(Number, Number)],
) -> Option<Constant> {
    let quotients = pairs.iter().filter_map(|(need, summand)| need.checked_div(summand).ok());
    let sharp = if subtracted { quotients.min() } else { quotients.max() }?;
    let sharp = sharp.max(Number::zero());
    Some(Constant { statement, summand, printed, sharp, subtracted })
}
