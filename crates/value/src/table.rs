//! A hash table of numbers that only grows: readers take no lock, writers lock one block.
//!
//! It uses extendible hashing. The low bits of a hash choose an entry of the directory, which names a block; inside,
//! slots of 32 bits are found by open addressing. A slot has the number, and in the bits that the numbers do not need
//! yet, bits of its hash. A full block is rebuilt in its place, a little larger. When it has its full size, half of it
//! moves to a new one. So growth never stops more than a block, and no old table is kept.
//!
//! A reader can look into a block while it is rebuilt, and miss entries. So a hit counts, because the caller compares
//! the thing itself; a miss is looked up again under the block's lock.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::sync::{PoisonError, TryLockError};

use crate::Full;
use crate::mem::prefetch_to_write;
use crate::sync::{AtomicU32, AtomicU64, AtomicUsize, IS_SMALL, Mutex, MutexGuard, Reserve};

/// Largest number of slots of a block.
const BLOCK_SLOTS: usize = if IS_SMALL { 16 } else { 1 << 13 };
const BLOCK_SLOTS_MIN: usize = if IS_SMALL { 4 } else { 64 };
/// Number of slots of a page. A larger block has whole pages.
const PAGE_SLOTS: usize = if IS_SMALL { 8 } else { 1 << 10 };
/// Number of locks that the blocks share.
const N_STRIPES: usize = if IS_SMALL { 2 } else { 128 };
/// Number of entries between the infos of two blocks. Each changes with every addition, so that each has a cache line
/// of its own.
const INFO_STEP: usize = 16;
const DIRECTORY_LEN_MAX: usize = 1 << 21;
/// The directory begins with `1 << FIRST_DEPTH` blocks, so that a few workers have locks of their own from the start.
const FIRST_DEPTH: u32 = if IS_SMALL { 0 } else { 3 };
/// The first bit of a hash that a slot may have room for. The lower bits chose the block, the topmost the place in it.
const TAG_SHIFT: u32 = 20;
/// Number of things that are prefetched when a block is rebuilt, because they are anywhere in memory.
const LOOK_AHEAD: usize = 16;

pub(crate) struct Table {
    slots: Reserve<AtomicU32>,
    /// The entries by the low bits of a hash; see [`BlockEntry`].
    directory: Reserve<AtomicU64>,
    /// The mask of those bits. It determines the length of the directory.
    mask: AtomicUsize,
    /// For each block, the number of its taken slots and the number of low bits that its hashes share; see [`Info`].
    infos: Reserve<AtomicU32>,
    stripes: Box<[Stripe]>,
    /// Number of blocks. The directory is changed under this lock.
    n_blocks: Mutex<usize>,
    /// Number of slots that the blocks use together.
    n_slots: AtomicUsize,
}

/// The lock of some of the blocks, on a cache line of its own.
#[derive(Default)]
#[repr(align(64))]
struct Stripe {
    lock: Mutex<()>,
    n_added: AtomicUsize,
    /// Number of times that a thread had to wait.
    n_waits: AtomicUsize,
}

/// A block, the number of slots it uses, and the number of bits of a slot that hold the number.
#[derive(Clone, Copy, PartialEq, Eq)]
struct BlockEntry {
    block: usize,
    n_slots: usize,
    n_bits: u32,
}

impl BlockEntry {
    fn bits(self) -> u64 {
        (self.block as u64) << 32 | (self.n_slots as u64) << 8 | u64::from(self.n_bits)
    }

    #[inline]
    fn of_bits(bits: u64) -> BlockEntry {
        BlockEntry {
            block: (bits >> 32) as usize,
            n_slots: (bits >> 8 & 0xff_ffff) as usize,
            n_bits: (bits & 0xff) as u32,
        }
    }

    /// Returns the mask of the bits of a slot that hold the number.
    #[inline]
    fn number_mask(self) -> u32 {
        (1u64.wrapping_shl(self.n_bits) as u32).wrapping_sub(1)
    }

    /// Returns the other bits of the slot of something with this hash.
    #[inline]
    fn tag(self, hash: u64) -> u32 {
        u64::from((hash >> TAG_SHIFT) as u32).wrapping_shl(self.n_bits) as u32
    }

    /// Returns the place in the block to look at first.
    #[inline]
    fn home(self, hash: u64) -> usize {
        ((hash >> 32).wrapping_mul(self.n_slots as u64) >> 32) as usize
    }
}

