//! Fields that many questions share, stated once: how a class is named, and a mechanism with its
//! class.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::class::{Header, files};

use super::door::flattened;
use super::subject::MechanismName;
use super::written::{ClassName, Text};

/// How the file of a class is read.
#[derive(Debug, Clone, Default, clap::Args, Serialize, Deserialize, JsonSchema)]
pub struct HeaderField {
    /// Whether the first line of a CSV file of the class holds the names of the points; to be given
    /// where it could as well be a hypothesis.
    #[arg(long, value_name = "yes|no", allow_hyphen_values = true)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<Text<Header>>,
}

impl HeaderField {
    /// What is said about the first line.
    pub fn said(&self) -> Option<Header> {
        self.header.as_ref().map(|header| header.value)
    }
}

/// The class that a question is about.
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize, JsonSchema)]
pub struct ClassFields {
    /// The class: a file (CSV, 0/1 text or JSON), or a family such as `cube:4`.
    #[arg(value_name = "CLASS")]
    pub class: ClassName,
    /// How its file is read.
    #[command(flatten)]
    #[serde(flatten, deserialize_with = "flattened")]
    pub header: HeaderField,
}

impl ClassFields {
    /// The files that are read for it.
    pub fn files(&self) -> Vec<PathBuf> {
        files(self.class.as_str())
    }
}

/// A class beside what a question is about.
#[derive(Debug, Clone, Default, clap::Args, Serialize, Deserialize, JsonSchema)]
pub struct OptionalClassFields {
    /// The class: a file (CSV, 0/1 text or JSON), or a family such as `point:3`.
    #[arg(long, value_name = "CLASS")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<ClassName>,
    /// How its file is read.
    #[command(flatten)]
    #[serde(flatten, deserialize_with = "flattened")]
    pub header: HeaderField,
}

impl OptionalClassFields {
    /// The files that are read for it.
    pub fn files(&self) -> Vec<PathBuf> {
        self.class.iter().flat_map(|class| files(class.as_str())).collect()
    }
}

/// The mechanism that a question is about, and its class.
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize, JsonSchema)]
pub struct MechanismFields {
    /// The mechanism: a `.rhai`, `.json` or `.toml` file or a name, with parameters as in
    /// `name:gamma=1/4,flip=1/8`.
    #[arg(value_name = "MECHANISM")]
    pub mechanism: MechanismName,
    /// Its class.
    #[command(flatten)]
    #[serde(flatten, deserialize_with = "flattened")]
    pub with: OptionalClassFields,
}

impl MechanismFields {
    /// The class, where there is one.
    pub fn class(&self) -> Option<&ClassName> {
        self.with.class.as_ref()
    }

    /// The files that are read for both.
    pub fn files(&self) -> Vec<PathBuf> {
        self.mechanism.files().into_iter().chain(self.with.files()).collect()
    }
}
