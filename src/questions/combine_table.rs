//! How large D must be for Algorithm 4: its worst δ against D (Lemma 13).

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::blocks::enclosure;
use crate::catalogue::Standard;
use crate::error::Result;
use crate::exact::{Epsilon, Number};
use crate::file;
use crate::limits::{Limits, Progress, Stopped};
use crate::mechanism::spec::{Context, Spec};
use crate::mechanism::{Mechanism as _, Options, compile};
use crate::privacy::{self, Lengths, Neighbours, Notion, Streams, Worst};
use crate::report::combine::{Asked, Row, draw, smallest};
use crate::text::Lines;

use super::subject::{Length, Rounds};
use super::written::{Delta, Reads, Text, svg_path};
use super::{Answer, Ending, OutputFiles, Question, Run, known};

/// The worst δ of Algorithm 4 against D, over all streams of triples (Lemma 13).
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize, JsonSchema)]
#[command(after_help = EXAMPLES)]
pub struct CombineTableQuestion {
    /// The ε: a rational number such as 1/2, or a logarithm such as `ln(3/2)`.
    #[arg(long, value_name = "E", allow_hyphen_values = true)]
    pub epsilon: Text<Epsilon>,
    /// The number of rounds.
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub rounds: Text<Length>,
    /// Also find the smallest D for this δ, a rational number in [0, 1).
    #[arg(long, value_name = "D", allow_hyphen_values = true)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delta: Option<Text<Delta>>,
    /// The values of D.
    #[arg(
        long,
        value_name = "A..B",
        default_value_t = first_values(),
        allow_hyphen_values = true
    )]
    #[serde(default = "first_values")]
    pub d: Text<ValuesOfD>,
}

const EXAMPLES: &str = "\
Examples:
  littlestone table combine --epsilon 1/2 --rounds 6
  littlestone table combine --epsilon 'ln(3/2)' --rounds 4 --delta 1/20 --svg combine.svg
  littlestone table combine --epsilon 1/2 --rounds 6 --d 1..32 --format csv

Every value is exact for streams of T rounds; a longer stream can only make it worse.
If a limit is hit, the table ends before the D that was not decided, and the exit code is 3.";

/// Values of D: one, or a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ValuesOfD {
    /// The least.
    pub first: usize,
    /// The greatest.
    pub last: usize,
}

impl Reads for ValuesOfD {
    const FORMAT: &'static str = "whole";
    const EXAMPLE: &'static str = "1..16";

    fn read(text: &str) -> std::result::Result<Self, String> {
        // It is written as a range of rounds is.
        let Rounds { first, last, .. } = Rounds::read(text).map_err(
            |_| "expected a value of D, at least 1, or a range such as 1..6, which includes 6",
        )?;
        Ok(Self { first, last })
    }
}

fn first_values() -> Text<ValuesOfD> {
    ValuesOfD::EXAMPLE.parse().expect("an example is well formed")
}

/// The picture of the table.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct CombineTableFiles {
    /// Write a drawing: δ against D, as SVG.
    #[arg(long, value_name = "FILE.svg", value_parser = svg_path)]
    pub svg: Option<PathBuf>,
}

impl OutputFiles for CombineTableFiles {
    fn options(&self) -> Vec<(&'static str, Option<&PathBuf>)> {
        vec![("--svg", self.svg.as_ref())]
    }
}

/// The worst δ for each D.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CombineTableAnswer {
    /// The mechanism, whose parameter is D.
    pub mechanism: &'static str,
    /// What is private.
    pub notion: &'static str,
    /// ε.
    pub epsilon: String,
    /// The number of rounds.
    pub rounds: usize,
    /// The δ that a D is wanted for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delta: Option<String>,
    /// The least D in the table whose worst δ is at most the wanted one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub smallest: Option<Option<usize>>,
    /// Whether all values of D that were asked for are there.
    pub complete: bool,
    /// The table.
    pub rows: Vec<CombineTableRow>,
    #[serde(skip)]
    stopped: Option<Stopped>,
}

/// The worst δ for one D.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CombineTableRow {
    /// D.
    pub d: usize,
    /// The worst δ at ε over all streams of triples, exactly.
    #[schemars(extend("format" = "probability"))]
    pub worst_delta: String,
    /// Decimals of it.
    pub decimal: String,
    /// Decimals on both sides, where it is no rational number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worst_delta_enclosure: Option<[String; 2]>,
    #[serde(skip)]
    short: String,
}

/// Digits after the point of decimals beside exact numbers, in data and for reading.
const DIGITS: [u32; 2] = [12, 6];

impl CombineTableRow {
    fn new(row: &Row) -> Self {
        let irrational = row.delta.as_rational().is_none();
        let [decimal, short] = DIGITS.map(|digits| row.delta.decimal(digits));
        Self {
            d: row.d,
            worst_delta: row.delta.to_string(),
            decimal,
            worst_delta_enclosure: irrational.then(|| enclosure(&row.delta)),
            short,
        }
    }
}

