//! Turns: of a node's threads one runs at a time, and the seed says which one is next.
//!
//! A turn is given only when every thread of the node sleeps, so that the choice does not depend on which thread was
//! faster. A thread keeps its turn until it waits for something. One that wants a lock which another thread has is
//! given a turn to try again after any other thread has had one; when all of these have tried in vain since then, the
//! node is at rest.

use base::FxIndexMap;

/// After so many turns in a row for threads that come first, the others have one now and then: what comes first may wait
/// for one of them, again and again, in short steps.
const FIRST_IN_ROW_MAX: u32 = 128;
/// One turn of so many is then for the others.
const SHARE_OF_OTHERS: u32 = 8;

/// A thread that waits for its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Candidate {
    /// Its slot on the board.
    pub slot: u32,
    /// Its process, in the order in which the stage learned of them, and its number there: the same in every run.
    pub key: (usize, u32),
    /// For a thread that wants a lock which another has, how often it has tried in vain.
    pub n_tries: Option<u32>,
}

/// The history that decides whose turn it is.
#[derive(Debug)]
pub(crate) struct Turns {
    random: u64,
    /// Number of turns so far in which something may have changed for others.
    n_useful: u64,
    last: Option<Candidate>,
    /// For a slot, the number of useful turns when its thread last tried in vain for a lock.
    in_vain: FxIndexMap<u32, u64>,
    /// Number of turns in a row that were given among those that come first.
    n_first: u32,
}

impl Turns {
    pub fn new(seed: u64) -> Turns {
        Turns { random: seed, n_useful: 0, last: None, in_vain: FxIndexMap::default(), n_first: 0 }
    }

    /// Notes that something may have changed for every thread: an event happened.
    pub fn note_change(&mut self) {
        self.n_useful += 1;
        self.last = None;
        self.n_first = 0;
    }

    /// Chooses the next thread among those that wait for their turn; `None` if none of them can go on.
    pub fn choose(&mut self, candidates: Vec<Candidate>) -> Option<Candidate> {
        self.choose_among(candidates, &|_| false)
    }

    /// Chooses the next thread, among those that come first if one of them can go on. If these had many turns in a row, the
    /// others have some, too.
    pub fn choose_among(
        &mut self,
        mut candidates: Vec<Candidate>,
        comes_first: &dyn Fn(&Candidate) -> bool,
    ) -> Option<Candidate> {
        self.judge_last(&candidates);
        let is_hopeless = |candidate: &Candidate| {
            candidate.n_tries.is_some() && self.in_vain.get(&candidate.slot) == Some(&self.n_useful)
        };
        candidates.retain(|candidate| !is_hopeless(candidate));
        if candidates.iter().any(comes_first) {
            let is_long = self.n_first >= FIRST_IN_ROW_MAX && self.n_first.is_multiple_of(SHARE_OF_OTHERS);
            let others_first = is_long && !candidates.iter().all(comes_first);
            candidates.retain(|candidate| comes_first(candidate) != others_first);
            self.n_first = self.n_first.saturating_add(1);
        } else {
            self.n_first = 0;
        }
        candidates.sort_by_key(|candidate| candidate.key);
        let n = u64::try_from(candidates.len()).unwrap_or(u64::MAX);
        let index = if n < 2 { 0 } else { usize::try_from(self.next_random() % n).unwrap_or(0) };
        self.last = candidates.get(index).copied();
        self.last
    }

    /// Decides whether the last turn was one in which a thread only found its lock taken.
    fn judge_last(&mut self, candidates: &[Candidate]) {
        let Some(last) = self.last.take() else { return };
        let tried_again = |now: &&Candidate| {
            now.slot == last.slot && last.n_tries.is_some() && now.n_tries == last.n_tries.map(|n| n + 1)
        };
        match candidates.iter().find(tried_again) {
            Some(again) => {
                self.in_vain.insert(again.slot, self.n_useful);
            }
            None => self.n_useful += 1,
        }
    }

