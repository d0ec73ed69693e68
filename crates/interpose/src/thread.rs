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
    /// Number of times that it has looked at a clock since it last gave way.
    n_looks: Cell<u32>,
}

/// The number of looks at a clock after which a thread gives way: the clock stands still, so that one which looks until
/// some time has passed would look for ever.
const LOOKS_MAX: u32 = 50;

thread_local! {
    // It is constant and without a destructor, so that it can be used at any time, in signal handlers too.
    static ME: Me = const { Me { slot: Cell::new(0), kicker: Cell::new(-1), n_looks: Cell::new(0) } };
}

/// Number of threads of this process that got a number.
static N_SEEN: AtomicU32 = AtomicU32::new(0);

/// Takes the number of a thread that is about to be made. Its maker takes it, so that numbers do not depend on which of
/// several new threads is faster.
pub fn next_ordinal() -> u32 {
    N_SEEN.fetch_add(1, Relaxed)
}

/// Returns this thread's slot, which is taken at its first call; `None` when the board is full.
pub fn slot(session: &Session) -> Option<(u32, &'static Slot)> {
    let number = ME.with(|me| me.slot.get());
    if number != 0 {
        return session.board.slots.get(number as usize - 1).map(|slot| (number - 1, slot));
    }
    let (index, slot) = take_slot(session, next_ordinal())?;
    ME.with(|me| me.slot.set(index + 1));
    Some((index, slot))
}

/// Takes a slot for a new thread with the number that its maker took, and waits for its turn.
pub fn enter(session: &'static Session, ordinal: u32) {
    let Some((index, slot)) = take_slot(session, ordinal) else { return };
    ME.with(|me| me.slot.set(index + 1));
    if session.takes_turns() {
        give_way(session, slot);
    }
}

/// Lets other threads of the node run, if its threads take turns.
pub fn yield_turn(session: &'static Session) {
    if session.takes_turns()
        && let Some((_, slot)) = slot(session)
        && slot.state.load(Relaxed) == ThreadState::Running.word()
    {
        give_way(session, slot);
    }
}

/// Counts a look at a clock. A thread that looks often without waiting gives way, if the node's threads take turns.
pub fn note_look_at_clock(session: &'static Session) {
    if !session.takes_turns() {
        return;
    }
    let n_looks = ME.with(|me| me.n_looks.replace(me.n_looks.get() + 1));
    if n_looks >= LOOKS_MAX {
        yield_turn(session);
    }
}

/// Waits for the turn as a thread that runs.
fn give_way(session: &'static Session, slot: &'static Slot) {
    slot.call.store(Call::Unknown.word(), Relaxed);
    announce(session, slot, ThreadState::Ready);
    session.count_out();
    await_turn(slot);
    session.board.n_running.fetch_add(1, SeqCst);
    slot.state.store(ThreadState::Running.word(), SeqCst);
}

/// Says on the board that this thread waits for its turn.
fn announce(session: &Session, slot: &Slot, state: ThreadState) {
    ME.with(|me| me.n_looks.set(0));
    slot.turn.store(0, Relaxed);
    slot.state.store(state.word(), SeqCst);
    session.ring_if_none_runs();
}

/// Waits until the stage gives this thread the turn. Signals are handled, and the wait goes on.
fn await_turn(slot: &Slot) {
    while slot.turn.load(SeqCst) == 0 {
        // The thread was woken, or the word had changed: either way it looks again.
        let _ = crate::pass!(libc::SYS_futex, &raw const slot.turn, libc::FUTEX_WAIT, 0, 0);
    }
}

fn take_slot(session: &Session, ordinal: u32) -> Option<(u32, &'static Slot)> {
    let tid = kernel::tid();
    let is_taken = |slot: &&Slot| slot.tid.compare_exchange(0, tid, SeqCst, Relaxed).is_ok();
    let index = session.board.slots.iter().position(|slot| is_taken(&slot))?;
    let slot = &session.board.slots[index];
    slot.pid.store(kernel::pid(), Relaxed);
    slot.ordinal.store(ordinal, Relaxed);
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
    /// Whether the thread has waited for its turn since its wait ended.
    has_turn: bool,
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
        Some(Blocked { session, slot, before, has_turn: false })
    }

    /// Whether this thread must be given the turn before it runs again. A signal handler within a wait needs none.
    fn needs_turn(&self) -> bool {
        self.session.takes_turns() && self.before.state == ThreadState::Running.word()
    }

    /// Waits for the turn, because the wait is over; returns whether anything may have changed meanwhile.
    pub fn take_turn(&mut self) -> bool {
        if self.has_turn || !self.needs_turn() {
            return false;
        }
        announce(self.session, self.slot, ThreadState::Ready);
        await_turn(self.slot);
        self.has_turn = true;
        true
    }

    /// Goes back to waiting after a turn in which there was nothing to do.
    pub fn wait_again(&mut self) {
        if self.has_turn {
            self.has_turn = false;
            self.slot.wake.store(Wake::Not.word(), Relaxed);
            self.slot.state.store(ThreadState::Blocked.word(), SeqCst);
            self.session.ring_if_none_runs();
        }
    }

    /// Tries for a lock whenever it is this thread's turn, until `attempt` does not say that another has it.
    pub fn contend(&mut self, attempt: &dyn Fn() -> Option<c_int>) -> c_int {
        self.slot.n_tries.store(0, Relaxed);
        loop {
            announce(self.session, self.slot, ThreadState::Contending);
            await_turn(self.slot);
            if let Some(code) = attempt() {
                self.has_turn = true;
                return code;
            }
            self.slot.n_tries.fetch_add(1, SeqCst);
        }
    }

    /// Whether locks are tried for in turns, and not waited for in the kernel.
    pub fn contends(&self) -> bool {
        self.needs_turn()
    }

    /// Returns why the stage woke this thread, if it did.
    pub fn wake_reason(&self) -> Wake {
        fence(SeqCst);
        Wake::from_word(self.slot.wake.load(SeqCst)).unwrap_or(Wake::Look)
    }
}

impl Drop for Blocked {
    fn drop(&mut self) {
        self.take_turn();
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
