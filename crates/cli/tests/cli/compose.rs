//! `specline compose`, and compositions in the place of a specification: the lock service of the examples.

use std::path::PathBuf;

use crate::sandbox::{Run, Sandbox};

const FILES: &[&str] = &[
    "Clients.tla",
    "Crash.tla",
    "LeaseAtomic.tla",
    "LeaseHandover.tla",
    "LeaseMessages.tla",
    "Leases.tla",
    "LockBase.tla",
    "LockInvariants.tla",
    "QueueInvariants.tla",
    "lock.toml",
];

pub fn example(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/lock");
    std::fs::read_to_string(folder.join(name)).expect("the example is there")
}

pub fn lock() -> Sandbox {
    FILES.iter().fold(Sandbox::new(), |sandbox, name| sandbox.file(name, example(name)))
}

/// Returns the numbers of generated and distinct states that a check tells.
fn counts(run: &Run) -> String {
    let line = run.stdout().lines().find(|line| line.contains("states generated"));
    line.unwrap_or_else(|| panic!("{}\n{}", run.stdout(), run.stderr())).to_owned()
}

#[test]
fn a_composition_is_checked_and_what_is_written_has_the_same_states() {
    let sandbox = lock();
    // TLC finds these numbers of states in what `--emit` writes.
    let known = [("fine", "6094", "1905"), ("atomic", "988", "381"), ("handover", "697", "281")];
    for (name, generated, distinct) in known {
        let composed = counts(&sandbox.run(&format!("check lock.toml@{name}")));
        let expected = format!("{generated} states generated, {distinct} distinct states found");
        assert!(composed.contains(&expected), "{name}: {composed}");
        sandbox.run(&format!("compose lock.toml {name} --emit out --quiet")).ends_with(0);
        assert_eq!(counts(&sandbox.run(&format!("check out/{name}.tla"))), composed);
    }
}

#[test]
fn invariants_that_are_left_out_are_listed() {
    let run = lock().run("compose lock.toml atomic");
    run.says(
        0,
        &["invariants: NoLateWrite, NobodyOutlives", "left out: QueueIsShort: misses leases.messages"],
    );
}

#[test]
fn a_grain_that_preserves_interaction_is_told_from_one_that_does_not() {
    let sandbox = lock();
    let kept = sandbox.run("compose lock.toml atomic --target clients");
    kept.says(
        0,
        &[
            "enables Learn  Clients.tla:11: holder = c",
            "condition (1), variables: all are there",
            "holder               by leases: worded otherwise",
            "where c is Head(queue)",
            "all behaviours of both sides",
            "Interaction is preserved within these bounds",
        ],
    );
    let broken = sandbox.run("compose lock.toml handover --target clients --html page.html");
    broken.says(
        31,
        &[
            "the fine side can take Expire here, the coarse side cannot",
            "the coarse side can take Handover here, the fine side cannot",
            "(Ask(c",
            "Interaction is not preserved: 2 kinds of differences",
        ],
    );
    assert!(sandbox.read("page.html").contains("Handover"));
}

#[test]
fn the_trace_that_tells_grains_apart_is_there_for_programs() {
    let run = lock().run("compose lock.toml handover --target clients --format json");
    let line = run.stdout().lines().last().expect("an answer");
    let answer: serde_json::Value = serde_json::from_str(line).expect("JSON");
    assert_eq!(answer["text"], "undecided");
    assert_eq!(answer["open_differences"], 2);
    let difference = &answer["explored"]["differences"][0];
    let rows = difference["rows"].as_array().expect("rows");
    // Granted, two ticks, and then the lease is free again on one side alone.
    assert_eq!(rows.len(), 5);
    let last = &rows[4];
    assert_ne!(last["fine"].is_null(), last["coarse"].is_null());
}

#[test]
fn random_walks_take_over_and_say_so() {
    let sandbox = lock();
    let run = sandbox.run("compose lock.toml atomic --target clients --max-states 300 --walks 20 --depth 15");
    run.says(21, &["by random walks, a sample", "This is a sample: it proves nothing"]);
    let run =
        sandbox.run("compose lock.toml handover --target clients --max-states 300 --walks 100 --depth 30");
    run.says(31, &["a sample", "the coarse side can take Handover here"]);
}

