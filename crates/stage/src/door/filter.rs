//! The filter: which system calls of a program the stage is asked about. The kernel decides all others by itself.

use std::mem::offset_of;

use libc::{SECCOMP_RET_ALLOW, SECCOMP_RET_ERRNO, SECCOMP_RET_USER_NOTIF, seccomp_data};

use crate::sys::Instruction;

/// The kind of machine for which system calls are numbered as they are here.
const AUDIT_ARCH_X86_64: u32 = 0xc000_003e;
/// The bit of the numbers of the kernel's interface with short addresses.
const SHORT_ADDRESSES: u32 = 0x4000_0000;

/// Calls that are always heard.
const HEARD: &[i64] = &[
    // Time.
    libc::SYS_gettimeofday,
    libc::SYS_time,
    libc::SYS_clock_settime,
    libc::SYS_settimeofday,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    libc::SYS_nanosleep,
    libc::SYS_timerfd_create,
    libc::SYS_timerfd_settime,
    libc::SYS_timerfd_gettime,
    libc::SYS_alarm,
    libc::SYS_setitimer,
    libc::SYS_getitimer,
    libc::SYS_timer_create,
    libc::SYS_timer_settime,
    libc::SYS_timer_gettime,
    libc::SYS_timer_getoverrun,
    libc::SYS_timer_delete,
    libc::SYS_rt_sigtimedwait,
    libc::SYS_sched_yield,
    // Waits.
    libc::SYS_futex,
    libc::SYS_futex_waitv,
    libc::SYS_epoll_wait,
    libc::SYS_epoll_pwait,
    libc::SYS_epoll_pwait2,
    libc::SYS_epoll_ctl,
    libc::SYS_poll,
    libc::SYS_ppoll,
    libc::SYS_select,
    libc::SYS_pselect6,
    libc::SYS_wait4,
    libc::SYS_waitid,
    // Sockets, and what may be one.
    libc::SYS_socket,
    libc::SYS_bind,
    libc::SYS_listen,
    libc::SYS_connect,
    libc::SYS_accept,
    libc::SYS_accept4,
    libc::SYS_getsockname,
    libc::SYS_getpeername,
    libc::SYS_sendto,
    libc::SYS_sendmsg,
    libc::SYS_sendmmsg,
    libc::SYS_recvfrom,
    libc::SYS_recvmsg,
    libc::SYS_recvmmsg,
    libc::SYS_shutdown,
    libc::SYS_read,
    libc::SYS_readv,
    libc::SYS_write,
    libc::SYS_writev,
    libc::SYS_close,
    // Randomness.
    libc::SYS_getrandom,
    // Files.
    libc::SYS_fsync,
    libc::SYS_fdatasync,
    libc::SYS_sync,
    libc::SYS_syncfs,
    libc::SYS_rename,
    libc::SYS_renameat,
    libc::SYS_renameat2,
    libc::SYS_pwrite64,
    libc::SYS_pwritev,
    libc::SYS_pwritev2,
    libc::SYS_io_setup,
    libc::SYS_io_uring_setup,
    // Processes, threads and signals.
    libc::SYS_vfork,
    libc::SYS_clone3,
    libc::SYS_execve,
    libc::SYS_execveat,
    libc::SYS_arch_prctl,
    libc::SYS_gettid,
    libc::SYS_rt_sigprocmask,
    libc::SYS_set_robust_list,
    libc::SYS_rseq,
    libc::SYS_kill,
    libc::SYS_tkill,
    libc::SYS_tgkill,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    libc::SYS_pidfd_send_signal,
    libc::SYS_sched_getaffinity,
];

/// Calls that are heard where the stage remembers what is durable.
const HEARD_OF_FILES: &[i64] = &[
    libc::SYS_ftruncate,
    libc::SYS_truncate,
    libc::SYS_fallocate,
    libc::SYS_copy_file_range,
    libc::SYS_sendfile,
    libc::SYS_splice,
    libc::SYS_msync,
    libc::SYS_creat,
];

