//! Which sockets the processes of a node have open, from `/proc`: a socket lives as long as any of them has it.

use std::fs;

use base::FxIndexMap;

/// How many descriptors there are of each socket, by its inode.
pub(crate) struct OpenSockets {
    counts: FxIndexMap<u64, usize>,
}

impl OpenSockets {
    pub fn of(pids: &[u32]) -> OpenSockets {
        let mut counts = FxIndexMap::default();
        for pid in pids {
            // A process that has gone has none.
            let entries = fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
            for inode in entries.filter_map(|entry| inode_of(fs::read_link(entry.path()).ok()?.to_str()?)) {
                *counts.entry(inode).or_default() += 1;
            }
        }
        OpenSockets { counts }
    }

    pub fn count(&self, inode: u64) -> usize {
        self.counts.get(&inode).copied().unwrap_or(0)
    }

    pub fn has(&self, inode: u64) -> bool {
        self.count(inode) > 0
    }
}

/// `socket:[123]`.
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
