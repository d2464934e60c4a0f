//! What can be wrong with an input: one value per fault, rendered only at the edge.

mod nearest;
mod shorten;
mod source;

use std::fmt;
use std::path::{Path, PathBuf};

use crate::limits::Stopped;

pub use nearest::{nearest, the_nearest};
pub use shorten::shorten;
pub use source::{Source, position, show};

use crate::text::visible;

/// A place in an input: the file (or the argument as typed), and a line and column counted from 1.
///
/// A line or column of `None` means that the fault concerns the whole input.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Position {
    /// The file, or a short description such as `--stream`.
    pub source: String,
    /// The line, counted from 1.
    pub line: Option<usize>,
    /// The column in characters, counted from 1.
    pub column: Option<usize>,
}

impl Position {
    /// The whole of the input called `source`.
    pub fn whole(source: impl Into<String>) -> Self {
        Self { source: source.into(), line: None, column: None }
    }

    /// The given line of `source`.
    pub fn line(source: impl Into<String>, line: usize) -> Self {
        Self { source: source.into(), line: Some(line), column: None }
    }

    /// The given line and column of `source`.
    pub fn at(source: impl Into<String>, line: usize, column: usize) -> Self {
        Self { source: source.into(), line: Some(line), column: Some(column) }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A source in quotation marks is text that was typed, any other one a name.
        if self.source.starts_with('`') {
            f.write_str(&shown(&self.source))?;
        } else {
            f.write_str(&visible(&self.source))?;
        }
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
            if let Some(column) = self.column {
                write!(f, ":{column}")?;
            }
        }
        Ok(())
    }
}

/// A part of a message: on one line, whatever the input says, and with long pieces cut.
fn shown(part: &str) -> String {
    // Another error may be told within the part: it stays on the line, too.
    shorten(&visible(&part.replace("\n  help: ", "; ")))
}

/// Everything the library can refuse. Each value names the place, what was expected and what was
/// found; the command line prints it after `error: ` and exits with code 2. Long pieces of text from
/// the input are cut when a value is shown.
#[derive(Debug, Clone, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A malformed input.
    #[error("{position}: expected {}, found {}", shown(expected), shown(found))]
    Malformed {
        /// Where the fault is.
        position: Position,
        /// What the format asks for at this place.
        expected: String,
        /// What is there.
        found: String,
    },
    /// A question that cannot be asked, at the place where it is asked.
    #[error("{position}: {}", shown(message))]
    At {
        /// Where the fault is.
        position: Position,
        /// What is wrong.
        message: String,
    },
    /// A file that cannot be read or written.
    #[error("{}: {}", visible(&path.display().to_string()), visible(reason))]
    File {
        /// The file.
        path: PathBuf,
        /// The operating system's reason.
        reason: String,
    },
    /// An object that would be larger than this program handles; nothing was allocated for it.
    #[error("{} has {}, more than the limit of {limit}", shown(what), shown(size))]
    TooLarge {
        /// The object, as the user named it.
        what: String,
        /// Its exact size, with a unit.
        size: String,
        /// The limit, with a unit.
        limit: String,
    },
    /// A bound on the work was hit before the answer: nothing is wrong with the input.
    #[error("{}\n  help: {}", shown(message), shown(help))]
    Limit {
        /// The bound.
        stopped: Stopped,
        /// The bound, and where it was hit.
        message: String,
        /// How to go on.
        help: String,
    },
    /// A name or argument that means nothing here.
    #[error(
        "{}{}",
        shown(message),
        help.as_ref().map(|h| format!("\n  help: {}", shown(h))).unwrap_or_default()
    )]
    Argument {
        /// What is wrong.
        message: String,
        /// What to do about it.
        help: Option<String>,
    },
}

impl Error {
    /// What is wrong, on one line.
    pub fn message(&self) -> String {
        let text = self.to_string();
        // A line feed in any part of a message is escaped, so the first one is our own.
        text.split('\n').next().unwrap_or_default().to_owned()
    }

    /// What to do about it, on one line.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::Limit { help, .. } | Self::Argument { help: Some(help), .. } => Some(shown(help)),
            _ => None,
        }
    }

    /// What is wrong and what to do about it, on one line.
    pub fn on_one_line(&self) -> String {
        let help = self.help().map(|help| format!("; {help}"));
        format!("{}{}", self.message(), help.unwrap_or_default())
    }

    /// A [`Error::Malformed`] from its three parts.
    pub fn malformed(
        position: Position,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Self {
        Self::Malformed { position, expected: expected.into(), found: found.into() }
    }

    /// A [`Error::File`] from an operating-system error.
    pub fn file(path: &Path, reason: &std::io::Error) -> Self {
        Self::File { path: path.to_path_buf(), reason: reason.to_string() }
    }

    /// A [`Error::Limit`]: the answer that was looked for is not known; `message` says which, and the
    /// bound.
    pub fn limit(stopped: Stopped, message: impl Into<String>) -> Self {
        Self::Limit { stopped, message: message.into(), help: stopped.help().into() }
    }

    /// A [`Error::Argument`] without further help.
    pub fn argument(message: impl Into<String>) -> Self {
        Self::Argument { message: message.into(), help: None }
    }

    /// A [`Error::Argument`] with a hint.
    pub fn argument_with_help(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Argument { message: message.into(), help: Some(help.into()) }
    }
}

impl From<Stopped> for Error {
    fn from(stopped: Stopped) -> Self {
        Self::limit(stopped, stopped.to_string())
    }
}

/// The library's result.
pub type Result<T, E = Error> = std::result::Result<T, E>;
