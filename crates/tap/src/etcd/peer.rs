//! The traffic between members of etcd: HTTP/1.1, in which messages of Raft travel as streams in responses, and as single requests.

use std::collections::VecDeque;

use crate::buffer::Cursor;
use crate::decode::{Decoder, Side, Sink, describe};
use crate::http::{Head, HttpReader, Part, Sends};

use super::raftpb::{Message, hex};
use super::stream::{Frame, FrameReader, StreamKind};

/// The most bytes of a message that travels in a request of its own.
const MESSAGE_BYTES_MAX: usize = 64 << 20;
/// The most bytes that are kept while a place to go on is looked for.
const SEARCH_BYTES_MAX: usize = 1 << 20;

/// The purpose of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asks {
    /// The messages of the other side from now on, in the response.
    Stream(StreamKind),
    /// The request has a message.
    Post,
    /// The request has a message with its length before it, and then a database.
    Snapshot,
    /// Nothing of Raft.
    Other { is_head: bool },
}

/// How far one side's stream can be read.
#[derive(Debug)]
enum Reading {
    Http(HttpReader),
    /// A place is looked for from where chunks can be read.
    Searching(Vec<u8>),
    /// Not any more.
    Dead,
}

/// Decodes a connection between members.
#[derive(Debug)]
pub struct PeerDecoder {
    reading: [Reading; 2],
    asked: VecDeque<Asks>,
    /// The request that is being read, and the start of its body.
    request: Option<(Asks, Vec<u8>)>,
    /// The frames of the response that is being read.
    frames: Option<FrameReader>,
    /// The members at the sides, by [`Side::index`]; 0 if not known.
    ids: [u64; 2],
    has_read: bool,
    /// Whether all requests so far were seen.
    knows_requests: bool,
}

impl PeerDecoder {
    /// `is_whole` says that the connection is seen from its beginning.
    pub fn new(is_whole: bool) -> PeerDecoder {
        let reading = match is_whole {
            true => [
                Reading::Http(HttpReader::new(Sends::Requests)),
                Reading::Http(HttpReader::new(Sends::Responses)),
            ],
            false => [Reading::Http(HttpReader::new(Sends::Requests)), Reading::Searching(Vec::new())],
        };
        PeerDecoder {
            reading,
            asked: VecDeque::new(),
            request: None,
            frames: None,
            ids: [0; 2],
            has_read: !is_whole,
            knows_requests: is_whole,
        }
    }

    fn requests(&mut self, sink: &mut Sink<'_>) {
        loop {
            let Reading::Http(reader) = &mut self.reading[0] else { return };
            match reader.next(false) {
                Ok(None) => return,
                Ok(Some(Part::Head(head))) => {
                    self.has_read = true;
                    let asks = self.request_head(&head, sink);
                    self.request = Some((asks, Vec::new()));
                }
                Ok(Some(Part::Body(bytes))) => self.request_body(&bytes, sink),
                Ok(Some(Part::End)) => {
                    if let Some((asks, body)) = self.request.take() {
                        self.asked.push_back(asks);
                        match asks {
                            Asks::Post => self.message(Side::Dialer, &body, sink),
                            Asks::Stream(_) | Asks::Snapshot | Asks::Other { .. } => {}
                        }
                    }
                }
                Err(why) => return self.give_up(Side::Dialer, why, sink),
            }
        }
    }

    fn request_head(&mut self, head: &Head, sink: &mut Sink<'_>) -> Asks {
        let id = |name| head.field(name).and_then(|id| u64::from_str_radix(id, 16).ok());
        if let (Some(from), Some(to)) = (id("x-server-from"), id("x-raft-to")) {
            self.identify(head, from, to, sink);
        } else if let Some(from) = id("x-server-from") {
            self.identify(head, from, self.ids[1], sink);
        }
        let path = head.path.split('?').next().unwrap_or_default();
        match (head.method.as_str(), path) {
            ("GET", path) if path.starts_with("/raft/stream/message/") => Asks::Stream(StreamKind::Message),
            ("GET", path) if path.starts_with("/raft/stream/msgapp/") => Asks::Stream(StreamKind::MsgApp),
            ("POST", "/raft") => Asks::Post,
            ("POST", "/raft/snapshot") => Asks::Snapshot,
            (_, "/raft/probing") => Asks::Other { is_head: false },
            (_, path) if path.starts_with("/raft") => {
                sink.note(format!("a request between members is none of etcd 3.4 or 3.5: {path}"));
                Asks::Other { is_head: false }
            }
            (method, _) => Asks::Other { is_head: method == "HEAD" },
        }
    }

