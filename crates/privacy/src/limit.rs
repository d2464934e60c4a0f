//! The number of streams beyond which no question is asked.

use super::question::check_rounds;
use littlestone_base::error::{Error, Result};
use littlestone_exact::limits::Stopped;

/// More streams than this power of two are not looked at.
const MAX_STREAMS_LOG2: u32 = 48;

/// Checks that there are at most 2^48 streams of `rounds` rounds over `records` records.
///
/// # Errors
/// [`Error::Limit`] when there are more: the question has an answer, but it is not looked for. A
/// number of rounds that no question may be about is a fault of the input.
pub fn check_streams(records: usize, rounds: usize) -> Result<()> {
    check_rounds(rounds)?;
    let exponent = u32::try_from(rounds).unwrap_or(u32::MAX);
    if u64::try_from(records)
        .ok()
        .and_then(|records| records.checked_pow(exponent))
        .is_some_and(|streams| streams <= 1 << MAX_STREAMS_LOG2)
    {
        return Ok(());
    }
    Err(Error::Limit {
        stopped: Stopped::Size,
        message: format!(
            "the set of all streams of {rounds} rounds has {records}^{rounds} members, more than \
             the limit of 2^{MAX_STREAMS_LOG2}"
        ),
        help: "look at fewer rounds, or at fewer records".into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_itself_is_allowed() {
        assert!(check_streams(2, 48).is_ok());
        assert!(check_streams(1, 256).is_ok());
        assert!(matches!(check_streams(2, 49), Err(Error::Limit { .. })));
        assert!(matches!(check_streams(usize::MAX, 2), Err(Error::Limit { .. })));
        assert!(matches!(check_streams(1, 257), Err(Error::Argument { .. })));
    }
}
