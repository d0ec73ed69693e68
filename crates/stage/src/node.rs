//! A node: one program of the system under test, with the processes that it makes.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::Ordering::SeqCst;

use base::{FxIndexMap, FxIndexSet, define_id};
use wire::{Call, FileCall, NEVER_NS, Outcome, Purpose, Reply, Slot, ThreadState, Verdict, Wake};

use crate::alarms::{Alarm, Alarms};
use crate::disk::Disk;
use crate::idle::{Snapshot, Threads};
use crate::images::CodeWatch;
use crate::library::Library;
use crate::mark::Mark;
use crate::stage::agent_port;
use crate::sys::{self, BoardFile, Exit, Launch, Listener};
use crate::traps::{FileStep, Trap, Traps};
use crate::turns::{Candidate, Turns};
use crate::{Folder, door, idle};

define_id! {
    /// A node of a stage.
    NodeId
}

/// The settings with which a node is started.
#[derive(Clone, Debug)]
pub struct NodeSpec {
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The folder in which it runs.
    pub folder: PathBuf,
    pub environment: Vec<(String, String)>,
    /// Whether to remember what it syncs, so that the rest can be lost.
    pub tracks_files: bool,
    /// Names of threads that belong to the runtime; their deadlines are never chosen.
    pub runtime_threads: Vec<String>,
    /// Whether only one of its threads runs at a time.
    pub takes_turns: bool,
    /// Whether the debugger's interface of its Java machine is switched on, so that threads can be held in the code.
    pub has_agent: bool,
    /// The door through which it is entered; without it, that which fits its program.
    pub door: Option<DoorKind>,
}

/// The way in which a node's programs are kept under control.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DoorKind {
    /// A library is loaded into them, which stands in for functions of libc.
    Library,
    /// Their system calls are heard by the stage.
    Syscalls,
}

/// Whether a node runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodeState {
    NotStarted,
    Running,
    /// It ended by itself.
    Ended(Exit),
    /// The stage killed it.
    Crashed,
}

/// A description of a thread, for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThreadReport {
    pub pid: u32,
    pub tid: u32,
    pub name: String,
    /// The kernel's letter for its state.
    pub state: char,
    /// The call that it waits in, if the library knows.
    pub call: Option<Call>,
    pub deadline_ns: Option<u64>,
}

/// A thread or a timer whose deadline has passed.
enum Due {
    Thread(u32),
    Timer(usize),
}

/// A thread that is held at a call on a file.
struct HeldCall {
    tid: u32,
    /// Its name, as far as the kernel keeps it.
    thread: String,
    /// The point at which it is held, if that has a name.
    point: Option<String>,
}

/// The things that all nodes of a stage share.
pub(crate) struct NodeSurroundings<'s> {
    pub folder: &'s Folder,
    pub library: &'s Library,
    pub search_path: &'s OsStr,
}

