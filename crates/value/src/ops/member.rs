//! `\in` and `\subseteq`.

use super::elements::not_boolean;
use super::known::Question;
use super::normal::search_items;
use super::{cardinality, elements, equal, explicit_function, not_decidable, not_enumerable, wrong_kind};
use crate::view::View;
use crate::{Host, Items, Kind, OpError, OpResult, Shape, Value, ops};

/// Computes `element \in set`.
#[inline]
pub fn member<'r, H: Host<'r> + ?Sized>(host: &mut H, element: Value<'r>, set: Value<'r>) -> OpResult<bool> {
    match set.as_normal_set() {
        Some(items) if items.len() == 1 && !set.is_interned() => member_of_single(host, element, items),
        Some(items) => member_of_normal(host, element, items),
        None => member_of_unlisted(host, element, set),
    }
}

/// Tests membership in a set that is not in normal form. The answer is remembered if it may be asked for again.
fn member_of_unlisted<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    element: Value<'r>,
    set: Value<'r>,
) -> OpResult<bool> {
    let Some(question) = Question::new(element, set) else { return member_of_other(host, element, set) };
    if let Some(known) = host.known_members().and_then(|known| known.find(question)) {
        return Ok(known);
    }
    let is_member = member_of_other(host, element, set)?;
    if let Some(known) = host.known_members() {
        known.keep(question, is_member);
    }
    Ok(is_member)
}

/// Tests membership in a set of one element that was computed just now. TLC: such a set is not in normal form, and its
/// element stands on the left of the comparison; a record there is compared with records alone.
#[inline]
fn member_of_single<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    element: Value<'r>,
    items: Items<'r>,
) -> OpResult<bool> {
    if is_record_against_function(element, items.get(0)) {
        return equal(host, items.get(0), element);
    }
    member_of_normal(host, element, items)
}

/// Whether the answer of [`member`] depends on where the set comes from: TLC tests a function that is not a record
/// against records only in a set in normal form. Code has interned sets alone and cannot tell.
#[inline]
pub fn depends_on_origin(element: Value<'_>, set: Value<'_>) -> bool {
    // PERF: most elements are no functions, and then the set need not be looked at.
    if !element.is_function() {
        return false;
    }
    let first = set.as_normal_set().filter(|items| !items.is_empty()).map(|items| items.get(0));
    first.is_some_and(|first| is_record_against_function(element, first))
}

#[inline]
fn is_record_against_function(element: Value<'_>, item: Value<'_>) -> bool {
    item.kind() == Kind::Record && element.kind() != Kind::Record && element.is_function()
}

/// Number of elements up to which the identical word is searched for before anything is compared.
const SCAN_MAX: usize = 32;

/// Tests membership in a set in normal form. TLC: binary search in normal order.
#[inline]
fn member_of_normal<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    element: Value<'r>,
    items: Items<'r>,
) -> OpResult<bool> {
    if items.len() <= SCAN_MAX && items.position_of_same(element).is_some() && element.is_ground() {
        return Ok(true);
    }
    match search_items(host, element, items) {
        Ok(place) => Ok(place.is_ok()),
        // TLC: in a set as written, each element is compared with the value, and not the value with each element.
        Err(error) if matches!(*error, OpError::RecordWithFunction { .. }) => {
            member_of_unsorted(host, element, items)
        }
        Err(error) => Err(error),
    }
}

fn member_of_other<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    element: Value<'r>,
    set: Value<'r>,
) -> OpResult<bool> {
    match set.view() {
        View::Set { elements, .. } => member_of_unsorted(host, element, elements),
        View::Interval(first, last) => match element.as_big_int() {
            Some(_) => Ok(element.as_small().is_some_and(|int| first <= int && int <= last)),
            None => not_of_this_kind(element, set),
        },
        View::Powerset(base) => all_members(host, element, base, set),
        View::KSubsets(base, size) => {
            let n = cardinality(host, element)?;
            Ok(n.as_i64() == Some(size as i64) && all_members(host, element, base, set)?)
        }
        View::FunctionSet(domain, range) => member_of_functions(host, element, set, (domain, range)),
        View::RecordSet(shape, sets) => member_of_records(host, element, set, (shape, sets)),
        View::Product(sets) => member_of_product(host, element, set, sets),
        View::Filter(base, closure) => {
            if let Some(explicit) = set.object().and_then(|object| object.explicit_form()) {
                return member(host, element, explicit);
            }
            if !member(host, element, base)? {
                return Ok(false);
            }
            let kept = host.call(closure, &[element])?;
            kept.as_bool().ok_or_else(|| not_boolean(kept))
        }
        View::Cup(left, right) => Ok(member(host, element, left)? || member(host, element, right)?),
        View::Cap(left, right) => Ok(member(host, element, left)? && member(host, element, right)?),
        View::Difference(left, right) => Ok(member(host, element, left)? && !member(host, element, right)?),
        View::Union(sets) => member_of_some(host, element, sets),
        View::Naturals => {
            of_kind(element, set, |kind| kind == Kind::Integer).map(|is_int| is_int && !is_negative(element))
        }
        View::Integers | View::Reals => of_kind(element, set, |kind| kind == Kind::Integer),
        View::Strings => of_kind(element, set, |kind| kind == Kind::String),
        View::Sequences(range) => match ops::as_sequence(host, element)? {
            Some(items) => all_in(host, items, range),
            None => not_of_this_kind(element, set),
        },
        View::Anything => Ok(true),
        View::Bool(_) | View::Int(_) | View::BigInt(_) | View::String(_) | View::ModelValue(_) => no_set(set),
        View::Sequence(_) | View::Record(..) | View::Function(..) | View::LazyFunction { .. } => no_set(set),
    }
}

