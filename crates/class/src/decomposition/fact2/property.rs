//! The parts of Fact 2, each decided on every instance of a domain.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;

use itertools::Itertools;
use num_traits::ToPrimitive;

use littlestone_base::error::{Error, Position, Result};
use littlestone_exact::Number;
use littlestone_exact::expression::evaluate;

use crate::symmetry::FunctionSet;

use super::domain::{Domain, members};
use super::tally::Tally;

/// A part of Fact 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Property {
    /// 0 ≤ ρ ≤ d, by a valid tree.
    Exists,
    /// The number of essential hypotheses.
    P1,
    /// The same with the bound Σ C(p(2^(d−ρ) − 1), i) over i ≤ d − ρ.
    P1Sharp,
    /// Essential hypotheses agree with the class on few instances.
    P2,
    /// ρ of a subclass is at most that of the class.
    P3Order,
    /// If they are equal, `C` of the subclass is contained in that of the class.
    P3Inclusion,
    /// Classes of one ρ that contain a class of the same ρ have an essential hypothesis in common.
    P3Common,
    /// If ρ = 0, then `C_p(G) = G`.
    P4,
}

impl Property {
    /// All, by name.
    pub const ALL: [(&'static str, Self); 8] = [
        ("exists", Self::Exists),
        ("P1", Self::P1),
        ("P1-sharp", Self::P1Sharp),
        ("P2", Self::P2),
        ("P3-order", Self::P3Order),
        ("P3-inclusion", Self::P3Inclusion),
        ("P3-common", Self::P3Common),
        ("P4", Self::P4),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        let found = Self::ALL.iter().find(|(_, other)| *other == self);
        found.expect("every property is listed").0
    }
}

/// A part of Fact 2, as printed or with a bound or parameter replaced.
#[derive(Debug)]
pub struct Fact2 {
    /// The part.
    pub property: Property,
    /// p' of P3, an expression in p and d.
    pub p_subclass: Option<String>,
    /// A bound in place of the printed one, an expression in p, d and for P1 in ρ.
    pub at_most: Option<String>,
    /// How many instances P2 speaks of, an expression in p, d and ρ.
    pub instances: Option<String>,
    /// The decomposition dimension of P4, 0 as printed.
    pub rho: Option<i32>,
}

impl Fact2 {
    /// Checks that only what the part has is replaced.
    ///
    /// # Errors
    /// When something else is.
    pub fn check(&self) -> Result<()> {
        let p3 = [Property::P3Order, Property::P3Inclusion, Property::P3Common];
        for (key, given, users) in [
            ("p_subclass", self.p_subclass.is_some(), &p3[..]),
            ("at_most", self.at_most.is_some(), &[Property::P1, Property::Exists]),
            ("instances", self.instances.is_some(), &[Property::P2]),
            ("rho", self.rho.is_some(), &[Property::P4]),
        ] {
            if given && !users.contains(&self.property) {
                let names: Vec<&str> = users.iter().map(|user| user.name()).collect();
                let (names, found) = (names.join(", "), self.property.name());
                let message = format!("{key}: expected only with {names}, found with {found}");
                return Err(Error::argument(message));
            }
        }
        Ok(())
    }

    /// Decides the statement on all instances of a domain.
    ///
    /// # Errors
    /// When an expression has no value, or a limit is hit.
    pub fn decide(&self, domain: &mut Domain, p: u32) -> Result<Tally> {
        match self.property {
            Property::Exists => self.exists(domain, p),
            Property::P1 | Property::P1Sharp => self.few(domain, p),
            Property::P2 => self.agreement(domain, p),
            Property::P3Order => self.order(domain, p),
            Property::P3Inclusion => self.inclusion(domain, p),
            Property::P3Common => self.common(domain, p),
            Property::P4 => self.equality(domain, p),
        }
    }

