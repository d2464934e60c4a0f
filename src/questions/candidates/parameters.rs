//! The parameters of Algorithm 2: those that are given, and the paper's in place of the others.

use std::collections::BTreeMap;

use crate::catalogue::Select;
use crate::catalogue::candidates::{Fault, Function, Parameters};
use crate::class::Class;
use crate::error::{Error, Result};
use crate::exact::{BigInt, Number, Rational};
use crate::limits::{Limits, Stopped};
use crate::littlestone::Solver;
use crate::questions::door::of_field;
use crate::questions::written::Text;

use super::{CandidatesQuestion, ParameterSize};

impl CandidatesQuestion {
    pub(super) fn ambient(
        &self,
        class: &Class,
        limits: &Limits,
    ) -> std::result::Result<i32, Fault> {
        if let Some(ambient) = &self.ambient {
            return Ok(ambient.value.0);
        }
        let found = Solver::new(class, limits.clone()).dimension();
        found.value().ok_or(Fault::Stopped(found.stopped.unwrap_or(Stopped::Elsewhere)))
    }

    /// The parameters: those that are given, and otherwise the paper's as far as they can be run.
    pub(super) fn parameters(&self, class: &Class, ambient: i32) -> Result<Parameters> {
        of_field("ambient", Parameters::check_ambient(ambient))?;
        let size = |given: &Option<Text<ParameterSize>>, default| {
            given.as_ref().map_or(default, |given| given.value.0)
        };
        let (sample, groups) = (size(&self.sample, 1), size(&self.groups, 1));
        let candidates = size(&self.candidates, 2);
        let batch = size(&self.batch, 2 * groups * sample);
        let number = |value: usize| Number::from(Rational::from_integer(value.into()));
        let scope: BTreeMap<String, Number> =
            [("k", groups), ("n", sample)].map(|(n, v)| (n.to_owned(), number(v))).into();
        let score = match &self.score {
            Some(score) => rational("B", &score.evaluate("B", &scope)?)?,
            None => Rational::new(BigInt::from(groups) * 3, 4.into()).ceil(),
        };
        let select = match (&self.a, &self.q) {
            (Some(a), _) => {
                let a = rational("a", &a.evaluate("a", &scope)?)?;
                of_field("a", Select::with_exponentials(&a, &score))?
            }
            (None, q) => {
                let q = q.as_ref().map_or(Ok(Number::from(2)), |q| q.evaluate("q", &scope))?;
                let at = if self.q.is_some() { "q" } else { "B" };
                of_field(at, Select::with_powers(&q, &score.clone().into()))?
            }
        };
        let first = match &self.first {
            None => Function::zero(class.points()),
            Some(text) => {
                let first = Function::new(text).filter(|f| f.labels().len() == class.points());
                first.ok_or_else(|| {
                    let points = class.points();
                    let expected = format!("expected {points} labels 0 and 1, one for each point");
                    Error::argument(format!("first: {expected}, found `{text}`"))
                })?
            }
        };
        let paper = || Parameters::paper_list_bound(ambient, sample);
        let parameters = Parameters {
            ambient,
            sample,
            groups,
            list_bound: self
                .list_bound
                .unwrap_or_else(|| usize::try_from(paper()).unwrap_or(usize::MAX)),
            candidates,
            batch,
            thresholds: match &self.thresholds {
                Some(thresholds) => thresholds.value.0.clone(),
                None => Parameters::paper_thresholds(ambient),
            },
            lists: match &self.lists {
                Some(lists) => lists.value.0.clone(),
                None => Parameters::paper_lists(ambient, sample)?,
            },
            first,
            select,
            score,
            variant: self.variant.as_ref().map(|variant| variant.value).unwrap_or_default(),
        };
        of_field("thresholds", parameters.check_thresholds())?;
        of_field("lists", parameters.check_lists())?;
        Ok(parameters)
    }
}

fn rational(name: &str, value: &Number) -> Result<Rational> {
    value.as_rational().cloned().ok_or_else(|| {
        Error::argument(format!("{name}: expected a rational number, found {value}"))
    })
}
