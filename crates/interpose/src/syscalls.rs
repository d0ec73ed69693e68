//! `syscall`: programs that make system calls by number reach the same functions as those that make them by name.
#![expect(unsafe_code, reason = "exports symbols of libc")]

use libc::{c_int, c_long, c_uint, clockid_t, off_t, pollfd, size_t, socklen_t, timespec};
use wire::{Call, NEVER_NS};

use crate::clock::{self, Clock, deadline_of_timespec, from_timespec};
use crate::guest::{GuestPtr, word};
use crate::kernel::{self, Errno, Result, give};
use crate::session::{Session, session};
use crate::thread::Wait;
use crate::wait::{self, Ended, Word};
use crate::{aio, descriptors, files, kernel_aio, mapping, net, polling, process, random, timers};

/// The result of an entry point. Our own entry points have already set `errno`.
enum Done {
    Given(c_long),
    Result(Result<usize>),
}

#[unsafe(no_mangle)]
pub extern "C" fn syscall(
    number: c_long,
    a: usize,
    b: usize,
    c: usize,
    d: usize,
    e: usize,
    f: usize,
) -> c_long {
    let args = [a, b, c, d, e, f];
    let Some(session) = session() else { return give(kernel::pass(number, args)) as c_long };
    let done = call_time(session, number, args)
        .or_else(|| call_timer(session, number, args))
        .or_else(|| call_old(number, args))
        .or_else(|| call_network(session, number, args))
        .or_else(|| call_transfer(number, args))
        .or_else(|| call_file(number, args))
        .or_else(|| call_program(number, args))
        .or_else(|| kernel_aio::call(session, number, args).map(Done::Result));
    match done {
        Some(Done::Given(value)) => value,
        Some(Done::Result(result)) => give(result) as c_long,
        None => give(kernel::pass(number, args)) as c_long,
    }
}

fn give_done(value: c_int) -> Option<Done> {
    Some(Done::Given(c_long::from(value)))
}

fn call_time(session: &'static Session, number: c_long, args: [usize; 6]) -> Option<Done> {
    let [a, b, c, d, ..] = args;
    match number {
        libc::SYS_futex => futex(session, args).map(Done::Result),
        libc::SYS_clock_gettime => give_done(clock::clock_gettime(a as clockid_t, b as *mut timespec)),
        libc::SYS_clock_settime => give_done(clock::clock_settime(a as clockid_t, b as *const timespec)),
        libc::SYS_clock_getres => give_done(clock::clock_getres(a as clockid_t, b as *mut timespec)),
        libc::SYS_gettimeofday => {
            give_done(clock::gettimeofday(a as *mut libc::timeval, b as *mut libc::c_void))
        }
        libc::SYS_nanosleep => give_done(clock::nanosleep(a as *const timespec, b as *mut timespec)),
        libc::SYS_clock_nanosleep => {
            let slept =
                clock::clock_nanosleep(a as clockid_t, b as c_int, c as *const timespec, d as *mut timespec);
            Some(Done::Result(if slept == 0 { Ok(0) } else { Err(Errno(slept)) }))
        }
        libc::SYS_getrandom => {
            Some(Done::Given(random::getrandom(a as *mut libc::c_void, b as size_t, c as c_uint) as c_long))
        }
        libc::SYS_ppoll => give_done(polling::ppoll(
            a as *mut pollfd,
            b as libc::nfds_t,
            c as *const timespec,
            d as *const _,
        )),
        libc::SYS_epoll_pwait => give_done(polling::epoll_pwait(
            a as c_int,
            b as *mut _,
            c as c_int,
            d as c_int,
            args[4] as *const _,
        )),
        libc::SYS_epoll_pwait2 => give_done(polling::epoll_pwait2(
            a as c_int,
            b as *mut _,
            c as c_int,
            d as *const timespec,
            args[4] as *const _,
        )),
        libc::SYS_pselect6 => give_done(polling::pselect(
            a as c_int,
            b as *mut _,
            c as *mut _,
            d as *mut _,
            args[4] as *const timespec,
            // The argument is a pointer to the pointer, and the size of what it points to.
            GuestPtr::new(args[5] as *const *const libc::sigset_t).opt_read().unwrap_or(core::ptr::null()),
        )),
        libc::SYS_futex_waitv if d != 0 => report_real_wait(session),
        SYS_FUTEX_WAIT if args[4] != 0 => report_real_wait(session),
        _ => None,
    }
}

