//! The command line: one file per subcommand, and [`run`], which the binary calls.
//!
//! Results go to standard output and everything else to standard error. A reader that goes away
//! early is no error. The exit codes are in [`exit`].

mod adversary;
mod ask;
mod bounds;
mod check;
mod common;
mod compile;
pub mod exit;
mod explain;
mod export;
mod files;
mod generate;
mod list;
mod merge;
mod output;
mod progress;
mod question;
mod recheck;
mod replay;
mod table;
pub(crate) mod undecided;
mod verify;
mod watchdog;

use std::ffi::OsString;

use clap::{ArgMatches, ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand};

pub use output::{Failure, Outcome, Output};
pub use watchdog::End;

use question::Asked;

use crate::error::Error;
use crate::questions::always::AlwaysQuestion;
use crate::questions::atlas::AtlasQuestion;
use crate::questions::candidates::CandidatesQuestion;
use crate::questions::causal::CausalQuestion;
use crate::questions::concentrated::ConcentratedQuestion;
use crate::questions::decomposition::DecompositionQuestion;
use crate::questions::dimension::DimensionQuestion;
use crate::questions::fact2::Fact2Question;
use crate::questions::identity::IdentityQuestion;
use crate::questions::minimax::MinimaxQuestion;
use crate::questions::mistakes::MistakesQuestion;
use crate::questions::potentials::PotentialsQuestion;
use crate::questions::probability::ProbabilityQuestion;
use crate::questions::profile::ProfileQuestion;
use crate::questions::regret::RegretQuestion;
use crate::questions::soa::SoaQuestion;
use crate::questions::threshold::ThresholdQuestion;
use crate::text::visible;

/// Exact computation and formal checking for private online learning.
#[derive(Debug, Parser)]
#[command(name = "littlestone", version, after_help = AFTER_HELP, infer_long_args = false)]
struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

const AFTER_HELP: &str = "\
Examples:
  littlestone dim point:3
  littlestone dim class.csv --certificate proof.json
  littlestone soa point:3 --stream 3:0,1:1
  littlestone explain 'Definition 6'

A CLASS is a file (CSV, 0/1 text or JSON) or a family such as `cube:4`.
Exit codes: 0 as expected, 1 refuted, 2 usage or malformed input, 3 undecided, 4 nothing selected.";

#[derive(Debug, clap::Args)]
struct Global {
    /// Print no notes and no progress; errors and results are still printed.
    #[arg(long, short, global = true, help_heading = "Messages")]
    quiet: bool,
    /// Whether messages on standard error are coloured; `auto` means on a terminal, unless
    /// `NO_COLOR` is set.
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        help_heading = "Messages"
    )]
    color: ColorChoice,
}

#[derive(Debug, Subcommand)]
enum Command {
    Ask(ask::Args),
    Dim(Asked<DimensionQuestion>),
    Soa(Asked<SoaQuestion>),
    Verify(verify::Args),
    Merge(merge::Args),
    Profile(Asked<ProfileQuestion>),
    Causal(Asked<CausalQuestion>),
    Always(Asked<AlwaysQuestion>),
    Probability(Asked<ProbabilityQuestion>),
    Replay(replay::Args),
    Compile(compile::Args),
    Candidates(Asked<CandidatesQuestion>),
    Identity(Asked<IdentityQuestion>),
    Decompose(Asked<DecompositionQuestion>),
    Atlas(Asked<AtlasQuestion>),
    Fact2(Asked<Fact2Question>),
    Table(table::Args),
    Bounds(bounds::Args),
    Check(check::Args),
    Mistakes(Asked<MistakesQuestion>),
    Regret(Asked<RegretQuestion>),
    Threshold(Asked<ThresholdQuestion>),
    Potentials(Asked<PotentialsQuestion>),
    Adversary(adversary::Args),
    Concentrated(Asked<ConcentratedQuestion>),
    Minimax(Asked<MinimaxQuestion>),
    Recheck(recheck::Args),
    Export(export::Args),
    List(list::Args),
    Explain(explain::Args),
    #[command(hide = true)]
    Generate(generate::Args),
}

/// Runs the command line `args`, whose first item is the name of the program, and returns the
/// exit code.
pub fn run<I>(args: I, mut output: Output<'_>) -> u8
where
    I: IntoIterator<Item = OsString>,
{
    let args: Vec<OsString> = args.into_iter().collect();
    output.set_colour(colour(typed_choice(&args), &output));
    let outcome = match parse(&args) {
        Ok((cli, matches)) => {
            output.set_asked(undecided::Asked::of(&matches));
            output.set_colour(colour(cli.global.color, &output));
            output.set_quiet(cli.global.quiet);
            dispatch(cli.command, &mut output).or_else(|failure| limited(failure, &mut output))
        }
        Err(error) => {
            let code = if error.use_stderr() { exit::USAGE } else { exit::EXPECTED };
            output.usage(&told_safely(&args, error)).map(|()| code).map_err(Failure::from)
        }
    };
    // What is still buffered belongs to the result: it must have been written before the exit
    // code says that all is well.
    let outcome = outcome.and_then(|code| {
        output.flush()?;
        Ok(code)
    });
    output.stand_down();
    match outcome {
        Ok(code) => code,
        Err(Failure::BrokenPipe) => exit::EXPECTED,
        Err(Failure::Input(error)) => {
            output.fault(&error);
            exit::USAGE
        }
        Err(Failure::Write(error)) => {
            output.error(format_args!("standard output: {error}"));
            exit::USAGE
        }
    }
}

fn parse(args: &[OsString]) -> Result<(Cli, ArgMatches), clap::Error> {
    let matches = Cli::command().try_get_matches_from(args)?;
    let cli = Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut Cli::command()))?;
    Ok((cli, matches))
}

