//! The classes that a statement ranges over, with what is known of each.
//!
//! A class is a set of functions from a list: bit i for function i. On a few points the list holds
//! all functions, and what is computed for one class is carried over to all that are alike.

use std::rc::Rc;

use itertools::Itertools;
use rustc_hash::FxHashMap;

use littlestone_base::error::{Error, Result};
use littlestone_exact::limits::{Limits, Stopped};

use crate::littlestone::{Dimension, Solver};
use crate::symmetry::{FunctionSet, MAX_POINTS, Symmetry};
use crate::{Class, ClassBuilder, VersionSpace};

use super::super::{Decomposition, EssentialOver, Irreducible, Tree, Unavailable, irreducible};

/// The greatest ambient dimension. No class here has a greater dimension than 5.
const MAX_AMBIENT: i32 = 16;

/// How many functions of a set are shown.
const SHOWN: usize = 16;

/// The greatest number of functions of a class all of whose subclasses are looked at.
const MAX_FUNCTIONS: u32 = 12;

/// The greatest numbers of functions and points of a class that is looked at alone.
const MAX_ALONE: u32 = 32;

/// Where the ambient dimension comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AmbientDimension {
    /// It is this.
    Fixed(i32),
    /// A misreading: it is that of the class at hand.
    Recomputed,
}

/// What is known of a class at some p and d.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Facts {
    pub rho: i32,
    /// The essential hypotheses by number, sorted.
    pub essential: Vec<u32>,
}

/// For each class on a few points the least one that is alike, and the symmetry that leads from
/// that one to it.
#[derive(Debug)]
struct Alike {
    least: Vec<(FunctionSet, usize)>,
    /// For each symmetry the images of the functions.
    symmetries: Vec<Vec<u32>>,
    representatives: Vec<FunctionSet>,
}

impl Alike {
    fn new(points: usize) -> Self {
        let group = Symmetry::full(points);
        let functions = 0..1u32 << points;
        let mut symmetries = vec![Vec::new(); group.order()];
        for f in functions {
            for (symmetry, image) in symmetries.iter_mut().zip(group.images(1 << f)) {
                symmetry.push(image.trailing_zeros());
            }
        }
        let representatives: Vec<FunctionSet> =
            group.orbits().iter().map(|orbit| orbit.representative).collect();
        let mut least = vec![(0, 0); 1 << (1 << points)];
        for &representative in &representatives {
            for (element, image) in group.images(representative).enumerate() {
                least[image as usize] = (representative, element);
            }
        }
        Self { least, symmetries, representatives }
    }
}

/// The classes that a statement ranges over.
#[derive(Debug)]
pub struct Domain {
    points: Vec<String>,
    /// The functions as labels in point order: first those that classes are made of, then others
    /// that turn out to be essential.
    functions: Vec<String>,
    numbers: FxHashMap<String, u32>,
    alike: Option<Alike>,
    /// The greatest classes: what holds for them and all their subclasses holds for all classes up
    /// to symmetry.
    classes: Vec<FunctionSet>,
    with_subclasses: bool,
    ambient: Option<i32>,
    over: EssentialOver,
    limits: Limits,
    dimensions: FxHashMap<FunctionSet, i32>,
    facts: FxHashMap<(FunctionSet, u32), Rc<Facts>>,
}

impl Domain {
    /// All classes on a few points.
    ///
    /// # Errors
    /// When there are no points or more than 4.
    pub fn points(points: usize, limits: &Limits) -> Result<Self> {
        if !(1..=MAX_POINTS).contains(&points) {
            let message = format!("points: expected from 1 to {MAX_POINTS}, found {points}");
            return Err(Error::argument(message));
        }
        let names = (1..=points).map(|x| x.to_string()).collect();
        let functions = (0..1u32 << points).map(|f| {
            (0..points).rev().map(|bit| if f >> bit & 1 == 1 { '1' } else { '0' }).collect()
        });
        let alike = Alike::new(points);
        let mut domain = Self::new(names, functions.collect(), limits);
        domain.classes.clone_from(&alike.representatives);
        domain.classes.sort_by_key(|class| (class.count_ones(), *class));
        domain.alike = Some(alike);
        domain.with_subclasses = true;
        Ok(domain)
    }

