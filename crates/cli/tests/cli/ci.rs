//! Output for machines: SARIF, JUnit, annotations; `--expect`, and `specline test`.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use serde_json::Value;

use crate::sandbox::{Run, Sandbox};

const CLOCK: &str = r"---- MODULE Clock ----
EXTENDS Naturals
VARIABLE hour
Init == hour = 1
Next == hour' = (hour % 12) + 1
Spec == Init /\ [][Next]_hour
Early == hour < 4
Day == hour \in 1..12
Never == []<>(hour = 13)
====
";

fn clock() -> Sandbox {
    let cfg = |asks: &str| format!("SPECIFICATION Spec\nCHECK_DEADLOCK FALSE\n{asks}\n");
    Sandbox::new()
        .file("Clock.tla", CLOCK)
        .file("Clock.cfg", cfg("INVARIANT Day"))
        .file("Early.cfg", cfg("INVARIANTS Early Day"))
        .file("Never.cfg", cfg("PROPERTY Never"))
}

fn sarif(sandbox: &Sandbox) -> Value {
    serde_json::from_str(&sandbox.read("out.sarif")).expect("it is JSON")
}

#[test]
fn a_violation_is_a_result_a_failure_and_an_annotation() {
    let sandbox = clock();
    let run = sandbox.run("check Clock.tla -c Early.cfg --sarif out.sarif --junit out.xml --github");
    run.ends_with(12);
    let result = &sarif(&sandbox)["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "SL0752");
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "Clock.tla");
    assert_eq!(place["region"]["startLine"], 7);
    let junit = sandbox.read("out.xml");
    assert!(junit.contains("tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"1\""), "{junit}");
    assert!(junit.contains("name=\"Early\"") && junit.contains("hour: 3 -&gt; 4"), "{junit}");
    assert!(run.stderr().contains("::error title=SL0752 invariant-violated,file=Clock.tla,line=7,"));
}

#[test]
fn what_holds_passes_and_what_is_not_complete_does_not() {
    let sandbox = clock();
    sandbox.run("check Clock.tla --junit out.xml --sarif out.sarif").ends_with(0);
    let junit = sandbox.read("out.xml");
    assert!(junit.contains("tests=\"2\" failures=\"0\" errors=\"0\" skipped=\"0\""), "{junit}");
    assert_eq!(sarif(&sandbox)["runs"][0]["results"], Value::Array(Vec::new()));
    sandbox.run("check Clock.tla --max-states 3 --junit out.xml").ends_with(21);
    let junit = sandbox.read("out.xml");
    assert!(junit.contains("tests=\"2\" failures=\"0\" errors=\"1\" skipped=\"1\""), "{junit}");
}

#[test]
fn what_is_known_of_all_states_is_told_beside_what_fails() {
    let sandbox = clock();
    sandbox.run("check Clock.tla -c Early.cfg --continue --junit out.xml").ends_with(12);
    let junit = sandbox.read("out.xml");
    assert!(junit.contains("tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"0\""), "{junit}");
}

#[test]
fn no_report_is_green_where_a_run_fails() {
    let forgets = "---- MODULE Forgets ----\nVARIABLES x, y\nInit == x = 0 /\\ y = 0\nNext == x' = x\n====\n";
    let idle = "---- MODULE Idle ----\nEXTENDS Naturals\nVARIABLE x\nInit == x = 0\nNext == x' = (x + 1) % 3\n\
                Inv == (x = 7 => x = 8) /\\ x <= 2\n====\n";
    let sandbox = Sandbox::new()
        .file("Forgets.tla", forgets)
        .file("Forgets.cfg", "INIT Init\nNEXT Next\n")
        .file("Idle.tla", idle)
        .file("Idle.cfg", "INIT Init\nNEXT Next\nINVARIANT Inv\n");
    sandbox.run("lint Forgets.tla --deny warnings --junit out.xml").ends_with(20);
    assert!(sandbox.read("out.xml").contains("failures=\"0\" errors=\"1\""));
    sandbox.run("audit Idle.tla --only conjunct --junit out.xml").ends_with(25);
    assert!(sandbox.read("out.xml").contains("<failure type=\"audit-idle\""));
    sandbox.run("test --junit out.xml").ends_with(255);
    assert!(sandbox.read("out.xml").contains("failures=\"1\""));
}

