//! TLC's options that show states by the VIEW, evaluate operators of other modules, and read traces back.

use crate::sandbox::{Run, Sandbox};

const PAIR: &str = r#"---- MODULE Pair ----
EXTENDS Naturals
CONSTANTS a, b
VARIABLES x, y
vars == <<x, y>>
Init == x = 0 /\ y = a
Inc == x < 3 /\ x' = x + 1 /\ UNCHANGED y
Turn == y' = (IF y = a THEN b ELSE a) /\ x' = 0
Next == Inc \/ Turn
Spec == Init /\ [][Next]_vars /\ WF_vars(Turn)
Low == x < 2
Once == <>[](y = a)
OnlyX == <<x>>
Swapped == <<y, x>>
Other == vars
Record == [pos |-> x, who |-> y]
Short == [low |-> x < 1]
Value == x
Fine == x >= 0
====
"#;

fn pair(config: &str) -> Sandbox {
    let config = format!("CONSTANTS a = a b = b\nSPECIFICATION Spec\n{config}");
    Sandbox::new().file("Pair.tla", PAIR).file("Pair.cfg", config)
}

/// Returns the lines about states.
fn told(run: &Run) -> Vec<&str> {
    let is_state = |line: &&str| !line.starts_with("State ") && !line.is_empty() && !line.starts_with('"');
    let lines = run.stdout().lines().skip_while(|line| !line.starts_with("State 1:"));
    lines
        .take_while(|line| {
            !["Back", "Finished"].iter().any(|word| line.starts_with(word)) && !line.contains("generated")
        })
        .filter(is_state)
        .collect()
}

#[test]
fn states_are_shown_by_the_view() {
    let shown = |view: &str, options: &str| {
        let run = pair(&format!("INVARIANT Low\nVIEW {view}\n")).run(&format!("tlc {options} Pair.tla"));
        assert_eq!(run.code(), Some(12), "{}", run.stdout());
        told(&run).join("|")
    };
    assert_eq!(shown("OnlyX", "-view"), "/\\ x = 0|/\\ x = 1|/\\ x = 2");
    assert_eq!(shown("Swapped", "-view"), "/\\ x = 0|/\\ y = a|/\\ x = 1|/\\ y = a|/\\ x = 2|/\\ y = a");
    assert_eq!(shown("Other", "-view"), shown("Swapped", "-view"));
    assert_eq!(shown("Value", "-view"), "0|1|2");
    let records = "[pos |-> 0, who |-> a]|[pos |-> 1, who |-> a]|[pos |-> 2, who |-> a]";
    assert_eq!(shown("Record", "-view"), records);
    // TLC: what changed is told by variables.
    assert_eq!(shown("Record", "-view -difftrace"), records.replace("[pos |-> 1, who |-> a]", "/\\ x = 1"));
    assert_eq!(shown("OnlyX", ""), "/\\ x = 0|/\\ y = a|/\\ x = 1|/\\ y = a|/\\ x = 2|/\\ y = a");
    assert_eq!(shown("OnlyX\nALIAS Short", "-view"), "low = TRUE|low = FALSE|low = FALSE");
}

#[test]
fn a_lasso_and_walks_are_shown_by_the_view() {
    let sandbox = pair("PROPERTY Once\nVIEW Record\n");
    let run = sandbox.run("tlc -view Pair.tla");
    assert_eq!(run.code(), Some(13), "{}", run.stdout());
    assert_eq!(told(&run), ["[pos |-> 0, who |-> a]", "[pos |-> 0, who |-> b]"]);
    sandbox.run("tlc -view -lncheck off -simulate num=1,file=w -depth 2 Pair.tla");
    assert!(
        sandbox.read("w_0_0").contains("STATE_1 == \n[pos |-> 0, who |-> a]\n"),
        "{}",
        sandbox.read("w_0_0")
    );
}

const AFTER: &str = r#"---- MODULE After ----
EXTENDS Naturals, Sequences, TLC
CONSTANT N
VARIABLE z
Right == TLCGet("stats").distinct = 8
Wrong == TLCGet("stats").distinct = 9
Never == FALSE
Fails == Head(<<>>) = TLCGet("distinct")
Number == 3
Of(n) == n = 3
State == z = 1
Constant == N = TLCGet("distinct")
====
"#;

#[test]
fn a_postcondition_may_be_in_a_module_of_its_own() {
    let sandbox = pair("INVARIANT Fine\n").file("After.tla", AFTER);
    let ends = |condition: &str, code: i32, words: &str| {
        let run = sandbox.run(&format!("tlc -postCondition {condition} Pair.tla"));
        assert_eq!(run.code(), Some(code), "{condition}: {}", run.stdout());
        assert!(run.stdout().contains(words), "{condition}: {}", run.stdout());
    };
    ends("After!Right", 0, "No error has been found");
    ends(
        "After!Wrong",
        10,
        "Postcondition Wrong at line 6, col 10 to line 6, col 37 of module After is false.",
    );
    ends(
        "After!Never",
        10,
        "Postcondition Never at line 7, col 10 to line 7, col 14 of module After is false.",
    );
    ends("After!Fails", 10, "Evaluating postcondition Fails at line 8, col 10");
    ends("After!Number", 10, "Evaluating postcondition Number at ");
    ends("After!State", 10, "In evaluation, the identifier z is either undefined or not an operator.");
    ends("After!Constant", 10, "In evaluation, the identifier N is either undefined or not an operator.");
    ends("After!Nowhere", 255, "Could not find operator: Nowhere in module: After");
    ends("After!Of", 255, "the operator takes arguments");
    ends("Before!Right", 150, "There is no module `Before`");
    ends("After", 1, "Error: Module!Operator for postCondition required. Encountered: After");
    ends("!Right", 1, "Error: Module name for postCondition required. Encountered: !Right");
    ends("After!A!B", 1, "must be of the form module!operator");
}

