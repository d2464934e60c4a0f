//! The schemas of requests and of answers, derived from the structs of the questions.

use serde_json::{Map, Value, json};

use super::registry::{self, Registered};

/// Of every question the schema of the request that `littlestone ask` reads, and of the answer that
/// `--format json` prints, each with its name.
pub(crate) fn all() -> Vec<(String, Value)> {
    let both = |question: &Registered| {
        [
            (question.name.to_owned(), answer(question)),
            (format!("{}-request", question.name), request(question)),
        ]
    };
    registry::all().iter().flat_map(both).collect()
}

fn answer(question: &Registered) -> Value {
    let own = json!({
        "command": { "description": "The command that printed it.", "type": "string" },
        "format": { "const": 1 },
        "stopped": {
            "description": "The limit that was hit, where one was.", "type": ["string", "null"],
        },
        "verdict": {
            "description": "`holds`, `refuted` or `undecided`, where there is one.", "type": "string",
        },
    });
    let about = format!(
        "What the command for the question `{}` prints with --format json. Format 1: later versions \
         may add keys under the same format; they do not change or remove any. Keys are sorted. \
         Exact numbers are strings such as \"3/4\".",
        question.name
    );
    let schema = question.answer.as_value().clone();
    completed(schema, &own, &["command", "format"], &about)
}

fn request(question: &Registered) -> Value {
    let limit = |about: &str| json!({ "description": about, "type": ["string", "integer"] });
    let own = json!({
        "question": { "const": question.name },
        "id": { "description": "Given back with the answer." },
        "timeout": limit("Give up after this time, such as `10s`."),
        "limit_states": limit("Give up after so many search states."),
        "limit_memory": limit("Give up with more live memory, such as `512M`."),
    });
    let about = format!("A request of `littlestone ask`. {}", question.about);
    let schema = question.question.as_value().clone();
    completed(schema, &own, &["question"], &about)
}

/// The schema with the properties that every one has, where it does not say more of them itself. Other keys
/// are refused.
fn completed(mut schema: Value, own: &Value, required: &[&str], about: &str) -> Value {
    schema["description"] = about.into();
    schema["unevaluatedProperties"] = false.into();
    let list = schema["required"].as_array().cloned().unwrap_or_default();
    schema["required"] = list.into_iter().chain(required.iter().map(|&key| key.into())).collect();
    let mut properties: Map<String, Value> = own.as_object().cloned().unwrap_or_default();
    properties.extend(schema["properties"].as_object().cloned().unwrap_or_default());
    schema["properties"] = properties.into();
    schema
}
