//! Temporal properties through the program: what is told, what is warned of, what is refused.

use crate::sandbox::Sandbox;

const MODULE: &str = "---- MODULE Lamp ----\nEXTENDS Naturals\nVARIABLES on, n\nvars == <<on, n>>\n\
                      Init == on = FALSE /\\ n = 0\n\
                      Press == on' = ~on /\\ n' = (n + 1) % 3\n\
                      Spec == Init /\\ [][Press]_vars /\\ WF_vars(Press)\n\
                      Lazy == Init /\\ [][Press]_vars\n\
                      Shines == []<>on\nBurns == <>[]on\nSmall == n < 3\nTiny == n < 2\n\
                      Asked == (n = 7) ~> on\n====\n";

fn lamp(config: &str) -> Sandbox {
    Sandbox::new().file("Lamp.tla", MODULE).file("Lamp.cfg", config)
}

#[test]
fn a_lasso_is_told_with_where_it_goes_back_to() {
    let run = lamp("SPECIFICATION Spec\nPROPERTY Burns\n").run("check --workers 1 Lamp.tla");
    assert_eq!(run.code(), Some(13));
    run.check("liveness-lasso");
}

#[test]
fn stuttering_is_named_and_lack_of_fairness_blamed() {
    let run = lamp("SPECIFICATION Lazy\nPROPERTY Shines\n").run("check --workers 1 Lamp.tla");
    assert_eq!(run.code(), Some(13));
    run.check("liveness-stuttering");
}

#[test]
fn a_lasso_is_kept_as_a_file() {
    let sandbox = lamp("SPECIFICATION Spec\nPROPERTY Burns\n");
    sandbox.run("check --workers 1 --trace lasso.itf.json Lamp.tla");
    let run = sandbox.run("trace show lasso.itf.json");
    assert!(run.stdout().contains("Then back to state"), "{}", run.stdout());
    let run = sandbox.run("check --workers 1 --format json Lamp.tla");
    assert!(run.stdout().contains("\"property_kind\":\"temporal\""), "{}", run.stdout());
    assert!(run.stdout().contains("\"loop\""), "{}", run.stdout());
    assert!(run.stdout().contains("\"bytes_per_step\""), "{}", run.stdout());
}

#[test]
fn what_may_hold_for_no_good_reason_is_warned_of() {
    let warned = |config: &str, code: &str| {
        let run = lamp(config).run("check --workers 1 --format json Lamp.tla");
        assert!(run.stdout().contains(code), "{code} expected\n{}", run.stdout());
    };
    warned("SPECIFICATION Spec\nPROPERTY Shines\nCONSTRAINT Small\n", "SL0762");
    warned("SPECIFICATION Spec\nPROPERTY Asked\n", "SL0764");
    warned("SPECIFICATION Lazy\nPROPERTY Shines\n", "SL0765");
    let run = lamp("SPECIFICATION Spec\nPROPERTY Shines\n").run("check --workers 1 --format json Lamp.tla");
    assert!(!run.stdout().contains("SL076"), "{}", run.stdout());
    assert_eq!(run.code(), Some(0));
}

#[test]
fn symmetry_is_warned_of() {
    let module = "---- MODULE Turn ----\nEXTENDS TLC\nCONSTANT P\nVARIABLE at\nPerms == Permutations(P)\n\
                  Init == at \\in P\nNext == at' \\in P\nSpec == Init /\\ [][Next]_at /\\ WF_at(Next)\n\
                  Moves == []<><<TRUE>>_at\n====\n";
    let config = "SPECIFICATION Spec\nCONSTANT P = {a, b}\nSYMMETRY Perms\nPROPERTY Moves\n";
    let sandbox = Sandbox::new().file("Turn.tla", module).file("Turn.cfg", config);
    let run = sandbox.run("check --workers 1 --format json Turn.tla");
    assert!(run.stdout().contains("SL0763"), "{}", run.stdout());
    assert_eq!(run.code(), Some(0), "{}", run.stdout());
}

