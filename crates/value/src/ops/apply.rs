//! `f[e]`, `r.f`, `DOMAIN f`.

use std::sync::atomic::{AtomicU64, Ordering};

use super::force::call_at;
use super::normal::search_items;
use super::{equal, explicit_function, member, wrong_kind};
use crate::mem::{FunctionKind, Object, ObjectKind, SCAN_MAX};
use crate::print::print_raw;
use crate::{Atom, Ground, Host, Interner, Items, OpError, OpResult, Shape, Value};

/// Size up to which TLC searches the domain of a function from its beginning.
const LINEAR_MAX: usize = 32;

/// Computes `f[argument]`. Outside the domain it is an error.
#[inline]
pub fn apply<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    f: Value<'r>,
    argument: Value<'r>,
) -> OpResult<Value<'r>> {
    match select_same(f, argument) {
        Some(value) => Ok(value),
        None => apply_slowly(host, f, argument),
    }
}

/// Computes `f[argument]`, if it is found without comparing values: the position in a sequence, or the identical word
/// among the keys.
#[inline]
pub fn select_same<'r>(f: Value<'r>, argument: Value<'r>) -> Option<Value<'r>> {
    let object = f.object()?;
    if object.kind() == ObjectKind::Function {
        return object.select_same(argument);
    }
    if object.kind() != ObjectKind::Sequence {
        return None;
    }
    let items = object.items_of(ObjectKind::Sequence);
    inside(argument.as_small()?.wrapping_sub(1), items.len()).map(|index| items.get(index))
}

#[inline(never)]
fn apply_slowly<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    f: Value<'r>,
    argument: Value<'r>,
) -> OpResult<Value<'r>> {
    match select(host, f, argument)? {
        Some(value) => Ok(value),
        None => Err(outside_domain(f, argument)),
    }
}

#[cold]
fn outside_domain(f: Value<'_>, argument: Value<'_>) -> Box<OpError> {
    match (f.as_record(), argument.as_string()) {
        (Some(_), Some(field)) => no_such_field(f, field),
        (_, _) => Box::new(OpError::OutsideDomain { function: print_raw(f), argument: print_raw(argument) }),
    }
}

#[cold]
#[inline(never)]
fn no_such_field(record: Value<'_>, field: Atom) -> Box<OpError> {
    Box::new(OpError::NoSuchField { record: print_raw(record), field: field.text().to_owned() })
}

/// Computes `f[e1, ..., en]`: `f[<<e1, ..., en>>]`, which sequences and records refuse.
pub fn apply_many<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    f: Value<'r>,
    arguments: &[Value<'r>],
) -> OpResult<Value<'r>> {
    if f.as_sequence().is_some_and(|items| !items.is_empty()) || f.as_record().is_some() {
        return Err(wrong_kind("f[e1, ..., en]", "a function of several arguments", f));
    }
    let argument = host.region().sequence(arguments);
    apply(host, f, argument)
}

/// Computes `f[argument]`, or returns `None` outside the domain.
#[inline]
pub fn select<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    f: Value<'r>,
    argument: Value<'r>,
) -> OpResult<Option<Value<'r>>> {
    let Some(object) = f.object() else { return Err(no_function(f)) };
    match object.kind() == ObjectKind::LazyFunction {
        true => select_lazy(host, f, object, argument),
        false => Ok(position(host, f, object, argument)?.map(|index| object.items().get(index))),
    }
}

#[cold]
fn no_function(value: Value<'_>) -> Box<OpError> {
    wrong_kind("f[e]", "a function", value)
}

/// Returns the position of the value for this argument in a function given by its graph.
#[inline]
pub(super) fn position<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    f: Value<'r>,
    object: Object<'r>,
    argument: Value<'r>,
) -> OpResult<Option<usize>> {
    match object.kind().function_kind() {
        Some(FunctionKind::Sequence) => match argument.as_small() {
            Some(index) => Ok(inside(index.wrapping_sub(1), object.len())),
            None => position_of_non_int(object.len() == 0 || is_untyped_model_value(argument), argument),
        },
        Some(FunctionKind::Record) => match argument.as_string() {
            Some(field) => Ok(object.shape().position(field)),
            None if is_untyped_model_value(argument) => Ok(None),
            None => Err(wrong_kind("r[e]", "a string as the name of a field", argument)),
        },
        Some(FunctionKind::Graph) => match object.domain().as_interval() {
            Some((first, _)) => match argument.as_small() {
                Some(index) => Ok(inside(index.wrapping_sub(first), object.len())),
                None => position_of_non_int(is_untyped_model_value(argument), argument),
            },
            None => position_in_domain(host, object, argument),
        },
        Some(FunctionKind::Lazy) | None => Err(no_function(f)),
    }
}

#[inline]
fn inside(index: i64, len: usize) -> Option<usize> {
    ((index as u64) < len as u64).then_some(index as usize)
}

/// Whether it is a model value without a type. Like in an explicit domain, such a value is just not there. TLC refuses
/// it for tuples and records, and cannot be followed in that: a function with the same graph, which it accepts, is the
/// same value.
fn is_untyped_model_value(value: Value<'_>) -> bool {
    value.as_model_value().is_some_and(|model| model.model_type().is_none())
}