#[derive(Clone, Copy)]
struct Info {
    len: usize,
    depth: u32,
}

impl Info {
    fn bits(self) -> u32 {
        (self.len as u32) << 8 | self.depth
    }

    fn of_bits(bits: u32) -> Info {
        Info { len: (bits >> 8) as usize, depth: bits & 0xff }
    }
}

/// The contents of a table: things that have numbers from 1.
pub(crate) trait Things {
    /// Returns the hash of a thing that the table has.
    fn hash(&self, number: u32) -> u64;

    /// Hints that its hash will soon be needed.
    fn prefetch(&self, _number: u32) {}
}

impl Table {
    /// Makes a table for at most `len_max` numbers. Returns `None` when the system gives no address space.
    pub(crate) fn new(len_max: usize) -> Option<Table> {
        let n_first = 1 << FIRST_DEPTH;
        let slots_max = (len_max.saturating_mul(2)).next_multiple_of(BLOCK_SLOTS) + n_first * BLOCK_SLOTS;
        let slots = Reserve::new(slots_max)?;
        let table = Table {
            infos: Reserve::new((slots.len() / BLOCK_SLOTS).max(n_first) * INFO_STEP)?,
            slots,
            directory: Reserve::new(DIRECTORY_LEN_MAX)?,
            mask: AtomicUsize::new(n_first - 1),
            stripes: (0..N_STRIPES).map(|_| Stripe::default()).collect(),
            n_blocks: Mutex::new(n_first),
            n_slots: AtomicUsize::new(n_first * BLOCK_SLOTS_MIN),
        };
        for block in 0..n_first {
            let entry = BlockEntry { block, n_slots: BLOCK_SLOTS_MIN, n_bits: n_bits_for(0) };
            table.directory.at(block).store(entry.bits(), Ordering::Release);
            table.set_info(block, Info { len: 0, depth: FIRST_DEPTH });
        }
        Some(table)
    }

    /// Returns the number of numbers.
    pub(crate) fn len(&self) -> usize {
        self.stripes.iter().map(|stripe| stripe.n_added.load(Ordering::Relaxed)).sum()
    }

    /// Returns how often a thread had to wait for a lock.
    pub(crate) fn n_waits(&self) -> usize {
        self.stripes.iter().map(|stripe| stripe.n_waits.load(Ordering::Relaxed)).sum()
    }

    /// Returns the bytes of slots and locks.
    pub(crate) fn bytes_used(&self) -> usize {
        self.n_slots.load(Ordering::Relaxed) * size_of::<u32>() + N_STRIPES * size_of::<Stripe>()
    }

    /// Returns the number with this hash for which `is_it` holds. `is_it` is called with any number at all, and must be
    /// certain.
    #[inline]
    pub(crate) fn find(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        self.find_in(self.entry(hash), hash, &is_it)
    }

    /// Hints that a number with this hash will soon be looked up.
    #[inline]
    pub(crate) fn prefetch(&self, hash: u64) {
        let entry = self.entry(hash);
        self.slots.prefetch(entry.block * BLOCK_SLOTS + entry.home(hash));
    }

    /// Hints that a number with this hash will soon be added.
    #[inline]
    pub(crate) fn prefetch_to_add(&self, hash: u64) {
        let block = self.entry(hash).block;
        prefetch_to_write(self.stripe(block));
        self.infos.prefetch_to_write(block * INFO_STEP);
    }

    /// Returns the first number that may have this hash, without a look at the thing itself.
    #[inline]
    pub(crate) fn guess(&self, hash: u64) -> Option<u32> {
        // In a block that is being rebuilt, anything may be found.
        self.find(hash, |number| number != 0)
    }

    /// Returns the number with this hash for which `is_it` holds. Unlike [`Table::find`], it misses nothing.
    pub(crate) fn find_surely(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        if let Some(number) = self.find(hash, &is_it) {
            return Some(number);
        }
        let (_guard, entry) = self.lock_block(hash);
        self.find_in(entry, hash, &is_it)
    }

    /// Returns the number with this hash for which `is_it` holds, and whether it is new: then `make` made it.
    #[inline]
    pub(crate) fn find_or_add(
        &self,
        hash: u64,
        is_it: impl Fn(u32) -> bool,
        things: &impl Things,
        make: impl FnOnce() -> Option<u32>,
    ) -> Result<(u32, bool), Full> {
        match self.find(hash, &is_it) {
            Some(number) => Ok((number, false)),
            None => self.add(hash, is_it, things, make),
        }
    }

