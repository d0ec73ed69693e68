//! Makes sets out of sets: eager where TLC is eager, lazy where it is lazy (contract 3.7).

use std::cmp::Ordering;

use super::normal::search_items;
use super::tree::{self, is_large};
use super::{compare, explicit_set, member, normalize, wrong_kind};
use crate::mem::ObjectKind;
use crate::{Closure, Ground, Host, Items, OpResult, Shape, Value, ValueVec};

/// Whether the set is given by its elements, or is an interval. Then filters and functions over it are evaluated at
/// once.
#[inline]
pub fn is_eager(set: Value<'_>) -> bool {
    set.object().is_some_and(|object| matches!(object.kind(), ObjectKind::Set | ObjectKind::Interval))
}

/// Number of values that can be compared in the time of one lookup.
const FEW: usize = 16;

/// Number of integers from which on a set is shown as an interval. Fewer are not, when they are written out.
const INTERVAL_LONG: i64 = 4096;

fn needs_set(op: &'static str, value: Value<'_>) -> OpResult<()> {
    if value.is_set() { Ok(()) } else { Err(wrong_kind(op, "a set", value)) }
}

fn is_written_empty(set: Value<'_>) -> bool {
    set.as_normal_set().is_some_and(Items::is_empty)
}

/// Computes `left \cup right`. The result is the left set itself when it has all elements of the right one.
///
/// TLC: eager when both are; otherwise lazy, with an eager operand first. An operand that is added to nothing is not
/// examined.
pub fn cup<'r, H: Host<'r> + ?Sized>(host: &mut H, left: Value<'r>, right: Value<'r>) -> OpResult<Value<'r>> {
    let (first, second) = if is_eager(left) || !is_eager(right) { (left, right) } else { (right, left) };
    if is_written_empty(first) {
        return Ok(second);
    }
    needs_set("\\cup", left)?;
    needs_set("\\cup", right)?;
    if !is_eager(first) || !is_eager(second) {
        return Ok(host.region().lazy_set(ObjectKind::Cup, &[first, second]));
    }
    cup_eager(host, first, second)
}

fn cup_eager<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    left: Value<'r>,
    right: Value<'r>,
) -> OpResult<Value<'r>> {
    // TLC: the right set is enumerated, which puts it into normal form; the left one stays as it is.
    let others = items_of(host, right)?;
    if let Some(larger) = longer_interval(host, left, others) {
        return Ok(larger);
    }
    let left_set = if left.as_interval().is_some() { explicit_set(host, left)? } else { left };
    if others.is_empty() {
        return Ok(left_set);
    }
    match left_set.as_normal_set() {
        None => cup_unsorted(host, left_set, others),
        Some(items) if others.len() == 1 => insert(host, left_set, items, others.get(0)),
        Some(items)
            if are_few(others, items) && left_set.is_ground() && others.iter().all(Value::is_ground) =>
        {
            let mut all = Ok(left_set);
            for other in others {
                let items = |set: Value<'r>| set.as_normal_set().expect("a set in normal form stays so");
                all = all.and_then(|set| insert(host, set, items(set), other));
            }
            all.or_else(|_| cup_unsorted(host, left_set, others))
        }
        // Sets that cannot be merged are refused later, if at all: when the result is put into normal form.
        Some(items) => merge(host, items, others).or_else(|_| cup_unsorted(host, left_set, others)),
    }
}

/// Adds an integer at an end to a very long run of integers without a gap, as a stored state has it: the result is
/// stored the same way, and nothing is written out. Returns `None` for anything else.
fn longer_interval<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    left: Value<'r>,
    others: Items<'r>,
) -> Option<Value<'r>> {
    let (first, last) = left.as_interval().filter(|_| left.is_interned() && others.len() == 1)?;
    let int = others.get(0).as_small().filter(|_| last - first >= INTERVAL_LONG)?;
    let (first, last) = match int {
        _ if (first..=last).contains(&int) => return Some(left),
        _ if int == last + 1 => (first, int),
        _ if int == first - 1 => (int, last),
        _ => return None,
    };
    let interner = host.interner()?;
    let longer = Ground::opt(host.region().interval(first, last))?;
    // If there is no more room, the state cannot be stored either, and that is reported then.
    interner.intern(longer).ok().map(|id| interner.value(id))
}

