//! `littlestone decompose --avoid`.

use serde_json::{Value, json};

use crate::decomposition::{Decomposition, Tree};
use crate::error::Error;
use crate::report::tree::{Parameters, TreeFormat, write_decomposition_tree};

use super::super::common::Format;
use super::super::output::Failure;
use super::{Args, Report};

impl Args {
    /// The function to be avoided has one label for each point.
    pub(super) fn check_avoided(&self, points: usize) -> Result<(), Error> {
        let Some(function) = &self.avoid else { return Ok(()) };
        let labels = function.bytes().all(|label| matches!(label, b'0' | b'1'));
        if labels && function.len() == points {
            return Ok(());
        }
        let message = format!("--avoid: expected {points} labels 0 or 1, found `{function}`");
        Err(Error::argument_with_help(message, "a function is typed as its labels in point order"))
    }
}

impl<'r> Report<'r, '_> {
    /// The optimal tree that is to be drawn: one that avoids a function, if that is asked for.
    /// Nothing if there is none, which is said.
    pub(super) fn avoiding(
        &mut self,
        found: &mut Decomposition<'r>,
        function: &str,
    ) -> Result<Option<Tree>, Failure> {
        let name = format!("avoidable: {function}");
        let tree = match self.watched(|_| found.avoiding(function)) {
            Ok(tree) => tree,
            Err(reason) => {
                self.undecided = true;
                self.object.insert("avoid", avoided(function, None, &Value::Null));
                self.output.warning(format_args!("{name}: undecided, {reason}"));
                return Ok(None);
            }
        };
        let parameters = Parameters { p: found.p(), ambient: found.ambient() };
        let class = self.solver.class();
        match (&tree, self.args.format) {
            (None, _) => {
                self.human(&format!("{name}: no"))?;
                self.object.insert("avoid", avoided(function, Some(false), &Value::Null));
                if self.args.tree.is_some() {
                    self.output.warning(format_args!(
                        "no tree: every optimal tree has a leaf of dimension ρ with SOA {function}"
                    ));
                }
            }
            (Some(tree), Format::Json) => {
                let text = write_decomposition_tree(class, tree, parameters, TreeFormat::Json)?;
                let tree: Value = serde_json::from_str(&text)
                    .map_err(|error| Failure::Write(std::io::Error::other(error)))?;
                self.object.insert("avoid", avoided(function, Some(true), &tree));
            }
            (Some(tree), Format::Human) => {
                self.human(&format!("{name}: yes"))?;
                if self.args.tree.is_none() {
                    let text = write_decomposition_tree(class, tree, parameters, TreeFormat::Text)?;
                    // The root is a name of the class: no line of ours begins with it.
                    for line in text.lines() {
                        self.output.document(&format!("  {line}\n"))?;
                    }
                }
            }
        }
        Ok(tree)
    }

    /// Says that it is not known whether a function can be avoided, if that is asked for.
    pub(super) fn not_avoided(&mut self) {
        if let Some(function) = &self.args.avoid {
            self.object.insert("avoid", avoided(function, None, &Value::Null));
            self.output.warning(format_args!("avoidable: {function}: undecided"));
        }
    }
}

fn avoided(function: &str, avoidable: Option<bool>, tree: &Value) -> Value {
    json!({ "avoidable": avoidable, "hypothesis": function, "tree": tree })
}
