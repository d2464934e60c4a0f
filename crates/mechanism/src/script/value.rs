//! Plain data: what a script may keep as its state.

use std::collections::BTreeMap;
use std::fmt;

use rhai::{Array, Dynamic, INT, Map};

use super::labels::Labels;
use littlestone_exact::Number;
use littlestone_exact::functions;

/// How deeply lists and maps may be nested in plain data.
pub(super) const NESTING: usize = 256;

/// Plain data with equality and a hash. Exact numbers that are machine integers are always
/// [`Value::Integer`], so equal numbers are equal values.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Value {
    /// `()`.
    Unit,
    /// `true` or `false`.
    Bool(bool),
    /// A machine integer.
    Integer(INT),
    /// Any other exact number.
    Number(Number),
    /// A string.
    Text(String),
    /// A hypothesis or a version space.
    Labels(Labels),
    /// An array.
    List(Vec<Self>),
    /// An object map, sorted by key.
    Map(BTreeMap<String, Self>),
}

impl Value {
    /// The value of a script's result.
    ///
    /// # Errors
    /// When a part of it is not plain data or it is nested too deeply; the text says what was found.
    pub fn from_dynamic(value: Dynamic) -> Result<Self, String> {
        Self::nested(value, NESTING)
    }

    fn nested(value: Dynamic, depth: usize) -> Result<Self, String> {
        let value = value.flatten();
        if value.is_unit() {
            return Ok(Self::Unit);
        }
        if let Ok(b) = value.as_bool() {
            return Ok(Self::Bool(b));
        }
        if let Ok(n) = value.as_int() {
            return Ok(Self::Integer(n));
        }
        if let Ok(c) = value.as_char() {
            return Ok(Self::Text(c.to_string()));
        }
        if value.is_string() {
            return Ok(Self::Text(value.into_string().unwrap_or_default()));
        }
        let inner = || {
            depth
                .checked_sub(1)
                .ok_or_else(|| format!("lists and maps nested more than {NESTING} deep"))
        };
        if value.is_array() {
            let depth = inner()?;
            let items = value.into_array().unwrap_or_default().into_iter();
            return items
                .map(|item| Self::nested(item, depth))
                .collect::<Result<_, _>>()
                .map(Self::List);
        }
        let name = value.type_name().to_owned();
        if let Some(number) = value.clone().try_cast::<Number>() {
            return Ok(functions::as_integer(&number)
                .map_or_else(|| Self::Number(number.clone()), Self::Integer));
        }
        if let Some(labels) = value.clone().try_cast::<Labels>() {
            return Ok(Self::Labels(labels));
        }
        if let Some(map) = value.try_cast::<Map>() {
            let depth = inner()?;
            let entries = map.into_iter();
            let entries = entries.map(|(k, v)| Ok((k.to_string(), Self::nested(v, depth)?)));
            return entries.collect::<Result<_, _>>().map(Self::Map);
        }
        Err(format!("a value of type {name}"))
    }

    /// Whether lists and maps are nested too deeply along the first or the last entries, which is
    /// where scripts nest them. It is asked of every variable that is read, because the interpreter
    /// itself goes down into values without a bound.
    pub fn is_deep(value: &Dynamic) -> bool {
        chain(value, true, NESTING) || chain(value, false, NESTING)
    }

    /// The value as a script sees it.
    pub fn to_dynamic(&self) -> Dynamic {
        match self {
            Self::Unit => Dynamic::UNIT,
            Self::Bool(b) => (*b).into(),
            Self::Integer(n) => (*n).into(),
            Self::Number(number) => Dynamic::from(number.clone()),
            Self::Text(text) => text.clone().into(),
            Self::Labels(labels) => Dynamic::from(labels.clone()),
            Self::List(items) => items.iter().map(Self::to_dynamic).collect::<Vec<_>>().into(),
            Self::Map(entries) => {
                let entries = entries.iter().map(|(k, v)| (k.as_str().into(), v.to_dynamic()));
                Dynamic::from(entries.collect::<Map>())
            }
        }
    }

    /// How a symbol of an alphabet is written: strings as they are, other data as displayed.
    pub fn symbol(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Labels(labels) => labels.to_string(),
            other => other.to_string(),
        }
    }

    /// The value as a label: `0`, `1`, `false` or `true`.
    pub fn bit(&self) -> Option<bool> {
        match self {
            Self::Bool(b) => Some(*b),
            Self::Integer(0) => Some(false),
            Self::Integer(1) => Some(true),
            Self::Text(text) if text == "0" => Some(false),
            Self::Text(text) if text == "1" => Some(true),
            _ => None,
        }
    }
}

/// Whether more than `depth` lists and maps are nested, each as the first or the last entry of the one
/// around it.
fn chain(value: &Dynamic, first: bool, depth: usize) -> bool {
    let inside = |entry: Option<&Dynamic>| match depth.checked_sub(1) {
        None => true,
        Some(depth) => entry.is_some_and(|entry| chain(entry, first, depth)),
    };
    if let Some(list) = value.read_lock::<Array>() {
        inside(if first { list.first() } else { list.last() })
    } else if let Some(map) = value.read_lock::<Map>() {
        let mut values = map.values();
        inside(if first { values.next() } else { values.next_back() })
    } else {
        false
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unit => f.write_str("()"),
            Self::Bool(b) => write!(f, "{b}"),
            Self::Integer(n) => write!(f, "{n}"),
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) => write!(f, "{text:?}"),
            Self::Labels(labels) => write!(f, "\"{labels}\""),
            Self::List(items) => {
                f.write_str("[")?;
                for (i, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if i == 0 { "" } else { ", " })?;
                }
                f.write_str("]")
            }
            Self::Map(entries) => {
                f.write_str("#{")?;
                for (i, (key, value)) in entries.iter().enumerate() {
                    write!(f, "{}{key}: {value}", if i == 0 { "" } else { ", " })?;
                }
                f.write_str("}")
            }
        }
    }
}
