//! Every wait sees the limits: time, memory and signals, whatever is evaluated, compiled or told.

use crate::sandbox::Sandbox;

/// A module with `formula` in the places that are evaluated at different times.
fn at(place: &str, formula: &str) -> Sandbox {
    let mut parts =
        [("assume", "TRUE"), ("init", "TRUE"), ("next", "TRUE"), ("inv", "TRUE"), ("live", "x = 0")];
    for (name, part) in &mut parts {
        if *name == place {
            *part = formula;
        }
    }
    let [assume, init, next, inv, live] = parts.map(|(_, part)| part);
    let module = format!(
        "---- MODULE M ----\nEXTENDS Naturals, FiniteSets, Sequences, TLC\nVARIABLE x\n\
         RECURSIVE Fib(_), Twice(_), Pair(_)\n\
         Fib(n) == IF n < 2 THEN n ELSE Fib(n - 1) + Fib(n - 2)\n\
         Twice(n) == IF n = 0 THEN <<1>> ELSE LET t == Twice(n - 1) IN t \\o t\n\
         Pair(n) == IF n = 0 THEN <<1>> ELSE LET p == Pair(n - 1) IN <<p, p>>\n\
         ASSUME {assume}\nInit == x = 0 /\\ {init}\nNext == x' = 1 - x /\\ {next}\nInv == {inv}\n\
         Spec == Init /\\ [][Next]_x /\\ WF_x(Next)\nLive == []<>({live})\n====\n"
    );
    let config = match place {
        "live" => "SPECIFICATION Spec\nPROPERTY Live\n",
        _ => "INIT Init\nNEXT Next\nINVARIANT Inv\n",
    };
    Sandbox::new().file("M.tla", &module).file("M.cfg", config)
}

const PLACES: [&str; 5] = ["assume", "init", "next", "inv", "live"];

#[test]
fn what_fills_the_memory_is_a_limit_with_a_place() {
    let large = "Cardinality({f \\in [1..10 -> 0..9] : f[1] # f[2]}) > 0";
    for place in PLACES {
        let run = at(place, large).run("check --workers 1 --memory 8M M.tla");
        assert_eq!(run.code(), Some(21), "{place}: {}{}", run.stdout(), run.stderr());
        assert!(run.stdout().contains("error[SL0779]"), "{place}: {}", run.stdout());
        assert!(run.stdout().contains("--> M.tla:"), "{place}: {}", run.stdout());
    }
}

#[test]
fn one_large_value_is_refused_before_it_is_made() {
    for large in ["Len(Twice(60)) > 0", "Cardinality((1..30000) \\X (1..30000) \\ {<<1, 1>>}) > 0"] {
        let run = at("next", large).run("check --workers 1 --memory 8M M.tla");
        assert_eq!(run.code(), Some(21), "{large}: {}{}", run.stdout(), run.stderr());
    }
}

#[test]
fn the_time_ends_whatever_is_evaluated() {
    for place in PLACES {
        let run = at(place, "Fib(60) > 0").run("check --workers 1 --time 1s M.tla");
        assert_eq!(run.code(), Some(21), "{place}: {}{}", run.stdout(), run.stderr());
    }
    for long in [
        "Pair(50) = Pair(50)",
        "\\A s \\in SUBSET (1..60) : Cardinality(s) < 61",
        "SortSeq([i \\in 1..200000 |-> (i * 7919) % 200017], LAMBDA a, b : Fib(12) > 0 /\\ a < b) # <<>>",
    ] {
        let run = at("inv", long).run("check --workers 1 --time 1s M.tla");
        assert_eq!(run.code(), Some(21), "{long}: {}{}", run.stdout(), run.stderr());
    }
}

#[test]
fn an_alias_without_end_is_cut_off() {
    let module = "---- MODULE M ----\nEXTENDS Naturals, FiniteSets\nVARIABLE x\nInit == x = 0\nNext == x' = x + 1\n\
                  Inv == x < 2\nRECURSIVE Fib(_)\nFib(n) == IF n < 2 THEN n ELSE Fib(n - 1) + Fib(n - 2)\n\
                  Shown == [y |-> Fib(60 + x)]\n====\n";
    let config = "INIT Init\nNEXT Next\nINVARIANT Inv\nALIAS Shown\n";
    let sandbox = Sandbox::new().file("M.tla", module).file("M.cfg", config);
    let run = sandbox.run("check --workers 1 --time 1s M.tla");
    assert_eq!(run.code(), Some(12), "{}{}", run.stdout(), run.stderr());
}

#[test]
fn large_values_and_many_definitions_are_left_to_the_interpreter() {
    let many = |n: usize, one: &dyn Fn(usize) -> String, between: &str| -> String {
        (0..n).map(one).collect::<Vec<String>>().join(between)
    };
    let tuple = format!("(<<{}>>)[x + 1] + 1", many(3_000, &|_| "x".to_owned(), ", "));
    let lets = many(1_500, &|at| format!("a{} == a{at} + x", at + 1), " ");
    let lets = format!("LET a0 == x + 1 {lets} IN a1500 - a1500 + a0");
    for value in [tuple, lets] {
        let module = format!(
            "---- MODULE M ----\nEXTENDS Naturals\nVARIABLE x\nInit == x = 0\nNext == x < 9 /\\ x' = {value}\n====\n"
        );
        let config = "INIT Init\nNEXT Next\nCHECK_DEADLOCK FALSE\n";
        let sandbox = Sandbox::new().file("M.tla", &module).file("M.cfg", config);
        let run = sandbox.run("check --workers 1 --engine compiled --format json M.tla");
        assert_eq!(run.code(), Some(0), "{}{}", run.stdout(), run.stderr());
        let peak = run.stdout().lines().find_map(|line| {
            let memory: serde_json::Value = serde_json::from_str(line).ok()?;
            memory.get("resident_peak")?.as_u64()
        });
        assert!(peak.is_none_or(|bytes| bytes < 160 << 20), "{peak:?}");
    }
}
