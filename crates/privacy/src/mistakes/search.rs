//! The greatest expected number of mistakes over all streams of one length, exactly.
//!
//! A node is what the future depends on: the law of the state (without common factors), the
//! adversary's place (a version space) and the number of rounds left. Its *value* is the greatest
//! expected number of mistakes in the rounds left, as a numerator over Σ law · D^left, where D is
//! the denominator of a round; it does not depend on how the node was reached, so it is kept.
//!
//! *Bound.* If the state were revealed to the adversary before every round, it could only do
//! better: the value is at most `Σ_s law(s)·W(s)`, where W(s) is the value of the game in which the
//! adversary sees the state. W is computed by dynamic programming, once for each state, place and
//! number of rounds left.
//!
//! The search runs twice. The first pass takes the most promising records first and finds the
//! value; the second takes records in order, knows the value, and stops at the first stream that
//! attains it.

use std::cmp::Ordering;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use littlestone_exact::Arithmetic;
use littlestone_exact::limits::{Limits, Progress, Stopped};

use super::model::{Law, Model, reduce};
use super::places::Places;

/// At most so many nodes are remembered.
const REMEMBERED: usize = 2_000_000;

/// What the future depends on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Node<W> {
    /// The law of the state, without common factors.
    pub law: Law<W>,
    pub place: u32,
    /// Number of rounds left.
    pub left: usize,
}

/// What is known about the value of a node.
#[derive(Debug, Clone)]
pub(super) enum Value<W> {
    Exact(W),
    AtMost(W),
}

impl<W> Value<W> {
    fn upper(&self) -> &W {
        match self {
            Self::Exact(value) | Self::AtMost(value) => value,
        }
    }
}

/// How a node was reached: the expected mistakes so far, and what one unit of its value is worth,
/// both over the denominator of the whole stream.
#[derive(Debug, Clone)]
struct Reached<W> {
    gained: W,
    unit: W,
}

/// A node one round later.
struct Child<W> {
    record: u32,
    node: Node<W>,
    /// Expected mistakes in the round between, in units of the parent.
    mistake: W,
    /// What one unit of the child is worth, in units of the parent.
    factor: W,
    /// A bound on the value of the child, in its own units.
    bound: W,
    /// A bound on mistakes in the round between and after it, in units of the parent.
    total: W,
}

/// The search over one model; what is learnt about one length serves the next.
pub(super) struct Search<'s, A: Arithmetic> {
    model: &'s Model<A>,
    places: Places,
    limits: &'s Limits,
    progress: &'s Progress,
    /// D^k for the numbers of rounds k.
    powers: Vec<A::Weight>,
    revealed: HashMap<(u32, u32, usize), A::Weight, FxBuildHasher>,
    known: HashMap<Node<A::Weight>, Value<A::Weight>, FxBuildHasher>,
    /// The greatest expected number of mistakes of a stream seen so far, or, in the second pass,
    /// of all streams.
    best: A::Weight,
    states: u64,
    stopped: Option<Stopped>,
}

impl<'s, A: Arithmetic> Search<'s, A> {
    pub fn new(
        model: &'s Model<A>,
        places: Places,
        rounds: usize,
        limits: &'s Limits,
        progress: &'s Progress,
    ) -> Self {
        let arithmetic = &model.arithmetic;
        let mut powers = vec![arithmetic.one()];
        for k in 0..rounds {
            powers.push(arithmetic.mul(&powers[k], &model.round_denominator));
        }
        Self {
            model,
            places,
            limits,
            progress,
            powers,
            revealed: HashMap::default(),
            known: HashMap::default(),
            best: arithmetic.zero(),
            states: 0,
            stopped: None,
        }
    }

    /// D^`rounds`.
    pub fn power(&self, rounds: usize) -> &A::Weight {
        &self.powers[rounds]
    }

    /// Why the search gave up, if it did.
    pub fn stopped(&self) -> Option<Stopped> {
        self.stopped
    }

    /// The value of `root`, or a bound on it when the search was stopped; the second item is the
    /// greatest value of a stream that was seen.
    pub fn value_of(&mut self, root: &Node<A::Weight>) -> (Value<A::Weight>, A::Weight) {
        self.best = self.arithmetic().zero();
        let bound = self.bound(&root.law, root.place, root.left);
        let reached = self.at_root();
        let value = self.value(root, &reached, bound);
        (value, self.best.clone())
    }

