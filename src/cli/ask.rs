//! `littlestone ask`: questions as JSON lines, answers as JSON lines.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;

use crate::error::Error;
use crate::file::MAX_TEXT_BYTES;
use crate::limits::Limits;
use crate::questions::request::{Line, Reply, reply};
use crate::questions::{Ending, Run, Shared};

use super::common::LimitArgs;
use super::exit;
use super::output::{Failure, Outcome, Output};

/// Answer many questions: requests as JSON lines, answers in the same order.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// A file of requests; standard input when it is left out, or `-`.
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitArgs,
}

const AFTER_HELP: &str = "\
Examples:
  echo '{\"question\": \"dimension\", \"class\": \"point:3\"}' | littlestone ask
  littlestone ask requests.jsonl --jobs 4

A request is the name of a question with its fields, which are those of its command and its claims.
It may carry an `id`, which is given back, and limits of its own: `timeout`, `limit_states`,
`limit_memory`. A line that is no request gets an error object, and the rest go on.
--jobs is the number of requests that are answered at the same time.
Exit codes: 0 all answered, 1 some verdict is refuted, 2 some request is malformed, 3 some answer is
undecided, 4 there was no request.";

/// A request, or the answer to it, with its place.
type Numbered<T> = (usize, T);

pub(super) fn run(args: &Args, output: &mut Output<'_>) -> Outcome {
    let limits = args.limits.limits(output)?;
    // Results are printed as they come: there is nothing for a backstop to add.
    output.stand_down();
    let input: Box<dyn BufRead + Send> = match &args.file {
        Some(path) if path != Path::new("-") => {
            let file = File::open(path).map_err(|error| Error::file(path, &error))?;
            Box::new(BufReader::new(file))
        }
        _ => Box::new(BufReader::new(io::stdin())),
    };
    let (requests, waiting) = mpsc::sync_channel(1024);
    thread::spawn(move || read(input, &requests));
    let waiting = Arc::new(Mutex::new(waiting));
    let shared = Arc::new(Shared::default());
    let (answers, answered) = mpsc::channel();
    for _ in 0..limits.jobs.get() {
        let (waiting, answers) = (Arc::clone(&waiting), answers.clone());
        let (shared, limits) = (Arc::clone(&shared), limits.clone());
        thread::spawn(move || work(&waiting, &answers, &limits, &shared));
    }
    drop(answers);
    print(&answered, output)
}

/// Hands the lines of the input on, up to one that cannot be read.
fn read(
    mut input: Box<dyn BufRead + Send>,
    requests: &mpsc::SyncSender<Numbered<io::Result<String>>>,
) {
    for place in 0.. {
        let mut line = Vec::new();
        let read = input.by_ref().take(MAX_TEXT_BYTES).read_until(b'\n', &mut line);
        let (line, last) = match read {
            Ok(0) => return,
            Ok(_) if line.len() as u64 >= MAX_TEXT_BYTES && !line.ends_with(b"\n") => {
                let message = format!("a line of more than {MAX_TEXT_BYTES} bytes");
                (Err(io::Error::other(message)), true)
            }
            Ok(_) => (String::from_utf8(line).map_err(io::Error::other), false),
            Err(error) => (Err(error), true),
        };
        if requests.send((place, line)).is_err() || last {
            return;
        }
    }
}

type Waiting = Mutex<mpsc::Receiver<Numbered<io::Result<String>>>>;

fn work(
    waiting: &Waiting,
    answers: &mpsc::Sender<Numbered<Option<(Line, Reply)>>>,
    limits: &Limits,
    shared: &Arc<Shared>,
) {
    loop {
        let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((place, line)) = next else { return };
        let limits = Limits { jobs: NonZeroUsize::MIN, ..limits.clone() };
        let answer = match line {
            Ok(line) if line.trim().is_empty() => None,
            Ok(line) => Some(reply(&line, &Run::within(limits).sharing(shared))),
            Err(error) => {
                let message = format!("the request cannot be read: {error}");
                Some((Line::fault(&message), Reply::Faulty))
            }
        };
        if answers.send((place, answer)).is_err() {
            return;
        }
    }
}

/// Prints the answers in the order of the requests.
fn print(
    answered: &mpsc::Receiver<Numbered<Option<(Line, Reply)>>>,
    output: &mut Output<'_>,
) -> Outcome {
    let mut early = BTreeMap::new();
    let mut seen = Vec::new();
    let mut place = 0;
    for (at, answer) in answered {
        early.insert(at, answer);
        while let Some(answer) = early.remove(&place) {
            place += 1;
            let Some((line, reply)) = answer else { continue };
            output.json_line(&line)?;
            output.flush().map_err(Failure::from)?;
            if !seen.contains(&reply) {
                seen.push(reply);
            }
        }
    }
    let any = |wanted: fn(&Reply) -> bool| seen.iter().any(wanted);
    Ok(if any(|reply| *reply == Reply::Faulty) {
        exit::USAGE
    } else if any(|reply| *reply == Reply::Answered(Ending::Refuted)) {
        exit::REFUTED
    } else if any(|reply| matches!(reply, Reply::Answered(Ending::Undecided(_)))) {
        exit::UNDECIDED
    } else if seen.is_empty() {
        exit::NOTHING_SELECTED
    } else {
        exit::EXPECTED
    })
}
