//! A chain of replacements: `A_0 = h_0` and `A_j = Rep(A_{j−1}, h_j, D)`, as in Section 7.2.
//!
//! A record is what the candidates `h_0, …, h_N` predict at the point of the round, and its label. In
//! each round a later rule sees the answers that the earlier ones gave in this round, and no
//! others.

use itertools::Itertools;

use super::rule::{self, Asked, PARAMETERS, Reading, Rule, Stage};
use crate::catalogue::{Entry, Given};
use crate::spec::{Arguments, Parameter};
use crate::{Boxed, Interface, Kind, Law, Mechanism, Output};
use littlestone_base::error::Result;

const LENGTH: Parameter =
    Parameter { name: "N", default: Some("2"), meaning: "the number of replacements, from 1 to 8" };

const RELEASE: Parameter = Parameter {
    name: "release",
    default: Some("last"),
    meaning: "last: the answer of the last rule; all: those of all rules; transcript: of each rule b \
              for Mirror's bottom, or for its top r or a by the acceptance bit; and the answer",
};

const VARIANT: Parameter = Parameter {
    name: "variant",
    default: Some("definition"),
    meaning: "definition; stale: to a later rule an earlier one predicts according to Mirror's answer \
              of the round before; unreleased: A_0 is the label of the round before (0 in \
              round 1), which is not released",
};

/// The greatest N.
const LONGEST: i32 = 8;
/// The greatest N with transcripts, of which there are 6^N.
const TRANSCRIBED: i32 = 4;

/// Chains of Definition 10 with the parameters of `replacement`. D, W and cut may be lists, with a
/// value for each rule; other parameters are the same for all rules.
pub const ENTRY: Entry = Entry {
    name: "replacement-chain",
    kind: Kind::Transducer,
    law: "sees the predictions of h_0, …, h_N, answers A_N with A_0 = h_0 and A_j = Rep(A_(j-1), \
          h_j, D_j), sees the label; D, W and cut are for all rules, or lists of N values",
    paper: "Lemma 12",
    twin: None,
    parameters: &{
        let [a, b, c, d, e, f, g, h, i, j, k] = PARAMETERS;
        [LENGTH, a, b, c, d, e, f, g, h, i, j, k, RELEASE, VARIANT]
    },
    build: |given| Chain::of(given).map(Boxed::new),
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Release {
    Last,
    All,
    Transcript,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Variant {
    Definition,
    Stale,
    Unreleased,
}

/// The chain.
#[derive(Debug)]
struct Chain {
    interface: Interface,
    rules: Vec<Rule>,
    release: Release,
    variant: Variant,
}

/// How far the rules have come.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Links {
    stages: Vec<(Stage, Option<Asked>)>,
    /// What a variant keeps of the round before: for each rule whether it had replaced, or the
    /// label.
    kept: Vec<bool>,
}

impl Chain {
    fn of(given: &Given<'_>) -> Result<Self> {
        let release = match given.word("release", &["last", "all", "transcript"])? {
            "all" => Release::All,
            "transcript" => Release::Transcript,
            _ => Release::Last,
        };
        let most = if release == Release::Transcript { TRANSCRIBED } else { LONGEST };
        let length = usize::try_from(given.integer("N", 1..=most)?).expect("it is at least 1");
        let variant = match given.word("variant", &["definition", "stale", "unreleased"])? {
            "stale" => Variant::Stale,
            "unreleased" => Variant::Unreleased,
            _ => Variant::Definition,
        };
        let words = |length: usize| -> Vec<String> {
            (0..1usize << length).map(|word| format!("{word:0length$b}")).collect()
        };
        let named = |letter: char, words: Vec<String>| -> Vec<String> {
            words.iter().map(|word| format!("{letter}{word}")).collect()
        };
        let candidates = named('h', words(length + 1));
        let outputs = match release {
            Release::Last => words(1),
            Release::All => named('A', words(length)),
            Release::Transcript => transcripts(length),
        };
        let interface = Interface::transducer(candidates, outputs, words(1))?;
        let full = release == Release::Transcript;
        let rule = |own: &Arguments| Rule::of(&given.with(own), Reading::Definition, full);
        let own = given.apart(&["D", "W", "cut"], length)?;
        let rules = own.iter().map(rule).collect::<Result<_>>()?;
        Ok(Self { interface, rules, release, variant })
    }
}

/// A round up to some rule.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Round {
    /// The answer of the last rule.
    answer: bool,
    /// What the next rule is given for it.
    shown: bool,
    released: String,
    stages: Vec<(Stage, Option<Asked>)>,
    /// For each rule, whether it followed its candidate.
    replaced: Vec<bool>,
}

