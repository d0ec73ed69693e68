//! Attempts to connect: every way to ask for a connection, and every outcome.

use stage::{NodeId, NodeSpec, Outcome, Settings, Stage};

use crate::kit::{guest, node, output, settings};

const WAYS: [&str; 5] = ["waiting", "limited", "epoll", "poll", "select"];

/// Opens a stage on which connections wait to be decided, with a node that listens and one that dials.
fn open(way: &str) -> (Stage, NodeId, NodeId) {
    let server = node("server", &["python3", &guest("echo.py"), "server", "7011"]);
    let dialer: NodeSpec = node("dialer", &["python3", &guest("dial.py"), way, "7011"]);
    let settings = Settings { connects: false, ..settings() };
    let mut stage = Stage::open(settings, vec![server, dialer]).expect("a stage can be opened");
    let (server, dialer) = (stage.node_named("server").unwrap(), stage.node_named("dialer").unwrap());
    stage.start(server).unwrap();
    stage.start(dialer).unwrap();
    (stage, server, dialer)
}

/// Returns what the dialler prints after the attempt was decided, without the lines about how it waited.
fn after(way: &str, outcome: Outcome) -> String {
    let (mut stage, _, dialer) = open(way);
    let begun = if WAYS[2..].contains(&way) { "begun EINPROGRESS\n" } else { "" };
    assert_eq!(output(&stage, dialer), begun, "{way}");
    stage.decide(dialer, 7011, outcome).unwrap();
    output(&stage, dialer).split_off(begun.len())
}

#[test]
fn an_attempt_is_accepted() {
    for way in WAYS {
        assert_eq!(after(way, Outcome::Accepted), "connected to ('127.0.0.1', 7011)\n", "{way}");
    }
}

#[test]
fn an_attempt_is_refused() {
    for way in WAYS {
        assert_eq!(after(way, Outcome::Refused), "failed ECONNREFUSED\n", "{way}");
    }
}

#[test]
fn an_attempt_times_out() {
    for way in WAYS {
        assert_eq!(after(way, Outcome::TimedOut), "timed out ETIMEDOUT\n", "{way}");
    }
}

#[test]
fn an_attempt_finds_no_way() {
    for way in WAYS {
        assert_eq!(after(way, Outcome::Unreachable), "failed EHOSTUNREACH\n", "{way}");
    }
}

#[test]
fn while_nothing_is_decided_time_passes() {
    for way in &WAYS[2..] {
        let (mut stage, _, dialer) = open(way);
        stage.tick(dialer).unwrap();
        stage.tick(dialer).unwrap();
        assert_eq!(output(&stage, dialer), "begun EINPROGRESS\nstill waiting\nstill waiting\n", "{way}");
        stage.decide(dialer, 7011, Outcome::Accepted).unwrap();
        assert!(output(&stage, dialer).ends_with("connected to ('127.0.0.1', 7011)\n"), "{way}");
    }
    let (mut stage, _, dialer) = open("limited");
    stage.tick(dialer).unwrap();
    assert_eq!(output(&stage, dialer), "timed out here\n");
}

#[test]
fn a_connection_is_reset_or_ends_when_the_other_node_goes() {
    for way in WAYS {
        let (mut stage, server, dialer) = open(way);
        stage.decide(dialer, 7011, Outcome::Accepted).unwrap();
        stage.crash(server).unwrap();
        assert!(output(&stage, dialer).ends_with("failed ECONNRESET\n"), "{way}: {}", output(&stage, dialer));
    }
}

#[test]
fn a_cut_hides_whether_anybody_listens() {
    let server = node("server", &["python3", &guest("echo.py"), "server", "7011"]);
    let dialer = node("dialer", &["python3", &guest("dial.py"), "poll", "7011"]);
    let mut stage = crate::kit::open(vec![server, dialer]);
    let (server, dialer) = (stage.node_named("server").unwrap(), stage.node_named("dialer").unwrap());
    stage.start(server).unwrap();
    stage.cut(server, dialer).unwrap();
    stage.crash(server).unwrap();
    stage.start(dialer).unwrap();
    assert_eq!(output(&stage, dialer), "begun EINPROGRESS\n");
    stage.heal(server, dialer).unwrap();
    assert_eq!(output(&stage, dialer), "begun EINPROGRESS\nfailed ECONNREFUSED\n");
}

#[test]
fn the_first_send_on_a_connection_that_breaks_fails_and_the_next_connection_is_whole() {
    let server = node("server", &["python3", &guest("echo.py"), "server", "7011"]);
    let speaker = node("speaker", &["python3", &guest("speak.py"), "7011"]);
    let mut stage = crate::kit::open(vec![server, speaker]);
    let (server, speaker) = (stage.node_named("server").unwrap(), stage.node_named("speaker").unwrap());
    stage.start(server).unwrap();
    stage.break_next(server, speaker);
    stage.start(speaker).unwrap();
    let broken = "connected True\nfirst ECONNRESET\nsecond EPIPE\nreceived b''\n";
    let whole = "connected True\nfirst 3\nsecond 3\nreceived EAGAIN\n";
    assert_eq!(output(&stage, speaker), format!("{broken}{whole}"));
    // The server learned nothing of the first connection.
    assert_eq!(output(&stage, server).matches("accepted").count(), 1);
    let held: Vec<String> = stage.held_messages().iter().map(|held| held.payload.to_string()).collect();
    assert_eq!(held, ["onetwo"]);
}

#[test]
fn a_connection_that_is_to_break_is_reset_by_a_cut_or_a_crash_before_anything_is_sent() {
    for (way, is_cut) in WAYS.iter().flat_map(|way| [(way, true), (way, false)]) {
        let server = node("server", &["python3", &guest("echo.py"), "server", "7011"]);
        let dialer = node("dialer", &["python3", &guest("dial.py"), way, "7011"]);
        let mut stage = crate::kit::open(vec![server, dialer]);
        let (server, dialer) = (stage.node_named("server").unwrap(), stage.node_named("dialer").unwrap());
        stage.start(server).unwrap();
        stage.break_next(server, dialer);
        stage.start(dialer).unwrap();
        let told = output(&stage, dialer);
        assert!(told.ends_with("connected to ('127.0.0.1', 7011)\n"), "{way}: {told}");
        let lost = if is_cut { stage.cut(server, dialer) } else { stage.crash(server) };
        lost.unwrap();
        let told = output(&stage, dialer);
        assert!(told.ends_with("failed ECONNRESET\n"), "{way}, cut {is_cut}: {told}");
        assert!(!output(&stage, server).contains("accepted"), "{way}");
    }
}

#[test]
fn nobody_is_there_to_break_a_connection() {
    let server = node("server", &["python3", &guest("echo.py"), "server", "7011"]);
    let speaker = node("speaker", &["python3", &guest("speak.py"), "7011"]);
    let mut stage = crate::kit::open(vec![server, speaker]);
    let (server, speaker) = (stage.node_named("server").unwrap(), stage.node_named("speaker").unwrap());
    stage.break_next(server, speaker);
    stage.start(speaker).unwrap();
    assert!(output(&stage, speaker).starts_with("connected False\n"), "{}", output(&stage, speaker));
}
