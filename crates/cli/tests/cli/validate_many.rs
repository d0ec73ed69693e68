//! `specline validate` with several logs: the summary, the exit code, reports, coverage, warnings.

use serde_json::Value;

use crate::sandbox::{Run, Sandbox};

const SPEC: &str = r#"---- MODULE Lamp ----
EXTENDS Naturals, Sequences, TLC, Json, IOUtils
VARIABLES lit, l
Log == ndJsonDeserialize(IOEnv.RUN)
Is(kind) == l <= Len(Log) /\ Log[l].kind = kind /\ l' = l + 1
On == Is("on") /\ lit = "no" /\ lit' = "yes"
Off == Is("off") /\ lit = "yes" /\ lit' = "no"
Blow == Is("blow") /\ lit = "yes" /\ lit' = "broken"
Init == lit = "no" /\ l = 1
Next == On \/ Off \/ Blow
Spec == Init /\ [][Next]_<<lit, l>>
Done == l > Len(Log) => TLCSet("exit", TRUE)
Early == l = Len(Log) => TLCSet("exit", TRUE)
Whole == lit # "broken"
Sane == l <= Len(Log) => Log[l].kind # "explode"
====
"#;

const ON: &str = "{\"kind\": \"on\"}\n";
const OFF: &str = "{\"kind\": \"off\"}\n";
const BLOW: &str = "{\"kind\": \"blow\"}\n";

fn sandbox(more: &str) -> Sandbox {
    Sandbox::new()
        .file("Lamp.tla", SPEC)
        .file("Lamp.cfg", format!("SPECIFICATION Spec\nCHECK_DEADLOCK FALSE\n{more}"))
        .file("logs/a.ndjson", [ON, OFF, ON].concat())
        .file("logs/b.ndjson", [ON, OFF, OFF, ON].concat())
        .file("logs/c.ndjson", [ON, OFF].concat())
        .file("logs/notes.txt", "not a log")
}

const MANY: &str = "validate --spec Lamp.tla --log logs";

/// How long something took is not the same twice.
fn without_times(text: &str) -> String {
    let mut masked = String::new();
    for line in text.split_inclusive('\n') {
        let words = line.split_inclusive(' ').map(|word| {
            let is_time = word.split_once('.').is_some_and(|(whole, part)| {
                whole.chars().all(|c| c.is_ascii_digit()) && part.trim_end().len() == 1
            });
            if is_time { "T ".to_owned() } else { word.to_owned() }
        });
        masked.extend(words);
    }
    masked
}

fn objects(run: &Run, kind: &str) -> Vec<Value> {
    let lines = run.stdout().lines().map(|line| serde_json::from_str::<Value>(line).expect(line));
    lines.filter(|object| object["kind"] == kind).collect()
}

#[test]
fn each_log_is_validated_and_the_end_says_how_many_were_accepted() {
    let sandbox = sandbox("CONSTRAINT Done\n");
    sandbox.run(MANY).check_masked("validate-many", without_times);
    for workers in [1, 2, 3] {
        let run = sandbox.run(&format!("{MANY} --workers {workers} --format json"));
        run.ends_with(28);
        let logs: Vec<Value> = objects(&run, "validation");
        let told: Vec<(&str, &str)> = logs
            .iter()
            .map(|log| (log["log"].as_str().expect("a name"), log["verdict"].as_str().expect("a word")))
            .collect();
        let expected =
            [("logs/a.ndjson", "accepted"), ("logs/b.ndjson", "rejected"), ("logs/c.ndjson", "accepted")];
        assert_eq!(told, expected);
        let summary = objects(&run, "summary").remove(0);
        assert_eq!(summary["logs"], 3);
        assert_eq!(summary["accepted"], 2);
        assert_eq!(summary["rejected"], 1);
        assert_eq!(summary["events"], 9);
        assert_eq!(summary["exit_code"], 28);
    }
}

