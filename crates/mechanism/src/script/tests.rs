//! What scripts may do, and how it is said when they may not.

use std::collections::BTreeMap;
use std::rc::Rc;

use littlestone_properties::config;
use proptest::prelude::*;

use super::{HELPERS, Script, Tools};
use crate::spec::{Argument, Arguments};
use crate::{Mechanism, Options, compile};
use littlestone_class::ClassBuilder;
use littlestone_exact::limits::Limits;

mod comparisons;
mod limits;

fn tools() -> Rc<Tools> {
    let mut builder = ClassBuilder::new(vec!["1".into(), "2".into(), "3".into()]);
    for h in 0..3 {
        builder.push(None, (0..3).map(|x| x == h));
    }
    Tools::new(Rc::new(builder.build()), Limits::default())
}

fn run(text: &str, arguments: &Arguments) -> littlestone_base::error::Result<Script> {
    let script = Script::new("s.rhai", text, Some(&tools()), arguments)?;
    compile(&script, &Options::rounds(2, 1_000))?;
    Ok(script)
}

/// A one-shot mechanism whose output is the value of an expression, as a string.
fn value(expression: &str) -> String {
    let text = format!(
        "fn kind() {{ \"one-shot\" }}\nfn alphabet() {{ #{{ record: [0], output: [0] }} }}\n\
         fn start() {{ {expression} }}\nfn observe(s, r) {{ s }}\nfn finish(s) {{ 0 }}"
    );
    match Script::new("s.rhai", &text, Some(&tools()), &Arguments::new()) {
        Err(error) => error.to_string(),
        Ok(script) => match script.start() {
            Err(error) => error.to_string(),
            Ok(law) => {
                let law = law.into_vec().into_iter();
                let law: Vec<String> =
                    law.map(|(state, weight)| format!("{} {weight}", state.data)).collect();
                law.join(", ")
            }
        },
    }
}

/// Values by hand; SOA values on the class of Definition 5 by Definition 6.
#[test]
fn expressions_have_exact_values() {
    for (expression, expected) in [
        ("1/4", "1/4 1"),
        ("1 - 1/3 * 2", "1/3 1"),
        ("[1/2 + 1/2, 4/2, 2 ** -2, (1/2) ** 2]", "[1, 2, 1/4, 1/4] 1"),
        ("let a = 1; a /= 3; a += 1; a -= 1/3; a *= 2; a", "2 1"),
        ("let a = 2; a **= -2; a", "1/4 1"),
        ("let a = [1]; a[0] /= 3; a", "[1/3] 1"),
        (
            "[1/2 == 2/4, 1/2 != 1/3, 1/3 < 1/2, 1 > 1/2, 1/2 >= 1, 1/2 <= 1]",
            "[true, true, true, true, false, true] 1",
        ),
        (
            "[min(1/2, 1), max(1/2, 1), abs(-1/2), floor(-1/2), ceil(1/2), binomial(4, 2)]",
            "[1/2, 1, 1/2, -1, 1, 6] 1",
        ),
        ("exp(1/2) * exp(-1/2)", "1 1"),
        ("[exp(0), exp(1) > 2]", "[1, true] 1"),
        ("7 % 3", "1 1"),
        ("`${1/2}`", "\"1/2\" 1"),
        ("[() == (), \"1\" == \"1\", true != false]", "[true, true, true] 1"),
        ("[1, 2].contains(4/2)", "true 1"),
        ("flip(1/4)", "true 1/4, false 3/4"),
        ("[flip(0), flip(1)]", "[false, true] 1"),
        ("choose([1, 2, 1])", "1 2/3, 2 1/3"),
        ("draw([[1, 1/2], [2, 0], [\"a\", 1/2]])", "1 1/2, \"a\" 1/2"),
        ("flip(1/2) || flip(1/2)", "true 3/4, false 1/4"),
        ("let n = 0; for i in 0..3 { if flip(1/2) { n += 1; } } n", "3 1/8, 2 3/8, 1 3/8, 0 1/8"),
        ("#{ b: 1, a: [(), true] }", "#{a: [(), true], b: 1} 1"),
        ("insert(insert([], [\"1\", 0]), [\"1\", 0])", "[[\"1\", 0]] 1"),
        ("integers(-1, 1)", "[-1, 0, 1] 1"),
        ("version_space([])", "\"111\" 1"),
        ("version_space([[\"1\", 0]])", "\"011\" 1"),
        ("restrict(\"011\", 2, true)", "\"010\" 1"),
        ("[soa([], \"1\"), soa_function([]), soa_function([[1, 1]])]", "[0, \"000\", \"100\"] 1"),
        // {h1, h2}: both labels of point 1 leave dimension 0 < 1, so a tie, which gives 1.
        ("[ldim(\"110\"), soa_function(\"110\")]", "[1, \"110\"] 1"),
        (
            "[ldim(\"000\"), soa_function(\"000\"), consistent(\"000\"), consistent([])]",
            "[-1, \"000\", false, true] 1",
        ),
        (
            "[points(), position(\"3\"), hypotheses()]",
            "[[\"1\", \"2\", \"3\"], 2, [\"100\", \"010\", \"001\"]] 1",
        ),
    ] {
        assert_eq!(value(expression), expected, "{expression}");
    }
}

