//! Values compare within one type, and never across types.

use super::*;

/// A value of each type: as a script writes it, and what the type is called. Integers and other exact
/// numbers are one type, and so are characters and strings.
const VALUES: [(&str, &str); 10] = [
    ("()", "nothing `()`"),
    ("true", "a truth value"),
    ("1", "a number"),
    ("(1/2)", "a number"),
    ("'1'", "a string"),
    ("\"1\"", "a string"),
    ("hypotheses()[0]", "labels"),
    ("labels([1, 0])", "labels"),
    ("[1]", "a list"),
    ("#{ a: 1 }", "a map"),
];

/// What compares two values, as a function of the two expressions.
const COMPARISONS: [(&str, &str); 20] = [
    ("==", "A == B"),
    ("!=", "A != B"),
    ("<", "A < B"),
    ("<=", "A <= B"),
    (">", "A > B"),
    (">=", "A >= B"),
    ("in", "B in [A]"),
    ("!in", "B !in [A]"),
    ("contains", "[A].contains(B)"),
    ("index_of", "[A].index_of(B)"),
    ("index_of from", "[A].index_of(B, 0)"),
    ("lists", "[0, A] == [0, B]"),
    ("lists that differ already", "[1, A] != [0, B]"),
    ("maps", "#{ k: A } == #{ k: B }"),
    ("lists in maps", "#{ k: [[A]] } != #{ k: [[B]] }"),
    ("insert", "insert([A], B)"),
    ("dedup", "let l = [A, B]; l.dedup(); l"),
    ("sort", "let l = [A, B]; l.sort(); l"),
    ("sort_desc", "let l = [A, B]; l.sort_desc(); l"),
    ("order", "[A, B].order()"),
];

/// The rule is a table: which types are one kind, and which kinds have an order.
#[test]
fn every_pair_of_types_under_every_comparison() {
    let list = |word: &str| matches!(word, "labels" | "a list");
    for (a, left) in VALUES {
        for (b, right) in VALUES {
            for (name, comparison) in COMPARISONS {
                let text = comparison.replace('A', "(left())").replace('B', "(right())");
                let text = format!("{text} }} fn left() {{ {a} }} fn right() {{ {b}");
                let found = value(&text);
                let ordered = matches!(name, "<" | "<=" | ">" | ">=");
                let same = left == right || list(left) && list(right);
                let sized = matches!(left, "a truth value" | "a number" | "a string");
                let refused = !same || ordered && !sized;
                let said = format!("{a} and {b} under {name}: {found}");
                assert_eq!(refused, found.starts_with("s.rhai:3"), "{said}");
                if refused {
                    let both =
                        [format!("found {left} and {right}"), format!("found {right} and {left}")];
                    assert!(both.iter().any(|both| found.ends_with(both)), "{said}");
                    assert!(found.starts_with("s.rhai:3:"), "a place: {said}");
                }
            }
        }
    }
}

