//! Specifications, configurations, files and command lines that make no sense or ask for too much: each run ends
//! soon, with an exit code, a code of ours and, where there is one, a place.

use crate::sandbox::{Run, Sandbox};

/// How a run must end.
struct End {
    exit: i32,
    /// The texts that the message must contain: its code, its place, a remedy.
    says: &'static [&'static str],
}

#[track_caller]
fn check(what: &str, run: &Run, end: &End) {
    let text = format!("{}{}", run.stdout(), run.stderr());
    assert_eq!(run.code(), Some(end.exit), "{what}\n{text}");
    for part in end.says {
        assert!(text.contains(part), "{what}: `{part}` is missing\n{text}");
    }
    assert!(!text.contains("panicked") && !text.contains("SL0901"), "{what}\n{text}");
}

/// A module with these definitions after `Init`, on the lines from 6 on.
fn model(definitions: &str, config: &str) -> Sandbox {
    let module = format!(
        "---- MODULE Bad ----\nEXTENDS Integers, Sequences, FiniteSets\nCONSTANT N\nVARIABLES x, y\n\
         Init == x = 0 /\\ y = 0\n{definitions}\n====\n"
    );
    Sandbox::new().file("Bad.tla", module).file("Bad.cfg", format!("CONSTANT N = 3\n{config}\n"))
}

const PLAIN: &str = "INIT Init\nNEXT Next";
const WITH_INVARIANT: &str = "INIT Init\nNEXT Next\nINVARIANT Inv";

#[test]
fn specifications_that_have_no_value_end_clearly() {
    let next = "Next == x' = x /\\ y' = y\n";
    let cases: &[(&str, String, &str, End)] = &[
        (
            "an operator that recurses for ever",
            "RECURSIVE F(_)\nF(n) == F(n + 1) + 1\nNext == x' = F(x) /\\ y' = y".to_owned(),
            PLAIN,
            End { exit: 75, says: &["SL0712", "Bad.tla:7:"] },
        ),
        (
            "a function that recurses for ever",
            "f[n \\in Nat] == f[n + 1] + 1\nNext == x' = f[x] /\\ y' = y".to_owned(),
            PLAIN,
            End { exit: 75, says: &["SL0712", "Bad.tla:6:"] },
        ),
        (
            "two operators that call each other for ever, in an invariant",
            format!("{next}RECURSIVE F(_), G(_)\nF(n) == G(n)\nG(n) == F(n)\nInv == F(x)"),
            WITH_INVARIANT,
            End { exit: 75, says: &["SL0712", "Bad.tla:"] },
        ),
        (
            "a step that leaves a variable open",
            "Next == x' = 1".to_owned(),
            PLAIN,
            End { exit: 75, says: &["SL0716", "Bad.tla:6:", "`y`", "UNCHANGED"] },
        ),
        (
            "an invariant that is no boolean",
            format!("{next}Inv == x + 1"),
            WITH_INVARIANT,
            End { exit: 75, says: &["SL0707", "Bad.tla:7:"] },
        ),
        (
            "an invariant that is no boolean later",
            "Next == x' = 1 /\\ y' = y\nInv == IF x = 0 THEN TRUE ELSE x".to_owned(),
            WITH_INVARIANT,
            End { exit: 76, says: &["SL0707", "Bad.tla:7:"] },
        ),
        (
            "a state with all subsets of sixty numbers",
            "Next == x' = SUBSET (1..60) /\\ y' = y".to_owned(),
            PLAIN,
            End { exit: 75, says: &["SL0705", "Bad.tla:6:", "SUBSET (1..60)"] },
        ),
        (
            "an interval without an end that can be stored",
            "Next == x' = 1..10 ^ 40 /\\ y' = y".to_owned(),
            PLAIN,
            End { exit: 75, says: &["SL0705", "Bad.tla:6:"] },
        ),
    ];
    for (what, definitions, config, end) in cases {
        check(what, &model(definitions, config).run("check --workers 1 Bad.tla"), end);
    }
}

