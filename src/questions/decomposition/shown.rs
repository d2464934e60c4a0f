//! How the answer is shown, and what is claimed of it.

use crate::class::Class;
use crate::decomposition::{Decomposition, Node, Tree};
use crate::exact::Number;
use crate::littlestone::{Dimension, Solver};
use crate::text::{Lines, quote};

use super::super::known::{at, size};
use super::super::{Answer, Claimed, Ending, Json as _, Known, Run, Trivial, blocks};
use super::{DecompositionAnswer, ESSENTIAL, FoundOrder, LabelledPoint, OptimalTrees};

/// In text for reading, more hypotheses than these are counted, not listed.
const MOST_LISTED: usize = 100;

/// The greatest number of nodes of a tree that is drawn in one line.
const DRAWN: usize = 15;

impl DecompositionAnswer {
    fn found(&self) -> &[String] {
        self.essential.as_ref().map_or(&[], |essential| &essential.hypotheses)
    }

    /// The number of essential hypotheses that do not belong to the class.
    fn outside(&self) -> usize {
        let class = &self.loaded.class;
        let mut members: Vec<String> = (0..class.hypotheses()).map(|h| class.labels(h)).collect();
        members.sort_unstable();
        self.found().iter().filter(|f| members.binary_search(f).is_err()).count()
    }

    /// Whether p is as large as the domain.
    fn is_degenerate(&self) -> bool {
        self.p.is_some_and(|p| usize::try_from(p).is_ok_and(|p| p >= self.points))
    }

    fn optimal_tree(&self, run: &Run<'_>) -> Option<Tree> {
        let solver = Solver::new(&self.loaded.class, run.limits.clone());
        Decomposition::new(&solver, self.p?, self.ambient_dimension?).ok()?.tree().ok()
    }
}

impl Answer for DecompositionAnswer {
    fn ending(&self) -> Ending {
        self.stopped.map_or(Ending::Found, Ending::Undecided)
    }

    fn text(&self) -> Lines {
        let mut text = Lines::new();
        text.push(&blocks::sizes_line(self.class.as_str(), self.hypotheses, self.points));
        if let Some(Dimension { lower, upper, .. }) = self.dimension.filter(|d| d.value().is_none())
        {
            writeln!(text, "{lower} ≤ Littlestone dimension ≤ {upper}");
        }
        let begun = self.littlestone_dimension.flatten().map(i64::from);
        let parts = [
            ("Littlestone dimension", begun),
            ("ambient dimension", begun.and(self.ambient_dimension.flatten().map(i64::from))),
            ("p", begun.and(self.p.map(i64::from))),
            ("decomposition dimension", self.decomposition_dimension.flatten().map(i64::from)),
        ];
        for (name, value) in parts {
            if let Some(value) = value {
                writeln!(text, "{name}: {value}");
            }
        }
        if let (Some(lower), Some(upper)) = (self.lower, self.upper) {
            writeln!(text, "{lower} ≤ decomposition dimension ≤ {upper}");
        }
        if let Some(Some(essential)) = &self.essential_hypotheses {
            writeln!(text, "essential hypotheses: {}", essential.len());
            for hypothesis in essential.iter().take(MOST_LISTED) {
                writeln!(text, "essential hypothesis: {hypothesis}");
            }
            if let Some(more) = essential.len().checked_sub(MOST_LISTED).filter(|more| *more > 0) {
                writeln!(text, "more essential hypotheses: {more} (--format json lists all)");
            }
        }
        if let Some(avoid) = &self.avoid
            && let Some(avoidable) = avoid.avoidable
        {
            writeln!(text, "avoidable: {}: {}", avoid.hypothesis, yes_or_no(avoidable));
            // The root is a name of the class: no line of ours begins with it.
            for line in self.drawn.iter().flat_map(|tree| tree.lines()) {
                writeln!(text, "  {line}");
            }
        }
        if let Some(irreducible) = &self.irreducible
            && let Some(holds) = irreducible.holds
        {
            writeln!(text, "{}-irreducible: {}", irreducible.k, yes_or_no(holds));
            if let Some(examples) = &irreducible.violating_examples {
                writeln!(text, "violating examples: {}", typed(examples));
            }
        }
        if let Some(soa) = &self.soa {
            writeln!(text, "SOA: {soa}");
        }
        match self.irreducibility_order.flatten() {
            Some(FoundOrder::Finite(order)) => writeln!(text, "irreducibility order: {order}"),
            Some(FoundOrder::Infinite(_)) => writeln!(text, "irreducibility order: infinite"),
            None => {}
        }
        if let Some(examples) = &self.dimension_lowering_examples {
            writeln!(text, "dimension-lowering examples: {}", typed(examples));
        }
        text
    }

    fn known(&self, path: &str) -> Option<Known> {
        let functions =
            |labels: &[String]| Known::Functions { labels: labels.to_vec(), points: self.points };
        match path {
            "decomposition_dimension" => {
                let rho = self.rho?;
                Some(Known::Between(i64::from(rho.lower).into(), i64::from(rho.upper).into()))
            }
            ESSENTIAL => self.essential.is_some().then(|| functions(self.found())),
            "essential_hypotheses.count" => {
                self.essential.as_ref().map(|_| Known::number(size(self.found().len())))
            }
            "essential_hypotheses.inside" => {
                self.essential.as_ref().map(|_| Known::Value((self.outside() == 0).into()))
            }
            "soa" => self.soa.as_ref().map(|soa| functions(std::slice::from_ref(soa))),
            _ => at(&self.json(), path),
        }
    }

