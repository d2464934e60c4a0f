//! The entry points of the verifier: reading, dispatch on the kind, and what is reported.

use std::path::Path;
use std::time::Instant;

use serde::Serialize;
use serde::de::DeserializeOwned;

use littlestone_base::text::{self, without_mark};

use super::format::{
    DECOMPOSITION_DIMENSION, ESSENTIAL_HYPOTHESES, EXPECTED_MISTAKES, FORMAT, Header, IRREDUCIBLE,
    LITTLESTONE_DIMENSION, MINIMAX, Object, PRIVACY, PRIVACY_EVERY_LENGTH,
};
use super::rejection::{Malformed, Rejection};
use super::statement::Statement;
use super::{
    decomposition_dimension, essential_hypotheses, every_length, expected_mistakes, irreducible,
    littlestone_dimension, minimax, privacy,
};

/// How much work the verifier may do.
#[derive(Debug, Clone, Copy, Default)]
pub struct Limits {
    /// Greatest number of states to examine; `None` is no limit. Counted are the states of a
    /// refutation, those of the verifier's own recursion, and for mechanisms the products of
    /// weights and the 64-bit words of enclosures.
    pub states: Option<u64>,
    /// When to give up; `None` is never.
    pub deadline: Option<Instant>,
    /// Greatest number of live bytes of the process, and who counts them; `None` is no limit.
    pub memory: Option<(u64, fn() -> u64)>,
}

/// What came out of a verification that found no fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Everything that is claimed is proved.
    Proved(Report),
    /// A limit was reached before the end. The report lists what was proved by then,
    /// which is not all that is claimed.
    Undecided {
        /// What was proved before the limit was reached.
        report: Report,
        /// The limit.
        limit: Limit,
    },
}

/// What the reader of a certificate has to know, as no verifier can.
pub(super) const CLASS_MEANT: &str =
    "whether the class in the certificate is the class that is meant";

/// What was verified, and what that rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// The kind of certificate.
    pub kind: String,
    /// The statements that are proved.
    pub proved: Vec<Statement>,
    /// Number of hypotheses of the class in the certificate; 0 where there is none.
    pub hypotheses: usize,
    /// Number of points of the domain; 0 where there is none.
    pub points: usize,
    /// Number of states of the refutation that were checked, of nodes of decomposition trees, or of
    /// states of the automaton.
    pub states: u64,
    /// Number of states examined in all, those of the verifier's own recursion included. This is
    /// what [`Limits::states`] bounds.
    pub examined: u64,
    /// Lemmas that the statements rest on and that were not checked on this certificate.
    pub taken_on_trust: Vec<String>,
    /// What no verifier can check: whether what is in the certificate is what is meant; and informative
    /// keys, which no statement rests on, with what they say.
    pub not_checked: Vec<String>,
}

/// Greatest size of a certificate in a file, in bytes (1 GiB).
pub const MAX_FILE_BYTES: u64 = 1 << 30;

/// Reads the file at `path` and verifies the certificate in it.
///
/// # Errors
/// As for [`verify`]; also when the file cannot be read.
pub fn recheck(path: &Path, limits: Limits) -> Result<Outcome, Rejection> {
    let bytes = text::read(path, MAX_FILE_BYTES).map_err(|error| {
        let reason = error.to_string();
        Rejection::malformed(path.display().to_string(), Malformed::Unreadable { reason })
    })?;
    verify(&bytes, limits)
}

/// Verifies the certificate in `bytes`.
///
/// # Errors
/// [`Rejection::Malformed`] when `bytes` is not a certificate of a known kind, and
/// [`Rejection::Unproved`] when it is one that does not prove its claim.
pub fn verify(bytes: &[u8], limits: Limits) -> Result<Outcome, Rejection> {
    let bytes = without_mark(bytes);
    let header: Header = parse(bytes)?;
    if header.format != FORMAT {
        let fault = Malformed::Format { expected: FORMAT, found: header.format };
        return Err(Rejection::malformed("format", fault));
    }
    let Some((_, rules)) = KINDS.iter().find(|(kind, _)| *kind == header.kind) else {
        let known = KINDS.iter().map(|(kind, _)| *kind).collect();
        let fault = Malformed::Kind { known, found: header.kind };
        return Err(Rejection::malformed("kind", fault));
    };
    rules(bytes, limits)
}

