//! Writes certificates of the kinds `irreducible`, `decomposition-dimension` and
//! `essential-hypotheses`; see `docs/certificates.md`.

mod members;
mod table;

use std::path::Path;

use serde::Serialize;

use crate::littlestone::Solver;
use crate::littlestone::certify::Missing;
use crate::{Class, VersionSpace};
use littlestone_base::error::Result;
use littlestone_base::file;
use littlestone_checker::format::{
    Claim, DECOMPOSITION_DIMENSION, DecompositionDimension, ESSENTIAL_HYPOTHESES, EssentialClaim,
    EssentialHypotheses, Example, Exclusion, FORMAT, IRREDUCIBLE, Irreducibility,
    IrreducibilityClaim, IrreducibilityProof, Kept, Leaf as LeafProof, Lowered, Reference,
    Tree as TreeProof, producer, write_lines,
};
use littlestone_exact::limits::Stopped;

use super::bounds::Bounds;
use super::states::States;
use super::tau::Trees;
use super::{Bounded, Decomposition, Essential, Irreducible, Node, Tree};
use table::{Table, place};

/// What a certificate says besides its claim, and how large it may be.
#[derive(Debug, Clone, Copy)]
pub struct Frame<'f> {
    /// Where the class came from, such as `point:3`; no proof rests on it.
    pub source: &'f str,
    /// Greatest size of the tables, in bytes.
    pub limit: u64,
}

/// The certificate that a class is, or is not, k-irreducible (Definition 7), as was found.
///
/// # Errors
/// When a limit of the solver is hit, or the proof is too large.
pub fn irreducibility(
    solver: &Solver<'_>,
    frame: Frame<'_>,
    k: u64,
    found: &Irreducible,
) -> std::result::Result<Irreducibility, Missing> {
    let class = solver.class();
    let full = VersionSpace::full(class);
    let mut certificate = Irreducibility {
        format: FORMAT,
        kind: IRREDUCIBLE.to_owned(),
        producer: producer(),
        source: frame.source.to_owned(),
        points: class.point_names().to_vec(),
        hypotheses: hypotheses(class),
        k,
        claim: IrreducibilityClaim { irreducible: true },
        violating: None,
        proof: IrreducibilityProof::Kept(Kept { dimension: -1, below: None, keeps: None }),
        states: Vec::new(),
    };
    if full.is_empty() {
        return Ok(certificate);
    }
    let mut states = States::new(solver);
    let root = states.of(&full).map_err(Missing::Stopped)?;
    let dimension = states.dimension(root);
    // No fact here depends on p and d.
    let mut trees = Trees::new(states, Bounds { p: 1, ambient: dimension });
    let mut table = Table::new(&mut trees, frame.limit);
    let below = table.below(root, dimension + 1);
    match found {
        Irreducible::Yes => {
            let queries = u32::try_from(k).unwrap_or(u32::MAX - 1);
            let keeps = table.keeps(root, queries);
            let (states, places) = table.write()?;
            let (below, keeps) = (place(below, &places), place(keeps, &places));
            certificate.proof = IrreducibilityProof::Kept(Kept { dimension, below, keeps });
            certificate.states = states;
        }
        Irreducible::No(examples) => {
            let at_least = table.at_least(root, dimension);
            let (labels, left) =
                lowered(&mut table, &full, dimension, examples).map_err(Missing::Stopped)?;
            let (states, places) = table.write()?;
            let put = |reference| place(reference, &places);
            certificate.claim = IrreducibilityClaim { irreducible: false };
            certificate.violating =
                Some(examples.iter().map(|&(x, y)| Example(x, u8::from(y))).collect());
            certificate.proof = IrreducibilityProof::Lowered(Lowered {
                dimension,
                at_least: put(at_least),
                below: put(below),
                labels: labels.into_iter().map(put).collect(),
                left: put(left),
            });
            certificate.states = states;
        }
    }
    Ok(certificate)
}

/// For each example what shows its label, and what shows that they lower the dimension.
fn lowered(
    table: &mut Table<'_, '_>,
    full: &VersionSpace,
    dimension: i32,
    examples: &[(usize, bool)],
) -> std::result::Result<(Vec<Reference>, Reference), Stopped> {
    let columns = table.trees.states.solver().columns();
    let mut left = full.clone();
    let mut labels = Vec::with_capacity(examples.len());
    for &(x, y) in examples {
        let zero = full.restrict(&columns[x], false);
        labels.push(if zero.is_empty() {
            None
        } else {
            let zero = table.trees.states.of(&zero)?;
            if y { table.below(zero, dimension) } else { table.at_least(zero, dimension) }
        });
        left = left.restrict(&columns[x], y);
    }
    let left = if left.is_empty() {
        None
    } else {
        let left = table.trees.states.of(&left)?;
        table.below(left, dimension)
    };
    Ok((labels, left))
}