/// Memory is bounded, and so is time: what does not fit is refused before the machine suffers.
#[test]
fn what_is_too_much_is_refused() {
    let no_room = || End { exit: 21, says: &["SL0779", "Bad.tla:6:", "--memory"] };
    let cases: &[(&str, &str, &str, End)] = &[
        (
            "all subsets of thirty numbers",
            "x' = (IF \\A s \\in SUBSET (1..30) : 31 \\notin s THEN 1 ELSE 2) /\\ y' = y",
            "--memory 40M",
            no_room(),
        ),
        (
            "all subsets, of a set that depends on the state",
            "x' = (IF \\A s \\in SUBSET (x..30) : 31 \\notin s THEN 1 ELSE 2) /\\ y' = y",
            "--memory 40M",
            no_room(),
        ),
        ("20^20 functions", "x' \\in [1..20 -> 1..20] /\\ y' = y", "--memory 40M", no_room()),
        (
            "a set of what is made of all subsets",
            "x' = Cardinality({s \\cup {0} : s \\in SUBSET (1..30)}) /\\ y' = y",
            "--memory 40M",
            no_room(),
        ),
        (
            "a hundred million successors",
            "x' \\in 1..100000000 /\\ y' = y",
            "--memory 8M",
            End { exit: 21, says: &["not complete", "no room"] },
        ),
        (
            "a quantifier that takes for ever",
            "x' = (IF \\A k \\in 1..10 ^ 15 : k > 0 THEN 1 ELSE 2) /\\ y' = y",
            "--time 1",
            End { exit: 21, says: &["not complete", "time"] },
        ),
        (
            "ten million numbers, which are not too many",
            "x' = Cardinality({k \\in 1..10000000 : k % 5000000 = 0}) /\\ y' = y",
            "--deadlock off",
            End { exit: 0, says: &["2 distinct states"] },
        ),
    ];
    for (what, next, options, end) in cases {
        let run =
            model(&format!("Next == {next}"), PLAIN).run(&format!("check --workers 1 {options} Bad.tla"));
        check(what, &run, end);
    }
}

#[test]
fn configurations_that_do_not_fit_end_clearly() {
    let definitions = "Next == x' = x /\\ y' = y\nSpec == Init /\\ [][Next]_<<x, y>>\nOp(a) == a\n\
         Again == N + 1\nNext2 == Next \\/ x' = 2\nInv == x < N";
    let cases: &[(&str, i32, &[&str])] = &[
        ("", 151, &["SL0511", "Bad.cfg:"]),
        ("NEXT Next", 151, &["SL0511", "Bad.cfg:"]),
        ("INIT Init", 75, &["SL0714", "NEXT"]),
        ("SPECIFICATION Spec\nINIT Init", 151, &["SL0504", "Bad.cfg:3:"]),
        ("SPECIFICATION Nowhere", 151, &["SL0505", "Bad.cfg:2:15"]),
        ("SPECIFICATION Spec\nINVARIANT Nowhere", 151, &["SL0505", "Bad.cfg:3:11"]),
        ("SPECIFICATION Spec\nINVARIANT Op", 151, &["SL0508", "Bad.cfg:3:11"]),
        ("SPECIFICATION Spec\nINVARIANT Next", 151, &["SL0510", "Bad.cfg:3:11"]),
        ("SPECIFICATION Spec\nCONSTANT N = -1", 255, &["SL0503", "Bad.cfg:3:14"]),
        ("SPECIFICATION Spec\nCONSTANT N =", 255, &["SL0501", "Bad.cfg:"]),
        ("SPECIFICATION Spec\nNOTHING", 255, &["SL0501", "Bad.cfg:3:"]),
        ("SPECIFICATION Spec\nCHECK_DEADLOCK MAYBE", 255, &["SL0501", "Bad.cfg:3:"]),
        ("SPECIFICATION Spec\nSYMMETRY Again", 255, &["SL0703", "Bad.tla:9:", "SYMMETRY"]),
        ("SPECIFICATION Spec\nCONSTANT N <- Op", 151, &["SL0508", "Bad.cfg:3:"]),
        ("SPECIFICATION Spec\nCONSTANT N <- Again\nINVARIANT Inv", 75, &["SL0714", "Bad.tla:", "by itself"]),
        ("INIT Init\nNEXT Next\nCONSTANT Next <- Next2", 75, &["SL0714", "Bad.tla:", "by itself"]),
        ("SPECIFICATION Spec\nINVARIANT Again", 75, &["SL0707", "Bad.tla:"]),
    ];
    for (config, exit, says) in cases {
        let run = model(definitions, config).run("check --workers 1 Bad.tla");
        check(config, &run, &End { exit: *exit, says });
    }
}

