//! The kernel's asynchronous input and output (`io_setup` and its kin), which has no functions in libc: programs call it
//! by number. Each request is carried out when it is submitted, so that it is held, torn and remembered like any other
//! write, and its event waits here until it is fetched.

use core::sync::atomic::Ordering::{Relaxed, SeqCst};
use core::sync::atomic::{AtomicI64, AtomicU32, AtomicU64, AtomicUsize};

use libc::{c_int, c_long, iovec, timespec};
use wire::{Call, NEVER_NS};

use crate::clock::deadline_of_timespec;
use crate::files;
use crate::guest::GuestPtr;
use crate::kernel::{Errno, Result};
use crate::lock::Lock;
use crate::pass;
use crate::session::Session;
use crate::thread::Wait;
use crate::wait::{self, Ended, Word};

/// A request, as the kernel lays it out on machines with the lowest byte first.
#[repr(C)]
#[derive(Clone, Copy)]
struct Request {
    data: u64,
    key: u32,
    rw_flags: c_int,
    operation: u16,
    priority: i16,
    fd: u32,
    address: u64,
    len: u64,
    offset: i64,
    reserved: u64,
    flags: u32,
    event_fd: u32,
}

/// The outcome of a request.
#[repr(C)]
#[derive(Clone, Copy)]
struct Event {
    data: u64,
    request: u64,
    result: i64,
    second_result: i64,
}

const READ: u16 = 0;
const WRITE: u16 = 1;
const SYNC: u16 = 2;
const SYNC_DATA: u16 = 3;
const READ_PARTS: u16 = 7;
const WRITE_PARTS: u16 = 8;
/// In the flags of a request: its end is told to a descriptor made by `eventfd`.
const TELLS_FD: u32 = 1;

const CONTEXTS_MAX: usize = 64;
const EVENTS_MAX: usize = 512;

/// Whether a context exists; its number for the guest is its index and one.
static CONTEXTS: [AtomicU32; CONTEXTS_MAX] = [const { AtomicU32::new(0) }; CONTEXTS_MAX];
static EVENTS: [Slot; EVENTS_MAX] = [const { Slot::new() }; EVENTS_MAX];
/// Counts what is submitted and destroyed: a thread that waits for events sees it change.
static CHANGES: AtomicU32 = AtomicU32::new(0);
/// Protects contexts and events.
static LOCK: Lock = Lock::new();

/// An event that was not fetched yet.
struct Slot {
    /// The number of its context; 0 where there is no event.
    context: AtomicUsize,
    /// The place in the order of events.
    number: AtomicU32,
    data: AtomicU64,
    request: AtomicU64,
    result: AtomicI64,
}

impl Slot {
    const fn new() -> Slot {
        Slot {
            context: AtomicUsize::new(0),
            number: AtomicU32::new(0),
            data: AtomicU64::new(0),
            request: AtomicU64::new(0),
            result: AtomicI64::new(0),
        }
    }
}

/// Handles the calls of this kind; `None` for others.
pub fn call(session: &'static Session, number: c_long, args: [usize; 6]) -> Option<Result<usize>> {
    let [a, b, c, d, e, _] = args;
    Some(match number {
        libc::SYS_io_setup => set_up(a, GuestPtr::new(b as *const usize)),
        libc::SYS_io_destroy => destroy(a),
        libc::SYS_io_submit => submit(session, a, b, GuestPtr::new(c as *const *const Request)),
        libc::SYS_io_getevents => {
            fetch(session, a, (b, c), GuestPtr::new(d as *const Event), e as *const timespec)
        }
        // Whatever was submitted is done.
        libc::SYS_io_cancel => Err(Errno::INVALID),
        _ => return None,
    })
}

fn set_up(n_events: usize, context: GuestPtr<usize>) -> Result<usize> {
    if n_events == 0 || context.read()? != 0 {
        return Err(Errno::INVALID);
    }
    let _held = LOCK.hold();
    let free = CONTEXTS.iter().position(|exists| exists.load(Relaxed) == 0).ok_or(Errno::AGAIN)?;
    CONTEXTS[free].store(1, Relaxed);
    context.write(free + 1);
    Ok(0)
}

fn exists(context: usize) -> bool {
    let index = context.wrapping_sub(1);
    CONTEXTS.get(index).is_some_and(|exists| exists.load(Relaxed) != 0)
}

fn destroy(context: usize) -> Result<usize> {
    {
        let _held = LOCK.hold();
        if !exists(context) {
            return Err(Errno::INVALID);
        }
        CONTEXTS[context - 1].store(0, Relaxed);
        for slot in EVENTS.iter().filter(|slot| slot.context.load(Relaxed) == context) {
            slot.context.store(0, Relaxed);
        }
    }
    tell_waiters();
    Ok(0)
}

fn tell_waiters() {
    CHANGES.fetch_add(1, SeqCst);
    wait::wake_word(&CHANGES, c_int::MAX, false);
}

