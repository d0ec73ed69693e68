//! Socket addresses in the form of C.

use libc::{c_int, sockaddr, sockaddr_in, sockaddr_in6, socklen_t};
use wire::{Addr, Family, Ip};

use crate::guest::GuestPtr;
use crate::kernel::{Errno, Result};
use crate::pass;

/// An internet address in C's form, of either family.
#[derive(Clone, Copy)]
pub struct Sockaddr {
    bytes: [u8; 28],
    len: usize,
}

const V4_BYTES: usize = size_of::<sockaddr_in>();
const V6_BYTES: usize = size_of::<sockaddr_in6>();

/// The positions of the fields: family (2), port (2), then the address, after a flow label in IPv6.
const PORT_AT: usize = 2;
const V4_AT: usize = 4;
const V6_AT: usize = 8;
/// The beginning of an IPv6 address that contains an IPv4 address.
const MAPPED: [u8; 12] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];

/// Returns an address; an IPv4 address inside an IPv6 one is extracted.
fn plain(ip: [u8; 16]) -> Ip {
    match ip.split_first_chunk::<12>() {
        Some((&MAPPED, &[a, b, c, d])) => Ip::V4([a, b, c, d]),
        Some(_) | None => Ip::V6(ip),
    }
}

/// An address that the guest gave, and whether it was in the form of IPv6.
#[derive(Clone, Copy)]
pub struct GivenAddr {
    pub addr: Addr,
    pub is_v6: bool,
}

impl Sockaddr {
    /// Returns an address in the form of a socket's own family: a socket of IPv6 sees an IPv4 address inside one of its
    /// own.
    pub fn seen_by(is_v6: bool, addr: Addr) -> Sockaddr {
        match addr.ip {
            Ip::V4(ip) if is_v6 => {
                let mut mapped = [0; 16];
                mapped[..12].copy_from_slice(&MAPPED);
                mapped[12..].copy_from_slice(&ip);
                Sockaddr::new(Addr::new(Ip::V6(mapped), addr.port))
            }
            Ip::V4(_) | Ip::V6(_) => Sockaddr::new(addr),
        }
    }

    pub fn new(addr: Addr) -> Sockaddr {
        let mut bytes = [0_u8; 28];
        let (family, len) = match addr.ip {
            Ip::V4(ip) => {
                bytes[V4_AT..V4_AT + 4].copy_from_slice(&ip);
                (libc::AF_INET, V4_BYTES)
            }
            Ip::V6(ip) => {
                bytes[V6_AT..V6_AT + 16].copy_from_slice(&ip);
                (libc::AF_INET6, V6_BYTES)
            }
        };
        bytes[..2].copy_from_slice(&(family as u16).to_ne_bytes());
        bytes[PORT_AT..PORT_AT + 2].copy_from_slice(&addr.port.to_be_bytes());
        Sockaddr { bytes, len }
    }

    /// Creates space for an answer of the kernel.
    pub fn empty() -> Sockaddr {
        Sockaddr { bytes: [0; 28], len: 28 }
    }

    pub fn as_ptr(&self) -> *const u8 {
        self.bytes.as_ptr()
    }

