//! Constants: values that live forever and that every worker may read.
#![expect(unsafe_code, reason = "says that what never changes may be sent to other threads")]

use std::fmt;
use std::sync::{Mutex, PoisonError};

use base::with_stack;

use crate::mem::ObjectKind;
use crate::view::View;
use crate::{
    Atom, Closure, Ground, Host, Interner, Items, OpError, OpResult, Region, Value, ValueId, ValueVec, ops,
};

/// A value that never changes and never goes away. The evaluator keeps these in its code.
#[derive(Clone, Copy)]
pub struct Constant(Value<'static>);

// SAFETY: the value is in a word, interned among the shared ones, or in the frozen region of constants, all of
// which are never written again, except that a lazy value gets its explicit form by an atomic store; and so is
// everything that it refers to.
unsafe impl Send for Constant {}
// SAFETY: the same holds for shared references.
unsafe impl Sync for Constant {}

/// The region of constants. Values are copied into it under the lock, and it is never reset or dropped.
static STORE: Mutex<Option<&'static FrozenRegion>> = Mutex::new(None);

struct FrozenRegion(Region);

// SAFETY: the region is used only by the thread that holds the lock of `STORE`.
unsafe impl Sync for FrozenRegion {}

impl Constant {
    /// Makes a copy of `value` that lives forever. Explicit values are interned among the shared ones. Sets are put
    /// into normal form first, which may be refused. Lazy values stay lazy, and their captured values are kept with
    /// them.
    pub fn new<'r, H: Host<'r> + ?Sized>(host: &mut H, value: Value<'r>) -> OpResult<Constant> {
        normalize_deeply(host, value)?;
        let mut store = STORE.lock().unwrap_or_else(PoisonError::into_inner);
        let region = store.get_or_insert_with(|| Box::leak(Box::new(FrozenRegion(Region::new_frozen()))));
        copy(&region.0, value).map(Constant)
    }

    /// Makes a constant of a value that needs no memory: a boolean, an atom, a small integer, or an infinite set with a
    /// name.
    pub fn opt_inline(value: Value<'_>) -> Option<Constant> {
        value.as_inline().map(Constant)
    }

    /// Returns the value with this id among the shared ones.
    pub fn from_id(id: ValueId) -> Constant {
        Constant(Interner::shared().value(id))
    }

    /// Makes the set of these strings, which are in normal order.
    pub(crate) fn strings(strings: &[Atom]) -> Constant {
        let region = Region::new();
        let strings: Vec<Value<'_>> = strings.iter().map(|&string| Value::atom(string)).collect();
        let set = Ground::opt(region.set(&strings)).expect("a set of strings is explicit");
        Constant::from_id(Interner::shared().intern(set).expect("room for the few record shapes of a spec"))
    }

    #[inline]
    pub fn get(self) -> Value<'static> {
        self.0
    }
}

impl fmt::Debug for Constant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Puts all sets inside into normal form, so that no part of the value needs to be written later.
fn normalize_deeply<'r, H: Host<'r> + ?Sized>(host: &mut H, value: Value<'r>) -> OpResult<()> {
    let Some(object) = value.object().filter(|object| !object.is_ground()) else { return Ok(()) };
    ops::normalize(host, value)?;
    let domain = value.as_function().map(|(domain, _)| domain);
    let overrides = (object.kind() == ObjectKind::LazyFunction).then(|| object.overrides()).flatten();
    for part in object.items().iter().chain(domain).chain(overrides) {
        with_stack(|| normalize_deeply(host, part))?;
    }
    Ok(())
}

fn copy(region: &'static Region, value: Value<'_>) -> OpResult<Value<'static>> {
    if let Some(value) = value.as_inline() {
        return Ok(value);
    }
    if let Some((first, last)) = value.as_interval() {
        return Ok(region.interval(first, last));
    }
    if let Some(ground) = Ground::opt(value) {
        let id = Interner::shared().intern(ground).map_err(|_| Box::new(OpError::Full))?;
        return Ok(Interner::shared().value(id));
    }
    with_stack(|| copy_object(region, value))
}

