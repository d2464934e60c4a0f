//! Algorithm 3 line by line, and the predictor `A_N` of Section 7.2 that it is compared with.

use crate::catalogue::candidates::{self, Algorithm, Fault, Function};
use crate::catalogue::replacement::{self, Asked, Rule, Stage};
use littlestone_base::error::{Error, Result};

use super::tape::Player;

/// What is not as in the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Variant {
    /// Algorithm 3 as printed.
    Paper,
    /// A batch is full when its candidate made K mistakes after it was obtained.
    SinceActivation,
    /// A replacement begins when its candidate is obtained, without the earlier rounds.
    NoReplay,
    /// At most one candidate is obtained in a round.
    OneARound,
}

/// Algorithm 3 on one class.
#[derive(Debug)]
pub(super) struct Online {
    pub algorithm: Algorithm,
    /// The rules that define `A_1, …, A_N`.
    pub rules: Vec<Rule>,
    pub variant: Variant,
}

/// A round that is over: its example, and the prediction of `A_m`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Past {
    point: usize,
    label: bool,
    answer: bool,
}

/// What a predictor remembers while candidates may still be obtained.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Open {
    candidates: candidates::State,
    past: Vec<Past>,
    /// The number of rounds before `h_m` was obtained; kept by a variant only.
    since: usize,
}

/// What Algorithm 3 remembers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct State {
    /// `h_1, …, h_m`.
    functions: Vec<Function>,
    stages: Vec<Stage>,
    /// Nothing once m = N.
    open: Option<Open>,
    /// In the middle of a round: its point, the prediction of `A_m`, and what each rule waits for.
    asked: Option<(usize, bool, Vec<Option<Asked>>)>,
}

/// What happened in a round.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) struct Happened {
    /// How many candidates were obtained.
    pub obtained: usize,
    /// Whether one of them is padding: `h_0` after ⊥ at ℓ = d.
    pub padded: bool,
    /// Whether a replacement that was run on the earlier rounds predicts otherwise there than was
    /// predicted.
    pub rewritten: bool,
}

fn fault(fault: Fault) -> Error {
    match fault {
        Fault::Input(error) => error,
        Fault::Stopped(stopped) => stopped.into(),
    }
}

impl Online {
    /// N.
    fn length(&self) -> usize {
        self.rules.len()
    }

    fn first(&self) -> &Function {
        &self.algorithm.parameters().first
    }

    /// Line 1.
    pub fn start(&self) -> State {
        let candidates = self.algorithm.start();
        let open = Open { candidates, past: Vec::new(), since: 0 };
        State { functions: Vec::new(), stages: Vec::new(), open: Some(open), asked: None }
    }

    /// The state with the groups of Algorithm 2 in a fixed order.
    pub fn canonical(&self, mut state: State) -> State {
        if let Some(open) = state.open.take() {
            let candidates = open.candidates.canonical(self.algorithm.parameters().variant);
            state.open = Some(Open { candidates, ..open });
        }
        state
    }

    /// Lines 3 to 6.
    fn obtain(&self, state: &mut State, player: &mut Player<'_>) -> Result<Happened> {
        let mut happened = Happened::default();
        while let Some(mut open) = state.open.take() {
            let m = state.functions.len();
            let last = state.functions.last().unwrap_or_else(|| self.first());
            let counted = &open.past[open.since..];
            let mistakes = counted.iter().filter(|r| last.label(r.point) != r.label).count();
            let enough = mistakes >= self.algorithm.parameters().batch;
            if !enough || (self.variant == Variant::OneARound && happened.obtained == 1) {
                state.open = Some(open);
                break;
            }
            let stream: Vec<(usize, bool)> =
                open.past.iter().map(|round| (round.point, round.label)).collect();
            self.algorithm.next(&mut open.candidates, &stream, player).map_err(fault)?;
            happened.padded |= open.candidates.ended();
            let candidate = open.candidates.candidate(m + 1).unwrap_or_else(|| self.first());
            let candidate = candidate.clone();
            let mut stage = Rule::START;
            let replayed =
                if self.variant == Variant::NoReplay { &mut [][..] } else { &mut open.past[..] };
            for round in replayed {
                let second = candidate.label(round.point);
                let (answer, asked, next) = self.answer(m, stage, round.answer, second, player)?;
                stage = self.see(m, next, asked, round.label, player)?;
                happened.rewritten |= answer != round.answer;
                round.answer = answer;
            }
            if self.variant == Variant::SinceActivation {
                open.since = open.past.len();
            }
            state.functions.push(candidate);
            state.stages.push(stage);
            happened.obtained += 1;
            if m + 1 < self.length() {
                state.open = Some(open);
            }
        }
        Ok(happened)
    }

