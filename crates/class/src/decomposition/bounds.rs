//! The bounds on depth in Definition 8.

/// The parameters of (p,d)-valid trees: p ≥ 1 and the ambient dimension d ≥ 0.
///
/// The bounds are exact. Searches compare them with depths, which never exceed the number of
/// points, so they may use the bounds cut off at `i64::MAX / 4` (see [`Bounds::cap`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bounds {
    pub p: u32,
    pub ambient: i32,
}

/// Greatest ambient dimension: 2^(d + 1) p then fits 98 bits, and no class here has more than 2^24
/// hypotheses.
pub(super) const MAX_AMBIENT: i32 = 64;

impl Bounds {
    /// p(2^(d − q + 1) − 1): the greatest depth of a node of dimension q.
    pub fn node(self, q: i32) -> u128 {
        u128::from(self.p) * ((1 << self.exponent(q - 1)) - 1)
    }

    /// p(2^(d − q) − 1): the greatest depth of a leaf of dimension q.
    pub fn leaf(self, q: i32) -> u128 {
        u128::from(self.p) * ((1 << self.exponent(q)) - 1)
    }

    /// p·2^(d − q): a leaf of dimension q must be that irreducible.
    pub fn irreducibility(self, q: i32) -> u128 {
        u128::from(self.p) << self.exponent(q)
    }

    /// [`Bounds::node`], cut off.
    pub fn cap(self, q: i32) -> i64 {
        cut(self.node(q))
    }

    /// [`Bounds::leaf`], cut off.
    pub fn leaf_cap(self, q: i32) -> i64 {
        cut(self.leaf(q))
    }

    /// [`Bounds::irreducibility`], cut off.
    pub fn need(self, q: i32) -> i64 {
        cut(self.irreducibility(q))
    }

    fn exponent(self, q: i32) -> u32 {
        u32::try_from(self.ambient - q).expect("the ambient dimension bounds every dimension")
    }
}

fn cut(bound: u128) -> i64 {
    i64::try_from(bound).unwrap_or(i64::MAX).min(i64::MAX / 4)
}
