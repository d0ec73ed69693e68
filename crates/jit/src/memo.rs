//! Results that are kept by the values of variables.
//!
//! An action that reads few of the variables does the same in every state in which these few have the same values, and
//! there are far fewer such projections than states. So the result of a piece of code is kept by the ids of the
//! variables that it reads, in a row for all the code that reads the same ones. Rows that are seldom used twice are
//! given up, and tried again later. Workers share the rows: one need not compute again what another has found.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use value::{NoRoom, RowPool, RowTable, SpareRows, mix_id, prefetch};

/// Limit on the variables that code may read for its results to be kept.
const VARIABLES_MAX: u32 = 8;
/// Number of lookups in a set of rows between two checks whether it pays.
const ASKED_PER_LOOK: u32 = 1 << 13;
/// Rows pay if fewer than one in this many lookups makes a new one.
const ASKED_PER_NEW: u32 = 2;
/// Number of checks for which rows that did not pay are left alone: at first, and at most. A search begins with many
/// new values.
const LOOKS_OFF_MIN: u32 = 1;
const LOOKS_OFF_MAX: u32 = 16;
/// Limit on the words of rows.
const WORDS_MAX: usize = 1 << 24;
/// Number of words of rows that are in a cache anyway.
const WORDS_AT_HAND: usize = 1 << 14;
/// Number of words that come from memory at once.
const LINE_WORDS: usize = 64 / size_of::<u32>();

/// The sets of variables that some code reads.
#[derive(Clone, Debug, Default)]
pub(crate) struct MemoPlan {
    projections: Vec<Projection>,
}

/// A set of variables, and the number of words kept for each of their values.
#[derive(Clone, Debug)]
struct Projection {
    reads: u64,
    n_words: usize,
}

/// The place of the results of a piece of code: in the rows of a projection, from this word on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    pub projection: usize,
    pub word: usize,
}

impl MemoPlan {
    /// Reserves `n_words` beside the other results that depend on these variables, if that may pay.
    pub fn cell(&mut self, reads: u64, n_words: usize, n_variables: usize) -> Option<Cell> {
        let n_reads = reads.count_ones();
        if n_reads > VARIABLES_MAX || n_reads as usize >= n_variables {
            return None;
        }
        let known = self.projections.iter().position(|projection| projection.reads == reads);
        let index = known.unwrap_or_else(|| {
            self.projections.push(Projection { reads, n_words: 0 });
            self.projections.len() - 1
        });
        Some(self.widen(index, n_words))
    }

    /// Reserves `n_words` more in each row of a projection.
    pub fn widen(&mut self, projection: usize, n_words: usize) -> Cell {
        let row = &mut self.projections[projection];
        row.n_words += n_words;
        Cell { projection, word: row.n_words - n_words }
    }

    pub fn len(&self) -> usize {
        self.projections.len()
    }

    /// Makes the rows for the plan, which all workers share.
    pub fn rows(&self) -> Arc<RowPool> {
        let kinds = self.projections.iter().map(|of| (of.reads.count_ones() as usize, of.n_words));
        Arc::new(RowPool::new(kinds, WORDS_MAX))
    }
}

impl Projection {
    fn variables(&self) -> Variables {
        let mut all = Variables { all: [0; VARIABLES_MAX as usize], n: 0 };
        for variable in (0..64).filter(|variable| self.reads >> variable & 1 != 0) {
            all.all[usize::from(all.n)] = variable;
            all.n += 1;
        }
        all
    }
}

/// A few variables, in order.
// PERF: no pointer to follow in each question.
#[derive(Clone, Copy)]
struct Variables {
    all: [u8; VARIABLES_MAX as usize],
    n: u8,
}

impl Deref for Variables {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.all[..usize::from(self.n)]
    }
}

/// One worker's view of the rows of one plan.
#[derive(Default)]
pub(crate) struct Memos {
    pool: Arc<RowPool>,
    all: Vec<Rows>,
    /// The start of the row of the current state for each projection; `None` if there is none now.
    current: Vec<Option<usize>>,
    /// The addresses of these rows, 0 for none: see [`Memos::addresses`].
    addresses: Vec<usize>,
    /// The projections whose rows will be needed soon, with the places in their index.
    foreseen: Vec<(u32, u32)>,
    n_words_max: usize,
    /// Number of changes of the pool that were taken over.
    n_changes: usize,
}

impl fmt::Debug for Memos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memos").field("current", &self.current).finish_non_exhaustive()
    }
}

