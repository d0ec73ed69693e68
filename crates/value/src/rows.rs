//! Rows of words that workers share, by the ids in front of them.
//!
//! For what anybody may find out again, and always finds the same: a word is 0, or what whoever came first knows. So
//! nothing here needs to be safe from loss, and readers and writers take no lock. Rows and lists stay where they are;
//! an index that is full is replaced by a larger one, and what is added to the old one after that is lost. Workers take
//! over the latest table when they please: until then they go on with the one they have, which nobody changes under
//! them but by filling in words.

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use crate::sync::{AtomicU32, AtomicUsize, IS_SMALL, Mutex, Reserve};

/// The places of the first index. There are at least twice as many places as rows.
const INDEX_LEN_MIN: usize = if IS_SMALL { 4 } else { 1 << 8 };
/// The words of a page of memory, on most machines.
const PAGE_WORDS: usize = 1 << 10;
/// How many rows a worker takes at once, so that those of different workers lie apart.
const ROWS_TAKEN: usize = if IS_SMALL { 1 } else { 8 };

/// The latest tables of several kinds of rows.
#[derive(Default)]
pub struct RowPool {
    latest: Box<[Mutex<RowTable>]>,
    /// How often a table was replaced.
    n_changes: AtomicUsize,
}

impl RowPool {
    /// For each kind of rows how many ids stand in front, and how many words follow; none has more than `n_words_max`
    /// words in all.
    pub fn new(kinds: impl Iterator<Item = (usize, usize)>, n_words_max: usize) -> RowPool {
        let table = |(n_ids, n_words)| Mutex::new(RowTable::empty(n_ids, n_ids + n_words, n_words_max));
        RowPool { latest: kinds.map(table).collect(), n_changes: AtomicUsize::new(0) }
    }

    /// While this stays the same no table was replaced.
    #[inline]
    pub fn n_changes(&self) -> usize {
        self.n_changes.load(Ordering::Relaxed)
    }

    pub fn latest(&self, kind: usize) -> RowTable {
        self.latest[kind].lock().unwrap_or_else(PoisonError::into_inner).share()
    }

    /// Replaces a table by what is made of it, unless somebody else did. The latest table.
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
    /// Where rows begin, and one more; 0 where there is none. By hash, with open addressing.
    index: Arc<[AtomicU32]>,
    words: Reserve<AtomicU32>,
    n_ids: usize,
    /// The ids and what follows them.
    stride: usize,
    // PERF: what is seldom asked for lies elsewhere, so that a search for a row looks at few cache lines.
    rest: Arc<Rest>,
}

struct Rest {
    lists: Reserve<AtomicU32>,
    n_words_max: usize,
    /// How much has been given away.
    n_rows: AtomicUsize,
    n_list_words: AtomicUsize,
}

/// Rows that a worker has taken and not filled yet.
#[derive(Debug, Default)]
pub struct SpareRows {
    first: usize,
    n: usize,
}

