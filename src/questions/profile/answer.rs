//! Profiles that were found: their JSON, and the verdict on what is claimed.

use schemars::JsonSchema;
use serde::Serialize;

use crate::exact::Number;
use crate::limits::Stopped;
use crate::privacy::{Piece, Verdict};
use crate::questions::blocks::{DIGITS, enclosure, tuple};
use crate::questions::subject::{MechanismName, StreamScope};
use crate::questions::written::ClassName;
use crate::questions::{Answer, Claimed, Ending, Heard, Run};
use crate::text::Lines;

use super::claimed::{Part, corner, judge, show};
use super::text::{self, epsilon, epsilon_decimal, pair};
use super::{Curve, ProfileQuestion};

/// More breakpoints than this are not listed in one line.
const LISTED: usize = 12;

/// The profiles of mechanisms. Numbers are text: p/q, an integer, or an expression such as
/// 3/4 - 1/4*exp(1/2).
#[derive(Debug, Serialize, JsonSchema)]
pub struct ProfileAnswer {
    /// The class as it was asked for.
    class: Option<ClassName>,
    /// Which streams were compared: replacement, add-remove, adjacent or listed.
    neighbours: &'static str,
    /// Definition 2 (whole outputs) or Definition 4 (the answer of the differing round is dropped on
    /// both sides).
    notion: &'static str,
    /// One for each mechanism.
    profiles: Vec<ProfileFound>,
    /// The number of rounds; null for listed pairs.
    rounds: Option<usize>,
    /// Which streams count.
    streams: StreamScope,
    /// The verdict on what is claimed; undecided also when a profile is not fully known.
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<String>,
    #[serde(skip)]
    asked: ProfileQuestion,
    #[serde(skip)]
    curves: Vec<Curve>,
    #[serde(skip)]
    parts: Vec<Part>,
}

/// The profile of a mechanism.
#[derive(Debug, Serialize, JsonSchema)]
struct ProfileFound {
    /// Where each linear piece begins.
    breakpoints: Vec<Breakpoint>,
    /// Whether it is fully known.
    complete: bool,
    /// δ at ε = 0.
    delta_at_epsilon_0: DeltaFound,
    /// The kind of the mechanism.
    kind: &'static str,
    /// The limit of δ as ε grows.
    limit: String,
    /// The mechanism as it was asked for.
    mechanism: MechanismName,
    /// The least ε for δ = 0.
    pure_epsilon: EpsilonFound,
    /// Number of states of the automaton.
    states: usize,
    /// δ at the ε that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    delta_at_epsilon: Option<DeltaFound>,
    /// The least ε for the δ that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    least_epsilon: Option<EpsilonFound>,
}

/// Where a linear piece begins, and what it is from there on.
#[derive(Debug, Serialize, JsonSchema)]
struct Breakpoint {
    /// The least pair of streams that attains the piece; null where δ is 0.
    attained_by: Option<StreamPair>,
    /// δ there, or a lower bound on it.
    delta: String,
    /// Decimals below and above δ, when it is not rational.
    #[serde(skip_serializing_if = "Option::is_none")]
    delta_enclosure: Option<[String; 2]>,
    /// ε there.
    epsilon: String,
    /// ε as a decimal.
    epsilon_decimal: String,
    /// Whether δ is proved to be no greater.
    exact: bool,
    /// e^ε there.
    exp_epsilon: String,
    /// P(E): on the piece, δ = P(E) − e^ε·Q(E).
    #[schemars(extend("format" = "probability"))]
    first_probability: String,
    /// Q(E).
    #[schemars(extend("format" = "probability"))]
    second_probability: String,
    /// The slope of the piece in e^ε.
    slope: String,
}

/// Two streams.
#[derive(Debug, Serialize, JsonSchema)]
struct StreamPair {
    /// The one whose outputs are more likely.
    first: String,
    /// The other one.
    second: String,
}

/// A δ, or a lower bound on it.
#[derive(Debug, Serialize, JsonSchema)]
struct DeltaFound {
    /// The number.
    delta: String,
    /// Decimals below and above it, when it is not rational.
    #[serde(skip_serializing_if = "Option::is_none")]
    delta_enclosure: Option<[String; 2]>,
    /// The ε that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    epsilon: Option<String>,
    /// Whether it is no lower bound alone.
    exact: bool,
}

