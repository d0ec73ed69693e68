//! Making sets out of sets: eager where TLC is eager, lazy where it is lazy (contract 3.7).

use crate::mem::ObjectKind;
use crate::{Closure, Host, OpResult, Shape, Value};

/// Is the set given by its elements, or an interval? Then filters and functions over it are evaluated at once.
pub fn is_eager(set: Value<'_>) -> bool {
    set.object().is_some_and(|object| matches!(object.kind(), ObjectKind::Set | ObjectKind::Interval))
}

/// `left \cup right`. The left set itself when it has all elements of the right one.
pub fn cup<'r, H: Host<'r> + ?Sized>(host: &mut H, left: Value<'r>, right: Value<'r>) -> OpResult<Value<'r>> {
    let _ = (host, left, right);
    crate::later()
}

/// `left \cap right`
pub fn cap<'r, H: Host<'r> + ?Sized>(host: &mut H, left: Value<'r>, right: Value<'r>) -> OpResult<Value<'r>> {
    let _ = (host, left, right);
    crate::later()
}

/// `left \ right`. The left set itself when it loses nothing.
pub fn difference<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    left: Value<'r>,
    right: Value<'r>,
) -> OpResult<Value<'r>> {
    let _ = (host, left, right);
    crate::later()
}

/// `UNION set`
pub fn union<'r, H: Host<'r> + ?Sized>(host: &mut H, set: Value<'r>) -> OpResult<Value<'r>> {
    let _ = (host, set);
    crate::later()
}

/// `SUBSET set`
pub fn powerset<'r, H: Host<'r> + ?Sized>(host: &mut H, set: Value<'r>) -> Value<'r> {
    host.region().lazy_set(ObjectKind::Powerset, &[set])
}

/// The subsets of `set` with `size` elements.
pub fn k_subsets<'r, H: Host<'r> + ?Sized>(host: &mut H, size: u32, set: Value<'r>) -> Value<'r> {
    host.region().lazy_set(ObjectKind::KSubsets, &[set, Value::from_int(i64::from(size))])
}

/// `[domain -> range]`
pub fn function_set<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    domain: Value<'r>,
    range: Value<'r>,
) -> Value<'r> {
    host.region().lazy_set(ObjectKind::FunctionSet, &[domain, range])
}

/// `[f1 : S1, ..., fn : Sn]`, the sets in the order of the shape's fields.
pub fn record_set<'r, H: Host<'r> + ?Sized>(host: &mut H, shape: Shape, sets: &[Value<'r>]) -> Value<'r> {
    host.region().record_set(shape, sets)
}

/// `S1 \X ... \X Sn`
pub fn product<'r, H: Host<'r> + ?Sized>(host: &mut H, sets: &[Value<'r>]) -> Value<'r> {
    host.region().lazy_set(ObjectKind::Product, sets)
}

/// `Seq(set)`
pub fn sequences<'r, H: Host<'r> + ?Sized>(host: &mut H, set: Value<'r>) -> Value<'r> {
    host.region().lazy_set(ObjectKind::Sequences, &[set])
}

/// `{x \in set : closure}` for a set that is not eager; the evaluator filters eager ones itself.
pub fn filter<'r, H: Host<'r> + ?Sized>(host: &mut H, set: Value<'r>, closure: Closure<'r>) -> Value<'r> {
    host.region().filter(set, closure)
}
