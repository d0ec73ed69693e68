//! Timers that are set without being waited for: they are on the board, and the stage makes them go off. A timer with a
//! descriptor is an eventfd, which reads like one.

use std::fs;
use std::sync::atomic::Ordering::SeqCst;

use wire::{Call, Reply, Request, SignalForm, Timer};

use super::Errno;
use super::park::{Until, Wait};
use super::time::{NS_PER_S, is_wall, timespec, timeval, to_ns};
use super::visit::{Done, Outcome, Result, Visit};
use crate::sys::guest;

/// The time when a timer goes off, and the interval after that; all zero when it is not set.
#[derive(Clone, Copy)]
struct Setting {
    /// A length of time, or a time of the timer's clock.
    value_ns: u64,
    interval_ns: u64,
    is_absolute: bool,
}

impl Visit<'_, '_> {
    pub fn call_timer(&mut self, number: i64) -> Option<Outcome> {
        Some(match number {
            libc::SYS_timerfd_create => self.timerfd_create(),
            libc::SYS_timerfd_settime => self.timerfd_settime(),
            libc::SYS_timerfd_gettime => {
                self.timer_of_fd(self.int(0)).and_then(|timer| self.give_setting(timer, self.arg(1)))
            }
            libc::SYS_alarm => self.alarm(),
            libc::SYS_setitimer if self.arg(0) == 0 => self.setitimer(),
            libc::SYS_getitimer if self.arg(0) == 0 => self.getitimer(),
            libc::SYS_timer_create => self.timer_create(),
            libc::SYS_timer_settime => self.own_timer().and_then(|timer| {
                let is_absolute = self.int(1) & libc::TIMER_ABSTIME != 0;
                self.set_from(timer, (self.arg(2), self.arg(3)), is_absolute)
            }),
            libc::SYS_timer_gettime => {
                self.own_timer().and_then(|timer| self.give_setting(timer, self.arg(1)))
            }
            libc::SYS_timer_getoverrun => self
                .own_timer()
                .and_then(|timer| Ok(Done::Value(i64::from(self.timer(timer)?.n_overrun.load(SeqCst))))),
            libc::SYS_timer_delete => self.timer_delete(),
            libc::SYS_rt_sigtimedwait => self.sigtimedwait(),
            _ => return None,
        })
    }

    fn timer(&self, index: u32) -> Result<&Timer> {
        self.board().timers.get(index as usize).ok_or(Errno(libc::EINVAL))
    }

    fn make_timer(
        &mut self,
        request: &Request<'_>,
        descriptor: Option<std::os::fd::OwnedFd>,
        is_wall: bool,
    ) -> Result<u32> {
        let Reply::Timer { timer } = self.ask(request, descriptor)? else { return Err(Errno(libc::EINVAL)) };
        self.timer(timer)?.is_wall.store(u32::from(is_wall), SeqCst);
        Ok(timer)
    }

    /// Sets a timer, and returns what was left of the old setting.
    fn set(&self, timer: u32, setting: Setting) -> Result<Setting> {
        let old = self.get(timer)?;
        let place = self.timer(timer)?;
        let is_wall = place.is_wall.load(SeqCst) != 0;
        let deadline_ns = match (setting.value_ns, setting.is_absolute) {
            (0, _) => 0,
            (value, false) => self.now().saturating_add(value),
            // A time that has passed counts as now.
            (value, true) => self.to_monotonic(is_wall, value).max(self.now()).max(1),
        };
        place.interval_ns.store(setting.interval_ns, SeqCst);
        place.deadline_ns.store(deadline_ns, SeqCst);
        Ok(old)
    }

    fn get(&self, timer: u32) -> Result<Setting> {
        let place = self.timer(timer)?;
        let deadline_ns = place.deadline_ns.load(SeqCst);
        let value_ns = if deadline_ns == 0 { 0 } else { deadline_ns.saturating_sub(self.now()).max(1) };
        Ok(Setting { value_ns, interval_ns: place.interval_ns.load(SeqCst), is_absolute: false })
    }

