//! Relays between sockets.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::time::Duration;

use tap::hub::Hub;
use tap::relay::Relays;
use tap::settings::{Options, Settings, read};

use crate::wire::lines;

const PATIENCE: Duration = Duration::from_millis(20);

fn settings(target: SocketAddr) -> Settings {
    let relay = [format!("127.0.0.1:0={target},node=n1,protocol=json-lines")];
    let mut settings =
        read(&Options { relays: &relay, ..Options::default() }).expect("these settings can be");
    settings.endpoints[0].tells_restarts = true;
    settings
}

/// A relay in front of a listener of the test's own.
struct Fixture {
    relays: Relays,
    hub: Hub,
    node: TcpListener,
    seen: Vec<String>,
}

impl Fixture {
    fn new() -> Fixture {
        let node = TcpListener::bind("127.0.0.1:0").expect("loopback works");
        let settings = settings(node.local_addr().expect("loopback works"));
        let relays = Relays::start(&settings).expect("loopback works");
        Fixture { relays, hub: Hub::new(settings, None), node, seen: Vec::new() }
    }

    /// Connects to the relay; returns both ends.
    fn connect(&self) -> (TcpStream, TcpStream) {
        let dialer = TcpStream::connect(self.relays.addresses()[0]).expect("loopback works");
        let acceptor = self.node.accept().expect("loopback works").0;
        for end in [&dialer, &acceptor] {
            end.set_read_timeout(Some(Duration::from_secs(20))).expect("loopback works");
            end.set_write_timeout(Some(Duration::from_secs(20))).expect("loopback works");
        }
        (dialer, acceptor)
    }

    /// Reads events until one of them is `wanted`.
    fn wait_for(&mut self, wanted: &str) {
        for _ in 0..1000 {
            if self.seen.iter().any(|line| line.contains(wanted)) {
                return;
            }
            self.relays.pump(&mut self.hub, PATIENCE);
            self.seen.extend(lines(&self.hub.drain()));
        }
        panic!("`{wanted}` does not come: {:?}", self.seen);
    }
}

fn receive(end: &mut TcpStream, n: usize) -> String {
    let mut bytes = vec![0; n];
    end.read_exact(&mut bytes).expect("loopback works");
    String::from_utf8(bytes).expect("it is text")
}

fn rest(end: &mut TcpStream) -> String {
    let mut text = String::new();
    // A reset is an end, too.
    let _ = end.read_to_string(&mut text);
    text
}

#[test]
fn bytes_pass_and_what_a_node_has_was_recorded_before() {
    let mut fixture = Fixture::new();
    let (mut dialer, mut acceptor) = fixture.connect();
    dialer.write_all(b"{\"type\":\"ask\"}\n").expect("loopback works");
    assert_eq!(receive(&mut acceptor, 15), "{\"type\":\"ask\"}\n");
    // It is recorded already: nothing has to be waited for.
    fixture.relays.pump(&mut fixture.hub, Duration::ZERO);
    assert_eq!(lines(&fixture.hub.drain()), ["n1 in ? ask"]);
    acceptor.write_all(b"{\"type\":\"answer\"}\n").expect("loopback works");
    assert_eq!(receive(&mut dialer, 18), "{\"type\":\"answer\"}\n");
    fixture.relays.pump(&mut fixture.hub, Duration::ZERO);
    assert_eq!(lines(&fixture.hub.drain()), ["n1 out ? answer"]);
}

#[test]
fn half_of_a_connection_outlives_the_other() {
    let mut fixture = Fixture::new();
    let (mut dialer, mut acceptor) = fixture.connect();
    dialer.write_all(b"{\"type\":\"ask\"}\n").expect("loopback works");
    dialer.shutdown(Shutdown::Write).expect("loopback works");
    assert_eq!(rest(&mut acceptor), "{\"type\":\"ask\"}\n");
    acceptor.write_all(b"{\"type\":\"late\"}\n").expect("loopback works");
    drop(acceptor);
    assert_eq!(rest(&mut dialer), "{\"type\":\"late\"}\n");
    fixture.wait_for("n1 out ? late");
}

#[test]
fn a_reset_reaches_the_other_side_as_an_end() {
    let mut fixture = Fixture::new();
    let (dialer, mut acceptor) = fixture.connect();
    // What is closed with unread bytes is reset.
    acceptor.write_all(&[b'x'; 100]).expect("loopback works");
    fixture.relays.pump(&mut fixture.hub, PATIENCE);
    drop(dialer);
    assert_eq!(rest(&mut acceptor), "");
}

#[test]
fn who_reads_slowly_gets_everything() {
    let mut fixture = Fixture::new();
    let (mut dialer, mut acceptor) = fixture.connect();
    let line = format!("{{\"type\":\"{}\"}}\n", "x".repeat(1000));
    let text = line.repeat(8000);
    let sent = text.clone();
    let writer = std::thread::spawn(move || {
        acceptor.write_all(sent.as_bytes()).expect("loopback works");
    });
    // Nothing is read before the writer has filled everything between.
    fixture.wait_for("n1 out");
    assert_eq!(rest(&mut dialer).len(), text.len());
    writer.join().expect("loopback works");
}

#[test]
fn a_node_that_is_not_there_yet_is_found_when_it_is() {
    let node = TcpListener::bind("127.0.0.1:0").expect("loopback works");
    let address = node.local_addr().expect("loopback works");
    drop(node);
    let settings = settings(address);
    let mut fixture = Fixture {
        relays: Relays::start(&settings).expect("loopback works"),
        hub: Hub::new(settings, None),
        node: TcpListener::bind("127.0.0.1:0").expect("loopback works"),
        seen: Vec::new(),
    };
    let mut early = TcpStream::connect(fixture.relays.addresses()[0]).expect("loopback works");
    assert_eq!(rest(&mut early), "");
    // The port is free again, unless something else has taken it in between.
    let Ok(node) = TcpListener::bind(address) else { return };
    fixture.node = node;
    let (mut dialer, mut acceptor) = fixture.connect();
    dialer.write_all(b"{\"type\":\"ask\"}\n").expect("loopback works");
    assert_eq!(receive(&mut acceptor, 15).len(), 15);
    fixture.wait_for("n1 in ? ask");
    // It ends, and refuses connections: when it is there again it was started again.
    fixture.node = TcpListener::bind("127.0.0.1:0").expect("loopback works");
    drop(acceptor);
    assert_eq!(rest(&mut dialer), "");
    let mut late = TcpStream::connect(fixture.relays.addresses()[0]).expect("loopback works");
    assert_eq!(rest(&mut late), "");
    let Ok(node) = TcpListener::bind(address) else { return };
    fixture.node = node;
    let _ends = fixture.connect();
    fixture.wait_for("n1 restart");
}

#[test]
fn stopping_closes_everything() {
    let mut fixture = Fixture::new();
    let (mut dialer, mut acceptor) = fixture.connect();
    let address = fixture.relays.addresses()[0];
    dialer.write_all(b"x").expect("loopback works");
    assert_eq!(receive(&mut acceptor, 1), "x");
    fixture.relays.stop();
    assert_eq!(rest(&mut dialer), "");
    assert_eq!(rest(&mut acceptor), "");
    assert!(TcpStream::connect(address).is_err());
}
