//! `specline check`: answers, exit codes, and clear endings for specifications that cannot be checked.

use crate::sandbox::Sandbox;

const COUNTER: &str = "\
---- MODULE Counter ----
EXTENDS Naturals
CONSTANT Max
VARIABLES n, log
Init == n = 0 /\\ log = {}
Add(k) == n + k <= Max /\\ n' = n + k /\\ log' = log \\cup {k}
Next == \\E k \\in 1..2 : Add(k)
TypeOK == n \\in Nat
Low == TypeOK /\\ n < 4
====
";

const CONFIG: &str = "INIT Init\nNEXT Next\nCONSTANT Max = 4\nINVARIANT Low\n";

fn counter() -> Sandbox {
    Sandbox::new().file("Counter.tla", COUNTER).file("Counter.cfg", CONFIG)
}

#[test]
fn a_violation_has_a_trace_and_a_reason() {
    counter().run("check --workers 1 Counter.tla").check("check-violation");
}

#[test]
fn the_answer_does_not_depend_on_workers() {
    let sandbox = counter();
    let one = sandbox.run("check --workers 1 Counter.tla");
    assert_eq!(one.code(), Some(12));
    assert_eq!(sandbox.run("check --workers 3 Counter.tla").stdout(), one.stdout());
}

#[test]
fn constants_come_from_the_command_line() {
    let sandbox = counter();
    let run = sandbox.run("check --workers 1 -D Max=1+1 --deadlock off Counter.tla");
    run.check("check-define");
    assert_eq!(run.code(), Some(0));
}

#[test]
fn a_limit_has_an_exit_code_of_its_own() {
    let sandbox = counter();
    let run = sandbox.run("check --workers 1 --depth 2 Counter.tla");
    run.check("check-depth");
    assert_eq!(run.code(), Some(21));
    assert_eq!(sandbox.run("check --workers 1 --max-states 2 Counter.tla").code(), Some(21));
}

#[test]
fn initial_states_without_end_are_cut_short_too() {
    let module = "---- MODULE Many ----\nEXTENDS Naturals\nVARIABLES m, n\n\
                  Init == m \\in 1..1000000 /\\ n \\in 1..1000000\nNext == UNCHANGED <<m, n>>\n====\n";
    let sandbox = Sandbox::new().file("Many.tla", module).file("Many.cfg", "INIT Init\nNEXT Next\n");
    for search in ["bfs", "dfs"] {
        let run = sandbox.run(&format!("check --workers 1 --search {search} --max-states 10 Many.tla"));
        assert_eq!(run.code(), Some(21), "{}{}", run.stdout(), run.stderr());
        assert!(run.stdout().contains("10 states generated, 10 distinct states found"), "{}", run.stdout());
    }
}

#[test]
fn a_search_that_is_cut_short_never_succeeds() {
    let sandbox = counter().file("Free.cfg", "INIT Init\nNEXT Next\nCONSTANT Max = 4\n");
    let n_states = 9;
    for search in ["bfs", "dfs"] {
        for max in 0..=n_states {
            let line = "check --workers 1 --deadlock off --config Free.cfg Counter.tla";
            let run = sandbox.run(&format!("{line} --search {search} --max-states {max}"));
            let wanted = if max < n_states { 21 } else { 0 };
            assert_eq!(run.code(), Some(wanted), "{search}, {max}: {}", run.stdout());
        }
    }
}

#[test]
fn going_on_counts_violations() {
    let run = counter().run("check --workers 1 --continue --deadlock off Counter.tla");
    run.check("check-continue");
    assert_eq!(run.code(), Some(12));
}

#[test]
fn events_are_json() {
    counter().run("check --workers 1 --format json Counter.tla").check("check-json");
}

#[test]
fn without_a_configuration_the_usual_names_are_assumed_and_told() {
    let sandbox = Sandbox::new().file("Counter.tla", COUNTER);
    let run = sandbox.run("check Counter.tla");
    run.check("check-no-config");
    assert_eq!(run.code(), Some(151));
    let run = sandbox.run("check --workers 1 Counter -D Max=4 --invariant Low --invariant n<9 --no-deadlock");
    run.check("check-assumed");
    assert_eq!(run.code(), Some(12));
    let sandbox = sandbox.file("MC.cfg", CONFIG);
    sandbox.run("check Counter -D Max=4").says(11, &["there is no configuration", "there is `MC.cfg`"]);
    // TLC assumes nothing.
    assert_eq!(sandbox.run("tlc Counter").code(), Some(255));
}

