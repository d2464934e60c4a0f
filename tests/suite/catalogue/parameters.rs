//! Every entry can be built, and what is said of values that it does not take.

use std::fs;

use littlestone::catalogue::{ENTRIES, Standard};
use littlestone::limits::Limits;
use littlestone::mechanism::spec::{Context, Spec};
use littlestone::mechanism::{Mechanism, Options, compile, table};

use super::{class, literal, mechanism, try_mechanism};

/// Values for the parameters that have no default.
fn example(name: &str) -> String {
    let parameters = match name {
        "subsampled-soa" | "subsampled-soa-learner" => ":gamma=1/4",
        "subsample" | "subsample-informed" => ":of=soa-learner,gamma=1/4,dummy=1:0",
        "restriction" => ":of=soa-learner,prefix=(1:0)",
        "blocks" | "blocks-unshifted" => ":of=soa-learner,q=2,w=3,dummy=1:0",
        "subsample-skipping" => ":of=soa-learner,gamma=1/4",
        "replacement" | "replacement-chain" => ":D=2,W=2,cut=1",
        "adaptive" => ":first=(replacement:D=1,W=1,cut=1),second=(replacement:D=2,W=1,cut=1)",
        "combine" => ":D=1",
        "replacement-patterns" => ":D=(1,6),W=1",
        "online-predictor" | "online-paths" => ":D=(1),W=1",
        "combined" => ":A=soa,F=(subsampled-soa:gamma=1/4),D=1",
        "mirror" => ":law=uniform,W=2",
        "selection" => ":k=3,q=2,B=2",
        "hazard-learner" => ":table=(0, 1/2)",
        "absorbing" => ":E=9/8,beta=1/8",
        "sparse-vector" | "report-noisy-max" | "exponential-mechanism" => ":queries=2",
        "compose" => ":of=randomised-response-one-shot",
        "event-of" => ":of=randomised-response-one-shot,output=1",
        _ => "",
    };
    format!("{name}{parameters}")
}

/// Mechanisms that count without end.
const COUNTING: [&str; 7] = [
    "above-threshold",
    "tree-counter-learner",
    "discrete-laplace",
    "combine",
    "online-predictor",
    "online-paths",
    "combined",
];

#[test]
fn every_entry_is_what_it_says_and_compiles_completely() {
    for entry in ENTRIES {
        let mechanism = mechanism(&example(entry.name), "point:2");
        assert_eq!(mechanism.interface().kind(), entry.kind, "{}", entry.name);
        let options = if COUNTING.contains(&entry.name) {
            assert!(compile(&mechanism, &Options::closed(1_000)).is_err(), "{}", entry.name);
            Options::rounds(2, 1_000)
        } else {
            Options::closed(1_000)
        };
        let automaton = compile(&mechanism, &options).unwrap();
        let again = table::parse("table.json", &table::write(&automaton)).unwrap();
        assert_eq!(again, automaton, "{}", entry.name);
        for stream in literal::streams(mechanism.interface().records(), 2) {
            let expected = literal::law(&mechanism, &stream);
            assert_eq!(literal::law(&again, &stream), expected, "{}", entry.name);
        }
        // States are told apart by what they are, not by a number.
        assert!(automaton.states().iter().all(|s| !s.contains('#')), "{:?}", automaton.states());
    }
}

#[test]
fn a_parameter_without_default_must_be_given() {
    for entry in ENTRIES {
        let missing = entry.parameters.iter().find(|p| p.default.is_none());
        let built = try_mechanism(entry.name, "point:2");
        assert_eq!(built.is_err(), missing.is_some(), "{}", entry.name);
        if let (Err(error), Some(parameter)) = (built, missing) {
            assert!(error.to_string().contains(&format!("`{}`", parameter.name)), "{error}");
        }
    }
}

#[test]
fn absorbing_learners_refuse_what_is_no_probability() {
    for (text, message) in [
        (
            "absorbing:E=1/2,beta=1/8",
            "the parameter `E` of `absorbing` takes a number of at least 1, not `1/2`",
        ),
        (
            "absorbing:E=9/8,beta=3/4",
            "`absorbing`: with these E and beta, a label would be settled in one round with \
             probability 3/2, which is above 1",
        ),
        (
            "absorbing:E=9/8,beta=1/8,point=4",
            "the parameter `point` of `absorbing` takes one of the points 1, 2, 3, not `4`",
        ),
    ] {
        assert_eq!(try_mechanism(text, "point:3").unwrap_err().to_string(), message, "{text}");
    }
}

