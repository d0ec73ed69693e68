//! The encoding of messages: a length in two bytes, a tag in one, then the fields, all little-endian. Nothing is
//! allocated.

use std::fmt;

use crate::addr::{Addr, Ip};

/// The longest path that a message carries: the kernel's own limit.
pub const PATH_BYTES_MAX: usize = 4096;
/// The longest message, its length included.
pub const FRAME_BYTES_MAX: usize = PATH_BYTES_MAX + NAME_BYTES_MAX + 64;
/// The longest name of a file in its folder: the kernel's own limit.
pub const NAME_BYTES_MAX: usize = 255;

/// The reason why bytes are not a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DecodeError {
    /// They end too early, or go on too long.
    Length,
    /// No message has this tag, or no field this value.
    Tag(u8),
    /// A name is not UTF-8.
    Text,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DecodeError::Length => f.write_str("a message of the wrong length"),
            DecodeError::Tag(tag) => write!(f, "a message with the unknown tag {tag}"),
            DecodeError::Text => f.write_str("a message with a name that is not UTF-8"),
        }
    }
}

impl std::error::Error for DecodeError {}

/// Returns the length of the first message in `bytes`, or `None` while too little of it is there.
pub fn frame_len(bytes: &[u8]) -> Option<usize> {
    let (length, _) = bytes.split_first_chunk::<2>()?;
    Some(usize::from(u16::from_le_bytes(*length)))
}

/// Writes fields into a buffer. Fields that do not fit are left out, and `finish` then returns `None`.
pub(crate) struct FrameWriter<'b> {
    buffer: &'b mut [u8],
    len: usize,
    is_full: bool,
}

impl<'b> FrameWriter<'b> {
    pub(crate) fn new(buffer: &'b mut [u8], tag: u8) -> FrameWriter<'b> {
        let mut writer = FrameWriter { buffer, len: 0, is_full: false };
        writer.put(&[0, 0, tag]);
        writer
    }

    pub(crate) fn put(&mut self, bytes: &[u8]) {
        match self.buffer.get_mut(self.len..self.len + bytes.len()) {
            Some(place) => {
                place.copy_from_slice(bytes);
                self.len += bytes.len();
            }
            None => self.is_full = true,
        }
    }

    /// Returns the whole message, or `None` if it did not fit.
    pub(crate) fn finish(self) -> Option<&'b [u8]> {
        if self.is_full {
            return None;
        }
        let length = u16::try_from(self.len).ok()?;
        self.buffer.get_mut(..2)?.copy_from_slice(&length.to_le_bytes());
        self.buffer.get(..self.len)
    }
}

/// Reads fields from the bytes of one whole message.
pub(crate) struct FrameReader<'b> {
    bytes: &'b [u8],
}

impl<'b> FrameReader<'b> {
    /// Returns the tag, and the reader for the rest.
    pub(crate) fn new(frame: &'b [u8]) -> Result<(u8, FrameReader<'b>), DecodeError> {
        if frame_len(frame) != Some(frame.len()) {
            return Err(DecodeError::Length);
        }
        let (tag, bytes) = frame.get(2..).and_then(|rest| rest.split_first()).ok_or(DecodeError::Length)?;
        Ok((*tag, FrameReader { bytes }))
    }

    fn take(&mut self, len: usize) -> Result<&'b [u8], DecodeError> {
        let (taken, rest) = self.bytes.split_at_checked(len).ok_or(DecodeError::Length)?;
        self.bytes = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        let (taken, rest) = self.bytes.split_first_chunk::<N>().ok_or(DecodeError::Length)?;
        self.bytes = rest;
        Ok(*taken)
    }

    pub(crate) fn finish(self) -> Result<(), DecodeError> {
        if self.bytes.is_empty() { Ok(()) } else { Err(DecodeError::Length) }
    }
}

/// A type of field in a message.
pub(crate) trait Field<'b>: Sized {
    fn write(&self, to: &mut FrameWriter<'_>);
    fn read(from: &mut FrameReader<'b>) -> Result<Self, DecodeError>;
}

macro_rules! int_fields {
    ($($int:ty)*) => {$(
        impl Field<'_> for $int {
            fn write(&self, to: &mut FrameWriter<'_>) {
                to.put(&self.to_le_bytes());
            }
            fn read(from: &mut FrameReader<'_>) -> Result<$int, DecodeError> {
                from.array().map(<$int>::from_le_bytes)
            }
        }
    )*};
}
int_fields! { u8 u16 u32 u64 i32 }

impl Field<'_> for bool {
    fn write(&self, to: &mut FrameWriter<'_>) {
        u8::from(*self).write(to);
    }
    fn read(from: &mut FrameReader<'_>) -> Result<bool, DecodeError> {
        match u8::read(from)? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(DecodeError::Tag(other)),
        }
    }
}

impl<'b> Field<'b> for &'b [u8] {
    fn write(&self, to: &mut FrameWriter<'_>) {
        // A longer one cannot fit any frame, so `finish` returns `None` for it.
        u16::try_from(self.len()).unwrap_or(u16::MAX).write(to);
        to.put(self);
    }
    fn read(from: &mut FrameReader<'b>) -> Result<&'b [u8], DecodeError> {
        let len = u16::read(from)?;
        from.take(usize::from(len))
    }
}

impl<'b> Field<'b> for &'b str {
    fn write(&self, to: &mut FrameWriter<'_>) {
        self.as_bytes().write(to);
    }
    fn read(from: &mut FrameReader<'b>) -> Result<&'b str, DecodeError> {
        std::str::from_utf8(<&[u8]>::read(from)?).map_err(|_| DecodeError::Text)
    }
}

impl Field<'_> for Addr {
    fn write(&self, to: &mut FrameWriter<'_>) {
        match self.ip {
            Ip::V4(bytes) => {
                4_u8.write(to);
                to.put(&bytes);
            }
            Ip::V6(bytes) => {
                6_u8.write(to);
                to.put(&bytes);
            }
        }
        self.port.write(to);
    }
    fn read(from: &mut FrameReader<'_>) -> Result<Addr, DecodeError> {
        let ip = match u8::read(from)? {
            4 => Ip::V4(from.array()?),
            6 => Ip::V6(from.array()?),
            other => return Err(DecodeError::Tag(other)),
        };
        Ok(Addr { ip, port: u16::read(from)? })
    }
}