    /// The prediction of rule j, from 0, in a stage.
    fn answer(
        &self,
        j: usize,
        stage: Stage,
        first: bool,
        second: bool,
        player: &mut Player<'_>,
    ) -> Result<(bool, Option<Asked>, Stage)> {
        let rule = &self.rules[j];
        let asked = rule.asks(stage, first, second);
        let law = rule.respond(stage, first, second)?;
        let (top, next) = player.rule(j, stage, true, law);
        let replaced = top && next.accepted == Some(true);
        Ok((if replaced { second } else { first }, asked, next))
    }

    /// The stage of rule j after a label.
    fn see(
        &self,
        j: usize,
        stage: Stage,
        asked: Option<Asked>,
        label: bool,
        player: &mut Player<'_>,
    ) -> Result<Stage> {
        let Some(asked) = asked else { return Ok(stage) };
        let law = self.rules[j].observe(stage, asked, label)?;
        // The coin of the acceptance test depends on c, which the label decides.
        let told = law.iter().next().map_or(stage, |(next, _)| next.untested());
        Ok(player.rule(j, told, false, law))
    }

    /// Lines 3 to 7: the prediction for a point.
    pub fn respond(
        &self,
        state: &mut State,
        point: usize,
        player: &mut Player<'_>,
    ) -> Result<(bool, Happened)> {
        let happened = self.obtain(state, player)?;
        let mut answer = self.first().label(point);
        let mut waits = Vec::with_capacity(state.functions.len());
        for (j, (function, stage)) in state.functions.iter().zip(&mut state.stages).enumerate() {
            let second = function.label(point);
            let (next, asked, after) = self.answer(j, *stage, answer, second, player)?;
            *stage = after;
            answer = next;
            waits.push(asked);
        }
        state.asked = Some((point, answer, waits));
        Ok((answer, happened))
    }

    /// Line 8.
    pub fn observe(&self, state: &mut State, label: bool, player: &mut Player<'_>) -> Result<()> {
        let Some((point, answer, waits)) = state.asked.take() else { return Ok(()) };
        for (j, (asked, stage)) in waits.into_iter().zip(&mut state.stages).enumerate() {
            *stage = self.see(j, *stage, asked, label, player)?;
        }
        if let Some(open) = &mut state.open {
            open.past.push(Past { point, label, answer });
        }
        Ok(())
    }

    /// The predictions of `A_N` when all candidates are available from the beginning: Algorithm 2 on
    /// the complete stream, and then one replacement after the other.
    pub fn offline(&self, stream: &[(usize, bool)], player: &mut Player<'_>) -> Result<Vec<bool>> {
        let run = self.algorithm.run(stream, player).map_err(fault)?;
        let mut answers: Vec<bool> = stream.iter().map(|&(x, _)| self.first().label(x)).collect();
        for (j, candidate) in run.candidates[1..].iter().enumerate() {
            let mut stage = Rule::START;
            for (answer, &(x, y)) in answers.iter_mut().zip(stream) {
                let (next, asked, after) =
                    self.answer(j, stage, *answer, candidate.label(x), player)?;
                stage = self.see(j, after, asked, y, player)?;
                *answer = next;
            }
        }
        Ok(answers)
    }

    /// A state in words.
    pub fn describe(&self, state: &State, points: &[String]) -> String {
        let rules = self.rules.iter().zip(&state.stages).zip(&state.functions);
        let mut parts: Vec<String> =
            rules.map(|((rule, &stage), h)| format!("{h}: {}", rule.describe(stage))).collect();
        if let Some(open) = &state.open {
            let past = open.past.iter().map(|round| {
                let [y, answer] = [round.label, round.answer].map(u8::from);
                format!("{}:{y}/{answer}", points[round.point])
            });
            let past: Vec<String> = past.collect();
            let level = open.candidates.level();
            let class = |group| format!("{:b}", open.candidates.class(group, level));
            let groups = self.algorithm.parameters().groups;
            let classes: Vec<String> = (0..groups).map(class).collect();
            parts.push(format!(
                "ℓ = {level}, classes {}, past ({})",
                classes.join(" "),
                past.join(", ")
            ));
        }
        if let Some((point, answer, waits)) = &state.asked {
            let waits: String = waits.iter().map(|&asked| replacement::asked(asked)).collect();
            parts.push(format!("asked {}, answered {}{waits}", points[*point], u8::from(*answer)));
        }
        parts.join("; ")
    }
}
