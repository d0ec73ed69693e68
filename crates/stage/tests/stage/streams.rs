//! Connections between nodes: held, delivered in order, broken.

use stage::{
    Framing, Held, Length, MessageId, NodeSpec, NodeState, Payload, Preamble, Rule, Settings, Stage, Trouble,
};

use crate::kit::{guest, node, open, output, settings};

fn echo_pair() -> Stage {
    open(echo_nodes())
}

fn echo_nodes() -> Vec<NodeSpec> {
    let server = node("server", &["python3", &guest("echo.py"), "server", "7001"]);
    let client = node("client", &["python3", &guest("echo.py"), "client", "7001"]);
    vec![server, client]
}

fn show(stage: &Stage) -> Vec<String> {
    let line = |held: &Held| {
        format!(
            "{}>{} {}: {}",
            stage.name(held.id.from),
            stage.name(held.id.to),
            held.id.number,
            held.payload
        )
    };
    stage.held_messages().iter().map(line).collect()
}

#[test]
fn a_message_arrives_when_it_is_delivered_and_not_before() {
    let mut stage = echo_pair();
    let (server, client) = (stage.node_named("server").unwrap(), stage.node_named("client").unwrap());
    stage.start(server).unwrap();
    assert_eq!(output(&stage, server), "listening ('127.0.0.1', 7001)\n");
    stage.start(client).unwrap();
    assert_eq!(output(&stage, client), "connected ('127.0.0.1', 40500) ('127.0.0.1', 7001)\n");
    assert_eq!(
        output(&stage, server),
        "listening ('127.0.0.1', 7001)\naccepted ('127.0.0.1', 40500) True ('127.0.0.1', 7001)\n"
    );
    assert_eq!(show(&stage), ["client>server 1: hello 0\\n"]);
    stage.deliver(stage.held_messages()[0].id).unwrap();
    assert_eq!(show(&stage), ["server>client 1: hello 0\\n"]);
    stage.deliver(stage.held_messages()[0].id).unwrap();
    assert!(output(&stage, client).ends_with("back b'hello 0\\n'\n"));
    assert_eq!(show(&stage), [""; 0]);
    stage.tick(client).unwrap();
    assert_eq!(show(&stage), ["client>server 2: hello 1\\n"]);
    let lost = stage.cut(server, client).unwrap();
    assert_eq!(lost.len(), 1);
    assert_eq!(stage.state(client), NodeState::Ended(stage::Exit::Code(1)));
    assert!(
        output(&stage, client).ends_with("failed Connection reset by peer\n"),
        "{}",
        output(&stage, client)
    );
    assert!(output(&stage, server).ends_with("failed Connection reset by peer\nclosed\n"));
}

#[test]
fn a_thread_that_takes_turns_is_connected_as_any_other() {
    let mut nodes = echo_nodes();
    nodes.iter_mut().for_each(|node| node.takes_turns = true);
    let mut stage = open(nodes);
    let (server, client) = (stage.node_named("server").unwrap(), stage.node_named("client").unwrap());
    stage.start(client).unwrap();
    assert_eq!(output(&stage, client), "failed Connection refused\n");
    stage.start(server).unwrap();
    stage.start(client).unwrap();
    let said = output(&stage, client);
    assert!(said.contains("connected (") && said.ends_with(" ('127.0.0.1', 7001)\n"), "{said}");
    assert_eq!(show(&stage), ["client>server 1: hello 0\\n"]);
}

#[test]
fn nobody_listens_so_the_connection_is_refused() {
    let mut stage = echo_pair();
    let client = stage.node_named("client").unwrap();
    stage.start(client).unwrap();
    assert_eq!(output(&stage, client), "failed Connection refused\n");
}

#[test]
fn a_whole_conversation_ends_with_the_end_of_the_stream() {
    let mut stage = echo_pair();
    let (server, client) = (stage.node_named("server").unwrap(), stage.node_named("client").unwrap());
    stage.start(server).unwrap();
    stage.start(client).unwrap();
    for _ in 0..3 {
        stage.deliver(stage.held_messages()[0].id).unwrap();
        stage.deliver(stage.held_messages()[0].id).unwrap();
        stage.tick(client).unwrap();
    }
    assert!(output(&stage, client).ends_with("done\n"));
    assert_eq!(stage.held_messages()[0].payload, Payload::End);
    stage.deliver(stage.held_messages()[0].id).unwrap();
    assert!(output(&stage, server).ends_with("closed\n"), "{}", output(&stage, server));
}

