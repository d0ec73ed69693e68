//! Objects: the targets of pointer words. There are two formats, distinguished by the word's tag.
//!
//! In a region, or among the constants: a header of 16 bytes, then words. Interned: a header of 8 bytes, then 32-bit
//! slots. After the header come the prefix (its length depends on the kind) and `len` children.
//!
//! ```text
//! kind            prefix                                  children
//! Sequence, Set                                           elements (elsewhere: `run.rs`, `grown.rs`, `tree.rs`)
//! Record          shape                                   values, by field
//! Function        domain (a set in normal form)           values, in the order of the domain (or `tree.rs`)
//! Interval        first, last (64 bits each)
//! BigInt                                                  none: `len` digits of 32 bits, packed
//! LazyFunction    explicit form or 0, code, overrides     domain, captured values
//! Filter          explicit form or 0, code                set, captured values
//! RecordSet       explicit form or 0, shape               sets, by field
//! other lazy sets explicit form or 0                      operands
//! ```
//! Interned objects are of the first six kinds only, always in normal form. A function whose values are all integers
//! from 0 to 255 may have these in one byte each behind its domain (`PACKED`): a bag, for example.
#![expect(unsafe_code, reason = "follows the pointers that value words are")]

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

use base::with_stack;

use super::arena::{self, IdBits};
use super::grown;
use super::items::{Items, SCAN_MAX};
use super::region::Region;
use super::run;
use super::tree::Tree;
use super::word::Value;
use crate::{Constant, Interner, Kind, Shape};

/// The kind of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum ObjectKind {
    Sequence,
    Record,
    Function,
    Set,
    Interval,
    BigInt,
    LazyFunction,
    Powerset,
    KSubsets,
    FunctionSet,
    RecordSet,
    Product,
    Filter,
    Cup,
    Cap,
    Difference,
    Union,
    Sequences,
}

/// The forms that a function can have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FunctionKind {
    Sequence,
    Record,
    /// A function with any other domain.
    Graph,
    Lazy,
}

impl ObjectKind {
    #[inline]
    pub(crate) const fn function_kind(self) -> Option<FunctionKind> {
        match self {
            ObjectKind::Sequence => Some(FunctionKind::Sequence),
            ObjectKind::Record => Some(FunctionKind::Record),
            ObjectKind::Function => Some(FunctionKind::Graph),
            ObjectKind::LazyFunction => Some(FunctionKind::Lazy),
            ObjectKind::Set | ObjectKind::Interval | ObjectKind::BigInt | ObjectKind::Powerset => None,
            ObjectKind::KSubsets | ObjectKind::FunctionSet | ObjectKind::RecordSet | ObjectKind::Product => {
                None
            }
            ObjectKind::Filter | ObjectKind::Cup | ObjectKind::Cap | ObjectKind::Difference => None,
            ObjectKind::Union | ObjectKind::Sequences => None,
        }
    }

    /// Returns the length of the prefix in words (in slots of 32 bits when interned: shape and domain take one, an
    /// interval's bounds four).
    #[inline]
    pub(super) const fn prefix_len(self) -> usize {
        match self {
            ObjectKind::Sequence | ObjectKind::Set | ObjectKind::BigInt => 0,
            ObjectKind::Record | ObjectKind::Function => 1,
            ObjectKind::Interval | ObjectKind::Filter | ObjectKind::RecordSet => 2,
            ObjectKind::LazyFunction => 3,
            ObjectKind::Powerset | ObjectKind::KSubsets | ObjectKind::FunctionSet => 1,
            ObjectKind::Product | ObjectKind::Cup | ObjectKind::Cap => 1,
            ObjectKind::Difference | ObjectKind::Union | ObjectKind::Sequences => 1,
        }
    }

