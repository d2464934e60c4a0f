//! The schemas of all JSON that is read or written, derived from the types that are read and written.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

use crate::certificate::format;
use crate::cli::undecided::Undecided;
use crate::questions;
use crate::report::check;
use crate::report::tree::{DecompositionDocument, ShatteredDocument};

/// All schemas, each with the name of its file, as `littlestone generate schemas` writes them.
pub fn all() -> Vec<(String, Value)> {
    let named = |(name, mut schema): (String, Value)| {
        schema["$id"] = format!("urn:littlestone:schema:{name}").into();
        (format!("{name}.schema.json"), schema)
    };
    questions::schemas::all().into_iter().chain(others()).map(named).collect()
}

/// What is no question's.
fn others() -> Vec<(String, Value)> {
    let certificate = |kind: &str, schema| (format!("certificate-{kind}"), schema);
    vec![
        certificate(format::LITTLESTONE_DIMENSION, of::<format::LittlestoneDimension>()),
        certificate(format::IRREDUCIBLE, of::<format::Irreducibility>()),
        certificate(format::DECOMPOSITION_DIMENSION, of::<format::DecompositionDimension>()),
        certificate(format::ESSENTIAL_HYPOTHESES, of::<format::EssentialHypotheses>()),
        certificate(format::PRIVACY, of::<format::Privacy>()),
        certificate(format::PRIVACY_EVERY_LENGTH, of::<format::EveryLength>()),
        certificate(format::EXPECTED_MISTAKES, of::<format::ExpectedMistakes>()),
        certificate(format::MINIMAX, of::<format::Minimax>()),
        ("mechanism".to_owned(), of::<format::Automaton>()),
        ("check".to_owned(), of::<check::Report<'_>>()),
        ("undecided".to_owned(), of::<Undecided<'_>>()),
        ("decomposition-tree".to_owned(), of::<DecompositionDocument>()),
        ("shattered-tree".to_owned(), of::<ShatteredDocument>()),
    ]
}

fn of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    settings.into_generator().into_root_schema_for::<T>().to_value()
}
