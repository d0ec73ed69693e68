//! The cost of a tap: `cargo bench -p tap`.
//!
//! Messages of a leader of etcd are decoded and written as lines, on one core; then lines go back and forth over loopback, with and without a relay between.
#![expect(clippy::print_stdout, reason = "the figures are for people")]

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use base::{Clock, SystemClock};
use tap::decode::Side;
use tap::hub::Hub;
use tap::relay::Relays;
use tap::settings::{Options, read};

const N_MESSAGES: u64 = 500_000;
const N_ROUNDS: usize = 20_000;

fn hub(endpoint: &str, only: Option<&str>) -> Hub {
    let settings =
        read(&Options { endpoints: &[endpoint.to_owned()], ..Options::default() }).expect("it is one");
    Hub::new(settings, only.map(str::to_owned))
}

fn varint(mut value: u64, bytes: &mut Vec<u8>) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// Writes fields that are numbers, and one of bytes.
fn protobuf(numbers: &[(u64, u64)], bytes: Option<(u64, &[u8])>) -> Vec<u8> {
    let mut message = Vec::new();
    for (number, value) in numbers {
        varint(number << 3, &mut message);
        varint(*value, &mut message);
    }
    if let Some((number, content)) = bytes {
        varint(number << 3 | 2, &mut message);
        varint(content.len() as u64, &mut message);
        message.extend(content);
    }
    message
}

fn chunk(bytes: &[u8]) -> Vec<u8> {
    [format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n"].concat()
}

/// The stream of a leader for a log: an entry of 100 bytes in each frame.
fn stream() -> Vec<u8> {
    let (leader, follower) = (0x8e9e_05c5_2164_694d, 0x9137_2b2e_7fd9_1c4a);
    let sized = |bytes: &[u8]| [&(bytes.len() as u64).to_be_bytes()[..], bytes].concat();
    let whole = protobuf(&[(1, 3), (2, follower), (3, leader), (4, 2), (5, 2), (6, 1)], None);
    let mut all = chunk(&[&[2][..], &sized(&whole)].concat());
    for index in 2..2 + N_MESSAGES {
        let entry = protobuf(&[(1, 0), (2, 2), (3, index)], Some((4, &[7; 100])));
        let frame = [&[1][..], &1_u64.to_be_bytes(), &sized(&entry), &index.to_be_bytes()].concat();
        all.extend(chunk(&frame));
    }
    all
}

fn decode() {
    let stream = stream();
    let mut hub = hub("127.0.0.1:1,node=n1,protocol=etcd-peer", Some("n1"));
    hub.open(1, 0, true);
    let ask = "GET /raft/stream/msgapp/91372b2e7fd91c4a HTTP/1.1\r\nX-Server-From: 91372b2e7fd91c4a\r\nX-Raft-To: 8e9e05c52164694d\r\n\r\n";
    hub.bytes(1, Side::Dialer, ask.as_bytes());
    hub.bytes(1, Side::Acceptor, b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    let clock = SystemClock::start();
    let (mut n_events, mut n_bytes) = (0, 0);
    for piece in stream.chunks(16 << 10) {
        hub.bytes(1, Side::Acceptor, piece);
        for event in hub.drain() {
            n_events += 1;
            n_bytes += event.line().len();
        }
    }
    let seconds = clock.elapsed().as_secs_f64();
    println!(
        "{n_events} messages decoded and written ({n_bytes} bytes) in {seconds:.2} s: {:.0} a second",
        f64::from(n_events) / seconds
    );
}

/// Sends a line and waits for it to come back, again and again; returns the times in order of length.
fn rounds(address: std::net::SocketAddr) -> std::io::Result<Vec<Duration>> {
    let mut connection = TcpStream::connect(address)?;
    connection.set_nodelay(true)?;
    let mut answers = BufReader::new(connection.try_clone()?);
    let (line, mut answer) = (format!("\"{}\"\n", "x".repeat(100)), String::new());
    let mut times = Vec::new();
    for _ in 0..N_ROUNDS {
        let clock = SystemClock::start();
        connection.write_all(line.as_bytes())?;
        answer.clear();
        answers.read_line(&mut answer)?;
        times.push(clock.elapsed());
    }
    times.sort();
    Ok(times)
}

fn echo(listener: &TcpListener) {
    for connection in listener.incoming().take(2).flatten() {
        let Ok(mut back) = connection.try_clone() else { return };
        let mut lines = BufReader::new(connection);
        let mut line = String::new();
        while lines.read_line(&mut line).is_ok_and(|n| n > 0) {
            if back.write_all(line.as_bytes()).is_err() {
                break;
            }
            line.clear();
        }
    }
}

fn relay() -> std::io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let target = listener.local_addr()?;
    let server = std::thread::spawn(move || echo(&listener));
    let direct = rounds(target)?;
    let option = [format!("127.0.0.1:0={target},node=n1,protocol=json-lines")];
    let settings = read(&Options { relays: &option, ..Options::default() }).expect("it is one");
    let mut relays = Relays::start(&settings)?;
    let relayed = rounds(relays.addresses()[0])?;
    relays.stop();
    drop(server);
    for (name, times) in [("direct", direct), ("through a relay", relayed)] {
        println!("{name}: p50 {:?}, p99 {:?}", times[times.len() / 2], times[times.len() * 99 / 100]);
    }
    Ok(())
}

fn main() -> std::io::Result<()> {
    decode();
    relay()
}
