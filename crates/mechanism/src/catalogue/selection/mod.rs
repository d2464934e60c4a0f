//! Selection: a function that is in many of k lists, or bottom (Fact 3).
//!
//! The sparse exponential mechanism of [Lyu26, Lemma 3.1]: a function that is in c ≥ 1 lists is
//! returned with probability proportional to q^c, bottom with probability proportional to q^B.
//! Functions that are in no list are never returned, so the domain may be large.
//!
//! | module | idea |
//! | --- | --- |
//! | `select` | the law of one call, for lists of anything |

mod select;

pub use select::{Count, Select};

use super::mirror::BOTTOM;
use super::{Entry, Given};
use crate::spec::Parameter;
use crate::{Boxed, Interface, Kind, Law, Mechanism, Output};
use littlestone_base::error::{Error, Result};
use littlestone_exact::functions;
use littlestone_exact::{Number, Rational};

/// The name of the empty list.
const EMPTY: &str = "-";

/// Greatest number of functions: there are 2^functions lists.
const FUNCTIONS: usize = 8;

/// Greatest number of lists.
const LISTS: usize = 1_000;

/// Fact 3.
pub const ENTRY: Entry = Entry {
    name: "selection",
    kind: Kind::OneShot,
    law: "sees k lists of at most s of the functions a, b, c, …; returns a function that is in c ≥ 1 \
          lists with probability proportional to q^c, and bottom with probability proportional to q^B",
    paper: "Fact 3",
    twin: None,
    parameters: &[
        Parameter {
            name: "k",
            default: None,
            meaning: "the number of lists, at least 1; missing ones are empty, further ones are not \
                      looked at",
        },
        Parameter { name: "s", default: Some("1"), meaning: "the greatest length of a list" },
        Parameter {
            name: "functions",
            default: Some("2"),
            meaning: "the number of functions that lists may contain, from s to 8",
        },
        Parameter {
            name: "q",
            default: Some("none"),
            meaning: "an exact number above 1; the mechanism is private at e^a = q^2",
        },
        Parameter {
            name: "a",
            default: Some("none"),
            meaning: "in place of q, a rational a > 0: q = e^(a/2)",
        },
        Parameter {
            name: "B",
            default: Some("3k/4"),
            meaning: "the score of bottom, above 3k/5 and below 9k/10: a natural number with q, a \
                      rational one with a",
        },
        Parameter {
            name: "variant",
            default: Some("paper"),
            meaning: "paper; or a twin: long-lists, where lists may be longer than s; duplicates, \
                      where a list may name a function twice and both times count; free-score, where \
                      B may be any positive number",
        },
    ],
    build: |given| Selection::new(given).map(Boxed::new),
};

/// What is not as in the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Variant {
    Paper,
    LongLists,
    Duplicates,
    FreeScore,
}

#[derive(Debug)]
struct Selection {
    interface: Interface,
    lists: usize,
    /// How often each list names each function, in the order of the records.
    multiplicities: Vec<Vec<usize>>,
    select: Select,
    remarks: Vec<String>,
}

/// The lists so far.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct State {
    /// Their number, at most k.
    seen: usize,
    /// For each function, in how many of them it is.
    counts: Vec<usize>,
}

impl Selection {
    fn new(given: &Given<'_>) -> Result<Self> {
        let variant = given.choice(
            "variant",
            &[
                ("paper", Variant::Paper),
                ("long-lists", Variant::LongLists),
                ("duplicates", Variant::Duplicates),
                ("free-score", Variant::FreeScore),
            ],
        )?;
        let (lists, longest) = (given.positive("k")?, given.positive("s")?);
        let functions = given.positive("functions")?;
        if lists > LISTS {
            return Err(given.unfit("k", &format!("at most {LISTS} lists"), &given.text("k")?));
        }
        if !(longest..=FUNCTIONS).contains(&functions) {
            let expected = format!("a natural number from s = {longest} to {FUNCTIONS}");
            return Err(given.unfit("functions", &expected, &given.text("functions")?));
        }
        let most = if variant == Variant::LongLists { functions } else { longest };
        let copies = if variant == Variant::Duplicates { 2 } else { 1 };
        let multiplicities = all_lists(functions, most, copies);
        let records = multiplicities.iter().map(|list| list_name(list)).collect();
        let outputs = std::iter::once(BOTTOM.to_owned()).chain((0..functions).map(function_name));
        let interface = Interface::one_shot(records, outputs.collect())?;
        let (select, remarks) = weights(given, lists, variant == Variant::FreeScore)?;
        Ok(Self { interface, lists, multiplicities, select, remarks })
    }
}

