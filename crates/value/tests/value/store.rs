//! Tests of the visited set.

use std::sync::atomic::{AtomicUsize, Ordering};

use value::{StateStore, ValueId};

/// Number of states, enough for a plan. Miri has smaller tables, so fewer are enough.
const N_STATES: usize = if cfg!(miri) { 60 } else { 6000 };

fn state(n: usize) -> [ValueId; 3] {
    [n % 7, n / 7, n % 100].map(|bits| ValueId::from_bits(bits as u32))
}

#[test]
fn states_are_found_and_given_back() {
    let store = StateStore::new(3);
    let mut ids = Vec::new();
    for n in 0..N_STATES {
        assert_eq!(store.find(&state(n)), None);
        let (id, is_new) = store.insert(&state(n)).unwrap();
        assert!(is_new);
        assert_eq!(store.insert(&state(n)).unwrap(), (id, false));
        ids.push(id);
    }
    for (n, &id) in ids.iter().enumerate() {
        let mut values = state(0);
        store.get(id, &mut values);
        assert_eq!((values, store.find(&state(n))), (state(n), Some(id)));
    }
    assert_eq!(store.len(), N_STATES);
    assert!(store.bytes().total() > N_STATES * 12);
}

#[test]
fn states_that_are_not_searched_are_given_back_by_their_numbers() {
    let (store, searched) = (StateStore::unsearched(3), StateStore::new(3));
    let mut ids = Vec::new();
    for n in 0..N_STATES {
        ids.push(store.seat().append(&state(n / 2)).unwrap());
        searched.insert(&state(n / 2)).unwrap();
        store.replan_if_due().unwrap();
        searched.replan_if_due().unwrap();
    }
    for (n, &id) in ids.iter().enumerate() {
        let mut values = state(0);
        store.get(id, &mut values);
        assert!(store.has(id) && values == state(n / 2));
    }
    // Every one has a number of its own, and there is no table of them.
    assert!(ids.is_sorted_by(|left, right| left < right));
    assert!(store.bytes().tables < searched.bytes().tables);
}

#[test]
fn a_state_without_variables_is_one_state() {
    let store = StateStore::new(0);
    assert!(store.insert(&[]).unwrap().1);
    assert!(!store.insert(&[]).unwrap().1);
}

#[test]
fn each_state_is_new_for_one_thread_only() {
    let store = StateStore::new(3);
    let n_new = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (store, n_new) = (&store, &n_new);
            scope.spawn(move || {
                for step in 0..N_STATES {
                    // Each thread uses an order of its own.
                    let n = (step * [1, 7919, 104_729, 3][thread] + thread * 1000) % N_STATES;
                    let (id, is_new) = store.insert(&state(n)).unwrap();
                    n_new.fetch_add(usize::from(is_new), Ordering::Relaxed);
                    let mut values = state(0);
                    store.get(id, &mut values);
                    assert_eq!(values, state(n));
                }
            });
        }
    });
    assert_eq!(store.len(), n_new.into_inner());
}

/// Makes a state whose first variables seldom change.
fn slow_state(n: usize) -> [ValueId; 5] {
    [n % 9973, n / 1000, n / 2000, n / 500, n].map(|bits| ValueId::from_bits(bits as u32))
}

#[test]
fn a_plan_saves_nodes_and_keeps_numbers() {
    let store = StateStore::new(5);
    let ids: Vec<_> = (0..N_STATES).map(|n| store.insert(&slow_state(n)).unwrap().0).collect();
    let before = store.bytes().total();
    store.replan_if_due().unwrap();
    assert!(cfg!(miri) || store.bytes().total() < before);
    for (n, &id) in ids.iter().enumerate() {
        let mut values = slow_state(0);
        store.get(id, &mut values);
        assert_eq!((values, store.find(&values)), (slow_state(n), Some(id)));
    }
    let (id, is_new) = store.insert(&slow_state(N_STATES)).unwrap();
    assert!(is_new && !ids.contains(&id) && store.len() == N_STATES + 1);
}

#[test]
fn a_seat_folds_again_what_changed() {
    let store = StateStore::new(5);
    let mut seat = store.seat();
    let mut values = slow_state(0);
    let mut ids = Vec::new();
    for n in 0..N_STATES / 3 {
        let (id, is_new) = seat.insert(&slow_state(n), |_| {}).unwrap();
        assert!(is_new);
        seat.load(id, &mut values);
        assert_eq!(values, slow_state(n));
        assert_eq!(seat.insert(&values, |_| {}).unwrap(), (id, false));
        // Go back to an earlier one from here.
        assert_eq!(seat.insert(&slow_state(n / 2), |_| {}).unwrap().0, *ids.get(n / 2).unwrap_or(&id));
        ids.push(id);
    }
}