    /// A class, and all its nonempty subclasses if `all`. The ambient dimension is that of the class
    /// until another one is [fixed](Self::fix).
    ///
    /// # Errors
    /// When the class, which `name` names, has no hypothesis or too many, or a limit is hit before its
    /// dimension is known.
    pub fn subclasses(class: &Class, name: &str, all: bool, limits: &Limits) -> Result<Self> {
        let refuse = |expected: String| {
            Err(Error::argument(format!("class: expected {expected}, found `{name}`")))
        };
        let count = u32::try_from(class.hypotheses()).unwrap_or(u32::MAX);
        let points = u32::try_from(class.points()).unwrap_or(u32::MAX);
        if all && count > MAX_FUNCTIONS {
            return refuse(format!(
                "a class of at most {MAX_FUNCTIONS} hypotheses, or `subclasses = \"none\"`"
            ));
        }
        if count == 0 || count > MAX_ALONE || points > MAX_ALONE {
            return refuse(format!("a class of 1 to {MAX_ALONE} hypotheses and as many points"));
        }
        let functions = (0..class.hypotheses()).map(|h| class.labels(h)).collect();
        let mut domain = Self::new(class.point_names().to_vec(), functions, limits);
        let whole = FunctionSet::MAX >> (FunctionSet::BITS - count);
        domain.classes = if all {
            subsets(whole).sorted_by_key(|c| (c.count_ones(), *c)).collect()
        } else {
            vec![whole]
        };
        domain.with_subclasses = all;
        domain.ambient = Some(known(Solver::new(class, limits.clone()).dimension())?);
        Ok(domain)
    }

    fn new(points: Vec<String>, functions: Vec<String>, limits: &Limits) -> Self {
        let numbers = (0..).zip(&functions).map(|(number, f)| (f.clone(), number)).collect();
        Self {
            points,
            functions,
            numbers,
            alike: None,
            classes: Vec::new(),
            with_subclasses: false,
            ambient: None,
            over: EssentialOver::All,
            limits: limits.clone(),
            dimensions: FxHashMap::default(),
            facts: FxHashMap::default(),
        }
    }

    /// Says over which trees essential hypotheses are taken.
    pub fn take_over(&mut self, trees: EssentialOver) {
        self.over = trees;
    }

    /// Fixes d, or takes the dimension of each class in its place.
    ///
    /// # Errors
    /// When d is smaller than the dimension of the class whose subclasses these are, or negative, or
    /// larger than 16.
    pub fn fix(&mut self, ambient: AmbientDimension) -> Result<()> {
        let AmbientDimension::Fixed(d) = ambient else {
            self.ambient = None;
            return Ok(());
        };
        let least = self.ambient.unwrap_or(0);
        let fault = if d < least && self.alike.is_none() {
            format!("at least {least}, the Littlestone dimension of the class")
        } else if d < least {
            format!("at least {least}")
        } else if d > MAX_AMBIENT {
            format!("at most {MAX_AMBIENT}")
        } else {
            self.ambient = Some(d);
            return Ok(());
        };
        Err(Error::argument(format!("ambient: expected {fault}, found {d}")))
    }

    /// The ambient dimension; nothing where it is that of the class at hand.
    pub fn fixed(&self) -> Option<i32> {
        self.ambient
    }

    /// |X|.
    pub(super) fn size(&self) -> usize {
        self.points.len()
    }

    /// The classes G of the statement, small ones first: of dimension at most d, and one of those
    /// that are alike.
    pub(super) fn classes(&mut self) -> Result<Vec<FunctionSet>> {
        let mut kept = Vec::new();
        for class in self.classes.clone() {
            if self.admits(class)? {
                kept.push(class);
            }
        }
        Ok(kept)
    }

