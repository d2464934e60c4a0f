//! What claims about mechanisms share: the mechanism, its class, the rounds, and the names that
//! expressions may use.

use std::rc::Rc;
use std::sync::Arc;

use crate::catalogue::Standard;
use crate::class::{Class, Loaded};
use crate::error::{Error, Position};
use crate::limits::{Limits, Stopped};
use crate::littlestone::Solver;
use crate::mechanism::spec::{Argument, Catalogue, Context, Spec, Target};
use crate::mechanism::{
    Automaton, Boxed, Interface, Kind as MechanismKind, Mechanism as _, Options, Output, Tools,
    compile, expression, stream,
};
use crate::privacy::{INDEPENDENT, Neighbours, Streams, surely_independent};

pub(super) use crate::questions::blocks::tuple as show_stream;
pub(super) use crate::questions::known::size as natural;
use crate::questions::written::is_name;

use super::super::classes::Reading;
use super::super::{Fields, Located};
use super::bound::{Scope, evaluate, mentions};
use super::{Classes, Key, keys};

pub(super) const MECHANISM: Key = Key {
    name: "mechanism",
    grid: true,
    about: "a script, table or name with parameters, or a table { use = \"…\", parameter = … }",
};
pub(super) const ROUNDS: Key =
    Key { name: "rounds", grid: true, about: "the number T of rounds, at least 1" };
pub(super) const ROUNDS_OR_ALL: Key = Key {
    name: "rounds",
    grid: true,
    about: "the number T of rounds, at least 1, or `all` for every number",
};
pub(super) const STREAMS: Key =
    Key { name: "streams", grid: true, about: "`all` or `realisable` streams" };
pub(super) const WITH: Key =
    Key { name: "with", grid: true, about: "a table of names for expressions; lists are grids" };

/// The names that expressions have of their own.
const RESERVED: [&str; 6] = ["T", "d", "points", "hypotheses", "epsilon", "exp_epsilon"];

/// The names of the key `with`, which are none of those that expressions have of their own.
pub(super) fn with(fields: &mut Fields<'_>) -> Option<Vec<(String, Located<String>)>> {
    let with = if fields.has("with") { fields.expressions("with")? } else { Vec::new() };
    for (name, value) in &with {
        if !is_name(name) || RESERVED.contains(&name.as_str()) {
            let expected = format!("a name in `with` other than {}", RESERVED.join(", "));
            fields.refuse(value.position.clone(), &expected, &format!("`{name}`"));
        }
    }
    Some(with)
}

/// The names in scope: those of `with`, and of a class.
#[derive(Debug, Clone)]
pub(super) struct Names {
    class: Option<Located<String>>,
    reading: Reading,
    with: Vec<(String, Located<String>)>,
    loaded: Option<Arc<Loaded>>,
    limits: Limits,
}

impl Names {
    /// Reads the keys `class` and `with`.
    pub(super) fn parse(fields: &mut Fields<'_>) -> Option<Self> {
        let class = if fields.has(keys::CLASS.name) { Some(fields.text("class")?) } else { None };
        let with = with(fields)?;
        let reading = Reading::parse(fields)?;
        Some(Self { class, reading, with, loaded: None, limits: Limits::default() })
    }

    pub(super) fn load(&mut self, classes: &mut Classes<'_>) {
        self.limits = classes.limits().clone();
        if let Some(class) = &self.class {
            self.loaded = classes.load(class, &self.reading);
        }
    }

    pub(super) fn class(&self) -> Option<&Class> {
        self.loaded.as_ref().map(|loaded| &loaded.class)
    }

    /// The names with their values; `d`, which takes work, only when an expression mentions it.
    pub(super) fn scope<'e>(
        &self,
        mut scope: Scope,
        mut expressions: impl Iterator<Item = &'e Located<String>>,
    ) -> Result<Scope, Error> {
        let wants_dimension = expressions.any(|e| mentions(&e.value, "d"))
            || self.with.iter().any(|(_, e)| mentions(&e.value, "d"));
        if let Some(class) = self.class() {
            scope.insert("points".into(), natural(class.points()));
            scope.insert("hypotheses".into(), natural(class.hypotheses()));
            if wants_dimension {
                let dimension = Solver::new(class, self.limits.clone()).dimension();
                let stopped = dimension.stopped.unwrap_or(Stopped::Elsewhere);
                let dimension = dimension.value().ok_or_else(|| Error::Limit {
                    stopped,
                    message: "a limit was reached before the value of `d` was found".into(),
                    help: "allow more, or write the dimension as a number".into(),
                })?;
                scope.insert("d".into(), i64::from(dimension).into());
            }
        }
        for (name, expression) in &self.with {
            let value = evaluate(expression, &scope)?;
            scope.insert(name.clone(), value);
        }
        Ok(scope)
    }
}

