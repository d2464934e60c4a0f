//! Steps that would not end, and values that would not fit: refused after work that is bounded.

use std::time::Instant;

use super::*;

/// The row `for i in 0..100000 { a = [a]; }`, and its siblings.
#[test]
fn values_that_are_nested_deeply_are_refused_where_they_grow() {
    for body in [
        "for i in 0..100000 { a = [a]; }",
        "for i in 0..100000 { a = [a, i]; }",
        "for i in 0..100000 { a = [i, a]; }",
        "for i in 0..100000 { a = #{ a: a }; }",
        "for i in 0..100000 { a = [#{ b: [a] }]; }",
        "let f = |x| [x]; for i in 0..100000 { a = f.call(a); }",
        "for i in 0..100000 { let b = []; b.push(a); a = b; }",
        "for i in 0..100000 { let b = #{}; b.a = a; a = b; }",
    ] {
        let found = value(&format!("let a = []; {body} a"));
        let expected = "expected lists and maps nested at most 256 deep, found more";
        assert!(found.starts_with("s.rhai:3:") && found.ends_with(expected), "{body}: {found}");
    }
    // 256 levels are data, 257 are not.
    let nested = |levels| value(&format!("let a = []; for i in 0..{levels} {{ a = [a]; }} a == a"));
    assert_eq!(nested(255), "true 1");
    assert!(nested(256).contains("nested"), "{}", nested(256));
    let within = "let a = []; for i in 0..300 { a = [0, a, 0]; } a";
    assert!(
        value(within).ends_with("found lists and maps nested more than 256 deep"),
        "{}",
        value(within)
    );
}

/// After its deadline a script does no more than a few operations, whatever its step would take.
#[test]
fn a_step_asks_the_time_limit() {
    let limits = Limits { deadline: Some(Instant::now()), ..Limits::default() };
    let text = "fn kind() { \"one-shot\" }\nfn alphabet() { #{ record: [0], output: [0] } }\n\
                fn start() { loop { } }\nfn observe(s, r) { s }\nfn finish(s) { 0 }";
    let script = Script::within("s.rhai", text, None, &Arguments::new(), &limits).unwrap();
    let error = script.start().unwrap_err();
    assert!(matches!(error, littlestone_base::error::Error::Limit { .. }), "{error}");
    // Within a run, too: the first question comes before the run.
    let endless = script.program.call("start", Vec::new()).unwrap_err();
    assert!(matches!(endless, littlestone_base::error::Error::Limit { .. }), "{endless}");
    assert!(endless.to_string().starts_with("the time limit was reached in `start` of s.rhai"));
}
