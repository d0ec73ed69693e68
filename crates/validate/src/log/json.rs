//! JSON as a tree, and as values of TLA+.

use std::fmt;

use base::{FxHashSet, FxIndexSet};
use num_bigint::BigInt;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use value::{Atoms, Plain, Region, Shape, Value, ValueVec, ops};

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Int(i64),
    /// An integer of more than 64 bits.
    Big(Box<BigInt>),
    /// A number that is not an integer, or an integer too large to be distinguished from others.
    Other(f64),
    Text(Box<str>),
    Array(Vec<Json>),
    /// The members in the order of the text.
    Object(Vec<(Box<str>, Json)>),
}

impl Json {
    /// Returns a member. If a name occurs more than once, the last one counts.
    pub fn field(&self, name: &str) -> Option<&Json> {
        match self {
            Json::Object(members) => {
                members.iter().rev().find(|(key, _)| key.as_ref() == name).map(|(_, value)| value)
            }
            Json::Null | Json::Bool(_) | Json::Int(_) | Json::Big(_) | Json::Other(_) => None,
            Json::Text(_) | Json::Array(_) => None,
        }
    }

    pub fn at(&self, path: &[String]) -> Option<&Json> {
        path.iter().try_fold(self, |at, name| at.field(name)).filter(|found| **found != Json::Null)
    }

    /// Returns the text of a value that is the kind of an event, or a node.
    pub fn word(&self) -> Option<String> {
        match self {
            Json::Text(text) => Some(text.to_string()),
            Json::Int(value) => Some(value.to_string()),
            Json::Big(value) => Some(value.to_string()),
            Json::Bool(value) => Some(value.to_string()),
            Json::Null | Json::Other(_) | Json::Array(_) | Json::Object(_) => None,
        }
    }
}

/// Below this limit, a float without a fraction is exactly the integer that was written.
const EXACT_MAX: f64 = 9_007_199_254_740_992.0;

impl Json {
    /// Reads the text, which is known to be JSON, a second time if a number in it has so many digits that it could only
    /// be read as a float.
    pub fn with_all_digits(self, text: &str) -> Json {
        match self.has_huge() {
            true => serde_json::from_str::<&RawValue>(text).map_or(self, exact),
            false => self,
        }
    }

    fn has_huge(&self) -> bool {
        match self {
            Json::Other(value) => value.abs() >= EXACT_MAX,
            Json::Array(items) => items.iter().any(Json::has_huge),
            Json::Object(members) => members.iter().any(|(_, value)| value.has_huge()),
            Json::Null | Json::Bool(_) | Json::Int(_) | Json::Big(_) | Json::Text(_) => false,
        }
    }
}

/// Reads a value with all digits of its numbers.
fn exact(raw: &RawValue) -> Json {
    let text = raw.get();
    let plain = || serde_json::from_str(text).unwrap_or(Json::Null);
    match text.as_bytes().first() {
        Some(b'[') => match serde_json::from_str::<Vec<&RawValue>>(text) {
            Ok(items) => Json::Array(items.into_iter().map(exact).collect()),
            Err(_) => plain(),
        },
        Some(b'{') => match serde_json::from_str::<RawMembers<'_>>(text) {
            Ok(RawMembers(members)) => {
                Json::Object(members.into_iter().map(|(name, value)| (name, exact(value))).collect())
            }
            Err(_) => plain(),
        },
        Some(b'-' | b'0'..=b'9') => match text.parse::<BigInt>() {
            Ok(value) => i64::try_from(&value).map_or_else(|_| Json::Big(Box::new(value)), Json::Int),
            Err(_) => plain(),
        },
        Some(_) | None => plain(),
    }
}

/// The members of an object, each as unparsed text.
struct RawMembers<'t>(Vec<(Box<str>, &'t RawValue)>);

impl<'de: 't, 't> Deserialize<'de> for RawMembers<'t> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(RawMembersVisitor).map(RawMembers)
    }
}

struct RawMembersVisitor;

impl<'de> Visitor<'de> for RawMembersVisitor {
    type Value = Vec<(Box<str>, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(members)
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
        Ok(i64::try_from(value).map_or_else(|_| Json::Big(Box::new(value.into())), Json::Int))
    }

    /// Reads a float. `2.0` and `1e3` are integers.
    fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
        let is_exact = value.fract() == 0.0 && value.abs() < EXACT_MAX;
        Ok(if is_exact { Json::Int(value as i64) } else { Json::Other(value) })
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

/// Converts JSON to values.
pub struct Valuer {
    atoms: &'static Atoms,
    model_values: FxHashSet<String>,
}

impl Valuer {
    pub fn new(atoms: &'static Atoms, model_values: &[String]) -> Valuer {
        Valuer { atoms, model_values: model_values.iter().cloned().collect() }
    }

    /// Returns the value, or the reason why there is none.
    pub fn value<'r>(&self, region: &'r Region, json: &Json) -> Result<Value<'r>, String> {
        match json {
            Json::Null => Err("null has no value in TLA+".to_owned()),
            Json::Bool(value) => Ok(Value::bool(*value)),
            Json::Int(value) => Ok(region.int(*value)),
            Json::Big(value) => Ok(region.big_int(value)),
            Json::Other(value) => Err(format!("{value} is no integer, and TLA+ has no other numbers here")),
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

    /// Returns a string, or the model value of that name if the configuration has one.
    pub fn text<'r>(&self, text: &str) -> Value<'r> {
        let atom = self.atoms.string(text);
        Value::atom(if self.model_values.contains(text) { atom.as_model_value() } else { atom })
    }

    /// Returns a string, even if the configuration has a model value of that name.
    pub fn string<'r>(&self, text: &str) -> Value<'r> {
        Value::atom(self.atoms.string(text))
    }

    /// Returns a record of the members, or of those whose names are wanted. Members that are null are left out.
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
                // If a name occurs more than once, the last one counts; in a record the first one wins, hence the
                // reverse order.
                let pairs: Vec<(Value<'r>, Value<'r>)> =
                    fields.iter().rev().map(|(name, value)| (Value::atom(*name), *value)).collect();
                ops::function_from_pairs(&mut Plain(region), &pairs).map_err(|error| error.to_string())
            }
        }
    }
}
