//! A cache of results of operators for operands that were seen before.
//!
//! Values of states are interned: the same value is the same word, forever. So the result of an operator can be kept
//! for words that are interned or not objects at all. Each worker has its own cache; a new entry replaces an old one.

/// Limit on the operands of a lookup.
pub(crate) const OPERANDS_MAX: usize = 6;
const N_ENTRIES_LOG2: u32 = 13;

/// An entry, one cache line.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct CacheEntry {
    /// The key: the operator, then the operands.
    asked: [u64; OPERANDS_MAX + 1],
    /// The result; 0 for none yet.
    result: u64,
}

/// The cache of one worker.
pub struct OpCache {
    entries: Box<[CacheEntry]>,
}

impl Default for OpCache {
    fn default() -> OpCache {
        let free = CacheEntry { asked: [0; OPERANDS_MAX + 1], result: 0 };
        OpCache { entries: vec![free; 1 << N_ENTRIES_LOG2].into_boxed_slice() }
    }
}

impl std::fmt::Debug for OpCache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "OpCache({} entries)", self.entries.len())
    }
}

/// A key of a cache, with its place in it.
pub(crate) struct Question {
    asked: [u64; OPERANDS_MAX + 1],
    place: usize,
}

impl Question {
    #[inline(always)]
    pub fn new(op: u64, operands: &[u64]) -> Question {
        let mut asked = [0; OPERANDS_MAX + 1];
        asked[0] = op;
        let mut hash = op;
        for (place, &operand) in asked[1..].iter_mut().zip(operands) {
            *place = operand;
            hash = (hash.rotate_left(5) ^ operand).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        Question { asked, place: (hash >> (64 - N_ENTRIES_LOG2)) as usize }
    }
}

impl OpCache {
    #[inline(always)]
    pub fn find(&self, question: &Question) -> Option<u64> {
        let entry = &self.entries[question.place];
        // All of them are compared one by one: a call and branches cost more.
        let pairs = entry.asked.iter().zip(&question.asked);
        let difference = pairs.fold(0, |difference, (kept, asked)| difference | (kept ^ asked));
        (difference == 0 && entry.result != 0).then_some(entry.result)
    }

    pub fn keep(&mut self, question: &Question, result: u64) {
        self.entries[question.place] = CacheEntry { asked: question.asked, result };
    }
}
