//! The places that workers found, in the order of their keys: sorted by all workers together where there are many.

use crate::crew::Crew;
use crate::space::{Place, Space};

/// With fewer for each worker it takes longer to wake one than to sort.
const PLACES_PER_WORKER_MIN: usize = 1 << 10;

/// All places of `lists`, of which there are no more than workers, by their least keys.
pub(crate) fn in_order<'a>(space: &'a Space, crew: &Crew<'a>, lists: Vec<Vec<Place>>) -> Vec<Place> {
    let n_places: usize = lists.iter().map(Vec::len).sum();
    let n_parts = crew.n_workers().min(n_places / PLACES_PER_WORKER_MIN);
    if n_parts < 2 || lists.len() < 2 {
        return merged(space, lists.into_iter().map(|list| sorted(space, list)).collect());
    }
    let lists = crew.each(lists, |list| sorted(space, list));
    let borders = borders(space, &lists, n_parts);
    let slices = |part: usize| -> Vec<Vec<Place>> {
        lists.iter().zip(&borders).map(|(list, at)| list[at[part]..at[part + 1]].to_vec()).collect()
    };
    let parts = crew.each((0..n_parts).map(slices).collect(), |lists| merged(space, lists));
    parts.concat()
}

/// What one worker found. It came to the states in order: only one that another worker reached by a lesser key later
/// is out of its place.
fn sorted(space: &Space, list: Vec<Place>) -> Vec<Place> {
    let mut strays = Vec::new();
    let mut last = None;
    let mut kept = list;
    kept.retain(|&place| {
        let key = Some(space.key(place));
        let is_stray = key < last;
        if is_stray {
            strays.push(place);
        } else {
            last = key;
        }
        !is_stray
    });
    if strays.is_empty() {
        return kept;
    }
    strays.sort_unstable_by_key(|&place| space.key(place));
    merge(space, &kept, &strays)
}

/// Sorted lists as one.
fn merged(space: &Space, mut lists: Vec<Vec<Place>>) -> Vec<Place> {
    while lists.len() > 1 {
        let pairs = lists.chunks(2).map(|pair| match pair {
            [left, right] => merge(space, left, right),
            _ => pair.concat(),
        });
        lists = pairs.collect();
    }
    lists.pop().unwrap_or_default()
}

fn merge(space: &Space, mut left: &[Place], mut right: &[Place]) -> Vec<Place> {
    let mut places = Vec::with_capacity(left.len() + right.len());
    while let (Some(&first), Some(&other)) = (left.first(), right.first()) {
        // PERF: a run from one list is taken at once, and keys are looked at in the order in which they lie in memory.
        let key = space.key(other);
        let n_lesser = left.iter().take_while(|&&place| space.key(place) < key).count();
        places.extend_from_slice(&left[..n_lesser]);
        left = &left[n_lesser..];
        if n_lesser == 0 {
            let key = space.key(first);
            let n_lesser = right.iter().take_while(|&&place| space.key(place) <= key).count();
            places.extend_from_slice(&right[..n_lesser]);
            right = &right[n_lesser..];
        }
    }
    places.extend_from_slice(left);
    places.extend_from_slice(right);
    places
}

/// For each sorted list where its parts begin and end: equal keys of different lists are in one part, and parts are
/// about equally long.
fn borders(space: &Space, lists: &[Vec<Place>], n_parts: usize) -> Vec<Vec<usize>> {
    let longest = lists.iter().max_by_key(|list| list.len()).map_or(&[][..], Vec::as_slice);
    let keys: Vec<_> = (1..n_parts).map(|part| space.key(longest[part * longest.len() / n_parts])).collect();
    let borders_of = |list: &Vec<Place>| {
        let inner = keys.iter().map(|&key| list.partition_point(|&place| space.key(place) < key));
        [0].into_iter().chain(inner).chain([list.len()]).collect()
    };
    lists.iter().map(borders_of).collect()
}

#[cfg(test)]
mod tests {
    use std::thread;

    use value::ValueId;

    use super::{PLACES_PER_WORKER_MIN, in_order};
    use crate::crew::Crew;
    use crate::space::{Key, Place, Space, Visit};

    /// Lists as workers make them, with some places that others found by lesser keys.
    fn found(space: &Space, n_lists: u32, n_places: u32) -> Vec<Vec<Place>> {
        let mut lists = vec![Vec::new(); n_lists as usize];
        let mut seat = space.seat();
        for n in 0..n_places {
            let key = Key { rank: n.wrapping_mul(7919) % 1000, ordinal: n };
            let visit = seat.visit(&[ValueId::from_bits(n)], key).expect("there is room");
            let Visit::Found { place, .. } = visit else { panic!("state {n} is new") };
            lists[(n % 3 % n_lists) as usize].push(place);
        }
        lists
    }

    #[test]
    fn any_number_of_workers_makes_one_order() {
        for n_workers in [1, 2, 3, 8] {
            for n_places in [0, 1, 100, 4 * PLACES_PER_WORKER_MIN as u32] {
                let space = Space::new(1, None);
                let lists = found(&space, n_workers as u32, n_places);
                let mut expected = lists.concat();
                expected.sort_by_key(|&place| space.key(place));
                let ordered = thread::scope(|scope| in_order(&space, &Crew::start(scope, n_workers), lists));
                assert_eq!(ordered, expected);
            }
        }
    }
}
