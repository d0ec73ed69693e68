//! The outputs of TLC's options, one by one: counterexamples in all forms, specifications that explore them,
//! iterative deepening, walks of which one successor is drawn, graphs, warnings that are errors.

use crate::sandbox::Sandbox;
use crate::tlc::golden as golden_of;

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
Rest == <>[](queue = <<>>)
Never == <>(owner = 1)
Often == []<>(owner = owner)
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

/// The one file that was written to explore a trace: its name and its text.
fn explorer(sandbox: &Sandbox) -> (String, String) {
    let files = std::fs::read_dir(sandbox.path().join("out")).expect("the folder is there");
    let mut names = files.map(|file| file.expect("a file").file_name().to_string_lossy().into_owned());
    let name = names.next().expect("a file was written");
    assert_eq!(names.next(), None, "one file is written");
    let text = sandbox.read(&format!("out/{name}"));
    (name, text)
}

/// The states that a run shows, without the steps between them.
fn states(stdout: &str) -> Vec<&str> {
    stdout.lines().filter(|line| line.starts_with("/\\ ") || line.starts_with("Back to")).collect()
}

#[track_caller]
fn explores(config: &str, code: i32, found: &str, code_of_explorer: i32) {
    let sandbox = nodes(config);
    let run = sandbox.run("tlc -generateSpecTE nomonolith -teSpecOutDir out Nodes.tla");
    assert_eq!(run.code(), Some(code), "{}", run.stdout());
    let (name, text) = explorer(&sandbox);
    assert!(name.starts_with("Nodes_TTrace_") && name.ends_with(".tla"), "{name}");
    let last = run.stdout().lines().last();
    assert_eq!(last, Some(format!("Trace exploration spec path: out/{name}").as_str()));
    let again = nodes(config).file(&name, text);
    let run_again = again.run(&format!("tlc {name}"));
    assert_eq!(run_again.code(), Some(code_of_explorer), "{}", run_again.stdout());
    assert!(run_again.stdout().contains(found), "{}", run_again.stdout());
    let (first, second) = (states(run.stdout()), states(run_again.stdout()));
    let is_state = |line: &&&str| line.starts_with("/\\ ");
    if config.contains("ALIAS") {
        assert_eq!(first.len() / 2 * 2, second.len(), "{second:?}");
    } else {
        assert_eq!(
            first.iter().filter(is_state).collect::<Vec<_>>(),
            second.iter().filter(is_state).collect::<Vec<_>>()
        );
    }
    assert_eq!(again.run(&format!("check {name}")).code(), Some(code_of_explorer));
}

#[test]
fn a_specification_explores_what_was_found() {
    explores("INVARIANT NotB\n", 12, "Invariant _inv is violated.", 12);
    explores("INVARIANT NotB\nALIAS Short\n", 12, "Invariant _inv is violated.", 12);
    explores("PROPERTY Never\n", 13, "Temporal property _prop was violated.", 13);
    explores("PROPERTY Rest\nCHECK_DEADLOCK FALSE\n", 13, "Temporal property _prop was violated.", 13);
}

#[test]
fn a_specification_that_explores_is_written_only_when_it_is_asked_for() {
    let sandbox = nodes("INVARIANT NotB\n");
    for options in ["", "-noTE -teSpecOutDir out", "-tool -teSpecOutDir out", "-continue -teSpecOutDir out"] {
        let run = sandbox.run(&format!("tlc {options} Nodes.tla"));
        assert!(!run.stdout().contains("Trace exploration"), "{options}: {}", run.stdout());
        assert!(!sandbox.path().join("out").exists(), "{options}");
    }
    let run = sandbox.run("tlc -teSpecOutDir out/Mine.tla Nodes.tla");
    assert_eq!(run.stdout().lines().last(), Some("Trace exploration spec path: out/Mine.tla"));
    assert!(sandbox.read("out/Mine.tla").starts_with("---- MODULE Mine ----\n"));
    let run = sandbox.run("tlc -tool -generateSpecTE -teSpecOutDir Nodes.cfg Nodes.tla");
    assert!(run.stdout().contains("STARTMSG 2502:0"), "{}", run.stdout());
}

