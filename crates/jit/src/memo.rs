//! What came of the same variables before.
//!
//! An action that reads few of the variables does the same in every state in which these few have the same values,
//! and there are far fewer of such projections than there are states. So what a piece of code did is kept by the ids
//! of the variables that it reads, in a row for all the code that reads the same ones. Rows that are seldom asked for
//! twice are given up, and looked at again later. One memory for each worker.

use value::prefetch;

/// How many variables code may read for its results to be kept.
const VARIABLES_MAX: u32 = 8;
/// How often a set of rows is asked between two looks at whether it pays.
const ASKED_PER_LOOK: u32 = 1 << 13;
/// Rows pay if fewer than one in so many questions makes a new one.
const ASKED_PER_NEW: u32 = 2;
/// How many looks to leave rows alone that did not pay: at first, and at most. A search begins with much that is new.
const LOOKS_OFF_MIN: u32 = 1;
const LOOKS_OFF_MAX: u32 = 16;
const INDEX_LEN_MIN: usize = 1 << 8;
/// So many words of rows are in a cache anyway.
const WORDS_AT_HAND: usize = 1 << 14;
/// What comes from memory at once.
const LINE_WORDS: usize = 64 / size_of::<u32>();

/// The sets of variables that some code reads.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    projections: Vec<Projection>,
}

/// A set of variables, and how much is kept for each of their values.
#[derive(Debug)]
struct Projection {
    reads: u64,
    n_words: usize,
}

/// Where the results of a piece of code are: in the rows of a projection, from this word on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    pub projection: usize,
    pub word: usize,
}

impl Plan {
    /// Room for `n_words` beside what else depends on these variables, if that may pay.
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

    /// Room for `n_words` more in each row of a projection.
    pub fn widen(&mut self, projection: usize, n_words: usize) -> Cell {
        let row = &mut self.projections[projection];
        row.n_words += n_words;
        Cell { projection, word: row.n_words - n_words }
    }

    pub fn len(&self) -> usize {
        self.projections.len()
    }
}

/// The rows of one plan.
#[derive(Debug, Default)]
pub(crate) struct Memos {
    all: Vec<Rows>,
    /// Where the row of the state that was asked for last begins, for each projection; `None` where there is none now.
    current: Vec<Option<usize>>,
    /// The addresses of these rows, 0 for none: see [`Memos::addresses`].
    addresses: Vec<usize>,
    /// Of which projections rows will be asked for soon, and where in their index.
    foreseen: Vec<(u32, u32)>,
    n_words_max: usize,
}

impl Memos {
    pub fn new(plan: &Plan) -> Memos {
        let all: Vec<Rows> = plan.projections.iter().map(Rows::new).collect();
        Memos {
            current: vec![None; all.len()],
            addresses: vec![0; all.len()],
            foreseen: Vec::new(),
            all,
            n_words_max: 0,
        }
    }

    /// Sets how much room there is.
    pub fn limit(&mut self, n_bytes: usize) {
        self.n_words_max = n_bytes / size_of::<u32>();
    }

    /// From now on questions are about the state with these ids, as far as they are about it by [`Memos::at`].
    pub fn turn_to(&mut self, ids: &[u32]) {
        let mut is_due = false;
        for (rows, current) in self.all.iter_mut().zip(&mut self.current) {
            if current.is_some_and(|row| rows.is_at(row, ids)) {
                continue;
            }
            is_due |= rows.n_asked == 0;
            *current = rows.find(ids, self.n_words_max);
        }
        if is_due {
            self.make_room();
        }
    }

    /// Says that questions will soon be about the state with these ids: first this, then, a little later,
    /// [`Memos::fetch`].
    #[inline]
    pub fn foresee(&mut self, ids: &[u32]) {
        for (projection, rows) in self.all.iter().enumerate() {
            if rows.words.len() > WORDS_AT_HAND {
                let place = rows.hash(ids) & (rows.index.len() - 1);
                prefetch(&rows.index[place]);
                self.foreseen.push((projection as u32, place as u32));
            }
        }
    }

    #[inline]
    pub fn fetch(&mut self) {
        for (projection, place) in self.foreseen.drain(..) {
            let rows = &self.all[projection as usize];
            let row = rows.index.get(place as usize).and_then(|&row| (row as usize).checked_sub(1));
            let words = row.and_then(|row| rows.words.get(row..row + rows.stride)).unwrap_or_default();
            words.iter().step_by(LINE_WORDS).for_each(prefetch);
        }
    }

    /// Where the rows of the current state are, for code: for each projection the address of what is kept, or 0. They
    /// stay there until [`Memos::turn_to`] is called again.
    pub fn addresses(&mut self) -> *const usize {
        for ((address, current), rows) in self.addresses.iter_mut().zip(&self.current).zip(&mut self.all) {
            *address = current.map_or(0, |row| rows.words[row..].as_mut_ptr() as usize);
        }
        self.addresses.as_ptr()
    }

