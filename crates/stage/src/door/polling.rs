//! `poll`, `select`, `epoll`: their time-outs are on the node's clock, and undecided connections are hidden.

use std::os::fd::OwnedFd;

use wire::{Call, NEVER_NS};

use super::Errno;
use super::park::{Until, Wait};
use super::time::{NS_PER_S, timespec, timeval, to_ns};
use super::visit::{Done, Outcome, Result, Visit};
use crate::sys::guest;

/// A descriptor that a program asks about, and the events that it asks for.
struct Asked {
    fd: i32,
    events: i16,
    /// It is not open, or an attempt to connect is not decided.
    file: File,
    ready: i16,
}

enum File {
    Open(OwnedFd),
    Hidden,
    Closed,
}

const POLL_BYTES: u64 = 8;
const SET_BITS: usize = 1024;
const POLLED_MAX: u64 = 65536;

impl Visit<'_, '_> {
    pub fn call_wait(&mut self, number: i64) -> Option<Outcome> {
        let no_mask = (0, 0);
        Some(match number {
            libc::SYS_futex => self.futex(),
            libc::SYS_futex_waitv => self.refuse("futex_waitv", "waits on several words are not known here"),
            libc::SYS_epoll_wait => self.epoll_wait(self.millis(3), no_mask),
            libc::SYS_epoll_pwait => self.epoll_wait(self.millis(3), (self.arg(4), self.arg(5))),
            libc::SYS_epoll_pwait2 => match self.length(self.arg(3), NS_PER_S) {
                Ok(length) => self.epoll_wait(length, (self.arg(4), self.arg(5))),
                Err(errno) => Err(errno),
            },
            libc::SYS_epoll_ctl => self.epoll_ctl(),
            libc::SYS_poll => self.poll(self.millis(2), no_mask),
            libc::SYS_ppoll => match self.length(self.arg(2), NS_PER_S) {
                Ok(length) => self.poll(length, (self.arg(3), self.arg(4))),
                Err(errno) => Err(errno),
            },
            libc::SYS_select => match self.length(self.arg(4), 1_000_000) {
                Ok(length) => self.select(length, no_mask),
                Err(errno) => Err(errno),
            },
            libc::SYS_pselect6 => self.pselect(),
            _ => return None,
        })
    }

    /// Returns the length of a time-out in milliseconds; a negative one never ends.
    fn millis(&self, index: usize) -> Option<u64> {
        u64::try_from(self.int(index)).ok().map(|millis| millis * 1_000_000)
    }

    /// Returns the length of a time-out at an address; null never ends.
    fn length(&self, at: u64, n_parts: u64) -> Result<Option<u64>> {
        if at == 0 { Ok(None) } else { Ok(Some(to_ns(self.read_words(at)?, n_parts)?)) }
    }

    /// Whether a wait has a set of signals of its own, which only the kernel can wait with. It is told.
    fn has_mask(&mut self, call: &str, (at, len): (u64, u64), is_limited: bool) -> Result<bool> {
        if at == 0 || len != 8 {
            return Ok(false);
        }
        let [wanted] = self.read_words(at)?;
        let own = super::status_field(self.notice.tid, "SigBlk:");
        let own = own.and_then(|text| u64::from_str_radix(&text, 16).ok());
        if own == Some(wanted) {
            return Ok(false);
        }
        if is_limited {
            self.report(call, "with signals of its own its time passes in real time", false);
        }
        Ok(true)
    }

    fn epoll_wait(&mut self, length_ns: Option<u64>, mask: (u64, u64)) -> Outcome {
        if self.has_mask("epoll_pwait", mask, length_ns.is_some_and(|length| length > 0))? {
            return Ok(Done::Continue);
        }
        let (epoll, n) = (self.borrow(self.int(0))?, self.int(2));
        let n = usize::try_from(n).ok().filter(|n| *n > 0).ok_or(Errno(libc::EINVAL))?;
        let (n_taken, events) = guest::take_events(&epoll, n)?;
        if n_taken > 0 {
            self.write(self.arg(1), &events)?;
            return Ok(Done::Value(n_taken as i64));
        }
        let deadline_ns = self.until(length_ns);
        if self.has_expired || deadline_ns <= self.now() {
            return Ok(Done::Value(0));
        }
        let until = Until::Ready(vec![(epoll, libc::POLLIN)]);
        Ok(Done::Wait(Wait::new(Call::Epoll, deadline_ns, until)))
    }

    fn ask_about(&self, fd: i32, events: i16) -> Asked {
        let file = match self.borrow(fd) {
            Ok(_) if self.door.is_pending(self.pid, fd) => File::Hidden,
            Ok(file) => File::Open(file),
            Err(_) => File::Closed,
        };
        let ready = if matches!(file, File::Closed) { libc::POLLNVAL } else { 0 };
        Asked { fd, events, file, ready }
    }

