//! Claims about a dimension of a class: what the three kinds share.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use crate::class::Class;
use crate::class::Loaded;
use crate::error::Error;
use crate::limits::Limits;
use crate::littlestone::Dimension;

use super::super::classes::Reading;
use super::super::{Fields, Finding, Located, Verdict};
use super::statement::{Statement, Written, scope_of};
use super::{Check, Classes, Key, keys};

/// The keys of a claim about a dimension.
pub(super) const KEYS: &[Key] =
    &[keys::CLASS, keys::HEADER, keys::EQUALS, keys::AT_LEAST, keys::AT_MOST];

/// A dimension that claims can be about.
pub(super) trait Measure: fmt::Debug + Send + Sync + 'static {
    /// The symbol, as in `Ldim(point:3) = 1`.
    const SYMBOL: &'static str;
    /// The name under which reports give the value.
    const VALUE: &'static str;

    /// What is known of the dimension after the work that `limits` allows.
    fn measure(class: &Class, limits: &Limits) -> Dimension;

    /// The bounds that follow from the numbers of hypotheses and points alone.
    fn counting(class: &Class) -> (i64, i64);

    /// What shows that the value is more than `claimed`, a line each.
    fn witness(class: &Class, claimed: i64, limits: &Limits) -> Vec<String>;
}

/// Reads a claim about a dimension.
pub(super) fn parse<M: Measure>(fields: &mut Fields<'_>) -> Option<Box<dyn Check>> {
    let class = fields.text("class");
    let statement = Written::parse(fields);
    let reading = Reading::parse(fields);
    let check = DimensionCheck::<M> {
        class: class?,
        reading: reading?,
        statement: statement?,
        loaded: None,
        measure: PhantomData,
    };
    Some(Box::new(check))
}

/// A statement about the dimension `M` of a class.
#[derive(Debug)]
struct DimensionCheck<M> {
    class: Located<String>,
    reading: Reading,
    statement: Written,
    loaded: Option<Arc<Loaded>>,
    measure: PhantomData<M>,
}

impl<M: Measure> Check for DimensionCheck<M> {
    fn load(&mut self, classes: &mut Classes<'_>) {
        self.loaded = classes.load(&self.class, &self.reading);
    }

    fn run(&self, limits: &Limits) -> Result<Finding, Error> {
        let loaded = self.loaded.as_ref().expect("classes are loaded before checks run");
        let class = &loaded.class;
        let statement = self.statement.evaluate(&scope_of(class))?;
        let dimension = M::measure(class, limits);
        let (least, most) = M::counting(class);
        let (mut lower, mut upper) = (i64::from(dimension.lower), i64::from(dimension.upper));
        if dimension.stopped.is_some() {
            (lower, upper) = (lower.max(least), upper.min(most));
        }

        let mut verdict = statement.decide(lower, upper);
        if verdict == Verdict::Holds && statement.is_vacuous(least, most) {
            verdict = Verdict::Vacuous;
        }
        let counted = format!(
            "|H| = {} and |X| = {} alone give {least} ≤ {} ≤ {most}",
            class.hypotheses(),
            class.points(),
            M::SYMBOL,
        );
        let mut details: Vec<String> =
            loaded.notes.iter().map(|note| format!("note: {note}")).collect();
        match (verdict, statement.most()) {
            (Verdict::Refuted, Some(claimed)) if claimed < lower => {
                details.extend(M::witness(class, claimed, limits));
            }
            (Verdict::Vacuous, _) => {
                details.push(format!("vacuous: {counted}, so this claim says nothing"));
            }
            _ => {}
        }
        Ok(Finding {
            verdict,
            found: self.found(lower, upper, dimension, statement),
            non_vacuous: (verdict == Verdict::Holds).then_some(counted),
            details,
            values: values::<M>(lower, upper),
        })
    }
}

impl<M: Measure> DimensionCheck<M> {
    fn found(&self, lower: i64, upper: i64, dimension: Dimension, claimed: Statement) -> String {
        let (symbol, class) = (M::SYMBOL, &self.class.value);
        if lower == upper {
            return format!("{symbol}({class}) = {lower}; claimed {claimed}");
        }
        let stopped = dimension.stopped.map(|why| format!(" ({why})")).unwrap_or_default();
        format!("{lower} ≤ {symbol}({class}) ≤ {upper}{stopped}; claimed {claimed}")
    }
}

fn values<M: Measure>(lower: i64, upper: i64) -> BTreeMap<&'static str, String> {
    if lower == upper {
        BTreeMap::from([(M::VALUE, lower.to_string())])
    } else {
        BTreeMap::from([("lower", lower.to_string()), ("upper", upper.to_string())])
    }
}

/// ⌊log2 n⌋, or −1 for n = 0.
pub(super) fn floor_log2(n: usize) -> i64 {
    n.checked_ilog2().map_or(-1, i64::from)
}

/// `n` as an integer that a dimension is compared with.
pub(super) fn size(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

/// The first `claimed + 1` of the items: the fewest that refute a claim of at most `claimed`.
pub(super) fn first(items: &[usize], claimed: i64) -> &[usize] {
    let wanted = usize::try_from(claimed.saturating_add(1)).unwrap_or(0);
    &items[..wanted.min(items.len())]
}