    /// The same as [`Memos::addresses`] gave for the current state.
    pub fn known_addresses(&self) -> *const usize {
        self.addresses.as_ptr()
    }

    /// Forgets the largest rows while there is more than there may be.
    #[cold]
    fn make_room(&mut self) {
        while self.all.iter().map(Rows::n_words).sum::<usize>() > self.n_words_max {
            let largest = self.all.iter().enumerate().max_by_key(|(_, rows)| rows.n_words());
            let Some((largest, _)) = largest else { return };
            self.all[largest].clear();
            self.current[largest] = None;
        }
    }

    /// From now on questions are about another state; its rows are looked for when they are needed.
    pub fn turn_away(&mut self) {
        self.current.fill(None);
    }

    /// Looks for the row of a projection. Whether there is one.
    pub fn turn_one_to(&mut self, projection: usize, ids: &[u32]) -> bool {
        if self.all[projection].n_asked == 0 {
            self.make_room();
        }
        let current = &mut self.current[projection];
        if current.is_none() {
            *current = self.all[projection].find(ids, self.n_words_max);
        }
        current.is_some()
    }

    /// What is kept in a projection for the current state.
    #[inline]
    pub fn row(&self, projection: usize) -> Option<&[u32]> {
        let row = self.current[projection]?;
        self.all[projection].words.get(row..)
    }

    /// What is kept there, for the current state: 0 for nothing.
    #[inline]
    pub fn at(&self, cell: Cell) -> Option<&[u32]> {
        let row = self.current[cell.projection]?;
        Some(&self.all[cell.projection].words[row + cell.word..])
    }

    #[inline]
    pub fn at_mut(&mut self, cell: Cell) -> Option<&mut [u32]> {
        let row = self.current[cell.projection]?;
        Some(&mut self.all[cell.projection].words[row + cell.word..])
    }

    /// A list that was kept.
    #[inline]
    pub fn list(&self, projection: usize, list: u32) -> &[u32] {
        let lists = &self.all[projection].lists;
        let start = list as usize;
        &lists[start..start + lists[start - 1] as usize]
    }

    /// Keeps a list; its number is not 0.
    pub fn keep_list(&mut self, projection: usize, list: &[u32]) -> u32 {
        let lists = &mut self.all[projection].lists;
        lists.push(list.len() as u32);
        lists.extend_from_slice(list);
        (lists.len() - list.len()) as u32
    }
}

/// What is known for each value of some variables.
#[derive(Debug)]
struct Rows {
    variables: Vec<u8>,
    /// How many words a row has: the ids of the variables, then what is kept.
    stride: usize,
    words: Vec<u32>,
    lists: Vec<u32>,
    /// Where rows begin, and one more; 0 where there is none. By hash, with open addressing.
    index: Vec<u32>,
    n_rows: usize,
    n_asked: u32,
    n_new: u32,
    /// For so many looks nobody gets a row.
    n_looks_off: u32,
    n_looks_off_next: u32,
}

impl Rows {
    fn new(projection: &Projection) -> Rows {
        let variables: Vec<u8> = (0..64).filter(|variable| projection.reads >> variable & 1 != 0).collect();
        Rows {
            stride: variables.len() + projection.n_words,
            variables,
            words: Vec::new(),
            lists: Vec::new(),
            index: vec![0; INDEX_LEN_MIN],
            n_rows: 0,
            n_asked: 0,
            n_new: 0,
            n_looks_off: 0,
            n_looks_off_next: LOOKS_OFF_MIN,
        }
    }

    /// Whether what is kept for these values begins there.
    #[inline]
    fn is_at(&self, row: usize, ids: &[u32]) -> bool {
        if let [variable] = *self.variables {
            return self.words[row - 1] == ids[usize::from(variable)];
        }
        let kept = &self.words[row - self.variables.len()..row];
        kept.iter().zip(&self.variables).all(|(&id, &variable)| id == ids[usize::from(variable)])
    }

    /// Where what is kept for these values begins.
    #[inline]
    fn find(&mut self, ids: &[u32], n_words_max: usize) -> Option<usize> {
        self.n_asked += 1;
        if self.n_asked == ASKED_PER_LOOK {
            self.look();
        }
        if self.n_looks_off > 0 {
            return None;
        }
        let mask = self.index.len() - 1;
        let mut place = self.hash(ids) & mask;
        while let Some(row) = (self.index[place] as usize).checked_sub(1) {
            let row = row + self.variables.len();
            if self.is_at(row, ids) {
                return Some(row);
            }
            place = (place + 1) & mask;
        }
        Some(self.add(ids, n_words_max))
    }