#[test]
fn a_module_without_the_usual_names_needs_a_configuration() {
    let module = COUNTER.replace("Init ==", "Start ==");
    let run = Sandbox::new().file("Counter.tla", module).run("check Counter.tla -D Max=4");
    run.says(255, &["SL0001", "`Counter.cfg` does not exist", "neither `Spec` nor `Init` and `Next`"]);
}

#[test]
fn properties_come_from_the_command_line() {
    let sandbox = counter();
    let check = |words: &[&str]| {
        let mut command = sandbox.command("check --workers 1 Counter --no-deadlock");
        let output = command.args(words).output().expect("the program starts");
        let text = String::from_utf8(output.stdout).expect("output is UTF-8");
        (output.status.code(), text + &String::from_utf8_lossy(&output.stderr))
    };
    let cases: &[(&[&str], i32, &str)] = &[
        (&["--invariant", "n + 1 < 9", "-D", "Max=3"], 0, "invariants `Low`, `n + 1 < 9`"),
        (&["--invariant", "Even == n % 2 = 0", "-D", "Max=3"], 12, "invariant `Even` is violated"),
        (&["--invariant", "Low", "-D", "Max=3"], 0, "Checked: invariant `Low`; deadlock is allowed."),
        (&["--property", "[][n' > n]_n", "-D", "Max=3"], 0, "property `[][n' > n]_n`"),
        (&["--property", "[][n' = n + 1]_n", "-D", "Max=3"], 13, "action property"),
        (&["--property", "<>(n = 3)", "-D", "Max=3"], 13, "temporal property `<>(n = 3)` is violated"),
        (&["--property", "n < 2", "-D", "Max=3"], 151, "says something of initial states alone"),
        (&["--property", "n' > n", "-D", "Max=3"], 151, "this is about a step"),
        (&["--invariant", "n' > n", "-D", "Max=3"], 151, "this is about a step"),
        (&["--invariant", "[](n < 2)", "-D", "Max=3"], 151, "give it with --property"),
        (&["--invariant", "m < 2", "-D", "Max=3"], 150, "`m` is not defined"),
        // Somebody who compares with `==` must not have the right side checked alone.
        (&["--invariant", "n == 3", "-D", "Max=3"], 150, "to compare, write `=`: `n = 3`"),
        (&["--invariant", "Low == TRUE", "-D", "Max=3"], 150, "--invariant cannot define `Low`"),
        (&["--invariant", "Odd == TRUE", "--invariant", "Odd == FALSE", "-D", "Max=3"], 150, "SL0302"),
        (&["--invariant", "n <", "-D", "Max=3"], 150, "SL0110"),
    ];
    for (words, code, text) in cases {
        let (found, all) = check(words);
        assert_eq!(found, Some(*code), "{words:?}\n{all}");
        assert!(all.contains(text), "{words:?}\n`{text}` is not in\n{all}");
    }
}

#[test]
fn a_quiet_check_says_only_what_is_wrong() {
    let sandbox = counter();
    let well = sandbox.run("check -q --workers 1 Counter --no-deadlock -D Max=3");
    assert_eq!((well.code(), well.stdout(), well.stderr()), (Some(0), "", ""));
    let wrong = sandbox.run("check --quiet --workers auto Counter");
    wrong.says(12, &["invariant `Low` is violated", "State 3"]);
    assert!(!wrong.stdout().contains("distinct"), "{}", wrong.stdout());
    assert_eq!(sandbox.run("parse -q Counter").stdout(), "");
    let walks = sandbox.run("simulate -q --walks 3 -D Max=3 --no-deadlock Counter");
    assert_eq!((walks.code(), walks.stdout()), (Some(0), ""));
}