#[test]
fn a_reader_who_has_seen_enough_changes_nothing() {
    let wrong = MODELS.replace("distinct = 12", "distinct = 11");
    let sandbox =
        clock().file("specline.toml", wrong).file("Broken.tla", "---- MODULE Broken ----\nA == Bee\n====\n");
    for (command, code) in [("test --junit out.xml", 27), ("parse Clock.tla Broken.tla --junit out.xml", 150)]
    {
        let mut child =
            sandbox.command(command).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts");
        drop(child.stdout.take());
        assert_eq!(child.wait().expect("it ends").code(), Some(code), "{command}");
        assert!(sandbox.read("out.xml").contains("failures=\"1\""));
        std::fs::remove_file(sandbox.path().join("out.xml")).expect("it was written");
    }
}

#[test]
fn a_report_never_takes_the_place_of_what_is_read() {
    let sandbox = clock().file("specline.toml", MODELS);
    for command in [
        "lint Clock.tla --sarif Clock.tla",
        "audit Clock.tla --junit Clock.cfg",
        "test --junit specline.toml",
        "parse Clock.tla --sarif out --junit out",
    ] {
        let run = sandbox.run(command);
        run.ends_with(1);
        assert!(run.stderr().contains("SL0807"), "{command}: {}", run.stderr());
    }
    assert_eq!(sandbox.read("Clock.tla"), CLOCK);
}

#[test]
fn parse_and_lint_have_a_case_for_each_file() {
    let sandbox = clock()
        .file("Broken.tla", "---- MODULE Broken ----\nA == Bee\n====\n")
        .file(
            "Idle.tla",
            "---- MODULE Idle ----\nVARIABLES x, y\nInit == x = 0 /\\ y = 0\nNext == x' = x\n====\n",
        )
        .file("Idle.cfg", "INIT Init\nNEXT Next\n");
    sandbox.run("parse Clock.tla Broken.tla --junit out.xml --sarif out.sarif").ends_with(150);
    let junit = sandbox.read("out.xml");
    assert!(junit.contains("tests=\"2\" failures=\"1\""), "{junit}");
    assert!(junit.contains("name=\"Clock.tla\"") && junit.contains("`Bee` is not defined"), "{junit}");
    assert_eq!(sarif(&sandbox)["runs"][0]["results"][0]["ruleId"], "SL0301");
    let run = sandbox.run("lint Idle.tla --sarif out.sarif --github");
    let n_results = sarif(&sandbox)["runs"][0]["results"].as_array().map(Vec::len);
    let n_annotations = run.stderr().lines().filter(|line| line.starts_with("::warning ")).count();
    assert!(n_annotations > 0 && n_results == Some(n_annotations), "{}", run.stderr());
}

