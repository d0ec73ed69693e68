//! Timers that run a function: a thread waits for the timer's descriptor, and starts another thread each time it goes
//! off, as libc does.
#![expect(unsafe_code, reason = "starts threads with functions that the guest names")]

use core::mem::MaybeUninit;
use core::sync::atomic::Ordering::{AcqRel, SeqCst};
use core::sync::atomic::{AtomicU32, AtomicUsize};

use libc::{c_int, c_void, pthread_attr_t, pthread_t};
use wire::{Call, Request, TIMERS_MAX};

use super::make;
use crate::clock::Clock;
use crate::guest::{GuestPtr, word};
use crate::kernel::{self, Errno, Result};
use crate::lock::{Lock, set_signals};
use crate::process::{self, map, pthread_create, unmap};
use crate::session::{Session, move_out_of_the_way, session};
use crate::thread::Wait;
use crate::{fds, pass, wait};

/// The function to run when a timer goes off.
#[derive(Clone, Copy)]
pub struct Run {
    pub function: usize,
    pub value: usize,
    /// The size of the stacks of the threads that run it; zero for the default.
    pub stack_bytes: usize,
}

/// The data of a timer's thread, in memory of its own.
#[repr(C)]
#[derive(Clone, Copy)]
struct Notifier {
    /// Not zero when the timer is deleted; accessed as a word that threads share.
    is_deleted: u32,
    fd: c_int,
    run: Run,
}

/// The size of a stack for a thread that only waits and starts others.
const STACK_BYTES: usize = 256 << 10;

/// The address of each timer's [`Notifier`]; zero for those that run no function.
static NOTIFIERS: [AtomicUsize; TIMERS_MAX] = [const { AtomicUsize::new(0) }; TIMERS_MAX];
/// A lock that is held, with signals blocked, while a thread is made that must not receive the guest's signals.
static MAKING: Lock = Lock::new();

/// Forgets all notifiers in a child process, which has none of its parent's threads.
pub fn forget() {
    for notifier in &NOTIFIERS {
        notifier.store(0, SeqCst);
    }
}

/// Creates a timer, and the thread that waits for it.
pub fn create(session: &'static Session, clock: Clock, run: Run) -> Result<u32> {
    let fd = move_out_of_the_way(pass!(libc::SYS_eventfd2, 0, libc::EFD_CLOEXEC)? as c_int)?;
    let made = make(session, &Request::TimerFd {}, Some(fd), clock).and_then(|timer| {
        let notifier = map(size_of::<Notifier>())?;
        GuestPtr::new(notifier as *const Notifier).write(Notifier { is_deleted: 0, fd, run });
        fds::set_ours(fd);
        NOTIFIERS.get(timer as usize).ok_or(Errno::INVALID)?.store(notifier, SeqCst);
        let _held = MAKING.hold();
        start(wait_for_timer, notifier, STACK_BYTES)?;
        Ok(timer)
    });
    made.inspect_err(|_| kernel::close(fd))
}

/// Starts a detached thread.
fn start(routine: process::StartRoutine, arg: usize, stack_bytes: usize) -> Result<()> {
    let mut attr = MaybeUninit::<pthread_attr_t>::uninit();
    // SAFETY: memory for the attributes, which this initialises.
    unsafe { libc::pthread_attr_init(attr.as_mut_ptr()) };
    // SAFETY: initialised above.
    unsafe { libc::pthread_attr_setdetachstate(attr.as_mut_ptr(), libc::PTHREAD_CREATE_DETACHED) };
    if stack_bytes > 0 {
        // SAFETY: initialised above. A size that is not allowed changes nothing.
        unsafe { libc::pthread_attr_setstacksize(attr.as_mut_ptr(), stack_bytes) };
    }
    let mut thread: pthread_t = 0;
    let created = pthread_create(&raw mut thread, attr.as_ptr(), routine, arg as *mut c_void);
    // SAFETY: initialised above.
    unsafe { libc::pthread_attr_destroy(attr.as_mut_ptr()) };
    if created == 0 { Ok(()) } else { Err(Errno(created)) }
}

/// Returns the size of stacks that the guest's attributes ask for; zero without attributes.
///
/// # Safety
/// The address is null, or that of attributes.
pub unsafe fn stack_bytes(attributes: *const pthread_attr_t) -> usize {
    let mut bytes = 0;
    if !attributes.is_null() {
        // SAFETY: the caller promises that these are attributes.
        unsafe { libc::pthread_attr_getstacksize(attributes, &raw mut bytes) };
    }
    bytes
}

/// Returns the word of a [`Notifier`] that says whether its timer is deleted.
fn deleted_word(notifier: usize) -> Option<&'static AtomicU32> {
    // SAFETY: the address is that of a notifier, which is mapped until its own thread ends.
    unsafe { word(notifier + core::mem::offset_of!(Notifier, is_deleted)) }
}

extern "C" fn wait_for_timer(notifier: *mut c_void) -> *mut c_void {
    let (address, nothing) = (notifier as usize, core::ptr::null_mut());
    let place = GuestPtr::new(notifier.cast::<Notifier>());
    let (Some(session), Ok(Notifier { fd, run, .. })) = (session(), place.read()) else { return nothing };
    loop {
        let mut n_times = 0_u64;
        let at = &raw mut n_times;
        let read = wait::in_kernel(session, Wait::forever(Call::Timer), || pass!(libc::SYS_read, fd, at, 8));
        if read.is_err() || deleted_word(address).is_none_or(|word| word.load(SeqCst) != 0) {
            break;
        }
        notify(session, run);
    }
    fds::forget_ours(fd);
    kernel::close(fd);
    unmap(address, size_of::<Notifier>());
    nothing
}

fn notify(session: &Session, run: Run) {
    let started = map(size_of::<Run>()).and_then(|address| {
        GuestPtr::new(address as *const Run).write(run);
        start(run_function, address, run.stack_bytes)
    });
    if started.is_err() {
        session.report("timer_create", "no thread could be started for the function of a timer", true);
    }
}

extern "C" fn run_function(run: *mut c_void) -> *mut c_void {
    let nothing = core::ptr::null_mut();
    let Ok(Run { function, value, .. }) = GuestPtr::new(run.cast::<Run>()).read() else { return nothing };
    unmap(run as usize, size_of::<Run>());
    set_signals(0);
    if function != 0 {
        // SAFETY: the guest's claim that the function is one of a timer; the union that it takes is one word.
        let function: extern "C" fn(usize) = unsafe { core::mem::transmute(function) };
        function(value);
    }
    nothing
}

/// A timer whose thread must end.
pub struct DeletedTimer {
    fd: c_int,
}

/// Stops a timer from running its function; `None` if it has none.
pub fn begin_delete(timer: u32) -> Option<DeletedTimer> {
    let address = NOTIFIERS.get(timer as usize)?.swap(0, AcqRel);
    let fd = GuestPtr::new(address as *const Notifier).opt_read()?.fd;
    deleted_word(address)?.store(1, SeqCst);
    Some(DeletedTimer { fd })
}

impl DeletedTimer {
    /// Wakes the timer's thread, which then ends.
    pub fn finish(self) {
        let one = 1_u64;
        // A full counter wakes it too.
        let _ = pass!(libc::SYS_write, self.fd, &raw const one, size_of::<u64>());
    }
}
