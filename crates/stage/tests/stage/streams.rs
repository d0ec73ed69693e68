//! Connections between nodes: held, delivered in order, broken.

use stage::{Held, NodeState, Payload, Stage};

use crate::kit::{guest, node, open, output};

fn echo_pair() -> Stage {
    let server = node("server", &["python3", &guest("echo.py"), "server", "7001"]);
    let client = node("client", &["python3", &guest("echo.py"), "client", "7001"]);
    open(vec![server, client])
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
    stage.held().iter().map(line).collect()
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
    stage.deliver(stage.held()[0].id).unwrap();
    assert_eq!(show(&stage), ["server>client 1: hello 0\\n"]);
    stage.deliver(stage.held()[0].id).unwrap();
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
        stage.deliver(stage.held()[0].id).unwrap();
        stage.deliver(stage.held()[0].id).unwrap();
        stage.tick(client).unwrap();
    }
    assert!(output(&stage, client).ends_with("done\n"));
    assert_eq!(stage.held()[0].payload, Payload::End);
    stage.deliver(stage.held()[0].id).unwrap();
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
    assert!(stage.held().is_empty());
    assert!(matches!(stage.call(server, Some(1), b""), Err(stage::Trouble::System { .. })));
}
