//! All classes on a few points up to symmetry.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::atlas::{AtlasRow, rows};
use crate::error::Result;
use crate::text::Lines;

use super::written::Text;
use super::{Answer, Ending, NoFiles, Question, Run, known};

/// List every class on a few points up to symmetry with its dimensions, as CSV.
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize, JsonSchema)]
#[command(after_help = EXAMPLES)]
pub struct AtlasQuestion {
    /// The greatest number of points, from 1 to 4.
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub points: Text<u32>,
}

const EXAMPLES: &str = "\
Examples:
  littlestone atlas --points 3
  littlestone atlas --points 4 > atlas.csv

A row stands for all classes that permutations of the points and complementing the labels at some
points turn into one another; `alike` is their number. Everything is the same for all of them but
the threshold dimension, of which the least and the greatest value are given. The decomposition
dimension and the number of essential hypotheses are for p = 1, 2, 3 and d = Ldim.";

/// The classes, each with its dimensions.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct AtlasAnswer {
    /// The number of classes up to symmetry.
    pub classes: usize,
    /// The classes: by number of points, then by number of hypotheses.
    #[schemars(with = "Vec<serde_json::Map<String, serde_json::Value>>")]
    pub rows: Vec<AtlasRow>,
}

impl Question for AtlasQuestion {
    const NAME: &'static str = "atlas";
    type Answer = AtlasAnswer;
    type Files = NoFiles;

    fn inputs(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    fn answer_with(&self, _: &NoFiles, run: &Run<'_>) -> Result<AtlasAnswer> {
        let points = usize::try_from(self.points.value).unwrap_or(usize::MAX);
        let rows = rows(points, &run.limits)?;
        Ok(AtlasAnswer { classes: rows.len(), rows })
    }
}

impl Answer for AtlasAnswer {
    fn ending(&self) -> Ending {
        Ending::Found
    }

    fn text(&self) -> Lines {
        let mut text = Lines::new();
        self.csv().lines().for_each(|line| text.push(line));
        text
    }

    fn csv(&self) -> String {
        known::records(&self.rows)
    }

    fn symbol(&self, path: &str) -> String {
        match path {
            "classes" => "number of classes up to symmetry".into(),
            path => path.to_owned(),
        }
    }
}