#[test]
fn a_program_that_cannot_be_entered_is_refused_before_it_runs() {
    let mut stage = open(vec![node("n1", &["no-such-program"])]);
    let n1 = stage.node_named("n1").unwrap();
    let trouble = stage.start(n1).unwrap_err();
    assert_eq!(trouble.to_string(), "`n1` cannot be entered: there is no program `no-such-program`");
    assert_eq!(stage.state(n1), NodeState::NotStarted);
}

#[test]
fn a_client_from_outside_is_answered_at_once() {
    let mut stage = echo_pair();
    let server = stage.node_named("server").unwrap();
    stage.start(server).unwrap();
    assert_eq!(stage.call(server, Some(7001), b"over and back").unwrap(), b"over and back");
    assert_eq!(stage.call(server, None, b"again").unwrap(), b"again");
    let expected = "listening ('127.0.0.1', 7001)\n\
        accepted ('127.0.0.1', 40000) True ('127.0.0.1', 7001)\ngot b'over and back'\nclosed\n\
        accepted ('127.0.0.1', 40001) True ('127.0.0.1', 7001)\ngot b'again'\nclosed\n";
    assert_eq!(output(&stage, server), expected);
    assert!(stage.held_messages().is_empty());
    assert!(matches!(stage.call(server, Some(1), b""), Err(stage::Trouble::System { .. })));
}

const SENDER: &str = "
import socket, time
conn = socket.create_connection(('127.0.0.1', 17351))
conn.sendall(b'one\\ntwo\\nthree\\n')
time.sleep(60)
conn.close()
time.sleep(60)
";

const RECEIVER: &str = "
import socket
listener = socket.create_server(('127.0.0.1', 17351))
conn, _ = listener.accept()
while data := conn.recv(100):
    print(data.decode(), end='', flush=True)
print('end', flush=True)
";

const LINES: Framing = Framing { rule: Rule::Line, preamble: Preamble::None, reply_preamble: Preamble::None };

/// Opens a stage on which three lines are held between one node and another.
fn three_lines(unsafe_stream: bool) -> (Stage, [MessageId; 3]) {
    let settings = Settings { framing: vec![(17351, LINES)], unsafe_stream, ..settings() };
    let nodes =
        vec![node("receiver", &["python3", "-c", RECEIVER]), node("sender", &["python3", "-c", SENDER])];
    let mut stage = Stage::open(settings, nodes).unwrap();
    for id in stage.nodes().collect::<Vec<_>>() {
        stage.start(id).unwrap();
    }
    let ids: Vec<MessageId> = stage.held_messages().iter().map(|held| held.id).collect();
    (stage, ids.try_into().unwrap())
}

#[test]
fn a_connection_keeps_its_order_and_loses_nothing() {
    let (mut stage, [first, second, _]) = three_lines(false);
    assert!(matches!(stage.deliver(second), Err(Trouble::OnStream { number: 2, .. })));
    assert!(matches!(stage.drop(first), Err(Trouble::OnStream { .. })));
    assert!(matches!(stage.duplicate(first), Err(Trouble::OnStream { .. })));
    stage.deliver(first).unwrap();
    assert_eq!(output(&stage, stage.node_named("receiver").unwrap()), "one\n");
}

#[test]
fn an_unsafe_stream_loses_repeats_and_reorders() {
    let (mut stage, [first, second, third]) = three_lines(true);
    stage.duplicate(second).unwrap();
    stage.deliver(third).unwrap();
    stage.drop(first).unwrap();
    stage.deliver(second).unwrap();
    let (sender, receiver) = (stage.node_named("sender").unwrap(), stage.node_named("receiver").unwrap());
    assert_eq!(output(&stage, receiver), "two\nthree\ntwo\n");
    stage.tick(sender).unwrap();
    let end = stage.held_messages()[0].id;
    assert!(matches!(stage.drop(end), Err(Trouble::EndOfStream)));
    assert!(matches!(stage.duplicate(end), Err(Trouble::EndOfStream)));
    stage.deliver(end).unwrap();
    assert!(output(&stage, receiver).ends_with("end\n"));
}

/// A node that dies makes another one end that is before it in the list; the order of the endings is still known.
#[test]
fn who_ended_first_is_known() {
    let dialer = "import socket, sys\nconn = socket.create_connection(('127.0.0.1', 17351))\n\
                  try: conn.recv(1)\nfinally: sys.exit(1)\n";
    let listener = "import os, socket, time\nlistener = socket.create_server(('127.0.0.1', 17351))\n\
                    conn, _ = listener.accept()\ntime.sleep(1)\nos._exit(3)\n";
    let mut stage = open(vec![
        node("dialer", &["python3", "-c", dialer]),
        node("listener", &["python3", "-c", listener]),
    ]);
    let (dialer, listener) = (stage.node_named("dialer").unwrap(), stage.node_named("listener").unwrap());
    stage.start(listener).unwrap();
    stage.start(dialer).unwrap();
    assert_eq!(stage.ended_nodes(), []);
    stage.tick(listener).unwrap();
    assert_eq!(stage.ended_nodes(), [(1, listener), (2, dialer)]);
}

