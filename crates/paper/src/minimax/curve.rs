//! The value as a function of δ.
//!
//! V is the value of a linear program with δ on the right side alone, so it is convex,
//! non-increasing and piecewise linear in δ. An adversary that is optimal at one δ proves a lower
//! bound that is linear in δ and attained there: a tangent. Where the tangents at both ends of an
//! interval meet, the value is computed: either they meet on the curve, which then consists of the
//! two, or there is a further tangent. Each step finds a new line, so it ends.

use num_traits::{One, Zero};

use super::adversary::Tangent;
use super::game::Game;
use super::orbits::Symmetry;
use super::solve::{Bounds, Privacy, solve};
use littlestone_exact::Rational;
use littlestone_exact::limits::Limits;

/// A corner of the curve, or one of its ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Corner {
    /// δ, from 0 to 1.
    pub delta: Rational,
    /// V there.
    pub value: Rational,
}

/// Why a curve was not found.
#[derive(Debug, Clone)]
pub struct Unknown {
    /// The δ at which no exact value was found.
    pub delta: Rational,
    /// What is known there.
    pub bounds: Bounds,
}

/// The corners of V as a function of δ from 0 to 1, both ends included, by increasing δ. Between
/// them V is linear. At δ = 1 nothing is private.
///
/// # Errors
/// When at some δ no exact value is found, as for an irrational e^ε, or a limit was hit.
pub fn curve(
    game: &Game,
    group: &[Symmetry],
    privacy: &Privacy,
    limits: &Limits,
) -> Result<Vec<Corner>, Box<Unknown>> {
    let tracer = Tracer { game, group, privacy, limits };
    let (first, last) = (tracer.at(Rational::zero())?, tracer.at(Rational::one())?);
    let mut corners = vec![first.corner()];
    tracer.between(&first, &last, &mut corners)?;
    corners.push(last.corner());
    // Ends of intervals that were not corners.
    let mut kept: Vec<Corner> = Vec::new();
    for corner in corners {
        while let [.., before, last] = &kept[..]
            && slope(before, last) == slope(last, &corner)
        {
            kept.pop();
        }
        kept.push(corner);
    }
    Ok(kept)
}

/// The slope between two corners.
pub fn slope(from: &Corner, to: &Corner) -> Rational {
    (&to.value - &from.value) / (&to.delta - &from.delta)
}

struct Tracer<'g> {
    game: &'g Game,
    group: &'g [Symmetry],
    privacy: &'g Privacy,
    limits: &'g Limits,
}

struct Point {
    delta: Rational,
    value: Rational,
    tangent: Tangent,
}

impl Point {
    fn corner(&self) -> Corner {
        Corner { delta: self.delta.clone(), value: self.value.clone() }
    }
}

impl Tracer<'_> {
    fn at(&self, delta: Rational) -> Result<Point, Box<Unknown>> {
        let privacy =
            Privacy { delta: delta.clone(), delta_above: delta.clone(), ..self.privacy.clone() };
        let bounds = solve(self.game, self.group, &privacy, self.limits);
        match bounds.value().cloned() {
            Some(value) => Ok(Point { delta, value, tangent: bounds.lower.tangent }),
            None => Err(Box::new(Unknown { delta, bounds })),
        }
    }

    /// Adds what lies strictly between two points.
    fn between(
        &self,
        from: &Point,
        to: &Point,
        corners: &mut Vec<Corner>,
    ) -> Result<(), Box<Unknown>> {
        // A tangent at one end through the other end: convex, and so linear between them.
        let reaches = |a: &Point, b: &Point| a.tangent.at(&b.delta) == b.value;
        if reaches(from, to) || reaches(to, from) {
            return Ok(());
        }
        // Both tangents are below the curve at the other end, so they differ in slope and meet
        // strictly between the ends.
        let (a, b) = (&from.tangent, &to.tangent);
        let delta = (&a.at_zero - &b.at_zero) / (&a.slope - &b.slope);
        let below = a.at(&delta);
        let point = self.at(delta)?;
        if point.value == below {
            corners.push(point.corner());
            return Ok(());
        }
        self.between(from, &point, corners)?;
        corners.push(point.corner());
        self.between(&point, to, corners)
    }
}