    fn identify(&mut self, head: &Head, from: u64, to: u64, sink: &mut Sink<'_>) {
        let is_news = self.ids != [from, to];
        self.ids = [from, to];
        if is_news {
            let urls = head.field("x-peerurls").unwrap_or_default();
            let addresses: Vec<&str> = urls.split(',').map(address).collect();
            sink.identify(Side::Dialer, &hex(from), &addresses);
            if to != 0 {
                sink.identify(Side::Acceptor, &hex(to), &[]);
            }
        }
    }

    fn request_body(&mut self, bytes: &[u8], sink: &mut Sink<'_>) {
        let Some((asks, body)) = &mut self.request else { return };
        match asks {
            Asks::Post if body.len() + bytes.len() <= MESSAGE_BYTES_MAX => body.extend_from_slice(bytes),
            Asks::Snapshot if body.len() < MESSAGE_BYTES_MAX => {
                body.extend_from_slice(bytes);
                let mut cursor = Cursor::new(body);
                let n = cursor.u64().ok().and_then(|n| usize::try_from(n).ok());
                let message = n.and_then(|n| cursor.bytes(n).ok()).map(<[u8]>::to_vec);
                if let Some(message) = message {
                    *asks = Asks::Other { is_head: false };
                    body.clear();
                    self.message(Side::Dialer, &message, sink);
                }
            }
            Asks::Post | Asks::Snapshot => {
                *asks = Asks::Other { is_head: false };
                sink.gap(Side::Dialer, "a message between members is too long");
            }
            Asks::Stream(_) | Asks::Other { .. } => {}
        }
    }

    fn message(&self, from: Side, bytes: &[u8], sink: &mut Sink<'_>) {
        match Message::read(bytes) {
            Ok(message) => sink.message(from, message.json(sink.names)),
            Err(why) => sink.gap(from, why.0),
        }
    }

    fn responses(&mut self, sink: &mut Sink<'_>) {
        loop {
            let asks = self.asked.front().copied();
            let awaits_request = asks.is_none() && self.knows_requests;
            let Reading::Http(reader) = &mut self.reading[1] else { return };
            // In a capture a response can come before the end of its request.
            if awaits_request && reader.is_before_head() && reader.rest().len() < SEARCH_BYTES_MAX {
                return;
            }
            match reader.next(asks == Some(Asks::Other { is_head: true })) {
                Ok(None) => return,
                Ok(Some(Part::Head(head))) => {
                    self.frames = match asks {
                        Some(Asks::Stream(kind)) if head.status == 200 => Some(FrameReader::new(kind)),
                        Some(Asks::Stream(_) | Asks::Post | Asks::Snapshot | Asks::Other { .. }) | None => {
                            None
                        }
                    };
                    if (200..).contains(&head.status) {
                        self.asked.pop_front();
                    }
                }
                Ok(Some(Part::Body(bytes))) => self.stream(&bytes, sink),
                Ok(Some(Part::End)) => self.frames = None,
                Err(why) => return self.give_up(Side::Acceptor, why, sink),
            }
        }
    }

    /// Reads bytes of a response, if it is a stream of messages.
    fn stream(&mut self, bytes: &[u8], sink: &mut Sink<'_>) {
        let Some(frames) = &mut self.frames else { return };
        frames.push(bytes);
        loop {
            match frames.next_frame() {
                Ok(None) => return,
                Ok(Some(Frame::KeepAlive)) => {}
                Ok(Some(Frame::Message(message))) => {
                    if self.ids == [0; 2] {
                        self.ids = [message.to, message.from];
                        sink.identify(Side::Dialer, &hex(message.to), &[]);
                        sink.identify(Side::Acceptor, &hex(message.from), &[]);
                    }
                    sink.message(Side::Acceptor, message.json(sink.names));
                }
                Ok(Some(Frame::Unknown)) => {
                    sink.gap(Side::Acceptor, "entries for the log continue a message that was not seen");
                }
                Err(why) => {
                    self.frames = None;
                    self.reading[1] = Reading::Searching(Vec::new());
                    return sink.gap(Side::Acceptor, why.0);
                }
            }
        }
    }

    /// Says that a side cannot be read any more. What begins with something else is no member of the cluster: etcd refuses it as well.
    fn give_up(&mut self, side: Side, why: &str, sink: &mut Sink<'_>) {
        let Reading::Http(reader) = &self.reading[side.index()] else { return };
        match (describe(reader.rest()), self.has_read) {
            ("TLS", false) => {
                sink.gap(side, "the members speak TLS, which a tap cannot read: their messages are not known")
            }
            (_, true) => sink.gap(side, format!("this is no traffic between members of etcd: {why}")),
            (other, false) => {
                sink.note(format!("a connection to a member is none of a member, but {other}: {why}"));
            }
        }
        self.knows_requests &= side == Side::Acceptor;
        self.reading = match (side, self.has_read) {
            (Side::Acceptor, true) => {
                let [requests, _] = std::mem::replace(&mut self.reading, [Reading::Dead, Reading::Dead]);
                [requests, Reading::Searching(Vec::new())]
            }
            (Side::Dialer, true) => {
                let [_, responses] = std::mem::replace(&mut self.reading, [Reading::Dead, Reading::Dead]);
                [Reading::Dead, responses]
            }
            (_, false) => [Reading::Dead, Reading::Dead],
        };
    }