/// A ring of five with a way out of it: six levels.
const RING: &str = "---- MODULE Ring ----
EXTENDS Naturals
VARIABLES x, y
Init == x = 0 /\\ y \\in {0, 1}
Next == \\/ x < 3 /\\ x' = x + 1 /\\ y' = y
        \\/ x = 3 /\\ x' = 0 /\\ y' = y
        \\/ x = 2 /\\ x' = 2 /\\ y' = 2
Low == x + y < 5
Soon == <>(x = 2)
Stop == x < 2 /\\ Next
====
";

fn ring(config: &str) -> Sandbox {
    Sandbox::new().file("Ring.tla", RING).file("Ring.cfg", config)
}

/// Returns the lines about each level, and about all of them.
fn levels(stdout: &str) -> Vec<&str> {
    let is_it = |line: &&str| line.starts_with("Starting level ") || line.ends_with("distinct states found.");
    stdout.lines().filter(is_it).collect()
}

#[test]
fn levels_are_searched_one_after_the_other() {
    let run = ring("INIT Init\nNEXT Next\n").run("tlc -dfid 20 Ring.tla");
    assert_eq!(run.code(), Some(0), "{}", run.stdout());
    assert!(
        run.stdout().contains("\nModel checking completed. No error has been found.\n"),
        "{}",
        run.stdout()
    );
    assert_eq!(
        levels(run.stdout()),
        [
            "Starting level 2: 2 states generated, 2 distinct states found.",
            "Starting level 3: 4 states generated, 4 distinct states found.",
            "Starting level 4: 8 states generated, 6 distinct states found.",
            "Starting level 5: 16 states generated, 9 distinct states found.",
            "Starting level 6: 28 states generated, 10 distinct states found.",
            "Starting level 7: 41 states generated, 11 distinct states found.",
            "Starting level 8: 55 states generated, 12 distinct states found.",
            "70 states generated, 12 distinct states found.",
        ]
    );
}

#[test]
fn deepening_ends_at_its_last_level_and_where_something_is_wrong() {
    let run = ring("INIT Init\nNEXT Next\n").run("tlc -dfid 4 Ring.tla");
    assert_eq!(run.code(), Some(0), "{}", run.stdout());
    assert!(!run.stdout().contains("No error has been found"), "{}", run.stdout());
    assert!(run.stderr().contains("3 states of the last level were not expanded"), "{}", run.stderr());
    let deadlock = ring("INIT Init\nNEXT Stop\n").run("tlc -tool -dfid 9 Ring.tla");
    golden_of(&deadlock, "tlc-tool-deepening");
    let violated = ring("INIT Init\nNEXT Next\nINVARIANT Low\n").run("tlc -dfid 9 Ring.tla");
    assert_eq!(violated.code(), Some(12), "{}", violated.stdout());
    assert_eq!(violated.stdout().lines().filter(|line| line.starts_with("State ")).count(), 5);
    let all = ring("INIT Init\nNEXT Next\nINVARIANT Low\n").run("tlc -continue -dfid 9 Ring.tla");
    assert_eq!(all.code(), Some(0), "{}", all.stdout());
    assert_eq!(all.stdout().lines().filter(|line| line.starts_with("Error: Invariant")).count(), 1);
    let temporal = ring("INIT Init\nNEXT Next\nPROPERTY Soon\n").run("tlc -dfid 9 Ring.tla");
    assert_eq!(temporal.code(), Some(255), "{}", temporal.stdout());
    assert!(temporal.stdout().contains("does not check temporal properties"), "{}", temporal.stdout());
    for (options, code) in
        [("-dfid 1", 255), ("-dfid -1", 1), ("-dfid 5 -recover x", 1), ("-dfid 5 -dump /nowhere/x", 255)]
    {
        let run = ring("INIT Init\nNEXT Next\n").run(&format!("tlc {options} Ring.tla"));
        assert_eq!(run.code(), Some(code), "{options}: {}", run.stdout());
    }
    for options in ["-dfid 9 -checkpoint 1", "-simulate num=1 -depth 2 -checkpoint 1"] {
        let run = ring("INIT Init\nNEXT Next\n").run(&format!("tlc -deadlock {options} Ring.tla"));
        assert_eq!(run.code(), Some(0), "{options}: {}", run.stdout());
        assert!(run.stderr().contains("`-checkpoint` has no effect"), "{options}: {}", run.stderr());
    }
}

