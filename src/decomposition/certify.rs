//! Writes certificates of the kinds `irreducible`, `decomposition-dimension` and
//! `essential-hypotheses`; see `docs/certificates.md`.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use serde::Serialize;

use crate::certificate::format::{
    Claim, DECOMPOSITION_DIMENSION, DecompositionDimension, ESSENTIAL_HYPOTHESES, EssentialClaim,
    EssentialHypotheses, Example, Exclusion, FORMAT, IRREDUCIBLE, Irreducibility,
    IrreducibilityClaim, Preorder, producer, write,
};
use crate::class::Class;
use crate::error::{Error, Result};

use super::{Bounded, Essential, Irreducible, Node, Tree};

/// The class of a certificate, and the question.
#[derive(Debug, Clone, Copy)]
pub struct Question<'c> {
    /// The class.
    pub class: &'c Class,
    /// Where the class came from, such as `point:3`; no proof rests on it.
    pub source: &'c str,
    /// p.
    pub p: u32,
    /// The ambient dimension d.
    pub ambient: i32,
}

/// The certificate that a class is, or is not, k-irreducible (Definition 7).
pub fn irreducibility(class: &Class, source: &str, k: u64, found: &Irreducible) -> Irreducibility {
    let violating = match found {
        Irreducible::Yes => None,
        Irreducible::No(examples) => {
            Some(examples.iter().map(|&(x, y)| Example(x, u8::from(y))).collect())
        }
    };
    Irreducibility {
        format: FORMAT,
        kind: IRREDUCIBLE.to_owned(),
        producer: producer(),
        source: source.to_owned(),
        points: class.point_names().to_vec(),
        hypotheses: hypotheses(class),
        k,
        claim: IrreducibilityClaim { irreducible: violating.is_none() },
        violating,
    }
}

/// The certificate of bounds on `ρ_p` (Definition 8); a tree proves the upper bound. There is none
/// when nothing is left to claim.
pub fn dimension(
    question: Question<'_>,
    found: Bounded,
    tree: Option<&Tree>,
) -> Option<DecompositionDimension> {
    // ρ ≥ 0 says nothing.
    let at_least = (found.lower > 0).then_some(found.lower);
    let at_most = tree.map(Tree::dimension);
    if at_least.is_none() && at_most.is_none() {
        return None;
    }
    Some(DecompositionDimension {
        format: FORMAT,
        kind: DECOMPOSITION_DIMENSION.to_owned(),
        producer: producer(),
        source: question.source.to_owned(),
        points: question.class.point_names().to_vec(),
        hypotheses: hypotheses(question.class),
        p: question.p,
        ambient: question.ambient,
        claim: Claim { at_least, at_most },
        tree: tree.map(preorder),
    })
}

/// The certificate of `ρ_p` and `C_p` (Definition 9), with the optimal tree they were found with.
pub fn essential(question: Question<'_>, found: &Essential, tree: &Tree) -> EssentialHypotheses {
    let excluded = found
        .excluded
        .iter()
        .map(|excluded| Exclusion { hypothesis: excluded.hypothesis.clone(), tree: excluded.tree });
    EssentialHypotheses {
        format: FORMAT,
        kind: ESSENTIAL_HYPOTHESES.to_owned(),
        producer: producer(),
        source: question.source.to_owned(),
        points: question.class.point_names().to_vec(),
        hypotheses: hypotheses(question.class),
        p: question.p,
        ambient: question.ambient,
        claim: EssentialClaim {
            decomposition_dimension: tree.dimension(),
            essential: found.hypotheses.clone(),
        },
        tree: preorder(tree),
        excluded: excluded.collect(),
        avoiding: found.avoiding.iter().map(preorder).collect(),
    }
}

/// Writes a certificate to the file at `path`.
///
/// # Errors
/// When the file cannot be written.
pub fn write_certificate<T: Serialize>(certificate: &T, path: &Path) -> Result<()> {
    File::create(path)
        .and_then(|file| {
            let mut out = BufWriter::new(file);
            write(certificate, &mut out)?;
            out.flush()
        })
        .map_err(|error| Error::file(path, &error))
}

fn hypotheses(class: &Class) -> Vec<String> {
    (0..class.hypotheses()).map(|h| class.labels(h)).collect()
}

/// The nodes of a tree stand in preorder already.
fn preorder(tree: &Tree) -> Preorder {
    let point = |node: &Node| match node {
        Node::Query { point, .. } => Some(*point),
        Node::Leaf(_) => None,
    };
    tree.nodes.iter().map(point).collect()
}
