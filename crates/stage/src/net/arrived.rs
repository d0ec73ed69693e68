//! Data that the kernel holds for a guest that has not taken it yet.
//!
//! The kernel is asked about a stream socket by its two addresses over a netlink socket, which takes a few
//! microseconds. The tables in `/proc/net` say the same, but to write one the kernel walks through all its connections,
//! which takes milliseconds. So the tables are read only if there is no such netlink socket (in some containers), and
//! for datagrams, whose tables are small.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpListener};

use base::FxIndexMap;

use crate::sys;

/// The means to ask the kernel about one socket; `None` if the kernel does not answer.
pub(crate) struct Inquiry {
    netlink: Option<File>,
}

/// One look at the kernel's sockets.
pub(crate) struct SocketSnapshot<'i> {
    inquiry: &'i Inquiry,
    /// Tables that were read, each when it was first needed.
    tables: FxIndexMap<&'static str, Vec<Row>>,
}

/// The two ends of a connection: the guest's and ours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pair {
    pub guest: SocketAddr,
    pub ours: SocketAddr,
}

impl Pair {
    /// Returns the same pair as it is seen from our end.
    pub fn turned(self) -> Pair {
        Pair { guest: self.ours, ours: self.guest }
    }
}

/// A socket: local and remote port, bytes to be received, state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Row {
    pub local: u16,
    pub remote: u16,
    pub n_waiting: u64,
    /// Bytes that were sent and have not arrived.
    pub n_leaving: u64,
    state: u8,
}

// The kernel's numbers for the states of a stream.
const ESTABLISHED: u8 = 1;
const HALF_OPEN: u8 = 3;
const TIME_WAIT: u8 = 6;

impl Row {
    pub fn is_established(&self) -> bool {
        self.state == ESTABLISHED
    }

    /// Whether the guest's kernel has not seen yet that we have received its answer.
    pub fn is_half_open(&self) -> bool {
        self.state == HALF_OPEN
    }
}

impl Inquiry {
    /// Opens the netlink socket. `known` is a socket that exists: a kernel that does not find it cannot be asked about
    /// others.
    pub fn open(known: &TcpListener) -> Inquiry {
        let netlink = sys::sock_diag().ok();
        let is_answered = |netlink: &File| {
            let local = known.local_addr()?;
            let nobody = SocketAddr::new(local.ip(), 0);
            ask(netlink, Pair { guest: local, ours: nobody })
        };
        Inquiry { netlink: netlink.filter(|netlink| is_answered(netlink).is_ok_and(|found| found.is_some())) }
    }

    /// Whether the kernel can be asked about a single socket.
    pub fn is_quick(&self) -> bool {
        self.netlink.is_some()
    }
}

