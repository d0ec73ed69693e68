//! Calls on files: the kernel carries them out, and the stage learns what was made durable. If the stage wants to be
//! asked before, `guard` does that.
#![expect(unsafe_code, reason = "exports symbols of libc")]

use core::sync::atomic::Ordering::Relaxed;

use libc::{c_char, c_int, c_long, c_uint, c_void, iovec, off_t, size_t, ssize_t};
use wire::{FRAME_BYTES_MAX, PATH_BYTES_MAX, Request};

use crate::fds::{self, Entry, Kind};
use crate::guest::GuestPtr;
use crate::kernel::{self, Errno, Result, give, give_int};
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

/// Makes a file durable by `fsync` or `fdatasync`.
pub fn sync_fd(fd: c_int, number: c_long) -> Result<usize> {
    // It is reported as durable before anything else can happen.
    let kernel = || pass!(number, fd).inspect(|_| tell_of_fd(fd));
    match session_to_ask().filter(|_| fds::get(fd).kind == Kind::File) {
        Some(session) => guard::sync_fd(session, fd, &kernel),
        None => kernel(),
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn sync() {
    // This call has no errors.
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
    give_int(match session_to_ask() {
        Some(session) => guard::rename(session, (from_folder, from), to, &kernel),
        None => kernel(),
    })
}

/// Opens a descriptor that only stands for a file by its name, and cannot be used to read or write.
pub fn look_up((folder, path): (c_int, *const c_char)) -> Option<c_int> {
    let flags = libc::O_PATH | libc::O_NOFOLLOW | libc::O_CLOEXEC;
    pass!(libc::SYS_openat, folder, path, flags, 0).ok().map(|fd| fd as c_int)
}

#[unsafe(no_mangle)]
pub extern "C" fn ftruncate(fd: c_int, len: off_t) -> c_int {
    let done = pass!(libc::SYS_ftruncate, fd, len);
    give_int(done.inspect(|_| tell_of_change(fd, None, 0)))
}

#[unsafe(no_mangle)]
pub extern "C" fn ftruncate64(fd: c_int, len: off_t) -> c_int {
    ftruncate(fd, len)
}

#[unsafe(no_mangle)]
pub extern "C" fn truncate(path: *const c_char, len: off_t) -> c_int {
    give_int(pass!(libc::SYS_truncate, path, len).inspect(|_| {
        if let Some(fd) = tracking_session().and_then(|_| look_up((libc::AT_FDCWD, path))) {
            tell_of_change(fd, None, 0);
            kernel::close(fd);
        }
    }))
}

#[unsafe(no_mangle)]
pub extern "C" fn truncate64(path: *const c_char, len: off_t) -> c_int {
    truncate(path, len)
}

#[unsafe(no_mangle)]
pub extern "C" fn fallocate(fd: c_int, mode: c_int, offset: off_t, len: off_t) -> c_int {
    let done = pass!(libc::SYS_fallocate, fd, mode, offset, len);
    // Some of its modes make holes; then the whole range counts as written.
    give_int(done.inspect(|_| tell_of_change(fd, Some(offset), if mode == 0 { 0 } else { len as usize })))
}

#[unsafe(no_mangle)]
pub extern "C" fn fallocate64(fd: c_int, mode: c_int, offset: off_t, len: off_t) -> c_int {
    fallocate(fd, mode, offset, len)
}

#[unsafe(no_mangle)]
pub extern "C" fn copy_file_range(
    from: c_int,
    from_offset: *mut off_t,
    to: c_int,
    to_offset: *mut off_t,
    len: size_t,
    flags: c_uint,
) -> ssize_t {
    let offset = GuestPtr::new(to_offset).opt_read();
    let kernel = |limit: usize| {
        pass!(libc::SYS_copy_file_range, from, from_offset, to, to_offset, len.min(limit), flags)
    };
    give(write_watched(to, offset, 0, &kernel))
}

/// Reports that a file has been written to, at an offset or up to its current position, or that its length has changed.
pub fn tell_of_change(fd: c_int, offset: Option<off_t>, n: usize) {
    let is_own = |entry: Entry| entry.kind == Kind::File && entry.link != ELSEWHERE;
    let Some(session) = tracking_session().filter(|_| is_own(fds::get(fd))) else { return };
    let mut path = [0; PATH_BYTES_MAX];
    let Some(path) = path_of(fd, &mut path) else { return };
    let offset = match offset.filter(|_| !is_appended(fd)) {
        Some(offset) => offset as u64,
        None => end_of_write(fd).saturating_sub(n as u64),
    };
    let mut buffer = [0; FRAME_BYTES_MAX];
    let told = session.ask(&Request::Changed { path, offset, len: n as u64 }, None, &mut buffer);
    if told == Err(Errno(libc::ENOENT)) {
        fds::set(fd, Entry { link: ELSEWHERE, ..fds::get(fd) });
    }
}

/// The value in place of a link for a file that is not in the node's folder.
const ELSEWHERE: u32 = 1;

fn is_appended(fd: c_int) -> bool {
    pass!(libc::SYS_fcntl, fd, libc::F_GETFL).is_ok_and(|flags| flags as c_int & libc::O_APPEND != 0)
}

/// Returns the position where the last write to a descriptor ended.
fn end_of_write(fd: c_int) -> u64 {
    match is_appended(fd) {
        true => kernel::stat(fd).map_or(0, |stat| stat.st_size as u64),
        false => pass!(libc::SYS_lseek, fd, 0, libc::SEEK_CUR).unwrap_or(0) as u64,
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn pwrite(fd: c_int, buffer: *const c_void, len: size_t, offset: off_t) -> ssize_t {
    let kernel = |limit: usize| pass!(libc::SYS_pwrite64, fd, buffer, len.min(limit), offset);
    give(write_watched(fd, Some(offset), 0, &kernel))
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
    give(write_watched(fd, Some(offset), 0, &kernel))
}

#[unsafe(no_mangle)]
pub extern "C" fn pwritev64(fd: c_int, parts: *const iovec, n: c_int, offset: off_t) -> ssize_t {
    pwritev(fd, parts, n, offset)
}

#[unsafe(no_mangle)]
pub extern "C" fn pwritev2(fd: c_int, parts: *const iovec, n: c_int, offset: off_t, flags: c_int) -> ssize_t {
    give(write_parts_at(fd, (parts, n), offset, flags))
}

/// Writes parts as `pwritev2` does.
pub fn write_parts_at(
    fd: c_int,
    (parts, n): (*const iovec, c_int),
    offset: off_t,
    flags: c_int,
) -> Result<usize> {
    let kernel = |limit: usize| match limit {
        WHOLE => pass!(libc::SYS_pwritev2, fd, parts, n, offset, 0, flags),
        limit => write_parts(fd, (parts, n), (offset >= 0).then_some(offset), limit),
    };
    write_watched(fd, (offset >= 0).then_some(offset), flags, &kernel)
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

/// A limit for writing that allows everything.
pub const WHOLE: usize = usize::MAX;

/// Whether a write to this descriptor concerns the stage.
pub fn is_watched(session: &Session, fd: c_int) -> bool {
    let board = session.board;
    (board.tracks_files.load(Relaxed) != 0 || board.asks_of_files.load(Relaxed) != 0)
        && fds::get(fd).kind == Kind::File
}

/// Writes to a file with `kernel`, which gets the most bytes to write, at an offset or at the file's position. `flags`
/// are those of `pwritev2`.
pub fn write_watched(
    fd: c_int,
    offset: Option<off_t>,
    flags: c_int,
    kernel: &dyn Fn(usize) -> Result<usize>,
) -> Result<usize> {
    let is_durable = || flags & (libc::RWF_SYNC | libc::RWF_DSYNC) != 0 || is_synchronous(fd);
    let kernel = |limit: usize| {
        kernel(limit).inspect(|n| {
            if tracking_session().is_some() {
                tell_of_change(fd, offset, *n);
                if is_durable() {
                    tell_of_fd(fd);
                }
            }
        })
    };
    match session_to_ask().filter(|_| fds::get(fd).kind == Kind::File) {
        Some(session) => guard::write(session, fd, &kernel),
        None => kernel(WHOLE),
    }
}

/// Whether writes to a descriptor are durable at once.
fn is_synchronous(fd: c_int) -> bool {
    pass!(libc::SYS_fcntl, fd, libc::F_GETFL)
        .is_ok_and(|flags| flags as c_int & (libc::O_SYNC | libc::O_DSYNC) != 0)
}

/// Writes the first `limit` bytes of several parts, at an offset or at the file's position.
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

/// Returns the session, if the stage wants to be asked.
pub fn session_to_ask() -> Option<&'static Session> {
    session().filter(|session| session.board.asks_of_files.load(Relaxed) != 0)
}

fn tell_of_all() {
    if let Some(session) = tracking_session() {
        tell(session, b"");
    }
}

/// Returns the session, if the stage tracks files.
pub fn tracking_session() -> Option<&'static Session> {
    session().filter(|session| session.board.tracks_files.load(Relaxed) != 0)
}

pub fn tell(session: &Session, path: &[u8]) {
    let mut buffer = [0; FRAME_BYTES_MAX];
    // The stage only records files of its own nodes.
    let _ = session.ask(&Request::Synced { path }, None, &mut buffer);
}

fn tell_of_fd(fd: c_int) {
    let Some(session) = tracking_session().filter(|_| fds::get(fd).kind == Kind::File) else { return };
    let mut path = [0_u8; PATH_BYTES_MAX];
    if let Some(path) = path_of(fd, &mut path) {
        tell(session, path);
    }
}

/// Returns the path of the file that a descriptor stands for.
pub fn path_of(fd: c_int, buffer: &mut [u8; PATH_BYTES_MAX]) -> Option<&[u8]> {
    let prefix = b"/proc/self/fd/";
    let mut link = [0_u8; 32];
    link[..prefix.len()].copy_from_slice(prefix);
    write_decimal(&mut link[prefix.len()..], fd as u32);
    let read = pass!(libc::SYS_readlinkat, libc::AT_FDCWD, link.as_ptr(), buffer.as_mut_ptr(), buffer.len());
    read.ok().and_then(|len| buffer.get(..len))
}
