//! New threads, new processes and new programs, all of which stay under control.
#![expect(unsafe_code, reason = "exports symbols of libc, and hands pointers to new threads")]

use core::ffi::CStr;
use core::sync::atomic::AtomicUsize;
use core::sync::atomic::Ordering::{Acquire, Release};

use libc::{
    c_char, c_int, c_void, pid_t, posix_spawn_file_actions_t, posix_spawnattr_t, pthread_attr_t, pthread_t,
};
use wire::{Call, FRAME_BYTES_MAX, Request};

use crate::guest::{GuestPtr, c_bytes};
use crate::kernel::{self, Result, give_int};
use crate::session::{self, Session, session};
use crate::thread::{self, Wait};
use crate::{entering, fds, net, pass, real, timers, wait};

pub type StartRoutine = extern "C" fn(*mut c_void) -> *mut c_void;
type Words = *const *const c_char;

/// The function that a new thread runs, passed on in memory from the kernel, because allocators are the guest's.
#[repr(C)]
#[derive(Clone, Copy)]
struct Start {
    routine: StartRoutine,
    arg: *mut c_void,
    /// The number of the thread.
    ordinal: u32,
}

#[unsafe(no_mangle)]
pub extern "C" fn pthread_create(
    thread: *mut pthread_t,
    attr: *const pthread_attr_t,
    routine: StartRoutine,
    arg: *mut c_void,
) -> c_int {
    if session().is_none() {
        return real::pthread_create(thread, attr, routine, arg);
    }
    let start = match map(size_of::<Start>()) {
        Ok(start) => start as *mut Start,
        Err(errno) => return errno.0,
    };
    GuestPtr::new(start).write(Start { routine, arg, ordinal: thread::next_ordinal() });
    let created = real::pthread_create(thread, attr, run_thread, start.cast());
    if created != 0 {
        unmap(start as usize, size_of::<Start>());
    }
    created
}

/// Runs as the first function of every thread: takes a slot, and gives it back when the thread returns.
extern "C" fn run_thread(start: *mut c_void) -> *mut c_void {
    let place = GuestPtr::new(start.cast::<Start>());
    let Ok(Start { routine, arg, ordinal }) = place.read() else { return core::ptr::null_mut() };
    unmap(place.address(), size_of::<Start>());
    if let Some(session) = session() {
        thread::enter(session, ordinal);
    }
    let value = routine(arg);
    if let Some(session) = session() {
        thread::leave(session);
    }
    value
}

#[unsafe(no_mangle)]
pub extern "C" fn pthread_exit(value: *mut c_void) -> ! {
    if let Some(session) = session() {
        thread::leave(session);
    }
    real::pthread_exit(value);
    unreachable!("the thread has ended")
}

pub fn map(len: usize) -> Result<usize> {
    let rights = libc::PROT_READ | libc::PROT_WRITE;
    pass!(libc::SYS_mmap, 0, len, rights, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, -1_isize, 0)
}

pub fn unmap(address: usize, len: usize) {
    // The address is one that the kernel gave for this length.
    let _ = pass!(libc::SYS_munmap, address, len);
}

/// Prepares the child of a fork, which has one thread and no connection to the stage.
fn prepare_child() {
    fds::close_ours();
    timers::forget();
    session::start_again();
}

#[unsafe(no_mangle)]
pub extern "C" fn fork() -> pid_t {
    let Some(session) = session() else { return real::fork() };
    let child = {
        let _tables = net::hold_tables();
        let _exchange = session.hold();
        real::fork()
    };
    match child {
        0 => prepare_child(),
        1.. => tell_of(session, child),
        _ => {}
    }
    child
}

/// Forks: the child of a `vfork` would share the memory of its parent, and with it our tables.
#[unsafe(no_mangle)]
pub extern "C" fn vfork() -> pid_t {
    fork()
}

fn tell_of(session: &Session, child: pid_t) {
    let mut buffer = [0; FRAME_BYTES_MAX];
    // The stage knows this process, so it does not refuse.
    let _ = session.ask(&Request::Forked { child: child as u32 }, None, &mut buffer);
}

