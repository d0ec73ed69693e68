//! TLC's command line: the stream that editors read, TLC's plain text, TLC's exit codes, and what is refused.

use crate::sandbox::{Run, Sandbox};

const COUNTER: &str = r#"---- MODULE Counter ----
EXTENDS Naturals, Sequences
CONSTANT N
VARIABLES x, log
vars == <<x, log>>
Init == x = 0 /\ log = <<>>
Inc(i) == /\ x + i <= N
          /\ x' = x + i
          /\ log' = Append(log, i)
Reset == /\ x = N
         /\ IF Len(log) > 1
            THEN x' = 0 /\ log' = <<>>
            ELSE UNCHANGED vars
Never == x > N /\ x' = 0 /\ UNCHANGED log
Next == (\E i \in 1..2 : Inc(i)) \/ Reset \/ Never
Spec == Init /\ [][Next]_vars /\ WF_vars(Next)
TypeOK == x \in 0..N
Small == Len(log) < 3
Often == []<>(x = 1)
Done == <>(x = N)
====
"#;

const ONCE: &str = "---- MODULE Once ----
EXTENDS Naturals, TLC
VARIABLE x
Init == x \\in 0..1
Next == x < 2 /\\ x' = x + 1
Spec == Init /\\ [][Next]_x
Arrives == <>(x > 0)
None == x = 1 /\\ x = 2
====
";

const FAILS: &str = "---- MODULE Fails ----
EXTENDS Naturals, Sequences
VARIABLES x, s
Init == x = 0 /\\ s = <<1, 2>>
First(q) == Head(q) + 1
Step == /\\ x' = First(s)
        /\\ s' = Tail(s)
Next == Step
====
";

fn counter(config: &str) -> Sandbox {
    let config = format!("CONSTANT N = 3\nSPECIFICATION Spec\n{config}");
    Sandbox::new().file("Counter.tla", COUNTER).file("Counter.cfg", config)
}

fn once(config: &str) -> Sandbox {
    Sandbox::new().file("Once.tla", ONCE).file("Once.cfg", config)
}

/// Takes out times, rates, the machine and the folder.
fn masked(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let line = match line.find("Parsing file /") {
            Some(at) => {
                format!("{}Parsing file …/{}", &line[..at], line.rsplit('/').next().unwrap_or_default())
            }
            None => line.to_owned(),
        };
        match line.strip_prefix("Running ").and_then(|rest| rest.split_once(" cores with ")) {
            Some((first, _)) => {
                let first = first.rsplit_once(" on ").map_or(first, |(before, _)| before);
                format!("Running {first} on … cores with … [pid: …] (…).")
            }
            None => without_times(&line),
        }
    });
    lines.map(|line| line + "\n").collect()
}

fn without_times(line: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for word in line.split(' ') {
        let bare = word.trim_matches(|c: char| !c.is_ascii_digit());
        let digits = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit() || c == ',');
        let is_date = bare.len() == 10 && bare.split('-').count() == 3 && bare.split('-').all(digits);
        let is_time = bare.len() == 8 && bare.split(':').count() == 3 && bare.split(':').all(digits);
        let is_rate = word.starts_with('(') && digits(bare) && line.starts_with("Progress(");
        let is_span = line.starts_with("Finished in") && word.ends_with("ms");
        let is_masked = is_date || is_time || is_rate || is_span;
        words.push(if is_masked { word.replace(bare, "…") } else { word.to_owned() });
    }
    words.join(" ")
}

#[track_caller]
pub fn golden(run: &Run, name: &str) {
    run.check_masked(name, masked);
}

/// The text of the messages with this number.
fn messages(run: &Run, code: u32) -> Vec<String> {
    let (start, end) = (format!("@!@!@STARTMSG {code}:"), format!("@!@!@ENDMSG {code} @!@!@"));
    let frames = run.stdout().split(&start).skip(1);
    let text = |frame: &str| frame.split_once('\n').map_or("", |(_, rest)| rest).to_owned();
    frames.map(|frame| text(frame.split(&end).next().unwrap_or_default())).collect()
}

#[test]
fn a_tool_reads_a_success_with_its_coverage() {
    let run = counter("INVARIANT TypeOK\nPROPERTY Done\n")
        .run("tlc -tool -modelcheck -fp 7 -coverage 1 Counter.tla");
    golden(&run, "tlc-tool-success");
}

