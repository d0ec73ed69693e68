//! The connection to the stage: the board, the socket for requests, the bell and the lifeline.
//!
//! It is made at the first call of any symbol or when the library is loaded, whichever comes first; it is made again in
//! a child process, and by the new program after `exec`. A process that was not started by a stage has none, and then
//! every symbol does what libc's does. A process that should have one and cannot is ended: it must not run without
//! control.
#![expect(unsafe_code, reason = "maps the board, and publishes the session once")]

use core::cell::UnsafeCell;
use core::mem::MaybeUninit;
use core::sync::atomic::AtomicI32;
use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release, SeqCst};

use libc::{c_char, c_int};
use wire::{Board, FRAME_BYTES_MAX, Reply, Request};

use crate::guest::c_bytes;
use crate::kernel::{self, Errno, Result};
use crate::lock::Lock;
use crate::{pass, thread};

/// The longest path of a Unix socket, its final zero included.
const SOCKET_PATH_BYTES_MAX: usize = 108;
/// Exit code of a guest that cannot reach its stage.
const EXIT_WITHOUT_STAGE: c_int = 113;

pub struct Session {
    pub board: &'static Board,
    pub node: u32,
    /// The process that connected; another one has been forked without our knowledge.
    pid: AtomicU32,
    /// The number of this process within the node.
    pub ordinal: AtomicU32,
    control: AtomicI32,
    bell: AtomicI32,
    lifeline: AtomicI32,
    exchange: Lock,
}

const NEW: u32 = 0;
const STARTING: u32 = 1;
const ON: u32 = 2;
const OFF: u32 = 3;

static STATE: AtomicU32 = AtomicU32::new(NEW);

struct SessionPlace(UnsafeCell<MaybeUninit<Session>>);
// SAFETY: written once by the thread that moved `STATE` from `NEW` to `STARTING`, read when it is `ON`.
unsafe impl Sync for SessionPlace {}
static PLACE: SessionPlace = SessionPlace(UnsafeCell::new(MaybeUninit::uninit()));

/// Returns the session, or `None` if this process has none or is just making it.
pub fn session() -> Option<&'static Session> {
    match STATE.load(Acquire) {
        ON => Some(get_published()),
        NEW => start(),
        _ => None,
    }
}

/// Returns the session; only when `STATE` is `ON`.
fn get_published() -> &'static Session {
    // SAFETY: `ON` is stored after the session was written, and the place never changes again.
    let place = unsafe { &*PLACE.0.get() };
    // SAFETY: `ON` is stored after the session was written, and the place never changes again.
    unsafe { place.assume_init_ref() }
}

fn start() -> Option<&'static Session> {
    if STATE.compare_exchange(NEW, STARTING, SeqCst, Relaxed).is_err() {
        return None;
    }
    let (Some(folder), Some(node)) = (variable(wire::ENV_FOLDER), variable(wire::ENV_NODE).and_then(number))
    else {
        STATE.store(OFF, Release);
        return None;
    };
    match Session::open(folder, node) {
        Ok(session) => {
            // SAFETY: this thread alone is past the exchange above.
            unsafe { (*PLACE.0.get()).write(session) };
            STATE.store(ON, Release);
        }
        Err(_) => end_without_stage(),
    }
    session()
}

/// Connects a child process by itself.
pub fn start_again() {
    let (Some(session), Some(folder)) = (session(), variable(wire::ENV_FOLDER)) else { return };
    session.pid.store(kernel::pid(), Relaxed);
    thread::forget();
    thread::start_numbering();
    for fd in [&session.control, &session.bell, &session.lifeline] {
        kernel::close(fd.load(Relaxed));
    }
    let opened = Tie::open(folder).and_then(|tie| {
        session.control.store(tie.control, Relaxed);
        session.bell.store(tie.bell, Relaxed);
        session.lifeline.store(tie.lifeline, Relaxed);
        let mut buffer = [0; FRAME_BYTES_MAX];
        session.hello(&mut buffer).map(|ordinal| session.ordinal.store(ordinal, Relaxed))
    });
    if opened.is_err() {
        end_without_stage();
    }
}

