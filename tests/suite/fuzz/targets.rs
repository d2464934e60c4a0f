//! What is fuzzed: one target for each reader of littlestone.
//!
//! A target hands its bytes to the reader the way a user would, mostly through [`cli::run`] on a
//! file, with limits. It panics on what must not happen: a panic of the library, an exit code that
//! is none of the documented ones, an error without a message, a number that is not read back.
//! The tests run all targets on a few inputs. The crate in `fuzz/` includes this file for `cargo
//! fuzz`, which runs one of them for long; see CONTRIBUTING.md.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::Path;

use littlestone::cli::{self, Output};
use littlestone::exact::{Epsilon, Number, parse_rational};
use littlestone::mechanism::expression;

/// A reader and the way to it.
#[derive(Debug)]
pub struct Target {
    /// The name, which is that of the program in `fuzz_targets/`.
    pub name: &'static str,
    door: Door,
}

#[derive(Debug)]
enum Door {
    /// The bytes are a file of this name, the `@` of the commands.
    File(&'static str, &'static [&'static [&'static str]]),
    /// The bytes are an argument, the `@` of the commands.
    Argument(&'static [&'static [&'static str]]),
    /// The bytes are a text for the library.
    Text(fn(&str)),
}

use Door::{Argument, File, Text};

const fn target(name: &'static str, door: Door) -> Target {
    Target { name, door }
}

/// All targets.
pub const TARGETS: &[Target] = &[
    target("class_csv", File("in.csv", &[&["dim", "@", "--vc"]])),
    target("class_text", File("in.txt", &[&["dim", "@", "--vc"]])),
    target("class_json", File("in.json", &[&["dim", "@", "--vc"]])),
    target("class_spec", Argument(&[&["dim", "--", "@"]])),
    target("stream", File("in.txt", &[&["soa", "point:4", "--stream", "@"]])),
    target(
        "distribution",
        File("in.txt", &[&["mistakes", "soa", "--class", "point:3", "--distribution", "@"]]),
    ),
    target("number", Text(number)),
    target("epsilon_delta", Text(epsilon_delta)),
    target(
        "mechanism_spec",
        Argument(&[
            &["verify", "--class", "point:2", "--rounds", "1", "--epsilon", "1/2", "--", "@"],
            &["verify", "--rounds", "1", "--epsilon", "1/2", "--", "@"],
        ]),
    ),
    target(
        "mechanism_table",
        File("in.json", &[&["verify", "@", "--rounds", "2", "--epsilon", "1/2"]]),
    ),
    target(
        "mechanism_toml",
        File(
            "in.toml",
            &[&["verify", "@", "--class", "point:2", "--rounds", "1", "--epsilon", "1/2"]],
        ),
    ),
    target(
        "script",
        File(
            "in.rhai",
            &[&["verify", "@", "--class", "point:2", "--rounds", "1", "--epsilon", "1/2"]],
        ),
    ),
    target("claims", File("in.toml", &[&["check", "@"]])),
    target("certificate", File("in.json", &[&["recheck", "@"]])),
    target(
        "pairs",
        File(
            "in.txt",
            &[&["verify", "randomised-response-one-shot", "--epsilon", "1/2", "--neighbours", "@"]],
        ),
    ),
    target("counterexample", File("in.json", &[&["replay", "@"]])),
    target("partial", File("in.json", &[&["merge", "@"]])),
];

/// The target of a name.
pub fn find(name: &str) -> &'static Target {
    TARGETS.iter().find(|target| target.name == name).expect("the name of a target")
}

impl Target {
    /// Runs the target on an input. Files are written to `folder`.
    pub fn run(&self, folder: &Path, bytes: &[u8]) {
        match self.door {
            Text(run) => {
                if let Ok(text) = str::from_utf8(bytes) {
                    run(text);
                }
            }
            Argument(commands) => {
                let Ok(text) = str::from_utf8(bytes) else { return };
                for command in commands {
                    call(command, text.into());
                }
            }
            File(name, commands) => {
                let path = folder.join(name);
                fs::write(&path, bytes).expect("a folder for files");
                for command in commands {
                    call(command, path.clone().into());
                }
            }
        }
    }
}

/// Runs a command with limits and looks at how it ends.
#[expect(clippy::needless_pass_by_value, reason = "its callers make it on the spot")]
fn call(command: &[&str], input: OsString) {
    let command = command.iter();
    let limits: &[&str] = match *command.clone().next().expect("a subcommand") {
        "merge" | "replay" => &[],
        "recheck" => &["--limit-states", "2000", "--timeout", "50ms"],
        _ => &["--limit-states", "2000", "--timeout", "50ms", "--jobs", "1"],
    };
    let mut args: Vec<OsString> = vec!["littlestone".into()];
    let mut command = command.map(|word| if *word == "@" { input.clone() } else { word.into() });
    args.extend(command.next());
    args.extend(limits.iter().map(OsString::from));
    args.extend(command);
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let code = cli::run(args, Output::new(&mut stdout, &mut stderr));
    assert!(code <= 4, "exit code {code}");
    let (stdout, stderr) = (String::from_utf8(stdout), String::from_utf8(stderr));
    assert!(stdout.is_ok(), "results are UTF-8");
    let stderr = stderr.expect("messages are UTF-8");
    assert!(code != 2 || !stderr.is_empty(), "an error has a message");
}

/// Whatever is read as a number is shown as a text that is read as the same number.
fn number(text: &str) {
    if let Ok(value) = parse_rational(text) {
        assert_eq!(parse_rational(&value.to_string()), Ok(value), "{text}");
    }
    if let Ok(value) = expression::evaluate(text, &BTreeMap::new()) {
        read_back(&value);
    }
}

fn read_back(value: &Number) {
    let shown = value.to_string();
    // Digits and lengths have limits, which a number may pass that powers and products have made.
    if shown.len() < 10_000 {
        let read = expression::evaluate(&shown, &BTreeMap::new());
        assert_eq!(read.as_ref().ok(), Some(value), "{shown}");
    }
}

/// Whatever is read as an ε is shown as a text that is read as the same ε.
fn epsilon_delta(text: &str) {
    if let Ok(epsilon) = Epsilon::parse(text) {
        let shown = epsilon.to_string();
        if shown.len() < 10_000 {
            assert_eq!(Epsilon::parse(&shown), Ok(epsilon), "{text}");
        }
    }
}