    /// Looks for a chunk that starts where a piece starts, and is a stream of messages. etcd writes a chunk at a time.
    fn search(&mut self, bytes: &[u8], sink: &mut Sink<'_>) {
        let Reading::Searching(kept) = &mut self.reading[1] else { return };
        kept.extend_from_slice(bytes);
        let found = match chunk(kept) {
            Chunk::Whole(payload) => kind_of(payload).map(|kind| (kind, kept.clone())),
            Chunk::Partial if kept.len() < SEARCH_BYTES_MAX => return,
            Chunk::Partial | Chunk::None => None,
        };
        let Some((kind, all)) = found else {
            // It was none: what comes next may be.
            let is_first = kept.len() == bytes.len();
            kept.clear();
            if !is_first {
                self.search(bytes, sink);
            }
            return;
        };
        let mut reader = HttpReader::at_chunk(Sends::Responses);
        reader.push(&all);
        self.reading[1] = Reading::Http(reader);
        self.frames = Some(FrameReader::new(kind));
        self.asked.clear();
        self.responses(sink);
    }
}

/// Returns the address in a URL.
fn address(url: &str) -> &str {
    let rest = url.trim().split_once("://").map_or(url, |(_, rest)| rest);
    rest.split('/').next().unwrap_or(rest)
}

enum Chunk<'a> {
    None,
    Partial,
    /// Its content.
    Whole(&'a [u8]),
}

/// Takes bytes for a chunk of a body.
fn chunk(bytes: &[u8]) -> Chunk<'_> {
    let Some(end) = bytes.iter().take(18).position(|byte| *byte == b'\r') else {
        let is_start = bytes.len() < 9 && bytes.iter().all(u8::is_ascii_hexdigit);
        return if is_start { Chunk::Partial } else { Chunk::None };
    };
    let size = std::str::from_utf8(&bytes[..end]).ok().and_then(|text| usize::from_str_radix(text, 16).ok());
    let Some(size) = size.filter(|size| (1..SEARCH_BYTES_MAX).contains(size)) else { return Chunk::None };
    let (start, end) = (end + 2, end + 2 + size);
    match bytes.get(end..end + 2) {
        None => Chunk::Partial,
        Some(b"\r\n") => Chunk::Whole(&bytes[start..end]),
        Some(_) => Chunk::None,
    }
}

/// Says which stream a chunk is of: one that it consists of whole frames of, with a message whose sender and receiver are known.
fn kind_of(payload: &[u8]) -> Option<StreamKind> {
    let kinds = [StreamKind::Message, StreamKind::MsgApp];
    kinds.into_iter().find(|kind| {
        let mut frames = FrameReader::new(*kind);
        frames.push(payload);
        let mut is_proved = false;
        loop {
            match frames.next_frame() {
                Ok(Some(Frame::Message(message))) => is_proved |= message.from != 0 && message.to != 0,
                Ok(Some(Frame::KeepAlive | Frame::Unknown)) => {}
                Ok(None) => return is_proved && frames.is_between(),
                Err(_) => return false,
            }
        }
    })
}

impl Decoder for PeerDecoder {
    fn take(&mut self, from: Side, bytes: &[u8], sink: &mut Sink<'_>) {
        match &mut self.reading[from.index()] {
            Reading::Dead => {}
            Reading::Searching(_) => self.search(bytes, sink),
            Reading::Http(reader) => {
                reader.push(bytes);
                match from {
                    Side::Dialer => {
                        self.requests(sink);
                        self.responses(sink);
                    }
                    Side::Acceptor => self.responses(sink),
                }
            }
        }
    }

    fn lose(&mut self, from: Side, _: &mut Sink<'_>) {
        self.has_read = true;
        match from {
            Side::Dialer => {
                self.request = None;
                self.knows_requests = false;
                self.reading[0] = Reading::Dead;
            }
            Side::Acceptor => {
                self.frames = None;
                self.reading[1] = Reading::Searching(Vec::new());
            }
        }
    }

    fn end(&mut self, from: Side, sink: &mut Sink<'_>) {
        // The last message of a stream that broke off never arrived as a whole: nobody can act on it. A request is another matter.
        if from == Side::Dialer
            && let Some((Asks::Snapshot | Asks::Post, body)) = &self.request
            && !body.is_empty()
        {
            sink.note("a message between members was cut off by the end of its connection");
        }
    }
}
