//! The sockets that the processes of a node have open, from `/proc`. A socket lives as long as any of them has it.

use std::fs;
use std::io;

use base::FxIndexMap;

/// Number of descriptors of each socket, by its inode.
pub(crate) struct OpenSockets {
    counts: FxIndexMap<u64, usize>,
    /// Whether every process could be examined; if not, any socket may be open.
    is_complete: bool,
}

impl OpenSockets {
    pub fn of(pids: &[u32]) -> OpenSockets {
        let mut open = OpenSockets { counts: FxIndexMap::default(), is_complete: true };
        for pid in pids {
            match fs::read_dir(format!("/proc/{pid}/fd")) {
                Ok(entries) => open.add(entries),
                // A process that has gone has no sockets.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(_) => open.is_complete = false,
            }
        }
        open
    }

    fn add(&mut self, entries: fs::ReadDir) {
        let links = entries.flatten().filter_map(|entry| fs::read_link(entry.path()).ok());
        for inode in links.filter_map(|link| inode_of(link.to_str()?)) {
            *self.counts.entry(inode).or_default() += 1;
        }
    }

    pub fn count(&self, inode: u64) -> usize {
        self.counts.get(&inode).copied().unwrap_or(0)
    }

    pub fn has(&self, inode: u64) -> bool {
        !self.is_complete || self.count(inode) > 0
    }
}

/// Parses `socket:[123]`.
fn inode_of(link: &str) -> Option<u64> {
    link.strip_prefix("socket:[")?.strip_suffix(']')?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{OpenSockets, inode_of};
    use std::net::TcpListener;

    #[test]
    fn a_socket_is_counted_as_often_as_it_is_open() {
        assert_eq!(inode_of("socket:[12]"), Some(12));
        assert_eq!(inode_of("pipe:[12]"), None);
        let own = std::process::id();
        let one = TcpListener::bind("127.0.0.1:0").unwrap();
        let other = one.try_clone().unwrap();
        let inode = {
            use std::os::fd::AsRawFd;
            let link = std::fs::read_link(format!("/proc/self/fd/{}", one.as_raw_fd())).unwrap();
            inode_of(link.to_str().unwrap()).unwrap()
        };
        assert_eq!(OpenSockets::of(&[own]).count(inode), 2);
        drop((one, other));
        assert!(!OpenSockets::of(&[own]).has(inode));
    }
}