#[test]
fn refusals_name_the_place_and_the_fault() {
    for (expression, expected) in [
        (
            "draw([[1, 1/2], [2, 1/3]])",
            "s.rhai:3:14: expected weights that sum to 1, found the sum 5/6",
        ),
        (
            "draw([[1, 3/2], [2, -1/2]])",
            "s.rhai:3:14: expected weights of at least 0, found the entry [2, -1/2]",
        ),
        ("draw([1, 2])", "s.rhai:3:14: expected entries [outcome, weight], found the entry 1"),
        ("draw([])", "s.rhai:3:14: expected weights that sum to 1, found the sum 0"),
        ("choose([])", "s.rhai:3:14: expected a list of at least one entry, found an empty list"),
        ("flip(5/4)", "s.rhai:3:14: expected a probability in [0, 1], found 5/4"),
        ("flip(-1)", "s.rhai:3:14: expected a probability in [0, 1], found -1"),
        (
            "1 == \"1\"",
            "s.rhai:3:16: expected two values of one type to compare (names of points and characters of strings are strings: \"1\"; `parse_int` reads a number), found a number and a string",
        ),
        (
            "flip(\"a\")",
            "s.rhai:3:14: expected a probability in [0, 1], found a value of type string",
        ),
        (
            "0.25",
            "s.rhai:3:14: expected a fraction such as 1/4 (scripts have no decimal numbers), found `0.25`",
        ),
        ("1 / 0", "s.rhai:3:16: expected an operation that has a value, found a division by zero"),
        (
            "9223372036854775807 + 1",
            "s.rhai:3:34: expected an operation that has a value, found addition overflow: 9223372036854775807 + 1",
        ),
        ("10 ** 19", "s.rhai:3:17: expected an integer below 2^63, found 10 ** 19"),
        ("2 ^ 3", "s.rhai:3:16: expected `**` for a power, found `^`"),
        (
            "loop { }",
            "s.rhai:3: the step takes more than 1000000 operations (an endless loop?)\n  help: let a step do less",
        ),
        (
            "start()",
            "s.rhai:3: expected at most 24 nested calls, found more (an endless recursion?)",
        ),
        (
            "flp(1/2)",
            "s.rhai:3:14: expected a function or operator for these arguments, found `flp (exact number)` (the nearest is `flip`)",
        ),
        ("soa([])", "s.rhai:3:14: expected soa(kept, x), found `soa (array)`"),
        ("soa([], 4)", "s.rhai:3:14: expected one of the points 1, 2, 3, found `4`"),
        (
            "soa([1], 1)",
            "s.rhai:3:14: expected a list of examples [x, y], found an entry of another shape",
        ),
        ("soa(\"11\", 1)", "s.rhai:3:14: expected a version space: 3 labels 0 or 1, found `11`"),
        ("restrict([], 1, 2)", "s.rhai:3:14: expected a label 0 or 1, found `2`"),
        (
            "|x| x",
            "s.rhai:3: expected plain data (numbers, booleans, strings, arrays, maps), found a value of type Fn",
        ),
        (
            "gamma",
            "s.rhai:3:14: expected a variable (functions see only their parameters and what they define), found the unknown variable `gamma`",
        ),
        (
            "throw \"no\"",
            "s.rhai:3:14: expected a step that does not throw, found the exception no",
        ),
        (
            "eval(\"1\")",
            "s.rhai:3:14: expected a script, found reserved keyword 'eval' is disabled",
        ),
        (
            "import \"x\" as y",
            "s.rhai:3:14: expected a word that scripts of mechanisms have, found `import`",
        ),
        (
            "let a = [1]; a[1]",
            "s.rhai:3:29: expected a step that runs, found array index 1 out of bounds: only 1 element in array",
        ),
        (
            "let s = 0; while flip(1/2) { s += 1; } s",
            "s.rhai:3: the step takes more than 1000000 operations (an endless loop?)\n  help: let a step do less",
        ),
        // A step with 64 coins does no more: its 2^64 sequences are given up after as many.
        (
            "for i in 0..17 { flip(1/2) }",
            "s.rhai:3: the step takes more than 65536 sequences of choices\n  help: let a step do less",
        ),
        (
            "exp(1/3) + exp(1/100003)",
            "s.rhai:3:23: expected an operation that has a value, found powers of e of degree above 1000 in their common unit",
        ),
        (
            "let a = [1, 2]; a.map(|x| x + a[0])",
            "s.rhai:3: expected a closure that does not use the variable whose method it is given to, found one that does (a copy of the variable, or a `for` loop, will do)",
        ),
        ("param(\"g\")", "`s.rhai` needs a value for its parameter `g`\n  help: write s.rhai:g=…"),
        ("1 +", "s.rhai:3:18: expected a script, found unexpected '}'"),
        ("integers(0, 1000000)", "s.rhai:3:14: expected at most 100000 integers, found more"),
    ] {
        assert_eq!(value(expression), expected, "{expression}");
    }
}

