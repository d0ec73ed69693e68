//! Makes lazy values explicit.

use base::with_stack;

use super::{elements, equal, function, normalize, not_enumerable, size, too_large, wrong_kind};
use crate::mem::{FunctionKind, Object, ObjectKind};
use crate::print::print_raw;
use crate::{Constant, Host, Items, OpError, OpResult, Value, ValueVec, check_room, view};

/// Number of elements after which limits are checked.
const CHECK_EVERY: usize = 256;

/// The elements of a finite set, in normal form.
#[derive(Clone, Copy)]
pub(super) enum Explicit<'r> {
    Items(Items<'r>),
    /// The first and last integer; not empty.
    Interval(i64, i64),
}

impl Explicit<'_> {
    pub(super) fn len(self) -> u64 {
        match self {
            Explicit::Items(items) => items.len() as u64,
            Explicit::Interval(first, last) => (last - first) as u64 + 1,
        }
    }
}

/// Returns the elements of a set. Those of an interval are not written out.
pub(super) fn explicit_elements<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    set: Value<'r>,
) -> OpResult<Explicit<'r>> {
    if let Some((first, last)) = set.as_interval() {
        return Ok(Explicit::Interval(first, last));
    }
    let set = explicit_set(host, set)?;
    Ok(Explicit::Items(set.as_normal_set().expect("`explicit_set` gives a set in normal form")))
}

/// Returns the set in the form `{e1, ..., en}`, in normal form. A lazy set remembers it.
pub fn explicit_set<'r, H: Host<'r> + ?Sized>(host: &mut H, set: Value<'r>) -> OpResult<Value<'r>> {
    let Some(object) = set.object() else { return Err(not_enumerable(set)) };
    match object.kind() {
        ObjectKind::Set => normalize(host, set).map(|()| set),
        ObjectKind::Interval => write_interval(host, object.bounds()),
        ObjectKind::Powerset | ObjectKind::KSubsets | ObjectKind::FunctionSet => {
            explicit_lazy(host, set, object)
        }
        ObjectKind::RecordSet | ObjectKind::Product | ObjectKind::Filter => explicit_lazy(host, set, object),
        ObjectKind::Cup | ObjectKind::Cap | ObjectKind::Difference => explicit_lazy(host, set, object),
        ObjectKind::Union => explicit_lazy(host, set, object),
        ObjectKind::Sequence | ObjectKind::Record | ObjectKind::Function | ObjectKind::BigInt => {
            Err(not_enumerable(set))
        }
        ObjectKind::LazyFunction | ObjectKind::Sequences => Err(not_enumerable(set)),
    }
}

fn write_interval<'r, H: Host<'r> + ?Sized>(host: &mut H, (first, last): (i64, i64)) -> OpResult<Value<'r>> {
    let set = || host.region().interval(first, last);
    let len = usize::try_from(last - first).map_err(|_| too_large(set()))? + 1;
    if len > host.set_size_max().max(crate::SET_SIZE_MAX) {
        return Err(too_large(set()));
    }
    check_room(host, len)?;
    let mut vec = ValueVec::with_capacity(host.region(), len);
    for int in first..=last {
        vec.push(host.region().int(int));
    }
    Ok(vec.into_normal_set())
}

fn explicit_lazy<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    set: Value<'r>,
    object: Object<'r>,
) -> OpResult<Value<'r>> {
    if let Some(explicit) = object.explicit_form() {
        // The explicit form of a constant may have become an interval.
        return explicit_set(host, explicit);
    }
    let size_max = host.set_size_max();
    if let Some(size) = size::known_size(host, set)? {
        match usize::try_from(size) {
            Ok(size) if size <= size_max => check_room(host, size)?,
            Ok(_) | Err(_) => return Err(too_large(set)),
        }
    }
    let mut elements = elements(host, set)?;
    let mut vec = ValueVec::new(host.region());
    while let Some(element) = elements.next(host)? {
        if vec.len() == size_max {
            return Err(too_large(set));
        }
        if vec.len().is_multiple_of(CHECK_EVERY) {
            host.check_limits()?;
        }
        vec.push(element);
    }
    let explicit = vec.into_set();
    normalize(host, explicit)?;
    remember(host, object, explicit)
}

/// Keeps the explicit form with the lazy value. That of a constant becomes a constant too.
fn remember<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    object: Object<'r>,
    explicit: Value<'r>,
) -> OpResult<Value<'r>> {
    if object.is_frozen() {
        let constant = Constant::new(host, explicit)?;
        object.set_explicit_constant(constant);
        return Ok(if constant.get().as_interval().is_some() { explicit } else { constant.get() });
    }
    object.set_explicit(host.region(), explicit);
    Ok(explicit)
}

