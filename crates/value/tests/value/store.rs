//! The visited set.

use std::sync::atomic::{AtomicUsize, Ordering};

use value::{StateStore, ValueId};

fn state(n: usize) -> [ValueId; 3] {
    [n % 7, n / 7, n % 100].map(|bits| ValueId::from_bits(bits as u32))
}

#[test]
fn states_are_found_and_given_back() {
    let store = StateStore::new(3);
    let mut ids = Vec::new();
    for n in 0..5000 {
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
    assert_eq!(store.len(), 5000);
    assert!(store.bytes_used() > 5000 * 12);
}

#[test]
fn a_state_without_variables_is_one_state() {
    let store = StateStore::new(0);
    assert!(store.insert(&[]).unwrap().1);
    assert!(!store.insert(&[]).unwrap().1);
}

#[test]
fn each_state_is_new_for_one_thread_only() {
    const N_STATES: usize = 20_000;
    let store = StateStore::new(3);
    let n_new = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (store, n_new) = (&store, &n_new);
            scope.spawn(move || {
                for step in 0..N_STATES {
                    // Each thread in an order of its own.
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
