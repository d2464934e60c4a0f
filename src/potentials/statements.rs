//! The inequalities of Sections 2.1 and 5 about the potentials of a learner, instance by instance;
//! and what a misreading would make of them.

use super::side::Side;
use super::{Choice, Potentials};
use crate::exact::{Number, Rational};

/// How the two sides compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// left ≤ right.
    AtMost,
    /// left ≥ right.
    AtLeast,
    /// left = right.
    Equal,
}

impl Relation {
    /// The sign.
    pub fn sign(self) -> &'static str {
        match self {
            Self::AtMost => "≤",
            Self::AtLeast => "≥",
            Self::Equal => "=",
        }
    }
}

/// What an instance comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It is true, and could be false for another learner.
    Holds,
    /// It is false.
    Refuted,
    /// The right side reaches the trivial bound on the left one: it says nothing.
    Vacuous,
}

impl Verdict {
    /// The verdict's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Refuted => "refuted",
            Self::Vacuous => "vacuous",
        }
    }
}

/// One instance of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The number t of completed stages.
    pub stage: usize,
    /// `J_1`, …, `J_t`; `None` for a statement about expectations over them.
    pub thirds: Option<Vec<u8>>,
    /// Which of several instances this is, the one with the least slack: `s = 4`, `u = 1, v = 5`.
    pub place: String,
    /// The left side.
    pub left: Number,
    /// The relation.
    pub relation: Relation,
    /// The right side.
    pub right: Side,
    /// The greatest value (the least one, for a lower bound) that the left side can have whatever
    /// the learner.
    pub trivial: Number,
    /// The δ on the right side.
    pub delta: Number,
}

impl Row {
    /// How far the statement is from being false; negative where it is.
    pub fn slack(&self) -> Side {
        match (&self.right, self.relation) {
            (Side::Exact(right), Relation::AtMost) => Side::Exact(right - &self.left),
            (right, Relation::AtLeast | Relation::Equal) => right.below(&self.left),
            (Side::Root { first, factor, under }, Relation::AtMost) => Side::Root {
                first: first - &self.left,
                factor: factor.clone(),
                under: under.clone(),
            },
        }
    }

    /// The verdict.
    pub fn verdict(&self) -> Verdict {
        let slack = self.slack().sign();
        // right − trivial.
        let beyond = self.right.below(&self.trivial).sign().reverse();
        match self.relation {
            Relation::Equal if slack.is_eq() => Verdict::Holds,
            Relation::AtMost | Relation::AtLeast if slack.is_ge() => {
                let idle = match self.relation {
                    Relation::AtMost => beyond.is_ge(),
                    _ => beyond.is_le(),
                };
                if idle { Verdict::Vacuous } else { Verdict::Holds }
            }
            _ => Verdict::Refuted,
        }
    }
}

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

