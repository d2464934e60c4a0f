//! What a script may call: random choices, parameters and the shape of an answer.
//!
//! Random choices work by replay. A step runs under a list of choices already made; beyond its end
//! the first possibility is taken and noted. Afterwards the list is advanced like an odometer, so
//! that the step runs once for every sequence of choices of positive probability.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use rhai::{Array, Dynamic, Engine, FuncRegistration, INT, ImmutableString};

use super::arithmetic::{give, take};
use super::fault::{Helped, fault};
use super::value::Value;
use super::{SIZE, STEP};
use crate::expression;
use crate::spec::Argument;
use littlestone_exact::Number;
use littlestone_exact::functions;
use littlestone_exact::limits::{Limits, Stopped};

/// The helpers: name, how it is called, what it does.
pub const HELPERS: [(&str, &str, &str); 27] = [
    ("flip", "flip(p)", "`true` with probability p, else `false`"),
    ("choose", "choose([a, b, …])", "one entry of the list, uniformly"),
    ("draw", "draw([[outcome, weight], …])", "one outcome; the weights sum to 1"),
    ("answer", "answer(output, state)", "an output together with the next state"),
    ("param", "param(\"name\")", "the value of a parameter that must be given"),
    ("param", "param(\"name\", default)", "the value of a parameter, or its default"),
    ("points", "points()", "the names of the points, in order"),
    ("position", "position(x)", "the index of the point x, from 0"),
    ("hypotheses", "hypotheses()", "the hypotheses, each as labels in point order"),
    (
        "version_space",
        "version_space(kept)",
        "for each hypothesis 1 when it fits, else 0, as labels",
    ),
    ("restrict", "restrict(kept, x, y)", "the version space after one more example"),
    ("consistent", "consistent(kept)", "whether a hypothesis fits"),
    ("soa", "soa(kept, x)", "the label that the SOA gives x; 0 when no hypothesis fits"),
    ("soa_function", "soa_function(kept)", "all labels of the SOA in point order"),
    ("ldim", "ldim(kept)", "the Littlestone dimension of the version space"),
    ("labels", "labels(h)", "labels from a string such as `\"0110\"` or a list of labels"),
    ("list", "list(h)", "labels as a list of the integers 0 and 1"),
    ("is_unset", "is_unset(x)", "whether x is `()`"),
    ("integers", "integers(a, b)", "the integers from a to b, both included, as a list"),
    ("insert", "insert(list, item)", "the list as a sorted set with the item added"),
    ("exp", "exp(q)", "e to the rational q, exactly"),
    ("min", "min(a, b)", "the lesser number"),
    ("max", "max(a, b)", "the greater number"),
    ("abs", "abs(a)", "the absolute value"),
    ("floor", "floor(q)", "the greatest integer that is at most q"),
    ("ceil", "ceil(q)", "the least integer that is at least q"),
    ("binomial", "binomial(n, k)", "the binomial coefficient"),
];

/// An output with a next state.
#[derive(Debug, Clone)]
pub struct Answer {
    /// What is released.
    pub output: Dynamic,
    /// The state after the release.
    pub state: Dynamic,
}

/// The choices of one run.
#[derive(Debug, Default)]
struct Coins {
    /// The choices: which possibility is taken, and the weights of all.
    path: Vec<(usize, Vec<Number>)>,
    /// The products of the weights taken, for each beginning of the path that a run has had in
    /// common with the one before it.
    products: Vec<Number>,
    /// Number of choices that the present run has made.
    made: usize,
    /// Whether choices may be made.
    open: bool,
}

/// What the interpreter and its host share.
#[derive(Debug, Default)]
pub struct Host {
    coins: RefCell<Coins>,
    parameters: BTreeMap<String, Argument>,
    limits: Limits,
    /// Operations of all runs of the present step.
    operations: Cell<u64>,
}

/// What ends a run that is not at fault otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Halt {
    /// All runs of the step together took too many operations.
    Operations,
    /// A limit of the whole computation.
    Limit(Stopped),
}