// Over 20 fields: a node is all that a program owns: its processes, files, clock and settings.
pub(crate) struct Node {
    pub spec: NodeSpec,
    pub state: NodeState,
    /// The mark that its processes have, once it was started.
    mark: Option<Mark>,
    pub board: BoardFile,
    /// Processes that run, in the order in which the stage learned of them.
    pub pids: Vec<u32>,
    /// Number of processes that said hello since they last became another program.
    pub n_hellos: u32,
    pub has_said_hello: bool,
    /// The eventfds that wake polling threads, by slot.
    pub kickers: FxIndexMap<u32, OwnedFd>,
    /// The record of which files are durable, if that is remembered.
    pub disk: Option<Disk>,
    /// Files of its folder that it has mapped into memory.
    pub mapped: FxIndexSet<PathBuf>,
    /// Calls on files at which it is held or ends.
    pub traps: Traps,
    held_calls: Vec<HeldCall>,
    /// Whether it has reached a call at which it ends, and must not run any more.
    pub is_doomed: bool,
    /// Number of connections that it has asked for.
    pub n_asked: u64,
    /// Number of links of the board that were ever taken.
    pub n_links: u32,
    /// Links among the first `n_links` that are free again.
    pub free_links: Vec<u32>,
    /// The ways in which the timers of the board show that they have gone off.
    pub alarms: Alarms,
    /// The next port for sockets that do not ask for one.
    pub next_port: u16,
    pub threads: Threads,
    /// Whether it is known to have been idle since the last time anything was done to it.
    pub is_settled: bool,
    /// Whose turn it is, if its threads take turns.
    turns: Turns,
    /// The processor time of each running thread when the last turn was given.
    turn_cpu_ns: FxIndexMap<u32, u64>,
    /// Threads that were passed over and have not waited since.
    spinning: FxIndexSet<u32>,
    /// Number of times that it has come to rest.
    pub n_rests: u64,
    pub n_starts: u32,
    /// Number of short waits of the runtime's own threads that were ended since the last event.
    pub n_brief: u32,
    /// The files with code that were looked at, and at which rest.
    pub code_watch: CodeWatch,
    pub looked_at_rest: u64,
    /// The door through which it was entered when it last started.
    pub entered_by: DoorKind,
    /// Whether a program of it, one in Go, has one wait for all its timers.
    pub has_own_timers: bool,
    /// Threads whose system calls wait for an answer of the stage.
    pub parked: FxIndexSet<u32>,
    /// Inodes of sockets of the machine that were reported.
    pub strays: FxIndexSet<u64>,
    /// If it ended by itself, the position of this ending among all such endings since the stage was opened.
    pub ending: Option<u64>,
}

/// A stream that a node writes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stream {
    Output,
    Errors,
}

impl Stream {
    const ALL: [Stream; 2] = [Stream::Output, Stream::Errors];

    /// Returns the file in the stage's folder that has the node's output on this stream.
    pub(crate) fn file(self, folder: &Folder, node: &str) -> PathBuf {
        let ending = match self {
            Stream::Output => "out",
            Stream::Errors => "err",
        };
        folder.path().join(format!("{node}.{ending}"))
    }
}

/// The beginning of the names of the threads of a machine's debugger's interface.
const AGENT_THREADS: &str = "JDWP ";

/// The longest wait of a runtime's own thread that ends by itself. A virtual machine that is about to end, or to stop
/// its threads, waits for them in such short steps.
const BRIEF_NS: u64 = 10_000_000;
/// The most short waits that are ended between two events. A thread that goes on beyond this is left to wait.
const BRIEF_MAX: u32 = 200;

/// The processor time that a thread may use in one turn before others run beside it.
const TURN_CPU_NS: u64 = 2_000_000_000;

/// The most that is kept of a node's output. When there is more, all that was written so far is dropped.
const OUTPUT_BYTES_MAX: u64 = 64 << 20;

/// The first port that is given to sockets which ask for none. Each node has a range of its own, so that no port is
/// given twice.
const FIRST_PORT: u16 = 40000;
pub(crate) const PORTS_PER_NODE: u16 = 500;

impl Node {
    pub fn new(index: usize, mut spec: NodeSpec, board: BoardFile, seed: u64) -> Node {
        if spec.has_agent {
            spec.runtime_threads.push(AGENT_THREADS.to_owned());
        }
        let first = u16::try_from(index).unwrap_or(0) % 50 * PORTS_PER_NODE + FIRST_PORT;
        Node {
            spec,
            state: NodeState::NotStarted,
            mark: None,
            board,
            pids: Vec::new(),
            n_hellos: 0,
            has_said_hello: false,
            kickers: FxIndexMap::default(),
            disk: None,
            mapped: FxIndexSet::default(),
            traps: Traps::default(),
            held_calls: Vec::new(),
            is_doomed: false,
            n_asked: 0,
            n_links: 1,
            free_links: Vec::new(),
            alarms: Alarms::default(),
            next_port: first,
            threads: Threads::default(),
            is_settled: true,
            turns: Turns::new(seed),
            turn_cpu_ns: FxIndexMap::default(),
            spinning: FxIndexSet::default(),
            n_rests: 0,
            n_starts: 0,
            n_brief: 0,
            code_watch: CodeWatch::default(),
            looked_at_rest: 0,
            entered_by: DoorKind::Library,
            has_own_timers: false,
            parked: FxIndexSet::default(),
            strays: FxIndexSet::default(),
            ending: None,
        }
    }

