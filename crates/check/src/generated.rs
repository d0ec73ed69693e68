//! How many successors each expanded state had, in the order of ranks.

use std::ops::Range;

/// How many states each expanded state generated.
#[derive(Default)]
pub(crate) struct Generated {
    counts: Vec<u32>,
    /// Neighbours in a level were expanded one after the other: the rank and the index of the first of each run.
    runs: Vec<(u32, u32)>,
}

impl Generated {
    pub fn push(&mut self, rank: u32, n_generated: u32) {
        let index = self.counts.len() as u32;
        let is_next = |&(first, start): &(u32, u32)| first + (index - start) == rank;
        if !self.runs.last().is_some_and(is_next) {
            self.runs.push((rank, index));
        }
        self.counts.push(n_generated);
    }

    /// The counts of neighbours, and the rank of the first of them.
    pub fn runs(&self) -> impl Iterator<Item = (u32, &[u32])> {
        let ends = self.runs.iter().skip(1).map(|&(_, start)| start).chain([self.counts.len() as u32]);
        let counts = |(&(first, start), end)| (first, &self.counts[start as usize..end as usize]);
        self.runs.iter().zip(ends).map(counts)
    }

    pub fn clear(&mut self) {
        self.counts.clear();
        self.runs.clear();
    }

    /// Returns of how many states it is known.
    pub fn n_states(&self) -> usize {
        self.counts.len()
    }

    /// Returns how many the states generated that were added after the first `n_states`.
    pub fn after(&self, n_states: usize) -> u64 {
        self.counts[n_states..].iter().map(|&n| u64::from(n)).sum()
    }

    pub fn total(&self) -> u64 {
        self.counts.iter().map(|&n| u64::from(n)).sum()
    }

    /// The ranks of the states, in runs.
    pub fn ranks(&self) -> impl Iterator<Item = Range<u32>> {
        let ends = self.runs.iter().skip(1).map(|&(_, start)| start).chain([self.counts.len() as u32]);
        self.runs.iter().zip(ends).map(|(&(first, start), end)| first..first + (end - start))
    }

    /// How many the states of lesser ranks generated.
    pub fn before(&self, rank: u32) -> u64 {
        let before = |(first, counts): (u32, &'_ [u32])| {
            let n_before = (rank.saturating_sub(first) as usize).min(counts.len());
            counts[..n_before].iter().map(|&n| u64::from(n)).sum::<u64>()
        };
        self.runs().map(before).sum()
    }
}
