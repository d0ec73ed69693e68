//! `bench/models/TwoPhaseCommit.tla`, a state in one word.
//!
//! Four planes of one bit for each resource manager: two for its state, one for its vote in flight, one for its vote
//! with the coordinator. The coordinator's state has two bits more; the decision is in flight exactly if it is made.

use crate::Model;

/// The planes do not overlap, and the highest bit stays free.
const N_RMS_MAX: u32 = 15;

/// The state of a resource manager: neither bit is "working", `PREPARED` alone, `ENDED` alone is "committed", both
/// are "aborted".
const PREPARED: u32 = 0;
const ENDED: u32 = 15;
const IN_FLIGHT: u32 = 30;
const VOTED: u32 = 45;
const COMMITTED: u64 = 1 << 60;
const ABORTED: u64 = 1 << 61;

pub struct TwoPhase {
    /// One bit for each resource manager.
    all: u64,
}

impl TwoPhase {
    /// `None` when there are too many to pack.
    pub fn new(n_rms: u32) -> Option<TwoPhase> {
        (n_rms <= N_RMS_MAX).then(|| TwoPhase { all: (1 << n_rms) - 1 })
    }

    fn plane(&self, state: u64, plane: u32) -> u64 {
        state >> plane & self.all
    }
}

/// Calls `f` with each bit of the set alone.
fn each_bit(mut set: u64, mut f: impl FnMut(u64)) {
    while set != 0 {
        f(set & set.wrapping_neg());
        set &= set - 1;
    }
}

impl Model for TwoPhase {
    type State = u64;

    fn initial(&self) -> u64 {
        0
    }

    fn successors(&self, state: u64, out: &mut Vec<u64>) {
        let (prepared, ended) = (self.plane(state, PREPARED), self.plane(state, ENDED));
        let working = !(prepared | ended) & self.all;
        each_bit(working, |rm| {
            out.push(state | rm << PREPARED | rm << IN_FLIGHT);
            out.push(state | rm << PREPARED | rm << ENDED);
        });
        if state & (COMMITTED | ABORTED) == 0 {
            each_bit(self.plane(state, IN_FLIGHT), |rm| {
                out.push(state ^ rm << IN_FLIGHT | rm << VOTED);
            });
            let forgotten = state & !(self.all << VOTED);
            if self.plane(state, VOTED) == self.all {
                out.push(forgotten | COMMITTED);
            }
            out.push(forgotten | ABORTED);
        }
        if state & COMMITTED != 0 {
            each_bit(prepared & !ended, |rm| out.push(state ^ rm << PREPARED | rm << ENDED));
        }
        if state & ABORTED != 0 {
            each_bit(!ended & self.all, |rm| out.push(state | rm << PREPARED | rm << ENDED));
        }
    }

    /// Agreement and NoneAlone; TypeOK holds by the form of the word.
    fn holds(&self, state: u64) -> bool {
        let (prepared, ended) = (self.plane(state, PREPARED), self.plane(state, ENDED));
        let (committed, aborted) = (ended & !prepared, ended & prepared);
        committed == 0 || (aborted == 0 && state & COMMITTED != 0)
    }
}
