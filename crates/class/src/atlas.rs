//! All classes on a few points up to symmetry, with their dimensions.
//!
//! Classes count as alike when a permutation of the points and complementing the labels at some
//! points turn one into the other. Everything in a row is invariant under that: the threshold
//! dimension is not, so its least and greatest values over the classes that are alike are given.

use std::fmt::Write as _;

use crate::decomposition::{Decomposition, Unavailable, irreducibility_order};
use crate::littlestone::{Dimension, Solver, threshold_dimension, vc_dimension};
use crate::symmetry::{FunctionSet, MAX_POINTS, Symmetry};
use crate::{Class, ClassBuilder};
use littlestone_base::error::{Error, Result};
use littlestone_exact::limits::{Limits, Stopped};

/// The values of p for which `ρ_p` and `|C_p|` are given, with d the Littlestone dimension of the
/// class.
pub const PARAMETERS: [u32; 3] = [1, 2, 3];

/// The first line of [`csv()`].
pub const HEADER: &str = "points,class,hypotheses,alike,littlestone_dimension,vc_dimension,\
    threshold_dimension_least,threshold_dimension_greatest,irreducibility_order,\
    decomposition_dimension_1,decomposition_dimension_2,decomposition_dimension_3,\
    essential_hypotheses_1,essential_hypotheses_2,essential_hypotheses_3";

/// The atlas of all nonempty classes on 1, …, `points` points, as CSV with the columns of
/// [`HEADER`]: by number of points, then by number of hypotheses, then by the set of functions read
/// as a number. `class` lists the labels of the functions, separated by spaces; `alike` counts the
/// classes that the row stands for; `irreducibility_order` is `inf` for a single function.
///
/// # Errors
/// When the number of points is 0 or more than 4, or a limit is hit: each class counts as a state,
/// and so do the states of the searches in each.
pub fn csv(points: usize, limits: &Limits) -> Result<String> {
    if !(1..=MAX_POINTS).contains(&points) {
        let help = if points == 0 {
            "on no point there is one function, and nothing to query"
        } else {
            "there are 4294967295 nonempty classes on 5 points"
        };
        let message = format!("expected from 1 to {MAX_POINTS} points, found {points}");
        return Err(Error::argument_with_help(message, help));
    }
    let mut text = format!("{HEADER}\n");
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
            let row = row(&class, [least, greatest], limits)?;
            let functions: Vec<String> = (0..class.hypotheses()).map(|h| class.labels(h)).collect();
            let (functions, count) = (functions.join(" "), class.hypotheses());
            writeln!(text, "{n},{functions},{count},{},{row}", orbit.size)
                .expect("writing to a string");
        }
    }
    Ok(text)
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

fn row(class: &Class, [least, greatest]: [i32; 2], limits: &Limits) -> Result<String> {
    let solver = Solver::new(class, limits.clone());
    let dimension = known(solver.dimension())?;
    let vc = known(vc_dimension(class, limits))?;
    let order = irreducibility_order(&solver)?.value();
    let order = order.map_or("inf".into(), |order| order.to_string());
    let (mut rhos, mut sizes) = (Vec::new(), Vec::new());
    for p in PARAMETERS {
        let mut found = Decomposition::new(&solver, p, None).map_err(|error| match error {
            Unavailable::Input(error) => error,
            Unavailable::Undecided(found) => found.stopped.unwrap_or(Stopped::Elsewhere).into(),
        })?;
        let rho = found.dimension();
        let rho = rho.value().ok_or_else(|| rho.stopped.unwrap_or(Stopped::Elsewhere))?;
        rhos.push(rho.to_string());
        sizes.push(found.essential()?.hypotheses.len().to_string());
    }
    let (rhos, sizes) = (rhos.join(","), sizes.join(","));
    Ok(format!("{dimension},{vc},{least},{greatest},{order},{rhos},{sizes}"))
}
