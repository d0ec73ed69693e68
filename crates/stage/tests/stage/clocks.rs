//! Time: a clock stands still until it is moved, and a wait ends when its deadline has come.

use std::time::Duration;

use stage::NodeState;

use crate::kit::{c, node, open, output, tick_to_end};

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
