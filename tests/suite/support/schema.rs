//! The part of JSON Schema that the schemas here use.

use std::collections::BTreeSet;

use serde_json::Value;

/// Whether a value fits a schema, and if not, why.
pub fn validate(schema: &Value, value: &Value) -> Result<(), String> {
    Validator { root: schema }.fits(schema, value, "value")
}

struct Validator<'s> {
    root: &'s Value,
}

impl<'s> Validator<'s> {
    fn named(&self, schema: &'s Value) -> &'s Value {
        match schema.get("$ref").and_then(Value::as_str) {
            Some(name) => self.root.pointer(name.trim_start_matches('#')).expect("a definition"),
            None => schema,
        }
    }

    fn fits(&self, schema: &'s Value, value: &Value, at: &str) -> Result<(), String> {
        let Some(rules) = schema.as_object() else {
            let refused = || Err(format!("{at}: nothing fits here"));
            return if schema == &Value::Bool(false) { refused() } else { Ok(()) };
        };
        for (keyword, rule) in rules {
            let fits = match keyword.as_str() {
                "$schema" | "$id" | "title" | "description" | "$defs" | "format" | "examples"
                | "default" => true,
                "$ref" => self.fits(self.named(schema), value, at).map(|()| true)?,
                "type" => {
                    let names = rule.as_array().cloned().unwrap_or_else(|| vec![rule.clone()]);
                    names.iter().any(|name| is(value, name.as_str().expect("a string")))
                }
                "const" => value == rule,
                "enum" => rule.as_array().expect("a list").contains(value),
                "minimum" => value.as_i64().is_none_or(|n| Some(n) >= rule.as_i64()),
                "maximum" => value.as_i64().is_none_or(|n| Some(n) <= rule.as_i64()),
                "minItems" => {
                    value.as_array().is_none_or(|list| Some(list.len() as u64) >= rule.as_u64())
                }
                "maxItems" => {
                    value.as_array().is_none_or(|list| Some(list.len() as u64) <= rule.as_u64())
                }
                "pattern" => value.as_str().is_none_or(|text| matches(rule, text)),
                "prefixItems" => {
                    let rules = rule.as_array().expect("a list");
                    for (i, (rule, item)) in
                        rules.iter().zip(value.as_array().into_iter().flatten()).enumerate()
                    {
                        self.fits(rule, item, &format!("{at}[{i}]"))?;
                    }
                    true
                }
                "required" => {
                    let keys = rule.as_array().expect("a list").iter();
                    let mut keys = keys.map(|key| key.as_str().expect("a string"));
                    if let Some(key) = keys.find(|key| value.get(key).is_none()) {
                        return Err(format!("{at}: the key {key} is missing"));
                    }
                    true
                }
                "items" => {
                    for (i, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.fits(rule, item, &format!("{at}[{i}]"))?;
                    }
                    true
                }
                "properties" => {
                    for (key, schema) in rule.as_object().expect("an object") {
                        if let Some(value) = value.get(key) {
                            self.fits(schema, value, &format!("{at}.{key}"))?;
                        }
                    }
                    true
                }
                "additionalProperties" => {
                    let known = schema.get("properties").and_then(Value::as_object);
                    let known = known.into_iter().flat_map(|known| known.keys()).collect();
                    self.others(&known, rule, value, at)?
                }
                "unevaluatedProperties" => {
                    let mut known = BTreeSet::new();
                    self.evaluated(schema, value, &mut known);
                    self.others(&known, rule, value, at)?
                }
                "anyOf" | "oneOf" | "allOf" => {
                    let parts = rule.as_array().expect("a list");
                    let faults = parts.iter().filter_map(|part| self.fits(part, value, at).err());
                    let faults: Vec<String> = faults.collect();
                    let fitting = parts.len() - faults.len();
                    let enough = match keyword.as_str() {
                        "anyOf" => fitting > 0,
                        "oneOf" => fitting == 1,
                        _ => faults.is_empty(),
                    };
                    if !enough {
                        return Err(format!("{at}: {fitting} of {keyword} fit: {faults:?}"));
                    }
                    true
                }
                other => panic!("{at}: this test does not know the keyword {other}"),
            };
            if !fits {
                return Err(format!("{at}: {keyword} {rule} does not fit {value}"));
            }
        }
        Ok(())
    }

    /// Keys that are not known fit a rule.
    fn others(
        &self,
        known: &BTreeSet<&String>,
        rule: &'s Value,
        value: &Value,
        at: &str,
    ) -> Result<bool, String> {
        for (key, value) in value.as_object().into_iter().flatten() {
            if !known.contains(key) {
                let fits = self.fits(rule, value, &format!("{at}.{key}"));
                fits.map_err(|fault| format!("unknown key {key}: {fault}"))?;
            }
        }
        Ok(true)
    }

    /// The keys that a schema, or one of its parts that fits, says something of.
    fn evaluated(&self, schema: &'s Value, value: &Value, known: &mut BTreeSet<&'s String>) {
        let schema = self.named(schema);
        let properties = schema.get("properties").and_then(Value::as_object);
        known.extend(properties.into_iter().flat_map(|properties| properties.keys()));
        for keyword in ["anyOf", "oneOf", "allOf"] {
            let parts = schema.get(keyword).and_then(Value::as_array).into_iter().flatten();
            for part in parts.filter(|part| self.fits(part, value, "").is_ok()) {
                self.evaluated(part, value, known);
            }
        }
    }
}

/// The patterns that are used.
fn matches(pattern: &Value, text: &str) -> bool {
    let digits = text.bytes().all(|c| c.is_ascii_digit());
    match pattern.as_str().expect("a string") {
        "^[01]*$" => text.bytes().all(|c| matches!(c, b'0' | b'1')),
        "^[0-9]+$" => digits && !text.is_empty(),
        "^[1-9][0-9]*$" => digits && !text.is_empty() && !text.starts_with('0'),
        other => panic!("this test does not know the pattern {other}"),
    }
}

fn is(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("this test does not know the type {other}"),
    }
}
