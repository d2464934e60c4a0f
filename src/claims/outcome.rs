//! What a check found, and what a run of checks comes to.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use crate::error::Error;
use crate::questions::Inequality;

use super::slack::OwnSlack;

/// What was found about a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The claim is true.
    Holds,
    /// The claim is false; the finding shows why.
    Refuted,
    /// A limit was hit first.
    Undecided,
    /// The claim is true whatever the instance: it says nothing, which is a fault of the claim.
    Vacuous,
}

impl Verdict {
    /// The verdict's name, as in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Refuted => "refuted",
            Self::Undecided => "undecided",
            Self::Vacuous => "vacuous",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The verdict that a claim file expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expect {
    /// The claim is stated as true.
    Holds,
    /// The claim is stated as false: a twin that the checker has to refute.
    Refuted,
}

impl Expect {
    /// The verdict that is expected.
    pub fn verdict(self) -> Verdict {
        match self {
            Self::Holds => Verdict::Holds,
            Self::Refuted => Verdict::Refuted,
        }
    }
}

impl fmt::Display for Expect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.verdict().fmt(f)
    }
}

/// How long a claim takes, as its file says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tier {
    /// It is run with all others.
    #[default]
    Short,
    /// It is run on request.
    Long,
}

/// Which check this is: one combination of one claim's grid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckInfo {
    /// The claim file, as found.
    pub file: String,
    /// The line of the claim, or of its entry in `cases`.
    pub line: usize,
    /// The claim's name.
    pub name: String,
    /// The item of the paper, such as `Definition 6`; empty where the claim has none.
    pub paper: String,
    /// The kind of claim.
    pub kind: &'static str,
    /// The keys that vary over the claim's checks, with this check's values, in written order.
    pub case: Vec<(String, String)>,
    /// What the file expects.
    pub expect: Expect,
    /// What the claim says of its own slack.
    pub slack: Option<OwnSlack>,
    /// How long it takes.
    pub tier: Tier,
}

impl CheckInfo {
    /// The item and the name: `Definition 6: POINT3 has dimension one`.
    pub fn heading(&self) -> String {
        let Self { paper, name, .. } = self;
        if paper.is_empty() { name.clone() } else { format!("{paper}: {name}") }
    }

    /// The varying keys as ` [class=point:3 equals=1]`, or nothing when the claim is one check.
    pub fn label(&self) -> String {
        if self.case.is_empty() {
            return String::new();
        }
        let entries: Vec<String> = self.case.iter().map(|(k, v)| format!("{k}={v}")).collect();
        format!(" [{}]", entries.join(" "))
    }
}

/// What a check found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The verdict on the claim as stated.
    pub verdict: Verdict,
    /// What was found and what was claimed, in one line.
    pub found: String,
    /// What made the claim say something, in one line, where that applies.
    pub non_vacuous: Option<String>,
    /// The counterexample and remarks, a line each.
    pub details: Vec<String>,
    /// The numbers behind `found`, exact, under fixed names.
    pub values: BTreeMap<String, String>,
    /// The inequalities behind `found`.
    pub inequalities: Vec<Inequality>,
}

/// A claim with one constant made stronger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Perturbed {
    /// What was changed: `epsilon 1/2 → 1/4`.
    pub change: String,
    /// What the stronger claim comes to.
    pub verdict: Verdict,
}

/// A check and what it found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckResult {
    /// The check.
    pub check: CheckInfo,
    /// What it found.
    pub finding: Finding,
    /// Why it is too slack, where it is.
    pub too_slack: Option<String>,
    /// Where perturbation was asked for and the claim holds: what came of the stronger claims.
    pub perturbed: Option<Vec<Perturbed>>,
    /// How long it took, without that.
    pub time: Duration,
}

impl CheckResult {
    /// Whether the verdict is the one that the file expects, and the claim no slacker than it may be.
    pub fn as_expected(&self) -> bool {
        self.finding.verdict == self.check.expect.verdict() && self.too_slack.is_none()
    }
}

/// A fault of the input, and where it stands among the results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub error: Error,
    /// The number of results before it, in the order of the files.
    pub after: usize,
}

