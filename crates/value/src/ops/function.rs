//! Making functions. Whatever their origin, functions with one graph have one form.

use crate::{Closure, Host, OpResult, Shape, Value, ValueVec};

/// The function that maps the elements of `domain`, in normal order, to `values`. Panics if there are not as
/// many; `domain` is a set `{...}` in normal form or an interval.
pub fn function<'r>(domain: Value<'r>, values: ValueVec<'r>) -> Value<'r> {
    let _ = (domain, values);
    crate::later()
}

/// The function with these keys and values in turn. Of equal keys the first wins.
pub fn function_from_pairs<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    pairs: &[(Value<'r>, Value<'r>)],
) -> OpResult<Value<'r>> {
    let _ = (host, pairs);
    crate::later()
}

/// A record, the values in the order of the shape's fields.
pub fn record<'r, H: Host<'r> + ?Sized>(host: &mut H, shape: Shape, values: &[Value<'r>]) -> Value<'r> {
    host.region().record(shape, values)
}

/// `[x \in domain |-> closure]`, to be evaluated when it is applied.
pub fn lazy_function<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    domain: Value<'r>,
    closure: Closure<'r>,
) -> Value<'r> {
    host.region().lazy_function(domain, closure, None)
}

/// `f @@ g`: f wins.
pub fn merge<'r, H: Host<'r> + ?Sized>(host: &mut H, f: Value<'r>, g: Value<'r>) -> OpResult<Value<'r>> {
    let _ = (host, f, g);
    crate::later()
}

/// `key :> value`
pub fn pair<'r, H: Host<'r> + ?Sized>(host: &mut H, key: Value<'r>, value: Value<'r>) -> OpResult<Value<'r>> {
    let _ = (host, key, value);
    crate::later()
}
