//! One packet: from the link to a segment of TCP.

use std::net::{IpAddr, SocketAddr};

use etherparse::{LaxNetSlice, LaxSlicedPacket, TransportSlice};
use pcap_parser::Linktype;

/// A segment of TCP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Segment<'a> {
    pub from: SocketAddr,
    pub to: SocketAddr,
    pub sequence: u32,
    /// The number up to which the sender has received the other direction.
    pub acknowledged: Option<u32>,
    pub is_syn: bool,
    pub is_fin: bool,
    pub is_reset: bool,
    pub data: &'a [u8],
}

/// Why a packet has no segment that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoSegment {
    /// It is something else, which does not matter.
    Other,
    Link(i32),
    Fragment,
    /// It is damaged, or cut off before its data.
    Damaged,
}

const NULL: i32 = 0;
const ETHERNET: i32 = 1;
const LOOP: i32 = 108;
const LINUX_COOKED: i32 = 113;
const LINUX_COOKED_2: i32 = 276;
/// Packets of IP without anything before them.
const RAW: [i32; 5] = [12, 14, 101, 228, 229];

/// Finds the segment of TCP in a packet.
pub(super) fn segment(link: Linktype, packet: &[u8]) -> Result<Segment<'_>, NoSegment> {
    let after = |n| packet.get(n..).ok_or(NoSegment::Damaged);
    let ip = |packet| LaxSlicedPacket::from_ip(packet).map_err(|_| NoSegment::Other);
    let sliced = match link.0 {
        ETHERNET => LaxSlicedPacket::from_ethernet(packet).map_err(|_| NoSegment::Damaged)?,
        // The family of addresses, in four bytes.
        NULL | LOOP => ip(after(4)?)?,
        LINUX_COOKED => ip(after(16)?)?,
        LINUX_COOKED_2 => ip(after(20)?)?,
        other if RAW.contains(&other) => ip(packet)?,
        other => return Err(NoSegment::Link(other)),
    };
    let (from, to, is_fragment): (IpAddr, IpAddr, bool) = match &sliced.net {
        Some(LaxNetSlice::Ipv4(ip)) => {
            let header = ip.header();
            (header.source_addr().into(), header.destination_addr().into(), ip.payload().fragmented)
        }
        Some(LaxNetSlice::Ipv6(ip)) => {
            let header = ip.header();
            (header.source_addr().into(), header.destination_addr().into(), ip.payload().fragmented)
        }
        Some(LaxNetSlice::Arp(_)) | None => return Err(NoSegment::Other),
    };
    let tcp = match &sliced.transport {
        Some(TransportSlice::Tcp(tcp)) => tcp,
        Some(
            TransportSlice::Udp(_)
            | TransportSlice::Icmpv4(_)
            | TransportSlice::Icmpv6(_)
            | TransportSlice::Igmp(_),
        ) => return Err(NoSegment::Other),
        None if is_fragment => return Err(NoSegment::Fragment),
        None if sliced.stop_err.is_some() => return Err(NoSegment::Damaged),
        None => return Err(NoSegment::Other),
    };
    Ok(Segment {
        from: SocketAddr::new(from, tcp.source_port()),
        to: SocketAddr::new(to, tcp.destination_port()),
        sequence: tcp.sequence_number(),
        acknowledged: tcp.ack().then(|| tcp.acknowledgment_number()),
        is_syn: tcp.syn(),
        is_fin: tcp.fin(),
        is_reset: tcp.rst(),
        // A borrow of the packet, not of its slices.
        data: tcp.slice().get(tcp.header_slice().len()..).unwrap_or_default(),
    })
}
