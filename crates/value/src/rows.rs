//! Rows of words that workers share, found by the ids in front of them.
//!
//! These are for facts that any worker can compute again with the same result: a word is 0, or the result of the first
//! worker. So nothing here needs to be safe from loss, and readers and writers take no lock. Rows and lists never move.
//! A full index is replaced by a larger one, and rows added to the old one after that are lost. Workers switch to the
//! latest table when they want to. Until then they use the one they have, in which others only fill in words.

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use crate::sync::{AtomicU32, AtomicUsize, IS_SMALL, Mutex, Reserve};

/// Length of the first index. There are at least twice as many places as rows.
const INDEX_LEN_MIN: usize = if IS_SMALL { 4 } else { 1 << 8 };
/// Number of words of a page of memory, on most machines.
const PAGE_WORDS: usize = 1 << 10;
/// Number of rows that a worker takes at once, so that those of different workers are apart.
const ROWS_TAKEN: usize = if IS_SMALL { 1 } else { 8 };

/// The latest tables of several kinds of rows.
#[derive(Default)]
pub struct RowPool {
    latest: Box<[Mutex<RowTable>]>,
    /// Number of times that a table was replaced.
    n_changes: AtomicUsize,
}

impl RowPool {
    /// Makes a pool. Each kind of rows has a number of ids in front and a number of words after them; none has more
    /// than `n_words_max` words in all.
    pub fn new(kinds: impl Iterator<Item = (usize, usize)>, n_words_max: usize) -> RowPool {
        let table = |(n_ids, n_words)| Mutex::new(RowTable::empty(n_ids, n_ids + n_words, n_words_max));
        RowPool { latest: kinds.map(table).collect(), n_changes: AtomicUsize::new(0) }
    }

    /// Returns a number that stays the same until a table is replaced.
    #[inline]
    pub fn n_changes(&self) -> usize {
        self.n_changes.load(Ordering::Relaxed)
    }

    pub fn latest(&self, kind: usize) -> RowTable {
        self.latest[kind].lock().unwrap_or_else(PoisonError::into_inner).share()
    }

    /// Replaces a table by the result of `make`, unless another worker did. Returns the latest table.
    pub fn replace(&self, kind: usize, old: &RowTable, make: impl FnOnce(&RowTable) -> RowTable) -> RowTable {
        let mut latest = self.latest[kind].lock().unwrap_or_else(PoisonError::into_inner);
        if latest.is(old) {
            *latest = make(old);
            self.n_changes.fetch_add(1, Ordering::Relaxed);
        }
        latest.share()
    }
}

/// Rows of one kind, and lists of words that rows may refer to.
pub struct RowTable {
    /// The starts of rows, plus one; 0 where there is none. By hash, with open addressing.
    index: Arc<[AtomicU32]>,
    words: Reserve<AtomicU32>,
    n_ids: usize,
    /// Number of words of a row: the ids and the words after them.
    stride: usize,
    // PERF: fields that are seldom used are elsewhere, so that a search for a row touches few cache lines.
    rest: Arc<RowStore>,
}

struct RowStore {
    lists: Reserve<AtomicU32>,
    n_words_max: usize,
    /// Number of rows given away.
    n_rows: AtomicUsize,
    n_list_words: AtomicUsize,
}

/// Rows that a worker has taken and not filled yet.
#[derive(Debug, Default)]
pub struct SpareRows {
    first: usize,
    n: usize,
}

