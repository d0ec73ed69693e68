//! A lock for our own tables, which the guest can never hold.
//!
//! It is held for a few instructions, or for one exchange with the stage, with all signals blocked: a signal handler
//! that calls us cannot run into a lock which its own thread holds.

use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use crate::pass;

const FREE: u32 = 0;
const HELD: u32 = 1;
const WAITED_FOR: u32 = 2;

/// The size of the kernel's set of signals: 64 bits.
const SIGNAL_SET_BYTES: usize = 8;

pub struct Lock(AtomicU32);

/// A lock that is held, with signals blocked, until this is dropped.
#[must_use]
pub struct HeldLock<'l> {
    lock: &'l Lock,
    signals: u64,
}

impl Lock {
    pub const fn new() -> Lock {
        Lock(AtomicU32::new(FREE))
    }

    pub fn hold(&self) -> HeldLock<'_> {
        let signals = block_signals();
        if self.0.compare_exchange(FREE, HELD, Acquire, Relaxed).is_err() {
            while self.0.swap(WAITED_FOR, Acquire) != FREE {
                let private_wait = libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG;
                // The thread was woken, or the word had changed: either way it looks again.
                let _ = pass!(libc::SYS_futex, &raw const self.0, private_wait, WAITED_FOR, 0);
            }
        }
        HeldLock { lock: self, signals }
    }
}

impl Drop for HeldLock<'_> {
    fn drop(&mut self) {
        if self.lock.0.swap(FREE, Release) == WAITED_FOR {
            let private_wake = libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG;
            let _ = pass!(libc::SYS_futex, &raw const self.lock.0, private_wake, 1);
        }
        set_signals(self.signals);
    }
}

/// Blocks all signals; returns those that were blocked before.
pub fn block_signals() -> u64 {
    let all = !0_u64;
    let mut before = 0_u64;
    let set = libc::SIG_SETMASK;
    // This cannot fail, because both addresses are valid.
    let _ = pass!(libc::SYS_rt_sigprocmask, set, &raw const all, &raw mut before, SIGNAL_SET_BYTES);
    before
}

/// Sets the signals that this thread blocks from now on.
pub fn set_signals(signals: u64) {
    let set = libc::SIG_SETMASK;
    let _ = pass!(libc::SYS_rt_sigprocmask, set, &raw const signals, 0, SIGNAL_SET_BYTES);
}
