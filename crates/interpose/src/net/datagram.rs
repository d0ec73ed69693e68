//! Datagrams, which are sent to the stage's stand-in for the receiver and received from its stand-in for the sender.

use core::sync::atomic::AtomicU64;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use libc::{c_int, pollfd, sockaddr, socklen_t};
use wire::{Addr, Call, FRAME_BYTES_MAX, Family, Ip, Reply, Request};

use super::addr::{GivenAddr, Sockaddr, as_target};
use super::stream::{any_port, bind_to};
use super::{local_of, remember, settle};
use crate::fds::{self, Entry, Kind};
use crate::kernel::{Errno, Result};
use crate::pass;
use crate::session::Session;
use crate::thread::Wait;
use crate::wait;

/// A stand-in that was asked for, which never changes: the kernel's port and the family, and the address.
struct KnownStandIn {
    /// `1 << 32 | family << 16 | port`, or zero.
    port: AtomicU64,
    addr: [AtomicU64; 3],
}

const KNOWN_MAX: usize = 256;
static KNOWN: [KnownStandIn; KNOWN_MAX] =
    [const { KnownStandIn { port: AtomicU64::new(0), addr: [const { AtomicU64::new(0) }; 3] } }; KNOWN_MAX];

fn pack(addr: Addr) -> [u64; 3] {
    let (family, bytes) = match addr.ip {
        Ip::V4(ip) => (4, u128::from(u32::from_le_bytes(ip))),
        Ip::V6(ip) => (6, u128::from_le_bytes(ip)),
    };
    [family << 16 | u64::from(addr.port), bytes as u64, (bytes >> 64) as u64]
}

fn unpack(words: [u64; 3]) -> Addr {
    let bytes = (u128::from(words[1]) | u128::from(words[2]) << 64).to_le_bytes();
    let ip = match words[0] >> 16 {
        4 => Ip::V4([bytes[0], bytes[1], bytes[2], bytes[3]]),
        _ => Ip::V6(bytes),
    };
    Addr::new(ip, words[0] as u16)
}

fn packed_port(port: u16, is_v6: bool) -> u64 {
    1 << 32 | u64::from(is_v6) << 16 | u64::from(port)
}

/// Remembers a stand-in. `is_v6` is the kernel's family: an IPv4 address may have a stand-in there.
fn keep(port: u16, is_v6: bool, addr: Addr) {
    let free = KNOWN.iter().find(|known| known.port.load(Relaxed) == 0);
    // Two threads may take one place: both wrote something true, and one of them asks again later.
    if let Some(known) = free {
        for (place, word) in known.addr.iter().zip(pack(addr)) {
            place.store(word, Relaxed);
        }
        known.port.store(packed_port(port, is_v6), Release);
    }
}

fn words(known: &KnownStandIn) -> [u64; 3] {
    [known.addr[0].load(Relaxed), known.addr[1].load(Relaxed), known.addr[2].load(Relaxed)]
}

/// Returns the real address to which a socket of one of the kernel's families sends datagrams for this address.
fn stand_in(session: &Session, is_v6: bool, addr: Addr) -> Result<Addr> {
    let addr = as_target(addr);
    let (packed, family) = (pack(addr), packed_port(0, is_v6));
    let is_it =
        |known: &&KnownStandIn| known.port.load(Acquire) & !0xffff == family && words(known) == packed;
    let known = KNOWN.iter().find(is_it);
    let port = match known {
        Some(known) => known.port.load(Acquire) as u16,
        None => {
            let mut buffer = [0; FRAME_BYTES_MAX];
            let Reply::KernelPort { port } =
                session.ask(&Request::Resolve { addr, is_v6 }, None, &mut buffer)?
            else {
                return Err(Errno::INVALID);
            };
            keep(port, is_v6, addr);
            port
        }
    };
    Ok(Addr::new(Ip::loopback(is_v6), port))
}

