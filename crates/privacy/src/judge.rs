//! From worst divergences to a verdict, with the shortest streams that refute.

use std::fmt;
use std::ops::RangeInclusive;

use super::question::Neighbour;
use super::verdict::Worst;
use littlestone_exact::Number;

/// Whether a mechanism is (ε,δ)-private.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It is.
    Holds,
    /// It is not.
    Refuted,
    /// A limit was hit before this was known.
    Undecided,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Holds => "holds",
            Self::Refuted => "refuted",
            Self::Undecided => "undecided",
        })
    }
}

/// Which shorter streams refute a claim about streams of a given length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Span {
    /// Those that can be continued to the length: what was released before stays released.
    Prefixes,
    /// None. A one-shot mechanism releases nothing before the end.
    Whole,
}

/// A verdict and what shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// When refuted, the pair that attains the worst divergence at the least length at which the
    /// worst divergence exceeds δ; if a limit was hit, the worst one found at that length.
    pub counterexample: Option<Neighbour>,
}

/// Judges the claim that δ suffices at each length of `rounds`; the answer for one length stands
/// at its index in the list.
///
/// `answers[T − 1]` is the worst divergence at length T, for all T up to the end of `rounds`.
/// `continued` says whether a pair can be continued to that length by equal records; it is asked
/// with [`Span::Prefixes`] alone.
pub fn judge(
    answers: &[Worst],
    rounds: RangeInclusive<usize>,
    delta: &Number,
    span: Span,
    continued: &dyn Fn(&Neighbour, usize) -> bool,
) -> Vec<Judgement> {
    rounds.map(|length| judge_length(answers, length, delta, span, continued)).collect()
}

fn judge_length(
    answers: &[Worst],
    length: usize,
    delta: &Number,
    span: Span,
    continued: &dyn Fn(&Neighbour, usize) -> bool,
) -> Judgement {
    let shortest = if span == Span::Prefixes { 1 } else { length };
    let counterexample = (shortest..=length).find_map(|rounds| match &answers[rounds - 1] {
        Worst::Exact { delta: worst, attained_by: Some(pair) }
        | Worst::Between { lower: worst, attained_by: Some(pair), .. }
            if worst > delta =>
        {
            (rounds == length || continued(pair, length)).then(|| pair.clone())
        }
        _ => None,
    });
    let verdict = match &answers[length - 1] {
        _ if counterexample.is_some() => Verdict::Refuted,
        Worst::Exact { delta: worst, .. } if worst > delta => Verdict::Refuted,
        Worst::Between { lower, .. } if lower > delta => Verdict::Refuted,
        Worst::Between { upper, .. } if upper > delta => Verdict::Undecided,
        _ => Verdict::Holds,
    };
    Judgement { verdict, counterexample }
}

#[cfg(test)]
mod tests {
    use super::*;
    use littlestone_exact::limits::Stopped;

    fn number(text: &str) -> Number {
        littlestone_exact::parse_rational(text).unwrap().into()
    }

    fn pair(rounds: usize) -> Neighbour {
        Neighbour { first: vec![0; rounds], second: vec![1; rounds] }
    }

    fn exact(delta: &str, rounds: usize) -> Worst {
        Worst::Exact { delta: number(delta), attained_by: Some(pair(rounds)) }
    }

    fn between(lower: &str, upper: &str) -> Worst {
        let stopped = Stopped::States;
        let attained_by = (lower != "0").then(|| pair(1));
        Worst::Between { lower: number(lower), attained_by, upper: number(upper), stopped }
    }

    fn verdicts(answers: &[Worst], delta: &str, span: Span) -> Vec<(Verdict, Option<usize>)> {
        judge(answers, 1..=answers.len(), &number(delta), span, &|_, _| true)
            .into_iter()
            .map(|j| (j.verdict, j.counterexample.map(|pair| pair.first.len())))
            .collect()
    }

    #[test]
    fn the_shortest_refuting_length_is_shown() {
        use Verdict::{Holds, Refuted};
        let answers = [exact("0", 1), exact("1/4", 2), exact("1/2", 3)];
        let found = verdicts(&answers, "1/4", Span::Prefixes);
        assert_eq!(found, [(Holds, None), (Holds, None), (Refuted, Some(3))]);
        let found = verdicts(&answers, "1/8", Span::Prefixes);
        assert_eq!(found, [(Holds, None), (Refuted, Some(2)), (Refuted, Some(2))]);
        // A smaller data set is no counterexample to a claim about a larger one.
        let answers = [exact("1", 1), exact("1/2", 2), exact("1/4", 3)];
        let found = verdicts(&answers, "1/4", Span::Whole);
        assert_eq!(found, [(Refuted, Some(1)), (Refuted, Some(2)), (Holds, None)]);
    }

    #[test]
    fn a_pair_that_cannot_be_continued_refutes_its_own_length_only() {
        let answers = [exact("1/2", 1), exact("0", 2)];
        let found = judge(&answers, 1..=2, &number("1/4"), Span::Prefixes, &|_, _| false);
        assert_eq!(found[0].verdict, Verdict::Refuted);
        assert_eq!(found[1], Judgement { verdict: Verdict::Holds, counterexample: None });
    }

    #[test]
    fn limits_leave_open_what_the_interval_does_not_decide() {
        use Verdict::{Holds, Refuted, Undecided};
        let shown = Some(1);
        for (delta, expected) in
            [("1/8", (Refuted, shown)), ("1/4", (Undecided, None)), ("1/2", (Holds, None))]
        {
            let found = verdicts(&[between("1/4", "1/2")], delta, Span::Prefixes);
            assert_eq!(found, [expected]);
        }
        let found = verdicts(&[exact("1/2", 1), between("0", "1")], "1/4", Span::Prefixes);
        assert_eq!(found[1], (Refuted, Some(1)));
    }
}