#[test]
fn a_search_that_keeps_no_checkpoints_runs_without() {
    // As workflows of public projects have it.
    let usual = "tlc -workers auto -lncheck final -checkpoint 60 -coverage 60 -tool -deadlock Ring.tla";
    let run = ring("INIT Init\nNEXT Next\nPROPERTY Soon\n").run(usual);
    assert_eq!(run.code(), Some(13), "{}", run.stdout());
    assert!(run.stderr().contains("`-checkpoint` has no effect"), "{}", run.stderr());
    let depth_first = "tlc -Dtlc2.tool.queue.IStateQueue=StateDeque -checkpoint 60 -deadlock Ring.tla";
    let run = ring("INIT Init\nNEXT Next\n").run(depth_first);
    assert_eq!(run.code(), Some(0), "{}", run.stdout());
    assert!(run.stderr().contains("`-checkpoint` has no effect"), "{}", run.stderr());
}

#[test]
fn the_states_of_the_last_level_that_was_searched_are_written() {
    let sandbox = ring("INIT Init\nNEXT Next\n");
    let dumped = |options: &str| {
        let run = sandbox.run(&format!("tlc -deadlock {options} -dump out Ring.tla"));
        assert_eq!(run.code(), Some(0), "{options}: {}", run.stdout());
        sandbox.read("out.dump").matches("State ").count()
    };
    let (two, three, all) = (dumped("-dfid 2"), dumped("-dfid 3"), dumped("-dfid 20"));
    assert!(two < three && three < all, "{two}, {three}, {all}");
    assert_eq!(all, dumped(""));
}

/// Each step throws a die, and the constraint counts what it shows.
const DICE: &str = r#"---- MODULE Dice ----
EXTENDS Naturals, TLC
VARIABLES n, shown
Init == n = 0 /\ shown = 0
Throw == n < 4 /\ n' = n + 1 /\ shown' \in 1..6
Next == Throw
Counts == n > 0 => TLCSet(1, TLCGet(1) + 1)
ASSUME TLCSet(1, 0)
ASSUME TLCGet("config").mode \in {"generate", "simulate"}
Each == TLCGet(1) = 4 * TLCGet("config").traces
Low == shown < 6
Ends == <>(n = 9)
====
"#;

fn dice(config: &str) -> Sandbox {
    let config = format!("INIT Init\nNEXT Next\nCHECK_DEADLOCK FALSE\n{config}");
    Sandbox::new().file("Dice.tla", DICE).file("Dice.cfg", config)
}

#[test]
fn only_the_successor_that_is_drawn_is_looked_at() {
    let sandbox = dice("CONSTRAINT Counts\nPOSTCONDITION Each\n");
    let drawn = sandbox.run("tlc -generate num=10 -seed 3 Dice.tla");
    assert_eq!(drawn.code(), Some(0), "{}", drawn.stdout());
    assert!(drawn.stdout().contains("\nThe number of states generated: 41\n"), "{}", drawn.stdout());
    let all = sandbox.run("tlc -simulate num=10 -seed 3 Dice.tla");
    assert_eq!(all.code(), Some(10), "a constraint is asked of every successor: {}", all.stdout());
    let first = dice("INVARIANT Low\n").run("tlc -simulate num=1 -seed 3 Dice.tla");
    assert_eq!(first.code(), Some(12), "{}", first.stdout());
    assert_eq!(first.stdout().matches("\nState ").count(), 2, "{}", first.stdout());
    let seeds = (0..20).map(|seed| {
        dice("INVARIANT Low\n").run(&format!("tlc -generate num=1 -seed {seed} Dice.tla")).code()
    });
    let codes: Vec<Option<i32>> = seeds.collect();
    assert!(codes.contains(&Some(0)) && codes.contains(&Some(12)), "some walks have no six: {codes:?}");
}

