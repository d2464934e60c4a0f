//! `littlestone verify`: whether a mechanism is (ε,δ)-private, exactly, as a whole or one part of it.

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::Arc;

use crate::error::Error;
use crate::privacy::Part;
use crate::questions::privacy::PrivacyQuestion;
use crate::questions::{Heard, OutputFiles as _, Question as _, Run};

use super::exit;
use super::files::Files;
use super::output::{Outcome, Output};
use super::progress;
use super::question::{self, Asked};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    asked: Asked<PrivacyQuestion>,
    /// Look at part I of N of the pairs alone, for job arrays; `littlestone merge` puts the parts
    /// together.
    #[arg(long, value_name = "I/N", value_parser = shard, requires = "partial",
          help_heading = "Job arrays")]
    shard: Option<Part>,
    /// The file for the answer to the part.
    #[arg(long, value_name = "FILE", requires = "shard", help_heading = "Job arrays")]
    partial: Option<PathBuf>,
}

/// Reads `--shard`: part I of N as `I/N`.
fn shard(text: &str) -> Result<Part, String> {
    let number = |text: &str| text.parse().ok();
    text.split_once('/')
        .and_then(|(index, count)| Part::new(number(index)?, number(count)?).ok())
        .ok_or_else(|| "expected I/N with 1 ≤ I ≤ N, such as 2/7".into())
}

pub(super) fn run(args: &Args, output: &mut Output<'_>) -> Outcome {
    let Args { asked, shard: Some(part), partial: Some(path) } = args else {
        return question::run("verify", &args.asked, output);
    };
    let limits = asked.limits.limits(output)?;
    if asked.shown.reported() || asked.files.options().iter().any(|(_, path)| path.is_some()) {
        let message = "--shard: a part has no report and no such files; give the option to \
                       `littlestone merge`";
        return Err(Error::argument(message).into());
    }
    Files::new().inputs(asked.question.inputs()).output("--partial", Some(path)).check()?;
    let told = RefCell::new(Vec::new());
    let listener = |heard: Heard| told.borrow_mut().push(heard);
    let mut run = Run::within(limits).heard_by(&listener);
    run.progress = Arc::clone(output.progress());
    let stopped = progress::watch(output, || asked.question.answer_part(*part, path, &run));
    for heard in told.into_inner() {
        question::tell(heard, output);
    }
    let Some(stopped) = stopped? else { return Ok(exit::EXPECTED) };
    output.undecided(stopped, &format!("this part is not done: {stopped}"))?;
    Ok(exit::UNDECIDED)
}
