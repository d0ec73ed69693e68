//! Reads values in ITF. The forms of Apalache and Quint are read too, including older ones.

use base::{FxHashSet, with_stack};
use num_bigint::BigInt;

use super::ItfError;
use super::error::Path;
use super::json::Json;
use crate::Datum;
use crate::datum::SortKey;

/// Converts JSON to values.
pub(super) struct Decoder {
    /// Strings that are model values.
    pub models: FxHashSet<String>,
}

impl Decoder {
    pub fn value(&self, json: &Json, path: &Path<'_>) -> Result<Datum, ItfError> {
        Walk { decoder: self, depth: 1 }.value(json, path)
    }
}

#[derive(Clone, Copy)]
struct Walk<'d> {
    decoder: &'d Decoder,
    depth: usize,
}

impl Walk<'_> {
    fn value(self, json: &Json, path: &Path<'_>) -> Result<Datum, ItfError> {
        if self.depth > Datum::DEPTH_MAX {
            let message = format!("this value is more than {} levels deep", Datum::DEPTH_MAX);
            return Err(ItfError::shape(
                path,
                message,
                "no trace of a checker is: look at who wrote the file",
            ));
        }
        with_stack(|| match json {
            Json::Bool(value) => Ok(Datum::Bool(*value)),
            Json::Integer(value) => Ok(Datum::int(*value)),
            Json::String(text) if self.decoder.models.contains(text) => Ok(Datum::model(text)),
            Json::String(text) => Ok(Datum::string(text)),
            Json::Array(items) => Ok(Datum::seq(self.items(items, path)?)),
            Json::Object(fields) => self.object(fields, path),
            Json::Null => Err(not_a_value(path, json, "leave it out, or write a string")),
            Json::Decimal(_) => {
                let help =
                    "write integers beyond 64 bits as {\"#bigint\": \"...\"}; TLA+ values have no decimals";
                Err(not_a_value(path, json, help))
            }
        })
    }

    fn deeper(self) -> Self {
        Walk { depth: self.depth + 1, ..self }
    }

    fn items(self, items: &[Json], path: &Path<'_>) -> Result<Vec<Datum>, ItfError> {
        let values = items.iter().enumerate();
        values.map(|(index, item)| self.deeper().value(item, &path.index(index))).collect()
    }

    /// Reads an object. One field that starts with `#` says what the object is; every other object is a record.
    fn object(self, fields: &[(String, Json)], path: &Path<'_>) -> Result<Datum, ItfError> {
        let Some((tag, value)) = fields.iter().find(|(name, _)| name.starts_with('#')) else {
            return self.record(fields, path);
        };
        let inner = path.field(tag);
        if fields.len() > 1 {
            let message = format!("a value with `{tag}` has other fields too");
            return Err(ItfError::shape(path, message, "field names of records do not start with `#`"));
        }
        match tag.as_str() {
            "#bigint" => integer(value, &inner),
            "#tup" => Ok(Datum::seq(self.items(array(value, &inner)?, &inner)?)),
            "#set" => Ok(Datum::set(remove_repeats(self.items(array(value, &inner)?, &inner)?))),
            "#map" => self.map(array(value, &inner)?, &inner),
            "#modelValue" => Ok(Datum::model(string(value, &inner)?)),
            "#unserializable" => Ok(Datum::Opaque(string(value, &inner)?.to_owned())),
            _ => {
                let help = "the forms are #bigint, #tup, #set, #map, #modelValue and #unserializable";
                Err(ItfError::shape(path, format!("`{tag}` is no form of a value"), help))
            }
        }
    }

    fn record(self, fields: &[(String, Json)], path: &Path<'_>) -> Result<Datum, ItfError> {
        let field =
            |(name, json): &(String, Json)| Ok((name.clone(), self.deeper().value(json, &path.field(name))?));
        Ok(Datum::Record(fields.iter().map(field).collect::<Result<_, _>>()?))
    }

    fn map(self, pairs: &[Json], path: &Path<'_>) -> Result<Datum, ItfError> {
        let mut found = Vec::with_capacity(pairs.len());
        for (index, pair) in pairs.iter().enumerate() {
            let path = path.index(index);
            let [argument, value] = array(pair, &path)? else {
                let help = "each entry of a #map is [argument, value]";
                return Err(ItfError::shape(&path, "this is not a pair", help));
            };
            let argument = self.deeper().value(argument, &path.index(0))?;
            found.push((argument, self.deeper().value(value, &path.index(1))?));
        }
        if has_repeats(&found) {
            let help = "a function has one value for each argument";
            return Err(ItfError::shape(path, "an argument is there twice", help));
        }
        Ok(Datum::function(found))
    }
}

fn not_a_value(path: &Path<'_>, json: &Json, help: &str) -> ItfError {
    ItfError::shape(path, format!("{} is no value of TLA+", json.kind()), help)
}

fn integer(json: &Json, path: &Path<'_>) -> Result<Datum, ItfError> {
    let text = string(json, path)?;
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_integer = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let value = is_integer.then(|| BigInt::parse_bytes(text.as_bytes(), 10)).flatten();
    value.map(Datum::Int).ok_or_else(|| {
        ItfError::shape(
            path,
            "this is not an integer",
            "write decimal digits, with `-` before them if negative",
        )
    })
}

pub(crate) fn array<'j>(json: &'j Json, path: &Path<'_>) -> Result<&'j [Json], ItfError> {
    match json {
        Json::Array(items) => Ok(items),
        Json::Null
        | Json::Bool(_)
        | Json::Integer(_)
        | Json::Decimal(_)
        | Json::String(_)
        | Json::Object(_) => Err(wrong_kind(path, "an array", json)),
    }
}

pub(crate) fn string<'j>(json: &'j Json, path: &Path<'_>) -> Result<&'j str, ItfError> {
    json.as_str().ok_or_else(|| wrong_kind(path, "a string", json))
}

pub(crate) fn wrong_kind(path: &Path<'_>, expected: &str, found: &Json) -> ItfError {
    let message = format!("expected {expected}, found {}", found.kind());
    ItfError::shape(path, message, "docs/itf.md shows what a trace looks like")
}

/// Removes repeated elements of a set.
fn remove_repeats(elements: Vec<Datum>) -> Vec<Datum> {
    let mut keys: Vec<(SortKey<'_>, usize)> = elements.iter().map(SortKey::of).zip(0..).collect();
    keys.sort();
    let repeats: Vec<usize> =
        keys.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| pair[1].1).collect();
    if repeats.is_empty() {
        return elements;
    }
    let mut is_kept = vec![true; elements.len()];
    repeats.iter().for_each(|&index| is_kept[index] = false);
    elements.into_iter().zip(is_kept).filter(|(_, kept)| *kept).map(|(element, _)| element).collect()
}

fn has_repeats(pairs: &[(Datum, Datum)]) -> bool {
    let mut keys: Vec<SortKey<'_>> = pairs.iter().map(|(argument, _)| SortKey::of(argument)).collect();
    keys.sort();
    keys.windows(2).any(|pair| pair[0] == pair[1])
}