fn end_without_stage() -> ! {
    let text = b"specline: this process belongs to a stage that cannot be reached\n";
    let _ = pass!(libc::SYS_write, 2, text.as_ptr(), text.len());
    loop {
        let _ = pass!(libc::SYS_exit_group, EXIT_WITHOUT_STAGE);
    }
}

/// Returns a variable of the environment.
fn variable(name: &str) -> Option<&'static [u8]> {
    let mut text = [0_u8; 32];
    text.get_mut(..name.len())?.copy_from_slice(name.as_bytes());
    // SAFETY: the name ends with a zero, since it is shorter than its buffer.
    let value = unsafe { libc::getenv(text.as_ptr().cast::<c_char>()) };
    // SAFETY: a text of the environment that the process was started with, or null.
    (!value.is_null()).then(|| unsafe { c_bytes(value) })
}

fn number(text: &'static [u8]) -> Option<u32> {
    core::str::from_utf8(text).ok()?.parse().ok()
}

impl Session {
    fn open(folder: &[u8], node: u32) -> Result<Session> {
        let tie = Tie::open(folder)?;
        let session = Session {
            board: map_board(folder, node)?,
            node,
            pid: AtomicU32::new(kernel::pid()),
            ordinal: AtomicU32::new(0),
            control: AtomicI32::new(tie.control),
            bell: AtomicI32::new(tie.bell),
            lifeline: AtomicI32::new(tie.lifeline),
            exchange: Lock::new(),
        };
        let mut buffer = [0; FRAME_BYTES_MAX];
        let ordinal = session.hello(&mut buffer)?;
        session.ordinal.store(ordinal, Relaxed);
        Ok(session)
    }

    fn hello(&self, buffer: &mut [u8; FRAME_BYTES_MAX]) -> Result<u32> {
        let mut image = [0_u8; 256];
        let link = c"/proc/self/exe".as_ptr();
        let len = pass!(libc::SYS_readlinkat, libc::AT_FDCWD, link, image.as_mut_ptr(), image.len())?;
        let parent = pass!(libc::SYS_getppid)? as u32;
        let hello = Request::Hello {
            version: wire::VERSION,
            node: self.node,
            pid: kernel::pid(),
            parent,
            image: image.get(..len).unwrap_or_default(),
        };
        let Reply::Welcome { ordinal } = self.ask(&hello, None, buffer)? else {
            return Err(Errno::INVALID);
        };
        Ok(ordinal)
    }

    /// Sends a request, with a descriptor if it needs one, and waits for the answer.
    pub fn ask(
        &self,
        request: &Request<'_>,
        descriptor: Option<c_int>,
        buffer: &mut [u8; FRAME_BYTES_MAX],
    ) -> Result<Reply> {
        if !self.is_of_this_process() {
            start_again();
        }
        let _held = self.exchange.hold();
        let fd = self.control.load(Relaxed);
        let bytes = request.encode(buffer).ok_or(Errno(libc::ENAMETOOLONG))?;
        let sent = match descriptor {
            Some(descriptor) => send_with(fd, bytes, descriptor),
            None => kernel::send_all(fd, bytes),
        };
        sent.and_then(|()| kernel::receive_all(fd, &mut buffer[..2])).map_err(end_because_gone)?;
        let len =
            wire::frame_len(buffer).filter(|len| (2..=buffer.len()).contains(len)).ok_or(Errno::INVALID)?;
        kernel::receive_all(fd, &mut buffer[2..len]).map_err(end_because_gone)?;
        match Reply::decode(&buffer[..len]) {
            Ok(Reply::Failed { errno }) => Err(Errno(errno)),
            Ok(reply) => Ok(reply),
            Err(_) => Err(Errno::INVALID),
        }
    }

