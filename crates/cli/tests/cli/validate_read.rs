//! Logs as people have them: written in other ways than they should be, unreadable, and accepted though little was compared.

use serde_json::Value;

use crate::sandbox::{Run, Sandbox};

/// A counter that two programs add to.
const COUNTER: &str = r"---- MODULE Counter ----
EXTENDS Naturals
VARIABLES total, last
Init == total = 0 /\ last = 0
Add(by, n) == total' = total + n /\ last' = by
Next == \E by \in 1..2, n \in {1, 2, 100000000000000000001} : Add(by, n)
Spec == Init /\ [][Next]_<<total, last>>
====
";
const TRACE: &str = r#"---- MODULE CounterTrace ----
EXTENDS Counter, Sequences, TLC, Json, IOUtils
VARIABLE l
Log == ndJsonDeserialize(IOEnv.RUN)
TraceInit == Init /\ l = 1
TraceNext ==
    /\ l <= Len(Log)
    /\ l' = l + 1
    /\ Log[l].event = "add"
    /\ Add(Log[l].by, Log[l].n)
    /\ total' = Log[l].total
TraceSpec == TraceInit /\ [][TraceNext]_<<total, last, l>>
Done == TLCGet("stats").diameter - 1 = Len(Log)
====
"#;
const TRACE_CFG: &str = "SPECIFICATION TraceSpec\nPOSTCONDITION Done\nCHECK_DEADLOCK FALSE\n";
const MAP: &str = r#"[log]
kind = "event"

[events.add]
action = "Add"
bind = ["by", "n"]
after = { total = "event.total" }
"#;
const LOG: &str = concat!(
    r#"{"event":"add","by":1,"n":2,"total":2}"#,
    "\n",
    r#"{"event":"add","by":2,"n":1,"total":3}"#,
    "\n"
);

fn folder(log: &[u8]) -> Sandbox {
    Sandbox::new()
        .file("Counter.tla", COUNTER)
        .file("Counter.cfg", "SPECIFICATION Spec\n")
        .file("CounterTrace.tla", TRACE)
        .file("CounterTrace.cfg", TRACE_CFG)
        .file("map.toml", MAP)
        .file("run.ndjson", log)
}

const BY_MAP: &str = "validate Counter.tla --map map.toml --log";
const BY_SPEC: &str = "validate --spec CounterTrace.tla --log";

/// Runs a log both ways.
fn both(log: &[u8]) -> [Run; 2] {
    [BY_MAP, BY_SPEC].map(|command| folder(log).run(&format!("{command} run.ndjson")))
}

#[test]
fn a_log_that_cannot_be_read_ends_in_one_way_whoever_reads_it() {
    let cut = LOG.as_bytes()[..LOG.len() - 9].to_vec();
    let latin = LOG.replace("add", "\u{e9}").chars().map(|c| c as u8).collect();
    let broken: [(&str, Vec<u8>); 6] = [
        ("empty", Vec::new()),
        ("blank lines", b"\n\n".to_vec()),
        ("not JSON", b"hello\n".to_vec()),
        ("packed", b"\x1f\x8b\x08\x00 and so on".to_vec()),
        ("cut off", cut),
        ("not UTF-8", latin),
    ];
    for (what, log) in broken {
        for run in both(&log) {
            assert_eq!(run.code(), Some(255), "{what}: {}{}", run.stdout(), run.stderr());
        }
    }
    for command in [BY_MAP, BY_SPEC] {
        for named in ["none.ndjson", "nothing"] {
            let run = folder(b"").folder("nothing").run(&format!("{command} {named}"));
            assert_eq!(run.code(), Some(255), "{named}: {}{}", run.stdout(), run.stderr());
        }
        let run = folder(LOG.as_bytes()).run(&format!("{command} run.ndjson ./run.ndjson"));
        run.says(1, &["`./run.ndjson` is named more than once"]);
    }
}

#[test]
fn marks_utf_16_and_other_ends_of_lines_are_read() {
    let marked = [b"\xef\xbb\xbf", LOG.as_bytes()].concat();
    let utf16 = "\u{feff}".chars().chain(LOG.chars()).flat_map(|c| (c as u16).to_le_bytes()).collect();
    let odd: [(Vec<u8>, &str); 2] = [(marked, "byte order mark"), (utf16, "is UTF-16")];
    for (log, told) in odd {
        for run in both(&log) {
            assert_eq!(run.code(), Some(0), "{told}: {}{}", run.stdout(), run.stderr());
            assert!(run.stderr().contains("SL0874") && run.stderr().contains(told), "{}", run.stderr());
        }
    }
    for run in both(LOG.replace('\n', "\r\n").as_bytes()) {
        assert_eq!((run.code(), run.stderr()), (Some(0), ""), "{}", run.stdout());
    }
}