    /// Starts the program, with its output in files of the stage's folder.
    pub fn start(&mut self, index: usize, surroundings: &NodeSurroundings<'_>) -> io::Result<()> {
        let NodeSurroundings { folder, library, search_path } = *surroundings;
        self.prepare_disk(folder)?;
        let (program, args) = self.spec.command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(program);
        self.add_agent(index, &mut command);
        command.args(args).current_dir(&self.spec.folder);
        command.env("PATH", search_path).env("LD_PRELOAD", library.path());
        command.envs(self.spec.environment.iter().map(|(name, value)| (name, value)));
        command.env(wire::ENV_FOLDER, folder.path()).env(wire::ENV_NODE, index.to_string());
        command.stdin(Stdio::null());
        command.stdout(self.open(folder, Stream::Output)?).stderr(self.open(folder, Stream::Errors)?);
        self.mark = Some(Mark::new(folder.path(), index));
        let pid = Launch { command: &mut command }.start()?;
        self.note_start(pid, DoorKind::Library);
        Ok(())
    }

    /// Starts the program so that its system calls are heard; returns where.
    pub fn start_supervised(
        &mut self,
        index: usize,
        path: &Path,
        surroundings: &NodeSurroundings<'_>,
    ) -> io::Result<Listener> {
        let NodeSurroundings { folder, search_path, .. } = *surroundings;
        self.prepare_disk(folder)?;
        let mut environment: Vec<(OsString, OsString)> = vec![("PATH".into(), search_path.to_owned())];
        environment.extend(self.spec.environment.iter().map(|(name, value)| (name.into(), value.into())));
        environment.push((wire::ENV_FOLDER.into(), folder.path().into()));
        environment.push((wire::ENV_NODE.into(), index.to_string().into()));
        let (pid, listener) = door::start(door::Program {
            path,
            command: &self.spec.command,
            folder: &self.spec.folder,
            environment,
            output: self.open(folder, Stream::Output)?,
            errors: self.open(folder, Stream::Errors)?,
            lifeline: &folder.path().join(wire::files::LIFELINE),
            tracks_files: self.spec.tracks_files,
        })?;
        self.mark = Some(Mark::new(folder.path(), index));
        self.note_start(pid, DoorKind::Syscalls);
        // A thread that makes a call stands still until it is answered, so they always take turns.
        self.spec.takes_turns = true;
        self.board.takes_turns.store(1, SeqCst);
        Ok(listener)
    }

    fn prepare_disk(&mut self, folder: &Folder) -> io::Result<()> {
        if self.spec.tracks_files && self.disk.is_none() {
            let copies = folder.path().join(format!("durable-{}", self.spec.name));
            self.disk = Some(Disk::new(&self.spec.folder, copies)?);
        }
        Ok(())
    }

    fn note_start(&mut self, pid: u32, door: DoorKind) {
        self.pids = vec![pid];
        self.has_said_hello = false;
        self.state = NodeState::Running;
        self.is_settled = false;
        self.n_starts += 1;
        self.ending = None;
        self.code_watch = CodeWatch::default();
        self.strays.clear();
        self.entered_by = door;
        self.has_own_timers = false;
    }

    /// Switches the debugger's interface of the machine on. It waits for the stage before it runs the program.
    fn add_agent(&self, index: usize, command: &mut Command) {
        if !self.spec.has_agent {
            return;
        }
        let port = agent_port(index);
        let agent =
            format!("-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,quiet=y,address=127.0.0.1:{port}");
        let program = self.spec.command.first().map(Path::new);
        if program.and_then(Path::file_name).is_some_and(|name| name == "java") {
            command.arg(agent);
        } else {
            // Whatever starts the machine, this reaches it; but the machine says on its standard error that it did.
            command.env("JAVA_TOOL_OPTIONS", agent);
        }
    }

    fn open(&self, folder: &Folder, stream: Stream) -> io::Result<File> {
        File::options().create(true).append(true).open(stream.file(folder, &self.spec.name))
    }