    pub(crate) fn value_kind(self) -> Kind {
        match self {
            ObjectKind::Sequence => Kind::Sequence,
            ObjectKind::Record => Kind::Record,
            ObjectKind::Function => Kind::Function,
            ObjectKind::Set => Kind::Set,
            ObjectKind::Interval => Kind::Interval,
            ObjectKind::BigInt => Kind::Integer,
            ObjectKind::LazyFunction => Kind::LazyFunction,
            ObjectKind::Powerset => Kind::Powerset,
            ObjectKind::KSubsets => Kind::KSubsets,
            ObjectKind::FunctionSet => Kind::FunctionSet,
            ObjectKind::RecordSet => Kind::RecordSet,
            ObjectKind::Product => Kind::Product,
            ObjectKind::Filter => Kind::Filter,
            ObjectKind::Cup => Kind::Cup,
            ObjectKind::Cap => Kind::Cap,
            ObjectKind::Difference => Kind::Difference,
            ObjectKind::Union => Kind::Union,
            ObjectKind::Sequences => Kind::Sequences,
        }
    }

    /// Whether the slots of an interned object of this kind are ids (after a record's shape).
    #[inline]
    pub(super) fn has_children(self) -> bool {
        !matches!(self, ObjectKind::BigInt | ObjectKind::Interval)
    }

    /// Whether the prefix begins with a place for the explicit form.
    fn is_lazy(self) -> bool {
        match self {
            ObjectKind::Sequence | ObjectKind::Record | ObjectKind::Function | ObjectKind::Set => false,
            ObjectKind::Interval | ObjectKind::BigInt => false,
            ObjectKind::LazyFunction | ObjectKind::Powerset | ObjectKind::KSubsets => true,
            ObjectKind::FunctionSet | ObjectKind::RecordSet | ObjectKind::Product => true,
            ObjectKind::Filter | ObjectKind::Cup | ObjectKind::Cap | ObjectKind::Difference => true,
            ObjectKind::Union | ObjectKind::Sequences => true,
        }
    }
}

/// A set whose elements are sorted and distinct. Other kinds have this flag from the start.
pub(super) const NORMAL: u8 = 1;
/// Explicit and in normal form, with everything inside: it can be interned as it is, and equals itself.
pub(super) const GROUND: u8 = 2;
/// Shared between threads: no part of it is ever written again.
pub(super) const FROZEN: u8 = 4;
/// A big integer below zero.
pub(super) const NEGATIVE: u8 = 8;
/// The elements are elsewhere: those of a sequence in a run (`run.rs`, and `grown.rs` for interned ones), those of a
/// set or function in a tree (`tree.rs`).
pub(super) const VIEW: u8 = 16;

/// The values of a function in a tree are known to be positive integers.
pub(super) const COUNTS: u8 = 32;
/// The values of an interned function are integers from 0 to 255, in a byte each.
pub(super) const PACKED: u8 = 64;

/// Limit on the objects that are examined to decide whether an explicit form may be kept. Beyond it, the form is made
/// again when needed.
const LOOKS_MAX: u32 = 1 << 24;

/// The beginning of every object, interned or not. In a region `len` and the flags change when a set is put into normal
/// form. In an interned or frozen object nothing changes.
#[repr(C)]
pub(super) struct Header {
    pub(super) kind: ObjectKind,
    pub(super) flags: Cell<u8>,
    /// Always 0, so that a header can be compared as one number.
    pub(super) reserved: u16,
    pub(super) len: Cell<u32>,
}

/// The header of an object in a region.
#[repr(C)]
pub(super) struct RegionHeader {
    pub(super) header: Header,
    /// Number of the arena in which this value was last found or interned; 0 for none.
    arena: Cell<u32>,
    /// Its id there.
    id: Cell<u32>,
}

const _: () = assert!(size_of::<Header>() == 8 && size_of::<RegionHeader>() == 16);
pub(super) const HEADER_WORDS: usize = size_of::<RegionHeader>() / size_of::<u64>();

impl RegionHeader {
    pub(super) const fn new(kind: ObjectKind, flags: u8, len: u32) -> RegionHeader {
        let header = Header { kind, flags: Cell::new(flags), reserved: 0, len: Cell::new(len) };
        RegionHeader { header, arena: Cell::new(0), id: Cell::new(0) }
    }
}

/// A pointer to a complete object that is alive for `'r`.
#[derive(Clone, Copy)]
pub(crate) struct Object<'r> {
    header: &'r Header,
    is_interned: bool,
}

