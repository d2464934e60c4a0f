//! The privacy profile: the worst δ as a function of α = e^ε, exactly and with all its breakpoints.
//!
//! The profile is the greatest of finitely many lines P(E) − α·Q(E), over the events E of all pairs
//! of neighbouring streams: convex, piecewise linear and non-increasing. It is not computed pair by
//! pair. The greatest L of the lines met so far, the line 0 included, is at most the profile δ, and
//! the search for the worst δ ([`super::search`]) is asked at the breakpoints of L whether some pair
//! exceeds L there, which it can mostly refuse by its bounds. If one does, all lines of that pair
//! are added and L grows. If none does, δ = L at that breakpoint, for good.
//!
//! *When δ = L at all breakpoints of L, and at α = 1, then δ = L.* Between two breakpoints in a row
//! L is linear, and δ is convex and equal to L at both ends, so δ ≤ L there. From the last
//! breakpoint v on L is constant, for its slopes increase and the line 0 takes part; and δ does not
//! increase, so δ(α) ≤ δ(v) = L(v) = L(α). With δ ≥ L everywhere, they are equal.
//!
//! The search ends, for there are finitely many lines and every pair that is found adds one.
//!
//! *A pair attains all of a piece or none of its inner points:* the profile of the pair is convex
//! and at most δ, which is linear on the piece; where a convex function touches a line above it in
//! between, it equals it on both sides. So the least pair of a piece is the least pair that attains
//! δ at one point inside it.

use littlestone_base::error::Result;
use littlestone_exact::limits::{Limits, Progress, Stopped};
use littlestone_exact::{Arithmetic, Choice, Epsilon, LogRational, Number, choose};
use littlestone_mechanism::Automaton;

use super::envelope::{Envelope, Line};
use super::event::narrowed;
use super::layers::Layers;
use super::least::Goal;
use super::listed::directed;
use super::model::Model;
use super::question::{Neighbour, Neighbours, Notion, Question};
use super::ratios::{self, Masses};
use super::search::{Best, Pair, Problem, Records, Search};
use super::streams::Streams;
use super::symmetry::Symmetries;
use super::tails::Tails;
use super::verdict::{admissible, differing, indices, worst_at_length};

/// A linear piece of a profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// The α = e^ε at which the piece begins; it ends where the next one begins.
    pub from: Number,
    /// P(E), for the event E of the pair that attains the piece: on it, δ = P(E) − α·Q(E).
    pub first: Number,
    /// Q(E), the slope of the piece with its sign changed.
    pub second: Number,
    /// The lexicographically least pair of streams that attains the piece, or some pair that does
    /// if a limit was hit before the least one was found. `None` for a piece on which δ is 0.
    pub attained_by: Option<Neighbour>,
    /// Whether no pair exceeds this δ where the piece begins. False only if a limit was hit.
    pub proved: bool,
}

impl Piece {
    /// The δ of this piece at α.
    pub fn at(&self, factor: &Number) -> Number {
        &self.first - &(factor * &self.second)
    }
}

/// The worst δ over all pairs of neighbouring streams as a function of α = e^ε ≥ 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    /// The linear pieces, at least one. The first begins at α = 1, and the last is constant and
    /// does not end.
    pub pieces: Vec<Piece>,
    /// The limit that was hit before everything was proved: then the pieces are a lower bound on
    /// the profile, exact where [`Profile::proves`] says so.
    pub stopped: Option<Stopped>,
}

impl Profile {
    fn index(&self, factor: &Number) -> usize {
        self.pieces.partition_point(|piece| piece.from <= *factor).saturating_sub(1)
    }

    /// The δ at α ≥ 1, or a lower bound on it unless [`Profile::proves`] it.
    pub fn at(&self, factor: &Number) -> Number {
        self.pieces[self.index(factor)].at(factor)
    }

    /// Whether [`Profile::at`] is exact at α ≥ 1: between two points at which a linear piece is
    /// exact, convexity leaves no room for more.
    pub fn proves(&self, factor: &Number) -> bool {
        let index = self.index(factor);
        let piece = &self.pieces[index];
        let next = self.pieces.get(index + 1);
        piece.proved && (piece.from == *factor || next.is_none_or(|next| next.proved))
    }

