//! A view of the values inside an object: words in a region, 32-bit ids when interned, or bytes, leaves of a tree for large
//! ones.
//! It can be copied.
#![expect(unsafe_code, reason = "reads the children that an object holds behind a raw pointer")]

use std::fmt;
use std::marker::PhantomData;

use super::arena::{self, IdBits};
use super::tree::Tree;
use super::word::Value;

/// Number of values up to which the identical word is searched for before anything is compared.
pub(crate) const SCAN_MAX: usize = 64;
/// Number of ids from which on it pays to compare them many at a time.
const LONG: usize = 16;

/// Returns the first place of an id.
#[inline]
fn position_of_id(ids: &[u32], id: u32) -> Option<usize> {
    let (chunks, rest) = ids.as_chunks::<LONG>();
    for (number, chunk) in chunks.iter().enumerate() {
        // PERF: without branches, many are compared at once.
        if chunk.iter().fold(false, |found, &other| found | (other == id)) {
            return chunk.iter().position(|&other| other == id).map(|place| number * LONG + place);
        }
    }
    rest.iter().position(|&other| other == id).map(|place| chunks.len() * LONG + place)
}

/// A fixed number of values that an object holds, read one by one.
///
/// Invariant: `first` points to `len` complete children (words, ids or bytes) that stay readable for `'r`, or is the address
/// of the root of a tree with so many. The elements of a set that is not yet in normal form may change places while a
/// view exists; each read still gives an element.
#[derive(Clone, Copy)]
pub struct Items<'r> {
    first: *const u8,
    len: u32,
    form: ItemsForm,
    life: PhantomData<&'r ()>,
}

/// The form in which the values are stored.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ItemsForm {
    Words,
    Ids,
    /// Integers from 0 to 255.
    Bytes,
    /// A tree: the root, whether it is interned, and the number of levels of nodes above the leaves.
    Tree {
        is_interned: bool,
        height: u8,
    },
}

