//! One call of a program: its arguments, its program's memory and descriptors, and which part of the door answers it.

use std::os::fd::OwnedFd;
use std::os::unix::fs::{FileExt, FileTypeExt, MetadataExt};
use std::sync::atomic::Ordering::Relaxed;

use wire::{Board, Call, NEVER_NS, Reply, Request};

use super::park::{Ended, RESTART, Until, Wait};
use super::{Door, Errno, Process, Thread};
use crate::control::Desk;
use crate::node::Node;
use crate::sys::{self, Notice, guest};

/// The way in which a call goes on.
pub(super) enum Done {
    Value(i64),
    /// The kernel carries it out.
    Continue,
    /// The result is a new descriptor, which is closed by `exec` or not.
    Descriptor(OwnedFd, bool),
    Wait(Wait),
}

pub(super) type Outcome = Result<Done, Errno>;
pub(super) type Result<T, E = Errno> = std::result::Result<T, E>;

/// The kind of file that a descriptor stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    File,
    Socket,
    /// `/dev/random` and `/dev/urandom`.
    Random,
    /// Pipes, terminals, and what has no name.
    Other,
}

/// The most bytes that are copied for one call.
pub(super) const COPY_BYTES_MAX: usize = 64 << 20;
/// The longest path.
const PATH_BYTES_MAX: usize = 4096;
/// The most parts of a buffer.
const PARTS_MAX: u64 = 1024;
/// The number of looks at a clock after which a thread gives way.
const LOOKS_MAX: u32 = 50;
/// The number of looks after which a thread that waited for nothing else meanwhile waits for time to pass.
const SPIN_LOOKS: u32 = 10_000;
/// The shortest and the longest time for which it waits then. Each time is twice the one before.
const SPIN_MIN_NS: u64 = 1_000_000;
const SPIN_MAX_NS: u64 = 10_000_000;

pub(super) struct Visit<'d, 's> {
    pub door: &'d mut Door,
    pub desk: &'d mut Desk<'s>,
    pub notice: Notice,
    pub pid: u32,
    /// The deadline of the wait that this call has behind it.
    deadline_ns: Option<u64>,
    /// Whether that wait has reached its deadline.
    pub has_expired: bool,
}

impl<'d, 's> Visit<'d, 's> {
    pub fn new(
        door: &'d mut Door,
        desk: &'d mut Desk<'s>,
        notice: Notice,
        pid: u32,
        before: Option<(u64, Option<Ended>)>,
    ) -> Visit<'d, 's> {
        let has_expired = matches!(before, Some((_, Some(Ended::Expired))));
        Visit { door, desk, notice, pid, deadline_ns: before.map(|(deadline, _)| deadline), has_expired }
    }

    /// Answers the call.
    pub fn call(&mut self) -> Outcome {
        let number = self.notice.number;
        self.call_time(number)
            .or_else(|| self.call_timer(number))
            .or_else(|| self.call_wait(number))
            .or_else(|| self.call_socket(number))
            .or_else(|| self.call_transfer(number))
            .or_else(|| self.call_file(number))
            .or_else(|| self.call_process(number))
            .unwrap_or(Ok(Done::Continue))
    }

    pub fn arg(&self, index: usize) -> u64 {
        self.notice.args[index]
    }

    /// Returns an argument that is an `int`.
    pub fn int(&self, index: usize) -> i32 {
        self.notice.args[index] as i32
    }

    pub fn node(&self) -> &Node {
        &self.desk.nodes[self.door.node]
    }

    pub fn board(&self) -> &Board {
        &self.node().board
    }

    pub fn now(&self) -> u64 {
        self.node().now_ns()
    }

    pub fn process(&self) -> Result<&Process> {
        self.door.processes.get(&self.pid).ok_or(Errno(libc::ESRCH))
    }

    pub fn thread(&mut self) -> Result<&mut Thread> {
        self.door.threads.get_mut(&self.notice.tid).ok_or(Errno(libc::ESRCH))
    }

    /// Asks the stage as the library does.
    pub fn ask(&mut self, request: &Request<'_>, descriptor: Option<OwnedFd>) -> Result<Reply> {
        let reply = self.desk.answer((self.door.node, self.pid), request, descriptor);
        if let Reply::Failed { errno } = reply { Err(Errno(errno)) } else { Ok(reply) }
    }