/// One process accepts a socket and another reads from it, as in servers with workers.
#[test]
fn a_client_is_served_by_another_process() {
    let script = "import os, socket\nlistener = socket.create_server(('127.0.0.1', 17353))\n\
        ours, theirs = socket.socketpair()\n\
        if os.fork() == 0:\n    _, fds, _, _ = socket.recv_fds(theirs, 1, 1)\n    \
            conn = socket.socket(fileno=fds[0])\n    conn.sendall(b'got ' + conn.recv(9))\n    conn.close()\n    \
            os._exit(0)\n\
        conn, _ = listener.accept()\nsocket.send_fds(ours, [b'x'], [conn.fileno()])\nconn.close()\nos.wait()\n";
    let mut stage = open(vec![node("server", &["python3", "-c", script])]);
    let server = stage.node_named("server").unwrap();
    stage.start(server).unwrap();
    assert_eq!(stage.call(server, None, b"hello").unwrap(), b"got hello");
}

/// Lets a node send parts a second apart, framed by this rule; returns what is held after each.
fn send_slowly(parts: &[&str], framing: Framing) -> (Stage, Vec<Vec<Held>>) {
    let script = format!(
        "import socket, time\nconn = socket.create_connection(('127.0.0.1', 17351))\n\
         for part in {parts:?}:\n    conn.sendall(part.encode('latin1'))\n    time.sleep(1)\n\
         conn.close()\ntime.sleep(60)\n"
    );
    let settings = Settings { framing: vec![(17351, framing)], ..settings() };
    let nodes =
        vec![node("receiver", &["python3", "-c", RECEIVER]), node("sender", &["python3", "-c", &script])];
    let mut stage = Stage::open(settings, nodes).unwrap();
    let (receiver, sender) = (stage.node_named("receiver").unwrap(), stage.node_named("sender").unwrap());
    stage.start(receiver).unwrap();
    stage.start(sender).unwrap();
    let mut held = vec![stage.held_messages()];
    for _ in parts {
        stage.tick(sender).unwrap();
        held.push(stage.held_messages());
    }
    (stage, held)
}

fn number_messages(held: &[Held]) -> Vec<(u64, String)> {
    held.iter().map(|held| (held.id.number, held.payload.to_string())).collect()
}

fn one(number: u64, text: &str) -> (u64, String) {
    (number, text.to_owned())
}

#[test]
fn a_part_of_a_message_is_shown_and_not_delivered_until_it_is_whole() {
    let (mut stage, held) = send_slowly(&["on", "e\nt", "wo\nthr"], LINES);
    assert_eq!(number_messages(&held[0]), [one(0, "on (a part: 2 bytes, not known of how many)")]);
    assert_eq!(
        number_messages(&held[1]),
        [one(0, "t (a part: 1 bytes, not known of how many)"), one(1, "one\\n")]
    );
    assert!(matches!(stage.deliver(held[0][0].id), Err(Trouble::NoSuchMessage)));
    // A message that never becomes whole is delivered as it is, and then the end.
    assert_eq!(
        number_messages(&held[3]),
        [one(1, "one\\n"), one(2, "two\\n"), one(3, "thr"), one(4, "end of the connection")]
    );
    assert_eq!(held[3][2].payload, Payload::Rest(b"thr".to_vec()));
    for message in &held[3] {
        stage.deliver(message.id).unwrap();
    }
    assert_eq!(output(&stage, stage.node_named("receiver").unwrap()), "one\ntwo\nthrend\n");
}

#[test]
fn a_length_that_is_more_than_what_is_there_is_told() {
    let rule = Rule::Length(Length { width: 2, ..Length::default() });
    let framing = Framing { rule, preamble: Preamble::Bytes(5), reply_preamble: Preamble::None };
    let (mut stage, held) = send_slowly(&["hel", "lo\0\tabcd", "efghiGE"], framing);
    assert_eq!(number_messages(&held[0]), [one(0, "hel (a part: 3 of 5 bytes)")]);
    assert_eq!(number_messages(&held[1]), [one(0, "\\x00\\tabcd (a part: 6 of 11 bytes)"), one(1, "hello")]);
    let whole = [one(1, "hello"), one(2, "\\x00\\tabcdefghi")];
    assert_eq!(number_messages(&held[2]), [&[one(0, "GE (a part: 2 of 18247 bytes)")][..], &whole].concat());
    // The incomplete message is lost with the rest, and reported.
    let (receiver, sender) = (stage.node_named("receiver").unwrap(), stage.node_named("sender").unwrap());
    let lost = stage.cut(receiver, sender).unwrap();
    assert_eq!(lost.len(), 4);
}

