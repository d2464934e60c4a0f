//! The law of Algorithm 1, and what a mechanism makes of it.

mod answer;

use std::path::PathBuf;

use num_traits::ToPrimitive;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::adversary::{Arguments, Drawn, Reading, Thirds, play};
use crate::class::files;
use crate::error::{Error, Result};
use crate::exact::{Number, Rational};
use crate::file;
use crate::limits::Meter;
use crate::report::thirds::draw;
use crate::text::quote;

use super::door::flattened;
use super::given::HeaderField;
use super::known::about;
use super::subject::{Length, MechanismName, Subject};
use super::written::{ClassName, Count, Example, PointName, Text, svg_path};
use super::{ClaimKind, Exact, Heard, OutputFiles, Question, Run};

pub use answer::{ListedOutcome, ThirdsAnswer};

/// Algorithm 1: informative examples in random thirds of thirds.
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize, JsonSchema)]
#[command(after_help = EXAMPLES)]
pub struct ThirdsQuestion {
    /// Number of rounds. The stages work on the first 3^L of them.
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub rounds: Text<Length>,
    /// The adversary as `mistakes` takes it, as in `thirds:p=1/2`; the three options that follow say
    /// the same one by one.
    #[arg(long, value_name = "thirds:…")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adversary: Option<Text<Arguments>>,
    /// The probability p of an insertion where the middle third is chosen, 0 < p ≤ 1; 1 if it is left
    /// out.
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p: Option<Text<Rational>>,
    /// The dummy example, by default 3:0.
    #[arg(long, value_name = "x:y")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dummy: Option<Text<Example>>,
    /// The point of informative examples, by default 1.
    #[arg(long, value_name = "x")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub informative: Option<Text<PointName>>,
    /// The class, for the names of points; every stream is realisable by it. By default `point:3`
    /// where there is no mechanism.
    #[arg(long, value_name = "CLASS")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<ClassName>,
    /// How the file of the class is read.
    #[command(flatten)]
    #[serde(flatten, deserialize_with = "flattened")]
    pub header: HeaderField,
    /// A learner or predictor, whose mistakes on informative examples are counted.
    #[arg(long, value_name = "MECHANISM")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mechanism: Option<MechanismName>,
    /// A quantity to be computed from all streams.
    #[arg(long, value_enum)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quantity: Option<ThirdsQuantity>,
    /// For the quantity `stage`, which stage, from 1; 1 if it is left out.
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stage: Option<Text<Count>>,
    /// For the quantity, Algorithm 1 as it is written, or a misreading.
    #[arg(long, value_enum, default_value_t)]
    #[serde(default)]
    pub reading: ThirdsReading,
}

const EXAMPLES: &str = "\
Examples:
  littlestone adversary thirds --rounds 9 --p 1/2
  littlestone adversary thirds --rounds 27 --plot thirds.svg
  littlestone adversary thirds --rounds 10 --class cube:2 --dummy 1:0 --informative 2
  littlestone adversary thirds --rounds 9 --mechanism soa-learner --class point:3 --quantity stage

For T = 1 and 2 the first round is informative, as in the proof of Theorem 1. Where there are more
than 1000 streams they are counted only.";

/// A quantity of the law of Algorithm 1.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum ThirdsQuantity {
    /// The expected number of informative examples.
    Informative,
    /// The probability that no hypothesis of the class fits the stream.
    Unrealisable,
    /// The mechanism's expected mistakes on informative examples.
    Mistakes,
    /// Those on the examples of one stage.
    Stage,
}

/// How Algorithm 1 is read.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum ThirdsReading {
    /// As it is written.
    #[default]
    Paper,
    /// A misreading: the example goes into the middle third itself.
    ChosenThird,
    /// A misreading: every insertion draws its label.
    FreshLabel,
}

impl From<ThirdsReading> for Reading {
    fn from(reading: ThirdsReading) -> Self {
        match reading {
            ThirdsReading::Paper => Self::Paper,
            ThirdsReading::ChosenThird => Self::ChosenThird,
            ThirdsReading::FreshLabel => Self::FreshLabel,
        }
    }
}

