//! Claims about Definitions 7 to 9 and Fact 2: what is malformed, vacuous, refuted.

use littlestone::claims::{CheckOptions, CheckResult, Verdict};

use super::{check, claim, errors, folder, outcome, relative};

/// The faults of a file `a.toml` with one claim, a line each.
fn faults(lines: &str) -> Vec<String> {
    let folder = folder(&[("a.toml", &claim("a", lines))]);
    let outcome = check(folder.path(), &CheckOptions::default());
    errors(&outcome).iter().map(|fault| relative(fault, folder.path())).collect()
}

/// The result of the one check of a claim.
fn result(lines: &str) -> CheckResult {
    let mut results = outcome(&claim("a", lines)).results;
    assert_eq!(results.len(), 1, "{lines}");
    results.pop().expect("one result")
}

fn verdict(lines: &str) -> Verdict {
    result(lines).finding.verdict
}

const RHO: &str = "kind = \"decomposition-dimension\"\nclass = \"point:3\"\nequals = 1\n";
const FACT2: &str = "kind = \"fact2\"\nproperty = \"P3-order\"\n";

#[test]
fn p_is_an_integer_of_at_least_1() {
    assert_eq!(faults(&format!("{RHO}p = 0")), ["a.toml:8:5: expected at least 1, found 0"]);
    assert_eq!(
        faults(&format!("{RHO}p = \"1 - 1\"")),
        ["a.toml:8:5: expected at least 1, found 0"]
    );
    let [fault] = &faults(&format!("{RHO}p = -1"))[..] else { panic!("one fault") };
    assert_eq!(fault, "a.toml:8:5: expected a number from 0 to 4294967295, found `-1`");
    assert_eq!(faults(RHO), ["a.toml:6:9: expected `p` or `irreducible`, found neither"]);
}

#[test]
fn the_ambient_dimension_is_no_less_than_that_of_the_class() {
    let small = "expected at least 2, the Littlestone dimension of the class, found 1";
    for kind in [
        "kind = \"decomposition-dimension\"\nat_least = 1",
        "kind = \"essential-hypotheses\"\ncount = 1",
        "kind = \"fact2\"\nproperty = \"P4\"",
    ] {
        let [fault] = &faults(&format!("{kind}\nclass = \"cube:2\"\np = 1\nambient = 1"))[..]
        else {
            panic!("one fault")
        };
        assert!(fault.starts_with(&format!("a.toml:9:11: {small}")), "{fault}");
    }
    assert_eq!(
        faults(&format!("{RHO}p = 1\nambient = \"recomputed\"")),
        ["a.toml:9:11: expected a number from -2147483648 to 2147483647, found `recomputed`"]
    );
    assert_eq!(
        faults(&format!("{FACT2}class = \"cube:2\"\np = 1\nambient = \"recompute\"")),
        ["a.toml:9:11: expected a number from -2147483648 to 2147483647, found `recompute` (the \
          nearest is `recomputed`)"]
    );
    let [fault] = &faults(&format!("{FACT2}points = 2\np = 1"))[..] else { panic!("one fault") };
    assert!(fault.starts_with("a.toml:1:1: expected `ambient`"), "{fault}");
}

#[test]
fn the_empty_class_is_refused() {
    let empty = "class = \"restrict(point:3; 1:1, 2:1)\"\n";
    for kind in [
        "kind = \"irreducible\"\nk = 1\n",
        "kind = \"decomposition-dimension\"\nequals = 0\np = 1\n",
        "kind = \"essential-hypotheses\"\ncount = 0\np = 1\n",
        "kind = \"fact2\"\nproperty = \"P4\"\np = 1\n",
    ] {
        let [fault] = &faults(&format!("{kind}{empty}"))[..] else { panic!("one fault") };
        let expected = "no hypothesis is consistent with `1:1, 2:1`";
        assert!(fault.ends_with(expected), "{fault}");
    }
}

