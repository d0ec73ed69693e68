//! Relays: each listens in front of a port of a node, and passes bytes on in both directions.
//!
//! Guaranteed order: bytes for the node are recorded before they are passed on to it, so they stand before everything that the node does because of them. Bytes of the
//! node are recorded when they were read from it, before they are passed on, so they stand before everything that others do because of them. Between bytes of different
//! connections nothing else is said: what the node wrote to two of them may be recorded in another order.
//!
//! A relay never waits for whoever reads the record: past a limit it drops what it would have recorded, and says so.

mod pass;

use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::decode::Side;
use crate::hub::{ConnectionId, Hub};
use crate::settings::Settings;

/// The most bytes that wait to be read from the record.
const QUEUED_BYTES_MAX: usize = 256 << 20;
/// How long a connection to a node may take.
const CONNECT_TIME_MAX: Duration = Duration::from_secs(5);
/// How long all relays wait for the answer to whether a node still refuses connections.
const CONFIRM_TIME_MAX: Duration = Duration::from_millis(100);
/// The most connections at a time.
const CONNECTIONS_MAX: usize = 4096;
/// How long is waited after a connection could not be accepted.
const PAUSE: Duration = Duration::from_millis(30);

/// Something that a relay has seen.
#[derive(Debug)]
pub(crate) enum Seen {
    Open { id: ConnectionId, endpoint: usize },
    Bytes { id: ConnectionId, from: Side, bytes: Vec<u8> },
    Lost { id: ConnectionId, from: Side, n_bytes: u64 },
    End { id: ConnectionId, from: Side },
    Close { id: ConnectionId },
    Refused { endpoint: usize },
    Note(String),
}

/// State that all threads of the relays share.
#[derive(Debug)]
struct Common {
    sender: Mutex<Sender<Seen>>,
    queued_bytes: AtomicUsize,
    next_id: AtomicU64,
    n_open: AtomicUsize,
    /// The sockets that are open, to be closed when the relays stop.
    sockets: Mutex<Vec<(ConnectionId, Arc<TcpStream>)>>,
    is_stopping: AtomicBool,
    stopping: (Mutex<()>, Condvar),
}

impl Common {
    fn record(&self, seen: Seen) {
        self.record_if(|| Some(seen));
    }

    /// Records what is seen while nothing else can be recorded: it is still true when it is recorded.
    fn record_if(&self, look: impl FnOnce() -> Option<Seen>) {
        let sender = self.sender.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(seen) = look() {
            // Nobody reads any more when the relays stop.
            let _ = sender.send(seen);
        }
    }

    /// Records bytes; returns whether there was room.
    fn record_bytes(&self, id: ConnectionId, from: Side, bytes: &[u8]) -> bool {
        let queued = self.queued_bytes.load(Ordering::Relaxed);
        if queued > QUEUED_BYTES_MAX {
            return false;
        }
        self.queued_bytes.fetch_add(bytes.len(), Ordering::Relaxed);
        self.record(Seen::Bytes { id, from, bytes: bytes.to_vec() });
        true
    }

    /// Whether so little waits that recording can go on.
    fn has_room(&self) -> bool {
        self.queued_bytes.load(Ordering::Relaxed) < QUEUED_BYTES_MAX / 2
    }

    fn is_stopping(&self) -> bool {
        self.is_stopping.load(Ordering::Acquire)
    }

    /// Waits a little, or until the relays stop.
    fn pause(&self, time: Duration) {
        let (lock, stopping) = &self.stopping;
        let guard = lock.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.is_stopping() {
            // Whether it was the time or the end makes no difference here.
            drop(stopping.wait_timeout(guard, time));
        }
    }

    fn keep(&self, id: ConnectionId, socket: Arc<TcpStream>) {
        self.sockets.lock().unwrap_or_else(PoisonError::into_inner).push((id, socket));
    }

    fn forget(&self, id: ConnectionId) {
        self.sockets.lock().unwrap_or_else(PoisonError::into_inner).retain(|(kept, _)| *kept != id);
    }
}

/// Relays that run.
pub struct Relays {
    common: Arc<Common>,
    seen: Receiver<Seen>,
    acceptors: Vec<(SocketAddr, JoinHandle<()>)>,
}

