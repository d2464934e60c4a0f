//! How an answer about privacy is printed, and what claims are told of it.

use crate::exact::Number;
use crate::limits::Stopped;
use crate::privacy::{Notion, Verdict, Worst};
use crate::questions::blocks::{event_text, tuple};
use crate::questions::slack::exactly;
use crate::questions::subject::StreamScope;
use crate::questions::{
    Answer, Claimed, Ending, Inequality, Json as _, Known, Relation, Run, Trivial, known,
};
use crate::text::Lines;

use super::super::resolved::{Found, Overall, Witness};
use super::super::text;
use super::found::records;
use super::{PrivacyAnswer, What, length};

impl PrivacyAnswer {
    /// Why no outputs are compared at all, where that is so.
    fn nothing_is_left(&self) -> Option<String> {
        let joint = self.resolved.question.notion == Notion::Joint;
        let one = self.lengths().is_some() && self.resolved.rounds.last == 1;
        (joint && one).then(|| "with T = 1 no output is left to compare".into())
    }

    fn verdict(&self) -> Option<Verdict> {
        match &self.found {
            What::Lengths(found) => found.verdict,
            What::Every(every, _) if self.delta.is_some() || every.step.is_none() => {
                Some(every.verdict)
            }
            What::Every(..) => None,
        }
    }

    fn stopped(&self) -> Option<Stopped> {
        match &self.found {
            What::Lengths(found) => found.stopped,
            What::Every(every, _) => every.stopped,
        }
    }

    fn overall(&self) -> Option<Overall> {
        self.lengths().and_then(Found::overall)
    }

    /// A pair and the event that tells its streams apart, in one line.
    fn line(&self, witness: &Witness) -> String {
        let (automaton, event) = (&self.resolved.automaton, &witness.event);
        let interface = automaton.interface();
        let streams = [&witness.pair.first, &witness.pair.second];
        let [first, second] = streams.map(|stream| tuple(interface, stream));
        let streams = format!("{first} against {second}");
        if witness.listed && event.words.is_empty() {
            return format!("{streams}: no event has a divergence above 0");
        }
        let dropped = (self.resolved.question.notion == Notion::Joint).then_some(event.round);
        let shown = if witness.listed {
            event_text(automaton, &event.words, dropped)
        } else {
            text::RULE.to_owned()
        };
        let (p, q) = (&event.first, &event.second);
        format!("{streams}: the event {shown} has probability {p} against {q}")
    }

    /// Two records at a state, from which one step attains its bound.
    fn split(&self) -> Option<String> {
        let split = self.every()?.0.step.as_ref()?.attained_by.as_ref()?;
        let (first, second) = records(&self.resolved, split);
        let state = &self.resolved.automaton.states()[split.state];
        Some(format!("{first} against {second} in the state {state}"))
    }
}

impl Answer for PrivacyAnswer {
    fn ending(&self) -> Ending {
        match (self.verdict(), self.stopped()) {
            (Some(Verdict::Holds), _) => Ending::Holds,
            (Some(Verdict::Refuted), _) => Ending::Refuted,
            // What is decided directly has an end as well.
            (Some(Verdict::Undecided), stopped) => {
                Ending::Undecided(stopped.unwrap_or(Stopped::Bounds))
            }
            (None, Some(stopped)) if self.every().is_none() => Ending::Undecided(stopped),
            (None, _) => Ending::Found,
        }
    }

    fn text(&self) -> Lines {
        let resolved = &self.resolved;
        match &self.found {
            What::Lengths(found) => text::lengths(resolved, found),
            What::Every(every, witness) => text::every(resolved, every, witness.as_deref()),
        }
    }

    fn found(&self) -> String {
        let stopped = self.stopped().map_or_else(String::new, |stopped| format!(" ({stopped})"));
        let (setting, claimed) = (self.setting(), self.delta.as_deref().unwrap_or_default());
        let found = match (&self.found, self.overall()) {
            (What::Every(every, _), _) => {
                let bound = every.step.as_ref().map_or_else(
                    || "no bound from one step".to_owned(),
                    |step| format!("δ ≤ {} at every T by one step", step.bound),
                );
                let ends = every.ends.as_ref().map_or_else(String::new, |ends| {
                    format!(", δ ≤ {} by the outputs at the end", ends.bound)
                });
                let direct = match (every.verdict, every.decided) {
                    (Verdict::Holds, _) => String::new(),
                    (Verdict::Refuted, last) => format!("; refuted at T = {last}"),
                    (Verdict::Undecided, last) => format!("; holds up to T = {last}"),
                };
                format!("{bound}{ends}{direct}{stopped}{setting}")
            }
            (_, Some(Overall::Exact(delta, _))) => format!("worst δ = {delta}{setting}"),
            (_, Some(Overall::Between(lower, upper))) => {
                format!("{lower} ≤ worst δ ≤ {upper}{setting}{stopped}")
            }
            (What::Lengths(found), None) => match found.verdict {
                Some(Verdict::Refuted) => format!("a divergence exceeds δ{setting}"),
                Some(Verdict::Holds) => format!("no divergence exceeds δ{setting}"),
                _ => format!("not decided{setting}{stopped}"),
            },
        };
        format!("{found}; claimed δ = {claimed}")
    }

