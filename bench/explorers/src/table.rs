//! Sets of visited states with open addressing.

/// A set of states that only grows.
pub trait Visited<S> {
    /// Inserts the states in their order; those that are new go to `fresh` as well.
    fn insert_all(&mut self, states: &[S], fresh: &mut Vec<S>);
}

const LEN_MIN: usize = 1 << 16;

/// The golden ratio, as multipliers go.
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// Both halves of the product: every bit of the word has a part in the low ones.
fn mix(word: u64) -> u64 {
    let product = u128::from(word ^ MULTIPLIER) * u128::from(MULTIPLIER);
    (product as u64) ^ ((product >> 64) as u64)
}

/// States that are words, stored as they are. Zero marks a free slot, so the highest bit of a state must be free.
/// The length is a power of two.
pub struct Words {
    slots: Vec<u64>,
    n_used: usize,
}

const USED: u64 = 1 << 63;

impl Default for Words {
    fn default() -> Words {
        Words { slots: vec![0; LEN_MIN], n_used: 0 }
    }
}

impl Words {
    /// Returns whether the word was not there.
    fn insert(&mut self, word: u64, hash: u64) -> bool {
        let mask = self.slots.len() - 1;
        let mut index = hash as usize & mask;
        while self.slots[index] != 0 {
            if self.slots[index] == word {
                return false;
            }
            index = (index + 1) & mask;
        }
        self.slots[index] = word;
        self.n_used += 1;
        true
    }

    fn grow(&mut self) {
        let old = std::mem::take(&mut self.slots);
        self.slots = vec![0; old.len() * 2];
        self.n_used = 0;
        for word in old.into_iter().filter(|&word| word != 0) {
            self.insert(word, mix(word));
        }
    }
}

impl Visited<u64> for Words {
    fn insert_all(&mut self, states: &[u64], fresh: &mut Vec<u64>) {
        while (self.n_used + states.len()) * 2 > self.slots.len() {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        // These reads depend on nothing, so the machine makes them all at once.
        let ahead = states.iter().fold(0, |sum, &state| sum ^ self.slots[mix(state | USED) as usize & mask]);
        std::hint::black_box(ahead);
        for &state in states {
            let word = state | USED;
            if self.insert(word, mix(word)) {
                fresh.push(state);
            }
        }
    }
}

/// States of several words: a slot has half of the hash and the place of the state.
pub struct Records<const N: usize> {
    /// The hash's high half, and the index plus one; zero where nothing is.
    slots: Vec<u64>,
    states: Vec<[u64; N]>,
}

impl<const N: usize> Default for Records<N> {
    fn default() -> Records<N> {
        Records { slots: vec![0; LEN_MIN], states: Vec::new() }
    }
}

const INDEX_MASK: u64 = u32::MAX as u64;

fn mix_all<const N: usize>(state: &[u64; N]) -> u64 {
    state.iter().fold(0, |hash, &word| mix(hash.rotate_left(29) ^ word))
}

impl<const N: usize> Records<N> {
    fn insert(&mut self, state: &[u64; N], hash: u64) -> bool {
        let mask = self.slots.len() - 1;
        let mut index = hash as usize & mask;
        while self.slots[index] != 0 {
            let slot = self.slots[index];
            if slot & !INDEX_MASK == hash & !INDEX_MASK
                && self.states[(slot & INDEX_MASK) as usize - 1] == *state
            {
                return false;
            }
            index = (index + 1) & mask;
        }
        self.states.push(*state);
        self.slots[index] = hash & !INDEX_MASK | self.states.len() as u64;
        true
    }

    fn grow(&mut self) {
        let len = self.slots.len() * 2;
        assert!(len as u64 <= INDEX_MASK, "more states than an index of 32 bits can name");
        self.slots = vec![0; len];
        for (place, state) in self.states.iter().enumerate() {
            let hash = mix_all(state);
            let mut index = hash as usize & (len - 1);
            while self.slots[index] != 0 {
                index = (index + 1) & (len - 1);
            }
            self.slots[index] = hash & !INDEX_MASK | (place as u64 + 1);
        }
    }
}

impl<const N: usize> Visited<[u64; N]> for Records<N> {
    fn insert_all(&mut self, states: &[[u64; N]], fresh: &mut Vec<[u64; N]>) {
        while (self.states.len() + states.len()) * 2 > self.slots.len() {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let ahead = states.iter().fold(0, |sum, state| sum ^ self.slots[mix_all(state) as usize & mask]);
        std::hint::black_box(ahead);
        for state in states {
            if self.insert(state, mix_all(state)) {
                fresh.push(*state);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LEN_MIN, Records, Visited, Words};

    #[test]
    fn what_was_inserted_once_is_not_fresh_again() {
        let states: Vec<u64> = (0..2 * LEN_MIN as u64).map(|n| n * 17).collect();
        let (mut words, mut fresh) = (Words::default(), Vec::new());
        for chunk in states.chunks(100) {
            words.insert_all(chunk, &mut fresh);
        }
        assert_eq!(fresh, states);
        words.insert_all(&states, &mut fresh);
        assert_eq!(fresh.len(), states.len());
    }

    #[test]
    fn states_of_several_words_are_told_apart() {
        let states: Vec<[u64; 2]> = (0..2 * LEN_MIN as u64).map(|n| [n % 300, n / 300]).collect();
        let (mut records, mut fresh) = (Records::default(), Vec::new());
        records.insert_all(&states, &mut fresh);
        records.insert_all(&states, &mut fresh);
        assert_eq!(fresh, states);
    }
}
