//! The operators of `Sequences`. Strings have some of them.

use crate::{Host, Items, OpResult, Value};

/// The elements, if the value is a sequence or a lazy function on `1..n`.
pub fn as_sequence<'r, H: Host<'r> + ?Sized>(host: &mut H, value: Value<'r>) -> OpResult<Option<Items<'r>>> {
    let _ = (host, value);
    crate::later()
}

/// `Len(sequence)`; strings too.
pub fn len<'r, H: Host<'r> + ?Sized>(host: &mut H, sequence: Value<'r>) -> OpResult<Value<'r>> {
    let _ = (host, sequence);
    crate::later()
}

/// `Head(sequence)`. TLC: an error on `<<>>`, not an arbitrary value.
pub fn head<'r, H: Host<'r> + ?Sized>(host: &mut H, sequence: Value<'r>) -> OpResult<Value<'r>> {
    let _ = (host, sequence);
    crate::later()
}

/// `Tail(sequence)`; strings too.
pub fn tail<'r, H: Host<'r> + ?Sized>(host: &mut H, sequence: Value<'r>) -> OpResult<Value<'r>> {
    let _ = (host, sequence);
    crate::later()
}

/// `Append(sequence, element)`
pub fn append<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    sequence: Value<'r>,
    element: Value<'r>,
) -> OpResult<Value<'r>> {
    let _ = (host, sequence, element);
    crate::later()
}

/// `left \o right`; two strings too.
pub fn concat<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    left: Value<'r>,
    right: Value<'r>,
) -> OpResult<Value<'r>> {
    let _ = (host, left, right);
    crate::later()
}

/// `SubSeq(sequence, from, to)`; strings too.
pub fn sub_seq<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    sequence: Value<'r>,
    from: Value<'r>,
    to: Value<'r>,
) -> OpResult<Value<'r>> {
    let _ = (host, sequence, from, to);
    crate::later()
}