impl<'i> SocketSnapshot<'i> {
    pub fn new(inquiry: &'i Inquiry) -> SocketSnapshot<'i> {
        SocketSnapshot { inquiry, tables: FxIndexMap::default() }
    }

    /// Returns the guest's end of a connection; `None` if it does not exist any more.
    pub fn stream(&mut self, pair: Pair) -> Option<Row> {
        let (local, remote) = (pair.guest.port(), pair.ours.port());
        let is_it = |row: &Row| row.local == local && row.remote == remote && row.state != TIME_WAIT;
        if let Some(Ok(found)) = self.inquiry.netlink.as_ref().map(|netlink| ask(netlink, pair)) {
            // If the socket in question is gone, the kernel finds the one that listens instead.
            return found.filter(is_it);
        }
        // A guest's socket of IPv6 may carry IPv4.
        let tables: &[_] = if pair.guest.is_ipv6() { &["tcp6"] } else { &["tcp", "tcp6"] };
        tables.iter().find_map(|table| self.rows(table).iter().copied().find(is_it))
    }

    /// Returns the datagram socket with this port.
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

// The parts of a question and of its answer (linux/netlink.h, linux/sock_diag.h, linux/inet_diag.h).
const HEADER_BYTES: usize = 16;
const QUESTION_BYTES: u32 = 72;
const SOCK_DIAG_BY_FAMILY: u16 = 20;
const NLMSG_ERROR: u16 = 2;
const NLM_F_REQUEST: u16 = 1;
/// A flag that makes the kernel lock the socket to answer. Then whoever brought the bytes that it counts has already
/// woken the thread that waits for them.
const WITH_INFO: u8 = 1 << 1;
const ANY_STATE: u32 = u32::MAX;
const ANY_COOKIE: [u32; 2] = [u32::MAX; 2];
/// Positions in an answer: its number, the state, the two ports, and the bytes to be received.
const NUMBER_AT: usize = 8;
const STATE_AT: usize = HEADER_BYTES + 1;
const PORTS_AT: usize = HEADER_BYTES + 4;
const WAITING_AT: usize = HEADER_BYTES + 56;
const LEAVING_AT: usize = HEADER_BYTES + 60;

/// Returns the socket with these two addresses, or the one that listens there; `Err` if there is no answer.
fn ask(mut netlink: &File, pair: Pair) -> io::Result<Option<Row>> {
    netlink.write_all(&question(pair))?;
    let mut answer = [0; 1024];
    // The answer is there as soon as the question is asked. If it is not, reading fails without waiting.
    let n = netlink.read(&mut answer)?;
    read_answer(&answer[..n], number(pair))
}

/// Returns the number of a question, which its answer repeats.
fn number(pair: Pair) -> u32 {
    u32::from(pair.guest.port()) << 16 | u32::from(pair.ours.port())
}

fn question(pair: Pair) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(QUESTION_BYTES as usize);
    bytes.extend(QUESTION_BYTES.to_ne_bytes());
    bytes.extend(SOCK_DIAG_BY_FAMILY.to_ne_bytes());
    bytes.extend(NLM_F_REQUEST.to_ne_bytes());
    bytes.extend(number(pair).to_ne_bytes());
    // Zero addresses the kernel.
    bytes.extend(0_u32.to_ne_bytes());
    let family = if pair.guest.is_ipv6() { libc::AF_INET6 } else { libc::AF_INET };
    bytes.extend([family as u8, libc::IPPROTO_TCP as u8, WITH_INFO, 0]);
    bytes.extend(ANY_STATE.to_ne_bytes());
    bytes.extend(pair.guest.port().to_be_bytes());
    bytes.extend(pair.ours.port().to_be_bytes());
    for addr in [pair.guest, pair.ours] {
        match addr.ip() {
            IpAddr::V4(ip) => bytes.extend(ip.octets().into_iter().chain([0; 12])),
            IpAddr::V6(ip) => bytes.extend(ip.octets()),
        }
    }
    // Zero means any interface.
    bytes.extend(0_u32.to_ne_bytes());
    bytes.extend(ANY_COOKIE.into_iter().flat_map(u32::to_ne_bytes));
    bytes
}

fn read_answer(answer: &[u8], number: u32) -> io::Result<Option<Row>> {
    let cut = || io::Error::from(io::ErrorKind::UnexpectedEof);
    let word = |at: usize| answer.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).ok_or_else(cut);
    let kind = u16::from_ne_bytes([*answer.get(4).ok_or_else(cut)?, *answer.get(5).ok_or_else(cut)?]);
    if u32::from_ne_bytes(word(NUMBER_AT)?) != number {
        return Err(io::ErrorKind::InvalidData.into());
    }
    match kind {
        SOCK_DIAG_BY_FAMILY => {
            let [l1, l2, r1, r2] = word(PORTS_AT)?;
            Ok(Some(Row {
                local: u16::from_be_bytes([l1, l2]),
                remote: u16::from_be_bytes([r1, r2]),
                n_waiting: u64::from(u32::from_ne_bytes(word(WAITING_AT)?)),
                n_leaving: u64::from(u32::from_ne_bytes(word(LEAVING_AT)?)),
                state: *answer.get(STATE_AT).ok_or_else(cut)?,
            }))
        }
        NLMSG_ERROR => match -i32::from_ne_bytes(word(HEADER_BYTES)?) {
            libc::ENOENT => Ok(None),
            errno => Err(io::Error::from_raw_os_error(errno)),
        },
        _ => Err(io::ErrorKind::InvalidData.into()),
    }
}