    /// The limit of δ as ε grows: the greatest probability of outputs that are impossible under a
    /// neighbouring stream. Pure differential privacy is possible iff it is 0.
    pub fn limit(&self) -> &Number {
        &self.pieces[self.pieces.len() - 1].first
    }

    /// The least α = e^ε ≥ 1 for which `delta` suffices, if there is one. When the profile is not
    /// proved there, it is a lower bound.
    pub fn least_factor(&self, delta: &Number) -> Option<Number> {
        if self.limit() > delta {
            return None;
        }
        let next = self.pieces.iter().position(|piece| piece.at(&piece.from) <= *delta);
        // Without such a beginning, the last piece would lie above its limit.
        let next = next.expect("the last piece is constant");
        let Some(piece) = next.checked_sub(1).map(|last| &self.pieces[last]) else {
            return Some(Number::one());
        };
        let factor = (&piece.first - delta).checked_div(&piece.second);
        Some(factor.expect("a piece that ends has a slope"))
    }
}

/// What the profile is about.
struct Asked<'p> {
    streams: &'p Streams,
    notion: Notion,
    differing: Vec<Records>,
    rounds: usize,
    limits: &'p Limits,
    progress: &'p Progress,
}

/// The profile over all pairs of neighbouring streams of `rounds` rounds (Definitions 2 and 4).
/// A one-shot mechanism is asked about data sets of exactly that size, and about those with one
/// record less where neighbours differ by one.
///
/// At every ε, [`Profile::at`] e^ε is the worst δ that [`super::worst_delta`] computes.
///
/// # Errors
/// As [`super::worst_delta`].
pub fn profile(
    automaton: &Automaton,
    streams: &Streams,
    (notion, neighbours): (Notion, Neighbours),
    rounds: usize,
    limits: &Limits,
    progress: &Progress,
) -> Result<Profile> {
    let question = Question { notion, neighbours, epsilon: Epsilon::zero() };
    admissible(automaton, streams, &question, rounds)?;
    let asked = |differing| Asked { streams, notion, differing, rounds, limits, progress };
    let meter = &mut limits.meter();
    // The arithmetics differ in e^ε alone: the weights of the model are the same for all.
    Ok(match choose(automaton.weights(), &question.epsilon) {
        Choice::Polynomial(one) => {
            let model = Model::new(&one, automaton, rounds, meter)?;
            let at = |factor: &Number| one.with_factor(factor).expect("a number of the field");
            Exploration::new(&at, &model, asked(differing(&model, neighbours))).run()
        }
        Choice::LogRational(_) | Choice::TranscendentalRational(_) => {
            let at = |factor: &Number| {
                let factor = factor.as_rational().expect("a quotient of rational numbers");
                LogRational::new(factor).expect("a factor of at least 1")
            };
            let model = Model::new(&at(&Number::one()), automaton, rounds, meter)?;
            Exploration::new(&at, &model, asked(differing(&model, neighbours))).run()
        }
    })
}

/// An event of a pair of streams.
struct Found<W> {
    masses: Masses<W>,
    pair: usize,
}

/// What searches at all α share.
type Kept<W> = (Symmetries, Tails<W>, Layers<W>);

/// A profile that is being computed.
struct Exploration<'p, A: Arithmetic> {
    /// The arithmetic for an e^ε.
    at: &'p dyn Fn(&Number) -> A,
    model: &'p Model<A>,
    asked: Asked<'p>,
    /// What does not depend on e^ε, while no search has it.
    kept: Option<Kept<A::Weight>>,
    pairs: Vec<Pair>,
    /// The events that the lines of the envelope stand for.
    found: Vec<Found<A::Weight>>,
    envelope: Envelope,
    /// The places where no pair exceeds the envelope.
    proved: Vec<Number>,
}

