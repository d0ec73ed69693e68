//! Coverage as a page in a real browser, as lcov's and Cobertura's files, and made from JSON again.

use serde_json::json;
use test_kit::Browser;

use crate::sandbox::Sandbox;

/// `Never` is never possible, `then` of `Clip` is never taken, and `f[x][1]` is evaluated in one go.
const GAPS: &str = r#"---- MODULE Gaps ----
EXTENDS Naturals, Clipping
VARIABLES x, f, y
Init == x = 0 /\ y = 0 /\ f = [i \in 0..3 |-> <<i>>]
Up == x < 3 /\ x' = x + 1 /\ UNCHANGED <<f, y>>
Never == x > 5 /\ x' = 0 /\ UNCHANGED <<f, y>>
Take == y' = Clip(f[x][1]) /\ UNCHANGED <<x, f>>
Next == Up \/ Never \/ Take
Small == x \in 0..3 /\ y < 9
====
"#;
const CLIPPING: &str =
    "---- MODULE Clipping ----\nEXTENDS Naturals\nClip(v) ==\n  IF v > 7\n  THEN v - 7\n  ELSE v\n====\n";
const CONFIG: &str = "INIT Init\nNEXT Next\nINVARIANT Small\nCHECK_DEADLOCK FALSE\n";

fn gaps() -> Sandbox {
    Sandbox::new()
        .file("Gaps.tla", GAPS)
        .file("Clipping.tla", CLIPPING)
        .file("Gaps.cfg", CONFIG)
        .file("nasty.json", "{\"kind\":\"coverage\"}\n")
        .folder("profile")
}

fn page(args: &str) -> (Sandbox, Browser) {
    let sandbox = gaps();
    let run = sandbox.run(args);
    assert_eq!(run.code(), Some(0), "{}{}", run.stdout(), run.stderr());
    let browser = Browser::open(&sandbox.path().join("gaps.html"), &sandbox.path().join("profile"));
    (sandbox, browser)
}

fn texts(browser: &mut Browser, selector: &str) -> Vec<String> {
    let all = format!("[...document.querySelectorAll({})].map(e => e.textContent.trim())", json!(selector));
    let texts = browser.eval(&all);
    texts.as_array().expect("a list").iter().map(|text| text.as_str().expect("a text").to_owned()).collect()
}

#[test]
fn what_was_never_reached_stands_out() {
    let (_sandbox, mut browser) = page("check -w 1 Gaps.tla --coverage-html gaps.html");
    let tallies = [
        "1 of 3 actions never possible",
        "2 of 5 branches never taken",
        "4 of 31 expressions never evaluated",
    ];
    assert_eq!(texts(&mut browser, "#summary .tally.never"), tallies);
    assert_eq!(texts(&mut browser, "#gaps .what"), ["action Never", "x' = 0", "UNCHANGED <<f, y>>", "v - 7"]);
    // In the source: these texts and no others, and the lines that they are on.
    assert_eq!(texts(&mut browser, ".code .never"), ["x' = 0", "UNCHANGED", "<<f, y>>", "v - 7"]);
    let lines = "[...document.querySelectorAll('.row.never, .row.partly')].map(row => row.id)";
    assert_eq!(browser.eval(lines), json!(["Gaps.tla:6", "Clipping.tla:5"]));
    assert_eq!(
        texts(&mut browser, "#ending"),
        ["Complete: every reachable state was explored, and no error was found."]
    );
    assert_eq!(browser.errors, Vec::<String>::new());
}