    pub fn as_mut_ptr(&mut self) -> *mut u8 {
        self.bytes.as_mut_ptr()
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns the address; `None` for other families.
    pub fn addr(&self) -> Option<Addr> {
        let family = c_int::from(u16::from_ne_bytes([self.bytes[0], self.bytes[1]]));
        let port = u16::from_be_bytes([self.bytes[PORT_AT], self.bytes[PORT_AT + 1]]);
        match family {
            libc::AF_INET => {
                let ip = self.bytes.get(V4_AT..)?.first_chunk::<4>()?;
                Some(Addr::new(Ip::V4(*ip), port))
            }
            libc::AF_INET6 => {
                let ip = self.bytes.get(V6_AT..)?.first_chunk::<16>()?;
                Some(Addr::new(plain(*ip), port))
            }
            _ => None,
        }
    }

    /// Reads the guest's address; `None` for other families.
    pub fn read(address: *const sockaddr, len: socklen_t) -> Result<Option<GivenAddr>> {
        if address.is_null() || (len as usize) < 2 {
            return Err(Errno::FAULT);
        }
        let mut family = [0_u8; 2];
        GuestPtr::new(address.cast::<u8>()).copy_to(&mut family)?;
        let family = c_int::from(u16::from_ne_bytes(family));
        let needed = match family {
            libc::AF_INET => V4_BYTES,
            // Older programs leave out the scope.
            libc::AF_INET6 => V6_BYTES - 4,
            _ => return Ok(None),
        };
        if (len as usize) < needed {
            return Err(Errno::INVALID);
        }
        let mut copy = Sockaddr::empty();
        GuestPtr::new(address.cast::<u8>()).copy_to(&mut copy.bytes[..needed])?;
        Ok(copy.addr().map(|addr| GivenAddr { addr, is_v6: family == libc::AF_INET6 }))
    }

    /// Writes the address to the guest, cut to the space that it has.
    pub fn give(self, to: *mut sockaddr, len: *mut socklen_t) {
        let Some(room) = GuestPtr::new(len).opt_read() else { return };
        let n = self.len.min(room as usize);
        GuestPtr::new(to.cast::<u8>()).copy_from(&self.bytes[..n]);
        GuestPtr::new(len).write(self.len as socklen_t);
    }
}

impl GivenAddr {
    /// Returns the address, if it is in the form of the socket's family, as streams require; `len` is the length that
    /// the guest gave.
    pub fn of_family(self, is_v6: bool, len: socklen_t) -> Result<Addr> {
        match (self.is_v6, is_v6) {
            (true, true) | (false, false) => Ok(self.addr),
            (false, true) if (len as usize) < V6_BYTES - 4 => Err(Errno::INVALID),
            (false, true) | (true, false) => Err(Errno(libc::EAFNOSUPPORT)),
        }
    }
}

/// Returns an option of a socket.
pub fn option(fd: c_int, level: c_int, name: c_int) -> Result<c_int> {
    let mut value: c_int = 0;
    let mut len = size_of::<c_int>() as socklen_t;
    pass!(libc::SYS_getsockopt, fd, level, name, &raw mut value, &raw mut len)?;
    Ok(value)
}

pub fn is_internet(fd: c_int) -> bool {
    option(fd, libc::SOL_SOCKET, libc::SO_DOMAIN)
        .is_ok_and(|family| family == libc::AF_INET || family == libc::AF_INET6)
}

/// Returns the family of addresses that a fresh socket uses. For a socket with an address the kernel would say
/// something else: the address that it has is not the one that the guest asked for.
pub fn family(fd: c_int) -> Family {
    let is_v6 = || option(fd, libc::SOL_SOCKET, libc::SO_DOMAIN).is_ok_and(|family| family == libc::AF_INET6);
    let is_alone = || option(fd, libc::IPPROTO_IPV6, libc::IPV6_V6ONLY).is_ok_and(|alone| alone != 0);
    match (is_v6(), is_alone()) {
        (false, _) => Family::V4,
        (true, true) => Family::V6,
        (true, false) => Family::Both,
    }
}

/// Returns the port that a socket has on the kernel's loopback.
pub fn kernel_port(fd: c_int) -> Result<u16> {
    let mut addr = Sockaddr::empty();
    let mut len = addr.len() as socklen_t;
    pass!(libc::SYS_getsockname, fd, addr.as_mut_ptr(), &raw mut len)?;
    addr.addr().map(|addr| addr.port).ok_or(Errno::INVALID)
}

/// Binds the kernel's socket to a free port of its loopback.
pub fn bind_loopback(fd: c_int, is_v6: bool) -> Result<u16> {
    let addr = Sockaddr::new(Addr::new(Ip::loopback(is_v6), 0));
    match pass!(libc::SYS_bind, fd, addr.as_ptr(), addr.len()) {
        // It has a port from an attempt to bind that the stage refused.
        Ok(_) | Err(Errno::INVALID) => kernel_port(fd),
        Err(errno) => Err(errno),
    }
}

/// Returns the address that the guest means by a target: the wildcard address means this host.
pub fn as_target(addr: Addr) -> Addr {
    if addr.ip.is_any() { Addr::new(addr.ip.kernel_loopback(), addr.port) } else { addr }
}
