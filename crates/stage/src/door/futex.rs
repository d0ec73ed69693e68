//! Waits on words of memory, and those that end them. The kernel knows nothing of these waits: a thread that waits is
//! parked, and one that wakes it makes a call that is heard.

use std::fs;

use wire::{Call, NEVER_NS, Purpose};

use super::park::{Ended, RESTART, Until, Wait};
use super::time::{NS_PER_S, to_ns};
use super::visit::{Done, Outcome, Visit};
use super::{Door, Errno};
use crate::control::Desk;

/// The identity of a word of memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum WordKey {
    /// A word of one process, by its address.
    Own(u32, u64),
    /// A word of a file or of shared memory: device, inode and offset.
    Shared(u64, u64, u64),
}

/// A thread's wait on a word.
pub(super) struct Waiting {
    key: WordKey,
    at: u64,
    expected: u32,
    /// Only those that wake one of these bits count.
    bits: u32,
}

const ANY_BIT: u32 = u32::MAX;
const OPERATION: i32 = 0x7f;

impl Visit<'_, '_> {
    pub fn futex(&mut self) -> Outcome {
        let (at, operation, value) = (self.arg(0), self.int(1), self.arg(2) as u32);
        let bits = self.arg(5) as u32;
        match operation & OPERATION {
            libc::FUTEX_WAIT => self.wait_word(at, value, ANY_BIT),
            libc::FUTEX_WAIT_BITSET => self.wait_word(at, value, bits),
            libc::FUTEX_WAKE => self.wake_words(at, value, ANY_BIT),
            libc::FUTEX_WAKE_BITSET => self.wake_words(at, value, bits),
            libc::FUTEX_REQUEUE | libc::FUTEX_CMP_REQUEUE => self.requeue(),
            libc::FUTEX_WAKE_OP => {
                self.refuse("futex", "an operation on the word that wakes is not known here")
            }
            _ => self.refuse("futex", "locks of the kernel's own (PI) are not known here"),
        }
    }

    fn word_key(&self, at: u64) -> WordKey {
        let is_private = self.int(1) & libc::FUTEX_PRIVATE_FLAG != 0;
        let shared = if is_private { None } else { find_shared(self.pid, at) };
        shared.unwrap_or(WordKey::Own(self.pid, at))
    }

    fn wait_word(&mut self, at: u64, expected: u32, bits: u32) -> Outcome {
        if !at.is_multiple_of(4) || bits == 0 {
            return Err(Errno(libc::EINVAL));
        }
        let deadline_ns = self.word_deadline()?;
        if self.read_u32(at)? != expected {
            return Err(Errno(libc::EAGAIN));
        }
        if deadline_ns <= self.now() {
            return Err(Errno(libc::ETIMEDOUT));
        }
        let waiting = Waiting { key: self.word_key(at), at, expected, bits };
        // The timers of a Go program are those of its poller: only its runtime waits so for a time.
        let purpose = if self.process()?.is_go { Purpose::Runtime } else { Purpose::Program };
        let on_signal = if deadline_ns == NEVER_NS { RESTART } else { libc::EINTR };
        let wait = Wait::new(Call::Futex, deadline_ns, Until::Word(waiting));
        Ok(Done::Wait(Wait { purpose, on_signal, ..wait }))
    }

    fn word_deadline(&self) -> Result<u64, Errno> {
        let (operation, limit) = (self.int(1), self.arg(3));
        if limit == 0 {
            return Ok(NEVER_NS);
        }
        let ns = to_ns(self.read_words(limit)?, NS_PER_S)?;
        Ok(match operation & OPERATION {
            libc::FUTEX_WAIT => self.now().saturating_add(ns),
            _ => self.to_monotonic(operation & libc::FUTEX_CLOCK_REALTIME != 0, ns),
        })
    }

    fn wake_words(&mut self, at: u64, n: u32, bits: u32) -> Outcome {
        let key = self.word_key(at);
        let found = self.door.find_waiting(key, bits);
        let n = usize::try_from(n as i32).unwrap_or(1);
        let woken: Vec<u32> = found.into_iter().take(n).collect();
        for tid in &woken {
            self.door.end_wait(*tid, Some(Ended::Answered(Ok(Done::Value(0)))), self.desk);
        }
        Ok(Done::Value(woken.len() as i64))
    }

