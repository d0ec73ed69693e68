//! The operators of `Sequences`. Strings have some of them.

use base::with_stack;

use super::{equal, explicit_function, force, wrong_kind};
use crate::mem::{LONG, ObjectKind};
use crate::print::print_raw;
use crate::{Atom, Ground, Host, Items, OpError, OpResult, Value, ValueId, ValueVec, check_room};

/// Number of elements to copy from which on the limits are checked first.
const LONG_WORK: usize = 1 << 16;
/// Limit on the size of an element that is made explicit when it is added to a sequence.
const LOOKS_MAX: u32 = 1 << 10;

/// Returns the elements, if the value is a sequence or a lazy function on `1..n`.
#[inline]
pub fn as_sequence<'r, H: Host<'r> + ?Sized>(host: &mut H, value: Value<'r>) -> OpResult<Option<Items<'r>>> {
    match value.object() {
        Some(object) if object.kind() == ObjectKind::Sequence => Ok(Some(object.items())),
        Some(object) if object.kind() == ObjectKind::LazyFunction => {
            Ok(explicit_function(host, value)?.as_sequence())
        }
        _ => Ok(None),
    }
}

#[inline]
fn needs_sequence<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    op: &'static str,
    value: Value<'r>,
) -> OpResult<Items<'r>> {
    match as_sequence(host, value)? {
        Some(items) => Ok(items),
        None => Err(wrong_kind(op, "a sequence", value)),
    }
}

/// Computes `Len(sequence)`, also of strings.
#[inline]
pub fn len<'r, H: Host<'r> + ?Sized>(host: &mut H, sequence: Value<'r>) -> OpResult<Value<'r>> {
    let len = match sequence.as_string() {
        Some(string) => string.text().chars().count(),
        None => needs_sequence(host, "Len", sequence)?.len(),
    };
    Ok(Value::from_int(len as i64))
}

/// Computes `Head(sequence)`. TLC: an error on `<<>>`, not an arbitrary value.
#[inline]
pub fn head<'r, H: Host<'r> + ?Sized>(host: &mut H, sequence: Value<'r>) -> OpResult<Value<'r>> {
    let items = needs_sequence(host, "Head", sequence)?;
    if items.is_empty() {
        return Err(Box::new(OpError::EmptySequence { op: "Head" }));
    }
    Ok(items.get(0))
}

/// Computes `Tail(sequence)`, also of strings.
pub fn tail<'r, H: Host<'r> + ?Sized>(host: &mut H, sequence: Value<'r>) -> OpResult<Value<'r>> {
    let empty = || Err(Box::new(OpError::EmptySequence { op: "Tail" }));
    if let Some(string) = sequence.as_string() {
        let mut chars = string.text().chars();
        return if chars.next().is_some() { Ok(string_like(string, chars.as_str())) } else { empty() };
    }
    let items = needs_sequence(host, "Tail", sequence)?;
    if items.is_empty() {
        return empty();
    }
    part(host, (sequence, items), (1, items.len() - 1))
}

/// Computes `Append(sequence, element)`.
pub fn append<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    sequence: Value<'r>,
    element: Value<'r>,
) -> OpResult<Value<'r>> {
    let items = needs_sequence(host, "Append", sequence)?;
    check_room(host, items.len())?;
    if let Some(longer) = lengthen(host, (sequence, items), &[element])? {
        return Ok(longer);
    }
    let mut vec = ValueVec::with_capacity(host.region(), items.len() + 1);
    vec.extend_items(items);
    vec.push(element);
    Ok(vec.into_sequence())
}

/// Computes `left \o right`, also of two strings.
pub fn concat<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    left: Value<'r>,
    right: Value<'r>,
) -> OpResult<Value<'r>> {
    if let Some(string) = left.as_string() {
        let Some(other) = right.as_string() else { return Err(wrong_kind("\\o", "a string", right)) };
        check_room(host, (string.text().len() + other.text().len()) / size_of::<u64>())?;
        if string.text().len() >= LONG_WORK {
            host.check_limits()?;
        }
        return Ok(string_like(string, &[string.text(), other.text()].concat()));
    }
    let items = needs_sequence(host, "\\o", left)?;
    let others = needs_sequence(host, "\\o", right)?;
    check_room(host, items.len() + others.len())?;
    if items.len() + others.len() >= LONG_WORK {
        host.check_limits()?;
    }
    if items.is_empty() {
        return explicit_function(host, right);
    }
    if others.is_empty() {
        return explicit_function(host, left);
    }
    if items.len() >= LONG {
        let more: Vec<Value<'r>> = others.iter().collect();
        if let Some(longer) = lengthen(host, (left, items), &more)? {
            return Ok(longer);
        }
    }
    let mut vec = ValueVec::with_capacity(host.region(), items.len() + others.len());
    vec.extend_items(items);
    vec.extend_items(others);
    Ok(vec.into_sequence())
}

