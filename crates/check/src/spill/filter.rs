//! Which states were surely not visited: a Bloom filter whose bits for one state are in one cache line.
//!
//! Putze, Sanders, Singler, "Cache-, Hash- and Space-Efficient Bloom Filters": blocked, and with six bits a state in
//! place of the seven that would be best for ten.

use std::sync::atomic::{AtomicU64, Ordering};

const BITS_PER_STATE: u64 = 10;
const N_PROBES: u32 = 6;
const LINE_WORDS: usize = 8;
const LINE_BITS_LOG2: u32 = 9;

#[derive(Debug)]
pub(super) struct Filter {
    words: Box<[AtomicU64]>,
    n_lines: u64,
}

impl Filter {
    /// For so many states, if there is room for them.
    pub fn new(n_states: u64, bytes_max: u64) -> Filter {
        let line_bytes = (LINE_WORDS * size_of::<u64>()) as u64;
        let n_lines = (n_states * BITS_PER_STATE).div_ceil(1 << LINE_BITS_LOG2);
        let n_lines = n_lines.min(bytes_max / line_bytes).max(1);
        let n_words = n_lines as usize * LINE_WORDS;
        Filter { words: (0..n_words).map(|_| AtomicU64::new(0)).collect(), n_lines }
    }

    /// How many states it is good for.
    pub fn capacity(&self) -> u64 {
        (self.n_lines << LINE_BITS_LOG2) / BITS_PER_STATE
    }

    pub fn n_bytes(&self) -> usize {
        size_of_val(&*self.words)
    }

    pub fn add(&self, hash: u128) {
        let line = self.line(hash);
        for bit in probes(hash) {
            line[bit >> 6].fetch_or(1 << (bit & 63), Ordering::Relaxed);
        }
    }

    /// `false` means that the state was never added.
    pub fn may_have(&self, hash: u128) -> bool {
        let line = self.line(hash);
        probes(hash).all(|bit| line[bit >> 6].load(Ordering::Relaxed) & 1 << (bit & 63) != 0)
    }

    fn line(&self, hash: u128) -> &[AtomicU64] {
        let line = (u128::from((hash >> 64) as u64) * u128::from(self.n_lines)) >> 64;
        &self.words[line as usize * LINE_WORDS..][..LINE_WORDS]
    }
}

/// The upper half of a hash says which line, the lower which bits.
fn probes(hash: u128) -> impl Iterator<Item = usize> {
    let bits = hash as u64;
    let bit = move |probe| (bits >> (probe * LINE_BITS_LOG2)) as usize & ((1 << LINE_BITS_LOG2) - 1);
    (0..N_PROBES).map(bit)
}

#[cfg(test)]
mod tests {
    use super::Filter;
    use crate::spill::hash::hash;

    #[test]
    fn what_was_added_is_never_missed_and_little_else_is_taken_for_it() {
        const N: u32 = 100_000;
        let filter = Filter::new(u64::from(N), u64::MAX);
        let hash = |number: u32| hash(&number.to_le_bytes());
        (0..N).for_each(|number| filter.add(hash(number)));
        assert!((0..N).all(|number| filter.may_have(hash(number))));
        let n_wrong = (N..2 * N).filter(|&number| filter.may_have(hash(number))).count();
        assert!(n_wrong < N as usize / 50, "{n_wrong} of {N}");
    }

    #[test]
    fn a_filter_without_room_takes_everything_for_visited_rather_than_for_new() {
        let filter = Filter::new(1_000_000, 64);
        let hashes: Vec<u128> = (0..10_000_u32).map(|number| hash(&number.to_le_bytes())).collect();
        hashes.iter().for_each(|&hash| filter.add(hash));
        assert!(hashes.iter().all(|&hash| filter.may_have(hash)));
        assert_eq!(filter.n_bytes(), 64);
    }
}
