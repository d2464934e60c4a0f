//! Kind `fact2`: the properties of Fact 2 for all classes on a few points, or for a class and its
//! subclasses.

mod domain;
mod property;
mod tally;

use crate::error::Error;
use crate::limits::Limits;
use crate::littlestone::Solver;

use super::super::{Fields, Finding, Located};
use super::bound::Scope;
use super::decomposition::{Given, OVER, Over, P, TREES, parse_p, place, stopped};
use super::{Check, Classes, Key, Kind, Parse, keys};

use domain::{Domain, Fault, MAX_POINTS};
use property::Statement;

pub(super) static KIND: Kind = Kind {
    name: "fact2",
    about: "a property of Fact 2, for all classes on a few points or all subclasses of a class",
    keys: &[
        Key { name: "property", grid: true, about: "which part of Fact 2, as in \"P3-order\"" },
        Key { name: "points", grid: true, about: "all classes on that many points, at most 4" },
        keys::CLASS,
        keys::HEADER,
        Key {
            name: "subclasses",
            grid: true,
            about: "\"all\" subclasses of the class, or \"none\"",
        },
        P,
        Key {
            name: "ambient",
            grid: true,
            about: "the ambient dimension d, or the misreading \"recomputed\"",
        },
        Key { name: "p_subclass", grid: true, about: "p' of P3, an expression in p and d" },
        Key { name: "at_most", grid: true, about: "a bound in place of the printed one" },
        Key { name: "instances", grid: true, about: "how many instances P2 speaks of" },
        Key { name: "rho", grid: true, about: "the decomposition dimension of P4, 0 as printed" },
        TREES,
    ],
    parse: Parse::Own(parse),
};

/// Where the ambient dimension comes from.
#[derive(Debug, Clone)]
enum Ambient {
    /// The dimension of the listed class.
    Listed,
    Fixed(Located<i32>),
    /// The misreading: that of the subclass at hand.
    Recomputed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Subclasses {
    All,
    None,
}

/// The classes that the statement is about.
#[derive(Debug)]
enum Source {
    Points(usize),
    Class(Given, Subclasses),
}

#[derive(Debug)]
struct Fact2 {
    source: Source,
    ambient: Ambient,
    p: u32,
    over: Over,
    statement: Statement,
}

fn parse(fields: &mut Fields<'_>) -> Option<Box<dyn Check>> {
    let source = parse_source(fields);
    let ambient = parse_ambient(fields);
    let p = parse_p(fields);
    let over = fields.choice(TREES.name, OVER);
    let statement = Statement::parse(fields);
    Some(Box::new(Fact2 {
        source: source?,
        ambient: ambient?,
        p: p?,
        over: over?,
        statement: statement?,
    }))
}

fn parse_source(fields: &mut Fields<'_>) -> Option<Source> {
    match (fields.has("points"), fields.has("class")) {
        (true, false) => {
            if fields.has("subclasses") {
                let position = fields.position();
                fields.refuse(position, "`subclasses` only with `class`", "it with `points`");
            }
            let points = fields.at_least("points", 1usize)?;
            if points.value > MAX_POINTS {
                let expected = format!("at most {MAX_POINTS} at `points`");
                fields.refuse(points.position, &expected, &points.value.to_string());
                return None;
            }
            Some(Source::Points(points.value))
        }
        (false, true) => {
            let words = [("all", Subclasses::All), ("none", Subclasses::None)];
            let subclasses = fields.choice("subclasses", &words);
            Some(Source::Class(Given::parse(fields)?, subclasses?))
        }
        _ => {
            let position = fields.position();
            fields.refuse(position, "one of the keys `points` and `class`", "both or none");
            None
        }
    }
}

fn parse_ambient(fields: &mut Fields<'_>) -> Option<Ambient> {
    if !fields.has("ambient") {
        if fields.has("points") {
            fields.missing("the key `ambient`, the dimension of the class H that all are part of,");
            return None;
        }
        return Some(Ambient::Listed);
    }
    if fields.is_word("ambient") {
        return fields.choice("ambient", &[("recomputed", ())]).map(|()| Ambient::Recomputed);
    }
    fields.at_least("ambient", 0i32).map(Ambient::Fixed)
}

impl Check for Fact2 {
    fn load(&mut self, classes: &mut Classes<'_>) {
        if let Source::Class(given, _) = &mut self.source {
            given.load(classes);
        }
    }