#[test]
fn switches_have_a_short_form_and_the_last_one_counts() {
    let sandbox = counter();
    for (words, code) in [
        ("", 11),
        ("--deadlock off", 0),
        ("--no-deadlock", 0),
        ("--no-deadlock --deadlock on", 11),
        ("--deadlock on --no-deadlock", 0),
    ] {
        let run = sandbox.run(&format!("check --workers 1 -D Max=3 {words} Counter"));
        assert_eq!(run.code(), Some(code), "{words}: {}{}", run.stdout(), run.stderr());
    }
    for words in ["--no-minimise", "--minimise off", "--minimize off"] {
        sandbox.run(&format!("simulate --walks 3 -D Max=3 --no-deadlock {words} Counter")).ends_with(0);
    }
}

#[test]
fn a_deadlock_names_each_guard_that_stops_instances_of_an_action() {
    const LOCKS: &str = r#"---- MODULE Locks ----
VARIABLES pc, lock
P == {"p", "q", "r"}
Init == pc = [i \in P |-> "a"] /\ lock = "none"
Take(i) == pc[i] = "a" /\ lock = "none" /\ lock' = i /\ pc' = [pc EXCEPT ![i] = "b"]
Wait(i) == pc[i] = "b" /\ i # lock /\ pc' = [pc EXCEPT ![i] = "c"] /\ UNCHANGED lock
Next == \E i \in P : Take(i) \/ Wait(i)
====
"#;
    let run = Sandbox::new().file("Locks.tla", LOCKS).run("check --workers 1 Locks");
    run.says(
        11,
        &[
            "`Take(i = \"q\")` is not possible: `lock = \"none\"` is FALSE",
            "(lock is \"p\"); 1 other instance stopped there too",
            "`Take(i = \"p\")` is not possible: `pc[i] = \"a\"` is FALSE",
            "`Wait(i = \"p\")` is not possible: `i # lock` is FALSE",
            "`Wait(i = \"q\")` is not possible: `pc[i] = \"b\"` is FALSE",
        ],
    );
}

#[test]
fn a_lint_explains_a_failure_that_it_causes() {
    let module = |next: &str| {
        format!(
            "---- MODULE Slip ----\nEXTENDS Naturals\nVARIABLES x, y\nInit == x = 0 /\\ y = 0\nNext == {next}\n====\n"
        )
    };
    let run = |next: &str| Sandbox::new().file("Slip.tla", module(next)).run("check --workers 1 Slip");
    run("x' = x + 1").says(75, &["SL0716", "SL0604", "gives `y` no next value"]);
    let twice = run("x < 3 /\\ x' = x + 1 /\\ y' = y /\\ UNCHANGED <<x, y>>");
    twice.says(11, &["SL0755", "SL0605", "says twice what the next value of `x` and `y` is"]);
    // A deadlock that comes from something else is not blamed on it.
    let other = run("x < 3 /\\ x' = x + 1 /\\ y' = y");
    other.says(11, &["`Next` is not possible: `x < 3` is FALSE", "--deadlock off"]);
    assert!(!other.stdout().contains("SL0605"), "{}", other.stdout());
}

#[test]
fn deadlock_is_found_and_can_be_allowed() {
    let sandbox = counter();
    let run = sandbox.run("check --workers 1 -D Max=3 Counter.tla");
    assert_eq!(run.code(), Some(11), "{}", run.stdout());
    assert!(run.stdout().contains("SL0755"), "{}", run.stdout());
    assert_eq!(sandbox.run("check --workers 1 -D Max=3 --deadlock off Counter.tla").code(), Some(0));
}

