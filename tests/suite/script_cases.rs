//! Scripts that once gave a wrong answer in silence, and the right ones.

use std::collections::BTreeMap;
use std::fs;

use crate::support::program::littlestone;

/// The total variation distance of the laws of `k` independent sums of noisy bits, each flipped with
/// probability 1/4, in units of 4^(-3k): by enumeration of all coins.
fn distance(left: [u64; 3], right: [u64; 3], runs: u32) -> u64 {
    let law = |bits: [u64; 3]| {
        let mut law: BTreeMap<Vec<u64>, u64> = BTreeMap::from([(Vec::new(), 1)]);
        for _ in 0..runs {
            let mut next = BTreeMap::new();
            for (sums, weight) in law {
                for coins in 0..8u64 {
                    let flips = [coins & 1, coins >> 1 & 1, coins >> 2];
                    let sum = bits.iter().zip(flips).map(|(bit, flip)| bit ^ flip).sum();
                    let weight = weight * 3u64.pow(3 - coins.count_ones());
                    *next.entry([sums.clone(), vec![sum]].concat()).or_default() += weight;
                }
            }
            law = next;
        }
        law
    };
    let (left, right) = (law(left), law(right));
    left.iter()
        .map(|(sums, weight)| weight.saturating_sub(right.get(sums).copied().unwrap_or(0)))
        .sum()
}

/// The row `compose:of=(shuffled.rhai:p=1/4),k=2`: the greatest distance over neighbouring triples.
#[test]
fn a_script_within_another_mechanism_takes_parameters() {
    let triples = || (0..8u64).map(|t| [t & 1, t >> 1 & 1, t >> 2]);
    let greatest = triples().flat_map(|left| {
        triples()
            .filter(move |right| left.iter().zip(right).filter(|(a, b)| a != b).count() == 1)
            .map(move |right| distance(left, right, 2))
    });
    // In units of 4^-6; the value that the claims in checks/former-bugs name.
    assert_eq!(greatest.max(), Some(207 * 8));
    let script = "checks/former-bugs/shuffled.rhai";
    for mechanism in [
        format!("compose:of=({script}:p=1/4),k=2"),
        format!("compose:k=2,of={script}:p=1/4"),
        format!("compose:of=({script}),k=2"),
        format!("compose:of=@{script},k=2"),
        format!("compose:of={script}"),
    ] {
        let output =
            littlestone(&["verify", &mechanism, "--rounds", "3", "--epsilon", "0"]).output();
        let text = String::from_utf8(output.expect("runs").stdout).expect("UTF-8");
        assert!(text.contains("207/512"), "{mechanism}: {text}");
    }
    // Parameters of both, and a script two mechanisms deep.
    let nested = format!("event-of:of=(compose:of=({script}:p=1/2,n=3),k=2),output=0:2");
    let output = littlestone(&["show", &nested]).output().expect("runs");
    let text = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(!text.contains("No such file"), "{text}");
}

/// The row `erm.rhai`: an error at the comparison, in place of `holds`.
#[test]
fn a_comparison_across_types_is_an_error_at_its_line() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("erm.rhai");
    let script =
        include_str!("../../checks/former-bugs/erm.rhai").replace("labels(\"100\")", "\"100\"");
    let line = 1 + script.lines().position(|line| line.contains("!=")).expect("a comparison");
    fs::write(&path, script).expect("written");
    let name = path.display().to_string();
    let arguments = ["--class", "point:3", "--rounds", "2", "--epsilon", "0", "--delta", "0"];
    let output =
        littlestone(&[&["verify", name.as_str()][..], &arguments].concat()).output().expect("runs");
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stderr).expect("UTF-8");
    let place = format!("{name}:{line}:45: expected two values of one type to compare");
    assert!(text.contains(&place) && text.contains("found a string and a number"), "{text}");
    assert!(output.stdout.is_empty());
}
