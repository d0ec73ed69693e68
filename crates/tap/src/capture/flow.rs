//! Connections in a capture: which packets belong together, who opened them, and where they begin and end.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use pcap_parser::Linktype;

use crate::decode::Side;
use crate::hub::{ConnectionId, Hub};

use super::packet::{NoSegment, Segment, segment};
use super::reassembly::{Piece, Stream};

/// The most connections that are followed at a time.
const FLOWS_MAX: usize = 65_536;

/// A connection.
struct Flow {
    id: ConnectionId,
    /// The streams, by the side that sends.
    streams: [Stream; 2],
    has_ended: [bool; 2],
    /// The number of the segment that opened it, if that was seen.
    opened_with: Option<u32>,
    /// Whether the hub knows of it: it does not before somebody has answered.
    is_open: bool,
}

/// The connections of a capture.
#[derive(Default)]
pub(super) struct Flows {
    /// By dialer and acceptor.
    flows: BTreeMap<(SocketAddr, SocketAddr), Flow>,
    n_flows: u64,
    /// Facts that were told once: kinds of links that are not known, fragments, packets that are cut off.
    told: Vec<&'static str>,
}

impl Flows {
    /// Takes a packet of which `full_len` bytes were on the wire.
    pub fn packet(&mut self, hub: &mut Hub, link: Linktype, packet: &[u8], full_len: u32) {
        if packet.len() < full_len as usize {
            self.tell_once(hub, "packets of the capture are cut off: use `tcpdump -s 0`");
        }
        match segment(link, packet) {
            Ok(segment) => self.segment(hub, &segment),
            Err(NoSegment::Other) => {}
            Err(NoSegment::Link(_)) => {
                self.tell_once(
                    hub,
                    "the capture has a kind of link that is not known; those of Ethernet, Linux cooked, loopback and raw IP are",
                );
            }
            Err(NoSegment::Fragment) => self.tell_once(hub, "fragments of IP are not put together"),
            Err(NoSegment::Damaged) => self.tell_once(hub, "a packet of the capture is damaged"),
        }
    }

    fn tell_once(&mut self, hub: &mut Hub, what: &'static str) {
        if !self.told.contains(&what) {
            self.told.push(what);
            hub.note(what);
        }
    }

    fn segment(&mut self, hub: &mut Hub, segment: &Segment<'_>) {
        let Some((endpoint, from)) = self.side(hub, segment) else { return };
        let key = match from {
            Side::Dialer => (segment.from, segment.to),
            Side::Acceptor => (segment.to, segment.from),
        };
        if segment.is_reset && from == Side::Acceptor && self.is_refused(key) {
            self.close(hub, key);
            return hub.refuse(endpoint);
        }
        let opens = segment.is_syn && from == Side::Dialer;
        if opens && self.flows.get(&key).is_some_and(|flow| flow.opened_with != Some(segment.sequence)) {
            // The same addresses, used again.
            self.close(hub, key);
        }
        if !self.flows.contains_key(&key) {
            let has_something = segment.is_syn || !segment.data.is_empty();
            let opened_with = opens.then_some(segment.sequence);
            if segment.is_reset || !has_something || !self.open(hub, key, opened_with) {
                return;
            }
        }
        self.take(hub, key, endpoint, (from, segment));
    }

    /// Returns the endpoint of a segment, and the side that sent it.
    fn side(&self, hub: &Hub, segment: &Segment<'_>) -> Option<(usize, Side)> {
        let endpoints = &hub.settings().endpoints;
        let at = |address: SocketAddr| {
            endpoints.iter().position(|endpoint| {
                endpoint.target == address
                    || endpoint.target.ip().is_unspecified() && endpoint.target.port() == address.port()
            })
        };
        // Both may be ports of nodes; a connection that is known decides, or the segment that opens it.
        let is_known = |dialer, acceptor| self.flows.contains_key(&(dialer, acceptor));
        match (at(segment.to), at(segment.from)) {
            (None, None) => None,
            (Some(endpoint), None) => Some((endpoint, Side::Dialer)),
            (None, Some(endpoint)) => Some((endpoint, Side::Acceptor)),
            (Some(to), Some(from)) => {
                let is_answer = segment.is_syn && segment.acknowledged.is_some();
                let is_acceptor = is_answer || is_known(segment.to, segment.from);
                Some(if is_acceptor { (from, Side::Acceptor) } else { (to, Side::Dialer) })
            }
        }
    }