#[test]
fn walks_that_are_drawn_are_written_and_repeated() {
    let sandbox = dice("");
    let run = sandbox.run("tlc -generate num=3,file=walk -seed 5 Dice.tla");
    assert_eq!(run.code(), Some(0), "{}", run.stdout());
    let walk = sandbox.read("walk_0_2");
    assert_eq!(walk.matches("\nSTATE_").count(), 5, "{walk}");
    sandbox.run("tlc -generate num=3,file=again -seed 5 Dice.tla");
    assert_eq!(sandbox.read("again_0_2").replace("again", "walk"), walk);
    for mode in ["-generate", "-simulate"] {
        let temporal = dice("PROPERTY Ends\n");
        let run = temporal.run(&format!("tlc {mode} num=3 Dice.tla"));
        assert_eq!(run.code(), Some(13), "{}", run.stdout());
        let without = temporal.run(&format!("tlc {mode} num=3 -lncheck off Dice.tla"));
        assert_eq!(without.code(), Some(0), "{}", without.stdout());
    }
    assert_eq!(sandbox.run("tlc -generate file=walk Dice.tla").code(), Some(1));
}

#[test]
fn a_graph_is_drawn_as_tlc_draws_it() {
    let config = "INIT Init\nNEXT Next\nCONSTRAINT Few\n";
    let module = RING.replace("Low ==", "Few == x < 3\nTurn == x' = 0\nLow ==");
    let sandbox = Sandbox::new().file("Ring.tla", module).file("Ring.cfg", config);
    assert_eq!(sandbox.run("tlc -dump dot,Constrained,actionlabels out Ring.tla").code(), Some(0));
    let dot = sandbox.read("out.dot");
    let outside = dot.lines().filter(|line| line.contains("fillcolor=lightyellow")).count();
    assert_eq!(outside, 3, "x = 3 with each y: {dot}");
    assert_eq!(sandbox.run("tlc -dump dot inside Ring.tla").code(), Some(0));
    let inside = sandbox.read("inside.dot");
    assert!(!inside.contains("x = 3") && !inside.contains("lightyellow"), "{inside}");
    let plain = counted(&inside, " -> ");
    assert_eq!(counted(&dot, " -> "), plain + 3, "{dot}");
    let coloured = nodes("").run_into("tlc -deadlock -dump dot,colorize out Nodes.tla", "out.dot");
    assert!(coloured.contains("edge [colorscheme=\"paired12\"]\n"), "{coloured}");
    assert!(
        coloured.contains("\"Ask\" [label=\"Ask\",fillcolor=2]\n\"Take\" [label=\"Take\",fillcolor=3]\n"),
        "{coloured}"
    );
    assert!(counted(&coloured, "color=\"2\"") > 0 && counted(&coloured, "color=\"3\"") > 0, "{coloured}");
    let dashed = |config: &str| {
        let dot = nodes(config).run_into("tlc -deadlock -dump dot,stuttering out Nodes.tla", "out.dot");
        (counted(&dot, "style=\"dashed\""), counted(&dot, " [label=\"/"))
    };
    let (n_dashed, n_states) = dashed("PROPERTY Often\n");
    assert_eq!((n_dashed, n_states), (15, 15));
    assert_eq!(dashed("").0, 0, "without a temporal property");
    let strict = ring("INIT Init\nNEXT Next\n").run_into("tlc -dump dot,strict out Ring.tla", "out.dot");
    let all = ring("INIT Init\nNEXT Next\n").run_into("tlc -dump dot out Ring.tla", "out.dot");
    assert!(counted(&strict, " -> ") <= counted(&all, " -> "));
}

fn counted(text: &str, part: &str) -> usize {
    text.matches(part).count()
}

impl Sandbox {
    /// The file that a run wrote.
    fn run_into(&self, args: &str, file: &str) -> String {
        self.run(args);
        self.read(file)
    }
}

const CLASH: &str = "---- MODULE Clash ----
EXTENDS Naturals, TLC
CONSTANT Node
VARIABLE r
name == 1
Init == r = [name |-> name]
Next == r' = [r EXCEPT !.other = 2]
Spec == Init /\\ [][Next]_r /\\ WF_r(Next)
Same == Permutations(Node)
Ends == <>(r.name = 1)
====
";