/// Carries out requests in their order, as far as the first that is none; returns how many were carried out.
fn submit(
    session: &'static Session,
    context: usize,
    n: usize,
    list: GuestPtr<*const Request>,
) -> Result<usize> {
    if !exists(context) || n > isize::MAX as usize {
        return Err(Errno::INVALID);
    }
    for index in 0..n {
        let done = list.at(index).read().and_then(|request| submit_one(session, context, request));
        match done {
            Ok(()) => {}
            Err(error) if index == 0 => return Err(error),
            Err(_) => return Ok(index),
        }
    }
    Ok(n)
}

fn submit_one(session: &'static Session, context: usize, address: *const Request) -> Result<()> {
    let request = GuestPtr::new(address).read()?;
    pass!(libc::SYS_fcntl, request.fd as c_int, libc::F_GETFD)?;
    let slot = {
        let _held = LOCK.hold();
        let free = EVENTS.iter().find(|slot| slot.context.load(Relaxed) == 0).ok_or(Errno::AGAIN)?;
        // Until there is an event, the slot belongs to no context that exists.
        free.context.store(usize::MAX, Relaxed);
        free
    };
    let Some(result) = carry_out(session, &request) else {
        slot.context.store(0, Relaxed);
        return Err(Errno::INVALID);
    };
    {
        let _held = LOCK.hold();
        slot.data.store(request.data, Relaxed);
        slot.request.store(address as u64, Relaxed);
        let result = result.map_or_else(|error| -i64::from(error.0), |n| n as i64);
        slot.result.store(result, Relaxed);
        slot.number.store(CHANGES.load(SeqCst), Relaxed);
        slot.context.store(if exists(context) { context } else { 0 }, Relaxed);
    }
    tell_waiters();
    if request.flags & TELLS_FD != 0 {
        let one = 1_u64;
        // A counter that is full tells its readers already.
        let _ = pass!(libc::SYS_write, request.event_fd as c_int, &raw const one, size_of::<u64>());
    }
    Ok(())
}

/// Carries out a request; `None` for one of a kind that is not known here.
fn carry_out(session: &Session, request: &Request) -> Option<Result<usize>> {
    let fd = request.fd as c_int;
    let whole = iovec { iov_base: request.address as *mut libc::c_void, iov_len: request.len as usize };
    let (parts, n) = match request.operation {
        READ_PARTS | WRITE_PARTS => (request.address as *const iovec, request.len as c_int),
        _ => (&raw const whole, 1),
    };
    // It is carried out at once, so it may take its time.
    let (offset, flags) = (request.offset, request.rw_flags & !libc::RWF_NOWAIT);
    match request.operation {
        READ | READ_PARTS => Some(pass!(libc::SYS_preadv2, fd, parts, n, offset, 0, flags)),
        WRITE | WRITE_PARTS => Some(files::write_parts_at(fd, (parts, n), offset, flags)),
        SYNC => Some(files::sync_fd(fd, libc::SYS_fsync)),
        SYNC_DATA => Some(files::sync_fd(fd, libc::SYS_fdatasync)),
        _ => {
            session.report("io_submit", "a request of this kind cannot be controlled", true);
            None
        }
    }
}

/// Fetches events in the order in which they came: at least the first number of `wanted`, at most the second.
fn fetch(
    session: &'static Session,
    context: usize,
    (least, most): (usize, usize),
    events: GuestPtr<Event>,
    timeout: *const timespec,
) -> Result<usize> {
    if least > most || most > isize::MAX as usize {
        return Err(Errno::INVALID);
    }
    let deadline_ns = if timeout.is_null() { NEVER_NS } else { deadline_of_timespec(session, timeout)? };
    let mut n = 0;
    loop {
        let seen = CHANGES.load(SeqCst);
        {
            let _held = LOCK.hold();
            if !exists(context) {
                return Err(Errno::INVALID);
            }
            while let Some(event) = if n < most { take(context) } else { None } {
                events.at(n).write(event);
                n += 1;
            }
        }
        if n >= least {
            return Ok(n);
        }
        let word = Word { word: &CHANGES, expected: seen, is_shared: false };
        match wait::on_word(session, Some(word), Wait::until(Call::Futex, deadline_ns)) {
            Ended::Word => {}
            Ended::Expired => return Ok(n),
            Ended::Signal if n > 0 => return Ok(n),
            Ended::Signal => return Err(Errno::INTERRUPTED),
        }
    }
}

/// Takes the oldest event of a context. The lock is held.
fn take(context: usize) -> Option<Event> {
    let waiting = EVENTS.iter().filter(|slot| slot.context.load(Relaxed) == context);
    let age = |slot: &&Slot| CHANGES.load(SeqCst).wrapping_sub(slot.number.load(Relaxed));
    let oldest = waiting.max_by_key(age)?;
    oldest.context.store(0, Relaxed);
    Some(Event {
        data: oldest.data.load(Relaxed),
        request: oldest.request.load(Relaxed),
        result: oldest.result.load(Relaxed),
        second_result: 0,
    })
}