/// Mixes one more id into a hash.
#[inline]
pub fn mix_id(hash: u64, id: u32) -> u64 {
    (hash.rotate_left(29) ^ u64::from(id)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl RowTable {
    fn empty(n_ids: usize, stride: usize, n_words_max: usize) -> RowTable {
        let rest = RowStore {
            lists: Reserve::one_of_many(n_words_max),
            n_words_max,
            n_rows: AtomicUsize::new(0),
            n_list_words: AtomicUsize::new(0),
        };
        let words = Reserve::one_of_many(n_words_max);
        RowTable { index: index(INDEX_LEN_MIN), words, n_ids, stride, rest: Arc::new(rest) }
    }

    /// Returns the same table once more.
    fn share(&self) -> RowTable {
        self.with_index(Arc::clone(&self.index))
    }

    fn with_index(&self, index: Arc<[AtomicU32]>) -> RowTable {
        RowTable { index, words: self.words.share(), rest: Arc::clone(&self.rest), ..*self }
    }

    /// Whether this is the same table, and not only one with the same rows.
    pub fn is(&self, other: &RowTable) -> bool {
        Arc::ptr_eq(&self.index, &other.index)
    }

    /// Makes a table of the same kind without rows.
    pub fn without_rows(&self) -> RowTable {
        RowTable::empty(self.n_ids, self.stride, self.rest.n_words_max)
    }

    /// Makes a table with the same rows and a larger index.
    pub fn with_larger_index(&self) -> RowTable {
        let grown = self.with_index(index(2 * self.index.len()));
        for row in self.index.iter().filter_map(|at| (at.load(Ordering::Acquire) as usize).checked_sub(1)) {
            let ids = self.words.part(row..row + self.n_ids);
            let hash = ids.iter().fold(0, |hash, id| mix_id(hash, id.load(Ordering::Relaxed)));
            let mut place = grown.place(hash);
            while grown.row_at(place).is_some() {
                place = grown.after(place);
            }
            grown.index[place].store(row as u32 + 1, Ordering::Relaxed);
        }
        grown
    }

    /// Returns the number of words of memory that it takes.
    pub fn n_words(&self) -> usize {
        match self.rest.n_rows.load(Ordering::Relaxed) {
            0 => 0,
            n_rows => {
                let n_list_words = self.rest.n_list_words.load(Ordering::Relaxed);
                n_rows * self.stride + n_list_words + self.index.len()
            }
        }
    }

    /// Returns the number of words that its rows may take before the index grows. Cheap enough to be called often.
    #[inline]
    pub fn n_words_about(&self) -> usize {
        self.index.len() / 2 * self.stride
    }

    /// Returns one of all words. The data of a row begins at the position from [`RowTable::find`].
    #[inline]
    pub fn word(&self, at: usize) -> &AtomicU32 {
        self.words.at(at)
    }

    /// Returns `n` neighbouring words. Panics if there are not so many.
    #[inline]
    pub fn words(&self, from: usize, n: usize) -> &[AtomicU32] {
        self.words.part(from..from + n)
    }

    /// Returns the words of the row whose first word is at `first`.
    #[inline]
    pub fn row(&self, first: usize) -> &[AtomicU32] {
        self.words(first, self.stride)
    }

    /// Returns the place in the index where rows with this hash are looked for first.
    #[inline]
    pub fn place(&self, hash: u64) -> usize {
        (hash >> 32) as usize & (self.index.len() - 1)
    }

    #[inline]
    fn after(&self, place: usize) -> usize {
        (place + 1) & (self.index.len() - 1)
    }

    /// Returns a place of the index, if there is one.
    #[inline]
    pub fn at_place(&self, place: usize) -> Option<&AtomicU32> {
        self.index.get(place)
    }

    /// Returns the start of the ids of the row that the index has at a place, if there is such a place.
    #[inline]
    pub fn row_at(&self, place: usize) -> Option<usize> {
        (self.at_place(place)?.load(Ordering::Acquire) as usize).checked_sub(1)
    }

    /// Finds the row whose ids are those, and returns the start of its data.
    #[inline]
    pub fn find(&self, hash: u64, mut are_those: impl FnMut(&[AtomicU32]) -> bool) -> Option<usize> {
        let mut place = self.place(hash);
        while let Some(row) = self.row_at(place) {
            if are_those(self.words(row, self.n_ids)) {
                return Some(row + self.n_ids);
            }
            place = self.after(place);
        }
        None
    }

    /// Adds a row with these ids, or finds the one that another worker has added meanwhile. Returns the start of its
    /// data.
    pub fn add(&self, hash: u64, ids: &[u32], spare: &mut SpareRows) -> Result<usize, NoRoom> {
        if spare.n == 0 {
            *spare = self.take_rows()?;
        }
        let row = spare.first;
        let own = self.words(row, self.n_ids).iter();
        own.zip(ids).for_each(|(word, &id)| word.store(id, Ordering::Relaxed));
        self.touch(row);
        let mut place = self.place(hash);
        loop {
            // Release: a worker that finds the row also finds its ids.
            let put =
                self.index[place].compare_exchange(0, row as u32 + 1, Ordering::AcqRel, Ordering::Acquire);
            let Err(other) = put else {
                *spare = SpareRows { first: row + self.stride, n: spare.n - 1 };
                return Ok(row + self.n_ids);
            };
            let other = other as usize - 1;
            let other_ids = self.words(other, self.n_ids).iter();
            if other_ids.zip(ids).all(|(word, &id)| word.load(Ordering::Relaxed) == id) {
                return Ok(other + self.n_ids);
            }
            place = self.after(place);
        }
    }

    /// Writes to each page of a row that no other worker has seen yet.
    ///
    /// PERF: if a row continues in a page that is read before it is written, the system provides the page twice, and
    /// the second time it interrupts all other workers.
    fn touch(&self, row: usize) {
        let pages = (row.next_multiple_of(PAGE_WORDS)..row + self.stride).step_by(PAGE_WORDS);
        pages
            .filter(|&word| word >= row + self.n_ids)
            .for_each(|word| self.word(word).store(0, Ordering::Relaxed));
    }

    fn take_rows(&self) -> Result<SpareRows, NoRoom> {
        let n_index_max = self.index.len() / 2;
        let n_max = n_index_max.min(self.words.len() / self.stride.max(1));
        let taken = |n_rows: usize| (n_rows < n_max).then(|| (n_rows + ROWS_TAKEN).min(n_max));
        match self.rest.n_rows.fetch_update(Ordering::Relaxed, Ordering::Relaxed, taken) {
            Ok(first) => Ok(SpareRows { first: first * self.stride, n: ROWS_TAKEN.min(n_max - first) }),
            Err(_) if n_max < n_index_max => Err(NoRoom::ForRows),
            Err(_) => Err(NoRoom::InIndex),
        }
    }

    /// Stores a list and returns its number, which is not 0. Returns `None` if there is no room left. The number must
    /// be stored with [`Ordering::Release`].
    pub fn keep_list(&self, list: &[u32]) -> Option<u32> {
        let taken = |n: usize| Some(n + 1 + list.len()).filter(|&n| n <= self.rest.lists.len());
        let start = self.rest.n_list_words.fetch_update(Ordering::Relaxed, Ordering::Relaxed, taken).ok()?;
        let (len, words) = self.rest.lists.part(start..start + 1 + list.len()).split_first()?;
        len.store(list.len() as u32, Ordering::Relaxed);
        words.iter().zip(list).for_each(|(word, &item)| word.store(item, Ordering::Relaxed));
        Some(start as u32 + 1)
    }

    /// Returns a stored list. Its number must be loaded with [`Ordering::Acquire`].
    #[inline]
    pub fn list(&self, list: u32) -> impl Iterator<Item = u32> {
        let start = list as usize;
        let len = self.rest.lists.at(start - 1).load(Ordering::Relaxed) as usize;
        self.rest.lists.part(start..start + len).iter().map(|word| word.load(Ordering::Relaxed))
    }
}

fn index(len: usize) -> Arc<[AtomicU32]> {
    (0..len).map(|_| AtomicU32::new(0)).collect()
}

/// The part of a table that is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoRoom {
    /// The index: a larger one is needed.
    InIndex,
    /// The rows: there are as many as there can be.
    ForRows,
}

#[cfg(all(test, not(feature = "shuttle")))]
mod tests {
    use std::sync::atomic::Ordering;
    use std::thread;

    use super::{INDEX_LEN_MIN, NoRoom, RowPool, RowTable, SpareRows, mix_id};

    const N_ROWS: u32 = if cfg!(miri) { 40 } else { 20_000 };

    /// Fills in the data of each row, two of whose ids are equal. Returns the number of rows that were filled already.
    fn fill(pool: &RowPool, first: u32) -> usize {
        let (mut table, mut spare) = (pool.latest(0), SpareRows::default());
        let mut n_known = 0;
        for n in 0..N_ROWS {
            let ids = [(n + first) % N_ROWS, 7];
            let hash = ids.iter().fold(0, |hash, &id| mix_id(hash, id));
            let row = loop {
                let known = table.find(hash, |kept| {
                    kept.iter().zip(ids).all(|(kept, id)| kept.load(Ordering::Relaxed) == id)
                });
                match known.map_or_else(|| table.add(hash, &ids, &mut spare), Ok) {
                    Ok(row) => break row,
                    Err(NoRoom::InIndex) => {
                        (table, spare) =
                            (pool.replace(0, &table, RowTable::with_larger_index), SpareRows::default());
                    }
                    Err(NoRoom::ForRows) => panic!("there is room for all rows"),
                }
            };
            match table.word(row).load(Ordering::Acquire) {
                0 => table.word(row).store(ids[0] + 1, Ordering::Release),
                known => {
                    assert_eq!(known, ids[0] + 1);
                    n_known += 1;
                }
            }
        }
        n_known
    }

    #[test]
    fn rows_outlive_larger_indexes() {
        let pool = RowPool::new([(2, 1)].into_iter(), 1 << 20);
        assert_eq!(fill(&pool, 0), 0);
        assert_eq!(fill(&pool, 5), N_ROWS as usize);
        assert!(pool.latest(0).index.len() > INDEX_LEN_MIN);
        let cleared = pool.replace(0, &pool.latest(0), RowTable::without_rows);
        assert_eq!((cleared.n_words(), fill(&pool, 0)), (0, 0));
    }

    #[test]
    fn workers_fill_the_same_rows() {
        let pool = RowPool::new([(2, 1)].into_iter(), 1 << 20);
        let n_known = thread::scope(|scope| {
            let workers = [0, N_ROWS / 2].map(|first| {
                scope.spawn({
                    let pool = &pool;
                    move || fill(pool, first)
                })
            });
            workers.map(|worker| worker.join().expect("no row is another's")).iter().sum::<usize>()
        });
        // Rows that two workers add at the same time, or to an index that is being replaced, may be there twice.
        assert!(n_known > 0 && fill(&pool, 0) > N_ROWS as usize / 2);
    }

    #[test]
    fn a_table_that_is_full_says_so() {
        let pool = RowPool::new([(1, 1)].into_iter(), 2 * 3);
        let (table, mut spare) = (pool.latest(0), SpareRows::default());
        let mut add = |id: u32| table.add(mix_id(0, id), &[id], &mut spare);
        assert!((0..3).all(|id| add(id).is_ok()));
        assert_eq!(add(3), Err(NoRoom::ForRows));
        assert_eq!(table.keep_list(&[1; 6]), None);
        assert!(table.keep_list(&[1; 5]).is_some_and(|list| table.list(list).eq([1; 5])));
    }
}
