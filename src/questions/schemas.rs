//! The schemas of requests and of answers, derived from the structs of the questions.

use serde_json::{Map, Value, json};

use super::registry::{self, Registered};

/// All schemas, each with the name of its file: of every question one of the request that
/// `littlestone ask` reads, and one of the answer that `--format json` prints.
pub fn all() -> Vec<(String, Value)> {
    let both = |question: &Registered| {
        [
            (format!("{}.schema.json", question.name), answer(question)),
            (format!("{}-request.schema.json", question.name), request(question)),
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
    completed(schema, &own, &["command", "format"], question.name, &about)
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
    completed(schema, &own, &["question"], &format!("{}-request", question.name), &about)
}

/// The schema with the properties that every one has, where it does not say more of them itself, and
/// with a name. Other keys are refused.
fn completed(mut schema: Value, own: &Value, required: &[&str], name: &str, about: &str) -> Value {
    schema["$id"] = format!("urn:littlestone:schema:{name}").into();
    schema["description"] = about.into();
    schema["unevaluatedProperties"] = false.into();
    let list = schema["required"].as_array().cloned().unwrap_or_default();
    schema["required"] = list.into_iter().chain(required.iter().map(|&key| key.into())).collect();
    let mut properties: Map<String, Value> = own.as_object().cloned().unwrap_or_default();
    properties.extend(schema["properties"].as_object().cloned().unwrap_or_default());
    schema["properties"] = properties.into();
    schema
}
