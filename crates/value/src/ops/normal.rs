//! Putting sets into normal form.

use crate::{Host, OpResult, Value};

/// Sorts the elements of a set `{...}` in place and removes duplicates. Other values are left as they are.
pub fn normalize<'r, H: Host<'r> + ?Sized>(host: &mut H, value: Value<'r>) -> OpResult<()> {
    let _ = (host, value);
    crate::later()
}
