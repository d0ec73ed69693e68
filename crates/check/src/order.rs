//! The slots that workers found, in the order of their keys: sorted by all workers together where there are many.

use crate::crew::Crew;
use crate::space::{Space, StateSlot};

/// With fewer for each worker it takes longer to wake one than to sort.
const SLOTS_PER_WORKER_MIN: usize = 1 << 10;

/// All slots of `lists`, of which there are no more than workers, by their least keys.
pub(crate) fn in_order<'a>(space: &'a Space, crew: &Crew<'a>, lists: Vec<Vec<StateSlot>>) -> Vec<StateSlot> {
    let n_slots: usize = lists.iter().map(Vec::len).sum();
    let n_parts = crew.n_workers().min(n_slots / SLOTS_PER_WORKER_MIN);
    if n_parts < 2 || lists.len() < 2 {
        return merge_lists(space, lists.into_iter().map(|list| sort_list(space, list)).collect());
    }
    let lists = crew.each(lists, |list| sort_list(space, list));
    let borders = borders(space, &lists, n_parts);
    let slices = |part: usize| -> Vec<Vec<StateSlot>> {
        lists.iter().zip(&borders).map(|(list, at)| list[at[part]..at[part + 1]].to_vec()).collect()
    };
    let parts = crew.each((0..n_parts).map(slices).collect(), |lists| merge_lists(space, lists));
    parts.concat()
}

/// Sorts the states that one worker found. It reached them in order: only a state that another worker reached by a
/// lesser key later is out of its place.
fn sort_list(space: &Space, list: Vec<StateSlot>) -> Vec<StateSlot> {
    let mut strays = Vec::new();
    let mut last = None;
    let mut kept = list;
    kept.retain(|&slot| {
        let key = Some(space.key(slot));
        let is_stray = key < last;
        if is_stray {
            strays.push(slot);
        } else {
            last = key;
        }
        !is_stray
    });
    if strays.is_empty() {
        return kept;
    }
    strays.sort_unstable_by_key(|&slot| space.key(slot));
    merge(space, &kept, &strays)
}

/// Sorted lists as one.
fn merge_lists(space: &Space, mut lists: Vec<Vec<StateSlot>>) -> Vec<StateSlot> {
    while lists.len() > 1 {
        let pairs = lists.chunks(2).map(|pair| match pair {
            [left, right] => merge(space, left, right),
            _ => pair.concat(),
        });
        lists = pairs.collect();
    }
    lists.pop().unwrap_or_default()
}

fn merge(space: &Space, mut left: &[StateSlot], mut right: &[StateSlot]) -> Vec<StateSlot> {
    let mut slots = Vec::with_capacity(left.len() + right.len());
    while let (Some(&first), Some(&other)) = (left.first(), right.first()) {
        // PERF: a run from one list is taken at once, and keys are looked at in the order in which they lie in memory.
        let key = space.key(other);
        let n_lesser = left.iter().take_while(|&&slot| space.key(slot) < key).count();
        slots.extend_from_slice(&left[..n_lesser]);
        left = &left[n_lesser..];
        if n_lesser == 0 {
            let key = space.key(first);
            let n_lesser = right.iter().take_while(|&&slot| space.key(slot) <= key).count();
            slots.extend_from_slice(&right[..n_lesser]);
            right = &right[n_lesser..];
        }
    }
    slots.extend_from_slice(left);
    slots.extend_from_slice(right);
    slots
}

/// For each sorted list where its parts begin and end: equal keys of different lists are in one part, and parts are
/// about equally long.
fn borders(space: &Space, lists: &[Vec<StateSlot>], n_parts: usize) -> Vec<Vec<usize>> {
    let longest = lists.iter().max_by_key(|list| list.len()).map_or(&[][..], Vec::as_slice);
    let keys: Vec<_> = (1..n_parts).map(|part| space.key(longest[part * longest.len() / n_parts])).collect();
    let borders_of = |list: &Vec<StateSlot>| {
        let inner = keys.iter().map(|&key| list.partition_point(|&slot| space.key(slot) < key));
        [0].into_iter().chain(inner).chain([list.len()]).collect()
    };
    lists.iter().map(borders_of).collect()
}

#[cfg(test)]
mod tests {
    use std::thread;

    use value::ValueId;

    use super::{SLOTS_PER_WORKER_MIN, in_order};
    use crate::crew::Crew;
    use crate::space::{OrderKey, Space, StateSlot, Visit};

    /// Lists as workers make them, with some slots that others found by lesser keys.
    fn make_lists(space: &Space, n_lists: u32, n_slots: u32) -> Vec<Vec<StateSlot>> {
        let mut lists = vec![Vec::new(); n_lists as usize];
        let mut seat = space.seat();
        for n in 0..n_slots {
            let key = OrderKey { rank: n.wrapping_mul(7919) % 1000, ordinal: n };
            let visit = seat.visit(&[ValueId::from_bits(n)], key).expect("there is room");
            let Visit::Found { slot, .. } = visit else { panic!("state {n} is new") };
            lists[(n % 3 % n_lists) as usize].push(slot);
        }
        lists
    }

    #[test]
    fn any_number_of_workers_makes_one_order() {
        for n_workers in [1, 2, 3, 8] {
            for n_slots in [0, 1, 100, 4 * SLOTS_PER_WORKER_MIN as u32] {
                let space = Space::new(1, None);
                let lists = make_lists(&space, n_workers as u32, n_slots);
                let mut expected = lists.concat();
                expected.sort_by_key(|&slot| space.key(slot));
                let ordered = thread::scope(|scope| in_order(&space, &Crew::start(scope, n_workers), lists));
                assert_eq!(ordered, expected);
            }
        }
    }
}
