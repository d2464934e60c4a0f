//! The potentials of a learner as tables, exact in JSON.

use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::Serialize;

use crate::exact::Number;
use crate::potentials::{
    self, Choice, Context, Potentials, Row, STATEMENTS, Statement, Verdict, tightest,
};
use crate::text::Lines;

use super::super::subject::MechanismName;
use super::super::written::ClassName;
use super::super::{
    Answer, Claimed, Ending, Exact, Inequality, Relation, Run, blocks, known, slack,
};
use super::PotentialsQuestion;

/// Digits after the point.
const DIGITS: u32 = 8;

/// The potentials of a learner against Algorithm 1, and the instances of the inequalities.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PotentialsAnswer {
    /// The class as it was asked for.
    class: Option<ClassName>,
    /// Constants that would do for this learner, each where the others are as printed.
    constants: Vec<SharpConstant>,
    /// The δ of the labels at the informative point on the streams compared.
    delta: Exact,
    /// The δ that is claimed of the learner, and used in the inequalities.
    delta_claimed: Option<Exact>,
    /// The dummy example, as point:label.
    dummy: String,
    /// The ε as an exact text.
    epsilon: String,
    /// The point of informative examples.
    informative_point: String,
    /// The mechanism as it was asked for.
    mechanism: MechanismName,
    /// The probability of an insertion.
    p: String,
    /// What is to be said beside the numbers.
    remarks: Vec<String>,
    /// The number T of rounds.
    rounds: usize,
    /// For each number t of completed stages, the potentials.
    stages: Vec<StagePotentials>,
    /// The statements with their instances.
    statements: Vec<StatementFound>,
    /// `refuted` when an instance is false.
    verdict: &'static str,
    #[serde(skip)]
    found: Potentials,
    /// The instances of each statement.
    #[serde(skip)]
    rows: Vec<(&'static Statement, Vec<Row>)>,
}

/// A constant of a statement, and what this learner asks of it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SharpConstant {
    /// The constant as printed.
    printed: Exact,
    /// What would do.
    sharp: Exact,
    /// The statement.
    statement: &'static str,
    /// The summand in which it stands.
    summand: &'static str,
}

/// The potentials after t stages.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct StagePotentials {
    /// The potentials for each choice of thirds.
    choices: Vec<ChoicePotentials>,
    /// E\[`D_t`\]; null after the last stage.
    difference: Option<Exact>,
    /// E\[`I_t`\].
    information: Exact,
    /// The number t of completed stages.
    t: usize,
    /// E\[`W_t`\].
    variance: Exact,
}

/// The potentials for one choice of thirds.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ChoicePotentials {
    /// `J_1` … `J_t` as digits, `-` for none.
    choices: String,
    /// The δ on the streams compared; null after the last stage.
    delta: Option<Exact>,
    /// `D_t`; null after the last stage.
    difference: Option<Exact>,
    /// `I_t`.
    information: Exact,
    /// `A_t`: the rounds after the first number, up to the second.
    interval: [usize; 2],
    /// `V_t(0)`, …, `V_t(T)`.
    revealed: Vec<Exact>,
    /// `W_t`.
    variance: Exact,
}

/// A statement with its instances.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct StatementFound {
    /// What it says.
    about: &'static str,
    /// Its instances.
    instances: Vec<InequalityInstance>,
    /// Its name.
    name: &'static str,
}

/// An instance of an inequality.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct InequalityInstance {
    /// `J_1` … `J_t` as digits, `-` for none, `mean` for expectations over them.
    choices: String,
    /// The δ on the right side.
    delta: Exact,
    /// Which of several instances this is, the one with the least slack.
    instance: String,
    /// The left side.
    left: Exact,
    /// The relation.
    relation: &'static str,
    /// The right side, exact, perhaps with a root.
    right: String,
    /// How far it is from being false.
    slack: String,
    /// The number t of completed stages.
    t: usize,
    /// What the left side cannot pass whatever the learner.
    trivial: Exact,
    /// `holds`, `refuted` or `vacuous`.
    verdict: &'static str,
}

impl From<&Row> for InequalityInstance {
    fn from(row: &Row) -> Self {
        Self {
            choices: choices(row.thirds.as_deref()),
            delta: Exact(row.delta.clone()),
            instance: row.place.clone(),
            left: Exact(row.left.clone()),
            relation: row.relation.sign(),
            right: row.right.to_string(),
            slack: row.slack().to_string(),
            t: row.stage,
            trivial: Exact(row.trivial.clone()),
            verdict: row.verdict().name(),
        }
    }
}

