//! Chains of replacements over patterns of mistakes: what Claim 1 and equation (12) speak of.
//!
//! Flipping all predictions of a round together with its label flips the answers of the chain, and
//! nothing else: disagreements, labels that favour the second sequence and mistakes stay what they
//! are. So a record need only say which candidates are wrong in the round, and an answer which of
//! `A_0, …, A_N` are. The label is part of the record, which is no harm to statements about every
//! value of the randomness: the rules are asked before they see it.
//!
//! Once nothing is claimed any more the chain is over, which keeps its states few.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::rule::{PARAMETERS, Rule, Stage};
use crate::catalogue::{Entry, Given};
use crate::spec::Parameter;
use crate::{Boxed, Interface, Kind, Law, Mechanism, Output};
use littlestone_base::error::Result;
use littlestone_exact::Number;

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
    rules: Vec<Stages>,
    batch: u64,
    /// How many candidates must have a full batch for the chain to be over.
    counted: usize,
}

/// How far the rules have come, and the mistakes of the counted candidates up to K; `None` once the
/// chain is over. Claim 1 is about so many of these that their size decides how long it takes: stages
/// are numbers, two in a word, and so are the mistakes, each of [`DIGIT`] bits.
type State = Option<[u64; 3]>;

/// Bits of a number of mistakes: K is at most 1024.
const DIGIT: usize = 11;

/// Bits of the number of a stage.
const NUMBER: usize = 32;

fn part(word: u64, place: usize, bits: usize) -> u64 {
    word >> (place * bits) & ((1 << bits) - 1)
}

impl Patterns {
    fn of(given: &Given<'_>) -> Result<Self> {
        let rules: Vec<Stages> = Rule::chain(given)?.into_iter().map(Stages::new).collect();
        let batch = u64::try_from(given.integer("K", 1..=1024)?).expect("it is at least 1");
        let all = rules.len() + 1;
        let counted = given
            .choice("until", &[("claim-1", rules.len()), ("equation-12", all), ("never", 0)])?;
        let words: Vec<String> = (0..1usize << all).map(|word| format!("{word:0all$b}")).collect();
        let named = |letter: char| words.iter().map(move |word| format!("{letter}{word}"));
        let outputs = named('A').chain([OVER.to_owned()]).collect();
        let interface = Interface::transducer(named('h').collect(), outputs, Vec::new())?;
        Ok(Self { interface, rules, batch, counted })
    }

    /// The mistakes after a round, and whether the chain is over then.
    fn count(&self, mistakes: u64, before: usize) -> (u64, bool) {
        let (mut next, mut over) = (0, self.counted > 0);
        for j in 0..self.counted {
            let wrong = u64::from(before >> (self.rules.len() - j) & 1 == 1);
            let count = (part(mistakes, j, DIGIT) + wrong).min(self.batch);
            over = over && count == self.batch;
            next |= count << (j * DIGIT);
        }
        (next, over)
    }
}

/// A rule whose stages are numbered in the order in which they are met. What a round does to a stage
/// is found out once: few stages make many states.
#[derive(Debug)]
struct Stages {
    rule: Rule,
    known: RefCell<Known>,
}

#[derive(Debug)]
struct Known {
    stages: Vec<Stage>,
    numbers: FxHashMap<Stage, u64>,
    /// For each stage what the rounds do, by which of the two sequences are wrong.
    steps: Vec<[Option<Rc<[Step]>>; 4]>,
}

/// What a round may do to a stage.
#[derive(Debug, Clone)]
struct Step {
    /// Whether the answer of the rule is wrong.
    wrong: bool,
    /// The number of the next stage.
    stage: u64,
    weight: Number,
}

impl Stages {
    fn new(rule: Rule) -> Self {
        let (stages, numbers) = (vec![Rule::START], [(Rule::START, 0)].into_iter().collect());
        Self {
            rule,
            known: RefCell::new(Known { stages, numbers, steps: vec![[const { None }; 4]] }),
        }
    }

    fn stage(&self, number: u64) -> Stage {
        self.known.borrow().stages[index(number)]
    }

    fn steps(&self, number: u64, first: bool, second: bool) -> Result<Rc<[Step]>> {
        let (row, column) = (index(number), 2 * usize::from(first) + usize::from(second));
        if let Some(steps) = &self.known.borrow().steps[row][column] {
            return Ok(Rc::clone(steps));
        }
        let law = self.law(self.stage(number), first, second)?;
        let mut known = self.known.borrow_mut();
        let step = |((wrong, stage), weight)| Step { wrong, stage: known.number(stage), weight };
        let steps: Rc<[Step]> = law.into_vec().into_iter().map(step).collect();
        known.steps[row][column] = Some(Rc::clone(&steps));
        Ok(steps)
    }