    /// Drops the node's output once it is more than anybody will read.
    pub fn trim_output(&self, folder: &Folder) {
        for stream in Stream::ALL {
            let path = stream.file(folder, &self.spec.name);
            if path.metadata().is_ok_and(|metadata| metadata.len() > OUTPUT_BYTES_MAX) {
                // The node appends, so it continues at the beginning.
                let _ = File::options().write(true).open(path).and_then(|file| file.set_len(0));
            }
        }
    }

    /// Returns the process that the stage started.
    pub fn main_pid(&self) -> Option<u32> {
        self.pids.first().copied()
    }

    pub fn now_ns(&self) -> u64 {
        self.board.now_ns.load(SeqCst)
    }

    fn slots(&self) -> impl Iterator<Item = (u32, &Slot)> {
        let n = self.board.n_slots.load(SeqCst) as usize;
        let slots = self.board.slots.iter().take(n).enumerate();
        slots.filter(|(_, slot)| slot.tid.load(SeqCst) != 0).map(|(index, slot)| (index as u32, slot))
    }

    fn blocked_slots(&self) -> impl Iterator<Item = (u32, &Slot)> {
        self.slots().filter(|(_, slot)| slot.state.load(SeqCst) == ThreadState::Blocked.word())
    }

    /// Returns the first time that a thread or a timer waits for. Waits of the runtime's own threads do not count.
    pub fn next_deadline_ns(&self) -> Option<u64> {
        let of_threads = self
            .blocked_slots()
            .map(|(_, slot)| (slot, slot.deadline_ns.load(SeqCst)))
            .filter(|(slot, deadline)| *deadline != NEVER_NS && !self.is_of_runtime(slot))
            .map(|(_, deadline)| deadline);
        let of_timers = self.timers().map(|(_, deadline)| deadline);
        of_threads.chain(of_timers).min()
    }

    fn is_of_runtime(&self, slot: &Slot) -> bool {
        match Purpose::from_word(slot.purpose.load(SeqCst)) {
            Some(Purpose::Runtime | Purpose::Pause) => return true,
            Some(Purpose::Program) | None => {}
        }
        if self.spec.runtime_threads.is_empty() {
            return false;
        }
        let (name, _) = idle::describe(slot.pid.load(SeqCst), slot.tid.load(SeqCst));
        self.spec.runtime_threads.iter().any(|listed| name.starts_with(listed.as_str()))
    }

    /// Sets the clock without waking anybody.
    pub fn set_now(&mut self, now_ns: u64) {
        self.board.now_ns.store(now_ns, SeqCst);
    }

    /// Wakes the thread, or sets off the timer, whose deadline passed first, and returns whether there was one. Of
    /// several with the same deadline, a thread comes before a timer, and the oldest thread first.
    pub fn wake_due(&mut self) -> bool {
        let now_ns = self.now_ns();
        let threads =
            self.blocked_slots().map(|(index, slot)| (slot.deadline_ns.load(SeqCst), Due::Thread(index)));
        let timers = self.timers().map(|(index, deadline)| (deadline, Due::Timer(index)));
        let due = threads.chain(timers).filter(|(deadline, _)| *deadline <= now_ns);
        let Some((_, first)) = due.min_by_key(|(deadline, _)| *deadline) else { return false };
        match first {
            Due::Thread(index) => self.wake(index, Wake::Expired),
            Due::Timer(index) => self.go_off(index),
        }
        true
    }

    /// Ends a short wait of one of the runtime's own threads, if there is one, because the program waits for that
    /// thread. The clock does not move.
    pub fn wake_runtime(&mut self) -> bool {
        let is_brief = |slot: &Slot| {
            let length_ns = slot.deadline_ns.load(SeqCst).saturating_sub(slot.begun_ns.load(SeqCst));
            // A longer wait that is nearly over is none of these.
            let is_pause = slot.purpose.load(SeqCst) != Purpose::Runtime.word();
            length_ns <= BRIEF_NS && is_pause && self.is_of_runtime(slot)
        };
        let brief = self.blocked_slots().find(|(_, slot)| is_brief(slot)).map(|(index, _)| index);
        let Some(index) = brief.filter(|_| self.n_brief < BRIEF_MAX) else { return false };
        self.n_brief += 1;
        self.wake(index, Wake::Expired);
        true
    }

