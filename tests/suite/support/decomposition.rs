//! Slow references for Definitions 7, 8 and 9, which enumerate all points, sets and trees. Classes
//! on at most 6 points are sets of functions: bit f of the set for the function f, whose bit x is
//! the label of point x.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// A set of functions on at most 6 points.
pub type Functions = u64;

/// The functions in a set, in increasing order.
pub fn members(class: Functions) -> impl Iterator<Item = u64> {
    (0..64).filter(move |f| class >> f & 1 == 1)
}

/// A function as a string of 0 and 1 in point order.
pub fn text(f: u64, points: usize) -> String {
    (0..points).map(|x| if f >> x & 1 == 1 { '1' } else { '0' }).collect()
}

/// The function given by a string of 0 and 1 in point order.
pub fn function(text: &str) -> u64 {
    text.bytes().enumerate().fold(0, |f, (x, b)| f | u64::from(b == b'1') << x)
}

/// The class given by strings of 0 and 1 in point order.
pub fn class(functions: &[&str]) -> Functions {
    functions.iter().fold(0, |class, text| class | 1 << function(text))
}

/// What an enumeration of all valid trees allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Queries {
    /// Queries that split the class of their node.
    Splitting,
    /// All queries: a child may be empty, and may be queried again.
    All,
}

/// The set of SOAs of the leaves of dimension ρ of one tree.
pub type Soas = BTreeSet<u64>;

/// The definitions on a fixed number of points, with a memory of dimensions.
#[derive(Debug)]
pub struct Definitions {
    pub points: usize,
    columns: Vec<Functions>,
    dimensions: HashMap<Functions, i32>,
}

impl Definitions {
    pub fn new(points: usize) -> Self {
        assert!(points <= 6);
        let column =
            |x: usize| (0..1u64 << points).filter(|f| f >> x & 1 == 1).fold(0, |c, f| c | 1 << f);
        Self { points, columns: (0..points).map(column).collect(), dimensions: HashMap::new() }
    }

    /// G|(x, y).
    pub fn restrict(&self, class: Functions, x: usize, y: bool) -> Functions {
        class & if y { self.columns[x] } else { !self.columns[x] }
    }

    /// Ldim (Definition 6), −1 for the empty class.
    pub fn dimension(&mut self, class: Functions) -> i32 {
        if class.count_ones() <= 1 {
            return if class == 0 { -1 } else { 0 };
        }
        if let Some(&known) = self.dimensions.get(&class) {
            return known;
        }
        let mut best = 0;
        for x in 0..self.points {
            let sides = [false, true].map(|y| self.restrict(class, x, y));
            if sides.iter().all(|&side| side != 0) {
                best = best.max(1 + self.dimension(sides[0]).min(self.dimension(sides[1])));
            }
        }
        self.dimensions.insert(class, best);
        best
    }

    /// The function SOA of the class: 0 at x iff label 0 keeps the dimension.
    pub fn soa(&mut self, class: Functions) -> u64 {
        let dimension = self.dimension(class);
        (0..self.points).fold(0, |f, x| {
            let zero = self.restrict(class, x, false);
            f | u64::from(self.dimension(zero) != dimension) << x
        })
    }

    /// The sets of points whose labels by the SOA lower the dimension.
    pub fn lowering(&mut self, class: Functions) -> Vec<u64> {
        let (dimension, soa) = (self.dimension(class), self.soa(class));
        let lowers = |this: &mut Self, set: u64| {
            let rest = (0..this.points)
                .filter(|x| set >> x & 1 == 1)
                .fold(class, |rest, x| this.restrict(rest, x, soa >> x & 1 == 1));
            this.dimension(rest) < dimension
        };
        (0..1u64 << self.points).filter(|&set| lowers(self, set)).collect()
    }

    /// Whether the class is k-irreducible (Definition 7). As points may repeat, a sequence of k
    /// points is a set of at most k, and of at least one unless k = 0.
    pub fn irreducible(&mut self, class: Functions, k: u128) -> bool {
        self.lowering(class).iter().all(|set| u128::from(set.count_ones()) > k)
    }

    /// δ: the least number of points whose labels by the SOA lower the dimension, if there are any.
    pub fn delta(&mut self, class: Functions) -> Option<u32> {
        self.lowering(class).iter().map(|set| set.count_ones()).min()
    }
}

/// Enumerates the (p,d)-valid trees of Definition 8.
#[derive(Debug)]
pub struct Enumeration<'d> {
    pub definitions: &'d mut Definitions,
    pub p: u32,
    pub ambient: i32,
    pub queries: Queries,
    irreducible: HashMap<Functions, bool>,
    best: HashMap<(Functions, u32), Option<i32>>,
    outcomes: HashMap<(Functions, u32), Rc<BTreeSet<Soas>>>,
    rho: i32,
}

impl<'d> Enumeration<'d> {
    pub fn new(definitions: &'d mut Definitions, p: u32, ambient: i32, queries: Queries) -> Self {
        Self {
            definitions,
            p,
            ambient,
            queries,
            irreducible: HashMap::new(),
            best: HashMap::new(),
            outcomes: HashMap::new(),
            rho: -1,
        }
    }

    /// Every node satisfies `depth(v) ≤ p(2^(d − q_v + 1) − 1)`.
    pub fn node_may_stand(&mut self, class: Functions, depth: u32) -> bool {
        let q = self.definitions.dimension(class);
        u128::from(depth) <= u128::from(self.p) * (power(self.ambient - q + 1) - 1)
    }

