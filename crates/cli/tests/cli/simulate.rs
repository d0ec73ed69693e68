//! Random walks: the same from the same seed, however many make them; what they find is made short.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use crate::sandbox::{Run, Sandbox};

/// Nodes that count, hand a token on and write to a log that is cut now and then: walks of it meet new values for ever.
const TOKEN: &str = r#"---- MODULE Token ----
EXTENDS Naturals, Sequences, TLC
CONSTANT Node
VARIABLES holder, count, log
vars == <<holder, count, log>>
Init == holder \in Node /\ count = [n \in Node |-> 0] /\ log = <<>>
Count(n) == holder = n /\ count' = [count EXCEPT ![n] = @ + 1] /\ UNCHANGED <<holder, log>>
Pass(n, m) == holder = n /\ n # m /\ holder' = m /\ UNCHANGED <<count, log>>
Write(n) == /\ Len(log) < 3 /\ log' = Append(log, [by |-> n, at |-> count[n]]) /\ UNCHANGED <<holder, count>>
Cut == log # <<>> /\ log' = Tail(log) /\ UNCHANGED <<holder, count>>
Next == \/ \E n \in Node : Count(n) \/ Write(n)
        \/ \E n, m \in Node : Pass(n, m)
        \/ Cut
TypeOK == holder \in Node /\ Len(log) <= 3
Total == count["a"] + count["b"]
Few == ~(count["a"] = 2 /\ count["b"] = 2 /\ Len(log) = 1)
Grows == [][count'["a"] >= count["a"]]_vars
Stays == [][holder' = "b" => Len(log) < 2]_vars
Alone == Len(log) < 2
Asserts == Assert(Len(log) < 3, "three")
Small == Total < 2 /\ Len(log) = 0
Never == Total < 0
Stepwise == count'["a"] + count'["b"] < Total + 1 \/ Total < 3
====
"#;

const CONSTANTS: &str = "INIT Init\nNEXT Next\nCONSTANT Node = {\"a\", \"b\"}\n";

fn token(config: &str) -> Sandbox {
    Sandbox::new().file("Token.tla", TOKEN).file("Token.cfg", format!("{CONSTANTS}{config}"))
}

/// The last line of a JSON answer.
fn answer(run: &Run) -> &str {
    let last = run.stdout().lines().last().unwrap_or_default();
    assert!(last.contains(r#""kind":"answer""#), "{}", run.stdout());
    last
}

#[test]
fn walks_that_find_nothing_say_what_they_came_by() {
    let sandbox = token("INVARIANT TypeOK\nPROPERTY Grows\n");
    sandbox.run("simulate --traces 20 --depth 50 --seed 3 Token.tla").check("simulate-nothing");
}

#[test]
fn a_violation_comes_with_a_short_behaviour() {
    let sandbox = token("INVARIANTS TypeOK Few\n");
    sandbox.run("simulate --seed 1 Token.tla").check("simulate-violation");
}

#[test]
fn the_answer_does_not_depend_on_the_number_of_workers() {
    let sandbox = token("INVARIANTS TypeOK Few\n");
    for mode in ["uniform", "successors", "learned", "coverage"] {
        for seed in 0..5 {
            let run = |n: u32| {
                sandbox.run(&format!("simulate --mode {mode} --seed {seed} --depth 30 -w {n} Token.tla"))
            };
            let alone = run(1);
            assert_eq!(alone.code(), Some(12), "{}", alone.stderr());
            for n in [2, 5] {
                assert_eq!(alone.stdout(), run(n).stdout(), "{mode}, seed {seed}, {n} workers");
            }
        }
    }
}

/// Code is made at once, after a while, or never: invariants, constraints and action properties among them.
#[test]
fn the_walks_do_not_depend_on_how_they_are_evaluated() {
    let configs = [
        "INVARIANTS TypeOK Few\n",
        "INVARIANT TypeOK\nPROPERTY Grows\nCONSTRAINT Small\n",
        "ACTION_CONSTRAINT Stepwise\nPROPERTY Stays\n",
    ];
    for config in configs {
        let sandbox = token(config);
        for mode in ["uniform", "successors", "learned", "coverage"] {
            let run = |engine: &str| {
                let args = "--seed 7 --depth 30 --traces 100 -w 2 --deadlock off --format json Token.tla";
                sandbox.run(&format!("simulate --engine {engine} --mode {mode} {args}"))
            };
            let interpreted = run("interpreted");
            assert_eq!(answer(&interpreted), answer(&run("compiled")), "{mode}, {config}");
        }
    }
}

#[test]
fn code_finds_the_planted_mistakes_on_the_same_walks() {
    for case in recorded("mutants").iter().step_by(3) {
        let run = |engine: &str| walk_case(case, &format!("--traces 500 --engine {engine}"));
        assert_eq!(answer(&run("interpreted")), answer(&run("compiled")), "{}", case.config.display());
    }
}

#[test]
fn a_specification_can_ask_what_it_consists_of() {
    let module = "---- MODULE Asks ----\nEXTENDS Naturals, TLC, FiniteSets\nVARIABLE x\nInit == x = 0\n\
                  Step == x' = 1 - x\nBack == x = 1 /\\ x' = 0\nNext == Step \\/ Back\n\
                  Known == Cardinality(TLCGet(\"spec\").actions) = 2 /\\ Cardinality(TLCGet(\"spec\").variables) = 1\n====\n";
    let sandbox =
        Sandbox::new().file("Asks.tla", module).file("Asks.cfg", "INIT Init\nNEXT Next\nINVARIANT Known\n");
    let run = sandbox.run("simulate --traces 2 --depth 5 Asks.tla");
    assert_eq!(run.code(), Some(0), "{}", run.stdout());
}

#[test]
fn a_walk_that_is_made_alone_is_the_one_that_was_made_among_others() {
    let sandbox = token("INVARIANT TypeOK\n");
    for mode in ["uniform", "learned", "coverage"] {
        sandbox.run(&format!("simulate --mode {mode} --traces 40 --depth 25 --dump all Token.tla"));
        for walk in [0, 7, 39] {
            sandbox.run(&format!("simulate --mode {mode} --walk {walk} --depth 25 --dump one Token.tla"));
            let name = format!("walk-{walk}.itf.json");
            assert_eq!(sandbox.read(&format!("all/{name}")), sandbox.read(&format!("one/{name}")), "{mode}");
        }
    }
}

#[test]
fn what_was_found_decides_the_exit_code() {
    let check = |config: &str, code: i32| {
        let run = token(config).run("simulate --traces 300 Token.tla");
        assert_eq!(run.code(), Some(code), "{config}{}{}", run.stdout(), run.stderr());
    };
    check("INVARIANT TypeOK\n", 0);
    check("INVARIANT Alone\n", 12);
    check("PROPERTY Stays\n", 13);
    check("INVARIANT Asserts\n", 76);
    check("CONSTRAINT Asserts\n", 14);
    check("CONSTRAINT Never\n", 22);
}

/// TLC: a search asks whether there are successors at all, a simulation whether there are any left.
#[test]
fn a_state_whose_successors_are_all_outside_of_the_model_is_a_deadlock_here() {
    let sandbox = token("CONSTRAINT Small\n");
    let last = "---- MODULE Last ----\nEXTENDS Naturals\nVARIABLE x\nInit == x = 0\nNext == x' = x + 1\nLow == x < 5\n====\n";
    let sandbox = sandbox.file("Last.tla", last).file("Last.cfg", "INIT Init\nNEXT Next\nCONSTRAINT Low\n");
    assert_eq!(sandbox.run("check Last.tla").code(), Some(0));
    sandbox.run("simulate --traces 1 Last.tla").check("simulate-deadlock-by-constraint");
    assert_eq!(sandbox.run("simulate --traces 1 --deadlock off Last.tla").code(), Some(0));
}

#[test]
fn an_action_of_weight_zero_is_taken_only_when_there_is_no_other() {
    let sandbox =
        token("INVARIANT TypeOK\n").file("specline.toml", "[simulate.weights]\nWrite = 0\nPass = 0.01\n");
    let run = sandbox.run("simulate --traces 20 --format json Token.tla");
    assert!(answer(&run).contains(r#"{"name":"Write","taken":0}"#), "{}", run.stdout());
    let run = sandbox.run("simulate --traces 20 --weight Write=1 --format json Token.tla");
    assert!(!answer(&run).contains(r#"{"name":"Write","taken":0}"#), "{}", run.stdout());
}

#[test]
fn settings_that_make_no_sense_are_refused() {
    let sandbox = token("INVARIANT TypeOK\n");
    sandbox.run("simulate --weight Writ=2 Token.tla").check("simulate-unknown-action");
    let sandbox = sandbox.file("specline.toml", "[simulate]\nmode = \"lucky\"\n");
    sandbox.run("simulate Token.tla").check("simulate-bad-settings");
    let sandbox = sandbox.file("other.toml", "[simulate.weights]\nWrite = -1\n");
    assert_eq!(sandbox.run("simulate --settings other.toml Token.tla").code(), Some(151));
    assert_eq!(sandbox.run("simulate --settings none.toml Token.tla").code(), Some(255));
    let run = token("").run("simulate --view holder' --traces 1 Token.tla");
    assert_eq!(run.code(), Some(151), "{}", run.stderr());
}

/// A view that tells states apart by their holder alone makes other walks than one that sees everything.
#[test]
fn a_view_decides_what_is_learned() {
    let sandbox = token("INVARIANT TypeOK\n");
    for mode in ["learned", "coverage"] {
        let run = |view: &str| sandbox.run(&format!("simulate --mode {mode} --traces 100 {view} Token.tla"));
        assert_ne!(run("").stdout(), run("--view holder").stdout(), "{mode}");
    }
}

#[test]
fn time_ends_it_well() {
    let run = token("INVARIANT TypeOK\n").run("simulate --time 200ms --format json Token.tla");
    assert_eq!(run.code(), Some(0));
    assert!(answer(&run).contains(r#""verdict":"holds""#));
}

#[test]
fn a_simulation_that_took_no_step_is_no_success() {
    let sandbox = token("INVARIANT TypeOK\n");
    let none = sandbox.run("simulate --time 0s -w 1 Token.tla");
    assert_eq!(none.code(), Some(21), "{}{}", none.stdout(), none.stderr());
    let no_walks = sandbox.run("simulate --traces 0 Token.tla");
    assert_eq!(no_walks.code(), Some(1), "{}{}", no_walks.stdout(), no_walks.stderr());
}

#[test]
fn an_interrupt_ends_it_with_what_was_found_so_far() {
    let sandbox = token("INVARIANT TypeOK\n");
    // Printing shows that it has begun.
    let sandbox =
        sandbox.file("Say.tla", "---- MODULE Say ----\nEXTENDS Token\nSaid == PrintT(holder)\n====\n");
    let sandbox = sandbox.file("Say.cfg", format!("{CONSTANTS}CONSTRAINT Said\n"));
    let mut command = sandbox.command("simulate Say.tla");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the program starts");
    let mut lines = BufReader::new(child.stdout.take().expect("standard output is a pipe")).lines();
    lines.next().expect("it prints").expect("it is text");
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("there is a kill").success());
    let told: Vec<String> = lines.map_while(Result::ok).filter(|line| line.contains("interrupted")).collect();
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert_eq!(told.len(), 1, "{told:?}");
}

/// A walk meets new values all the time; it must not keep them.
#[test]
fn memory_does_not_grow_with_the_length_of_walks() {
    let sandbox = token("INVARIANT TypeOK\n");
    let peak = |depth: u32| {
        let run = sandbox.run(&format!("simulate --walk 0 --depth {depth} --format json -w 1 Token.tla"));
        let line = run.stdout().lines().find(|line| line.contains(r#""kind":"memory""#));
        let figure = line.expect("memory is told").split(':').next_back().unwrap_or_default();
        figure.trim_end_matches('}').parse::<u64>().expect("a number of bytes")
    };
    let (short, long) = (peak(1_000), peak(60_000));
    assert!(long < short + (24 << 20), "{short} bytes for 1,000 steps, {long} for 60,000");
}

const BRANCHES: &str = r#"---- MODULE Branches ----
EXTENDS Naturals
VARIABLES x, y
Init == x = 0 /\ y = 0
Sign(n) == IF n > 2 THEN 1 ELSE 0
Up == x < 3 /\ x' = x + 1 /\ y' = Sign(x)
Reset == /\ x = 3
         /\ \/ x' = 0
            \/ y > 5 /\ x' = 9
         /\ y' = CASE x = 1 -> 1 [] x = 3 -> 2
Never == x > 7 /\ UNCHANGED <<x, y>>
Next == Up \/ Reset \/ Never
Small == x <= 3
====
"#;

#[test]
fn coverage_tells_what_was_used_and_what_never_was() {
    let sandbox = Sandbox::new().file("Branches.tla", BRANCHES);
    let sandbox = sandbox.file("Branches.cfg", "INIT Init\nNEXT Next\nINVARIANT Small\n");
    sandbox.run("check --coverage Branches.tla").check("coverage-check");
    sandbox
        .run("simulate --coverage --traces 2 --depth 5 --format json Branches.tla")
        .check("coverage-simulate-json");
}

/// Counting changes no answer, whoever counts.
#[test]
fn coverage_changes_nothing_else() {
    let sandbox = token("INVARIANTS TypeOK Few\n");
    for (command, n_workers) in [("check", 1), ("check", 3), ("simulate", 1), ("simulate", 3)] {
        let run =
            |flag: &str| sandbox.run(&format!("{command} {flag} -w {n_workers} --format json Token.tla"));
        assert_eq!(answer(&run("")), answer(&run("--coverage")), "{command}");
    }
}

/// The answer that was recorded from TLC for a case of the suite, as far as walks can be compared with it.
struct Recorded {
    config: std::path::PathBuf,
    module: std::path::PathBuf,
    exit: i32,
    /// How many states the shortest trace has.
    n_states: usize,
}

fn recorded(folder: &str) -> Vec<Recorded> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite").join(folder);
    let mut configs: Vec<_> = std::fs::read_dir(&folder).expect("the suite is there").flatten().collect();
    configs.retain(|entry| entry.path().extension().is_some_and(|extension| extension == "cfg"));
    configs.sort_by_key(std::fs::DirEntry::path);
    let read = |entry: &std::fs::DirEntry| {
        let text = std::fs::read_to_string(entry.path().with_extension("expect")).expect("it was recorded");
        let record: toml::Table = text.parse().expect("a record is TOML");
        Recorded {
            config: entry.path(),
            module: folder.join(record["spec"].as_str().expect("it names its module")),
            exit: record["exit"].as_integer().expect("it has an exit code") as i32,
            n_states: record.get("trace").and_then(toml::Value::as_array).map_or(0, Vec::len),
        }
    };
    configs.iter().map(read).collect()
}

fn walk_case(case: &Recorded, args: &str) -> Run {
    let (module, config) = (case.module.display(), case.config.display());
    Sandbox::new().run(&format!("simulate {args} --format json -c {config} {module}"))
}

/// Walks find nothing where there is nothing.
#[test]
fn walks_through_what_is_right_find_nothing() {
    for case in recorded("protocols").iter().filter(|case| case.exit == 0) {
        let run = walk_case(case, "--traces 15 --depth 40 --deadlock off");
        assert_eq!(run.code(), Some(0), "{}: {}", case.config.display(), run.stdout());
    }
}

/// Every planted mistake of the suite is found, and what is shown is not shorter than the shortest behaviour that shows
/// it, nor much longer.
#[test]
fn walks_find_what_is_wrong_and_make_it_short() {
    for case in recorded("mutants") {
        let run = walk_case(&case, "--traces 2000");
        let name = case.config.display();
        assert_eq!(run.code(), Some(case.exit), "{name}: {}", run.stdout());
        let answer: serde_json::Value = serde_json::from_str(answer(&run)).expect("an answer is JSON");
        let n_states = answer["trace"]["states"].as_array().expect("there is a trace").len();
        assert!((case.n_states..=case.n_states + 2).contains(&n_states), "{name}: {n_states} states");
    }
}

/// TLC: properties of initial states are not looked at when it simulates. That must not go unsaid.
#[test]
fn properties_of_initial_states_are_passed_over_with_a_warning() {
    let sandbox = token("PROPERTY Never\n");
    assert_eq!(sandbox.run("check Token.tla").code(), Some(13));
    let run = sandbox.run("simulate --traces 2 Token.tla");
    assert_eq!(run.code(), Some(0));
    assert!(
        run.stderr().contains("warning[SL0766]: `Never` is about initial states alone"),
        "{}",
        run.stderr()
    );
}

#[test]
fn walks_go_on_after_violations_if_they_are_told_to() {
    let sandbox = token("INVARIANTS TypeOK Alone\nPROPERTY Stays\n");
    let first = sandbox.run("simulate --traces 30 --depth 20 --seed 3 Token.tla");
    let all = sandbox.run("simulate --traces 30 --depth 20 --seed 3 --continue Token.tla");
    all.check("simulate-continue");
    // What is told is the first, made short.
    let behaviour = |run: &Run| run.stdout().split("Walk ").next().unwrap_or_default().to_owned();
    assert_eq!((all.code(), behaviour(&all)), (first.code(), behaviour(&first)));
    for workers in [1, 2] {
        let args = format!("simulate --traces 30 --depth 20 --seed 3 -w {workers} --format json");
        let events = |limit: &str| {
            let run = sandbox.run(&format!("{args} {limit} Token.tla"));
            assert_eq!(run.code(), first.code(), "{}", run.stdout());
            let n_events = run.stdout().matches(r#""kind":"violation""#).count();
            (n_events, answer(&run).to_owned())
        };
        let (n_all, told) = events("--continue");
        assert!(n_all > 20, "{told}");
        assert!(told.contains(r#""walks":30"#) && told.contains(r#""violated":["#), "{told}");
        let (n_four, told) = events("--continue=4");
        assert_eq!(n_four, 4, "{told}");
        assert!(!told.contains(r#""walks":30"#), "{told}");
        assert_eq!(events("").0, 0);
    }
}

#[test]
fn what_ends_walks_after_a_violation_is_told_beside_it() {
    let sandbox = token("INVARIANTS Alone Asserts\n");
    // A walk that writes twice violates the first; none gets to a third.
    sandbox.run("simulate --traces 30 --depth 20 --seed 3 --continue Token.tla").ends_with(12);
    let sandbox = token("INVARIANT Asserts\nPROPERTY Stays\n");
    let run = sandbox.run("simulate --traces 300 --depth 20 --seed 4 --continue Token.tla");
    run.ends_with(13);
    assert!(run.stderr().contains("three"), "{}", run.stderr());
}

#[test]
fn constraints_that_exclude_every_initial_state_are_told() {
    let run = token("CONSTRAINT Never\n").run("simulate --traces 3 Token.tla");
    run.ends_with(22);
    assert!(run.stdout().contains("SL0768"), "{}", run.stdout());
    token("CONSTRAINT Never\n").run("check Token.tla").ends_with(0);
}

/// A state of about half a megabyte is more than a worker keeps between two steps.
#[test]
fn walks_go_on_from_large_states() {
    let module = "---- MODULE Wide ----\nEXTENDS Naturals\nVARIABLES x, y\n\
                  Init == x = [i \\in 1..60000 |-> (i * 7) % 60001] /\\ y = 0\n\
                  Next == y' = y + 1 /\\ x' = [x EXCEPT ![y + 1] = y]\n====\n";
    let sandbox = Sandbox::new().file("Wide.tla", module).file("Wide.cfg", "INIT Init\nNEXT Next\n");
    let run = sandbox.run("simulate --traces 1 --depth 5 Wide.tla");
    assert_eq!(run.code(), Some(0), "{}{}", run.stdout(), run.stderr());
}
