//! Kind `privacy`: Definition 2, the whole output.

use crate::privacy::Notion;

use super::verdict::{KEYS, parse};
use super::{Kind, Parse};

pub(super) static KIND: Kind = Kind {
    name: "privacy",
    about: "a mechanism is (ε,δ)-private: whole outputs on neighbouring streams (Definition 2)",
    keys: KEYS,
    parse: Parse::Own(|fields| parse(fields, Notion::Whole)),
};
