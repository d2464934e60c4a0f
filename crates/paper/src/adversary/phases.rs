//! Theorem 2's stream: hard phases at the nodes of a path through a shattered tree.

use std::cmp::Ordering;

use littlestone_base::error::{Error, Result};
use littlestone_class::littlestone::{ShatteredTree, Solver};
use littlestone_exact::limits::{Meter, Stopped};
use littlestone_exact::with_arithmetic;
use littlestone_exact::{Arithmetic, Number};
use littlestone_mechanism::{Automaton, Kind};
use littlestone_privacy::mistakes::{self, Expected, Law, Model};

/// The greatest number of rounds of a phase; all sets of its rounds are searched.
const MAX_PHASE: usize = 20;
/// The greatest depth of a tree, all of whose nodes are found.
const MAX_DEPTH: usize = 16;

/// Where the dummy example comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Shared {
    /// (`x_0`, 0) with `x_0` the root, as in the proof of Theorem 2.
    #[default]
    Root,
    /// (`x_1`, 0) with `x_1` the node of the first phase: a misreading, for which a phase with label 1
    /// contradicts the dummy example.
    FirstNode,
}

/// One phase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phase {
    /// Its point x.
    pub point: usize,
    /// The label b of its informative examples, and of the edge that is followed.
    pub label: bool,
    /// Its first round, counted from 1.
    pub first: usize,
    /// Its informative rounds, counted from 1 over the whole stream.
    pub informative: Vec<usize>,
    /// E\[X\]: the expected number of mistakes on its informative examples.
    pub mistakes: Number,
}

/// The deterministic stream of Theorem 2 for one learner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phases {
    /// The Littlestone dimension d of the class, the depth of the tree.
    pub dimension: usize,
    /// `x_0`, the point of the root.
    pub root: usize,
    /// The number n of rounds of a phase.
    pub length: usize,
    /// The record of the dummy example.
    pub dummy: usize,
    /// The phases in order.
    pub phases: Vec<Phase>,
    /// The stream, as records.
    pub stream: Vec<usize>,
    /// A hypothesis that fits the stream, if there is one: that of a leaf below the path.
    pub hypothesis: Option<usize>,
    /// Expected mistakes on the stream, dummy rounds included.
    pub expected: Expected,
}

/// Builds the stream of Theorem 2 for a learner of the class of `solver`, of Littlestone dimension
/// d ≥ 2, with T = `rounds` ≥ 1.
///
/// There are k = min{d − 1, T} phases of n = ⌊T/k⌋ rounds at the nodes of a path that begins with
/// the root's edge 0; rounds after the last phase are dummy. In each phase the stream is the worst
/// of those of Lemma 5: of dummy examples and (x, b), with one label b and any positions, it has
/// the greatest E\[X\], the expected number of mistakes on informative examples. Of several it is the
/// first one, label 0 before label 1, and then lexicographically with dummy before informative.
/// The path follows the edge b.
///
/// # Errors
/// When the mechanism is no learner over the points of the class, its table does not cover the
/// rounds, d < 2 (Theorem 2 says nothing then), a phase or the tree is beyond what is searched (20
/// rounds, depth 16), or a limit is hit. Each beginning of a stream of a phase that is looked at
/// counts as a state, and then each round.
pub fn phases(
    automaton: &Automaton,
    solver: &Solver<'_>,
    rounds: usize,
    shared: Shared,
    meter: &mut Meter<'_>,
) -> Result<Phases> {
    let interface = automaton.interface();
    if interface.kind() != Kind::Learner {
        let kind = interface.kind();
        return Err(Error::argument(format!("Theorem 2 is about learners; this is a {kind}")));
    }
    if interface.points() != solver.class().point_names() {
        return Err(Error::argument("the points of the learner are not those of the class"));
    }
    mistakes::admissible(automaton, rounds)?;
    let tree = tree(solver)?;
    let number = (tree.depth - 1).min(rounds);
    let length = rounds / number;
    if length > MAX_PHASE {
        return Err(Error::Limit {
            stopped: Stopped::Size,
            message: format!(
                "a phase of {length} rounds has 2^{length} sets of informative rounds, more than \
                 the limit of 2^{MAX_PHASE}"
            ),
            help: format!(
                "ask for fewer than {} rounds, or for a stream with --stream",
                (MAX_PHASE + 1) * number
            ),
        });
    }
    let path = with_arithmetic!(automaton.weights(), arithmetic => {
        let model = Model::new(arithmetic, automaton, meter)?.lumped(meter)?;
        Walk::new(&model, &tree, length, shared).walk(number, meter)?
    });
    let Path { dummy, phases, node } = path;
    let mut stream = vec![dummy; rounds];
    for phase in &phases {
        for round in &phase.informative {
            stream[round - 1] = 2 * phase.point + usize::from(phase.label);
        }
    }
    let class = solver.class();
    let fits = |h: &usize| stream.iter().all(|r| class.label(*h, r / 2) == (r % 2 == 1));
    let hypothesis = Some(leaf(&tree, node)).filter(fits);
    let hypothesis = hypothesis.or_else(|| (0..class.hypotheses()).find(fits));
    let expected = mistakes::on_stream_within(automaton, &stream, meter)?;
    let (dimension, root) = (tree.depth, tree.points[0]);
    Ok(Phases { dimension, root, length, dummy, phases, stream, hypothesis, expected })
}

