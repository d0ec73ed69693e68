//! Connections that are being made, and the epoll sets that they will be put back into.

use core::sync::atomic::Ordering::{Relaxed, SeqCst};
use core::sync::atomic::{AtomicI32, AtomicU32, AtomicU64};

use libc::{c_int, epoll_event};
use wire::{Addr, Ip, Outcome};

use super::addr::Sockaddr;
use super::refusal;
use crate::fds::{self, Entry, Kind};
use crate::guest::GuestPtr;
use crate::kernel::{Errno, Result};
use crate::lock::{HeldLock, Lock};
use crate::pass;
use crate::session::{Session, session};
use crate::wait::set_blocking;

/// The most connections of one process that can be in progress at once.
pub const PENDING_MAX: usize = 256;
/// The most sockets in epoll sets of one process.
const WATCHED_MAX: usize = 8192;

/// A descriptor plus one, and the ports to connect it to when the outcome is known.
struct Attempt {
    fd: AtomicI32,
    open_port: AtomicU32,
    closed_port: AtomicU32,
}

impl Attempt {
    /// Returns the port to which the kernel's socket is connected.
    fn port(&self, outcome: Outcome) -> &AtomicU32 {
        match outcome {
            Outcome::Accepted | Outcome::Broken => &self.open_port,
            Outcome::Pending | Outcome::Refused | Outcome::TimedOut | Outcome::Unreachable => {
                &self.closed_port
            }
        }
    }
}

static ATTEMPTS: [Attempt; PENDING_MAX] = [const {
    Attempt { fd: AtomicI32::new(0), open_port: AtomicU32::new(0), closed_port: AtomicU32::new(0) }
}; PENDING_MAX];

/// A socket in an epoll set. Invariant: written with `TABLES` held; `fd` is zero when the place is free.
struct Watched {
    /// The descriptor plus one.
    fd: AtomicI32,
    epoll: AtomicI32,
    events: AtomicU32,
    data: AtomicU64,
    /// Whether it was taken out of the kernel's set, and must be put back.
    is_out: AtomicU32,
}

static WATCHED: [Watched; WATCHED_MAX] = [const {
    Watched {
        fd: AtomicI32::new(0),
        epoll: AtomicI32::new(0),
        events: AtomicU32::new(0),
        data: AtomicU64::new(0),
        is_out: AtomicU32::new(0),
    }
}; WATCHED_MAX];

/// The last place that was ever used, plus one.
static N_WATCHED: AtomicU32 = AtomicU32::new(0);
static N_ATTEMPTS: AtomicU32 = AtomicU32::new(0);
static TABLES: Lock = Lock::new();

/// Holds the tables during a fork, so that the child finds them consistent.
pub fn hold_tables() -> HeldLock<'static> {
    TABLES.hold()
}

/// Whether this is a connection that is not decided, or not settled, yet.
pub fn is_pending(fd: c_int) -> bool {
    fds::peek(fd).kind == Kind::TcpConnecting
}

/// Begins an attempt to connect: takes the socket out of every epoll set until it is decided.
pub fn begin(fd: c_int, entry: Entry, open_port: u16, closed_port: u16) -> Result<()> {
    let _held = TABLES.hold();
    let free = ATTEMPTS.iter().find(|attempt| attempt.fd.load(Relaxed) == 0).ok_or(Errno(libc::ENOBUFS))?;
    free.open_port.store(u32::from(open_port), Relaxed);
    free.closed_port.store(u32::from(closed_port), Relaxed);
    free.fd.store(fd + 1, SeqCst);
    N_ATTEMPTS.fetch_add(1, SeqCst);
    fds::set(fd, Entry { kind: Kind::TcpConnecting, ..entry });
    for watched in of_fd(fd) {
        // If it is out of the set already, there is nothing to do.
        let _ = pass!(libc::SYS_epoll_ctl, watched.epoll.load(Relaxed), libc::EPOLL_CTL_DEL, fd, 0);
        watched.is_out.store(1, Relaxed);
    }
    Ok(())
}

fn places() -> &'static [Watched] {
    WATCHED.get(..N_WATCHED.load(SeqCst) as usize).unwrap_or(&WATCHED)
}

