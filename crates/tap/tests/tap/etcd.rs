//! Members of etcd.

use tap::decode::Side;
use tap::event::TapEvent;

use crate::wire::{
    Conversation, STREAM_HEAD, append_frames, ask_for_stream, chunk, converse, etcd_conversation, field, hub,
    json, lines, message, numbers, sized,
};

const MEMBERS: [&str; 2] =
    ["127.0.0.1:1,node=n1,protocol=etcd-peer", "127.0.0.1:2,node=n2,protocol=etcd-peer"];

fn read(conversation: &Conversation, piece: usize) -> Vec<TapEvent> {
    let mut hub = hub(&MEMBERS);
    converse(&mut hub, (1, 0), conversation, piece);
    hub.close(1);
    hub.drain()
}

#[test]
fn messages_are_those_of_both_members_whatever_the_pieces() {
    for piece in 1..200 {
        let events = read(&etcd_conversation(), piece);
        let all = [
            "n1 out n2 MsgHeartbeat",
            "n2 in n1 MsgHeartbeat",
            "n1 out n2 MsgAppResp",
            "n2 in n1 MsgAppResp",
        ];
        assert_eq!(lines(&events), all, "{piece}");
    }
}

#[test]
fn ids_in_messages_are_names_when_these_are_known() {
    let events = read(&etcd_conversation(), 1000);
    assert_eq!(
        json(&events[1].line()),
        json(
            r#"{"event":"in","node":"n2","from":"n1","connection":"n1#1","message":{"type":"MsgHeartbeat","to":"n2","from":"n1","term":2,"logTerm":0,"index":0,"entries":[],"commit":3,"reject":false,"rejectHint":0,"context":""}}"#
        )
    );
}

fn append_conversation(frames: &[u8]) -> Conversation {
    vec![
        (Side::Dialer, ask_for_stream("msgapp", 2, 1, "http://127.0.0.1:2")),
        (Side::Acceptor, STREAM_HEAD.to_vec()),
        (Side::Acceptor, chunk(frames)),
    ]
}

#[test]
fn frames_that_continue_others_are_whole_messages() {
    let events = read(&append_conversation(&append_frames(2, 1)), 7);
    let TapEvent::In { message, .. } = &events[3] else { panic!("{events:?}") };
    assert_eq!(events.len(), 4);
    assert_eq!(
        *message,
        json(
            r#"{"type":"MsgApp","to":"n2","from":"n1","term":2,"logTerm":2,"index":4,"entries":[{"term":2,"index":5,"type":"EntryNormal","data":"Yg=="}],"commit":4,"reject":false,"rejectHint":0,"context":""}"#
        )
    );
}

#[test]
fn a_frame_that_continues_nothing_is_a_gap() {
    let frames = append_frames(2, 1);
    let (whole, rest) = frames.split_at(frames.len() - 8 - 9 - 8 - 9);
    assert!(!whole.is_empty());
    let start = rest.iter().position(|byte| *byte == 1).unwrap();
    let events = read(&append_conversation(&rest[start..]), 1000);
    let told = lines(&events);
    assert!(told.iter().all(|line| line.contains("gap")) && !told.is_empty(), "{told:?}");
}

#[test]
fn requests_bring_messages_and_snapshots() {
    let single = message(3, 1, 2, &[]);
    let metadata = [field(1, &numbers(&[(1, 1), (1, 2)])), numbers(&[(2, 9), (3, 2)])].concat();
    let snapshot = message(7, 1, 2, &field(9, &[field(1, b"tree"), field(2, &metadata)].concat()));
    let body = [sized(&snapshot), b"database".to_vec()].concat();
    let head = |path: &str, n: usize| {
        format!("POST {path} HTTP/1.1\r\nContent-Length: {n}\r\nX-Server-From: 2\r\nX-Raft-To: 1\r\n\r\n")
            .into_bytes()
    };
    let conversation = vec![
        (Side::Dialer, [head("/raft", single.len()), single].concat()),
        (Side::Acceptor, b"HTTP/1.1 204 No Content\r\n\r\n".to_vec()),
        (Side::Dialer, [head("/raft/snapshot", body.len()), body].concat()),
        (Side::Acceptor, b"HTTP/1.1 204 No Content\r\n\r\n".to_vec()),
        (Side::Dialer, b"GET /members HTTP/1.1\r\n\r\n".to_vec()),
        (Side::Acceptor, b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]".to_vec()),
    ];
    for piece in [1, 5, 10_000] {
        let events = read(&conversation, piece);
        let told = lines(&events);
        assert!(told[0].contains("`2` is none of the nodes that have a name"), "{told:?}");
        assert_eq!(told[1..], ["n1 in 2 MsgApp", "n1 in 2 MsgSnap"], "{piece}");
        let TapEvent::In { message, .. } = &events[2] else { panic!("{events:?}") };
        let snapshot = r#"{"index":9,"term":2,"voters":["n1","2"],"learners":[],"bytes":4}"#;
        assert_eq!(message["snapshot"], json(snapshot));
    }
}

