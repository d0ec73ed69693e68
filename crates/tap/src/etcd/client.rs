//! The traffic between clients and a server of etcd, where a tap can read it: JSON over HTTP/1.1. gRPC and TLS are told, and not read.

use std::collections::VecDeque;

use serde_json::{Value, json};

use crate::decode::{Decoder, Side, Sink, describe};
use crate::http::{Head, HttpReader, Part, Sends};

/// The longest body that is read.
const BODY_BYTES_MAX: usize = 16 << 20;
/// The longest body of a request that is repeated in its response.
const REPEATED_BYTES_MAX: usize = 4 << 10;

/// A request or a response that is being read.
#[derive(Debug)]
struct Open {
    id: u64,
    path: String,
    method: String,
    status: u16,
    body: Vec<u8>,
    is_too_long: bool,
    /// Of a response: the body of its request, if that was complete before it and is short.
    request: Option<Value>,
}

/// A request without an answer.
#[derive(Debug)]
struct Asked {
    id: u64,
    method: String,
    path: String,
    body: Option<Value>,
}

/// Decodes a connection of a client.
#[derive(Debug)]
pub struct ClientDecoder {
    readers: [HttpReader; 2],
    open: [Option<Open>; 2],
    asked: VecDeque<Asked>,
    n_requests: u64,
    is_dead: bool,
}

impl Default for ClientDecoder {
    fn default() -> ClientDecoder {
        ClientDecoder {
            readers: [HttpReader::new(Sends::Requests), HttpReader::new(Sends::Responses)],
            open: [None, None],
            asked: VecDeque::new(),
            n_requests: 0,
            is_dead: false,
        }
    }
}

impl ClientDecoder {
    fn read(&mut self, from: Side, sink: &mut Sink<'_>) {
        while !self.is_dead {
            let reader = &self.readers[from.index()];
            // In a capture a response can come before the end of its request.
            if from == Side::Acceptor
                && self.asked.is_empty()
                && reader.is_before_head()
                && reader.rest().len() < BODY_BYTES_MAX
            {
                return;
            }
            let is_bodyless =
                from == Side::Acceptor && self.asked.front().is_some_and(|asked| asked.method == "HEAD");
            match self.readers[from.index()].next(is_bodyless) {
                Ok(None) => return,
                Ok(Some(Part::Head(head))) => self.head(from, head),
                Ok(Some(Part::Body(bytes))) => {
                    if let Some(open) = &mut self.open[from.index()] {
                        open.is_too_long |= open.body.len() + bytes.len() > BODY_BYTES_MAX;
                        if !open.is_too_long {
                            open.body.extend_from_slice(&bytes);
                        }
                        open.tell_lines(from, sink);
                    }
                }
                Ok(Some(Part::End)) => {
                    if let Some(open) = self.open[from.index()].take() {
                        self.note_body(from, &open);
                        open.tell(from, sink);
                    }
                }
                Err(why) => {
                    self.is_dead = true;
                    let what = describe(self.readers[from.index()].rest());
                    sink.note(format!(
                        "a client speaks {what}, which is not read ({why}): its requests can come at any time, and \
                         what it is answered is not judged"
                    ));
                }
            }
        }
    }

    fn head(&mut self, from: Side, head: Head) {
        let open = |asked: Asked| Open {
            id: asked.id,
            path: asked.path,
            method: asked.method,
            status: head.status,
            body: Vec::new(),
            is_too_long: false,
            request: asked.body,
        };
        self.open[from.index()] = match from {
            Side::Dialer => {
                self.n_requests += 1;
                let id = self.n_requests;
                let asked = || Asked { id, method: head.method.clone(), path: head.path.clone(), body: None };
                self.asked.push_back(asked());
                Some(open(asked()))
            }
            // Before the response itself there may be some that only say that it comes.
            Side::Acceptor if head.status < 200 => None,
            Side::Acceptor => self.asked.pop_front().map(open),
        };
    }

    /// Keeps the body of a request until it is answered.
    fn note_body(&mut self, from: Side, open: &Open) {
        if from == Side::Dialer
            && open.body.len() <= REPEATED_BYTES_MAX
            && let Some(asked) = self.asked.iter_mut().find(|asked| asked.id == open.id)
        {
            asked.body = object(&open.body);
        }
    }
}

/// Reads an object of JSON. An empty body counts as one without members.
fn object(body: &[u8]) -> Option<Value> {
    match body {
        [] => Some(json!({})),
        body => serde_json::from_slice(body).ok().filter(Value::is_object),
    }
}

impl Open {
    /// A watch is answered by a line for each change, as long as it lasts.
    fn tell_lines(&mut self, from: Side, sink: &mut Sink<'_>) {
        let is_stream = matches!(self.path.as_str(), "/v3/watch" | "/v3beta/watch" | "/v3/lease/keepalive");
        while is_stream
            && from == Side::Acceptor
            && let Some(end) = self.body.iter().position(|byte| *byte == b'\n')
        {
            let line: Vec<u8> = self.body.drain(..=end).collect();
            sink.message(from, self.json(sink.connection(), from, &line));
        }
    }

    fn json(&self, client: String, from: Side, body: &[u8]) -> Value {
        let text = String::from_utf8_lossy;
        let mut message = match from {
            Side::Dialer => json!({ "type": "request", "method": self.method }),
            Side::Acceptor => json!({ "type": "response", "status": self.status }),
        };
        (message["id"], message["client"], message["path"]) =
            (self.id.into(), client.into(), self.path.as_str().into());
        match object(body) {
            Some(body) => message["body"] = body,
            // What is no object has another name, so that `body` always has members.
            None => message["text"] = text(body).into(),
        }
        if let Some(request) = &self.request {
            message["request"] = request.clone();
        }
        message
    }

    fn tell(&self, from: Side, sink: &mut Sink<'_>) {
        if self.is_too_long {
            let why = format!("a body of more than {BODY_BYTES_MAX} bytes ({}) is not read", self.path);
            return sink.gap(from, why);
        }
        sink.message(from, self.json(sink.connection(), from, &self.body));
    }
}

impl Decoder for ClientDecoder {
    fn take(&mut self, from: Side, bytes: &[u8], sink: &mut Sink<'_>) {
        if !self.is_dead {
            self.readers[from.index()].push(bytes);
            self.read(from, sink);
            if from == Side::Dialer {
                self.read(Side::Acceptor, sink);
            }
        }
    }

    fn lose(&mut self, _: Side, _: &mut Sink<'_>) {
        self.is_dead = true;
    }

    fn end(&mut self, from: Side, sink: &mut Sink<'_>) {
        // A body without a length ends with the connection.
        if self.readers[from.index()].may_end()
            && let Some(open) = self.open[from.index()].take()
        {
            open.tell(from, sink);
        }
    }
}