/// The results of a run and the faults of its input, in the order of the files.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Outcome {
    /// The results.
    pub results: Vec<CheckResult>,
    /// What is wrong with the input, each fault once. The checks that it spoils have no result.
    pub faults: Vec<Fault>,
    /// Number of selected checks that were not run, since an earlier one failed.
    pub not_run: usize,
}

impl Outcome {
    /// Number of checks whose verdict is the expected one.
    pub fn passed(&self) -> usize {
        self.results.iter().filter(|r| r.as_expected()).count()
    }

    /// Number of checks whose verdict is known and not the expected one, vacuous ones included.
    pub fn failed(&self) -> usize {
        self.results.len() - self.passed() - self.undecided()
    }

    /// Number of checks that a limit cut short.
    pub fn undecided(&self) -> usize {
        self.results.iter().filter(|r| r.finding.verdict == Verdict::Undecided).count()
    }

    /// What the run comes to, by the gravest of what happened: a fault, then a difference, then a
    /// limit.
    pub fn status(&self) -> Status {
        if !self.faults.is_empty() {
            Status::Faulty
        } else if self.failed() > 0 || self.survivors().1 > 0 {
            Status::Differs
        } else if self.undecided() > 0 {
            Status::Undecided
        } else if self.results.is_empty() {
            Status::NothingSelected
        } else {
            Status::AsExpected
        }
    }
}

/// What a run of checks comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Every verdict is the expected one.
    AsExpected,
    /// Some verdict is the opposite of what is expected, some claim is vacuous or slacker than it may be, or
    /// holds when it is made stronger and does not say why.
    Differs,
    /// The input is malformed in some place; other checks have results all the same.
    Faulty,
    /// No verdict differs, but some check hit a limit.
    Undecided,
    /// There was nothing to check.
    NothingSelected,
}

impl Status {
    /// The exit code of `littlestone check`.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::AsExpected => 0,
            Self::Differs => 1,
            Self::Faulty => 2,
            Self::Undecided => 3,
            Self::NothingSelected => 4,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(verdicts: &[(Expect, Verdict)]) -> Outcome {
        let results = verdicts
            .iter()
            .map(|&(expect, verdict)| CheckResult {
                check: CheckInfo {
                    file: "a.toml".into(),
                    line: 1,
                    name: "n".into(),
                    paper: "p".into(),
                    kind: "k",
                    case: Vec::new(),
                    expect,
                    slack: None,
                    tier: Tier::Short,
                },
                finding: Finding {
                    verdict,
                    found: String::new(),
                    non_vacuous: None,
                    details: Vec::new(),
                    values: BTreeMap::new(),
                    inequalities: Vec::new(),
                },
                too_slack: None,
                perturbed: None,
                time: Duration::ZERO,
            })
            .collect();
        Outcome { results, ..Outcome::default() }
    }

    #[test]
    fn exit_codes_are_those_of_the_gravest_that_happened() {
        use Expect as E;
        use Verdict as V;
        let good = [(E::Holds, V::Holds), (E::Refuted, V::Refuted)];
        let code = |extra: &[(E, V)]| outcome(&[&good, extra].concat()).status().exit_code();
        assert_eq!(code(&[]), 0);
        assert_eq!(code(&[(E::Holds, V::Undecided)]), 3);
        assert_eq!(code(&[(E::Refuted, V::Undecided)]), 3);
        assert_eq!(code(&[(E::Holds, V::Undecided), (E::Holds, V::Refuted)]), 1);
        assert_eq!(code(&[(E::Refuted, V::Holds), (E::Holds, V::Undecided)]), 1);
        assert_eq!(code(&[(E::Holds, V::Vacuous)]), 1);
        assert_eq!(outcome(&[]).status().exit_code(), 4);
        let fault = Fault { error: Error::argument("wrong"), after: 0 };
        for verdicts in [vec![], vec![(E::Holds, V::Refuted), (E::Holds, V::Undecided)]] {
            let faulty = Outcome { faults: vec![fault.clone()], ..outcome(&verdicts) };
            assert_eq!(faulty.status().exit_code(), 2);
            assert_eq!((faulty.passed(), faulty.failed()), (0, verdicts.len() / 2));
        }
    }
}
