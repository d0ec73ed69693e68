//! Threads of programs that are held at points: in the code of a Java program, and at calls of any program.

use stage::script::{PlayError, Player, parse};
use stage::system::System;
use stage::{NodeState, Trouble};

use crate::clocks::RUNTIME_THREADS;
use crate::kit::{c, java, settings, tick_to_end};

/// A system of one node that runs the guest with two threads, and whatever `more` describes.
fn play_points(more: &str) -> Player {
    let classes = java("Points");
    let options = "\"-XX:+UseSerialGC\", \"-XX:TieredStopAtLevel=1\"";
    open(&format!("command = [\"java\", {options}, \"-cp\", \"{classes}\", \"Points\", \"1000\"]"), more)
}

fn open(command: &str, more: &str) -> Player {
    let text = format!(
        "[start]\n{command}\nruntime_threads = {RUNTIME_THREADS:?}\n\
         [[node]]\nname = \"n1\"\naddress = \"127.0.0.1:7001\"\n{more}"
    );
    let system = System::parse(&text, &std::env::temp_dir()).unwrap_or_else(|error| {
        panic!("{} at {:?}", error.message, error.place.map(|at| text[at].to_owned()))
    });
    Player::open(system, settings(), std::env::temp_dir()).unwrap()
}

/// Plays lines that succeed; returns what the last one answered, and what the node wrote meanwhile.
#[track_caller]
fn play(player: &mut Player, lines: &[&str]) -> (Vec<String>, String) {
    let (mut answer, mut output) = (Vec::new(), String::new());
    for line in lines {
        let (record, result) = player.play(&parse(line).unwrap().unwrap(), line);
        if let Err(error) = result {
            let n1 = player.stage.node_named("n1").unwrap();
            panic!("{line}: {error}\n{:?}\n{:#?}", record.errors, player.stage.threads(n1));
        }
        assert_eq!(record.uncontrolled, [""; 0], "{line}");
        answer = record.answer;
        output.extend(record.output.values().map(String::as_str));
    }
    (answer, output)
}

#[track_caller]
fn refuse(player: &mut Player, line: &str) -> String {
    let (_, result) = player.play(&parse(line).unwrap().unwrap(), line);
    result.expect_err(line).to_string()
}

const STEP: &str = "[[point]]\nname = \"step\"\nclass = \"Points$Worker\"\nmethod = \"step\"\n\
    [[point]]\nname = \"done\"\nclass = \"Points$Worker\"\nmethod = \"step\"\nat = \"exit\"\n";

#[test]
fn one_thread_is_held_where_it_enters_a_method_and_others_go_on() {
    let two =
        "[[point]]\nname = \"two\"\nclass = \"Points$Worker\"\nmethod = \"step\"\nthread = \"worker-2\"\n";
    let mut player = play_points(two);
    play(&mut player, &["start n1"]);
    let (answer, output) = play(&mut player, &["hold n1 two", "tick n1"]);
    assert_eq!(answer, ["n1 held at two: thread worker-2"]);
    assert_eq!(output, "worker-1 step 1\n");
    // It is not forgotten, and does not keep the others from anything.
    let (_, output) = play(&mut player, &["tick n1"]);
    assert_eq!(output, "worker-1 step 2\n");
    let (answer, _) = play(&mut player, &["nodes"]);
    assert!(answer[0].ends_with("worker-2 held at two"), "{answer:?}");
    let (_, output) = play(&mut player, &["release n1 two"]);
    assert_eq!(output, "worker-2 step 1\n");
    let why = refuse(&mut player, "release n1 two");
    assert_eq!(
        why,
        "no thread of `n1` is held at `two`: `hold` was not asked for there, or its thread has gone on"
    );
    player.check_points().unwrap();
}

#[test]
fn a_thread_goes_from_point_to_point() {
    let mut player = play_points(STEP);
    play(&mut player, &["hold n1 step", "start n1", "tick n1"]);
    // The other one steps by itself.
    let (answer, output) = play(&mut player, &["step n1 step..done"]);
    assert_eq!(answer.len(), 1, "{answer:?}");
    assert!(answer[0].starts_with("n1 held at done: thread worker-"), "{answer:?}");
    assert_eq!(output.lines().count(), 1, "{output}");
    // It returned where a late step does not.
    let why = refuse(&mut player, "step n1 done..step");
    assert_eq!(
        why,
        "no thread of `n1` has come from `done` to `step`: no thread has come to `Points$Worker.step`"
    );
    let why = refuse(&mut player, "step n1 done..step");
    assert!(why.starts_with("no thread of `n1` is held at `done`"), "{why}");
    play(&mut player, &["tick n1"]);
}

