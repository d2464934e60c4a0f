//! What subcommands about mechanisms share: MECHANISM and `--class`.

use std::path::Path;
use std::rc::Rc;

use crate::catalogue::Standard;
use crate::class::Class;
use crate::error::{Error, Result};
use crate::limits::Limits;
use crate::mechanism::spec::{Catalogue, Context, Spec, Target};
use crate::mechanism::{Automaton, Boxed, Interface, Mechanism, Tools};
use crate::privacy::{INDEPENDENT, Neighbours, Streams, surely_independent};

use super::common::{self, ClassArgs};
use super::output::Output;

/// The named mechanisms.
pub(super) const CATALOGUE: &dyn Catalogue = &Standard;

/// Which mechanism, and over which class.
#[derive(Debug, clap::Args)]
pub(super) struct MechanismArgs {
    /// A `.rhai`, `.json` or `.toml` file or the name of a mechanism, with parameters as in
    /// `name:gamma=1/4,flip=1/8`.
    #[arg(value_name = "MECHANISM")]
    pub mechanism: String,
    /// The class: a file (CSV, 0/1 text or JSON), or a family such as `point:3`.
    #[arg(long, value_name = "CLASS")]
    pub class: Option<String>,
    #[command(flatten)]
    pub reading: ClassArgs,
}

/// A mechanism and the class it was asked for with.
#[derive(Debug)]
pub(super) struct Subject {
    /// The mechanism, not yet compiled.
    pub mechanism: Boxed,
    /// Whether it is described by a file.
    written: bool,
}

impl MechanismArgs {
    /// Loads the class and resolves the mechanism. Paths are relative to the working directory.
    ///
    /// # Errors
    /// When either cannot be read or is malformed, or when the points of a learner or predictor
    /// are not those of the class.
    pub(super) fn load(&self, limits: &Limits, output: &mut Output<'_>) -> Result<Subject> {
        let spec = Spec::parse(&self.mechanism, Path::new(""))?;
        let load = |name: &String| common::load(name, self.reading, limits, output);
        let class = self.class.as_ref().map(load).transpose()?;
        let class = class.map(Rc::new);
        let tools = class.clone().map(|class| Tools::new(class, limits.clone()));
        let mechanism =
            Context { tools, catalogue: CATALOGUE, limits: limits.clone() }.resolve(&spec)?;
        for remark in mechanism.remarks() {
            output.warning(remark);
        }
        if let Some(class) = &class {
            same_points(mechanism.interface(), class)?;
        }
        let written = matches!(spec.target, Target::File(_));
        Ok(Subject { mechanism, written })
    }
}

impl Subject {
    /// Says so where the output of a mechanism that the user wrote surely does not depend on the stream.
    pub(super) fn note_independence(
        &self,
        automaton: &Automaton,
        streams: &Streams,
        neighbours: Neighbours,
        rounds: usize,
        output: &mut Output<'_>,
    ) {
        if self.written && surely_independent(automaton, streams, neighbours, rounds) {
            output.note(INDEPENDENT);
        }
    }
}

/// Checks that a learner or predictor has the points of the class, in their order.
fn same_points(interface: &Interface, class: &Class) -> Result<()> {
    let points = interface.points();
    if points.is_empty() || points == class.point_names() {
        return Ok(());
    }
    Err(Error::argument(format!(
        "the mechanism is over the points {}, the class over {}",
        points.join(", "),
        class.point_names().join(", ")
    )))
}