impl Chain {
    /// The round after the rule of index j, whose candidate predicts `second`.
    fn next(
        &self,
        round: &Round,
        links: &Links,
        j: usize,
        stage: Stage,
        second: bool,
    ) -> Result<Law<Round>> {
        let first = round.shown;
        let rule = &self.rules[j];
        let asked = rule.asks(stage, first, second);
        let mirror = rule.respond(stage, first, second)?;
        Ok(mirror.map(|(top, stage)| {
            let replaced = top && stage.accepted == Some(true);
            let answer = if replaced { second } else { first };
            let shown = match self.variant {
                Variant::Stale if links.kept[j] => second,
                Variant::Stale => first,
                _ => answer,
            };
            let mut next = Round { answer, shown, ..round.clone() };
            next.stages.push((stage, asked));
            next.replaced.push(replaced);
            next.released.push_str(&self.symbol(j, top, stage.accepted, answer));
            next
        }))
    }

    /// What is released of the rule of index j.
    fn symbol(&self, j: usize, top: bool, accepted: Option<bool>, answer: bool) -> String {
        match self.release {
            Release::Last if j + 1 < self.rules.len() => String::new(),
            Release::Last | Release::All => u8::from(answer).to_string(),
            Release::Transcript => {
                let letter = match (top, accepted) {
                    (false, _) => 'b',
                    (true, Some(true)) => 'a',
                    (true, _) => 'r',
                };
                format!("{letter}{}", u8::from(answer))
            }
        }
    }
}

/// One symbol for each rule: Mirror's answer with the acceptance bit, which is shown only where it
/// matters since the round in which it is drawn is not private, and the rule's answer.
fn transcripts(length: usize) -> Vec<String> {
    let one = ["b0", "b1", "r0", "r1", "a0", "a1"];
    let longer = |words: Vec<String>| {
        words.iter().flat_map(|word| one.iter().map(move |next| format!("{word}{next}"))).collect()
    };
    (0..length).fold(vec![String::new()], |words, _| longer(words))
}

impl Mechanism for Chain {
    type State = Links;

    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn start(&self) -> Result<Law<Links>> {
        let kept = match self.variant {
            Variant::Definition => Vec::new(),
            Variant::Stale => vec![false; self.rules.len()],
            Variant::Unreleased => vec![false],
        };
        Ok(Law::certain(Links { stages: vec![(Rule::START, None); self.rules.len()], kept }))
    }

    fn respond(&self, links: &Links, before: usize) -> Result<Law<(Output, Links)>> {
        let candidate = |j: usize| before >> (self.rules.len() - j) & 1 == 1;
        let base = if self.variant == Variant::Unreleased { links.kept[0] } else { candidate(0) };
        let mut law = Law::certain(Round {
            answer: base,
            shown: base,
            released: if self.release == Release::All { "A".into() } else { String::new() },
            stages: Vec::new(),
            replaced: Vec::new(),
        });
        for (j, &(stage, _)) in links.stages.iter().enumerate() {
            let second = candidate(j + 1);
            law = law.then(|round| self.next(round, links, j, stage, second))?;
        }
        Ok(law.map(|round| {
            let kept = match self.variant {
                Variant::Stale => round.replaced,
                _ => Vec::new(),
            };
            (round.released, Links { stages: round.stages, kept })
        }))
    }

    fn observe(&self, links: &Links, after: usize) -> Result<Law<Links>> {
        let label = after == 1;
        let mut law = Law::certain(Vec::new());
        for (rule, &(stage, asked)) in self.rules.iter().zip(&links.stages) {
            let next = match asked {
                Some(asked) => rule.observe(stage, asked, label)?,
                None => Law::certain(stage),
            };
            law = law.then(|stages: &Vec<_>| {
                let longer = |stage| {
                    let mut stages = stages.clone();
                    stages.push((stage, None));
                    stages
                };
                Ok(next.clone().map(longer))
            })?;
        }
        let kept = match self.variant {
            Variant::Unreleased => vec![label],
            _ => links.kept.clone(),
        };
        Ok(law.map(|stages| Links { stages, kept: kept.clone() }))
    }

    fn remarks(&self) -> Vec<String> {
        self.rules.iter().flat_map(Rule::remarks).unique().collect()
    }

    fn describe(&self, links: &Links) -> String {
        let one = |(rule, &(stage, asked)): (&Rule, &(Stage, Option<Asked>))| {
            format!("{}{}", rule.describe(stage), rule::asked(asked))
        };
        let stages: Vec<String> = self.rules.iter().zip(&links.stages).map(one).collect();
        let kept: String = links.kept.iter().map(|&bit| if bit { '1' } else { '0' }).collect();
        let kept = if kept.is_empty() { kept } else { format!("; kept {kept}") };
        format!("{}{kept}", stages.join("; "))
    }
}