/// The drawing that can be written beside the answer.
#[derive(Debug, Default, clap::Args)]
pub struct ThirdsFiles {
    /// Write a drawing like Figure 2(a), as SVG.
    #[arg(long, value_name = "FILE.svg", value_parser = svg_path)]
    pub plot: Option<PathBuf>,
}

impl OutputFiles for ThirdsFiles {
    fn options(&self) -> Vec<(&'static str, Option<&PathBuf>)> {
        vec![("--plot", self.plot.as_ref())]
    }
}

/// The parameters of Algorithm 1, as one text and one by one.
pub(super) fn arguments(
    adversary: Option<&Text<Arguments>>,
    p: Option<&Text<Rational>>,
    dummy: Option<&Text<Example>>,
    informative: Option<&Text<PointName>>,
) -> Arguments {
    let mut arguments = adversary.map(|text| text.value.clone()).unwrap_or_default();
    if let Some(p) = p {
        arguments.probability = p.value.clone();
    }
    if let Some(dummy) = dummy {
        arguments.dummy = Some((dummy.value.point.clone(), dummy.value.label));
    }
    if let Some(point) = informative {
        arguments.informative = Some(point.value.0.clone());
    }
    arguments
}

/// Algorithm 1 over the points of a mechanism; its streams are realisable where there is a class.
pub(super) fn against(arguments: &Arguments, subject: &Subject, rounds: usize) -> Result<Thirds> {
    let points = subject.points();
    let thirds = arguments.over(points.point_names(), rounds)?;
    if subject.has_class() {
        thirds.check_realisable(&points)?;
    }
    Ok(thirds)
}

impl ThirdsQuestion {
    fn class_name(&self) -> Option<ClassName> {
        let default = || self.mechanism.is_none().then(|| ClassName::named("point:3"));
        self.class.clone().or_else(default)
    }

    /// The quantity, and how it was computed.
    fn value(
        &self,
        quantity: ThirdsQuantity,
        thirds: &Thirds,
        subject: Option<&Subject>,
        run: &Run<'_>,
    ) -> Result<(Number, String)> {
        let mut meter = Meter::new(&run.limits, &run.progress);
        let stage = match quantity {
            ThirdsQuantity::Stage => Some(self.stage.as_ref().map_or(1, |stage| stage.value.0)),
            _ => None,
        };
        let counts = matches!(quantity, ThirdsQuantity::Mistakes | ThirdsQuantity::Stage);
        let automaton = || {
            let help = "give one with --mechanism";
            let subject = subject.ok_or_else(|| {
                Error::argument_with_help("expected a `mechanism` that makes mistakes", help)
            })?;
            subject.automaton(self.rounds.value.0, &run.limits)
        };
        // The streams of Algorithm 1 itself need not be listed to count mistakes.
        if counts && self.reading == ThirdsReading::Paper {
            let stages = play(&automaton()?, thirds, &mut meter)?.stages;
            let own = |place: usize| stage.is_none_or(|stage| place + 1 == stage);
            let own = stages.iter().enumerate().filter(|(place, _)| own(*place));
            let sum = own.fold(Number::zero(), |sum, (_, stage)| &sum + stage);
            return Ok((sum, "stage by stage".to_owned()));
        }
        let drawn = Drawn::new(thirds, self.reading.into(), &mut meter)?;
        let value = match quantity {
            ThirdsQuantity::Informative => drawn.informative().into(),
            ThirdsQuantity::Unrealisable => {
                let class = match (subject, self.class_name()) {
                    (Some(subject), _) => subject.class("realisable streams")?.clone(),
                    (None, name) => {
                        let name = name.unwrap_or_else(|| ClassName::named("point:3"));
                        run.class(&name, None)?.class.clone()
                    }
                };
                drawn.unrealisable(&class).into()
            }
            ThirdsQuantity::Mistakes | ThirdsQuantity::Stage => {
                drawn.mistakes(&automaton()?, stage, &mut meter)?
            }
        };
        Ok((value, format!("from {} outcomes", drawn.outcomes())))
    }
}