    /// Sets a timer from an `itimerspec`, and writes the old setting.
    fn set_from(&self, timer: u32, (new, old): (u64, u64), is_absolute: bool) -> Outcome {
        let [interval_s, interval, value_s, value] = self.read_words(new)?;
        let (value_ns, interval_ns) =
            (to_ns([value_s, value], NS_PER_S)?, to_ns([interval_s, interval], NS_PER_S)?);
        let before = self.set(timer, Setting { value_ns, interval_ns, is_absolute })?;
        self.write_opt(old, &[timespec(before.interval_ns), timespec(before.value_ns)].concat())?;
        Ok(Done::Value(0))
    }

    fn give_setting(&self, timer: u32, at: u64) -> Outcome {
        let setting = self.get(timer)?;
        self.write(at, &[timespec(setting.interval_ns), timespec(setting.value_ns)].concat())?;
        Ok(Done::Value(0))
    }

    fn timerfd_create(&mut self) -> Outcome {
        let is_wall = is_wall(self.int(0)).ok_or(Errno(libc::EINVAL))?;
        let flags = self.int(1);
        // Both kinds of descriptors have the same flags.
        let event = guest::event(flags | libc::EFD_CLOEXEC)?;
        let timer = self.make_timer(&Request::TimerFd {}, Some(event.try_clone()?), is_wall)?;
        let number = event_number(&format!("/proc/self/fdinfo/{}", std::os::fd::AsRawFd::as_raw_fd(&event)));
        self.door.timer_files.insert(number.ok_or(Errno(libc::ENOSYS))?, timer);
        Ok(Done::Descriptor(event, flags & libc::TFD_CLOEXEC != 0))
    }

    fn timer_of_fd(&self, fd: i32) -> Result<u32> {
        let number = event_number(&format!("/proc/{}/fdinfo/{fd}", self.pid));
        let timer = number.and_then(|number| self.door.timer_files.get(&number));
        timer.copied().ok_or(Errno(libc::EINVAL))
    }

    /// Tells the stage of a descriptor of a timer that is about to be closed; it knows whether there are others.
    pub fn close_timer(&mut self, fd: i32) {
        if !self.door.timer_files.is_empty()
            && let Ok(timer) = self.timer_of_fd(fd)
        {
            // A timer that does not exist any more need not be reported.
            let _ = self.ask(&Request::TimerClosed { timer }, None);
        }
    }

    fn timerfd_settime(&mut self) -> Outcome {
        let timer = self.timer_of_fd(self.int(0))?;
        // Earlier expirations are forgotten.
        guest::drain_event(&self.borrow(self.int(0))?);
        let is_absolute = self.int(1) & libc::TFD_TIMER_ABSTIME != 0;
        self.set_from(timer, (self.arg(2), self.arg(3)), is_absolute)
    }

    /// Returns the timer that sends `SIGALRM`, which is made when first needed.
    fn real_timer(&mut self) -> Result<u32> {
        if let Some(timer) = self.process()?.real_timer {
            return Ok(timer);
        }
        let (signal, form) = (libc::SIGALRM, SignalForm::Plain);
        let timer =
            self.make_timer(&Request::TimerSignal { signal, form, value: 0, thread: 0 }, None, false)?;
        if let Some(process) = self.door.processes.get_mut(&self.pid) {
            process.real_timer = Some(timer);
        }
        Ok(timer)
    }

    fn alarm(&mut self) -> Outcome {
        let timer = self.real_timer()?;
        let value_ns = u64::from(self.arg(0) as u32) * NS_PER_S;
        let old = self.set(timer, Setting { value_ns, interval_ns: 0, is_absolute: false })?;
        // The result is at least one while something is left.
        Ok(Done::Value(old.value_ns.div_ceil(NS_PER_S) as i64))
    }

