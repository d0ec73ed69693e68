//! What the kernel has in its hands for a guest that has not taken it yet, from `/proc/net`.

use std::fs;

use base::FxIndexMap;

/// One look at the kernel's tables, made when it is first needed.
#[derive(Default)]
pub(crate) struct Arrived {
    tables: FxIndexMap<&'static str, Vec<Row>>,
}

/// A socket: local and remote port, bytes to be received, state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Row {
    pub local: u16,
    pub remote: u16,
    pub n_waiting: u64,
    pub is_established: bool,
    /// The guest's kernel has not seen yet that we have heard of its answer.
    pub is_half_open: bool,
}

const HALF_OPEN: &str = "03";
const ESTABLISHED: &str = "01";

impl Arrived {
    /// The stream socket with these two ports; `None` when there is none any more.
    pub fn stream(&mut self, local: u16, remote: u16, is_v6: bool) -> Option<Row> {
        let table = if is_v6 { "tcp6" } else { "tcp" };
        self.rows(table).iter().find(|row| row.local == local && row.remote == remote).copied()
    }

    /// The datagram socket with this port.
    pub fn datagram(&mut self, local: u16, is_v6: bool) -> Option<Row> {
        let table = if is_v6 { "udp6" } else { "udp" };
        self.rows(table).iter().find(|row| row.local == local).copied()
    }

    fn rows(&mut self, table: &'static str) -> &[Row] {
        self.tables.entry(table).or_insert_with(|| {
            let text = fs::read_to_string(format!("/proc/self/net/{table}")).unwrap_or_default();
            text.lines().skip(1).filter_map(parse).collect()
        })
    }
}

/// `  sl  local_address rem_address   st tx_queue:rx_queue ...`, numbers in hexadecimal.
fn parse(line: &str) -> Option<Row> {
    let mut words = line.split_ascii_whitespace().skip(1);
    let mut port = || u16::from_str_radix(words.next()?.rsplit_once(':')?.1, 16).ok();
    let (local, remote) = (port()?, port()?);
    let state = words.next()?;
    let waiting = words.next()?.split_once(':')?.1;
    let n_waiting = u64::from_str_radix(waiting, 16).ok()?;
    Some(Row {
        local,
        remote,
        n_waiting,
        is_established: state == ESTABLISHED,
        is_half_open: state == HALF_OPEN,
    })
}

#[cfg(test)]
mod tests {
    use super::{Arrived, Row, parse};
    use std::io::Write;
    use std::net::{TcpListener, TcpStream};

    #[test]
    fn a_line_of_the_table_is_read() {
        let line = "   0: 0100007F:1F90 0100007F:C350 08 00000000:0000002A 00:00000000 00000000  0 0 1";
        let row =
            Row { local: 8080, remote: 50000, n_waiting: 42, is_established: false, is_half_open: false };
        assert_eq!(parse(line), Some(row));
        assert_eq!(parse("nothing of the kind"), None);
    }

    #[test]
    fn what_waits_in_a_socket_is_seen() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut sender = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (receiver, peer) = listener.accept().unwrap();
        sender.write_all(b"five!").unwrap();
        // The kernel takes its time: each look is a fresh one.
        let local = receiver.local_addr().unwrap().port();
        let seen = (0..100_000).find_map(|_| {
            Arrived::default().stream(local, peer.port(), false).filter(|row| row.n_waiting == 5)
        });
        assert!(seen.is_some_and(|row| row.is_established));
    }
}
