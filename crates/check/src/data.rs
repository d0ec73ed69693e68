//! Values as traces hold them.

use eval::Owned;
use eval::interp::Told;
use trace::Datum;
use value::{Value, View};

/// A value as traces hold it.
pub(crate) fn datum(value: Value<'_>) -> Datum {
    at_depth(value, 1)
}

/// A value inside others: no deeper than [`Datum::DEPTH_MAX`], the rest as text.
fn at_depth(value: Value<'_>, depth: usize) -> Datum {
    if depth >= Datum::DEPTH_MAX && !is_scalar(value) {
        return Datum::Opaque(value::print_raw(value));
    }
    base::with_stack(|| one_level(value, depth + 1))
}

fn is_scalar(value: Value<'_>) -> bool {
    matches!(
        value.view(),
        View::Bool(_) | View::Int(_) | View::BigInt(_) | View::String(_) | View::ModelValue(_)
    )
}

/// `depth` is that of the parts.
fn one_level(value: Value<'_>, depth: usize) -> Datum {
    let datum = |part: Value<'_>| at_depth(part, depth);
    match value.view() {
        View::Bool(value) => Datum::Bool(value),
        View::Int(value) => Datum::int(value),
        View::BigInt(value) => Datum::Int(value),
        View::String(atom) => Datum::string(atom.text()),
        View::ModelValue(atom) => Datum::model(atom.text()),
        View::Sequence(items) => Datum::Seq(items.iter().map(datum).collect()),
        View::Record(shape, items) => {
            let names = shape.fields().iter().map(|field| field.text().to_owned());
            Datum::Record(names.zip(items.iter().map(datum)).collect())
        }
        View::Function(domain, items) => {
            let keys: Vec<Datum> = match (domain.as_interval(), domain.as_normal_set()) {
                (Some((first, last)), _) => (first..=last).map(Datum::int).collect(),
                (None, Some(keys)) => keys.iter().map(datum).collect(),
                (None, None) => return Datum::Opaque(value::print_raw(value)),
            };
            Datum::Function(keys.into_iter().zip(items.iter().map(datum)).collect())
        }
        View::Set { elements, .. } => Datum::Set(elements.iter().map(datum).collect()),
        View::Interval(first, last) if last - first < INTERVAL_LEN_MAX => {
            Datum::Set((first..=last).map(Datum::int).collect())
        }
        View::Interval(..)
        | View::LazyFunction { .. }
        | View::Powerset(_)
        | View::KSubsets(..)
        | View::FunctionSet(..)
        | View::RecordSet(..)
        | View::Product(_)
        | View::Filter(..)
        | View::Cup(..)
        | View::Cap(..)
        | View::Difference(..)
        | View::Union(_)
        | View::Naturals
        | View::Integers
        | View::Reals
        | View::Strings
        | View::Sequences(_)
        | View::Anything => Datum::Opaque(value::print_raw(value)),
    }
}

/// A longer interval is shown by its bounds.
const INTERVAL_LEN_MAX: i64 = 1_000;

/// A value that was kept for a message.
pub(crate) fn told(told: &Told) -> Datum {
    match told {
        Told::Value(value) => owned(value, 1),
        Told::Printed(text) => Datum::Opaque(text.clone()),
    }
}

/// Likewise no deeper than a datum may be.
fn owned(value: &Owned, depth: usize) -> Datum {
    if depth >= Datum::DEPTH_MAX {
        return Datum::Opaque("...".to_owned());
    }
    base::with_stack(|| owned_level(value, depth + 1))
}

/// `depth` is that of the parts.
fn owned_level(value: &Owned, depth: usize) -> Datum {
    let all = |items: &[Owned]| items.iter().map(|item| owned(item, depth)).collect();
    match value {
        Owned::Bool(value) => Datum::Bool(*value),
        Owned::Int(value) => Datum::int(*value),
        Owned::BigInt(value) => Datum::Int(value.clone()),
        Owned::Atom(atom) if atom.is_string() => Datum::string(atom.text()),
        Owned::Atom(atom) => Datum::model(atom.text()),
        Owned::Text(text) => Datum::string(text.as_str()),
        Owned::Set(items) => Datum::Set(all(items)),
        Owned::Interval(first, last) if last - first < INTERVAL_LEN_MAX => {
            Datum::Set((*first..=*last).map(Datum::int).collect())
        }
        Owned::Interval(first, last) => Datum::Opaque(format!("{first}..{last}")),
        Owned::Sequence(items) => Datum::Seq(all(items)),
        Owned::Function(pairs) => Datum::Function(
            pairs.iter().map(|(key, value)| (owned(key, depth), owned(value, depth))).collect(),
        ),
    }
}
