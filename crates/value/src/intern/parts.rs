//! The parts of a value when it is interned: one form for each meaning.

use std::cell::RefCell;

use base::with_stack;

use super::{Full, Interner, hash};
use crate::mem::{IdBits, Object, ObjectKind, Parts, encode_inline};
use crate::ops::{KeyLevels, build_tree, is_large, level};
use crate::{Items, Value, ValueId};

/// Number of integers without a gap from which on a set is stored as an interval. Shorter intervals are stored as sets.
pub(crate) const INTERVAL_MIN: i64 = 4;

pub(super) fn find(interner: &Interner, value: Value<'_>) -> Option<IdBits> {
    with_slots(|slots| id_of(&mut PartsFinder(interner), value, slots)).ok()
}

pub(super) fn intern(interner: &Interner, value: Value<'_>) -> Result<IdBits, Full> {
    with_slots(|slots| id_of(&mut PartsAdder(interner), value, slots))
}

/// Lends a stack of slots that is kept from call to call.
pub(super) fn with_slots<R>(body: impl FnOnce(&mut Vec<u32>) -> R) -> R {
    thread_local! {
        static SLOTS: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
    }
    SLOTS.with(|slots| match slots.try_borrow_mut() {
        Ok(mut slots) => body(&mut slots),
        Err(_) => body(&mut Vec::new()),
    })
}

/// The treatment of parts: look them up, or add them too.
trait Visit {
    type Missing;
    fn interner(&self) -> &Interner;
    fn resolve(&mut self, parts: Parts<'_>) -> Result<IdBits, Self::Missing>;
    /// Resolves the parts of a sequence that similar sequences will extend.
    fn resolve_growing(&mut self, parts: Parts<'_>) -> Result<IdBits, Self::Missing> {
        self.resolve(parts)
    }
}

struct PartsFinder<'a>(&'a Interner);

impl Visit for PartsFinder<'_> {
    type Missing = ();
    fn interner(&self) -> &Interner {
        self.0
    }
    #[inline]
    fn resolve(&mut self, parts: Parts<'_>) -> Result<IdBits, ()> {
        self.0.find_parts(hash(parts), parts).ok_or(())
    }
}

struct PartsAdder<'a>(&'a Interner);

impl Visit for PartsAdder<'_> {
    type Missing = Full;
    fn interner(&self) -> &Interner {
        self.0
    }
    fn resolve(&mut self, parts: Parts<'_>) -> Result<IdBits, Full> {
        self.0.intern_parts(hash(parts), parts)
    }
    fn resolve_growing(&mut self, parts: Parts<'_>) -> Result<IdBits, Full> {
        self.0.intern_growing(parts.slots)
    }
}

/// Returns the id of a value; `slots` is used as a stack and left as it was.
#[inline]
fn id_of<V: Visit>(visit: &mut V, value: Value<'_>, slots: &mut Vec<u32>) -> Result<IdBits, V::Missing> {
    if let Some(id) = visit.interner().arena.encode(value) {
        return Ok(id);
    }
    match value.object() {
        Some(object) => object_id(visit, object, slots),
        None => {
            let int = value.as_small().expect("all other values in a word are values in an id");
            int_id(visit, int)
        }
    }
}

fn int_id<V: Visit>(visit: &mut V, int: i64) -> Result<IdBits, V::Missing> {
    let digits = [int.unsigned_abs() as u32, (int.unsigned_abs() >> 32) as u32];
    let digits = if digits[1] == 0 { &digits[..1] } else { &digits[..] };
    digits_id(visit, digits, int < 0)
}

fn digits_id<V: Visit>(visit: &mut V, digits: &[u32], negative: bool) -> Result<IdBits, V::Missing> {
    visit.resolve(Parts { negative, ..flat(ObjectKind::BigInt, digits.len(), digits) })
}

fn object_id<V: Visit>(
    visit: &mut V,
    object: Object<'_>,
    slots: &mut Vec<u32>,
) -> Result<IdBits, V::Missing> {
    let number = visit.interner().arena.number();
    if let Some(id) = object.cached_id(number) {
        return Ok(id);
    }
    let id = with_stack(|| new_object_id(visit, object, slots))?;
    object.set_cached_id(number, id);
    Ok(id)
}

fn new_object_id<V: Visit>(
    visit: &mut V,
    object: Object<'_>,
    slots: &mut Vec<u32>,
) -> Result<IdBits, V::Missing> {
    let start = slots.len();
    let result = resolve_object(visit, object, slots);
    slots.truncate(start);
    result
}

fn resolve_object<V: Visit>(
    visit: &mut V,
    object: Object<'_>,
    slots: &mut Vec<u32>,
) -> Result<IdBits, V::Missing> {
    let start = slots.len();
    let kind = object.kind();
    match kind {
        ObjectKind::BigInt => return digits_id(visit, object.digits(), object.is_negative()),
        ObjectKind::Interval => return interval_id(visit, object.bounds(), slots),
        ObjectKind::Set => {
            if let Some(bounds) = as_gapless(object.items()) {
                return interval_id(visit, bounds, slots);
            }
        }
        ObjectKind::Record => slots.push(object.shape().bits()),
        ObjectKind::Function => push_id(visit, object.domain(), slots)?,
        ObjectKind::Sequence => {}
        ObjectKind::LazyFunction | ObjectKind::Powerset | ObjectKind::KSubsets | ObjectKind::FunctionSet => {
            not_ground(kind)
        }
        ObjectKind::RecordSet | ObjectKind::Product | ObjectKind::Filter | ObjectKind::Cup => {
            not_ground(kind)
        }
        ObjectKind::Cap | ObjectKind::Difference | ObjectKind::Union | ObjectKind::Sequences => {
            not_ground(kind)
        }
    }
    if is_large(object.len()) && matches!(kind, ObjectKind::Set | ObjectKind::Function) {
        return resolve_large(visit, object, start, slots);
    }
    push_items(visit, object, slots)?;
    let parts = flat(kind, object.len(), &slots[start..]);
    match object.is_growing() {
        true => visit.resolve_growing(parts),
        false => visit.resolve(parts),
    }
}

