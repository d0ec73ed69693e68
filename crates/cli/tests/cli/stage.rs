//! `specline stage`: a system described, played from a script and from standard input, and what is wrong with either.

use std::io::Write;
use std::process::Stdio;

use crate::sandbox::Sandbox;

/// Two nodes that are shells: one counts the seconds, one ends at once.
const CLOCKS: &str = r#"
[start]
command = ["sh", "-c", "echo {name} starts; test {name} = n2 || while sleep 1; do echo tick; done"]

[[node]]
name = "n1"
address = "127.0.0.1:7001"

[[node]]
name = "n2"
address = "127.0.0.1:7002"

[observe.last]
log = "(\\w+)\\n"

[observe.note]
file = "note"

[observe.folder]
command = ["ls"]

[client.ask]
call = "ask {1}\n"
"#;

const NODE: &str = "[[node]]\nname = \"n1\"\naddress = \"127.0.0.1:7001\"\n";

fn clocks(script: &str) -> Sandbox {
    Sandbox::new().file("clocks/system.toml", CLOCKS).file("script.txt", script)
}

#[test]
fn a_script_is_played() {
    let script = "start all\nnodes\ntick n1\nobserve last n1\nexpect tick\nadvance n1 900ms\nnodes\n\
        tick n1 3 # three more\nobserve folder n1\ncrash n1\nnodes\nstart n1\n";
    let sandbox = clocks(script);
    sandbox.run("stage clocks --script script.txt --log log.ndjson").check("stage-script");
    let log = sandbox.read("log.ndjson");
    let last = log.lines().last().expect("there is a line for each event");
    assert_eq!(
        last,
        r#"{"event":"start n1","step":{"kind":"start","nodes":["n1"]},"answer":[],"clocks":{"n1":{"s":4,"ns":0},"n2":{"s":0,"ns":0}},"nodes":{"n1":"running","n2":"ended with exit code 0"},"held":[],"output":{"n1":"n1 starts\n"},"errors":{},"uncontrolled":[],"log":{}}"#
    );
    assert_eq!(log.lines().count(), 12);
}

#[test]
fn a_system_is_named_by_its_folder_or_by_its_file() {
    let sandbox = clocks("start all\nnodes\n").file("system.toml", CLOCKS);
    for name in ["clocks", "clocks/system.toml", "system.toml"] {
        sandbox.run(&format!("stage {name} --script script.txt")).says(0, &["n1 running"]);
    }
}

#[test]
fn the_same_script_gives_the_same_log() {
    let sandbox = clocks("start all\ntick n1 5\nadvance n1 3s\nobserve last n1\ncrash n1\n");
    let logs: Vec<String> = (0..3)
        .map(|_| {
            let run = sandbox.run("stage clocks --script script.txt --log log.ndjson");
            assert_eq!(run.code(), Some(0), "{}", run.stderr());
            sandbox.read("log.ndjson")
        })
        .collect();
    assert_eq!(logs[0], logs[1]);
    assert_eq!(logs[0], logs[2]);
}

#[test]
fn events_come_from_standard_input_and_a_mistake_is_no_end() {
    let sandbox = clocks("");
    let mut command = sandbox.command("stage clocks");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut input = child.stdin.take().expect("its input is a pipe");
    input.write_all(b"start n2\njump\nstart n3\nobserve last n2\n").expect("it reads");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "n2 ended with exit code 0\nn2| n2 starts\nstarts\n");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        errors.contains("[SL0812]: `jump` is no event") && errors.contains("[SL0813]: there is no node `n3`")
    );
    // That there was one is not forgotten: the first says how it ends.
    assert_eq!(output.status.code(), Some(151));
}

