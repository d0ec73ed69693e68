//! What operators gave before, for operands that were seen before.
//!
//! Values of states are interned: the same value is the same word, for ever. So what an operator gives for words that
//! are interned or no objects at all can be kept. One cache for each worker; a new entry takes the place of an old one.

/// At most so many operands are looked up.
pub(crate) const OPERANDS_MAX: usize = 6;
const N_ENTRIES_LOG2: u32 = 13;

/// One cache line.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Entry {
    /// What was asked: the operator, then the operands.
    asked: [u64; OPERANDS_MAX + 1],
    /// What came of it; 0 for nothing yet.
    result: u64,
}

/// The memory of one worker.
pub struct OpCache {
    entries: Box<[Entry]>,
}

impl Default for OpCache {
    fn default() -> OpCache {
        let free = Entry { asked: [0; OPERANDS_MAX + 1], result: 0 };
        OpCache { entries: vec![free; 1 << N_ENTRIES_LOG2].into_boxed_slice() }
    }
}

impl std::fmt::Debug for OpCache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "OpCache({} entries)", self.entries.len())
    }
}

/// What is asked of a cache, with its place in it.
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
        // One by one, and all of them: a call and branches cost more.
        let pairs = entry.asked.iter().zip(&question.asked);
        let difference = pairs.fold(0, |difference, (kept, asked)| difference | (kept ^ asked));
        (difference == 0 && entry.result != 0).then_some(entry.result)
    }

    pub fn keep(&mut self, question: &Question, result: u64) {
        self.entries[question.place] = Entry { asked: question.asked, result };
    }
}
