//! What the tests share: classes, slow references that follow the definitions, and a naive
//! producer of certificates. Nothing here uses the library's searches.
#![allow(dead_code, reason = "each test binary uses its own part of this module")]

pub mod classes;
pub mod producer;
pub mod reference;
