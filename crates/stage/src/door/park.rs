//! Calls that wait: what each waits for, and how its wait ends.

use std::os::fd::OwnedFd;
use std::sync::atomic::Ordering::{Relaxed, SeqCst};

use base::FxIndexSet;
use wire::{Call, NEVER_NS, Outcome as Decision, Purpose, Request, ThreadState, Wake};

use super::futex::Waiting;
use super::visit::{Done, Outcome};
use super::{Door, Errno, parent_of, process_of, status_field};
use crate::control::Desk;
use crate::idle;
use crate::sys::{Notice, guest};

/// The error with which the kernel makes a call again after a signal's handler has run, if the handler was set so.
pub(super) const RESTART: i32 = 512;

/// A thing that a call waits for.
pub(super) enum Until {
    Time,
    /// The clock has moved; then the call is made.
    Moment,
    /// Somebody wakes those that wait on a word of memory.
    Word(Waiting),
    /// One of these descriptors is ready.
    Ready(Vec<(OwnedFd, i16)>),
    /// A child of the process has ended.
    Child,
    /// Calls on files that are held go on; then the call has this result, or is made.
    Gate(u32, Option<i64>),
    /// An attempt to connect is decided, by its link.
    Decided(u32),
    /// One of these signals has come.
    Signals(u64),
    /// Only the thread's turn: then the call has this result, or is made.
    Turn(Option<i64>),
}

/// A wait of a call.
pub(super) struct Wait {
    pub call: Call,
    pub deadline_ns: u64,
    pub until: Until,
    pub purpose: Purpose,
    /// The error with which a signal ends it.
    pub on_signal: i32,
}

impl Wait {
    /// Waits for the thread's turn; then the call has this result, or is made.
    pub fn turn(result: Option<i64>) -> Wait {
        Wait::new(Call::Unknown, NEVER_NS, Until::Turn(result))
    }

    pub fn new(call: Call, deadline_ns: u64, until: Until) -> Wait {
        Wait { call, deadline_ns, until, purpose: Purpose::Program, on_signal: libc::EINTR }
    }
}

/// How a wait has ended.
pub(super) enum Ended {
    Expired,
    /// There is nothing more to do than to give this answer.
    Answered(Outcome),
}

/// A call that waits.
pub(super) struct Parked {
    pub notice: Notice,
    pub wait: Wait,
    pub ended: Option<Ended>,
    /// Its number among all that were parked.
    pub number: u64,
}

impl Door {
    /// Lets a call wait.
    pub(super) fn park(&mut self, notice: Notice, wait: Wait, desk: &mut Desk<'_>) {
        let node = &mut desk.nodes[self.node];
        let Some(slot) = self.slot(notice.tid, node) else { return };
        slot.wake.store(Wake::Not.word(), Relaxed);
        slot.turn.store(0, Relaxed);
        slot.call.store(wait.call.word(), Relaxed);
        slot.deadline_ns.store(wait.deadline_ns, Relaxed);
        slot.begun_ns.store(node.board.now_ns.load(Relaxed), Relaxed);
        slot.purpose.store(wait.purpose.word(), Relaxed);
        let state =
            if matches!(wait.until, Until::Turn(_)) { ThreadState::Ready } else { ThreadState::Blocked };
        if slot.state.swap(state.word(), SeqCst) == ThreadState::Running.word() {
            node.board.n_running.fetch_sub(1, SeqCst);
        }
        node.parked.insert(notice.tid);
        self.n_parked += 1;
        let number = self.n_parked;
        if let Some(thread) = self.threads.get_mut(&notice.tid) {
            thread.n_looks = 0;
            match wait.until {
                Until::Turn(_) => {}
                Until::Moment => thread.n_looks_in_row = 0,
                Until::Time
                | Until::Word(_)
                | Until::Ready(_)
                | Until::Child
                | Until::Gate(..)
                | Until::Decided(_)
                | Until::Signals(_) => (thread.n_looks_in_row, thread.spin_ns) = (0, 0),
            }
            thread.parked = Some(Parked { notice, wait, ended: None, number });
        }
    }

    /// Ends the wait of a thread, which then waits for its turn.
    pub(super) fn end_wait(&mut self, tid: u32, ended: Option<Ended>, desk: &mut Desk<'_>) {
        let node = &mut desk.nodes[self.node];
        let Some(slot) = self.slot(tid, node) else { return };
        slot.wake.store(Wake::Not.word(), SeqCst);
        slot.turn.store(0, SeqCst);
        slot.state.store(ThreadState::Ready.word(), SeqCst);
        node.is_settled = false;
        if let Some(parked) = self.threads.get_mut(&tid).and_then(|thread| thread.parked.as_mut()) {
            parked.ended = ended;
        }
    }