    /// Every class has a valid tree, so that 0 ≤ ρ ≤ d. The bounds on the depth of every node and
    /// the irreducibility of every leaf are looked at again.
    fn exists(&self, domain: &mut Domain, p: u32) -> Result<Tally> {
        let mut tally = Tally::new("p < |X| and a root that is no valid leaf");
        let small = is_small(p, domain);
        for class in domain.classes()? {
            let d = domain.ambient(class)?;
            let tree = domain.tree(class, p)?;
            let rho = tree.dimension();
            let mut fault = None;
            for leaf in tree.leaves() {
                let depth = u128::try_from(leaf.depth).expect("a depth");
                let exponent = u32::try_from(d - leaf.dimension).expect("d is no less");
                let need = u128::from(p) << exponent;
                let valid = depth <= need - u128::from(p)
                    && domain.irreducible(class, &leaf.version_space, need)?;
                if !valid {
                    fault = Some(format!("a leaf at depth {depth} with SOA {}", leaf.soa));
                }
            }
            let most = match &self.at_most {
                Some(bound) => value(bound, "at_most", &scope(p, d, None))?,
                None => i64::from(d).into(),
            };
            if rho < 0 || Number::from(i64::from(rho)) > most {
                fault = Some(format!("ρ = {rho}, not within 0 and {most}"));
            }
            tally.count(rho, small && tree.nodes.len() > 1);
            if let Some(fault) = fault {
                tally.violated(|| format!("G = {}, d = {d}: {fault}", domain.show_class(class)));
            }
        }
        Ok(tally)
    }

    /// P1.
    fn few(&self, domain: &mut Domain, p: u32) -> Result<Tally> {
        let mut tally = Tally::new("p < |X| and a bound below |G|");
        let small = is_small(p, domain);
        let mut bounds: BTreeMap<(i32, i32), Number> = BTreeMap::new();
        for class in domain.classes()? {
            let (d, facts) = (domain.ambient(class)?, domain.facts(class, p)?);
            let bound = match bounds.entry((d, facts.rho)) {
                Entry::Occupied(known) => known.get().clone(),
                Entry::Vacant(place) => place.insert(self.bound(p, d, facts.rho)?).clone(),
            };
            // A tree whose queries all split the class has no more leaves than there are functions.
            tally.count(facts.rho, small && bound < i64::from(class.count_ones()).into());
            let size = facts.essential.len();
            if Number::from(i64::try_from(size).expect("few functions")) > bound {
                let c = domain.show(&facts.essential);
                tally.violated(|| {
                    let g = domain.show_class(class);
                    format!("G = {g}, d = {d}: |C_{p}(G)| = {size} > {bound}, C_{p}(G) = {c}")
                });
            }
        }
        Ok(tally)
    }

    fn bound(&self, p: u32, d: i32, rho: i32) -> Result<Number> {
        let names = scope(p, d, Some(rho));
        if let Some(bound) = &self.at_most {
            return value(bound, "at_most", &names);
        }
        let text = if self.property == Property::P1 {
            "p^d * 2^(d^2)".to_owned()
        } else {
            let terms = (0..=d - rho).map(|i| format!("binomial(p * (2^(d - rho) - 1), {i})"));
            terms.collect::<Vec<_>>().join(" + ")
        };
        evaluate(&text, &names)
    }

    /// P2.
    fn agreement(&self, domain: &mut Domain, p: u32) -> Result<Tally> {
        let mut tally = Tally::new("p < |X| and an essential hypothesis outside G");
        for class in domain.classes()? {
            let (d, facts) = (domain.ambient(class)?, domain.facts(class, p)?);
            let asked = match &self.instances {
                Some(text) => natural(text, "instances", &scope(p, d, Some(facts.rho)), 0)?,
                None => p,
            };
            let asked = usize::try_from(asked).unwrap_or(usize::MAX).min(domain.size());
            let members = members(class);
            let outside = facts.essential.iter().any(|h| !members.contains(h));
            tally.count(facts.rho, is_small(p, domain) && outside);
            for &h in &facts.essential {
                let labels = |f: u32| domain.labels(f).as_bytes();
                let mut sets = (0..domain.size()).combinations(asked);
                let alone = sets.find(|points| {
                    let agrees = |&g: &u32| points.iter().all(|&x| labels(g)[x] == labels(h)[x]);
                    !members.iter().any(agrees)
                });
                if let Some(points) = alone {
                    let points: Vec<String> = points.iter().map(|x| (x + 1).to_string()).collect();
                    tally.violated(|| {
                        let (g, h) = (domain.show_class(class), domain.labels(h));
                        let points = points.join(", ");
                        format!(
                            "G = {g}, d = {d}: no g in G agrees with {h} on the points {points}"
                        )
                    });
                    break;
                }
            }
        }
        Ok(tally)
    }

