//! How the answer is found, part by part, so that a limit takes nothing of what is known.

use std::sync::Arc;

use serde_json::Value;

use crate::class::{Class, Loaded, VersionSpace};
use crate::decomposition::{
    Bounded, Decomposition, Irreducible, Order, Tree, Unavailable, irreducibility_order,
    irreducible,
};
use crate::error::{Error, Result};
use crate::file;
use crate::limits::Stopped;
use crate::littlestone::{Dimension, Solver, soa};
use crate::report::tree::{Parameters, TreeFormat, write_decomposition_tree};

use super::super::{Answer as _, Heard, Run};
use super::{
    AvoidedFunction, DecompositionAnswer, DecompositionFiles, DecompositionQuestion, FoundOrder,
    Infinity, IrreducibleAt, LabelledPoint,
};

/// Answers the question as far as the limits allow.
pub(super) fn answer(
    question: &DecompositionQuestion,
    files: &DecompositionFiles,
    loaded: &Arc<Loaded>,
    run: &Run<'_>,
) -> Result<DecompositionAnswer> {
    let class = &loaded.class;
    if class.hypotheses() == 0 {
        let message = "Definitions 7 to 9 ask for a class with at least one hypothesis, found none";
        return Err(Error::argument(format!("class: {message}")));
    }
    let solver = Solver::new(class, run.limits.clone()).seen_in(&run.progress);
    let answer = DecompositionAnswer::about(question, loaded);
    let mut search = Search { question, files, run, solver: &solver, answer };
    search.all()?;
    Ok(search.answer)
}

/// A search on its way.
pub(super) struct Search<'s, 'r> {
    pub(super) question: &'s DecompositionQuestion,
    pub(super) files: &'s DecompositionFiles,
    pub(super) run: &'s Run<'r>,
    pub(super) solver: &'s Solver<'s>,
    pub(super) answer: DecompositionAnswer,
}

