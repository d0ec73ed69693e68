//! Starts a program whose system calls are heard by the stage.
#![expect(unsafe_code, reason = "prepares a process between fork and exec by system calls alone")]

use std::ffi::{CStr, CString, c_char};
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, RawFd};
use std::ptr::NonNull;
use std::sync::atomic::AtomicI32;
use std::sync::atomic::Ordering::SeqCst;

use super::notify::{Listener, borrow_descriptor, open_process};
use super::process::{kill, reap};

/// An instruction of a filter, as the kernel reads it.
pub use libc::sock_filter as Instruction;

/// A program to start behind a filter.
pub struct Supervised<'s> {
    pub program: CString,
    pub args: Vec<CString>,
    /// `NAME=VALUE`.
    pub environment: Vec<CString>,
    pub folder: CString,
    pub output: File,
    pub errors: File,
    /// The pipe whose other end only the stage has.
    pub lifeline: CString,
    pub filter: &'s [Instruction],
}

const NEW_LISTENER: libc::c_ulong = 1 << 3;
/// Signals wait until the call that is heard is answered; only one that kills does not.
const WAIT_KILLABLE: libc::c_ulong = 1 << 5;
const SET_FILTER: libc::c_ulong = 1;
const F_SETSIG: i32 = 10;

/// Returns why the kernel has no such filters, if it has none.
pub fn filter_obstacle() -> Option<io::Error> {
    let nothing: *const libc::sock_fprog = std::ptr::null();
    // SAFETY: without a filter the kernel changes nothing: it fails, either because it does not know the flags or
    // because there is no filter at this address.
    unsafe { libc::syscall(libc::SYS_seccomp, SET_FILTER, NEW_LISTENER | WAIT_KILLABLE, nothing) };
    let error = io::Error::last_os_error();
    (error.raw_os_error() != Some(libc::EFAULT)).then_some(error)
}

/// A page that this process and the new one share. Zero is nothing; a positive number is the listener's descriptor in
/// the new process plus one; a negative one is an error.
///
/// Invariant: `at` is a shared mapping of at least four bytes, which lives as long as this.
struct Page {
    at: NonNull<AtomicI32>,
}

const PAGE_BYTES: usize = 4096;

impl Page {
    fn new() -> io::Result<Page> {
        let (rights, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED | libc::MAP_ANONYMOUS);
        // SAFETY: a fresh mapping at an address of the kernel's choice.
        let at = unsafe { libc::mmap(std::ptr::null_mut(), PAGE_BYTES, rights, flags, -1, 0) };
        if at == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        Ok(Page { at: NonNull::new(at.cast()).ok_or(io::ErrorKind::OutOfMemory)? })
    }

    fn word(&self) -> &AtomicI32 {
        // SAFETY: the invariant; every value is valid for an atomic.
        unsafe { self.at.as_ref() }
    }

    /// Waits for a moment, or until the word is no longer zero.
    fn wait(&self) {
        let length = libc::timespec { tv_sec: 0, tv_nsec: 1_000_000 };
        // SAFETY: the word and the time are alive.
        unsafe { libc::syscall(libc::SYS_futex, self.at.as_ptr(), libc::FUTEX_WAIT, 0, &raw const length) };
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        // SAFETY: the invariant; no reference outlives this.
        let _ = unsafe { libc::munmap(self.at.as_ptr().cast(), PAGE_BYTES) };
    }
}

/// The arguments of the new process, in the form of C, made before it exists.
struct Prepared<'s> {
    program: &'s CStr,
    args: Vec<*const c_char>,
    environment: Vec<*const c_char>,
    folder: &'s CStr,
    lifeline: &'s CStr,
    streams: [RawFd; 3],
    filter: libc::sock_fprog,
    owner: libc::pid_t,
}

impl Supervised<'_> {
    /// Starts the program in a session of its own, as [`super::Launch`] does, and returns its number and where its
    /// calls are heard. Its first call that is heard is the one that loads the program.
    pub fn start(self) -> io::Result<(u32, Listener)> {
        let pointers = |texts: &[CString]| -> Vec<*const c_char> {
            texts.iter().map(|text| text.as_ptr()).chain([std::ptr::null()]).collect()
        };
        let nothing = File::open("/dev/null")?;
        let len = u16::try_from(self.filter.len()).map_err(|_| io::ErrorKind::InvalidInput)?;
        let prepared = Prepared {
            program: &self.program,
            args: pointers(&self.args),
            environment: pointers(&self.environment),
            folder: &self.folder,
            lifeline: &self.lifeline,
            streams: [nothing.as_raw_fd(), self.output.as_raw_fd(), self.errors.as_raw_fd()],
            filter: libc::sock_fprog { len, filter: self.filter.as_ptr().cast_mut() },
            // SAFETY: no memory is involved.
            owner: unsafe { libc::getpid() },
        };
        let page = Page::new()?;
        // SAFETY: the child makes system calls alone, on memory that was prepared before.
        match unsafe { libc::fork() } {
            -1 => Err(io::Error::last_os_error()),
            0 => become_program(&prepared, page.word()),
            pid => {
                let pid = pid as u32;
                find_listener(pid, &page).map(|listener| (pid, listener)).inspect_err(|_| {
                    kill(pid, libc::SIGKILL);
                    // It is our child, so that it can be reaped.
                    let _ = reap(pid, true);
                })
            }
        }
    }
}

