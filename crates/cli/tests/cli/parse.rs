//! `specline parse`: good files, bad files, files that are none.

use crate::sandbox::Sandbox;

const CLOCK: &str = "\
---- MODULE Clock ----
EXTENDS Naturals
VARIABLE hour
Init == hour \\in 1..12
Next == hour' = (hour % 12) + 1
Spec == Init /\\ [][Next]_hour
====
";

const SYNTAX_ERRORS: &str = "\
---- MODULE Broken ----
EXTENDS Naturals
VARIABLES x, y
Init == x = (1 + 2
Next == /\\ x' = x
        /\\ y' = y;
Ready == x /\\ y \\/ x
====
";

const SEMANTIC_ERRORS: &str = "\
---- MODULE Wrong ----
EXTENDS Sequences
VARIABLE queue
Size == Lenn(queue)
Twice == queue''
First == Head(queue, 1)
====
";

#[test]
fn a_module_that_is_nearby_is_named_with_its_folder() {
    let model = "---- MODULE MC ----\nEXTENDS Clock, Tools\n====\n";
    let sandbox = Sandbox::new()
        .file("Clock.tla", CLOCK)
        .file("Clock.toolbox/Model_1/MC.tla", model)
        .file("Clock.toolbox/Tools/Tools.tla", "---- MODULE Tools ----\n====\n");
    sandbox.run("parse Clock.toolbox/Model_1/MC.tla").says(
        150,
        &[
            "it is in `.`: say `--library .`",
            "it is in `Clock.toolbox/Tools`: say `--library Clock.toolbox/Tools`",
        ],
    );
    sandbox.run("parse Clock.toolbox/Model_1/MC.tla -L . -L Clock.toolbox/Tools").ends_with(0);
}

#[test]
fn a_good_file() {
    Sandbox::new().file("Clock.tla", CLOCK).run("parse Clock.tla").check("parse-good");
}

#[test]
fn all_independent_syntax_errors() {
    Sandbox::new().file("Broken.tla", SYNTAX_ERRORS).run("parse Broken.tla").check("parse-syntax-errors");
}

#[test]
fn all_independent_semantic_errors() {
    let sandbox = Sandbox::new().file("Wrong.tla", SEMANTIC_ERRORS);
    sandbox.run("parse Wrong.tla").check("parse-semantic-errors");
}

#[test]
fn several_files_end_with_a_summary_and_the_worst_code() {
    let sandbox = Sandbox::new().file("Clock.tla", CLOCK).file("Wrong.tla", SEMANTIC_ERRORS);
    sandbox.run("parse Clock.tla Missing.tla Wrong.tla").check("parse-several-files");
}

#[test]
fn a_module_beside_the_file_and_one_in_a_library() {
    let user = "---- MODULE User ----\nEXTENDS Beside, Shelved\nBoth == A + B\n====\n";
    let sandbox = Sandbox::new()
        .file("spec/User.tla", user)
        .file("spec/Beside.tla", "---- MODULE Beside ----\nEXTENDS Naturals\nA == 1\n====\n")
        .file("shelf/Shelved.tla", "---- MODULE Shelved ----\nB == 2\n====\n");
    sandbox.run("parse spec/User.tla --library shelf").check("parse-library");
    sandbox.run("parse spec/User.tla").check("parse-library-missing");
}

#[test]
fn an_error_in_an_extended_module_is_shown_there() {
    let sandbox = Sandbox::new()
        .file("Top.tla", "---- MODULE Top ----\nEXTENDS Base\n====\n")
        .file("Base.tla", "---- MODULE Base ----\nA == B\n====\n");
    sandbox.run("parse Top.tla").check("parse-error-in-extended");
}

#[test]
fn files_that_are_no_specifications() {
    let sandbox = Sandbox::new()
        .file("Empty.tla", "")
        .file("Latin.tla", b"---- MODULE Latin ----\nName == \"caf\xe9\"\n====\n")
        .file("Binary.tla", b"\x7fELF\x02\x01\x01\0\0\0\xff\xfe")
        .file("Cut.tla", "---- MODULE Cut ----\nA == IF TRUE THEN")
        .folder("Folder.tla");
    sandbox.run("parse Missing.tla").check("parse-missing-file");
    sandbox.run("parse Folder.tla").check("parse-folder");
    sandbox.run("parse Empty.tla").check("parse-empty");
    sandbox.run("parse Latin.tla").check("parse-not-utf8");
    sandbox.run("parse Binary.tla").check("parse-binary");
    sandbox.run("parse Cut.tla").check("parse-truncated");
}

#[test]
fn json_is_one_object_a_line_on_standard_output() {
    let sandbox = Sandbox::new().file("Clock.tla", CLOCK).file("Wrong.tla", SEMANTIC_ERRORS);
    let run = sandbox.run("parse --message-format json Clock.tla Wrong.tla Missing.tla");
    run.check("parse-json");
    for line in run.stdout().lines() {
        let object: serde_json::Value = serde_json::from_str(line).expect("a line is JSON");
        assert!(object.get("kind").is_some(), "{line}");
    }
}

#[test]
fn concise_is_one_line_a_diagnostic() {
    let sandbox = Sandbox::new().file("Wrong.tla", SEMANTIC_ERRORS);
    sandbox.run("parse --message-format concise Wrong.tla").check("parse-concise");
}

#[test]
fn colours_follow_the_flag_and_no_color() {
    let sandbox = Sandbox::new().file("Wrong.tla", "---- MODULE Wrong ----\nA == B\n====\n");
    sandbox.run("parse Wrong.tla --color always").check("parse-color-always");
    let always = sandbox.run_with("parse Wrong.tla --color always", &[("NO_COLOR", "1")]);
    assert!(always.stderr().contains('\x1b'), "the flag is the stronger wish");
    let plain = sandbox.run_with("parse Wrong.tla", &[("NO_COLOR", "1")]);
    assert!(!plain.stderr().contains('\x1b'));
    assert!(!sandbox.run("parse Wrong.tla").stderr().contains('\x1b'), "a pipe gets no colours");
    assert!(!sandbox.run("parse Wrong.tla --color never").stderr().contains('\x1b'));
}

#[test]
fn a_name_cannot_speak_to_the_terminal() {
    let run = Sandbox::new().run("parse evil\x1b[2J.tla");
    assert!(!run.stdout().contains('\x1b') && !run.stderr().contains('\x1b'));
    assert!(run.stdout().starts_with("evil␛[2J.tla: 1 error"), "{}", run.stdout());
}

#[test]
fn what_is_emitted_has_standard_output_to_itself() {
    let sandbox = Sandbox::new().file("Clock.tla", CLOCK);
    sandbox.run("parse Clock.tla --emit ast").check("parse-emit-ast");
    sandbox.run("parse Clock.tla --emit ast-json").check("parse-emit-ast-json");
    sandbox.run("parse Clock.tla --emit spec").check("parse-emit-spec");
    sandbox.run("parse Clock.tla --emit json").check("parse-emit-json");
}

#[test]
fn deep_nesting_is_an_answer_not_a_crash() {
    let deep = format!(
        "---- MODULE Deep ----\nA == {}1{}\nB ==\n{}\n====\n",
        "(".repeat(100_000),
        ")".repeat(100_000),
        (0..2_000).map(|depth| format!("{}/\\ TRUE\n", " ".repeat(depth))).collect::<String>()
    );
    let run = Sandbox::new().file("Deep.tla", deep).run("parse Deep.tla");
    assert_eq!(run.code(), Some(150), "{}", run.stderr());
    assert!(run.stderr().contains("SL0114"), "{}", run.stderr());
}

#[test]
fn operators_of_other_languages_are_answered_with_those_of_tla() {
    for (text, help) in [
        ("x && y", "write `/\\` for \"and\""),
        ("x || y", "write `\\/` for \"or\""),
        ("x / y", "write `\\div`"),
        ("x := y", "write `x' = e`"),
        ("true", "write `TRUE`"),
        ("not(x)", "write `~` for \"not\""),
        ("x = null", "there is no null"),
        ("x // y", "a comment starts with"),
    ] {
        let module = format!("---- MODULE M ----\nVARIABLES x, y\na == {text}\n====\n");
        Sandbox::new().file("M.tla", module).run("parse M").says(150, &["SL0301", help]);
    }
}
