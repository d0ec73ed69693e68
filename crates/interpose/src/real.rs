//! The functions of libc itself, found behind our own symbols.
#![expect(unsafe_code, reason = "looks up symbols and calls what it finds")]

use core::ffi::CStr;
use core::sync::atomic::AtomicUsize;
use core::sync::atomic::Ordering::Relaxed;

use libc::{
    aiocb, c_char, c_int, c_uint, c_void, clockid_t, hostent, itimerspec, pid_t, posix_spawn_file_actions_t,
    posix_spawnattr_t, pthread_attr_t, pthread_cond_t, pthread_condattr_t, pthread_mutex_t, pthread_rwlock_t,
    pthread_t, sem_t, sigevent, size_t, sockaddr, socklen_t, timer_t, timespec,
};

/// The version of condition variables; a plain look-up may find an older one.
const COND_VERSION: &CStr = c"GLIBC_2.3.2";

/// Returns the address of the next definition of a symbol. Ends the guest if there is none, since libc has it.
fn find(cache: &AtomicUsize, name: &CStr, is_cond: bool) -> usize {
    let known = cache.load(Relaxed);
    if known != 0 {
        return known;
    }
    let mut address = core::ptr::null_mut();
    if is_cond {
        // SAFETY: both names end with a zero.
        address = unsafe { libc::dlvsym(libc::RTLD_NEXT, name.as_ptr(), COND_VERSION.as_ptr()) };
    }
    if address.is_null() {
        // SAFETY: the name ends with a zero.
        address = unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) };
    }
    assert!(!address.is_null(), "libc has every function that we stand in for");
    cache.store(address as usize, Relaxed);
    address as usize
}