    /// Reports a call to the stage that is not under control.
    pub fn report(&self, call: &str, detail: &str, refused: bool) {
        let mut buffer = [0; FRAME_BYTES_MAX];
        // There is nobody else to report to.
        let _ = self.ask(&Request::Uncontrolled { call, detail, refused }, None, &mut buffer);
    }

    /// Counts one running thread less. If it was the last one, and the stage listens, rings the bell.
    pub fn count_out(&self) {
        let was = self.board.n_running.fetch_sub(1, SeqCst);
        if was == 1 {
            self.ring();
        }
    }

    /// Whether of the node's threads only one runs at a time.
    pub fn takes_turns(&self) -> bool {
        self.board.takes_turns.load(Relaxed) != 0
    }

    /// Rings the bell if no thread of the node runs and the stage listens: a thread waits for its turn.
    pub fn ring_if_none_runs(&self) {
        if self.board.n_running.load(SeqCst) == 0 {
            self.ring();
        }
    }

    fn ring(&self) {
        if self.board.listening.load(SeqCst) != 0 {
            let byte = 1_u8;
            // If the pipe is full, the bell has rung already.
            let _ = pass!(libc::SYS_write, self.bell.load(Relaxed), &raw const byte, 1);
        }
    }

    /// Whether this descriptor is one of ours, which the guest must not touch.
    pub fn owns(&self, fd: c_int) -> bool {
        let own = [&self.control, &self.bell, &self.lifeline];
        own.iter().any(|own| own.load(Relaxed) == fd) || crate::fds::is_ours(fd)
    }

    /// Whether the process that runs is the one that connected. The child of `posix_spawn` is not, and it shares our
    /// memory until it becomes another program.
    pub fn is_of_this_process(&self) -> bool {
        self.pid.load(Relaxed) == kernel::pid()
    }

    /// Holds the request lock over a fork, so that the child finds it free.
    pub fn hold(&self) -> crate::lock::HeldLock<'_> {
        self.exchange.hold()
    }
}

/// Ends this process because the stage is gone: the lifeline would end it, and nothing may happen before that.
fn end_because_gone(_errno: Errno) -> Errno {
    end_without_stage()
}

/// The descriptors of a process's connection to the stage.
struct Tie {
    control: c_int,
    bell: c_int,
    lifeline: c_int,
}

impl Tie {
    fn open(folder: &[u8]) -> Result<Tie> {
        let lifeline = open(folder, wire::files::LIFELINE, libc::O_RDONLY | libc::O_NONBLOCK)?;
        // When the stage closes the other end, however it ends, the kernel kills this process.
        pass!(libc::SYS_fcntl, lifeline, libc::F_SETOWN, kernel::pid())?;
        pass!(libc::SYS_fcntl, lifeline, F_SETSIG, libc::SIGKILL)?;
        pass!(libc::SYS_fcntl, lifeline, libc::F_SETFL, libc::O_ASYNC | libc::O_NONBLOCK)?;
        let bell = open(folder, wire::files::BELL, libc::O_WRONLY | libc::O_NONBLOCK)?;
        Ok(Tie { control: connect(folder)?, bell, lifeline })
    }
}

const F_SETSIG: c_int = 10;

/// Returns a path in the stage's folder, with a zero at its end.
fn path(folder: &[u8], name: &str) -> Result<[u8; SOCKET_PATH_BYTES_MAX]> {
    let mut path = [0_u8; SOCKET_PATH_BYTES_MAX];
    let (len, name) = (folder.len(), name.as_bytes());
    let too_long = Errno(libc::ENAMETOOLONG);
    if len + 1 + name.len() >= path.len() {
        return Err(too_long);
    }
    path.get_mut(..len).ok_or(too_long)?.copy_from_slice(folder);
    path[len] = b'/';
    path.get_mut(len + 1..=len + name.len()).ok_or(too_long)?.copy_from_slice(name);
    Ok(path)
}

fn open(folder: &[u8], name: &str, flags: c_int) -> Result<c_int> {
    let path = path(folder, name)?;
    let fd = pass!(libc::SYS_openat, libc::AT_FDCWD, path.as_ptr(), flags | libc::O_CLOEXEC, 0)?;
    move_out_of_the_way(fd as c_int)
}