impl Question for CombineTableQuestion {
    const NAME: &'static str = "combine-table";
    type Answer = CombineTableAnswer;
    type Files = CombineTableFiles;

    fn inputs(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    fn answer_with(&self, files: &CombineTableFiles, run: &Run<'_>) -> Result<CombineTableAnswer> {
        let asked = Asked {
            epsilon: self.epsilon.value.clone(),
            rounds: self.rounds.value.0,
            delta: self.delta.as_ref().map(|delta| delta.value.0.clone()),
        };
        let mut rows = Vec::new();
        let mut stopped = None;
        for d in self.d.value.first..=self.d.value.last {
            // Another D is another question.
            run.progress.ask(format!("worst δ for D = {d}"));
            match worst(d, &asked, &run.limits, &run.progress)? {
                Ok(delta) => rows.push(Row { d, delta }),
                Err(reason) => {
                    run.warn(format!("the worst δ for D = {d} is not known: {reason}"));
                    stopped = Some(reason);
                    break;
                }
            }
        }
        if let (Some(path), None) = (&files.svg, stopped) {
            let drawing = draw(&asked, &rows)?;
            file::write(path, |out| out.write_all(drawing.as_bytes()))?;
            run.wrote("drawing", path);
        }
        Ok(CombineTableAnswer {
            mechanism: "combine",
            notion: "joint-differential-privacy",
            epsilon: asked.epsilon.to_string(),
            rounds: asked.rounds,
            delta: asked.delta.as_ref().map(Number::to_string),
            smallest: asked.delta.as_ref().map(|_| smallest(&asked, &rows)),
            complete: stopped.is_none(),
            rows: rows.iter().map(CombineTableRow::new).collect(),
            stopped,
        })
    }
}

impl Answer for CombineTableAnswer {
    fn ending(&self) -> Ending {
        self.stopped.map_or(Ending::Found, Ending::Undecided)
    }

    fn text(&self) -> Lines {
        let mut text = Lines::new();
        text.push("mechanism: combine (Algorithm 4), all streams of triples");
        text.push("notion: joint (ε,δ)-differential privacy, Definition 4");
        writeln!(text, "rounds: {}", self.rounds);
        writeln!(text, "ε: {}", self.epsilon);
        if let Some(delta) = &self.delta {
            writeln!(text, "δ: {delta}");
        }
        let rows = &self.rows;
        let width = rows.iter().map(|row| row.d.to_string().len()).max().unwrap_or(1).max(1);
        let wide = rows.iter().map(|row| row.short.chars().count()).max().unwrap_or(0);
        writeln!(text, "{:>width$}  {:<wide$}  worst δ", "D", "decimal");
        for CombineTableRow { d, short, worst_delta, .. } in rows {
            writeln!(text, "{d:>width$}  {short:<wide$}  {worst_delta}");
        }
        if let (Some(smallest), Some((first, last))) =
            (self.smallest, rows.first().zip(rows.last()))
        {
            let none = || format!("none from {} to {}", first.d, last.d);
            let found = smallest.map_or_else(none, |d| d.to_string());
            writeln!(text, "smallest D that is private: {found}");
        }
        text
    }

    fn csv(&self) -> String {
        #[derive(Serialize)]
        struct Record<'r> {
            #[serde(rename = "D")]
            d: usize,
            worst_delta: &'r str,
            decimal: &'r str,
        }
        let records: Vec<Record<'_>> = self
            .rows
            .iter()
            .map(|row| Record { d: row.d, worst_delta: &row.worst_delta, decimal: &row.decimal })
            .collect();
        known::records(&records)
    }
}

/// The worst δ for one D, or the limit that was hit.
fn worst(
    d: usize,
    asked: &Asked,
    limits: &Limits,
    progress: &Progress,
) -> Result<std::result::Result<Number, Stopped>> {
    let spec = Spec::parse(&format!("combine:D={d}"), Path::new(""))?;
    let mechanism =
        Context { tools: None, catalogue: &Standard, limits: Limits::default() }.resolve(&spec)?;
    let rounds = asked.rounds;
    privacy::check_streams(mechanism.interface().records(), rounds)?;
    let automaton = compile(&mechanism, &Options::rounds(rounds, Options::STATES).within(limits))?;
    let question = privacy::Question {
        notion: Notion::Joint,
        neighbours: Neighbours::Replacement,
        epsilon: asked.epsilon.clone(),
    };
    let streams = Streams::all(automaton.interface().records());
    let lengths = Lengths { last: rounds, from: rounds + 1, above: None };
    let mut answers =
        privacy::worst_delta(&automaton, &streams, &question, &lengths, limits, progress)?;
    Ok(match answers.pop().expect("an answer for each length") {
        Worst::Exact { delta, .. } => Ok(delta),
        Worst::Between { stopped, .. } => Err(stopped),
    })
}