/// An ε, or a lower bound on it; null when there is none.
#[derive(Debug, Serialize, JsonSchema)]
struct EpsilonFound {
    /// The δ that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    delta: Option<String>,
    /// ε.
    epsilon: Option<String>,
    /// ε as a decimal.
    #[serde(skip_serializing_if = "Option::is_none")]
    epsilon_decimal: Option<String>,
    /// Whether it is no lower bound alone.
    exact: bool,
    /// e^ε.
    #[serde(skip_serializing_if = "Option::is_none")]
    exp_epsilon: Option<String>,
}

fn ends(number: &Number) -> Option<[String; 2]> {
    number.as_rational().is_none().then(|| enclosure(number))
}

impl Curve {
    fn found(&self, asked: &ProfileQuestion) -> ProfileFound {
        let profile = &self.profile;
        let delta = asked.delta();
        let at = asked.epsilon.as_ref().map(|epsilon| DeltaFound {
            epsilon: Some(epsilon.value.to_string()),
            ..self.delta(&epsilon.value.factor())
        });
        ProfileFound {
            breakpoints: profile.pieces.iter().map(|piece| self.breakpoint(piece)).collect(),
            complete: profile.stopped.is_none(),
            delta_at_epsilon_0: self.delta(&Number::one()),
            kind: self.automaton.interface().kind().name(),
            limit: profile.limit().to_string(),
            mechanism: self.mechanism.clone(),
            pure_epsilon: self.least(&Number::zero()),
            states: self.automaton.len(),
            delta_at_epsilon: at,
            least_epsilon: delta
                .map(|delta| EpsilonFound { delta: Some(delta.to_string()), ..self.least(delta) }),
        }
    }

    fn breakpoint(&self, piece: &Piece) -> Breakpoint {
        let delta = piece.at(&piece.from);
        let attained_by = piece.attained_by.as_ref().map(|streams| {
            let [first, second] = pair(self, streams);
            StreamPair { first, second }
        });
        Breakpoint {
            attained_by,
            delta_enclosure: ends(&delta),
            delta: delta.to_string(),
            epsilon: epsilon(&piece.from),
            epsilon_decimal: epsilon_decimal(&piece.from, DIGITS),
            exact: piece.proved,
            exp_epsilon: piece.from.to_string(),
            first_probability: piece.first.to_string(),
            second_probability: piece.second.to_string(),
            slope: (-&piece.second).to_string(),
        }
    }

    fn delta(&self, factor: &Number) -> DeltaFound {
        let delta = self.profile.at(factor);
        DeltaFound {
            delta_enclosure: ends(&delta),
            delta: delta.to_string(),
            epsilon: None,
            exact: self.profile.proves(factor),
        }
    }

    fn least(&self, delta: &Number) -> EpsilonFound {
        let factor = self.profile.least_factor(delta);
        let factor = factor.as_ref();
        EpsilonFound {
            delta: None,
            epsilon: factor.map(epsilon),
            epsilon_decimal: factor.map(|factor| epsilon_decimal(factor, DIGITS)),
            exact: factor.is_none_or(|factor| self.profile.proves(factor)),
            exp_epsilon: factor.map(Number::to_string),
        }
    }

    /// The breakpoints in one line.
    fn corners(&self) -> String {
        let profile = &self.profile;
        let shown = profile.pieces.iter().take(LISTED).map(|piece| show(&corner(piece)));
        let shown: Vec<String> = shown.collect();
        let more = profile.pieces.len() - shown.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let known = profile.stopped.map_or_else(String::new, |why| format!(" at least ({why})"));
        format!("(e^ε, δ){known}: {}{more}", shown.join(", "))
    }
}

impl ProfileAnswer {
    pub(super) fn new(asked: &ProfileQuestion, curves: Vec<Curve>) -> Self {
        let judged = |curve: &Curve| judge(asked, &curve.profile);
        let parts: Vec<Part> = curves.iter().flat_map(judged).collect();
        let mut answer = Self {
            class: asked.subject.class().cloned(),
            neighbours: curves.first().map_or("replacement", |curve| curve.relation.name()),
            notion: if asked.joint() {
                "joint-differential-privacy"
            } else {
                "differential-privacy"
            },
            profiles: curves.iter().map(|curve| curve.found(asked)).collect(),
            rounds: asked.rounds.as_ref().map(|rounds| rounds.value.0),
            streams: asked.streams,
            verdict: None,
            asked: asked.clone(),
            curves,
            parts,
        };
        answer.verdict = match answer.ending() {
            Ending::Found => None,
            Ending::Holds => Some("holds".into()),
            Ending::Refuted => Some("refuted".into()),
            Ending::Undecided(_) => Some("undecided".into()),
        };
        answer
    }