/// Computes `SubSeq(sequence, from, to)`, also of strings. TLC: empty when `from > to`, whatever they are.
pub fn sub_seq<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    sequence: Value<'r>,
    from: Value<'r>,
    to: Value<'r>,
) -> OpResult<Value<'r>> {
    if let Some(string) = sequence.as_string() {
        return sub_string(string, from, to);
    }
    let items = needs_sequence(host, "SubSeq", sequence)?;
    let part = part_of(items, sequence, (from, to))?;
    match part {
        (_, len) if len == items.len() && len > 0 => explicit_function(host, sequence),
        within => self::part(host, (sequence, items), within),
    }
}

/// Returns the elements of `SubSeq(sequence, from, to)` in place, or `None` for a string.
pub fn sub_seq_items<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    [sequence, from, to]: [Value<'r>; 3],
) -> OpResult<Option<Items<'r>>> {
    if sequence.as_string().is_some() {
        return Ok(None);
    }
    let items = needs_sequence(host, "SubSeq", sequence)?;
    let (start, len) = part_of(items, sequence, (from, to))?;
    Ok(Some(items.slice(start, len)))
}

/// Returns the start of the elements of `SubSeq(sequence, from, to)`, from 0, and their number.
fn part_of<'r>(
    items: Items<'r>,
    sequence: Value<'r>,
    (from, to): (Value<'r>, Value<'r>),
) -> OpResult<(usize, usize)> {
    if super::compare_ints("SubSeq", from, to)?.is_gt() {
        return Ok((0, 0));
    }
    let len = items.len();
    let (first, last) = (index_inside(from, len, sequence)?, index_inside(to, len, sequence)?);
    Ok((first - 1, last - first + 1))
}

/// Returns `len` elements of a sequence from `start` on, which are not copied if there are many.
fn part<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    (sequence, items): (Value<'r>, Items<'r>),
    (start, len): (usize, usize),
) -> OpResult<Value<'r>> {
    if len >= LONG {
        let explicit = explicit_function(host, sequence)?;
        if let Some(part) = host.region().part_of(explicit, start, len) {
            return Ok(part);
        }
    }
    Ok(ValueVec::from_items(host.region(), items.slice(start, len)).into_sequence())
}

/// Returns a long sequence with more elements behind its own, which are not copied if that can be avoided. Returns
/// `None` if the sequence is short, or some element has a kind that cannot be stored this way.
fn lengthen<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    (sequence, items): (Value<'r>, Items<'r>),
    more: &[Value<'r>],
) -> OpResult<Option<Value<'r>>> {
    if items.len() < LONG {
        return Ok(None);
    }
    let sequence = explicit_function(host, sequence)?;
    let mut grounded = Vec::with_capacity(more.len());
    for &value in more {
        match Ground::opt(value) {
            Some(ground) => grounded.push(ground.value()),
            None if is_explicit(value, &mut LOOKS_MAX.clone()) => match force(host, value) {
                Ok(value) => grounded.push(value),
                // It is not decided here whether the element must have a normal form.
                Err(_) => return Ok(None),
            },
            None => return Ok(None),
        }
    }
    if let Some(longer) = lengthen_interned(host, sequence, &grounded) {
        return Ok(Some(longer));
    }
    let behind = host.region().items_behind(sequence);
    // The same elements may already be there, if the sequence was lengthened before.
    let is_there = |(there, value): &(Value<'r>, &Value<'r>)| {
        there.is_same(**value) || matches!(equal(host, *there, **value), Ok(true))
    };
    let n_known = behind.iter().zip(&grounded).take_while(is_there).count();
    Ok(host.region().lengthen(sequence, &grounded, n_known))
}