    /// Every leaf also satisfies `depth(v) ≤ p(2^(d − q_v) − 1)`, and `G_v` is
    /// `p 2^(d − q_v)`-irreducible.
    pub fn leaf_may_stand(&mut self, class: Functions, depth: u32) -> bool {
        let q = self.definitions.dimension(class);
        let power = power(self.ambient - q);
        let p = u128::from(self.p);
        self.node_may_stand(class, depth)
            && u128::from(depth) <= p * (power - 1)
            && self.is_irreducible(class, p * power)
    }

    fn is_irreducible(&mut self, class: Functions, k: u128) -> bool {
        // k is a function of the class.
        if let Some(&known) = self.irreducible.get(&class) {
            return known;
        }
        let found = self.definitions.irreducible(class, k);
        self.irreducible.insert(class, found);
        found
    }

    /// The pairs of children of a node, one pair for each query that is allowed.
    fn splits(&self, class: Functions) -> Vec<[Functions; 2]> {
        let sides = |x| [false, true].map(|y| self.definitions.restrict(class, x, y));
        let all = (0..self.definitions.points).map(sides);
        all.filter(|sides| self.queries == Queries::All || !sides.contains(&0)).collect()
    }

    /// The least maximum of Ldim over the leaves of a valid tree below a node; `None` if there is
    /// no valid tree.
    fn best(&mut self, class: Functions, depth: u32) -> Option<i32> {
        if !self.node_may_stand(class, depth) {
            return None;
        }
        if let Some(&known) = self.best.get(&(class, depth)) {
            return known;
        }
        let leaf = self.leaf_may_stand(class, depth);
        let mut best = leaf.then(|| self.definitions.dimension(class));
        for [zero, one] in self.splits(class) {
            if let (Some(a), Some(b)) = (self.best(zero, depth + 1), self.best(one, depth + 1)) {
                best = Some(best.map_or(a.max(b), |known| known.min(a.max(b))));
            }
        }
        self.best.insert((class, depth), best);
        best
    }

    /// For every valid tree below a node without a leaf of dimension above ρ, the set of SOAs of
    /// its leaves of dimension ρ; each set once.
    fn outcomes(&mut self, class: Functions, depth: u32) -> Rc<BTreeSet<Soas>> {
        if !self.node_may_stand(class, depth) {
            return Rc::default();
        }
        if let Some(known) = self.outcomes.get(&(class, depth)) {
            return Rc::clone(known);
        }
        let mut found = BTreeSet::new();
        let q = self.definitions.dimension(class);
        if q <= self.rho && self.leaf_may_stand(class, depth) {
            let soa = (q == self.rho).then(|| self.definitions.soa(class));
            found.insert(soa.into_iter().collect());
        }
        for [zero, one] in self.splits(class) {
            let zeros = self.outcomes(zero, depth + 1);
            if zeros.is_empty() {
                continue;
            }
            let ones = self.outcomes(one, depth + 1);
            for a in zeros.iter() {
                found.extend(ones.iter().map(|b| a | b));
            }
        }
        let found = Rc::new(found);
        self.outcomes.insert((class, depth), Rc::clone(&found));
        found
    }

    /// `ρ_p` of the class (Definition 8) and `C_p` (Definition 9), the intersection over all optimal
    /// trees.
    pub fn decompose(&mut self, class: Functions) -> (i32, Soas) {
        let rho = self.best(class, 0).expect("a valid tree exists");
        if self.rho != rho {
            self.rho = rho;
            self.outcomes.clear();
        }
        let outcomes = self.outcomes(class, 0);
        let common = outcomes.iter().cloned().reduce(|a, b| &a & &b);
        (rho, common.expect("an optimal tree exists"))
    }
}

fn power(exponent: i32) -> u128 {
    1 << exponent
}

/// A wrong closed form, as a mutant: it takes a state of dimension q at most ρ (or whose leaf is
/// forbidden) to have a subtree up to depth max(leaf(q), node(q) − δ), which leaves out that
/// δ = node(q) + 1 − depth may do as well.
#[derive(Debug)]
pub struct ClosedForm<'d> {
    pub definitions: &'d mut Definitions,
    pub p: i64,
    pub ambient: i32,
}

impl ClosedForm<'_> {
    fn node(&self, q: i32) -> i64 {
        self.p * ((1 << (self.ambient - q + 1)) - 1)
    }

    /// Whether it finds a tree whose leaves have dimension at most r, none of them with dimension
    /// r and the forbidden SOA.
    pub fn exists(&mut self, class: Functions, depth: i64, r: i32, forbidden: Option<u64>) -> bool {
        let q = self.definitions.dimension(class);
        if depth > self.node(q) {
            return false;
        }
        if q <= r {
            let free = q < r || forbidden != Some(self.definitions.soa(class));
            let steps = self.definitions.delta(class).map(i64::from);
            return (free && depth <= self.node(q + 1))
                || steps.is_some_and(|steps| depth <= self.node(q) - steps);
        }
        (0..self.definitions.points).any(|x| {
            let sides = [false, true].map(|y| self.definitions.restrict(class, x, y));
            !sides.contains(&0)
                && sides.iter().all(|&side| self.exists(side, depth + 1, r, forbidden))
        })
    }

    /// What it takes for ρ and C.
    pub fn decompose(&mut self, class: Functions) -> (i32, Soas) {
        let rho = (0..=self.ambient).find(|&r| self.exists(class, 0, r, None)).expect("ρ ≤ Ldim");
        let functions = 1u64 << self.definitions.points;
        let essential = |f: &u64| !self.exists(class, 0, rho, Some(*f));
        (rho, (0..functions).filter(essential).collect())
    }
}
