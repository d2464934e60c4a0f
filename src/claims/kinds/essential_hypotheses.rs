//! Kind `essential-hypotheses`: `C_p` of a class (Definition 9).

use std::collections::{BTreeMap, BTreeSet};

use crate::class::Class;
use crate::decomposition::{Decomposition, Essential};
use crate::error::Error;
use crate::limits::{Limits, Stopped};
use crate::littlestone::Solver;

use super::super::{Fields, Finding, Located, Verdict};
use super::decomposition::{
    AMBIENT, OVER, Over, P, Question, TREES, degenerate, draw, set, stopped,
};
use super::irreducible::labels;
use super::{Check, Classes, Key, Kind, Parse, keys};

pub(super) static KIND: Kind = Kind {
    name: "essential-hypotheses",
    about: "the essential hypotheses of a class (Definition 9)",
    keys: &[
        keys::CLASS,
        keys::HEADER,
        P,
        AMBIENT,
        Key { name: "equals", grid: false, about: "all essential hypotheses, a list of labels" },
        Key { name: "count", grid: true, about: "how many there are" },
        Key { name: "contains", grid: false, about: "functions that are essential" },
        Key { name: "excludes", grid: false, about: "functions that are not" },
        Key { name: "inside", grid: true, about: "whether all of them belong to the class" },
        TREES,
    ],
    parse: Parse::Own(parse),
};

type Functions = Option<Vec<Located<String>>>;

#[derive(Debug)]
struct EssentialHypotheses {
    question: Question,
    equals: Functions,
    count: Option<usize>,
    contains: Functions,
    excludes: Functions,
    inside: Option<bool>,
    over: Over,
}

fn parse(fields: &mut Fields<'_>) -> Option<Box<dyn Check>> {
    let question = Question::parse(fields);
    let mut list = |key| {
        let found = fields.strings(key);
        let absent = !fields.has(key);
        (found.is_some() || absent).then_some(found)
    };
    let (equals, contains, excludes) = (list("equals"), list("contains"), list("excludes"));
    let count = fields.at_least("count", 0usize).map(|count| count.value);
    let inside = fields.truth("inside");
    let over = fields.choice(TREES.name, OVER);
    let keys = ["equals", "count", "contains", "excludes", "inside"];
    if !keys.iter().any(|key| fields.has(key)) {
        fields.missing("one of the keys `equals`, `count`, `contains`, `excludes` and `inside`");
    }
    Some(Box::new(EssentialHypotheses {
        question: question?,
        equals: equals?,
        count,
        contains: contains?,
        excludes: excludes?,
        inside,
        over: over?,
    }))
}

impl Check for EssentialHypotheses {
    fn load(&mut self, classes: &mut Classes<'_>) {
        self.question.given.load(classes);
    }

    fn run(&self, limits: &Limits) -> Result<Finding, Error> {
        let class = self.question.given.class()?;
        for function in
            [&self.equals, &self.contains, &self.excludes].into_iter().flatten().flatten()
        {
            labels(function, class.points())?;
        }
        let solver = Solver::new(class, limits.clone());
        let mut decomposition = match self.question.begin(&solver)? {
            Ok(decomposition) => decomposition,
            Err(undecided) => return Ok(undecided),
        };
        Ok(match self.compute(&mut decomposition) {
            Ok((rho, essential)) => self.finding(class, decomposition.ambient(), rho, &essential),
            Err(why) => stopped(format!("nothing is known: {why}")),
        })
    }
}

impl EssentialHypotheses {
    fn compute(&self, decomposition: &mut Decomposition<'_>) -> Result<(i32, Essential), Stopped> {
        let tree = decomposition.tree()?;
        let rho = tree.dimension();
        let essential = match self.over {
            Over::All => decomposition.essential()?,
            Over::One => {
                Essential { hypotheses: tree.soas(rho), excluded: Vec::new(), avoiding: Vec::new() }
            }
        };
        Ok((rho, essential))
    }

    fn finding(&self, class: &Class, d: i32, rho: i32, essential: &Essential) -> Finding {
        let found: BTreeSet<&str> = essential.hypotheses.iter().map(String::as_str).collect();
        let members: BTreeSet<String> = (0..class.hypotheses()).map(|h| class.labels(h)).collect();
        let outside = found.iter().filter(|f| !members.contains(**f)).count();
        let mut parts = Vec::new();
        let mut wrong = Vec::new();
        let mut check = |fits: bool, text: String| {
            if !fits {
                wrong.push(text.clone());
            }
            parts.push(text);
        };
        if let Some(claimed) = &self.equals {
            let claimed = texts(claimed);
            check(claimed == found, format!("equal to {}", show(&claimed)));
        }
        if let Some(count) = self.count {
            check(found.len() == count, format!("of size {count}"));
        }
        if let Some(claimed) = &self.contains {
            let claimed = texts(claimed);
            check(claimed.is_subset(&found), format!("with {}", show(&claimed)));
        }
        if let Some(claimed) = &self.excludes {
            let claimed = texts(claimed);
            check(claimed.is_disjoint(&found), format!("without {}", show(&claimed)));
        }
        if let Some(inside) = self.inside {
            let text = if inside { "inside the class" } else { "not inside the class" };
            check((outside == 0) == inside, text.into());
        }

        let (p, points) = (self.question.p, class.points());
        let mut verdict = if wrong.is_empty() { Verdict::Holds } else { Verdict::Refuted };
        let mut details = self.question.given.notes();
        if verdict == Verdict::Holds {
            let only_inside = parts.len() == 1 && self.inside == Some(true);
            let nothing = (only_inside && found.is_empty())
                .then(|| "vacuous: no function is essential, and the empty set is inside".into());
            if let Some(why) = degenerate(p, points).or(nothing) {
                verdict = Verdict::Vacuous;
                details.push(why);
            }
        }
        if verdict == Verdict::Refuted {
            details.push(format!("false: {}", wrong.join(", ")));
            let missing = self.contains.iter().chain(&self.equals).flatten();
            details.extend(missing.filter_map(|f| avoided(class, essential, &f.value)));
        }
        let which = match self.over {
            Over::All => format!("C_{p}({})", self.question.given.class.value),
            Over::One => {
                format!("the SOAs of one optimal tree of {}", self.question.given.class.value)
            }
        };
        Finding {
            verdict,
            found: format!(
                "{which} = {} at d = {d}, ρ_{p} = {rho}; claimed {}",
                set(&essential.hypotheses),
                parts.join(" and ")
            ),
            non_vacuous: (verdict == Verdict::Holds).then(|| {
                let size = class.hypotheses();
                format!("p = {p} < |X| = {points}, |H| = {size}, {outside} outside the class")
            }),
            details,
            values: BTreeMap::from([
                ("decomposition_dimension".into(), rho.to_string()),
                ("essential_hypotheses".into(), found.len().to_string()),
                ("outside_the_class".into(), outside.to_string()),
            ]),
        }
    }
}

/// An optimal tree without the function, where one was found.
fn avoided(class: &Class, essential: &Essential, function: &str) -> Option<String> {
    let excluded = essential.excluded.iter().find(|excluded| excluded.hypothesis == function)?;
    let tree = &essential.avoiding[excluded.tree];
    Some(format!("an optimal tree without {function}: {}", draw(class, tree)))
}

fn texts(functions: &[Located<String>]) -> BTreeSet<&str> {
    functions.iter().map(|function| function.value.as_str()).collect()
}

fn show(functions: &BTreeSet<&str>) -> String {
    set(&functions.iter().collect::<Vec<_>>())
}