#[test]
fn actions_are_sorted_as_one_likes_and_lead_to_their_source() {
    let (_sandbox, mut browser) = page("check -w 1 Gaps.tla --coverage-html gaps.html");
    let names = |browser: &mut Browser| texts(browser, "#actions tbody a");
    assert_eq!(names(&mut browser), ["Never", "Up", "Take"], "what never fired comes first");
    browser.click("th button[data-by=generated]");
    assert_eq!(names(&mut browser), ["Take", "Up", "Never"]);
    browser.click("th button[data-by=generated]");
    assert_eq!(names(&mut browser), ["Never", "Up", "Take"]);
    browser.click("th button[data-by=name]");
    assert_eq!(names(&mut browser), ["Never", "Take", "Up"]);
    browser.click("#actions tbody tr:nth-child(2) a");
    assert_eq!(texts(&mut browser, ".row.at .number"), ["7"]);
    assert_eq!(texts(&mut browser, "#detail-title"), ["Take"]);
    let counts = texts(&mut browser, "#counts dd");
    let total: u64 = counts[3].replace(',', "").parse().expect("a number of states");
    assert_eq!(json!(total).to_string(), texts(&mut browser, "#actions tbody tr:nth-child(2) td")[3]);
}

#[test]
fn keys_go_from_gap_to_gap_and_from_line_to_line() {
    let (_sandbox, mut browser) = page("check -w 1 Gaps.tla --coverage-html gaps.html");
    let at = |browser: &mut Browser| texts(browser, ".row.at .number");
    let chosen = |browser: &mut Browser| texts(browser, "#counts .text").concat();
    for (key, line, text) in [
        ("n", "6", "x > 5 /\\ x' = 0 /\\ UNCHANGED <<f, y>>"),
        ("n", "6", "x' = 0"),
        ("n", "6", "UNCHANGED <<f, y>>"),
        ("n", "5", "v - 7"),
        ("p", "6", "UNCHANGED <<f, y>>"),
        ("u", "6", "x > 5 /\\ x' = 0 /\\ UNCHANGED <<f, y>>"),
        ("Enter", "6", "x > 5"),
        ("k", "5", "x < 3 /\\ x' = x + 1 /\\ UNCHANGED <<f, y>>"),
        ("j", "6", "x > 5 /\\ x' = 0 /\\ UNCHANGED <<f, y>>"),
    ] {
        browser.press(key);
        assert_eq!(
            (at(&mut browser), chosen(&mut browser)),
            (vec![line.to_owned()], text.to_owned()),
            "{key}"
        );
    }
    browser.press("/");
    for letter in "unch".chars() {
        browser.press(&letter.to_string());
    }
    assert_eq!(texts(&mut browser, ".row.found .number"), ["5", "6", "7"]);
    browser.press("Escape");
    assert_eq!(texts(&mut browser, ".row.found, .row.at"), Vec::<String>::new());
    assert_eq!(browser.errors, Vec::<String>::new());
}

#[test]
fn it_can_be_read_in_any_window_and_light() {
    let (_sandbox, mut browser) = page("check -w 1 Gaps.tla --coverage-html gaps.html");
    let never = "getComputedStyle(document.querySelector('.code .never')).backgroundColor";
    for width in [1280, 400] {
        browser.look((width, 800), false);
        let light = browser.eval(never);
        assert_eq!(browser.eval("document.documentElement.scrollWidth <= innerWidth"), true, "{width} wide");
        browser.look((width, 800), true);
        assert_ne!(browser.eval(never), light);
    }
}

