//! Integers: never wrapped, of any size.

use std::cmp::Ordering;

use crate::{Host, OpResult, Value};

macro_rules! stub {
    ($($(#[$doc:meta])* $name:ident),*) => {$(
        $(#[$doc])*
        pub fn $name<'r, H: Host<'r> + ?Sized>(host: &mut H, left: Value<'r>, right: Value<'r>) -> OpResult<Value<'r>> {
            let _ = (host, left, right);
            crate::later()
        }
    )*};
}

stub! {
    /// `left + right`
    add,
    /// `left - right`
    subtract,
    /// `left * right`
    multiply,
    /// `left \div right`, towards minus infinity.
    divide,
    /// `left % right`; the divisor must be positive, the result is never negative.
    modulo,
    /// `left ^ right`; the exponent must not be negative, and `0 ^ 0` has no value.
    power,
    /// `left..right`
    interval
}

/// `-operand`
pub fn negate<'r, H: Host<'r> + ?Sized>(host: &mut H, operand: Value<'r>) -> OpResult<Value<'r>> {
    let _ = (host, operand);
    crate::later()
}

/// For `<`, `\leq`, `>`, `\geq`; `op` is the operator as messages name it.
pub fn compare_ints<'r>(op: &'static str, left: Value<'r>, right: Value<'r>) -> OpResult<Ordering> {
    let _ = (op, left, right);
    crate::later()
}
