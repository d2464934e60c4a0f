//! What a script says of itself: its kind, its alphabets, its functions and its parameters.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::fault::Text;
use super::value::Value;
use super::{Script, Tools, parameters};
use crate::spec::{self, Argument};
use crate::{Interface, Kind};
use littlestone_base::error::{Error, Result};

impl Script {
    /// Finds out the kind and the alphabets, and checks that the functions of the kind are there.
    pub(super) fn describe_itself(&mut self, tools: Option<&Rc<Tools>>) -> Result<()> {
        self.program.require("kind", &[])?;
        let kind = match self.program.certain("kind", &[])? {
            Value::Text(name) => Kind::parse(&name).ok_or(format!("{name:?}")),
            other => Err(other.to_string()),
        };
        let kind = kind.map_err(|found| {
            let names = Kind::ALL.map(|(_, name)| format!("{name:?}")).join(", ");
            Error::malformed(self.program.text.function("kind"), format!("one of {names}"), found)
        })?;
        self.program.require("start", &[])?;
        if matches!(kind, Kind::Learner | Kind::Predictor) {
            let Some(tools) = tools else {
                let expected = format!("a class for this {kind} (--class)");
                return Err(Error::malformed(self.program.text.function("kind"), expected, "none"));
            };
            let points = tools.class().point_names().to_vec();
            self.before = points.iter().cloned().map(Value::Text).collect();
            let observes = self.program.require("observe", &["state", "x", "y"]);
            if kind == Kind::Learner {
                self.interface = Interface::learner(points)?;
                self.program.require("release", &["state"])?;
                return observes;
            }
            self.interface = Interface::predictor(points)?;
            self.program.require("predict", &["state", "x"])?;
            self.remembers = observes.is_ok();
            return observes.or_else(|fault| {
                self.program.require("observe", &["state", "y"]).map_err(|_| fault)
            });
        }
        self.read_alphabet(kind)
    }

    fn read_alphabet(&mut self, kind: Kind) -> Result<()> {
        self.program.require("alphabet", &[])?;
        let fault = |expected: &str, found: String| {
            Error::malformed(self.program.text.function("alphabet"), expected, found)
        };
        let Value::Map(mut parts) = self.program.certain("alphabet", &[])? else {
            return Err(fault("a map of lists, such as #{ before: [0, 1] }", "other data".into()));
        };
        let mut part = |name: &str| match parts.remove(name) {
            None => Ok(Vec::new()),
            Some(Value::List(symbols)) => Ok(symbols),
            Some(other) => Err(fault(&format!("a list for `{name}`"), other.to_string())),
        };
        let names = |symbols: &[Value]| symbols.iter().map(Value::symbol).collect::<Vec<_>>();
        let outputs = part("output")?;
        let one_shot = kind == Kind::OneShot;
        let (before, after) = if one_shot {
            (Vec::new(), part("record")?)
        } else {
            (part("before")?, part("after")?)
        };
        if let Some(key) = parts.keys().next() {
            let keys = if one_shot { "`record`, `output`" } else { "`before`, `output`, `after`" };
            return Err(fault(&format!("the keys {keys}"), format!("`{key}`")));
        }
        let interface = if one_shot {
            Interface::one_shot(names(&after), names(&outputs))
        } else {
            Interface::transducer(names(&before), names(&outputs), names(&after))
        };
        self.interface =
            interface.map_err(|e| fault("alphabets of distinct names", e.to_string()))?;
        let mut seen = vec!["state"];
        seen.extend((!before.is_empty()).then_some("before"));
        if one_shot {
            self.program.require("finish", &["state"])?;
            self.program.require("observe", &["state", "record"])?;
        } else {
            self.program.require("respond", &seen)?;
            let silent = after.is_empty();
            seen.extend((!silent).then_some("after"));
            self.observes = !silent || self.program.text.functions.iter().any(|f| f == "observe");
            if self.observes {
                self.program.require("observe", &seen)?;
                self.remembers = !before.is_empty();
            }
        }
        (self.before, self.after) = (before, after);
        Ok(())
    }
}

/// Checks the given arguments against the parameters that the script declares.
pub(super) fn check_arguments(text: &Text, arguments: &BTreeMap<String, Argument>) -> Result<()> {
    let declared = parameters::declared(&text.name, &text.content)?;
    let names = || declared.iter().map(|declared| declared.name.as_str());
    if let Some(name) = arguments.keys().find(|name| !names().any(|n| n == name.as_str())) {
        return Err(spec::unknown_parameter(&text.name, name, names()));
    }
    match declared.iter().find(|d| d.required && !arguments.contains_key(&d.name)) {
        Some(missing) => Err(spec::missing_parameter(&text.name, &missing.name)),
        None => Ok(()),
    }
}
