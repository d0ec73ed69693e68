//! Making lazy values explicit.

use crate::{Host, OpResult, Value};

/// The value with everything in it explicit and in normal form. Refused for infinite sets.
pub fn force<'r, H: Host<'r> + ?Sized>(host: &mut H, value: Value<'r>) -> OpResult<Value<'r>> {
    let _ = (host, value);
    crate::later()
}

/// The set in the form `{e1, ..., en}`, in normal form. Remembered in a lazy set.
pub fn explicit_set<'r, H: Host<'r> + ?Sized>(host: &mut H, set: Value<'r>) -> OpResult<Value<'r>> {
    let _ = (host, set);
    crate::later()
}

/// The function as a graph. Remembered in a lazy function.
pub fn explicit_function<'r, H: Host<'r> + ?Sized>(host: &mut H, f: Value<'r>) -> OpResult<Value<'r>> {
    let _ = (host, f);
    crate::later()
}

/// Is it known to be explicit and in normal form, with all that is inside?
pub fn is_explicit(value: Value<'_>) -> bool {
    value.is_ground()
}
