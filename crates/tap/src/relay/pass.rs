//! The threads of a relay: one that accepts, and two for each connection.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::decode::Side;
use crate::hub::ConnectionId;

use super::{CONFIRM_TIME_MAX, CONNECT_TIME_MAX, CONNECTIONS_MAX, Common, PAUSE, Seen};

/// The most bytes that are passed on at a time.
const PIECE_BYTES: usize = 64 << 10;
/// How long is waited between looks whether a node that has closed a connection still listens: a process that ends closes one after the other.
const LOOKS_MS: [u64; 6] = [0, 30, 60, 120, 240, 480];

/// One relay: where it leads, and what it shares with the others.
#[derive(Clone, Debug)]
pub(super) struct Relay {
    pub endpoint: usize,
    pub target: SocketAddr,
    /// Whether the node does not run when it refuses connections.
    pub tells_restarts: bool,
    /// Whether a thread looks if the node still listens.
    pub is_looking: Arc<AtomicBool>,
    pub common: Arc<Common>,
}

impl Relay {
    /// Accepts connections until the relays stop.
    pub fn accept(&self, listener: &TcpListener) {
        while !self.common.is_stopping() {
            match listener.accept() {
                Ok(_) if self.common.is_stopping() => return,
                Ok((dialer, _)) => self.begin(dialer),
                // Such as too many open files: this may pass.
                Err(_) => self.common.pause(PAUSE),
            }
        }
    }

    /// Starts a thread for a connection.
    fn begin(&self, dialer: TcpStream) {
        let n_open = self.common.n_open.fetch_add(1, Ordering::Relaxed);
        let relay = self.clone();
        let started = if n_open < CONNECTIONS_MAX {
            std::thread::Builder::new().spawn(move || {
                relay.connect(dialer);
                relay.common.n_open.fetch_sub(1, Ordering::Relaxed);
            })
        } else {
            Err(io::Error::other(format!("{CONNECTIONS_MAX} are open")))
        };
        if let Err(error) = started {
            self.common.n_open.fetch_sub(1, Ordering::Relaxed);
            self.note(format!("a relay has refused a connection: {error}"));
        }
    }

    /// Connects to the node for somebody, and passes bytes on until both sides have ended. Who connects to a node that does not listen finds the connection closed.
    fn connect(&self, dialer: TcpStream) {
        let acceptor = match TcpStream::connect_timeout(&self.target, CONNECT_TIME_MAX) {
            Ok(acceptor) => Arc::new(acceptor),
            Err(error) => return self.note_failure(&error),
        };
        let dialer = Arc::new(dialer);
        let id = self.common.next_id.fetch_add(1, Ordering::Relaxed);
        for socket in [&dialer, &acceptor] {
            // Without it small messages may wait; nothing else.
            drop(socket.set_nodelay(true));
            self.common.keep(id, socket.clone());
        }
        if !self.common.is_stopping() {
            self.common.record(Seen::Open { id, endpoint: self.endpoint });
            let inward = Passage { from: Side::Dialer, input: dialer.clone(), output: acceptor.clone() };
            let outward = Passage { from: Side::Acceptor, input: acceptor, output: dialer };
            let relay = self.clone();
            match std::thread::Builder::new().spawn(move || relay.pass(id, &inward)) {
                Ok(other) => {
                    self.pass(id, &outward);
                    // A thread that panicked has ended as well.
                    drop(other.join());
                }
                Err(error) => self.note(format!("a relay cannot pass on a connection: {error}")),
            }
            self.common.record(Seen::Close { id });
        }
        self.common.forget(id);
    }

    fn note(&self, why: String) {
        self.common.record(Seen::Note(why));
    }

    /// Records why a connection failed. A node that refused one may listen and have been seen by now, so it is asked once more:
    /// a refusal that is recorded late would stand for the end of a process that has just started.
    fn note_failure(&self, error: &io::Error) {
        let is_refused = |error: &io::Error| error.kind() == ErrorKind::ConnectionRefused;
        if is_refused(error) {
            if !self.tells_restarts {
                return;
            }
            self.common.record_if(|| {
                let refused = TcpStream::connect_timeout(&self.target, CONFIRM_TIME_MAX).err()?;
                is_refused(&refused).then_some(Seen::Refused { endpoint: self.endpoint })
            });
        } else {
            self.note(format!("a relay cannot connect to {}: {error}", self.target));
        }
    }

    /// Passes on what one side sends.
    fn pass(&self, id: ConnectionId, passage: &Passage) {
        let from = passage.from;
        let (mut input, mut output) = (passage.input.as_ref(), passage.output.as_ref());
        let mut piece = vec![0; PIECE_BYTES];
        let mut n_lost = 0;
        let is_broken = loop {
            let n = match input.read(&mut piece) {
                Ok(0) => break false,
                Ok(n) => n,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(_) => break true,
            };
            n_lost = self.record(id, from, &piece[..n], n_lost);
            if output.write_all(&piece[..n]).is_err() {
                break true;
            }
        };
        if n_lost > 0 {
            self.common.record(Seen::Lost { id, from, n_bytes: n_lost });
        }
        self.common.record(Seen::End { id, from });
        // Half of a connection that ended properly leaves the other half; a broken one is broken for both.
        // The other thread may have closed it already.
        if is_broken {
            drop(output.shutdown(Shutdown::Both));
            drop(input.shutdown(Shutdown::Both));
        } else {
            drop(output.shutdown(Shutdown::Write));
        }
        if from == Side::Acceptor {
            self.look();
        }
    }

    /// Records bytes, or counts them as lost; returns how many were lost in a row.
    fn record(&self, id: ConnectionId, from: Side, bytes: &[u8], n_lost: u64) -> u64 {
        let n_lost = if n_lost > 0 && self.common.has_room() {
            self.common.record(Seen::Lost { id, from, n_bytes: n_lost });
            0
        } else {
            n_lost
        };
        if n_lost == 0 && self.common.record_bytes(id, from, bytes) { 0 } else { n_lost + bytes.len() as u64 }
    }

    /// Looks whether the node still listens after it has closed a connection: perhaps its process has ended.
    fn look(&self) {
        if !self.tells_restarts || self.is_looking.swap(true, Ordering::AcqRel) {
            return;
        }
        for pause_ms in LOOKS_MS {
            self.common.pause(Duration::from_millis(pause_ms));
            if self.common.is_stopping() {
                break;
            }
            if let Err(error) = TcpStream::connect_timeout(&self.target, CONNECT_TIME_MAX) {
                self.note_failure(&error);
                break;
            }
        }
        self.is_looking.store(false, Ordering::Release);
    }
}

/// One direction of a connection.
struct Passage {
    from: Side,
    input: Arc<TcpStream>,
    output: Arc<TcpStream>,
}
