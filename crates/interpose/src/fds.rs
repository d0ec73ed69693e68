//! The kinds of the process's descriptors: a table of atomics, so that any thread and any signal handler can read it.
//!
//! An entry is made together with a socket or timer, determined when a descriptor of unknown origin is first used, and
//! forgotten when it is closed. Descriptors beyond the table are passed through.

use core::sync::atomic::Ordering::{Relaxed, SeqCst};
use core::sync::atomic::{AtomicI32, AtomicU64};

use libc::c_int;
use wire::Family;

use crate::kernel;

/// The number of descriptors in the table; higher ones are not tracked.
pub const FDS_MAX: usize = 65536;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Kind {
    /// The kind has not been determined yet.
    Unknown = 0,
    /// A descriptor on which a call may wait: a pipe, a terminal, a Unix socket, an eventfd.
    Plain = 1,
    /// A file or folder, on which the kernel always answers at once.
    File = 2,
    /// A stream socket without an address.
    TcpFresh = 3,
    TcpBound = 4,
    TcpListening = 5,
    /// A stream socket for which the guest has asked for a connection that the kernel does not know yet.
    TcpConnecting = 6,
    TcpConnected = 7,
    UdpFresh = 8,
    UdpBound = 9,
    /// A file whose bytes come from the seed.
    Random = 10,
    /// A timer of the board, whose number is the link.
    Timer = 11,
    Epoll = 12,
}

impl Kind {
    const ALL: [Kind; 13] = [
        Kind::Unknown,
        Kind::Plain,
        Kind::File,
        Kind::TcpFresh,
        Kind::TcpBound,
        Kind::TcpListening,
        Kind::TcpConnecting,
        Kind::TcpConnected,
        Kind::UdpFresh,
        Kind::UdpBound,
        Kind::Random,
        Kind::Timer,
        Kind::Epoll,
    ];

    pub fn is_tcp(self) -> bool {
        matches!(
            self,
            Kind::TcpFresh | Kind::TcpBound | Kind::TcpListening | Kind::TcpConnecting | Kind::TcpConnected
        )
    }

    pub fn is_udp(self) -> bool {
        matches!(self, Kind::UdpFresh | Kind::UdpBound)
    }
}

/// The facts about a descriptor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    pub kind: Kind,
    /// The family of an internet socket.
    pub family: Family,
    /// The number of its link, or of its timer, on the board.
    pub link: u32,
}

impl Entry {
    pub const UNKNOWN: Entry = Entry { kind: Kind::Unknown, family: Family::V4, link: 0 };

    pub fn new(kind: Kind) -> Entry {
        Entry { kind, ..Entry::UNKNOWN }
    }

    fn pack(self) -> u64 {
        u64::from(self.kind as u8) | u64::from(self.family as u8) << 8 | u64::from(self.link) << 32
    }

    fn unpack(bits: u64) -> Entry {
        let kind = Kind::ALL.get((bits & 0xff) as usize).copied().unwrap_or(Kind::Unknown);
        let is_it = |family: &&Family| **family as u64 == bits >> 8 & 0xff;
        let family = Family::ALL.iter().find(is_it).copied().unwrap_or(Family::V4);
        Entry { kind, family, link: (bits >> 32) as u32 }
    }
}

static ENTRIES: [AtomicU64; FDS_MAX] = [const { AtomicU64::new(0) }; FDS_MAX];
/// The time-outs that the guest gave its sockets for receiving, and, below, for sending; zero is none.
static RECEIVE_NS: [AtomicU64; FDS_MAX] = [const { AtomicU64::new(0) }; FDS_MAX];
static SEND_NS: [AtomicU64; FDS_MAX] = [const { AtomicU64::new(0) }; FDS_MAX];

/// The most descriptors of ours: one for each thread, and one for each timer that runs a function.
const OURS_MAX: usize = wire::SLOTS_MAX + wire::TIMERS_MAX;
/// Our own descriptors besides those of the session: the kickers of the process's threads, and those of some timers.
static OURS: [AtomicI32; OURS_MAX] = [const { AtomicI32::new(0) }; OURS_MAX];

fn index(fd: c_int) -> Option<usize> {
    usize::try_from(fd).ok().filter(|index| *index < FDS_MAX)
}

/// Returns the entry without asking the kernel.
pub fn peek(fd: c_int) -> Entry {
    index(fd).map_or(Entry::UNKNOWN, |index| Entry::unpack(ENTRIES[index].load(SeqCst)))
}

/// Returns the entry of a descriptor, which the kernel is asked about once.
pub fn get(fd: c_int) -> Entry {
    let known = peek(fd);
    if known.kind != Kind::Unknown {
        return known;
    }
    let Ok(stat) = kernel::stat(fd) else { return Entry::UNKNOWN };
    let found = match stat.st_mode & libc::S_IFMT {
        libc::S_IFREG | libc::S_IFDIR | libc::S_IFBLK => Entry::new(Kind::File),
        libc::S_IFSOCK => crate::net::adopt(fd, stat.st_ino),
        _ => Entry::new(Kind::Plain),
    };
    set(fd, found);
    found
}

pub fn set(fd: c_int, entry: Entry) {
    if let Some(index) = index(fd) {
        ENTRIES[index].store(entry.pack(), SeqCst);
    }
}

/// Forgets the entry of a descriptor that is closed.
pub fn forget(fd: c_int) {
    if let Some(index) = index(fd) {
        ENTRIES[index].store(0, SeqCst);
        RECEIVE_NS[index].store(0, Relaxed);
        SEND_NS[index].store(0, Relaxed);
    }
}

/// Gives `to` the entry of `from`, of which it is a duplicate.
pub fn copy(from: c_int, to: c_int) {
    set(to, peek(from));
    for option in [libc::SO_RCVTIMEO, libc::SO_SNDTIMEO] {
        set_timeout_ns(to, option, timeout_ns(from, option));
    }
}

fn timeouts(option: c_int) -> &'static [AtomicU64; FDS_MAX] {
    if option == libc::SO_RCVTIMEO { &RECEIVE_NS } else { &SEND_NS }
}

pub fn timeout_ns(fd: c_int, option: c_int) -> u64 {
    index(fd).map_or(0, |index| timeouts(option)[index].load(Relaxed))
}

pub fn set_timeout_ns(fd: c_int, option: c_int, value: u64) {
    if let Some(index) = index(fd) {
        timeouts(option)[index].store(value, Relaxed);
    }
}

pub fn is_ours(fd: c_int) -> bool {
    // Kickers are moved to high numbers, so that most descriptors need no search.
    fd >= 64 && OURS.iter().any(|own| own.load(Relaxed) == fd)
}

pub fn set_ours(fd: c_int) {
    let free = OURS.iter().find(|own| own.compare_exchange(0, fd, SeqCst, Relaxed).is_ok());
    debug_assert!(free.is_some(), "as many places as threads and timers");
}

pub fn forget_ours(fd: c_int) {
    if let Some(own) = OURS.iter().find(|own| own.load(SeqCst) == fd) {
        own.store(0, SeqCst);
    }
}

/// Closes the kickers in a child process, which has none of its parent's threads.
pub fn close_ours() {
    for own in &OURS {
        let fd = own.swap(0, SeqCst);
        if fd > 0 {
            kernel::close(fd);
        }
    }
}
