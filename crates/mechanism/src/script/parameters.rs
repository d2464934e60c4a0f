//! The parameters that a script declares: its calls of `param`.

use littlestone_base::error::{Error, Position, Result};

/// A parameter of a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declared {
    /// Its name.
    pub name: String,
    /// Whether some call of `param` gives no default, so that a value must be given.
    pub required: bool,
}

/// Finds the calls `param("name")` and `param("name", default)` in the text of a script, outside
/// comments and strings.
///
/// # Errors
/// When the name is not written out, since then nobody could know which parameters there are.
pub fn declared(file: &str, text: &str) -> Result<Vec<Declared>> {
    let mut found: Vec<Declared> = Vec::new();
    let mut scanner = Scanner { text: text.chars().collect(), at: 0 };
    while let Some(token) = scanner.next() {
        if !matches!(&token, Token::Word(word, _) if word == "param") {
            continue;
        }
        let Token::Word(_, place) = token else { continue };
        if !matches!(scanner.peek(), Some(Token::Sign('('))) {
            continue;
        }
        scanner.next();
        let Some(Token::Text(name)) = scanner.next() else {
            let (line, column) = scanner.place(place);
            let position = Position::at(file, line, column);
            let expected = "the name of the parameter as a string: param(\"name\", default)";
            return Err(Error::malformed(position, expected, "another expression"));
        };
        let required = matches!(scanner.next(), Some(Token::Sign(')')));
        match found.iter_mut().find(|declared| declared.name == name) {
            Some(declared) => declared.required |= required,
            None => found.push(Declared { name, required }),
        }
    }
    Ok(found)
}

#[derive(Debug)]
enum Token {
    Word(String, usize),
    Text(String),
    Sign(char),
}

struct Scanner {
    text: Vec<char>,
    at: usize,
}

impl Scanner {
    fn peek(&mut self) -> Option<Token> {
        let at = self.at;
        let token = self.next();
        self.at = at;
        token
    }

    fn next(&mut self) -> Option<Token> {
        loop {
            let c = *self.text.get(self.at)?;
            let start = self.at;
            self.at += 1;
            match (c, self.text.get(self.at)) {
                ('/', Some('/')) => self.skip_until(|rest| rest[0] == '\n'),
                ('/', Some('*')) => self.skip_comment(),
                ('"' | '`', _) => return Some(Token::Text(self.string(c))),
                ('\'', _) => {
                    self.string('\'');
                }
                (c, _) if c.is_whitespace() => {}
                (c, _) if c.is_alphanumeric() || c == '_' => {
                    while self.text.get(self.at).is_some_and(|c| c.is_alphanumeric() || *c == '_') {
                        self.at += 1;
                    }
                    return Some(Token::Word(self.text[start..self.at].iter().collect(), start));
                }
                (c, _) => return Some(Token::Sign(c)),
            }
        }
    }

    fn string(&mut self, quote: char) -> String {
        let mut content = String::new();
        while let Some(&c) = self.text.get(self.at) {
            self.at += 1;
            if c == quote {
                break;
            }
            if c == '\\' && quote != '`' {
                self.at += 1;
            }
            content.push(c);
        }
        content
    }

    fn skip_until(&mut self, end: impl Fn(&[char]) -> bool) {
        while self.at < self.text.len() && !end(&self.text[self.at..]) {
            self.at += 1;
        }
    }

    /// Comments nest.
    fn skip_comment(&mut self) {
        self.at += 1;
        let mut depth = 1;
        while depth > 0 && self.at < self.text.len() {
            match &self.text[self.at..] {
                ['*', '/', ..] => {
                    depth -= 1;
                    self.at += 2;
                }
                ['/', '*', ..] => {
                    depth += 1;
                    self.at += 2;
                }
                _ => self.at += 1,
            }
        }
    }

    fn place(&self, at: usize) -> (usize, usize) {
        let before = &self.text[..at];
        let line = 1 + before.iter().filter(|&&c| c == '\n').count();
        (line, 1 + before.iter().rev().take_while(|&&c| c != '\n').count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_of_param_are_found_outside_comments_and_strings() {
        let text = r#"
            // param("comment")
            /* param("outer") /* nested */ param("still") */
            fn start() { let s = "param(\"text\")"; param("gamma", 1/4) + my_param("no") }
            fn other() { param ( "k" ) + param("gamma") }
        "#;
        let found = declared("f.rhai", text).unwrap();
        let expected = [("gamma", true), ("k", true)];
        let expected = expected.map(|(name, required)| Declared { name: name.into(), required });
        assert_eq!(found, expected);
        assert!(!declared("f", "param(\"a\", 1)").unwrap()[0].required);
    }

    #[test]
    fn computed_names_are_refused() {
        let error = declared("f.rhai", "fn start() {\n  param(name, 1)\n}").unwrap_err();
        assert!(error.to_string().starts_with("f.rhai:2:3: expected the name"), "{error}");
    }
}
