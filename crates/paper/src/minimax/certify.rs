//! Certificates of the kind `minimax`.

use std::collections::BTreeSet;

use num_traits::Zero;

use super::adversary::Adversary;
use super::game::{Game, Neighbours};
use super::learner::Learner;
use super::orbits::Symmetry;
use super::solve::{Bounds, Privacy};
use littlestone_checker::format;
use littlestone_class::Class;
use littlestone_exact::limits::Limits;
use littlestone_exact::{Epsilon, rational};
use littlestone_privacy::Notion;

/// The certificate of the bounds of a game. Rows that the symmetries of `group` make alike are
/// written once, unless the proofs are not symmetric themselves, or a limit is hit before that is
/// known.
#[expect(clippy::too_many_arguments, reason = "what is certified, and within which limits")]
pub fn certificate(
    class: &Class,
    source: &str,
    game: &Game,
    group: &[Symmetry],
    epsilon: &Epsilon,
    privacy: &Privacy,
    bounds: &Bounds,
    limits: &Limits,
) -> format::Minimax {
    let (adversary, learner) = (&bounds.lower.adversary, &bounds.upper.learner);
    let symmetric = is_symmetric(game, group, learner, limits) && invariant(game, group, adversary);
    let identity = group.iter().take(1);
    let group: Vec<&Symmetry> = if symmetric { group.iter().collect() } else { identity.collect() };
    format::Minimax {
        format: format::FORMAT,
        kind: format::MINIMAX.to_owned(),
        producer: format::producer(),
        source: source.to_owned(),
        points: class.point_names().to_vec(),
        hypotheses: (0..class.hypotheses()).map(|h| class.labels(h)).collect(),
        notion: match game.notion() {
            Notion::Whole => "whole".to_owned(),
            Notion::Joint => "joint".to_owned(),
        },
        streams: match game.neighbours() {
            Neighbours::All => "all".to_owned(),
            Neighbours::Realisable => "realisable".to_owned(),
        },
        rounds: game.rounds(),
        epsilon: epsilon.to_string(),
        delta: rational::show(&privacy.delta),
        columns: game.columns().to_vec(),
        constant: game.constant(),
        symmetries: group
            .iter()
            .map(|symmetry| {
                let flips = symmetry.flips.iter().map(|&flip| u8::from(flip)).collect();
                format::SymmetryRow(symmetry.to.clone(), flips)
            })
            .collect(),
        claim: format::MinimaxClaim {
            at_least: Some(rational::show(&bounds.lower.bound)),
            at_most: Some(rational::show(&bounds.upper.bound)),
        },
        lower: Some(lower(game, &group, privacy, adversary)),
        upper: Some(upper(game, &group, privacy, learner)),
    }
}

/// What a view of a pair of histories is called: the pair, and the first word of the view.
type Name = (usize, usize, usize);

fn image(game: &Game, symmetry: &Symmetry, name: Name, round: usize) -> Name {
    let rounds = game.rounds();
    let (first, second, word) = name;
    let word = symmetry.word(game, rounds, first, word);
    let word = match game.notion() {
        Notion::Whole => word,
        // The output of the differing round is not seen: 0 stands for it.
        Notion::Joint => {
            let place = 1 << (rounds - 1 - round);
            word - word / place % 2 * place
        }
    };
    (symmetry.history(game, rounds, first), symmetry.history(game, rounds, second), word)
}

/// The multipliers with the names of their views.
fn named<'a>(
    game: &'a Game,
    adversary: &'a Adversary,
) -> impl Iterator<Item = (Name, usize, &'a super::adversary::Multiplier)> {
    adversary.multipliers.chunk_by(|a, b| (a.first, a.second) == (b.first, b.second)).flat_map(
        move |pair| {
            let views = game.views(pair[0].first, pair[0].second, pair[0].round);
            let name = |m: &super::adversary::Multiplier| views[m.view][0][0];
            let named = pair.iter().map(|m| ((m.first, m.second, name(m)), m.round, m));
            named.collect::<Vec<_>>()
        },
    )
}

fn lower(
    game: &Game,
    group: &[&Symmetry],
    privacy: &Privacy,
    adversary: &Adversary,
) -> format::Adversary {
    let rounds = game.rounds();
    let least = |stream: &[usize]| {
        let image = |s: &&Symmetry| stream.iter().map(|&e| s.example(e)).collect::<Vec<_>>();
        group.iter().map(image).min().is_some_and(|least| least == stream)
    };
    let streams = adversary.streams.iter().filter(|(stream, _)| least(stream));
    let multipliers = named(game, adversary).filter(|&(name, round, _)| {
        group.iter().map(|symmetry| image(game, symmetry, name, round)).min() == Some(name)
    });
    format::Adversary {
        factor: rational::show(&privacy.high),
        denominator: adversary.denominator.to_string(),
        streams: streams
            .map(|(stream, n)| format::WeightedStream(stream.clone(), n.to_string()))
            .collect(),
        multipliers: multipliers
            .map(|((first, second, word), round, multiplier)| {
                let outputs = game.spell(first, word).into_iter().enumerate();
                let dropped = |r: usize| game.notion() == Notion::Joint && r == round;
                format::Multiplier(
                    game.history(rounds, first),
                    game.history(rounds, second),
                    outputs.map(|(r, output)| (!dropped(r)).then_some(output)).collect(),
                    multiplier.numerator.to_string(),
                )
            })
            .collect(),
    }
}

fn upper(
    game: &Game,
    group: &[&Symmetry],
    privacy: &Privacy,
    learner: &Learner,
) -> format::Learner {
    let rounds = game.rounds();
    let mut outputs = Vec::new();
    for history in 0..game.histories(rounds).expect("the size was checked") {
        for word in game.words_of(rounds, history) {
            let numerator = learner.numerator(history, word);
            let image = |symmetry: &&Symmetry| {
                let word = symmetry.word(game, rounds, history, word);
                (symmetry.history(game, rounds, history), word)
            };
            if !numerator.is_zero() && group.iter().map(image).min() == Some((history, word)) {
                outputs.push(format::OutputRow(
                    game.history(rounds, history),
                    game.spell(history, word),
                    numerator.to_string(),
                ));
            }
        }
    }
    format::Learner {
        factor: rational::show(&privacy.low),
        denominator: learner.denominator().to_string(),
        outputs,
    }
}

fn is_symmetric(game: &Game, group: &[Symmetry], learner: &Learner, limits: &Limits) -> bool {
    let rounds = game.rounds();
    (0..game.histories(rounds).expect("the size was checked")).all(|history| {
        game.words_of(rounds, history).into_iter().all(|word| {
            limits.check().is_ok()
                && group.iter().all(|symmetry| {
                    let to = symmetry.history(game, rounds, history);
                    let image = symmetry.word(game, rounds, history, word);
                    learner.numerator(history, word) == learner.numerator(to, image)
                })
        })
    })
}

fn invariant(game: &Game, group: &[Symmetry], adversary: &Adversary) -> bool {
    let streams: BTreeSet<_> = adversary.streams.iter().cloned().collect();
    let named: Vec<_> = named(game, adversary).collect();
    let numerators: BTreeSet<_> = named.iter().map(|(name, _, m)| (*name, &m.numerator)).collect();
    group.iter().all(|symmetry| {
        streams.iter().all(|(stream, weight)| {
            let image = stream.iter().map(|&e| symmetry.example(e)).collect();
            streams.contains(&(image, weight.clone()))
        }) && named.iter().all(|(name, round, m)| {
            numerators.contains(&(image(game, symmetry, *name, *round), &m.numerator))
        })
    })
}
