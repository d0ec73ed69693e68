//! Enumerating a set. Two orders: the set's own, and the normal order.

use crate::{Host, OpResult, Value};

/// The elements of a set, one after the other; made by [`elements`] or [`elements_normal`].
pub struct Elements<'r> {
    value: Value<'r>,
}

impl<'r> Elements<'r> {
    /// The next element, `None` at the end.
    pub fn next<H: Host<'r> + ?Sized>(&mut self, host: &mut H) -> OpResult<Option<Value<'r>>> {
        let _ = (host, self.value);
        crate::later()
    }
}

/// The elements in the set's own order, as TLC has it for `x' \in S`: lazy unions may give an element twice.
pub fn elements<'r, H: Host<'r> + ?Sized>(host: &mut H, set: Value<'r>) -> OpResult<Elements<'r>> {
    let _ = (host, set);
    crate::later()
}

/// The elements in normal order, each once, as TLC has it for `CHOOSE`, quantifiers, `{e : x \in S}` and functions.
/// Large sets of functions, records, tuples and subsets are not made explicit for it.
pub fn elements_normal<'r, H: Host<'r> + ?Sized>(host: &mut H, set: Value<'r>) -> OpResult<Elements<'r>> {
    let _ = (host, set);
    crate::later()
}
