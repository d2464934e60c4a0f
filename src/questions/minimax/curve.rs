//! Values of the game against δ, ε or the number of rounds: a table and its drawing.

use std::path::Path;

use num_traits::One;
use schemars::JsonSchema;
use serde::Serialize;

use crate::class::Class;
use crate::error::{Error, Result};
use crate::exact::{Epsilon, Rational, decimal, enclose_ln, rational};
use crate::file;
use crate::limits::Stopped;
use crate::minimax::{Against, Bounds, curve};
use crate::report::plot::{self, Mark, Plot, Point, Series, Stroke};
use crate::text::Lines;

use super::super::known::Exact;
use super::super::{Run, blocks, known};
use super::{CurveOver, Interaction, MinimaxFiles, MinimaxQuestion, SizedGame};

/// Values of the game, a row for each place.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct GameCurve {
    /// What the rows differ in.
    pub curve: CurveOver,
    /// The rows: for δ the corners, between which the value is linear.
    pub table: Vec<CurveRow>,
}

/// The value at one place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CurveRow {
    /// The other parameter of a grid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub series: Option<String>,
    /// The parameter.
    pub at: String,
    /// A proved lower bound on the value.
    pub lower: Exact<Rational>,
    /// A proved upper bound on the value: the same number when the value is known.
    pub upper: Exact<Rational>,
    /// Where it is drawn.
    #[serde(skip)]
    place: Rational,
}

/// Binary digits of the places where values are drawn.
const BITS: u64 = 64;

/// At most so many steps on an axis.
const STEPS: u32 = 6;

impl CurveOver {
    /// The name of the column.
    fn name(self) -> &'static str {
        match self {
            Self::Delta => "delta",
            Self::Epsilon => "epsilon",
            Self::Rounds => "rounds",
        }
    }

    /// The other parameter of a grid.
    fn other(self) -> Self {
        match self {
            Self::Rounds => Self::Epsilon,
            Self::Delta | Self::Epsilon => Self::Rounds,
        }
    }

    /// The name of the axis.
    fn letter(self) -> &'static str {
        match self {
            Self::Delta => "δ",
            Self::Epsilon => "ε",
            Self::Rounds => "T",
        }
    }
}

impl CurveRow {
    fn new(series: Option<String>, at: String, place: Rational, bounds: &Bounds) -> Self {
        let (lower, upper) = (bounds.lower.bound.clone(), bounds.upper.bound.clone());
        Self { series, at, lower: Exact(lower), upper: Exact(upper), place }
    }
}

impl MinimaxQuestion {
    /// The values, what is printed of them, and the limit that was hit.
    pub(super) fn curve(
        &self,
        over: CurveOver,
        class: &Class,
        files: &MinimaxFiles,
        run: &Run<'_>,
    ) -> Result<(GameCurve, Lines, Option<Stopped>)> {
        let (table, stopped) = match over {
            CurveOver::Delta => self.corners(class, run)?,
            CurveOver::Rounds | CurveOver::Epsilon => self.grid(over, class, run)?,
        };
        let (curve, setting) = (GameCurve { curve: over, table }, self.setting(over));
        // A curve that is not known has one row.
        let known = stopped.is_none() || curve.table.len() > 1;
        if let Some(path) = files.plot.as_deref().filter(|_| known) {
            self.draw(&curve, &setting, path)?;
            run.wrote("drawing", path);
        }
        let mut text = Lines::new();
        text.push(&blocks::class_line(self.subject.class.as_str(), class));
        text.push(&setting);
        curve.lines(&mut text);
        Ok((curve, text, stopped))
    }

    fn draw(&self, curve: &GameCurve, setting: &str, path: &Path) -> Result<()> {
        let game = match self.game {
            Interaction::Learning => "online learning",
            Interaction::Prediction => "joint-private prediction",
        };
        let svg = curve.draw(&format!("{game}, {}", self.subject.class), setting)?;
        file::write(path, |out| out.write_all(svg.as_bytes()))
    }

    /// What is the same for all rows.
    fn setting(&self, over: CurveOver) -> String {
        let (rounds, epsilons) = (self.rounds.value, &self.epsilon.value.0);
        let epsilon = format!("ε = {}", epsilons[0]);
        let delta = format!("δ = {}", self.delta());
        match over {
            CurveOver::Delta => format!("T = {}, {epsilon}", rounds.first),
            CurveOver::Rounds if epsilons.len() == 1 => format!("{epsilon}, {delta}"),
            CurveOver::Epsilon if !rounds.range => format!("T = {}, {delta}", rounds.first),
            CurveOver::Rounds | CurveOver::Epsilon => delta,
        }
    }