#[test]
fn values_of_the_wrong_type_are_reported_where_they_stand() {
    let essential = "kind = \"essential-hypotheses\"\nclass = \"point:3\"\np = 1\n";
    for (line, fault) in [
        (
            "equals = \"000\"",
            "10: expected a list of strings at `equals`, found the string \"000\"",
        ),
        ("equals = [0]", "11: expected a list of strings at `equals`, found the integer 0 in it"),
        ("inside = \"yes\"", "11: expected true or false, found `yes`"),
        (
            "contains = [\"000\", \"01\"]",
            "20: expected a string of 3 labels, 0 or 1 for each point, found `01`",
        ),
        (
            "excludes = [\"0x0\"]",
            "13: expected a string of 3 labels, 0 or 1 for each point, found `0x0`",
        ),
    ] {
        assert_eq!(faults(&format!("{essential}{line}")), [format!("a.toml:8:{fault}")]);
    }
    assert_eq!(
        faults(essential),
        ["a.toml:1:1: expected one of the keys `equals`, `count`, `contains`, `excludes` and \
          `inside`, found a claim without it"]
    );
    assert_eq!(
        faults("kind = \"irreducible\"\nclass = \"point:3\""),
        ["a.toml:1:1: expected one of the keys `k`, `order` and `soa`, found a claim without it"]
    );
}

#[test]
fn properties_are_about_what_they_are_given() {
    for (lines, fault) in [
        ("p = 1", "1:1: expected one of `points` and `class`, found both or none"),
        ("p = 1\nambient = 1\npoints = 5", "9:10: expected from 1 to 4, found 5"),
        (
            "p = 1\nambient = 1\npoints = 2\nrho = 1",
            "10:7: expected only with P4, found with P3-order",
        ),
        (
            "p = 1\nambient = 1\npoints = 2\np_subclass = \"p - 1\"",
            "10:14: expected an integer of at least 1, found `p - 1` = 0",
        ),
        (
            "p = 1\nclass = \"cube:4\"",
            "8:9: expected a class of at most 12 hypotheses, or `subclasses = \"none\"`, found \
             `cube:4`",
        ),
    ] {
        assert_eq!(faults(&format!("{FACT2}{lines}")), [format!("a.toml:{fault}")]);
    }
}

#[test]
fn claims_that_say_nothing_are_vacuous() {
    for lines in [
        // Every class decomposes once p is the number of points.
        "kind = \"decomposition-dimension\"\nclass = \"point:3\"\np = 3\nequals = 0",
        "kind = \"decomposition-dimension\"\nclass = \"point:3\"\np = 1\nat_most = 1",
        "kind = \"essential-hypotheses\"\nclass = \"point:3\"\np = 3\ncount = 3",
        "kind = \"irreducible\"\nclass = \"point:3\"\nk = 0",
        "kind = \"irreducible\"\nclass = \"point:1\"\nk = 9",
        "kind = \"fact2\"\nproperty = \"P4\"\npoints = 2\nambient = 1\np = 2",
        // The printed bound is at least the size of every class here.
        "kind = \"fact2\"\nproperty = \"P1\"\npoints = 3\nambient = 2\np = 1",
    ] {
        assert_eq!(verdict(lines), Verdict::Vacuous, "{lines}");
    }
}

/// Counted by hand: up to symmetry the classes of dimension at most 1 on 3 points are a function, the
/// pairs at distance 1, 2 and 3, the triples at distances 112, 123 and 222, and of the classes of four
/// functions the one that no point splits into two and two. So there are 1 + 3·3 + 3·7 + 15 pairs.
#[test]
fn all_classes_up_to_symmetry_are_looked_at() {
    let found = result(&format!("{FACT2}points = 3\nambient = 1\np = 1")).finding;
    assert_eq!(found.values["instances"], "46");
    assert_eq!(found.values["violations"], "0");
    assert_eq!(found.verdict, Verdict::Holds);
}

/// A refutation is a pair of classes, here the one that shows that d is fixed.
#[test]
fn refutations_show_the_classes() {
    let lines = format!("{FACT2}class = \"cube:2\"\np = 1\nambient = \"recomputed\"");
    let found = result(&lines).finding;
    assert_eq!(found.verdict, Verdict::Refuted);
    let pair = "F = {00, 01, 10}, G = {00, 01, 10, 11}, d = 1 for F, 2 for G: ρ_1(F) = 1 > \
                ρ_1(G) = 0";
    // Four subclasses of three functions refute, and the first three are shown.
    assert_eq!(found.values["violations"], "4");
    assert_eq!(found.details.len(), 3);
    let shape = |line: &String| line.split("G = ").nth(1).map(str::to_owned);
    assert!(found.details.iter().all(|line| shape(line) == shape(&pair.to_owned())));
}