    fn poll(&mut self, length_ns: Option<u64>, mask: (u64, u64)) -> Outcome {
        if self.has_mask("ppoll", mask, length_ns.is_some_and(|length| length > 0))? {
            return Ok(Done::Continue);
        }
        let (at, n) = (self.arg(0), self.arg(1));
        if n > POLLED_MAX {
            return Err(Errno(libc::EINVAL));
        }
        let mut asked = Vec::new();
        for index in 0..n {
            let [word] = self.read_words(at + index * POLL_BYTES)?;
            let (fd, events) = (word as u32 as i32, (word >> 32) as u16 as i16);
            // The kernel leaves out negative numbers.
            let hidden = || Asked { fd, events, file: File::Hidden, ready: 0 };
            asked.push(if fd < 0 { hidden() } else { self.ask_about(fd, events) });
        }
        let wait = self.poll_asked(&mut asked, Call::Poll, length_ns)?;
        if let Some(wait) = wait {
            return Ok(wait);
        }
        for (index, one) in asked.iter().enumerate() {
            self.write(at + index as u64 * POLL_BYTES + 6, &one.ready.to_ne_bytes())?;
        }
        Ok(Done::Value(asked.iter().filter(|one| one.ready != 0).count() as i64))
    }

    /// Looks at the descriptors; returns a wait if none is ready and there is time left.
    fn poll_asked(
        &mut self,
        asked: &mut [Asked],
        call: Call,
        length_ns: Option<u64>,
    ) -> Result<Option<Done>> {
        let open = |one: &Asked| matches!(one.file, File::Open(_));
        let files: Vec<(&OwnedFd, i16)> = asked.iter().filter_map(|one| one.file.open(one.events)).collect();
        let ready = guest::poll(&files);
        for (one, ready) in asked.iter_mut().filter(|one| open(one)).zip(ready) {
            one.ready = ready;
        }
        let deadline_ns = self.until(length_ns);
        let is_over = self.has_expired || deadline_ns <= self.now();
        if is_over || asked.iter().any(|one| one.ready != 0) {
            return Ok(None);
        }
        let mut watched = Vec::new();
        for one in asked {
            if let Some((file, events)) = one.file.open(one.events) {
                watched.push((file.try_clone()?, events));
            }
        }
        Ok(Some(Done::Wait(Wait::new(call, deadline_ns, Until::Ready(watched)))))
    }

    fn pselect(&mut self) -> Outcome {
        let length = self.length(self.arg(4), NS_PER_S)?;
        let mask = match self.arg(5) {
            0 => (0, 0),
            at => {
                let [set, len] = self.read_words(at)?;
                (set, len)
            }
        };
        self.select(length, mask)
    }

    fn select(&mut self, length_ns: Option<u64>, mask: (u64, u64)) -> Outcome {
        if self.has_mask("pselect", mask, length_ns.is_some_and(|length| length > 0))? {
            return Ok(Done::Continue);
        }
        let n = usize::try_from(self.int(0)).ok().filter(|n| *n <= SET_BITS).ok_or(Errno(libc::EINVAL))?;
        let n_bytes = n.div_ceil(64) * 8;
        let mut sets = Vec::new();
        for index in 1..4 {
            let at = self.arg(index);
            sets.push(if at == 0 || n == 0 { vec![0; n_bytes] } else { self.read(at, n_bytes)? });
        }
        let has = |set: &[u8], fd: usize| set[fd / 8] >> (fd % 8) & 1 != 0;
        let mut asked = Vec::new();
        for fd in 0..n {
            let kinds = [libc::POLLIN, libc::POLLOUT, libc::POLLPRI];
            let events = sets.iter().zip(kinds).map(|(set, kind)| if has(set, fd) { kind } else { 0 });
            let events = events.fold(0, |all, one| all | one);
            if events != 0 {
                asked.push(self.ask_about(fd as i32, events));
            }
        }
        if asked.iter().any(|one| matches!(one.file, File::Closed)) {
            return Err(Errno(libc::EBADF));
        }
        let deadline_ns = self.until(length_ns);
        if let Some(wait) = self.poll_asked(&mut asked, Call::Select, length_ns)? {
            return Ok(wait);
        }
        self.write_left(deadline_ns)?;
        self.write_sets(&asked, n_bytes)
    }

    /// Writes the time that is left of a time-out, as Linux does.
    fn write_left(&self, deadline_ns: u64) -> Result<()> {
        if deadline_ns == NEVER_NS {
            return Ok(());
        }
        let left = deadline_ns.saturating_sub(self.now());
        let left = if self.notice.number == libc::SYS_select { timeval(left) } else { timespec(left) };
        self.write_opt(self.arg(4), &left)
    }

    /// Writes the sets of ready descriptors, and returns their number of members.
    fn write_sets(&self, asked: &[Asked], n_bytes: usize) -> Outcome {
        const READ: i16 = libc::POLLIN | libc::POLLHUP | libc::POLLERR;
        const WRITE: i16 = libc::POLLOUT | libc::POLLERR;
        let kinds = [(libc::POLLIN, READ), (libc::POLLOUT, WRITE), (libc::POLLPRI, libc::POLLPRI)];
        let mut n_found = 0;
        for (index, (wanted, ready)) in kinds.into_iter().enumerate() {
            let mut set = vec![0_u8; n_bytes];
            for one in asked.iter().filter(|one| one.events & wanted != 0 && one.ready & ready != 0) {
                set[one.fd as usize / 8] |= 1 << (one.fd % 8);
                n_found += 1;
            }
            self.write_opt(self.arg(index + 1), &set)?;
        }
        Ok(Done::Value(n_found))
    }
}

impl File {
    fn open(&self, events: i16) -> Option<(&OwnedFd, i16)> {
        match self {
            File::Open(file) => Some((file, events)),
            File::Hidden | File::Closed => None,
        }
    }
}
