//! The properties, and what is found about each.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use itertools::Itertools;

use crate::catalogue::candidates::{Algorithm, Fault, Rule, Statement};
use crate::error::Error;
use crate::exact::{Epsilon, Number};
use crate::limits::{Limits, Stopped};

use super::super::super::{Fields, Finding, Located, Verdict};
use super::super::bound::{Bounds, Scope};
use super::super::{decomposition, verdict};
use super::given::{Given, natural};
use super::quantity::{self, show};

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
    /// The greatest number P of pairs of a group and a function in its lists.
    Pairs,
    /// The greatest size of a list.
    ListSize,
    /// The greatest P(k − |I| > N·z).
    GroupSet { z: usize, tolerance: Option<Located<String>> },
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
    Counted,
    Nested,
    Selections,
    Success,
    Broken,
    Calls,
    Pairs,
    ListSize,
    GroupSet,
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
    ("counted", Which::Counted),
    ("nested", Which::Nested),
    ("selections", Which::Selections),
    ("success", Which::Success),
    ("broken-calls", Which::Broken),
    ("calls", Which::Calls),
    ("pairs", Which::Pairs),
    ("list-size", Which::ListSize),
    ("group-set", Which::GroupSet),
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
            Which::Unsuccessful | Which::GroupSet => &["tolerance", "z"],
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
            Which::Counted => {
                plain("lists are counted, some candidate is good", Statement::Counted)
            }
            Which::Nested => plain("dimensions fall or lists shrink", Statement::Nested),
            Which::Selections => {
                Some(Self::Statement("full batches give N selections", Kind::Selections(tolerance)))
            }
            Which::Success => Some(Self::Success),
            Which::Broken => Some(Self::Broken),
            Which::Calls => Some(Self::Calls),
            Which::Pairs => Some(Self::Pairs),
            Which::ListSize => Some(Self::ListSize),
            Which::Unsuccessful | Which::GroupSet => {
                let z = if fields.has("z") { fields.at_least("z", 0usize)?.value } else { 0 };
                Some(match which {
                    Which::GroupSet => Self::GroupSet { z, tolerance },
                    _ => Self::Unsuccessful { z, tolerance },
                })
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
            // What is listed is too much for this check alone.
            Err(Fault::Input(error @ Error::TooLarge { .. })) => Err(Error::Limit {
                stopped: Stopped::Size,
                message: error.to_string(),
                help: "ask for fewer rounds, a smaller class or smaller parameters".into(),
            }),
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
                    tolerance: quantity::tolerance(tolerance.as_ref(), &algorithm)?,
                },
            };
            return statement_holds(name, &statement, &algorithm, given, limits);
        }
        let value = quantity::of(self, &algorithm, given, limits)?;
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
            values: BTreeMap::from([("value".into(), value.number.to_string())]),
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
    finding.values.insert("runs".into(), runs.to_string());
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
