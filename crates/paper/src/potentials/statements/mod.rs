//! The inequalities of Sections 2.1 and 5 about the potentials of a learner, instance by instance;
//! and what a misreading would make of them.

mod constants;
mod instances;
mod row;

pub use constants::Constant;
pub use row::{Relation, Row, Verdict, tightest};

use super::{Choice, Potentials};
use littlestone_exact::{Number, Rational};

/// What statements are about.
#[derive(Debug, Clone, Copy)]
pub struct Context<'p> {
    /// The potentials.
    pub potentials: &'p Potentials,
    /// The δ that is claimed of the learner; `None` for the one it has on the streams compared.
    pub delta: Option<&'p Number>,
}

/// A statement about potentials.
#[derive(Debug, Clone, Copy)]
pub struct Statement {
    /// Its name, as in claims: `(2)`, `Lemma 1`.
    pub name: &'static str,
    /// What it says.
    pub about: &'static str,
    /// For a statement that the paper does not make, the misreading.
    pub twin: Option<&'static str>,
    /// Whether it needs [`Extras::unconditioned`](super::Extras::unconditioned); without that it has
    /// no instances.
    pub unconditioned: bool,
    rows: fn(&Context<'_>) -> Vec<Row>,
}

impl Statement {
    /// Its instances, by stage and then by choices. Where it is about several rounds, the one with
    /// the least slack stands for all.
    pub fn rows(&self, context: &Context<'_>) -> Vec<Row> {
        (self.rows)(context)
    }
}

/// The statement called `name`.
pub fn statement(name: &str) -> Option<&'static Statement> {
    STATEMENTS.iter().find(|statement| statement.name == name)
}

