//! Waits under virtual time: on a word of memory, or on descriptors.

use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::SeqCst;

use libc::{c_int, pollfd};
use wire::{FRAME_BYTES_MAX, Request, Wake};

use crate::guest::Scratch;
use crate::kernel::{self, Errno, Result};
use crate::session::{Session, move_out_of_the_way};
use crate::thread::{self, Blocked, Wait};
use crate::{fds, pass};

/// The reason why a wait ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// The word changed, or somebody woke its waiters.
    Word,
    /// The deadline passed.
    Expired,
    /// A signal handler ran.
    Signal,
}

/// A word that the guest waits on.
#[derive(Clone, Copy)]
pub struct Word<'w> {
    pub word: &'w AtomicU32,
    /// The wait ends when the word differs from this.
    pub expected: u32,
    /// Whether other processes may wake its waiters.
    pub is_shared: bool,
}

/// One entry of `futex_waitv`.
#[repr(C)]
struct WaitV {
    value: u64,
    address: u64,
    flags: u32,
    reserved: u32,
}

const FUTEX_32: u32 = 2;
const FUTEX_2_PRIVATE: u32 = 128;

/// Waits for the deadline, or for a word to change.
pub fn on_word(session: &'static Session, word: Option<Word<'_>>, wait: Wait) -> Ended {
    on_word_and(session, word, wait, &mut || {})
}

/// Waits as [`on_word`] does, and calls `finish` when the word has changed, before the thread waits for its turn: for
/// what the stage must see before it gives a turn to anybody.
pub fn on_word_and(
    session: &'static Session,
    word: Option<Word<'_>>,
    wait: Wait,
    finish: &mut dyn FnMut(),
) -> Ended {
    if wait.deadline_ns <= now(session) {
        return Ended::Expired;
    }
    let Some(blocked) = Blocked::begin(session, wait) else {
        session.report("a thread", "there are more threads than the board has room for", true);
        return Ended::Expired;
    };
    loop {
        let ended = sleep(&blocked, word);
        match (blocked.wake_reason(), ended) {
            (Wake::Expired | Wake::Impatient, _) => return Ended::Expired,
            (Wake::Look, _) => blocked.slot.wake.store(Wake::Not.word(), SeqCst),
            (Wake::Not, Err(Errno::INTERRUPTED)) => return Ended::Signal,
            (Wake::Not, _) if word.is_some() => {
                finish();
                return Ended::Word;
            }
            (Wake::Not, _) => {}
        }
    }
}

/// Sleeps until the stage wakes this thread, the word changes, or a signal comes.
fn sleep(blocked: &Blocked, word: Option<Word<'_>>) -> Result<usize> {
    let wake = &blocked.slot.wake;
    let Some(word) = word else {
        return pass!(libc::SYS_futex, &raw const *wake, libc::FUTEX_WAIT, Wake::Not.word(), 0);
    };
    let own = WaitV {
        value: u64::from(Wake::Not.word()),
        address: &raw const *wake as u64,
        flags: FUTEX_32,
        reserved: 0,
    };
    let private = if word.is_shared { 0 } else { FUTEX_2_PRIVATE };
    let guests = WaitV {
        value: u64::from(word.expected),
        address: &raw const *word.word as u64,
        flags: FUTEX_32 | private,
        reserved: 0,
    };
    let both = [guests, own];
    pass!(libc::SYS_futex_waitv, both.as_ptr(), both.len(), 0, 0, 0)
}

/// Wakes up to `n` threads that wait on a word.
pub fn wake_word(word: &AtomicU32, n: c_int, is_shared: bool) {
    let private = if is_shared { 0 } else { libc::FUTEX_PRIVATE_FLAG };
    // If nobody waits, nobody is woken.
    let _ = pass!(libc::SYS_futex, &raw const *word, libc::FUTEX_WAKE | private, n);
}

/// Returns the node's monotonic clock.
pub fn now(session: &Session) -> u64 {
    session.board.now_ns.load(SeqCst)
}

/// The most descriptors that are kept on the stack; more are copied to memory of their own.
const FEW: usize = 64;

