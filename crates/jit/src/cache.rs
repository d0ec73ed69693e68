//! A cache of results of operators for operands that were seen before.
//!
//! Values of states are interned: the same value is the same word, forever. So the result of an operator can be kept
//! for words that are interned or not objects at all. Each worker has its own cache; a new entry replaces an old one.

/// Limit on the operands of an operator, so that an entry is one cache line.
pub(crate) const OPERANDS_MAX: usize = 6;
/// Limit on the values that a node reads.
pub(crate) const READ_MAX: usize = 14;

/// An entry.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct CacheEntry<const N: usize> {
    /// The key: the operator or node, then the operands.
    op: u64,
    operands: [u64; N],
    /// The result; 0 for none yet, [`ASKED_ONCE`] for one that was not kept.
    result: u64,
}

/// Stands for a result that is no value of a state, the first time that it is asked for. No word is 1.
const ASKED_ONCE: u64 = 1;

/// An answer of the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cached {
    Result(u64),
    /// It was asked before, but its result was not kept.
    Asked,
    Unknown,
}

/// A cache of one worker, for up to `N` operands.
pub struct ResultCache<const N: usize> {
    entries: Box<[CacheEntry<N>]>,
    shift: u32,
}

/// The caches of one worker.
#[derive(Debug)]
pub struct Caches {
    /// Results of operators.
    pub(crate) operators: ResultCache<OPERANDS_MAX>,
    /// Results of nodes that the interpreter evaluates.
    pub(crate) nodes: ResultCache<READ_MAX>,
    /// Results of functions that apply themselves, for one argument each, by the number of the application from outside.
    pub(crate) applications: ResultCache<1>,
    pub(crate) n_applications: u64,
    /// The list that was made last, for its memory.
    pub(crate) listed: Vec<u64>,
}

impl Default for Caches {
    fn default() -> Caches {
        Caches {
            operators: ResultCache::new(13),
            nodes: ResultCache::new(13),
            applications: ResultCache::new(8),
            n_applications: 0,
            listed: Vec::new(),
        }
    }
}

impl<const N: usize> std::fmt::Debug for ResultCache<N> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ResultCache({} entries)", self.entries.len())
    }
}

/// A key of a cache, with its hash.
pub(crate) struct Question<const N: usize> {
    op: u64,
    operands: [u64; N],
    hash: u64,
}

impl<const N: usize> Question<N> {
    /// Makes the key for an operator and no more than `N` operands.
    #[inline(always)]
    pub fn new(op: u64, operands: &[u64]) -> Question<N> {
        debug_assert!(operands.len() <= N);
        let mut asked = [0; N];
        let mut hash = op;
        for (place, &operand) in asked.iter_mut().zip(operands) {
            *place = operand;
            hash = (hash.rotate_left(5) ^ operand).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        Question { op, operands: asked, hash }
    }
}

impl<const N: usize> ResultCache<N> {
    fn new(n_entries_log2: u32) -> ResultCache<N> {
        let free = CacheEntry { op: 0, operands: [0; N], result: 0 };
        ResultCache {
            entries: vec![free; 1 << n_entries_log2].into_boxed_slice(),
            shift: u64::BITS - n_entries_log2,
        }
    }

    #[inline(always)]
    pub fn find(&self, question: &Question<N>) -> Cached {
        let entry = &self.entries[(question.hash >> self.shift) as usize];
        // All of them are compared one by one: a call and branches cost more.
        let pairs = entry.operands.iter().zip(&question.operands);
        let difference =
            pairs.fold(entry.op ^ question.op, |difference, (kept, asked)| difference | (kept ^ asked));
        match entry.result {
            _ if difference != 0 => Cached::Unknown,
            0 => Cached::Unknown,
            ASKED_ONCE => Cached::Asked,
            result => Cached::Result(result),
        }
    }

    /// Remembers that this was asked.
    pub fn note(&mut self, question: &Question<N>) {
        self.keep(question, ASKED_ONCE);
    }

    pub fn keep(&mut self, question: &Question<N>, result: u64) {
        let Question { op, operands, hash } = *question;
        self.entries[(hash >> self.shift) as usize] = CacheEntry { op, operands, result };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_found_for_its_own_operands_only() {
        let mut cache = ResultCache::<OPERANDS_MAX>::new(4);
        let asked = Question::new(7, &[1, 2]);
        assert_eq!(cache.find(&asked), Cached::Unknown);
        cache.note(&asked);
        assert_eq!(cache.find(&asked), Cached::Asked);
        cache.keep(&asked, 40);
        assert_eq!(cache.find(&asked), Cached::Result(40));
        for (op, operands) in [(8, [1, 2]), (7, [2, 1]), (7, [1, 3])] {
            assert_eq!(cache.find(&Question::new(op, &operands)), Cached::Unknown);
        }
    }
}
