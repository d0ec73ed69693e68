//! Equality and the normal order. Both refuse what TLC refuses (contract 3.6).

use std::cmp::Ordering;

use crate::{Host, OpResult, Value};

/// `left = right`
pub fn equal<'r, H: Host<'r> + ?Sized>(host: &mut H, left: Value<'r>, right: Value<'r>) -> OpResult<bool> {
    let _ = (host, left, right);
    crate::later()
}

/// The place of `left` before or after `right` in the normal order.
pub fn compare<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    left: Value<'r>,
    right: Value<'r>,
) -> OpResult<Ordering> {
    let _ = (host, left, right);
    crate::later()
}
