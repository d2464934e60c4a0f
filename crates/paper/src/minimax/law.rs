//! Whom the learner plays against: the worst stream, or a law over streams that is given.

use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive};

use super::game::Game;
use super::orbits::Symmetry;
use littlestone_base::error::{Error, Result};
use littlestone_exact::{BigInt, Rational};

/// Where the stream comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Against {
    /// The worst realisable one.
    Worst,
    /// One drawn from a law: the value is that of a best response.
    Law(Law),
}

/// A law over realisable streams of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Law {
    denominator: i64,
    /// Distinct streams with positive numerators, sorted.
    streams: Vec<(Vec<usize>, i64)>,
}

impl Law {
    /// The law with these probabilities, which sum to 1; streams may be listed twice.
    ///
    /// # Errors
    /// When a stream is not realisable or has another length than the game, or a weight is
    /// negative, or they do not sum to 1, or their denominators do not fit.
    pub fn new(game: &Game, weights: &[(Vec<usize>, Rational)]) -> Result<Self> {
        let mut denominator = BigInt::one();
        for (_, weight) in weights {
            denominator = denominator.lcm(weight.denom());
        }
        let small = |n: &BigInt| n.to_i64().filter(|n| n.abs() < 1 << 40);
        let too_fine = || Error::argument("expected a law whose common denominator is below 2^40");
        let mut streams = Vec::new();
        for (stream, weight) in weights {
            if stream.len() != game.rounds() || !game.is_realisable(stream) {
                return Err(Error::argument(format!(
                    "expected a law over realisable streams of {} examples",
                    game.rounds()
                )));
            }
            let numerator = weight.numer() * (&denominator / weight.denom());
            let numerator = small(&numerator).ok_or_else(too_fine)?;
            if numerator < 0 {
                return Err(Error::argument("expected weights of at least 0"));
            }
            streams.push((stream.clone(), numerator));
        }
        let denominator = small(&denominator).ok_or_else(too_fine)?;
        if streams.iter().map(|(_, n)| n).sum::<i64>() != denominator {
            return Err(Error::argument("expected weights that sum to 1"));
        }
        streams.sort();
        streams.dedup_by(|later, earlier| {
            let same = later.0 == earlier.0;
            if same {
                earlier.1 += later.1;
            }
            same
        });
        streams.retain(|(_, n)| *n > 0);
        Ok(Self { denominator, streams })
    }

    /// The common denominator.
    pub fn denominator(&self) -> i64 {
        self.denominator
    }

    /// The streams with the numerators of their probabilities.
    pub fn streams(&self) -> &[(Vec<usize>, i64)] {
        &self.streams
    }

    /// The symmetries that keep the law, of a group.
    pub fn stabiliser(&self, group: &[Symmetry]) -> Vec<Symmetry> {
        let keeps = |symmetry: &&Symmetry| {
            let image = |(stream, n): &(Vec<usize>, i64)| {
                (stream.iter().map(|&e| symmetry.example(e)).collect::<Vec<_>>(), *n)
            };
            let mut images: Vec<_> = self.streams.iter().map(image).collect();
            images.sort();
            images == self.streams
        };
        group.iter().filter(keeps).cloned().collect()
    }
}
