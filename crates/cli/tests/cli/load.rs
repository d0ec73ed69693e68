//! `check --load`: traces that were kept, by us and by TLC, run again; and TLC's JSON in both directions.
//!
//! The files in `tlc` are what TLC wrote with `-dumpTrace json` about the specifications of the suite of these names.

use std::path::Path;

use serde_json::Value;

use crate::sandbox::Sandbox;

/// A specification of the suite with its configuration, and TLC's trace of it.
fn sandbox(folder: &str, name: &str) -> Sandbox {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: std::path::PathBuf| std::fs::read(path).expect("the file is there");
    let suite = root.join("../../suite").join(folder);
    Sandbox::new()
        .file("Spec.cfg", read(suite.join(format!("{name}.cfg"))))
        .file(&format!("{name}.tla"), read(suite.join(format!("{name}.tla"))))
        .file("tlc.json", read(root.join("tests/cli/tlc").join(format!("{name}.json"))))
}

fn parcels() -> Sandbox {
    sandbox("violations", "Parcels")
}

/// Parcels after somebody changed it.
fn changed(from: &str, to: &str) -> Sandbox {
    let sandbox = parcels();
    let text = sandbox.read("Parcels.tla");
    assert!(text.contains(from), "{from}");
    let text = text.replace(from, to);
    sandbox.file("Parcels.tla", text)
}

#[test]
fn what_tlc_wrote_is_run_again() {
    parcels().run("check Parcels.tla -c Spec.cfg --load tlc.json").check("load-tlc");
}

#[test]
fn what_tlc_wrote_of_every_kind_of_violation_is_run_again() {
    let cases = [
        ("liveness", "LoopAvoidsGoal", 13, "in state 3: temporal property `GetsOut` is violated"),
        ("liveness", "StutteringForEver", 13, "in state 4: temporal property `Arrives` is violated"),
        ("violations", "DeadlockAtDepth", 11, "in state 4: deadlock"),
        ("violations", "StepForbidden", 13, "in state 5: action property `OnlyUp` is violated"),
    ];
    for (folder, name, code, words) in cases {
        let sandbox = sandbox(folder, name);
        let run = sandbox.run(&format!("check {name}.tla -c Spec.cfg --load tlc.json"));
        assert_eq!(run.code(), Some(code), "{name}: {}", run.stdout());
        assert!(run.stdout().contains(words), "{name}: {}", run.stdout());
    }
}

#[test]
fn a_deadlock_in_a_trace_that_is_run_again_shows_why_no_action_is_possible() {
    let run =
        sandbox("violations", "DeadlockAtDepth").run("check DeadlockAtDepth.tla -c Spec.cfg --load tlc.json");
    run.says(11, &["is not possible: `", "is FALSE, DeadlockAtDepth.tla:"]);
}

#[test]
fn a_trace_goes_to_tlc_and_comes_back() {
    for (folder, name) in
        [("violations", "Parcels"), ("liveness", "LoopAvoidsGoal"), ("liveness", "StutteringForEver")]
    {
        let sandbox = sandbox(folder, name);
        let shown =
            sandbox.run(&format!("trace show tlc.json --spec {name}.tla -c Spec.cfg --format tlc-json"));
        let parse = |text: &str| -> Value { serde_json::from_str(text).expect("it is JSON") };
        let (theirs, ours) = (parse(&sandbox.read("tlc.json")), parse(shown.stdout()));
        assert_eq!(ours["vars"], theirs["vars"], "{name}");
        assert_eq!(ours["counterexample"]["state"], theirs["counterexample"]["state"], "{name}");
        let names = |json: &Value| -> Vec<(Value, Value, Value)> {
            let edges = json["counterexample"]["action"].as_array().expect("steps").iter();
            edges.map(|edge| (edge[0].clone(), edge[1]["name"].clone(), edge[2].clone())).collect()
        };
        assert_eq!(names(&ours), names(&theirs), "{name}");
    }
}

