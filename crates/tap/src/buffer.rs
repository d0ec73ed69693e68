//! Bytes of a stream that have arrived and were not read yet.

/// A queue of bytes that is read from the front.
#[derive(Debug, Default)]
pub struct Buffer {
    bytes: Vec<u8>,
    /// The first byte that was not read. Invariant: at most `bytes.len()`.
    start: usize,
}

impl Buffer {
    pub fn push(&mut self, bytes: &[u8]) {
        // What was read is dropped when it is at least half, so that each byte is moved once on average.
        if self.start >= self.bytes.len() - self.start {
            self.bytes.drain(..self.start);
            self.start = 0;
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// Returns what was not read yet.
    pub fn rest(&self) -> &[u8] {
        &self.bytes[self.start..]
    }

    pub fn len(&self) -> usize {
        self.bytes.len() - self.start
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Marks bytes at the front as read; all, if there are fewer.
    pub fn consume(&mut self, n: usize) {
        self.start = (self.start + n).min(self.bytes.len());
    }

    /// Reads bytes from the front, at most `n` of them.
    pub fn take(&mut self, n: usize) -> Vec<u8> {
        let n = n.min(self.len());
        let taken = self.rest()[..n].to_vec();
        self.consume(n);
        taken
    }

    /// Forgets everything, with its memory.
    pub fn clear(&mut self) {
        *self = Buffer::default();
    }
}

/// Reads integers and lengths, most significant byte first, from a slice that may end early.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a> {
    rest: &'a [u8],
}

/// The bytes end within a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ends;

impl<'a> Cursor<'a> {
    pub fn new(bytes: &'a [u8]) -> Cursor<'a> {
        Cursor { rest: bytes }
    }

    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    pub fn bytes(&mut self, n: usize) -> Result<&'a [u8], Ends> {
        let (taken, rest) = self.rest.split_at_checked(n).ok_or(Ends)?;
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Ends> {
        let (taken, rest) = self.rest.split_first_chunk::<N>().ok_or(Ends)?;
        self.rest = rest;
        Ok(*taken)
    }

    pub fn u8(&mut self) -> Result<u8, Ends> {
        self.array::<1>().map(|[byte]| byte)
    }

    pub fn i32(&mut self) -> Result<i32, Ends> {
        self.array().map(i32::from_be_bytes)
    }

    pub fn i64(&mut self) -> Result<i64, Ends> {
        self.array().map(i64::from_be_bytes)
    }

    pub fn u64(&mut self) -> Result<u64, Ends> {
        self.array().map(u64::from_be_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::{Buffer, Cursor, Ends};

    #[test]
    fn bytes_come_out_in_order_however_they_came_in() {
        let mut buffer = Buffer::default();
        let mut out = Vec::new();
        for part in 0..100_u8 {
            buffer.push(&[part, part]);
            out.extend(buffer.take(usize::from(part % 5)));
        }
        out.extend(buffer.take(usize::MAX));
        assert!(buffer.is_empty());
        assert_eq!(out, (0..100).flat_map(|part| [part, part]).collect::<Vec<u8>>());
    }

    #[test]
    fn a_value_that_is_cut_off_is_none() {
        let mut cursor = Cursor::new(&[0, 0, 0, 7, 1]);
        assert_eq!(cursor.i32(), Ok(7));
        assert_eq!(cursor.i64(), Err(Ends));
        assert_eq!(cursor.u8(), Ok(1));
        assert_eq!(cursor.bytes(1), Err(Ends));
    }
}
