//! Reports for reading, a line at a time.

use std::fmt;

use super::visible;

/// A text that is made of lines. `writeln!` adds one whole line: whatever is written into it, a line
/// never becomes two, and nothing in it moves the cursor or the direction of text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lines(String);

impl Lines {
    /// No lines.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one line.
    pub fn push(&mut self, line: &str) {
        self.0.push_str(&visible(line));
        self.0.push('\n');
    }

    /// Adds lines.
    pub fn extend(&mut self, lines: &Self) {
        self.0.push_str(&lines.0);
    }

    /// What `writeln!` calls: one line.
    pub fn write_fmt(&mut self, line: fmt::Arguments<'_>) {
        let line = line.to_string();
        self.push(line.strip_suffix('\n').unwrap_or(&line));
    }
}

/// The text, which ends with a line feed unless it is empty.
impl std::ops::Deref for Lines {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl PartialEq<&str> for Lines {
    fn eq(&self, text: &&str) -> bool {
        self.0 == *text
    }
}

impl fmt::Display for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_stays_one_line() {
        let mut lines = Lines::new();
        let name = "x\nverdict: holds\n";
        writeln!(lines, "name: {name}");
        writeln!(lines);
        lines.push("é\r");
        assert_eq!(lines, "name: x\\nverdict: holds\\n\n\né\\r\n");
    }
}