/// Values by hand.
#[test]
fn values_of_one_type_compare_as_expected() {
    for (expression, expected) in [
        (
            "[1 == 2/2, 1/2 == 2/4, 1/2 < 1, 1 != 1/2, [1/2, 1] == [2/4, 1]]",
            "[true, true, true, true, true] 1",
        ),
        ("['a' == \"a\", \"a\" < 'b', \"ab\"[0] == \"a\"]", "[true, true, true] 1"),
        ("[false < true, true != true, () == ()]", "[true, false, true] 1"),
        ("[[] == [1], [1] == [1, 2], #{} == #{ a: 1 }]", "[false, false, false] 1"),
        ("[#{ a: 1, b: [2] } == #{ b: [4/2], a: 1 }]", "[true] 1"),
        (
            "[2 in [1, 2], 1/2 !in [1, 2], \"b\" in \"abc\", \"k\" in #{ k: () }]",
            "[true, true, true, true] 1",
        ),
        (
            "[[1, 2, 1].index_of(1), [1, 2, 1].index_of(1, 1), [1].index_of(3), [1, 2].index_of(|x| x > 1)]",
            "[0, 2, -1, 1] 1",
        ),
        ("[[3, 1/2, 2].order(), [\"b\", \"a\"].order_desc()]", "[[1/2, 2, 3], [\"b\", \"a\"]] 1"),
        ("let l = [3, 1, 2]; l.sort(|a, b| a > b); l", "[3, 2, 1] 1"),
        ("let l = [1, 2/2, 2]; l.dedup(); l", "[1, 2] 1"),
        ("let l = [1, 2, 4]; l.dedup(|a, b| b == 2 * a); l", "[1, 4] 1"),
        ("insert([10], 9)", "[9, 10] 1"),
        ("[[1, 2, 3].filter(|x| x > 1), [5, 6].filter(|x, i| i == 1)]", "[[2, 3], [6]] 1"),
        ("let l = [1, 2, 3]; [l.drain(|x| x > 1), l]", "[[2, 3], [1]] 1"),
        ("let l = [1, 2, 3]; [l.retain(|x| x > 1), l]", "[[1], [2, 3]] 1"),
        (
            "[[1, 2].find(|x| x > 1), [1, 2].some(|x| x > 2), [1, 2].all(|x| x > 0)]",
            "[2, false, true] 1",
        ),
        ("#{ a: 1, b: 2 }.filter(|k, v| k == \"b\" && v == 2)", "#{b: 2} 1"),
        (
            "[is_unset(()), is_unset(0), is_unset([].pop()), [(), 1].filter(|x| !is_unset(x))]",
            "[true, false, true, [1]] 1",
        ),
    ] {
        assert_eq!(value(expression), expected, "{expression}");
    }
}

/// Labels are rows of the integers 0 and 1; the class is that of Definition 5 with three points.
#[test]
fn labels_are_rows_of_integers() {
    for (expression, expected) in [
        (
            "let h = hypotheses()[1]; [h[0], h[1], h[-1], h.len(), h.len, h[position(\"2\")] == 1]",
            "[0, 1, 0, 3, 3, true] 1",
        ),
        ("let h = hypotheses()[0]; h[1] = 1; h[0] = 1 - h[0]; h", "\"010\" 1"),
        ("let n = 0; for y in labels(\"1101\") { n += y; } n", "3 1"),
        (
            "[labels(\"10\") == [1, 0], [1, 0] == labels([true, false]), labels(\"10\") == labels(\"01\")]",
            "[true, true, false] 1",
        ),
        ("[hypotheses()[2] in hypotheses(), hypotheses().index_of([0, 1, 0])]", "[true, 1] 1"),
        (
            "[list(labels(\"01\")).map(|y| 1 - y), 1 in labels(\"00\"), labels(\"01\").index_of(1)]",
            "[[1, 0], false, 1] 1",
        ),
        (
            "[`h${labels(\"01\")}`, \"h\" + labels(\"01\"), \"01\"[1] == \"1\"]",
            "[\"h01\", \"h01\", true] 1",
        ),
        (
            "[version_space([[\"1\", 0]])[0] == 0, soa_function(version_space([])) == [0, 0, 0]]",
            "[true, true] 1",
        ),
        ("ldim(labels(\"110\"))", "1 1"),
        (
            "labels(\"01\")[2]",
            "s.rhai:3:26: expected a step that runs, found array index 2 out of bounds: only 2 elements in array",
        ),
        (
            "labels(\"012\")",
            "s.rhai:3:14: expected labels: a string such as \"0110\", or a list of labels 0 and 1, found `\"012\"`",
        ),
        ("let h = labels(\"01\"); h[0] = 2; h", "s.rhai:3:37: expected a label 0 or 1, found `2`"),
        (
            "labels(\"01\").map(|y| y)",
            "s.rhai:3:27: expected a function or operator for these arguments (`list(h)` makes labels a list), found `map (labels, Fn)` (the nearest is `max`)",
        ),
    ] {
        assert_eq!(value(expression), expected, "{expression}");
    }
}