    fn corners(&self, class: &Class, run: &Run<'_>) -> Result<(Vec<CurveRow>, Option<Stopped>)> {
        let limits = &run.limits;
        let sized = SizedGame::new(self, class, self.rounds.value.first, self.epsilon(), limits)?;
        if !sized.privacy.is_rational() {
            return Err(Error::argument_with_help(
                "epsilon: for `curve` over delta, expected an ε with a rational e^ε",
                "as in `--epsilon 'ln(2)'`",
            ));
        }
        match curve::curve(&sized.game, &sized.group, &sized.privacy, limits) {
            Ok(corners) => {
                let row = |corner: curve::Corner| CurveRow {
                    series: None,
                    at: rational::show(&corner.delta),
                    place: corner.delta,
                    lower: Exact(corner.value.clone()),
                    upper: Exact(corner.value),
                };
                Ok((corners.into_iter().map(row).collect(), None))
            }
            Err(unknown) => {
                let (at, bounds) = (rational::show(&unknown.delta), &unknown.bounds);
                run.warn(format!("no exact value was found at δ = {at}"));
                let row = CurveRow::new(None, at, unknown.delta.clone(), bounds);
                Ok((vec![row], Some(bounds.stopped.unwrap_or(Stopped::Guess))))
            }
        }
    }

    /// A row for each number of rounds and each ε: those of one ε together, or those of one number of
    /// rounds.
    fn grid(
        &self,
        over: CurveOver,
        class: &Class,
        run: &Run<'_>,
    ) -> Result<(Vec<CurveRow>, Option<Stopped>)> {
        let (mut rows, mut stopped) = (Vec::new(), None);
        let all = self.rounds.value;
        // The largest program is refused first.
        SizedGame::new(self, class, all.last, self.epsilon(), &run.limits)?;
        let mut epsilons: Vec<(Rational, &Epsilon)> =
            self.epsilon.value.0.iter().map(|epsilon| (place(epsilon), epsilon)).collect();
        epsilons.sort_by(|a, b| a.0.cmp(&b.0));
        let mut at = |rounds: usize, (place, epsilon): &(Rational, &Epsilon)| {
            let sized = SizedGame::new(self, class, rounds, epsilon, &run.limits)?;
            let bounds = sized.solve(&Against::Worst, run);
            stopped = stopped.or(bounds.stopped);
            let (of_rounds, of_epsilon) = (rounds.to_string(), epsilon.to_string());
            rows.push(if over == CurveOver::Rounds {
                let series = (epsilons.len() > 1).then_some(of_epsilon);
                CurveRow::new(series, of_rounds, Rational::from_integer(rounds.into()), &bounds)
            } else {
                CurveRow::new(all.range.then_some(of_rounds), of_epsilon, place.clone(), &bounds)
            });
            Ok::<(), Error>(())
        };
        let mut rounds = all.first..=all.last;
        if over == CurveOver::Rounds {
            epsilons
                .iter()
                .try_for_each(|epsilon| rounds.clone().try_for_each(|t| at(t, epsilon)))?;
        } else {
            rounds.try_for_each(|t| epsilons.iter().try_for_each(|epsilon| at(t, epsilon)))?;
        }
        Ok((rows, stopped))
    }
}

/// Where an ε is drawn.
fn place(epsilon: &Epsilon) -> Rational {
    match epsilon {
        Epsilon::Rational(value) => value.clone(),
        Epsilon::Ln(factor) => {
            let factor = factor.enclosure(BITS).0.max(Rational::one());
            enclose_ln(&factor, BITS).expect("at least 1").low()
        }
    }
}

impl GameCurve {
    /// The names of the columns, of a grid with the other parameter first.
    fn head(&self, name: fn(CurveOver) -> &'static str) -> Vec<String> {
        let grid = self.table.iter().any(|row| row.series.is_some());
        let other = grid.then(|| name(self.curve.other()).to_owned());
        other.into_iter().chain([name(self.curve).to_owned()]).collect()
    }

    /// The table for reading.
    fn lines(&self, text: &mut Lines) {
        let head = self.head(CurveOver::letter).into_iter();
        let mut cells = vec![head.chain(["V", "decimal"].map(str::to_owned)).collect()];
        for row in &self.table {
            let (lower, upper) = (&row.lower.0, &row.upper.0);
            let shown = if lower == upper {
                [rational::show(lower), decimal(lower, 9)]
            } else {
                ["between".to_owned(), format!("{} to {}", decimal(lower, 9), decimal(upper, 9))]
            };
            let series = row.series.clone().into_iter();
            cells.push(series.chain([row.at.clone()]).chain(shown).collect::<Vec<_>>());
        }
        blocks::left(text, &cells);
    }

