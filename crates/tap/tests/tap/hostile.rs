//! Bytes that nobody should have written: nothing breaks down, and nothing is kept without a limit.

use tap::decode::Side;
use tap::hub::Hub;
use test_kit::Rng;

use crate::wire::{
    Conversation, append_frames, ask_for_stream, chunk, etcd_conversation, hub, zookeeper_conversation,
};

const PROTOCOLS: [&str; 8] = tap::settings::PROTOCOLS;

fn all_protocols() -> Hub {
    let endpoints: Vec<String> = PROTOCOLS
        .iter()
        .enumerate()
        .map(|(at, name)| format!("127.0.0.1:{},node=n1,protocol={name}", at + 1))
        .collect();
    hub(&endpoints.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Changes a conversation: bytes are changed, removed, doubled, made large, or exchanged between the sides.
fn mutate(conversation: &mut Conversation, rng: &mut Rng) {
    let at = rng.below(conversation.len());
    let (side, bytes) = &mut conversation[at];
    if bytes.is_empty() {
        return;
    }
    let (from, to) = (rng.below(bytes.len()), rng.below(bytes.len()));
    match rng.below(8) {
        0 => bytes[from] = rng.next_u64() as u8,
        1 => bytes[from] ^= 1 << rng.below(8),
        2 => bytes.truncate(from),
        3 => drop(bytes.drain(from.min(to)..from.max(to))),
        4 => {
            let piece = bytes[from.min(to)..from.max(to)].to_vec();
            bytes.splice(from..from, piece);
        }
        5 => bytes[from..].iter_mut().take(8).for_each(|byte| *byte = 0xff),
        6 => bytes[from..].iter_mut().take(8).for_each(|byte| *byte = 0),
        _ => *side = side.other(),
    }
}

#[test]
fn changed_conversations_do_no_harm() {
    let append: Conversation = vec![
        (Side::Dialer, ask_for_stream("msgapp", 2, 1, "http://127.0.0.1:2")),
        (Side::Acceptor, crate::wire::STREAM_HEAD.to_vec()),
        (Side::Acceptor, chunk(&append_frames(2, 1))),
    ];
    let seeds = [etcd_conversation(), append, zookeeper_conversation()];
    let mut n_told = 0;
    for seed in 0..6000 {
        let mut rng = Rng::new(seed);
        let mut conversation = seeds[rng.below(seeds.len())].clone();
        for _ in 0..=rng.below(4) {
            mutate(&mut conversation, &mut rng);
        }
        let mut hub = all_protocols();
        let endpoint = rng.below(PROTOCOLS.len());
        hub.open(1, endpoint, rng.below(4) > 0);
        for (side, bytes) in &conversation {
            for piece in bytes.chunks(1 + rng.below(100)) {
                hub.bytes(1, *side, piece);
            }
            if rng.below(8) == 0 {
                hub.lose(1, *side, "lost");
            }
        }
        hub.close(1);
        n_told += hub.drain().len();
    }
    assert!(n_told > 6000, "{n_told}");
}

#[test]
fn random_bytes_do_no_harm() {
    for seed in 0..2000 {
        let mut rng = Rng::new(seed);
        let mut hub = all_protocols();
        hub.open(1, rng.below(PROTOCOLS.len()), true);
        for _ in 0..20 {
            let bytes: Vec<u8> = (0..rng.below(200)).map(|_| rng.next_u64() as u8).collect();
            hub.bytes(1, if rng.below(2) == 0 { Side::Dialer } else { Side::Acceptor }, &bytes);
        }
        hub.close(1);
    }
}

/// A text of JSON so deep that a reader without a limit overflows its stack.
#[test]
fn deep_values_are_refused() {
    let mut hub = hub(&[
        "127.0.0.1:1,node=n1,protocol=json-lines",
        "127.0.0.1:2,node=n1,protocol=msgpack-length",
        "127.0.0.1:3,node=n1,protocol=etcd-client",
    ]);
    hub.open(1, 0, true);
    hub.bytes(1, Side::Dialer, &[b"[".repeat(1_000_000), b"\n".to_vec()].concat());
    hub.open(2, 1, true);
    hub.bytes(2, Side::Dialer, &[&1_000_000_u32.to_be_bytes()[..], &b"\x91".repeat(1_000_000)].concat());
    let told = crate::wire::lines(&hub.drain());
    assert_eq!(told.iter().filter(|line| line.contains("a message cannot be read")).count(), 2, "{told:?}");
    hub.open(3, 2, true);
    let deep = "[".repeat(100_000);
    hub.bytes(
        3,
        Side::Dialer,
        format!("POST /v3/kv/put HTTP/1.1\r\nContent-Length: 100000\r\n\r\n{deep}").as_bytes(),
    );
    assert_eq!(crate::wire::lines(&hub.drain()), ["n1 in client request"]);
}
