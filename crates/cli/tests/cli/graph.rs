//! State graphs: which states and steps are in them, what is said where they are cut, and the picture in a real browser.

use std::path::Path;

use serde_json::{Value, json};
use test_kit::Browser;

use crate::sandbox::Sandbox;

/// Two ways up, a step that changes nothing, and texts that mean something to other tools.
const LADDER: &str = r#"---- MODULE Ladder ----
EXTENDS Naturals
VARIABLES x, s
Init == x \in {0, 1} /\ s = "a\"b\\n <&>"
Up(n) == x + n < 5 /\ x' = x + n /\ UNCHANGED s
Say == x = 4 /\ s' = "c" /\ UNCHANGED x
Stay == x = 3 /\ UNCHANGED <<x, s>>
Next == (\E n \in {1, 2}: Up(n)) \/ Say \/ Stay
Quiet == s # "c"
Low == x < 4
Slow == [][x' <= x + 1]_x
====
"#;
const CONFIG: &str = "INIT Init\nNEXT Next\nCHECK_DEADLOCK FALSE\n";

fn ladder(more: &str) -> Sandbox {
    Sandbox::new().file("Ladder.tla", LADDER).file("Ladder.cfg", format!("{CONFIG}{more}")).folder("profile")
}

fn read(sandbox: &Sandbox, name: &str) -> String {
    std::fs::read_to_string(sandbox.path().join(name)).expect("the file was written")
}

fn dumped(sandbox: &Sandbox, args: &str) -> (Value, String) {
    let run = sandbox.run(&format!("check Ladder.tla --dump graph.json {args}"));
    (serde_json::from_str(&read(sandbox, "graph.json")).expect("it is JSON"), run.stderr().to_owned())
}

/// The states by their values of `x`, and the steps by these.
fn steps(graph: &Value) -> Vec<String> {
    let x_of = |id: &Value| {
        let states = graph["states"].as_array().expect("a list");
        let state = states.iter().find(|state| state["id"] == *id).expect("a step has both its states");
        state["values"][0]["value"].as_str().expect("a text").to_owned()
    };
    let steps = graph["steps"].as_array().expect("a list").iter();
    let text = |step: &Value| {
        let parameter = step["parameters"][0]["value"].as_str().unwrap_or("");
        let action = step["action"].as_str().expect("a name");
        format!("{} {action}{parameter} {}", x_of(&step["from"]), x_of(&step["to"]))
    };
    steps.map(text).collect()
}

fn len(graph: &Value, list: &str) -> usize {
    graph[list].as_array().expect("a list").len()
}

#[test]
fn it_has_every_state_and_every_step_whatever_the_workers() {
    let sandbox = ladder("");
    let (graph, stderr) = dumped(&sandbox, "-w 1");
    assert_eq!(
        steps(&graph),
        [
            "0 Up1 1", "0 Up2 2", "1 Up1 2", "1 Up2 3", "2 Up1 3", "2 Up2 4", "3 Up1 4", "3 Stay 3",
            "4 Say 4", "4 Say 4"
        ]
    );
    assert_eq!(
        (len(&graph, "states"), &graph["is_complete"], &graph["notes"]),
        (6, &json!(true), &json!([]))
    );
    assert_eq!(stderr, "");
    let initial = |state: &&Value| state["initial"] == true && state["level"] == 1;
    assert_eq!(graph["states"].as_array().expect("a list").iter().filter(initial).count(), 2);
    assert_eq!(dumped(&sandbox, "-w 4").0, graph);
    assert_eq!(dumped(&sandbox, "--engine compiled").0, graph);
}

#[test]
fn each_form_has_the_same_graph() {
    let sandbox = ladder("INVARIANT Quiet\n");
    sandbox.run("check -w 1 Ladder.tla --dump graph.dot").check("graph-violation");
    sandbox.run("check Ladder.tla --dump graph.xml --dump-format graphml");
    let dot = read(&sandbox, "graph.dot");
    assert!(dot.contains(r#"s = \"a\\\"b\\\\n <&>\""#), "{dot}");
    assert!(
        dot.contains(r#"6 [label="violates Quiet\nx = 4\ns = \"c\"", style="rounded,filled,dashed""#),
        "{dot}"
    );
    let xml = read(&sandbox, "graph.xml");
    assert!(xml.contains("&quot;a\\&quot;b\\\\n &lt;&amp;&gt;&quot;"), "{xml}");
    assert_eq!(dot.matches(" -> ").count(), xml.matches("<edge ").count());
    assert_eq!(dot.matches("x = ").count(), xml.matches("<node ").count());
    assert!(xml.contains("<data key=\"violates\">Quiet</data>"), "{xml}");
}

#[test]
fn a_search_that_ended_early_says_which_states_are_open() {
    let (graph, stderr) = dumped(&ladder("INVARIANT Low\n"), "");
    let states = graph["states"].as_array().expect("a list");
    let open: Vec<&Value> =
        states.iter().filter(|state| state["expanded"] == false).map(|s| &s["id"]).collect();
    assert_eq!((json!(open), &graph["is_complete"]), (json!([4, 5]), &json!(false)));
    assert_eq!(states.last().expect("there are states")["violates"], json!(["Low"]));
    assert!(stderr.contains("SL0844") && stderr.contains("the search ended early"), "{stderr}");
    // Going on after it, everything is there, and each violation is marked.
    let (graph, _) = dumped(&ladder("INVARIANT Low\n"), "--continue");
    let bad = |state: &&Value| state["violates"] == json!(["Low"]);
    assert_eq!(graph["states"].as_array().expect("a list").iter().filter(bad).count(), 2);
    assert_eq!(graph["is_complete"], true);
    // A step can violate, too.
    let (graph, _) = dumped(&ladder("PROPERTY Slow\n"), "--continue");
    let bad =
        graph["steps"].as_array().expect("a list").iter().filter(|step| step["violates"] == json!(["Slow"]));
    assert_eq!(bad.map(|step| &step["parameters"][0]["value"]).collect::<Vec<_>>(), ["2", "2", "2"]);
}

#[test]
fn what_a_constraint_leaves_out_is_not_there_unless_it_violates() {
    let spec = LADDER.replace("Quiet ==", "Few == x < 3\nQuiet ==");
    let sandbox = ladder("CONSTRAINT Few\n").file("Ladder.tla", spec.clone());
    let (graph, _) = dumped(&sandbox, "");
    assert_eq!(steps(&graph), ["0 Up1 1", "0 Up2 2", "1 Up1 2"]);
    assert_eq!(graph["notes"], json!(["states and steps that a constraint leaves out are not here"]));
    let sandbox = ladder("CONSTRAINT Few\nINVARIANT Low\n").file("Ladder.tla", spec);
    let (graph, _) = dumped(&sandbox, "");
    let last = graph["states"].as_array().expect("a list").last().expect("there are states").clone();
    assert_eq!((&last["in_model"], &last["violates"]), (&json!(false), &json!(["Low"])));
}

#[test]
fn what_is_cut_or_filtered_is_said_in_the_file_and_on_the_terminal() {
    let sandbox = ladder("");
    let cases = [
        ("--dump-max 3", "cut after 3 states, of 6 that were found", 3),
        ("--dump-depth 2", "left out: 2 states beyond level 2", 4),
        ("--dump-actions Up", "left out: 3 steps of actions other than Up", 5),
    ];
    for (args, words, n_states) in cases {
        let (graph, stderr) = dumped(&sandbox, args);
        assert_eq!((len(&graph, "states"), &graph["is_complete"]), (n_states, &json!(false)), "{args}");
        assert!(graph["notes"].to_string().contains(words), "{args}: {}", graph["notes"]);
        assert!(stderr.contains("SL0844") && stderr.contains(words), "{args}: {stderr}");
        sandbox.run(&format!("check Ladder.tla --dump graph.dot {args}"));
        sandbox.run(&format!("check Ladder.tla --dump graph.graphml {args}"));
        for file in ["graph.dot", "graph.graphml"] {
            assert!(read(&sandbox, file).contains(words), "{args}, {file}");
        }
    }
    let (graph, stderr) = dumped(&sandbox, "--dump-variables s");
    assert_eq!(
        (&graph["variables"], &graph["is_complete"], len(&graph, "states")),
        (&json!(["s"]), &json!(true), 6)
    );
    assert!(graph["notes"].to_string().contains("not shown: x"), "{}", graph["notes"]);
    assert!(stderr.contains("SL0844") && stderr.contains("does not show every variable"), "{stderr}");
    let (_, stderr) = dumped(&sandbox, "--dump-variables s,x");
    assert!(stderr.is_empty(), "{stderr}");
}

#[test]
fn what_cannot_be_dumped_or_drawn_is_refused() {
    let random =
        LADDER.replace("Say == x = 4", "Say == x = RandomElement({4})").replace("Naturals", "Naturals, TLC");
    let sandbox =
        ladder("").file("Random.tla", random.replace("Ladder", "Random")).file("Random.cfg", CONFIG);
    let large = json!({ "kind": "state graph", "schema": 1, "spec": "A", "variables": [], "is_complete": true, "notes": [],
        "steps": [], "states": (1..=501).map(|id| json!({ "id": id, "level": 1, "initial": true, "expanded": true,
            "in_model": true, "violates": [], "values": [] })).collect::<Vec<Value>>() });
    let sandbox = sandbox
        .file("large.json", large.to_string())
        .file("other.json", "{\"kind\":\"answer\",\"schema\":1}");
    for (args, words) in [
        ("check Ladder.tla --dump graph.dot --search dfs", "SL0841"),
        ("check Random.tla --dump graph.dot", "need not do the same"),
        ("check Ladder.tla --dump graph.png", "its ending is none of"),
        ("check Ladder.tla --dump graph.dot --dump-actions Upp", "did you mean `Up`"),
        ("check Ladder.tla --dump graph.dot --dump-variables y", "there is no such variable"),
        ("check Ladder.tla --dump nowhere/graph.dot", "there is no folder"),
        ("check Ladder.tla --dump-max 3", "--dump <FILE>"),
        ("check Ladder.tla --dump Ladder.tla", "would write over the specification"),
        ("graph large.json --out large.json", "SL0843"),
        ("graph Ladder.tla", "SL0842"),
        ("graph other.json", "its kind is `answer`"),
        ("graph large.json", "SL0843"),
    ] {
        let run = sandbox.run(args);
        assert_ne!(run.code(), Some(0), "{args}");
        assert!(run.stderr().contains(words), "{args}: {}", run.stderr());
        assert!(!sandbox.path().join("graph.dot").exists() && !run.stdout().contains("distinct"), "{args}");
    }
}

/// A constant that takes for ever is evaluated before the first state is judged, and again for the graph.
#[test]
fn a_search_that_was_stopped_has_a_graph_that_says_so() {
    let slow = LADDER.replace("====", "Endless == CHOOSE n \\in 1..2000000000 : n * 0 = 1\n====");
    let sandbox = Sandbox::new().file("Ladder.tla", slow).file("Ladder.cfg", CONFIG);
    let run = sandbox.run("check Ladder.tla --time 1s --dump graph.json");
    assert_eq!(run.code(), Some(21), "{}", run.stderr());
    let graph = std::fs::read_to_string(sandbox.path().join("graph.json")).expect("a graph");
    let graph: Value = serde_json::from_str(&graph).expect("JSON");
    assert_eq!(graph["is_complete"], json!(false));
    assert!(graph["notes"].to_string().contains("was stopped"), "{}", graph["notes"]);
}

/// Every case has as many states as its search found, or is refused because it need not do the same again.
#[test]
fn graphs_of_the_suite_have_the_states_that_were_found() {
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite");
    let mut n_graphs = 0;
    for folder in ["search", "violations"] {
        let files = std::fs::read_dir(suite.join(folder)).expect("the folder is there");
        let mut configs: Vec<_> = files.map(|file| file.expect("it can be read").path()).collect();
        configs.retain(|path| {
            path.extension().is_some_and(|ending| ending == "cfg") && path.with_extension("tla").exists()
        });
        configs.sort();
        for config in configs {
            n_graphs += usize::from(agrees(&config));
        }
    }
    assert!(n_graphs > 60, "{n_graphs}");
}

fn agrees(config: &Path) -> bool {
    let sandbox = Sandbox::new();
    let spec = config.with_extension("tla");
    let run = sandbox.run(&format!("check {} --dump graph.json --format json", spec.display()));
    let answer = run.stdout().lines().last().and_then(|line| serde_json::from_str::<Value>(line).ok());
    let found = answer.and_then(|answer| answer["counts"]["distinct"].as_u64());
    let Ok(text) = std::fs::read_to_string(sandbox.path().join("graph.json")) else {
        let is_refused = run.stderr().contains("need not do the same");
        assert!(is_refused || found.is_none_or(|n| n == 0), "{}: {}", config.display(), run.stderr());
        return false;
    };
    let graph: Value = serde_json::from_str(&text).expect("it is JSON");
    let in_model =
        graph["states"].as_array().expect("a list").iter().filter(|state| state["in_model"] == true);
    assert_eq!(Some(in_model.count() as u64), found, "{}", config.display());
    true
}

fn page(more: &str, args: &str) -> (Sandbox, Browser) {
    let sandbox = ladder(more);
    dumped(&sandbox, args);
    assert_eq!(sandbox.run("graph graph.json").stdout(), "graph.html\n");
    let browser = Browser::open(&sandbox.path().join("graph.html"), &sandbox.path().join("profile"));
    (sandbox, browser)
}

fn text(browser: &mut Browser, selector: &str) -> String {
    let text = browser.eval(&format!("document.querySelector({}).textContent", json!(selector)));
    text.as_str().expect("a text").to_owned()
}

#[test]
fn the_picture_has_every_state_and_shows_the_one_that_is_clicked() {
    let (_sandbox, mut browser) = page("INVARIANT Quiet\n", "--continue");
    for (selector, n) in
        [(".state", 6), (".step", 10), (".state.initial", 2), (".state.bad", 1), (".state.open", 0)]
    {
        let count = format!("document.querySelectorAll({}).length", json!(selector));
        assert_eq!(browser.eval(&count), n, "{selector}");
    }
    browser.click("#state-4 rect");
    assert_eq!(text(&mut browser, "#state-title"), "State 4");
    assert_eq!(text(&mut browser, "#values"), "x3s\"a\\\"b\\\\n <&>\"");
    assert_eq!(browser.eval("document.querySelectorAll('.step.near').length"), 4);
    browser.click("#steps button");
    assert_eq!(text(&mut browser, "#state-title"), "State 5");
    browser.press("f");
    assert_eq!(text(&mut browser, "#marks .bad"), "violates Quiet");
    browser.press("p");
    assert_eq!(text(&mut browser, "#state-title"), "State 5");
    browser.press("Escape");
    assert_eq!(text(&mut browser, "#state-title"), "No state is chosen");
    assert_eq!(browser.errors, Vec::<String>::new());
}

#[test]
fn the_picture_zooms_moves_and_finds() {
    let (_sandbox, mut browser) = page("", "--dump-depth 2");
    assert!(text(&mut browser, "#notes").contains("left out: 2 states beyond level 2"));
    let transform = "document.getElementById('scene').getAttribute('transform')";
    let mut seen = vec![browser.eval(transform)];
    for key in ["+", "ArrowLeft", "-", "ArrowDown"] {
        browser.press(key);
        let now = browser.eval(transform);
        assert!(!seen.contains(&now), "{key}");
        seen.push(now);
    }
    browser.press("/");
    for letter in "x = 3".chars() {
        browser.press(&letter.to_string());
    }
    assert_eq!(text(&mut browser, "#shown"), "1 of 4 states");
    browser.press("Enter");
    assert_eq!(text(&mut browser, "#state-title"), "State 4");
    for width in [1280, 400] {
        browser.look((width, 800), false);
        let light = browser.eval("getComputedStyle(document.querySelector('.state rect')).fill");
        assert_eq!(browser.eval("document.documentElement.scrollWidth <= innerWidth"), true, "{width} wide");
        browser.look((width, 800), true);
        assert_ne!(browser.eval("getComputedStyle(document.querySelector('.state rect')).fill"), light);
    }
    assert_eq!(browser.errors, Vec::<String>::new());
}

#[test]
fn what_does_something_does_it_once() {
    let spec = "---- MODULE Once ----\nEXTENDS Integers, CSV\nVARIABLE x\nASSUME CSVWrite(\"%1$s\", <<\"a\">>, \"side.csv\")\n\
        Init == x = 0\nNext == x < 2 /\\ x' = x + 1\nInv == CSVWrite(\"%1$s\", <<x>>, \"side.csv\")\nSmall == x < 2\n====\n";
    let config = "INIT Init\nNEXT Next\nINVARIANTS Inv Small\n";
    let sandbox = || Sandbox::new().file("Once.tla", spec).file("Once.cfg", config);
    let (plain, dumped) = (sandbox(), sandbox());
    plain.run("check Once.tla --workers 1").ends_with(12);
    dumped.run("check Once.tla --workers 1 --dump graph.json").ends_with(12);
    assert_eq!(dumped.read("side.csv"), plain.read("side.csv"));
    let graph = dumped.read("graph.json");
    assert!(graph.contains("where `Inv` is violated is not marked"), "{graph}");
    assert!(graph.contains("Small"), "{graph}");
}
