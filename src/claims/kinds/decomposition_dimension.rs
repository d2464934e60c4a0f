//! Kind `decomposition-dimension`: `ρ_p` of a class (Definition 8).

use std::collections::BTreeMap;

use crate::decomposition::Decomposition;
use crate::error::Error;
use crate::limits::Limits;
use crate::littlestone::Solver;

use super::super::{Fields, Finding, Verdict};
use super::decomposition::{AMBIENT, P, Question, degenerate, draw};
use super::statement::{Statement, Written, scope_of};
use super::{Check, Classes, Kind, Parse, keys};

pub(super) static KIND: Kind = Kind {
    name: "decomposition-dimension",
    about: "the decomposition dimension of a class (Definition 8)",
    keys: &[keys::CLASS, keys::HEADER, P, AMBIENT, keys::EQUALS, keys::AT_LEAST, keys::AT_MOST],
    parse: Parse::Own(parse),
};

#[derive(Debug)]
struct DecompositionDimension {
    question: Question,
    statement: Written,
}

fn parse(fields: &mut Fields<'_>) -> Option<Box<dyn Check>> {
    let question = Question::parse(fields);
    let statement = Written::parse(fields);
    Some(Box::new(DecompositionDimension { question: question?, statement: statement? }))
}

impl Check for DecompositionDimension {
    fn load(&mut self, classes: &mut Classes<'_>) {
        self.question.given.load(classes);
    }

    fn run(&self, limits: &Limits) -> Result<Finding, Error> {
        let class = self.question.given.class()?;
        let solver = Solver::new(class, limits.clone());
        let decomposition = match self.question.begin(&solver)? {
            Ok(decomposition) => decomposition,
            Err(undecided) => return Ok(undecided),
        };
        let mut scope = scope_of(class);
        scope.insert("p".into(), i64::from(self.question.p).into());
        scope.insert("d".into(), i64::from(decomposition.ambient()).into());
        let statement = self.statement.evaluate(&scope)?;
        Ok(self.finding(decomposition, class.points(), statement))
    }
}

impl DecompositionDimension {
    fn finding(
        &self,
        mut decomposition: Decomposition<'_>,
        points: usize,
        statement: Statement,
    ) -> Finding {
        let (p, d) = (self.question.p, decomposition.ambient());
        let found = decomposition.dimension();
        let (lower, upper) = (i64::from(found.lower), i64::from(found.upper));
        let most = i64::from(decomposition.littlestone_dimension());
        let mut verdict = statement.decide(lower, upper);
        let mut details = self.question.given.notes();
        if verdict == Verdict::Holds {
            let trivial = statement.is_vacuous(0, most);
            let trivial =
                trivial.then(|| format!("vacuous: 0 ≤ ρ_{p} ≤ Ldim(G) = {most} for every class"));
            if let Some(why) = degenerate(p, points).or(trivial) {
                verdict = Verdict::Vacuous;
                details.push(why);
            }
        }
        let too_high = statement.least().is_some_and(|least| upper < least);
        if let (true, Ok(tree)) = (too_high, decomposition.tree()) {
            let class = self.question.given.class().expect("it was loaded");
            details.push(format!("an optimal tree: {}", draw(class, &tree)));
        }
        let name = &self.question.given.class.value;
        let (value, values) = if lower == upper {
            let rho = ("decomposition_dimension".into(), lower.to_string());
            (format!("ρ_{p}({name}) = {lower}"), BTreeMap::from([rho]))
        } else {
            let why = found.stopped.map(|why| format!(" ({why})")).unwrap_or_default();
            let values = [("lower".into(), lower.to_string()), ("upper".into(), upper.to_string())];
            (format!("{lower} ≤ ρ_{p}({name}) ≤ {upper}{why}"), BTreeMap::from(values))
        };
        Finding {
            verdict,
            found: format!("{value} at d = {d}; claimed {statement}"),
            non_vacuous: (verdict == Verdict::Holds)
                .then(|| format!("p = {p} < |X| = {points}, and Ldim(G) = {most}")),
            details,
            values,
        }
    }
}
