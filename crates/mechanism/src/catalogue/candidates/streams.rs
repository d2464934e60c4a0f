//! Streams of labelled examples of one length.

use itertools::Itertools;

use littlestone_base::error::{Error, Result};
use littlestone_class::Class;

/// A stream: points by number, with labels.
pub type Stream = Vec<(usize, bool)>;

/// The greatest number of streams of one length.
const MOST: usize = 1 << 20;

/// All streams of so many rounds over the points of a class, in lexicographic order; only those that
/// some hypothesis fits, if `realisable`.
///
/// # Errors
/// When there are more than 2^20 streams.
pub fn streams(class: &Class, rounds: usize, realisable: bool) -> Result<Vec<Stream>> {
    let records = 2 * class.points();
    let count = u32::try_from(rounds).ok().and_then(|rounds| records.checked_pow(rounds));
    if count.is_none_or(|count| count > MOST) {
        return Err(Error::TooLarge {
            what: format!("the set of streams of {rounds} rounds"),
            size: format!("{records}^{rounds} streams"),
            limit: format!("{MOST} streams"),
        });
    }
    if rounds == 0 {
        return Ok(vec![Vec::new()]);
    }
    let examples = (0..class.points()).flat_map(|x| [(x, false), (x, true)]).collect_vec();
    let all = (0..rounds).map(|_| examples.iter().copied()).multi_cartesian_product();
    Ok(all.filter(|stream| !realisable || fits(class, stream)).collect())
}

/// Whether some hypothesis makes no mistake.
pub fn fits(class: &Class, stream: &[(usize, bool)]) -> bool {
    (0..class.hypotheses()).any(|h| stream.iter().all(|&(x, y)| class.label(h, x) == y))
}