/// A shattered tree whose depth is the dimension.
fn tree(solver: &Solver<'_>) -> Result<ShatteredTree> {
    let stopped = |stopped: Stopped| Error::Limit {
        stopped,
        message: format!("the Littlestone dimension is not known: {stopped}"),
        help: "allow more with --timeout or --limit-states".into(),
    };
    let found = solver.dimension();
    if let Some(reason) = found.stopped {
        return Err(stopped(reason));
    }
    let depth = usize::try_from(found.lower).unwrap_or(0);
    if depth < 2 {
        return Err(Error::argument_with_help(
            format!(
                "Theorem 2 is about classes of Littlestone dimension at least 2, and this one has \
                 {}",
                found.lower
            ),
            "for two points and dimension 1 there is `--adversary thirds`",
        ));
    }
    if depth > MAX_DEPTH {
        return Err(Error::TooLarge {
            what: "a shattered tree".into(),
            size: format!("depth {depth}"),
            limit: format!("depth {MAX_DEPTH}"),
        });
    }
    let tree = solver.shattered_tree(depth).map_err(stopped)?;
    Ok(tree.expect("there is a tree of that depth"))
}

/// The first leaf at or below a node.
fn leaf(tree: &ShatteredTree, mut node: usize) -> usize {
    while node < tree.points.len() {
        node = 2 * node + 1;
    }
    tree.leaves[node - tree.points.len()]
}

/// What the walk found: the record of the dummy example, the phases, and the node after them.
struct Path {
    dummy: usize,
    phases: Vec<Phase>,
    node: usize,
}

/// The construction in one arithmetic.
struct Walk<'w, A: Arithmetic> {
    model: &'w Model<A>,
    tree: &'w ShatteredTree,
    length: usize,
    dummy: usize,
    /// The powers of the denominator of a round, up to that of a phase.
    powers: Vec<A::Weight>,
}

impl<'w, A: Arithmetic> Walk<'w, A> {
    fn new(model: &'w Model<A>, tree: &'w ShatteredTree, length: usize, shared: Shared) -> Self {
        let arithmetic = &model.arithmetic;
        let mut powers = vec![arithmetic.one()];
        for place in 0..length {
            powers.push(arithmetic.mul(&powers[place], &model.round_denominator));
        }
        let owner = match shared {
            Shared::Root => 0,
            Shared::FirstNode => 1,
        };
        let dummy = 2 * tree.points[owner];
        Self { model, tree, length, dummy, powers }
    }

    fn walk(&self, number: usize, meter: &mut Meter<'_>) -> Result<Path> {
        let arithmetic = &self.model.arithmetic;
        let mut law = self.model.start.clone();
        let mut denominator = self.model.start_denominator.clone();
        // The root's edge 0.
        let mut node = 1;
        let mut phases = Vec::new();
        for place in 0..number {
            let point = self.tree.points[node];
            let Worst { value, label, informative } = self.worst(point, &law, meter)?;
            denominator = arithmetic.mul(&denominator, &self.powers[self.length]);
            let example = 2 * point + usize::from(label);
            for inserted in &informative {
                let record = if *inserted { example } else { self.dummy };
                law = self.model.advance(&law, mistakes::index(record));
            }
            let first = place * self.length + 1;
            let rounds = informative.iter().zip(first..);
            phases.push(Phase {
                point,
                label,
                first,
                informative: rounds.filter(|(own, _)| **own).map(|(_, round)| round).collect(),
                mistakes: arithmetic.weight_number(&value, &denominator),
            });
            node = 2 * node + 1 + usize::from(label);
            meter.done();
        }
        Ok(Path { dummy: self.dummy, phases, node })
    }

    /// The worst stream of a phase at `point` that begins with the law `law`.
    fn worst(
        &self,
        point: usize,
        law: &Law<A::Weight>,
        meter: &mut Meter<'_>,
    ) -> Result<Worst<A::Weight>> {
        let mut search = Search { walk: self, meter, example: 0, chosen: Vec::new(), best: None };
        for label in [false, true] {
            search.example = mistakes::index(2 * point + usize::from(label));
            search.visit(label, law, &self.model.arithmetic.zero())?;
        }
        Ok(search.best.expect("the search has come to the end of a phase"))
    }
}

/// A stream of one phase, with E\[X\] over the denominator of the law at the end of the phase.
struct Worst<W> {
    value: W,
    label: bool,
    informative: Vec<bool>,
}

struct Search<'s, 'p, A: Arithmetic> {
    walk: &'s Walk<'s, A>,
    meter: &'s mut Meter<'p>,
    example: u32,
    chosen: Vec<bool>,
    best: Option<Worst<A::Weight>>,
}

impl<A: Arithmetic> Search<'_, '_, A> {
    /// All ways to go on from a law; `value` is E\[X\] so far, over the denominator of the law.
    fn visit(&mut self, label: bool, law: &Law<A::Weight>, value: &A::Weight) -> Result<()> {
        let walk = self.walk;
        let arithmetic = &walk.model.arithmetic;
        let left = walk.length - self.chosen.len();
        // Each round that is left adds at most the whole law.
        let mut most = value.clone();
        if let Some(best) = &self.best {
            for _ in 0..left {
                for (_, weight) in law {
                    arithmetic.add(&mut most, weight);
                }
            }
            let most = arithmetic.mul(&most, &walk.powers[left]);
            if arithmetic.weight_cmp(&most, &best.value) != Ordering::Greater {
                return Ok(());
            }
        }
        if left == 0 {
            let informative = self.chosen.clone();
            self.best = Some(Worst { value: value.clone(), label, informative });
            return Ok(());
        }
        self.meter.count()?;
        let value = arithmetic.mul(value, &walk.model.round_denominator);
        for informative in [false, true] {
            let record = if informative { self.example } else { mistakes::index(walk.dummy) };
            let mut next = value.clone();
            if informative {
                arithmetic.add(&mut next, &walk.model.mistake(law, record));
            }
            self.chosen.push(informative);
            let found = self.visit(label, &walk.model.advance(law, record), &next);
            self.chosen.pop();
            found?;
        }
        Ok(())
    }
}
