//! Puts sets into normal form.

use std::cmp::Ordering;

use super::compare;
use crate::mem::{ObjectKind, TreeCursor};
use crate::{Host, Items, OpResult, Value};

/// Size up to which sets are sorted without a buffer on the heap.
const SMALL: usize = 32;

/// Sorts the elements of a set `{...}` in place and removes duplicates. Other values stay as they are.
///
/// TLC: refused when two elements cannot be compared, and only then is `{1, "a"}` an error.
#[inline]
pub fn normalize<'r, H: Host<'r> + ?Sized>(host: &mut H, value: Value<'r>) -> OpResult<()> {
    match value.object() {
        Some(object) if object.kind() == ObjectKind::Set && !object.is_normal() => normalize_set(host, value),
        _ => Ok(()),
    }
}

fn normalize_set<'r, H: Host<'r> + ?Sized>(host: &mut H, set: Value<'r>) -> OpResult<()> {
    let object = set.object().expect("an explicit set is an object");
    let items = object.items();
    if items.len() <= SMALL {
        let mut order = [0; SMALL];
        let len = insertion_sort(host, items, &mut order)?;
        object.set_normal(&order[..len]);
    } else {
        let order = merge_sort(host, items)?;
        object.set_normal(&order);
    }
    Ok(())
}

/// Inserts one element after the other by binary search, and returns the number of distinct elements.
fn insertion_sort<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    items: Items<'r>,
    order: &mut [u32],
) -> OpResult<usize> {
    let mut len = 0;
    for (index, element) in items.iter().enumerate() {
        let sorted = &order[..len];
        if let Err(place) =
            search(sorted.len(), |place| compare(host, element, items.get(sorted[place] as usize)))?
        {
            order.copy_within(place..len, place + 1);
            order[place] = index as u32;
            len += 1;
        }
    }
    Ok(len)
}

/// Searches `len` places by bisection. Returns `Ok` with the place where `compare` finds it equal, or `Err` with the
/// place where it would be.
///
/// TLC: probes the middle, `(low + high) / 2`; which elements are compared decides what is refused.
#[inline]
pub(super) fn search(
    len: usize,
    mut compare: impl FnMut(usize) -> OpResult<Ordering>,
) -> OpResult<Result<usize, usize>> {
    let (mut low, mut high) = (0, len);
    while low < high {
        let middle = low.midpoint(high);
        match compare(middle)? {
            Ordering::Equal => return Ok(Ok(middle)),
            Ordering::Less => high = middle,
            Ordering::Greater => low = middle + 1,
        }
    }
    Ok(Err(low))
}

/// Returns the position of a value among sorted ones, or the position where it would be.
#[inline]
pub(super) fn search_items<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    value: Value<'r>,
    items: Items<'r>,
) -> OpResult<Result<usize, usize>> {
    match items.as_tree() {
        None => search(items.len(), |place| compare(host, value, items.get(place))),
        Some(_) => search_tree(host, value, items),
    }
}

#[cold]
#[inline(never)]
fn search_tree<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    value: Value<'r>,
    items: Items<'r>,
) -> OpResult<Result<usize, usize>> {
    let mut cursor = TreeCursor::new(items);
    search(items.len(), |place| compare(host, value, cursor.get(place)))
}

/// Returns the indices of the distinct elements, in normal order.
fn merge_sort<'r, H: Host<'r> + ?Sized>(host: &mut H, items: Items<'r>) -> OpResult<Vec<u32>> {
    let mut runs: Vec<u32> = (0..items.len() as u32).collect();
    // Runs have width 1, 2, 4, ... Merging removes duplicates, so each run keeps its own length.
    let mut lengths: Vec<usize> = vec![1; items.len()];
    while lengths.len() > 1 {
        let mut merged = Vec::with_capacity(runs.len());
        let mut merged_lengths = Vec::with_capacity(lengths.len() / 2 + 1);
        let mut rest: &[u32] = &runs;
        for pair in lengths.chunks(2) {
            host.check_limits()?;
            let (left, after) = rest.split_at(pair[0]);
            let (right, after) = after.split_at(pair.get(1).copied().unwrap_or(0));
            let before = merged.len();
            merge(host, items, (left, right), &mut merged)?;
            merged_lengths.push(merged.len() - before);
            rest = after;
        }
        (runs, lengths) = (merged, merged_lengths);
    }
    Ok(runs)
}

fn merge<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    items: Items<'r>,
    (mut left, mut right): (&[u32], &[u32]),
    out: &mut Vec<u32>,
) -> OpResult<()> {
    while let ([first, left_rest @ ..], [second, right_rest @ ..]) = (left, right) {
        let ordering = compare(host, items.get(*first as usize), items.get(*second as usize))?;
        if ordering.is_le() {
            out.push(*first);
            left = left_rest;
        }
        if ordering.is_gt() {
            out.push(*second);
        }
        if ordering.is_ge() {
            right = right_rest;
        }
    }
    out.extend_from_slice(left);
    out.extend_from_slice(right);
    Ok(())
}
