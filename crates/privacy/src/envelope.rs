//! The greatest of finitely many lines, exactly.

use littlestone_exact::Number;

/// The line α ↦ `first` − α·`second`: what an event adds that has these probabilities.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    pub first: Number,
    pub second: Number,
    /// What the caller knows the line by; `None` for the line 0.
    pub origin: Option<usize>,
}

impl Line {
    /// The line of the empty event.
    fn zero() -> Self {
        Self { first: Number::zero(), second: Number::zero(), origin: None }
    }

    /// Where a less steep line begins to exceed this one.
    fn meets(&self, flatter: &Self) -> Number {
        let (rise, run) = (&self.first - &flatter.first, &self.second - &flatter.second);
        rise.checked_div(&run).expect("a less steep line has another slope")
    }
}

/// The greatest of some lines for α ≥ 1, among them the line 0: convex, piecewise linear and, for
/// lines that do not increase, non-increasing.
#[derive(Debug, Clone)]
pub(super) struct Envelope {
    /// Where each line begins to be the greatest; the first begins at 1. Slopes increase, and the
    /// last line is constant.
    pieces: Vec<(Number, Line)>,
}

impl Envelope {
    /// The line 0 alone.
    pub fn new() -> Self {
        Self { pieces: vec![(Number::one(), Line::zero())] }
    }

    /// The lines in the order in which they are the greatest, with the place where each begins.
    pub fn pieces(&self) -> &[(Number, Line)] {
        &self.pieces
    }

    /// Adds lines.
    pub fn insert(&mut self, lines: Vec<Line>) {
        let known = self.pieces.drain(..).map(|(_, line)| line);
        let mut lines: Vec<Line> = known.chain(lines).collect();
        // The steepest first; of parallel ones the greatest, and of equal ones the earlier.
        lines.sort_by(|a, b| b.second.cmp(&a.second).then_with(|| b.first.cmp(&a.first)));
        lines.dedup_by(|later, kept| later.second == kept.second);
        for line in lines {
            let mut from = Number::one();
            while let Some((start, last)) = self.pieces.last() {
                from = last.meets(&line);
                if from > *start {
                    break;
                }
                // The last line is exceeded from the place on where it would begin.
                self.pieces.pop();
                from = Number::one();
            }
            self.pieces.push((from, line));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use littlestone_exact::parse_rational;

    fn number(text: &str) -> Number {
        parse_rational(text).unwrap().into()
    }

    fn line(first: &str, second: &str, origin: usize) -> Line {
        Line { first: number(first), second: number(second), origin: Some(origin) }
    }

    fn shown(envelope: &Envelope) -> Vec<(String, Option<usize>)> {
        envelope.pieces().iter().map(|(from, line)| (from.to_string(), line.origin)).collect()
    }

    /// By hand: 3/4 − α/4 is 0 at α = 3; 1 − 3α/4 exceeds it nowhere on α ≥ 1, for they meet at
    /// α = 1/2; 5/8 − α/16 exceeds 3/4 − α/4 from α = 2/3 on, so everywhere.
    #[test]
    fn lines_that_are_nowhere_the_greatest_are_dropped() {
        let mut envelope = Envelope::new();
        envelope.insert(vec![line("3/4", "1/4", 0), line("1", "3/4", 1)]);
        assert_eq!(shown(&envelope), [("1".into(), Some(0)), ("3".into(), None)]);
        envelope.insert(vec![line("5/8", "1/16", 2)]);
        assert_eq!(shown(&envelope), [("1".into(), Some(2)), ("10".into(), None)]);
        envelope.insert(vec![line("1/8", "0", 3), line("5/4", "1/2", 4)]);
        let expected = [("1".into(), Some(4)), ("10/7".into(), Some(2)), ("8".into(), Some(3))];
        assert_eq!(shown(&envelope), expected);
        // Where three lines meet in one point, the middle one is dropped.
        let mut envelope = Envelope::new();
        envelope.insert(vec![line("3", "2", 0), line("3/2", "1", 1), line("3/4", "1/2", 2)]);
        assert_eq!(shown(&envelope), [("1".into(), Some(0)), ("3/2".into(), None)]);
    }

    #[test]
    fn of_equal_lines_the_earlier_is_kept() {
        let mut envelope = Envelope::new();
        envelope.insert(vec![line("1/2", "1/4", 7), line("1/2", "1/4", 8)]);
        envelope.insert(vec![line("1/2", "1/4", 9), line("1/4", "1/4", 10)]);
        assert_eq!(shown(&envelope)[0].1, Some(7));
    }
}