/// Waits for descriptors, as `ppoll` does; returns how many of `polled` are ready, zero at the deadline.
///
/// `look` is called before each wait and whenever the stage has decided something. When it finds that the guest's
/// question is already answered, the wait is over.
pub fn on_fds(
    session: &'static Session,
    polled: &mut [pollfd],
    signals: Option<u64>,
    wait: Wait,
    look: &mut dyn FnMut(&mut [pollfd]),
) -> Result<usize> {
    look(polled);
    let ready = poll(polled, Some(0), signals)?;
    if ready > 0 || wait.deadline_ns <= now(session) {
        return Ok(ready);
    }
    let kicker = kicker(session)?;
    let mut few = [pollfd { fd: -1, events: 0, revents: 0 }; FEW + 1];
    let mut many = Scratch::new(if polled.len() > FEW { polled.len() + 1 } else { 0 })?;
    let all = if polled.len() > FEW { many.entries() } else { &mut few[..=polled.len()] };
    let Some(mut blocked) = Blocked::begin(session, wait) else { return Err(Errno(libc::ENOMEM)) };
    loop {
        all[..polled.len()].copy_from_slice(polled);
        all[polled.len()] = pollfd { fd: kicker, events: libc::POLLIN, revents: 0 };
        poll(all, None, signals)?;
        let mut n_ready = 0;
        for (guests, ours) in polled.iter_mut().zip(all.iter()) {
            guests.revents = ours.revents;
            n_ready += usize::from(ours.revents != 0);
        }
        if n_ready > 0 {
            if !blocked.take_turn() {
                return Ok(n_ready);
            }
            // Others ran before this thread's turn came: what is ready now counts.
            look(polled);
            let ready = poll(polled, Some(0), signals)?;
            if ready > 0 || wait.deadline_ns <= now(session) {
                return Ok(ready);
            }
            blocked.wait_again();
            continue;
        }
        let mut count = 0_u64;
        // If it was not kicked, there is nothing to read.
        let _ = pass!(libc::SYS_read, kicker, &raw mut count, size_of::<u64>());
        match blocked.wake_reason() {
            Wake::Expired | Wake::Impatient => return Ok(0),
            Wake::Look | Wake::Not => {
                blocked.slot.wake.store(Wake::Not.word(), SeqCst);
                look(polled);
            }
        }
    }
}

fn poll(polled: &mut [pollfd], timeout_s: Option<i64>, signals: Option<u64>) -> Result<usize> {
    let timeout = timeout_s.map(|tv_sec| libc::timespec { tv_sec, tv_nsec: 0 });
    let timeout = timeout.as_ref().map_or(core::ptr::null(), |timeout| &raw const *timeout);
    let signals = signals.as_ref().map_or(core::ptr::null(), |signals| &raw const *signals);
    pass!(libc::SYS_ppoll, polled.as_mut_ptr(), polled.len(), timeout, signals, size_of::<u64>())
}

/// Returns the descriptor that the stage makes readable to wake this thread; it is made when first needed.
fn kicker(session: &Session) -> Result<c_int> {
    if thread::kicker() >= 0 {
        return Ok(thread::kicker());
    }
    let (slot, _) = thread::slot(session).ok_or(Errno(libc::ENOMEM))?;
    let flags = libc::EFD_NONBLOCK | libc::EFD_CLOEXEC;
    let fd = move_out_of_the_way(pass!(libc::SYS_eventfd2, 0, flags)? as c_int)?;
    let mut buffer = [0; FRAME_BYTES_MAX];
    session.ask(&Request::Kicker { slot }, Some(fd), &mut buffer)?;
    fds::set_ours(fd);
    thread::set_kicker(fd);
    Ok(fd)
}

/// Whether reading would not wait, as the kernel says.
pub fn is_readable(fd: c_int) -> bool {
    let mut one = [pollfd { fd, events: libc::POLLIN, revents: 0 }];
    poll(&mut one, Some(0), None).is_ok_and(|n| n > 0)
}

/// Makes a call that may wait in the kernel, with the board saying so.
pub fn in_kernel(
    session: &'static Session,
    wait: Wait,
    call: impl FnOnce() -> Result<usize>,
) -> Result<usize> {
    let _blocked = Blocked::begin(session, wait);
    call()
}

/// Waits under virtual time for events on a descriptor that has a time-out of its own.
pub fn for_fd(session: &'static Session, fd: c_int, events: i16, wait: Wait) -> Result<()> {
    let mut one = [pollfd { fd, events, revents: 0 }];
    match on_fds(session, &mut one, None, wait, &mut |_| {})? {
        0 => Err(Errno::AGAIN),
        _ => Ok(()),
    }
}

/// Sets or clears `O_NONBLOCK` in the descriptor's flags, for the code that settles connections.
pub fn set_blocking(fd: c_int, is_blocking: bool) -> Result<()> {
    let flags = pass!(libc::SYS_fcntl, fd, libc::F_GETFL)? as c_int;
    let wanted = if is_blocking { flags & !libc::O_NONBLOCK } else { flags | libc::O_NONBLOCK };
    pass!(libc::SYS_fcntl, fd, libc::F_SETFL, wanted)?;
    Ok(())
}

/// Returns the time until which a descriptor waits on the node's clock; `None` if it does not wait. The time follows
/// from its time-out for receiving or sending, if the guest gave it one.
pub fn patience(session: &Session, fd: c_int, option: c_int) -> Option<u64> {
    if !kernel::is_blocking(fd) {
        return None;
    }
    let limit_ns = fds::timeout_ns(fd, option);
    Some(if limit_ns == 0 { wire::NEVER_NS } else { now(session).saturating_add(limit_ns) })
}
