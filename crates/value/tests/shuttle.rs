//! The shared tables under many orders of events: `cargo test -p value --features shuttle --test shuttle`.
//!
//! Tables are tiny here, so that blocks are made again and split while others read and add. What a schedule was is
//! printed when it fails.

use std::sync::{Arc, Mutex};

use value::{StateId, StateStore, ValueId};

const N_THREADS: usize = 3;
const N_STATES: usize = 14;
const N_SCHEDULES: usize = 2_000;

/// Variables that change at different rates, so that states share nodes.
fn state(n: usize) -> [ValueId; 4] {
    [n, n / 2, n / 5, 7].map(|bits| ValueId::from_bits(bits as u32))
}

/// Every thread comes to every state, each from another side, and looks back.
fn visit_all(store: &StateStore, thread: usize) -> Vec<(usize, StateId, bool)> {
    let mut seat = store.seat();
    let mut visits = Vec::new();
    for step in 0..N_STATES {
        let n = (step * [1, 3, 5][thread] + thread) % N_STATES;
        let (id, is_new) = seat.insert(&state(n), |_| {}).expect("there is room");
        visits.push((n, id, is_new));
        let mut values = state(0);
        seat.load(id, &mut values);
        assert_eq!(values, state(n));
    }
    visits
}

fn workers_agree() {
    let store = Arc::new(StateStore::new(4));
    let visits = Arc::new(Mutex::new(Vec::new()));
    let workers: Vec<_> = (0..N_THREADS)
        .map(|thread| {
            let (store, visits) = (Arc::clone(&store), Arc::clone(&visits));
            shuttle::thread::spawn(move || {
                let own = visit_all(&store, thread);
                visits.lock().expect("nobody panicked").extend(own);
            })
        })
        .collect();
    workers.into_iter().for_each(|worker| worker.join().expect("a worker ends"));
    let visits = visits.lock().expect("nobody panicked");
    let mut ids = Vec::new();
    for n in 0..N_STATES {
        let of_state: Vec<_> = visits.iter().filter(|visit| visit.0 == n).collect();
        let id = of_state[0].1;
        assert!(of_state.iter().all(|visit| visit.1 == id), "one number for state {n}");
        assert_eq!(of_state.iter().filter(|visit| visit.2).count(), 1, "state {n} is new once");
        assert!(!ids.contains(&id), "no number for two states");
        ids.push(id);
    }
    assert_eq!(store.len(), N_STATES);
    // Folded by another plan, they are the same states with the same numbers.
    store.rest().expect("there is room");
    assert!((0..N_STATES).all(|n| store.find(&state(n)) == Some(ids[n])));
}

#[test]
fn workers_agree_in_random_orders() {
    shuttle::check_random(workers_agree, N_SCHEDULES);
}

#[test]
fn workers_agree_when_some_are_held_up() {
    shuttle::check_pct(workers_agree, N_SCHEDULES, 3);
}
