//! Dead ends: positions and states that were tried in vain and may be reached again.

use std::collections::BTreeMap;
use std::rc::Rc;

use base::FxHashMap;

use super::room::ENTRY_BYTES;
use crate::log::Position;

/// A position in the log, and the bytes of a state.
pub(super) type DeadKey = (Position, Rc<[u8]>);

/// For each key, how often silent actions had been taken.
#[derive(Default)]
struct Tried {
    all: FxHashMap<DeadKey, Vec<Rc<[u32]>>>,
    n_bytes: usize,
}

#[derive(Default)]
pub(super) struct DeadEnds {
    /// The dead ends by the number of explained events.
    by_count: BTreeMap<usize, Tried>,
    n_keys: usize,
    n_bytes: usize,
}

fn n_explained(position: &Position) -> usize {
    position.iter().map(|&count| count as usize).sum()
}

impl DeadEnds {
    pub fn len(&self) -> usize {
        self.n_keys
    }

    /// Returns the approximate memory that they take.
    pub fn n_bytes(&self) -> usize {
        self.n_bytes
    }

    pub fn is_empty(&self) -> bool {
        self.n_keys == 0
    }

    /// Whether this was tried after no more silent steps.
    pub fn has(&self, key: &DeadKey, used: &[u32]) -> bool {
        let is_no_more = |known: &Rc<[u32]>| known.iter().zip(used).all(|(known, used)| known <= used);
        let known = self.by_count.get(&n_explained(&key.0)).and_then(|tried| tried.all.get(key));
        known.is_some_and(|all| all.iter().any(is_no_more))
    }

    pub fn add(&mut self, key: DeadKey, used: Rc<[u32]>) {
        let tried = self.by_count.entry(n_explained(&key.0)).or_default();
        let key_bytes = ENTRY_BYTES + key.1.len() + 4 * key.0.len();
        let known = tried.all.entry(key).or_default();
        let n_bytes = 4 * used.len() + if known.is_empty() { key_bytes } else { 0 };
        self.n_keys += usize::from(known.is_empty());
        known.push(used);
        tried.n_bytes += n_bytes;
        self.n_bytes += n_bytes;
    }

    /// Forgets the dead ends before this position, which are not reached again.
    pub fn forget_before(&mut self, position: &Position) {
        let n_explained = n_explained(position);
        while let Some(first) = self.by_count.first_entry()
            && *first.key() < n_explained
        {
            let tried = first.remove();
            self.n_keys -= tried.all.len();
            self.n_bytes -= tried.n_bytes;
        }
    }

    pub fn clear(&mut self) {
        *self = DeadEnds::default();
    }
}

#[cfg(test)]
mod tests {
    use super::{DeadEnds, DeadKey};

    fn key(position: &[u32]) -> DeadKey {
        (position.into(), [7u8].as_slice().into())
    }

    #[test]
    fn what_may_be_come_to_again_is_kept() {
        let mut dead = DeadEnds::default();
        dead.add(key(&[1, 0]), [1].as_slice().into());
        dead.add(key(&[1, 1]), [1].as_slice().into());
        dead.add(key(&[1, 1]), [0].as_slice().into());
        assert_eq!(dead.len(), 2);
        assert!(!dead.has(&key(&[1, 0]), &[0]) && dead.has(&key(&[1, 0]), &[1]));
        dead.forget_before(&[1, 1].as_slice().into());
        assert_eq!(dead.len(), 1);
        assert!(dead.n_bytes() > 0);
        assert!(dead.has(&key(&[1, 1]), &[0]) && !dead.has(&key(&[1, 0]), &[1]));
        dead.forget_before(&[2, 1].as_slice().into());
        assert_eq!((dead.len(), dead.n_bytes()), (0, 0));
    }
}
