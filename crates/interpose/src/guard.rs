//! Calls on files at which the stage may hold a thread, end the node, or let only a part be written.
#![expect(unsafe_code, reason = "reads names that the guest gave")]

use core::sync::atomic::Ordering::SeqCst;

use libc::{c_char, c_int};
use wire::{Call, FRAME_BYTES_MAX, FileCall, NAME_BYTES_MAX, PATH_BYTES_MAX, Reply, Request, Verdict};

use crate::files::{WHOLE, look_up, path_of};
use crate::guest::c_bytes;
use crate::kernel::{self, Result};
use crate::session::Session;
use crate::thread::Wait;
use crate::wait::{self, Ended, Word};

/// The call that the stage is asked about.
#[derive(Clone, Copy)]
struct Step<'p> {
    call: FileCall,
    path: &'p [u8],
    target: &'p [u8],
}

pub fn write(session: &'static Session, fd: c_int, kernel: &dyn Fn(usize) -> Result<usize>) -> Result<usize> {
    let mut path = [0; PATH_BYTES_MAX];
    let path = path_of(fd, &mut path).unwrap_or_default();
    make_guarded_call(session, Step { call: FileCall::Write, path, target: b"" }, kernel)
}

pub fn sync_fd(session: &'static Session, fd: c_int, kernel: &dyn Fn() -> Result<usize>) -> Result<usize> {
    let mut path = [0; PATH_BYTES_MAX];
    sync(session, path_of(fd, &mut path).unwrap_or_default(), kernel)
}

pub fn sync(session: &'static Session, path: &[u8], kernel: &dyn Fn() -> Result<usize>) -> Result<usize> {
    make_guarded_call(session, Step { call: FileCall::Sync, path, target: b"" }, &|_| kernel())
}

pub fn rename(
    session: &'static Session,
    (folder, from): (c_int, *const c_char),
    to: *const c_char,
    kernel: &dyn Fn() -> Result<usize>,
) -> Result<usize> {
    let mut path = [0; PATH_BYTES_MAX];
    // A file that does not exist has no path, and the kernel will report it.
    let opened = look_up((folder, from));
    let path = opened.and_then(|fd| path_of(fd, &mut path)).unwrap_or_default();
    opened.into_iter().for_each(kernel::close);
    // SAFETY: the guest claims that it is a text, which ends with a zero.
    let name = unsafe { c_bytes(to) };
    let name = name.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    let target = name.get(..name.len().min(NAME_BYTES_MAX)).unwrap_or_default();
    make_guarded_call(session, Step { call: FileCall::Rename, path, target }, &|_| kernel())
}

/// Asks the stage, waits if it must, and makes the call.
fn make_guarded_call(
    session: &'static Session,
    step: Step<'_>,
    kernel: &dyn Fn(usize) -> Result<usize>,
) -> Result<usize> {
    let (verdict, n_bytes) = ask(session, step, false);
    let done = match verdict {
        Verdict::Go | Verdict::Hold => return kernel(WHOLE),
        Verdict::Ask => kernel(WHOLE),
        Verdict::Tear => kernel(usize::try_from(n_bytes).unwrap_or(WHOLE)),
    };
    ask(session, step, true);
    done
}

/// Returns the verdict of the stage, after waiting if the stage holds the call.
fn ask(session: &'static Session, step: Step<'_>, is_done: bool) -> (Verdict, u64) {
    let gate = &session.board.file_gate;
    let closed = gate.load(SeqCst);
    let mut buffer = [0; FRAME_BYTES_MAX];
    let Step { call, path, target } = step;
    let request = Request::File { call, is_done, thread: kernel::tid(), path, target };
    let Ok(Reply::File { verdict, n_bytes }) = session.ask(&request, None, &mut buffer) else {
        return (Verdict::Go, 0);
    };
    if verdict == Verdict::Hold {
        while gate.load(SeqCst) == closed {
            let word = Word { word: gate, expected: closed, is_shared: true };
            match wait::on_word(session, Some(word), Wait::forever(Call::File)) {
                Ended::Word | Ended::Signal => {}
                // It was let go by itself; or it has no slot on the board, which was reported, and cannot be held.
                Ended::Expired => break,
            }
        }
    }
    (verdict, n_bytes)
}
