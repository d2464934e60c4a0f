//! How what a question claims is made stronger, constant by constant.
//!
//! A claim that still holds with a stronger constant says less than it could on its instance. Bounds on values
//! that are found need no trial, for their slack is known ([`super::slack`]); this is about constants that the
//! answer does not compare with anything.

use std::collections::BTreeMap;

use num_traits::Zero as _;
use serde_json::Value;

use crate::exact::{Epsilon, Number, expression};

use super::known;

/// A field that holds a constant of what is claimed, and how it is made stronger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Strengthening {
    /// The field.
    pub field: &'static str,
    /// What is done to it.
    pub change: Change,
}

/// A least change that makes a claim stronger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// A rational ε is halved, and ln(x) becomes ln((1 + x)/2).
    SmallerEpsilon,
    /// A whole number is one more.
    OneMore,
    /// A number is one less, but not below 0.
    OneLess,
    /// An expression is one less.
    FormulaLess,
}

impl Change {
    /// The stronger value; nothing where there is none.
    pub fn apply(self, value: &Value) -> Option<Value> {
        let text = known::text(value);
        let number = || expression::evaluate(&text, &BTreeMap::new()).ok();
        let stronger = match self {
            Self::SmallerEpsilon => {
                let half = |number: &Number| number.checked_div(&Number::from(2)).ok();
                let smaller = match Epsilon::parse(&text).ok()? {
                    Epsilon::Rational(zero) if zero.is_zero() => return None,
                    Epsilon::Rational(q) => {
                        Epsilon::rational(half(&q.into())?.as_rational()?.clone())
                    }
                    Epsilon::Ln(factor) => Epsilon::ln(half(&(&Number::one() + &factor))?),
                };
                smaller?.to_string()
            }
            Self::OneMore => (&number()? + &Number::one()).to_string(),
            Self::OneLess => {
                let less = &number()? - &Number::one();
                (less.signum() >= 0).then(|| less.to_string())?
            }
            Self::FormulaLess => format!("({text}) - 1"),
        };
        Some(match value {
            Value::Number(_) => stronger.parse().map_or_else(|_| stronger.into(), Value::Number),
            _ => stronger.into(),
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn constants_become_stronger_by_one_step() {
        for (change, value, expected) in [
            (Change::SmallerEpsilon, json!("1/2"), Some(json!("1/4"))),
            (Change::SmallerEpsilon, json!("ln(3)"), Some(json!("ln(2)"))),
            (Change::SmallerEpsilon, json!(1), Some(json!("1/2"))),
            (Change::SmallerEpsilon, json!("0"), None),
            (Change::SmallerEpsilon, json!("ln(1)"), None),
            (Change::OneMore, json!(2), Some(json!(3))),
            (Change::OneMore, json!("2"), Some(json!("3"))),
            (Change::OneLess, json!("3/2"), Some(json!("1/2"))),
            (Change::OneLess, json!("1/2"), None),
            (Change::FormulaLess, json!("2*p"), Some(json!("(2*p) - 1"))),
        ] {
            assert_eq!(change.apply(&value), expected, "{change:?} {value}");
        }
    }
}