/// Takes the listener from the new process, which waits for our answer.
fn find_listener(pid: u32, page: &Page) -> io::Result<Listener> {
    let fd = loop {
        match page.word().load(SeqCst) {
            0 => page.wait(),
            fd @ 1.. => break fd - 1,
            errno => return Err(io::Error::from_raw_os_error(-errno)),
        }
        if !std::path::Path::new(&format!("/proc/{pid}/exe")).exists() {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
    };
    borrow_descriptor(&open_process(pid)?, fd).map(Listener::new)
}

/// Runs in the new process, and never returns: it ends when something fails, after leaving the error on the page.
fn become_program(prepared: &Prepared<'_>, word: &AtomicI32) -> ! {
    if !prepare(prepared) || !tie(prepared) || !listen(prepared, word) {
        // The library reads this thread's own number, without allocating.
        let errno = io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO);
        word.store(-errno.max(1), SeqCst);
    } else {
        // SAFETY: the arguments end with null, and their texts with a zero.
        unsafe {
            libc::execve(prepared.program.as_ptr(), prepared.args.as_ptr(), prepared.environment.as_ptr())
        };
    }
    // SAFETY: ends this process without anything that belongs to its parent.
    unsafe { libc::_exit(127) }
}

/// Makes a system call in the new process.
///
/// Safe with numbers, with null, and with addresses of what `Prepared` holds or of what the caller's own variables are:
/// every use keeps to that.
fn call(number: libc::c_long, args: [usize; 5]) -> isize {
    let [a, b, c, d, e] = args;
    // SAFETY: the memory is alive and of the kind that the call wants, as the comment on this function says.
    (unsafe { libc::syscall(number, a, b, c, d, e) }) as isize
}

fn prepare(prepared: &Prepared<'_>) -> bool {
    call(libc::SYS_setsid, [0; 5]);
    call(libc::SYS_prctl, [libc::PR_SET_PDEATHSIG as usize, libc::SIGKILL as usize, 0, 0, 0]);
    // Where the layout of memory cannot be fixed, addresses differ from run to run.
    call(libc::SYS_personality, [libc::ADDR_NO_RANDOMIZE as usize, 0, 0, 0, 0]);
    // SAFETY: no handler of ours is involved.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
    let nothing = 0_u64;
    let mask = &raw const nothing as usize;
    call(libc::SYS_rt_sigprocmask, [libc::SIG_SETMASK as usize, mask, 0, size_of::<u64>(), 0]);
    for (number, fd) in prepared.streams.iter().enumerate() {
        if call(libc::SYS_dup3, [*fd as usize, number, 0, 0, 0]) < 0 {
            return false;
        }
    }
    call(libc::SYS_chdir, [prepared.folder.as_ptr() as usize, 0, 0, 0, 0]) == 0
}

/// Makes the kernel kill this process and those that it makes when the stage ends, in whatever way.
fn tie(prepared: &Prepared<'_>) -> bool {
    let flags = libc::O_RDONLY | libc::O_NONBLOCK | libc::O_CLOEXEC;
    let here = libc::AT_FDCWD as usize;
    let low = call(libc::SYS_openat, [here, prepared.lifeline.as_ptr() as usize, flags as usize, 0, 0]);
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    let at = &raw mut limit as usize;
    call(libc::SYS_prlimit64, [0, libc::RLIMIT_NOFILE as usize, 0, at, 0]);
    // A high number, so that the program gets the same ones as without us. It is open in all its processes.
    let from = (limit.rlim_cur / 2).clamp(64, 2048) as usize;
    let set = |fd: isize, command: i32, value: usize| {
        call(libc::SYS_fcntl, [fd as usize, command as usize, value, 0, 0])
    };
    let fd = set(low, libc::F_DUPFD, from);
    call(libc::SYS_close, [low as usize, 0, 0, 0, 0]);
    let group = -call(libc::SYS_getpid, [0; 5]);
    fd >= 0
        && set(fd, libc::F_SETOWN, group as usize) == 0
        && set(fd, F_SETSIG, libc::SIGKILL as usize) == 0
        && set(fd, libc::F_SETFL, (libc::O_ASYNC | libc::O_NONBLOCK) as usize) == 0
        // If the stage has ended before that, nobody else will notice.
        && call(libc::SYS_getppid, [0; 5]) == prepared.owner as isize
}

fn listen(prepared: &Prepared<'_>, word: &AtomicI32) -> bool {
    call(libc::SYS_prctl, [libc::PR_SET_NO_NEW_PRIVS as usize, 1, 0, 0, 0]);
    let filter = &raw const prepared.filter as usize;
    let flags = (NEW_LISTENER | WAIT_KILLABLE) as usize;
    let fd = call(libc::SYS_seccomp, [SET_FILTER as usize, flags, filter, 0, 0]);
    let Ok(fd) = i32::try_from(fd) else { return false };
    if fd >= 0 {
        word.store(fd + 1, SeqCst);
    }
    fd >= 0
}