    /// Whether the answer is wrong, and the stage after the label.
    fn law(&self, stage: Stage, first: bool, second: bool) -> Result<Law<(bool, Stage)>> {
        let asked = self.rule.asks(stage, first, second);
        self.rule.respond(stage, first, second)?.then(|&(top, stage)| {
            let replaced = top && stage.accepted == Some(true);
            let wrong = if replaced { second } else { first };
            // A prediction that is not wrong is the label, which is 0 here.
            let after = match asked {
                Some(asked) => self.rule.observe(stage, asked, false)?,
                None => Law::certain(stage),
            };
            Ok(after.map(|stage| (wrong, stage)))
        })
    }
}

impl Known {
    fn number(&mut self, stage: Stage) -> u64 {
        let fresh = u64::try_from(self.stages.len()).expect("a length fits 64 bits");
        assert!(fresh >> NUMBER == 0, "rules have fewer stages than 2^{NUMBER}");
        *self.numbers.entry(stage).or_insert_with(|| {
            self.stages.push(stage);
            self.steps.push([const { None }; 4]);
            fresh
        })
    }
}

fn index(number: u64) -> usize {
    usize::try_from(number).expect("stages are in memory")
}

/// A round up to some rule: which answers are wrong, as a word, and the stages after the label.
#[derive(Debug, Clone, Copy)]
struct Round {
    wrong: usize,
    stages: [u64; 2],
}

impl Mechanism for Patterns {
    type State = State;

    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn start(&self) -> Result<Law<State>> {
        Ok(Law::certain(Some([0; 3])))
    }

    fn respond(&self, state: &State, before: usize) -> Result<Law<(Output, State)>> {
        let Some([low, high, mistakes]) = *state else {
            return Ok(Law::certain((OVER.into(), None)));
        };
        let length = self.rules.len();
        let candidate = |j: usize| before >> (length - j) & 1 == 1;
        let (mistakes, over) = self.count(mistakes, before);
        let mut rounds = vec![(Round { wrong: usize::from(candidate(0)), stages: [0; 2] }, None)];
        for (j, rule) in self.rules.iter().enumerate() {
            let number = part([low, high][j / 2], j % 2, NUMBER);
            let second = candidate(j + 1);
            let longer = |round: Round, step: &Step| Round {
                wrong: round.wrong << 1 | usize::from(step.wrong),
                stages: {
                    let mut stages = round.stages;
                    stages[j / 2] |= step.stage << (j % 2 * NUMBER);
                    stages
                },
            };
            if let [(round, _)] = &mut rounds[..] {
                let steps = rule.steps(number, round.wrong & 1 == 1, second)?;
                if let [step] = &*steps {
                    *round = longer(*round, step);
                    continue;
                }
            }
            let mut all = Vec::with_capacity(2 * rounds.len());
            for (round, weight) in rounds {
                for step in rule.steps(number, round.wrong & 1 == 1, second)?.iter() {
                    let weight = weight.as_ref().map_or_else(
                        || step.weight.clone(),
                        |weight: &Number| weight * &step.weight,
                    );
                    all.push((longer(round, step), Some(weight)));
                }
            }
            rounds = all;
        }
        let end = |Round { wrong, stages: [low, high] }: Round| {
            let next = if over { None } else { Some([low, high, mistakes]) };
            (self.interface.outputs()[wrong].clone(), next)
        };
        if let [(round, _)] = rounds[..] {
            return Ok(Law::certain(end(round)));
        }
        let weighed = rounds
            .into_iter()
            .map(|(round, weight)| (end(round), weight.unwrap_or_else(Number::one)));
        Law::new("a round of the chain", weighed)
    }

    fn observe(&self, state: &State, _: usize) -> Result<Law<State>> {
        Ok(Law::certain(*state))
    }

    fn remarks(&self) -> Vec<String> {
        let mut remarks: Vec<String> =
            self.rules.iter().flat_map(|stages| stages.rule.remarks()).collect();
        remarks.dedup();
        remarks
    }

    fn describe(&self, state: &State) -> String {
        let Some([low, high, mistakes]) = *state else { return OVER.into() };
        let stages = self.rules.iter().enumerate().map(|(j, stages)| {
            stages.rule.describe(stages.stage(part([low, high][j / 2], j % 2, NUMBER)))
        });
        let stages: Vec<String> = stages.collect();
        let mistakes: Vec<String> =
            (0..self.counted).map(|j| part(mistakes, j, DIGIT).to_string()).collect();
        format!("{}; mistakes {}", stages.join("; "), mistakes.join(" "))
    }
}