impl Memos {
    pub fn new(plan: &MemoPlan, pool: Arc<RowPool>) -> Memos {
        let n_changes = pool.n_changes();
        let rows = |(kind, projection)| Rows::new(projection, pool.latest(kind));
        let all: Vec<Rows> = plan.projections.iter().enumerate().map(rows).collect();
        Memos {
            current: vec![None; all.len()],
            addresses: vec![0; all.len()],
            foreseen: Vec::new(),
            all,
            n_words_max: 0,
            n_changes,
            pool,
        }
    }

    /// Sets the limit on memory.
    pub fn limit(&mut self, n_bytes: usize) {
        self.n_words_max = n_bytes / size_of::<u32>();
    }

    /// Makes the state with these ids the current one for [`Memos::at`].
    pub fn turn_to(&mut self, ids: &[u32]) {
        self.catch_up();
        let mut is_due = false;
        for (kind, (rows, current)) in self.all.iter_mut().zip(&mut self.current).enumerate() {
            if current.is_some_and(|row| rows.is_at(row, ids)) {
                continue;
            }
            is_due |= rows.n_asked == 0;
            *current = rows.find(ids, (&*self.pool, kind), self.n_words_max);
        }
        if is_due {
            self.make_room();
        }
    }

    /// Takes over the tables that other workers have replaced.
    #[inline]
    fn catch_up(&mut self) {
        if self.n_changes != self.pool.n_changes() {
            self.take_over();
        }
    }

    #[cold]
    fn take_over(&mut self) {
        self.n_changes = self.pool.n_changes();
        for (kind, rows) in self.all.iter_mut().enumerate() {
            let latest = self.pool.latest(kind);
            if !latest.is(&rows.table) {
                rows.change_to(latest);
                self.current[kind] = None;
            }
        }
    }

    /// Prepares for the state with these ids: first call this, then, a little later, [`Memos::fetch`].
    #[inline]
    pub fn foresee(&mut self, ids: &[u32]) {
        for (projection, rows) in self.all.iter().enumerate() {
            if rows.table.n_words_about() > WORDS_AT_HAND {
                let place = rows.table.place(rows.hash(ids));
                rows.table.at_place(place).into_iter().for_each(prefetch);
                self.foreseen.push((projection as u32, place as u32));
            }
        }
    }

    #[inline]
    pub fn fetch(&mut self) {
        for (projection, place) in self.foreseen.drain(..) {
            let table = &self.all[projection as usize].table;
            if let Some(row) = table.row_at(place as usize) {
                table.row(row).iter().step_by(LINE_WORDS).for_each(prefetch);
            }
        }
    }

    /// Returns the addresses of the rows of the current state, for code: for each projection the address of the
    /// results, or 0. They stay valid until [`Memos::turn_to`] is called again.
    pub fn addresses(&mut self) -> *const usize {
        for ((address, current), rows) in self.addresses.iter_mut().zip(&self.current).zip(&self.all) {
            *address = current.map_or(0, |row| std::ptr::from_ref(rows.table.word(row)) as usize);
        }
        self.addresses.as_ptr()
    }

    /// Returns the addresses that [`Memos::addresses`] gave for the current state.
    pub fn known_addresses(&self) -> *const usize {
        self.addresses.as_ptr()
    }

    /// Forgets the largest rows while they exceed the limit.
    #[cold]
    fn make_room(&mut self) {
        while self.all.iter().map(Rows::n_words).sum::<usize>() > self.n_words_max {
            let largest = self.all.iter().enumerate().max_by_key(|(_, rows)| rows.n_words());
            let Some((largest, _)) = largest else { return };
            self.all[largest].clear((&*self.pool, largest));
            self.current[largest] = None;
        }
    }

    /// Leaves the current state. The rows of the next one are looked up when needed.
    pub fn turn_away(&mut self) {
        self.catch_up();
        self.current.fill(None);
    }

    /// Looks up the row of a projection. Returns whether there is one.
    pub fn turn_one_to(&mut self, projection: usize, ids: &[u32]) -> bool {
        if self.all[projection].n_asked == 0 {
            self.make_room();
        }
        let current = &mut self.current[projection];
        if current.is_none() {
            *current = self.all[projection].find(ids, (&*self.pool, projection), self.n_words_max);
        }
        current.is_some()
    }

    /// Returns two neighbouring words of the results in a projection for the current state, as one.
    #[inline]
    pub fn pair(&self, cell: Cell) -> u64 {
        let Some(row) = self.current[cell.projection] else { return 0 };
        let pair = self.all[cell.projection].table.words(row + cell.word, 2);
        pair.iter().rev().fold(0, |bits, word| bits << 32 | u64::from(word.load(Ordering::Relaxed)))
    }