impl Context<'_> {
    fn p(&self) -> Number {
        self.potentials.adversary.probability().clone().into()
    }

    fn delta(&self, choice: &Choice) -> Number {
        self.delta.cloned().unwrap_or_else(|| choice.delta.clone())
    }

    /// For statements about the first `t` stages.
    fn delta_up_to(&self, t: usize) -> Number {
        self.delta.cloned().unwrap_or_else(|| self.potentials.delta(t))
    }

    /// (e^ε − e^(−ε))²/4, the greatest variance of ratios in [e^(−ε), e^ε].
    fn spread(&self) -> Number {
        let up = self.potentials.epsilon.factor();
        let down = Number::one().checked_div(&up).expect("e^ε is not 0");
        let apart = &up - &down;
        times([&apart, &apart, &ratio(1, 4)])
    }

    /// The greatest variance over the rounds of a third: 0 where that is one round.
    fn spread_within(&self, choice: &Choice) -> Number {
        if choice.interval.len() <= 3 { Number::zero() } else { self.spread() }
    }

    fn each(&self, rows: fn(&Self, &Choice) -> Vec<Row>) -> Vec<Row> {
        let before_last = &self.potentials.stages[..self.potentials.length()];
        before_last.iter().flatten().flat_map(|choice| rows(self, choice)).collect()
    }

    /// A row about one choice of thirds.
    fn row(&self, choice: &Choice, left: Number, right: Number, trivial: Number) -> Row {
        Row {
            stage: choice.thirds.len(),
            thirds: Some(choice.thirds.clone()),
            place: String::new(),
            left,
            relation: Relation::AtMost,
            right: Side::Exact(right),
            trivial,
            delta: self.delta(choice),
        }
    }

    /// A row about expectations over the choices.
    fn mean_row(&self, t: usize, left: Number, right: Number, trivial: Number) -> Row {
        Row {
            stage: t,
            thirds: None,
            place: String::new(),
            left,
            relation: Relation::AtMost,
            right: Side::Exact(right),
            trivial,
            delta: self.delta_up_to(t),
        }
    }

    fn first(&self, after: bool) -> Row {
        let choice = &self.potentials.stages[0][0];
        let wrong = if after { choice.wrong_after() } else { choice.wrong() };
        let left = times([&self.p(), &ratio(1, 3), &wrong]);
        let right = times([&self.p(), &ratio(1, 6)]);
        Row { relation: Relation::Equal, ..self.mean_row(0, left, right, n(0)) }
    }

    fn chain(&self, choice: &Choice) -> Vec<Row> {
        let revealed = choice.revealed();
        let first = choice.interval.third(1);
        let (value, s) = first
            .rounds()
            .map(|s| (&revealed[s], s))
            .max_by(|a, b| a.0.cmp(b.0).then(b.1.cmp(&a.1)))
            .expect("the first third has a round");
        let last = &revealed[choice.interval.last];
        let mut inner = self.row(choice, value.clone(), last.clone(), n(1));
        inner.place = format!("V(s), s = {s}");
        let mut outer = self.row(choice, last.clone(), choice.information(), n(1));
        outer.place = "V(b)".into();
        vec![inner, outer]
    }

    fn lemma_1(&self, after: bool) -> Vec<Row> {
        let contribution = |t: usize| {
            let wrong = |choice: &Choice| if after { choice.wrong_after() } else { choice.wrong() };
            times([&self.p(), &ratio(1, 3), &self.potentials.mean(t, wrong)])
        };
        (0..self.potentials.length())
            .map(|t| Row {
                relation: Relation::AtLeast,
                right: self.guaranteed(self.potentials.mean(t, Choice::information)),
                ..self.mean_row(t, contribution(t), n(0), n(0))
            })
            .collect()
    }

    fn lemma_1_of(&self, choice: &Choice) -> Row {
        let left = times([&self.p(), &ratio(1, 3), &choice.wrong()]);
        Row {
            relation: Relation::AtLeast,
            right: self.guaranteed(choice.information()),
            ..self.row(choice, left, n(0), n(0))
        }
    }

    /// (p/6)(1 − √under).
    fn guaranteed(&self, under: Number) -> Side {
        let share = times([&self.p(), &ratio(1, 6)]);
        Side::Root { factor: -&share, first: share, under }
    }

    fn information(&self, t: usize) -> Number {
        self.potentials.mean(t, Choice::information)
    }

    fn variance(&self, t: usize) -> Number {
        self.potentials.mean(t, |choice| choice.ratios.variance.clone())
    }

    fn bound_1(&self, constant: i64) -> Vec<Row> {
        let p = self.p();
        (0..=self.potentials.length())
            .map(|t| {
                let delta = self.delta_up_to(t);
                let inner = total(&[
                    times([&p, &p]),
                    times([&stages(t), &p, &p, &p]),
                    times([&stages(t), &p, &delta]),
                ]);
                let trivial = if t == 0 { n(0) } else { n(2) };
                self.mean_row(t, self.information(t), times([&n(constant), &inner]), trivial)
            })
            .collect()
    }

    fn step_2(&self, choice: &Choice, difference: &Number, first: i64, second: i64) -> Row {
        let p = self.p();
        let next = self.potentials.next(choice);
        let left = next.iter().fold(n(0), |sum, next| &sum + &next.information());
        let right = total(&[
            choice.information(),
            times([&n(first), &p, &p, difference]),
            times([&n(second), &p, &self.delta(choice)]),
        ]);
        self.row(choice, times([&left, &ratio(1, 3)]), right, n(2))
    }

    fn step_3(&self, choice: &Choice, with_p: bool) -> Row {
        let next = self.potentials.next(choice);
        let left = next.iter().fold(n(0), |sum, next| &sum + &next.ratios.variance);
        let p = if with_p { self.p() } else { n(0) };
        let right =
            total(&[Self::decomposed(choice), times([&(&p + &self.delta(choice)), &ratio(1, 3)])]);
        self.row(choice, times([&left, &ratio(1, 3)]), right, self.spread_within(choice))
    }

    /// `W_t` − `D_t/6`.
    fn decomposed(choice: &Choice) -> Number {
        &choice.ratios.variance - &times([&choice.ratios.difference, &ratio(1, 6)])
    }

    fn decomposition(&self, choice: &Choice, factor: &Number) -> Row {
        let left = choice.ratios.within.iter().fold(n(0), |sum, within| &sum + within);
        let left = times([&left, &ratio(1, 3)]);
        let fall = times([&choice.ratios.difference, factor]);
        let right = &choice.ratios.variance - &fall;
        self.row(choice, left, right, self.spread_within(choice))
    }

    fn clipping(&self, choice: &Choice, factor: i64) -> Row {
        let errors = &choice.ratios.errors;
        let place = (0..errors.len()).max_by(|&a, &b| errors[a].cmp(&errors[b]).then(b.cmp(&a)));
        let place = place.expect("an interval has a round");
        let up = self.potentials.epsilon.factor();
        let down = Number::one().checked_div(&up).expect("e^ε is not 0");
        let right = times([&n(factor), &self.delta(choice)]);
        // Two laws on different histories: all of Q_s, and Q e^(−ε).
        let mut row = self.row(choice, errors[place].clone(), right, &n(1) + &down);
        let length = choice.interval.len();
        row.place = if place < length {
            format!("s = {}", choice.interval.after + 1 + place)
        } else {
            format!("third {}", place - length + 1)
        };
        row
    }

    /// The pair u < v ≤ `last` with the least slack.
    fn increments(&self, choice: &Choice, last: usize) -> Row {
        let p = self.p();
        let before = choice.revealed();
        let after = self.potentials.next(choice)[1].revealed();
        // left − right = g(v) − g(u) − the rest, with g = V⁺ − 2V.
        let g: Vec<Number> = (0..=last).map(|r| &after[r] - &times([&n(2), &before[r]])).collect();
        let (mut least, mut best): (usize, Option<(Number, usize, usize)>) = (0, None);
        for v in 1..=last {
            if g[v - 1] < g[least] {
                least = v - 1;
            }
            let gain = &g[v] - &g[least];
            if best.as_ref().is_none_or(|(most, ..)| gain > *most) {
                best = Some((gain, least, v));
            }
        }
        let (_, u, v) = best.expect("there are two rounds");
        let left = &after[v] - &after[u];
        let right = total(&[
            times([&n(2), &(&before[v] - &before[u])]),
            times([&n(8), &p, &p, &choice.ratios.difference]),
            times([&n(16), &p, &self.delta(choice)]),
        ]);
        let mut row = self.row(choice, left, right, n(1));
        row.place = format!("u = {u}, v = {v}");
        row
    }

    /// W⁺(A²) ≤ W(A²) + `more`.
    fn middle(&self, choice: &Choice, more: Number) -> Row {
        let left = self.potentials.next(choice)[1].ratios.variance.clone();
        let right = total(&[choice.ratios.within[1].clone(), more]);
        self.row(choice, left, right, self.spread_within(choice))
    }

    fn inner(&self, choice: &Choice) -> Row {
        let p = self.p();
        let left = self.potentials.next(choice)[1].ratios.variance.clone();
        let right = total(&[
            times([&(&n(1) - &p), &choice.ratios.within[1]]),
            times([&p, &self.spread_within(choice)]),
            self.delta(choice),
        ]);
        self.row(choice, left, right, self.spread_within(choice))
    }

    fn one_step(&self, constant: i64) -> Vec<Row> {
        let p = self.p();
        (0..self.potentials.length())
            .map(|t| {
                let delta = self.delta_up_to(t + 1);
                let right = total(&[
                    self.information(t),
                    times([&n(constant), &p, &p, &(&self.variance(t) - &self.variance(t + 1))]),
                    times([&n(40), &p, &p, &p]),
                    times([&n(60), &p, &delta]),
                ]);
                let row = self.mean_row(t, self.information(t + 1), right, n(2));
                Row { delta, ..row }
            })
            .collect()
    }

    fn summed(&self, telescoped: bool) -> Vec<Row> {
        let p = self.p();
        (1..=self.potentials.length())
            .map(|m| {
                let fall = if telescoped { &self.variance(0) - &self.variance(m) } else { n(1) };
                let right = total(&[
                    times([&n(120), &p, &p, &fall]),
                    times([&n(40), &stages(m), &p, &p, &p]),
                    times([&n(60), &stages(m), &p, &self.delta_up_to(m)]),
                ]);
                self.mean_row(m, self.information(m), right, n(2))
            })
            .collect()
    }
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