#[test]
fn a_list_beyond_its_bound_is_a_limit() {
    let found = value("integers(1, 60000) + integers(1, 60000)");
    assert!(found.starts_with("s.rhai:3: the step takes more than 100000 entries"), "{found}");
}

#[test]
fn shapes_are_checked() {
    let parts = [
        ("kind", "fn kind() { \"predictor\" }"),
        ("start", "fn start() { 0 }"),
        ("predict", "fn predict(s, x) { 0 }"),
        ("observe", "fn observe(s, x, y) { s }"),
    ];
    let with = |name: &str, replacement: &str| {
        let part = |&(part, text): &(&str, &'static str)| {
            if part == name { replacement.to_owned() } else { text.to_owned() }
        };
        let text: Vec<String> = parts.iter().map(part).collect();
        run(&text.join("\n"), &Arguments::new()).map_or_else(|e| e.to_string(), |_| String::new())
    };
    assert_eq!(with("", ""), "");
    for (part, replacement, expected) in [
        ("kind", "", "s.rhai: expected a function `kind()`, found none"),
        (
            "kind",
            "fn kind() { \"lerner\" }",
            "s.rhai:1: expected one of \"learner\", \"predictor\", \"transducer\", \"one-shot\", found \"lerner\"",
        ),
        (
            "kind",
            "fn kind() { if flip(1/2) { \"learner\" } else { \"predictor\" } }",
            "s.rhai:1:16: expected a function without random choices, found one",
        ),
        ("start", "", "s.rhai: expected a function `start()`, found none"),
        (
            "predict",
            "fn predict(s) { 0 }",
            "s.rhai:3: expected a function `predict(state, x)`, found one with 1 parameters",
        ),
        (
            "predict",
            "fn predict(s, x) { 2 }",
            "s.rhai:3: expected one of the outputs 0, 1, found `2`",
        ),
        (
            "predict",
            "fn predict(s, x) { answer(s, 1, 2) }",
            "s.rhai:3:20: expected answer(output, state), found `answer (i64, i64, i64)`",
        ),
        (
            "predict",
            "fn predict(s, x) { helper(s) } fn helper(s) { 1/(s*s) }",
            "s.rhai:3:48: expected an operation that has a value, found a division by zero",
        ),
        (
            "observe",
            "fn observe(s) { s }",
            "s.rhai:4: expected a function `observe(state, x, y)`, found one with 1 parameters",
        ),
    ] {
        assert_eq!(with(part, replacement), expected, "{replacement}");
    }
    let no_class = Script::new(
        "s.rhai",
        "fn kind() { \"learner\" } fn start() { 0 }",
        None,
        &Arguments::new(),
    );
    let error = no_class.unwrap_err().to_string();
    assert_eq!(error, "s.rhai:1: expected a class for this learner (--class), found none");
}

