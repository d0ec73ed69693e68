//! System calls without libc in between: our own calls must reach the kernel, not our own symbols.
//!
//! `errno` is touched by [`give`] alone, at the very end of an entry point.
#![expect(unsafe_code, reason = "enters the kernel")]

use core::arch::asm;

use libc::{c_int, c_long};

/// An error, as the kernel numbers it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Errno(pub i32);

impl Errno {
    pub const AGAIN: Errno = Errno(libc::EAGAIN);
    pub const INTERRUPTED: Errno = Errno(libc::EINTR);
    pub const INVALID: Errno = Errno(libc::EINVAL);
    pub const FAULT: Errno = Errno(libc::EFAULT);
    pub const TIMED_OUT: Errno = Errno(libc::ETIMEDOUT);
}

pub type Result<T> = core::result::Result<T, Errno>;

/// The first of the results that are errors: the last page of addresses.
const ERRORS_FROM: isize = -4095;

/// Enters the kernel.
///
/// # Safety
/// The call must be allowed to access the memory at its arguments as it does.
#[cfg(target_arch = "x86_64")]
unsafe fn enter(number: c_long, args: [usize; 6]) -> isize {
    let result: isize;
    let [a, b, c, d, e, f] = args;
    // SAFETY: the calling convention of the kernel; the caller vouches for the arguments.
    unsafe {
        asm!("syscall", inlateout("rax") number as isize => result, in("rdi") a, in("rsi") b, in("rdx") c,
            in("r10") d, in("r8") e, in("r9") f, lateout("rcx") _, lateout("r11") _, options(nostack));
    }
    result
}

/// Enters the kernel.
///
/// # Safety
/// The call must be allowed to access the memory at its arguments as it does.
#[cfg(target_arch = "aarch64")]
unsafe fn enter(number: c_long, args: [usize; 6]) -> isize {
    let result: isize;
    let [a, b, c, d, e, f] = args;
    // SAFETY: the calling convention of the kernel; the caller vouches for the arguments.
    unsafe {
        asm!("svc 0", in("x8") number, inlateout("x0") a as isize => result, in("x1") b, in("x2") c,
            in("x3") d, in("x4") e, in("x5") f, options(nostack));
    }
    result
}

/// Passes on a call that the guest made: with the guest's own arguments, with copies of what they point to in memory
/// that outlives the call, or with addresses of our statics.
///
/// Safe to call with those: the kernel checks every address, and writes where the guest asked it to write or where a
/// live buffer of ours is. Each use keeps to that.
pub fn pass(number: c_long, args: [usize; 6]) -> Result<usize> {
    // SAFETY: the memory is the guest's to give or alive and ours, as the comment on this function says.
    let result = unsafe { enter(number, args) };
    if (ERRORS_FROM..0).contains(&result) { Err(Errno(-result as i32)) } else { Ok(result as usize) }
}

/// Calls the kernel: `pass!(SYS_read, fd, buffer, len)`.
#[macro_export]
macro_rules! pass {
    ($number:expr $(, $arg:expr)* $(,)?) => {{
        #[allow(unused_mut, unused_assignments, reason = "calls of all lengths")]
        {
            let mut args = [0_usize; 6];
            let mut at = 0;
            $(args[at] = $arg as usize; at += 1;)*
            let _ = at;
            $crate::kernel::pass($number, args)
        }
    }};
}

/// Returns what a libc function returns for this result: the value, or -1 and `errno`.
pub fn give(result: Result<usize>) -> isize {
    match result {
        Ok(value) => value as isize,
        Err(errno) => {
            set_errno(errno);
            -1
        }
    }
}

/// Returns what a libc function of type `int` returns for this result, as [`give`] does.
pub fn give_int(result: Result<usize>) -> c_int {
    give(result) as c_int
}

/// Returns what a `pthread` function returns for this result: zero, or the error itself.
pub fn give_error(result: Result<()>) -> c_int {
    match result {
        Ok(()) => 0,
        Err(errno) => errno.0,
    }
}

fn set_errno(errno: Errno) {
    // SAFETY: gives the address of this thread's own `errno`, always.
    let place = unsafe { libc::__errno_location() };
    // SAFETY: the address of this thread's own `errno`; nobody else has it.
    unsafe { *place = errno.0 };
}

pub fn close(fd: c_int) {
    // Nothing can be done about a descriptor that cannot be closed.
    let _ = pass!(libc::SYS_close, fd);
}

pub fn tid() -> u32 {
    pass!(libc::SYS_gettid).unwrap_or(0) as u32
}

pub fn pid() -> u32 {
    pass!(libc::SYS_getpid).unwrap_or(0) as u32
}

/// Sends all of `bytes`, or fails.
pub fn send_all(fd: c_int, mut bytes: &[u8]) -> Result<()> {
    while !bytes.is_empty() {
        match pass!(libc::SYS_sendto, fd, bytes.as_ptr(), bytes.len(), libc::MSG_NOSIGNAL, 0, 0) {
            Ok(n) => bytes = bytes.get(n..).unwrap_or_default(),
            Err(Errno::INTERRUPTED) => {}
            Err(errno) => return Err(errno),
        }
    }
    Ok(())
}

/// Fills `buffer`, or fails.
pub fn receive_all(fd: c_int, buffer: &mut [u8]) -> Result<()> {
    let mut len = 0;
    while len < buffer.len() {
        let rest = &mut buffer[len..];
        match pass!(libc::SYS_recvfrom, fd, rest.as_mut_ptr(), rest.len(), 0, 0, 0) {
            Ok(0) => return Err(Errno(libc::ECONNRESET)),
            Ok(n) => len += n,
            Err(Errno::INTERRUPTED) => {}
            Err(errno) => return Err(errno),
        }
    }
    Ok(())
}

/// Returns the inode behind a descriptor: equal for duplicates, in other processes too.
pub fn inode(fd: c_int) -> Result<u64> {
    Ok(stat(fd)?.st_ino)
}

pub fn stat(fd: c_int) -> Result<libc::stat> {
    // SAFETY: zeroes are a valid `stat`.
    let mut stat: libc::stat = unsafe { core::mem::zeroed() };
    pass!(libc::SYS_fstat, fd, &raw mut stat)?;
    Ok(stat)
}

/// Whether calls on this descriptor may wait.
pub fn is_blocking(fd: c_int) -> bool {
    pass!(libc::SYS_fcntl, fd, libc::F_GETFL).is_ok_and(|flags| flags as c_int & libc::O_NONBLOCK == 0)
}
