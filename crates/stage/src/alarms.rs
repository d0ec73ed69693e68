//! Timers that programs set without waiting for them in a call: how each one shows that it has gone off, and which are
//! free.

use std::fs;
use std::os::fd::{AsRawFd, OwnedFd};
use std::sync::atomic::Ordering::SeqCst;

use wire::{Board, SignalForm};

use crate::sys::{self, TimerSignal};

/// The way in which a timer shows that it has gone off.
pub(crate) enum Alarm {
    /// It adds to an eventfd.
    Descriptor(OwnedFd),
    /// It sends a signal; zero is none.
    Signal { pid: u32, thread: u32, signal: i32, form: SignalForm, value: u64 },
}

/// The timers of a node, by their places on the board. A place without a timer is free.
#[derive(Default)]
pub(crate) struct Alarms(Vec<Option<Alarm>>);

impl Alarms {
    /// Returns how many places have ever been taken; later places never were.
    pub fn n_places(&self) -> usize {
        self.0.len()
    }

    /// Takes a place on the board for a timer that is not set yet. If all places are taken, first frees those of
    /// processes that have ended.
    pub fn add(&mut self, alarm: Alarm, board: &Board, pids: &[u32]) -> Option<u32> {
        if self.0.len() >= board.timers.len() && !self.0.iter().any(Option::is_none) {
            self.sweep(board, pids);
        }
        let index = match self.0.iter().position(Option::is_none) {
            Some(index) => index,
            None => {
                board.timers.get(self.0.len())?;
                self.0.push(None);
                self.0.len() - 1
            }
        };
        self.free(index, board);
        self.0[index] = Some(alarm);
        u32::try_from(index).ok()
    }

    /// Frees a place, so that nothing goes off there.
    pub fn free(&mut self, index: usize, board: &Board) {
        let (Some(alarm), Some(timer)) = (self.0.get_mut(index), board.timers.get(index)) else { return };
        *alarm = None;
        timer.deadline_ns.store(0, SeqCst);
        timer.interval_ns.store(0, SeqCst);
        timer.n_overrun.store(0, SeqCst);
    }

    /// Notes that a process is about to close a descriptor of a timer. If it is the last one, frees the timer.
    pub fn close(&mut self, index: usize, board: &Board, pids: &[u32]) {
        if let Some(Some(Alarm::Descriptor(descriptor))) = self.0.get(index)
            && n_open(descriptor, pids) <= 1
        {
            self.free(index, board);
        }
    }

    /// Frees the timers that no process has any more.
    pub fn sweep(&mut self, board: &Board, pids: &[u32]) {
        let is_gone = |alarm: &Alarm| match alarm {
            Alarm::Descriptor(descriptor) => n_open(descriptor, pids) == 0,
            Alarm::Signal { pid, .. } => !pids.contains(pid),
        };
        for index in 0..self.0.len() {
            if self.0[index].as_ref().is_some_and(is_gone) {
                self.free(index, board);
            }
        }
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Shows that the timer has gone off `n_times` times at once.
    pub fn go_off(&self, index: usize, n_times: u64) {
        match self.0.get(index) {
            Some(Some(Alarm::Descriptor(descriptor))) => sys::signal_event(descriptor, n_times),
            Some(Some(Alarm::Signal { signal: 0, .. })) | Some(None) | None => {}
            Some(Some(Alarm::Signal { pid, signal, form: SignalForm::Plain, .. })) => {
                let (signal, number, n_overrun, value) = (*signal, 0, 0, 0);
                sys::signal_timer(*pid, 0, &TimerSignal { signal, number, n_overrun, value });
            }
            Some(Some(Alarm::Signal { pid, thread, signal, form, value })) => {
                let number = index as u32 + 1;
                let value = if *form == SignalForm::Number { u64::from(number) } else { *value };
                let n_overrun = i32::try_from(n_times.saturating_sub(1)).unwrap_or(i32::MAX);
                sys::signal_timer(*pid, *thread, &TimerSignal { signal: *signal, number, n_overrun, value });
            }
        }
    }
}

/// Counts the descriptors of an eventfd that the processes have. The kernel numbers eventfds, so this one can be
/// recognised.
fn n_open(descriptor: &OwnedFd, pids: &[u32]) -> usize {
    let Some(id) = event_id(&format!("/proc/self/fdinfo/{}", descriptor.as_raw_fd())) else {
        return usize::MAX;
    };
    let of_process = |pid: &u32| {
        let entries = fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
        let events = entries.filter(|entry| {
            fs::read_link(entry.path()).is_ok_and(|link| link.as_os_str() == "anon_inode:[eventfd]")
        });
        let numbers = events.filter_map(|entry| entry.file_name().into_string().ok());
        numbers.filter(|fd| event_id(&format!("/proc/{pid}/fdinfo/{fd}")).as_ref() == Some(&id)).count()
    };
    pids.iter().map(of_process).sum()
}

fn event_id(path: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    text.lines().find_map(|line| line.strip_prefix("eventfd-id:")).map(|id| id.trim().to_owned())
}
