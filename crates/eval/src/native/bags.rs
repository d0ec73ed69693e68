//! Bags, BagsExt: functions from elements to the number of their copies.

use std::cmp::Ordering;

use value::{Items, Value, ValueVec, ops};

use super::call::{ArgPosition, Call};
use crate::interp::Evaluated;

type Result<'r> = Evaluated<Value<'r>>;
type Pairs<'r> = Vec<(Value<'r>, Value<'r>)>;

pub(super) fn empty_bag<'r>(_: &mut Call<'_, '_, 'r>) -> Result<'r> {
    Ok(Value::empty_sequence())
}

/// `IsABag(B)`: FALSE also for a value that is not a function.
pub(super) fn is_a_bag<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [bag] = call.values()?;
    let pairs = call.graph(bag)?;
    Ok(Value::bool(pairs.is_some_and(|pairs| is_bag(&pairs))))
}

fn is_bag(pairs: &[(Value<'_>, Value<'_>)]) -> bool {
    pairs.iter().all(|(_, n)| is_positive(*n))
}

fn is_positive(value: Value<'_>) -> bool {
    match value.as_small() {
        Some(n) => n > 0,
        None => value.as_big_int().is_some_and(|n| n.sign() == num_bigint::Sign::Plus),
    }
}

const FUNCTION: &str = "a function with a finite domain";

fn graph<'r>(call: &mut Call<'_, '_, 'r>, value: Value<'r>) -> Evaluated<Pairs<'r>> {
    match call.graph(value)? {
        Some(pairs) => Ok(pairs),
        None => Err(call.not_applicable(FUNCTION, value)),
    }
}

pub(super) fn bag_to_set<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [bag] = call.values()?;
    graph(call, bag)?;
    call.op(|machine| ops::domain(machine, bag))
}

pub(super) fn set_to_bag<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [set] = call.values()?;
    if !set.is_set() {
        return Err(call.not_applicable("a finite set", set));
    }
    let domain = call.op(|machine| ops::explicit_set(machine, set))?;
    let n_elements = domain.as_normal_set().map_or(0, |items| items.len());
    let mut ones = ValueVec::with_capacity(call.machine.region(), n_elements);
    ones.extend((0..n_elements).map(|_| Value::small(1)));
    Ok(ops::function(domain, ones))
}

pub(super) fn bag_in<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [element, bag] = call.values()?;
    let copies = copies(call, element, bag)?;
    Ok(Value::bool(copies.is_some_and(is_positive)))
}

pub(super) fn copies_in<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [element, bag] = call.values()?;
    Ok(copies(call, element, bag)?.unwrap_or(Value::small(0)))
}

fn copies<'r>(
    call: &mut Call<'_, '_, 'r>,
    element: Value<'r>,
    bag: Value<'r>,
) -> Evaluated<Option<Value<'r>>> {
    if !bag.is_function() {
        return Err(call.refuse(ArgPosition::Second, "bag", bag));
    }
    let copies = call.op(|machine| {
        let function = ops::explicit_function(machine, bag)?;
        ops::select(machine, function, element)
    })?;
    match copies {
        Some(copies) if copies.as_big_int().is_none() => Err(call.refuse(ArgPosition::Second, "bag", bag)),
        copies => Ok(copies),
    }
}

pub(super) fn plus<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [left, right] = call.values()?;
    match (as_listed(left), as_listed(right)) {
        // An empty bag has only this form.
        (Some((keys, _)), Some(_)) if keys.is_empty() => Ok(right),
        (Some(_), Some((keys, _))) if keys.is_empty() => Ok(left),
        (Some(listed), Some((keys, counts))) if keys.len() == 1 => {
            with_one(call, (left, listed), (keys.get(0), counts.get(0)))
        }
        (_, _) => plus_all(call, left, right),
    }
}

/// Returns keys and counts of a bag whose keys are written out. Returns `None` for other forms, and for a value that is
/// not a bag.
fn as_listed<'r>(bag: Value<'r>) -> Option<(Items<'r>, Items<'r>)> {
    if bag.as_sequence().is_some_and(|items| items.is_empty()) {
        return Some((Items::EMPTY, Items::EMPTY));
    }
    let (keys, counts) = bag.as_function()?;
    let keys = keys.as_normal_set()?;
    ops::are_counts(bag).then_some((keys, counts))
}

/// Returns a bag with more copies of one element.
// Six values: a bag with its parts, and one element with its count.
fn with_one<'r>(
    call: &mut Call<'_, '_, 'r>,
    (bag, (keys, counts)): (Value<'r>, (Items<'r>, Items<'r>)),
    (key, count): (Value<'r>, Value<'r>),
) -> Result<'r> {
    let place = search(call, keys.len(), |index| keys.get(index), key)?;
    let region = call.machine.region();
    let more = match place {
        Ok(place) => {
            let count = call.op(|machine| ops::add(machine, counts.get(place), count))?;
            ops::with_value(region, bag, place, count)
        }
        Err(place) => ops::with_key(region, bag, place, (key, count)),
    };
    ops::note_counts(more);
    Ok(more)
}