#[test]
fn several_postconditions_are_evaluated_those_of_the_command_line_first() {
    let sandbox = pair("INVARIANT Fine\nPOSTCONDITION Fine\n").file("After.tla", AFTER);
    let run = sandbox.run("tlc -postCondition After!Right -postCondition After!Wrong Pair.tla");
    assert_eq!(run.code(), Some(10), "{}", run.stdout());
    let place = |words: &str| run.stdout().find(words);
    assert!(
        place("Postcondition Wrong") < place("postcondition Fine") || place("postcondition Fine").is_none()
    );
    let over = sandbox.run("tlc -postCondition After!Right -dumpTrace tla After.tla Pair.tla");
    assert_eq!(over.code(), Some(1), "the module is not written over: {}", over.stdout());
}

#[test]
fn a_trace_in_binary_form_is_run_again() {
    for (config, code) in [("INVARIANT Low\n", 12), ("PROPERTY Once\n", 13)] {
        let sandbox = pair(config);
        let found = sandbox.run("tlc -dumpTrace tlc found.bin Pair.tla");
        let again = sandbox.run("tlc -loadTrace tlc found.bin Pair.tla");
        assert_eq!((found.code(), again.code()), (Some(code), Some(code)), "{}", again.stdout());
        assert_eq!(told(&found), told(&again));
    }
    let sandbox = pair("INVARIANT Low\n").file("junk.bin", b"\x1f\x8b\x08\0junk").file("text.bin", "text");
    sandbox.run("tlc -dumpTrace tlc found.bin Pair.tla");
    let without = sandbox.run("tlc -loadTrace tlc found.bin -inv x<3 Pair.tla");
    assert_eq!(without.code(), Some(12), "{}", without.stdout());
    for (file, reason) in [
        ("junk.bin", "it is no gzip file, or is damaged"),
        ("text.bin", "it is no gzip file"),
        ("none.bin", "No such file"),
    ] {
        let run = sandbox.run(&format!("tlc -loadTrace tlc {file} Pair.tla"));
        assert_eq!(run.code(), Some(255), "{}", run.stdout());
        assert!(run.stdout().contains(&format!("the trace {file}: ")), "{}", run.stdout());
        assert!(run.stdout().contains(reason), "{file}: {}", run.stdout());
    }
    let other = Sandbox::new()
        .file("Pair.tla", PAIR)
        .file("Pair.cfg", "CONSTANTS a = 1 b = 2\nSPECIFICATION Spec\nINVARIANT Low\n")
        .file("found.bin", std::fs::read(sandbox.path().join("found.bin")).expect("it was written"));
    let run = other.run("tlc -loadTrace tlc found.bin Pair.tla");
    assert!(run.stdout().contains("no model value with the number 0"), "{}", run.stdout());
    assert_eq!(sandbox.run("tlc -loadTrace yaml found.bin Pair.tla").code(), Some(1));
}

/// TLC prints variables in the order of a hash table whose size depends on how many names there are, those of named
/// instances included, unless they are LOCAL.
#[test]
fn names_of_named_instances_count_in_the_order_of_variables() {
    let tools: String = (0..80).map(|number| format!("Tool{number} == {number}\n")).collect();
    let outer = |local: &str| format!("---- MODULE Outer ----\n{local}U == INSTANCE Tools\n====\n");
    let order = |instance: &str| {
        format!(
            "---- MODULE Order ----\nEXTENDS Naturals\nVARIABLES queue, log\n{instance}\n\
             Init == queue = 0 /\\ log = 0\nNext == queue' = queue + 1 /\\ log' = log\nLow == queue < 1\n====\n"
        )
    };
    let cases = [
        ("", "", ["queue", "log"]),
        ("T == INSTANCE Tools", "", ["log", "queue"]),
        ("T == INSTANCE Outer", "", ["log", "queue"]),
        ("T == INSTANCE Outer", "LOCAL ", ["queue", "log"]),
    ];
    for (instance, local, names) in cases {
        let sandbox = Sandbox::new()
            .file("Tools.tla", format!("---- MODULE Tools ----\n{tools}====\n"))
            .file("Outer.tla", outer(local))
            .file("Order.tla", order(instance))
            .file("Order.cfg", "INIT Init\nNEXT Next\nINVARIANT Low\n");
        let run = sandbox.run("tlc Order.tla");
        let [first, second] = names.map(|name| format!("/\\ {name} = 0"));
        run.says(12, &[&format!("{first}\n{second}\n")]);
    }
}

/// TLC: where the section is missing, nothing is configured.
#[test]
fn a_module_without_variables_needs_no_section() {
    let script =
        "---- MODULE Script ----\nEXTENDS TLC\nASSUME PrintT(\"ran\")\n====\n---- CONFIG Other ----\n====\n";
    let run = Sandbox::new().file("Script.tla", script).run("tlc -config Script.tla Script");
    assert_eq!(run.code(), Some(0), "{}", run.stdout());
    assert!(run.stdout().contains("\"ran\""), "{}", run.stdout());
}

#[test]
fn a_section_of_another_name_is_named_where_states_are_to_be_found() {
    let module = format!("{PAIR}---- CONFIG Pairs ----\nSPECIFICATION Spec\n====\n");
    let dir = Sandbox::new().file("Pair.tla", module);
    let run = dir.run("check -c Pair.tla Pair.tla");
    assert_eq!(run.code(), Some(151), "{}", run.stderr());
    assert!(run.stderr().contains("it has one for `Pairs`"), "{}", run.stderr());
    assert_eq!(dir.run("tlc -config Pair.tla Pair").code(), Some(151));
}
