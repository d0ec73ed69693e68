//! `\in` and `\subseteq`.

use crate::{Host, OpResult, Value};

/// `element \in set`
pub fn member<'r, H: Host<'r> + ?Sized>(host: &mut H, element: Value<'r>, set: Value<'r>) -> OpResult<bool> {
    let _ = (host, element, set);
    crate::later()
}

/// `left \subseteq right`
pub fn is_subset<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    left: Value<'r>,
    right: Value<'r>,
) -> OpResult<bool> {
    let _ = (host, left, right);
    crate::later()
}