impl StagePotentials {
    fn new(found: &Potentials, t: usize) -> Self {
        let open = t < found.length();
        let mean = |value: fn(&Choice) -> Number| Exact(found.mean(t, value));
        let choice = |choice: &Choice| ChoicePotentials {
            choices: choices(Some(&choice.thirds)),
            delta: open.then(|| Exact(choice.delta.clone())),
            difference: open.then(|| Exact(choice.ratios.difference.clone())),
            information: Exact(choice.information()),
            interval: [choice.interval.after, choice.interval.last],
            revealed: choice.revealed().iter().map(|value| Exact(value.clone())).collect(),
            variance: Exact(choice.ratios.variance.clone()),
        };
        Self {
            choices: found.stages[t].iter().map(choice).collect(),
            difference: open.then(|| mean(|choice| choice.ratios.difference.clone())),
            information: mean(Choice::information),
            t,
            variance: mean(|choice| choice.ratios.variance.clone()),
        }
    }
}

impl PotentialsAnswer {
    pub(super) fn new(
        asked: &PotentialsQuestion,
        found: Potentials,
        one: Option<&'static Statement>,
        [dummy, informative_point]: [String; 2],
    ) -> Self {
        let claimed = asked.delta.as_ref().map(|delta| &delta.value.0);
        let context = Context { potentials: &found, delta: claimed };
        let all = || STATEMENTS.iter().filter(|statement| statement.twin.is_none());
        let statements: Vec<&'static Statement> =
            one.map_or_else(|| all().collect(), |one| vec![one]);
        let rows: Vec<(&'static Statement, Vec<Row>)> =
            statements.into_iter().map(|statement| (statement, statement.rows(&context))).collect();
        // They are about all of the paper's statements.
        let constants = if one.is_some() { Vec::new() } else { context.constants() };
        let constants = constants.into_iter().map(|constant| SharpConstant {
            printed: Exact(constant.printed),
            sharp: Exact(constant.sharp),
            statement: constant.statement,
            summand: constant.summand,
        });
        let refuted =
            rows.iter().flat_map(|(_, rows)| rows).any(|r| r.verdict() == Verdict::Refuted);
        let real = found.delta(found.length());
        let statement = |(statement, rows): &(&'static Statement, Vec<Row>)| StatementFound {
            about: statement.about,
            instances: rows.iter().map(InequalityInstance::from).collect(),
            name: statement.name,
        };
        Self {
            class: asked.subject.class().cloned(),
            constants: constants.collect(),
            remarks: remarks(&found, claimed, &real),
            delta: Exact(real),
            delta_claimed: claimed.cloned().map(Exact),
            dummy,
            epsilon: found.epsilon.to_string(),
            informative_point,
            mechanism: asked.subject.mechanism.clone(),
            p: found.adversary.probability().to_string(),
            rounds: found.adversary.rounds(),
            stages: (0..=found.length()).map(|t| StagePotentials::new(&found, t)).collect(),
            statements: rows.iter().map(statement).collect(),
            verdict: if refuted { "refuted" } else { "holds" },
            found,
            rows,
        }
    }

    fn all_rows(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().flat_map(|(_, rows)| rows)
    }

    fn count(&self, verdict: Verdict) -> usize {
        self.all_rows().filter(|row| row.verdict() == verdict).count()
    }

    /// The instance that comes nearest to being false, with its statement.
    fn tightest(&self) -> Option<(&'static Statement, &Row)> {
        let row = tightest(self.all_rows())?;
        let of = self.rows.iter().find(|(_, rows)| rows.iter().any(|r| std::ptr::eq(r, row)))?;
        Some((of.0, row))
    }

    fn stage_table(&self) -> Vec<Vec<String>> {
        let found = &self.found;
        let header = ["t", "E[I_t]", "E[W_t]", "E[D_t]", "greatest δ"];
        let mut cells = vec![header.map(String::from).to_vec()];
        for stage in &self.stages {
            let delta = found.stages[stage.t].iter().map(|choice| &choice.delta).max();
            let open = |shown: Option<String>| {
                shown.filter(|_| stage.difference.is_some()).unwrap_or_else(|| "-".into())
            };
            cells.push(vec![
                stage.t.to_string(),
                stage.information.0.decimal(DIGITS),
                stage.variance.0.decimal(DIGITS),
                open(stage.difference.as_ref().map(|d| d.0.decimal(DIGITS))),
                open(delta.map(|delta| delta.decimal(DIGITS))),
            ]);
        }
        cells
    }

    /// For each statement and stage the instance with the least slack.
    fn statement_table(&self) -> Vec<Vec<String>> {
        let header =
            ["statement", "t", "choices", "left", "", "right", "slack", "trivial", "δ", "verdict"];
        let mut cells = vec![header.map(String::from).to_vec()];
        for (statement, rows) in &self.rows {
            for t in 0..self.stages.len() {
                let of_stage = || rows.iter().filter(|row| row.stage == t);
                let Some(row) = tightest(of_stage()) else { continue };
                let empty = of_stage().filter(|r| r.verdict() == Verdict::Vacuous).count();
                let mut verdict = row.verdict().name().to_owned();
                if empty > 0 && of_stage().count() > empty {
                    let _ = write!(verdict, " ({empty} of {} vacuous)", of_stage().count());
                }
                cells.push(vec![
                    statement.name.to_owned(),
                    t.to_string(),
                    choices(row.thirds.as_deref()),
                    row.left.decimal(DIGITS),
                    row.relation.sign().to_owned(),
                    row.right.decimal(DIGITS),
                    row.slack().decimal(DIGITS),
                    row.trivial.decimal(DIGITS),
                    row.delta.decimal(DIGITS),
                    verdict,
                ]);
            }
        }
        cells
    }
}

impl Answer for PotentialsAnswer {
    fn ending(&self) -> Ending {
        if self.verdict == "holds" { Ending::Holds } else { Ending::Refuted }
    }

