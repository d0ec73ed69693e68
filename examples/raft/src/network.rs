//! Sockets and the threads that wait for them. What arrives goes to one channel; what is sent goes to a
//! thread for each peer, which drops it if nobody answers there: the protocol sends again.
//!
//! Everything is a line. A connection of a peer starts with `peer NAME`, any other is a client's.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::message::{Frame, NodeId};
use crate::store::Answer;

const CONNECT_TIMEOUT: Duration = Duration::from_millis(500);
const WRITE_TIMEOUT: Duration = Duration::from_secs(2);

/// An input from outside.
pub enum Input {
    /// `connection` counts those that were accepted: an older one of the same peer is out of date.
    Frame {
        from: NodeId,
        connection: u64,
        frame: Frame,
    },
    Client {
        line: String,
        answer: Answer,
    },
}

/// Accepts connections for as long as the process lives.
pub fn listen(address: &str, inputs: Sender<Input>) -> Result<()> {
    let listener = TcpListener::bind(address).with_context(|| format!("cannot listen at `{address}`"))?;
    thread::spawn(move || {
        for (connection, stream) in (0..).zip(listener.incoming().flatten()) {
            let inputs = inputs.clone();
            // A connection that breaks has ended: there is nobody to tell.
            thread::spawn(move || drop(serve(stream, connection, &inputs)));
        }
    });
    Ok(())
}

fn serve(stream: TcpStream, connection: u64, inputs: &Sender<Input>) -> Result<()> {
    stream.set_nodelay(true)?;
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let Some(first) = lines.next().transpose()? else { return Ok(()) };
    let Some(from) = first.strip_prefix("peer ") else {
        return serve_client(stream, std::iter::once(Ok(first)).chain(lines), inputs);
    };
    for line in lines {
        let frame = serde_json::from_str(&line?)?;
        inputs.send(Input::Frame { from: from.to_owned(), connection, frame })?;
    }
    Ok(())
}

/// One line after the other: a client that has asked waits for its answer.
fn serve_client(
    mut stream: TcpStream,
    lines: impl Iterator<Item = std::io::Result<String>>,
    inputs: &Sender<Input>,
) -> Result<()> {
    for line in lines {
        let (answer, answers) = channel();
        inputs.send(Input::Client { line: line?, answer })?;
        let text = answers.recv()?;
        stream.write_all(format!("{text}\n").as_bytes())?;
    }
    Ok(())
}

/// A thread that sends to one peer; frames that are given to it go out in order or not at all.
pub fn peer(own: &str, address: &str) -> Sender<Frame> {
    let (sender, frames) = channel();
    let (hello, address) = (format!("peer {own}\n"), address.to_owned());
    thread::spawn(move || send_all(&hello, &address, &frames));
    sender
}

fn send_all(hello: &str, address: &str, frames: &Receiver<Frame>) {
    let mut open: Option<TcpStream> = None;
    for frame in frames {
        let stream = open.take().map_or_else(|| connect(hello, address), Ok);
        // A frame that does not get through is lost, and its connection with it.
        open = stream.and_then(|stream| send(stream, &frame)).ok();
    }
}

fn connect(hello: &str, address: &str) -> Result<TcpStream> {
    let address = address.to_socket_addrs()?.next().context("no such host")?;
    let mut stream = TcpStream::connect_timeout(&address, CONNECT_TIMEOUT)?;
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(WRITE_TIMEOUT))?;
    stream.write_all(hello.as_bytes())?;
    Ok(stream)
}

fn send(mut stream: TcpStream, frame: &Frame) -> Result<TcpStream> {
    let mut line = serde_json::to_vec(frame)?;
    line.push(b'\n');
    stream.write_all(&line)?;
    Ok(stream)
}