#[test]
fn a_mutant_that_nothing_catches_is_a_failure_with_its_place() {
    let sandbox = clock().file("Weak.cfg", "SPECIFICATION Spec\nCHECK_DEADLOCK FALSE\nINVARIANT Day\n");
    sandbox.run("audit Clock.tla -c Weak.cfg --junit out.xml --sarif out.sarif").ends_with(25);
    let log = sarif(&sandbox);
    let results = log["runs"][0]["results"].as_array().expect("there are results");
    let missed = results.iter().find(|result| result["ruleId"] == "audit-missed").expect("one is missed");
    assert_eq!(missed["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "Clock.tla");
    assert!(sandbox.read("out.xml").contains("<failure type=\"audit-missed\""));
}

#[test]
fn a_report_that_cannot_be_written_is_told_before_the_search() {
    let run = clock().run("check Clock.tla --junit no/out.xml");
    run.ends_with(255);
    assert!(run.stderr().contains("SL0005") && run.stdout().is_empty(), "{}", run.stderr());
}

#[test]
fn an_expected_end_is_a_success_and_any_other_is_not() {
    let sandbox = clock();
    sandbox.run("check Clock.tla -c Early.cfg --expect safety --junit out.xml").ends_with(0);
    assert!(sandbox.read("out.xml").contains("tests=\"1\" failures=\"0\""));
    sandbox.run("check Clock.tla -c Never.cfg --expect liveness").ends_with(0);
    sandbox.run("check Clock.tla --expect ok").ends_with(0);
    sandbox.run("check Clock.tla -c Early.cfg --expect liveness --junit out.xml").ends_with(27);
    assert!(sandbox.read("out.xml").contains("tests=\"1\" failures=\"1\""));
    sandbox.run("check Clock.tla --expect deadlock").ends_with(27);
    sandbox.run("check Clock.tla --expect ok --max-states 3").ends_with(21);
}

const MODELS: &str = r#"
[test]
time = "50s"

[[test.model]]
spec = "Clock.tla"
expect = "ok"
generated = 13
distinct = 12
depth = 12

[[test.model]]
spec = "Clock.tla"
config = "Early.cfg"
expect = "safety"
property = "Early"

[[test.model]]
spec = "Clock.tla"
config = "Never.cfg"
expect = "liveness"
"#;

fn complaints(run: &Run) -> Vec<(String, Vec<String>)> {
    let lines = run.stdout().lines().map(|line| serde_json::from_str::<Value>(line).expect("it is JSON"));
    let text = |value: &Value| value.as_str().expect("it is text").to_owned();
    let of = |object: Value| {
        let complaints = object["complaints"].as_array().expect("a list").iter().map(text).collect();
        (text(&object["name"]), complaints)
    };
    let mut all: Vec<_> = lines.filter(|object| object["kind"] == "model").map(of).collect();
    all.sort();
    all
}

#[test]
fn a_project_whose_models_end_as_they_should_passes() {
    let sandbox = clock().file("specline.toml", MODELS);
    let run = sandbox.run("test --junit out.xml");
    run.ends_with(0);
    assert!(run.stdout().contains("3 of 3 models as expected"), "{}", run.stdout());
    assert!(sandbox.read("out.xml").contains("tests=\"3\" failures=\"0\" errors=\"0\""));
    let run = sandbox.run("test specline.toml --only Ear --format json");
    assert_eq!(complaints(&run), [("Early".to_owned(), Vec::new())]);
    sandbox.run("test --list").ends_with(0);
}

#[test]
fn whatever_is_not_as_expected_fails() {
    let wrong = MODELS
        .replace("distinct = 12", "distinct = 11")
        .replace("\"Early\"", "\"Day\"")
        .replace("expect = \"liveness\"", "expect = \"ok\"");
    let sandbox = clock().file("specline.toml", wrong);
    let run = sandbox.run("test --format json --junit out.xml");
    run.ends_with(27);
    let told: Vec<String> = complaints(&run).into_iter().flat_map(|(_, complaints)| complaints).collect();
    let expected = [
        "expected 11 distinct states, found 12",
        "expected that `Day` is violated, found `Early`",
        "expected no error, found a violation of liveness: `Never`",
    ];
    assert_eq!(told, expected);
    assert!(sandbox.read("out.xml").contains("tests=\"3\" failures=\"3\" errors=\"0\""));
}

#[test]
fn neither_a_time_out_nor_a_broken_specification_passes() {
    let endless =
        "---- MODULE Endless ----\nEXTENDS Naturals\nVARIABLE n\nInit == n = 0\nNext == n' = n + 1\n====\n";
    let sandbox = clock()
        .file("Endless.tla", endless)
        .file("Endless.cfg", "INIT Init\nNEXT Next\n")
        .file("Broken.tla", "---- MODULE Broken ----\nA == Bee\n====\n")
        .file(
            "specline.toml",
            "[[test.model]]\nspec = \"Endless.tla\"\nexpect = \"ok\"\ntime = \"300ms\"\n\
             [[test.model]]\nspec = \"Broken.tla\"\nexpect = \"undefined\"\n\
             [[test.model]]\nspec = \"Absent.tla\"\nexpect = \"ok\"\n",
        );
    let run = sandbox.run("test --format json --junit out.xml");
    run.ends_with(27);
    let told: Vec<String> = complaints(&run).into_iter().flat_map(|(_, complaints)| complaints).collect();
    let [absent, broken, endless] = told.as_slice() else { panic!("{told:?}") };
    assert!(absent.contains("exit code 255") && absent.contains("Absent.tla"), "{absent}");
    assert!(broken.contains("exit code 150") && broken.contains("Broken.tla:2:6: SL0301"), "{broken}");
    assert_eq!(endless, "expected no error, found a search that is not complete");
    assert!(sandbox.read("out.xml").contains("failures=\"1\" errors=\"2\""));
}

#[test]
fn a_project_that_makes_no_sense_is_refused_with_its_place() {
    for (toml, told) in [
        ("[[test.model]]\nspec = \"A.tla\"\n", "missing field `expect`"),
        (
            "[[test.model]]\nspec = \"A.tla\"\nexpect = \"fine\"\n",
            "`fine` is no outcome; there are ok, safety",
        ),
        ("[[test.model]]\nspec = \"A.tla\"\nexpect = \"ok\"\ntime = \"soon\"\n", "`soon` is no time"),
        ("[test]\n", "lists no models"),
        (
            "[[test.model]]\nspec = \"A.tla\"\nexpect = \"ok\"\n[[test.model]]\nspec = \"b/A.tla\"\nexpect = \"ok\"\n",
            "two models have the name `A`",
        ),
    ] {
        let run = Sandbox::new().file("specline.toml", toml).run("test");
        run.ends_with(151);
        assert!(run.stderr().contains("SL0831") && run.stderr().contains(told), "{}", run.stderr());
    }
    Sandbox::new().run("test").ends_with(255);
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_run_leaves_no_process_behind_and_does_not_pass() {
    let endless = "---- MODULE Endless ----\nEXTENDS Naturals, TLC\nVARIABLE n\nInit == n = 0\nNext == n' = n + 1\n====\n";
    let sandbox = clock()
        .file("Endless.tla", endless)
        .file("Endless.cfg", "INIT Init\nNEXT Next\n")
        .file(
            "specline.toml",
            "[[test.model]]\nspec = \"Clock.tla\"\nexpect = \"ok\"\n[[test.model]]\nspec = \"Endless.tla\"\nexpect = \"ok\"\n",
        );
    let mut child = sandbox.command("test --jobs 1").stdout(Stdio::piped()).spawn().expect("it starts");
    let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
    let first = lines.next().expect("there is a line").expect("it can be read");
    assert!(first.starts_with("ok      Clock"), "{first}");
    let pid = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &pid]).status().expect("kill runs").success());
    let rest: Vec<String> = lines.map(|line| line.expect("it can be read")).collect();
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert!(
        rest.last().is_some_and(|line| line.contains("1 of 2 models as expected, interrupted")),
        "{rest:?}"
    );
    // Whoever is left works in the folder.
    let folder = sandbox.path().canonicalize().expect("it is there");
    let processes = std::fs::read_dir("/proc").expect("there are processes").flatten();
    let left = processes
        .filter(|process| std::fs::read_link(process.path().join("cwd")).is_ok_and(|cwd| cwd == folder));
    assert_eq!(left.count(), 0);
}