    #[inline]
    fn hash(&self, ids: &[u32]) -> usize {
        let mix = |hash: u64, variable: u8| {
            let id = u64::from(ids[usize::from(variable)]);
            (hash.rotate_left(29) ^ id).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        };
        let mixed = match *self.variables {
            // PERF: most rows are by one variable.
            [variable] => mix(0, variable),
            _ => self.variables.iter().fold(0, |hash, &variable| mix(hash, variable)),
        };
        (mixed >> 32) as usize
    }

    #[cold]
    fn add(&mut self, ids: &[u32], n_words_max: usize) -> usize {
        self.n_new += 1;
        if self.n_words() > n_words_max {
            self.clear();
        }
        if 2 * self.n_rows >= self.index.len() {
            self.grow();
        }
        let row = self.words.len();
        self.words.extend(self.variables.iter().map(|&variable| ids[usize::from(variable)]));
        self.words.resize(row + self.stride, 0);
        let place = self.hash(ids);
        self.put(place, row);
        self.n_rows += 1;
        row + self.variables.len()
    }

    fn n_words(&self) -> usize {
        match self.n_rows {
            0 => 0,
            _ => self.words.len() + self.lists.len() + self.index.len(),
        }
    }

    fn put(&mut self, mut place: usize, row: usize) {
        let mask = self.index.len() - 1;
        place &= mask;
        while self.index[place] != 0 {
            place = (place + 1) & mask;
        }
        self.index[place] = row as u32 + 1;
    }

    fn grow(&mut self) {
        self.index = vec![0; 2 * self.index.len()];
        let mut ids = [0; 64];
        for row in (0..self.words.len()).step_by(self.stride) {
            for (nth, &variable) in self.variables.iter().enumerate() {
                ids[usize::from(variable)] = self.words[row + nth];
            }
            let place = self.hash(&ids);
            self.put(place, row);
        }
    }

    /// Forgets all rows, and gives their memory back.
    fn clear(&mut self) {
        (self.words, self.lists) = (Vec::new(), Vec::new());
        self.index = vec![0; INDEX_LEN_MIN];
        self.n_rows = 0;
    }

    /// Whether rows pay.
    #[cold]
    fn look(&mut self) {
        let pays = self.n_new * ASKED_PER_NEW < self.n_asked;
        (self.n_asked, self.n_new) = (0, 0);
        if self.n_looks_off > 0 {
            self.n_looks_off -= 1;
        } else if pays {
            self.n_looks_off_next = LOOKS_OFF_MIN;
        } else {
            self.clear();
            self.n_looks_off = self.n_looks_off_next;
            self.n_looks_off_next = (2 * self.n_looks_off_next).min(LOOKS_OFF_MAX);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Cell, Memos, Plan};

    fn memos(reads: u64) -> (Memos, Cell) {
        let mut plan = Plan::default();
        let cell = plan.cell(reads, 2, 3).expect("it reads less than all");
        let mut memos = Memos::new(&plan);
        memos.limit(1 << 20);
        (memos, cell)
    }

    #[test]
    fn what_is_kept_depends_on_what_is_read() {
        let (mut memos, cell) = memos(0b101);
        for round in 0..3 {
            for id in 0..1000 {
                memos.turn_to(&[id, round, 7 * id]);
                let kept = memos.at_mut(cell).expect("there is room");
                assert_eq!(kept[..2], if round == 0 { [0, 0] } else { [id + 1, round] });
                kept[..2].copy_from_slice(&[id + 1, round + 1]);
            }
        }
    }

    #[test]
    fn lists_are_as_they_were() {
        let (mut memos, cell) = memos(0b010);
        memos.turn_to(&[1, 2, 3]);
        let lists = [vec![], vec![5], vec![1, 2, 3]];
        let kept: Vec<u32> = lists.iter().map(|list| memos.keep_list(cell.projection, list)).collect();
        for (list, kept) in lists.iter().zip(kept) {
            assert!(kept != 0 && memos.list(cell.projection, kept) == list);
        }
    }

    #[test]
    fn what_is_never_asked_again_is_not_kept() {
        let (mut memos, cell) = memos(0b001);
        let has_row = |memos: &mut Memos, id| {
            memos.turn_to(&[id, 0, 0]);
            memos.at(cell).is_some()
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
            memos.at_mut(cell).expect("rows pay")[0] = 1;
            n_words_most = n_words_most.max(memos.all[0].words.len());
        }
        assert!(n_words_most * 4 < 2 << 14);
    }

    #[test]
    fn nothing_is_kept_for_code_that_reads_all() {
        assert_eq!(Plan::default().cell(0b111, 1, 3), None);
        assert_eq!(Plan::default().cell(0b110, 1, 3), Some(Cell { projection: 0, word: 0 }));
    }
}