    /// Returns the timers that are set, with the times when they go off.
    fn timers(&self) -> impl Iterator<Item = (usize, u64)> {
        let timers = self.board.timers.iter().take(self.alarms.n_places()).enumerate();
        let set = timers.map(|(index, timer)| (index, timer.deadline_ns.load(SeqCst)));
        set.filter(|(_, deadline)| !matches!(*deadline, 0 | NEVER_NS))
    }

    fn go_off(&mut self, index: usize) {
        let timer = &self.board.timers[index];
        let (deadline_ns, interval_ns) = (timer.deadline_ns.load(SeqCst), timer.interval_ns.load(SeqCst));
        let late_ns = self.now_ns().saturating_sub(deadline_ns);
        let n_times = late_ns.checked_div(interval_ns).unwrap_or(0).saturating_add(1);
        let next_ns = deadline_ns.saturating_add(n_times.saturating_mul(interval_ns));
        timer.deadline_ns.store(if interval_ns == 0 { 0 } else { next_ns }, SeqCst);
        timer.n_overrun.store(u32::try_from(n_times - 1).unwrap_or(u32::MAX), SeqCst);
        self.alarms.go_off(index, n_times);
        self.is_settled = false;
    }

    /// Adds a timer to the board, and returns its number.
    pub fn add_timer(&mut self, alarm: Alarm) -> Option<u32> {
        self.alarms.add(alarm, &self.board, &self.pids)
    }

    pub fn wake(&mut self, index: u32, wake: Wake) {
        let Some(slot) = self.board.slots.get(index as usize) else { return };
        slot.wake.store(wake.word(), SeqCst);
        sys::wake_word(&slot.wake);
        if let Some(kicker) = self.kickers.get(&index) {
            sys::signal_event(kicker, 1);
        }
        self.is_settled = false;
    }

    /// Wakes the threads that poll, because something was decided that they may wait for.
    pub fn wake_polling(&mut self) {
        let is_polling = |slot: &Slot| {
            let call = Call::from_word(slot.call.load(SeqCst));
            matches!(call, Some(Call::Poll | Call::Select | Call::Epoll | Call::Datagram))
        };
        let polling: Vec<u32> =
            self.blocked_slots().filter(|(_, slot)| is_polling(slot)).map(|(index, _)| index).collect();
        polling.into_iter().for_each(|index| self.wake(index, Wake::Look));
    }

    /// Tells the socket that a datagram which it sent to a port of the kernel's loopback found nobody.
    pub fn tell_refused(&mut self, link: u32, port: u16) {
        let Some(link) = self.board.links.get(link as usize) else { return };
        link.refused_port.store(u32::from(port), SeqCst);
        self.board.n_refusals.fetch_add(1, SeqCst);
        self.wake_polling();
        self.is_settled = false;
    }

    /// Ends short waits between threads, because a running thread would not give way otherwise. Where threads take
    /// turns, it gives way when it waits.
    pub fn wake_impatient(&mut self) {
        if self.spec.takes_turns {
            return;
        }
        let is_short = |slot: &Slot| slot.patience_ns.load(SeqCst) != NEVER_NS;
        let waiting: Vec<u32> =
            self.blocked_slots().filter(|(_, slot)| is_short(slot)).map(|(index, _)| index).collect();
        waiting.into_iter().for_each(|index| self.wake(index, Wake::Impatient));
    }

    /// Whether a thread waits for its turn.
    pub fn has_thread_before_turn(&self) -> bool {
        !self.candidates().is_empty()
    }

    /// Returns the threads that wait for their turn.
    fn candidates(&self) -> Vec<Candidate> {
        let candidate = |(index, slot): (u32, &Slot)| {
            let n_tries = match ThreadState::from_word(slot.state.load(SeqCst))? {
                ThreadState::Ready => None,
                ThreadState::Contending => Some(slot.n_tries.load(SeqCst)),
                ThreadState::Free | ThreadState::Running | ThreadState::Blocked => return None,
            };
            let pid = slot.pid.load(SeqCst);
            let process = self.pids.iter().position(|known| *known == pid).unwrap_or(usize::MAX);
            Some(Candidate { slot: index, key: (process, slot.ordinal.load(SeqCst)), n_tries })
        };
        self.slots().filter_map(candidate).collect()
    }

