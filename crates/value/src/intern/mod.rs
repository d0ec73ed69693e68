//! The interner: one object for each meaning, with a 32-bit id. Equal ids are equal values.
//!
//! Values are interned bottom-up: an object consists of ids, so its hash and its equality with another are those of a
//! few integers, whatever is inside. Lookup takes no lock; adding locks a part of the table.

mod parts;

pub(crate) use parts::INTERVAL_MIN;

use std::fmt;
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::mem::{Arena, Block, Growth, IdBits, ObjectKind, Parts};
use crate::ops::mix;
use crate::table::{Table, Things};
use crate::{Host, OpResult, Value};

/// An interned value in 32 bits: small integers, booleans and atoms inline, others by their place in the interner that
/// returned it. Within one interner, equal ids are equal values and unequal ids are different values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct ValueId(IdBits);

impl ValueId {
    /// Whether it is the id of an object. Otherwise the value is in the id itself.
    #[inline]
    pub fn is_object(self) -> bool {
        self.0.is_object()
    }

    /// Returns the bits, for tables and files. They have no meaning of their own.
    #[inline]
    pub fn bits(self) -> u32 {
        self.0.bits()
    }

    /// Makes an id of bits that came from [`ValueId::bits`].
    #[inline]
    pub fn from_bits(bits: u32) -> ValueId {
        ValueId(IdBits::from_bits(bits))
    }
}

impl fmt::Debug for ValueId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ValueId({:#x})", self.bits())
    }
}

/// A value that is explicit and in normal form throughout, as an interner needs it.
#[derive(Clone, Copy, Debug)]
pub struct Ground<'r>(Value<'r>);

impl<'r> Ground<'r> {
    /// Makes the value explicit and puts it into normal form throughout. Refuses values that cannot be stored in a
    /// state: infinite sets, functions on them, sets of incomparable elements.
    #[inline]
    pub fn new<H: Host<'r> + ?Sized>(host: &mut H, value: Value<'r>) -> OpResult<Ground<'r>> {
        match Ground::opt(value) {
            Some(ground) => Ok(ground),
            None => crate::ops::force(host, value).map(Ground),
        }
    }

    /// Returns the value, if it is known to be explicit and in normal form throughout.
    #[inline]
    pub fn opt(value: Value<'r>) -> Option<Ground<'r>> {
        value.is_ground().then_some(Ground(value))
    }

    #[inline]
    pub fn value(self) -> Value<'r> {
        self.0
    }
}

/// The error when the interner's address range or the table of states is full.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no room for more values")]
pub struct Full;

/// Number of workers that can write objects at the same time without waiting for each other.
const N_BLOCKS: usize = 64;

/// A table of values by meaning. It only grows; reading needs no lock.
pub struct Interner {
    arena: Arena,
    /// Ids of objects by the hash of their parts.
    table: Table,
    /// The places for new objects, by hash.
    blocks: Box<[Mutex<Block>]>,
}

impl Things for Arena {
    fn hash(&self, number: u32) -> u64 {
        let id = IdBits::from_bits(number);
        let hash_of = |parts: Parts<'_>| match self.folded_hash(id) {
            Some(folded) => hash_of_folded(folded, parts.slots),
            None => hash(parts),
        };
        self.with_parts(id, hash_of).expect("an object is written before its id is known")
    }
}

