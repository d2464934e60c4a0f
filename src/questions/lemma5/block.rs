//! The mistakes on the copies of one auxiliary example in a block of Lemma 5.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::adversary::{Block, Blocks, Instance};
use crate::class::Class;
use crate::error::{Error, Result};
use crate::exact::{Epsilon, Number};
use crate::limits::Meter;
use crate::text::Lines;

use super::super::blocks::{tuple, with_decimal};
use super::super::door::flattened;
use super::super::given::MechanismFields;
use super::super::subject::MechanismName;
use super::super::written::{AtLeastZero, ClassName, Count, StreamText, Text};
use super::super::{
    Answer, ClaimKind, Claimed, Ending, Exact, Inequality, NoFiles, Question, Relation, Run, slack,
};
use super::BlockReading;

/// Decide the inequality of Lemma 5 for the copies of one example in a block, for a learner.
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize, JsonSchema)]
#[command(after_help = EXAMPLES)]
pub struct BlockQuestion {
    /// What is asked about.
    #[command(flatten)]
    #[serde(flatten, deserialize_with = "flattened")]
    pub subject: MechanismFields,
    /// The number q of copies of an auxiliary example.
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub q: Text<Count>,
    /// Half the number of rounds of a block, at least q - 1.
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub w: Text<Count>,
    /// The dummy example, as in `3:0`.
    #[arg(long, value_name = "x:y")]
    pub dummy: StreamText,
    /// The auxiliary example, as in `1:1`.
    #[arg(long, value_name = "x:y")]
    pub informative: StreamText,
    /// The auxiliary examples of earlier blocks, as in `3:0,1:1`; none if it is left out.
    #[arg(long, value_name = "x:y,…")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous: Option<StreamText>,
    /// ε ≥ 0: a number, or `ln(9/8)`.
    #[arg(long, value_name = "E", allow_hyphen_values = true)]
    pub epsilon: Text<Epsilon>,
    /// The δ of the learner.
    #[arg(long, value_name = "D", allow_hyphen_values = true)]
    pub delta: Text<AtLeastZero>,
    /// Lemma 5 as it is written, or a misreading.
    #[arg(long, value_enum, default_value_t)]
    #[serde(default)]
    pub reading: BlockReading,
}

const EXAMPLES: &str = "\
Examples:
  littlestone adversary blocks subsampled-soa-learner:gamma=1/4 --class point:3 --q 2 --w 4 \\
    --dummy 3:0 --informative 1:1 --epsilon 0 --delta 1/4

The j-th copy of the example, j = 0, …, q - 1, is wrong with probability p_j. Where an auxiliary
learner is wrong on it with probability α, Lemma 5 has p_j ≥ e^(-qε)(α - j/w) - δ_q.
Exit codes: 0 no inequality is false, 1 one is, 2 malformed input, 3 a limit was hit.";

impl BlockQuestion {
    fn example(text: &StreamText, points: &Class, run: &Run<'_>, field: &str) -> Result<usize> {
        match text.records(points, &run.folder, field)?[..] {
            [record] => Ok(record),
            _ => Err(Error::argument(format!(
                "{field}: expected one example such as 3:0, found `{text}`"
            ))),
        }
    }
}

impl Question for BlockQuestion {
    const NAME: &'static str = "blocks";
    const KINDS: &'static [ClaimKind] = &[ClaimKind {
        name: "blocks",
        about: "the mistakes on the copies of one example in a block, against those of the auxiliary \
                learner (Lemma 5)",
        sets: &[],
        renames: &[],
        asserts: &[],
    }];
    const DECIDES: bool = true;
    type Answer = BlockAnswer;
    type Files = NoFiles;

    fn inputs(&self) -> Vec<PathBuf> {
        let streams = [&self.dummy, &self.informative].into_iter().chain(&self.previous);
        let streams = streams.filter_map(StreamText::file);
        self.subject.files().into_iter().chain(streams).collect()
    }

    fn answer_with(&self, _: &NoFiles, run: &Run<'_>) -> Result<BlockAnswer> {
        let subject = run.subject(&self.subject)?;
        let points = subject.points();
        let dummy = Self::example(&self.dummy, &points, run, "dummy")?;
        let informative = Self::example(&self.informative, &points, run, "informative")?;
        if informative / 2 == dummy / 2 {
            return Err(Error::argument(format!(
                "informative: expected an auxiliary example with another point than the dummy \
                 example's, found `{}` beside `{}`",
                self.informative, self.dummy
            )));
        }
        let (copies, half) = (self.q.value.0, self.w.value.0);
        let shifted = self.reading == BlockReading::Paper;
        let blocks = Blocks::new(copies, half, dummy, shifted)?;
        let mut examples = match &self.previous {
            Some(text) => text.records(&points, &run.folder, "previous")?,
            None => Vec::new(),
        };
        examples.push(informative);
        let automaton =
            subject.automaton(blocks.rounds().saturating_mul(examples.len()), &run.limits)?;
        let (factor, delta) = (self.epsilon.value.factor(), &self.delta.value.0);
        automaton.fits([&factor, delta])?;
        let meter = &mut Meter::new(&run.limits, &run.progress);
        let mut played = blocks.play(&automaton, &examples, meter)?;
        let block = played.pop().ok_or_else(|| Error::argument("there is no block"))?;
        let instances = block.instances(&blocks, &factor, delta)?;
        Ok(BlockAnswer::new(self, block, instances, &tuple(automaton.interface(), &examples)))
    }
}