    /// A line for each stage, and one for each statement and stage.
    fn text(&self) -> Lines {
        let mut text = Lines::new();
        let Self { mechanism, rounds, p, dummy, informative_point: point, .. } = self;
        writeln!(text, "mechanism: {mechanism} (learner)");
        if let Some(class) = &self.class {
            writeln!(text, "class: {class}");
        }
        let length = self.found.length();
        writeln!(
            text,
            "adversary: thirds, T = {rounds}, L = {length}, p = {p}; dummy {dummy}, informative \
             {point}:B"
        );
        writeln!(text, "ε: {}", self.epsilon);
        let delta = shown(&self.delta.0);
        writeln!(text, "δ of the labels at {point} on the streams compared: {delta}");
        if let Some(Exact(claimed)) = &self.delta_claimed {
            writeln!(text, "δ claimed, and used below: {claimed}");
        }
        writeln!(text);
        blocks::left(&mut text, &self.stage_table());
        writeln!(text);
        blocks::left(&mut text, &self.statement_table());
        writeln!(text);
        if !self.constants.is_empty() {
            writeln!(
                text,
                "remark: constants that would do for this learner, each where the others are as \
                 printed"
            );
        }
        for SharpConstant { statement, summand, printed, sharp } in &self.constants {
            let (sharp, printed) = (sharp.0.decimal(DIGITS), &printed.0);
            writeln!(text, "  {statement}: {sharp} in place of {printed} in {summand}");
        }
        for remark in &self.remarks {
            writeln!(text, "note: {remark}");
        }
        let (all, refuted) = (self.all_rows().count(), self.count(Verdict::Refuted));
        let vacuous = self.count(Verdict::Vacuous);
        writeln!(text, "instances: {all}, {refuted} refuted, {vacuous} vacuous");
        writeln!(text, "verdict: {}", self.verdict);
        text
    }

    /// All instances: exact numbers, and decimals truncated to 12 digits.
    fn csv(&self) -> String {
        let header = [
            "statement",
            "stage",
            "choices",
            "instance",
            "left",
            "relation",
            "right",
            "slack",
            "trivial",
            "delta",
            "left_decimal",
            "right_decimal",
            "verdict",
        ];
        let decimal = |text: String| text.replace('…', "");
        let rows = self.rows.iter().flat_map(|(statement, rows)| {
            rows.iter().map(move |row| {
                vec![
                    statement.name.to_owned(),
                    row.stage.to_string(),
                    choices(row.thirds.as_deref()),
                    row.place.clone(),
                    row.left.to_string(),
                    row.relation.sign().to_owned(),
                    row.right.to_string(),
                    row.slack().to_string(),
                    row.trivial.to_string(),
                    row.delta.to_string(),
                    decimal(row.left.decimal(12)),
                    decimal(row.right.decimal(12)),
                    row.verdict().name().to_owned(),
                ]
            })
        });
        known::rows(std::iter::once(header.map(String::from).to_vec()).chain(rows))
    }