fn items_of<'r, H: Host<'r> + ?Sized>(host: &mut H, set: Value<'r>) -> OpResult<Items<'r>> {
    let set = explicit_set(host, set)?;
    Ok(set.as_normal_set().expect("`explicit_set` gives a set in normal form"))
}

fn insert<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    set: Value<'r>,
    items: Items<'r>,
    element: Value<'r>,
) -> OpResult<Value<'r>> {
    let Err(place) = search_items(host, element, items)? else {
        return Ok(set);
    };
    if let Some(larger) = tree::with_element(host.region(), set, place, element) {
        return Ok(larger);
    }
    let mut vec = ValueVec::with_capacity(host.region(), items.len() + 1);
    vec.extend_range(items, 0..place);
    vec.push(element);
    vec.extend_range(items, place..items.len());
    Ok(vec.into_normal_set())
}

/// Whether there are so few others that it pays to look for each of them.
fn are_few(others: Items<'_>, items: Items<'_>) -> bool {
    is_large(items.len()) && others.len() < items.len() / FEW
}

fn merge<'r, H: Host<'r> + ?Sized>(host: &mut H, left: Items<'r>, right: Items<'r>) -> OpResult<Value<'r>> {
    let mut vec = ValueVec::with_capacity(host.region(), left.len() + right.len());
    let (mut i, mut j) = (0, 0);
    while i < left.len() && j < right.len() {
        let ordering = compare(host, left.get(i), right.get(j))?;
        vec.push(if ordering.is_le() { left.get(i) } else { right.get(j) });
        i += usize::from(ordering != Ordering::Greater);
        j += usize::from(ordering != Ordering::Less);
    }
    vec.extend_range(left, i..left.len());
    vec.extend_range(right, j..right.len());
    Ok(vec.into_normal_set())
}

fn cup_unsorted<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    left: Value<'r>,
    others: Items<'r>,
) -> OpResult<Value<'r>> {
    let items = left.object().expect("an explicit set is an object").items();
    let mut vec = ValueVec::with_capacity(host.region(), items.len() + others.len());
    vec.extend_items(items);
    for element in others {
        if !member(host, element, left)? {
            vec.push(element);
        }
    }
    Ok(vec.into_set())
}

/// Computes `left \cap right`. The result is the left set itself when it loses nothing.
///
/// TLC: eager when an operand is. Its elements are then looked up in the other, which may be anything if there are
/// none.
pub fn cap<'r, H: Host<'r> + ?Sized>(host: &mut H, left: Value<'r>, right: Value<'r>) -> OpResult<Value<'r>> {
    if is_written_empty(left) || is_written_empty(right) {
        return Ok(Value::empty_set());
    }
    needs_set("\\cap", left)?;
    needs_set("\\cap", right)?;
    match (is_eager(left), is_eager(right)) {
        (true, _) => sieve(host, left, right, true),
        (false, true) => sieve(host, right, left, true),
        (false, false) => Ok(host.region().lazy_set(ObjectKind::Cap, &[left, right])),
    }
}

/// Computes `left \ right`. The result is the left set itself when it loses nothing.
pub fn difference<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    left: Value<'r>,
    right: Value<'r>,
) -> OpResult<Value<'r>> {
    if is_written_empty(left) {
        return Ok(left);
    }
    needs_set("\\", left)?;
    needs_set("\\", right)?;
    if !is_eager(left) {
        return Ok(host.region().lazy_set(ObjectKind::Difference, &[left, right]));
    }
    if let (Some(items), Some(others)) = (left.as_normal_set(), right.as_normal_set())
        && others.len() == 1
    {
        return remove(host, left, items, others.get(0));
    }
    if let Some(fewer) = remove_few(host, left, right) {
        return Ok(fewer);
    }
    sieve(host, left, right, false)
}

/// Returns a large set without a few elements. Returns `None` if they are not few, or cannot be compared with the
/// others.
fn remove_few<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    left: Value<'r>,
    right: Value<'r>,
) -> Option<Value<'r>> {
    let is_written = right.object().is_some_and(|object| object.kind() == ObjectKind::Set);
    // A set that is not explicit would be copied for each.
    let is_written = is_written && left.is_ground();
    let items = left.as_normal_set().filter(|items| is_written && is_large(items.len()))?;
    normalize(host, right).ok()?;
    let others = right.as_normal_set().filter(|&others| are_few(others, items))?;
    let mut set = left;
    for other in others {
        set = remove(host, set, set.as_normal_set()?, other).ok()?;
    }
    Some(set)
}

