//! All classes on a few points up to symmetry, with their dimensions.
//!
//! Classes count as alike when a permutation of the points and complementing the labels at some
//! points turn one into the other. Everything in a row is invariant under that: the threshold
//! dimension is not, so its least and greatest values over the classes that are alike are given.

use crate::decomposition::{Decomposition, Unavailable, irreducibility_order};
use crate::littlestone::{Dimension, Solver, threshold_dimension, vc_dimension};
use crate::symmetry::{FunctionSet, MAX_POINTS, Symmetry};
use crate::{Class, ClassBuilder};
use serde::Serialize;

use littlestone_base::error::{Error, Result};
use littlestone_exact::limits::{Limits, Stopped};

/// The values of p for which `ρ_p` and `|C_p|` are given, with d the Littlestone dimension of the
/// class.
pub const PARAMETERS: [u32; 3] = [1, 2, 3];

/// What is known of the classes that are alike. The fields are in the order of the columns of the
/// atlas as a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AtlasRow {
    /// The number of points.
    pub points: usize,
    /// The labels of the functions, separated by spaces.
    pub class: String,
    /// The number of functions.
    pub hypotheses: usize,
    /// The number of classes that the row stands for.
    pub alike: usize,
    /// Ldim.
    pub littlestone_dimension: i32,
    /// The VC dimension.
    pub vc_dimension: i32,
    /// The least threshold dimension of the classes that are alike.
    pub threshold_dimension_least: i32,
    /// The greatest.
    pub threshold_dimension_greatest: i32,
    /// The irreducibility order, `inf` for a single function.
    pub irreducibility_order: String,
    /// `ρ_1`.
    pub decomposition_dimension_1: i32,
    /// `ρ_2`.
    pub decomposition_dimension_2: i32,
    /// `ρ_3`.
    pub decomposition_dimension_3: i32,
    /// |`C_1`|.
    pub essential_hypotheses_1: usize,
    /// |`C_2`|.
    pub essential_hypotheses_2: usize,
    /// |`C_3`|.
    pub essential_hypotheses_3: usize,
}

/// The atlas of all nonempty classes on 1, …, `points` points: by number of points, then by number of
/// hypotheses, then by the set of functions read as a number.
///
/// # Errors
/// When the number of points is 0 or more than 4, or a limit is hit: each class counts as a state,
/// and so do the states of the searches in each.
pub fn rows(points: usize, limits: &Limits) -> Result<Vec<AtlasRow>> {
    if !(1..=MAX_POINTS).contains(&points) {
        let help = if points == 0 {
            "on no point there is one function, and nothing to query"
        } else {
            "there are 4294967295 nonempty classes on 5 points"
        };
        let message = format!("points: expected from 1 to {MAX_POINTS} points, found {points}");
        return Err(Error::argument_with_help(message, help));
    }
    let mut rows = Vec::new();
    let mut meter = limits.meter();
    for n in 1..=points {
        let group = Symmetry::full(n);
        let mut orbits = group.orbits();
        orbits.sort_by_key(|o| (o.representative.count_ones(), o.representative));
        for orbit in orbits {
            meter.count()?;
            let images = group.images(orbit.representative);
            let chains = images.map(|set| threshold(&class(n, set), limits));
            let chains = chains.collect::<Result<Vec<i32>>>()?;
            let least = chains.iter().copied().min().unwrap_or(i32::MAX);
            let greatest = chains.iter().copied().max().unwrap_or(i32::MIN);
            let class = class(n, orbit.representative);
            let functions: Vec<String> = (0..class.hypotheses()).map(|h| class.labels(h)).collect();
            let solver = Solver::new(&class, limits.clone());
            let littlestone_dimension = known(solver.dimension())?;
            let vc_dimension = known(vc_dimension(&class, limits))?;
            let order = irreducibility_order(&solver)?.value();
            let [one, two, three] = PARAMETERS.map(|p| decomposed(&solver, p));
            let (one, two, three) = (one?, two?, three?);
            rows.push(AtlasRow {
                points: n,
                class: functions.join(" "),
                hypotheses: class.hypotheses(),
                alike: orbit.size,
                littlestone_dimension,
                vc_dimension,
                threshold_dimension_least: least,
                threshold_dimension_greatest: greatest,
                irreducibility_order: order.map_or("inf".into(), |order| order.to_string()),
                decomposition_dimension_1: one.0,
                decomposition_dimension_2: two.0,
                decomposition_dimension_3: three.0,
                essential_hypotheses_1: one.1,
                essential_hypotheses_2: two.1,
                essential_hypotheses_3: three.1,
            });
        }
    }
    Ok(rows)
}

/// `ρ_p` and `|C_p|`.
fn decomposed(solver: &Solver<'_>, p: u32) -> Result<(i32, usize)> {
    let mut found = Decomposition::new(solver, p, None).map_err(|error| match error {
        Unavailable::Input(error) => error,
        Unavailable::Undecided(found) => found.stopped.unwrap_or(Stopped::Elsewhere).into(),
    })?;
    let rho = found.dimension();
    let rho = rho.value().ok_or_else(|| rho.stopped.unwrap_or(Stopped::Elsewhere))?;
    Ok((rho, found.essential()?.hypotheses.len()))
}

/// The class of a set of functions, in increasing order.
pub fn class(points: usize, set: FunctionSet) -> Class {
    let mut builder = ClassBuilder::new((1..=points).map(|x| x.to_string()).collect());
    for f in (0..1u32 << points).filter(|&f| set >> f & 1 == 1) {
        builder.push(None, (0..points).rev().map(|bit| f >> bit & 1 == 1));
    }
    builder.build()
}

fn threshold(class: &Class, limits: &Limits) -> Result<i32> {
    known(threshold_dimension(class, limits))
}

fn known(dimension: Dimension) -> Result<i32> {
    dimension.value().ok_or_else(|| dimension.stopped.unwrap_or(Stopped::Elsewhere).into())
}
