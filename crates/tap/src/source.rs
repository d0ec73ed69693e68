//! The events of a tap as lines, for whoever reads lines.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::capture::Capture;
use crate::event::TapEvent;
use crate::hub::Hub;
use crate::relay::Relays;

/// How long nothing may happen until it is looked whether somebody wants an end.
const PATIENCE: Duration = Duration::from_millis(100);

/// Where bytes come from.
pub enum Origin {
    Relays(Relays),
    Capture(Box<Capture>),
}

/// The events of a tap, one after the other.
pub struct Source<'a> {
    hub: Hub,
    origin: Option<Origin>,
    events: VecDeque<TapEvent>,
    interrupted: &'a AtomicBool,
}

impl<'a> Source<'a> {
    /// Ends when `interrupted` is set, or with the capture.
    pub fn new(hub: Hub, origin: Origin, interrupted: &'a AtomicBool) -> Source<'a> {
        Source { hub, origin: Some(origin), events: VecDeque::new(), interrupted }
    }

    /// Returns the addresses on which relays listen.
    pub fn addresses(&self) -> Vec<SocketAddr> {
        match &self.origin {
            Some(Origin::Relays(relays)) => relays.addresses(),
            Some(Origin::Capture(_)) | None => Vec::new(),
        }
    }

    /// Whether the next event has to be waited for.
    pub fn is_idle(&self) -> bool {
        self.events.is_empty()
    }

    /// Returns the next event; `None` at the end.
    pub fn next_event(&mut self) -> io::Result<Option<TapEvent>> {
        loop {
            if let Some(event) = self.events.pop_front() {
                return Ok(Some(event));
            }
            if self.interrupted.load(Ordering::Relaxed) {
                // The connections end here; what was recorded of them is still reported.
                if let Some(Origin::Relays(mut relays)) = self.origin.take() {
                    relays.stop();
                    relays.hand_rest(&mut self.hub);
                    self.events.extend(self.hub.drain());
                    continue;
                }
            }
            let goes_on = match &mut self.origin {
                None => return Ok(None),
                Some(Origin::Relays(relays)) => relays.pump(&mut self.hub, PATIENCE),
                Some(Origin::Capture(capture)) => capture.read(&mut self.hub)?,
            };
            if !goes_on {
                self.origin = None;
            }
            self.events.extend(self.hub.drain());
        }
    }
}

/// Events as lines of JSON. Notes are no lines: they go to whoever wants them.
pub struct Lines<'a, F> {
    source: Source<'a>,
    note: F,
    line: Vec<u8>,
    start: usize,
}

impl<'a, F: FnMut(&str)> Lines<'a, F> {
    pub fn new(source: Source<'a>, note: F) -> Lines<'a, F> {
        Lines { source, note, line: Vec::new(), start: 0 }
    }
}

impl<F: FnMut(&str)> Read for Lines<'_, F> {
    fn read(&mut self, space: &mut [u8]) -> io::Result<usize> {
        let n = self.fill_buf()?.read(space)?;
        self.consume(n);
        Ok(n)
    }
}

impl<F: FnMut(&str)> BufRead for Lines<'_, F> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.start >= self.line.len() {
            self.start = 0;
            self.line.clear();
            match self.source.next_event()? {
                None => break,
                Some(TapEvent::Note { why }) => (self.note)(&why),
                Some(event) => {
                    self.line.extend_from_slice(event.line().as_bytes());
                    self.line.push(b'\n');
                }
            }
        }
        Ok(&self.line[self.start..])
    }

    fn consume(&mut self, n: usize) {
        self.start += n;
    }
}