    /// Reports a call that is not under control.
    pub fn report(&mut self, call: &str, detail: &str, is_refused: bool) {
        self.desk.note(self.door.node, call, detail, is_refused);
    }

    /// Refuses a call that this door does not have.
    pub fn refuse(&mut self, call: &str, detail: &str) -> Outcome {
        self.report(call, detail, true);
        Err(Errno(libc::ENOSYS))
    }

    /// Whether the thread has waited for something since it made this call.
    pub fn has_waited(&self) -> bool {
        self.deadline_ns.is_some()
    }

    /// Returns the deadline of this call: the one with which it began to wait, if it has waited.
    pub fn until(&self, length_ns: Option<u64>) -> u64 {
        let fresh = || length_ns.map_or(NEVER_NS, |length| self.now().saturating_add(length));
        self.deadline_ns.unwrap_or_else(fresh)
    }

    /// Lets a thread that looks at the clock again and again wait, before the call is made again: for its turn, and for a moment on
    /// the clock if it has not waited for anything else for very long. It waits for time to pass, which a clock that stands still never does.
    pub fn note_look(&mut self) -> Result<Option<Done>> {
        let now_ns = self.now();
        let thread = self.thread()?;
        thread.n_looks += 1;
        thread.n_looks_in_row = thread.n_looks_in_row.saturating_add(1);
        if thread.n_looks <= LOOKS_MAX {
            return Ok(None);
        }
        if thread.n_looks_in_row < SPIN_LOOKS && thread.spin_ns == 0 {
            return Ok(Some(Done::Wait(Wait::turn(None))));
        }
        thread.spin_ns = (thread.spin_ns * 2).clamp(SPIN_MIN_NS, SPIN_MAX_NS);
        let until = now_ns.saturating_add(thread.spin_ns);
        self.report("clock", "a thread does nothing but look at it, and waits for a moment", false);
        let wait = Wait { on_signal: RESTART, ..Wait::new(Call::Sleep, until, Until::Moment) };
        Ok(Some(Done::Wait(wait)))
    }

    /// Reads memory of the program.
    pub fn read(&self, at: u64, len: usize) -> Result<Vec<u8>> {
        if at == 0 || len > COPY_BYTES_MAX {
            return Err(Errno(if at == 0 { libc::EFAULT } else { libc::ENOMEM }));
        }
        let mut bytes = vec![0; len];
        self.process()?.memory.read_exact_at(&mut bytes, at).map_err(|_| Errno(libc::EFAULT))?;
        Ok(bytes)
    }

    pub fn read_words<const N: usize>(&self, at: u64) -> Result<[u64; N]> {
        let bytes = self.read(at, N * 8)?;
        let mut words = [0; N];
        for (word, part) in words.iter_mut().zip(bytes.as_chunks::<8>().0) {
            *word = u64::from_ne_bytes(*part);
        }
        Ok(words)
    }