#[test]
fn a_page_of_bounds_shows_each_of_them() {
    let sandbox = gaps().file("specline.toml", "[rank]\nwalks = 9\n[rank.budgets]\nMax = [0, 3]\n");
    let bounded = GAPS.replace("VARIABLES", "CONSTANT Max\nVARIABLES").replace("x < 3", "x < Max");
    let sandbox = sandbox.file("Gaps.tla", bounded).file("Gaps.cfg", format!("{CONFIG}CONSTANT Max = 0\n"));
    let run = sandbox.run("rank Gaps.tla --coverage-html gaps.html");
    assert_eq!(run.code(), Some(0), "{}{}", run.stdout(), run.stderr());
    assert!(!run.stdout().contains("Expressions"), "nobody asked for them: {}", run.stdout());
    let mut browser = Browser::open(&sandbox.path().join("gaps.html"), &sandbox.path().join("profile"));
    let views =
        ["the configuration: all budgets", "the configuration: Max = 3", "the configuration: Max = 0"];
    assert_eq!(texts(&mut browser, "#view option"), views);
    assert_eq!(texts(&mut browser, "#actions tr.never a"), ["Never"]);
    browser.eval(
        "(() => { const view = document.getElementById('view'); view.value = '2'; \
         view.dispatchEvent(new Event('input')); })()",
    );
    assert_eq!(texts(&mut browser, "#actions tr.never a"), ["Up", "Never"]);
    // `f[x][1]` is evaluated in one go within each bound.
    assert!(!texts(&mut browser, ".code .never").contains(&"f[x]".to_owned()));
    assert_eq!(browser.errors, Vec::<String>::new());
}

#[test]
fn other_tools_get_lines_functions_and_branches() {
    let sandbox = gaps();
    sandbox
        .run("check -w 1 Gaps.tla --coverage-lcov gaps.info --coverage-cobertura gaps.xml")
        .check("coverage-files");
    let read = |name: &str| std::fs::read_to_string(sandbox.path().join(name)).expect("it was written");
    let lcov = read("gaps.info");
    for line in [
        "SF:Gaps.tla",
        "SF:Clipping.tla",
        "FN:6,Never",
        "FNDA:0,Never",
        "FNF:3",
        "FNH:2",
        "DA:5,0",
        "BRDA:5,0,0,0",
    ] {
        assert!(lcov.lines().any(|other| other == line), "{line} in {lcov}");
    }
    let xml = read("gaps.xml");
    for part in [
        "<class name=\"Gaps\" filename=\"Gaps.tla\"",
        "<method name=\"Never\" signature=\"()\" line-rate=\"0.0000\"",
        "<line number=\"5\" hits=\"0\" branch=\"true\" condition-coverage=\"0% (0/1)\"/>",
        "branches-covered=\"3\" branches-valid=\"5\"",
    ] {
        assert!(xml.contains(part), "{part} in {xml}");
    }
}

#[test]
fn what_was_written_as_json_becomes_the_same_files() {
    let sandbox = gaps();
    let run = sandbox.run("check -w 1 Gaps.tla --coverage --format json --coverage-lcov direct.info --coverage-cobertura direct.xml");
    std::fs::write(sandbox.path().join("run.json"), run.stdout()).expect("the sandbox can be written to");
    for (format, file) in [("lcov", "direct.info"), ("cobertura", "direct.xml")] {
        let again = sandbox.run(&format!("coverage show run.json --format {format}"));
        let direct = std::fs::read_to_string(sandbox.path().join(file)).expect("it was written");
        assert_eq!(again.stdout(), direct);
    }
    let text = sandbox.run("check -w 1 Gaps.tla --coverage");
    assert!(text.stdout().contains(sandbox.run("coverage show run.json").stdout()), "{}", text.stdout());
    assert_eq!(sandbox.run("coverage html run.json").stdout(), "run.html\n");
    let mut browser = Browser::open(&sandbox.path().join("run.html"), &sandbox.path().join("profile"));
    assert_eq!(texts(&mut browser, "#ending")[0].split(':').next(), Some("Complete"));
    assert_eq!(texts(&mut browser, "#gaps .what").len(), 4);
}

#[test]
fn what_has_no_counts_is_refused() {
    let sandbox = gaps();
    for (args, words) in [
        ("coverage show Gaps.tla", "line 1"),
        ("coverage html nasty.json", "missing field"),
        ("check Gaps.tla --coverage-html a --coverage-lcov a", "both write `a`"),
        ("check Gaps.tla --coverage-html nowhere/gaps.html", "there is no folder `nowhere`"),
    ] {
        let run = sandbox.run(args);
        assert_ne!(run.code(), Some(0), "{args}");
        assert!(run.stderr().contains(words), "{args}: {}", run.stderr());
    }
    let plain = sandbox.run("check -w 1 Gaps.tla --format json");
    std::fs::write(sandbox.path().join("plain.json"), plain.stdout()).expect("the sandbox can be written to");
    let run = sandbox.run("coverage show plain.json");
    assert!(run.stderr().contains("no object of the kind `coverage`"), "{}", run.stderr());
}

