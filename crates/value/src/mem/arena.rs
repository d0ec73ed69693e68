//! The interner's memory: one reserved address range, filled by appending, whose objects have 32-bit ids.
//!
//! A range lies inside one aligned window of 16 GiB, and an object's id is its distance from the window's start in
//! units of 8 bytes. Id and address convert by arithmetic, and the window follows from any address inside. Values that
//! are not objects live in the id itself:
//!
//! ```text
//! 0 offset / 8 (31 bits)      object
//! 10 integer (30 bits)
//! 110 atom (29 bits)
//! 111 boolean (29 bits)
//! ```
#![expect(unsafe_code, reason = "maps memory, and writes objects into it before anyone can see them")]

use std::cell::Cell;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};

use super::map::Map;
use super::object::{COUNTS, FROZEN, GROUND, Header, NEGATIVE, NORMAL, Object, ObjectKind, PACKED, VIEW};
use super::word::Value;
use crate::Atom;

pub(super) const WINDOW_BYTES: usize = 1 << 34;
pub(super) const UNIT: usize = 8;
const INT_BITS: u32 = 30;
const KIND_INT: u32 = 0b10 << 30;
const KIND_ATOM: u32 = 0b110 << 29;
const KIND_SPECIAL: u32 = 0b111 << 29;
const PAYLOAD_29: u32 = (1 << 29) - 1;
/// Size of the smallest useful range.
const RANGE_BYTES_MIN: usize = if cfg!(miri) { 1 << 20 } else { 64 << 20 };

/// The bits of an id. They mean something only together with the arena that returned them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub(crate) struct IdBits(pub(super) u32);

impl IdBits {
    #[inline]
    pub(crate) fn bits(self) -> u32 {
        self.0
    }

    /// Makes an id of bits that came from [`IdBits::bits`]. Other bits are not dangerous: an arena checks every id.
    #[inline]
    pub(crate) fn from_bits(bits: u32) -> IdBits {
        IdBits(bits)
    }

    #[inline]
    pub(crate) fn is_object(self) -> bool {
        self.0 >> 31 == 0
    }
}

/// Returns the value of an id that an interned object near `near` holds, or that its arena has checked.
#[inline]
pub(super) fn decode<'r>(id: IdBits, near: usize) -> Value<'r> {
    if id.is_object() {
        return Value::from_interned((near & !(WINDOW_BYTES - 1)) + id.0 as usize * UNIT);
    }
    decode_inline(id)
}

#[inline]
fn decode_inline<'r>(id: IdBits) -> Value<'r> {
    if id.0 & KIND_ATOM != KIND_ATOM {
        return Value::from_int(i64::from((id.0 << 2) as i32 >> 2));
    }
    if id.0 & KIND_SPECIAL == KIND_SPECIAL {
        return Value::from_special_bits(id.0 & PAYLOAD_29);
    }
    Value::atom(Atom::from_bits(id.0 & PAYLOAD_29))
}

/// Returns the id of a value that needs no object: a boolean, an atom or an integer of 30 bits.
#[inline]
pub(crate) fn encode_inline(value: Value<'_>) -> Option<IdBits> {
    if let Some(int) = value.as_small() {
        let fits = (int << (64 - INT_BITS)) >> (64 - INT_BITS) == int;
        return fits.then_some(IdBits(KIND_INT | int as u32 & !(0b11 << 30)));
    }
    if let Some(atom) = value.as_atom() {
        return Some(IdBits(KIND_ATOM | atom.bits()));
    }
    value.as_bool().and(value.as_special_bits()).map(|bits| IdBits(KIND_SPECIAL | bits))
}

#[inline]
pub(super) fn are_in_one_window(left: usize, right: usize) -> bool {
    left / WINDOW_BYTES == right / WINDOW_BYTES
}

/// Returns the id that a value would have among those near `near`: inline, or an object in the same window. It is not
/// known whether such an object belongs to the same arena: use the id to look for a value, not to follow it.
#[inline]
pub(super) fn encode_near(value: Value<'_>, near: usize) -> Option<IdBits> {
    match value.object() {
        Some(object) if object.is_interned() => are_in_one_window(object.address(), near)
            .then_some(IdBits(((object.address() % WINDOW_BYTES) / UNIT) as u32)),
        Some(_) => None,
        None => encode_inline(value),
    }
}

/// Returns the id of an object at this address.
#[inline]
pub(super) fn id_at(address: usize) -> IdBits {
    IdBits(((address & (WINDOW_BYTES - 1)) / UNIT) as u32)
}

