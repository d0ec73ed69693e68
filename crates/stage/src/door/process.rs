//! Processes, threads and signals.

use wire::{Call, NEVER_NS};

use super::Errno;
use super::park::{RESTART, Until, Wait};
use super::visit::{Done, Outcome, Visit};
use crate::elf;

/// The beginning of `clone_args`: the flags.
const FLAGS_AT: u64 = 0;
/// The mask of processors that programs are told of: one. Threads take turns, whatever the machine has.
const PROCESSORS: u64 = 1;

impl Visit<'_, '_> {
    pub fn call_process(&mut self, number: i64) -> Option<Outcome> {
        Some(match number {
            // The filter lets pass what makes threads and ordinary children: they are met at their first call.
            libc::SYS_vfork | libc::SYS_clone => self.lend(),
            libc::SYS_clone3 => match self.read_words(self.arg(0) + FLAGS_AT) {
                Ok([flags]) if flags & libc::CLONE_VFORK as u64 != 0 => self.lend(),
                Ok([_]) => Ok(Done::Continue),
                Err(errno) => Err(errno),
            },
            libc::SYS_execve => self.exec(libc::AT_FDCWD, 0),
            libc::SYS_execveat => self.exec(self.int(0), 1),
            libc::SYS_wait4 => self.wait_child(self.int(2)),
            libc::SYS_waitid => self.wait_child(self.int(3)),
            libc::SYS_kill
            | libc::SYS_tkill
            | libc::SYS_tgkill
            | libc::SYS_rt_sigqueueinfo
            | libc::SYS_rt_tgsigqueueinfo
            | libc::SYS_pidfd_send_signal => {
                self.door.has_signals = true;
                Ok(Done::Continue)
            }
            libc::SYS_sched_getaffinity => {
                if self.arg(1) < 8 {
                    return Some(Err(Errno(libc::EINVAL)));
                }
                self.write(self.arg(2), &PROCESSORS.to_ne_bytes()).map(|()| Done::Value(8))
            }
            libc::SYS_prctl => {
                self.report("prctl", "the program wants to hide its memory, which it must not here", true);
                Ok(Done::Value(0))
            }
            _ => return None,
        })
    }

    /// Notes that the thread waits in the kernel until the process that it makes runs a program: that process goes on
    /// in its place.
    fn lend(&mut self) -> Outcome {
        let (tid, pid) = (self.notice.tid, self.pid);
        self.door.lenders.insert(tid, pid);
        Ok(Done::Continue)
    }

    fn exec(&mut self, folder: i32, index: usize) -> Outcome {
        let text = self.read_text(self.arg(index))?;
        let base = match folder {
            libc::AT_FDCWD => format!("/proc/{}/cwd", self.notice.tid),
            folder => format!("/proc/{}/fd/{folder}", self.pid),
        };
        let name = String::from_utf8_lossy(&text).into_owned();
        if let Some(reason) = elf::find_exec_obstacle(&name, std::path::Path::new(&base)) {
            self.report("exec", &reason, true);
            return Err(Errno(libc::EACCES));
        }
        if let Some(process) = self.door.processes.get_mut(&self.pid) {
            process.is_loading = true;
        }
        Ok(Done::Continue)
    }

    fn wait_child(&mut self, options: i32) -> Outcome {
        // A child that has ended makes the kernel answer at once.
        if options & libc::WNOHANG != 0 || self.has_waited() || super::park::has_dead_child(self.pid) {
            return Ok(Done::Continue);
        }
        let wait = Wait::new(Call::WaitPid, NEVER_NS, Until::Child);
        Ok(Done::Wait(Wait { on_signal: RESTART, ..wait }))
    }
}
