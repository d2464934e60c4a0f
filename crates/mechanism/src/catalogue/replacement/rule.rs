//! One replacement rule of Definition 10, step by step on merged states.

use super::acceptance::{self, Acceptance};
use super::delay::{self, Delay};
use crate::Law;
use crate::catalogue::Given;
use crate::spec::Parameter;
use littlestone_base::error::Result;
use littlestone_exact::Number;

/// The delay.
pub(super) const DELAY: Parameter = Parameter {
    name: "D",
    default: None,
    meaning: "the delay: the number of disagreements that the acceptance test counts",
};

/// The parameters of a rule besides its variant.
pub(in crate::catalogue) const PARAMETERS: [Parameter; 11] = [
    DELAY,
    delay::WINDOW,
    delay::LAW,
    delay::LEVEL,
    delay::TABLE,
    delay::STEPS,
    delay::HALF,
    acceptance::NOISE,
    acceptance::RATIO,
    acceptance::SCALE,
    acceptance::CUT,
];

/// The greatest delay: a rule counts pairs of numbers up to it.
const GREATEST: i32 = 1024;

/// What the acceptance test looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::catalogue) enum Reading {
    /// The first D disagreements, as the definition says.
    Definition,
    /// All rounds up to the D-th disagreement; a misreading.
    AllRounds,
    /// The first ⌈D/2⌉ disagreements; a misreading.
    Early,
}

/// A rule with its parameters.
#[derive(Debug, Clone)]
pub(in crate::catalogue) struct Rule {
    delay: usize,
    acceptance: Acceptance,
    mirror: Delay,
    reading: Reading,
    /// Whether Mirror goes on after a rejection, when its answers no longer matter.
    full: bool,
    /// Violated hypotheses on Mirror.
    remarks: Vec<String>,
}

/// How far a rule has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::catalogue) struct Stage {
    /// Disagreements, as far as they matter.
    seen: usize,
    /// c so far; 0 once the outcome of the test is known.
    favourable: usize,
    /// The outcome of the acceptance test, from when it no longer depends on what is to come.
    pub accepted: Option<bool>,
    /// Whether Mirror has answered top.
    top: bool,
}

impl Stage {
    /// The stage without the outcome of the acceptance test.
    #[must_use]
    pub fn untested(self) -> Self {
        Self { accepted: None, ..self }
    }
}

/// What a rule must remember of a round until it sees the label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::catalogue) struct Asked {
    disagreement: bool,
    second: bool,
}

impl Rule {
    /// The rule that the parameters describe; `full` for the transcript of Mirror's answers.
    pub fn of(given: &Given<'_>, reading: Reading, full: bool) -> Result<Self> {
        let delay = given.integer("D", 1..=GREATEST)?;
        let (mirror, remarks) = Delay::of(given)?;
        Ok(Self {
            acceptance: Acceptance::of(given, delay)?,
            mirror,
            remarks,
            delay: usize::try_from(delay).expect("a delay is at least 1"),
            reading,
            full,
        })
    }

    /// The rules of a chain of 1 to 4, one for each delay that is given; window and cut may be lists, too.
    pub fn chain(given: &Given<'_>) -> Result<Vec<Self>> {
        let length = given.items("D")?;
        if !(1..=4).contains(&length) {
            return Err(given.unfit("D", "1 to 4 delays", &length.to_string()));
        }
        let own = given.apart(&["D", "W", "cut"], length)?;
        own.iter().map(|own| Self::of(&given.with(own), Reading::Definition, false)).collect()
    }

    /// Before round 1.
    pub const START: Stage = Stage { seen: 0, favourable: 0, accepted: None, top: false };

