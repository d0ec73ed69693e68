//! The door by system calls: programs that do without libc behave as others do.

use std::time::Duration;

use stage::{DoorKind, FileCall, NodeId, NodeSpec, NodeState, Outcome, Settings, Stage, Trap, TrapAction};

use crate::kit::{
    c, go, guest, musl, node, open, output, rust, settings, static_c, static_rust, tick_to_end,
};

/// Opens a stage with one node, and starts it.
#[track_caller]
fn start(spec: NodeSpec, seed: u64) -> (Stage, NodeId) {
    let name = spec.name.clone();
    let mut stage = Stage::open(Settings { seed, ..settings() }, vec![spec]).unwrap();
    let id = stage.node_named(&name).unwrap();
    if let Err(trouble) = stage.start(id) {
        panic!("{trouble}\n{}\n{:#?}", output(&stage, id), stage.threads(id));
    }
    assert_eq!(stage.door(id), DoorKind::Syscalls);
    (stage, id)
}

fn behind_syscalls(name: &str, command: &[&str]) -> NodeSpec {
    NodeSpec { door: Some(DoorKind::Syscalls), ..node(name, command) }
}

/// Every wait takes as long as was asked for, whichever libc the program has in it.
#[track_caller]
fn check_clock(spec: NodeSpec) {
    let (mut stage, id) = start(spec, 1);
    let begin = stage.now_ns(id);
    let n_ticks = tick_to_end(&mut stage, id);
    let told = output(&stage, id);
    assert!(!told.contains("EARLY") && told.ends_with("no time 1\n"), "{told}");
    assert_eq!((n_ticks, stage.now_ns(id) - begin), (13, 2_320_000_000), "{told}");
    assert_eq!(stage.uncontrolled(), []);
}

#[test]
fn waits_of_a_static_program() {
    check_clock(node("n1", &[&static_c("clock")]));
}

#[test]
fn waits_of_a_program_that_is_made_to_use_this_door() {
    check_clock(behind_syscalls("n1", &[&c("clock")]));
}

/// A clock that stands still would never end a loop that waits for it to pass.
#[test]
fn a_thread_that_does_nothing_but_look_at_the_clock_waits_for_a_moment() {
    let play = || {
        let (mut stage, id) = start(node("n1", &[&static_c("spin")]), 1);
        assert_eq!(output(&stage, id), "begun\n");
        let mut moments = Vec::new();
        while stage.state(id) == NodeState::Running {
            let before = stage.now_ns(id);
            stage.tick(id).unwrap();
            moments.push((stage.now_ns(id) - before) / 1_000_000);
            assert!(moments.len() < 20, "{moments:?}");
        }
        let told = stage.uncontrolled().first().map(|call| call.detail.clone());
        (moments, output(&stage, id), told)
    };
    let (moments, told, uncontrolled) = play();
    assert_eq!(moments, [1, 2, 4, 8, 10, 1000, 1]);
    assert_eq!(told, "begun\nspun 25\nslept\nspun 1\n");
    assert!(uncontrolled.is_some_and(|text| text.contains("does nothing but look at it")));
    assert_eq!(play().1, told);
}

/// Runs a guest to its end, from deadline to deadline; returns what it prints.
#[track_caller]
fn run(spec: NodeSpec) -> String {
    let (mut stage, id) = start(spec, 1);
    tick_to_end(&mut stage, id);
    assert_eq!(String::from_utf8(stage.errors(id).unwrap()).unwrap(), "");
    assert_eq!(stage.uncontrolled(), [], "everything is under control");
    output(&stage, id)
}

/// A guest prints the same through both doors.
#[track_caller]
fn check_both(command: &[&str], through_syscalls: &[&str]) {
    let mut stage = open(vec![node("n1", command)]);
    let id = stage.node_named("n1").unwrap();
    stage.start(id).unwrap();
    tick_to_end(&mut stage, id);
    assert_eq!(stage.door(id), DoorKind::Library);
    assert_eq!(run(behind_syscalls("n1", through_syscalls)), output(&stage, id));
}

#[test]
fn threads_of_a_static_program_wait_for_each_other() {
    check_both(&[&c("threads")], &[&static_c("threads")]);
}

#[test]
fn timers_that_are_not_waited_for() {
    check_both(&[&c("timers")], &[&static_c("timers")]);
}

#[test]
fn streams_within_a_node() {
    for family in ["4", "6"] {
        check_both(&[&c("streams"), family], &[&static_c("streams"), family]);
    }
}

#[test]
fn datagrams_within_a_node() {
    check_both(&[&c("datagrams")], &[&static_c("datagrams")]);
}

#[test]
fn a_program_in_rust() {
    check_both(&[&rust("runtime")], &[&static_rust("runtime")]);
}

#[test]
fn a_program_with_musl() {
    let (mut stage, id) = start(node("n1", &[&musl("ticks")]), 1);
    for second in 1..=3 {
        let before = stage.now_ns(id);
        stage.tick(id).unwrap();
        assert_eq!(stage.now_ns(id) - before, 1_000_000_000);
        assert!(output(&stage, id).ends_with(&format!("tick {second} of 2\n")), "{}", output(&stage, id));
    }
    assert_eq!(stage.uncontrolled(), []);
}

