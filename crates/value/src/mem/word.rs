//! The value word: 64 bits that are an integer, an atom, a constant, or a pointer to an object.
//!
//! ```text
//! ...iiii iii1   integer of 63 bits
//! ...aaaa a010   atom
//! ...cccc c100   boolean or infinite set
//! ...pppp p000   pointer to an object in a region or among the constants (`object.rs`)
//! ...pppp p110   pointer to an interned object (`intern`)
//! ```
//! Invariant: a pointer word was made by `from_object` or `from_interned` from an object that is complete and that
//! lives at least as long as `'r`. Nothing outside this folder can make one. No value is the word zero.
#![expect(unsafe_code, reason = "value words are known not to be zero")]

use std::fmt;
use std::marker::PhantomData;
use std::num::NonZeroU64;

use super::object::Object;
use crate::{Atom, Kind};

/// A TLA+ value. Copying it is free; `'r` is the lifetime of the region that it may live in, `'static` for interned
/// values and constants.
///
/// Not `Send`: a set in a region is put into normal form in place, so only the worker that owns the region may look at
/// it. Send a [`ValueId`](crate::ValueId) or a [`Constant`](crate::Constant) instead.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Value<'r> {
    word: NonZeroU64,
    life: PhantomData<(&'r (), *const ())>,
}

const INT_TAG: u64 = 1;
const TAG_MASK: u64 = 7;
const ATOM_TAG: u64 = 2;
const SPECIAL_TAG: u64 = 4;
const INTERNED_TAG: u64 = 6;
const TAG_SHIFT: u32 = 3;

pub(crate) const INT_MAX: i64 = i64::MAX >> 1;
pub(crate) const INT_MIN: i64 = i64::MIN >> 1;

const fn special(number: u64) -> Value<'static> {
    let word = NonZeroU64::new(number << TAG_SHIFT | SPECIAL_TAG);
    Value { word: word.expect("the tag is not zero"), life: PhantomData }
}

impl<'r> Value<'r> {
    pub const FALSE: Value<'static> = special(0);
    pub const TRUE: Value<'static> = special(1);
    /// `Nat`
    pub const NAT: Value<'static> = special(2);
    /// `Int`
    pub const INT: Value<'static> = special(3);
    /// `Real`
    pub const REAL: Value<'static> = special(4);
    /// `STRING`
    pub const STRING: Value<'static> = special(5);
    /// TLC's `Any`.
    pub const ANY: Value<'static> = special(6);

