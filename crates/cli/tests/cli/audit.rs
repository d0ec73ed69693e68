//! Audits: every class of mistake is made and found, and what no property catches is named with its place.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::sandbox::{Run, Sandbox};

/// A register that a majority agrees on. With three nodes half of them, rounded down, is one.
const VOTES: &str = r#"---- MODULE Votes ----
EXTENDS Naturals, FiniteSets
CONSTANTS Node, Value, None
VARIABLES vote, chosen, round
vars == <<vote, chosen, round>>

IsQuorum(Q) == Cardinality(Q) * 2 > Cardinality(Node)
For(v) == {n \in Node : vote[n] = v}

Init ==
    /\ vote = [n \in Node |-> None]
    /\ chosen = {}
    /\ round = 0

Vote(n, v) ==
    /\ vote[n] = None
    /\ round < 3
    /\ vote' = [vote EXCEPT ![n] = v]
    /\ round' = round + 1
    /\ UNCHANGED chosen

Choose(v) ==
    /\ IsQuorum(For(v))
    /\ v \notin chosen
    /\ chosen' = chosen \cup {v}
    /\ UNCHANGED <<vote, round>>

Next == \E v \in Value : Choose(v) \/ \E n \in Node : Vote(n, v)
Spec == Init /\ [][Next]_vars

