//! Guests that run alone and on the stage, where the same lines must come out.

use std::process::Command;

use crate::kit::{bare, c, guest, java, library, node, open, output, rust, tick_to_end};

#[path = "../../../interpose/src/table.rs"]
mod table;

/// Returns what the guest prints without a stage. It runs in a folder of its own, which is removed however it ends.
fn run_alone(command: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let mut guest = Command::new(command[0]);
    let output = guest.args(&command[1..]).current_dir(&folder).output().expect("a guest can be run");
    assert!(output.status.success(), "{command:?} alone: {output:?}");
    String::from_utf8(output.stdout).expect("guests write text")
}

/// Returns what the guest prints on a stage that moves its clock from deadline to deadline until it ends.
#[track_caller]
fn run_on_stage(command: &[&str]) -> String {
    let mut stage = open(vec![node("guest", command)]);
    let guest = stage.node_named("guest").expect("it is there");
    if let Err(trouble) = stage.start(guest) {
        panic!("{trouble}\n{}\n{:#?}", output(&stage, guest), stage.threads(guest));
    }
    tick_to_end(&mut stage, guest);
    assert_eq!(stage.errors(guest).expect("there is a file"), b"", "nothing is complained of");
    assert_eq!(stage.uncontrolled(), [], "everything is under control");
    output(&stage, guest)
}

/// The most attempts to run a guest alone: without a stage its times are real, and a busy machine can make it late.
const N_ALONE: usize = 5;

#[track_caller]
fn check(command: &[&str]) {
    let staged = run_on_stage(command);
    let same = (0..N_ALONE).map(|_| run_alone(command)).find(|alone| *alone == staged);
    pretty_assert(&staged, &same.unwrap_or_else(|| run_alone(command)));
}

#[track_caller]
fn pretty_assert(staged: &str, alone: &str) {
    let differ = staged.lines().zip(alone.lines()).find(|(staged, alone)| staged != alone);
    assert!(
        differ.is_none() && staged.len() == alone.len(),
        "on the stage:\n{staged}\nalone:\n{alone}\nfirst: {differ:?}"
    );
}

#[test]
fn waits_for_a_time() {
    check(&[&c("clock")]);
}

#[test]
fn threads_that_wait_for_each_other() {
    check(&[&c("threads")]);
}

#[test]
fn timers_that_are_not_waited_for() {
    check(&[&c("timers")]);
}

#[test]
fn calls_by_number() {
    check(&[&c("numbers")]);
}

#[test]
fn a_timer_that_is_made_by_number_is_reported() {
    let mut stage = open(vec![node("guest", &[&c("numbers"), "timer"])]);
    let guest = stage.node_named("guest").expect("it is there");
    stage.start(guest).expect("it starts");
    assert_eq!(output(&stage, guest), "timer_create 0\ntimer_delete 0\n");
    let told: Vec<_> =
        stage.uncontrolled().iter().map(|call| (call.call.as_str(), call.is_refused)).collect();
    assert_eq!(told, [("timer_create", false)]);
}

#[test]
fn streams_over_ipv4() {
    check(&[&c("streams"), "4"]);
}

#[test]
fn streams_over_ipv6() {
    check(&[&c("streams"), "6"]);
}

#[test]
fn sockets_that_speak_ipv4_and_ipv6() {
    check(&[&c("families")]);
}

#[test]
fn datagrams() {
    check(&[&c("datagrams")]);
}

#[test]
fn names_of_this_machine_are_found_and_others_refused() {
    let names = c("names");
    check(&[&names]);
    let (output, calls) = run_and_list_refused(&[&names, "no-such-name.invalid", "192.0.2.1"]);
    let expected = "gethostbyname not found\ngethostbyname2 not found\n\
                    gethostbyname_r 0 0 1\ngethostbyname2_r 0 0 1\n\
                    gethostbyaddr not found\ngethostbyaddr_r 0 0 1\n\
                    getnameinfo 192.0.2.1\ngetnameinfo 192.0.2.1\ngetnameinfo Name or service not known\n\
                    no-such-name.invalid Name or service not known\n";
    assert!(output.ends_with(expected), "{output}");
    let by_name = ["gethostbyname", "gethostbyname2", "gethostbyname_r", "gethostbyname2_r"];
    let by_address = ["gethostbyaddr", "gethostbyaddr_r", "getnameinfo", "getnameinfo", "getaddrinfo"];
    assert_eq!(calls, [&by_name[..], &by_address].concat());
}

