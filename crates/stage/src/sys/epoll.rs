//! Waits for many descriptors at once.
#![expect(unsafe_code, reason = "the standard library has no epoll")]

use std::io;
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd};
use std::time::Duration;

/// Descriptors to wait for, each with a number that identifies it.
pub struct Epoll {
    fd: OwnedFd,
}

/// A descriptor that is ready.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ready {
    pub token: u64,
}

const BATCH: usize = 64;

impl Epoll {
    pub fn new() -> io::Result<Epoll> {
        // SAFETY: no arguments that could be wrong.
        let fd = unsafe { libc::epoll_create1(libc::EPOLL_CLOEXEC) };
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: a fresh descriptor that nobody else knows.
        Ok(Epoll { fd: unsafe { OwnedFd::from_raw_fd(fd) } })
    }

    /// Waits for `fd` to become readable or to end. This is reported once for everything that has come, so the caller
    /// must then read all of it. A descriptor leaves the set when it is closed everywhere; a process that was just
    /// forked has it open until it becomes another program, and otherwise it would be reported again and again
    /// meanwhile.
    pub fn add(&self, fd: impl AsFd, token: u64) -> io::Result<()> {
        let events = libc::EPOLLIN | libc::EPOLLRDHUP | libc::EPOLLET;
        let mut event = libc::epoll_event { events: events as u32, u64: token };
        // SAFETY: both descriptors are open, and the kernel copies the event.
        let done = unsafe {
            libc::epoll_ctl(self.fd.as_raw_fd(), libc::EPOLL_CTL_ADD, fd.as_fd().as_raw_fd(), &raw mut event)
        };
        if done < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
    }

    /// Removes `fd` from the set.
    pub fn remove(&self, fd: impl AsFd) {
        // SAFETY: both descriptors are open. One that is not in the set stays out of it.
        let _ = unsafe {
            libc::epoll_ctl(
                self.fd.as_raw_fd(),
                libc::EPOLL_CTL_DEL,
                fd.as_fd().as_raw_fd(),
                std::ptr::null_mut(),
            )
        };
    }

    /// Returns the descriptors that are ready, after at most `limit`; none when a signal came.
    pub fn wait(&self, limit: Duration) -> io::Result<Vec<Ready>> {
        let mut events = [libc::epoll_event { events: 0, u64: 0 }; BATCH];
        let millis = i32::try_from(limit.as_micros().div_ceil(1000)).unwrap_or(i32::MAX);
        // SAFETY: room for as many events as is said.
        let n = unsafe { libc::epoll_wait(self.fd.as_raw_fd(), events.as_mut_ptr(), BATCH as i32, millis) };
        match usize::try_from(n) {
            Ok(n) => Ok(events[..n].iter().map(|event| Ready { token: event.u64 }).collect()),
            Err(_) => match io::Error::last_os_error() {
                error if error.kind() == io::ErrorKind::Interrupted => Ok(Vec::new()),
                error => Err(error),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Epoll, Ready};
    use std::os::unix::net::UnixStream;
    use std::time::Duration;

    #[test]
    fn what_is_closed_here_and_open_elsewhere_is_told_once() {
        let epoll = Epoll::new().unwrap();
        let (ours, theirs) = UnixStream::pair().unwrap();
        epoll.add(&ours, 7).unwrap();
        let elsewhere = ours.try_clone().unwrap();
        drop((ours, theirs));
        assert_eq!(epoll.wait(Duration::ZERO).unwrap(), [Ready { token: 7 }]);
        assert_eq!(epoll.wait(Duration::ZERO).unwrap(), []);
        drop(elsewhere);
    }
}
