//! Tests of the shared tables under many orders of events: `cargo test -p value --features shuttle --test shuttle`.
//!
//! Tables are tiny here, so that blocks are rebuilt and split while others read and add. A failing schedule is printed.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use shuttle::sync::atomic::AtomicU32;
use value::{RowPool, RowTable, SpareRows, StateId, StateStore, ValueId, mix_id};

const N_THREADS: usize = 3;
const N_STATES: usize = 14;
const N_SCHEDULES: usize = 2_000;

/// Makes a state with variables that change at different rates, so that states share nodes.
fn state(n: usize) -> [ValueId; 4] {
    [n, n / 2, n / 5, 7].map(|bits| ValueId::from_bits(bits as u32))
}

/// Visits every state, each thread in another order, and looks up earlier ones.
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
    store.replan_if_due().expect("there is room");
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

const N_ROWS: u32 = 6;

/// Returns the data of a row, which is the same for every thread.
fn word_of(id: u32) -> u32 {
    id * id + 1
}

/// Fills rows, and lists that they refer to, in another order than other threads; grows and clears on the way.
fn fill_rows(pool: &RowPool, thread: u32) {
    let mut table = pool.latest(0);
    let mut spare = SpareRows::default();
    for step in 0..2 * N_ROWS {
        let id = (step * (2 * thread + 1) + thread) % N_ROWS;
        if step == N_ROWS && thread == 0 {
            (table, spare) = (pool.replace(0, &table, RowTable::without_rows), SpareRows::default());
        }
        let hash = mix_id(0, id);
        let is_it = |ids: &[AtomicU32]| ids[0].load(Ordering::Relaxed) == id;
        let Some(row) = table.find(hash, is_it).or_else(|| table.add(hash, &[id], &mut spare).ok()) else {
            (table, spare) = (pool.replace(0, &table, RowTable::with_larger_index), SpareRows::default());
            continue;
        };
        let (word, list) = (table.word(row), table.word(row + 1));
        assert!([0, word_of(id)].contains(&word.load(Ordering::Acquire)), "another's word for {id}");
        match list.load(Ordering::Acquire) {
            0 => list.store(table.keep_list(&[id, id + 1]).unwrap_or(0), Ordering::Release),
            kept => assert!(table.list(kept).eq([id, id + 1]), "another's list for {id}"),
        }
        word.store(word_of(id), Ordering::Release);
    }
}

fn workers_share_rows() {
    let pool = Arc::new(RowPool::new([(1, 2)].into_iter(), 1 << 9));
    let fill = |thread| {
        let pool = Arc::clone(&pool);
        shuttle::thread::spawn(move || fill_rows(&pool, thread))
    };
    let workers: Vec<_> = (0..N_THREADS as u32).map(fill).collect();
    workers.into_iter().for_each(|worker| worker.join().expect("a worker ends"));
    assert!(pool.n_changes() > 0, "there is too little room for all rows at first");
}

#[test]
fn workers_share_rows_in_random_orders() {
    shuttle::check_random(workers_share_rows, N_SCHEDULES);
}

#[test]
fn workers_share_rows_when_some_are_held_up() {
    shuttle::check_pct(workers_share_rows, N_SCHEDULES, 3);
}