/// An address range that is filled by appending objects.
///
/// Invariant: `starts` has a bit for each mapped unit of the window part. It is set exactly for those where a complete
/// object begins, after the object was written. Objects are never changed or moved.
pub(crate) struct Arena {
    map: Map,
    /// One bit for each unit of `map`.
    starts: Map,
    next: AtomicUsize,
    number: u32,
}

/// Room in an arena that one writer fills.
#[derive(Default)]
pub(crate) struct Block {
    /// The number of the arena; 0 for none.
    arena: u32,
    next: usize,
    end: usize,
}

/// The parts of an interned object, in the form in which values are looked up.
#[derive(Clone, Copy)]
pub(crate) struct Parts<'a> {
    pub(crate) kind: ObjectKind,
    pub(crate) negative: bool,
    /// Whether the children of a set or function are in a tree.
    pub(crate) is_tree: bool,
    /// Whether the values of a function in a tree are known to be positive integers. This does not distinguish values.
    pub(crate) are_counts: bool,
    /// The number of digits of a `BigInt`, otherwise the number of children.
    pub(crate) len: u32,
    /// Prefix and children, or digits; for a tree prefix, root and height.
    pub(crate) slots: &'a [u32],
}

/// Number of slots of a tree: root and height.
const TREE_SLOTS: usize = 2;

/// Number of bytes of an arena within which sets are of those that every state has, such as the domains of variables.
/// Functions on them have no packed values, because generated code reads them. Tests without optimisation have functions of
/// both forms soon.
const EARLY_BYTES: usize = if cfg!(debug_assertions) { 4 << 10 } else { 256 << 10 };

const BLOCK_BYTES: usize = 4 << 10;
/// Size of blocks while an arena has fewer than `FEW_BYTES`, when the space they leave free matters.
const BLOCK_BYTES_FEW: usize = 512;
const FEW_BYTES: usize = 8 << 20;

