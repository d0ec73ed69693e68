//! Specifications that run commands and write files: they may, unless there is a sandbox.

use crate::sandbox::{Run, Sandbox};

/// A counter that does something to the outside at its first step.
fn spec(act: &str) -> String {
    format!(
        "---- MODULE Reach ----\nEXTENDS Naturals, Sequences, TLC, IOUtils, Json, CSV\nCONSTANT Top\nVARIABLE x\n\
         Act == {act}\nInit == x = 0\nNext == x < Top /\\ x' = x + 1 /\\ (x = 0 => Act)\nSpec == Init /\\ [][Next]_x\nFine == x < 5\n\
         Low == x < 2\n====\n"
    )
}

const CONFIG: &str = "CONSTANT Top = 2\nSPECIFICATION Spec\nINVARIANT Fine\nCHECK_DEADLOCK FALSE\n";
const RUNS: &str = r#"IOExec(<<"touch", "ran">>).exitValue = 0"#;

/// A specification in the folder `in`.
fn reach(act: &str) -> Sandbox {
    Sandbox::new().file("Reach.tla", spec(act)).file("Reach.cfg", CONFIG)
}

fn has(sandbox: &Sandbox, name: &str) -> bool {
    sandbox.path().join(name).exists()
}

/// Runs the same in a folder inside of the sandbox.
fn run_inside(sandbox: &Sandbox, args: &str) -> Run {
    let inside = sandbox.path().join("in");
    std::fs::create_dir_all(&inside).expect("folders can be made");
    let mut command = sandbox.command(args);
    Run::of(args, command.current_dir(inside).output().expect("the program starts"))
}

#[test]
fn nothing_is_run_in_a_sandbox() {
    let sandbox = reach(RUNS);
    let run = sandbox.run_with("check Reach.tla --sandbox", &[("PATH", "/usr/bin:/bin")]);
    run.says(
        75,
        &["SL0730", "`IOExec`: `touch ran`: no program is run in a sandbox", "Reach.tla:5:", "--no-sandbox"],
    );
    assert!(!has(&sandbox, "ran"));
    for how in ["", " --no-sandbox", " --sandbox --no-sandbox"] {
        let sandbox = reach(RUNS);
        sandbox.run_with(&format!("check Reach.tla{how}"), &[("PATH", "/usr/bin:/bin")]).ends_with(0);
        assert!(has(&sandbox, "ran"), "{how}");
    }
}