#[test]
fn options_that_need_the_disk_are_refused() {
    for option in ["--spill spilled", "--checkpoint kept"] {
        let run = lamp("SPECIFICATION Spec\nPROPERTY Shines\n")
            .run(&format!("check --workers 1 --format json {option} Lamp.tla"));
        assert!(run.stdout().contains("SL0514"), "{option}: {}", run.stdout());
        assert_eq!(run.code(), Some(151), "{option}");
    }
}

#[test]
fn a_search_that_goes_on_after_violations_looks_at_behaviours_too() {
    let run = lamp("SPECIFICATION Spec\nINVARIANT Tiny\nPROPERTY Burns\n")
        .run("check --workers 1 --continue --format json Lamp.tla");
    assert!(run.stdout().contains("SL0761"), "{}", run.stdout());
}

#[test]
fn random_walks_look_for_lassos_in_what_they_came_by() {
    let held = lamp("SPECIFICATION Spec\nPROPERTY Shines\n").run("simulate --traces 20 --depth 9 Lamp.tla");
    assert_eq!(held.code(), Some(0), "{}{}", held.stdout(), held.stderr());
    let lasso = lamp("SPECIFICATION Spec\nPROPERTY Burns\n");
    lasso.run("simulate --traces 20 --depth 9 Lamp.tla").check("simulate-lasso");
    // The way round is not complete before the sixth step, and a walk without it says nothing.
    assert_eq!(lasso.run("simulate --traces 20 --depth 5 Lamp.tla").code(), Some(0));
    assert_eq!(lasso.run("simulate --traces 20 --depth 6 --workers 2 Lamp.tla").code(), Some(13));
    let stops = lamp("SPECIFICATION Lazy\nPROPERTY Shines\n");
    stops.run("simulate --traces 20 --depth 9 Lamp.tla").check("simulate-stuttering");
    stops.run("simulate --traces 20 --depth 9 --trace walk.itf.json Lamp.tla");
    assert_eq!(stops.run("check --load walk.itf.json Lamp.tla").code(), Some(13));
}

#[test]
fn a_temporal_property_without_a_value_on_a_walk_is_an_error() {
    let module = MODULE.replace("Tiny ==", "Odd == []<>(IF n = 2 THEN n ELSE on)\nTiny ==");
    let config = "SPECIFICATION Spec\nPROPERTY Odd\n";
    let run = Sandbox::new()
        .file("Lamp.tla", module)
        .file("Lamp.cfg", config)
        .run("simulate --traces 2 --depth 5 Lamp.tla");
    assert_eq!(run.code(), Some(255), "{}{}", run.stdout(), run.stderr());
    assert!(run.stdout().contains("3 states"), "{}{}", run.stdout(), run.stderr());
}

#[test]
fn a_search_that_ends_at_a_limit_says_that_behaviours_were_not_looked_at() {
    let sandbox = lamp("SPECIFICATION Spec\nPROPERTY Shines\n");
    for limit in ["--max-states 2", "--depth 2", "--time 0s"] {
        let run = sandbox.run(&format!("check --workers 1 --format json {limit} Lamp.tla"));
        assert!(run.stdout().contains("SL0767"), "{limit}: {}", run.stdout());
        assert_eq!(run.code(), Some(21), "{limit}");
    }
    let run = sandbox.run("check --workers 1 --max-states 2 Lamp.tla");
    run.check("liveness-limit");
    // Nothing was left out where there is nothing temporal, and where something else was found.
    for config in ["SPECIFICATION Spec\n", "SPECIFICATION Spec\nINVARIANT Tiny\nPROPERTY Shines\n"] {
        let run = lamp(config).run("check --workers 1 --format json --max-states 3 Lamp.tla");
        assert!(!run.stdout().contains("SL0767"), "{}", run.stdout());
    }
}

#[test]
fn where_the_temporal_part_begins_is_an_event() {
    let run = lamp("SPECIFICATION Spec\nPROPERTY Shines\n").run("check --workers 1 --format json Lamp.tla");
    let event = run.stdout().lines().find(|line| line.contains("\"kind\":\"temporal\""));
    assert!(event.is_some_and(|event| event.contains("\"steps\":6")), "{}", run.stdout());
}

