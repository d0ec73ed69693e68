//! A lock for our own tables: never one that the guest can hold.
//!
//! Held for a few instructions, or for one exchange with the stage, with all signals blocked: a signal handler
//! that calls us cannot meet a lock which its own thread holds.

use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use crate::pass;

const FREE: u32 = 0;
const HELD: u32 = 1;
const WAITED_FOR: u32 = 2;

/// The kernel's set of signals: 64 bits.
const SIGNAL_SET_BYTES: usize = 8;

pub struct Lock(AtomicU32);

/// The lock is held, and signals are blocked, until this is dropped.
#[must_use]
pub struct Held<'l> {
    lock: &'l Lock,
    signals: u64,
}

impl Lock {
    pub const fn new() -> Lock {
        Lock(AtomicU32::new(FREE))
    }

    pub fn hold(&self) -> Held<'_> {
        let signals = block_signals();
        if self.0.compare_exchange(FREE, HELD, Acquire, Relaxed).is_err() {
            while self.0.swap(WAITED_FOR, Acquire) != FREE {
                let private_wait = libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG;
                // Woken, or the word had changed: either way look again.
                let _ = pass!(libc::SYS_futex, &raw const self.0, private_wait, WAITED_FOR, 0);
            }
        }
        Held { lock: self, signals }
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        if self.lock.0.swap(FREE, Release) == WAITED_FOR {
            let private_wake = libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG;
            let _ = pass!(libc::SYS_futex, &raw const self.lock.0, private_wake, 1);
        }
        set_signals(self.signals);
    }
}

/// Blocks all signals; gives those that were blocked.
pub fn block_signals() -> u64 {
    let all = !0_u64;
    let mut before = 0_u64;
    let set = libc::SIG_SETMASK;
    // Cannot fail: both addresses are good.
    let _ = pass!(libc::SYS_rt_sigprocmask, set, &raw const all, &raw mut before, SIGNAL_SET_BYTES);
    before
}

/// The signals that this thread does not take from now on.
pub fn set_signals(signals: u64) {
    let set = libc::SIG_SETMASK;
    let _ = pass!(libc::SYS_rt_sigprocmask, set, &raw const signals, 0, SIGNAL_SET_BYTES);
}