#[test]
fn alphabets_are_checked() {
    let alphabet = |alphabet: &str| {
        let text = format!(
            "fn kind() {{ \"transducer\" }}\nfn alphabet() {{ {alphabet} }}\nfn start() {{ 0 }}\n\
             fn respond(s, b) {{ b }}\nfn observe(s, b, a) {{ s + a }}"
        );
        run(&text, &Arguments::new()).map_or_else(|e| e.to_string(), |_| String::new())
    };
    assert_eq!(alphabet("#{ before: [0, 1], output: [0, 1], after: [0, 1] }"), "");
    for (text, expected) in [
        ("[]", "s.rhai:2: expected a map of lists, such as #{ before: [0, 1] }, found other data"),
        (
            "#{ befor: [0], output: [0] }",
            "s.rhai:2: expected the keys `before`, `output`, `after`, found `befor`",
        ),
        ("#{ before: 0, output: [0] }", "s.rhai:2: expected a list for `before`, found 0"),
        (
            "#{ before: [0, \"0\"], output: [0], after: [1] }",
            "s.rhai:2: expected alphabets of distinct names, found two before symbols called `0`",
        ),
        (
            "#{ before: [0, 1], after: [0] }",
            "s.rhai:2: expected alphabets of distinct names, found no output, where a mechanism needs at least one",
        ),
        (
            "#{ before: [0, 1], output: [0], after: [0] }",
            "s.rhai:4: expected one of the outputs 0, found `1`",
        ),
        (
            "#{ output: [0], after: [0] }",
            "s.rhai:4: expected a function `respond(state)`, found one with 2 parameters",
        ),
    ] {
        assert_eq!(alphabet(text), expected, "{text}");
    }
}