#[test]
fn our_own_traces_are_run_again_in_both_forms() {
    let sandbox = parcels();
    sandbox.run("check Parcels.tla -c Spec.cfg --trace ours.itf.json --trace-tlc ours.json");
    for file in ["ours.itf.json", "ours.json"] {
        let run = sandbox.run(&format!("check Parcels.tla -c Spec.cfg --load {file}"));
        assert_eq!(run.code(), Some(12), "{}", run.stdout());
    }
    let run = sandbox.run("check Parcels.tla -c Spec.cfg --load ours.itf.json");
    assert!(run.stdout().contains("Still wrong, in state 5: invariant `NeverBoth` is violated."));
    // TLC's form, read with the specification, is the same trace.
    let diff = sandbox.run("trace diff ours.itf.json ours.json --spec Parcels.tla -c Spec.cfg");
    assert_eq!(diff.stdout(), "the traces are the same\n");
}

#[test]
fn a_guard_that_was_added_is_what_keeps_a_trace_from_being_a_behaviour() {
    let sandbox = changed("Len(queue) < 2", "Len(queue) < 1");
    // SL0805
    sandbox.run("check Parcels.tla -c Spec.cfg --load tlc.json").check("load-guard");
    sandbox.run("check Parcels.tla -c Spec.cfg --load tlc.json --format json").check("load-guard-json");
    assert_eq!(sandbox.run("trace show tlc.json --spec Parcels.tla -c Spec.cfg").code(), Some(26));
}

#[test]
fn another_update_another_name_and_another_start_are_told() {
    let load = "check Parcels.tla -c Spec.cfg --load tlc.json";
    changed("holder' = n", "holder' = m").run(load).check("load-update");
    changed("Send(n, m)", "Post(n, m)").run(load).check("load-other-name");
    changed("/\\ holder = Nobody", "/\\ holder \\in Node").run(load).check("load-other-start");
}

#[test]
fn a_trace_that_violates_nothing_any_more() {
    let sandbox = changed("table[1])", "table[2])");
    let run = sandbox.run("check Parcels.tla -c Spec.cfg --load tlc.json");
    assert_eq!(run.code(), Some(0));
    assert!(run.stdout().ends_with("Nothing is wrong with it.\n"), "{}", run.stdout());
}

#[test]
fn a_cycle_that_does_not_close_or_is_not_fair() {
    let sandbox = sandbox("liveness", "LoopAvoidsGoal");
    let text = sandbox.read("LoopAvoidsGoal.tla");
    let open = sandbox.read("tlc.json").replace("[1,{\"x\":0}]]],\"state\"", "[2,{\"x\":1}]]],\"state\"");
    let sandbox = sandbox.file("open.json", open);
    sandbox.run("check LoopAvoidsGoal.tla -c Spec.cfg --load open.json").check("load-open-cycle");
    let fair = text.replace("WF_x(Next)", "WF_x(Next) /\\ SF_x(Exit)");
    let sandbox = sandbox.file("LoopAvoidsGoal.tla", fair);
    let run = sandbox.run("check LoopAvoidsGoal.tla -c Spec.cfg --load tlc.json");
    assert_eq!(run.code(), Some(26), "{}", run.stdout());
    assert!(run.stdout().contains("it is not fair"), "{}", run.stdout());
}

#[test]
fn variables_that_a_trace_does_not_have_may_be_anything() {
    let sandbox = parcels();
    let text = sandbox.read("tlc.json");
    let json: Value = serde_json::from_str(&text).expect("it is JSON");
    let mut less = json.clone();
    less["vars"] = serde_json::json!(["table", "queue"]);
    let sandbox = sandbox.file("less.json", less.to_string());
    let run = sandbox.run("check Parcels.tla -c Spec.cfg --load less.json");
    assert_eq!(run.code(), Some(12), "{}", run.stdout());
    assert!(run.stdout().starts_with("Note: the trace does not have `holder`, `sent`"), "{}", run.stdout());
    let mut none = json;
    none["vars"] = serde_json::json!(["nothing"]);
    let sandbox = sandbox.file("none.json", none.to_string());
    // SL0806
    sandbox.run("check Parcels.tla -c Spec.cfg --load none.json").check("load-foreign");
}

#[test]
fn tlcs_json_alone_does_not_say_what_its_values_are() {
    let sandbox = parcels();
    // SL0804
    sandbox.run("trace show tlc.json").check("trace-untyped");
    // Numbers are numbers.
    let sandbox = self::sandbox("liveness", "LoopAvoidsGoal");
    sandbox.run("trace show tlc.json --format tlc").check("trace-tlc-numbers");
}