#[test]
fn each_operator_that_reaches_outside_is_refused_by_its_name() {
    let options = r#"[format |-> "TXT", charset |-> "UTF-8", openOptions |-> <<"CREATE">>]"#;
    let acts = [
        (RUNS.to_owned(), "IOExec"),
        (r#"IOEnvExec([A |-> "b"], <<"touch", "ran">>).exitValue = 0"#.to_owned(), "IOEnvExec"),
        (r#"IOExecTemplate(<<"touch", "%s">>, <<"ran">>).exitValue = 0"#.to_owned(), "IOExecTemplate"),
        (
            r#"IOEnvExecTemplate([A |-> "b"], <<"touch">>, <<>>).exitValue = 0"#.to_owned(),
            "IOEnvExecTemplate",
        ),
        (r#"JsonSerialize("../out", <<1>>)"#.to_owned(), "JsonSerialize"),
        (r#"ndJsonSerialize("../out", <<1>>)"#.to_owned(), "ndJsonSerialize"),
        (r#"IOSerialize(1, "../out", FALSE)"#.to_owned(), "IOSerialize"),
        (format!("Serialize(\"a\", \"../out\", {options}).exitValue = 0"), "Serialize"),
        (r#"CSVWrite("%1$s", <<1>>, "../out")"#.to_owned(), "CSVWrite"),
        (r#"CSVWriteRecord([a |-> 1], ",", TRUE, "../out")"#.to_owned(), "CSVWriteRecord"),
    ];
    for (act, operator) in acts {
        let sandbox = reach(&act);
        let run = run_inside(&sandbox, "check ../Reach.tla --sandbox");
        run.says(75, &["SL0730", &format!("`{operator}`: ")]);
        assert!(!has(&sandbox, "out") && !has(&sandbox, "in/ran"), "{operator}");
    }
}

#[test]
fn files_below_the_current_folder_are_written_and_no_others() {
    let act = r#"JsonSerialize("../out/states.json", <<x>>)"#;
    let sandbox = reach(act);
    run_inside(&sandbox, "check ../Reach.tla --sandbox").says(75, &["outside of the current folder"]);
    assert!(!has(&sandbox, "out"));
    run_inside(&sandbox, "check ../Reach.tla").ends_with(0);
    assert!(has(&sandbox, "out/states.json"));
    let sandbox = reach(r#"JsonSerialize("out/states.json", <<x>>)"#);
    sandbox.run("check Reach.tla --sandbox").ends_with(0);
    assert_eq!(sandbox.read("out/states.json"), "[0]");
    // A link is where it leads to.
    let sandbox = reach(r#"JsonSerialize("link/states.json", <<x>>)"#).folder("out");
    std::fs::create_dir(sandbox.path().join("in")).expect("folders can be made");
    std::os::unix::fs::symlink("../out", sandbox.path().join("in/link")).expect("links can be made");
    run_inside(&sandbox, "check ../Reach.tla --sandbox").ends_with(75);
    assert!(!has(&sandbox, "out/states.json"));
    run_inside(&sandbox, "check ../Reach.tla").ends_with(0);
    assert!(has(&sandbox, "out/states.json"));
}

#[test]
fn what_is_outside_may_be_read() {
    let sandbox = reach(r#"JsonDeserialize("../given.json") = <<1>> /\ "HOME" \in DOMAIN IOEnv"#)
        .file("given.json", "[1]");
    let inside = sandbox.folder("in");
    let mut command = inside.command("check ../Reach.tla --sandbox");
    command.current_dir(inside.path().join("in")).env("HOME", "here");
    Run::of("check", command.output().expect("the program starts")).ends_with(0);
}

#[test]
fn changed_specifications_are_run_in_a_sandbox() {
    let sandbox = reach(RUNS);
    let paths = [("PATH", "/usr/bin:/bin")];
    sandbox.run_with("audit Reach.tla", &paths).says(75, &["no program is run in a sandbox", "--no-sandbox"]);
    assert!(!has(&sandbox, "ran"));
    let run = sandbox.run_with("audit Reach.tla --no-sandbox", &paths);
    assert!(!run.stderr().contains("SL0730"), "{}", run.stderr());
    assert!(has(&sandbox, "ran"));
}

#[test]
fn every_command_that_runs_a_specification_takes_a_sandbox() {
    let paths = [("PATH", "/usr/bin:/bin")];
    let project = "[[test.model]]\nspec = \"Reach.tla\"\nexpect = \"ok\"\n[rank.budgets]\nTop = [2]\n";
    for (args, code) in [
        ("simulate Reach.tla --traces 3 --sandbox", 75),
        ("rank Reach.tla --sandbox", 75),
        ("tlc --sandbox Reach.tla", 75),
        ("tlc -Dspecline.sandbox=true Reach.tla", 75),
        ("validate --spec Reach.tla --log log.ndjson --log-env L --accept x=2 --sandbox", 75),
        ("test --sandbox", 27),
    ] {
        let sandbox = reach(RUNS).file("specline.toml", project).file("log.ndjson", "{}\n");
        let run = sandbox.run_with(args, &paths);
        assert_eq!(run.code(), Some(code), "{args}: {}{}", run.stdout(), run.stderr());
        assert!(!has(&sandbox, "ran"), "{args}");
        let free = args.replace(" --sandbox", "").replace(" -Dspecline.sandbox=true", "");
        sandbox.run_with(&free, &paths).ends_with(0);
        assert!(has(&sandbox, "ran"), "{free}");
    }
}

#[test]
fn expressions_of_a_trace_are_evaluated_in_a_sandbox() {
    let config = CONFIG.replace("Fine", "Low");
    let sandbox = Sandbox::new().file("Reach.tla", spec("TRUE")).file("Reach.cfg", config);
    sandbox.run("check Reach.tla --trace found.itf.json").ends_with(12);
    let show = "trace show found.itf.json --spec Reach.tla --format itf --expr IOExec(<<\"touch\",\"ran\">>)";
    let paths = [("PATH", "/usr/bin:/bin")];
    let run = sandbox.run_with(show, &paths);
    assert!(run.stdout().contains("no program is run in a sandbox"), "{}{}", run.stdout(), run.stderr());
    assert!(!has(&sandbox, "ran"));
    sandbox.run_with(&format!("{show} --no-sandbox"), &paths).ends_with(0);
    assert!(has(&sandbox, "ran"));
}

/// Programs read what a specification prints, so nothing of it is cut, and a long value keeps its lines.
#[test]
fn what_a_specification_prints_is_written_whole() {
    let letters = "abcdefgh".repeat(100);
    let lines = format!(
        "[ {} |-> 1,\n  {} |-> 2,\n  {} |-> 3 ]\n\"{letters}\"\n",
        "a".repeat(40),
        "b".repeat(40),
        "c".repeat(40)
    );
    let act = format!(
        "PrintT([{} |-> 1, {} |-> 2, {} |-> 3]) /\\ PrintT(\"{letters}\")",
        "a".repeat(40),
        "b".repeat(40),
        "c".repeat(40)
    );
    let sandbox = Sandbox::new()
        .file("Reach.tla", spec(&act))
        .file("Reach.cfg", "CONSTANT Top = 2\nSPECIFICATION Spec\nCHECK_DEADLOCK FALSE\n");
    for line in ["check Reach.tla", "tlc Reach.tla", "simulate --traces 1 Reach.tla"] {
        let run = sandbox.run(line);
        run.ends_with(0);
        assert!(run.stdout().contains(&lines), "{line}\n{}", run.stdout());
    }
}