// PERF: it is passed in two registers.
const _: () = assert!(size_of::<Items<'static>>() == 16);

impl<'r> Items<'r> {
    pub const EMPTY: Items<'static> = Items {
        first: std::ptr::dangling::<u64>().cast(),
        len: 0,
        form: ItemsForm::Words,
        life: PhantomData,
    };

    /// Makes a view of words. The children at `first` must keep the invariant of [`Items`].
    #[inline]
    pub(super) fn words(first: *const u64, len: u32) -> Items<'r> {
        Items { first: first.cast(), len, form: ItemsForm::Words, life: PhantomData }
    }

    /// Makes a view of ids. The children at `first` must keep the invariant of [`Items`].
    #[inline]
    pub(super) fn ids(first: *const u32, len: u32) -> Items<'r> {
        Items { first: first.cast(), len, form: ItemsForm::Ids, life: PhantomData }
    }

    /// Makes a view of integers.
    #[inline]
    pub(super) fn bytes(values: &'r [u8]) -> Items<'r> {
        Items { first: values.as_ptr(), len: values.len() as u32, form: ItemsForm::Bytes, life: PhantomData }
    }

    /// Makes a view of the values in the leaves of a tree.
    pub(crate) fn tree(tree: Tree<'r>) -> Items<'r> {
        let root = tree.root.object().expect("the root of a tree is an object");
        let form = ItemsForm::Tree { is_interned: root.is_interned(), height: tree.height };
        Items { first: std::ptr::without_provenance(root.address()), len: tree.len, form, life: PhantomData }
    }

    /// Returns the tree, if the values are in one.
    #[inline]
    pub(crate) fn as_tree(self) -> Option<Tree<'r>> {
        let ItemsForm::Tree { is_interned, height } = self.form else { return None };
        let root = match is_interned {
            true => Value::from_interned(self.first.addr()),
            false => Value::from_object(self.first.addr()),
        };
        Some(Tree { root, height, len: self.len })
    }

    #[inline]
    pub fn len(self) -> usize {
        self.len as usize
    }

    #[inline]
    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    /// Returns the `index`-th value, from 0. Panics outside.
    #[inline]
    pub fn get(self, index: usize) -> Value<'r> {
        if index >= self.len as usize {
            outside(index, self.len);
        }
        self.read(index)
    }

    pub(crate) fn last(self) -> Option<Value<'r>> {
        self.len().checked_sub(1).map(|index| self.read(index))
    }

    #[inline]
    fn read(self, index: usize) -> Value<'r> {
        debug_assert!(index < self.len as usize);
        match self.form {
            ItemsForm::Words => self.word_at(index),
            ItemsForm::Ids => self.id_at(index),
            ItemsForm::Bytes => self.byte_at(index),
            ItemsForm::Tree { .. } => self.read_leaf(index),
        }
    }

    #[inline]
    fn word_at(self, index: usize) -> Value<'r> {
        debug_assert!(index < self.len() && self.form == ItemsForm::Words);
        // SAFETY: all callers know that these are words, and that `index < len`, so by the invariant it is readable.
        Value::from_word(unsafe { self.first.cast::<u64>().wrapping_add(index).read() })
    }

    #[inline]
    fn id_at(self, index: usize) -> Value<'r> {
        debug_assert!(index < self.len() && self.form == ItemsForm::Ids);
        // SAFETY: all callers know that these are ids, and that `index < len`, so by the invariant it is readable.
        let id = unsafe { self.first.cast::<u32>().wrapping_add(index).read() };
        arena::decode(IdBits(id), self.first as usize)
    }

    #[inline]
    fn byte_at(self, index: usize) -> Value<'r> {
        debug_assert!(index < self.len() && self.form == ItemsForm::Bytes);
        // SAFETY: all callers know that these are bytes, and that `index < len`, so by the invariant it is readable.
        Value::from_int(i64::from(unsafe { self.first.wrapping_add(index).read() }))
    }

    /// Returns the bytes, if the values are integers in a byte each.
    fn as_bytes(self) -> Option<&'r [u8]> {
        // SAFETY: by the invariant `first` points to `len` readable bytes, which never change.
        (self.form == ItemsForm::Bytes).then(|| unsafe { std::slice::from_raw_parts(self.first, self.len()) })
    }

    #[cold]
    #[inline(never)]
    fn position_in_leaves(self, value: Value<'_>) -> Option<usize> {
        self.iter().position(|other| other.is_same(value))
    }

    #[cold]
    #[inline(never)]
    fn read_leaf(self, index: usize) -> Value<'r> {
        let (leaf, start) = self.leaf_at(index);
        leaf.get(index - start)
    }

    /// Returns the adjacent values around `index`, and the number of the first of them.
    fn leaf_at(self, index: usize) -> (Items<'r>, usize) {
        match self.as_tree() {
            Some(tree) => tree.leaf_at(index),
            None => (self, 0),
        }
    }

    /// Returns `len` values from `start` on. Panics outside, and for those of a large set or function, because they are
    /// not adjacent.
    #[inline]
    pub fn slice(self, start: usize, len: usize) -> Items<'r> {
        assert!(start <= self.len() && len <= self.len() - start, "{start}, {len} of {} values", self.len);
        let size = match self.form {
            ItemsForm::Words => size_of::<u64>(),
            ItemsForm::Ids => size_of::<u32>(),
            ItemsForm::Bytes => size_of::<u8>(),
            ItemsForm::Tree { .. } => unreachable!("a part of a tree"),
        };
        Items { first: self.first.wrapping_add(start * size), len: len as u32, ..self }
    }

    #[inline]
    pub fn iter(self) -> ItemsIter<'r> {
        match self.form {
            ItemsForm::Words | ItemsForm::Ids | ItemsForm::Bytes => {
                ItemsIter { part: self, next: 0, n_behind: 0, items: self }
            }
            ItemsForm::Tree { .. } => {
                ItemsIter { part: Items::EMPTY, next: 0, n_behind: self.len, items: self }
            }
        }
    }

    /// Calls `each` with each of them, until it fails.
    ///
    /// PERF: their form is checked once, not for each.
    #[inline]
    pub(crate) fn try_each<E>(self, mut each: impl FnMut(Value<'r>) -> Result<(), E>) -> Result<(), E> {
        match self.form {
            ItemsForm::Words => (0..self.len()).try_for_each(|index| each(self.word_at(index))),
            ItemsForm::Ids => (0..self.len()).try_for_each(|index| each(self.id_at(index))),
            ItemsForm::Bytes => (0..self.len()).try_for_each(|index| each(self.byte_at(index))),
            ItemsForm::Tree { .. } => self.iter().try_for_each(each),
        }
    }

    /// Returns the position of this very value, identified by its word alone: equal values with other words are not
    /// found.
    #[inline]
    pub(crate) fn position_of_same(self, value: Value<'_>) -> Option<usize> {
        match self.form {
            ItemsForm::Words => {
                // SAFETY: by the invariant `first` points to `len` readable words. Those of a set may change places
                // later, but not while this function runs.
                let words = unsafe { std::slice::from_raw_parts(self.first.cast::<u64>(), self.len()) };
                words.iter().position(|&word| word == value.word())
            }
            ItemsForm::Ids => {
                let id = arena::encode_near(value, self.first as usize)?;
                // SAFETY: by the invariant `first` points to `len` readable ids, which never change.
                let ids = unsafe { std::slice::from_raw_parts(self.first.cast::<u32>(), self.len()) };
                position_of_id(ids, id.0)
            }
            ItemsForm::Bytes => {
                let byte = u8::try_from(value.as_small()?).ok()?;
                self.as_bytes()?.iter().position(|&other| other == byte)
            }
            ItemsForm::Tree { .. } => self.position_in_leaves(value),
        }
    }

    /// Whether they are the very same values, in the same places of memory.
    #[inline]
    pub(crate) fn are_same(self, other: Items<'_>) -> bool {
        self.first == other.first && self.len == other.len && self.form == other.form
    }

    /// Returns how many values, from `from` on, are in the same positions in both and are surely equal: the same word,
    /// and explicit.
    #[inline]
    pub(crate) fn n_same(self, other: Items<'_>, from: usize) -> usize {
        if let (Some(left), Some(right)) = (self.as_tree(), other.as_tree()) {
            return left.n_same(right, from);
        }
        if self.form == ItemsForm::Ids
            && other.form == ItemsForm::Ids
            && arena::are_in_one_window(self.first as usize, other.first as usize)
        {
            let ids = |items: Items<'_>| {
                // SAFETY: by the invariant `first` points to `len` readable ids, which never change.
                unsafe { std::slice::from_raw_parts(items.first.cast::<u32>(), items.len()) }
            };
            let end = self.len().min(other.len());
            let (left, right) = (&ids(self)[from..end], &ids(other)[from..end]);
            // Long ones are usually equal, and are compared many at a time.
            if left.len() > LONG && left == right {
                return left.len();
            }
            let pairs = left.iter().zip(right);
            return pairs.take_while(|(left, right)| left == right).count();
        }
        if let (Some(left), Some(right)) = (self.as_bytes(), other.as_bytes()) {
            let pairs = left[from.min(left.len())..].iter().zip(&right[from.min(right.len())..]);
            return pairs.take_while(|(left, right)| left == right).count();
        }
        let is_same = |index: &usize| {
            let (left, right) = (self.get(*index), other.get(*index));
            left.is_same(right) && left.is_ground()
        };
        (from..self.len().min(other.len())).take_while(is_same).count()
    }

    /// Returns the address of the children when they are words.
    pub(super) fn as_words(self) -> Option<*const u64> {
        (self.form == ItemsForm::Words).then_some(self.first.cast())
    }
}

