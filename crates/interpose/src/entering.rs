//! Refuses new programs into which the library cannot be loaded, as the stage refuses them for nodes.
//!
//! Part of this runs in the child of a `posix_spawn`, which shares its parent's memory, has no connection to the stage,
//! and has a small stack that libc made: it only asks the kernel, and leaves a note for the parent.
#![expect(unsafe_code, reason = "reads names that the guest gave")]

use core::sync::atomic::AtomicUsize;
use core::sync::atomic::Ordering::SeqCst;

use libc::{c_char, c_int};
use wire::NAME_BYTES_MAX;

use crate::guest::{MappedFile, c_bytes};
use crate::kernel::{self, Errno, Result};
use crate::pass;
use crate::program::{Obstacle, Owner, Program, changes_user};
use crate::session::Session;

/// The number of scripts that run scripts which the kernel follows.
const SCRIPTS_MAX: usize = 5;
/// The longest path of a program that runs a script, as the kernel reads it, with a zero at its end.
const SCRIPT_LINE_BYTES: usize = 257;
type Path = [u8; SCRIPT_LINE_BYTES];

/// The error for a refused program; it must not be `ENOEXEC`, for which libc runs a shell.
const REFUSED: Errno = Errno(libc::EACCES);

/// The reason why a child of `posix_spawn` was refused: the index of the obstacle among all, plus one.
static NOTE: AtomicUsize = AtomicUsize::new(0);

/// Fails if the library cannot be loaded into the program at a path.
pub fn admit(session: &Session, folder: c_int, path: *const c_char) -> Result<()> {
    // SAFETY: the guest claims that it is a text, which ends with a zero.
    let name = unsafe { c_bytes(path) };
    find(folder, path).map_or(Ok(()), |obstacle| refuse(session, "exec", name, obstacle))
}

/// Fails if the library cannot be loaded into the program in an open file.
pub fn admit_open(session: &Session, fd: c_int) -> Result<()> {
    let obstacle = match look_into(fd) {
        Look::Entered => None,
        Look::Closed(obstacle) => Some(obstacle),
        Look::RunBy(next) => find(libc::AT_FDCWD, next.as_ptr().cast()),
    };
    obstacle.map_or(Ok(()), |obstacle| refuse(session, "exec", b"a file that is open", obstacle))
}

fn refuse(session: &Session, call: &str, name: &[u8], obstacle: Obstacle) -> Result<()> {
    if session.is_of_this_process() || has_memory_of_its_own() {
        report(session, call, name, obstacle);
    } else {
        let place = Obstacle::ALL.iter().position(|known| *known == obstacle);
        NOTE.store(place.map_or(0, |place| place + 1), SeqCst);
    }
    Err(REFUSED)
}

/// Whether this process, which is not the one that connected to the stage, was forked by libc without our knowledge
/// (`forkpty`); then it can connect by itself. A kernel that does not say is taken to say no.
fn has_memory_of_its_own() -> bool {
    let parent = pass!(libc::SYS_getppid).unwrap_or(0);
    pass!(libc::SYS_kcmp, kernel::pid(), parent, KCMP_VM, 0, 0).is_ok_and(|order| order != 0)
}

const KCMP_VM: c_int = 1;

/// Clears the note before a child is started: a note that is there can only be from a child that libc started by
/// itself.
pub fn forget_note() {
    NOTE.store(0, SeqCst);
}

/// Reports why a child did not become another program, if we refused it; called in the parent.
pub fn read_note(session: &Session, call: &str, name: *const c_char) {
    let place = NOTE.swap(0, SeqCst);
    if let Some(obstacle) = place.checked_sub(1).and_then(|place| Obstacle::ALL.get(place)) {
        // SAFETY: the guest claims that it is a text, which ends with a zero.
        report(session, call, unsafe { c_bytes(name) }, *obstacle);
    }
}