    fn setitimer(&mut self) -> Outcome {
        let timer = self.real_timer()?;
        let [interval_s, interval, value_s, value] = match self.arg(1) {
            0 => [0; 4],
            at => self.read_words(at)?,
        };
        let (value_ns, interval_ns) =
            (to_ns([value_s, value], 1_000_000)?, to_ns([interval_s, interval], 1_000_000)?);
        let old = self.set(timer, Setting { value_ns, interval_ns, is_absolute: false })?;
        self.write_opt(self.arg(2), &[timeval(old.interval_ns), timeval(old.value_ns)].concat())?;
        Ok(Done::Value(0))
    }

    fn getitimer(&mut self) -> Outcome {
        let timer = self.real_timer()?;
        let now = self.get(timer)?;
        self.write(self.arg(1), &[timeval(now.interval_ns), timeval(now.value_ns)].concat())?;
        Ok(Done::Value(0))
    }

    fn timer_create(&mut self) -> Outcome {
        let Some(is_wall) = is_wall(self.int(0)) else {
            self.report("timer_create", "a timer of the processor's time runs in real time", false);
            return Err(Errno(libc::ENOTSUP));
        };
        let (signal, form, value, thread) = match self.arg(1) {
            0 => (libc::SIGALRM, SignalForm::Number, 0, 0),
            at => {
                let [value, kind, thread] = self.read_words(at)?;
                let signal = kind as u32 as i32;
                match (kind >> 32) as i32 {
                    libc::SIGEV_NONE => (0, SignalForm::Value, value, 0),
                    libc::SIGEV_SIGNAL => (signal, SignalForm::Value, value, 0),
                    libc::SIGEV_THREAD_ID => (signal, SignalForm::Value, value, thread as u32),
                    _ => return Err(Errno(libc::EINVAL)),
                }
            }
        };
        let timer = self.make_timer(&Request::TimerSignal { signal, form, value, thread }, None, is_wall)?;
        if let Some(process) = self.door.processes.get_mut(&self.pid) {
            process.timers.push(timer);
        }
        self.write(self.arg(2), &(timer as i32 + 1).to_ne_bytes())?;
        Ok(Done::Value(0))
    }

    /// Returns the timer of this process whose number is the first argument.
    fn own_timer(&self) -> Result<u32> {
        let timer = u32::try_from(self.int(0)).ok().and_then(|number| number.checked_sub(1));
        let timer = timer.filter(|timer| self.process().is_ok_and(|process| process.timers.contains(timer)));
        timer.ok_or(Errno(libc::EINVAL))
    }

    fn timer_delete(&mut self) -> Outcome {
        let timer = self.own_timer()?;
        if let Some(process) = self.door.processes.get_mut(&self.pid) {
            process.timers.retain(|known| *known != timer);
        }
        self.ask(&Request::TimerGone { timer }, None)?;
        Ok(Done::Value(0))
    }

    fn sigtimedwait(&mut self) -> Outcome {
        let [set] = self.read_words(self.arg(0))?;
        let length_ns = match self.arg(2) {
            0 => None,
            at => Some(to_ns(self.read_words(at)?, NS_PER_S)?),
        };
        let deadline_ns = self.until(length_ns);
        if super::park::pending(self.notice.tid).is_some_and(|signals| signals & set != 0) {
            // The kernel does not wait now.
            return Ok(Done::Continue);
        }
        if self.has_expired || deadline_ns <= self.now() {
            return Err(Errno(libc::EAGAIN));
        }
        Ok(Done::Wait(Wait::new(Call::SigWait, deadline_ns, Until::Signals(set))))
    }
}

/// Returns the number by which the kernel knows an eventfd.
fn event_number(path: &str) -> Option<u64> {
    let text = fs::read_to_string(path).ok()?;
    text.lines().find_map(|line| line.strip_prefix("eventfd-id:"))?.trim().parse().ok()
}
