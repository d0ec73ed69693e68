//! The addresses that sockets appear to have.
#![expect(unsafe_code, reason = "exports symbols of libc")]

use core::sync::atomic::AtomicU64;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use libc::{c_int, sockaddr, socklen_t};
use wire::{Addr, Ip, LINKS_MAX};

use super::{Sockaddr, settle};
use crate::fds::{self, Entry, Kind};
use crate::guest::GuestPtr;
use crate::kernel::{Errno, Result, give_int};
use crate::pass;
use crate::session::session;

/// An address in words that any thread can read and write: the family and port, and the bytes.
struct Name([AtomicU64; 3]);

impl Name {
    fn set(&self, addr: Addr) {
        let (family, bytes) = match addr.ip {
            Ip::V4(ip) => {
                let mut bytes = [0; 16];
                bytes[..4].copy_from_slice(&ip);
                (4_u64, bytes)
            }
            Ip::V6(ip) => (6, ip),
        };
        let whole = u128::from_le_bytes(bytes);
        self.0[1].store(whole as u64, Relaxed);
        self.0[2].store((whole >> 64) as u64, Relaxed);
        self.0[0].store(family << 32 | u64::from(addr.port), Release);
    }

    fn get(&self) -> Option<Addr> {
        let first = self.0[0].load(Acquire);
        let whole = u128::from(self.0[1].load(Relaxed)) | u128::from(self.0[2].load(Relaxed)) << 64;
        let bytes = whole.to_le_bytes();
        let ip = match first >> 32 {
            4 => Ip::V4([bytes[0], bytes[1], bytes[2], bytes[3]]),
            6 => Ip::V6(bytes),
            _ => return None,
        };
        Some(Addr::new(ip, first as u16))
    }
}

static LOCAL: [Name; LINKS_MAX] = [const { Name([const { AtomicU64::new(0) }; 3]) }; LINKS_MAX];
static PEER: [Name; LINKS_MAX] = [const { Name([const { AtomicU64::new(0) }; 3]) }; LINKS_MAX];

/// Keeps the addresses of a link.
pub fn remember(link: u32, local: Option<Addr>, peer: Option<Addr>) {
    if let (Some(name), Some(addr)) = (LOCAL.get(link as usize), local) {
        name.set(addr);
    }
    if let (Some(name), Some(addr)) = (PEER.get(link as usize), peer) {
        name.set(addr);
    }
}

pub fn local_of(link: u32) -> Option<Addr> {
    LOCAL.get(link as usize).and_then(Name::get)
}

fn peer_of(link: u32) -> Option<Addr> {
    PEER.get(link as usize).and_then(Name::get)
}

fn has_name(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::TcpBound | Kind::TcpListening | Kind::TcpConnecting | Kind::TcpConnected | Kind::UdpBound
    )
}

/// Returns the entry of a socket that has an address from the stage.
fn find_named(fd: c_int) -> Option<Entry> {
    session()?;
    let entry = fds::get(fd);
    has_name(entry.kind).then_some(entry)
}

#[unsafe(no_mangle)]
pub extern "C" fn getsockname(fd: c_int, addr: *mut sockaddr, len: *mut socklen_t) -> c_int {
    let local =
        find_named(fd).and_then(|entry| Some(Sockaddr::seen_by(entry.family.is_v6(), local_of(entry.link)?)));
    let Some(local) = local else { return give_int(pass!(libc::SYS_getsockname, fd, addr, len)) };
    give_int(give_name(local, addr, len))
}

#[unsafe(no_mangle)]
pub extern "C" fn getpeername(fd: c_int, addr: *mut sockaddr, len: *mut socklen_t) -> c_int {
    let Some(entry) = find_named(fd) else { return give_int(pass!(libc::SYS_getpeername, fd, addr, len)) };
    settle(fd);
    // The kernel says whether there is a peer; we say which one it is.
    let mut real = Sockaddr::empty();
    let mut real_len = real.len() as socklen_t;
    let asked = pass!(libc::SYS_getpeername, fd, real.as_mut_ptr(), &raw mut real_len);
    let peer = || peer_of(entry.link).ok_or(Errno(libc::ENOTCONN));
    give_int(asked.and_then(|_| give_name(Sockaddr::seen_by(entry.family.is_v6(), peer()?), addr, len)))
}

fn give_name(name: Sockaddr, addr: *mut sockaddr, len: *mut socklen_t) -> Result<usize> {
    if GuestPtr::new(addr).is_null() || GuestPtr::new(len).is_null() {
        return Err(Errno::FAULT);
    }
    name.give(addr, len);
    Ok(0)
}