fn plus_all<'r>(call: &mut Call<'_, '_, 'r>, left: Value<'r>, right: Value<'r>) -> Result<'r> {
    let (all, more) = (bag(call, ArgPosition::First, left)?, bag(call, ArgPosition::Second, right)?);
    let (all, more) = if all.len() < more.len() { (more, all) } else { (all, more) };
    // Both are sorted, so each key of the shorter one is looked for after the position of the one before it.
    let mut sum = Vec::with_capacity(all.len() + more.len());
    let mut rest = all.as_slice();
    for (key, count) in more {
        let place = search(call, rest.len(), |index| rest[index].0, key)?;
        let (before, after) = rest.split_at(place.unwrap_or_else(|place| place));
        sum.extend_from_slice(before);
        rest = match after.split_first() {
            Some((&(key, n), after)) if place.is_ok() => {
                let count = call.op(|machine| ops::add(machine, n, count))?;
                sum.push((key, count));
                after
            }
            Some(_) | None => {
                sum.push((key, count));
                after
            }
        };
    }
    sum.extend_from_slice(rest);
    Ok(sorted_function(call, &sum))
}

/// Finds the position of a key among `len` sorted ones, or the position where it would be.
fn search<'r>(
    call: &mut Call<'_, '_, 'r>,
    len: usize,
    key_at: impl Fn(usize) -> Value<'r>,
    key: Value<'r>,
) -> Evaluated<std::result::Result<usize, usize>> {
    let (mut low, mut high) = (0, len);
    while low < high {
        let middle = low.midpoint(high);
        match call.op(|machine| ops::compare(machine, key, key_at(middle)))? {
            Ordering::Less => high = middle,
            Ordering::Equal => return Ok(Ok(middle)),
            Ordering::Greater => low = middle + 1,
        }
    }
    Ok(Err(low))
}

/// Makes the function with these pairs, whose keys are distinct and in normal order.
fn sorted_function<'r>(call: &Call<'_, '_, 'r>, pairs: &[(Value<'r>, Value<'r>)]) -> Value<'r> {
    let region = call.machine.region();
    let mut keys = ValueVec::with_capacity(region, pairs.len());
    keys.extend(pairs.iter().map(|pair| pair.0));
    let keys = keys.into_normal_set();
    let mut values = ValueVec::with_capacity(region, pairs.len());
    values.extend(pairs.iter().map(|pair| pair.1));
    ops::function(keys, values)
}

fn bag<'r>(call: &mut Call<'_, '_, 'r>, place: ArgPosition, value: Value<'r>) -> Evaluated<Pairs<'r>> {
    match call.graph(value)? {
        Some(pairs) if is_bag(&pairs) => Ok(pairs),
        Some(_) | None => Err(call.refuse(place, "bag", value)),
    }
}

/// Makes one function from all pairs, adding the values of equal keys.
fn sum<'r>(call: &mut Call<'_, '_, 'r>, pairs: &[(Value<'r>, Value<'r>)]) -> Result<'r> {
    let keys: Vec<Value<'r>> = pairs.iter().map(|&(key, _)| key).collect();
    let set = call.set_of(&keys);
    let domain = call.op(|machine| ops::explicit_set(machine, set))?;
    let elements: Vec<Value<'r>> = domain.as_normal_set().map(super::call::collect).unwrap_or_default();
    let mut totals = vec![Value::small(0); elements.len()];
    for &(key, count) in pairs {
        let place = position(call, &elements, key)?;
        totals[place] = call.op(|machine| ops::add(machine, totals[place], count))?;
    }
    Ok(ops::function(domain, ValueVec::from_slice(call.machine.region(), &totals)))
}

/// Returns the position of a key among sorted elements that include it.
fn position<'r>(call: &mut Call<'_, '_, 'r>, elements: &[Value<'r>], key: Value<'r>) -> Evaluated<usize> {
    let (mut low, mut high) = (0, elements.len());
    while high - low > 1 {
        let middle = low.midpoint(high);
        let ordering = call.op(|machine| ops::compare(machine, key, elements[middle]))?;
        if ordering.is_lt() { high = middle } else { low = middle }
    }
    Ok(low)
}

