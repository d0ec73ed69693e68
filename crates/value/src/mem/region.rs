//! Regions: memory for values that are being computed, all of which are dropped at once.
#![expect(unsafe_code, reason = "allocates objects by bumping a pointer")]

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::cell::{Cell, RefCell};
use std::fmt;
use std::ptr::NonNull;

use num_bigint::{BigInt, Sign};

use super::heap::Heap;
use super::object::{FROZEN, GROUND, HEADER_WORDS, NEGATIVE, NORMAL, ObjectKind, RegionHeader};
use super::vec::ValueVec;
use super::word::Value;
use crate::{Closure, Shape};

const FIRST_CHUNK_BYTES: usize = 64 << 10;
const CHUNK_BYTES_MAX: usize = 8 << 20;
const ALIGN: usize = 8;
/// Number of pieces of work, such as a comparison of two objects, after which the limits of the run are checked.
const WORK_BETWEEN_LOOKS: u32 = 1 << 12;

/// A bump allocator for values. A value lives as long as the borrow, so that no value survives `reset`. Each worker has
/// its own region; it is not shared.
pub struct Region {
    /// Invariant: `next..end` is free memory inside the last chunk; both are aligned to `ALIGN`.
    next: Cell<usize>,
    end: Cell<usize>,
    chunks: RefCell<Vec<Chunk>>,
    /// Bytes of the chunks before the last.
    full_bytes: Cell<usize>,
    /// Limit on the bytes of full chunks. Beyond it there is no room left.
    bytes_max: usize,
    /// `FROZEN` in the region of constants, 0 elsewhere.
    birth_flags: u8,
    /// Number of pieces of work since the limits were last checked: see [`Region::is_look_due`].
    n_since_look: Cell<u32>,
}

struct Chunk {
    start: NonNull<u8>,
    layout: Layout,
}

impl Chunk {
    fn new(bytes: usize) -> Chunk {
        let layout =
            Layout::from_size_align(bytes, ALIGN).expect("a chunk is smaller than the address space");
        // SAFETY: `bytes` is not zero: all callers ask for at least `FIRST_CHUNK_BYTES`.
        let start = unsafe { alloc(layout) };
        Chunk { start: NonNull::new(start).unwrap_or_else(|| handle_alloc_error(layout)), layout }
    }

    fn address(&self) -> usize {
        self.start.as_ptr().expose_provenance()
    }
}

impl Drop for Chunk {
    fn drop(&mut self) {
        // SAFETY: `start` was allocated with this layout, once, and is freed here only.
        unsafe { dealloc(self.start.as_ptr(), self.layout) };
    }
}

// SAFETY: the chunks belong to the region alone; values that point into them borrow it and cannot be sent.
unsafe impl Send for Region {}

impl Region {
    pub fn new() -> Region {
        Region::with_birth_flags(0)
    }

    /// Makes a region that reports when it holds more than about `bytes_max`. Code that makes many values calls
    /// [`Region::has_room`] from time to time.
    pub fn with_limit(bytes_max: usize) -> Region {
        Region { bytes_max, ..Region::new() }
    }

    /// Makes an empty region with the limit of this one.
    pub fn sibling(&self) -> Region {
        Region::with_limit(self.bytes_max)
    }

    /// Whether more values may be made. A value that is being made is never refused.
    #[inline]
    pub fn has_room(&self) -> bool {
        self.full_bytes.get() <= self.bytes_max
    }

    /// Whether `n_words` more words of values fit. To be called before a large value is made at once.
    #[inline]
    pub fn has_room_for(&self, n_words: usize) -> bool {
        let bytes = n_words.saturating_mul(size_of::<u64>()).saturating_add(self.full_bytes.get());
        bytes <= self.bytes_max && !Heap::is_exhausted()
    }

    /// Counts a piece of work. Once in many pieces it says that the limits of the run must be checked.
    #[inline]
    pub fn is_look_due(&self) -> bool {
        let n_since_look = self.n_since_look.get().wrapping_add(1);
        self.n_since_look.set(n_since_look);
        n_since_look.is_multiple_of(WORK_BETWEEN_LOOKS)
    }

