//! Reading mechanisms: tables, mechanism files, arguments, and what is said of faulty ones.

use std::fs;
use std::path::Path;
use std::rc::Rc;

use littlestone::class::ClassBuilder;
use littlestone::error::{Error, Result};
use littlestone::limits::Limits;
use littlestone::mechanism::spec::{
    Argument, Arguments, Catalogue, Context, NoCatalogue, Parameter, Spec, Target,
};
use littlestone::mechanism::{Boxed, Mechanism, Options, Script, Tools, compile, table};

fn tools() -> Rc<Tools> {
    let mut builder = ClassBuilder::new(vec!["a".into(), "b".into()]);
    builder.push(None, [true, false]);
    builder.push(None, [false, true]);
    Tools::new(Rc::new(builder.build()), Limits::default())
}

/// The table of the manual, with one place changed.
fn manual_table(from: &str, to: &str) -> String {
    let manual = include_str!("../../docs/mechanisms.md");
    let text = manual.split("```json\n").nth(1).unwrap().split("```").next().unwrap();
    assert!(text.contains(from), "{from}");
    text.replacen(from, to, 1)
}

#[test]
fn the_table_of_the_manual_is_read() {
    let automaton = table::parse("t.json", &manual_table("", "")).unwrap();
    assert_eq!(automaton.states(), ["new", "zero", "one"]);
    let start = automaton.start()[0].0;
    assert_eq!(automaton.respond(start, 0).len(), 2);
    let again = table::parse("t.json", &table::write(&automaton)).unwrap();
    assert_eq!(again, automaton);
    let dot = automaton.to_dot();
    assert!(dot.starts_with("digraph"), "{dot}");
    assert!(dot.contains("label = \"a / 0 (1/2)\"") && dot.contains("label = \"zero\""), "{dot}");
}

#[test]
fn faults_of_tables_are_placed() {
    for (from, to, expected) in [
        (
            "\"1/2\"",
            "\"1/3\"",
            "t.json: states[0].respond.\"a\": expected weights that sum to 1, found the sum 5/6",
        ),
        (
            "\"1/2\"",
            "\"half\"",
            "t.json: states[0].respond.\"a\"[0].weight: expected an exact number, found `half`:1:1: expected a number, found the unknown name `half`",
        ),
        (
            "\"1/2\"",
            "0.5",
            "t.json:9:68: expected an automaton in JSON, found invalid type: floating point `0.5`, expected a string",
        ),
        (
            "\"weight\": \"1\"",
            "\"weight\": \"-1\"",
            "t.json: start: expected weights of at least 0, found the weight -1",
        ),
        (
            "\"weight\"",
            "\"wieght\"",
            "t.json:5:35: expected an automaton in JSON, found unknown field `wieght`, expected `to` or `weight`",
        ),
        (
            "\"to\": \"new\"",
            "\"to\": \"nwe\"",
            "t.json: start[0].to: expected the name of a state, found `nwe` (the nearest is `new`)",
        ),
        (
            "\"output\": \"0\"",
            "\"output\": \"2\"",
            "t.json: states[0].respond.\"a\"[0].output: expected one of the outputs 0, 1, found `2`",
        ),
        (
            "\"1\": [{ \"to\": \"one\", \"weight\": \"1\" }]",
            "\"2\": []",
            "t.json: states[0].observe: expected the symbols 0, 1, found `2`",
        ),
        (
            ", \"1\": [{ \"to\": \"one\", \"weight\": \"1\" }]",
            "",
            "t.json: states[0].observe: expected a law for `1`, found none",
        ),
        (
            "\"1\": [{ \"to\": \"one\"",
            "\"0\": [{ \"to\": \"one\"",
            "t.json:11:98: expected an automaton in JSON, found the symbol `0` twice",
        ),
        (
            "\"name\": \"zero\"",
            "\"name\": \"one\"",
            "t.json: states[2].name: expected distinct names, found `one` twice",
        ),
        (
            "\"kind\": \"predictor\"",
            "\"kind\": \"oracle\"",
            "t.json: kind: expected one of `learner`, `predictor`, `transducer`, `one-shot`, found `oracle`",
        ),
        ("\"format\": 1", "\"format\": 2", "t.json: format: expected the version 1, found 2"),
        (
            "\"points\": [\"a\"]",
            "\"points\": [\"a\", \"a\"]",
            "t.json: expected alphabets, found two points called `a`",
        ),
        (
            "\"points\": [\"a\"]",
            "\"points\": [\"a\"], \"records\": [\"r\"]",
            "t.json: records: expected a key that a predictor has, found `records`",
        ),
        (
            "\"respond\": { \"a\": [{ \"output\": \"1\", \"to\": \"one\", \"weight\": \"1\" }] },",
            "",
            "t.json: states[2]: expected `respond` for the state `one`, which streams reach, found none",
        ),
        ("\"start\"", "\"rounds\": 1, \"start\"", ""),
    ] {
        let text = manual_table(from, to);
        let found = table::parse("t.json", &text).map_or_else(|e| e.to_string(), |_| String::new());
        // A row may be missing where no stream of the covered length leads.
        assert_eq!(found, expected, "{to}");
    }
    let text = manual_table("\"start\"", "\"rounds\": 1, \"start\"");
    let row =
        "\"respond\": { \"a\": [{ \"output\": \"1\", \"to\": \"one\", \"weight\": \"1\" }] },";
    assert!(table::parse("t.json", &text.replace(row, "")).is_ok());
    for (name, text) in [("", ""), ("", "[]"), ("", "{"), ("", "null")] {
        assert!(table::parse(name, text).is_err());
    }
}