#[cold]
#[inline(never)]
fn outside(index: usize, len: u32) -> ! {
    panic!("index {index} of {len} values");
}

impl<'r> IntoIterator for Items<'r> {
    type Item = Value<'r>;
    type IntoIter = ItemsIter<'r>;
    #[inline]
    fn into_iter(self) -> ItemsIter<'r> {
        self.iter()
    }
}

impl fmt::Debug for Items<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(*self).finish()
    }
}

/// An iterator over [`Items`].
///
/// Invariant: `part` is in no tree.
#[derive(Clone, Copy, Debug)]
pub struct ItemsIter<'r> {
    /// The adjacent values: all, or a leaf.
    part: Items<'r>,
    /// The index of the next one among these.
    next: u32,
    /// Number of values behind them.
    n_behind: u32,
    items: Items<'r>,
}

impl<'r> ItemsIter<'r> {
    #[cold]
    #[inline(never)]
    fn next_part(&mut self) -> Option<Value<'r>> {
        let start = (self.items.len - self.n_behind) as usize;
        let (part, part_start) = self.items.leaf_at(start);
        assert!(part_start == start && part.as_tree().is_none());
        *self = ItemsIter { part, next: 1, n_behind: self.n_behind - part.len, items: self.items };
        Some(part.get(0))
    }
}

impl<'r> Iterator for ItemsIter<'r> {
    type Item = Value<'r>;

    #[inline(always)]
    fn next(&mut self) -> Option<Value<'r>> {
        if self.next >= self.part.len {
            return if self.n_behind == 0 { None } else { self.next_part() };
        }
        let index = self.next as usize;
        self.next += 1;
        // By the invariant it has one of three forms.
        Some(if self.part.form == ItemsForm::Words {
            self.part.word_at(index)
        } else if self.part.form == ItemsForm::Ids {
            self.part.id_at(index)
        } else {
            self.part.byte_at(index)
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n_left = (self.part.len - self.next + self.n_behind) as usize;
        (n_left, Some(n_left))
    }
}

impl ExactSizeIterator for ItemsIter<'_> {}