/// What the interpreter would take for `false`, or for nothing, without a word.
#[test]
fn what_would_be_false_without_a_word_is_refused() {
    for (expression, expected) in [
        ("if hypotheses()[0][0] == \"1\" { 1 } else { 0 }", "found a number and a string"),
        (
            "let s = #{ a: 1 }; s.b",
            "s.rhai:3:35: expected a key that the map has (`\"key\" in map` says whether it is there), found no key `b`",
        ),
        ("let s = #{ a: 1 }; s[\"b\"] + 1", "found no key `b`"),
        ("let s = #{}; s.n += 1; s", "expected"),
        (
            "switch 1 { \"1\" => 2, _ => 3 }",
            "s.rhai:3:14: expected `if` and `else if`, which compare values of one type only, found `switch`",
        ),
        (
            "[1, 2].filter(|x| x)",
            "expected a closure that answers `true` or `false`, found a value of type i64",
        ),
        ("[1].find(|x| x)", "found a value of type i64"),
        ("[1].some(|x| 1)", "found a value of type i64"),
        ("[1].all(|x| ())", "found a value of type ()"),
        ("[1].index_of(|x| x)", "found a value of type i64"),
        ("let l = [1]; l.drain(|x| x)", "found a value of type i64"),
        ("let l = [1]; l.retain(|x| x)", "found a value of type i64"),
        ("#{ a: 1 }.filter(|k| 1)", "found a value of type i64"),
        ("let l = [1, 2]; l.dedup(|a, b| a == \"b\"); l", "found a number and a string"),
        ("let l = [1, 2]; l.sort(|a, b| a < \"b\"); l", "found a number and a string"),
        (
            "let l = [1, 2]; l.sort(|a, b| \"a\"); l",
            "expected a closure that answers with a number or a truth value",
        ),
        ("[1, \"a\"].contains(1)", "found a string and a number"),
        ("1 in 0..3 && 1/2 in 0..3", "expected a function or operator"),
        ("\"1\" in 0..3", "expected a function or operator"),
        ("1 in \"123\"", "expected a function or operator"),
        ("|x| x == |x| x", "expected plain data"),
        ("max(1, \"2\")", "found a value of type string"),
        ("min('1', 2)", "found a value of type char"),
        ("\"123\".starts_with(1)", "expected a function or operator"),
        ("\"123\".index_of(1)", "expected a function or operator"),
        ("let s = \"123\"; s.remove(1); s", "expected a function or operator"),
        ("let s = \"123\"; s.replace(1, 2); s", "expected a function or operator"),
        ("\"123\".split(1, 2)", "expected a function or operator"),
    ] {
        let found = value(expression);
        assert!(found.starts_with("s.rhai:3") && found.contains(expected), "{expression}: {found}");
    }
}

/// A state that is `()` without having been asked for: an `if` without `else`, an assignment at the end.
#[test]
fn a_state_that_nobody_asked_for_is_refused() {
    let with = |start: &str, observe: &str, release: &str| {
        let text = format!(
            "fn kind() {{ \"learner\" }}\nfn start() {{ {start} }}\nfn release(s) {{ {release} }}\n\
             fn observe(s, x, y) {{ {observe} }}"
        );
        run(&text, &Arguments::new()).map_or_else(|e| e.to_string(), |_| String::new())
    };
    assert_eq!(with("0", "s", "\"000\""), "");
    assert_eq!(with("()", "s", "[0, 0, 0]"), "");
    assert_eq!(with("#{ last: () }", "#{ last: y }", "hypotheses()[0]"), "");
    let unasked = "(an `if` without `else`, and a function that ends with an assignment or a loop, give `()`)";
    for (start, observe, release, expected) in [
        (
            "0",
            "if y == 1 { s }",
            "\"000\"",
            format!("s.rhai:4: expected a state {unasked}, found `()` beside the state `0`"),
        ),
        ("0", "s += 1;", "\"000\"", "s.rhai:4: expected a state (".to_owned()),
        ("if flip(1/2) { 1 }", "s", "\"000\"", "s.rhai:2: expected a state (".to_owned()),
        (
            "()",
            "y",
            "\"000\"",
            "s.rhai:4: expected `()`, the state that a script has throughout".to_owned(),
        ),
        ("0", "s", "answer(\"000\", if s == 1 { s })", "s.rhai:3: expected a state (".to_owned()),
        (
            "0",
            "s",
            "let h = \"000\";",
            format!("s.rhai:3: expected a hypothesis as 3 labels 0 or 1 {unasked}, found `()`"),
        ),
    ] {
        let found = with(start, observe, release);
        assert!(found.starts_with(&expected), "{start} {observe} {release}: {found}");
    }
}
