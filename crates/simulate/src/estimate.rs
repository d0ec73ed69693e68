//! Estimates the number of states by how often different walks meet the same one.
//!
//! Chao's estimator for incidence data (Chao2, 1987, in the form that is corrected for bias): with D states met, Q1 of
//! them by one walk and Q2 by two, of m walks, there are at least D + (m-1)/m * Q1 (Q1-1) / (2 (Q2+1)). Walks are
//! independent of each other, which the states of one walk are not. It is a lower bound, because there are states that
//! are less likely to be met than those that were: walks cannot see states that no walk comes near.

use base::FxHashMap;

/// The most states that are distinguished; with more, the estimate only says that there are more.
const STATES_MAX: usize = 1 << 21;
/// The number up to which walks are counted for a state.
const WALKS_COUNTED_MAX: u8 = 3;

/// A lower bound on the number of states.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Estimate {
    /// A lower bound in the mean, with its 95 % interval if the assumptions hold.
    AtLeast { states: f64, low: f64, high: f64 },
    /// More states were met than are counted.
    More(u64),
}

impl Estimate {
    /// Returns a number for sorting.
    pub fn number(self) -> f64 {
        match self {
            Estimate::AtLeast { states, .. } => states,
            Estimate::More(n) => n as f64,
        }
    }
}

/// The number of walks that met each state.
#[derive(Debug, Default)]
pub(crate) struct Occurrences {
    n_walks: u64,
    /// The last walk that met the state, and the number of walks that met it.
    states: FxHashMap<u64, (u64, u8)>,
    is_full: bool,
}

impl Occurrences {
    /// Adds the states of a walk.
    pub fn add(&mut self, hashes: &[u64]) {
        self.n_walks += 1;
        for &hash in hashes {
            if self.states.len() >= STATES_MAX && !self.states.contains_key(&hash) {
                self.is_full = true;
                continue;
            }
            let (last, n_met) = self.states.entry(hash).or_insert((0, 0));
            if *last != self.n_walks {
                *last = self.n_walks;
                *n_met = (*n_met + 1).min(WALKS_COUNTED_MAX);
            }
        }
    }

    pub fn estimate(&self) -> Estimate {
        if self.is_full {
            return Estimate::More(STATES_MAX as u64);
        }
        let met_by = |n: u8| self.states.values().filter(|(_, n_met)| *n_met == n).count() as f64;
        chao2(self.n_walks as f64, self.states.len() as f64, (met_by(1), met_by(2)))
    }
}

/// Computes the estimate, and its interval by Chao's log-normal approximation.
fn chao2(n_walks: f64, n_met: f64, (once, twice): (f64, f64)) -> Estimate {
    if n_walks < 2.0 || once == 0.0 {
        return Estimate::AtLeast { states: n_met, low: n_met, high: n_met };
    }
    let share = (n_walks - 1.0) / n_walks;
    let unseen = share * once * (once - 1.0) / (2.0 * (twice + 1.0));
    let variance = share * once * (once - 1.0) / (2.0 * (twice + 1.0))
        + share.powi(2) * once * (2.0 * once - 1.0).powi(2) / (4.0 * (twice + 1.0).powi(2))
        + share.powi(2) * once.powi(2) * twice * (once - 1.0).powi(2) / (4.0 * (twice + 1.0).powi(4));
    if unseen <= 0.0 {
        return Estimate::AtLeast { states: n_met, low: n_met, high: n_met };
    }
    let spread = (1.96 * (1.0 + variance / unseen.powi(2)).ln().sqrt()).exp();
    Estimate::AtLeast { states: n_met + unseen, low: n_met + unseen / spread, high: n_met + unseen * spread }
}

#[cfg(test)]
mod tests {
    use super::{Estimate, Occurrences};
    use crate::dice::Dice;

    /// Walks draw from a set of equally likely states, so that the estimate is of all of them.
    #[test]
    fn states_that_are_all_alike_are_estimated_within_the_interval() {
        let n_states = 5_000;
        let mut n_inside = 0;
        for seed in 0..100 {
            let mut dice = Dice::new(seed);
            let mut occurrences = Occurrences::default();
            for _ in 0..60 {
                let walk: Vec<u64> = (0..40).map(|_| dice.below(n_states) as u64).collect();
                occurrences.add(&walk);
            }
            let Estimate::AtLeast { low, high, .. } = occurrences.estimate() else { panic!("there are few") };
            n_inside += u32::from((low..=high).contains(&(n_states as f64)));
        }
        assert!(n_inside >= 90, "{n_inside} of 100 intervals have it");
    }

    #[test]
    fn when_every_walk_meets_every_state_there_are_no_others() {
        let mut occurrences = Occurrences::default();
        (0..10).for_each(|_| occurrences.add(&[1, 2, 3, 2, 1]));
        assert_eq!(occurrences.estimate(), Estimate::AtLeast { states: 3.0, low: 3.0, high: 3.0 });
    }
}