#[test]
fn every_thread_that_comes_is_held_where_a_point_always_holds() {
    let mut player = play_points(STEP);
    let (answer, output) = play(&mut player, &["hold n1 step always", "start n1", "tick n1"]);
    assert_eq!(answer.len(), 2, "{answer:?}");
    assert_eq!(output, "");
    let (_, output) = play(&mut player, &["release n1 step"]);
    assert_eq!(output.lines().count(), 2, "{output}");
    let (answer, output) = play(&mut player, &["tick n1"]);
    assert_eq!((answer.len(), output.as_str()), (2, ""), "{answer:?}");
    player.check_points().unwrap();
}

#[test]
fn conditions_choose_among_those_that_come() {
    let points = "[[point]]\nname = \"late\"\nclass = \"Points$Worker\"\nmethod = \"step\"\nthread = \"worker*\"\n\
        when = { arg1 = [3, 4], \"arg2.text\" = \"note 3\", \"this.note.loud()\" = \"NOTE 2!\", \"this.phase\" = \"FIRST\" }\n\
        [observe.done]\njava = \"this.done\"\npoint = \"late\"\n\
        [observe.loud]\njava = \"arg2.loud()\"\npoint = \"late\"\n\
        [observe.last]\njava = \"arg2.numbers[2]\"\npoint = \"late\"\n\
        [observe.total]\njava = \"total\"\nclass = \"Points$Worker\"\n\
        [observe.phase]\njava = \"this.phase\"\nthread = \"worker-1\"\n\
        [observe.note]\njava = \"this.note\"\nthread = \"worker-1\"\n\
        [observe.called]\njava = \"this.note.loud()\"\nthread = \"worker-1\"\n\
        [observe.nothing]\njava = \"this.nothing\"\nthread = \"worker-1\"\n";
    let mut player = play_points(points);
    play(&mut player, &["hold n1 late", "start n1", "tick n1 2"]);
    let see = |player: &mut Player, name: &str| play(player, &[&format!("observe {name} n1")]).0.join("\n");
    assert_eq!(see(&mut player, "total"), "4");
    assert_eq!(see(&mut player, "phase"), "FIRST");
    assert_eq!(see(&mut player, "note"), "Points$Note");
    let why = refuse(&mut player, "observe called n1");
    assert!(why.contains("needs a thread of the node that is held at a point"), "{why}");
    let why = refuse(&mut player, "observe nothing n1");
    assert!(why.contains("`Points$Worker` has no field `nothing`; it has"), "{why}");
    assert!(refuse(&mut player, "observe done n1").contains("no thread is held at `late`"));

    let (answer, output) = play(&mut player, &["tick n1"]);
    assert!(answer[0].starts_with("n1 held at late: thread worker-"), "{answer:?}");
    assert_eq!(output.lines().count(), 1, "the other one goes on: {output}");
    assert_eq!(see(&mut player, "done"), "2");
    assert_eq!(see(&mut player, "loud"), "NOTE 3!");
    assert_eq!(see(&mut player, "last"), "9");
    // A thread that is held makes calls for others, too.
    assert!(see(&mut player, "called").starts_with("NOTE "));
}

#[test]
fn a_line_and_a_class_that_comes_later_are_points_and_a_node_can_end_there() {
    let lines = std::fs::read_to_string(test_kit::guests().join("Points.java")).unwrap();
    let total = lines.lines().position(|line| line.trim() == "total++;").unwrap() + 1;
    let points = format!(
        "[[point]]\nname = \"total\"\nclass = \"Points$Worker\"\nmethod = \"step\"\nat = {total}\n\
         [[point]]\nname = \"last\"\nclass = \"Points$Last\"\nmethod = \"say\"\narguments = [\"java.lang.String\"]\n\
         when = {{ arg1 = \"worker-1\" }}\n\
         [observe.total]\njava = \"total\"\nclass = \"Points$Worker\"\n\
         [observe.done]\njava = \"this.done\"\npoint = \"total\"\n"
    );
    let mut player = play_points(&points);
    play(&mut player, &["start n1", "hold n1 total", "kill n1 last", "tick n1"]);
    // The other one has counted; this one has not yet, and has set the field before.
    assert_eq!(play(&mut player, &["observe total n1"]).0, ["1"]);
    assert_eq!(play(&mut player, &["observe done n1"]).0, ["1"]);
    let (_, output) = play(&mut player, &["release n1", "tick n1 4"]);
    assert!(!output.contains("is last") || output.contains("worker-2 is last"), "{output}");
    let (answer, _) = play(&mut player, &["nodes"]);
    assert!(answer[0].starts_with("n1 crashed"), "{answer:?}");
    player.check_points().unwrap();
}

