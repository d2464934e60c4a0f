//! JSON with one line for each key, and for each item of a list that has lists or objects in it: a
//! table of a thousand states has a thousand lines.

use std::io::{self, Write};

use serde_json::ser::Formatter;

/// The nesting whose items stand on lines of their own.
const DEEPEST: usize = 2;

/// Breaks lines between keys of the outermost object, and before the items of its lists that are
/// lists or objects themselves.
#[derive(Debug, Default)]
pub(super) struct Lines {
    depth: usize,
    /// What separates the next item from what stands before it, unless that is decided already.
    pending: Option<&'static [u8]>,
    /// For each open list or object, whether its items stand on lines of their own.
    broken: Vec<bool>,
}

impl Lines {
    fn line<W: ?Sized + Write>(&self, out: &mut W) -> io::Result<()> {
        out.write_all(b"\n")?;
        (0..self.depth).try_for_each(|_| out.write_all(b"  "))
    }

    /// Ends what separates an item that is no list and no object.
    fn flat<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        match self.pending.take() {
            Some(b",") => out.write_all(b", "),
            _ => Ok(()),
        }
    }

    /// The same for a list or an object, and opens it.
    fn open<W: ?Sized + Write>(&mut self, out: &mut W, bracket: &[u8]) -> io::Result<()> {
        if let Some(separator) = self.pending.take() {
            let broken = self.depth == DEEPEST;
            if broken {
                out.write_all(separator)?;
                self.line(out)?;
                if let Some(last) = self.broken.last_mut() {
                    *last = true;
                }
            } else if !separator.is_empty() {
                out.write_all(b", ")?;
            }
        }
        self.depth += 1;
        self.broken.push(false);
        out.write_all(bracket)
    }

    fn close<W: ?Sized + Write>(&mut self, out: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.pending = None;
        self.depth -= 1;
        if self.broken.pop() == Some(true) {
            self.line(out)?;
        }
        out.write_all(bracket)
    }
}

/// Integers are written as they are, whatever their width. There are no other numbers here.
macro_rules! integers {
    ($($name:ident: $type:ty,)*) => {
        $(fn $name<W: ?Sized + Write>(&mut self, out: &mut W, value: $type) -> io::Result<()> {
            self.flat(out)?;
            write!(out, "{value}")
        })*
    };
}

impl Formatter for Lines {
    fn write_null<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.flat(out)?;
        out.write_all(b"null")
    }

    fn write_bool<W: ?Sized + Write>(&mut self, out: &mut W, value: bool) -> io::Result<()> {
        self.flat(out)?;
        out.write_all(if value { b"true" } else { b"false" })
    }

    integers! {
        write_i8: i8, write_i16: i16, write_i32: i32, write_i64: i64, write_i128: i128,
        write_u8: u8, write_u16: u16, write_u32: u32, write_u64: u64, write_u128: u128,
    }

    fn begin_string<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.flat(out)?;
        out.write_all(b"\"")
    }

    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b"]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, _: &mut W, first: bool) -> io::Result<()> {
        self.pending = Some(if first { b"" } else { b"," });
        Ok(())
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        if self.depth == 1 {
            out.write_all(if first { b"" } else { b"," })?;
            self.line(out)?;
            self.broken[0] = true;
        } else if !first {
            out.write_all(b", ")?;
        }
        Ok(())
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.pending = None;
        out.write_all(b": ")
    }
}

#[cfg(test)]
mod tests {
    use serde::Serialize;
    use serde_json::{Serializer, Value, json};

    use super::Lines;

    fn written(value: &Value) -> String {
        let mut out = Vec::new();
        value.serialize(&mut Serializer::with_formatter(&mut out, Lines::default())).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn keys_and_rows_have_lines_of_their_own() {
        let value = json!({
            "a": 1, "list": [1, -2, null, true], "names": ["x", "y\n"], "none": [], "nothing": {},
            "object": { "k": [[1, 2], [3]], "l": { "m": null } },
            "rows": [{ "s": [[0, null], [1, 2]], "t": "x" }, []],
        });
        let expected = r#"{
  "a": 1,
  "list": [1, -2, null, true],
  "names": ["x", "y\n"],
  "none": [],
  "nothing": {},
  "object": {"k": [[1, 2], [3]], "l": {"m": null}},
  "rows": [
    {"s": [[0, null], [1, 2]], "t": "x"},
    []
  ]
}"#;
        assert_eq!(written(&value), expected);
        assert_eq!(serde_json::from_str::<Value>(expected).unwrap(), value);
        assert_eq!(written(&json!([])), "[]");
        assert_eq!(written(&json!(3)), "3");
    }
}
