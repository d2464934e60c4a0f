//! Expressions for derived classes, such as `dual(restrict(point:5; 1:0))`.

use std::ops::Range;

use super::item::{Item, item, label, split};
use littlestone_base::error::{Result, Source, nearest, show};

/// How deep operations may be nested.
const MAX_DEPTH: usize = 64;

/// The operations.
pub(super) const OPERATIONS: [&str; 6] =
    ["complement", "dual", "product", "project", "restrict", "union"];

/// An expression for a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Expression<'a> {
    /// A file or a family.
    Leaf(&'a str),
    /// `dual(C)`.
    Dual(Box<Self>),
    /// `complement(C)`.
    Complement(Box<Self>),
    /// `complement(C; x, y)`.
    ComplementAt(Box<Self>, Vec<Item<'a>>),
    /// `product(C, D)`.
    Product(Box<Self>, Box<Self>),
    /// `union(C, D)`.
    Union(Box<Self>, Box<Self>),
    /// `restrict(C; x:0, y:1)`.
    Restrict(Box<Self>, Vec<(Item<'a>, bool)>),
    /// `project(C; x, y)`.
    Project(Box<Self>, Vec<Item<'a>>),
}

impl Expression<'_> {
    /// Calls `visit` for each file or family, from left to right.
    pub fn leaves(&self, visit: &mut impl FnMut(&str)) {
        match self {
            Self::Leaf(leaf) => visit(leaf),
            Self::Dual(inner)
            | Self::Complement(inner)
            | Self::ComplementAt(inner, _)
            | Self::Restrict(inner, _)
            | Self::Project(inner, _) => inner.leaves(visit),
            Self::Product(left, right) | Self::Union(left, right) => {
                left.leaves(visit);
                right.leaves(visit);
            }
        }
    }
}

/// Whether a text has the form of an operation: a word and a bracket, where the word is known or
/// the bracket is closed at the end.
pub(super) fn is_operation(text: &str) -> bool {
    let text = text.trim();
    text.split_once('(').is_some_and(|(word, _)| {
        let word = word.trim_end();
        OPERATIONS.contains(&word) || is_word(word) && text.ends_with(')')
    })
}

/// Parses the whole text of `source`.
///
/// # Errors
/// When it is no expression, with the column.
pub(super) fn parse<'a>(source: &Source<'a>) -> Result<Expression<'a>> {
    let mut parser = Parser { source, at: 0 };
    let expression = parser.expression(Ends::Alone, 0)?;
    parser.skip_blank();
    if parser.at < source.text.len() {
        return Err(parser.unexpected("the end of the expression"));
    }
    Ok(expression)
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphabetic() || b == b'-')
}

/// What ends a file or family inside brackets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    /// It is the only class: commas belong to it.
    Alone,
    /// Two classes with a comma between them: a comma belongs to a family only when a number
    /// follows, as in `subsets:8,2`.
    Paired,
}

struct Parser<'s, 'a> {
    source: &'s Source<'a>,
    at: usize,
}

