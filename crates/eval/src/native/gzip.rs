//! Just enough of gzip (RFC 1951, 1952) to read files that TLC compressed, and to write files that it can read.

/// Makes a gzip file that holds `bytes` uncompressed.
pub(super) fn store(bytes: &[u8]) -> Vec<u8> {
    const BLOCK_BYTES_MAX: usize = 0xffff;
    let mut out = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
    let n_blocks = bytes.len().div_ceil(BLOCK_BYTES_MAX).max(1);
    for index in 0..n_blocks {
        let rest = &bytes[index * BLOCK_BYTES_MAX..];
        let block = &rest[..rest.len().min(BLOCK_BYTES_MAX)];
        out.push(u8::from(index + 1 == n_blocks));
        out.extend((block.len() as u16).to_le_bytes());
        out.extend((!(block.len() as u16)).to_le_bytes());
        out.extend(block);
    }
    out.extend(crc32(bytes).to_le_bytes());
    out.extend((bytes.len() as u32).to_le_bytes());
    out
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg()))
    })
}

/// Returns the contents of a gzip file, or `None` when it is not one, or damaged.
pub(super) fn unpack(file: &[u8]) -> Option<Vec<u8>> {
    let [0x1f, 0x8b, 8, flags, _, _, _, _, _, _, rest @ ..] = file else { return None };
    let body = after_header(*flags, rest)?;
    let mut bits = Bits { bytes: body, next: 0 };
    let mut out = Vec::new();
    loop {
        let is_last = bits.take(1)? == 1;
        match bits.take(2)? {
            0 => copy_stored(&mut bits, &mut out)?,
            1 => inflate(&mut bits, &mut out, &fixed_codes())?,
            2 => {
                let codes = read_codes(&mut bits)?;
                inflate(&mut bits, &mut out, &codes)?;
            }
            _ => return None,
        }
        if is_last {
            break;
        }
    }
    let trailer = bits.aligned_bytes().split_first_chunk::<4>()?.0;
    (u32::from_le_bytes(*trailer) == crc32(&out)).then_some(out)
}

/// Skips the optional fields of the header.
fn after_header(flags: u8, mut rest: &[u8]) -> Option<&[u8]> {
    if flags & 4 != 0 {
        let (len, after) = rest.split_first_chunk::<2>()?;
        rest = after.get(usize::from(u16::from_le_bytes(*len))..)?;
    }
    for flag in [8, 16] {
        if flags & flag != 0 {
            rest = rest.get(rest.iter().position(|&byte| byte == 0)? + 1..)?;
        }
    }
    if flags & 2 != 0 { rest.get(2..) } else { Some(rest) }
}

/// A stream of bits, the lowest of each byte first.
struct Bits<'b> {
    bytes: &'b [u8],
    next: usize,
}

impl<'b> Bits<'b> {
    fn take(&mut self, n: usize) -> Option<usize> {
        let mut number = 0;
        for place in 0..n {
            let byte = *self.bytes.get(self.next / 8)?;
            number |= usize::from(byte >> (self.next % 8) & 1) << place;
            self.next += 1;
        }
        Some(number)
    }

    /// Returns the bytes from the next whole one on.
    fn aligned_bytes(&self) -> &'b [u8] {
        self.bytes.get(self.next.div_ceil(8)..).unwrap_or(&[])
    }
}

fn copy_stored(bits: &mut Bits<'_>, out: &mut Vec<u8>) -> Option<()> {
    let (len, rest) = bits.aligned_bytes().split_first_chunk::<4>()?;
    let len = usize::from(u16::from_le_bytes([len[0], len[1]]));
    out.extend(rest.get(..len)?);
    bits.next = (bits.next.div_ceil(8) + 4 + len) * 8;
    Some(())
}

/// A Huffman code: the number of codes of each length, and their symbols in order.
struct Code {
    counts: [usize; 16],
    symbols: Vec<usize>,
}

impl Code {
    fn new(lengths: &[usize]) -> Code {
        let mut counts = [0; 16];
        for &length in lengths {
            counts[length] += 1;
        }
        counts[0] = 0;
        let mut symbols: Vec<usize> = (0..lengths.len()).filter(|&symbol| lengths[symbol] > 0).collect();
        symbols.sort_by_key(|&symbol| lengths[symbol]);
        Code { counts, symbols }
    }