    /// Returns the word kept for the current state: 0 for none, also if nothing can be kept.
    #[inline]
    pub fn at(&self, cell: Cell) -> u32 {
        self.place(cell).map_or(0, |word| word.load(Ordering::Acquire))
    }

    /// Keeps a word for the current state.
    #[inline]
    pub fn keep(&self, cell: Cell, word: u32) {
        if let Some(place) = self.place(cell) {
            // Release: it may stand for a value or a list that was made just now.
            place.store(word, Ordering::Release);
        }
    }

    /// Keeps a bit, counted from the first of this word on.
    pub fn keep_bit(&self, cell: Cell, bit: usize) {
        let cell = Cell { word: cell.word + bit / 32, ..cell };
        if let Some(place) = self.place(cell) {
            place.fetch_or(1 << (bit % 32), Ordering::Relaxed);
        }
    }

    /// Whether something can be kept in a projection for the current state.
    pub fn has_row(&self, projection: usize) -> bool {
        self.current[projection].is_some()
    }

    #[inline]
    fn place(&self, cell: Cell) -> Option<&AtomicU32> {
        let row = self.current[cell.projection]?;
        Some(self.all[cell.projection].table.word(row + cell.word))
    }

    /// Returns a list that was kept.
    #[inline]
    pub fn list(&self, projection: usize, list: u32) -> impl Iterator<Item = u32> {
        self.all[projection].table.list(list)
    }

    /// Keeps a list, if there is room. Its number is not 0.
    pub fn keep_list(&mut self, projection: usize, list: &[u32]) -> Option<u32> {
        self.all[projection].table.keep_list(list)
    }
}

/// One worker's view of the results for each value of some variables.
struct Rows {
    variables: Variables,
    table: RowTable,
    spare: SpareRows,
    n_asked: u32,
    n_new: u32,
    /// Number of checks for which no rows are used.
    n_looks_off: u32,
    n_looks_off_next: u32,
}

impl Rows {
    fn new(projection: &Projection, table: RowTable) -> Rows {
        Rows {
            variables: projection.variables(),
            table,
            spare: SpareRows::default(),
            n_asked: 0,
            n_new: 0,
            n_looks_off: 0,
            n_looks_off_next: LOOKS_OFF_MIN,
        }
    }

    fn change_to(&mut self, table: RowTable) {
        self.table = table;
        self.spare = SpareRows::default();
    }

    /// Whether the row at this position is the one for these values.
    #[inline]
    fn is_at(&self, row: usize, ids: &[u32]) -> bool {
        if let [variable] = *self.variables {
            return self.table.word(row - 1).load(Ordering::Relaxed) == ids[usize::from(variable)];
        }
        let n_ids = self.variables.len();
        self.are(self.table.words(row - n_ids, n_ids), ids)
    }

    #[inline]
    fn are(&self, kept: &[AtomicU32], ids: &[u32]) -> bool {
        let mut both = kept.iter().zip(&*self.variables);
        both.all(|(id, &variable)| id.load(Ordering::Relaxed) == ids[usize::from(variable)])
    }

    /// Returns the start of the results for these values.
    #[inline]
    fn find(&mut self, ids: &[u32], pool: (&RowPool, usize), n_words_max: usize) -> Option<usize> {
        self.n_asked += 1;
        if self.n_asked == ASKED_PER_LOOK {
            self.look(pool);
        }
        if self.n_looks_off > 0 {
            return None;
        }
        let hash = self.hash(ids);
        let known = match *self.variables {
            // PERF: most rows are by one variable.
            [variable] => {
                let id = ids[usize::from(variable)];
                self.table.find(hash, |kept| kept[0].load(Ordering::Relaxed) == id)
            }
            _ => self.table.find(hash, |kept| self.are(kept, ids)),
        };
        known.or_else(|| self.add(ids, pool, n_words_max))
    }

    #[inline]
    fn hash(&self, ids: &[u32]) -> u64 {
        let mix = |hash: u64, variable: u8| mix_id(hash, ids[usize::from(variable)]);
        match *self.variables {
            // PERF: most rows are by one variable.
            [variable] => mix(0, variable),
            _ => self.variables.iter().fold(0, |hash, &variable| mix(hash, variable)),
        }
    }

