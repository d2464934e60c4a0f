//! How large a program is, before anything is allocated for it.

use super::game::Game;
use littlestone_base::error::{Error, Result};
use littlestone_exact::limits::Stopped;
use littlestone_privacy::Notion;

/// The size of the program of a game, before symmetries are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Pairs of a history of the last round and a word of T outputs.
    pub probabilities: usize,
    /// Constraints of privacy: a view for each ordered pair of neighbouring histories.
    pub constraints: usize,
    /// Streams of T examples.
    pub streams: usize,
}

impl Size {
    /// Greatest number of constraints, divided by that of the symmetries, without `--limit-states`.
    pub const CONSTRAINTS: usize = 150_000;
    /// Greatest number of probabilities and of streams, whatever the limit is.
    pub const TABLE: usize = 1 << 22;

    /// The size for a game; `None` if it does not fit in 64 bits.
    pub fn of(game: &Game) -> Option<Self> {
        let rounds = u32::try_from(game.rounds()).ok()?;
        let examples = game.examples();
        let streams = examples.checked_pow(rounds)?;
        // Pairs of an example (a point, in the last round) and an output.
        let (each, last) = match game.notion() {
            Notion::Whole => (examples.checked_mul(game.outputs())?, game.outputs()),
            Notion::Joint => {
                let constant = usize::from(game.constant().is_some());
                let n = game.columns().len();
                (4 * n + constant, 2 * n + constant)
            }
        };
        let before = each.checked_pow(rounds - 1)?;
        let probabilities = before.checked_mul(last)?;
        // In the round that differs, a joint view has no output.
        let constraints = match rounds.checked_sub(2) {
            None => 0,
            Some(others) => {
                let differing = match game.notion() {
                    Notion::Whole => each.checked_mul(examples - 1)?,
                    Notion::Joint => examples.checked_mul(examples - 1)?,
                };
                each.checked_pow(others)?
                    .checked_mul(differing)?
                    .checked_mul(game.rounds() - 1)?
                    .checked_mul(last)?
            }
        };
        Some(Self { probabilities, constraints, streams })
    }

    /// Refuses a game whose program is too large, before anything is allocated for it. `limit` is
    /// the greatest number of constraints, divided by that of the symmetries;
    /// [`Size::CONSTRAINTS`] by default.
    ///
    /// # Errors
    /// A limit, with the size.
    pub fn admit(game: &Game, symmetries: usize, limit: Option<u64>) -> Result<()> {
        let limit =
            limit.map_or(Self::CONSTRAINTS, |limit| usize::try_from(limit).unwrap_or(usize::MAX));
        let size = Self::of(game);
        let fits = |size: Self| {
            size.probabilities <= Self::TABLE
                && size.streams <= Self::TABLE
                && size.constraints / symmetries <= limit
        };
        if size.is_some_and(fits) {
            return Ok(());
        }
        let shown = match size {
            None => "more than 2^64 probabilities or constraints".to_owned(),
            Some(size) => format!(
                "{} probabilities and {} constraints of privacy, up to {symmetries} symmetries",
                size.probabilities, size.constraints
            ),
        };
        Err(Error::Limit {
            stopped: Stopped::Size,
            message: format!("the program of {} rounds has {shown}", game.rounds()),
            help: format!(
                "fewer rounds, or --limit-states above {limit} constraints for each symmetry (and at \
                 most {} probabilities)",
                Self::TABLE
            ),
        })
    }
}