/// The weights, from q or a, and B; and what is to be said about a B outside of its range.
fn weights(given: &Given<'_>, lists: usize, free: bool) -> Result<(Select, Vec<String>)> {
    if given.has("q") == given.has("a") {
        return Err(Error::argument("`selection` needs one of its parameters `q` and `a`"));
    }
    let fault = |message: String| Error::argument(message);
    let k = Number::from(Rational::from_integer(lists.into()));
    let part = |p: i64, q: i64| {
        functions::divide(&functions::multiply(&k, &p.into()).map_err(fault)?, &q.into())
            .map_err(fault)
    };
    let score = if given.has("B") { given.number("B")? } else { part(3, 4)? };
    let (low, high) = (part(3, 5)?, part(9, 10)?);
    let between = functions::compare(&low, &score).map_err(fault)?.is_lt()
        && functions::compare(&score, &high).map_err(fault)?.is_lt();
    let inside = if free { score.sign().is_gt() } else { between };
    let (range, kinds) = (
        if free { "positive".to_owned() } else { format!("above {low} and below {high}") },
        if given.has("q") { "natural" } else { "rational" },
    );
    let remarks = if between {
        Vec::new()
    } else {
        vec![format!(
            "the utility of Fact 3 needs a score of bottom above 3k/5 = {low} and below 9k/10 = \
             {high}, but B is {score}"
        )]
    };
    let unfit = || given.unfit("B", &format!("a {kinds} number {range}"), &score.to_string());
    if !inside {
        return Err(unfit());
    }
    if given.has("q") {
        let base = given.number("q")?;
        if base <= Number::one() {
            return Err(given.unfit("q", "an exact number above 1", &given.text("q")?));
        }
        if functions::as_integer(&score).is_none() {
            return Err(unfit());
        }
        return Ok((Select::with_powers(&base, &score)?, remarks));
    }
    let a = given.number("a")?;
    let Some(a) = a.as_rational().filter(|_| a.sign().is_gt()) else {
        return Err(given.unfit("a", "a rational number above 0", &given.text("a")?));
    };
    let Some(score) = score.as_rational() else { return Err(unfit()) };
    Ok((Select::with_exponentials(a, score)?, remarks))
}

/// All lists with at most `most` different functions, each named at most `copies` times: shorter
/// lists first, then in the order of their names.
fn all_lists(functions: usize, most: usize, copies: usize) -> Vec<Vec<usize>> {
    let mut lists = vec![Vec::new()];
    for _ in 0..functions {
        lists = lists
            .iter()
            .flat_map(|list: &Vec<usize>| {
                (0..=copies).map(|copy| list.iter().copied().chain([copy]).collect())
            })
            .collect();
    }
    lists.retain(|list| list.iter().filter(|&&copy| copy > 0).count() <= most);
    lists.sort_by_key(|list| (list.iter().sum::<usize>(), list_name(list)));
    lists
}

fn function_name(place: usize) -> String {
    char::from(b'a' + u8::try_from(place).expect("there are at most 8 functions")).to_string()
}

fn list_name(list: &[usize]) -> String {
    let name: String = list
        .iter()
        .enumerate()
        .map(|(place, &copies)| function_name(place).repeat(copies))
        .collect();
    if name.is_empty() { EMPTY.into() } else { name }
}

impl Mechanism for Selection {
    type State = State;

    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn start(&self) -> Result<Law<State>> {
        Ok(Law::certain(State { seen: 0, counts: vec![0; self.interface.outputs().len() - 1] }))
    }

    fn respond(&self, _: &State, _: usize) -> Result<Law<(Output, State)>> {
        Err(Error::argument("a one-shot mechanism answers only at the end of the stream"))
    }

    fn observe(&self, state: &State, after: usize) -> Result<Law<State>> {
        let mut next = state.clone();
        if state.seen < self.lists {
            next.seen += 1;
            for (count, copies) in next.counts.iter_mut().zip(&self.multiplicities[after]) {
                *count += copies;
            }
        }
        Ok(Law::certain(next))
    }

    fn finish(&self, state: &State) -> Result<Law<Output>> {
        let counts = state.counts.iter().copied().enumerate();
        let law = self.select.law_of_counts(counts)?;
        Ok(law.map(|place| place.map_or_else(|| BOTTOM.to_owned(), function_name)))
    }

    fn remarks(&self) -> Vec<String> {
        self.remarks.clone()
    }

    fn describe(&self, state: &State) -> String {
        let counts = state.counts.iter().enumerate().filter(|(_, count)| **count > 0);
        let counts: Vec<String> =
            counts.map(|(place, count)| format!("{} in {count}", function_name(place))).collect();
        format!("{} of {} lists: {}", state.seen, self.lists, counts.join(", "))
    }
}
