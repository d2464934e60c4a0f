//! Reports of `potentials`: tables, CSV, JSON and a drawing.

mod human;
mod json;
mod plot;

pub use human::human;
pub use json::json;
pub use plot::draw;

use crate::exact::{Number, Rational};
use crate::potentials::{Constant, Context, Potentials, Row, STATEMENTS, Statement, Verdict};

/// What was asked.
#[derive(Debug)]
pub struct Asked<'a> {
    /// The mechanism as written.
    pub mechanism: &'a str,
    /// The class as written.
    pub class: Option<&'a str>,
    /// The dummy example and the informative point, as they are typed.
    pub examples: [String; 2],
    /// The δ that is claimed of the learner.
    pub delta: Option<&'a Number>,
    /// What was found.
    pub potentials: &'a Potentials,
}

/// A statement with its instances.
#[derive(Debug)]
pub struct Instances {
    /// The statement.
    pub statement: &'static Statement,
    /// Its instances.
    pub rows: Vec<Row>,
}

impl Asked<'_> {
    /// The paper's statements.
    pub fn statements(&self) -> Vec<Instances> {
        let context = Context { potentials: self.potentials, delta: self.delta };
        STATEMENTS
            .iter()
            .filter(|statement| statement.twin.is_none())
            .map(|statement| Instances { statement, rows: statement.rows(&context) })
            .collect()
    }

    /// How sharp the printed constants are.
    pub fn constants(&self) -> Vec<Constant> {
        Context { potentials: self.potentials, delta: self.delta }.constants()
    }

    /// What is to be said beside the numbers.
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if !covered(self.potentials) {
            remarks.push(
                "(3) and (7) are proved for ε ≤ ln(9/8), where ratios stay within 1/8 of 1; this ε \
                 is larger"
                    .to_owned(),
            );
        }
        let real = self.potentials.delta(self.potentials.length());
        if let Some(claimed) = self.delta.filter(|claimed| **claimed < real) {
            remarks.push(false_claim(claimed, &real));
        }
        remarks
    }
}

/// What is to be said of a claimed δ that is below the real one.
pub fn false_claim(claimed: &Number, real: &Number) -> String {
    format!(
        "the claimed δ = {} is below the δ = {} that the learner has on the streams \
         compared: the hypothesis of the inequalities is violated, and one that is refuted is no \
         counterexample to the paper",
        shown(claimed),
        shown(real)
    )
}

/// An exact number with a decimal where that is shorter.
fn shown(value: &Number) -> String {
    let (exact, decimal) = (value.to_string(), value.decimal(8));
    match exact.len() {
        _ if exact == decimal => exact,
        0..=40 => format!("{exact} ≈ {decimal}"),
        _ => format!("≈ {decimal}"),
    }
}

/// Whether ε is small enough for the proof of (7): e^ε ≤ 9/8.
pub fn covered(potentials: &Potentials) -> bool {
    potentials.epsilon.factor() <= Number::from(Rational::new(9.into(), 8.into()))
}

/// `J_1` … `J_t` as digits, `-` for none, or `mean` for expectations over them.
pub fn choices(thirds: Option<&[u8]>) -> String {
    match thirds {
        None => "mean".to_owned(),
        Some([]) => "-".to_owned(),
        Some(thirds) => thirds.iter().map(ToString::to_string).collect(),
    }
}

/// The instance that comes nearest to being false: among those that say something, if there are
/// any. Only which one is shown depends on this.
pub fn tightest(rows: &[Row]) -> Option<&Row> {
    let rank = |row: &&Row| {
        let verdict = match row.verdict() {
            Verdict::Refuted => 0,
            Verdict::Holds => 1,
            Verdict::Vacuous => 2,
        };
        (verdict, row.slack().enclosure(256).0)
    };
    rows.iter().min_by_key(rank)
}

/// All instances as CSV: exact numbers, and decimals truncated to 12 digits.
pub fn csv(asked: &Asked<'_>) -> String {
    const HEADER: [&str; 13] = [
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
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut write = |row: &[String]| writer.write_record(row).expect("writing to memory");
    write(&HEADER.map(String::from));
    for Instances { statement, rows } in asked.statements() {
        for row in rows {
            write(&[
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
                row.left.decimal(12).replace('…', ""),
                row.right.decimal(12).replace('…', ""),
                row.verdict().name().to_owned(),
            ]);
        }
    }
    let bytes = writer.into_inner().expect("writing to memory");
    String::from_utf8(bytes).expect("text was written")
}

/// Whether no instance of the paper's statements is false.
pub fn holds(asked: &Asked<'_>) -> bool {
    let instances = asked.statements();
    instances.iter().flat_map(|i| &i.rows).all(|row| row.verdict() != Verdict::Refuted)
}
