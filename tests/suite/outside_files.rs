//! Files: what is written is never an input or another output of the same call, what is read has a
//! limit and a form that is decided, and what one command writes another one reads. Rows of the list of
//! failing inputs are named where they are tested.

use std::fs;
use std::path::Path;

use crate::support::program::littlestone;

/// Runs a line of arguments in `folder`: exit code and both streams.
fn run(folder: &Path, line: &str) -> (i32, String, String) {
    let words: Vec<&str> = line.split(' ').filter(|word| !word.is_empty()).collect();
    let output = littlestone(&words).current_dir(folder).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// As [`run`], with the exit code that is expected; standard output.
#[track_caller]
fn ends(folder: &Path, line: &str, code: i32) -> String {
    let (found, stdout, stderr) = run(folder, line);
    assert_eq!(found, code, "{line}\n{stdout}\n{stderr}");
    stdout
}

#[track_caller]
fn refused(folder: &Path, line: &str, message: &str) {
    let (code, stdout, stderr) = run(folder, line);
    assert_eq!(code, 2, "{line}\n{stderr}");
    // `check` counts its errors where results go.
    assert!(stdout.is_empty() || line.starts_with("check"), "{line}\n{stdout}");
    assert!(stderr.contains(message), "{line}\n{stderr}");
}

const CLASS: &str = "a,b\n0,1\n1,0\n";

/// A folder with a class, a script in a folder below, a mechanism file and links.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("in.csv"), CLASS).unwrap();
    fs::write(path("pairs.txt"), "0 | 1\n").unwrap();
    fs::write(path("m.toml"), "use = \"randomised-response\"\nflip = \"@p.txt\"\n").unwrap();
    fs::write(path("p.txt"), "1/3\n").unwrap();
    fs::hard_link(path("p.txt"), path("p.svg")).unwrap();
    fs::write(path("stream.txt"), "a:0\n").unwrap();
    folder
}

/// Row `dim in.csv --certificate in.csv`; `--certificate o --tree o`. The inputs keep what they hold.
#[test]
fn an_output_is_no_input_and_no_other_output() {
    let folder = folder();
    let here = folder.path();
    let input = "is an input of the same command";
    refused(here, "dim in.csv --certificate in.csv", input);
    refused(here, "dim in.csv --tree ./absent/in.csv", "there is no folder");
    refused(here, "dim product(in.csv,point:2) --certificate ./in.csv", input);
    refused(
        here,
        "dim in.csv --certificate o.json --tree ./o.json",
        "is the file of --tree as well",
    );
    refused(here, "decompose in.csv --p 1 --certificate in.csv", input);
    refused(here, "export in.csv --at-least 1 --to dimacs -o in.csv", input);
    refused(here, "minimax in.csv --rounds 1 --epsilon 1 --certificate in.csv", input);
    refused(
        here,
        "minimax in.csv --rounds 1 --epsilon 1 --certificate o.json --save-learner o.json",
        "as well",
    );
    let verify = "verify m.toml --rounds 1 --epsilon 0 --delta 0";
    refused(here, &format!("{verify} --counterexample m.toml"), input);
    refused(here, &format!("{verify} --counterexample p.txt"), input);
    refused(here, &format!("{verify} --counterexample o --certificate o"), "as well");
    refused(
        here,
        "verify randomised-response-one-shot:flip=1/3 --neighbours pairs.txt --epsilon 0 --delta 0 --certificate pairs.txt",
        input,
    );
    refused(here, "compile m.toml -o m.toml", input);
    refused(here, "profile m.toml --rounds 1 --plot p.svg", "is an input");
    refused(
        here,
        "mistakes constant --class in.csv --stream stream.txt --certificate stream.txt",
        input,
    );
    for name in ["in.csv", "m.toml", "p.txt", "pairs.txt", "stream.txt"] {
        assert!(!fs::read_to_string(here.join(name)).unwrap().contains("format"), "{name}");
    }
    assert!(!here.join("o.json").exists() && !here.join("o").exists());
}

#[cfg(unix)]
#[test]
fn links_lead_to_the_same_file() {
    let folder = folder();
    let here = folder.path();
    std::os::unix::fs::symlink("in.csv", here.join("soft.json")).unwrap();
    fs::hard_link(here.join("in.csv"), here.join("hard.json")).unwrap();
    std::os::unix::fs::symlink("new.json", here.join("ahead.json")).unwrap();
    for link in ["soft.json", "hard.json"] {
        refused(here, &format!("dim in.csv --certificate {link}"), "is an input");
        refused(here, &format!("dim {link} --header yes --certificate in.csv"), "is an input");
    }
    refused(here, "dim in.csv --certificate new.json --tree ahead.json", "as well");
    assert_eq!(fs::read_to_string(here.join("in.csv")).unwrap(), CLASS);
    // A link of another file stays a link, and devices are written as they are.
    ends(here, "dim in.csv --certificate ahead.json", 0);
    assert!(here.join("ahead.json").is_symlink() && here.join("new.json").is_file());
    ends(here, "dim in.csv --certificate /dev/null --tree ahead.json", 0);
}

