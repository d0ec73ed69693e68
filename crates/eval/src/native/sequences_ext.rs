//! SequencesExt, except search and replace.

use value::{Items, Value, ValueVec, ops};

use super::call::{ArgPosition, Call, collect, slice};
use super::tlc::orders;
use crate::interp::{Evaluated, FaultKind, Operator};

type Result<'r> = Evaluated<Value<'r>>;

/// Limit on the length of a sequence whose subsequences are enumerated.
const SUB_SEQS_OF_MAX: usize = 19;

pub(super) fn set_to_seq<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [set] = call.values()?;
    let elements = call.elements(set)?;
    Ok(call.sequence_of(&elements))
}

pub(super) fn set_to_seqs<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [set] = call.values()?;
    if !set.is_set() {
        return Err(call.not_applicable("a finite set", set));
    }
    let elements = call.elements(set)?;
    let orders = orders(call, set, &elements)?;
    let sequences: Vec<Value<'r>> = orders.iter().map(|order| call.sequence_of(order)).collect();
    Ok(call.set_of(&sequences))
}

pub(super) fn contains<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [sequence, element] = call.values()?;
    for item in call.sequence(ArgPosition::Only, sequence)? {
        if call.equal(item, element)? {
            return Ok(Value::TRUE);
        }
    }
    Ok(Value::FALSE)
}

pub(super) fn all_sub_seqs<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [sequence] = call.values()?;
    let items = call.sequence(ArgPosition::Only, sequence)?;
    if items.len() > SUB_SEQS_OF_MAX {
        let sequence = call.machine.show(sequence);
        return Err(call.too_large(format!("the subsequences of {sequence}")));
    }
    let mut sub_seqs = Vec::with_capacity(1 << items.len());
    for chosen in 0u32..1 << items.len() {
        let kept = items.iter().enumerate().filter(|(index, _)| chosen >> index & 1 == 1);
        let kept: Vec<Value<'r>> = kept.map(|(_, item)| item).collect();
        sub_seqs.push(call.sequence_of(&kept));
    }
    Ok(call.set_of(&sub_seqs))
}

pub(super) fn suffixes<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [sequence] = call.values()?;
    let items = call.sequence(ArgPosition::Only, sequence)?;
    let suffixes: Vec<Value<'r>> =
        (0..=items.len()).map(|len| slice(call, items, items.len() - len, len)).collect();
    Ok(call.set_of(&suffixes))
}

/// `FoldLeft`: `op(... op(op(base, s[1]), s[2]) ..., s[n])`.
pub(super) fn fold_left<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let op = call.operator(0)?;
    let base = call.value(1)?;
    let sequence = call.value(2)?;
    let items = call.sequence(ArgPosition::Third, sequence)?;
    fold_from_left(call, op, base, items)
}

/// `FoldLeftDomain`: folds over the positions from the left.
pub(super) fn fold_left_domain<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let op = call.operator(0)?;
    let base = call.value(1)?;
    let sequence = call.value(2)?;
    let len = call.sequence(ArgPosition::Third, sequence)?.len();
    let region = call.machine.region();
    fold_from_left(call, op, base, (1..=len).map(|index| region.int(index as i64)))
}

fn fold_from_left<'r>(
    call: &mut Call<'_, '_, 'r>,
    op: Operator,
    base: Value<'r>,
    items: impl IntoIterator<Item = Value<'r>>,
) -> Result<'r> {
    let mut result = base;
    for item in items {
        result = call.apply(op, &[result, item])?;
    }
    Ok(result)
}

/// `FoldRight`: `op(s[1], op(s[2], ... op(s[n], base)))`.
pub(super) fn fold_right<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let op = call.operator(0)?;
    let sequence = call.value(1)?;
    let base = call.value(2)?;
    let items = collect(call.sequence(ArgPosition::Second, sequence)?);
    fold_from_right(call, op, base, items.into_iter().rev())
}

/// `FoldRightDomain`: folds over the positions from the right.
pub(super) fn fold_right_domain<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let op = call.operator(0)?;
    let sequence = call.value(1)?;
    let base = call.value(2)?;
    let len = call.sequence(ArgPosition::Second, sequence)?.len();
    let region = call.machine.region();
    fold_from_right(call, op, base, (1..=len).rev().map(|index| region.int(index as i64)))
}

fn fold_from_right<'r>(
    call: &mut Call<'_, '_, 'r>,
    op: Operator,
    base: Value<'r>,
    items: impl IntoIterator<Item = Value<'r>>,
) -> Result<'r> {
    let mut result = base;
    for item in items {
        result = call.apply(op, &[item, result])?;
    }
    Ok(result)
}

/// `IsPrefix`, also of two strings.
pub(super) fn is_prefix<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [start, whole] = call.values()?;
    if let (Some(start), Some(whole)) = (start.as_string(), whole.as_string()) {
        return Ok(Value::bool(whole.text().starts_with(start.text())));
    }
    let start = call.sequence(ArgPosition::First, start)?;
    let whole = call.sequence(ArgPosition::Second, whole)?;
    let shared = common_len(call, start, whole)?;
    Ok(Value::bool(start.len() <= whole.len() && shared == start.len()))
}

/// Returns the number of elements that two sequences have in common at their start.
fn common_len<'r>(call: &mut Call<'_, '_, 'r>, left: Items<'r>, right: Items<'r>) -> Evaluated<usize> {
    if left.len() > right.len() {
        return common_len(call, right, left);
    }
    for (index, (one, other)) in left.iter().zip(right).enumerate() {
        if !call.equal(one, other)? {
            return Ok(index);
        }
    }
    Ok(left.len())
}

