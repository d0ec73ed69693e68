//! Sockets of nodes that belong to the machine: they were made without libc, so only the kernel's tables list them.

use std::fs;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

/// A socket that other programs on this machine can reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stray {
    pub is_stream: bool,
    pub addr: SocketAddr,
    pub inode: u64,
}

// The kernel's number for a stream that listens.
const LISTENING: &str = "0A";

/// Lists the streams that listen and the datagram sockets with an address, of all processes.
pub(crate) fn all() -> Vec<Stray> {
    let tables = [("tcp", true), ("tcp6", true), ("udp", false), ("udp6", false)];
    let rows = |(table, is_stream): (&str, bool)| -> Vec<Stray> {
        let text = fs::read_to_string(format!("/proc/self/net/{table}")).unwrap_or_default();
        text.lines().skip(1).filter_map(|line| parse(line, is_stream)).collect()
    };
    tables.into_iter().flat_map(rows).collect()
}

/// Parses `  sl  local_address rem_address   st tx_queue:rx_queue tr:tm->when retrnsmt   uid  timeout inode ...`.
fn parse(line: &str, is_stream: bool) -> Option<Stray> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let (local, state, inode) = (words.get(1)?, words.get(3)?, words.get(9)?);
    if is_stream && *state != LISTENING {
        return None;
    }
    let (ip, port) = local.split_once(':')?;
    let port = u16::from_str_radix(port, 16).ok()?;
    Some(Stray { is_stream, addr: address(ip, port)?, inode: inode.parse().ok()? })
}

/// Parses an address, which is written as words of four bytes, each in the machine's byte order.
fn address(hex: &str, port: u16) -> Option<SocketAddr> {
    let word = |at: usize| Some(u32::from_str_radix(hex.get(at..at + 8)?, 16).ok()?.to_ne_bytes());
    match hex.len() {
        8 => Some((Ipv4Addr::from(word(0)?), port).into()),
        32 => {
            let mut bytes = [0; 16];
            for (index, part) in bytes.chunks_exact_mut(4).enumerate() {
                part.copy_from_slice(&word(index * 8)?);
            }
            Some((Ipv6Addr::from(bytes), port).into())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Stray, all, parse};
    use std::net::{TcpListener, UdpSocket};

    #[test]
    fn a_line_of_the_table_is_read() {
        let line = "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  0 0 77 1";
        let stray = Stray { is_stream: true, addr: "127.0.0.1:8080".parse().unwrap(), inode: 77 };
        assert_eq!(parse(line, true), Some(stray));
        assert_eq!(parse(&line.replace(" 0A ", " 01 "), true), None);
        assert_eq!(parse("nothing of the kind", true), None);
    }

    #[test]
    fn sockets_of_this_process_are_there() {
        let (stream, datagram) =
            (TcpListener::bind("127.0.0.1:0").unwrap(), UdpSocket::bind("127.0.0.1:0").unwrap());
        let found = all();
        for (is_stream, addr) in [(true, stream.local_addr()), (false, datagram.local_addr())] {
            let addr = addr.unwrap();
            assert!(found.iter().any(|stray| (stray.is_stream, stray.addr) == (is_stream, addr)), "{addr}");
        }
        if let Ok(stream) = TcpListener::bind("[::1]:0") {
            let addr = stream.local_addr().unwrap();
            assert!(all().iter().any(|stray| stray.addr == addr), "{addr}");
        }
    }
}
