//! TLC's walks: temporal properties on them, which action came after which, and how the next one is chosen.

use std::path::Path;

use test_kit::Expectations;

use crate::sandbox::{Run, Sandbox};
use crate::tlc::golden;

const RING: &str = r#"---- MODULE Ring ----
EXTENDS Naturals, TLC
CONSTANT P
VARIABLES at, lamp
vars == <<at, lamp>>
Init == at = 0 /\ lamp = FALSE
Go(p) == at' = (at + p) % 4 /\ UNCHANGED lamp
Press == at = 3 /\ lamp' = ~lamp /\ UNCHANGED at
Never == at > 3 /\ UNCHANGED vars
Next == (\E p \in P : Go(p)) \/ Press \/ Never
Spec == Init /\ [][Next]_vars
Fair == Spec /\ WF_vars(Next)
Home == []<>(at = 0)
Stays == <>[](lamp = FALSE)
Shown == [at |-> at, then |-> at']
Seen == <<at>>
Dark == lamp = FALSE
Sched == PrintT(<<TLCGet("config").sched, TLCGet("config").mode>>)
Reward == IF at' = at THEN 50 ELSE 0 - 50
NoReward == lamp
====
"#;

fn ring(config: &str) -> Sandbox {
    let config = format!("CONSTANT P = {{1, 2}}\n{config}");
    Sandbox::new().file("Ring.tla", RING).file("Ring.cfg", config)
}

#[test]
fn walks_are_asked_about_temporal_properties() {
    for mode in ["-simulate", "-generate"] {
        let held = ring("SPECIFICATION Fair\nPROPERTY Dark\n").run(&format!("tlc {mode} num=20 Ring.tla"));
        assert_eq!(held.code(), Some(0), "{}", held.stdout());
        let stops = ring("SPECIFICATION Spec\nPROPERTY Home Stays\n");
        let run = stops.run(&format!("tlc {mode} num=20 -depth 30 Ring.tla"));
        assert_eq!(run.code(), Some(13), "{}", run.stdout());
        assert!(run.stdout().contains("Stuttering"), "{}", run.stdout());
        let off = stops.run(&format!("tlc {mode} num=20 -depth 30 -lncheck off Ring.tla"));
        assert_eq!(off.code(), Some(0), "{}", off.stdout());
    }
}

#[test]
fn the_trace_of_a_walk_ends_with_the_state_that_is_asked_about() {
    let module = "---- MODULE Up ----\nEXTENDS Naturals, Sequences, TLCExt\nVARIABLE x\nInit == x = 1\n\
                  Next == x < 9 /\\ x' = x + 1\nAll == Len(Trace) = x /\\ \\A i \\in 1 .. x : Trace[i].x = i\n====\n";
    let config = "INIT Init\nNEXT Next\nINVARIANT All\nCONSTRAINT All\n";
    let sandbox = Sandbox::new().file("Up.tla", module).file("Up.cfg", config);
    for mode in ["-simulate", "-generate"] {
        let run = sandbox.run(&format!("tlc -deadlock {mode} num=2 Up.tla"));
        assert_eq!(run.code(), Some(0), "{}", run.stdout());
    }
}

#[test]
fn a_lasso_on_a_walk_is_told_as_tlc_tells_it() {
    let sandbox = ring("SPECIFICATION Fair\nPROPERTY Stays\n");
    golden(&sandbox.run("tlc -simulate num=20 -depth 30 -seed 2 Ring.tla"), "tlc-walk-lasso");
    golden(&sandbox.run("tlc -tool -simulate num=20 -depth 30 -seed 2 Ring.tla"), "tlc-walk-lasso-tool");
    let other = sandbox.run("tlc -simulate num=20 -depth 30 -seed 2 -workers 2 Ring.tla");
    assert_eq!(states(&other), states(&sandbox.run("tlc -simulate num=20 -depth 30 -seed 2 Ring.tla")));
    // What the ALIAS has of the next state leads round as well.
    let alias = ring("SPECIFICATION Fair\nPROPERTY Stays\nALIAS Shown\n");
    golden(&alias.run("tlc -simulate num=20 -depth 30 -seed 2 Ring.tla"), "tlc-walk-lasso-alias");
}

fn states(run: &Run) -> Vec<&str> {
    run.stdout().lines().filter(|line| line.starts_with("/\\") || line.starts_with("Back")).collect()
}

#[test]
fn the_graph_of_actions_is_drawn() {
    for (form, file) in [("basic", "tlc-actions-basic.dot"), ("full", "tlc-actions-full.dot")] {
        let sandbox = ring("SPECIFICATION Spec\n");
        let run = sandbox.run(&format!("tlc -simulate num=9,stats={form} -depth 12 -seed 3 Ring.tla"));
        assert_eq!(run.code(), Some(0), "{}", run.stdout());
        let drawn = sandbox.read("Ring_actions.dot");
        let mut expectations = Expectations::new();
        expectations.check(&Path::new("tests/cli/snapshots").join(file), &drawn);
        expectations.finish();
    }
    let nowhere = ring("SPECIFICATION Spec\n").folder("Ring_actions.dot");
    let run = nowhere.run("tlc -simulate num=9,stats=basic Ring.tla");
    assert_eq!(run.code(), Some(255), "{}", run.stdout());
    let twice = ring("SPECIFICATION Spec\n")
        .run("tlc -simulate num=9,stats=basic -userFile Ring_actions.dot Ring.tla");
    assert_eq!(twice.code(), Some(1), "{}", twice.stdout());
}

#[test]
fn actions_are_chosen_by_the_scheduler_that_is_asked_for() {
    for scheduler in ["random", "rl", "rlaction"] {
        let sandbox = ring("SPECIFICATION Spec\nPOSTCONDITION Sched\n");
        let run = sandbox.run(&format!("tlc -simulate num=40,sched={scheduler} -depth 20 Ring.tla"));
        assert_eq!(run.code(), Some(0), "{}", run.stdout());
        assert!(run.stdout().contains(&format!("<<\"{scheduler}\", \"simulate\">>")), "{}", run.stdout());
    }
    let property = ring("SPECIFICATION Spec\nPOSTCONDITION Sched\n");
    let run = property.run("tlc -Dtlc2.tool.Simulator.rlaction=true -simulate num=4 Ring.tla");
    assert!(run.stdout().contains("<<\"rlaction\", \"simulate\">>"), "{}", run.stdout());
}

/// How often an action came after another one, as wide as that is drawn.
fn n_pressed(config: &str, scheduler: &str) -> usize {
    let sandbox = ring(config);
    let run = sandbox.run(&format!("tlc -simulate num=300,file=w,sched={scheduler} -depth 20 Ring.tla"));
    assert_eq!(run.code(), Some(0), "{}", run.stdout());
    (0..300).map(|n| sandbox.read(&format!("w_0_{n}")).matches("\\* <Press ").count()).sum()
}

#[test]
fn walks_learn_from_what_they_are_told_a_step_is_worth() {
    let random = n_pressed("SPECIFICATION Spec\n", "random");
    let rewarded = n_pressed("SPECIFICATION Spec\n_RL_REWARD Reward\n", "rl");
    assert!(rewarded > 2 * random, "{rewarded} and {random}");
    // `Press` is seldom possible: after it failed once it is tried less.
    let by_action = n_pressed("SPECIFICATION Spec\n", "rlaction");
    assert!(2 * by_action < random, "{by_action} and {random}");
    let wrong =
        ring("SPECIFICATION Spec\n_RL_REWARD NoReward\n").run("tlc -simulate num=4,sched=rl Ring.tla");
    assert_eq!(wrong.code(), Some(255), "{}", wrong.stdout());
}

const LADDER: &str = r#"---- MODULE Ladder ----
EXTENDS Naturals, TLC
VARIABLES at
Init == at = 0
None == at = 0 /\ at > 1
Climb == at < 3 /\ at' = at + 1
Jump == at < 2 /\ at' = at + 2
Wait == at < 3 /\ UNCHANGED at
Fall == at = 3 /\ Assert(FALSE, "fallen") /\ UNCHANGED at
Next == Climb \/ Jump \/ Wait
Fatal == Next \/ Fall
Spec == Init /\ [][Next]_at
Low == at < 3
Slow == [][at' <= at + 1]_at
Up == <>(at = 3)
High == at > 0
Done == PrintT(<<"done", TLCGet("config").mode>>)
====
"#;

fn ladder(config: &str) -> Sandbox {
    Sandbox::new().file("Ladder.tla", LADDER).file("Ladder.cfg", config)
}

fn rungs(run: &Run) -> Vec<&str> {
    run.stdout().lines().filter(|line| line.starts_with("at = ")).collect()
}

fn n_told(run: &Run, words: &str) -> usize {
    run.stdout().matches(words).count()
}

#[test]
fn walks_go_on_after_violations_if_they_are_told_to() {
    let sandbox = ladder(
        "SPECIFICATION Spec\nINVARIANT Low\nPROPERTY Slow\nPOSTCONDITION Done\nCHECK_DEADLOCK FALSE\n",
    );
    let ends = sandbox.run("tlc -simulate num=20 Ladder.tla");
    assert_eq!((ends.code(), n_told(&ends, "is violated.")), (Some(12), 1), "{}", ends.stdout());
    for mode in ["-simulate", "-generate"] {
        let run = sandbox.run(&format!("tlc {mode} num=20 -continue -dumpTrace json first.json Ladder.tla"));
        assert_eq!(run.code(), Some(0), "{}", run.stdout());
        let (invariants, steps) = (n_told(&run, "Invariant Low"), n_told(&run, "Action property Slow"));
        assert!(invariants > 0 && steps > 0, "{}", run.stdout());
        assert!(invariants + steps > 15, "nearly all walks end so: {}", run.stdout());
        // After each of them, and at the end.
        assert_eq!(n_told(&run, "The number of states generated"), invariants + steps + 1);
        assert_eq!(n_told(&run, "Progress: "), 1, "{}", run.stdout());
        assert_eq!(n_told(&run, "CounterExample written"), 1, "{}", run.stdout());
        // TLC: they went to their end, so that a postcondition is asked once.
        assert_eq!(n_told(&run, "done"), 1, "{}", run.stdout());
        let other = sandbox.run(&format!("tlc {mode} num=10 -workers 2 -continue Ladder.tla"));
        assert_eq!(rungs(&run), rungs(&other), "the number of workers makes no difference");
    }
    golden(&sandbox.run("tlc -simulate num=2 -continue Ladder.tla"), "tlc-walk-continue");
    golden(&sandbox.run("tlc -tool -simulate num=2 -continue Ladder.tla"), "tlc-walk-continue-tool");
}

#[test]
fn walks_do_not_go_on_after_all() {
    let deadlock = ladder("SPECIFICATION Spec\n").run("tlc -simulate num=5 -continue Ladder.tla");
    assert_eq!((deadlock.code(), n_told(&deadlock, "Deadlock reached.")), (Some(0), 5));
    let temporal = ladder("SPECIFICATION Spec\nPROPERTY Up\nCHECK_DEADLOCK FALSE\n");
    let run = temporal.run("tlc -simulate num=50 -depth 3 -continue Ladder.tla");
    assert_eq!((run.code(), n_told(&run, "was violated.")), (Some(13), 1), "{}", run.stdout());
    let fatal = ladder("INIT Init\nNEXT Fatal\nINVARIANT Low\n");
    let run = fatal.run("tlc -simulate num=20 -continue Ladder.tla");
    assert_eq!(run.code(), Some(0), "no walk comes so far: {}", run.stdout());
    let fatal = ladder("INIT Init\nNEXT Fatal\nPROPERTY Slow\n");
    let run = fatal.run("tlc -simulate num=50 -continue Ladder.tla");
    assert_eq!(run.code(), Some(255), "{}", run.stdout());
    assert!(n_told(&run, "fallen") > 0, "{}", run.stdout());
}

#[test]
fn walks_that_cannot_begin_are_an_error() {
    for (config, words) in [
        ("INIT None\nNEXT Next\n", "no state satisfying the initial state predicate."),
        ("INIT Init\nNEXT Next\nCONSTRAINT High\n", "initial state predicate and the state-constraint(s)."),
    ] {
        let run = ladder(config).run("tlc -simulate num=5 Ladder.tla");
        assert_eq!(run.code(), Some(255), "{}", run.stdout());
        assert!(run.stdout().contains(words), "{}", run.stdout());
    }
    // TLC: the first walk is made whatever the number.
    let run = ladder("SPECIFICATION Spec\n").run("tlc -simulate num=0 Ladder.tla");
    assert_eq!(run.code(), Some(11), "{}", run.stdout());
}