#[test]
fn accepted_differences_stay_visible_and_no_longer_decide() {
    let accepted = "\n[[accepted]]\ncompositions = [\"handover\"]\nactions = [\"Expire\", \"Handover\"]\n\
                    reason = \"nobody looks at a free lease\"\n";
    let sandbox = lock().file("lock.toml", example("lock.toml") + accepted);
    let run = sandbox.run("compose lock.toml handover --target clients");
    run.says(0, &["accepted: nobody looks at a free lease", "(2 accepted)"]);
}

#[test]
fn the_text_alone_can_be_judged() {
    lock().run("compose lock.toml atomic --target clients --text-only").says(21, &["undecided"]);
    let run = lock().run("compose lock.toml fine --target clients");
    run.says(0, &["Nothing to compare"]);
}

#[test]
fn advice_measures_and_then_checks() {
    let run = lock().run("compose lock.toml --advise --target clients --budget 60s");
    run.says(0, &["-> fine", "Checked fine: complete", "1905 states", "The estimate was"]);
    let run = lock().run("compose lock.toml --advise --budget 60s");
    run.ends_with(1);
}

#[test]
fn what_is_measured_runs_no_program() {
    let clients = example("Clients.tla")
        .replace("EXTENDS LockBase", "EXTENDS LockBase, IOUtils")
        .replace("/\\ holder = c\n", "/\\ holder = c\n  /\\ IOExec(<<\"touch\", \"ran\">>).exitValue = 0\n");
    let sandbox = lock().file("Clients.tla", clients);
    sandbox.run("compose lock.toml --advise --target clients --budget 10s");
    sandbox.run("compose lock.toml atomic --target clients");
    assert!(!sandbox.path().join("ran").exists(), "a program was run");
    sandbox.run("check lock.toml@fine").ends_with(0);
    assert!(sandbox.path().join("ran").exists(), "the specification does not run what it should");
}

#[test]
fn the_files_of_a_change_make_targets() {
    let run = lock().run("compose lock.toml atomic --changed client/main.rs other.rs");
    run.says(0, &["target clients", "Interaction is preserved"]);
    assert!(run.stderr().contains("no module stands for `other.rs`"));
    let run = lock().run("compose lock.toml --changed other.rs");
    run.says(0, &["there is nothing to check"]);
}

#[test]
fn every_command_takes_a_composition() {
    let sandbox = lock();
    sandbox.run("simulate lock.toml@fine --walks 20 --depth 20").ends_with(0);
    sandbox.run("parse lock.toml@fine").ends_with(0);
    sandbox.run("lint lock.toml@fine").ends_with(0);
    let budgets = "[rank.budgets]\nMaxClock = [1, 2]\n\n[[test.model]]\nspec = \"lock.toml@atomic\"\n\
                   expect = \"ok\"\ndistinct = 381\n";
    let sandbox = sandbox.file("specline.toml", budgets);
    sandbox.run("rank lock.toml@fine --walks 20").says(0, &["MaxClock"]);
    sandbox.run("test").ends_with(0);
    let audit = sandbox.run("audit lock.toml@atomic --time 60s");
    assert!(audit.stdout().contains("Leases.tla:11:6"), "{}", audit.stdout());
}

#[test]
fn traces_and_coverage_point_into_the_grain() {
    let sandbox = lock();
    let run = sandbox.run("check lock.toml@fine --coverage-lcov coverage.info");
    run.ends_with(0);
    assert!(sandbox.read("coverage.info").contains("LeaseMessages.tla"), "{}", sandbox.read("coverage.info"));
    let run = sandbox.run("check lock.toml@fine --invariant holder=None --trace trace.itf.json");
    let shown = format!("{}{}", run.stdout(), run.stderr());
    assert_eq!(run.code(), Some(12), "{shown}");
    assert!(shown.contains("Grant"), "{shown}");
    assert!(shown.contains("LeaseMessages"), "{shown}");
    let again = sandbox.run("check lock.toml@fine --invariant holder=None --load trace.itf.json");
    assert_eq!(again.code(), Some(12), "{}{}", again.stdout(), again.stderr());
}

