//! A value with its model values renamed.

use base::with_stack;
use eval::interp::Machine;
use value::{Atom, Items, OpResult, Value, ValueVec, View, ops};

/// The value with each atom in the place of which `image` gives another.
pub(super) fn permute<'r>(
    machine: &mut Machine<'_, 'r>,
    image: &dyn Fn(Atom) -> Option<Atom>,
    value: Value<'r>,
) -> OpResult<Value<'r>> {
    if let Some(atom) = value.as_atom() {
        return Ok(image(atom).map_or(value, Value::atom));
    }
    if value.as_small().is_some() || value.as_bool().is_some() {
        return Ok(value);
    }
    with_stack(|| rebuild(machine, value, &mut |machine, part| permute(machine, image, part)))
}

/// A function that gives the renamed form of a part of a value.
pub(super) type Rename<'f, 'p, 'r> = dyn FnMut(&mut Machine<'p, 'r>, Value<'r>) -> OpResult<Value<'r>> + 'f;

/// The value made of what its parts become.
pub(super) fn rebuild<'p, 'r>(
    machine: &mut Machine<'p, 'r>,
    value: Value<'r>,
    rename: &mut Rename<'_, 'p, 'r>,
) -> OpResult<Value<'r>> {
    let Some(items) = parts(value) else { return Ok(value) };
    let mut renamed = ValueVec::with_capacity(machine.region(), items.len());
    for item in items {
        let item = rename(machine, item)?;
        renamed.push(item);
    }
    if let Some((domain, _)) = value.as_function() {
        return rebuild_function(machine, domain, renamed, rename);
    }
    let made = match value.as_record() {
        Some((shape, _)) => renamed.into_record(shape),
        None if value.is_set() => renamed.into_set(),
        None => renamed.into_sequence(),
    };
    ops::force(machine, made)
}

/// The values of a function and the elements of a set, if they can have atoms in them.
fn parts(value: Value<'_>) -> Option<Items<'_>> {
    match value.view() {
        View::Sequence(items) | View::Record(_, items) | View::Function(_, items) => Some(items),
        View::Set { elements, .. } => Some(elements),
        View::Bool(_)
        | View::Int(_)
        | View::BigInt(_)
        | View::String(_)
        | View::ModelValue(_)
        | View::Interval(..)
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
        | View::Anything => None,
    }
}

fn rebuild_function<'p, 'r>(
    machine: &mut Machine<'p, 'r>,
    domain: Value<'r>,
    values: ValueVec<'r>,
    rename: &mut Rename<'_, 'p, 'r>,
) -> OpResult<Value<'r>> {
    let mut pairs = Vec::with_capacity(values.len());
    let mut elements = ops::elements_normal(machine, domain)?;
    let mut index = 0;
    while let Some(key) = elements.next(machine)? {
        let key = rename(machine, key)?;
        pairs.push((key, values.as_slice()[index]));
        index += 1;
    }
    let function = ops::function_from_pairs(machine, &pairs)?;
    ops::force(machine, function)
}
