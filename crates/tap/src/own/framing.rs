//! Where a message ends.

use crate::buffer::Buffer;

/// The longest message.
const MESSAGE_BYTES_MAX: u64 = 64 << 20;

/// A length before each message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Length {
    /// How many bytes the length has: 1, 2, 4 or 8.
    pub bytes: u8,
    /// Whether its least significant byte comes first.
    pub is_little: bool,
    /// Whether the length counts its own bytes.
    pub counts_itself: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    Length(Length),
    /// Each message is a line; empty ones are none.
    Lines,
}

/// Splits the stream of one side.
#[derive(Debug)]
pub struct Splitter {
    framing: Framing,
    buffer: Buffer,
    /// Whether a line has begun that is not known from its beginning.
    is_within: bool,
}

impl Splitter {
    pub fn new(framing: Framing, is_whole: bool) -> Splitter {
        Splitter { framing, buffer: Buffer::default(), is_within: !is_whole && framing == Framing::Lines }
    }

    pub fn push(&mut self, bytes: &[u8]) {
        self.buffer.push(bytes);
    }

    pub fn is_between(&self) -> bool {
        self.buffer.is_empty()
    }

    /// Bytes were lost. Returns whether messages can be told apart from here on.
    pub fn lose(&mut self) -> bool {
        self.buffer.clear();
        self.is_within = true;
        self.framing == Framing::Lines
    }

    /// Returns the next message, if it is there.
    pub fn next_message(&mut self) -> Result<Option<Vec<u8>>, &'static str> {
        match self.framing {
            Framing::Lines => self.line(),
            Framing::Length(length) => self.sized(length),
        }
    }

    fn line(&mut self) -> Result<Option<Vec<u8>>, &'static str> {
        loop {
            let Some(end) = self.buffer.rest().iter().position(|byte| *byte == b'\n') else {
                let is_long = self.buffer.len() as u64 > MESSAGE_BYTES_MAX;
                return if is_long { Err("a line is too long") } else { Ok(None) };
            };
            let line = self.buffer.take(end);
            self.buffer.consume(1);
            let was_within = std::mem::take(&mut self.is_within);
            if !was_within && !line.trim_ascii().is_empty() {
                return Ok(Some(line));
            }
        }
    }

    fn sized(&mut self, length: Length) -> Result<Option<Vec<u8>>, &'static str> {
        let width = usize::from(length.bytes);
        let Some(digits) = self.buffer.rest().get(..width) else { return Ok(None) };
        let add = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
        let n = match length.is_little {
            true => digits.iter().rev().fold(0, add),
            false => digits.iter().fold(0, add),
        };
        let n = match length.counts_itself {
            true => n.checked_sub(width as u64).ok_or("a message is shorter than its length")?,
            false => n,
        };
        if n > MESSAGE_BYTES_MAX {
            return Err("a message is too long");
        }
        let n = n as usize;
        if self.buffer.len() < width + n {
            return Ok(None);
        }
        self.buffer.consume(width);
        Ok(Some(self.buffer.take(n)))
    }
}
