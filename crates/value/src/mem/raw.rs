//! The layout of words and interned objects, for code that is generated at run time.
//!
//! Generated code reads interned objects only: they never change and never move. It hands everything else back, as
//! words, to functions that know values.
#![expect(unsafe_code, reason = "makes values of words that generated code hands back")]

use super::arena::{self, IdBits};
use super::object::{FROZEN, GROUND, NORMAL, ObjectKind};
use super::region::Region;
use super::word::Value;
use crate::{Interner, Shape, ValueId};

/// The lowest bit of a word that is an integer; the other bits are its value.
pub const INT_TAG: u64 = 1;
/// The bits of a word that tell its kind, if it is not an integer.
pub const TAG_MASK: u64 = 7;
pub const ATOM_TAG: u64 = 2;
pub const INTERNED_TAG: u64 = 6;
/// Number of bits by which atoms and booleans are shifted past their tag.
pub const TAG_SHIFT: u32 = 3;

/// An id belongs to an object if it is not negative: it is the distance from the window in units of 8 bytes.
pub const ID_UNIT_LOG2: u32 = 3;
/// The two top bits of an id that is an integer of 30 bits.
pub const ID_INT: u32 = 0b10;
/// The three top bits of an id that is an atom.
pub const ID_ATOM: u32 = 0b110;
/// The three top bits of an id that is a boolean: the lowest bit is its value.
pub const ID_BOOL: u32 = 0b111;
pub const ID_PAYLOAD_BITS: u32 = 29;
/// The bit of an atom (in an id, unshifted) that can be compared only with atoms of its own type: comparing it with
/// others is an error.
pub const ATOM_TYPED_BIT: u32 = crate::atom::TYPED_BIT;

/// The offset of the slots of an interned object: a record's shape or a function's domain comes first.
pub const SLOTS_OFFSET: i32 = 8;
/// The offset of the number of children, in 32 bits.
pub const LEN_OFFSET: i32 = 4;

/// The kinds of interned objects that generated code knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InternedKind {
    Sequence,
    Record,
    Function,
    Set,
}

impl InternedKind {
    /// Returns the first byte of such an object.
    pub const fn byte(self) -> u8 {
        match self {
            InternedKind::Sequence => ObjectKind::Sequence as u8,
            InternedKind::Record => ObjectKind::Record as u8,
            InternedKind::Function => ObjectKind::Function as u8,
            InternedKind::Set => ObjectKind::Set as u8,
        }
    }

    /// Returns the first two bytes of such an object whose children are behind the header, as all are except those of
    /// sequences that grew.
    pub const fn start(self) -> u16 {
        self.header(0) as u16
    }

    /// Returns the first eight bytes of such an object with `len` children.
    pub const fn header(self, len: u32) -> u64 {
        self.byte() as u64 | ((NORMAL | GROUND | FROZEN) as u64) << 8 | (len as u64) << 32
    }
}

/// Returns the word of a value.
#[inline]
pub fn word(value: Value<'_>) -> u64 {
    value.word()
}

/// Returns the value of a word.
///
/// # Safety
/// The word came from [`word`], or is an integer, atom or boolean by its tag, and the value that it came from
/// lives for `'r`.
#[inline]
pub unsafe fn value<'r>(word: u64) -> Value<'r> {
    Value::from_word(word)
}

/// Whether the children of this object are behind its header, where generated code looks for them. Those of large sets
/// and functions are not.
pub fn has_children_at_hand(value: Value<'_>) -> bool {
    value.object().is_none_or(|object| !object.is_tree())
}

/// Whether it is an interned function whose values are not ids: generated code that knows the domain does not find them.
pub fn is_packed(value: Value<'_>) -> bool {
    value.object().is_some_and(|object| object.is_packed())
}

/// Returns the start of the window of an interner: the address from which the ids of its objects count.
pub fn window(interner: &Interner) -> u64 {
    interner.window() as u64
}

/// Returns the id of a value that is in a word or interned among the shared ones.
pub fn id(value: Value<'_>) -> Option<ValueId> {
    match value.is_interned() {
        true => Interner::shared().id_of(value),
        false => arena::encode_inline(value).map(|bits: IdBits| ValueId::from_bits(bits.bits())),
    }
}

/// Returns the bits of a shape, as records hold them.
pub fn shape_bits(shape: Shape) -> u32 {
    shape.bits()
}

/// Returns the shape with these bits, which came from [`shape_bits`].
pub fn shape(bits: u32) -> Shape {
    Shape::from_bits(bits)
}

/// Returns the address of ids as plain numbers.
pub fn id_bits(ids: &[ValueId]) -> *const u32 {
    ids.as_ptr().cast::<u32>()
}

/// Returns ids as plain numbers.
pub fn ids_as_bits(ids: &[ValueId]) -> &[u32] {
    // SAFETY: an id is a number of 32 bits, and nothing else; see below.
    unsafe { std::slice::from_raw_parts(id_bits(ids), ids.len()) }
}

const _: () = assert!(size_of::<ValueId>() == size_of::<u32>() && align_of::<ValueId>() == align_of::<u32>());

/// Copies words into a region, and returns their address.
pub fn keep_words(region: &Region, words: &[u64]) -> u64 {
    region.alloc_slice(words.iter().copied()).as_ptr() as u64
}

/// Returns the address of fresh words in a region.
pub fn room_for_words(region: &Region, n: usize) -> u64 {
    region.alloc_slice(std::iter::repeat_n(0_u64, n.max(1))).as_ptr() as u64
}
