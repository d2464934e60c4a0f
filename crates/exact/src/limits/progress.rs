//! What a running computation lets others see.

use std::borrow::Cow;
use std::ops::Deref;
use std::sync::{Mutex, MutexGuard, PoisonError};

use littlestone_base::limits::Counters;

use crate::Number;

/// What a running computation lets others see: the progress display, and whoever has to say what is
/// proved when a limit ends it. No verdict reads it.
///
/// The bounds are on the answer to the question that was asked, never on a part of it, and they only
/// ever close in.
#[derive(Debug, Default)]
pub struct Progress {
    counters: Counters,
    seen: Mutex<Seen>,
}

/// What is known of the answer.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Seen {
    /// What is being done, such as `compiling` or `T = 3`.
    pub phase: Option<Cow<'static, str>>,
    /// What is asked for, such as `worst δ`.
    pub quantity: Option<Cow<'static, str>>,
    /// It is at least this.
    pub lower: Option<Number>,
    /// It is at most this.
    pub upper: Option<Number>,
}

impl Seen {
    /// The bounds in one line, such as `1/8 ≤ worst δ ≤ 1/4`; nothing where there is none.
    pub fn bounds(&self) -> Option<String> {
        self.bounds_as(ToString::to_string)
    }

    /// [`bounds`](Self::bounds) with numbers in another form.
    pub fn bounds_as(&self, show: impl Fn(&Number) -> String) -> Option<String> {
        let quantity = self.quantity.as_deref()?;
        Some(match (&self.lower, &self.upper) {
            (Some(lower), Some(upper)) => {
                format!("{} ≤ {quantity} ≤ {}", show(lower), show(upper))
            }
            (Some(lower), None) => format!("{quantity} ≥ {}", show(lower)),
            (None, Some(upper)) => format!("{quantity} ≤ {}", show(upper)),
            (None, None) => return None,
        })
    }
}

impl Deref for Progress {
    type Target = Counters;

    fn deref(&self) -> &Counters {
        &self.counters
    }
}

impl Progress {
    /// What is known now.
    pub fn seen(&self) -> Seen {
        self.lock().clone()
    }

    /// Says what is being done.
    pub fn enter(&self, phase: impl Into<Cow<'static, str>>) {
        self.lock().phase = Some(phase.into());
    }

    /// Says what the bounds are on. Bounds on something else are forgotten.
    pub fn ask(&self, quantity: impl Into<Cow<'static, str>>) {
        let quantity = Some(quantity.into());
        let mut seen = self.lock();
        if seen.quantity != quantity {
            *seen = Seen { phase: seen.phase.take(), quantity, lower: None, upper: None };
        }
    }

    /// The answer is at least `lower`. A weaker bound than the one that is known changes nothing.
    pub fn at_least(&self, lower: Number) {
        let mut seen = self.lock();
        if seen.lower.as_ref().is_none_or(|known| lower > *known) {
            seen.lower = Some(lower);
        }
    }

    /// The answer is at most `upper`. A weaker bound than the one that is known changes nothing.
    pub fn at_most(&self, upper: Number) {
        let mut seen = self.lock();
        if seen.upper.as_ref().is_none_or(|known| upper < *known) {
            seen.upper = Some(upper);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rational;

    fn number(numerator: i64) -> Number {
        Number::from(Rational::new(numerator.into(), 7.into()))
    }

    #[test]
    fn bounds_only_ever_close_in() {
        let progress = Progress::default();
        progress.ask("worst δ");
        for (upper, kept) in [(5, 5), (6, 5), (4, 4), (7, 4)] {
            progress.at_most(number(upper));
            assert_eq!(progress.seen().upper, Some(number(kept)));
        }
        for (lower, kept) in [(1, 1), (0, 1), (3, 3)] {
            progress.at_least(number(lower));
            assert_eq!(progress.seen().lower, Some(number(kept)));
        }
        progress.enter("T = 2");
        progress.ask("worst δ");
        assert_eq!(progress.seen().upper, Some(number(4)));
        progress.ask("mistakes");
        assert_eq!((progress.seen().lower, progress.seen().upper), (None, None));
        assert_eq!(progress.seen().phase.as_deref(), Some("T = 2"));
    }
}
