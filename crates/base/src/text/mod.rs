//! Text that comes from outside: how it is read from files, and how it is shown.
//!
//! Whatever is printed goes through [`visible`] at the lowest level, so that no name and no message
//! of an input can begin a line of its own: reports for reading are made of [`Lines`], messages are
//! single lines, and every other format escapes with the same set of characters.

mod lines;
mod quote;
mod read;
mod visible;

pub use lines::Lines;
pub use quote::{outside_quotes, quote, unquote};
pub use read::{Unreadable, read, read_stdin, without_mark};
pub use visible::{in_json, visible};