impl Arena {
    /// Makes an arena of at most `bytes_max`; smaller when the system does not give so much address space.
    pub(crate) fn new(bytes_max: usize) -> Option<Arena> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let bytes_max = if cfg!(miri) { RANGE_BYTES_MIN } else { bytes_max };
        let bytes_max = bytes_max.min(Map::share_bytes());
        let mut bytes = bytes_max.clamp(RANGE_BYTES_MIN, WINDOW_BYTES).next_power_of_two();
        let (map, starts) = loop {
            let maps = Map::in_one_window(bytes, WINDOW_BYTES).zip(Map::new(bytes / UNIT / 8));
            match maps {
                Some(maps) => break maps,
                None if bytes == RANGE_BYTES_MIN => return None,
                None => bytes /= 2,
            }
        };
        let number = COUNT.fetch_add(1, Ordering::Relaxed).checked_add(1).expect("fewer than 2^32 arenas");
        // Zero is not a valid id: tables use it for a free slot.
        Some(Arena { next: AtomicUsize::new(map.start + UNIT), map, starts, number })
    }

    /// Returns a number that identifies the arena: no two that ever exist have the same number, and none has 0.
    #[inline]
    pub(crate) fn number(&self) -> u32 {
        self.number
    }

    /// Returns the start of the window.
    pub(crate) fn window(&self) -> usize {
        self.map.start & !(WINDOW_BYTES - 1)
    }

    /// Returns the bytes given to blocks.
    pub(crate) fn bytes_used(&self) -> usize {
        self.next.load(Ordering::Relaxed) - self.map.start
    }

    /// Returns the largest number of objects that fit.
    pub(crate) fn n_objects_max(&self) -> usize {
        self.map.bytes / (2 * UNIT)
    }

    /// Returns the id of a value that is inline, or an object of this arena.
    #[inline]
    pub(crate) fn encode(&self, value: Value<'_>) -> Option<IdBits> {
        if !value.is_interned() {
            return encode_inline(value);
        }
        let address = value.object()?.address();
        self.contains(address).then_some(id_at(address))
    }

    /// Returns the value of an id, or `None` if it is an object's id and this arena has none there.
    #[inline]
    pub(crate) fn value(&self, id: IdBits) -> Option<Value<'_>> {
        if !id.is_object() {
            return Some(decode_inline(id));
        }
        let address = (self.map.start & !(WINDOW_BYTES - 1)) + id.0 as usize * UNIT;
        (self.contains(address) && self.is_start(address)).then(|| Value::from_interned(address))
    }

    /// Whether the object with this id has these parts. Returns false for arbitrary bits.
    #[inline]
    pub(crate) fn is_made_of(&self, id: IdBits, parts: Parts<'_>) -> bool {
        let Some(object) = self.object(id) else { return false };
        if object.kind() != parts.kind
            || object.len() as u32 != parts.len
            || object.is_negative() != parts.negative
            || object.is_tree() != parts.is_tree
        {
            return false;
        }
        if let Some(values) = object.packed_values() {
            let [domain, others @ ..] = parts.slots else { return false };
            let is_same = |(&value, &part): (&u8, &u32)| part == KIND_INT | u32::from(value);
            return id_of_domain(object) == *domain
                && values.len() == others.len()
                && values.iter().zip(others).all(is_same);
        }
        // SAFETY: an interned object of this kind and length has as many slots as `parts`: `push` checks it for
        // the object, `grown.rs` keeps it for sequences, and `parts` has the same kind and length.
        let slots = unsafe { std::slice::from_raw_parts(object.contents(), parts.n_slots()) };
        // Most are too short for a call.
        slots.iter().zip(parts.slots).all(|(slot, part)| slot == part)
    }

    /// Returns the interned object with this id.
    pub(super) fn object(&self, id: IdBits) -> Option<Object<'_>> {
        id.is_object().then(|| self.value(id)).flatten()?.object()
    }

    /// Passes the parts of the object with this id to `body`. Returns `None` if this arena has none there.
    pub(crate) fn with_parts<R>(&self, id: IdBits, body: impl FnOnce(Parts<'_>) -> R) -> Option<R> {
        let object = self.object(id)?;
        let Some(values) = object.packed_values() else { return self.parts(id).map(body) };
        let ids = values.iter().map(|&value| KIND_INT | u32::from(value));
        let slots: Vec<u32> = std::iter::once(id_of_domain(object)).chain(ids).collect();
        let (kind, len) = (object.kind(), values.len() as u32);
        let is = false;
        Some(body(Parts { kind, negative: is, is_tree: is, are_counts: is, len, slots: &slots }))
    }

    /// Returns the parts of the object with this id, or `None` if this arena has none there, or has them in another form:
    /// see [`Arena::with_parts`].
    pub(crate) fn parts(&self, id: IdBits) -> Option<Parts<'_>> {
        let object = self.object(id).filter(|object| !object.is_packed())?;
        let (kind, negative, len) = (object.kind(), object.is_negative(), object.len() as u32);
        let is_tree = object.is_tree();
        let are_counts = object.has_counts();
        let n_slots = Parts { kind, negative, is_tree, are_counts, len, slots: &[] }.n_slots();
        // SAFETY: `push` wrote so many slots behind the header of an object of this kind and length.
        let slots = unsafe { std::slice::from_raw_parts(object.contents(), n_slots) };
        Some(Parts { kind, negative, is_tree, are_counts, len, slots })
    }

    /// Writes an object and returns its id, or `None` when the range is full.
    pub(crate) fn push(&self, block: &mut Block, parts: Parts<'_>) -> Option<IdBits> {
        assert_eq!(parts.slots.len(), parts.n_slots());
        let n_data = if parts.kind.has_children() { parts.slots.len() } else { 0 };
        let shape = usize::from(parts.kind == ObjectKind::Record);
        let children = &parts.slots[shape.min(n_data)..n_data];
        assert!(
            children.iter().all(|&child| self.value(IdBits(child)).is_some()),
            "children are interned first"
        );
        if let Some(packed) = self.pack(parts) {
            return self.push_packed(block, parts, &packed);
        }
        let bytes = (size_of::<Header>() + size_of_val(parts.slots)).next_multiple_of(UNIT);
        let address = self.take(block, bytes)?;
        let place = std::ptr::with_exposed_provenance_mut::<Header>(address);
        let (flags, len) = (Cell::new(parts.flags()), Cell::new(parts.len));
        // SAFETY: `take` gave this memory to this call alone; it is mapped and aligned.
        unsafe { place.write(Header { kind: parts.kind, flags, reserved: 0, len }) };
        let slots = place.wrapping_add(1).cast::<u32>();
        // SAFETY: `take` gave this memory to this call alone, and `bytes` has room for the slots behind the header.
        unsafe { std::ptr::copy_nonoverlapping(parts.slots.as_ptr(), slots, parts.slots.len()) };
        self.set_start(address);
        Some(id_at(address))
    }

    /// Returns the values of a function in a byte each, if that is possible, worth it, and generated code does not know the
    /// domain.
    fn pack(&self, parts: Parts<'_>) -> Option<Vec<u8>> {
        if parts.kind != ObjectKind::Function || parts.is_tree || parts.len < 2 {
            return None;
        }
        let (&domain, values) = parts.slots.split_first()?;
        let place = self.window() + domain as usize * UNIT - self.map.start;
        let byte = |&value: &u32| u8::try_from(value ^ KIND_INT).ok();
        (place >= EARLY_BYTES).then(|| values.iter().map(byte).collect())?
    }

    /// Writes a function with its values in a byte each.
    fn push_packed(&self, block: &mut Block, parts: Parts<'_>, values: &[u8]) -> Option<IdBits> {
        let prefix = &parts.slots[..parts.kind.prefix_len()];
        assert!(values.len() == parts.len as usize && prefix.len() == 1);
        let bytes = (size_of::<Header>() + size_of_val(prefix) + values.len()).next_multiple_of(UNIT);
        let address = self.take(block, bytes)?;
        let place = std::ptr::with_exposed_provenance_mut::<Header>(address);
        let flags = Cell::new(parts.flags() | PACKED);
        // SAFETY: `take` gave this memory to this call alone; it is mapped and aligned.
        unsafe { place.write(Header { kind: parts.kind, flags, reserved: 0, len: Cell::new(parts.len) }) };
        let slot = place.wrapping_add(1).cast::<u32>();
        // SAFETY: `take` gave this memory to this call alone, and `bytes` has room for the slot behind the header.
        unsafe { slot.write(prefix[0]) };
        let first = slot.wrapping_add(1).cast::<u8>();
        // SAFETY: `take` gave this memory to this call alone, and `bytes` has room for the values behind the slot.
        unsafe { std::ptr::copy_nonoverlapping(values.as_ptr(), first, values.len()) };
        self.set_start(address);
        Some(id_at(address))
    }

    /// Returns the address of `bytes` that belong to the caller alone.
    pub(super) fn take(&self, block: &mut Block, bytes: usize) -> Option<usize> {
        if block.arena != self.number || bytes > block.end - block.next {
            let block_bytes = if self.bytes_used() < FEW_BYTES { BLOCK_BYTES_FEW } else { BLOCK_BYTES };
            let size = if bytes > block_bytes / 4 { bytes } else { block_bytes };
            let advance = |next: usize| next.checked_add(size).filter(|&next| next <= self.map.end());
            let start = self.next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, advance).ok()?;
            if size == bytes {
                return Some(start);
            }
            *block = Block { arena: self.number, next: start, end: start + size };
        }
        block.next += bytes;
        Some(block.next - bytes)
    }

    #[inline]
    fn contains(&self, address: usize) -> bool {
        address.wrapping_sub(self.map.start) < self.map.bytes
    }

    #[inline]
    fn start_bit(&self, address: usize) -> (&AtomicU64, u64) {
        let unit = (address - self.map.start) / UNIT;
        let word = std::ptr::with_exposed_provenance::<AtomicU64>(self.starts.start).wrapping_add(unit / 64);
        debug_assert!(self.contains(address) && unit / 8 < self.starts.bytes);
        // SAFETY: `starts` has a bit for each unit of `map`, is aligned, and is only accessed as atomics.
        (unsafe { &*word }, 1 << (unit % 64))
    }

    #[inline]
    fn is_start(&self, address: usize) -> bool {
        let (word, bit) = self.start_bit(address);
        word.load(Ordering::Acquire) & bit != 0
    }

    pub(super) fn set_start(&self, address: usize) {
        let (word, bit) = self.start_bit(address);
        word.fetch_or(bit, Ordering::Release);
    }
}

