//! The current thread: its slot on the board, and what it writes there when it blocks.

use core::cell::Cell;
use core::sync::atomic::Ordering::{Relaxed, SeqCst};
use core::sync::atomic::{AtomicU32, fence};

use libc::c_int;
use wire::{Call, NEVER_NS, Slot, ThreadState, Wake};

use crate::kernel;
use crate::session::Session;

struct Me {
    /// The number of the slot plus one; zero before the first call.
    slot: Cell<u32>,
    /// The descriptor that the stage makes readable to wake this thread; -1 before the first poll.
    kicker: Cell<c_int>,
}

thread_local! {
    // It is constant and without a destructor, so that it can be used at any time, in signal handlers too.
    static ME: Me = const { Me { slot: Cell::new(0), kicker: Cell::new(-1) } };
}

/// Number of threads of this process that got a slot.
static N_SEEN: AtomicU32 = AtomicU32::new(0);

/// Returns this thread's slot, which is taken at its first call; `None` when the board is full.
pub fn slot(session: &Session) -> Option<(u32, &'static Slot)> {
    let number = ME.with(|me| me.slot.get());
    if number != 0 {
        return session.board.slots.get(number as usize - 1).map(|slot| (number - 1, slot));
    }
    let (index, slot) = take_slot(session)?;
    ME.with(|me| me.slot.set(index + 1));
    Some((index, slot))
}

fn take_slot(session: &Session) -> Option<(u32, &'static Slot)> {
    let tid = kernel::tid();
    let is_taken = |slot: &&Slot| slot.tid.compare_exchange(0, tid, SeqCst, Relaxed).is_ok();
    let index = session.board.slots.iter().position(|slot| is_taken(&slot))?;
    let slot = &session.board.slots[index];
    slot.pid.store(kernel::pid(), Relaxed);
    slot.ordinal.store(N_SEEN.fetch_add(1, Relaxed), Relaxed);
    slot.deadline_ns.store(NEVER_NS, Relaxed);
    slot.patience_ns.store(NEVER_NS, Relaxed);
    slot.wake.store(Wake::Not.word(), Relaxed);
    slot.state.store(ThreadState::Running.word(), SeqCst);
    session.board.n_running.fetch_add(1, SeqCst);
    session.board.n_slots.fetch_max(index as u32 + 1, SeqCst);
    Some((index as u32, slot))
}

/// Returns the number of this thread within the process. It is the same in every run of a program that starts its
/// threads in order.
pub fn ordinal(session: &Session) -> u32 {
    slot(session).map_or(0, |(_, slot)| slot.ordinal.load(Relaxed))
}

/// Gives the slot back, because the thread ends or becomes another one.
pub fn leave(session: &Session) {
    let Some((_, slot)) = slot(session) else { return };
    slot.state.store(ThreadState::Free.word(), SeqCst);
    slot.tid.store(0, SeqCst);
    forget();
    session.count_out();
}

/// Forgets the slot of a thread that is in a new process.
pub fn forget() {
    ME.with(|me| {
        me.slot.set(0);
        me.kicker.set(-1);
    });
}

/// Restarts the numbering of threads in a child process.
pub fn start_numbering() {
    N_SEEN.store(0, Relaxed);
}

pub fn kicker() -> c_int {
    ME.with(|me| me.kicker.get())
}

pub fn set_kicker(fd: c_int) {
    ME.with(|me| me.kicker.set(fd));
}

/// A wait of a thread.
#[derive(Clone, Copy)]
pub struct Wait {
    pub call: Call,
    /// The deadline on the node's monotonic clock.
    pub deadline_ns: u64,
    /// For a wait between threads, its length in real time while others run.
    pub patience_ns: u64,
}

impl Wait {
    /// Creates a wait without a deadline.
    pub fn forever(call: Call) -> Wait {
        Wait { call, deadline_ns: NEVER_NS, patience_ns: NEVER_NS }
    }

    pub fn until(call: Call, deadline_ns: u64) -> Wait {
        Wait { call, deadline_ns, patience_ns: NEVER_NS }
    }
}

/// The previous content of a thread's slot.
struct SlotContent {
    state: u32,
    call: u32,
    deadline_ns: u64,
    begun_ns: u64,
    patience_ns: u64,
}

/// A guard: the board says that this thread is blocked until it is dropped.
///
/// A signal handler may run in between and block in turn; afterwards the board's previous content is restored.
#[must_use]
pub struct Blocked {
    session: &'static Session,
    pub slot: &'static Slot,
    before: SlotContent,
}

impl Blocked {
    /// Begins a wait; `None` when there is no slot for this thread.
    pub fn begin(session: &'static Session, wait: Wait) -> Option<Blocked> {
        let (_, slot) = slot(session)?;
        let before = SlotContent {
            state: slot.state.load(Relaxed),
            call: slot.call.load(Relaxed),
            deadline_ns: slot.deadline_ns.load(Relaxed),
            begun_ns: slot.begun_ns.load(Relaxed),
            patience_ns: slot.patience_ns.load(Relaxed),
        };
        slot.wake.store(Wake::Not.word(), Relaxed);
        slot.call.store(wait.call.word(), Relaxed);
        slot.deadline_ns.store(wait.deadline_ns, Relaxed);
        slot.begun_ns.store(session.board.now_ns.load(Relaxed), Relaxed);
        slot.patience_ns.store(wait.patience_ns, Relaxed);
        slot.state.store(ThreadState::Blocked.word(), SeqCst);
        if before.state != ThreadState::Blocked.word() {
            session.count_out();
        }
        Some(Blocked { session, slot, before })
    }

    /// Returns why the stage woke this thread, if it did.
    pub fn wake_reason(&self) -> Wake {
        fence(SeqCst);
        Wake::from_word(self.slot.wake.load(SeqCst)).unwrap_or(Wake::Look)
    }
}

impl Drop for Blocked {
    fn drop(&mut self) {
        let SlotContent { state, call, deadline_ns, begun_ns, patience_ns } = self.before;
        if state != ThreadState::Blocked.word() {
            self.session.board.n_running.fetch_add(1, SeqCst);
        }
        self.slot.state.store(state, SeqCst);
        self.slot.call.store(call, Relaxed);
        self.slot.deadline_ns.store(deadline_ns, Relaxed);
        self.slot.begun_ns.store(begun_ns, Relaxed);
        self.slot.patience_ns.store(patience_ns, Relaxed);
    }
}
