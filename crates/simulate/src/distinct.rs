//! Counts the different states that were seen, exactly while there are few, and by an estimate when there are many.
//!
//! States are distinguished by hashes of 64 bits. Among a million of them, two share a hash with a chance below one in
//! ten million. Beyond that, HyperLogLog estimates with 2^14 registers: a standard error of 1.04 / sqrt(2^14), 0.8 %.

use base::FxHashSet;

/// The most states that are counted exactly.
const COUNTED_MAX: usize = 1 << 20;
const INDEX_BITS: u32 = 14;
const N_REGISTERS: usize = 1 << INDEX_BITS;

/// The number of different states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DistinctCount {
    Counted(u64),
    /// An estimate by HyperLogLog, with a standard error of 0.8 %.
    Estimated(u64),
}

impl DistinctCount {
    pub fn number(self) -> u64 {
        match self {
            DistinctCount::Counted(n) | DistinctCount::Estimated(n) => n,
        }
    }
}

/// The hashes that were seen. It takes 16 MB at most.
#[derive(Debug)]
pub(crate) struct Distinct {
    /// The hashes; `None` once there are too many.
    counted: Option<FxHashSet<u64>>,
    registers: Vec<u8>,
}

impl Default for Distinct {
    fn default() -> Self {
        Distinct { counted: Some(FxHashSet::default()), registers: vec![0; N_REGISTERS] }
    }
}

impl Distinct {
    pub fn add(&mut self, hash: u64) {
        let index = (hash >> (64 - INDEX_BITS)) as usize;
        let rank = (hash << INDEX_BITS | 1 << (INDEX_BITS - 1)).leading_zeros() as u8 + 1;
        self.registers[index] = self.registers[index].max(rank);
        if let Some(counted) = &mut self.counted {
            counted.insert(hash);
            if counted.len() > COUNTED_MAX {
                self.counted = None;
            }
        }
    }

    pub fn count(&self) -> DistinctCount {
        match &self.counted {
            Some(counted) => DistinctCount::Counted(counted.len() as u64),
            None => DistinctCount::Estimated(self.estimate()),
        }
    }

    /// Estimates the number (Flajolet and others, 2007). There are so many that the corrections for few do not matter.
    fn estimate(&self) -> u64 {
        let n = N_REGISTERS as f64;
        let alpha = 0.7213 / (1.0 + 1.079 / n);
        let sum: f64 = self.registers.iter().map(|&rank| 2.0f64.powi(-i32::from(rank))).sum();
        (alpha * n * n / sum).round() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::{COUNTED_MAX, Distinct, DistinctCount};
    use crate::dice::Dice;

    #[test]
    fn few_are_counted() {
        let mut distinct = Distinct::default();
        let mut dice = Dice::new(3);
        for _ in 0..1_000 {
            let hash = dice.next();
            distinct.add(hash);
            distinct.add(hash);
        }
        assert_eq!(distinct.count(), DistinctCount::Counted(1_000));
    }

    #[test]
    fn many_are_estimated_within_the_stated_error() {
        let mut distinct = Distinct::default();
        let mut dice = Dice::new(4);
        let n = 3 * COUNTED_MAX;
        (0..n).for_each(|_| distinct.add(dice.next()));
        let DistinctCount::Estimated(found) = distinct.count() else { panic!("{:?}", distinct.count()) };
        let error = (found as f64 / n as f64 - 1.0).abs();
        assert!(error < 3.0 * 0.0081, "{found} for {n}");
    }
}