impl<'p, A: Arithmetic> Exploration<'p, A> {
    fn new(at: &'p dyn Fn(&Number) -> A, model: &'p Model<A>, asked: Asked<'p>) -> Self {
        let arithmetic = at(&Number::one());
        let symmetries = Symmetries::new(model, asked.streams, asked.limits);
        let tails =
            Tails::new(&arithmetic, model, asked.streams, asked.rounds.div_ceil(2), asked.limits);
        let layers = Layers::new(model.start.clone());
        Self {
            at,
            model,
            asked,
            kept: Some((symmetries, tails, layers)),
            pairs: Vec::new(),
            found: Vec::new(),
            envelope: Envelope::new(),
            proved: Vec::new(),
        }
    }

    fn run(mut self) -> Profile {
        let stopped = self.prove().err();
        let pieces: Vec<(Number, Line)> = self.envelope.pieces().to_vec();
        let mut profile = Profile { pieces: Vec::new(), stopped };
        let mut halted = stopped.is_some();
        for (index, (from, line)) in pieces.iter().enumerate() {
            let found = line.origin.map(|origin| self.pairs[self.found[origin].pair].clone());
            let inside = match pieces.get(index + 1) {
                Some((to, _)) => &(from + to) * &half(),
                None => from + &Number::one(),
            };
            let mut pair = found;
            if pair.is_some() && !halted {
                match self.least(&inside, line) {
                    Ok(least) => pair = least.or(pair),
                    Err(_) => halted = true,
                }
            }
            profile.pieces.push(Piece {
                from: from.clone(),
                first: line.first.clone(),
                second: line.second.clone(),
                attained_by: pair.map(indices),
                proved: self.proved.contains(from),
            });
        }
        profile
    }

    /// Raises the envelope until no pair exceeds it.
    fn prove(&mut self) -> std::result::Result<(), Stopped> {
        loop {
            let mut places = self.envelope.pieces().iter();
            let Some((factor, line)) = places.find(|(from, _)| !self.proved.contains(from)) else {
                return Ok(());
            };
            let (factor, line) = (factor.clone(), line.clone());
            if let Some(pair) = self.exceeding(&factor, &line)? {
                self.add(pair)?;
            } else {
                self.proved.push(factor);
                self.asked.progress.part_done();
            }
        }
    }

    /// A pair whose divergence at α exceeds the envelope, of which `line` is the line there. What
    /// was found before a limit is kept.
    fn exceeding(
        &mut self,
        factor: &Number,
        line: &Line,
    ) -> std::result::Result<Option<Pair>, Stopped> {
        let rounds = self.asked.rounds;
        let (best, stopped) = self.search(factor, |search, value| {
            let mut best = Best { value: value(line), pair: None };
            let stopped = worst_at_length(search, rounds, &mut best).err().map(|h| h.stopped);
            (best.pair, stopped)
        })?;
        match (best, stopped) {
            (best, None) => Ok(best),
            (best, Some(stopped)) => {
                if let Some(pair) = best {
                    self.add(pair)?;
                }
                Err(stopped)
            }
        }
    }

    /// The least pair whose divergence at α is that of a line.
    fn least(
        &mut self,
        factor: &Number,
        line: &Line,
    ) -> std::result::Result<Option<Pair>, Stopped> {
        let rounds = self.asked.rounds;
        self.search(factor, |search, value| search.least(rounds, &Goal::Attain(value(line))))?
    }

