//! Values as bytes: for files that the process that wrote them reads again.
//!
//! One meaning has one text, and two meanings have two, whatever objects they were made of: bytes can be compared
//! instead of values. A text says where it ends, so that those of several values can stand one after the other.
//!
//! ```text
//! 00..=5f        the integer itself
//! 60..=6f        a sequence of so many elements, which follow
//! 70..=7b        a set of so many elements, likewise, in normal order
//! 7c..=88        what `tag` says
//! 90..=cf, byte  a string: 14 bits of its number
//! d0..=ff, byte  a model value: 48 * 256 numbers
//! ```
//! Strings, model values, shapes and domains stand for their numbers in tables of the process, so a text means
//! nothing to another process. Other numbers are in groups of seven bits, the least first.

mod decode;
mod domains;
mod encode;

pub use decode::{Damaged, decode};
pub use encode::Encoder;

/// Integers from 0 up to this one, exclusive, are one byte.
const INT_END: u8 = 0x60;
const SEQUENCE: u8 = 0x60;
const SHORT_SEQUENCE_END: usize = 16;
const SET: u8 = 0x70;
const SHORT_SET_END: usize = 12;
const STRING: u8 = 0x90;
const MODEL_VALUE: u8 = 0xd0;
/// Numbers of atoms that fit into two bytes.
const SHORT_STRING_END: u32 = 0x40 << 8;
const SHORT_MODEL_VALUE_END: u32 = 0x30 << 8;

/// What stands before everything that has no shorter form.
mod tag {
    pub const FALSE: u8 = 0x7c;
    pub const TRUE: u8 = 0x7d;
    /// How much more than the greatest of one byte.
    pub const INT: u8 = 0x7e;
    /// -1 less the integer.
    pub const NEGATIVE_INT: u8 = 0x7f;
    /// Sign (1 for less than zero), number of digits, digits of 32 bits.
    pub const BIG_INT: u8 = 0x80;
    /// How many more elements than the longest short one has; elements.
    pub const SEQUENCE: u8 = 0x81;
    pub const SET: u8 = 0x82;
    /// First element, one less than how many.
    pub const INTERVAL: u8 = 0x83;
    /// Number of the shape, values.
    pub const RECORD: u8 = 0x84;
    /// Domain, values.
    pub const FUNCTION: u8 = 0x85;
    /// Number of the domain, values.
    pub const NUMBERED_FUNCTION: u8 = 0x86;
    pub const STRING: u8 = 0x87;
    pub const MODEL_VALUE: u8 = 0x88;
}