#[test]
fn numbers_are_what_is_written() {
    let large = r#"{"event":"add","by":1.0,"n":100000000000000000001,"total":1.00000000000000000001e20}"#;
    for run in both(large.replace("1.00000000000000000001e20", "100000000000000000001").as_bytes()) {
        assert_eq!(run.code(), Some(0), "{}{}", run.stdout(), run.stderr());
    }
    for run in both(large.replace("1.00000000000000000001e20", "100000000000000000002").as_bytes()) {
        assert_eq!(run.code(), Some(28), "{}{}", run.stdout(), run.stderr());
    }
    let half = LOG.replace(r#""total":3"#, r#""total":3.5"#);
    let run = folder(half.as_bytes()).run(&format!("{BY_MAP} run.ndjson"));
    run.says(255, &["3.5 is no integer"]);
}

fn compared(map: &str, log: &str) -> (Run, Run, Value) {
    let sandbox = || folder(log.as_bytes()).file("map.toml", map);
    let run = sandbox().run(&format!("{BY_MAP} run.ndjson"));
    let denied = sandbox().run(&format!("{BY_MAP} run.ndjson --deny warnings"));
    let json = sandbox().run(&format!("{BY_MAP} run.ndjson --format json"));
    let last = json.stdout().lines().last().expect("there is a line");
    let answer: Value = serde_json::from_str(last).expect("it is JSON");
    (run, denied, answer["not_compared"].clone())
}

#[test]
fn what_was_not_compared_is_told_and_can_be_denied() {
    let (run, denied, not) = compared(MAP, LOG);
    assert_eq!((run.code(), run.stderr(), denied.code()), (Some(0), "", Some(0)), "{}", denied.stderr());
    assert_eq!(not, serde_json::json!({ "everything": false, "free": [], "fields": [] }));
    let free = MAP.replace(r#"bind = ["by", "n"]"#, "bind = [\"by\"]\nfree = [\"n\"]");
    let more = LOG.replace(r#""by""#, r#""at":{"time":7,"zone":"UTC"},"by""#);
    let (run, denied, not) = compared(&free, &more);
    assert_eq!((run.code(), denied.code()), (Some(0), Some(20)), "{}", run.stderr());
    for told in ["SL0873", "by `Add` with any `n`", "nothing reads `at.time`, `at.zone`, `n` of `add`"] {
        assert!(run.stderr().contains(told), "{told}: {}", run.stderr());
    }
    assert_eq!(not["free"][0]["parameters"][0], "n");
    assert_eq!(not["fields"][0]["fields"].as_array().map(Vec::len), Some(3));
    let ignoring = MAP.replace("kind = \"event\"", "kind = \"event\"\nignore-fields = [\"at\"]");
    let (run, denied, _) = compared(&ignoring, &more);
    assert_eq!((run.code(), run.stderr(), denied.code()), (Some(0), "", Some(0)));
}

#[test]
fn that_nothing_was_compared_is_told_in_so_many_words() {
    let map = "[log]\nkind = \"event\"\n[events.add]\naction = \"Add\"\nfree = [\"by\", \"n\"]\n";
    let (run, denied, not) = compared(map, LOG);
    assert_eq!((run.code(), denied.code()), (Some(0), Some(20)));
    assert!(run.stderr().contains("nothing that its events say was compared"), "{}", run.stderr());
    assert_eq!(not["everything"], true);
    // A log that is rejected is compared enough.
    let (run, ..) = compared(map, &LOG.replace("\"add\",\"by\":1", "\"gone\",\"by\":1"));
    assert!(run.stderr().contains("SL0859"), "{}", run.stderr());
}

#[test]
fn a_mapping_may_use_modules_that_its_specification_does_not_extend() {
    let asked = [
        "Len(<<1>>) = 1",
        "Cardinality({event.n}) = 1",
        "-1 < event.n",
        "ToSet(<<event.n>>) = {event.n}",
        "Max({event.n, 0}) = event.n",
        "(event.n :> 1)[event.n] = 1",
    ];
    for formula in asked {
        let map = MAP.replace("after =", &format!("before = '{formula}'\nafter ="));
        let run = folder(LOG.as_bytes()).file("map.toml", map).run(&format!("{BY_MAP} run.ndjson"));
        assert_eq!(run.code(), Some(0), "{formula}: {}{}", run.stdout(), run.stderr());
    }
    // What the specification defines itself keeps its meaning.
    let own = COUNTER.replace("Init ==", "Max(S) == 7\nInit ==");
    let map = MAP.replace("after =", "before = 'Max({1}) = 7'\nafter =");
    let sandbox = folder(LOG.as_bytes()).file("map.toml", map).file("Counter.tla", own);
    let run = sandbox.run(&format!("{BY_MAP} run.ndjson"));
    assert_eq!(run.code(), Some(0), "{}{}", run.stdout(), run.stderr());
}