    /// Runs a search at α; `work` is given the value of a line there.
    fn search<R>(
        &mut self,
        factor: &Number,
        work: impl FnOnce(&mut Search<'_, A>, &dyn Fn(&Line) -> A::Value) -> R,
    ) -> std::result::Result<R, Stopped> {
        let Asked { streams, limits, progress, .. } = self.asked;
        limits.check()?;
        let arithmetic = &(self.at)(factor);
        let (symmetries, tails, layers) = self.kept.take().expect("no search is under way");
        let problem = Problem {
            arithmetic,
            model: self.model,
            streams,
            symmetries,
            tails,
            differing: self.asked.differing.clone(),
            counted: self.asked.notion == Notion::Whole,
            limits,
            progress,
            answers: None,
        };
        let mut search = Search::new(&problem);
        search.layers = layers;
        let found = &self.found;
        let value = |line: &Line| {
            let masses = line.origin.map(|origin| &found[origin].masses);
            let excess = masses.and_then(|[p, q]| arithmetic.excess(p, q));
            excess.unwrap_or_else(|| arithmetic.value_zero())
        };
        let result = work(&mut search, &value);
        let layers = std::mem::replace(&mut search.layers, Layers::new(Vec::new()));
        drop(search);
        let Problem { symmetries, tails, .. } = problem;
        self.kept = Some((symmetries, tails, layers));
        Ok(result)
    }

    /// Adds all lines of a pair to the envelope.
    fn add(&mut self, pair: Pair) -> std::result::Result<(), Stopped> {
        let arithmetic = &(self.at)(&Number::one());
        let counted = self.asked.notion == Notion::Whole;
        let denominator = self.model.denominator(arithmetic, self.asked.rounds);
        let meter = &mut self.asked.limits.within_piece();
        let outputs = ratios::outputs(arithmetic, self.model, &pair, counted, meter)?;
        let (mut lines, index) = (Vec::new(), self.pairs.len());
        for masses in ratios::events(arithmetic, outputs) {
            let [first, second] =
                masses.each_ref().map(|w| arithmetic.weight_number(w, &denominator));
            lines.push(Line { first, second, origin: Some(self.found.len()) });
            self.found.push(Found { masses, pair: index });
        }
        self.pairs.push(pair);
        self.envelope.insert(lines);
        Ok(())
    }
}

fn half() -> Number {
    Number::from(1).checked_div(&Number::from(2)).expect("2 is not 0")
}

/// The profile of a one-shot mechanism over the listed pairs of data sets, each taken in both
/// directions. Each piece has the lexicographically least pair that attains it.
///
/// # Errors
/// As [`super::listed`].
pub fn listed_profile(
    automaton: &Automaton,
    pairs: &[Neighbour],
    limits: &Limits,
) -> Result<Profile> {
    let pairs = directed(automaton, pairs)?;
    let rounds = pairs.iter().map(|pair| pair.first.len().max(pair.second.len())).max();
    match choose(automaton.weights(), &Epsilon::zero()) {
        Choice::Polynomial(a) => listed_with(&a, automaton, &pairs, rounds.unwrap_or(0), limits),
        Choice::LogRational(a) => listed_with(&a, automaton, &pairs, rounds.unwrap_or(0), limits),
        Choice::TranscendentalRational(_) => unreachable!("e^0 is rational"),
    }
}

fn listed_with<A: Arithmetic>(
    arithmetic: &A,
    automaton: &Automaton,
    pairs: &[Neighbour],
    rounds: usize,
    limits: &Limits,
) -> Result<Profile> {
    let mut meter = limits.meter();
    let model = Model::new(arithmetic, automaton, rounds, &mut meter)?;
    let mut envelope = Envelope::new();
    for (index, neighbour) in pairs.iter().enumerate() {
        meter.count()?;
        let [first, second] = narrowed(neighbour);
        let length = first.len().max(second.len());
        let denominator = model.denominator(arithmetic, length);
        let pair = Pair { first, second };
        let outputs = ratios::outputs(arithmetic, &model, &pair, true, &mut meter)?;
        let line = |masses: Masses<A::Weight>| {
            let [first, second] = masses.map(|w| arithmetic.weight_number(&w, &denominator));
            Line { first, second, origin: Some(index) }
        };
        let events = ratios::events(arithmetic, outputs);
        // Pairs come in lexicographic order, and of equal lines the earlier is kept.
        envelope.insert(events.into_iter().map(line).collect());
    }
    let piece = |(from, line): &(Number, Line)| Piece {
        from: from.clone(),
        first: line.first.clone(),
        second: line.second.clone(),
        attained_by: line.origin.map(|origin| pairs[origin].clone()),
        proved: true,
    };
    Ok(Profile { pieces: envelope.pieces().iter().map(piece).collect(), stopped: None })
}
