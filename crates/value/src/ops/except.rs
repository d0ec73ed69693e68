//! `[f EXCEPT ![a][b].c = e]`, one clause at a time.

use base::with_stack;

use super::apply::position;
use super::{select, with_value, wrong_kind};
use crate::mem::{Object, ObjectKind};
use crate::{Host, Items, OpResult, Value, ValueVec, view};

/// The result of a clause.
#[derive(Clone, Copy, Debug)]
pub enum Excepted<'r> {
    /// The new function. It is the same object if the value at the path is the same.
    Changed(Value<'r>),
    /// The path leads outside the domain: TLC warns and leaves the function unchanged.
    OutsideDomain,
}

/// Returns the function `f` with the value at `path` replaced by the result of `new` for the old one (`@`).
#[inline]
pub fn except<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    f: Value<'r>,
    path: &[Value<'r>],
    new: impl FnOnce(&mut H, Value<'r>) -> OpResult<Value<'r>>,
) -> OpResult<Excepted<'r>> {
    let mut new = Some(new);
    let mut new = |host: &mut H, old| (new.take().expect("a path has one end"))(host, old);
    Ok(match except_at(host, f, path, &mut new)? {
        Some(changed) => Excepted::Changed(changed),
        None => Excepted::OutsideDomain,
    })
}

type MakeNew<'a, 'r, H> = &'a mut dyn FnMut(&mut H, Value<'r>) -> OpResult<Value<'r>>;

fn except_at<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    f: Value<'r>,
    path: &[Value<'r>],
    new: MakeNew<'_, 'r, H>,
) -> OpResult<Option<Value<'r>>> {
    let [key, rest @ ..] = path else { return new(host, f).map(Some) };
    let Some(object) = f.object().filter(|object| object.kind().function_kind().is_some()) else {
        return Err(wrong_kind("EXCEPT", "a function", f));
    };
    if object.kind() == ObjectKind::LazyFunction {
        return with_stack(|| except_lazy(host, f, object, (*key, rest), new));
    }
    let Some(index) = position(host, f, object, *key)? else { return Ok(None) };
    let old = object.items().get(index);
    let Some(changed) = except_at(host, old, rest, new)? else { return Ok(None) };
    if changed.is_same(old) {
        return Ok(Some(f));
    }
    Ok(Some(with_value(host.region(), f, index, changed)))
}

/// Changes a lazy function. The new value is kept beside the closure, so that the function stays lazy.
// Six values: the caller has taken object and key out of what it was given.
fn except_lazy<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    f: Value<'r>,
    object: Object<'r>,
    (key, rest): (Value<'r>, &[Value<'r>]),
    new: MakeNew<'_, 'r, H>,
) -> OpResult<Option<Value<'r>>> {
    if let Some(explicit) = object.explicit_form() {
        let path: Vec<Value<'r>> = std::iter::once(key).chain(rest.iter().copied()).collect();
        return except_at(host, explicit, &path, new);
    }
    let Some(old) = select(host, f, key)? else { return Ok(None) };
    let Some(changed) = except_at(host, old, rest, new)? else { return Ok(None) };
    let before = object.overrides().and_then(Value::as_sequence).unwrap_or(Items::EMPTY);
    let mut overrides = ValueVec::with_capacity(host.region(), before.len() + 2);
    overrides.extend(before.iter().chain([key, changed]));
    let overrides = overrides.into_sequence();
    let domain = object.items().get(0);
    Ok(Some(host.region().lazy_function(domain, view::closure(object), Some(overrides))))
}