impl<'a> Parser<'_, 'a> {
    fn rest(&self) -> &'a str {
        &self.source.text[self.at..]
    }

    fn skip_blank(&mut self) {
        self.at = self.source.text.len() - self.rest().trim_start().len();
    }

    fn unexpected(&self, expected: &str) -> littlestone_base::error::Error {
        self.source.malformed(self.at, expected, self.source.character(self.at))
    }

    fn expect(&mut self, symbol: char) -> Result<()> {
        self.skip_blank();
        if !self.rest().starts_with(symbol) {
            return Err(self.unexpected(&format!("`{symbol}`")));
        }
        self.at += symbol.len_utf8();
        Ok(())
    }

    fn expression(&mut self, ends: Ends, depth: usize) -> Result<Expression<'a>> {
        self.skip_blank();
        let start = self.at;
        if let Some((word, _)) = self.rest().split_once('(')
            && is_word(word.trim_end())
        {
            self.at += word.len() + 1;
            return self.operation(word.trim_end(), start, depth);
        }
        let leaf = if let Some(quoted) = self.rest().strip_prefix('"') {
            let Some((leaf, _)) = quoted.split_once('"') else {
                return Err(self.unexpected("a name with a closing quotation mark"));
            };
            self.at += leaf.len() + 2;
            leaf
        } else {
            self.at += leaf_length(self.rest(), ends);
            self.source.text[start..self.at].trim_end()
        };
        if leaf.is_empty() {
            self.at = start;
            return Err(self.unexpected("a class"));
        }
        Ok(Expression::Leaf(leaf))
    }

    /// Reads what follows `word(`; the word stands at `start`.
    fn operation(&mut self, word: &str, start: usize, depth: usize) -> Result<Expression<'a>> {
        if !OPERATIONS.contains(&word) {
            let expected = match nearest(word, OPERATIONS) {
                Some(name) => format!("an operation (perhaps {})", show(name)),
                None => format!("an operation ({})", OPERATIONS.map(show).join(", ")),
            };
            return Err(self.source.malformed(start, expected, show(word)));
        }
        if depth == MAX_DEPTH {
            let expected = format!("at most {MAX_DEPTH} operations inside each other");
            return Err(self.source.malformed(start, expected, "one more"));
        }
        let paired = matches!(word, "product" | "union");
        let ends = if paired { Ends::Paired } else { Ends::Alone };
        let first = Box::new(self.expression(ends, depth + 1)?);
        let result = match word {
            "product" | "union" => {
                self.expect(',')?;
                let second = Box::new(self.expression(ends, depth + 1)?);
                match word {
                    "product" => Expression::Product(first, second),
                    _ => Expression::Union(first, second),
                }
            }
            "restrict" => Expression::Restrict(first, self.examples()?),
            "project" => Expression::Project(first, self.points()?),
            "dual" => Expression::Dual(first),
            _ => {
                self.skip_blank();
                if self.rest().starts_with(';') {
                    Expression::ComplementAt(first, self.points()?)
                } else {
                    Expression::Complement(first)
                }
            }
        };
        self.expect(')')?;
        Ok(result)
    }

    /// Reads `; x, y` and stops before the bracket.
    fn points(&mut self) -> Result<Vec<Item<'a>>> {
        self.pieces()?.into_iter().map(|piece| item(self.source, piece, false)).collect()
    }

    /// Reads `; x:0, y:1` and stops before the bracket.
    fn examples(&mut self) -> Result<Vec<(Item<'a>, bool)>> {
        let source = self.source;
        let example = |piece: Range<usize>| {
            let end = piece.end;
            let item = item(source, piece, true)?;
            let Some(text) = item.label else {
                let found = source.character(end);
                return Err(source.malformed(end, "`:` and the label 0 or 1", found));
            };
            Ok((item, label(source, text)?))
        };
        self.pieces()?.into_iter().map(example).collect()
    }

    fn pieces(&mut self) -> Result<Vec<Range<usize>>> {
        self.expect(';')?;
        let text = self.source.text;
        let (pieces, end) = split(text, self.at..text.len(), |at| text.as_bytes()[at] == b')');
        self.at = end;
        Ok(pieces)
    }
}

/// How many bytes of `text` name a file or family.
fn leaf_length(text: &str, ends: Ends) -> usize {
    let mut from = 0;
    loop {
        let Some(stop) = text[from..].find([',', ';', ')']).map(|found| from + found) else {
            return text.len();
        };
        let belongs = text[stop..].starts_with(',')
            && match ends {
                Ends::Alone => true,
                Ends::Paired => text[..stop].contains(':') && is_number(&text[stop + 1..]),
            };
        if !belongs {
            return stop;
        }
        from = stop + 1;
    }
}