#[test]
fn an_error_is_worse_than_a_log_that_is_rejected_and_that_is_worse_than_none() {
    let accepted = sandbox("CONSTRAINT Done\n");
    accepted.run("validate --spec Lamp.tla --log logs/a.ndjson logs/c.ndjson").ends_with(0);
    let sandbox = sandbox("CONSTRAINT Done\nINVARIANT Whole\n")
        .file("logs/broken.log", [ON, BLOW].concat())
        .file("logs/empty.log", "")
        .file("logs/garbled.log", "{\"kind\": \n");
    let code = |logs: &str| sandbox.run(&format!("validate --spec Lamp.tla --log {logs}")).code();
    assert_eq!(code("logs/a.ndjson logs/empty.log"), Some(255));
    assert_eq!(code("logs/broken.log --log logs/b.ndjson"), Some(12));
    assert_eq!(code("logs/b.ndjson logs/none.log"), Some(255));
    let run = sandbox.run(&format!("{MANY} --format json"));
    assert_eq!(run.code(), Some(255), "{}", run.stderr());
    let summary = objects(&run, "summary").remove(0);
    let counts =
        ["accepted", "rejected", "violated", "undecided", "errors"].map(|class| summary[class].as_u64());
    assert_eq!(counts, [2, 1, 1, 0, 2].map(Some));
}

#[test]
fn a_folder_without_logs_and_a_trace_of_several_logs_are_refused() {
    let sandbox = sandbox("CONSTRAINT Done\n").folder("none");
    let run = sandbox.run("validate --spec Lamp.tla --log none");
    run.ends_with(255);
    assert!(run.stderr().contains("no file in it ends in"), "{}", run.stderr());
    let run = sandbox.run(&format!("{MANY} --trace kept.json"));
    run.ends_with(1);
    assert!(run.stderr().contains("of one log only"), "{}", run.stderr());
    let run = sandbox.run("validate --spec Lamp.tla --log logs/a.ndjson --junit logs/a.ndjson");
    run.ends_with(1);
    assert!(run.stderr().contains("would write over a log"), "{}", run.stderr());
}

#[test]
fn a_log_of_a_folder_that_cannot_be_read_is_told_and_not_left_out() {
    let sandbox = Sandbox::new()
        .file("Lamp.tla", SPEC)
        .file("Lamp.cfg", "SPECIFICATION Spec\nCHECK_DEADLOCK FALSE\nCONSTRAINT Done\n")
        .file("logs/a.ndjson", [ON, OFF, ON].concat());
    std::os::unix::fs::symlink("gone.ndjson", sandbox.path().join("logs/b.ndjson"))
        .expect("a link can be made");
    let run = sandbox.run(MANY);
    run.ends_with(255);
    assert!(run.stderr().contains("logs/b.ndjson"), "{}", run.stderr());
}

#[test]
fn reports_have_a_case_for_each_log_and_point_to_the_line_that_nothing_explains() {
    let sandbox = sandbox("CONSTRAINT Done\n").file("logs/z.log", "");
    let run = sandbox.run(&format!("{MANY} --junit out.xml --sarif out.sarif --github"));
    run.ends_with(255);
    let junit = sandbox.read("out.xml");
    assert!(junit.contains("tests=\"4\" failures=\"1\" errors=\"1\""), "{junit}");
    assert!(
        junit.contains("name=\"logs/a.ndjson\"") && junit.contains("<failure type=\"SL0853\""),
        "{junit}"
    );
    assert!(junit.contains("No step Off: this is FALSE there"), "{junit}");
    let annotation = run.stderr().lines().find(|line| line.starts_with("::error")).expect("an annotation");
    let place = "title=SL0853 log-rejected,file=logs/b.ndjson,line=3,endLine=3,col=1,endColumn=16";
    assert!(annotation.contains(place), "{annotation}");
    assert!(annotation.contains("Off: lit = \"yes\" is FALSE, Lamp.tla:7:"), "{annotation}");
    let sarif: Value = serde_json::from_str(&sandbox.read("out.sarif")).expect("it is JSON");
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!(result["locations"][0]["physicalLocation"]["region"]["startLine"], 3);
    let related = &result["relatedLocations"][0]["physicalLocation"];
    assert_eq!(related["artifactLocation"]["uri"], "Lamp.tla");
}

