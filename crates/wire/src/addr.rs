//! Internet addresses in the form that both sides use.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// The address without the port, in the form of its family: an IPv4 address is never inside an IPv6 one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Ip {
    V4([u8; 4]),
    V6([u8; 16]),
}

impl Ip {
    pub const LOOPBACK_V4: Ip = Ip::V4([127, 0, 0, 1]);
    pub const LOOPBACK_V6: Ip = Ip::V6([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);

    /// Returns the loopback address of a family.
    pub fn loopback(is_v6: bool) -> Ip {
        if is_v6 { Ip::LOOPBACK_V6 } else { Ip::LOOPBACK_V4 }
    }

    /// Whether this is the address that means every address of a host.
    pub fn is_any(self) -> bool {
        match self {
            Ip::V4(bytes) => bytes == [0; 4],
            Ip::V6(bytes) => bytes == [0; 16],
        }
    }

    /// Whether this address never leaves the host.
    pub fn is_loopback(self) -> bool {
        match self {
            Ip::V4(bytes) => bytes[0] == 127,
            Ip::V6(_) => self == Ip::LOOPBACK_V6,
        }
    }

    /// Returns the loopback address that the kernel's own sockets of this family use.
    pub fn kernel_loopback(self) -> Ip {
        match self {
            Ip::V4(_) => Ip::LOOPBACK_V4,
            Ip::V6(_) => Ip::LOOPBACK_V6,
        }
    }
}

/// An address and a port.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Addr {
    pub ip: Ip,
    pub port: u16,
}

impl Addr {
    pub fn new(ip: Ip, port: u16) -> Addr {
        Addr { ip, port }
    }
}

impl From<SocketAddr> for Addr {
    fn from(addr: SocketAddr) -> Addr {
        let ip = match addr.ip() {
            IpAddr::V4(ip) => Ip::V4(ip.octets()),
            IpAddr::V6(ip) => Ip::V6(ip.octets()),
        };
        Addr { ip, port: addr.port() }
    }
}

impl From<Addr> for SocketAddr {
    fn from(addr: Addr) -> SocketAddr {
        let ip = match addr.ip {
            Ip::V4(bytes) => IpAddr::V4(Ipv4Addr::from(bytes)),
            Ip::V6(bytes) => IpAddr::V6(Ipv6Addr::from(bytes)),
        };
        SocketAddr::new(ip, addr.port)
    }
}

/// Formats the address: `127.0.0.1:80`, `[::1]:80`.
impl fmt::Display for Addr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        SocketAddr::from(*self).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::{Addr, Ip};
    use std::net::SocketAddr;

    #[test]
    fn addresses_survive_the_way_through_the_standard_library() {
        for text in ["127.0.0.1:80", "[::1]:65535", "10.1.2.3:0"] {
            let there: SocketAddr = text.parse().unwrap();
            let back = Addr::from(there);
            assert_eq!(back.to_string(), text);
            assert_eq!(SocketAddr::from(back), there);
        }
    }

    #[test]
    fn loopback_and_any_are_recognised_in_both_families() {
        assert!(Ip::V4([127, 9, 9, 9]).is_loopback() && !Ip::V4([10, 0, 0, 1]).is_loopback());
        assert!(Ip::LOOPBACK_V6.is_loopback() && !Ip::V6([0; 16]).is_loopback());
        assert!(Ip::V4([0; 4]).is_any() && Ip::V6([0; 16]).is_any() && !Ip::LOOPBACK_V4.is_any());
    }
}