fn of_fd(fd: c_int) -> impl Iterator<Item = &'static Watched> {
    places().iter().filter(move |watched| watched.fd.load(Relaxed) == fd + 1)
}

/// Connects every socket of this process whose attempt the stage has decided, and shows refusals of datagrams.
pub fn settle_all(session: &Session) {
    refusal::show_all(session);
    if N_ATTEMPTS.load(SeqCst) == 0 {
        return;
    }
    let _held = TABLES.hold();
    for attempt in &ATTEMPTS {
        let fd = attempt.fd.load(SeqCst) - 1;
        if fd >= 0 && outcome(session, fd) != Outcome::Pending {
            finish(session, attempt, fd);
        }
    }
}

/// Settles connections as [`settle_all`] does, if the descriptor that the guest asks about has news.
pub fn settle(fd: c_int) {
    let has_news = |session: &&Session| is_pending(fd) || refusal::is_news(session);
    if let Some(session) = session().filter(has_news) {
        settle_all(session);
    }
}

fn outcome(session: &Session, fd: c_int) -> Outcome {
    let link = fds::peek(fd).link as usize;
    let word = session.board.links.get(link).map_or(0, |link| link.outcome.load(SeqCst));
    Outcome::from_word(word).unwrap_or(Outcome::Refused)
}

/// Connects a socket whose attempt is decided; `TABLES` must be held. From now on the guest sees what the kernel says
/// of the connection.
fn finish(session: &Session, attempt: &Attempt, fd: c_int) {
    let entry = fds::peek(fd);
    let port = attempt.port(outcome(session, fd));
    let was_blocking = crate::kernel::is_blocking(fd);
    // It does not wait, so that the kernel keeps an error for the guest to fetch.
    let _ = set_blocking(fd, false);
    let _ = connect_kernel(fd, entry.family.is_v6(), port.load(Relaxed) as u16);
    if was_blocking {
        let _ = set_blocking(fd, true);
    }
    end(attempt, fd, entry);
}

/// Ends an attempt and puts the socket back into its epoll sets; `TABLES` must be held.
fn end(attempt: &Attempt, fd: c_int, entry: Entry) {
    fds::set(fd, Entry { kind: Kind::TcpConnected, ..entry });
    attempt.fd.store(0, SeqCst);
    N_ATTEMPTS.fetch_sub(1, SeqCst);
    for watched in of_fd(fd).filter(|watched| watched.is_out.swap(0, Relaxed) != 0) {
        let mut event = epoll_event { events: watched.events.load(Relaxed), u64: watched.data.load(Relaxed) };
        // The set may be closed by now; then nobody waits.
        let _ =
            pass!(libc::SYS_epoll_ctl, watched.epoll.load(Relaxed), libc::EPOLL_CTL_ADD, fd, &raw mut event);
    }
}

/// Connects the kernel's socket and waits for that, for a guest that waits.
pub fn finish_waiting(session: &Session, fd: c_int) -> Result<usize> {
    let _held = TABLES.hold();
    let entry = fds::peek(fd);
    let Some(attempt) = ATTEMPTS.iter().find(|attempt| attempt.fd.load(SeqCst) == fd + 1) else {
        return Ok(0);
    };
    let outcome = outcome(session, fd);
    let port = attempt.port(outcome);
    let result = connect_kernel(fd, entry.family.is_v6(), port.load(Relaxed) as u16);
    end(attempt, fd, entry);
    result.map_err(|errno| translate_outcome(outcome, errno))
}

fn connect_kernel(fd: c_int, is_v6: bool, port: u16) -> Result<usize> {
    let addr = Sockaddr::new(Addr::new(Ip::loopback(is_v6), port));
    pass!(libc::SYS_connect, fd, addr.as_ptr(), addr.len())
}

/// Returns the error that the guest sees, while the kernel's is always "refused".
fn translate_outcome(outcome: Outcome, errno: Errno) -> Errno {
    match (outcome, errno.0) {
        (Outcome::TimedOut, libc::ECONNREFUSED) => Errno::TIMED_OUT,
        (Outcome::Unreachable, libc::ECONNREFUSED) => Errno(libc::EHOSTUNREACH),
        (
            Outcome::Pending
            | Outcome::Accepted
            | Outcome::Refused
            | Outcome::TimedOut
            | Outcome::Unreachable
            | Outcome::Broken,
            _,
        ) => errno,
    }
}