    /// Makes the next piece of work check the limits again: they were exceeded, and a caller that got the error may try
    /// something else.
    pub fn look_soon(&self) {
        self.n_since_look.set(WORK_BETWEEN_LOOKS - 1);
    }

    /// Makes a region whose objects are frozen from birth. Only for the store of constants, which hands out values to
    /// all threads.
    pub(crate) fn new_frozen() -> Region {
        Region::with_birth_flags(FROZEN)
    }

    fn with_birth_flags(birth_flags: u8) -> Region {
        Region {
            next: Cell::new(0),
            end: Cell::new(0),
            chunks: RefCell::new(Vec::new()),
            full_bytes: Cell::new(0),
            bytes_max: usize::MAX,
            birth_flags,
            n_since_look: Cell::new(0),
        }
    }

    /// Drops every value at once and keeps the memory for the next ones.
    pub fn reset(&mut self) {
        let chunks = self.chunks.get_mut();
        if chunks.len() > 1 {
            chunks.drain(..chunks.len() - 1);
        }
        let (next, end) =
            chunks.last().map_or((0, 0), |chunk| (chunk.address(), chunk.address() + chunk.layout.size()));
        self.next.set(next);
        self.end.set(end);
        self.full_bytes.set(0);
    }

    /// Whether the region is to be reset before the next piece of work: it holds more than `bytes`, or than a quarter of its limit. So
    /// what earlier pieces left behind is never why a piece has no room.
    pub fn is_reset_due(&self, bytes: usize) -> bool {
        self.bytes_used() > bytes.min(self.bytes_max / 4)
    }

    /// Returns the number of bytes of values.
    pub fn bytes_used(&self) -> usize {
        let chunks = self.chunks.borrow();
        let last = chunks.last().map_or(0, |chunk| self.next.get() - chunk.address());
        self.full_bytes.get() + last
    }

