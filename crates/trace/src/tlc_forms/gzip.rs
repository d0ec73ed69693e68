//! Gzip without compression: the frame alone, for readers that take nothing else.

/// The most that one block can hold.
const BLOCK_BYTES_MAX: usize = 0xffff;

/// `bytes` as a gzip file, in blocks that are stored as they are.
pub(super) fn gzip(bytes: &[u8]) -> Vec<u8> {
    /// The mark of gzip, deflate, no flags, no time, no hint, any system.
    const HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    let mut out = HEADER.to_vec();
    let n_blocks = bytes.len().div_ceil(BLOCK_BYTES_MAX).max(1);
    for number in 1..=n_blocks {
        let start = (number - 1) * BLOCK_BYTES_MAX;
        let block = &bytes[start..bytes.len().min(start + BLOCK_BYTES_MAX)];
        let length = u16::try_from(block.len()).expect("a block is no longer");
        out.push(u8::from(number == n_blocks));
        out.extend(length.to_le_bytes());
        out.extend((!length).to_le_bytes());
        out.extend(block);
    }
    out.extend(crc32(bytes).to_le_bytes());
    // Of a longer file the length modulo 2^32, as the format says.
    out.extend((bytes.len() as u32).to_le_bytes());
    out
}

/// The checksum of gzip, a bit at a time: traces are small.
fn crc32(bytes: &[u8]) -> u32 {
    const POLYNOMIAL: u32 = 0xedb8_8320;
    let step = |crc: u32| if crc & 1 == 1 { (crc >> 1) ^ POLYNOMIAL } else { crc >> 1 };
    let byte = |crc: u32, byte: &u8| (0..8).fold(crc ^ u32::from(*byte), |crc, _| step(crc));
    !bytes.iter().fold(!0, byte)
}

#[cfg(test)]
mod tests {
    use super::{BLOCK_BYTES_MAX, crc32, gzip};

    #[test]
    fn the_checksum_is_that_of_gzip() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(crc32(b""), 0);
    }

    #[test]
    fn blocks_are_stored_as_they_are() {
        let one = gzip(b"abc");
        assert_eq!(one[10..], [1, 3, 0, 252, 255, b'a', b'b', b'c', 194, 65, 36, 53, 3, 0, 0, 0]);
        let long = gzip(&vec![7; BLOCK_BYTES_MAX + 1]);
        assert_eq!(long.len(), 10 + 5 + BLOCK_BYTES_MAX + 5 + 1 + 8);
        assert_eq!((long[10], long[10 + 5 + BLOCK_BYTES_MAX]), (0, 1));
    }
}
