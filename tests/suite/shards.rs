//! Job arrays from outside: the parts of a verdict, put together, print what a single run prints.

use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::{contains, is_empty};

use crate::support::program::{littlestone, refuses, words};

/// Runs one part, and returns its file.
fn part(folder: &Path, question: &str, index: usize, count: usize) -> PathBuf {
    let path = folder.join(format!("{index}-{count}.json"));
    let shard = format!("{index}/{count}");
    let mut args = vec!["verify"];
    args.extend(words(question));
    args.extend(["--shard", &shard, "--partial", path.to_str().expect("UTF-8")]);
    littlestone(&args).assert().code(0).stdout(is_empty());
    path
}

fn merge(files: &[PathBuf], rest: &[&str]) -> Command {
    let mut args = vec!["merge"];
    args.extend(files.iter().map(|path| path.to_str().expect("UTF-8")));
    args.extend(rest);
    littlestone(&args)
}

fn printed(mut command: Command) -> Output {
    command.output().expect("runs")
}

const QUESTIONS: [&str; 9] = [
    "subsampled-soa:gamma=1/4 --class point:3 --rounds 3 --epsilon 0 --delta 1/5 --joint",
    "subsampled-soa:gamma=1/8,flip=1/4 --class point:3 --rounds 1..3 --epsilon ln(3/2) --joint",
    "subsampled-soa:gamma=1/8 --class point:3 --rounds 3 --epsilon 0 --delta 1/8",
    "subsampled-soa-learner:gamma=1/4 --class point:3 --rounds 3 --epsilon 1/2 --delta 1/4",
    "subsampled-soa:gamma=1/4 --class point:3 --rounds 3 --epsilon 0 --delta 1/5 --decide-only",
    "subsampled-soa:gamma=1/4 --class threshold:3 --rounds 3 --epsilon 0 --delta 1/5 \
     --streams realisable",
    "randomised-response --rounds 2 --epsilon 1/2 --delta 1/100",
    "randomised-response-one-shot --rounds 2 --epsilon 1/2 --delta 1/100",
    "fair-bits --class point:3 --rounds 2 --epsilon 0 --delta 0 --joint",
];

#[test]
fn merged_parts_print_what_a_single_run_prints() {
    let folder = tempfile::tempdir().expect("a folder");
    for question in QUESTIONS {
        let formats = [&[][..], &["--format", "json"]];
        let single = formats.map(|format| {
            let mut args = vec!["verify"];
            args.extend(words(question));
            args.extend(format);
            printed(littlestone(&args))
        });
        assert!(matches!(single[0].status.code(), Some(0 | 1)), "{question}: {single:?}");
        for count in [1, 2, 3, 4, 5, 6, 7] {
            let mut files: Vec<PathBuf> =
                (1..=count).map(|i| part(folder.path(), question, i, count)).collect();
            files.rotate_left(count / 2);
            for (format, single) in formats.iter().zip(&single) {
                let merged = printed(merge(&files, format));
                let texts = [&merged, single]
                    .map(|output| String::from_utf8(output.stdout.clone()).expect("UTF-8"));
                assert_eq!(texts[0], texts[1], "{question} in {count} parts");
                assert_eq!(merged.status.code(), single.status.code());
            }
        }
    }
}

#[test]
fn a_merged_verdict_has_its_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let files: Vec<PathBuf> = (1..=3).map(|i| part(folder.path(), QUESTIONS[0], i, 3)).collect();
    let outside = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let (proof, pair, single) = (outside("proof"), outside("pair"), outside("single"));
    merge(&files, &["--certificate", &proof, "--counterexample", &pair]).assert().code(1);
    littlestone(&["recheck", &proof]).assert().code(0);
    littlestone(&["replay", &pair]).assert().code(0);
    let mut args = vec!["verify"];
    args.extend(words(QUESTIONS[0]));
    args.extend(["--certificate", &single]);
    littlestone(&args).assert().code(1);
    let read = |path: &str| std::fs::read(path).expect("it was written");
    assert_eq!(read(&proof), read(&single));
}