    /// Carries out what the stage has written on the board: ends waits whose time has come, and makes the call of the
    /// thread whose turn it is. Returns how many there were.
    pub fn obey(&mut self, desk: &mut Desk<'_>) -> usize {
        let mut n = self.settle_attempts(desk);
        let tids: Vec<u32> = self.threads.keys().copied().collect();
        for tid in tids {
            let Some(slot) = self.slot(tid, &desk.nodes[self.node]) else { continue };
            let (state, wake, turn) =
                (slot.state.load(SeqCst), slot.wake.load(SeqCst), slot.turn.load(SeqCst));
            match (ThreadState::from_word(state), Wake::from_word(wake)) {
                (Some(ThreadState::Blocked), Some(Wake::Expired | Wake::Impatient)) => {
                    self.expire(tid, desk);
                    n += 1;
                }
                (Some(ThreadState::Blocked), Some(Wake::Look)) => {
                    slot.wake.store(Wake::Not.word(), SeqCst);
                    // It may have asked about a connection that was hidden from it, and asks again.
                    let call = Call::from_word(slot.call.load(SeqCst));
                    if matches!(call, Some(Call::Poll | Call::Select)) {
                        self.end_wait(tid, None, desk);
                    }
                    n += 1;
                }
                (Some(ThreadState::Ready), _) if turn != 0 => {
                    self.take_turn(tid, desk);
                    n += 1;
                }
                _ => {}
            }
        }
        n
    }

    fn expire(&mut self, tid: u32, desk: &mut Desk<'_>) {
        let parked = self.threads.get(&tid).and_then(|thread| thread.parked.as_ref());
        let ended = match parked.map(|parked| &parked.wait.until) {
            Some(Until::Time) => Ended::Answered(Ok(Done::Value(0))),
            Some(Until::Word(_)) => Ended::Answered(Err(Errno(libc::ETIMEDOUT))),
            Some(_) | None => Ended::Expired,
        };
        self.end_wait(tid, Some(ended), desk);
    }

    fn take_turn(&mut self, tid: u32, desk: &mut Desk<'_>) {
        let node = &mut desk.nodes[self.node];
        let Some(slot) = self.slot(tid, node) else { return };
        slot.turn.store(0, SeqCst);
        slot.deadline_ns.store(NEVER_NS, Relaxed);
        slot.state.store(ThreadState::Running.word(), SeqCst);
        node.board.n_running.fetch_add(1, SeqCst);
        node.parked.shift_remove(&tid);
        node.is_settled = false;
        let Some(parked) = self.threads.get_mut(&tid).and_then(|thread| thread.parked.take()) else { return };
        let Parked { notice, wait, ended, .. } = parked;
        match (ended, wait.until) {
            (Some(Ended::Answered(outcome)), _) => self.conclude(notice, outcome, desk),
            (_, Until::Turn(Some(result)) | Until::Gate(_, Some(result))) => {
                self.conclude(notice, Ok(Done::Value(result)), desk)
            }
            (_, Until::Turn(None)) => self.attempt(notice, None, desk),
            (ended, _) => self.attempt(notice, Some((wait.deadline_ns, ended)), desk),
        }
    }

    /// Looks, while no thread of the node runs, which waits are over; their threads wait for their turns then.
    pub fn look(&mut self, desk: &mut Desk<'_>) {
        self.meet_newcomers(desk);
        self.forget_the_dead(desk);
        self.show_refusals(desk);
        let waiting: Vec<u32> = self.waiting(desk).collect();
        let asks_signals = self.has_signals || desk.nodes[self.node].alarms.n_places() > 0;
        self.has_signals = false;
        let mut interrupted = FxIndexSet::default();
        for tid in waiting {
            if self.is_over(tid, desk) {
                self.end_wait(tid, None, desk);
            } else if asks_signals && let Some(errno) = self.find_signal(tid, &mut interrupted) {
                self.end_wait(tid, Some(Ended::Answered(Err(Errno(errno)))), desk);
            }
        }
    }

    /// Returns the threads whose calls wait, in the order of their numbers.
    fn waiting(&self, desk: &Desk<'_>) -> impl Iterator<Item = u32> {
        let node = &desk.nodes[self.node];
        let is_waiting = |tid: &&u32| {
            let state = self.slot(**tid, node).map(|slot| slot.state.load(SeqCst));
            state == Some(ThreadState::Blocked.word())
        };
        let found: Vec<u32> = self.threads.keys().filter(is_waiting).copied().collect();
        found.into_iter()
    }