impl<'r> Object<'r> {
    /// Makes an object of an address from a value word with the tag of regions.
    #[inline]
    pub(super) fn in_region(address: usize) -> Object<'r> {
        let header = std::ptr::with_exposed_provenance::<Header>(address);
        // SAFETY: by the invariant of value words an object is complete and alive for `'r`.
        Object { header: unsafe { &*header }, is_interned: false }
    }

    /// Makes an object of an address from a value word with the tag of interned objects.
    #[inline]
    pub(super) fn in_interner(address: usize) -> Object<'r> {
        let header = std::ptr::with_exposed_provenance::<Header>(address);
        // SAFETY: by the invariant of value words an object is complete and alive for `'r`. Other threads read the
        // header too, but nobody writes it.
        Object { header: unsafe { &*header }, is_interned: true }
    }

    #[inline]
    fn region_header(self) -> Option<&'r RegionHeader> {
        let header = std::ptr::with_exposed_provenance::<RegionHeader>(self.address());
        // SAFETY: objects that are not interned have the header of regions.
        (!self.is_interned).then(|| unsafe { &*header })
    }

    #[inline]
    pub(crate) fn kind(self) -> ObjectKind {
        self.header.kind
    }

    #[inline]
    pub(crate) fn len(self) -> usize {
        self.header.len.get() as usize
    }

    #[inline]
    fn has(self, flag: u8) -> bool {
        self.header.flags.get() & flag != 0
    }

    #[inline]
    pub(crate) fn is_interned(self) -> bool {
        self.is_interned
    }

    #[inline]
    pub(crate) fn is_normal(self) -> bool {
        self.has(NORMAL)
    }

    #[inline]
    pub(crate) fn is_ground(self) -> bool {
        self.has(GROUND)
    }

    #[inline]
    pub(crate) fn is_frozen(self) -> bool {
        self.has(FROZEN)
    }

    #[inline]
    pub(crate) fn is_negative(self) -> bool {
        self.has(NEGATIVE)
    }

    #[inline]
    pub(super) fn address(self) -> usize {
        std::ptr::from_ref(self.header).expose_provenance()
    }

    /// Returns the address after the header of an object in a region.
    #[inline]
    fn words(self) -> *mut u64 {
        debug_assert!(!self.is_interned);
        std::ptr::with_exposed_provenance_mut::<u64>(self.address()).wrapping_add(HEADER_WORDS)
    }

    /// Returns the address after the header of a sequence that is a view.
    #[inline]
    pub(super) fn view_words(self) -> Option<*const u64> {
        let is_view = !self.is_interned && self.has(VIEW) && self.kind() == ObjectKind::Sequence;
        is_view.then(|| self.words().cast_const())
    }

    /// Returns the address after the header of an interned object.
    #[inline]
    pub(super) fn slots(self) -> *const u32 {
        debug_assert!(self.is_interned);
        std::ptr::with_exposed_provenance::<u32>(self.address() + size_of::<Header>())
    }

    /// Returns the address of prefix and children, or digits, of an interned object, wherever they are.
    #[inline]
    pub(super) fn contents(self) -> *const u32 {
        match self.is_grown() {
            true => grown::first_of(self),
            false => self.slots(),
        }
    }

    /// Whether it is an interned sequence with its elements elsewhere.
    #[inline]
    pub(super) fn is_grown(self) -> bool {
        self.is_interned && self.has(VIEW) && self.kind() == ObjectKind::Sequence
    }

    /// Whether it is a set or function whose elements or values are in a tree.
    #[inline]
    pub(crate) fn is_tree(self) -> bool {
        self.has(VIEW) && self.kind() != ObjectKind::Sequence
    }

    /// Whether it is an interned function with its values in a byte each.
    #[inline]
    pub(crate) fn is_packed(self) -> bool {
        self.has(PACKED)
    }

    /// Returns the values of an interned function that are in a byte each.
    pub(super) fn packed_values(self) -> Option<&'r [u8]> {
        if !self.is_packed() {
            return None;
        }
        let first = self.slots().wrapping_add(self.kind().prefix_len()).cast::<u8>();
        // SAFETY: `push` wrote `len` bytes behind the prefix of a packed function, which never change.
        Some(unsafe { std::slice::from_raw_parts(first, self.len()) })
    }

    /// Whether the values of this function in a tree are known to be positive integers.
    #[inline]
    pub(crate) fn has_counts(self) -> bool {
        self.has(COUNTS)
    }

    /// Remembers that the values of a function are positive integers, if it is large and in a region.
    pub(crate) fn set_has_counts(self) {
        if self.is_tree() && !self.is_interned && !self.is_frozen() {
            self.header.flags.set(self.header.flags.get() | COUNTS);
        }
    }

    /// Returns the tree of a set or function that has one: its root and its height are in the place of the children.
    pub(crate) fn as_tree(self) -> Option<Tree<'r>> {
        if !self.is_tree() {
            return None;
        }
        let part = |index: usize| {
            let index = self.kind().prefix_len() + index;
            if self.is_interned {
                // SAFETY: `push` writes two slots behind the prefix of a tree.
                let slot = unsafe { self.slots().wrapping_add(index).read() };
                return arena::decode(IdBits(slot), self.address());
            }
            // SAFETY: `Region::in_tree` writes two words behind the prefix.
            Value::from_word(unsafe { self.words().wrapping_add(index).read() })
        };
        let height = part(1).as_small().expect("a height is a small number") as u8;
        Some(Tree { root: part(0), height, len: self.header.len.get() })
    }

    /// Returns the children; none for integers and intervals.
    #[inline]
    pub(crate) fn items(self) -> Items<'r> {
        match self.kind().has_children() {
            true => self.items_of(self.kind()),
            false => Items::EMPTY,
        }
    }

    /// Returns the children of an object that is known to be of this kind. Panics if it is not.
    #[inline]
    pub(crate) fn items_of(self, kind: ObjectKind) -> Items<'r> {
        assert!(self.kind() == kind && kind.has_children());
        if self.has(VIEW | PACKED) {
            return self.items_elsewhere();
        }
        let len = self.header.len.get();
        match self.is_interned {
            false => Items::words(self.words().wrapping_add(kind.prefix_len()), len),
            true => Items::ids(self.slots().wrapping_add(kind.prefix_len()), len),
        }
    }

    #[cold]
    #[inline(never)]
    fn items_elsewhere(self) -> Items<'r> {
        let len = self.header.len.get();
        if let Some(values) = self.packed_values() {
            return Items::bytes(values);
        }
        match (self.as_tree(), self.view_words()) {
            (Some(tree), _) => Items::tree(tree),
            // SAFETY: these are the words of a view.
            (None, Some(words)) => Items::words(unsafe { run::first_of(words) }, len),
            (None, None) => Items::ids(self.contents(), len),
        }
    }

    #[inline]
    fn prefix_word(self, index: usize) -> u64 {
        assert!(!self.is_interned && index < self.kind().prefix_len());
        // SAFETY: the prefix of a complete object in a region is readable, and `index` is inside.
        unsafe { self.words().wrapping_add(index).read() }
    }

    #[inline]
    fn prefix_slot(self, index: usize) -> u32 {
        let n_slots = if self.kind() == ObjectKind::Interval { 4 } else { self.kind().prefix_len() };
        assert!(self.is_interned && index < n_slots);
        // SAFETY: the prefix of a complete interned object is readable, and `index` is inside.
        unsafe { self.slots().wrapping_add(index).read() }
    }

    /// Returns the shape of a record or a set of records.
    #[inline]
    pub(crate) fn shape(self) -> Shape {
        let is_record = self.kind() == ObjectKind::Record;
        assert!(is_record || self.kind() == ObjectKind::RecordSet);
        Shape::from_bits(match self.is_interned {
            true => self.prefix_slot(0),
            false => self.prefix_word(usize::from(!is_record)) as u32,
        })
    }

    /// Returns the domain of a function that is given by its graph.
    #[inline]
    pub(crate) fn domain(self) -> Value<'r> {
        assert!(self.kind() == ObjectKind::Function);
        if self.is_interned() {
            return arena::decode(IdBits(self.prefix_slot(0)), self.address());
        }
        Value::from_word(self.prefix_word(0))
    }

    /// Returns the value of a function at the key that is this very word. Returns `None` when there is none, or when
    /// that is not certain: an equal key may have another word.
    #[inline]
    pub(crate) fn select_same(self, key: Value<'_>) -> Option<Value<'r>> {
        assert!(self.kind() == ObjectKind::Function);
        let domain = self.domain().object()?;
        let index = match domain.kind() == ObjectKind::Interval {
            true => usize::try_from(key.as_small()?.wrapping_sub(domain.bounds().0)).ok()?,
            false if domain.len() > SCAN_MAX => return None,
            false => domain.items_of(ObjectKind::Set).position_of_same(key)?,
        };
        // A function has as many values as its domain has elements.
        let values = self.items_of(ObjectKind::Function);
        (index < values.len()).then(|| values.get(index))
    }

    /// Returns first and last of an interval.
    #[inline]
    pub(crate) fn bounds(self) -> (i64, i64) {
        assert!(self.kind() == ObjectKind::Interval);
        if !self.is_interned() {
            return (self.prefix_word(0) as i64, self.prefix_word(1) as i64);
        }
        let halves = self.slots().cast::<[u32; 4]>();
        // SAFETY: the prefix of a complete interned interval has four slots, which are aligned as one is.
        let [first_low, first_high, last_low, last_high] = unsafe { halves.read() };
        let wide = |low: u32, high: u32| (u64::from(low) | u64::from(high) << 32) as i64;
        (wide(first_low, first_high), wide(last_low, last_high))
    }

    /// Returns the digits of a big integer, base 2^32, least first.
    pub(crate) fn digits(self) -> &'r [u32] {
        assert!(self.kind() == ObjectKind::BigInt);
        let first = if self.is_interned { self.slots() } else { self.words().cast_const().cast::<u32>() };
        // SAFETY: a big integer is followed by `len` digits that never change.
        unsafe { std::slice::from_raw_parts(first, self.len()) }
    }

    /// Returns code and flags of the closure of a filter or a lazy function.
    pub(crate) fn code(self) -> (u32, u32) {
        assert!(matches!(self.kind(), ObjectKind::Filter | ObjectKind::LazyFunction));
        let word = self.prefix_word(1);
        (word as u32, (word >> 32) as u32)
    }

    /// Returns the changed places of a lazy function: a sequence of keys and values in turn.
    pub(crate) fn overrides(self) -> Option<Value<'r>> {
        assert!(self.kind() == ObjectKind::LazyFunction);
        let word = self.prefix_word(2);
        (word != 0).then(|| Value::from_word(word))
    }

    /// Returns the explicit form of a lazy value, if it was made before.
    #[inline]
    pub(crate) fn explicit_form(self) -> Option<Value<'r>> {
        if !self.kind().is_lazy() {
            return None;
        }
        let word = self.explicit_place().load(Ordering::Acquire);
        (word != 0).then(|| Value::from_word(word))
    }

    /// Returns the place for the explicit form of a lazy value. In frozen objects any thread writes here.
    #[inline]
    fn explicit_place(self) -> &'r AtomicU64 {
        assert!(self.kind().is_lazy());
        // SAFETY: the prefix of a lazy value begins with this word, which is accessed as an atomic only.
        unsafe { &*self.words().cast::<AtomicU64>() }
    }

    /// Remembers the explicit form of a lazy value that is a constant itself.
    pub(crate) fn set_explicit_constant(self, explicit: Constant) {
        self.explicit_place().store(explicit.get().word(), Ordering::Release);
    }

    /// Remembers the explicit form of a lazy value, if it surely lives long enough: if both are in `region`, with
    /// everything inside.
    ///
    /// The lifetimes do not say so: a value that is shown with the lifetime of some shorter-lived region may be kept
    /// where a longer one is needed later.
    pub(crate) fn set_explicit(self, region: &'r Region, explicit: Value<'r>) {
        if !self.is_interned
            && region.contains(self.address())
            && explicit.lives_in(region, &mut LOOKS_MAX.clone())
        {
            self.explicit_place().store(explicit.word(), Ordering::Release);
        }
    }

    /// Returns the id that this value has in the arena with that number, if it was looked up there before.
    #[inline]
    pub(crate) fn cached_id(self, arena: u32) -> Option<IdBits> {
        let header = self.region_header()?;
        (header.arena.get() == arena).then(|| IdBits(header.id.get()))
    }

    #[inline]
    pub(crate) fn set_cached_id(self, arena: u32, id: IdBits) {
        let Some(header) = self.region_header() else { return };
        if !self.is_frozen() {
            header.arena.set(arena);
            header.id.set(id.0);
        }
    }

    /// Puts a set into normal form in place: `order` has the indices of the elements that stay, in order.
    pub(crate) fn set_normal(self, order: &[u32]) {
        let header = self.header;
        assert!(
            self.kind() == ObjectKind::Set && !self.is_normal() && !self.is_frozen() && !self.is_interned
        );
        let elements: Vec<Value<'r>> = order.iter().map(|&index| self.items().get(index as usize)).collect();
        assert!(elements.len() <= self.len());
        let first = self.words();
        for (index, element) in elements.iter().enumerate() {
            // SAFETY: `index` is below the length of the set, which nobody else writes or refers to: it is not
            // frozen, so it belongs to this thread, and elements are read by copy only. The word was an element
            // of this very set, so it lives long enough.
            unsafe { first.wrapping_add(index).write(element.word()) };
        }
        header.len.set(elements.len() as u32);
        let ground = elements.iter().all(|element| element.is_ground());
        header.flags.set(header.flags.get() | NORMAL | if ground { GROUND } else { 0 });
    }
}