#[test]
fn a_violation_names_the_instance_that_fails() {
    let module = "---- MODULE Turns ----
CONSTANT Node
VARIABLE pc
Init == pc = [n \\in Node |-> \"idle\"]
Ask(n) == pc[n] = \"idle\" /\\ pc' = [pc EXCEPT ![n] = \"asks\"]
Get(n) == pc[n] = \"asks\" /\\ pc' = [pc EXCEPT ![n] = \"idle\"]
Next == \\E n \\in Node : Ask(n) \\/ Get(n)
Spec == Init /\\ [][Next]_pc /\\ WF_pc(Next) /\\ WF_pc(Get(\"a\"))
Live == \\A n \\in Node : pc[n] = \"asks\" ~> pc[n] = \"idle\"
Pairs == \\A n, m \\in Node : n # m => [](pc[n] = \"asks\" => <>(pc[n] = \"idle\"))
====
";
    let sandbox = Sandbox::new().file("Turns.tla", module);
    let check = |words: &str| sandbox.run(&format!("{words} --workers 1 Turns"));
    check("check -D Node={\"a\",\"b\"} --property Live").says(13, &["this does not hold for n = \"b\""]);
    check("check -D Node={\"a\",\"b\",\"c\"} --property Pairs")
        .says(13, &["does not hold for n = \"b\", m = \"a\"; n = \"b\", m = \"c\""]);
    check("simulate --walks 50 -D Node={\"a\",\"b\"} --property Live")
        .says(13, &["this does not hold for n = \"b\""]);
}

/// The next state depends on a register, which changes with every step that is taken: what violates the property cannot be
/// made again, and is not told as a violation.
#[test]
fn a_violation_that_registers_decide_is_refused() {
    let module = "---- MODULE Registers ----
EXTENDS Naturals, TLC
VARIABLES x, y
Init == TLCSet(1, 0) /\\ x = 0 /\\ y = TLCGet(1)
Next == x < 3 /\\ TLCSet(1, TLCGet(1) + 1) /\\ x' = x + 1 /\\ y' = TLCGet(1)
Spec == Init /\\ [][Next]_<<x, y>>
Back == []<>(x = 0)
====
";
    let config = "SPECIFICATION Spec\nPROPERTY Back\nCHECK_DEADLOCK FALSE\n";
    let run =
        Sandbox::new().file("Registers.tla", module).file("Registers.cfg", config).run("check Registers.tla");
    assert_eq!(run.code(), Some(255), "{}{}", run.stdout(), run.stderr());
    assert!(run.stdout().contains("SL0512"), "{}", run.stdout());
    assert!(run.stdout().contains("steps depend on registers"), "{}", run.stdout());
}

#[test]
fn a_property_that_holds_under_a_view_which_hides_something_is_warned_about() {
    let module = "---- MODULE Hidden ----\nEXTENDS Naturals\nVARIABLES x, stuck\nvars == <<x, stuck>>\n\
                  Init == x = 0 /\\ stuck \\in BOOLEAN\n\
                  Next == ~stuck /\\ x' = 1 - x /\\ UNCHANGED stuck\n\
                  Spec == Init /\\ [][Next]_vars /\\ WF_vars(Next)\n\
                  Shown == x\nAll == <<vars, x>>\nMoves == []<>(x = 1)\n====\n";
    let check = |view: &str| {
        let config = format!("SPECIFICATION Spec\nVIEW {view}\nPROPERTY Moves\nCHECK_DEADLOCK FALSE\n");
        let sandbox = Sandbox::new().file("Hidden.tla", module).file("Hidden.cfg", &config);
        sandbox.run("check --workers 1 --format json Hidden.tla")
    };
    // The state in which nothing moves has the view of the one that is found first.
    let hidden = check("Shown");
    assert_eq!(hidden.code(), Some(0));
    assert!(hidden.stdout().contains("SL0770"), "{}", hidden.stdout());
    let shown = check("All");
    assert_eq!(shown.code(), Some(13));
    assert!(!shown.stdout().contains("SL0770"), "{}", shown.stdout());
}