/// The rules of one kind: from the bytes of a certificate to the outcome.
type Rules = fn(&[u8], Limits) -> Result<Outcome, Rejection>;

/// The kinds this verifier knows.
const KINDS: [(&str, Rules); 8] = [
    (LITTLESTONE_DIMENSION, |bytes, limits| littlestone_dimension::verify(&parse(bytes)?, limits)),
    (PRIVACY, |bytes, limits| privacy::verify(&parse(bytes)?, limits)),
    (PRIVACY_EVERY_LENGTH, |bytes, limits| every_length::verify(&parse(bytes)?, limits)),
    (EXPECTED_MISTAKES, |bytes, limits| expected_mistakes::verify(&parse(bytes)?, limits)),
    (MINIMAX, |bytes, limits| minimax::verify(&parse(bytes)?, limits)),
    (IRREDUCIBLE, |bytes, limits| irreducible::verify(&parse(bytes)?, limits)),
    (DECOMPOSITION_DIMENSION, |bytes, limits| {
        decomposition_dimension::verify(&parse(bytes)?, limits)
    }),
    (ESSENTIAL_HYPOTHESES, |bytes, limits| essential_hypotheses::verify(&parse(bytes)?, limits)),
];

fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Rejection> {
    serde_json::from_slice(bytes).map(|Object(value)| value).map_err(|error| {
        let place = format!("line {}, column {}", error.line(), error.column());
        let text = error.to_string();
        // The parser appends the place, which stands in front here.
        let reason = text.rsplit_once(" at line ").map_or(text.as_str(), |(reason, _)| reason);
        Rejection::malformed(place, Malformed::Json { reason: reason.to_owned() })
    })
}

/// Why a verification ends early.
#[derive(Debug)]
pub(super) enum End {
    Rejected(Rejection),
    Limit(Limit),
}

impl From<Rejection> for End {
    fn from(rejection: Rejection) -> Self {
        Self::Rejected(rejection)
    }
}

impl From<Limit> for End {
    fn from(limit: Limit) -> Self {
        Self::Limit(limit)
    }
}

/// Counts the states that are examined, against the limit.
#[derive(Debug)]
pub(super) struct Work {
    done: u64,
    limits: Limits,
}

/// The clock is looked at whenever so many more states were examined.
const STATES_BY_CLOCK: u64 = 64;

/// The limit that was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Limit {
    /// So many states were examined.
    #[error("the limit of {0} states was reached")]
    States(u64),
    /// The deadline has passed.
    #[error("the time limit was reached")]
    Deadline,
    /// The process has more than so many live bytes.
    #[error("the limit of {0} bytes of memory was reached")]
    Memory(u64),
}

impl Work {
    /// No work done yet.
    pub(super) fn new(limits: Limits) -> Self {
        Self { done: 0, limits }
    }

    /// One more state is about to be examined.
    pub(super) fn step(&mut self) -> Result<(), Limit> {
        self.charge(1)
    }

    /// So many more.
    pub(super) fn charge(&mut self, states: u64) -> Result<(), Limit> {
        let done = self.done.saturating_add(states);
        if let Some(limit) = self.limits.states
            && done > limit
        {
            self.done = limit.max(self.done);
            return Err(Limit::States(limit));
        }
        // The first look is at the first state, so that a limit that is hit already is noticed.
        if self.done == 0 || done / STATES_BY_CLOCK > self.done / STATES_BY_CLOCK {
            self.look()?;
        }
        self.done = done;
        Ok(())
    }

    /// Looks at the clock and the memory, without counting.
    pub(super) fn look(&self) -> Result<(), Limit> {
        if let Some((limit, gauge)) = self.limits.memory
            && gauge() > limit
        {
            return Err(Limit::Memory(limit));
        }
        match self.limits.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Limit::Deadline),
            _ => Ok(()),
        }
    }

    /// Number of states examined.
    pub(super) fn done(&self) -> u64 {
        self.done
    }
}