#[test]
fn a_tool_reads_a_violated_invariant() {
    golden(&counter("INVARIANT TypeOK Small\n").run("tlc -tool -seed 1 Counter"), "tlc-tool-invariant");
}

#[test]
fn a_tool_reads_a_deadlock() {
    golden(&once("INIT Init\nNEXT Next\n").run("tlc -tool Once.tla"), "tlc-tool-deadlock");
}

#[test]
fn a_tool_reads_a_lasso_and_where_it_leads_back_to() {
    golden(&counter("PROPERTY Often\n").run("tlc -tool Counter.tla"), "tlc-tool-lasso");
}

#[test]
fn a_tool_reads_that_nothing_happens_any_more() {
    let sandbox = once("SPECIFICATION Spec\nPROPERTY Arrives\nCHECK_DEADLOCK FALSE\n");
    golden(&sandbox.run("tlc -tool Once.tla"), "tlc-tool-stuttering");
}

#[test]
fn a_tool_reads_what_has_no_value_and_where() {
    let sandbox = Sandbox::new().file("Fails.tla", FAILS).file("Fails.cfg", "INIT Init\nNEXT Next\n");
    golden(&sandbox.run("tlc -tool Fails.tla"), "tlc-tool-evaluation");
}

#[test]
fn a_tool_reads_what_cannot_be_parsed() {
    let module = "---- MODULE Bad ----\nVARIABLE x\nInit == x = 0\nNext == x' = = x\n====\n";
    let sandbox = Sandbox::new().file("Bad.tla", module).file("Bad.cfg", "INIT Init\nNEXT Next\n");
    golden(&sandbox.run("tlc -tool Bad.tla"), "tlc-tool-syntax");
}

#[test]
fn a_tool_reads_names_that_are_not_defined() {
    let module =
        "---- MODULE Bad ----\nVARIABLE x\nInit == x = y\nOne(a) == a\nNext == x' = One(1, 2)\n====\n";
    let sandbox = Sandbox::new().file("Bad.tla", module).file("Bad.cfg", "INIT Init\nNEXT Next\n");
    golden(&sandbox.run("tlc -tool Bad.tla"), "tlc-tool-names");
}

#[test]
fn people_read_what_tlc_prints() {
    golden(&counter("INVARIANT Small\n").run("tlc Counter.tla"), "tlc-plain-invariant");
    golden(&counter("PROPERTY Often\n").run("tlc -difftrace -workers 2 Counter.tla"), "tlc-plain-lasso");
}

#[test]
fn only_what_changed_is_shown_between_the_first_state_and_the_last() {
    let run = counter("INVARIANT Small\n").run("tlc -tool -difftrace Counter.tla");
    let states = messages(&run, 2217);
    let only_first = |state: &str| state.contains("x = ") && state.contains("log = ");
    assert_eq!(states.len(), 4);
    assert!(only_first(&states[0]) && only_first(&states[3]), "{states:?}");
    let reset = counter("INVARIANT Small\n").run("tlc -tool -difftrace -inv x<3\\/Len(log)<2 Counter.tla");
    assert_eq!(reset.code(), Some(12), "{}", reset.stdout());
}

#[test]
fn walks_are_told_as_tlc_tells_them() {
    let sandbox = counter("INVARIANT Small\n");
    golden(&sandbox.run("tlc -simulate num=20 -depth 10 -seed 3 Counter.tla"), "tlc-plain-simulate");
    let run = sandbox.run("tlc -tool -simulate num=20 -seed 3 Counter.tla");
    assert_eq!(run.code(), Some(12), "{}", run.stdout());
    let ended = messages(&run, 2210).concat();
    let aril = ended.split("aril ").nth(1).map(str::trim).unwrap_or_default();
    let again = sandbox.run(&format!("tlc -tool -simulate num=1 -seed 3 -aril {aril} Counter.tla"));
    assert_eq!(messages(&run, 2217), messages(&again, 2217), "the walk of this number is made again");
}

#[test]
fn a_walk_is_written_to_a_file() {
    let sandbox = counter("INVARIANT TypeOK\n");
    let run = sandbox.run("tlc -simulate num=2,file=walk -depth 3 -seed 1 Counter.tla");
    assert_eq!(run.code(), Some(0), "{}", run.stdout());
    let walk = sandbox.read("walk_0_1");
    assert!(
        walk.contains("\\* <Init line 6, col 9 to line 6, col 27 of module Counter>\nSTATE_1 == \n"),
        "{walk}"
    );
    assert!(walk.contains("STATE_4 == "), "{walk}");
}

