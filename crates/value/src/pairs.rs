//! Pairs of numbers, each kept once and numbered from 1: the nodes that states consist of.

use std::sync::atomic::Ordering;

use crate::Full;
use crate::ops::mix;
use crate::sync::{AtomicU32, AtomicU64, IS_SMALL, Reserve};
use crate::table::{Table, Things};

/// Limit on the number of pairs.
const N_PAIRS_MAX: usize = u32::MAX as usize - 8;

/// A set of pairs that only grows. Any number of threads may use it at once.
pub(crate) struct Pairs {
    rows: Rows,
    table: Table,
    /// The first unused number.
    next: AtomicU32,
}

/// The pairs by number, each with all bits inverted, so that an unwritten entry is not a pair.
struct Rows(Reserve<AtomicU64>);

/// A pair to look up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sought {
    pair: u64,
    hash: u64,
}

impl Sought {
    #[inline]
    pub(crate) fn new(left: u32, right: u32) -> Sought {
        let pair = join(left, right);
        Sought { pair, hash: hash(pair) }
    }
}

/// Numbers that one worker gives to the pairs that it adds.
#[derive(Debug, Default)]
pub(crate) struct NumberCursor {
    next: u32,
    end: u32,
}

impl Rows {
    #[inline]
    fn get(&self, number: u32) -> Option<u64> {
        match self.0.get(number as usize)?.load(Ordering::Acquire) {
            0 => None,
            bits => Some(!bits),
        }
    }
}

impl Things for Rows {
    fn hash(&self, number: u32) -> u64 {
        hash(self.get(number).expect("a pair is written before its number is known"))
    }

    fn prefetch(&self, number: u32) {
        self.0.prefetch(number as usize);
    }
}

impl Pairs {
    /// Makes an empty set. Returns `None` when the system gives no address space.
    pub(crate) fn new() -> Option<Pairs> {
        let rows = Reserve::dense(N_PAIRS_MAX + 1)?;
        let table = Table::new(rows.len())?;
        Some(Pairs { rows: Rows(rows), table, next: AtomicU32::new(1) })
    }

    /// Returns the number of pairs.
    pub(crate) fn len(&self) -> usize {
        self.table.len()
    }

    /// Returns a number above those of all pairs.
    pub(crate) fn end(&self) -> u32 {
        self.next.load(Ordering::Relaxed)
    }

    pub(crate) fn table(&self) -> &Table {
        &self.table
    }

    pub(crate) fn row_bytes(&self) -> usize {
        self.end() as usize * size_of::<u64>()
    }

    /// Returns the pair with this number, if there is one.
    #[inline]
    pub(crate) fn get(&self, number: u32) -> Option<(u32, u32)> {
        self.rows.get(number).map(|pair| (pair as u32, (pair >> 32) as u32))
    }

    /// Returns the number of a pair, if it has one.
    pub(crate) fn find(&self, left: u32, right: u32) -> Option<u32> {
        let Sought { pair, hash } = Sought::new(left, right);
        self.table.find_surely(hash, |number| self.rows.get(number) == Some(pair))
    }

    /// Returns the number of a pair, and whether it is new. Calls `begin` with a new number before anyone can find it.
    #[inline]
    pub(crate) fn insert(
        &self,
        Sought { pair, hash }: Sought,
        cursor: &mut NumberCursor,
        begin: impl FnOnce(u32),
    ) -> Result<(u32, bool), Full> {
        let make = || {
            let number = self.take(cursor)?;
            let row = self.rows.0.get(number as usize)?;
            begin(number);
            row.store(!pair, Ordering::Release);
            Some(number)
        };
        self.table.find_or_add(hash, |number| self.rows.get(number) == Some(pair), &self.rows, make)
    }

    /// Adds a pair that nobody will look up, whether it is there or not, and returns its number.
    pub(crate) fn append(&self, pair: Sought, cursor: &mut NumberCursor) -> Result<u32, Full> {
        let number = self.take(cursor).ok_or(Full)?;
        let row = self.rows.0.get(number as usize).ok_or(Full)?;
        row.store(!pair.pair, Ordering::Release);
        Ok(number)
    }

    /// Gives a number to a pair that nobody will look up, where no other pair has that number.
    pub(crate) fn append_at(&self, pair: Sought, number: u32) -> Result<(), Full> {
        let end = number.checked_add(1).ok_or(Full)?;
        self.next.fetch_max(end, Ordering::Relaxed);
        self.append(pair, &mut NumberCursor { next: number, end }).map(|_| ())
    }

    /// Hints that a pair will soon be looked up: first call this, then, a little later, [`Pairs::prefetch_row`].
    #[inline]
    pub(crate) fn prefetch(&self, sought: Sought) {
        self.table.prefetch(sought.hash);
    }

    /// Returns the number that the pair may have, if it has one.
    #[inline]
    pub(crate) fn prefetch_row(&self, sought: Sought) -> Option<u32> {
        let Some(number) = self.table.guess(sought.hash) else {
            // PERF: a missing pair will be added, and another worker was probably the last to add something.
            self.table.prefetch_to_add(sought.hash);
            return None;
        };
        self.rows.0.prefetch(number as usize);
        Some(number)
    }

    /// Whether a pair has this number.
    #[inline]
    pub(crate) fn is_at(&self, sought: Sought, number: u32) -> bool {
        self.rows.get(number) == Some(sought.pair)
    }

    /// Gives a number to a pair that is not there, where no other pair has that number.
    pub(crate) fn insert_at(&self, sought: Sought, number: u32) -> Result<(), Full> {
        let end = number.checked_add(1).ok_or(Full)?;
        self.next.fetch_max(end, Ordering::Relaxed);
        self.insert(sought, &mut NumberCursor { next: number, end }, |_| {}).map(|_| ())
    }

    /// Takes an unused number.
    fn take(&self, cursor: &mut NumberCursor) -> Option<u32> {
        if cursor.next == cursor.end {
            let advance = |next: u32| next.checked_add(CURSOR_LEN);
            let start = self.next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, advance).ok()?;
            *cursor = NumberCursor { next: start, end: start + CURSOR_LEN };
        }
        cursor.next += 1;
        Some(cursor.next - 1)
    }

    /// Takes back the unused numbers of a cursor, if possible.
    pub(crate) fn give_back(&self, cursor: &mut NumberCursor) {
        let NumberCursor { next, end } = std::mem::take(cursor);
        if next < end {
            // Numbers are lost if another worker took some since.
            let _ = self.next.compare_exchange(end, next, Ordering::Relaxed, Ordering::Relaxed);
        }
    }
}

/// Number of numbers that a worker takes at once.
const CURSOR_LEN: u32 = if IS_SMALL { 2 } else { 64 };

#[inline]
fn join(left: u32, right: u32) -> u64 {
    u64::from(left) | u64::from(right) << 32
}

#[inline]
fn hash(pair: u64) -> u64 {
    mix(0x2545_f491_4f6c_dd1d, pair)
}
