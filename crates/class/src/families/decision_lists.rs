//! 1-decision lists on `{0,1}^n`.

use super::boolean::two_to;
use super::rows::{Rows, bit_strings, index};
use super::size::{Count, Size, decision_lists};
use super::{Family, Parameter};
use crate::Class;
use littlestone_base::error::Result;
use littlestone_base::limits::{Meter, Stopped};

pub(super) const FAMILIES: &[Family] = &[Family {
    name: "decision-list",
    arguments: "n ≥ 1",
    summary: "1-decision lists on {0,1}^n: if literal then bit, else if literal …",
    size: "2, 4, 14, 96, 1050, 15036, … for n = 0, 1, 2, … × 2^n",
    dimension: "no closed form; n = 1, 2, 3: 2, 3, 5 (computed)",
    example: "decision-list:3",
    parameters: &[Parameter::from("n", 1)],
    measure: |a| {
        let formula = format!("number of 1-decision lists of {} variables", a[0]);
        Ok(Size::new(Count::of(formula, decision_lists(a[0])), two_to(a[0])))
    },
    build: |a, meter| decision_list(index(a[0]), meter),
}];

/// Each function once, in the normal form described at [`decision_lists`].
fn decision_list(n: usize, meter: &mut Meter<'_>) -> Result<Class> {
    let mut rows = Rows::new(bit_strings(n), meter);
    rows.push(None, (0..1usize << n).map(|_| false))?;
    rows.push(None, (0..1usize << n).map(|_| true))?;
    let start = DecisionList {
        unused: (1 << n) - 1,
        decided: vec![false; 1 << n],
        labels: vec![false; 1 << n],
    };
    for output in [false, true] {
        start.extend(output, &mut rows)?;
    }
    Ok(rows.build())
}

/// The beginning of a 1-decision list, as a partial function.
struct DecisionList {
    unused: usize,
    decided: Vec<bool>,
    labels: Vec<bool>,
}

impl DecisionList {
    /// All lists that continue with a block of literals of the given output.
    fn extend(&self, output: bool, rows: &mut Rows<'_, '_>) -> Result<(), Stopped> {
        let first = self.unused == self.decided.len() - 1;
        for block in (1..=self.unused).filter(|block| block & !self.unused == 0) {
            for signs in (0..=block).filter(|signs| signs & !block == 0) {
                rows.meter.work(8 * self.decided.len())?;
                let (mut decided, mut labels) = (self.decided.clone(), self.labels.clone());
                for x in 0..decided.len() {
                    // A literal is true: some variable of the block has the value of its sign.
                    if !decided[x] && block & !(x ^ signs) != 0 {
                        decided[x] = true;
                        labels[x] = output;
                    }
                }
                // A lone literal is x → 1 or ¬x → 1; with output 0 it would come again.
                if block.count_ones() >= 2 || first && output {
                    let rest = decided.iter().zip(&labels);
                    rows.push(None, rest.map(|(&d, &l)| if d { l } else { !output }))?;
                }
                let unused = self.unused & !block;
                Self { unused, decided, labels }.extend(!output, rows)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::testing::{class, dimension, rows};

    #[test]
    fn decision_lists_by_closure() {
        // Independent of the normal form: close the constants under "if literal then bit else f".
        for n in 1..=3 {
            let points = 1usize << n;
            let mut found: BTreeSet<String> = ["0", "1"].map(|b| b.repeat(points)).into();
            for _ in 0..n {
                let mut more = found.clone();
                for f in &found {
                    for (v, sign) in (0..n).flat_map(|v| [(v, 0), (v, 1)]) {
                        for bit in ['0', '1'] {
                            let tested = |x: usize| x >> v & 1 == sign;
                            let label =
                                |x| if tested(x) { bit } else { char::from(f.as_bytes()[x]) };
                            more.insert((0..points).map(label).collect());
                        }
                    }
                }
                found = more;
            }
            assert_eq!(found, BTreeSet::from_iter(rows(&format!("decision-list:{n}"))));
        }
    }

    #[test]
    fn sizes_and_dimensions_computed_by_two_independent_methods() {
        let sizes = (1..=4).map(|n| class(&format!("decision-list:{n}")).hypotheses());
        assert_eq!(sizes.collect::<Vec<_>>(), [4, 14, 96, 1050]);
        assert_eq!([dimension("decision-list:1"), dimension("decision-list:2")], [2, 3]);
    }
}
