//! A set of 32-bit keys that come in runs: a bit each, in pages.

use base::FxHashMap;

const PAGE_BITS: u32 = 12;
const PAGE_WORDS: usize = 1 << (PAGE_BITS - 6);

#[derive(Default)]
pub(super) struct IdSet {
    pages: FxHashMap<u32, Box<[u64; PAGE_WORDS]>>,
}

impl IdSet {
    /// Whether it is new.
    pub fn insert(&mut self, id: u32) -> bool {
        let page = self.pages.entry(id >> PAGE_BITS).or_insert_with(|| Box::new([0; PAGE_WORDS]));
        let word = &mut page[(id >> 6) as usize % PAGE_WORDS];
        let bit = 1 << (id % 64);
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::IdSet;

    #[test]
    fn each_is_new_once() {
        let mut set = IdSet::default();
        let ids = [0, 1, 63, 64, 4095, 4096, 70_000, u32::MAX - 1, u32::MAX];
        assert!(ids.iter().all(|&id| set.insert(id)));
        assert!(!ids.iter().any(|&id| set.insert(id)));
        assert!(set.insert(2));
    }
}