/// Returns the address from which a datagram of a stand-in is.
fn find_sender(session: &Session, kernel: Addr) -> Result<Addr> {
    let is_v6 = matches!(kernel.ip, Ip::V6(_));
    let packed = packed_port(kernel.port, is_v6);
    if let Some(known) = KNOWN.iter().find(|known| known.port.load(Acquire) == packed) {
        return Ok(unpack(words(known)));
    }
    let request = Request::Whence { kernel_port: kernel.port, is_v6 };
    let mut buffer = [0; FRAME_BYTES_MAX];
    let Reply::Address { addr } = session.ask(&request, None, &mut buffer)? else {
        return Err(Errno::INVALID);
    };
    keep(kernel.port, is_v6, addr);
    Ok(addr)
}

/// Returns the socket's entry, after giving the socket an address if it has none.
fn ensure_bound(session: &Session, fd: c_int, entry: Entry) -> Result<Entry> {
    if entry.kind == Kind::UdpFresh {
        return bind_to(session, fd, entry, any_port(entry.family.is_v6()));
    }
    Ok(entry)
}

/// Returns the address, if the socket can send there: a socket of IPv6 accepts both forms of an IPv4 address, unless it
/// excludes IPv4.
fn check_reachable(entry: Entry, given: GivenAddr) -> Result<Addr> {
    match (given.addr.ip, entry.family) {
        (Ip::V4(_), Family::V4) if !given.is_v6 => Ok(given.addr),
        (_, Family::V4) => Err(Errno(libc::EAFNOSUPPORT)),
        (Ip::V4(_), Family::V6) => Err(Errno(libc::ENETUNREACH)),
        (Ip::V4(_), Family::Both) | (Ip::V6(_), Family::V6 | Family::Both) => Ok(given.addr),
    }
}

/// Connects a datagram socket, which sets the address to which it sends.
pub fn connect(
    session: &Session,
    fd: c_int,
    entry: Entry,
    addr: *const sockaddr,
    len: socklen_t,
) -> Result<usize> {
    let Some(target) = Sockaddr::read(addr, len)? else {
        // Without a family, the socket forgets its address.
        return pass!(libc::SYS_connect, fd, addr, len);
    };
    let entry = ensure_bound(session, fd, entry)?;
    let target = check_reachable(entry, target)?;
    let real = Sockaddr::new(stand_in(session, entry.family.is_v6(), target)?);
    pass!(libc::SYS_connect, fd, real.as_ptr(), real.len())?;
    let target = as_target(target);
    let own = local_of(entry.link).filter(|own| own.ip.is_any());
    // From now on the socket has the address by which the target reaches it.
    let own = own.map(|own| Addr::new(target.ip.kernel_loopback(), own.port));
    remember(entry.link, own, Some(target));
    fds::set(fd, entry);
    Ok(0)
}

/// Returns the real address for one that the guest sends to; `None` if the guest gives none because the socket is
/// connected.
pub fn send_to(
    session: &Session,
    fd: c_int,
    addr: *const sockaddr,
    len: socklen_t,
) -> Result<(Entry, Option<Sockaddr>)> {
    settle(fd);
    let entry = ensure_bound(session, fd, fds::get(fd))?;
    if addr.is_null() {
        return Ok((entry, None));
    }
    let given = Sockaddr::read(addr, len)?.ok_or(Errno(libc::EAFNOSUPPORT))?;
    let target = check_reachable(entry, given)?;
    Ok((entry, Some(Sockaddr::new(stand_in(session, entry.family.is_v6(), target)?))))
}

/// Waits for a datagram, or for the news that one which was sent found no receiver.
pub fn wait(session: &'static Session, fd: c_int, deadline_ns: u64) -> Result<()> {
    let mut one = [pollfd { fd, events: libc::POLLIN, revents: 0 }];
    let until = Wait::until(Call::Datagram, deadline_ns);
    match wait::on_fds(session, &mut one, None, until, &mut |_| settle(fd))? {
        0 => Err(Errno::AGAIN),
        _ => Ok(()),
    }
}

/// Tells the guest who sent a datagram.
pub fn receive_from(session: &Session, real: &Sockaddr, addr: *mut sockaddr, len: *mut socklen_t) {
    let from = real.addr().and_then(|real| find_sender(session, real).ok());
    if let (Some(from), false) = (from, addr.is_null()) {
        // The kernel's address is of the socket's family.
        let is_v6 = real.addr().is_some_and(|real| matches!(real.ip, Ip::V6(_)));
        Sockaddr::seen_by(is_v6, from).give(addr, len);
    }
}
