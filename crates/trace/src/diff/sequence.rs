//! Differences of two sequences: items appended, removed from the front, replaced in place, or a stretch exchanged.

use super::{ChangeKind, Differ, PathStep};
use crate::Datum;

/// The longest shift that is looked for, so that the time stays proportional to the length.
const SHIFT_MAX: usize = 16;

/// Adds the differences of two different sequences, each given as a value and as its items.
pub(super) fn diff<'a>(
    differ: &mut Differ<'a>,
    (old, old_items): (&'a Datum, &'a [Datum]),
    (new, new_items): (&'a Datum, &'a [Datum]),
) {
    let n_old = old_items.len();
    let changed = Stretch::of(old_items, new_items);
    let n_touched = changed.n_removed.max(changed.n_added);
    let shift = opt_shift(old_items, new_items).filter(|&n| n + new_items.len() - (n_old - n) < n_touched);
    if let Some(n_taken) = shift {
        let (removed, appended) = (&old_items[..n_taken], &new_items[n_old - n_taken..]);
        differ.push(ChangeKind::Items { n_old, at: 1, removed, added: &[] });
        differ.push(ChangeKind::Items { n_old, at: n_old + 1, removed: &[], added: appended });
    } else if changed.n_removed == changed.n_added {
        for index in changed.start..changed.start + changed.n_removed {
            let step = PathStep::Position(index + 1);
            differ.inside(step, |differ| differ.values(&old_items[index], &new_items[index]));
        }
    } else if changed.n_removed == n_old
        && changed.n_added == new_items.len()
        && n_old > 0
        && changed.n_added > 0
    {
        differ.push(ChangeKind::Replaced { old, new });
    } else {
        let removed = &old_items[changed.start..changed.start + changed.n_removed];
        let added = &new_items[changed.start..changed.start + changed.n_added];
        differ.push(ChangeKind::Items { n_old, at: changed.start + 1, removed, added });
    }
}

/// The stretch between the items that two sequences have in common at their start and at their end.
struct Stretch {
    start: usize,
    n_removed: usize,
    n_added: usize,
}

impl Stretch {
    fn of(old: &[Datum], new: &[Datum]) -> Stretch {
        let start = old.iter().zip(new).take_while(|(old, new)| old == new).count();
        let (old, new) = (&old[start..], &new[start..]);
        let n_end = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
        Stretch { start, n_removed: old.len() - n_end, n_added: new.len() - n_end }
    }
}

/// Returns how many items were removed from the front, if the others are now the front: a queue that was read and
/// written in one step. At least one item must remain.
fn opt_shift(old: &[Datum], new: &[Datum]) -> Option<usize> {
    (1..old.len().min(SHIFT_MAX + 1)).find(|&n_taken| new.starts_with(&old[n_taken..]))
}
