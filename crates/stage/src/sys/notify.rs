//! Hears of the system calls of programs that were started with a filter, and answers them.
#![expect(unsafe_code, reason = "the kernel's interface for this is not in the standard library")]

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

/// A system call that waits for our answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Notice {
    id: u64,
    /// The thread that makes it.
    pub tid: u32,
    pub number: i64,
    pub args: [u64; 6],
}

/// The answer to a system call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoticeAnswer {
    Value(i64),
    Error(i32),
    /// The kernel carries the call out.
    Continue,
}

// The kernel's structures (linux/seccomp.h).
#[repr(C)]
#[derive(Default)]
struct RawNotice {
    id: u64,
    tid: u32,
    flags: u32,
    number: i32,
    arch: u32,
    instruction: u64,
    args: [u64; 6],
}

#[repr(C)]
struct RawAnswer {
    id: u64,
    value: i64,
    error: i32,
    flags: u32,
}

#[repr(C)]
struct RawDescriptor {
    id: u64,
    flags: u32,
    source: u32,
    wanted: u32,
    descriptor_flags: u32,
}

const RECEIVE: libc::c_ulong = 0xc050_2100;
const SEND: libc::c_ulong = 0xc018_2101;
const IS_VALID: libc::c_ulong = 0x4008_2102;
const ADD_DESCRIPTOR: libc::c_ulong = 0x4018_2103;
const FLAG_CONTINUE: u32 = 1;
const FLAG_SEND: u32 = 2;
const _: () = assert!(size_of::<RawNotice>() == 80 && size_of::<RawAnswer>() == 24);
const _: () = assert!(size_of::<RawDescriptor>() == 24);

/// The end at which the calls of one node's programs are heard.
pub struct Listener(OwnedFd);

impl Listener {
    pub fn new(descriptor: OwnedFd) -> Listener {
        Listener(descriptor)
    }

    pub fn descriptor(&self) -> &OwnedFd {
        &self.0
    }

    /// Returns the next call that waits, if there is one; never waits itself.
    pub fn receive(&self) -> io::Result<Option<Notice>> {
        loop {
            let mut one = libc::pollfd { fd: self.0.as_raw_fd(), events: libc::POLLIN, revents: 0 };
            // SAFETY: one entry, which is ours.
            let n = unsafe { libc::poll(&raw mut one, 1, 0) };
            if n <= 0 || one.revents & libc::POLLIN == 0 {
                return Ok(None);
            }
            let mut raw = RawNotice::default();
            // SAFETY: a structure of the size that the number of the request has in it.
            if unsafe { libc::ioctl(self.0.as_raw_fd(), RECEIVE, &raw mut raw) } == 0 {
                let (id, tid, number, args) = (raw.id, raw.tid, i64::from(raw.number), raw.args);
                return Ok(Some(Notice { id, tid, number, args }));
            }
            match io::Error::last_os_error() {
                // The thread has ended meanwhile, or a signal came before we heard of the call: it is made again.
                error if error.raw_os_error() == Some(libc::ENOENT) => {}
                error if error.kind() == io::ErrorKind::Interrupted => {}
                error => return Err(error),
            }
        }
    }

    /// Whether the thread still waits for the answer. What was read of its memory before counts only then.
    pub fn is_valid(&self, notice: &Notice) -> bool {
        // SAFETY: the kernel reads one number.
        unsafe { libc::ioctl(self.0.as_raw_fd(), IS_VALID, &raw const notice.id) == 0 }
    }

    /// Answers a call. A thread that is gone needs no answer.
    pub fn answer(&self, notice: &Notice, answer: NoticeAnswer) {
        let (value, error, flags) = match answer {
            NoticeAnswer::Value(value) => (value, 0, 0),
            NoticeAnswer::Error(errno) => (0, -errno, 0),
            NoticeAnswer::Continue => (0, 0, FLAG_CONTINUE),
        };
        let raw = RawAnswer { id: notice.id, value, error, flags };
        // SAFETY: a structure of the size that the number of the request has in it.
        let _ = unsafe { libc::ioctl(self.0.as_raw_fd(), SEND, &raw const raw) };
    }

    /// Answers a call with a new descriptor of the program, which stands for what ours stands for. Returns the error
    /// with which the call must be answered instead.
    pub fn answer_descriptor(
        &self,
        notice: &Notice,
        descriptor: &OwnedFd,
        closes_on_exec: bool,
    ) -> Result<(), i32> {
        let raw = RawDescriptor {
            id: notice.id,
            flags: FLAG_SEND,
            source: descriptor.as_raw_fd() as u32,
            wanted: 0,
            descriptor_flags: if closes_on_exec { libc::O_CLOEXEC as u32 } else { 0 },
        };
        // SAFETY: a structure of the size that the number of the request has in it.
        match unsafe { libc::ioctl(self.0.as_raw_fd(), ADD_DESCRIPTOR, &raw const raw) } {
            0.. => Ok(()),
            _ => Err(io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO)),
        }
    }
}

/// Opens a process, for [`borrow_descriptor`].
pub fn open_process(pid: u32) -> io::Result<OwnedFd> {
    // SAFETY: no memory is involved.
    let fd = unsafe { libc::syscall(libc::SYS_pidfd_open, pid, 0) };
    take(fd)
}

/// Makes a descriptor of ours for what a descriptor of a process stands for.
pub fn borrow_descriptor(process: &OwnedFd, fd: i32) -> io::Result<OwnedFd> {
    // SAFETY: no memory is involved.
    let fd = unsafe { libc::syscall(libc::SYS_pidfd_getfd, process.as_raw_fd(), fd, 0) };
    take(fd)
}

fn take(fd: i64) -> io::Result<OwnedFd> {
    match i32::try_from(fd) {
        // SAFETY: a fresh descriptor that nobody else knows.
        Ok(fd) if fd >= 0 => Ok(unsafe { OwnedFd::from_raw_fd(fd) }),
        Ok(_) | Err(_) => Err(io::Error::last_os_error()),
    }
}
