//! Time: a clock stands still until it is moved, and a wait ends when its deadline has come.

use std::time::Duration;

use stage::{Exit, NodeId, NodeSpec, NodeState, Stage};

use crate::kit::{c, java, node, open, output, tick_to_end};

#[test]
fn every_wait_takes_exactly_as_long_as_was_asked_for() {
    let mut stage = open(vec![node("n1", &[&c("clock")])]);
    let n1 = stage.node_named("n1").unwrap();
    let start = stage.now_ns(n1);
    stage.start(n1).unwrap();
    let n_ticks = tick_to_end(&mut stage, n1);
    assert_eq!(n_ticks, 13);
    assert_eq!(stage.now_ns(n1) - start, 2_320_000_000);
}

#[test]
fn a_clock_that_is_moved_far_ends_one_wait_at_a_time_and_stays_where_it_was_moved() {
    let mut stage = open(vec![node("n1", &[&c("clock")])]);
    let n1 = stage.node_named("n1").unwrap();
    stage.start(n1).unwrap();
    assert_eq!(output(&stage, n1), "clock_getres 0\n");
    stage.advance(n1, Duration::from_millis(9)).unwrap();
    assert_eq!(output(&stage, n1), "clock_getres 0\n");
    stage.advance(n1, Duration::from_secs(60)).unwrap();
    assert_eq!(output(&stage, n1), "clock_getres 0\nnanosleep waited\n");
    assert_eq!(stage.state(n1), NodeState::Running);
    assert_eq!(stage.next_deadline_ns(n1), Some(stage.now_ns(n1) + 1_000_000_000));
}

#[test]
fn setting_the_clock_is_refused_and_reported() {
    let mut stage = open(vec![node("n1", &[&c("settime")])]);
    let n1 = stage.node_named("n1").unwrap();
    stage.start(n1).unwrap();
    assert_eq!(output(&stage, n1), "-1 1\n");
    let calls: Vec<(&str, bool)> =
        stage.uncontrolled().iter().map(|call| (call.call.as_str(), call.is_refused)).collect();
    assert_eq!(calls, [("clock_settime", true)]);
}

/// Ticks once, and returns by how many milliseconds the clock moved.
fn tick_ms(stage: &mut Stage, node: NodeId) -> u64 {
    let before = stage.now_ns(node);
    stage.tick(node).unwrap();
    (stage.now_ns(node) - before) / 1_000_000
}

#[test]
fn deadlines_of_the_runtime_are_never_chosen() {
    let keeper = c("keeper");
    let own = NodeSpec { runtime_threads: vec!["keeper".to_owned()], ..node("own", &[&keeper]) };
    let mut stage = open(vec![own, node("all", &[&keeper])]);
    let (own, all) = (stage.node_named("own").unwrap(), stage.node_named("all").unwrap());
    stage.start(own).unwrap();
    stage.start(all).unwrap();
    assert_eq!(tick_ms(&mut stage, all), 10);
    assert_eq!(tick_ms(&mut stage, own), 1000);
    assert_eq!(tick_ms(&mut stage, own), 1000);
    assert_eq!(output(&stage, own), "second 1\nsecond 2\n");
    assert_eq!(output(&stage, all), "");
}

/// The beginnings of the names of a virtual machine's threads, as the documentation lists them.
pub const RUNTIME_THREADS: [&str; 10] =
    ["VM ", "C1 ", "C2 ", "G1 ", "GC ", "Common-Cleaner", "Monitor ", "Notification", "Service ", "Sweeper"];

/// The virtual machine waits in short steps for a thread that does not come to rest; its clock need not be moved.
#[test]
fn a_virtual_machine_ends_while_a_thread_waits() {
    let mut leaving = node("leaving", &["java", "-cp", &java("Leaving"), "Leaving"]);
    leaving.runtime_threads = RUNTIME_THREADS.map(str::to_owned).to_vec();
    let mut stage = open(vec![leaving]);
    let id = stage.node_named("leaving").unwrap();
    stage.start(id).unwrap();
    let begin = stage.now_ns(id);
    assert_eq!(stage.tick(id).unwrap() - begin, 1_000_000_000);
    assert_eq!(output(&stage, id), "leaving\n");
    assert_eq!(stage.state(id), NodeState::Ended(Exit::Code(0)), "{:#?}", stage.threads(id));
    assert_eq!(stage.now_ns(id) - begin, 1_000_000_000);
}

/// Waits of the virtual machine's own threads do not move the clock.
#[test]
fn a_virtual_machine_is_moved_by_its_program_alone() {
    let classes = java("Seconds");
    let machine = NodeSpec {
        runtime_threads: RUNTIME_THREADS.map(str::to_owned).to_vec(),
        ..node("machine", &["java", "-cp", &classes, "Seconds"])
    };
    let mut stage = open(vec![machine]);
    let machine = stage.node_named("machine").unwrap();
    stage.start(machine).unwrap();
    let n_waiting = stage.threads(machine).iter().filter(|thread| thread.deadline_ns.is_some()).count();
    assert!(n_waiting > 1, "{:#?}", stage.threads(machine));
    for second in 1..=5 {
        assert_eq!(tick_ms(&mut stage, machine), 1000);
        assert!(output(&stage, machine).ends_with(&format!("second {second}\n")));
    }
}