#[test]
fn definitions_of_the_command_line_that_make_no_sense_end_clearly() {
    let cases: &[(&str, i32, &[&str])] = &[
        ("N", 255, &["SL0501", "-D N"]),
        ("N=", 150, &["SL0110", "-D N:1:1"]),
        ("N=1+", 150, &["SL0110", "-D N:1:3"]),
        ("N=x", 151, &["SL0510", "-D N:1:1"]),
        ("N=Nowhere", 150, &["SL0301", "-D N:1:1"]),
        ("N=N", 75, &["SL0714", "-D N:1:1", "by itself"]),
        ("N=(1", 150, &["SL0111", "-D N:1:1"]),
        ("Nowhere=1", 151, &["SL0505", "Nowhere"]),
        ("=1", 151, &["SL0505"]),
    ];
    let definitions = "Next == x' = N /\\ y' = y";
    for (define, exit, says) in cases {
        let run = model(definitions, PLAIN).run(&format!("check --workers 1 -D {define} Bad.tla"));
        check(define, &run, &End { exit: *exit, says });
    }
}

#[test]
fn comments_need_not_be_utf_8() {
    let module = b"Ren\xe9\n---- MODULE Old ----\n\\* Andr\xe9\nVARIABLE x (* \xe9 *)\nInit == x = 0 (* \xfc\xfc *)\nNext == x' = x\n====\n\xe9\n";
    let config = b"\\* Ren\xe9\nINIT Init (* \xe9 *)\nNEXT Next\n";
    let sandbox = Sandbox::new().file("Old.tla", module).file("Old.cfg", config);
    check("comments", &sandbox.run("check Old.tla"), &End { exit: 0, says: &["1 "] });
    // What would write the file still refuses it.
    check("fmt", &sandbox.run("fmt Old.tla"), &End { exit: 150, says: &["SL0002", "Old.tla:1:4"] });
    let config = b"INIT Init\nNEXT Next\nCONSTANT N = caf\xe9\n";
    let sandbox = sandbox.file("Old.cfg", config);
    check("a value", &sandbox.run("check Old.tla"), &End { exit: 150, says: &["SL0002", "Old.cfg:3:17"] });
}

#[test]
fn files_that_are_no_modules_end_clearly() {
    let whole = "---- MODULE Bad ----\nVARIABLE x\nInit == x = 0\nNext == x' = x\n====\n";
    let cases: &[(&str, &[u8], i32, &[&str])] = &[
        ("empty", b"", 150, &["SL0004", "Bad.tla:1:1"]),
        ("zeros", b"\0\0\0", 150, &["SL0004", "Bad.tla:1:1"]),
        ("cut in a definition", &whole.as_bytes()[..60], 150, &["Bad.tla:"]),
        ("cut before the end", &whole.as_bytes()[..whole.len() - 5], 150, &["Bad.tla:"]),
        ("not text", b"---- MODULE Bad ----\n\xff\xfe", 150, &["SL0002", "Bad.tla:2:1"]),
        ("bytes", b"\xff\xfe\0\x01", 150, &["SL0002", "Bad.tla:1:1"]),
        (
            "a string that is not UTF-8",
            b"---- MODULE Bad ----\nVARIABLE x\nInit == x = \"caf\xe9\"\n====\n",
            150,
            &["SL0002", "Bad.tla:3:17"],
        ),
        ("another module", b"---- MODULE Other ----\n====\n", 150, &["SL0203", "Bad.tla:1:13"]),
    ];
    for (what, content, exit, says) in cases {
        let sandbox = Sandbox::new().file("Bad.tla", content).file("Bad.cfg", PLAIN);
        check(what, &sandbox.run("check Bad.tla"), &End { exit: *exit, says });
    }
    let unreadable = End { exit: 255, says: &["SL0001", "Bad.tla"] };
    check("no file", &Sandbox::new().run("check Bad.tla"), &unreadable);
    check("a folder", &Sandbox::new().folder("Bad.tla").run("check Bad.tla"), &unreadable);
    let sandbox = Sandbox::new().file("Bad.tla", whole).folder("Bad.cfg");
    check(
        "a folder as configuration",
        &sandbox.run("check Bad.tla"),
        &End { exit: 255, says: &["SL0001", "Bad.cfg"] },
    );
}