/// Each ends with its code and its exit code: nothing hangs, nothing panics.
#[test]
fn what_cannot_be_evaluated_ends_clearly() {
    let cases: &[(&str, &str, i32, &str)] = &[
        ("recurses for ever", "x' = F(x)", 75, "SL0712"),
        ("leaves a variable open", "x' = 1 /\\ UNCHANGED z", 75, "SL0716"),
        ("a set too large", "x' = SUBSET (1..60) /\\ UNCHANGED <<y, z>>", 75, "SL0705"),
        ("compares unlike kinds", "x = \"a\" /\\ x' = 1 /\\ UNCHANGED <<y, z>>", 75, "SL0701"),
        ("outside of a domain", "x' = <<1>>[2] /\\ UNCHANGED <<y, z>>", 75, "SL0702"),
        ("the wrong kind", "x' = x + \"a\" /\\ UNCHANGED <<y, z>>", 75, "SL0703"),
        ("enumerates Nat", "\\E n \\in Nat : x' = n /\\ UNCHANGED <<y, z>>", 75, "SL0704"),
        ("no witness", "x' = (CHOOSE n \\in {} : TRUE) /\\ UNCHANGED <<y, z>>", 75, "SL0706"),
        ("not a boolean", "x /\\ UNCHANGED <<x, y, z>>", 75, "SL0707"),
        ("read too early", "x' > 1 /\\ UNCHANGED <<x, y, z>>", 75, "SL0708"),
        ("no arm", "x' = (CASE x = 1 -> 1) /\\ UNCHANGED <<y, z>>", 75, "SL0709"),
        ("divides by zero", "x' = 1 \\div x /\\ UNCHANGED <<y, z>>", 75, "SL0710"),
        ("an empty sequence", "x' = Head(<<>>) /\\ UNCHANGED <<y, z>>", 75, "SL0711"),
        ("an assertion", "Assert(x = 1, \"no\") /\\ UNCHANGED <<x, y, z>>", 14, "SL0713"),
        ("unbounded", "\\E n : x' = n /\\ UNCHANGED <<y, z>>", 75, "SL0714"),
        ("infinite in a state", "x' = Nat /\\ UNCHANGED <<y, z>>", 75, "SL0715"),
        ("an unset register", "x' = TLCGet(5) /\\ UNCHANGED <<y, z>>", 75, "SL0717"),
        ("a missing file", "x' = JsonDeserialize(\"gone\") /\\ UNCHANGED <<y, z>>", 75, "SL0718"),
        ("an EXCEPT without effect", "x' = [<<1>> EXCEPT ![2] = 2][1] /\\ UNCHANGED <<y, z>>", 0, "SL0719"),
    ];
    for (what, next, exit, code) in cases {
        let module = format!(
            "---- MODULE Bad ----\nEXTENDS Naturals, Sequences, FiniteSets, TLC, Json\nVARIABLES x, y, z\n\
             RECURSIVE F(_)\nF(n) == 1 + F(n + 1)\nInit == x = 0 /\\ y = 0 /\\ z = 0\nNext == {next}\n====\n"
        );
        let sandbox = Sandbox::new().file("Bad.tla", &module).file("Bad.cfg", "INIT Init\nNEXT Next\n");
        let run = sandbox.run("check --format json --workers 1 Bad.tla");
        assert!(run.stdout().contains(code), "{what}: {code} expected\n{}", run.stdout());
        assert_eq!(run.code(), Some(*exit), "{what}: {}", run.stdout());
    }
}

/// Properties that are violated, and what they exit with. The remaining codes of the search: SL0751 to SL0760
/// have examples on their pages, which are run too.
#[test]
fn violations_have_tlcs_exit_codes() {
    let cases: &[(&str, &str, i32, &str)] = &[
        ("INVARIANT Low", "", 12, "SL0752"),
        ("PROPERTY Grows", "", 13, "SL0753"),
        ("PROPERTY Positive", "", 13, "SL0754"),
        ("POSTCONDITION Deep", "", 10, "SL0756"),
        ("_POSSIBLE Far", "", 10, "SL0757"),
        ("", "ASSUME 1 > 2\n", 10, "SL0751"),
        ("PROPERTY Returns", "", 13, "SL0761"),
        ("PROPERTY Steps", "", 255, "SL0512"),
        ("PROPERTY Empty", "", 77, "SL0513"),
        ("_PERIODIC Nowhere", "", 0, ""),
        ("CONSTRAINT Far", "", 0, ""),
        ("CONSTRAINT Nowhere", "", 151, "SL0510"),
    ];
    for (config, assume, exit, code) in cases {
        let module = format!(
            "---- MODULE Ring ----\nEXTENDS Naturals, TLC\nVARIABLE x\n{assume}Init == x = 0\nNext == x' = (x + 1) % 4\n\
             Low == x < 3\nGrows == [][x' > x]_x\nPositive == x > 0\nDeep == TLCGet(\"diameter\") > 9\n\
             Far == x > 9\nReturns == []<>(x = 1)\n\
             Steps == <><<Next>>_x\nEmpty == \\A i \\in {{}} : <>(x = i)\nNotBoolean == x + 1\nNowhere == FALSE\n====\n"
        );
        let config = format!("INIT Init\nNEXT Next\n{config}\n");
        let sandbox = Sandbox::new().file("Ring.tla", &module).file("Ring.cfg", &config);
        let run = sandbox.run("check --format json --workers 1 Ring.tla");
        assert!(run.stdout().contains(code), "{config}: {code} expected\n{}", run.stdout());
        assert_eq!(run.code(), Some(*exit), "{config}: {}", run.stdout());
    }
}

