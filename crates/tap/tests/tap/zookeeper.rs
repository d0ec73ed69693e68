//! Servers of ZooKeeper.

use tap::decode::Side;
use tap::event::TapEvent;

use crate::wire::{converse, hub, json, lines, zookeeper_conversation};

fn servers() -> tap::hub::Hub {
    let file = "[names]\n\"2\" = \"z2\"\n[[endpoint]]\ntarget = \"127.0.0.1:1\"\nnode = \"z1\"\nprotocol = \"zookeeper-quorum\"\n\
        [[endpoint]]\ntarget = \"127.0.0.1:2\"\nnode = \"z1\"\nprotocol = \"zookeeper-election\"\n\
        [[endpoint]]\ntarget = \"127.0.0.1:3\"\nnode = \"z1\"\nprotocol = \"zookeeper-client\"\n";
    let options =
        tap::settings::Options { file: Some((std::path::Path::new("t"), file)), ..Default::default() };
    tap::hub::Hub::new(tap::settings::read(&options).expect("these settings can be"), None)
}

#[test]
fn packets_are_read_whatever_the_pieces_and_a_snapshot_is_passed_over() {
    for piece in [1, 2, 3, 7, 1000] {
        let mut hub = servers();
        converse(&mut hub, (1, 0), &zookeeper_conversation(), piece);
        let events = hub.drain();
        let sent: Vec<String> = lines(&events).into_iter().filter(|line| line.contains("out")).collect();
        let all = [
            "z2 out z1 FOLLOWERINFO",
            "z1 out z2 LEADERINFO",
            "z2 out z1 ACKEPOCH",
            "z1 out z2 SNAP",
            "z1 out z2 NEWLEADER",
            "z2 out z1 ACK",
            "z1 out z2 PROPOSAL",
        ];
        assert_eq!(sent, all, "{piece}");
        let Some(TapEvent::In { message, .. }) = events.last() else { panic!("{events:?}") };
        assert_eq!(message["zxid"].to_string(), "[1,1]");
        assert_eq!(message["txn"], json(r#"{"session":7,"cxid":1,"zxid":[1,1],"type":"setData"}"#));
    }
}

#[test]
fn votes_are_read() {
    let address = b"127.0.0.1:3888";
    let greeting =
        [&(-65536_i64).to_be_bytes()[..], &2_i64.to_be_bytes(), &14_i32.to_be_bytes(), address].concat();
    let vote = |config: &[u8]| {
        let head =
            [&0_i32.to_be_bytes()[..], &2_i64.to_be_bytes(), &(1_i64 << 32 | 5).to_be_bytes()].concat();
        let epochs = [&3_i64.to_be_bytes()[..], &1_i64.to_be_bytes(), &2_i32.to_be_bytes()].concat();
        let body = [&head[..], &epochs, &(config.len() as i32).to_be_bytes(), config].concat();
        [&(body.len() as i32).to_be_bytes()[..], &body].concat()
    };
    let mut hub = servers();
    let conversation = vec![(Side::Dialer, [greeting, vote(b"c")].concat()), (Side::Acceptor, vote(b""))];
    converse(&mut hub, (1, 1), &conversation, 3);
    let events = hub.drain();
    let all = [
        "z2 out z1 NOTIFICATION",
        "z1 in z2 NOTIFICATION",
        "z1 out z2 NOTIFICATION",
        "z2 in z1 NOTIFICATION",
    ];
    assert_eq!(lines(&events), all);
    let TapEvent::Out { message, .. } = &events[0] else { panic!("{events:?}") };
    let vote = r#"{"type":"NOTIFICATION","state":"LOOKING","leader":2,"zxid":[1,5],"round":3,"peerEpoch":1,"version":2,"config":"c"}"#;
    assert_eq!(*message, json(vote));
}

#[test]
fn requests_of_clients_and_replies_are_read() {
    let sized = |bytes: &[u8]| [&(bytes.len() as i32).to_be_bytes()[..], bytes].concat();
    let connect = [&[0; 12][..], &1000_i32.to_be_bytes(), &[0; 8], &16_i32.to_be_bytes(), &[0; 16]].concat();
    let connected =
        [&[0; 4][..], &1000_i32.to_be_bytes(), &9_i64.to_be_bytes(), &16_i32.to_be_bytes(), &[0; 16]]
            .concat();
    let request = [&1_i32.to_be_bytes()[..], &4_i32.to_be_bytes(), &sized(b"/a"), &[0]].concat();
    let stat = [0; 68];
    let reply =
        [&1_i32.to_be_bytes()[..], &(1_i64 << 32).to_be_bytes(), &[0; 4], &sized(b"x"), &stat].concat();
    let mut hub = servers();
    let conversation = vec![
        (Side::Dialer, sized(&connect)),
        (Side::Acceptor, sized(&connected)),
        (Side::Dialer, sized(&request)),
        (Side::Acceptor, sized(&reply)),
    ];
    converse(&mut hub, (1, 2), &conversation, 5);
    let events = hub.drain();
    let all =
        ["z1 in client connect", "z1 out client connected", "z1 in client request", "z1 out client reply"];
    assert_eq!(lines(&events), all);
    let TapEvent::Out { message, .. } = &events[3] else { panic!("{events:?}") };
    assert_eq!((message["operation"].as_str(), message["data"].as_str()), (Some("getData"), Some("eA==")));
    hub.open(2, 2, true);
    hub.bytes(2, Side::Dialer, b"srvr");
    assert!(lines(&hub.drain())[0].contains("note a client asked the server for `srvr`"));
}

#[test]
fn a_packet_of_an_unknown_type_is_a_gap() {
    let mut hub = hub(&["127.0.0.1:1,node=z1,protocol=zookeeper-quorum"]);
    let mut conversation = zookeeper_conversation();
    conversation.truncate(1);
    conversation.push((Side::Acceptor, crate::wire::packet(77, 0, None)));
    converse(&mut hub, (1, 0), &conversation, 1000);
    let told = lines(&hub.drain());
    assert!(told[2].starts_with("z1 gap") && told[2].contains("a type that does not exist"), "{told:?}");
}
