//! Captured packets, as files of tcpdump.

use std::io::Cursor;

use etherparse::PacketBuilder;
use tap::capture::Capture;
use tap::decode::Side;
use tap::hub::Hub;
use test_kit::Rng;

use crate::wire::{etcd_conversation, hub, lines};

/// A packet, from the dialer or the acceptor.
#[derive(Clone)]
struct Packet {
    from: Side,
    is_v6: bool,
    sequence: u32,
    acknowledged: Option<u32>,
    flags: &'static str,
    data: Vec<u8>,
}

impl Packet {
    /// The packet as it is on a link with this header.
    fn bytes(&self, link: u32) -> Vec<u8> {
        let (source, target) = if self.from == Side::Dialer { (40_000, 1) } else { (1, 40_000) };
        let ethernet = PacketBuilder::ethernet2([1; 6], [2; 6]);
        let mut v6 = [0; 16];
        v6[15] = 1;
        let ip = if self.is_v6 {
            ethernet.ipv6(v6, v6, 9)
        } else {
            ethernet.ipv4([127, 0, 0, 1], [127, 0, 0, 1], 9)
        };
        let mut tcp = ip.tcp(source, target, self.sequence, 1000);
        tcp = if self.flags.contains('S') { tcp.syn() } else { tcp };
        tcp = if self.flags.contains('F') { tcp.fin() } else { tcp };
        tcp = if self.flags.contains('R') { tcp.rst() } else { tcp };
        if let Some(number) = self.acknowledged {
            tcp = tcp.ack(number);
        }
        let mut bytes = Vec::new();
        tcp.write(&mut bytes, &self.data).expect("it has room");
        let ip = bytes.split_off(14);
        match link {
            1 => [bytes, ip].concat(),
            0 => [2_u32.to_le_bytes().to_vec(), ip].concat(),
            113 => [vec![0; 16], ip].concat(),
            276 => [vec![0; 20], ip].concat(),
            _ => ip,
        }
    }
}

/// Writes packets as a file of pcap.
fn pcap(link: u32, packets: &[Packet]) -> Vec<u8> {
    let mut file =
        [0xa1b2_c3d4_u32.to_le_bytes(), [2, 0, 4, 0], [0; 4], [0; 4], 65_535_u32.to_le_bytes()].concat();
    file.extend(link.to_le_bytes());
    for packet in packets {
        let bytes = packet.bytes(link);
        let n = (bytes.len() as u32).to_le_bytes();
        file.extend([[0; 4], [0; 4], n, n].concat());
        file.extend(bytes);
    }
    file
}

/// Writes packets as a file of pcapng.
fn pcapng(packets: &[Packet]) -> Vec<u8> {
    let block = |kind: u32, body: &[u8]| {
        let padded = [body, &vec![0; (4 - body.len() % 4) % 4]].concat();
        let n = (padded.len() as u32 + 12).to_le_bytes();
        [&kind.to_le_bytes()[..], &n, &padded, &n].concat()
    };
    let section = [&0x1a2b_3c4d_u32.to_le_bytes()[..], &[1, 0, 0, 0], &[0xff; 8]].concat();
    let interface = [1, 0, 0, 0, 0, 0, 4, 0];
    let mut file = [block(0x0a0d_0d0a, &section), block(1, &interface)].concat();
    for packet in packets {
        let bytes = packet.bytes(1);
        let n = (bytes.len() as u32).to_le_bytes();
        file.extend(block(6, &[&[0; 12][..], &n, &n, &bytes].concat()));
    }
    file
}

/// The packets of a conversation, with an opening if it is whole, and an end.
fn packets(is_v6: bool, is_whole: bool, piece: usize) -> Vec<Packet> {
    // The numbers of the acceptor overflow.
    let mut next = [1000_u32, u32::MAX - 100];
    let mut all = Vec::new();
    let mut packet = |from: Side, flags: &'static str, data: &[u8]| {
        let (mine, other) = if from == Side::Dialer { (0, 1) } else { (1, 0) };
        let acknowledged = (flags != "S").then_some(next[other]);
        all.push(Packet { from, is_v6, sequence: next[mine], acknowledged, flags, data: data.to_vec() });
        next[mine] = next[mine].wrapping_add(data.len() as u32 + u32::from(flags.contains(['S', 'F'])));
    };
    if is_whole {
        packet(Side::Dialer, "S", b"");
        packet(Side::Acceptor, "S", b"");
        packet(Side::Dialer, "", b"");
    }
    for (side, bytes) in etcd_conversation() {
        for piece in bytes.chunks(piece) {
            packet(side, "", piece);
            packet(side.other(), "", b"");
        }
    }
    packet(Side::Dialer, "F", b"");
    packet(Side::Acceptor, "F", b"");
    all
}