#[test]
fn a_stream_is_found_again_after_a_loss() {
    let mut hub = hub(&MEMBERS);
    let conversation = etcd_conversation();
    converse(&mut hub, (1, 0), &conversation[..3].to_vec(), 1000);
    hub.lose(1, Side::Acceptor, "100 bytes were lost");
    let (side, rest) = &conversation[3];
    hub.bytes(1, *side, b"the end of a chunk\r\n");
    hub.bytes(1, *side, &rest[..30]);
    hub.bytes(1, *side, &rest[30..]);
    let told = lines(&hub.drain());
    let gap = "gap connection n1#1, from `n1`: 100 bytes were lost";
    assert_eq!(told[2..4], [format!("n1 {gap}"), format!("n2 {gap}")]);
    assert_eq!(told[4..], ["n1 out n2 MsgAppResp", "n2 in n1 MsgAppResp"]);
}

#[test]
fn a_stream_that_was_joined_is_read_from_its_next_chunk() {
    let mut hub = hub(&MEMBERS);
    // Who is who was seen on another connection.
    hub.open(9, 1, true);
    hub.bytes(9, Side::Dialer, &ask_for_stream("message", 1, 2, "http://127.0.0.1:1"));
    hub.open(1, 0, false);
    hub.bytes(1, Side::Acceptor, b"end\r\n");
    hub.bytes(1, Side::Acceptor, &chunk(&append_frames(2, 1)));
    let told = lines(&hub.drain());
    let messages: Vec<&String> = told.iter().filter(|line| !line.contains("gap")).collect();
    assert_eq!(messages, ["n1 out n2 MsgApp", "n2 in n1 MsgApp", "n1 out n2 MsgApp", "n2 in n1 MsgApp"]);
}

#[test]
fn strangers_and_other_versions_are_told() {
    let mut strange = hub(&MEMBERS);
    strange.open(1, 0, true);
    strange.bytes(1, Side::Dialer, b"EHLO mail\r\n");
    let told = lines(&strange.drain());
    assert!(told.len() == 1 && told[0].starts_with("note a connection to a member is none"), "{told:?}");
    strange.open(2, 0, true);
    strange.bytes(2, Side::Dialer, b"\x16\x03\x01\x02\x00\x01");
    let told = lines(&strange.drain());
    assert!(told[0].starts_with("n1 gap") && told[0].contains("TLS"), "{told:?}");
    let mut conversation = etcd_conversation();
    conversation[2].1 = chunk(&sized(&message(77, 2, 1, &[])));
    let told = lines(&read(&conversation, 1000));
    assert!(told[0].starts_with("n1 gap") && told[0].contains("type 77 is none of raftpb's"), "{told:?}");
}

#[test]
fn a_member_that_refuses_connections_and_comes_back_was_started_again() {
    let mut hub = hub(&MEMBERS);
    // Before it was seen nothing can have been lost.
    hub.refuse(0);
    converse(&mut hub, (1, 0), &etcd_conversation(), 1000);
    assert!(!lines(&hub.drain()).contains(&"n1 restart".to_owned()));
    hub.end(1, Side::Acceptor);
    hub.refuse(0);
    hub.refuse(0);
    // It connects to another member before that one connects to it.
    hub.open(2, 1, true);
    hub.bytes(2, Side::Dialer, &ask_for_stream("message", 1, 2, "http://127.0.0.1:1"));
    assert_eq!(lines(&hub.drain()), ["n1 restart"]);
    hub.open(3, 0, true);
    assert!(hub.drain().is_empty());
}