/// A mechanism that a claim is about.
#[derive(Debug)]
pub(super) struct Subject {
    mechanism: Located<Spec>,
    pub(super) names: Names,
}

impl Subject {
    /// Reads the keys `mechanism`, `class` and `with`.
    pub(super) fn parse(fields: &mut Fields<'_>) -> Option<Self> {
        let mechanism = fields.mechanism(MECHANISM.name);
        let names = Names::parse(fields);
        Some(Self { mechanism: mechanism?, names: names? })
    }

    /// Loads the class, and tries whether there is such a mechanism.
    pub(super) fn load(&mut self, classes: &mut Classes<'_>) {
        self.names.load(classes);
        if self.names.class.is_some() && self.names.loaded.is_none() {
            return;
        }
        if let Err(fault) = self.resolve(classes.limits()) {
            classes.refuse(fault);
        }
    }

    /// The mechanism, and the class with its SOA.
    ///
    /// # Errors
    /// When the mechanism is at fault.
    pub(super) fn resolve(&self, limits: &Limits) -> Result<(Boxed, Option<Rc<Tools>>), Error> {
        let class = self.names.class().cloned().map(Rc::new);
        let tools = class.map(|class| Tools::new(class, limits.clone()));
        let context =
            Context { tools: tools.clone(), catalogue: &Standard, limits: limits.clone() };
        let mechanism =
            context.resolve(&self.mechanism.value).map_err(|error| self.fault(&error))?;
        Ok((mechanism, tools))
    }

    /// The automaton for streams of the given lengths, and the class with its SOA.
    ///
    /// # Errors
    /// When the mechanism is at fault or has too many states.
    pub(super) fn build(&self, options: &Options, limits: &Limits) -> Result<Built, Error> {
        let (mechanism, tools) = self.resolve(limits)?;
        let automaton = compile(&mechanism, options).map_err(|error| self.fault(&error))?;
        Ok(Built { automaton, tools, remarks: mechanism.remarks() })
    }

    /// What the mechanism sees and releases.
    ///
    /// # Errors
    /// When the mechanism is at fault.
    pub(super) fn interface(&self, limits: &Limits) -> Result<Interface, Error> {
        Ok(self.resolve(limits)?.0.interface().clone())
    }

    /// The options for streams of `rounds` rounds.
    pub(super) fn options(rounds: usize, limits: &Limits) -> Options {
        let states = limits.states.map_or(0, |n| usize::try_from(n).unwrap_or(usize::MAX));
        Options::rounds(rounds, states.max(Options::STATES)).within(limits)
    }

    /// A fault of the mechanism, or of a question about it, placed in the claim file. A limit is no
    /// fault and stays what it is.
    pub(super) fn fault(&self, error: &Error) -> Error {
        if let Error::Limit { .. } = error {
            return error.clone();
        }
        let found = error.to_string().replace("\n  help: ", "; ");
        Error::malformed(self.mechanism.position.clone(), "a mechanism for this claim", found)
    }

    /// The names of the claim with those of the mechanism: its parameters that are numbers, and T.
    pub(super) fn scope<'e>(
        &self,
        rounds: Option<usize>,
        expressions: impl Iterator<Item = &'e Located<String>>,
    ) -> Result<Scope, Error> {
        let mut scope = Scope::new();
        let number = |text: &str| expression::evaluate(text, &Scope::new()).ok();
        if let Target::Name(name) = &self.mechanism.value.target {
            for parameter in Standard.parameters(name).unwrap_or_default() {
                if let Some(value) = parameter.default.and_then(number) {
                    scope.insert(parameter.name.to_owned(), value);
                }
            }
        }
        for (name, argument) in &self.mechanism.value.arguments {
            if let Argument::Text(text) = argument
                && let Some(value) = number(text)
            {
                scope.insert(name.clone(), value);
            }
        }
        for name in RESERVED {
            scope.remove(name);
        }
        if let Some(rounds) = rounds {
            scope.insert("T".into(), natural(rounds));
        }
        self.names.scope(scope, expressions)
    }

    /// The streams that a claim speaks of.
    ///
    /// # Errors
    /// When streams are to be realisable and there is no class, or the records of the mechanism
    /// are not its labelled examples.
    pub(super) fn streams(
        &self,
        which: Which,
        interface: &Interface,
        limits: &Limits,
    ) -> Result<Streams, Error> {
        match which {
            Which::All => Ok(Streams::all(interface.records())),
            Which::Realisable => {
                let class = self.class("realisable streams")?;
                Streams::realisable_by(class, interface, limits).map_err(|error| self.fault(&error))
            }
        }
    }

    /// A remark where the output of a mechanism that the user wrote surely does not depend on the
    /// stream.
    pub(super) fn independence(
        &self,
        automaton: &Automaton,
        streams: &Streams,
        neighbours: Neighbours,
        rounds: usize,
    ) -> Option<String> {
        let written = matches!(self.mechanism.value.target, Target::File(_));
        (written && surely_independent(automaton, streams, neighbours, rounds))
            .then(|| format!("note: {INDEPENDENT}"))
    }

    /// The class.
    ///
    /// # Errors
    /// When the claim has none; `purpose` says what needs it.
    pub(super) fn class(&self, purpose: &str) -> Result<&Class, Error> {
        self.names.class().ok_or_else(|| {
            let expected = format!("a claim with the key `class`, for {purpose}");
            Error::malformed(self.position().clone(), expected, "a claim without it")
        })
    }

    pub(super) fn position(&self) -> &Position {
        &self.mechanism.position
    }
}