/// The port is taken by another program on this machine and by another node; only the node counts.
#[test]
fn a_port_is_taken_where_a_node_has_it() {
    let outside = std::net::TcpListener::bind("127.0.0.1:17352");
    let bind = "import socket, time\n\
        try:\n    server = socket.create_server(('127.0.0.1', 17352)); print('bound', flush=True)\n\
        except OSError as error:\n    print(error.strerror, flush=True)\ntime.sleep(60)\n";
    let mut stage =
        open(vec![node("one", &["python3", "-c", bind]), node("other", &["python3", "-c", bind])]);
    for id in stage.nodes().collect::<Vec<_>>() {
        stage.start(id).unwrap();
    }
    let outputs: Vec<String> = stage.nodes().map(|id| output(&stage, id)).collect();
    assert!(outside.is_ok());
    assert_eq!(outputs[0], "bound\n");
    assert!(outputs[1].starts_with("Address already in use"), "{}", outputs[1]);
}

/// The node goes on writing to a connection that has broken, and never reads from it.
#[test]
fn a_node_that_ignores_a_closed_connection_is_told_and_nothing_else_happens() {
    let stubborn = "import socket, time\n\
        conn = socket.create_connection(('127.0.0.1', 17351))\n\
        while True:\n    try:\n        conn.send(b'x\\n')\n\
        \x20   except OSError as error:\n        print(error.strerror, flush=True)\n    time.sleep(1)\n";
    let mut stage = open(vec![
        node("receiver", &["python3", "-c", RECEIVER]),
        node("stubborn", &["python3", "-c", stubborn]),
    ]);
    let (receiver, stubborn) = (stage.node_named("receiver").unwrap(), stage.node_named("stubborn").unwrap());
    stage.start(receiver).unwrap();
    stage.start(stubborn).unwrap();
    stage.crash(receiver).unwrap();
    for _ in 0..20 {
        stage.tick(stubborn).unwrap();
    }
    assert_eq!(stage.state(stubborn), NodeState::Running);
    assert_eq!(stage.held_messages(), []);
    let complaints = output(&stage, stubborn);
    assert_eq!(complaints.lines().next(), Some("Connection reset by peer"));
    assert_eq!(complaints.lines().filter(|line| *line == "Broken pipe").count(), 19);
}

/// The test opens more sockets than the board has links, one after the other, and one that stays.
#[test]
fn links_of_sockets_that_were_closed_are_used_again() {
    let many = "import socket\n\
        stays = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); stays.bind(('127.0.0.1', 17353))\n\
        for _ in range(4200):\n    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n    s.bind(('127.0.0.1', 0)); s.close()\n\
        s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.bind(('127.0.0.1', 0))\n\
        s.sendto(b'still there', ('127.0.0.1', 17353))\n\
        print(stays.recv(100).decode(), flush=True)\n";
    let mut stage = open(vec![node("n1", &["python3", "-c", many])]);
    let n1 = stage.node_named("n1").unwrap();
    stage.start(n1).unwrap();
    assert_eq!(output(&stage, n1), "still there\n", "{:?}", stage.errors(n1));
}

/// A child process listens and ends, then another one listens in its place. Closing a duplicate of the socket frees
/// nothing.
#[test]
fn an_address_is_free_when_the_last_process_that_had_it_is_gone() {
    let master = "import os, socket\n\
        for turn in range(3):\n    pid = os.fork()\n    if pid == 0:\n\
        \x20       server = socket.create_server(('127.0.0.1', 17354))\n\
        \x20       copy = server.dup(); server.close()\n\
        \x20       client = socket.create_connection(('127.0.0.1', 17354))\n\
        \x20       copy.accept(); print('turn', turn, flush=True); os._exit(0)\n\
        \x20   os.waitpid(pid, 0)\n";
    let mut stage = open(vec![node("n1", &["python3", "-c", master])]);
    let n1 = stage.node_named("n1").unwrap();
    stage.start(n1).unwrap();
    assert_eq!(output(&stage, n1), "turn 0\nturn 1\nturn 2\n", "{:?}", stage.errors(n1));
}