    fn is_over(&self, tid: u32, desk: &Desk<'_>) -> bool {
        let node = &desk.nodes[self.node];
        let Some(thread) = self.threads.get(&tid) else { return false };
        match thread.parked.as_ref().map(|parked| &parked.wait.until) {
            Some(Until::Ready(asked)) => {
                let asked: Vec<_> = asked.iter().map(|(fd, events)| (fd, *events)).collect();
                guest::poll(&asked).iter().any(|ready| *ready != 0)
            }
            Some(Until::Child) => has_dead_child(thread.pid),
            Some(Until::Gate(word, _)) => node.board.file_gate.load(SeqCst) != *word,
            Some(Until::Decided(link)) => {
                let link = node.board.links.get(*link as usize);
                link.is_none_or(|link| link.outcome.load(SeqCst) != Decision::Pending.word())
            }
            Some(Until::Signals(wanted)) => pending(tid).is_some_and(|signals| signals & wanted != 0),
            Some(Until::Time | Until::Moment | Until::Word(_) | Until::Turn(_)) | None => false,
        }
    }

    /// Returns the error with which a signal ends a thread's wait. A signal of a process goes to one thread.
    fn find_signal(&self, tid: u32, interrupted: &mut FxIndexSet<u32>) -> Option<i32> {
        let thread = self.threads.get(&tid)?;
        let mask = |name: &str| u64::from_str_radix(&status_field(tid, name)?, 16).ok();
        let handled = mask("SigCgt:")? & !mask("SigBlk:")?;
        let is_own = mask("SigPnd:")? & handled != 0;
        let is_shared = mask("ShdPnd:")? & handled != 0 && interrupted.insert(thread.pid);
        let on_signal = thread.parked.as_ref()?.wait.on_signal;
        (is_own || is_shared).then_some(on_signal)
    }

    /// Meets the threads that are new, in the order in which they were made.
    fn meet_newcomers(&mut self, desk: &mut Desk<'_>) {
        let mut newcomers = std::mem::take(&mut self.newcomers);
        newcomers.sort_by_key(|notice| notice.tid);
        for notice in newcomers {
            desk.nodes[self.node].parked.shift_remove(&notice.tid);
            let Some(pid) = process_of(notice.tid) else { continue };
            if !self.processes.contains_key(&pid) {
                // The stage knows this node, so it does not refuse.
                let _ = desk.answer((self.node, pid), &Request::Forked { child: pid }, None);
                // A process that is gone already needs no answer.
                if self.meet_program(pid, notice.tid, desk).is_err() {
                    continue;
                }
            } else {
                self.add_thread(pid, notice.tid, desk);
            }
            self.park(notice, Wait::turn(None), desk);
        }
    }

    /// Forgets threads and processes that have ended. Those that wait for a word that an ending thread has changed are
    /// woken, as by the kernel.
    fn forget_the_dead(&mut self, desk: &mut Desk<'_>) {
        let pids: Vec<u32> = self.processes.keys().copied().collect();
        for pid in pids {
            let alive = idle::tasks(pid).unwrap_or_default();
            let is_over = alive.is_empty() || is_zombie(pid);
            let is_dead = |tid: &u32, thread: &mut super::Thread| {
                thread.pid == pid && (is_over || !alive.contains(tid))
            };
            let dead: Vec<u32> = self.threads.extract_if(.., is_dead).map(|(tid, _)| tid).collect();
            desk.nodes[self.node].parked.retain(|tid| !dead.contains(tid));
            if !dead.is_empty() {
                self.look_at_words(pid, desk);
            }
            if is_over {
                self.processes.shift_remove(&pid);
                self.has_signals = true;
            }
        }
    }
}

/// Whether a process has ended and its parent has not been told.
fn is_zombie(pid: u32) -> bool {
    status_field(pid, "State:").is_none_or(|state| state.starts_with(['Z', 'X']))
}

/// Whether a child of a process has ended, or there is none.
pub(super) fn has_dead_child(pid: u32) -> bool {
    let children = idle::unknown_children(pid, &[]);
    children.is_empty() || children.iter().any(|child| parent_of(*child) == Some(pid) && is_zombie(*child))
}

/// Returns the signals that wait for a thread.
pub(super) fn pending(tid: u32) -> Option<u64> {
    let mask = |name: &str| u64::from_str_radix(&status_field(tid, name)?, 16).ok();
    Some(mask("SigPnd:")? | mask("ShdPnd:")?)
}
