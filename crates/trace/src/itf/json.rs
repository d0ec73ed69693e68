//! JSON as a tree that keeps the order of fields. Repeated fields and too deep nesting are refused.

use std::fmt;

use base::{FxHashSet, with_stack};
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::ItfError;
use crate::Datum;

/// The greatest depth. A level of a value takes up to three levels of JSON: `{"#map": [[argument, value]]}`.
const DEPTH_MAX: usize = 3 * Datum::DEPTH_MAX + 16;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    Integer(i128),
    /// A number that is not an integer, or an integer too large to be exact.
    Decimal(f64),
    String(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    pub fn parse(text: &str) -> Result<Json, ItfError> {
        // Editors on Windows put this mark before the text.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut deserializer = serde_json::Deserializer::from_str(text);
        deserializer.disable_recursion_limit();
        let json =
            Tree { depth: 1 }.deserialize(&mut deserializer).map_err(|error| ItfError::json(&error))?;
        deserializer.end().map_err(|error| ItfError::json(&error))?;
        Ok(json)
    }

    /// Describes its kind in words.
    pub fn kind(&self) -> &'static str {
        match self {
            Json::Null => "null",
            Json::Bool(_) => "a boolean",
            Json::Integer(_) => "an integer",
            Json::Decimal(_) => "a decimal number",
            Json::String(_) => "a string",
            Json::Array(_) => "an array",
            Json::Object(_) => "an object",
        }
    }

    /// Returns the field `name` of an object.
    pub fn get(&self, name: &str) -> Option<&Json> {
        match self {
            Json::Object(fields) => fields.iter().find(|(field, _)| field == name).map(|(_, value)| value),
            Json::Null | Json::Bool(_) | Json::Integer(_) | Json::Decimal(_) => None,
            Json::String(_) | Json::Array(_) => None,
        }
    }

    pub fn as_str(&self) -> Option<&str> {
        match self {
            Json::String(text) => Some(text),
            Json::Null | Json::Bool(_) | Json::Integer(_) | Json::Decimal(_) => None,
            Json::Array(_) | Json::Object(_) => None,
        }
    }
}

/// Reads a tree at this depth.
struct Tree {
    depth: usize,
}

impl<'de> DeserializeSeed<'de> for Tree {
    type Value = Json;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        if self.depth > DEPTH_MAX {
            return Err(de::Error::custom(format_args!("nested more than {DEPTH_MAX} levels deep")));
        }
        with_stack(|| deserializer.deserialize_any(self))
    }
}

impl<'de> Visitor<'de> for Tree {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Integer(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(Json::Integer(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
        Ok(Json::Decimal(value))
    }

    fn visit_str<E>(self, text: &str) -> Result<Json, E> {
        Ok(Json::String(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Json, E> {
        Ok(Json::String(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let mut array = Vec::new();
        while let Some(item) = items.next_element_seed(Tree { depth: self.depth + 1 })? {
            array.push(item);
        }
        Ok(Json::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Json, A::Error> {
        let mut object = Vec::new();
        while let Some(name) = fields.next_key::<String>()? {
            object.push((name, fields.next_value_seed(Tree { depth: self.depth + 1 })?));
        }
        match find_repeated(&object) {
            Some(name) => Err(de::Error::custom(format_args!("an object has the field `{name}` twice"))),
            None => Ok(Json::Object(object)),
        }
    }
}

/// The most fields that are compared one by one. PERF: most objects are `{"#bigint": "1"}`: a hash set for each took
/// most of the time of reading.
const FEW_FIELDS: usize = 8;

fn find_repeated(fields: &[(String, Json)]) -> Option<&str> {
    if fields.len() <= FEW_FIELDS {
        let is_repeated = |at: usize| fields[..at].iter().any(|(name, _)| *name == fields[at].0);
        return (1..fields.len()).find(|&at| is_repeated(at)).map(|at| fields[at].0.as_str());
    }
    let mut known = FxHashSet::default();
    fields.iter().map(|(name, _)| name.as_str()).find(|name| !known.insert(*name))
}