    #[cold]
    fn add(&mut self, ids: &[u32], pool: (&RowPool, usize), n_words_max: usize) -> Option<usize> {
        self.n_new += 1;
        if self.n_words() > n_words_max {
            self.clear(pool);
        }
        let hash = self.hash(ids);
        let own: Vec<u32> = self.variables.iter().map(|&variable| ids[usize::from(variable)]).collect();
        let no_room = match self.table.add(hash, &own, &mut self.spare) {
            Ok(row) => return Some(row),
            Err(no_room) => no_room,
        };
        match no_room {
            NoRoom::InIndex => self.change(pool, RowTable::with_larger_index),
            NoRoom::ForRows => self.clear(pool),
        }
        self.table.add(hash, &own, &mut self.spare).ok()
    }

    fn n_words(&self) -> usize {
        self.table.n_words()
    }

    /// Forgets all rows, and gives their memory back.
    fn clear(&mut self, pool: (&RowPool, usize)) {
        self.change(pool, RowTable::without_rows);
    }

    /// Replaces the table by the result of `make`, or by the replacement that another worker has made.
    fn change(&mut self, (pool, kind): (&RowPool, usize), make: fn(&RowTable) -> RowTable) {
        self.change_to(pool.replace(kind, &self.table, make));
    }

    /// Decides whether rows pay.
    #[cold]
    fn look(&mut self, pool: (&RowPool, usize)) {
        let pays = self.n_new * ASKED_PER_NEW < self.n_asked;
        (self.n_asked, self.n_new) = (0, 0);
        if self.n_looks_off > 0 {
            self.n_looks_off -= 1;
        } else if pays {
            self.n_looks_off_next = LOOKS_OFF_MIN;
        } else {
            self.clear(pool);
            self.n_looks_off = self.n_looks_off_next;
            self.n_looks_off_next = (2 * self.n_looks_off_next).min(LOOKS_OFF_MAX);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Cell, MemoPlan, Memos};

    fn memos(reads: u64) -> (Memos, Cell) {
        let mut plan = MemoPlan::default();
        let cell = plan.cell(reads, 2, 3).expect("it reads less than all");
        let mut memos = Memos::new(&plan, plan.rows());
        memos.limit(1 << 20);
        (memos, cell)
    }

    #[test]
    fn what_is_kept_depends_on_what_is_read() {
        let (mut memos, cell) = memos(0b101);
        for round in 0..3 {
            for id in 0..1000 {
                memos.turn_to(&[id, round, 7 * id]);
                let second = Cell { word: cell.word + 1, ..cell };
                let kept = [memos.at(cell), memos.at(second)];
                assert_eq!(kept, if round == 0 { [0, 0] } else { [id + 1, round] });
                memos.keep(cell, id + 1);
                memos.keep(second, round + 1);
            }
        }
    }

    #[test]
    fn lists_are_as_they_were() {
        let (mut memos, cell) = memos(0b010);
        memos.turn_to(&[1, 2, 3]);
        let lists = [vec![], vec![5], vec![1, 2, 3]];
        let kept: Option<Vec<u32>> =
            lists.iter().map(|list| memos.keep_list(cell.projection, list)).collect();
        for (list, kept) in lists.iter().zip(kept.expect("there is room")) {
            assert!(kept != 0 && memos.list(cell.projection, kept).eq(list.iter().copied()));
        }
    }

    #[test]
    fn what_is_never_asked_again_is_not_kept() {
        let (mut memos, cell) = memos(0b001);
        let has_row = |memos: &mut Memos, id| {
            memos.turn_to(&[id, 0, 0]);
            memos.has_row(cell.projection)
        };
        let n_rows = (0..100_000).filter(|&id| has_row(&mut memos, id)).count();
        assert!((10_000..50_000).contains(&n_rows), "{n_rows} rows");
        // Later it pays.
        assert!((0..1_000_000).any(|_| has_row(&mut memos, 5)));
    }

    #[test]
    fn what_does_not_fit_is_forgotten() {
        let (mut memos, cell) = memos(0b001);
        memos.limit(1 << 14);
        let mut n_words_most = 0;
        for id in 0..10_000 {
            memos.turn_to(&[id / 10, 0, 0]);
            memos.keep(cell, 1);
            assert_eq!(memos.at(cell), 1, "rows pay");
            n_words_most = n_words_most.max(memos.all[0].n_words());
        }
        assert!(n_words_most * 4 < 2 << 14);
    }

    #[test]
    fn nothing_is_kept_for_code_that_reads_all() {
        assert_eq!(MemoPlan::default().cell(0b111, 1, 3), None);
        assert_eq!(MemoPlan::default().cell(0b110, 1, 3), Some(Cell { projection: 0, word: 0 }));
    }
}