fn remove<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    set: Value<'r>,
    items: Items<'r>,
    element: Value<'r>,
) -> OpResult<Value<'r>> {
    let Ok(place) = search_items(host, element, items)? else {
        return Ok(set);
    };
    if let Some(smaller) = tree::without_element(host.region(), set, place) {
        return Ok(smaller);
    }
    let mut vec = ValueVec::with_capacity(host.region(), items.len() - 1);
    vec.extend_range(items, 0..place);
    vec.extend_range(items, place + 1..items.len());
    Ok(vec.into_normal_set())
}

/// Returns the elements of `left`, in their present order, that are (or are not) in `other`.
fn sieve<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    left: Value<'r>,
    other: Value<'r>,
    keep: bool,
) -> OpResult<Value<'r>> {
    let explicit = if left.as_interval().is_some() { explicit_set(host, left)? } else { left };
    let object = explicit.object().expect("an explicit set is an object");
    let items = object.items();
    let mut vec = ValueVec::with_capacity(host.region(), items.len());
    for element in items {
        if member(host, element, other)? == keep {
            vec.push(element);
        }
    }
    match object.is_normal() {
        true if vec.len() == items.len() => Ok(explicit),
        true => Ok(vec.into_normal_set()),
        false => Ok(vec.into_set()),
    }
}

/// Computes `UNION set`. TLC: eager when the set and all its elements are written out.
pub fn union<'r, H: Host<'r> + ?Sized>(host: &mut H, set: Value<'r>) -> OpResult<Value<'r>> {
    needs_set("UNION", set)?;
    let is_written = |value: Value<'r>| value.object().filter(|object| object.kind() == ObjectKind::Set);
    let sets = match is_written(set).map(|object| object.items()) {
        Some(sets) if sets.iter().all(|set| is_written(set).is_some()) => sets,
        _ => return Ok(host.region().lazy_set(ObjectKind::Union, &[set])),
    };
    let mut vec = ValueVec::new(host.region());
    for part in sets.iter().filter_map(is_written) {
        vec.extend_items(part.items());
    }
    let all = vec.into_set();
    match normalize(host, all) {
        Ok(()) => Ok(all),
        Err(_) => union_unsorted(host, sets),
    }
}

/// Collects the elements in their present order, each compared with those before it.
fn union_unsorted<'r, H: Host<'r> + ?Sized>(host: &mut H, sets: Items<'r>) -> OpResult<Value<'r>> {
    let mut vec = ValueVec::new(host.region());
    for part in sets {
        'elements: for element in part.object().expect("an explicit set is an object").items() {
            for index in 0..vec.len() {
                if super::equal(host, vec.as_slice()[index], element)? {
                    continue 'elements;
                }
            }
            vec.push(element);
        }
    }
    Ok(vec.into_set())
}

/// Makes `SUBSET set`. Here and in the functions below, an operand that is not a set is noticed when the set is used,
/// as in TLC.
pub fn powerset<'r, H: Host<'r> + ?Sized>(host: &mut H, set: Value<'r>) -> Value<'r> {
    host.region().lazy_set(ObjectKind::Powerset, &[set])
}

/// Makes the set of the subsets of `set` with `size` elements.
pub fn k_subsets<'r, H: Host<'r> + ?Sized>(host: &mut H, size: u32, set: Value<'r>) -> Value<'r> {
    host.region().lazy_set(ObjectKind::KSubsets, &[set, Value::from_int(i64::from(size))])
}

/// Makes `[domain -> range]`.
pub fn function_set<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    domain: Value<'r>,
    range: Value<'r>,
) -> Value<'r> {
    host.region().lazy_set(ObjectKind::FunctionSet, &[domain, range])
}

/// Makes `[f1 : S1, ..., fn : Sn]`, with the sets in the order of the shape's fields.
pub fn record_set<'r, H: Host<'r> + ?Sized>(host: &mut H, shape: Shape, sets: &[Value<'r>]) -> Value<'r> {
    host.region().record_set(shape, sets)
}

/// Makes `S1 \X ... \X Sn`.
pub fn product<'r, H: Host<'r> + ?Sized>(host: &mut H, sets: &[Value<'r>]) -> Value<'r> {
    host.region().lazy_set(ObjectKind::Product, sets)
}

/// Makes `Seq(set)`.
pub fn sequences<'r, H: Host<'r> + ?Sized>(host: &mut H, set: Value<'r>) -> Value<'r> {
    host.region().lazy_set(ObjectKind::Sequences, &[set])
}

/// Makes `{x \in set : closure}` for a set that is not eager; the evaluator filters eager ones itself.
pub fn filter<'r, H: Host<'r> + ?Sized>(host: &mut H, set: Value<'r>, closure: Closure<'r>) -> Value<'r> {
    host.region().filter(set, closure)
}
