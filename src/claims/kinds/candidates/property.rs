//! The properties, and what is found about each.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use itertools::Itertools;

use crate::catalogue::candidates::{
    Algorithm, Chances, Fault, Pair, Rule, Statement, Stream, Table, tail,
};
use crate::class::Class;
use crate::error::Error;
use crate::exact::{Epsilon, Number, Rational, parse_rational};
use crate::limits::Limits;
use crate::mechanism::functions;

use super::super::super::{Fields, Finding, Located, Verdict};
use super::super::bound::{Bounds, Scope};
use super::super::{decomposition, verdict};
use super::given::{Given, natural};

/// What is claimed.
#[derive(Debug)]
pub(super) enum Property {
    /// A statement about every run.
    Statement(&'static str, Kind),
    /// The least probability that some candidate makes fewer than K mistakes.
    Success,
    /// The greatest probability that some call breaks the promise of Lemma 7.
    Broken,
    /// The greatest number of calls in one run.
    Calls,
    /// The greatest P(Z > z).
    Unsuccessful { z: usize, tolerance: Option<Located<String>> },
    /// The greatest change of Z.
    Difference { tolerance: Option<Located<String>> },
    /// The expected number of records that a group receives.
    Received,
    /// The distance of the law of the stored samples from that of line 5.
    Samples(Rule),
    /// At how many timestamps a batch changes.
    ChangedRecords,
    /// How many groups store other samples.
    ChangedGroups { by_place: bool },
    /// The worst δ for fixed tables, or for the averaged law.
    Delta { epsilon: Epsilon, fixed: bool },
}

/// Which statement.
#[derive(Debug, Clone, Copy)]
enum Which {
    Returned,
    Batches,
    Classes,
    Levels,
    Removed,
    Candidate,
    Nested,
    Selections,
    Success,
    Broken,
    Calls,
    Unsuccessful,
    Difference,
    Received,
    Samples,
    ChangedRecords,
    ChangedGroups,
    Fixed,
    Averaged,
}

/// A statement, whose tolerance may depend on d.
#[derive(Debug)]
pub(super) enum Kind {
    Plain(Statement),
    Selections(Option<Located<String>>),
}

const WORDS: &[(&str, Which)] = &[
    ("returned", Which::Returned),
    ("batches", Which::Batches),
    ("classes", Which::Classes),
    ("levels", Which::Levels),
    ("removed", Which::Removed),
    ("candidate", Which::Candidate),
    ("nested", Which::Nested),
    ("selections", Which::Selections),
    ("success", Which::Success),
    ("broken-calls", Which::Broken),
    ("calls", Which::Calls),
    ("unsuccessful", Which::Unsuccessful),
    ("bounded-difference", Which::Difference),
    ("received", Which::Received),
    ("samples", Which::Samples),
    ("changed-records", Which::ChangedRecords),
    ("changed-groups", Which::ChangedGroups),
    ("fixed-tables", Which::Fixed),
    ("averaged", Which::Averaged),
];

impl Property {
    pub fn parse(fields: &mut Fields<'_>) -> Option<Self> {
        if !fields.has("property") {
            fields.missing("the key `property`");
            return None;
        }
        let which = fields.choice("property", WORDS)?;
        let takes: &[&str] = match which {
            Which::Selections | Which::Difference => &["tolerance"],
            Which::Unsuccessful => &["tolerance", "z"],
            Which::Samples => &["rule"],
            Which::ChangedGroups => &["keyed_by"],
            Which::Fixed | Which::Averaged => &["epsilon"],
            _ => &[],
        };
        for key in ["tolerance", "z", "rule", "keyed_by", "epsilon"] {
            if fields.has(key) && !takes.contains(&key) {
                let position = fields.position();
                fields.refuse(position, &format!("no key `{key}` with this property"), "it");
            }
        }
        let tolerance =
            if fields.has("tolerance") { Some(fields.expression("tolerance")?) } else { None };
        let plain = |name, statement| Some(Self::Statement(name, Kind::Plain(statement)));
        match which {
            Which::Returned => plain("the candidates are returned and padded", Statement::Returned),
            Which::Batches => plain("batches are the first K mistakes", Statement::Batches),
            Which::Classes => plain("samples and classes are as defined", Statement::Classes),
            Which::Levels => plain("ℓ counts the failures of the run", Statement::Levels),
            Which::Removed => plain("no removed function comes back", Statement::Removed),
            Which::Candidate => plain("without ⊥ some candidate is good", Statement::Candidate),
            Which::Nested => plain("dimensions fall or lists shrink", Statement::Nested),
            Which::Selections => {
                Some(Self::Statement("full batches give N selections", Kind::Selections(tolerance)))
            }
            Which::Success => Some(Self::Success),
            Which::Broken => Some(Self::Broken),
            Which::Calls => Some(Self::Calls),
            Which::Unsuccessful => {
                let z = if fields.has("z") { fields.at_least("z", 0usize)?.value } else { 0 };
                Some(Self::Unsuccessful { z, tolerance })
            }
            Which::Difference => Some(Self::Difference { tolerance }),
            Which::Received => Some(Self::Received),
            Which::Samples => fields
                .choice(
                    "rule",
                    &[
                        ("smallest", Rule::Smallest),
                        ("first", Rule::First),
                        ("replacement", Rule::Replacement),
                    ],
                )
                .map(Self::Samples),
            Which::ChangedRecords => Some(Self::ChangedRecords),
            Which::ChangedGroups => fields
                .choice("keyed_by", &[("timestamp", false), ("place", true)])
                .map(|by_place| Self::ChangedGroups { by_place }),
            Which::Fixed => {
                verdict::epsilon(fields).map(|epsilon| Self::Delta { epsilon, fixed: true })
            }
            Which::Averaged => {
                verdict::epsilon(fields).map(|epsilon| Self::Delta { epsilon, fixed: false })
            }
        }
    }

