//! How version spaces are shown as states.

use littlestone_class::{Class, VersionSpace};

/// Greatest number of hypotheses that are listed.
const SHOWN: usize = 8;

/// The members of a version space by their labels, such as `{100, 010}`.
pub fn space(class: &Class, space: &VersionSpace) -> String {
    let members = (0..class.hypotheses()).filter(|&h| space.contains(h));
    let shown: Vec<_> = members.take(SHOWN).map(|h| class.labels(h)).collect();
    let rest = if space.len() > SHOWN { ", …" } else { "" };
    format!("{{{}{rest}}}", shown.join(", "))
}