    /// Makes any integer.
    #[inline]
    pub fn int(&self, value: i64) -> Value<'_> {
        Value::opt_int(value).unwrap_or_else(|| self.big_int(&BigInt::from(value)))
    }

    /// Makes any integer.
    pub fn big_int(&self, value: &BigInt) -> Value<'_> {
        if let Some(value) = i64::try_from(value).ok().and_then(Value::opt_int) {
            return value;
        }
        let (sign, digits) = value.to_u32_digits();
        let flags = NORMAL | GROUND | if sign == Sign::Minus { NEGATIVE } else { 0 };
        let words: Vec<u64> = digits
            .chunks(2)
            .map(|pair| u64::from(pair[0]) | u64::from(pair.get(1).copied().unwrap_or(0)) << 32)
            .collect();
        let len = u32::try_from(digits.len()).expect("an integer has fewer than 2^32 digits");
        let object = self.start_object(RegionHeader::new(ObjectKind::BigInt, flags, len), words.len());
        for (index, word) in words.into_iter().enumerate() {
            object.write(index, word);
        }
        object.finish()
    }

    /// Makes a sequence.
    pub fn sequence<'r>(&'r self, elements: &[Value<'r>]) -> Value<'r> {
        ValueVec::from_slice(self, elements).into_sequence()
    }

    /// Makes a set `{e1, ..., en}`. When all elements are integers, or all are strings, it is put into normal form at
    /// once; otherwise when that is first needed, which may then be refused.
    pub fn set<'r>(&'r self, elements: &[Value<'r>]) -> Value<'r> {
        ValueVec::from_slice(self, elements).into_set()
    }

    /// Makes a record: one value for each field of the shape, in its order. Panics if there are more or fewer.
    pub fn record<'r>(&'r self, shape: Shape, values: &[Value<'r>]) -> Value<'r> {
        ValueVec::from_slice(self, values).into_record(shape)
    }

    /// Makes `first..last`.
    pub fn interval(&self, first: i64, last: i64) -> Value<'_> {
        if first > last {
            return Value::empty_set();
        }
        let object = self.start_object(RegionHeader::new(ObjectKind::Interval, NORMAL | GROUND, 0), 2);
        object.write(0, first as u64);
        object.write(1, last as u64);
        object.finish()
    }

    /// Makes a lazy set: no explicit form yet, `operands` in the format of its kind.
    pub(crate) fn lazy_set<'r>(&'r self, kind: ObjectKind, operands: &[Value<'r>]) -> Value<'r> {
        assert!(kind.prefix_len() == 1 && !matches!(kind, ObjectKind::Record | ObjectKind::Function));
        self.lazy(kind, &[0], operands)
    }

    /// Makes `[f1 : S1, ..., fn : Sn]`, with the sets in the order of the shape.
    pub(crate) fn record_set<'r>(&'r self, shape: Shape, sets: &[Value<'r>]) -> Value<'r> {
        assert_eq!(shape.len(), sets.len());
        self.lazy(ObjectKind::RecordSet, &[0, u64::from(shape.bits())], sets)
    }

    /// Makes `{x \in set : closure}`.
    pub(crate) fn filter<'r>(&'r self, set: Value<'r>, closure: Closure<'r>) -> Value<'r> {
        self.lazy(ObjectKind::Filter, &[0, code_word(closure)], &with_captured(set, closure))
    }

    /// Makes `[x \in domain |-> closure]`, changed by `overrides` (keys and values in turn).
    pub(crate) fn lazy_function<'r>(
        &'r self,
        domain: Value<'r>,
        closure: Closure<'r>,
        overrides: Option<Value<'r>>,
    ) -> Value<'r> {
        let overrides = overrides.map_or(0, Value::word);
        let prefix = [0, code_word(closure), overrides];
        self.lazy(ObjectKind::LazyFunction, &prefix, &with_captured(domain, closure))
    }

    fn lazy<'r>(&'r self, kind: ObjectKind, prefix: &[u64], children: &[Value<'r>]) -> Value<'r> {
        assert_eq!(prefix.len(), kind.prefix_len());
        let len = u32::try_from(children.len()).expect("an object has fewer than 2^32 children");
        let object = self.start_object(RegionHeader::new(kind, NORMAL, len), prefix.len() + children.len());
        let words = prefix.iter().copied().chain(children.iter().map(|child| child.word()));
        for (index, word) in words.enumerate() {
            object.write(index, word);
        }
        object.finish()
    }

    /// Allocates a place for something that needs no destructor.
    #[expect(clippy::mut_from_ref, reason = "each call gives fresh memory")]
    pub(crate) fn alloc<T>(&self, value: T) -> &mut T {
        const { assert!(!std::mem::needs_drop::<T>() && align_of::<T>() <= ALIGN) };
        let place = std::ptr::with_exposed_provenance_mut::<T>(
            self.alloc_words(size_of::<T>().div_ceil(size_of::<u64>())),
        );
        // SAFETY: the memory is fresh, large enough and aligned.
        unsafe { place.write(value) };
        // SAFETY: it was just written, nobody else has its address, and it stays until the borrow of the region ends.
        unsafe { &mut *place }
    }

    /// Allocates places for several things that need no destructor.
    #[expect(clippy::mut_from_ref, reason = "each call gives fresh memory")]
    pub(crate) fn alloc_slice<T>(&self, values: impl ExactSizeIterator<Item = T>) -> &mut [T] {
        const { assert!(!std::mem::needs_drop::<T>() && align_of::<T>() <= ALIGN) };
        let len = values.len();
        if len == 0 {
            // A region without a chunk has no address to return.
            return &mut [];
        }
        let place = std::ptr::with_exposed_provenance_mut::<T>(
            self.alloc_words((size_of::<T>() * len).div_ceil(size_of::<u64>())),
        );
        let mut n_written = 0;
        for value in values.take(len) {
            // SAFETY: the memory is fresh and aligned and has room for `len` values.
            unsafe { place.wrapping_add(n_written).write(value) };
            n_written += 1;
        }
        // SAFETY: so many were just written, nobody else has the address, and they stay until the borrow ends.
        unsafe { std::slice::from_raw_parts_mut(place, n_written) }
    }

    /// Whether the address is inside one of the chunks.
    pub(super) fn contains(&self, address: usize) -> bool {
        let inside =
            |chunk: &Chunk| (chunk.address()..chunk.address() + chunk.layout.size()).contains(&address);
        self.chunks.borrow().iter().rev().any(inside)
    }

    /// Makes an object of these words.
    pub(super) fn object(&self, header: RegionHeader, words: &[u64]) -> Value<'_> {
        let object = self.start_object(header, words.len());
        for (index, &word) in words.iter().enumerate() {
            object.write(index, word);
        }
        object.finish()
    }

    fn start_object(&self, header: RegionHeader, n_words: usize) -> Unfinished<'_> {
        let address = self.alloc_words(HEADER_WORDS + n_words);
        let flags = &header.header.flags;
        flags.set(flags.get() | self.birth_flags);
        // SAFETY: the memory is fresh, large enough and aligned.
        unsafe { std::ptr::with_exposed_provenance_mut::<RegionHeader>(address).write(header) };
        Unfinished { address, n_words, region: self }
    }

    pub(super) fn birth_flags(&self) -> u8 {
        self.birth_flags
    }

    /// Returns the address of `n` fresh words.
    #[inline]
    pub(super) fn alloc_words(&self, n: usize) -> usize {
        let bytes = n * size_of::<u64>();
        if bytes > self.end.get() - self.next.get() {
            self.grow(bytes);
        }
        let address = self.next.get();
        self.next.set(address + bytes);
        address
    }

    /// Lengthens the allocation that ends at `end` by `n` words, if it is the last one and there is room.
    #[inline]
    pub(super) fn extend(&self, end: usize, n: usize) -> bool {
        let bytes = n * size_of::<u64>();
        let fits = end == self.next.get() && bytes <= self.end.get() - end;
        if fits {
            self.next.set(end + bytes);
        }
        fits
    }

    /// Gives back the words from `from` to `end`, if they are the last allocation.
    #[inline]
    pub(super) fn give_back(&self, from: usize, end: usize) {
        debug_assert!(from <= end);
        if end == self.next.get() {
            self.next.set(from);
        }
    }

    #[cold]
    fn grow(&self, bytes: usize) {
        let mut chunks = self.chunks.borrow_mut();
        let last = chunks.last().map_or(0, |chunk| chunk.layout.size());
        if let Some(chunk) = chunks.last() {
            self.full_bytes.set(self.full_bytes.get() + self.next.get() - chunk.address());
        }
        let size = (2 * last).clamp(FIRST_CHUNK_BYTES, CHUNK_BYTES_MAX).max(bytes.next_multiple_of(ALIGN));
        let chunk = Chunk::new(size);
        self.next.set(chunk.address());
        self.end.set(chunk.address() + size);
        chunks.push(chunk);
    }
}

impl Default for Region {
    fn default() -> Self {
        Region::new()
    }
}

impl fmt::Debug for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Region({} bytes)", self.bytes_used())
    }
}

fn code_word(closure: Closure<'_>) -> u64 {
    u64::from(closure.code) | u64::from(closure.flags) << 32
}

fn with_captured<'r>(first: Value<'r>, closure: Closure<'r>) -> Vec<Value<'r>> {
    std::iter::once(first).chain(closure.captured).collect()
}

/// An object whose header is written and whose words are not yet.
struct Unfinished<'r> {
    address: usize,
    n_words: usize,
    region: &'r Region,
}

impl<'r> Unfinished<'r> {
    fn write(&self, index: usize, word: u64) {
        assert!(index < self.n_words);
        let words = std::ptr::with_exposed_provenance_mut::<u64>(self.address);
        // SAFETY: `index` is below the number of words that were allocated behind the header.
        unsafe { words.wrapping_add(HEADER_WORDS + index).write(word) };
    }

    /// Returns the object, all of whose words have been written.
    fn finish(self) -> Value<'r> {
        debug_assert!(self.region.contains(self.address));
        Value::from_object(self.address)
    }
}