#[test]
fn no_initial_state_is_an_error() {
    let module = "---- MODULE None ----\nVARIABLE x\nInit == x \\in {}\nNext == x' = x\n====\n";
    let sandbox = Sandbox::new().file("None.tla", module).file("None.cfg", "INIT Init\nNEXT Next\n");
    let run = sandbox.run("check None.tla");
    assert_eq!(run.code(), Some(22), "{}", run.stdout());
    assert!(run.stdout().contains("SL0759"), "{}", run.stdout());
}

#[test]
fn a_ten_million_element_interval_is_no_burden() {
    let module = "---- MODULE Wide ----\nEXTENDS Naturals\nVARIABLE x\nInit == x = 0\n\
                  Next == x' \\in {x, x + 1} /\\ x' \\in 0..10000000 /\\ x' < 5\n====\n";
    let sandbox = Sandbox::new().file("Wide.tla", module).file("Wide.cfg", "INIT Init\nNEXT Next\n");
    let run = sandbox.run("check Wide.tla");
    assert_eq!(run.code(), Some(0), "{}", run.stdout());
}

#[test]
fn what_is_evaluated_can_be_printed() {
    let run = counter().run("check --emit ir Counter.tla");
    run.check("check-emit-ir");
    assert_eq!(run.code(), Some(0));
    let page = include_str!("../../../../docs/ir.md");
    assert!(page.contains(run.stdout()), "the page has what is printed");
}