/// The variables that a new program must get, as they were when this one started.
static KEPT: [AtomicUsize; 3] = [const { AtomicUsize::new(0) }; 3];
const KEPT_NAMES: [&[u8]; 3] = [b"LD_PRELOAD=", b"SPECLINE_STAGE=", b"SPECLINE_NODE="];

/// Copies the variables; called once, when the library is loaded.
pub fn keep_environment() {
    let Some(environment) = environ() else { return };
    for (kept, name) in KEPT.iter().zip(KEPT_NAMES) {
        if let Some(text) = texts(environment).find(|text| text.starts_with(name))
            && let Ok(copy) = map(text.len() + 1)
        {
            GuestPtr::new(copy as *mut u8).copy_from(text);
            kept.store(copy, Release);
        }
    }
}

fn environ() -> Option<Words> {
    unsafe extern "C" {
        static environ: *const *const c_char;
    }
    // SAFETY: libc's variable, which is only read.
    let environment = unsafe { environ };
    (!environment.is_null()).then_some(environment)
}

/// Returns the entries of an array that ends with null.
fn words(array: Words) -> impl Iterator<Item = *const c_char> {
    let array = GuestPtr::new(array);
    (0..).map_while(move |index| array.at(index).opt_read().filter(|word| !word.is_null()))
}

/// Returns the texts of an environment.
fn texts<'a>(environment: Words) -> impl Iterator<Item = &'a [u8]> {
    // SAFETY: the guest claims that these are texts; they stay as they are while one of its calls lasts.
    words(environment).map(|word| unsafe { c_bytes(word) })
}

/// Returns the environment with our variables in it: the guest's own array if they are there already.
fn add_our_variables(environment: Words) -> Words {
    let kept = || KEPT.iter().map(|kept| kept.load(Acquire) as *const c_char).filter(|word| !word.is_null());
    // SAFETY: `keep_environment` copied these texts, and nobody changes them.
    let has = |word: *const c_char| texts(environment).any(|given| given == unsafe { c_bytes(word) });
    if kept().all(has) {
        return environment;
    }
    let is_ours = |text: &[u8]| KEPT_NAMES.iter().any(|name| text.starts_with(name));
    let others = words(environment).zip(texts(environment)).filter(|(_, text)| !is_ours(text));
    let others = others.map(|(word, _)| word);
    let n = words(environment).count() + KEPT.len() + 1;
    let Ok(array) = map(n * size_of::<*const c_char>()) else { return environment };
    let place = GuestPtr::new(array as *mut *const c_char);
    // The kernel's memory is zero, so the array ends where it should.
    kept().chain(others).enumerate().for_each(|(index, word)| place.at(index).write(word));
    array as Words
}

/// Replaces `execve`, which the other forms within libc reach, too.
#[unsafe(no_mangle)]
pub extern "C" fn execve(path: *const c_char, args: Words, environment: Words) -> c_int {
    execveat(libc::AT_FDCWD, path, args, environment, 0)
}

/// Runs a program. It is not a symbol of libc before glibc 2.34: only `syscall` and the functions above lead here.
pub fn execveat(folder: c_int, path: *const c_char, args: Words, environment: Words, flags: c_int) -> c_int {
    let kernel = |environment| pass!(libc::SYS_execveat, folder, path, args, environment, flags);
    let Some(session) = session() else { return give_int(kernel(environment)) };
    // SAFETY: the guest claims that it is a text, which ends with a zero.
    let is_open = flags & libc::AT_EMPTY_PATH != 0 && unsafe { c_bytes(path) }.is_empty();
    let admitted =
        if is_open { entering::admit_open(session, folder) } else { entering::admit(session, folder, path) };
    give_int(admitted.and_then(|()| kernel(add_our_variables(environment))))
}

#[unsafe(no_mangle)]
pub extern "C" fn execv(path: *const c_char, args: Words) -> c_int {
    execve(path, args, environ().unwrap_or(core::ptr::null()))
}

#[unsafe(no_mangle)]
pub extern "C" fn execvpe(file: *const c_char, args: Words, environment: Words) -> c_int {
    real::execvpe(file, args, if session().is_some() { add_our_variables(environment) } else { environment })
}