/// A number that the `libc` crate does not have yet.
const SYS_FUTEX_WAIT: c_long = 455;

/// Reports a wait that is left to the kernel and passes in real time.
fn report_real_wait(session: &Session) -> Option<Done> {
    session.report("futex", "a timed wait of this kind passes in real time", false);
    None
}

fn call_timer(session: &'static Session, number: c_long, args: [usize; 6]) -> Option<Done> {
    let [a, b, c, d, ..] = args;
    match number {
        libc::SYS_timerfd_create => give_done(timers::timerfd_create(a as clockid_t, b as c_int)),
        libc::SYS_timerfd_settime => {
            give_done(timers::timerfd_settime(a as c_int, b as c_int, c as *const _, d as *mut _))
        }
        libc::SYS_timerfd_gettime => give_done(timers::timerfd_gettime(a as c_int, b as *mut _)),
        libc::SYS_setitimer => give_done(timers::setitimer(a as c_int, b as *const _, c as *mut _)),
        libc::SYS_getitimer => give_done(timers::getitimer(a as c_int, b as *mut _)),
        libc::SYS_rt_sigtimedwait => {
            give_done(timers::sigtimedwait(a as *const _, b as *mut _, c as *const timespec))
        }
        // The kernel's timers have other names than libc's. The calls that set and end them need this one before them.
        libc::SYS_timer_create => {
            session.report("timer_create", "a timer that is made by number runs in real time", false);
            None
        }
        _ => None,
    }
}