    #[inline]
    pub fn bool(value: bool) -> Value<'r> {
        if value { Value::TRUE } else { Value::FALSE }
    }

    /// Makes an integer that surely fits. [`Region::int`](crate::Region::int) takes any.
    #[inline]
    pub fn small(value: i32) -> Value<'r> {
        Value::from_int(i64::from(value))
    }

    /// Makes an integer, if it fits into the word: 63 bits.
    #[inline]
    pub fn opt_int(value: i64) -> Option<Value<'r>> {
        ((value << 1) >> 1 == value).then(|| Value::from_int(value))
    }

    #[inline]
    pub fn atom(atom: Atom) -> Value<'r> {
        Value::from_word(u64::from(atom.bits()) << TAG_SHIFT | ATOM_TAG)
    }

    /// Returns the boolean, if it is one.
    #[inline]
    pub fn as_bool(self) -> Option<bool> {
        match self.word.get() {
            word if word == Value::TRUE.word.get() => Some(true),
            word if word == Value::FALSE.word.get() => Some(false),
            _ => None,
        }
    }

    /// Returns the integer, if it is one that fits into the word. [`Value::view`] returns others.
    #[inline]
    pub fn as_small(self) -> Option<i64> {
        self.is_inline_int().then_some((self.word.get() as i64) >> 1)
    }

    #[inline]
    pub fn as_atom(self) -> Option<Atom> {
        (self.word.get() & TAG_MASK == ATOM_TAG)
            .then(|| Atom::from_bits((self.word.get() >> TAG_SHIFT) as u32))
    }

    /// Returns the string, if it is one.
    #[inline]
    pub fn as_string(self) -> Option<Atom> {
        self.as_atom().filter(|atom| atom.is_string())
    }

    /// Returns the model value, if it is one.
    #[inline]
    pub fn as_model_value(self) -> Option<Atom> {
        self.as_atom().filter(|atom| atom.is_model_value())
    }

    /// Whether it is the same word. Then it is the same object; the converse does not hold.
    #[inline]
    pub fn is_same(self, other: Value<'_>) -> bool {
        self.word == other.word
    }

    #[inline]
    pub fn is_interned(self) -> bool {
        self.word.get() & TAG_MASK == INTERNED_TAG
    }

    pub fn is_set(self) -> bool {
        self.kind().is_set()
    }

    pub fn is_function(self) -> bool {
        self.kind().is_function()
    }

    pub fn kind(self) -> Kind {
        if self.is_inline_int() {
            return Kind::Integer;
        }
        if let Some(atom) = self.as_atom() {
            return if atom.is_string() { Kind::String } else { Kind::ModelValue };
        }
        match self.object() {
            Some(object) => object.kind().value_kind(),
            None => self.special_kind(),
        }
    }

    fn special_kind(self) -> Kind {
        const KINDS: [Kind; 7] = [
            Kind::Boolean,
            Kind::Boolean,
            Kind::Naturals,
            Kind::Integers,
            Kind::Reals,
            Kind::Strings,
            Kind::Anything,
        ];
        KINDS[(self.word.get() >> TAG_SHIFT) as usize]
    }

    #[inline]
    pub(crate) fn is_inline_int(self) -> bool {
        self.word.get() & INT_TAG != 0
    }

    /// Makes an integer from `INT_MIN` to `INT_MAX`.
    #[inline]
    pub(crate) fn from_int(value: i64) -> Value<'r> {
        debug_assert!((INT_MIN..=INT_MAX).contains(&value));
        Value::from_word((value << 1) as u64 | INT_TAG)
    }

    #[inline]
    pub(crate) fn is_object(self) -> bool {
        // Tags 000 and 110: the two upper tag bits agree, and it is not an integer.
        matches!(self.word.get() & TAG_MASK, 0 | INTERNED_TAG)
    }

    #[inline]
    pub(crate) fn object(self) -> Option<Object<'r>> {
        match self.word.get() & TAG_MASK {
            0 => Some(Object::in_region(self.word.get() as usize)),
            INTERNED_TAG => Some(Object::in_interner((self.word.get() & !TAG_MASK) as usize)),
            _ => None,
        }
    }

    #[inline]
    pub(crate) fn word(self) -> u64 {
        self.word.get()
    }

    /// Makes a value of a word, which must keep the invariant of this file: it came from `word`, or its tag says that
    /// it is not a pointer, or `from_object` and `from_interned` made it.
    #[inline]
    pub(super) fn from_word(word: u64) -> Value<'r> {
        debug_assert!(word != 0);
        // SAFETY: by the invariant of this file. A tag other than 000 is not zero itself, and no object has the address
        // zero.
        Value { word: unsafe { NonZeroU64::new_unchecked(word) }, life: PhantomData }
    }

    /// Makes a value of an object. `address` is that of a complete object in the format of `object.rs`, alive for `'r`.
    #[inline]
    pub(super) fn from_object(address: usize) -> Value<'r> {
        debug_assert!(address as u64 & TAG_MASK == 0);
        Value::from_word(address as u64)
    }

    /// Makes a value of an interned object. `address` is that of a complete one, alive for `'r`.
    #[inline]
    pub(crate) fn from_interned(address: usize) -> Value<'r> {
        debug_assert!(address as u64 & TAG_MASK == 0);
        Value::from_word(address as u64 | INTERNED_TAG)
    }

    /// Returns the value without its lifetime, if it is not a pointer.
    #[inline]
    pub(crate) fn as_inline(self) -> Option<Value<'static>> {
        (!self.is_object()).then(|| Value::from_word(self.word.get()))
    }

    /// Returns the bits of a boolean or infinite set, for ids.
    #[inline]
    pub(crate) fn as_special_bits(self) -> Option<u32> {
        (self.word.get() & TAG_MASK == SPECIAL_TAG).then_some((self.word.get() >> TAG_SHIFT) as u32)
    }

    /// Makes a value of bits that came from `as_special_bits`.
    #[inline]
    pub(super) fn from_special_bits(bits: u32) -> Value<'r> {
        Value::from_word(u64::from(bits) << TAG_SHIFT | SPECIAL_TAG)
    }
}

impl fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&crate::print::print_raw(*self))
    }
}

const _: () = assert!(size_of::<Option<Value<'static>>>() == 8);