    fn run(&self, limits: &Limits) -> Result<Finding, Error> {
        let (mut domain, name) = match &self.source {
            Source::Points(points) => {
                (Domain::points(*points, limits), format!("classes on {points} points"))
            }
            Source::Class(given, subclasses) => {
                let class = given.class()?;
                let all = *subclasses == Subclasses::All;
                let domain = Domain::subclasses(class, all, limits)
                    .map_err(|expected| too_large(given, expected))?;
                let which = if all { "subclasses of " } else { "" };
                (domain, format!("{which}{}", given.class.value))
            }
        };
        let ambient = match self.ambient_of_domain(limits)? {
            Ok(ambient) => ambient,
            Err(finding) => return Ok(finding),
        };
        domain.fix(ambient, self.over);
        let at = match &self.source {
            Source::Class(given, _) => given.notes(),
            Source::Points(_) => Vec::new(),
        };
        match self.statement.decide(&mut domain, self.p) {
            Ok(tally) => {
                let d = ambient.map_or("recomputed".into(), |d| format!("= {d}"));
                let mut subject = format!("{} for {name}, p = {}, d {d}", self.statement, self.p);
                if self.over == Over::One {
                    subject += ", C_p from one optimal tree";
                }
                Ok(tally.finding(&subject, at))
            }
            Err(Fault::Stopped(why)) => Ok(stopped(format!("{}: {why}", self.statement))),
            Err(Fault::Input(fault)) => Err(fault),
        }
    }
}

impl Fact2 {
    /// The fixed ambient dimension; `None` for the misreading.
    fn ambient_of_domain(&self, limits: &Limits) -> Result<Result<Option<i32>, Finding>, Error> {
        let dimension = match &self.source {
            Source::Points(_) => None,
            Source::Class(given, _) => {
                let dimension = Solver::new(given.class()?, limits.clone()).dimension();
                let Some(value) = dimension.value() else {
                    return Ok(Err(stopped("the dimension of the class is not known".into())));
                };
                Some(value)
            }
        };
        Ok(Ok(match (&self.ambient, dimension) {
            (Ambient::Recomputed, _) => None,
            (Ambient::Listed, dimension) => dimension,
            (Ambient::Fixed(d), Some(least)) if d.value < least => {
                let reason = Error::argument(format!(
                    "the ambient dimension: expected at least {least}, the Littlestone dimension \
                     of the class, found {}",
                    d.value
                ));
                return Err(place(&d.position, &reason));
            }
            (Ambient::Fixed(d), _) if d.value > domain::MAX_AMBIENT => {
                let expected = format!("at most {} at `ambient`", domain::MAX_AMBIENT);
                return Err(Error::malformed(d.position.clone(), expected, d.value.to_string()));
            }
            (Ambient::Fixed(d), _) => Some(d.value),
        }))
    }
}

fn too_large(given: &Given, expected: String) -> Error {
    let found = format!("`{}`", given.class.value);
    Error::malformed(given.class.position.clone(), expected, found)
}

/// The names that expressions of this kind may use.
fn scope(p: u32, d: i32, rho: Option<i32>) -> Scope {
    let mut scope =
        Scope::from([("p".to_owned(), i64::from(p).into()), ("d".to_owned(), i64::from(d).into())]);
    scope.extend(rho.map(|rho| ("rho".to_owned(), i64::from(rho).into())));
    scope
}
