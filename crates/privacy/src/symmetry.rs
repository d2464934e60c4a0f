//! Renamings of records, states and symbols that leave a mechanism as it is.
//!
//! A question about a state and two records has the same answer after such a renaming, so only one
//! question of each orbit is answered. The renamings are automorphisms of the structure whose
//! elements are records, states, symbols and places, and whose relations are the weighted moves;
//! they are found by colour refinement with individualisation (B. `McKay` and A. Piperno, *Practical graph
//! isomorphism, II*, 2014), and each is checked against all relations before it is used. Finding
//! too few of them costs time alone.

use std::collections::{BTreeMap, HashMap};

use rustc_hash::FxBuildHasher;

use littlestone_exact::Arithmetic;
use littlestone_exact::limits::Limits;

use super::model::Model;
use super::search::{Places, Records};
use super::streams::Streams;

/// At most so many incidences are looked at in the search for renamings.
const WORK: usize = 2_000_000;

/// Orbits larger than this are not followed.
const ORBIT: usize = 50_000;

/// At most about so many renamings are tried on a prefix.
const ELEMENTS: usize = 128;

/// A state before the differing round, the places of both streams after it, and its records.
pub(super) type Root = (u32, Places, Records);

/// A renaming of records, states and places.
#[derive(Debug, Clone)]
struct Renaming {
    records: Vec<u32>,
    states: Vec<u32>,
    places: Vec<u32>,
}

impl Renaming {
    fn apply(&self, (state, (first, second), records): Root) -> Root {
        let place = |p: u32| self.places[p as usize];
        let record = |r: Option<u32>| r.map(|z| self.records[z as usize]);
        let records = Records { first: record(records.first), second: record(records.second) };
        (self.states[state as usize], (place(first), place(second)), records)
    }
}

/// Generators of a group of renamings.
#[derive(Debug, Clone, Default)]
pub(super) struct Symmetries {
    generators: Vec<Renaming>,
    /// Renamings of records, but the identity, that come from a group that leaves the law of the
    /// state before round 1 as it is.
    prefixes: Vec<Vec<u32>>,
}

/// The least root of an orbit, and the renaming of records that leads to it.
#[derive(Debug, Clone)]
pub(super) struct Form {
    pub root: Root,
    records: Vec<u32>,
}

impl Form {
    /// The records that are renamed to `suffix`.
    pub fn restored(&self, suffix: &[u32]) -> Vec<u32> {
        if self.records.is_empty() {
            return suffix.to_vec();
        }
        let original = |renamed: &u32| {
            let at = self.records.iter().position(|r| r == renamed);
            u32::try_from(at.expect("a permutation")).expect("records fit u32")
        };
        suffix.iter().map(original).collect()
    }
}

/// The least forms of the roots met so far.
#[derive(Debug, Clone)]
pub(super) struct Forms<'s> {
    symmetries: &'s Symmetries,
    met: HashMap<Root, Form, FxBuildHasher>,
}

impl<'s> Forms<'s> {
    pub fn new(symmetries: &'s Symmetries) -> Self {
        Self { symmetries, met: HashMap::default() }
    }

    /// The least root that a renaming leads to.
    pub fn least(&mut self, root: Root) -> Form {
        let generators = &self.symmetries.generators;
        let Some(first) = generators.first() else {
            return Form { root, records: Vec::new() };
        };
        if let Some(form) = self.met.get(&root) {
            return form.clone();
        }
        // Every member of the orbit with the renaming of records that leads there from `root`.
        let identity: Vec<u32> = (0..).take(first.records.len()).collect();
        let mut orbit = vec![(root, identity)];
        let mut known = HashMap::from([(root, 0)]);
        let mut next = 0;
        while next < orbit.len() && orbit.len() <= ORBIT {
            for generator in generators {
                let image = generator.apply(orbit[next].0);
                known.entry(image).or_insert_with(|| {
                    let through = orbit[next].1.iter();
                    let records = through.map(|r| generator.records[*r as usize]).collect();
                    orbit.push((image, records));
                    orbit.len() - 1
                });
            }
            next += 1;
        }
        let (least, to_least) = orbit.iter().min().expect("the root itself").clone();
        for (member, to_member) in orbit {
            let mut records = vec![0; to_member.len()];
            for (from, to) in to_member.iter().zip(&to_least) {
                records[*from as usize] = *to;
            }
            self.met.insert(member, Form { root: least, records });
        }
        self.met[&root].clone()
    }
}

impl Symmetries {
    /// Generators of the renamings of a mechanism and of the streams that count; not all of them when
    /// a limit is hit, which the search that uses them notices, too.
    pub fn new<A: Arithmetic>(model: &Model<A>, streams: &Streams, limits: &Limits) -> Self {
        let found = Structure::new(model, streams).map(|s| s.generators(limits));
        let mut symmetries = found.unwrap_or_default();
        let keeps_start = |renaming: &&Renaming| {
            let image =
                |(state, mass): &(u32, A::Weight)| (renaming.states[*state as usize], mass.clone());
            let mut start: Vec<_> = model.start.iter().map(image).collect();
            start.sort_by_key(|entry| entry.0);
            renaming.places[Streams::START as usize] == Streams::START && start == model.start
        };
        let kept: Vec<&Renaming> = symmetries.generators.iter().filter(keeps_start).collect();
        symmetries.prefixes = closure(model.records, &kept);
        symmetries
    }

