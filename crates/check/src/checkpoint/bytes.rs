//! Numbers and texts as bytes, and a checksum over bytes.
//!
//! Reading never panics and never trusts a length: what does not fit is [`Broken`].

/// Bytes that cannot be what was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Broken;

pub(super) type Read<T> = Result<T, Broken>;

/// Seven bits a byte, the lowest first; the top bit says that there are more.
pub(super) fn put_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// A number of either sign: small ones are short.
pub(super) fn put_signed(bytes: &mut Vec<u8>, number: i64) {
    put_number(bytes, zigzag(number));
}

pub(super) fn put_bytes(bytes: &mut Vec<u8>, content: &[u8]) {
    put_number(bytes, content.len() as u64);
    bytes.extend_from_slice(content);
}

pub(super) fn put_text(bytes: &mut Vec<u8>, text: &str) {
    put_bytes(bytes, text.as_bytes());
}

pub(super) fn zigzag(number: i64) -> u64 {
    (number << 1 ^ number >> 63) as u64
}

pub(super) fn unzigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

/// Bytes that are still to be read.
#[derive(Clone, Copy, Debug)]
pub(super) struct RecordReader<'b> {
    bytes: &'b [u8],
}

impl<'b> RecordReader<'b> {
    pub fn new(bytes: &'b [u8]) -> Self {
        RecordReader { bytes }
    }

    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub fn byte(&mut self) -> Read<u8> {
        let (&first, rest) = self.bytes.split_first().ok_or(Broken)?;
        self.bytes = rest;
        Ok(first)
    }

    pub fn number(&mut self) -> Read<u64> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                return Err(Broken);
            }
            number |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(Broken)
    }

    pub fn number_32(&mut self) -> Read<u32> {
        u32::try_from(self.number()?).map_err(|_| Broken)
    }

    pub fn read_signed(&mut self) -> Read<i64> {
        self.number().map(unzigzag)
    }

    /// The number of things that follow, each of at least one byte: never more than there can be.
    pub fn len(&mut self) -> Read<usize> {
        let len = usize::try_from(self.number()?).map_err(|_| Broken)?;
        if len <= self.bytes.len() { Ok(len) } else { Err(Broken) }
    }

    pub fn bool(&mut self) -> Read<bool> {
        match self.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Broken),
        }
    }

    pub fn bytes(&mut self) -> Read<&'b [u8]> {
        let len = self.len()?;
        self.exactly(len)
    }

    pub fn exactly(&mut self, len: usize) -> Read<&'b [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(len).ok_or(Broken)?;
        self.bytes = rest;
        Ok(taken)
    }

    pub fn text(&mut self) -> Read<&'b str> {
        std::str::from_utf8(self.bytes()?).map_err(|_| Broken)
    }
}

/// A number that any change of the bytes changes, as good as surely; the same on every machine.
pub(super) fn checksum(bytes: &[u8]) -> u64 {
    let mut words = bytes.chunks_exact(8);
    let mut state = mix(0x243f_6a88_85a3_08d3, bytes.len() as u64);
    for word in words.by_ref() {
        state = mix(state, u64::from_le_bytes(word.try_into().expect("chunks of eight bytes")));
    }
    let mut last = [0; 8];
    last[..words.remainder().len()].copy_from_slice(words.remainder());
    mix(state, u64::from_le_bytes(last))
}

/// A multiplication folded: each bit of both changes about half of the bits.
pub(super) fn mix(state: u64, word: u64) -> u64 {
    const FACTOR: u64 = 0x9fb2_1c65_1e98_df25;
    let product = u128::from(state.rotate_left(23) ^ word) * u128::from(FACTOR);
    (product as u64) ^ (product >> 64) as u64 ^ state.rotate_left(41)
}

#[cfg(test)]
mod tests {
    use super::{Broken, RecordReader, checksum, put_number, put_signed, put_text};

    #[test]
    fn numbers_come_back() {
        let numbers = [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX - 1, u64::MAX];
        let mut bytes = Vec::new();
        numbers.iter().for_each(|&number| put_number(&mut bytes, number));
        [0, -1, i64::MIN, i64::MAX].iter().for_each(|&number| put_signed(&mut bytes, number));
        put_text(&mut bytes, "münze");
        let mut reader = RecordReader::new(&bytes);
        assert!(numbers.iter().all(|&number| reader.number() == Ok(number)));
        assert!([0, -1, i64::MIN, i64::MAX].iter().all(|&number| reader.read_signed() == Ok(number)));
        assert_eq!(reader.text(), Ok("münze"));
        assert!(reader.is_empty());
    }

    #[test]
    fn what_is_cut_off_or_too_large_is_broken() {
        assert_eq!(RecordReader::new(&[0x80]).number(), Err(Broken));
        assert_eq!(RecordReader::new(&[0xff; 11]).number(), Err(Broken));
        assert_eq!(
            RecordReader::new(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2]).number(),
            Err(Broken)
        );
        assert_eq!(RecordReader::new(&[5, b'a']).text(), Err(Broken));
        assert_eq!(RecordReader::new(&[1, 0xff]).text(), Err(Broken));
        assert_eq!(RecordReader::new(&[2]).bool(), Err(Broken));
    }

    #[test]
    fn every_bit_and_the_length_count() {
        let bytes: Vec<u8> = (0..40).collect();
        let sum = checksum(&bytes);
        for bit in 0..bytes.len() * 8 {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(checksum(&changed), sum, "bit {bit}");
        }
        assert_ne!(checksum(&bytes[..39]), sum);
        assert_ne!(checksum(&[]), checksum(&[0]));
    }
}