#[test]
fn coverage_is_that_of_all_logs_together() {
    let sandbox = sandbox("CONSTRAINT Done\n").file("more/d.ndjson", [ON, BLOW].concat());
    let never = |run: &Run| {
        let coverage = objects(run, "coverage").remove(0);
        let actions = coverage["actions"].as_array().expect("actions").clone();
        let never = actions.iter().filter(|action| action["generated"] == 0);
        never.map(|action| action["name"].as_str().expect("a name").to_owned()).collect::<Vec<_>>()
    };
    let run = sandbox.run(&format!("{MANY} --coverage --format json --coverage-html out.html"));
    assert_eq!(never(&run), ["Blow"]);
    assert!(sandbox.read("out.html").contains("What the logs were explained by"));
    let run = sandbox.run(&format!("{MANY} more --coverage --format json"));
    assert_eq!(never(&run), Vec::<String>::new());
    let text = sandbox.run(&format!("{MANY} --coverage"));
    assert!(text.stdout().contains("Never possible: Blow."), "{}", text.stdout());
}

#[test]
fn a_last_event_that_nothing_looks_at_is_warned_of_once() {
    let early = sandbox("CONSTRAINT Early\n");
    let run = early.run("validate --spec Lamp.tla --log logs/a.ndjson logs/c.ndjson");
    run.ends_with(0);
    assert_eq!(run.stderr().matches("SL0871").count(), 1, "{}", run.stderr());
    assert!(run.stderr().contains("Lamp.tla:13:"), "{}", run.stderr());
    let run = early.run("validate --spec Lamp.tla --log logs/a.ndjson --format json");
    assert_eq!(objects(&run, "validation")[0]["warnings"][0], "SL0871");
    // Not where the last event is explained, nor where an invariant reads it.
    for more in ["CONSTRAINT Done\n", "CONSTRAINT Early\nINVARIANT Sane\n"] {
        let run = sandbox(more).run("validate --spec Lamp.tla --log logs/a.ndjson");
        run.ends_with(0);
        assert!(!run.stderr().contains("SL0871"), "{more}: {}", run.stderr());
    }
    let accepting = sandbox("").run("validate --spec Lamp.tla --log logs/a.ndjson --accept l=Len(Log)");
    accepting.ends_with(0);
    assert!(accepting.stderr().contains("SL0871"), "{}", accepting.stderr());
}

/// A step property that fails early and takes long to judge, and a register that every state sets.
const MARKED: &str = "---- MODULE Marked ----
EXTENDS Naturals, Sequences, TLC, Json, IOUtils
VARIABLES l, x
Log == ndJsonDeserialize(IOEnv.TRACE)
Init == l = 1 /\\ x = 0
Next == l <= Len(Log) /\\ l' = l + 1 /\\ \\E d \\in {0, 1} : x' = x + d
RECURSIVE Count(_)
Count(n) == IF n = 0 THEN 0 ELSE 1 + Count(n - 1)
Steps == [][Count(400) = 400 /\\ (l = 3 => x' = x)]_<<l, x>>
Mark == TLCSet(7, l)
Post == PrintT(<<\"mark\", TLCGet(7)>>)
====
";

#[test]
fn registers_are_those_of_the_step_that_fails_however_many_judge() {
    let config = "INIT Init\nNEXT Next\nCONSTRAINT Mark\nPROPERTY Steps\nPOSTCONDITION Post\n";
    let sandbox = Sandbox::new()
        .file("Marked.tla", MARKED)
        .file("Marked.cfg", config)
        .file("log.ndjson", "{\"n\":1}\n".repeat(30));
    for workers in [1, 2, 5] {
        let run = sandbox.run(&format!("validate --spec Marked.tla --log log.ndjson --workers {workers}"));
        run.ends_with(13);
        assert!(run.stdout().contains("<<\"mark\", 4>>"), "{workers}: {}", run.stdout());
    }
}

#[test]
fn a_quiet_call_says_only_what_is_wrong() {
    let sandbox = sandbox("INVARIANT Done\n");
    let good = sandbox.run("validate -q --spec Lamp.tla --log logs/a.ndjson logs/c.ndjson");
    assert_eq!((good.code(), good.stdout(), good.stderr()), (Some(0), "", ""));
    let one = sandbox.run("validate -q --spec Lamp.tla --log logs/a.ndjson");
    assert_eq!((one.code(), one.stdout(), one.stderr()), (Some(0), "", ""));
    let bad = sandbox.run(&format!("{MANY} -q"));
    assert!(bad.stdout().contains("b.ndjson") && !bad.stdout().starts_with("logs/a"), "{}", bad.stdout());
}