    /// Whether a connection was asked for, and nothing of it was seen since.
    fn is_refused(&self, key: (SocketAddr, SocketAddr)) -> bool {
        self.flows.get(&key).is_some_and(|flow| flow.opened_with.is_some() && !flow.streams[1].has_begun())
    }

    fn open(&mut self, hub: &mut Hub, key: (SocketAddr, SocketAddr), opened_with: Option<u32>) -> bool {
        if self.flows.len() >= FLOWS_MAX {
            self.tell_once(hub, "the capture has too many connections at a time: the newest are left out");
            return false;
        }
        self.n_flows += 1;
        let id = self.n_flows;
        self.flows.insert(
            key,
            Flow { id, streams: Default::default(), has_ended: [false; 2], opened_with, is_open: false },
        );
        true
    }

    // Six values: where a segment belongs, which the caller has looked up, and the segment.
    fn take(
        &mut self,
        hub: &mut Hub,
        key: (SocketAddr, SocketAddr),
        endpoint: usize,
        (from, segment): (Side, &Segment<'_>),
    ) {
        let Some(flow) = self.flows.get_mut(&key) else { return };
        let mut pieces = Vec::new();
        let is_answer = segment.is_syn && from == Side::Acceptor;
        if !flow.is_open && (is_answer || !segment.is_syn) {
            flow.is_open = true;
            // It is known as a whole if both have said with which number they begin.
            hub.open(flow.id, endpoint, is_answer && flow.opened_with.is_some());
        }
        if segment.is_syn {
            // The opening itself has a number.
            flow.streams[from.index()].begin(segment.sequence.wrapping_add(1));
        } else if !segment.data.is_empty() || segment.is_fin {
            flow.streams[from.index()].take(segment.sequence, segment.data, segment.is_fin, &mut pieces);
        }
        give(hub, flow, from, pieces);
        if let Some(acknowledged) = segment.acknowledged {
            let mut pieces = Vec::new();
            flow.streams[from.other().index()].acknowledge(acknowledged, &mut pieces);
            give(hub, flow, from.other(), pieces);
        }
        if segment.is_reset || flow.has_ended == [true; 2] {
            self.close(hub, key);
        }
    }

    fn close(&mut self, hub: &mut Hub, key: (SocketAddr, SocketAddr)) {
        if let Some(mut flow) = self.flows.remove(&key) {
            for side in [Side::Dialer, Side::Acceptor] {
                let mut pieces = Vec::new();
                flow.streams[side.index()].finish(&mut pieces);
                give(hub, &mut flow, side, pieces);
            }
            hub.close(flow.id);
        }
    }

    /// The capture cannot be read any more.
    pub fn lose_all(&mut self, hub: &mut Hub, why: &str) {
        for flow in self.flows.values() {
            hub.lose(flow.id, Side::Dialer, why);
            hub.lose(flow.id, Side::Acceptor, why);
        }
    }

    /// The capture ends; connections may go on.
    pub fn finish(&mut self, hub: &mut Hub) {
        let keys: Vec<_> = self.flows.keys().copied().collect();
        for key in keys {
            self.close(hub, key);
        }
    }
}

fn give(hub: &mut Hub, flow: &mut Flow, from: Side, pieces: Vec<Piece>) {
    for piece in pieces {
        match piece {
            Piece::Bytes(bytes) => hub.bytes(flow.id, from, &bytes),
            Piece::Lost(n) => hub.lose(flow.id, from, &format!("the capture has lost {n} bytes")),
            Piece::End => {
                flow.has_ended[from.index()] = true;
                hub.end(flow.id, from);
            }
        }
    }
}
