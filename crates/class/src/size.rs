//! How large a class may be. Sizes are checked before anything is allocated.

use littlestone_base::error::{Error, Result};

/// Greatest number of hypotheses of a class.
pub const MAX_HYPOTHESES: usize = 1 << 24;

/// Greatest number of points of a class.
pub const MAX_POINTS: usize = 1 << 20;

/// Greatest number of labels of a class, |H|·|X|: 256 MiB at one bit each.
pub const MAX_CELLS: u128 = 1 << 31;

/// Accepts a class of `hypotheses` × `points` when this program handles such a size.
///
/// # Errors
/// [`Error::TooLarge`] with the exact size, about `what`.
pub fn check(what: &str, hypotheses: u128, points: u128) -> Result<()> {
    let too_large =
        |size: String, limit: String| Error::TooLarge { what: what.to_owned(), size, limit };
    if hypotheses > MAX_HYPOTHESES as u128 {
        return Err(too_large(
            format!("{hypotheses} hypotheses"),
            format!("{MAX_HYPOTHESES} hypotheses"),
        ));
    }
    if points > MAX_POINTS as u128 {
        return Err(too_large(format!("{points} points"), format!("{MAX_POINTS} points")));
    }
    let cells = hypotheses * points;
    if cells > MAX_CELLS {
        return Err(too_large(
            format!("{hypotheses} hypotheses × {points} points = {cells} labels"),
            format!("{MAX_CELLS} labels"),
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limits_themselves_are_allowed_and_one_more_is_not() {
        assert_eq!(check("c", 1 << 24, 1 << 7), Ok(()));
        assert_eq!(check("c", 1 << 11, 1 << 20), Ok(()));
        let text = |h, x| check("c", h, x).unwrap_err().to_string();
        assert_eq!(
            text((1 << 24) + 1, 1),
            "c has 16777217 hypotheses, more than the limit of 16777216 hypotheses"
        );
        assert_eq!(
            text(1, (1 << 20) + 1),
            "c has 1048577 points, more than the limit of 1048576 points"
        );
        assert_eq!(
            text((1 << 11) + 1, 1 << 20),
            "c has 2049 hypotheses × 1048576 points = 2148532224 labels, \
             more than the limit of 2147483648 labels"
        );
        assert_eq!(
            text(u128::MAX, u128::MAX),
            format!("c has {} hypotheses, more than the limit of 16777216 hypotheses", u128::MAX)
        );
    }
}
