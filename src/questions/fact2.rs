//! The parts of Fact 2, for all classes on a few points or for a class and its subclasses.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::class::files;
use crate::decomposition::fact2::{AmbientDimension, Domain, Fact2, Property, Tally};
use crate::error::{Error, Result, the_nearest};
use crate::text::Lines;

use super::decomposition::OptimalTrees;
use super::door::flattened;
use super::given::HeaderField;
use super::written::{ClassName, Formula, Reads, Text};
use super::{Answer, Change, Claimed, Ending, NoFiles, Question, Run, Strengthening};

/// Check a property of Fact 2 for all classes on a few points, or all subclasses of a class.
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize, JsonSchema)]
#[command(after_help = EXAMPLES)]
pub struct Fact2Question {
    /// The part: exists, P1, P1-sharp, P2, P3-order, P3-inclusion, P3-common or P4.
    pub property: Text<Property>,
    /// All classes on that many points, at most 4.
    #[arg(long, value_name = "N", required_unless_present = "class", conflicts_with = "class")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<Text<u32>>,
    /// A class in place of all: a file, or a family such as `cube:2`.
    #[arg(long, value_name = "CLASS")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<ClassName>,
    /// How the file of the class is read.
    #[command(flatten)]
    #[serde(flatten, deserialize_with = "flattened")]
    pub header: HeaderField,
    /// Whether all subclasses of the class are looked at, or it alone.
    #[arg(long, value_enum, requires = "class")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subclasses: Option<Subclasses>,
    /// The parameter p of Definition 8, at least 1.
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    pub p: Text<u32>,
    /// The ambient dimension d, or the misreading `recomputed` [default: that of the class].
    #[arg(long, value_name = "D", allow_hyphen_values = true)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ambient: Option<Text<AmbientDimension>>,
    /// p' of P3, an expression in p and d.
    #[arg(long, value_name = "P'", allow_hyphen_values = true)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p_subclass: Option<Text<Formula>>,
    /// A bound in place of the printed one, an expression in p, d and rho.
    #[arg(long, value_name = "BOUND", allow_hyphen_values = true)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_most: Option<Text<Formula>>,
    /// How many instances P2 speaks of, an expression in p, d and rho.
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instances: Option<Text<Formula>>,
    /// The decomposition dimension of P4, 0 as printed.
    #[arg(long, value_name = "RHO", allow_hyphen_values = true)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rho: Option<Text<i32>>,
    /// Take the essential hypotheses over all optimal trees, as in Definition 9, or as a misreading
    /// over one.
    #[arg(long, value_enum, default_value_t)]
    #[serde(default)]
    pub trees: OptimalTrees,
}

/// Which subclasses of a class are looked at.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Subclasses {
    /// All that are not empty.
    All,
    /// The class alone.
    None,
}

const EXAMPLES: &str = "\
Examples:
  littlestone fact2 P3-order --points 3 --ambient 1 --p 1
  littlestone fact2 P4 --class ball:6,2 --subclasses none --p 1
  littlestone fact2 P1 --points 4 --ambient 2 --p 1 --at-most 6

Classes on a few points are looked at up to symmetry. An instance is telling where p < |X| and the
statement is not true for simpler reasons.";

impl Reads for Property {
    const FORMAT: &'static str = "property";
    const EXAMPLE: &'static str = "P3-order";

    fn read(text: &str) -> std::result::Result<Self, String> {
        let found = Self::ALL.iter().find(|(name, _)| *name == text);
        found.map(|(_, property)| *property).ok_or_else(|| {
            let names = || Self::ALL.iter().map(|(name, _)| *name);
            let near = the_nearest(text, names());
            format!(
                "expected one of {}, found `{text}`{near}",
                names().collect::<Vec<_>>().join(", ")
            )
        })
    }
}

impl Reads for AmbientDimension {
    const FORMAT: &'static str = "whole";
    const EXAMPLE: &'static str = "2";

    fn read(text: &str) -> std::result::Result<Self, String> {
        if text == "recomputed" {
            return Ok(Self::Recomputed);
        }
        let near = the_nearest(text, ["recomputed"]);
        let dimension = i32::read(text).map_err(|fault| format!("{fault}{near}"))?;
        Ok(Self::Fixed(dimension))
    }
}

/// On how many instances a part of Fact 2 is true.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Fact2Answer {
    /// What was checked.
    pub statement: String,
    /// Whether it is true of all instances.
    pub verdict: String,
    /// All instances.
    pub instances: usize,
    /// Those where the statement says something, and p < |X|.
    pub telling: usize,
    /// Those where it is false.
    pub violations: usize,
    /// The first of them.
    pub counterexamples: Vec<String>,
    #[serde(skip)]
    tally: Tally,
}

