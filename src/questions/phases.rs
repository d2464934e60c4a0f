//! The deterministic stream that Theorem 2 builds for a learner.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::adversary::{Phase, Phases, Shared, phases};
use crate::class::{Class, files};
use crate::error::Result;
use crate::exact::Number;
use crate::limits::Meter;
use crate::littlestone::Solver;
use crate::mechanism::stream;
use crate::text::{Lines, quote};

use super::blocks::{self, tuple, with_decimal};
use super::door::flattened;
use super::given::HeaderField;
use super::known::{about, size};
use super::subject::{Length, MechanismName};
use super::written::{ClassName, Text};
use super::{Answer, ClaimKind, Claimed, Ending, Exact, Heard, NoFiles, Question, Run, Trivial};

/// Build the deterministic stream of Theorem 2 for a learner: hard phases at the nodes of a path
/// through a shattered tree.
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize, JsonSchema)]
#[command(after_help = EXAMPLES)]
pub struct PhasesQuestion {
    /// The learner: a `.rhai`, `.json` or `.toml` file or the name of a mechanism, with parameters.
    pub mechanism: MechanismName,
    /// The class: a file (CSV, 0/1 text or JSON), or a family such as `cube:4`.
    #[arg(long, value_name = "CLASS")]
    pub class: ClassName,
    /// How the file of the class is read.
    #[command(flatten)]
    #[serde(flatten, deserialize_with = "flattened")]
    pub header: HeaderField,
    /// Number of rounds.
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub rounds: Text<Length>,
    /// Which quantity the value is.
    #[arg(long, value_enum, default_value_t)]
    #[serde(default)]
    pub quantity: PhasesQuantity,
    /// Theorem 2 as it is written, or a misreading.
    #[arg(long, value_enum, default_value_t)]
    #[serde(default)]
    pub reading: PhasesReading,
}

const EXAMPLES: &str = "\
Examples:
  littlestone adversary phases soa-learner --class cube:4 --rounds 7
  littlestone adversary phases soa-learner --class cube:4 --rounds 7 --quantity informative

`littlestone mistakes --adversary phases` plays against the stream, draws it and certifies it.";

/// A quantity of Theorem 2's stream.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum PhasesQuantity {
    /// The expected number of mistakes on the stream.
    #[default]
    Mistakes,
    /// That on informative examples.
    Informative,
    /// 1 if no hypothesis fits the stream, else 0.
    Unrealisable,
}

/// How Theorem 2's stream is read.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum PhasesReading {
    /// The dummy example is that of the root.
    #[default]
    Paper,
    /// A misreading: the dummy example is that of the first phase's node.
    FirstNode,
}

impl Question for PhasesQuestion {
    const NAME: &'static str = "phases";
    const KINDS: &'static [ClaimKind] = &[ClaimKind {
        name: "phases",
        about: "a quantity of the deterministic stream that Theorem 2 builds for a learner",
        sets: &[],
        renames: &[],
        asserts: &about("value"),
    }];
    type Answer = PhasesAnswer;
    type Files = NoFiles;

    fn inputs(&self) -> Vec<PathBuf> {
        self.mechanism.files().into_iter().chain(files(self.class.as_str())).collect()
    }

    fn answer_with(&self, _: &NoFiles, run: &Run<'_>) -> Result<PhasesAnswer> {
        let rounds = self.rounds.value.0;
        let subject =
            run.resolve(&self.mechanism, Some(&self.class), self.header.said(), Heard::Note)?;
        let class = subject.class("phases")?;
        let automaton = subject.automaton(rounds, &run.limits)?;
        let solver = Solver::new(class, run.limits.clone());
        let shared = match self.reading {
            PhasesReading::Paper => Shared::Root,
            PhasesReading::FirstNode => Shared::FirstNode,
        };
        let mut meter = Meter::new(&run.limits, &run.progress);
        let found = phases(&automaton, &solver, rounds, shared, &mut meter)?;
        let informative =
            found.phases.iter().fold(Number::zero(), |sum, phase| &sum + &phase.mistakes);
        let (value, symbol, most) = match self.quantity {
            PhasesQuantity::Mistakes => (found.expected.mistakes.clone(), "E[M_T]", size(rounds)),
            PhasesQuantity::Informative => (
                informative.clone(),
                "E[mistakes on informative examples]",
                size(found.length * found.phases.len()),
            ),
            PhasesQuantity::Unrealisable => {
                (size(usize::from(found.hypothesis.is_none())), "unrealisable", Number::one())
            }
        };
        let interface = automaton.interface();
        Ok(PhasesAnswer {
            mechanism: self.mechanism.clone(),
            class: self.class.clone(),
            rounds,
            length: found.length,
            quantity: self.quantity,
            value: Exact(value),
            expected_mistakes: Exact(found.expected.mistakes.clone()),
            informative_mistakes: Exact(informative),
            stream: found.stream.iter().map(|&r| stream::name(interface, r)).collect(),
            path: PathFound::new(&found, class),
            class_line: blocks::class_line(self.class.as_str(), class),
            tuple: tuple(interface, &found.stream),
            symbol,
            most,
        })
    }
}

