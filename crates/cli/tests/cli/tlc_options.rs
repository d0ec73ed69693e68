//! What TLC's options write, one by one: counterexamples in all forms.

use crate::sandbox::Sandbox;

const NODES: &str = r#"---- MODULE Nodes ----
EXTENDS Naturals, Sequences
CONSTANTS Node, None
VARIABLES owner, queue
vars == <<owner, queue>>
Init == owner = None /\ queue = <<>>
Ask(n) == /\ \A i \in 1..Len(queue) : queue[i] # n
          /\ queue' = Append(queue, n)
          /\ UNCHANGED owner
Take == /\ queue # <<>>
        /\ \E k \in {1} : owner' = queue[k]
        /\ queue' = Tail(queue)
Next == (\E n \in Node : Ask(n)) \/ Take
Spec == Init /\ [][Next]_vars /\ WF_vars(Next)
NotB == owner # b_node
Rest == <>(owner # None /\ queue = <<>>)
Short == [who |-> owner, n |-> Len(queue)]
====
"#;

fn nodes(config: &str) -> Sandbox {
    let module = NODES.replace("b_node", "CHOOSE n \\in Node : n # CHOOSE m \\in Node : TRUE");
    let config = format!("CONSTANTS Node = {{n1, n2}} None = None\nSPECIFICATION Spec\n{config}");
    Sandbox::new().file("Nodes.tla", module).file("Nodes.cfg", config)
}

#[test]
fn a_counterexample_is_written_in_every_form() {
    let sandbox = nodes("INVARIANT NotB\n");
    let run = sandbox.run(
        "tlc -dumpTrace tla Whole.tla -dumpTrace TLCPLAIN Plain.tla -dumpTrace tlcTESpec Explorer.tla \
         -dumpTrace tlcaction Steps.tla -dumpTrace dot steps.dot -dumpTrace tlc whole.bin Nodes.tla",
    );
    assert_eq!(run.code(), Some(12), "{}", run.stdout());
    let written = run.stdout().lines().filter(|line| line.starts_with("\"CounterExample written: ")).count();
    assert_eq!(written, 6, "{}", run.stdout());
    let whole = sandbox.read("Whole.tla");
    assert!(
        whole
            .starts_with("---- MODULE Whole ----\nLOCAL INSTANCE TLC\n\nCounterExample == \n\t[action |-> {"),
        "{whole}"
    );
    assert!(whole.contains(r#"context |-> [n |-> n2], parameters |-> <<"n">>]"#), "{whole}");
    let states = "[owner |-> None, queue |-> <<>>], [owner |-> None, queue |-> <<n2>>], [owner |-> n2, queue |-> <<>>]";
    assert_eq!(
        sandbox.read("Plain.tla"),
        format!("---- MODULE Plain ----\nLOCAL INSTANCE TLC\n\nTrace == \n\t<<{states}>>\n\n====")
    );
    let explorer = sandbox.read("Explorer.tla");
    assert!(
        explorer.contains("_init ==\n/\\ owner = Trace[1].owner\n/\\ queue = Trace[1].queue\n"),
        "{explorer}"
    );
    let steps = sandbox.read("Steps.tla");
    assert!(steps.contains("\\/ 1 = _idx /\\ Ask(n2)\n\\/ 2 = _idx /\\ Take\n"), "{steps}");
    let dot = sandbox.read("steps.dot");
    assert!(dot.ends_with("1->2[label=\"Ask\"];2->3[label=\"Take\"];}"), "{dot}");
    let binary = std::fs::read(sandbox.path().join("whole.bin")).expect("the file is there");
    assert!(binary.starts_with(&[0x1f, 0x8b, 8]), "gzip, as TLC reads it");
}

#[test]
fn a_counterexample_in_a_file_is_what_alias_makes_of_it() {
    let sandbox = nodes("INVARIANT NotB\nALIAS Short\n");
    assert_eq!(sandbox.run("tlc -dumpTrace tlcplain Plain.tla Nodes.tla").code(), Some(12));
    let plain = sandbox.read("Plain.tla");
    assert!(
        plain.contains("<<[who |-> None, n |-> 0], [who |-> None, n |-> 1], [who |-> n2, n |-> 0]>>"),
        "{plain}"
    );
}

#[test]
fn what_a_form_has_no_room_for_is_told() {
    let sandbox = Sandbox::new()
        .file("Large.tla", "---- MODULE Large ----\nEXTENDS Naturals\nVARIABLE x\nInit == x = 1\nNext == x' = x * 1000000\nSmall == x < 1000000000000\n====\n")
        .file("Large.cfg", "INIT Init\nNEXT Next\nINVARIANT Small\n");
    let run = sandbox.run("tlc -dumpTrace tlc x.bin -dumpTrace tla X.tla Large.tla");
    assert_eq!(run.code(), Some(12), "{}", run.stdout());
    assert!(
        run.stdout().contains("Cannot write x.bin: TLC has no number as large as 1000000000000."),
        "{}",
        run.stdout()
    );
    assert!(!sandbox.path().join("x.bin").exists());
    assert!(sandbox.read("X.tla").contains("[x |-> 1000000000000]"));
    let unknown = sandbox.run("tlc -dumpTrace yaml x.yaml Large.tla");
    assert_eq!(unknown.code(), Some(1));
    assert!(
        unknown.stdout().contains("Error: Unknown format yaml given to -dumpTrace."),
        "{}",
        unknown.stdout()
    );
}
