//! Values that outlive a region: the contents of registers, and facts of a run.

use num_bigint::BigInt;
use value::{Atom, Atoms, Host, OpError, OpResult, Value, ValueVec, View, ops};

/// An explicit value that owns its parts and can be sent between threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Owned {
    Bool(bool),
    Int(i64),
    BigInt(BigInt),
    /// A string or a model value of the specification.
    Atom(Atom),
    /// A string by its text.
    Text(String),
    /// A set. Elements in any order, repetitions allowed.
    Set(Vec<Owned>),
    Interval(i64, i64),
    Sequence(Vec<Owned>),
    /// A function. Keys and values in any order; of equal keys the first wins. A record has strings as keys.
    Function(Vec<(Owned, Owned)>),
}

impl Owned {
    pub fn text(text: impl Into<String>) -> Owned {
        Owned::Text(text.into())
    }

    /// Makes a count. A number that an integer cannot hold becomes the largest integer.
    pub fn count(n: u64) -> Owned {
        Owned::Int(i64::try_from(n).unwrap_or(i64::MAX))
    }

    pub fn record<const N: usize>(fields: [(&str, Owned); N]) -> Owned {
        Owned::Function(fields.into_iter().map(|(name, value)| (Owned::text(name), value)).collect())
    }

    /// Copies a value. Lazy values are made explicit; infinite ones are refused.
    pub fn of<'r, H: Host<'r> + ?Sized>(host: &mut H, value: Value<'r>) -> OpResult<Owned> {
        let value = ops::force(host, value)?;
        copy(value)
    }

    /// Copies a value that is explicit already. Nothing is computed.
    pub fn opt_copy(value: Value<'_>) -> Option<Owned> {
        copy(value).ok()
    }

    /// Makes the value in a region again.
    pub fn to_value<'r, H: Host<'r> + ?Sized>(
        &self,
        host: &mut H,
        atoms: &'static Atoms,
    ) -> OpResult<Value<'r>> {
        base::with_stack(|| self.build(host, atoms))
    }

    fn build<'r, H: Host<'r> + ?Sized>(&self, host: &mut H, atoms: &'static Atoms) -> OpResult<Value<'r>> {
        match self {
            Owned::Bool(value) => Ok(Value::bool(*value)),
            Owned::Int(value) => Ok(host.region().int(*value)),
            Owned::BigInt(value) => Ok(host.region().big_int(value)),
            Owned::Atom(atom) => Ok(Value::atom(*atom)),
            Owned::Text(text) => Ok(Value::atom(atoms.string(text))),
            Owned::Set(items) => Ok(all(host, atoms, items)?.into_set()),
            Owned::Interval(first, last) => Ok(host.region().interval(*first, *last)),
            Owned::Sequence(items) => Ok(all(host, atoms, items)?.into_sequence()),
            Owned::Function(pairs) => {
                let mut built = Vec::with_capacity(pairs.len());
                for (key, value) in pairs {
                    built.push((key.to_value(host, atoms)?, value.to_value(host, atoms)?));
                }
                ops::function_from_pairs(host, &built)
            }
        }
    }
}

fn all<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    atoms: &'static Atoms,
    items: &[Owned],
) -> OpResult<ValueVec<'r>> {
    let mut values = ValueVec::with_capacity(host.region(), items.len());
    for item in items {
        let value = item.to_value(host, atoms)?;
        values.push(value);
    }
    Ok(values)
}

/// Copies an explicit value.
fn copy(value: Value<'_>) -> OpResult<Owned> {
    base::with_stack(|| copy_here(value))
}

fn copy_here(value: Value<'_>) -> OpResult<Owned> {
    match value.view() {
        View::Bool(value) => Ok(Owned::Bool(value)),
        View::Int(value) => Ok(Owned::Int(value)),
        View::BigInt(value) => Ok(Owned::BigInt(value)),
        View::String(atom) | View::ModelValue(atom) => Ok(Owned::Atom(atom)),
        View::Set { elements, .. } => copy_all(elements).map(Owned::Set),
        View::Interval(first, last) => Ok(Owned::Interval(first, last)),
        View::Sequence(items) => copy_all(items).map(Owned::Sequence),
        View::Record(shape, items) => {
            let keys = shape.fields().iter().map(|&field| Owned::Atom(field));
            Ok(Owned::Function(keys.zip(copy_all(items)?).collect()))
        }
        View::Function(domain, items) => {
            let keys = match copy(domain)? {
                Owned::Interval(first, last) => (first..=last).map(Owned::Int).collect(),
                Owned::Set(keys) => keys,
                // A domain is always a set.
                other @ (Owned::Bool(_)
                | Owned::Int(_)
                | Owned::BigInt(_)
                | Owned::Atom(_)
                | Owned::Text(_)
                | Owned::Sequence(_)
                | Owned::Function(_)) => vec![other],
            };
            Ok(Owned::Function(keys.into_iter().zip(copy_all(items)?).collect()))
        }
        View::LazyFunction { .. }
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
        | View::Anything => Err(Box::new(OpError::NotStorable { value: value.kind().describe().to_owned() })),
    }
}

fn copy_all<'r>(items: impl IntoIterator<Item = Value<'r>>) -> OpResult<Vec<Owned>> {
    items.into_iter().map(copy).collect()
}