#[test]
fn parameters_are_read_by_the_type_of_their_default() {
    let text = r#"
        fn kind() { "one-shot" }
        fn alphabet() { #{ record: [0], output: [0] } }
        fn start() {
            [param("p", 1/4), param("n", 3), param("s", "0"), param("b", true), param("l", [1]), param("r")]
        }
        fn observe(s, r) { s }
        fn finish(s) { 0 }"#;
    let with = |pairs: &[(&str, Argument)]| {
        let arguments: Arguments =
            pairs.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
        Script::new("s.rhai", text, None, &arguments)
            .and_then(|script| script.start())
            .map_or_else(|error| error.to_string(), |law| law.into_vec()[0].0.data.to_string())
    };
    let t = |text: &str| Argument::Text(text.into());
    assert_eq!(with(&[("r", t("abc"))]), "[1/4, 3, \"0\", true, [1], \"abc\"]");
    let all = [
        ("p", t("0.5")),
        ("n", t("2^3")),
        ("s", t("0110")),
        ("b", t("false")),
        ("l", Argument::List(vec![t("1/3"), t("x")])),
        ("r", t("7")),
    ];
    assert_eq!(with(&all), "[1/2, 8, \"0110\", false, [1/3, \"x\"], 7]");
    for (key, value, expected) in [
        ("q", t("1"), "`s.rhai` has no parameter `q`\n  help: its parameters are p, n, s, b, l, r"),
        ("p", t("x"), "s.rhai:5:14: expected a number for the parameter `p`, found `x`"),
        ("b", t("1"), "s.rhai:5:63: expected `true` or `false` for the parameter `b`, found `1`"),
        ("l", t("1"), "s.rhai:5:81: expected a list for the parameter `l`, found `1`"),
        (
            "p",
            Argument::List(vec![]),
            "s.rhai:5:14: expected one value for the parameter `p`, found `a list`",
        ),
    ] {
        assert_eq!(with(&[("r", t("0")), (key, value)]), expected, "{key}");
    }
}

/// The manual lists every helper as it is called.
#[test]
fn every_helper_is_documented() {
    let manual = include_str!("../../../../docs/mechanisms.md");
    for (name, usage, meaning) in HELPERS {
        assert!(usage.starts_with(name) && !meaning.is_empty());
        assert!(manual.contains(&format!("| `{usage}` | {meaning} |")), "{usage} | {meaning}");
    }
}

/// The scripts of the manual compile, each as it stands there.
#[test]
fn the_scripts_of_the_manual_compile() {
    let manual = include_str!("../../../../docs/mechanisms.md");
    let scripts: Vec<&str> =
        manual.split("```rhai\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(scripts.len() >= 4);
    for script in scripts {
        let result = run(script, &BTreeMap::new());
        assert!(result.is_ok(), "{script}\n{result:?}");
    }
}

const PREDICTOR: &str = include_str!("../../../../examples/mechanisms/subsampled-soa.rhai");
const SELECTION: &str = include_str!("../../../../examples/mechanisms/exponential-selection.rhai");

fn survives(text: &str) {
    let _ = run(text, &Arguments::new());
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn arbitrary_text_never_panics(text in any::<String>()) {
        survives(&text);
    }

    #[test]
    fn arbitrary_expressions_never_panic(
        tokens in prop::collection::vec(
            prop::sample::select(vec![
                "1", "0", "-", "+", "*", "/", "**", "(", ")", "[", "]", ",", "exp", "draw", "flip",
                "choose", "soa", "insert", "|x|", "x", "\"1\"", "if", "{", "}", ".", "len", "param",
                ";", "let", "=", "<", "%", "answer", "1/2", "#{", ":", "!", "binomial", "floor",
            ]),
            0..16,
        ),
    ) {
        let _ = value(&tokens.join(" "));
    }

    #[test]
    fn mutated_scripts_never_panic(
        selection: bool,
        cuts in prop::collection::vec((any::<prop::sample::Index>(), 0..8usize, "[a-z0-9(){}/*\"=, -]{0,3}"), 1..4),
    ) {
        let mut text: Vec<char> = if selection { SELECTION } else { PREDICTOR }.chars().collect();
        for (place, length, inserted) in cuts {
            let start = place.index(text.len());
            let end = (start + length).min(text.len());
            text.splice(start..end, inserted.chars());
        }
        survives(&text.into_iter().collect::<String>());
    }
}

/// The limits on nesting keep the interpreter within the stack of a test thread, which is a
/// quarter of a main thread's.
#[test]
fn deep_nesting_is_refused_before_the_stack_ends() {
    for (open, close) in [
        ("1 + (", ")"),
        ("[", "]"),
        ("-(", ")"),
        ("#{ a: ", "}"),
        ("{ ", " }"),
        ("if true { ", " }"),
        ("max(1, ", ")"),
        ("switch 1 { _ => ", " }"),
        ("(|x| ", ").call(1)"),
        ("[1].map(|x| ", ")"),
        ("true && (", ")"),
        ("() ?? (", ")"),
        ("[start(), 1][", "]"),
    ] {
        for depth in [5, 12, 25, 1_000, 100_000] {
            let text = format!("{}start(){}", open.repeat(depth), close.repeat(depth));
            let found = value(&text);
            assert!(
                found.contains("expected") || found.contains("nested"),
                "{open} {depth} {found}"
            );
        }
    }
}
