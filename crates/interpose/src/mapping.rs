//! Files that are mapped into memory. A store is not a call, so it cannot be held. The stage learns that there is such
//! a mapping, and when it is synced, which is an event like `fsync`.
#![expect(unsafe_code, reason = "exports symbols of libc")]

use libc::{c_int, c_void, off_t, size_t};
use wire::{FRAME_BYTES_MAX, PATH_BYTES_MAX, Request};

use crate::fds::{self, Kind};
use crate::files::{self, path_of};
use crate::kernel::{self, Errno, Result, give, give_int};
use crate::session::{Session, session};
use crate::{guard, pass};

/// The longest line of `/proc/self/maps`: numbers and a path.
const LINE_BYTES_MAX: usize = PATH_BYTES_MAX + 128;

#[unsafe(no_mangle)]
pub extern "C" fn mmap(
    address: *mut c_void,
    len: size_t,
    rights: c_int,
    flags: c_int,
    fd: c_int,
    offset: off_t,
) -> *mut c_void {
    let mapped = pass!(libc::SYS_mmap, address, len, rights, flags, fd, offset);
    if mapped.is_ok()
        && is_shared(flags)
        && let Some(session) = session()
        && is_written(fd)
    {
        tell_of(session, fd);
    }
    give(mapped) as *mut c_void
}

#[unsafe(no_mangle)]
pub extern "C" fn mmap64(
    address: *mut c_void,
    len: size_t,
    rights: c_int,
    flags: c_int,
    fd: c_int,
    offset: off_t,
) -> *mut c_void {
    mmap(address, len, rights, flags, fd, offset)
}

/// Whether stores to a mapping are visible to others, and so in the file.
fn is_shared(flags: c_int) -> bool {
    matches!(flags & libc::MAP_TYPE, libc::MAP_SHARED | libc::MAP_SHARED_VALIDATE)
        && flags & libc::MAP_ANONYMOUS == 0
}

/// Whether a descriptor is a file that may be written to; a mapping may be made writable later.
fn is_written(fd: c_int) -> bool {
    fds::get(fd).kind == Kind::File
        && pass!(libc::SYS_fcntl, fd, libc::F_GETFL)
            .is_ok_and(|flags| flags as c_int & libc::O_ACCMODE != libc::O_RDONLY)
}

fn tell_of(session: &Session, fd: c_int) {
    let (mut path, mut buffer) = ([0; PATH_BYTES_MAX], [0; FRAME_BYTES_MAX]);
    if let Some(path) = path_of(fd, &mut path) {
        // The stage only records files of its own nodes.
        let _ = session.ask(&Request::Mapped { path }, None, &mut buffer);
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn msync(address: *mut c_void, len: size_t, flags: c_int) -> c_int {
    let kernel = || pass!(libc::SYS_msync, address, len, flags);
    if flags & libc::MS_SYNC == 0 || files::tracking_session().or(files::session_to_ask()).is_none() {
        return give_int(kernel());
    }
    let mut line = [0; LINE_BYTES_MAX];
    // A mapping without a file has nothing to make durable.
    let Ok(Some(path)) = path_at(address as usize, &mut line) else { return give_int(kernel()) };
    let kernel = || {
        kernel()
            .inspect(|_| files::tracking_session().into_iter().for_each(|session| files::tell(session, path)))
    };
    give_int(match files::session_to_ask() {
        Some(session) => guard::sync(session, path, &kernel),
        None => kernel(),
    })
}

/// Returns the file behind an address, from the process's list of mappings.
fn path_at(address: usize, buffer: &mut [u8; LINE_BYTES_MAX]) -> Result<Option<&[u8]>> {
    let list = c"/proc/self/maps".as_ptr();
    let fd = pass!(libc::SYS_openat, libc::AT_FDCWD, list, libc::O_RDONLY | libc::O_CLOEXEC, 0)? as c_int;
    let found = find_line(fd, address, buffer);
    kernel::close(fd);
    let line = buffer.get(..found?).unwrap_or_default();
    Ok(path_if_at(line, address))
}

/// Reads until the line about an address is at the beginning of the buffer; returns its length.
fn find_line(fd: c_int, address: usize, buffer: &mut [u8; LINE_BYTES_MAX]) -> Result<usize> {
    let mut len = 0;
    loop {
        let rest = &mut buffer[len..];
        match pass!(libc::SYS_read, fd, rest.as_mut_ptr(), rest.len())? {
            0 => return Err(Errno::INVALID),
            n => len += n,
        }
        while let Some(end) = buffer[..len].iter().position(|byte| *byte == b'\n') {
            if path_if_at(&buffer[..end], address).is_some() {
                return Ok(end);
            }
            buffer.copy_within(end + 1..len, 0);
            len -= end + 1;
        }
    }
}

/// Returns the path on a line `start-end rights offset device inode path`, if the address is between the two.
fn path_if_at(line: &[u8], address: usize) -> Option<&[u8]> {
    let text = core::str::from_utf8(line).ok()?;
    let (range, rest) = text.split_once(' ')?;
    let (start, end) = range.split_once('-')?;
    let (start, end) = (usize::from_str_radix(start, 16).ok()?, usize::from_str_radix(end, 16).ok()?);
    let path = rest.find('/').and_then(|at| rest.get(at..))?;
    (start..end).contains(&address).then_some(path.as_bytes())
}