const LOAD: u16 = 0x20;
const JUMP_IF_EQUAL: u16 = 0x15;
const JUMP_IF_LEAST: u16 = 0x35;
const JUMP_IF_ANY: u16 = 0x45;
const RETURN: u16 = 0x06;

fn statement(code: u16, k: u32) -> Instruction {
    Instruction { code, jt: 0, jf: 0, k }
}

/// Returns an instruction that skips `yes` instructions if its condition holds, and `no` if not.
fn jump(code: u16, k: u32, yes: u8, no: u8) -> Instruction {
    Instruction { code, jt: yes, jf: no, k }
}

/// Returns the place of the lower half of an argument.
fn argument(index: usize) -> u32 {
    (offset_of!(seccomp_data, args) + index * size_of::<u64>()) as u32
}

/// Adds the rule for one call, whose arguments decide: the `body` says so, and every way through it returns.
fn add_rule(filter: &mut Vec<Instruction>, number: i64, body: &[Instruction]) {
    filter.push(jump(JUMP_IF_EQUAL, number as u32, 0, body.len() as u8));
    filter.extend_from_slice(body);
}

/// Makes the filter for a node.
pub fn make(tracks_files: bool) -> Vec<Instruction> {
    let refuse = SECCOMP_RET_ERRNO | libc::ENOSYS as u32;
    let (hear, pass) = (statement(RETURN, SECCOMP_RET_USER_NOTIF), statement(RETURN, SECCOMP_RET_ALLOW));
    let mut filter = vec![
        statement(LOAD, offset_of!(seccomp_data, arch) as u32),
        jump(JUMP_IF_EQUAL, AUDIT_ARCH_X86_64, 1, 0),
        statement(RETURN, refuse),
        statement(LOAD, offset_of!(seccomp_data, nr) as u32),
        jump(JUMP_IF_LEAST, SHORT_ADDRESSES, 0, 1),
        statement(RETURN, refuse),
    ];
    // Clocks of the processor's time are the machine's: the second and third, and those with the highest bit.
    for number in [libc::SYS_clock_gettime, libc::SYS_clock_getres, libc::SYS_clock_nanosleep] {
        add_rule(
            &mut filter,
            number,
            &[
                statement(LOAD, argument(0)),
                jump(JUMP_IF_ANY, 1 << 31, 3, 0),
                jump(JUMP_IF_EQUAL, libc::CLOCK_PROCESS_CPUTIME_ID as u32, 2, 0),
                jump(JUMP_IF_EQUAL, libc::CLOCK_THREAD_CPUTIME_ID as u32, 1, 0),
                hear,
                pass,
            ],
        );
    }
    add_rule(
        &mut filter,
        libc::SYS_getsockopt,
        &[
            statement(LOAD, argument(1)),
            jump(JUMP_IF_EQUAL, libc::SOL_SOCKET as u32, 0, 3),
            statement(LOAD, argument(2)),
            jump(JUMP_IF_EQUAL, libc::SO_ERROR as u32, 0, 1),
            hear,
            pass,
        ],
    );
    add_rule(
        &mut filter,
        libc::SYS_clone,
        &[statement(LOAD, argument(0)), jump(JUMP_IF_ANY, libc::CLONE_VFORK as u32, 0, 1), hear, pass],
    );
    add_rule(
        &mut filter,
        libc::SYS_prctl,
        &[statement(LOAD, argument(0)), jump(JUMP_IF_EQUAL, libc::PR_SET_DUMPABLE as u32, 0, 1), hear, pass],
    );
    if tracks_files {
        for (number, flags) in [(libc::SYS_open, 1), (libc::SYS_openat, 2)] {
            let cuts = jump(JUMP_IF_ANY, libc::O_TRUNC as u32, 0, 1);
            add_rule(&mut filter, number, &[statement(LOAD, argument(flags)), cuts, hear, pass]);
        }
        add_rule(
            &mut filter,
            libc::SYS_mmap,
            &[
                statement(LOAD, argument(3)),
                jump(JUMP_IF_ANY, libc::MAP_ANONYMOUS as u32, 2, 0),
                jump(JUMP_IF_ANY, libc::MAP_SHARED as u32, 0, 1),
                hear,
                pass,
            ],
        );
    }
    let of_files: &[i64] = if tracks_files { HEARD_OF_FILES } else { &[] };
    for number in HEARD.iter().chain(of_files) {
        add_rule(&mut filter, *number, &[hear]);
    }
    filter.push(pass);
    filter
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a filter as the kernel does, and returns its last word.
    fn run(filter: &[Instruction], arch: u32, number: i64, args: [u64; 6]) -> u32 {
        let (mut at, mut word) = (0, 0);
        loop {
            let Instruction { code, jt, jf, k } = filter[at];
            at += 1;
            let mut branch = |is_so: bool| at += usize::from(if is_so { jt } else { jf });
            match code {
                LOAD if k == offset_of!(seccomp_data, arch) as u32 => word = arch,
                LOAD if k == offset_of!(seccomp_data, nr) as u32 => word = number as u32,
                LOAD => word = args[(k as usize - offset_of!(seccomp_data, args)) / 8] as u32,
                JUMP_IF_EQUAL => branch(word == k),
                JUMP_IF_LEAST => branch(word >= k),
                JUMP_IF_ANY => branch(word & k != 0),
                RETURN => return k,
                other => panic!("{other}"),
            }
        }
    }

    #[track_caller]
    fn check(number: i64, args: [u64; 6], expected: u32) {
        assert_eq!(run(&make(true), AUDIT_ARCH_X86_64, number, args), expected);
    }

    #[test]
    fn what_is_heard_and_what_is_not() {
        let hear = SECCOMP_RET_USER_NOTIF;
        HEARD.iter().chain(HEARD_OF_FILES).for_each(|number| check(*number, [0; 6], hear));
        for (clock, expected) in
            [(0, hear), (1, hear), (2, SECCOMP_RET_ALLOW), (3, SECCOMP_RET_ALLOW), (7, hear)]
        {
            check(libc::SYS_clock_gettime, [clock, 0, 0, 0, 0, 0], expected);
        }
        check(libc::SYS_clock_gettime, [u64::from(-6_i32 as u32), 0, 0, 0, 0, 0], SECCOMP_RET_ALLOW);
        check(libc::SYS_getsockopt, [3, 1, 4, 0, 0, 0], hear);
        check(libc::SYS_getsockopt, [3, 1, 3, 0, 0, 0], SECCOMP_RET_ALLOW);
        check(libc::SYS_getsockopt, [3, 6, 4, 0, 0, 0], SECCOMP_RET_ALLOW);
        check(libc::SYS_clone, [0x0005_0f00, 0, 0, 0, 0, 0], SECCOMP_RET_ALLOW);
        check(libc::SYS_clone, [0x4111, 0, 0, 0, 0, 0], hear);
        check(libc::SYS_openat, [0, 0, libc::O_TRUNC as u64, 0, 0, 0], hear);
        check(libc::SYS_openat, [0; 6], SECCOMP_RET_ALLOW);
        check(libc::SYS_mmap, [0, 0, 0, 0x21, 0, 0], SECCOMP_RET_ALLOW);
        check(libc::SYS_mmap, [0, 0, 0, 1, 0, 0], hear);
        check(libc::SYS_getpid, [0; 6], SECCOMP_RET_ALLOW);
        let quiet = make(false);
        assert_eq!(run(&quiet, AUDIT_ARCH_X86_64, libc::SYS_ftruncate, [0; 6]), SECCOMP_RET_ALLOW);
    }

    #[test]
    fn calls_of_other_machines_do_not_exist() {
        let refuse = SECCOMP_RET_ERRNO | libc::ENOSYS as u32;
        assert_eq!(run(&make(false), 0x4000_0003, 1, [0; 6]), refuse);
        assert_eq!(run(&make(false), AUDIT_ARCH_X86_64, 0x4000_0001, [0; 6]), refuse);
    }
}