fn connect(folder: &[u8]) -> Result<c_int> {
    let path = path(folder, wire::files::CONTROL)?;
    let mut addr =
        libc::sockaddr_un { sun_family: libc::AF_UNIX as u16, sun_path: [0; SOCKET_PATH_BYTES_MAX] };
    for (to, from) in addr.sun_path.iter_mut().zip(path) {
        *to = from as c_char;
    }
    let kind = libc::SOCK_STREAM | libc::SOCK_CLOEXEC;
    let fd = pass!(libc::SYS_socket, libc::AF_UNIX, kind, 0)? as c_int;
    pass!(libc::SYS_connect, fd, &raw const addr, size_of::<libc::sockaddr_un>())?;
    move_out_of_the_way(fd)
}

/// Moves a descriptor to a high number, so that the guest gets the same numbers as without us.
pub fn move_out_of_the_way(fd: c_int) -> Result<c_int> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    pass!(libc::SYS_prlimit64, 0, libc::RLIMIT_NOFILE, 0, &raw mut limit)?;
    let from = (limit.rlim_cur / 2).clamp(64, 2048);
    let moved = pass!(libc::SYS_fcntl, fd, libc::F_DUPFD_CLOEXEC, from)?;
    kernel::close(fd);
    Ok(moved as c_int)
}

fn map_board(folder: &[u8], node: u32) -> Result<&'static Board> {
    let mut name = [0_u8; 32];
    let prefix = wire::files::BOARD_PREFIX.as_bytes();
    name[..prefix.len()].copy_from_slice(prefix);
    let len = prefix.len() + write_decimal(&mut name[prefix.len()..], node);
    let name = core::str::from_utf8(&name[..len]).map_err(|_| Errno::INVALID)?;
    let fd = open(folder, name, libc::O_RDWR)?;
    let rights = libc::PROT_READ | libc::PROT_WRITE;
    let address = pass!(libc::SYS_mmap, 0, size_of::<Board>(), rights, libc::MAP_SHARED, fd, 0)?;
    kernel::close(fd);
    // SAFETY: the file is as long as a board, the stage made it; every byte of it is part of an atomic, and the
    // mapping is never undone.
    let board = unsafe { &*(address as *const Board) };
    if board.version.load(SeqCst) == wire::VERSION { Ok(board) } else { Err(Errno::INVALID) }
}

/// Writes a number and returns its length.
pub fn write_decimal(buffer: &mut [u8], number: u32) -> usize {
    let mut digits = [0_u8; 10];
    let mut rest = number;
    let mut n_digits = 0;
    loop {
        digits[n_digits] = b'0' + (rest % 10) as u8;
        n_digits += 1;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    for (to, from) in buffer.iter_mut().zip(digits[..n_digits].iter().rev()) {
        *to = *from;
    }
    n_digits
}

/// Sends bytes and a descriptor with the first of them.
fn send_with(fd: c_int, bytes: &[u8], descriptor: c_int) -> Result<()> {
    let mut io = libc::iovec { iov_base: bytes.as_ptr().cast_mut().cast(), iov_len: bytes.len() };
    // The data has a header and one descriptor: the length 20, padded to 24; level and type; the descriptor.
    let rights = (libc::SOL_SOCKET as u64) | ((libc::SCM_RIGHTS as u64) << 32);
    let mut control = [20, rights, u64::from(descriptor as u32)];
    // SAFETY: zeroes are a valid header of a message.
    let mut message: libc::msghdr = unsafe { core::mem::zeroed() };
    message.msg_iov = &raw mut io;
    message.msg_iovlen = 1;
    message.msg_control = control.as_mut_ptr().cast();
    message.msg_controllen = size_of_val(&control);
    let sent = pass!(libc::SYS_sendmsg, fd, &raw const message, libc::MSG_NOSIGNAL)?;
    kernel::send_all(fd, bytes.get(sent..).unwrap_or_default())
}