/// Where the other commands leave TLC, this one does not.
#[test]
fn endings_are_those_of_tlc() {
    let check = |config: &str, args: &str, code: i32| {
        let run = once(config).run(&format!("tlc -tool {args} Once.tla"));
        assert_eq!(run.code(), Some(code), "{args}: {}{}", run.stdout(), run.stderr());
        run
    };
    check("INIT Init\nNEXT Next\n", "", 11);
    check("INIT Init\nNEXT Next\n", "-deadlock", 0);
    let none = check("INIT None\nNEXT Next\n", "", 0);
    assert!(
        messages(&none, 2190).concat().starts_with("Finished computing initial states: 0 distinct states")
    );
    let on = check("INIT Init\nNEXT Next\nINVARIANT Arrives\n", "", 151);
    assert_eq!(messages(&on, 2199).len(), 0);
    check("INIT Init\nNEXT Nxt\n", "", 151);
    check("INIT Init, Next\n", "", 255);
    let live = "SPECIFICATION Spec\nPROPERTY Arrives\nCHECK_DEADLOCK FALSE\n";
    check(live, "", 13);
    check(live, "-lncheck final", 13);
    check(live, "-lncheck off", 0);
    check("INIT Init\nNEXT Next\nCHECK_DEADLOCK FALSE\n", "-invlevel 2", 12);
    let unknown = check("INIT Init\nNEXT Next\n", "-inv y>1", 150);
    assert!(messages(&unknown, 1000).concat().contains("`y`"), "{}", unknown.stdout());
}

/// With `-continue` the search goes on after an initial state that violates something, and sums up; an initial state that is
/// not complete ends it before there is anything to sum up.
#[test]
fn initial_states_are_summed_up_as_in_tlc() {
    let on = once("INIT Init\nNEXT Next\nCHECK_DEADLOCK FALSE\n").run("tlc -continue -inv x>1 Once.tla");
    assert_eq!(on.code(), Some(0), "{}", on.stdout());
    assert!(on.stdout().contains("4 states generated, 3 distinct states found"), "{}", on.stdout());
    let module = "---- MODULE Half ----\nVARIABLES x, y\nInit == x = 0\nNext == UNCHANGED <<x, y>>\n====\n";
    let sandbox = Sandbox::new().file("Half.tla", module).file("Half.cfg", "INIT Init\nNEXT Next\n");
    let run = sandbox.run("tlc Half.tla");
    assert_eq!(run.code(), Some(255), "{}", run.stdout());
    assert!(!run.stdout().contains("states generated"), "{}", run.stdout());
}

/// Membership of what is no number: in an interval it is a failed evaluation, in `Nat` an error of TLC's own operator.
#[test]
fn membership_that_cannot_be_decided_ends_as_in_tlc() {
    let check = |set: &str, code: i32, words: &str| {
        let module = format!(
            "---- MODULE Member ----\nEXTENDS Naturals\nVARIABLE x\nInit == x = TRUE\nNext == x' = ({{}} \\in {set})\n====\n"
        );
        let sandbox = Sandbox::new().file("Member.tla", module).file("Member.cfg", "INIT Init\nNEXT Next\n");
        let run = sandbox.run("tlc Member.tla");
        assert_eq!(run.code(), Some(code), "{}", run.stdout());
        assert!(run.stdout().contains(words), "{}", run.stdout());
    };
    check("1..4", 75, "is in the integer interval 1..4");
    check("Nat", 255, "is an element of Nat.");
}

#[test]
fn a_search_that_goes_on_after_violations_is_a_success() {
    let sandbox = once("INIT Init\nNEXT Next\nCHECK_DEADLOCK FALSE\n");
    let run = sandbox.run("tlc -tool -continue -inv x<2 Once.tla");
    assert_eq!(run.code(), Some(0), "{}", run.stdout());
    assert_eq!(messages(&run, 2110).len(), 1);
    assert_eq!(messages(&run, 2193).len(), 1);
}

