//! What holds for every family: sizes, refusals, messages.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

use itertools::Itertools;
use littlestone_properties::config;
use num_bigint::BigUint;
use proptest::prelude::*;

use super::testing::class;
use super::{Error, all, exists, generate, generate_within, names, size, size_is_exact};
use littlestone_base::limits::{Gauge, Limits, Memory, Stopped};

fn message(spec: &str) -> String {
    let (name, args) = spec.split_once(':').unwrap_or((spec, ""));
    generate(name, args).expect_err(spec).to_string()
}

/// Small argument lists for a family: all combinations of small values.
fn small_arguments(count: usize) -> Vec<String> {
    let choices = std::iter::repeat_n(0..=4u32, count).multi_cartesian_product();
    choices.map(|list| list.iter().join(",")).collect()
}

#[test]
fn sizes_agree_with_what_is_generated() {
    let mut compared = BTreeSet::new();
    for family in all() {
        let lists = (0..=7u32).map(|n| n.to_string()).collect::<Vec<_>>();
        let lists = if family.parameters.len() == 1 {
            lists
        } else {
            small_arguments(family.parameters.len())
        };
        for args in lists {
            let Ok((hypotheses, points)) = size(family.name, &args) else {
                assert!(matches!(generate(family.name, &args), Err(Error::Argument { .. })));
                continue;
            };
            if &hypotheses * &points > BigUint::from(1u32 << 22) {
                continue;
            }
            let class = generate(family.name, &args).expect("size() accepted the arguments");
            let exact = size_is_exact(family.name, &args).expect("accepted before");
            let spec = format!("{}:{args}", family.name);
            assert_eq!(BigUint::from(class.points()), points, "{spec}");
            if exact {
                assert_eq!(BigUint::from(class.hypotheses()), hypotheses, "{spec}");
            } else {
                assert!(BigUint::from(class.hypotheses()) <= hypotheses, "{spec}");
                assert!(class.hypotheses() > 0, "{spec}");
            }
            let distinct: BTreeSet<_> = (0..class.hypotheses()).map(|h| class.row(h)).collect();
            assert_eq!(distinct.len(), class.hypotheses(), "{spec} repeats a row");
            let named: BTreeSet<_> = class.point_names().iter().collect();
            assert_eq!(named.len(), class.points(), "{spec} repeats the name of a point");
            compared.insert(family.name);
        }
    }
    assert_eq!(compared, names().collect());
}

#[test]
fn sizes_from_the_literature() {
    // Cover's count, OEIS A000609 and A000372, binomial sums, q² + q + 1, …; the sizes of
    // experiments on these classes were found by two independent programs.
    for (spec, hypotheses, points) in [
        ("threshold:4096", 4097u32, 4096u32),
        ("interval:16", 137, 16),
        ("interval:256", 32_897, 256),
        ("box:5,5", 226, 25),
        ("subsets:16,8", 12_870, 16),
        ("ball:24,2", 301, 24),
        ("ball:12,3", 299, 12),
        ("ball:6,2", 22, 6),
        ("xor-intervals:16", 2517, 16),
        ("xor-intervals:24", 12_951, 24),
        ("xor-intervals:32", 41_449, 32),
        // All of C(24,0) + … + C(24,4): as many as unions of two runs of 24 points.
        ("xor-thresholds:24,4", 12_951, 24),
        ("projective-plane:7", 57, 57),
        ("affine-subspaces:4,2", 140, 16),
        ("permutation:7", 5040, 49),
        ("juntas:3,5", 2292, 32),
        ("monotone:5", 7581, 32),
        ("monotone:6", 7_828_354, 64),
        ("threshold-function:5", 94_572, 32),
        ("threshold-function:6", 15_028_134, 64),
        ("decision-list:4", 1050, 16),
        ("conjunction:4", 82, 16),
        // OEIS A114043, twice.
        ("halfplane:5", 402, 25),
        ("halfplane:6", 838, 36),
        ("halfplane:7", 1498, 49),
        ("parity:11", 2048, 2048),
    ] {
        let (name, args) = spec.split_once(':').expect("a specification");
        let expected = (BigUint::from(hypotheses), BigUint::from(points));
        assert_eq!(size(name, args), Ok(expected), "{spec}");
    }
    // Classes of moderate size are generated too.
    for (spec, hypotheses) in [
        ("xor-intervals:24", 12_951),
        ("halfplane:7", 1498),
        ("affine-subspaces:4,2", 140),
        ("subsets:16,8", 12_870),
    ] {
        assert_eq!(class(spec).hypotheses(), hypotheses, "{spec}");
    }
}