    /// The least pair of records that a renaming which keeps the start leads to.
    pub fn least(&self, records: Records) -> Records {
        let renamed = |renaming: &Vec<u32>| {
            let record = |r: Option<u32>| r.map(|z| renaming[z as usize]);
            Records { first: record(records.first), second: record(records.second) }
        };
        self.prefixes.iter().map(renamed).chain([records]).min().expect("the records themselves")
    }

    /// Whether a renaming leads from this prefix of a stream to a lexicographically lesser one.
    /// Pairs of streams with this prefix then have the divergences of pairs with the lesser one.
    pub fn has_lesser(&self, prefix: &[u32]) -> bool {
        self.prefixes.iter().any(|records| {
            prefix.iter().map(|r| records[*r as usize]).cmp(prefix.iter().copied()).is_lt()
        })
    }
}

/// Products of the generators, without the identity, not all if they are many.
fn closure(records: u32, generators: &[&Renaming]) -> Vec<Vec<u32>> {
    let mut elements: Vec<Vec<u32>> = vec![(0..records).collect()];
    let mut next = 0;
    while next < elements.len() && elements.len() < ELEMENTS {
        for generator in generators {
            let through = elements[next].iter();
            let product = through.map(|r| generator.records[*r as usize]).collect();
            if !elements.contains(&product) {
                elements.push(product);
            }
        }
        next += 1;
    }
    elements.split_off(1)
}

/// An element of the structure, by index: records, then states, symbols, final symbols, places.
type Element = u32;

/// The greatest number of elements of a relation.
const ARITY: usize = 4;

/// One relation: its kind and weight, and at most [`ARITY`] elements in order.
type Relation = (u32, Vec<Element>);

/// What may still be spent on finding renamings.
struct Work<'l> {
    left: usize,
    limits: &'l Limits,
}

impl Work<'_> {
    /// Whether that much more may be done.
    fn spend(&mut self, cost: usize) -> bool {
        let left = self.left.checked_sub(cost).filter(|_| self.limits.check().is_ok());
        self.left = left.unwrap_or(0);
        left.is_some()
    }
}

struct Structure {
    records: usize,
    states: usize,
    places: usize,
    /// The first colour of each element: its sort.
    sorts: Vec<u32>,
    relations: Vec<Relation>,
}

impl Structure {
    fn new<A: Arithmetic>(model: &Model<A>, streams: &Streams) -> Option<Self> {
        let (records, states) = (model.records as usize, model.states() as usize);
        let places = streams.places();
        let index = |i: usize| u32::try_from(i).ok();
        let symbols = 1
            + (0..model.records)
                .flat_map(|z| (0..model.states()).flat_map(move |s| model.moves(z, s)))
                .map(|m| m.output as usize)
                .max()?;
        let finals = model.finish.iter().flatten().flatten().map(|(o, _)| *o as usize + 1).max();
        let sizes = [records, states, symbols, finals.unwrap_or(0), places];
        let mut sorts = Vec::new();
        let mut starts = Vec::new();
        for (sort, size) in sizes.into_iter().enumerate() {
            starts.push(index(sorts.len())?);
            sorts.extend(std::iter::repeat_n(index(sort)?, size));
        }
        let mut weights: HashMap<A::Weight, u32> = HashMap::new();
        let mut weighed = |weight: &A::Weight, kind: u32| {
            let fresh = u32::try_from(weights.len()).ok()?;
            Some(3 * *weights.entry(weight.clone()).or_insert(fresh) + kind)
        };
        let mut relations = Vec::new();
        let mut incidences = 0;
        for z in 0..model.records {
            for s in 0..model.states() {
                for m in model.moves(z, s) {
                    let elements = vec![z, starts[1] + s, starts[2] + m.output, starts[1] + m.to];
                    relations.push((weighed(&m.weight, 0)?, elements));
                }
                incidences = 4 * relations.len();
                if incidences > WORK {
                    return None;
                }
            }
        }
        for (s, law) in model.finish.iter().flatten().enumerate() {
            for (symbol, weight) in law {
                let elements = vec![starts[1] + index(s)?, starts[3] + symbol];
                relations.push((weighed(weight, 1)?, elements));
            }
        }
        if places * records > WORK || incidences > WORK {
            return None;
        }
        for place in 0..index(places)? {
            for z in 0..model.records {
                if let Some(next) = streams.step(place, z) {
                    relations.push((2, vec![z, starts[4] + place, starts[4] + next]));
                }
            }
        }
        relations.sort_unstable();
        Some(Self { records, states, places, sorts, relations })
    }