/// A limit that was hit before the command had anything of its own to print is an answer, too.
fn limited(failure: Failure, output: &mut Output<'_>) -> Outcome {
    let Failure::Input(error @ Error::Limit { .. }) = failure else { return Err(failure) };
    output.fault(&error);
    if let Error::Limit { stopped, message, .. } = error {
        output.undecided(stopped, &message)?;
    }
    Ok(exit::UNDECIDED)
}

fn dispatch(command: Command, output: &mut Output<'_>) -> Outcome {
    match command {
        Command::Ask(args) => ask::run(&args, output),
        Command::Dim(asked) => question::run("dim", &asked, output),
        Command::Soa(asked) => question::run("soa", &asked, output),
        Command::Verify(args) => verify::run(&args, output),
        Command::Merge(args) => merge::run(&args, output),
        Command::Profile(asked) => question::run("profile", &asked, output),
        Command::Causal(asked) => question::run("causal", &asked, output),
        Command::Always(asked) => question::run("always", &asked, output),
        Command::Probability(asked) => question::run("probability", &asked, output),
        Command::Replay(args) => replay::run(&args, output),
        Command::Compile(args) => compile::run(&args, output),
        Command::Candidates(asked) => question::run("candidates", &asked, output),
        Command::Identity(asked) => question::run("identity", &asked, output),
        Command::Decompose(asked) => question::run("decompose", &asked, output),
        Command::Atlas(asked) => question::run("atlas", &asked, output),
        Command::Fact2(asked) => question::run("fact2", &asked, output),
        Command::Table(args) => table::run(&args, output),
        Command::Bounds(args) => bounds::run(&args, output),
        Command::Check(args) => check::run(&args, output),
        Command::Mistakes(asked) => question::run("mistakes", &asked, output),
        Command::Regret(asked) => question::run("regret", &asked, output),
        Command::Threshold(asked) => question::run("threshold", &asked, output),
        Command::Potentials(asked) => question::run("potentials", &asked, output),
        Command::Adversary(args) => adversary::run(&args, output),
        Command::Concentrated(asked) => question::run("concentrated", &asked, output),
        Command::Minimax(asked) => question::run("minimax", &asked, output),
        Command::Recheck(args) => recheck::run(&args, output),
        Command::Export(args) => export::run(&args, output),
        Command::List(args) => list::run(&args, output),
        Command::Explain(args) => explain::run(&args, output),
        Command::Generate(args) => generate::run(&args, Cli::command(), output),
    }
}

/// The error of these arguments, or one that says the same with the characters escaped that could
/// forge a line: clap prints arguments as they are. Most often the escaped arguments are wrong in the
/// same way; where they are not, the message is told on one line.
fn told_safely(args: &[OsString], error: clap::Error) -> clap::Error {
    let escaped = |arg: &OsString| OsString::from(visible(&arg.to_string_lossy()).into_owned());
    let shown: Vec<OsString> = args.iter().map(escaped).collect();
    if shown == args {
        return error;
    }
    match parse(&shown) {
        Err(told) if told.kind() == error.kind() => told,
        _ => {
            let message = error.render().to_string();
            let message = message.trim_end().strip_prefix("error: ").unwrap_or(&message);
            Cli::command().error(error.kind(), visible(message))
        }
    }
}

/// The `--color` that was typed, for errors that come before the arguments are understood.
fn typed_choice(args: &[OsString]) -> ColorChoice {
    let words: Vec<_> = args.iter().map(|arg| arg.to_string_lossy()).collect();
    let typed = words.iter().enumerate().find_map(|(i, word)| {
        if *word == "--color" {
            words.get(i + 1).map(AsRef::as_ref)
        } else {
            word.strip_prefix("--color=")
        }
    });
    typed.and_then(|word| word.parse().ok()).unwrap_or(ColorChoice::Auto)
}

fn colour(choice: ColorChoice, output: &Output<'_>) -> bool {
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        // https://no-color.org: set and not empty.
        ColorChoice::Auto => {
            output.is_terminal()
                && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
                && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_of_the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn colours_are_asked_for_before_the_arguments_are_understood() {
        let args = |words: &[&str]| words.iter().map(OsString::from).collect::<Vec<_>>();
        assert_eq!(typed_choice(&args(&["x", "--color", "always", "zz"])), ColorChoice::Always);
        assert_eq!(typed_choice(&args(&["x", "zz", "--color=never"])), ColorChoice::Never);
        assert_eq!(typed_choice(&args(&["x", "--color"])), ColorChoice::Auto);
    }
}
