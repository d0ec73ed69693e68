//! `specline replay` and `specline conform`: the Raft of `examples/` held against its specification, on a stage.

use std::process::{Command, Stdio};

use test_kit::Browser;

use crate::raft_staged::{MISTAKES, example, programs};
use crate::sandbox::{Run, Sandbox};
use crate::stage_ends::check_nothing_is_left;

/// Bounds within which a mistake is found at once.
const SMALL: &str = "-D MaxTerm=1 -D MaxLog=0 -D MaxCrashes=0";
const VOTE_TWICE: &str = "-D Bug=\"vote-twice\"";

/// A sandbox with the system, and with its mapping after a change.
fn raft(from: &str, to: &str) -> Sandbox {
    let read = |name: &str| {
        let path = example().join(name);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let mapping = read("mapping.toml");
    assert!(from.is_empty() || mapping.contains(from), "the mapping does not say `{from}`");
    ["Raft.tla", "RaftSteps.tla", "RaftSteps.cfg", "RaftNarrow.tla", "RaftNarrow.cfg", "system.toml"]
        .into_iter()
        .fold(Sandbox::new(), |sandbox, name| sandbox.file(&format!("raft/{name}"), read(name)))
        .file("raft/mapping.toml", &if from.is_empty() { mapping } else { mapping.replace(from, to) })
}

/// Runs it with the folders of nodes in the sandbox, where nothing of them is left.
#[track_caller]
fn run(sandbox: &Sandbox, line: &str) -> Run {
    let path = format!("{}:/usr/bin:/bin", programs().display());
    let temporary = sandbox.path().display().to_string();
    let run = sandbox.run_with(line, &[("PATH", &path), ("TMPDIR", &temporary)]);
    check_nothing_is_left(sandbox);
    run
}

/// A trace in which a node votes twice.
fn vote_twice(sandbox: &Sandbox) {
    let line = format!("check raft/RaftSteps.tla {SMALL} {VOTE_TWICE} --trace twice.itf.json");
    assert_eq!(run(sandbox, &line).code(), Some(13));
}

fn replay(sandbox: &Sandbox, rest: &str) -> Run {
    run(sandbox, &format!("replay twice.itf.json --system raft {SMALL} {VOTE_TWICE} {rest}"))
}

#[test]
fn a_mistake_of_the_specification_is_confirmed_in_the_program_every_time() {
    let sandbox = raft("", "");
    vote_twice(&sandbox);
    let confirmed = replay(&sandbox, "--times 3 --html both.html --keep kept");
    let there = "votedFor = (n1 :> n2 @@ n2 :> n2 @@ n3 :> None)";
    confirmed
        .says(0, &["confirmed: the program violates `OneVotePerTerm`, after 3 steps", there, "3 of 3 runs"]);
    assert!(sandbox.read("both.html").contains("\"verdict\":\"confirmed\""));
    let again = run(&sandbox, "conform raft/RaftSteps.tla --system raft --keep kept --recheck");
    again.says(29, &["still there: confirmed OneVotePerTerm", "1 trace: 0 gone, 1 still there"]);
}

/// The mistakes that `specline.toml` of the example finds "for the program", with the bounds that it has there.
#[test]
fn each_mistake_that_the_example_makes_on_purpose_is_found_and_confirmed() {
    let settings = std::fs::read_to_string(example().join("specline.toml")).expect("the example has it");
    let settings: toml::Table = settings.parse().expect("which is TOML");
    let models = settings["test"]["model"].as_array().expect("models");
    let mut confirmed = Vec::new();
    for model in models {
        let Some(mistake) = model["name"].as_str().and_then(|name| name.strip_suffix(", for the program"))
        else {
            continue;
        };
        let (spec, property) = (model["spec"].as_str().expect("a file"), &model["property"]);
        let sandbox = raft("", "");
        let config = format!("raft/{}", spec.replace(".tla", ".cfg"));
        let bounded = with_constants(&sandbox.read(&config), model["constants"].as_table().expect("a table"));
        let sandbox = sandbox.file(&config, &bounded);
        let found = run(&sandbox, &format!("check raft/{spec} --trace {mistake}.itf.json"));
        assert!(matches!(found.code(), Some(12 | 13)), "{mistake}: {}{}", found.stdout(), found.stderr());
        // Whatever it was found with, it is a behaviour of the specification that the mapping names.
        let replay = format!("replay {mistake}.itf.json --system raft -D Bug=\"{mistake}\"");
        let violates = format!("confirmed: the program violates `{}`", property.as_str().expect("a name"));
        run(&sandbox, &replay).says(0, &[&violates]);
        confirmed.push(mistake.to_owned());
    }
    confirmed.sort();
    assert_eq!(confirmed, MISTAKES);
}

/// A configuration in which these constants have other values. Words of a command line cannot have spaces here.
fn with_constants(config: &str, constants: &toml::Table) -> String {
    let line = |line: &str| {
        let (name, _) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        match constants.get(name) {
            Some(toml::Value::String(value)) => format!("    {name} = {value}\n"),
            Some(value) => format!("    {name} = {value}\n"),
            None => format!("{line}\n"),
        }
    };
    config.lines().map(line).collect()
}

/// Datagrams are chosen so: which one it is, the trace says.
#[test]
fn what_an_action_chooses_first_is_known_to_its_events() {
    let sandbox = raft("is {Head(net[j][i])}", "is {Head(queue)}");
    let steps = sandbox.read("raft/RaftSteps.tla");
    let chosen = steps.replace("Deliver(j, i) ==\n", "Deliver(j, i) == \\E queue \\in {net[j][i]} :\n");
    assert_ne!(steps, chosen, "the specification has no `Deliver(j, i)`");
    let sandbox = sandbox.file("raft/RaftSteps.tla", &chosen);
    vote_twice(&sandbox);
    replay(&sandbox, "").says(0, &["confirmed: the program violates `OneVotePerTerm`, after 3 steps"]);
}

#[test]
fn a_program_without_the_mistake_goes_another_way() {
    let sandbox = raft("arguments = ", "# arguments = ");
    vote_twice(&sandbox);
    let diverged = replay(&sandbox, "");
    let texts = [
        "diverged at step 3, Deliver(i = n1, j = n2): `votedFor`, `net` differ",
        "votedFor[n1]: n2 -> n1",
        "SL0882",
    ];
    diverged.says(29, &texts);
    let json = replay(&sandbox, "--format json");
    let told: serde_json::Value = serde_json::from_str(json.stdout().trim()).expect("it is JSON");
    assert_eq!((told["verdict"].as_str(), told["step"].as_u64()), (Some("diverged"), Some(3)));
    assert_eq!(told["differences"][0]["variable"], "votedFor");
}

#[test]
fn what_cannot_be_carried_out_says_why() {
    let sandbox = raft("do = [\"advance {i} 601ms\"]", "do = [\"crash {i}\", \"tick {i}\"]");
    vote_twice(&sandbox);
    replay(&sandbox, "").says(30, &["could not, at step 1, Stand(i = n1): `tick n1`", "SL0883"]);
    let sandbox = raft("do = [\"advance {i} 601ms\"]", "do = [\"advance {i} 601ms\"]\nuntil = 'FALSE'");
    vote_twice(&sandbox);
    replay(&sandbox, "").says(30, &["`Stand` is not finished"]);
    // The node ends by itself: it cannot write its journal.
    let sandbox = raft("history = [", "history = [\"votes\", ");
    let mapping = sandbox.read("raft/mapping.toml").replace("unobserved = [\"votes\", ", "unobserved = [");
    let sandbox = sandbox.file("raft/mapping.toml", &mapping);
    vote_twice(&sandbox);
    let system =
        sandbox.read("raft/system.toml").replace("\"--log\", \"{log}\"", "\"--log\", \"/nowhere/log\"");
    let sandbox = sandbox.file("raft/system.toml", &system);
    let died =
        ["could not, at step 0, the initial state: n1 ended with exit code 1", "n1 wrote", "/nowhere/log"];
    replay(&sandbox, "").says(30, &died);
    // Likewise where it is told to do something as soon as it is started.
    let mapping =
        sandbox.read("raft/mapping.toml").replace("[\"start all\"]", "[\"start all\", \"tick n1\"]");
    let sandbox = sandbox.file("raft/mapping.toml", &mapping);
    replay(&sandbox, "").says(30, &died);
}

#[test]
fn a_violation_of_what_is_not_compared_is_not_confirmed() {
    let sandbox = raft("votedFor = '''", "[unused]\nvotedFor = '''");
    run(&sandbox, "replay x --system raft").says(255, &["cannot read `x`"]);
    let whole = sandbox.read("raft/mapping.toml");
    let start = whole.find("[unused]").expect("it was put there");
    let end = whole.find("log = '[i").expect("the next variable");
    let without = format!("{}{}", &whole[..start], &whole[end..]);
    let sandbox = sandbox.file("raft/mapping.toml", &without);
    vote_twice(&sandbox);
    // That it is not compared has to be said.
    let texts = ["SL0881", "the mapping does not say where `votedFor` is seen in the program"];
    replay(&sandbox, "").says(151, &texts);
    let walks = "conform raft/RaftSteps.tla --system raft --seed 3 --traces 1 --depth 5";
    run(&sandbox, walks).says(151, &texts);
    let said = without.replace("unobserved = [", "unobserved = [\"votedFor\", ");
    let sandbox = sandbox.file("raft/mapping.toml", &said);
    run(&sandbox, walks)
        .says(0, &["Not compared: votedFor, votes, nextIndex, matchIndex, link", "the program conforms"]);
    let texts =
        ["could not, at step 3", "`OneVotePerTerm` reads `votedFor`, which the mapping does not compare"];
    replay(&sandbox, "").says(30, &texts);
}

#[test]
fn walks_in_which_no_step_is_compared_or_carried_out_say_nothing_of_the_program() {
    let sandbox = raft("\ndo = ", "\ncompare = false\ndo = ");
    let walks = "conform raft/RaftSteps.tla --system raft --seed 3 --traces 1 --depth 5";
    run(&sandbox, walks).says(21, &["nothing was compared, and nothing is known", "0 steps compared"]);
    let sandbox = raft("do = [\"advance {i} 601ms\"]", "do = [\"crash {i}\", \"tick {i}\"]");
    run(&sandbox, walks).says(30, &["whether the program conforms is not known"]);
}

#[test]
fn a_wrong_mapping_is_refused_before_anything_starts() {
    let wrong = |from: &str, to: &str, texts: &[&str]| {
        let sandbox = raft(from, to);
        vote_twice(&sandbox);
        let mut all = vec!["SL0881", "raft/mapping.toml:"];
        all.extend(texts);
        replay(&sandbox, "").says(151, &all);
    };
    wrong(
        "name = \"Stand\"",
        "name = \"Stnad\"",
        &["the specification has no action `Stnad`", "nothing about the action `Stand`"],
    );
    wrong("term = '[i", "trem = '[i", &["no variable `trem`", "did you mean `term`?"]);
    wrong(
        "real.status[i].term",
        "real.satus[i].term",
        &["the system has no observation `satus`", "journal, status, up, held, net"],
    );
    wrong("client line {i}", "client lien {i}", &["the system has no client request `lien`"]);
    wrong("do = [\"crash {i}\"]", "do = [\"crash n9\"]", &["the system has no node `n9`"]);
    wrong("net = 'real.net'", "net = 'net'", &["`net` is compared with nothing of the program"]);
    wrong("unobserved = [", "unobserved = [\"term\", ", &["`term` is compared as well"]);
    wrong("unobserved = [", "unobserved = [\"crashes\", ", &["`crashes` is in `history` as well"]);
    wrong("unobserved = [", "unobserved = [\"vote\", ", &["no variable `vote`", "did you mean `votes`?"]);
    wrong(", \"link\"]", "]", &["does not say where `link` is seen"]);
    wrong("alarms = [", "alarm = [", &["a mapping has no key `alarm`", "did you mean `alarms`?"]);
}

#[test]
fn a_trace_of_something_else_is_refused() {
    let sandbox = raft("", "").file(
        "Other.tla",
        "---- MODULE Other ----\nVARIABLE x\nInit == x = 0\nNext == x' = 1\nIsZero == x = 0\n====\n",
    );
    let sandbox = sandbox.file("Other.cfg", "INIT Init\nNEXT Next\nINVARIANT IsZero\n");
    assert_eq!(run(&sandbox, "check Other.tla --trace twice.itf.json").code(), Some(12));
    replay(&sandbox, "").says(255, &["SL0806"]);
    vote_twice(&sandbox);
    // The same specification without the mistake.
    run(&sandbox, &format!("replay twice.itf.json --system raft {SMALL}"))
        .says(26, &["SL0805", "and these constants?"]);
    run(&sandbox, "replay twice.itf.json --system nowhere")
        .says(255, &["cannot read `nowhere/mapping.toml`"]);
}

#[test]
fn random_walks_conform_and_where_they_do_not_it_is_kept() {
    let sandbox = raft("", "");
    let walks = "conform raft/RaftSteps.tla --system raft --traces 2 --depth 15 --seed 3";
    run(&sandbox, walks).says(0, &["the program conforms; 2 walks, 2 of them to the end"]);
    let none = run(&sandbox, "conform raft/RaftSteps.tla --system raft --time 0s --seed 3");
    none.says(21, &["nothing was compared", "0 steps compared"]);
    let right = sandbox.read("raft/mapping.toml");
    let sandbox = sandbox.file("raft/mapping.toml", right.replace("601ms", "6ms"));
    let told = run(&sandbox, &format!("{walks} --keep kept --html page.html"));
    told.says(29, &["1. Stand: ", "the program does not conform", "kept in kept/stand-"]);
    let recheck = "conform raft/RaftSteps.tla --system raft --keep kept --recheck";
    run(&sandbox, recheck).says(29, &["still there: Stand: "]);
    // It is carried out with the constants that it was found with, and for the specification that it was found in.
    for other in ["-D MaxTerm=1", "-c raft/RaftSteps.cfg"] {
        run(&sandbox, &format!("{recheck} {other}")).says(1, &["cannot be used with"]);
    }
    let elsewhere = recheck.replace("RaftSteps", "RaftNarrow");
    run(&sandbox, &elsewhere).says(255, &["was kept for `raft/RaftSteps.tla`", "0 gone, 0 still there"]);
    // What cannot be carried out is not gone.
    let nowhere = sandbox.path().display().to_string();
    sandbox
        .run_with(recheck, &[("PATH", &nowhere), ("TMPDIR", &nowhere)])
        .says(30, &["not known: Stand: ", "0 gone, 0 still there"]);
    let told = run(&sandbox, &format!("{recheck} --format json"));
    let told: serde_json::Value = serde_json::from_str(told.stdout().trim()).expect("one object");
    assert_eq!((&told["kind"], &told["still_there"]), (&"recheck".into(), &2.into()), "{told}");
    assert_eq!(told["traces"][0]["verdict"], "still there", "{told}");
    check_what_cannot_be_read(&sandbox, recheck);
    let sandbox = sandbox.folder("empty");
    run(&sandbox, &recheck.replace("kept", "empty")).says(255, &["nothing is kept in `empty`"]);
    let sandbox = sandbox.file("raft/mapping.toml", &right);
    run(&sandbox, recheck).says(0, &["gone: Stand: ", "0 still there"]);
}

/// Carrying out a kept trace again reports, too, which things the nodes do without control.
#[test]
fn a_recheck_reports_what_is_not_under_control() {
    let sandbox = raft("601ms", "6ms");
    // Setting the clock is refused, and reported.
    let start = "\"sh\", \"-c\", 'date -s @1 2>&1; exec raft-node \"$@\"', \"sh\"";
    let system = sandbox.read("raft/system.toml").replacen("\"raft-node\"", start, 1);
    let sandbox = sandbox.file("raft/system.toml", system);
    run(&sandbox, "conform raft/RaftSteps.tla --system raft --traces 1 --depth 15 --seed 3 --keep kept")
        .says(29, &["1. Stand: ", "Not under control", "clock_settime"]);
    let recheck = "conform raft/RaftSteps.tla --system raft --keep kept --recheck";
    run(&sandbox, recheck).says(29, &["still there: Stand: ", "Not under control", "clock_settime"]);
    run(&sandbox, &format!("{recheck} --format json")).says(29, &["\"uncontrolled\":[\"", "clock_settime"]);
}

/// A trace that is cut off and one without its note are told by their names, and do not keep the others from being
/// looked at.
#[track_caller]
fn check_what_cannot_be_read(sandbox: &Sandbox, recheck: &str) {
    let kept = sandbox.path().join("kept");
    let all = std::fs::read_dir(&kept).expect("it is there").map(|entry| entry.expect("it is there").path());
    let trace = all.into_iter().find(|path| path.display().to_string().ends_with(".itf.json"));
    let trace = trace.expect("a trace is kept");
    let note = trace.display().to_string().replace(".itf.json", ".note.json");
    let (text, note) = (std::fs::read_to_string(&trace), std::fs::read_to_string(note));
    let (text, note) = (text.expect("it is there"), note.expect("it is there"));
    let others = [("a-cut.itf.json", &text[..99]), ("a-cut.note.json", &note), ("b-alone.itf.json", &text)];
    for (name, text) in others {
        std::fs::write(kept.join(name), text).expect("it can be written");
    }
    let told = ["SL0801", "a-cut.itf.json", "cannot read `kept/b-alone.note.json`", "still there: Stand: "];
    let run = run(sandbox, recheck);
    run.says(255, &told);
    run.says(255, &["4 traces: 0 gone, 2 still there, 2 not known"]);
    for (name, _) in others {
        std::fs::remove_file(kept.join(name)).expect("it can be removed");
    }
}

/// The first Ctrl-C ends what is under way, and what was to come after it.
#[test]
fn ctrl_c_ends_all_replays_and_walks() {
    let sandbox = raft("", "");
    vote_twice(&sandbox);
    let replays = format!("replay twice.itf.json --system raft {SMALL} {VOTE_TWICE} --times 100000");
    replay(&sandbox, "--keep kept").says(0, &["confirmed: "]);
    for number in 0..20 {
        for kept in std::fs::read_dir(sandbox.path().join("kept")).expect("it is there").flatten() {
            let name = kept.file_name().to_string_lossy().into_owned();
            if !name.starts_with("more") {
                let more = kept.path().with_file_name(format!("more{number}-{name}"));
                std::fs::copy(kept.path(), more).expect("it can be copied");
            }
        }
    }
    let recheck = "conform raft/RaftSteps.tla --system raft --keep kept --recheck";
    let quiet = format!("{WALKS} --time 1h -q");
    for line in [replays.as_str(), &format!("{WALKS} --time 1h"), &quiet, recheck, &format!("{recheck} -q")] {
        let path = format!("{}:/usr/bin:/bin", programs().display());
        let mut command = sandbox.command(line);
        command.env("PATH", path).env("TMPDIR", sandbox.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        // It has begun when nodes have a folder.
        let is_there = || {
            let mut all = std::fs::read_dir(sandbox.path()).expect("it is there").flatten();
            all.any(|entry| entry.file_name().to_string_lossy().starts_with("specline-"))
        };
        while !is_there() {
            assert!(child.try_wait().expect("it can be asked").is_none(), "it ended before it began: {line}");
            std::thread::yield_now();
        }
        let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(sent.expect("there is `kill`").success());
        let output = child.wait_with_output().expect("it ends");
        let told = String::from_utf8_lossy(&output.stdout);
        assert_eq!(
            output.status.code(),
            Some(130),
            "{line}\n{told}{}",
            String::from_utf8_lossy(&output.stderr)
        );
        assert!(told.contains("interrupted") && !told.contains("the program conforms;"), "{told}");
        assert_eq!(String::from_utf8_lossy(&output.stderr).matches("SL0883").count(), 0, "{line}");
        check_nothing_is_left(&sandbox);
    }
}

#[test]
fn files_that_cannot_be_written_or_are_read_are_told() {
    let sandbox = raft("", "");
    vote_twice(&sandbox);
    let read = [
        ("twice.itf.json", "the trace"),
        ("raft/mapping.toml", "the mapping"),
        ("raft/system.toml", "the system"),
        ("raft/specline.toml", "the settings"),
    ];
    for (file, reason) in read {
        replay(&sandbox, &format!("--html {file}")).says(1, &["SL0807", reason]);
    }
    replay(&sandbox, "--html missing/page.html").says(255, &["SL0005", "there is no folder `missing`"]);
    replay(&sandbox, "--html /dev/full").says(255, &["confirmed: ", "cannot write `/dev/full`"]);
    replay(&sandbox, "--keep /dev/full/kept").says(255, &["confirmed: ", "cannot write `/dev/full/kept`"]);
    let walks = format!("{WALKS} --traces 1 --depth 3");
    for file in ["raft/RaftSteps.tla", "raft/Raft.tla", "raft/mapping.toml", "raft/system.toml"] {
        run(&sandbox, &format!("{walks} --html {file}")).says(1, &["SL0807", file]);
    }
    run(&sandbox, &format!("{walks} --html x.html --coverage-html x.coverage.html")).says(1, &["SL0807"]);
    run(&sandbox, &format!("{walks} --html /dev/full")).says(255, &["the program conforms", "/dev/full"]);
}

const WALKS: &str = "conform raft/RaftSteps.tla --system raft --seed 3";

/// The page that was asked for leads to one for each kind, and to what was carried out.
#[test]
fn pages_lead_to_each_other() {
    let sandbox = raft("601ms", "6ms").folder("profile");
    run(&sandbox, &format!("{WALKS} --traces 2 --html page.html")).says(29, &["the page is page.html"]);
    let profile = sandbox.path().join("profile");
    let mut browser = Browser::open(&sandbox.path().join("page.html"), &profile);
    let text = |browser: &mut Browser, selector: &str| {
        let text = browser.eval(&format!("document.querySelector('{selector}').innerText"));
        text.as_str().expect("a text").to_owned()
    };
    assert!(text(&mut browser, "#headline").contains("the program does not conform: "));
    assert!(text(&mut browser, "#actions").contains("Stand\tnever"));
    let facts = text(&mut browser, "#facts");
    for fact in ["RaftSteps.tla", "raft", env!("CARGO_PKG_VERSION"), "seed\n3", "date\n20"] {
        assert!(facts.contains(fact), "{fact}: {facts}");
    }
    // One below the other, and not side by side.
    let tops = browser
        .eval("['h1', '#headline', '#kinds', '#actions'].map(it => document.querySelector(it).offsetTop)");
    let tops: Vec<u64> =
        tops.as_array().expect("a list").iter().filter_map(serde_json::Value::as_u64).collect();
    assert!(tops.len() == 4 && tops.is_sorted_by(|above, below| above < below), "{tops:?}");
    let links = browser.eval("[...document.querySelectorAll('a')].map(link => link.getAttribute('href'))");
    let links: Vec<&str> =
        links.as_array().expect("a list").iter().filter_map(|link| link.as_str()).collect();
    assert_eq!((links.first(), links.last()), (Some(&"./page.1.html"), Some(&"./page.coverage.html")));
    browser.visit(&sandbox.path().join("page.1.html"));
    assert!(text(&mut browser, "h1").starts_with("The program diverges at "));
    assert!(text(&mut browser, "#about").contains("seed: 3"));
    browser.visit(&sandbox.path().join("page.coverage.html"));
    assert!(text(&mut browser, "body").contains("Stand"));
    assert_eq!(browser.errors, Vec::<String>::new());
}

/// Where the two differ is what is seen first: in a box of its own, in the list, and in the values.
#[test]
fn the_page_of_a_divergence_has_both_sides_in_columns_and_opens_where_they_part() {
    let sandbox = raft("601ms", "6ms").folder("profile");
    run(&sandbox, &format!("{WALKS} --traces 2 --html page.html")).says(29, &["the page is page.html"]);
    let profile = sandbox.path().join("profile");
    let mut browser = Browser::open(&sandbox.path().join("page.1.html"), &profile);
    browser.look((1400, 900), false);
    let heads = "[...document.querySelectorAll('#differs thead th')].map(head => head.textContent)";
    assert_eq!(browser.eval(heads), serde_json::json!(["", "Specification", "Program"]));
    let row = "[...document.querySelector('#differs tbody tr').children].map(cell => cell.textContent)";
    let row = browser.eval(row);
    assert!(row[0].as_str().is_some_and(|path| path.contains('[')) && row[1] != row[2], "{row}");
    // The step is chosen, marked, and in sight with both columns side by side.
    let chosen = "(() => { const step = document.querySelector('[aria-selected=true]'); \
                  const [spec, program] = [...step.querySelector('.both').children].map(e => e.getBoundingClientRect()); \
                  const box = document.querySelector('#steps').getBoundingClientRect(); \
                  return [step.classList.contains('failed'), step === [...document.querySelectorAll('.step')].at(-1), \
                          spec.top === program.top && spec.right <= program.left, step.getBoundingClientRect().top < box.bottom]; })()";
    assert_eq!(browser.eval(chosen), serde_json::json!([true, true, true, true]));
    let verdicts =
        "[...new Set([...document.querySelectorAll('.step:not(.failed) .verdict')].map(e => e.textContent))]";
    assert_eq!(browser.eval(verdicts), serde_json::json!(["✓ agrees"]));
    assert_eq!(browser.eval("document.querySelector('.failed .verdict').textContent.startsWith('≠ ')"), true);
    assert_eq!(browser.eval("document.querySelectorAll('.differs-cell, .differs-part').length > 0"), true);
    assert_eq!(browser.eval("document.querySelectorAll('.state-row.wrong').length"), 1);
    browser.press("g");
    assert_eq!(browser.eval("document.querySelectorAll('.differs-cell, .differs-part').length"), 0);
    browser.press("f");
    assert_eq!(browser.eval("document.activeElement.id"), "differs");
    browser.look((400, 900), false);
    assert_eq!(browser.eval("document.documentElement.scrollWidth <= innerWidth"), true);
    // On paper there are columns, however small it is.
    browser.print();
    let tops = "new Set([...document.querySelector('.failed .both').children].map(e => e.offsetTop)).size";
    assert_eq!(browser.eval(tops), 1);
    assert_eq!(browser.errors, Vec::<String>::new());
}

/// A page can be made again: its date may be given.
#[test]
fn the_date_of_a_page_may_be_given() {
    let sandbox = raft("", "");
    let line = format!("{WALKS} --traces 1 --depth 2 --html page.html");
    let path = format!("{}:/usr/bin:/bin", programs().display());
    let temporary = sandbox.path().display().to_string();
    let given = [("PATH", path.as_str()), ("TMPDIR", &temporary), ("SOURCE_DATE_EPOCH", "951782400")];
    sandbox.run_with(&line, &given).ends_with(0);
    assert!(sandbox.read("page.html").contains("2000-02-29 00:00 UTC"));
}

/// A leader is needed, and not all that happens besides.
#[test]
fn steps_that_a_divergence_does_not_need_are_left_out() {
    let sandbox = raft("do = [\"advance {i} 61ms\"]", "do = [\"advance {i} 1ms\"]");
    let walks = "--traces 8 --depth 25 --format json --weight Heartbeat=5";
    let told = |more: &str| -> serde_json::Value {
        let told = run(&sandbox, &format!("{WALKS} {walks} {more}"));
        assert_eq!(told.code(), Some(29), "{}{}", told.stdout(), told.stderr());
        serde_json::from_str(told.stdout().trim()).expect("it is JSON")
    };
    let (long, short) = (told("--minimise off"), told(""));
    let n = |told: &serde_json::Value| told["groups"][0]["step"].as_u64().expect("a number");
    assert_eq!(long["groups"][0]["group"], short["groups"][0]["group"]);
    assert!(n(&short) < n(&long), "{} and {}", n(&short), n(&long));
    assert!(short["groups"][0]["steps_before"].as_u64() > Some(n(&short)), "{short}");
}

#[test]
fn coverage_is_of_what_was_carried_out_and_agreed() {
    let sandbox = raft("601ms", "6ms");
    let nothing = run(&sandbox, &format!("{WALKS} --traces 2 --coverage"));
    nothing.says(29, &["What of the specification was carried out, and agreed", "Never possible: "]);
    let line = |run: &Run, name: &str| {
        let text = run.stdout();
        let found =
            text.lines().skip_while(|line| !line.starts_with("What of")).find(|line| line.contains(name));
        found.unwrap_or_else(|| panic!("no {name} in\n{text}")).split_whitespace().next().map(str::to_owned)
    };
    assert_eq!(line(&nothing, "Stand "), Some("0".to_owned()));
    let sandbox = raft("", "");
    let some = run(&sandbox, &format!("{WALKS} --traces 2 --coverage --until-quiet 10m"));
    assert_ne!(line(&some, "Stand "), Some("0".to_owned()));
}

#[test]
fn walks_end_when_nothing_new_has_come_for_so_long() {
    let sandbox = raft("", "");
    run(&sandbox, &format!("{WALKS} --until-quiet 2s")).says(0, &["the program conforms; "]);
}

#[test]
fn quiet_walks_report_only_what_differs_and_what_is_not_known() {
    let sandbox = raft("", "");
    // Code that makes system calls without libc is what an answer does not hold for, and is reported.
    let says_nothing_else = |line: &str, run: &Run| {
        run.ends_with(0);
        let is_control = |text: &str| {
            text.is_empty() || text.contains("ot under control") || text.contains("is not controlled in")
        };
        assert!(
            run.stdout().lines().all(is_control) && run.stderr().is_empty(),
            "{line}\n{}{}",
            run.stdout(),
            run.stderr()
        );
    };
    let walks = format!("{WALKS} --walks 2 --depth 15 -q");
    says_nothing_else(&walks, &run(&sandbox, &walks));
    let none = run(&sandbox, &format!("{WALKS} --time 0s -q"));
    none.says(21, &["nothing was compared, and nothing is known"]);
    let right = sandbox.read("raft/mapping.toml");
    let sandbox = sandbox.file("raft/mapping.toml", right.replace("601ms", "6ms"));
    let wrong = run(&sandbox, &format!("{walks} --keep kept"));
    wrong.says(29, &["1. Stand: "]);
    assert!(!wrong.stdout().contains("Actions that were carried out"), "{}", wrong.stdout());
    let recheck = "conform raft/RaftSteps.tla --system raft --keep kept --recheck -q";
    run(&sandbox, recheck).says(29, &["still there: Stand: ", "0 gone, "]);
    let kept = std::fs::read_dir(sandbox.path().join("kept")).expect("it is there").flatten();
    let kept = kept.map(|entry| entry.path()).find(|path| path.display().to_string().ends_with(".itf.json"));
    let replay = format!("replay {} --system raft -q", kept.expect("a trace is kept").display());
    run(&sandbox, &replay).says(29, &["diverged at step 1, Stand("]);
    let sandbox = sandbox.file("raft/mapping.toml", &right);
    for line in [recheck, &replay] {
        says_nothing_else(line, &run(&sandbox, line));
    }
    vote_twice(&sandbox);
    self::replay(&sandbox, "-q").says(0, &["confirmed: the program violates `OneVotePerTerm`"]);
}
