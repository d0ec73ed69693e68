//! A value as TLC wrote it, and the test whether it can represent another value.

use base::with_stack;
use num_bigint::BigInt;

use super::keys::{field, is_key};
use super::write::as_sequence;
use crate::Datum;
use crate::itf::Json;

/// A value as TLC wrote it.
#[derive(Clone, Debug, PartialEq)]
pub struct Written(pub(super) Json);

impl Written {
    /// Whether TLC writes `datum` like this. The order of a set's elements is ignored: TLC's order depends on when it
    /// first saw a name.
    pub fn is(&self, datum: &Datum) -> bool {
        is_written(&self.0, datum)
    }

    /// Returns the value, if it is the only one that TLC writes like this.
    pub fn only(&self) -> Option<Datum> {
        match &self.0 {
            Json::Bool(value) => Some(Datum::Bool(*value)),
            Json::Integer(value) => Some(Datum::int(*value)),
            Json::Null | Json::Decimal(_) | Json::String(_) | Json::Array(_) | Json::Object(_) => None,
        }
    }

    /// Returns the value that this most likely is, given a known value of the same kind; for people.
    pub fn like(&self, datum: Option<&Datum>) -> Datum {
        like(&self.0, datum)
    }
}

fn is_written(json: &Json, datum: &Datum) -> bool {
    with_stack(|| match datum {
        Datum::Bool(value) => matches!(json, Json::Bool(other) if other == value),
        Datum::Int(value) => is_number(json, value),
        Datum::Str(text) | Datum::Model(text) | Datum::Opaque(text) => json.as_str() == Some(text),
        Datum::Seq(items) => is_list(json, items.iter()),
        Datum::Set(items) => matches!(json, Json::Array(array) if is_set(array, items)),
        Datum::Record(fields) => {
            is_object(json, fields.len(), fields.iter().map(|(name, value)| (name.clone(), value)))
        }
        Datum::Function(pairs) => match as_sequence(pairs) {
            Some(items) if is_list(json, items.iter().copied()) => true,
            Some(_) | None => is_function(json, pairs),
        },
    })
}

fn is_number(json: &Json, value: &BigInt) -> bool {
    match json {
        Json::Integer(other) => BigInt::from(*other) == *value,
        // The form in which we write an integer beyond 64 bits.
        Json::String(text) => i64::try_from(value).is_err() && *text == value.to_string(),
        Json::Null | Json::Bool(_) | Json::Decimal(_) | Json::Array(_) | Json::Object(_) => false,
    }
}

fn is_list<'d>(json: &Json, items: impl ExactSizeIterator<Item = &'d Datum>) -> bool {
    match json {
        Json::Array(array) => {
            array.len() == items.len() && array.iter().zip(items).all(|(json, item)| is_written(json, item))
        }
        // The record without fields equals the sequence without items.
        Json::Object(fields) => fields.is_empty() && items.len() == 0,
        Json::Null | Json::Bool(_) | Json::Integer(_) | Json::Decimal(_) | Json::String(_) => false,
    }
}

fn is_object<'d>(json: &Json, n_fields: usize, fields: impl Iterator<Item = (String, &'d Datum)>) -> bool {
    match json {
        Json::Object(object) => {
            let mut fields = fields;
            object.len() == n_fields
                && fields.all(|(name, value)| json.get(&name).is_some_and(|json| is_written(json, value)))
        }
        Json::Array(array) => array.is_empty() && n_fields == 0,
        Json::Null | Json::Bool(_) | Json::Integer(_) | Json::Decimal(_) | Json::String(_) => false,
    }
}

fn is_function(json: &Json, pairs: &[(Datum, Datum)]) -> bool {
    match json {
        Json::Object(fields) => {
            let is_field = |(argument, value): &(Datum, Datum)| {
                field(fields, argument).is_some_and(|json| is_written(json, value))
            };
            fields.len() == pairs.len() && pairs.iter().all(is_field)
        }
        Json::Array(array) => array.is_empty() && pairs.is_empty(),
        Json::Null | Json::Bool(_) | Json::Integer(_) | Json::Decimal(_) | Json::String(_) => false,
    }
}

/// Whether each item of the array is a different one of the elements. The same position is tried first, which is the
/// usual case.
fn is_set(array: &[Json], elements: &[Datum]) -> bool {
    if array.len() != elements.len() {
        return false;
    }
    let mut is_taken = vec![false; elements.len()];
    array.iter().enumerate().all(|(at, json)| {
        let mut order = std::iter::once(at).chain((0..elements.len()).filter(|&other| other != at));
        let found = order.find(|&index| !is_taken[index] && is_written(json, &elements[index]));
        found.is_some_and(|index| !std::mem::replace(&mut is_taken[index], true))
    })
}

fn like(json: &Json, datum: Option<&Datum>) -> Datum {
    with_stack(|| match json {
        Json::Null => Datum::Opaque("null".to_owned()),
        Json::Bool(value) => Datum::Bool(*value),
        Json::Integer(value) => Datum::int(*value),
        Json::Decimal(value) => Datum::Opaque(value.to_string()),
        Json::String(text) => match datum {
            Some(Datum::Model(_)) => Datum::model(text),
            Some(_) | None => Datum::string(text),
        },
        Json::Array(items) => {
            let (parts, is_set) = match datum {
                Some(Datum::Set(parts)) => (&parts[..], true),
                Some(Datum::Seq(parts)) => (&parts[..], false),
                Some(_) | None => (&[][..], false),
            };
            let one = |(at, item)| like(item, parts.get(at).or(parts.first()));
            let items = items.iter().enumerate().map(one).collect();
            if is_set { Datum::Set(items) } else { Datum::Seq(items) }
        }
        Json::Object(fields) => like_object(fields, datum),
    })
}

fn like_object(fields: &[(String, Json)], datum: Option<&Datum>) -> Datum {
    let Some(Datum::Function(pairs)) = datum else {
        let known: &[(String, Datum)] = if let Some(Datum::Record(known)) = datum { known } else { &[] };
        let part = |name: &String| known.iter().find(|(field, _)| field == name).map(|(_, part)| part);
        return Datum::record(fields.iter().map(|(name, json)| (name.clone(), like(json, part(name)))));
    };
    let one = |(name, json): &(String, Json)| {
        let known = pairs.iter().find(|(argument, _)| is_key(name, argument));
        let argument = known.map_or_else(|| Datum::Opaque(name.clone()), |(argument, _)| argument.clone());
        (argument, like(json, known.or(pairs.first()).map(|(_, part)| part)))
    };
    Datum::Function(fields.iter().map(one).collect())
}