    pub(super) fn so_far(&self, run: &Run<'_>) {
        run.tell(Heard::SoFar(self.text()));
    }

    pub(super) fn curves(&self) -> &[Curve] {
        &self.curves
    }

    /// Whether all profiles are fully known.
    pub(super) fn complete(&self) -> bool {
        self.stopped().is_none()
    }

    fn stopped(&self) -> Option<Stopped> {
        self.curves.iter().find_map(|curve| curve.profile.stopped)
    }

    fn claimed(&self) -> Option<Verdict> {
        let all = [Verdict::Refuted, Verdict::Undecided, Verdict::Holds];
        all.into_iter().find(|verdict| self.parts.iter().any(|part| part.verdict == *verdict))
    }

    /// A pair that attains the first profile at ε = 0.
    fn attained(&self) -> Option<String> {
        let curve = self.curves.first()?;
        let first = curve.profile.pieces.first()?;
        let pair = first.attained_by.as_ref()?;
        let interface = curve.automaton.interface();
        let delta = first.at(&first.from);
        let [first, second] = [&pair.first, &pair.second].map(|stream| tuple(interface, stream));
        Some(format!("{first} against {second} has δ = {delta} at ε = 0"))
    }
}

impl Answer for ProfileAnswer {
    fn ending(&self) -> Ending {
        match (self.claimed(), self.stopped()) {
            (Some(Verdict::Holds), _) => Ending::Holds,
            (Some(Verdict::Refuted), _) => Ending::Refuted,
            (_, Some(stopped)) => Ending::Undecided(stopped),
            (Some(Verdict::Undecided), None) => Ending::Undecided(Stopped::Bounds),
            (None, None) => Ending::Found,
        }
    }

    fn text(&self) -> Lines {
        let mut text = text::human(&self.asked, &self.curves);
        for part in &self.parts {
            writeln!(text, "claim: {}: {}", part.text, part.verdict);
        }
        if let Some(verdict) = self.claimed().filter(|verdict| *verdict != Verdict::Undecided) {
            writeln!(text, "verdict: {verdict}");
        }
        text
    }

    fn csv(&self) -> String {
        text::csv(&self.curves)
    }

    fn found(&self) -> String {
        let rounds = self.rounds.map_or_else(String::new, |rounds| format!(", T = {rounds}"));
        self.curves.first().map_or_else(String::new, |curve| format!("{}{rounds}", curve.corners()))
    }

    fn vacuous(&self) -> Option<String> {
        (self.asked.joint() && self.rounds == Some(1))
            .then(|| "with T = 1 no output is left to compare".into())
    }

    fn nothing(&self) -> Option<String> {
        let curve = self.curves.first()?;
        let single = curve.automaton.interface().records() == 1;
        let alone = single && self.neighbours == "replacement" && curve.profile.pieces.len() == 1;
        alone.then(|| "no two streams are neighbours".into())
    }

    fn evidence(&self) -> Option<String> {
        self.attained()
    }

    fn counterexample(&self, _path: &str, _claimed: &Claimed, _run: &Run<'_>) -> Vec<String> {
        self.attained().into_iter().collect()
    }

    fn remarks(&self) -> Vec<String> {
        let decisive = self.claimed().filter(|verdict| *verdict != Verdict::Holds);
        let parts = self.parts.iter().filter(|part| Some(part.verdict) == decisive);
        parts.map(|part| part.text.clone()).collect()
    }

    fn values(&self) -> Vec<(&'static str, String)> {
        let Some(curve) = self.curves.first() else { return Vec::new() };
        let shown = curve.profile.pieces.iter().map(|piece| show(&corner(piece)));
        let shown: Vec<String> = shown.collect();
        vec![("breakpoints", shown.join(", ")), ("limit", curve.profile.limit().to_string())]
    }
}
