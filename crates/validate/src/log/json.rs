//! JSON as a tree, and as values of TLA+.

use std::fmt;

use base::{FxHashSet, FxIndexSet};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use value::{Atoms, Plain, Region, Shape, Value, ValueVec, ops};

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    Int(i64),
    /// What is no integer of 64 bits.
    Other(f64),
    Text(Box<str>),
    Array(Vec<Json>),
    /// In the order of the text.
    Object(Vec<(Box<str>, Json)>),
}

impl Json {
    /// Of equal names the last counts.
    pub fn field(&self, name: &str) -> Option<&Json> {
        match self {
            Json::Object(members) => {
                members.iter().rev().find(|(key, _)| key.as_ref() == name).map(|(_, value)| value)
            }
            Json::Null | Json::Bool(_) | Json::Int(_) | Json::Other(_) | Json::Text(_) | Json::Array(_) => {
                None
            }
        }
    }

    pub fn at(&self, path: &[String]) -> Option<&Json> {
        path.iter().try_fold(self, |at, name| at.field(name)).filter(|found| **found != Json::Null)
    }

    /// What it is called where it is the kind of an event, or a node.
    pub fn word(&self) -> Option<String> {
        match self {
            Json::Text(text) => Some(text.to_string()),
            Json::Int(value) => Some(value.to_string()),
            Json::Bool(value) => Some(value.to_string()),
            Json::Null | Json::Other(_) | Json::Array(_) | Json::Object(_) => None,
        }
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Int(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(i64::try_from(value).map_or(Json::Other(value as f64), Json::Int))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
        Ok(Json::Other(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(Json::Text(value.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Json, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Json::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Json::Object(members))
    }
}

/// Makes values of JSON.
pub(crate) struct Valuer {
    atoms: &'static Atoms,
    model_values: FxHashSet<String>,
}

impl Valuer {
    pub fn new(atoms: &'static Atoms, model_values: &[String]) -> Valuer {
        Valuer { atoms, model_values: model_values.iter().cloned().collect() }
    }

    /// The value, or why there is none.
    pub fn value<'r>(&self, region: &'r Region, json: &Json) -> Result<Value<'r>, String> {
        match json {
            Json::Null => Err("null has no value in TLA+".to_owned()),
            Json::Bool(value) => Ok(Value::bool(*value)),
            Json::Int(value) => Ok(region.int(*value)),
            Json::Other(value) => Err(format!("{value} is no integer of 64 bits")),
            Json::Text(text) => Ok(self.text(text)),
            Json::Array(items) => {
                let mut values = ValueVec::with_capacity(region, items.len());
                for item in items {
                    values.push(self.value(region, item)?);
                }
                Ok(values.into_sequence())
            }
            Json::Object(members) => self.record(region, members, None),
        }
    }

    /// A string, or the model value of that name if the configuration has one.
    pub fn text<'r>(&self, text: &str) -> Value<'r> {
        let atom = self.atoms.string(text);
        Value::atom(if self.model_values.contains(text) { atom.as_model_value() } else { atom })
    }

    /// A string, whatever the configuration has.
    pub fn string<'r>(&self, text: &str) -> Value<'r> {
        Value::atom(self.atoms.string(text))
    }

    /// A record of these members, or of those with these names. What is null is not there.
    pub fn record<'r>(
        &self,
        region: &'r Region,
        members: &[(Box<str>, Json)],
        wanted: Option<&FxIndexSet<String>>,
    ) -> Result<Value<'r>, String> {
        let is_wanted = |name: &str| wanted.is_none_or(|names| names.contains(name));
        let mut fields = Vec::with_capacity(members.len());
        for (name, json) in members.iter().filter(|(name, json)| is_wanted(name) && *json != Json::Null) {
            fields.push((self.atoms.string(name), self.value(region, json)?));
        }
        fields.sort_by(|(left, _), (right, _)| left.rank_cmp(*right));
        let names: Vec<value::Atom> = fields.iter().map(|(name, _)| *name).collect();
        match Shape::new(&names) {
            Some(shape) if !names.is_empty() => {
                let values: Vec<Value<'r>> = fields.iter().map(|(_, value)| *value).collect();
                Ok(region.record(shape, &values))
            }
            Some(_) | None => {
                // Of equal names the last counts, and the first wins there.
                let pairs: Vec<(Value<'r>, Value<'r>)> =
                    fields.iter().rev().map(|(name, value)| (Value::atom(*name), *value)).collect();
                ops::function_from_pairs(&mut Plain(region), &pairs).map_err(|error| error.to_string())
            }
        }
    }
}