/// Parses `  sl  local_address rem_address   st tx_queue:rx_queue ...`, with numbers in hexadecimal.
fn parse(line: &str) -> Option<Row> {
    let mut words = line.split_ascii_whitespace().skip(1);
    let mut port = || u16::from_str_radix(words.next()?.rsplit_once(':')?.1, 16).ok();
    let (local, remote) = (port()?, port()?);
    let state = u8::from_str_radix(words.next()?, 16).ok()?;
    let (leaving, waiting) = words.next()?.split_once(':')?;
    let count = |text: &str| u64::from_str_radix(text, 16).ok();
    Some(Row { local, remote, n_waiting: count(waiting)?, n_leaving: count(leaving)?, state })
}

#[cfg(test)]
mod tests {
    use super::{Inquiry, Pair, Row, SocketSnapshot, parse, read_answer};
    use std::io::Write;
    use std::net::{TcpListener, TcpStream};

    #[test]
    fn a_line_of_the_table_is_read() {
        let line = "   0: 0100007F:1F90 0100007F:C350 08 00000000:0000002A 00:00000000 00000000  0 0 1";
        let row = Row { local: 8080, remote: 50000, n_waiting: 42, n_leaving: 0, state: 8 };
        assert_eq!(parse(line), Some(row));
        assert_eq!(parse("nothing of the kind"), None);
    }

    #[test]
    fn an_answer_that_is_none_is_an_error() {
        assert!(read_answer(b"", 0).is_err());
        assert!(read_answer(&[0; 16], 0).is_err());
        let mut error = [0; 36];
        error[4] = 2;
        error[16..20].copy_from_slice(&(-libc::ENOENT).to_ne_bytes());
        assert!(read_answer(&error, 0).is_ok_and(|found| found.is_none()));
        assert!(read_answer(&error, 1).is_err());
        error[16..20].copy_from_slice(&(-libc::EOPNOTSUPP).to_ne_bytes());
        assert!(read_answer(&error, 0).is_err());
    }

    /// Checks that both ways to ask say the same of a socket while bytes come and when it has gone.
    fn what_waits_is_seen(inquiry: &Inquiry, host: &str) {
        let listener = TcpListener::bind((host, 0)).unwrap();
        let mut sender = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (receiver, peer) = listener.accept().unwrap();
        sender.write_all(b"five!").unwrap();
        // The kernel takes its time, so each look is a fresh one.
        let pair = Pair { guest: receiver.local_addr().unwrap(), ours: peer };
        let look = || SocketSnapshot::new(inquiry).stream(pair);
        let seen = (0..100_000).find_map(|_| look().filter(|row| row.n_waiting == 5));
        assert!(seen.is_some_and(|row| row.is_established()));
        drop(sender);
        let seen = (0..100_000).find_map(|_| look().filter(|row| !row.is_established()));
        // The end counts as one more.
        assert_eq!(seen.map(|row| row.n_waiting), Some(6));
        drop(receiver);
        assert!((0..100_000).any(|_| look().is_none()));
    }

    #[test]
    fn what_waits_in_a_socket_is_seen_in_the_tables() {
        let tables = Inquiry { netlink: None };
        what_waits_is_seen(&tables, "127.0.0.1");
    }

    #[test]
    fn what_waits_in_a_socket_is_seen_where_it_can_be_asked_for() {
        let known = TcpListener::bind("127.0.0.1:0").unwrap();
        let inquiry = Inquiry::open(&known);
        what_waits_is_seen(&inquiry, "127.0.0.1");
        if TcpListener::bind("[::1]:0").is_ok() {
            what_waits_is_seen(&inquiry, "::1");
        }
    }
}