/// Theorem 2's stream for a learner.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PhasesAnswer {
    /// The learner as it was asked for.
    mechanism: MechanismName,
    /// The class as it was asked for.
    class: ClassName,
    /// The number T of rounds.
    rounds: usize,
    /// The number n of rounds of a phase.
    length: usize,
    /// Which quantity the value is.
    quantity: PhasesQuantity,
    /// The value of the quantity.
    value: Exact,
    /// The expected number of mistakes on the stream.
    #[schemars(extend("format" = "amount"))]
    expected_mistakes: Exact,
    /// The expected number of mistakes on informative examples.
    #[schemars(extend("format" = "amount"))]
    informative_mistakes: Exact,
    /// The stream.
    stream: Vec<String>,
    #[serde(flatten)]
    path: PathFound,
    #[serde(skip)]
    class_line: String,
    #[serde(skip)]
    tuple: String,
    #[serde(skip)]
    symbol: &'static str,
    #[serde(skip)]
    most: Number,
}

impl Answer for PhasesAnswer {
    fn ending(&self) -> Ending {
        Ending::Found
    }

    fn text(&self) -> Lines {
        let mut text = Lines::new();
        writeln!(text, "mechanism: {} (learner)", self.mechanism);
        text.push(&self.class_line);
        writeln!(text, "stream: {}", self.stream.join(","));
        self.path.lines(&mut text);
        let informative = with_decimal(&self.informative_mistakes.0);
        writeln!(text, "expected mistakes on informative examples: {informative}");
        writeln!(text, "expected mistakes: {}", with_decimal(&self.expected_mistakes.0));
        text
    }

    fn symbol(&self, path: &str) -> String {
        if path == "value" { self.symbol } else { path }.to_owned()
    }

    fn setting(&self) -> String {
        format!(" on {}", self.tuple)
    }

    fn names(&self) -> Vec<(&'static str, Number)> {
        vec![("k", size(self.path.phases.len())), ("n", size(self.length))]
    }

    fn trivial(&self, path: &str) -> Option<Trivial> {
        let most = &self.most;
        (path == "value").then(|| Trivial {
            lower: Some(Number::zero()),
            upper: Some(most.clone()),
            reason: format!("the value is between 0 and {most} for any learner"),
        })
    }

    fn counterexample(&self, _: &str, _: &Claimed, _: &Run<'_>) -> Vec<String> {
        self.evidence().into_iter().collect()
    }

    fn evidence(&self) -> Option<String> {
        let phase = |phase: &PhaseFound| {
            let PhaseFound { point, label, expected_mistakes: Exact(mistakes), .. } = phase;
            format!("{}:{label} with E[X] = {mistakes}", quote(point))
        };
        let phases: Vec<String> = self.path.phases.iter().map(phase).collect();
        Some(format!("phases {}", phases.join("; ")))
    }
}

/// The path that Theorem 2's stream takes through a shattered tree.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PathFound {
    /// The dummy example, as point:label.
    dummy: String,
    /// The name of a hypothesis that fits the stream, null if there is none.
    hypothesis: Option<String>,
    /// The phases in order.
    phases: Vec<PhaseFound>,
    #[serde(skip)]
    lines: Lines,
}

/// One phase of Theorem 2's stream.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PhaseFound {
    /// The expected number of mistakes on its informative examples.
    #[schemars(extend("format" = "amount"))]
    expected_mistakes: Exact,
    /// Its first round, counted from 1.
    first_round: usize,
    /// Its informative rounds.
    informative_rounds: Vec<usize>,
    /// The label of its informative examples, 0 or 1.
    label: u8,
    /// Its last round.
    last_round: usize,
    /// Its point: the node of the tree.
    point: String,
}

impl PathFound {
    pub(super) fn new(found: &Phases, class: &Class) -> Self {
        let points = class.point_names();
        let phase = |phase: &Phase| PhaseFound {
            expected_mistakes: Exact(phase.mistakes.clone()),
            first_round: phase.first,
            informative_rounds: phase.informative.clone(),
            label: u8::from(phase.label),
            last_round: phase.first + found.length - 1,
            point: points[phase.point].clone(),
        };
        let phases: Vec<PhaseFound> = found.phases.iter().map(phase).collect();
        let dummy = format!("{}:{}", quote(&points[found.dummy / 2]), found.dummy % 2);
        let mut lines = Lines::new();
        let (dimension, root) = (found.dimension, &points[found.root]);
        writeln!(lines, "tree: depth d = {dimension}, root {root}; dummy example {dummy}");
        for (place, phase) in (1..).zip(&phases) {
            writeln!(lines, "phase {place}, {}", phase.line());
        }
        let hypothesis = found.hypothesis.map(|h| class.hypothesis_name(h).into_owned());
        match (&hypothesis, found.hypothesis) {
            (Some(name), Some(h)) => writeln!(lines, "realised by: {name} ({})", class.labels(h)),
            _ => lines.push("realised by: no hypothesis"),
        }
        Self { dummy, hypothesis, phases, lines }
    }

    /// What is said of it.
    pub(super) fn lines(&self, text: &mut Lines) {
        text.extend(&self.lines);
    }
}

impl PhaseFound {
    fn line(&self) -> String {
        let Self { first_round: first, last_round: last, label, .. } = self;
        let point = quote(&self.point);
        let rounds = if first == last {
            format!("round {last}")
        } else {
            format!("rounds {first} to {last}")
        };
        let informative: Vec<String> =
            self.informative_rounds.iter().map(ToString::to_string).collect();
        let informative = match informative.len() {
            0 => "no informative round".to_owned(),
            1 => format!("{point}:{label} in round {}", informative[0]),
            _ => format!("{point}:{label} in rounds {}", informative.join(", ")),
        };
        format!(
            "{rounds}: node {point}, label {label}, {informative}; expected mistakes on informative \
             examples: {}",
            with_decimal(&self.expected_mistakes.0)
        )
    }
}