/// The certificate of bounds on `ρ_p` (Definition 8): of the lower one, where it is asked for and
/// says something, and of the upper one that a tree proves. There is none when nothing is left to
/// claim.
///
/// # Errors
/// When a limit of the solver is hit, or the proof is too large.
pub fn dimension(
    decomposition: &mut Decomposition<'_>,
    frame: Frame<'_>,
    at_least: Option<Bounded>,
    tree: Option<&Tree>,
) -> std::result::Result<Option<DecompositionDimension>, Missing> {
    // ρ ≥ 0 says nothing.
    let at_least = at_least.map(|found| found.lower).filter(|&lower| lower > 0);
    let at_most = tree.map(Tree::dimension);
    if at_least.is_none() && at_most.is_none() {
        return Ok(None);
    }
    let (p, ambient, root) = (decomposition.p(), decomposition.ambient(), decomposition.root);
    let full = decomposition.full.clone();
    let class = decomposition.trees.states.solver().class();
    let mut table = Table::new(&mut decomposition.trees, frame.limit);
    let below = table.below(root, ambient + 1);
    let mut tree = tree.map(|tree| valid(&mut table, &full, tree)).transpose()?;
    let no_tree = match at_least {
        Some(bound) => table.no_tree(root, 0, bound - 1).map_err(Missing::Stopped)?,
        None => None,
    };
    let (states, places) = table.write()?;
    if let Some(tree) = &mut tree {
        renumber(tree, &places);
    }
    Ok(Some(DecompositionDimension {
        format: FORMAT,
        kind: DECOMPOSITION_DIMENSION.to_owned(),
        producer: producer(),
        source: frame.source.to_owned(),
        points: class.point_names().to_vec(),
        hypotheses: hypotheses(class),
        p,
        ambient,
        claim: Claim { at_least, at_most },
        below: place(below, &places),
        tree,
        no_tree: place(no_tree, &places),
        states,
    }))
}

/// The certificate of `ρ_p` and `C_p` (Definition 9), with the optimal tree they were found with.
///
/// # Errors
/// When a limit of the solver is hit, or the proof is too large.
pub fn essential(
    decomposition: &mut Decomposition<'_>,
    frame: Frame<'_>,
    found: &Essential,
    tree: &Tree,
) -> std::result::Result<EssentialHypotheses, Missing> {
    let (p, ambient, root) = (decomposition.p(), decomposition.ambient(), decomposition.root);
    let (full, bound) = (decomposition.full.clone(), tree.dimension());
    let class = decomposition.trees.states.solver().class();
    let mut table = Table::new(&mut decomposition.trees, frame.limit);
    let below = table.below(root, ambient + 1);
    let mut tree = valid(&mut table, &full, tree)?;
    let trees = found.avoiding.iter().map(|tree| valid(&mut table, &full, tree));
    let mut avoiding = trees.collect::<std::result::Result<Vec<_>, _>>()?;
    let (mut no_tree, mut drafts) = (None, Vec::new());
    if bound > 0 {
        no_tree = table.no_tree(root, 0, bound - 1).map_err(Missing::Stopped)?;
        for hypothesis in &found.hypotheses {
            drafts.push(members::rows(&mut table, &full, hypothesis, bound)?);
        }
    }
    let (states, places) = table.write()?;
    avoiding.iter_mut().chain([&mut tree]).for_each(|tree| renumber(tree, &places));
    let finish = |rows: Vec<members::Draft>| rows.into_iter().map(|row| row.finish(&places));
    let excluded = found
        .excluded
        .iter()
        .map(|excluded| Exclusion { hypothesis: excluded.hypothesis.clone(), tree: excluded.tree });
    Ok(EssentialHypotheses {
        format: FORMAT,
        kind: ESSENTIAL_HYPOTHESES.to_owned(),
        producer: producer(),
        source: frame.source.to_owned(),
        points: class.point_names().to_vec(),
        hypotheses: hypotheses(class),
        p,
        ambient,
        claim: EssentialClaim {
            decomposition_dimension: bound,
            essential: found.hypotheses.clone(),
        },
        below: place(below, &places),
        tree,
        no_tree: place(no_tree, &places),
        excluded: excluded.collect(),
        avoiding,
        members: drafts.into_iter().map(|rows| finish(rows).collect()).collect(),
        states,
    })
}

/// Writes a certificate to the file at `path`.
///
/// # Errors
/// When the file cannot be written.
pub fn write_certificate<T: Serialize>(certificate: &T, path: &Path) -> Result<()> {
    file::write(path, |out| write_lines(certificate, out))
}

fn hypotheses(class: &Class) -> Vec<String> {
    (0..class.hypotheses()).map(|h| class.labels(h)).collect()
}

/// A tree, whose nodes stand in preorder already, and what shows that it is valid. References are in
/// the order of asking.
fn valid(
    table: &mut Table<'_, '_>,
    full: &VersionSpace,
    tree: &Tree,
) -> std::result::Result<TreeProof, Missing> {
    let bounds = table.trees.bounds;
    let columns = table.trees.states.solver().columns();
    let (mut nodes, mut below, mut leaves) = (Vec::new(), Vec::new(), Vec::new());
    let mut open = vec![(full.clone(), 0i64)];
    for node in &tree.nodes {
        let (space, depth) = open.pop().expect("a tree in preorder");
        let id = table.trees.states.of(&space).map_err(Missing::Stopped)?;
        match node {
            Node::Query { point, .. } => {
                // The greatest dimension that the depth allows; the class has at most d.
                let allowed = (-1..bounds.ambient).rev().find(|&q| depth <= bounds.cap(q));
                let shown = if depth <= bounds.cap(bounds.ambient) { None } else { allowed };
                below.push(shown.and_then(|q| table.below(id, q + 1)));
                nodes.push(Some(*point));
                open.push((space.restrict(&columns[*point], true), depth + 1));
                open.push((space.restrict(&columns[*point], false), depth + 1));
            }
            Node::Leaf(leaf) => {
                below.push(table.below(id, leaf.dimension + 1));
                nodes.push(None);
                let queries = u32::try_from(bounds.need(leaf.dimension)).unwrap_or(u32::MAX - 1);
                leaves.push(LeafProof(leaf.dimension, table.keeps(id, queries)));
            }
        }
    }
    let proof = TreeProof { nodes, below, leaves };
    table.charge(&proof)?;
    Ok(proof)
}

fn renumber(tree: &mut TreeProof, places: &[usize]) {
    let put = |reference: &mut Reference| *reference = place(*reference, places);
    tree.below.iter_mut().for_each(put);
    tree.leaves.iter_mut().for_each(|LeafProof(_, keeps)| put(keeps));
}
