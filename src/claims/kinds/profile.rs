//! Kind `profile`: the worst δ as a function of ε.

use std::collections::BTreeMap;

use crate::error::Error;
use crate::exact::{Epsilon, Number};
use crate::limits::{Limits, Progress};
use crate::mechanism::Automaton;
use crate::privacy::{self, Neighbours, Notion, Piece, Profile, check_streams};
use crate::report::profile::epsilon;

use super::super::{Fields, Finding, Located, Verdict};
use super::bound::{Scope, evaluate};
use super::subject::{MECHANISM, ROUNDS, STREAMS, Subject, WITH, Which, show_stream};
use super::verdict;
use super::{Check, Classes, Key, Kind, Parse, keys};

pub(super) static KIND: Kind = Kind {
    name: "profile",
    about: "the privacy profile of a mechanism: its worst δ as a function of ε",
    keys: &[
        MECHANISM,
        keys::CLASS,
        keys::HEADER,
        ROUNDS,
        Key { name: "notion", grid: true, about: "`whole` outputs (Definition 2), or `joint` (4)" },
        Key {
            name: "breakpoints",
            grid: false,
            about: "all pairs of e^ε and δ where the profile bends, from e^ε = 1 on",
        },
        Key { name: "points", grid: false, about: "pairs of e^ε and the worst δ there" },
        Key { name: "delta", grid: true, about: "the δ of `least_epsilon`, an exact expression" },
        Key {
            name: "least_epsilon",
            grid: true,
            about: "the least ε for `delta`: an expression, ln(expression) or `infinite`",
        },
        Key { name: "pure_epsilon", grid: true, about: "the same for δ = 0" },
        Key { name: "limit", grid: true, about: "the limit of δ as ε grows" },
        STREAMS,
        Key {
            name: "neighbours",
            grid: true,
            about: "`replacement`, or `add-remove` for one-shot mechanisms",
        },
        WITH,
    ],
    parse: Parse::Own(parse),
};

const CLAIMED: [&str; 5] = ["breakpoints", "points", "least_epsilon", "pure_epsilon", "limit"];

/// More breakpoints than this are not listed.
const LISTED: usize = 12;

#[derive(Debug)]
struct ProfileCheck {
    subject: Subject,
    rounds: usize,
    notion: Notion,
    streams: Which,
    neighbours: Neighbours,
    breakpoints: Option<Vec<[Located<String>; 2]>>,
    points: Vec<[Located<String>; 2]>,
    delta: Option<Located<String>>,
    least: Option<Located<String>>,
    pure: Option<Located<String>>,
    limit: Option<Located<String>>,
}

fn parse(fields: &mut Fields<'_>) -> Option<Box<dyn Check>> {
    let subject = Subject::parse(fields);
    let rounds = fields.needed_rounds(ROUNDS.name);
    let notion = fields.choice("notion", &[("whole", Notion::Whole), ("joint", Notion::Joint)]);
    let streams =
        fields.choice(STREAMS.name, &[("all", Which::All), ("realisable", Which::Realisable)]);
    let neighbours = fields.choice(
        "neighbours",
        &[("replacement", Neighbours::Replacement), ("add-remove", Neighbours::AddRemove)],
    );
    if !CLAIMED.iter().any(|key| fields.has(key)) {
        let names: Vec<String> = CLAIMED.iter().map(|key| format!("`{key}`")).collect();
        fields.missing(&format!("one of the keys {}", names.join(", ")));
    }
    if fields.has("delta") != fields.has("least_epsilon") {
        fields.missing("both of the keys `delta` and `least_epsilon`, or none");
    }
    let breakpoints = fields.pairs("breakpoints");
    let points = fields.pairs("points");
    if (fields.has("breakpoints") && breakpoints.is_none())
        || (fields.has("points") && points.is_none())
    {
        return None;
    }
    if breakpoints.iter().chain(&points).any(Vec::is_empty) {
        fields.missing("at least one pair at `breakpoints` and `points`");
        return None;
    }
    let check = ProfileCheck {
        delta: fields.expression("delta"),
        least: fields.expression("least_epsilon"),
        pure: fields.expression("pure_epsilon"),
        limit: fields.expression("limit"),
        subject: subject?,
        rounds: rounds?,
        notion: notion?,
        streams: streams?,
        neighbours: neighbours?,
        breakpoints,
        points: points.unwrap_or_default(),
    };
    Some(Box::new(check))
}

