//! What is said about one certificate: the words of `littlestone recheck` and of `littlestone-checker`.

use littlestone_base::error::shorten;

use super::{Outcome, Rejection, Report};

/// The limit on states of programs whose user sets none.
pub const STATES: u64 = 100_000_000;

/// How grave an answer is; the later the graver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gravity {
    /// All that is claimed is proved.
    Holds,
    /// A limit was hit before the end.
    Undecided,
    /// The certificate does not prove what it states.
    Refuted,
    /// The file is no certificate.
    Malformed,
}

impl Gravity {
    /// The exit code of a program that has nothing graver to say.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Holds => 0,
            Self::Refuted => 1,
            Self::Malformed => 2,
            Self::Undecided => 3,
        }
    }
}

/// What is wrong, for standard error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Complaint {
    /// The certificate is not accepted.
    Error(String),
    /// The verifier gave up.
    Warning(String),
}

/// What is said about one certificate. No line is escaped yet: names and texts come from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// The lines of the result, without the verdict.
    pub lines: Vec<String>,
    /// What is wrong, if anything is that the lines do not say.
    pub complaint: Option<Complaint>,
    /// How grave that is.
    pub gravity: Gravity,
}

impl Judgement {
    /// What is said about the certificate `name`, of which `verified` came out. `deny_trusted` refuses
    /// what rests on anything beyond the file itself.
    pub fn new(name: &str, verified: &Result<Outcome, Rejection>, deny_trusted: bool) -> Self {
        match verified {
            Ok(Outcome::Proved(report)) => {
                let denied = deny_trusted && !report.taken_on_trust.is_empty();
                let complaint = denied
                    .then(|| Complaint::Error(format!("{name}: rests on trust, which is denied")));
                let gravity = if denied { Gravity::Refuted } else { Gravity::Holds };
                Self { lines: lines(name, report), complaint, gravity }
            }
            Ok(Outcome::Undecided { report, limit }) => Self {
                lines: lines(name, report),
                complaint: Some(Complaint::Warning(format!("{name}: {limit}"))),
                gravity: Gravity::Undecided,
            },
            Err(Rejection::Unproved { place, fault }) => Self {
                lines: vec![
                    format!("certificate: {name}"),
                    format!("not proved: {place}: {fault}"),
                ],
                complaint: None,
                gravity: Gravity::Refuted,
            },
            Err(rejection @ Rejection::Malformed { .. }) => Self {
                lines: Vec::new(),
                complaint: Some(Complaint::Error(malformed(name, rejection))),
                gravity: Gravity::Malformed,
            },
        }
    }

    /// The last line of the result, which a file that is no certificate has not.
    pub fn verdict(&self) -> Option<&'static str> {
        match self.gravity {
            Gravity::Holds => Some("verdict: holds"),
            Gravity::Undecided => Some("verdict: undecided"),
            Gravity::Refuted => Some("verdict: refuted"),
            Gravity::Malformed => None,
        }
    }
}

fn lines(name: &str, report: &Report) -> Vec<String> {
    let mut lines = vec![format!("certificate: {name}")];
    lines.extend(report.proved.iter().map(|statement| format!("proved: {statement}")));
    lines.extend(report.taken_on_trust.iter().map(|trusted| format!("taken on trust: {trusted}")));
    lines.extend(report.not_checked.iter().map(|ignored| format!("not checked: {ignored}")));
    lines
}

/// The rejection with the file in front, unless it is about the file and names it already.
fn malformed(name: &str, rejection: &Rejection) -> String {
    let text = shorten(&rejection.to_string());
    if text.starts_with(name) { text } else { format!("{name}: {text}") }
}