#[test]
fn large_classes_are_refused_in_one_line() {
    assert_eq!(
        message("cube:60"),
        "cube:60 has 2^60 = 1152921504606846976 hypotheses on 60 points, more than the limit of \
         16777216 hypotheses"
    );
    // 40! from the recurrence, by a second program.
    assert_eq!(
        message("permutation:40"),
        "permutation:40 has 40! = 815915283247897734345611269596115894272000000000 hypotheses on \
         40^2 = 1600 points, more than the limit of 16777216 hypotheses"
    );
    assert!(message("monotone:9").contains("M(9) = 286386577668298411128469151667598498812366"));
    assert!(message("monotone:10").contains("at most 2^(2^10) hypotheses on 2^10 = 1024 points"));
    assert!(message("threshold:65536").contains("more than the limit of 2147483648 labels"));
    assert!(message("constants:1000000000").contains("more than the limit of 1048576 points"));
    for spec in [
        "cube:100000",
        "cube:18446744073709551615",
        "parity:18446744073709551615",
        "permutation:18446744073709551615",
        "monotone:18446744073709551615",
        "threshold-function:18446744073709551615",
        "decision-list:18446744073709551615",
        "interval:18446744073709551615",
        "xor-intervals:18446744073709551615",
        "subsets:18446744073709551615,9223372036854775807",
        "ball:18446744073709551615,18446744073709551614",
        "juntas:18446744073709551614,18446744073709551615",
        "dnf:18446744073709551615,18446744073709551615",
        "affine-subspaces:18446744073709551615,9223372036854775807",
        "box:18446744073709551615,18446744073709551615",
        "addressing:18446744073709551615",
        "tagged-singletons:18446744073709551615",
        "tree-paths:18446744073709551615",
        "random:18446744073709551615,1,0",
        "sparse:18446744073709551615,1,50,0",
        "balls:18446744073709551615,3,18446744073709551615,0",
        "halfspace-points:32768,6,0",
        "projective-plane:65536",
        "halfplane:1024",
    ] {
        let message = message(spec);
        assert!(message.contains(" has ") && message.contains("limit of"), "{spec}: {message}");
        assert!(message.len() < 300, "{spec}: {message}");
    }
}

#[test]
fn bad_arguments_say_what_is_expected() {
    assert_eq!(
        message("cube:abc"),
        "`cube`: expected n to be a whole number of at least 1, found `abc`\n  \
         help: `cube` takes n ≥ 1; for example `cube:4`"
    );
    assert_eq!(
        message("subsets:3"),
        "`subsets`: expected 2 arguments, found 1\n  \
         help: `subsets` takes n,k with n ≥ 1 and 0 ≤ k ≤ n; for example `subsets:8,2`"
    );
    assert!(message("cube").starts_with("`cube`: expected 1 argument, found 0"));
    assert!(
        message("subsets:3,4").starts_with("`subsets`: expected k to be at most n = 3, found `4`")
    );
    assert!(message("projective-plane:6").contains("expected q to be a prime power, found `6`"));
    assert!(message("paley:8").contains("expected q to be an odd prime power, found `8`"));
    assert!(message("sparse:3,3,101,1").contains("percent to be a whole number from 0 to 100"));
    assert!(message("cube:99999999999999999999").contains("beyond 64 bits"));
    for bad in ["cube:", "cube:-1", "cube:+1", "cube:1.5", "cube:0", "cube:1,", "cube:１"] {
        assert!(message(bad).contains("for example `cube:4`"), "{bad}");
    }
    assert_eq!(generate("subsets", " 3, 2 "), generate("subsets", "3,2"));
}

#[test]
fn unknown_names_get_a_suggestion() {
    assert!(exists("threshold") && !exists("thresold"));
    assert_eq!(
        message("thresold:4"),
        "no family of classes is called `thresold`\n  help: did you mean `threshold`? \
         `littlestone list families` shows all of them"
    );
    assert!(!message("something-else:4").contains("did you mean"));
    assert!(message(&"x".repeat(1 << 20)).len() < 300);
    assert_eq!(message("a\nb").lines().count(), 2, "the message and its help");
}

