//! `specline java`, and `specline` under the name `java`: scripts that run the TLA+ tools find Specline in their place.

use std::os::unix::fs::symlink;
use std::process::{Command, Output};

use crate::sandbox::Sandbox;

const MODULE: &str = "---- MODULE Steps ----\nEXTENDS Limits\nVARIABLE x\nInit == x = 0\n\
                      Next == x < Top /\\ x' = x + 1\nSmall == x < 2\n====\n";
const LIMITS: &str = "---- MODULE Limits ----\nEXTENDS Naturals\nTop == 3\n====\n";
const CONFIG: &str = "INIT Init\nNEXT Next\nCHECK_DEADLOCK FALSE\n";

/// A module that needs another one, which is on the class path, and a `java` that is Specline.
fn steps(config: &str) -> Sandbox {
    let sandbox = Sandbox::new()
        .file("Steps.tla", MODULE)
        .file("Steps.cfg", config)
        .file("lib/Limits.tla", LIMITS)
        .file("tools/tla2tools.jar", "")
        .folder("bin");
    symlink(env!("CARGO_BIN_EXE_specline"), sandbox.path().join("bin/java")).expect("links can be made");
    sandbox
}

/// Runs a line of the shell with that `java` alone in PATH.
fn script(sandbox: &Sandbox, line: &str, environment: &[(&str, &str)]) -> Output {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", line]).current_dir(sandbox.path()).env_clear();
    command.env("PATH", sandbox.path().join("bin")).envs(environment.iter().copied());
    command.output().expect("there is a shell")
}

#[track_caller]
fn says(output: &Output, code: i32, texts: &[&str]) {
    let all =
        [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).concat();
    assert_eq!(output.status.code(), Some(code), "{all}");
    for text in texts {
        assert!(all.contains(text), "`{text}` is not in\n{all}");
    }
}

#[test]
fn a_script_that_runs_tlc_runs_specline() {
    let sandbox = steps(CONFIG);
    let run = |line: &str| script(&sandbox, line, &[]);
    let done = "4 states generated, 4 distinct states found";
    let lines = [
        "java -XX:+UseParallelGC -Xmx2g -cp tools/tla2tools.jar:lib tlc2.TLC -workers auto Steps.tla",
        "java -classpath lib -enableassertions tlc2.TLC Steps",
        "java -DTLA-Library=lib -jar tools/tla2tools.jar -deadlock Steps",
    ];
    for line in lines {
        says(&run(line), 0, &[done]);
    }
    // The name of the program counts, and so does the command.
    let own = sandbox.run("java -cp lib tlc2.TLC Steps.tla");
    own.says(0, &[done]);
    sandbox.run("tlc -Xmx1g -cp lib Steps.tla").says(0, &[done]);
    sandbox.run("tlc -cp nowhere Steps.tla").ends_with(150);
    let violated = steps(&format!("{CONFIG}INVARIANT Small\n"));
    says(&script(&violated, "java -cp lib tlc2.TLC Steps || exit $?", &[]), 12, &["Small is violated"]);
}

#[test]
fn properties_come_from_the_environment_too() {
    let options = [("JAVA_TOOL_OPTIONS", "-Xmx1g -DTLA-Library=lib")];
    says(&script(&steps(CONFIG), "java tlc2.TLC Steps", &options), 0, &["4 distinct states"]);
}

#[test]
fn modules_are_looked_for_in_the_current_folder_first_as_tlc_does() {
    let module = |top: u32| format!("---- MODULE Limits ----\nEXTENDS Naturals\nTop == {top}\n====\n");
    let sandbox = steps(CONFIG)
        .file("models/Steps.tla", MODULE)
        .file("models/Steps.cfg", CONFIG)
        .file("Limits.tla", module(1));
    let run = |line: &str| script(&sandbox, line, &[]);
    says(&run("java -cp none tlc2.TLC models/Steps.tla"), 0, &["2 distinct states"]);
    says(
        &run("java -cp none tla2sany.SANY -error-codes models/Steps.tla"),
        0,
        &["Semantic processing of module Limits"],
    );
    let sandbox = sandbox.file("models/Limits.tla", module(2));
    let run = |line: &str| script(&sandbox, line, &[]);
    says(&run("java -cp none tlc2.TLC models/Steps.tla"), 0, &["2 distinct states"]);
    // An absolute path leads to its folder alone.
    says(&run("java -cp none tlc2.TLC $PWD/models/Steps.tla"), 0, &["3 distinct states"]);
}

