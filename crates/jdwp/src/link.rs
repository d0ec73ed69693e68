//! Ways to reach a machine.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// A way to reach a machine. Both functions wait for a bounded time only.
pub trait Link {
    /// Sends all bytes.
    fn send(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Waits for bytes; none if the machine has closed the connection, and an error (`TimedOut`) if it sends nothing.
    fn receive(&mut self) -> io::Result<Vec<u8>>;
}

/// A socket that nobody else reads.
pub struct SocketLink {
    socket: TcpStream,
}

impl SocketLink {
    /// Takes a connected socket. No wait will be longer than `limit`, which must not be zero.
    pub fn new(socket: TcpStream, limit: Duration) -> io::Result<SocketLink> {
        socket.set_nodelay(true)?;
        socket.set_read_timeout(Some(limit))?;
        socket.set_write_timeout(Some(limit))?;
        Ok(SocketLink { socket })
    }
}

impl Link for SocketLink {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.socket.write_all(bytes)
    }

    fn receive(&mut self) -> io::Result<Vec<u8>> {
        let mut buffer = [0; 4096];
        loop {
            match self.socket.read(&mut buffer) {
                Ok(n) => return Ok(buffer[..n].to_vec()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    return Err(io::ErrorKind::TimedOut.into());
                }
                Err(error) => return Err(error),
            }
        }
    }
}