impl<'r> Value<'r> {
    /// Whether it is explicit and in normal form, with everything inside.
    #[inline]
    pub(crate) fn is_ground(self) -> bool {
        match self.object() {
            Some(object) => object.is_ground(),
            None => self.as_special_bits().is_none_or(|_| self.as_bool().is_some()),
        }
    }

    /// Whether it is, with everything inside, in this region or in memory that lives forever. Returns false when that
    /// takes more than `n_looks` to find out.
    pub(super) fn lives_in(self, region: &Region, n_looks: &mut u32) -> bool {
        let Some(object) = self.object() else { return true };
        let Some(n_left) = n_looks.checked_sub(1) else { return false };
        *n_looks = n_left;
        if object.is_interned || object.is_frozen() {
            return !object.is_interned || Interner::shared().owns(self);
        }
        let domain = (object.kind() == ObjectKind::Function).then(|| object.domain());
        let is_plain = !object.kind().is_lazy();
        let root = object.as_tree().map(|tree| tree.root);
        let items = if root.is_some() { Items::EMPTY } else { object.items() };
        // A view gives access to all elements of its run.
        let mut parts = items.iter().chain(root).chain(domain).chain(region.lasting_words(object));
        // SAFETY: these are the words of a view, below.
        let is_here = |words: *const u64| region.contains(unsafe { run::first_of(words) }.addr());
        is_plain
            && region.contains(object.address())
            && object.view_words().is_none_or(is_here)
            && parts.all(|part| with_stack(|| part.lives_in(region, n_looks)))
    }

    /// Returns `{}`.
    pub fn empty_set() -> Value<'r> {
        Value::from_object(&raw const EMPTY_SET as usize)
    }

    /// Returns `<<>>`, which is also the empty function.
    pub fn empty_sequence() -> Value<'r> {
        Value::from_object(&raw const EMPTY_SEQUENCE as usize)
    }
}

#[repr(C, align(8))]
struct Shared(RegionHeader);

// SAFETY: frozen objects are never written.
unsafe impl Sync for Shared {}

static EMPTY_SET: Shared = Shared(RegionHeader::new(ObjectKind::Set, NORMAL | GROUND | FROZEN, 0));
static EMPTY_SEQUENCE: Shared = Shared(RegionHeader::new(ObjectKind::Sequence, NORMAL | GROUND | FROZEN, 0));
