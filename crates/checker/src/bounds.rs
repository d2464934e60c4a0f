//! The bounds on depth in Definition 8.

/// p and d of Definition 8.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    pub(super) p: u32,
    pub(super) ambient: i32,
}

impl Bounds {
    /// 2^(d − q + `more`). Dimensions above d are taken as d, which makes the bounds larger.
    fn power(self, q: i32, more: u32) -> u128 {
        let exponent = u32::try_from(self.ambient - q.min(self.ambient)).expect("not negative");
        1u128.checked_shl(exponent + more).expect("d is at most 64, and q at least -1")
    }

    /// The greatest depth of a node of dimension q ≥ −1: p(2^(d − q + 1) − 1).
    pub(super) fn node(self, q: i32) -> u128 {
        u128::from(self.p) * (self.power(q.max(-1), 1) - 1)
    }

    /// The greatest depth of a leaf of dimension q ≥ −1: p(2^(d − q) − 1).
    pub(super) fn leaf(self, q: i32) -> u128 {
        u128::from(self.p) * (self.power(q.max(-1), 0) - 1)
    }

    /// The irreducibility of a leaf of dimension q ≥ −1: p·2^(d − q).
    pub(super) fn irreducibility(self, q: i32) -> u128 {
        u128::from(self.p) * self.power(q.max(-1), 0)
    }

    /// Whether a class of dimension at least q cannot be a leaf at this depth of a valid tree whose
    /// leaves have dimension at most `most`.
    pub(super) fn forbids_leaf(self, q: i32, depth: u128, most: i32) -> bool {
        q > most || depth > self.leaf(q)
    }

    /// The greatest dimension from −1 to d with which a node may stand at this depth, if there is
    /// one.
    pub(super) fn greatest_at(self, depth: u128) -> Option<i32> {
        (-1..=self.ambient).rev().find(|&q| depth <= self.node(q))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand from Definition 8, with d = 2 and p = 3.
    #[test]
    fn the_bounds_are_those_of_definition_8() {
        let bounds = Bounds { p: 3, ambient: 2 };
        let of = |bound: fn(Bounds, i32) -> u128| [-1, 0, 1, 2].map(|q| bound(bounds, q));
        assert_eq!(of(Bounds::node), [45, 21, 9, 3]);
        assert_eq!(of(Bounds::leaf), [21, 9, 3, 0]);
        assert_eq!(of(Bounds::irreducibility), [24, 12, 6, 3]);
        assert_eq!([0, 3, 4, 9, 10].map(|t| bounds.greatest_at(t).unwrap()), [2, 2, 1, 1, 0]);
        assert_eq!(bounds.greatest_at(46), None);
    }

    #[test]
    fn the_greatest_parameters_do_not_overflow() {
        let bounds = Bounds { p: u32::MAX, ambient: 64 };
        assert_eq!(bounds.node(i32::MIN), u128::from(u32::MAX) * ((1 << 66) - 1));
        assert_eq!(bounds.leaf(i32::MAX), 0);
    }
}