/// `LongestCommonPrefix` of sequences, or of strings.
pub(super) fn longest_common_prefix<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [set] = call.values()?;
    if !set.is_set() {
        return Err(call.refuse(ArgPosition::Only, "non-empty set", set));
    }
    let all = call.elements(set)?;
    let Some((&first, rest)) = all.split_first() else {
        return Err(call.refuse(ArgPosition::Only, "non-empty set", set));
    };
    if first.as_string().is_some() {
        let texts: Option<Vec<&str>> = all.iter().map(|value| Some(value.as_string()?.text())).collect();
        let Some(texts) = texts else { return Err(call.refuse(ArgPosition::Only, "sequence", set)) };
        return Ok(call.string(common_start(&texts)));
    }
    let items = call.sequence(ArgPosition::Only, first)?;
    let mut len = items.len();
    for &other in rest {
        let other = call.sequence(ArgPosition::Only, other)?;
        len = common_len(call, items.slice(0, len), other)?;
    }
    Ok(slice(call, items, 0, len))
}

fn common_start<'t>(texts: &[&'t str]) -> &'t str {
    let Some((&first, rest)) = texts.split_first() else { return "" };
    rest.iter().fold(first, |start, other| {
        let differs = start.char_indices().zip(other.chars()).find(|((_, one), other)| one != other);
        let end = differs.map_or(start.len().min(other.len()), |((at, _), _)| at);
        &start[..end]
    })
}

pub(super) fn remove_first<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [sequence, element] = call.values()?;
    let items = call.sequence(ArgPosition::First, sequence)?;
    remove(call, items, |call, item| call.equal(item, element))
}

pub(super) fn remove_first_match<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let sequence = call.value(0)?;
    let test = call.operator(1)?;
    let items = call.sequence(ArgPosition::First, sequence)?;
    remove(call, items, |call, item| call.holds(test, &[item], ArgPosition::Second))
}

fn remove<'a, 'p, 'r>(
    call: &mut Call<'a, 'p, 'r>,
    items: Items<'r>,
    mut is_it: impl FnMut(&mut Call<'a, 'p, 'r>, Value<'r>) -> Evaluated<bool>,
) -> Result<'r> {
    let mut kept = ValueVec::with_capacity(call.machine.region(), items.len());
    let mut found = false;
    for item in items {
        if !found && is_it(call, item)? {
            found = true;
        } else {
            kept.push(item);
        }
    }
    Ok(kept.into_sequence())
}

pub(super) fn select_in_seq<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let (items, test) = whole(call)?;
    find(call, items, test, 0..items.len())
}

pub(super) fn select_last_in_seq<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let (items, test) = whole(call)?;
    find(call, items, test, (0..items.len()).rev())
}

/// `SelectInSubSeq`. TLC: returns the position in the whole sequence.
pub(super) fn select_in_sub_seq<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let (items, range, test) = part(call)?;
    find(call, items, test, range)
}

pub(super) fn select_last_in_sub_seq<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let (items, range, test) = part(call)?;
    find(call, items, test, range.rev())
}

fn whole<'r>(call: &mut Call<'_, '_, 'r>) -> Evaluated<(Items<'r>, Operator)> {
    let sequence = call.value(0)?;
    let test = call.operator(1)?;
    Ok((call.sequence(ArgPosition::First, sequence)?, test))
}

/// Returns the sequence, the indices to look at, from 0, and the test.
fn part<'r>(call: &mut Call<'_, '_, 'r>) -> Evaluated<(Items<'r>, std::ops::Range<usize>, Operator)> {
    let (sequence, from, to) = (call.value(0)?, call.value(1)?, call.value(2)?);
    let test = call.operator(3)?;
    let items = call.sequence(ArgPosition::First, sequence)?;
    let first = call.int(ArgPosition::Second, "natural", from)?;
    let last = call.int(ArgPosition::Third, "natural", to)?;
    if first > last {
        return Ok((items, 0..0, test));
    }
    for (position, index) in [("second", from), ("third", to)] {
        let inside = index.as_i64().is_some_and(|index| (1..=items.len() as i64).contains(&index));
        if !inside {
            let (op, index) = (call.name(), call.machine.show(index));
            let sequence = call.machine.show(sequence);
            return Err(call.fault(FaultKind::OutsideSequence { op, position, index, sequence }));
        }
    }
    Ok((items, first as usize - 1..last as usize, test))
}

/// Returns the position of the first element that passes, or 0.
fn find<'r>(
    call: &mut Call<'_, '_, 'r>,
    items: Items<'r>,
    test: Operator,
    indices: impl Iterator<Item = usize>,
) -> Result<'r> {
    for index in indices {
        if call.holds(test, &[items.get(index)], ArgPosition::Fourth)? {
            return Ok(call.machine.region().int(index as i64 + 1));
        }
    }
    Ok(Value::small(0))
}

/// Whether `items` has `part` from index `at` on.
pub(super) fn stands_at<'r>(
    call: &mut Call<'_, '_, 'r>,
    items: Items<'r>,
    at: usize,
    part: Items<'r>,
) -> Evaluated<bool> {
    for (index, element) in part.iter().enumerate() {
        if !call.op(|machine| ops::equal(machine, items.get(at + index), element))? {
            return Ok(false);
        }
    }
    Ok(true)
}