/// Which streams count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    All,
    Realisable,
}

/// A mechanism, compiled.
#[derive(Debug)]
pub(super) struct Built {
    pub(super) automaton: Automaton,
    pub(super) tools: Option<Rc<Tools>>,
    pub(super) remarks: Vec<String>,
}

impl Built {
    /// Preconditions of the paper that the parameters violate, as details of a finding.
    pub(super) fn notes(&self) -> Vec<String> {
        notes(&self.remarks)
    }

    /// What its runs are made of.
    pub(super) fn runs(&self) -> Runs<'_> {
        Runs {
            tools: self.tools.as_ref(),
            interface: self.automaton.interface(),
            outputs: self.automaton.outputs(),
        }
    }
}

/// Preconditions of the paper that are violated, as details of a finding.
pub(super) fn notes(remarks: &[String]) -> Vec<String> {
    remarks.iter().map(|remark| format!("note: {remark}")).collect()
}

/// What runs of a mechanism are made of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Runs<'a> {
    pub(super) tools: Option<&'a Rc<Tools>>,
    pub(super) interface: &'a Interface,
    pub(super) outputs: &'a [Output],
}

/// Reads a stream, which holds at least one record.
pub(super) fn read_stream(
    text: &Located<String>,
    interface: &Interface,
) -> Result<Vec<usize>, Error> {
    let stream = stream::parse(interface, &text.value, &text.position)?;
    if stream.is_empty() {
        return Err(unknown(text.position.clone(), interface, &text.value));
    }
    Ok(stream)
}

fn unknown(position: Position, interface: &Interface, name: &str) -> Error {
    let names: Vec<String> =
        (0..interface.records()).take(8).map(|r| stream::name(interface, r)).collect();
    let more = if interface.records() > names.len() { ", …" } else { "" };
    let expected = format!("one of the examples {}{more}", names.join(", "));
    Error::malformed(position, expected, format!("`{name}`"))
}

/// The greatest number of output words that are printed.
const WORDS: usize = 6;

/// An output word; under joint privacy the dropped symbol is shown as `·`.
pub(super) fn show_word(automaton: &Automaton, word: &[usize], dropped: Option<usize>) -> String {
    let mut symbols: Vec<&str> =
        word.iter().map(|&output| automaton.outputs()[output].as_str()).collect();
    if let Some(round) = dropped {
        symbols.insert(round.min(symbols.len()), "·");
    }
    symbols.join(" ")
}

/// An event as `{0 1, 1 1}`, or its first words and their number when it is large. Words are sorted
/// as they are shown.
pub(super) fn show_event(
    automaton: &Automaton,
    words: &[Vec<usize>],
    dropped: Option<usize>,
) -> String {
    let mut shown: Vec<String> =
        words.iter().map(|word| show_word(automaton, word, dropped)).collect();
    shown.sort_unstable();
    if shown.len() > WORDS {
        shown.truncate(WORDS);
        shown.push(format!("… ({} words)", words.len()));
    }
    format!("{{{}}}", shown.join(", "))
}

/// Whether the mechanism answers once, at the end.
pub(super) fn is_one_shot(interface: &Interface) -> bool {
    interface.kind() == MechanismKind::OneShot
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::class::spec::load_relative;

    /// A mechanism with too many states is no fault of the claim.
    #[test]
    fn a_limit_on_states_stays_a_limit() {
        let class = Arc::new(load_relative("point:3", Path::new("")).unwrap());
        let spec = Spec::parse("subsampled-soa:gamma=1/4", Path::new("")).unwrap();
        let subject = Subject {
            mechanism: Located { value: spec, position: Position::at("a.toml", 1, 1) },
            names: Names {
                class: None,
                reading: Reading::default(),
                with: Vec::new(),
                loaded: Some(class),
                limits: Limits::default(),
            },
        };
        let build = |states| subject.build(&Options::rounds(3, states), &Limits::default());
        assert!(build(100).is_ok());
        assert!(matches!(build(2), Err(Error::Limit { .. })));
    }
}
