//! Arrays of atomics that have their largest possible length from the start: address space is reserved, and memory is
//! taken page by page as entries are written. Nothing moves, so reading needs no lock.
#![expect(unsafe_code, reason = "reads reserved memory as atomics")]

use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64};

use super::map::Map;
use super::{prefetch, prefetch_to_write};

/// Length of the shortest useful array.
const LEN_MIN: usize = 1 << 16;
/// The divisor for arrays of which there are many: each takes this fraction of what a single one may take.
const N_MANY: usize = 64;

/// A type that a [`Reserve`] can hold.
///
/// # Safety
/// All bits zero must be a value, and the type must be one whose shared access from several threads is allowed.
pub unsafe trait Cell: Sync + sealed::Sealed {}

mod sealed {
    pub trait Sealed {}
    impl Sealed for std::sync::atomic::AtomicU32 {}
    impl Sealed for std::sync::atomic::AtomicU64 {}
}

// SAFETY: any bits are a value, and atomics are made to be shared.
unsafe impl Cell for AtomicU32 {}
// SAFETY: any bits are a value, and atomics are made to be shared.
unsafe impl Cell for AtomicU64 {}

/// An array of atomics, zero until they are written. Entries that were never written cost only address space.
pub struct Reserve<T: Cell> {
    /// `None` for an array without entries.
    map: Option<Arc<Map>>,
    /// The start of `map`.
    start: usize,
    len: usize,
    cells: PhantomData<T>,
}

impl<T: Cell> Reserve<T> {
    /// Makes an array of at most `len_max` entries, fewer when the system does not give so much address space. Returns
    /// `None` when it gives next to nothing.
    pub fn new(len_max: usize) -> Option<Reserve<T>> {
        let mut len = len_max.min(Map::share_bytes() / size_of::<T>()).max(LEN_MIN.min(len_max)).max(1);
        loop {
            match Map::new(len * size_of::<T>()) {
                Some(map) => {
                    let (start, map) = (map.start, Some(Arc::new(map)));
                    return Some(Reserve { map, start, len, cells: PhantomData });
                }
                None if len <= LEN_MIN => return None,
                None => len /= 2,
            }
        }
    }

    /// Makes an array of at most `len_max` entries that is filled from its beginning.
    pub fn dense(len_max: usize) -> Option<Reserve<T>> {
        let reserve = Reserve::new(len_max)?;
        #[cfg(not(any(miri, feature = "shuttle")))]
        reserve.map.iter().for_each(|map| map.ask_for_large_pages());
        Some(reserve)
    }

    /// Makes one of many arrays that are short beside the others of a search, where address space is scarce. It has no
    /// entries where there is no space.
    pub fn one_of_many(len_max: usize) -> Reserve<T> {
        let share_bytes = Map::share_bytes() / N_MANY;
        let reserve = Reserve::new(len_max.min(share_bytes / size_of::<T>()));
        reserve.unwrap_or(Reserve { map: None, start: 0, len: 0, cells: PhantomData })
    }

    /// Returns the same array once more: writes to one are visible in both.
    pub fn share(&self) -> Reserve<T> {
        Reserve { map: self.map.clone(), start: self.start, len: self.len, cells: PhantomData }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the entry with this number. Panics if there is none.
    #[inline]
    pub fn at(&self, index: usize) -> &T {
        assert!(index < self.len, "entry {index} of {}", self.len);
        let first = std::ptr::with_exposed_provenance::<T>(self.start);
        // SAFETY: `start` is that of `map`, since there is an entry. `map` has room for `len` entries, is aligned to
        // pages, lives as long as `self`, and is accessed as `T` alone; zero and whatever was written is a value by the
        // contract of `Cell`.
        unsafe { &*first.wrapping_add(index) }
    }

    /// Hints that an entry will soon be read, so that it is in the cache then.
    #[inline]
    pub fn prefetch(&self, index: usize) {
        if index < self.len() {
            prefetch(self.at(index));
        }
    }

    /// Hints that an entry will soon be written.
    #[inline]
    pub fn prefetch_to_write(&self, index: usize) {
        if index < self.len() {
            prefetch_to_write(self.at(index));
        }
    }

    /// Returns the entry with this number, if there is one.
    #[inline]
    pub fn get(&self, index: usize) -> Option<&T> {
        (index < self.len).then(|| self.at(index))
    }

    /// Returns neighbouring entries. Panics if there are not so many.
    #[inline]
    pub fn part(&self, entries: Range<usize>) -> &[T] {
        assert!(entries.start <= entries.end && entries.end <= self.len, "{entries:?} of {}", self.len);
        if self.len == 0 {
            return &[];
        }
        let first = std::ptr::with_exposed_provenance::<T>(self.start).wrapping_add(entries.start);
        // SAFETY: as in `at`, for each of them.
        unsafe { std::slice::from_raw_parts(first, entries.end - entries.start) }
    }

    /// Gives memory back. The contents of these entries are then unknown: zero, or unchanged.
    pub fn discard(&self, entries: Range<usize>) {
        assert!(entries.end <= self.len);
        let bytes = entries.start * size_of::<T>()..entries.end * size_of::<T>();
        self.map.iter().for_each(|map| map.discard(bytes.clone()));
    }
}