#[test]
fn python_through_this_door() {
    let script = "import os, subprocess, threading, time\nstart = time.monotonic()\n\
        def late(): time.sleep(2); print('late', time.monotonic() - start, flush=True)\n\
        thread = threading.Thread(target=late); thread.start()\n\
        time.sleep(1); print('slept', time.monotonic() - start, flush=True)\n\
        thread.join(); print(subprocess.run(['sleep', '3']).returncode, time.monotonic() - start, flush=True)\n";
    let told = run(behind_syscalls("n1", &["python3", "-c", script]));
    assert_eq!(told, "slept 1.0\nlate 2.0\n0 5.0\n");
}

/// Goroutines wake in the order of their deadlines; the order of a map and the choices of `select` follow from the seed.
#[test]
fn a_go_program_waits_on_the_clock_and_chooses_by_the_seed() {
    let moments = go("moments");
    let play = |seed: u64| {
        let (mut stage, id) = start(node("n1", &[&moments]), seed);
        let begin = stage.now_ns(id);
        let mut ticks = Vec::new();
        while stage.state(id) == NodeState::Running {
            ticks.push((stage.tick(id).unwrap() - begin) / 1_000_000);
            assert!(ticks.len() < 20, "{ticks:?}");
        }
        assert_eq!(stage.uncontrolled(), []);
        (ticks, output(&stage, id))
    };
    let (ticks, told) = play(1);
    assert_eq!(ticks, [100, 150, 200, 250, 300, 700, 1700]);
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines[..4], ["after 100 100", "tick 150", "after 200 200", "after 250 250"]);
    assert_eq!(lines[lines.len() - 3..], ["child of mine", "child slept 1000", "child ended <nil> 1700"]);
    for _ in 0..4 {
        assert_eq!(play(1).1, told, "the same seed, the same choices");
    }
    assert_ne!(play(2).1, told, "another seed, other choices");
}

#[test]
fn a_clock_that_is_moved_far_wakes_goroutines_in_the_order_of_their_deadlines() {
    let (mut stage, id) = start(node("n1", &[&go("moments")]), 1);
    stage.advance(id, Duration::from_millis(280)).unwrap();
    let told = output(&stage, id);
    let order: Vec<&str> =
        told.lines().filter_map(|line| line.rsplit_once(' ')).map(|(what, _)| what).collect();
    assert_eq!(order, ["after 100", "tick", "after 200", "after 250"], "{told}");
}

/// Opens a stage with a server and a client in Go, and starts them.
fn talk() -> (Stage, NodeId, NodeId) {
    let talk = go("talk");
    let mut stage =
        open(vec![node("server", &[&talk, "server", "17401"]), node("client", &[&talk, "client", "17401"])]);
    let (server, client) = (stage.node_named("server").unwrap(), stage.node_named("client").unwrap());
    stage.start(server).unwrap();
    stage.start(client).unwrap();
    (stage, server, client)
}

fn held(stage: &Stage) -> Vec<String> {
    stage.held_messages().iter().map(|held| held.payload.to_string()).collect()
}

fn last_line(stage: &Stage, node: NodeId) -> String {
    output(stage, node).lines().last().unwrap_or_default().to_owned()
}

#[test]
fn what_go_programs_send_is_held_until_it_is_delivered() {
    let (mut stage, server, client) = talk();
    assert_eq!(last_line(&stage, client), "connected 127.0.0.1:17401");
    assert!(last_line(&stage, server).ends_with("at 127.0.0.1:17401"), "{}", last_line(&stage, server));
    stage.tick(client).unwrap();
    assert_eq!(held(&stage), ["hello 1\\n", "ping 1"]);
    let ids: Vec<_> = stage.held_messages().iter().map(|held| held.id).collect();
    stage.deliver(ids[1]).unwrap();
    assert!(last_line(&stage, server).starts_with("datagram ping 1 from 127.0.0.1:"));
    stage.deliver(ids[0]).unwrap();
    assert_eq!(last_line(&stage, server), "line hello 1");
    assert_eq!(held(&stage), ["got ping 1", "echo hello 1\\n"]);
    for id in stage.held_messages().iter().map(|held| held.id).collect::<Vec<_>>() {
        stage.deliver(id).unwrap();
    }
    assert!(output(&stage, client).ends_with("answer got ping 1\nheard echo hello 1\n"));
    assert_eq!(stage.uncontrolled(), []);
}

#[test]
fn go_programs_see_crashes_refusals_cuts_and_time_outs() {
    let (mut stage, server, client) = talk();
    stage.crash(server).unwrap();
    let told = output(&stage, client);
    assert!(told.contains("read: connection reset by peer\n"), "{told}");
    assert_eq!(last_line(&stage, client), "dial tcp 127.0.0.1:17401: connect: connection refused");
    stage.start(server).unwrap();
    stage.tick(client).unwrap();
    assert_eq!(last_line(&stage, client), "connected 127.0.0.1:17401");
    stage.cut(client, server).unwrap();
    assert!(last_line(&stage, server).ends_with("read: connection reset by peer"));
    let before = stage.now_ns(client);
    stage.tick(client).unwrap();
    assert_eq!(stage.now_ns(client) - before, 3_000_000_000, "the program's own time-out");
    assert_eq!(last_line(&stage, client), "dial tcp 127.0.0.1:17401: i/o timeout");
    stage.heal(client, server).unwrap();
    stage.tick(client).unwrap();
    assert_eq!(last_line(&stage, client), "connected 127.0.0.1:17401");
}