    /// Gives the turn to the next thread, if one waits for it and can go on. No thread of the node may run.
    pub fn give_turn(&mut self) -> bool {
        if !self.spec.takes_turns {
            return false;
        }
        let candidates = self.candidates();
        let chosen = self.turns.choose(candidates);
        self.give_turn_to(chosen)
    }

    /// Gives the turn as [`Node::give_turn`] does, but the runtime's own threads come first.
    pub fn give_turn_to_runtime(&mut self) -> bool {
        if !self.spec.takes_turns {
            return false;
        }
        let candidates = self.candidates();
        let is_of_runtime = |candidate: &Candidate| {
            self.board.slots.get(candidate.slot as usize).is_some_and(|slot| self.is_of_runtime(slot))
        };
        let first: Vec<u32> =
            candidates.iter().filter(|one| is_of_runtime(one)).map(|one| one.slot).collect();
        let chosen = self.turns.choose_among(candidates, &|candidate| first.contains(&candidate.slot));
        self.give_turn_to(chosen)
    }

    fn give_turn_to(&mut self, chosen: Option<Candidate>) -> bool {
        let Some(chosen) = chosen else { return false };
        self.turn_cpu_ns.clear();
        if let Some(slot) = self.board.slots.get(chosen.slot as usize) {
            slot.turn.store(1, SeqCst);
            sys::wake_word(&slot.turn);
        }
        self.is_settled = false;
        true
    }

    /// Notes that an event happened, after which every thread may find something new.
    pub fn note_event(&mut self) {
        self.n_brief = 0;
        self.turns.note_change();
    }

    /// Gives the turn to another thread if the one that has it has used the processor for too long without waiting.
    /// Returns the name of the thread that was passed over.
    pub fn pass_over(&mut self) -> Option<String> {
        if !self.spec.takes_turns {
            return None;
        }
        let running = |(_, slot): &(u32, &Slot)| slot.state.load(SeqCst) == ThreadState::Running.word();
        let ids = |(_, slot): (u32, &Slot)| (slot.pid.load(SeqCst), slot.tid.load(SeqCst));
        let threads: Vec<(u32, u32)> = self.slots().filter(running).map(ids).collect();
        let is_slow = |(pid, tid): &&(u32, u32)| {
            let used_ns = idle::cpu_ns(*pid, *tid).unwrap_or(0);
            let before_ns = *self.turn_cpu_ns.entry(*tid).or_insert(used_ns);
            used_ns.saturating_sub(before_ns) > TURN_CPU_NS
        };
        let slow: Vec<(u32, u32)> = threads.iter().filter(is_slow).copied().collect();
        self.spinning.retain(|tid| threads.iter().any(|(_, running)| running == tid));
        self.spinning.extend(slow.iter().map(|(_, tid)| *tid));
        // Those that were passed over spin on; the turn goes to the next thread when no other runs.
        if self.spinning.is_empty() || threads.len() > self.spinning.len() || self.has_turn_under_way() {
            return None;
        }
        let name = slow.first().map(|(pid, tid)| idle::describe(*pid, *tid).0);
        self.give_turn().then_some(name).flatten()
    }

    /// Whether no thread of the node runs, and no wake-up of ours is on its way.
    pub fn is_asleep(&mut self) -> bool {
        if !self.has_said_hello {
            return false;
        }
        match self.threads.snapshot(&self.pids, &self.parked) {
            Snapshot::Asleep(tids) => {
                self.bury_slots(&tids);
                if self.adopt_children() {
                    return false;
                }
                // Its first process must be there (if it is not, that is noticed elsewhere), and threads that were
                // woken must have seen it.
                self.slots().any(|(_, slot)| Some(slot.pid.load(SeqCst)) == self.main_pid())
                    && self.blocked_slots().all(|(_, slot)| slot.wake.load(SeqCst) == Wake::Not.word())
                    && !self.has_turn_under_way()
            }
            Snapshot::Awake => false,
        }
    }