    /// The table as CSV: the parameter (of a grid, both), both bounds, and a decimal of the lower one.
    pub(super) fn csv(&self) -> String {
        let head = self.head(CurveOver::name).into_iter();
        let head = head.chain(["lower", "upper", "decimal"].map(str::to_owned)).collect();
        let rows = self.table.iter().map(|row| {
            let series = row.series.clone().into_iter();
            let bounds = [rational::show(&row.lower.0), rational::show(&row.upper.0)];
            let decimal = decimal(&row.lower.0, 12);
            series.chain([row.at.clone()]).chain(bounds).chain([decimal]).collect()
        });
        known::rows(std::iter::once(head).chain(rows))
    }

    /// The table as SVG: corners joined by lines, or points; of a grid, a series for each value of
    /// the other parameter.
    fn draw(&self, game: &str, setting: &str) -> Result<String> {
        let rows = &self.table[..];
        let most = rows.iter().map(|row| &row.upper.0).max();
        let ([first, .., last], Some(most)) = (rows, most) else {
            let message = "there is nothing to draw: the table has fewer than two rows";
            return Err(Error::argument(message));
        };
        let axis = self.curve;
        let from =
            if axis == CurveOver::Rounds { first.place.clone() } else { Rational::default() };
        let name = |series: &Option<String>| match series {
            None => game.to_owned(),
            Some(series) => format!("{} = {series}", axis.other().letter()),
        };
        let linear = axis == CurveOver::Delta;
        let point = |row: &CurveRow| Point {
            x: row.place.clone(),
            y: row.upper.0.clone(),
            mark: linear.then(Mark::default),
        };
        Plot {
            title: "Mistakes of the best private learner on the worst stream",
            description: &format!("The value V over {} for {game}, {setting}.", axis.letter()),
            setting,
            x: plot::Axis::between(axis.letter(), &from, &last.place, STEPS, false),
            y: plot::Axis::linear("V", most, STEPS, true),
            series: rows
                .chunk_by(|a, b| a.series == b.series)
                .map(|rows| Series {
                    name: name(&rows[0].series),
                    points: rows.iter().map(point).collect(),
                    stroke: if linear { Stroke::Solid } else { Stroke::Points },
                })
                .collect(),
            shade: Vec::new(),
        }
        .draw()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::parse_rational;

    fn curve(curve: CurveOver, series: [Option<&str>; 3]) -> GameCurve {
        let row = |((at, value), series): ((&str, &str), Option<&str>)| {
            let value = Exact(parse_rational(value).unwrap());
            CurveRow {
                series: series.map(str::to_owned),
                at: at.to_owned(),
                place: parse_rational(at).unwrap(),
                lower: value.clone(),
                upper: value,
            }
        };
        let table = [("0", "7/6"), ("1/4", "7/8"), ("1", "1/2")].into_iter().zip(series);
        GameCurve { curve, table: table.map(row).collect() }
    }

    #[test]
    fn tables_align_and_csv_has_both_bounds() {
        let (corners, mut text) = (curve(CurveOver::Delta, [None; 3]), Lines::new());
        corners.lines(&mut text);
        assert_eq!(
            text,
            "δ    V    decimal\n0    7/6  1.166666666…\n1/4  7/8  0.875\n1    1/2  0.5\n"
        );
        assert_eq!(corners.csv().lines().nth(2), Some("1/4,7/8,7/8,0.875"));
    }

    #[test]
    fn grids_have_a_column_more() {
        let (named, mut text) = (["ln(2)", "ln(2)", "ln(3)"].map(Some), Lines::new());
        let grid = curve(CurveOver::Rounds, named);
        grid.lines(&mut text);
        assert!(text.starts_with("ε      T    V    decimal\nln(2)  0    7/6  1.1"), "{}", &*text);
        assert!(grid.csv().starts_with("epsilon,rounds,lower,upper,decimal\nln(2),0,"));
        let svg = grid.draw("a game", "δ = 0").unwrap();
        assert!(svg.contains("ε = ln(2)") && svg.contains("ε = ln(3)"));
    }

    #[test]
    fn drawings_are_xml_with_a_mark_for_each_row() {
        let mut corners = curve(CurveOver::Delta, [None; 3]);
        let svg = corners.draw("a < b", "T = 3").unwrap();
        assert_eq!(svg.matches("<circle").count(), 3);
        assert!(svg.contains("a &lt; b") && svg.ends_with("</svg>\n"));
        corners.table.truncate(1);
        assert!(corners.draw("", "").is_err());
    }
}
