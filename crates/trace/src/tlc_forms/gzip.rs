//! Gzip: writes it without compression, for readers that accept nothing else; and reads it.

use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_with_limit};

/// The most bytes in one block.
const BLOCK_BYTES_MAX: usize = 0xffff;

/// Returns `bytes` as a gzip file, in blocks that are stored as they are.
pub(super) fn gzip(bytes: &[u8]) -> Vec<u8> {
    /// The header: the mark of gzip, deflate, no flags, no time, no hint, any system.
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
    // The length modulo 2^32, as the format prescribes.
    out.extend((bytes.len() as u32).to_le_bytes());
    out
}

/// The most that a file may contain, so that a small one does not fill the memory.
const HELD_BYTES_MAX: usize = 1 << 28;

/// Returns the content of a gzip file.
pub(super) fn gunzip(file: &[u8]) -> Result<Vec<u8>, String> {
    let damaged = || "it is no gzip file, or is damaged".to_owned();
    let stream = without_header(file).ok_or_else(damaged)?;
    let (stream, sum) = stream.split_last_chunk::<8>().ok_or_else(damaged)?;
    let bytes = decompress_to_vec_with_limit(stream, HELD_BYTES_MAX);
    let bytes = bytes.map_err(|error| match error.status == TINFLStatus::HasMoreOutput {
        true => "it holds more than 256 MB".to_owned(),
        false => damaged(),
    })?;
    match crc32(&bytes).to_le_bytes() == sum[..4] {
        true => Ok(bytes),
        false => Err(damaged()),
    }
}

/// Returns the bytes after the header. Java writes a header without a name or other parts.
fn without_header(file: &[u8]) -> Option<&[u8]> {
    let (header, rest) = file.split_first_chunk::<10>()?;
    let [0x1f, 0x8b, 8, 0, ..] = header else { return None };
    Some(rest)
}

/// Computes the checksum of gzip.
fn crc32(bytes: &[u8]) -> u32 {
    let byte = |crc: u32, byte: &u8| (crc >> 8) ^ CRC_TABLE[usize::from(crc as u8 ^ byte)];
    !bytes.iter().fold(!0, byte)
}

/// The contribution of each byte to the checksum.
const CRC_TABLE: [u32; 256] = crc_table();

const fn crc_table() -> [u32; 256] {
    const POLYNOMIAL: u32 = 0xedb8_8320;
    let mut table = [0; 256];
    let mut at = 0;
    while at < 256 {
        let mut crc = at as u32;
        let mut n_bits = 0;
        while n_bits < 8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ POLYNOMIAL } else { crc >> 1 };
            n_bits += 1;
        }
        table[at] = crc;
        at += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::{BLOCK_BYTES_MAX, crc32, gunzip, gzip};

    #[test]
    fn the_checksum_is_that_of_gzip() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(crc32(b""), 0);
    }

    #[test]
    fn what_was_written_is_read_back() {
        for length in [0, 3, BLOCK_BYTES_MAX, BLOCK_BYTES_MAX + 1] {
            assert_eq!(gunzip(&gzip(&vec![7; length])).map(|bytes| bytes.len()), Ok(length));
        }
        // The file is compressed, as others write it.
        let file = [31, 139, 8, 0, 0, 0, 0, 0, 0, 255, 75, 76, 74, 6, 0, 194, 65, 36, 53, 3, 0, 0, 0];
        assert_eq!(gunzip(&file).as_deref(), Ok(&b"abc"[..]));
        assert!(gunzip(&file[..12]).is_err());
        assert!(gunzip(b"no gzip at all").is_err());
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