#[test]
fn weights_with_powers_of_e_survive_a_table() {
    let script = r#"
        fn kind() { "one-shot" }
        fn alphabet() { #{ record: [0, 1], output: [0, 1] } }
        fn start() { 0 }
        fn observe(s, bit) { bit }
        fn finish(bit) {
            let p = exp(1/2) / (1 + exp(1/2));
            if flip(p) { bit } else { 1 - bit }
        }"#;
    let script = Script::new("s", script, None, &Arguments::new()).unwrap();
    let automaton = compile(&script, &Options::rounds(1, 10)).unwrap();
    let text = table::write(&automaton);
    assert!(text.contains("exp(1/2)"), "{text}");
    assert_eq!(table::parse("t", &text).unwrap(), automaton);
}

/// A catalogue with one wrapper, which is the mechanism inside it.
struct Wrappers;

impl Catalogue for Wrappers {
    fn names(&self) -> Vec<&str> {
        vec!["wrap"]
    }

    fn parameters(&self, name: &str) -> Option<Vec<Parameter>> {
        let parameter = |name, default| Parameter { name, default, meaning: "" };
        (name == "wrap").then(|| vec![parameter("of", None), parameter("gamma", Some("1/2"))])
    }

    fn build(&self, _: &str, arguments: &Arguments, context: &Context<'_>) -> Result<Boxed> {
        if let Some(gamma) = arguments.get("gamma") {
            gamma.probability("gamma")?;
        }
        context.resolve(&arguments["of"].mechanism("of")?)
    }
}

fn resolve(text: &str, base: &Path) -> std::result::Result<Boxed, String> {
    resolve_with(Some(tools()), text, base)
}

fn resolve_with(
    tools: Option<Rc<Tools>>,
    text: &str,
    base: &Path,
) -> std::result::Result<Boxed, String> {
    let context = Context { tools, catalogue: &Wrappers, limits: Limits::default() };
    Spec::parse(text, base)
        .and_then(|spec| context.resolve(&spec))
        .map_err(|e: Error| e.to_string())
}

#[test]
fn arguments_files_and_nesting() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path();
    let write = |name: &str, text: &str| fs::write(base.join(name), text).unwrap();
    write(
        "coin.rhai",
        "fn kind() { \"predictor\" } fn start() { 0 } fn predict(s, x) { flip(param(\"p\", 1/2)) } fn observe(s, x, y) { s }",
    );
    write("table.json", &manual_table("", ""));
    write("inner.toml", "use = \"coin.rhai\"\np = \"1/3\"\n");
    write(
        "outer.toml",
        "use = \"wrap\"\ngamma = \"0.25\"\nof = { use = \"wrap\", of = \"@inner.toml\" }\n",
    );
    write("list.toml", "use = \"wrap\"\nof = [\"a\", 1, true]\n");
    write("float.toml", "use = \"wrap\"\ngamma = 0.25\n");
    write("broken.toml", "use = \n");
    write("none.toml", "gamma = 1\n");
    write("loop.toml", "use = \"wrap\"\nof = { use = \"loop.toml\" }\n");
    write("itself.toml", "use = \"itself.toml\"\n");
    write("gamma.txt", "1/8\n");

    let of = |mechanism: Boxed| {
        let state = mechanism.start().unwrap().into_vec()[0].0;
        let law = mechanism.respond(&state, 0).unwrap().into_vec();
        law.into_iter().find(|((output, _), _)| output == "1").unwrap().1.to_string()
    };
    let heads = |text: &str| of(resolve(text, base).unwrap());
    assert_eq!(heads("coin.rhai"), "1/2");
    assert_eq!(heads("coin.rhai:p=min(1/4,1/5)"), "1/5");
    assert_eq!(heads("coin.rhai: p = @gamma.txt"), "1/8");
    assert_eq!(of(resolve_with(None, "table.json", base).unwrap()), "1/2");
    let other = resolve("table.json", base).unwrap_err();
    assert!(other.ends_with("the table is over the points a, the class over a, b"), "{other}");
    assert_eq!(heads("inner.toml"), "1/3");
    assert_eq!(heads("inner.toml:p=1/7"), "1/7");
    assert_eq!(heads("outer.toml"), "1/3");
    assert_eq!(heads("wrap:of=@coin.rhai,gamma=1"), "1/2");
    // Paths within parameters start where the mechanism's do.
    assert_eq!(heads("wrap:of=(coin.rhai:p=1/5),gamma=1"), "1/5");
    assert_eq!(heads("wrap:gamma=1,of=coin.rhai:p=1/5"), "1/5");
    assert_eq!(heads("wrap:of=(wrap:of=(coin.rhai:p=1/5),gamma=1)"), "1/5");
    assert_eq!(heads("wrap:gamma=1,of=@coin.rhai"), "1/2");
    assert_eq!(heads("wrap:gamma=1,of=inner.toml"), "1/3");

    let spec = Spec::parse("list.toml", base).unwrap();
    assert_eq!(spec.target, Target::Name("wrap".into()));
    let items = ["a", "1", "true"].map(|text| Argument::Text(text.into()));
    assert_eq!(spec.arguments["of"], Argument::List(items.to_vec()));

    let shown = |name: &str| base.join(name).display().to_string();
    for (text, expected) in [
        ("wrp", "there is no mechanism `wrp` (the nearest is `wrap`)\n  help: `littlestone list mechanisms` shows all; files end in .rhai, .json or .toml".to_owned()),
        ("wrap", "`wrap` needs a value for its parameter `of`\n  help: write wrap:of=…".into()),
        ("wrap:of=@inner.toml,gama=1", "`wrap` has no parameter `gama` (the nearest is `gamma`)\n  help: its parameters are of, gamma".into()),
        ("wrap:of=@inner.toml,gamma=2", "the parameter `gamma` takes a number in [0, 1], not `2`".into()),
        ("wrap:of=@inner.toml,gamma=x", "the parameter `gamma` is not a number: `x`:1:1: expected a number, found the unknown name `x`".into()),
        ("wrap:of", "`wrap:of`: expected key=value, found `of`".into()),
        ("wrap:of=a,of=b", "`wrap:of=a,of=b`: expected each parameter once, found `of` twice".into()),
        ("", "``: expected a mechanism, found nothing".into()),
        ("table.json:p=1", format!("`{}` has no parameter `p`\n  help: it has no parameters", shown("table.json"))),
        ("coin.rhai:q=1", format!("`{}` has no parameter `q`\n  help: its parameters are p", shown("coin.rhai"))),
        ("list.toml", "the parameter `of` takes a mechanism, not a list".into()),
        ("float.toml", format!("{}: gamma: expected an exact number as a string, such as \"1/4\" or \"0.25\", found a TOML float, which is not exact", shown("float.toml"))),
        ("none.toml", format!("{}: expected `use`, the name or file of a mechanism, found a table without it", shown("none.toml"))),
        ("absent.rhai", format!("{}: no such file", shown("absent.rhai"))),
    ] {
        assert_eq!(resolve(text, base).unwrap_err(), expected, "{text}");
    }
    let error = resolve("broken.toml", base).unwrap_err();
    assert!(error.starts_with(&format!("{}:1:", shown("broken.toml"))), "{error}");
    for text in ["loop.toml", "itself.toml"] {
        let error = resolve(text, base).unwrap_err();
        assert!(error.contains("at most 32 nested mechanisms"), "{error}");
    }
    let without = Context { tools: None, catalogue: &NoCatalogue, limits: Limits::default() };
    assert!(without.class("soa").unwrap_err().to_string().contains("needs a class"));
    let spec = Spec::parse("name", base).unwrap();
    assert!(without.resolve(&spec).is_err());
}
