//! The parts of Fact 2, each decided on every instance of a domain.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;

use itertools::Itertools;
use num_traits::ToPrimitive;

use crate::class::symmetry::FunctionSet;
use crate::error::Error;
use crate::exact::Number;

use super::super::super::{Fields, Located};
use super::super::bound::evaluate;
use super::domain::{Domain, Fault, members};
use super::scope;
use super::tally::Tally;

/// A part of Fact 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Property {
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

const PROPERTIES: [(&str, Property); 8] = [
    ("exists", Property::Exists),
    ("P1", Property::P1),
    ("P1-sharp", Property::P1Sharp),
    ("P2", Property::P2),
    ("P3-order", Property::P3Order),
    ("P3-inclusion", Property::P3Inclusion),
    ("P3-common", Property::P3Common),
    ("P4", Property::P4),
];

/// A part of Fact 2, as printed or with a bound or parameter replaced.
#[derive(Debug)]
pub(super) struct Statement {
    property: Property,
    /// p' of P3.
    p_subclass: Option<Located<String>>,
    at_most: Option<Located<String>>,
    instances: Option<Located<String>>,
    rho: Option<i32>,
}

impl Statement {
    /// Reads the key `property` and what may be replaced in it.
    pub fn parse(fields: &mut Fields<'_>) -> Option<Self> {
        if !fields.has("property") {
            fields.missing("the key `property`");
            return None;
        }
        let property = fields.choice("property", &PROPERTIES)?;
        for (key, users) in [
            ("p_subclass", &[Property::P3Order, Property::P3Inclusion, Property::P3Common][..]),
            ("at_most", &[Property::P1, Property::Exists]),
            ("instances", &[Property::P2]),
            ("rho", &[Property::P4]),
        ] {
            if fields.has(key) && !users.contains(&property) {
                let position = fields.position();
                let names: Vec<&str> = users.iter().map(|&user| name(user)).collect();
                let expected = format!("`{key}` only with {}", names.join(", "));
                fields.refuse(position, &expected, &format!("it with {}", name(property)));
            }
        }
        Some(Self {
            property,
            p_subclass: fields.expression("p_subclass"),
            at_most: fields.expression("at_most"),
            instances: fields.expression("instances"),
            rho: fields.at_least("rho", 0i32).map(|rho| rho.value),
        })
    }

    /// Decides the statement on all instances of a domain.
    pub fn decide(&self, domain: &mut Domain, p: u32) -> Result<Tally, Fault> {
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
    fn exists(&self, domain: &mut Domain, p: u32) -> Result<Tally, Fault> {
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
                Some(bound) => evaluate(bound, &scope(p, d, None))?,
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
    fn few(&self, domain: &mut Domain, p: u32) -> Result<Tally, Fault> {
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

    fn bound(&self, p: u32, d: i32, rho: i32) -> Result<Number, Fault> {
        let names = scope(p, d, Some(rho));
        if let Some(bound) = &self.at_most {
            return Ok(evaluate(bound, &names)?);
        }
        let text = if self.property == Property::P1 {
            "p^d * 2^(d^2)".to_owned()
        } else {
            let terms = (0..=d - rho).map(|i| format!("binomial(p * (2^(d - rho) - 1), {i})"));
            terms.collect::<Vec<_>>().join(" + ")
        };
        let position = crate::error::Position::whole("Fact 2");
        Ok(evaluate(&Located { value: text, position }, &names)?)
    }

    /// P2.
    fn agreement(&self, domain: &mut Domain, p: u32) -> Result<Tally, Fault> {
        let mut tally = Tally::new("p < |X| and an essential hypothesis outside G");
        for class in domain.classes()? {
            let (d, facts) = (domain.ambient(class)?, domain.facts(class, p)?);
            let asked = match &self.instances {
                Some(text) => natural(text, p, d, Some(facts.rho), 0)?,
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
    fn order(&self, domain: &mut Domain, p: u32) -> Result<Tally, Fault> {
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
    fn inclusion(&self, domain: &mut Domain, p: u32) -> Result<Tally, Fault> {
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
    fn common(&self, domain: &mut Domain, p: u32) -> Result<Tally, Fault> {
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
    fn equality(&self, domain: &mut Domain, p: u32) -> Result<Tally, Fault> {
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

    fn p_subclass(&self, p: u32, d: i32) -> Result<u32, Fault> {
        match &self.p_subclass {
            Some(text) => Ok(natural(text, p, d, None, 1)?),
            None if self.property == Property::P3Common => Ok(p.saturating_mul(2)),
            None => Ok(p),
        }
    }
}

/// Whether p says something on the domain: ρ = 0 for every class if p ≥ |X|.
fn is_small(p: u32, domain: &Domain) -> bool {
    usize::try_from(p).is_ok_and(|p| p < domain.size())
}

fn pair(domain: &mut Domain, part: FunctionSet, class: FunctionSet) -> Result<String, Fault> {
    let (d_part, d) = (domain.ambient(part)?, domain.ambient(class)?);
    let d = if d_part == d { format!("d = {d}") } else { format!("d = {d_part} for F, {d} for G") };
    Ok(format!("F = {}, G = {}, {d}", domain.show_class(part), domain.show_class(class)))
}

/// The value of an expression that counts something.
fn natural(
    text: &Located<String>,
    p: u32,
    d: i32,
    rho: Option<i32>,
    least: u32,
) -> Result<u32, Error> {
    let value = evaluate(text, &scope(p, d, rho))?;
    let integer = value.as_rational().filter(|q| q.is_integer()).and_then(|q| q.numer().to_u32());
    integer.filter(|&integer| integer >= least).ok_or_else(|| {
        let expected = format!("an integer of at least {least}");
        Error::malformed(text.position.clone(), expected, format!("`{}` = {value}", text.value))
    })
}

fn name(property: Property) -> &'static str {
    let found = PROPERTIES.iter().find(|(_, other)| *other == property);
    found.expect("every property is listed").0
}

impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(name(self.property))?;
        for (key, text) in
            [("p'", &self.p_subclass), ("at most", &self.at_most), ("instances", &self.instances)]
        {
            if let Some(text) = text {
                write!(f, " ({key} {})", text.value)?;
            }
        }
        self.rho.map_or(Ok(()), |rho| write!(f, " (ρ = {rho})"))
    }
}