#[test]
fn bad_compositions_are_errors_with_places() {
    let sandbox = lock();
    sandbox.run("check lock.toml@fin").says(151, &["SL0891", "there is no composition `fin`", "`fine`"]);
    sandbox.run("check lock.toml@").says(151, &["SL0891"]);
    sandbox.run("check nowhere.toml@fine").says(255, &["SL0001"]);
    let with = |from: &str, to: &str| {
        let text = example("lock.toml");
        assert!(text.contains(from), "{from}");
        lock().file("lock.toml", text.replace(from, to)).run("check lock.toml@fine")
    };
    with("'Grant', 'Expire'", "'Grant', 'Grant'")
        .says(151, &["SL0893", "the action `Grant` is listed twice"]);
    with("Term = 2", "").says(151, &["SL0895", "the constant `Term` has no value", "LockBase.tla"]);
    with("LeaseForget = \"QueueForget\"", "LeaseForget = \"Grant\"")
        .says(151, &["SL0896", "the same parameters"]);
    let reserved = example("Clients.tla").replace("ClientInit ==", "Next == TRUE\nClientInit ==");
    lock()
        .file("Clients.tla", reserved)
        .run("check lock.toml@fine")
        .says(151, &["SL0894", "`Next` is defined by"]);
    let doubled = example("lock.toml").replace("owns = [\"mine\"", "owns = [\"holder\", \"mine\"");
    let sandbox =
        sandbox.file("lock.toml", doubled.replace("reads = [\"clock\", \"holder\"", "reads = [\"clock\""));
    sandbox
        .run("check lock.toml@fine")
        .says(151, &["SL0892", "`holder` has two owners", "`leases.messages` owns it"]);
}

#[test]
fn what_is_read_is_not_written_over() {
    let sandbox = lock();
    let renamed = example("lock.toml").replace("[composition.fine]", "[composition.Clients]");
    let sandbox = sandbox.file("lock.toml", renamed);
    // The module would be called after the composition, which a grain already is.
    sandbox.run("compose lock.toml Clients --emit . --quiet").ends_with(0);
    assert!(sandbox.read("Clients.tla").contains("Learn(c) =="));
    assert!(!sandbox.read("Clients.tla").contains("UNCHANGED"));
    sandbox.run("check lock.toml@atomic --trace lock.toml").ends_with(1);
    sandbox.run("check lock.toml@atomic --trace Clients.tla").ends_with(1);
}

#[test]
fn a_grain_that_changed_since_a_checkpoint_is_not_gone_on_with() {
    let sandbox = lock();
    sandbox
        .run("check lock.toml@fine --checkpoint kept --max-states 200 --invariant holder=holder")
        .ends_with(21);
    let changed = example("Clients.tla").replace("writer # c", "writer # None");
    let sandbox = sandbox.file("Clients.tla", changed);
    let run = sandbox.run("check lock.toml@fine --resume kept --invariant holder=holder");
    assert!(run.stderr().contains("SL0821"), "{}{}", run.stdout(), run.stderr());
}

#[test]
fn options_that_would_have_no_effect_are_refused() {
    let sandbox = lock();
    for (line, words) in [
        ("compose lock.toml --emit out", "--emit needs the NAME"),
        ("compose lock.toml fine --emit out --target clients", "cannot be used with"),
        ("compose lock.toml --target clients", "--target needs the NAME"),
        ("compose lock.toml atomic --against fine", "--against needs a --target"),
        ("compose lock.toml atomic --html page.html", "--html needs a --target"),
    ] {
        let run = sandbox.run(line);
        run.ends_with(1);
        assert!(run.stderr().contains(words), "{line}: {}", run.stderr());
    }
    sandbox.run("compose lock.toml@fine --emit out --quiet").ends_with(0);
    sandbox.run("compose lock.toml@handover --against fine --target clients").ends_with(31);
}

