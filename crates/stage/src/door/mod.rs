//! The second door: a node whose programs are not entered by the library, because they do without libc, and whose
//! system calls are heard by the stage instead.
//!
//! The stage plays the part of the library here. A thread that makes a call stands still until it is answered, so that
//! what the library does within the program is done here, between two answers, by the stage's own thread: it keeps the
//! node's [`wire::Board`] and asks the [`Desk`] with the [`wire::Request`]s of the library. Above board and requests
//! nothing knows which door a node has.
//!
//! - A call that need not wait is answered at once, and its thread goes on: it keeps its turn.
//! - A call that waits is parked. At rest it is looked whether it still has to; one that has not is `Ready`, and carried
//!   out again when its turn comes. So threads always take turns behind this door.
//! - Descriptors are known by the inodes of their files, as the kernel shows them at each call. Nothing follows which
//!   descriptor is a copy of which.
//!
//! A node is given one processor (`sched_getaffinity`): its threads take turns, and so the runtime of Go, which asks for
//! the number, decides the same on every machine.
//!
//! A call that the filter does not name is the kernel's. *Signals* wait until the call that is heard is answered; a wait
//! that a signal must end is ended at rest.

mod connect;
mod datagram;
mod files;
mod filter;
mod futex;
mod image;
mod net;
mod park;
mod polling;
mod process;
mod start;
mod time;
mod timers;
mod visit;

use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;
use std::sync::atomic::Ordering::{Relaxed, SeqCst};

use base::{FxIndexMap, Id};
use wire::{NEVER_NS, Reply, Request, Slot, ThreadState, Wake};

use crate::control::Desk;
use crate::node::{Node, NodeId};
use crate::sys::guest::Clerk;
use crate::sys::{self, Listener, Notice, NoticeAnswer};

use connect::Attempt;
use image::{Code, FileId, Fresh};
use net::Socket;
use park::{Ended, Parked};
use visit::{Done, Outcome, Visit};

pub(crate) use start::{Program, obstacle, start};

/// An error as the kernel numbers it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Errno(pub i32);

impl From<io::Error> for Errno {
    fn from(error: io::Error) -> Errno {
        Errno(error.raw_os_error().unwrap_or(libc::EIO))
    }
}

/// A thread of the node.
pub(crate) struct Thread {
    pid: u32,
    /// Its place on the board.
    slot: u32,
    /// Number of random words that it was given.
    n_words: u64,
    /// Number of looks at a clock since it last waited.
    n_looks: u32,
    /// The same, turns that it gave away for them not counted as waits.
    n_looks_in_row: u32,
    /// How long it last waited because it did nothing but look at the clock; 0 if it has waited for something else since.
    spin_ns: u64,
    parked: Option<Parked>,
}

/// A process of the node.
struct Process {
    /// The process as a descriptor, from which others are borrowed.
    handle: OwnedFd,
    memory: File,
    /// Its number within the node.
    ordinal: u32,
    is_go: bool,
    /// Whether it may have become another program since it was last looked at.
    is_loading: bool,
    /// Number of threads that were given a number.
    n_threads: u32,
    /// The timer of `alarm` and `setitimer`.
    real_timer: Option<u32>,
    /// The timers of `timer_create`.
    timers: Vec<u32>,
}

/// The stage's side of a node with this door.
pub(crate) struct Door {
    node: NodeId,
    listener: Listener,
    processes: FxIndexMap<u32, Process>,
    threads: FxIndexMap<u32, Thread>,
    /// First calls of threads that are new; they are met at rest, in the order of their numbers.
    newcomers: Vec<Notice>,
    /// Threads that wait in the kernel until the process that they have made runs a program.
    lenders: FxIndexMap<u32, u32>,
    sockets: FxIndexMap<u64, Socket>,
    attempts: Vec<Attempt>,
    /// Timers with descriptors, by the kernel's numbers of these.
    timer_files: FxIndexMap<u64, u32>,
    clerk: Option<Clerk>,
    codes: FxIndexMap<FileId, Code>,
    /// Number of calls that were parked.
    n_parked: u64,
    n_refusals: u32,
    /// Whether a signal may have come for a thread whose call is parked.
    has_signals: bool,
    /// Whether the first program has begun.
    has_begun: bool,
    /// The reason why the node cannot be kept under control.
    pub fault: Option<String>,
}