    /// P3: `ρ_p'(F) ≤ ρ_p(G)`.
    fn order(&self, domain: &mut Domain, p: u32) -> Result<Tally> {
        let mut tally = Tally::new("p < |X| and ρ_p(G) < Ldim(F)");
        let small = is_small(p, domain);
        for class in domain.classes()? {
            let rho = domain.facts(class, p)?.rho;
            for part in domain.below(class) {
                let p_part = self.p_subclass(p, domain.ambient(part)?)?;
                let rho_part = domain.facts(part, p_part)?.rho;
                tally.count(rho, small && rho < domain.dimension(part)?);
                if rho_part > rho {
                    let pair = pair(domain, part, class)?;
                    tally.violated(|| {
                        format!("{pair}: ρ_{p_part}(F) = {rho_part} > ρ_{p}(G) = {rho}")
                    });
                }
            }
        }
        Ok(tally)
    }

    /// P3: `C_p'(F) ⊆ C_p(G)` if `ρ_p'(F) = ρ_p(G)`.
    fn inclusion(&self, domain: &mut Domain, p: u32) -> Result<Tally> {
        let mut tally = Tally::new("p < |X|, equal ρ ≥ 1, C_p'(F) nonempty, and F ≠ G or p' ≠ p");
        let small = is_small(p, domain);
        for class in domain.classes()? {
            let facts = domain.facts(class, p)?;
            for part in domain.below(class) {
                let p_part = self.p_subclass(p, domain.ambient(part)?)?;
                let of_part = domain.facts(part, p_part)?;
                if of_part.rho != facts.rho {
                    continue;
                }
                let differs = part != class || p_part != p;
                let says = facts.rho >= 1 && !of_part.essential.is_empty() && differs;
                tally.count(facts.rho, small && says);
                let extra = of_part.essential.iter().find(|f| !facts.essential.contains(f));
                if let Some(&extra) = extra {
                    let pair = pair(domain, part, class)?;
                    tally.violated(|| {
                        let [a, b] = [&of_part, &facts].map(|facts| domain.show(&facts.essential));
                        format!(
                            "{pair}: ρ = {} for both, and {} is in C_{p_part}(F) = {a}, not in \
                             C_{p}(G) = {b}",
                            facts.rho,
                            domain.labels(extra)
                        )
                    });
                }
            }
        }
        Ok(tally)
    }

    /// P3: all G ⊇ F with `ρ_p(G) = ρ_p'(F)` have an essential hypothesis in common. For fewer of
    /// them this is only weaker.
    fn common(&self, domain: &mut Domain, p: u32) -> Result<Tally> {
        let mut tally = Tally::new("p < |X| and ρ ≥ 1");
        let small = is_small(p, domain);
        for part in domain.classes()? {
            let p_part = self.p_subclass(p, domain.ambient(part)?)?;
            let rho = domain.facts(part, p_part)?.rho;
            let mut equal = Vec::new();
            for class in domain.above(part)? {
                let facts = domain.facts(class, p)?;
                if facts.rho == rho {
                    equal.push((class, facts));
                }
            }
            if equal.is_empty() {
                continue;
            }
            tally.count(rho, small && rho >= 1);
            let mut shared = equal[0].1.essential.clone();
            // Those that lower the number of common functions.
            let mut chosen = vec![0];
            for (place, (_, facts)) in equal.iter().enumerate() {
                let before = shared.len();
                shared.retain(|f| facts.essential.contains(f));
                if shared.len() < before {
                    chosen.push(place);
                }
            }
            if shared.is_empty() {
                if let Some(empty) = equal.iter().position(|(_, facts)| facts.essential.is_empty())
                {
                    chosen = vec![empty];
                }
                tally.violated(|| {
                    let show = |&place: &usize| {
                        let (class, facts) = &equal[place];
                        let (g, c) = (domain.show_class(*class), domain.show(&facts.essential));
                        format!("C_{p}({g}) = {c}")
                    };
                    let sets: Vec<String> = chosen.iter().map(show).collect();
                    let f = domain.show_class(part);
                    format!("F = {f}: ρ_{p_part}(F) = ρ_{p}(G) = {rho}, {}", sets.join(", "))
                });
            }
        }
        Ok(tally)
    }