#[test]
fn what_is_written_has_the_values_of_the_command_line() {
    let sandbox = lock();
    let given = "-D MaxClock=Term+1 -D Clients={1,2,3}";
    let composed = counts(&sandbox.run(&format!("check lock.toml@fine {given}")));
    sandbox.run(&format!("compose lock.toml fine {given} --emit out --quiet")).ends_with(0);
    let (tla, cfg) = (sandbox.read("out/fine.tla"), sandbox.read("out/fine.cfg"));
    assert!(tla.contains("Given_MaxClock ==\n  Term+1\n"), "{tla}");
    assert!(cfg.contains("  MaxClock <- Given_MaxClock\n") && !cfg.contains("MaxClock ="), "{cfg}");
    assert_eq!(counts(&sandbox.run("check out/fine.tla")), composed);
    let run = sandbox.run("compose lock.toml fine -D Nothing=1 --emit other");
    assert_ne!(run.code(), Some(0));
    assert!(run.stderr().contains("Nothing"), "{}", run.stderr());
}

#[test]
fn a_value_may_be_meant_for_the_fine_side_alone() {
    let base = example("LeaseMessages.tla");
    let bounded = base.replace("VARIABLE queue", "CONSTANT MaxQueue\n\nVARIABLE queue").replace(
        "  /\\ queue' = Append(queue, c)",
        "  /\\ Len(queue) < MaxQueue\n  /\\ queue' = Append(queue, c)",
    );
    let family = example("lock.toml")
        .replace("provides = { Lease", "constants = { MaxQueue = 3 }\nprovides = { Lease");
    let sandbox = lock().file("LeaseMessages.tla", &bounded).file("lock.toml", &family);
    sandbox.run("compose lock.toml atomic --target clients -D MaxQueue=1 -D MaxClock=2").ends_with(0);
    let run = sandbox.run("compose lock.toml atomic --target clients -D MaxQueu=1");
    assert_ne!(run.code(), Some(0));
    assert!(run.stderr().contains("`MaxQueu` is no constant"), "{}", run.stderr());
    let small = |name: &str| {
        family.replace("[composition.atomic]\n", &format!("[composition.atomic]\nsmall = {{ {name} = 1 }}\n"))
    };
    let sandbox = sandbox.file("lock.toml", small("MaxQueue"));
    sandbox.run("compose lock.toml atomic --target clients").ends_with(0);
    let sandbox = sandbox.file("lock.toml", small("MaxQueu"));
    let run = sandbox.run("compose lock.toml atomic --target clients");
    assert!(run.stderr().contains("`small` has a value of `MaxQueu`"), "{}", run.stderr());
}

/// No enabling condition of the cache reads the store, so by the definitions of REMIX nothing would be compared.
#[test]
fn what_the_target_only_copies_is_compared_too() {
    let store = "---- MODULE Store ----\nEXTENDS Naturals\nVARIABLES value, version\n\
                 StoreInit == value = 0 /\\ version = 0\n\
                 Put(v) == version < 3 /\\ value' = v /\\ version' = version + 1\n\
                 PutTwice(v) == version < 2 /\\ value' = v /\\ version' = version + 2\n====\n";
    let cache = "---- MODULE Cache ----\nEXTENDS Store\nVARIABLES cached, seen\nCacheInit == cached = 0 /\\ seen = 0\n\
                 Refresh == cached' = value /\\ seen' = version\n====\n";
    let family = "[module.store.grain.plain]\nfile = \"Store.tla\"\ninit = \"StoreInit\"\n\
                  actions = ['\\E v \\in 1..2 : Put(v)']\n[module.store.grain.coarse]\nfile = \"Store.tla\"\n\
                  coarsens = \"plain\"\ninit = \"StoreInit\"\nactions = ['\\E v \\in 1..2 : PutTwice(v)']\n\
                  [module.cache.grain.plain]\nfile = \"Cache.tla\"\nreads = [\"value\", \"version\"]\n\
                  init = \"CacheInit\"\nactions = ['Refresh']\n\
                  [composition.coarse]\nstore = \"coarse\"\ncache = \"plain\"\n";
    let sandbox =
        Sandbox::new().file("Store.tla", store).file("Cache.tla", cache).file("system.toml", family);
    let run = sandbox.run("compose system.toml coarse --target cache");
    run.says(
        31,
        &["Refresh computes cached from it", "the fine side can take Put here, the coarse side cannot"],
    );
}