#[test]
fn what_a_program_does_not_have_is_named() {
    let point = |rest: &str| format!("[[point]]\nname = \"p\"\n{rest}\n");
    let refused = |rest: &str, event: &str| {
        let mut player = play_points(&point(rest));
        play(&mut player, &["hold n1 p"]);
        let line = parse("start n1").unwrap().unwrap();
        let (_, started) = player.play(&line, "start n1");
        let error = match (started, event) {
            (Err(error), _) => error.to_string(),
            (Ok(()), event) => refuse(&mut player, event),
        };
        // The point is given up, and the program goes on.
        play(&mut player, &["tick n1"]);
        error
    };
    let why = refused("class = \"Points$Worker\"\nmethod = \"stepp\"", "");
    assert!(why.contains("declares no method `stepp`; did you mean `step`?"), "{why}");
    let why = refused("class = \"Points$Worker\"\nmethod = \"step\"\nat = 3", "");
    assert!(why.contains("`Points$Worker.step` has no code in line 3"), "{why}");
    let why = refused("class = \"Points$Worker\"\nmethod = \"step\"\narguments = [\"int\"]", "");
    assert!(why.contains("`Points$Worker.step` takes (int, Points$Note)"), "{why}");
    let why = refused("class = \"java.lang.Thread\"\nmethod = \"currentThread\"", "");
    assert!(why.contains("native or abstract"), "{why}");
    let why = refused("class = \"Points$Nobody\"\nmethod = \"x\"", "release n1 p");
    assert_eq!(why, "no thread of `n1` is held at `p`: the class `Points$Nobody` was not loaded");
    let why = refused("class = \"Points$Worker\"\nmethod = \"step\"\nwhen = { \"this.x\" = 1 }", "tick n1");
    assert!(why.contains("`Points$Worker` has no field `x`"), "{why}");
}

#[test]
fn a_class_that_is_never_loaded_is_told_at_the_end() {
    let mut player = play_points("[[point]]\nname = \"p\"\nclass = \"Nobody\"\nmethod = \"x\"\n");
    play(&mut player, &["hold n1 p", "start n1"]);
    let n1 = player.stage.node_named("n1").unwrap();
    tick_to_end(&mut player.stage, n1);
    assert!(matches!(player.stage.state(n1), NodeState::Ended(_)));
    let error = player.check_points().unwrap_err();
    assert!(matches!(&error, PlayError::Stage(Trouble::NobodyAt { .. })), "{error}");
    assert!(error.to_string().contains("the class `Nobody` was not loaded"), "{error}");
}

#[test]
fn a_program_without_the_interface_and_one_that_refuses_it_end_clearly() {
    let mut player = open("command = [\"sleep\", \"100\"]", STEP);
    let why = refuse(&mut player, "start n1");
    assert!(why.contains("`n1` has no debugger's interface"), "{why}");
    // A machine takes the interface once, and refuses the second.
    let more = "\"-agentlib:nothing\"";
    let mut player = open(&format!("command = [\"java\", {more}, \"Points\"]"), STEP);
    let why = refuse(&mut player, "start n1");
    assert!(why.contains("has ended before its program began") && why.contains("nothing"), "{why}");
}

#[test]
fn a_node_that_is_crashed_at_a_point_starts_again_and_is_held_again() {
    let mut player = play_points(STEP);
    play(&mut player, &["hold n1 step", "start n1", "tick n1", "crash n1", "hold n1 step", "start n1"]);
    let (answer, _) = play(&mut player, &["tick n1"]);
    assert!(answer[0].starts_with("n1 held at step"), "{answer:?}");
    play(&mut player, &["release n1"]);
}

