//! Taps from the command line: what is refused, captures, relays that are stopped.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

use crate::sandbox::Sandbox;

/// Ends the process, whatever comes of the test.
pub struct Running(pub Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Asks a process to end, as a supervisor does.
pub fn terminate(child: &Child) {
    let ended =
        Command::new("kill").arg("-TERM").arg(child.id().to_string()).status().expect("there is a kill");
    assert!(ended.success());
}

/// Starts a tap; returns it with its errors, and the address of its first relay.
fn start(sandbox: &Sandbox, line: &str) -> (Running, impl BufRead + use<>, String) {
    let mut command = sandbox.command(line);
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    let mut errors = BufReader::new(child.stderr.take().expect("it was asked for"));
    let running = Running(child);
    let mut line = String::new();
    errors.read_line(&mut line).expect("it says where it listens");
    let address =
        line.trim().strip_prefix("tap: listening on ").unwrap_or_else(|| panic!("{line}")).to_owned();
    (running, errors, address)
}

#[test]
fn settings_that_cannot_be_are_refused() {
    let sandbox = Sandbox::new().file("tap.toml", "[[endpoint]]\ntarget = \"127.0.0.1:2380\"\n");
    sandbox.run("tap").check("tap-nothing");
    sandbox.run("tap --relay 127.0.0.1:1=127.0.0.1:2,protocol=raft").check("tap-protocol");
    sandbox.run("tap --pcap x.pcap").check("tap-no-endpoint");
    sandbox.run("tap --tap tap.toml").check("tap-no-protocol");
    sandbox.run("tap --pcap x.pcap --endpoint 127.0.0.1:2380,protocol=etcd-peer").check("tap-no-capture");
    let into = "tap --pcap x.pcap --endpoint 127.0.0.1:2380,protocol=etcd-peer --into tap.toml";
    sandbox.run(into).says(255, &["tap.toml"]);
}

#[test]
fn a_file_that_is_no_capture_is_refused() {
    let sandbox = Sandbox::new().file("x.pcap", "{\"event\":\"in\"}\n{\"event\":\"in\"}\n");
    sandbox.run("tap --pcap x.pcap --endpoint 127.0.0.1:2380,protocol=etcd-peer").check("tap-other-file");
}

#[test]
fn a_relay_shows_what_passes_and_ends_when_it_is_asked_to() {
    let node = TcpListener::bind("127.0.0.1:0").expect("there is a port");
    let target = node.local_addr().expect("it has one");
    let sandbox = Sandbox::new();
    let line = format!("tap --relay 127.0.0.1:0={target},node=n1,peer=n2,protocol=json-lines --into out");
    let (mut tap, mut errors, address) = start(&sandbox, &line);
    let mut dialer = TcpStream::connect(address).expect("the relay listens");
    let mut acceptor = node.accept().expect("the relay connects").0;
    let asked = b"{\"ask\":1}\nno json\n";
    dialer.write_all(asked).expect("it can be sent");
    // Whatever is answered before that may be recorded before it.
    acceptor.read_exact(&mut vec![0; asked.len()]).expect("it comes");
    acceptor.write_all(b"{\"answer\":1}\n").expect("it can be sent");
    let mut answer = [0; 13];
    dialer.read_exact(&mut answer).expect("it comes");
    terminate(&tap.0);
    assert_eq!(tap.0.wait().expect("it ends").code(), Some(0));
    let mut told = String::new();
    errors.read_to_string(&mut told).expect("it is text");
    assert!(told.contains("tap: `n1`: 1 in, 1 out, restarts: 0, gaps: 1"), "{told}");
    let events = sandbox.read("out/n2.ndjson");
    let lines: Vec<&str> = events.lines().collect();
    assert_eq!(lines[0], r#"{"event":"out","node":"n2","to":"n1","connection":"n1#1","message":{"ask":1}}"#);
    assert!(
        lines[1].contains(r#""event":"gap","node":"n2""#) && lines[1].contains("a message cannot be read")
    );
    assert!(lines[2].starts_with(r#"{"event":"in","node":"n2","from":"n1""#), "{events}");
}

#[test]
fn a_monitor_watches_a_process_through_a_relay() {
    let node = TcpListener::bind("127.0.0.1:0").expect("there is a port");
    let target = node.local_addr().expect("it has one");
    let sandbox = crate::monitor::ping(crate::monitor::MAPPING);
    let line = "monitor Ping.tla --map map.toml --node a --record seen.ndjson";
    let (mut monitor, _errors, address) =
        start(&sandbox, &format!("{line} --relay 127.0.0.1:0={target},peer=b,protocol=json-lines"));
    let mut dialer = TcpStream::connect(address).expect("the relay listens");
    let mut acceptor = node.accept().expect("the relay connects").0;
    let ask = b"{\"type\":\"ask\",\"n\":1,\"from\":\"b\",\"to\":\"a\"}\n";
    dialer.write_all(ask).expect("it can be sent");
    acceptor.read_exact(&mut vec![0; ask.len()]).expect("it comes");
    let wrong = b"{\"type\":\"answer\",\"n\":1,\"from\":\"a\",\"to\":\"b\",\"count\":2}\n";
    acceptor.write_all(wrong).expect("it can be sent");
    dialer.read_exact(&mut [0; 40]).expect("it comes");
    let mut told = String::new();
    let mut output = BufReader::new(monitor.0.stdout.take().expect("it was asked for"));
    output.read_line(&mut told).expect("it is text");
    assert!(told.contains("alarm[SL0887]: `a` cannot have sent the message of line 2 to `b`"), "{told}");
    terminate(&monitor.0);
    assert_eq!(monitor.0.wait().expect("it ends").code(), Some(32));
    sandbox
        .run("monitor Ping.tla --map map.toml --node a --input seen.ndjson")
        .says(32, &["the message of line 2"]);
    sandbox.run(&format!("{line} --input x --pcap y")).says(1, &["cannot be used with"]);
}