macro_rules! real {
    ($($(#[$cond:ident])? fn $name:ident($($arg:ident: $type:ty),*) $(-> $result:ty)?;)*) => {$(
        #[allow(clippy::too_many_arguments, reason = "the signatures are libc's")]
        pub fn $name($($arg: $type),*) $(-> $result)? {
            static CACHE: AtomicUsize = AtomicUsize::new(0);
            let name = concat!(stringify!($name), "\0");
            let name = CStr::from_bytes_with_nul(name.as_bytes()).unwrap_or_default();
            let address = find(&CACHE, name, false $(|| stringify!($cond) == "cond")?);
            // SAFETY: the function has this type in libc, whose headers declare it so.
            let function: extern "C" fn($($type),*) $(-> $result)? = unsafe { core::mem::transmute(address) };
            function($($arg),*)
        }
    )*};
}

type StartRoutine = extern "C" fn(*mut c_void) -> *mut c_void;
type Words = *const *const c_char;

real! {
    #[cond] fn pthread_cond_init(cond: *mut pthread_cond_t, attr: *const pthread_condattr_t) -> c_int;
    #[cond] fn pthread_cond_destroy(cond: *mut pthread_cond_t) -> c_int;
    #[cond] fn pthread_cond_signal(cond: *mut pthread_cond_t) -> c_int;
    #[cond] fn pthread_cond_broadcast(cond: *mut pthread_cond_t) -> c_int;
    #[cond] fn pthread_cond_wait(cond: *mut pthread_cond_t, mutex: *mut pthread_mutex_t) -> c_int;
    #[cond] fn pthread_cond_timedwait(cond: *mut pthread_cond_t, mutex: *mut pthread_mutex_t, until: *const timespec) -> c_int;
    fn pthread_cond_clockwait(cond: *mut pthread_cond_t, mutex: *mut pthread_mutex_t, id: clockid_t, until: *const timespec) -> c_int;
    fn pthread_condattr_getclock(attr: *const pthread_condattr_t, id: *mut clockid_t) -> c_int;
    fn pthread_condattr_getpshared(attr: *const pthread_condattr_t, shared: *mut c_int) -> c_int;
    fn pthread_mutex_lock(mutex: *mut pthread_mutex_t) -> c_int;
    fn pthread_mutex_trylock(mutex: *mut pthread_mutex_t) -> c_int;
    fn pthread_mutex_unlock(mutex: *mut pthread_mutex_t) -> c_int;
    fn pthread_mutex_timedlock(mutex: *mut pthread_mutex_t, until: *const timespec) -> c_int;
    fn pthread_mutex_clocklock(mutex: *mut pthread_mutex_t, id: clockid_t, until: *const timespec) -> c_int;
    fn pthread_rwlock_rdlock(lock: *mut pthread_rwlock_t) -> c_int;
    fn pthread_rwlock_tryrdlock(lock: *mut pthread_rwlock_t) -> c_int;
    fn pthread_rwlock_timedrdlock(lock: *mut pthread_rwlock_t, until: *const timespec) -> c_int;
    fn pthread_rwlock_clockrdlock(lock: *mut pthread_rwlock_t, id: clockid_t, until: *const timespec) -> c_int;
    fn pthread_rwlock_wrlock(lock: *mut pthread_rwlock_t) -> c_int;
    fn pthread_rwlock_trywrlock(lock: *mut pthread_rwlock_t) -> c_int;
    fn pthread_rwlock_timedwrlock(lock: *mut pthread_rwlock_t, until: *const timespec) -> c_int;
    fn pthread_rwlock_clockwrlock(lock: *mut pthread_rwlock_t, id: clockid_t, until: *const timespec) -> c_int;
    fn pthread_join(thread: pthread_t, value: *mut *mut c_void) -> c_int;
    fn pthread_tryjoin_np(thread: pthread_t, value: *mut *mut c_void) -> c_int;
    fn pthread_timedjoin_np(thread: pthread_t, value: *mut *mut c_void, until: *const timespec) -> c_int;
    fn pthread_clockjoin_np(thread: pthread_t, value: *mut *mut c_void, id: clockid_t, until: *const timespec) -> c_int;
    fn pthread_create(thread: *mut pthread_t, attr: *const pthread_attr_t, start: StartRoutine, arg: *mut c_void) -> c_int;
    fn pthread_exit(value: *mut c_void);
    fn sem_init(sem: *mut sem_t, shared: c_int, value: c_uint) -> c_int;
    fn sem_destroy(sem: *mut sem_t) -> c_int;
    fn sem_post(sem: *mut sem_t) -> c_int;
    fn sem_getvalue(sem: *mut sem_t, value: *mut c_int) -> c_int;
    fn sem_trywait(sem: *mut sem_t) -> c_int;
    fn sem_wait(sem: *mut sem_t) -> c_int;
    fn sem_timedwait(sem: *mut sem_t, until: *const timespec) -> c_int;
    fn sem_clockwait(sem: *mut sem_t, id: clockid_t, until: *const timespec) -> c_int;
    fn timer_create(id: clockid_t, event: *mut sigevent, timer: *mut timer_t) -> c_int;
    fn timer_settime(id: timer_t, flags: c_int, new: *const itimerspec, old: *mut itimerspec) -> c_int;
    fn timer_gettime(id: timer_t, value: *mut itimerspec) -> c_int;
    fn timer_getoverrun(id: timer_t) -> c_int;
    fn timer_delete(id: timer_t) -> c_int;
    fn getaddrinfo(name: *const c_char, service: *const c_char, hints: *const libc::addrinfo, found: *mut *mut libc::addrinfo) -> c_int;
    fn gethostbyname(name: *const c_char) -> *mut hostent;
    fn gethostbyname2(name: *const c_char, family: c_int) -> *mut hostent;
    fn gethostbyname_r(name: *const c_char, host: *mut hostent, buffer: *mut c_char, len: size_t, found: *mut *mut hostent, problem: *mut c_int) -> c_int;
    fn gethostbyname2_r(name: *const c_char, family: c_int, host: *mut hostent, buffer: *mut c_char, len: size_t, found: *mut *mut hostent, problem: *mut c_int) -> c_int;
    fn gethostbyaddr(address: *const c_void, len: socklen_t, family: c_int) -> *mut hostent;
    fn gethostbyaddr_r(address: *const c_void, address_len: socklen_t, family: c_int, host: *mut hostent, buffer: *mut c_char, len: size_t, found: *mut *mut hostent, problem: *mut c_int) -> c_int;
    fn getnameinfo(address: *const sockaddr, len: socklen_t, host: *mut c_char, host_len: socklen_t, service: *mut c_char, service_len: socklen_t, flags: c_int) -> c_int;
    fn getaddrinfo_a(mode: c_int, list: *mut *mut c_void, n: c_int, event: *mut sigevent) -> c_int;
    fn res_query(a: usize, b: usize, c: usize, d: usize, e: usize, f: usize, g: usize) -> c_int;
    fn __res_query(a: usize, b: usize, c: usize, d: usize, e: usize, f: usize, g: usize) -> c_int;
    fn res_search(a: usize, b: usize, c: usize, d: usize, e: usize, f: usize, g: usize) -> c_int;
    fn __res_search(a: usize, b: usize, c: usize, d: usize, e: usize, f: usize, g: usize) -> c_int;
    fn res_querydomain(a: usize, b: usize, c: usize, d: usize, e: usize, f: usize, g: usize) -> c_int;
    fn __res_querydomain(a: usize, b: usize, c: usize, d: usize, e: usize, f: usize, g: usize) -> c_int;
    fn res_send(a: usize, b: usize, c: usize, d: usize, e: usize, f: usize, g: usize) -> c_int;
    fn __res_send(a: usize, b: usize, c: usize, d: usize, e: usize, f: usize, g: usize) -> c_int;
    fn res_nquery(a: usize, b: usize, c: usize, d: usize, e: usize, f: usize, g: usize) -> c_int;
    fn __res_nquery(a: usize, b: usize, c: usize, d: usize, e: usize, f: usize, g: usize) -> c_int;
    fn res_nsearch(a: usize, b: usize, c: usize, d: usize, e: usize, f: usize, g: usize) -> c_int;
    fn __res_nsearch(a: usize, b: usize, c: usize, d: usize, e: usize, f: usize, g: usize) -> c_int;
    fn res_nquerydomain(a: usize, b: usize, c: usize, d: usize, e: usize, f: usize, g: usize) -> c_int;
    fn __res_nquerydomain(a: usize, b: usize, c: usize, d: usize, e: usize, f: usize, g: usize) -> c_int;
    fn res_nsend(a: usize, b: usize, c: usize, d: usize, e: usize, f: usize, g: usize) -> c_int;
    fn __res_nsend(a: usize, b: usize, c: usize, d: usize, e: usize, f: usize, g: usize) -> c_int;
    fn aio_read(block: *mut aiocb) -> c_int;
    fn aio_read64(block: *mut aiocb) -> c_int;
    fn aio_write(block: *mut aiocb) -> c_int;
    fn aio_write64(block: *mut aiocb) -> c_int;
    fn aio_fsync(operation: c_int, block: *mut aiocb) -> c_int;
    fn aio_fsync64(operation: c_int, block: *mut aiocb) -> c_int;
    fn lio_listio(mode: c_int, list: *const *mut aiocb, n: c_int, event: *mut sigevent) -> c_int;
    fn lio_listio64(mode: c_int, list: *const *mut aiocb, n: c_int, event: *mut sigevent) -> c_int;
    fn tmpnam(buffer: *mut c_char) -> *mut c_char;
    fn tmpnam_r(buffer: *mut c_char) -> *mut c_char;
    fn tempnam(folder: *const c_char, prefix: *const c_char) -> *mut c_char;
    fn fork() -> pid_t;
    fn execvpe(file: *const c_char, args: Words, env: Words) -> c_int;
    fn system(command: *const c_char) -> c_int;
    fn popen(command: *const c_char, mode: *const c_char) -> *mut libc::FILE;
    fn posix_spawn(pid: *mut pid_t, path: *const c_char, actions: *const posix_spawn_file_actions_t, attr: *const posix_spawnattr_t, args: Words, env: Words) -> c_int;
    fn posix_spawnp(pid: *mut pid_t, file: *const c_char, actions: *const posix_spawn_file_actions_t, attr: *const posix_spawnattr_t, args: Words, env: Words) -> c_int;
}