#[cold]
fn no_set(value: Value<'_>) -> OpResult<bool> {
    Err(wrong_kind("\\in", "a set", value))
}

fn is_negative(int: Value<'_>) -> bool {
    int.as_big_int().is_some_and(|int| int.sign() == num_bigint::Sign::Minus)
}

/// Answers for an element of another kind. TLC: an untyped model value is in no set that could only have values of
/// another kind; for anything else the test is refused.
fn not_of_this_kind(element: Value<'_>, set: Value<'_>) -> OpResult<bool> {
    match element.as_model_value() {
        Some(model) if model.model_type().is_none() => Ok(false),
        _ => Err(not_decidable(element, set)),
    }
}

fn of_kind(element: Value<'_>, set: Value<'_>, is_it: impl Fn(Kind) -> bool) -> OpResult<bool> {
    if is_it(element.kind()) { Ok(true) } else { not_of_this_kind(element, set) }
}

/// Tests membership in a set that is not in normal form. TLC: its elements are tried in the order in which they were
/// written.
fn member_of_unsorted<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    element: Value<'r>,
    items: Items<'r>,
) -> OpResult<bool> {
    for item in items {
        if equal(host, item, element)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn all_in<'r, H: Host<'r> + ?Sized>(host: &mut H, items: Items<'r>, set: Value<'r>) -> OpResult<bool> {
    for item in items {
        if !member(host, item, set)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether all elements of `left` are in `base`. `set` is the set in messages.
fn all_members<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    left: Value<'r>,
    base: Value<'r>,
    set: Value<'r>,
) -> OpResult<bool> {
    if !left.kind().is_enumerable() {
        return Err(not_decidable(left, set));
    }
    is_subset(host, left, base)
}

fn member_of_functions<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    element: Value<'r>,
    set: Value<'r>,
    (domain, range): (Value<'r>, Value<'r>),
) -> OpResult<bool> {
    if !element.is_function() {
        return not_of_this_kind(element, set);
    }
    let f = explicit_function(host, element)?;
    let its_domain = ops::domain(host, f)?;
    if !equal(host, domain, its_domain)? {
        return Ok(false);
    }
    let values = f.object().expect("a function is an object").items();
    all_in(host, values, range)
}

fn member_of_records<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    element: Value<'r>,
    set: Value<'r>,
    (shape, sets): (Shape, Items<'r>),
) -> OpResult<bool> {
    if !element.is_function() {
        return not_of_this_kind(element, set);
    }
    let record = explicit_function(host, element)?;
    let Some((its_shape, values)) = record.as_record() else {
        let is_empty = record.as_sequence().is_some_and(Items::is_empty);
        return if is_empty { Ok(false) } else { Err(not_decidable(element, set)) };
    };
    if its_shape.len() != shape.len() {
        return Ok(false);
    }
    // TLC: field by field, and the first difference decides, in names as in values.
    for (index, (field, its_field)) in shape.fields().iter().zip(its_shape.fields()).enumerate() {
        if field != its_field || !member(host, values.get(index), sets.get(index))? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn member_of_product<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    element: Value<'r>,
    set: Value<'r>,
    sets: Items<'r>,
) -> OpResult<bool> {
    if !element.is_function() {
        return not_of_this_kind(element, set);
    }
    let f = explicit_function(host, element)?;
    if let Some(items) = f.as_sequence() {
        if items.len() != sets.len() {
            return Ok(false);
        }
        for (item, set) in items.iter().zip(sets) {
            if !member(host, item, set)? {
                return Ok(false);
            }
        }
        return Ok(true);
    }
    // TLC: other functions on integers are not tuples; functions on anything else are refused.
    match f.as_function() {
        Some((domain, _)) if domain.as_interval().is_some() => Ok(false),
        Some((domain, _)) if has_only_ints(domain) => Ok(false),
        _ => Err(not_decidable(element, set)),
    }
}

fn has_only_ints(set: Value<'_>) -> bool {
    set.as_normal_set().is_some_and(|items| items.iter().all(|item| item.kind() == Kind::Integer))
}

fn member_of_some<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    element: Value<'r>,
    sets: Value<'r>,
) -> OpResult<bool> {
    let mut sets = elements(host, sets)?;
    while let Some(set) = sets.next(host)? {
        if member(host, element, set)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Computes `left \subseteq right`.
pub fn is_subset<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    left: Value<'r>,
    right: Value<'r>,
) -> OpResult<bool> {
    if !left.kind().is_enumerable() {
        return if left.is_set() {
            Err(not_enumerable(left))
        } else {
            Err(wrong_kind("\\subseteq", "a set", left))
        };
    }
    match (left.view(), right.view()) {
        (View::Interval(first, last), View::Interval(low, high)) if low <= first && last <= high => {
            return Ok(true);
        }
        (View::Powerset(base), View::Powerset(other)) if base.kind().is_enumerable() => {
            return is_subset(host, base, other);
        }
        (_, _) => {}
    }
    let mut elements = elements(host, left)?;
    while let Some(element) = elements.next(host)? {
        if !member(host, element, right)? {
            return Ok(false);
        }
    }
    Ok(true)
}