fn copy_object(region: &'static Region, value: Value<'_>) -> OpResult<Value<'static>> {
    let object = value.object().expect("all other values are in a word");
    let kind = object.kind();
    let items = copy_items(region, object.items())?;
    Ok(match value.view() {
        View::Sequence(_) => items.into_sequence(),
        View::Record(shape, _) => items.into_record(shape),
        View::Function(domain, _) => items.into_function(copy(region, domain)?),
        View::Set { .. } => items.into_normal_set(),
        View::RecordSet(shape, _) => region.record_set(shape, items.as_slice()),
        View::Filter(_, closure) => {
            let (set, closure) = copy_closure(items, closure);
            region.filter(set, closure)
        }
        View::LazyFunction { closure, .. } => {
            let overrides = object.overrides().map(|overrides| copy(region, overrides)).transpose()?;
            let (domain, closure) = copy_closure(items, closure);
            region.lazy_function(domain, closure, overrides)
        }
        View::Powerset(_) | View::KSubsets(..) | View::FunctionSet(..) | View::Product(_) | View::Cup(..) => {
            region.lazy_set(kind, items.as_slice())
        }
        View::Cap(..) | View::Difference(..) | View::Union(_) | View::Sequences(_) => {
            region.lazy_set(kind, items.as_slice())
        }
        View::Bool(_) | View::Int(_) | View::BigInt(_) | View::String(_) | View::ModelValue(_) => {
            unreachable!("{value:?} is explicit")
        }
        View::Interval(..) | View::Naturals | View::Integers | View::Reals => {
            unreachable!("{value:?} is copied above")
        }
        View::Strings | View::Anything => unreachable!("{value:?} is in a word"),
    })
}

fn copy_items(region: &'static Region, items: Items<'_>) -> OpResult<ValueVec<'static>> {
    let mut vec = ValueVec::with_capacity(region, items.len());
    for item in items {
        vec.push(copy(region, item)?);
    }
    Ok(vec)
}

/// Returns the set of a filter or lazy function, and its closure, from their copied children.
fn copy_closure(items: ValueVec<'static>, closure: Closure<'_>) -> (Value<'static>, Closure<'static>) {
    let all = items.into_sequence().as_sequence().expect("just made");
    let captured = all.slice(1, all.len() - 1);
    (all.get(0), Closure { code: closure.code, flags: closure.flags, captured })
}

#[cfg(test)]
mod tests {
    use super::Constant;
    use crate::{Atoms, Closure, Items, Plain, Region, Value, ops};

    #[test]
    fn constants_outlive_their_region_and_cross_threads() {
        let atoms = Atoms::new();
        let constant = {
            let region = Region::new();
            let host = &mut Plain(&region);
            let mixed =
                region.set(&[region.sequence(&[Value::small(2)]), region.sequence(&[Value::small(1)])]);
            let cup = ops::cup(host, mixed, Value::STRING).unwrap();
            let lazy = ops::powerset(host, cup);
            let closure = Closure { code: 7, flags: 9, captured: Items::EMPTY };
            let filter = ops::filter(host, lazy, closure);
            let value =
                region.sequence(&[filter, mixed, Value::atom(atoms.declare("a")), region.interval(1, 9)]);
            Constant::new(host, value).unwrap()
        };
        let text = std::thread::spawn(move || format!("{constant:?}")).join().unwrap();
        assert_eq!(
            text,
            "<<{x \\in SUBSET {<<1>>, <<2>>} \\cup STRING : ...}, {<<1>>, <<2>>}, \"a\", 1..9>>"
        );
    }

    #[test]
    fn sets_that_have_no_normal_form_cannot_be_constants() {
        let region = Region::new();
        let atoms = Atoms::new();
        let set = region.set(&[Value::small(1), Value::atom(atoms.declare("a"))]);
        assert!(Constant::new(&mut Plain(&region), region.sequence(&[set])).is_err());
    }

    #[test]
    fn explicit_forms_of_lazy_constants_are_kept() {
        let region = Region::new();
        let host = &mut Plain(&region);
        let lazy = ops::powerset(host, region.interval(1, 3));
        let constant = Constant::new(host, lazy).unwrap();
        let first = ops::explicit_set(host, constant.get()).unwrap();
        let second = ops::explicit_set(host, constant.get()).unwrap();
        assert!(first.is_same(second) && first.is_interned());
    }
}
