//! Chains of replacements over patterns of mistakes: what Claim 1 and equation (12) speak of.
//!
//! Flipping all predictions of a round together with its label flips the answers of the chain, and
//! nothing else: disagreements, labels that favour the second sequence and mistakes stay what they
//! are. So a record need only say which candidates are wrong in the round, and an answer which of
//! `A_0, …, A_N` are. The label is part of the record, which is no harm to statements about every
//! value of the randomness: the rules are asked before they see it.
//!
//! Once nothing is claimed any more the chain is over, which keeps its states few.

use super::rule::{PARAMETERS, Rule, Stage};
use crate::catalogue::{Entry, Given};
use crate::error::Result;
use crate::exact::Number;
use crate::mechanism::spec::Parameter;
use crate::mechanism::{Boxed, Interface, Kind, Law, Mechanism, Output};

const DELAYS: Parameter = Parameter {
    name: "D",
    default: None,
    meaning: "the delays D_1, …, D_N of at most 4 rules, as in (45, 405)",
};

const BATCH: Parameter = Parameter {
    name: "K",
    default: Some("1"),
    meaning: "the number of mistakes that fill a batch, from 1 to 1024",
};

const UNTIL: Parameter = Parameter {
    name: "until",
    default: Some("claim-1"),
    meaning: "when the chain is over: claim-1: once each of h_0, …, h_(N-1) has K mistakes; \
              equation-12: once each of h_0, …, h_N has; never",
};

/// The name of what is answered once the chain is over.
const OVER: &str = "over";

/// The chain of Section 7.2 on patterns of mistakes.
pub const ENTRY: Entry = Entry {
    name: "replacement-patterns",
    kind: Kind::Transducer,
    law: "sees which of h_0, …, h_N are wrong, answers which of A_0, …, A_N are, with A_0 = h_0 and \
          A_j = Rep(A_(j-1), h_j, D_j)",
    paper: "Claim 1",
    twin: None,
    parameters: &{
        let [_, a, b, c, d, e, f, g, h, i, j] = PARAMETERS;
        [DELAYS, BATCH, UNTIL, a, b, c, d, e, f, g, h, i, j]
    },
    build: |given| Patterns::of(given).map(Boxed::new),
};

#[derive(Debug)]
struct Patterns {
    interface: Interface,
    rules: Vec<Rule>,
    batch: usize,
    /// How many candidates must have a full batch for the chain to be over.
    counted: usize,
}

/// How far the rules have come, and the mistakes of the counted candidates up to K; `None` once the
/// chain is over.
type State = Option<(Vec<Stage>, Vec<usize>)>;

impl Patterns {
    fn of(given: &Given<'_>) -> Result<Self> {
        let rules = Rule::chain(given)?;
        let batch = usize::try_from(given.integer("K", 1..=1024)?).expect("it is at least 1");
        let all = rules.len() + 1;
        let counted = given
            .choice("until", &[("claim-1", rules.len()), ("equation-12", all), ("never", 0)])?;
        let words: Vec<String> = (0..1usize << all).map(|word| format!("{word:0all$b}")).collect();
        let named = |letter: char| words.iter().map(move |word| format!("{letter}{word}"));
        let outputs = named('A').chain([OVER.to_owned()]).collect();
        let interface = Interface::transducer(named('h').collect(), outputs, Vec::new())?;
        Ok(Self { interface, rules, batch, counted })
    }
}

/// A round up to some rule: which answers are wrong, as a word, and the stages after the label.
#[derive(Debug, Clone)]
struct Round {
    wrong: usize,
    stages: Vec<Stage>,
}

impl Mechanism for Patterns {
    type State = State;

    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn start(&self) -> Result<Law<State>> {
        let stages = vec![Rule::START; self.rules.len()];
        Ok(Law::certain(Some((stages, vec![0; self.counted]))))
    }

    fn respond(&self, state: &State, before: usize) -> Result<Law<(Output, State)>> {
        let Some((stages, mistakes)) = state else {
            return Ok(Law::certain((OVER.into(), None)));
        };
        let length = self.rules.len();
        let candidate = |j: usize| before >> (length - j) & 1 == 1;
        let start = Round { wrong: usize::from(candidate(0)), stages: Vec::with_capacity(length) };
        let mut rounds = vec![(start, Number::one())];
        for (j, (rule, &stage)) in self.rules.iter().zip(stages).enumerate() {
            let second = candidate(j + 1);
            let mut longer = Vec::with_capacity(rounds.len());
            for (round, weight) in rounds {
                let first = round.wrong & 1 == 1;
                let asked = rule.asks(stage, first, second);
                for ((top, stage), p) in rule.respond(stage, first, second)?.into_vec() {
                    let replaced = top && stage.accepted == Some(true);
                    let wrong = if replaced { second } else { first };
                    // A prediction that is not wrong is the label, which is 0 here.
                    let after = match asked {
                        Some(asked) => rule.observe(stage, asked, false)?,
                        None => Law::certain(stage),
                    };
                    for (stage, q) in after.into_vec() {
                        let mut next = round.clone();
                        next.wrong = next.wrong << 1 | usize::from(wrong);
                        next.stages.push(stage);
                        longer.push((next, &(&weight * &p) * &q));
                    }
                }
            }
            rounds = longer;
        }
        let mistakes: Vec<usize> = (mistakes.iter().enumerate())
            .map(|(j, &count)| (count + usize::from(candidate(j))).min(self.batch))
            .collect();
        let over = self.counted > 0 && mistakes.iter().all(|&count| count == self.batch);
        let law = rounds.into_iter().map(|(Round { wrong, stages }, weight)| {
            let next = if over { None } else { Some((stages, mistakes.clone())) };
            ((format!("A{wrong:0width$b}", width = length + 1), next), weight)
        });
        Law::new("a round of the chain", law)
    }

    fn observe(&self, state: &State, _: usize) -> Result<Law<State>> {
        Ok(Law::certain(state.clone()))
    }

    fn remarks(&self) -> Vec<String> {
        let mut remarks: Vec<String> = self.rules.iter().flat_map(Rule::remarks).collect();
        remarks.dedup();
        remarks
    }

    fn describe(&self, state: &State) -> String {
        let Some((stages, mistakes)) = state else { return OVER.into() };
        let stages: Vec<String> =
            self.rules.iter().zip(stages).map(|(rule, &stage)| rule.describe(stage)).collect();
        let mistakes: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
        format!("{}; mistakes {}", stages.join("; "), mistakes.join(" "))
    }
}
