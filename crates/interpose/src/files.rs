//! What a program makes durable: the kernel does it, and the stage is told which file it was.
#![expect(unsafe_code, reason = "exports symbols of libc")]

use core::sync::atomic::Ordering::Relaxed;

use libc::{c_int, c_void, size_t};
use wire::{FRAME_BYTES_MAX, PATH_BYTES_MAX, Request};

use crate::fds::{self, Kind};
use crate::kernel::{self, Errno, Result, give_int};
use crate::pass;
use crate::session::{Session, session, write_decimal};

/// The longest line of `/proc/self/maps`: numbers and a path.
const LINE_BYTES_MAX: usize = PATH_BYTES_MAX + 128;

#[unsafe(no_mangle)]
pub extern "C" fn fsync(fd: c_int) -> c_int {
    give_int(pass!(libc::SYS_fsync, fd).inspect(|_| tell_of_fd(fd)))
}

#[unsafe(no_mangle)]
pub extern "C" fn fdatasync(fd: c_int) -> c_int {
    give_int(pass!(libc::SYS_fdatasync, fd).inspect(|_| tell_of_fd(fd)))
}

#[unsafe(no_mangle)]
pub extern "C" fn msync(address: *mut c_void, len: size_t, flags: c_int) -> c_int {
    let done = pass!(libc::SYS_msync, address, len, flags);
    if done.is_ok()
        && flags & libc::MS_SYNC != 0
        && let Some(session) = tracking()
    {
        // A mapping without a file has nothing to keep.
        let _ = tell_of_mapping(session, address as usize);
    }
    give_int(done)
}

/// The session, if the stage looks after files.
fn tracking() -> Option<&'static Session> {
    session().filter(|session| session.board.tracks_files.load(Relaxed) != 0)
}

fn tell(session: &Session, path: &[u8]) {
    let mut buffer = [0; FRAME_BYTES_MAX];
    // The stage takes note of its own nodes' files, and of no others.
    let _ = session.ask(&Request::Synced { path }, None, &mut buffer);
}

fn tell_of_fd(fd: c_int) {
    let Some(session) = tracking().filter(|_| fds::get(fd).kind == Kind::File) else { return };
    let prefix = b"/proc/self/fd/";
    let mut link = [0_u8; 32];
    link[..prefix.len()].copy_from_slice(prefix);
    write_decimal(&mut link[prefix.len()..], fd as u32);
    let mut path = [0_u8; PATH_BYTES_MAX];
    let read = pass!(libc::SYS_readlinkat, libc::AT_FDCWD, link.as_ptr(), path.as_mut_ptr(), path.len());
    if let Some(path) = read.ok().and_then(|len| path.get(..len)) {
        tell(session, path);
    }
}

/// Finds the file behind an address in the process's list of mappings.
fn tell_of_mapping(session: &Session, address: usize) -> Result<()> {
    let list = c"/proc/self/maps".as_ptr();
    let fd = pass!(libc::SYS_openat, libc::AT_FDCWD, list, libc::O_RDONLY | libc::O_CLOEXEC, 0)? as c_int;
    let mut buffer = [0_u8; LINE_BYTES_MAX];
    let mut len = 0;
    let found = loop {
        let rest = &mut buffer[len..];
        match pass!(libc::SYS_read, fd, rest.as_mut_ptr(), rest.len()) {
            Ok(0) => break Err(Errno::INVALID),
            Ok(n) => len += n,
            Err(errno) => break Err(errno),
        }
        while let Some(end) = buffer[..len].iter().position(|byte| *byte == b'\n') {
            if let Some(path) = path_if_at(&buffer[..end], address) {
                tell(session, path);
                kernel::close(fd);
                return Ok(());
            }
            buffer.copy_within(end + 1..len, 0);
            len -= end + 1;
        }
    };
    kernel::close(fd);
    found
}

/// The path on a line `start-end rights offset device inode path`, if the address is between the two.
fn path_if_at(line: &[u8], address: usize) -> Option<&[u8]> {
    let text = core::str::from_utf8(line).ok()?;
    let (range, rest) = text.split_once(' ')?;
    let (start, end) = range.split_once('-')?;
    let (start, end) = (usize::from_str_radix(start, 16).ok()?, usize::from_str_radix(end, 16).ok()?);
    let path = rest.find('/').and_then(|at| rest.get(at..))?;
    (start..end).contains(&address).then_some(path.as_bytes())
}