/// Returns the sequence with more elements among the stored values, if it is one of them. All are ground.
fn lengthen_interned<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    sequence: Value<'r>,
    more: &[Value<'r>],
) -> Option<Value<'r>> {
    let interner = host.interner()?;
    // A value that is only computed and never stored must not fill the interner. If the sequence has already been
    // extended, only existing values are found.
    let has_room = interner.can_lengthen(sequence, more.len())?;
    let id_of = |ground| if has_room { interner.intern(ground).ok() } else { interner.find(ground) };
    let ids = more.iter().map(|&value| id_of(Ground::opt(value)?));
    let ids: Option<Vec<ValueId>> = ids.collect();
    // If there is no room, storing the state reports it.
    let longer = interner.lengthen(sequence, &ids?).ok().flatten()?;
    Some(interner.value(longer))
}

/// Whether nothing in it is lazy, and it is small enough to tell.
fn is_explicit(value: Value<'_>, n_looks: &mut u32) -> bool {
    let Some(object) = value.object() else { return true };
    let Some(n_left) = n_looks.checked_sub(1) else { return false };
    *n_looks = n_left;
    if object.is_ground() {
        return true;
    }
    let mut are_explicit =
        |items: Items<'_>| items.iter().all(|item| with_stack(|| is_explicit(item, n_looks)));
    match object.kind() {
        ObjectKind::Sequence | ObjectKind::Record | ObjectKind::Set => are_explicit(object.items()),
        ObjectKind::Function => {
            object.domain().object().is_none_or(|domain| domain.is_ground()) && are_explicit(object.items())
        }
        ObjectKind::Interval | ObjectKind::BigInt => true,
        ObjectKind::LazyFunction | ObjectKind::Powerset | ObjectKind::KSubsets | ObjectKind::FunctionSet => {
            false
        }
        ObjectKind::RecordSet | ObjectKind::Product | ObjectKind::Filter | ObjectKind::Cup => false,
        ObjectKind::Cap | ObjectKind::Difference | ObjectKind::Union | ObjectKind::Sequences => false,
    }
}

fn sub_string<'r>(string: Atom, from: Value<'r>, to: Value<'r>) -> OpResult<Value<'r>> {
    if super::compare_ints("SubSeq", from, to)?.is_gt() {
        return Ok(string_like(string, ""));
    }
    let (sequence, len) = (Value::atom(string), string.text().chars().count());
    let (first, last) = (index_inside(from, len, sequence)?, index_inside(to, len, sequence)?);
    let part: String = string.text().chars().take(last).skip(first - 1).collect();
    Ok(string_like(string, &part))
}

/// Returns the index, which must be in `1..len`.
fn index_inside(index: Value<'_>, len: usize, sequence: Value<'_>) -> OpResult<usize> {
    let inside = index
        .as_small()
        .and_then(|index| usize::try_from(index).ok())
        .filter(|index| (1..=len).contains(index));
    inside.ok_or_else(|| {
        Box::new(OpError::IndexOutside { index: print_raw(index), sequence: print_raw(sequence) })
    })
}

/// Makes a string of the same specification.
fn string_like<'r>(string: Atom, text: &str) -> Value<'r> {
    Value::atom(string.atoms().string(text))
}