    fn generators(&self, limits: &Limits) -> Symmetries {
        let mut symmetries = Symmetries::default();
        let mut orbit: Vec<usize> = (0..self.records).collect();
        let mut work = Work { left: WORK, limits };
        // The renamings found at `fixed` and later fix all records before it.
        for fixed in (0..self.records).rev() {
            for image in fixed + 1..self.records {
                if orbit[image] == orbit[fixed] {
                    continue;
                }
                let mut sides = [self.sorts.clone(), self.sorts.clone()];
                for record in 0..=fixed {
                    let colour = u32::MAX - u32::try_from(record).expect("records fit u32");
                    sides[0][record] = colour;
                    sides[1][if record == fixed { image } else { record }] = colour;
                }
                let Some(map) = self.extend(sides, &mut work) else { continue };
                for (from, to) in map.iter().take(self.records).enumerate() {
                    let (a, b) = (orbit[from], orbit[*to as usize]);
                    orbit.iter_mut().filter(|o| **o == b).for_each(|o| *o = a);
                }
                symmetries.generators.push(self.renaming(&map));
            }
        }
        symmetries
    }

    fn renaming(&self, map: &[Element]) -> Renaming {
        let part = |start: usize, size: usize| {
            let first = u32::try_from(start).expect("elements fit u32");
            map[start..start + size].iter().map(|e| e - first).collect()
        };
        Renaming {
            records: part(0, self.records),
            states: part(self.records, self.states),
            places: part(map.len() - self.places, self.places),
        }
    }

    /// An automorphism that respects the colours of both sides.
    fn extend(&self, mut sides: [Vec<u32>; 2], work: &mut Work<'_>) -> Option<Vec<Element>> {
        if !self.refine(&mut sides, work) {
            return None;
        }
        let mut cells: BTreeMap<u32, [Vec<Element>; 2]> = BTreeMap::new();
        for (side, colours) in sides.iter().enumerate() {
            for (element, colour) in (0..).zip(colours) {
                cells.entry(*colour).or_default()[side].push(element);
            }
        }
        let Some([left, right]) = cells.values().find(|[left, _]| left.len() > 1) else {
            let mut map = vec![0; self.sorts.len()];
            for [left, right] in cells.values() {
                map[*left.first()? as usize] = *right.first()?;
            }
            return self.preserves(&map).then_some(map);
        };
        right.iter().find_map(|image| {
            let mut sides = sides.clone();
            sides[0][left[0] as usize] = u32::MAX;
            sides[1][*image as usize] = u32::MAX;
            self.extend(sides, work)
        })
    }

    /// Refines both colourings in step until no colour splits; false when they part.
    fn refine(&self, sides: &mut [Vec<u32>; 2], work: &mut Work<'_>) -> bool {
        let mut colours = 0;
        loop {
            let cost = 1 + self.relations.iter().map(|r| r.1.len()).sum::<usize>();
            if !work.spend(2 * cost) {
                return false;
            }
            let signatures = sides.each_ref().map(|colours| self.signatures(colours));
            let mut fresh: BTreeMap<&Signature, [u32; 2]> = BTreeMap::new();
            for (side, signatures) in signatures.iter().enumerate() {
                for signature in signatures {
                    fresh.entry(signature).or_default()[side] += 1;
                }
            }
            if fresh.values().any(|[left, right]| left != right) {
                return false;
            }
            let count = fresh.len();
            for (entry, colour) in fresh.values_mut().zip(0..) {
                entry[0] = colour;
            }
            for (side, signatures) in sides.iter_mut().zip(&signatures) {
                *side = signatures.iter().map(|s| fresh[s][0]).collect();
            }
            if count == colours {
                return true;
            }
            colours = count;
        }
    }

    fn signatures(&self, colours: &[u32]) -> Vec<Signature> {
        let mut signatures: Vec<Signature> = colours.iter().map(|c| (*c, Vec::new())).collect();
        for (kind, elements) in &self.relations {
            // The kind says how many there are.
            let mut around = [0; ARITY];
            for (colour, element) in around.iter_mut().zip(elements) {
                *colour = colours[*element as usize];
            }
            for (role, element) in (0..).zip(elements) {
                signatures[*element as usize].1.push((*kind, role, around));
            }
        }
        for (_, incidences) in &mut signatures {
            incidences.sort_unstable();
        }
        signatures
    }

    fn preserves(&self, map: &[Element]) -> bool {
        let image = |(kind, elements): &Relation| {
            (*kind, elements.iter().map(|e| map[*e as usize]).collect::<Vec<_>>())
        };
        let mut images: Vec<Relation> = self.relations.iter().map(image).collect();
        images.sort_unstable();
        images == self.relations
    }
}

/// A colour, and for each relation of the element its kind, the element's role, and the colours of
/// all its elements.
type Signature = (u32, Vec<(u32, u32, [u32; ARITY])>);
