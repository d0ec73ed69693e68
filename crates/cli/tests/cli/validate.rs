//! `specline validate`: what accepts a log, what is said of one that nothing explains, and logs that are none.

use serde_json::Value;

use crate::sandbox::Sandbox;

/// A lock that one process holds at a time. A process may come back before its going was logged: then the search has to choose.
const SPEC: &str = r#"---- MODULE LockTrace ----
EXTENDS Naturals, Sequences, TLC, Json, IOUtils
VARIABLES holder, l
File == IF "RUN" \in DOMAIN IOEnv THEN IOEnv.RUN ELSE "run.ndjson"
Log == TLCEval(SelectSeq(ndJsonDeserialize(File), LAMBDA line: line.kind # "noise"))
Line == Log[l]
Is(kind) == l <= Len(Log) /\ Line.kind = kind /\ l' = l + 1
Take == Is("take") /\ holder = 0 /\ holder' = Line.by
Drop == Is("drop") /\ holder = Line.by /\ holder' = 0
Lose == l <= Len(Log) /\ Line.kind = "take" /\ holder # 0 /\ "late" \in DOMAIN Line /\ holder' = 0 /\ l' = l
Init == holder = 0 /\ l = 1
Next == Take \/ Drop \/ Lose
Spec == Init /\ [][Next]_<<holder, l>>
Matched == [](l <= Len(Log) => [](TLCGet("queue") = 1 \/ l > Len(Log)))
AllRead == TLCGet("stats").diameter - 1 = Len(Log)
Done == l > Len(Log) => TLCSet("exit", TRUE)
Fair == Spec /\ WF_<<holder, l>>(Next)
Ends == <>(l > Len(Log))
Two == holder \in 0..2
Known == holder # 3
====
"#;
const GOOD: &str = r#"{"kind": "take", "by": 1}
{"kind": "drop", "by": 1}
{"kind": "take", "by": 2}
"#;
const CONFIG: &str = "SPECIFICATION Spec\nCHECK_DEADLOCK FALSE\n";

fn sandbox(more: &str, log: &str) -> Sandbox {
    Sandbox::new()
        .file("LockTrace.tla", SPEC)
        .file("LockTrace.cfg", format!("{CONFIG}{more}"))
        .file("run.log", log)
}

const VALIDATE: &str = "validate --spec LockTrace.tla --log run.log";

#[test]
fn whatever_a_specification_accepts_by_a_good_log_is_accepted_and_an_altered_one_is_not() {
    let altered = GOOD.replace(r#""drop", "by": 1"#, r#""drop", "by": 2"#);
    let ways = [
        ("POSTCONDITION AllRead\n", "", "postcondition"),
        ("CONSTRAINT Done\n", "", "exit"),
        ("PROPERTY Matched\n", "", "property"),
        ("", " --accept l>Len(Log)", "expression"),
    ];
    for (more, option, by) in ways {
        let command = format!("{VALIDATE} --format json{option}");
        let run = sandbox(more, GOOD).run(&command);
        assert_eq!(run.code(), Some(0), "{by}: {}{}", run.stdout(), run.stderr());
        let answer = last_line(run.stdout());
        assert_eq!(answer["accepted_by"], by);
        assert_eq!(answer["events"], 3);
        let run = sandbox(more, &altered).run(&command);
        assert_eq!(run.code(), Some(28), "{by}: {}{}", run.stdout(), run.stderr());
        let answer = last_line(run.stdout());
        assert_eq!((&answer["event"], &answer["line"]), (&Value::from(2), &Value::from(2)), "{by}");
        assert_eq!(answer["misses"][0]["action"], "Drop", "{by}");
        assert_eq!(answer["misses"][0]["text"], "holder = Line.by", "{by}");
        assert_eq!(answer["suggestion"], "implementation-or-action", "{by}");
        assert_eq!(answer["trace"]["states"].as_array().map(Vec::len), Some(2), "{by}");
    }
}

#[test]
fn of_a_disjunction_that_the_configuration_names_the_step_that_came_nearest_is_told() {
    let spec = SPEC
        .replace("Next == Take", "Steps == FALSE\nAll == Take")
        .replace("Spec ==", "Next == Steps\nSpec ==");
    let log = GOOD.replace(r#""drop", "by": 1"#, r#""drop", "by": 2"#);
    let sandbox = sandbox("CONSTANT Steps <- All\nPOSTCONDITION AllRead\n", &log).file("LockTrace.tla", spec);
    let run = sandbox.run(&format!("{VALIDATE} --format json"));
    let answer = last_line(run.stdout());
    assert_eq!(answer["misses"][0]["action"], "Drop", "{}{}", run.stdout(), run.stderr());
    assert_eq!(answer["misses"][0]["text"], "holder = Line.by");
}

fn last_line(text: &str) -> Value {
    serde_json::from_str(text.lines().last().expect("there is a line")).expect("it is JSON")
}

#[test]
fn a_rejected_log_is_told_with_its_line_and_the_conjunct_in_the_way() {
    let log = GOOD.replace(r#""drop", "by": 1"#, r#""take", "by": 2"#);
    sandbox("POSTCONDITION AllRead\n", &log).run(VALIDATE).check("validate-rejected");
}

#[test]
fn it_is_told_where_to_look_first() {
    let suggested = |event: &str| {
        let log = GOOD.replace(r#""drop", "by": 1"#, event);
        let sandbox = sandbox("POSTCONDITION AllRead\n", &log);
        let run = sandbox.run(&format!("{VALIDATE} --format json --why-html why.html"));
        assert_eq!(run.code(), Some(28), "{}", run.stdout());
        let word = last_line(run.stdout())["suggestion"].as_str().map(ToOwned::to_owned);
        (word, sandbox.run(VALIDATE).stdout().to_owned(), sandbox.read("why.html"))
    };
    // Taken while somebody holds it; dropped by somebody else; of a kind that no step is for.
    let (word, text, page) = suggested(r#""take", "by": 2"#);
    assert_eq!(word.as_deref(), Some("implementation-or-spec"));
    let hint = "the specification does not allow this here: look at what the program did, then at the action";
    assert!(text.contains(hint) && page.contains(hint), "{text}");
    let (word, ..) = suggested(r#""drop", "by": 2"#);
    assert_eq!(word.as_deref(), Some("implementation-or-action"));
    let (word, text, page) = suggested(r#""steal", "by": 1"#);
    assert_eq!(word.as_deref(), Some("mapping"));
    let hint = "look at `LockTrace.tla` first: no step of it is for this event here";
    assert!(text.contains(hint) && page.contains(hint), "{text}");
}

#[test]
fn an_accepting_behaviour_is_kept() {
    let sandbox = sandbox("POSTCONDITION AllRead\n", GOOD);
    let run = sandbox.run(&format!("{VALIDATE} --trace kept.itf.json"));
    run.check("validate-accepted");
    let kept: Value = serde_json::from_str(&sandbox.read("kept.itf.json")).expect("it is JSON");
    assert_eq!(kept["states"].as_array().map(Vec::len), Some(4));
}

#[test]
fn steps_that_no_line_stands_for_are_found() {
    let log = GOOD.replace(r#"{"kind": "drop", "by": 1}"#, r#"{"kind": "noise"}"#);
    let log = log.replace(r#""by": 2"#, r#""by": 2, "late": true"#);
    let run = sandbox("", &log).run(&format!("{VALIDATE} --accept l>Len(Log)"));
    assert_eq!(run.code(), Some(0), "{}{}", run.stdout(), run.stderr());
}

#[test]
fn a_log_without_events_is_no_success() {
    for (log, words) in
        [("", "it is empty"), ("\n \n", "it is empty"), (r#"{"kind": "noise"}"#, "no event that")]
    {
        let run = sandbox("POSTCONDITION AllRead\n", log).run(VALIDATE);
        assert_eq!(run.code(), Some(255), "{}{}", run.stdout(), run.stderr());
        let said = format!("{}{}", run.stdout(), run.stderr());
        assert!(said.contains("SL0852") && said.contains(words), "{said}");
    }
}

#[test]
fn a_specification_that_cannot_accept_is_no_success() {
    let run = Sandbox::new()
        .file("LockTrace.tla", SPEC.replace("TLCSet(\"exit\", TRUE)", "TRUE"))
        .file("LockTrace.cfg", CONFIG)
        .file("run.log", GOOD)
        .run(VALIDATE);
    assert_eq!(run.code(), Some(151), "{}{}", run.stdout(), run.stderr());
    assert!(run.stdout().contains("SL0854"), "{}", run.stdout());
}

#[test]
fn other_violations_end_as_those_of_a_check() {
    let log = GOOD.replace(r#""take", "by": 2"#, r#""take", "by": 3"#);
    let run = sandbox("POSTCONDITION AllRead\nINVARIANT Known\n", &log).run(VALIDATE);
    assert_eq!(run.code(), Some(12), "{}{}", run.stdout(), run.stderr());
}

#[test]
fn a_log_that_is_not_looked_for_is_told() {
    let run = Sandbox::new()
        .file("LockTrace.tla", SPEC.replace("IOEnv.RUN", "\"x\""))
        .file("LockTrace.cfg", CONFIG)
        .file("run.log", GOOD)
        .run(VALIDATE);
    assert_eq!(run.code(), Some(151), "{}{}", run.stdout(), run.stderr());
    assert!(run.stderr().contains("SL0851"), "{}", run.stderr());
    let two = SPEC.replace("IOEnv.RUN ELSE", "IOEnv.RUN \\o IOEnv.END ELSE");
    let several =
        || Sandbox::new().file("LockTrace.tla", &two).file("LockTrace.cfg", CONFIG).file("run.log", GOOD);
    let run = several().run(VALIDATE);
    assert!(
        run.stderr().contains("`RUN`, `END`") || run.stderr().contains("`END`, `RUN`"),
        "{}",
        run.stderr()
    );
    let run = several().run(&format!("{VALIDATE} --env END= --accept l>Len(Log)"));
    assert_eq!(run.code(), Some(0), "{}{}", run.stdout(), run.stderr());
}

#[test]
fn a_line_that_is_cut_off_or_no_json_is_told_with_what_to_do() {
    let no_json = GOOD.replace(r#"{"kind": "drop", "by": 1}"#, "[INFO] drop");
    let ways = [
        (
            &GOOD[..GOOD.len() - 5],
            "run.log: line 3 ends before its JSON does, at column 21; write an event in one line",
        ),
        (no_json.as_str(), "run.log: line 2, column 2: expected value; remove what is no event"),
    ];
    for (log, told) in ways {
        let run = sandbox("POSTCONDITION AllRead\n", log).run(VALIDATE);
        assert_eq!(run.code(), Some(255), "{}{}", run.stdout(), run.stderr());
        let all = format!("{}{}", run.stdout(), run.stderr());
        assert!(all.contains(told), "{all}");
    }
}

/// Every event adds to the state, so that a copy of each state of a behaviour takes the square of its length.
const GROWING: &str = r#"---- MODULE GrowTrace ----
EXTENDS Naturals, Sequences, Json, IOUtils, TLC
VARIABLES seen, l
Log == ndJsonDeserialize(IOEnv.RUN)
Init == seen = <<>> /\ l = 1
Next == l <= Len(Log) /\ Log[l].n = Len(seen) /\ seen' = Append(seen, [n |-> Len(seen), of |-> "event"]) /\ l' = l + 1
Spec == Init /\ [][Next]_<<seen, l>>
Matched == [](l <= Len(Log) => [](TLCGet("queue") = 1 \/ l > Len(Log)))
====
"#;
const N_GOOD: usize = 500;

fn growing() -> Sandbox {
    let mut lines: Vec<String> = (0..N_GOOD).map(|n| format!("{{\"n\":{n}}}\n")).collect();
    lines.push("{\"n\":7}\n".to_owned());
    Sandbox::new()
        .file("GrowTrace.tla", GROWING)
        .file("GrowTrace.cfg", format!("{CONFIG}PROPERTY Matched\n"))
        .file("run.log", lines.concat())
}

const VALIDATE_GROWING: &str = "validate --spec GrowTrace.tla --log run.log";

#[test]
fn of_a_long_behaviour_that_nobody_keeps_the_last_states_are_told() {
    let run = growing().run(VALIDATE_GROWING);
    run.says(
        28,
        &["The longest behaviour that follows the log has 501 states", "State 501", "line 501 (event 501"],
    );
    let run = growing().run(&format!("{VALIDATE_GROWING} --format json"));
    assert_eq!(run.code(), Some(28), "{}{}", run.stdout(), run.stderr());
    let answer = last_line(run.stdout());
    let n_states = answer["trace"]["states"].as_array().map_or(0, Vec::len) as u64;
    let n_before = answer["left_out"].as_u64().unwrap_or(0);
    assert!(n_states > 0 && n_before > 0 && n_states + n_before == 501, "{n_states} after {n_before}");
    assert!(run.stdout().len() < 4 << 20, "{} bytes", run.stdout().len());
}

#[test]
fn a_behaviour_that_is_to_be_kept_is_whole_or_says_what_is_left_out() {
    let states = |sandbox: &Sandbox| {
        let kept: Value = serde_json::from_str(&sandbox.read("kept.itf.json")).expect("it is JSON");
        (kept["states"].as_array().map_or(0, Vec::len), kept["#meta"].to_string())
    };
    let sandbox = growing();
    let run = sandbox.run(&format!("{VALIDATE_GROWING} --trace kept.itf.json"));
    assert_eq!((run.code(), states(&sandbox).0), (Some(28), 501), "{}{}", run.stdout(), run.stderr());
    let run = sandbox.run(&format!("{VALIDATE_GROWING} --trace kept.itf.json --memory 8M"));
    assert_eq!(run.code(), Some(28), "{}{}", run.stdout(), run.stderr());
    let (n_states, meta) = states(&sandbox);
    assert!(n_states > 0 && n_states < 501, "{n_states}");
    assert!(run.stderr().contains("SL0872") && meta.contains("left out"), "{} {meta}", run.stderr());
}

#[test]
fn a_property_that_the_log_is_read_to_its_end_accepts_it() {
    let altered = GOOD.replace(r#""drop", "by": 1"#, r#""drop", "by": 2"#);
    let validate = |config: &str, log: &str, option: &str| {
        let sandbox =
            Sandbox::new().file("LockTrace.tla", SPEC).file("LockTrace.cfg", config).file("run.log", log);
        sandbox.run(&format!("{VALIDATE} --format json{option}"))
    };
    let config = "SPECIFICATION Fair\nPROPERTY Ends\nCHECK_DEADLOCK FALSE\n";
    let run = validate(config, GOOD, "");
    assert_eq!(run.code(), Some(0), "{}{}", run.stdout(), run.stderr());
    assert_eq!(last_line(run.stdout())["accepted_by"], "property");
    let run = validate(config, &altered, "");
    assert_eq!(run.code(), Some(28), "{}{}", run.stdout(), run.stderr());
    let answer = last_line(run.stdout());
    assert_eq!((&answer["event"], &answer["misses"][0]["action"]), (&Value::from(2), &Value::from("Drop")));
}

#[test]
fn a_deadlock_says_nothing_about_a_log() {
    let altered = GOOD.replace(r#""drop", "by": 1"#, r#""drop", "by": 2"#);
    for (log, code) in [(GOOD, 0), (&altered, 28)] {
        let sandbox = || {
            let config = "INIT Init\nNEXT Next\n";
            let spec = SPEC.replace("TLCSet(\"exit\", TRUE)", "TRUE");
            Sandbox::new().file("LockTrace.tla", spec).file("LockTrace.cfg", config).file("run.log", log)
        };
        sandbox().run(VALIDATE).says(151, &["SL0854", "--accept"]);
        let run = sandbox().run(&format!("{VALIDATE} --accept l>Len(Log)"));
        assert_eq!(run.code(), Some(code), "{}{}", run.stdout(), run.stderr());
    }
}
