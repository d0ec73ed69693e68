//! Constants: values that live for ever and that every worker may read.

use crate::{Host, OpResult, Value};

/// A value that never changes and never goes away. What the evaluator keeps in its code.
#[derive(Clone, Copy)]
pub struct Constant(Value<'static>);

impl Constant {
    /// A copy of `value` that lives for ever. Explicit values are interned among the shared ones; sets are put
    /// into normal form first, which may be refused; lazy values stay lazy, captured values are kept with them.
    pub fn new<'r, H: Host<'r> + ?Sized>(host: &mut H, value: Value<'r>) -> OpResult<Constant> {
        let _ = (host, value);
        crate::later()
    }

    /// A value that is interned among the shared ones already, or needs no memory.
    pub fn from_static(value: Value<'static>) -> Option<Constant> {
        (value.is_interned() || !value.is_object()).then_some(Constant(value))
    }

    #[inline]
    pub fn get(self) -> Value<'static> {
        self.0
    }
}
