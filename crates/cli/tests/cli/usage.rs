//! The command line itself: help, version, mistakes, pipes.

use std::process::Stdio;

use crate::sandbox::Sandbox;

#[test]
fn no_arguments_show_the_help() {
    Sandbox::new().run("").check("usage-none");
}

#[test]
fn help_is_an_answer() {
    let sandbox = Sandbox::new();
    sandbox.run("--help").check("usage-help");
    sandbox.run("parse --help").check("usage-help-parse");
    sandbox.run("lint --help").check("usage-help-lint");
    sandbox.run("trace --help").check("usage-help-trace");
    sandbox.run("trace show --help").check("usage-help-trace-show");
}

#[test]
fn version_is_an_answer() {
    Sandbox::new().run("--version").check("usage-version");
}

#[test]
fn a_wrong_command_line_exits_with_1() {
    let sandbox = Sandbox::new();
    sandbox.run("parse --emmit ast A.tla").check("usage-bad-flag");
    sandbox.run("parse --emit tree A.tla").check("usage-bad-value");
    sandbox.run("prase A.tla").check("usage-bad-command");
    sandbox.run("parse").check("usage-no-file");
    sandbox.run("lint -c A.cfg A.tla B.tla").check("usage-config-for-two-files");
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let sandbox = Sandbox::new();
    let mut child = sandbox.command("explain").stdout(Stdio::piped()).spawn().expect("the program starts");
    // Closed before the program writes, or while it does: both must end well.
    drop(child.stdout.take());
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}