#[test]
fn the_same_script_gives_the_same_record_with_points() {
    let run = || {
        let mut player = play_points(STEP);
        let lines = ["hold n1 step", "start n1", "tick n1", "step n1 step..done", "release n1", "tick n1 2"];
        let mut records = String::new();
        for line in lines {
            let (record, result) = player.play(&parse(line).unwrap().unwrap(), line);
            result.unwrap();
            records.push_str(&serde_json::to_string(&record).unwrap());
        }
        records
    };
    let first = run();
    for _ in 0..2 {
        assert_eq!(run(), first);
    }
}

#[test]
fn a_call_of_a_thread_is_a_point_of_any_program() {
    let points = "[[point]]\nname = \"one\"\ncall = \"write\"\nthread = \"writer-1\"\n\
        [[point]]\nname = \"two\"\ncall = \"write\"\nfile = \"writer-2\"\nthread = \"writer*\"\n\
        [[point]]\nname = \"synced\"\ncall = \"fsync\"\nthread = \"writer-2\"\nafter = true\n";
    let mut player = open(&format!("command = [\"{}\"]", c("two")), points);
    let (mut answer, output) = play(&mut player, &["start n1", "hold n1 one", "hold n1 two", "tick n1"]);
    // They have no turns, and nothing says which was started first.
    answer.sort();
    assert_eq!(
        answer,
        [
            "n1 held at one: thread writer-1, before the write to writer-1",
            "n1 held at two: thread writer-2, before the write to writer-2"
        ]
    );
    assert_eq!(output, "");
    // One of them goes on, and the other stays.
    let (_, output) = play(&mut player, &["release n1 one"]);
    assert_eq!(output, "writer-1\n");
    let (answer, output) = play(&mut player, &["step n1 two..synced"]);
    assert_eq!(answer, ["n1 held at synced: thread writer-2, after the sync of writer-2"]);
    assert_eq!(output, "");
    let (answer, _) = play(&mut player, &["nodes"]);
    assert!(answer[0].ends_with("writer-2 held at synced"), "{answer:?}");
    let why = refuse(&mut player, "step n1 synced..two");
    assert_eq!(why, "no thread of `n1` has come from `synced` to `two`: no thread has made this call");
    let (_, output) = play(&mut player, &["tick n1"]);
    assert_eq!(output.lines().count(), 2, "nothing is held any more: {output}");
}

#[track_caller]
fn refuse_system(more: &str, expected: &str) {
    let text =
        format!("[start]\ncommand = [\"x\"]\n[[node]]\nname = \"n1\"\naddress = \"127.0.0.1:1\"\n{more}\n");
    let error = System::parse(&text, &std::env::temp_dir()).err().expect("it is refused");
    assert!(error.message.contains(expected), "{}", error.message);
    assert!(error.place.is_some(), "it has a place");
}

#[test]
fn points_that_cannot_be_are_refused_before_anything_starts() {
    let point = |rest: &str| format!("[[point]]\nname = \"p\"\n{rest}");
    refuse_system("[[point]]\nname = \"write\"\ncall = \"write\"", "is a word of its own");
    refuse_system("[[point]]\nname = \"a b\"\ncall = \"write\"", "made of letters");
    refuse_system(&point(""), "either `call`, or `class` and `method`");
    refuse_system(&point("class = \"C\""), "needs `method`");
    refuse_system(&point("class = \"C\"\nmethod = \"m\"\nat = \"middle\""), "\"entry\", \"exit\"");
    refuse_system(&point("class = \"C\"\nmethod = \"m\"\nafter = true"), "go with `call`");
    refuse_system(&point("call = \"write\"\nmethod = \"m\""), "go with `class`");
    refuse_system(&point("class = \"C\"\nmethod = \"m\"\nwhen = { \"this.\" = 1 }"), "is no path");
    refuse_system(&point("symbol = \"malloc\""), "native programs do not exist yet");
    let twice = point("call = \"write\"");
    refuse_system(&format!("{twice}\n{twice}"), "two points named `p`");
    refuse_system("[observe.o]\njava = \"this.x\"", "needs one of `point`, `thread` and `class`");
    refuse_system("[observe.o]\njava = \"this.x\"\npoint = \"p\"", "there is no point `p`");
    refuse_system("[observe.o]\nfile = \"x\"\nclass = \"C\"", "go with `java`");
}