#[test]
fn descriptions_are_complete() {
    assert_eq!(names().collect::<BTreeSet<_>>().len(), all().len(), "names are distinct");
    for family in all() {
        let (name, args) = family.example.split_once(':').expect("an example with arguments");
        assert_eq!(name, family.name);
        assert!(generate(name, args).is_ok(), "{}", family.example);
        for text in [family.arguments, family.summary, family.size, family.dimension] {
            assert!(!text.is_empty() && !text.contains("  "), "{}: {text}", family.name);
        }
        let listed: Vec<&str> = family.parameters.iter().map(|p| p.name).collect();
        let start = family.arguments.split([' ', ';']).next().unwrap_or("").trim_end_matches(',');
        assert_eq!(start, listed.join(","), "{}", family.name);
        assert!(family.size.contains(" × "), "{}", family.name);
    }
}

/// Generates only what is small; everything else must be refused or at least measured.
fn try_out(name: &str, args: &str) {
    match size(name, args) {
        Ok((hypotheses, points)) => {
            let labels = &hypotheses * &points;
            if labels <= BigUint::from(1u32 << 16) && hypotheses <= BigUint::from(1u32 << 12) {
                let class = generate(name, args).expect("size() accepted the arguments");
                assert!(BigUint::from(class.hypotheses()) <= hypotheses);
            } else if labels > BigUint::from(1u64 << 31) {
                assert!(matches!(generate(name, args), Err(Error::TooLarge { .. })));
            }
        }
        Err(error) => {
            assert!(generate(name, args).is_err());
            assert!(error.to_string().len() < 1000);
        }
    }
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn any_text_is_answered(name in ".{0,20}", args in ".{0,30}") {
        try_out(&name, &args);
    }

    #[test]
    fn any_arguments_of_any_family_are_answered(
        family in 0..all().len(),
        args in proptest::collection::vec(
            prop_oneof![0..12u64, 0..300u64, any::<u64>()], 0..5
        ),
    ) {
        let args: Vec<String> = args.iter().map(ToString::to_string).collect();
        try_out(all()[family].name, &args.join(","));
    }
}

/// A class of each family whose rows take many times the work between two looks at the limits.
const LARGE: [&str; 34] = [
    "point:20000",
    "point0:20000",
    "constants:1000000",
    "threshold:20000",
    "half-interval:20000",
    "interval:1000",
    "xor-intervals:60",
    "xor-thresholds:40,4",
    "cube:20",
    "subsets:40,5",
    "ball:45,6",
    "parity:12",
    "affine-parity:12",
    "monotone:6",
    "disjunction:12",
    "conjunction:10",
    "dnf:4,6",
    "juntas:3,8",
    "decision-list:5",
    "threshold-function:6",
    "permutation:8",
    "box:20,20",
    "halfplane:20",
    "projective-plane:31",
    "affine-subspaces:8,3",
    "paley:1009",
    "addressing:2000",
    "tagged-singletons:2000",
    "tree-paths:10",
    "random:100000,64,1",
    "sparse:100000,64,20,1",
    "balls:20,3,100,1",
    "halfspace-points:60,3,1",
    "halfspace-points:1200,2,1",
];

#[test]
fn every_family_looks_at_the_limits_while_it_is_built() {
    static LOOKS: AtomicU64 = AtomicU64::new(0);
    // Live bytes that grow by one with each look: the second one is too many.
    let gauge: Gauge = || LOOKS.fetch_add(1, Ordering::Relaxed) + 1;
    let memory = Some(Memory { bytes: 1, gauge, given: true });
    let limits = Limits { memory, ..Limits::default() };
    let mut left: BTreeSet<&str> = names().collect();
    for spec in LARGE {
        LOOKS.store(0, Ordering::Relaxed);
        let (name, args) = spec.split_once(':').unwrap();
        let stopped = generate_within(name, args, &limits).map(|class| class.hypotheses());
        let expected = Stopped::Memory { bytes: 1 };
        assert_eq!(stopped, Err(Error::from(expected)), "{spec}");
        assert_eq!(LOOKS.load(Ordering::Relaxed), 2, "{spec}");
        left.remove(name);
    }
    assert!(left.is_empty(), "{left:?}");
}
