//! One script gives one history, however busy the machine is.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use stage::script::{self, Player, Record};
use stage::system::System;

use crate::kit::{guest, settings};

const N_RUNS: usize = 8;

/// Forty events: clocks, messages, a cut, a crash.
const SCRIPT: &str = "start all\ntick a 3\ntick b 3\ntick c 3\ndeliver a b\ndeliver b a\ndeliver c a\ndeliver c b\n\
    advance a 350ms\nadvance b 1s\nadvance c 270ms\ndeliver a b all\ndeliver a c all\ndeliver b c all\ncut a b\n\
    tick a 2\ntick b 2\ndeliver a c all\ndeliver c a all\nheal a b\ntick a 2\ntick b 2\ndeliver a b\ndeliver b a\n\
    crash c\ntick a 2\ntick b 2\nstart c\ntick c 2\ntick a 3\ntick b 3\ndeliver a c all\ndeliver b c all\n\
    deliver c b all\nadvance c 2s\ndeliver c a all\ncut c\ntick c 3\nheal c\ntick c 3\n";

fn system() -> System {
    let node =
        |name: &str, port: u16| format!("[[node]]\nname = \"{name}\"\naddress = \"127.0.0.1:{port}\"\n");
    // Each node gets the ports of all nodes; sending to itself is harmless.
    let text = format!(
        "seed = 5\n[start]\ncommand = [\"python3\", \"{}\", \"{{name}}\", \"{{port}}\", \"7041\", \"7042\", \"7043\"]\n\
         [[framing]]\nrule = \"line\"\n{}{}{}",
        guest("gossip.py"),
        node("a", 7041),
        node("b", 7042),
        node("c", 7043)
    );
    System::parse(&text, Path::new(".")).map_err(|error| error.message).unwrap()
}

fn history() -> Vec<Record> {
    let mut player = Player::open(system(), settings(), "none".into()).unwrap();
    let play = |line: &str| {
        let (record, result) = player.play(&script::parse(line).unwrap().unwrap(), line);
        // A message that does not exist is part of the history.
        let outcome = result.map_or_else(|error| error.to_string(), |()| "done".to_owned());
        Record { answer: vec![outcome], ..record }
    };
    SCRIPT.lines().map(play).collect()
}

#[test]
fn the_same_script_gives_the_same_observations_messages_and_times() {
    let is_done = AtomicBool::new(false);
    let histories: Vec<Vec<Record>> = std::thread::scope(|scope| {
        // The thread keeps a processor busy with something else.
        scope.spawn(|| (0_u64..).take_while(|_| !is_done.load(Ordering::Relaxed)).count());
        let histories = (0..N_RUNS).map(|_| history()).collect();
        is_done.store(true, Ordering::Relaxed);
        histories
    });
    assert_eq!(histories[0].len(), 40);
    let n_heard: usize =
        histories[0].iter().flat_map(|record| record.output.values()).map(|text| text.lines().count()).sum();
    assert!(n_heard >= 20, "the nodes talk: {n_heard} lines");
    for (run, other) in histories.iter().enumerate().skip(1) {
        for (one, other) in histories[0].iter().zip(other) {
            assert_eq!(one, other, "run {run} differs after `{}`", one.event);
        }
    }
}