/// Makes the first send on a connection that is to break fail, as if the other side had reset it.
pub fn break_off(session: &Session, fd: c_int, entry: Entry) -> Result<()> {
    let link = session.board.links.get(entry.link as usize);
    let (is, was) = (Outcome::Broken.word(), Outcome::Accepted.word());
    let Some(link) = link.filter(|link| link.outcome.compare_exchange(is, was, SeqCst, SeqCst).is_ok())
    else {
        return Ok(());
    };
    // From now on the kernel says what it says of a connection whose reset was seen: the end, and broken pipes.
    let _ = pass!(libc::SYS_shutdown, fd, libc::SHUT_RDWR);
    link.saw_end.store(1, SeqCst);
    Err(Errno(libc::ECONNRESET))
}

/// Translates an error of a socket's connection to the one that the guest must see.
pub fn translate(session: &Session, entry: Entry, errno: Errno) -> Errno {
    let word = session.board.links.get(entry.link as usize).map_or(0, |link| link.outcome.load(SeqCst));
    translate_outcome(Outcome::from_word(word).unwrap_or(Outcome::Pending), errno)
}

/// Calls `epoll_ctl` and remembers it for stream sockets, so that they can be taken out and put back.
pub fn epoll_ctl(
    _session: &Session,
    epoll: c_int,
    operation: c_int,
    fd: c_int,
    event: GuestPtr<epoll_event>,
) -> Result<usize> {
    let kernel = || pass!(libc::SYS_epoll_ctl, epoll, operation, fd, event.address());
    if !fds::get(fd).kind.is_tcp() {
        return kernel();
    }
    let _held = TABLES.hold();
    let known = of_fd(fd).find(|watched| watched.epoll.load(Relaxed) == epoll);
    let is_out = is_pending(fd);
    if is_out {
        check(operation, known.is_some())?;
    } else {
        kernel()?;
    }
    match operation {
        libc::EPOLL_CTL_DEL => known.into_iter().for_each(|watched| watched.fd.store(0, SeqCst)),
        _ => keep(known, epoll, fd, event.read()?, is_out)?,
    }
    Ok(0)
}

/// Returns the error that the kernel would give, while the socket is out of its sets.
fn check(operation: c_int, is_known: bool) -> Result<()> {
    match (operation, is_known) {
        (libc::EPOLL_CTL_ADD, true) => Err(Errno(libc::EEXIST)),
        (libc::EPOLL_CTL_MOD | libc::EPOLL_CTL_DEL, false) => Err(Errno(libc::ENOENT)),
        _ => Ok(()),
    }
}

fn keep(
    known: Option<&'static Watched>,
    epoll: c_int,
    fd: c_int,
    event: epoll_event,
    is_out: bool,
) -> Result<()> {
    let free = || WATCHED.iter().position(|watched| watched.fd.load(Relaxed) == 0);
    let watched = match known {
        Some(watched) => watched,
        None => {
            let index = free().ok_or(Errno(libc::ENOSPC))?;
            N_WATCHED.fetch_max(index as u32 + 1, SeqCst);
            &WATCHED[index]
        }
    };
    watched.epoll.store(epoll, Relaxed);
    watched.events.store(event.events, Relaxed);
    watched.data.store(event.u64, Relaxed);
    watched.is_out.store(u32::from(is_out), Relaxed);
    watched.fd.store(fd + 1, SeqCst);
    Ok(())
}

/// Forgets a descriptor that is closed; the kernel takes it out of its sets by itself.
pub fn forget(fd: c_int) {
    let _held = TABLES.hold();
    for watched in places() {
        if watched.fd.load(Relaxed) == fd + 1 || watched.epoll.load(Relaxed) == fd {
            watched.fd.store(0, SeqCst);
        }
    }
    for attempt in ATTEMPTS.iter().filter(|attempt| attempt.fd.load(SeqCst) == fd + 1) {
        attempt.fd.store(0, SeqCst);
        N_ATTEMPTS.fetch_sub(1, SeqCst);
    }
}