#[test]
fn a_warning_is_an_error_where_somebody_wants_that() {
    let lost = "CONSTANT Node = {a, b}\nINIT Init\nNEXT Next\nCHECK_DEADLOCK FALSE\n";
    let symmetric = "CONSTANT Node = {a, b}\nSPECIFICATION Spec\nSYMMETRY Same\nPROPERTY Ends\n";
    let small = "CONSTANT Node = {a}\nSPECIFICATION Spec\nSYMMETRY Same\n";
    for (config, number, code) in
        [(lost, 2144, 75), (symmetric, 2279, 255), (small, 2300, 255), (lost, 4802, 150)]
    {
        let sandbox = Sandbox::new().file("Clash.tla", CLASH).file("Clash.cfg", config);
        let warned = sandbox.run("tlc -tool Clash.tla");
        assert_eq!(warned.code(), Some(0), "{number}: {}", warned.stdout());
        let run = sandbox.run(&format!("tlc -tool -messagesAsErrors {number} Clash.tla"));
        assert_eq!(run.code(), Some(code), "{number}: {}", run.stdout());
        assert!(!run.stdout().contains("No error has been found"), "{}", run.stdout());
        if number < 4000 {
            assert!(warned.stdout().contains(&format!("STARTMSG {number}:3")), "{}", warned.stdout());
            assert!(run.stdout().contains(&format!("STARTMSG {number}:1")), "{}", run.stdout());
        }
        let quiet = sandbox.run(&format!("tlc -tool -suppressMessages {number} Clash.tla"));
        assert!(!quiet.stdout().contains(&format!("STARTMSG {number}:")), "{}", quiet.stdout());
    }
    let sandbox = Sandbox::new().file("Clash.tla", CLASH).file("Clash.cfg", lost);
    let other = sandbox.run("tlc -messagesAsErrors 2401,2144 Clash.tla");
    assert!(other.stderr().contains("`-messagesAsErrors 2401` has no effect"), "{}", other.stderr());
    let deep = sandbox.run("tlc -tool -dfid 5 Clash.tla");
    assert!(deep.code() == Some(0) && deep.stdout().contains("STARTMSG 2144:3"), "{}", deep.stdout());
    let deep = sandbox.run("tlc -tool -dfid 5 -messagesAsErrors 2144 Clash.tla");
    assert!(deep.code() == Some(75) && deep.stdout().contains("STARTMSG 2144:1"), "{}", deep.stdout());
    for options in ["-messagesAsErrors 2144 -suppressMessages 2144", "-messagesAsErrors x"] {
        assert_eq!(sandbox.run(&format!("tlc {options} Clash.tla")).code(), Some(1), "{options}");
    }
}

/// A file that can be opened, and takes nothing.
#[cfg(target_os = "linux")]
#[test]
fn a_success_without_its_files_is_none() {
    let holds = ring("INIT Init\nNEXT Next\n");
    for (command, code) in [
        ("check --dump /dev/full --dump-format dot Ring.tla", 255),
        ("check --coverage-lcov /dev/full Ring.tla", 255),
        ("simulate --traces 2 --coverage-lcov /dev/full Ring.tla", 255),
        ("check Ring.tla", 0),
    ] {
        assert_eq!(holds.run(command).code(), Some(code), "{command}");
    }
    let violated = ring("INIT Init\nNEXT Next\nINVARIANT Low\n");
    assert_eq!(violated.run("check --dump /dev/full --dump-format dot Ring.tla").code(), Some(12));
    let full = holds.folder("full.dot");
    assert_eq!(full.run("tlc -dump dot full Ring.tla").code(), Some(255), "a folder is there");
}

#[test]
fn what_fails_in_a_walk_is_an_error_of_no_kind() {
    let module = "---- MODULE Fails ----\nEXTENDS Naturals, TLC\nVARIABLE x\nInit == x = 0\n\
                  Says == x' = x + 1 /\\ Assert(x < 2, \"no more\")\nAdds == x' = x + 1 /\\ (x = 2 => x + \"a\" = 1)\n====\n";
    for (next, search) in [("Says", 14), ("Adds", 75)] {
        let config = format!("INIT Init\nNEXT {next}\n");
        let sandbox = Sandbox::new().file("Fails.tla", module).file("Fails.cfg", config);
        for (options, code) in
            [("", search), ("-simulate num=1", 255), ("-generate num=1", 255), ("-dfid 9", 255)]
        {
            let run = sandbox.run(&format!("tlc {options} Fails.tla"));
            assert_eq!(run.code(), Some(code), "{next} {options}: {}", run.stdout());
        }
    }
}