    #[cold]
    fn add(
        &self,
        hash: u64,
        is_it: impl Fn(u32) -> bool,
        things: &impl Things,
        make: impl FnOnce() -> Option<u32>,
    ) -> Result<(u32, bool), Full> {
        let (mut guard, mut entry) = self.lock_block(hash);
        while self.info(entry.block).len >= len_max(entry.n_slots) {
            self.grow(hash, entry, things)?;
            drop(guard);
            (guard, entry) = self.lock_block(hash);
        }
        // Another thread may have added it between the search and the lock.
        if let Some(number) = self.find_in(entry, hash, &is_it) {
            return Ok((number, false));
        }
        let number = make().ok_or(Full)?;
        if number > entry.number_mask() {
            let info = self.info(entry.block);
            entry = self.refill(hash, BlockEntry { n_bits: n_bits_for(number), ..entry }, info, things);
        }
        put(self.block(entry), entry, hash, number);
        let info = self.info(entry.block);
        self.set_info(entry.block, Info { len: info.len + 1, ..info });
        // PERF: the thread that adds holds the lock, so that nothing is lost between reading and writing.
        let n_added = &self.stripe(entry.block).n_added;
        n_added.store(n_added.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        drop(guard);
        Ok((number, true))
    }

    #[inline]
    fn entry(&self, hash: u64) -> BlockEntry {
        let index = hash as usize & self.mask.load(Ordering::Acquire);
        BlockEntry::of_bits(self.directory.at(index).load(Ordering::Acquire))
    }

    #[inline]
    fn find_in(&self, entry: BlockEntry, hash: u64, is_it: &impl Fn(u32) -> bool) -> Option<u32> {
        let slots = self.block(entry);
        let (mask, tag) = (entry.number_mask(), entry.tag(hash));
        let home = entry.home(hash);
        let (before, behind) = slots.split_at_checked(home)?;
        let look = |slot: &AtomicU32| {
            let slot = slot.load(Ordering::Acquire);
            if slot == 0 {
                return ControlFlow::Break(None);
            }
            match (slot ^ tag) & !mask == 0 && is_it(slot & mask) {
                true => ControlFlow::Break(Some(slot & mask)),
                false => ControlFlow::Continue(()),
            }
        };
        if let ControlFlow::Break(found) = behind.iter().try_for_each(look) {
            return found;
        }
        // A block that is being rebuilt may be full for a moment: no slot is read twice.
        before.iter().try_for_each(look).break_value().flatten()
    }

    #[inline]
    fn block(&self, entry: BlockEntry) -> &[AtomicU32] {
        let start = entry.block * BLOCK_SLOTS;
        self.slots.part(start..start + entry.n_slots)
    }

    /// Locks the block where this hash belongs.
    fn lock_block(&self, hash: u64) -> (MutexGuard<'_, ()>, BlockEntry) {
        loop {
            let before = self.entry(hash);
            let stripe = self.stripe(before.block);
            // PERF: another worker may have it, as it may have the lock: both are fetched at once.
            self.infos.prefetch_to_write(before.block * INFO_STEP);
            let guard = match stripe.lock.try_lock() {
                Ok(guard) => guard,
                Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
                Err(TryLockError::WouldBlock) => {
                    stripe.n_waits.fetch_add(1, Ordering::Relaxed);
                    lock(&stripe.lock)
                }
            };
            // Half of a block may have moved during the wait.
            let entry = self.entry(hash);
            if entry.block == before.block {
                return (guard, entry);
            }
        }
    }

    fn stripe(&self, block: usize) -> &Stripe {
        &self.stripes[block % N_STRIPES]
    }

    fn info(&self, block: usize) -> Info {
        Info::of_bits(self.infos.at(block * INFO_STEP).load(Ordering::Relaxed))
    }

    fn set_info(&self, block: usize, info: Info) {
        self.infos.at(block * INFO_STEP).store(info.bits(), Ordering::Relaxed);
    }

    /// Makes room in the block of `entry`, whose lock is held: it gets larger, or half of it moves.
    fn grow(&self, hash: u64, entry: BlockEntry, things: &impl Things) -> Result<(), Full> {
        let info = self.info(entry.block);
        let n_slots = room_for(info.len);
        if n_slots > BLOCK_SLOTS {
            return self.split(hash, entry, info, things);
        }
        self.refill(hash, BlockEntry { n_slots, n_bits: n_bits_for(0), ..entry }, info, things);
        Ok(())
    }

    /// Rebuilds a block with another number of slots or bits; its lock is held.
    fn refill(&self, hash: u64, wanted: BlockEntry, info: Info, things: &impl Things) -> BlockEntry {
        let before = self.entry(hash);
        let things = self.things(before, things);
        let n_bits = things.iter().fold(wanted.n_bits, |bits, &(number, _)| bits.max(n_bits_for(number)));
        let entry = BlockEntry { n_bits, ..wanted };
        {
            let _n_blocks = lock(&self.n_blocks);
            self.publish(hash, entry, info.depth);
        }
        self.fill(entry, &things);
        self.n_slots.fetch_add(entry.n_slots - before.n_slots, Ordering::Relaxed);
        entry
    }

    /// Moves the things whose next bit is set to a block of their own. The lock of the old one is held.
    fn split(&self, hash: u64, entry: BlockEntry, info: Info, things: &impl Things) -> Result<(), Full> {
        let things = self.things(entry, things);
        let n_bits = things.iter().map(|&(number, _)| n_bits_for(number)).max().unwrap_or(1);
        let is_set = |&(_, hash): &(u32, u64)| hash >> info.depth & 1 != 0;
        let (moved, kept): (Vec<_>, Vec<_>) = things.into_iter().partition(is_set);
        let mut n_blocks = lock(&self.n_blocks);
        if (*n_blocks + 1) * BLOCK_SLOTS > self.slots.len() {
            return Err(Full);
        }
        self.deepen(info.depth + 1)?;
        let new = BlockEntry { block: *n_blocks, n_slots: room_for(moved.len()).min(BLOCK_SLOTS), n_bits };
        let old = BlockEntry { n_slots: room_for(kept.len()).min(BLOCK_SLOTS), n_bits, ..entry };
        let depth = info.depth + 1;
        // A thread that finds the new block must find it complete, because its lock is another one.
        self.set_info(new.block, Info { len: moved.len(), depth });
        self.fill(new, &moved);
        *n_blocks += 1;
        let bit = 1 << info.depth;
        self.publish(hash | bit, new, depth);
        self.publish(hash & !bit, old, depth);
        drop(n_blocks);
        self.n_slots.fetch_add(new.n_slots + old.n_slots - entry.n_slots, Ordering::Relaxed);
        self.set_info(old.block, Info { len: kept.len(), depth });
        self.fill(old, &kept);
        let start = old.block * BLOCK_SLOTS;
        self.slots.discard(start + old.n_slots..start + BLOCK_SLOTS);
        Ok(())
    }

    /// Makes the directory at least `depth` deep. The lock of the directory is held.
    fn deepen(&self, depth: u32) -> Result<(), Full> {
        let len = self.mask.load(Ordering::Relaxed) + 1;
        if 1usize << depth <= len {
            return Ok(());
        }
        if 2 * len > self.directory.len() {
            return Err(Full);
        }
        for index in 0..len {
            let entry = self.directory.at(index).load(Ordering::Relaxed);
            self.directory.at(len + index).store(entry, Ordering::Release);
        }
        self.mask.store(2 * len - 1, Ordering::Release);
        Ok(())
    }

    /// Sets every entry of the directory that shares `depth` low bits with `hash`. Its lock is held.
    fn publish(&self, hash: u64, entry: BlockEntry, depth: u32) {
        let len = self.mask.load(Ordering::Relaxed) + 1;
        let first = hash as usize & ((1 << depth) - 1);
        for index in (first..len).step_by(1 << depth) {
            self.directory.at(index).store(entry.bits(), Ordering::Release);
        }
    }

    /// Returns the contents of a block, with the hashes.
    fn things(&self, entry: BlockEntry, things: &impl Things) -> Vec<(u32, u64)> {
        let mask = entry.number_mask();
        let slots = self.block(entry).iter().map(|slot| slot.load(Ordering::Relaxed));
        let mut found: Vec<(u32, u64)> =
            slots.filter(|&slot| slot != 0).map(|slot| (slot & mask, 0)).collect();
        for index in 0..found.len() {
            if let Some(&(number, _)) = found.get(index + LOOK_AHEAD) {
                things.prefetch(number);
            }
            found[index].1 = things.hash(found[index].0);
        }
        found
    }

    /// Replaces the contents of a block.
    fn fill(&self, entry: BlockEntry, things: &[(u32, u64)]) {
        let slots = self.block(entry);
        slots.iter().for_each(|slot| slot.store(0, Ordering::Relaxed));
        for &(number, hash) in things {
            put(slots, entry, hash, number);
        }
    }
}

fn put(slots: &[AtomicU32], entry: BlockEntry, hash: u64, number: u32) {
    debug_assert!(number != 0 && number <= entry.number_mask());
    let mut index = entry.home(hash);
    while slots[index].load(Ordering::Relaxed) != 0 {
        index += 1;
        if index == slots.len() {
            index = 0;
        }
    }
    slots[index].store(entry.tag(hash) | number, Ordering::Release);
}

/// Returns how many of `n_slots` may be taken.
fn len_max(n_slots: usize) -> usize {
    n_slots - n_slots / 5
}

/// Returns the number of slots of a rebuilt block with `len` things.
fn room_for(len: usize) -> usize {
    // Growing is expensive, and so is unused room: there are two steps from a block that was split to one that is full.
    let n_slots = (len + len / 4 * 3).max(BLOCK_SLOTS_MIN);
    n_slots.next_multiple_of(if n_slots > PAGE_SLOTS { PAGE_SLOTS } else { BLOCK_SLOTS_MIN })
}

/// Returns the number of bits of a slot to reserve for numbers, when this is the greatest so far.
fn n_bits_for(number: u32) -> u32 {
    (33 - number.leading_zeros()).clamp(8, 32)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

const _: () = assert!(BLOCK_SLOTS.is_multiple_of(PAGE_SLOTS) && BLOCK_SLOTS < 1 << 24);

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::{Table, Things};
    use crate::ops::mix;

    /// Small under Miri, so that it ends.
    const N_NUMBERS: u32 = if cfg!(miri) { 200 } else { 100_000 };

    /// Numbers as things. Five of them share each hash.
    struct Numbers;

    impl Things for Numbers {
        fn hash(&self, number: u32) -> u64 {
            mix(7, u64::from(number) / 5)
        }
    }

    fn add(table: &Table, number: u32) -> bool {
        let hash = Numbers.hash(number);
        let added = table.find_or_add(hash, |other| other == number, &Numbers, || Some(number));
        let (found, is_new) = added.expect("there is room");
        assert_eq!(found, number);
        is_new
    }

    #[test]
    fn what_is_added_is_found_while_the_table_grows() {
        let table = Table::new(1 << 20).expect("address space");
        for number in 1..N_NUMBERS {
            let is_it = |other| other == number;
            assert_eq!(table.find_surely(Numbers.hash(number), is_it), None);
            assert!(add(&table, number) && !add(&table, number));
            assert_eq!(table.find(Numbers.hash(number), is_it), Some(number));
        }
        let all = (1..N_NUMBERS).all(|n| table.find(Numbers.hash(n), |other| other == n).is_some());
        assert!(all && table.len() == N_NUMBERS as usize - 1);
        assert!(cfg!(miri) || table.bytes_used() < 7 * table.len());
    }

    #[test]
    fn large_numbers_take_the_bits_of_hashes() {
        let table = Table::new(1 << 20).expect("address space");
        for number in (1..N_NUMBERS / 100).chain([1 << 20, u32::MAX, 1 << 31]) {
            assert!(add(&table, number));
        }
        assert!([1, 1 << 20, u32::MAX, 1 << 31].iter().all(|&number| !add(&table, number)));
    }

    #[test]
    fn workers_agree_on_what_is_new() {
        const N_THREADS: u32 = 4;
        let table = &Table::new(1 << 20).expect("address space");
        let (start, n_new) = (&Barrier::new(N_THREADS as usize), &AtomicU32::new(0));
        std::thread::scope(|scope| {
            for thread in 0..N_THREADS {
                scope.spawn(move || {
                    start.wait();
                    for step in 0..N_NUMBERS {
                        let number = 1 + (step + thread * 100) % N_NUMBERS;
                        n_new.fetch_add(u32::from(add(table, number)), Ordering::Relaxed);
                    }
                });
            }
        });
        assert_eq!((n_new.load(Ordering::Relaxed), table.len()), (N_NUMBERS, N_NUMBERS as usize));
    }
}
