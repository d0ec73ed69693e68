//! Hashes of bytes: 128 bits to sort states by, 64 to know that a block is as it was written. States are compared by
//! their bytes wherever hashes are equal, so nothing depends on how good these are.

const FACTORS: [u64; 3] = [0x9e37_79b9_7f4a_7c15, 0xd6e8_feb8_6659_fd93, 0xa076_1d64_78bd_642f];

pub(super) fn hash(bytes: &[u8]) -> u128 {
    let mut low = FACTORS[2];
    let mut high = FACTORS[1];
    let mut chunks = bytes.chunks_exact(16);
    let mut take = |chunk: &[u8; 16]| {
        let word = u128::from_le_bytes(*chunk);
        let (first, second) = (word as u64, (word >> 64) as u64);
        (low, high) = (
            fold(low ^ first, FACTORS[0] ^ second.rotate_left(17)),
            fold(high.rotate_left(29) ^ second, FACTORS[1] ^ first),
        );
    };
    for chunk in &mut chunks {
        take(chunk.try_into().expect("chunks have this length"));
    }
    let mut rest = [0; 16];
    rest[..chunks.remainder().len()].copy_from_slice(chunks.remainder());
    take(&rest);
    let low = fold(low ^ bytes.len() as u64, FACTORS[2]);
    let high = fold(high ^ low.rotate_left(32), FACTORS[0]);
    u128::from(high) << 64 | u128::from(low)
}

pub(super) fn checksum(bytes: &[u8]) -> u64 {
    hash(bytes) as u64
}

fn fold(left: u64, right: u64) -> u64 {
    let product = u128::from(left) * u128::from(right);
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use base::FxHashSet;

    use super::hash;

    /// Every text of up to two bytes, and texts that differ in their zeros at the end alone.
    #[test]
    fn short_texts_differ_in_each_half() {
        let mut texts: Vec<Vec<u8>> = vec![Vec::new()];
        for first in 0..=u8::MAX {
            texts.push(vec![first]);
            texts.extend((0..=u8::MAX).map(|second| vec![first, second]));
        }
        texts.extend((3..40).map(|len| vec![0; len]));
        let halves = |shift: u32| -> FxHashSet<u64> {
            texts.iter().map(|text| (hash(text) >> shift) as u64).collect()
        };
        assert_eq!((halves(0).len(), halves(64).len()), (texts.len(), texts.len()));
    }
}
