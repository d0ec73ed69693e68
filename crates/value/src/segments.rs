//! Arrays that grow without moving their contents, so that reading needs no lock.

use std::sync::OnceLock;

/// Number of segments, enough for 2^32 entries even if the first holds one.
pub(crate) const N_SEGMENTS: usize = 33;

/// Returns segment and offset of an index, when segment `n` has `first << n` places.
#[inline]
pub(crate) fn place(index: usize, first: usize) -> (usize, usize) {
    let segment = (index / first + 1).ilog2() as usize;
    (segment, index + first - (first << segment))
}

/// An array whose entries are set once, in any order, by the thread that holds the lock that goes with it. The first
/// `FIRST` are found without following a pointer.
pub(crate) struct Segments<T, const FIRST: usize> {
    first: [OnceLock<T>; FIRST],
    /// Segment `n` has `FIRST << n` places; number 0 is `first`.
    rest: [OnceLock<Box<[OnceLock<T>]>>; N_SEGMENTS],
}

impl<T, const FIRST: usize> Segments<T, FIRST> {
    pub(crate) const fn new() -> Self {
        Segments { first: [const { OnceLock::new() }; FIRST], rest: [const { OnceLock::new() }; N_SEGMENTS] }
    }

    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<&T> {
        match self.first.get(index) {
            Some(entry) => entry.get(),
            None => self.get_in_rest(index),
        }
    }

    #[cold]
    fn get_in_rest(&self, index: usize) -> Option<&T> {
        let (segment, offset) = place(index, FIRST);
        self.rest[segment].get()?[offset].get()
    }

    /// Sets an entry. Panics if it is set already.
    pub(crate) fn set(&self, index: usize, value: T) {
        let (segment, offset) = place(index, FIRST);
        let make = || (0..FIRST << segment).map(|_| OnceLock::new()).collect();
        let entry = match segment {
            0 => &self.first[offset],
            _ => &self.rest[segment].get_or_init(make)[offset],
        };
        assert!(entry.set(value).is_ok(), "entry {index} is set once");
    }
}

#[cfg(test)]
mod tests {
    use super::{Segments, place};

    #[test]
    fn places_are_dense() {
        let mut expected = (0, 0);
        for index in 0..4 * 70 {
            assert_eq!(place(index, 4), expected);
            expected.1 += 1;
            if expected.1 == 4 << expected.0 {
                expected = (expected.0 + 1, 0);
            }
        }
    }

    #[test]
    fn entries_stay_where_they_are() {
        let segments = Segments::<usize, 2>::new();
        segments.set(0, 7);
        let first: *const usize = segments.get(0).unwrap();
        (1..100).for_each(|index| segments.set(index, index));
        assert!(std::ptr::eq(segments.get(0).unwrap(), first));
        assert!((1..100).all(|index| segments.get(index) == Some(&index)) && segments.get(100).is_none());
    }
}