    pub fn read_u32(&self, at: u64) -> Result<u32> {
        let bytes = self.read(at, 4)?;
        Ok(u32::from_ne_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// Reads a text that ends with a zero.
    pub fn read_text(&self, at: u64) -> Result<Vec<u8>> {
        let mut text = Vec::new();
        while text.len() < PATH_BYTES_MAX {
            let from = at + text.len() as u64;
            // A text may end right before memory that is not there.
            let page = 4096 - (from % 4096) as usize;
            let part = self.read(from, page)?;
            match part.iter().position(|byte| *byte == 0) {
                Some(end) => {
                    text.extend_from_slice(&part[..end]);
                    return Ok(text);
                }
                None => text.extend(part),
            }
        }
        Err(Errno(libc::ENAMETOOLONG))
    }

    /// Writes memory of the program.
    pub fn write(&self, at: u64, bytes: &[u8]) -> Result<()> {
        if at == 0 {
            return Err(Errno(libc::EFAULT));
        }
        self.process()?.memory.write_all_at(bytes, at).map_err(|_| Errno(libc::EFAULT))
    }

    /// Writes memory of the program, if it gave a place for it.
    pub fn write_opt(&self, at: u64, bytes: &[u8]) -> Result<()> {
        if at == 0 { Ok(()) } else { self.write(at, bytes) }
    }

    /// Reads the parts of a buffer: addresses and lengths.
    pub fn parts(&self, at: u64, n: u64) -> Result<Vec<(u64, usize)>> {
        if n > PARTS_MAX {
            return Err(Errno(libc::EINVAL));
        }
        let mut parts = Vec::new();
        for index in 0..n {
            let [base, len] = self.read_words(at + index * 16)?;
            parts.push((base, usize::try_from(len).map_err(|_| Errno(libc::EINVAL))?));
        }
        Ok(parts)
    }

    /// Reads what the parts hold, at most `limit` bytes.
    pub fn gather(&self, parts: &[(u64, usize)], limit: usize) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        for (at, len) in parts {
            let len = (*len).min(limit - bytes.len());
            if len > 0 {
                bytes.extend(self.read(*at, len)?);
            }
        }
        Ok(bytes)
    }

    /// Writes bytes to the parts, as far as they go.
    pub fn scatter(&self, parts: &[(u64, usize)], mut bytes: &[u8]) -> Result<()> {
        for (at, len) in parts {
            let (here, rest) = bytes.split_at((*len).min(bytes.len()));
            if !here.is_empty() {
                self.write(*at, here)?;
            }
            bytes = rest;
        }
        Ok(())
    }

    /// Borrows a descriptor of the program.
    pub fn borrow(&self, fd: i32) -> Result<OwnedFd> {
        if fd < 0 {
            return Err(Errno(libc::EBADF));
        }
        sys::borrow_descriptor(&self.process()?.handle, fd).map_err(Errno::from)
    }

    /// Returns the kind and the inode of what a descriptor stands for.
    pub fn kind(&self, fd: i32) -> Result<(Kind, u64)> {
        let metadata = std::fs::metadata(format!("/proc/{}/fd/{fd}", self.pid));
        let metadata = metadata.map_err(|_| Errno(libc::EBADF))?;
        let kind = metadata.file_type();
        let is_random = kind.is_char_device() && [RANDOM, URANDOM].contains(&metadata.rdev());
        let kind = match () {
            () if kind.is_socket() => Kind::Socket,
            () if is_random => Kind::Random,
            () if kind.is_file() || kind.is_dir() || kind.is_block_device() => Kind::File,
            () => Kind::Other,
        };
        Ok((kind, metadata.ino()))
    }

    /// Waits until a descriptor is ready, if the program is willing to wait for that; otherwise, and when it is ready,
    /// `None`.
    pub fn wait_ready(&mut self, fd: &OwnedFd, events: i16, wait: Wait) -> Result<Option<Done>> {
        let is_ready = guest::poll(&[(fd, events)]).iter().any(|ready| *ready != 0);
        if is_ready || guest::file_flags(fd) & libc::O_NONBLOCK != 0 {
            return Ok(None);
        }
        if self.has_expired {
            return Err(Errno(libc::EAGAIN));
        }
        let copy = fd.try_clone()?;
        Ok(Some(Done::Wait(Wait { until: Until::Ready(vec![(copy, events)]), ..wait })))
    }

    /// Returns the next random word of this thread.
    pub fn random(&mut self) -> Result<u64> {
        let process = u64::from(self.process()?.ordinal);
        let seed = self.board().seed.load(Relaxed);
        let index = self.thread()?.slot as usize;
        let ordinal = self.board().slots.get(index).map_or(0, |slot| slot.ordinal.load(Relaxed));
        let thread = self.thread()?;
        thread.n_words += 1;
        let of_thread = crate::turns::mix(process << 32 | u64::from(ordinal));
        Ok(crate::turns::mix(crate::turns::mix(seed ^ of_thread).wrapping_add(thread.n_words)))
    }

    pub fn random_bytes(&mut self, len: usize) -> Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(len + 8);
        while bytes.len() < len {
            bytes.extend(self.random()?.to_le_bytes());
        }
        bytes.truncate(len);
        Ok(bytes)
    }
}

/// The numbers of the devices for random bytes.
const RANDOM: u64 = 0x108;
const URANDOM: u64 = 0x109;
