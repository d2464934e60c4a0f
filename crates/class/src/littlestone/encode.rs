//! The question "Ldim(H) ≥ k?" as a propositional formula, for independent solvers.
//!
//! Both formulas say that a complete tree of depth k is shattered (Definition 6). The SAT formula
//! (DIMACS) writes the tree out, so it has 2^k leaves; the quantified one (QDIMACS) plays along a
//! single path, an existential player choosing points and a universal one answering with labels,
//! and stays small. They are meant to cross-check small instances: for the upper bound, solvers
//! are hopeless beyond a few hundred leaves.

use std::io::{self, BufWriter, Write};

use num_bigint::BigUint;
use num_traits::{One, ToPrimitive};

use crate::Class;
use littlestone_base::error::{Error, Result};

/// The language of the formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// Propositional, in DIMACS CNF.
    Dimacs,
    /// Quantified, in QDIMACS.
    Qdimacs,
}

/// The size of a formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Number of variables.
    pub variables: u64,
    /// Number of clauses.
    pub clauses: u64,
}

/// A formula that is true iff Ldim(H) ≥ k, ready to be written.
#[derive(Debug, Clone)]
pub struct Encoding<'c> {
    class: &'c Class,
    name: String,
    depth: u32,
    language: Language,
    size: Size,
}

/// Solvers number variables by signed 32-bit integers.
const MAX_VARIABLES: u64 = 0x7fff_ffff;

impl<'c> Encoding<'c> {
    /// The formula for Ldim(`class`) ≥ `depth`. `name` is what the class is called in the comments;
    /// at most `max_clauses` clauses are allowed.
    ///
    /// # Errors
    /// When the formula has more clauses than that, or more variables than solvers can number.
    /// Nothing is allocated before.
    pub fn new(
        class: &'c Class,
        name: &str,
        depth: u32,
        language: Language,
        max_clauses: u64,
    ) -> Result<Self> {
        let refuse = |size: String, limit: String| Error::TooLarge {
            what: format!("the formula for depth {depth}"),
            size,
            limit,
        };
        if language == Language::Dimacs && depth >= u64::BITS {
            // Written out, the exact number could fill the memory.
            let size = format!("more than 2^{depth} clauses");
            return Err(refuse(size, format!("{max_clauses} clauses")));
        }
        let (variables, clauses) = exact_size(class, depth, language);
        let within = |what: &str, number: &BigUint, limit: u64| {
            number
                .to_u64()
                .filter(|&n| n <= limit)
                .ok_or_else(|| refuse(format!("{number} {what}"), format!("{limit} {what}")))
        };
        let size = Size {
            clauses: within("clauses", &clauses, max_clauses)?,
            variables: within("variables", &variables, MAX_VARIABLES)?,
        };
        Ok(Self { class, name: name.to_owned(), depth, language, size })
    }

    /// The number of variables and clauses.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Writes the formula, clause by clause.
    ///
    /// # Errors
    /// When `out` fails.
    pub fn write_to(&self, out: impl Write) -> io::Result<()> {
        let mut clauses = Clauses { out: BufWriter::new(out), written: 0 };
        self.write_comments(&mut clauses.out)?;
        writeln!(clauses.out, "p cnf {} {}", self.size.variables, self.size.clauses)?;
        match self.language {
            Language::Dimacs => self.write_sat(&mut clauses)?,
            Language::Qdimacs => {
                self.write_prefix(&mut clauses.out)?;
                self.write_qbf(&mut clauses)?;
            }
        }
        assert_eq!(clauses.written, self.size.clauses, "clauses announced in the header");
        clauses.out.flush()
    }

    fn write_comments(&self, out: &mut impl Write) -> io::Result<()> {
        let (m, n, k) = (self.class.hypotheses(), self.class.points(), self.depth);
        let name: String = self.name.chars().flat_map(char::escape_debug).collect();
        let (yes, no) = match self.language {
            Language::Dimacs => ("satisfiable", "unsatisfiable"),
            Language::Qdimacs => ("true", "false"),
        };
        writeln!(out, "c Littlestone dimension of {name} at least {k}?")?;
        writeln!(out, "c The class has {m} hypotheses and {n} points.")?;
        writeln!(out, "c {yes}: the class shatters a tree of depth {k}, its dimension is >= {k}.")?;
        writeln!(out, "c {no}: it shatters none, its dimension is < {k}.")?;
        let points = self.first_hypothesis() - 1;
        let values = self.first_value();
        match self.language {
            Language::Dimacs => {
                writeln!(out, "c Inner nodes v are in heap order from 0: v has the children 2v+1")?;
                writeln!(
                    out,
                    "c (label 0) and 2v+2 (label 1); leaves l count from 0, left first."
                )?;
                writeln!(out, "c v*{n} + x, x = 1..{n}: node v asks for point x.")?;
                writeln!(out, "c {points} + l*{m} + h, h = 1..{m}: leaf l is hypothesis h.")?;
                writeln!(out, "c {} + l*{n} + x: its label at point x.", values - 1)
            }
            Language::Qdimacs => {
                let level = self.class.points() + 1;
                writeln!(out, "c i*{level} + x, i from 0, x = 1..{n}: query i asks for point x.")?;
                writeln!(out, "c i*{level} + {level}: the answer to query i.")?;
                writeln!(out, "c {points} + h, h = 1..{m}: the path is realised by hypothesis h.")?;
                writeln!(out, "c {} + x: its label at point x.", values - 1)
            }
        }
    }