/// Returns the position of an argument that is not a small integer. Large integers are outside every domain of
/// integers; the empty function has no domain that could differ.
#[cold]
fn position_of_non_int(is_surely_outside: bool, argument: Value<'_>) -> OpResult<Option<usize>> {
    if is_surely_outside || argument.as_big_int().is_some() {
        return Ok(None);
    }
    Err(wrong_kind("f[e]", "an integer as argument of a function on integers", argument))
}

fn position_in_domain<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    object: Object<'r>,
    argument: Value<'r>,
) -> OpResult<Option<usize>> {
    let keys = object.domain().as_normal_set().expect("a domain is a set in normal form");
    // PERF: with many keys, most are found this way. If it cannot be compared with all keys on the way, and may be one
    // of them, it is searched for as among a few.
    if keys.len() > SCAN_MAX
        && let Ok(place) = search_items(host, argument, keys)
        && (place.is_ok() || keys.as_tree().is_some())
    {
        return Ok(place.ok());
    }
    // If it is one of the keys, it can be compared with all of them.
    let interned = Ground::opt(argument).and_then(|argument| Interner::shared().find(argument));
    let same = interned.map_or(argument, |id| Interner::shared().value(id));
    if let Some(index) = keys.position_of_same(same) {
        return Ok(Some(index));
    }
    if keys.len() < LINEAR_MAX {
        return linear_position(host, keys, argument);
    }
    Ok(search_items(host, argument, keys)?.ok())
}

fn linear_position<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    keys: Items<'r>,
    argument: Value<'r>,
) -> OpResult<Option<usize>> {
    for (index, key) in keys.iter().enumerate() {
        if equal(host, key, argument)? {
            return Ok(Some(index));
        }
    }
    Ok(None)
}

fn select_lazy<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    f: Value<'r>,
    object: Object<'r>,
    argument: Value<'r>,
) -> OpResult<Option<Value<'r>>> {
    if let Some(explicit) = object.explicit_form() {
        return select(host, explicit, argument);
    }
    if !member(host, argument, object.items().get(0))? {
        return Ok(None);
    }
    call_at(host, f, object, argument).map(Some)
}

/// Returns shape and values, if it is a record that has them at hand.
#[inline]
fn as_small_record<'r>(record: Value<'r>) -> Option<(Shape, Items<'r>)> {
    let object = record.object()?;
    (object.kind() == ObjectKind::Record).then(|| (object.shape(), object.items_of(ObjectKind::Record)))
}

/// Computes `r.f`, also for a function whose domain has the string.
#[inline]
pub fn field<'r, H: Host<'r> + ?Sized>(host: &mut H, record: Value<'r>, field: Atom) -> OpResult<Value<'r>> {
    match as_small_record(record) {
        Some((shape, values)) => match shape.position(field) {
            Some(index) => Ok(values.get(index)),
            None => Err(no_such_field(record, field)),
        },
        None => field_of_function(host, record, field),
    }
}

/// Remembers the position of a field in the records that one place of a specification last saw.
#[derive(Debug, Default)]
pub struct FieldCache([AtomicU64; N_CACHED]);

/// Number of shapes that are remembered. Messages of one variable have a handful of shapes.
const N_CACHED: usize = 4;

impl FieldCache {
    pub fn new() -> FieldCache {
        FieldCache::default()
    }

    #[inline]
    fn position(&self, shape: Shape, field: Atom) -> Option<usize> {
        let place = &self.0[shape.bits() as usize % N_CACHED];
        let seen = place.load(Ordering::Relaxed);
        // Positions are stored plus one, so that nothing is found in an entry that was never written.
        if seen >> 32 == u64::from(shape.bits()) && seen as u32 != 0 {
            return Some(seen as u32 as usize - 1);
        }
        let position = shape.position(field)?;
        place.store(u64::from(shape.bits()) << 32 | (position as u64 + 1), Ordering::Relaxed);
        Some(position)
    }
}

/// Computes `r.f`, where records of few shapes are met.
#[inline]
pub fn field_cached<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    record: Value<'r>,
    name: Atom,
    cache: &FieldCache,
) -> OpResult<Value<'r>> {
    match as_small_record(record) {
        Some((shape, values)) => match cache.position(shape, name) {
            Some(index) => Ok(values.get(index)),
            None => Err(no_such_field(record, name)),
        },
        None => field_of_function(host, record, name),
    }
}

#[cold]
fn field_of_function<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    f: Value<'r>,
    field: Atom,
) -> OpResult<Value<'r>> {
    if !f.is_function() {
        return Err(wrong_kind(".", "a record", f));
    }
    let f = explicit_function(host, f)?;
    apply(host, f, Value::atom(field))
}

/// Computes `DOMAIN f`.
#[inline]
pub fn domain<'r, H: Host<'r> + ?Sized>(host: &mut H, f: Value<'r>) -> OpResult<Value<'r>> {
    let Some(object) = f.object() else { return Err(no_domain(f)) };
    match object.kind().function_kind() {
        Some(FunctionKind::Sequence) => Ok(host.region().interval(1, object.len() as i64)),
        Some(FunctionKind::Record) => Ok(object.shape().domain()),
        Some(FunctionKind::Graph) => Ok(object.domain()),
        Some(FunctionKind::Lazy) => Ok(object.items().get(0)),
        None => Err(no_domain(f)),
    }
}

#[cold]
fn no_domain(value: Value<'_>) -> Box<OpError> {
    wrong_kind("DOMAIN", "a function", value)
}