/// Mixes one id more into a hash.
#[inline]
pub fn mix_id(hash: u64, id: u32) -> u64 {
    (hash.rotate_left(29) ^ u64::from(id)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl RowTable {
    fn empty(n_ids: usize, stride: usize, n_words_max: usize) -> RowTable {
        let rest = Rest {
            lists: Reserve::one_of_many(n_words_max),
            n_words_max,
            n_rows: AtomicUsize::new(0),
            n_list_words: AtomicUsize::new(0),
        };
        let words = Reserve::one_of_many(n_words_max);
        RowTable { index: index(INDEX_LEN_MIN), words, n_ids, stride, rest: Arc::new(rest) }
    }

    /// The same table once more.
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

    /// One of the same kind without rows.
    pub fn cleared(&self) -> RowTable {
        RowTable::empty(self.n_ids, self.stride, self.rest.n_words_max)
    }

    /// The same rows with a larger index.
    pub fn grown(&self) -> RowTable {
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

    /// How many words of memory it takes.
    pub fn n_words(&self) -> usize {
        match self.rest.n_rows.load(Ordering::Relaxed) {
            0 => 0,
            n_rows => {
                let n_list_words = self.rest.n_list_words.load(Ordering::Relaxed);
                n_rows * self.stride + n_list_words + self.index.len()
            }
        }
    }

    /// How many words its rows may take before the index grows: to be asked often.
    #[inline]
    pub fn n_words_about(&self) -> usize {
        self.index.len() / 2 * self.stride
    }

    /// One of all words. What is kept for a row begins where [`RowTable::find`] says.
    #[inline]
    pub fn word(&self, at: usize) -> &AtomicU32 {
        self.words.at(at)
    }

    /// As many neighbouring words. Panics if there are not so many.
    #[inline]
    pub fn words(&self, from: usize, n: usize) -> &[AtomicU32] {
        self.words.part(from..from + n)
    }

    /// The words of a row, of which the first is there.
    #[inline]
    pub fn row(&self, first: usize) -> &[AtomicU32] {
        self.words(first, self.stride)
    }

    /// The place in the index where rows with this hash are looked for first.
    #[inline]
    pub fn place(&self, hash: u64) -> usize {
        (hash >> 32) as usize & (self.index.len() - 1)
    }

    #[inline]
    fn after(&self, place: usize) -> usize {
        (place + 1) & (self.index.len() - 1)
    }

    /// A place of the index, if there is one.
    #[inline]
    pub fn at_place(&self, place: usize) -> Option<&AtomicU32> {
        self.index.get(place)
    }

    /// Where the ids of the row begin that the index has at a place, if there is such a place.
    #[inline]
    pub fn row_at(&self, place: usize) -> Option<usize> {
        (self.at_place(place)?.load(Ordering::Acquire) as usize).checked_sub(1)
    }

    /// The row whose ids are those: where what is kept for it begins.
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

    /// Adds a row with these ids, or finds the one that somebody else has added meanwhile: where what is kept for it
    /// begins.
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
            // Release: whoever finds the row finds its ids.
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

    /// Writes to each page of a row that nobody has seen yet.
    ///
    /// PERF: where a row goes on in a page that is read before it is written, the system gives the page twice, and
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

    /// Keeps a list; its number is not 0. `None` if there is no room left. The number is to be stored with
    /// [`Ordering::Release`].
    pub fn keep_list(&self, list: &[u32]) -> Option<u32> {
        let taken = |n: usize| Some(n + 1 + list.len()).filter(|&n| n <= self.rest.lists.len());
        let start = self.rest.n_list_words.fetch_update(Ordering::Relaxed, Ordering::Relaxed, taken).ok()?;
        let (len, words) = self.rest.lists.part(start..start + 1 + list.len()).split_first()?;
        len.store(list.len() as u32, Ordering::Relaxed);
        words.iter().zip(list).for_each(|(word, &item)| word.store(item, Ordering::Relaxed));
        Some(start as u32 + 1)
    }

    /// A list that was kept, by the number that was loaded with [`Ordering::Acquire`].
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

/// What a table has no room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoRoom {
    /// A larger index is needed.
    InIndex,
    /// There are as many rows as there can be.
    ForRows,
}

#[cfg(all(test, not(feature = "shuttle")))]
mod tests {
    use std::sync::atomic::Ordering;
    use std::thread;

    use super::{INDEX_LEN_MIN, NoRoom, RowPool, RowTable, SpareRows, mix_id};

    const N_ROWS: u32 = if cfg!(miri) { 40 } else { 20_000 };

    /// Fills in what is known of each row, of which two ids are equal; how many it found filled.
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
                        (table, spare) = (pool.replace(0, &table, RowTable::grown), SpareRows::default());
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
        let cleared = pool.replace(0, &pool.latest(0), RowTable::cleared);
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
        // What two add at the same time, or to an index that is being replaced, may be there twice.
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
