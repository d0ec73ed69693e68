//! `specline pcal`: translations in files, on standard output and compared; and what other commands make of them.

use crate::sandbox::Sandbox;

const ALGORITHM: &str = "---- MODULE Tick ----\nEXTENDS Naturals\n(* --algorithm Tick {\n  variable n = 0;\n  \
                         { step: while (n < 3) { n := n + 1 } }\n} *)\n====\n";
const CONFIG: &str = "SPECIFICATION Spec\nINVARIANT Small\n";

fn tick() -> Sandbox {
    Sandbox::new().file("Tick.tla", ALGORITHM)
}

#[test]
fn a_translation_is_written_once() {
    let sandbox = tick();
    sandbox.run("pcal --check Tick.tla").says(23, &["SL0608", "has no translation", "run `specline pcal`"]);
    sandbox.run("pcal Tick").says(0, &["Tick.tla: translated, 25 lines"]);
    let module = std::fs::read_to_string(sandbox.path().join("Tick.tla")).expect("it is there");
    for line in ["\\* BEGIN TRANSLATION (chksum(pcal) = ", "step == /\\ pc = \"step\"", "\\* END TRANSLATION"]
    {
        assert!(module.contains(line), "`{line}` is not in\n{module}");
    }
    sandbox.run("pcal Tick.tla").says(0, &["the translation was up to date"]);
    sandbox.run("pcal --check Tick.tla").says(0, &["is up to date"]);
    sandbox.run("lint Tick.tla").ends_with(0);
    let left: Vec<_> = std::fs::read_dir(sandbox.path()).expect("a folder").collect();
    assert_eq!(left.len(), 1, "nothing else is written: {left:?}");
}

#[test]
fn standard_output_gets_the_module_alone() {
    let sandbox = tick();
    let run = sandbox.run("pcal --stdout --fairness wf-next Tick.tla");
    run.says(0, &["/\\ WF_vars(Next)", "Tick.tla: translated"]);
    assert!(run.stdout().starts_with("---- MODULE Tick ----\n"), "{}", run.stdout());
    assert_eq!(std::fs::read_to_string(sandbox.path().join("Tick.tla")).expect("it is there"), ALGORITHM);
}

#[test]
fn a_stale_translation_is_reported_and_a_fresh_one_can_be_used() {
    let sandbox = tick();
    sandbox.run("pcal Tick.tla").ends_with(0);
    let module = std::fs::read_to_string(sandbox.path().join("Tick.tla")).expect("it is there");
    let stale = module.replace("n < 3) {", "n < 7) {").replace("\n====", "\nSmall == n < 5\n====");
    let sandbox = Sandbox::new().file("Tick.tla", &stale).file("Tick.cfg", CONFIG);
    let told = ["SL0608", "algorithm was edited after the translation was made"];
    sandbox.run("check Tick.tla").says(0, &told);
    sandbox.run("lint Tick.tla").says(0, &told);
    sandbox.run("pcal --check Tick.tla").says(23, &told);
    sandbox.run("check --translate Tick.tla").says(12, &["invariant `Small` is violated"]);
    let written = std::fs::read_to_string(sandbox.path().join("Tick.tla")).expect("it is there");
    assert_eq!(written, stale, "`--translate` writes nothing");
}

#[test]
fn an_algorithm_without_a_translation_is_checked_with_a_fresh_one() {
    let module = ALGORITHM.replace("\n====", "\nSmall == TRUE\n====");
    let sandbox = Sandbox::new().file("Tick.tla", &module).file("Tick.cfg", CONFIG);
    sandbox.run("check --translate Tick.tla").says(0, &["5 distinct states found"]);
    sandbox.run("simulate --translate --walks 2 Tick.tla").ends_with(0);
    let run = sandbox.run("check Tick.tla");
    run.says(151, &["has no translation", "specline pcal"]);
    let wrong = module.replace("n := n + 1", "m := n + 1");
    let sandbox = Sandbox::new().file("Tick.tla", &wrong).file("Tick.cfg", CONFIG);
    sandbox.run("check --translate Tick.tla").says(150, &["SL0124", "`m` is assigned to"]);
}

#[test]
fn what_cannot_be_done_is_told() {
    let sandbox = Sandbox::new().file("None.tla", "---- MODULE None ----\n====\n").folder("Folder.tla");
    sandbox.run("pcal None.tla").says(150, &["SL0125", "has no PlusCal algorithm"]);
    sandbox.run("pcal Missing.tla").says(255, &["SL0001", "Missing.tla"]);
    sandbox.run("pcal Folder.tla").says(255, &["SL0001"]);
    tick().run("pcal --line-width 7 Tick.tla").says(151, &["SL0126", "a number from 60 on"]);
}

#[test]
fn scripts_of_the_tla_tools_translate_here() {
    let sandbox = tick().file("Tick.cfg", "CONSTANT C = 1\n");
    let run = sandbox.run("java -cp tla2tools.jar pcal.trans -wf Tick");
    run.says(0, &["Translation completed.", "New file Tick.tla written.", "New file Tick.cfg written."]);
    let read = |name: &str| std::fs::read_to_string(sandbox.path().join(name)).expect("it was written");
    assert_eq!(read("Tick.old"), ALGORITHM);
    assert!(read("Tick.tla").contains("/\\ WF_vars(Next)"));
    let config = "SPECIFICATION Spec\n\\* Add statements after this line.\nCONSTANT C = 1\n";
    assert_eq!(read("Tick.cfg"), config);
    sandbox.run("java pcal.trans -nocfg -noold Tick.tla").ends_with(0);
    sandbox.run("java pcal.trans -fast Tick.tla").says(255, &["Command-line error", "`fast`"]);
    let wrong = Sandbox::new().file("Tick.tla", ALGORITHM.replace("step: ", "step; "));
    wrong.run("java pcal.trans Tick.tla").says(255, &["Unrecoverable error", "SL012"]);
}
