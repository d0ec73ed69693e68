//! Gzip files in memory.

use std::io::{Read as _, Write as _};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

/// Reasons why a gzip file has no content that can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GunzipError {
    /// The bytes are no gzip file, or a damaged one.
    Damaged,
    /// The content has more bytes than the caller accepts.
    TooLong,
}

/// Returns `bytes` as a gzip file.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    written.expect("writing to memory does not fail")
}

/// Returns the content of a gzip file, of which there may be `n_bytes_max` bytes: a small file can hold a lot.
pub fn gunzip(file: &[u8], n_bytes_max: u64) -> Result<Vec<u8>, GunzipError> {
    let mut bytes = Vec::new();
    let mut decoder = GzDecoder::new(file).take(n_bytes_max.saturating_add(1));
    decoder.read_to_end(&mut bytes).map_err(|_| GunzipError::Damaged)?;
    match bytes.len() as u64 > n_bytes_max {
        true => Err(GunzipError::TooLong),
        false => Ok(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::{GunzipError, gunzip, gzip};

    #[test]
    fn content_is_read_back_up_to_the_limit() {
        for len in [0, 1, 70_000] {
            let bytes: Vec<u8> = (0..len).map(|index| (index * 7 % 251) as u8).collect();
            let file = gzip(&bytes);
            assert!(file.starts_with(&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0]), "no name, no time");
            assert_eq!(gunzip(&file, len), Ok(bytes));
        }
        assert_eq!(gunzip(&gzip(&[7; 1000]), 999), Err(GunzipError::TooLong));
    }

    /// Reads the output of `printf 'abababababababab' | gzip -n9 | xxd -p`, whole and damaged.
    #[test]
    fn files_of_gzip_are_read_and_damaged_ones_refused() {
        let mut file = [
            0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x4b, 0x4c, 0x4a, 0x44, 0x81, 0x00,
            0x08, 0xbb, 0x09, 0x2e, 0x10, 0x00, 0x00, 0x00,
        ];
        assert_eq!(gunzip(&file, 100).as_deref(), Ok(&b"abababababababab"[..]));
        assert_eq!(gunzip(&file[..16], 100), Err(GunzipError::Damaged), "cut short");
        file[17] ^= 1;
        assert_eq!(gunzip(&file, 100), Err(GunzipError::Damaged), "another checksum");
        assert_eq!(gunzip(b"no gzip at all", 100), Err(GunzipError::Damaged));
    }
}
