//! What is claimed of a profile, and what the profile says to it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::Value;

use crate::exact::{Epsilon, Number, expression};
use crate::privacy::{Piece, Profile, Verdict};
use crate::questions::written::{AtLeastZero, Reads, Written};

use super::ProfileQuestion;
use super::text::epsilon;

/// A value of e^ε ≥ 1 and δ there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimedPoint {
    pub(super) factor: Number,
    pub(super) delta: Number,
}

impl ClaimedPoint {
    fn read(factor: &str, delta: &str) -> Result<Self, String> {
        let delta = AtLeastZero::read(delta)?.0;
        let value = expression::evaluate(factor, &BTreeMap::new()).map_err(|e| e.to_string())?;
        if value < Number::one() {
            return Err(format!("expected an e^ε of at least 1, found `{factor}`"));
        }
        Ok(Self { factor: value, delta })
    }
}

impl FromStr for ClaimedPoint {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || format!("expected e^ε and δ such as `3/2:1/8`, found `{text}`");
        let (factor, delta) = text.split_once(':').ok_or_else(expected)?;
        Self::read(factor, delta)
    }
}

impl Serialize for ClaimedPoint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        [self.factor.to_string(), self.delta.to_string()].serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for ClaimedPoint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::String(text) => text.parse(),
            list => match serde_json::from_value(list) {
                Ok::<[Written; 2], _>([factor, delta]) => Self::read(&factor.0, &delta.0),
                Err(_) => Err("expected e^ε and δ, as in [\"3/2\", \"1/8\"] or `3/2:1/8`".into()),
            },
        }
        .map_err(de::Error::custom)
    }
}

impl JsonSchema for ClaimedPoint {
    fn schema_name() -> Cow<'static, str> {
        "point".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": ["array", "string"], "format": "pair", "minItems": 2, "maxItems": 2,
            "items": { "type": ["string", "integer"], "format": "number", "examples": ["3/2"] },
        })
    }
}

/// The e^ε of a claimed ε; nothing for `infinite`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeastEpsilon(pub Option<Number>);

impl Reads for LeastEpsilon {
    const FORMAT: &'static str = "epsilon";
    const EXAMPLE: &'static str = "ln(3)";

    fn read(text: &str) -> Result<Self, String> {
        if text.trim() == "infinite" {
            return Ok(Self(None));
        }
        let epsilon = Epsilon::parse(text).map_err(|error| format!("{error}, or `infinite`"))?;
        Ok(Self(Some(epsilon.factor())))
    }
}

/// What one part of a claim comes to.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) verdict: Verdict,
    pub(super) text: String,
}

/// What the profile says to all that is claimed of it.
pub(super) fn judge(asked: &ProfileQuestion, profile: &Profile) -> Vec<Part> {
    let mut judge = Judge { profile, parts: Vec::new() };
    if let Some(breakpoints) = &asked.breakpoints {
        judge.breakpoints(breakpoints);
    }
    for ClaimedPoint { factor, delta } in asked.points.iter().flatten() {
        judge.point(factor, delta);
    }
    if let (Some(delta), Some(least)) = (asked.delta(), &asked.least_epsilon) {
        judge.least(delta, least.value.0.as_ref());
    }
    if let Some(pure) = &asked.pure_epsilon {
        judge.least(&Number::zero(), pure.value.0.as_ref());
    }
    if let Some(limit) = &asked.limit {
        let proved = profile.pieces.last().is_some_and(|last| last.proved);
        judge.equal("limit of δ", profile.limit(), proved, &limit.value.0);
    }
    judge.parts
}

/// Collects the parts of a claim.
struct Judge<'p> {
    profile: &'p Profile,
    parts: Vec<Part>,
}

impl Judge<'_> {
    fn add(&mut self, verdict: Verdict, text: String) {
        self.parts.push(Part { verdict, text });
    }

    /// The claim that a number is `claimed`; `found` is a lower bound on it, and it unless not
    /// `proved`.
    fn equal(&mut self, what: &str, found: &Number, proved: bool, claimed: &Number) {
        let verdict = if found > claimed || (proved && found != claimed) {
            Verdict::Refuted
        } else if proved {
            Verdict::Holds
        } else {
            Verdict::Undecided
        };
        let sign = if proved { "=" } else { "≥" };
        self.add(verdict, format!("{what} {sign} {found}; claimed {claimed}"));
    }

    fn point(&mut self, factor: &Number, claimed: &Number) {
        let (found, proved) = (self.profile.at(factor), self.profile.proves(factor));
        self.equal(&format!("δ at e^ε = {factor}"), &found, proved, claimed);
    }

    /// The claim that the least e^ε for δ is a number, or that there is none.
    fn least(&mut self, delta: &Number, claimed: Option<&Number>) {
        let shown = |factor: Option<&Number>| factor.map_or("infinite".into(), epsilon);
        let found = self.profile.least_factor(delta);
        // Even a lower bound on the profile shows that there is none.
        let proved = found.as_ref().is_none_or(|factor| self.profile.proves(factor));
        let verdict = match (&found, claimed) {
            (None, None) => Verdict::Holds,
            (Some(found), Some(claimed)) if found == claimed && proved => Verdict::Holds,
            (Some(found), Some(claimed)) if found <= claimed && !proved => Verdict::Undecided,
            (Some(_), None) if !proved => Verdict::Undecided,
            _ => Verdict::Refuted,
        };
        let sign = if proved { "=" } else { "≥" };
        let text = format!(
            "least ε for δ = {delta} {sign} {}; claimed {}",
            shown(found.as_ref()),
            shown(claimed)
        );
        self.add(verdict, text);
    }

    fn breakpoints(&mut self, claimed: &[ClaimedPoint]) {
        let found: Vec<ClaimedPoint> = self.profile.pieces.iter().map(corner).collect();
        let exceeded = claimed.iter().find(|point| self.profile.at(&point.factor) > point.delta);
        let complete = self.profile.stopped.is_none();
        if let Some(ClaimedPoint { factor, delta }) = exceeded {
            self.point(factor, delta);
        } else if !complete {
            self.add(Verdict::Undecided, "the breakpoints are not all known".into());
        } else if let Some(missing) = found.iter().find(|point| !claimed.contains(point)) {
            self.add(Verdict::Refuted, format!("a breakpoint at {} is not claimed", show(missing)));
        } else if let Some(extra) = claimed.iter().find(|point| !found.contains(point)) {
            self.add(Verdict::Refuted, format!("there is no breakpoint at {}", show(extra)));
        } else {
            self.add(Verdict::Holds, "the breakpoints are those claimed".into());
        }
    }
}

/// Where a piece begins.
pub(super) fn corner(piece: &Piece) -> ClaimedPoint {
    ClaimedPoint { factor: piece.from.clone(), delta: piece.at(&piece.from) }
}

pub(super) fn show(point: &ClaimedPoint) -> String {
    format!("({}, {})", point.factor, point.delta)
}
