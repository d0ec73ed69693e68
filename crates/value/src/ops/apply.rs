//! `f[e]`, `r.f`, `DOMAIN f`.

use crate::{Atom, Host, OpResult, Value};

/// `f[argument]`. Outside the domain: an error.
pub fn apply<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    f: Value<'r>,
    argument: Value<'r>,
) -> OpResult<Value<'r>> {
    let _ = (host, f, argument);
    crate::later()
}

/// `f[e1, ..., en]`: `f[<<e1, ..., en>>]`, which sequences and records refuse.
pub fn apply_many<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    f: Value<'r>,
    arguments: &[Value<'r>],
) -> OpResult<Value<'r>> {
    let _ = (host, f, arguments);
    crate::later()
}

/// `f[argument]`, or `None` outside the domain.
pub fn select<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    f: Value<'r>,
    argument: Value<'r>,
) -> OpResult<Option<Value<'r>>> {
    let _ = (host, f, argument);
    crate::later()
}

/// `r.f`, also for a function whose domain has the string.
pub fn field<'r, H: Host<'r> + ?Sized>(host: &mut H, record: Value<'r>, field: Atom) -> OpResult<Value<'r>> {
    let _ = (host, record, field);
    crate::later()
}

/// `DOMAIN f`
pub fn domain<'r, H: Host<'r> + ?Sized>(host: &mut H, f: Value<'r>) -> OpResult<Value<'r>> {
    let _ = (host, f);
    crate::later()
}