fn members() -> Hub {
    hub(&["0.0.0.0:1,node=n1,protocol=etcd-peer", "127.0.0.1:2,node=n2,protocol=etcd-peer"])
}

fn read(file: Vec<u8>) -> Vec<String> {
    let mut hub = members();
    match Capture::new(Cursor::new(file)) {
        Ok(mut capture) => while capture.read(&mut hub).is_ok_and(|goes_on| goes_on) {},
        Err(error) => hub.note(error.to_string()),
    }
    lines(&hub.drain())
}

const ALL: [&str; 4] =
    ["n1 out n2 MsgHeartbeat", "n2 in n1 MsgHeartbeat", "n1 out n2 MsgAppResp", "n2 in n1 MsgAppResp"];

#[test]
fn links_of_all_kinds_and_both_forms_of_files_are_read() {
    for is_v6 in [false, true] {
        for link in [0, 1, 101, 113, 276] {
            assert_eq!(read(pcap(link, &packets(is_v6, true, 10))), ALL, "{link} {is_v6}");
        }
        assert_eq!(read(pcapng(&packets(is_v6, true, 10))), ALL);
    }
}

#[test]
fn packets_in_another_order_and_several_times_are_the_same_connection() {
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let mut packets = packets(false, true, 1 + rng.below(60));
        let n = packets.len();
        for _ in 0..n {
            // The first two packets say where the streams begin.
            let at = 3 + rng.below(n - 5);
            match rng.below(3) {
                0 => packets.insert(at, packets[at].clone()),
                _ => packets.swap(at, at + 1),
            }
        }
        let told = read(pcap(1, &packets));
        let sent: Vec<&str> = told.iter().map(String::as_str).filter(|line| line.starts_with("n1")).collect();
        assert_eq!(sent, [ALL[0], ALL[2]], "seed {seed}: {told:?}");
    }
}

#[test]
fn a_packet_that_is_missing_is_a_gap() {
    let mut packets = packets(false, true, 30);
    let heartbeat = packets.iter().position(|packet| packet.data.starts_with(b"HTTP")).unwrap() + 4;
    packets.remove(heartbeat);
    let told = read(pcap(1, &packets));
    assert!(
        told.iter().any(|line| line.contains("gap") && line.contains("the capture has lost")),
        "{told:?}"
    );
    assert!(!told.iter().any(|line| line.contains("MsgHeartbeat")), "{told:?}");
}

#[test]
fn a_connection_that_was_joined_is_told() {
    let told = read(pcap(1, &packets(false, false, 1000)[3..]));
    assert!(told[0].contains("gap") && told[0].contains("not known from its beginning"), "{told:?}");
    assert!(told.iter().any(|line| line.starts_with("n1 out") && line.contains("MsgHeartbeat")), "{told:?}");
}

#[test]
fn a_member_that_refuses_a_connection_does_not_run() {
    let mut all = packets(false, true, 1000);
    let again = |from: Side, flags, sequence, acknowledged| Packet {
        from,
        is_v6: false,
        sequence,
        acknowledged,
        flags,
        data: Vec::new(),
    };
    all.push(again(Side::Dialer, "S", 5000, None));
    all.push(again(Side::Acceptor, "R", 0, Some(5001)));
    all.push(again(Side::Dialer, "S", 6000, None));
    all.push(again(Side::Acceptor, "S", 7000, Some(6001)));
    assert_eq!(read(pcap(1, &all)).last().map(String::as_str), Some("n1 restart"));
}

#[test]
fn damaged_files_are_told() {
    let good = pcap(1, &packets(false, true, 10));
    assert_eq!(read(Vec::new()), ["note the capture is empty"]);
    assert_eq!(read(b"{\"event\":\"in\"}\n".repeat(9)), ["note this is no capture: neither pcap nor pcapng"]);
    let cut = read(good[..good.len() - 7].to_vec());
    assert!(cut.iter().any(|line| line.starts_with("note the capture ends within a packet")), "{cut:?}");
    let files = [good, pcapng(&packets(true, true, 10))];
    for seed in 0..1500 {
        let mut rng = Rng::new(seed);
        let mut file = files[rng.below(2)].clone();
        for _ in 0..=rng.below(5) {
            let at = rng.below(file.len());
            file[at] = rng.next_u64() as u8;
        }
        read(file);
    }
}