impl Question for Fact2Question {
    const NAME: &'static str = "fact2";
    const DECIDES: bool = true;
    const STRENGTHENED: &'static [Strengthening] =
        &[Strengthening { field: "at_most", change: Change::FormulaLess }];
    type Answer = Fact2Answer;
    type Files = NoFiles;

    fn validate(&self) -> Result<()> {
        let message = match (&self.points, &self.class) {
            (Some(_), None) if self.subclasses.is_some() => {
                "subclasses: expected only with `class`, found with `points`"
            }
            (Some(_), None) if self.ambient.is_none() => {
                "expected `ambient`, the dimension of the class H that all are part of, found `points` \
                 without it"
            }
            (Some(_), None) | (None, Some(_)) => return self.fact().check(),
            _ => "expected one of `points` and `class`, found both or none",
        };
        Err(Error::argument(message))
    }

    fn inputs(&self) -> Vec<PathBuf> {
        self.class.as_ref().map(|class| files(class.as_str())).unwrap_or_default()
    }

    fn answer_with(&self, _: &NoFiles, run: &Run<'_>) -> Result<Fact2Answer> {
        let fact = self.fact();
        let (mut domain, name) = match (&self.class, &self.points) {
            (Some(name), _) => {
                let loaded = run.class(name, self.header.said())?;
                let all = self.subclasses != Some(Subclasses::None);
                let domain = Domain::subclasses(&loaded.class, name.as_str(), all, &run.limits)?;
                (domain, if all { format!("subclasses of {name}") } else { name.to_string() })
            }
            (None, points) => {
                let points = points.as_ref().map_or(0, |points| points.value);
                let points = usize::try_from(points).unwrap_or(usize::MAX);
                let domain = Domain::points(points, &run.limits)?;
                (domain, format!("classes on {points} points"))
            }
        };
        if let Some(ambient) = &self.ambient {
            domain.fix(ambient.value)?;
        }
        domain.take_over(self.trees.into());
        let p = self.p.value;
        if p == 0 {
            return Err(Error::argument("p: expected at least 1, found 0"));
        }
        let d = domain.fixed().map_or("recomputed".into(), |d| format!("= {d}"));
        let tally = fact.decide(&mut domain, p)?;
        let over = match self.trees {
            OptimalTrees::All => "",
            OptimalTrees::One => ", C_p from one optimal tree",
        };
        Ok(Fact2Answer {
            statement: format!("{fact} for {name}, p = {p}, d {d}{over}"),
            verdict: if tally.violations == 0 { "holds" } else { "refuted" }.into(),
            instances: tally.instances,
            telling: tally.telling,
            violations: tally.violations,
            counterexamples: tally.counterexamples.clone(),
            tally,
        })
    }
}

impl Fact2Question {
    fn fact(&self) -> Fact2 {
        let text = |formula: &Option<Text<Formula>>| formula.as_ref().map(ToString::to_string);
        Fact2 {
            property: self.property.value,
            p_subclass: text(&self.p_subclass),
            at_most: text(&self.at_most),
            instances: text(&self.instances),
            rho: self.rho.as_ref().map(|rho| rho.value),
        }
    }
}

impl Answer for Fact2Answer {
    fn ending(&self) -> Ending {
        if self.violations == 0 { Ending::Holds } else { Ending::Refuted }
    }

    fn text(&self) -> Lines {
        let mut text = Lines::new();
        writeln!(text, "statement: {}", self.statement);
        writeln!(text, "instances: {}", self.instances);
        writeln!(text, "telling instances: {} ({})", self.telling, self.tally.criterion);
        writeln!(text, "violations: {}", self.violations);
        for counterexample in &self.counterexamples {
            writeln!(text, "counterexample: {counterexample}");
        }
        writeln!(text, "verdict: {}", self.verdict);
        text
    }

    fn found(&self) -> String {
        let Self { statement, violations, instances, .. } = self;
        format!("{statement}: false for {violations} of {instances} instances")
    }

    fn vacuous(&self) -> Option<String> {
        let criterion = self.tally.criterion;
        let why = || format!("p ≥ |X|, or there is no instance with {criterion}");
        (self.telling == 0).then(why)
    }

    fn counterexample(&self, _: &str, _: &Claimed, _: &Run<'_>) -> Vec<String> {
        self.counterexamples.clone()
    }

    fn evidence(&self) -> Option<String> {
        let of_rho = |(rho, count)| format!("{count} with ρ = {rho}");
        let by_rho: Vec<String> = self.tally.by_rho.iter().map(of_rho).collect();
        let (telling, criterion) = (self.telling, self.tally.criterion);
        Some(format!("{telling} instances have {criterion}: {}", by_rho.join(", ")))
    }
}