impl Host {
    /// A host with the given parameters, within limits.
    pub fn new(parameters: BTreeMap<String, Argument>, limits: Limits) -> Rc<Self> {
        Rc::new(Self { coins: RefCell::default(), parameters, limits, operations: Cell::default() })
    }

    /// Whether the step may go on: the one place where scripts ask the limits.
    pub fn check(&self) -> Result<(), Halt> {
        self.limits.check().map_err(Halt::Limit)
    }

    /// Counts an operation of the interpreter, which may be a long one: lists are copied as a whole.
    fn operation(&self) -> Result<(), Halt> {
        let operations = self.operations.get() + 1;
        self.operations.set(operations);
        if operations > STEP {
            return Err(Halt::Operations);
        }
        if operations.is_multiple_of(64) { self.check() } else { Ok(()) }
    }

    /// Begins the first run of a step; `open` says whether it may make choices.
    pub fn begin(&self, open: bool) {
        self.operations.set(0);
        *self.coins.borrow_mut() = Coins { open, ..Coins::default() };
    }

    /// The probability of the choices of the run that has ended.
    ///
    /// # Errors
    /// When it is a number beyond all limits.
    pub fn weight(&self) -> Result<Number, String> {
        let Coins { path, products, .. } = &mut *self.coins.borrow_mut();
        for (taken, weights) in &path[products.len()..] {
            let weight = &weights[*taken];
            let product = products.last().map(|product| functions::multiply(product, weight));
            products.push(product.unwrap_or_else(|| Ok(weight.clone()))?);
        }
        Ok(products.last().cloned().unwrap_or_else(Number::one))
    }

    /// Goes on to the next sequence of choices; `false` when there is none.
    pub fn advance(&self) -> bool {
        let mut coins = self.coins.borrow_mut();
        coins.made = 0;
        while let Some((taken, weights)) = coins.path.pop() {
            let common = coins.path.len();
            coins.products.truncate(common);
            if taken + 1 < weights.len() {
                coins.path.push((taken + 1, weights));
                return true;
            }
        }
        false
    }

    /// Takes one of several possibilities with the given positive weights.
    fn take(&self, weights: Vec<Number>) -> Helped<usize> {
        let mut coins = self.coins.borrow_mut();
        if !coins.open {
            return Err(fault("a function without random choices", "one"));
        }
        let next = coins.made;
        coins.made += 1;
        if next == coins.path.len() {
            coins.path.push((0, weights));
        }
        Ok(coins.path[next].0)
    }

    fn flip(&self, p: &Dynamic) -> Helped<bool> {
        let p = number("a probability in [0, 1]", p)?;
        if !functions::is_probability(&p) {
            return Err(fault("a probability in [0, 1]", p.to_string()));
        }
        let rest = &Number::one() - &p;
        if p.is_zero() || rest.is_zero() {
            return Ok(p.is_one());
        }
        Ok(self.take(vec![p, rest])? == 0)
    }

    fn choose(&self, mut list: Array) -> Helped<Dynamic> {
        let Some(weight) = functions::reciprocal(list.len()) else {
            return Err(fault("a list of at least one entry", "an empty list"));
        };
        let place = self.take(vec![weight; list.len()])?;
        Ok(list.swap_remove(place))
    }

    fn draw(&self, list: Array) -> Helped<Dynamic> {
        let mut outcomes = Vec::with_capacity(list.len());
        let mut weights = Vec::with_capacity(list.len());
        let mut sum = Number::zero();
        for entry in list {
            let shown = Value::from_dynamic(entry.clone()).map_or_else(|t| t, |v| v.to_string());
            let pair = entry.into_array().ok().and_then(|pair| <[Dynamic; 2]>::try_from(pair).ok());
            let Some([outcome, weight]) = pair else {
                return Err(fault("entries [outcome, weight]", format!("the entry {shown}")));
            };
            let weight = number("a weight of at least 0", &weight)?;
            if functions::is_negative(&weight) {
                return Err(fault("weights of at least 0", format!("the entry {shown}")));
            }
            sum = functions::add(&sum, &weight)
                .map_err(|found| fault("weights that can be added up", found))?;
            if !weight.is_zero() {
                outcomes.push(outcome);
                weights.push(weight);
            }
        }
        if !sum.is_one() {
            return Err(fault("weights that sum to 1", format!("the sum {sum}")));
        }
        let place = self.take(weights)?;
        Ok(outcomes.swap_remove(place))
    }

