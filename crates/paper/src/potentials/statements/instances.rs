//! What each statement says of given potentials.

use super::super::side::Side;
use super::{Choice, Context, Relation, Row, n, ratio, stages, times, total};
use littlestone_exact::Number;

impl Context<'_> {
    pub(super) fn p(&self) -> Number {
        self.potentials.adversary.probability().clone().into()
    }

    pub(super) fn delta(&self, choice: &Choice) -> Number {
        self.delta.cloned().unwrap_or_else(|| choice.delta.clone())
    }

    /// For statements about the first `t` stages.
    pub(super) fn delta_up_to(&self, t: usize) -> Number {
        self.delta.cloned().unwrap_or_else(|| self.potentials.delta(t))
    }

    /// (e^ε − e^(−ε))²/4, the greatest variance of ratios in [e^(−ε), e^ε].
    pub(super) fn spread(&self) -> Number {
        let up = self.potentials.epsilon.factor();
        let down = Number::one().checked_div(&up).expect("e^ε is not 0");
        let apart = &up - &down;
        times([&apart, &apart, &ratio(1, 4)])
    }

    /// The greatest variance over the rounds of a third: 0 where that is one round.
    pub(super) fn spread_within(&self, choice: &Choice) -> Number {
        if choice.interval.len() <= 3 { Number::zero() } else { self.spread() }
    }

    pub(super) fn each(&self, rows: fn(&Self, &Choice) -> Vec<Row>) -> Vec<Row> {
        let before_last = &self.potentials.stages[..self.potentials.length()];
        before_last.iter().flatten().flat_map(|choice| rows(self, choice)).collect()
    }

    /// A row about one choice of thirds.
    pub(super) fn row(&self, choice: &Choice, left: Number, right: Number, trivial: Number) -> Row {
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
    pub(super) fn mean_row(&self, t: usize, left: Number, right: Number, trivial: Number) -> Row {
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

    pub(super) fn first(&self, after: bool) -> Row {
        let choice = &self.potentials.stages[0][0];
        let wrong = if after { choice.wrong_after() } else { choice.wrong() };
        let left = times([&self.p(), &ratio(1, 3), &wrong]);
        let right = times([&self.p(), &ratio(1, 6)]);
        Row { relation: Relation::Equal, ..self.mean_row(0, left, right, n(0)) }
    }

    pub(super) fn chain(&self, choice: &Choice) -> Vec<Row> {
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

    pub(super) fn lemma_1(&self, after: bool) -> Vec<Row> {
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

    pub(super) fn lemma_1_of(&self, choice: &Choice) -> Row {
        let left = times([&self.p(), &ratio(1, 3), &choice.wrong()]);
        Row {
            relation: Relation::AtLeast,
            right: self.guaranteed(choice.information()),
            ..self.row(choice, left, n(0), n(0))
        }
    }

    /// (p/6)(1 − √under).
    pub(super) fn guaranteed(&self, under: Number) -> Side {
        let share = times([&self.p(), &ratio(1, 6)]);
        Side::Root { factor: -&share, first: share, under }
    }

    pub(super) fn information(&self, t: usize) -> Number {
        self.potentials.mean(t, Choice::information)
    }

    pub(super) fn variance(&self, t: usize) -> Number {
        self.potentials.mean(t, |choice| choice.ratios.variance.clone())
    }

    pub(super) fn bound_1(&self, constant: i64) -> Vec<Row> {
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

    /// E[I_{t+1} | `J_≤t`].
    pub(super) fn next_information(&self, choice: &Choice) -> Number {
        let next = self.potentials.next(choice);
        let sum = next.iter().fold(n(0), |sum, next| &sum + &next.information());
        times([&sum, &ratio(1, 3)])
    }

    /// E[W_{t+1} | `J_≤t`].
    pub(super) fn next_variance(&self, choice: &Choice) -> Number {
        let next = self.potentials.next(choice);
        let sum = next.iter().fold(n(0), |sum, next| &sum + &next.ratios.variance);
        times([&sum, &ratio(1, 3)])
    }

    pub(super) fn step_2(
        &self,
        choice: &Choice,
        difference: &Number,
        first: i64,
        second: i64,
    ) -> Row {
        let p = self.p();
        let right = total(&[
            choice.information(),
            times([&n(first), &p, &p, difference]),
            times([&n(second), &p, &self.delta(choice)]),
        ]);
        self.row(choice, self.next_information(choice), right, n(2))
    }

    pub(super) fn step_3(&self, choice: &Choice, with_p: bool) -> Row {
        let p = if with_p { self.p() } else { n(0) };
        let right =
            total(&[Self::decomposed(choice), times([&(&p + &self.delta(choice)), &ratio(1, 3)])]);
        self.row(choice, self.next_variance(choice), right, self.spread_within(choice))
    }

    /// `W_t` − `D_t/6`.
    pub(super) fn decomposed(choice: &Choice) -> Number {
        &choice.ratios.variance - &times([&choice.ratios.difference, &ratio(1, 6)])
    }

    /// The average of W(A^j) over the thirds.
    pub(super) fn within(choice: &Choice) -> Number {
        let sum = choice.ratios.within.iter().fold(n(0), |sum, within| &sum + within);
        times([&sum, &ratio(1, 3)])
    }

    pub(super) fn decomposition(&self, choice: &Choice, factor: &Number) -> Row {
        let left = Self::within(choice);
        let fall = times([&choice.ratios.difference, factor]);
        let right = &choice.ratios.variance - &fall;
        self.row(choice, left, right, self.spread_within(choice))
    }

    pub(super) fn clipping(&self, choice: &Choice, factor: i64) -> Row {
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

    /// The greatest (V⁺(v) − V⁺(u)) − 2(V(v) − V(u)) for u < v ≤ `last`, with u and v.
    pub(super) fn gain(&self, choice: &Choice, last: usize) -> (Number, usize, usize) {
        let before = choice.revealed();
        let after = self.potentials.next(choice)[1].revealed();
        // It is g(v) − g(u) with g = V⁺ − 2V.
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
        best.expect("there are two rounds")
    }

    /// The pair u < v ≤ `last` with the least slack.
    pub(super) fn increments(&self, choice: &Choice, last: usize) -> Row {
        let p = self.p();
        let (_, u, v) = self.gain(choice, last);
        let before = choice.revealed();
        let after = self.potentials.next(choice)[1].revealed();
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
    pub(super) fn middle(&self, choice: &Choice, more: Number) -> Row {
        let left = self.potentials.next(choice)[1].ratios.variance.clone();
        let right = total(&[choice.ratios.within[1].clone(), more]);
        self.row(choice, left, right, self.spread_within(choice))
    }

    pub(super) fn inner(&self, choice: &Choice) -> Row {
        let p = self.p();
        let left = self.potentials.next(choice)[1].ratios.variance.clone();
        let right = total(&[
            times([&(&n(1) - &p), &choice.ratios.within[1]]),
            times([&p, &self.spread_within(choice)]),
            self.delta(choice),
        ]);
        self.row(choice, left, right, self.spread_within(choice))
    }

    pub(super) fn one_step(&self, constant: i64) -> Vec<Row> {
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

    pub(super) fn summed(&self, telescoped: bool) -> Vec<Row> {
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
