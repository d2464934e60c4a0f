//! What to write in place of a name that no point has.

use super::Class;
use littlestone_base::error::{nearest, show};

/// What to write in place of a name that is no point of `class`: the nearest name, or the first
/// few.
pub(crate) fn expected_point(class: &Class, unknown: &str) -> String {
    const LISTED: usize = 8;
    let names = class.point_names();
    if let Some(name) = nearest(unknown, names.iter().map(String::as_str)) {
        return format!("a point of the class (perhaps {})", show(name));
    }
    let listed: Vec<String> = names.iter().take(LISTED).map(|name| show(name)).collect();
    let more = if names.len() > LISTED { ", …" } else { "" };
    format!("a point of the class ({}{more})", listed.join(", "))
}