impl Question for ThirdsQuestion {
    const NAME: &'static str = "thirds";
    const KINDS: &'static [ClaimKind] = &[ClaimKind {
        name: "thirds",
        about: "a quantity of the law of Algorithm 1, computed from all of its streams",
        sets: &[],
        renames: &[],
        asserts: &about("value"),
    }];
    type Answer = ThirdsAnswer;
    type Files = ThirdsFiles;

    fn validate(&self) -> Result<()> {
        if self.stage.is_some() && self.quantity != Some(ThirdsQuantity::Stage) {
            let message = "stage: expected no `stage` but with the quantity `stage`, found it";
            return Err(Error::argument(message));
        }
        if self.reading != ThirdsReading::Paper && self.quantity.is_none() {
            let message = "reading: expected a quantity beside a reading, found none";
            return Err(Error::argument(message));
        }
        Ok(())
    }

    fn inputs(&self) -> Vec<PathBuf> {
        let mechanism = self.mechanism.iter().flat_map(MechanismName::files);
        mechanism.chain(self.class.iter().flat_map(|class| files(class.as_str()))).collect()
    }

    fn answer_with(&self, files: &ThirdsFiles, run: &Run<'_>) -> Result<ThirdsAnswer> {
        let rounds = self.rounds.value.0;
        let arguments = arguments(
            self.adversary.as_ref(),
            self.p.as_ref(),
            self.dummy.as_ref(),
            self.informative.as_ref(),
        );
        let class = self.class_name();
        let load =
            |mechanism| run.resolve(mechanism, class.as_ref(), self.header.said(), Heard::Note);
        let subject = self.mechanism.as_ref().map(load).transpose()?;
        let (thirds, points) = match (&subject, &class) {
            (Some(subject), _) => {
                (against(&arguments, subject, rounds)?, subject.points().point_names().to_vec())
            }
            (None, Some(name)) => {
                let loaded = run.class(name, self.header.said())?;
                let thirds = arguments.over(loaded.class.point_names(), rounds)?;
                thirds.check_realisable(&loaded.class)?;
                (thirds, loaded.class.point_names().to_vec())
            }
            (None, None) => unreachable!("there is a class where there is no mechanism"),
        };
        let last = thirds.stages().max(1);
        if let Some(stage) = self.stage.as_ref().filter(|stage| stage.value.0 > last) {
            return Err(Error::argument(format!(
                "stage: expected a stage from 1 to {last}, as T = {rounds}, found {stage}"
            )));
        }
        let value =
            self.quantity.map(|quantity| self.value(quantity, &thirds, subject.as_ref(), run));
        let (value, how) = value.transpose()?.unzip();
        let law = if run.wants("law") {
            thirds.law(&mut Meter::new(&run.limits, &run.progress))?
        } else {
            None
        };
        let [dummy, _] = thirds.examples(&points);
        let point = quote(&points[thirds.point()]).into_owned();
        if let Some(path) = &files.plot {
            let drawing = draw(&thirds, &point);
            file::write(path, |out| out.write_all(drawing.as_bytes()))?;
            run.wrote("drawing", path);
        }
        Ok(ThirdsAnswer {
            adversary: "thirds",
            class,
            mechanism: self.mechanism.clone(),
            dummy,
            expected_informative: Exact(thirds.expected_informative()),
            informative_law: thirds.informative_law().into_iter().map(Exact).collect(),
            informative_point: point,
            law: law.map(|law| {
                let entry =
                    |(rounds, label, weight): (Vec<usize>, Option<bool>, Rational)| ListedOutcome {
                        informative_rounds: rounds,
                        label: label.map(u8::from),
                        probability: Exact(weight),
                    };
                law.into_iter().map(entry).collect()
            }),
            p: Exact(thirds.probability().clone()),
            rounds,
            stages: thirds.stages(),
            streams: thirds.number_of_streams().to_u64(),
            value: value.map(Exact),
            how,
            quantity: self.quantity,
            stage: self.stage.as_ref().map_or(1, |stage| stage.value.0),
            thirds,
        })
    }
}
