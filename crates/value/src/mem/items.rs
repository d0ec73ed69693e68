//! The values inside an object, as a view that can be copied: words in a region, 32-bit ids when interned.
#![expect(unsafe_code, reason = "reads the children that an object holds behind a raw pointer")]

use std::fmt;
use std::marker::PhantomData;

use super::arena::{self, IdBits};
use super::word::Value;

/// A fixed number of values that some object holds, read one by one.
///
/// Invariant: `first` points to `len` complete children (words, or ids when `interned`) that stay readable for
/// `'r`. The elements of a set that is not yet in normal form may change places while a view exists; each read
/// still gives an element.
#[derive(Clone, Copy)]
pub struct Items<'r> {
    first: *const u8,
    len: u32,
    interned: bool,
    life: PhantomData<&'r ()>,
}

impl<'r> Items<'r> {
    pub const EMPTY: Items<'static> =
        Items { first: std::ptr::null(), len: 0, interned: false, life: PhantomData };

    /// The children at `first` must keep the invariant of [`Items`].
    pub(super) fn words(first: *const u64, len: u32) -> Items<'r> {
        Items { first: first.cast(), len, interned: false, life: PhantomData }
    }

    /// The children at `first` must keep the invariant of [`Items`].
    pub(super) fn ids(first: *const u32, len: u32) -> Items<'r> {
        Items { first: first.cast(), len, interned: true, life: PhantomData }
    }

    #[inline]
    pub fn len(self) -> usize {
        self.len as usize
    }

    #[inline]
    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    /// The `index`-th value, from 0. Panics outside.
    #[inline]
    pub fn get(self, index: usize) -> Value<'r> {
        assert!(index < self.len as usize, "index {index} of {} values", self.len);
        if self.interned {
            // SAFETY: `index < len`, so by the invariant this is a readable id.
            let id = unsafe { self.first.cast::<u32>().wrapping_add(index).read() };
            arena::decode(IdBits(id), self.first as usize)
        } else {
            // SAFETY: `index < len`, so by the invariant this is a readable word.
            let word = unsafe { self.first.cast::<u64>().wrapping_add(index).read() };
            Value::from_word(word)
        }
    }

    /// The values from `start` on, `len` of them. Panics outside.
    pub fn slice(self, start: usize, len: usize) -> Items<'r> {
        assert!(start <= self.len() && len <= self.len() - start, "{start}, {len} of {} values", self.len);
        let size = if self.interned { size_of::<u32>() } else { size_of::<u64>() };
        Items { first: self.first.wrapping_add(start * size), len: len as u32, ..self }
    }

    pub fn iter(self) -> ItemsIter<'r> {
        ItemsIter { items: self, next: 0 }
    }

    /// Where the children are when they are words.
    pub(super) fn as_words(self) -> Option<*const u64> {
        (!self.interned).then_some(self.first.cast())
    }
}

impl<'r> IntoIterator for Items<'r> {
    type Item = Value<'r>;
    type IntoIter = ItemsIter<'r>;
    fn into_iter(self) -> ItemsIter<'r> {
        self.iter()
    }
}

impl fmt::Debug for Items<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(*self).finish()
    }
}

/// Iterates over [`Items`].
#[derive(Clone, Copy, Debug)]
pub struct ItemsIter<'r> {
    items: Items<'r>,
    next: u32,
}

impl<'r> Iterator for ItemsIter<'r> {
    type Item = Value<'r>;

    #[inline]
    fn next(&mut self) -> Option<Value<'r>> {
        if self.next >= self.items.len {
            return None;
        }
        self.next += 1;
        Some(self.items.get(self.next as usize - 1))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n_left = (self.items.len - self.next) as usize;
        (n_left, Some(n_left))
    }
}

impl ExactSizeIterator for ItemsIter<'_> {}