    /// Returns the next number of the sequence that follows from the seed (SplitMix64).
    fn next_random(&mut self) -> u64 {
        let mixed = mix(self.random);
        self.random = self.random.wrapping_add(STEP);
        mixed
    }
}

const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// Mixes a word by a step and the finaliser of SplitMix64: every bit of the result depends on every bit of the argument.
pub(crate) fn mix(word: u64) -> u64 {
    let mut mixed = word.wrapping_add(STEP);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::{Candidate, Turns};

    fn ready(slot: u32) -> Candidate {
        Candidate { slot, key: (0, slot), n_tries: None }
    }

    fn contending(slot: u32, n_tries: u32) -> Candidate {
        Candidate { slot, key: (0, slot), n_tries: Some(n_tries) }
    }

    #[test]
    fn the_seed_decides_and_the_order_of_candidates_does_not() {
        let order = |seed: u64, reversed: bool| -> Vec<u32> {
            let mut turns = Turns::new(seed);
            let mut candidates: Vec<Candidate> = (0..8).map(ready).collect();
            if reversed {
                candidates.reverse();
            }
            (0..20).filter_map(|_| turns.choose(candidates.clone())).map(|chosen| chosen.slot).collect()
        };
        assert_eq!(order(1, false), order(1, true));
        assert_ne!(order(1, false), order(2, false));
    }

    #[test]
    fn those_that_come_first_are_chosen_while_there_are_any() {
        let mut turns = Turns::new(3);
        let all: Vec<Candidate> = (0..8).map(ready).collect();
        for _ in 0..20 {
            let chosen = turns.choose_among(all.clone(), &|candidate| candidate.slot == 5);
            assert_eq!(chosen.map(|chosen| chosen.slot), Some(5));
        }
        assert!(turns.choose_among(all, &|_| false).is_some());
    }

    #[test]
    fn those_that_come_first_do_not_keep_the_others_waiting_for_ever() {
        let mut turns = Turns::new(3);
        let mut choose = || turns.choose_among(vec![ready(0), ready(1)], &|candidate| candidate.slot == 0);
        let chosen: Vec<u32> = (0..1000).filter_map(|_| choose()).map(|chosen| chosen.slot).collect();
        assert!(chosen[..super::FIRST_IN_ROW_MAX as usize].iter().all(|slot| *slot == 0));
        assert!(chosen[super::FIRST_IN_ROW_MAX as usize..].contains(&1));
        assert!(chosen.iter().filter(|slot| **slot == 0).count() > 800);
    }

    #[test]
    fn threads_that_want_a_lock_in_vain_come_to_rest() {
        let mut turns = Turns::new(7);
        let mut tries = [0, 0];
        let mut n_turns = 0;
        while let Some(chosen) = turns.choose(vec![contending(0, tries[0]), contending(1, tries[1])]) {
            tries[chosen.slot as usize] += 1;
            n_turns += 1;
            assert!(n_turns <= 2, "each tries once");
        }
        assert_eq!(tries, [1, 1]);
        turns.note_change();
        assert!(turns.choose(vec![contending(0, 1), contending(1, 1)]).is_some());
    }

    #[test]
    fn a_turn_of_another_thread_lets_contenders_try_again() {
        let mut turns = Turns::new(7);
        assert_eq!(turns.choose(vec![contending(0, 0)]).map(|chosen| chosen.slot), Some(0));
        assert_eq!(turns.choose(vec![contending(0, 1)]), None);
        assert_eq!(turns.choose(vec![ready(3)]).map(|chosen| chosen.slot), Some(3));
        assert_eq!(turns.choose(vec![contending(0, 1)]).map(|chosen| chosen.slot), Some(0));
        // The lock was free: it has begun to contend for another one, which is something new.
        assert_eq!(turns.choose(vec![contending(0, 0)]).map(|chosen| chosen.slot), Some(0));
    }
}