    /// The nonempty subclasses F of G, or G alone where subclasses are not looked at.
    pub(super) fn below(&self, class: FunctionSet) -> Vec<FunctionSet> {
        if self.with_subclasses { subsets(class).collect() } else { vec![class] }
    }

    /// The classes that contain F, and have dimension at most d, small ones first.
    pub(super) fn above(&mut self, class: FunctionSet) -> Result<Vec<FunctionSet>> {
        let whole = match &self.alike {
            Some(alike) => u32::try_from(alike.least.len() - 1).expect("at most 4 points"),
            None => self.classes.last().copied().expect("at least one class"),
        };
        let mut found = Vec::new();
        for more in std::iter::once(0).chain(subsets(whole & !class)) {
            if (more == 0 || self.with_subclasses) && self.admits(class | more)? {
                found.push(class | more);
            }
        }
        found.sort_by_key(|class| (class.count_ones(), *class));
        Ok(found)
    }

    fn admits(&mut self, class: FunctionSet) -> Result<bool> {
        let dimension = self.dimension(class)?;
        Ok(self.ambient.is_none_or(|d| dimension <= d))
    }

    /// The Littlestone dimension of a class.
    pub(super) fn dimension(&mut self, class: FunctionSet) -> Result<i32> {
        let least = self.least(class).0;
        if let Some(&known) = self.dimensions.get(&least) {
            return Ok(known);
        }
        let table = self.class(least);
        let dimension = known(Solver::new(&table, self.limits.clone()).dimension())?;
        self.dimensions.insert(least, dimension);
        Ok(dimension)
    }

    /// The ambient dimension that is used for a class.
    pub(super) fn ambient(&mut self, class: FunctionSet) -> Result<i32> {
        match self.ambient {
            Some(d) => Ok(d),
            None => self.dimension(class),
        }
    }

    /// `ρ_p` and `C_p` of a class.
    pub(super) fn facts(&mut self, class: FunctionSet, p: u32) -> Result<Rc<Facts>> {
        if let Some(known) = self.facts.get(&(class, p)) {
            return Ok(Rc::clone(known));
        }
        let (least, element) = self.least(class);
        let facts = if least == class {
            self.compute(class, p)?
        } else {
            let facts = self.facts(least, p)?;
            let alike = self.alike.as_ref().expect("only classes on few points have others alike");
            let images = facts.essential.iter().map(|&f| alike.symmetries[element][f as usize]);
            Facts { rho: facts.rho, essential: images.sorted_unstable().collect() }
        };
        let facts = Rc::new(facts);
        self.facts.insert((class, p), Rc::clone(&facts));
        Ok(facts)
    }

    fn compute(&mut self, class: FunctionSet, p: u32) -> Result<Facts> {
        let over = self.over;
        let (rho, essential) = self.decompose(class, p, |decomposition| {
            let tree = decomposition.tree()?;
            Ok((tree.dimension(), decomposition.essential_over(over)?.hypotheses))
        })?;
        let mut essential: Vec<u32> = essential.into_iter().map(|f| self.number(f)).collect();
        essential.sort_unstable();
        Ok(Facts { rho, essential })
    }

    /// An optimal tree of a class.
    pub(super) fn tree(&mut self, class: FunctionSet, p: u32) -> Result<Tree> {
        self.decompose(class, p, |decomposition| Ok(decomposition.tree()?))
    }