/// Whether the text up to the next separator is a number, in a wide sense: percentages and
/// fractions too.
fn is_number(text: &str) -> bool {
    let piece = text.split([',', ';', ')']).next().unwrap_or_default().trim();
    let digits = piece.strip_prefix('-').unwrap_or(piece);
    digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'/' | b'%' | b'_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> std::result::Result<String, String> {
        fn shown(expression: &Expression<'_>) -> String {
            let names = |items: &[Item<'_>]| {
                items.iter().map(|i| format!("<{}>", i.name)).collect::<Vec<_>>().concat()
            };
            match expression {
                Expression::Leaf(leaf) => format!("[{leaf}]"),
                Expression::Dual(c) => format!("D{}", shown(c)),
                Expression::Complement(c) => format!("C{}", shown(c)),
                Expression::ComplementAt(c, x) => format!("C{}{}", shown(c), names(x)),
                Expression::Product(c, d) => format!("P{}{}", shown(c), shown(d)),
                Expression::Union(c, d) => format!("U{}{}", shown(c), shown(d)),
                Expression::Project(c, x) => format!("J{}{}", shown(c), names(x)),
                Expression::Restrict(c, q) => {
                    let q = q.iter().map(|(x, y)| format!("<{}={y}>", x.name)).collect::<Vec<_>>();
                    format!("R{}{}", shown(c), q.concat())
                }
            }
        }
        match parse(&Source { name: "s", text }) {
            Ok(expression) => Ok(shown(&expression)),
            Err(error) => Err(error.to_string()),
        }
    }

    #[test]
    fn operations_nest() {
        let check = |text, expected: &str| assert_eq!(parsed(text), Ok(expected.to_owned()));
        check(" dual ( restrict(point:5; 1:0) ) ", "DR[point:5]<1=false>");
        check("complement(complement(a b.csv); x, \"y)\")", "CC[a b.csv]<x><y)>");
        check("dual(subsets:8,2)", "D[subsets:8,2]");
        check("product(subsets:8,2,random:3, 4)", "P[subsets:8,2][random:3, 4]");
        check("union(a.csv,3.csv)", "U[a.csv][3.csv]");
        check("union(\"a,b.csv\",\"x:1,2\")", "U[a,b.csv][x:1,2]");
        check("project(point:3;1,\"a,b\" , 3)", "J[point:3]<1><a,b><3>");
        check("restrict(d.csv; a:b:1, \"c:d\" : 0)", "R[d.csv]<a:b=true><c:d=false>");
    }

    #[test]
    fn faults_have_a_column() {
        let check = |text: &str, expected: &str| assert_eq!(parsed(text), Err(expected.to_owned()));
        check("dual(point:3", "s:1:13: expected `)`, found the end of the input");
        check("dual(point:3))", "s:1:14: expected the end of the expression, found `)`");
        check("dual(é;1)", "s:1:7: expected `)`, found `;`");
        check("dual()", "s:1:6: expected a class, found `)`");
        check("product(point:3)", "s:1:16: expected `,`, found `)`");
        check("product(a:1, 2, b:1, c:1)", "s:1:20: expected `)`, found `,`");
        check("product(point:3,)", "s:1:17: expected a class, found `)`");
        check("dul(point:3)", "s:1:1: expected an operation (perhaps `dual`), found `dul`");
        check(
            "dual(frobnicate(point:3))",
            "s:1:6: expected an operation (`complement`, `dual`, `product`, `project`, \
             `restrict`, `union`), found `frobnicate`",
        );
        check("restrict(point:3)", "s:1:17: expected `;`, found `)`");
        check("restrict(point:3;)", "s:1:18: expected an example such as `x:0`, found `)`");
        check("restrict(point:3;1)", "s:1:19: expected `:` and the label 0 or 1, found `)`");
        check("restrict(point:3;1:2)", "s:1:20: expected the label 0 or 1, found `2`");
        check("project(point:3; 1,,2)", "s:1:20: expected the name of a point, found `,`");
        check("complement(point:3; \"1\":0)", "s:1:24: expected a comma, found `:0`");
        check(
            "project(point:3; \"1)",
            "s:1:18: expected a name with a closing quotation mark, found `\"1`",
        );
        check("dual(\"a.csv)", "s:1:6: expected a name with a closing quotation mark, found `\"`");
        let deep = "dual(".repeat(65);
        check(&deep, "s:1:321: expected at most 64 operations inside each other, found one more");
    }
}