#[test]
fn parts_that_are_missing_doubled_or_foreign_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let other = folder.path().join("other");
    std::fs::create_dir(&other).expect("a folder");
    let files: Vec<PathBuf> = (1..=3).map(|i| part(folder.path(), QUESTIONS[0], i, 3)).collect();
    refuses(merge(&files[..2], &[]), "part 3/3 is missing");
    refuses(merge(&[&files[..], &files[1..2]].concat(), &[]), "part 2/3 is given twice, by ");
    let foreign = part(&other, &QUESTIONS[0].replace("1/5", "1/6"), 2, 3);
    let mixed = [files[0].clone(), foreign, files[2].clone()];
    refuses(merge(&mixed, &[]), "other/2-3.json is about another question than ");
    refuses(merge(&mixed, &[]), "the key `delta` differs");
    let foreign = part(&other, &QUESTIONS[0].replace("1/4", "1/3"), 2, 3);
    refuses(
        merge(&[files[0].clone(), foreign, files[2].clone()], &[]),
        "the key `automaton` differs",
    );
    let of_four = part(&other, QUESTIONS[0], 2, 4);
    refuses(merge(&[files[0].clone(), of_four], &[]), "is part 2/4 and ");
    std::fs::write(other.join("x.json"), "{}").expect("written");
    refuses(merge(&[other.join("x.json")], &[]), "a partial result of `verify --shard`");
    refuses(merge(&[other.join("none.json")], &[]), "none.json");
    let text = std::fs::read_to_string(&files[0]).expect("it was written");
    let older = text.replace("\"producer\": \"littlestone ", "\"producer\": \"littlestone 0");
    std::fs::write(other.join("older.json"), older).expect("written");
    let mixed = [other.join("older.json"), files[1].clone(), files[2].clone()];
    refuses(merge(&mixed, &[]), "which may cut questions in another way");
}

#[test]
fn what_has_no_parts_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("1.json");
    let path = path.to_str().expect("UTF-8");
    let run = |question: &str, shard: &str| {
        let mut args = vec!["verify"];
        args.extend(words(question));
        args.extend(["--shard", shard, "--partial", path]);
        littlestone(&args)
    };
    for shard in ["0/3", "4/3", "1", "1/0", "a/b", "-1/3"] {
        run(QUESTIONS[0], shard).assert().code(2);
    }
    refuses(run(&QUESTIONS[0].replace("--rounds 3", "--rounds all"), "1/2"), "--rounds all");
    refuses(run(&format!("{} --format json", QUESTIONS[0]), "1/2"), "a part has no report");
    let realisable = format!("{} --streams realisable", QUESTIONS[4]);
    refuses(run(&realisable, "1/2"), "--decide-only");
    let mut args = vec!["verify"];
    args.extend(words(QUESTIONS[0]));
    littlestone(&[&args[..], &["--shard", "1/2"]].concat()).assert().code(2);
    littlestone(&[&args[..], &["--partial", path]].concat()).assert().code(2);
}

/// A part that hits a limit says so, and the merged verdict is an interval.
#[test]
fn a_part_that_is_not_done_leaves_an_interval() {
    let folder = tempfile::tempdir().expect("a folder");
    let question = QUESTIONS[1].replace("1..3", "3");
    let one = part(folder.path(), &question, 1, 2);
    let two = folder.path().join("2.json");
    let mut args = vec!["verify"];
    args.extend(words(&question));
    args.extend(["--shard", "2/2", "--partial", two.to_str().expect("UTF-8")]);
    args.extend(["--limit-states", "3"]);
    littlestone(&args).assert().code(3).stderr(contains("this part is not done"));
    merge(&[one, two], &[])
        .assert()
        .code(3)
        .stdout(contains("≤ worst δ ≤").and(contains("verdict: undecided")));
}