    /// Whether this is a statement without a number.
    pub fn is_statement(&self) -> bool {
        matches!(self, Self::Statement(..))
    }

    pub fn decide(
        &self,
        given: &Given,
        bounds: Option<&Bounds>,
        limits: &Limits,
    ) -> Result<Finding, Error> {
        match self.found(given, bounds, limits) {
            Ok(finding) => Ok(finding),
            Err(Fault::Input(error)) => Err(error),
            Err(Fault::Stopped(why)) => Ok(decomposition::stopped(format!("not known: {why}"))),
        }
    }

    fn found(
        &self,
        given: &Given,
        bounds: Option<&Bounds>,
        limits: &Limits,
    ) -> Result<Finding, Fault> {
        let algorithm = given.algorithm(limits)?;
        if let Self::Statement(name, kind) = self {
            let statement = match kind {
                Kind::Plain(statement) => statement.clone(),
                Kind::Selections(tolerance) => Statement::Selections {
                    tolerance: self::tolerance(tolerance.as_ref(), &algorithm)?,
                },
            };
            return statement_holds(name, &statement, &algorithm, given, limits);
        }
        let value = self.value(&algorithm, given, limits)?;
        let bounds = bounds.expect("read with the property");
        let mut scope = scope(&algorithm, given.rounds()?);
        scope.extend(value.names.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
        let claimed = bounds.evaluate(&scope)?;
        let mut finding = Finding {
            verdict: claimed.decide(&value.number, &value.number),
            found: format!(
                "{} = {} ≈ {} for {}; claimed {claimed}",
                value.what,
                value.number,
                value.number.decimal(6),
                given.name()
            ),
            non_vacuous: None,
            details: Vec::new(),
            values: BTreeMap::from([("value", value.number.to_string())]),
        };
        let vacuous = claimed.is_vacuous(&Number::zero(), &value.most);
        if finding.verdict == Verdict::Holds && (vacuous || value.empty) {
            finding.verdict = Verdict::Vacuous;
            let why = if value.empty {
                "vacuous: there is no full batch".to_owned()
            } else {
                format!("vacuous: this is true of every number from 0 to {}", value.most)
            };
            finding.details.push(why);
        }
        if finding.verdict == Verdict::Holds {
            finding.non_vacuous = Some(value.on);
        } else {
            finding.details.push(format!("attained: {}", value.on));
        }
        finding.details.extend(remarks(&algorithm, given));
        Ok(finding)
    }

    /// The number that the bounds are about.
    fn value(&self, algorithm: &Algorithm, given: &Given, limits: &Limits) -> Result<Value, Fault> {
        let class = algorithm.class();
        let parameters = algorithm.parameters();
        let rounds = given.rounds()?;
        let simple = |what: &str, number: Number, most: Number, on: String| Value {
            what: what.into(),
            number,
            most,
            on,
            empty: false,
            names: Vec::new(),
        };
        Ok(match self {
            Self::Statement(..) => unreachable!("decided apart"),
            Self::Success => {
                let (found, stream) =
                    extreme(algorithm, given, limits, |c| &Number::one() - &c.candidate)?;
                let on = format!(
                    "on {}, where Select returns ⊥ at ℓ = d with probability {}",
                    show(class, &stream),
                    found.ended
                );
                let what = format!("least P(min M < K) over {}", given.which());
                simple(&what, found.candidate, Number::one(), on)
            }
            Self::Broken => {
                let (found, stream) = extreme(algorithm, given, limits, |c| c.broken.clone())?;
                let (most, _) = extreme(algorithm, given, limits, |c| c.call.clone())?;
                let on = format!(
                    "on {}; one call breaks the promise with probability at most {}",
                    show(class, &stream),
                    most.call
                );
                let what = format!("greatest P(a call breaks its promise) over {}", given.which());
                let mut value = simple(&what, found.broken, Number::one(), on);
                value.names = vec![("call", most.call)];
                value
            }
            Self::Calls => {
                let (found, stream) = extreme(algorithm, given, limits, |c| natural(c.calls))?;
                let most = parameters.candidates * parameters.lists.len();
                let what = format!("greatest number of calls over {}", given.which());
                simple(
                    &what,
                    natural(found.calls),
                    natural(most),
                    format!("on {}", show(class, &stream)),
                )
            }
            Self::Unsuccessful { z, tolerance } => {
                let tolerance = self::tolerance(tolerance.as_ref(), algorithm)?;
                let mut value =
                    simple("greatest P(Z > z)", Number::zero(), Number::one(), String::new());
                value.what = format!("greatest P(Z > {z}) over full first batches");
                value.names = vec![("z", natural(*z))];
                full_batches(algorithm, given, &mut value, |records| {
                    let law = algorithm.unsuccessful(records, &tolerance, limits)?;
                    let shown = law.iter().map(ToString::to_string).join(", ");
                    Ok((tail(&law, *z), format!("Z = 0, …, k with probability {shown}")))
                })?;
                value
            }
            Self::Difference { tolerance } => {
                let tolerance = self::tolerance(tolerance.as_ref(), algorithm)?;
                let most = natural(parameters.groups);
                let mut value = simple(
                    "greatest change of Z by one record",
                    Number::zero(),
                    most,
                    String::new(),
                );
                full_batches(algorithm, given, &mut value, |records| {
                    let found = algorithm.difference(records, &tolerance, limits)?;
                    Ok((
                        natural(found),
                        format!("Z changes by {found} of k = {}", parameters.groups),
                    ))
                })?;
                value
            }
            Self::Received => {
                let most = natural(parameters.batch);
                let on = format!("over all assignments of {} records", parameters.batch);
                simple("E[records of a group]", algorithm.received()?, most, on)
            }
            Self::Samples(rule) => {
                let line5 = algorithm.stored_by(Rule::Subset)?;
                let other = algorithm.stored_by(*rule)?;
                let on = format!("{} outcomes by line 5, {} by the rule", line5.len(), other.len());
                let distance = distance(&line5, &other)?;
                let mut value =
                    simple("distance of the laws of samples", distance, Number::one(), on);
                value.empty = parameters.batch <= parameters.sample;
                value
            }
            Self::ChangedRecords | Self::ChangedGroups { .. } => {
                let by_place = matches!(self, Self::ChangedGroups { by_place: true });
                let found = algorithm.changed(rounds, by_place, limits)?;
                let on = found.attained.as_ref().map_or_else(String::new, |([s, t], h, table)| {
                    format!(
                        "on {} and {}, candidate {h}, {}",
                        show(class, s),
                        show(class, t),
                        show_table(table)
                    )
                });
                if matches!(self, Self::ChangedRecords) {
                    let what = "greatest number of timestamps at which batches differ";
                    simple(what, natural(found.records), natural(rounds), on)
                } else {
                    let what = "greatest number of groups whose samples differ";
                    simple(what, natural(found.groups), natural(parameters.groups), on)
                }
            }
            Self::Delta { epsilon, fixed } => {
                let level = epsilon.factor();
                let pair = if *fixed {
                    algorithm.worst_given(rounds, &level, limits)?
                } else {
                    algorithm.worst(rounds, &level, limits)?
                };
                let what = if *fixed {
                    "worst δ over all tables and neighbouring streams"
                } else {
                    "worst δ over all neighbouring streams"
                };
                let on = show_pair(class, &pair);
                let mut value = simple(what, pair.delta, Number::one(), on);
                value.names = vec![("exp_epsilon", level)];
                value
            }
        })
    }
}

/// A number that a claim bounds.
struct Value {
    what: String,
    number: Number,
    /// What it is at most, whatever the instance.
    most: Number,
    /// Where it is attained.
    on: String,
    /// Whether there was nothing to look at.
    empty: bool,
    names: Vec<(&'static str, Number)>,
}

fn statement_holds(
    name: &str,
    statement: &Statement,
    algorithm: &Algorithm,
    given: &Given,
    limits: &Limits,
) -> Result<Finding, Fault> {
    let mut events: BTreeMap<&'static str, usize> = BTreeMap::new();
    let (mut runs, all) = (0usize, given.streams()?);
    let mut finding = Finding {
        verdict: Verdict::Holds,
        found: String::new(),
        non_vacuous: None,
        details: Vec::new(),
        values: BTreeMap::new(),
    };
    for stream in &all {
        let flow = algorithm.for_each_run(stream, limits, |run, weight| {
            runs += 1;
            let said = statement.of(algorithm, stream, run);
            for event in said.events {
                *events.entry(event).or_default() += 1;
            }
            match said.fault {
                Some(fault) => ControlFlow::Break(format!(
                    "counterexample on {}, with probability {weight}: {fault}; candidates {}",
                    show(algorithm.class(), stream),
                    run.candidates.iter().join(", ")
                )),
                None => ControlFlow::Continue(()),
            }
        })?;
        if let ControlFlow::Break(counterexample) = flow {
            finding.verdict = Verdict::Refuted;
            finding.details.push(counterexample);
            break;
        }
    }
    let which = given.which();
    finding.found = format!("{name}: {} for {}, {which}", finding.verdict, given.name());
    let seen = events.iter().map(|(event, runs)| format!("{event} ({runs})")).join("; ");
    if finding.verdict == Verdict::Holds {
        if events.is_empty() {
            finding.verdict = Verdict::Vacuous;
            finding.found = format!("{name}: vacuous for {}, {which}", given.name());
            finding.details.push("vacuous: it says nothing on any run".into());
        } else {
            let streams = all.len();
            finding.non_vacuous =
                Some(format!("{runs} runs on {streams} streams, with how many of them: {seen}"));
        }
    }
    finding.values.insert("runs", runs.to_string());
    finding.details.extend(remarks(algorithm, given));
    Ok(finding)
}

/// What is to be said about the class, and which conditions of the paper the parameters miss.
fn remarks(algorithm: &Algorithm, given: &Given) -> Vec<String> {
    let mut remarks = given.notes();
    let conditions = algorithm.parameters().conditions();
    let missed = conditions.iter().filter(|condition| !condition.holds);
    let missed = missed.map(|condition| condition.text.as_str()).join("; ");
    if !missed.is_empty() {
        remarks.push(format!("note: free parameters; the paper also asks for {missed}"));
    }
    remarks
}

/// The chances on the first stream on which a number is greatest.
fn extreme(
    algorithm: &Algorithm,
    given: &Given,
    limits: &Limits,
    of: impl Fn(&Chances) -> Number,
) -> Result<(Chances, Stream), Fault> {
    let mut best: Option<(Number, Chances, Stream)> = None;
    for stream in given.streams()? {
        let found = algorithm.chances(&stream, limits)?;
        let number = of(&found);
        let more = match &best {
            None => true,
            Some((best, ..)) => functions::compare(&number, best).map_err(Error::argument)?.is_gt(),
        };
        if more {
            best = Some((number, found, stream));
        }
    }
    let (_, found, stream) = best.expect("at least one stream");
    Ok((found, stream))
}

/// The greatest value over the streams whose first batch is full.
fn full_batches(
    algorithm: &Algorithm,
    given: &Given,
    value: &mut Value,
    of: impl Fn(&[crate::catalogue::candidates::Record]) -> Result<(Number, String), Fault>,
) -> Result<(), Fault> {
    value.empty = true;
    for stream in given.streams()? {
        let records = algorithm.batch(&algorithm.start(), &stream);
        if records.len() < algorithm.parameters().batch {
            continue;
        }
        let (number, text) = of(&records)?;
        let more = functions::compare(&number, &value.number).map_err(Error::argument)?;
        if value.empty || more.is_gt() {
            value.number = number;
            value.on = format!("on {}: {text}", show(algorithm.class(), &stream));
            value.empty = false;
        }
    }
    Ok(())
}

/// Half the sum of the differences of two laws.
fn distance<T: Ord + Clone>(p: &[(T, Number)], q: &[(T, Number)]) -> Result<Number, Error> {
    let mut gaps: BTreeMap<&T, Number> = BTreeMap::new();
    for (outcome, weight) in p {
        gaps.insert(outcome, weight.clone());
    }
    for (outcome, weight) in q {
        let gap = gaps.entry(outcome).or_insert_with(Number::zero);
        *gap = &*gap - weight;
    }
    let sum = gaps.values().fold(Number::zero(), |sum, gap| &sum + &functions::abs(gap));
    functions::divide(&sum, &2.into()).map_err(Error::argument)
}

/// 1/(64(d+1)), or what stands in its place.
fn tolerance(given: Option<&Located<String>>, algorithm: &Algorithm) -> Result<Rational, Error> {
    match given {
        None => {
            let levels = algorithm.parameters().lists.len();
            Ok(Rational::new(1.into(), (64 * levels).into()))
        }
        Some(text) => parse_rational(&text.value).map_err(|_| {
            let found = format!("`{}`", text.value);
            Error::malformed(text.position.clone(), "a rational number", found)
        }),
    }
}

/// The names that bounds may use.
fn scope(algorithm: &Algorithm, rounds: usize) -> Scope {
    let parameters = algorithm.parameters();
    let names = [
        ("n", natural(parameters.sample)),
        ("k", natural(parameters.groups)),
        ("s", natural(parameters.list_bound)),
        ("N", natural(parameters.candidates)),
        ("K", natural(parameters.batch)),
        ("B", parameters.score.clone().into()),
        ("d", i64::from(parameters.ambient).into()),
        ("T", natural(rounds)),
        ("points", natural(algorithm.class().points())),
        ("hypotheses", natural(algorithm.class().hypotheses())),
    ];
    names.map(|(name, value)| (name.to_owned(), value)).into()
}

/// A stream as text.
fn show(class: &Class, stream: &[(usize, bool)]) -> String {
    let record = |&(x, y): &(usize, bool)| format!("{}:{}", class.point_names()[x], u8::from(y));
    if stream.is_empty() { "the empty stream".into() } else { stream.iter().map(record).join(", ") }
}

fn show_table(table: &Table) -> String {
    let row = |row: &Vec<usize>| row.iter().map(|i| (i + 1).to_string()).join(" ");
    let rows = |rows: &[Vec<usize>]| rows.iter().map(row).join("; ");
    format!("groups {}, numbers {}", rows(&table.groups), rows(&table.numbers))
}

fn show_pair(class: &Class, pair: &Pair) -> String {
    let Some([s, t]) = &pair.streams else { return "on no pair it is more than 0".into() };
    let table = pair.table.as_ref().map_or_else(String::new, |t| format!(", {}", show_table(t)));
    format!("on {} against {}{table}", show(class, s), show(class, t))
}
