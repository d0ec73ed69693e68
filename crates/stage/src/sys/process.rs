//! Starts, ends and reaps processes.
#![expect(unsafe_code, reason = "prepares a process between fork and exec, and sends signals")]

use std::ffi::CString;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

/// The end of a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    Code(i32),
    Signal(i32),
}

/// The number of a process that was started here.
pub type Child = u32;

/// A program to start, with the preparations in the new process.
pub struct Launch<'c> {
    pub command: &'c mut Command,
}

impl Launch<'_> {
    /// Starts the program in a session of its own. Its memory layout is the same in every run, and it is killed when
    /// the thread of this process that started it ends.
    pub fn start(self) -> io::Result<Child> {
        let prepare = || {
            // SAFETY: no arguments that could be wrong; allowed between fork and exec.
            unsafe { libc::setsid() };
            // SAFETY: no arguments that could be wrong; allowed between fork and exec.
            unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0) };
            // SAFETY: no arguments that could be wrong; allowed between fork and exec. Where it is not allowed by the
            // kernel, addresses differ from run to run.
            unsafe { libc::personality(libc::ADDR_NO_RANDOMIZE as libc::c_ulong) };
            Ok(())
        };
        // SAFETY: `prepare` makes system calls alone.
        unsafe { self.command.pre_exec(prepare) };
        let child = self.command.spawn()?;
        Ok(child.id())
    }
}

/// Makes processes whose parents have ended children of this one, so that they can be found and reaped.
pub fn adopt_orphans() {
    // SAFETY: no arguments that could be wrong. Older kernels refuse, and then orphans go elsewhere.
    let _ = unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) };
}

/// Sends a signal to a process; a process that is gone is ignored.
pub fn kill(pid: u32, signal: i32) {
    if let Ok(pid) = i32::try_from(pid)
        && pid > 1
    {
        // SAFETY: no memory is involved; never the special numbers below two.
        let _ = unsafe { libc::kill(pid, signal) };
    }
}

/// The signal of a timer.
pub struct TimerSignal {
    pub signal: i32,
    /// The number of the timer.
    pub number: u32,
    pub n_overrun: i32,
    /// The value that comes with the signal.
    pub value: u64,
}

/// The kernel's structure for the information about a signal, limited to what a timer uses.
#[repr(C)]
struct SignalInfo {
    signal: i32,
    errno: i32,
    code: i32,
    pad: i32,
    number: i32,
    n_overrun: i32,
    value: u64,
    rest: [u64; 12],
}
const _: () = assert!(size_of::<SignalInfo>() == size_of::<libc::siginfo_t>());
const SI_TIMER: i32 = -2;

/// Sends a signal to a process, or to one of its threads, as the kernel does when a timer goes off.
pub fn signal_timer(pid: u32, thread: u32, signal: &TimerSignal) {
    let TimerSignal { signal, number, n_overrun, value } = *signal;
    let number = i32::try_from(number).unwrap_or(0);
    let info =
        SignalInfo { signal, errno: 0, code: SI_TIMER, pad: 0, number, n_overrun, value, rest: [0; 12] };
    if pid <= 1 {
        return;
    }
    // A process that is gone needs no signal.
    let _ = match thread {
        // SAFETY: the kernel reads an account of the size that it expects; never the special numbers below two.
        0 => unsafe { libc::syscall(libc::SYS_rt_sigqueueinfo, pid, signal, &raw const info) },
        // SAFETY: the kernel reads an account of the size that it expects; never the special numbers below two.
        _ => unsafe { libc::syscall(libc::SYS_rt_tgsigqueueinfo, pid, thread, signal, &raw const info) },
    };
}

/// Reaps a child if it has ended: `None` while it has not, `Err` if it is not a child.
pub fn reap(pid: u32, can_wait: bool) -> io::Result<Option<Exit>> {
    let mut status = 0;
    let options = if can_wait { 0 } else { libc::WNOHANG };
    let number = i32::try_from(pid).map_err(|_| io::ErrorKind::InvalidInput)?;
    // SAFETY: the status is ours.
    match unsafe { libc::waitpid(number, &raw mut status, options) } {
        0 => Ok(None),
        -1 => Err(io::Error::last_os_error()),
        _ if libc::WIFSIGNALED(status) => Ok(Some(Exit::Signal(libc::WTERMSIG(status)))),
        _ => Ok(Some(Exit::Code(libc::WEXITSTATUS(status)))),
    }
}

/// Makes a pipe with a name.
pub fn make_fifo(path: &Path) -> io::Result<()> {
    let path = CString::new(path.as_os_str().as_bytes())?;
    // SAFETY: the path ends with a zero.
    match unsafe { libc::mkfifo(path.as_ptr(), 0o600) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Opens both ends of a pipe with a name, without waiting for anybody.
pub fn open_fifo(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).custom_flags(libc::O_NONBLOCK | libc::O_CLOEXEC).open(path)
}