    /// Mirror's answer in a round with predictions `first` and `second`, true for top.
    pub fn respond(&self, stage: Stage, first: bool, second: bool) -> Result<Law<(bool, Stage)>> {
        let waiting = first == second || stage.seen < self.delay;
        if waiting || (stage.accepted == Some(false) && !self.full) {
            return Ok(Law::certain((false, stage)));
        }
        if stage.top {
            return Ok(Law::certain((true, stage)));
        }
        let place = stage.seen - self.delay;
        let coin = Law::coin("Mirror's answer", &self.mirror.chance(place))?;
        Ok(coin.map(|top| {
            if top && self.mirror.stays() {
                return (top, Stage { seen: self.delay, top, ..stage });
            }
            let seen = self.delay + (place + 1).min(self.mirror.window());
            (top, Stage { seen, ..stage })
        }))
    }

    /// What of a round matters to [`Self::observe`]; asked before [`Self::respond`].
    pub fn asks(&self, stage: Stage, first: bool, second: bool) -> Option<Asked> {
        let disagreement = first != second;
        let counts = disagreement || self.reading == Reading::AllRounds;
        (counts && stage.seen < self.delay).then_some(Asked { disagreement, second })
    }

    /// The stage after the label of a round for which `asks` gave `asked`.
    pub fn observe(&self, stage: Stage, asked: Asked, label: bool) -> Result<Law<Stage>> {
        let mut next = stage;
        next.seen += usize::from(asked.disagreement);
        if stage.accepted.is_some() {
            return Ok(Law::certain(next));
        }
        let correct = usize::from(asked.second == label);
        next.favourable = (stage.favourable + correct).min(self.delay);
        let tested = match self.reading {
            Reading::Early => self.delay.div_ceil(2),
            _ => self.delay,
        };
        if next.seen < tested {
            if self.reading == Reading::Definition {
                let most = next.favourable + (tested - next.seen);
                return Ok(Law::certain(match self.acceptance.settled(next.favourable, most) {
                    Some(accepted) => self.tested(next, accepted),
                    None => next,
                }));
            }
            return Ok(Law::certain(next));
        }
        let coin = Law::coin("the acceptance test", self.acceptance.chance(next.favourable))?;
        Ok(coin.map(|accepted| self.tested(next, accepted)))
    }

    /// The stage once the outcome of the test is known. After a rejection nothing is counted, unless
    /// Mirror goes on.
    fn tested(&self, stage: Stage, accepted: bool) -> Stage {
        let over = !accepted && !self.full;
        let seen = if over { self.delay } else { stage.seen };
        Stage { seen, favourable: 0, accepted: Some(accepted), ..stage }
    }

    /// The preconditions of Definition 10 and Lemma 11 that the parameters violate.
    pub fn remarks(&self) -> Vec<String> {
        let (delay, window) = (self.delay, self.mirror.window());
        let mut remarks = self.remarks.clone();
        let eighths = &Number::from(8) * self.acceptance.cut();
        let whole = i64::try_from(delay).map_or_else(|_| Number::zero(), Number::from);
        if eighths > whole {
            let cut = self.acceptance.cut();
            remarks.push(format!(
                "Definition 10 cuts the noise at D/8, here at {cut} with D = {delay}; Lemma 11 is \
                 not proved for it"
            ));
        }
        if window > delay {
            remarks.push(format!(
                "Definition 10 has all of Mirror's window within the first 2D disagreements, here \
                 W = {window} with D = {delay}; Lemma 11 (i) is not proved for it"
            ));
        }
        remarks
    }

    /// A stage in words.
    pub fn describe(&self, stage: Stage) -> String {
        let Stage { seen, favourable, accepted, top } = stage;
        match accepted {
            None => format!("{seen} disagreements, c = {favourable}"),
            Some(false) if !self.full && seen >= self.delay => "rejected".into(),
            Some(accepted) => {
                let outcome = if accepted { "accepted" } else { "rejected" };
                let when = if top { "top".into() } else { format!("{seen} disagreements") };
                format!("{outcome}, {when}")
            }
        }
    }
}

/// What a rule waits for, in words, to be put after the words for its stage.
pub(in crate::catalogue) fn asked(asked: Option<Asked>) -> String {
    let Some(Asked { disagreement, second }) = asked else { return String::new() };
    let sign = if disagreement { "≠" } else { "=" };
    format!(", asked u {sign} v = {}", u8::from(second))
}
