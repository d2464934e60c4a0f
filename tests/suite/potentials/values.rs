//! Values from a second program, which lists streams and outputs with rational numbers.

use littlestone::exact::{Epsilon, Number};
use littlestone::limits::{Limits, Meter, Progress};
use littlestone::potentials::{Extras, Potentials, potentials};

use super::{learner, number, thirds};

fn found(text: &str, rounds: usize, p: &str, epsilon: &str) -> Potentials {
    let epsilon: Epsilon = epsilon.parse().unwrap();
    let automaton = learner(text, rounds);
    potentials(&automaton, &thirds(rounds, p), &epsilon, Extras::default(), &mut Meter::default())
        .unwrap()
}

/// I, W, D and the greatest error of (5) for some choices of thirds.
#[test]
fn potentials_of_known_learners() {
    let check = |of: &Potentials, thirds: &[u8], expected: [&str; 3]| {
        let choice = of.stages[thirds.len()].iter().find(|c| c.thirds == thirds).unwrap();
        let ratios = &choice.ratios;
        let found = [choice.information(), ratios.variance.clone(), ratios.difference.clone()];
        assert_eq!(found, expected.map(number), "{thirds:?}");
        ratios.errors.iter().max().unwrap().clone()
    };
    let even = found("absorbing:E=9/8,beta=1/8", 3, "1", "ln(9/8)");
    assert!(check(&even, &[], ["0", "1/13005", "1/2890"]).is_zero());
    check(&even, &[2], ["1/2312", "0", "0"]);
    assert!(even.delta(1).is_zero());
    let even = found("absorbing:E=9/8,beta=1/8", 9, "1", "ln(9/8)");
    check(
        &even,
        &[2],
        [
            "705077731/2404913106960",
            "8141986819376882227859221808959699053899085075/\
             187880225133401691895421739245265781931318172714368",
            "5656910364092663452859915605008119827488422445/\
             34160040933345762162803952590048323987512395038976",
        ],
    );
    let uneven = found("absorbing:E=9/8,beta=1/6,form=uneven", 3, "1/100", "ln(9/8)");
    check(&uneven, &[], ["0", "7/27648", "7/6144"]);
    check(&uneven, &[2], ["1/11520000", "0", "0"]);
    let soa = found("soa-learner", 9, "1/2", "ln(9/8)");
    assert_eq!(check(&soa, &[], ["0", "4/6561", "1/1458"]), number("17/18"));
    assert_eq!(check(&soa, &[2], ["7/15", "0", "0"]), number("17/36"));
    assert_eq!(check(&soa, &[3], ["0", "1/729", "1/162"]), number("17/18"));
    assert_eq!(check(&soa, &[2, 2], ["13/15", "0", "0"]), number("17/72"));
    assert!(soa.delta(2).is_one());
    let shame = found("subsampled-soa-learner:gamma=1/8", 3, "1", "ln(9/8)");
    assert_eq!(check(&shame, &[], ["0", "1643/995328", "4481/663552"]), number("647/9216"));
    check(&shame, &[2], ["2/15", "0", "0"]);
    assert_eq!(shame.delta(1), number("1/8"));
}

/// Where e^ε is no rational number, the potentials are polynomials in it. By hand for the SOA,
/// T = 3, p = 1, whose ratios are e^(−ε) on the only history without insertion where the bit
/// after the insertion changes: given B = 0 an insertion in round 1 or 2 shows (the SOA says 0
/// at once on {2, 3} but 1 on {1, 2}, so one of the two labels shows), in round 3 it does not.
#[test]
fn ratios_are_clipped_at_powers_of_e() {
    let at = |epsilon: &str| found("soa-learner", 3, "1", epsilon).stages[0][0].ratios.clone();
    let found = at("1/100");
    let down: Epsilon = "1/100".parse().unwrap();
    let down = Number::one().checked_div(&down.factor()).unwrap();
    let gap = &Number::one() - &down;
    // At ln(9/8) the reference has W = 1/729 and D = 1/162, that is (1/9)² times 1/9 and 1/2.
    let square = &gap * &gap;
    assert_eq!(found.variance, &square * &number("1/9"));
    assert_eq!(found.difference, &square * &number("1/2"));
}

/// Who watches sees the beliefs that are moved, and the choices of thirds that are done.
#[test]
fn work_is_seen() {
    let progress = Progress::default();
    let mut meter = Meter::new(&Limits::default(), &progress);
    let epsilon: Epsilon = "ln(9/8)".parse().unwrap();
    let automaton = learner("absorbing:E=9/8,beta=1/8", 9);
    potentials(&automaton, &thirds(9, "1"), &epsilon, Extras::default(), &mut meter).unwrap();
    assert_eq!(progress.parts(), 1 + 3 + 9);
    let limits = Limits { states: Some(progress.states() - 1), ..Limits::default() };
    let mut meter = Meter::new(&limits, &progress);
    let extras = Extras::default();
    assert!(potentials(&automaton, &thirds(9, "1"), &epsilon, extras, &mut meter).is_err());
}

/// Few beliefs differ for absorbing learners: 27 rounds take no time, and every choice of the last
/// stage is there.
#[test]
fn absorbing_learners_reach_27_rounds() {
    let long = found("absorbing:E=9/8,beta=1/8", 27, "1/2", "ln(9/8)");
    assert_eq!(long.stages.iter().map(Vec::len).collect::<Vec<_>>(), [1, 3, 9, 27]);
    assert!(long.delta(3).is_zero());
    // The thirds 1 and 3 leave the stream as it is, and W splits as the proof has it.
    for choice in long.stages[..3].iter().flatten() {
        let next = long.next(choice);
        assert_eq!(next[0].ratios.variance, choice.ratios.within[0]);
        assert_eq!(next[2].ratios.variance, choice.ratios.within[2]);
    }
    assert!(long.mean(3, littlestone::potentials::Choice::information).signum() > 0);
}