/// Handles calls that newer machines do not have, because other calls do the same.
#[cfg(target_arch = "x86_64")]
fn call_old(number: c_long, args: [usize; 6]) -> Option<Done> {
    let [a, b, c, d, ..] = args;
    match number {
        libc::SYS_time => Some(Done::Given(clock::time(a as *mut libc::time_t))),
        libc::SYS_poll => give_done(polling::poll(a as *mut pollfd, b as libc::nfds_t, c as c_int)),
        libc::SYS_select => {
            give_done(polling::select(a as c_int, b as *mut _, c as *mut _, d as *mut _, args[4] as *mut _))
        }
        libc::SYS_epoll_wait => {
            give_done(polling::epoll_wait(a as c_int, b as *mut _, c as c_int, d as c_int))
        }
        libc::SYS_epoll_create => give_done(polling::epoll_create(a as c_int)),
        libc::SYS_alarm => Some(Done::Given(c_long::from(timers::alarm(a as c_uint)))),
        libc::SYS_pause => give_done(timers::pause()),
        libc::SYS_dup2 => give_done(descriptors::dup2(a as c_int, b as c_int)),
        libc::SYS_open => give_done(descriptors::open(a as *const _, b as c_int, c as libc::mode_t)),
        libc::SYS_rename => give_done(files::rename(a as *const _, b as *const _)),
        libc::SYS_fork => give_done(process::fork()),
        libc::SYS_vfork => give_done(process::vfork()),
        _ => None,
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn call_old(_number: c_long, _args: [usize; 6]) -> Option<Done> {
    None
}

fn call_network(session: &'static Session, number: c_long, args: [usize; 6]) -> Option<Done> {
    let [a, b, c, d, ..] = args;
    match number {
        libc::SYS_socket => give_done(net::socket(a as c_int, b as c_int, c as c_int)),
        libc::SYS_bind => give_done(net::bind(a as c_int, b as *const _, c as socklen_t)),
        libc::SYS_listen => give_done(net::listen(a as c_int, b as c_int)),
        libc::SYS_connect => give_done(net::connect(a as c_int, b as *const _, c as socklen_t)),
        libc::SYS_accept => give_done(net::accept(a as c_int, b as *mut _, c as *mut _)),
        libc::SYS_accept4 => give_done(net::accept4(a as c_int, b as *mut _, c as *mut _, d as c_int)),
        libc::SYS_shutdown => give_done(net::shutdown(a as c_int, b as c_int)),
        libc::SYS_getsockname => give_done(net::getsockname(a as c_int, b as *mut _, c as *mut _)),
        libc::SYS_getpeername => give_done(net::getpeername(a as c_int, b as *mut _, c as *mut _)),
        libc::SYS_setsockopt => give_done(net::setsockopt(
            a as c_int,
            b as c_int,
            c as c_int,
            d as *const _,
            args[4] as socklen_t,
        )),
        libc::SYS_getsockopt => {
            give_done(net::getsockopt(a as c_int, b as c_int, c as c_int, d as *mut _, args[4] as *mut _))
        }
        libc::SYS_epoll_create1 => give_done(polling::epoll_create1(a as c_int)),
        libc::SYS_epoll_ctl => give_done(polling::epoll_ctl(a as c_int, b as c_int, c as c_int, d as *mut _)),
        libc::SYS_dup => give_done(descriptors::dup(a as c_int)),
        libc::SYS_dup3 => give_done(descriptors::dup3(a as c_int, b as c_int, c as c_int)),
        libc::SYS_fcntl => give_done(descriptors::fcntl(a as c_int, b as c_int, c)),
        libc::SYS_ioctl => give_done(descriptors::ioctl(a as c_int, b, c)),
        libc::SYS_close => give_done(descriptors::close(a as c_int)),
        libc::SYS_close_range => give_done(descriptors::close_range(a as c_uint, b as c_uint, c as c_int)),
        libc::SYS_io_uring_setup => Some(Done::Result(aio::refuse(session, "io_uring_setup"))),
        libc::SYS_clone | libc::SYS_clone3 => {
            session.report("clone", "a thread or process was made without libc", false);
            None
        }
        _ => None,
    }
}

fn call_transfer(number: c_long, args: [usize; 6]) -> Option<Done> {
    let [a, b, c, d, e, f] = args;
    let fd = a as c_int;
    let give_size = |n: isize| Some(Done::Given(n as c_long));
    match number {
        libc::SYS_sendto => {
            give_size(net::sendto(fd, b as *const _, c, d as c_int, e as *const _, f as socklen_t))
        }
        libc::SYS_recvfrom => {
            give_size(net::recvfrom(fd, b as *mut _, c, d as c_int, e as *mut _, f as *mut _))
        }
        libc::SYS_sendmsg => give_size(net::sendmsg(fd, b as *const _, c as c_int)),
        libc::SYS_recvmsg => give_size(net::recvmsg(fd, b as *mut _, c as c_int)),
        libc::SYS_sendmmsg => give_done(net::sendmmsg(fd, b as *mut _, c as c_uint, d as c_int)),
        libc::SYS_recvmmsg => {
            give_done(net::recvmmsg(fd, b as *mut _, c as c_uint, d as c_int, e as *mut timespec))
        }
        libc::SYS_readv => give_size(descriptors::readv(fd, b as *const _, c as c_int)),
        libc::SYS_splice => {
            give_size(descriptors::splice(fd, b as *mut _, c as c_int, d as *mut _, e, f as c_uint))
        }
        _ => None,
    }
}

fn call_file(number: c_long, args: [usize; 6]) -> Option<Done> {
    let [a, b, c, d, e, _] = args;
    let fd = a as c_int;
    let give_size = |n: isize| Some(Done::Given(n as c_long));
    match number {
        libc::SYS_read => give_size(descriptors::read(fd, b as *mut _, c)),
        libc::SYS_write => give_size(descriptors::write(fd, b as *const _, c)),
        libc::SYS_writev => give_size(descriptors::writev(fd, b as *const _, c as c_int)),
        libc::SYS_pwrite64 => give_size(files::pwrite(fd, b as *const _, c, d as off_t)),
        // If a number is too long for one register, the next register has the rest: here, nothing.
        libc::SYS_pwritev => give_size(files::pwritev(fd, b as *const _, c as c_int, d as off_t)),
        libc::SYS_pwritev2 => {
            give_size(files::pwritev2(fd, b as *const _, c as c_int, d as off_t, args[5] as c_int))
        }
        libc::SYS_sendfile => give_size(descriptors::sendfile(fd, b as c_int, c as *mut _, d)),
        libc::SYS_copy_file_range => {
            give_size(files::copy_file_range(fd, b as *mut _, c as c_int, d as *mut _, e, args[5] as c_uint))
        }
        libc::SYS_openat => give_done(descriptors::openat(fd, b as *const _, c as c_int, d as libc::mode_t)),
        libc::SYS_truncate => give_done(files::truncate(a as *const _, b as off_t)),
        libc::SYS_fallocate => give_done(files::fallocate(fd, b as c_int, c as off_t, d as off_t)),
        libc::SYS_ftruncate => give_done(files::ftruncate(fd, b as off_t)),
        libc::SYS_fsync => give_done(files::fsync(fd)),
        libc::SYS_fdatasync => give_done(files::fdatasync(fd)),
        libc::SYS_sync => {
            files::sync();
            give_done(0)
        }
        libc::SYS_syncfs => give_done(files::syncfs(fd)),
        libc::SYS_mmap => {
            let mapped = mapping::mmap(a as *mut _, b, c as c_int, d as c_int, e as c_int, args[5] as off_t);
            give_size(mapped as isize)
        }
        libc::SYS_msync => give_done(mapping::msync(a as *mut _, b, c as c_int)),
        libc::SYS_renameat => give_done(files::renameat(fd, b as *const _, c as c_int, d as *const _)),
        libc::SYS_renameat2 => {
            give_done(files::renameat2(fd, b as *const _, c as c_int, d as *const _, e as c_uint))
        }
        _ => None,
    }
}

fn call_program(number: c_long, args: [usize; 6]) -> Option<Done> {
    let [a, b, c, d, e, _] = args;
    match number {
        libc::SYS_wait4 => {
            give_done(process::wait4(a as libc::pid_t, b as *mut c_int, c as c_int, d as *mut libc::rusage))
        }
        libc::SYS_execve => give_done(process::execve(a as *const _, b as *const _, c as *const _)),
        libc::SYS_execveat => {
            give_done(process::execveat(a as c_int, b as *const _, c as *const _, d as *const _, e as c_int))
        }
        _ => None,
    }
}

const FUTEX_LOCK_PI_2: c_int = 13;

/// Waits on a word, with or without a time; `None` for other operations, which never wait for long.
fn futex(session: &'static Session, args: [usize; 6]) -> Option<Result<usize>> {
    let [address, operation, expected, length, _, mask] = args;
    let operation = operation as c_int;
    let flags = libc::FUTEX_PRIVATE_FLAG | libc::FUTEX_CLOCK_REALTIME;
    let length = length as *const timespec;
    let deadline_ns = match operation & !flags {
        libc::FUTEX_WAIT => deadline_of_timespec(session, length),
        // With another mask only some wake-ups count, which two words at once cannot express.
        libc::FUTEX_WAIT_BITSET if mask as u32 == u32::MAX => absolute(session, operation, length),
        libc::FUTEX_WAIT_BITSET | libc::FUTEX_LOCK_PI | FUTEX_LOCK_PI_2 | libc::FUTEX_WAIT_REQUEUE_PI
            if !length.is_null() =>
        {
            report_real_wait(session);
            return None;
        }
        _ => return None,
    };
    let is_shared = operation & libc::FUTEX_PRIVATE_FLAG == 0;
    Some(deadline_ns.and_then(|deadline_ns| {
        // SAFETY: the guest claims that there is a futex.
        let word = unsafe { word(address) }.ok_or(Errno::INVALID)?;
        wait_on(session, Word { word, expected: expected as u32, is_shared }, deadline_ns)
    }))
}

fn absolute(session: &Session, operation: c_int, until: *const timespec) -> Result<u64> {
    let clock = if operation & libc::FUTEX_CLOCK_REALTIME != 0 { Clock::Wall } else { Clock::Monotonic };
    match GuestPtr::new(until).opt_read() {
        Some(until) => Ok(clock.to_monotonic(session, from_timespec(until)?)),
        None => Ok(NEVER_NS),
    }
}

fn wait_on(session: &'static Session, word: Word<'_>, deadline_ns: u64) -> Result<usize> {
    if word.word.load(core::sync::atomic::Ordering::SeqCst) != word.expected {
        return Err(Errno::AGAIN);
    }
    match wait::on_word(session, Some(word), Wait::until(Call::Futex, deadline_ns)) {
        Ended::Word => Ok(0),
        Ended::Expired => Err(Errno::TIMED_OUT),
        Ended::Signal => Err(Errno::INTERRUPTED),
    }
}