/// Row `dim header-or-row.csv`. With the header there are three hypotheses on two points; without it
/// four, all functions on two points, of dimension 2.
#[test]
fn a_first_line_of_labels_is_ambiguous() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let write = |name: &str, text: &str| fs::write(here.join(name), text).unwrap();
    write("header-or-row.csv", "0,1\n1,0\n1,1\n0,0\n");
    refused(here, "dim header-or-row.csv", "--header no");
    refused(here, "dim dual(header-or-row.csv)", "--header yes");
    refused(here, "verify constant --class header-or-row.csv --rounds 1 --epsilon 0", "--header");
    let dimension = |line: &str| ends(here, line, 0);
    let with = dimension("dim header-or-row.csv --header yes");
    assert!(with.contains("(3 hypotheses, 2 points)"), "{with}");
    assert!(with.contains("Littlestone dimension: 1"), "{with}");
    let without = dimension("dim header-or-row.csv --header no");
    assert!(without.contains("(4 hypotheses, 2 points)"), "{without}");
    assert!(without.contains("Littlestone dimension: 2"), "{without}");
    let product = dimension("dim product(header-or-row.csv,point:2) --header no");
    assert!(product.contains("Littlestone dimension: 3"), "{product}");
    // Every command that loads a class has the option.
    for line in [
        "soa header-or-row.csv --stream 1:0",
        "decompose header-or-row.csv --p 1",
        "candidates header-or-row.csv --stream 1:0",
        "adversary thirds --class header-or-row.csv --rounds 3 --p 1/2 --dummy 1:0 --informative 2",
        "bounds learning --class header-or-row.csv --rounds 8 --epsilon 1 --delta 1/8",
        "export header-or-row.csv --at-least 1 --to dimacs",
        "minimax header-or-row.csv --rounds 1 --epsilon 1",
        "verify constant --class header-or-row.csv --rounds 1 --epsilon 0 --streams realisable",
        "mistakes constant --class header-or-row.csv --rounds 1 --worst",
        "profile constant --class header-or-row.csv --rounds 1",
        "compile constant --class header-or-row.csv --rounds 1",
        "concentrated constant-learner --class header-or-row.csv --rounds 1",
    ] {
        let (code, _, stderr) = run(here, &format!("{line} --header no"));
        assert!(code != 2 && !stderr.contains("error"), "{line}: {code}\n{stderr}");
        refused(here, line, "--header");
    }
    // What is not ambiguous stays as it is: rows `one.csv` and `two.csv`, names in a first column,
    // text, and points that are called 0 and 1 in JSON.
    write("one.csv", "a,b\n1,1\n");
    write("two.csv", "1,2\n1,0\n0,1\n");
    write("named.csv", "name,0,1\nf,1,0\n");
    write("text.txt", "01\n10\n");
    write("json.json", "{\"points\": [\"0\", \"1\"], \"hypotheses\": [{\"labels\": \"01\"}]}");
    for (name, hypotheses) in
        [("one.csv", 1), ("two.csv", 2), ("named.csv", 1), ("text.txt", 2), ("json.json", 1)]
    {
        let shown = dimension(&format!("dim {name}"));
        assert!(shown.contains(&format!("({hypotheses} hypothes")), "{name}: {shown}");
    }
    refused(here, "dim named.csv --header no", "expected 0 or 1, found `name`");
    refused(here, "dim text.txt --header no", "no file that may have a header");
    refused(here, "dim point:3 --header yes", "no file that may have a header");
    refused(here, "dim two.csv --header maybe", "expected yes or no");
    // One column, also without an ending that says what it is.
    write("column", "1\n0\n1\n");
    assert!(dimension("dim column").contains("(2 hypotheses, 1 point)"));
    assert!(dimension("dim column --header yes").contains("(2 hypotheses, 1 point)"));
    write("column.csv", "1\n0\n1\n");
    refused(here, "dim column.csv", "--header");
    // The same key in a claim.
    let claim = |header: &str| {
        format!(
            "[[claim]]\nname = \"a\"\npaper = \"Definition 6\"\nkind = \"littlestone-dimension\"\n\
             class = \"header-or-row.csv\"\nequals = 2\nexpect = \"holds\"\n{header}\n"
        )
    };
    write("no.toml", &claim("header = \"no\""));
    write("none.toml", &claim(""));
    write("wrong.toml", &claim("header = \"maybe\""));
    ends(here, "check no.toml", 0);
    refused(here, "check none.toml", "header = \"no\"");
    refused(here, "check wrong.toml", "wrong.toml:8:10: expected yes or no");
}

/// Row `/dev/zero` as a claim file: every reader ends at once, and says what is wrong.
#[cfg(target_os = "linux")]
#[test]
fn endless_files_and_folders_are_refused() {
    let folder = folder();
    let here = folder.path();
    fs::create_dir(here.join("d.rhai")).unwrap();
    for name in ["zero.rhai", "zero.json", "zero.toml", "zero.csv"] {
        std::os::unix::fs::symlink("/dev/zero", here.join(name)).unwrap();
    }
    let text = "expected text, found a NUL byte";
    for line in [
        "check /dev/zero",
        "dim zero.csv",
        "verify zero.rhai --rounds 1 --epsilon 0",
        "verify zero.json --rounds 1 --epsilon 0",
        "verify zero.toml --rounds 1 --epsilon 0",
        "verify randomised-response:flip=@zero.csv --rounds 1 --epsilon 0",
        "verify randomised-response-one-shot:flip=1/3 --neighbours /dev/zero --epsilon 0",
        "soa in.csv --stream /dev/zero",
        "mistakes constant --class in.csv --distribution /dev/zero",
        "replay /dev/zero",
    ] {
        refused(here, line, text);
    }
    // These say where their JSON is malformed.
    for line in ["recheck /dev/zero", "merge /dev/zero"] {
        refused(here, line, "zero");
    }
    for line in
        ["verify d.rhai --rounds 1 --epsilon 0", "recheck d.rhai", "replay d.rhai", "merge d.rhai"]
    {
        refused(here, line, "directory");
    }
}