/// Returns the bits of the id of the domain of an interned function.
fn id_of_domain(function: Object<'_>) -> u32 {
    let domain = function.domain().object().expect("a domain is an object");
    id_at(domain.address()).0
}

impl Parts<'_> {
    #[inline]
    fn n_slots(&self) -> usize {
        if self.is_tree {
            assert!(matches!(self.kind, ObjectKind::Set | ObjectKind::Function));
            return self.kind.prefix_len() + TREE_SLOTS;
        }
        match self.kind {
            ObjectKind::BigInt => self.len as usize,
            ObjectKind::Interval => 4,
            ObjectKind::Sequence | ObjectKind::Set => self.len as usize,
            ObjectKind::Record | ObjectKind::Function => self.len as usize + 1,
            ObjectKind::LazyFunction | ObjectKind::Powerset | ObjectKind::KSubsets => self.refuse(),
            ObjectKind::FunctionSet | ObjectKind::RecordSet | ObjectKind::Product => self.refuse(),
            ObjectKind::Filter | ObjectKind::Cup | ObjectKind::Cap | ObjectKind::Difference => self.refuse(),
            ObjectKind::Union | ObjectKind::Sequences => self.refuse(),
        }
    }

    fn refuse(&self) -> ! {
        unreachable!("{:?} is never interned", self.kind)
    }

    fn flags(&self) -> u8 {
        let more = [(self.negative, NEGATIVE), (self.is_tree, VIEW), (self.are_counts, COUNTS)];
        let more = more.iter().filter(|(is_so, _)| *is_so);
        more.fold(NORMAL | GROUND | FROZEN, |flags, (_, flag)| flags | flag)
    }
}
