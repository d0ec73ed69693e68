//! The table of all symbols that the library replaces, with what it does there and which guest shows it.
//!
//! This module depends on no other, so that tests of other crates can read it too: the symbols that the library exports
//! are these, and each is called by the guest that is named.

/// The treatment of a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Treatment {
    /// We produce the answer.
    Emulate,
    /// The kernel or libc produces the answer, and we take note on the board or in our tables.
    Observe,
    /// The call does the same as without us, in a form that keeps its consequences under control.
    Pass,
    /// The guest gets an error, and the stage a report.
    Refuse,
}

pub struct Symbol {
    pub name: &'static str,
    pub treatment: Treatment,
    /// The guest that calls it, in `crates/test-kit/guests`.
    pub guest: &'static str,
}

/// A function that libc calls within itself, and which is redirected to ours.
pub struct Inside {
    pub name: &'static str,
    /// The guest that shows it, and, below, the function of libc that the guest calls for that.
    pub guest: &'static str,
    pub by: &'static str,
}

/// The functions that `inside` replaces.
pub const INSIDE: &[Inside] = &[
    Inside { name: "write", guest: "pens.c", by: "fwrite" },
    Inside { name: "read", guest: "pens.c", by: "fread" },
    Inside { name: "open", guest: "random.c", by: "fopen" },
    Inside { name: "close", guest: "processes.c", by: "posix_spawn_file_actions_addclose" },
    Inside { name: "execve", guest: "processes.c", by: "execl" },
    Inside { name: "__write_nocancel", guest: "pens.c", by: "fputc" },
    Inside { name: "__read_nocancel", guest: "pens.c", by: "fgetc" },
    Inside { name: "__close_nocancel", guest: "pens.c", by: "fclose" },
];

macro_rules! table {
    ($($treatment:ident $guest:literal: $($name:ident)*;)*) => {
        pub const SYMBOLS: &[Symbol] = &[$($(Symbol {
            name: stringify!($name),
            treatment: Treatment::$treatment,
            guest: $guest,
        },)*)*];
    };
}

table! {
    Emulate "clock.c": clock_gettime clock_getres gettimeofday time timespec_get;
    Emulate "clock.c": nanosleep clock_nanosleep sleep usleep;
    Emulate "clock.c": poll ppoll select pselect epoll_wait epoll_pwait epoll_pwait2 __poll_chk __ppoll_chk;
    Refuse "settime.c": clock_settime;

    Emulate "timers.c": timerfd_create timerfd_settime timerfd_gettime alarm setitimer getitimer;
    Emulate "timers.c": timer_create timer_settime timer_gettime timer_getoverrun timer_delete sigtimedwait sigwaitinfo;
    Observe "timers.c": sigwait pause;

    Emulate "threads.c": pthread_cond_init pthread_cond_destroy pthread_cond_signal pthread_cond_broadcast;
    Emulate "threads.c": pthread_cond_wait pthread_cond_timedwait pthread_cond_clockwait;
    Emulate "threads.c": sem_init sem_destroy sem_post sem_getvalue sem_trywait sem_wait sem_timedwait sem_clockwait;
    Observe "threads.c": pthread_mutex_lock pthread_rwlock_rdlock pthread_rwlock_wrlock pthread_join;
    Emulate "threads.c": pthread_mutex_timedlock pthread_mutex_clocklock pthread_rwlock_timedrdlock;
    Emulate "threads.c": pthread_rwlock_timedwrlock pthread_rwlock_clockrdlock pthread_rwlock_clockwrlock;
    Emulate "threads.c": pthread_timedjoin_np pthread_clockjoin_np;
    Observe "threads.c": pthread_create pthread_exit sched_yield syscall;

    Emulate "streams.c": socket bind listen connect accept accept4 getsockname getpeername getsockopt setsockopt;
    Observe "streams.c": send recv read write readv writev sendfile sendfile64 splice shutdown close;
    Observe "streams.c": __read_chk __recv_chk dup dup2 dup3 fcntl fcntl64 ioctl epoll_create epoll_create1 epoll_ctl;
    Emulate "datagrams.c": sendto recvfrom sendmsg recvmsg sendmmsg recvmmsg __recvfrom_chk;

    Emulate "names.c": getaddrinfo gethostbyname gethostbyname2 gethostbyname_r gethostbyname2_r;
    Emulate "names.c": gethostbyaddr gethostbyaddr_r getnameinfo;
    Refuse "questions.c": getaddrinfo_a res_query res_search res_querydomain res_send;
    Refuse "questions.c": res_nquery res_nsearch res_nquerydomain res_nsend;
    Refuse "questions.c": __res_query __res_search __res_querydomain __res_send;
    Refuse "questions.c": __res_nquery __res_nsearch __res_nquerydomain __res_nsend;

    Emulate "random.c": getrandom getentropy arc4random arc4random_buf arc4random_uniform;
    Emulate "random.c": mkstemp mkstemp64 mkstemps mkstemps64 mkostemp mkostemp64 mkostemps mkostemps64;
    Emulate "random.c": mkdtemp mktemp tmpnam tmpnam_r tempnam;
    Observe "random.c": open open64 openat openat64;

    Observe "files.c": fsync fdatasync mmap mmap64 msync;
    Observe "steps.c": ftruncate ftruncate64 truncate truncate64 fallocate fallocate64 copy_file_range;
    Observe "steps.c": sync syncfs rename renameat renameat2 pwrite pwrite64 pwritev pwritev64 pwritev2 pwritev64v2;

    Refuse "later.c": aio_read aio_read64 aio_write aio_write64 aio_fsync aio_fsync64 lio_listio lio_listio64;

    Observe "processes.c": fork vfork daemon wait4 waitpid close_range closefrom;
    Pass "processes.c": execve execv execvp execvpe fexecve posix_spawn posix_spawnp;
    Pass "processes.c": system popen;
}