const fn paper(
    name: &'static str,
    about: &'static str,
    rows: fn(&Context<'_>) -> Vec<Row>,
) -> Statement {
    Statement { name, about, twin: None, unconditioned: false, rows }
}

const fn twin(
    name: &'static str,
    about: &'static str,
    misread: &'static str,
    rows: fn(&Context<'_>) -> Vec<Row>,
) -> Statement {
    Statement { name, about, twin: Some(misread), unconditioned: false, rows }
}

/// All statements: those of the paper in its order, then the misreadings.
pub const STATEMENTS: &[Statement] = &[
    paper("stage 1", "stage 1 contributes exactly p/6 mistakes", |c| vec![c.first(false)]),
    paper("V and I", "V_t(s) ≤ V_t(b_t) ≤ I_t for s in the first third", |c| {
        c.each(Context::chain)
    }),
    paper("Lemma 1", "stage t + 1 contributes at least (p/6)(1 − √E[I_t]) mistakes", |c| {
        c.lemma_1(false)
    }),
    paper("Lemma 1, each choice", "the same for each J_≤t, with I_t in place of E[I_t]", |c| {
        c.each(|c, choice| vec![c.lemma_1_of(choice)])
    }),
    paper("(1)", "E[I_t] ≤ 120(p² + tp³ + tpδ)", |c| c.bound_1(120)),
    paper("(2)", "E[I_{t+1} | J_≤t] ≤ I_t + 20p²D_t + 20pδ", |c| {
        c.each(|c, choice| vec![c.step_2(choice, &choice.ratios.difference, 20, 20)])
    }),
    paper("(2), 8 and 16", "the same with 8 and 16 in place of 20 and 20", |c| {
        c.each(|c, choice| vec![c.step_2(choice, &choice.ratios.difference, 8, 16)])
    }),
    paper("(3)", "E[W_{t+1} | J_≤t] ≤ W_t − D_t/6 + (p + δ)/3", |c| {
        c.each(|c, choice| vec![c.step_3(choice, true)])
    }),
    paper("(5)", "‖Q_s − Q ℓ_s‖_1 ≤ 2δ, and the same for thirds", |c| {
        c.each(|c, choice| vec![c.clipping(choice, 2)])
    }),
    paper(
        "(6)",
        "V⁺(v) − V⁺(u) ≤ 2(V(v) − V(u)) + 8p²D_t + 16pδ for u ≤ v ≤ c_2",
        |c| c.each(|c, choice| vec![c.increments(choice, choice.interval.third(2).last)]),
    ),
    paper("(7)", "W⁺(A²) ≤ W(A²) + p + δ", |c| {
        c.each(|c, choice| vec![c.middle(choice, &c.p() + &c.delta(choice))])
    }),
    paper(
        "(7), inner step",
        "W⁺(A²) ≤ (1 − p)W(A²) + p(e^ε − e^(−ε))²/4 + δ",
        |c| c.each(|c, choice| vec![c.inner(choice)]),
    ),
    paper(
        "variance decomposition",
        "the average of W(A^j) over the thirds is ≤ W_t − D_t/6",
        |c| c.each(|c, choice| vec![c.decomposition(choice, &ratio(1, 6))]),
    ),
    paper(
        "one step",
        "E[I_{t+1}] ≤ E[I_t] + 120p²(E[W_t] − E[W_{t+1}]) + 40p³ + 60pδ",
        |c| c.one_step(120),
    ),
    paper("telescoped sum", "E[I_m] ≤ 120p²(E[W_0] − E[W_m]) + 40mp³ + 60mpδ", |c| {
        c.summed(true)
    }),
    paper("summed", "E[I_m] ≤ 120p² + 40mp³ + 60mpδ", |c| c.summed(false)),
    twin(
        "stage 1, after the example",
        "stage 1 contributes exactly p/6 mistakes",
        "the learner predicts after it has seen the example",
        |c| vec![c.first(true)],
    ),
    twin(
        "Lemma 1, after the example",
        "stage t + 1 contributes at least (p/6)(1 − √E[I_t]) mistakes",
        "the learner predicts after it has seen the example",
        |c| c.lemma_1(true),
    ),
    twin(
        "(2), signed",
        "E[I_{t+1} | J_≤t] ≤ I_t + 20p²D_t + 20pδ",
        "D_t is the expected difference, not the expected square",
        |c| c.each(|c, choice| vec![c.step_2(choice, &choice.ratios.signed_difference, 20, 20)]),
    ),
    Statement {
        name: "(2), B averaged out",
        about: "E[I_{t+1} | J_≤t] ≤ I_t + 20p²D_t + 20pδ",
        twin: Some("the ratio is that of the laws of Y, not of those given B"),
        unconditioned: true,
        rows: |c| {
            c.each(|c, choice| {
                let difference = choice.unconditioned.as_ref();
                difference.map(|d| c.step_2(choice, d, 20, 20)).into_iter().collect()
            })
        },
    },
    twin(
        "(3), without p",
        "E[W_{t+1} | J_≤t] ≤ W_t − D_t/6 + δ/3",
        "the insertion itself changes no variance",
        |c| c.each(|c, choice| vec![c.step_3(choice, false)]),
    ),
    twin(
        "(5), once",
        "‖Q_s − Q ℓ_s‖_1 ≤ δ, and the same for thirds",
        "the mass below e^(−ε) Q is no error",
        |c| c.each(|c, choice| vec![c.clipping(choice, 1)]),
    ),
    twin(
        "(6), up to the end",
        "V⁺(v) − V⁺(u) ≤ 2(V(v) − V(u)) + 8p²D_t + 16pδ for u ≤ v ≤ b_t",
        "v may lie in the last third",
        |c| c.each(|c, choice| vec![c.increments(choice, choice.interval.last)]),
    ),
    twin(
        "variance decomposition, D/3",
        "the average of W(A^j) over the thirds is ≤ W_t − D_t/3",
        "the averages of two thirds differ from that of all by their whole difference",
        |c| c.each(|c, choice| vec![c.decomposition(choice, &ratio(1, 3))]),
    ),
    twin(
        "(7), without p",
        "W⁺(A²) ≤ W(A²) + δ",
        "the insertion itself changes no variance",
        |c| c.each(|c, choice| vec![c.middle(choice, c.delta(choice))]),
    ),
];

fn n(value: i64) -> Number {
    value.into()
}

fn ratio(p: i64, q: i64) -> Number {
    Rational::new(p.into(), q.into()).into()
}

/// The product.
fn times<const N: usize>(factors: [&Number; N]) -> Number {
    factors.iter().fold(Number::one(), |product, factor| &product * factor)
}

fn total<const N: usize>(summands: &[Number; N]) -> Number {
    summands.iter().fold(Number::zero(), |sum, summand| &sum + summand)
}

fn stages(t: usize) -> Number {
    Rational::from_integer(t.into()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinct_and_misreadings_come_last() {
        let mut names: Vec<&str> = STATEMENTS.iter().map(|s| s.name).collect();
        assert!(STATEMENTS.iter().map(|s| s.twin.is_some()).is_sorted());
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