/// Every way to ask for a connection, and every outcome, as through the library.
#[test]
fn attempts_to_connect_are_decided() {
    let outcomes = [
        (Outcome::Accepted, "connected to ('127.0.0.1', 17402)\n"),
        (Outcome::Refused, "failed ECONNREFUSED\n"),
        (Outcome::TimedOut, "timed out ETIMEDOUT\n"),
        (Outcome::Unreachable, "failed EHOSTUNREACH\n"),
    ];
    let decided = outcomes.map(|outcome| ("epoll", outcome)).into_iter();
    let others =
        [("waiting", outcomes[0]), ("waiting", outcomes[2]), ("poll", outcomes[0]), ("select", outcomes[1])];
    for (way, (outcome, expected)) in decided.chain(others) {
        let server = behind_syscalls("server", &["python3", &guest("echo.py"), "server", "17402"]);
        let dialer = behind_syscalls("dialer", &["python3", &guest("dial.py"), way, "17402"]);
        let settings = Settings { connects: false, ..settings() };
        let mut stage = Stage::open(settings, vec![server, dialer]).unwrap();
        let (server, dialer) = (stage.node_named("server").unwrap(), stage.node_named("dialer").unwrap());
        stage.start(server).unwrap();
        stage.start(dialer).unwrap();
        stage.decide(dialer, 17402, outcome).unwrap();
        assert!(output(&stage, dialer).ends_with(expected), "{way}: {}", output(&stage, dialer));
    }
}

#[test]
fn what_a_go_program_has_not_synced_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let spec =
        NodeSpec { folder: folder.path().to_owned(), tracks_files: true, ..node("n1", &[&go("journal")]) };
    let (mut stage, id) = start(spec, 1);
    stage.tick(id).unwrap();
    assert_eq!(last_line(&stage, id), "written 2");
    assert_eq!(stage.list_unsynced(id).unwrap(), ["journal 1: 7 bytes at 7", "journal made"]);
    let (_, lost) = stage.crash_and_lose(id).unwrap();
    assert_eq!(lost, ["journal"]);
    assert_eq!(std::fs::read_to_string(folder.path().join("journal")).unwrap(), "entry 1");
}

#[test]
fn calls_on_files_are_held_torn_and_the_node_is_killed_there() {
    let folder = tempfile::tempdir().unwrap();
    let spec = NodeSpec { folder: folder.path().to_owned(), ..node("n1", &[&go("journal")]) };
    let (mut stage, id) = start(spec, 1);
    let trap = |call, action, is_after| Trap {
        call,
        file: Some("journal".to_owned()),
        action,
        is_after,
        point: None,
        thread: None,
        is_always: false,
    };
    let content = || std::fs::read_to_string(folder.path().join("journal")).unwrap();
    stage.arm(id, trap(FileCall::Write, TrapAction::Hold, false));
    stage.tick(id).unwrap();
    assert_eq!((content().as_str(), last_line(&stage, id).as_str()), ("entry 1", "written 1"));
    stage.release(id).unwrap();
    assert_eq!((content().as_str(), last_line(&stage, id).as_str()), ("entry 1entry 2", "written 2"));
    stage.arm(id, trap(FileCall::Sync, TrapAction::Hold, true));
    stage.tick(id).unwrap();
    assert_eq!(stage.take_notes().last().unwrap().1, "held after the sync of journal");
    assert_eq!(last_line(&stage, id), "written 2");
    stage.release(id).unwrap();
    assert_eq!(last_line(&stage, id), "written 3");
    stage.arm(id, trap(FileCall::Write, TrapAction::Tear(3), false));
    stage.tick(id).unwrap();
    assert_eq!(stage.state(id), NodeState::Crashed);
    assert!(content().ends_with("entry 3ent"), "{}", content());
}

/// A program of another kind of machine, or one that is not there, is refused with the reason.
#[test]
fn what_does_not_fit_is_refused_with_the_reason() {
    let refusal = |spec: NodeSpec| {
        let mut stage = open(vec![spec]);
        let id = stage.node_named("n1").unwrap();
        stage.start(id).unwrap_err().to_string()
    };
    let library = NodeSpec { door: Some(DoorKind::Library), ..node("n1", &[&static_c("clock")]) };
    assert!(refusal(library).contains("the library cannot be loaded"));
    let agent = NodeSpec { has_agent: true, ..behind_syscalls("n1", &["true"]) };
    assert!(refusal(agent).contains("need the door `library`"));
    assert!(refusal(behind_syscalls("n1", &["/proc/version"])).contains("is not a program"));
}