#[test]
fn what_a_specification_prints_goes_to_the_file_of_the_user() {
    let module = "---- MODULE Says ----\nEXTENDS TLC\nVARIABLE x\nInit == x = 0 /\\ PrintT(\"here\")\nNext == UNCHANGED x\n====\n";
    let sandbox = Sandbox::new().file("Says.tla", module).file("Says.cfg", "INIT Init\nNEXT Next\n");
    let run = sandbox.run("tlc -userFile said.txt Says.tla");
    assert_eq!(run.code(), Some(0), "{}", run.stdout());
    assert!(!run.stdout().contains("here"));
    assert_eq!(sandbox.read("said.txt"), "\"here\"\n");
    assert!(sandbox.run("tlc Says.tla").stdout().contains("\n\"here\"\n"));
}

#[test]
fn a_command_line_of_java_is_taken() {
    let sandbox = once("INIT Init\nNEXT Next\n");
    let java =
        "-XX:+UseParallelGC -cp tla2tools.jar -DTLA-Library=/nowhere:lib -Dtlc2.TLC.ide=vscode tlc2.TLC";
    let run = sandbox.run(&format!("tlc {java} Once.tla -tool -modelcheck -config Once.cfg"));
    assert_eq!(run.code(), Some(11), "{}", run.stdout());
    assert_eq!(run.stderr(), "");
    let run = sandbox.run("tlc -Dtlc2.tool.queue.IStateQueue=StateDeque -deadlock Once.tla");
    assert_eq!(run.code(), Some(0), "{}", run.stdout());
}

#[test]
fn an_option_without_meaning_is_told_or_refused() {
    let sandbox = once("INIT Init\nNEXT Next\n");
    let ignored = sandbox.run("tlc -fpmem 0.5 -gzip -deadlock Once.tla");
    assert_eq!(ignored.code(), Some(0), "{}", ignored.stdout());
    assert_eq!(ignored.stderr().lines().count(), 2, "{}", ignored.stderr());
    for refused in ["-debugger", "-simulate stats=all", "-simulate sched=fair"] {
        let run = sandbox.run(&format!("tlc {refused} Once.tla"));
        assert_eq!(run.code(), Some(1), "{refused}: {}", run.stdout());
        let option = refused.split(' ').next().unwrap_or_default();
        assert!(run.stderr().starts_with(&format!("specline tlc: {option}")), "{}", run.stderr());
    }
    golden(&sandbox.run("tlc -frobnicate Once.tla"), "tlc-unknown-option");
    golden(&sandbox.run("tlc -help"), "tlc-help");
    assert_eq!(sandbox.run("tlc --help").stdout(), sandbox.run("tlc -help").stdout());
    assert_eq!(sandbox.run("tlc").code(), Some(1));
    assert_eq!(sandbox.run("tlc -workers none Once").code(), Some(1));
}

#[test]
fn nothing_is_left_behind() {
    let sandbox = once("INIT Init\nNEXT Next\n");
    sandbox.run("tlc Once.tla");
    sandbox.run("tlc -metadir meta Once.tla");
    let names = std::fs::read_dir(sandbox.path()).expect("the folder can be read");
    let mut names: Vec<_> =
        names.map(|entry| entry.expect("an entry can be read").file_name().into_string()).collect();
    names.sort();
    assert_eq!(names, [Ok("Once.cfg".to_owned()), Ok("Once.tla".to_owned())]);
}

#[test]
fn a_search_goes_on_from_its_checkpoint() {
    let sandbox = counter("INVARIANT TypeOK\n");
    let run = sandbox.run("tlc -tool -checkpoint 1 -metadir meta Counter.tla");
    assert_eq!(run.code(), Some(0), "{}", run.stdout());
    let refused = sandbox.run("tlc -recover nowhere Counter.tla");
    assert_eq!(refused.code(), Some(255), "{}", refused.stdout());
}

#[test]
fn a_counterexample_is_written_as_json_and_run_again() {
    let sandbox = counter("INVARIANT Small\n");
    let run = sandbox.run("tlc -tool -dumpTrace json found.json Counter.tla");
    assert_eq!(run.code(), Some(12), "{}", run.stdout());
    assert!(run.stdout().contains("\n\"CounterExample written: found.json\"\n"), "{}", run.stdout());
    assert!(sandbox.read("found.json").contains("\"counterexample\""));
    let again = sandbox.run("tlc -tool -loadTrace json found.json Counter.tla");
    assert_eq!(again.code(), Some(12), "{}", again.stdout());
    assert_eq!(messages(&run, 2217), messages(&again, 2217));
    let other = counter("INVARIANT TypeOK\n").file("found.json", sandbox.read("found.json"));
    assert_eq!(other.run("tlc -loadTrace json found.json Counter.tla").code(), Some(0));
    let wrong = sandbox.read("found.json").replace("\"x\":2", "\"x\":3");
    let wrong = counter("INVARIANT Small\n")
        .file("wrong.json", wrong)
        .run("tlc -loadTrace json wrong.json Counter.tla");
    assert_eq!(wrong.code(), Some(255), "{}", wrong.stdout());
    assert!(wrong.stdout().contains("state 3 is no successor of the one before"), "{}", wrong.stdout());
}