/// The standard error of nodes is shown with the rest, and so is the death of a node that was starting.
#[test]
fn a_node_that_dies_while_it_starts_is_told() {
    let system = |code: u32| {
        let command = format!("echo out; echo err >&2; test {{name}} = n1 || exit {code}; sleep 9");
        let nodes = "[[node]]\nname = \"n2\"\naddress = \"127.0.0.1:7002\"\n";
        let text = format!(
            "[start]\ncommand = [\"sh\", \"-c\", \"{command}\"]\n[observe.error]\nerrors = \"e(.*)\"\n{NODE}{nodes}"
        );
        Sandbox::new()
            .file("x/system.toml", &text)
            .file("script.txt", "start all\nobserve error n1\nexpect rr\n")
    };
    let died = system(3);
    let run = died.run("stage x --script script.txt --log log.ndjson");
    run.says(24, &["n2 ended with exit code 3\nn1| out\nn2| out\nn1! err\nn2! err\n"]);
    assert!(
        run.stderr().contains("[SL0813]: `n2` ended with exit code 3 while it was to start"),
        "{}",
        run.stderr()
    );
    assert!(died.read("log.ndjson").contains(r#""errors":{"n1":"err\n","n2":"err\n"}"#));
    // One that is done has not died.
    system(0).run("stage x --script script.txt").says(0, &["n2 ended with exit code 0\n", "rr\n"]);
}

#[test]
fn a_log_that_cannot_be_written_is_told_by_its_name() {
    let sandbox = clocks("start n1\n");
    for log in ["missing/x.log", "/dev/full"] {
        let run = sandbox.run(&format!("stage clocks --script script.txt --log {log}"));
        assert_eq!(run.code(), Some(255), "{}", run.stderr());
        assert!(run.stderr().contains("SL0005") && run.stderr().contains(log), "{}", run.stderr());
    }
}

#[test]
fn what_is_wrong_with_a_script() {
    clocks("start n1\nadvance n1 5\n").run("stage clocks --script script.txt").check("stage-script-wrong");
    clocks("tick n1\n").run("stage clocks --script script.txt").check("stage-not-running");
    clocks("start n2\nobserve last n2\nexpect tick\n")
        .run("stage clocks --script script.txt")
        .check("stage-not-expected");
    clocks("start n2\nobserve note n2\n").run("stage clocks --script script.txt").check("stage-unseen");
    clocks("observe all n2\n").run("stage clocks --script script.txt").check("stage-unknown");
    clocks("start n1\nclient ask n1 x\n").run("stage clocks --script script.txt").check("stage-no-port");
    clocks("deliver n1 n2\n").run("stage clocks --script script.txt").check("stage-nothing-held");
    clocks("").run("stage clocks --script nowhere.txt").check("stage-no-script");
}

#[test]
fn what_is_wrong_with_a_system() {
    let system = |text: &str| Sandbox::new().file("x/system.toml", text).run("stage x");
    system("sed = 7\n").check("stage-system-field");
    system("start = [").check("stage-system-syntax");
    system(&format!("[start]\ncommand = [\"{{nobody}}\"]\n{NODE}")).check("stage-system-placeholder");
    system(&format!("[start]\ncommand = []\n{NODE}")).check("stage-system-no-command");
    let packages = "[provision]\npython = [\"no-such-package\"]\n";
    system(&format!("{packages}[start]\ncommand = [\"{{python}}\"]\n{NODE}")).check("stage-not-provisioned");
    Sandbox::new().run("stage nowhere").check("stage-no-system");
}

#[test]
fn a_program_that_cannot_be_entered() {
    let text = format!("[start]\ncommand = [\"./data\"]\nfiles = {{ data = \"text\" }}\n{NODE}");
    let sandbox = Sandbox::new().file("x/system.toml", text).file("script.txt", "start n1\n");
    sandbox.run("stage x --script script.txt").check("stage-not-entered");
}

#[test]
fn what_is_not_under_control_is_told() {
    let lookup = "import socket, time\n\
                  for n in (2, 1):\n    \
                      for i in range(n):\n        \
                          try: socket.getaddrinfo('no-such-name.invalid', 1)\n        \
                          except OSError: pass\n    \
                      time.sleep(1)\n";
    let text = format!("[start]\ncommand = [\"python3\", \"-c\", '''{lookup}''']\n{NODE}");
    let sandbox =
        Sandbox::new().file("x/system.toml", text).file("script.txt", "start n1\ntick n1\ntick n1\n");
    let run = sandbox.run_with("stage x --script script.txt", &[("PATH", &search_path())]);
    let lines: Vec<&str> = run.stdout().lines().collect();
    // Told once an event, with how often.
    let [first, second, "n1 ended with exit code 0"] = lines[..] else { panic!("{lines:?}") };
    assert!(second.starts_with("n1 was refused `getaddrinfo`: "), "{lines:?}");
    assert_eq!(first, format!("{second} (2 times)"));
}

#[test]
fn a_node_that_never_rests_is_given_up() {
    let text =
        format!("idle_limit_ms = 200\n[start]\ncommand = [\"sh\", \"-c\", \"while :; do :; done\"]\n{NODE}");
    let sandbox = Sandbox::new().file("x/system.toml", text).file("script.txt", "start n1\n");
    let run = sandbox.run("stage x --script script.txt");
    assert!(run.stderr().contains("`n1` does not come to rest within 200 ms"), "{}", run.stderr());
    assert!(run.stderr().contains("`sh` (R): nothing that is under control"), "{}", run.stderr());
    assert_eq!(run.code(), Some(24));
}

#[test]
fn a_system_that_needs_nothing_is_provisioned_at_once() {
    clocks("").run("stage provision clocks").check("stage-provision-nothing");
}

/// A package of Python, made here: no network is needed.
const WHEEL: &str = "
import zipfile
info = 'hello-1.0.dist-info/'
with zipfile.ZipFile('hello-1.0-py3-none-any.whl', 'w') as wheel:
    wheel.writestr('hello.py', 'WORD = \"provisioned\"\\n')
    wheel.writestr(info + 'METADATA', 'Metadata-Version: 2.1\\nName: hello\\nVersion: 1.0\\n')
    wheel.writestr(info + 'WHEEL', 'Wheel-Version: 1.0\\nGenerator: by hand\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
    wheel.writestr(info + 'RECORD', 'hello.py,,\\n' + info + 'METADATA,,\\n' + info + 'WHEEL,,\\n' + info + 'RECORD,,\\n')
";

/// Debian has `venv` without what it puts pip into an environment with, unless `python3-venv` is installed.
const NO_ENSUREPIP: &str = "\
case \"$*\" in
  *--without-pip*) ;;
  *'-m venv'*) echo 'ensurepip is not available' >&2; exit 1 ;;
esac
PATH=\"$REAL_PATH\" exec python3 \"$@\"";

#[test]
fn a_system_is_provisioned_where_environments_have_no_pip() {
    let sandbox = with_wheel().script("bin/python3", NO_ENSUREPIP);
    let (cache, real) = (sandbox.path().join("cache").display().to_string(), search_path());
    let path = format!("{}:{real}", sandbox.path().join("bin").display());
    let environment = [("XDG_CACHE_HOME", cache.as_str()), ("PATH", &path), ("REAL_PATH", &real)];
    let provisioned = sandbox.run_with("stage provision x", &environment);
    assert_eq!(provisioned.code(), Some(0), "{}", provisioned.stderr());
    let run = sandbox.run_with("stage x --script script.txt", &environment);
    assert_eq!(
        (run.code(), run.stdout()),
        (Some(0), "n1 ended with exit code 0\nn1| provisioned\n"),
        "{}",
        run.stderr()
    );
}

#[test]
fn a_system_is_provisioned_and_its_packages_are_there() {
    let sandbox = with_wheel();
    let cache = sandbox.path().join("cache").display().to_string();
    let path = search_path();
    let environment = [("XDG_CACHE_HOME", cache.as_str()), ("PATH", path.as_str())];
    let early = sandbox.run_with("stage x --script script.txt", &environment);
    assert!(early.stderr().contains("`x` is not provisioned"), "{}", early.stderr());
    let provisioned = sandbox.run_with("stage provision x", &environment);
    assert_eq!(provisioned.code(), Some(0), "{}", provisioned.stderr());
    let run = sandbox.run_with("stage x --script script.txt", &environment);
    assert_eq!(
        (run.code(), run.stdout()),
        (Some(0), "n1 ended with exit code 0\nn1| provisioned\n"),
        "{}",
        run.stderr()
    );
}

/// A system that needs a package, and the package beside it.
fn with_wheel() -> Sandbox {
    let text = format!(
        "[start]\ncommand = [\"{{python}}\", \"-c\", \"import hello; print(hello.WORD)\"]\n\
         [provision]\npython = [\"./hello-1.0-py3-none-any.whl\"]\n{NODE}"
    );
    let sandbox = Sandbox::new().file("x/system.toml", text).file("script.txt", "start n1\n");
    let wheel = std::process::Command::new("python3")
        .args(["-c", WHEEL])
        .current_dir(sandbox.path().join("x"))
        .status()
        .expect("python can be run");
    assert!(wheel.success());
    sandbox
}

/// The session at the top of the page about the stage goes as it is shown there.
#[test]
fn the_page_of_the_stage_shows_what_happens() {
    const PROMPT: &str = "stage> ";
    let page = include_str!("../../../../docs/stage.md");
    let session = page.split("```console\n$ specline stage examples/echo\n").nth(1);
    let session = session.and_then(|rest| rest.split("```").next()).expect("the page begins with a session");
    let (events, shown): (Vec<&str>, Vec<&str>) = session.lines().partition(|line| line.starts_with(PROMPT));
    let script: Vec<&str> = events.iter().filter_map(|line| line.strip_prefix(PROMPT)).collect();
    let system = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/echo");
    let sandbox = Sandbox::new().file("script.txt", script.join("\n"));
    let run = sandbox.run_with(&format!("stage {system} --script script.txt"), &[("PATH", &search_path())]);
    assert_eq!(run.stdout().lines().collect::<Vec<_>>(), shown, "{}", run.stderr());
    assert_eq!(run.code(), Some(0));
}

#[expect(clippy::disallowed_methods, reason = "python is found where the shell finds it")]
fn search_path() -> String {
    std::env::var("PATH").unwrap_or_default()
}
