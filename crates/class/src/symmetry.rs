//! Symmetries of the set of all classes on a few points.
//!
//! Two groups act on the functions {0,1}^X, and so on the classes: the permutations of the points,
//! and those together with complementing the labels at any set of points. Both preserve the
//! Littlestone, VC and decomposition dimensions, the irreducibility order and the number of
//! essential hypotheses (nonempty leaves of valid trees are 1-irreducible, where the SOA has no
//! ties, so it is complemented with the class). The threshold dimension is preserved by
//! permutations only.

use itertools::Itertools;

/// A class on at most 4 points, as a set of functions: bit f is set when the function f belongs to
/// it, and bit `points − 1 − x` of f is its label at point x. So the binary digits of f are its
/// labels in point order.
pub type FunctionSet = u32;

/// The greatest number of points: there are 2^32 classes on 5.
pub const MAX_POINTS: usize = 4;

/// A group of symmetries of {0,1}^X.
#[derive(Debug, Clone)]
pub struct Symmetry {
    points: usize,
    /// For each element the images of the functions 0, 1, ….
    elements: Vec<Vec<u32>>,
}

/// The classes that are alike under a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Orbit {
    /// The class whose set of functions is least as a number.
    pub representative: FunctionSet,
    /// How many classes are alike.
    pub size: usize,
}

impl Symmetry {
    /// The permutations of `points` points.
    ///
    /// # Panics
    /// When there are more than [`MAX_POINTS`] points.
    pub fn permutations(points: usize) -> Self {
        Self::generated(points, &[0])
    }

    /// The permutations of `points` points together with complementing labels at any points: the
    /// symmetries of a cube, 2^n n! in number.
    ///
    /// # Panics
    /// When there are more than [`MAX_POINTS`] points.
    pub fn full(points: usize) -> Self {
        let masks: Vec<u32> = (0..1 << points.min(MAX_POINTS)).collect();
        Self::generated(points, &masks)
    }

    fn generated(points: usize, complements: &[u32]) -> Self {
        assert!(points <= MAX_POINTS, "{points} points, at most {MAX_POINTS}");
        let permuted = |f: u32, order: &[usize]| {
            order.iter().enumerate().fold(0, |image, (to, &from)| image | (f >> from & 1) << to)
        };
        let elements = (0..points)
            .permutations(points)
            .cartesian_product(complements)
            .map(|(order, mask)| (0..1 << points).map(|f| permuted(f, &order) ^ mask).collect())
            .collect();
        Self { points, elements }
    }

    /// Number of symmetries.
    pub fn order(&self) -> usize {
        self.elements.len()
    }

    /// The images of a class under all symmetries, with repetitions.
    pub fn images(&self, class: FunctionSet) -> impl Iterator<Item = FunctionSet> + '_ {
        self.elements.iter().map(move |element| {
            let members = element.iter().enumerate().filter(move |&(f, _)| class >> f & 1 == 1);
            members.fold(0, |image, (_, &to)| image | 1 << to)
        })
    }

    /// The orbits of nonempty classes, by representative.
    pub fn orbits(&self) -> Vec<Orbit> {
        let classes = 1usize << (1 << self.points);
        let mut seen = vec![false; classes];
        let mut orbits = Vec::new();
        for representative in (1u32..).take(classes - 1) {
            if seen[representative as usize] {
                continue;
            }
            let mut size = 0;
            for image in self.images(representative) {
                let first = !std::mem::replace(&mut seen[image as usize], true);
                size += usize::from(first);
            }
            orbits.push(Orbit { representative, size });
        }
        orbits
    }

    /// The number of orbits of nonempty classes by Burnside's lemma: a symmetry with c cycles on
    /// the functions fixes 2^c classes.
    pub fn burnside(&self) -> usize {
        let fixed: usize = self.elements.iter().map(|element| 1usize << cycles(element)).sum();
        fixed / self.elements.len() - 1
    }
}

fn cycles(element: &[u32]) -> usize {
    let mut seen = vec![false; element.len()];
    let mut count = 0;
    for start in 0..element.len() {
        let mut at = start;
        count += usize::from(!seen[start]);
        while !std::mem::replace(&mut seen[at], true) {
            at = element[at] as usize;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orbits_are_as_many_as_burnside_says() {
        // Without the empty class: 3 → 2, 5, 21 and 401 classes up to the symmetries of the cube
        // (OEIS A000616 less 1), and 3, 11, 79 and 3983 up to permutations of points (A003180
        // less 1).
        let full = [2, 5, 21, 401];
        let permutations = [3, 11, 79, 3983];
        for points in 1..=4 {
            for (group, expected) in [
                (Symmetry::full(points), full[points - 1]),
                (Symmetry::permutations(points), permutations[points - 1]),
            ] {
                let orbits = group.orbits();
                assert_eq!(orbits.len(), expected);
                assert_eq!(group.burnside(), expected);
                let classes: usize = orbits.iter().map(|orbit| orbit.size).sum();
                assert_eq!(classes, (1 << (1 << points)) - 1);
                assert!(orbits.iter().all(|orbit| group.order() % orbit.size == 0));
            }
        }
        assert_eq!(Symmetry::full(4).order(), 384);
    }
}