pub(super) fn minus<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [left, right] = call.values()?;
    if let (Some((keys, counts)), Some((taken, n_taken))) = (as_listed(left), as_listed(right))
        && taken.len() == 1
    {
        return match search(call, keys.len(), |index| keys.get(index), taken.get(0))? {
            Ok(place) => remove_copies(call, left, place, (counts.get(place), n_taken.get(0))),
            Err(_) => Ok(left),
        };
    }
    let Some(pairs) = call.graph(left)? else { return Err(call.refuse(ArgPosition::First, "bag", left)) };
    if !right.is_function() {
        return Err(call.refuse(ArgPosition::Second, "bag", right));
    }
    let mut kept = pairs;
    let taken = match call.graph(right)? {
        Some(taken) => taken,
        None => return Err(call.refuse(ArgPosition::Second, "bag", right)),
    };
    let mut from = 0;
    for (key, count) in taken {
        match search(call, kept.len() - from, |index| kept[from + index].0, key)? {
            Ok(place) => {
                from += place;
                if count.as_small().is_none() && count.as_big_int().is_none() {
                    return Err(call.refuse(ArgPosition::Second, "bag", right));
                }
                kept[from].1 = call.op(|machine| ops::subtract(machine, kept[from].1, count))?;
            }
            Err(place) => from += place,
        }
    }
    kept.retain(|pair| is_positive(pair.1));
    Ok(sorted_function(call, &kept))
}

/// Returns a bag with fewer copies of the element at `place`.
fn remove_copies<'r>(
    call: &mut Call<'_, '_, 'r>,
    bag: Value<'r>,
    place: usize,
    (count, taken): (Value<'r>, Value<'r>),
) -> Result<'r> {
    let left = call.op(|machine| ops::subtract(machine, count, taken))?;
    let region = call.machine.region();
    let fewer = match is_positive(left) {
        true => ops::with_value(region, bag, place, left),
        false => ops::without_key(region, bag, place),
    };
    ops::note_counts(fewer);
    Ok(fewer)
}

/// Returns the copies of an element that are left when those of `bag` are removed.
fn difference<'r>(
    call: &mut Call<'_, '_, 'r>,
    (key, count): (Value<'r>, Value<'r>),
    bag: Value<'r>,
) -> Result<'r> {
    match copies(call, key, bag)? {
        Some(taken) => call.op(|machine| ops::subtract(machine, count, taken)),
        None => Ok(count),
    }
}

pub(super) fn subset<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [left, right] = call.values()?;
    let pairs = graph(call, left)?;
    if !right.is_function() {
        return Err(call.not_applicable(FUNCTION, right));
    }
    for pair in pairs {
        if is_positive(difference(call, pair, right)?) {
            return Ok(Value::FALSE);
        }
    }
    Ok(Value::TRUE)
}

pub(super) fn bag_union<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [set] = call.values()?;
    if !set.is_set() {
        return Err(call.not_applicable("a finite enumerable set", set));
    }
    let bags = call.elements(set)?;
    match bags.as_slice() {
        [] => Ok(Value::empty_sequence()),
        [bag] => Ok(*bag),
        _ => {
            let mut all = Vec::new();
            for bag in bags {
                all.extend(graph(call, bag)?);
            }
            sum(call, &all)
        }
    }
}

pub(super) fn bag_of_all<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let map = call.operator(0)?;
    let bag = call.value(1)?;
    let Some(mut pairs) = call.graph(bag)? else {
        return Err(call.refuse(ArgPosition::Second, "function with a finite domain", bag));
    };
    for (key, _) in &mut pairs {
        *key = call.apply(map, &[*key])?;
    }
    sum(call, &pairs)
}

pub(super) fn bag_cardinality<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [bag] = call.values()?;
    let pairs = graph(call, bag)?;
    if !is_bag(&pairs) {
        return Err(call.not_applicable("a bag", bag));
    }
    let mut total = Value::small(0);
    for (_, count) in pairs {
        total = call.op(|machine| ops::add(machine, total, count))?;
    }
    Ok(total)
}

/// `FoldBag`: `op(... op(op(base, x1), x1) ..., xn)`, each element as often as the bag has it, in normal order.
pub(super) fn fold_bag<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let op = call.operator(0)?;
    let base = call.value(1)?;
    let bag = call.value(2)?;
    let Some(pairs) = call.graph(bag)? else { return Err(call.refuse(ArgPosition::Third, "bag", bag)) };
    let mut result = base;
    for (element, count) in pairs {
        let Some(n @ 1..) = count.as_i64() else { return Err(bad_count(call, element, count)) };
        for _ in 0..n {
            result = call.apply(op, &[result, element])?;
        }
    }
    Ok(result)
}

fn bad_count<'r>(
    call: &mut Call<'_, '_, 'r>,
    element: Value<'r>,
    count: Value<'r>,
) -> Box<crate::interp::Fault> {
    let (element, count) = (call.machine.show(element), call.machine.show(count));
    let value = format!("{count} (in: {element}:>{count})");
    let op = call.name();
    call.fault(crate::interp::FaultKind::NotApplicable { op, expected: "an element of Nat", value })
}