    /// Whether a thread was given the turn and has not noticed yet.
    fn has_turn_under_way(&self) -> bool {
        let is_waiting = |state: u32| {
            matches!(ThreadState::from_word(state), Some(ThreadState::Ready | ThreadState::Contending))
        };
        self.slots().any(|(_, slot)| is_waiting(slot.state.load(SeqCst)) && slot.turn.load(SeqCst) != 0)
    }

    /// Adds processes that the node's own processes have started without the stage's knowledge; returns whether there
    /// are any.
    fn adopt_children(&mut self) -> bool {
        let unknown: Vec<u32> =
            self.pids.iter().flat_map(|pid| idle::unknown_children(*pid, &self.pids)).collect();
        self.pids.extend(&unknown);
        !unknown.is_empty()
    }

    /// Frees the slots of a process that has become another program: its threads are new ones.
    pub fn forget_process(&mut self, pid: u32) {
        for (_, slot) in self.slots() {
            if slot.pid.load(SeqCst) == pid {
                self.free(slot);
            }
        }
    }

    fn free(&self, slot: &Slot) {
        if slot.state.swap(ThreadState::Free.word(), SeqCst) == ThreadState::Running.word() {
            self.board.n_running.fetch_sub(1, SeqCst);
        }
        slot.tid.store(0, SeqCst);
    }

    /// Frees the slots of threads that ended without saying so.
    fn bury_slots(&self, alive: &[u32]) {
        for (_, slot) in self.slots() {
            if !alive.contains(&slot.tid.load(SeqCst)) {
                self.free(slot);
            }
        }
    }

    /// Takes a free link of the board.
    pub fn take_link(&mut self) -> Option<u32> {
        let link = match self.free_links.pop() {
            Some(link) => link,
            None if (self.n_links as usize) < self.board.links.len() => {
                self.n_links += 1;
                self.n_links - 1
            }
            None => return None,
        };
        let shared = self.board.links.get(link as usize)?;
        shared.outcome.store(Outcome::Pending.word(), SeqCst);
        shared.saw_end.store(0, SeqCst);
        shared.refused_port.store(0, SeqCst);
        shared.sent.store(0, SeqCst);
        shared.received.store(0, SeqCst);
        Some(link)
    }

    pub fn take_port(&mut self) -> u16 {
        let port = self.next_port;
        let start = (port - FIRST_PORT) / PORTS_PER_NODE * PORTS_PER_NODE + FIRST_PORT;
        self.next_port = start + (port - start + 1) % PORTS_PER_NODE;
        port
    }

    /// Adds a trap; from now on the library asks before calls on files.
    pub fn arm(&mut self, trap: Trap) {
        self.traps.arm(trap);
        self.board.asks_of_files.store(1, SeqCst);
    }

    /// Answers a thread that is at a call on a file. Only calls on files in the node's own folder are ever held.
    // Six values: those of the request, as it came over the socket.
    pub fn at_file(
        &mut self,
        call: FileCall,
        is_done: bool,
        (path, target): (&Path, &Path),
        (pid, tid): (u32, u32),
    ) -> Reply {
        let Some(path) = self.own_file(path) else {
            return Reply::File { verdict: Verdict::Go, n_bytes: 0 };
        };
        let (thread, _) = idle::describe(pid, tid);
        let answer = self.traps.answer(&FileStep { call, is_done, path: &path, target, thread: &thread });
        if answer.verdict == Verdict::Hold && !answer.is_end {
            self.held_calls.push(HeldCall { tid, thread, point: answer.point });
        }
        self.is_doomed |= answer.is_end;
        self.board.asks_of_files.store(u32::from(!self.traps.is_empty()), SeqCst);
        Reply::File { verdict: answer.verdict, n_bytes: answer.n_bytes }
    }

    /// Returns the path relative to the node's own folder, if it is inside that folder.
    pub fn own_file(&self, path: &Path) -> Option<PathBuf> {
        let folder = std::fs::canonicalize(&self.spec.folder).ok()?;
        path.strip_prefix(&folder).ok().map(Path::to_owned)
    }