    /// P4. Where ρ = 0 the functions are those at the leaves of the tree that was built, since
    /// `C_p` itself is computed by P4.
    fn equality(&self, domain: &mut Domain, p: u32) -> Result<Tally> {
        let mut tally = Tally::new("p < |X| and a tree with a query");
        let small = is_small(p, domain);
        let wanted = self.rho.unwrap_or(0);
        for class in domain.classes()? {
            let tree = domain.tree(class, p)?;
            let rho = tree.dimension();
            if rho != wanted {
                continue;
            }
            let found: Vec<u32> = if rho == 0 {
                tree.soas(0).into_iter().map(|f| domain.number(f)).sorted_unstable().collect()
            } else {
                domain.facts(class, p)?.essential.clone()
            };
            tally.count(rho, small && tree.nodes.len() > 1);
            if found != members(class) {
                let d = domain.ambient(class)?;
                tally.violated(|| {
                    let (g, c) = (domain.show_class(class), domain.show(&found));
                    format!("G = {g}, d = {d}: ρ_{p}(G) = {rho}, C_{p}(G) = {c}")
                });
            }
        }
        Ok(tally)
    }

    fn p_subclass(&self, p: u32, d: i32) -> Result<u32> {
        match &self.p_subclass {
            Some(text) => natural(text, "p_subclass", &scope(p, d, None), 1),
            None if self.property == Property::P3Common => Ok(p.saturating_mul(2)),
            None => Ok(p),
        }
    }
}

/// Whether p says something on the domain: ρ = 0 for every class if p ≥ |X|.
fn is_small(p: u32, domain: &Domain) -> bool {
    usize::try_from(p).is_ok_and(|p| p < domain.size())
}

fn pair(domain: &mut Domain, part: FunctionSet, class: FunctionSet) -> Result<String> {
    let (d_part, d) = (domain.ambient(part)?, domain.ambient(class)?);
    let d = if d_part == d { format!("d = {d}") } else { format!("d = {d_part} for F, {d} for G") };
    Ok(format!("F = {}, G = {}, {d}", domain.show_class(part), domain.show_class(class)))
}

type Scope = BTreeMap<String, Number>;

/// The names that expressions may use.
fn scope(p: u32, d: i32, rho: Option<i32>) -> Scope {
    let mut scope =
        Scope::from([("p".to_owned(), i64::from(p).into()), ("d".to_owned(), i64::from(d).into())]);
    scope.extend(rho.map(|rho| ("rho".to_owned(), i64::from(rho).into())));
    scope
}

/// The value of the expression at a key.
fn value(text: &str, key: &str, scope: &Scope) -> Result<Number> {
    evaluate(text, scope).map_err(|error| match error {
        Error::Malformed { position, expected, found } => Error::Malformed {
            position: Position { source: key.to_owned(), ..position },
            expected,
            found: format!("{found} in `{text}`"),
        },
        other => other,
    })
}

/// The value of an expression that counts something.
fn natural(text: &str, key: &str, scope: &Scope, least: u32) -> Result<u32> {
    let value = value(text, key, scope)?;
    let integer = value.as_rational().filter(|q| q.is_integer()).and_then(|q| q.numer().to_u32());
    integer.filter(|&integer| integer >= least).ok_or_else(|| {
        Error::argument(format!(
            "{key}: expected an integer of at least {least}, found `{text}` = {value}"
        ))
    })
}

impl fmt::Display for Fact2 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.property.name())?;
        for (key, text) in
            [("p'", &self.p_subclass), ("at most", &self.at_most), ("instances", &self.instances)]
        {
            if let Some(text) = text {
                write!(f, " ({key} {text})")?;
            }
        }
        self.rho.map_or(Ok(()), |rho| write!(f, " (ρ = {rho})"))
    }
}
