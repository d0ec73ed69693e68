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

/// The tables of commands in README.md and docs/README.md are complete.
#[test]
fn every_command_is_in_the_readme_and_in_the_book() {
    let help = Sandbox::new().run("--help").stdout().to_owned();
    let listed =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // A longer description continues on lines that are indented further.
    let names = listed.filter_map(|line| line.strip_prefix("  ")).filter(|line| !line.starts_with(' '));
    let names: Vec<&str> = names.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.contains(&"check") && names.contains(&"help"), "{names:?}");
    let (readme, book) = (include_str!("../../../../README.md"), include_str!("../../../../docs/README.md"));
    for name in names.into_iter().filter(|name| *name != "help") {
        assert!(readme.contains(&format!("`{name}`")), "README.md does not name `{name}`");
        assert!(book.contains(&format!("| `specline {name}")), "docs/README.md does not name `{name}`");
    }
}

#[test]
fn shells_can_complete_commands() {
    let sandbox = Sandbox::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = sandbox.run(&format!("completions {shell}"));
        assert_eq!(run.code(), Some(0));
        assert!(run.stdout().contains("trace-html") && run.stdout().contains("simulate"), "{shell}");
    }
    // The script is one that the shell takes.
    let script = sandbox.run("completions bash").stdout().to_owned();
    let sandbox = sandbox.file("complete.bash", script);
    let check = "source ./complete.bash; COMP_WORDS=(specline trace sh); COMP_CWORD=2; \
                 _specline specline sh trace; echo \"${COMPREPLY[*]}\"";
    let bash = std::process::Command::new("bash").args(["-c", check]).current_dir(sandbox.path()).output();
    let bash = bash.expect("there is a bash");
    assert_eq!(String::from_utf8_lossy(&bash.stdout).trim(), "show", "{bash:?}");
}

#[test]
fn every_command_has_a_manual_page() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.run("man pages/man1").code(), Some(0));
    for (page, word) in
        [("specline.1", "audit"), ("specline-check.1", "spill"), ("specline-trace-html.1", "browser")]
    {
        assert!(sandbox.read(&format!("pages/man1/{page}")).contains(word), "{page}");
    }
    let sandbox = sandbox.file("taken", "");
    sandbox.run("man taken").check("usage-man-unwritable");
}

/// The commit and its date follow where the program was built in a checkout.
#[test]
fn version_is_an_answer_and_names_the_commit() {
    let run = Sandbox::new().run("--version");
    let version = run.stdout().trim_end();
    let (version, built_from) = version.split_once(" (").unwrap_or((version, ""));
    assert_eq!(version, concat!("specline ", env!("CARGO_PKG_VERSION")));
    assert_eq!(run.code(), Some(0));
    let git = |args: &[&str]| {
        let mut git = std::process::Command::new("git");
        git.args(args)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .is_ok_and(|output| output.status.success())
    };
    // A copy without git has no commit to name.
    if git(&["ls-files", "--error-unmatch", "Cargo.toml"]) {
        let commit = built_from.split(' ').next().unwrap_or_default();
        assert!(git(&["cat-file", "-e", commit]), "`{built_from}` names no commit");
    } else {
        assert_eq!(built_from, "");
    }
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