    /// The lexicographically least stream that attains `value`, the value of `root`; `None` when
    /// the search was stopped.
    pub fn least_stream(&mut self, root: &Node<A::Weight>, value: &A::Weight) -> Option<Vec<u32>> {
        self.best = value.clone();
        let mut stream = Vec::with_capacity(root.left);
        let reached = self.at_root();
        self.least(root, &reached, &mut stream).is_none().then_some(stream)
    }

    fn arithmetic(&self) -> &'s A {
        &self.model.arithmetic
    }

    fn at_root(&self) -> Reached<A::Weight> {
        Reached { gained: self.arithmetic().zero(), unit: self.arithmetic().one() }
    }

    /// Counts a state; `false` when a limit is hit, now or earlier.
    fn count_state(&mut self) -> bool {
        use std::sync::atomic::Ordering::Relaxed;
        if self.stopped.is_none() {
            self.progress.states.fetch_add(1, Relaxed);
            if self.limits.states.is_some_and(|limit| self.states >= limit) {
                self.stopped = Some(Stopped::States);
            }
            self.states += 1;
            self.stopped = self.stopped.or(self.limits.check().err());
        }
        self.stopped.is_none()
    }

    fn remember(&mut self, node: &Node<A::Weight>, value: Value<A::Weight>) {
        if self.stopped.is_some() {
            return;
        }
        if let Some(known) = self.known.get_mut(node) {
            *known = value;
        } else if self.known.len() < REMEMBERED {
            self.known.insert(node.clone(), value);
        }
    }

    /// W(`state`) over D^`left`: the value when the adversary sees the state before every round.
    fn revealed(&mut self, state: u32, place: u32, left: usize) -> A::Weight {
        let (model, arithmetic) = (self.model, self.arithmetic());
        if left == 0 {
            return arithmetic.zero();
        }
        let key = (state, place, left);
        if let Some(known) = self.revealed.get(&key) {
            return known.clone();
        }
        let mut worst = arithmetic.zero();
        for record in 0..model.records {
            let Some(next) = self.places.step(place, record) else { continue };
            let step = model.step(state, record);
            let mut sum = arithmetic.mul(&step.mistake, &self.powers[left - 1]);
            if left > 1 {
                for (to, weight) in &step.next {
                    let after = self.revealed(*to, next, left - 1);
                    arithmetic.add(&mut sum, &arithmetic.mul(weight, &after));
                }
            }
            if arithmetic.weight_cmp(&sum, &worst).is_gt() {
                worst = sum;
            }
        }
        self.revealed.insert(key, worst.clone());
        worst
    }

    /// The bound `Σ_s law(s)·W(s)`, in units of the node.
    fn bound(&mut self, law: &Law<A::Weight>, place: u32, left: usize) -> A::Weight {
        let arithmetic = self.arithmetic();
        let mut sum = arithmetic.zero();
        for (state, weight) in law {
            let after = self.revealed(*state, place, left);
            arithmetic.add(&mut sum, &arithmetic.mul(weight, &after));
        }
        sum
    }

    /// The child of `node` by `record`; `None` where the record may not stand.
    fn child(&mut self, node: &Node<A::Weight>, record: u32) -> Option<Child<A::Weight>> {
        let (model, arithmetic) = (self.model, self.arithmetic());
        let place = self.places.step(node.place, record)?;
        let left = node.left - 1;
        let mistake = arithmetic.mul(&model.mistake(&node.law, record), &self.powers[left]);
        // After the last round, nothing depends on the law.
        let law = if left == 0 { Vec::new() } else { model.advance(&node.law, record) };
        let (law, factor) = reduce(arithmetic, law);
        let bound = self.bound(&law, place, left);
        let mut child = Child {
            record,
            node: Node { law, place, left },
            total: arithmetic.zero(),
            mistake,
            factor,
            bound,
        };
        child.total = self.total(&child, &child.bound);
        Some(child)
    }

    /// Mistakes in the round before `child` and after it, in units of the parent, when those after
    /// it are `value`.
    fn total(&self, child: &Child<A::Weight>, value: &A::Weight) -> A::Weight {
        let arithmetic = self.arithmetic();
        let mut total = arithmetic.mul(&child.factor, value);
        arithmetic.add(&mut total, &child.mistake);
        total
    }

    fn reach(&self, reached: &Reached<A::Weight>, child: &Child<A::Weight>) -> Reached<A::Weight> {
        let unit = self.arithmetic().mul(&reached.unit, &child.factor);
        Reached { gained: self.stream_value(reached, &child.mistake), unit }
    }

    /// The expected mistakes of a stream that reaches a node and then makes `value`.
    fn stream_value(&self, reached: &Reached<A::Weight>, value: &A::Weight) -> A::Weight {
        let arithmetic = self.arithmetic();
        let mut sum = arithmetic.mul(&reached.unit, value);
        arithmetic.add(&mut sum, &reached.gained);
        sum
    }

    fn against_best(&self, reached: &Reached<A::Weight>, value: &A::Weight) -> Ordering {
        self.arithmetic().weight_cmp(&self.stream_value(reached, value), &self.best)
    }

    /// First pass: the value of `node`, or a bound on it that shows that no stream through `node`
    /// as it was reached beats the best one seen (or, once stopped, any bound).
    fn value(
        &mut self,
        node: &Node<A::Weight>,
        reached: &Reached<A::Weight>,
        bound: A::Weight,
    ) -> Value<A::Weight> {
        let arithmetic = self.arithmetic();
        if node.left == 0 {
            self.raise_best(reached, &bound);
            return Value::Exact(bound);
        }
        match self.known.get(node).cloned() {
            Some(Value::Exact(value)) => {
                self.raise_best(reached, &value);
                return Value::Exact(value);
            }
            Some(Value::AtMost(upper)) if self.against_best(reached, &upper).is_le() => {
                return Value::AtMost(upper);
            }
            _ => {}
        }
        if !self.count_state() {
            return Value::AtMost(bound);
        }
        let mut children: Vec<Child<A::Weight>> =
            (0..self.model.records).filter_map(|record| self.child(node, record)).collect();
        children.sort_by(|a, b| {
            arithmetic.weight_cmp(&b.total, &a.total).then(a.record.cmp(&b.record))
        });
        let (mut attained, mut open) = (arithmetic.zero(), arithmetic.zero());
        let raise = |which: &mut A::Weight, by: A::Weight| {
            if arithmetic.weight_cmp(&by, which).is_gt() {
                *which = by;
            }
        };
        for child in children {
            let enough = arithmetic.weight_cmp(&child.total, &attained).is_le();
            if enough || self.against_best(reached, &child.total).is_le() {
                // The children after this one are bounded by the same number.
                raise(&mut open, child.total);
                break;
            }
            let further = self.reach(reached, &child);
            match self.value(&child.node, &further, child.bound.clone()) {
                Value::Exact(value) => raise(&mut attained, self.total(&child, &value)),
                Value::AtMost(upper) => raise(&mut open, self.total(&child, &upper)),
            }
        }
        let value = if arithmetic.weight_cmp(&open, &attained).is_le() {
            Value::Exact(attained)
        } else {
            Value::AtMost(open)
        };
        self.remember(node, value.clone());
        value
    }

    fn raise_best(&mut self, reached: &Reached<A::Weight>, value: &A::Weight) {
        let made = self.stream_value(reached, value);
        if self.arithmetic().weight_cmp(&made, &self.best).is_gt() {
            self.best = made;
        }
    }

    /// Second pass: extends `stream` to the least one that attains the best value and returns
    /// `None`, or returns a bound on the value of `node` which shows that there is none (or, once
    /// stopped, any bound).
    fn least(
        &mut self,
        node: &Node<A::Weight>,
        reached: &Reached<A::Weight>,
        stream: &mut Vec<u32>,
    ) -> Option<A::Weight> {
        let arithmetic = self.arithmetic();
        if node.left == 0 {
            return None;
        }
        let known = self.known.get(node).cloned();
        if let Some(known) = &known
            && self.against_best(reached, known.upper()).is_lt()
        {
            return Some(known.upper().clone());
        }
        if !self.count_state() {
            return Some(self.bound(&node.law, node.place, node.left));
        }
        let mut open = arithmetic.zero();
        for record in 0..self.model.records {
            let Some(child) = self.child(node, record) else { continue };
            let mut total = child.total.clone();
            if self.against_best(reached, &total).is_ge() {
                let further = self.reach(reached, &child);
                stream.push(record);
                let bound = self.least(&child.node, &further, stream)?;
                stream.pop();
                total = self.total(&child, &bound);
            }
            if arithmetic.weight_cmp(&total, &open).is_gt() {
                open = total;
            }
        }
        if !matches!(known, Some(Value::Exact(_))) {
            self.remember(node, Value::AtMost(open.clone()));
        }
        Some(open)
    }
}
