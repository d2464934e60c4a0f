//! Inputs to start from: the files of `examples/` and `checks/`, what the commands write, and a few
//! lines for what has no files.

use std::fs;
use std::path::{Path, PathBuf};

use littlestone::cli::{self, Output};

/// The longest seed, in bytes: mutations of longer ones teach little.
const LONGEST: usize = 1 << 14;

/// The seeds of a target, always in the same order. `root` is the folder of the package; files
/// are written to `folder`.
pub fn seeds(name: &str, root: &Path, folder: &Path) -> Vec<Vec<u8>> {
    let mut seeds: Vec<Vec<u8>> = match name {
        "class_csv" => files(root, &["csv"]),
        "class_text" => files(root, &["txt"]),
        "class_json" => files(&root.join("examples"), &["json"]),
        "class_spec" => [lines(CLASSES), values(root, "class")].concat(),
        "stream" => lines(STREAMS),
        "distribution" => lines(DISTRIBUTIONS),
        "number" => lines(NUMBERS),
        "epsilon_delta" => [lines(NUMBERS), lines(EPSILONS)].concat(),
        "mechanism_spec" => [lines(MECHANISMS), values(root, "mechanism")].concat(),
        "mechanism_table" => written(folder, TABLES),
        "mechanism_toml" => lines(MECHANISM_FILES),
        "script" => files(root, &["rhai"]),
        "claims" => files(&root.join("checks"), &["toml"]),
        "certificate" => {
            [files(&root.join("checks"), &["json"]), written(folder, CERTIFICATES)].concat()
        }
        "pairs" => lines(PAIRS),
        "counterexample" => written(folder, COUNTEREXAMPLES),
        "partial" => written(folder, PARTS),
        _ => Vec::new(),
    };
    seeds.retain(|seed| seed.len() <= LONGEST);
    seeds.sort();
    seeds.dedup();
    assert!(!seeds.is_empty(), "{name} starts from something");
    seeds
}

const CLASSES: &[&str] = &[
    "point:3",
    "dual(restrict(point:5; 1:0))",
    "product(cube:2, threshold:3)",
    "union(interval:3; complement(point:3, 1))",
    "project(subsets:4,2; 1, 2)",
    "random:4,3,7",
];
const STREAMS: &[&str] = &["3:0,1:1", "1:0\n2:0 # a comment\n3:1\n", " 4:1 , 4:1", ""];
const DISTRIBUTIONS: &[&str] =
    &["1/2 1:0,2:0;1/2 3:1,3:1", "1/3 1:0\n2/3 2:1 # a comment\n", "exp(-1/2) 1:1;1-exp(-1/2) 1:0"];
const NUMBERS: &[&str] = &[
    "3/4",
    "0.25",
    "25e-2",
    "2^-10",
    "1/2 - 1/8*exp(1/2)",
    "(1)/(1 + exp(1/2))",
    "max(1/3, min(2, abs(-3))) ** 2 + binomial(5, 2) - floor(exp(1)) * ceil(7/2)",
];
const EPSILONS: &[&str] = &["ln(3/2)", "ln 2", "ln(3/4 + 1/4*exp(1))", "ln((exp(1) + 1)/(2))"];
const MECHANISMS: &[&str] = &[
    "subsampled-soa:gamma=1/4,flip=1/8",
    "subsample:of=(hazard-learner:table=(0,1/2)),gamma=1/3,dummy=1:0",
    "randomised-response:flip=(1)/(1+exp(1/2))",
    "compose:of=(constant:flip=1/4),k=2",
    "sparse-vector:variant=1,queries=2,threshold=1/4,query=1/4",
];
const MECHANISM_FILES: &[&str] = &[
    "format = 1\nkind = \"mechanism\"\nmechanism = \"subsampled-soa\"\n[parameters]\ngamma = \"1/4\"\n",
    "mechanism = \"constant\"\nflip = \"1/4\"\n",
];
const PAIRS: &[&str] = &["0,0 | 0,1\n1 | 0 # a comment\n", "0 | 1\n"];

/// Commands, a word after each space, that write a file, the `@`, or print it.
type Commands = &'static [&'static str];

const TABLES: Commands = &[
    "compile subsampled-soa:gamma=1/4 --class point:2 --rounds 2",
    "compile randomised-response:flip=1/4 --rounds 2",
];
const CERTIFICATES: Commands = &[
    "verify soa --class point:2 --rounds 2 --epsilon 0 --certificate @",
    "verify constant:flip=1/4 --class point:2 --rounds all --epsilon ln(3) --delta 0 --certificate @",
    "verify randomised-response:flip=1/4 --rounds 2 --epsilon 1/2 --delta 0 --certificate @",
    "minimax point:2 --rounds 2 --epsilon ln(2) --certificate @",
    "dim interval:3 --certificate @",
];
const COUNTEREXAMPLES: Commands = &[
    "verify soa --class point:2 --rounds 2 --epsilon 0 --delta 0 --counterexample @",
    "verify soa --class point:2 --rounds 2 --epsilon 0 --joint --delta 0 --format json",
    "verify randomised-response:flip=1/4 --rounds 2 --epsilon 1/2 --delta 0 --counterexample @",
];
const PARTS: Commands = &[
    "verify soa --class point:2 --rounds 2 --epsilon 0 --shard 1/1 --partial @",
    "verify constant:flip=1/4 --class point:2 --rounds 2 --epsilon 1/2 --delta 0 --shard 1/2 --partial @",
];

fn lines(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// The files below a folder with one of these endings.
fn files(folder: &Path, endings: &[&str]) -> Vec<Vec<u8>> {
    let wanted = |path: &Path| path.extension().is_some_and(|e| endings.iter().any(|w| e == *w));
    let mut found = Vec::new();
    for name in ["examples", "checks", "classes", "mechanisms"] {
        walk(&folder.join(name), &mut found);
    }
    if found.is_empty() {
        walk(folder, &mut found);
    }
    found.retain(|path| wanted(path));
    found.sort();
    found.iter().map(|path| fs::read(path).expect("a file of the package")).collect()
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("an entry of a folder").path();
        if path.is_dir() {
            walk(&path, found);
        } else {
            found.push(path);
        }
    }
}

/// What the claims of `checks/` give as `key = "…"`.
fn values(root: &Path, key: &str) -> Vec<Vec<u8>> {
    let start = format!("{key} = \"");
    let mut values = Vec::new();
    for file in files(&root.join("checks"), &["toml"]) {
        let text = String::from_utf8(file).expect("claim files are UTF-8");
        let found = text.lines().filter_map(|line| line.strip_prefix(&start)?.strip_suffix('"'));
        values.extend(found.map(|value| value.as_bytes().to_vec()));
    }
    values.sort();
    values.dedup();
    values
}

/// What commands write to `@`, or else print.
fn written(folder: &Path, commands: Commands) -> Vec<Vec<u8>> {
    let path = folder.join("written");
    let run = |command: &&str| {
        let words = || command.split(' ');
        let at = |word: &str| if word == "@" { path.clone().into() } else { word.into() };
        let args = std::iter::once("littlestone".into()).chain(words().map(at));
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let code = cli::run(args, Output::new(&mut stdout, &mut stderr));
        assert!(code < 2, "{command:?}: {}", String::from_utf8_lossy(&stderr));
        if words().any(|word| word == "@") {
            fs::read(&path).expect("a file was written")
        } else {
            stdout
        }
    };
    commands.iter().map(run).collect()
}
