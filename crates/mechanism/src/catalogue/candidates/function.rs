//! Functions on the domain, as labels in point order.

use std::fmt;
use std::sync::Arc;

/// A function X → {0,1}. It need not belong to the class.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Function(Arc<str>);

impl Function {
    /// The function with these labels, in point order; nothing when one is not 0 or 1.
    pub fn new(labels: &str) -> Option<Self> {
        labels.bytes().all(|label| label == b'0' || label == b'1').then(|| Self(labels.into()))
    }

    /// The function that is 0 at each of so many points.
    pub fn zero(points: usize) -> Self {
        Self("0".repeat(points).into())
    }

    /// Its label at a point.
    ///
    /// # Panics
    /// When there is no such point.
    pub fn label(&self, point: usize) -> bool {
        self.0.as_bytes()[point] == b'1'
    }

    /// Its labels in point order.
    pub fn labels(&self) -> &str {
        &self.0
    }

    /// The number of rounds of the stream on which it is wrong, M(h; S).
    ///
    /// # Panics
    /// When a point of the stream is not in its domain.
    pub fn mistakes(&self, stream: &[(usize, bool)]) -> usize {
        stream.iter().filter(|&&(x, y)| self.label(x) != y).count()
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
