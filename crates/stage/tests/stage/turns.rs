//! Threads of a node that take turns: who is next follows from the seed.

use stage::{NodeSpec, NodeState, Settings, Stage};

use crate::clocks::RUNTIME_THREADS;
use crate::kit::{c, guest, java, node, output, settings, tick_to_end};

/// Runs the racing threads to their end; returns the order in which they ran, and what was not under control.
fn race(seed: u64, takes_turns: bool, arguments: &[&str]) -> (String, Vec<String>) {
    let guest = c("race");
    let command: Vec<&str> = [guest.as_str()].into_iter().chain(arguments.iter().copied()).collect();
    let spec = NodeSpec { takes_turns, ..node("n1", &command) };
    let mut stage = Stage::open(Settings { seed, ..settings() }, vec![spec]).unwrap();
    let n1 = stage.node_named("n1").unwrap();
    stage.start(n1).unwrap();
    assert!(matches!(stage.state(n1), NodeState::Ended(_)), "it runs to its end: {:#?}", stage.threads(n1));
    let told = stage.uncontrolled().iter().map(|told| format!("{}: {}", told.call, told.detail)).collect();
    (output(&stage, n1), told)
}

#[test]
fn the_seed_decides_the_order_of_threads() {
    let (first, told) = race(1, true, &[]);
    assert_eq!(told, [""; 0]);
    // Each writes forty letters, and reads some of others from the pipe.
    assert_eq!(first.trim_end().len(), 6 * 40 + 6 * 13, "{first}");
    for _ in 0..9 {
        assert_eq!(race(1, true, &[]).0, first);
    }
    assert_ne!(race(2, true, &[]).0, first, "another seed, another order");
}

#[test]
fn without_turns_the_program_ends_as_well() {
    assert_eq!(race(1, false, &[]).0.trim_end().len(), 6 * 40 + 6 * 13);
}

#[test]
fn a_thread_that_spins_is_passed_over_and_told() {
    let (letters, told) = race(1, true, &["spin"]);
    assert_eq!(letters.trim_end().len(), 6 * 40 + 6 * 13);
    assert_eq!(told, ["turns: the thread `guest-race-c.pr` does not wait: others run beside it"]);
}

#[test]
fn a_thread_that_looks_at_the_clock_until_time_has_passed_gives_way() {
    let (first, told) = race(1, true, &["look"]);
    assert_eq!(told, [""; 0]);
    assert_eq!(race(1, true, &["look"]).0, first);
}

/// Bytes that it has received are counted before it waits for its turn; otherwise they would be on their way for ever.
#[test]
fn a_thread_that_waits_in_the_kernel_for_bytes_comes_to_rest() {
    let echo = |role: &str| NodeSpec {
        takes_turns: true,
        ..node(role, &["python3", &guest("echo.py"), role, "7001"])
    };
    let mut stage = Stage::open(settings(), vec![echo("server"), echo("client")]).unwrap();
    let (server, client) = (stage.node_named("server").unwrap(), stage.node_named("client").unwrap());
    stage.start(server).unwrap();
    stage.start(client).unwrap();
    for _ in 0..2 {
        stage.deliver(stage.held_messages()[0].id).unwrap();
    }
    assert!(output(&stage, client).ends_with("back b'hello 0\\n'\n"), "{}", output(&stage, client));
}

#[test]
fn the_threads_of_a_java_machine_take_turns() {
    let runs: Vec<String> = (0..3).map(|_| race_in_java(1)).collect();
    assert_eq!(runs[0].lines().count(), 120, "{}", runs[0]);
    assert!(runs.iter().all(|run| *run == runs[0]), "{runs:#?}");
    assert_ne!(race_in_java(2), runs[0], "another seed, another order");
}

fn race_in_java(seed: u64) -> String {
    let classes = java("Race");
    let command =
        ["java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-cp", &classes, "Race"];
    let runtime_threads = RUNTIME_THREADS.map(str::to_owned).to_vec();
    let spec = NodeSpec { takes_turns: true, runtime_threads, ..node("n1", &command) };
    let mut stage = Stage::open(Settings { seed, ..settings() }, vec![spec]).unwrap();
    let n1 = stage.node_named("n1").unwrap();
    stage.start(n1).unwrap();
    // A machine that ends may sleep for a moment.
    tick_to_end(&mut stage, n1);
    assert_eq!(stage.uncontrolled(), [], "nothing is passed over");
    assert!(matches!(stage.state(n1), NodeState::Ended(_)), "{:#?}", stage.threads(n1));
    output(&stage, n1)
}