    fn setting(&self) -> String {
        let resolved = &self.resolved;
        let epsilon = format!(" at ε = {}", resolved.question.epsilon);
        let rounds = match (&self.found, resolved.rounds.range) {
            (What::Every(..), _) => return epsilon,
            (_, true) => format!("{}..{}", resolved.rounds.first, resolved.rounds.last),
            (_, false) => resolved.rounds.last.to_string(),
        };
        let streams = match (resolved.asked.streams, resolved.relation.pairs()) {
            (_, Some(pairs)) => format!(" over {} pairs of data sets", pairs.len()),
            (StreamScope::All, None) => String::new(),
            (StreamScope::Realisable, None) => " on realisable streams".into(),
        };
        format!("{epsilon}, T = {rounds}{streams}")
    }

    fn symbol(&self, path: &str) -> String {
        if path == "worst_delta" { "worst δ".into() } else { path.to_owned() }
    }

    fn known(&self, path: &str) -> Option<Known> {
        match (path, self.overall()) {
            ("worst_delta", Some(overall)) => {
                let (lower, upper) = overall.bounds();
                Some(Known::Between(lower, upper))
            }
            _ => known::at(&self.json(), path),
        }
    }

    fn trivial(&self, path: &str) -> Option<Trivial> {
        (path == "worst_delta").then(|| Trivial {
            lower: Some(Number::zero()),
            upper: Some(Number::one()),
            reason: "0 ≤ worst δ ≤ 1 for every mechanism".into(),
        })
    }

    fn moot(&self, path: &str) -> Option<String> {
        self.nothing_is_left().filter(|_| path == "worst_delta")
    }

    fn vacuous(&self) -> Option<String> {
        if self.resolved.asked.delta().is_some_and(|delta| *delta >= Number::one()) {
            return Some("no divergence exceeds 1".into());
        }
        self.nothing_is_left()
    }

    fn nothing(&self) -> Option<String> {
        let alone = match (&self.found, self.overall()) {
            (What::Every(every, _), _) => {
                every.step.as_ref().is_some_and(|step| step.attained_by.is_none())
            }
            (_, overall) => matches!(overall, Some(Overall::Exact(_, None))),
        };
        alone.then(|| "no two streams are neighbours".into())
    }

    fn evidence(&self) -> Option<String> {
        match &self.found {
            What::Lengths(found) => found.attained_by.as_ref().map(|witness| self.line(witness)),
            What::Every(..) => self.split(),
        }
    }

    fn counterexample(&self, path: &str, claimed: &Claimed, _run: &Run<'_>) -> Vec<String> {
        let mut lines = Vec::new();
        let exceeded = match path {
            "verdict" => self.refuting().zip(self.resolved.asked.delta()),
            "worst_delta" => {
                let excessive = self.lengths().and_then(|found| found.excessive.as_ref());
                excessive.zip(claimed.ceiling())
            }
            _ => None,
        };
        match &self.found {
            What::Lengths(found) => {
                let attained = found.attained_by.as_ref();
                lines.extend(attained.map(|w| format!("attained by: {}", self.line(w))));
            }
            What::Every(every, _) => {
                if let Some(Worst::Exact { delta, .. }) = &every.worst {
                    lines.push(format!("worst δ at T = {}: {delta}", every.decided));
                }
            }
        }
        if let Some((witness, bound)) = exceeded {
            let rounds = length(witness);
            lines.push(format!("counterexample, T = {rounds}: {}", self.line(witness)));
            let factor = self.resolved.question.epsilon.shown_factor();
            let event = &witness.event;
            let (p, q, divergence) = (&event.first, &event.second, &event.divergence);
            lines.push(format!("{p} - {factor} * {q} = {divergence} > {bound}"));
        }
        lines
    }

    fn remarks(&self) -> Vec<String> {
        let wide = self.every().is_some() && self.verdict() == Some(Verdict::Undecided);
        let line = self.split().filter(|_| wide);
        line.map(|line| format!("the step that is too wide: {line}")).into_iter().collect()
    }

    fn inequalities(&self) -> Vec<Inequality> {
        let Some(claimed) = self.resolved.asked.delta() else { return Vec::new() };
        let found = match (&self.found, self.overall()) {
            (What::Lengths(_), Some(overall)) => overall.bounds(),
            (What::Lengths(_), None) => match self.verdict() {
                Some(Verdict::Holds) => (Number::zero(), claimed.clone()),
                _ => return Vec::new(),
            },
            // A bound at every length is what is proved; what is attained at one length is below it.
            (What::Every(every, _), _) => {
                let steps = every.step.iter().map(|step| &step.bound);
                let bounds = steps.chain(every.ends.iter().map(|ends| &ends.bound));
                let upper = bounds.min().unwrap_or(claimed).clone();
                match &every.worst {
                    Some(Worst::Exact { delta, .. }) => (delta.clone(), upper.max(delta.clone())),
                    _ => (Number::zero(), upper),
                }
            }
        };
        vec![Inequality {
            quantity: "worst_delta".into(),
            what: self.symbol("worst_delta"),
            found: found.into(),
            relation: Relation::AtMost,
            claimed: exactly(claimed),
        }]
    }

    fn values(&self) -> Vec<(&'static str, String)> {
        let number = |key: &'static str, value: &Option<String>| Some((key, value.clone()?));
        let step = self.step.as_ref().and_then(|step| step.as_ref());
        let counterexample = self.refuting().map(|witness| witness.event.divergence.to_string());
        let values = [
            number("worst_delta", &self.worst_delta.clone().flatten()),
            number("lower", &self.lower),
            number("upper", &self.upper),
            number("step_bound", &step.map(|step| step.bound.clone())),
            number("end_bound", &self.end_bound),
            number("counterexample_delta", &counterexample),
        ];
        values.into_iter().flatten().collect()
    }
}
