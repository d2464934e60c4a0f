//! Kind `joint-privacy`: Definition 4, the output without the differing round.

use crate::privacy::Notion;

use super::verdict::{KEYS, parse};
use super::{Kind, Parse};

pub(super) static KIND: Kind = Kind {
    name: "joint-privacy",
    about: "a mechanism is (ε,δ)-jointly private: outputs without the differing round (Definition 4)",
    keys: KEYS,
    parse: Parse::Own(|fields| parse(fields, Notion::Joint)),
};