    fn found(&self) -> String {
        self.tightest().map_or_else(String::new, |(statement, row)| {
            format!("{}: tightest {}", statement.name, line(row))
        })
    }

    fn inequalities(&self) -> Vec<Inequality> {
        let of = |(statement, rows): &(&'static Statement, Vec<Row>)| {
            let telling = rows.iter().filter(|row| row.verdict() != Verdict::Vacuous);
            slack::nearest(telling.map(|row| inequality(statement.name, row)))
        };
        self.rows.iter().filter_map(of).collect()
    }

    fn vacuous(&self) -> Option<String> {
        let (_, row) = self.tightest()?;
        (self.count(Verdict::Holds) == 0).then(|| {
            let reach = row.trivial.decimal(DIGITS);
            format!("the right side reaches {reach}, which the left side cannot pass")
        })
    }

    fn counterexample(&self, _: &str, _: &Claimed, _: &Run<'_>) -> Vec<String> {
        let row = self.tightest().map(|(_, row)| format!("counterexample, {}", line(row)));
        let (refuted, all) = (self.count(Verdict::Refuted), self.all_rows().count());
        let count = format!("{refuted} of {all} instances are false");
        row.into_iter().chain([count]).chain(self.remarks.iter().cloned()).collect()
    }

    fn evidence(&self) -> Option<String> {
        let (holds, all) = (self.count(Verdict::Holds), self.all_rows().count());
        let last = self.stages.last()?.information.0.decimal(DIGITS);
        let found = format!("{holds} of {all} instances say something; E[I_L] = {last}");
        let remarks = self.remarks.iter().cloned();
        Some(std::iter::once(found).chain(remarks).collect::<Vec<_>>().join("; "))
    }
}

/// What is to be said beside the numbers.
fn remarks(found: &Potentials, claimed: Option<&Number>, real: &Number) -> Vec<String> {
    let large = (!found.ratios_are_covered()).then(|| {
        "(3) and (7) are proved for ε ≤ ln(9/8), where ratios stay within 1/8 of 1; this ε is larger"
            .to_owned()
    });
    // A claim that is violated makes no counterexample.
    let violated = claimed.filter(|claimed| *claimed < real).map(|claimed| {
        format!(
            "the claimed δ = {} is below the δ = {} that the learner has on the streams \
             compared: the hypothesis of the inequalities is violated, and one that is refuted is no \
             counterexample to the paper",
            shown(claimed),
            shown(real)
        )
    });
    large.into_iter().chain(violated).collect()
}

fn inequality(name: &str, row: &Row) -> Inequality {
    let enclosed = || {
        let (low, high) = row.right.enclosure(256);
        [low.into(), high.into()]
    };
    Inequality {
        quantity: name.to_owned(),
        what: name.to_owned(),
        found: slack::exactly(&row.left),
        relation: match row.relation {
            potentials::Relation::AtMost => Relation::AtMost,
            potentials::Relation::AtLeast => Relation::AtLeast,
            potentials::Relation::Equal => Relation::Equals,
        },
        claimed: row.right.exact().map_or_else(enclosed, slack::exactly),
    }
}

/// An exact number with a decimal where that is shorter.
fn shown(value: &Number) -> String {
    let (exact, decimal) = (value.to_string(), value.decimal(DIGITS));
    match exact.len() {
        _ if exact == decimal => exact,
        0..=40 => format!("{exact} ≈ {decimal}"),
        _ => format!("≈ {decimal}"),
    }
}

/// `J_1` … `J_t` as digits, `-` for none, or `mean` for expectations over them.
fn choices(thirds: Option<&[u8]>) -> String {
    match thirds {
        None => "mean".to_owned(),
        Some([]) => "-".to_owned(),
        Some(thirds) => thirds.iter().map(ToString::to_string).collect(),
    }
}

/// An instance in one line.
fn line(row: &Row) -> String {
    let at = match &row.thirds {
        None => format!("t = {}", row.stage),
        Some(thirds) => format!("t = {}, J = {}", row.stage, choices(Some(thirds))),
    };
    let place = if row.place.is_empty() { String::new() } else { format!(", {}", row.place) };
    format!(
        "{at}{place}: {} {} {}, slack {}, δ = {}",
        row.left.decimal(10),
        row.relation.sign(),
        row.right.decimal(10),
        row.slack().decimal(10),
        row.delta.decimal(DIGITS)
    )
}