#[test]
fn no_two_outputs_are_one_file() {
    let sandbox = parcels();
    // SL0807
    sandbox
        .run("check Parcels.tla -c Spec.cfg --trace out.json --trace-html ./out.json")
        .check("output-twice");
    sandbox.run("check Parcels.tla -c Spec.cfg --trace Parcels.tla").check("output-over-spec");
    let run = sandbox.run("trace html tlc.json --out tlc.json --spec Parcels.tla -c Spec.cfg");
    assert_eq!(run.code(), Some(1));
}

#[test]
fn two_traces_compared_for_programs() {
    let sandbox = parcels();
    let same = sandbox.run("trace diff tlc.json tlc.json --spec Parcels.tla -c Spec.cfg --format json");
    assert_eq!(same.code(), Some(0));
    sandbox.run("check Parcels.tla -c Spec.cfg --trace ours.itf.json");
    let cut =
        sandbox.read("ours.itf.json").replace("\"hop\":{\"#bigint\":\"1\"}", "\"hop\":{\"#bigint\":\"7\"}");
    let sandbox = sandbox.file("cut.itf.json", cut);
    sandbox.run("trace diff ours.itf.json cut.itf.json --format json").check("trace-diff-json");
}

/// Runs `specline` with arguments that may have blanks.
fn run_words(sandbox: &Sandbox, words: &[&str]) -> (Option<i32>, String, String) {
    let output = sandbox.command("").args(words).output().expect("the program starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn expressions_are_evaluated_in_every_state() {
    let sandbox = parcels();
    let expressions =
        ["n == Len(queue)", "holder' = holder", "ENABLED Next", "lvl == TLCGet(\"level\")", "Head(queue)"];
    let check = ["check", "Parcels.tla", "-c", "Spec.cfg", "--trace", "ours.itf.json"];
    let simulate =
        ["simulate", "Parcels.tla", "-c", "Spec.cfg", "--traces", "1000", "--trace", "walk.itf.json"];
    let again = ["check", "Parcels.tla", "-c", "Spec.cfg", "--load", "tlc.json", "--trace", "again.itf.json"];
    for (command, file) in [(&check[..], "ours"), (&simulate[..], "walk"), (&again[..], "again")] {
        let asked = expressions.iter().flat_map(|text| ["--trace-expr", text.trim_start()]);
        let extends =
            sandbox.read("Parcels.tla").replace("Naturals, Sequences\n", "Naturals, Sequences, TLC\n");
        std::fs::write(sandbox.path().join("Parcels.tla"), extends).expect("it is written");
        let words: Vec<&str> = command.iter().copied().chain(asked).collect();
        let (code, stdout, stderr) = run_words(&sandbox, &words);
        assert_eq!(code, Some(12), "{stdout}{stderr}");
        let trace: Value =
            serde_json::from_str(&sandbox.read(&format!("{file}.itf.json"))).expect("it is JSON");
        let names = "[\"n\",\"holder' = holder\",\"ENABLED Next\",\"lvl\",\"Head(queue)\"]";
        assert_eq!(trace["#meta"]["expressions"], names, "{file}");
        let states = trace["states"].as_array().expect("states");
        let number = |value: &Value| value["#bigint"].as_str().map(str::to_owned);
        let last = states.last().expect("a state");
        assert_eq!(number(&last["n"]).as_deref(), Some("2"), "{file}");
        assert_eq!(last["holder' = holder"], true, "{file}: after the last state comes itself");
        assert_eq!(states[0]["holder' = holder"], false, "{file}");
        assert_eq!(states[0]["ENABLED Next"], true, "{file}");
        let levels: Vec<String> = states.iter().filter_map(|state| number(&state["lvl"])).collect();
        let counted: Vec<String> = (1..=states.len()).map(|level| level.to_string()).collect();
        assert_eq!(levels, counted, "{file}");
        // What has no value says so, and the trace is whole.
        let why = states[0]["Head(queue)"]["#unserializable"].as_str().expect("it has no value");
        assert!(why.starts_with("no value: "), "{file}: {why}");
        assert_eq!(states[1]["Head(queue)"].as_str(), last["queue"][0].as_str(), "{file}");
    }
    // Expressions are no variables: the trace is run again without them.
    let run = sandbox.run("check Parcels.tla -c Spec.cfg --load ours.itf.json");
    assert!(run.code() == Some(12) && !run.stdout().contains("Note:"), "{}", run.stdout());
}

#[test]
fn expressions_of_a_trace_that_was_kept() {
    let sandbox = parcels();
    sandbox.run("check Parcels.tla -c Spec.cfg --trace ours.itf.json");
    sandbox
        .run("trace show ours.itf.json --spec Parcels.tla -c Spec.cfg --expr Len(queue)")
        .check("trace-expr");
    let page = sandbox.run("trace html ours.itf.json --spec Parcels.tla -c Spec.cfg --expr Len(queue)");
    assert_eq!(page.code(), Some(0));
    assert!(sandbox.read("ours.html").contains("\"expressions\":[\"Len(queue)\"]"));
    // SL0808
    sandbox.run("check Parcels.tla -c Spec.cfg --trace-expr queue").check("trace-expr-variable");
    let (code, _, stderr) =
        run_words(&sandbox, &["check", "Parcels.tla", "-c", "Spec.cfg", "--trace-expr", "queue \\o nothing"]);
    assert_eq!(code, Some(150), "{stderr}");
    assert!(stderr.contains("nothing"), "{stderr}");
}

/// The cases that end differently when they are run again, and why.
const NOT_AGAIN: &[(&str, &str)] = &[
    ("UndefinedPredicate", "TLC writes no trace of an error, and its form does not say that it is one"),
    ("Unassigned", "likewise"),
];

/// Every case of these folders with a trace: checked, its trace kept in both forms, and run again to the same exit code.
#[test]
fn every_trace_of_the_suite_is_run_again_to_the_same_end() {
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite");
    let kept = Sandbox::new();
    let mut n_traces = 0;
    for folder in ["violations", "liveness"] {
        let cases = std::fs::read_dir(suite.join(folder)).expect("the folder is there");
        for case in cases.map(|case| case.expect("it can be read").path()) {
            let name = case.file_stem().expect("it has a name").to_string_lossy().into_owned();
            let spec = case.with_extension("tla");
            if case.extension().is_none_or(|ending| ending != "cfg") || !spec.exists() {
                continue;
            }
            let model = format!("{} -c {}", spec.display(), case.display());
            let file = |ending: &str| format!("{folder}-{name}.{ending}");
            let (itf, tlc) = (file("itf.json"), file("json"));
            let code = kept.run(&format!("check {model} --trace {itf} --trace-tlc {tlc}")).code();
            if !kept.path().join(&itf).exists() {
                continue;
            }
            n_traces += 1;
            for file in [&itf, &tlc] {
                let again = kept.run(&format!("check {model} --load {file}"));
                let is_known = NOT_AGAIN.iter().any(|(known, _)| *known == name) && file == &tlc;
                assert_eq!(again.code() == code, !is_known, "{file}: {}{}", again.stdout(), again.stderr());
            }
        }
    }
    assert!(n_traces > 40, "{n_traces}");
}

#[test]
fn expressions_are_no_part_of_what_a_postcondition_sees() {
    let spec = "---- MODULE Post ----\nEXTENDS Integers, TLC, TLCExt\nVARIABLES x\nInit == x = 0\nNext == x' = x + 1\n\
        Inv == x < 2\nShown == [y |-> x]\n\
        Post == PrintT({DOMAIN s[2] : s \\in CounterExample.state})\n====\n";
    let config = "INIT Init\nNEXT Next\nINVARIANT Inv\n";
    let sandbox = Sandbox::new()
        .file("Post.tla", spec)
        .file("Post.cfg", format!("{config}POSTCONDITION Post\n"))
        .file("Alias.cfg", format!("{config}ALIAS Shown\n"));
    let (code, out, err) = run_words(&sandbox, &["check", "Post.tla", "--trace-expr", "double == x + x"]);
    assert_eq!(code, Some(12), "{out}{err}");
    assert!(out.contains("double: 0 -> 2"), "{out}");
    assert!(out.contains(r#"{{"x"}}"#), "{out}{err}");
    // SL0808
    let words = ["check", "Post.tla", "-c", "Alias.cfg", "--trace-expr", "y == x + x"];
    let (code, out, err) = run_words(&sandbox, &words);
    assert_eq!(code, Some(151), "{out}{err}");
    assert!(err.contains("cannot be called `y`: a field of the ALIAS is"), "{err}");
}

#[test]
fn what_was_drawn_is_drawn_again_with_the_same_seed() {
    let module = "---- MODULE Draw ----\nEXTENDS Naturals, TLC\nVARIABLE x\nInit == x = RandomElement(1..100000)\n\
                  Next == x' = x\nNone == x = 0\n====\n";
    let sandbox =
        Sandbox::new().file("Draw.tla", module).file("Draw.cfg", "INIT Init\nNEXT Next\nINVARIANT None\n");
    assert_eq!(sandbox.run("check Draw.tla --seed 7 --trace drawn.itf.json").code(), Some(12));
    let same = sandbox.run("check Draw.tla --seed 7 --load drawn.itf.json");
    assert_eq!(same.code(), Some(12), "{}{}", same.stdout(), same.stderr());
    let other = sandbox.run("check Draw.tla --seed 8 --load drawn.itf.json");
    assert_ne!(other.code(), Some(12), "{}", other.stdout());
}

#[test]
fn an_expression_does_not_hide_a_field_that_only_the_alias_knows() {
    let module = "---- MODULE Two ----\nEXTENDS Naturals, TLC\nVARIABLE x\nInit == x = 0\nNext == x' = x + 1\n\
                  Low == x < 1\nShown == [now |-> x] @@ [twice |-> 2 * x]\n====\n";
    let sandbox = Sandbox::new()
        .file("Two.tla", module)
        .file("Two.cfg", "INIT Init\nNEXT Next\nINVARIANT Low\nALIAS Shown\n");
    let run = sandbox.run("check Two.tla --trace-expr twice==x --trace-expr next==x+1 --trace two.itf.json");
    assert_eq!(run.code(), Some(12), "{}{}", run.stdout(), run.stderr());
    assert!(
        run.stdout().contains("`twice` is not shown: the ALIAS has a field that is called so"),
        "{}",
        run.stdout()
    );
    let trace: Value = serde_json::from_str(&sandbox.read("two.itf.json")).expect("it is JSON");
    let last = &trace["states"][1];
    assert_eq!((last["twice"]["#bigint"].as_str(), last["next"]["#bigint"].as_str()), (Some("2"), Some("2")));
}

/// Apalache writes `Variant("Sent", v)` as `{"tag": "Sent", "value": v}`, which is not the value that its module defines.
#[test]
fn variants_in_a_trace_of_apalache_are_those_of_its_module() {
    let spec = "---- MODULE Post ----\nEXTENDS Integers, Variants\nVARIABLES last, all\n\
                Init == last = Variant(\"None\", UNIT) /\\ all = {}\n\
                Next == /\\ last' = Variant(\"Sent\", [to |-> 1, tag |-> \"x\"])\n        /\\ all' = all \\union {last}\n====\n";
    let states = |to: u32| {
        let (none, sent) = (
            serde_json::json!({ "tag": "None", "value": "U_OF_UNIT" }),
            serde_json::json!({ "tag": "Sent", "value": { "to": to, "tag": "x" } }),
        );
        let first = serde_json::json!({ "#meta": { "index": 0 }, "last": none, "all": { "#set": [] } });
        let second = serde_json::json!({ "#meta": { "index": 1 }, "last": sent, "all": { "#set": [none] } });
        serde_json::json!({ "vars": ["last", "all"], "states": [first, second] }).to_string()
    };
    let sandbox = Sandbox::new().file("Post.tla", spec).file("good.itf.json", states(1));
    sandbox.run("check Post.tla --load good.itf.json --no-deadlock").says(0, &["is a behaviour"]);
    let sandbox = sandbox.file("bad.itf.json", states(2));
    sandbox.run("check Post.tla --load bad.itf.json --no-deadlock").says(26, &["last.Sent.to"]);
    // Without the module a record is what is written.
    let plain =
        "---- MODULE Plain ----\nVARIABLE last\nInit == last = [A |-> 1]\nNext == UNCHANGED last\n====\n";
    let trace = serde_json::json!({ "vars": ["last"], "states": [{ "last": { "tag": "A", "value": 1 } }] });
    let sandbox = sandbox.file("Plain.tla", plain).file("plain.itf.json", trace.to_string());
    sandbox.run("check Plain.tla --load plain.itf.json").says(26, &["state 1 is no initial state"]);
}