TypeOK == vote \in [Node -> Value \cup {None}] /\ chosen \subseteq Value
Agreement == Cardinality(chosen) <= 1
Supported == \A v \in chosen : \E n \in Node : vote[n] = v
Counted == round = Cardinality({n \in Node : vote[n] # None})
Bounded == round <= 3
Nothing == 1 + 1 = 2
Vacuous == \A v \in chosen : v = None => round = 7
Empty == \A v \in chosen \cap {None} : round = 8
VotesStay == [][\A n \in Node : vote[n] # None => vote'[n] = vote[n]]_vars
====
"#;
const CONSTANTS: &str = "CONSTANTS Node = {a, b, c}\nValue = {v, w}\nNone = None\nCHECK_DEADLOCK FALSE\n";

fn votes(asks: &str) -> Sandbox {
    Sandbox::new()
        .file("Votes.tla", VOTES)
        .file("Votes.cfg", format!("SPECIFICATION Spec\n{CONSTANTS}{asks}\n"))
}

#[test]
fn what_a_weak_set_of_invariants_does_not_catch_is_named() {
    votes("INVARIANTS TypeOK Nothing Vacuous Empty").run("audit -w 1 Votes.tla").check("audit-weak");
}

#[test]
fn a_strong_set_catches_all_that_does_more() {
    let sandbox = votes("INVARIANTS TypeOK Agreement Supported Counted Bounded\nPROPERTY VotesStay");
    let run = sandbox.run("audit --all -w 1 Votes.tla");
    run.check("audit-strong");
    assert_eq!(run.stdout(), sandbox.run("audit --all -w 4 Votes.tla").stdout());
}

#[test]
fn mutants_are_listed_without_a_run() {
    votes("").run("audit --list Votes.tla").check("audit-list");
    let run = votes("").run("audit --list --only quorum,update --format json Votes.tla");
    let classes: Vec<String> = objects(&run, "mutant").iter().map(|mutant| text(mutant, "class")).collect();
    assert_eq!(classes, ["quorum", "quorum", "update", "update", "update"]);
}

#[test]
fn a_specification_that_fails_is_refused_with_its_verdict() {
    let sandbox = votes("INVARIANT Agreement");
    let sandbox =
        sandbox.file("Bad.cfg", format!("SPECIFICATION Spec\n{CONSTANTS}INVARIANT Bounded Broken\n"));
    let broken = VOTES.replace("Nothing ==", "Broken == round < 2\nNothing ==");
    let sandbox = sandbox.file("Votes.tla", broken);
    let run = sandbox.run("audit -c Bad.cfg Votes.tla");
    assert_eq!(run.code(), Some(12), "{}{}", run.stdout(), run.stderr());
    assert!(run.stderr().contains("An audit needs a specification that passes"), "{}", run.stderr());
    let run = sandbox.run("audit -c Bad.cfg --format json Votes.tla");
    assert_eq!(run.code(), Some(12));
    assert_eq!(objects(&run, "refused").len(), 1, "{}", run.stdout());
}

#[test]
fn a_larger_model_is_walked_through_and_the_seed_says_how() {
    let sandbox = votes("INVARIANTS TypeOK Agreement Supported Counted");
    let args = "audit --max-states 10 --walks 200 --depth 20 --seed 3 --format json Votes.tla";
    let run = sandbox.run(args);
    let audit = &objects(&run, "audit")[0];
    assert_eq!(audit["base"]["method"], "simulation", "{}", run.stdout());
    let caught: Vec<Value> = mutants(&run, "caught");
    assert!(caught.iter().any(|mutant| mutant["class"] == "quorum"), "{}", run.stdout());
    assert_eq!(mutants(&run, "same").len(), 0, "walks cannot show that two are the same");
    assert_eq!(run.stdout(), sandbox.run(&format!("{args} -w 3")).stdout());
    assert_eq!(run.stdout(), sandbox.run(&format!("{args} -w 1")).stdout());
}

#[test]
fn a_mutant_without_end_is_undecided() {
    let module = "---- MODULE Up ----\nEXTENDS Naturals\nVARIABLES x, y\nInit == x = 0 /\\ y = 0\n\
                  Next == /\\ x < 5\n        /\\ x' = x + 1\n        /\\ y' = y\nZero == y = 0\n====\n";
    let sandbox = Sandbox::new()
        .file("Up.tla", module)
        .file("Up.cfg", "INIT Init\nNEXT Next\nINVARIANT Zero\nCHECK_DEADLOCK FALSE\n");
    let run = sandbox.run("audit --format json Up.tla");
    let undecided = mutants(&run, "undecided");
    assert_eq!(undecided.len(), 1, "{}", run.stdout());
    assert_eq!(text(&undecided[0], "original"), "x < 5");
    assert_eq!(text(&undecided[0], "reason"), "states");
    // It is neither caught nor missed, and what was missed counts before it.
    let audit = &objects(&run, "audit")[0];
    assert_eq!((audit["caught"].as_u64(), audit["missed"].as_u64()), (Some(0), Some(2)));
    assert_eq!(run.code(), Some(25));
}

#[test]
fn no_time_decides_nothing() {
    let run = votes("INVARIANT Agreement").run("audit --time 0 Votes.tla");
    assert_eq!(run.code(), Some(21), "{}{}", run.stdout(), run.stderr());
}

/// Specifications of the suite; the classes that are looked at; mistakes, and the property that catches each.
type Planted = (&'static str, &'static str, &'static [(&'static str, &'static str, &'static str)]);

const PLANTED: &[Planted] = &[
    ("SingleDecree", "quorum", &[("quorum", "2 * Cardinality(Q) > Cardinality(Acceptor)", "Consistent")]),
    ("RaftLog", "quorum", &[("quorum", "2 * Cardinality(Q) > Cardinality(Server)", "OneLeaderPerTerm")]),
    (
        "ZabBroadcast",
        "quorum",
        &[("quorum", "2 * Cardinality(Q) > Cardinality(Server)", "OneLeaderPerEpoch")],
    ),
    (
        "AtomicCommit",
        "conjunct,update",
        &[("conjunct", "yes = Participant", "NoSurprise"), ("update", "coord' = \"committed\"", "Agreement")],
    ),
    (
        "Bakery",
        "conjunct,comparison,update",
        &[
            ("conjunct", "~choosing[q]", "Exclusion"),
            ("comparison", "number[p] < number[q]", "Exclusion"),
            ("comparison", "number[q] = 0", "Exclusion"),
            ("update", "number' = [number EXCEPT ![p] = most[p] + 1]", "Exclusion"),
            ("update", "choosing' = [choosing EXCEPT ![p] = FALSE]", "deadlock"),
        ],
    ),
    (
        "KeyValueStore",
        "conjunct,comparison,update",
        &[
            ("conjunct", "c \\notin pending", "OneRequestEach"),
            ("comparison", "t.version < MaxVersion", "TypeOK"),
            ("update", "queue' = Tail(queue)", "OneRequestEach"),
            (
                "update",
                "[table EXCEPT ![r.key] = [version |-> @.version + 1, writer |-> r.by]]",
                "TableIsHistory",
            ),
        ],
    ),
    (
        "TokenTermination",
        "conjunct,comparison,update",
        &[
            ("conjunct", "RoundIsClean", "OnlyWhenQuiet"),
            ("comparison", "flying[n] > 0", "OnlyWhenQuiet"),
            ("update", "balance' = [balance EXCEPT ![n] = @ + 1]", "OnlyWhenQuiet"),
        ],
    ),
];

#[test]
fn planted_mistakes_are_found_in_specifications_of_the_suite() {
    for (name, only, planted) in PLANTED {
        let sandbox = Sandbox::new();
        let spec = suite().join(format!("{name}.tla"));
        let run = sandbox.run(&format!("audit --only {only} --format json {}", spec.display()));
        let caught = mutants(&run, "caught");
        for (class, original, property) in *planted {
            let is_it = |mutant: &&Value| {
                text(mutant, "class") == *class
                    && text(mutant, "original") == *original
                    && text(mutant, "property") == *property
            };
            assert!(
                caught.iter().any(|mutant| is_it(&mutant)),
                "{name}: {class}: {original}\n{}",
                run.stdout()
            );
        }
    }
}

fn suite() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite/protocols")
}

fn mutants(run: &Run, verdict: &str) -> Vec<Value> {
    objects(run, "mutant").into_iter().filter(|mutant| text(mutant, "verdict") == verdict).collect()
}

fn objects(run: &Run, kind: &str) -> Vec<Value> {
    let lines = run.stdout().lines().map(|line| serde_json::from_str(line).expect("a line is an object"));
    lines.filter(|object: &Value| text(object, "kind") == kind).collect()
}

fn text(object: &Value, field: &str) -> String {
    object[field].as_str().unwrap_or_default().to_owned()
}