/// Returns what a guest prints and which of its calls were refused; checks that no other calls are reported.
#[track_caller]
fn run_and_list_refused(command: &[&str]) -> (String, Vec<String>) {
    let mut stage = open(vec![node("guest", command)]);
    let guest = stage.node_named("guest").expect("it is there");
    stage.start(guest).expect("it starts");
    assert!(stage.uncontrolled().iter().all(|call| call.is_refused), "{:?}", stage.uncontrolled());
    let times = |call: &stage::Uncontrolled| vec![call.call.clone(); call.n_times as usize];
    let calls = stage.uncontrolled().iter().flat_map(times).collect();
    (output(&stage, guest), calls)
}

#[test]
fn questions_to_servers_of_names_are_refused() {
    let (output, calls) = run_and_list_refused(&[&c("questions")]);
    let (last, questions) = calls.split_last().unwrap();
    let answers: String = questions.iter().map(|call| format!("{call} -1 1 1\n")).collect();
    assert_eq!(output, answers + "getaddrinfo_a 1\n");
    assert_eq!((questions.len(), last.as_str()), (16, "getaddrinfo_a"));
}

#[test]
fn what_is_written_and_read_later_is_refused() {
    let later = c("later");
    assert!(run_alone(&[&later]).starts_with("aio_write done\n"));
    let (output, calls) = run_and_list_refused(&[&later]);
    let answers: String = calls.iter().map(|call| format!("{call} Function not implemented\n")).collect();
    assert_eq!(output, answers + "0 bytes\n");
    assert_eq!(calls.len(), 8);
}

#[test]
fn what_the_kernel_is_asked_to_write_later_is_written_at_once() {
    let submitted = c("submitted");
    let alone = run_alone(&[&submitted]);
    assert!(alone.ends_with("the file has onetwothree\n"), "{alone}");
    let (output, calls) = run_and_list_refused(&[&submitted]);
    assert_eq!((output, calls), (alone, vec![]));
}

#[test]
fn children_that_cannot_be_entered_are_refused() {
    let (bare, strangers) = (bare("bare"), c("strangers"));
    let alone = run_alone(&[&strangers, &bare]);
    assert_eq!(alone.matches(" ended with 7\n").count(), 8, "{alone}");
    let (output, calls) = run_and_list_refused(&[&strangers, &bare]);
    assert_eq!(output.matches(": Permission denied\n").count(), 7, "{output}");
    assert!(output.ends_with("forkpty ended with 98\nexecvp ended with 0\n"), "{output}");
    let mut expected = vec!["exec"; 6];
    expected.extend(["posix_spawn"; 2]);
    assert_eq!(calls, expected);
}

/// libc does not say why the shell cannot be run, so the stage reports it.
#[test]
fn a_shell_that_cannot_be_entered_is_told_of() {
    let root = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("root-with-a-shell");
    std::fs::create_dir_all(root.join("bin")).unwrap();
    std::fs::copy(bare("bare"), root.join("bin/sh")).unwrap();
    let (shells, root) = (c("shells"), root.to_str().unwrap());
    let alone = run_alone(&[&shells, root]);
    let (output, calls) = run_and_list_refused(&[&shells, root]);
    match alone.as_str() {
        "system 7\npclose 7\n" => {
            assert_eq!(output, "system 127\npopen fails\n");
            assert_eq!(calls, ["system", "popen"]);
        }
        // Neither root, nor a kernel that lets others change the root of their files.
        "not allowed\n" => assert_eq!((output.as_str(), calls.len()), ("not allowed\n", 0)),
        other => panic!("{other}"),
    }
}

/// A program whose memory must not be changed runs as it is, and the stage reports that.
#[test]
fn a_libc_that_cannot_be_changed_is_left_alone() {
    let mut stage = open(vec![node("guest", &[&c("sealed")])]);
    let guest = stage.node_named("guest").unwrap();
    stage.start(guest).unwrap();
    let told: Vec<&str> = stage.uncontrolled().iter().map(|call| call.call.as_str()).collect();
    match output(&stage, guest).as_str() {
        "sealed\nagain\n" => assert_eq!(told, ["libc"]),
        // A kernel before 6.3 cannot seal.
        "open\nagain\n" => assert!(told.is_empty(), "{told:?}"),
        other => panic!("{other}"),
    }
}

/// Returns what was reported about the only node, without names that differ from run to run.
fn list_reported(stage: &stage::Stage) -> Vec<String> {
    let numberless =
        |detail: &str| detail.split(|c: char| c.is_ascii_digit()).next().unwrap_or_default().to_owned();
    stage.uncontrolled().iter().map(|call| format!("{}: {}", call.call, numberless(&call.detail))).collect()
}

#[test]
fn a_program_that_calls_the_system_without_libc_is_told() {
    let mut stage = open(vec![node("guest", &[&c("raw")])]);
    let guest = stage.node_named("guest").unwrap();
    stage.start(guest).unwrap();
    // Its own sleep is not seen: the node may be taken to be at rest in it, and goes on by itself.
    for _ in 0..5000 {
        if list_reported(&stage).len() == 2 {
            break;
        }
        stage.settle().unwrap();
    }
    assert_eq!(output(&stage, guest), "slept 0\nlistens 0\n");
    let expected = [
        "code: guest-raw-c.program makes system calls without libc, which are not seen",
        "listen: it has the TCP port ",
    ];
    assert_eq!(list_reported(&stage), expected);
}

