//! What a program does to files: the kernel does it, and the stage is told what was made durable. Where it wants to be
//! asked before, `guard` does.
#![expect(unsafe_code, reason = "exports symbols of libc")]

use core::sync::atomic::Ordering::Relaxed;

use libc::{c_char, c_int, c_long, c_uint, c_void, iovec, off_t, size_t, ssize_t};
use wire::{FRAME_BYTES_MAX, PATH_BYTES_MAX, Request};

use crate::fds::{self, Kind};
use crate::guest::GuestPtr;
use crate::kernel::{Errno, Result, give, give_int};
use crate::session::{Session, session, write_decimal};
use crate::{guard, pass};

#[unsafe(no_mangle)]
pub extern "C" fn fsync(fd: c_int) -> c_int {
    give_int(sync_fd(fd, libc::SYS_fsync))
}

#[unsafe(no_mangle)]
pub extern "C" fn fdatasync(fd: c_int) -> c_int {
    give_int(sync_fd(fd, libc::SYS_fdatasync))
}

fn sync_fd(fd: c_int, number: c_long) -> Result<usize> {
    // It is durable before anything else can happen.
    let kernel = || pass!(number, fd).inspect(|_| tell_of_fd(fd));
    match asking().filter(|_| fds::get(fd).kind == Kind::File) {
        Some(session) => guard::sync_fd(session, fd, &kernel),
        None => kernel(),
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn sync() {
    // The kernel knows no error of this.
    let _ = pass!(libc::SYS_sync);
    tell_of_all();
}

#[unsafe(no_mangle)]
pub extern "C" fn syncfs(fd: c_int) -> c_int {
    give_int(pass!(libc::SYS_syncfs, fd).inspect(|_| tell_of_all()))
}

#[unsafe(no_mangle)]
pub extern "C" fn rename(from: *const c_char, to: *const c_char) -> c_int {
    renameat2(libc::AT_FDCWD, from, libc::AT_FDCWD, to, 0)
}

#[unsafe(no_mangle)]
pub extern "C" fn renameat(
    from_folder: c_int,
    from: *const c_char,
    to_folder: c_int,
    to: *const c_char,
) -> c_int {
    renameat2(from_folder, from, to_folder, to, 0)
}

#[unsafe(no_mangle)]
pub extern "C" fn renameat2(
    from_folder: c_int,
    from: *const c_char,
    to_folder: c_int,
    to: *const c_char,
    flags: c_uint,
) -> c_int {
    let kernel = || pass!(libc::SYS_renameat2, from_folder, from, to_folder, to, flags);
    give_int(match asking() {
        Some(session) => guard::rename(session, (from_folder, from), to, &kernel),
        None => kernel(),
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn pwrite(fd: c_int, buffer: *const c_void, len: size_t, offset: off_t) -> ssize_t {
    let kernel = |limit: usize| pass!(libc::SYS_pwrite64, fd, buffer, len.min(limit), offset);
    give(written(fd, 0, &kernel))
}

#[unsafe(no_mangle)]
pub extern "C" fn pwrite64(fd: c_int, buffer: *const c_void, len: size_t, offset: off_t) -> ssize_t {
    pwrite(fd, buffer, len, offset)
}

#[unsafe(no_mangle)]
pub extern "C" fn pwritev(fd: c_int, parts: *const iovec, n: c_int, offset: off_t) -> ssize_t {
    let kernel = |limit: usize| match limit {
        WHOLE => pass!(libc::SYS_pwritev, fd, parts, n, offset, 0),
        limit => write_parts(fd, (parts, n), Some(offset), limit),
    };
    give(written(fd, 0, &kernel))
}

#[unsafe(no_mangle)]
pub extern "C" fn pwritev64(fd: c_int, parts: *const iovec, n: c_int, offset: off_t) -> ssize_t {
    pwritev(fd, parts, n, offset)
}

#[unsafe(no_mangle)]
pub extern "C" fn pwritev2(fd: c_int, parts: *const iovec, n: c_int, offset: off_t, flags: c_int) -> ssize_t {
    let kernel = |limit: usize| match limit {
        WHOLE => pass!(libc::SYS_pwritev2, fd, parts, n, offset, 0, flags),
        limit => write_parts(fd, (parts, n), (offset >= 0).then_some(offset), limit),
    };
    give(written(fd, flags, &kernel))
}

#[unsafe(no_mangle)]
pub extern "C" fn pwritev64v2(
    fd: c_int,
    parts: *const iovec,
    n: c_int,
    offset: off_t,
    flags: c_int,
) -> ssize_t {
    pwritev2(fd, parts, n, offset, flags)
}

/// A limit for writing that is none.
pub const WHOLE: usize = usize::MAX;

/// Whether a write to this descriptor concerns the stage.
pub fn is_watched(session: &Session, fd: c_int) -> bool {
    let board = session.board;
    (board.tracks_files.load(Relaxed) != 0 || board.asks_of_files.load(Relaxed) != 0)
        && fds::get(fd).kind == Kind::File
}

/// Writes to a file with `kernel`, which is given how many bytes at most; `flags` are those of `pwritev2`.
pub fn written(fd: c_int, flags: c_int, kernel: &dyn Fn(usize) -> Result<usize>) -> Result<usize> {
    let is_durable = || flags & (libc::RWF_SYNC | libc::RWF_DSYNC) != 0 || is_synchronous(fd);
    let kernel = |limit: usize| {
        kernel(limit).inspect(|_| {
            if tracking().is_some() && is_durable() {
                tell_of_fd(fd);
            }
        })
    };
    match asking().filter(|_| fds::get(fd).kind == Kind::File) {
        Some(session) => guard::write(session, fd, &kernel),
        None => kernel(WHOLE),
    }
}

/// Whether what is written there is durable at once.
fn is_synchronous(fd: c_int) -> bool {
    pass!(libc::SYS_fcntl, fd, libc::F_GETFL)
        .is_ok_and(|flags| flags as c_int & (libc::O_SYNC | libc::O_DSYNC) != 0)
}

/// The first `limit` bytes of several parts, at an offset or where the file is.
pub fn write_parts(
    fd: c_int,
    (parts, n): (*const iovec, c_int),
    offset: Option<off_t>,
    limit: usize,
) -> Result<usize> {
    let parts = GuestPtr::new(parts);
    let mut total = 0;
    for index in 0..usize::try_from(n).map_err(|_| Errno::INVALID)? {
        let part = parts.at(index).read()?;
        let len = part.iov_len.min(limit - total);
        if len == 0 {
            continue;
        }
        total += match offset {
            Some(offset) => pass!(libc::SYS_pwrite64, fd, part.iov_base, len, offset + total as off_t)?,
            None => pass!(libc::SYS_write, fd, part.iov_base, len)?,
        };
    }
    Ok(total)
}

/// The session, if the stage wants to be asked.
pub fn asking() -> Option<&'static Session> {
    session().filter(|session| session.board.asks_of_files.load(Relaxed) != 0)
}

fn tell_of_all() {
    if let Some(session) = tracking() {
        tell(session, b"");
    }
}

/// The session, if the stage looks after files.
pub fn tracking() -> Option<&'static Session> {
    session().filter(|session| session.board.tracks_files.load(Relaxed) != 0)
}

pub fn tell(session: &Session, path: &[u8]) {
    let mut buffer = [0; FRAME_BYTES_MAX];
    // The stage takes note of its own nodes' files, and of no others.
    let _ = session.ask(&Request::Synced { path }, None, &mut buffer);
}

fn tell_of_fd(fd: c_int) {
    let Some(session) = tracking().filter(|_| fds::get(fd).kind == Kind::File) else { return };
    let mut path = [0_u8; PATH_BYTES_MAX];
    if let Some(path) = path_of(fd, &mut path) {
        tell(session, path);
    }
}

/// The path of what a descriptor stands for.
pub fn path_of(fd: c_int, buffer: &mut [u8; PATH_BYTES_MAX]) -> Option<&[u8]> {
    let prefix = b"/proc/self/fd/";
    let mut link = [0_u8; 32];
    link[..prefix.len()].copy_from_slice(prefix);
    write_decimal(&mut link[prefix.len()..], fd as u32);
    let read = pass!(libc::SYS_readlinkat, libc::AT_FDCWD, link.as_ptr(), buffer.as_mut_ptr(), buffer.len());
    read.ok().and_then(|len| buffer.get(..len))
}