    /// Wakes some of those that wait on a word, and lets others wait on another word.
    fn requeue(&mut self) -> Outcome {
        let (at, n, n_moved, other) = (self.arg(0), self.arg(2), self.arg(3), self.arg(4));
        let compares = self.int(1) & OPERATION == libc::FUTEX_CMP_REQUEUE;
        if compares && self.read_u32(at)? != self.arg(5) as u32 {
            return Err(Errno(libc::EAGAIN));
        }
        let (key, other_key) = (self.word_key(at), self.word_key(other));
        let found = self.door.find_waiting(key, ANY_BIT);
        let (n, n_moved) = (n as u32 as usize, n_moved as u32 as usize);
        let (woken, rest) = found.split_at(n.min(found.len()));
        for tid in woken {
            self.door.end_wait(*tid, Some(Ended::Answered(Ok(Done::Value(0)))), self.desk);
        }
        let moved = &rest[..n_moved.min(rest.len())];
        let expected = if moved.is_empty() { 0 } else { self.read_u32(other)? };
        for tid in moved {
            if let Some(waiting) = self.door.waiting_word(*tid) {
                *waiting = Waiting { key: other_key, at: other, expected, bits: waiting.bits };
            }
        }
        let n_told = if compares { woken.len() + moved.len() } else { woken.len() };
        Ok(Done::Value(n_told as i64))
    }
}

impl Door {
    fn waiting_word(&mut self, tid: u32) -> Option<&mut Waiting> {
        let parked = self.threads.get_mut(&tid)?.parked.as_mut()?;
        match (&mut parked.wait.until, &parked.ended) {
            (Until::Word(waiting), None) => Some(waiting),
            (_, _) => None,
        }
    }

    /// Returns the threads that wait on a word, the one that has waited longest first.
    fn find_waiting(&self, key: WordKey, bits: u32) -> Vec<u32> {
        let mut found: Vec<(u64, u32)> = Vec::new();
        for (tid, thread) in &self.threads {
            if let Some(parked) = &thread.parked
                && let (Until::Word(waiting), None) = (&parked.wait.until, &parked.ended)
                && waiting.key == key
                && waiting.bits & bits != 0
            {
                found.push((parked.number, *tid));
            }
        }
        found.sort_unstable();
        found.into_iter().map(|(_, tid)| tid).collect()
    }

    /// Wakes the threads of a process that wait on words which have changed: the kernel changes one when a thread ends,
    /// and wakes those that it knows. A thread that is woken for nothing waits again.
    pub(super) fn look_at_words(&mut self, pid: u32, desk: &mut Desk<'_>) {
        let Some(process) = self.processes.get(&pid) else { return };
        let has_changed = |waiting: &Waiting| {
            let mut word = [0; 4];
            let read = std::os::unix::fs::FileExt::read_exact_at(&process.memory, &mut word, waiting.at);
            read.is_ok() && u32::from_ne_bytes(word) != waiting.expected
        };
        let is_changed = |thread: &super::Thread| {
            let parked = thread.parked.as_ref().filter(|parked| parked.ended.is_none());
            let until = parked.map(|parked| &parked.wait.until);
            thread.pid == pid && matches!(until, Some(Until::Word(waiting)) if has_changed(waiting))
        };
        let changed: Vec<u32> =
            self.threads.iter().filter(|(_, thread)| is_changed(thread)).map(|(tid, _)| *tid).collect();
        for tid in changed {
            self.end_wait(tid, Some(Ended::Answered(Ok(Done::Value(0)))), desk);
        }
    }
}

/// Finds out whether an address is in memory that processes share.
fn find_shared(pid: u32, at: u64) -> Option<WordKey> {
    let maps = fs::read_to_string(format!("/proc/{pid}/maps")).ok()?;
    maps.lines().find_map(|line| shared_at(line, at))
}

/// Reads a line `start-end rights offset device inode path`.
fn shared_at(line: &str, at: u64) -> Option<WordKey> {
    let mut words = line.split_ascii_whitespace();
    let (start, end) = words.next()?.split_once('-')?;
    let number = |text: &str| u64::from_str_radix(text, 16).ok();
    let (start, end) = (number(start)?, number(end)?);
    let is_shared = words.next()?.ends_with('s');
    let offset = number(words.next()?)?;
    let (major, minor) = words.next()?.split_once(':')?;
    let device = number(major)? << 32 | number(minor)?;
    let inode = words.next()?.parse().ok()?;
    let is_there = is_shared && (start..end).contains(&at);
    is_there.then(|| WordKey::Shared(device, inode, offset + (at - start)))
}

#[cfg(test)]
mod tests {
    use super::{WordKey, shared_at};

    #[test]
    fn shared_memory_is_known_by_its_file() {
        let line = "7f00-8f00 rw-s 00002000 00:01 77     /dev/zero (deleted)";
        assert_eq!(shared_at(line, 0x7f10), Some(WordKey::Shared(1, 77, 0x2010)));
        assert_eq!(shared_at(line, 0x8f00), None);
        assert_eq!(shared_at(&line.replace("rw-s", "rw-p"), 0x7f10), None);
    }
}