/// One of each form, so that a change of lowering shows.
#[test]
fn every_form_has_its_text() {
    let module = r#"---- MODULE Forms ----
EXTENDS Naturals, Sequences, FiniteSets, TLC
CONSTANTS Node, Limit
VARIABLES st, log, box
vars == <<st, log, box>>
RECURSIVE Sum(_)
Sum(s) == IF s = <<>> THEN 0 ELSE Head(s) + Sum(Tail(s))
Apply(Op(_), x) == Op(x)
Size == Cardinality(Node)
Largest == CHOOSE n \in Node : \A m \in Node : m <= n
Square[n \in Nat] == IF n = 0 THEN 0 ELSE Square[n - 1] + 2 * n - 1
Init == /\ st = [n \in Node |-> [term |-> 0, ok |-> TRUE]]
        /\ log \in [Node -> {<<>>}]
        /\ box = {}
Grow(n) == LET t == st[n].term + 1 IN
    /\ t < Limit
    /\ st' = [st EXCEPT ![n].term = t, ![n].ok = ~@]
    /\ log' = [log EXCEPT ![n] = Append(@, t)]
    /\ UNCHANGED box
Move(m) == box' = box \ {m} /\ UNCHANGED <<st, log>>
Stay == CASE box = {} -> UNCHANGED vars [] OTHER -> FALSE
Next == (\E n \in Node : Grow(n)) \/ (\E m \in box : Move(m)) \/ Stay
Typed == /\ \A n \in Node : st[n] \in [term : Nat, ok : BOOLEAN]
         /\ box \subseteq {<<a, b>> : a \in Node, b \in Node}
         /\ {<<x, y>> \in box : x # y} \in SUBSET (Node \X Node)
         /\ Apply(LAMBDA s : Sum(s), log[Largest]) <= Square[Limit] \/ ENABLED Stay
Rises == [][\A n \in Node : st'[n].term >= st[n].term]_vars
====
"#;
    let config = "INIT Init\nNEXT Next\nCONSTANTS Node = {1, 2} Limit = 3\nINVARIANT Typed\nPROPERTY Rises\n";
    let sandbox = Sandbox::new().file("Forms.tla", module).file("Forms.cfg", config);
    sandbox.run("check --emit ir Forms.tla").check("check-emit-ir-forms");
    assert_eq!(sandbox.run("check --workers 1 Forms.tla").code(), Some(0));
}

/// Every field and every word of the events is on their page.
#[test]
fn events_are_as_their_page_says() {
    let page = include_str!("../../../../docs/check-json.md");
    let module = "---- MODULE All ----\nEXTENDS Naturals, TLC\nVARIABLE x\nInit == x = 0\n\
                  Next == x' = x + 1 /\\ PrintT(x)\nLow == x < 2\nBad == x < \"a\"\nUp == [][x' < x]_x\n\
                  Start == x = 1\nDeep == FALSE /\\ x = 1\nFar == x > 99\nEnd == TLCGet(\"diameter\") = 0\n\
                  Con == x < 3\nOpen == x < 2 /\\ PrintT(x)\nTold == Assert(x < 1, \"no\")\n====\n";
    let cases = [
        ("INVARIANT Low", ""),
        ("INVARIANT Low", "--continue --depth 4"),
        ("INVARIANT Bad", ""),
        ("PROPERTY Up", ""),
        ("PROPERTY Start", ""),
        ("CONSTRAINT Con\nPOSTCONDITION End", "--deadlock off"),
        ("CONSTRAINT Con\n_POSSIBLE Far", "--deadlock off"),
        ("CONSTRAINT Con", ""),
        ("CONSTRAINT Told", ""),
        ("VIEW Bad", ""),
        ("", "--depth 3"),
        ("", "--max-states 3"),
        ("", "--time 1"),
    ];
    for (config, flags) in cases {
        let config = format!("INIT Init\nNEXT Next\n{config}\n");
        let sandbox = Sandbox::new().file("All.tla", module).file("All.cfg", &config);
        let run = sandbox.run(&format!("check --workers 1 --format json {flags} All.tla"));
        for line in run.stdout().lines() {
            let event: serde_json::Value = serde_json::from_str(line).expect("each line is JSON");
            let fields = event.as_object().expect("each line is an object");
            let kind = fields["kind"].as_str().expect("every event has a kind");
            let words = ["kind", "verdict", "property_kind", "phase"]
                .iter()
                .filter_map(|name| fields.get(*name)?.as_str());
            // The fields of a diagnostic are on the page of `parse`.
            let names = fields.keys().map(String::as_str).filter(|_| kind != "diagnostic");
            for word in words.chain(names) {
                assert!(page.contains(&format!("`{word}`")), "{word}: {line}");
            }
        }
    }
}

#[test]
fn a_large_search_tells_where_memory_went() {
    let module = "---- MODULE Large ----\nEXTENDS Naturals\nVARIABLES x, y, z\nInit == x = 0 /\\ y = 0 /\\ z = 0\n\
                  Next == x = 0 /\\ y = 0 /\\ z = 0 /\\ x' \\in 0..24 /\\ y' \\in 0..24 /\\ z' \\in 0..19\n====\n";
    let sandbox = Sandbox::new().file("Large.tla", module).file("Large.cfg", "INIT Init\nNEXT Next\n");
    let run = sandbox.run("check --workers 1 --deadlock off Large.tla");
    let line = run.stdout().lines().last().expect("something is said");
    let words = ["bytes a state: states ", ", parents 4.0, values ", ", tables ", ", frontier "];
    assert!(words.iter().all(|word| line.contains(word)), "{line}");
    let few = sandbox.run("check --workers 1 --deadlock off --max-states 9000 Large.tla");
    assert!(!few.stdout().contains("bytes a state"), "{}", few.stdout());
}

#[test]
fn the_report_of_the_engine_names_actions_and_what_is_not_compiled() {
    let module = "---- MODULE Queue ----\nEXTENDS Naturals, Sequences, TLC\nVARIABLE queue\nInit == queue = <<>>\n\
                  Put == Len(queue) < 5 /\\ \\E n \\in 1..3 : queue' = Append(queue, n)\n\
                  Take == queue # <<>> /\\ queue' = Tail(queue)\n\
                  Odd == queue' \\in [1..Len(queue) -> 1..2] /\\ Len(queue) = 1\n\
                  Next == Put \\/ Take \\/ Odd\n====\n";
    let sandbox = Sandbox::new().file("Queue.tla", module).file("Queue.cfg", "INIT Init\nNEXT Next\n");
    let run = sandbox.run("check --workers 1 --engine compiled --engine-report Queue.tla");
    assert_eq!(run.code(), Some(0), "{}", run.stderr());
    let lines = run.stderr();
    for action in ["Put at Queue.tla:5:8", "Take at Queue.tla:6:9", "Odd at Queue.tla:7:8"] {
        assert!(lines.contains(action), "{lines}");
    }
    assert!(lines.contains("runs of code") && lines.contains(" interpreted ("), "{lines}");
    assert!(lines.contains("left to the interpreter: Queue.tla:7:"), "{lines}");
    let run = sandbox.run("check --workers 1 --engine interpreted --engine-report Queue.tla");
    assert!(run.stderr().contains("Engine: everything was interpreted"), "{}", run.stderr());
    assert!(!sandbox.run("check Queue.tla").stderr().contains("Engine"));
}

#[test]
fn a_function_that_applies_itself_in_several_places_is_evaluated_once_for_each_argument() {
    // Without that it takes 3^30 steps.
    let module = "---- MODULE Often ----\nEXTENDS Naturals\nVARIABLE x\nInit == x = 0\n\
                  Sum(n) == LET F[i \\in 0..n] == IF i = 0 THEN <<0, {}>> \
                            ELSE <<F[i - 1][1] + i, F[i - 1][2] \\cup {F[i - 1][1]}>> IN F[n]\n\
                  Next == x < 465 /\\ x' = Sum(x + 30)[1]\nInv == Sum(31 + x - x)[1] = 496\n====\n";
    let config = "INIT Init\nNEXT Next\nINVARIANT Inv\nCHECK_DEADLOCK FALSE\n";
    let sandbox = Sandbox::new().file("Often.tla", module).file("Often.cfg", config);
    for engine in ["interpreted", "compiled"] {
        let run = sandbox.run(&format!("check --workers 1 --time 60s --engine {engine} Often.tla"));
        assert_eq!(run.code(), Some(0), "{engine}: {}{}", run.stdout(), run.stderr());
        assert!(run.stdout().contains("2 states generated, 2 distinct"), "{engine}: {}", run.stdout());
    }
}

#[test]
fn coverage_counts_whatever_the_engine() {
    let spec = "---- MODULE Count ----\nEXTENDS Naturals\nVARIABLES x, y\nInit == x = 0 /\\ y = 0\n\
                Next == (x < 9 /\\ x' = x + 1 /\\ UNCHANGED y) \\/ (y < 9 /\\ y' = y + 1 /\\ UNCHANGED x)\n====\n";
    let config = "INIT Init\nNEXT Next\nCHECK_DEADLOCK FALSE\n";
    let sandbox = Sandbox::new().file("Count.tla", spec).file("Count.cfg", config);
    let [interpreted, compiled] = ["interpreted", "compiled"].map(|engine| {
        let run = sandbox.run(&format!("check --workers 1 --coverage --engine {engine} Count.tla"));
        assert_eq!(run.code(), Some(0), "{}", run.stderr());
        run.stdout().to_owned()
    });
    assert_eq!(interpreted, compiled);
}

/// TLC finds as many states.
#[test]
fn large_sets_and_functions_are_the_same_however_they_came_about() {
    let spec = r#"---- MODULE Many ----
EXTENDS Naturals, FiniteSets, TLC, Bags
VARIABLES set, fun, bag
Key(n) == <<n, n * n>>
Init ==
    /\ set = {Key(n) : n \in 1..512}
    /\ fun = [name \in {ToString(n) : n \in 1..512} |-> 0]
    /\ bag = SetToBag({Key(n) : n \in 1..512})
Sets == \E n \in {3, 513, 514} : set' \in {set \cup {Key(n)}, set \ {Key(n)}} /\ UNCHANGED <<fun, bag>>
Functions ==
    /\ \/ \E n \in {7, 8} : fun' = [fun EXCEPT ![ToString(n)] = 1 - @]
       \/ fun' = ("513" :> 5) @@ fun
       \/ fun' = [name \in DOMAIN fun \ {"513"} |-> fun[name]]
    /\ UNCHANGED <<set, bag>>
BagsOf ==
    /\ \E n \in {5, 700} : bag' \in {bag (-) SetToBag({Key(n)})} \cup (IF CopiesIn(Key(n), bag) < 2 THEN {bag (+) SetToBag({Key(n)})} ELSE {})
    /\ UNCHANGED <<set, fun>>
Next == Sets \/ Functions \/ BagsOf
Spec == Init /\ [][Next]_<<set, fun, bag>>
Inv ==
    /\ \A key \in set : key[2] = key[1] * key[1]
    /\ Cardinality(set) \in 511..514 /\ Cardinality(DOMAIN fun) \in 512..513
    /\ fun["7"] + fun["8"] <= 2 /\ IsABag(bag)
    /\ set \subseteq {Key(n) : n \in 1..514}
====
"#;
    let config = "SPECIFICATION Spec\nINVARIANT Inv\n";
    let sandbox = Sandbox::new().file("Many.tla", spec).file("Many.cfg", config);
    for engine in ["interpreted", "compiled"] {
        let run = sandbox.run(&format!("check --engine {engine} Many.tla"));
        assert_eq!(run.code(), Some(0), "{}{}", run.stdout(), run.stderr());
        assert!(run.stdout().contains("7681 states generated, 576 distinct"), "{engine}: {}", run.stdout());
    }
}

#[test]
fn what_grows_with_every_level_is_told_when_a_search_is_cut_off() {
    let module = "---- MODULE Grows ----\nEXTENDS Naturals, Sequences\nVARIABLES n, queue, turn\n\
                  Init == n = 0 /\\ queue = <<>> /\\ turn = 0\n\
                  Next == n' = n + 1 /\\ queue' = Append(queue, turn) /\\ turn' = (turn + 1) % 2\n====\n";
    let sandbox = Sandbox::new().file("Grows.tla", module);
    let run = sandbox.run("check --workers 1 --max-states 40 Grows");
    run.says(
        21,
        &[
            "`n` has grown with every level so far: the largest number in it is",
            "`queue` has grown with every level so far: the number of its parts is",
            "bound it with a CONSTRAINT",
        ],
    );
    assert!(!run.stderr().contains("`turn`"), "{}", run.stderr());
    let json = sandbox.run("check --workers 1 --max-states 40 --format json Grows");
    assert!(json.stdout().contains(r#""kind":"growing""#), "{}", json.stdout());
    let deep = sandbox.run("check --workers 1 --search dfs --max-states 40 Grows");
    deep.says(21, &["`n` has grown with every level so far", "`queue` has grown with every level so far"]);
    let from_disk = sandbox.run("check --workers 1 --spill out --spill-after 10 --max-states 40 Grows");
    from_disk
        .says(21, &["`n` has grown with every level so far", "`queue` has grown with every level so far"]);
    // TLC says nothing of it, and neither does a search that is complete or has hardly begun.
    assert!(!sandbox.run("check --workers 1 --max-states 4 Grows").stderr().contains("has grown"));
    let bounded = sandbox.file("Grows.cfg", "INIT Init\nNEXT Next\nCONSTRAINT Few\n");
    let module = module.replace("====", "Few == n < 30\n====");
    let bounded = bounded.file("Grows.tla", module).run("check --workers 1 Grows");
    assert_eq!((bounded.code(), bounded.stderr()), (Some(0), ""));
}