#[test]
fn a_library_that_is_loaded_later_and_needs_no_libc_is_told() {
    let script = "import ctypes, sys, time\ntime.sleep(1)\nraw = ctypes.CDLL(sys.argv[1])\ntime.sleep(1)\n\
        print('listens', raw.serve(), flush=True)\ntime.sleep(60)\n";
    let mut stage = open(vec![node("guest", &["python3", "-c", script, &library("raw")])]);
    let guest = stage.node_named("guest").unwrap();
    stage.start(guest).unwrap();
    assert_eq!(list_reported(&stage), [""; 0]);
    stage.tick(guest).unwrap();
    let code = "code: guest-raw-c.so makes system calls without libc, which are not seen";
    assert_eq!(list_reported(&stage), [code]);
    stage.tick(guest).unwrap();
    assert_eq!(output(&stage, guest), "listens 0\n");
    assert_eq!(list_reported(&stage), [code, "listen: it has the TCP port "]);
    // Each is reported once.
    assert!(stage.uncontrolled().iter().all(|call| call.n_times == 1));
}

#[test]
fn children() {
    check(&[&c("processes")]);
}

#[test]
fn files_that_are_written_synced_and_renamed() {
    check(&[&c("steps")]);
}

#[test]
fn streams_of_c() {
    check(&[&c("pens")]);
}

#[test]
fn threads_of_cpython() {
    check(&["python3", &guest("threads.py")]);
}

#[test]
fn the_standard_library_of_rust() {
    check(&[&rust("runtime")]);
}

#[test]
fn a_virtual_machine() {
    check(&["java", "-cp", &java("Echo"), "Echo"]);
}

#[test]
fn randomness_is_the_same_in_every_run_and_differs_from_node_to_node() {
    let random = c("random");
    let command = [random.as_str()];
    let once = run_on_stage(&command);
    assert_eq!(run_on_stage(&command), once);
    assert_ne!(run_alone(&command), once);
    let mut stage = open(vec![node("one", &command), node("other", &command)]);
    for id in stage.nodes().collect::<Vec<_>>() {
        stage.start(id).unwrap();
    }
    let outputs: Vec<String> = stage.nodes().map(|id| output(&stage, id)).collect();
    assert_eq!(outputs[0], once);
    assert_ne!(outputs[1], once);
}

#[test]
fn the_page_of_symbols_is_the_table() {
    let mut page = String::from(
        "# Symbols that the library for guests takes over\n\n\
         For people who want to know what the stage does at a certain function of libc.\n\n\
         *Emulate*: the answer is the stage's. *Observe*: libc's or the kernel's answer, and the stage takes note.\n\
         *Pass*: as without the stage, in a form that keeps what it leads to under control. *Refuse*: an error, and\n\
         a report. Written by `UPDATE_EXPECT=1 cargo test -p stage` from `crates/interpose/src/table.rs`.\n\n\
         | symbol | treatment | shown by |\n| --- | --- | --- |\n",
    );
    for symbol in table::SYMBOLS {
        let treatment = format!("{:?}", symbol.treatment).to_lowercase();
        page += &format!("| `{}` | {treatment} | `{}` |\n", symbol.name, symbol.guest);
    }
    page += "\n## Within libc\n\n\
             What libc calls within itself goes past symbols. The beginnings of these functions of libc are replaced by a\n\
             jump to those above, when a program starts, so that streams (`FILE`) and `execl` are under control too.\n\
             All of them or none: where one is not as expected, or the kernel does not allow it, libc is left as it is,\n\
             and the stage is told.\n\n\
             | function | reached by | shown by |\n| --- | --- | --- |\n";
    for inside in table::INSIDE {
        page += &format!("| `{}` | `{}` | `{}` |\n", inside.name, inside.by, inside.guest);
    }
    let mut expectations = test_kit::Expectations::new();
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/stage-symbols.md");
    expectations.check(&path, &page);
    expectations.finish();
}

#[test]
fn each_symbol_of_the_table_is_called_by_its_guest() {
    let symbols = table::SYMBOLS.iter().map(|symbol| (symbol.guest, symbol.name));
    for (guest, name) in symbols.chain(table::INSIDE.iter().map(|inside| (inside.guest, inside.by))) {
        let path = test_kit::guests().join(guest);
        let source = std::fs::read_to_string(&path).expect("the guest is there");
        let is_called =
            source.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| word == name);
        assert!(is_called, "{guest} does not call {name}");
    }
}
