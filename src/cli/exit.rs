//! The exit codes. They are part of the interface: a number is never given a second meaning.

/// The command did what was asked, and every verdict is as expected or `holds`.
pub const EXPECTED: u8 = 0;
/// A verdict is `refuted`, a claim differs from what its file expects, or a certificate does not
/// prove what it states.
pub const REFUTED: u8 = 1;
/// The command line or an input is malformed, or a file cannot be read or written.
pub const USAGE: u8 = 2;
/// A limit was hit before the answer was decided.
pub const UNDECIDED: u8 = 3;
/// The selection is empty: there was nothing to check.
pub const NOTHING_SELECTED: u8 = 4;

/// The table that `littlestone explain exit-codes` and the tests read.
pub const TABLE: [(u8, &str); 5] = [
    (EXPECTED, "as expected, or holds"),
    (REFUTED, "refuted, a claim differs, or a certificate proves nothing"),
    (USAGE, "usage, or malformed input"),
    (UNDECIDED, "undecided: a limit was hit"),
    (NOTHING_SELECTED, "nothing selected"),
];