/// A module in a file of its own, and one that extends it and is violated.
fn extended() -> Sandbox {
    let helper = "---- MODULE Helper ----\nEXTENDS Naturals\nUp(n) == n + 1\n====\n";
    let module = "---- MODULE Ext ----\nEXTENDS Helper\nVARIABLE x\nInit == x = 0\nNext == x' = Up(x)\nLow == x < 2\n====\n";
    let config = "INIT Init\nNEXT Next\nINVARIANT Low\n";
    Sandbox::new().file("Helper.tla", helper).file("Ext.tla", module).file("Ext.cfg", config)
}

#[test]
fn nothing_that_is_read_is_written_over() {
    let sandbox = extended().file("log.ndjson", "{}\n").file("map.toml", "");
    assert_eq!(sandbox.run("check --trace kept.json Ext.tla").code(), Some(12));
    std::fs::hard_link(sandbox.path().join("Ext.tla"), sandbox.path().join("other.json"))
        .expect("it can be linked");
    let before: Vec<String> =
        ["Helper.tla", "Ext.tla", "Ext.cfg", "log.ndjson"].map(|name| sandbox.read(name)).into();
    for args in [
        "tlc -dumpTrace tla Helper.tla Ext.tla",
        "tlc -userFile Helper.tla Ext.tla",
        "tlc -teSpecOutDir Helper.tla Ext.tla",
        "tlc -dumpTrace json other.json Ext",
        "check --trace Helper.tla Ext.tla",
        "check --trace-tlc other.json Ext.tla",
        "check --coverage --coverage-lcov Helper.tla Ext.tla",
        "check --sarif Helper.tla Ext.tla",
        "simulate --traces 1 --trace Helper.tla Ext.tla",
        "audit --junit Helper.tla Ext.tla",
        "validate --map map.toml --why-html Helper.tla Ext.tla --log log.ndjson",
        "trace html kept.json --spec Ext.tla --out Helper.tla",
        "validate --spec Ext.tla --trace Helper.tla --log log.ndjson",
        "validate --spec Ext.tla --trace log.ndjson --log log.ndjson",
        "validate --map map.toml --why-html map.toml Ext.tla --log log.ndjson",
    ] {
        let run = sandbox.run(args);
        assert_eq!(run.code(), Some(1), "{args}: {}{}", run.stdout(), run.stderr());
        assert!(run.stderr().contains("would write over"), "{args}: {}", run.stderr());
        let after = ["Helper.tla", "Ext.tla", "Ext.cfg", "log.ndjson"].map(|name| sandbox.read(name));
        assert_eq!(before, after, "{args}");
    }
}

#[test]
fn two_files_that_are_written_are_not_one() {
    for args in ["-dump dot g -dumpTrace json g.dot", "-dump g -dumpTrace json ./g.dump"] {
        let sandbox = extended();
        let run = sandbox.run(&format!("tlc {args} Ext.tla"));
        assert_eq!(run.code(), Some(1), "{args}: {}", run.stdout());
        assert!(run.stderr().contains("both write"), "{args}: {}", run.stderr());
    }
    let run = extended().run("tlc -dump dot g -dumpTrace json g Ext.tla");
    assert_eq!(run.code(), Some(12), "with its ending it is another one: {}", run.stdout());
}

