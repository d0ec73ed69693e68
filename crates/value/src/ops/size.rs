//! How many elements a set has.

use crate::{Host, OpResult, Value};

/// `Cardinality(set)`: exact, of any size where it can be computed without enumerating.
pub fn cardinality<'r, H: Host<'r> + ?Sized>(host: &mut H, set: Value<'r>) -> OpResult<Value<'r>> {
    let _ = (host, set);
    crate::later()
}

/// `IsFiniteSet(set)`
pub fn is_finite<'r, H: Host<'r> + ?Sized>(host: &mut H, set: Value<'r>) -> OpResult<bool> {
    let _ = (host, set);
    crate::later()
}

/// `set = {}` without an error for infinite sets.
pub fn is_empty<'r, H: Host<'r> + ?Sized>(host: &mut H, set: Value<'r>) -> OpResult<bool> {
    let _ = (host, set);
    crate::later()
}