#[test]
fn all_states_are_written_in_the_forms_of_tlc() {
    let sandbox = once("INIT Init\nNEXT Next\nCHECK_DEADLOCK FALSE\n");
    assert_eq!(sandbox.run("tlc -dump all Once.tla").code(), Some(0));
    assert_eq!(sandbox.read("all.dump"), "State 1:\nx = 0\n\nState 2:\nx = 1\n\nState 3:\nx = 2\n\n");
    assert_eq!(sandbox.run("tlc -dump dot,actionlabels all Once.tla").code(), Some(0));
    let dot = sandbox.read("all.dot");
    assert!(dot.contains("\n1 [label=\"x = 0\",style = filled]\n"), "{dot}");
    assert!(dot.contains("\n2 -> 3 [label=\"Next\",color"), "{dot}");
    assert!(dot.contains("\n{rank = same; 1;2;}\n{rank = same; 3;}\n"), "{dot}");
    assert_eq!(sandbox.run("tlc -dump class,a.B x Once.tla").code(), Some(1));
}

#[test]
fn a_run_goes_on_where_there_can_be_no_dump() {
    let module = "---- MODULE Drawn ----\nEXTENDS Naturals, TLC\nVARIABLE x\nInit == x = 0\n\
                  Next == x < 3 /\\ x' = x + RandomElement({1})\n====\n";
    let drawn = Sandbox::new().file("Drawn.tla", module).file("Drawn.cfg", "INIT Init\nNEXT Next\n");
    let once = once("INIT Init\nNEXT Next\n");
    for (sandbox, options, name) in [
        (&drawn, "-dump dot out", "Drawn"),
        (&drawn, "-dfid 9 -dump out", "Drawn"),
        (&once, "-Dtlc2.tool.queue.IStateQueue=StateDeque -dump dot,colorize out", "Once"),
        (&once, "-simulate num=1 -dump out", "Once"),
    ] {
        let run = sandbox.run(&format!("tlc -deadlock {options} {name}"));
        assert_eq!(run.code(), Some(0), "{options}: {}{}", run.stdout(), run.stderr());
        assert!(
            run.stderr().starts_with("specline tlc: `-dump` has no effect: "),
            "{options}: {}",
            run.stderr()
        );
        assert!(!sandbox.path().join("out.dump").exists() && !sandbox.path().join("out.dot").exists());
    }
    let run = once.run("tlc -deadlock -dump dot,rainbow out Once");
    assert_eq!(
        (run.code(), run.stderr().contains("`-dump dot,rainbow`")),
        (Some(0), true),
        "{}",
        run.stderr()
    );
    assert!(once.path().join("out.dot").exists());
}

#[test]
fn what_finitely_many_steps_violate_ends_as_an_invariant_does() {
    let module = "---- MODULE Stays ----\nEXTENDS Naturals\nVARIABLE x\nInit == x = 0\nNext == x < 3 /\\ x' = x + 1\n\
                  Spec == Init /\\ [][Next]_x\nFair == Spec /\\ WF_x(Next)\nP == [](x = 1 => [](x # 3))\n\
                  Ends == <>(x = 4)\n====\n";
    let run = |spec: &str, property: &str| {
        let config = format!("SPECIFICATION {spec}\nPROPERTY {property}\nCHECK_DEADLOCK FALSE\n");
        Sandbox::new().file("Stays.tla", module).file("Stays.cfg", config).run("tlc Stays")
    };
    // As TLC: nothing is said of how it goes on, unless there is fairness.
    let prefix = run("Spec", "P");
    prefix.says(12, &["Temporal property P was violated.", "State 4:"]);
    assert!(!prefix.stdout().contains("Stuttering"), "{}", prefix.stdout());
    run("Fair", "P").says(13, &["Temporal property P was violated.", "State 5: Stuttering"]);
    run("Fair", "Ends").says(13, &["State 5: Stuttering"]);
}