    fn decompose<T>(
        &mut self,
        class: FunctionSet,
        p: u32,
        take: impl FnOnce(&mut Decomposition<'_>) -> Result<T>,
    ) -> Result<T> {
        let d = self.ambient(class)?;
        let table = self.class(class);
        let solver = Solver::new(&table, self.limits.clone());
        let mut decomposition =
            Decomposition::new(&solver, p, Some(d)).map_err(|why| match why {
                Unavailable::Input(error) => error,
                Unavailable::Undecided(dimension) => {
                    dimension.stopped.unwrap_or(Stopped::Elsewhere).into()
                }
            })?;
        take(&mut decomposition)
    }

    /// Whether the members of `space`, in the class, are k-irreducible by Definition 7.
    pub(super) fn irreducible(
        &self,
        class: FunctionSet,
        space: &VersionSpace,
        k: u128,
    ) -> Result<bool> {
        let rows = members(class);
        let part = space.iter().fold(0, |part, row| part | 1 << rows[row]);
        let table = self.class(part);
        let k = u64::try_from(k).unwrap_or(u64::MAX);
        Ok(irreducible(&Solver::new(&table, self.limits.clone()), k)? == Irreducible::Yes)
    }

    /// The labels of a function.
    pub(super) fn labels(&self, function: u32) -> &str {
        &self.functions[function as usize]
    }

    /// The number of a function.
    pub(super) fn number(&mut self, labels: String) -> u32 {
        let next = u32::try_from(self.functions.len()).expect("few functions");
        let functions = &mut self.functions;
        *self.numbers.entry(labels).or_insert_with_key(|labels| {
            functions.push(labels.clone());
            next
        })
    }

    /// Functions as text.
    pub(super) fn show(&self, functions: &[u32]) -> String {
        let mut shown = functions.iter().map(|&f| self.labels(f)).sorted_unstable();
        let first = shown.by_ref().take(SHOWN).join(", ");
        match shown.count() {
            0 => format!("{{{first}}}"),
            more => format!("{{{first}, and {more} more}}"),
        }
    }

    /// A class as text.
    pub(super) fn show_class(&self, class: FunctionSet) -> String {
        self.show(&members(class))
    }

    fn least(&self, class: FunctionSet) -> (FunctionSet, usize) {
        self.alike.as_ref().map_or((class, 0), |alike| alike.least[class as usize])
    }

    fn class(&self, class: FunctionSet) -> Class {
        let mut builder = ClassBuilder::new(self.points.clone());
        for f in members(class) {
            builder.push(None, self.labels(f).bytes().map(|label| label == b'1'));
        }
        builder.build()
    }
}

fn known(dimension: Dimension) -> Result<i32> {
    dimension.value().ok_or_else(|| dimension.stopped.unwrap_or(Stopped::Elsewhere).into())
}

/// The functions of a class by number, in increasing order.
pub(super) fn members(class: FunctionSet) -> Vec<u32> {
    (0..FunctionSet::BITS).filter(|f| class >> f & 1 == 1).collect()
}

/// The nonempty subsets of a set, in decreasing order.
fn subsets(whole: FunctionSet) -> impl Iterator<Item = FunctionSet> {
    let next = move |&part: &FunctionSet| Some((part - 1) & whole).filter(|&part| part != 0);
    std::iter::successors(Some(whole).filter(|&whole| whole != 0), next)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is carried over from the least class that is alike is what is computed for the class.
    #[test]
    fn facts_are_carried_over_by_symmetries() {
        let mut carried = 0;
        for (points, d, step) in [(3, 1, 1), (4, 1, 13), (4, 2, 211)] {
            let mut domain = Domain::points(points, &Limits::default()).expect("few points");
            domain.fix(AmbientDimension::Fixed(d)).expect("a dimension");
            for class in (1u32..1 << (1 << points)).step_by(step) {
                if !domain.admits(class).expect("no limit") {
                    continue;
                }
                for p in [1, 2] {
                    let direct = domain.compute(class, p).expect("no limit");
                    assert_eq!(*domain.facts(class, p).expect("no limit"), direct, "{class:b}");
                    let outside = direct.essential.iter().any(|f| !members(class).contains(f));
                    carried += usize::from(outside && domain.least(class).0 != class);
                }
            }
        }
        assert!(carried >= 10, "{carried} classes with essential hypotheses outside them");
    }

    #[test]
    fn subsets_are_all_nonempty_ones() {
        assert_eq!(subsets(0b1101).sorted_unstable().collect::<Vec<_>>(), [1, 4, 5, 8, 9, 12, 13]);
        assert_eq!(subsets(0).count(), 0);
    }
}