#[test]
fn the_class_path_is_read_as_java_reads_it() {
    let sandbox = steps(CONFIG).file("jars/own.jar", "").file("models/Steps.tla", MODULE);
    let sandbox = sandbox.file("models/Steps.cfg", CONFIG);
    let run = |line: &str, variables: &[(&str, &str)]| script(&sandbox, line, variables);
    let done = "4 distinct states";
    says(&run("java tlc2.TLC Steps", &[("CLASSPATH", "x.jar:lib")]), 0, &[done]);
    // A class path of the command line counts alone, and so does a jar.
    says(&run("java -cp x tlc2.TLC Steps", &[("CLASSPATH", "lib")]), 150, &["Limits"]);
    says(&run("java -jar tla2tools.jar Steps", &[("CLASSPATH", "lib")]), 150, &["Limits"]);
    // An empty path is the current folder, and `*` all jars of one.
    says(&run("cd lib; java -cp x: tlc2.TLC $PWD/../models/Steps.tla", &[]), 0, &[done]);
    says(&run("java -cp 'jars/*:lib' tlc2.TLC Steps", &[]), 0, &[done, "`jars/own.jar` is not read"]);
}

#[test]
fn a_jar_that_is_not_read_is_told() {
    let sandbox = steps(CONFIG).file("own.jar", "").file("CommunityModules-deps.jar", "");
    let line = "java -cp tools/tla2tools.jar:CommunityModules-deps.jar:own.jar:lib tlc2.TLC Steps";
    let run = script(&sandbox, line, &[]);
    says(&run, 0, &["`own.jar` is not read"]);
    assert_eq!(String::from_utf8_lossy(&run.stderr).lines().count(), 1);
}

#[test]
fn the_parser_ends_as_sany_does() {
    let sandbox = steps(CONFIG)
        .file("Syntax.tla", "---- MODULE Syntax ----\nA == 1 +\n====\n")
        .file("Meaning.tla", "---- MODULE Meaning ----\nA == B\n====\n")
        .file("Level.tla", "---- MODULE Level ----\nVARIABLE x\nASSUME x = 1\n====\n")
        .file("Lost.tla", "---- MODULE Lost ----\nEXTENDS Nowhere\n====\n");
    let sany = |arguments: &str| sandbox.run(&format!("java -cp lib tla2sany.SANY {arguments}"));
    for (arguments, code) in [
        ("Steps.tla", 0),
        ("-error-codes Steps", 0),
        ("Syntax.tla", 255),
        ("-error-codes Syntax.tla", 255),
        ("-s Syntax.tla", 255),
        ("Meaning.tla", 0),
        ("-error-codes Meaning.tla", 4),
        ("-s -error-codes Meaning.tla", 0),
        ("-error-codes Level.tla", 4),
        ("-l -error-codes Level.tla", 0),
        ("Lost.tla", 255),
        ("None.tla", 255),
        ("-frobnicate Steps.tla", 255),
        ("", 255),
        ("-help", 0),
    ] {
        assert_eq!(sany(arguments).code(), Some(code), "{arguments}: {}", sany(arguments).stdout());
    }
    let told = sany("-error-codes Steps Meaning Steps");
    told.says(
        4,
        &["SANY2", "Parsing file", "Semantic processing of module Limits", "Unknown operator: `B'."],
    );
    assert_eq!(told.stdout().matches("SANY2").count(), 2, "the first file with an error is the last");
}

#[test]
fn everything_else_is_for_the_real_java() {
    let sandbox = steps(CONFIG).script("real/java", "echo \"the real one: $*\"; exit 7");
    let real = sandbox.path().join("real/java").display().to_string();
    let run = script(&sandbox, "java -cp x tla2tex.TLA Steps.tla", &[("SPECLINE_JAVA", &real)]);
    says(&run, 7, &["the real one: -cp x tla2tex.TLA Steps.tla"]);
    let run = script(&sandbox, "PATH=$PATH:$PWD/real; java -version", &[]);
    says(&run, 7, &["the real one: -version"]);
    // There is none.
    says(&script(&sandbox, "java -version", &[]), 0, &["in the place of java version \"21\""]);
    let export = "java -cp tools/tla2tools.jar tla2sany.xml.XMLExporter Steps.tla";
    let told = ["`tla2sany.xml.XMLExporter` is not run here", "SPECLINE_JAVA", "specline parse --emit json"];
    says(&script(&sandbox, export, &[]), 1, &told);
    says(&script(&sandbox, "java -jar other.jar", &[]), 1, &["`other.jar` is not the jar of the TLA+ tools"]);
    // One that leads back here is noticed.
    let round = sandbox.script("round/java", &format!("exec {} java \"$@\"", env!("CARGO_BIN_EXE_specline")));
    let path = round.path().join("round/java").display().to_string();
    says(&script(&round, export, &[("SPECLINE_JAVA", &path)]), 1, &["leads back to specline"]);
}