    fn param(&self, name: &str, default: Option<Dynamic>) -> Helped<Dynamic> {
        match (self.parameters.get(name), default) {
            (None, Some(default)) => Ok(default),
            (None, None) => Err(fault(format!("a value for the parameter `{name}`"), "none")),
            (Some(argument), default) => parameter(name, argument, default.as_ref()),
        }
    }

    /// Makes the helpers known to the interpreter.
    pub fn register(self: &Rc<Self>, engine: &mut Engine) {
        let host = Rc::clone(self);
        engine.on_progress(move |_| host.operation().err().map(Dynamic::from));
        let host = Rc::clone(self);
        volatile("flip").register_into_engine(engine, move |p: Dynamic| host.flip(&p));
        let host = Rc::clone(self);
        volatile("choose").register_into_engine(engine, move |list: Array| host.choose(list));
        let host = Rc::clone(self);
        volatile("draw").register_into_engine(engine, move |list: Array| host.draw(list));
        let host = Rc::clone(self);
        engine.register_fn("param", move |name: ImmutableString| host.param(&name, None));
        let host = Rc::clone(self);
        engine.register_fn("param", move |name: ImmutableString, default: Dynamic| {
            host.param(&name, Some(default))
        });
        engine.register_type_with_name::<Answer>("answer");
        engine.register_fn("answer", |output: Dynamic, state: Dynamic| Answer { output, state });
        engine.register_fn("integers", integers);
    }
}

/// A function that gives different results for equal arguments.
fn volatile(name: &str) -> FuncRegistration {
    FuncRegistration::new(name).with_volatility(true)
}

/// A number, or a refusal.
pub fn number(expected: &str, value: &Dynamic) -> Helped<Number> {
    take(value).ok_or_else(|| fault(expected, format!("a value of type {}", value.type_name())))
}

/// A parameter as given, read as data of the type of its default.
fn parameter(name: &str, argument: &Argument, default: Option<&Dynamic>) -> Helped<Dynamic> {
    let refuse = |expected: &str, found: &str| {
        Err(fault(format!("{expected} for the parameter `{name}`"), format!("`{found}`")))
    };
    match argument {
        Argument::Text(text) => match default {
            Some(default) if default.is_string() => Ok(text.clone().into()),
            Some(default) if default.is_bool() => match text.parse::<bool>() {
                Ok(value) => Ok(value.into()),
                Err(_) => refuse("`true` or `false`", text),
            },
            Some(default) if take(default).is_none() => refuse("a list", text),
            Some(_) => match expression::evaluate(text, &BTreeMap::new()) {
                Ok(value) => Ok(give(value)),
                Err(_) => refuse("a number", text),
            },
            None => Ok(expression::evaluate(text, &BTreeMap::new())
                .map_or_else(|_| text.clone().into(), give)),
        },
        Argument::List(items) => {
            if default.is_some_and(|default| !default.is_array()) {
                return refuse("one value", "a list");
            }
            let items = items.iter().map(|item| parameter(name, item, None));
            Ok(items.collect::<Helped<Array>>()?.into())
        }
        Argument::Mechanism(_) => refuse("data", "a mechanism"),
    }
}

fn integers(from: INT, to: INT) -> Helped<Array> {
    let size = INT::try_from(SIZE).unwrap_or(INT::MAX);
    if to.saturating_sub(from) >= size {
        return Err(fault(format!("at most {SIZE} integers"), "more"));
    }
    Ok((from..=to).map(Dynamic::from).collect())
}
