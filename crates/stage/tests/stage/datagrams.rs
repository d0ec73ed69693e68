//! Datagrams between nodes: delivered in any order, twice, or never.

use stage::{MessageId, NodeId, Stage, Trouble};

use crate::kit::{guest, node, open, output};

fn pair() -> (Stage, NodeId, NodeId) {
    let mut stage = open(vec![
        node("one", &["python3", &guest("peers.py"), "7021"]),
        node("two", &["python3", &guest("peers.py"), "7022", "7021"]),
    ]);
    let (one, two) = (stage.node_named("one").unwrap(), stage.node_named("two").unwrap());
    stage.start(one).unwrap();
    stage.start(two).unwrap();
    (stage, one, two)
}

fn numbers(stage: &Stage) -> Vec<u64> {
    stage.held_messages().iter().map(|held| held.id.number).collect()
}

/// The test tries all six orders of three datagrams.
#[test]
fn any_order_can_be_had() {
    for order in [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]] {
        let (mut stage, one, two) = pair();
        assert_eq!(numbers(&stage), [1, 2, 3]);
        for number in order {
            stage.deliver(MessageId { from: two, to: one, number }).unwrap();
        }
        let expected: String =
            order.iter().map(|number| format!("ping {} from 7022\n", number - 1)).collect();
        assert_eq!(output(&stage, one), expected);
        // The answers are held in the order in which they were sent.
        let answers: Vec<String> =
            stage.held_messages().iter().map(|held| held.payload.to_string()).collect();
        assert_eq!(answers, order.map(|number| format!("pong {}", number - 1)));
    }
}

#[test]
fn a_datagram_can_come_twice_or_never() {
    let (mut stage, one, two) = pair();
    let id = |number| MessageId { from: two, to: one, number };
    stage.duplicate(id(2)).unwrap();
    stage.deliver(id(2)).unwrap();
    stage.drop(id(1)).unwrap();
    assert_eq!(output(&stage, one), "ping 1 from 7022\nping 1 from 7022\n");
    assert!(matches!(stage.deliver(id(1)), Err(Trouble::NoSuchMessage)));
    assert!(matches!(stage.duplicate(id(2)), Err(Trouble::NoSuchMessage)));
}

#[test]
fn a_cut_loses_what_is_on_its_way() {
    let (mut stage, one, two) = pair();
    assert_eq!(stage.cut(one, two).unwrap().len(), 3);
    assert_eq!(numbers(&stage), [0; 0]);
    stage.crash(two).unwrap();
    stage.start(two).unwrap();
    assert_eq!(numbers(&stage), [0; 0], "what is sent across a cut is lost");
    stage.heal(one, two).unwrap();
    stage.crash(two).unwrap();
    stage.start(two).unwrap();
    assert_eq!(numbers(&stage), [7, 8, 9]);
}

#[test]
fn a_datagram_to_a_node_that_is_down_goes_nowhere() {
    let (mut stage, one, two) = pair();
    stage.crash(one).unwrap();
    stage.deliver(MessageId { from: two, to: one, number: 1 }).unwrap();
    stage.start(one).unwrap();
    stage.deliver(MessageId { from: two, to: one, number: 3 }).unwrap();
    assert_eq!(output(&stage, one), "ping 2 from 7022\n");
}

const CONNECTED: &str = "
import select, socket, time
sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
sock.connect(('127.0.0.1', 7021))
epoll = select.epoll()
epoll.register(sock, select.EPOLLIN | select.EPOLLET)
while True:
    time.sleep(1)
    sock.send(b'ping')
    for _ in epoll.poll(10):
        try:
            print(sock.recv(16), flush=True)
        except OSError as error:
            print(error.strerror, flush=True)
";

/// A connected socket is told as the kernel would tell it; one that is not connected is told nothing.
#[test]
fn a_sender_is_told_when_nobody_takes_its_datagram() {
    let mut stage = open(vec![
        node("one", &["python3", &guest("peers.py"), "7021"]),
        node("two", &["python3", "-u", "-c", CONNECTED]),
    ]);
    let (one, two) = (stage.node_named("one").unwrap(), stage.node_named("two").unwrap());
    stage.start(two).unwrap();
    stage.tick(two).unwrap();
    assert_eq!(output(&stage, two), "Connection refused\n", "the address is nobody's");
    stage.start(one).unwrap();
    stage.tick(two).unwrap();
    stage.crash(one).unwrap();
    assert_eq!(output(&stage, two), "Connection refused\n", "what is on its way is refused when it arrives");
    stage.deliver(MessageId { from: two, to: one, number: 1 }).unwrap();
    assert_eq!(output(&stage, two), "Connection refused\nConnection refused\n");
    stage.start(one).unwrap();
    stage.tick(two).unwrap();
    stage.cut(one, two).unwrap();
    stage.tick(two).unwrap();
    stage.heal(one, two).unwrap();
    assert_eq!(output(&stage, two), "Connection refused\nConnection refused\n", "a cut is silent");
    stage.tick(two).unwrap();
    stage.deliver(MessageId { from: two, to: one, number: 3 }).unwrap();
    assert_eq!(output(&stage, one).lines().count(), 1, "the socket is still connected");
}