/// Everything here is reached, though not everything is evaluated by itself: invariants by their conjuncts, tuples of
/// UNCHANGED by their parts; and an ALIAS is for traces.
#[test]
fn what_is_evaluated_in_another_form_is_no_gap() {
    let concrete = "---- MODULE Concrete ----\nEXTENDS Naturals\nVARIABLE x\nInit == x = 0\nNext == x < 3 /\\ x' = x + 1\n\
                    Spec == Init /\\ [][Next]_x\nA == INSTANCE Abstract WITH a <- x, b <- 2 * x - 2 * x\nRefines == A!Spec\n\
                    One == x < 9\nTwo == x >= 0\nBoth == One /\\ Two\nShown == [twice |-> 2 * x]\n====\n";
    let pair = "---- MODULE Abstract ----\nEXTENDS Naturals\nVARIABLES a, b\nInit == a = 0 /\\ b = 0\n\
                Next == a' = a + 1 /\\ UNCHANGED <<b>>\nSpec == Init /\\ [][Next]_<<a, b>>\n====\n";
    let config = "SPECIFICATION Spec\nPROPERTY Refines\nINVARIANT Both\nALIAS Shown\nCHECK_DEADLOCK FALSE\n";
    let sandbox =
        Sandbox::new().file("Concrete.tla", concrete).file("Abstract.tla", pair).file("Concrete.cfg", config);
    let run = sandbox.run("check -w 1 Concrete.tla --coverage --format json");
    let events =
        run.stdout().lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("an object"));
    let counted = events.into_iter().find(|event| event["kind"] == "coverage").expect("it was counted");
    let expressions = counted["expressions"].as_array().expect("a list");
    assert!(expressions.len() > 15, "{expressions:#?}");
    let never: Vec<_> = expressions.iter().filter(|expression| expression["evaluated"] == 0).collect();
    assert!(never.is_empty(), "{never:#?}");
}

#[test]
fn an_action_has_one_name_in_traces_coverage_and_walks() {
    let module = "---- MODULE Post ----
EXTENDS Naturals
VARIABLES msgs, n
Init == msgs = {} /\\ n = 0
Send == n < 3 /\\ n' = n + 1 /\\ msgs' = msgs \\cup {n}
Receive(m) == msgs' = msgs \\ {m} /\\ n' = n
Drop(m) == m = 2 /\\ msgs' = msgs \\ {m} /\\ n' = n
Next == Send \\/ \\E m \\in msgs : Receive(m)
Other == Send \\/ \\E m \\in msgs : Receive(m) \\/ Drop(m)
====
";
    let config = |next: &str| format!("INIT Init\nNEXT {next}\nCHECK_DEADLOCK FALSE\n");
    let sandbox = Sandbox::new()
        .file("Post.tla", module)
        .file("Post.cfg", config("Next"))
        .file("Two.cfg", config("Other"));
    sandbox.run("check Post --invariant n<3\\/msgs#{}").says(12, &["Receive(m = "]);
    sandbox.run("check Post --coverage").says(0, &["  Receive Post.tla:8:17\n"]);
    sandbox.run("simulate Post --walks 5 --depth 5 --weight Receive=2").says(0, &[" Receive\n", " Send\n"]);
    sandbox.run("check Post -c Two --coverage").says(0, &["  Receive or Drop Post.tla:9:18\n"]);
    sandbox.run("simulate Post -c Two --walks 5 --depth 5").says(0, &[" Receive or Drop\n"]);
}