    fn read(&self, bits: &mut Bits<'_>) -> Option<usize> {
        let (mut code, mut first, mut index) = (0, 0, 0);
        for count in &self.counts[1..] {
            code |= bits.take(1)?;
            if code < first + count {
                return self.symbols.get(index + code - first).copied();
            }
            index += count;
            first = (first + count) << 1;
            code <<= 1;
        }
        None
    }
}

/// The codes of literals and lengths, and of distances.
struct Codes {
    literals: Code,
    distances: Code,
}

fn fixed_codes() -> Codes {
    let lengths: Vec<usize> = (0..288)
        .map(|symbol| match symbol {
            0..=143 => 8,
            144..=255 => 9,
            256..=279 => 7,
            _ => 8,
        })
        .collect();
    Codes { literals: Code::new(&lengths), distances: Code::new(&[5; 30]) }
}

fn read_codes(bits: &mut Bits<'_>) -> Option<Codes> {
    const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
    let n_literals = bits.take(5)? + 257;
    let n_distances = bits.take(5)? + 1;
    let n_lengths = bits.take(4)? + 4;
    let mut lengths = [0; 19];
    for &place in &ORDER[..n_lengths] {
        lengths[place] = bits.take(3)?;
    }
    let code = Code::new(&lengths);
    let mut lengths = Vec::new();
    while lengths.len() < n_literals + n_distances {
        let (length, n_times) = match code.read(bits)? {
            16 => (*lengths.last()?, bits.take(2)? + 3),
            17 => (0, bits.take(3)? + 3),
            18 => (0, bits.take(7)? + 11),
            length => (length, 1),
        };
        lengths.extend(std::iter::repeat_n(length, n_times));
    }
    let distances = lengths.get(n_literals..n_literals + n_distances)?;
    Some(Codes { literals: Code::new(&lengths[..n_literals]), distances: Code::new(distances) })
}

fn inflate(bits: &mut Bits<'_>, out: &mut Vec<u8>, codes: &Codes) -> Option<()> {
    loop {
        match codes.literals.read(bits)? {
            literal @ 0..=255 => out.push(literal as u8),
            256 => return Some(()),
            symbol => {
                let len = copy_len(bits, symbol)?;
                let distance = copy_distance(bits, codes)?;
                for _ in 0..len {
                    out.push(*out.get(out.len().checked_sub(distance)?)?);
                }
            }
        }
    }
}

fn copy_len(bits: &mut Bits<'_>, symbol: usize) -> Option<usize> {
    Some(match symbol {
        257..=264 => symbol - 254,
        265..=284 => {
            let n_extra = (symbol - 261) / 4;
            (((symbol - 265) % 4 + 4) << n_extra) + 3 + bits.take(n_extra)?
        }
        285 => 258,
        _ => return None,
    })
}

fn copy_distance(bits: &mut Bits<'_>, codes: &Codes) -> Option<usize> {
    Some(match codes.distances.read(bits)? {
        symbol @ 0..=3 => symbol + 1,
        symbol @ 4..=29 => {
            let n_extra = symbol / 2 - 1;
            ((symbol % 2 + 2) << n_extra) + 1 + bits.take(n_extra)?
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{store, unpack};

    #[test]
    fn what_is_stored_is_unpacked() {
        for len in [0, 1, 70_000] {
            let bytes: Vec<u8> = (0..len).map(|index| (index * 7 % 251) as u8).collect();
            assert_eq!(unpack(&store(&bytes)), Some(bytes));
        }
    }

    /// Checks the output of `printf 'abababababababab' | gzip -n9 | xxd -p`.
    #[test]
    fn what_gzip_compressed_is_unpacked() {
        let file = [
            0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x4b, 0x4c, 0x4a, 0x44, 0x81, 0x00,
            0x08, 0xbb, 0x09, 0x2e, 0x10, 0x00, 0x00, 0x00,
        ];
        assert_eq!(unpack(&file).as_deref(), Some(&b"abababababababab"[..]));
        assert_eq!(unpack(&file[..16]), None, "cut short");
    }
}