impl Door {
    pub fn new(node: NodeId, listener: Listener) -> Door {
        Door {
            node,
            listener,
            processes: FxIndexMap::default(),
            threads: FxIndexMap::default(),
            newcomers: Vec::new(),
            lenders: FxIndexMap::default(),
            sockets: FxIndexMap::default(),
            attempts: Vec::new(),
            timer_files: FxIndexMap::default(),
            clerk: None,
            codes: FxIndexMap::default(),
            n_parked: 0,
            n_refusals: 0,
            has_signals: false,
            has_begun: false,
            fault: None,
        }
    }

    pub fn descriptor(&self) -> BorrowedFd<'_> {
        self.listener.descriptor().as_fd()
    }

    /// Answers all calls that wait; returns how many there were.
    pub fn serve(&mut self, desk: &mut Desk<'_>) -> io::Result<usize> {
        let mut n = 0;
        while let Some(notice) = self.listener.receive()? {
            desk.nodes[self.node].is_settled = false;
            n += 1;
            self.hear(notice, desk);
        }
        Ok(n)
    }

    fn hear(&mut self, notice: Notice, desk: &mut Desk<'_>) {
        // The call that loads the first program comes from our own code.
        if !self.has_begun {
            self.has_begun = true;
            return self.listener.answer(&notice, NoticeAnswer::Continue);
        }
        self.lenders.shift_remove(&notice.tid);
        let Some(pid) = process_of(notice.tid) else { return };
        let is_loading = self.processes.get(&pid).is_none_or(|process| process.is_loading);
        let is_first = self.processes.is_empty();
        let borrows = !self.processes.contains_key(&pid) && self.is_borrower(pid);
        let is_met = is_first || borrows || is_loading && self.processes.contains_key(&pid);
        if is_met && let Err(error) = self.meet_program(pid, notice.tid, desk) {
            // A process that was killed meanwhile is no trouble.
            if self.listener.is_valid(&notice) {
                self.fault = Some(format!("its memory cannot be reached: {error}"));
            }
            return;
        }
        if self.threads.contains_key(&notice.tid) {
            self.attempt(notice, None, desk);
        } else {
            self.newcomers.push(notice);
            desk.nodes[self.node].parked.insert(notice.tid);
        }
    }

    /// Whether a process was made by a thread that waits until it runs a program.
    fn is_borrower(&self, pid: u32) -> bool {
        parent_of(pid).is_some_and(|parent| self.lenders.values().any(|lender| *lender == parent))
    }

    /// Meets a process that the stage does not know yet, or the program that a process has become, in the only thread
    /// that it has.
    fn meet_program(&mut self, pid: u32, tid: u32, desk: &mut Desk<'_>) -> io::Result<()> {
        let memory = File::options().read(true).write(true).open(format!("/proc/{pid}/mem"))?;
        let fresh = Fresh::new(pid, &memory)?;
        let is_new = fresh.replace_clocks()?;
        if let Some(process) = self.processes.get_mut(&pid) {
            process.is_loading = false;
            if !is_new {
                // It could not be loaded, and the old one goes on.
                return Ok(());
            }
        }
        let lender = (!is_new).then(|| parent_of(pid)).flatten();
        let code = match lender.and_then(|lender| self.processes.get(&lender)) {
            Some(lender) => Code { is_go: lender.is_go, ..Code::default() },
            None => self.code_of(pid)?,
        };
        let ordinal = self.greet(pid, desk);
        desk.nodes[self.node].has_own_timers |= code.is_go;
        if is_new {
            let seed = desk.nodes[self.node].board.seed.load(Relaxed);
            let word = |n: u64| crate::turns::mix(seed ^ crate::turns::mix(u64::from(ordinal) << 8 | n));
            fresh.replace_randomness([word(1), word(2)])?;
            if code.is_go && !fresh.replace_counter(&code, word(3) as u32)? {
                let text = "the processor's counter, which seeds its scheduler, is the machine's";
                desk.note(self.node, "code", &format!("a Go program of another kind: {text}"), false);
            }
        }
        let gone = self.threads.extract_if(.., |_, thread| thread.pid == pid).map(|(tid, _)| tid);
        let gone: Vec<u32> = gone.collect();
        desk.nodes[self.node].parked.retain(|tid| !gone.contains(tid));
        let handle = sys::open_process(pid)?;
        self.processes.insert(
            pid,
            Process {
                handle,
                memory,
                ordinal,
                is_go: code.is_go,
                is_loading: false,
                n_threads: 0,
                real_timer: None,
                timers: Vec::new(),
            },
        );
        self.add_thread(pid, tid, desk);
        Ok(())
    }

    /// Says hello for a process, and returns its number within the node.
    fn greet(&self, pid: u32, desk: &mut Desk<'_>) -> u32 {
        let (version, node, parent) = (wire::VERSION, self.node.index() as u32, parent_of(pid).unwrap_or(0));
        let hello = Request::Hello { version, node, pid, parent, image: b"" };
        match desk.answer_hello(&hello) {
            Some((_, Reply::Welcome { ordinal })) => ordinal,
            Some(_) | None => 0,
        }
    }

    fn code_of(&mut self, pid: u32) -> io::Result<Code> {
        let path = format!("/proc/{pid}/exe");
        let id = image::file_id(Path::new(&path))?;
        if let Some(known) = self.codes.get(&id) {
            return Ok(known.clone());
        }
        let code = Code::of_bytes(&fs::read(&path)?);
        self.codes.insert(id, code.clone());
        Ok(code)
    }

    /// Takes a place on the board for a thread.
    fn add_thread(&mut self, pid: u32, tid: u32, desk: &mut Desk<'_>) {
        let board = &desk.nodes[self.node].board;
        let Some(index) = board.slots.iter().position(|slot| slot.tid.load(SeqCst) == 0) else {
            self.fault = Some("it has more threads than the board has room for".to_owned());
            return;
        };
        let slot = &board.slots[index];
        slot.pid.store(pid, Relaxed);
        slot.tid.store(tid, SeqCst);
        let ordinal = self.processes.get_mut(&pid).map_or(0, |process| {
            process.n_threads += 1;
            process.n_threads - 1
        });
        slot.ordinal.store(ordinal, Relaxed);
        slot.deadline_ns.store(NEVER_NS, Relaxed);
        slot.patience_ns.store(NEVER_NS, Relaxed);
        slot.wake.store(Wake::Not.word(), Relaxed);
        slot.turn.store(0, Relaxed);
        board.n_slots.fetch_max(index as u32 + 1, SeqCst);
        board.n_running.fetch_add(1, SeqCst);
        slot.state.store(ThreadState::Running.word(), SeqCst);
        self.threads.insert(
            tid,
            Thread {
                pid,
                slot: index as u32,
                n_words: 0,
                n_looks: 0,
                n_looks_in_row: 0,
                spin_ns: 0,
                parked: None,
            },
        );
    }

    /// Returns the place of a thread; none if it was given to another one, because the thread has ended.
    fn slot<'n>(&self, tid: u32, node: &'n Node) -> Option<&'n Slot> {
        let slot = node.board.slots.get(self.threads.get(&tid)?.slot as usize);
        slot.filter(|slot| slot.tid.load(SeqCst) == tid)
    }

    /// Makes a call of a known thread, for the first time or again after it has waited.
    fn attempt(&mut self, notice: Notice, before: Option<(u64, Option<Ended>)>, desk: &mut Desk<'_>) {
        let Some(pid) = self.threads.get(&notice.tid).map(|thread| thread.pid) else { return };
        let outcome = Visit::new(self, desk, notice, pid, before).call();
        // What was read of the memory of a thread that is gone says nothing.
        if self.listener.is_valid(&notice) {
            self.conclude(notice, outcome, desk);
        }
    }

    fn conclude(&mut self, notice: Notice, outcome: Outcome, desk: &mut Desk<'_>) {
        let answer = match outcome {
            Ok(Done::Value(value)) => NoticeAnswer::Value(value),
            Ok(Done::Continue) => NoticeAnswer::Continue,
            Ok(Done::Descriptor(descriptor, closes_on_exec)) => {
                match self.listener.answer_descriptor(&notice, &descriptor, closes_on_exec) {
                    Ok(()) => return,
                    Err(errno) => NoticeAnswer::Error(errno),
                }
            }
            Ok(Done::Wait(wait)) => return self.park(notice, wait, desk),
            Err(Errno(errno)) => NoticeAnswer::Error(errno),
        };
        self.listener.answer(&notice, answer);
    }
}

/// Returns a field of the kernel's description of a thread.
fn status_field(tid: u32, name: &str) -> Option<String> {
    let status = fs::read_to_string(format!("/proc/{tid}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix(name)).map(|value| value.trim().to_owned())
}

/// Returns the process of a thread.
fn process_of(tid: u32) -> Option<u32> {
    status_field(tid, "Tgid:")?.parse().ok()
}

fn parent_of(pid: u32) -> Option<u32> {
    status_field(pid, "PPid:")?.parse().ok()
}