/// What one part of a claim comes to.
struct Part {
    verdict: Verdict,
    text: String,
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

    fn breakpoints(&mut self, claimed: &[[Number; 2]]) {
        let found: Vec<[Number; 2]> = self.profile.pieces.iter().map(corner).collect();
        let exceeded =
            claimed.iter().find(|[factor, delta]| self.profile.at(factor) > *delta).cloned();
        let complete = self.profile.stopped.is_none();
        if let Some([factor, delta]) = exceeded {
            self.point(&factor, &delta);
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

fn corner(piece: &Piece) -> [Number; 2] {
    [piece.from.clone(), piece.at(&piece.from)]
}

fn show([factor, delta]: &[Number; 2]) -> String {
    format!("({factor}, {delta})")
}

impl Check for ProfileCheck {
    fn load(&mut self, classes: &mut Classes<'_>) {
        self.subject.load(classes);
    }

    fn run(&self, limits: &Limits) -> Result<Finding, Error> {
        let scope = self.scope()?;
        let mut options = Subject::options(self.rounds, limits);
        if self.neighbours == Neighbours::AddRemove {
            options.sizes = Some(self.rounds - 1..=self.rounds);
        }
        check_streams(self.subject.interface(limits)?.records(), self.rounds)?;
        let built = self.subject.build(&options, limits)?;
        let automaton = &built.automaton;
        let points = self.breakpoints.iter().flatten().chain(&self.points);
        let factors = points.map(|[factor, _]| evaluate(factor, &scope));
        let factors = factors.collect::<Result<Vec<Number>, Error>>()?;
        automaton.fits(&factors).map_err(|error| self.subject.fault(&error))?;
        let streams = self.subject.streams(self.streams, automaton.interface(), limits)?;
        let (question, progress) = ((self.notion, self.neighbours), Progress::default());
        let profile =
            privacy::profile(automaton, &streams, question, self.rounds, limits, &progress)
                .map_err(|error| self.subject.fault(&error))?;
        let parts = self.judge(&profile, &scope)?;
        let worst = [Verdict::Refuted, Verdict::Undecided]
            .into_iter()
            .find(|verdict| parts.iter().any(|part| part.verdict == *verdict));
        let mut finding = Finding {
            verdict: worst.unwrap_or(Verdict::Holds),
            found: format!("{}, T = {}", corners(&profile), self.rounds),
            non_vacuous: None,
            details: Vec::new(),
            values: values(&profile),
        };
        let first = attained(&profile, automaton);
        match finding.verdict {
            Verdict::Holds => match self.vacuous(&profile, automaton) {
                Some(reason) => {
                    finding.verdict = Verdict::Vacuous;
                    finding.details.push(format!("vacuous: {reason}, so this claim says nothing"));
                }
                None => finding.non_vacuous = first,
            },
            verdict => {
                let decisive = parts.into_iter().filter(|part| part.verdict == verdict);
                finding.details.extend(decisive.map(|part| part.text));
                finding.details.extend(first);
            }
        }
        finding.details.extend(built.notes());
        Ok(finding)
    }
}

impl ProfileCheck {
    fn scope(&self) -> Result<Scope, Error> {
        let pairs = self.breakpoints.iter().flatten().chain(&self.points).flatten();
        let single = [&self.delta, &self.least, &self.pure, &self.limit].into_iter().flatten();
        self.subject.scope(Some(self.rounds), pairs.chain(single))
    }

    fn judge(&self, profile: &Profile, scope: &Scope) -> Result<Vec<Part>, Error> {
        let mut judge = Judge { profile, parts: Vec::new() };
        if let Some(breakpoints) = &self.breakpoints {
            judge.breakpoints(&pairs(breakpoints, scope)?);
        }
        for [factor, delta] in pairs(&self.points, scope)? {
            judge.point(&factor, &delta);
        }
        if let (Some(delta), Some(least)) = (&self.delta, &self.least) {
            judge.least(&verdict::delta(delta, scope)?, factor_of(least, scope)?.as_ref());
        }
        if let Some(pure) = &self.pure {
            judge.least(&Number::zero(), factor_of(pure, scope)?.as_ref());
        }
        if let Some(limit) = &self.limit {
            let last = &profile.pieces[profile.pieces.len() - 1];
            judge.equal("limit of δ", profile.limit(), last.proved, &evaluate(limit, scope)?);
        }
        Ok(judge.parts)
    }

    /// Why the claim would be true of every mechanism, if it would.
    fn vacuous(&self, profile: &Profile, automaton: &Automaton) -> Option<&'static str> {
        if self.notion == Notion::Joint && self.rounds == 1 {
            return Some("with T = 1 no output is left to compare");
        }
        let single = automaton.interface().records() == 1;
        let replaced = self.neighbours == Neighbours::Replacement;
        (single && replaced && profile.pieces.len() == 1).then_some("no two streams are neighbours")
    }
}

/// Values of e^ε ≥ 1 and δ.
fn pairs(pairs: &[[Located<String>; 2]], scope: &Scope) -> Result<Vec<[Number; 2]>, Error> {
    let pair = |[factor, delta]: &[Located<String>; 2]| {
        let value = evaluate(factor, scope)?;
        if value < Number::one() {
            return Err(below(factor, "an e^ε of at least 1", &value));
        }
        Ok([value, verdict::delta(delta, scope)?])
    };
    pairs.iter().map(pair).collect()
}

fn below(expression: &Located<String>, expected: &str, value: &Number) -> Error {
    let found = format!("`{}` = {value}", expression.value);
    Error::malformed(expression.position.clone(), expected, found)
}

/// e^ε for an ε that is given as [`Epsilon::parse`] reads it, or as `infinite`.
fn factor_of(text: &Located<String>, scope: &Scope) -> Result<Option<Number>, Error> {
    if text.value.trim() == "infinite" {
        return Ok(None);
    }
    let epsilon = Epsilon::parse_in(&text.value, scope).map_err(|error| {
        let expected = "a rational ε at least 0, ln(expression) or `infinite`";
        let found = format!("`{}`: {error}", text.value);
        Error::malformed(text.position.clone(), expected, found)
    })?;
    Ok(Some(epsilon.factor()))
}

/// The breakpoints in one line.
fn corners(profile: &Profile) -> String {
    let shown = profile.pieces.iter().take(LISTED).map(|piece| show(&corner(piece)));
    let shown: Vec<String> = shown.collect();
    let more = profile.pieces.len() - shown.len();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let known = profile.stopped.map_or_else(String::new, |why| format!(" at least ({why})"));
    format!("(e^ε, δ){known}: {}{more}", shown.join(", "))
}

/// A pair that attains the profile at ε = 0.
fn attained(profile: &Profile, automaton: &Automaton) -> Option<String> {
    let first = &profile.pieces[0];
    let pair = first.attained_by.as_ref()?;
    let stream = |stream: &[usize]| show_stream(automaton.interface(), stream);
    let delta = first.at(&first.from);
    Some(format!(
        "{} against {} has δ = {delta} at ε = 0",
        stream(&pair.first),
        stream(&pair.second)
    ))
}

fn values(profile: &Profile) -> BTreeMap<String, String> {
    let shown: Vec<String> = profile.pieces.iter().map(|piece| show(&corner(piece))).collect();
    BTreeMap::from([
        ("breakpoints".into(), shown.join(", ")),
        ("limit".into(), profile.limit().to_string()),
    ])
}