    fn symbol(&self, path: &str) -> String {
        let (p, class) = (self.p.unwrap_or_default(), &self.class);
        let essential = match self.trees {
            OptimalTrees::All => format!("C_{p}({class})"),
            OptimalTrees::One => format!("the SOAs of one optimal tree of {class}"),
        };
        match path {
            "decomposition_dimension" => format!("ρ_{p}({class})"),
            ESSENTIAL => essential,
            "essential_hypotheses.count" => format!("|{essential}|"),
            "essential_hypotheses.inside" => format!("{essential} is inside the class"),
            "irreducible.holds" => {
                let k = self.irreducible.as_ref().map_or(0, |irreducible| irreducible.k);
                format!("{class} is {k}-irreducible")
            }
            "irreducibility_order" => format!("irreducibility order of {class}"),
            "soa" => format!("SOA of {class}"),
            _ => path.to_owned(),
        }
    }

    fn names(&self) -> Vec<(&'static str, Number)> {
        let ambient = self.ambient_dimension.flatten();
        ambient.map(|d| ("d", i64::from(d).into())).into_iter().collect()
    }

    fn setting(&self) -> String {
        match self.ambient_dimension.flatten() {
            Some(d) => format!(" at d = {d}"),
            None => String::new(),
        }
    }

    fn trivial(&self, path: &str) -> Option<Trivial> {
        let most = self.littlestone_dimension.flatten()?;
        if path != "decomposition_dimension" {
            return None;
        }
        let p = self.p?;
        Some(Trivial {
            lower: Some(i64::from(0).into()),
            upper: Some(i64::from(most).into()),
            reason: format!("0 ≤ ρ_{p} ≤ Ldim(G) = {most} for every class"),
        })
    }

    fn moot(&self, path: &str) -> Option<String> {
        let of_p = path.starts_with(ESSENTIAL) || path == "decomposition_dimension";
        if of_p && self.is_degenerate() {
            let (p, points) = (self.p?, self.points);
            return Some(format!(
                "p = {p} ≥ |X| = {points}, where ρ_p = 0 and C_p(G) = G for every class"
            ));
        }
        let k = self.irreducible.as_ref().map(|irreducible| irreducible.k);
        match path {
            "essential_hypotheses.inside" if self.found().is_empty() => {
                Some("no function is essential, and the empty set is inside".into())
            }
            "irreducible.holds" if k == Some(0) || self.hypotheses == 1 => Some(
                "every class is 0-irreducible, and a class of one function is k-irreducible for \
                 every k"
                    .into(),
            ),
            _ => None,
        }
    }

    fn counterexample(&self, path: &str, claimed: &Claimed, run: &Run<'_>) -> Vec<String> {
        let lowering = |examples: &Option<Vec<LabelledPoint>>, what: &str| {
            examples.iter().map(|examples| format!("{what}: {}", typed(examples))).collect()
        };
        match path {
            "decomposition_dimension" => {
                let too_low = |rho| claimed.floor().is_some_and(|least| *least > rho);
                let rho = self.rho.map(|rho| Number::from(i64::from(rho.upper)));
                let tree = rho.filter(|rho| too_low(rho.clone())).and(self.optimal_tree(run));
                let drawn = |tree| draw(&self.loaded.class, &tree);
                tree.map(|tree| format!("an optimal tree: {}", drawn(tree))).into_iter().collect()
            }
            "irreducible.holds" => {
                let examples =
                    self.irreducible.as_ref().and_then(|found| found.violating_examples.clone());
                lowering(&examples, "examples of the SOA that lower the dimension")
            }
            "irreducibility_order" => {
                lowering(&self.dimension_lowering_examples, "least set of points")
            }
            _ => Vec::new(),
        }
    }

    fn absence(&self, _: &str, function: &str) -> Option<String> {
        let essential = self.essential.as_ref()?;
        let excluded = essential.excluded.iter().find(|found| found.hypothesis == function)?;
        let tree = draw(&self.loaded.class, &essential.avoiding[excluded.tree]);
        Some(format!("an optimal tree without {function}: {tree}"))
    }

    fn evidence(&self) -> Option<String> {
        let mut parts = Vec::new();
        parts.extend(self.p.map(|p| format!("p = {p} < |X| = {}", self.points)));
        parts.extend(
            self.littlestone_dimension.flatten().map(|dimension| format!("Ldim(G) = {dimension}")),
        );
        parts.push(format!("|H| = {}", self.hypotheses));
        if self.p.is_none() {
            parts.push(format!("|X| = {}", self.points));
        }
        if self.essential.is_some() {
            parts.push(format!("{} outside the class", self.outside()));
        }
        Some(parts.join(", "))
    }
}

fn yes_or_no(holds: bool) -> &'static str {
    if holds { "yes" } else { "no" }
}

/// Labelled examples as streams are typed.
fn typed(examples: &[LabelledPoint]) -> String {
    let typed =
        examples.iter().map(|example| format!("{}:{}", quote(&example.point), example.label));
    typed.collect::<Vec<_>>().join(",")
}

/// A decomposition tree in one line, when it is small: `x(0: …, 1: …)`, and at a leaf its dimension
/// and SOA.
fn draw(class: &Class, tree: &Tree) -> String {
    if tree.nodes.len() > DRAWN {
        let leaves = tree.leaves().count();
        return format!("a tree of depth {} with {leaves} leaves", tree.depth());
    }
    draw_node(class, tree, 0)
}

fn draw_node(class: &Class, tree: &Tree, node: usize) -> String {
    match &tree.nodes[node] {
        Node::Leaf(leaf) => format!("Ldim {} SOA {}", leaf.dimension, leaf.soa),
        Node::Query { point, children: [zero, one] } => format!(
            "{}(0: {}, 1: {})",
            class.point_names()[*point],
            draw_node(class, tree, *zero),
            draw_node(class, tree, *one),
        ),
    }
}