    /// Lets the calls on files that are held at a point go on; returns whether there were any.
    pub fn release_calls(&mut self, point: &str) -> bool {
        let is_it = |held: &HeldCall| held.point.as_deref() == Some(point);
        let (released, kept): (Vec<_>, _) = std::mem::take(&mut self.held_calls).into_iter().partition(is_it);
        self.held_calls = kept;
        let is_one = |slot: &Slot| released.iter().any(|held: &HeldCall| held.tid == slot.tid.load(SeqCst));
        let slots: Vec<u32> =
            self.blocked_slots().filter(|(_, slot)| is_one(slot)).map(|(index, _)| index).collect();
        // A thread that waits at the gate takes this for the end of its wait.
        slots.into_iter().for_each(|index| self.wake(index, Wake::Expired));
        !released.is_empty()
    }

    /// Returns the points of calls at which threads are held, each with the name of its thread.
    pub fn held_calls(&self) -> impl Iterator<Item = (String, String)> {
        self.held_calls.iter().filter_map(|held| Some((held.point.clone()?, held.thread.clone())))
    }

    /// Lets calls on files that are held go on.
    pub fn open_gate(&mut self) {
        self.held_calls.clear();
        self.board.file_gate.fetch_add(1, SeqCst);
        sys::wake_word(&self.board.file_gate);
        self.is_settled = false;
    }

    /// Whether a thread is held at a call on a file.
    pub fn is_held(&self) -> bool {
        self.blocked_slots().any(|(_, slot)| slot.call.load(SeqCst) == Call::File.word())
    }

    /// Describes every thread.
    pub fn report(&self) -> Vec<ThreadReport> {
        let of_process =
            |pid: u32| idle::tasks(pid).unwrap_or_default().into_iter().map(move |tid| (pid, tid));
        let threads = self.pids.iter().flat_map(|pid| of_process(*pid));
        threads.map(|(pid, tid)| self.report_thread(pid, tid)).collect()
    }

    fn report_thread(&self, pid: u32, tid: u32) -> ThreadReport {
        let (name, state) = idle::describe(pid, tid);
        let slot = self.blocked_slots().find(|(_, slot)| slot.tid.load(SeqCst) == tid).map(|(_, slot)| slot);
        let deadline =
            slot.map(|slot| slot.deadline_ns.load(SeqCst)).filter(|deadline| *deadline != NEVER_NS);
        let call = slot.and_then(|slot| Call::from_word(slot.call.load(SeqCst)));
        ThreadReport { pid, tid, name, state, call, deadline_ns: deadline }
    }

    /// Kills every process of the node and forgets them.
    pub fn kill(&mut self) {
        let mut doomed = std::mem::take(&mut self.pids);
        loop {
            // A process may have just started another one and not reported it yet; that one is killed, too.
            let started = self.mark.as_ref().map(Mark::children).unwrap_or_default();
            let untold: Vec<u32> = started.into_iter().filter(|pid| !doomed.contains(pid)).collect();
            doomed.extend(untold);
            if doomed.is_empty() {
                break;
            }
            doomed.iter().for_each(|pid| sys::kill(*pid, libc::SIGKILL));
            // A process that is not our child becomes our child when its own parent is dead. If it does not, its parent
            // has an ancestor that takes care of orphans itself.
            doomed.retain(|pid| sys::reap(*pid, true).is_err());
            doomed.drain(..).for_each(|pid| drop(sys::reap(pid, true)));
        }
        self.clear();
    }

    /// Removes everything of the old processes from the board.
    pub fn clear(&mut self) {
        for slot in &self.board.slots {
            slot.state.store(ThreadState::Free.word(), SeqCst);
            slot.tid.store(0, SeqCst);
        }
        for timer in &self.board.timers {
            timer.deadline_ns.store(0, SeqCst);
        }
        self.board.n_running.store(0, SeqCst);
        self.alarms.clear();
        self.kickers.clear();
        self.parked.clear();
        self.threads = Threads::default();
        self.is_settled = true;
        self.has_said_hello = false;
        self.is_doomed = false;
        self.n_links = 1;
        self.free_links.clear();
        self.traps.forget_begun();
        self.held_calls.clear();
    }
}
