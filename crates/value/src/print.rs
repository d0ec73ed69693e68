//! Values as text, as TLC prints them.

use crate::{Host, OpResult, Value};

/// The value on one line, as TLC prints it (contract 2.4). Lazy sets are shown expanded when they are small,
/// otherwise by their form. Refused when a set that must be put into normal form cannot be.
pub fn print<'r, H: Host<'r> + ?Sized>(host: &mut H, value: Value<'r>) -> OpResult<String> {
    let _ = (host, value);
    crate::later()
}

/// The value over several lines of at most `width` columns where that can be, as TLC breaks them.
pub fn pretty<'r, H: Host<'r> + ?Sized>(host: &mut H, value: Value<'r>, width: usize) -> OpResult<String> {
    let _ = (host, value, width);
    crate::later()
}

/// The value as it stands, without evaluating anything: for messages and for debugging.
pub fn print_raw(value: Value<'_>) -> String {
    let _ = value;
    crate::later()
}