#[inline]
fn push_items<V: Visit>(visit: &mut V, object: Object<'_>, slots: &mut Vec<u32>) -> Result<(), V::Missing> {
    slots.reserve(object.len());
    object.items().try_each(|item| {
        match visit.interner().arena.encode(item) {
            Some(id) => slots.push(id.bits()),
            None => push_id(visit, item, slots)?,
        }
        Ok(())
    })
}

/// Resolves a set or function that is kept in a tree, whose prefix starts at `start`.
#[cold]
#[inline(never)]
fn resolve_large<V: Visit>(
    visit: &mut V,
    object: Object<'_>,
    start: usize,
    slots: &mut Vec<u32>,
) -> Result<IdBits, V::Missing> {
    let kind = object.kind();
    if let Some(tree) = object.as_tree() {
        push_id(visit, tree.root, slots)?;
        slots.push(inline(tree.height.into()));
        let parts = in_tree(kind, object.len(), &slots[start..]);
        return visit.resolve(Parts { are_counts: object.has_counts(), ..parts });
    }
    let n_before = slots.len() - start;
    push_items(visit, object, slots)?;
    let items = object.items();
    let keys = (kind == ObjectKind::Function).then(|| KeyLevels::of(object.domain()));
    let level_at = |index| match &keys {
        Some(keys) => keys.at(index),
        None => level(items.get(index)),
    };
    tree_id(visit, kind, slots[start..].split_at(n_before), level_at)
}

fn flat(kind: ObjectKind, len: usize, slots: &[u32]) -> Parts<'_> {
    Parts { kind, negative: false, is_tree: false, are_counts: false, len: len as u32, slots }
}

fn in_tree(kind: ObjectKind, len: usize, slots: &[u32]) -> Parts<'_> {
    Parts { is_tree: true, ..flat(kind, len, slots) }
}

fn inline(number: u32) -> u32 {
    let id = encode_inline(Value::from_int(number.into()));
    id.expect("lengths and heights are small").bits()
}

/// Returns the id of the set of these items, or of the function that has them on the domain that is the prefix.
fn tree_id<V: Visit>(
    visit: &mut V,
    kind: ObjectKind,
    (prefix, items): (&[u32], &[u32]),
    level_at: impl Fn(usize) -> u8,
) -> Result<IdBits, V::Missing> {
    let make =
        |parts: &[u32]| visit.resolve(flat(ObjectKind::Sequence, parts.len(), parts)).map(IdBits::bits);
    let (root, height) = build_tree(items, level_at, inline, make)?;
    let slots: Vec<u32> = prefix.iter().copied().chain([root, inline(height.into())]).collect();
    visit.resolve(in_tree(kind, items.len(), &slots))
}

/// Interns the function with these values on a large domain.
pub(super) fn function_in_tree(
    interner: &Interner,
    domain: IdBits,
    values: &[ValueId],
) -> Result<IdBits, Full> {
    let keys =
        KeyLevels::of(interner.arena.value(domain).expect("the domain of a function of this interner"));
    let items: Vec<u32> = values.iter().map(|value| value.bits()).collect();
    let prefix = [domain.bits()];
    tree_id(&mut PartsAdder(interner), ObjectKind::Function, (&prefix, &items), |index| keys.at(index))
}

fn not_ground(kind: ObjectKind) {
    unreachable!("{kind:?} is not explicit");
}

#[inline]
fn push_id<V: Visit>(visit: &mut V, value: Value<'_>, slots: &mut Vec<u32>) -> Result<(), V::Missing> {
    let id = id_of(visit, value, slots)?;
    slots.push(id.bits());
    Ok(())
}

/// Returns first and last, if these sorted elements are enough integers without a gap.
fn as_gapless(items: Items<'_>) -> Option<(i64, i64)> {
    let n = items.len() as i64;
    if n < INTERVAL_MIN {
        return None;
    }
    let (first, last) = (items.get(0).as_i64()?, items.get(items.len() - 1).as_i64()?);
    (last.checked_sub(first)? + 1 == n && Value::opt_int(first).is_some() && Value::opt_int(last).is_some())
        .then_some((first, last))
}

fn interval_id<V: Visit>(
    visit: &mut V,
    (first, last): (i64, i64),
    slots: &mut Vec<u32>,
) -> Result<IdBits, V::Missing> {
    if last - first + 1 >= INTERVAL_MIN {
        let halves = [first as u32, (first >> 32) as u32, last as u32, (last >> 32) as u32];
        return visit.resolve(flat(ObjectKind::Interval, 0, &halves));
    }
    let start = slots.len();
    for int in first..=last {
        push_id(visit, Value::from_int(int), slots)?;
    }
    let len = slots.len() - start;
    visit.resolve(flat(ObjectKind::Set, len, &slots[start..]))
}
