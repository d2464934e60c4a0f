//! What the tests share: classes, slow references that follow the definitions, and a naive
//! producer of certificates. Nothing here uses the library's searches.
pub mod candidates;
pub mod classes;
pub mod decomposition;
pub mod literal;
pub mod producer;
pub mod program;
pub mod reference;
pub mod schema;

pub use littlestone_properties::config;
