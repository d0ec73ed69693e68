//! The interner: one object for each meaning, with a 32-bit id. Equal ids are equal values.

use std::fmt;
use std::sync::OnceLock;

use crate::mem::{Arena, IdBits};
use crate::{Host, OpResult, Value};

/// An interned value in 32 bits: small integers, booleans and atoms inside, others by their place in the
/// interner that gave it. Within one interner, equal ids are equal values and unequal ids are different values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValueId(IdBits);

impl ValueId {
    /// For tables and files; has no meaning of its own.
    #[inline]
    pub fn bits(self) -> u32 {
        self.0.bits()
    }

    /// Bits that came from [`ValueId::bits`].
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
    /// The value, made explicit and put into normal form throughout. Refused for what cannot be stored in a
    /// state: infinite sets, functions on them, sets of incomparable elements.
    #[inline]
    pub fn new<H: Host<'r> + ?Sized>(host: &mut H, value: Value<'r>) -> OpResult<Ground<'r>> {
        match Ground::opt(value) {
            Some(ground) => Ok(ground),
            None => crate::ops::force(host, value).map(Ground),
        }
    }

    /// The value, if it is known to be explicit and in normal form throughout.
    #[inline]
    pub fn opt(value: Value<'r>) -> Option<Ground<'r>> {
        value.is_ground().then_some(Ground(value))
    }

    #[inline]
    pub fn value(self) -> Value<'r> {
        self.0
    }
}

/// The interner's address range or the table of states is full.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no room for more values")]
pub struct Full;

/// A table of values by meaning. It only grows; reading needs no lock, adding locks one shard.
pub struct Interner {
    arena: Arena,
}

impl Interner {
    /// The one for stored states and constants; its values live for ever.
    pub fn shared() -> &'static Interner {
        static SHARED: OnceLock<Interner> = OnceLock::new();
        SHARED.get_or_init(|| Interner::new(usize::MAX).expect("64 MiB of address space"))
    }

    /// One of its own, at most so large: for a random walk or a log, dropped with all its values. `None` when
    /// the system gives no address space.
    pub fn new(bytes_max: usize) -> Option<Interner> {
        Some(Interner { arena: Arena::new(bytes_max)? })
    }

    /// The id of this value, if it was interned.
    pub fn find(&self, value: Ground<'_>) -> Option<ValueId> {
        let _ = value;
        crate::later()
    }

    /// The id of this value, interned if it was not.
    pub fn intern(&self, value: Ground<'_>) -> Result<ValueId, Full> {
        let _ = value;
        crate::later()
    }

    /// The value with this id. Panics if the id is another interner's and means nothing here.
    #[inline]
    pub fn value(&self, id: ValueId) -> Value<'_> {
        self.arena.value(id.0).expect("an id is used with the interner that gave it")
    }

    /// How many objects there are.
    pub fn len(&self) -> usize {
        crate::later()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of objects and tables.
    pub fn bytes_used(&self) -> usize {
        self.arena.bytes_used()
    }
}

impl fmt::Debug for Interner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Interner({} bytes)", self.bytes_used())
    }
}
