//! Values as bytes, for files that are read again by the process that wrote them.
//!
//! One meaning has one text, and two meanings have two, whatever objects they were made of: bytes can be compared
//! instead of values. A text marks its own end, so that the texts of several values can stand one after the other.
//!
//! ```text
//! 00..=5f        the integer itself
//! 60..=6f        a sequence of so many elements, which follow
//! 70..=7b        a set of so many elements, which follow in normal order
//! 7c..=88        see `tag`
//! 90..=cf, byte  a string: 14 bits of its number
//! d0..=ff, byte  a model value: 48 * 256 numbers
//! ```
//! Strings, model values, shapes and domains stand for their numbers in tables of the process, so a text means nothing
//! to another process. Other numbers are in groups of seven bits, the least first.

mod decode;
mod domains;
mod encode;

pub use decode::{Damaged, decode};
pub use encode::Encoder;

/// Integers from 0 up to this one, exclusive, take one byte.
const INT_END: u8 = 0x60;
const SEQUENCE: u8 = 0x60;
const SHORT_SEQUENCE_END: usize = 16;
const SET: u8 = 0x70;
const SHORT_SET_END: usize = 12;
const STRING: u8 = 0x90;
const MODEL_VALUE: u8 = 0xd0;
/// Numbers of atoms below this fit into two bytes.
const SHORT_STRING_END: u32 = 0x40 << 8;
const SHORT_MODEL_VALUE_END: u32 = 0x30 << 8;

/// The first bytes of everything that has no shorter form, with their contents.
mod tag {
    pub const FALSE: u8 = 0x7c;
    pub const TRUE: u8 = 0x7d;
    /// An integer: the difference from the greatest one of one byte.
    pub const INT: u8 = 0x7e;
    /// A negative integer: -1 minus the integer.
    pub const NEGATIVE_INT: u8 = 0x7f;
    /// A big integer: sign (1 for less than zero), number of digits, digits of 32 bits.
    pub const BIG_INT: u8 = 0x80;
    /// A sequence: how many more elements than the longest short one it has; elements.
    pub const SEQUENCE: u8 = 0x81;
    pub const SET: u8 = 0x82;
    /// An interval: first element, one less than the number of elements.
    pub const INTERVAL: u8 = 0x83;
    /// A record: number of the shape, values.
    pub const RECORD: u8 = 0x84;
    /// A function: domain, values.
    pub const FUNCTION: u8 = 0x85;
    /// A function with a numbered domain: number of the domain, values.
    pub const NUMBERED_FUNCTION: u8 = 0x86;
    pub const STRING: u8 = 0x87;
    pub const MODEL_VALUE: u8 = 0x88;
}