/// The inequality of Lemma 5 for each copy of an example.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct BlockAnswer {
    /// The learner as it was asked for.
    mechanism: MechanismName,
    /// The class as it was asked for.
    class: Option<ClassName>,
    /// α: the probability that the auxiliary learner is wrong on the example.
    #[schemars(extend("format" = "probability"))]
    alpha: Exact,
    /// `p_0`, …, `p_(q-1)`.
    copies: Vec<Exact>,
    /// The place j of the inequality that comes nearest to being false.
    j: usize,
    /// Its left side `p_j`.
    left: Exact,
    /// Its right side e^(-qε)(α - j/w) - `δ_q`.
    right: Exact,
    /// The difference.
    slack: Exact,
    /// Whether no inequality is false.
    verdict: &'static str,
    #[serde(skip)]
    instances: Vec<Instance>,
    /// What the block is, for reading.
    #[serde(skip)]
    on: String,
}

impl BlockAnswer {
    fn new(asked: &BlockQuestion, block: Block, instances: Vec<Instance>, on: &str) -> Self {
        let tightest = instances.iter().enumerate().min_by_key(|(_, i)| i.slack());
        let (j, left, right) = tightest.map_or((0, Number::zero(), Number::zero()), |(j, i)| {
            (j, i.left.clone(), i.right.clone())
        });
        let refuted = instances.iter().any(|i| i.left < i.right);
        Self {
            mechanism: asked.subject.mechanism.clone(),
            class: asked.subject.class().cloned(),
            alpha: Exact(block.auxiliary),
            copies: block.copies.into_iter().map(Exact).collect(),
            j,
            slack: Exact(&left - &right),
            left: Exact(left),
            right: Exact(right),
            verdict: if refuted { "refuted" } else { "holds" },
            instances,
            on: format!("on {on}, q = {}, w = {}", asked.q, asked.w),
        }
    }

    fn count(&self, is: impl Fn(&Instance) -> bool) -> usize {
        self.instances.iter().filter(|instance| is(instance)).count()
    }

    fn says_something(instance: &Instance) -> bool {
        instance.right > Number::zero()
    }

    fn shown(&self) -> String {
        let copies: Vec<String> = self.copies.iter().map(|Exact(p)| p.to_string()).collect();
        format!("α = {}; p_0, …, p_(q-1) = {}", self.alpha.0, copies.join(", "))
    }

    /// What the proof would give without the copies that come later.
    fn sharper(&self) -> String {
        let holds = self.instances.iter().all(|i| i.left >= i.sharper);
        format!(
            "with e^(-jε) and δ_j in place of e^(-qε) and δ_q the inequality {}",
            if holds { "holds as well" } else { "is false" }
        )
    }
}

impl Answer for BlockAnswer {
    fn ending(&self) -> Ending {
        if self.verdict == "holds" { Ending::Holds } else { Ending::Refuted }
    }

    fn text(&self) -> Lines {
        let mut text = Lines::new();
        writeln!(text, "mechanism: {} (learner)", self.mechanism);
        if let Some(class) = &self.class {
            writeln!(text, "class: {class}");
        }
        writeln!(text, "block: {}", self.on);
        writeln!(text, "α: {}", with_decimal(&self.alpha.0));
        for (j, instance) in self.instances.iter().enumerate() {
            let (left, right) = (with_decimal(&instance.left), instance.right.decimal(10));
            let relation = if instance.left < instance.right { "<" } else { "≥" };
            writeln!(text, "p_{j}: {left} {relation} {right}");
        }
        if self.verdict == "holds" {
            writeln!(text, "note: {}", self.sharper());
        }
        writeln!(text, "verdict: {}", self.verdict);
        text
    }

    fn found(&self) -> String {
        format!(
            "tightest at j = {}: p_j = {} {} e^(-qε)(α - j/w) - δ_q = {}, slack {}; {}",
            self.j,
            self.left.0,
            if self.verdict == "holds" { "≥" } else { "<" },
            self.right.0.decimal(10),
            self.slack.0.decimal(10),
            self.on
        )
    }

    fn inequalities(&self) -> Vec<Inequality> {
        let of = |instance: &Instance| Inequality {
            quantity: "p_j".into(),
            what: "p_j".into(),
            found: slack::exactly(&instance.left),
            relation: Relation::AtLeast,
            claimed: slack::exactly(&instance.right),
        };
        let telling = self.instances.iter().filter(|instance| Self::says_something(instance));
        slack::nearest(telling.map(of)).into_iter().collect()
    }

    fn vacuous(&self) -> Option<String> {
        let speaking = self.count(Self::says_something);
        (speaking == 0).then(|| "no right side is above 0".to_owned())
    }

    fn counterexample(&self, _: &str, _: &Claimed, _: &Run<'_>) -> Vec<String> {
        let false_ones = self.count(|i| i.left < i.right);
        vec![
            format!("counterexample, j = {}: p_j = {} < {}", self.j, self.left.0, self.right.0),
            format!("{false_ones} of {} instances are false", self.instances.len()),
            self.shown(),
        ]
    }

    fn evidence(&self) -> Option<String> {
        let (speaking, all) = (self.count(Self::says_something), self.instances.len());
        let (shown, sharper) = (self.shown(), self.sharper());
        Some(format!("{speaking} of {all} instances say something; {shown}; {sharper}"))
    }
}