impl Interner {
    /// Returns the interner for stored states and constants. Its values live forever.
    pub fn shared() -> &'static Interner {
        static SHARED: OnceLock<Interner> = OnceLock::new();
        SHARED.get_or_init(|| Interner::new(usize::MAX).expect("64 MiB of address space"))
    }

    /// Makes an interner of its own with at most `bytes_max`: for a random walk or a log, dropped with all its values.
    /// Returns `None` when the system gives no address space.
    pub fn new(bytes_max: usize) -> Option<Interner> {
        let arena = Arena::new(bytes_max)?;
        let table = Table::new(arena.n_objects_max())?;
        Some(Interner { arena, table, blocks: (0..N_BLOCKS).map(|_| Mutex::default()).collect() })
    }

    /// Returns the id of this value, if it was interned.
    #[inline]
    pub fn find(&self, value: Ground<'_>) -> Option<ValueId> {
        match self.arena.encode(value.0) {
            Some(id) => Some(ValueId(id)),
            None => parts::find(self, value.0).map(ValueId),
        }
    }

    /// Returns the id of this value, and interns it if needed.
    #[inline]
    pub fn intern(&self, value: Ground<'_>) -> Result<ValueId, Full> {
        match self.arena.encode(value.0) {
            Some(id) => Ok(ValueId(id)),
            None => parts::intern(self, value.0).map(ValueId),
        }
    }

    /// Returns the value with this id. Panics if the id belongs to another interner and means nothing here.
    #[inline]
    pub fn value(&self, id: ValueId) -> Value<'_> {
        self.arena.value(id.0).expect("an id is used with the interner that gave it")
    }

    /// Returns the start of its window: see [`crate::raw`].
    pub(crate) fn window(&self) -> usize {
        self.arena.window()
    }

    /// Returns the id of a value that is inline or an object of this interner.
    #[inline]
    pub fn id_of(&self, value: Value<'_>) -> Option<ValueId> {
        self.arena.encode(value).map(ValueId)
    }

    /// Interns the sequence, record or function that has these values in the places of those of `like`, and the same
    /// length, fields or domain. Panics for anything else, and for another number of values.
    pub fn intern_like(&self, like: ValueId, values: &[ValueId]) -> Result<ValueId, Full> {
        let interned = self.arena.with_parts(like.0, |like| self.intern_like_parts(like, values));
        interned.expect("an object of this interner")
    }

    fn intern_like_parts(&self, like: Parts<'_>, values: &[ValueId]) -> Result<ValueId, Full> {
        assert!(matches!(like.kind, ObjectKind::Sequence | ObjectKind::Record | ObjectKind::Function));
        assert_eq!(values.len(), like.len as usize);
        if like.is_tree {
            let domain = IdBits::from_bits(like.slots[0]);
            return parts::function_in_tree(self, domain, values).map(ValueId);
        }
        let n_before = like.slots.len() - values.len();
        parts::with_slots(|slots| {
            let start = slots.len();
            slots.extend_from_slice(&like.slots[..n_before]);
            slots.extend(values.iter().map(|value| value.bits()));
            let parts = Parts { slots: &slots[start..], ..like };
            let id = self.intern_parts(hash(parts), parts);
            slots.truncate(start);
            id.map(ValueId)
        })
    }

    /// Whether there is room behind a sequence that can be extended in place. `None` for anything else.
    pub(crate) fn can_lengthen(&self, sequence: Value<'_>, n_more: usize) -> Option<bool> {
        self.arena.has_room_behind(self.arena.encode(sequence)?, n_more)
    }

    /// Returns the sequence with more elements, if that needs no copy of those it has. Returns `None` if someone else
    /// has extended it, or it does not belong to this interner, or is too short.
    pub(crate) fn lengthen(&self, sequence: Value<'_>, more: &[ValueId]) -> Result<Option<ValueId>, Full> {
        let Some(id) = self.arena.encode(sequence) else { return Ok(None) };
        let Some(folded) = self.arena.folded_hash(id) else { return Ok(None) };
        let before = self.arena.parts(id).expect("an object of this interner").slots;
        parts::with_slots(|slots| {
            let start = slots.len();
            let is_odd = !before.len().is_multiple_of(2);
            slots.extend(before.last().filter(|_| is_odd));
            slots.extend(more.iter().map(|more| more.bits()));
            // The folded slots, plus a last one that had no partner.
            let folded = fold(folded, &slots[start..]);
            let growth = Growth { before, more: &slots[start + usize::from(is_odd)..], folded };
            let found = self.grow(hash_of_folded(folded, &slots[start..]), growth, Some(id));
            slots.truncate(start);
            found
        })
    }

    /// Interns the sequence with these elements, and leaves room behind it for expected ones.
    fn intern_growing(&self, slots: &[u32]) -> Result<IdBits, Full> {
        let folded = fold(seed(ObjectKind::Sequence, false), slots);
        let growth = Growth { before: slots, more: &[], folded };
        let id = self.grow(hash_of_folded(folded, slots), growth, None)?;
        Ok(id.expect("nobody else takes what is new").0)
    }

    fn grow(&self, hash: u64, growth: Growth<'_>, behind: Option<IdBits>) -> Result<Option<ValueId>, Full> {
        let is_it = |bits| self.arena.is_grown_to(IdBits::from_bits(bits), growth);
        let mut is_taken = false;
        let make = || {
            let block = &self.blocks[(hash >> 32) as usize % N_BLOCKS];
            let mut block = block.lock().unwrap_or_else(PoisonError::into_inner);
            let pushed = match behind {
                Some(before) => self.arena.push_behind(&mut block, before, growth),
                None => self.arena.push_run(&mut block, growth),
            };
            is_taken = behind.is_some() && pushed.is_none();
            pushed.map(IdBits::bits)
        };
        match self.table.find_or_add(hash, is_it, &self.arena, make) {
            Ok((bits, _)) => Ok(Some(ValueId(IdBits::from_bits(bits)))),
            Err(Full) if is_taken => Ok(None),
            Err(Full) => Err(Full),
        }
    }

    /// Whether a value is among the elements of a set. `None` if that is not an explicit set of this interner with at
    /// most `len_max` elements.
    #[inline]
    pub fn is_listed(&self, element: ValueId, set: ValueId, len_max: u32) -> Option<bool> {
        let is_flat = |parts: &Parts<'_>| parts.kind == ObjectKind::Set && !parts.is_tree;
        let parts = self.arena.parts(set.0).filter(is_flat)?;
        (parts.len <= len_max).then(|| parts.slots.contains(&element.bits()))
    }

    /// Whether it is an object of this interner.
    pub(crate) fn owns(&self, value: Value<'_>) -> bool {
        value.is_interned() && self.arena.encode(value).is_some()
    }

    /// Returns the number of objects.
    pub fn len(&self) -> usize {
        self.table.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the bytes of objects.
    pub fn object_bytes(&self) -> usize {
        self.arena.bytes_used()
    }

    /// Returns the bytes of the table in which objects are found.
    pub fn table_bytes(&self) -> usize {
        self.table.bytes_used()
    }

    /// Returns the bytes of objects and tables.
    pub fn bytes_used(&self) -> usize {
        self.object_bytes() + self.table_bytes()
    }

    /// Returns how often a worker had to wait for another one.
    pub fn n_waits(&self) -> usize {
        self.table.n_waits()
    }

    /// Finds the object that consists of these parts.
    #[inline]
    fn find_parts(&self, hash: u64, parts: Parts<'_>) -> Option<IdBits> {
        let is_it = |bits| self.arena.is_made_of(IdBits::from_bits(bits), parts);
        self.table.find_surely(hash, is_it).map(IdBits::from_bits)
    }

    #[inline]
    fn intern_parts(&self, hash: u64, parts: Parts<'_>) -> Result<IdBits, Full> {
        let is_it = |bits| self.arena.is_made_of(IdBits::from_bits(bits), parts);
        let make = || {
            let block = &self.blocks[(hash >> 32) as usize % N_BLOCKS];
            let mut block = block.lock().unwrap_or_else(PoisonError::into_inner);
            self.arena.push(&mut block, parts).map(IdBits::bits)
        };
        let (bits, _) = self.table.find_or_add(hash, is_it, &self.arena, make)?;
        Ok(IdBits::from_bits(bits))
    }
}

impl fmt::Debug for Interner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Interner({} values, {} bytes)", self.len(), self.bytes_used())
    }
}

fn hash(parts: Parts<'_>) -> u64 {
    let seed = seed(parts.kind, parts.negative | parts.is_tree);
    hash_of_folded(fold(seed, parts.slots), parts.slots)
}

fn seed(kind: ObjectKind, is_special: bool) -> u64 {
    mix(0x6c62_272e_07bb_0142, kind as u64 | u64::from(is_special) << 8)
}

/// Folds all slots except the last of an odd number, two by two. The result stays the same when more are added.
fn fold(seed: u64, slots: &[u32]) -> u64 {
    let pairs = slots.chunks_exact(2);
    pairs.fold(seed, |state, pair| mix(state, u64::from(pair[0]) | u64::from(pair[1]) << 32))
}

/// Returns the hash of slots whose folded value is known.
#[inline]
fn hash_of_folded(folded: u64, slots: &[u32]) -> u64 {
    match slots.last() {
        Some(&last) if !slots.len().is_multiple_of(2) => mix(folded, u64::from(last) | 1 << 63),
        Some(_) | None => folded,
    }
}