#[test]
fn faulty_values_are_named() {
    for (text, message) in [
        ("subsampled-soa:gamma=5/4", "the parameter `gamma` takes a number in [0, 1], not `5/4`"),
        ("subsampled-soa:gamma=-1/4", "the parameter `gamma` takes a number in [0, 1], not `-1/4`"),
        (
            "subsampled-soa:gamma=x",
            "the parameter `gamma` is not a number: `x`:1:1: expected a number, found the \
             unknown name `x`",
        ),
        (
            "subsampled-soa:gamma=1/4,public=01",
            "the parameter `public` of `subsampled-soa` takes 0, 1, or 3 labels 0 and 1 in point \
             order, not `01`",
        ),
        (
            "constant:labels=2",
            "the parameter `labels` of `constant` takes 0, 1, or 3 labels 0 and 1 in point order, \
             not `2`",
        ),
        (
            "subsample:of=soa,gamma=1/4,dummy=1:0",
            "the parameter `of` takes a learner, not a predictor",
        ),
        (
            "subsample:of=soa-learner,gamma=1/4,dummy=4:0",
            "the parameter `dummy` of `subsample` takes an example from 1:0 to 3:1, not `4:0`",
        ),
        (
            "subsample:of=soa-lerner,gamma=1/4,dummy=1:0",
            "there is no mechanism `soa-lerner` (the nearest is `soa-learner`)\n  help: `littlestone \
             list mechanisms` shows all; files end in .rhai, .json or .toml",
        ),
        (
            "switch-at-mistake:k=0",
            "the parameter `k` of `switch-at-mistake` takes a natural number of at least 1, not `0`",
        ),
        ("switch-at-mistake:k=1/2", "the parameter `k` takes a natural number, not `1/2`"),
        ("hazard-learner:table=(1/2,2)", "the parameter `table` takes a number in [0, 1], not `2`"),
        (
            "hazard-learner:table=()",
            "the parameter `table` of `hazard-learner` takes at least one number in [0, 1], not ``",
        ),
        (
            "randomised-response-one-shot:copies=13",
            "the alphabet of `randomised-response-one-shot` has 2^13 words, more than the limit of \
             2^12",
        ),
        (
            "sparse-vector:variant=7",
            "the parameter `variant` of `sparse-vector` takes one of 1, 2, 3, 4, 5, 6, not `7`",
        ),
        (
            "sparse-vector:query=1",
            "the parameter `query` of `sparse-vector` takes a ratio in [0, 1), not `1`",
        ),
        (
            "sparse-vector:queries=6",
            "the alphabet of vectors has 3^6 vectors, more than the limit of 3^5",
        ),
        (
            "discrete-laplace:from=3,to=2",
            "the parameter `to` of `discrete-laplace` takes an integer from 3 to 256, not `2`",
        ),
        (
            "thresholded-release:threshold=-1/2",
            "the parameter `threshold` of `thresholded-release` takes a number from 0 to 256, not \
             `-1/2`",
        ),
        (
            "exponential-mechanism:base=0",
            "the parameter `base` of `exponential-mechanism` takes a number above 0, not `0`",
        ),
        ("compose:of=soa", "the parameter `of` takes a one-shot mechanism, not a predictor"),
        (
            "compose:of=report-noisy-max,k=65",
            "the parameter `k` of `compose` takes a natural number from 1 to 64, not `65`",
        ),
        (
            "event-of:of=report-noisy-max,output=4",
            "the parameter `output` of `event-of` takes one of the outputs 1, 2, 3, not `4`",
        ),
        ("soa:gamma=1/4", "`soa` has no parameter `gamma`\n  help: its parameters are public"),
    ] {
        assert_eq!(try_mechanism(text, "point:3").unwrap_err().to_string(), message, "{text}");
    }
    let wide = try_mechanism("subsampled-soa-learner:gamma=1/4,flip=1/4", "point:13").unwrap_err();
    assert_eq!(
        wide.to_string(),
        "the law of a hypothesis with flips has 2^13 outcomes, more than the limit of 2^12"
    );
    let context = Context { tools: None, catalogue: &Standard, limits: Limits::default() };
    let spec = Spec::parse("soa", "".as_ref()).unwrap();
    let error = context.resolve(&spec).unwrap_err().to_string();
    assert!(error.starts_with("the mechanism `soa` needs a class"), "{error}");
}

/// A mechanism file gives lists and mechanisms as what they are.
#[test]
fn mechanism_files_nest_the_catalogue() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("nested.toml");
    let text = "use = \"subsample\"\ngamma = \"1/3\"\ndummy = \"2:0\"\n\
                [of]\nuse = \"hazard-learner\"\ntable = [0, \"1/4\"]\n";
    fs::write(&path, text).unwrap();
    let from_file = mechanism(path.to_str().unwrap(), "point:2");
    let typed = "subsample:of=(hazard-learner:table=(0,1/4)),gamma=1/3,dummy=2:0";
    let typed = mechanism(typed, "point:2");
    for stream in literal::streams(4, 3) {
        assert_eq!(literal::law(&from_file, &stream), literal::law(&typed, &stream));
    }
}

/// Equal version spaces are one state: the learner over thresholds on n points has as many states
/// as there are intervals of thresholds, and the empty set.
#[test]
fn states_are_version_spaces() {
    let learner = mechanism("subsampled-soa-learner:gamma=1/4", "threshold:4");
    let automaton = compile(&learner, &Options::closed(1_000)).unwrap();
    let hypotheses = class("threshold:4").hypotheses();
    assert_eq!(hypotheses, 5);
    assert_eq!(automaton.len(), hypotheses * (hypotheses + 1) / 2 + 1);
}