/// Reports an obstacle to the stage. It is not inlined, because a child of `posix_spawn` runs the callers on a small
/// stack.
#[inline(never)]
fn report(session: &Session, call: &str, name: &[u8], obstacle: Obstacle) {
    // The end of a long path says more than its beginning.
    let name = name.get(name.len().saturating_sub(NAME_BYTES_MAX)..).unwrap_or_default();
    let name = core::str::from_utf8(name).unwrap_or("a program");
    let mut text = [0_u8; NAME_BYTES_MAX + 100];
    let mut len = 0;
    for part in [name, " ", obstacle.text()] {
        let Some(room) = text.get_mut(len..len + part.len()) else { break };
        room.copy_from_slice(part.as_bytes());
        len += part.len();
    }
    let text = text.get(..len).and_then(|text| core::str::from_utf8(text).ok());
    session.report(call, text.unwrap_or(obstacle.text()), true);
}

#[expect(clippy::large_enum_variant, reason = "there is no allocator here")]
enum Look {
    Entered,
    Closed(Obstacle),
    /// It is a script, which this program runs.
    RunBy(Path),
}

/// Finds the obstacle to a program; none if the program does not exist, since the kernel says that by itself.
fn find(folder: c_int, path: *const c_char) -> Option<Obstacle> {
    let mut look = look_at(folder, path);
    for _ in 0..SCRIPTS_MAX {
        match look {
            Look::Entered => return None,
            Look::Closed(obstacle) => return Some(obstacle),
            Look::RunBy(next) => look = look_at(libc::AT_FDCWD, next.as_ptr().cast()),
        }
    }
    None
}

fn look_at(folder: c_int, path: *const c_char) -> Look {
    // Opening a pipe must not wait.
    let flags = libc::O_RDONLY | libc::O_CLOEXEC | libc::O_NONBLOCK;
    match pass!(libc::SYS_openat, folder, path, flags, 0) {
        Ok(fd) => {
            let look = look_into(fd as c_int);
            kernel::close(fd as c_int);
            look
        }
        Err(Errno(libc::EACCES)) if pass!(libc::SYS_faccessat, folder, path, libc::X_OK).is_ok() => {
            Look::Closed(Obstacle::Unreadable)
        }
        Err(_) => Look::Entered,
    }
}

fn look_into(fd: c_int) -> Look {
    let Ok(stat) = kernel::stat(fd) else { return Look::Entered };
    let len = usize::try_from(stat.st_size).unwrap_or(0);
    if stat.st_mode & libc::S_IFMT != libc::S_IFREG || len == 0 {
        return Look::Entered;
    }
    let Ok(file) = MappedFile::new(fd, len) else { return Look::Closed(Obstacle::Unreadable) };
    match Program::of_bytes(file.bytes()) {
        Program::Dynamic if is_for_another_user(fd, &stat) => Look::Closed(Obstacle::ChangesUser),
        // The kernel refuses it, or libc runs it with a shell, into which the library is loaded.
        Program::Dynamic | Program::Closed(Obstacle::NoProgram) => Look::Entered,
        Program::Closed(obstacle) => Look::Closed(obstacle),
        Program::Script(next) => run_by(next),
    }
}

fn run_by(program: &str) -> Look {
    let mut path = [0; SCRIPT_LINE_BYTES];
    match path.get_mut(..program.len()) {
        Some(room) if program.len() < SCRIPT_LINE_BYTES => room.copy_from_slice(program.as_bytes()),
        // The kernel does not read this far.
        Some(_) | None => return Look::Entered,
    }
    Look::RunBy(path)
}

fn is_for_another_user(fd: c_int, stat: &libc::stat) -> bool {
    let id = |call| pass!(call).unwrap_or(0) as u32;
    let starter = Owner { user: id(libc::SYS_geteuid), group: id(libc::SYS_getegid) };
    let file = Owner { user: stat.st_uid, group: stat.st_gid };
    // Root already has the rights that a file may give.
    let has_rights = || pass!(libc::SYS_fgetxattr, fd, c"security.capability".as_ptr(), 0, 0).is_ok();
    changes_user(stat.st_mode, file, starter) || starter.user != 0 && has_rights()
}