impl<'s> Search<'s, '_> {
    fn all(&mut self) -> Result<()> {
        let class = self.solver.class();
        if let Some(avoid) = &self.question.avoid {
            avoid.value.on(class.points(), "avoid")?;
        }
        if let Some(p) = &self.question.p {
            let ambient = self.question.ambient.as_ref().map(|ambient| ambient.value);
            // Whatever is wrong with the question is said before anything is shown.
            match Decomposition::new(self.solver, p.value, ambient) {
                Err(Unavailable::Input(error)) => return Err(error),
                Err(Unavailable::Undecided(dimension)) => {
                    self.answer.littlestone_dimension = Some(None);
                    self.answer.dimension = Some(dimension);
                    self.answer.ambient_dimension = Some(ambient);
                    let upper = dimension.upper;
                    let rho = Bounded { lower: 0, upper, stopped: dimension.stopped };
                    self.undecided(rho, "the Littlestone dimension is undecided");
                }
                Ok(found) => self.decomposition(found)?,
            }
        }
        if let Some(k) = &self.question.irreducible {
            self.irreducible(k.value)?;
        }
        if self.asserts("soa") {
            self.soa();
        }
        // This can be harder than all the rest.
        let whole = self.question.p.is_some() && self.run.wanted.is_empty();
        if whole || self.asserts("irreducibility_order") || self.asserts("dimension_lowering") {
            self.order();
        } else if self.question.p.is_none()
            && self.question.irreducible.is_none()
            && !self.asserts("soa")
        {
            let message = "expected `p` or `irreducible`, found neither";
            return Err(Error::argument(message));
        }
        Ok(())
    }

    /// Whether something is claimed of a value whose path begins so.
    fn asserts(&self, path: &str) -> bool {
        self.run.wanted.iter().any(|wanted| wanted.path.starts_with(path))
    }

    fn decomposition(&mut self, mut found: Decomposition<'s>) -> Result<()> {
        self.answer.littlestone_dimension = Some(Some(found.littlestone_dimension()));
        let known = found.littlestone_dimension();
        self.answer.dimension = Some(Dimension { lower: known, upper: known, stopped: None });
        self.answer.ambient_dimension = Some(Some(found.ambient()));
        self.show();
        let rho = found.dimension();
        let Some(value) = rho.value() else {
            self.undecided(rho, "the decomposition dimension is undecided");
            return Ok(());
        };
        self.answer.rho = Some(rho);
        self.answer.decomposition_dimension = Some(Some(value));
        self.show();
        if self.question.avoid.is_none() {
            self.tree(&mut found)?;
        }
        if self.run.wanted.is_empty() || self.asserts(super::ESSENTIAL) {
            self.essential(&mut found);
        }
        if self.question.avoid.is_some() {
            self.tree(&mut found)?;
        }
        self.certify(&mut found, rho)
    }

    /// ρ is between bounds, and nothing else of the decomposition is known.
    fn undecided(&mut self, rho: Bounded, why: &str) {
        let reason = rho.stopped.unwrap_or(Stopped::Elsewhere);
        self.open("decomposition dimension", reason);
        self.answer.rho = Some(rho);
        self.answer.decomposition_dimension = Some(None);
        (self.answer.lower, self.answer.upper) = (Some(rho.lower), Some(rho.upper));
        self.answer.essential_hypotheses = Some(None);
        self.show();
        if self.files.tree.is_some() {
            self.run.warn(format!("no tree: {why}"));
        }
        if let Some(avoid) = &self.question.avoid {
            let hypothesis = avoid.to_string();
            self.run.warn(format!("avoidable: {hypothesis}: undecided"));
            self.answer.avoid =
                Some(AvoidedFunction { hypothesis, avoidable: None, tree: Value::Null });
        }
        self.no_certificate(why);
    }

    /// The optimal tree that is to be drawn: one that avoids a function, if that is asked for.
    fn tree(&mut self, found: &mut Decomposition<'_>) -> Result<()> {
        let parameters = Parameters { p: found.p(), ambient: found.ambient() };
        let tree = match &self.question.avoid {
            Some(avoid) => self.avoiding(found, &avoid.to_string())?,
            None if self.files.tree.is_none() => None,
            None => found.tree().map_err(|reason| self.open("no tree", reason)).ok(),
        };
        let (Some(path), Some(tree)) = (&self.files.tree, tree) else { return Ok(()) };
        let format = TreeFormat::from_path(path)?;
        let text = write_decomposition_tree(self.solver.class(), &tree, parameters, format)?;
        file::write(path, |out| out.write_all(text.as_bytes()))?;
        self.run.wrote("decomposition tree", path);
        Ok(())
    }

    /// An optimal tree that avoids a function; nothing if there is none, which is said.
    fn avoiding(&mut self, found: &mut Decomposition<'_>, function: &str) -> Result<Option<Tree>> {
        let parameters = Parameters { p: found.p(), ambient: found.ambient() };
        let class = self.solver.class();
        let tree = found.avoiding(function);
        let mut avoided = AvoidedFunction {
            hypothesis: function.to_owned(),
            avoidable: tree.as_ref().ok().map(Option::is_some),
            tree: Value::Null,
        };
        let tree = match tree {
            Err(reason) => {
                self.open(&format!("avoidable: {function}"), reason);
                None
            }
            Ok(tree) => tree,
        };
        if let Some(tree) = &tree {
            let draw = |format| write_decomposition_tree(class, tree, parameters, format);
            avoided.tree = serde_json::from_str(&draw(TreeFormat::Json)?).unwrap_or_default();
            if self.files.tree.is_none() {
                self.answer.drawn = Some(draw(TreeFormat::Text)?);
            }
        } else if avoided.avoidable == Some(false) && self.files.tree.is_some() {
            self.run.warn(format!(
                "no tree: every optimal tree has a leaf of dimension ρ with SOA {function}"
            ));
        }
        self.answer.avoid = Some(avoided);
        self.show();
        Ok(tree)
    }

    fn essential(&mut self, found: &mut Decomposition<'_>) {
        match found.essential_over(self.question.trees.into()) {
            Ok(essential) => {
                self.answer.essential_hypotheses = Some(Some(essential.hypotheses.clone()));
                self.answer.essential = Some(essential);
            }
            Err(reason) => {
                self.answer.essential_hypotheses = Some(None);
                self.open("essential hypotheses", reason);
            }
        }
        self.show();
    }

    fn irreducible(&mut self, k: u64) -> Result<()> {
        let found = irreducible(self.solver, k);
        self.certify_irreducible(k, found.as_ref())?;
        let (holds, violating) = match &found {
            Ok(Irreducible::Yes) => (Some(true), None),
            Ok(Irreducible::No(examples)) => (Some(false), Some(self.examples(examples))),
            Err(reason) => {
                self.open(&format!("{k}-irreducible"), *reason);
                (None, None)
            }
        };
        self.answer.irreducible = Some(IrreducibleAt { k, holds, violating_examples: violating });
        self.show();
        Ok(())
    }

    fn soa(&mut self) {
        match soa::function(self.solver, &VersionSpace::full(self.solver.class())) {
            Ok(labels) => {
                let text = labels.into_iter().map(|label| if label { '1' } else { '0' });
                self.answer.soa = Some(text.collect());
            }
            Err(reason) => self.open("SOA", reason),
        }
    }

    fn order(&mut self) {
        let order = match irreducibility_order(self.solver) {
            Ok(Order::Finite(examples)) => {
                self.answer.dimension_lowering_examples = Some(self.examples(&examples));
                Some(FoundOrder::Finite(examples.len()))
            }
            Ok(Order::Infinite) => Some(FoundOrder::Infinite(Infinity::Infinite)),
            Err(reason) => {
                self.open("irreducibility order", reason);
                None
            }
        };
        self.answer.irreducibility_order = Some(order);
    }

    fn examples(&self, examples: &[(usize, bool)]) -> Vec<LabelledPoint> {
        let class: &Class = self.solver.class();
        let example = |&(x, label): &(usize, bool)| LabelledPoint {
            point: class.point_names()[x].clone(),
            label: u8::from(label),
        };
        examples.iter().map(example).collect()
    }

    /// A limit left this open.
    pub(super) fn open(&mut self, what: &str, reason: Stopped) {
        self.answer.stopped.get_or_insert(reason);
        self.run.warn(match what {
            "no tree" => format!("no tree: {reason}"),
            what => format!("{what}: undecided, {reason}"),
        });
    }

    /// What comes next can take for ever.
    fn show(&self) {
        self.run.tell(Heard::SoFar(self.answer.text()));
    }
}