    /// The first of the variables that name hypotheses.
    fn first_hypothesis(&self) -> u64 {
        let points = self.points();
        match self.language {
            Language::Dimacs => (self.leaves() - 1) * points + 1,
            Language::Qdimacs => u64::from(self.depth) * (points + 1) + 1,
        }
    }

    /// The first of the variables that stand for labels of hypotheses.
    fn first_value(&self) -> u64 {
        self.first_hypothesis() + self.hypotheses() * self.paths()
    }

    fn points(&self) -> u64 {
        number(self.class.points())
    }

    fn hypotheses(&self) -> u64 {
        number(self.class.hypotheses())
    }

    /// 2^k, which is at most the number of clauses of the SAT formula and fits.
    fn leaves(&self) -> u64 {
        1 << self.depth
    }

    /// How many copies of the hypothesis and its labels there are.
    fn paths(&self) -> u64 {
        match self.language {
            Language::Dimacs => self.leaves(),
            Language::Qdimacs => 1,
        }
    }

    fn write_sat(&self, clauses: &mut Clauses<impl Write>) -> io::Result<()> {
        let points = self.points();
        let asks = |node: u64, x: u64| positive(node * points + x + 1);
        for node in 0..self.leaves() - 1 {
            clauses.add((0..points).map(|x| asks(node, x)))?;
        }
        for leaf in 0..self.leaves() {
            self.write_hypothesis(clauses, leaf)?;
            // The path to the leaf, in the heap that continues with the leaves.
            let mut node = self.leaves() - 1 + leaf;
            while node > 0 {
                let label = node.is_multiple_of(2);
                let parent = (node - 1) / 2;
                for x in 0..points {
                    clauses.add([-asks(parent, x), self.value(leaf, x, label)])?;
                }
                node = parent;
            }
        }
        Ok(())
    }

    fn write_prefix(&self, out: &mut impl Write) -> io::Result<()> {
        let level = self.points() + 1;
        let mut block = |quantifier: char, variables: std::ops::Range<u64>| {
            if variables.is_empty() {
                return Ok(());
            }
            write!(out, "{quantifier}")?;
            for variable in variables {
                write!(out, " {variable}")?;
            }
            writeln!(out, " 0")
        };
        for query in 0..u64::from(self.depth) {
            block('e', query * level + 1..(query + 1) * level)?;
            block('a', (query + 1) * level..(query + 1) * level + 1)?;
        }
        block('e', self.first_hypothesis()..self.size.variables + 1)
    }

    fn write_qbf(&self, clauses: &mut Clauses<impl Write>) -> io::Result<()> {
        let points = self.points();
        let level = points + 1;
        self.write_hypothesis(clauses, 0)?;
        for query in 0..u64::from(self.depth) {
            let asks = |x: u64| positive(query * level + x + 1);
            let answer = positive((query + 1) * level);
            clauses.add((0..points).map(asks))?;
            for x in 0..points {
                clauses.add([-asks(x), -answer, self.value(0, x, true)])?;
                clauses.add([-asks(x), answer, self.value(0, x, false)])?;
            }
        }
        Ok(())
    }

    /// The path is realised by some hypothesis, which has its labels.
    fn write_hypothesis(&self, clauses: &mut Clauses<impl Write>, path: u64) -> io::Result<()> {
        let first = self.first_hypothesis() + path * self.hypotheses();
        clauses.add((0..self.hypotheses()).map(|h| positive(first + h)))?;
        for h in 0..self.class.hypotheses() {
            for x in 0..self.class.points() {
                let label = self.class.label(h, x);
                clauses.add([-positive(first + number(h)), self.value(path, number(x), label)])?;
            }
        }
        Ok(())
    }

    /// The literal: the hypothesis of `path` gives point `x` this label.
    fn value(&self, path: u64, x: u64, label: bool) -> i64 {
        let variable = positive(self.first_value() + path * self.points() + x);
        if label { variable } else { -variable }
    }
}

/// The numbers of variables and clauses, which may not fit 64 bits.
fn exact_size(class: &Class, depth: u32, language: Language) -> (BigUint, BigUint) {
    let (m, n) = (BigUint::from(class.hypotheses()), BigUint::from(class.points()));
    let k = BigUint::from(depth);
    match language {
        Language::Dimacs => {
            let leaves = BigUint::one() << depth;
            let nodes = &leaves - 1u32;
            let variables = &nodes * &n + &leaves * (&m + &n);
            (variables, nodes + &leaves * (1u32 + &m * &n + k * n))
        }
        Language::Qdimacs => (&k * (&n + 1u32) + &m + &n, &k + 1u32 + &m * &n + 2u32 * &k * &n),
    }
}

fn number(n: usize) -> u64 {
    u64::try_from(n).expect("a size fits u64")
}

/// The variable as a literal.
fn positive(variable: u64) -> i64 {
    i64::try_from(variable).expect("variables fit 31 bits")
}

/// Writes clauses and counts them.
struct Clauses<W> {
    out: W,
    written: u64,
}

impl<W: Write> Clauses<W> {
    fn add(&mut self, literals: impl IntoIterator<Item = i64>) -> io::Result<()> {
        for literal in literals {
            write!(self.out, "{literal} ")?;
        }
        writeln!(self.out, "0")?;
        self.written += 1;
        Ok(())
    }
}