#[unsafe(no_mangle)]
pub extern "C" fn execvp(file: *const c_char, args: Words) -> c_int {
    execvpe(file, args, environ().unwrap_or(core::ptr::null()))
}

#[unsafe(no_mangle)]
pub extern "C" fn fexecve(fd: c_int, args: Words, environment: Words) -> c_int {
    execveat(fd, c"".as_ptr(), args, environment, libc::AT_EMPTY_PATH)
}

#[unsafe(no_mangle)]
pub extern "C" fn posix_spawn(
    pid: *mut pid_t,
    path: *const c_char,
    actions: *const posix_spawn_file_actions_t,
    attr: *const posix_spawnattr_t,
    args: Words,
    environment: Words,
) -> c_int {
    spawn(pid, path, environment, &|pid, environment| {
        real::posix_spawn(pid, path, actions, attr, args, environment)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn posix_spawnp(
    pid: *mut pid_t,
    file: *const c_char,
    actions: *const posix_spawn_file_actions_t,
    attr: *const posix_spawnattr_t,
    args: Words,
    environment: Words,
) -> c_int {
    spawn(pid, file, environment, &|pid, environment| {
        real::posix_spawnp(pid, file, actions, attr, args, environment)
    })
}

fn spawn(
    pid: *mut pid_t,
    name: *const c_char,
    environment: Words,
    real: &dyn Fn(*mut pid_t, Words) -> c_int,
) -> c_int {
    let Some(session) = session() else { return real(pid, environment) };
    let environment = if environment.is_null() { environ().unwrap_or(environment) } else { environment };
    let mut child: pid_t = 0;
    entering::forget_note();
    let spawned = real(&raw mut child, add_our_variables(environment));
    if spawned == 0 {
        GuestPtr::new(pid).write(child);
        tell_of(session, child);
    } else {
        entering::read_note(session, "posix_spawn", name);
    }
    spawned
}

/// The shell that libc starts by itself.
const SHELL: &CStr = c"/bin/sh";

#[unsafe(no_mangle)]
pub extern "C" fn system(command: *const c_char) -> c_int {
    run_shell("system", || real::system(command))
}

#[unsafe(no_mangle)]
pub extern "C" fn popen(command: *const c_char, mode: *const c_char) -> *mut libc::FILE {
    run_shell("popen", || real::popen(command, mode))
}

/// Runs a function with which libc starts a shell, and reports why it could not, which libc does not say.
fn run_shell<T>(call: &str, real: impl FnOnce() -> T) -> T {
    let Some(session) = session() else { return real() };
    entering::forget_note();
    let result = real();
    entering::read_note(session, call, SHELL.as_ptr());
    result
}

#[unsafe(no_mangle)]
pub extern "C" fn wait4(pid: pid_t, status: *mut c_int, options: c_int, usage: *mut libc::rusage) -> pid_t {
    let kernel = || pass!(libc::SYS_wait4, pid, status, options, usage);
    match session() {
        Some(session) if options & libc::WNOHANG == 0 => {
            give_int(wait::in_kernel(session, Wait::forever(Call::WaitPid), kernel))
        }
        Some(_) | None => give_int(kernel()),
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn waitpid(pid: pid_t, status: *mut c_int, options: c_int) -> pid_t {
    wait4(pid, status, options, core::ptr::null_mut())
}

/// Replaces `daemon`, in which libc forks without our knowledge.
#[unsafe(no_mangle)]
pub extern "C" fn daemon(stay: c_int, keep_open: c_int) -> c_int {
    match fork() {
        -1 => return -1,
        0 => {}
        _ => loop {
            let _ = pass!(libc::SYS_exit_group, 0);
        },
    }
    let detach = || {
        pass!(libc::SYS_setsid)?;
        if stay == 0 {
            pass!(libc::SYS_chdir, c"/".as_ptr())?;
        }
        if keep_open == 0 {
            let null = pass!(libc::SYS_openat, libc::AT_FDCWD, c"/dev/null".as_ptr(), libc::O_RDWR, 0)?;
            for fd in 0..3 {
                pass!(libc::SYS_dup3, null, fd, 0)?;
            }
            kernel::close(null as c_int);
        }
        Ok(0)
    };
    give_int(detach())
}