impl Relays {
    /// Starts a relay in front of each endpoint that asks for one. All listen when this returns.
    pub fn start(settings: &Settings) -> io::Result<Relays> {
        let (sender, seen) = channel();
        let common = Arc::new(Common {
            sender: Mutex::new(sender),
            queued_bytes: AtomicUsize::new(0),
            next_id: AtomicU64::new(1),
            n_open: AtomicUsize::new(0),
            sockets: Mutex::default(),
            is_stopping: AtomicBool::new(false),
            stopping: (Mutex::default(), Condvar::new()),
        });
        let mut listeners = Vec::new();
        for (endpoint, of) in settings.endpoints.iter().enumerate() {
            let Some(listen) = of.listen else { continue };
            let named = |error: io::Error| {
                io::Error::new(error.kind(), format!("cannot listen on {listen}: {error}"))
            };
            let listener = TcpListener::bind(listen).map_err(named)?;
            listeners.push((endpoint, of, listener));
        }
        let mut acceptors = Vec::new();
        for (endpoint, of, listener) in listeners {
            let address = listener.local_addr()?;
            let relay = pass::Relay {
                endpoint,
                target: of.target,
                tells_restarts: of.tells_restarts,
                is_looking: Arc::default(),
                common: common.clone(),
            };
            acceptors.push((address, std::thread::spawn(move || relay.accept(&listener))));
        }
        Ok(Relays { common, seen, acceptors })
    }

    /// Returns the addresses on which the relays listen.
    pub fn addresses(&self) -> Vec<SocketAddr> {
        self.acceptors.iter().map(|(address, _)| *address).collect()
    }

    /// Hands what was seen to a hub: waits for something up to the given time, and takes all that is there then. Returns false when nothing can come any more.
    pub fn pump(&self, hub: &mut Hub, patience: Duration) -> bool {
        let mut next = match self.seen.recv_timeout(patience) {
            Ok(seen) => Some(seen),
            Err(RecvTimeoutError::Timeout) => return true,
            Err(RecvTimeoutError::Disconnected) => return false,
        };
        // Bounded, so that events are read while more comes.
        for _ in 0..1000 {
            let Some(seen) = next.take() else { break };
            self.hand(hub, seen);
            next = self.seen.try_recv().ok();
        }
        if let Some(seen) = next {
            self.hand(hub, seen);
        }
        true
    }

    fn hand(&self, hub: &mut Hub, seen: Seen) {
        match seen {
            Seen::Open { id, endpoint } => hub.open(id, endpoint, true),
            Seen::Bytes { id, from, bytes } => {
                self.common.queued_bytes.fetch_sub(bytes.len(), Ordering::Relaxed);
                hub.bytes(id, from, &bytes);
            }
            Seen::Lost { id, from, n_bytes } => {
                hub.lose(
                    id,
                    from,
                    &format!("{n_bytes} bytes were not recorded, because reading the record takes too long"),
                );
            }
            Seen::End { id, from } => hub.end(id, from),
            Seen::Close { id } => hub.close(id),
            Seen::Refused { endpoint } => hub.refuse(endpoint),
            Seen::Note(why) => hub.note(why),
        }
    }

    /// Hands to a hub what was seen and not handed over yet.
    pub fn hand_rest(&self, hub: &mut Hub) {
        while let Ok(seen) = self.seen.try_recv() {
            self.hand(hub, seen);
        }
    }

    /// Stops: nothing is accepted any more, and open connections are closed.
    pub fn stop(&mut self) {
        self.common.is_stopping.store(true, Ordering::Release);
        self.common.stopping.1.notify_all();
        for (address, acceptor) in self.acceptors.drain(..) {
            // One connection more, so that the thread wakes up. If this fails, it does not wait for one.
            drop(TcpStream::connect_timeout(&address, CONNECT_TIME_MAX));
            // A thread that panicked has ended as well.
            drop(acceptor.join());
        }
        for (_, socket) in self.common.sockets.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            // It may be closed already.
            drop(socket.shutdown(std::net::Shutdown::Both));
        }
    }
}

impl Drop for Relays {
    fn drop(&mut self) {
        self.stop();
    }
}
