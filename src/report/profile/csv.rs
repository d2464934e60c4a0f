//! The breakpoints of profiles as CSV.

use super::{Curve, DIGITS, epsilon, epsilon_decimal, pair};
use crate::text::visible;

/// The columns.
const HEADER: [&str; 10] = [
    "mechanism",
    "exp_epsilon",
    "epsilon",
    "epsilon_decimal",
    "delta",
    "delta_decimal",
    "slope",
    "exact",
    "first",
    "second",
];

/// One row for each linear piece of each profile: where it begins, δ there, its slope in e^ε, and
/// the pair that attains it. Decimals are truncated to 12 digits. A last line
/// `verdict: undecided` says that a profile is not fully known.
pub fn csv(curves: &[Curve<'_>]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut write = |row: &[String]| writer.write_record(row).expect("writing to memory");
    write(&HEADER.map(String::from));
    for curve in curves {
        for piece in &curve.profile.pieces {
            let delta = piece.at(&piece.from);
            let digits = |text: String| text.replace('…', "");
            let [first, second] = match &piece.attained_by {
                Some(streams) => pair(curve, streams),
                None => [String::new(), String::new()],
            };
            write(&[
                visible(curve.mechanism).into_owned(),
                piece.from.to_string(),
                epsilon(&piece.from),
                digits(epsilon_decimal(&piece.from, DIGITS)),
                delta.to_string(),
                digits(delta.decimal(DIGITS)),
                (-&piece.second).to_string(),
                piece.proved.to_string(),
                first,
                second,
            ]);
        }
    }
    let bytes = writer.into_inner().expect("writing to memory");
    let mut text = String::from_utf8(bytes).expect("text was written");
    if curves.iter().any(|curve| curve.profile.stopped.is_some()) {
        text.push_str("verdict: undecided\n");
    }
    text
}