#[test]
fn deepening_does_what_tlc_does_besides_searching() {
    let module = "---- MODULE Deep ----\nEXTENDS Integers, Sequences, TLC\nVARIABLE x\nASSUME PrintT(\"assumed\")\n\
                  Init == x = 0 /\\ PrintT(\"begun\")\nNone == x = Head(<<>>)\n\
                  Says == x = 0 /\\ Assert(FALSE, \"no\")\nNext == x < 4 /\\ x' = x + 1 /\\ PrintT(x)\n\
                  Round == x' = (x + 1) % 4\nLow == x < 2\nOne == x = 1\nFalse == TLCGet(\"distinct\") < 2\n====\n";
    let run = |config: &str, options: &str| {
        let sandbox = Sandbox::new().file("Deep.tla", module).file("Deep.cfg", config);
        sandbox.run(&format!("tlc {options} -dfid 9 Deep.tla"))
    };
    for config in ["INIT Init\nNEXT Next\n", "INIT Init\nNEXT Next\nINVARIANT Low\n"] {
        let deadlock = run(config, "-continue");
        assert_eq!(deadlock.code(), Some(11), "{}", deadlock.stdout());
        assert_eq!(counted(deadlock.stdout(), "Error: Deadlock reached."), 1, "{}", deadlock.stdout());
        assert!(!deadlock.stdout().contains("No error has been found"), "{}", deadlock.stdout());
    }
    let first = run("INIT Init\nNEXT Round\nPROPERTY One\n", "-continue");
    assert_eq!(first.code(), Some(13), "{}", first.stdout());
    for initial in ["None", "Says"] {
        let undefined = run(&format!("INIT {initial}\nNEXT Round\n"), "");
        assert_eq!(undefined.code(), Some(75), "{}", undefined.stdout());
    }
    let printed = run("INIT Init\nNEXT Next\nCHECK_DEADLOCK FALSE\n", "");
    assert_eq!(counted(printed.stdout(), "\"assumed\""), 1, "{}", printed.stdout());
    assert_eq!(counted(printed.stdout(), "\"begun\""), 1, "{}", printed.stdout());
    let lines = |line: &str| printed.stdout().lines().filter(|it| *it == line).count();
    assert_eq!(lines("3"), 2, "steps are taken in every level that reaches them: {}", printed.stdout());
    let after = run("INIT Init\nNEXT Round\nPOSTCONDITION False\n", "");
    assert_eq!(after.code(), Some(0), "{}", after.stdout());
    assert!(after.stderr().contains("postconditions are not evaluated"), "{}", after.stderr());
}

#[test]
fn invariants_bring_their_modules_along() {
    let module = "---- MODULE Flip ----\nVARIABLE x\nInit == x = FALSE\nNext == x' = TRUE\n====\n";
    let sandbox = Sandbox::new().file("Flip.tla", module).file("Flip.cfg", "INIT Init\nNEXT Next\n");
    for (level, code) in [("2", 12), ("3", 0)] {
        let run = sandbox.run(&format!("tlc -deadlock -invlevel {level} Flip.tla"));
        assert_eq!(run.code(), Some(code), "{}", run.stdout());
    }
    let invariant = "LET T == INSTANCE TLC IN T!TLCGet(\"level\") # 2";
    let output = sandbox.command("tlc -deadlock").args(["-inv", invariant, "Flip.tla"]).output();
    assert_eq!(output.unwrap().status.code(), Some(12));
}

#[test]
fn a_set_that_is_asked_about_another_kind_of_value_ends_as_with_tlc() {
    // TLC: sets that are values refuse with a message of no kind, those of its modules with one of their own.
    let asked = [
        ("42 \\in SUBSET {1}", 75, "is element of\n"),
        ("x \\in [{1} -> {2}]", 75, "is in the set of functions:\n"),
        ("x \\in [a : {2}]", 75, "is in the set of records:\n"),
        ("x \\in {1} \\X {2}", 75, "is in the set of tuples:\n"),
        ("\"a\" \\in 1 .. 3", 75, "is in the integer interval 1..3"),
        ("\"a\" \\in Nat", 255, "is an element of Nat"),
        ("x \\in Seq({1})", 255, "is an element of Seq({1})"),
    ];
    for (test, code, words) in asked {
        let module = format!(
            "---- MODULE Asks ----\nEXTENDS Naturals, Sequences\nVARIABLE x\nInit == x = 0\n\
             Next == {test} /\\ x' = 1\n====\n"
        );
        let sandbox = Sandbox::new().file("Asks.tla", module).file("Asks.cfg", "INIT Init\nNEXT Next\n");
        let run = sandbox.run("tlc Asks.tla");
        assert_eq!(run.code(), Some(code), "{test}: {}", run.stdout());
        assert!(run.stdout().contains(words), "{test}: {}", run.stdout());
    }
}
