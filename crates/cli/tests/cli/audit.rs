//! Audits: every class of mistake is made and found, and what no property catches is named with its place.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

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
Bare == \A b, c \in {chosen = Node} : b => c
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
    votes("INVARIANTS TypeOK Nothing Bare Vacuous Empty").run("audit -w 1 Votes.tla").check("audit-weak");
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
    let run = votes("").run("audit Votes.tla");
    assert!(run.stdout().contains("The configuration asks for no property"), "{}", run.stdout());
    let run = votes("").run("audit --list --only quorum,update --format json Votes.tla");
    let classes: Vec<String> = objects(&run, "mutant").iter().map(|mutant| text(mutant, "class")).collect();
    assert_eq!(classes, ["quorum", "quorum", "update", "update", "update"]);
}

#[test]
fn one_mutant_is_told_in_full() {
    let sandbox = votes("INVARIANTS TypeOK Supported");
    sandbox.run("audit --mutant 2 Votes.tla").check("audit-missed");
    sandbox.run("audit --mutant 3 Votes.tla").check("audit-caught");
    sandbox.run("audit --mutant 3 Votes.tla --trace caught.itf.json --trace-html caught.html");
    assert!(sandbox.read("caught.itf.json").contains("\"finding\""));
    assert!(sandbox.read("caught.html").contains("\"kind\":\"trace\""));
    let run = sandbox.run("audit Votes.tla --trace-html caught.html");
    assert!(run.stderr().contains("there is no trace to keep without --mutant"), "{}", run.stderr());
    let run = sandbox.run("audit --mutant 99 Votes.tla");
    assert_eq!(run.code(), Some(1), "{}", run.stderr());
    assert!(run.stderr().contains("there is no mutant 99"), "{}", run.stderr());
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

#[test]
fn a_mutant_says_what_the_changed_text_says() {
    let sandbox = votes("INVARIANTS TypeOK Agreement Supported Counted Bounded");
    let run = sandbox.run("audit --format json Votes.tla");
    let judged = objects(&run, "mutant");
    assert_eq!(judged.len(), 11, "{}", run.stdout());
    for mutant in judged {
        let checked = votes("INVARIANTS TypeOK Agreement Supported Counted Bounded")
            .file("Votes.tla", written_out(&mutant))
            .run("check Votes.tla");
        let is_violated = match text(&mutant, "verdict").as_str() {
            "caught" => true,
            "same" | "missed" => false,
            other => panic!("{other}: {mutant}"),
        };
        assert_eq!(checked.code(), Some(if is_violated { 12 } else { 0 }), "{mutant}\n{}", checked.stdout());
    }
}

/// The module with the mutant in it.
fn written_out(mutant: &Value) -> String {
    let offset = |point: &Value| {
        let number = |field: &str| point[field].as_u64().expect("a place has numbers") as usize;
        let before: usize = VOTES.split_inclusive('\n').take(number("line") - 1).map(str::len).sum();
        before + number("column") - 1
    };
    let (start, end) = (offset(&mutant["place"]["start"]), offset(&mutant["place"]["end"]));
    format!("{}({}){}", &VOTES[..start], text(mutant, "mutated"), &VOTES[end..])
}

#[test]
fn a_property_keeps_its_meaning_where_it_shares_a_definition() {
    let shared = VOTES.replace("Bounded ==", "ByQuorum == \\A v \\in chosen : IsQuorum(For(v))\nBounded ==");
    let sandbox = votes("INVARIANT ByQuorum").file("Votes.tla", shared);
    let run = sandbox.run("audit --only quorum --format json Votes.tla");
    let caught = mutants(&run, "caught");
    assert_eq!(caught.len(), 1, "{}", run.stdout());
    assert_eq!(text(&caught[0], "property"), "ByQuorum");
}

/// Steps of actions that a mutant does not touch are not compared: which it touches must be seen through whatever there is.
#[test]
fn a_difference_is_seen_however_an_action_uses_what_was_changed() {
    let check = |defined: &str, guard: &str| {
        let module =
            VOTES.replace("For(v) ==", &format!("{defined}\nFor(v) ==")).replace("IsQuorum(For(v))", guard);
        let sandbox = votes("INVARIANT TypeOK").file("Votes.tla", module);
        let run = sandbox.run("audit --only quorum --format json Votes.tla");
        let verdicts: Vec<String> =
            objects(&run, "mutant").iter().map(|mutant| text(mutant, "verdict")).collect();
        assert_eq!(verdicts, ["same", "missed"], "{guard}\n{}", run.stdout());
    };
    check("", "IsQuorum(For(v))");
    check("Quorums == {Q \\in SUBSET Node : IsQuorum(Q)}", "For(v) \\in Quorums");
    check("Any(S, P(_)) == \\E x \\in S : P(x)", "Any({For(v)}, IsQuorum)");
    check("f[Q \\in SUBSET Node] == IsQuorum(Q)", "f[For(v)]");
    check(
        "RECURSIVE Deep(_, _)\nDeep(Q, n) == IF n = 0 THEN IsQuorum(Q) ELSE Deep(Q, n - 1)",
        "Deep(For(v), 3)",
    );
    check("", "LET big == IsQuorum(For(v)) IN big \\/ FALSE");
}

#[test]
fn fairness_is_about_what_was_changed() {
    let module = "---- MODULE Up ----\nEXTENDS Naturals\nVARIABLE x\nInit == x = 0\n\
                  Next == x < 3 /\\ x' = x + 1\nSpec == Init /\\ [][Next]_x /\\ WF_x(Next)\n\
                  Arrives == <>(x = 3)\n====\n";
    let config = "SPECIFICATION Spec\nPROPERTY Arrives\nCHECK_DEADLOCK FALSE\n";
    let run = Sandbox::new()
        .file("Up.tla", module)
        .file("Up.cfg", config)
        .run("audit --only update --format json Up.tla");
    let caught = mutants(&run, "caught");
    assert_eq!(caught.len(), 1, "{}", run.stdout());
    assert_eq!(
        (text(&caught[0], "mutated"), text(&caught[0], "property_kind")),
        ("x' = x".into(), "temporal".into())
    );
    assert_eq!(run.code(), Some(0));
}

#[test]
fn what_follows_from_the_types_cannot_fail() {
    let module = "---- MODULE Three ----\nEXTENDS Naturals\nVARIABLES x, s\nInit == x = 0 /\\ s = {}\n\
                  Next == x < 2 /\\ x' = x + 1 /\\ s' = s \\cup {x}\n\
                  TypeOK == x \\in 0..3 /\\ s \\subseteq 0..3\nObvious == x + 1 > 0\n\
                  Real == x \\notin s\nSmall == x < 3\n====\n";
    let config = "INIT Init\nNEXT Next\nINVARIANTS Real Obvious TypeOK Small\nCHECK_DEADLOCK FALSE\n";
    let run = Sandbox::new()
        .file("Three.tla", module)
        .file("Three.cfg", config)
        .run("audit --format json Three.tla");
    let implied: Vec<(String, String)> = objects(&run, "property")
        .iter()
        .map(|property| (text(property, "name"), text(property, "implied_by")))
        .filter(|(_, by)| !by.is_empty())
        .collect();
    assert_eq!(implied, [("Obvious".to_owned(), "TypeOK".to_owned())], "{}", run.stdout());
}

#[test]
fn an_interrupted_audit_tells_what_it_knows() {
    // Beyond its bound the specification asks for what takes for ever.
    let module = "---- MODULE Slow ----\nEXTENDS Naturals, FiniteSets\nVARIABLES x, y\nInit == x = 0 /\\ y = 0\n\
                  Next == /\\ x < 1\n        /\\ x' = x + 1\n\
                  \u{20}       /\\ y' = Cardinality({t \\in SUBSET (1..x * 40) : 1 \\in t})\nZero == x < 2\n====\n";
    let sandbox = Sandbox::new()
        .file("Slow.tla", module)
        .file("Slow.cfg", "INIT Init\nNEXT Next\nINVARIANT Zero\nCHECK_DEADLOCK FALSE\n");
    let mut command = sandbox.command("audit -w 1 --time 1h --format json Slow.tla");
    let mut child = command.stdout(Stdio::piped()).spawn().expect("the program starts");
    let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
    let is_begun = lines.by_ref().map_while(Result::ok).any(|line| line.contains(r#""kind":"base""#));
    assert!(is_begun, "the specification as it is was explored");
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("there is a kill").success());
    let told: Vec<String> = lines.map_while(Result::ok).collect();
    assert_eq!(child.wait().expect("it ends").code(), Some(130), "{told:#?}");
    let last: Value = serde_json::from_str(told.last().expect("it tells something")).expect("an object");
    assert_eq!((text(&last, "kind").as_str(), last["is_interrupted"].as_bool()), ("audit", Some(true)));
    assert!(told.iter().any(|line| line.contains(r#""reason":"interrupted""#)), "{told:#?}");
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

#[test]
fn an_operand_that_an_instance_substitutes_stands_in_another_file() {
    let ids = "---- MODULE Ids ----\nEXTENDS Naturals\nCONSTANT Last\nVARIABLE id\n\
               Take == id <= Last /\\ id' = id + 1\n====\n";
    let root = format!(
        "---- MODULE Store ----\n(* {} *)\nEXTENDS Naturals\nCONSTANT Max\nVARIABLE n\n\
         Ids == INSTANCE Ids WITH Last <- Max - 1, id <- n\n\
         Init == n = 0\nNext == Ids!Take\nSmall == n <= Max\n====\n",
        "longer than the other file ".repeat(10)
    );
    let sandbox = Sandbox::new().file("Ids.tla", ids).file("Store.tla", root);
    let config = "CONSTANT Max = 3\nINIT Init\nNEXT Next\nINVARIANT Small\nCHECK_DEADLOCK FALSE\n";
    let run = sandbox.file("Store.cfg", config).run("audit --all Store.tla");
    assert!(run.stdout().contains("id <= Last becomes n <= Max - 1 + 1"), "{}{}", run.stdout(), run.stderr());
}