/// Returns the function as a graph. A lazy function remembers it.
#[inline]
pub fn explicit_function<'r, H: Host<'r> + ?Sized>(host: &mut H, f: Value<'r>) -> OpResult<Value<'r>> {
    let Some(object) = f.object() else { return Err(wrong_kind("f[e]", "a function", f)) };
    match object.kind().function_kind() {
        Some(FunctionKind::Sequence | FunctionKind::Record | FunctionKind::Graph) => Ok(f),
        Some(FunctionKind::Lazy) => explicit_lazy_function(host, f, object),
        None => Err(wrong_kind("f[e]", "a function", f)),
    }
}

fn explicit_lazy_function<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    f: Value<'r>,
    object: Object<'r>,
) -> OpResult<Value<'r>> {
    if let Some(explicit) = object.explicit_form() {
        return Ok(explicit);
    }
    let domain = object.items().get(0);
    let domain = if domain.as_interval().is_some() { domain } else { explicit_set(host, domain)? };
    let mut keys = elements(host, domain)?;
    let mut values = ValueVec::new(host.region());
    while let Some(key) = keys.next(host)? {
        if values.len().is_multiple_of(CHECK_EVERY) {
            host.check_limits()?;
        }
        values.push(call_at(host, f, object, key)?);
    }
    let explicit = function(domain, values);
    remember(host, object, explicit)
}

/// Returns the value of a lazy function at a key of its domain.
pub(super) fn call_at<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    f: Value<'r>,
    object: Object<'r>,
    key: Value<'r>,
) -> OpResult<Value<'r>> {
    if let Some(changed) = override_at(host, object, key)? {
        return Ok(changed);
    }
    host.call(view::closure(object), &[key, f])
}

/// Returns the value that `EXCEPT` has set at `key`: the last one wins.
fn override_at<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    object: Object<'r>,
    key: Value<'r>,
) -> OpResult<Option<Value<'r>>> {
    let Some(pairs) = object.overrides().and_then(Value::as_sequence) else { return Ok(None) };
    for index in (0..pairs.len()).step_by(2).rev() {
        if equal(host, pairs.get(index), key)? {
            return Ok(Some(pairs.get(index + 1)));
        }
    }
    Ok(None)
}

/// Whether it is known to be explicit and in normal form, with everything inside.
#[inline]
pub fn is_explicit(value: Value<'_>) -> bool {
    value.is_ground()
}

/// Makes everything in the value explicit and puts it in normal form. Refused for infinite sets.
pub fn force<'r, H: Host<'r> + ?Sized>(host: &mut H, value: Value<'r>) -> OpResult<Value<'r>> {
    if value.is_ground() {
        return Ok(value);
    }
    match value.object() {
        Some(object) => with_stack(|| force_object(host, value, object)),
        None => Err(not_storable(value)),
    }
}

fn force_object<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    value: Value<'r>,
    object: Object<'r>,
) -> OpResult<Value<'r>> {
    match object.kind() {
        ObjectKind::Sequence => Ok(force_items(host, object.items())?.into_sequence()),
        ObjectKind::Record => Ok(force_items(host, object.items())?.into_record(object.shape())),
        ObjectKind::Function => {
            let domain = force(host, object.domain())?;
            Ok(force_items(host, object.items())?.into_function(domain))
        }
        ObjectKind::Set => {
            normalize(host, value)?;
            if object.is_ground() {
                return Ok(value);
            }
            Ok(force_items(host, object.items())?.into_normal_set())
        }
        ObjectKind::LazyFunction => {
            let explicit = explicit_function(host, value)?;
            force(host, explicit)
        }
        ObjectKind::Powerset | ObjectKind::KSubsets | ObjectKind::FunctionSet => force_lazy_set(host, value),
        ObjectKind::RecordSet | ObjectKind::Product | ObjectKind::Filter | ObjectKind::Cup => {
            force_lazy_set(host, value)
        }
        ObjectKind::Cap | ObjectKind::Difference | ObjectKind::Union => force_lazy_set(host, value),
        ObjectKind::Sequences => Err(not_storable(value)),
        ObjectKind::Interval | ObjectKind::BigInt => unreachable!("explicit from the start"),
    }
}

fn force_lazy_set<'r, H: Host<'r> + ?Sized>(host: &mut H, set: Value<'r>) -> OpResult<Value<'r>> {
    let explicit = explicit_set(host, set)?;
    force(host, explicit)
}

/// Forces all items. This does not change the position of an element among others, because its meaning stays.
fn force_items<'r, H: Host<'r> + ?Sized>(host: &mut H, items: Items<'r>) -> OpResult<ValueVec<'r>> {
    check_room(host, items.len())?;
    let mut vec = ValueVec::with_capacity(host.region(), items.len());
    for item in items {
        host.count_work()?;
        vec.push(force(host, item)?);
    }
    Ok(vec)
}

#[cold]
fn not_storable(value: Value<'_>) -> Box<OpError> {
    Box::new(OpError::NotStorable { value: print_raw(value) })
}
