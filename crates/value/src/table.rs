//! A hash table of numbers that only grows: many readers without a lock, one writer at a time.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

const FIRST_SLOTS_LOG2: u32 = 6;
const N_GENERATIONS: usize = 27;

/// Open addressing over slots of 64 bits: 32 of the key's hash, 32 of the payload; zero is free.
///
/// Each time it is three quarters full, a table of twice the size takes over. The old ones stay for those who
/// still read them: a reader may then miss what is added at that very moment, as if it had come a little earlier.
pub(crate) struct Table {
    generations: [OnceLock<Box<[AtomicU64]>>; N_GENERATIONS],
    current: AtomicUsize,
    len: AtomicUsize,
}

/// The right to add to a table; whoever has it holds the lock that goes with it.
pub(crate) struct Writer<'a>(&'a Table);

impl Table {
    pub(crate) fn new() -> Table {
        Table {
            generations: [const { OnceLock::new() }; N_GENERATIONS],
            current: AtomicUsize::new(0),
            len: AtomicUsize::new(0),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.len.load(Ordering::Relaxed)
    }

    pub(crate) fn bytes_used(&self) -> usize {
        self.generations.iter().filter_map(OnceLock::get).map(|slots| size_of_val(&**slots)).sum()
    }

    /// The payload with this hash that `is_it`.
    #[inline]
    pub(crate) fn find(&self, hash: u64, is_it: impl FnMut(u32) -> bool) -> Option<u32> {
        find_in(self.slots()?, tag(hash), is_it)
    }

    /// The slots in use, `None` before the first is.
    #[inline]
    fn slots(&self) -> Option<&[AtomicU64]> {
        self.generations[self.current.load(Ordering::Acquire)].get().map(|slots| &**slots)
    }

    /// `lock` must be the one that goes with this table: it keeps two writers apart.
    pub(crate) fn writer<'a, T>(&'a self, lock: &'a mut std::sync::MutexGuard<'_, T>) -> Writer<'a> {
        let _ = lock;
        Writer(self)
    }
}

impl Writer<'_> {
    /// Adds a payload that the table does not have. `false` when it cannot grow any more.
    #[must_use]
    pub(crate) fn insert(self, hash: u64, payload: u32) -> bool {
        let table = self.0;
        let Some(slots) = grown_slots(table) else { return false };
        put(slots, u64::from(tag(hash)) << 32 | u64::from(payload));
        table.len.fetch_add(1, Ordering::Relaxed);
        true
    }
}

/// The slots to write to, with room for one more.
fn grown_slots(table: &Table) -> Option<&[AtomicU64]> {
    let current = table.current.load(Ordering::Relaxed);
    let make = |generation: usize| {
        let n_slots = 1usize << (FIRST_SLOTS_LOG2 as usize + generation);
        (0..n_slots).map(|_| AtomicU64::new(0)).collect::<Box<[AtomicU64]>>()
    };
    let slots = table.generations[current].get_or_init(|| make(current));
    if table.len() < slots.len() / 4 * 3 {
        return Some(slots);
    }
    let next = current + 1;
    let larger = table.generations.get(next)?.get_or_init(|| make(next));
    for slot in slots {
        let slot = slot.load(Ordering::Relaxed);
        if slot != 0 {
            put(larger, slot);
        }
    }
    table.current.store(next, Ordering::Release);
    Some(larger)
}

fn put(slots: &[AtomicU64], slot: u64) {
    let mut index = (slot >> 32) as usize & (slots.len() - 1);
    while slots[index].load(Ordering::Relaxed) != 0 {
        index = (index + 1) & (slots.len() - 1);
    }
    slots[index].store(slot, Ordering::Release);
}

#[inline]
fn find_in(slots: &[AtomicU64], tag: u32, mut is_it: impl FnMut(u32) -> bool) -> Option<u32> {
    let mask = slots.len() - 1;
    let mut index = tag as usize & mask;
    loop {
        let slot = slots[index & mask].load(Ordering::Acquire);
        if slot == 0 {
            return None;
        }
        if (slot >> 32) as u32 == tag && is_it(slot as u32) {
            return Some(slot as u32);
        }
        index += 1;
    }
}

/// The part of the hash that is kept; never zero.
#[inline]
fn tag(hash: u64) -> u32 {
    ((hash >> 32) as u32).max(1)
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::Table;
    use crate::ops::mix;

    #[test]
    fn what_is_inserted_is_found_while_the_table_grows() {
        let (table, lock) = (Table::new(), Mutex::new(()));
        for payload in 0..10_000u32 {
            let hash = mix(7, u64::from(payload) % 5000);
            assert_eq!(table.find(hash, |other| other == payload), None);
            assert!(table.writer(&mut lock.lock().unwrap()).insert(hash, payload));
            assert_eq!(table.find(hash, |other| other == payload), Some(payload));
        }
        let all =
            (0..10_000u32).all(|n| table.find(mix(7, u64::from(n) % 5000), |other| other == n).is_some());
        assert!(all && table.len() == 10_000);
    }
}
